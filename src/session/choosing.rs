//! Choosing an action step by step, by the places in the picture that it names.

use serde_json::Value;

use super::{Answer, Session, words};
use crate::drawing::Place;
use crate::error::Error;
use crate::game::{Seat, Spoken};

/// The places that are clicked for an action in a picture that has these; where there are several ways, the first that
/// the picture shows.
pub(super) fn places<'a>(spoken: &'a Spoken, there: &[Place]) -> &'a [Place] {
    let shown = spoken.places.iter().find(|way| way.iter().all(|place| there.contains(place)));
    shown.or(spoken.places.first()).map_or(&[], Vec::as_slice)
}

/// Whether each of `some` is among `all`, as often as it is there.
fn is_part_of(some: &[Place], all: &[Place]) -> bool {
    let count = |places: &[Place], place: &Place| places.iter().filter(|other| *other == place).count();
    some.iter().all(|place| count(all, place) >= count(some, place))
}

impl Session {
    /// The actions among these that name all the picked places.
    pub(super) fn naming(&self, actions: &[usize], picked: &[Place], there: &[Place]) -> Vec<usize> {
        let names = |action: &usize| is_part_of(picked, places(&self.spoken[*action], there));
        actions.iter().copied().filter(names).collect()
    }

    /// A place was clicked.
    pub(super) fn pick(&mut self, seat: Seat, what: &Value) -> Answer {
        let key = what.as_str().unwrap_or_default();
        let place = self.desks[seat.index()].there.iter().find(|place| place.to_string() == key).cloned();
        let place = place.ok_or("There is no such place.")?;
        let to_act = self.game.to_act().ok_or("The match is over.")?;
        if to_act != seat {
            return Err("It is not your turn.".to_owned());
        }
        if !self.narrow(seat, &place).map_err(words)? && !self.begin_instead(seat, &place).map_err(words)? {
            self.explain(seat, place);
        }
        Ok(())
    }

    /// Picks a place, or lets go of it, if there is something legal with it.
    fn narrow(&mut self, seat: Seat, place: &Place) -> Result<bool, Error> {
        let (legal, picked) = (self.legal(seat), self.desks[seat.index()].picked.clone());
        let mut more = picked.clone();
        more.push(place.clone());
        for wanted in [more, swapped(&picked, place)] {
            let left = self.naming(&legal, &wanted, &self.desks[seat.index()].there);
            if !left.is_empty() {
                return self.take(seat, wanted, &left);
            }
            if picked.contains(place) {
                self.desk(seat).picked.retain(|other| other != place);
                return Ok(true);
            }
        }
        let begins = picked.first().is_none_or(|first| first.kind == place.kind);
        if !begins && !self.meant(seat, &swapped(&picked, place)).is_empty() {
            return Ok(false);
        }
        let alone = vec![place.clone()];
        let left = self.naming(&legal, &alone, &self.desks[seat.index()].there);
        if left.is_empty() { Ok(false) } else { self.take(seat, alone, &left) }
    }

    /// Keeps what is picked, and plays what it means if that is one thing.
    fn take(&mut self, seat: Seat, picked: Vec<Place>, left: &[usize]) -> Result<bool, Error> {
        self.desk(seat).picked = picked;
        if let [only] = left {
            self.decide(Some(*only))?;
        }
        Ok(true)
    }

    /// Whether a seat has begun something that it could take back unseen.
    pub(super) fn is_half_made(&self, seat: Seat) -> bool {
        self.game.to_act() == Some(seat) && self.game.moment().is_half_made
    }

    /// Takes back what was begun if the place is about something else that could be begun, and does that. What would
    /// show the player something new is not begun by the same click.
    fn begin_instead(&mut self, seat: Seat, place: &Place) -> Result<bool, Error> {
        let alone = std::slice::from_ref(place);
        let mut earlier = self.game.copy(None);
        while earlier.to_act() == Some(seat) && earlier.moment().is_half_made {
            let Some(at) = earlier.history().iter().rposition(|turn| turn.seat == seat) else { break };
            earlier.rewind(&self.marks[at]);
            let left = self.naming(&earlier.legal(), alone, &self.desks[seat.index()].there);
            if left.is_empty() {
                continue;
            }
            if left.iter().any(|&action| self.spoken[action].reveals) {
                return Ok(false);
            }
            let is_same = self.game.history()[at].action.is_some_and(|taken| left == [taken]);
            self.rewind(at);
            return if is_same { Ok(true) } else { self.take(seat, vec![place.clone()], &left) };
        }
        Ok(false)
    }

    /// Lets go of what is picked, or takes back what was begun.
    pub(super) fn let_go(&mut self, seat: Seat) -> Answer {
        if self.desks[seat.index()].picked.is_empty() && self.is_half_made(seat) {
            self.undo(seat)?;
        }
        self.desk(seat).picked.clear();
        Ok(())
    }

    /// All actions, legal or not, that name the picked places and no unseen ones.
    fn meant(&self, seat: Seat, picked: &[Place]) -> Vec<usize> {
        let there = &self.desks[seat.index()].there;
        let all: Vec<usize> = (0..self.spoken.len()).collect();
        let mut found = self.naming(&all, picked, there);
        found.retain(|&action| is_part_of(places(&self.spoken[action], there), there));
        found
    }

    /// Says why nothing can be done with a place now.
    fn explain(&mut self, seat: Seat, place: Place) {
        let legal = self.legal(seat);
        let mut actions = self.meant(seat, &swapped(&self.desks[seat.index()].picked, &place));
        if actions.is_empty() {
            actions = self.meant(seat, std::slice::from_ref(&place));
        }
        let is_kind = |action: &usize| legal.iter().any(|other| self.spoken[*other].kind == self.spoken[*action].kind);
        let fitting: Vec<usize> = actions.iter().copied().filter(is_kind).collect();
        let is_fitting = !fitting.is_empty();
        let asked = if is_fitting { fitting } else { actions };
        let whys: Vec<_> = asked.into_iter().filter_map(|action| Some((action, self.game.refusal(action)?))).collect();
        let now = if is_fitting { String::new() } else { format!(" Now you can {}.", self.kinds(&legal)) };
        let (words, clause) = match &whys[..] {
            [] => (format!("{place}: there is nothing to do with it now"), ""),
            [(action, why)] => (self.refusal(seat, *action, why), why.clause),
            [(_, why), rest @ ..] if rest.iter().all(|(_, other)| other == why) => {
                (format!("{place}: {}", why.reason.said(&self.names_to(seat).of(seat))), why.clause)
            }
            [(action, why), ..] => {
                let first = self.refusal(seat, *action, why);
                (format!("{place}: no action with it is legal now; {first}"), why.clause)
            }
        };
        self.refuse(seat, format!("{words}.{now}"), clause);
        self.desk(seat).about = Some(place);
    }

    /// What there is to do: "play a card, or take a card from the pile".
    pub(super) fn kinds(&self, actions: &[usize]) -> String {
        let mut kinds: Vec<&str> = Vec::new();
        for &action in actions {
            if !kinds.contains(&self.spoken[action].kind) {
                kinds.push(self.spoken[action].kind);
            }
        }
        match &kinds[..] {
            [more @ .., last] if !more.is_empty() => format!("{}, or {last}", more.join(", ")),
            _ => kinds.concat(),
        }
    }
}

/// What is picked, with a place instead of those of its kind.
fn swapped(picked: &[Place], place: &Place) -> Vec<Place> {
    picked.iter().filter(|other| other.kind != place.kind).chain([place]).cloned().collect()
}
