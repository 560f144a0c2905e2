//! Mapello as people see it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::board::{Cell, Square};
use super::picture;
use super::position::{self, parse_cell, parse_square, square_name};
use super::rules::{Action, Colour, Mapello, Phase, Piece, Setup, State, View};
use crate::bits;
use crate::drawing::{Picture, Place};
use crate::error::Error;
use crate::game::{Describe, Looks, Moment, Part, Phrase, Rules, Seat, Setting, Show, Spoken, Tally, Viewer};

impl Show for Mapello {
    const RULES_IN_SHORT: &'static str = include_str!("short.txt").trim_ascii_end();
    const EXAMPLES: &'static str = include_str!("examples.json");

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        vec![
            ("setup", Setting::one_of(["random", "free", "othello"])),
            ("size", Setting::one_of([8, 6, 4])),
            ("walls", Setting::Number(0, 8)),
            ("bonuses", Setting::Number(0, 8)),
            ("jokers", Setting::Number(0, 8)),
            ("symmetry", Setting::one_of(["none", "rotate", "diagonal"])),
            ("games", Setting::Number(1, 100)),
        ]
    }

    fn say(&self, action: Action) -> Spoken {
        match action {
            Action::Disc(cell) => {
                let square = Square::Inner(cell);
                let name = square_name(square);
                Spoken::new(name.clone(), Phrase::does("play", name), "put a disc on a cell").at([cell_place(square)])
            }
            Action::Pass => Spoken::new("pass", Phrase::does("pass", ""), "pass"),
            Action::Wall(cell) => say_put(Piece::Wall, Square::Inner(cell)),
            Action::Bonus(cell) => say_put(Piece::Bonus, Square::Inner(cell)),
            Action::Joker(cell) => say_put(Piece::Joker, Square::Border(cell)),
            Action::Finish => Spoken::new("finish", Phrase::does("finish", "the set-up"), "finish the set-up"),
            Action::Take(colour) => {
                let name = colour.name();
                Spoken::new(name, Phrase::does("pick", name), "pick a colour").at([colour_place(colour)])
            }
        }
    }

    fn parse(&self, text: &str) -> Option<Action> {
        let text = text.trim().to_ascii_lowercase();
        if let Some((kind, cell)) = text.split_once(char::is_whitespace) {
            return match (kind, parse_square(cell)?) {
                ("wall", Square::Inner(cell)) => Some(Action::Wall(cell)),
                ("bonus", Square::Inner(cell)) => Some(Action::Bonus(cell)),
                ("joker", Square::Border(cell)) => Some(Action::Joker(cell)),
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

    fn text(&self, state: &State, viewer: Viewer) -> String {
        let view = state.view(viewer);
        let standing = self.standing(&view).map(|standing| format!("; {standing}")).unwrap_or_default();
        let mut out = format!("{}{standing}\n", Self::heading(&view));
        out.push_str("    a b c d e f g h\n");
        for row in 0..10 {
            let mut line = if (1..9).contains(&row) { row.to_string() } else { " ".to_owned() };
            for column in 0..10 {
                line.extend([' ', Square::at(row, column).map_or(' ', |square| typed(&view, square))]);
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        let [black, white] = view.score();
        let [black_taken, white_taken] = view.taken();
        let _ = write!(out, "X black {black} (bonuses {black_taken}), O white {white} (bonuses {white_taken})");
        if view.phase() == Phase::Play {
            let legal: Vec<_> = bits::each(view.moves()).map(|n| square_name(Square::Inner(Cell(n)))).collect();
            let legal = if legal.is_empty() { "pass".to_owned() } else { legal.join(" ") };
            let _ = write!(out, "\nlegal: {legal}");
        }
        out
    }

    fn view(&self, state: &State, viewer: Viewer) -> Value {
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
            "legal": legal.into_iter().map(|action| self.notation(action)).collect::<Vec<_>>(),
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

    fn picture(&self, state: &State, viewer: Viewer, last: Option<Action>, looks: Looks<'_>) -> Picture {
        picture::draw(self, state, viewer, last, looks)
    }

    fn moment(&self, state: &State) -> Moment {
        let view = state.view(Viewer::Everything);
        let part = Part {
            noun: "game",
            number: usize::from(view.game()) + 1,
            of: usize::from(self.options().games),
            tally: Tally { what: "games won", values: view.wins().map(i32::from).to_vec() },
            tie_break: Some(Tally { what: "points", values: view.points().map(i32::from).to_vec() }),
        };
        Moment { part, is_half_made: false }
    }
}

impl Mapello {
    fn plays_set_up(&self) -> bool {
        self.options().setup == Setup::Free
    }

    fn heading(view: &View<'_>) -> String {
        let deciding = view.to_act().map_or(0, Seat::index);
        let colour = |colour| if colour == Colour::Black { "black, X" } else { "white, O" };
        match view.phase() {
            Phase::SetUp => format!("Mapello: seat {deciding} sets up the board"),
            Phase::Colour => format!("Mapello: seat {deciding} picks a colour"),
            Phase::Play => format!("Mapello: seat {deciding} ({}) to move", colour(view.turn())),
            Phase::Over => match view.leader() {
                None => "Mapello: over, a draw".to_owned(),
                Some(winner) => {
                    let playing = view.colour(winner).map_or("", colour);
                    format!("Mapello: over, seat {} ({playing}) wins", winner.index())
                }
            },
        }
    }

    /// How the match stands, if it has several games.
    pub(super) fn standing(&self, view: &View<'_>) -> Option<String> {
        let games = self.options().games;
        let ([wins_0, wins_1], [points_0, points_1]) = (view.wins(), view.points());
        let number = view.game() + 1;
        (games > 1).then(|| format!("game {number} of {games}, won {wins_0}:{wins_1}, points {points_0}:{points_1}"))
    }
}

/// A piece that is put on a cell.
fn say_put(piece: Piece, square: Square) -> Spoken {
    let (name, cell) = (piece.name(), square_name(square));
    let kind = match piece {
        Piece::Wall => "put a wall on a cell",
        Piece::Bonus => "put a bonus on a cell",
        Piece::Joker => "put a joker on a cell",
    };
    Spoken::new(format!("{name} {cell}"), Phrase::does("put", format!("a {name} on {cell}")), kind)
        .at([piece_place(piece), cell_place(square)])
}

/// A cell in the picture.
pub(super) fn cell_place(square: Square) -> Place {
    Place::new("cell", square_name(square))
}

/// A kind of piece in the picture, to be put on a cell.
pub(super) fn piece_place(piece: Piece) -> Place {
    Place::new("piece", piece.name())
}

/// A colour in the picture, to be picked.
pub(super) fn colour_place(colour: Colour) -> Place {
    Place::new("colour", colour.name())
}

/// What stands for a cell in a terminal, where the border has no dots and a star is a move.
fn typed(view: &View<'_>, square: Square) -> char {
    match (view.content(square), square) {
        (None, Square::Border(_)) => ' ',
        (None, Square::Inner(cell)) if view.phase() == Phase::Play && cell.bit() & view.moves() != 0 => '*',
        (content, _) => position::symbol(content),
    }
}

impl Describe for Mapello {
    fn position(&self, state: &State) -> String {
        position::write(&state.view(Viewer::Everything))
    }

    fn parse_position(&self, text: &str) -> Result<State, Error> {
        position::parse(self, text)
    }
}
