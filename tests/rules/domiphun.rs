//! Domiphun, clause by clause (`src/games/domiphun/RULES.md`).

use std::collections::{BTreeMap, BTreeSet};

use adjoin::game::{Describe as _, Encode as _, Rules as _, Show as _};
use adjoin::games::domiphun::Domiphun;
use serde_json::{Value, json};

use crate::table::{self, numbers, with, words};

type Match = table::Match<Domiphun>;

const TRADITIONAL: &str = r#"{"variant": "traditional"}"#;
const ADVANCED: &str = r#"{"variant": "advanced"}"#;
const WITHOUT_STARS: &str = r#"{"variant": "advanced", "starjoiners": 0}"#;
const WITHOUT_X: &str = r#"{"variant": "advanced", "x_joiners": 0}"#;
const PLAIN: &str = r#"{"variant": "advanced", "x_joiners": 0, "starjoiners": 0}"#;
const FORK: &str = r#"{"variant": "advanced", "fork": true}"#;

/// Four dominoes in a row to the east: squares 0 to 7 from x = 0 to 8. End A shows 0, end B shows 4.
const ROW: &str = "B east; B east; B east";

/// The row, a domino upright at its east end, and one on top that goes on eastwards, from x = 8 to 10 at height 2. End B
/// shows 6, and two X joiners are used.
const RAISED: &str = "B east; B east; B east; B east up; B up east";

/// The same with eight squares on top: 8 to the west of x = 8, 8 to the east, so the centre of mass is at x = 8, on the
/// edge of the support. End B shows 2, and two X joiners are used.
const LIMIT: &str = "B east; B east; B east; B east up; B up east; B east; B east; B east";

impl Match {
    fn pool(&self) -> usize {
        self.the("pool").as_array().unwrap().len()
    }

    fn laid(&self) -> Vec<String> {
        words(&self.the("laid"))
    }

    /// The values of a hand of squares.
    fn hand(&self, seat: usize) -> Vec<u64> {
        numbers(&self.the("hands")[seat])
    }

    /// What is being decided, whose turn it is, and how many pieces everybody holds: `turn 0 [11, 11]`.
    fn moment(&self) -> String {
        format!("{} {} {:?}", self.phase(), self.turn(), self.hand_sizes())
    }

    /// The ends by their letters with what they show.
    fn ends(&self) -> Vec<String> {
        let view = self.view(None);
        let ends = view["ends"].as_array().unwrap().iter();
        ends.map(|end| format!("{} {}", end["name"].as_str().unwrap(), end["value"])).collect()
    }

    /// The squares that are ends.
    fn end_squares(&self) -> Vec<u64> {
        self.view(None)["ends"].as_array().unwrap().iter().map(|end| end["plate"].as_u64().unwrap()).collect()
    }

    /// A square of the construction.
    fn plate(&self, number: usize) -> Value {
        self.view(None)["plates"][number].clone()
    }

    /// Where a square is, by its axis and its least corner: `z [0,0,0]`.
    fn place(&self, number: usize) -> String {
        let plate = self.plate(number);
        format!("{} {}", plate["axis"].as_str().unwrap(), plate["place"])
    }

    fn balance(&self, key: &str) -> Value {
        self.view(None)["balance"][key].clone()
    }

    /// Wins and returns of a match that is over.
    fn result(&self) -> (Vec<u64>, Vec<f32>) {
        assert!(self.is_over());
        (self.numbers("wins"), self.returns())
    }

    /// Every square of the game in order; for the traditional game those of its dominoes.
    fn squares(&self) -> Vec<u64> {
        let position = self.position();
        let laid = position["laid"].as_array().unwrap().iter();
        let held = position["hands"].as_array().unwrap().iter().flat_map(|hand| hand.as_array().unwrap());
        let pieces = laid.chain(held).chain(position["pool"].as_array().unwrap()).chain([&position["domino"]]);
        let mut squares: Vec<u64> = pieces.flat_map(values).collect();
        squares.sort_unstable();
        squares
    }
}

fn rules(options: &str) -> Domiphun {
    table::rules(options)
}

/// Why options are refused.
fn refusal(options: &str) -> String {
    table::options_refusal::<Domiphun>(options)
}

/// Fails unless the position is refused with this message.
fn assert_impossible(options: &str, position: Value, message: &str) {
    table::assert_impossible::<Domiphun>(options, position, message);
}

/// The values of a square or of a domino.
fn values(piece: &Value) -> Vec<u64> {
    let digits = |text: &str| text.bytes().take(3).step_by(2).map(|digit| u64::from(digit - b'0')).collect();
    piece.as_str().map_or_else(|| piece.as_u64().into_iter().collect(), digits)
}

/// Words with commas between.
fn list(words: &str) -> Vec<String> {
    words.split(", ").map(str::to_owned).collect()
}

/// Eight of each value.
fn all_squares() -> Vec<u64> {
    (0..7).flat_map(|value| [value; 8]).collect()
}

/// What is laid when the first domino is 0-1 and the next ones go to these places, their outer squares showing 2, 3, …, 6,
/// 0, 1 and so on.
fn built(places: &str) -> Vec<String> {
    let mut laid = vec!["0-1".to_owned()];
    let mut shown = vec![0, 1];
    let mut ends = [0, 1];
    for place in places.split("; ") {
        let words: Vec<&str> = place.split(' ').collect();
        let end = usize::from(words[0] == "B");
        let square: usize = if words[1] == "plate" { words[2].parse().unwrap() } else { ends[end] };
        let (touching, outer) = (shown[square], (laid.len() + 1) % 7);
        laid.push(format!("{touching}-{outer} {place}"));
        ends[end] = shown.len() + 1;
        shown.extend([touching, outer]);
    }
    laid
}

/// A position with this construction.
fn standing(places: &str, parts: Value) -> Value {
    with(json!({"laid": built(places)}), parts)
}

/// The path 3-5-5-6, with ends that show 3 and 6.
fn path(parts: Value) -> Value {
    with(json!({"laid": ["3-5", "5-6 B"]}), parts)
}

/// Options that differ in all that they can.
const TABLES: [&str; 10] = [
    "{}",
    r#"{"players": 3, "starts_each": 1}"#,
    r#"{"players": 4, "starts_each": 2, "series": "points"}"#,
    TRADITIONAL,
    r#"{"variant": "traditional", "players": 3, "starts_each": 2}"#,
    r#"{"variant": "traditional", "players": 4, "series": "points", "starts_each": 1}"#,
    ADVANCED,
    r#"{"variant": "advanced", "players": 4, "x_joiners": 1, "extra_starjoiners": [0, 2, 0, 1]}"#,
    r#"{"variant": "advanced", "players": 3, "fork": true, "starts_each": 1, "starjoiners": 2}"#,
    r#"{"variant": "advanced", "fork": true, "x_joiners": 4, "starjoiners": 0}"#,
];

/// Random matches at each of [`TABLES`].
fn random_matches(matches: u64, mut see: impl FnMut(&Match, Option<&str>)) {
    for options in TABLES {
        for seed in 0..matches {
            Match::seeded(options, seed).play_out(&mut see);
        }
    }
}

/// Opposite directions are neighbours; x, y and z in this order.
const DIRECTIONS: [&str; 6] = ["east", "west", "north", "south", "up", "down"];

/// A point of the lattice in half steps.
type Point = [i32; 3];

fn moved(mut point: Point, direction: usize, steps: i32) -> Point {
    point[direction / 2] += if direction.is_multiple_of(2) { steps } else { -steps };
    point
}

#[derive(Clone, Copy, PartialEq)]
enum Joiner {
    Ordinary,
    X,
}

/// A square by its centre, of which one coordinate is even: the one across its plane.
#[derive(Clone)]
struct Plate {
    centre: Point,
    value: u8,
    sides: [Option<Joiner>; 6],
    starjoiner: bool,
}

/// Where a domino goes on a square.
#[derive(Clone, Copy)]
struct Place {
    side: usize,
    heading: usize,
    /// Whether it takes an X joiner of the player's.
    takes_x: bool,
}

impl Place {
    fn text(self) -> String {
        let [side, heading] = [self.side, self.heading].map(|direction| DIRECTIONS[direction]);
        if side == heading { side.to_owned() } else { format!("{side} {heading}") }
    }
}

/// What has been laid, in three dimensions (DOMI-13 to DOMI-17, DOMI-20).
#[derive(Clone, Default)]
struct Construction {
    plates: Vec<Plate>,
    ends: Vec<usize>,
}

impl Construction {
    fn new(laid: &[String], fork: bool) -> Self {
        let mut all = Self::default();
        for domino in laid {
            let words: Vec<&str> = domino.split(' ').collect();
            let [touching, outer] = [0, 2].map(|at| words[0].as_bytes()[at] - b'0');
            let direction = |word: &&str| DIRECTIONS.iter().position(|name| name == word);
            let [side, .., heading] = words.iter().filter_map(direction).collect::<Vec<_>>().repeat(2)[..] else {
                all.plates = vec![all.plate([1, 1, 0], touching), all.plate([3, 1, 0], outer)];
                all.hold(0, 0, Joiner::Ordinary);
                all.hold(1, 1, Joiner::Ordinary);
                all.ends = vec![0, 1];
                continue;
            };
            let end = usize::from(words[1].as_bytes()[0] - b'A');
            let is_restart = words[2] == "plate";
            let to = if is_restart { words[3].parse().unwrap() } else { all.ends[end] };
            let place = all.place(to, side, heading).unwrap();
            if is_restart {
                all.plates[all.ends[end]].starjoiner = true;
            } else if fork && place.takes_x {
                all.ends.push(to);
            }
            all.ends[end] = all.plates.len() + 1;
            let centres = all.reached(to, place);
            let joiner =
                if side == heading && all.plates[to].sides[side].is_none() { Joiner::Ordinary } else { Joiner::X };
            all.hold(to, side, joiner);
            let plates = [all.plate(centres[0], touching), all.plate(centres[1], outer)];
            all.plates.extend(plates);
            all.hold(all.plates.len() - 2, heading ^ 1, joiner);
            all.hold(all.plates.len() - 2, heading, Joiner::Ordinary);
            all.hold(all.plates.len() - 1, heading ^ 1, Joiner::Ordinary);
        }
        all
    }

    #[allow(clippy::unused_self)]
    fn plate(&self, centre: Point, value: u8) -> Plate {
        Plate { centre, value, sides: [None; 6], starjoiner: false }
    }

    fn hold(&mut self, plate: usize, side: usize, joiner: Joiner) {
        self.plates[plate].sides[side] = Some(joiner);
    }

    /// The centres of the two squares of a domino there.
    fn reached(&self, to: usize, place: Place) -> [Point; 2] {
        let edge = moved(self.plates[to].centre, place.side, 1);
        [1, 3].map(|steps| moved(edge, place.heading, steps))
    }

    /// A place that joiners allow, wherever it leads.
    fn place(&self, to: usize, side: usize, heading: usize) -> Option<Place> {
        let plate = &self.plates[to];
        let is_across = |direction: usize| plate.centre[direction / 2] % 2 == 0;
        let takes_x = match plate.sides[side] {
            Some(Joiner::Ordinary) => return None,
            Some(Joiner::X) => false,
            None => side != heading,
        };
        let is_joint = !plate.starjoiner && !is_across(side) && (side == heading || is_across(heading));
        is_joint.then_some(Place { side, heading, takes_x })
    }

    /// Where a domino can be put on a square by a player who has X joiners or not.
    fn places(&self, to: usize, has_x: bool) -> Vec<Place> {
        let may_take_x = has_x && self.plates.len() >= 8;
        let all = (0..6).flat_map(|side| (0..6).map(move |heading| (side, heading)));
        let places = all.filter_map(|(side, heading)| self.place(to, side, heading));
        let is_possible = |place: &Place| {
            let centres = self.reached(to, *place);
            let is_free = |centre: &Point| centre[2] >= 0 && self.plates.iter().all(|plate| plate.centre != *centre);
            (may_take_x || !place.takes_x) && centres.iter().all(is_free) && self.stands_with(&centres)
        };
        places.filter(is_possible).collect()
    }

    /// Whether the point below the centre of mass is in the hull: the contacts, seen from it, lie in no half plane.
    fn stands_with(&self, more: &[Point]) -> bool {
        let centres: Vec<Point> = self.plates.iter().map(|plate| plate.centre).chain(more.iter().copied()).collect();
        let number = centres.len() as i32;
        let sum = [0, 1].map(|axis| centres.iter().map(|centre| centre[axis]).sum::<i32>());
        let contacts = centres.iter().flat_map(|&[x, y, z]| match z {
            0 => vec![[x - 1, y - 1], [x - 1, y + 1], [x + 1, y - 1], [x + 1, y + 1]],
            1 if x % 2 == 0 => vec![[x, y - 1], [x, y + 1]],
            1 => vec![[x - 1, y], [x + 1, y]],
            _ => vec![],
        });
        let seen: BTreeSet<[i32; 2]> =
            contacts.map(|contact| [0, 1].map(|axis| number * contact[axis] - sum[axis])).collect();
        let is_in_half_plane = |one: &[i32; 2]| {
            seen.iter().all(|other| {
                let cross = one[0] * other[1] - one[1] * other[0];
                cross > 0 || cross == 0 && one[0] * other[0] + one[1] * other[1] > 0
            })
        };
        !seen.iter().any(is_in_half_plane)
    }
}

/// The rules from first principles, on the text of a position.
#[derive(Clone)]
struct Oracle {
    options: Value,
    position: Value,
}

impl Oracle {
    fn new(game: &Match) -> Self {
        Self { options: serde_json::to_value(game.rules.options()).unwrap(), position: game.position() }
    }

    fn is(&self, variant: &str) -> bool {
        self.options["variant"] == variant
    }

    fn number(&self, key: &str) -> u64 {
        self.position[key].as_u64().unwrap()
    }

    fn list(&self, key: &str) -> Vec<Value> {
        self.position[key].as_array().unwrap().clone()
    }

    fn text(&self, key: &str) -> &str {
        self.position[key].as_str().unwrap()
    }

    fn turn(&self) -> usize {
        self.number("turn") as usize
    }

    fn players(&self) -> usize {
        self.list("hands").len()
    }

    fn hand(&self, seat: usize) -> Vec<Value> {
        self.position["hands"][seat].as_array().unwrap().clone()
    }

    fn x_joiners(&self, seat: usize) -> u64 {
        self.position["x_joiners"][seat].as_u64().unwrap()
    }

    fn construction(&self) -> Construction {
        let mut all = Construction::new(&words(&self.position["laid"]), self.options["fork"] == true);
        let has_star = match self.position["phase"].as_str().unwrap() {
            "star" | "plate" => true,
            phase => phase == "place" && !self.position["plate"].is_null(),
        };
        if has_star {
            let closed = all.ends[self.end()];
            all.plates[closed].starjoiner = true;
        }
        all
    }

    /// The end that was chosen.
    fn end(&self) -> usize {
        usize::from(self.text("end").as_bytes()[0] - b'A')
    }

    /// What each end shows; without a third dimension, the other ends of what was laid there last.
    fn ends(&self) -> Vec<u8> {
        if self.is("advanced") {
            let all = self.construction();
            return all.ends.iter().map(|&end| all.plates[end].value).collect();
        }
        let mut ends = Vec::new();
        for domino in words(&self.position["laid"]) {
            let domino = domino.as_bytes();
            match domino.get(4) {
                Some(end) => ends[usize::from(end - b'A')] = domino[2] - b'0',
                None => ends = vec![domino[0] - b'0', domino[2] - b'0'],
            }
        }
        ends
    }

    /// The dominoes that a seat can play, either way round.
    fn dominoes(&self, seat: usize) -> Vec<(u8, u8)> {
        let hand = self.hand(seat);
        let count = |value: u8| hand.iter().filter(|square| square.as_u64() == Some(value.into())).count();
        let all = (0..7).flat_map(|one| (0..7).map(move |other| (one, other)));
        let can = |&(one, other): &(u8, u8)| {
            if self.is("traditional") {
                return hand.contains(&json!(format!("{}-{}", one.min(other), one.max(other))));
            }
            if one == other { count(one) > 1 } else { count(one) > 0 && count(other) > 0 }
        };
        all.filter(can).collect()
    }

    /// Every play at an end: the domino, the end, and whether it can be played without an X joiner of one's own.
    fn plays(&self, seat: usize) -> Vec<(String, bool)> {
        let all = self.construction_if_advanced();
        let mut plays = Vec::new();
        for (touching, outer) in self.dominoes(seat) {
            for (letter, shown) in ('A'..).zip(self.ends()) {
                let places = all.as_ref().map(|all| {
                    let end = all.ends[usize::from(letter as u8 - b'A')];
                    all.places(end, self.x_joiners(seat) > 0)
                });
                let is_possible = places.as_ref().is_none_or(|places| !places.is_empty());
                let is_ordinary = places.is_none_or(|places| places.iter().any(|place| !place.takes_x));
                if shown == touching && is_possible {
                    plays.push((format!("{touching}-{outer} {letter}"), is_ordinary));
                }
            }
        }
        plays
    }

    fn construction_if_advanced(&self) -> Option<Construction> {
        self.is("advanced").then(|| self.construction())
    }

    /// Where a domino can be put on a square after a Starjoiner, with so many squares left in the hand.
    fn restarts(&self, seat: usize, all: &Construction, to: usize, left: usize) -> Vec<Place> {
        let x = self.x_joiners(seat);
        let wins = |place: &Place| left == 0 && x == u64::from(place.takes_x);
        all.places(to, x > 0).into_iter().filter(|place| !wins(place)).collect()
    }

    /// The squares to which a domino with this touching value can be joined after a Starjoiner.
    fn restart_squares(&self, seat: usize, all: &Construction, touching: u8, left: usize) -> Vec<usize> {
        let matching = (0..all.plates.len()).filter(|&plate| all.plates[plate].value == touching);
        matching.filter(|&plate| !self.restarts(seat, all, plate, left).is_empty()).collect()
    }

    fn joins(&self, seat: usize, all: &Construction) -> Vec<(u8, u8)> {
        let left = self.hand(seat).len().saturating_sub(2);
        let can = |&(touching, _): &(u8, u8)| !self.restart_squares(seat, all, touching, left).is_empty();
        self.dominoes(seat).into_iter().filter(can).collect()
    }

    /// The ends on which a seat can put a Starjoiner.
    fn stars(&self, seat: usize) -> Vec<String> {
        let Some(all) = self.construction_if_advanced() else { return Vec::new() };
        if all.plates.len() < 8 || self.position["starjoiners"][seat] == 0 {
            return Vec::new();
        }
        let can = |end: &usize| {
            let mut closed = all.clone();
            closed.plates[all.ends[*end]].starjoiner = true;
            !self.joins(seat, &closed).is_empty()
        };
        (0..all.ends.len()).filter(can).map(|end| format!("star {}", char::from(b'A' + end as u8))).collect()
    }

