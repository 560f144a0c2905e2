//! What a table of simulated matches tells about Connections.

use super::deck::{Kind, Regions};
use super::rules::{Action, Connections, LAST_TURNS, MAX_PLAYERS, Phase, State, View};
use super::scoring::value;
use crate::bits;
use crate::game::{Account, MAX_SEATS, Seat, Statistic, Statistics, Viewer};

/// Ways in which a round ends, numbered.
const ANNOUNCED: usize = 0;
const IDLE: usize = 1;
const TURN_LIMIT: usize = 2;

/// What is counted while a match is played.
#[derive(Clone, Copy, Default, Debug)]
pub struct Count {
    turns: u32,
    sets: [u16; MAX_PLAYERS],
    links: [u16; MAX_PLAYERS],
    singles: [u16; MAX_PLAYERS],
    offers: [u16; MAX_PLAYERS],
    trades: [u16; MAX_PLAYERS],
    invitations: [u16; MAX_PLAYERS],
    partnerships: [u16; MAX_PLAYERS],
    /// Those around a link of three regions.
    of_three: [u16; MAX_PLAYERS],
    discards: [u16; MAX_PLAYERS],
    announcements: [u16; MAX_PLAYERS],
    /// Rounds by the way in which they ended.
    rounds: [u16; 3],
    /// The way in which the round ends, if it ends with the decision.
    ending: usize,
}

impl Statistics for Connections {
    const STATISTICS: &'static [Statistic] = &[
        Statistic { name: "sets", meaning: "sets played", by_seat: true },
        Statistic { name: "links", meaning: "links played", by_seat: true },
        Statistic { name: "singles", meaning: "singles played", by_seat: true },
        Statistic { name: "offers", meaning: "cards offered", by_seat: true },
        Statistic { name: "trades", meaning: "trades carried out, with either side", by_seat: true },
        Statistic { name: "invitations", meaning: "invitations made", by_seat: true },
        Statistic { name: "partnerships", meaning: "partnerships formed, on either side", by_seat: true },
        Statistic { name: "three_regions", meaning: "partnerships around a link of three regions", by_seat: true },
        Statistic { name: "discards", meaning: "cards discarded", by_seat: true },
        Statistic { name: "announcements", meaning: "rounds whose end the seat announced", by_seat: true },
        Statistic { name: "rounds_announced", meaning: "rounds over after an announcement", by_seat: false },
        Statistic { name: "rounds_idle", meaning: "last rounds over because nobody played", by_seat: false },
        Statistic { name: "rounds_turn_limit", meaning: "rounds over after the most turns", by_seat: false },
    ];
    /// Nobody announces the end of the last round (CONN-16).
    const ENDINGS: &'static [&'static str] = &["nobody plays", "turn limit"];

    type Count = Count;

    #[inline(always)]
    fn before(&self, count: &mut Count, state: &State, action: Action) {
        let view = state.view(Viewer::Everything);
        let phase = view.phase();
        let turn = view.turn();
        let is_play = matches!(phase, Phase::Play) && !matches!(action, Action::Invite { .. });
        count.turns += u32::from(is_play);
        count.ending = self.ending(view, action);
        match (phase, action) {
            (Phase::Set { second: Some(_), .. }, Action::Set(face)) => {
                count.sets[turn.index()] += 1;
                self.count_arrivals(count, view, face);
            }
            (_, Action::Play(face)) => match self.deck.face(face).kind {
                Kind::Link(_) => count.links[turn.index()] += 1,
                Kind::Region(_) => {
                    count.singles[turn.index()] += 1;
                    self.count_arrivals(count, view, face);
                }
            },
            (Phase::Offer { asked }, Action::Offer { .. }) => count.offers[asked.index()] += 1,
            (Phase::Accept { asked, to, .. }, Action::Accept) => {
                count.trades[asked.index()] += 1;
                count.trades[to.index()] += 1;
            }
            (_, Action::Invite { .. }) => count.invitations[turn.index()] += 1,
            (Phase::Invited { link, to }, Action::Join) => {
                let regions = self.deck.links()[usize::from(link)].regions;
                let cities = &view.table().counts()[to.index()];
                if bits::each(regions.into()).any(|region| cities[usize::from(region)] > 0) {
                    count.partners(regions, [turn, to]);
                }
            }
            (_, Action::Discard(_)) => count.discards[turn.index()] += 1,
            (_, Action::Announce) => count.announcements[turn.index()] += 1,
            _ => {}
        }
    }

    #[inline(always)]
    fn after(&self, count: &mut Count, state: &State) {
        let finished = state.view(Viewer::Everything).history().len();
        if finished > count.rounds.iter().map(|&rounds| usize::from(rounds)).sum() {
            count.rounds[count.ending] += 1;
        }
    }

    fn account(&self, count: &Count, state: &State, own: &mut [i32]) -> Account {
        let view = state.view(Viewer::Everything);
        let by_seat = [
            count.sets,
            count.links,
            count.singles,
            count.offers,
            count.trades,
            count.invitations,
            count.partnerships,
            count.of_three,
            count.discards,
            count.announcements,
        ];
        let columns =
            by_seat.into_iter().flat_map(|column| column.into_iter().take(self.players())).chain(count.rounds);
        own.iter_mut().zip(columns).for_each(|(own, figure)| *own = figure.into());
        let ended = u8::from(count.ending == TURN_LIMIT);
        Account { turns: count.turns, rounds: view.history().len() as u32, ended, scores: view.points() }
    }

    fn standing(&self, state: &State) -> [i32; MAX_SEATS] {
        let view = state.view(Viewer::Everything);
        let mut standing = view.points();
        if view.phase() != Phase::Over {
            for (seat, standing) in standing[..self.players()].iter_mut().enumerate() {
                *standing += self.worth_now(view, Seat::new(seat));
            }
        }
        standing
    }
}

