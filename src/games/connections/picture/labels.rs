//! The names on a map, where they hide nothing.

use super::{Scene, Spot};
use crate::bits;
use crate::drawing::maps::LAND;
use crate::drawing::{Anchor, Area, Drawing, INK, Labels, Point, SOFT, distance, line, shortened};

/// The sizes of names, and of those that matter less.
const SIZE: f64 = 11.0;
const SMALL: f64 = 9.0;
/// The most that the name of a city takes, and that of a region.
const LONGEST: f64 = 150.0;
const LONGEST_REGION: f64 = 170.0;
/// A region whose name would be farther from its middle is called by its code.
const NEAR_REGION: f64 = 75.0;
/// What reaches farther than any name: it may be right where it belongs.
const ANYWHERE: f64 = 1000.0;

impl Scene<'_> {
    /// The names of cities with tokens or a mark, of regions, and of further cities on the viewer's cards.
    pub fn draw_names(&self, edges: Area, lines: &[[Point; 2]], out: &mut Drawing) {
        let mut labels = Labels::new(edges);
        for city in &self.cities {
            let size = if city.token.is_some() { 24.0 } else { 12.0 };
            labels.keep_free(Area::around(city.at, size, size));
        }
        for &line in lines {
            labels.keep_line(line);
        }
        let (with_token, without): (Vec<_>, Vec<_>) = self.cities.iter().partition(|city| city.token.is_some());
        for city in with_token.into_iter().chain(without.into_iter().filter(|city| city.is_marked)) {
            let name = shortened(city.name, SIZE, LONGEST, false);
            let beside = if city.token.is_some() { 15.0 } else { 12.0 };
            if let Some(label) =
                labels.write(&name, SIZE, false, Anchor { at: city.at, reach: 0.0, beside, has_leader: true })
            {
                out.extend(label.draw(&name, SIZE, INK, LAND));
            }
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
        let anchor = Anchor { at: middle, reach: ANYWHERE, beside: 0.0, has_leader: true };
        let sign = &self.signs[region];
        let names = [shortened(sign.name, SIZE, LONGEST_REGION, false), sign.code.clone()];
        for (name, far) in names.iter().zip([NEAR_REGION, f64::INFINITY]) {
            let mut tried = labels.clone();
            let Some(label) = tried.write(name, SIZE, false, anchor) else { continue };
            if distance(middle, label.area.centre()) > far {
                continue;
            }
            *labels = tried;
            let away = |at: Point| distance(at, label.area.centre());
            let nearest = own.iter().copied().min_by(|&one, &other| away(one).total_cmp(&away(other)));
            let is_far = |&nearest: &Point| self.cities.iter().any(|city| away(city.at) < away(nearest));
            if let Some(nearest) = nearest.filter(is_far) {
                out.push(line(&[label.area.nearest(nearest), nearest], SOFT, 0.8));
            }
            let words = crate::drawing::Label { leader: None, ..label }.draw(name, SIZE, SOFT, LAND);
            out.extend(words.into_iter().map(|part| part.with("font-style", "italic")));
            return;
        }
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
            let anchor = Anchor { at: city.at, reach: 0.0, beside: 7.0, has_leader: false };
            if let Some(label) = labels.write(city.name, SMALL, false, anchor) {
                out.extend(label.draw(city.name, SMALL, INK, LAND));
            }
        }
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}
