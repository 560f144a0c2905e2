//! The names on a map, where they hide nothing.

use super::{SEA, Scene, Spot};
use crate::bits;
use crate::drawing::{Area, Drawing, INK, Point, SOFT, distance, line, measure, shortened, text_from};

/// The sizes of names, and of those that matter less.
const SIZE: f64 = 11.0;
const SMALL: f64 = 9.0;
/// The most that the name of a city takes, and that of a region.
const LONGEST: f64 = 150.0;
const LONGEST_REGION: f64 = 170.0;
/// A name that is farther from its city has a line to it.
const NEAR: f64 = 18.0;
/// A region whose name would be farther from its middle is called by its code.
const NEAR_REGION: f64 = 75.0;

/// Where a name can be, seen from its place: right, left, above, below, then askew.
const DIRECTIONS: [Point; 8] =
    [(1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
/// How much farther away than beside its place a name can be.
const AWAY: [f64; 8] = [0.0, 9.0, 18.0, 30.0, 44.0, 60.0, 80.0, 105.0];

/// A map that is being written on.
struct Labels {
    edges: Area,
    /// Where there are cities or names.
    taken: Vec<Area>,
}

impl Labels {
    /// Where there is room for words near a place, or where they hide least: so far `beside` it or `away` from there.
    fn room(&self, words: &str, size: f64, (x, y): Point, beside: f64, away: &[f64]) -> Area {
        let (wide, high) = (measure(words, size, false), size + 2.0);
        let (mut best, mut least) = (Area::default(), f64::INFINITY);
        for (more, (across, down)) in away.iter().flat_map(|more| DIRECTIONS.map(|direction| (more, direction))) {
            let middle = (x + across * (beside + more + wide / 2.0), y + down * (beside + more + high / 2.0));
            let middle = self.edges.inside(middle, wide / 2.0 + 2.0, high / 2.0 + 2.0);
            let area = Area::around(middle, wide, high);
            let hidden = self.hidden(area);
            if hidden < least {
                (best, least) = (area, hidden);
            }
            if hidden <= 0.0 {
                break;
            }
        }
        best
    }

    /// How much an area would hide.
    fn hidden(&self, area: Area) -> f64 {
        self.taken.iter().map(|&other| area.common(other)).sum()
    }
}

impl Scene<'_> {
    /// The names of cities with tokens or a mark, of regions, and of further cities on the viewer's cards.
    pub fn draw_names(&self, edges: Area, out: &mut Drawing) {
        let taken = |city: &Spot<'_>| {
            let size = if city.token.is_some() { 24.0 } else { 12.0 };
            Area::around(city.at, size, size)
        };
        let mut labels = Labels { edges, taken: self.cities.iter().map(taken).collect() };
        let (with_token, without): (Vec<_>, Vec<_>) = self.cities.iter().partition(|city| city.token.is_some());
        for city in with_token.into_iter().chain(without.into_iter().filter(|city| city.is_marked)) {
            name_city(city, &mut labels, out);
        }
        for region in 0..self.signs.len() {
            self.name_region(region, &mut labels, out);
        }
        self.name_held(&mut labels, out);
    }

    fn name_region(&self, region: usize, labels: &mut Labels, out: &mut Drawing) {
        let is_own = |city: &&Spot<'_>| city.regions == 1 << region;
        let own: Vec<Point> = self.cities.iter().filter(is_own).map(|city| city.at).collect();
        let middle = (mean(own.iter().map(|at| at.0)), mean(own.iter().map(|at| at.1)));
        let sign = &self.signs[region];
        let mut name = shortened(sign.name, SIZE, LONGEST_REGION, false);
        let mut area = labels.room(&name, SIZE, middle, 0.0, &AWAY);
        if distance(middle, area.centre()) > NEAR_REGION || labels.hidden(area) > 0.0 {
            name.clone_from(&sign.code);
            area = labels.room(&name, SIZE, middle, 0.0, &AWAY);
        }
        labels.taken.push(area);
        let away = |at: Point| distance(at, area.centre());
        let Some(nearest) = own.into_iter().min_by(|&one, &other| away(one).total_cmp(&away(other))) else { return };
        if self.cities.iter().any(|city| away(city.at) < away(nearest)) {
            out.push(line(&[area.nearest(nearest), nearest], SOFT, 0.8));
        }
        out.push(text_from(area.left, area.top + 10.0, &name, SIZE, SOFT).with("font-style", "italic"));
    }

    /// The names of further cities on the viewer's cards, small, where there is room beside them.
    fn name_held(&self, labels: &mut Labels, out: &mut Drawing) {
        let held = self.view.viewer().map_or(0, |viewer| self.view.hand(viewer));
        let cities_of_card = |card| self.rules.deck.cities_of_card(card);
        let held = bits::each(held).flat_map(cities_of_card).fold(0_u128, |cities, city| cities | 1 << city);
        for (_, city) in (0..).zip(&self.cities).filter(|(number, _)| held >> number & 1 == 1) {
            if city.token.is_some() || city.is_marked {
                continue;
            }
            let area = labels.room(city.name, SMALL, city.at, 7.0, &AWAY[..1]);
            if labels.hidden(area) <= 0.0 {
                labels.taken.push(area);
                out.push(text_from(area.left, area.top + 9.0, city.name, SMALL, INK));
            }
        }
    }
}

/// The name of a city with a token or a mark.
fn name_city(city: &Spot<'_>, labels: &mut Labels, out: &mut Drawing) {
    let name = shortened(city.name, SIZE, LONGEST, false);
    let area = labels.room(&name, SIZE, city.at, if city.token.is_some() { 16.0 } else { 13.0 }, &AWAY);
    labels.taken.push(area);
    let nearest = area.nearest(city.at);
    if distance(city.at, nearest) > NEAR {
        out.push(line(&[city.at, nearest], INK, 0.8));
    }
    out.push(area.filled(SEA).with("opacity", 0.7));
    out.push(text_from(area.left, area.top + 10.0, &name, SIZE, INK));
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}
