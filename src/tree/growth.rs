//! One tree: nodes and edges in flat lists that keep their room from search to search.
//!
//! A node stands for a sequence of decisions. What is legal after it can differ from guess to guess, so a node's edges
//! grow as actions appear; where nothing is hidden and nothing left to chance, they are complete at once.

use std::sync::atomic::AtomicBool;

use super::numbers::exp;
use super::settings::Settings;
use crate::agents::Agent;
use crate::game::{Game, Returns, Seat, win_of};
use crate::lane::{Reward, leads};
use crate::policy::Judgement;
use crate::rng::{Rng, draw};

/// An edge without a node below it yet.
const NOWHERE: u32 = u32::MAX;
/// The prior of an edge that waits for one.
const WAITS: f32 = -1.0;
/// The least logit; lower ones are taken for it.
const LEAST_LOGIT: f32 = -1e9;

/// What all trees of a search share.
pub(super) struct Ground<'a, R: Game> {
    pub rules: &'a R,
    pub settings: &'a Settings,
    pub opponents: Option<&'a dyn Agent<R>>,
    /// How often an action must have been tried to be tried next, by number of actions and simulation.
    pub considered: &'a [Vec<u32>],
    /// Whether every simulation sees the same: no chance, nothing hidden.
    pub is_open: bool,
    pub max_decisions: u32,
    pub stop: &'a AtomicBool,
}

/// What a thread needs while it works.
pub(super) struct Scratch<R: Game> {
    pub actions: Vec<R::Action>,
    pub judgement: Judgement,
    scores: Vec<f32>,
    merged: Vec<Edge>,
}

impl<R: Game> Default for Scratch<R> {
    fn default() -> Self {
        Self { actions: Vec::new(), judgement: Judgement::default(), scores: Vec::new(), merged: Vec::new() }
    }
}

/// After some decisions.
#[derive(Clone, Copy)]
struct Node {
    /// Where its edges begin, in the order of their keys.
    first: u32,
    len: u32,
    /// Edges that have room there.
    room: u32,
    /// How often it was evaluated.
    evaluations: u32,
}

/// A decision that was possible in some guess.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// Whose it is, and which: see [`key`].
    key: u32,
    child: u32,
    pub visits: u32,
    /// How often it could have been chosen; not counted in an open game.
    pub available: u32,
    /// Sum of what the seat had of it.
    pub value: f32,
    pub prior: f32,
    pub logit: f32,
}

impl Edge {
    pub fn action(&self) -> usize {
        (self.key & 0xff_ffff) as usize
    }

    /// What the seat has of it on average; 0 if it was never chosen.
    pub fn mean(&self) -> f32 {
        if self.visits == 0 { 0.0 } else { self.value / self.visits as f32 }
    }
}

fn key(seat: Seat, action: usize) -> u32 {
    (seat.index() as u32) << 24 | action as u32
}

/// A node that waits for an evaluation.
#[derive(Clone, Copy)]
pub(super) struct Leaf {
    node: u32,
    pub seat: Seat,
}

/// What is known at a node about the choice at hand.
pub(super) struct Choice<'a> {
    pub edges: &'a [Edge],
    /// The edges that can be chosen.
    pub offered: &'a [u32],
    /// The seat's value by the evaluation alone.
    pub raw: f32,
    /// Gumbel noise of the root's edges, and where they begin; empty elsewhere, and without such noise.
    pub noise: &'a [f32],
    pub first: u32,
    pub simulation: u32,
    /// What turns a value into one of a common scale: what to take away, and the factor then.
    pub scale: [f32; 2],
}

/// The tree of one lane.
pub(super) struct Tree<S> {
    root: S,
    /// The seat to act at the root; `None` if there is nothing to decide.
    pub viewer: Option<Seat>,
    /// The leaf that waits for an evaluation, if one does.
    pub leaf: Option<Leaf>,
    /// The match at the leaf, as it was guessed.
    pub world: S,
    pub key: u64,
    decisions: u32,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Sums of evaluations, by node and seat.
    raw: Vec<f32>,
    /// The edges from the root to the leaf.
    path: Vec<u32>,
    /// The edges that are legal at the leaf.
    offered: Vec<u32>,
    noise: Vec<f32>,
    sums: Returns,
    range: [f32; 2],
    simulations: u32,
}

