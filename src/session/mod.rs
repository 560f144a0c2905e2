//! A match with people and agents at it, wherever it is shown. It knows no game.
//!
//! A host sends messages, `{do, what, number}`, for a seat and gets an [`Update`] for a seat: a picture, and all that
//! there is to say and to choose. What is clicked are places of the picture; the session narrows them down to an action,
//! takes back what was begun, goes back to a person's last decision, gives hints with their reason, and tells what
//! happened in sentences. A seat's update holds what that seat may know, and nothing else.
//!
//! Agents play when the host lets them ([`Session::step`]). A seat of the host's own, such as a Python function, is
//! waited for ([`Session::waits_for_host`]) and played by [`Session::play_for_host`].

mod choosing;
mod film;
mod log;
mod typed;
mod update;

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Deserialize;
use serde_json::Value;

use crate::drawing::Place;
use crate::dynamic::{AnyMatch, Mark, Spec};
use crate::error::Error;
use crate::game::{Names, Refusal, Seat, Spoken};

pub use film::Frame;
pub use log::{Sentence, captions, numbered, result};
pub use update::{Choice, Knob, Update};

use log::Event;

/// Who sits at a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sitter {
    /// Somebody who sends messages.
    Person,
    /// A built-in agent, such as `greedy`.
    Agent(String),
    /// Somebody for whom the host decides.
    Host,
}

/// What a person does, as it comes in.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Message {
    /// `play`, `type`, `why`, `pick`, `drop`, `undo`, `hint`, `new`, `look`, `ready` or `timeout`.
    #[serde(default)]
    pub r#do: Value,
    /// To which action, place, text, seed or look.
    #[serde(default)]
    pub what: Value,
    /// The number of the update that the person saw.
    #[serde(default)]
    pub number: Value,
}

/// Whether something was done, or what the person is told instead.
type Answer = Result<(), String>;

/// What a seat has chosen so far, and what it was told last.
#[derive(Clone, Debug, Default)]
struct Desk {
    /// The places of its picture.
    there: Vec<Place>,
    /// What the line that it typed last has played.
    typed: Vec<String>,
    picked: Vec<Place>,
    hint: Vec<Place>,
    message: String,
    /// Which clauses the message is about.
    rule: String,
    /// Which place the message is about.
    about: Option<Place>,
    looks: Vec<u8>,
}

/// A match with people and agents at it.
pub struct Session {
    game: Box<dyn AnyMatch>,
    spec: Spec,
    sitters: Vec<Sitter>,
    names: Vec<String>,
    /// What every action says, by id.
    spoken: Vec<Spoken>,
    /// The match before each decision of its history.
    marks: Vec<Mark>,
    events: Vec<Event>,
    /// Which decision this is, over all undone ones; messages for another one are stale.
    number: u64,
    desks: Vec<Desk>,
    /// The person in front of a screen that several share, and whether a curtain hides it from the one before.
    facing: Seat,
    is_curtained: bool,
}

impl Session {
    /// People and agents at a match, which goes on where it is. `names` are those of the seats; without them they are
    /// called by their numbers.
    pub fn new(game: Box<dyn AnyMatch>, sitters: Vec<Sitter>, names: Option<Vec<String>>) -> Result<Self, Error> {
        let seats = game.num_seats();
        let names = names.unwrap_or_else(|| (0..seats).map(|seat| format!("seat {seat}")).collect());
        for (what, count) in [("sitters", sitters.len()), ("names", names.len())] {
            if count != seats {
                return Err(Error::Config {
                    name: what,
                    value: format!("{count} of them"),
                    allowed: format!("must be one for each of {seats} seats"),
                });
            }
        }
        for sitter in &sitters {
            if let Sitter::Agent(agent) = sitter {
                game.check_agent(agent)?;
            }
        }
        let spec = game.spec();
        let spoken = (0..game.num_actions()).map(|id| game.say(id)).collect();
        let desk = Desk { looks: vec![0; spec.looks.len()], ..Desk::default() };
        let facing = sitters.iter().position(|sitter| *sitter == Sitter::Person).unwrap_or(0);
        let mut session = Self {
            game,
            spec,
            sitters,
            names,
            spoken,
            marks: Vec::new(),
            events: Vec::new(),
            number: 0,
            desks: vec![desk; seats],
            facing: Seat::new(facing),
            is_curtained: false,
        };
        session.recall()?;
        Ok(session)
    }

    /// The match.
    #[must_use]
    pub fn game(&self) -> &dyn AnyMatch {
        &*self.game
    }

    /// Who sits where.
    #[must_use]
    pub fn sitters(&self) -> &[Sitter] {
        &self.sitters
    }

    /// What the seats are called.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The person in front of a screen that several share; with one person, that one.
    #[must_use]
    pub fn facing(&self) -> Seat {
        self.facing
    }

