//! Information-set Monte Carlo tree search.
//!
//! Every iteration guesses anew what the seat to act has not seen ([`crate::game::Rules::resample_hidden`]), walks down
//! one tree of the actions that were possible in such guesses, adds a node, plays on, and tells the nodes on its way how
//! each seat came off. The real hidden cards and the real chance are never looked at.
//!
//! Where a person waits, several trees grow side by side, each by chance of its own, and what was tried is added up.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{Agent, Call, greedy, learned};
use crate::bits;
use crate::error::Error;
use crate::game::{Game, MAX_SEATS, Seat, Tuning};
use crate::policy::{Judgement, Policy};
use crate::rng::{self, Rng};

/// The most threads of one decision.
const MAX_THREADS: u32 = 64;

/// Looks ahead by trying things out, in guesses of what it cannot see.
pub struct Search {
    budget: Budget,
    /// Trees that grow side by side.
    threads: u32,
    /// Judges actions at first sight, and positions, in the place of the game's own judgement.
    prior: Option<Policy>,
    playouts: Playouts,
    /// What is given of the game's [`Tuning`].
    depth: Option<u32>,
    explore: Option<f32>,
    samples: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
enum Budget {
    /// Of all trees together.
    Iterations(u32),
    /// Of each tree.
    Time(Duration),
}

#[derive(Clone, Copy, Debug)]
enum Playouts {
    /// Any legal action.
    Random,
    /// The best judged of a few legal actions, as many as the game is tuned to.
    Sampled,
    /// The best judged of all.
    Greedy,
    /// The policy says what a position is worth.
    None,
}

impl Search {
    /// So many iterations, shared out among so many threads, the rest as the game is tuned.
    #[must_use]
    pub const fn new(iterations: u32, threads: u32) -> Self {
        let budget = Budget::Iterations(iterations);
        Self { budget, threads, prior: None, playouts: Playouts::Sampled, depth: None, explore: None, samples: None }
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
        let threads = call.number("threads", 1..=MAX_THREADS)?.unwrap_or(1);
        let is_learned = call.word("prior", &[("greedy", false), ("learned", true)])? == Some(true);
        let prior = if is_learned { Some(learned::policy(rules, call)?) } else { None };
        let words = [
            ("greedy", Playouts::Greedy),
            ("random", Playouts::Random),
            ("sampled", Playouts::Sampled),
            ("none", Playouts::None),
        ];
        let playouts = match call.word("playouts", &words)? {
            Some(Playouts::None) if prior.is_none() => return Err(call.refuse("playouts=none is for prior=learned")),
            Some(playouts) => playouts,
            None if prior.as_ref().is_some_and(Policy::has_values) => Playouts::None,
            None => Playouts::Sampled,
        };
        let samples = call.number("samples", 1..=u32::MAX)?;
        let depth = call.number("depth", 0..=u32::MAX)?;
        let explore = call.number("explore", 0.0..=100.0)?;
        Ok(Self { budget, threads, prior, playouts, depth, explore, samples })
    }

    /// The game's tuning, as far as nothing else is given.
    fn tuning<R: Game>(&self) -> Tuning {
        Tuning {
            depth: self.depth.unwrap_or(R::SEARCH.depth),
            explore: self.explore.unwrap_or(R::SEARCH.explore),
            samples: self.samples.unwrap_or(R::SEARCH.samples),
        }
    }

