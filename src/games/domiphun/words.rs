//! Domiphun as people see it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::lattice::{Construction, DIRECTIONS, Direction, Joiner};
use super::pieces::{Facing, Pieces};
use super::position;
use super::rules::{Action, Domiphun, Phase, State, Variant, View};
use crate::drawing::Picture;
use crate::error::Error;
use crate::game::{Describe, Looks, Moment, Phrase, Rules, Seat, Show, Spoken};
use crate::position_text::read_position;
use crate::text::{fill, won_by, wrap};

const AXES: [&str; 3] = ["x", "y", "z"];

/// The letter of an end.
pub(super) fn end_name(end: u8) -> char {
    char::from(b'A'.saturating_add(end))
}

pub(super) fn parse_end(text: &str) -> Option<u8> {
    match text.trim().as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(letter.to_ascii_uppercase() - b'A'),
        _ => None,
    }
}

/// A domino in words, the touching value first.
pub(super) fn facing_name(Facing { inner, outer }: Facing) -> String {
    format!("{inner}-{outer}")
}

pub(super) fn parse_facing(text: &str) -> Option<Facing> {
    let (inner, outer) = text.trim().trim_start_matches('[').trim_end_matches(']').split_once(['-', '–', '|', ':'])?;
    let value = |text: &str| text.trim().parse::<u8>().ok().filter(|_| text.trim().len() == 1);
    let facing = Facing { inner: value(inner)?, outer: value(outer)? };
    facing.domino().map(|_| facing)
}

pub(super) fn parse_direction(text: &str) -> Option<Direction> {
    DIRECTIONS.into_iter().find(|direction| direction.name().eq_ignore_ascii_case(text))
}

impl Show for Domiphun {
    const RULES_IN_SHORT: &'static str = "";

    fn say(&self, action: Action) -> Spoken {
        Spoken::new(self.action_text(action), Phrase::does("play", ""), "play")
    }

    fn picture(&self, _: &State, _: Option<Seat>, _: Option<Action>, _: Looks<'_>) -> Picture {
        Picture::default()
    }

    fn moment(&self, _: &State) -> Moment {
        todo!()
    }

