//! The batch as its callers in other languages see it: any game, chosen at run time.

use std::sync::atomic::AtomicBool;

use documented::DocumentedFields as _;
use ndarray::ArrayView1;
use serde::Serialize;
use serde_json::Value;

use crate::agents;
use crate::batch::{Batch, Seeds};
use crate::drawing::Picture;
use crate::error::Error;
use crate::game::{Game, Looks, MAX_SEATS, Refusal, Seat, Solution, Spoken};
use crate::lane::{Lane, Player, Saved};
use crate::layout::Layout;
use crate::perft::perft;
use crate::rng::{Origin, Purpose, Rng};
use crate::rows::{Rows, Status, check_actions};

/// Leads every saved match; the last byte is the number of the format.
const MAGIC: &[u8] = b"adjoin\x01";

/// Everything about a batch that stays the same.
#[derive(Debug, Serialize)]
pub struct Spec<'a> {
    /// The game's name.
    pub name: &'static str,
    /// The game's proper name.
    pub title: &'static str,
    /// One sentence on what it is.
    pub summary: &'static str,
    /// Number in the environment's id.
    pub version: u32,
    /// How many play.
    pub seats: usize,
    /// Ranges of action ids.
    pub actions: &'a Layout,
    /// Blocks of an observation row.
    pub observation: &'a Layout,
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
    /// The built-in agents, with their arguments and defaults.
    pub agents: Vec<&'static str>,
    /// Seats that built-in agents fill, before rotation.
    pub agent_seats: Vec<usize>,
    /// Whether the players move on from episode to episode.
    pub rotate: bool,
    /// Decisions after which a match is cut off.
    pub limit: u32,
    /// Bytes that a lane takes beside its rows.
    pub lane_bytes: usize,
}

/// Where a lane is.
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

