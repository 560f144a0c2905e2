//! Ladder, a game small enough to read at a sitting: the worked example of "Add a sixth game" in the documentation.
//!
//! It is in no registry. Everything else about it is as with the others: it plays in batches, its hidden cards do not
//! leak, and the suite of this folder runs on it.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use adjoin::agents;
use adjoin::batch::{Batch, Config};
use adjoin::bits;
use adjoin::dynamic::Simulator;
use adjoin::error::Error;
use adjoin::game::{
    Account, Advise, Encode, Heuristic, Illegal, MAX_SEATS, Returns, Rules, Seat, Show, Statistic, Statistics,
    shared_win,
};
use adjoin::layout::{Layout, Writer};
use adjoin::perft::perft;
use adjoin::rng::Rng;
use adjoin::rows::Status;
use adjoin::text::won_by;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Conforms, conform, legal, rng};

/// # Ladder
///
/// - **LADD-1** 2 to 6 play with cards numbered from 1. Each gets a hand, hidden; the rest is set
///   aside unseen.
/// - **LADD-2** Seat 0 begins. In turn, clockwise, a player lays a card that is higher than the top
///   card, or passes.
/// - **LADD-3** The match is over when somebody has laid their last card, or when all have passed in
///   a row.
/// - **LADD-4** Whoever has the fewest cards left wins; those who tie share it.
struct Ladder {
    options: Options,
    actions: Layout,
    observation: Layout,
}

/// How Ladder is to be played.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    players: u8,
    cards: u8,
    hand: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self { players: 2, cards: 12, hand: 4 }
    }
}

/// A match at one moment. A set of cards is a number: bit n - 1 is the card n.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct State {
    hands: [u64; MAX_SEATS],
    laid: u64,
    turn: Seat,
    /// Passes in a row.
    passes: u8,
}

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Action {
    Lay(u8),
    Pass,
}

impl State {
    fn hand(&self, seat: Seat) -> u64 {
        self.hands[seat.index()]
    }

    fn num_cards(&self, seat: Seat) -> u8 {
        self.hand(seat).count_ones() as u8
    }

    /// The highest card that lies, 0 before the first.
    fn top(&self) -> u8 {
        (u64::BITS - self.laid.leading_zeros()) as u8
    }
}

