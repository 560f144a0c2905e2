//! One match with its history, as people play it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::Value;

use crate::agents;
use crate::batch::refused;
use crate::drawing::Picture;
use crate::error::Error;
use crate::game::{Game, Looks, Seat, Solution, Viewer};
use crate::lane::{Lane, Seating};
use crate::rng::Origin;
use crate::rows::Status;
use crate::saves;

/// One match: where it began, what was played, and where it is now. Nobody plays by themselves here.
pub struct Match<R: Game> {
    seating: Arc<Seating<R>>,
    lane: Lane<R::State>,
    start: Arc<Lane<R::State>>,
    /// Whether `start` is what its address deals.
    is_dealt: bool,
    history: Vec<Turn>,
}

/// A decision that was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Whose it was.
    pub seat: Seat,
    /// The id of what was played; `None` where the time ran out.
    pub action: Option<usize>,
}

impl<R: Game> Clone for Match<R> {
    fn clone(&self) -> Self {
        Self {
            seating: Arc::clone(&self.seating),
            lane: self.lane.clone(),
            start: Arc::clone(&self.start),
            is_dealt: self.is_dealt,
            history: self.history.clone(),
        }
    }
}

impl<R: Game> Match<R> {
    /// The match that a seed and an episode deal, cut off after so many decisions.
    pub fn new(rules: R, seed: u64, episode: u32, max_decisions: u32) -> Result<Self, Error> {
        if max_decisions == 0 {
            return Err(Error::out_of_range("max_decisions", 0, u32::MAX as usize));
        }
        let players = (0..rules.num_seats()).map(|_| crate::players::Player::Caller).collect();
        let seating = Arc::new(Seating::new(rules, players, false, max_decisions));
        Ok(Self::dealt(seating, seed, episode))
    }

    fn dealt(seating: Arc<Seating<R>>, seed: u64, episode: u32) -> Self {
        let lane = Lane::dealt(&seating, Origin { seed, lane: 0 }, episode);
        Self { start: Arc::new(lane.clone()), seating, lane, is_dealt: true, history: Vec::new() }
    }

    /// A match that begins where a lane is.
    pub(crate) fn from_lane(seating: Arc<Seating<R>>, lane: Lane<R::State>) -> Self {
        Self { start: Arc::new(lane.clone()), seating, lane, is_dealt: false, history: Vec::new() }
    }

    /// The same game dealt anew.
    #[must_use]
    pub fn deal(&self, seed: u64, episode: u32) -> Self {
        Self::dealt(Arc::clone(&self.seating), seed, episode)
    }

    /// The match as it began.
    #[must_use]
    pub fn rewound(&self) -> Self {
        Self { lane: (*self.start).clone(), history: Vec::new(), ..self.clone() }
    }

    /// The rules with their options.
    #[must_use]
    pub fn rules(&self) -> &R {
        &self.seating.rules
    }

    /// Whether the match began as its address deals it.
    #[must_use]
    pub fn is_dealt(&self) -> bool {
        self.is_dealt
    }

    /// Decisions after which the match is cut off.
    #[must_use]
    pub fn max_decisions(&self) -> u32 {
        self.seating.max_decisions
    }

    /// What was played.
    #[must_use]
    pub fn history(&self) -> &[Turn] {
        &self.history
    }

    pub(crate) fn lane(&self) -> &Lane<R::State> {
        &self.lane
    }

    /// Puts the match back to an earlier moment of its own, as its lane was after so many decisions.
    pub(crate) fn rewind(&mut self, lane: &Lane<R::State>, decisions: usize) {
        self.lane = lane.clone();
        self.history.truncate(decisions);
    }

