//! Words about players, who are named when the words are said.

use std::borrow::Cow;
use std::fmt;

use super::Seat;

/// A text in which players are still seats: "{seat 1 does} not hold that card" is said to the player there as "you do
/// not hold that card".
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wording(Vec<Piece>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(Cow<'static, str>),
    /// The player at a seat, and a verb of theirs in the third person, or none.
    Player(Seat, &'static str),
    /// The player so many places to the left of who speaks.
    Left(u8),
}

/// What the players are called.
#[derive(Clone, Debug, Default)]
pub struct Names {
    called: Vec<String>,
    you: Option<Seat>,
    speaker: Option<Seat>,
}

impl Names {
    /// Players by their seats, and those to the left by how far.
    #[must_use]
    pub fn plain() -> Self {
        Self::default()
    }

    /// Everybody has a name; whoever is `you` is spoken to.
    #[must_use]
    pub fn new(names: Vec<String>, you: Option<Seat>) -> Self {
        Self { called: names, you, speaker: None }
    }

    /// The same names, when a seat speaks.
    #[must_use]
    pub fn of(&self, speaker: Seat) -> Self {
        Self { speaker: Some(speaker), ..self.clone() }
    }

    /// What a seat is called: `you`, its name, or its number.
    #[must_use]
    pub fn name(&self, seat: Seat) -> Cow<'_, str> {
        match self.called.get(seat.index()) {
            _ if self.is_you(seat) => "you".into(),
            Some(name) => name.into(),
            None => format!("seat {}", seat.index()).into(),
        }
    }

    /// Whether a seat is spoken to.
    #[must_use]
    pub fn is_you(&self, seat: Seat) -> bool {
        self.you == Some(seat)
    }
}

impl Wording {
    /// Words that begin with a player and a verb of theirs in the third person: `player(seat, "does")`.
    #[must_use]
    pub fn player(seat: Seat, verb: &'static str) -> Self {
        Self::default().and_player(seat, verb)
    }

    /// Adds text.
    #[must_use]
    pub fn text(mut self, text: impl Into<Cow<'static, str>>) -> Self {
        self.0.push(Piece::Text(text.into()));
        self
    }

    /// Adds a player and a verb of theirs in the third person, or none.
    #[must_use]
    pub fn and_player(mut self, seat: Seat, verb: &'static str) -> Self {
        self.0.push(Piece::Player(seat, verb));
        self
    }

    /// Adds the player so many places to the left of who speaks.
    #[must_use]
    pub fn left(mut self, places: u8) -> Self {
        self.0.push(Piece::Left(places));
        self
    }

    /// Adds words.
    #[must_use]
    pub fn and(mut self, words: Self) -> Self {
        self.0.extend(words.0);
        self
    }

    /// The words with everybody by name.
    #[must_use]
    pub fn said(&self, names: &Names) -> String {
        let piece = |piece: &Piece| match *piece {
            Piece::Text(ref text) => text.to_string(),
            Piece::Player(seat, "") => names.name(seat).into_owned(),
            Piece::Player(seat, verb) => {
                let verb = if names.is_you(seat) { second_person(verb) } else { verb.into() };
                format!("{} {verb}", names.name(seat))
            }
            Piece::Left(places) => match names.speaker {
                Some(speaker) if !names.called.is_empty() => {
                    let seat = (speaker.index() + usize::from(places)) % names.called.len();
                    names.name(Seat::new(seat)).into_owned()
                }
                _ => format!("+{places}"),
            },
        };
        self.0.iter().map(piece).collect()
    }

    /// Whether a player to the left of who speaks is meant.
    #[must_use]
    pub fn is_about_others(&self) -> bool {
        self.0.iter().any(|piece| matches!(piece, Piece::Left(_)))
    }
}

impl From<&'static str> for Wording {
    fn from(text: &'static str) -> Self {
        Self::default().text(text)
    }
}

impl From<String> for Wording {
    fn from(text: String) -> Self {
        Self::default().text(text)
    }
}

/// The words with players by their seats.
impl fmt::Display for Wording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(&Names::plain()))
    }
}

/// What you do, from what somebody else does.
fn second_person(verb: &'static str) -> Cow<'static, str> {
    match verb {
        "has" => "have".into(),
        "is" => "are".into(),
        "does" => "do".into(),
        "goes" => "go".into(),
        _ => verb.strip_suffix('s').unwrap_or(verb).into(),
    }
}

/// What somebody else does, from what you do.
pub(super) fn third_person(verb: &str) -> String {
    match verb {
        "have" => "has".to_owned(),
        "do" => "does".to_owned(),
        _ if verb.ends_with(['s']) || verb.ends_with("sh") || verb.ends_with("ch") => format!("{verb}es"),
        _ => format!("{verb}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, Wording};
    use crate::game::Seat;

    #[test]
    fn players_are_named_and_spoken_to() {
        let held = Wording::player(Seat::new(1), "does").text(" not hold that card");
        let names = |you| Names::new(["Ann", "Bob", "Cy"].map(str::to_owned).to_vec(), you);
        assert_eq!(held.to_string(), "seat 1 does not hold that card");
        assert_eq!(held.said(&names(None)), "Bob does not hold that card");
        assert_eq!(held.said(&names(Some(Seat::new(1)))), "you do not hold that card");
        let offer = Wording::from("offer Lagos to ").left(2);
        assert_eq!(offer.to_string(), "offer Lagos to +2");
        assert_eq!(offer.said(&names(Some(Seat::new(0))).of(Seat::new(1))), "offer Lagos to you");
        assert_eq!(offer.said(&names(None).of(Seat::new(2))), "offer Lagos to Bob");
    }
}