impl Rules for Ladder {
    const NAME: &'static str = "ladder";
    const TITLE: &'static str = "Ladder";
    const SUMMARY: &'static str = "Lay ever higher cards and get rid of yours first.";
    const VERSION: u32 = 0;
    const REWARDS_AND_END: [&'static str; 2] = [
        "At the end of the match +1 for a sole winner, less for those who share; 0 before.",
        "A match ends with somebody's last card, or when all have passed in a row.",
    ];
    const PAYS_AT_THE_END: bool = true;
    const OPTIONS: &'static [(&'static str, &'static str)] = &[
        ("players", "how many play, 2 to 6"),
        ("cards", "cards in all, up to 60"),
        ("hand", "cards that each player gets, 1 or more"),
    ];

    type Options = Options;
    type State = State;
    type Action = Action;
    type Illegal = Illegal;

    fn new(options: Options) -> Result<Self, Error> {
        let Options { players, cards, hand } = options;
        let refuse = |message| Err(Error::Options { game: Self::NAME, message });
        if !(2..=MAX_SEATS as u8).contains(&players) {
            return refuse(format!("players = {players}: 2 to {MAX_SEATS} play (LADD-1)"));
        }
        if !(1..=60).contains(&cards) {
            return refuse(format!("cards = {cards}: 1 to 60 are allowed (LADD-1)"));
        }
        if hand == 0 || u16::from(hand) * u16::from(players) > u16::from(cards) {
            return refuse(format!("hand = {hand}: {players} players share {cards} cards, 1 or more each (LADD-1)"));
        }
        let (seats, all) = (usize::from(players), usize::from(cards));
        let actions = Layout::new().flags("lay", &[all], "lay a card").flags("pass", &[], "lay none");
        let observation = Layout::new()
            .flags("hand", &[all], "the viewer's cards")
            .flags("laid", &[all], "cards on the table")
            .counts("cards", &[seats], hand, "cards in the hands")
            .by_seat()
            .flags("to_act", &[seats], "who decides now")
            .by_seat()
            .counts("passes", &[], players, "passes in a row");
        Ok(Self { options, actions, observation })
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn num_seats(&self) -> usize {
        self.options.players.into()
    }

    fn start(&self, rng: &mut Rng) -> State {
        let mut pack = self.pack();
        let mut hands = [0; MAX_SEATS];
        for hand in &mut hands[..self.num_seats()] {
            *hand = rng.subset(pack, self.options.hand.into());
            pack ^= *hand;
        }
        State { hands, laid: 0, turn: Seat::new(0), passes: 0 } // LADD-2
    }

    fn to_act(&self, state: &State) -> Option<Seat> {
        let is_over = state.passes == self.options.players || self.seats().any(|seat| state.hand(seat) == 0); // LADD-3
        (!is_over).then_some(state.turn)
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        if let Some(seat) = self.to_act(state) {
            let higher = state.hand(seat) >> state.top() << state.top(); // LADD-2
            out.extend(bits::each(higher).map(|bit| Action::Lay(bit + 1)));
            out.push(Action::Pass);
        }
    }

    fn check(&self, state: &State, action: Action) -> Result<(), Illegal> {
        let refuse = |reason: String| Err(Illegal(reason));
        match (self.to_act(state), action) {
            (None, _) => refuse("the match is over (LADD-3)".to_owned()),
            (Some(seat), Action::Lay(card)) if state.hand(seat) & bit(card) == 0 => {
                refuse(format!("seat {} does not have it (LADD-2)", seat.index()))
            }
            (Some(_), Action::Lay(card)) if card < state.top() => {
                refuse(format!("it is not higher than {} (LADD-2)", state.top()))
            }
            (Some(_), _) => Ok(()),
        }
    }

    fn apply(&self, state: &mut State, action: Action, _: &mut Rng) {
        match action {
            Action::Lay(card) => {
                state.hands[state.turn.index()] ^= bit(card);
                state.laid |= bit(card);
                state.passes = 0;
            }
            Action::Pass => state.passes += 1,
        }
        state.turn = Seat::new((state.turn.index() + 1) % self.num_seats());
    }

    fn returns(&self, state: &State) -> Returns {
        if self.to_act(state).is_some() {
            return Returns::default();
        }
        shared_win(self.num_seats(), &self.winners(state))
    }

    fn range_of_returns(&self) -> [f32; 2] {
        [-1.0, 1.0]
    }

    fn resample_hidden(&self, state: &mut State, viewer: Seat, rng: &mut Rng) {
        let mut unseen = self.pack() & !state.laid & !state.hand(viewer);
        for seat in self.seats().filter(|&seat| seat != viewer) {
            let guess = rng.subset(unseen, state.hand(seat).count_ones());
            state.hands[seat.index()] = guess;
            unseen ^= guess;
        }
    }

    fn validate(&self, state: &State) -> Result<(), Error> {
        let Options { players, hand, .. } = self.options;
        let sets = || state.hands.into_iter().chain([state.laid]);
        let together = sets().fold(0, |all, set| all | set);
        let dealt = u32::from(players) * u32::from(hand);
        let wrong = [
            (sets().map(u64::count_ones).sum::<u32>() != together.count_ones(), "a card in two places"),
            (together & !self.pack() != 0, "a card that is not in the pack"),
            (together.count_ones() != dealt, "cards are missing, or too many"),
            (self.seats().any(|seat| state.num_cards(seat) > hand), "a hand larger than the deal"),
            (state.hands[self.num_seats()..].iter().any(|&hand| hand != 0), "cards beyond the table"),
            (self.seats().filter(|&seat| state.hand(seat) == 0).count() > 1, "two last cards"),
            (state.turn.index() >= self.num_seats(), "a turn of nobody"),
            (state.passes > players, "passes after the end"),
        ];
        match adjoin::position_text::first_wrong(&wrong) {
            Some(message) => Err(Error::State { game: Self::NAME, message: message.to_owned() }),
            None => Ok(()),
        }
    }
}

