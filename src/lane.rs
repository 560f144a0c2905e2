//! One match of a batch, and who plays it by which rules.

use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::bits;
use crate::error::Error;
use crate::game::{Game, Returns, Rules, Seat, win_of};
use crate::players::Player;
use crate::rng::{self, Origin, Purpose, Rng};
use crate::rows::{Row, Status};

/// What rewards are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reward {
    /// What the game pays, when it pays it: see [`Rules::returns`].
    #[default]
    Points,
    /// The share of the win at the end, -1 to 1: see [`win_of`]. Nobody wins a match that is cut off.
    Win,
    /// The change of how far a seat is ahead of the mean of the others, in the game's points or cards: see
    /// [`crate::game::Statistics::standing`]. Something comes of most decisions, also in a long match.
    Lead,
}

/// By how much each seat is ahead of the mean of the others.
pub(crate) fn leads<R: Game>(rules: &R, state: &R::State) -> Returns {
    let (seats, standing) = (rules.num_seats(), rules.standing(state).map(|points| points as f32));
    let sum: f32 = standing[..seats].iter().sum();
    let others = (seats - 1) as f32;
    std::array::from_fn(|seat| if seat < seats { standing[seat] - (sum - standing[seat]) / others } else { 0.0 })
}

impl FromStr for Reward {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "points" => Ok(Self::Points),
            "win" => Ok(Self::Win),
            "lead" => Ok(Self::Lead),
            _ => Err(Error::Config {
                name: "reward",
                value: format!("{text:?}"),
                allowed: "must be \"win\", \"points\" or \"lead\"".to_owned(),
            }),
        }
    }
}

/// What all lanes of a batch share.
pub struct Seating<R> {
    /// The rules, with options and data.
    pub rules: R,
    /// A player per seat.
    pub players: Vec<Player<R>>,
    /// Moves the players on by a seat from episode to episode, and from lane to lane.
    pub rotate: bool,
    /// Decisions after which a match is cut off.
    pub max_decisions: u32,
    /// What rewards are.
    pub reward: Reward,
    /// Set from outside when agents should stop thinking.
    pub stop: AtomicBool,
    has_agents: bool,
    /// Whether chance plays at all seats.
    is_random: bool,
}

impl<R: Game> Seating<R> {
    /// With a player for each seat; rewards are points.
    pub fn new(rules: R, players: Vec<Player<R>>, rotate: bool, max_decisions: u32) -> Self {
        let has_agents = players.iter().any(|player| !matches!(player, Player::Caller));
        let is_random = players.iter().all(|player| matches!(player, Player::Random));
        let (reward, stop) = (Reward::default(), AtomicBool::new(false));
        Self { rules, players, rotate, max_decisions, reward, stop, has_agents, is_random }
    }

    /// By how many seats the players have moved on in an episode.
    fn shift(&self, origin: Origin, episode: u32) -> u8 {
        if !self.rotate {
            return 0;
        }
        let turns = origin.seed.wrapping_add(u64::from(origin.lane)).wrapping_add(u64::from(episode));
        (turns % self.players.len() as u64) as u8
    }
}

/// One match of a batch.
#[derive(Clone)]
pub struct Lane<S> {
    pub(crate) state: S,
    pub(crate) rng: Rng,
    pub(crate) origin: Origin,
    key: u64,
    pub(crate) episode: u32,
    pub(crate) decisions: u32,
    pub(crate) status: Status,
    /// By how many seats the players have moved on.
    shift: u8,
    /// What each seat has got in rewards.
    paid: Returns,
}

/// What a saved lane holds; the rest follows from it.
#[derive(Serialize, Deserialize)]
pub(crate) struct Saved<S> {
    state: S,
    rng: Rng,
    key: u64,
    origin: Origin,
    episode: u32,
    decisions: u32,
    paid: Returns,
}

impl<S> Lane<S> {
    /// A lane at the start of an episode in which a caller has something to decide, if there is one soon.
    pub(crate) fn new<R: Game<State = S>>(
        seating: &Seating<R>,
        origin: Origin,
        episode: u32,
        scratch: &mut Vec<R::Action>,
    ) -> Self {
        // A match can end between agents before the caller's first decision; a caller has no use for it.
        let mut lane = Self::whole(seating, origin, episode, scratch);
        for _ in 0..1000 {
            if lane.status == Status::Running {
                break;
            }
            lane = Self::whole(seating, origin, lane.episode.wrapping_add(1), scratch);
        }
        lane
    }

