//! What a player sees about an action in Metro Domino.
//!
//! Beside the tile and its line, a row tells how the table looks afterwards: what still fits, who could finish a line,
//! and how the players stand. "The next" is the player to the left. Which station comes is chance, so of one that would
//! be opened only what holds whichever comes is told.

use super::encode::{PURSE, TILES, full_store, num_unopened};
use super::rules::{Action, HAND, MAX_ACTIVE, MetroDomino, STATIONS_TO_END, State, TOKENS, View};
use super::stations::Deck;
use super::tiles::{DOUBLES, NUM_TILES, NUM_VALUES, Play, WITH};
use crate::bits;
use crate::game::Seat;
use crate::layout::{Layout, Writer};
use crate::list::List;

const KINDS: &[&str] = &["play", "draw", "pass", "keep", "spend", "stop"];
const PHASES: &[&str] = &["turn", "drawn", "extra", "more", "spent"];
const LEFT: &[&str] = &["0", "1", "2", "3", "4", "5 or more"];
const ENDS: &[&str] = &["won", "shared", "lost"];

/// Tiles that a player has not seen at the start of a game.
const UNSEEN: u8 = NUM_TILES as u8 - HAND as u8;
/// Tiles with a value; so many doubles, too.
const OF_VALUE: u8 = 10;
/// Such tiles of a hand that are told apart.
const MINE_OF_VALUE: u8 = 6;
const CERTAIN: u8 = 100;
const LEAD: u8 = 16;

pub(super) fn facts(deck: &Deck, players: u8) -> Layout {
    let (lines, stations) = (MAX_ACTIVE, STATIONS_TO_END as u8);
    Layout::new()
        .flags("kind", &[KINDS.len()], "what sort of action it is")
        .labelled(KINDS.iter().copied())
        .flags("phase", &[PHASES.len()], "what is being decided")
        .labelled(PHASES.iter().copied())
        .flags("double", &[], "a double is played")
        .flags("begins", &[], "it is the first tile of its line")
        .flags("left", &[LEFT.len()], "tiles that the line takes after this one; none if no tile is played")
        .labelled(LEFT.iter().copied())
        .flags("opens", &[], "it completes its line and opens a station")
        .flags("ends", &[ENDS.len()], "it ends the game, with this result for the player; none if it does not")
        .labelled(ENDS.iter().copied())
        .flags("goes_on", &[], "the player decides again afterwards: a double, a metro token to spend, a tile drawn")
        .counts("mine_on_line", &[], MINE_OF_VALUE, "tiles of the own hand that the line takes next")
        .counts("unseen_on_line", &[], OF_VALUE, "unseen tiles that the line takes next")
        .counts(
            "next_on_line",
            &[],
            CERTAIN,
            "chance in 100 that the next holds one of those: 5 of 40 unseen, 9 held, make 74",
        )
        .counts("mine_gone", &[], MINE_OF_VALUE, "other tiles of the own hand that fitted its line before, and no more")
        .counts("mine_fit", &[], TILES, "tiles of the own hand that fit some line afterwards")
        .counts("mine_stuck", &[], TILES, "tiles of the own hand that fit none")
        .counts("mine_doubles", &[], 4, "doubles of the own hand that fit some line afterwards")
        .counts("values", &[], NUM_VALUES, "different values in the own hand afterwards: 3-7 and 7-7 have two")
        .counts("unseen_fit", &[], UNSEEN, "unseen tiles that fit some line afterwards")
        .counts("unseen_share", &[], CERTAIN, "the same of 100 unseen tiles")
        .counts("unseen_doubles", &[], OF_VALUE, "unseen doubles that fit some line afterwards")
        .counts("next_stuck", &[], CERTAIN, "chance in 100 that no tile of the next fits")
        .counts("active", &[], lines, "lines with tiles that are not complete")
        .counts("one_short", &[], lines, "such lines that one tile completes")
        .counts("two_short", &[], lines, "such lines that two tiles complete")
        .counts("mine_alone", &[], lines, "such lines that take a tile of the own hand and no unseen one")
        .counts("dead", &[], lines, "such lines that take none of both")
        .counts("mine_finish", &[], MINE_OF_VALUE, "tiles of the own hand that open a station afterwards")
        .counts("unseen_finish", &[], 2 * OF_VALUE, "unseen tiles that open a station afterwards")
        .counts("next_finish", &[], CERTAIN, "chance in 100 that the next holds one of them")
        .flags("double_goes_on", &[], "a double is played, and another tile of the hand fits then")
        .flags("finish_now", &[], "the turn goes on, and a tile of the hand opens a station then")
        .counts("gift", &[], CERTAIN, "next_finish, but 0 if finish_now")
        .flags("win_now", &[], "the turn goes on, and a tile of the hand could end and win the game then")
        .counts("tiles", &[3], TILES, "tiles in hand: own, of the next, fewest of the others")
        .counts("tokens", &[2], PURSE, "metro tokens: own, of the next")
        .counts("stations", &[3], stations, "stations opened: own, of the next, most of the others")
        .counts("lead", &[], 2 * LEAD, "points ahead of the best of the others if the game ended, -16 to 16")
        .offset(LEAD)
        .counts("supply", &[], TOKENS, "metro tokens that nobody has")
        .counts("store", &[], full_store(players), "tiles in the store")
        .counts("unopened", &[], num_unopened(deck), "stations that nobody has opened")
}

