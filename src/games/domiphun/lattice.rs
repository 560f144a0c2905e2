//! Plates on the faces of the cubic lattice, and what joins them (DOMI-13 to DOMI-15).

use serde::{Deserialize, Serialize};

use super::balance::Balance;
use super::pieces::{Facing, NUM_DOMINOES, NUM_SQUARES};
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

    /// One step further.
    #[inline(always)]
    #[must_use]
    pub fn step(self, direction: Direction) -> Self {
        let mut next = self;
        next.0[direction.axis()] += if direction.is_forward() { 1 } else { -1 };
        next
    }

    /// The face joined at a side: straight on, or at a right angle towards `heading`.
    #[inline(always)]
    fn joined(self, side: Direction, heading: Direction) -> Self {
        if heading == side {
            return self.step(side);
        }
        let mut next = self;
        next.0[side.axis()] += i8::from(side.is_forward());
        next.0[heading.axis()] -= i8::from(!heading.is_forward());
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
    pub fn headings(self, side: Direction) -> [Direction; 3] {
        let [one, other] = Direction::along(self.axis());
        if one.number() < side.number() { [one, other, side] } else { [side, one, other] }
    }

    /// The height of its lowest side.
    #[inline(always)]
    #[must_use]
    pub const fn bottom(self) -> i8 {
        self.0[2]
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
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Construction {
    places: List<Place, NUM_SQUARES>,
    values: List<u8, NUM_SQUARES>,
    /// The sides that hold an ordinary joiner, a bit each, by square.
    ordinary: List<u8, NUM_SQUARES>,
    /// The sides that hold an X joiner, a bit each, by square.
    x: List<u8, NUM_SQUARES>,
    /// The squares that hold a Starjoiner.
    closed: u64,
    /// How the dominoes after the first were joined.
    joints: List<Joint, NUM_DOMINOES>,
    balance: Balance,
}

impl Construction {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self {
            places: List::new(),
            values: List::new(),
            ordinary: List::new(),
            x: List::new(),
            closed: 0,
            joints: List::new(),
            balance: Balance::new(),
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

    fn put(&mut self, facing: Facing, places: [Place; 2], heading: Direction) {
        let between = [heading.bit(), heading.opposite().bit()];
        for ((place, value), held) in places.into_iter().zip([facing.inner, facing.outer]).zip(between) {
            self.places.push(place);
            self.values.push(value);
            self.ordinary.push(held);
            self.x.push(0);
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
        if self.ordinary[number] & side.bit() != 0 {
            return Err(Misfit::Held);
        }
        let inner = place.joined(side, heading);
        let places = [inner, inner.step(heading)];
        if places.iter().any(|place| place.bottom() < 0) {
            return Err(Misfit::Below);
        }
        if self.places.iter().any(|place| places.contains(place)) {
            return Err(Misfit::Taken);
        }
        let joiner = match (self.x[number] & side.bit() != 0, heading == side) {
            (true, _) => Joiner::Arm,
            (false, true) => Joiner::Ordinary,
            (false, false) => Joiner::X,
        };
        Ok(Fit { joiner, places })
    }

    /// Joins a domino that fits.
    pub fn join(&mut self, facing: Facing, spot: Spot, fit: Fit) {
        let Spot { plate, side, heading } = spot;
        let inner = self.places.len();
        self.put(facing, fit.places, heading);
        self.joints.push(Joint { spot, joiner: fit.joiner });
        let held = if fit.joiner == Joiner::Ordinary { &mut self.ordinary } else { &mut self.x };
        held[usize::from(plate)] |= side.bit();
        held[inner] |= heading.opposite().bit();
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

    /// What a side of a square holds: nothing, an ordinary joiner or an X joiner.
    #[inline(always)]
    #[must_use]
    pub fn held(&self, plate: u8, side: Direction) -> Option<Joiner> {
        let number = usize::from(plate);
        match (self.ordinary[number] & side.bit() != 0, self.x[number] & side.bit() != 0) {
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
    use crate::games::domiphun::pieces::Facing;

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
