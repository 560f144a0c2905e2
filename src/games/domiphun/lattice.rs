//! Plates on the faces of the cubic lattice, and what joins them (DOMI-13 to DOMI-15).

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::balance::Balance;
use super::pieces::{Facing, NUM_DOMINOES, NUM_SQUARES, Values};
use super::ways::Ways;
use crate::bits;
use crate::list::List;

/// A direction along an axis of the lattice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Along x.
    #[default]
    East,
    /// Against x.
    West,
    /// Along y.
    North,
    /// Against y.
    South,
    /// Along z.
    Up,
    /// Against z.
    Down,
}

/// The directions, in the order of their numbers.
pub const DIRECTIONS: [Direction; 6] =
    [Direction::East, Direction::West, Direction::North, Direction::South, Direction::Up, Direction::Down];

impl Direction {
    /// Its number.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> usize {
        self as usize
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["east", "west", "north", "south", "up", "down"][self.number()]
    }

    /// The axis: 0 for x, 1 for y, 2 for z.
    #[inline(always)]
    #[must_use]
    pub const fn axis(self) -> usize {
        self.number() / 2
    }

    #[inline(always)]
    const fn is_forward(self) -> bool {
        self.number().is_multiple_of(2)
    }

    /// The other way along the axis.
    #[inline(always)]
    #[must_use]
    pub const fn opposite(self) -> Self {
        DIRECTIONS[self.number() ^ 1]
    }

    /// One step that way: along x, y and z.
    #[must_use]
    pub fn vector(self) -> [i8; 3] {
        let mut vector = [0; 3];
        vector[self.axis()] = if self.is_forward() { 1 } else { -1 };
        vector
    }

    #[inline(always)]
    const fn bit(self) -> u8 {
        1 << self.number()
    }

    /// Both ways along an axis.
    #[inline(always)]
    #[must_use]
    pub const fn along(axis: usize) -> [Self; 2] {
        [DIRECTIONS[2 * axis], DIRECTIONS[2 * axis + 1]]
    }
}

/// A face of the lattice: its least corner, then the axis to which it is perpendicular.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Place([i8; 4]);

impl Place {
    /// The face at this least corner, perpendicular to this axis.
    #[must_use]
    pub const fn new(corner: [i8; 3], axis: usize) -> Self {
        Self([corner[0], corner[1], corner[2], axis as i8])
    }

    /// Its least corner.
    #[inline(always)]
    #[must_use]
    pub const fn corner(self) -> [i8; 3] {
        [self.0[0], self.0[1], self.0[2]]
    }

    /// The axis to which it is perpendicular.
    #[inline(always)]
    #[must_use]
    pub const fn axis(self) -> usize {
        self.0[3] as usize
    }

    /// Its least corner with a number added to every coordinate, and a 0.
    #[inline(always)]
    #[must_use]
    pub const fn raised(self, by: u8) -> [u8; 4] {
        const HIGH: u32 = 0x0080_8080;
        let [x, y, z, _] = self.0;
        let corner = u32::from_le_bytes([x as u8, y as u8, z as u8, 0]);
        // Three additions in a word: nothing is carried from one byte to the next.
        let by = by as u32 * 0x0001_0101;
        (((corner & !HIGH) + (by & !HIGH)) ^ ((corner ^ by) & HIGH)).to_le_bytes()
    }

    /// One step further.
    #[inline(always)]
    #[must_use]
    pub const fn step(self, direction: Direction) -> Self {
        let mut next = self;
        next.0[direction.axis()] += if direction.is_forward() { 1 } else { -1 };
        next
    }

    /// The face joined at a side: straight on, or at a right angle towards `heading`.
    #[inline(always)]
    pub(super) const fn joined(self, side: Direction, heading: Direction) -> Self {
        if heading.number() == side.number() {
            return self.step(side);
        }
        let mut next = self;
        next.0[side.axis()] += side.is_forward() as i8;
        next.0[heading.axis()] -= !heading.is_forward() as i8;
        next.0[3] = side.axis() as i8;
        next
    }

    /// The directions in which it has a side.
    #[inline(always)]
    pub fn sides(self) -> impl Iterator<Item = Direction> {
        DIRECTIONS.into_iter().filter(move |side| side.axis() != self.axis())
    }