    /// Grows a tree as far as its share of the budget goes, and tells what it tried.
    fn grow<R: Game>(&self, mut tree: Tree<'_, R>, number: u32, state: &R::State, stop: &AtomicBool) -> Vec<Tried> {
        // Where the budget is a number, no clock is asked: there may be none.
        let (enough, deadline) = match self.budget {
            Budget::Iterations(all) => (all / self.threads + u32::from(number < all % self.threads), None),
            Budget::Time(enough) => (u32::MAX, Some(Instant::now() + enough)),
        };
        let mut world = state.clone();
        for iteration in 0..enough {
            let is_late = iteration > 0 && deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if is_late || stop.load(Ordering::Relaxed) {
                break;
            }
            tree.iterate(state, &mut world);
        }
        tree.tried()
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
        let trees = side_by_side(self.threads, |number| {
            let tree = Tree::new(rules, self, viewer, rng::draw(random, number));
            self.grow(tree, number, state, stop)
        });
        best(&trees.concat()).map_or(scratch[0], |action| rules.action(action))
    }
}

/// What `work` makes of each number below `threads`, side by side where threads can be had.
fn side_by_side<T: Send>(threads: u32, work: impl Fn(u32) -> T + Sync) -> Vec<T> {
    if threads == 1 || cfg!(target_family = "wasm") {
        return (0..threads).map(work).collect();
    }
    let work = &work;
    thread::scope(|scope| {
        let start = |number| thread::Builder::new().spawn_scoped(scope, move || work(number)).map_err(|_| number);
        let others: Vec<_> = (1..threads).map(start).collect();
        let mut made = vec![work(0)];
        made.extend(others.into_iter().map(|other| match other {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(number) => work(number),
        }));
        made
    })
}

/// How an action of the decision at hand came off in a tree.
#[derive(Clone, Copy)]
struct Tried {
    action: u32,
    visits: u32,
    value: f32,
}

/// The action that was tried most in some trees; of these, the one that did best.
fn best(tried: &[Tried]) -> Option<usize> {
    let mut sums: BTreeMap<u32, (u32, f32)> = BTreeMap::new();
    for tried in tried {
        let (visits, value) = sums.entry(tried.action).or_default();
        *visits += tried.visits;
        *value += tried.value;
    }
    let most = sums
        .into_iter()
        .max_by(|(_, (visits, value)), (_, (more, better))| visits.cmp(more).then(value.total_cmp(better)));
    most.map(|(action, _)| action as usize)
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
    /// The best judged of the nodes that follow it; [`ROOT`] for none.
    first: u32,
    /// The next best judged after the same node; [`ROOT`] for none.
    next: u32,
}

/// The first node, which follows none.
const ROOT: u32 = 0;

impl Node {
    fn new(action: u32, seat: Seat, judged: f32) -> Self {
        let seat = seat.index() as u8;
        Self { action, seat, judged, visits: 0, chances: 0, value: 0.0, first: ROOT, next: ROOT }
    }
}

struct Tree<'a, R: Game> {
    rules: &'a R,
    tuning: Tuning,
    prior: Option<&'a Policy>,
    playouts: Playouts,
    /// Who decides, and knows what the guesses start from.
    viewer: Seat,
    rng: Rng,
    nodes: Vec<Node>,
    leads: Spread,
    // Kept from one iteration to the next, so that nothing is allocated in the long run.
    /// The legal actions of the guess.
    actions: Vec<R::Action>,
    /// For every action's id, the last listing in which it was legal and has no child yet.
    listed: Vec<u32>,
    listing: u32,
    /// The children whose actions are legal in the guess, best judged first, and the prior of each.
    offered: Vec<(u32, f32)>,
    /// Legal actions without a child, and how they are judged.
    fresh: Vec<R::Action>,
    judged: Vec<(u32, f32)>,
    judgement: Judgement,
    path: Vec<u32>,
}

impl<'a, R: Game> Tree<'a, R> {
    fn new(rules: &'a R, search: &'a Search, viewer: Seat, random: u64) -> Self {
        Self {
            rules,
            tuning: search.tuning::<R>(),
            prior: search.prior.as_ref(),
            playouts: search.playouts,
            viewer,
            rng: Rng::from_bits(random),
            nodes: vec![Node::new(0, Seat::new(0), 0.0)],
            leads: Spread::default(),
            actions: Vec::new(),
            listed: vec![0; rules.actions().size()],
            listing: 0,
            offered: Vec::new(),
            fresh: Vec::new(),
            judged: Vec::new(),
            judgement: Judgement::default(),
            path: Vec::new(),
        }
    }

