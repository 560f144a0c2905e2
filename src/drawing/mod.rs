//! Pictures: a few SVG elements, text that fits, tiles and badges, and places that can be clicked.
//!
//! ```
//! use adjoin::drawing::{Drawing, INK, PAPER, Place, rect, text};
//!
//! let mut card = Drawing::new();
//! card.push(rect(0.0, 0.0, 40.0, 60.0, PAPER).with("rx", 4));
//! card.push(text(20.0, 35.0, "7", 24.0, INK));
//! let mut table = Drawing::new();
//! table.place(&Place::new("card", "7"), card);
//! let picture = table.into_picture(40.0, 60.0, "A card");
//! assert!(picture.svg().contains(r#"<g data-place="card 7"><rect x="0" y="0""#));
//! assert_eq!(picture.places(), [Place::new("card", "7")]);
//! ```

mod area;
mod bounds;
mod colours;
mod elements;
mod labels;
mod letters;
pub mod maps;
mod pieces;
mod rows;
mod tags;

use std::fmt::{self, Write as _};

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

pub use area::{Area, distance, tenths};
pub use colours::{INK, PAPER, SEATS, SOFT, ink_on, named, numbered};
pub use elements::{
    Element, Point, circle, curve, line, number, path, polygon, rect, target, tenth, text, text_from, text_to, tooltip,
};
pub use labels::{Anchor, Label, Labels};
pub use letters::{common_size, fitted, in_lines, measure, narrowest, shortened, wrapped};
pub use pieces::{HALF, NARROW, Nameplate, PIPS, badge, tile};
pub use rows::Rows;
pub use tags::Tag;

use bounds::Bounds;
use elements::escape;

/// Something in a picture that can be clicked, and that an action may name.
///
/// As text it is its kind and its name, as a screen reader may say it: `card Kent`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// What sort of thing it is: `card`, `cell`.
    pub kind: &'static str,
    /// Which one; empty where there is one of the kind.
    pub name: String,
}

impl Place {
    /// One of several of a kind.
    #[must_use]
    pub fn new(kind: &'static str, name: impl Into<String>) -> Self {
        Self { kind, name: name.into() }
    }

    /// The only one of its kind.
    #[must_use]
    pub fn only(kind: &'static str) -> Self {
        Self { kind, name: String::new() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " {}", self.name) }
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What a piece of a picture is to the people at the table, so that a host can arrange the pieces by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// What all play on.
    Table,
    /// A map of what lies on the table.
    Map,
    /// Something to take from, or to take: a pile, a choice.
    Stock,
    /// Something that the viewer holds.
    Hand,
    /// What another player has, or everybody in numbers.
    Seat,
    /// What is going on, for those who are not told otherwise.
    Title,
    /// What else is going on.
    Facts,
    /// What the signs mean.
    Key,
}

/// A part of a picture that stays together.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// What it is.
    pub role: Role,
    /// Where it is in the picture: left, top, width, height.
    pub area: [f64; 4],
    drawing: Drawing,
}

impl Piece {
    /// The places in it, in the order in which they are drawn.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.drawing.places.iter().map(|(place, _)| place)
    }
}

/// Where it is, and the elements, in the coordinates of the picture.
impl Serialize for Piece {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Piece", 3)?;
        fields.serialize_field("role", &self.role)?;
        fields.serialize_field("area", &self.area.map(tenth))?;
        fields.serialize_field("svg", &self.drawing.svg)?;
        fields.end()
    }
}

/// A finished picture: pieces on a sheet of paper.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Picture {
    /// What it shows, for a screen reader.
    pub title: String,
    /// Width and height.
    pub size: [f64; 2],
    /// The pieces, in the order in which they are drawn.
    pub pieces: Vec<Piece>,
}

impl Picture {
    /// The picture as an SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        let ([width, height], title) = (self.size.map(number), escape(&self.title));
        let paper = rect(0.0, 0.0, self.size[0], self.size[1], PAPER).finish();
        let pieces: String = self.pieces.iter().map(|piece| &*piece.drawing.svg).collect();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" font-family=\"sans-serif\"><title>{title}</title>{paper}{pieces}</svg>"
        )
    }

    /// The places in it, in the order in which they are drawn; one may be there several times.
    #[must_use]
    pub fn places(&self) -> Vec<Place> {
        self.pieces.iter().flat_map(Piece::places).cloned().collect()
    }
}

/// Pieces of a picture, as they are put beside each other.
#[derive(Clone, Debug, Default)]
pub struct Sheet(Vec<Piece>);

impl Sheet {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a drawing that fills an area: left, top, width, height.
    pub fn add(&mut self, role: Role, area: [f64; 4], drawing: Drawing) {
        if !drawing.is_empty() {
            self.0.push(Piece { role, area, drawing });
        }
    }

    /// Adds a drawing that was made around 0, 0, where it fills an area, at another point.
    pub fn put(&mut self, role: Role, (x, y): Point, area: [f64; 4], drawing: Drawing) {
        let mut piece = Self::new();
        piece.add(role, area, drawing);
        self.moved(x, y, piece);
    }

