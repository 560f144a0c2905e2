//! Tree search on all lanes of a batch at once, for a caller who judges leaves: a [`Forest`].
//!
//! Every simulation guesses anew what the seat to act at the root has not seen, draws chance anew, walks down one tree of
//! the decisions that were possible in such guesses, and brings a leaf to be evaluated: the leaves of all lanes are one
//! batch of rows. The real hidden cards and the real chance are never looked at; what is drawn follows from the lane's
//! address and the number of the simulation alone.
//!
//! ```
//! use adjoin::batch::{Batch, Config};
//! use adjoin::game::Rules as _;
//! use adjoin::games::mapello::Mapello;
//! use adjoin::tree::{Forest, Results, Settings, Uniform};
//!
//! let batch = Batch::new(Mapello::new(Default::default())?, &Config { num_lanes: 8, ..Config::default() })?;
//! let mut forest = Forest::new(&batch, Settings { simulations: 20, ..Settings::default() })?;
//! forest.think(&batch, 0, &Uniform, &false.into())?;
//! let mut found = Results::new(batch.len(), batch.widths());
//! forest.results(found.rows())?;
//! assert!(found.visit_counts.iter().sum::<i32>() == 8 * 20);
//! # Ok::<(), adjoin::error::Error>(())
//! ```

mod evaluate;
mod growth;
mod numbers;
mod select;
mod settings;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::agents::{self, Agent};
use crate::batch::Batch;
use crate::bits;
use crate::error::Error;
use crate::game::{Game, Nature, Returns};
use crate::lane::{Reward, Seating};
use crate::memory::room;
use crate::pool::Pool;
use crate::rng::{Rng, draw};
use crate::rows::{ActionRows, Widths, check};

use growth::{Choice, Ground, Leaf, Scratch, Tree};

pub use evaluate::{Evaluate, NAMES as EVALUATORS, Uniform, make as evaluator};
pub use settings::{MAX_SIMULATIONS, Method, Settings};

/// Where the stream of a search's noise lies, beside those of its simulations.
const NOISE: u32 = u32::MAX - 1;

/// A tree for each lane of a batch.
pub struct Forest<R: Game> {
    seating: Arc<Seating<R>>,
    settings: Settings,
    opponents: Option<Box<dyn Agent<R>>>,
    considered: Vec<Vec<u32>>,
    trees: Vec<Tree<R::State>>,
    pool: Pool,
    /// One for each thread.
    scratches: Vec<Scratch<R>>,
    /// Simulations that are done; `None` when no leaves are out.
    done: Option<u32>,
}

/// Rows of the leaves, one per lane, owned by the caller. Where no leaf waits, all are 0 and the seat is -1.
pub struct Leaves<'a> {
    /// What the seat to act knows.
    pub observation: &'a mut [u8],
    /// What it may do.
    pub mask: &'a mut [i8],
    /// Who decides.
    pub seat: &'a mut [i8],
}

/// What a network said about the leaves, a row per lane. Rows without a leaf can hold anything.
#[derive(Clone, Copy)]
pub struct Answers<'a> {
    /// A logit for each action of the game; or for each of [`Forest::leaf_actions`], in their order.
    pub logits: Logits<'a>,
    /// What each seat may expect, that of the row first, then clockwise; or that seat alone, if another has the opposite.
    pub values: &'a [f32],
}

/// Logits of the leaves, one lane after another.
#[derive(Clone, Copy)]
pub enum Logits<'a> {
    /// One for each action of the game.
    All(&'a [f32]),
    /// One for each legal action; there can be more behind.
    Legal(&'a [f32]),
}

/// What a search found, a row per lane; zeros where there was nothing to decide.
pub struct Found<'a> {
    /// How often each action was tried.
    pub visit_counts: &'a mut [i32],
    /// What the seat to act had of each action on average; 0 where it was never tried.
    pub q_values: &'a mut [f32],
    /// How often each action should be played.
    pub policies: &'a mut [f32],
    /// What each seat may expect, the one to act first, then clockwise.
    pub values: &'a mut [f32],
    /// What to play.
    pub actions: &'a mut [i32],
}

