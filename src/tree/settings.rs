//! How trees are grown.

use crate::error::Error;

/// The most simulations of a search.
pub const MAX_SIMULATIONS: u32 = 1 << 24;

/// How an action is chosen on the way down, and in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// By value and prior, as `AlphaZero` does: what was tried most is played.
    Puct,
    /// Sequential halving of actions that a Gumbel draw picks at the root, and the improved policy below it: Danihelka
    /// et al., "Policy improvement by planning with Gumbel", 2022.
    Gumbel,
}

/// What a finished match is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reward {
    /// Its share of the win to each seat: see [`crate::game::shared_win`].
    Win,
    /// What each seat has earned.
    Points,
}

/// How trees are grown.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How often each tree is walked down.
    pub simulations: u32,
    /// How an action is chosen.
    pub method: Method,
    /// What a finished match is worth.
    pub reward: Reward,
    /// PUCT: how much an action that the prior likes is tried although others did better so far.
    pub c_puct: f32,
    /// PUCT: how much of the prior at the root is noise, 0 to 1.
    pub dirichlet_fraction: f32,
    /// PUCT: how even that noise is; less is more uneven.
    pub dirichlet_alpha: f32,
    /// PUCT: 0 plays what was tried most; 1 draws in proportion to how often it was tried.
    pub temperature: f32,
    /// Gumbel: how many actions are tried at the root.
    pub max_num_considered_actions: u32,
    /// Gumbel: how much chance there is in what is tried and played; 0 for none.
    pub gumbel_scale: f32,
    /// The agent that plays all seats but the one to act at the root. Without, the tree plays them.
    pub opponents: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            simulations: 64,
            method: Method::Puct,
            reward: Reward::Win,
            c_puct: 1.25,
            dirichlet_fraction: 0.0,
            dirichlet_alpha: 0.3,
            temperature: 0.0,
            max_num_considered_actions: 16,
            gumbel_scale: 1.0,
            opponents: None,
        }
    }
}

impl Settings {
    /// Fails if a number is out of its range.
    pub(super) fn check(&self) -> Result<(), Error> {
        whole("simulations", self.simulations, MAX_SIMULATIONS)?;
        whole("max_num_considered_actions", self.max_num_considered_actions, MAX_SIMULATIONS)?;
        number("c_puct", self.c_puct, 0.0, 1e6)?;
        number("dirichlet_fraction", self.dirichlet_fraction, 0.0, 1.0)?;
        number("dirichlet_alpha", self.dirichlet_alpha, 1e-3, 1e6)?;
        number("temperature", self.temperature, 0.0, 1e6)?;
        number("gumbel_scale", self.gumbel_scale, 0.0, 1e6)
    }

    /// How often an action must have been tried to be tried next at the root, for each simulation: sequential halving
    /// among so many actions.
    pub(super) fn considered_visits(&self, actions: u32) -> Vec<u32> {
        let simulations = self.simulations as usize;
        if actions <= 1 {
            return (0..self.simulations).collect();
        }
        let rounds = actions.next_power_of_two().ilog2();
        let mut sequence = Vec::with_capacity(simulations + actions as usize);
        let mut visits = vec![0; actions as usize];
        let mut considered = actions as usize;
        while sequence.len() < simulations {
            let extra = (simulations / (rounds as usize * considered)).max(1);
            for _ in 0..extra {
                sequence.extend_from_slice(&visits[..considered]);
                visits[..considered].iter_mut().for_each(|visits| *visits += 1);
            }
            considered = (considered / 2).max(2);
        }
        sequence.truncate(simulations);
        sequence
    }
}

fn whole(name: &'static str, value: u32, most: u32) -> Result<(), Error> {
    if (1..=most).contains(&value) { Ok(()) } else { Err(Error::out_of_range(name, value as usize, most as usize)) }
}

fn number(name: &'static str, value: f32, least: f32, most: f32) -> Result<(), Error> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(Error::Config { name, value: value.to_string(), allowed: format!("must be {least} to {most}") })
}

#[cfg(test)]
mod tests {
    use super::Settings;

    #[test]
    fn halving_shares_the_simulations_out() {
        let visits = |simulations, actions| Settings { simulations, ..Settings::default() }.considered_visits(actions);
        assert_eq!(visits(8, 4), [0, 0, 0, 0, 1, 1, 2, 2]);
        assert_eq!(visits(5, 1), [0, 1, 2, 3, 4]);
        assert_eq!(visits(3, 16), [0, 0, 0]);
        assert_eq!(visits(12, 3), [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4]);
    }
}
