//! Mapominoes as a learner sees it.

use super::facts::Seen;
use super::rules::{Action, Cards, Mapominoes, Options, Phase, State};
use super::table::{Cell, Frame};
use crate::atlas::Atlas;
use crate::game::{Encode, Fast, Rules as _, Seat, Viewer};
use crate::layout::{Layout, Writer};
use crate::relation::Relation;
use crate::rng;

const PHASES: &[&str] = &["go", "place", "place_transit", "follow", "place_follow", "challenge"];

pub(super) fn actions(atlas: &Atlas, frame: &Frame, challenges: bool) -> Layout {
    let (columns, rows) = frame.size();
    let names = || atlas.places().iter().map(|place| place.name.clone());
    let layout = Layout::new()
        .flags("county", &[atlas.num_regions()], "play a county card")
        .labelled(names().take(atlas.num_regions()))
        .flags("nominee", &[atlas.places().len()], "play a transit card that stands for a region, sea or country")
        .labelled(names())
        .flags("cell", &[rows, columns], "lay the chosen card on a cell, by row from the top and column")
        .flags("take", &[], "say that one cannot go, and take a card if there is one");
    if !challenges {
        return layout;
    }
    layout.flags("challenge", &[], "challenge what was laid").flags("let_it_be", &[], "let what was laid be")
}

/// The most county cards in a hand, and the rounds.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub hand: u8,
    pub rounds: u8,
}

/// The highest number of points that is told apart: hardly anybody has more than ten cards at the end of a round.
fn most_points(hand: u8, rounds: u8) -> u8 {
    hand.min(10).saturating_mul(rounds)
}

pub(super) fn observation(atlas: &Atlas, frame: &Frame, options: &Options, limits: Limits) -> Layout {
    let (columns, rows) = frame.size();
    let (regions, places) = (atlas.num_regions(), 1 + atlas.places().len() as u16);
    let (players, side) = (usize::from(options.players), 1 + rows.max(columns) as u16);
    let names = || atlas.places().iter().map(|place| place.name.clone()).take(regions);
    let layout = Layout::new()
        .category("card", &[rows, columns], places, "1 + the place that a card stands for, 0 where there is none; a place is a region, sea or country, numbered as the nominees")
        .flags("transit", &[rows, columns], "1 for a transit card")
        .flags("hand", &[regions], "the viewer's county cards")
        .labelled(names())
        .flags("unseen", &[regions], "county cards in the others' hands that the viewer has not seen")
        .labelled(names())
        .flags("fits", &[regions], "regions that fit some free cell")
        .labelled(names());
    let layout = if options.staged {
        layout.flags("undealt", &[regions], "county cards that are dealt later in the round").labelled(names())
    } else {
        layout
    };
    layout
        .flags("shown", &[players, regions], "county cards in the hands that everybody has seen")
        .labelled(names())
        .by_seat()
        .counts("counties", &[players], limits.hand, "county cards in the hands")
        .by_seat()
        .counts("transit_cards", &[players], options.transit_cards.max(1), "transit cards in the hands")
        .by_seat()
        .counts(
            "points",
            &[players],
            most_points(limits.hand, limits.rounds),
            "points over the finished rounds; no more are told apart than the highest",
        )
        .by_seat()
        .flags("turn", &[players], "whose go it is")
        .by_seat()
        .flags("to_act", &[players], "who decides now")
        .by_seat()
        .flags("dealer", &[players], "who dealt")
        .by_seat()
        .flags("phase", &[PHASES.len()], "what is being decided; none when the match is over")
        .labelled(PHASES.iter().copied())
        .category("chosen", &[2], places, "1 + the county and 1 + the nominee on their way to the table; 0 without")
        .labelled(["county", "nominee"])
        .category("spot", &[2], side, "row and column, from 1, of the county that may be challenged; 0 without")
        .labelled(["row", "column"])
        .category(
            "transit_spot",
            &[2],
            side,
            "row and column, from 1, of the transit card on its way to the table; 0 without",
        )
        .labelled(["row", "column"])
        .counts("pile", &[], options.transit_cards.max(1), "cards in the draw pile")
        .counts(
            "passes",
            &[],
            if options.challenges { u8::MAX } else { options.players },
            "goes in a row that ended with neither a card laid nor a card taken, 255 at most",
        )
        .counts("rounds_left", &[], limits.rounds.saturating_sub(1).max(1), "rounds of the game after this one")
}