/// Owned arrays for callers in Rust.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// See [`Found::visit_counts`].
    pub visit_counts: Vec<i32>,
    /// See [`Found::q_values`].
    pub q_values: Vec<f32>,
    /// See [`Found::policies`].
    pub policies: Vec<f32>,
    /// See [`Found::values`].
    pub values: Vec<f32>,
    /// See [`Found::actions`].
    pub actions: Vec<i32>,
}

impl Results {
    /// Arrays of zeros.
    #[must_use]
    pub fn new(lanes: usize, widths: Widths) -> Self {
        Self {
            visit_counts: vec![0; lanes * widths.mask],
            q_values: vec![0.0; lanes * widths.mask],
            policies: vec![0.0; lanes * widths.mask],
            values: vec![0.0; lanes * widths.reward],
            actions: vec![0; lanes],
        }
    }

    /// Lends the arrays.
    pub fn rows(&mut self) -> Found<'_> {
        Found {
            visit_counts: &mut self.visit_counts,
            q_values: &mut self.q_values,
            policies: &mut self.policies,
            values: &mut self.values,
            actions: &mut self.actions,
        }
    }
}

/// A run of neighbouring trees with their rows.
struct Part<'a, S> {
    first: usize,
    trees: &'a mut [Tree<S>],
    leaves: Leaves<'a>,
}

impl<R: Game> Forest<R> {
    /// Bare ground under each lane of a batch.
    pub fn new(batch: &Batch<R>, settings: Settings) -> Result<Self, Error> {
        settings.check()?;
        let opponents = settings.opponents.as_deref().map(|name| agents::make(batch.rules(), name)).transpose()?;
        let most = (batch.widths().mask as u32).min(settings.max_num_considered_actions);
        let considered = match settings.method {
            Method::Puct => Vec::new(),
            Method::Gumbel => (0..=most).map(|actions| settings.considered_visits(actions)).collect(),
        };
        let mut trees = room("trees", batch.len())?;
        trees.extend(batch.lanes().iter().map(|lane| Tree::new(&lane.state)));
        let pool = Pool::new(batch.threads().min(batch.len()));
        let seating = Arc::clone(batch.shared_seating());
        let scratches = (0..pool.threads()).map(|_| Scratch::default()).collect();
        Ok(Self { seating, settings, opponents, considered, trees, pool, scratches, done: None })
    }

    /// How many lanes there are, and how wide their rows are.
    #[must_use]
    pub fn size(&self) -> (usize, Widths) {
        (self.trees.len(), Widths::of(&self.seating.rules))
    }

    /// Whether one value a row is enough: what one of two seats wins the other loses.
    #[must_use]
    pub fn takes_single_values(&self) -> bool {
        let rules = &self.seating.rules;
        rules.num_seats() == 2 && (self.settings.reward == Reward::Win || rules.nature().is_zero_sum)
    }

    /// Takes root in the lanes as they are now, and brings the roots to be evaluated. `purpose` numbers the search: the
    /// same gets the same answer. False if no lane has anything to decide.
    pub fn begin(&mut self, batch: &Batch<R>, purpose: u32, leaves: Leaves<'_>) -> Result<bool, Error> {
        self.check_leaves(&leaves)?;
        self.plant(batch, purpose)?;
        self.each_part(leaves, &AtomicBool::new(false), |ground, part, scratch| {
            for (index, tree) in part.trees.iter_mut().enumerate() {
                tree.sprout(ground, scratch);
                write(ground, tree, index, &mut part.leaves, scratch);
            }
        })?;
        let is_due = self.trees.iter().any(|tree| tree.leaf.is_some());
        self.done = is_due.then_some(0);
        Ok(is_due)
    }

