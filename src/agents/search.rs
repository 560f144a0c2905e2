//! Information-set Monte Carlo tree search.
//!
//! Every iteration guesses anew what the seat to act has not seen ([`crate::game::Rules::resample_hidden`]), walks down
//! one tree of the actions that were possible in such guesses, adds a node, plays on, and tells the nodes on its way how
//! each seat came off. The real hidden cards and the real chance are never looked at.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Agent, Call, Greedy, Random, learned};
use crate::bits;
use crate::error::Error;
use crate::game::{Game, MAX_SEATS, Seat, Tuning};
use crate::policy::{Judgement, Policy};
use crate::rng::Rng;

/// Looks ahead by trying things out, in guesses of what it cannot see.
pub struct Search {
    budget: Budget,
    /// Judges actions at first sight, and positions, in the place of the game's own judgement.
    prior: Option<Policy>,
    playouts: Playouts,
    /// What is given of the game's [`Tuning`].
    depth: Option<u32>,
    explore: Option<f32>,
}

#[derive(Clone, Copy, Debug)]
enum Budget {
    Iterations(u32),
    Time(Duration),
}

#[derive(Clone, Copy, Debug)]
enum Playouts {
    Random,
    Greedy,
    /// The policy says what a position is worth.
    None,
}

impl Search {
    /// So many iterations, the rest as the game is tuned.
    #[must_use]
    pub const fn new(iterations: u32) -> Self {
        let budget = Budget::Iterations(iterations);
        Self { budget, prior: None, playouts: Playouts::Greedy, depth: None, explore: None }
    }

    /// Takes its arguments out of a call.
    pub fn from_call<R: Game>(rules: &R, call: &mut Call) -> Result<Self, Error> {
        let iterations = call.number("iterations", 1..=u32::MAX)?;
        let seconds = call.number("seconds", 0.001..=86_400.0)?;
        let budget = match (iterations, seconds) {
            (Some(_), Some(_)) => return Err(call.refuse("iterations or seconds, not both")),
            (None, Some(_)) if cfg!(target_family = "wasm") => {
                return Err(call.refuse("there is no clock in a browser; give iterations, not seconds"));
            }
            (_, Some(seconds)) => Budget::Time(Duration::from_secs_f64(seconds)),
            (iterations, None) => Budget::Iterations(iterations.unwrap_or(500)),
        };
        let is_learned = call.word("prior", &[("greedy", false), ("learned", true)])? == Some(true);
        let prior = if is_learned { Some(learned::policy(rules, call)?) } else { None };
        let words = [("greedy", Playouts::Greedy), ("random", Playouts::Random), ("none", Playouts::None)];
        let playouts = match call.word("playouts", &words)? {
            Some(Playouts::None) if prior.is_none() => return Err(call.refuse("playouts=none is for prior=learned")),
            Some(playouts) => playouts,
            None if prior.as_ref().is_some_and(Policy::has_values) => Playouts::None,
            None => Playouts::Greedy,
        };
        let depth = call.number("depth", 0..=u32::MAX)?;
        let explore = call.number("explore", 0.0..=100.0)?;
        Ok(Self { budget, prior, playouts, depth, explore })
    }
}

impl<R: Game> Agent<R> for Search {
    fn choose(
        &self,
        rules: &R,
        state: &R::State,
        random: u64,
        stop: &AtomicBool,
        scratch: &mut Vec<R::Action>,
    ) -> R::Action {
        scratch.clear();
        rules.legal_actions(state, scratch);
        let Some(viewer) = rules.to_act(state).filter(|_| scratch.len() > 1) else { return scratch[0] };
        let tuning =
            Tuning { depth: self.depth.unwrap_or(R::SEARCH.depth), explore: self.explore.unwrap_or(R::SEARCH.explore) };
        let mut tree = Tree::new(rules, tuning, self, random);
        // Where the budget is a number, no clock is asked: there may be none.
        let deadline = match self.budget {
            Budget::Iterations(_) => None,
            Budget::Time(enough) => Some(Instant::now() + enough),
        };
        for iteration in 0_u64.. {
            let is_enough = match self.budget {
                Budget::Iterations(enough) => iteration >= u64::from(enough),
                Budget::Time(_) => iteration > 0 && deadline.is_some_and(|deadline| Instant::now() >= deadline),
            };
            if is_enough || stop.load(Ordering::Relaxed) {
                break;
            }
            tree.iterate(state, viewer, stop);
        }
        tree.best().unwrap_or_else(|| rules.action(rules.action_id(scratch[0])))
    }
}

/// An action that was possible in some guess, after those that led to it.
struct Node {
    /// The action's id.
    action: u32,
    /// Who played it.
    seat: u8,
    /// How it was judged at first sight: by the policy's logit, or by the game's judgement.
    judged: f32,
    /// How often it was played.
    visits: u32,
    /// How often it could have been.
    chances: u32,
    /// Sum of how its player came off.
    value: f32,
    /// The nodes that follow, in the order of their actions' ids.
    children: Vec<u32>,
}