impl<S: Clone> Tree<S> {
    /// A tree at a state; without a viewer there is nothing to decide.
    pub fn new(state: &S) -> Self {
        Self {
            root: state.clone(),
            viewer: None,
            leaf: None,
            world: state.clone(),
            key: 0,
            decisions: 0,
            nodes: Vec::new(),
            edges: Vec::new(),
            raw: Vec::new(),
            path: Vec::new(),
            offered: Vec::new(),
            noise: Vec::new(),
            sums: Returns::default(),
            range: [0.0; 2],
            simulations: 0,
        }
    }

    /// Forgets everything and takes root at a state.
    pub fn plant(&mut self, state: &S, viewer: Option<Seat>, decisions: u32, key: u64) {
        self.root.clone_from(state);
        self.viewer = viewer;
        self.leaf = None;
        self.key = key;
        self.decisions = decisions;
        self.nodes.clear();
        self.edges.clear();
        self.raw.clear();
        self.noise.clear();
        self.sums = Returns::default();
        self.range = [f32::INFINITY, f32::NEG_INFINITY];
        self.simulations = 0;
    }

    /// How many simulations are done.
    pub fn simulations(&self) -> u32 {
        self.simulations
    }

    /// Whether the leaf is the root.
    pub fn is_at_root(&self) -> bool {
        self.path.is_empty()
    }

    /// The edges of the root.
    pub fn root_edges(&self) -> &[Edge] {
        self.nodes.first().map_or(&[], |root| self.block(root))
    }

    fn block(&self, node: &Node) -> &[Edge] {
        &self.edges[node.first as usize..(node.first + node.len) as usize]
    }

    /// What each seat may expect at the root: the mean of its evaluation and of all simulations.
    pub fn root_values(&self, seats: usize) -> Returns {
        let mut values = self.sums;
        let count = (self.simulations + 1) as f32;
        values[..seats].iter_mut().zip(&self.raw).for_each(|(sum, raw)| *sum = (*sum + raw) / count);
        values
    }

