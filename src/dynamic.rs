//! A game that is chosen at run time: many matches as an [`AnyBatch`], one as an [`AnyMatch`].
//!
//! A batch plays and shows all its lanes at once, or one; whatever else is about one lane is asked of the match that
//! [`AnyBatch::get`] returns, and [`AnyBatch::set`] puts it back.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;

use ndarray::ArrayView1;
use serde::Serialize;
use serde_json::Value;

use crate::agents;
use crate::batch::{Batch, Config, Seeds, legal_notations};
use crate::drawing::{Picture, Tag};
use crate::episodes::{Callers, Outcome, Plan, simulate};
use crate::error::Error;
use crate::game::{Game, Look, Looks, Moment, Nature, Refusal, Seat, Setting, Solution, Spoken, Viewer};
use crate::lane::Lane;
use crate::layout::Layout;
use crate::matches::{Match, Turn};
use crate::options;
use crate::perft::perft;
use crate::policy;
use crate::relation::Relation;
use crate::rows::{ActionRows, Rows, Status, Widths, check_actions};
use crate::saves;
use crate::tree::{self, Answers, Forest, Found, Leaves};

/// A game as the registry lists it. Options are an object; what it leaves out has its default.
pub trait AnyGame: Sync {
    /// The game's name.
    fn name(&self) -> &'static str;
    /// What stays the same with these options.
    fn spec(&self, options: &Value) -> Result<Spec, Error>;
    /// Many matches.
    fn batch(&self, options: &Value, config: &Config) -> Result<Box<dyn AnyBatch>, Error>;
    /// The match that a seed and an episode deal, cut off after so many decisions.
    fn start(&self, options: &Value, seed: u64, episode: u32, max_decisions: u32) -> Result<Box<dyn AnyMatch>, Error>;
    /// Whole episodes between agents; see [`simulate`].
    fn run(
        &self,
        options: &Value,
        plan: &Plan,
        callers: Option<&dyn Callers>,
        tick: &mut dyn FnMut(u32) -> bool,
    ) -> Result<Outcome, Error>;
}

/// A game, for the registry.
#[must_use]
pub const fn game<R: Game>() -> &'static dyn AnyGame {
    &Of::<R>(PhantomData)
}

struct Of<R>(PhantomData<fn() -> R>);

impl<R: Game> AnyGame for Of<R> {
    fn name(&self) -> &'static str {
        R::NAME
    }

    fn spec(&self, options: &Value) -> Result<Spec, Error> {
        Ok(Spec::of(&options::rules::<R>(options)?))
    }

    fn batch(&self, options: &Value, config: &Config) -> Result<Box<dyn AnyBatch>, Error> {
        Ok(Box::new(Batch::<R>::new(options::rules(options)?, config)?))
    }

    fn start(&self, options: &Value, seed: u64, episode: u32, max_decisions: u32) -> Result<Box<dyn AnyMatch>, Error> {
        Ok(Box::new(Match::<R>::new(options::rules(options)?, seed, episode, max_decisions)?))
    }

    fn run(
        &self,
        options: &Value,
        plan: &Plan,
        callers: Option<&dyn Callers>,
        tick: &mut dyn FnMut(u32) -> bool,
    ) -> Result<Outcome, Error> {
        simulate(options::rules::<R>(options)?, plan, callers, tick)
    }
}