    /// Where a domino at this side can go: straight on, and both ways at a right angle.
    #[inline(always)]
    #[must_use]
    pub const fn headings(self, side: Direction) -> [Direction; 3] {
        let [one, other] = Direction::along(self.axis());
        if one.number() < side.number() { [one, other, side] } else { [side, one, other] }
    }

    /// The height of its lowest side.
    #[inline(always)]
    #[must_use]
    pub const fn bottom(self) -> i8 {
        self.0[2]
    }

    /// Twice the coordinate of its centre along an axis.
    #[inline(always)]
    #[must_use]
    pub const fn doubled_centre(self, axis: usize) -> i32 {
        2 * self.0[axis] as i32 + (self.axis() != axis) as i32
    }

    /// Its four corners, one after the other around it.
    #[must_use]
    pub fn corners(self) -> [[i8; 3]; 4] {
        let (one, other) = ((self.axis() + 1) % 3, (self.axis() + 2) % 3);
        [[0, 0], [1, 0], [1, 1], [0, 1]].map(|steps| {
            let mut corner = self.corner();
            corner[one] += steps[0];
            corner[other] += steps[1];
            corner
        })
    }
}

/// What holds a domino where it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Joiner {
    /// The ordinary joiner, straight on.
    #[default]
    Ordinary,
    /// An X joiner of the player's, at a right angle (DOMI-14).
    X,
    /// An arm of an X joiner that was there (DOMI-14).
    Arm,
}

impl Joiner {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ordinary => "ordinary",
            Self::X => "x",
            Self::Arm => "arm",
        }
    }
}

/// A side of a square of the construction, and where a domino goes from there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Spot {
    /// The number of the square.
    pub plate: u8,
    /// Which side.
    pub side: Direction,
    /// The same direction straight on, another one at a right angle.
    pub heading: Direction,
}

/// How a domino was joined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Joint {
    /// To what.
    pub spot: Spot,
    /// By what.
    pub joiner: Joiner,
}

/// Why a domino cannot be joined at a spot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// The square has no side in that direction.
    NoSide,
    /// No domino at that side goes that way.
    NoWay,
    /// The side holds an ordinary joiner.
    Held,
    /// Another square is there.
    Taken,
    /// It would go below the table.
    Below,
}

/// A domino that finds a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fit {
    /// What it takes.
    pub joiner: Joiner,
    /// The places of its inner and its outer square.
    pub places: [Place; 2],
}

/// All squares on the table, numbered as they were placed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "Kept", into = "Kept")]
pub struct Construction {
    places: List<Place, NUM_SQUARES>,
    values: List<u8, NUM_SQUARES>,
    /// The sides that hold an ordinary joiner.
    ordinary: Sides,
    /// The sides that hold an X joiner.
    x: Sides,
    /// The squares that hold a Starjoiner.
    closed: u64,
    /// How the dominoes after the first were joined.
    joints: List<Joint, NUM_DOMINOES>,
    balance: Balance,
    /// Follows from the places.
    known: Known,
    remembered: Remembered,
}

/// Sides of squares, a bit each, those of a square after those of the one before.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sides([u64; (NUM_SQUARES * DIRECTIONS.len()).div_ceil(64)]);

impl Sides {
    #[inline(always)]
    const fn bit(plate: usize, side: Direction) -> (usize, u64) {
        let number = plate * DIRECTIONS.len() + side.number();
        (number / 64, 1 << (number % 64))
    }

    #[inline(always)]
    fn insert(&mut self, plate: usize, side: Direction) {
        let (word, bit) = Self::bit(plate, side);
        self.0[word] |= bit;
    }

    /// Whether a side is one of them.
    #[inline(always)]
    #[must_use]
    pub const fn contains(&self, plate: usize, side: Direction) -> bool {
        let (word, bit) = Self::bit(plate, side);
        self.0[word] & bit != 0
    }

    /// As bits, 64 sides a word.
    #[inline(always)]
    #[must_use]
    pub const fn words(&self) -> [u64; 6] {
        self.0
    }

    /// Those of a square, a bit each.
    #[inline(always)]
    fn of(&self, plate: usize) -> u8 {
        const ALL: u8 = (1 << DIRECTIONS.len()) - 1;
        let (word, bit) = (plate * DIRECTIONS.len() / 64, plate * DIRECTIONS.len() % 64);
        let next = self.0.get(word + 1).copied().unwrap_or_default();
        // In two steps, as no shift is by 64.
        (self.0[word] >> bit | next << 1 << (63 - bit)) as u8 & ALL
    }
}

