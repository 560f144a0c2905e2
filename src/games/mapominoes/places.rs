//! What can be clicked in the picture, beside the places of its maps.

use super::position::cell_name;
use super::rules::Mapominoes;
use super::table::Cell;
use crate::drawing::Place;

/// The pile of transit cards.
pub(super) fn pile() -> Place {
    Place::only("pile")
}

/// The transit cards in the viewer's hand.
pub(super) fn transit_card() -> Place {
    Place::only("transit card")
}

impl Mapominoes {
    /// A county card in the viewer's hand.
    pub(super) fn card_place(&self, county: u8) -> Place {
        Place::new("card", &*self.atlas.place(county).name)
    }

    /// A cell of the table.
    pub(super) fn cell_place(&self, cell: Cell) -> Place {
        Place::new("cell", cell_name(&self.frame, cell))
    }
}
