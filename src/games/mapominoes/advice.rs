//! What a person hears who asks for a hint in Mapominoes.

use super::heuristic::TAKE;
use super::rules::{Action, Mapominoes, Phase, State, View};
use super::table::Cell;
use crate::agents::keep_where;
use crate::game::{Advise, Heuristic as _, Viewer};
use crate::set::Set;
use crate::text::{counted, listed};

impl Advise for Mapominoes {
    /// No card is laid wrongly, none is taken and no transit card spent while a county card can be laid, and a challenge
    /// is right.
    fn drop_mistakes(&self, state: &State, actions: &mut Vec<Action>) {
        let judged = |action: &Action| self.value(state, *action);
        match state.view(Viewer::Everything).phase() {
            Phase::Challenge { .. } => keep_where(actions, |action| judged(action) > 0),
            _ => keep_where(actions, |action| judged(action) >= TAKE),
        };
        if actions.iter().any(|action| matches!(action, Action::County(_))) {
            actions.retain(|action| matches!(action, Action::County(_)));
        }
    }

    fn reason(&self, state: &State, action: Action) -> String {
        let view = state.view(state.view(Viewer::Everything).to_act());
        let text = match (view.phase(), action) {
            (Phase::Go, Action::County(county)) => return self.reason_for_county(&view, county),
            (Phase::Place { county }, Action::Cell(cell)) => return self.reason_for_cell(&view, county, cell),
            (_, Action::Nominate(nominee)) => return self.reason_for_transit(&view, nominee),
            (_, Action::County(county)) if view.table().num_cells(county) == 0 => "it fits nowhere else",
            (_, Action::County(_)) => "it borders the place of the transit card",
            (Phase::PlaceTransit { .. }, Action::Cell(_)) => "a card of yours can follow beside it",
            (_, Action::Cell(_)) => "it fits there",
            (_, Action::Take) => "none of your cards fits now",
            (_, Action::Challenge) => "it does not border every card beside it",
            (_, Action::LetItBe) => "it borders every card beside it",
        };
        text.to_owned()
    }
}

impl Mapominoes {
    /// One or two cards of the hand by name, or how many they are.
    fn some(&self, cards: Set) -> String {
        if cards.len() > 2 {
            return format!("{} of your cards", cards.len());
        }
        let names: Vec<String> = cards.iter().map(|place| self.atlas.place(place).name.clone()).collect();
        listed(&names)
    }

    fn is_double(&self, view: &View<'_>, cell: Cell) -> bool {
        self.connections(view.table(), cell) >= 2
    }

    fn reason_for_county(&self, view: &View<'_>, county: u8) -> String {
        let (table, mine) = (view.table(), view.known(view.turn()));
        let cells = table.cells_for_county(&self.frame, county);
        if cells.is_empty() {
            "it is a bluff".to_owned()
        } else if mine.len() == 1 {
            "it is your last card".to_owned()
        } else if cells.iter().any(|&cell| self.is_double(view, cell)) {
            "it can make a double connection".to_owned()
        } else if cells.len() == 1 {
            "there is only one place for it, as long as that is free".to_owned()
        } else {
            format!("it fits in {}", counted(cells.len(), "place"))
        }
    }

    fn reason_for_cell(&self, view: &View<'_>, county: u8, cell: Cell) -> String {
        let (frame, table) = (&self.frame, view.table());
        let homeless = view.known(view.turn()).iter().filter(|&card| card != county && table.num_cells(card) == 0);
        let opened = homeless.collect::<Set>() & frame.near(county);
        let has_room = frame.beside(cell).any(|other| table.is_free(other) && !table.is_beside_cards(other));
        if !table.takes_county(frame, cell, county) {
            "it is a bluff".to_owned()
        } else if self.is_double(view, cell) {
            "it makes a double connection".to_owned()
        } else if has_room && !opened.is_empty() {
            format!("it makes room for {}", self.some(opened))
        } else {
            "it borders the card beside it".to_owned()
        }
    }

    fn reason_for_transit(&self, view: &View<'_>, nominee: u8) -> String {
        let followers = view.known(view.turn()) & self.frame.near(nominee);
        let stranded: Set = followers.iter().filter(|&county| view.table().num_cells(county) == 0).collect();
        if stranded.is_empty() {
            "it brings one of your cards to the table".to_owned()
        } else {
            format!("it is a way for {}", self.some(stranded))
        }
    }
}
