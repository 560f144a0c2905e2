//! Cards, face up and face down.

use super::Scene;
use crate::drawing::maps::{DARK, MARK};
use crate::drawing::{
    Drawing, Element, INK, PAPER, SOFT, fitted, line, measure, number, path, rect, shortened, text, text_from, text_to,
    tooltip, wrapped,
};

/// The least width of a card with neighbours, with a name, with a cell.
pub(super) const FULL: f64 = 88.0;
pub(super) const NAMED: f64 = 60.0;
pub(super) const NOTED: f64 = 44.0;
/// The size of a card in a hand.
pub(super) const HAND_WIDE: f64 = 84.0;
pub(super) const HAND_HIGH: f64 = 42.0;
/// What cards face down take across.
pub(super) const STACK: f64 = 50.0;

/// How high the strip of a nation is.
const STRIP: f64 = 12.0;
/// The size of the neighbours' names.
const PRINT: f64 = 6.5;
const QUIET: &str = "#4a4a4a";
const WHITE: &str = "#ffffff";
/// Small letters on a transit card.
const PALE: &str = "#d5dde5";

/// The line around a card.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    colour: &'static str,
    width: u8,
    is_dashed: bool,
}

impl Edge {
    pub const PLAIN: Self = Self { colour: INK, width: 1, is_dashed: false };
    /// Of what was played last or is chosen.
    pub const MARKED: Self = Self { colour: MARK, width: 3, is_dashed: false };

    /// The same for a card that waits.
    pub fn dashed(self) -> Self {
        Self { is_dashed: true, ..self }
    }

    fn around(self, element: Element) -> Element {
        let element = element.with("stroke", self.colour).with("stroke-width", self.width);
        if self.is_dashed { element.with("stroke-dasharray", "5 4") } else { element }
    }
}

/// An element with the frame of what is possible now.
pub(super) fn framed(element: Element) -> Element {
    Edge { colour: DARK, width: 2, is_dashed: true }.around(element)
}

/// Cards that lie face down, and how many they are; framed if one can be taken.
pub(super) fn stack(count: usize, fill: &str, can_take: bool) -> Drawing {
    let (wide, high) = (STACK - 6.0, HAND_HIGH - 6.0);
    let mut drawing = Drawing::new();
    if count == 0 {
        drawing.push(rect(0.0, 0.0, wide, high, PAPER).with("rx", 4).with("stroke", SOFT));
    }
    for below in (0..count.min(3)).rev() {
        let away = 3.0 * below as f64;
        drawing.push(rect(away, away, wide, high, fill).with("rx", 4).with("stroke", PAPER));
    }
    if can_take {
        drawing.push(framed(rect(-3.0, -3.0, wide + 12.0, high + 12.0, "none").with("rx", 6)));
    }
    let ink = if count == 0 { SOFT } else { WHITE };
    drawing.push(text(wide / 2.0, 23.0, &format!("×{count}"), 14.0, ink).bold());
    drawing
}

/// An abbreviation, and below it the name if that says more; or one of them in two lines. A narrow card has no name.
fn name(name: &str, short: &str, wide: f64, high: f64, ink: &str) -> Vec<Element> {
    let (room, middle, has_room) = (wide - 6.0, wide / 2.0, wide >= NAMED);
    let is_alone = name == short || !has_room;
    if is_alone && short.contains(' ') && measure(short, (wide / 7.0).min(11.0), true) > room {
        let first = if high < HAND_HIGH || !has_room { f64::midpoint(STRIP, high) - 1.0 } else { 24.0 };
        return two_lines(short, if has_room { 11.0 } else { 9.0 }, room, middle, first, ink);
    }
    let (words, size) = fitted(short, if has_room { 14.0 } else { 11.0 }, 6.0, room, true);
    let base = if has_room { 26.0 } else { f64::midpoint(STRIP, high) + size / 3.0 };
    let mut lines = vec![text(middle, base, &words, size, ink).bold()];
    if !is_alone {
        let (words, size) = fitted(name, 8.0, 6.0, room, false);
        lines.push(text(middle, 36.0, &words, size, ink));
    }
    lines
}

/// A name in two lines, or one; what does not fit is left out. The longest word says how large the letters are.
fn two_lines(name: &str, most: f64, room: f64, middle: f64, first: f64, ink: &str) -> Vec<Element> {
    let width = |word: &&str| measure(word, 1.0, false);
    let longest = name.split_whitespace().max_by(|one, other| width(one).total_cmp(&width(other)));
    let (_, size) = fitted(longest.unwrap_or_default(), most, 6.0, room, true);
    let mut lines = wrapped(name.split_whitespace(), size, room, true);
    if lines.len() > 1 {
        let rest = lines.split_off(1).join(" ");
        lines.push(shortened(&rest, size, room, true));
    }
    let line = |(words, n): (&String, u8)| text(middle, first + (size + 1.0) * f64::from(n), words, size, ink).bold();
    lines.iter().zip(0..).map(line).collect()
}