    /// What the root offers, as it is seen when the search is over.
    pub fn final_choice<'a, R: Game<State = S>>(&'a self, ground: &Ground<'_, R>, all: &'a mut Vec<u32>) -> Choice<'a> {
        all.clear();
        all.extend(self.nodes.first().map_or(0..0, |root| root.first..root.first + root.len));
        let seat = self.viewer.map_or(0, Seat::index);
        self.choice(ground, 0, Seat::new(seat), all)
    }

    fn choice<'a, R: Game<State = S>>(
        &'a self,
        ground: &Ground<'_, R>,
        at: usize,
        seat: Seat,
        offered: &'a [u32],
    ) -> Choice<'a> {
        let node = &self.nodes[at];
        let raw = self.raw[at * ground.rules.num_seats() + seat.index()] / node.evaluations.max(1) as f32;
        let [low, high] = self.range;
        let scale = match ground.settings.reward {
            Reward::Win => [0.0, 1.0],
            Reward::Points | Reward::Lead if high > low => [low, 2.0 / (high - low)],
            Reward::Points | Reward::Lead => [0.0, 0.0],
        };
        let noise: &[f32] = if at == 0 { &self.noise } else { &[] };
        Choice { edges: &self.edges, offered, raw, noise, first: node.first, simulation: self.simulations, scale }
    }

    /// Brings the root to its evaluation.
    pub fn sprout<R: Game<State = S>>(&mut self, ground: &Ground<'_, R>, scratch: &mut Scratch<R>) {
        let Some(viewer) = self.viewer else { return };
        let mut rng = Rng::from_bits(draw(self.key, u32::MAX));
        self.guess(ground, viewer, &mut rng);
        self.path.clear();
        self.add_node(ground.rules.num_seats());
        self.offer(ground, 0, viewer, scratch);
        self.leaf = Some(Leaf { node: 0, seat: viewer });
    }

    /// Walks down once: to a leaf that waits for an evaluation, or to the end of a match, which counts at once.
    #[inline(always)]
    pub fn descend<R: Game<State = S>>(
        &mut self,
        ground: &Ground<'_, R>,
        scratch: &mut Scratch<R>,
        select: impl Fn(&Choice<'_>, &mut Vec<f32>) -> u32,
    ) {
        let Some(viewer) = self.viewer else { return };
        let rules = ground.rules;
        let mut rng = Rng::from_bits(draw(self.key, self.simulations));
        self.guess(ground, viewer, &mut rng);
        self.path.clear();
        let mut at = 0;
        let mut decisions = self.decisions;
        loop {
            let seat = if decisions < ground.max_decisions { rules.to_act(&self.world) } else { None };
            let Some(seat) = seat else {
                let values = result(rules, &self.world, ground.settings.reward);
                self.count(&values);
                return;
            };
            if !self.offer(ground, at, seat, scratch) {
                self.leaf = Some(Leaf { node: at as u32, seat });
                return;
            }
            let edge = select(&self.choice(ground, at, seat, &self.offered), &mut scratch.scores);
            self.path.push(edge);
            rules.apply(&mut self.world, rules.action(self.edges[edge as usize].action()), &mut rng);
            decisions += 1;
            if let Some(agent) = ground.opponents {
                while let Some(seat) = rules.to_act(&self.world).filter(|&seat| seat != viewer) {
                    debug_assert_ne!(seat, viewer);
                    let action = agent.choose(rules, &self.world, rng.bits(), ground.stop, &mut scratch.actions);
                    rules.apply(&mut self.world, action, &mut rng);
                    decisions += 1;
                }
            }
            at = match self.edges[edge as usize].child {
                NOWHERE => {
                    let child = self.add_node(rules.num_seats());
                    self.edges[edge as usize].child = child as u32;
                    child
                }
                child => child as usize,
            };
        }
    }

    #[inline(always)]
    fn guess<R: Game<State = S>>(&mut self, ground: &Ground<'_, R>, viewer: Seat, rng: &mut Rng) {
        self.world.clone_from(&self.root);
        if !ground.is_open {
            ground.rules.resample_hidden(&mut self.world, viewer, rng);
        }
    }

    fn add_node(&mut self, seats: usize) -> usize {
        self.nodes.push(Node { first: self.edges.len() as u32, len: 0, room: 0, evaluations: 0 });
        self.raw.resize(self.raw.len() + seats, 0.0);
        self.nodes.len() - 1
    }

    /// Lists the edges that are legal in the guess. False where the node has to be evaluated: never done, or in guesses
    /// so different that most of what is legal now has no prior.
    #[inline(always)]
    fn offer<R: Game<State = S>>(
        &mut self,
        ground: &Ground<'_, R>,
        at: usize,
        seat: Seat,
        scratch: &mut Scratch<R>,
    ) -> bool {
        let node = self.nodes[at];
        self.offered.clear();
        if ground.is_open && node.evaluations > 0 {
            self.offered.extend(node.first..node.first + node.len);
            return true;
        }
        scratch.actions.clear();
        ground.rules.legal_actions(&self.world, &mut scratch.actions);
        let keys = scratch.actions.iter().map(|&action| key(seat, ground.rules.action_id(action)));
        if node.len == 0 {
            self.nodes[at] = Node {
                first: self.edges.len() as u32,
                len: scratch.actions.len() as u32,
                room: scratch.actions.len() as u32,
                ..node
            };
            let first = self.edges.len() as u32;
            self.edges.extend(keys.map(new_edge));
            self.offered.extend(first..self.edges.len() as u32);
            return false;
        }
        self.offer_again(at, keys, &mut scratch.merged)
    }

    /// Merges keys, in their order, into the edges of a node that has some.
    fn offer_again(&mut self, at: usize, keys: impl Iterator<Item = u32>, merged: &mut Vec<Edge>) -> bool {
        let node = self.nodes[at];
        let mut place = node.first;
        let end = node.first + node.len;
        let (mut unknown, mut known, mut prior, mut logit) = (0, 0, 0.0, 0.0);
        merged.clear();
        for key in keys {
            while place < end && self.edges[place as usize].key < key {
                merged.push(self.edges[place as usize]);
                place += 1;
            }
            self.offered.push(node.first + merged.len() as u32);
            if place < end && self.edges[place as usize].key == key {
                let edge = &self.edges[place as usize];
                (known, prior, logit) = (known + 1, prior + edge.prior, logit + edge.logit);
                merged.push(*edge);
                place += 1;
            } else {
                unknown += 1;
                merged.push(new_edge(key));
            }
        }
        let is_leaf = node.evaluations == 0 || unknown > known;
        if unknown > 0 {
            merged.extend_from_slice(&self.edges[place as usize..end as usize]);
            if !is_leaf {
                let (prior, logit) = (prior / known as f32, logit / known as f32);
                merged
                    .iter_mut()
                    .filter(|edge| edge.prior < 0.0)
                    .for_each(|edge| (edge.prior, edge.logit) = (prior, logit));
            }
            self.replace(at, merged);
        }
        if is_leaf {
            return false;
        }
        for &edge in &self.offered {
            self.edges[edge as usize].available += 1;
        }
        true
    }

    /// Gives a node more edges, elsewhere if they have no room where they are.
    fn replace(&mut self, at: usize, edges: &[Edge]) {
        let Node { first, room, .. } = self.nodes[at];
        let len = edges.len() as u32;
        let mut place = first;
        if len > room {
            place = self.edges.len() as u32;
            self.edges.resize(self.edges.len() + 2 * edges.len(), new_edge(0));
            self.nodes[at].room = 2 * len;
            self.offered.iter_mut().for_each(|edge| *edge = *edge - first + place);
        }
        self.nodes[at].first = place;
        self.nodes[at].len = len;
        self.edges[place as usize..(place + len) as usize].copy_from_slice(edges);
    }

    /// How many actions are legal at the leaf; 0 if none waits.
    #[inline(always)]
    pub fn num_leaf_actions(&self) -> usize {
        if self.leaf.is_some() { self.offered.len() } else { 0 }
    }

    /// The actions that are legal at the leaf.
    pub fn leaf_actions(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.offered.iter().map(|&edge| self.edges[edge as usize].action())
    }

    /// Takes in the evaluation of the leaf: a logit for each of [`Tree::leaf_actions`], and what each seat may expect.
    /// False, and nothing is taken in, if one of them is no number.
    #[inline(always)]
    pub fn expand(&mut self, leaf: Leaf, judgement: &mut Judgement, seats: usize) -> bool {
        let Judgement { logits, values, .. } = judgement;
        let is_bad = |number: f32| number.is_nan() || number == f32::INFINITY;
        if logits.iter().copied().any(is_bad) || !values.iter().all(|value| value.is_finite()) {
            return false;
        }
        let most = logits.iter().copied().fold(LEAST_LOGIT, f32::max);
        for logit in &mut *logits {
            *logit = logit.max(LEAST_LOGIT) - most;
        }
        let sum: f32 = logits.iter().map(|&logit| exp(logit)).sum();
        let (shift, factor) = (sum.ln(), 1.0 / sum);
        for (&edge, &logit) in self.offered.iter().zip(&*logits) {
            let edge = &mut self.edges[edge as usize];
            if edge.prior < 0.0 {
                edge.prior = exp(logit) * factor;
                edge.logit = logit - shift;
            }
        }
        self.leaf = None;
        let node = leaf.node as usize;
        self.nodes[node].evaluations += 1;
        let raw = &mut self.raw[node * seats..(node + 1) * seats];
        raw.iter_mut().zip(&*values).for_each(|(sum, value)| *sum += value);
        if !self.path.is_empty() {
            self.count(values);
        }
        true
    }

    /// Tells the edges from the root to the leaf how each seat came off.
    #[inline(always)]
    fn count(&mut self, values: &Returns) {
        for &edge in &self.path {
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            let value = values[(edge.key >> 24) as usize];
            edge.value += value;
            self.range = [self.range[0].min(value), self.range[1].max(value)];
        }
        self.sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        self.simulations += 1;
    }

    /// Stirs noise into the priors of the root, which has just been evaluated; `shares` add up to 1.
    pub fn mix_root(&mut self, fraction: f32, shares: &[f64]) {
        let Some(&Node { first, len, .. }) = self.nodes.first() else { return };
        for (edge, &share) in self.edges[first as usize..(first + len) as usize].iter_mut().zip(shares) {
            edge.prior = (1.0 - fraction) * edge.prior + fraction * share as f32;
        }
    }

    /// Sets the noise that root edges have in their order.
    pub fn set_noise(&mut self, noise: impl Iterator<Item = f32>) {
        self.noise.clear();
        self.noise.extend(noise);
    }
}

fn new_edge(key: u32) -> Edge {
    Edge { key, child: NOWHERE, visits: 0, available: 0, value: 0.0, prior: WAITS, logit: 0.0 }
}

/// What each seat has of a match that is over or cut off, which nobody wins.
fn result<R: Game>(rules: &R, state: &R::State, reward: Reward) -> Returns {
    match reward {
        Reward::Points => rules.returns(state),
        Reward::Lead => leads(rules, state),
        Reward::Win if rules.to_act(state).is_some() => Returns::default(),
        Reward::Win => win_of(rules.num_seats(), &rules.returns(state)),
    }
}
