//! What there is to tell, in sentences.

use serde::Serialize;

use super::Session;
use crate::dynamic::AnyMatch;
use crate::game::spoken::told;
use crate::game::{Names, Part, Phrase, Seat};
use crate::matches::Turn;
use crate::text::listed;

/// Something that happened.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// How many decisions came before.
    pub number: usize,
    pub what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    /// A seat did something.
    Did(Seat, Phrase),
    /// A round or a game of the match is over, and the next begins; what the seats have then.
    PartOver { noun: &'static str, number: usize, next: Part },
}

impl Event {
    pub(super) fn part_over(number: usize, over: &Part, next: Part) -> Self {
        Self { number, what: What::PartOver { noun: over.noun, number: over.number, next } }
    }

    /// Who did it; nobody in particular for the end of a round or a game.
    pub(super) fn seat(&self) -> Option<Seat> {
        match self.what {
            What::Did(seat, _) => Some(seat),
            What::PartOver { .. } => None,
        }
    }
}

impl Session {
    /// The event of a decision, unless nobody notices it.
    pub(super) fn told_of(&self, seat: Seat, action: Option<usize>, is_silent: bool) -> Option<Event> {
        let phrase = match action {
            Some(id) => self.spoken[id].phrase.clone(),
            None => time_ran_out(),
        };
        (!is_silent).then_some(Event { number: self.marks.len(), what: What::Did(seat, phrase) })
    }

    /// What has happened, in sentences said to a seat or to nobody in particular: one for what a seat did in succession.
    #[must_use]
    pub fn log(&self, viewer: Option<Seat>) -> Vec<String> {
        self.told(&self.events, viewer)
    }

    /// What came of the first so many decisions.
    pub(super) fn events_before(&self, decisions: usize) -> &[Event] {
        &self.events[..self.events.partition_point(|event| event.number < decisions)]
    }

    /// Events in sentences, said to a seat or to nobody in particular.
    pub(super) fn told(&self, events: &[Event], viewer: Option<Seat>) -> Vec<String> {
        let names = Names::new(self.names.clone(), viewer);
        sentences(events, &names).into_iter().map(|sentence| sentence.text).collect()
    }

    /// What a decision was, in words, with those before it that it belongs to; nothing if nobody noticed it.
    pub(super) fn caption(&self, decision: usize, names: &Names) -> String {
        let mut begin = self.events.partition_point(|event| event.number < decision);
        let end = self.events.partition_point(|event| event.number <= decision);
        while begin > 0 && begin < end && matches!(self.events[begin].what, What::Did(_, Phrase::Goes(_))) {
            begin -= 1;
        }
        let said = sentences(&self.events[begin..end], names);
        said.iter().map(|sentence| &*sentence.text).collect::<Vec<_>>().join("; ")
    }

    /// What has happened since a seat's last decision, among these events.
    pub(super) fn news(&self, viewer: Seat, events: &[Event]) -> Vec<Sentence> {
        let last = events.iter().rposition(|event| event.seat() == Some(viewer));
        sentences(&events[last.map_or(0, |last| last + 1)..], &self.names_to(viewer))
    }
}

/// Something that happened, in words.
#[derive(Clone, Debug, Serialize)]
pub struct Sentence {
    /// The words.
    pub text: String,
    /// Whether they say that a round or a game of the match is over.
    pub is_part_over: bool,
}

fn sentences(events: &[Event], names: &Names) -> Vec<Sentence> {
    let mut said = Vec::new();
    for group in events.chunk_by(|one, next| one.seat().is_some() && one.seat() == next.seat()) {
        let phrases: Vec<Phrase> = group.iter().filter_map(Event::phrase).collect();
        said.push(match group[0].what {
            What::Did(seat, _) => Sentence { text: told(seat, &phrases, names), is_part_over: false },
            What::PartOver { noun, number, ref next } => {
                Sentence { text: part_over(noun, number, next, names), is_part_over: true }
            }
        });
    }
    said
}

/// What each decision of a match was, in words, with those before it that it belongs to.
#[must_use]
pub fn captions(game: &dyn AnyMatch) -> Vec<String> {
    let names = numbered(game.num_seats());
    let mut together: Vec<Phrase> = Vec::new();
    let caption = |turn: &Turn| {
        let phrase = turn.action.map_or_else(time_ran_out, |id| game.say(id).phrase);
        if matches!(phrase, Phrase::Does(..)) {
            together.clear();
        }
        together.push(phrase);
        told(turn.seat, &together, &names)
    };
    game.history().iter().map(caption).collect()
}

/// The names of seats that nobody has named.
#[must_use]
pub fn numbered(seats: usize) -> Names {
    Names::new((0..seats).map(|seat| format!("seat {seat}")).collect(), None)
}

fn time_ran_out() -> Phrase {
    Phrase::does("run", "out of time")
}

/// How a match ended.
#[must_use]
pub fn result(game: &dyn AnyMatch, names: &Names) -> String {
    let returns = game.returns();
    let most = returns.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let best: Vec<Seat> = (0..returns.len()).filter(|&seat| returns[seat] >= most).map(Seat::new).collect();
    let part = game.moment().part;
    let said = if game.to_act().is_some() {
        return "The match is not over.".to_owned();
    } else if game.is_cut_off() {
        format!("The match was cut off after {} decisions.", game.max_decisions())
    } else if best.len() == returns.len() {
        "A draw.".to_owned()
    } else {
        let who = listed(&best.iter().map(|&seat| names.name(seat).into_owned()).collect::<Vec<_>>());
        let verb = match best[..] {
            [only] if names.is_you(only) => "win",
            [_] => "wins",
            _ => "share the win",
        };
        format!("{} {verb}{}.", capitalised(&who), on_tie_break(&part))
    };
    match part.noun {
        "round" => format!("{said} {}: {}.", capitalised(part.tally.what), each(&part.tally.values, names)),
        _ => said,
    }
}

impl Event {
    fn phrase(&self) -> Option<Phrase> {
        match &self.what {
            What::Did(_, phrase) => Some(phrase.clone()),
            What::PartOver { .. } => None,
        }
    }
}

fn part_over(noun: &str, number: usize, next: &Part, names: &Names) -> String {
    let (what, each) = (next.tally.what, each(&next.tally.values, names));
    format!("{noun} {number} is over; {what}: {each}; {noun} {} begins", number + 1)
}

/// "you 3, seat 1 5".
fn each(values: &[i32], names: &Names) -> String {
    let one = |(seat, value): (usize, &i32)| format!("{} {value}", names.name(Seat::new(seat)));
    values.iter().enumerate().map(one).collect::<Vec<_>>().join(", ")
}

/// What decided a match in which all have won as many games.
fn on_tie_break(part: &Part) -> String {
    let is_tied = part.tally.values.windows(2).all(|pair| pair[0] == pair[1]);
    match &part.tie_break {
        Some(tally) if part.of > 1 && is_tied => {
            let mut values = tally.values.clone();
            values.sort_unstable_by(|one, other| other.cmp(one));
            let values: Vec<String> = values.iter().map(i32::to_string).collect();
            format!(" on {}, {}", tally.what, values.join(" to "))
        }
        _ => String::new(),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
