//! What the marks of a picture mean.

use std::collections::BTreeSet;

use super::cards::framed;
use super::{EDGE, Scene};
use crate::drawing::maps::{DARK, MARK};
use crate::drawing::{Drawing, INK, Role, Rows, SOFT, Sheet, fitted, line, measure, polygon, rect, text, text_from};

/// A mark.
#[derive(Clone, Copy)]
enum Swatch<'a> {
    /// Letters on a colour.
    Nation(&'a str, &'static str),
    Transit,
    /// A corner of a tile.
    CrossedTile,
    /// A diamond on a map.
    Crossed,
    Possible,
    Last,
    /// A line in a tile.
    HeldTile,
    /// A name in bold on a map.
    Held,
}

impl Scene<'_> {
    /// What the nations' marks and the other marks mean. Returns where it ends.
    pub(super) fn draw_legend(&self, has_tiles: bool, width: f64, y: f64, out: &mut Sheet) -> f64 {
        let mut rows = Rows::new((EDGE, y + 4.0), width - EDGE, 18.0);
        for (mark, words) in self.entries(has_tiles) {
            let mut entry = swatch(mark, 1.0, 1.0);
            entry.push(text_from(32.0, 12.0, words, 11.0, SOFT));
            let wide = 32.0 + measure(words, 11.0, false);
            out.put(Role::Key, rows.next(wide, 16.0), [0.0, 0.0, wide, 16.0], entry);
        }
        rows.bottom() + 2.0
    }

    fn entries(&self, has_tiles: bool) -> Vec<(Swatch<'_>, &str)> {
        let shown = self.shown_nations();
        let nations = self.nations.iter().filter(|nation| shown.contains(nation.name));
        let mut entries: Vec<(Swatch<'_>, &str)> =
            nations.map(|nation| (Swatch::Nation(&nation.mark, nation.colours.strong), nation.name)).collect();
        let has_transit = self.cards.iter().any(|laid| laid.card.is_transit);
        let has_last = self.cards.iter().any(|laid| Some(laid.cell) == self.last);
        let (crossed, held) =
            if has_tiles { (Swatch::CrossedTile, Swatch::HeldTile) } else { (Swatch::Crossed, Swatch::Held) };
        let others = [
            (has_transit, Swatch::Transit, "transit card"),
            (has_transit, crossed, "transit through it"),
            (!self.legal.is_empty(), Swatch::Possible, "possible now"),
            (has_last, Swatch::Last, "played last"),
            (self.view.viewer().is_some(), held, "in the viewer's hand"),
        ];
        entries.extend(others.into_iter().filter(|entry| entry.0).map(|(_, mark, words)| (mark, words)));
        entries
    }

    /// The nations of the county cards that the viewer sees.
    fn shown_nations(&self) -> BTreeSet<&str> {
        let laid = self.cards.iter().filter(|laid| !laid.card.is_transit).map(|laid| laid.card.place);
        let held = self.seats().flat_map(|seat| self.view.known(seat).iter());
        laid.chain(held).filter_map(|county| self.atlas.place(county).nations.first()).map(|name| &**name).collect()
    }
}

fn swatch(mark: Swatch<'_>, x: f64, y: f64) -> Drawing {
    let ground = |fill| rect(x, y, 26.0, 14.0, fill).with("rx", 3);
    let tile = || ground("#ffffff").with("stroke", SOFT);
    let mut drawing = Drawing::new();
    match mark {
        Swatch::Nation(letters, colour) => {
            let (words, size) = fitted(letters, 9.0, 6.0, 22.0, true);
            drawing.push(ground(colour));
            drawing.push(text(x + 13.0, y + 10.5, &words, size, "#ffffff").bold());
        }
        Swatch::Transit => drawing.push(ground(DARK)),
        Swatch::Crossed => {
            let (x, y) = (x + 13.0, y + 7.0);
            drawing.push(polygon(&[(x, y - 5.0), (x + 5.0, y), (x, y + 5.0), (x - 5.0, y)], DARK));
        }
        Swatch::Held => drawing.push(text(x + 13.0, y + 10.5, "Abc", 9.5, INK).bold()),
        Swatch::CrossedTile => {
            drawing.push(tile());
            drawing.push(polygon(&[(x + 17.0, y), (x + 26.0, y), (x + 26.0, y + 9.0)], DARK));
        }
        Swatch::Possible => drawing.push(framed(rect(x + 1.0, y + 1.0, 24.0, 12.0, "#ffffff").with("rx", 3))),
        Swatch::Last => {
            let frame = rect(x + 1.5, y + 1.5, 23.0, 11.0, "#ffffff").with("rx", 3);
            drawing.push(frame.with("stroke", MARK).with("stroke-width", 3));
        }
        Swatch::HeldTile => {
            drawing.push(tile());
            drawing.push(line(&[(x + 6.0, y + 11.0), (x + 20.0, y + 11.0)], INK, 1.0));
        }
    }
    drawing
}