    /// `world` may be any state before and after.
    fn iterate(&mut self, state: &R::State, world: &mut R::State) {
        world.clone_from(state);
        self.rules.resample_hidden(world, self.viewer, &mut self.rng);
        self.path.clear();
        self.path.push(ROOT);
        let mut at = ROOT;
        while let Some(seat) = self.rules.to_act(world) {
            at = self.descend(at, world, seat);
            let action = self.rules.action(self.node(at).action as usize);
            self.rules.apply(world, action, &mut self.rng);
            self.path.push(at);
            if self.node(at).visits == 0 {
                break;
            }
        }
        let values = match (self.playouts, self.rules.to_act(world)) {
            (Playouts::None, Some(seat)) => self.hopes(at, world, seat),
            _ => self.play_on(world),
        };
        for &node in &self.path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            node.value += values[usize::from(node.seat)];
        }
    }

    fn node(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }

    /// The child to go to: good so far, or liked by the game's judgement and not tried enough.
    fn descend(&mut self, at: u32, world: &R::State, seat: Seat) -> u32 {
        self.offer(at, world, seat);
        if self.prior.is_some() {
            softmax(&mut self.offered);
        } else {
            by_rank(&mut self.offered);
        }
        let (mut visits, mut value) = (0, 0.0);
        for &(child, _) in &self.offered {
            let node = &mut self.nodes[child as usize];
            node.chances += 1;
            visits += node.visits;
            value += node.value;
        }
        let unknown = if visits == 0 { 0.5 } else { value / visits as f32 };
        let mut best = (f32::NEG_INFINITY, ROOT);
        for &(child, prior) in &self.offered {
            let node = self.node(child);
            let value = if node.visits == 0 { unknown } else { node.value / node.visits as f32 };
            let score = value + self.tuning.explore * prior * (node.chances as f32).sqrt() / (1 + node.visits) as f32;
            if score > best.0 {
                best = (score, child);
            }
        }
        best.1
    }

    /// Lists the children whose actions are legal in this guess, with how they were judged; those that are new now.
    fn offer(&mut self, at: u32, world: &R::State, seat: Seat) {
        self.actions.clear();
        self.rules.legal_actions(world, &mut self.actions);
        self.find_children(at);
        if self.offered.len() < self.actions.len() {
            self.judge_fresh(world);
            self.add_fresh(at, seat);
            self.find_children(at);
        }
    }

    /// Lists the children whose actions are legal, in their order. Those that are legal without a child stay marked.
    fn find_children(&mut self, at: u32) {
        self.listing += 1;
        for &action in &self.actions {
            self.listed[self.rules.action_id(action)] = self.listing;
        }
        self.offered.clear();
        let mut child = self.node(at).first;
        while child != ROOT {
            let node = &self.nodes[child as usize];
            let listed = &mut self.listed[node.action as usize];
            if *listed == self.listing {
                *listed = 0;
                self.offered.push((child, node.judged));
            }
            child = node.next;
        }
    }

    /// Judges the legal actions without a child, and puts the best first; among equals, the lowest id.
    fn judge_fresh(&mut self, world: &R::State) {
        let (rules, listed, listing) = (self.rules, &self.listed, self.listing);
        let is_fresh = |&action: &R::Action| listed[rules.action_id(action)] == listing;
        self.fresh.clear();
        self.fresh.extend(self.actions.iter().copied().filter(is_fresh));
        self.judged.clear();
        let mut ids = self.fresh.iter().map(|&action| rules.action_id(action) as u32);
        if let Some(policy) = self.prior {
            let (fresh, judgement) = (&self.fresh, &mut self.judgement);
            bits::wide(
                #[inline(always)]
                || policy.judge(rules, world, fresh, judgement),
            );
            self.judged.extend(ids.zip(self.judgement.logits.iter().copied()));
        } else {
            rules.values(world, &self.fresh, |value| self.judged.extend(ids.next().map(|id| (id, value as f32))));
        }
        self.judged.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    }

    /// Adds a child for everything judged, after those that were judged as well.
    fn add_fresh(&mut self, at: u32, seat: Seat) {
        let (mut before, mut next) = (ROOT, self.node(at).first);
        for &(action, judged) in &self.judged {
            while next != ROOT && self.nodes[next as usize].judged >= judged {
                (before, next) = (next, self.nodes[next as usize].next);
            }
            let child = self.nodes.len() as u32;
            self.nodes.push(Node { next, ..Node::new(action, seat, judged) });
            if before == ROOT {
                self.nodes[at as usize].first = child;
            } else {
                self.nodes[before as usize].next = child;
            }
            before = child;
        }
    }

    /// What each seat may hope for by the policy, from 0 to 1; what follows a new node is judged with it.
    fn hopes(&mut self, at: u32, world: &R::State, seat: Seat) -> [f32; MAX_SEATS] {
        self.offer(at, world, seat);
        let seats = self.rules.num_seats() as f32;
        self.judgement.values.map(|value| (value * (seats - 1.0) + 1.0) / seats)
    }

    /// Plays on without a tree, and tells how each seat came off: 0 to 1.
    fn play_on(&mut self, world: &mut R::State) -> [f32; MAX_SEATS] {
        for _ in 0..self.tuning.depth {
            if self.rules.to_act(world).is_none() {
                break;
            }
            let action = self.playout_action(world);
            self.rules.apply(world, action, &mut self.rng);
        }
        if self.rules.to_act(world).is_none() { self.result(world) } else { self.outlook(world) }
    }

    /// What is played next without a tree.
    fn playout_action(&mut self, world: &R::State) -> R::Action {
        let samples = match self.playouts {
            Playouts::Random => 1,
            Playouts::Sampled => self.tuning.samples as usize,
            Playouts::Greedy | Playouts::None => usize::MAX,
        };
        if samples == 1 {
            return self.rules.random_action(world, self.rng.bits(), &mut self.actions);
        }
        self.actions.clear();
        self.rules.legal_actions(world, &mut self.actions);
        sample(&mut self.actions, samples, &mut self.rng);
        match self.actions[..] {
            [only] => only,
            _ => greedy::best(self.rules, world, &self.actions, &mut self.rng),
        }
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

    /// What came of the actions of the decision at hand.
    fn tried(&self) -> Vec<Tried> {
        let mut tried = Vec::new();
        let mut child = self.node(ROOT).first;
        while child != ROOT {
            let &Node { action, visits, value, next, .. } = self.node(child);
            tried.push(Tried { action, visits, value });
            child = next;
        }
        tried
    }
}

