//! Connections, drawn: the cities with tokens, links and partnerships, on a map or in lists; the piles and the hands.

mod below;
mod caption;
mod cards;
mod ground;
mod labels;
mod signs;
mod tokens;

use super::deck::{Cards, Regions};
use super::rules::{Action, Connections, State, View};
use crate::drawing::{Drawing, Picture, Place, Point, Role, Sheet, common_size, measure};
use crate::game::{Looks, MAX_SEATS, Seat, Viewer};
use ground::Ground;
use signs::Sign;

const WIDTH: f64 = 1000.0;
const EDGE: f64 = 20.0;
/// What can be played or is chosen.
const MARK: &str = "#e69f00";
/// The lines of the seats: how long the dashes and the gaps are.
const DASHES: [&str; MAX_SEATS] = ["none", "9 3", "2 3", "9 3 2 3", "5 3", "14 3 2 3 2 3"];

/// The match as a viewer sees it, drawn; `last` is what was played last.
pub(super) fn draw(
    rules: &Connections,
    state: &State,
    viewer: Viewer,
    last: Option<Action>,
    looks: Looks<'_>,
) -> Picture {
    let ground = Ground::new(&rules.deck);
    let scene = Scene::new(rules, state, viewer, looks, &ground.points);
    let (edges, is_map) = (ground.edges, ground.around.is_some());
    let mut table = ground.below;
    let mut lines = Vec::new();
    scene.draw_sets(&mut lines, &mut table);
    scene.draw_bonds(edges, ground.around, &mut lines, &mut table);
    table.add(ground.words);
    if is_map {
        scene.draw_names(edges, &lines, &mut table);
    }
    let reach = if is_map { tokens::REACH } else { ground::COLUMN - 12.0 };
    scene.draw_tokens(last.and_then(Action::face), reach, &mut table);
    let mut sheet = Sheet::new();
    let [left, top, right, bottom] = edges.edges();
    sheet.add(Role::Table, [left - 1.0, top - 1.0, right - left + 2.0, bottom - top + 2.0], table);
    let mut y = bottom;
    if is_map {
        y = scene.draw_legend(y + 6.0, &mut sheet);
    }
    y = scene.draw_caption(y, &mut sheet);
    y = scene.draw_piles(y + 8.0, &mut sheet);
    y = scene.draw_seats(y + 4.0, &mut sheet);
    let height = sheet.key((EDGE, y), WIDTH - EDGE, below::KEY) + 10.0;
    sheet.into_picture(WIDTH, height, &scene.title())
}

/// What a picture is drawn from.
struct Scene<'a> {
    rules: &'a Connections,
    view: View<'a>,
    viewer: Viewer,
    looks: Looks<'a>,
    /// The cities of the deck.
    cities: Vec<Spot<'a>>,
    /// What tells the regions of the deck apart.
    signs: Vec<Sign<'a>>,
    /// The cards that can be played or are chosen, and those that can be played.
    marked: Cards,
    playable: Cards,
    /// The size of the names on all cards.
    lettering: f64,
}

/// A city in a picture.
struct Spot<'a> {
    name: &'a str,
    at: Point,
    regions: Regions,
    /// Whose token it has.
    token: Option<Seat>,
    /// Whether it can be played or is chosen.
    is_marked: bool,
    is_playable: bool,
}

impl Spot<'_> {
    fn is_link(&self) -> bool {
        self.regions.count_ones() > 1
    }
}

impl<'a> Scene<'a> {
    fn new(rules: &'a Connections, state: &'a State, viewer: Viewer, looks: Looks<'a>, points: &[Point]) -> Self {
        let (deck, view) = (&*rules.deck, state.view(viewer));
        let phase = view.phase();
        let legal = if looks.hides_moves() { Vec::new() } else { rules.legal_for(state, viewer) };
        let marks = |faces: &mut dyn Iterator<Item = u8>| {
            faces
                .map(|face| deck.face(face))
                .fold((0, 0), |(cards, cities): (Cards, u128), face| (cards | 1 << face.card, cities | 1 << face.city))
        };
        let (playable, playable_cities) = marks(&mut legal.into_iter().filter_map(Action::face));
        let (chosen, chosen_cities) = marks(&mut phase.chosen());
        let shown = [phase.card(), phase.reply(), phase.taken()].into_iter().flatten();
        let marked = shown.fold(playable | chosen, |cards, card| cards | 1 << card);
        let spot = |(number, (&at, token)): (u8, (&Point, Option<Seat>))| Spot {
            name: deck.city_name(number),
            at,
            regions: deck.regions_of_city(number).fold(0, |regions, region| regions | 1 << region),
            token,
            is_marked: (playable_cities | chosen_cities) >> number & 1 == 1,
            is_playable: playable_cities >> number & 1 == 1,
        };
        let cities: Vec<Spot<'_>> = (0..).zip(points.iter().zip(view.table().tokens(deck))).map(spot).collect();
        let widest = cities.iter().map(|city| measure(city.name, 1.0, false)).fold(0.0, f64::max);
        let lettering = common_size(widest, 12.0, 11.0, cards::ROOM);
        Self { rules, view, viewer, looks, cities, signs: signs::of(deck.regions()), marked, playable, lettering }
    }

    /// Adds what can be clicked if somebody in particular looks at it.
    fn place(&self, place: &Place, parts: Drawing, out: &mut Drawing) {
        if self.view.viewer().is_some() { out.place(place, parts) } else { out.add(parts) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Action, Connections, Options};
    use crate::game::{Looks, Rules as _, Show as _, Viewer};
    use crate::rng::{Origin, Purpose, Rng};

    #[test]
    fn what_the_viewer_can_do_can_be_clicked() {
        let rules = Connections::new(Options { max_turns: 8, ..Options::default() }).unwrap();
        let mut rng = Rng::new(Origin { seed: 3, lane: 0 }, 0, Purpose::Game);
        let mut state = rules.start(&mut rng);
        let mut last = None;
        let mut legal: Vec<Action> = Vec::new();
        for decision in 0..400 {
            legal.clear();
            rules.legal_actions(&state, &mut legal);
            let Some(seat) = rules.to_act(&state) else { break };
            let places = rules.picture(&state, Some(seat).into(), last, Looks::default()).places();
            for &action in &legal {
                let ways = rules.say(action).places;
                let is_there = ways.iter().any(|way| way.iter().all(|place| places.contains(place)));
                assert!(is_there || ways.is_empty(), "{}: {ways:?} in {places:?}", rules.notation(action));
            }
            let action = legal[decision * 7 % legal.len()];
            rules.apply(&mut state, action, &mut rng);
            last = Some(action);
        }
        assert!(rules.picture(&state, Viewer::Everything, last, Looks::default()).places().is_empty());
    }
}