/// Everything about a game with given options that stays the same.
#[derive(Clone, Debug, Serialize)]
pub struct Spec {
    /// The game's name.
    pub name: &'static str,
    /// The game's proper name.
    pub title: &'static str,
    /// One sentence on what it is.
    pub summary: &'static str,
    /// The rules on a card.
    pub rules_in_short: &'static str,
    /// Number in the environment's id.
    pub version: u32,
    /// How many play.
    pub seats: usize,
    /// Ranges of action ids.
    pub actions: Layout,
    /// Blocks of an observation row.
    pub observation: Layout,
    /// The same where the rows have the same form; see [`policy::rows_digest`].
    pub rows_digest: String,
    /// Blocks of the row of facts about an action.
    pub facts: Layout,
    /// What goes with what in every match.
    pub relations: Vec<Relation>,
    /// The least that a seat can earn in a match.
    pub lowest: f64,
    /// The most that a seat can earn in a match.
    pub highest: f64,
    /// How rewards are earned.
    pub rewards: &'static str,
    /// When a match is over.
    pub end: &'static str,
    /// The options with defaults filled in.
    pub options: Value,
    /// What each option means.
    pub option_meanings: Vec<(&'static str, String)>,
    /// What people may set; see [`crate::game::Show::settings`].
    pub settings: Vec<(&'static str, Setting)>,
    /// The built-in agents, with their arguments and defaults.
    pub agents: Vec<&'static str>,
    /// What changes how a table is drawn.
    pub looks: &'static [Look],
    /// What demonstrations and the reference trainer do with the game; see [`crate::game::Show::EXAMPLES`].
    pub examples: Value,
    /// What sort of game it is.
    #[serde(flatten)]
    pub nature: Nature,
    /// Bytes that a lane of a batch takes beside its rows.
    pub lane_bytes: usize,
}

impl Spec {
    fn of<R: Game>(rules: &R) -> Self {
        let [rewards, end] = R::REWARDS_AND_END;
        let [lowest, highest] = rules.range_of_returns().map(f64::from);
        Self {
            name: R::NAME,
            title: R::TITLE,
            summary: R::SUMMARY,
            rules_in_short: R::RULES_IN_SHORT,
            version: R::VERSION,
            seats: rules.num_seats(),
            actions: rules.actions().clone(),
            observation: rules.observation().clone(),
            rows_digest: policy::rows_digest(rules),
            facts: rules.facts().clone(),
            relations: rules.relations(),
            lowest,
            highest,
            rewards,
            end,
            options: saves::options_value(rules),
            option_meanings: options::meanings::<R>(),
            settings: rules.settings(),
            agents: agents::names(rules),
            looks: R::LOOKS,
            examples: serde_json::from_str(R::EXAMPLES).unwrap_or_default(),
            nature: rules.nature(),
            lane_bytes: size_of::<Lane<R::State>>() + rules.heap_bytes(),
        }
    }
}

/// Where a match is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The seed of its chance.
    pub seed: u64,
    /// Its number under that seed.
    pub lane: u32,
    /// The number of its episode.
    pub episode: u32,
    /// Decisions taken in that episode.
    pub decisions: u32,
}

/// Many matches of a game chosen at run time: one call for all lanes, or for one lane that is stepped by itself.
pub trait AnyBatch: Send {
    /// What it is underneath.
    fn as_any(&self) -> &dyn Any;
    /// How many lanes there are, at least one, and how wide their rows are.
    fn size(&self) -> (usize, Widths);
    /// See [`Batch::reset`].
    fn reset(&mut self, seeds: Seeds<'_>, rows: Rows<'_>) -> Result<(), Error>;
    /// See [`Batch::restart`].
    fn restart(&mut self, chosen: &[bool], seeds: Option<&[u64]>, rows: Rows<'_>) -> Result<(), Error>;
    /// See [`Batch::step`].
    fn step(&mut self, actions: ArrayView1<'_, i32>, rows: Rows<'_>) -> Result<(), Error>;
    /// See [`Batch::step_lane`].
    fn step_lane(&mut self, lane: usize, action: i64, row: Rows<'_>) -> Result<(), Error>;
    /// See [`Batch::restart_lane`].
    fn restart_lane(&mut self, lane: usize, seed: Option<u64>, row: Rows<'_>) -> Result<(), Error>;
    /// See [`Batch::observe_lane`].
    fn observe_lane(&self, lane: usize, viewer: Option<Seat>, row: Rows<'_>) -> Result<(), Error>;
    /// See [`Batch::sample`].
    fn sample(&mut self, actions: &mut [i32]) -> Result<(), Error>;
    /// See [`Batch::choose`].
    fn choose(&mut self, agent: &str, purpose: u32, stop: &AtomicBool, actions: &mut [i32]) -> Result<(), Error>;
    /// See [`Batch::observe`].
    fn observe(&mut self, viewer: Option<Seat>, rows: Rows<'_>) -> Result<(), Error>;
    /// See [`Batch::callers`].
    fn callers(&self, seats: &mut [i8]) -> Result<(), Error>;
    /// See [`Batch::num_legal`].
    fn num_legal(&mut self) -> Result<usize, Error>;
    /// See [`Batch::actions`].
    fn actions(&mut self, out: ActionRows<'_>) -> Result<usize, Error>;
    /// See [`Batch::players`].
    fn players(&self, players: &mut [i16]) -> Result<(), Error>;
    /// See [`Batch::select`].
    fn select(&self, lanes: &[usize]) -> Result<Box<dyn AnyBatch>, Error>;
    /// See [`Batch::resample_hidden`].
    fn resample_hidden(&mut self, viewer: Seat, purpose: u32);
    /// A lane as a match that begins there.
    fn get(&self, lane: usize) -> Result<Box<dyn AnyMatch>, Error>;
    /// Puts a copy of a match of the same game with the same options in the place of a lane.
    fn set(&mut self, lane: usize, with: &dyn AnyMatch) -> Result<(), Error>;
    /// See [`Forest::new`].
    fn forest(&self, settings: tree::Settings) -> Result<Box<dyn AnyForest>, Error>;
}

/// A tree for each lane of a batch of a game chosen at run time. It is handed the batch that it was made for.
pub trait AnyForest: Send {
    /// How many lanes there are, and how wide their rows are.
    fn size(&self) -> (usize, Widths);
    /// See [`Forest::takes_single_values`].
    fn takes_single_values(&self) -> bool;
    /// See [`Forest::begin`].
    fn begin(&mut self, batch: &dyn AnyBatch, purpose: u32, leaves: Leaves<'_>) -> Result<bool, Error>;
    /// See [`Forest::answer`].
    fn answer(&mut self, answers: Answers<'_>, leaves: Leaves<'_>) -> Result<bool, Error>;
    /// See [`Forest::think`]; `evaluator` is a name.
    fn think(&mut self, batch: &dyn AnyBatch, purpose: u32, evaluator: &str, stop: &AtomicBool) -> Result<(), Error>;
    /// See [`Forest::num_leaf_actions`].
    fn num_leaf_actions(&self) -> usize;
    /// See [`Forest::leaf_actions`].
    fn leaf_actions(&mut self, out: ActionRows<'_>) -> Result<usize, Error>;
    /// See [`Forest::results`].
    fn results(&mut self, found: Found<'_>) -> Result<(), Error>;
}

impl<R: Game> AnyForest for Forest<R> {
    fn size(&self) -> (usize, Widths) {
        self.size()
    }

    fn takes_single_values(&self) -> bool {
        self.takes_single_values()
    }

    fn begin(&mut self, batch: &dyn AnyBatch, purpose: u32, leaves: Leaves<'_>) -> Result<bool, Error> {
        self.begin(batch_of(batch)?, purpose, leaves)
    }

    fn answer(&mut self, answers: Answers<'_>, leaves: Leaves<'_>) -> Result<bool, Error> {
        self.answer(answers, leaves)
    }

    fn think(&mut self, batch: &dyn AnyBatch, purpose: u32, evaluator: &str, stop: &AtomicBool) -> Result<(), Error> {
        let batch = batch_of::<R>(batch)?;
        self.think(batch, purpose, &*tree::evaluator(batch.rules(), evaluator)?, stop)
    }

    fn num_leaf_actions(&self) -> usize {
        self.num_leaf_actions()
    }

    fn leaf_actions(&mut self, out: ActionRows<'_>) -> Result<usize, Error> {
        self.leaf_actions(out)
    }

    fn results(&mut self, found: Found<'_>) -> Result<(), Error> {
        self.results(found)
    }
}

/// A batch of that game.
fn batch_of<R: Game>(batch: &dyn AnyBatch) -> Result<&Batch<R>, Error> {
    batch.as_any().downcast_ref().ok_or_else(|| Error::Config {
        name: "batch",
        value: "one of another game".to_owned(),
        allowed: format!("must be one of {}", R::NAME),
    })
}

impl<R: Game> AnyBatch for Batch<R> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn forest(&self, settings: tree::Settings) -> Result<Box<dyn AnyForest>, Error> {
        Ok(Box::new(Forest::new(self, settings)?))
    }

    fn choose(&mut self, agent: &str, purpose: u32, stop: &AtomicBool, actions: &mut [i32]) -> Result<(), Error> {
        self.choose(agent, purpose, stop, actions)
    }

    fn size(&self) -> (usize, Widths) {
        (self.len(), self.widths())
    }

    fn reset(&mut self, seeds: Seeds<'_>, rows: Rows<'_>) -> Result<(), Error> {
        self.reset(seeds, rows)
    }

    fn restart(&mut self, chosen: &[bool], seeds: Option<&[u64]>, rows: Rows<'_>) -> Result<(), Error> {
        self.restart(chosen, seeds, rows)
    }

    fn step(&mut self, actions: ArrayView1<'_, i32>, rows: Rows<'_>) -> Result<(), Error> {
        check_actions(&actions, self.len())?;
        self.step(actions.to_slice().unwrap_or_default(), rows)
    }

    fn step_lane(&mut self, lane: usize, action: i64, row: Rows<'_>) -> Result<(), Error> {
        self.step_lane(lane, action, row)
    }

    fn restart_lane(&mut self, lane: usize, seed: Option<u64>, row: Rows<'_>) -> Result<(), Error> {
        self.restart_lane(lane, seed, row)
    }

    fn observe_lane(&self, lane: usize, viewer: Option<Seat>, row: Rows<'_>) -> Result<(), Error> {
        self.observe_lane(lane, viewer, row)
    }

    fn sample(&mut self, actions: &mut [i32]) -> Result<(), Error> {
        self.sample(actions)
    }

    fn observe(&mut self, viewer: Option<Seat>, rows: Rows<'_>) -> Result<(), Error> {
        self.observe(viewer, rows)
    }

    fn callers(&self, seats: &mut [i8]) -> Result<(), Error> {
        self.callers(seats)
    }

    fn num_legal(&mut self) -> Result<usize, Error> {
        self.num_legal()
    }

    fn actions(&mut self, out: ActionRows<'_>) -> Result<usize, Error> {
        self.actions(out)
    }

    fn players(&self, players: &mut [i16]) -> Result<(), Error> {
        self.players(players)
    }

    fn select(&self, lanes: &[usize]) -> Result<Box<dyn AnyBatch>, Error> {
        Ok(Box::new(self.select(lanes)?))
    }

    fn resample_hidden(&mut self, viewer: Seat, purpose: u32) {
        self.resample_hidden(viewer, purpose);
    }

    fn get(&self, lane: usize) -> Result<Box<dyn AnyMatch>, Error> {
        Ok(Box::new(self.to_match(lane)?))
    }

    fn set(&mut self, lane: usize, with: &dyn AnyMatch) -> Result<(), Error> {
        let same = with.as_any().downcast_ref::<Match<R>>();
        let same = same.filter(|other| saves::options_value(other.rules()) == saves::options_value(self.rules()));
        let Some(other) = same else {
            let name = with.spec().name;
            let value = format!("a match of {name}");
            return Err(Error::Config {
                name: "match",
                value,
                allowed: format!("must be one of {} with the options of the batch", R::NAME),
            });
        };
        self.set_lane(lane, other.lane().clone())
    }
}

/// A moment of a match that can be gone back to: what [`AnyMatch::mark`] returns.
pub struct Mark {
    lane: Box<dyn Any + Send + Sync>,
    decisions: usize,
}

impl Mark {
    /// How many decisions of the match's history came before.
    #[must_use]
    pub fn decisions(&self) -> usize {
        self.decisions
    }
}

/// One match of a game chosen at run time. Actions are ids.
pub trait AnyMatch: Send + Sync {
    /// What it is underneath.
    fn as_any(&self) -> &dyn Any;
    /// What stays the same.
    fn spec(&self) -> Spec;
    /// Decisions after which the match is cut off.
    fn max_decisions(&self) -> u32;
    /// Where the match is.
    fn address(&self) -> Address;
    /// Whether the match began as its address deals it.
    fn is_dealt(&self) -> bool;
    /// The seat to act, unless the match is over or cut off.
    fn to_act(&self) -> Option<Seat>;
    /// Whether the match was cut off.
    fn is_cut_off(&self) -> bool;
    /// How many play.
    fn num_seats(&self) -> usize;
    /// How many actions there are.
    fn num_actions(&self) -> usize;
    /// What each seat has earned so far.
    fn returns(&self) -> Vec<f32>;
    /// How far ahead each seat is, by what everybody may know.
    fn standing(&self) -> Vec<i32>;
    /// What was played.
    fn history(&self) -> &[Turn];

    /// See [`Match::legal`].
    fn legal(&self) -> Vec<usize>;
    /// A uniform legal action for the decision at hand, the same for the same decision.
    fn sample(&self) -> usize;
    /// See [`Match::play`].
    fn play(&mut self, action: i64) -> Result<(), Error>;
    /// See [`Match::time_out`].
    fn time_out(&mut self) -> Result<(), Error>;
    /// See [`Match::why_not`].
    fn why_not(&self, action: i64) -> Option<Error>;
    /// The reason why an action of the game cannot be played now, if so.
    fn refusal(&self, action: usize) -> Option<Refusal>;

    /// What an action says.
    fn say(&self, action: usize) -> Spoken;
    /// The action that a text means in the game's notation.
    fn parse(&self, text: &str) -> Result<usize, Error>;
    /// Whether nobody notices a legal action.
    fn is_silent(&self, action: usize) -> bool;
    /// Where in the match this is.
    fn moment(&self) -> Moment;
    /// The seating, for a terminal.
    fn text(&self, viewer: Viewer) -> String;
    /// See [`Match::view`].
    fn view(&self, viewer: Viewer) -> Value;
    /// See [`Match::picture`].
    fn picture(&self, viewer: Viewer, looks: Looks<'_>) -> Picture;
    /// The table without hands, with tags where pieces are laid, and a caption; none if it has none of the places.
    fn heat_map(&self, tags: &[Tag], caption: &str) -> Option<Picture>;
    /// The picture with tags on its places.
    fn tagged(&self, viewer: Viewer, looks: Looks<'_>, tags: &[Tag]) -> Picture;
    /// What a seat knows and may do, written over an observation row and a mask.
    fn observe(&self, viewer: Seat, row: &mut [u8], mask: &mut [i8]);

    /// Fails if the game has no such agent.
    fn check_agent(&self, agent: &str) -> Result<(), Error>;
    /// See [`Match::choose`].
    fn choose(&self, agent: &str, purpose: u32, stop: &AtomicBool) -> Result<usize, Error>;
    /// See [`Match::hint`].
    fn hint(&self, stop: &AtomicBool) -> Result<(usize, String), Error>;
    /// See [`Match::solve`].
    fn solve(&self, stop: &AtomicBool) -> Result<Solution<usize>, Error>;
    /// How many decisions the solver has to look ahead at most; `None` without one.
    fn solve_depth(&self) -> Option<u32>;
    /// How many sequences of legal decisions lie ahead; see [`perft`].
    fn perft(&self, depth: u32) -> u64;

    /// The match as bytes.
    fn save(&self) -> Result<Vec<u8>, Error>;
    /// See [`Match::load`].
    fn load(&mut self, bytes: &[u8]) -> Result<(), Error>;
    /// The position as text, in the game's own form where it has one.
    fn position(&self) -> String;
    /// See [`Match::set_position`].
    fn set_position(&mut self, text: &str) -> Result<(), Error>;
    /// See [`Match::resample_hidden`].
    fn resample_hidden(&mut self, viewer: Seat, purpose: u32);

    /// See [`Match::copy`].
    fn copy(&self, seed: Option<u64>) -> Box<dyn AnyMatch>;
    /// The same game dealt anew.
    fn deal(&self, seed: u64, episode: u32) -> Box<dyn AnyMatch>;
    /// See [`Match::branch`].
    fn branch(&self, seed: u64, episode: u32, viewer: Option<Seat>) -> Box<dyn AnyMatch>;
    /// The match as it began.
    fn rewound(&self) -> Box<dyn AnyMatch>;
    /// This moment, to go back to.
    fn mark(&self) -> Mark;
    /// Goes back to an earlier moment of this match.
    fn rewind(&mut self, mark: &Mark);
}

impl<R: Game> AnyMatch for Match<R> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn spec(&self) -> Spec {
        Spec::of(self.rules())
    }

    fn max_decisions(&self) -> u32 {
        self.max_decisions()
    }

    fn address(&self) -> Address {
        let lane = self.lane();
        Address { seed: lane.origin.seed, lane: lane.origin.lane, episode: lane.episode, decisions: lane.decisions }
    }

    fn is_dealt(&self) -> bool {
        self.is_dealt()
    }

    fn to_act(&self) -> Option<Seat> {
        self.to_act()
    }

    fn is_cut_off(&self) -> bool {
        self.lane().status == Status::CutOff
    }

    fn num_seats(&self) -> usize {
        self.rules().num_seats()
    }

    fn num_actions(&self) -> usize {
        self.rules().actions().size()
    }

    fn returns(&self) -> Vec<f32> {
        self.rules().returns(&self.lane().state)[..self.rules().num_seats()].to_vec()
    }

    fn standing(&self) -> Vec<i32> {
        self.rules().standing(&self.lane().state)[..self.rules().num_seats()].to_vec()
    }

    fn history(&self) -> &[Turn] {
        self.history()
    }

    fn legal(&self) -> Vec<usize> {
        self.legal()
    }

    fn sample(&self) -> usize {
        self.lane().sample(self.rules(), &mut Vec::new()) as usize
    }

    fn play(&mut self, action: i64) -> Result<(), Error> {
        self.play(action)
    }

    fn time_out(&mut self) -> Result<(), Error> {
        self.time_out()
    }

    fn why_not(&self, action: i64) -> Option<Error> {
        self.why_not(action)
    }

    fn refusal(&self, action: usize) -> Option<Refusal> {
        match self.why_not(action as i64)? {
            Error::IllegalAction { refusal, .. } => Some(refusal),
            _ => None,
        }
    }

    fn say(&self, action: usize) -> Spoken {
        self.rules().say(self.rules().action(action))
    }

    fn parse(&self, text: &str) -> Result<usize, Error> {
        match self.rules().parse(text) {
            Some(action) => Ok(self.rules().action_id(action)),
            None => Err(Error::UnknownAction {
                text: text.to_owned(),
                game: R::NAME,
                legal: legal_notations(self.rules(), self.lane()),
            }),
        }
    }

    fn is_silent(&self, action: usize) -> bool {
        self.rules().is_silent(&self.lane().state, self.rules().action(action))
    }

    fn moment(&self) -> Moment {
        self.rules().moment(&self.lane().state)
    }

    fn text(&self, viewer: Viewer) -> String {
        self.rules().text(&self.lane().state, viewer)
    }

    fn view(&self, viewer: Viewer) -> Value {
        self.view(viewer)
    }

    fn picture(&self, viewer: Viewer, looks: Looks<'_>) -> Picture {
        self.picture(viewer, looks)
    }

    fn heat_map(&self, tags: &[Tag], caption: &str) -> Option<Picture> {
        let ground = self.rules().ground(&self.lane().state).of_table(caption);
        let is_there = ground.places().iter().any(|place| tags.iter().any(|tag| tag.place == place.to_string()));
        is_there.then(|| ground.covered(tags))
    }

    fn tagged(&self, viewer: Viewer, looks: Looks<'_>, tags: &[Tag]) -> Picture {
        self.picture(viewer, looks).tagged(tags)
    }

    fn observe(&self, viewer: Seat, row: &mut [u8], mask: &mut [i8]) {
        self.rules().observe(&self.lane().state, viewer, row);
        if self.to_act() == Some(viewer) {
            self.rules().write_mask(&self.lane().state, mask, &mut Vec::new());
        } else {
            mask.fill(0);
        }
    }

    fn check_agent(&self, agent: &str) -> Result<(), Error> {
        agents::make(self.rules(), agent).map(drop)
    }

    fn choose(&self, agent: &str, purpose: u32, stop: &AtomicBool) -> Result<usize, Error> {
        self.choose(agent, purpose, stop)
    }

    fn hint(&self, stop: &AtomicBool) -> Result<(usize, String), Error> {
        self.hint(stop)
    }

    fn solve(&self, stop: &AtomicBool) -> Result<Solution<usize>, Error> {
        self.solve(stop)
    }

    fn solve_depth(&self) -> Option<u32> {
        self.rules().solve_depth(&self.lane().state)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(self.rules(), &self.lane().state, &self.lane().rng, depth)
    }

    fn save(&self) -> Result<Vec<u8>, Error> {
        saves::save(self.rules(), self.lane())
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.load(bytes)
    }

    fn position(&self) -> String {
        self.rules().position(&self.lane().state)
    }

    fn set_position(&mut self, text: &str) -> Result<(), Error> {
        self.set_position(text)
    }

    fn resample_hidden(&mut self, viewer: Seat, purpose: u32) {
        self.resample_hidden(viewer, purpose);
    }

    fn copy(&self, seed: Option<u64>) -> Box<dyn AnyMatch> {
        Box::new(self.copy(seed))
    }

    fn deal(&self, seed: u64, episode: u32) -> Box<dyn AnyMatch> {
        Box::new(self.deal(seed, episode))
    }

    fn branch(&self, seed: u64, episode: u32, viewer: Option<Seat>) -> Box<dyn AnyMatch> {
        Box::new(self.branch(seed, episode, viewer))
    }

    fn rewound(&self) -> Box<dyn AnyMatch> {
        Box::new(self.rewound())
    }

    fn mark(&self) -> Mark {
        Mark { lane: Box::new(self.lane().clone()), decisions: self.history().len() }
    }

    fn rewind(&mut self, mark: &Mark) {
        if let Some(lane) = mark.lane.downcast_ref::<Lane<R::State>>() {
            self.rewind(lane, mark.decisions);
        }
    }
}
