//! How large a game of Connections is, and the ids that follow from it.

use super::deck::Deck;
use super::rules::{Action, WORDS};
use crate::layout::Layout;

/// How much there is of everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sizes {
    pub players: usize,
    pub cards: usize,
    pub cities: usize,
    pub regions: usize,
    pub links: usize,
    pub region_faces: usize,
    pub faces: usize,
    /// Bytes of a row.
    pub row: usize,
    /// Number of actions.
    pub mask: usize,
}

impl Sizes {
    /// Three players with the package's deck.
    pub const USUAL: Self = Self {
        players: 3,
        cards: 55,
        cities: 73,
        regions: 12,
        links: 13,
        region_faces: 84,
        faces: 97,
        row: 981,
        mask: 434,
    };

    pub fn new(deck: &Deck, actions: &Layout, observation: &Layout, players: usize) -> Self {
        Self {
            players,
            cards: deck.num_cards(),
            cities: deck.cities().len(),
            regions: deck.regions().len(),
            links: deck.links().len(),
            region_faces: deck.num_region_faces(),
            faces: deck.faces().len(),
            row: observation.size(),
            mask: actions.size(),
        }
    }

    /// Players but one.
    #[inline(always)]
    pub const fn others(self) -> usize {
        self.players - 1
    }

    /// Where the tokens begin in a row: after the sets of cards.
    #[inline(always)]
    pub const fn tokens(self) -> usize {
        (self.players + 8) * self.cards
    }

    #[inline(always)]
    pub const fn starts(self) -> Starts {
        let play = self.region_faces;
        let discard = play + self.faces;
        let offer = discard + self.cards;
        let answer = offer + self.cards * self.others();
        let invite = answer + self.cards;
        Starts { play, discard, offer, answer, invite, words: invite + self.links * self.others() }
    }

    /// The id of an action.
    #[inline(always)]
    pub fn id(self, action: Action) -> usize {
        let starts = self.starts();
        let aimed = |number: u8, to: u8| usize::from(number) * self.others() + usize::from(to) - 1;
        match action {
            Action::Set(face) => face.into(),
            Action::Play(face) => starts.play + usize::from(face),
            Action::Discard(card) => starts.discard + usize::from(card),
            Action::Offer { card, to } => starts.offer + aimed(card, to),
            Action::Answer(card) => starts.answer + usize::from(card),
            Action::Invite { link, to } => starts.invite + aimed(link, to),
            Action::Announce => starts.words,
            Action::Accept => starts.words + 1,
            Action::Join => starts.words + 2,
            Action::No => starts.words + 3,
            Action::Draw => starts.words + 4,
            Action::Take => starts.words + 5,
            Action::Pass => starts.words + 6,
        }
    }

    /// The action with an id.
    pub fn action(self, id: usize) -> Action {
        let starts = self.starts();
        let aimed = |number: usize| ((number / self.others()) as u8, (number % self.others()) as u8 + 1);
        if id < starts.play {
            Action::Set(id as u8)
        } else if id < starts.discard {
            Action::Play((id - starts.play) as u8)
        } else if id < starts.offer {
            Action::Discard((id - starts.discard) as u8)
        } else if id < starts.answer {
            let (card, to) = aimed(id - starts.offer);
            Action::Offer { card, to }
        } else if id < starts.invite {
            Action::Answer((id - starts.answer) as u8)
        } else if id < starts.words {
            let (link, to) = aimed(id - starts.invite);
            Action::Invite { link, to }
        } else {
            WORDS[(id - starts.words).min(WORDS.len() - 1)]
        }
    }
}

/// Where the ids of the kinds of actions begin, but for sets, which come first.
pub(super) struct Starts {
    pub play: usize,
    pub discard: usize,
    pub offer: usize,
    pub answer: usize,
    pub invite: usize,
    pub words: usize,
}

#[cfg(test)]
mod tests {
    use super::Sizes;
    use crate::game::Rules as _;
    use crate::games::connections::{Connections, Options};

    #[test]
    fn the_usual_game_is_that_of_the_defaults() {
        assert_eq!(Connections::new(Options::default()).unwrap().sizes, Sizes::USUAL);
    }
}