impl Ladder {
    fn pack(&self) -> u64 {
        (1 << self.options.cards) - 1
    }

    fn seats(&self) -> impl Iterator<Item = Seat> + Clone + use<> {
        (0..self.num_seats()).map(Seat::new)
    }

    fn winners(&self, state: &State) -> Vec<usize> {
        let fewest = self.seats().map(|seat| state.num_cards(seat)).min();
        self.seats().filter(|&seat| Some(state.num_cards(seat)) == fewest).map(Seat::index).collect() // LADD-4
    }
}

fn bit(card: u8) -> u64 {
    1 << (card - 1)
}

impl Encode for Ladder {
    fn actions(&self) -> &Layout {
        &self.actions
    }

    fn action_id(&self, action: Action) -> usize {
        match action {
            Action::Lay(card) => usize::from(card) - 1,
            Action::Pass => self.options.cards.into(),
        }
    }

    fn action(&self, id: usize) -> Action {
        if id < self.options.cards.into() { Action::Lay(id as u8 + 1) } else { Action::Pass }
    }

    fn observation(&self) -> &Layout {
        &self.observation
    }

    fn observe(&self, state: &State, viewer: Seat, row: &mut [u8]) {
        let mut row = Writer::new(row);
        row.set(state.hand(viewer), self.options.cards.into());
        row.set(state.laid, self.options.cards.into());
        for seat in viewer.around(self.num_seats()) {
            row.number(state.num_cards(seat));
        }
        for seat in viewer.around(self.num_seats()) {
            row.flag(self.to_act(state) == Some(seat));
        }
        row.number(state.passes);
    }
}

impl Show for Ladder {
    fn action_text(&self, action: Action) -> String {
        match action {
            Action::Lay(card) => card.to_string(),
            Action::Pass => "pass".to_owned(),
        }
    }

    fn parse_action(&self, text: &str) -> Option<Action> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("pass") {
            return Some(Action::Pass);
        }
        text.parse().ok().filter(|card| (1..=self.options.cards).contains(card)).map(Action::Lay)
    }

    fn text(&self, state: &State, viewer: Option<Seat>) -> String {
        let heading = match self.to_act(state) {
            Some(seat) => format!("seat {} to lay a card", seat.index()),
            None => won_by(self.num_seats(), self.winners(state)),
        };
        let mut out = format!("{}, {heading}\ntop card {}\n", Self::TITLE, state.top());
        for seat in self.seats() {
            let is_seen = viewer.is_none_or(|viewer| viewer == seat);
            let hand = if is_seen { format!("{:?}", cards(state.hand(seat))) } else { "hidden".to_owned() };
            let _ = writeln!(out, "seat {}, {} cards: {hand}", seat.index(), state.num_cards(seat));
        }
        out
    }

    fn json(&self, state: &State, viewer: Option<Seat>) -> Value {
        let hand = |seat: Seat| {
            let is_seen = viewer.is_none_or(|viewer| viewer == seat);
            json!({"count": state.num_cards(seat), "cards": is_seen.then(|| cards(state.hand(seat)))})
        };
        let mut legal = Vec::new();
        if viewer.is_none() || viewer == self.to_act(state) {
            self.legal_actions(state, &mut legal);
        }
        json!({
            "game": Self::NAME,
            "viewer": viewer,
            "to_act": self.to_act(state),
            "laid": cards(state.laid),
            "hands": self.seats().map(hand).collect::<Vec<_>>(),
            "legal": legal.into_iter().map(|action| self.action_text(action)).collect::<Vec<_>>(),
            "returns": &self.returns(state)[..self.num_seats()],
        })
    }
}

