//! Domiphun drawn: the path of dominoes, or the construction in space and how it stands; the hands.

mod construction;
mod hands;
mod path;
mod scene;
mod standing;

use std::f64::consts::PI;

use super::lattice::Construction;
use super::rules::{Action, Domiphun, Phase, State, View};
use super::words::{end_name, facing_name};
use crate::drawing::{
    Drawing, Element, INK, NARROW, Picture, Place, Point, Role, Sheet, circle, line, measure, shortened, text,
    text_from, wrapped,
};
use crate::game::{HIDE_MOVES, Look, LookKind, Looks, Rules as _, Viewer, Wording};

/// What changes how a construction is drawn; a table without one looks the same with any.
pub(super) const LOOKS: &[Look] = &[
    HIDE_MOVES,
    Look { name: "turn", meaning: "quarter turns around the vertical", kind: LookKind::Turn(4) },
    Look { name: "balance", meaning: "centre of mass, support and its edge", kind: LookKind::Switch },
];
/// Where they are in [`LOOKS`].
const TURN: usize = 1;
const BALANCE: usize = 2;

/// Around everything.
const EDGE: f64 = 20.0;
/// The least width of a picture.
const WIDTH: f64 = 760.0;
/// The size of the facts below the table.
const FACTS: f64 = 13.0;

/// Lines on the table.
const GRID: &str = "#ddd6c8";
/// What can be played.
const MARK: &str = "#e69f00";
const WHITE: &str = "#ffffff";
/// The colours of the ends, in turn.
const ENDS: [&str; 5] = ["#0072b2", "#d55e00", "#009e73", "#7f6aa8", "#8c6d46"];

const LEGEND: [&str; 2] = ["orange with a plus: can be played", "heavy frame: played last"];
const LEGEND_IN_SPACE: [&str; 4] =
    ["dashed, with a letter: end", "bar: joiner", "cross: X joiner", "star: closed by a Starjoiner"];
const LEGEND_OF_BALANCE: [&str; 2] = ["blue: support", "red: centre of mass, the point below it and the nearest edge"];

/// The table as a viewer sees it, the construction turned and with how it stands, if the looks say so.
pub(super) fn picture(
    rules: &Domiphun,
    state: &State,
    viewer: Viewer,
    last: Option<Action>,
    looks: Looks<'_>,
) -> Picture {
    let legal = if looks.hides_moves() { Vec::new() } else { rules.legal_for(state, viewer) };
    let painter = Painter { rules, view: state.view(viewer), looks, legal, last };
    painter.picture(looks.get(TURN), looks.get(BALANCE) != 0)
}

/// What there is to draw.
struct Painter<'a> {
    rules: &'a Domiphun,
    view: View<'a>,
    looks: Looks<'a>,
    /// What may be done, if the viewer may know that and it is to be marked.
    legal: Vec<Action>,
    /// What was played last.
    last: Option<Action>,
}

/// The upper part of a picture: what it fills, how wide the picture is with it, and where it ends.
struct Panel {
    parts: Drawing,
    area: [f64; 4],
    width: f64,
    bottom: f64,
}

