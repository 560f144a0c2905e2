//! Which action to try next, and which to play.

use super::growth::{Choice, Edge};
use super::numbers::exp;
use super::settings::Settings;

/// What a completed value weighs against a logit, and what is added to the most visits before.
const VALUE_SCALE: f32 = 0.1;
const MAX_VISIT_INIT: f32 = 50.0;

impl Choice<'_> {
    fn each(&self) -> impl Iterator<Item = &Edge> + Clone {
        self.offered.iter().map(|&edge| &self.edges[edge as usize])
    }

    /// The edge with the highest score; of equals, the first.
    #[inline(always)]
    fn best(&self, scores: impl Iterator<Item = f32>) -> u32 {
        let mut best = (f32::NEG_INFINITY, self.offered[0]);
        for (&edge, score) in self.offered.iter().zip(scores) {
            if score > best.0 {
                best = (score, edge);
            }
        }
        best.1
    }

    /// Value and prior weighed as `AlphaZero` does. What was never tried counts as the node does on average.
    #[inline(always)]
    pub fn puct(&self, c_puct: f32, is_open: bool) -> u32 {
        let (mut visits, mut value, mut priors) = (0, 0.0, 0.0);
        for edge in self.each() {
            visits += edge.visits;
            value += edge.value;
            priors += edge.prior;
        }
        let unknown = (self.raw + value) / (1 + visits) as f32;
        let explore = c_puct / priors;
        let all = ((1 + visits) as f32).sqrt();
        let [low, scale] = self.scale;
        self.best(self.each().map(|edge| {
            let value = if edge.visits == 0 { unknown } else { edge.mean() };
            let chances = if is_open { all } else { (edge.available as f32).sqrt() };
            (value - low) * scale + explore * edge.prior * chances / (1 + edge.visits) as f32
        }))
    }

    /// At the root: among the actions that were tried so often as sequential halving wants, the one with the highest sum of
    /// noise, logit and value.
    pub fn halving(&self, visits: u32, scores: &mut Vec<f32>) -> u32 {
        self.improve(scores);
        let noise = |edge: u32| self.noise.get((edge - self.first) as usize).copied().unwrap_or(0.0);
        let most = self.each().map(|edge| edge.logit).fold(f32::NEG_INFINITY, f32::max);
        let scores = scores.iter().zip(self.offered).map(|(score, &edge)| {
            let is_considered = self.edges[edge as usize].visits == visits;
            if is_considered { (score - most + noise(edge)).max(-1e9) } else { f32::NEG_INFINITY }
        });
        self.best(scores)
    }

    /// Writes logits that values have improved: those of the prior, with the values of what was tried, and for the rest
    /// what the node is worth, added on a common scale.
    pub fn improve(&self, logits: &mut Vec<f32>) {
        let (mut visits, mut most_visits, mut priors, mut weighed) = (0, 0, 0.0, 0.0);
        for edge in self.each().filter(|edge| edge.visits > 0) {
            visits += edge.visits;
            most_visits = most_visits.max(edge.visits);
            let prior = edge.prior.max(f32::MIN_POSITIVE);
            priors += prior;
            weighed += prior * edge.mean();
        }
        let tried = if visits == 0 { 0.0 } else { weighed / priors };
        let mixed = (self.raw + visits as f32 * tried) / (1 + visits) as f32;
        logits.clear();
        logits.extend(self.each().map(|edge| if edge.visits == 0 { mixed } else { edge.mean() }));
        let low = logits.iter().copied().fold(f32::INFINITY, f32::min);
        let high = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let factor = (MAX_VISIT_INIT + most_visits as f32) * VALUE_SCALE / (high - low).max(1e-8);
        for (logit, edge) in logits.iter_mut().zip(self.each()) {
            *logit = edge.logit + (*logit - low) * factor;
        }
    }

    /// How often each edge was tried, as shares of 1.
    pub fn shares(&self, shares: &mut Vec<f32>) {
        let visits: u32 = self.each().map(|edge| edge.visits).sum();
        let all = 1.0 / visits.max(1) as f32;
        shares.clear();
        shares.extend(self.each().map(|edge| edge.visits as f32 * all));
    }

    /// The edge that was tried most, of these the one that did best; or, with a temperature, a draw.
    pub fn played(&self, settings: &Settings, unit: f64) -> u32 {
        let most = self.each().map(|edge| edge.visits).max().unwrap_or(0);
        if settings.temperature == 0.0 {
            return self
                .best(self.each().map(|edge| if edge.visits == most { edge.mean() } else { f32::NEG_INFINITY }));
        }
        let power = 1.0 / f64::from(settings.temperature);
        let weight = |edge: &Edge| (f64::from(edge.visits) / f64::from(most.max(1))).powf(power);
        let mut rest = unit * self.each().map(weight).sum::<f64>();
        for (&edge, weight) in self.offered.iter().zip(self.each().map(weight)) {
            rest -= weight;
            if rest < 0.0 {
                return edge;
            }
        }
        self.offered[self.offered.len() - 1]
    }

    /// The most visits of an edge.
    pub fn most_visits(&self) -> u32 {
        self.each().map(|edge| edge.visits).max().unwrap_or(0)
    }
}

/// Turns logits into shares of 1.
pub(super) fn softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for logit in &mut *logits {
        *logit = exp(*logit - most);
    }
    let factor = 1.0 / logits.iter().sum::<f32>();
    for logit in logits {
        *logit *= factor;
    }
}