/// A batch whose game was chosen at run time. One call per batch, never one per lane.
pub trait Simulator: Send {
    /// Everything about the batch that stays the same.
    fn spec(&self) -> Spec<'_>;
    /// How many lanes there are.
    fn num_lanes(&self) -> usize;
    /// See [`Batch::reset`].
    fn reset(&mut self, seeds: Seeds<'_>, rows: Rows<'_>) -> Result<(), Error>;
    /// See [`Batch::restart`].
    fn restart(&mut self, chosen: &[bool], seeds: Option<&[u64]>, rows: Rows<'_>) -> Result<(), Error>;
    /// See [`Batch::step`].
    fn step(&mut self, actions: ArrayView1<'_, i32>, rows: Rows<'_>) -> Result<(), Error>;
    /// See [`Batch::sample`].
    fn sample(&mut self, actions: &mut [i32]) -> Result<(), Error>;
    /// See [`Batch::observe`].
    fn observe(&mut self, viewer: Option<usize>, rows: Rows<'_>) -> Result<(), Error>;
    /// See [`Batch::callers`].
    fn callers(&self, seats: &mut [i8]) -> Result<(), Error>;
    /// See [`Batch::select`].
    fn select(&self, lanes: &[usize]) -> Result<Box<dyn Simulator>, Error>;
    /// See [`Batch::resample_hidden`].
    fn resample_hidden(&mut self, viewer: usize, purpose: u32) -> Result<(), Error>;
    /// Draws the rest of a lane's match from another seed; what is dealt already stays.
    fn reseed(&mut self, lane: usize, seed: u64) -> Result<(), Error>;
    /// A lane as bytes.
    fn save(&self, lane: usize) -> Result<Vec<u8>, Error>;
    /// A lane from bytes that `save` wrote for this game with these options.
    fn load(&mut self, lane: usize, bytes: &[u8]) -> Result<(), Error>;
    /// A lane's state as text, in the game's own form where it has one.
    fn position(&self, lane: usize) -> Result<String, Error>;
    /// Puts a lane at a described state, before its first decision.
    fn set_position(&mut self, lane: usize, text: &str) -> Result<(), Error>;
    /// Where a lane is.
    fn address(&self, lane: usize) -> Result<Address, Error>;
    /// The seat to act in a lane, unless its match is over or cut off.
    fn to_act(&self, lane: usize) -> Result<Option<usize>, Error>;
    /// What each seat of a lane has earned so far.
    fn returns(&self, lane: usize) -> Result<Vec<f32>, Error>;
    /// The ids of a lane's legal actions.
    fn legal(&self, lane: usize) -> Result<Vec<usize>, Error>;
    /// See [`Batch::time_out`].
    fn time_out(&mut self, lane: usize) -> Result<(), Error>;
    /// See [`Batch::play`].
    fn play(&mut self, lane: usize, action: i64) -> Result<(), Error>;
    /// Why an action cannot be played in a lane now, if so.
    fn explain(&self, lane: usize, action: i64) -> Result<Option<String>, Error>;
    /// The table of a lane, for a terminal.
    fn text(&self, lane: usize, viewer: Option<usize>) -> Result<String, Error>;
    /// The table of a lane, for a program that draws it.
    fn json(&self, lane: usize, viewer: Option<usize>) -> Result<Value, Error>;
    /// The table of a lane, drawn. `last` is the id of what was played last.
    fn picture(&self, lane: usize, viewer: Option<usize>, last: Option<usize>, looks: &[u8]) -> Result<Picture, Error>;
    /// Why an action cannot be played in a lane now, if so.
    fn refusal(&self, lane: usize, action: usize) -> Result<Option<Refusal>, Error>;
    /// What an action says.
    fn say(&self, action: usize) -> Result<Spoken, Error>;
    /// An action in the game's notation.
    fn action_text(&self, action: usize) -> Result<String, Error>;
    /// The id of an action in the game's notation; `lane` says what is legal if there is none.
    fn parse_action(&self, lane: usize, text: &str) -> Result<usize, Error>;
    /// How many sequences of legal decisions a lane has before it; see [`perft`].
    fn perft(&self, lane: usize, depth: u32) -> Result<u64, Error>;
    /// Starts an episode of a lane under a seed.
    fn start(&mut self, lane: usize, seed: u64, episode: u32) -> Result<(), Error>;
    /// What a built-in agent would play for the seat to act in a lane. `purpose` numbers the question: the same gets the
    /// same answer.
    fn choose(&self, lane: usize, agent: &str, purpose: u32, stop: &AtomicBool) -> Result<usize, Error>;
    /// An action worth considering for the seat to act in a lane, and why; see [`agents::advise`].
    fn hint(&self, lane: usize, stop: &AtomicBool) -> Result<(usize, String), Error>;
    /// What perfect play comes to in a lane; see [`crate::game::Heuristic::solve`].
    fn solve(&self, lane: usize, stop: &AtomicBool) -> Result<Solution<usize>, Error>;
    /// How far ahead each seat of a lane is, by what everybody may know.
    fn standing(&self, lane: usize) -> Result<Vec<i32>, Error>;
}

impl<R: Game> Simulator for Batch<R> {
    fn spec(&self) -> Spec<'_> {
        let seating = self.seating();
        let rules = self.rules();
        let is_agent = |&seat: &usize| matches!(seating.players[seat], Player::Agent(_));
        let [rewards, end] = R::REWARDS_AND_END;
        let [lowest, highest] = rules.range_of_returns().map(f64::from);
        Spec {
            name: R::NAME,
            title: R::TITLE,
            summary: R::SUMMARY,
            version: R::VERSION,
            seats: rules.num_seats(),
            lowest,
            highest,
            actions: rules.actions(),
            observation: rules.observation(),
            rewards,
            end,
            options: options_value(rules),
            option_meanings: option_meanings::<R>(),
            agents: agents::names::<R>(),
            agent_seats: (0..rules.num_seats()).filter(is_agent).collect(),
            rotate: seating.rotate,
            limit: seating.max_decisions,
            lane_bytes: self.lane_bytes(),
        }
    }

    fn num_lanes(&self) -> usize {
        self.len()
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

    fn sample(&mut self, actions: &mut [i32]) -> Result<(), Error> {
        self.sample(actions)
    }

    fn observe(&mut self, viewer: Option<usize>, rows: Rows<'_>) -> Result<(), Error> {
        let viewer = seat(self.rules(), viewer)?;
        self.observe(viewer, rows)
    }

    fn callers(&self, seats: &mut [i8]) -> Result<(), Error> {
        self.callers(seats)
    }

    fn select(&self, lanes: &[usize]) -> Result<Box<dyn Simulator>, Error> {
        Ok(Box::new(self.select(lanes)?))
    }

    fn resample_hidden(&mut self, viewer: usize, purpose: u32) -> Result<(), Error> {
        let viewer = Error::seat(viewer, self.rules().num_seats())?;
        self.resample_hidden(viewer, purpose);
        Ok(())
    }

    fn reseed(&mut self, lane: usize, seed: u64) -> Result<(), Error> {
        let mut with = self.lane(lane)?.clone();
        with.reseed(seed);
        self.set_lane(lane, with)
    }

    fn save(&self, lane: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = header(self.rules());
        bytes.extend(postcard::to_allocvec(&self.lane(lane)?.to_saved()).map_err(|error| unreadable(&error))?);
        bytes.extend(digest(&bytes).to_le_bytes());
        Ok(bytes)
    }

    fn load(&mut self, lane: usize, bytes: &[u8]) -> Result<(), Error> {
        self.lane(lane)?;
        let body = body(self.rules(), bytes)?;
        let (saved, rest) = postcard::take_from_bytes::<Saved<R::State>>(body).map_err(|error| unreadable(&error))?;
        if !rest.is_empty() {
            return Err(Error::Save(format!("{} bytes too many", rest.len())));
        }
        let with = Lane::from_saved(self.seating(), saved)?;
        self.set_lane(lane, with)
    }

    fn position(&self, lane: usize) -> Result<String, Error> {
        Ok(self.rules().position(&self.lane(lane)?.state))
    }

    fn set_position(&mut self, lane: usize, text: &str) -> Result<(), Error> {
        let state = self.rules().parse_position(text)?;
        let mut with = self.lane(lane)?.clone();
        with.set_state(self.seating(), state, &mut Vec::new());
        self.set_lane(lane, with)
    }

    fn address(&self, lane: usize) -> Result<Address, Error> {
        let lane = self.lane(lane)?;
        Ok(Address { seed: lane.origin.seed, lane: lane.origin.lane, episode: lane.episode, decisions: lane.decisions })
    }

    fn to_act(&self, lane: usize) -> Result<Option<usize>, Error> {
        Ok(self.lane(lane)?.to_act(self.rules()).map(Seat::index))
    }

    fn returns(&self, lane: usize) -> Result<Vec<f32>, Error> {
        let returns: [f32; MAX_SEATS] = self.rules().returns(&self.lane(lane)?.state);
        Ok(returns[..self.rules().num_seats()].to_vec())
    }

    fn legal(&self, lane: usize) -> Result<Vec<usize>, Error> {
        let lane = self.lane(lane)?;
        let mut actions = Vec::new();
        if lane.status == Status::Running {
            self.rules().legal_actions(&lane.state, &mut actions);
        }
        Ok(actions.into_iter().map(|action| self.rules().action_id(action)).collect())
    }

    fn time_out(&mut self, lane: usize) -> Result<(), Error> {
        self.time_out(lane)
    }

    fn play(&mut self, lane: usize, action: i64) -> Result<(), Error> {
        self.play(lane, action)
    }

    fn explain(&self, lane: usize, action: i64) -> Result<Option<String>, Error> {
        Ok(self.explain(lane, action)?.map(|error| error.to_string()))
    }

    fn text(&self, lane: usize, viewer: Option<usize>) -> Result<String, Error> {
        let viewer = seat(self.rules(), viewer)?;
        Ok(self.rules().text(&self.lane(lane)?.state, viewer))
    }

    fn json(&self, lane: usize, viewer: Option<usize>) -> Result<Value, Error> {
        let viewer = seat(self.rules(), viewer)?;
        Ok(self.rules().view(&self.lane(lane)?.state, viewer))
    }

    fn picture(&self, lane: usize, viewer: Option<usize>, last: Option<usize>, looks: &[u8]) -> Result<Picture, Error> {
        let rules = self.rules();
        let last = last.map(|id| rules.action(id));
        Ok(rules.picture(&self.lane(lane)?.state, seat(rules, viewer)?, last, Looks(looks)))
    }

    fn refusal(&self, lane: usize, action: usize) -> Result<Option<Refusal>, Error> {
        Ok(self.rules().check(&self.lane(lane)?.state, self.rules().action(action)).err())
    }

    fn say(&self, action: usize) -> Result<Spoken, Error> {
        Ok(self.rules().say(self.rules().action(action)))
    }

    fn action_text(&self, action: usize) -> Result<String, Error> {
        let size = self.rules().actions().size();
        if action >= size {
            return Err(Error::Config {
                name: "action",
                value: action.to_string(),
                allowed: format!("ids are 0 to {}", size - 1),
            });
        }
        Ok(self.rules().notation(self.rules().action(action)))
    }

    fn parse_action(&self, lane: usize, text: &str) -> Result<usize, Error> {
        let lane = self.lane(lane)?;
        let unknown = || Error::UnknownAction { text: text.to_owned(), game: R::NAME, legal: self.legal_text(lane) };
        let action = self.rules().parse(text).ok_or_else(unknown)?;
        Ok(self.rules().action_id(action))
    }

    fn perft(&self, lane: usize, depth: u32) -> Result<u64, Error> {
        let lane = self.lane(lane)?;
        Ok(perft(self.rules(), &lane.state, &lane.rng, depth))
    }

    fn start(&mut self, lane: usize, seed: u64, episode: u32) -> Result<(), Error> {
        let with = Lane::whole(self.seating(), Origin { seed, lane: 0 }, episode, &mut Vec::new());
        self.set_lane(lane, with)
    }

    fn choose(&self, lane: usize, agent: &str, purpose: u32, stop: &AtomicBool) -> Result<usize, Error> {
        let text = agent;
        let agent = agents::make::<R>(text)?;
        let (lane, random) = undecided(self.lane(lane)?, text, purpose)?;
        Ok(self.rules().action_id(agent.choose(self.rules(), &lane.state, random, stop, &mut Vec::new())))
    }

    fn hint(&self, lane: usize, stop: &AtomicBool) -> Result<(usize, String), Error> {
        let (lane, random) = undecided(self.lane(lane)?, "hint", 0)?;
        let (action, reason) = agents::advise(self.rules(), &lane.state, random, stop);
        Ok((self.rules().action_id(action), reason))
    }

    fn solve(&self, lane: usize, stop: &AtomicBool) -> Result<Solution<usize>, Error> {
        let Solution { score, line, nodes } = self.rules().solve(&self.lane(lane)?.state, stop)?;
        Ok(Solution { score, line: line.into_iter().map(|action| self.rules().action_id(action)).collect(), nodes })
    }

    fn standing(&self, lane: usize) -> Result<Vec<i32>, Error> {
        Ok(self.rules().standing(&self.lane(lane)?.state)[..self.rules().num_seats()].to_vec())
    }
}

/// A lane in which somebody has to decide, with random bits for a question about it.
fn undecided<'a, S: Clone>(lane: &'a Lane<S>, agent: &str, purpose: u32) -> Result<(&'a Lane<S>, u64), Error> {
    if lane.status != Status::Running {
        let message = "the match is over, nobody has to decide".to_owned();
        return Err(Error::Agent { text: agent.to_owned(), message });
    }
    let random = Rng::new(lane.origin, lane.episode, Purpose::Advice(purpose)).bits();
    Ok((lane, random.wrapping_add(lane.random())))
}

fn seat<R: Game>(rules: &R, viewer: Option<usize>) -> Result<Option<Seat>, Error> {
    viewer.map(|seat| Error::seat(seat, rules.num_seats())).transpose()
}

/// What each option means: the comment of its field.
fn option_meanings<R: Game>() -> Vec<(&'static str, String)> {
    let fields = R::Options::FIELD_NAMES.iter().zip(R::Options::FIELD_DOCS);
    fields.map(|(&name, meaning)| (name, meaning.replace('\n', " "))).collect()
}

fn options_value<R: Game>(rules: &R) -> Value {
    serde_json::to_value(rules.options()).unwrap_or_default()
}

/// Format, game, and a digest of its options.
fn header<R: Game>(rules: &R) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(R::NAME.len() as u8);
    bytes.extend(R::NAME.as_bytes());
    let identity = format!("{} {}", R::VERSION, options_value(rules));
    bytes.extend(digest(identity.as_bytes()).to_le_bytes());
    bytes
}