impl FromIterator<u8> for Sides {
    /// Of those of each square.
    fn from_iter<I: IntoIterator<Item = u8>>(squares: I) -> Self {
        let mut sides = Self::default();
        for (plate, set) in squares.into_iter().enumerate().take(NUM_SQUARES) {
            let held = DIRECTIONS.into_iter().filter(|side| set & side.bit() != 0);
            held.for_each(|side| sides.insert(plate, side));
        }
        sides
    }
}

/// Coordinates of a square.
const AXES: usize = 3;
/// What is added to a coordinate where it is kept for a row, so that none is negative.
pub const RAISED: u8 = 64;

/// What follows from the places of the squares, and would have to be found again in every decision.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Known {
    /// By square, the ways from it that need the place of another.
    blocked: [Ways; NUM_SQUARES],
    /// The least corner of every square, raised; 0 where there is none.
    corners: [u8; AXES * NUM_SQUARES],
    /// The axis of every square, as a bit of three.
    axes: [u64; (AXES * NUM_SQUARES).div_ceil(64)],
}

impl Known {
    const fn new() -> Self {
        Self { blocked: [0; _], corners: [0; _], axes: [0; _] }
    }

    /// Adds a square to those that are there.
    #[inline(always)]
    fn add(&mut self, places: &List<Place, NUM_SQUARES>, place: Place) {
        let (number, mut near) = (places.len(), 0);
        // By eights, as vectors are.
        for (eight, others) in places.room().chunks_exact(8).enumerate().take(number.div_ceil(8)) {
            let near_ones = others.iter().enumerate().map(|(bit, other)| u64::from(place.is_near(*other)) << bit);
            near |= near_ones.sum::<u64>() << (8 * eight);
        }
        for other in bits::each(near & ((1 << number) - 1)).map(usize::from) {
            let [own, back] = place.blocking(places[other]);
            self.blocked[number] |= own;
            self.blocked[other] |= back;
        }
        let [x, y, z, _] = place.raised(RAISED);
        self.corners[AXES * number..AXES * number + AXES].copy_from_slice(&[x, y, z]);
        let bit = AXES * number + (place.axis() & 3);
        self.axes[bit / 64] |= 1 << (bit % 64);
    }
}

/// The ways from two squares with which everything stands: those at the ends of the path, which are asked for in every
/// decision. Whether they are remembered tells no constructions apart.
#[derive(Clone, Copy, Debug)]
struct Remembered {
    plates: [u8; 2],
    standing: [Ways; 2],
}

impl Remembered {
    const NOTHING: Self = Self { plates: [u8::MAX; 2], standing: [0; 2] };
}

impl PartialEq for Remembered {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Remembered {}

/// What is kept of a construction, and tells it apart.
#[derive(Hash, Serialize, Deserialize)]
#[serde(rename = "Construction")]
struct Kept {
    places: List<Place, NUM_SQUARES>,
    values: List<u8, NUM_SQUARES>,
    /// The sides that hold an ordinary joiner, a bit each, by square.
    ordinary: List<u8, NUM_SQUARES>,
    /// The sides that hold an X joiner, a bit each, by square.
    x: List<u8, NUM_SQUARES>,
    closed: u64,
    joints: List<Joint, NUM_DOMINOES>,
    balance: Balance,
}

impl From<Construction> for Kept {
    fn from(built: Construction) -> Self {
        let by_square = |sides: &Sides| (0..built.len()).map(|plate| sides.of(plate)).collect();
        Self {
            ordinary: by_square(&built.ordinary),
            x: by_square(&built.x),
            places: built.places,
            values: built.values,
            closed: built.closed,
            joints: built.joints,
            balance: built.balance,
        }
    }
}

impl From<Kept> for Construction {
    fn from(kept: Kept) -> Self {
        let (mut places, mut known) = (List::new(), Known::new());
        for &place in &*kept.places {
            known.add(&places, place);
            places.push(place);
        }
        Self {
            ordinary: kept.ordinary.iter().copied().collect(),
            x: kept.x.iter().copied().collect(),
            places,
            values: kept.values,
            closed: kept.closed,
            joints: kept.joints,
            balance: kept.balance,
            known,
            remembered: Remembered::NOTHING,
        }
    }
}

impl Hash for Construction {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        Kept::from(self.clone()).hash(hasher);
    }
}