impl Mapominoes {
    /// Where the blocks of the action ids begin: nominees, cells, the rest.
    #[inline(always)]
    fn starts(&self) -> [usize; 3] {
        let nominee = self.atlas.num_regions();
        let cell = nominee + self.atlas.places().len();
        [nominee, cell, cell + self.frame.num_cells()]
    }
}

impl Encode for Mapominoes {
    #[inline(always)]
    fn actions(&self) -> &Layout {
        &self.actions
    }

    #[inline(always)]
    fn action_id(&self, action: Action) -> usize {
        let [nominee, cell, rest] = self.starts();
        match action {
            Action::County(county) => usize::from(county),
            Action::Nominate(place) => nominee + usize::from(place),
            Action::Cell(Cell(index)) => cell + usize::from(index),
            Action::Take => rest,
            Action::Challenge => rest + 1,
            Action::LetItBe => rest + 2,
        }
    }

    #[inline(always)]
    fn action(&self, id: usize) -> Action {
        let [nominee, cell, rest] = self.starts();
        if id < nominee {
            Action::County(id as u8)
        } else if id < cell {
            Action::Nominate((id - nominee) as u8)
        } else if id < rest {
            Action::Cell(Cell((id - cell) as u16))
        } else {
            [Action::Take, Action::Challenge, Action::LetItBe][(id - rest).min(2)]
        }
    }

    #[inline(always)]
    fn observation(&self) -> &Layout {
        &self.observation
    }

    #[inline(always)]
    fn observe(&self, state: &State, viewer: Seat, row: &mut [u8]) {
        let view = state.view(Some(viewer));
        let (table, players, regions) = (view.table(), self.players(), self.atlas.num_regions());
        let cells = self.frame.num_cells();
        let phase = view.phase();
        let mut out = Writer::new(row);

        let [cards, transits] = [out.next(cells), out.next(cells)];
        cards.copy_from_slice(table.places());
        transits.fill(0);
        for Cell(cell) in table.transits() {
            transits[usize::from(*cell)] = 1;
        }
        // What waits for its follower, or for a challenge, lies there already.
        for (Cell(cell), card) in phase.waiting() {
            cards[usize::from(cell)] = 1 + card.place;
            transits[usize::from(cell)] = card.is_transit.into();
        }

        out.members(view.known(viewer), regions);
        out.members(view.unseen(), regions);
        out.members(table.fitting(), regions);
        if self.options().staged {
            out.members(view.undealt(), regions);
        }
        let seat = |ahead| self.seat_after(viewer, ahead);
        let shown = view.all_hands_shown();
        for ahead in 0..players {
            out.members(shown[seat(ahead).index()], regions);
        }
        let most = most_points(self.largest_hand, self.rounds());
        let by_seat = out.next(6 * players);
        for ahead in 0..players {
            let seat = seat(ahead);
            let numbers = [
                view.num_counties(seat).min(self.largest_hand.into()) as u8,
                view.num_transit(seat),
                view.points()[seat.index()].min(most.into()) as u8,
                (seat == view.turn()).into(),
                (view.to_act() == Some(seat)).into(),
                (seat == view.dealer()).into(),
            ];
            for (block, number) in numbers.into_iter().enumerate() {
                by_seat[block * players + ahead] = number;
            }
        }
        let phase_number = match phase {
            Phase::Go => 0,
            Phase::Place { .. } => 1,
            Phase::PlaceTransit { .. } => 2,
            Phase::Follow { .. } => 3,
            Phase::PlaceFollow { .. } => 4,
            Phase::Challenge { .. } => 5,
            Phase::Over => PHASES.len(),
        };
        let phases = out.next(PHASES.len());
        phases.fill(0);
        if let Some(flag) = phases.get_mut(phase_number) {
            *flag = 1;
        }
        out.number(phase.county().map_or(0, |county| 1 + usize::from(county)));
        out.number(phase.nominee().map_or(0, |nominee| 1 + usize::from(nominee)));
        for cell in [phase.cell(), phase.transit().map(|transit| transit.cell)] {
            let (row, column) = cell.map_or((0, 0), |cell| self.frame.row_column(cell));
            out.number(usize::from(cell.is_some()) + row);
            out.number(usize::from(cell.is_some()) + column);
        }
        out.number(view.pile());
        out.number(view.passes());
        out.number(self.rounds() - 1 - view.round());
    }

