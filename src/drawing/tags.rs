//! Tags on the places of a picture: numbers, with colours that tell small from large.

use std::collections::HashMap;

use super::{
    Drawing, Element, INK, Picture, Piece, Point, Role, circle, fitted, ink_on, rect, text, text_from, wrapped,
};

/// What is written on a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// The place, as its text.
    pub place: String,
    /// A few letters.
    pub label: String,
    /// Its colour, as `#rrggbb`.
    pub colour: String,
}

/// A place of such sizes is covered; on a smaller, larger or longer one there is a disc.
const LEAST: f64 = 20.0;
const LARGEST: f64 = 130.0;
const LONGEST: f64 = 2.2;
/// The radius of a disc.
const RADIUS: f64 = 15.0;
/// The size of letters, and the least.
const LETTERS: [f64; 2] = [13.0, 8.0];
/// The size of the words below, and what is free beside them.
const CAPTION: f64 = 14.0;
const MARGIN: f64 = 12.0;

impl Picture {
    /// The pieces of the table alone, on a sheet of their size, with words below.
    #[must_use]
    pub fn of_table(mut self, caption: &str) -> Self {
        self.pieces.retain(|piece| piece.role == Role::Table);
        let end = |from: usize| {
            let ends = self.pieces.iter().map(|piece| piece.area[from] + piece.area[from + 2]);
            ends.fold(1.0, f64::max) + 8.0
        };
        let (width, mut bottom) = (end(0), end(1));
        let mut words = Drawing::new();
        for line in wrapped(caption.split_whitespace(), CAPTION, width - 2.0 * MARGIN, false) {
            words.push(text_from(MARGIN, bottom + CAPTION, &line, CAPTION, INK));
            bottom += CAPTION + 4.0;
        }
        self.pieces.push(Piece { role: Role::Facts, area: [0.0, end(1), width, bottom - end(1)], drawing: words });
        self.size = [width, bottom + MARGIN].map(f64::ceil);
        caption.clone_into(&mut self.title);
        self
    }

    /// The picture with tags that cover its places, as far as they are boxes; others, and what is not in it, are left
    /// out or get a disc.
    #[must_use]
    pub fn covered(self, tags: &[Tag]) -> Self {
        self.with_tags(tags, cover)
    }

    /// The picture with a disc for each tag at the right of its place.
    #[must_use]
    pub fn tagged(self, tags: &[Tag]) -> Self {
        self.with_tags(tags, |tag, [x, y, width, height]| {
            let across = if width <= 4.0 * RADIUS { width / 2.0 } else { width - RADIUS };
            disc(tag, (x + across, y + height / 2.0))
        })
    }

    fn with_tags(mut self, tags: &[Tag], draw: impl Fn(&Tag, [f64; 4]) -> Drawing) -> Self {
        let tags: HashMap<&str, &Tag> = tags.iter().map(|tag| (&*tag.place, tag)).collect();
        let mut over = Drawing::new();
        for (place, bounds) in self.pieces.iter().flat_map(|piece| &piece.drawing.places) {
            if let (Some(tag), Some(bounds)) = (tags.get(&*place.to_string()), bounds) {
                over.add(draw(tag, bounds.area()));
            }
        }
        let [width, height] = self.size;
        self.pieces.push(Piece { role: Role::Table, area: [0.0, 0.0, width, height], drawing: over });
        self
    }
}

/// A box over a place, or a disc on one that is small, or long.
fn cover(tag: &Tag, [x, y, width, height]: [f64; 4]) -> Drawing {
    let middle = (x + width / 2.0, y + height / 2.0);
    let (least, most) = (width.min(height), width.max(height));
    if least < LEAST || most > LARGEST.min(LONGEST * least) {
        return disc(tag, middle);
    }
    let mut drawing = Drawing::new();
    drawing.push(rect(x + 1.0, y + 1.0, width - 2.0, height - 2.0, &tag.colour).with("rx", 3));
    drawing.push(label(tag, middle, width - 4.0));
    drawing
}

fn disc(tag: &Tag, at: Point) -> Drawing {
    let disc = circle(at.0, at.1, RADIUS, &tag.colour).with("stroke", INK);
    [disc, label(tag, at, 2.0 * RADIUS - 4.0)].into_iter().collect()
}

fn label(tag: &Tag, (x, y): Point, room: f64) -> Element {
    let (words, size) = fitted(&tag.label, LETTERS[0], LETTERS[1], room, false);
    text(x, y + size / 3.0, &words, size, ink_on(&tag.colour))
}

#[cfg(test)]
mod tests {
    use super::super::{Drawing, INK, Place, rect};
    use super::Tag;

    #[test]
    fn tags_lie_where_their_places_are() {
        let place = |name: &str, x: f64| {
            let mut drawing = Drawing::new();
            drawing.place(&Place::new("cell", name), [rect(x, 10.0, 40.0, 40.0, INK)].into_iter().collect());
            drawing
        };
        let mut table = Drawing::new();
        table.moved(100.0, 5.0, place("a", 10.0));
        let mut turned = Drawing::new();
        turned.scaled(2.0, place("b", 3.0));
        table.moved(0.0, 100.0, turned);
        table.grouped("transform", "rotate(45)", place("c", 0.0));
        let tag = |name: &str| Tag { place: format!("cell {name}"), label: name.to_owned(), colour: "#ffffff".into() };
        let tags = ["a", "b", "c", "d"].map(tag);
        let picture = table.into_picture(300.0, 300.0, "A table");
        let svg = picture.clone().of_table("what it tells").covered(&tags).svg();
        assert!(svg.contains(r##"<rect x="111" y="16" width="38" height="38" fill="#ffffff" rx="3"/>"##), "{svg}");
        assert!(svg.contains(r##"<rect x="7" y="121" width="78" height="78" fill="#ffffff" rx="3"/>"##), "{svg}");
        assert_eq!(svg.matches("rx=\"3\"").count(), 2);
        assert!(svg.contains("what it tells</text>"));
        let svg = picture.tagged(&tags).svg();
        assert!(svg.contains(r#"<circle cx="130" cy="35" r="15""#), "{svg}");
        assert!(svg.contains(r#"<circle cx="71" cy="160" r="15""#), "{svg}");
    }
}