impl Painter<'_> {
    fn picture(&self, turn: u8, has_balance: bool) -> Picture {
        let built = self.view.table().construction().filter(|built| !built.is_empty());
        let Panel { parts, area, width, bottom } = match built {
            Some(built) => construction::panel(self, built, turn, has_balance),
            None => path::panel(self),
        };
        let mut sheet = Sheet::new();
        sheet.add(Role::Table, area, parts);
        let (title, right) = (self.title(), width - EDGE);
        let mut y = bottom + 20.0;
        let line = |sheet: &mut Sheet, role, y, words: &str, size, is_bold| {
            let words = shortened(words, size, right - EDGE, is_bold);
            let element = text_from(EDGE, y, &words, size, INK);
            let element = if is_bold { element.bold() } else { element };
            let area = [EDGE, y - size, measure(&words, size, is_bold), size + 5.0];
            sheet.add(role, area, [element].into_iter().collect());
        };
        line(&mut sheet, Role::Title, y, &title, 15.0, true);
        let standing = built.filter(|_| has_balance).map(|built| standing::in_words(built.balance()));
        for fact in self.facts(built).into_iter().chain(self.course()).chain(standing) {
            for words in wrapped(fact.split_whitespace(), FACTS, NARROW, false) {
                y += 20.0;
                line(&mut sheet, Role::Facts, y, &words, FACTS, false);
            }
        }
        hands::pool(self, y + 14.0, &mut sheet);
        y = hands::hands(self, y + 50.0, right, &mut sheet);
        let in_space = LEGEND_IN_SPACE.iter().filter(|_| built.is_some());
        let of_balance = LEGEND_OF_BALANCE.iter().filter(|_| built.is_some() && has_balance);
        let legend = LEGEND.iter().chain(in_space).chain(of_balance).copied();
        let height = sheet.key((EDGE, y + 8.0), right, legend) + EDGE;
        sheet.into_picture(width, height, &title)
    }

    /// Whose decision it is and which, or how the match ended.
    fn title(&self) -> String {
        let turn = |verb| Wording::player(self.view.turn(), verb);
        let doing = match self.view.phase() {
            Phase::Turn => turn("").text(" to play"),
            Phase::Star { end } => turn("has").text(format!(" closed end {}: which domino follows?", end_name(end))),
            Phase::Plate { domino, .. } => {
                turn("chooses").text(format!(" the square to which {} is joined", facing_name(domino)))
            }
            Phase::Place { domino, plate, .. } => {
                turn("chooses").text(format!(" the side of square {plate} for {}", facing_name(domino)))
            }
            Phase::Over => self.ending().into(),
        };
        self.titled(&self.looks.say(&doing))
    }

    fn titled(&self, what: &str) -> String {
        format!("{} ({}): {what}", Domiphun::TITLE, self.rules.options().variant.name())
    }

    fn ending(&self) -> String {
        self.looks.ending(self.rules.players(), self.rules.winners(*self.view.wins(), *self.view.points()))
    }

    /// What the ends show, how the construction stands, and whether the turn can be missed, in lines.
    fn facts(&self, built: Option<&Construction>) -> Vec<String> {
        let ends = self.view.table().ends().iter().zip(0..);
        let mut facts: Vec<String> =
            ends.map(|(end, number)| format!("{} shows {}", end_name(number), end.value)).collect();
        if let Some(built) = built {
            facts.push(format!("height {}", built.height()));
            facts.push(built.balance().distance().in_words());
        }
        if self.is_legal(Action::Miss) {
            facts.push("possible: miss".to_owned());
        }
        if let Some((_, all_but_last)) = facts.split_last_mut() {
            for fact in all_but_last {
                fact.push(',');
            }
        }
        wrapped(facts.iter().map(String::as_str), FACTS, NARROW, false)
    }

    /// How a match of several games stands.
    fn course(&self) -> Option<String> {
        let (game, games) = (self.view.game() + 1, self.rules.games());
        let (wins, points) = (self.rules.by_seat(self.view.wins()), self.rules.by_seat(self.view.points()));
        (games > 1).then(|| format!("game {game} of {games}, games won {wins}, points {points}"))
    }

    fn is_legal(&self, action: Action) -> bool {
        self.legal.contains(&action)
    }

    /// Parts that can be clicked, if somebody in particular looks at them.
    fn placed(&self, place: &Place, parts: Drawing) -> Drawing {
        if self.view.viewer().is_none() {
            return parts;
        }
        let mut placed = Drawing::new();
        placed.place(place, parts);
        placed
    }

    /// The mark of an end at which something can be done, around its letter.
    fn end_mark(&self, end: u8, (x, y): Point) -> Drawing {
        let is_there = |action: &Action| match *action {
            Action::Play { end: at, .. } | Action::Star(at) => at == end,
            _ => false,
        };
        if !self.legal.iter().any(is_there) {
            return Drawing::new();
        }
        let ring = circle(x, y, 12.0, "none").with("stroke", MARK).with("stroke-width", 3.5).with("data-legal", "end");
        [ring].into_iter().chain(mark(x + 12.0, y - 10.0)).collect()
    }
}