    /// Legal actions in the order of their ids.
    fn legal(&self) -> Vec<String> {
        let seat = self.turn();
        match self.position["phase"].as_str().unwrap() {
            "turn" if self.list("laid").is_empty() => {
                let dominoes = self.dominoes(seat).into_iter().filter(|(one, other)| one <= other);
                dominoes.map(|(one, other)| format!("{one}-{other}")).collect()
            }
            "turn" => {
                let plays = self.plays(seat);
                let is_stuck = plays.iter().all(|(_, is_ordinary)| !is_ordinary);
                let has_pool = !self.list("pool").is_empty();
                let may_stop = !has_pool || self.number("taken") >= 4 && !self.is("traditional");
                let mut legal: Vec<String> = plays.into_iter().map(|(play, _)| play).collect();
                legal.extend(self.stars(seat));
                legal.extend((is_stuck && has_pool).then(|| "take".to_owned()));
                legal.extend((is_stuck && may_stop).then(|| "miss".to_owned()));
                legal
            }
            "star" => {
                let joins = self.joins(seat, &self.construction());
                joins.iter().map(|(touching, outer)| format!("join {touching}-{outer}")).collect()
            }
            "plate" => {
                let touching = self.text("domino").as_bytes()[0] - b'0';
                let squares = self.restart_squares(seat, &self.construction(), touching, self.hand(seat).len());
                squares.iter().map(|square| format!("plate {square}")).collect()
            }
            "place" => self.chosen_places().into_iter().map(Place::text).collect(),
            _ => Vec::new(),
        }
    }

    fn chosen_places(&self) -> Vec<Place> {
        let (seat, all) = (self.turn(), self.construction());
        match self.position["plate"].as_u64() {
            Some(plate) => self.restarts(seat, &all, plate as usize, self.hand(seat).len()),
            None => all.places(all.ends[self.end()], self.x_joiners(seat) > 0),
        }
    }

    /// The position after an action, where `seen` tells what was taken or dealt.
    fn after(mut self, action: &str, seen: &Value) -> Value {
        let words: Vec<&str> = action.split(' ').collect();
        match words[..] {
            ["take"] => self.after_take(seen),
            ["miss"] => {
                let misses = if self.list("pool").is_empty() { self.number("misses") + 1 } else { 0 };
                self.position["misses"] = json!(misses);
                self.end_turn(seen)
            }
            ["star", end] => {
                let seat = self.turn();
                self.position["starjoiners"][seat] = json!(self.position["starjoiners"][seat].as_u64().unwrap() - 1);
                self.position["end"] = json!(end);
                self.choose("star")
            }
            ["join", domino] => {
                self.let_go(domino);
                self.choose("plate")
            }
            ["plate", number] => {
                self.position["plate"] = json!(number.parse::<u64>().unwrap());
                self.choose("place")
            }
            [domino, end] if self.position["phase"] == "turn" && self.is("advanced") => {
                self.let_go(domino);
                self.position["end"] = json!(end);
                self.choose("place")
            }
            _ if self.position["phase"] == "turn" => {
                self.let_go(words[0]);
                self.complete(action, seen)
            }
            _ => {
                let place = self.chosen_places().into_iter().find(|place| place.text() == action).unwrap();
                let seat = self.turn();
                self.position["x_joiners"][seat] = json!(self.x_joiners(seat) - u64::from(place.takes_x));
                let square =
                    self.position["plate"].as_u64().map_or_else(String::new, |plate| format!("plate {plate} "));
                let laid = format!("{} {} {square}{action}", self.text("domino"), self.text("end"));
                self.complete(&laid, seen)
            }
        }
    }

    fn choose(mut self, phase: &str) -> Value {
        self.position["phase"] = json!(phase);
        self.position
    }

    /// Takes a domino from the hand.
    fn let_go(&mut self, domino: &str) {
        let seat = self.turn();
        let mut hand = self.hand(seat);
        let mut squares = values(&json!(domino));
        let pieces: Vec<Value> = if self.is("traditional") {
            squares.sort_unstable();
            vec![json!(format!("{}-{}", squares[0], squares[1]))]
        } else {
            squares.into_iter().map(Value::from).collect()
        };
        for piece in pieces {
            hand.remove(hand.iter().position(|held| *held == piece).unwrap());
        }
        self.position["hands"][seat] = json!(hand);
        self.position["domino"] = json!(domino);
    }

    fn after_take(mut self, seen: &Value) -> Value {
        let seat = self.turn();
        let mut pool = self.list("pool");
        // Where that was the last, and the next game was dealt, it is gone.
        let mut hand = self.hand(seat);
        let taken = if pool.len() == 1 {
            pool[0].clone()
        } else {
            let mut more = seen["hands"][seat].as_array().unwrap().clone();
            for held in &hand {
                more.remove(more.iter().position(|other| other == held).unwrap());
            }
            assert_eq!(more.len(), 1);
            more.remove(0)
        };
        pool.remove(pool.iter().position(|other| *other == taken).expect("not from the pool"));
        hand.push(taken);
        hand.sort_by_key(Value::to_string);
        self.position["hands"][seat] = json!(hand);
        self.position["pool"] = json!(pool);
        self.position["taken"] = json!(self.number("taken") + 1);
        self.position["misses"] = json!(0);
        if self.is_blocked() { self.end_game(None, seen) } else { self.position }
    }

    /// A domino is laid: won, blocked or the next player's turn.
    fn complete(mut self, laid: &str, seen: &Value) -> Value {
        let seat = self.turn();
        self.position["laid"].as_array_mut().unwrap().push(json!(laid));
        for key in ["end", "domino", "plate"] {
            self.position[key] = Value::Null;
        }
        self.position["misses"] = json!(0);
        self.position["phase"] = json!("turn");
        let has_won = self.hand(seat).is_empty() && (!self.is("advanced") || self.x_joiners(seat) == 0);
        if has_won { self.end_game(Some(seat), seen) } else { self.end_turn(seen) }
    }

    fn end_turn(mut self, seen: &Value) -> Value {
        self.position["turn"] = json!((self.turn() + 1) % self.players());
        self.position["taken"] = json!(0);
        if self.is_dead() || self.is_blocked() { self.end_game(None, seen) } else { self.position }
    }

    /// Whether nobody could play even with all that the hands and the pool hold.
    fn is_dead(&self) -> bool {
        let hands = (0..self.players()).flat_map(|seat| self.hand(seat));
        let all: Vec<Value> = hands.chain(self.list("pool")).collect();
        let mut holding = self.clone();
        holding.position["hands"] = json!(vec![all; self.players()]);
        !(0..self.players()).any(|seat| !holding.plays(seat).is_empty() || !holding.stars(seat).is_empty())
    }

    fn is_blocked(&self) -> bool {
        let can_play = |seat: usize| !self.plays(seat).is_empty() || !self.stars(seat).is_empty();
        let has_all_missed = self.number("misses") as usize == self.players();
        self.list("pool").is_empty() && (has_all_missed || !(0..self.players()).any(can_play))
    }

    fn end_game(mut self, out: Option<usize>, seen: &Value) -> Value {
        let players = self.players();
        let pips = |seat: usize| self.hand(seat).iter().flat_map(values).sum::<u64>();
        let left = |seat: usize| if self.is("traditional") { pips(seat) } else { self.hand(seat).len() as u64 };
        let fewest = (0..players).map(left).min().unwrap();
        let is_winner = |seat: usize| out.map_or(left(seat) == fewest, |out| out == seat);
        let added = |key: &str, more: &dyn Fn(usize) -> u64| {
            let before = numbers(&self.position[key]);
            (0..players).map(|seat| before[seat] + more(seat)).collect::<Vec<_>>()
        };
        let wins = added("wins", &|seat| is_winner(seat).into());
        let points = added("points", &pips);
        self.position["wins"] = json!(wins);
        self.position["points"] = json!(points);
        let games = (players as u64 * self.options["starts_each"].as_u64().unwrap()).max(1);
        if self.number("game_number") == games {
            return self.choose("over");
        }
        let first = (self.number("first") as usize + 1) % players;
        let mut next = seen.clone();
        for key in ["end", "domino", "plate"] {
            next[key] = Value::Null;
        }
        let parts = json!({"laid": [], "taken": 0, "misses": 0, "turn": first, "first": first, "phase": "turn",
            "wins": wins, "points": points, "game_number": self.number("game_number") + 1});
        with(next, parts)
    }
}

/// Fails unless two positions say the same; what a finished game was about to do next does not matter.
fn assert_same_position(one: &Value, other: &Value, after: &str) {
    let keys = ["hands", "laid", "pool", "x_joiners", "starjoiners", "phase", "wins", "points", "game_number", "first"];
    let while_it_runs = ["end", "domino", "plate", "turn", "taken", "misses"];
    let running = if one["phase"] == "over" { &[][..] } else { &while_it_runs };
    for key in keys.iter().chain(running) {
        assert_eq!(one[key], other[key], "{key} after {after}");
    }
}

// Pieces

#[test]
fn domi_1_there_are_8_squares_of_each_value() {
    assert_eq!(all_squares().len(), 56);
    random_matches(2, |game, _| assert_eq!(game.squares(), all_squares()));
}

#[test]
fn domi_1_blank_matches_only_blank() {
    let game = Match::at(json!({"laid": ["0-6"], "hands": [[0, 1, 6], [2, 2]]}));
    assert_eq!(game.legal(), ["0-1 A", "0-6 A", "6-0 B", "6-1 B"]);
    let game = Match::at(json!({"laid": ["0-0"], "hands": [[1, 2, 6], [2, 2]]}));
    assert_eq!(game.legal(), ["take"]);
}

#[test]
fn domi_1_a_position_has_no_more_squares_than_there_are() {
    let nine = json!({"hands": [[5, 5, 5, 5], [5, 5, 5]], "laid": ["3-5", "5-6 B"]});
    assert_impossible("{}", nine, "more than 8 squares show 5 (DOMI-1)");
    let eight = Match::at(json!({"hands": [[5, 5, 5], [5, 5, 5]], "laid": ["3-5", "5-6 B"]}));
    assert_eq!((eight.squares(), eight.pool()), (all_squares(), 46));
    // All 56 of them, and one more.
    let mut squares = all_squares();
    let hands = json!([squares.split_off(45), squares.split_off(34)]);
    let position = json!({"hands": hands, "laid": [], "pool": squares});
    assert_eq!(Match::at(&position).squares(), all_squares());
    squares.push(0);
    let position = with(position, json!({"pool": squares}));
    assert_impossible("{}", position, "more than 8 squares show 0 (DOMI-1)");
    assert_impossible("{}", json!({"hands": [[7, 1], [2, 2]]}), "no square 7: the values are 0 to 6 (DOMI-1)");
}

#[test]
fn domi_1_squares_that_a_position_names_nowhere_are_in_the_pool_or_out_of_the_game() {
    let position = path(json!({"hands": [[3, 1], [0, 0, 4]]}));
    let game = Match::at(&position);
    assert_eq!((game.pool(), game.squares()), (47, all_squares()));
    let game = Match::at(with(position, json!({"pool": [6, 2]})));
    assert_eq!((game.the("pool"), game.squares()), (json!([2, 6]), vec![0, 0, 1, 2, 3, 3, 4, 5, 5, 6, 6]));
    assert_eq!(game.view(Some(0))["pool"], 2);
    game.play_out(|game, _| assert_eq!(game.squares().len(), 11));
    let position = json!({"laid": ["3-5", "5-6 B"], "hands": [["1-3", "0-0"], ["2-2"]]});
    let game = Match::of(TRADITIONAL, &position);
    assert_eq!((game.pool(), game.squares()), (23, all_squares()));
    let game = Match::of(TRADITIONAL, with(position, json!({"pool": ["6-2"]})));
    assert_eq!((game.the("pool"), game.squares().len()), (json!(["2-6"]), 12));
}

#[test]
fn domi_1_ids_are_openings_then_plays_then_the_rest() {
    let blocks = |options: &str| {
        let rules = rules(options);
        let blocks = rules.actions().blocks().iter();
        blocks.map(|block| format!("{} {:?}", block.name, block.shape)).collect::<Vec<_>>()
    };
    let names = |options: &str, ids: &[usize]| {
        let rules = rules(options);
        ids.iter().map(|&id| rules.notation(rules.action(id))).collect::<Vec<_>>()
    };
    for options in ["{}", TRADITIONAL] {
        assert_eq!(blocks(options), ["open [28]", "play [7, 7, 2]", "take []", "miss []"]);
        assert_eq!(names(options, &[0, 1, 6, 7, 27]), ["0-0", "0-1", "0-6", "1-1", "6-6"]);
        assert_eq!(names(options, &[28, 29, 30, 42, 125]), ["0-0 A", "0-0 B", "0-1 A", "1-0 A", "6-6 B"]);
        assert_eq!((names(options, &[126, 127]), rules(options).actions().size()), (list("take, miss"), 128));
    }
    let end = ["join [7, 7]", "star [2]", "plate [56]", "place [6, 6]", "take []", "miss []"];
    assert_eq!(blocks(ADVANCED), [&["open [28]", "play [7, 7, 2]"], &end[..]].concat());
    assert_eq!(names(ADVANCED, &[126, 174, 175, 176]), ["join 0-0", "join 6-6", "star A", "star B"]);
    assert_eq!(names(ADVANCED, &[177, 232, 233, 234, 237]), ["plate 0", "plate 55", "east", "east west", "east up"]);
    assert_eq!(names(ADVANCED, &[240, 247, 254, 261, 268]), ["west", "north", "south", "up", "down"]);
    assert_eq!((names(ADVANCED, &[269, 270]), rules(ADVANCED).actions().size()), (list("take, miss"), 271));
    assert_eq!(blocks(FORK)[1..4], ["play [7, 7, 6]", "join [7, 7]", "star [6]"]);
    let all = r#"{"variant": "advanced", "fork": true, "players": 4, "x_joiners": 4}"#;
    assert_eq!(blocks(all)[1], "play [7, 7, 18]");
    assert_eq!(names(all, &[28 + 17]), ["0-0 R"]);
}

#[test]
fn domi_1_an_action_is_found_however_it_is_written() {
    let rules = rules(ADVANCED);
    let id = |text: &str| rules.parse(text).map(|action| rules.action_id(action));
    for (text, spellings) in [
        ("3-5 A", ["3–5 a", " 3-5   A ", "3|5 A"]),
        ("star B", ["STAR b", " star  B", "Star B"]),
        ("join 5-3", ["join 5–3", "JOIN 5-3", " join  5-3 "]),
        ("plate 12", ["Plate 12", "plate  12", "PLATE 12 "]),
        ("east up", ["East Up", " EAST  UP", "east  up"]),
    ] {
        assert!(id(text).is_some(), "{text}");
        assert!(spellings.iter().all(|spelling| id(spelling) == id(text)), "{text}");
    }
    for nothing in
        ["", "3", "3-7", "7-3 A", "3-5 C", "star", "star C", "plate", "plate 56", "plate -1", "join 3", "up up up"]
    {
        assert_eq!(id(nothing), None, "{nothing}");
    }
    let plain = table::rules::<Domiphun>("{}");
    for nothing in ["star A", "join 3-5", "plate 12", "east", "east up"] {
        assert_eq!(plain.parse(nothing), None, "{nothing}");
    }
}

