//! Tags on the places of a picture: numbers, with colours that tell small from large.

use super::{Drawing, INK, Picture, Piece, Role, circle, fitted, ink_on, rect, text};

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

/// A place that is no larger is covered; on a larger or longer one there is a disc.
const LARGEST: f64 = 130.0;
const LONGEST: f64 = 2.2;
/// The radius of a disc.
const RADIUS: f64 = 15.0;
/// The size of letters, and the least.
const LETTERS: [f64; 2] = [13.0, 8.0];

impl Picture {
    /// The pieces of the table alone, on a sheet of their size.
    #[must_use]
    pub fn of_table(mut self) -> Self {
        self.pieces.retain(|piece| piece.role == Role::Table);
        let end = |from: usize| {
            let ends = self.pieces.iter().map(|piece| piece.area[from] + piece.area[from + 2]);
            ends.fold(1.0, f64::max) + 8.0
        };
        self.size = [end(0), end(1)].map(f64::ceil);
        self
    }

    /// The picture with tags on its places; tags for what is not in it are left out.
    #[must_use]
    pub fn tagged(mut self, tags: &[Tag]) -> Self {
        let mut over = Drawing::new();
        for piece in &self.pieces {
            for (place, bounds) in &piece.drawing.places {
                let name = place.to_string();
                let tag = tags.iter().find(|tag| tag.place == name);
                if let (Some(tag), Some(bounds)) = (tag, bounds) {
                    over.add(drawn(tag, bounds.area()));
                }
            }
        }
        let [width, height] = self.size;
        self.pieces.push(Piece { role: Role::Table, area: [0.0, 0.0, width, height], drawing: over });
        self
    }
}

fn drawn(tag: &Tag, [x, y, width, height]: [f64; 4]) -> Drawing {
    let mut drawing = Drawing::new();
    let is_box = width.max(height) <= LARGEST && width.max(height) <= LONGEST * width.min(height) && width > 20.0;
    let (middle, room) = ((x + width / 2.0, y + height / 2.0), if is_box { width - 4.0 } else { 2.0 * RADIUS - 4.0 });
    drawing.push(if is_box {
        rect(x + 1.0, y + 1.0, width - 2.0, height - 2.0, &tag.colour).with("rx", 3).with("fill-opacity", 0.92)
    } else {
        circle(middle.0, middle.1, RADIUS, &tag.colour).with("stroke", INK)
    });
    let (label, size) = fitted(&tag.label, LETTERS[0], LETTERS[1], room, false);
    drawing.push(text(middle.0, middle.1 + size / 3.0, &label, size, ink_on(&tag.colour)));
    drawing
}
