//! Metro Domino as people see it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::encode::tile_name;
use super::picture;
use super::position::{self, laid_name, parse_halves};
use super::rules::{Action, MetroDomino, Stage, State, View};
use super::stations::Track;
use super::tiles::{Play, Tile};
use crate::drawing::{Picture, Place};
use crate::error::Error;
use crate::game::{Describe, Looks, Moment, Part, Phrase, Rules, Seat, Setting, Show, Spoken, Tally, Viewer};
use crate::position_text::read_position;
use crate::text::{fill, won_by};

/// What the notation adds to the facing that a double does not have.
const REVERSED: &str = "reversed";

impl Show for MetroDomino {
    const RULES_IN_SHORT: &'static str = include_str!("short.txt").trim_ascii_end();
    const EXAMPLES: &'static str = include_str!("examples.json");

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        vec![("players", Setting::Number(2, 4)), ("wins_needed", Setting::Number(1, 100))]
    }

    fn say(&self, action: Action) -> Spoken {
        match action {
            Action::Play(play) => self.say_play(play),
            Action::Draw => Spoken::new("draw", Phrase::does("draw", "a tile"), "draw a tile from the pile")
                .at([pile_place()])
                .revealing(),
            Action::Pass => Spoken::new("pass", Phrase::does("pass", ""), "pass"),
            Action::Keep => Spoken::new("keep", Phrase::does("keep", "it"), "keep it"),
            Action::Spend => {
                Spoken::new("spend", Phrase::does("spend", "a metro token"), "spend a metro token").at([token_place()])
            }
            Action::Stop => Spoken::new("stop", Phrase::does("stop", ""), "stop"),
        }
    }

    fn parse(&self, text: &str) -> Option<Action> {
        let text = text.trim();
        match &*text.to_lowercase() {
            "draw" => return Some(Action::Draw),
            "pass" => return Some(Action::Pass),
            "keep" => return Some(Action::Keep),
            "spend" => return Some(Action::Spend),
            "stop" => return Some(Action::Stop),
            _ => {}
        }
        let (halves, line) = text.split_once(char::is_whitespace)?;
        let (one, other) = parse_halves(halves)?;
        let tile = Tile::with(one, other)?;
        if let Some(line) = self.deck.find_line(line) {
            return Some(Action::Play(Self::facing(tile, line, other)));
        }
        let (line, word) = line.trim_end().rsplit_once(char::is_whitespace)?;
        let line = self.deck.find_line(line)?;
        let is_reversed = tile.is_double() && word.eq_ignore_ascii_case(REVERSED);
        is_reversed.then_some(Action::Play(Play { tile, line, smaller_out: true }))
    }

    fn text(&self, state: &State, viewer: Viewer) -> String {
        let view = state.view(viewer);
        let mut out = self.heading(&view);
        for (number, track) in self.deck.tracks().iter().enumerate() {
            let stretch = view.line(number as u8);
            if stretch.is_open || stretch.tiles > 0 {
                self.write_line(&mut out, &view, number as u8, track);
            }
        }
        for seat in (0..self.players()).map(Seat::new) {
            let marker = if view.to_act() == Some(seat) { '>' } else { ' ' };
            let _ = writeln!(
                out,
                "{marker} seat {}: tiles {}, tokens {}, stations {}, score {}",
                seat.index(),
                view.num_tiles(seat),
                view.tokens(seat),
                view.num_stations(seat),
                view.score(seat)
            );
            if let Some(hand) = view.hand(seat).filter(|hand| !hand.is_empty()) {
                fill(&mut out, "   ", hand.iter().map(tile_name));
            }
        }
        if let Some(tile) = view.drawn() {
            let _ = writeln!(out, "just drawn: {}", tile_name(tile));
        }
        out.truncate(out.trim_end().len());
        out
    }

    fn view(&self, state: &State, viewer: Viewer) -> Value {
        let view = state.view(viewer);
        let seats = || (0..self.players()).map(Seat::new);
        let pair = |tile: Tile| [tile.halves().0, tile.halves().1];
        let hand = |seat: Seat| {
            json!({
                "tiles": view.num_tiles(seat),
                "held": view.hand(seat).unwrap_or_default().iter().map(pair).collect::<Vec<_>>(),
                "tokens": view.tokens(seat),
                "stations": view.num_stations(seat),
            })
        };
        let legal = self.legal_shown(state, viewer).into_iter();
        json!({
            "game": Self::NAME,
            "viewer": viewer.seat(),
            "phase": view.phase(),
            "to_act": view.to_act(),
            "turn": view.turn(),
            "first": view.first(),
            "game_number": view.game() + 1,
            "wins_needed": self.options().wins_needed,
            "wins": &view.wins()[..self.players()],
            "stations": self.stations_json(&view),
            "lines": (0..self.deck.tracks().len()).map(|line| self.line_json(&view, line as u8)).collect::<Vec<_>>(),
            "hands": seats().map(hand).collect::<Vec<_>>(),
            "drawn": view.drawn().map(pair),
            "store": view.num_store(),
            "supply": view.supply(),
            "stations_left": view.num_unopened(),
            "passes": view.passes(),
            "scores": seats().map(|seat| view.score(seat)).collect::<Vec<_>>(),
            "legal": legal.map(|action| self.notation(action)).collect::<Vec<_>>(),
            "returns": &self.returns(state)[..self.players()],
        })
    }

    fn picture(&self, state: &State, viewer: Viewer, last: Option<Action>, looks: Looks<'_>) -> Picture {
        picture::draw(self, state, viewer, last, looks)
    }

    fn moment(&self, state: &State) -> Moment {
        let view = state.view(Viewer::Everything);
        let wins = view.wins()[..self.players()].iter().map(|&wins| wins.into()).collect();
        let part = Part {
            noun: "game",
            number: usize::from(view.game()) + 1,
            of: self.most_games(),
            tally: Tally { what: "games won", values: wins },
            tie_break: None,
        };
        Moment { part, is_half_made: view.stage() == Stage::Spent }
    }
}