fn cards(set: u64) -> Vec<u8> {
    bits::each(set).map(|bit| bit + 1).collect()
}

impl Heuristic for Ladder {
    /// Lay what is legal, the lowest card first: it leaves most room for the rest.
    fn value(&self, _: &State, action: Action) -> i32 {
        match action {
            Action::Lay(card) => i32::from(self.options.cards - card),
            Action::Pass => -1,
        }
    }
}

impl Advise for Ladder {
    /// Nobody passes who can lay a card.
    fn drop_mistakes(&self, _: &State, actions: &mut Vec<Action>) {
        agents::keep_where(actions, |&action| action != Action::Pass);
    }

    fn reason(&self, _: &State, action: Action) -> String {
        match action {
            Action::Lay(_) => "the lowest card leaves most room for the rest".to_owned(),
            Action::Pass => "none of your cards is high enough".to_owned(),
        }
    }
}

/// What is counted while a match is played.
#[derive(Clone, Default)]
struct Count {
    turns: u32,
    passes: i32,
}

impl Statistics for Ladder {
    const STATISTICS: &'static [Statistic] = &[
        Statistic { name: "laid", meaning: "cards laid", by_seat: true },
        Statistic { name: "passes", meaning: "turns without a card", by_seat: false },
    ];
    const ENDINGS: &'static [&'static str] = &["last card", "all passed"];

    type Count = Count;

    fn before(&self, count: &mut Count, _: &State, action: Action) {
        count.turns += 1;
        count.passes += i32::from(action == Action::Pass);
    }

    fn account(&self, count: &Count, state: &State, own: &mut [i32]) -> Account {
        let mut scores = [0; MAX_SEATS];
        for seat in self.seats() {
            scores[seat.index()] = state.num_cards(seat).into();
            own[seat.index()] = i32::from(self.options.hand) - scores[seat.index()];
        }
        own[self.num_seats()] = count.passes;
        let rounds = u32::from(self.to_act(state).is_none());
        Account { turns: count.turns, rounds, ended: u8::from(state.passes == self.options.players), scores }
    }

    fn standing(&self, state: &State) -> [i32; MAX_SEATS] {
        state.hands.map(|hand| -(hand.count_ones() as i32))
    }
}

