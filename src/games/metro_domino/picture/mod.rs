//! Metro Domino as a metro map: stations, lettered lines with their tiles, and below it the piles and the hands.

mod below;
mod map;
mod pieces;
mod routes;

use super::rules::{Action, MetroDomino, Stage, State, View};
use super::tiles::{Play, Tiles};
use crate::drawing::{Drawing, Picture, Role, Sheet};
use crate::game::{Looks, Viewer, Wording};

use map::Map;

/// What is left free along the border.
const EDGE: f64 = 20.0;
/// The least and the most width of a picture.
const WIDTHS: [f64; 2] = [800.0, 1100.0];
/// From the lowest row of the map to the caption below it.
const TO_CAPTION: f64 = 60.0;
/// What can be played.
const MARK: &str = "#e69f00";

/// What is drawn: a match as somebody sees it.
struct Scene<'a> {
    rules: &'a MetroDomino,
    view: View<'a>,
    /// Who looks, and can click; nobody in particular sees everything.
    viewer: Viewer,
    looks: Looks<'a>,
    /// What the viewer knows to be legal; nothing if that is not to be marked.
    legal: Vec<Action>,
    /// The tile of the last decision, if one was played.
    last: Option<Play>,
}

/// The table as `viewer` sees it, after `last` was played.
pub(super) fn draw(
    rules: &MetroDomino,
    state: &State,
    viewer: Viewer,
    last: Option<Action>,
    looks: Looks<'_>,
) -> Picture {
    let last = match last {
        Some(Action::Play(play)) => Some(play),
        _ => None,
    };
    let legal = if looks.hides_moves() { Vec::new() } else { rules.legal_shown(state, viewer) };
    Scene { rules, view: state.view(viewer), viewer, looks, legal, last }.draw()
}

impl Scene<'_> {
    fn draw(&self) -> Picture {
        let map = Map::new(self);
        let [least, most] = WIDTHS;
        let (width, scale) = (map.right.clamp(least, most), (most / map.right).min(1.0));
        let top = map.bottom() * scale + TO_CAPTION;
        let mut table = map.draw();
        if scale < 1.0 {
            let mut smaller = Drawing::new();
            smaller.scaled(scale, table);
            table = smaller;
        }
        let mut sheet = Sheet::new();
        sheet.add(Role::Table, map.area().map(|side| side * scale), table);
        let mut below = Sheet::new();
        let height = top + self.below(width, &mut below) + EDGE;
        sheet.moved(0.0, top, below);
        sheet.into_picture(width, height, &self.caption())
    }

    /// What the picture shows, for its title too.
    fn caption(&self) -> String {
        let turn = |verb| Wording::player(self.view.turn(), verb);
        let doing = match self.view.stage() {
            Stage::Turn => turn("adds").text(" a tile"),
            Stage::Drawn => turn("has").text(" drawn a tile"),
            Stage::Extra => turn("").text(" may add one more tile after a double"),
            Stage::More => turn("").text(" may spend a metro token"),
            Stage::Spent => turn("adds").text(" a tile for a token"),
            Stage::Over => {
                let winners = self.rules.winners(self.view.wins());
                self.looks.ending(self.rules.players(), winners).into()
            }
        };
        format!("Metro Domino: {}", self.looks.say(&doing))
    }

    /// The plays that the viewer knows to be legal.
    fn legal_plays(&self) -> impl Iterator<Item = Play> {
        self.legal.iter().filter_map(|action| match action {
            Action::Play(play) => Some(*play),
            _ => None,
        })
    }

    /// The tiles that can be played somewhere.
    fn playable(&self) -> Tiles {
        let mut tiles = Tiles::default();
        self.legal_plays().for_each(|play| tiles.insert(play.tile));
        tiles
    }
}

#[cfg(test)]
mod tests {
    use super::draw as draw_looking;
    use crate::drawing::Picture;
    use crate::game::{Describe as _, Looks, Rules as _, Seat, Show as _, Viewer};
    use crate::games::metro_domino::MetroDomino;
    use crate::games::metro_domino::rules::{Action, State};
    use crate::rng::{Origin, Purpose, Rng};

    fn rules(options: &str) -> MetroDomino {
        MetroDomino::new(serde_json::from_str(options).unwrap()).unwrap()
    }

    fn draw(rules: &MetroDomino, state: &State, viewer: Viewer, last: Option<Action>) -> Picture {
        draw_looking(rules, state, viewer, last, Looks::default())
    }

    #[test]
    fn a_seat_finds_the_places_of_its_actions_and_nothing_that_is_hidden() {
        let rules = rules(r#"{"players": 3}"#);
        let mut rng = Rng::new(Origin { seed: 3, lane: 0 }, 0, Purpose::Game);
        let (mut state, mut last, mut legal) = (rules.start(&mut rng), None, Vec::new());
        while let Some(turn) = rules.to_act(&state) {
            legal.clear();
            rules.legal_actions(&state, &mut legal);
            let places = draw(&rules, &state, Some(turn).into(), last).places();
            let mut named = legal.iter().flat_map(|&action| rules.say(action).places).flatten();
            assert!(named.all(|place| places.contains(&place)), "{}", rules.position(&state));
            for viewer in (0..3).map(Seat::new) {
                let mut guess = state.clone();
                rules.resample_hidden(&mut guess, viewer, &mut rng.clone());
                let [seen, guessed] = [&state, &guess].map(|state| draw(&rules, state, Some(viewer).into(), last));
                assert_eq!(seen, guessed);
                assert!(viewer == turn || !seen.svg().contains("data-legal"));
            }
            let action = legal[rng.below(legal.len() as u64) as usize];
            rules.apply(&mut state, action, &mut rng);
            last = Some(action);
        }
        assert!(
            draw(&rules, &state, Viewer::Everything, last).svg().contains("<title>Metro Domino: over, won by seat ")
        );
    }

    #[test]
    fn names_from_outside_do_not_become_markup() {
        let lines = r#"[{"length": 1, "min": 9}, {"length": 2, "min": 9}]"#;
        let options = format!(
            r#"{{"stations": {{"custom": {{"name": "own", "stations": [
                {{"id": "<a \"b\">", "name": "<b> & \"c\"", "lines": {lines}}}]}}}}}}"#
        );
        let rules = rules(&options);
        let position = r#"{"lines": {"b and c A": ["9-9"]}, "hands": [["0-1"], ["0-2"]]}"#;
        let state = rules.parse_position(position).unwrap();
        let picture = draw(&rules, &state, Some(Seat::new(0)).into(), rules.parse("9-9 b and c A"));
        assert!(picture.svg().contains(r#"data-last="&lt;a &quot;b&quot;&gt;""#), "{}", picture.svg());
        assert!(
            picture.svg().contains(r#"data-out-of-service="&lt;b&gt; &amp; &quot;c&quot; B""#),
            "{}",
            picture.svg()
        );
        assert_eq!(picture.places()[0].to_string(), "line <b> & \"c\" A");
    }

    #[test]
    fn what_does_not_hang_together_with_the_start_station_is_left_out() {
        let position = r#"{"lines": {"Grand Central A": ["1-2", "2-3", "3-4"]}, "hands": [["0-1"], ["0-2"]],
            "opened": [{"station": "Grand Central", "by": 1, "line": "Grand Central A"}]}"#;
        let rules = rules("{}");
        let state = rules.parse_position(position).unwrap();
        let picture = draw(&rules, &state, Some(Seat::new(0)).into(), None);
        let lines = picture.places().into_iter().filter(|place| place.kind == "line");
        assert_eq!(lines.count(), 4);
    }
}
