//! What can be agreed before the game, and what of it makes sense.

use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

use super::super::pieces::{Dominoes, NUM_DOMINOES, NUM_SQUARES, NUM_VALUES, Pieces, Squares};
use super::Domiphun;
use crate::error::Error;
use crate::game::Rules as _;

/// The most players (DOMI-2).
pub const MAX_PLAYERS: usize = 4;
/// The most joiners of a kind that a seat may get.
pub(in super::super) const MAX_JOINERS: u8 = 4;
const MAX_STARTS: u8 = 2;

/// Hardly anybody takes more in a turn.
const MOST_TAKEN: u8 = 16;
/// Hardly anybody is left with more pips.
const MOST_PIPS: u8 = 120;

/// Which of the three games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// Dominoes (DOMI-4).
    Traditional,
    /// Dominoes made from single squares (DOMI-5 to DOMI-10).
    #[default]
    Standard,
    /// The same in three dimensions (DOMI-11 to DOMI-20).
    Advanced,
}

impl Variant {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Traditional => "traditional",
            Self::Standard => "standard",
            Self::Advanced => "advanced",
        }
    }
}

/// What wins a match (DOMI-21).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Series {
    /// Most games.
    #[default]
    Wins,
    /// Fewest points.
    Points,
}

/// How Domiphun is to be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// "traditional" dominoes, "standard" with single squares, or "advanced" in three dimensions
    pub variant: Variant,
    /// how many play, 2 to 4
    pub players: u8,
    /// the seat that starts the first game; by default drawn
    pub first_seat: Option<u8>,
    /// how often each player starts a game of the match, 1 or 2; 0 for a single game
    pub starts_each: u8,
    /// a match is won by the most "wins" or by the fewest "points"
    pub series: Series,
    /// advanced: X joiners for each player, 0 to 4; 2 by default
    pub x_joiners: Option<u8>,
    /// advanced: Starjoiners for each player, 0 to 4; 1 by default
    pub starjoiners: Option<u8>,
    /// advanced: more Starjoiners as a handicap, a number per seat, 0 to 4
    pub extra_starjoiners: Vec<u8>,
    /// advanced: whether an X joiner leaves an end where it is put, so that the path forks
    pub fork: bool,
    /// how many values there are, 2 to 7; one square more of each than there are values
    pub values: u8,
    /// squares for each player, 11 by default; traditional: dominoes, 7 or 5; with fewer values the same share
    pub hand: Option<u8>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            variant: Variant::default(),
            players: 2,
            first_seat: None,
            starts_each: 0,
            series: Series::default(),
            x_joiners: None,
            starjoiners: None,
            extra_starjoiners: Vec::new(),
            fork: false,
            values: NUM_VALUES as u8,
            hand: None,
        }
    }
}

/// The most that there can be of what is counted in a row.
#[derive(Clone, Debug)]
pub(in super::super) struct Limits {
    pub players: u8,
    /// Of a value, or dominoes that show it.
    pub each: u8,
    /// Pieces in a hand: the own share and the whole pool.
    pub hand: u8,
    /// Pieces in the pool; at least 1.
    pub pool: u8,
    pub dominoes: u8,
    /// The sum of all pieces.
    pub pips: u8,
    pub games: u8,
    /// Points over the finished games, and pieces taken in a turn, as far as they are told apart.
    pub points: u8,
    pub taken: u8,
    pub x_joiners: u8,
    pub starjoiners: u8,
    pub is_advanced: bool,
}

/// What the options allow at most, with these pieces, so many for each player and these joiners.
pub(super) fn limits(options: &Options, pieces: Pieces, hand: u8, joiners: &Joiners) -> Limits {
    let (all, players) = (pieces.len() as u8, options.players);
    let pool = all.saturating_sub(players * hand).max(1);
    let (pips, games) = (pieces.pips() as u8, (options.starts_each * players).max(1));
    Limits {
        players,
        each: options.values + 1,
        hand: all.saturating_sub((players - 1) * hand),
        pool,
        dominoes: if options.variant == Variant::Traditional { all } else { all / 2 },
        pips,
        games,
        points: pips.min(MOST_PIPS).saturating_mul(games).max(1),
        taken: pool.min(MOST_TAKEN),
        x_joiners: joiners.x,
        starjoiners: joiners.star.into_iter().max().unwrap_or_default(),
        is_advanced: options.variant == Variant::Advanced,
    }
}

