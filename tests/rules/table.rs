//! A match at the table, and what the tests of every game say about it.

use std::fmt::Display;

use adjoin::game::{Game, Seat};
use adjoin::options;
use adjoin::rng::{Origin, Purpose, Rng};
use serde_json::Value;

/// A match being played.
#[derive(Clone)]
pub struct Match<R: Game> {
    pub rules: R,
    pub state: R::State,
    pub rng: Rng,
}

impl<R: Game + Clone> Match<R> {
    pub fn new(options: &str) -> Self {
        Self::seeded(options, 0)
    }

    pub fn seeded(options: &str, seed: u64) -> Self {
        let rules: R = rules(options);
        let mut rng = rng(seed);
        let state = rules.start(&mut rng);
        Self { rules, state, rng }
    }

    /// A match with the usual options that stands at a position.
    pub fn at(position: impl Display) -> Self {
        Self::of("{}", position)
    }

    pub fn of(options: &str, position: impl Display) -> Self {
        let rules: R = rules(options);
        let state = rules.parse_position(&position.to_string()).unwrap_or_else(|error| panic!("{position}: {error}"));
        Self { rules, state, rng: rng(0) }
    }

    /// The same with other luck from here on.
    pub fn with_seed(&self, seed: u64) -> Self {
        Self { rng: rng(seed), ..self.clone() }
    }

    /// Plays actions in notation, separated by semicolons. All must be legal.
    pub fn play(&mut self, actions: &str) -> &mut Self {
        for text in actions.split(';') {
            let action = self.action(text);
            if let Err(why) = self.rules.check(&self.state, action) {
                panic!("{text}: {why} in\n{}", self.position_text());
            }
            self.rules.apply(&mut self.state, action, &mut self.rng);
        }
        self
    }

    /// The same, in a copy.
    pub fn after(&self, actions: &str) -> Self {
        self.clone().play(actions).clone()
    }

    /// Plays random actions to the end; shows every state and the action that is played there, at last none.
    pub fn play_out(mut self, mut see: impl FnMut(&Self, Option<&str>)) -> Self {
        loop {
            let actions = self.legal_actions();
            if actions.is_empty() {
                see(&self, None);
                return self;
            }
            let action = actions[self.rng.below(actions.len() as u64) as usize];
            see(&self, Some(&self.rules.notation(action)));
            self.rules.apply(&mut self.state, action, &mut self.rng);
        }
    }

    /// What a seat could hold for another.
    pub fn guess(&self, viewer: usize, seed: u64) -> Self {
        let mut guess = self.clone();
        guess.rules.resample_hidden(&mut guess.state, Seat::new(viewer), &mut rng(seed));
        guess.rules.validate(&guess.state).unwrap();
        guess
    }

    fn action(&self, text: &str) -> R::Action {
        self.rules.parse(text).unwrap_or_else(|| panic!("no action {text:?}"))
    }

    fn legal_actions(&self) -> Vec<R::Action> {
        let mut actions = Vec::new();
        self.rules.legal_actions(&self.state, &mut actions);
        actions
    }

    /// Legal actions in notation.
    pub fn legal(&self) -> Vec<String> {
        self.legal_actions().into_iter().map(|action| self.rules.notation(action)).collect()
    }

    /// Why an action is refused.
    pub fn refusal(&self, text: &str) -> String {
        let refusal = self.rules.check(&self.state, self.action(text)).map_err(|why| why.to_string());
        assert!(!self.legal().contains(&text.to_owned()));
        refusal.expect_err(text)
    }

    /// Fails unless the action is refused for this reason.
    pub fn assert_refuses(&self, text: &str, reason: &str) {
        assert_eq!(self.refusal(text), reason, "{text}");
    }

    /// Fails unless the action is refused with a reason that has all the words.
    pub fn assert_refuses_naming(&self, text: &str, words: &[&str]) {
        assert_names(&self.refusal(text), words);
    }

    pub fn view(&self, viewer: Option<usize>) -> Value {
        self.rules.view(&self.state, viewer.map(Seat::new).into())
    }

    pub fn text(&self, viewer: Option<usize>) -> String {
        self.rules.text(&self.state, viewer.map(Seat::new).into())
    }