    /// A lane at the caller's first decision of an episode, or at its end.
    pub(crate) fn whole<R: Game<State = S>>(
        seating: &Seating<R>,
        origin: Origin,
        episode: u32,
        scratch: &mut Vec<R::Action>,
    ) -> Self {
        let mut lane = Self::dealt(seating, origin, episode);
        if seating.has_agents {
            lane.let_agents_play(seating, scratch);
        }
        lane
    }

    /// A lane at the very first decision of an episode, whoever takes it.
    pub(crate) fn dealt<R: Game<State = S>>(seating: &Seating<R>, origin: Origin, episode: u32) -> Self {
        let mut rng = Rng::new(origin, episode, Purpose::Game);
        let key = rng.key();
        let state = seating.rules.start(&mut rng);
        let shift = seating.shift(origin, episode);
        let mut lane = Self {
            state,
            rng,
            origin,
            key,
            episode,
            decisions: 0,
            status: Status::Running,
            shift,
            paid: Returns::default(),
        };
        lane.settle(seating);
        lane
    }

    /// Puts the lane at a given state, before its first decision, whoever takes it.
    pub(crate) fn set_state<R: Game<State = S>>(&mut self, seating: &Seating<R>, state: S) {
        self.paid = match seating.reward {
            Reward::Lead => leads(&seating.rules, &state),
            Reward::Points | Reward::Win => seating.rules.returns(&state),
        };
        self.state = state;
        self.decisions = 0;
        self.status = Status::Running;
        self.settle(seating);
    }

    /// A copy that goes on by the chance of another episode, as before its first decision; what `viewer` has not seen is
    /// guessed anew.
    pub(crate) fn branch<R: Game<State = S>>(
        &self,
        seating: &Seating<R>,
        origin: Origin,
        episode: u32,
        viewer: Option<Seat>,
    ) -> Self
    where
        S: Clone,
    {
        let mut lane = self.clone();
        if let Some(viewer) = viewer {
            let mut rng = Rng::new(origin, episode, Purpose::Resample(0));
            seating.rules.resample_hidden(&mut lane.state, viewer, &mut rng);
        }
        lane.rng = Rng::new(origin, episode, Purpose::Branch(0));
        lane.key = lane.rng.key();
        (lane.origin, lane.episode, lane.decisions) = (origin, episode, 0);
        lane.shift = seating.shift(origin, episode);
        lane
    }

    /// The lane at a table of the same game, where the built-in agents play if it is their turn.
    pub(crate) fn seated<R: Game<State = S>>(mut self, seating: &Seating<R>) -> Self {
        self.shift = seating.shift(self.origin, self.episode);
        if self.status != Status::Over {
            self.status = Status::Running;
        }
        self.settle(seating);
        self.let_agents_play(seating, &mut Vec::new());
        self
    }

    /// Lets the time of the seat to act run out; counts as a decision.
    pub(crate) fn run_out<R: Game<State = S>>(&mut self, seating: &Seating<R>) -> Result<(), Error> {
        match self.status {
            Status::Running => {}
            Status::CutOff => {
                return Err(Error::TimeOut(format!("the match was cut off after {} decisions", self.decisions)));
            }
            Status::Over => return Err(Error::TimeOut("the match is over".to_owned())),
        }
        seating.rules.time_out(&mut self.state, &mut self.rng).map_err(Error::TimeOut)?;
        self.move_on(seating);
        Ok(())
    }

    /// What follows once an action has been applied: the built-in agents answer, and `reward`, which is 0, receives what
    /// each seat has earned since it was last paid.
    #[inline(always)]
    pub(crate) fn after<R: Game<State = S>>(
        &mut self,
        seating: &Seating<R>,
        scratch: &mut Vec<R::Action>,
        reward: &mut [f32],
    ) {
        self.move_on(seating);
        if seating.has_agents {
            self.let_agents_play(seating, scratch);
        }
        let is_late = seating.reward == Reward::Win || seating.reward == Reward::Points && R::PAYS_AT_THE_END;
        if !is_late || self.status != Status::Running {
            self.pay_out(seating, reward);
        }
    }