/// X joiners and Starjoiners by seat.
pub(super) struct Joiners {
    pub x: u8,
    pub star: [u8; MAX_PLAYERS],
}

/// The joiners that the options give, if they make sense.
pub(super) fn settle(options: &Options) -> Result<Joiners, Error> {
    let Options { players, first_seat, starts_each, .. } = *options;
    if !(2..=MAX_PLAYERS as u8).contains(&players) {
        return refuse(format!("players = {players}: 2 to {MAX_PLAYERS} play (DOMI-2)"));
    }
    if let Some(seat) = first_seat.filter(|&seat| seat >= players) {
        return refuse(format!("first_seat = {seat}: the seats are 0 to {}", players - 1));
    }
    if starts_each > MAX_STARTS {
        return refuse(format!("starts_each = {starts_each}: 0 (a single game), 1 or 2 are allowed (DOMI-21)"));
    }
    let is_advanced = options.variant == Variant::Advanced;
    if options.fork && !is_advanced {
        return refuse("fork: only the advanced game has it (DOMI-20)".to_owned());
    }
    let number = |name: &str, given: u8| {
        if given > MAX_JOINERS {
            return refuse(format!("{name} = {given}: 0 to {MAX_JOINERS} are allowed (DOMI-11)"));
        }
        if given > 0 && !is_advanced {
            return refuse(format!("{name} = {given}: only the advanced game has them (DOMI-11)"));
        }
        Ok(given)
    };
    let default = |usual: u8| if is_advanced { usual } else { 0 };
    let x = number("x_joiners", options.x_joiners.unwrap_or(default(2)))?;
    let mut star = [0; MAX_PLAYERS];
    star[..usize::from(players)].fill(number("starjoiners", options.starjoiners.unwrap_or(default(1)))?);
    let extra = &options.extra_starjoiners;
    if !extra.is_empty() && extra.len() != usize::from(players) {
        return refuse(format!("extra_starjoiners: {} numbers for {players} players", extra.len()));
    }
    for (seat, &extra) in extra.iter().enumerate() {
        star[seat] += number(&format!("extra_starjoiners[{seat}]"), extra)?;
    }
    Ok(Joiners { x, star })
}

/// All pieces, and how many each player gets (DOMI-2, DOMI-4, DOMI-22).
pub(super) fn pieces_and_hand(options: &Options) -> Result<(Pieces, u8), Error> {
    let Options { variant, players, values, .. } = *options;
    if !(2..=NUM_VALUES as u8).contains(&values) {
        return refuse(format!("values = {values}: 2 to {NUM_VALUES} are allowed (DOMI-22)"));
    }
    let (pieces, kind, usual, of, least) = match (variant, players) {
        (Variant::Traditional, 2) => (Pieces::Dominoes(Dominoes::of(values)), "dominoes", 7, NUM_DOMINOES, 2),
        (Variant::Traditional, _) => (Pieces::Dominoes(Dominoes::of(values)), "dominoes", 5, NUM_DOMINOES, 2),
        (Variant::Standard | Variant::Advanced, _) => {
            (Pieces::Squares(Squares::of(values)), "squares", 11, NUM_SQUARES, 3)
        }
    };
    let all = pieces.len();
    let most = all / usize::from(players);
    let hand = options.hand.unwrap_or((all * usual / of).max(least).min(most) as u8);
    if most == 0 {
        return refuse(format!("values = {values}: {all} {kind} are too few for {players} players (DOMI-22)"));
    }
    if !(1..=most).contains(&hand.into()) {
        return refuse(format!(
            "hand = {hand}: 1 to {most} are allowed, of {all} {kind} for {players} players (DOMI-22)"
        ));
    }
    Ok((pieces, hand))
}

fn refuse<T>(message: String) -> Result<T, Error> {
    Err(Error::Options { game: Domiphun::NAME, message })
}
