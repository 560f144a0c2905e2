//! The elements that pictures are made of.

use std::fmt::{Display, Write as _};

use super::bounds::Bounds;

/// A point: across, down.
pub type Point = (f64, f64);

/// An SVG element, to which attributes can be added. Elements are ordered by their text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Element {
    open: String,
    tag: &'static str,
    content: Option<String>,
    pub(super) bounds: Option<Bounds>,
}

impl Element {
    fn new(tag: &'static str, attributes: &str) -> Self {
        Self { open: format!("<{tag} {attributes}"), tag, content: None, bounds: None }
    }

    /// The same element with an attribute; its value must be safe in quotes, as numbers and colours are.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        let _ = write!(self.open, " {name}=\"{value}\"");
        self
    }

    /// The same element with an attribute that may be any text, such as a name from outside.
    #[must_use]
    pub fn with_text(self, name: &str, value: &str) -> Self {
        self.with(name, escape(value))
    }

    /// The same element in bold letters.
    #[must_use]
    pub fn bold(self) -> Self {
        self.with("font-weight", "bold")
    }

    fn reaching(mut self, points: impl IntoIterator<Item = Point>) -> Self {
        self.bounds = Bounds::around(points);
        self
    }

    pub(super) fn finish(self) -> String {
        match self.content {
            None => format!("{}/>", self.open),
            Some(content) => format!("{}>{content}</{}>", self.open, self.tag),
        }
    }
}

/// A number with as many digits as matter: six, without zeros at the end.
#[must_use]
pub fn number(value: f64) -> String {
    if !value.is_finite() || value.abs() < 1e-4 {
        return "0".to_owned();
    }
    let decimals = (5 - value.abs().log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A number rounded to a tenth by its exact value, which decides where ten times it only seems to be halfway.
#[must_use]
pub fn tenth(value: f64) -> f64 {
    let scaled = value * 10.0;
    let lost = value.mul_add(10.0, -scaled);
    let is_halfway = (scaled - scaled.floor()).total_cmp(&0.5).is_eq();
    let whole = match is_halfway {
        true if lost > 0.0 => scaled.ceil(),
        true if lost < 0.0 => scaled.floor(),
        _ => scaled.round_ties_even(),
    };
    whole / 10.0
}

/// Text as it may stand in a document.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#x27;"),
            _ => out.push(letter),
        }
    }
    out
}

/// A rectangle.
#[must_use]
pub fn rect(x: f64, y: f64, width: f64, height: f64, fill: &str) -> Element {
    let ends = [(x, y), (x + width, y + height)];
    let [x, y, width, height] = [x, y, width, height].map(number);
    Element::new("rect", &format!(r#"x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}""#)).reaching(ends)
}

/// A box that cannot be seen but clicked: the ground of a small place.
#[must_use]
pub fn target(x: f64, y: f64, width: f64, height: f64) -> Element {
    rect(x, y, width, height, "#000000").with("fill-opacity", 0)
}

/// A circle.
#[must_use]
pub fn circle(x: f64, y: f64, radius: f64, fill: &str) -> Element {
    let ends = [(x - radius, y - radius), (x + radius, y + radius)];
    let [x, y, radius] = [x, y, radius].map(number);
    Element::new("circle", &format!(r#"cx="{x}" cy="{y}" r="{radius}" fill="{fill}""#)).reaching(ends)
}

/// A line of text, centred on x.
#[must_use]
pub fn text(x: f64, y: f64, content: &str, size: f64, fill: &str) -> Element {
    anchored(x, y, content, size, fill, "middle")
}

/// A line of text from x on.
#[must_use]
pub fn text_from(x: f64, y: f64, content: &str, size: f64, fill: &str) -> Element {
    anchored(x, y, content, size, fill, "start")
}

/// A line of text up to x.
#[must_use]
pub fn text_to(x: f64, y: f64, content: &str, size: f64, fill: &str) -> Element {
    anchored(x, y, content, size, fill, "end")
}

/// What is told to those who point at the drawing that this is in.
#[must_use]
pub fn tooltip(content: &str) -> Element {
    Element { open: "<title".to_owned(), tag: "title", content: Some(escape(content)), bounds: None }
}

fn anchored(x: f64, y: f64, content: &str, size: f64, fill: &str, anchor: &str) -> Element {
    let [x, y, size] = [x, y, size].map(number);
    let attributes = format!(r#"x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}""#);
    Element { content: Some(escape(content)), ..Element::new("text", &attributes) }
}

/// A polygon.
#[must_use]
pub fn polygon(points: &[Point], fill: &str) -> Element {
    Element::new("polygon", &format!(r#"points="{}" fill="{fill}""#, joined(points))).reaching(points.iter().copied())
}

/// An area within a path, in SVG's own words for one.
#[must_use]
pub fn path(outline: &str, fill: &str) -> Element {
    Element::new("path", &format!(r#"d="{outline}" fill="{fill}""#))
}

/// A line from point to point.
#[must_use]
pub fn line(points: &[Point], colour: &str, width: f64) -> Element {
    let (ends, points, width) = (points, joined(points), number(width));
    let attributes = format!(r#"points="{points}" fill="none" stroke="{colour}" stroke-width="{width}""#);
    Element::new("polyline", &attributes).reaching(ends.iter().copied())
}

/// A curve from a point to another, bent towards a third.
#[must_use]
pub fn curve(begin: Point, bend: Point, end: Point, colour: &str, width: f64) -> Element {
    let [begin, bend, end] = [begin, bend, end].map(|(x, y)| format!("{} {}", number(x), number(y)));
    let style = format!(r#"fill="none" stroke="{colour}" stroke-width="{}""#, number(width));
    Element::new("path", &format!(r#"d="M {begin} Q {bend} {end}" {style}"#))
}

fn joined(points: &[Point]) -> String {
    let point = |(x, y): &Point| format!("{},{}", number(*x), number(*y));
    points.iter().map(point).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{escape, number, tenth};

    #[test]
    fn numbers_have_the_digits_that_matter() {
        let written = [0.0, 12.0, -3.5, 0.1 + 0.2, 1234.5678, 1_234_567.0, 1.0 / 3.0, f64::NAN, -1e-9].map(number);
        assert_eq!(written, ["0", "12", "-3.5", "0.3", "1234.57", "1234567", "0.333333", "0", "0"]);
    }

    #[test]
    fn tenths_are_rounded_by_the_exact_value() {
        let rounded = [0.85, 672.85, 0.25, 0.75, -0.85, -672.85, 1.26, 3.0].map(|value| number(tenth(value)));
        assert_eq!(rounded, ["0.8", "672.9", "0.2", "0.8", "-0.8", "-672.9", "1.3", "3"]);
    }

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("<b> & \"it's\""), "&lt;b&gt; &amp; &quot;it&#x27;s&quot;");
    }
}
