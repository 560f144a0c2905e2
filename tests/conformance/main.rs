//! What holds for every game, tried on random matches: each point is a function.
//!
//! A game joins with a test of its own and a line per set of options. Most points look at an eighth of the states, and at
//! all of them with `ADJOIN_LONG=1`; whether something leaks is always tried on every state, of half the matches or of all.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use adjoin::agents;
use adjoin::batch::{Batch, Config};
use adjoin::drawing::{Picture, Place, Role};
use adjoin::dynamic::{AnyBatch, AnyMatch};
use adjoin::episodes::{Plan, Record};
use adjoin::game::{Game, Lay, Looks, MAX_SEATS, Names, Play, Rules, Seat, Setting, Viewer, by_list};
use adjoin::games::connections::Connections;
use adjoin::games::domiphun::Domiphun;
use adjoin::games::ladder::Ladder;
use adjoin::games::mapello::Mapello;
use adjoin::games::mapominoes::Mapominoes;
use adjoin::games::metro_domino::MetroDomino;
use adjoin::layout::{Block, Layout};
use adjoin::options;
use adjoin::registry;
use adjoin::rng::{Origin, Purpose, Rng};
use adjoin::rows::{Buffers, Status};
use adjoin::session::{Message, Session, Sitter, Update};
use adjoin::tree::{Forest, Method, Results, Settings, Uniform};

/// Matches that each point plays, unless they are long.
const MATCHES: u64 = 12;
/// One state of so many is drawn: that takes longer than to play it.
const PICTURES: u64 = 8;
/// One state of so many is looked at, unless `ADJOIN_LONG` is set.
const STRIDE: u64 = 8;

/// `often`, or 1 where everything is to be tried.
fn unless_long(often: u64) -> u64 {
    if std::env::var_os("ADJOIN_LONG").is_some() { 1 } else { often }
}