    /// Takes in what was said about the leaves and brings the next ones, until the simulations are done: then false.
    /// Refused without change if a number is none; the search can only begin anew then.
    pub fn answer(&mut self, answers: Answers<'_>, mut leaves: Leaves<'_>) -> Result<bool, Error> {
        self.check_leaves(&leaves)?;
        let Some(mut done) = self.done.take() else { return Ok(false) };
        let (lanes, widths) = self.size();
        let width = answers.values.len() / lanes;
        let starts = self.check_logits(answers.logits)?;
        let is_single = width == 1 && self.takes_single_values();
        let expected = if is_single { lanes } else { lanes * widths.reward };
        check("values", &[answers.values.len()], &[expected], true)?;

        let first_bad = AtomicUsize::new(usize::MAX);
        let mut answers = Some(answers);
        loop {
            let said = answers.take();
            let is_last = done >= self.settings.simulations;
            let due = AtomicBool::new(false);
            self.each_part(leaves.again(), &AtomicBool::new(false), |ground, part, scratch| {
                bits::wide(
                    #[inline(always)]
                    || {
                        for (index, tree) in part.trees.iter_mut().enumerate() {
                            let lane = part.first + index;
                            if let Some(said) = said
                                && !take_in(ground, tree, said.row(lane, starts[lane], width), scratch)
                            {
                                first_bad.fetch_min(lane, Ordering::Relaxed);
                                return;
                            }
                            if !is_last {
                                descend(ground, tree, scratch);
                                write(ground, tree, index, &mut part.leaves, scratch);
                                due.fetch_or(tree.leaf.is_some(), Ordering::Relaxed);
                            }
                        }
                    },
                );
            })?;
            if first_bad.load(Ordering::Relaxed) != usize::MAX {
                return Err(bad_answer(first_bad.into_inner()));
            }
            if is_last {
                return Ok(false);
            }
            done += 1;
            if due.into_inner() {
                self.done = Some(done);
                return Ok(true);
            }
        }
    }

    /// How many legal actions the leaves have in all.
    #[must_use]
    pub fn num_leaf_actions(&self) -> usize {
        self.trees.iter().map(Tree::num_leaf_actions).sum()
    }

    /// Writes the legal actions of every leaf with the facts about them, one lane after another; see [`Batch::actions`].
    pub fn leaf_actions(&mut self, out: ActionRows<'_>) -> Result<usize, Error> {
        let seating = &*self.seating;
        let width = seating.rules.facts().size();
        out.check(self.trees.len(), width)?;
        let share = self.trees.len().div_ceil(self.pool.threads());
        let counts: Vec<usize> =
            self.trees.chunks(share).map(|trees| trees.iter().map(Tree::num_leaf_actions).sum()).collect();
        let total = counts.iter().sum();
        let ActionRows { ids, facts, offsets } = out;
        if total > ids.len() {
            let expected = format!("room for the {total} legal actions");
            return Err(Error::Array { array: "ids", expected, got: format!("room for {}", ids.len()) });
        }
        let (offsets, end) = offsets.split_at_mut(self.trees.len());
        end.fill(total as i64);
        let out = ActionRows { ids, facts, offsets };
        let mut before = 0;
        let runs = self.trees.chunks(share).zip(out.split(share, &counts, width)).zip(counts);
        let parts = runs.map(|((trees, out), count)| {
            before += count;
            (trees, before - count, out)
        });
        self.pool.share(parts.collect(), &|(trees, before, out)| {
            bits::wide(
                #[inline(always)]
                || write_actions(&seating.rules, trees, before, out),
            );
        })?;
        Ok(total)
    }

