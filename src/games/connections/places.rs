//! What can be clicked in a picture of Connections.

use super::rules::{Connections, each};
use crate::drawing::Place;

/// A card, by what it is called.
fn card(name: String) -> Place {
    Place::new("card", name)
}

/// The player so many places to the left.
pub(super) fn player(left: u8) -> Place {
    Place::new("player", format!("+{left}"))
}

/// The pile.
pub(super) fn pile() -> Place {
    Place::only("pile")
}

/// The discard pile.
pub(super) fn discard_pile() -> Place {
    Place::only("discard pile")
}

impl Connections {
    /// A card.
    pub(super) fn card_place(&self, number: u8) -> Place {
        card(self.deck.card_name(number))
    }

    /// A city.
    pub(super) fn city_place(&self, city: u8) -> Place {
        Place::new("city", self.deck.city_name(city))
    }

    /// The card of a face, called by either of its sides first, with the city of the face.
    pub(super) fn face_places(&self, face: u8) -> impl Iterator<Item = [Place; 2]> {
        let shown = self.deck.face(face);
        let sides = each(self.deck.faces_of_card(shown.card));
        sides.map(move |side| [card(self.deck.face_name(side)), self.city_place(shown.city)])
    }
}