#[test]
fn mapello() {
    conform::<Mapello>("{}");
    conform::<Mapello>(r#"{"setup": "othello"}"#);
    conform::<Mapello>(r#"{"setup": "othello", "opening": "mapello", "games": 3}"#);
    conform::<Mapello>(r#"{"symmetry": "rotate", "games": 2}"#);
    conform::<Mapello>(r#"{"symmetry": "diagonal", "walls": 7, "bonuses": 5, "jokers": 3}"#);
    conform::<Mapello>(r#"{"walls": 8, "bonuses": 8, "jokers": 8, "games": 2}"#);
    conform::<Mapello>(
        r#"{"setup": "fixed", "walls": ["1,1", "1,8", "2,6", "3,2", "6,7", "7,3", "8,1", "8,8"],
            "bonuses": ["1,3", "1,5", "2,8", "3,1", "6,1", "6,8", "8,3", "8,6"],
            "jokers": ["0,3", "0,6", "2,9", "5,0", "6,9", "9,3", "9,4", "9,7"]}"#,
    );
}

#[test]
fn mapello_on_smaller_boards() {
    conform::<Mapello>(r#"{"size": 6}"#);
    conform::<Mapello>(r#"{"size": 4, "games": 3}"#);
    conform::<Mapello>(r#"{"size": 6, "setup": "othello", "games": 2}"#);
    conform::<Mapello>(r#"{"size": 4, "symmetry": "rotate", "walls": 4, "bonuses": 8}"#);
    conform::<Mapello>(r#"{"size": 4, "symmetry": "diagonal", "walls": 7, "bonuses": 5}"#);
    conform::<Mapello>(r#"{"size": 6, "setup": "free", "games": 2}"#);
    conform::<Mapello>(r#"{"size": 4, "setup": "free"}"#);
    conform::<Mapello>(r#"{"size": 4, "setup": "free", "walls": 8, "bonuses": [3, 4]}"#);
    conform::<Mapello>(r#"{"size": 4, "setup": "fixed", "walls": ["c3"], "bonuses": ["f6"]}"#);
}

#[test]
fn mapello_in_free_play() {
    conform::<Mapello>(r#"{"setup": "free"}"#);
    conform::<Mapello>(r#"{"setup": "free", "games": 2, "opening": "othello"}"#);
    conform::<Mapello>(r#"{"setup": "free", "games": 3, "walls": 1, "bonuses": 0, "jokers": [1, 2]}"#);
}

#[test]
fn mapominoes_at_small_tables() {
    conform::<Mapominoes>(r#"{"nations": ["Northern Ireland"], "table": [3, 3]}"#);
    conform::<Mapominoes>(r#"{"nations": ["Northern Ireland"], "table": [5, 1], "players": 5, "draw": "free"}"#);
    conform::<Mapominoes>(
        r#"{"nations": ["Wales"], "table": [6, 4], "players": 4, "transit_cards": 0, "transit_each": 0}"#,
    );
    conform::<Mapominoes>(
        r#"{"nations": ["Wales"], "table": [5, 5], "players": 3, "transit_each": "easier", "rounds": 1,
            "double_with_transit": false}"#,
    );
    conform::<Mapominoes>(
        r#"{"atlas": {"custom": {"name": "islands", "regions": [
        {"id": "ash", "name": "Ash", "nations": ["Wood"], "borders": ["beech"], "waters": ["lake"]},
        {"id": "beech", "name": "Beech", "nations": ["Wood"], "borders": ["ash", "cedar"], "waters": []},
        {"id": "cedar", "name": "Cedar Hill", "nations": ["Wood", "Hill"], "borders": ["beech"], "waters": ["lake"]},
        {"id": "dune", "name": "Dune", "nations": ["Hill"], "borders": [], "waters": ["lake"]},
        {"id": "elm", "name": "Elm", "nations": ["Hill"], "borders": [], "waters": []}],
        "waters": [{"id": "lake", "name": "Long Lake"}]}}, "table": [4, 4], "rounds": 3}"#,
    );
}

#[test]
fn mapominoes_with_challenges_and_in_stages() {
    conform::<Mapominoes>(r#"{"nations": ["Northern Ireland"], "table": [4, 4], "challenges": true}"#);
    conform::<Mapominoes>(
        r#"{"nations": ["Wales"], "table": [6, 4], "players": 3, "challenges": true, "draw": "free", "rounds": 1}"#,
    );
    conform::<Mapominoes>(
        r#"{"nations": ["Wales", "Northern Ireland"], "first_nation": "Northern Ireland", "staged": true,
            "table": [6, 6], "players": 3, "rounds": 1}"#,
    );
    conform::<Mapominoes>(
        r#"{"nations": ["Wales", "Northern Ireland"], "first_nation": "Northern Ireland", "staged": true,
            "table": [4, 4], "challenges": true, "rounds": 2}"#,
    );
}

#[test]
fn mapominoes_with_large_decks() {
    conform_in::<Mapominoes>(1, r#"{"rounds": 1}"#);
    conform_in::<Mapominoes>(2, r#"{"players": 5, "rounds": 1, "table": [12, 12], "draw": "free"}"#);
    conform_in::<Mapominoes>(2, r#"{"atlas": "us-states", "players": 4, "rounds": 1, "table": [10, 8]}"#);
    conform_in::<Mapominoes>(2, r#"{"atlas": "world-countries", "nations": ["Europe"], "table": [10, 10]}"#);
    conform_in::<Mapominoes>(
        1,
        r#"{"atlas": "world-countries", "staged": true, "first_nation": "Africa", "players": 3, "rounds": 1,
            "table": [20, 20], "transit_cards": 32, "transit_each": 4}"#,
    );
}

#[test]
fn metro_domino_in_new_york() {
    conform::<MetroDomino>("{}");
    conform_in::<MetroDomino>(6, r#"{"players": 3, "first_seat": 2}"#);
    conform_in::<MetroDomino>(6, r#"{"players": 4}"#);
    conform_in::<MetroDomino>(4, r#"{"wins_needed": 3}"#);
}

#[test]
fn metro_domino_with_other_stations() {
    conform::<MetroDomino>(
        r#"{"players": 3, "stations": {"custom": {"name": "short lines", "stations": [
        {"id": "hub", "name": "Hub", "lines": [{"length": 1}, {"length": 2}, {"length": 1}]},
        {"id": "north", "name": "North End", "lines": [{"length": 1}, {"length": 1}]},
        {"id": "south", "name": "South-End", "lines": [{"length": 2}]},
        {"id": "west", "name": "West", "lines": [{"length": 1}, {"length": 3}]}]}}, "wins_needed": 2}"#,
    );
    conform::<MetroDomino>(
        r#"{"players": 4, "stations": {"custom": {"name": "one station", "stations": [
        {"id": "start", "name": "Start", "lines": [{"length": 9}, {"length": 55}]}]}}}"#,
    );
    conform::<MetroDomino>(
        r#"{"stations": {"custom": {"name": "limits", "stations": [
        {"id": "start", "name": "Start", "lines": [{"length": 4, "min": 4}, {"length": 5, "max": 5},
            {"length": 3, "no_doubles": true}]},
        {"id": "ring", "name": "Ring", "lines": [{"length": 2, "min": 3, "max": 6}, {"length": 1, "min": 9}]},
        {"id": "spur", "name": "Spur", "lines": [{"length": 3, "min": 1, "max": 8, "no_doubles": true}]}]}}}"#,
    );
}

#[test]
fn domiphun_traditional() {
    conform::<Domiphun>(r#"{"variant": "traditional"}"#);
    conform::<Domiphun>(r#"{"variant": "traditional", "players": 3, "starts_each": 1, "series": "points"}"#);
    conform::<Domiphun>(r#"{"variant": "traditional", "players": 4, "first_seat": 3}"#);
}

#[test]
fn domiphun_standard() {
    conform::<Domiphun>("{}");
    conform_in::<Domiphun>(6, r#"{"starts_each": 2, "first_seat": 1}"#);
    conform_in::<Domiphun>(6, r#"{"players": 3, "starts_each": 1, "series": "points"}"#);
    conform::<Domiphun>(r#"{"players": 4}"#);
}

#[test]
fn domiphun_with_fewer_pieces() {
    conform::<Domiphun>(r#"{"values": 2, "hand": 3}"#);
    conform::<Domiphun>(r#"{"values": 2, "players": 4, "starts_each": 1}"#);
    conform::<Domiphun>(r#"{"values": 3, "series": "points", "starts_each": 2}"#);
    conform::<Domiphun>(r#"{"values": 5, "players": 3, "hand": 10}"#);
    conform::<Domiphun>(r#"{"values": 3, "variant": "traditional"}"#);
    conform::<Domiphun>(r#"{"values": 4, "variant": "traditional", "players": 4, "hand": 2}"#);
    conform::<Domiphun>(r#"{"values": 4, "variant": "advanced"}"#);
    conform_in::<Domiphun>(6, r#"{"values": 3, "variant": "advanced", "hand": 6, "fork": true, "x_joiners": 1}"#);
}

#[test]
fn domiphun_advanced() {
    conform::<Domiphun>(r#"{"variant": "advanced"}"#);
    conform_in::<Domiphun>(4, r#"{"variant": "advanced", "players": 3, "x_joiners": 1, "starts_each": 1}"#);
    conform_in::<Domiphun>(6, r#"{"variant": "advanced", "x_joiners": 4, "starjoiners": 0, "series": "points"}"#);
    conform_in::<Domiphun>(6, r#"{"variant": "advanced", "players": 4, "x_joiners": 0, "starjoiners": 4}"#);
    conform_in::<Domiphun>(6, r#"{"variant": "advanced", "x_joiners": 0, "starjoiners": 0, "first_seat": 0}"#);
}

#[test]
fn domiphun_advanced_with_forks() {
    conform_in::<Domiphun>(6, r#"{"variant": "advanced", "fork": true}"#);
    conform_in::<Domiphun>(
        4,
        r#"{"variant": "advanced", "fork": true, "players": 4, "x_joiners": 1, "extra_starjoiners": [0, 2, 0, 1]}"#,
    );
    conform_in::<Domiphun>(4, r#"{"variant": "advanced", "fork": true, "players": 3, "x_joiners": 4}"#);
}

/// A deck that is just enough for six players, of three regions and three links, two of them on one card.
const WOODS: &str = r#"{"custom": {"name": "woods", "cities": [
        {"id": "ash", "name": "Ash", "regions": ["wood"]}, {"id": "beech", "name": "Beech", "regions": ["wood"]},
        {"id": "cedar", "name": "Cedar", "regions": ["wood"]}, {"id": "elm", "name": "Elm", "regions": ["wood"]},
        {"id": "fell", "name": "Fell", "regions": ["hill"]}, {"id": "gorge", "name": "Gorge", "regions": ["hill"]},
        {"id": "howe", "name": "Howe", "regions": ["hill"]}, {"id": "knoll", "name": "Knoll", "regions": ["hill"]},
        {"id": "ness", "name": "Ness", "regions": ["sea"]}, {"id": "pier", "name": "Pier", "regions": ["sea"]},
        {"id": "quay", "name": "Quay", "regions": ["sea"]}, {"id": "reef", "name": "Reef", "regions": ["sea"]},
        {"id": "tarn", "name": "Tarn", "regions": ["wood", "hill"]}, {"id": "strand", "name": "Strand", "regions": ["hill", "sea"]},
        {"id": "union", "name": "Union", "regions": ["wood", "hill", "sea"]}],
        "cards": [["tarn", "strand"], ["union", "union"], ["ash", "fell"], ["beech", "gorge"], ["cedar", "howe"],
        ["elm", "knoll"], ["fell", "ness"], ["gorge", "pier"], ["howe", "quay"], ["knoll", "reef"], ["ness", "ash"],
        ["pier", "beech"], ["quay", "cedar"], ["reef", "elm"], ["ash", "beech"], ["cedar", "elm"], ["fell", "gorge"],
        ["howe", "knoll"], ["ness", "pier"], ["quay", "reef"], ["ash", "gorge"], ["beech", "howe"], ["cedar", "knoll"],
        ["elm", "fell"], ["fell", "pier"], ["gorge", "quay"], ["howe", "reef"], ["knoll", "ness"], ["pier", "elm"],
        ["quay", "ash"], ["reef", "beech"]]}}"#;

#[test]
fn connections_of_world_cities() {
    conform_in::<Connections>(2, r#"{"max_turns": 12}"#);
    conform_in::<Connections>(1, r#"{"players": 4, "max_turns": 4}"#);
    conform_in::<Connections>(1, r#"{"players": 5, "max_turns": 3}"#);
    conform_in::<Connections>(1, r#"{"players": 6, "max_turns": 2}"#);
    conform_in::<Connections>(1, r#"{"trading": false, "pairs": "least", "partnerships_each": 1}"#);
    conform_in::<Connections>(1, r#"{"players": 4, "trading": false, "pairs": "most", "partnerships_each": 3}"#);
}

#[test]
fn connections_without_trading_or_partnerships() {
    conform_in::<Connections>(3, r#"{"trading": false, "deals_each": 2}"#);
    conform_in::<Connections>(1, r#"{"players": 4, "partnerships": false, "max_turns": 4}"#);
    conform_in::<Connections>(3, r#"{"players": 5, "trading": false, "partnerships": false, "max_turns": 100}"#);
}

#[test]
fn connections_with_another_deck() {
    conform_in::<Connections>(2, &format!(r#"{{"deck": {WOODS}}}"#));
    conform_in::<Connections>(4, &format!(r#"{{"deck": {WOODS}, "trading": false}}"#));
    conform_in::<Connections>(1, &format!(r#"{{"deck": {WOODS}, "players": 4, "max_turns": 5}}"#));
    conform_in::<Connections>(1, &format!(r#"{{"deck": {WOODS}, "players": 6, "max_turns": 3}}"#));
}

#[test]
fn ladder() {
    conform::<Ladder>("{}");
    conform::<Ladder>(r#"{"players": 6, "cards": 60, "hand": 10}"#);
    conform::<Ladder>(r#"{"players": 3, "cards": 3, "hand": 1}"#);
}

#[test]
fn ranges() {
    ranges_are_what_occurs::<Mapello>(400);
    ranges_are_what_occurs::<MetroDomino>(400);
    ranges_are_what_occurs::<Domiphun>(400);
    ranges_are_what_occurs::<Mapominoes>(60);
    ranges_are_what_occurs::<Connections>(60);
    ranges_are_what_occurs::<Ladder>(400);
}

/// Runs every point on a game with these options.
fn conform<R: Game>(options: &str) {
    conform_in::<R>(MATCHES, options);
}

/// The same in so many matches.
fn conform_in<R: Game>(matches: u64, options: &str) {
    println!("{} with {options}", R::NAME);
    let rules = &R::new(serde_json::from_str(options).unwrap()).unwrap();
    descriptions_fit(rules);
    ids_and_notation_are_inverse(rules);
    check_agrees_with_the_list(rules, matches);
    illegal_play_is_refused(options, rules, matches);
    legal_actions_end_with_the_match(rules, matches);
    legal_actions_are_in_order(rules, matches);
    nothing_hidden_leaks(rules, matches);
    states_stay_valid(rules, matches);
    positions_come_back(rules, matches);
    copies_and_saved_matches_play_on::<R>(options, matches);
    rewards_add_up(options, rules, matches);
    rows_fit_their_layouts(rules, matches);
    observations_are_relative_to_the_viewer(rules, matches);
    matches_end_within_the_limit::<R>(options, matches);
    time_outs_are_refused_or_lead_on(rules, matches);
    agents_choose_by_what_they_know(rules, matches);
    trees_grow_by_what_is_known::<R>(options, matches);
    advice_is_legal_and_blind(rules, matches);
    actions_name_places_of_the_picture(rules, matches);
    pictures_are_in_pieces(rules, matches);
    sessions_tell_a_seat_what_it_knows::<R>(options, matches);
    fast_ways_agree_with_plain_ones(rules, matches);
    names_of_what_is_inside_are_unique::<R>(options, rules);
    pieces_are_followed_from_hand_to_hand(rules, matches);
}

/// Layouts have unique names and no gaps; every option is explained, and the filled-in options are options again.
fn descriptions_fit<R: Game>(rules: &R) {
    for layout in [rules.actions(), rules.observation(), rules.facts()] {
        assert_without_gaps(layout);
    }
    assert!(rules.actions().blocks().iter().all(|block| block.high == 1), "an action is legal or not");
    assert!((1..=MAX_SEATS).contains(&rules.num_seats()));

    let value = serde_json::to_value(rules.options()).unwrap();
    let keys: BTreeSet<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    let meanings = options::meanings::<R>();
    let explained: BTreeSet<&str> = meanings.iter().map(|(name, _)| *name).collect();
    assert_eq!(explained, keys);
    assert!(meanings.iter().all(|(_, meaning)| !meaning.is_empty()));

    let again = R::new(serde_json::from_value(value.clone()).unwrap()).unwrap();
    assert_eq!(serde_json::to_value(again.options()).unwrap(), value);
    settings_are_what_options_can_be(rules, &meanings);
}

/// What people may set is accepted, one by one, and what is just beyond is refused.
fn settings_are_what_options_can_be<R: Game>(rules: &R, meanings: &[(&'static str, String)]) {
    let start = |name: &str, value: &serde_json::Value| {
        let options = serde_json::from_value(serde_json::json!({ name: value })).map_err(|error| error.to_string())?;
        R::new(options).map(drop).map_err(|error| error.to_string())
    };
    for (name, setting) in rules.settings() {
        assert!(meanings.iter().any(|(option, _)| *option == name), "{name}");
        let good: Vec<serde_json::Value> = match setting {
            Setting::Number(from, to) => {
                let beyond = [Some(to + 1), from.checked_sub(1)].into_iter().flatten();
                beyond.for_each(|value| assert!(start(name, &value.into()).is_err(), "{name} = {value}"));
                vec![from.into(), to.into()]
            }
            Setting::One(values) => values,
            // What there is to choose from depends on other options.
            Setting::Several(words) => {
                assert!(!words.is_empty());
                continue;
            }
            Setting::Switch => vec![true.into(), false.into()],
        };
        for value in &good {
            assert_eq!(start(name, value), Ok(()), "{name} = {value}");
        }
    }
}

fn assert_without_gaps(layout: &Layout) {
    let mut end = 0;
    let mut names = BTreeSet::new();
    for block in layout.blocks() {
        assert_eq!(block.start, end, "{}", block.name);
        assert!(names.insert(block.name), "two blocks {}", block.name);
        assert!(block.size() > 0 && block.high > 0 && !block.meaning.is_empty(), "{}", block.name);
        assert!(block.labels.is_empty() || block.shape.last() == Some(&block.labels.len()), "{}", block.name);
        end += block.size();
    }
    assert_eq!(layout.size(), end);
}

/// Point 1: action ids and actions are inverse over the whole range; notation comes back, in any case and with space.
fn ids_and_notation_are_inverse<R: Game>(rules: &R) {
    for id in 0..rules.actions().size() {
        let action = rules.action(id);
        assert_eq!(rules.action_id(action), id);
        let text = rules.notation(action);
        for spelling in [text.clone(), format!("  {} ", text.to_uppercase())] {
            assert_eq!(rules.parse(&spelling), Some(action), "{spelling:?}");
        }
    }
    assert_eq!(rules.parse(""), None);
}

/// Point 2: `check` accepts exactly what `legal_actions` lists, on every id; so do mask, count and random choice.
fn check_agrees_with_the_list<R: Game>(rules: &R, matches: u64) {
    let mut scratch = Vec::new();
    visit_some(rules, matches, |state, rng| {
        let legal = legal(rules, state);
        for id in 0..rules.actions().size() {
            let action = rules.action(id);
            assert_eq!(rules.check(state, action).is_ok(), legal.contains(&action), "{action:?} in {state:?}");
        }
        let mut mask = vec![7; rules.actions().size()];
        rules.write_mask(state, &mut mask, &mut scratch);
        let mut listed = mask.clone();
        by_list::write_mask(rules, state, &mut listed, &mut scratch);
        assert_eq!(mask, listed);
        assert_eq!(rules.num_legal(state, &mut scratch), legal.len());
        if !legal.is_empty() {
            for bits in [0, u64::MAX, rng.bits()] {
                let chosen = rules.random_action(state, bits, &mut scratch);
                assert_eq!(chosen, by_list::random_action(rules, state, bits, &mut scratch));
            }
        }
    });
}

/// Point 2: an illegal action is refused with a reason, and nothing changes.
fn illegal_play_is_refused<R: Game>(options: &str, rules: &R, matches: u64) {
    for seed in 0..matches.div_ceil(unless_long(4)) {
        let mut table = Table::new::<R>(options, seed);
        let mut rng = rng(seed);
        while table.is_running() {
            let mut game = table.game();
            let saved = game.save().unwrap();
            let id = rng.below(rules.actions().size() as u64) as usize;
            if !game.legal().contains(&id) {
                let message = game.play(id as i64).unwrap_err().to_string();
                assert!(message.starts_with(&rules.notation(rules.action(id))), "{message}");
                assert_eq!(game.save().unwrap(), saved);
            }
            table.step();
        }
    }
}

/// Point 3: while the match runs there is a legal action; afterwards none, and every action is refused without change.
fn legal_actions_end_with_the_match<R: Game>(rules: &R, matches: u64) {
    visit_some(rules, matches, |state, _| {
        let is_over = rules.to_act(state).is_none();
        assert_eq!(legal(rules, state).is_empty(), is_over);
        assert!(rules.to_act(state).is_none_or(|seat| seat.index() < rules.num_seats()));
        if is_over {
            let before = state.clone();
            assert!((0..rules.actions().size()).all(|id| rules.check(state, rules.action(id)).is_err()));
            assert_eq!(*state, before);
        }
    });
}

/// Point 4: legal actions come in the order of their ids, so without duplicates.
fn legal_actions_are_in_order<R: Game>(rules: &R, matches: u64) {
    visit_some(rules, matches, |state, _| {
        let ids: Vec<usize> = legal(rules, state).into_iter().map(|action| rules.action_id(action)).collect();
        assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
    });
}

/// Point 5: what a seat sees, may do and thinks of it survives another guess of what it does not see; the guess is a
/// valid state.
fn nothing_hidden_leaks<R: Game>(rules: &R, matches: u64) {
    visit(rules, matches.div_ceil(unless_long(2)), |state, rng| assert_nothing_leaks(rules, state, rng));
}

fn assert_nothing_leaks<R: Game>(rules: &R, state: &R::State, rng: &mut Rng) {
    for viewer in seats(rules) {
        let mut guess = state.clone();
        rules.resample_hidden(&mut guess, viewer, rng);
        rules.validate(&guess).unwrap();
        assert_eq!(rules.to_act(&guess), rules.to_act(state));
        assert_eq!(row(rules, &guess, viewer), row(rules, state, viewer));
        assert_eq!(rules.text(&guess, Some(viewer).into()), rules.text(state, Some(viewer).into()));
        if rng.below(PICTURES) == 0 {
            assert_eq!(picture(rules, &guess, viewer), picture(rules, state, viewer));
            let watched = |state| rules.picture(state, Viewer::Onlooker, None, Looks::default());
            assert_eq!(watched(&guess), watched(state));
            assert_eq!(watched(state).places(), []);
        }
        assert_eq!(rules.moment(&guess), rules.moment(state));
        // Whoever has no hand sees less than any seat does.
        assert_eq!(rules.text(&guess, Viewer::Onlooker), rules.text(state, Viewer::Onlooker));
        assert_eq!(rules.view(&guess, Viewer::Onlooker), rules.view(state, Viewer::Onlooker));
        assert_eq!(rules.view(&guess, Some(viewer).into()), rules.view(state, Some(viewer).into()));
        if rules.to_act(state) == Some(viewer) {
            let actions = legal(rules, state);
            assert_eq!(legal(rules, &guess), actions);
            let action = actions[rng.below(actions.len() as u64) as usize];
            assert_eq!(rules.value(&guess, action), rules.value(state, action), "{action:?}");
            assert_eq!(facts(rules, &guess), facts(rules, state));
        }
        // The same guess again comes of what the viewer knows, and of nothing else.
        let [mut again, mut other] = [state.clone(), guess];
        rules.resample_hidden(&mut again, viewer, &mut rng.clone());
        rules.resample_hidden(&mut other, viewer, &mut rng.clone());
        assert_eq!(again, other);
    }
}

/// Point 6: every state of a match is valid, and stays itself as JSON.
fn states_stay_valid<R: Game>(rules: &R, matches: u64) {
    visit_some(rules, matches, |state, _| {
        if let Err(error) = rules.validate(state) {
            panic!("{error}: {state:?}");
        }
        let json = serde_json::to_string(state).unwrap();
        assert_eq!(serde_json::from_str::<R::State>(&json).unwrap(), *state);
    });
}

/// Point 6: the text of a position is read as a valid state with the same text and the same legal actions.
fn positions_come_back<R: Game>(rules: &R, matches: u64) {
    visit_some(rules, matches, |state, _| {
        if rules.to_act(state).is_some() {
            let text = rules.position(state);
            let again = rules.parse_position(&text).unwrap();
            rules.validate(&again).unwrap();
            assert_eq!(rules.position(&again), text);
            assert_eq!(legal(rules, &again), legal(rules, state));
        }
    });
}

/// Point 7: a saved match, loaded elsewhere, plays on as if nothing had happened; so does a copy, and the original stays.
fn copies_and_saved_matches_play_on<R: Game>(options: &str, matches: u64) {
    for seed in 0..matches.div_ceil(unless_long(4)) {
        let mut table = Table::new::<R>(options, seed);
        let mut pause = rng(seed);
        while table.is_running() {
            if pause.below(10) == 0 {
                let saved = table.game().save().unwrap();
                let mut loaded = Table::new::<R>(options, seed + matches);
                let mut game = loaded.game();
                game.load(&saved).unwrap();
                loaded.batch.set(0, &*game).unwrap();
                let mut copy = Table::of(table.batch.select(&[0]).unwrap());
                for _ in 0..100 {
                    assert_eq!(copy.game().save().unwrap(), loaded.game().save().unwrap());
                    assert_eq!(copy.step(), loaded.step());
                    assert_eq!(copy.buffers, loaded.buffers);
                }
                assert_eq!(table.game().save().unwrap(), saved, "the original has moved");
            }
            table.step();
        }
    }
}

/// Point 8: returns are in their range, a zero-sum game's add up to nothing, 0 beyond the table, and what the rewards add
/// up to.
fn rewards_add_up<R: Game>(options: &str, rules: &R, matches: u64) {
    let [lowest, highest] = rules.range_of_returns();
    let is_zero_sum = rules.nature().is_zero_sum;
    visit_some(rules, matches, |state, _| {
        let returns = rules.returns(state);
        assert!(!is_zero_sum || returns.iter().sum::<f32>().abs() < 1e-4, "{returns:?}");
        assert!(returns.iter().all(|earned| (lowest..=highest).contains(earned)), "{returns:?}");
        assert!(returns[rules.num_seats()..].iter().all(|&earned| earned == 0.0));
    });
    for seed in 0..matches.div_ceil(unless_long(4)) {
        let mut table = Table::new::<R>(options, seed);
        let mut sums = vec![0.0; rules.num_seats()];
        while table.is_running() {
            table.step();
            for (sum, reward) in sums.iter_mut().zip(&table.buffers.reward) {
                *sum += reward;
            }
            let returns = table.game().returns();
            assert!(sums.iter().zip(returns).all(|(sum, earned)| (sum - earned).abs() < 1e-4));
        }
    }
}

/// Point 9: every entry of a row is within its block's bounds, and the whole row is written.
fn rows_fit_their_layouts<R: Game>(rules: &R, matches: u64) {
    visit_some(rules, matches, |state, _| {
        for viewer in seats(rules) {
            let row = row(rules, state, viewer);
            let mut dirty = vec![u8::MAX; row.len()];
            rules.observe(state, viewer, &mut dirty);
            assert_eq!(dirty, row, "a row with rests of the last");
            assert_within(rules.observation(), &row);
        }
        for (action, row) in legal(rules, state).into_iter().zip(facts(rules, state)) {
            let mut dirty = vec![u8::MAX; row.len()];
            rules.describe_action(state, action, &mut dirty);
            assert_eq!(dirty, row, "a row with rests of the last");
            assert_within(rules.facts(), &row);
        }
    });
}

/// Point 9: ranges are what occurs. Over random and greedy play with the usual options every block of amounts gets at
/// least a third as far as its range says, below its zero too.
fn ranges_are_what_occurs<R: Game>(matches: u64) {
    let rules = &R::new(R::Options::default()).unwrap();
    let layouts = [rules.observation(), rules.facts()];
    let mut least = layouts.map(|layout| vec![u8::MAX; layout.size()]);
    let mut most = layouts.map(|layout| vec![0; layout.size()]);
    let mut widen = |which: usize, row: &[u8]| {
        for (at, &entry) in row.iter().enumerate() {
            least[which][at] = least[which][at].min(entry);
            most[which][at] = most[which][at].max(entry);
        }
    };
    for agent in ["random", "greedy"] {
        visit_by(rules, agent, matches, |state, _| {
            for viewer in seats(rules) {
                widen(0, &row(rules, state, viewer));
            }
            for row in facts(rules, state) {
                widen(1, &row);
            }
        });
    }
    for (which, layout) in layouts.into_iter().enumerate() {
        for block in layout.blocks().iter().filter(|block| block.high > 1 && block.classes.is_none()) {
            let entries = block.start..block.start + block.size();
            let most = most[which][entries.clone()].iter().copied().max().map_or(0, i16::from) - block.offset;
            let least = least[which][entries].iter().copied().min().map_or(0, i16::from) - block.offset;
            let (low, high) = (-block.offset, i16::from(block.high) - block.offset);
            assert!(
                3 * most >= high && (low == 0 || 3 * least <= low),
                "{}: {least} to {most} of {low} to {high}",
                block.name
            );
        }
    }
}

fn assert_within(layout: &Layout, row: &[u8]) {
    for block in layout.blocks() {
        let entries = &row[block.start..block.start + block.size()];
        assert!(entries.iter().all(|&entry| entry <= block.high), "{}: {entries:?}", block.name);
    }
}

/// Point 9: blocks by seat begin with the viewer's own and go on clockwise, so they are the same for all but for where
/// they begin; `to_act` is for the seat to act alone.
fn observations_are_relative_to_the_viewer<R: Game>(rules: &R, matches: u64) {
    let blocks = rules.observation().blocks();
    let num_seats = rules.num_seats();
    assert!(blocks.iter().all(|block| !block.by_seat || block.shape.first() == Some(&num_seats)));
    visit_some(rules, matches, |state, _| {
        let rows: Vec<Vec<u8>> = seats(rules).map(|viewer| row(rules, state, viewer)).collect();
        for block in blocks {
            let of = |viewer: usize| &rows[viewer][block.start..block.start + block.size()];
            let deciding = |seat: usize| u8::from(rules.to_act(state) == Some(Seat::new(seat)));
            for viewer in 0..num_seats {
                if block.by_seat {
                    let mut turned = of(viewer).to_vec();
                    turned.rotate_right(viewer * block.size() / num_seats);
                    assert_eq!(turned, of(0), "{}", block.name);
                }
                if block.name == "to_act" {
                    assert_eq!(of(viewer)[0], deciding(viewer));
                    assert_eq!(block.size(), if block.by_seat { num_seats } else { 1 });
                }
            }
        }
        if let [one, other] = &rows[..] {
            assert_mirrored(blocks, one, other);
        }
    });
}

/// At a table of two, one seat's `mine` is the other's `theirs`, as blocks and as labels; a signed number changes its
/// sign, and signed places are the same.
fn assert_mirrored(blocks: &[Block], one: &[u8], other: &[u8]) {
    let both = |block: &Block| [one, other].map(|row| row[block.start..block.start + block.size()].to_vec());
    let named = |name| blocks.iter().find(|block| block.name == name).map(both);
    let theirs = named("theirs").map(|[one, other]| [other, one]);
    assert_eq!(named("mine"), theirs);
    for block in blocks {
        let [mut one, other] = both(block);
        if block.labels == ["mine", "theirs"] {
            one.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
            assert_eq!(one, other, "{}", block.name);
        }
        if block.offset != 0 && !block.shape.is_empty() {
            assert_eq!(one, other, "{}", block.name);
        } else if block.offset != 0 {
            let signed = |entry: &u8| i16::from(*entry) - block.offset;
            let is_opposite = |(one, other)| signed(one) == -signed(other) || signed(one).abs() >= 127;
            assert!(one.iter().zip(&other).all(is_opposite), "{}: {one:?} {other:?}", block.name);
        }
    }
}

/// Point 10: random matches end within the limit.
fn matches_end_within_the_limit<R: Game>(options: &str, matches: u64) {
    for seed in 0..matches {
        let mut table = Table::new::<R>(options, seed);
        while table.is_running() {
            table.step();
        }
        assert_eq!((table.buffers.status[0], table.buffers.seat[0]), (Status::Over as u8, -1));
        assert!(table.buffers.mask.iter().all(|&flag| flag == 0));
    }
}

/// Point 11: a time-out is refused with a reason and without change, as it is after the match, or it leads to a valid
/// state that leaks nothing.
fn time_outs_are_refused_or_lead_on<R: Game>(rules: &R, matches: u64) {
    visit_some(rules, matches, |state, rng| {
        let mut next = state.clone();
        let mut chance = rng.clone();
        if let Err(reason) = rules.time_out(&mut next, &mut chance) {
            assert!(!reason.is_empty());
            assert_eq!((&next, &chance), (state, &*rng));
            return;
        }
        assert!(rules.to_act(state).is_some(), "a time-out after the match");
        if let Err(error) = rules.validate(&next) {
            panic!("{error}: {next:?}");
        }
        assert_eq!(legal(rules, &next).is_empty(), rules.to_act(&next).is_none());
        assert_nothing_leaks(rules, &next, &mut chance);
    });
}

/// Rows, counts and plays that a game has a faster way for come out as the plain ones.
fn fast_ways_agree_with_plain_ones<R: Game>(rules: &R, matches: u64) {
    let (width, actions) = (rules.observation().size(), rules.actions().size());
    let scratch = &mut Vec::new();
    visit_some(rules, matches, |state, rng| {
        let listed = legal(rules, state);
        if listed.is_empty() {
            return;
        }
        assert_eq!(rules.count_two(state, rng, scratch), by_list::count_two(rules, state, rng, scratch));
        let (mut fast, mut plain) = (vec![7; actions], vec![9; actions]);
        let (mut fast_row, mut plain_row) = (vec![7; width], vec![9; width]);
        let fast_seat = rules.write_turn(state, &mut fast_row, &mut fast, scratch);
        let plain_seat = by_list::write_turn(rules, state, &mut plain_row, &mut plain, scratch);
        assert_eq!((fast_seat, fast_row, fast), (plain_seat, plain_row, plain));
        let mut fast_rows = vec![7; listed.len() * rules.facts().size()];
        rules.describe_actions(state, &listed, &mut fast_rows);
        assert_eq!(fast_rows, facts(rules, state).concat());
        let mut judged = Vec::new();
        rules.values(state, &listed, |value| judged.push(value));
        assert_eq!(judged, listed.iter().map(|&action| rules.value(state, action)).collect::<Vec<_>>());
        let mut fast: Vec<_> = listed.iter().map(|_| (state.clone(), rng.clone())).collect();
        let mut plain = fast.clone();
        let plays = fast.iter_mut().zip(&listed);
        rules.apply_each(plays.map(|((state, rng), &action)| Play { state, action, rng }));
        for ((state, rng), &action) in plain.iter_mut().zip(&listed) {
            rules.apply(state, action, rng);
        }
        assert_eq!(fast, plain);
    });
}

/// The built-in agents choose legal actions, and go by what their seat knows: another guess of what it does not know
/// makes no difference.
fn agents_choose_by_what_they_know<R: Game>(rules: &R, matches: u64) {
    let stop = AtomicBool::new(false);
    let searches =
        ["search(iterations=6, depth=4)", "search(iterations=4, depth=4, playouts=sampled, samples=2, threads=2)"];
    for text in ["random", "easy", "greedy"].into_iter().chain(searches) {
        let agent = agents::make(rules, text).unwrap();
        let mut scratch = Vec::new();
        visit_some(rules, matches, |state, rng| {
            let Some(seat) = rules.to_act(state) else { return };
            let random = rng.bits();
            let action = agent.choose(rules, state, random, &stop, &mut scratch);
            assert!(rules.check(state, action).is_ok(), "{text} chooses {action:?} in {state:?}");
            let mut guess = state.clone();
            rules.resample_hidden(&mut guess, seat, rng);
            assert_eq!(agent.choose(rules, &guess, random, &stop, &mut scratch), action, "{text} peeks in {state:?}");
        });
    }
}

/// A tree search tries legal actions, as often as it should, and another guess of what the seat to act does not know makes
/// no difference.
fn trees_grow_by_what_is_known<R: Game>(options: &str, matches: u64) {
    for seed in 0..matches.min(4) {
        let rules = R::new(serde_json::from_str(options).unwrap()).unwrap();
        let mut batch = Batch::new(rules, &Config { seed, ..Config::default() }).unwrap();
        let mut buffers = batch.buffers();
        let mut actions = [0];
        for decision in 0..40 {
            let Some(seat) = batch.to_match(0).unwrap().to_act() else { break };
            if decision % 5 == seed % 5 {
                let method = if decision % 2 == 0 { Method::Puct } else { Method::Gumbel };
                let grown = |batch: &Batch<R>| {
                    let mut forest =
                        Forest::new(batch, Settings { simulations: 12, method, ..Settings::default() }).unwrap();
                    forest.think(batch, 0, &Uniform, &AtomicBool::new(false)).unwrap();
                    let mut found = Results::new(1, batch.widths());
                    forest.results(found.rows()).unwrap();
                    found
                };
                let found = grown(&batch);
                let legal = batch.to_match(0).unwrap().legal();
                assert_eq!(legal.iter().map(|&id| found.visit_counts[id]).sum::<i32>(), 12);
                assert!(legal.contains(&(found.actions[0] as usize)));
                let mut guess = batch.select(&[0]).unwrap();
                guess.resample_hidden(seat, decision as u32);
                assert_eq!(grown(&guess), found, "it peeks after {decision} decisions of match {seed}");
            }
            batch.sample(&mut actions).unwrap();
            batch.step(&actions, buffers.rows()).unwrap();
        }
    }
}

/// What is left of the legal actions without mistakes is some of them, every one has a reason in a few words, and both
/// are the same whatever the seat to act has not seen.
fn advice_is_legal_and_blind<R: Game>(rules: &R, matches: u64) {
    let advice = |state: &R::State| {
        let mut sensible = legal(rules, state);
        let reasons: Vec<String> = sensible.iter().map(|&action| rules.reason(state, action)).collect();
        rules.drop_mistakes(state, &mut sensible);
        (sensible, reasons)
    };
    visit_some(rules, matches, |state, rng| {
        let Some(seat) = rules.to_act(state) else { return };
        let (sensible, reasons) = advice(state);
        let legal = legal(rules, state);
        assert!(!sensible.is_empty() && sensible.iter().all(|action| legal.contains(action)), "in {state:?}");
        let is_short = |reason: &String| (1..=90).contains(&reason.len()) && !reason.ends_with('.');
        assert!(reasons.iter().all(is_short), "{reasons:?}");
        let mut guess = state.clone();
        rules.resample_hidden(&mut guess, seat, rng);
        assert_eq!(advice(&guess), (sensible, reasons), "somebody peeks in {state:?}");
    });
}

/// What is clicked for a legal action is in the picture of the seat to act, so that every one of them can be chosen by
/// its places, and its phrase and kind say something.
fn actions_name_places_of_the_picture<R: Game>(rules: &R, matches: u64) {
    for id in 0..rules.actions().size() {
        let spoken = rules.say(rules.action(id));
        assert!(!spoken.kind.is_empty() && spoken.places.iter().all(|way| !way.is_empty()), "{spoken:?}");
        assert!(!spoken.phrase.said(Seat::new(0), &Names::plain()).is_empty(), "{spoken:?}");
    }
    visit(rules, matches.div_ceil(unless_long(2)), |state, rng| {
        let Some(seat) = rules.to_act(state).filter(|_| rng.below(PICTURES) == 0) else { return };
        let places = picture(rules, state, seat).places();
        for action in legal(rules, state) {
            let spoken = rules.say(action);
            let is_there = |way: &Vec<Place>| way.iter().all(|place| places.contains(place));
            assert!(spoken.places.is_empty() || spoken.places.iter().any(is_there), "{spoken:?} in {places:?}");
        }
    });
}

/// The pieces of a picture lie on its paper, each by itself, and what is held or taken one by one. What can be played is
/// marked neither for onlookers nor where it is not to be marked; it can be clicked in any case.
fn pictures_are_in_pieces<R: Game>(rules: &R, matches: u64) {
    let viewers = || [Viewer::Everything, Viewer::Onlooker].into_iter().chain(seats(rules).map(Viewer::Seat));
    visit(rules, matches.div_ceil(unless_long(4)), |state, rng| {
        let (viewer, hides_moves) = (rng.below(2 + rules.num_seats() as u64), rng.below(2) == 0);
        let Some(viewer) = viewers().nth(viewer as usize).filter(|_| rng.below(PICTURES) == 0) else { return };
        let to_act = rules.to_act(state);
        let picture = rules.picture(state, viewer, None, Looks::of(&[u8::from(hides_moves)]));
        assert_apart(&picture);
        let is_marked = picture.svg().contains("data-legal");
        assert!(!is_marked || !hides_moves && viewer != Viewer::Onlooker, "{viewer:?}");
        for piece in picture.pieces.iter().filter(|piece| matches!(piece.role, Role::Hand | Role::Stock)) {
            assert!(piece.places().count() <= usize::from(viewer.seat().is_some()), "{piece:?}");
        }
        if viewer.seat().is_some() && viewer.seat() == to_act {
            let places = picture.places();
            for spoken in legal(rules, state).into_iter().map(|action| rules.say(action)) {
                let is_there = |way: &Vec<Place>| way.iter().all(|place| places.contains(place));
                assert!(spoken.places.is_empty() || spoken.places.iter().any(is_there), "{spoken:?}");
            }
        }
    });
}

/// The pieces of a picture are within it, and none is on another.
fn assert_apart(picture: &Picture) {
    let [width, height] = picture.size;
    for (number, one) in picture.pieces.iter().enumerate() {
        let [left, top, wide, high] = one.area;
        let is_within = left >= 0.0 && top >= 0.0 && left + wide <= width && top + high <= height;
        assert!(is_within && wide > 0.0 && high > 0.0, "{:?} in {:?}: {one:?}", one.area, picture.size);
        for other in &picture.pieces[..number] {
            let common = |from: usize| {
                let end = |area: [f64; 4]| area[from] + area[from + 2];
                end(one.area).min(end(other.area)) - one.area[from].max(other.area[from])
            };
            assert!(common(0) < 1.0 || common(1) < 1.0, "{one:?} is on {other:?}");
        }
    }
}

/// What a session sends to a seat, with a person at each, survives another guess of what that seat does not see: its
/// update, and the answers to whatever it clicks, types and asks.
fn sessions_tell_a_seat_what_it_knows<R: Game>(options: &str, matches: u64) {
    for seed in 0..matches.div_ceil(4) {
        let mut table = Table::new::<R>(options, seed);
        let mut pause = rng(seed);
        while table.is_running() {
            if pause.below(12 * unless_long(2)) == 0 {
                let game = table.game();
                (0..game.num_seats())
                    .for_each(|seat| assert_session_leaks_nothing(&*game, Seat::new(seat), seed as u32));
            }
            table.step();
        }
    }
}

/// No two columns of a table of states have a name, nor two pieces, nor two spots.
fn names_of_what_is_inside_are_unique<R: Game>(options: &str, rules: &R) {
    let plan = Plan {
        seed: 1,
        first: 0,
        episodes: 1,
        threads: 1,
        max_decisions: 2,
        agents: vec![Some("random".to_owned()); rules.num_seats()],
        names: vec!["random".to_owned(); rules.num_seats()],
        rotate: false,
        record: Record::States,
        start: None,
    };
    let options = serde_json::from_str(options).unwrap();
    let table = registry::find(R::NAME).unwrap().run(&options, &plan, None, &mut |_| true).unwrap().table;
    assert_unique(table.schema().fields().iter().map(|field| field.name().clone()));
    assert_unique(rules.pieces());
    assert_unique(rules.spots().iter().map(Place::to_string));
}

fn assert_unique(names: impl IntoIterator<Item = String>) {
    let mut seen = BTreeSet::new();
    names.into_iter().for_each(|name| assert!(seen.insert(name.clone()), "{name:?} is there twice"));
}

/// What is laid leaves the hand of its owner, and nothing else leaves a hand with it; hands are dealt anew with another
/// deal alone, and are still there at the end. An action names the spot where something is laid, so it is in the
/// picture. Every figure is written, and "hand" is how many pieces are held.
fn pieces_are_followed_from_hand_to_hand<R: Game>(rules: &R, matches: u64) {
    let (kinds, spots) = (rules.pieces().len(), rules.spots());
    let said = (0..rules.actions().size()).flat_map(|id| rules.say(rules.action(id)).places.concat());
    let places: BTreeSet<String> = said.map(|place| place.to_string()).collect();
    let (agent, stop) = (agents::make(rules, "random").unwrap(), AtomicBool::new(false));
    let mut scratch = Vec::new();
    for seed in 0..matches {
        let mut rng = rng(seed);
        let mut state = rules.start(&mut rng);
        let holds_pieces = hands(rules, &state, kinds).concat().iter().any(|&count| count > 0);
        for _ in 0..Config::default().max_decisions {
            if rules.to_act(&state).is_none() {
                break;
            }
            let (before, deal) = (hands(rules, &state, kinds), rules.deal(&state));
            assert_figures(rules, &state, &before);
            let action = agent.choose(rules, &state, rng.bits(), &stop, &mut scratch);
            let mut lays = Vec::new();
            rules.lays(&state, action, &mut lays);
            let is_place = |spot: u16| places.contains(&spots[usize::from(spot)].to_string());
            let is_known = |lay: &Lay| usize::from(lay.piece) < kinds && lay.spot.is_none_or(is_place);
            assert!(lays.iter().all(is_known), "{lays:?}");
            let closing = rules.closing(&state, action, &mut rng.clone());
            let closing = closing.map(|closing| hands(rules, &closing, kinds));
            rules.apply(&mut state, action, &mut rng);
            let is_dealt_anew = rules.deal(&state) != deal;
            assert!(!is_dealt_anew || rules.deal(&state) == deal + 1 && rules.to_act(&state).is_some());
            let applied = hands(rules, &state, kinds);
            let after = match closing {
                Some(closing) => {
                    assert!(is_dealt_anew || closing == applied, "closing {action:?}");
                    closing
                }
                None if is_dealt_anew => continue,
                None => applied,
            };
            assert_laid(&before, &after, &lays, holds_pieces);
        }
    }
}

/// The pieces of every seat, by kind.
fn hands<R: Game>(rules: &R, state: &R::State, kinds: usize) -> Vec<Vec<u8>> {
    let hand = |seat| {
        let mut counts = vec![0; kinds];
        rules.count_hand(state, seat, &mut counts);
        counts
    };
    seats(rules).map(hand).collect()
}

fn assert_figures<R: Game>(rules: &R, state: &R::State, hands: &[Vec<u8>]) {
    let mut names = Vec::new();
    for figure in R::FIGURES {
        let seats = if figure.by_seat { rules.num_seats() } else { 1 };
        names.extend((0..seats).map(|seat| (figure.name, seat)));
    }
    let mut figures = vec![i32::MIN; names.len()];
    rules.figures(state, &mut figures);
    for (&(name, seat), &figure) in names.iter().zip(&figures) {
        assert!(figure >= 0, "{name} is {figure} in {state:?}");
        let held: i32 = hands[seat].iter().map(|&count| i32::from(count)).sum();
        assert!(name != "hand" || figure == held, "seat {seat}: {figure} for {held} in {state:?}");
    }
}

fn assert_laid(before: &[Vec<u8>], after: &[Vec<u8>], lays: &[Lay], holds_pieces: bool) {
    let number = |seat: usize, kind: usize| {
        lays.iter().filter(|lay| lay.seat.index() == seat && usize::from(lay.piece) == kind).count()
    };
    let mut lost = 0;
    for (seat, (before, after)) in before.iter().zip(after).enumerate() {
        for (kind, (&before, &after)) in before.iter().zip(after).enumerate() {
            let (before, after, laid) = (usize::from(before), usize::from(after), number(seat, kind));
            if laid > 0 && holds_pieces {
                assert_eq!(before, after + laid, "seat {seat}, piece {kind}: {lays:?}");
            } else {
                lost += before.saturating_sub(after);
                assert!(lays.is_empty() || before <= after, "seat {seat} loses piece {kind} by {lays:?}");
            }
        }
    }
    assert!(lost <= 2, "a decision takes at most one piece out of a hand, or trades two");
}

fn assert_session_leaks_nothing(game: &dyn AnyMatch, seat: Seat, purpose: u32) {
    let mut guess = game.copy(None);
    guess.resample_hidden(seat, purpose);
    let everybody = || vec![Sitter::Person; game.num_seats()];
    let [mut real, mut guessed] = [game.copy(None), guess].map(|game| Session::new(game, everybody(), None).unwrap());
    let update = real.update(seat);
    let mut seen = json(&update);
    assert_eq!(seen, json(&guessed.update(seat)));
    assert_eq!(json(&real.watch()), json(&guessed.watch()));
    let stop = AtomicBool::new(false);
    let is_own = game.to_act() == Some(seat);
    let places = update.picture.places();
    let picks = places.iter().step_by(5).take(12).map(|place| ("pick", place.to_string()));
    let asks = [("drop", String::new()), ("why", "1".to_owned()), ("why", "no".to_owned())];
    for (verb, what) in picks.chain(asks.into_iter().filter(|_| is_own)) {
        let message = Message { r#do: verb.into(), what: what.into(), number: seen["number"].take() };
        real.receive(seat, &message, &stop);
        seen = json(&real.update(seat));
        if seen["number"] != message.number {
            return; // Something was played; what follows is another guess's own.
        }
        guessed.receive(seat, &message, &stop);
        assert_eq!(seen, json(&guessed.update(seat)), "{message:?}");
    }
}

fn json(update: &Update) -> serde_json::Value {
    serde_json::to_value(update).unwrap()
}

fn picture<R: Game>(rules: &R, state: &R::State, viewer: Seat) -> Picture {
    rules.picture(state, Some(viewer).into(), None, Looks::default())
}

/// A batch of one match with its arrays.
struct Table {
    batch: Box<dyn AnyBatch>,
    buffers: Buffers,
}

impl Table {
    fn new<R: Game>(options: &str, seed: u64) -> Self {
        let options = serde_json::from_str(options).unwrap();
        let config = Config { seed, ..Config::default() };
        Self::of(registry::find(R::NAME).unwrap().batch(&options, &config).unwrap())
    }

    fn of(batch: Box<dyn AnyBatch>) -> Self {
        let (lanes, widths) = batch.size();
        Self { batch, buffers: Buffers::new(lanes, widths) }
    }

    /// A copy of the match.
    fn game(&self) -> Box<dyn AnyMatch> {
        self.batch.get(0).unwrap()
    }

    /// Plays a random action and says which.
    fn step(&mut self) -> i32 {
        let mut action = [0];
        self.batch.sample(&mut action).unwrap();
        self.batch.step((&action).into(), self.buffers.rows()).unwrap();
        action[0]
    }

    fn is_running(&self) -> bool {
        self.buffers.status[0] == Status::Running as u8
    }
}

/// Plays random matches and shows some states of them, other ones of each, the last ones included.
fn visit_some<R: Game>(rules: &R, matches: u64, mut see: impl FnMut(&R::State, &mut Rng)) {
    let (stride, mut number) = (unless_long(STRIDE), 0);
    visit(rules, matches, |state, rng| {
        number += 1;
        if number % stride == 0 || rules.to_act(state).is_none() {
            see(state, rng);
        }
    });
}

/// Plays random matches and shows every state of them, the last ones included.
fn visit<R: Game>(rules: &R, matches: u64, see: impl FnMut(&R::State, &mut Rng)) {
    visit_by(rules, "random", matches, see);
}

/// The same with an agent at every seat.
fn visit_by<R: Game>(rules: &R, agent: &str, matches: u64, mut see: impl FnMut(&R::State, &mut Rng)) {
    let agent = agents::make(rules, agent).unwrap();
    let (stop, mut scratch) = (AtomicBool::new(false), Vec::new());
    for seed in 0..matches {
        let mut rng = rng(seed);
        let mut state = rules.start(&mut rng);
        see(&state, &mut rng);
        for _ in 0..Config::default().max_decisions {
            if rules.to_act(&state).is_none() {
                break;
            }
            let action = agent.choose(rules, &state, rng.bits(), &stop, &mut scratch);
            rules.apply(&mut state, action, &mut rng);
            see(&state, &mut rng);
        }
    }
}

fn rng(seed: u64) -> Rng {
    Rng::new(Origin { seed, lane: 0 }, 0, Purpose::Game)
}

fn legal<R: Rules>(rules: &R, state: &R::State) -> Vec<R::Action> {
    let mut actions = Vec::new();
    rules.legal_actions(state, &mut actions);
    actions
}

fn seats<R: Rules>(rules: &R) -> impl Iterator<Item = Seat> + use<R> {
    (0..rules.num_seats()).map(Seat::new)
}

fn row<R: Game>(rules: &R, state: &R::State, viewer: Seat) -> Vec<u8> {
    let mut row = vec![0; rules.observation().size()];
    rules.observe(state, viewer, &mut row);
    row
}

/// The facts about every legal action.
fn facts<R: Game>(rules: &R, state: &R::State) -> Vec<Vec<u8>> {
    let row = |action| {
        let mut row = vec![0; rules.facts().size()];
        rules.describe_action(state, action, &mut row);
        row
    };
    legal(rules, state).into_iter().map(row).collect()
}
