//! Connections, drawn: the cities with tokens, links and partnerships, on a map or in lists; the piles and the hands.

mod area;
mod below;
mod caption;
mod cards;
mod ground;
mod labels;
mod signs;
mod tokens;

use super::deck::{Cards, Regions};
use super::rules::{Action, Connections, State, View};
use crate::drawing::{Drawing, PAPER, Picture, Place, Point, rect};
use crate::game::{MAX_SEATS, Seat, Viewer};
use ground::Ground;
use signs::Sign;

const WIDTH: f64 = 1000.0;
const EDGE: f64 = 20.0;
/// The ground of a map.
const SEA: &str = "#fbf9f4";
/// What can be played or is chosen.
const MARK: &str = "#e69f00";
/// The lines of the seats: how long the dashes and the gaps are.
const DASHES: [&str; MAX_SEATS] = ["none", "9 3", "2 3", "9 3 2 3", "5 3", "14 3 2 3 2 3"];

/// The match as a viewer sees it, drawn; `last` is what was played last.
pub(super) fn draw(rules: &Connections, state: &State, viewer: Viewer, last: Option<Action>) -> Picture {
    let ground = Ground::new(&rules.deck);
    let scene = Scene::new(rules, state, viewer, &ground.points);
    let mut table = ground.below;
    scene.draw_sets(&mut table);
    scene.draw_bonds(ground.edges, ground.around, &mut table);
    table.add(ground.words);
    let mut y = ground.edges.bottom;
    let mut reach = ground::COLUMN - 12.0;
    if ground.around.is_some() {
        scene.draw_names(ground.edges, &mut table);
        y = scene.draw_legend(y, &mut table);
        reach = tokens::REACH;
    }
    scene.draw_tokens(last.and_then(Action::face).map(|face| rules.deck.face(face).city), reach, &mut table);
    y = scene.draw_caption(y, &mut table);
    y = scene.draw_piles(y + 8.0, &mut table);
    y = scene.draw_seats(y, &mut table);
    let height = below::draw_key(y, &mut table);
    let mut picture = Drawing::from_iter([rect(0.0, 0.0, WIDTH, height, PAPER)]);
    picture.add(table);
    picture.into_picture(WIDTH, height, &scene.title())
}

/// What a picture is drawn from.
struct Scene<'a> {
    rules: &'a Connections,
    view: View<'a>,
    /// The cities of the deck.
    cities: Vec<Spot<'a>>,
    /// What tells the regions of the deck apart.
    signs: Vec<Sign<'a>>,
    /// The cards that can be played or are chosen.
    marked: Cards,
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
}

impl Spot<'_> {
    fn is_link(&self) -> bool {
        self.regions.count_ones() > 1
    }
}

impl<'a> Scene<'a> {
    fn new(rules: &'a Connections, state: &'a State, viewer: Viewer, points: &[Point]) -> Self {
        let (deck, view) = (&*rules.deck, state.view(viewer));
        let phase = view.phase();
        let playable = rules.legal_for(state, viewer).into_iter().filter_map(Action::face);
        let faces = playable.chain(phase.chosen()).map(|face| deck.face(face));
        let shown = [phase.card(), phase.reply(), phase.taken()].into_iter().flatten();
        let mut marked = shown.fold(0, |cards, card| cards | 1 << card);
        let mut marked_cities = 0_u128;
        for face in faces {
            marked |= 1 << face.card;
            marked_cities |= 1 << face.city;
        }
        let spot = |(number, (&at, token)): (u8, (&Point, Option<Seat>))| Spot {
            name: deck.city_name(number),
            at,
            regions: deck.regions_of_city(number).fold(0, |regions, region| regions | 1 << region),
            token,
            is_marked: marked_cities >> number & 1 == 1,
        };
        let cities = (0..).zip(points.iter().zip(view.table().tokens(deck))).map(spot).collect();
        Self { rules, view, cities, signs: signs::of(deck.regions()), marked }
    }

    /// Adds what can be clicked if somebody in particular looks at it.
    fn place(&self, place: &Place, parts: Drawing, out: &mut Drawing) {
        if self.view.viewer().is_some() { out.place(place, parts) } else { out.add(parts) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Action, Connections, Options};
    use super::draw;
    use crate::game::{Rules as _, Show as _, Viewer};
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
            let places = draw(&rules, &state, Some(seat).into(), last).places();
            for &action in &legal {
                let ways = rules.say(action).places;
                let is_there = ways.iter().any(|way| way.iter().all(|place| places.contains(place)));
                assert!(is_there || ways.is_empty(), "{}: {ways:?} in {places:?}", rules.notation(action));
            }
            let action = legal[decision * 7 % legal.len()];
            rules.apply(&mut state, action, &mut rng);
            last = Some(action);
        }
        assert!(draw(&rules, &state, Viewer::Everything, last).places().is_empty());
    }
}