    fn facts(&self) -> &Layout {
        &self.facts
    }

    fn describe_action(&self, state: &State, action: Action, row: &mut [u8]) {
        self.describe_actions(state, &[action], row);
    }

    fn relations(&self) -> Vec<Relation> {
        let (atlas, names) = (&self.atlas, || self.atlas.places().iter().map(|place| place.name.clone()));
        let borders = |region: u16, place: u16| atlas.near(region as u8).contains(place as u8);
        vec![Relation::new(
            "borders",
            "the region, by county card, borders the place, by nominee",
            names().take(atlas.num_regions()),
            names(),
            borders,
        )]
    }
}

impl Fast for Mapominoes {
    fn heap_bytes(&self) -> usize {
        super::table::Table::heap_bytes(&self.frame, &self.atlas)
    }

    #[inline(always)]
    fn write_mask(&self, state: &State, mask: &mut [i8], _: &mut Vec<Action>) {
        let [nominee, cell, rest] = self.starts();
        let mut out = Writer::new(&mut *mask);
        let cards = self.cards(state);
        out.members(cards.counties, nominee);
        out.members(cards.nominees, cell - nominee);
        mask[cell..].fill(0);
        self.cells(state, |Cell(index)| mask[cell + usize::from(index)] = 1);
        mask[rest] = cards.may_take.into();
        if matches!(state.view(Viewer::Everything).phase(), Phase::Challenge { .. }) {
            mask[rest + 1..].fill(1);
        }
    }

    #[inline(always)]
    fn write_turn(&self, state: &State, row: &mut [u8], mask: &mut [i8], scratch: &mut Vec<Action>) -> Option<Seat> {
        let seat = self.to_act(state)?;
        self.observe(state, seat, row);
        self.write_mask(state, mask, scratch);
        Some(seat)
    }

    fn describe_actions(&self, state: &State, actions: &[Action], rows: &mut [u8]) {
        let Some(seat) = self.to_act(state) else { return };
        let seen = Seen::new(self, state, seat);
        for (&action, row) in actions.iter().zip(rows.chunks_exact_mut(self.facts.size())) {
            seen.describe(action, row);
        }
    }

    #[inline(always)]
    fn num_legal(&self, state: &State, scratch: &mut Vec<Action>) -> usize {
        if let Some(cells) = Self::known_cells(state) {
            return cells.len();
        }
        if !chooses_card(state) {
            return crate::game::by_list::num_legal(self, state, scratch);
        }
        let Cards { counties, nominees, may_take } = self.cards(state);
        counties.len() + nominees.len() + usize::from(may_take)
    }

    #[inline(always)]
    fn random_action(&self, state: &State, random: u64, scratch: &mut Vec<Action>) -> Action {
        if let Some(cells) = Self::known_cells(state) {
            return Action::Cell(cells[rng::scale(random, cells.len() as u32) as usize]);
        }
        if !chooses_card(state) {
            return crate::game::by_list::random_action(self, state, random, scratch);
        }
        let Cards { counties, nominees, may_take } = self.cards(state);
        let (num_counties, num_nominees) = (counties.len() as u32, nominees.len() as u32);
        let chosen = rng::scale(random, num_counties + num_nominees + u32::from(may_take));
        let county = counties.nth(chosen).map(Action::County);
        let nominee = || nominees.nth(chosen.saturating_sub(num_counties)).map(Action::Nominate);
        county.or_else(nominee).unwrap_or(Action::Take)
    }
}

/// Whether a card is to be chosen: a county, a nominee or none.
#[inline(always)]
fn chooses_card(state: &State) -> bool {
    matches!(state.view(Viewer::Everything).phase(), Phase::Go | Phase::Follow { .. })
}
