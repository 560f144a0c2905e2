//! The clauses of Ladder, the worked example of "Add a sixth game" in the documentation.

use adjoin::game::{Describe as _, Rules as _, Seat, Show as _, Viewer};
use adjoin::games::ladder::{Action, Ladder, Options, State};
use serde_json::{Value, json};

use crate::table::rng;

/// The rules for these options, and a state with these hands and cards on the table; seat 0 is to act.
fn position(options: Value, hands: &[&[u8]], laid: &[u8], passes: u8) -> (Ladder, State) {
    let set = |cards: &[u8]| cards.iter().fold(0_u64, |set, card| set | 1 << (card - 1));
    let mut all = [0; 6];
    for (hand, cards) in all.iter_mut().zip(hands) {
        *hand = set(cards);
    }
    let rules = Ladder::new(serde_json::from_value(options).unwrap()).unwrap();
    let text = json!({"hands": all, "laid": set(laid), "turn": 0, "passes": passes}).to_string();
    let state = rules.parse_position(&text).unwrap();
    (rules, state)
}

fn legal(rules: &Ladder, state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    rules.legal_actions(state, &mut actions);
    actions
}

#[test]
fn ladd_1_a_deal_is_hidden_and_the_cards_must_do() {
    let rules = Ladder::new(Options::default()).unwrap();
    let state = rules.start(&mut rng(1));
    let view = rules.view(&state, Some(Seat::new(0)).into());
    assert_eq!(view["hands"][1], json!({"count": 4, "cards": null}));
    assert_eq!(view["hands"][0]["cards"].as_array().map(Vec::len), Some(4));
    for (options, named) in [
        (Options { players: 1, ..Options::default() }, "players = 1"),
        (Options { cards: 61, ..Options::default() }, "cards = 61"),
        (Options { hand: 7, ..Options::default() }, "hand = 7"),
    ] {
        let error = Ladder::new(options).err().unwrap().to_string();
        assert!(error.contains(named) && error.contains("LADD-1"), "{error}");
    }
}

#[test]
fn ladd_2_a_card_must_be_higher_and_ones_own() {
    let (rules, state) = position(json!({"hand": 3}), &[&[2, 7], &[4, 9]], &[3, 5], 0);
    assert_eq!(legal(&rules, &state), [Action::Lay(7), Action::Pass]);
    assert_eq!(rules.why_not(&state, Action::Lay(2)).to_string(), "it is not higher than 5 (LADD-2)");
    assert_eq!(rules.why_not(&state, Action::Lay(9)).to_string(), "seat 0 does not have it (LADD-2)");
}

#[test]
fn ladd_3_a_last_card_or_a_round_of_passes_ends_it() {
    let (rules, mut state) = position(json!({"hand": 2}), &[&[7], &[4, 9]], &[3], 0);
    let mut passed = state.clone();
    rules.apply(&mut state, Action::Lay(7), &mut rng(0));
    assert_eq!(rules.to_act(&state), None);
    for turn in [0, 1] {
        assert_eq!(rules.to_act(&passed), Some(Seat::new(turn)));
        rules.apply(&mut passed, Action::Pass, &mut rng(0));
    }
    assert_eq!(rules.to_act(&passed), None);
}

#[test]
fn ladd_4_the_fewest_cards_win_and_a_tie_is_shared() {
    let options = json!({"players": 3, "hand": 3});
    let (rules, state) = position(options, &[&[1, 2], &[4, 9], &[5, 6, 7]], &[3, 8], 3);
    assert_eq!(rules.returns(&state)[..3], [0.25, 0.25, -0.5]);
    assert!(rules.text(&state, Viewer::Everything).contains("seat 0 and seat 1 share the win"));
}

/// The rules once more, slowly and with other means, to agree with.
struct Model {
    hands: Vec<Vec<u8>>,
    pile: Vec<u8>,
    turn: usize,
    passes: usize,
}

impl Model {
    fn is_over(&self) -> bool {
        self.passes == self.hands.len() || self.hands.iter().any(Vec::is_empty)
    }

    fn legal(&self) -> Vec<String> {
        if self.is_over() {
            return Vec::new();
        }
        let is_higher = |card: &&u8| self.pile.iter().all(|laid| laid < card);
        let mut cards: Vec<u8> = self.hands[self.turn].iter().filter(is_higher).copied().collect();
        cards.sort_unstable();
        cards.iter().map(|card| format!("lay {card}")).chain(["pass".to_owned()]).collect()
    }

    fn play(&mut self, action: &str) {
        self.passes += 1;
        if let Some(card) = action.strip_prefix("lay ").and_then(|card| card.parse().ok()) {
            self.hands[self.turn].retain(|&held| held != card);
            self.pile.push(card);
            self.passes = 0;
        }
        self.turn = (self.turn + 1) % self.hands.len();
    }
}

#[test]
fn ladd_2_the_engine_agrees_with_the_model() {
    let rules = Ladder::new(Options { players: 3, cards: 20, hand: 5 }).unwrap();
    for seed in 0..100 {
        let mut rng = rng(seed);
        let mut state = rules.start(&mut rng);
        let hands = serde_json::from_value(rules.view(&state, Viewer::Everything)["hands"].take()).unwrap();
        let hands: Vec<Value> = hands;
        let hands = hands.iter().map(|hand| serde_json::from_value(hand["cards"].clone()).unwrap()).collect();
        let mut model = Model { hands, pile: Vec::new(), turn: 0, passes: 0 };
        loop {
            let actions = legal(&rules, &state);
            let texts: Vec<String> = actions.iter().map(|&action| rules.notation(action)).collect();
            assert_eq!(texts, model.legal());
            if actions.is_empty() {
                break;
            }
            let chosen = rng.below(actions.len() as u64) as usize;
            rules.apply(&mut state, actions[chosen], &mut rng);
            model.play(&texts[chosen]);
        }
    }
}