impl Construction {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self {
            places: List::new(),
            values: List::new(),
            ordinary: Sides::default(),
            x: Sides::default(),
            closed: 0,
            joints: List::new(),
            balance: Balance::new(),
            known: Known::new(),
            remembered: Remembered::NOTHING,
        }
    }

    /// The first domino, flat on the table (DOMI-13).
    #[must_use]
    pub fn begun(facing: Facing) -> Self {
        let mut begun = Self::new();
        let first = Place::new([0; 3], 2);
        begun.put(facing, [first, first.step(Direction::East)], Direction::East);
        begun
    }

    #[inline(always)]
    fn put(&mut self, facing: Facing, places: [Place; 2], heading: Direction) {
        let between = [heading, heading.opposite()];
        for ((place, value), held) in places.into_iter().zip([facing.inner, facing.outer]).zip(between) {
            self.ordinary.insert(self.places.len(), held);
            self.known.add(&self.places, place);
            self.places.push(place);
            self.values.push(value);
        }
        self.balance.add(places);
    }

    /// Whether a domino can be joined there, by its place alone (DOMI-13 to DOMI-15).
    #[inline(always)]
    pub fn fit(&self, spot: Spot) -> Result<Fit, Misfit> {
        let Spot { plate, side, heading } = spot;
        let number = usize::from(plate);
        let place = self.places[number];
        if side.axis() == place.axis() {
            return Err(Misfit::NoSide);
        }
        if heading != side && heading.axis() != place.axis() {
            return Err(Misfit::NoWay);
        }
        if self.ordinary.contains(number, side) {
            return Err(Misfit::Held);
        }
        let inner = place.joined(side, heading);
        let places = [inner, inner.step(heading)];
        if places.iter().any(|place| place.bottom() < 0) {
            return Err(Misfit::Below);
        }
        if self.known.blocked[number] >> place.around().number(side, heading) & 1 == 1 {
            return Err(Misfit::Taken);
        }
        Ok(Fit { joiner: self.joiner(spot), places })
    }

    /// The ways to join a domino to a square so that it stands: those that take no X joiner of a player's, and those that
    /// do.
    #[inline(always)]
    #[must_use]
    pub fn ways(&self, plate: u8) -> [Ways; 2] {
        let standing = self.standing_ways(plate);
        let free_of_x = self.place(plate).around().straight | self.ways_at(&self.x, plate);
        [standing & free_of_x, standing & !free_of_x]
    }

    /// Whether a domino can be joined to a square straight on.
    #[must_use]
    pub fn goes_on(&self, plate: u8) -> bool {
        self.standing_ways(plate) & self.place(plate).around().straight != 0
    }

    /// The ways from a square at these sides.
    #[inline(always)]
    fn ways_at(&self, sides: &Sides, plate: u8) -> Ways {
        self.place(plate).around().at_sides(sides.of(plate.into()))
    }

    /// Remembers what stands at two squares until the next domino comes.
    #[inline(always)]
    pub fn remember(&mut self, plates: [u8; 2]) {
        let standing = [self.find_standing_ways(plates[0]), self.find_standing_ways(plates[1])];
        self.remembered = Remembered { plates, standing };
    }

    #[inline(always)]
    fn standing_ways(&self, plate: u8) -> Ways {
        let Remembered { plates, standing } = self.remembered;
        if plates.contains(&plate) {
            return if plate == plates[0] { standing[0] } else { standing[1] };
        }
        self.find_standing_ways(plate)
    }

    #[inline(always)]
    fn find_standing_ways(&self, plate: u8) -> Ways {
        let square = self.place(plate);
        let [above, on_the_table] = square.around().above(square.bottom());
        let free = above & !self.known.blocked[usize::from(plate)] & !self.ways_at(&self.ordinary, plate);
        // What touches the table stands: see Balance::stands_with.
        let lifted = free & !on_the_table;
        if lifted == 0 { free } else { free & (on_the_table | self.balance.carries(square)) }
    }

    /// What a domino at a spot would take.
    #[inline(always)]
    #[must_use]
    pub fn joiner(&self, Spot { plate, side, heading }: Spot) -> Joiner {
        match (self.x.contains(plate.into(), side), heading == side) {
            (true, _) => Joiner::Arm,
            (false, true) => Joiner::Ordinary,
            (false, false) => Joiner::X,
        }
    }

    /// Joins a domino that fits.
    #[inline(always)]
    pub fn join(&mut self, facing: Facing, spot: Spot, fit: Fit) {
        let Spot { plate, side, heading } = spot;
        let inner = self.places.len();
        self.remembered = Remembered::NOTHING;
        self.put(facing, fit.places, heading);
        self.joints.push(Joint { spot, joiner: fit.joiner });
        let held = if fit.joiner == Joiner::Ordinary { &mut self.ordinary } else { &mut self.x };
        held.insert(plate.into(), side);
        held.insert(inner, heading.opposite());
    }

    /// Puts a Starjoiner on a square (DOMI-17).
    #[inline(always)]
    pub fn close(&mut self, plate: u8) {
        self.closed |= 1 << plate;
    }

    /// Whether a square holds a Starjoiner.
    #[inline(always)]
    #[must_use]
    pub const fn is_closed(&self, plate: u8) -> bool {
        self.closed >> plate & 1 == 1
    }

    /// The squares that hold a Starjoiner, a bit each.
    #[must_use]
    pub const fn closed(&self) -> u64 {
        self.closed
    }

    /// How many squares there are.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether nothing is there yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The place of every square.
    #[inline(always)]
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The least corner of every square with [`RAISED`] added to each coordinate, and 0 where there is no square.
    #[inline(always)]
    #[must_use]
    pub const fn corners(&self) -> &[u8; AXES * NUM_SQUARES] {
        &self.known.corners
    }

    /// The axis of every square, a bit of three: see [`Place::axis`].
    #[inline(always)]
    #[must_use]
    pub const fn axes(&self) -> [u64; 3] {
        self.known.axes
    }

    /// The place of a square.
    #[inline(always)]
    #[must_use]
    pub fn place(&self, plate: u8) -> Place {
        self.places[usize::from(plate)]
    }

    /// The value of every square.
    #[inline(always)]
    #[must_use]
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// The squares that show one of some values, a bit each.
    #[inline(always)]
    #[must_use]
    pub fn showing(&self, values: Values) -> u64 {
        let mut squares = 0;
        for (number, value) in self.values.room().iter().enumerate() {
            squares |= u64::from(values >> (value & 7) & 1) << number;
        }
        squares & ((1 << self.len()) - 1)
    }

    /// The values, and beyond them whatever is there.
    #[inline(always)]
    #[must_use]
    pub const fn room_of_values(&self) -> &[u8; NUM_SQUARES] {
        self.values.room()
    }

    /// The sides that hold an ordinary joiner, and those that hold an X joiner.
    #[inline(always)]
    #[must_use]
    pub const fn sides_held(&self) -> [&Sides; 2] {
        [&self.ordinary, &self.x]
    }

    /// What a side of a square holds: nothing, an ordinary joiner or an X joiner.
    #[inline(always)]
    #[must_use]
    pub fn held(&self, plate: u8, side: Direction) -> Option<Joiner> {
        let number = usize::from(plate);
        match (self.ordinary.contains(number, side), self.x.contains(number, side)) {
            (true, _) => Some(Joiner::Ordinary),
            (false, true) => Some(Joiner::X),
            (false, false) => None,
        }
    }

    /// How a domino was joined; the first one was not.
    #[must_use]
    pub fn joint(&self, domino: usize) -> Option<Joint> {
        self.joints.get(domino.checked_sub(1)?).copied()
    }

    /// The direction in which a domino goes on at its outer square.
    #[must_use]
    pub fn heading(&self, plate: u8) -> Direction {
        let first = if plate == 0 { Direction::West } else { Direction::East };
        self.joint(usize::from(plate) / 2).map_or(first, |joint| joint.spot.heading)
    }

    /// X joiners in the construction.
    #[must_use]
    pub fn num_x_joiners(&self) -> usize {
        self.joints.iter().filter(|joint| joint.joiner == Joiner::X).count()
    }

    /// What it stands on.
    #[inline(always)]
    #[must_use]
    pub const fn balance(&self) -> &Balance {
        &self.balance
    }

    /// The height of its highest point.
    #[must_use]
    pub fn height(&self) -> i8 {
        let top = |place: &Place| place.bottom() + i8::from(place.axis() != 2);
        self.places.iter().map(top).max().unwrap_or_default()
    }
}