/// What follows the header, if the bytes are whole and belong to this game with these options.
fn body<'a, R: Game>(rules: &R, bytes: &'a [u8]) -> Result<&'a [u8], Error> {
    let refuse = |why: &str| Err(Error::Save(why.to_owned()));
    let format = MAGIC.len() - 1;
    if bytes.len() < format || bytes[..format] != MAGIC[..format] {
        return refuse("these bytes are no saved match of adjoin");
    }
    if bytes.get(format) != Some(&MAGIC[format]) {
        return refuse("the match was saved in another format, by another version of adjoin");
    }
    let Some((content, checksum)) = bytes.split_last_chunk::<8>() else {
        return refuse("the bytes are truncated");
    };
    if digest(content) != u64::from_le_bytes(*checksum) {
        return refuse("the bytes are truncated or altered (their checksum is wrong)");
    }
    let expected = header(rules);
    let Some(body) = content.strip_prefix(&*expected) else {
        let name = content.get(MAGIC.len() + 1..).unwrap_or_default();
        return if name.starts_with(R::NAME.as_bytes()) {
            refuse("the match was saved with other options")
        } else {
            refuse(&format!("the match is of another game than {}", R::NAME))
        };
    };
    Ok(body)
}

fn unreadable(error: &postcard::Error) -> Error {
    Error::Save(format!("the bytes cannot be read ({error})"))
}

/// 64-bit FNV-1a: finds accidents, not forgeries; what it lets through, `validate` judges.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