impl Scene<'_> {
    /// A transit card, face up, for a nominee.
    pub(super) fn transit_card(&self, nominee: u8, wide: f64, high: f64, note: &str, edge: Edge) -> Drawing {
        let place = self.atlas.place(nominee);
        let mut drawing = Drawing::new();
        drawing.push(edge.around(rect(0.0, 0.0, wide, high, DARK).with("rx", 5)));
        drawing.extend(name(&place.name, &place.abbreviation, wide, high, WHITE));
        if !note.is_empty() {
            drawing.push(text_to(wide - 5.0, 9.5, note, 8.0, PALE));
        }
        if measure("transit", 8.0, false) <= wide - 13.0 - measure(note, 8.0, false) {
            drawing.push(text_from(5.0, 9.5, "transit", 8.0, PALE).with("font-style", "italic"));
        }
        if wide >= FULL {
            let road = high - 8.0;
            let road = line(&[(10.0, road), (wide - 10.0, road)], WHITE, 2.0);
            drawing.push(road.with("stroke-dasharray", "7 5"));
        }
        drawing
    }

    /// A county card: nation and note, abbreviation, name, and neighbours if they fit. What it borders is told in any
    /// case, to those who point at it.
    pub(super) fn county_card(&self, county: u8, wide: f64, high: f64, note: &str, edge: Edge) -> Drawing {
        let place = self.atlas.place(county);
        let (mark, colours) = self.nation(county);
        let names = name(&place.name, &place.abbreviation, wide, high, INK);
        let top = if names.len() > 1 { 46.0 } else { 37.0 };
        let mut drawing = Drawing::new();
        drawing.push(tooltip(&self.borders(county)));
        drawing.push(rect(0.0, 0.0, wide, high, colours.pale).with("rx", 5));
        drawing.push(path(&strip(wide), colours.strong));
        drawing.push(edge.around(rect(0.0, 0.0, wide, high, "none").with("rx", 5)));
        drawing.extend(names);
        let mark = shortened(mark, 9.0, wide - 12.0 - measure(note, 8.0, false), true);
        if !mark.trim_end_matches('…').is_empty() {
            drawing.push(text_from(5.0, 9.5, &mark, 9.0, WHITE).bold());
        }
        if !note.is_empty() {
            drawing.push(text_to(wide - 5.0, 9.5, note, 8.0, WHITE));
        }
        if wide >= FULL {
            drawing.extend(self.neighbours(county, wide, top, high - 4.0));
        }
        drawing
    }

    /// All that a county borders, in words.
    fn borders(&self, county: u8) -> String {
        let near = self.atlas.near(county).iter().map(|place| &*self.atlas.place(place).name);
        let near: Vec<&str> = near.collect();
        let near = if near.is_empty() { "nothing".to_owned() } else { near.join(", ") };
        format!("{} borders {near}", self.atlas.place(county).name)
    }

    /// The counties that a county borders, in small print from `top` to `bottom`, or how many they are.
    fn neighbours(&self, county: u8, wide: f64, top: f64, bottom: f64) -> Vec<Element> {
        let is_county = |place: &u8| usize::from(*place) < self.atlas.num_regions();
        let near = self.atlas.near(county).iter().filter(is_county).map(|place| &*self.atlas.place(place).abbreviation);
        let near: Vec<&str> = near.collect();
        let Some((last, others)) = near.split_last() else {
            return Vec::new();
        };
        let words: Vec<String> = others.iter().map(|name| format!("{name},")).chain([(*last).to_owned()]).collect();
        let base = |n: usize| top + 8.0 * n as f64;
        let mut lines = wrapped(words.iter().map(|word| &**word), PRINT, wide - 8.0, false);
        if base(lines.len() - 1) > bottom {
            lines = vec![format!("{} borders", near.len())];
        }
        let line = |(n, words): (usize, &String)| text(wide / 2.0, base(n), words, PRINT, QUIET);
        lines.iter().enumerate().map(line).collect()
    }
}

/// The outline of the strip across the top of a card.
fn strip(wide: f64) -> String {
    let side = STRIP - 5.0;
    format!("M 0 {STRIP} v -{side} q 0 -5 5 -5 h {} q 5 0 5 5 v {side} z", number(wide - 10.0))
}
