//! What a table is worth (CONN-18 to CONN-20).

use serde::{Deserialize, Serialize};

use super::deck::{Cards, Deck, MAX_LINKS, MAX_REGIONS, Regions};
use super::rules::{Bond, MAX_PLAYERS};
use crate::bits;
use crate::game::Seat;
use crate::list::List;

/// The cost of a pair in the hand (CONN-20).
pub(super) const PAIR: i32 = -20;
/// Points by number of cards (CONN-18).
const VALUES: [i32; 12] = [0, 0, -20, 4, 8, 15, 30, 60, 125, 250, 500, 1000];

/// Points for so many cards (CONN-18).
#[must_use]
pub fn value(cards: u8) -> i32 {
    VALUES[usize::from(cards).min(VALUES.len() - 1)]
}

/// Cities on the table, by seat and region.
pub type Counts = [[u8; MAX_REGIONS]; MAX_PLAYERS];

/// What somebody scores for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The link around which it lies.
    pub link: Option<u8>,
    /// The partner with whom it is shared.
    pub with: Option<Seat>,
    /// Regions of its cities.
    pub regions: Regions,
    /// How many cards.
    pub cards: u8,
    /// Points for so many.
    pub value: i32,
    /// The seat's share of them.
    pub points: i32,
}

/// What the tables of all players are worth.
pub struct Scorer<'a> {
    /// The deck.
    pub deck: &'a Deck,
    /// Cities on the table.
    pub counts: &'a Counts,
    /// The links on the table.
    pub bonds: &'a [Bond],
}

impl Scorer<'_> {
    /// The partnerships of a seat, then its groups without partner (CONN-19).
    #[must_use]
    pub fn parts(&self, seat: Seat) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut covered: Regions = 0;
        for &bond in self.bonds {
            let Some(partner) = bond.partner.filter(|&partner| seat == bond.owner || seat == partner) else { continue };
            let regions = self.regions_of(bond);
            covered |= regions;
            let cards = 1 + self.cities(bond.owner, regions) + self.cities(partner, regions);
            let value = value(cards);
            let half = value.div_euclid(2);
            let (points, with) = if seat == bond.owner { (value - half, partner) } else { (half, bond.owner) };
            parts.push(Part { link: Some(bond.link), with: Some(with), regions, cards, value, points });
        }
        parts.extend(self.groups(seat, covered));
        parts
    }

    /// What a seat's table is worth: the points of all [`Scorer::parts`].
    #[must_use]
    pub fn points(&self, seat: Seat) -> i32 {
        let (mut points, mut covered, mut links) = (0, 0, List::<Regions, MAX_LINKS>::new());
        for &bond in self.bonds {
            let regions = self.regions_of(bond);
            match bond.partner {
                Some(partner) if seat == bond.owner || seat == partner => {
                    let value = value(1 + self.cities(bond.owner, regions) + self.cities(partner, regions));
                    let half = value.div_euclid(2);
                    points += if seat == bond.owner { value - half } else { half };
                    covered |= regions;
                }
                None if seat == bond.owner => links.push(regions),
                _ => {}
            }
        }
        points + self.points_of_groups(seat, covered, &links)
    }

    fn regions_of(&self, bond: Bond) -> Regions {
        self.deck.links()[usize::from(bond.link)].regions
    }

    /// How many cities of some regions a seat has.
    #[must_use]
    pub fn cities(&self, seat: Seat, regions: Regions) -> u8 {
        bits::each(regions.into()).map(|region| self.counts[seat.index()][usize::from(region)]).sum()
    }

    /// What a seat has beside its partnerships is worth so much, in the best grouping around these links.
    fn points_of_groups(&self, seat: Seat, covered: Regions, links: &[Regions]) -> i32 {
        let linked = links.iter().fold(0, |all, regions| all | regions);
        let mut points = 0;
        let mut open = List::<(u8, Regions), MAX_REGIONS>::new();
        for (&cities, region) in self.counts[seat.index()].iter().zip(0..MAX_REGIONS) {
            if cities == 0 || covered >> region & 1 == 1 {
                continue;
            }
            if linked >> region & 1 == 1 {
                open.push((cities, 1 << region));
            } else {
                points += value(cities);
            }
        }
        points + best_grouping(&open, links, &mut [0; MAX_LINKS])
    }

    /// The grouping of what is in no partnership that scores most: every region alone or around one of the links.
    fn groups(&self, seat: Seat, covered: Regions) -> Vec<Part> {
        let counts = &self.counts[seat.index()];
        let regions: Vec<u8> = (0..MAX_REGIONS as u8)
            .filter(|&region| counts[usize::from(region)] > 0 && covered >> region & 1 == 0)
            .collect();
        let links: Vec<(u8, Regions)> = self
            .bonds
            .iter()
            .filter(|bond| bond.owner == seat && bond.partner.is_none())
            .map(|&bond| (bond.link, self.regions_of(bond)))
            .collect();
        let mut search = Search { counts, regions: &regions, links: &links, at: Vec::new(), best: None };
        search.go_on();
        let at = search.best.map_or_else(Vec::new, |(_, at)| at);
        let mut parts: Vec<Part> = Vec::new();
        for (&region, link) in regions.iter().zip(at) {
            let link = link.map(|link| links[link].0);
            let cities = counts[usize::from(region)];
            if let Some(part) = parts.iter_mut().find(|part| link.is_some() && part.link == link) {
                part.regions |= 1 << region;
                part.cards += cities;
            } else {
                let cards = cities + u8::from(link.is_some());
                parts.push(Part { link, with: None, regions: 1 << region, cards, value: 0, points: 0 });
            }
        }
        for part in &mut parts {
            part.value = value(part.cards);
            part.points = part.value;
        }
        parts
    }
}

