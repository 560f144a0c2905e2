//! Who decides at a seat: the caller, a built-in agent, or one of several who is drawn for every episode.

use crate::agents::{self, Agent};
use crate::error::Error;
use crate::game::Game;
use crate::rng::{Origin, Purpose, Rng};

/// Those who may play at a seat, with their shares of the episodes: built-in agents, and `None` for the caller. One who
/// is alone always plays.
pub type Candidates = Vec<(Option<String>, f64)>;

/// The most who may play at a seat.
pub const MAX_CANDIDATES: usize = 1000;

/// Who decides at a seat.
pub enum Player<R> {
    /// The caller of `step`.
    Caller,
    /// Chance: any legal action. Not asked through a table of functions, so that it is compiled into the loop.
    Random,
    /// Another built-in agent.
    Agent(Box<dyn Agent<R>>),
    /// One of several.
    Drawn(Draw<R>),
}

/// Several of whom one is drawn for every episode, by where the episode comes from alone.
pub struct Draw<R> {
    /// The built-in agents; `None` for the caller.
    candidates: Vec<Option<Box<dyn Agent<R>>>>,
    /// A candidate is drawn by 64 random bits below its number and not below that of the one before.
    below: Vec<u64>,
}

impl<R: Game> Player<R> {
    fn new(mut candidates: Candidates, rules: &R) -> Result<Self, Error> {
        if candidates.is_empty() {
            let allowed = "a seat must have somebody to play there".to_owned();
            return Err(Error::Config { name: "agents", value: "nobody".to_owned(), allowed });
        }
        if candidates.len() > MAX_CANDIDATES {
            return Err(Error::out_of_range("agents of a seat", candidates.len(), MAX_CANDIDATES));
        }
        for (agent, share) in &candidates {
            if !(share.is_finite() && *share > 0.0) {
                let value = format!("{share} of {}", agent.as_deref().unwrap_or("the caller"));
                return Err(Error::Config { name: "share", value, allowed: "must be a number above 0".to_owned() });
            }
        }
        if candidates.len() == 1 {
            return match candidates.remove(0).0 {
                None => Ok(Self::Caller),
                Some(text) => {
                    let agent = agents::make(rules, &text)?;
                    Ok(if agent.is_random() { Self::Random } else { Self::Agent(agent) })
                }
            };
        }
        let most = candidates.iter().map(|&(_, share)| share).fold(0.0, f64::max);
        let sum: f64 = candidates.iter().map(|(_, share)| share / most).sum();
        let mut so_far = 0.0;
        let mut draw = Draw { candidates: Vec::new(), below: Vec::new() };
        for (agent, share) in candidates {
            so_far += share / most / sum;
            draw.candidates.push(agent.map(|text| agents::make(rules, &text)).transpose()?);
            draw.below.push((so_far * 2.0_f64.powi(64)) as u64);
        }
        Ok(Self::Drawn(draw))
    }

    /// How many may play there.
    pub(crate) fn num_candidates(&self) -> usize {
        if let Self::Drawn(draw) = self { draw.candidates.len() } else { 1 }
    }

    /// The number of the candidate who plays in an episode, where this is the player of that number.
    pub(crate) fn drawn(&self, player: usize, origin: Origin, episode: u32) -> usize {
        if let Self::Drawn(draw) = self { draw.number(player, origin, episode) } else { 0 }
    }

    /// The built-in agent who plays in an episode, if one does.
    #[inline(always)]
    pub(crate) fn agent(&self, player: usize, origin: Origin, episode: u32) -> Option<&dyn Agent<R>> {
        match self {
            Self::Caller => None,
            Self::Random => Some(&agents::Random),
            Self::Agent(agent) => Some(&**agent),
            Self::Drawn(draw) => draw.candidates[draw.number(player, origin, episode)].as_deref(),
        }
    }
}

impl<R> Draw<R> {
    #[inline(never)]
    fn number(&self, player: usize, origin: Origin, episode: u32) -> usize {
        let bits = Rng::new(origin, episode, Purpose::Player(player as u32)).bits();
        self.below.iter().position(|&below| bits < below).unwrap_or(self.below.len() - 1)
    }
}

/// The players at the seats of a game; nobody named leaves all seats to the caller.
pub(crate) fn players<R: Game>(
    candidates: impl ExactSizeIterator<Item = Candidates>,
    rules: &R,
) -> Result<Vec<Player<R>>, Error> {
    let seats = rules.num_seats();
    if candidates.len() == 0 {
        return Ok((0..seats).map(|_| Player::Caller).collect());
    }
    if candidates.len() != seats {
        return Err(Error::Config {
            name: "agents",
            value: format!("{} entries", candidates.len()),
            allowed: format!("must have one entry for each of the {seats} seats"),
        });
    }
    candidates.map(|candidates| Player::new(candidates, rules)).collect()
}