/// Ways to choose so many of so many tiles.
static CHOOSE: [[u64; NUM_TILES + 1]; NUM_TILES + 1] = {
    let mut ways = [[0; NUM_TILES + 1]; NUM_TILES + 1];
    let mut all = 0;
    while all <= NUM_TILES {
        ways[all][0] = 1;
        let mut some = 1;
        while some <= all {
            ways[all][some] = ways[all - 1][some - 1] + ways[all - 1][some];
            some += 1;
        }
        all += 1;
    }
    ways
};

/// A line with tiles that is not complete.
#[derive(Clone, Copy, Default)]
struct Active {
    number: u8,
    /// Tiles that it takes.
    left: u8,
    /// The tiles that it takes next.
    takes: u64,
}

/// What the seat to act sees, whichever of its actions is asked about.
pub(super) struct Seen<'a> {
    rules: &'a MetroDomino,
    view: View<'a>,
    hand: u64,
    unseen: u64,
    active: List<Active, { MAX_ACTIVE as usize }>,
    /// Open lines without tiles that take more than one.
    fresh: u64,
    /// The tiles that open lines of one tile take.
    single: u64,
    /// The tiles that some line of the next station takes, whichever it is.
    beyond: u64,
    tokens: u8,
    stations: usize,
    unopened: u32,
    /// Tiles, metro tokens, stations of the next.
    theirs: [usize; 3],
    fewest_tiles: usize,
    most_stations: usize,
    /// Points and stations of the best of the others.
    best: (i32, usize),
}

/// The table after an action, as far as the player can foresee it.
struct After {
    hand: u64,
    /// Tiles in hand, with one just drawn.
    tiles: usize,
    tokens: u8,
    stations: usize,
    active: List<Active, { MAX_ACTIVE as usize }>,
    fresh: u64,
    single: u64,
    /// Stations that nobody has opened.
    unopened: u32,
    /// Whether the player decides again.
    goes_on: bool,
    ends: bool,
    /// Whether a new station's lines are there.
    opens: bool,
}

/// What is told about the tile played and its line.
#[derive(Default)]
struct Laid {
    is_double: bool,
    begins: bool,
    left: Option<u8>,
    /// The tiles that the line took before.
    took: u64,
    /// The tiles that the line takes next.
    takes: u64,
}

const fn count(tiles: u64) -> usize {
    tiles.count_ones() as usize
}

impl<'a> Seen<'a> {
    pub(super) fn new(rules: &'a MetroDomino, state: &'a State) -> Self {
        let me = state.view(None).turn();
        let view = state.view(Some(me));
        let players = rules.players();
        let (limits, open, begun) = (&rules.limits, view.open(), view.active());
        let active = bits::each(begun).map(|number| {
            let line = view.line(number);
            Active {
                number,
                left: limits.lengths[usize::from(number)] - line.tiles,
                takes: rules.fit_end(number, line.end.unwrap_or_default()).0,
            }
        });
        let next = Seat::new((me.index() + 1) % players);
        let mut seen = Self {
            rules,
            hand: view.hand(me).unwrap_or_default().0,
            unseen: view.unseen().0,
            active: active.collect(),
            fresh: open & !begun & !limits.single,
            single: rules.fit_fresh(open & limits.single).0,
            beyond: rules.certain_beyond(state),
            tokens: view.tokens(me),
            stations: view.num_stations(me),
            unopened: view.num_unopened(),
            theirs: [view.num_tiles(next), view.tokens(next).into(), view.num_stations(next)],
            fewest_tiles: usize::MAX,
            most_stations: 0,
            best: (i32::MIN, 0),
            view,
        };
        for seat in (0..players).map(Seat::new).filter(|&seat| seat != me) {
            let stations = seen.view.num_stations(seat);
            seen.fewest_tiles = seen.fewest_tiles.min(seen.view.num_tiles(seat));
            seen.most_stations = seen.most_stations.max(stations);
            seen.best = seen.best.max((seen.view.score(seat), stations));
        }
        seen
    }