    /// A whole search in which leaves are judged inside Rust. Fails if `stop` is set before it is done.
    pub fn think(
        &mut self,
        batch: &Batch<R>,
        purpose: u32,
        evaluator: &dyn Evaluate<R>,
        stop: &AtomicBool,
    ) -> Result<(), Error> {
        self.plant(batch, purpose)?;
        self.done = None;
        let first_bad = AtomicUsize::new(usize::MAX);
        self.each_part(Leaves::none(), stop, |ground, part, scratch| {
            for (index, tree) in part.trees.iter_mut().enumerate() {
                tree.sprout(ground, scratch);
                for _ in 0..=ground.settings.simulations {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    if !judge(ground, tree, evaluator, scratch) {
                        first_bad.fetch_min(part.first + index, Ordering::Relaxed);
                        return;
                    }
                    if tree.simulations() < ground.settings.simulations {
                        descend(ground, tree, scratch);
                    }
                }
            }
        })?;
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Stopped);
        }
        match first_bad.into_inner() {
            usize::MAX => Ok(()),
            lane => Err(bad_answer(lane)),
        }
    }

    /// Writes what the last search found.
    pub fn results(&mut self, found: Found<'_>) -> Result<(), Error> {
        let (lanes, Widths { mask, reward, .. }) = self.size();
        let Found { visit_counts, q_values, policies, values, actions } = found;
        check("visit_counts", &[visit_counts.len()], &[lanes * mask], true)?;
        check("q_values", &[q_values.len()], &[lanes * mask], true)?;
        check("policies", &[policies.len()], &[lanes * mask], true)?;
        check("values", &[values.len()], &[lanes * reward], true)?;
        check("actions", &[actions.len()], &[lanes], true)?;
        visit_counts.fill(0);
        q_values.fill(0.0);
        policies.fill(0.0);
        values.fill(0.0);
        actions.fill(0);
        let stop = AtomicBool::new(false);
        let ground = ground(&self.seating, &self.settings, self.opponents.as_deref(), &self.considered, &stop);
        let (mut offered, mut policy) = (Vec::new(), Vec::new());
        for (lane, tree) in self.trees.iter().enumerate() {
            let Some(viewer) = tree.viewer.filter(|_| !tree.root_edges().is_empty()) else { continue };
            let choice = tree.final_choice(&ground, &mut offered);
            let played = match self.settings.method {
                Method::Puct => {
                    choice.shares(&mut policy);
                    let unit = numbers::unit(&mut Rng::from_bits(draw(tree.key, NOISE)));
                    choice.played(&self.settings, unit)
                }
                Method::Gumbel => {
                    let played = choice.halving(choice.most_visits(), &mut policy);
                    choice.improve(&mut policy);
                    select::softmax(&mut policy);
                    played
                }
            };
            actions[lane] = choice.edges[played as usize].action() as i32;
            for (edge, &share) in tree.root_edges().iter().zip(&policy) {
                let place = lane * mask + edge.action();
                visit_counts[place] = edge.visits as i32;
                q_values[place] = edge.mean();
                policies[place] = share;
            }
            let expected = tree.root_values(reward);
            for (value, seat) in values[lane * reward..].iter_mut().zip(viewer.around(reward)) {
                *value = expected[seat.index()];
            }
        }
        Ok(())
    }

    fn plant(&mut self, batch: &Batch<R>, purpose: u32) -> Result<(), Error> {
        check("lanes", &[batch.len()], &[self.trees.len()], true)?;
        for (tree, lane) in self.trees.iter_mut().zip(batch.lanes()) {
            let viewer = lane.to_act(batch.rules());
            tree.plant(&lane.state, viewer, lane.decisions, lane.advice(purpose));
        }
        Ok(())
    }

    /// Where the logits of each lane begin.
    fn check_logits(&self, logits: Logits<'_>) -> Result<Vec<usize>, Error> {
        let (lanes, widths) = self.size();
        match logits {
            Logits::All(logits) => {
                check("logits", &[logits.len()], &[lanes * widths.mask], true)?;
                Ok((0..lanes).map(|lane| lane * widths.mask).collect())
            }
            Logits::Legal(logits) => {
                let mut end = 0;
                let mut starts = room("lanes", lanes)?;
                for tree in &self.trees {
                    starts.push(end);
                    end += tree.num_leaf_actions();
                }
                if logits.len() < end {
                    let expected = format!("one for each of the {end} legal actions");
                    return Err(Error::Array { array: "logits", expected, got: logits.len().to_string() });
                }
                Ok(starts)
            }
        }
    }

    fn check_leaves(&self, leaves: &Leaves<'_>) -> Result<(), Error> {
        let (lanes, widths) = self.size();
        check("observation", &[leaves.observation.len()], &[lanes * widths.observation], true)?;
        check("mask", &[leaves.mask.len()], &[lanes * widths.mask], true)?;
        check("seat", &[leaves.seat.len()], &[lanes], true)
    }

    /// Hands every thread its run of trees.
    fn each_part(
        &mut self,
        leaves: Leaves<'_>,
        stop: &AtomicBool,
        work: impl Fn(&Ground<'_, R>, &mut Part<'_, R::State>, &mut Scratch<R>) + Sync,
    ) -> Result<(), Error> {
        let widths = Widths::of(&self.seating.rules);
        let ground = ground(&self.seating, &self.settings, self.opponents.as_deref(), &self.considered, stop);
        let share = self.trees.len().div_ceil(self.pool.threads());
        let mut rest = leaves;
        let mut parts = Vec::with_capacity(self.pool.threads());
        for (number, (trees, scratch)) in self.trees.chunks_mut(share).zip(&mut self.scratches).enumerate() {
            let (leaves, later) = rest.split_at(trees.len(), widths);
            rest = later;
            parts.push((Part { first: number * share, trees, leaves }, scratch));
        }
        self.pool.share(parts, &|(mut part, scratch)| work(&ground, &mut part, scratch))
    }
}

