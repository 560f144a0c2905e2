//! Metro Domino as people see it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::encode::tile_name;
use super::position::{self, laid_name, parse_halves};
use super::rules::{Action, MetroDomino, State, View};
use super::stations::Track;
use super::tiles::{Play, Tile};
use crate::drawing::Picture;
use crate::error::Error;
use crate::game::{Describe, Looks, Moment, Phrase, Rules, Seat, Show, Spoken};
use crate::position_text::read_position;
use crate::text::{fill, won_by};

/// What the notation adds to the facing that a double does not have.
const REVERSED: &str = "reversed";

impl Show for MetroDomino {
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

    fn text(&self, state: &State, viewer: Option<Seat>) -> String {
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

    fn view(&self, state: &State, viewer: Option<Seat>) -> Value {
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
        let mut legal = Vec::new();
        if viewer.is_none() || viewer == view.to_act() {
            self.legal_actions(state, &mut legal);
        }
        json!({
            "game": Self::NAME,
            "viewer": viewer,
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
            "legal": legal.into_iter().map(|action| self.action_text(action)).collect::<Vec<_>>(),
            "returns": &self.returns(state)[..self.players()],
        })
    }
}

impl MetroDomino {
    fn heading(&self, view: &View<'_>) -> String {
        let turn = view.turn().index();
        let what = match view.phase() {
            "turn" => format!("seat {turn} to add a tile"),
            "drawn" => format!("seat {turn} has drawn: play it or keep it?"),
            "extra" => format!("seat {turn} has played a double: one more tile?"),
            "more" => format!("seat {turn} may spend a metro token for one more tile"),
            "spent" => format!("seat {turn} has spent a token: which tile?"),
            _ => {
                let needed = self.options().wins_needed;
                let wins = &view.wins()[..self.players()];
                let winners = wins.iter().enumerate().filter(|(_, wins)| **wins >= needed);
                won_by(self.players(), winners.map(|(seat, _)| seat))
            }
        };
        let mut out = format!("{}, {what}\n", Self::TITLE);
        if self.options().wins_needed > 1 {
            let wins: Vec<String> = view.wins()[..self.players()].iter().map(ToString::to_string).collect();
            let _ = writeln!(
                out,
                "game {}, won {}, {} needed",
                view.game() + 1,
                wins.join(":"),
                self.options().wins_needed
            );
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
        let tiles = view.laid().iter().filter(|play| play.line == number).map(|play| {
            let (inward, outward) = play.inward_outward();
            format!("[{inward}|{outward}]")
        });
        let limits = track.line.limits();
        let out_of_service = self.is_out_of_service(view, number).then(|| "out of service".to_owned());
        let end = match (stretch.is_open, stretch.end) {
            (true, Some(end)) => format!("{end}?"),
            (true, None) => "open".to_owned(),
            (false, _) => match view.openings().iter().find(|opening| opening.line == number) {
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
        let tiles = view.laid().iter().filter(|play| play.line == number);
        let led = view.openings().iter().find(|opening| opening.line == number);
        let state = match (stretch.is_open, stretch.tiles) {
            (true, 0) => "open",
            (true, _) => "active",
            (false, 0) => "waiting",
            (false, _) => "closed",
        };
        json!({
            "name": track.name,
            "station": self.deck.stations()[usize::from(track.station)].id,
            "length": track.line.length,
            "min": track.line.min,
            "max": track.line.max,
            "no_doubles": track.line.no_doubles,
            "state": state,
            "out_of_service": self.is_out_of_service(view, number),
            "tiles": tiles.map(|play| play.inward_outward()).collect::<Vec<_>>(),
            "end": stretch.end,
            "leads_to": led.map(|opening| &*self.deck.stations()[usize::from(opening.station)].id),
        })
    }
}

impl Describe for MetroDomino {
    fn position(&self, state: &State) -> String {
        serde_json::to_string(&position::write(self, &state.view(None))).unwrap_or_default()
    }

    fn parse_position(&self, text: &str) -> Result<State, Error> {
        read_position(self, text, |position| self.state_at(position))
    }
}

impl MetroDomino {
    pub(super) fn action_text(&self, action: Action) -> String {
        match action {
            Action::Play(play) => {
                let reversed = if play.smaller_out && play.tile.is_double() { " reversed" } else { "" };
                format!("{} {}{reversed}", laid_name(play), self.deck.tracks()[usize::from(play.line)].name)
            }
            Action::Draw => "draw".to_owned(),
            Action::Pass => "pass".to_owned(),
            Action::Keep => "keep".to_owned(),
            Action::Spend => "spend".to_owned(),
            Action::Stop => "stop".to_owned(),
        }
    }
}
