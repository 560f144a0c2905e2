//! What a seat gets to see.

use serde::Serialize;

use super::choosing::places;
use super::log::{Sentence, result};
use super::{Session, Sitter};
use crate::drawing::{Picture, Place};
use crate::dynamic::AnyMatch;
use crate::game::{Look, Looks, Names, Seat, Viewer};

/// So many sentences of the log are sent.
const LOG: usize = 100;
/// So many of them are also told with the decision they lead to.
const NEWS: usize = 4;

/// Everything that a host shows of a session to a seat.
#[derive(Clone, Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Update {
    /// The table as the seat sees it; empty behind a curtain.
    pub picture: Picture,
    /// The number that messages about this update carry.
    pub number: u64,
    /// Whose update it is; nobody's for onlookers.
    pub seat: Option<Seat>,
    /// The game's proper name.
    pub title: &'static str,
    /// Whose turn it is and what there is to do, or how the match ended.
    pub status: String,
    /// What came of the last message, or what the others did.
    pub message: String,
    /// What the line that the seat has typed has played, in the game's notation, with other players by their names.
    pub typed: Vec<String>,
    /// What the others have done since the seat's last decision, in sentences.
    pub news: Vec<Sentence>,
    /// The clauses that the message is about.
    pub rule: String,
    /// The place that the message is about.
    pub about: Option<Place>,
    /// What the seat can do, as far as it has not narrowed it down.
    pub actions: Vec<Choice>,
    /// The places that are picked.
    pub picked: Vec<Place>,
    /// The places of a hint.
    pub hint: Vec<Place>,
    /// What has happened, in sentences.
    pub log: Vec<String>,
    /// Whether there is a decision of the seat's to take back.
    pub can_undo: bool,
    /// Whether the time of a seat can be called up.
    pub has_timer: bool,
    /// What changes how the picture is drawn.
    pub looks: Vec<Knob>,
    /// Whether the match is over or cut off.
    pub is_over: bool,
    /// Whether an agent or the host is to decide.
    pub is_thinking: bool,
    /// The seat that the host has to decide for now.
    pub host: Option<Seat>,
    /// The name of the person who is to come before the screen.
    pub curtain: Option<String>,
}

/// A legal action.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// Its id.
    pub action: usize,
    /// The action in the game's notation, with other players by their names.
    pub label: String,
    /// The places that are clicked for it.
    pub places: Vec<Place>,
    /// Whether it begins something that more has to follow, and that can be taken back unseen.
    pub begins: bool,
}

/// A look and its value.
#[derive(Clone, Debug, Serialize)]
pub struct Knob {
    /// The look.
    #[serde(flatten)]
    pub look: Look,
    /// What it is.
    pub value: u8,
}

impl Session {
    /// What a seat gets to see now.
    pub fn update(&mut self, seat: Seat) -> Update {
        let names = self.names_to(seat);
        let looks = Looks { values: &self.desks[seat.index()].looks, names: Some(&names) };
        let seen = self.seen_by(seat.into());
        let picture = seen.picture(seat.into(), looks);
        self.desk(seat).there = picture.places();
        let events = self.events_before(seen.history().len());
        let desk = &self.desks[seat.index()];
        let left = self.naming(&self.legal(seat), &desk.picked, &desk.there);
        let is_told = |action: &&usize| !self.hides_moves(seat) || self.spoken[**action].places.is_empty();
        let choice = |&action: &usize| Choice {
            action,
            label: self.label(seat, action),
            places: places(&self.spoken[action], &desk.there).to_vec(),
            begins: self.begins(action),
        };
        let news = self.news(seat, events);
        let recent = || news[news.len().saturating_sub(NEWS)..].iter().map(|said| &*said.text).collect::<Vec<_>>();
        let message = if desk.message.is_empty() { recent().join("; ") } else { desk.message.clone() };
        let log = self.told(events, Some(seat));
        Update {
            picture,
            status: self.status(seat, &left),
            message,
            typed: desk.typed.clone(),
            news,
            rule: desk.rule.clone(),
            about: desk.about.clone(),
            actions: left.iter().filter(is_told).map(choice).collect(),
            picked: desk.picked.clone(),
            hint: desk.hint.clone(),
            log: log[log.len().saturating_sub(LOG)..].to_vec(),
            can_undo: self.game.history().iter().any(|turn| turn.seat == seat),
            looks: self.knobs(seat),
            ..self.bare(Some(seat))
        }
    }