/// The most points of regions, with so many cities each, that are alone or around one of the links, each with the cities
/// that it has already.
fn best_grouping(regions: &[(u8, Regions)], links: &[Regions], around: &mut [u8; MAX_LINKS]) -> i32 {
    let Some((&(cities, region), rest)) = regions.split_first() else {
        return around[..links.len()].iter().map(|&cities| if cities == 0 { 0 } else { value(1 + cities) }).sum();
    };
    let mut best = value(cities) + best_grouping(rest, links, around);
    for (link, joined) in links.iter().enumerate() {
        if joined & region != 0 {
            around[link] += cities;
            best = best.max(best_grouping(rest, links, around));
            around[link] -= cities;
        }
    }
    best
}

/// Tries every way to put regions around links.
struct Search<'a> {
    counts: &'a [u8; MAX_REGIONS],
    regions: &'a [u8],
    links: &'a [(u8, Regions)],
    /// Where the first regions are: alone, or around the link with this number.
    at: Vec<Option<usize>>,
    best: Option<(i32, Vec<Option<usize>>)>,
}

impl Search<'_> {
    fn go_on(&mut self) {
        let Some(&region) = self.regions.get(self.at.len()) else {
            let points = self.points();
            if self.best.as_ref().is_none_or(|(best, _)| points > *best) {
                self.best = Some((points, self.at.clone()));
            }
            return;
        };
        let around = (0..self.links.len()).filter(|&link| self.links[link].1 >> region & 1 == 1);
        for place in std::iter::once(None).chain(around.map(Some)) {
            self.at.push(place);
            self.go_on();
            self.at.pop();
        }
    }

    fn points(&self) -> i32 {
        let placed = || self.regions.iter().map(|&region| self.counts[usize::from(region)]).zip(&self.at);
        let alone: i32 = placed().filter(|(_, at)| at.is_none()).map(|(cities, _)| value(cities)).sum();
        let around = |link: usize| {
            let cities: u8 = placed().filter(|(_, at)| **at == Some(link)).map(|(cities, _)| cities).sum();
            if cities == 0 { 0 } else { value(1 + cities) }
        };
        alone + (0..self.links.len()).map(around).sum::<i32>()
    }
}