#[test]
fn domi_2_2_to_4_play() {
    for players in 2..=4 {
        assert_eq!(rules(&format!(r#"{{"players": {players}}}"#)).num_seats(), players);
    }
    for players in [0, 1, 5, 255] {
        let message = format!("domiphun: players = {players}: 2 to 4 play (DOMI-2)");
        assert_eq!(refusal(&format!(r#"{{"players": {players}}}"#)), message);
    }
    let message = "domiphun: players: invalid value: integer `256`, expected a whole number from 0 to 255";
    assert_eq!(refusal(r#"{"players": 256}"#), message);
    let message = "domiphun: unknown option `colour`, the options are `variant`, `players`, `first_seat`, `starts_each`, \
        `series`, `x_joiners`, `starjoiners`, `extra_starjoiners`, `fork`, `values`, `hand`";
    assert_eq!(refusal(r#"{"colour": 1}"#), message);
    let message = "domiphun: variant: unknown value `simple`, expected one of `traditional`, `standard`, `advanced`";
    assert_eq!(refusal(r#"{"variant": "simple"}"#), message);
    let hands = json!([[3, 1], [0, 4], [2, 2]]);
    assert_impossible("{}", path(json!({"hands": hands})), "hands: 3 hands for 2 players");
}

#[test]
fn domi_2_11_squares_each_and_the_rest_is_the_pool() {
    for variant in ["standard", "advanced"] {
        for (players, pool) in [(2, 34), (3, 23), (4, 12)] {
            let start = Match::new(&format!(r#"{{"variant": "{variant}", "players": {players}}}"#));
            assert_eq!(start.moment(), format!("turn {} {:?}", start.number("first"), vec![11; players]));
            assert_eq!((start.pool(), start.squares(), start.laid().len()), (pool, all_squares(), 0));
            let view = start.view(Some(0));
            assert_eq!((&view["pool"], &view["ends"], &view["balance"]), (&json!(pool), &json!([]), &json!(null)));
        }
    }
}

#[test]
fn domi_2_every_square_can_come_anywhere() {
    let mut counts = [[0; 7]; 2];
    for seed in 0..1000 {
        let start = Match::seeded(r#"{"players": 3}"#, seed);
        for (counts, hand) in counts.iter_mut().zip([start.hand(0), start.hand(2)]) {
            for value in hand {
                counts[value as usize] += 1;
            }
        }
    }
    // 11 of 56 squares, 8 of each value: 1571 of each, with a deviation of 33 at most; five of them either way.
    assert!(counts.concat().iter().all(|count| (1406..1737).contains(count)), "{counts:?}");
}

#[test]
fn domi_2_hands_and_pool_are_hidden_but_not_how_many_they_are() {
    let position = path(json!({"hands": [[0, 1, 2], [3, 4, 5], [6]], "pool": [6, 1, 1]}));
    let exchanged = with(position.clone(), json!({"hands": [[0, 1, 2], [6, 1, 6], [4]], "pool": [1, 3, 5]}));
    for turn in 0..3 {
        let [one, other] = [&position, &exchanged]
            .map(|position| Match::of(r#"{"players": 3}"#, with(position.clone(), json!({"turn": turn}))));
        assert_eq!(one.seen(0), other.seen(0));
        let (view, text, row) = one.seen(1);
        let (other_view, other_text, other_row) = other.seen(1);
        assert!(view != other_view && text != other_text && row != other_row);
        let hands = one.view(Some(0))["hands"].clone();
        assert_eq!(hands[0], json!({"pieces": 3, "held": [0, 1, 2], "x_joiners": 0, "starjoiners": 0}));
        assert_eq!(hands[1], json!({"pieces": 3, "held": [], "x_joiners": 0, "starjoiners": 0}));
        assert_eq!(hands[2], json!({"pieces": 1, "held": [], "x_joiners": 0, "starjoiners": 0}));
        assert_eq!(one.view(None)["hands"][2]["held"], json!([6]));
        let may_choose = |viewer| !one.view(Some(viewer))["legal"].as_array().unwrap().is_empty();
        assert_eq!([0, 1, 2].map(may_choose), [0, 1, 2].map(|viewer| viewer == turn));
    }
}

#[test]
fn domi_2_dominoes_are_hidden_too() {
    let position = json!({"laid": ["3-5"], "hands": [["1-3"], ["2-5", "2-2"]], "pool": ["0-0", "3-4"], "turn": 1});
    let exchanged = with(position.clone(), json!({"hands": [["1-3"], ["0-0", "3-4"]], "pool": ["2-2", "2-5"]}));
    let [one, other] = [position, exchanged].map(|position| Match::of(TRADITIONAL, position));
    assert_eq!(one.seen(0), other.seen(0));
    assert_ne!(one.seen(1), other.seen(1));
    let hands = &one.view(Some(1))["hands"];
    assert_eq!(hands[0], json!({"pieces": 1, "held": [], "x_joiners": 0, "starjoiners": 0}));
    assert_eq!(hands[1]["held"], json!([[2, 2], [2, 5]]));
}

#[test]
fn domi_2_at_the_end_of_the_match_all_hands_are_seen() {
    let position = path(json!({"hands": [[6, 4], [2, 2], [0]]}));
    let end = Match::of(r#"{"players": 3}"#, &position).after("6-4 B");
    for viewer in [None, Some(0), Some(1), Some(2)] {
        let hands = end.view(viewer)["hands"].clone();
        assert_eq!([0, 1, 2].map(|seat| hands[seat]["held"].clone()), [json!([]), json!([2, 2]), json!([0])]);
    }
    assert_eq!(end.guess(0, 1).position(), end.position());
    // The end of a game is not yet that of the match.
    let next = Match::of(r#"{"players": 3, "starts_each": 1}"#, position).after("6-4 B");
    let hands = next.view(Some(0))["hands"].clone();
    assert_eq!((&hands[1]["held"], &hands[1]["pieces"]), (&json!([]), &json!(11)));
    let position = json!({"laid": ["3-5", "5-6 B"], "hands": [["3-6"], ["0-4", "1-1"]]});
    let end = Match::of(TRADITIONAL, position).after("3-6 A");
    assert_eq!(end.view(Some(0))["hands"][1]["held"], json!([[0, 4], [1, 1]]));
}

#[test]
fn domi_2_a_guess_keeps_what_is_known_and_varies_the_rest() {
    let mut seen = 0;
    random_matches(1, |game, _| {
        for viewer in 0..game.rules.num_seats() {
            let guess = game.guess(viewer, 1);
            assert_eq!((guess.seen(viewer), guess.legal().is_empty()), (game.seen(viewer), game.legal().is_empty()));
            assert_eq!((guess.squares(), guess.moment()), (game.squares(), game.moment()));
            assert_eq!(guess.the("hands")[viewer], game.the("hands")[viewer]);
            seen += usize::from(guess.position() != game.position());
        }
    });
    assert!(seen > 1000, "{seen} guesses that are not as it is");
}

#[test]
fn domi_2_a_guess_is_uniform() {
    let game = Match::at(path(json!({"hands": [[3, 1], [0]], "pool": [6, 6, 6]})));
    let blanks = (0..2000).filter(|&seed| game.guess(0, seed).hand(1) == [0]).count();
    // One of four; five standard deviations either way.
    assert!((403..597).contains(&blanks), "{blanks}");
}

/// With an empty pool, a guess in which nobody could play would be of a game that is over (DOMI-10).
#[test]
fn domi_2_a_guess_is_of_a_game_that_goes_on() {
    let game = Match::of(r#"{"players": 3}"#, path(json!({"hands": [[1, 1], [3, 4], [4]], "pool": [], "turn": 0})));
    let hands: BTreeSet<Vec<u64>> = (0..60).map(|seed| game.guess(0, seed).hand(1)).collect();
    assert_eq!(hands.into_iter().collect::<Vec<_>>(), [[3, 4]]);
}

#[test]
fn domi_3_the_first_seat_is_given() {
    for (players, seat) in [(2, 0), (2, 1), (3, 2), (4, 3)] {
        for (seed, variant) in ["traditional", "standard", "advanced"].into_iter().enumerate() {
            let options = format!(r#"{{"variant": "{variant}", "players": {players}, "first_seat": {seat}}}"#);
            let start = Match::seeded(&options, seed as u64);
            assert_eq!((start.turn(), start.number("first")), (seat, seat));
        }
    }
    assert_eq!(refusal(r#"{"first_seat": 2}"#), "domiphun: first_seat = 2: the seats are 0 to 1");
    assert_eq!(refusal(r#"{"first_seat": 4, "players": 4}"#), "domiphun: first_seat = 4: the seats are 0 to 3");
    assert!(refusal(r#"{"first_seat": -1}"#).starts_with("domiphun: first_seat: "));
}

#[test]
fn domi_3_by_default_the_first_seat_is_drawn() {
    for variant in ["traditional", "standard", "advanced"] {
        let mut counts = [0; 3];
        for seed in 0..900 {
            let start =
                Match::seeded(&format!(r#"{{"variant": "{variant}", "players": 3, "first_seat": null}}"#), seed);
            assert_eq!(start.number("first"), start.turn());
            counts[start.turn() as usize] += 1;
        }
        // One of three; five standard deviations either way.
        assert!(counts.iter().all(|count| (229..372).contains(count)), "{counts:?}");
    }
}

#[test]
fn domi_3_play_is_clockwise() {
    let position = path(json!({"hands": [[3, 1, 1], [1, 2, 2], [6, 4, 4, 4]], "turn": 2, "pool": []}));
    let mut game = Match::of(r#"{"players": 3}"#, position);
    let mut turns = vec![game.turn()];
    for action in ["6-4 B", "3-1 A", "1-2 A", "4-4 B"] {
        game.play(action);
        turns.push(game.turn());
    }
    assert_eq!(turns[..4], [2, 0, 1, 2]);
    assert!(game.is_over());
}

// Traditional game

#[test]
fn domi_4_there_are_28_dominoes_one_of_each() {
    let set: Vec<String> = (0..7).flat_map(|low| (low..7).map(move |high| format!("{low}-{high}"))).collect();
    for players in 2..=4 {
        Match::new(&format!(r#"{{"variant": "traditional", "players": {players}}}"#)).play_out(|game, _| {
            let mut dominoes = [game.hands().concat(), words(&game.the("pool"))].concat();
            dominoes.extend(game.laid().iter().map(|laid| {
                let squares: BTreeSet<u8> = [laid.as_bytes()[0], laid.as_bytes()[2]].into();
                format!("{}-{}", squares.first().unwrap() - b'0', squares.last().unwrap() - b'0')
            }));
            dominoes.sort_unstable();
            assert_eq!(dominoes, set);
        });
    }
    let refuse = |parts: Value, message: &str| {
        let position = with(json!({"laid": ["3-5"], "hands": [["1-3"], ["2-5"]]}), parts);
        assert_impossible(TRADITIONAL, position, message);
    };
    refuse(json!({"hands": [["1-3"], ["3-1"]]}), "\"3-1\" is in two places");
    refuse(json!({"hands": [["1-3"], ["3-5"]]}), "\"3-5\" is in two places");
    refuse(json!({"pool": ["5-2"]}), "\"5-2\" is in two places");
}

#[test]
fn domi_4_7_dominoes_for_2_players_and_5_for_more() {
    for (players, held, pool) in [(2, 7, 14), (3, 5, 13), (4, 5, 8)] {
        let start = Match::new(&format!(r#"{{"variant": "traditional", "players": {players}}}"#));
        assert_eq!((start.hand_sizes(), start.pool(), start.laid().len()), (vec![held; players], pool, 0));
    }
}

#[test]
fn domi_4_the_starter_opens_with_any_domino() {
    let game = Match::of(TRADITIONAL, json!({"hands": [["2-2", "1-3", "0-6"], ["4-4"]], "laid": []}));
    assert_eq!(game.legal(), ["0-6", "1-3", "2-2"]);
    let next = game.after("1-3");
    assert_eq!((next.ends(), next.turn(), next.laid()), (list("A 1, B 3"), 1, list("1-3")));
    game.assert_refuses("1-2", "seat 0 has no 1-2 to play");
    game.assert_refuses("1-3 A", "the first domino is laid by itself, such as 3-5 (DOMI-5)");
    for action in ["take", "miss"] {
        game.assert_refuses(action, "a player who can play must (DOMI-8)");
    }
}

#[test]
fn domi_4_who_can_play_must() {
    let game =
        Match::of(TRADITIONAL, json!({"hands": [["3-6", "3-3", "0-6", "1-2"], ["4-4"]], "laid": ["3-5", "5-6 B"]}));
    assert_eq!(game.legal(), ["3-3 A", "3-6 A", "6-0 B", "6-3 B"]);
    for action in ["take", "miss"] {
        game.assert_refuses(action, "a player who can play must (DOMI-8)");
    }
    game.assert_refuses("1-2 A", "end A shows 3, not 1 (DOMI-6)");
    game.assert_refuses("0-6 B", "end B shows 6, not 0 (DOMI-6)");
    game.assert_refuses("3-4 A", "seat 0 has no 3-4 to play");
    assert_eq!(game.after("6-3 B").ends(), ["A 3", "B 3"]);
    assert_eq!(game.after("6-3 B").view(None)["path"], json!([3, 5, 5, 6, 6, 3]));
    assert_eq!(game.after("3-6 A").view(None)["path"], json!([6, 3, 3, 5, 5, 6]));
}

#[test]
fn domi_4_who_cannot_draws_until_able_the_last_two_dominoes_too() {
    let pool = ["0-0", "0-1", "0-2", "1-1", "1-2", "2-2"];
    let position = json!({"laid": ["3-5", "5-6 B"], "hands": [["4-4"], ["3-3", "0-4"]], "pool": pool});
    let mut game = Match::of(TRADITIONAL, &position);
    for taken in 0..6 {
        assert_eq!((game.number("taken"), game.pool(), game.legal()), (taken, 6 - taken as usize, list("take")));
        game.assert_refuses("miss", "there are dominoes to draw (DOMI-4)");
        game.play("take");
    }
    assert_eq!(game.moment(), "turn 0 [7, 2]");
    assert_eq!(game.legal(), ["miss"]);
    game.assert_refuses("take", "the pool is empty (DOMI-7)");
    game.play("miss");
    assert_eq!((game.turn(), game.number("taken"), game.number("misses")), (1, 0, 1));
    // As soon as one fits it is played.
    let game = Match::of(TRADITIONAL, with(position, json!({"pool": ["2-3"]}))).after("take");
    assert_eq!((game.legal(), game.turn()), (list("3-2 A"), 0));
}

#[test]
fn domi_4_the_first_to_go_out_wins() {
    let position = json!({"laid": ["3-5", "5-6 B"], "hands": [["3-6"], ["0-4"], ["0-0", "0-1"]], "first": 2});
    let options = r#"{"variant": "traditional", "players": 3}"#;
    let end = Match::of(options, position).after("3-6 A");
    assert_eq!((end.result(), end.numbers("points")), ((vec![1, 0, 0], vec![1.0, -0.5, -0.5]), vec![0, 4, 1]));
}

#[test]
fn domi_4_the_fewest_pips_win_a_blocked_game() {
    let end = |hands: Value| {
        let position = json!({"laid": ["3-5", "5-6 B"], "hands": hands, "pool": []});
        let end = Match::of(TRADITIONAL, position).after("3-4 A");
        (end.result(), end.numbers("points"))
    };
    // More dominoes, but fewer pips.
    assert_eq!(end(json!([["3-4", "0-0", "0-1"], ["2-2"]])), ((vec![1, 0], vec![1.0, -1.0]), vec![1, 4]));
    assert_eq!(end(json!([["3-4", "1-2"], ["0-2"]])), ((vec![0, 1], vec![-1.0, 1.0]), vec![3, 2]));
    assert_eq!(end(json!([["3-4", "1-1"], ["0-2"]])), ((vec![1, 1], vec![0.0, 0.0]), vec![2, 2]));
}

#[test]
fn domi_4_it_is_blocked_as_soon_as_the_boneyard_is_empty_and_nobody_can_play() {
    let position = json!({"laid": ["3-5", "5-6 B"], "hands": [["4-4"], ["0-1"]], "pool": ["0-0", "2-2"]});
    let game = Match::of(TRADITIONAL, &position).after("take");
    assert!(!game.is_over());
    let end = game.after("take");
    assert_eq!((end.result(), end.numbers("points")), ((vec![0, 1], vec![-1.0, 1.0]), vec![12, 1]));
    // With a domino that the other player can play it goes on.
    let open = with(position, json!({"hands": [["4-4"], ["0-3"]]}));
    let game = Match::of(TRADITIONAL, open).after("take; take");
    assert_eq!((game.is_over(), game.legal()), (false, list("miss")));
    assert_eq!(game.after("miss").legal(), ["3-0 A"]);
}

// Standard game

#[test]
fn domi_5_the_first_player_joins_any_two_squares() {
    let game = Match::at(json!({"hands": [[5, 2, 2, 0], [4, 4]], "laid": []}));
    assert_eq!(game.legal(), ["0-2", "0-5", "2-2", "2-5"]);
    game.assert_refuses("5-5", "seat 0 has no 5-5 to play");
    game.assert_refuses("0-4", "seat 0 has no 0-4 to play");
    for start in [Match::seeded("{}", 3), Match::seeded(ADVANCED, 3)] {
        let hand = start.hand(start.turn() as usize);
        let all = (0..11).flat_map(|one| (one + 1..11).map(move |other| (one, other)));
        let pairs: BTreeSet<String> = all.map(|(one, other)| format!("{}-{}", hand[one], hand[other])).collect();
        assert_eq!(start.legal(), pairs.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn domi_5_its_smaller_square_is_end_a() {
    let game = Match::at(json!({"hands": [[5, 2, 2, 0], [4, 4]], "laid": []}));
    let next = game.after("2-5");
    assert_eq!((next.ends(), next.view(None)["path"].clone()), (list("A 2, B 5"), json!([2, 5])));
    assert_eq!((next.hand(0), next.turn(), next.laid()), (vec![0, 2], 1, list("2-5")));
    assert_eq!(game.after("2-2").ends(), ["A 2", "B 2"]);
    assert_eq!(game.after("0-5").ends(), ["A 0", "B 5"]);
}

#[test]
fn domi_5_nothing_else_begins_a_game() {
    let game = Match::at(json!({"hands": [[5, 2, 2, 0], [4, 4]], "laid": []}));
    for end in ["A", "B"] {
        let reason = "the first domino is laid by itself, such as 3-5 (DOMI-5)";
        game.assert_refuses(&format!("2-5 {end}"), reason);
    }
    for action in ["take", "miss"] {
        game.assert_refuses(action, "a player who can play must (DOMI-8)");
    }
    // Who has no two squares takes some (DOMI-7).
    let single = Match::at(json!({"hands": [[5], [4, 4]], "laid": [], "pool": [3]}));
    assert_eq!((single.legal(), single.after("take").legal()), (list("take"), list("3-5")));
    for later in ["1-2", "2-1"] {
        let laid = json!({"laid": ["3-5", later], "hands": [[5, 1], [4, 4]]});
        assert!(table::position_refusal::<Domiphun>("{}", &laid).contains("DOMI-6"), "{laid}");
    }
}

#[test]
fn domi_6_a_domino_is_played_at_either_end() {
    let game = Match::at(path(json!({"hands": [[3, 6, 1, 1], [4, 4]]})));
    assert_eq!(game.legal(), ["3-1 A", "3-6 A", "6-1 B", "6-3 B"]);
    let a = game.after("3-1 A");
    assert_eq!((a.ends(), a.view(None)["path"].clone()), (list("A 1, B 6"), json!([1, 3, 3, 5, 5, 6])));
    assert_eq!((a.hand(0), a.turn(), a.laid()), (vec![1, 6], 1, list("3-5, 5-6 B, 3-1 A")));
    let b = game.after("6-3 B");
    assert_eq!((b.ends(), b.view(None)["path"].clone()), (list("A 3, B 3"), json!([3, 5, 5, 6, 6, 3])));
    assert_eq!(b.view(None)["dominoes"], json!([[3, 5], [5, 6], [6, 3]]));
    // A square that fits both ends, and a double.
    let game = Match::at(json!({"laid": ["2-2"], "hands": [[2, 2, 0], [4, 4]]}));
    assert_eq!(game.legal(), ["2-0 A", "2-0 B", "2-2 A", "2-2 B"]);
    assert_eq!(game.after("2-0 B").ends(), ["A 2", "B 0"]);
}

#[test]
fn domi_6_the_touching_squares_show_the_same_value() {
    let game = Match::at(path(json!({"hands": [[3, 6, 1, 1], [4, 4]]})));
    game.assert_refuses("1-3 A", "end A shows 3, not 1 (DOMI-6)");
    game.assert_refuses("6-1 A", "end A shows 3, not 6 (DOMI-6)");
    game.assert_refuses("1-1 B", "end B shows 6, not 1 (DOMI-6)");
    game.assert_refuses("3-5 A", "seat 0 has no 3-5 to play");
    game.assert_refuses("3-3 A", "seat 0 has no 3-3 to play");
    game.assert_refuses("1-6", "the path has begun: name the end, such as 3-5 A (DOMI-6)");
    let wrong = json!({"laid": ["3-5", "4-6 B"], "hands": [[3, 1], [4, 4]]});
    assert_impossible("{}", wrong, "laid, domino 2: the end shows 5, not 4 (DOMI-6)");
}

#[test]
fn domi_6_single_squares_cannot_be_played() {
    let game = Match::at(path(json!({"hands": [[3], [4, 4]]})));
    assert_eq!(game.legal(), ["take"]);
    for (action, domino) in [("3-3 A", "3-3"), ("3-6 A", "3-6"), ("6-3 B", "6-3")] {
        game.assert_refuses(action, &format!("seat 0 has no {domino} to play"));
    }
    assert_eq!(game.rules.parse("3 A"), None);
}

#[test]
fn domi_6_the_view_is_as_documented() {
    let position =
        path(json!({"hands": [[3, 1], [0, 4, 0]], "pool": [6], "first": 1, "wins": [0, 1], "points": [7, 0],
        "game_number": 2}));
    let game = Match::of(r#"{"starts_each": 1}"#, position);
    let expected = |viewer: Value, held: [Value; 2], legal: Value| {
        let hand =
            |held: &Value, pieces: usize| json!({"pieces": pieces, "held": held, "x_joiners": 0, "starjoiners": 0});
        json!({
            "game": "domiphun", "viewer": viewer, "variant": "standard", "phase": "turn", "to_act": 0, "turn": 0,
            "first": 1, "game_number": 2, "games": 2, "series": "wins", "wins": [0, 1], "points": [7, 0],
            "dominoes": [[3, 5], [5, 6]], "path": [3, 5, 5, 6],
            "ends": [{"name": "A", "value": 3, "plate": null}, {"name": "B", "value": 6, "plate": null}],
            "hands": [hand(&held[0], 2), hand(&held[1], 3)], "pool": 1, "taken": 0, "misses": 0,
            "chosen": {"end": null, "domino": null, "plate": null, "starjoiner": false},
            "plates": [], "height": 0, "balance": null, "legal": legal, "returns": [0.0, 0.0],
        })
    };
    let [one, other] = [json!([1, 3]), json!([0, 0, 4])];
    let legal = json!(["3-1 A"]);
    assert_eq!(game.view(None), expected(json!(null), [one.clone(), other.clone()], legal.clone()));
    assert_eq!(game.view(Some(0)), expected(json!(0), [one, json!([])], legal));
    assert_eq!(game.view(Some(1)), expected(json!(1), [json!([]), other], json!([])));
}

#[test]
fn domi_6_the_text_fits_a_terminal() {
    let mut rows = 0;
    let mut widest = String::new();
    random_matches(1, |game, _| {
        for viewer in [None, Some(0)] {
            for row in game.text(viewer).lines() {
                rows += 1;
                assert_eq!(row.trim_end(), row);
                if row.chars().count() > widest.chars().count() {
                    row.clone_into(&mut widest);
                }
            }
        }
    });
    assert!(rows > 10_000);
    assert!(widest.chars().count() <= 80, "{} columns: {widest}", widest.chars().count());
}

#[test]
fn domi_7_who_has_fewer_than_two_squares_or_cannot_play_takes_one_at_a_time() {
    for hand in [vec![3], vec![1, 1, 2, 4]] {
        let game = Match::at(path(json!({"hands": [hand, [3, 4]], "pool": [0, 0, 1, 2, 4]})));
        assert_eq!(game.legal(), ["take"]);
        let next = game.after("take");
        assert_eq!(next.moment(), format!("turn 0 [{}, 2]", hand.len() + 1));
        assert_eq!((next.pool(), next.number("taken")), (4, 1));
    }
}

#[test]
fn domi_7_after_4_squares_they_may_go_on_or_stop() {
    let mut game = Match::at(path(json!({"hands": [[1, 1], [3, 4]], "pool": [0, 0, 1, 2, 4, 4]})));
    for taken in 0..4 {
        assert_eq!((game.number("taken"), game.legal()), (taken, list("take")));
        let reason = "the turn may be missed after 4 squares are taken or when the pool is empty (DOMI-7)";
        game.assert_refuses("miss", reason);
        game.play("take");
    }
    assert_eq!((game.number("taken"), game.legal()), (4, list("take, miss")));
    let stopped = game.after("miss");
    assert_eq!(stopped.moment(), "turn 1 [6, 2]");
    assert_eq!((stopped.number("taken"), stopped.number("misses"), stopped.pool()), (0, 0, 2));
    game.play("take");
    assert_eq!((game.number("taken"), game.legal(), game.pool()), (5, list("take, miss"), 1));
    game.play("take");
    assert_eq!((game.number("taken"), game.legal(), game.pool()), (6, list("miss"), 0));
    game.assert_refuses("take", "the pool is empty (DOMI-7)");
}

#[test]
fn domi_7_the_next_player_takes_afresh() {
    let position = path(json!({"hands": [[1, 1], [2, 2], [3, 4]], "pool": [0, 0, 1, 2], "taken": 4}));
    let game = Match::of(r#"{"players": 3}"#, position).after("miss");
    assert_eq!((game.turn(), game.number("taken"), game.legal()), (1, 0, list("take")));
    game.assert_refuses("miss", "the turn may be missed after 4 squares are taken or when the pool is empty (DOMI-7)");
}

#[test]
fn domi_7_an_empty_pool_ends_the_taking() {
    let game = Match::at(path(json!({"hands": [[1, 1], [3, 4]], "pool": []})));
    assert_eq!(game.legal(), ["miss"]);
    game.assert_refuses("take", "the pool is empty (DOMI-7)");
    let next = game.after("miss");
    assert_eq!((next.turn(), next.number("misses"), next.legal()), (1, 1, list("3-4 A")));
    let one = Match::at(path(json!({"hands": [[1, 1], [3, 4]], "pool": [2]}))).after("take");
    assert_eq!((one.number("taken"), one.legal()), (1, list("miss")));
}

#[test]
fn domi_7_every_square_of_the_pool_can_be_taken() {
    let game = Match::at(path(json!({"hands": [[1, 1], [3, 4]], "pool": [0, 2, 4, 4]})));
    let mut counts = BTreeMap::new();
    for seed in 0..2000 {
        let next = game.with_seed(seed).after("take");
        let taken = next.hand(0).into_iter().find(|&value| value != 1).unwrap();
        *counts.entry(taken).or_insert(0) += 1;
    }
    // One of four, one of four, two of four; five standard deviations either way.
    assert_eq!(counts.keys().collect::<Vec<_>>(), [&0, &2, &4]);
    assert!([0, 2].iter().all(|value| (403..597).contains(&counts[value])) && (888..1112).contains(&counts[&4]));
}

#[test]
fn domi_7_a_position_with_more_taken_than_can_be_is_refused() {
    let position = path(json!({"hands": [[1, 1], [3, 4]], "taken": 57}));
    assert!(table::position_refusal::<Domiphun>("{}", &position).contains("taken"));
    let position = path(json!({"hands": [[1, 1], [3, 4]], "pool": [0], "misses": 1}));
    assert!(table::position_refusal::<Domiphun>("{}", &position).contains("misses"));
}

#[test]
fn domi_8_a_player_who_can_play_must() {
    let game = Match::at(path(json!({"hands": [[3, 1, 1], [4, 4]], "taken": 4})));
    assert_eq!(game.legal(), ["3-1 A"]);
    for action in ["take", "miss"] {
        game.assert_refuses(action, "a player who can play must (DOMI-8)");
    }
    // The square drawn makes a play possible: no more are taken.
    let game = Match::at(path(json!({"hands": [[1, 1], [4, 4]], "pool": [6, 6, 6]}))).after("take");
    assert_eq!(game.legal(), ["6-1 B"]);
    game.assert_refuses("take", "a player who can play must (DOMI-8)");
    let single = Match::at(path(json!({"hands": [[3], [4, 4]], "pool": [2, 2, 2]}))).after("take");
    assert_eq!(single.legal(), ["3-2 A"]);
}

#[test]
fn domi_8_legal_actions_and_their_results_are_those_of_the_page() {
    let mut phases: BTreeMap<String, usize> = BTreeMap::new();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for (options, seed) in TABLES.iter().flat_map(|options| (0..4).map(move |seed| (options, seed))) {
        let mut last: Option<(Oracle, String)> = None;
        Match::seeded(options, seed).play_out(|game, action| {
            let oracle = Oracle::new(game);
            if let Some((before, action)) = last.take() {
                let text = format!("{action} at {}", before.position);
                assert_same_position(&oracle.position, &before.after(&action, &oracle.position), &text);
            }
            *phases.entry(game.phase()).or_default() += 1;
            assert_eq!(game.legal(), oracle.legal(), "{}", oracle.position);
            last = action.map(|action| (oracle, action.to_owned()));
            let kind = action.unwrap_or("end").split(' ').next().unwrap();
            *kinds.entry(kind.trim_matches(|symbol: char| symbol.is_ascii_digit()).to_owned()).or_default() += 1;
        });
    }
    assert!(phases.len() == 5 && phases.values().all(|&seen| seen >= 30), "{phases:?}");
    let all = ["-", "down", "east", "end", "join", "miss", "north", "plate", "south", "star", "take", "up", "west"];
    assert!(all.iter().all(|kind| kinds.get(*kind).is_some_and(|&seen| seen >= 10)), "{kinds:?}");
}

#[test]
fn domi_9_the_first_to_place_all_their_squares_wins() {
    for (players, returns) in [(2, vec![-1.0, 1.0]), (3, vec![-0.5, 1.0, -0.5])] {
        let hands = [json!([2, 2]), json!([6, 4]), json!([0])];
        let position = path(json!({"hands": hands[..players], "turn": 1}));
        let end = Match::of(&format!(r#"{{"players": {players}}}"#), position).after("6-4 B");
        let wins: Vec<u64> = (0..players).map(|seat| u64::from(seat == 1)).collect();
        assert_eq!((end.result(), end.phase()), ((wins, returns), "over".to_owned()));
        assert_eq!((end.legal().len(), end.view(None)["to_act"].clone()), (0, json!(null)));
        end.assert_refuses("take", "the match is over");
        end.assert_refuses("4-4 B", "the match is over");
    }
    // One square left is not enough.
    let game = Match::at(path(json!({"hands": [[6, 4, 4], [2, 2]]}))).after("6-4 B");
    assert_eq!((game.is_over(), game.returns()), (false, vec![0.0, 0.0]));
}

#[test]
fn domi_9_even_with_the_opening_or_while_others_could_go_on() {
    let end = Match::at(json!({"hands": [[6, 4], [6, 6]], "laid": []})).after("4-6");
    assert_eq!(end.result(), (vec![1, 0], vec![1.0, -1.0]));
    assert_eq!(end.numbers("points"), [0, 12]);
}

#[test]
fn domi_9_the_text_names_the_winner() {
    let end = Match::at(path(json!({"hands": [[6, 4], [2, 2]]}))).after("6-4 B");
    let heading = end.text(Some(1)).lines().next().unwrap().to_owned();
    assert!(heading.ends_with("over, seat 0 wins"), "{heading}");
}

#[test]
fn domi_9_a_position_after_the_end_is_over_or_refused() {
    let position = path(json!({"hands": [[], [2, 2]]}));
    let message = "an end of the game that is none, or none that is one (DOMI-9, DOMI-10)";
    assert_impossible("{}", position.clone(), message);
    let over = with(position, json!({"phase": "over", "wins": [1, 0], "points": [0, 4]}));
    let end = Match::at(&over);
    assert_eq!(end.result(), (vec![1, 0], vec![1.0, -1.0]));
    assert_impossible("{}", with(over, json!({"hands": [[1], [2, 2]]})), message);
}

#[test]
fn domi_10_the_fewest_squares_win_a_blocked_game() {
    let end = |hands: Value, action: &str| {
        let players = hands.as_array().unwrap().len();
        let position = path(json!({"hands": hands, "pool": []}));
        let end = Match::of(&format!(r#"{{"players": {players}}}"#), position).after(action);
        let (wins, returns) = end.result();
        (wins, returns, end.numbers("points"))
    };
    // Fewer squares, but more on them.
    assert_eq!(end(json!([[3, 1, 5], [0, 0]]), "3-1 A"), (vec![1, 0], vec![1.0, -1.0], vec![5, 0]));
    assert_eq!(end(json!([[3, 1, 5, 5], [4]]), "3-1 A"), (vec![0, 1], vec![-1.0, 1.0], vec![10, 4]));
    assert_eq!(end(json!([[3, 1, 5, 5], [4, 0]]), "3-1 A"), (vec![1, 1], vec![0.0, 0.0], vec![10, 4]));
    // A draw is between those who have the fewest.
    let hands = json!([[3, 1, 5], [4], [2, 2]]);
    assert_eq!(end(hands, "3-1 A"), (vec![1, 1, 0], vec![0.25, 0.25, -0.5], vec![5, 4, 4]));
    let third = 1.0 / 3.0;
    let hands = json!([[3, 1, 5, 5], [4, 4], [2, 2], [0, 0]]);
    assert_eq!(end(hands, "3-1 A"), (vec![1; 4], vec![0.0; 4], vec![10, 8, 4, 0]));
    let hands = json!([[3, 1, 5, 5], [4, 4], [2, 2, 2], [0, 0, 0]]);
    assert_eq!(end(hands, "3-1 A").1, [third, third, -third, -third]);
}

#[test]
fn domi_10_it_is_blocked_at_once_when_the_pool_is_empty_and_no_one_can_play() {
    // After a domino.
    let game = Match::at(path(json!({"hands": [[3, 1, 5], [0, 4]], "pool": []})));
    assert!(!game.is_over() && game.after("3-1 A").is_over());
    // A pool of one square, or a square that fits, and it goes on.
    let game = Match::at(path(json!({"hands": [[3, 1, 5], [0, 4]], "pool": [2]}))).after("3-1 A");
    assert_eq!((game.is_over(), game.turn(), game.legal()), (false, 1, list("take")));
    let game = Match::at(path(json!({"hands": [[3, 1, 5], [1, 4]], "pool": []}))).after("3-1 A");
    assert_eq!((game.is_over(), game.legal()), (false, list("1-4 A")));
    // A single square that fits is no domino.
    assert!(Match::at(path(json!({"hands": [[3, 1, 5], [1]], "pool": []}))).after("3-1 A").is_over());
    // After the last square is taken.
    let game = Match::at(path(json!({"hands": [[1, 1], [0, 4]], "pool": [2]})));
    assert_eq!(game.after("take").result(), (vec![0, 1], vec![-1.0, 1.0]));
    let game = Match::at(path(json!({"hands": [[1, 1], [0, 3]], "pool": [2]}))).after("take");
    assert_eq!((game.is_over(), game.legal()), (false, list("miss")));
}

/// End B shows 6, and with a 6 at end A the last of eight would lie on the table.
const SEVEN_SIXES: [&str; 4] = ["1-6", "6-6 B", "6-6 B", "6-6 B"];

#[test]
fn domi_10_a_dead_path_ends_the_game_at_once() {
    let game = |hands: Value| Match::at(json!({"laid": SEVEN_SIXES, "hands": hands}));
    let end = game(json!([[1, 6, 2], [3, 3]])).after("1-6 A");
    assert_eq!((end.result(), end.pool()), ((vec![1, 0], vec![1.0, -1.0]), 43));
    let end = game(json!([[1, 6, 2, 5], [3]])).after("1-6 A");
    assert_eq!(end.result(), (vec![0, 1], vec![-1.0, 1.0]), "the fewest squares win, whoever played");
    assert_eq!(game(json!([[1, 6, 2], [3]])).after("1-6 A").result(), (vec![1, 1], vec![0.0, 0.0]));
    // While somebody may hold a 1, the path is not dead.
    let next = game(json!([[1, 2, 6], [3, 3]])).after("1-2 A");
    assert_eq!((next.is_over(), next.turn(), next.legal()), (false, 1, list("take")));
    // What nobody holds, but the position leaves out, is not on the table either.
    let laid = json!({"laid": ["1-6", "6-6 B"], "hands": [[1, 2, 2], [3, 3]], "pool": [4]});
    assert_eq!(Match::at(laid).after("1-2 A").legal(), ["take"]);
}

#[test]
fn domi_10_a_dead_path_does_not_depend_on_what_is_held() {
    // The last 6 lies in the other hand, or in the pool: nobody can play, and nobody knows.
    for hand in [[6, 3], [3, 3]] {
        let game = Match::at(json!({"laid": &SEVEN_SIXES[..3], "hands": [[1, 6, 2], hand]})).after("1-6 A");
        assert!(!game.is_over());
    }
    let laid = [SEVEN_SIXES.as_slice(), &["1-6 A"]].concat();
    let position = json!({"laid": laid, "hands": [[2], [3, 3]]});
    let message = "an end of the game that is none, or none that is one (DOMI-9, DOMI-10)";
    assert_impossible("{}", position.clone(), message);
    let over = with(position, json!({"phase": "over", "wins": [1, 0], "points": [2, 6]}));
    assert_eq!(Match::at(&over).result(), (vec![1, 0], vec![1.0, -1.0]));
}

#[test]
fn domi_10_a_dead_path_of_dominoes_has_all_that_show_its_ends() {
    let laid = ["0-1", "1-2 B", "2-0 B", "0-0 B", "0-3 B", "3-4 B", "4-0 B", "0-5 B", "5-6 B"];
    let position = json!({"laid": laid, "hands": [["0-6", "1-1"], ["4-4", "2-2"]]});
    let game = Match::of(TRADITIONAL, position);
    let end = game.after("6-0 B");
    assert_eq!((end.result(), end.numbers("points"), end.pool()), ((vec![1, 0], vec![1.0, -1.0]), vec![2, 12], 15));
    // One of the seven less on the table.
    let laid = [&laid[..3], &laid[4..]].concat();
    let position = json!({"laid": laid, "hands": [["0-6", "1-1"], ["4-4"]]});
    assert!(!Match::of(TRADITIONAL, position).after("6-0 B").is_over());
}

#[test]
fn domi_10_a_path_is_not_dead_while_a_starjoiner_opens_a_way() {
    let laid = json!(["1-6", "6-6 B east", "6-6 B east", "6-6 B east"]);
    let position = json!({"laid": laid, "hands": [[1, 6, 2], [3, 3]]});
    assert!(!Match::of(ADVANCED, &position).after("1-6 A; west").is_over());
    let without = Match::of(r#"{"variant": "advanced", "starjoiners": 0}"#, &position);
    let end = without.after("1-6 A; west");
    assert_eq!((end.result(), end.pool()), ((vec![1, 0], vec![1.0, -1.0]), 43), "X joiners do not help");
}

#[test]
fn domi_10_misses_count_in_a_row_and_with_an_empty_pool() {
    let hands = json!([[1, 1], [2, 2], [3, 0, 4]]);
    let mut game = Match::of(r#"{"players": 3}"#, path(json!({"hands": hands, "pool": []})));
    assert_eq!(game.play("miss").number("misses"), 1);
    assert_eq!(game.play("miss").number("misses"), 2);
    assert_eq!((game.turn(), game.legal()), (2, list("3-0 A, 3-4 A")));
    let end = game.after("3-0 A");
    assert_eq!(end.result(), (vec![0, 0, 1], vec![-0.5, -0.5, 1.0]));
    // A play sets them to 0.
    let hands = json!([[1, 1], [2, 2], [3, 2, 4]]);
    let game = Match::of(r#"{"players": 3}"#, path(json!({"hands": hands, "pool": []}))).after("miss; miss; 3-2 A");
    assert_eq!((game.number("misses"), game.turn(), game.is_over()), (0, 0, false));
    // So does a square that is taken, and with squares in the pool they are not counted.
    let game = Match::at(path(json!({"hands": [[1, 1], [2, 3]], "pool": [2, 0], "taken": 4}))).after("miss");
    assert_eq!((game.turn(), game.number("misses")), (1, 0));
    for misses in [2, 3, 255] {
        let position = path(json!({"hands": [[1, 1], [3, 2]], "pool": [], "misses": misses}));
        assert!(rules("{}").parse_position(&position.to_string()).is_err(), "{misses} misses of two players");
    }
}

#[test]
fn domi_10_a_position_that_is_blocked_is_over_or_refused() {
    let position = path(json!({"hands": [[1, 1], [0, 4, 4]], "pool": []}));
    assert_impossible("{}", position.clone(), "an end of the game that is none, or none that is one (DOMI-9, DOMI-10)");
    let over = with(position, json!({"phase": "over", "wins": [1, 0], "points": [2, 8]}));
    assert_eq!(Match::at(&over).result(), (vec![1, 0], vec![1.0, -1.0]));
}

#[test]
fn domi_10_the_text_names_who_share_a_draw() {
    let position = path(json!({"hands": [[3, 1, 5], [4], [2, 2]], "pool": []}));
    let end = Match::of(r#"{"players": 3}"#, position).after("3-1 A");
    let heading = end.text(None).lines().next().unwrap().to_owned();
    assert!(heading.ends_with("over, seat 0 and seat 1 share the win"), "{heading}");
}

// Advanced game

#[test]
fn domi_11_two_x_joiners_and_one_starjoiner_each() {
    for players in 2..=4 {
        let start = Match::new(&format!(r#"{{"variant": "advanced", "players": {players}}}"#));
        assert_eq!((start.numbers("x_joiners"), start.numbers("starjoiners")), (vec![2; players], vec![1; players]));
        let hand = start.view(Some(0))["hands"][1].clone();
        assert_eq!(hand, json!({"pieces": 11, "held": [], "x_joiners": 2, "starjoiners": 1}));
    }
    for options in ["{}", TRADITIONAL] {
        let hand = Match::new(options).view(Some(0))["hands"][1].clone();
        assert_eq!((&hand["x_joiners"], &hand["starjoiners"]), (&json!(0), &json!(0)));
    }
}

#[test]
fn domi_11_how_many_joiners_can_be_agreed() {
    for (x, star) in [(0, 0), (0, 1), (1, 0), (4, 4), (3, 2)] {
        let options = format!(r#"{{"variant": "advanced", "x_joiners": {x}, "starjoiners": {star}}}"#);
        let start = Match::new(&options);
        assert_eq!((start.numbers("x_joiners"), start.numbers("starjoiners")), (vec![x; 2], vec![star; 2]));
    }
    for name in ["x_joiners", "starjoiners"] {
        for number in [5, 255] {
            let message = format!("domiphun: {name} = {number}: 0 to 4 are allowed (DOMI-11)");
            assert_eq!(refusal(&format!(r#"{{"variant": "advanced", "{name}": {number}}}"#)), message);
        }
        for variant in ["traditional", "standard"] {
            let message = format!("domiphun: {name} = 2: only the advanced game has them (DOMI-11)");
            assert_eq!(refusal(&format!(r#"{{"variant": "{variant}", "{name}": 2}}"#)), message);
            rules(&format!(r#"{{"variant": "{variant}", "{name}": 0}}"#));
            rules(&format!(r#"{{"variant": "{variant}", "{name}": null}}"#));
        }
        assert!(
            refusal(&format!(r#"{{"variant": "advanced", "{name}": -1}}"#)).starts_with(&format!("domiphun: {name}: "))
        );
    }
}

#[test]
fn domi_11_a_seat_may_get_extra_starjoiners() {
    let options = |extra: &str| format!(r#"{{"variant": "advanced", "extra_starjoiners": {extra}}}"#);
    assert_eq!(Match::new(&options("[]")).numbers("starjoiners"), [1, 1]);
    assert_eq!(Match::new(&options("[0, 3]")).numbers("starjoiners"), [1, 4]);
    assert_eq!(Match::new(&options("[4, 0]")).view(Some(1))["hands"][0]["starjoiners"], 5);
    let three = r#"{"variant": "advanced", "players": 3, "starjoiners": 0, "extra_starjoiners": [0, 0, 2]}"#;
    assert_eq!(Match::new(three).numbers("starjoiners"), [0, 0, 2]);
    assert_eq!(refusal(&options("[1, 1, 1]")), "domiphun: extra_starjoiners: 3 numbers for 2 players");
    assert_eq!(refusal(&options("[1]")), "domiphun: extra_starjoiners: 1 numbers for 2 players");
    assert_eq!(refusal(&options("[0, 9]")), "domiphun: extra_starjoiners[1] = 9: 0 to 4 are allowed (DOMI-11)");
    assert!(refusal(&options("[0, -1]")).starts_with("domiphun: extra_starjoiners[1]: "));
    assert!(refusal(&options("2")).starts_with("domiphun: extra_starjoiners: "));
    for variant in ["traditional", "standard"] {
        let message = "domiphun: extra_starjoiners[1] = 1: only the advanced game has them (DOMI-11)";
        assert_eq!(refusal(&format!(r#"{{"variant": "{variant}", "extra_starjoiners": [0, 1]}}"#)), message);
        rules(&format!(r#"{{"variant": "{variant}", "extra_starjoiners": [0, 0]}}"#));
    }
}

#[test]
fn domi_11_an_extra_starjoiner_is_used_as_the_others() {
    let options = r#"{"variant": "advanced", "extra_starjoiners": [1, 0]}"#;
    let hands = json!([[2, 2, 5, 5, 6, 6], [4, 4, 4, 4]]);
    let game = Match::of(options, standing(ROW, json!({"hands": hands})));
    let once = game.after("star A; join 2-5; plate 3; north");
    assert_eq!(once.numbers("starjoiners"), [1, 1]);
    let twice = once.after("4-4 B; east; star A; join 2-6; plate 3; south");
    assert_eq!((twice.numbers("starjoiners"), twice.ends()), (vec![0, 1], list("A 6, B 4")));
    let later = twice.after("4-4 B; east");
    later.assert_refuses("star A", "seat 0 has no Starjoiner left (DOMI-11)");
}

#[test]
fn domi_11_none_left() {
    let hands = json!([[4, 2, 5, 5], [4, 4, 4, 4]]);
    let position = standing(ROW, json!({"hands": hands}));
    let game = Match::of(PLAIN, &position);
    game.assert_refuses("star A", "seat 0 has no Starjoiner left (DOMI-11)");
    let chosen = game.after("4-5 B");
    assert_eq!(chosen.legal(), ["east", "north", "south"]);
    for side in ["east", "north", "south"] {
        chosen.assert_refuses(&format!("{side} up"), "seat 0 has no X joiner left (DOMI-11)");
    }
}

#[test]
fn domi_11_a_position_has_the_joiners_that_were_given() {
    let hands = json!([[4, 5, 5], [4, 4]]);
    let refuse = |options: &str, places: &str, parts: Value, message: &str| {
        assert_impossible(options, standing(places, with(json!({"hands": hands}), parts)), message);
    };
    let x = "X joiners that do not fit those in the construction (DOMI-11)";
    refuse(ADVANCED, ROW, json!({"x_joiners": [3, 2]}), x);
    refuse(ADVANCED, RAISED, json!({}), x);
    refuse(ADVANCED, RAISED, json!({"x_joiners": [2, 1]}), x);
    refuse(PLAIN, RAISED, json!({}), x);
    for left in [[2, 0], [0, 2], [1, 1]] {
        let game = Match::of(ADVANCED, standing(RAISED, json!({"hands": hands, "x_joiners": left})));
        assert_eq!(game.numbers("x_joiners"), left);
    }
    let star = "Starjoiners that do not fit those in the construction (DOMI-11)";
    let restarted = format!("{ROW}; A plate 3 north");
    refuse(ADVANCED, ROW, json!({"starjoiners": [2, 1]}), star);
    refuse(ADVANCED, &restarted, json!({}), star);
    Match::of(ADVANCED, standing(&restarted, json!({"hands": hands, "starjoiners": [0, 1]})));
    refuse(ADVANCED, ROW, json!({"x_joiners": [2]}), "x_joiners: 1 numbers for 2 players");
    refuse(ADVANCED, ROW, json!({"starjoiners": [1, 1, 1]}), "starjoiners: 3 numbers for 2 players");
    assert!(
        table::position_refusal::<Domiphun>("{}", path(json!({"hands": [[3, 1], [2]], "x_joiners": [1, 1]})))
            .contains("DOMI-11")
    );
}

#[test]
fn domi_12_the_first_four_dominoes_are_played_without_joiners() {
    let early = "the first four dominoes are played without X joiners and Starjoiners (DOMI-12)";
    let hands = json!([[1, 2, 3, 4, 5, 5], [4, 4, 4]]);
    for (number, places) in [(2, "B east"), (3, "B east; B east")] {
        let game = Match::of(ADVANCED, standing(places, json!({"hands": hands})));
        game.assert_refuses("star A", early);
        let chosen = game.after(&format!("{number}-5 B"));
        assert_eq!(chosen.legal(), ["east", "north", "south"]);
        chosen.assert_refuses("east up", early);
        chosen.assert_refuses("north up", early);
    }
    let first = Match::of(ADVANCED, json!({"laid": ["0-1"], "hands": hands})).after("1-5 B");
    first.assert_refuses("east up", early);
    let fifth = Match::of(ADVANCED, standing(ROW, json!({"hands": hands})));
    assert_eq!(fifth.legal().iter().filter(|action| action.starts_with("star")).count(), 2);
    assert_eq!(fifth.after("4-5 B").legal(), ["east", "east up", "north", "north up", "south", "south up"]);
}

#[test]
fn domi_12_a_position_with_an_early_joiner_is_refused() {
    let hands = json!([[4, 5, 5], [4, 4]]);
    let refuse = |places: &str, number: usize, joiners: Value| {
        let early = "the first four are played without X joiners and Starjoiners (DOMI-12)";
        let position = standing(places, with(json!({"hands": hands}), joiners));
        assert_impossible(ADVANCED, position, &format!("laid, domino {number}: {early}"));
    };
    refuse("B east; B east; B east up", 4, json!({"x_joiners": [1, 2]}));
    refuse("B east up", 2, json!({"x_joiners": [1, 2]}));
    refuse("B east; B east; A plate 1 north", 4, json!({"starjoiners": [0, 1]}));
    let fifth = format!("{ROW}; B east up");
    Match::of(ADVANCED, standing(&fifth, json!({"hands": hands, "x_joiners": [1, 2]})));
    let fifth = format!("{ROW}; A plate 1 north");
    Match::of(ADVANCED, standing(&fifth, json!({"hands": hands, "starjoiners": [1, 0]})));
}

#[test]
fn domi_13_the_first_domino_lies_flat_with_end_a_to_the_west() {
    let game = Match::of(ADVANCED, json!({"hands": [[5, 2, 2, 0], [4, 4]], "laid": []})).after("2-5");
    assert_eq!((game.ends(), game.end_squares()), (list("A 2, B 5"), vec![0, 1]));
    assert_eq!(game.place(0), "z [0,0,0]");
    assert_eq!(game.place(1), "z [1,0,0]");
    assert_eq!((game.view(None)["height"].clone(), game.view(None)["path"].clone()), (json!(0), json!(null)));
}

#[test]
fn domi_13_a_domino_goes_straight_on_left_or_right() {
    let game = Match::of(PLAIN, json!({"laid": ["0-1"], "hands": [[0, 1, 5, 5], [4, 4]]}));
    assert_eq!(game.legal(), ["0-1 A", "0-5 A", "1-0 B", "1-5 B"]);
    let [a, b] = ["0-5 A", "1-5 B"].map(|play| game.after(play));
    assert_eq!(a.legal(), ["west", "north", "south"]);
    assert_eq!(b.legal(), ["east", "north", "south"]);
    for (chosen, touching, side, places) in [
        (&a, 0, "west", ["z [-1,0,0]", "z [-2,0,0]"]),
        (&a, 0, "north", ["z [0,1,0]", "z [0,2,0]"]),
        (&a, 0, "south", ["z [0,-1,0]", "z [0,-2,0]"]),
        (&b, 1, "east", ["z [2,0,0]", "z [3,0,0]"]),
        (&b, 1, "north", ["z [1,1,0]", "z [1,2,0]"]),
        (&b, 1, "south", ["z [1,-1,0]", "z [1,-2,0]"]),
    ] {
        let next = chosen.after(side);
        assert_eq!([2, 3].map(|plate| next.place(plate)), places, "{side}");
        assert_eq!([2, 3].map(|plate| next.plate(plate)["value"].clone()), [touching, 5]);
        assert_eq!(next.moment(), "turn 1 [2, 2]");
    }
    let turned = b.after("north");
    assert_eq!((turned.ends(), turned.end_squares()), (list("A 0, B 5"), vec![0, 3]));
    let further = Match::of(PLAIN, with(turned.position(), json!({"turn": 0}))).after("5-0 B");
    assert_eq!(further.legal(), ["east", "west", "north"]);
}

#[test]
fn domi_13_a_side_is_free_while_no_ordinary_joiner_holds_it() {
    let game = Match::of(PLAIN, json!({"laid": ["0-1", "1-2 B north"], "hands": [[0, 2, 5, 5], [4, 4]]}));
    game.after("0-5 A").assert_refuses("east", "the east side is not free (DOMI-13)");
    let b = game.after("2-5 B");
    b.assert_refuses("south", "the south side is not free (DOMI-13)");
    b.assert_refuses("up", "the square has no up side (DOMI-13)");
    b.assert_refuses("down", "the square has no down side (DOMI-13)");
    assert_eq!(b.legal(), ["east", "west", "north"]);
}

#[test]
fn domi_13_upright_squares_have_other_sides() {
    let tower = format!("{ROW}; B east up");
    let game = Match::of(ADVANCED, standing(&tower, json!({"hands": [[5, 6, 6], [4, 4]], "x_joiners": [1, 2]})));
    let chosen = game.after("5-6 B");
    let around = |side: &str| [format!("{side} east"), format!("{side} west"), side.to_owned()];
    assert_eq!(chosen.legal(), ["north", "south", "up"].map(around).concat());
    chosen.assert_refuses("down", "the down side is not free (DOMI-13)");
    chosen.assert_refuses("east", "the square has no east side (DOMI-13)");
    assert_eq!(chosen.after("north").place(11), "x [8,2,1]");
    assert_eq!(chosen.after("up").place(11), "x [8,0,3]");
    assert_eq!(chosen.after("north west").place(10), "y [7,1,1]");
    assert_eq!(chosen.after("north west").place(11), "y [6,1,1]");
    let north = format!("{ROW}; B north up");
    let game = Match::of(ADVANCED, standing(&north, json!({"hands": [[5, 6, 6], [4, 4]], "x_joiners": [1, 2]})));
    assert_eq!([8, 9].map(|plate| game.place(plate)), ["y [7,1,0]", "y [7,1,1]"]);
    let around = |side: &str| [side.to_owned(), format!("{side} north"), format!("{side} south")];
    let up = ["up north".to_owned(), "up south".to_owned(), "up".to_owned()];
    assert_eq!(game.after("5-6 B").legal(), [around("east"), around("west"), up].concat());
}

#[test]
fn domi_13_one_choice_after_the_other() {
    let game = Match::of(ADVANCED, standing(ROW, json!({"hands": [[4, 5, 5], [4, 4]]})));
    for early in ["east", "east up", "plate 3", "join 4-5"] {
        game.assert_refuses(early, "no domino is chosen yet");
    }
    let chosen = game.after("4-5 B");
    assert_eq!(chosen.moment(), "place 0 [1, 2]");
    for late in ["take", "miss", "4-5 B", "star A", "join 4-5", "plate 3", "4-5"] {
        chosen.assert_refuses(late, "the domino is chosen: say where it goes, such as east (DOMI-13)");
    }
    // All see it.
    let expected = json!({"end": "B", "domino": [4, 5], "plate": 7, "starjoiner": false});
    for viewer in [None, Some(0), Some(1)] {
        assert_eq!(chosen.view(viewer)["chosen"], expected);
    }
    assert_eq!(chosen.position()["domino"], "4-5");
    assert_eq!(chosen.laid(), game.laid());
}

#[test]
fn domi_13_the_view_is_as_documented() {
    let position = json!({"laid": ["0-1", "1-2 B north"], "hands": [[0, 6], [4]], "pool": [3, 3], "first": 1});
    let mut view = Match::of(ADVANCED, position).view(Some(1));
    for plate in view["plates"].as_array_mut().unwrap() {
        plate["corners"].as_array_mut().unwrap().sort_by_key(Value::to_string);
    }
    let plate = |number: usize, value: u8, place: [usize; 3], joint: Value| {
        let [x, y, z] = place;
        json!({"number": number, "value": value, "domino": number / 2, "place": place, "axis": "z",
            "corners": [[x, y, z], [x, y + 1, z], [x + 1, y, z], [x + 1, y + 1, z]], "joint": joint,
            "starjoiner": false})
    };
    let joint = json!({"to": 1, "side": "north", "heading": "north", "joiner": "ordinary"});
    let hand = |pieces: usize, held: Value| json!({"pieces": pieces, "held": held, "x_joiners": 2, "starjoiners": 1});
    let expected = json!({
        "game": "domiphun", "viewer": 1, "variant": "advanced", "phase": "turn", "to_act": 0, "turn": 0, "first": 1,
        "game_number": 1, "games": 1, "series": "wins", "wins": [0, 0], "points": [0, 0],
        "dominoes": [[0, 1], [1, 2]], "path": null,
        "ends": [{"name": "A", "value": 0, "plate": 0}, {"name": "B", "value": 2, "plate": 3}],
        "hands": [hand(2, json!([])), hand(1, json!([4]))], "pool": 2, "taken": 0, "misses": 0,
        "chosen": {"end": null, "domino": null, "plate": null, "starjoiner": false},
        "plates": [plate(0, 0, [0, 0, 0], json!(null)), plate(1, 1, [1, 0, 0], json!(null)),
            plate(2, 1, [1, 1, 0], joint), plate(3, 2, [1, 2, 0], json!(null))],
        // The centre is 3/4 from the east edge, and more from the others.
        "height": 0, "balance": {"centre": ["5/4", "5/4"], "support": [[0, 0], [2, 0], [2, 3], [1, 3], [0, 1]],
            "margin": "3/4", "words": "about 0.8 squares from toppling"},
        "legal": [], "returns": [0.0, 0.0],
    });
    assert_eq!(view, expected);
}

#[test]
fn domi_13_a_position_whose_dominoes_cannot_be_where_they_are_is_refused() {
    let refuse = |options: &str, second: &str, message: &str| {
        assert_impossible(options, json!({"laid": ["0-1", second], "hands": [[4, 5, 5], [4, 4]]}), message);
    };
    refuse(ADVANCED, "1-2 B west", "laid, domino 2: the west side is not free (DOMI-13)");
    refuse(ADVANCED, "1-2 B up", "laid, domino 2: the square has no up side (DOMI-13)");
    let headings = "a domino at the east side goes east, or at a right angle up or down (DOMI-14)";
    refuse(ADVANCED, "1-2 B east north", &format!("laid, domino 2: {headings}"));
    refuse(ADVANCED, "1-2 B", "laid, domino 2: it names no side (DOMI-13)");
    refuse(ADVANCED, "1-2", "laid, domino 2: it names no end (DOMI-6)");
    refuse(ADVANCED, "1-2 C east", "laid, domino 2: there is no end C (DOMI-6)");
    refuse(ADVANCED, "1-2 A plate 9 north", "laid, domino 2: there is no square 9");
    for second in ["1-2 B sideways", "1-9 B east", "B east", "1-2 B plate 0", "1-2 B east up up", ""] {
        let examples = r#"is no play such as "3-5", "5-6 B", "6-1 B east up" or "3-4 A plate 2 north""#;
        refuse(ADVANCED, second, &format!("laid: {second:?} {examples}"));
    }
    for options in ["{}", TRADITIONAL] {
        let position = json!({"laid": ["0-1", "1-2 B east"], "hands": [[], []]});
        let message = table::position_refusal::<Domiphun>(options, position);
        assert!(message.ends_with("laid, domino 2: only the advanced game has sides (DOMI-13)"), "{message}");
    }
}

#[test]
fn domi_14_an_x_joiner_attaches_at_a_right_angle() {
    let game = Match::of(ADVANCED, standing(ROW, json!({"hands": [[0, 4, 5, 5], [4, 4]]})));
    let b = game.after("4-5 B");
    for (place, places) in [
        ("east up", ["x [8,0,0]", "x [8,0,1]"]),
        ("north up", ["y [7,1,0]", "y [7,1,1]"]),
        ("south up", ["y [7,0,0]", "y [7,0,1]"]),
    ] {
        let next = b.after(place);
        assert_eq!([8, 9].map(|plate| next.place(plate)), places, "{place}");
        assert_eq!((next.numbers("x_joiners"), next.view(None)["height"].clone()), (vec![1, 2], json!(2)));
        let (side, heading) = place.split_once(' ').unwrap();
        let joint = json!({"to": 7, "side": side, "heading": heading, "joiner": "x"});
        assert_eq!((next.plate(8)["joint"].clone(), next.end_squares()), (joint, vec![0, 9]));
    }
    let west = game.after("0-5 A; west up");
    assert_eq!([west.place(9), west.laid()[4].clone()], ["x [0,0,1]", "0-5 A west up"]);
    assert_eq!(west.end_squares(), [9, 7]);
    // Straight on it takes none.
    let straight = b.after("east");
    assert_eq!(
        (straight.numbers("x_joiners"), straight.plate(8)["joint"]["joiner"].clone()),
        (vec![2, 2], json!("ordinary"))
    );
}

#[test]
fn domi_14_to_either_face_of_the_square() {
    let hands = json!([[6, 5, 5], [4, 4]]);
    let game = Match::of(ADVANCED, standing(RAISED, json!({"hands": hands, "x_joiners": [2, 0]}))).after("6-5 B");
    let around = |side: &str| [side.to_owned(), format!("{side} up"), format!("{side} down")];
    assert_eq!(game.legal(), ["east", "north", "south"].map(around).concat());
    assert_eq!(game.after("east down").place(13), "x [10,0,0]");
    assert_eq!(game.after("east up").place(13), "x [10,0,3]");
    assert_eq!(game.after("south down").place(12), "y [9,0,1]");
}

#[test]
fn domi_14_a_domino_goes_in_one_of_three_headings() {
    let game = Match::of(ADVANCED, standing(ROW, json!({"hands": [[4, 5, 5], [4, 4]]}))).after("4-5 B");
    for heading in ["west", "north", "south"] {
        let reason = "a domino at the east side goes east, or at a right angle up or down (DOMI-14)";
        game.assert_refuses(&format!("east {heading}"), reason);
    }
    let tower = format!("{ROW}; B east up");
    let tower = Match::of(ADVANCED, standing(&tower, json!({"hands": [[5, 6, 6], [4, 4]], "x_joiners": [1, 2]})));
    for heading in ["north", "south", "down"] {
        let reason = "a domino at the up side goes up, or at a right angle east or west (DOMI-14)";
        tower.after("5-6 B").assert_refuses(&format!("up {heading}"), reason);
    }
}

/// Square 7 lies at the foot of an upright domino, whose first square is 8; an X joiner holds them.
#[test]
fn domi_14_an_arm_of_an_x_joiner_needs_no_other() {
    let options = r#"{"variant": "advanced", "x_joiners": 1}"#;
    let tower = format!("{ROW}; B east up");
    let position = standing(&tower, json!({"hands": [[4, 6, 6, 6], [5, 5]], "x_joiners": [0, 1]}));
    let game = Match::of(options, position).after("star A; join 4-6");
    assert_eq!(game.legal(), ["plate 7", "plate 8"]);
    let [foot, upright] = ["plate 7", "plate 8"].map(|plate| game.after(plate));
    assert_eq!(foot.legal(), ["east", "north", "south"]);
    assert_eq!(upright.legal(), ["north", "south", "down east"]);
    foot.assert_refuses("east up", "another square is there (DOMI-15)");
    foot.assert_refuses("east down", "that is below the table (DOMI-15)");
    foot.assert_refuses("north up", "seat 0 has no X joiner left (DOMI-11)");
    upright.assert_refuses("down west", "another square is there (DOMI-15)");
    upright.assert_refuses("down", "that is below the table (DOMI-15)");
    for (next, to, side) in [(foot.after("east"), 7, "east"), (upright.after("down east"), 8, "down")] {
        assert_eq!([10, 11].map(|number| next.place(number)), ["z [8,0,0]", "z [9,0,0]"]);
        let joint = json!({"to": to, "side": side, "heading": "east", "joiner": "arm"});
        assert_eq!((next.plate(10)["joint"].clone(), next.numbers("x_joiners")), (joint, vec![0, 1]));
    }
}

/// Square 9 is upright; on its upper side an X joiner holds a domino to the east. The other arms go up and west.
fn three_arms(hands: &Value) -> Match {
    let laid = ["0-1", "1-2 B east", "2-3 B east", "3-4 B east", "4-5 B east up", "5-6 B up east"];
    let options = r#"{"variant": "advanced", "fork": true, "x_joiners": 1, "starjoiners": 0}"#;
    Match::of(options, json!({"laid": laid, "hands": hands, "x_joiners": [0, 0]}))
}

#[test]
fn domi_14_an_x_joiner_holds_up_to_four_plates() {
    let game = three_arms(&json!([[5, 5, 1, 1, 1, 1], [5, 5, 2, 2, 2, 2]]));
    assert_eq!(game.ends(), ["A 0", "B 6", "C 4", "D 5"]);
    let first = game.after("5-1 D");
    assert_eq!(first.legal(), ["north", "south", "up west", "up"]);
    let up = first.after("up");
    assert_eq!(up.place(12), "x [8,0,2]");
    assert_eq!((up.ends(), up.end_squares()), (list("A 0, B 6, C 4, D 1"), vec![0, 11, 7, 13]));
    let west = first.after("up west");
    assert_eq!([12, 13].map(|plate| west.place(plate)), ["z [7,0,2]", "z [6,0,2]"]);
    assert!([up, west].iter().all(|next| next.plate(12)["joint"]["joiner"] == "arm"));
}

#[test]
fn domi_14_a_fifth_plate_has_no_place_at_an_x_joiner() {
    // Starjoiners restart at square 9 until all of its upper side is taken.
    let options = r#"{"variant": "advanced", "starjoiners": 4}"#;
    let places = format!("{RAISED}; A plate 9 up; A plate 9 up west");
    let position =
        standing(&places, json!({"hands": [[5, 3, 3, 3], [4, 4]], "x_joiners": [1, 1], "starjoiners": [3, 3]}));
    let game = Match::of(options, position).after("star A; join 5-3; plate 9");
    for arm in ["up", "up east", "up west"] {
        game.assert_refuses(arm, "another square is there (DOMI-15)");
    }
    let joiners: Vec<Value> = [10, 12, 14].map(|plate| game.plate(plate)["joint"]["joiner"].clone()).into();
    assert_eq!(joiners, ["x", "arm", "arm"]);
}

#[test]
fn domi_14_a_play_on_an_arm_is_an_ordinary_one() {
    let game = three_arms(&json!([[5, 1, 1, 1], [2, 2, 2, 2]]));
    assert_eq!(game.legal(), ["5-1 D"]);
    game.assert_refuses("take", "a player who can play must (DOMI-8)");
}

#[test]
fn domi_15_no_two_plates_take_the_same_place() {
    // Round a ring: 0, 1 to the north, to the west, to the south, and back to the first.
    let ring = "B north; B west; B south";
    let game = Match::of(PLAIN, standing(ring, json!({"hands": [[0, 4, 5, 5], [4, 4]]})));
    assert_eq!(game.place(7), "z [-1,0,0]");
    let b = game.after("4-5 B");
    assert_eq!(b.legal(), ["west", "south"]);
    b.assert_refuses("east", "another square is there (DOMI-15)");
    let a = game.after("0-5 A");
    assert_eq!(a.legal(), ["south"]);
    a.assert_refuses("west", "another square is there (DOMI-15)");
    // The first place is free, the second is not.
    a.assert_refuses("north", "another square is there (DOMI-15)");
    let position = standing(&format!("{ring}; B east"), json!({"hands": [[0, 4], [4, 4]]}));
    assert_impossible(PLAIN, position, "laid, domino 5: another square is there (DOMI-15)");
}

#[test]
fn domi_15_upright_squares_meet_too() {
    // Two dominoes upright on the same side of the row, at squares 7 and 5, and a third between them on top.
    let game = Match::of(
        r#"{"variant": "advanced", "x_joiners": 4}"#,
        standing(
            &format!("{ROW}; B north up; A plate 5 north up"),
            json!({"hands": [[5, 6, 6, 6], [4, 4]], "x_joiners": [3, 3], "starjoiners": [0, 1]}),
        ),
    );
    assert_eq!([9, 11].map(|plate| game.place(plate)), ["y [7,1,1]", "y [5,1,1]"]);
    let b = game.after("5-6 B");
    b.assert_refuses("west", "another square is there (DOMI-15)");
    assert!(b.legal().contains(&"west north".to_owned()) && b.legal().contains(&"east".to_owned()));
}

#[test]
fn domi_15_none_goes_below_the_table() {
    let game = Match::of(ADVANCED, standing(ROW, json!({"hands": [[4, 5, 5], [4, 4]]}))).after("4-5 B");
    for side in ["east", "north", "south"] {
        game.assert_refuses(&format!("{side} down"), "that is below the table (DOMI-15)");
    }
    // From the second square above the table, only the first of two has room below.
    let places = format!("{ROW}; B east up; B north");
    let position = standing(&places, json!({"hands": [[6, 5, 5], [4, 4]], "x_joiners": [1, 2]}));
    let beside = Match::of(ADVANCED, position).after("6-5 B");
    assert_eq!(beside.place(11), "x [8,2,1]");
    beside.assert_refuses("down", "that is below the table (DOMI-15)");
    // At its lower side, one step above the table, a domino goes to the east or west with an X joiner.
    assert!(beside.legal().contains(&"down east".to_owned()) && beside.legal().contains(&"down west".to_owned()));
    assert_eq!(beside.after("down east").place(12), "z [8,2,1]");
    let position = standing(&format!("{ROW}; B east down"), json!({"hands": [[4, 5], [4, 4]], "x_joiners": [1, 2]}));
    assert_impossible(ADVANCED, position, "laid, domino 5: that is below the table (DOMI-15)");
}

#[test]
fn domi_15_plates_that_merely_touch_need_not_match() {
    // 0-1, then 1-2 to the south, 2-3 to the west, 3-4 to the north: the 4 lies beside the 0.
    let game = Match::of(PLAIN, standing("B south; B west; B north", json!({"hands": [[4, 5, 5], [6, 6]]})));
    assert_eq!([7, 0].map(|plate| game.place(plate)), ["z [-1,0,0]", "z [0,0,0]"]);
    assert_eq!((game.plate(7)["value"].clone(), game.plate(0)["value"].clone()), (json!(4), json!(0)));
    assert_eq!(game.after("4-5 B").legal(), ["west", "north"]);
    // Nor are they joined: end A can be played at.
    let a = Match::of(PLAIN, with(game.position(), json!({"hands": [[0, 5, 5], [6, 6]], "pool": []}))).after("0-5 A");
    assert_eq!(a.legal(), ["north"]);
}

fn topples(beyond: &str) -> String {
    format!("the construction would topple: the centre of mass would lie {beyond} beyond the support (DOMI-16)")
}

/// The seat to act has no X joiner, then two; no Starjoiners.
fn without_and_with_x(places: &str, hand: &[u8]) -> [Match; 2] {
    [[0, 2], [2, 0]].map(|left| {
        let parts = json!({"hands": [hand, [5, 5, 5]], "x_joiners": left});
        Match::of(WITHOUT_STARS, standing(places, parts))
    })
}

/// East and west: squares 0.5, 1.5, …, 7.5 from the edge on either side, so 32 = 32; two more 8.5 and 9.5 from it make
/// 32 - 50 = -18 for 20 squares. North and south: 4.5 + 4.5 + 3.5 + 2.5 + 1.5 + 3 × 0.5 = 18 on the table, and 0.5 + 1.5 +
/// … + 5.5 = 18 above; two more make 18 - 32 = -14 for 18 squares.
#[test]
fn domi_16_with_the_centre_of_mass_on_the_edge_of_the_support_it_stands() {
    let south = "B south; B south; B east; B south up; B up south; B south; B south";
    let west = LIMIT.replace("east", "west").replace('B', "A");
    for (places, end, direction, shown, centre, beyond) in [
        (LIMIT, "B", "east", 2, ["8", "1/2"], "9/10"),
        (&west, "A", "west", 2, ["-6", "1/2"], "9/10"),
        (&south.replace("south", "north"), "B", "north", 1, ["21/8", "5"], "7/9"),
        (south, "B", "south", 1, ["21/8", "-4"], "7/9"),
    ] {
        let [without, with_x] = without_and_with_x(places, &[shown, 6, 6, 6]);
        assert_eq!((without.balance("centre"), without.balance("margin")), (json!(centre), json!("0")), "{direction}");
        let play = format!("{shown}-6 {end}");
        without.assert_refuses(&play, &format!("no place for a domino at end {end}: {}", topples(beyond)));
        let chosen = with_x.after(&play);
        chosen.assert_refuses(direction, &topples(beyond));
        // A leg down to the table holds it.
        assert!(chosen.legal().contains(&format!("{direction} down")));
        assert!(chosen.legal().iter().all(|place| place.ends_with(" down")), "{:?}", chosen.legal());
    }
}

/// 4.5 + 4.5 + 3.5 + 2.5 + 5 × 0.5 + 1.5 = 19 on the table, 18 above: inside by 1 for 18 squares. Two more above make
/// 19 - 32 = -13 for 20.
#[test]
fn domi_16_just_inside_the_support_it_stands() {
    for direction in ["north", "south"] {
        let places = "B north; B north; B east; B east; B north up; B up north; B north; B north";
        let [without, with_x] = without_and_with_x(&places.replace("north", direction), &[2, 6, 6, 6]);
        let y = if direction == "north" { "89/18" } else { "-71/18" };
        assert_eq!(without.balance("centre"), json!(["34/9", y]));
        assert_eq!(without.balance("margin"), "1/18");
        with_x.after("2-6 B").assert_refuses(direction, &topples("13/20"));
    }
}

/// 6.5 + 6.5 + 5.5 + … + 0.5 = 31 on the table; six squares above make 18, and eight make 32: outside by 1 for 18.
#[test]
fn domi_16_just_outside_the_support_it_topples() {
    for direction in ["north", "south"] {
        let places = "B north; B north; B north; B north up; B up north; B north; B north";
        let [without, _] = without_and_with_x(&places.replace("north", direction), &[1, 6, 6, 6]);
        let chosen = without.after("1-6 B");
        chosen.assert_refuses(direction, &topples("1/18"));
        // To the side the squares are 5.5 from the edge, not 6.5 and 7.5: 31 - 29 is left.
        assert_eq!(chosen.legal(), ["east", "west"]);
    }
}

/// A tower on the edge of the support weighs nothing about that edge, however high it is.
#[test]
fn domi_16_a_high_tower_stands_and_its_arm_is_as_long_as_its_foot() {
    let tower = format!("{ROW}; B east up; B up; B up; B up");
    let places = format!("{tower}; B up east; B east; B east; B east");
    let [without, with_x] = without_and_with_x(&places, &[5, 6, 6, 6]);
    assert_eq!((without.balance("margin"), without.view(None)["height"].clone()), (json!("0"), json!(8)));
    // 32 - 50 for 26 squares.
    without.assert_refuses("5-6 B", &format!("no place for a domino at end B: {}", topples("9/13")));
    // From height 8 a domino does not reach the table.
    with_x.assert_refuses("5-6 B", &format!("no place for a domino at end B: {}", topples("9/13")));
    let high = format!("{tower}; B up; B up; B up; B up; B up; B up");
    let parts = json!({"hands": [[0, 6, 6], [5, 5]], "x_joiners": [1, 2]});
    let game = Match::of(ADVANCED, standing(&high, parts));
    assert_eq!(game.view(None)["height"], 20);
    assert_eq!(game.place(27), "x [8,0,19]");
    // (32 + 20 × 8) / 28, half a step from the long sides.
    assert_eq!((game.balance("centre"), game.balance("margin")), (json!(["48/7", "1/2"]), json!("1/2")));
    game.after("0-6 B; up");
}

#[test]
fn domi_16_upright_squares_that_reach_the_table_support() {
    let leg = format!("{LIMIT}; B east down");
    let game = Match::of(WITHOUT_STARS, standing(&leg, json!({"hands": [[3, 6, 6], [5, 5]], "x_joiners": [0, 1]})));
    assert_eq!(game.balance("support"), json!([[0, 0], [16, 0], [16, 1], [0, 1]]));
    // (144 + 2 × 16) / 20.
    assert_eq!((game.balance("centre"), game.balance("margin")), (json!(["44/5", "1/2"]), json!("1/2")));
    assert_eq!(game.after("3-6 B").legal(), ["north", "south"]);
    let wall = game.after("3-6 B; north");
    assert_eq!(wall.balance("support"), json!([[0, 0], [16, 0], [16, 3], [0, 1]]));
    // A leg beside the arm: (144 + 2 × 15.5) / 20 and (18 × 0.5 + 2 × 1) / 20.
    for (side, y, support) in
        [("north", "11/20", [[0, 0], [8, 0], [16, 1], [0, 1]]), ("south", "9/20", [[0, 0], [16, 0], [8, 1], [0, 1]])]
    {
        let leg = format!("{LIMIT}; B {side} down");
        let game = Match::of(WITHOUT_STARS, standing(&leg, json!({"hands": [[3, 6, 6], [5, 5]], "x_joiners": [0, 1]})));
        assert_eq!((game.balance("support"), game.balance("centre")), (json!(support), json!(["35/4", y])));
    }
}

/// About the long side of the row: 10 × 0.5 = 5 against 0.5 + 1.5 = 2 for the two squares beside the tower.
#[test]
fn domi_16_upright_squares_above_the_table_do_not() {
    for direction in ["north", "south"] {
        let places = format!("{ROW}; B east up; B {direction}");
        let parts = json!({"hands": [[6, 4, 4, 4], [5, 5]], "x_joiners": [2, 1]});
        let game = Match::of(WITHOUT_STARS, standing(&places, parts));
        assert_eq!(game.balance("support"), json!([[0, 0], [8, 0], [8, 1], [0, 1]]));
        assert_eq!(game.balance("margin"), "1/4");
        let chosen = game.after("6-4 B");
        // 5 - 2 - 2.5 - 3.5, and 5 - 2 - 2 - 2, for 14 squares.
        chosen.assert_refuses(direction, &topples("3/14"));
        chosen.assert_refuses(&format!("{direction} east"), &topples("1/14"));
        chosen.assert_refuses(&format!("{direction} west"), &topples("1/14"));
        // 5 - 2 - 1.5 - 1.5.
        for place in chosen.legal() {
            assert_eq!(chosen.after(&place).balance("margin"), "0", "{place}");
        }
        assert_eq!(chosen.legal(), ["up east", "up west", "up", "down east", "down west"]);
    }
}

#[test]
fn domi_16_what_lies_on_the_table_stands() {
    for places in [ROW, "B north; B west; B west; B south; A west", "A south; A south; B north; B north"] {
        let game = Match::of(PLAIN, standing(places, json!({"hands": [[0, 1, 2, 3, 4, 5, 6], [5, 5]]})));
        assert!(game.balance("margin").as_str().unwrap() != "0");
    }
    // The support of two dominoes to the north-east has edges that lean; 11/6 and 5/3 are 11/6 ÷ √2 from the nearest.
    let game = Match::of(PLAIN, standing("B north; B east", json!({"hands": [[3, 6], [5, 5]]})));
    assert_eq!(game.balance("centre"), json!(["11/6", "5/3"]));
    assert_eq!(game.balance("support"), json!([[0, 0], [2, 0], [4, 2], [4, 3], [1, 3], [0, 1]]));
    assert_eq!(game.balance("margin"), "1.296");
}

#[test]
fn domi_16_joiners_weigh_nothing() {
    let game = Match::of(ADVANCED, standing(ROW, json!({"hands": [[2, 5, 5], [5, 5]]})));
    assert_eq!(game.balance("centre"), json!(["4", "1/2"]));
    assert_eq!(game.after("star B").balance("centre"), json!(["4", "1/2"]));
}

#[test]
fn domi_16_a_position_that_does_not_stand_is_refused() {
    let message = "laid, domino 10: it topples: the centre of mass lies 9/10 beyond the support (DOMI-16)";
    for more in ["B east", "B east; B east down"] {
        let position = standing(&format!("{LIMIT}; {more}"), json!({"hands": [[4, 6], [5, 5]], "x_joiners": [0, 1]}));
        assert_impossible(WITHOUT_STARS, position, message);
    }
}

#[test]
fn domi_16_random_constructions_stand() {
    let (mut highest, mut on_the_edge) = (0, 0);
    for (options, seed) in [ADVANCED, FORK].into_iter().flat_map(|options| (0..30).map(move |seed| (options, seed))) {
        Match::seeded(options, seed).play_out(|game, _| {
            let view = game.view(None);
            if game.phase() == "turn" && !view["balance"].is_null() {
                assert!(Oracle::new(game).construction().stands_with(&[]), "{}", game.position());
                highest = highest.max(view["height"].as_u64().unwrap());
                on_the_edge += usize::from(view["balance"]["margin"] == "0");
            }
        });
    }
    assert!(highest >= 6 && on_the_edge >= 5, "{highest}, {on_the_edge}");
}

/// In the row A shows 0, B shows 4, and squares 3 and 4 show 2.
fn in_the_row(options: &str, parts: Value) -> Match {
    Match::of(options, standing(ROW, with(json!({"hands": [[2, 5, 6, 6], [5, 5]]}), parts)))
}

#[test]
fn domi_17_a_starjoiner_closes_an_end_and_the_path_goes_on_elsewhere() {
    let game = in_the_row(ADVANCED, json!({}));
    assert_eq!(game.legal(), ["star A", "star B", "take"]);
    let set = game.after("star A");
    assert_eq!(set.moment(), "star 0 [4, 2]");
    assert_eq!(set.numbers("starjoiners"), [0, 1]);
    assert_eq!(set.legal(), ["join 2-5", "join 2-6"]);
    let chosen = set.after("join 2-5");
    assert_eq!(chosen.moment(), "plate 0 [2, 2]");
    assert_eq!(chosen.legal(), ["plate 3", "plate 4"]);
    let square = chosen.after("plate 3");
    assert_eq!((square.phase(), square.legal()), ("place".to_owned(), list("north, north up, south, south up")));
    let next = square.after("north");
    assert_eq!((next.laid()[4].clone(), next.turn()), ("2-5 A plate 3 north".to_owned(), 1));
    assert_eq!((next.ends(), next.end_squares()), (list("A 5, B 4"), vec![9, 7]));
    assert_eq!([8, 9].map(|plate| next.place(plate)), ["z [3,1,0]", "z [3,2,0]"]);
    assert_eq!(next.plate(8)["joint"], json!({"to": 3, "side": "north", "heading": "north", "joiner": "ordinary"}));
    assert_eq!([0, 7].map(|plate| next.plate(plate)["starjoiner"].clone()), [true, false]);
}

#[test]
fn domi_17_it_goes_on_either_end() {
    let game = in_the_row(ADVANCED, json!({}));
    let next = game.after("star B; join 2-6; plate 4; south");
    assert_eq!((next.ends(), next.end_squares()), (list("A 0, B 6"), vec![0, 9]));
    assert_eq!(
        (next.laid()[4].clone(), next.plate(7)["starjoiner"].clone()),
        ("2-6 B plate 4 south".to_owned(), json!(true))
    );
    // Its own end, too: a square that shows 0 is joined to square 0 when B is closed.
    let own = in_the_row(ADVANCED, json!({"hands": [[0, 5, 6, 6], [5, 5]]}));
    assert_eq!(own.legal(), ["0-5 A", "0-6 A", "star B"]);
    let next = own.after("star B; join 0-5; plate 0; west");
    assert_eq!((next.ends(), next.end_squares()), (list("A 0, B 5"), vec![0, 9]));
}

#[test]
fn domi_17_the_joint_may_be_an_x_joiner() {
    let next = in_the_row(ADVANCED, json!({})).after("star A; join 2-5; plate 3; north up");
    assert_eq!((next.numbers("x_joiners"), next.numbers("starjoiners")), (vec![1, 2], vec![0, 1]));
    assert_eq!([next.laid()[4].clone(), next.place(9)], ["2-5 A plate 3 north up", "y [3,1,1]"]);
    let without = in_the_row(WITHOUT_X, json!({})).after("star A; join 2-5; plate 3");
    assert_eq!(without.legal(), ["north", "south"]);
    without.assert_refuses("north up", "seat 0 has no X joiner left (DOMI-11)");
}

#[test]
fn domi_17_nothing_is_joined_to_a_square_that_holds_one() {
    let game = in_the_row(ADVANCED, json!({"hands": [[2, 5, 6, 6], [0, 0, 4, 4]]}));
    let set = game.after("star A; join 2-5");
    set.assert_refuses("plate 0", "square 0 holds a Starjoiner (DOMI-17)");
    set.assert_refuses("plate 5", "square 5 shows 3, not 2 (DOMI-17)");
    set.assert_refuses("plate 40", "there is no square 40");
    let later = set.after("plate 3; north");
    // Only square 0 shows 0, and it is closed for good.
    assert_eq!(later.legal(), ["4-0 B", "4-4 B", "star A"]);
    later.assert_refuses("0-4 A", "end A shows 5, not 0 (DOMI-6)");
    let again = later.after("star A");
    assert_eq!(again.legal(), ["join 4-0", "join 4-4"]);
    again.after("join 4-0").assert_refuses("plate 0", "square 0 holds a Starjoiner (DOMI-17)");
    again.after("join 4-0").assert_refuses("plate 9", "square 9 holds a Starjoiner (DOMI-17)");
}

#[test]
fn domi_17_a_player_may_use_it_when_a_domino_for_it_exists() {
    let useless = "no domino could follow a Starjoiner there (DOMI-17)";
    // No square shows 5 or 6; a single square is no domino; square 0 would be closed.
    for hand in [json!([5, 5, 6, 6]), json!([2])] {
        let game = in_the_row(ADVANCED, json!({"hands": [hand, [5, 5]]}));
        assert_eq!(game.legal(), ["take"]);
        game.assert_refuses("star A", useless);
        game.assert_refuses("star B", useless);
    }
    let game = in_the_row(ADVANCED, json!({"hands": [[0, 5, 6, 6], [5, 5]]}));
    game.assert_refuses("star A", useless);
    // A player who can play may use it as well.
    let game = in_the_row(ADVANCED, json!({"hands": [[2, 4, 6, 6], [5, 5]]}));
    assert_eq!(game.legal(), ["4-2 B", "4-6 B", "star A", "star B"]);
}

#[test]
fn domi_17_one_starjoiner_a_turn() {
    let options = r#"{"variant": "advanced", "starjoiners": 3}"#;
    let game = in_the_row(options, json!({})).after("star A");
    for late in ["star B", "star A", "take", "miss", "2-5 A", "2-5"] {
        game.assert_refuses(late, "the Starjoiner is set: choose the domino, such as join 3-5 (DOMI-17)");
    }
    game.assert_refuses("join 2-4", "seat 0 has no 2-4 to play");
    let chosen = game.after("join 2-5");
    for late in ["star B", "take", "join 2-6", "2-5 A", "east"] {
        chosen.assert_refuses(late, "choose the square, such as plate 0 (DOMI-17)");
    }
    let square = chosen.after("plate 3");
    for late in ["star B", "take", "plate 4"] {
        square.assert_refuses(late, "the domino is chosen: say where it goes, such as east (DOMI-13)");
    }
    assert_eq!(square.after("north").turn(), 1);
}

#[test]
fn domi_17_not_with_the_play_that_wins() {
    let winning = "a Starjoiner may not be used with the play that wins (DOMI-17)";
    let hands = json!([[2, 5], [5, 5]]);
    let last = in_the_row(WITHOUT_X, json!({"hands": hands}));
    assert_eq!(last.legal(), ["take"]);
    last.assert_refuses("star A", winning);
    last.assert_refuses("star B", winning);
    // With squares left it is allowed.
    let more = in_the_row(WITHOUT_X, json!({"hands": [[2, 5, 5], [5, 5]]}));
    assert_eq!(more.legal(), ["star A", "star B", "take"]);
    assert!(!more.after("star A; join 2-5; plate 3; north").is_over());
    // With an X joiner left, too, but not if that one is used.
    let options = r#"{"variant": "advanced", "x_joiners": 1}"#;
    let x_left = in_the_row(options, json!({"hands": hands})).after("star A; join 2-5; plate 3");
    assert_eq!(x_left.legal(), ["north", "south"]);
    x_left.assert_refuses("north up", winning);
    let next = x_left.after("north");
    assert_eq!((next.is_over(), next.hand_sizes(), next.numbers("x_joiners")), (false, vec![0, 2], vec![1, 1]));
    let two_left = in_the_row(ADVANCED, json!({"hands": hands})).after("star A; join 2-5; plate 3");
    assert_eq!(two_left.legal(), ["north", "north up", "south", "south up"]);
    assert!(!two_left.after("north up").is_over());
}

#[test]
fn domi_17_all_see_what_was_chosen() {
    let game = in_the_row(ADVANCED, json!({}));
    let chosen = |end: Value, domino: Value, plate: Value| json!({"end": end, "domino": domino, "plate": plate, "starjoiner": true});
    let null = || json!(null);
    for (actions, expected) in [
        ("star B", chosen(json!("B"), null(), null())),
        ("star B; join 2-5", chosen(json!("B"), json!([2, 5]), null())),
        ("star B; join 2-5; plate 4", chosen(json!("B"), json!([2, 5]), json!(4))),
    ] {
        let half = game.after(actions);
        assert_eq!(
            (half.view(Some(1))["chosen"].clone(), half.plate(7)["starjoiner"].clone()),
            (expected, json!(true))
        );
        let again = Match::of(ADVANCED, half.position());
        assert_eq!((again.view(None), again.legal()), (half.view(None), half.legal()));
    }
}

#[test]
fn domi_17_a_position_of_a_half_made_play_says_all_of_it() {
    let refuse = |parts: Value, message: &str| {
        let position = with(json!({"hands": [[5, 6, 6], [5, 5]], "starjoiners": [0, 1]}), parts);
        assert_impossible(ADVANCED, standing(ROW, position), message);
    };
    refuse(json!({"phase": "star"}), "phase \"star\" has an end, no domino and no plate");
    refuse(json!({"phase": "plate", "end": "A"}), "phase \"plate\" has an end, a domino and no plate");
    refuse(json!({"phase": "place", "domino": "2-5"}), "phase \"place\" has an end and a domino");
    refuse(json!({"phase": "guess"}), "no phase \"guess\": the phases are turn, star, plate, place, over");
    for parts in [json!({"end": "A"}), json!({"domino": "2-5"}), json!({"plate": 3})] {
        refuse(parts, "end, domino and plate: only in the middle of a play");
    }
    refuse(json!({"phase": "star", "end": "C"}), "end: there is no such end");
    let none = "no domino \"2-9\": the dominoes are 0-0 to 6-6";
    refuse(json!({"phase": "plate", "end": "A", "domino": "2-9"}), none);
    // Squares 3 and 4 show 2; end A shows 0; there are 8 squares.
    let unlike = "a domino that does not match its square (DOMI-6)";
    refuse(json!({"phase": "place", "end": "A", "domino": "2-5", "plate": 5}), unlike);
    refuse(json!({"phase": "place", "end": "A", "domino": "2-5", "plate": 40}), unlike);
    refuse(json!({"phase": "place", "end": "A", "domino": "2-5"}), unlike);
    // No square shows 5 or 6.
    let nothing = "a decision that nobody could have to take";
    refuse(json!({"phase": "star", "end": "A"}), nothing);
    refuse(json!({"phase": "plate", "end": "A", "domino": "5-2"}), nothing);
    // Square 0 is closed.
    let closed = standing(
        ROW,
        json!({"hands": [[5, 6, 6], [5, 5]], "starjoiners": [0, 1], "phase": "place", "end": "A",
        "domino": "0-5", "plate": 0}),
    );
    table::position_refusal::<Domiphun>(ADVANCED, closed);
    // The first four dominoes.
    let early = standing(
        "B east; B east",
        json!({"hands": [[2, 6, 6], [5, 5]], "starjoiners": [0, 1], "phase": "star",
        "end": "A"}),
    );
    assert_impossible(ADVANCED, early, "a Starjoiner among the first four dominoes (DOMI-12)");
}

#[test]
fn domi_18_to_win_all_x_joiners_must_have_been_used() {
    let options = r#"{"variant": "advanced", "x_joiners": 1, "starjoiners": 0}"#;
    let game = in_the_row(options, json!({"hands": [[4, 5], [6, 6, 6]]})).after("4-5 B");
    let straight = game.after("east");
    assert_eq!(straight.moment(), "turn 1 [0, 3]");
    let end = game.after("east up");
    assert_eq!((end.result(), end.numbers("points")), ((vec![1, 0], vec![1.0, -1.0]), vec![0, 18]));
    // One of two is not enough.
    let game = in_the_row(WITHOUT_STARS, json!({"hands": [[4, 5], [6, 6, 6]]})).after("4-5 B; east up");
    assert_eq!((game.is_over(), game.hand_sizes(), game.numbers("x_joiners")), (false, vec![0, 3], vec![1, 2]));
}

#[test]
fn domi_18_the_starjoiner_need_not() {
    let end = in_the_row(WITHOUT_X, json!({"hands": [[4, 5], [6, 6, 6]]})).after("4-5 B; east");
    assert_eq!((end.result(), end.numbers("starjoiners")), ((vec![1, 0], vec![1.0, -1.0]), vec![1, 1]));
}

#[test]
fn domi_18_who_is_out_of_squares_with_x_joiners_left_takes_squares() {
    let options = r#"{"variant": "advanced", "x_joiners": 1, "starjoiners": 0}"#;
    let game = in_the_row(options, json!({"hands": [[], [6, 6, 6]], "pool": [4, 4, 4]}));
    assert_eq!(game.legal(), ["take"]);
    let reason = "the turn may be missed after 4 squares are taken or when the pool is empty (DOMI-7)";
    game.assert_refuses("miss", reason);
    let one = game.after("take");
    assert_eq!((one.hand(0), one.legal()), (vec![4], list("take")));
    let two = one.after("take");
    assert_eq!((two.hand(0), two.legal()), (vec![4, 4], list("4-4 B")));
    assert!(two.after("4-4 B; east up").is_over());
    assert!(!two.after("4-4 B; east").is_over());
    // With an empty pool the turn is missed.
    let stuck = in_the_row(options, json!({"hands": [[], [0, 6]], "pool": []}));
    assert_eq!(stuck.legal(), ["miss"]);
}

#[test]
fn domi_18_in_a_blocked_game_only_squares_count() {
    let options = r#"{"variant": "advanced", "x_joiners": 1, "starjoiners": 0}"#;
    let position = json!({"hands": [[], [0, 6, 3]], "pool": [], "turn": 1});
    let end = in_the_row(options, position).after("0-6 A; west up");
    assert_eq!((end.result(), end.numbers("x_joiners")), ((vec![1, 0], vec![1.0, -1.0]), vec![1, 0]));
}

#[test]
fn domi_18_a_position_without_squares_or_x_joiners_is_over() {
    let message = "an end of the game that is none, or none that is one (DOMI-9, DOMI-10)";
    let position = standing(ROW, json!({"hands": [[], [6, 6, 6]]}));
    assert_impossible(WITHOUT_X, position.clone(), message);
    assert!(!Match::of(ADVANCED, position).is_over());
}

#[test]
fn domi_19_nobody_is_forced_to_use_a_starjoiner() {
    let game = in_the_row(ADVANCED, json!({}));
    assert_eq!(game.legal(), ["star A", "star B", "take"]);
    let taken = in_the_row(ADVANCED, json!({"taken": 4}));
    assert_eq!(taken.legal(), ["star A", "star B", "take", "miss"]);
    let empty = in_the_row(ADVANCED, json!({"pool": []}));
    assert_eq!(empty.legal(), ["star A", "star B", "miss"]);
    let able = in_the_row(ADVANCED, json!({"hands": [[2, 4, 6, 6], [5, 5]]}));
    able.assert_refuses("take", "a player who can play must (DOMI-8)");
}

#[test]
fn domi_19_nobody_is_forced_to_use_an_x_joiner() {
    let parts = json!({"hands": [[2, 6, 6, 6], [5, 5, 5]], "x_joiners": [1, 1]});
    let game = Match::of(WITHOUT_STARS, standing(LIMIT, parts.clone()));
    assert_eq!(game.legal(), ["2-6 B", "take"]);
    assert_eq!(game.after("2-6 B").legal(), ["east down", "north down", "south down"]);
    game.after("take");
    let later = Match::of(WITHOUT_STARS, standing(LIMIT, with(parts, json!({"taken": 4}))));
    assert_eq!(later.legal(), ["2-6 B", "take", "miss"]);
    // An ordinary play at the other end is one.
    let parts = json!({"hands": [[0, 2, 6, 6], [5, 5, 5]], "x_joiners": [1, 1]});
    let able = Match::of(WITHOUT_STARS, standing(LIMIT, parts));
    assert_eq!(able.legal(), ["0-2 A", "0-6 A", "2-0 B", "2-6 B"]);
    able.assert_refuses("take", "a player who can play must (DOMI-8)");
}

#[test]
fn domi_19_when_all_have_missed_the_game_is_blocked() {
    for (hands, wins) in [
        (json!([[2, 5, 6, 6], [2, 5, 5, 6]]), vec![1, 1]),
        (json!([[2, 5, 6], [2, 5, 5, 6]]), vec![1, 0]),
        (json!([[2, 5, 6, 6], [2, 5, 5, 6], [3, 5, 5]]), vec![0, 0, 1]),
    ] {
        let players = wins.len();
        let options = format!(r#"{{"variant": "advanced", "players": {players}}}"#);
        let mut game = in_the_row(&options, json!({"hands": hands, "pool": []}));
        for misses in 1..players {
            game.play("miss");
            assert_eq!((game.is_over(), game.number("misses")), (false, misses as u64));
        }
        game.play("miss");
        assert_eq!(game.result().0, wins);
    }
    // A Starjoiner in between, and it goes on.
    let hands = json!([[2, 5, 6, 6], [2, 5, 5, 6]]);
    let game =
        in_the_row(ADVANCED, json!({"hands": hands, "pool": []})).after("miss; star A; join 2-6; plate 3; north");
    assert_eq!((game.is_over(), game.number("misses"), game.turn()), (false, 0, 0));
}

#[test]
fn domi_19_a_game_is_not_blocked_while_a_joiner_could_help() {
    // After 0-1 at A nobody has an ordinary play, but seat 1 could use a Starjoiner.
    let hands = json!([[0, 1, 6], [2, 5, 5]]);
    let game = in_the_row(ADVANCED, json!({"hands": hands, "pool": []})).after("0-1 A; west");
    assert_eq!((game.is_over(), game.legal()), (false, list("star A, star B, miss")));
    assert!(in_the_row(WITHOUT_STARS, json!({"hands": hands, "pool": []})).after("0-1 A; west").is_over());
    // Not with a domino that would win.
    let hands = json!([[0, 1, 6], [2, 5]]);
    assert!(in_the_row(WITHOUT_X, json!({"hands": hands, "pool": []})).after("0-1 A; west").is_over());
    assert!(!in_the_row(ADVANCED, json!({"hands": hands, "pool": []})).after("0-1 A; west").is_over());
}

#[test]
fn domi_20_the_path_keeps_two_ends() {
    let game = in_the_row(ADVANCED, json!({"hands": [[4, 5, 5], [5, 6, 6]]})).after("4-5 B; east up");
    assert_eq!((game.ends(), game.end_squares()), (list("A 0, B 5"), vec![0, 9]));
    let game = game.after("5-6 B; up west");
    assert_eq!(game.end_squares(), [0, 11]);
    for options in ["{}", TRADITIONAL] {
        let with_fork = options.replace('}', r#", "fork": true}"#).replace("{, ", "{");
        assert_eq!(refusal(&with_fork), "domiphun: fork: only the advanced game has it (DOMI-20)");
    }
    random_matches(1, |game, _| assert!(game.rules.options().fork || game.ends().len() <= 2));
}

#[test]
fn domi_20_an_end_that_would_topple_the_construction_stays_an_end() {
    let parts = json!({"hands": [[2, 6, 6, 6], [0, 5, 5]], "x_joiners": [0, 2]});
    let game = Match::of(WITHOUT_STARS, standing(LIMIT, parts.clone()));
    assert_eq!((game.legal(), game.ends()), (list("take"), list("A 0, B 2")));
    game.assert_refuses("2-6 B", &format!("no place for a domino at end B: {}", topples("9/10")));
    // Two squares more to the west: 50 against 50.
    let grown = Match::of(WITHOUT_STARS, standing(LIMIT, with(parts, json!({"turn": 1})))).after("0-5 A; west");
    assert_eq!((grown.legal(), grown.ends()), (list("2-6 B"), list("A 5, B 2")));
    let next = grown.after("2-6 B; east");
    assert_eq!((next.balance("centre"), next.balance("margin")), (json!(["8", "1/2"]), json!("0")));
}

#[test]
fn domi_20_with_fork_an_x_joiner_leaves_an_end_behind() {
    let game = in_the_row(FORK, json!({"hands": [[4, 5, 5, 5], [4, 6, 6, 6]]}));
    for early in ["4-5 C", "star C"] {
        game.assert_refuses(early, "there is no end C yet (DOMI-20)");
    }
    let forked = game.after("4-5 B; east up");
    assert_eq!((forked.ends(), forked.end_squares()), (list("A 0, B 5, C 4"), vec![0, 9, 7]));
    assert_eq!(forked.legal().iter().filter(|play| play.ends_with(" C")).count(), 2);
    let chosen = forked.after("4-6 C");
    assert_eq!(chosen.legal(), ["east", "north", "north up", "south", "south up"]);
    chosen.assert_refuses("east up", "another square is there (DOMI-15)");
    let arm = chosen.after("east");
    assert_eq!((arm.laid()[5].clone(), arm.numbers("x_joiners")), ("4-6 C east".to_owned(), vec![1, 2]));
    assert_eq!(arm.plate(10)["joint"], json!({"to": 7, "side": "east", "heading": "east", "joiner": "arm"}));
    assert_eq!(arm.end_squares(), [0, 9, 11]);
    // Another X joiner, another end, under the next letter.
    let again = chosen.after("north up");
    assert_eq!((again.ends(), again.end_squares()), (list("A 0, B 5, C 6, D 4"), vec![0, 9, 11, 7]));
    again.assert_refuses("4-5 E", "there is no end E yet (DOMI-20)");
    // Straight on there is no fork.
    assert_eq!(game.after("4-5 B; east").end_squares(), [0, 9]);
}

#[test]
fn domi_20_a_starjoiner_does_not_fork_the_path() {
    let game = in_the_row(FORK, json!({"hands": [[2, 4, 5, 6], [4, 6, 6, 6]]}));
    assert_eq!(game.after("star A; join 2-5; plate 3; north up").end_squares(), [9, 7]);
    // It closes any end, and the new one has its letter.
    let game = game.after("4-5 B; east up; 4-6 C; east; star C; join 2-6; plate 3; north");
    assert_eq!((game.ends(), game.end_squares()), (list("A 0, B 5, C 6"), vec![0, 9, 13]));
    assert_eq!(game.plate(11)["starjoiner"], true);
    assert_eq!(game.laid()[6], "2-6 C plate 3 north");
}

#[test]
fn domi_20_a_position_of_a_forked_path_comes_back() {
    let laid = ["0-1", "1-2 B east", "2-3 B east", "3-4 B east", "4-5 B east up", "4-6 C north up", "4-1 D south"];
    let position = json!({"laid": laid, "hands": [[5, 5], [6, 6]], "x_joiners": [1, 1]});
    let game = Match::of(FORK, &position);
    assert_eq!((game.ends(), game.laid()), (list("A 0, B 5, C 6, D 1"), laid.map(str::to_owned).to_vec()));
    assert!(
        table::position_refusal::<Domiphun>(ADVANCED, position).contains("laid, domino 6: there is no end C (DOMI-6)")
    );
}

// Match

/// A game that seat 0 wins with its next domino; seat 1 has 2 and 2 left, seat 2 a 5.
fn last_domino(players: usize, options: &str, parts: Value) -> Match {
    let hands = [json!([6, 4]), json!([2, 2]), json!([5])];
    let options = format!(r#"{{"players": {players}, {options}}}"#);
    Match::of(&options, path(with(json!({"hands": hands[..players]}), parts))).after("6-4 B")
}

#[test]
fn domi_21_each_player_starts_once_or_twice_or_a_single_game_is_played() {
    assert_eq!(Match::new("{}").view(None)["games"], 1);
    for (starts, players, games) in [(0, 4, 1), (1, 2, 2), (1, 3, 3), (2, 2, 4), (2, 4, 8)] {
        let options = format!(r#"{{"starts_each": {starts}, "players": {players}}}"#);
        assert_eq!(Match::new(&options).view(None)["games"], games);
    }
    for starts in [3, 255] {
        let message = format!("domiphun: starts_each = {starts}: 0 (a single game), 1 or 2 are allowed (DOMI-21)");
        assert_eq!(refusal(&format!(r#"{{"starts_each": {starts}}}"#)), message);
    }
    assert!(refusal(r#"{"starts_each": -1}"#).starts_with("domiphun: starts_each: "));
    let message = "domiphun: series: unknown value `games`, expected `wins` or `points`";
    assert_eq!(refusal(r#"{"series": "games"}"#), message);
}

#[test]
fn domi_21_all_games_are_played_and_the_first_seat_moves_clockwise() {
    for variant in ["traditional", "standard", "advanced"] {
        for (players, starts) in [(2, 1), (3, 2), (4, 1)] {
            let options = format!(
                r#"{{"variant": "{variant}", "players": {players}, "starts_each": {starts}, "first_seat": 1}}"#
            );
            let mut firsts: BTreeMap<u64, u64> = BTreeMap::new();
            let end = Match::new(&options).play_out(|game, action| {
                let number = game.number("game_number");
                firsts.entry(number).or_insert_with(|| game.turn());
                assert_eq!(game.number("first"), firsts[&number]);
                assert!(action.is_none() || game.returns().iter().all(|&earned| earned == 0.0));
            });
            let expected: BTreeMap<u64, u64> =
                (1..=players * starts).map(|number| (number, number % players)).collect();
            assert_eq!(firsts, expected);
            assert_eq!(end.number("game_number"), players * starts);
            assert!(end.numbers("wins").iter().sum::<u64>() >= players * starts);
            assert!(end.returns().iter().sum::<f32>().abs() < 1e-6);
        }
    }
}

#[test]
fn domi_21_every_game_begins_afresh() {
    let position = json!({"first": 2, "wins": [1, 0, 1], "points": [3, 9, 4], "game_number": 3});
    let next = last_domino(3, r#""starts_each": 2"#, position);
    assert_eq!((next.numbers("wins"), next.numbers("points")), (vec![2, 0, 1], vec![3, 13, 9]));
    assert_eq!((next.number("game_number"), next.number("first")), (4, 0));
    assert_eq!(next.moment(), "turn 0 [11, 11, 11]");
    assert_eq!((next.squares(), next.laid().len(), next.pool()), (all_squares(), 0, 23));
    // The joiners come back, too.
    let options = r#"{"variant": "advanced", "starts_each": 1, "x_joiners": 1}"#;
    let places = format!("{ROW}; A plate 3 north");
    let parts = json!({"hands": [[4, 5], [6, 6, 6]], "x_joiners": [1, 1], "starjoiners": [0, 1]});
    let next = Match::of(options, standing(&places, parts)).after("4-5 B; east up");
    assert_eq!((next.numbers("x_joiners"), next.numbers("starjoiners")), (vec![1, 1], vec![1, 1]));
    assert_eq!((next.number("first"), next.laid().len(), next.view(None)["plates"].clone()), (1, 0, json!([])));
}

#[test]
fn domi_21_most_games_won_win_the_match() {
    let last = |wins: [u64; 2], points: [u64; 2]| {
        let parts = json!({"wins": wins, "points": points, "game_number": 2, "first": 1});
        last_domino(2, r#""starts_each": 1"#, parts).result()
    };
    assert_eq!(last([1, 0], [0, 9]), (vec![2, 0], vec![1.0, -1.0]));
    assert_eq!(last([0, 1], [9, 0]), (vec![1, 1], vec![0.0, 0.0]));
    // A draw before.
    assert_eq!(last([1, 1], [9, 0]), (vec![2, 1], vec![1.0, -1.0]));
    // Decided, and yet played on.
    let parts = json!({"wins": [2, 0], "points": [0, 20], "game_number": 3});
    let next = last_domino(2, r#""starts_each": 2"#, parts);
    assert_eq!((next.is_over(), next.number("game_number"), next.returns()), (false, 4, vec![0.0, 0.0]));
}

#[test]
fn domi_21_equal_players_share_the_match() {
    let last = |wins: [u64; 3], number: u64| {
        let parts = json!({"wins": wins, "points": [1, 1, 1], "game_number": number, "first": 0});
        last_domino(3, r#""starts_each": 1"#, parts).result()
    };
    assert_eq!(last([0, 1, 1], 3), (vec![1, 1, 1], vec![0.0, 0.0, 0.0]));
    assert_eq!(last([1, 2, 0], 3), (vec![2, 2, 0], vec![0.25, 0.25, -0.5]));
    assert_eq!(last([0, 2, 1], 3), (vec![1, 2, 1], vec![-0.5, 1.0, -0.5]));
}

#[test]
fn domi_21_a_draw_counts_for_each() {
    let position = path(json!({"hands": [[3, 1, 5], [4], [2, 2]], "pool": []}));
    let next = Match::of(r#"{"players": 3, "starts_each": 1}"#, position).after("3-1 A");
    assert_eq!((next.numbers("wins"), next.is_over(), next.number("game_number")), (vec![1, 1, 0], false, 2));
    assert_eq!(next.numbers("points"), [5, 4, 4]);
}

#[test]
fn domi_21_by_points_the_fewest_win() {
    let last = |points: [u64; 2]| {
        let parts = json!({"wins": [0, 1], "points": points, "game_number": 2, "first": 1});
        let end = last_domino(2, r#""starts_each": 1, "series": "points""#, parts);
        assert_eq!(end.view(None)["series"], "points");
        (end.numbers("points"), end.returns())
    };
    // Seat 1 has 2 and 2 left in the last game.
    assert_eq!(last([3, 0]), (vec![3, 4], vec![1.0, -1.0]));
    assert_eq!(last([4, 0]), (vec![4, 4], vec![0.0, 0.0]));
    assert_eq!(last([5, 0]), (vec![5, 4], vec![-1.0, 1.0]));
}

#[test]
fn domi_21_a_blocked_game_adds_up_values() {
    let position = path(json!({"hands": [[3, 1, 5], [0, 2]], "pool": []}));
    let end = |options: &str| Match::of(options, &position).after("3-1 A").result();
    assert_eq!(end("{}"), (vec![1, 0], vec![1.0, -1.0]));
    assert_eq!(end(r#"{"series": "points"}"#), (vec![1, 0], vec![-1.0, 1.0]));
}

#[test]
fn domi_21_the_range_of_returns() {
    for (players, range) in [(2, vec![-1.0, 1.0]), (3, vec![-0.5, 1.0]), (4, vec![-1.0 / 3.0, 1.0])] {
        assert_eq!(rules(&format!(r#"{{"players": {players}}}"#)).range_of_returns().to_vec(), range);
    }
}

#[test]
fn domi_21_after_the_match_the_last_game_stays_on_the_table() {
    let parts = json!({"wins": [0, 1], "points": [3, 0], "game_number": 2, "first": 1});
    let view = last_domino(2, r#""starts_each": 1"#, parts).view(Some(0));
    assert_eq!((&view["to_act"], &view["phase"], &view["legal"]), (&json!(null), &json!("over"), &json!([])));
    assert_eq!(
        (&view["game_number"], &view["first"], &view["path"]),
        (&json!(2), &json!(1), &json!([3, 5, 5, 6, 6, 4]))
    );
    assert_eq!((&view["wins"], &view["points"]), (&json!([1, 1]), &json!([3, 4])));
}

#[test]
fn domi_21_a_position_with_impossible_wins_is_refused() {
    let refuse = |options: &str, parts: Value, word: &str| {
        let position = path(with(json!({"hands": [[6, 4], [2, 2]]}), parts));
        let message = table::position_refusal::<Domiphun>(options, position);
        assert!(message.contains(word), "{message}");
    };
    let four = r#"{"starts_each": 2}"#;
    refuse(four, json!({"wins": [1, 0]}), "wins");
    refuse(four, json!({"wins": [1, 0], "game_number": 3}), "wins");
    refuse(four, json!({"wins": [2, 0], "game_number": 2}), "wins");
    refuse(four, json!({"wins": [1, 0, 0], "game_number": 2}), "wins: 3 numbers for 2 players");
    refuse(four, json!({"points": [1, 0, 0]}), "points: 3 numbers for 2 players");
    refuse(four, json!({"game_number": 0}), "game_number");
    refuse(four, json!({"wins": [4, 0], "game_number": 5}), "game");
    refuse("{}", json!({"wins": [1, 0], "game_number": 2}), "game");
    refuse(four, json!({"turn": 2}), "no seat 2: there are 2");
    refuse(four, json!({"first": 2}), "no seat 2: there are 2");
}

#[test]
fn domi_22_there_is_one_square_more_of_each_value_than_there_are_values() {
    for values in 2..=7 {
        let squares: Vec<u64> = (0..values).flat_map(|value| std::iter::repeat_n(value, values as usize + 1)).collect();
        for variant in ["standard", "traditional", "advanced"] {
            let options = format!(r#"{{"variant": "{variant}", "values": {values}}}"#);
            for seed in 0..20 {
                Match::seeded(&options, seed).play_out(|game, _| assert_eq!(game.squares(), squares, "{options}"));
            }
        }
    }
    assert_eq!(Match::new(r#"{"values": 7}"#).squares(), all_squares());
}

#[test]
fn domi_22_a_hand_is_the_same_share_of_fewer_pieces() {
    let hand = |variant: &str, players: u8, values: u8| {
        let options = format!(r#"{{"variant": "{variant}", "players": {players}, "values": {values}}}"#);
        Match::new(&options).hand_sizes()[0]
    };
    let hands = |variant: &str, players: u8| (2..=7).map(|values| hand(variant, players, values)).collect::<Vec<_>>();
    for variant in ["standard", "advanced"] {
        assert_eq!(hands(variant, 2), [3, 3, 3, 5, 8, 11]);
        assert_eq!(hands(variant, 4), [1, 3, 3, 5, 8, 11]);
    }
    assert_eq!(hands("traditional", 2), [1, 2, 2, 3, 5, 7]);
    assert_eq!(hands("traditional", 3), [1, 2, 2, 2, 3, 5]);
}

#[test]
fn domi_22_the_hand_can_be_given() {
    for (options, moment, pool) in [
        (r#"{"hand": 28, "first_seat": 0}"#, "turn 0 [28, 28]", 0),
        (r#"{"hand": 3, "players": 3, "first_seat": 1}"#, "turn 1 [3, 3, 3]", 47),
        (r#"{"hand": 3, "values": 2, "first_seat": 1}"#, "turn 1 [3, 3]", 0),
        (r#"{"hand": 14, "variant": "traditional", "first_seat": 0}"#, "turn 0 [14, 14]", 0),
    ] {
        let game = Match::new(options);
        assert_eq!((game.moment().as_str(), game.pool()), (moment, pool));
    }
}

#[test]
fn domi_22_who_has_one_square_takes_before_the_first_domino() {
    let game = Match::new(r#"{"hand": 1, "first_seat": 0}"#);
    assert_eq!(game.legal(), ["take"]);
    let game = game.after("take");
    assert_eq!((game.moment().as_str(), game.legal().len()), ("turn 0 [2, 1]", 1));
    assert!(game.refusal("take").contains("DOMI-8"));
}

#[test]
fn domi_22_a_game_of_two_values() {
    let position = json!({"laid": ["0-1"], "hands": [[0, 1], [1]]});
    let game = Match::of(r#"{"values": 2}"#, position);
    assert_eq!((game.legal(), game.pool()), (list("0-1 A, 1-0 B"), 1));
    assert_eq!(game.after("1-0 B").result(), (vec![1, 0], vec![1.0, -1.0]));
}

#[test]
fn domi_22_errors_say_what_is_allowed() {
    for values in [0, 1, 8, 9, 255] {
        let message = refusal(&format!(r#"{{"values": {values}}}"#));
        assert!(message.contains(&format!("values = {values}: 2 to 7 are allowed (DOMI-22)")), "{message}");
    }
    for (options, expected) in [
        (r#"{"hand": 0}"#, "hand = 0: 1 to 28 are allowed, of 56 squares for 2 players (DOMI-22)"),
        (r#"{"hand": 15, "players": 4}"#, "hand = 15: 1 to 14 are allowed, of 56 squares for 4 players"),
        (r#"{"hand": 4, "values": 2}"#, "hand = 4: 1 to 3 are allowed, of 6 squares for 2 players"),
        (r#"{"hand": 8, "variant": "traditional", "players": 4}"#, "1 to 7 are allowed, of 28 dominoes for 4 players"),
        (
            r#"{"values": 2, "variant": "traditional", "players": 4}"#,
            "values = 2: 3 dominoes are too few for 4 players (DOMI-22)",
        ),
    ] {
        let message = refusal(options);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn domi_22_a_position_has_the_pieces_of_the_game() {
    let hands = |one: Value| json!({"hands": [one, [0, 1]]});
    let three = r#"{"values": 3}"#;
    assert_impossible(three, hands(json!([0, 3])), "no square 3: the values are 0 to 2 (DOMI-1)");
    assert_impossible(three, hands(json!([1, 1, 1, 1])), "more than 4 squares show 1 (DOMI-1)");
    assert_impossible(
        three,
        with(hands(json!([0, 1])), json!({"laid": ["3-3"]})),
        "no square 3: the values are 0 to 2 (DOMI-1)",
    );
    let traditional = r#"{"values": 3, "variant": "traditional"}"#;
    let message = "no domino \"1-3\": the dominoes are 0-0 to 2-2";
    assert_impossible(traditional, json!({"hands": [["1-3"], ["0-0"]]}), message);
}
