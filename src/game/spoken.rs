//! An action as people meet it.

use super::wording::third_person;
use super::{Names, Seat, Wording};
use crate::drawing::Place;

/// What an action says, what sort of thing it is, and what is clicked for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spoken {
    /// The game's notation, which [`super::Show::parse`] reads.
    pub notation: Wording,
    /// What somebody does with it.
    pub phrase: Phrase,
    /// What sort of thing it is: "play a card", for "you can play a card, or take a card from the pile".
    pub kind: &'static str,
    /// What is clicked in the picture for it, in any order; alternatives where the picture may offer several. None:
    /// there is nothing to click.
    pub places: Vec<Vec<Place>>,
    /// Whether playing it shows the player something new, such as a card from a pile: it is never played by a click
    /// that also takes something back.
    pub reveals: bool,
}

/// What somebody does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Phrase {
    /// A verb in the second person, and what follows it: "offer", "Lagos to {player}".
    Does(&'static str, Wording),
    /// Where or how something goes that was chosen before: "on P12".
    Goes(Wording),
}

impl Spoken {
    /// An action without a place in the picture.
    #[must_use]
    pub fn new(notation: impl Into<Wording>, phrase: Phrase, kind: &'static str) -> Self {
        Self { notation: notation.into(), phrase, kind, places: Vec::new(), reveals: false }
    }

    /// The same action, done by clicking these places.
    #[must_use]
    pub fn at(mut self, places: impl IntoIterator<Item = Place>) -> Self {
        self.places.push(places.into_iter().collect());
        self
    }

    /// The same action, which shows the player something new.
    #[must_use]
    pub fn revealing(mut self) -> Self {
        self.reveals = true;
        self
    }
}

impl Phrase {
    /// A verb in the second person, and what follows it; nothing, or words without the space before them.
    #[must_use]
    pub fn does(verb: &'static str, what: impl Into<Wording>) -> Self {
        Self::Does(verb, what.into())
    }

    /// Where or how something goes that was chosen before.
    #[must_use]
    pub fn goes(how: impl Into<Wording>) -> Self {
        Self::Goes(how.into())
    }

    /// What a seat does, without its name: "offers Lagos to you".
    #[must_use]
    pub fn said(&self, seat: Seat, names: &Names) -> String {
        let names = names.of(seat);
        match self {
            Self::Goes(how) => how.said(&names),
            Self::Does(verb, what) => {
                let verb = if names.is_you(seat) { (*verb).to_owned() } else { third_person(verb) };
                format!("{verb} {}", what.said(&names)).trim_end().to_owned()
            }
        }
    }
}

/// What a seat does with some actions in succession, with its name before it.
#[must_use]
pub fn told(seat: Seat, phrases: &[Phrase], names: &Names) -> String {
    let mut parts: Vec<(String, u32)> = Vec::new();
    for phrase in phrases {
        let said = phrase.said(seat, names);
        match (parts.last_mut(), phrase) {
            (Some((last, times)), Phrase::Goes(_)) => {
                *last = format!("{last} {said}");
                *times = 1;
            }
            (Some((last, times)), Phrase::Does(..)) if *last == said => *times += 1,
            _ => parts.push((said, 1)),
        }
    }
    let part = |(said, times): (String, u32)| if times == 1 { said } else { format!("{said} ({times} times)") };
    let said: Vec<String> = parts.into_iter().map(part).collect();
    format!("{} {}", names.name(seat), said.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{Phrase, told};
    use crate::game::{Names, Seat, Wording};

    #[test]
    fn what_a_seat_does_in_succession_is_a_sentence() {
        let names = Names::new(["a", "b", "c"].map(str::to_owned).to_vec(), Some(Seat::new(0)));
        let phrases = [
            Phrase::does("play", "a transit card for Irish Sea"),
            Phrase::goes("on O12"),
            Phrase::does("pass", ""),
            Phrase::does("pass", ""),
        ];
        let said = told(Seat::new(1), &phrases, &names);
        assert_eq!(said, "b plays a transit card for Irish Sea on O12, passes (2 times)");
        let offer = [Phrase::does("offer", Wording::from("Lahore to ").left(2))];
        assert_eq!(told(Seat::new(1), &offer, &names), "b offers Lahore to you");
        assert_eq!(told(Seat::new(0), &offer, &names), "you offer Lahore to c");
    }
}
