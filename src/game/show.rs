use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{Names, Rules, Seat, Spoken, Viewer, Wording};
use crate::drawing::Picture;
use crate::error::Error;

/// How a game looks to people.
pub trait Show: Rules {
    /// The rules on a card, for somebody at the table: the aim, the moves, what to type.
    const RULES_IN_SHORT: &'static str;
    /// What demonstrations and the reference trainer do with the game, as a JSON object: `shown` lists options worth
    /// showing, `learned` lists `options` with the `settings` of a trainer that learns them in some minutes.
    const EXAMPLES: &'static str;
    /// What changes how the same facts are drawn; the first is [`HIDE_MOVES`] in every game.
    const LOOKS: &'static [Look] = &[HIDE_MOVES];

    /// What people may set before a match begins, with what there is to choose from: the options that need no file, by
    /// name, the most important first.
    fn settings(&self) -> Vec<(&'static str, Setting)>;
    /// What an action says.
    fn say(&self, action: Self::Action) -> Spoken;
    /// Reads the notation of [`Show::say`], tolerant of case and space.
    fn parse(&self, text: &str) -> Option<Self::Action>;
    /// The table as `viewer` sees it, for a terminal.
    fn text(&self, state: &Self::State, viewer: Viewer) -> String;
    /// The table as `viewer` sees it, for a program: the game's own part of it.
    fn view(&self, state: &Self::State, viewer: Viewer) -> Value;
    /// The table as `viewer` sees it, drawn. `last` is what was played last, if something was.
    fn picture(&self, state: &Self::State, viewer: Viewer, last: Option<Self::Action>, looks: Looks<'_>) -> Picture;
    /// Where in the match this is.
    fn moment(&self, state: &Self::State) -> Moment;

    /// Whether nobody notices a legal action: an answer of "no" to a question that nobody asked.
    fn is_silent(&self, _: &Self::State, _: Self::Action) -> bool {
        false
    }

    /// An action in the game's notation.
    fn notation(&self, action: Self::Action) -> String {
        self.say(action).notation.to_string()
    }
}

/// What an option can be.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Setting {
    /// A whole number from the first to the last.
    Number(u32, u32),
    /// One of these values.
    One(Vec<Value>),
    /// Any of these words; none means all.
    Several(Vec<String>),
    /// Yes or no.
    Switch,
}

impl Setting {
    /// One of some values.
    #[must_use]
    pub fn one_of<T: Into<Value>>(values: impl IntoIterator<Item = T>) -> Self {
        Self::One(values.into_iter().map(Into::into).collect())
    }
}

/// Where in the match a moment is, as all at the table know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Moment {
    /// The round or game that is played.
    pub part: Part,
    /// Whether the seat to act has begun something that it could take back unseen.
    pub is_half_made: bool,
}

/// A round or a game of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Part {
    /// `round` or `game`.
    pub noun: &'static str,
    /// Its number, from 1.
    pub number: usize,
    /// How many the match has.
    pub of: usize,
    /// What the seats have from those that are over.
    pub tally: Tally,
    /// What decides between seats with the same tally, if something does.
    pub tie_break: Option<Tally>,
}

/// A number for each seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Tally {
    /// What is counted: `points`, `games won`.
    pub what: &'static str,
    /// How many each seat has.
    pub values: Vec<i32>,
}

/// Something that changes how the same facts are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Lower case, a keyword.
    pub name: &'static str,
    /// What it shows, a few words.
    pub meaning: &'static str,
    /// What it can be.
    pub kind: LookKind,
}

/// Name, meaning, how many values there are, and whether they are off and on.
impl Serialize for Look {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Look", 4)?;
        fields.serialize_field("name", self.name)?;
        fields.serialize_field("meaning", self.meaning)?;
        fields.serialize_field("count", &self.kind.count())?;
        fields.serialize_field("is_switch", &(self.kind == LookKind::Switch))?;
        fields.end()
    }
}

/// What a look can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LookKind {
    /// Off (0) or on (1).
    Switch,
    /// One of so many positions all around, from 0.
    Turn(u8),
}

impl LookKind {
    /// How many values there are.
    #[must_use]
    pub const fn count(self) -> u8 {
        match self {
            Self::Switch => 2,
            Self::Turn(count) => count,
        }
    }
}

/// The look that leaves out what can be played: for those who want to find it themselves.
pub const HIDE_MOVES: Look =
    Look { name: "hide_moves", meaning: "do not mark what can be played", kind: LookKind::Switch };

/// How a table is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Looks<'a> {
    /// The values of [`Show::LOOKS`], in their order; those that are left out are 0.
    pub values: &'a [u8],
    /// What the players are called; by their seats, if nobody says otherwise.
    pub names: Option<&'a Names>,
}

impl<'a> Looks<'a> {
    /// These values, and players by their seats.
    #[must_use]
    pub fn of(values: &'a [u8]) -> Self {
        Self { values, names: None }
    }

    /// The value of the look with this number.
    #[must_use]
    pub fn get(self, number: usize) -> u8 {
        self.values.get(number).copied().unwrap_or_default()
    }

    /// Whether what can be played is not to be marked.
    #[must_use]
    pub fn hides_moves(self) -> bool {
        self.get(0) == 1
    }

    /// What a seat is called.
    #[must_use]
    pub fn name(self, seat: Seat) -> String {
        self.say(&Wording::player(seat, ""))
    }

    /// Words with everybody by name.
    #[must_use]
    pub fn say(self, words: &Wording) -> String {
        self.names.map_or_else(|| words.to_string(), |names| words.said(names))
    }

    /// How a match of so many players ended: "over, won by seat 1", "over, won by seat 0 and seat 2", "over, a draw".
    #[must_use]
    pub fn ending(self, players: usize, winners: impl IntoIterator<Item = usize>) -> String {
        let names: Vec<String> = winners.into_iter().map(|seat| self.name(Seat::new(seat))).collect();
        if names.len() == players { "over, a draw".to_owned() } else { format!("over, won by {}", names.join(" and ")) }
    }
}

/// Positions as text.
pub trait Describe: Rules {
    /// The whole state as text, for [`Describe::parse_position`].
    fn position(&self, state: &Self::State) -> String {
        serde_json::to_string(state).unwrap_or_default()
    }

    /// A state described by a person or written by `position`, checked by [`Rules::validate`].
    fn parse_position(&self, text: &str) -> Result<Self::State, Error> {
        let state = serde_json::from_str(text)
            .map_err(|error| Error::State { game: Self::NAME, message: error.to_string() })?;
        self.validate(&state)?;
        Ok(state)
    }
}