    /// Writes the facts about a legal action over the whole row.
    pub(super) fn describe(&self, action: Action, row: &mut [u8]) {
        let (after, laid) = self.after(action);
        let mut out = Writer::new(row);
        out.one_hot(Some(kind(action)), KINDS.len());
        out.one_hot(Some(self.view.stage() as usize), PHASES.len());
        out.flag(laid.is_double);
        out.flag(laid.begins);
        out.one_hot(laid.left.map(|left| usize::from(left).min(LEFT.len() - 1)), LEFT.len());
        out.flag(after.opens);
        out.one_hot(after.ends.then(|| self.result(after.stations, after.tiles)), ENDS.len());
        out.flag(after.goes_on);
        out.up_to(MINE_OF_VALUE, count(after.hand & laid.takes));
        out.up_to(OF_VALUE, count(self.unseen & laid.takes));
        out.up_to(CERTAIN, self.chance(laid.takes));
        out.up_to(MINE_OF_VALUE, count(after.hand & laid.took & !laid.takes));
        self.describe_table(&after, laid.is_double, &mut out);
        self.describe_players(&after, &mut out);
    }

    fn after(&self, action: Action) -> (After, Laid) {
        let mut after = After {
            hand: self.hand,
            tiles: count(self.hand),
            tokens: self.tokens,
            stations: self.stations,
            active: self.active,
            fresh: self.fresh,
            single: self.single,
            unopened: self.unopened,
            goes_on: false,
            ends: false,
            opens: false,
        };
        let mut laid = Laid::default();
        match action {
            Action::Play(play) => laid = self.play(play, &mut after),
            Action::Draw => {
                after.tiles += 1;
                after.goes_on = true;
            }
            Action::Spend => {
                after.tokens -= 1;
                after.goes_on = true;
            }
            Action::Pass => after.ends = usize::from(self.view.passes()) + 1 == self.rules.players(),
            Action::Keep | Action::Stop => {}
        }
        (after, laid)
    }

    fn play(&self, play: Play, after: &mut After) -> Laid {
        let track = &self.rules.deck.tracks()[usize::from(play.line)];
        after.hand &= !(1 << play.tile.0);
        after.tiles -= 1;
        let is_double = play.tile.is_double();
        after.tokens += u8::from(is_double && self.view.supply() > 0);
        let rest = after.active.iter().position(|line| line.number == play.line);
        let left = rest.map_or(track.line.length, |at| after.active[at].left) - 1;
        let takes = if left > 0 { self.rules.fit_end(play.line, play.inward_outward().1).0 } else { 0 };
        let took = rest.map_or(track.allowed.0, |at| after.active[at].takes);
        match rest {
            Some(at) if left > 0 => after.active[at] = Active { number: play.line, left, takes },
            Some(at) => {
                let last = after.active.len() - 1;
                after.active.swap(at, last);
                after.active.pop();
            }
            None if left > 0 => {
                after.fresh &= !(1 << play.line);
                after.active.push(Active { number: play.line, left, takes });
            }
            None => after.single = self.single_without(play.line),
        }
        if left == 0 && self.unopened > 0 {
            after.opens = true;
            after.unopened -= 1;
            after.stations += 1;
        }
        after.ends = after.hand == 0 || after.stations >= STATIONS_TO_END;
        after.goes_on = !after.ends && (is_double || after.tokens > 0);
        Laid { is_double, begins: rest.is_none(), left: Some(left), took, takes }
    }

    /// The tiles that open lines of one tile take, all but one of these.
    #[cold]
    fn single_without(&self, line: u8) -> u64 {
        let others = self.view.open() & self.rules.limits.single & !(1 << line);
        self.rules.fit_fresh(others).0
    }