fn ground<'a, R: Game>(
    seating: &'a Seating<R>,
    settings: &'a Settings,
    opponents: Option<&'a dyn Agent<R>>,
    considered: &'a [Vec<u32>],
    stop: &'a AtomicBool,
) -> Ground<'a, R> {
    let rules = &seating.rules;
    let Nature { has_chance, has_hidden, .. } = rules.nature();
    let is_open = !has_chance && !has_hidden && opponents.is_none();
    Ground { rules, settings, opponents, considered, is_open, max_decisions: seating.max_decisions, stop }
}

/// Walks down the way that the method goes.
#[inline(always)]
fn descend<R: Game>(ground: &Ground<'_, R>, tree: &mut Tree<R::State>, scratch: &mut Scratch<R>) {
    let c_puct = ground.settings.c_puct;
    tree.descend(ground, scratch, |choice, scores| match choice.noise {
        [] => choice.puct(c_puct, ground.is_open),
        _ => choice.halving(considered_visits(ground, choice), scores),
    });
}

fn considered_visits<R: Game>(ground: &Ground<'_, R>, choice: &Choice<'_>) -> u32 {
    let actions = choice.offered.len().min(ground.considered.len() - 1);
    ground.considered[actions].get(choice.simulation as usize).copied().unwrap_or(0)
}

/// Takes in what was said about the leaf, if there is one; false if a number is none.
#[inline(always)]
fn take_in<R: Game>(
    ground: &Ground<'_, R>,
    tree: &mut Tree<R::State>,
    said: Answers<'_>,
    scratch: &mut Scratch<R>,
) -> bool {
    let Some(leaf) = tree.leaf else { return true };
    let out = &mut scratch.judgement;
    out.logits.clear();
    match said.logits {
        Logits::All(logits) => out.logits.extend(tree.leaf_actions().map(|action| logits[action])),
        Logits::Legal(logits) => out.logits.extend_from_slice(&logits[..tree.num_leaf_actions()]),
    }
    out.values = Returns::default();
    if let [value] = *said.values {
        (out.values[leaf.seat.index()], out.values[1 - leaf.seat.index()]) = (value, -value);
    } else {
        for (&value, seat) in said.values.iter().zip(leaf.seat.around(said.values.len())) {
            out.values[seat.index()] = value;
        }
    }
    learn(ground, tree, leaf, scratch)
}

/// Lets an evaluator judge the leaf, if there is one; false if a number is none.
fn judge<R: Game>(
    ground: &Ground<'_, R>,
    tree: &mut Tree<R::State>,
    evaluator: &dyn Evaluate<R>,
    scratch: &mut Scratch<R>,
) -> bool {
    let Some(leaf) = tree.leaf else { return true };
    scratch.actions.clear();
    scratch.actions.extend(tree.leaf_actions().map(|action| ground.rules.action(action)));
    evaluator.evaluate(ground.rules, &tree.world, &scratch.actions, &mut scratch.judgement);
    learn(ground, tree, leaf, scratch)
}

/// Takes in the judgement of a leaf; false if a number is none.
#[inline(always)]
fn learn<R: Game>(ground: &Ground<'_, R>, tree: &mut Tree<R::State>, leaf: Leaf, scratch: &mut Scratch<R>) -> bool {
    let is_root = tree.is_at_root();
    let is_good = tree.expand(leaf, &mut scratch.judgement, ground.rules.num_seats());
    if is_root && is_good {
        stir(ground.settings, tree);
    }
    is_good
}