    fn parse(&self, text: &str) -> Option<Action> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let end = |word: &str| parse_end(word).filter(|&end| usize::from(end) < self.num_ends());
        let action = match words[..] {
            [word] if word.eq_ignore_ascii_case("take") => Action::Take,
            [word] if word.eq_ignore_ascii_case("miss") => Action::Miss,
            [word, domino] if word.eq_ignore_ascii_case("join") => Action::Join(parse_facing(domino)?),
            [word, letter] if word.eq_ignore_ascii_case("star") => Action::Star(end(letter)?),
            [word, number] if word.eq_ignore_ascii_case("plate") => {
                Action::Plate(number.parse().ok().filter(|&plate| usize::from(plate) < super::pieces::NUM_SQUARES)?)
            }
            [word] => match parse_facing(word) {
                Some(facing) => Action::Open(facing.domino()?),
                None => parse_direction(word).map(|side| Action::Place { side, heading: side })?,
            },
            [word, other] => match parse_facing(word) {
                Some(domino) => Action::Play { domino, end: end(other)? },
                None => Action::Place { side: parse_direction(word)?, heading: parse_direction(other)? },
            },
            _ => return None,
        };
        let needs_space = !matches!(action, Action::Open(_) | Action::Play { .. } | Action::Take | Action::Miss);
        (self.is_advanced() || !needs_space).then_some(action)
    }

    fn text(&self, state: &State, viewer: Option<Seat>) -> String {
        let view = state.view(viewer);
        let mut out = self.heading(&view);
        let table = view.table();
        let shown = |(end, number): (&super::rules::End, u8)| format!("{} shows {}", end_name(number), end.value);
        let ends: Vec<String> = table.ends().iter().zip(0..).map(shown).collect();
        match table.construction() {
            _ if ends.is_empty() => out.push_str("the table is empty\n"),
            None => {
                let path = table.path();
                fill(&mut out, "path", path.chunks(2).map(|pair| format!("[{}|{}]", pair[0], pair[1])));
            }
            Some(construction) => write_construction(&mut out, &view, construction),
        }
        if !ends.is_empty() {
            wrap(&mut out, "ends:", ends.into_iter());
        }
        for seat in (0..self.players()).map(Seat::new) {
            let marker = if view.to_act() == Some(seat) { '>' } else { ' ' };
            let _ = write!(out, "{marker} seat {}: {}", seat.index(), self.count(view.num_pieces(seat)));
            if self.is_advanced() {
                let (x, stars) = (view.x_joiners()[seat.index()], view.starjoiners()[seat.index()]);
                let _ = write!(out, ", X joiners {x}, Starjoiners {stars}");
            }
            out.push('\n');
            if let Some(hand) = view.hand(seat).filter(|hand| !hand.is_empty()) {
                fill(&mut out, "   ", words(hand).into_iter());
            }
        }
        out.truncate(out.trim_end().len());
        out
    }

    fn view(&self, state: &State, viewer: Option<Seat>) -> Value {
        let view = state.view(viewer);
        let (players, phase, table) = (self.players(), view.phase(), view.table());
        let construction = table.construction().filter(|construction| !construction.is_empty());
        let pair = |Facing { inner, outer }: Facing| [inner, outer];
        let hand = |seat: Seat| {
            json!({
                "pieces": view.num_pieces(seat),
                "held": view.hand(seat).map_or_else(|| json!([]), held),
                "x_joiners": view.x_joiners()[seat.index()],
                "starjoiners": view.starjoiners()[seat.index()],
            })
        };
        let end = |(number, end): (usize, &super::rules::End)| {
            json!({
                "name": end_name(number as u8),
                "value": end.value,
                "plate": self.is_advanced().then_some(end.plate),
            })
        };
        let mut legal = Vec::new();
        if viewer.is_none() || viewer == view.to_act() {
            self.legal_actions(state, &mut legal);
        }
        json!({
            "game": Self::NAME,
            "viewer": viewer,
            "variant": self.options().variant,
            "phase": phase.name(),
            "to_act": view.to_act(),
            "turn": view.turn(),
            "first": view.first(),
            "game_number": view.game() + 1,
            "games": self.games(),
            "series": self.options().series,
            "wins": &view.wins()[..players],
            "points": &view.points()[..players],
            "dominoes": table.laid().iter().map(|laid| pair(laid.domino)).collect::<Vec<_>>(),
            "path": table.construction().is_none().then(|| table.path()),
            "ends": table.ends().iter().enumerate().map(end).collect::<Vec<_>>(),
            "hands": (0..players).map(|seat| hand(Seat::new(seat))).collect::<Vec<_>>(),
            "pool": view.num_pool(),
            "taken": view.taken(),
            "misses": view.misses(),
            "chosen": {
                "end": phase.end().map(end_name),
                "domino": phase.domino().map(pair),
                "plate": phase.plate(),
                "starjoiner": view.is_restart(),
            },
            "plates": construction.map_or_else(Vec::new, plates_json),
            "height": construction.map_or(0, Construction::height),
            "balance": construction.map(|construction| {
                let balance = construction.balance();
                json!({
                    "centre": balance.centre().fractions(),
                    "support": balance.support().corners(),
                    "margin": balance.distance().to_string(),
                    "words": balance.distance().in_words(),
                })
            }),
            "legal": legal.into_iter().map(|action| self.action_text(action)).collect::<Vec<_>>(),
            "returns": &self.returns(state)[..players],
        })
    }
}

/// Pieces as lists of numbers.
fn held(pieces: Pieces) -> Value {
    match pieces {
        Pieces::Squares(squares) => squares.iter().collect(),
        Pieces::Dominoes(dominoes) => dominoes.iter().map(|domino| json!(domino.values())).collect(),
    }
}

/// Pieces in words.
fn words(pieces: Pieces) -> Vec<String> {
    match pieces {
        Pieces::Squares(squares) => squares.iter().map(|value| value.to_string()).collect(),
        Pieces::Dominoes(dominoes) => dominoes.iter().map(|domino| facing_name(domino.facing())).collect(),
    }
}

fn plates_json(construction: &Construction) -> Vec<Value> {
    let plate = |number: u8| {
        let domino = usize::from(number) / 2;
        let place = construction.place(number);
        let joint = construction.joint(domino).filter(|_| number.is_multiple_of(2));
        json!({
            "number": number,
            "value": construction.values()[usize::from(number)],
            "domino": domino,
            "place": place.corner(),
            "axis": AXES[place.axis()],
            "corners": place.corners(),
            "joint": joint.map(|joint| json!({
                "to": joint.spot.plate,
                "side": joint.spot.side,
                "heading": joint.spot.heading,
                "joiner": joint.joiner,
            })),
            "starjoiner": construction.is_closed(number),
        })
    };
    (0..construction.len() as u8).map(plate).collect()
}