    /// Not inlined, as is what agents play, so that a loop over lanes keeps its registers.
    #[inline(never)]
    fn pay_out<R: Game<State = S>>(&mut self, seating: &Seating<R>, reward: &mut [f32]) {
        let earned = match seating.reward {
            Reward::Points => self.earned(&seating.rules),
            Reward::Lead => self.pay(leads(&seating.rules, &self.state)),
            Reward::Win if self.status == Status::Over => win_of(reward.len(), &seating.rules.returns(&self.state)),
            Reward::Win => Returns::default(),
        };
        reward.copy_from_slice(&earned[..reward.len()]);
    }

    /// What each seat has earned since it was last paid, which is now.
    #[inline(always)]
    pub(crate) fn earned<R: Rules<State = S>>(&mut self, rules: &R) -> Returns {
        self.pay(rules.returns(&self.state))
    }

    #[inline(always)]
    fn pay(&mut self, due: Returns) -> Returns {
        let paid = std::mem::replace(&mut self.paid, due);
        std::array::from_fn(|seat| due[seat] - paid[seat])
    }

    /// What follows an applied action without a decision.
    #[inline(always)]
    pub(crate) fn move_on<R: Game<State = S>>(&mut self, seating: &Seating<R>) {
        self.decisions += 1;
        self.settle(seating);
    }

    #[inline(always)]
    fn settle<R: Game<State = S>>(&mut self, seating: &Seating<R>) {
        if seating.rules.to_act(&self.state).is_none() {
            self.status = Status::Over;
        } else if self.decisions >= seating.max_decisions {
            self.status = Status::CutOff;
        }
    }

    #[inline(never)]
    fn let_agents_play<R: Game<State = S>>(&mut self, seating: &Seating<R>, scratch: &mut Vec<R::Action>) {
        bits::wide(
            #[inline(always)]
            || {
                while let Some(action) = self.agent_action(seating, scratch) {
                    seating.rules.apply(&mut self.state, action, &mut self.rng);
                    self.move_on(seating);
                }
            },
        );
    }

    /// What a built-in agent chooses, if the decision is one's.
    #[inline(always)]
    pub(crate) fn agent_action<R: Game<State = S>>(
        &self,
        seating: &Seating<R>,
        scratch: &mut Vec<R::Action>,
    ) -> Option<R::Action> {
        if self.status != Status::Running {
            return None;
        }
        let random_action = |scratch| Some(seating.rules.random_action(&self.state, self.random(), scratch));
        if seating.is_random {
            return random_action(scratch);
        }
        let number = self.player_at(seating.rules.to_act(&self.state)?, seating);
        let player = &seating.players[number];
        if let Player::Random = player {
            return random_action(scratch);
        }
        let agent = player.agent(number, self.origin, self.episode)?;
        Some(agent.choose(&seating.rules, &self.state, self.random(), &seating.stop, scratch))
    }

    /// 64 bits for the decision at hand alone.
    #[inline(always)]
    pub(crate) fn random(&self) -> u64 {
        rng::draw(self.key, self.decisions)
    }

    /// 64 bits for a question about the decision at hand; `purpose` numbers the question.
    pub(crate) fn advice(&self, purpose: u32) -> u64 {
        let random = Rng::new(self.origin, self.episode, Purpose::Advice(purpose)).bits();
        random.wrapping_add(self.random())
    }

    /// The player who has taken a seat.
    #[inline(always)]
    pub(crate) fn player_at<R: Game<State = S>>(&self, seat: Seat, seating: &Seating<R>) -> usize {
        let moved = seat.index() + usize::from(self.shift);
        let seats = seating.players.len();
        if moved < seats { moved } else { moved - seats }
    }

    /// The seat to act, unless the match is over or cut off.
    #[inline(always)]
    pub(crate) fn to_act<R: Rules<State = S>>(&self, rules: &R) -> Option<Seat> {
        if self.status == Status::Running { rules.to_act(&self.state) } else { None }
    }

