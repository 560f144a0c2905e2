//! What was learned about a game: a network that scores the legal actions of a state and says what each seat may hope
//! for.
//!
//! A state's row goes through one tower; the facts about each action ([`crate::game::Encode::describe_action`]) through
//! another, with the same weights for all actions.

mod layers;
mod tensors;

use crate::digest::Digest;
use crate::game::{Game, MAX_SEATS, Returns};
use crate::layout::Layout;
use layers::{Layer, RowLayer, dot, relu};
use tensors::Tensors;

use std::fmt::Write as _;
use std::hash::{Hash as _, Hasher as _};

/// A network that judges states of a game.
pub struct Policy {
    state: RowLayer,
    more_state: Vec<Layer>,
    value: Layer,
    action: RowLayer,
    mix: Layer,
    more_action: Vec<Layer>,
    score: Vec<f32>,
    /// Whether its values are shares of a win.
    has_values: bool,
}

/// Room that a judgement needs, kept from one to the next; and what came of the last.
#[derive(Default)]
pub struct Judgement {
    /// How each of the actions is liked; the exponentials are in the proportion of their probabilities.
    pub logits: Vec<f32>,
    /// What each seat may hope for, from -1 to 1; seats beyond the table are 0, and all are where the policy was learned
    /// for another reward than winning.
    pub values: Returns,
    row: Vec<u8>,
    facts: Vec<u8>,
    seen: Vec<f32>,
    next: Vec<f32>,
    mixed: Vec<f32>,
    about: Vec<f32>,
}

impl Policy {
    /// Reads a file for a game; fails with the reason if it is none, or was learned for rows of another form.
    pub fn read<R: Game>(bytes: &[u8], rules: &R) -> Result<Self, String> {
        let tensors = Tensors::read(bytes)?;
        let about = |name: &str| tensors.about.get(name).map_or("", String::as_str);
        if about("game") != R::NAME {
            return Err(format!("it was learned for {:?}", about("game")));
        }
        if about("rows") != rows_digest(rules) {
            return Err(format!("it was learned for rows of another form: options {}", about("options")));
        }
        let state = RowLayer::read(&tensors, "state.0", rules.observation())?;
        let more_state = more(&tensors, "state", state.outputs())?;
        let seen = more_state.last().map_or(state.outputs(), Layer::outputs);
        let value = Layer::read(&tensors, "value", seen)?;
        if value.outputs() != rules.num_seats() {
            return Err(format!("it judges {} seats", value.outputs()));
        }
        let action = RowLayer::read(&tensors, "action.0", rules.facts())?;
        let mix = Layer::read(&tensors, "mix", seen)?;
        if mix.outputs() != action.outputs() {
            return Err("mix and action.0 have different widths".to_owned());
        }
        let more_action = more(&tensors, "action", action.outputs())?;
        let width = more_action.last().map_or(action.outputs(), Layer::outputs);
        let score = tensors.array("score.w", &[width])?;
        let has_values = about("reward") == "win";
        Ok(Self { state, more_state, value, action, mix, more_action, score, has_values })
    }

    /// Whether it says what seats may hope for.
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.has_values
    }

    /// Judges a state that is not over and some of its legal actions, by what the seat to act may know.
    #[inline(always)]
    pub fn judge<R: Game>(&self, rules: &R, state: &R::State, actions: &[R::Action], out: &mut Judgement) {
        out.logits.clear();
        out.values = Returns::default();
        let Some(seat) = rules.to_act(state) else { return };
        out.row.resize(rules.observation().size(), 0);
        rules.observe(state, seat, &mut out.row);
        self.state.apply(&out.row, &mut out.seen);
        relu(&mut out.seen);
        for layer in &self.more_state {
            layer.apply(&out.seen, &mut out.next);
            relu(&mut out.next);
            std::mem::swap(&mut out.seen, &mut out.next);
        }
        if self.has_values {
            self.value.apply(&out.seen, &mut out.next);
            for (place, value) in out.next.iter().enumerate() {
                out.values[(seat.index() + place) % rules.num_seats() % MAX_SEATS] = value.clamp(-1.0, 1.0);
            }
        }

        self.mix.apply(&out.seen, &mut out.mixed);
        for (mixed, bias) in out.mixed.iter_mut().zip(self.action.bias()) {
            *mixed += bias;
        }
        let width = rules.facts().size();
        out.facts.resize(actions.len() * width, 0);
        rules.describe_actions(state, actions, &mut out.facts);
        for facts in out.facts.chunks_exact(width) {
            out.about.clear();
            out.about.extend_from_slice(&out.mixed);
            self.action.add(facts, &mut out.about);
            relu(&mut out.about);
            for layer in &self.more_action {
                layer.apply(&out.about, &mut out.next);
                relu(&mut out.next);
                std::mem::swap(&mut out.about, &mut out.next);
            }
            out.logits.push(dot(&out.about, &self.score));
        }
    }
}

fn more(tensors: &Tensors<'_>, tower: &str, mut inputs: usize) -> Result<Vec<Layer>, String> {
    let mut layers = Vec::new();
    for number in 1.. {
        let name = format!("{tower}.{number}");
        if !tensors.has(&format!("{name}.w")) {
            break;
        }
        let layer = Layer::read(tensors, &name, inputs)?;
        inputs = layer.outputs();
        layers.push(layer);
    }
    Ok(layers)
}

/// The same for rules whose rows have the same form: names, shapes and kinds of all blocks, and the number of seats. A
/// policy fits where it was learned and wherever this is the same.
#[must_use]
pub fn rows_digest<R: Game>(rules: &R) -> String {
    let mut digest = Digest::new();
    rules.num_seats().hash(&mut digest);
    let mut add = |layout: &Layout| {
        for block in layout.blocks() {
            (block.name, &block.shape, block.classes, block.offset).hash(&mut digest);
        }
    };
    add(rules.observation());
    add(rules.facts());
    let mut text = String::new();
    let _ = write!(text, "{:016x}", digest.finish());
    text
}
