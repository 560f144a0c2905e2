//! Cards, face up and face down.

use super::Scene;
use crate::atlas::Place;
use crate::drawing::maps::{DARK, MARK};
use crate::drawing::{
    Drawing, Element, INK, PAPER, SOFT, common_size, in_lines, line, measure, narrowest, number, path, rect, shortened,
    text, text_from, text_to, tooltip, wrapped,
};

/// The least width of a card on the table with neighbours, with a name, with a cell.
const FULL: f64 = 88.0;
pub(super) const NAMED: f64 = 60.0;
pub(super) const NOTED: f64 = 44.0;
/// The size of a card in a hand.
pub(super) const HAND_WIDE: f64 = 114.0;
pub(super) const HAND_HIGH: f64 = 58.0;
/// What cards face down take.
pub(super) const STACK_WIDE: f64 = 70.0;
pub(super) const STACK_HIGH: f64 = 50.0;

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
    Edge { colour: DARK, width: 2, is_dashed: true }.around(element).with("data-legal", "frame")
}

/// Cards that lie face down, what and how many they are; framed if one can be taken.
pub(super) fn stack(count: usize, what: &str, fill: &str, can_take: bool) -> Drawing {
    let (wide, high) = (STACK_WIDE - 6.0, STACK_HIGH - 6.0);
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
    drawing.push(text(wide / 2.0, 17.0, what, 12.0, ink));
    drawing.push(text(wide / 2.0, 35.0, &format!("×{count}"), 15.0, ink).bold());
    drawing
}

/// What cards of one size have in common.
#[derive(Clone, Copy)]
pub(super) struct Face {
    pub wide: f64,
    pub high: f64,
    /// The size of the letters of all abbreviations.
    short: f64,
    /// The size of the letters of all names; none where they have no room.
    name: Option<f64>,
    /// The most lines of a name, and where an abbreviation above it stands.
    lines: usize,
    base: f64,
}

impl Face {
    /// Cards in a hand.
    pub fn held<'a>(places: impl Iterator<Item = &'a Place>) -> Self {
        let face = Self { wide: HAND_WIDE, high: HAND_HIGH, short: 14.0, name: Some(11.0), lines: 2, base: 27.0 };
        face.fitted(places)
    }

    /// Cards on the table.
    pub fn lying<'a>(wide: f64, places: impl Iterator<Item = &'a Place>) -> Self {
        let (high, short, name) = match wide {
            FULL.. => (66.0, 14.0, Some(8.0)),
            NAMED.. => (44.0, 14.0, Some(8.0)),
            _ => (36.0, 11.0, None),
        };
        Self { wide, high, short, name, lines: 1, base: 26.0 }.fitted(places)
    }

    /// Letters so large that all abbreviations fit.
    fn fitted<'a>(self, places: impl Iterator<Item = &'a Place>) -> Self {
        let width = |place: &Place| narrowest(&place.abbreviation, self.is_alone(place), true);
        let widest = places.map(width).fold(0.0, f64::max);
        Self { short: common_size(widest, self.short, 5.5, self.room()), ..self }
    }

    fn room(&self) -> f64 {
        self.wide - 4.0
    }

    /// Whether a place has nothing on its card but its abbreviation.
    fn is_alone(&self, place: &Place) -> bool {
        self.name.is_none() || place.name == place.abbreviation
    }

    /// Whether neighbours are printed.
    fn has_print(&self) -> bool {
        self.wide >= FULL && self.lines == 1
    }

    /// An abbreviation, and below it the name if that says more and there is room; or the abbreviation in two lines.
    /// Also where the last line stands.
    fn names(&self, place: &Place, ink: &str) -> (Vec<Element>, f64) {
        let (room, middle) = (self.room(), self.wide / 2.0);
        let is_alone = self.is_alone(place);
        let short = in_lines(&place.abbreviation, if is_alone { 2 } else { 1 }, self.short, room, true);
        let step = self.short + 1.0;
        let more = step * (short.len() - 1) as f64;
        let mut base = if is_alone && !self.has_print() {
            f64::midpoint(STRIP, self.high) + 0.36 * self.short - more / 2.0
        } else {
            self.base - more / 8.0
        };
        let mut elements = Vec::new();
        for words in short {
            elements.push(text(middle, base, &words, self.short, ink).bold());
            base += step;
        }
        base -= step;
        if let Some(size) = self.name.filter(|_| !is_alone) {
            base += 1.0;
            for words in in_lines(&place.name, self.lines, size, room, false) {
                base += size + 1.0;
                elements.push(text(middle, base, &words, size, ink));
            }
        }
        (elements, base)
    }
}

impl Scene<'_> {
    /// A transit card, face up, for a nominee.
    pub(super) fn transit_card(&self, nominee: u8, face: &Face, note: &str, edge: Edge) -> Drawing {
        let (wide, high) = (face.wide, face.high);
        let mut drawing = Drawing::new();
        drawing.push(edge.around(rect(0.0, 0.0, wide, high, DARK).with("rx", 5)));
        drawing.extend(face.names(self.atlas.place(nominee), WHITE).0);
        if !note.is_empty() {
            drawing.push(text_to(wide - 5.0, 9.5, note, 8.0, PALE));
        }
        if measure("transit", 8.0, false) <= wide - 13.0 - measure(note, 8.0, false) {
            drawing.push(text_from(5.0, 9.5, "transit", 8.0, PALE).with("font-style", "italic"));
        }
        if face.has_print() {
            let road = high - 8.0;
            let road = line(&[(10.0, road), (wide - 10.0, road)], WHITE, 2.0);
            drawing.push(road.with("stroke-dasharray", "7 5"));
        }
        drawing
    }

    /// A county card: nation and note, abbreviation, name, and neighbours if they fit. What it borders is told in any
    /// case, to those who point at it; where it is to be hidden, only the name is.
    pub(super) fn county_card(&self, county: u8, face: &Face, note: &str, edge: Edge) -> Drawing {
        let (wide, high) = (face.wide, face.high);
        let (mark, colours) = self.nation(county);
        let (names, base) = face.names(self.atlas.place(county), INK);
        let mut drawing = Drawing::new();
        let name = &self.atlas.place(county).name;
        drawing.push(tooltip(&if self.hides_borders { name.clone() } else { self.borders(county) }));
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
        if face.has_print() && !self.hides_borders {
            drawing.extend(self.neighbours(county, wide, base + 10.0, high - 4.0));
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