/// Brings noise to a root that was just evaluated.
fn stir<S: Clone>(settings: &Settings, tree: &mut Tree<S>) {
    let mut rng = Rng::from_bits(draw(tree.key, NOISE - 1));
    let actions = tree.root_edges().len();
    match settings.method {
        Method::Gumbel => {
            tree.set_noise((0..actions).map(|_| settings.gumbel_scale * numbers::gumbel(&mut rng)));
        }
        Method::Puct if settings.dirichlet_fraction > 0.0 => {
            let mut shares = vec![0.0; actions];
            numbers::dirichlet(settings.dirichlet_alpha.into(), &mut shares, &mut rng);
            tree.mix_root(settings.dirichlet_fraction, &shares);
        }
        Method::Puct => {}
    }
}

/// Writes the row of a leaf, or zeros.
#[inline(always)]
fn write<R: Game>(
    ground: &Ground<'_, R>,
    tree: &Tree<R::State>,
    index: usize,
    leaves: &mut Leaves<'_>,
    scratch: &mut Scratch<R>,
) {
    let widths = Widths::of(ground.rules);
    let observation = &mut leaves.observation[index * widths.observation..(index + 1) * widths.observation];
    let mask = &mut leaves.mask[index * widths.mask..(index + 1) * widths.mask];
    if tree.leaf.is_some() {
        let seat = ground.rules.write_turn(&tree.world, observation, mask, &mut scratch.actions);
        leaves.seat[index] = seat.map_or(-1, |seat| seat.index() as i8);
    } else {
        observation.fill(0);
        mask.fill(0);
        leaves.seat[index] = -1;
    }
}

/// Writes the actions of some leaves; `before` of others come first.
#[inline(always)]
fn write_actions<R: Game>(rules: &R, trees: &[Tree<R::State>], before: usize, out: ActionRows<'_>) {
    let width = rules.facts().size();
    let mut legal = Vec::new();
    let mut at = 0;
    for (tree, offset) in trees.iter().zip(out.offsets) {
        *offset = (before + at) as i64;
        let end = at + tree.num_leaf_actions();
        if end == at {
            continue;
        }
        legal.clear();
        for (id, action) in out.ids[at..end].iter_mut().zip(tree.leaf_actions()) {
            *id = action as i32;
            legal.push(rules.action(action));
        }
        rules.describe_actions(&tree.world, &legal, &mut out.facts[at * width..end * width]);
        at = end;
    }
}

fn bad_answer(lane: usize) -> Error {
    Error::Array {
        array: "evaluate",
        expected: "finite values, and logits of legal actions that are numbers below infinity".to_owned(),
        got: format!("others for the leaf of lane {lane}"),
    }
}

impl Leaves<'_> {
    fn none() -> Self {
        Self { observation: &mut [], mask: &mut [], seat: &mut [] }
    }

    fn again(&mut self) -> Leaves<'_> {
        Leaves { observation: self.observation, mask: self.mask, seat: self.seat }
    }

    fn split_at(self, lanes: usize, widths: Widths) -> (Self, Self) {
        if self.seat.is_empty() {
            return (Self::none(), self);
        }
        let (observation, later_observation) = self.observation.split_at_mut(lanes * widths.observation);
        let (mask, later_mask) = self.mask.split_at_mut(lanes * widths.mask);
        let (seat, later_seat) = self.seat.split_at_mut(lanes);
        (Self { observation, mask, seat }, Self { observation: later_observation, mask: later_mask, seat: later_seat })
    }
}

impl<'a> Answers<'a> {
    /// What was said about a lane, whose logits begin at `start`.
    #[inline(always)]
    fn row(&self, lane: usize, start: usize, width: usize) -> Answers<'a> {
        let logits = match self.logits {
            Logits::All(logits) => Logits::All(&logits[start..]),
            Logits::Legal(logits) => Logits::Legal(&logits[start..]),
        };
        Answers { logits, values: &self.values[lane * width..(lane + 1) * width] }
    }
}