#[test]
fn ladder() {
    conform::<Ladder>("{}");
    conform::<Ladder>(r#"{"players": 6, "cards": 60, "hand": 10}"#);
    conform::<Ladder>(r#"{"players": 3, "cards": 3, "hand": 1}"#);
}

impl Conforms for Ladder {
    fn batch(options: &str, config: &Config) -> Box<dyn Simulator> {
        let rules = Self::new(serde_json::from_str(options).unwrap()).unwrap();
        Box::new(Batch::new(rules, config).unwrap())
    }
}

/// The rules for these options, and a state with these hands and cards on the table; seat 0 is to act.
fn position(options: &str, hands: &[&[u8]], laid: &[u8]) -> (Ladder, State) {
    let set = |cards: &[u8]| cards.iter().fold(0, |set, &card| set | bit(card));
    let mut state = State { hands: [0; MAX_SEATS], laid: set(laid), turn: Seat::new(0), passes: 0 };
    for (hand, cards) in state.hands.iter_mut().zip(hands) {
        *hand = set(cards);
    }
    let rules = Ladder::new(serde_json::from_str(options).unwrap()).unwrap();
    rules.validate(&state).unwrap();
    (rules, state)
}

#[test]
fn ladd_1_a_deal_is_hidden_and_the_cards_must_do() {
    let rules = Ladder::new(Options::default()).unwrap();
    let state = rules.start(&mut rng(1));
    assert!(rules.seats().all(|seat| state.num_cards(seat) == 4));
    assert_eq!(rules.view(&state, Some(Seat::new(0)))["hands"][1], json!({"count": 4, "cards": null}));
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
    let (rules, state) = position(r#"{"hand": 3}"#, &[&[2, 7], &[4, 9]], &[3, 5]);
    assert_eq!(legal(&rules, &state), [Action::Lay(7), Action::Pass]);
    assert_eq!(rules.check(&state, Action::Lay(2)).unwrap_err().0, "it is not higher than 5 (LADD-2)");
    assert_eq!(rules.check(&state, Action::Lay(9)).unwrap_err().0, "seat 0 does not have it (LADD-2)");
}

#[test]
fn ladd_3_a_last_card_or_a_round_of_passes_ends_it() {
    let (rules, mut state) = position(r#"{"hand": 2}"#, &[&[7], &[4, 9]], &[3]);
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
    let (rules, mut state) = position(r#"{"players": 3, "hand": 3}"#, &[&[1, 2], &[4, 9], &[5, 6, 7]], &[3, 8]);
    state.passes = 3;
    assert_eq!(rules.returns(&state)[..3], [0.25, 0.25, -0.5]);
    assert!(rules.text(&state, None).contains("seat 0 and seat 1 share the win"));
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
        cards.iter().map(u8::to_string).chain(["pass".to_owned()]).collect()
    }

    fn play(&mut self, action: &str) {
        self.passes += 1;
        if let Ok(card) = action.parse() {
            self.hands[self.turn].retain(|&held| held != card);
            self.pile.push(card);
            self.passes = 0;
        }
        self.turn = (self.turn + 1) % self.hands.len();
    }
}

#[test]
fn the_engine_agrees_with_the_model() {
    let rules = Ladder::new(Options { players: 3, cards: 20, hand: 5 }).unwrap();
    for seed in 0..100 {
        let mut rng = rng(seed);
        let mut state = rules.start(&mut rng);
        let hands = rules.seats().map(|seat| cards(state.hand(seat))).collect();
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

/// Two cards each, 1 and 3 against 2 and 4, by hand: 1, 3 or pass; then 2, 4 or pass, 4 or pass, 2, 4 or pass.
#[test]
fn sequences_are_counted_as_by_hand() {
    let (rules, state) = position(r#"{"cards": 4, "hand": 2}"#, &[&[1, 3], &[2, 4]], &[]);
    let counts: Vec<u64> = (0..3).map(|depth| perft(&rules, &state, &rng(0), depth)).collect();
    assert_eq!(counts, [1, 3, 8]);
}

#[test]
fn a_batch_plays_it_and_greedy_lays_the_lowest_card() {
    let rules = Ladder::new(Options::default()).unwrap();
    let mut batch = Batch::new(rules, &Config { num_lanes: 8, ..Config::default() }).unwrap();
    let mut buffers = batch.buffers();
    let (mut actions, mut over) = (vec![0; 8], 0);
    for _ in 0..40 {
        batch.sample(&mut actions).unwrap();
        batch.step(&actions, buffers.rows()).unwrap();
        over += buffers.status.iter().filter(|&&status| status == Status::Over as u8).count();
    }
    assert!(over > 8, "{over} matches");
    let (rules, state) = position(r#"{"hand": 3}"#, &[&[2, 6, 7], &[4, 9]], &[3]);
    let greedy = agents::make::<Ladder>("greedy").unwrap();
    let choice = greedy.choose(&rules, &state, 0, &AtomicBool::new(false), &mut Vec::new());
    assert_eq!(choice, Action::Lay(6));
}

/// What the picture of the documentation is drawn from.
#[test]
fn the_view_of_the_documentation_is_what_the_game_gives() {
    let (rules, state) = position(r#"{"hand": 4}"#, &[&[2, 7, 9], &[4, 10]], &[3, 5, 6]);
    let documented: Value = serde_json::from_str(include_str!("ladder_view.json")).unwrap();
    assert_eq!(rules.view(&state, Some(Seat::new(0))), documented);
}