/// How the cards of a hand are turned when its pairs are counted (CONN-20).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pairs {
    /// To their fronts.
    #[default]
    Front,
    /// To the sides that make the fewest pairs.
    Least,
    /// To the sides that make the most pairs.
    Most,
}

/// Unplayed pairs (CONN-20).
#[must_use]
pub fn pairs(deck: &Deck, hand: Cards, turned: Pairs) -> u32 {
    match turned {
        Pairs::Front => {
            let mut counts = [0; MAX_REGIONS];
            sides(deck, hand).for_each(|[front, _]| counts[usize::from(front)] += 1);
            counts.iter().map(|cards| cards / 2).sum()
        }
        Pairs::Least => connected(deck, hand).iter().map(|&(regions, cards)| fewest(regions, cards)).sum(),
        Pairs::Most => connected(deck, hand).iter().map(|&(_, cards)| cards / 2).sum(),
    }
}

/// The regions of the two sides of every region card of a hand.
fn sides(deck: &Deck, hand: Cards) -> impl Iterator<Item = [u8; 2]> {
    bits::each(hand).filter_map(|card| deck.regions_of_card(card))
}

/// Cards as edges between the regions of their sides: of every connected part the regions and how many cards.
///
/// Turning a card changes what two neighbours have by one. So the cards of a part can be turned such that any regions,
/// as many as cards or fewer by an even number, have an odd number of them, and all others an even one.
fn connected(deck: &Deck, hand: Cards) -> List<(Regions, u32), MAX_REGIONS> {
    let mut parts: List<(Regions, u32), MAX_REGIONS> = List::new();
    for [one, other] in sides(deck, hand) {
        let mut joined = (1 << one | 1 << other, 1);
        let mut apart = List::new();
        for &(regions, cards) in &*parts {
            if regions & (1 << one | 1 << other) == 0 {
                apart.push((regions, cards));
            } else {
                joined = (joined.0 | regions, joined.1 + cards);
            }
        }
        apart.push(joined);
        parts = apart;
    }
    parts
}

/// The fewest pairs of a connected part: every region with an odd number of cards leaves one without a pair.
fn fewest(regions: Regions, cards: u32) -> u32 {
    let regions = regions.count_ones();
    let odd = if (regions + cards).is_multiple_of(2) { regions } else { regions - 1 };
    (cards - odd.min(cards)) / 2
}

/// What unplayed pairs cost (CONN-20).
#[must_use]
pub fn cost_of_pairs(deck: &Deck, hand: Cards, turned: Pairs) -> i32 {
    PAIR * pairs(deck, hand, turned) as i32
}

#[cfg(test)]
mod tests {
    use super::super::deck::{Deck, Source};
    use super::super::rules::Bond;
    use super::{Counts, Scorer};
    use crate::game::Seat;
    use crate::rng::{Origin, Purpose, Rng};

    #[test]
    fn points_are_those_of_the_parts() {
        let deck = Deck::new(&Source::WorldCities).unwrap();
        let mut rng = Rng::new(Origin { seed: 0, lane: 0 }, 0, Purpose::Game);
        for _ in 0..500 {
            let mut counts = Counts::default();
            counts[..3].iter_mut().for_each(|counts| counts[..12].fill_with(|| rng.below(12).saturating_sub(7) as u8));
            let mut bond = |link| {
                let partner = (rng.below(3) == 0).then(|| Seat::new(1));
                Bond { link, owner: Seat::new([0, 2][rng.below(2) as usize]), partner, invited: None }
            };
            let bonds: Vec<Bond> = [0, 3, 5, 6, 9, 12].map(&mut bond).to_vec();
            let scorer = Scorer { deck: &deck, counts: &counts, bonds: &bonds };
            for seat in (0..3).map(Seat::new) {
                let parts: i32 = scorer.parts(seat).iter().map(|part| part.points).sum();
                assert_eq!(scorer.points(seat), parts, "{counts:?} {bonds:?}");
            }
        }
    }
}