    /// A uniform legal action for the decision at hand; 0 when there is none.
    #[inline(always)]
    pub(crate) fn sample<R: Game<State = S>>(&self, rules: &R, scratch: &mut Vec<R::Action>) -> i32 {
        if self.status != Status::Running {
            return 0;
        }
        rules.action_id(rules.random_action(&self.state, self.random(), scratch)) as i32
    }

    /// Writes a row. Without a viewer it is the seat to act; after the end, the first caller.
    #[inline(always)]
    pub(crate) fn write<R: Game<State = S>>(
        &self,
        seating: &Seating<R>,
        viewer: Option<Seat>,
        row: &mut Row<'_>,
        scratch: &mut Vec<R::Action>,
    ) {
        *row.status = self.status as u8;
        let to_act = if self.status == Status::Running && viewer.is_none() {
            seating.rules.write_turn(&self.state, row.observation, row.mask, scratch)
        } else {
            self.write_for(seating, viewer, row.observation, row.mask, scratch)
        };
        *row.seat = to_act.map_or(-1, |seat| seat.index() as i8);
    }

    /// Writes observation and mask for a given viewer, or of a match that is over; returns the seat to act.
    #[cold]
    fn write_for<R: Game<State = S>>(
        &self,
        seating: &Seating<R>,
        viewer: Option<Seat>,
        observation: &mut [u8],
        mask: &mut [i8],
        scratch: &mut Vec<R::Action>,
    ) -> Option<Seat> {
        let to_act = self.to_act(&seating.rules);
        let viewer = viewer.unwrap_or_else(|| self.caller(seating));
        seating.rules.observe(&self.state, viewer, observation);
        if to_act == Some(viewer) {
            seating.rules.write_mask(&self.state, mask, scratch);
        } else {
            mask.fill(0);
        }
        to_act
    }

    /// The first caller's seat.
    pub(crate) fn caller<R: Game<State = S>>(&self, seating: &Seating<R>) -> Seat {
        let player = seating.players.iter().position(|player| matches!(player, Player::Caller));
        self.seat_of(player.unwrap_or(0), seating)
    }

    /// The seat that a player has taken.
    pub(crate) fn seat_of<R: Game<State = S>>(&self, player: usize, seating: &Seating<R>) -> Seat {
        let seats = seating.players.len();
        Seat::new((player + seats - usize::from(self.shift)) % seats)
    }

    /// The number of who plays at a seat, among all who may play at the table.
    pub(crate) fn candidate_at<R: Game<State = S>>(&self, seat: Seat, seating: &Seating<R>) -> usize {
        let player = self.player_at(seat, seating);
        let before: usize = seating.players[..player].iter().map(Player::num_candidates).sum();
        before + seating.players[player].drawn(player, self.origin, self.episode)
    }

    /// Guesses anew what `viewer` has not seen.
    pub(crate) fn resample<R: Game<State = S>>(&mut self, rules: &R, viewer: Seat, purpose: u32) {
        let mut rng = Rng::new(self.origin, self.episode, Purpose::Resample(purpose));
        rules.resample_hidden(&mut self.state, viewer, &mut rng);
        self.rng = rng;
    }

    /// Draws the rest of the match from another seed: what chance brings, and what agents and `sample` choose by lot.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(Origin { seed, ..self.origin }, self.episode, Purpose::Branch(self.decisions));
        self.key = self.rng.key();
    }

    pub(crate) fn to_saved(&self) -> Saved<&S> {
        Saved {
            state: &self.state,
            rng: self.rng.clone(),
            key: self.key,
            origin: self.origin,
            episode: self.episode,
            decisions: self.decisions,
            paid: self.paid,
        }
    }

    pub(crate) fn from_saved<R: Game<State = S>>(seating: &Seating<R>, saved: Saved<S>) -> Result<Self, Error> {
        seating.rules.validate(&saved.state)?;
        if saved.rng.is_stuck() {
            return Err(Error::Save("the generator is empty".to_owned()));
        }
        if !saved.paid.iter().all(|paid| paid.is_finite()) {
            return Err(Error::Save("impossible rewards".to_owned()));
        }
        let Saved { state, rng, key, origin, episode, decisions, paid } = saved;
        let shift = seating.shift(origin, episode);
        let mut lane = Self { state, rng, origin, key, episode, decisions, status: Status::Running, shift, paid };
        lane.settle(seating);
        Ok(lane)
    }
}