    /// Adds words about signs, each one piece, in rows from a point on up to the right. Returns where they end.
    pub fn key<'a>(&mut self, at: Point, right: f64, entries: impl IntoIterator<Item = &'a str>) -> f64 {
        let mut rows = Rows::new(at, right, 14.0);
        for words in entries {
            let (wide, high) = (measure(words, 11.0, false), 15.0);
            let piece = [text_from(0.0, 11.0, words, 11.0, SOFT)];
            self.put(Role::Key, rows.next(wide, high), [0.0, 0.0, wide, high], piece.into_iter().collect());
        }
        rows.bottom()
    }

    /// Adds the pieces of a sheet that was made around 0, 0, at another point.
    pub fn moved(&mut self, x: f64, y: f64, sheet: Self) {
        for Piece { role, area: [left, top, width, height], drawing } in sheet.0 {
            let mut moved = Drawing::new();
            moved.moved(x, y, drawing);
            self.add(role, [left + x, top + y, width, height], moved);
        }
    }

    /// The picture, with a title for screen readers; its size is rounded up to whole numbers.
    #[must_use]
    pub fn into_picture(self, width: f64, height: f64, title: &str) -> Picture {
        Picture { title: title.to_owned(), size: [width, height].map(f64::ceil), pieces: self.0 }
    }
}

/// Elements one above the other, the first at the bottom. Drawings are ordered by their text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Drawing {
    svg: String,
    /// With the box around each, if it is known.
    places: Vec<(Place, Option<Bounds>)>,
    bounds: Option<Bounds>,
}

impl Drawing {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.svg.is_empty()
    }

    /// Adds an element.
    pub fn push(&mut self, element: Element) {
        self.bounds = Bounds::joined(self.bounds, element.bounds);
        self.svg.push_str(&element.finish());
    }

    /// Adds a drawing.
    pub fn add(&mut self, other: Self) {
        self.svg.push_str(&other.svg);
        self.places.extend(other.places);
        self.bounds = Bounds::joined(self.bounds, other.bounds);
    }

    /// Adds a drawing that can be clicked.
    pub fn place(&mut self, place: &Place, parts: Self) {
        self.places.push((place.clone(), parts.bounds));
        let key = escape(&place.to_string());
        self.group(&format!("data-place=\"{key}\""), parts);
    }

    /// Adds a drawing of something that stays the same thing when it moves or is turned over: a card, a disc on its
    /// cell. A host that shows one picture after another can tell what has become of it by its name.
    pub fn thing(&mut self, name: &str, parts: Self) {
        self.group(&format!("data-thing=\"{}\"", escape(name)), parts);
    }

    /// Adds such a thing that has sides, of which this one is up.
    pub fn sided_thing(&mut self, name: &str, side: &str, parts: Self) {
        self.group(&format!("data-thing=\"{}\" data-side=\"{}\"", escape(name), escape(side)), parts);
    }

    /// Adds a drawing that was made around 0, 0, at another point.
    pub fn moved(&mut self, x: f64, y: f64, parts: Self) {
        let parts = parts.reaching(|bounds| Some(bounds.moved((x, y))));
        self.group(&format!("transform=\"translate({} {})\"", number(x), number(y)), parts);
    }

    /// Adds a drawing, larger or smaller.
    pub fn scaled(&mut self, scale: f64, parts: Self) {
        let parts = parts.reaching(|bounds| Some(bounds.scaled(scale)));
        self.group(&format!("transform=\"scale({})\"", number(scale)), parts);
    }

    /// Adds what of a drawing is inside a box: left, top, right, bottom.
    pub fn clipped(&mut self, [left, top, right, bottom]: [f64; 4], parts: Self) {
        let [x, y, width, height] = [left, top, right - left, bottom - top].map(number);
        let _ = write!(
            self.svg,
            r#"<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{x} {y} {width} {height}">"#
        );
        self.add(parts);
        self.svg.push_str("</svg>");
    }

    /// Adds a drawing with an attribute for all of it; its value must be safe in quotes. With a transform, nobody knows
    /// any more where its places are.
    pub fn grouped(&mut self, name: &str, value: impl fmt::Display, parts: Self) {
        let parts = if name == "transform" { parts.reaching(|_| None) } else { parts };
        self.group(&format!("{name}=\"{value}\""), parts);
    }

    /// The same with other boxes.
    fn reaching(mut self, change: impl Fn(Bounds) -> Option<Bounds>) -> Self {
        self.bounds = self.bounds.and_then(&change);
        for (_, bounds) in &mut self.places {
            *bounds = bounds.and_then(&change);
        }
        self
    }

    fn group(&mut self, attribute: &str, parts: Self) {
        let _ = write!(self.svg, "<g {attribute}>");
        self.add(parts);
        self.svg.push_str("</g>");
    }

    /// A picture of nothing but this, with a title for screen readers.
    #[must_use]
    pub fn into_picture(self, width: f64, height: f64, title: &str) -> Picture {
        let mut sheet = Sheet::new();
        sheet.add(Role::Table, [0.0, 0.0, width, height], self);
        sheet.into_picture(width, height, title)
    }
}

impl FromIterator<Element> for Drawing {
    fn from_iter<I: IntoIterator<Item = Element>>(elements: I) -> Self {
        let mut drawing = Self::new();
        drawing.extend(elements);
        drawing
    }
}

impl Extend<Element> for Drawing {
    fn extend<I: IntoIterator<Item = Element>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| self.push(element));
    }
}