/// Keeps a uniform sample of a number of entries, or all if they are no more.
fn sample<T>(entries: &mut Vec<T>, number: usize, rng: &mut Rng) {
    if number < entries.len() {
        for place in 0..number {
            let chosen = rng::scale(rng.bits(), (entries.len() - place) as u32);
            entries.swap(place, place + chosen as usize);
        }
        entries.truncate(number);
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

/// Makes priors of an order: the second has half as much as the first, the third a third.
fn by_rank(offered: &mut [(u32, f32)]) {
    let mut sum = 0.0;
    for (rank, (_, prior)) in offered.iter_mut().enumerate() {
        *prior = 1.0 / (rank + 1) as f32;
        sum += *prior;
    }
    for (_, prior) in offered {
        *prior /= sum;
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::{sample, side_by_side};
    use crate::agents;
    use crate::game::Rules;
    use crate::games::ladder::{Ladder, Options};
    use crate::rng::{Origin, Purpose, Rng};

    #[test]
    fn what_threads_make_is_in_the_order_of_their_numbers() {
        for threads in [1, 2, 7] {
            let made = side_by_side(threads, |number| number * number);
            assert_eq!(made, (0..threads).map(|number| number * number).collect::<Vec<_>>());
        }
    }

    #[test]
    fn as_many_threads_choose_the_same_again() {
        let rules = Ladder::new(Options::default()).unwrap();
        let agent = agents::make(&rules, "search(iterations=20, threads=3)").unwrap();
        let state = rules.start(&mut Rng::new(Origin { seed: 1, lane: 0 }, 0, Purpose::Game));
        for random in 0..20 {
            let choice = || agent.choose(&rules, &state, random, &AtomicBool::new(false), &mut Vec::new());
            assert_eq!(choice(), choice());
        }
    }

    #[test]
    fn every_entry_is_sampled_as_often() {
        let mut rng = Rng::from_bits(3);
        let mut counts = [0_i32; 5];
        for _ in 0..10_000 {
            let mut entries: Vec<usize> = (0..5).collect();
            sample(&mut entries, 2, &mut rng);
            assert!(entries.len() == 2 && entries[0] != entries[1]);
            for entry in entries {
                counts[entry] += 1;
            }
        }
        assert!(counts.iter().all(|&count| (count - 4_000).abs() < 200), "{counts:?}");
        let mut few = vec![1, 2];
        sample(&mut few, 3, &mut rng);
        assert_eq!(few, [1, 2]);
    }
}