impl Default for Construction {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::{Construction, DIRECTIONS, Direction, Fit, Joiner, Misfit, Place, Spot};
    use crate::games::domiphun::pieces::{Facing, NUM_SQUARES};
    use crate::rng::Rng;

    const FACING: Facing = Facing { inner: 0, outer: 0 };

    fn corners(place: Place) -> Vec<[i8; 3]> {
        let mut corners = place.corners().to_vec();
        corners.sort_unstable();
        corners
    }

    #[test]
    fn a_joined_face_shares_the_side_and_lies_in_its_plane_or_at_a_right_angle() {
        for axis in 0..3 {
            let place = Place::new([3, 4, 5], axis);
            assert_eq!(place.sides().count(), 4);
            for side in place.sides() {
                assert!(place.headings(side).is_sorted_by_key(|heading| heading.number()));
                for heading in place.headings(side) {
                    let next = place.joined(side, heading);
                    let shared: Vec<_> =
                        corners(next).into_iter().filter(|corner| corners(place).contains(corner)).collect();
                    assert_eq!(shared.len(), 2, "{place:?} {side:?} {heading:?}");
                    let edge = place.corner()[side.axis()] + i8::from(side.is_forward());
                    assert!(shared.iter().all(|corner| corner[side.axis()] == edge));
                    assert_eq!(next.axis() == axis, heading == side);
                    let way = |place: Place| -> i32 {
                        place.corners().iter().map(|corner| i32::from(corner[heading.axis()])).sum()
                    };
                    let ahead =
                        way(next) > 2 * shared.iter().map(|corner| i32::from(corner[heading.axis()])).sum::<i32>();
                    assert_eq!(ahead, heading.is_forward());
                    assert_eq!(next.joined(heading.opposite(), heading.opposite()).step(heading), next);
                }
            }
        }
    }