/// A tile of the viewer's hand, whichever half goes outwards.
pub(super) fn tile_place(tile: Tile) -> Place {
    Place::new("tile", tile_name(tile))
}

/// A line on the map.
pub(super) fn line_place(track: &Track) -> Place {
    Place::new("line", &*track.name)
}

/// The store.
pub(super) fn pile_place() -> Place {
    Place::only("pile")
}

/// The viewer's metro tokens.
pub(super) fn token_place() -> Place {
    Place::only("token")
}

impl MetroDomino {
    fn say_play(&self, play: Play) -> Spoken {
        let track = &self.deck.tracks()[usize::from(play.line)];
        let is_reversed = play.smaller_out && play.tile.is_double();
        let line = if is_reversed { format!("{} {REVERSED}", track.name) } else { track.name.clone() };
        let tile = laid_name(play);
        let phrase = Phrase::does("add", format!("{tile} to {line}"));
        Spoken::new(format!("{tile} {line}"), phrase, "add a tile to a line")
            .at([tile_place(play.tile), line_place(track)])
    }

    /// The legal actions, where the viewer may know them: nobody sees those of another seat.
    pub(super) fn legal_shown(&self, state: &State, viewer: Viewer) -> Vec<Action> {
        let mut legal = Vec::new();
        if viewer.knows_actions_of(self.to_act(state)) {
            self.legal_actions(state, &mut legal);
        }
        legal
    }

    /// The games that a match has at most: with one more, somebody has the wins (METR-17).
    fn most_games(&self) -> usize {
        self.players() * (usize::from(self.options().wins_needed) - 1) + 1
    }

    /// How a match of several games stands; nothing about a single game.
    pub(super) fn games_won(&self, view: &View<'_>) -> Option<String> {
        let needed = self.options().wins_needed;
        let wins: Vec<String> = view.wins()[..self.players()].iter().map(ToString::to_string).collect();
        (needed > 1).then(|| format!("game {}, won {}, {needed} needed", view.game() + 1, wins.join(":")))
    }

    fn heading(&self, view: &View<'_>) -> String {
        let turn = view.turn().index();
        let what = match view.stage() {
            Stage::Turn => format!("seat {turn} to add a tile"),
            Stage::Drawn => format!("seat {turn} has drawn: play it or keep it?"),
            Stage::Extra => format!("seat {turn} has played a double: one more tile?"),
            Stage::More => format!("seat {turn} may spend a metro token for one more tile"),
            Stage::Spent => format!("seat {turn} has spent a token: which tile?"),
            Stage::Over => won_by(self.players(), self.winners(view.wins())),
        };
        let mut out = format!("{}, {what}\n", Self::TITLE);
        if let Some(games) = self.games_won(view) {
            let _ = writeln!(out, "{games}");
        }
        let (store, stations, supply) = (view.num_store(), view.num_unopened(), view.supply());
        let _ = write!(out, "store {store}, stations left {stations}, metro tokens left {supply}");
        if view.passes() > 0 {
            let _ = write!(out, ", passes {}", view.passes());
        }
        out.push('\n');
        out
    }

    /// A line with its limit, how many of its tiles lie, the tiles and the open end.
    fn write_line(&self, out: &mut String, view: &View<'_>, number: u8, track: &Track) {
        let width = self.deck.tracks().iter().map(|track| track.name.chars().count()).max().unwrap_or_default();
        let stretch = view.line(number);
        let title = format!("{:width$} {}/{}", track.name, stretch.tiles, track.line.length);
        let tiles = view.laid_on(number).map(|play| {
            let (inward, outward) = play.inward_outward();
            format!("[{inward}|{outward}]")
        });
        let limits = track.line.limits();
        let out_of_service = self.is_out_of_service(view, number).then(|| "out of service".to_owned());
        let end = match (stretch.is_open, stretch.end) {
            (true, Some(end)) => format!("{end}?"),
            (true, None) => "open".to_owned(),
            (false, _) => match view.opened_by(number) {
                None => "closed".to_owned(),
                Some(opening) => {
                    let station = &self.deck.stations()[usize::from(opening.station)].name;
                    format!("-> {station} (seat {})", opening.by)
                }
            },
        };
        let words = limits.split_whitespace().map(str::to_owned).chain(tiles).chain([end]).chain(out_of_service);
        fill(out, &title, words);
    }