/// Every domino with its squares' numbers and where it is joined, then how it stands.
fn write_construction(out: &mut String, view: &View<'_>, construction: &Construction) {
    let domino = |(number, laid): (usize, &super::rules::Laid)| {
        let Facing { inner, outer } = laid.domino;
        let (first, second) = (2 * number, 2 * number + 1);
        let star = |plate: usize| if construction.is_closed(plate as u8) { "*" } else { "" };
        let squares = format!("{first}:[{inner}]{} {second}:[{outer}]{}", star(first), star(second));
        let Some(joint) = construction.joint(number) else { return squares };
        let (side, heading) = (joint.spot.side.name(), joint.spot.heading.name());
        let way = if side == heading { side.to_owned() } else { format!("{side} {heading}") };
        let by = match joint.joiner {
            Joiner::Ordinary => "",
            Joiner::X => " with an X joiner",
            Joiner::Arm => " on an X joiner",
        };
        format!("{squares} at {} {way}{by}", joint.spot.plate)
    };
    for (number, laid) in view.table().laid().iter().enumerate() {
        let _ = writeln!(out, "  {}", domino((number, laid)));
    }
    let balance = construction.balance();
    let _ = writeln!(out, "height {}, {}", construction.height(), balance.distance().in_words());
}

impl Domiphun {
    fn count(&self, pieces: usize) -> String {
        match self.options().variant {
            Variant::Traditional => format!("dominoes {pieces}"),
            Variant::Standard | Variant::Advanced => format!("squares {pieces}"),
        }
    }

    fn heading(&self, view: &View<'_>) -> String {
        let turn = view.turn().index();
        let what = match view.phase() {
            Phase::Turn => format!("seat {turn} to play"),
            Phase::Star { end } => format!("seat {turn} has closed end {}: which domino follows?", end_name(end)),
            Phase::Plate { domino, .. } => format!("seat {turn} joins {}: to which square?", facing_name(domino)),
            Phase::Place { domino, plate, .. } => {
                format!("seat {turn} joins {} to square {plate}: at which side?", facing_name(domino))
            }
            Phase::Over => won_by(self.players(), self.winners(view.wins(), view.points())),
        };
        let variant = match self.options().variant {
            Variant::Traditional => "traditional",
            Variant::Standard => "standard",
            Variant::Advanced => "advanced",
        };
        let mut out = format!("{} ({variant}), {what}\n", Self::TITLE);
        if self.games() > 1 {
            let numbers = |numbers: Vec<String>| numbers[..self.players()].join(":");
            let wins = numbers(view.wins().iter().map(ToString::to_string).collect());
            let points = numbers(view.points().iter().map(ToString::to_string).collect());
            let _ = writeln!(out, "game {} of {}, won {wins}, points {points}", view.game() + 1, self.games());
        }
        let _ = write!(out, "pool {}", view.num_pool());
        if view.taken() > 0 {
            let _ = write!(out, ", taken {}", view.taken());
        }
        if view.misses() > 0 {
            let _ = write!(out, ", misses {}", view.misses());
        }
        out.push('\n');
        out
    }
}

impl Describe for Domiphun {
    fn position(&self, state: &State) -> String {
        serde_json::to_string(&position::write(self, &state.view(None))).unwrap_or_default()
    }

    fn parse_position(&self, text: &str) -> Result<State, Error> {
        read_position(self, text, |position| self.state_at(position))
    }
}

impl Domiphun {
    pub(super) fn action_text(&self, action: Action) -> String {
        match action {
            Action::Open(domino) => facing_name(domino.facing()),
            Action::Play { domino, end } => format!("{} {}", facing_name(domino), end_name(end)),
            Action::Join(domino) => format!("join {}", facing_name(domino)),
            Action::Star(end) => format!("star {}", end_name(end)),
            Action::Plate(plate) => format!("plate {plate}"),
            Action::Place { side, heading } if side == heading => side.name().to_owned(),
            Action::Place { side, heading } => format!("{} {}", side.name(), heading.name()),
            Action::Take => "take".to_owned(),
            Action::Miss => "miss".to_owned(),
        }
    }
}