    /// Which decision this is, over all undone ones.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Whether an agent or the host is to decide.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.game.to_act().is_some_and(|seat| self.sitters[seat.index()] != Sitter::Person)
    }

    /// The seat that the host has to decide for now.
    #[must_use]
    pub fn waits_for_host(&self) -> Option<Seat> {
        self.game.to_act().filter(|seat| self.sitters[seat.index()] == Sitter::Host)
    }

    /// Puts another match of the same game on the table, whose history is told.
    pub fn set_game(&mut self, game: Box<dyn AnyMatch>) -> Result<(), Error> {
        if game.spec().name != self.spec.name || game.num_seats() != self.sitters.len() {
            return Err(Error::Config {
                name: "match",
                value: format!("a match of {} with {} seats", game.spec().name, game.num_seats()),
                allowed: format!("must be one of {} with {} seats", self.spec.name, self.sitters.len()),
            });
        }
        self.spoken = (0..game.num_actions()).map(|id| game.say(id)).collect();
        (self.spec, self.game) = (game.spec(), game);
        self.moved_on();
        self.recall()
    }

    /// Gathers what has happened from the match itself.
    fn recall(&mut self) -> Result<(), Error> {
        let start = self.game.rewound();
        let now = std::mem::replace(&mut self.game, start);
        (self.marks, self.events) = (Vec::new(), Vec::new());
        for turn in now.history() {
            self.decide(turn.action)?;
        }
        self.game = now;
        Ok(())
    }

    /// Plays an action of whoever is to act, or lets their time run out, and keeps what there is to tell about it.
    fn decide(&mut self, action: Option<usize>) -> Result<(), Error> {
        let Some(seat) = self.game.to_act() else { return Err(Error::TimeOut("the match is over".to_owned())) };
        let (mark, before) = (self.game.mark(), self.game.moment().part);
        let is_silent = action.is_some_and(|id| self.game.is_silent(id));
        match action {
            Some(id) => self.game.play(id as i64)?,
            None => self.game.time_out()?,
        }
        self.events.extend(self.told_of(seat, action, is_silent));
        let after = self.game.moment().part;
        if (before.noun, before.number) != (after.noun, after.number) {
            self.events.push(Event::part_over(self.marks.len(), &before, after));
        }
        self.marks.push(mark);
        self.moved_on();
        Ok(())
    }

    /// There is another decision to take.
    fn moved_on(&mut self) {
        self.number += 1;
        self.desks.iter_mut().for_each(|desk| desk.picked.clear());
    }

    // What a host does.

    /// Lets a built-in agent decide, if one is to; otherwise the screen turns to whoever is, and nothing is left to do
    /// for the agents. Returns whether one has decided.
    pub fn step(&mut self, stop: &AtomicBool) -> Result<bool, Error> {
        let agent = self.game.to_act().and_then(|seat| match &self.sitters[seat.index()] {
            Sitter::Agent(agent) => Some(agent),
            _ => None,
        });
        let Some(agent) = agent else {
            self.turn_the_screen();
            return Ok(false);
        };
        let action = self.game.choose(agent, 0, stop)?;
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Stopped);
        }
        self.decide(Some(action))?;
        Ok(true)
    }

    /// Plays an action for the seat that the host decides for.
    pub fn play_for_host(&mut self, action: i64) -> Result<(), Error> {
        if let Some(error) = self.game.why_not(action) {
            return Err(error);
        }
        self.decide(Some(action as usize))
    }

    /// If another person is to decide than the one in front of the screen, a curtain falls.
    fn turn_the_screen(&mut self) {
        let next = self.game.to_act().filter(|seat| self.sitters[seat.index()] == Sitter::Person);
        if let Some(seat) = next.filter(|&seat| seat != self.facing) {
            self.facing = seat;
            self.is_curtained = true;
        }
    }

    /// Where several people share the screen, hides it until the one who is to come before it is there.
    pub fn draw_curtain(&mut self) {
        self.is_curtained = self.num_people() > 1 && self.game.to_act().is_some();
    }

    // What a person does.

    /// Does what a message of a seat says; whatever it is, nothing illegal is played, and the seat's next update says
    /// what came of it.
    pub fn receive(&mut self, seat: Seat, message: &Message, stop: &AtomicBool) {
        let desk = self.desk(seat);
        (desk.message, desk.rule, desk.about) = Default::default();
        desk.hint.clear();
        desk.typed.clear();
        if let Err(words) = self.answer(seat, message, stop) {
            self.say(seat, words);
        }
    }

    /// The same for the person in front of a screen that several share: behind the curtain nothing is done but to lift
    /// it, whoever sits there. How the screen looks is the same for all.
    pub fn receive_at_screen(&mut self, message: &Message, stop: &AtomicBool) {
        if message.r#do == "look" {
            (0..self.desks.len()).for_each(|seat| self.look(Seat::new(seat), &message.what));
        } else if !self.is_curtained || message.r#do == "ready" {
            self.is_curtained = false;
            self.receive(self.facing, message, stop);
        }
    }

    /// Fails with what the person is told.
    fn answer(&mut self, seat: Seat, message: &Message, stop: &AtomicBool) -> Answer {
        let (what, verb) = (&message.what, message.r#do.as_str().unwrap_or_default());
        if verb == "look" {
            self.look(seat, what);
            return Ok(());
        }
        if verb == "ready" {
            return Ok(());
        }
        if message.number.as_u64() != Some(self.number) {
            return Err("That was meant for an earlier decision; the board has moved on.".to_owned());
        }
        match verb {
            "play" => self.play(seat, what),
            "type" => self.type_line(seat, what.as_str().unwrap_or_default()),
            "why" => {
                self.explain_line(seat, what.as_str().unwrap_or_default());
                Ok(())
            }
            "pick" => self.pick(seat, what),
            "drop" => self.let_go(seat),
            "undo" => self.undo(seat),
            "hint" => self.hint(seat, stop),
            "new" => {
                self.deal_anew(what.as_u64().unwrap_or_default());
                Ok(())
            }
            "timeout" => self.call_time(),
            _ => Err("The board did not understand that.".to_owned()),
        }
    }

    fn desk(&mut self, seat: Seat) -> &mut Desk {
        &mut self.desks[seat.index()]
    }

    fn say(&mut self, seat: Seat, words: String) {
        self.desk(seat).message = words;
    }

    /// The names as they are said to a seat.
    fn names_to(&self, seat: Seat) -> Names {
        Names::new(self.names.clone(), Some(seat))
    }

    /// An action in the game's notation, with other players by their names.
    fn label(&self, seat: Seat, action: usize) -> String {
        self.spoken[action].notation.said(&self.names_to(seat).of(seat))
    }

    /// The ids of what a seat can do now.
    fn legal(&self, seat: Seat) -> Vec<usize> {
        if self.game.to_act() == Some(seat) { self.game.legal() } else { Vec::new() }
    }

    fn play(&mut self, seat: Seat, action: &Value) -> Answer {
        let id = action.as_u64().map(|id| id as usize).filter(|id| self.legal(seat).contains(id));
        let id = id.ok_or("That is not among the actions here.")?;
        self.decide(Some(id)).map_err(words)
    }

    /// Anybody at the table may call that the time of the seat to act is up.
    fn call_time(&mut self) -> Answer {
        self.decide(None).map_err(|error| format!("{error}."))
    }

    /// Goes back to a seat's last decision, and says what is taken back.
    fn undo(&mut self, seat: Seat) -> Answer {
        let last = self.game.history().iter().rposition(|turn| turn.seat == seat);
        let at = last.ok_or("There is no decision of yours to take back.")?;
        let taken = self.game.history()[at].action;
        self.rewind(at);
        let label = taken.map_or_else(|| "time was up".to_owned(), |id| self.label(seat, id));
        self.say(seat, format!("Taken back: {label}."));
        Ok(())
    }

    /// Goes back to before a decision.
    fn rewind(&mut self, decision: usize) {
        self.game.rewind(&self.marks[decision]);
        self.marks.truncate(decision);
        self.events.retain(|event| event.number < decision);
        self.moved_on();
    }

    fn hint(&mut self, seat: Seat, stop: &AtomicBool) -> Answer {
        if self.game.to_act() != Some(seat) {
            return Err("There is nothing to decide.".to_owned());
        }
        let (action, reason) = self.game.hint(stop).map_err(words)?;
        let label = self.label(seat, action);
        let desk = &mut self.desks[seat.index()];
        desk.hint = choosing::places(&self.spoken[action], &desk.there).to_vec();
        self.say(seat, format!("Hint: {label}, since {reason}."));
        Ok(())
    }

    /// The same game with the same sitters, dealt by another seed.
    fn deal_anew(&mut self, seed: u64) {
        self.game = self.game.deal(seed, 0);
        (self.marks, self.events) = (Vec::new(), Vec::new());
        self.moved_on();
    }

    /// Changes a look: `{"name": "turn", "by": 1}` goes on from where it is, `{"name": "balance", "to": 1}` sets it.
    fn look(&mut self, seat: Seat, what: &Value) {
        let Some(number) = self.spec.looks.iter().position(|look| what["name"] == look.name) else { return };
        let count = i64::from(self.spec.looks[number].kind.count());
        let value = &mut self.desks[seat.index()].looks[number];
        let wanted = what["to"].as_i64().or(what["by"].as_i64().map(|by| by.wrapping_add(i64::from(*value))));
        if let Some(wanted) = wanted {
            *value = wanted.rem_euclid(count) as u8;
        }
    }

    /// Why something cannot be done, said to a seat; the clause goes beside it.
    fn refuse(&mut self, seat: Seat, words: String, clause: &str) {
        let many = clause.contains([' ', ',']);
        let desk = self.desk(seat);
        desk.message = words;
        desk.rule =
            if clause.is_empty() { String::new() } else { format!("rule{} {clause}", if many { "s" } else { "" }) };
    }

    /// An action and why it is refused, as it is said to a seat.
    fn refusal(&self, seat: Seat, action: usize, refusal: &Refusal) -> String {
        format!("{}: {}", self.label(seat, action), refusal.reason.said(&self.names_to(seat).of(seat)))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn words(error: Error) -> String {
    error.to_string()
}
