//! The ways to join a domino to a square, as sets.
//!
//! A square has four sides, and from each a domino goes in one of three headings: twelve ways, numbered in the order of
//! the ids of their actions. What they need depends on the axis of the square alone, so all are judged together.

use super::lattice::{DIRECTIONS, Direction, Place};

/// How many there are.
const NUM_WAYS: usize = 12;
/// Room for a number per way, a power of two.
pub const ROOM: usize = 16;
/// How far the squares of a domino are from the square to which it is joined, along each axis.
const REACH: i8 = 2;
/// Places that are near one, along each axis; the numbers of all, rounded up to a power of two.
const ACROSS: u32 = 2 * REACH as u32 + 1;
const PLACES: usize = 128;
/// Axes, rounded up to a power of two.
const AXES: usize = 4;
const SIDES: usize = DIRECTIONS.len();

/// Ways, a bit each.
pub type Ways = u16;

/// The ways from a square that is perpendicular to an axis.
pub struct Around {
    /// Those that go straight on.
    pub straight: Ways,
    /// By way and coordinate, what its squares add to the sum of all centres, as seen from the square.
    pub centres: [[i32; ROOM]; 2],
    /// Those from any of some sides.
    from: [Ways; 1 << SIDES],
    /// Those whose lowest square is so far below the square.
    down: [Ways; 1 + REACH as usize],
    /// Those that need a place, by its axis and where it is.
    over: [[Ways; PLACES]; AXES],
    /// By side and heading.
    numbers: [[u8; SIDES]; SIDES],
    /// The ids that belong to the lower and the upper half of a set, bit 6i + j for side i and heading j.
    ids: [[u64; 1 << (NUM_WAYS / 2)]; 2],
}

/// By axis, and once more the first.
static AROUND: [Around; AXES] = [Around::of(0), Around::of(1), Around::of(2), Around::of(0)];

impl Around {
    const fn of(axis: usize) -> Self {
        let mut around = Self {
            straight: 0,
            centres: [[0; ROOM]; 2],
            from: [0; 1 << SIDES],
            down: [0; 1 + REACH as usize],
            over: [[0; PLACES]; AXES],
            numbers: [[0; SIDES]; SIDES],
            ids: [[0; 1 << (NUM_WAYS / 2)]; 2],
        };
        let square = Place::new([0; 3], axis);
        let (mut way, mut side) = (0, 0);
        while side < SIDES {
            let headings = square.headings(DIRECTIONS[side]);
            let mut heading = 0;
            while heading < headings.len() && DIRECTIONS[side].axis() != axis {
                around.add(way, DIRECTIONS[side], headings[heading], square);
                heading += 1;
                way += 1;
            }
            side += 1;
        }
        around
    }

    const fn add(&mut self, way: usize, side: Direction, heading: Direction, square: Place) {
        let bit = 1 << way;
        if heading.number() == side.number() {
            self.straight |= bit;
        }
        self.numbers[side.number()][heading.number()] = way as u8;
        let mut sides = 0;
        while sides < self.from.len() {
            self.from[sides] |= (sides >> side.number() & 1) as Ways * bit;
            sides += 1;
        }
        let (half, bit_in_half) = (way / (NUM_WAYS / 2), way % (NUM_WAYS / 2));
        let mut set = 0;
        while set < self.ids[half].len() {
            self.ids[half][set] |= (set as u64 >> bit_in_half & 1) << (SIDES * side.number() + heading.number());
            set += 1;
        }
        let inner = square.joined(side, heading);
        let outer = inner.step(heading);
        let lower = if outer.bottom() < inner.bottom() { outer } else { inner };
        let below = if lower.bottom() < 0 { -lower.bottom() } else { 0 };
        // Where neither is at the height of the square or below, the domino goes up.
        if lower.bottom() <= 0 {
            self.down[below as usize] |= bit;
        }
        let places = [inner, outer];
        let mut number = 0;
        while number < places.len() {
            let place = places[number];
            self.over[place.axis()][number_of(square.steps_to(place))] |= bit;
            let mut axis = 0;
            while axis < self.centres.len() {
                self.centres[axis][way] += place.doubled_centre(axis) - 2 * square.corner()[axis] as i32;
                axis += 1;
            }
            number += 1;
        }
    }

    /// Those from any of some sides, a bit each.
    #[inline(always)]
    pub fn at_sides(&self, sides: u8) -> Ways {
        self.from[usize::from(sides) % (1 << SIDES)]
    }

    /// Those that do not go below the table from a square at this height, and of them those that touch it.
    #[inline(always)]
    pub fn above(&self, bottom: i8) -> [Ways; 2] {
        const ALL: Ways = (1 << NUM_WAYS) - 1;
        let [level, one, two] = self.down;
        match bottom {
            ..=0 => [ALL & !(one | two), level],
            1 => [ALL & !two, one],
            2 => [ALL, two],
            _ => [ALL, 0],
        }
    }

    /// The number of the way from a side of the square in a heading.
    #[inline(always)]
    pub const fn number(&self, side: Direction, heading: Direction) -> u8 {
        self.numbers[side.number()][heading.number()]
    }

    /// Bit 6i + j for each way from side i in heading j.
    #[inline(always)]
    pub fn ids(&self, ways: Ways) -> u64 {
        let half = |number: usize| usize::from(ways >> (NUM_WAYS / 2 * number)) % (1 << (NUM_WAYS / 2));
        self.ids[0][half(0)] | self.ids[1][half(1)]
    }
}

impl Place {
    /// The ways from it.
    #[inline(always)]
    #[must_use]
    pub fn around(self) -> &'static Around {
        &AROUND[self.axis() % AXES]
    }

    /// Whether a place is so near that a domino joined to this one could need it.
    #[inline(always)]
    #[must_use]
    pub const fn is_near(self, place: Self) -> bool {
        let steps = self.steps_to(place);
        let beyond = (steps & !HIGH) + (0x80 - ACROSS) * EACH;
        (beyond | steps) & HIGH == 0
    }

    /// The ways from this and from another place near it that need the place of the other.
    #[inline(always)]
    #[must_use]
    pub fn blocking(self, other: Self) -> [Ways; 2] {
        let there = number_of(self.steps_to(other));
        // As seen from there, all is the other way round.
        let here = number_of(REACH as u32 * 2 * EACH).wrapping_sub(there);
        let over = |from: Self, to: Self, number: usize| from.around().over[to.axis() % AXES][number % PLACES];
        [over(self, other, there), over(other, self, here)]
    }

    /// How far it is to another place along all axes, a byte each, with [`REACH`] added; below 0 where the highest bit is 1.
    #[inline(always)]
    const fn steps_to(self, place: Self) -> u32 {
        let [from, to] = [u32::from_le_bytes(self.raised(64)), u32::from_le_bytes(place.raised(64))];
        // All three at once: nothing is carried from one byte to the next, on a table that can be.
        (to | HIGH).wrapping_sub(from).wrapping_add(REACH as u32 * EACH) ^ HIGH
    }
}

const HIGH: u32 = 0x0080_8080;
const EACH: u32 = 0x0001_0101;

/// The number of a near place among all of them, by the steps to it: the third byte of the product.
#[inline(always)]
const fn number_of(steps: u32) -> usize {
    (steps.wrapping_mul(1 << 16 | ACROSS << 8 | (ACROSS * ACROSS)) >> 16 & 0xff) as usize
}