/// The letter of an end.
fn end_badge(end: u8, (x, y): Point) -> [Element; 2] {
    [
        circle(x, y, 9.0, end_colour(end)).with("stroke", WHITE).with("stroke-width", 1.5),
        text(x, y + 4.0, &end_name(end).to_string(), 12.0, WHITE).bold(),
    ]
}

fn end_colour(end: u8) -> &'static str {
    ENDS[usize::from(end) % ENDS.len()]
}

/// The mark of what can be played.
fn mark(x: f64, y: f64) -> impl Iterator<Item = Element> {
    [circle(x, y, 6.0, MARK).with("data-legal", "plus")].into_iter().chain(plus(x, y))
}

fn plus(x: f64, y: f64) -> [Element; 2] {
    const ARM: f64 = 3.5;
    [line(&[(x - ARM, y), (x + ARM, y)], INK, 2.0), line(&[(x, y - ARM), (x, y + ARM)], INK, 2.0)]
}

/// A star with five points, the first upwards.
fn star(x: f64, y: f64, radius: f64) -> [Point; 10] {
    let rounded = |value: f64| (value * 1000.0).round_ties_even() / 1000.0;
    let mut points = [(0.0, 0.0); 10];
    for (n, point) in points.iter_mut().enumerate() {
        let (turn, length) = (n as f64 * PI / 5.0, if n % 2 == 0 { radius } else { 0.45 * radius });
        *point = (rounded(x + length * turn.sin()), rounded(y - length * turn.cos()));
    }
    points
}

/// A point on the way from a point to another.
fn between(one: Point, other: Point, part: f64) -> Point {
    (one.0 + (other.0 - one.0) * part, one.1 + (other.1 - one.1) * part)
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Action, Domiphun, Options, State, Variant};
    use crate::game::{Fast as _, Looks, Rules as _, Seat, Show as _, Viewer};
    use crate::rng::Rng;

    /// What is asked at every moment of some matches, with the last action.
    fn at_every_moment(options: Options, mut ask: impl FnMut(&Domiphun, &State, Option<Action>)) {
        let rules = Domiphun::new(options).unwrap();
        let mut rng = Rng::from_bits(1);
        for _ in 0..4 {
            let (mut state, mut last) = (rules.start(&mut rng), None);
            while rules.to_act(&state).is_some() {
                ask(&rules, &state, last);
                let action = rules.random_action(&state, rng.bits(), &mut Vec::new());
                rules.apply(&mut state, action, &mut rng);
                last = Some(action);
            }
            ask(&rules, &state, last);
        }
    }

    #[test]
    fn all_that_can_be_done_can_be_clicked_by_who_may_do_it() {
        for (variant, fork) in [(Variant::Traditional, false), (Variant::Standard, false), (Variant::Advanced, true)] {
            at_every_moment(Options { variant, fork, ..Options::default() }, |rules, state, last| {
                let Some(seat) = rules.to_act(state) else { return };
                let shown = rules.picture(state, Some(seat).into(), last, Looks::default()).places();
                for action in rules.legal_for(state, Some(seat).into()) {
                    let ways = rules.say(action).places;
                    let is_shown = ways.iter().any(|way| way.iter().all(|place| shown.contains(place)));
                    assert!(is_shown || ways.is_empty(), "{action:?}: {ways:?} of {shown:?}");
                }
                assert!(rules.picture(state, Viewer::Everything, last, Looks::default()).places().is_empty());
            });
        }
    }

    #[test]
    fn looks_change_constructions_alone() {
        let mut has_changed = false;
        for variant in [Variant::Traditional, Variant::Standard, Variant::Advanced] {
            at_every_moment(Options { variant, ..Options::default() }, |rules, state, last| {
                let picture = |looks: &[u8]| rules.picture(state, Seat::new(0).into(), last, Looks::of(looks));
                let is_built =
                    state.view(Viewer::Everything).table().construction().is_some_and(|built| !built.is_empty());
                for looks in [[0, 1, 0], [0, 0, 1], [0, 3, 1]] {
                    assert_eq!(picture(&looks) != picture(&[]), is_built, "{variant:?} {looks:?}");
                }
                has_changed |= is_built;
            });
        }
        assert!(has_changed);
    }
}