    /// What somebody without a hand gets to see now: what lies open to all, and nothing to choose.
    #[must_use]
    pub fn watch(&self) -> Update {
        let names = Names::new(self.names.clone(), None);
        let seen = self.seen_by(Viewer::Onlooker);
        let log = self.told(self.events_before(seen.history().len()), None);
        Update {
            picture: seen.picture(Viewer::Onlooker, Looks { values: &[], names: Some(&names) }),
            status: self.status_to_all(&names),
            message: log.last().cloned().unwrap_or_default(),
            log: log[log.len().saturating_sub(LOG)..].to_vec(),
            ..self.bare(None)
        }
    }

    /// The match as far as a viewer sees it: what another player has begun and may take back, nobody sees before it is
    /// done.
    fn seen_by(&self, viewer: Viewer) -> Box<dyn AnyMatch> {
        let mut seen = self.game.copy(None);
        while seen.to_act().is_some_and(|seat| !viewer.sees(seat)) && seen.moment().is_half_made {
            let Some(last) = seen.history().len().checked_sub(1) else { break };
            seen.rewind(&self.marks[last]);
        }
        seen
    }

    /// Whether a legal action begins something that more has to follow.
    fn begins(&self, action: usize) -> bool {
        let mut then = self.game.copy(None);
        then.play(action as i64).is_ok() && then.to_act() == self.game.to_act() && then.moment().is_half_made
    }

    /// What a screen that several people share shows now: the update of the one in front of it, or a curtain.
    pub fn screen(&mut self) -> Update {
        if self.is_curtained { self.behind_a_curtain(self.facing) } else { self.update(self.facing) }
    }

    fn bare(&self, seat: Option<Seat>) -> Update {
        let to_act = self.game.to_act();
        Update {
            picture: Picture::default(),
            number: self.number,
            seat,
            title: self.spec.title,
            status: String::new(),
            message: String::new(),
            typed: Vec::new(),
            news: Vec::new(),
            rule: String::new(),
            about: None,
            actions: Vec::new(),
            picked: Vec::new(),
            hint: Vec::new(),
            log: Vec::new(),
            can_undo: false,
            has_timer: self.spec.nature.has_timer,
            looks: Vec::new(),
            is_over: to_act.is_none(),
            is_thinking: self.is_thinking(),
            host: self.waits_for_host(),
            curtain: None,
        }
    }

    fn behind_a_curtain(&self, seat: Seat) -> Update {
        let name = self.names[seat.index()].clone();
        Update { status: format!("Now it is the turn of {name}."), curtain: Some(name), ..self.bare(Some(seat)) }
    }

    fn status(&self, seat: Seat, left: &[usize]) -> String {
        match self.game.to_act() {
            Some(other) if other == seat => format!("Your turn: {}.", self.kinds(left)),
            _ => self.status_to_all(&self.names_to(seat)),
        }
    }

    /// Whose turn it is, said to those who are not to decide, or how the match ended.
    fn status_to_all(&self, names: &Names) -> String {
        match self.game.to_act() {
            None => result(&*self.game, names),
            Some(other) if self.sitters[other.index()] == Sitter::Person => {
                format!("It is the turn of {}.", self.names[other.index()])
            }
            Some(other) => format!("{} is thinking …", self.names[other.index()]),
        }
    }

    /// Whether a seat wants to find out by itself what can be played.
    fn hides_moves(&self, seat: Seat) -> bool {
        Looks::of(&self.desks[seat.index()].looks).hides_moves()
    }

    fn knobs(&self, seat: Seat) -> Vec<Knob> {
        let knob = |(&look, &value): (&Look, &u8)| Knob { look, value };
        self.spec.looks.iter().zip(&self.desks[seat.index()].looks).map(knob).collect()
    }
}