impl Node {
    fn new(action: u32, seat: Seat, judged: f32) -> Self {
        let seat = seat.index() as u8;
        Self { action, seat, judged, visits: 0, chances: 0, value: 0.0, children: Vec::new() }
    }
}

struct Tree<'a, R: Game> {
    rules: &'a R,
    tuning: Tuning,
    prior: Option<&'a Policy>,
    playouts: Playouts,
    rng: Rng,
    nodes: Vec<Node>,
    leads: Spread,
    // Kept from one iteration to the next, so that nothing is allocated in the long run.
    actions: Vec<R::Action>,
    /// The children that can be gone to, and the prior of each.
    offered: Vec<(u32, f32)>,
    judgement: Judgement,
    path: Vec<u32>,
    scratch: Vec<R::Action>,
}

impl<'a, R: Game> Tree<'a, R> {
    fn new(rules: &'a R, tuning: Tuning, search: &'a Search, random: u64) -> Self {
        Self {
            rules,
            tuning,
            prior: search.prior.as_ref(),
            playouts: search.playouts,
            rng: Rng::from_bits(random),
            nodes: vec![Node::new(0, Seat::new(0), 0.0)],
            leads: Spread::default(),
            actions: Vec::new(),
            offered: Vec::new(),
            judgement: Judgement::default(),
            path: Vec::new(),
            scratch: Vec::new(),
        }
    }

    fn iterate(&mut self, state: &R::State, viewer: Seat, stop: &AtomicBool) {
        let mut world = state.clone();
        self.rules.resample_hidden(&mut world, viewer, &mut self.rng);
        self.path.clear();
        self.path.push(0);
        let mut at = 0;
        while let Some(seat) = self.rules.to_act(&world) {
            let (child, action) = self.descend(at, &world, seat);
            self.rules.apply(&mut world, action, &mut self.rng);
            at = child;
            self.path.push(child as u32);
            if self.nodes[child].visits == 0 {
                break;
            }
        }
        let values = match (self.playouts, self.rules.to_act(&world)) {
            (Playouts::None, Some(seat)) => self.hopes(at, &world, seat),
            _ => self.play_on(world, stop),
        };
        for &node in &self.path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            node.value += values[usize::from(node.seat)];
        }
    }

    /// The child to go to: good so far, or liked by the game's judgement and not tried enough.
    fn descend(&mut self, at: usize, world: &R::State, seat: Seat) -> (usize, R::Action) {
        self.offer(at, world, seat);
        let (visits, value) = self.offered.iter().fold((0, 0.0), |(visits, value), &(child, _)| {
            let child = &self.nodes[child as usize];
            (visits + child.visits, value + child.value)
        });
        let unknown = if visits == 0 { 0.5 } else { value / visits as f32 };
        let mut best = (f32::NEG_INFINITY, 0);
        for &(child, prior) in &self.offered {
            let node = &self.nodes[child as usize];
            let value = if node.visits == 0 { unknown } else { node.value / node.visits as f32 };
            let score = value + self.tuning.explore * prior * (node.chances as f32).sqrt() / (1 + node.visits) as f32;
            if score > best.0 {
                best = (score, child as usize);
            }
        }
        (best.1, self.rules.action(self.nodes[best.1].action as usize))
    }

    /// Lists the children whose actions are legal in this guess, with their priors.
    fn offer(&mut self, at: usize, world: &R::State, seat: Seat) {
        self.add_children(at, world, seat);
        for (child, judged) in &mut self.offered {
            let node = &mut self.nodes[*child as usize];
            node.chances += 1;
            *judged = node.judged;
        }
        if self.prior.is_some() {
            softmax(&mut self.offered);
        } else {
            by_rank(&mut self.offered);
        }
    }

    /// Lists the children whose actions are legal in this guess; those that are new are judged.
    fn add_children(&mut self, at: usize, world: &R::State, seat: Seat) {
        self.actions.clear();
        self.rules.legal_actions(world, &mut self.actions);
        self.offered.clear();
        let mut is_judged = self.prior.is_none();
        for index in 0..self.actions.len() {
            let action = self.actions[index];
            let id = self.rules.action_id(action) as u32;
            let child = self.find(at, id).unwrap_or_else(|place| {
                if !is_judged {
                    self.judge(world);
                    is_judged = true;
                }
                let judged = match self.prior {
                    Some(_) => self.judgement.logits[index],
                    None => self.rules.value(world, action) as f32,
                };
                let child = self.nodes.len();
                self.nodes[at].children.insert(place, child as u32);
                self.nodes.push(Node::new(id, seat, judged));
                child
            });
            self.offered.push((child as u32, 0.0));
        }
    }

    /// Lets the policy judge a position and its legal actions, which are listed.
    fn judge(&mut self, world: &R::State) {
        if let Some(policy) = self.prior {
            let (rules, actions, judgement) = (self.rules, &self.actions, &mut self.judgement);
            bits::wide(
                #[inline(always)]
                || policy.judge(rules, world, actions, judgement),
            );
        }
    }

    /// What each seat may hope for by the policy, from 0 to 1; what follows a new node is judged with it.
    fn hopes(&mut self, at: usize, world: &R::State, seat: Seat) -> [f32; MAX_SEATS] {
        self.add_children(at, world, seat);
        let seats = self.rules.num_seats() as f32;
        self.judgement.values.map(|value| (value * (seats - 1.0) + 1.0) / seats)
    }

    /// The child with that action, or where it belongs among the children.
    fn find(&self, at: usize, action: u32) -> Result<usize, usize> {
        let children = &self.nodes[at].children;
        let place = children.binary_search_by_key(&action, |&child| self.nodes[child as usize].action);
        place.map(|place| children[place] as usize)
    }

    /// Plays on without a tree, and tells how each seat came off: 0 to 1.
    fn play_on(&mut self, mut world: R::State, stop: &AtomicBool) -> [f32; MAX_SEATS] {
        for _ in 0..self.tuning.depth {
            if self.rules.to_act(&world).is_none() {
                break;
            }
            let random = self.rng.bits();
            let action = match self.playouts {
                Playouts::Random => Random.choose(self.rules, &world, random, stop, &mut self.scratch),
                Playouts::Greedy | Playouts::None => Greedy.choose(self.rules, &world, random, stop, &mut self.scratch),
            };
            self.rules.apply(&mut world, action, &mut self.rng);
        }
        if self.rules.to_act(&world).is_none() { self.result(&world) } else { self.outlook(&world) }
    }

    /// What each seat has of a finished match: its share of the win.
    fn result(&self, world: &R::State) -> [f32; MAX_SEATS] {
        let returns = self.rules.returns(world);
        let seats = self.rules.num_seats();
        let most = returns[..seats].iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let winners = returns[..seats].iter().filter(|&&earned| earned >= most).count() as f32;
        std::array::from_fn(|seat| if seat < seats && returns[seat] >= most { 1.0 / winners } else { 0.0 })
    }

    /// What each seat may hope for in a match that goes on, by how far ahead it is, on the scale of such leads.
    fn outlook(&mut self, world: &R::State) -> [f32; MAX_SEATS] {
        let seats = self.rules.num_seats();
        let leads = leads(&self.rules.standing(world)[..seats]);
        for &lead in &leads[..seats] {
            self.leads.add(lead);
        }
        let scale = self.leads.deviation().max(1.0);
        leads.map(|lead| 1.0 / (1.0 + (-lead / scale).exp()))
    }

    /// The action that was tried most; of these, the one that did best.
    fn best(&self) -> Option<R::Action> {
        let children = self.nodes[0].children.iter().map(|&child| &self.nodes[child as usize]);
        let best = children.max_by(|a, b| a.visits.cmp(&b.visits).then(a.value.total_cmp(&b.value)))?;
        Some(self.rules.action(best.action as usize))
    }
}