    #[test]
    fn what_follows_from_the_squares_is_what_a_search_finds() {
        let mut rng = Rng::from_bits(1);
        for _ in 0..20 {
            let mut built = Construction::begun(FACING);
            while built.len() < NUM_SQUARES {
                let mut open = Vec::new();
                for plate in 0..built.len() as u8 {
                    for (side, heading) in DIRECTIONS.into_iter().flat_map(|side| DIRECTIONS.map(|way| (side, way))) {
                        let spot = Spot { plate, side, heading };
                        let Ok(fit) = built.fit(spot) else { continue };
                        assert!(!built.places().iter().any(|place| fit.places.contains(place)));
                        let mut balance = built.balance().clone();
                        balance.add(fit.places);
                        assert_eq!(built.balance().stands_with(fit.places), balance.stands(), "{spot:?} {built:?}");
                        open.extend(balance.stands().then_some((spot, fit)));
                    }
                }
                // Somewhere among the last squares, so that it grows far.
                let last = open.len().min(30);
                let (spot, fit) = open[open.len() - 1 - rng.below(last as u64) as usize];
                built.join(FACING, spot, fit);
                let text = serde_json::to_string(&built).unwrap();
                assert_eq!(serde_json::from_str::<Construction>(&text).unwrap(), built);
            }
        }
    }

    #[test]
    fn what_fits_and_what_does_not() {
        let mut built = Construction::begun(FACING);
        let spot = |plate, side, heading| Spot { plate, side, heading };
        let (east, up, down, north) = (Direction::East, Direction::Up, Direction::Down, Direction::North);
        assert_eq!(built.fit(spot(0, east, east)), Err(Misfit::Held));
        assert_eq!(built.fit(spot(1, up, up)), Err(Misfit::NoSide));
        assert_eq!(built.fit(spot(1, east, north)), Err(Misfit::NoWay));
        assert_eq!(built.fit(spot(1, east, Direction::West)), Err(Misfit::NoWay));
        assert_eq!(built.fit(spot(1, east, down)), Err(Misfit::Below));
        let fit = built.fit(spot(1, east, up)).unwrap();
        assert_eq!(fit, Fit { joiner: Joiner::X, places: [Place::new([2, 0, 0], 0), Place::new([2, 0, 1], 0)] });
        built.join(FACING, spot(1, east, up), fit);
        assert_eq!(built.fit(spot(1, east, up)), Err(Misfit::Taken));
        assert_eq!(built.fit(spot(1, east, east)).map(|fit| fit.joiner), Ok(Joiner::Arm));
        assert_eq!(built.fit(spot(2, down, east)).map(|fit| fit.joiner), Ok(Joiner::Arm));
        assert_eq!(built.height(), 2);
        assert_eq!(DIRECTIONS.map(|side| built.held(2, side)).iter().flatten().count(), 2);
    }
}