    /// What fits, and what completes a line.
    fn describe_table(&self, after: &After, is_double: bool, out: &mut Writer<'_>) {
        let (hand, unseen) = (after.hand, self.unseen);
        let mut fitting = after.single;
        let mut finishing = after.single;
        let (mut one_short, mut two_short, mut alone, mut dead) = (0, 0, 0, 0);
        for line in &*after.active {
            fitting |= line.takes;
            finishing |= if line.left == 1 { line.takes } else { 0 };
            one_short += usize::from(line.left == 1);
            two_short += usize::from(line.left == 2);
            alone += usize::from(unseen & line.takes == 0 && hand & line.takes != 0);
            dead += usize::from((unseen | hand) & line.takes == 0);
        }
        if after.active.len() < usize::from(MAX_ACTIVE) {
            fitting |= self.rules.fit_fresh(after.fresh).0 | if after.opens { self.beyond } else { 0 };
        }
        if after.unopened == 0 {
            finishing = 0;
        }
        let mine_fit = count(hand & fitting);
        let unseen_fit = count(unseen & fitting);
        out.up_to(TILES, mine_fit);
        out.up_to(TILES, count(hand & !fitting));
        out.up_to(4, count(hand & fitting & DOUBLES.0));
        out.up_to(NUM_VALUES, WITH.iter().filter(|tiles| hand & tiles.0 != 0).count());
        out.up_to(UNSEEN, unseen_fit);
        out.up_to(CERTAIN, 100 * unseen_fit / count(unseen).max(1));
        out.up_to(OF_VALUE, count(unseen & fitting & DOUBLES.0));
        out.up_to(CERTAIN, 100 - self.chance(fitting));
        out.up_to(MAX_ACTIVE, after.active.len());
        out.up_to(MAX_ACTIVE, one_short);
        out.up_to(MAX_ACTIVE, two_short);
        out.up_to(MAX_ACTIVE, alone);
        out.up_to(MAX_ACTIVE, dead);
        let mine_finish = count(hand & finishing);
        let next_finish = self.chance(finishing);
        let finish_now = after.goes_on && mine_finish > 0;
        out.up_to(MINE_OF_VALUE, mine_finish);
        out.up_to(2 * OF_VALUE, count(unseen & finishing));
        out.up_to(CERTAIN, next_finish);
        out.flag(is_double && mine_fit > 0);
        out.flag(finish_now);
        out.up_to(CERTAIN, if finish_now { 0 } else { next_finish });
        out.flag(after.goes_on && mine_fit > 0 && self.can_win(after, mine_finish > 0));
    }

    /// How the players stand.
    fn describe_players(&self, after: &After, out: &mut Writer<'_>) {
        let [tiles, tokens, stations] = self.theirs;
        for number in [after.tiles, tiles, self.fewest_tiles] {
            out.up_to(TILES, number);
        }
        for number in [after.tokens.into(), tokens] {
            out.up_to(PURSE, number);
        }
        for number in [after.stations, stations, self.most_stations] {
            out.up_to(STATIONS_TO_END as u8, number);
        }
        let lead = after.stations as i32 - after.tiles as i32 - self.best.0 + i32::from(LEAD);
        out.up_to(2 * LEAD, lead.max(0) as usize);
        let supply = i32::from(self.view.supply()) + i32::from(self.tokens) - i32::from(after.tokens);
        out.up_to(TOKENS, supply.max(0) as usize);
        out.up_to(full_store(self.rules.players() as u8), self.view.num_store());
        out.number(after.unopened);
    }

    /// Whether one more tile could end the game with a win.
    fn can_win(&self, after: &After, can_finish: bool) -> bool {
        let tiles = after.tiles - 1;
        let by_station = can_finish && (tiles == 0 || after.stations + 1 == STATIONS_TO_END);
        by_station && self.result(after.stations + 1, tiles) == 0 || tiles == 0 && self.result(after.stations, 0) == 0
    }

    /// The index in `ENDS` of a game that ends with so many stations and tiles.
    fn result(&self, stations: usize, tiles: usize) -> usize {
        let mine = (stations as i32 - tiles as i32, stations);
        (self.best.cmp(&mine) as isize + 1) as usize
    }

    /// The chance in 100 that the next holds one of these tiles.
    fn chance(&self, tiles: u64) -> usize {
        let (all, wanted, held) = (count(self.unseen), count(self.unseen & tiles), self.theirs[0]);
        let without = CHOOSE[all - wanted][held.min(NUM_TILES)];
        100 - (100 * without / CHOOSE[all][held.min(all)].max(1)) as usize
    }
}

fn kind(action: Action) -> usize {
    match action {
        Action::Play(_) => 0,
        Action::Draw => 1,
        Action::Pass => 2,
        Action::Keep => 3,
        Action::Spend => 4,
        Action::Stop => 5,
    }
}