    fn stations_json(&self, view: &View<'_>) -> Vec<Value> {
        let station = |number: usize| {
            let station = &self.deck.stations()[number];
            let opening = view.openings().iter().find(|opening| usize::from(opening.station) == number);
            let lines = self.deck.tracks().iter().filter(|track| usize::from(track.station) == number);
            json!({
                "id": station.id,
                "name": station.name,
                "is_open": number == 0 || opening.is_some(),
                "owner": opening.map(|opening| opening.by),
                "line": opening.map(|opening| &*self.deck.tracks()[usize::from(opening.line)].name),
                "lines": lines.map(|track| &*track.name).collect::<Vec<_>>(),
            })
        };
        (0..self.deck.stations().len()).map(station).collect()
    }

    fn line_json(&self, view: &View<'_>, number: u8) -> Value {
        let track = &self.deck.tracks()[usize::from(number)];
        let stretch = view.line(number);
        json!({
            "name": track.name,
            "station": self.deck.stations()[usize::from(track.station)].id,
            "length": track.line.length,
            "min": track.line.min,
            "max": track.line.max,
            "no_doubles": track.line.no_doubles,
            "state": stretch.state(),
            "out_of_service": self.is_out_of_service(view, number),
            "tiles": view.laid_on(number).map(Play::inward_outward).collect::<Vec<_>>(),
            "end": stretch.end,
            "leads_to": view.opened_by(number).map(|opening| &*self.deck.stations()[usize::from(opening.station)].id),
        })
    }
}

impl Describe for MetroDomino {
    fn position(&self, state: &State) -> String {
        serde_json::to_string(&position::write(self, &state.view(Viewer::Everything))).unwrap_or_default()
    }

    fn parse_position(&self, text: &str) -> Result<State, Error> {
        read_position(self, text, |position| self.state_at(position))
    }
}

#[cfg(test)]
mod tests {
    use super::{line_place, pile_place, tile_place};
    use crate::game::{Describe as _, Moment, Names, Part, Rules as _, Seat, Show as _, Tally};
    use crate::games::metro_domino::{MetroDomino, Tile};

    fn rules(options: &str) -> MetroDomino {
        MetroDomino::new(serde_json::from_str(options).unwrap()).unwrap()
    }

    #[test]
    fn a_tile_is_added_by_clicking_it_and_its_line() {
        let rules = rules("{}");
        let said = |text: &str| rules.say(rules.parse(text).unwrap());
        let names = Names::new(Vec::new(), Some(Seat::new(0)));
        let play = said("7-3 start b");
        assert_eq!(play.notation.to_string(), "7-3 Start B");
        assert_eq!(play.phrase.said(Seat::new(1), &names), "adds 7-3 to Start B");
        assert_eq!(play.places, [[tile_place(Tile::with(3, 7).unwrap()), line_place(&rules.deck.tracks()[1])]]);
        let draw = said("draw");
        assert_eq!((draw.phrase.said(Seat::new(0), &names), draw.reveals), ("draw a tile".to_owned(), true));
        assert_eq!(draw.places, [[pile_place()]]);
        assert!(!play.reveals && said("keep").places.is_empty());
    }

    #[test]
    fn a_refusal_can_be_said_to_the_player() {
        let rules = rules("{}");
        let state = rules.parse_position(r#"{"hands": [["0-1"], ["0-2"]]}"#).unwrap();
        let refusal = |text: &str| rules.check(&state, rules.parse(text).unwrap()).unwrap_err();
        let names = Names::new(Vec::new(), Some(Seat::new(0)));
        assert_eq!(refusal("0-2 Start A").reason.said(&names), "you do not hold that tile");
        assert_eq!((refusal("draw").clause, refusal("0-2 Start A").clause), ("METR-9", ""));
    }

    #[test]
    fn a_moment_counts_the_games_and_knows_a_token_spent_for_nothing_yet() {
        let rules = rules(r#"{"players": 3, "wins_needed": 2}"#);
        let position = |phase: &str| {
            format!(
                r#"{{"hands": [["0-1", "0-3"], ["0-2"], ["0-4"]], "lines": {{"Start A": ["1-1"]}}, "tokens": [1, 0, 0],
                "phase": "{phase}", "wins": [1, 0, 1], "game_number": 3}}"#
            )
        };
        let moment = |phase| rules.moment(&rules.parse_position(&position(phase)).unwrap());
        let tally = Tally { what: "games won", values: vec![1, 0, 1] };
        let part = Part { noun: "game", number: 3, of: 4, tally, tie_break: None };
        assert_eq!(moment("more"), Moment { part: part.clone(), is_half_made: false });
        assert_eq!(moment("spent"), Moment { part, is_half_made: true });
    }
}
