//! Mapello as people see it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::board::{Cell, Place};
use super::position::{self, border_name, cell_name, parse_cell, parse_place};
use super::rules::{Action, Colour, Mapello, Phase, State, View};
use crate::bits;
use crate::drawing::Picture;
use crate::error::Error;
use crate::game::{Describe, Looks, Moment, Phrase, Rules, Seat, Show, Spoken};

impl Show for Mapello {
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
        let text = text.trim().to_ascii_lowercase();
        if let Some((kind, cell)) = text.split_once(char::is_whitespace) {
            return match (kind, parse_place(cell)?) {
                ("wall", Place::Inner(cell)) => Some(Action::Wall(cell)),
                ("bonus", Place::Inner(cell)) => Some(Action::Bonus(cell)),
                ("joker", Place::Border(cell)) => Some(Action::Joker(cell)),
                _ => None,
            }
            .filter(|_| self.plays_set_up());
        }
        match text.as_str() {
            "pass" => Some(Action::Pass),
            "finish" if self.plays_set_up() => Some(Action::Finish),
            "black" if self.plays_set_up() => Some(Action::Take(Colour::Black)),
            "white" if self.plays_set_up() => Some(Action::Take(Colour::White)),
            _ => parse_cell(&text).map(Action::Disc),
        }
    }

    fn text(&self, state: &State, viewer: Option<Seat>) -> String {
        let view = state.view(viewer);
        let mut out = format!("{}{}\n", Self::heading(&view), self.standing(&view));
        out.push_str("    a b c d e f g h\n");
        for row in 0..10 {
            let mut line = if (1..9).contains(&row) { row.to_string() } else { " ".to_owned() };
            for column in 0..10 {
                let is_move =
                    matches!(Place::at(row, column), Some(Place::Inner(cell)) if cell.bit() & view.moves() != 0);
                let symbol = match position::symbol(&view, row, column) {
                    '.' if is_move && view.phase() == Phase::Play => '*',
                    '.' if Place::at(row, column).is_some_and(|place| matches!(place, Place::Border(_))) => ' ',
                    symbol => symbol,
                };
                line.extend([' ', symbol]);
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        let [black, white] = view.score();
        let [black_taken, white_taken] = view.taken();
        let _ = write!(out, "X black {black} (bonuses {black_taken}), O white {white} (bonuses {white_taken})");
        if view.phase() == Phase::Play {
            let legal: Vec<_> = bits::each(view.moves()).map(|n| cell_name(Cell(n))).collect();
            let legal = if legal.is_empty() { "pass".to_owned() } else { legal.join(" ") };
            let _ = write!(out, "\nlegal: {legal}");
        }
        out
    }

    fn view(&self, state: &State, viewer: Option<Seat>) -> Value {
        let view = state.view(viewer);
        let both = |values: [u32; 2]| json!({"black": values[0], "white": values[1]});
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        let [left, missing] = self
            .left_and_missing(state)
            .map(|[walls, bonuses, jokers]| json!({"wall": walls, "bonus": bonuses, "joker": jokers}));
        json!({
            "game": Self::NAME,
            "viewer": view.viewer(),
            "phase": view.phase(),
            "to_act": view.to_act(),
            "turn": view.turn(),
            "colours": {"black": view.seat(Colour::Black), "white": view.seat(Colour::White)},
            "size": self.options().size,
            "cells": position::rows(&view),
            "left": self.plays_set_up().then_some(left),
            "missing": self.plays_set_up().then_some(missing),
            "legal": legal.into_iter().map(|action| self.action_text(action)).collect::<Vec<_>>(),
            "score": both(view.score()),
            "taken": both(view.taken().map(u32::from)),
            "match": {
                "game": view.game() + 1,
                "games": self.options().games,
                "wins": view.wins(),
                "points": view.points(),
            },
            "returns": &self.returns(state)[..2],
        })
    }
}

impl Mapello {
    fn plays_set_up(&self) -> bool {
        self.options().setup == super::rules::Setup::Free
    }

    fn heading(view: &View<'_>) -> String {
        let deciding = view.to_act().map_or(0, Seat::index);
        let colour = |colour| if colour == Colour::Black { "black, X" } else { "white, O" };
        match view.phase() {
            Phase::SetUp => format!("Mapello: seat {deciding} sets up the board"),
            Phase::Colour => format!("Mapello: seat {deciding} picks a colour"),
            Phase::Play => format!("Mapello: seat {deciding} ({}) to move", colour(view.turn())),
            Phase::Over => {
                let [seat_0, seat_1] = view.wins();
                let points = view.points();
                match seat_0.cmp(&seat_1).then(points[0].cmp(&points[1])) {
                    std::cmp::Ordering::Equal => "Mapello: over, a draw".to_owned(),
                    order => {
                        let winner = Seat::new(usize::from(order.is_lt()));
                        let playing = view.colour(winner).map_or("", colour);
                        format!("Mapello: over, seat {} ({playing}) wins", winner.index())
                    }
                }
            }
        }
    }

    fn standing(&self, view: &View<'_>) -> String {
        let games = self.options().games;
        if games == 1 {
            return String::new();
        }
        let ([wins_0, wins_1], [points_0, points_1]) = (view.wins(), view.points());
        format!("; game {} of {games}, won {wins_0}:{wins_1}, points {points_0}:{points_1}", view.game() + 1)
    }
}

impl Describe for Mapello {
    fn position(&self, state: &State) -> String {
        position::write(&state.view(None))
    }

    fn parse_position(&self, text: &str) -> Result<State, Error> {
        position::parse(self, text)
    }
}

impl Mapello {
    pub(super) fn action_text(&self, action: Action) -> String {
        match action {
            Action::Disc(cell) => cell_name(cell),
            Action::Pass => "pass".to_owned(),
            Action::Wall(cell) => format!("wall {}", cell_name(cell)),
            Action::Bonus(cell) => format!("bonus {}", cell_name(cell)),
            Action::Joker(cell) => format!("joker {}", border_name(cell)),
            Action::Finish => "finish".to_owned(),
            Action::Take(Colour::Black) => "black".to_owned(),
            Action::Take(Colour::White) => "white".to_owned(),
        }
    }
}