    /// The seat to act, unless the match is over or cut off.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        self.lane.to_act(self.rules())
    }

    /// The ids of the legal actions.
    #[must_use]
    pub fn legal(&self) -> Vec<usize> {
        self.legal_actions().into_iter().map(|action| self.rules().action_id(action)).collect()
    }

    fn legal_actions(&self) -> Vec<R::Action> {
        let mut actions = Vec::new();
        if self.lane.status == Status::Running {
            self.rules().legal_actions(&self.lane.state, &mut actions);
        }
        actions
    }

    /// Why an action cannot be played now, if so.
    #[must_use]
    pub fn why_not(&self, action: i64) -> Option<Error> {
        let id = usize::try_from(action).ok().filter(|&id| id < self.rules().actions().size());
        let is_legal = |id| self.rules().is_legal(&self.lane.state, self.rules().action(id));
        let is_playable = self.lane.status == Status::Running && id.is_some_and(is_legal);
        (!is_playable).then(|| refused(self.rules(), &self.lane, None, action))
    }

    /// Plays an action, or says why not and changes nothing.
    pub fn play(&mut self, action: i64) -> Result<(), Error> {
        if let Some(error) = self.why_not(action) {
            return Err(error);
        }
        let Some(seat) = self.to_act() else { return Ok(()) };
        let id = action as usize;
        let rules = &self.seating.rules;
        rules.apply(&mut self.lane.state, rules.action(id), &mut self.lane.rng);
        self.lane.move_on(&self.seating);
        self.history.push(Turn { seat, action: Some(id) });
        Ok(())
    }

    /// Lets the time of the seat to act run out, or says why not and changes nothing.
    pub fn time_out(&mut self) -> Result<(), Error> {
        let seat = self.to_act();
        self.lane.run_out(&self.seating)?;
        self.history.extend(seat.map(|seat| Turn { seat, action: None }));
        Ok(())
    }

    /// A copy. With a seed it draws the rest of the match from that, and its history begins here.
    #[must_use]
    pub fn copy(&self, seed: Option<u64>) -> Self {
        let Some(seed) = seed else { return self.clone() };
        let mut lane = self.lane.clone();
        lane.reseed(seed);
        Self::from_lane(Arc::clone(&self.seating), lane)
    }

    /// A copy that goes on by the chance of an episode under a seed, as in a simulation that starts here; what `viewer`
    /// has not seen is guessed anew. Its history begins here.
    #[must_use]
    pub fn branch(&self, seed: u64, episode: u32, viewer: Option<Seat>) -> Self {
        let lane = self.lane.branch(&self.seating, Origin { seed, lane: 0 }, episode, viewer);
        Self::from_lane(Arc::clone(&self.seating), lane)
    }

    /// Guesses anew what a seat has not seen; the history begins here.
    pub fn resample_hidden(&mut self, viewer: Seat, purpose: u32) {
        let mut lane = self.lane.clone();
        lane.resample(self.rules(), viewer, purpose);
        *self = Self::from_lane(Arc::clone(&self.seating), lane);
    }

    /// Puts the match where `save` left it.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let lane = saves::load(&self.seating, bytes)?;
        *self = Self::from_lane(Arc::clone(&self.seating), lane);
        Ok(())
    }

    /// Puts the match at a described position, before its first decision.
    pub fn set_position(&mut self, text: &str) -> Result<(), Error> {
        let state = self.rules().parse_position(text)?;
        let mut lane = self.lane.clone();
        lane.set_state(&self.seating, state);
        *self = Self::from_lane(Arc::clone(&self.seating), lane);
        Ok(())
    }

    /// The table as a viewer sees it, drawn.
    #[must_use]
    pub fn picture(&self, viewer: Viewer, looks: Looks<'_>) -> Picture {
        let last = self.history.last().and_then(|turn| turn.action).map(|id| self.rules().action(id));
        self.rules().picture(&self.lane.state, viewer, last, looks)
    }

    /// The table as a viewer sees it, for a program: the game's own part, and what all games tell alike.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> Value {
        let rules = self.rules();
        let mut view = rules.view(&self.lane.state, viewer);
        if let Value::Object(fields) = &mut view {
            let moment = serde_json::to_value(rules.moment(&self.lane.state)).unwrap_or_default();
            let last = self.history.last().map(|turn| self.notation(turn.action));
            fields.insert("moment".to_owned(), moment);
            fields.insert("last".to_owned(), last.into());
        }
        view
    }

    /// An action in the game's notation, or that time ran out.
    fn notation(&self, action: Option<usize>) -> String {
        action.map_or_else(|| "timeout".to_owned(), |id| self.rules().notation(self.rules().action(id)))
    }

    /// What a built-in agent would play for the seat to act. `purpose` numbers the question: the same gets the same
    /// answer.
    pub fn choose(&self, agent: &str, purpose: u32, stop: &AtomicBool) -> Result<usize, Error> {
        let chooser = agents::make(self.rules(), agent)?;
        let random = self.random(agent, purpose)?;
        Ok(self.rules().action_id(chooser.choose(self.rules(), &self.lane.state, random, stop, &mut Vec::new())))
    }

    /// An action worth considering for the seat to act, and why; see [`agents::advise`].
    pub fn hint(&self, stop: &AtomicBool) -> Result<(usize, String), Error> {
        let random = self.random("hint", 0)?;
        let (action, reason) = agents::advise(self.rules(), &self.lane.state, random, stop);
        Ok((self.rules().action_id(action), reason))
    }

    /// What perfect play comes to; see [`crate::game::Heuristic::solve`].
    pub fn solve(&self, stop: &AtomicBool) -> Result<Solution<usize>, Error> {
        let Solution { score, line, nodes } = self.rules().solve(&self.lane.state, stop)?;
        Ok(Solution { score, line: line.into_iter().map(|action| self.rules().action_id(action)).collect(), nodes })
    }

    /// Random bits for a question about the decision at hand, if there is one.
    fn random(&self, agent: &str, purpose: u32) -> Result<u64, Error> {
        if self.lane.status != Status::Running {
            let message = "the match is over, nobody has to decide".to_owned();
            return Err(Error::Agent { text: agent.to_owned(), message });
        }
        Ok(self.lane.advice(purpose))
    }
}