    pub fn row(&self, viewer: usize) -> Vec<u8> {
        let mut row = vec![0; self.rules.observation().size()];
        self.rules.observe(&self.state, Seat::new(viewer), &mut row);
        row
    }

    /// What is told about a legal action under a name, without what is added to make it fit a byte.
    pub fn fact(&self, text: &str, name: &str) -> Vec<i16> {
        let layout = self.rules.facts();
        let mut row = vec![0; layout.size()];
        self.rules.describe_action(&self.state, self.action(text), &mut row);
        let block = layout.blocks().iter().find(|block| block.name == name).expect(name);
        row[block.start..block.start + block.size()].iter().map(|&entry| i16::from(entry) - block.offset).collect()
    }

    /// The same of facts that are one number each.
    pub fn facts<const N: usize>(&self, text: &str, names: [&str; N]) -> [i16; N] {
        names.map(|name| self.fact(text, name)[0])
    }

    /// Everything that a seat is shown.
    pub fn seen(&self, viewer: usize) -> (Value, String, Vec<u8>) {
        (self.view(Some(viewer)), self.text(Some(viewer)), self.row(viewer))
    }

    pub fn position_text(&self) -> String {
        self.rules.position(&self.state)
    }

    pub fn position(&self) -> Value {
        json(&self.position_text())
    }

    /// A part of the position.
    pub fn the(&self, key: &str) -> Value {
        self.position()[key].clone()
    }

    pub fn number(&self, key: &str) -> u64 {
        self.the(key).as_u64().unwrap()
    }

    pub fn numbers(&self, key: &str) -> Vec<u64> {
        numbers(&self.the(key))
    }

    /// The hands of a game whose pieces have names.
    pub fn hands(&self) -> Vec<Vec<String>> {
        self.the("hands").as_array().unwrap().iter().map(words).collect()
    }

    pub fn hand_sizes(&self) -> Vec<usize> {
        self.the("hands").as_array().unwrap().iter().map(|hand| hand.as_array().unwrap().len()).collect()
    }

    pub fn phase(&self) -> String {
        self.the("phase").as_str().unwrap().to_owned()
    }

    pub fn turn(&self) -> u64 {
        self.number("turn")
    }

    pub fn to_act(&self) -> Option<usize> {
        self.rules.to_act(&self.state).map(Seat::index)
    }

    pub fn is_over(&self) -> bool {
        self.to_act().is_none()
    }

    pub fn returns(&self) -> Vec<f32> {
        self.rules.returns(&self.state)[..self.rules.num_seats()].to_vec()
    }
}

pub fn rng(seed: u64) -> Rng {
    Rng::new(Origin { seed, lane: 0 }, 0, Purpose::Game)
}

pub fn rules<R: Game>(options: &str) -> R {
    R::new(serde_json::from_str(options).unwrap()).unwrap_or_else(|error| panic!("{options}: {error}"))
}

/// Why options are refused.
pub fn options_refusal<R: Game>(options: &str) -> String {
    match options::rules::<R>(&json(options)) {
        Ok(_) => panic!("{options} is accepted"),
        Err(error) => error.to_string(),
    }
}

/// Why a position is refused.
pub fn position_refusal<R: Game>(options: &str, position: impl Display) -> String {
    match rules::<R>(options).parse_position(&position.to_string()) {
        Ok(_) => panic!("{position} is accepted"),
        Err(error) => error.to_string(),
    }
}

/// Fails unless the position is refused with this message.
pub fn assert_impossible<R: Game>(options: &str, position: impl Display, message: &str) {
    let expected = format!("{}: impossible state: {message}", R::NAME);
    assert_eq!(position_refusal::<R>(options, &position), expected, "{position}");
}

/// Fails unless the message has all the words.
pub fn assert_names(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "no {word:?} in {message:?}");
    }
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The strings of a JSON list.
pub fn words(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// The numbers of a JSON list.
pub fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

/// A position with some parts replaced.
#[allow(clippy::needless_pass_by_value)]
pub fn with(mut position: Value, parts: Value) -> Value {
    for (key, part) in parts.as_object().unwrap() {
        position[key] = part.clone();
    }
    position
}