impl Count {
    fn partners(&mut self, regions: Regions, seats: [Seat; 2]) {
        for seat in seats {
            self.partnerships[seat.index()] += 1;
            self.of_three[seat.index()] += u16::from(regions.count_ones() == 3);
        }
    }
}

impl Connections {
    /// The way in which the round ends, if it ends with this decision (CONN-15, CONN-16).
    #[inline(always)]
    fn ending(&self, view: View<'_>, action: Action) -> usize {
        let turn = view.turn();
        let has_had_last =
            |seat: Seat| view.announced() == Some(seat) || view.last_turns(seat) + u8::from(seat == turn) >= LAST_TURNS;
        let is_idle = matches!(action, Action::Discard(_) | Action::Pass);
        if view.announced().is_some() && (0..self.players()).map(Seat::new).all(has_had_last) {
            ANNOUNCED
        } else if is_idle && usize::from(view.idle()) + 1 >= 2 * self.players() {
            IDLE
        } else {
            TURN_LIMIT
        }
    }

    /// Open invitations that become partnerships with a city (CONN-11).
    fn count_arrivals(&self, count: &mut Count, view: View<'_>, face: u8) {
        let Kind::Region(region) = self.deck.face(face).kind else { return };
        for bond in view.table().bonds() {
            let regions = self.deck.links()[usize::from(bond.link)].regions;
            if bond.invited == Some(view.turn()) && regions >> region & 1 == 1 {
                count.partners(regions, [bond.owner, view.turn()]);
            }
        }
    }

    /// What a seat's table is worth.
    fn worth_now(&self, view: View<'_>, seat: Seat) -> i32 {
        let table = view.table();
        let has_bond = table.bonds().iter().any(|bond| bond.owner == seat || bond.partner == Some(seat));
        if has_bond {
            return self.scorer(table).points(seat);
        }
        table.counts()[seat.index()].iter().map(|&cities| value(cities)).sum()
    }
}