/// Makes priors of logits.
fn softmax(offered: &mut [(u32, f32)]) {
    let most = offered.iter().map(|&(_, logit)| logit).fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for (_, logit) in &mut *offered {
        *logit = (*logit - most).exp();
        sum += *logit;
    }
    for (_, weight) in offered {
        *weight /= sum;
    }
}

/// Makes priors of judgements of which only the order counts: the second best has half as much as the best, the third a
/// third.
fn by_rank(offered: &mut [(u32, f32)]) {
    offered.sort_unstable_by(|(one, first), (other, second)| second.total_cmp(first).then(one.cmp(other)));
    let harmonic: f32 = (1..=offered.len()).map(|rank| 1.0 / rank as f32).sum();
    for (rank, (_, prior)) in offered.iter_mut().enumerate() {
        *prior = 1.0 / (harmonic * (rank + 1) as f32);
    }
}

/// By how much each seat is ahead of the best of the others.
fn leads(standing: &[i32]) -> [f32; MAX_SEATS] {
    let mut leads = [0.0; MAX_SEATS];
    for (seat, lead) in leads.iter_mut().enumerate().take(standing.len()) {
        let others = standing.iter().enumerate().filter(|&(other, _)| other != seat);
        let best = others.map(|(_, &standing)| standing).max().unwrap_or(0);
        *lead = (standing[seat] - best) as f32;
    }
    leads
}

/// How far numbers lie from 0.
#[derive(Default)]
struct Spread {
    count: f32,
    squares: f32,
}

impl Spread {
    fn add(&mut self, number: f32) {
        self.count += 1.0;
        self.squares += number * number;
    }

    fn deviation(&self) -> f32 {
        if self.count == 0.0 { 0.0 } else { (self.squares / self.count).sqrt() }
    }
}
