//! Domiphun as people see it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::lattice::{Construction, DIRECTIONS, Direction, Joiner};
use super::pieces::{Facing, Pieces};
use super::rules::{Action, Domiphun, Phase, State, Variant, View};
use super::{picture, places, position};
use crate::drawing::Picture;
use crate::error::Error;
use crate::game::{Describe, Look, Looks, Moment, Part, Phrase, Rules, Seat, Setting, Show, Spoken, Tally, Viewer};
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

/// Where a domino goes from a square: straight on at a side, or there at a right angle.
pub(super) fn way_name(side: Direction, heading: Direction) -> String {
    if side == heading { side.name().to_owned() } else { format!("{} {}", side.name(), heading.name()) }
}

pub(super) fn parse_direction(text: &str) -> Option<Direction> {
    DIRECTIONS.into_iter().find(|direction| direction.name().eq_ignore_ascii_case(text))
}

impl Show for Domiphun {
    const RULES_IN_SHORT: &'static str = include_str!("short.txt").trim_ascii_end();
    const EXAMPLES: &'static str = include_str!("examples.json");
    const LOOKS: &'static [Look] = picture::LOOKS;

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        vec![
            ("variant", Setting::one_of(["standard", "traditional", "advanced"])),
            ("players", Setting::Number(2, 4)),
            ("starts_each", Setting::Number(0, 2)),
            ("series", Setting::one_of(["wins", "points"])),
            ("values", Setting::Number(2, 7)),
        ]
    }

    fn say(&self, action: Action) -> Spoken {
        match action {
            Action::Open(domino) => {
                let domino = domino.facing();
                let (name, [squares, whole]) = (facing_name(domino), places::sources(domino));
                let phrase = Phrase::does("open", format!("with {name}"));
                Spoken::new(name, phrase, "open with a domino").at(squares).at(whole)
            }
            Action::Play { domino, end } => {
                let (name, letter) = (facing_name(domino), end_name(end));
                let phrase = Phrase::does("play", format!("{name} at end {letter}"));
                let [squares, whole] = places::sources(domino).map(|from| from.into_iter().chain([places::end(end)]));
                Spoken::new(format!("{name} {letter}"), phrase, "play a domino at an end").at(squares).at(whole)
            }
            Action::Join(domino) => {
                let (name, [squares, whole]) = (facing_name(domino), places::sources(domino));
                let notation = format!("join {name}");
                Spoken::new(notation, Phrase::does("join", name), "choose the domino to join").at(squares).at(whole)
            }
            Action::Star(end) => {
                let letter = end_name(end);
                let phrase = Phrase::does("close", format!("end {letter} with a Starjoiner"));
                Spoken::new(format!("star {letter}"), phrase, "close an end with a Starjoiner")
                    .at([places::starjoiner(), places::end(end)])
            }
            Action::Plate(plate) => {
                let phrase = Phrase::goes(format!("to square {plate}"));
                Spoken::new(format!("plate {plate}"), phrase, "choose the square to join it to")
                    .at([places::plate(plate)])
            }
            Action::Place { side, heading } => {
                let way = way_name(side, heading);
                let phrase = Phrase::goes(format!("on the side {way}"));
                Spoken::new(way, phrase, "choose the side").at([places::side(side, heading)])
            }
            Action::Take => Spoken::new("take", Phrase::does("take", "a piece"), "take a piece from the pool")
                .at([places::pool()])
                .revealing(),
            Action::Miss => Spoken::new("miss", Phrase::does("miss", "the turn"), "miss the turn"),
        }
    }

    fn picture(&self, state: &State, viewer: Viewer, last: Option<Action>, looks: Looks<'_>) -> Picture {
        picture::picture(self, state, viewer, last, looks)
    }

    fn moment(&self, state: &State) -> Moment {
        let view = state.view(Viewer::Everything);
        let wins = view.wins()[..self.players()].iter().map(|&wins| wins.into()).collect();
        let part = Part {
            noun: "game",
            number: usize::from(view.game()) + 1,
            of: self.games().into(),
            tally: Tally { what: "games won", values: wins },
            tie_break: None,
        };
        let is_half_made = matches!(view.phase(), Phase::Star { .. } | Phase::Plate { .. } | Phase::Place { .. });
        Moment { part, is_half_made }
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

    fn text(&self, state: &State, viewer: Viewer) -> String {
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
            let _ = writeln!(out, "{marker} seat {}: {}", seat.index(), self.holding(&view, seat));
            if let Some(hand) = view.hand(seat).filter(|hand| !hand.is_empty()) {
                fill(&mut out, "   ", words(hand).into_iter());
            }
        }
        out.truncate(out.trim_end().len());
        out
    }

    fn view(&self, state: &State, viewer: Viewer) -> Value {
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
        json!({
            "game": Self::NAME,
            "viewer": viewer.seat(),
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
            "legal": self.legal_for(state, viewer).into_iter().map(|action| self.notation(action)).collect::<Vec<_>>(),
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
        let way = way_name(joint.spot.side, joint.spot.heading);
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
    /// The legal actions, for those who may know them: the seat to act, and who sees everything.
    pub(super) fn legal_for(&self, state: &State, viewer: Viewer) -> Vec<Action> {
        let mut legal = Vec::new();
        if viewer.knows_actions_of(self.to_act(state)) {
            self.legal_actions(state, &mut legal);
        }
        legal
    }

    /// How much a seat has: "squares 11, X joiners 2, Starjoiners 1".
    pub(super) fn holding(&self, view: &View<'_>, seat: Seat) -> String {
        let kind = match self.options().variant {
            Variant::Traditional => "dominoes",
            Variant::Standard | Variant::Advanced => "squares",
        };
        let pieces = format!("{kind} {}", view.num_pieces(seat));
        if !self.is_advanced() {
            return pieces;
        }
        let (x, stars) = (view.x_joiners()[seat.index()], view.starjoiners()[seat.index()]);
        format!("{pieces}, X joiners {x}, Starjoiners {stars}")
    }

    /// A number for each seat: "2:1".
    pub(super) fn by_seat<T: ToString>(&self, numbers: &[T]) -> String {
        let numbers: Vec<String> = numbers.iter().take(self.players()).map(T::to_string).collect();
        numbers.join(":")
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
            Phase::Over => won_by(self.players(), self.winners(*view.wins(), *view.points())),
        };
        let mut out = format!("{} ({}), {what}\n", Self::TITLE, self.options().variant.name());
        if self.games() > 1 {
            let (wins, points) = (self.by_seat(view.wins()), self.by_seat(view.points()));
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
        serde_json::to_string(&position::write(self, &state.view(Viewer::Everything))).unwrap_or_default()
    }

    fn parse_position(&self, text: &str) -> Result<State, Error> {
        read_position(self, text, |position| self.state_at(position))
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Domiphun, Options, Variant};
    use crate::game::spoken::told;
    use crate::game::{Encode as _, Names, Phrase, Rules as _, Seat, Show as _};
    use crate::rng::Rng;

    fn advanced() -> Domiphun {
        Domiphun::new(Options { variant: Variant::Advanced, starts_each: 1, ..Options::default() }).unwrap()
    }

    #[test]
    fn a_play_of_several_decisions_is_a_sentence() {
        let rules = advanced();
        let said = |play: &[&str]| {
            let phrases: Vec<Phrase> = play.iter().map(|text| rules.say(rules.parse(text).unwrap()).phrase).collect();
            told(Seat::new(1), &phrases, &Names::plain())
        };
        assert_eq!(said(&["take", "take", "miss"]), "seat 1 takes a piece (2 times), misses the turn");
        assert_eq!(said(&["3-5 A", "east up"]), "seat 1 plays 3-5 at end A on the side east up");
        let restart = "seat 1 closes end B with a Starjoiner, joins 3-5 to square 12 on the side west";
        assert_eq!(said(&["star B", "join 3-5", "plate 12", "west"]), restart);
    }

    #[test]
    fn only_taking_shows_something_new() {
        let rules = advanced();
        let all = (0..rules.actions().size()).map(|id| rules.say(rules.action(id)));
        let revealing: Vec<String> = all.filter(|said| said.reveals).map(|said| said.notation.to_string()).collect();
        assert_eq!(revealing, ["take"]);
    }

    #[test]
    fn a_play_is_half_made_until_the_domino_has_its_place() {
        let rules = advanced();
        let mut rng = Rng::from_bits(1);
        let mut state = rules.start(&mut rng);
        let mut half_made = Vec::new();
        for _ in 0..3 {
            let moment = rules.moment(&state);
            assert_eq!((moment.part.noun, moment.part.number, moment.part.of), ("game", 1, 2));
            assert_eq!(moment.part.tally.values, [0, 0]);
            half_made.push(moment.is_half_made);
            let mut legal = Vec::new();
            rules.legal_actions(&state, &mut legal);
            rules.apply(&mut state, legal[0], &mut rng);
        }
        assert_eq!(half_made, [false, false, true]);
    }
}
