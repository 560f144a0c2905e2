//! Mapominoes, clause by clause (`src/games/mapominoes/RULES.md`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use adjoin::atlas::{Atlas, Source};
use adjoin::drawing::{Picture, Place};
use adjoin::game::{Describe as _, Encode as _, Looks, Names, Rules as _, Seat, Show as _, Spoken};
use adjoin::games::mapominoes::Mapominoes;
use serde_json::{Value, json};

use crate::table::{self, assert_names, json, options_refusal, position_refusal, with, words};

const CHALLENGES: &str = r#"{"challenges": true}"#;
const FREE_CHALLENGES: &str = r#"{"challenges": true, "draw": "free"}"#;
const ONE_ROUND: &str = r#"{"rounds": 1}"#;
const FREE: &str = r#"{"draw": "free"}"#;

type Match = table::Match<Mapominoes>;

impl Match {
    fn time_out(&mut self) -> Result<(), String> {
        self.rules.time_out(&mut self.state, &mut self.rng)
    }

    fn picture(&self, viewer: Option<usize>) -> Picture {
        self.rules.picture(&self.state, viewer.map(Seat::new).into(), None, Looks::default())
    }

    /// The legal nominees.
    fn nominees(&self) -> Vec<String> {
        self.legal().iter().filter_map(|text| text.strip_prefix("transit ")).map(str::to_owned).collect()
    }

    /// The cells that are legal after these choices.
    fn cells_after(&self, choices: &str) -> Vec<String> {
        self.after(choices).legal()
    }

    /// What lies on a cell.
    fn card(&self, cell: &str) -> Option<String> {
        self.the("table")[cell].as_str().map(str::to_owned)
    }

    fn num_cards(&self) -> usize {
        self.the("table").as_object().unwrap().len()
    }

    /// Every county card of the round: on the table, in the hands and undealt, with repetitions.
    fn counties(&self) -> Vec<String> {
        let table = self.the("table");
        let tabled = table.as_object().unwrap().values().filter_map(Value::as_str);
        let mut counties: Vec<String> =
            tabled.filter(|card| !card.starts_with("transit ")).map(str::to_owned).collect();
        counties.extend(self.hands().concat());
        counties.extend(words(&self.the("undealt")));
        counties.sort_unstable();
        counties
    }
}

fn rules(options: &str) -> Mapominoes {
    table::rules(options)
}

fn uk() -> Arc<Atlas> {
    Atlas::new(&Source::UkCounties).unwrap()
}

/// Options with an atlas of regions by their borders; all of them border the sea `deep`.
fn custom(regions: &[(&str, &[&str])], more: &str) -> String {
    let region = |&(id, borders): &(&str, &[&str])| {
        let name = id.to_uppercase();
        json!({"id": id, "name": name, "borders": borders, "waters": ["deep"]})
    };
    let regions: Vec<Value> = regions.iter().map(region).collect();
    let waters = json(r#"[{"id": "deep", "name": "The Deep", "kind": "sea"}]"#);
    let atlas = json!({"custom": {"name": "own", "regions": regions, "waters": waters}});
    format!(r#"{{"atlas": {atlas}{more}}}"#)
}

/// Regions that border the next one and the one before.
const CHAIN: [(&str, &[&str]); 6] = [
    ("ash", &["beech"]),
    ("beech", &["ash", "cedar"]),
    ("cedar", &["beech", "date"]),
    ("date", &["cedar", "elm"]),
    ("elm", &["date", "fir"]),
    ("fir", &["elm"]),
];

/// Fails unless the options are refused with a message that has all the words.
fn assert_refused(options: &str, words: &[&str]) {
    assert_names(&options_refusal::<Mapominoes>(options), words);
}

/// Fails unless the position is refused with a message that has all the words.
fn assert_impossible(options: &str, position: Value, words: &[&str]) {
    assert_names(&position_refusal::<Mapominoes>(options, position), words);
}

/// Kent in the middle; both hold counties that border it, and a transit card.
fn kent() -> Value {
    json(
        r#"{"table": {"P11": "kent"}, "hands": [["essex", "surrey"], ["greater_london", "hertfordshire"]],
        "transit": [1, 1], "pile": 3}"#,
    )
}

/// Gloucestershire – transit (Somerset) – Devon.
fn through_somerset(hands: &Value) -> Value {
    json!({"table": {"P11": "gloucestershire", "P12": "transit somerset", "P13": "devon"}, "hands": hands, "pile": 1})
}

/// Northamptonshire and Gloucestershire lie diagonally, beside the free cell Q11.
fn around_oxfordshire(hands: &Value) -> Value {
    json!({"table": {"P11": "northamptonshire", "P12": "warwickshire", "Q12": "gloucestershire"}, "hands": hands})
}

// Atlas and cards

#[test]
fn mapo_1_the_deck_is_the_108_counties_of_the_united_kingdom() {
    let counties = Match::new("{}").counties();
    let atlas = uk();
    let mut nations = BTreeMap::new();
    for county in &counties {
        let place = atlas.place(atlas.find_region(county).unwrap());
        *nations.entry(place.nations[0].clone()).or_insert(0) += 1;
    }
    let expected = [("England", 48), ("Northern Ireland", 6), ("Scotland", 32), ("Wales", 22)];
    assert_eq!(nations, expected.map(|(nation, count)| (nation.to_owned(), count)).into());
}

#[test]
fn mapo_1_other_atlases_ship() {
    for (atlas, regions) in [("world-countries", 207), ("us-states", 51)] {
        let start = Match::new(&format!(r#"{{"atlas": "{atlas}", "rounds": 1}}"#));
        assert_eq!(start.counties().len(), regions);
        let end = start.play_out(|state, _| assert!(state.number("round") == 1));
        assert_eq!(end.counties().len(), regions);
    }
}

#[test]
fn mapo_1_an_atlas_of_ones_own() {
    let mut game = Match::of(
        &custom(&CHAIN, ""),
        json(r#"{"table": {"P11": "cedar"}, "hands": [["beech", "fir"], ["date", "ash"]], "transit": [1, 0]}"#),
    );
    assert_eq!(game.legal(), ["BEECH", "transit The Deep"]);
    game.play("beech; P12; date; O11");
    assert_eq!(game.card("O11").as_deref(), Some("date"));
}

#[test]
fn mapo_1_an_atlas_has_at_most_254_places() {
    // A strip on which each region borders the two before it and the two after it.
    let id = |number: usize| format!("r{number}x");
    let near = |number: usize| (number.saturating_sub(2)..(number + 3).min(254)).filter(move |&other| other != number);
    let borders = |number: usize| near(number).map(id).collect::<Vec<_>>();
    let region = |number: usize| json!({"id": id(number), "name": id(number), "borders": borders(number)});
    let regions: Vec<Value> = (0..254).map(region).collect();
    let mut options = json!({"atlas": {"custom": {"name": "strip", "regions": regions}}, "rounds": 1, "players": 5});
    let mut number = 0;
    let end = Match::new(&options.to_string()).play_out(|game, _| {
        number += 1;
        if number % 50 == 1 && !game.is_over() {
            assert_eq!(game.legal(), Oracle::new(game).legal(), "{}", game.position());
        }
    });
    assert_eq!(end.counties().len(), 254);
    assert!(end.num_cards() > 50);
    options["atlas"]["custom"]["waters"] = json(r#"[{"id": "sea", "name": "Sea"}]"#);
    assert_refused(&options.to_string(), &["atlas", "255", "254"]);
}

#[test]
fn mapo_1_an_unknown_atlas_is_refused() {
    assert_refused(
        r#"{"atlas": "mars"}"#,
        &["mapominoes", "atlas", "mars", "uk-counties", "world-countries", "us-states"],
    );
    assert_refused(r#"{"atlas": 7}"#, &["atlas"]);
}

#[test]
fn mapo_1_an_atlas_that_contradicts_itself_is_refused() {
    let one_sided: [(&str, &[&str]); 3] = [("ash", &["beech"]), ("beech", &[]), ("cedar", &["ash"])];
    assert_refused(&custom(&one_sided, ""), &["atlas", "ASH", "borders", "BEECH"]);
    let unknown: [(&str, &[&str]); 3] = [("ash", &["oak"]), ("beech", &[]), ("cedar", &[])];
    assert_refused(&custom(&unknown, ""), &["atlas", "ASH", "oak"]);
    let itself: [(&str, &[&str]); 3] = [("ash", &["ash"]), ("beech", &[]), ("cedar", &[])];
    assert_refused(&custom(&itself, ""), &["atlas", "ASH", "itself"]);
    let twice: [(&str, &[&str]); 3] = [("ash", &[]), ("ash", &[]), ("cedar", &[])];
    assert_refused(&custom(&twice, ""), &["atlas", "ASH"]);
    assert_refused(&custom(&[], ""), &["atlas"]);
}

#[test]
fn mapo_1_a_region_that_is_called_like_another_action_is_refused() {
    for name in ["take", "pass", "B2", "transit deep"] {
        let regions: [(&str, &[&str]); 3] = [(name, &["beech"]), ("beech", &[name]), ("cedar", &[])];
        assert_refused(&custom(&regions, ""), &["atlas", &name.to_uppercase()]);
    }
    let regions: [(&str, &[&str]); 3] = [("challenge", &["beech"]), ("beech", &["challenge"]), ("cedar", &[])];
    assert_refused(&custom(&regions, r#", "challenges": true"#), &["atlas", "CHALLENGE"]);
    assert_eq!(rules(&custom(&regions, "")).notation(rules(&custom(&regions, "")).action(0)), "CHALLENGE");
}

#[test]
fn mapo_1_a_region_is_found_however_it_is_written() {
    let rules = rules("{}");
    let id = |text: &str| rules.parse(text).map(|action| rules.action_id(action));
    for spelling in ["greater_london", "GREATER LONDON", " greater  london ", "Gtr Lon", "GtrLon", "gtrlon"] {
        assert_eq!(id(spelling), id("Greater London"), "{spelling}");
    }
    for spelling in ["Tyne & Wear", "tyne_and_wear", "T&W"] {
        assert_eq!(id(spelling), id("Tyne and Wear"), "{spelling}");
    }
    assert!(id("Greater London").is_some() && id("Tyne and Wear").is_some());
    assert_eq!(id("transit irish_sea"), id("transit Irish Sea"));
    for nothing in ["Irish Sea", "Middlesex", "transit Middlesex", "transit", ""] {
        assert_eq!(id(nothing), None, "{nothing}");
    }
}

#[test]
fn mapo_1_ids_are_counties_then_nominees_then_cells_then_the_rest() {
    let rules = rules(CHALLENGES);
    let names = |ids: &[usize]| ids.iter().map(|&id| rules.notation(rules.action(id))).collect::<Vec<_>>();
    let (regions, places) = (108, 115);
    assert_eq!(names(&[0, regions - 1]), ["Northumberland", "Down"]);
    assert_eq!(names(&[regions, regions + 108]), ["transit Northumberland", "transit North Sea"]);
    assert_eq!(names(&[regions + places, regions + places + 30, regions + places + 31]), ["A1", "AE1", "A2"]);
    let rest = regions + places + 31 * 21;
    assert_eq!(names(&[rest - 1, rest, rest + 1, rest + 2]), ["AE21", "take", "challenge", "let it be"]);
    assert_eq!(rules.actions().size(), rest + 3);
    assert_eq!(Match::new("{}").rules.actions().size(), rest + 1);
}

#[test]
fn mapo_1_positions_with_places_that_are_not_there_are_refused() {
    let refuse = |parts: Value, words: &[&str]| assert_impossible("{}", with(kent(), parts), words);
    refuse(json(r#"{"table": {"P11": "middlesex"}}"#), &["middlesex"]);
    refuse(json(r#"{"table": {"P11": "kent", "P12": "irish_sea"}}"#), &["irish_sea"]);
    refuse(json(r#"{"table": {"P11": "kent", "P12": "transit middlesex"}}"#), &["middlesex"]);
    refuse(json(r#"{"hands": [["essex"], ["narnia"]]}"#), &["narnia"]);
    refuse(json(r#"{"undealt": ["narnia"]}"#), &["narnia"]);
    refuse(json(r#"{"shown": ["narnia"]}"#), &["narnia"]);
    refuse(json(r#"{"phase": "place", "county": "narnia"}"#), &["narnia"]);
    refuse(json(r#"{"phase": "place_transit", "nominee": "narnia"}"#), &["narnia"]);
}

#[test]
fn mapo_2_one_card_for_each_region() {
    let all: Vec<String> = {
        let mut ids: Vec<String> = uk().places()[..108].iter().map(|place| place.id.clone()).collect();
        ids.sort_unstable();
        ids
    };
    for seed in 0..10 {
        assert_eq!(Match::seeded(r#"{"players": 3}"#, seed).counties(), all);
    }
    let end = Match::new(ONE_ROUND).play_out(|state, _| assert_eq!(state.counties(), all));
    assert_eq!(end.counties(), all);
}

#[test]
fn mapo_2_twelve_transit_cards() {
    let in_all = |game: &Match| {
        let table = game.the("table");
        let tabled = table.as_object().unwrap().values().filter(|card| card.as_str().unwrap().starts_with("transit "));
        game.number("pile") + game.numbers("transit").iter().sum::<u64>() + tabled.count() as u64
    };
    let end = Match::new(ONE_ROUND).play_out(|state, _| assert_eq!(in_all(state), 12));
    assert!(end.numbers("transit_played").iter().sum::<u64>() > 0, "a game without a transit card shows nothing");
    for cards in [0, 2, 32] {
        let options = format!(r#"{{"transit_cards": {cards}, "transit_each": 0}}"#);
        assert_eq!(Match::new(&options).number("pile"), cards);
    }
    assert_refused(r#"{"transit_cards": 33}"#, &["transit_cards", "33", "0 to 32"]);
}

#[test]
fn mapo_2_a_position_has_each_card_once_and_no_more_transit_cards_than_there_are() {
    let refuse = |parts: Value, words: &[&str]| assert_impossible("{}", with(kent(), parts), words);
    refuse(json(r#"{"hands": [["essex"], ["essex"]]}"#), &["two places"]);
    refuse(json(r#"{"hands": [["essex"], ["kent"]]}"#), &["two places"]);
    refuse(
        json(r#"{"table": {"P11": "kent", "P12": "essex", "P13": "kent"}, "hands": [["surrey"], ["dorset"]]}"#),
        &["Kent"],
    );
    refuse(json(r#"{"hands": [["essex", "essex"], ["surrey"]]}"#), &["two places"]);
    refuse(json(r#"{"pile": 11}"#), &["transit"]);
    refuse(json(r#"{"transit": [12, 1], "pile": 0}"#), &["transit"]);
    Match::at(with(kent(), json(r#"{"pile": 10}"#)));
}

#[test]
fn mapo_3_some_nations_only() {
    let count = |nations: &str| Match::new(&format!(r#"{{"nations": {nations}}}"#)).counties().len();
    assert_eq!(count(r#"["England"]"#), 48);
    assert_eq!(count(r#"["wales", "NORTHERN IRELAND"]"#), 28);
    assert_eq!(count("null"), 108);
    let atlas = uk();
    for county in Match::new(r#"{"nations": ["Wales"]}"#).counties() {
        assert_eq!(atlas.place(atlas.find_region(&county).unwrap()).nations, ["Wales"]);
    }
}

#[test]
fn mapo_3_a_region_of_two_editions_is_in_both() {
    let has_russia = |nation: &str| {
        let options = format!(r#"{{"atlas": "world-countries", "nations": ["{nation}"]}}"#);
        Match::new(&options).counties().contains(&"rus".to_owned())
    };
    assert!(has_russia("Europe") && has_russia("Asia & Australasia"));
    assert!(!has_russia("Africa"));
    let both = r#"{"atlas": "world-countries", "nations": ["Europe", "Asia and Australasia"]}"#;
    let russias = Match::new(both).counties().iter().filter(|county| *county == "rus").count();
    assert_eq!(russias, 1);
}

#[test]
fn mapo_3_borders_to_regions_outside_the_deck_stay() {
    let position =
        json(r#"{"table": {"P11": "monmouthshire"}, "hands": [["powys", "conwy"], ["newport"]], "transit": [1, 0]}"#);
    let mut game = Match::of(r#"{"nations": ["Wales"]}"#, position);
    assert!(game.nominees().contains(&"Herefordshire".to_owned()));
    game.play("transit Herefordshire; P12; Powys; P13");
    assert_eq!(game.card("P12").as_deref(), Some("transit herefordshire"));
}

#[test]
fn mapo_3_lists_of_nations_that_make_no_sense_are_refused() {
    assert_refused(
        r#"{"nations": ["Ireland"]}"#,
        &["nations", "Ireland", "England, Scotland, Wales, Northern Ireland"],
    );
    assert_refused(r#"{"nations": []}"#, &["nations", "empty"]);
    assert_refused(r#"{"nations": ["Wales", "wales"]}"#, &["nations", "Wales", "twice"]);
    assert_refused(r#"{"nations": "Wales"}"#, &["nations"]);
    assert_refused(r#"{"atlas": "us-states", "nations": ["Wales"]}"#, &["nations", "Wales", "Mountain"]);
    assert_refused(&custom(&CHAIN, r#", "nations": ["Wood"]"#), &["nations", "Wood"]);
    assert_impossible(
        r#"{"nations": ["England"]}"#,
        with(kent(), json(r#"{"hands": [["powys"], ["essex"]]}"#)),
        &["deck"],
    );
}

// The table

#[test]
fn mapo_4_a_card_has_four_sides_and_diagonals_do_not_count() {
    let start =
        Match::at(json(r#"{"table": {"P11": "derbyshire"}, "hands": [["cheshire", "kent"], ["staffordshire"]]}"#));
    assert_eq!(start.cells_after("Cheshire"), ["P10", "O11", "Q11", "P12"]);
    for diagonal in ["O10", "Q10", "O12", "Q12"] {
        start.after("Cheshire").assert_refuses_naming(diagonal, &["next to"]);
    }
    // Cheshire does not border Nottinghamshire, which is diagonal to O11 and Q11.
    let game = Match::at(json(
        r#"{"table": {"P11": "derbyshire", "P12": "nottinghamshire"},
        "hands": [["cheshire", "kent"], ["staffordshire"]]}"#,
    ));
    assert_eq!(game.cells_after("Cheshire"), ["P10", "O11", "Q11"]);
}

#[test]
fn mapo_4_one_card_a_cell() {
    let position = json(
        r#"{"table": {"P11": "derbyshire", "P12": "nottinghamshire"},
        "hands": [["leicestershire", "kent"], ["staffordshire"]]}"#,
    );
    let game = Match::at(position.clone()).after("Leicestershire");
    let before = game.state.clone();
    game.assert_refuses_naming("P11", &["Derbyshire", "lies there"]);
    game.assert_refuses_naming("P12", &["Nottinghamshire", "lies there"]);
    assert_eq!(game.state, before);
    let two = with(position, json(r#"{"table": {"P11": "derbyshire", "p11": "nottinghamshire"}}"#));
    assert_impossible("{}", two, &["two cards", "11"]);
    let text =
        r#"{"table": {"P11": "derbyshire", "P11": "nottinghamshire"}, "hands": [["kent"], ["essex"]], "pile": 1}"#;
    assert!(rules("{}").parse_position(text).is_err(), "the first card is lost without a word");
}

#[test]
fn mapo_5_the_grid_follows_from_the_table() {
    let sizes = [
        ((30, 20), (31, 21), "P11"),
        ((31, 21), (31, 21), "P11"),
        ((1, 2), (1, 3), "A2"),
        ((2, 1), (3, 1), "B1"),
        ((3, 3), (3, 3), "B2"),
        ((5, 1), (5, 1), "C1"),
        ((6, 4), (7, 5), "D3"),
        ((62, 62), (63, 63), "AF32"),
    ];
    for ((width, height), (columns, rows), middle) in sizes {
        let game = Match::new(&format!(r#"{{"table": [{width}, {height}]}}"#));
        let table = game.view(None)["table"].clone();
        assert_eq!((&table["columns"], &table["rows"]), (&json!(columns), &json!(rows)));
        assert_eq!(table["cards"][0]["cell"], middle);
        assert!(game.card(middle).is_some());
    }
}

#[test]
fn mapo_5_cells_are_lettered_columns_and_numbered_rows() {
    let rules = rules("{}");
    for cell in ["A1", "Z1", "AA1", "AE21", "p11"] {
        let action = rules.parse(cell).unwrap();
        assert_eq!(rules.notation(action), cell.to_uppercase());
    }
    for nothing in ["AF1", "A22", "A0", "A01", "1A", "A", "11", "A-1", "A1A"] {
        assert_eq!(rules.parse(nothing), None, "{nothing}");
    }
}

#[test]
fn mapo_5_nothing_lies_off_the_table() {
    let start = json(r#"{"table": {"C1": "derbyshire"}, "hands": [["cheshire", "kent"], ["staffordshire"]]}"#);
    let strip = r#"{"table": [5, 1]}"#;
    assert_eq!(Match::of(strip, start).cells_after("Cheshire"), ["B1", "D1"]);
    let row = json(r#"{"A1": "cheshire", "B1": "staffordshire", "C1": "derbyshire", "D1": "nottinghamshire"}"#);
    let position = json!({"table": row, "hands": [["wrexham", "lincolnshire"], ["rutland"]]});
    // Wrexham borders Cheshire only, beside which nothing is left of the table.
    assert_eq!(Match::of(strip, position).legal(), ["Lincolnshire"]);
}

#[test]
fn mapo_5_tables_without_room_are_refused() {
    for table in ["[0, 3]", "[3, 0]", "[63, 20]", "[30, 200]"] {
        let shown = table.replace('[', "(").replace(']', ")");
        assert_refused(&format!(r#"{{"table": {table}}}"#), &["table", &shown, "1 to 62"]);
    }
    assert_refused(r#"{"table": [30]}"#, &["table"]);
    assert_refused(r#"{"table": [1, 1]}"#, &["table", "(1, 1)", "laid"]);
    // Islands: only a transit card leads from one to another, and takes two cells in a row or a corner.
    let islands: [(&str, &[&str]); 3] = [("ash", &[]), ("beech", &[]), ("cedar", &[])];
    assert_refused(&custom(&islands, r#", "table": [3, 1]"#), &["table", "(3, 1)", "laid"]);
    assert_refused(&custom(&islands, r#", "transit_cards": 0, "transit_each": 0"#), &["laid"]);
    rules(&custom(&islands, r#", "table": [4, 1]"#));
    rules(&custom(&islands, r#", "table": [2, 2]"#));
}

#[test]
fn mapo_5_positions_on_cells_that_are_not_there_are_refused() {
    let position = with(kent(), json(r#"{"table": {"P11": "kent", "AF11": "essex"}}"#));
    assert_impossible("{}", position, &["AF11", "A1 to AE21"]);
    let position = with(kent(), json(r#"{"phase": "follow", "nominee": "greater_london", "transit_cell": "Z99"}"#));
    assert_impossible("{}", position, &["Z99", "A1 to AE21"]);
}

#[test]
fn mapo_5_the_text_fits_a_terminal() {
    let mut lines = 0;
    let mut check = |options: &str, seed: u64| {
        Match::seeded(options, seed).play_out(|game, _| {
            for viewer in [None, Some(0), Some(1)] {
                for line in game.text(viewer).lines() {
                    assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
                    lines += 1;
                }
            }
        });
    };
    for seed in 0..2 {
        check("{}", seed);
        check(r#"{"table": [62, 62], "rounds": 1}"#, seed);
        check(r#"{"atlas": "world-countries", "table": [62, 62], "rounds": 1}"#, seed);
        check(r#"{"players": 5, "challenges": true, "rounds": 1, "nations": ["Wales"]}"#, seed);
    }
    assert!(lines > 10_000);
}

#[test]
fn mapo_5_no_two_cards_look_the_same_in_the_text() {
    let marks = [".", "*"];
    for atlas in ["uk-counties", "world-countries", "us-states"] {
        for (table, players) in [(json("[12, 40]"), 2), (json("[30, 20]"), 3), (json("[62, 62]"), 5)] {
            let options = json!({"atlas": atlas, "table": table, "players": players, "rounds": 1});
            let end = Match::new(&options.to_string()).play_out(|_, _| ());
            let text = end.text(None);
            let rows = text.lines().filter(|line| line[..2].trim().parse::<u8>().is_ok());
            let words = rows.flat_map(|line| line.split_whitespace().skip(1)).filter(|word| !marks.contains(word));
            let looks: Vec<String> = words.filter(|word| !word.starts_with('~')).map(str::to_lowercase).collect();
            assert_eq!(looks.iter().collect::<BTreeSet<_>>().len(), looks.len(), "{text}");
            let cards = end.the("table");
            let is_county = |card: &&Value| !card.as_str().unwrap().starts_with("transit ");
            assert_eq!(looks.len(), cards.as_object().unwrap().values().filter(is_county).count());
        }
    }
}

#[test]
fn mapo_6_a_card_stays_where_it_was_laid() {
    for options in ["{}", r#"{"challenges": true, "nations": ["Wales"]}"#, r#"{"table": [5, 5], "draw": "free"}"#] {
        let mut last: (u64, BTreeMap<String, Value>) = Default::default();
        Match::new(options).play_out(|game, _| {
            let cards = serde_json::from_value::<BTreeMap<String, Value>>(game.the("table")).unwrap();
            let round = game.number("round");
            if round == last.0 {
                assert!(last.1.iter().all(|(cell, card)| cards.get(cell) == Some(card)), "{last:?} then {cards:?}");
            }
            last = (round, cards);
        });
    }
}

#[test]
fn mapo_6_an_occupied_cell_takes_no_transit_card_and_no_follower() {
    let game = Match::at(json(
        r#"{"table": {"P11": "kent", "P12": "surrey"}, "hands": [["essex", "berkshire"], ["hertfordshire"]],
        "transit": [1, 0]}"#,
    ));
    let nominated = game.after("transit Greater London");
    nominated.assert_refuses_naming("P11", &["Kent", "lies there"]);
    let laid = nominated.after("Q11; Essex");
    let before = laid.state.clone();
    laid.assert_refuses_naming("Q11", &["transit", "lies there"]);
    laid.assert_refuses_naming("P11", &["lies there"]);
    assert_eq!(laid.state, before);
}

// The deal

#[test]
fn mapo_7_two_to_five_play() {
    for players in 2..=5 {
        assert_eq!(rules(&format!(r#"{{"players": {players}}}"#)).num_seats(), players);
    }
    assert_eq!(rules("{}").num_seats(), 2);
    for players in [0, 1, 6, 255] {
        assert_refused(&format!(r#"{{"players": {players}}}"#), &["players", &players.to_string(), "2 to 5"]);
    }
    for players in ["-1", "256", "2.5", "\"two\"", "null"] {
        assert_refused(&format!(r#"{{"players": {players}}}"#), &["players"]);
    }
}

#[test]
fn mapo_7_each_gets_one_transit_card_and_the_rest_is_the_pile() {
    for players in 2..=5 {
        let start = Match::new(&format!(r#"{{"players": {players}}}"#));
        assert_eq!(start.numbers("transit"), vec![1; players as usize]);
        assert_eq!(start.number("pile"), 12 - players);
    }
}

#[test]
fn mapo_7_another_number_of_transit_cards_each() {
    let start = Match::new(r#"{"players": 3, "transit_cards": 14, "transit_each": 4}"#);
    assert_eq!((start.numbers("transit"), start.number("pile")), (vec![4; 3], 2));
    let start = Match::new(r#"{"transit_each": 0}"#);
    assert_eq!((start.numbers("transit"), start.number("pile")), (vec![0; 2], 12));
    let start = Match::new(r#"{"transit_each": 6}"#);
    assert_eq!((start.numbers("transit"), start.number("pile")), (vec![6; 2], 0));
    assert_refused(r#"{"transit_each": 7}"#, &["transit_each", "7", "12", "0 to 6"]);
    assert_refused(r#"{"transit_cards": 4, "players": 5}"#, &["transit_each", "1", "4", "5 players", "0 to 0"]);
    assert_refused(r#"{"transit_each": 255}"#, &["transit_each", "255", "0 to 6"]);
}

#[test]
fn mapo_7_the_easier_game() {
    for (players, each) in [(2, 5), (3, 3), (4, 2), (5, 2)] {
        let start = Match::new(&format!(r#"{{"players": {players}, "transit_each": "easier"}}"#));
        assert_eq!(start.numbers("transit"), vec![each; players as usize]);
        assert_eq!(start.number("pile"), 12 - players * each);
    }
    assert_refused(r#"{"transit_each": "easier", "transit_cards": 9}"#, &["transit_each", "5", "9", "0 to 4"]);
    assert_refused(r#"{"transit_each": "harder"}"#, &["transit_each", "harder", "easier"]);
}

#[test]
fn mapo_7_positions_for_another_number_of_players_are_refused() {
    let refuse = |parts: Value, words: &[&str]| assert_impossible("{}", with(kent(), parts), words);
    refuse(json(r#"{"hands": [["essex"]]}"#), &["hands", "1", "2 players"]);
    refuse(json(r#"{"hands": [["essex"], ["surrey"], ["dorset"]]}"#), &["hands", "3", "2 players"]);
    refuse(json(r#"{"transit": [1, 1, 1]}"#), &["transit", "3", "2 players"]);
    refuse(json(r#"{"points": [1]}"#), &["points", "1", "2 players"]);
    refuse(json(r#"{"double_connections": [1]}"#), &["double_connections", "2 players"]);
    refuse(json(r#"{"transit_played": [0, 0, 0]}"#), &["transit_played", "2 players"]);
    refuse(json(r#"{"turn": 2}"#), &["seat 2"]);
    refuse(json(r#"{"dealer": 5}"#), &["seat 5"]);
    refuse(json(r#"{"dealer": 250}"#), &["seat 250"]);
}

#[test]
fn mapo_8_all_county_cards_but_one_are_dealt_from_the_dealers_left() {
    let deals = [(2, vec![54, 53]), (3, vec![36, 36, 35]), (4, vec![27, 27, 27, 26]), (5, vec![22, 22, 21, 21, 21])];
    for (players, sizes) in deals {
        let start = Match::new(&format!(r#"{{"players": {players}}}"#));
        assert_eq!(start.hand_sizes(), sizes);
        assert_eq!(start.num_cards(), 1);
    }
}

#[test]
fn mapo_8_the_deal_begins_at_the_left_of_every_dealer() {
    // Six cards: five are dealt to three players.
    let position = json(r#"{"table": {"P11": "antrim"}, "hands": [["down"], ["armagh"], ["tyrone"]]}"#);
    let options = r#"{"players": 3, "nations": ["Northern Ireland"], "rounds": 4}"#;
    for (dealer, sizes) in [(2, [1, 2, 2]), (0, [2, 1, 2]), (1, [2, 2, 1])] {
        let mut game = Match::of(options, with(position.clone(), json!({"dealer": dealer, "turn": 0})));
        game.play("Down; P12");
        assert_eq!(game.number("round"), 2);
        assert_eq!(game.hand_sizes(), sizes, "after dealer {dealer}");
    }
}

#[test]
fn mapo_8_the_starting_county_lies_face_up_in_the_middle() {
    let start = Match::new("{}");
    let card = start.view(Some(1))["table"]["cards"][0].clone();
    assert_eq!(
        (&card["cell"], &card["kind"], &card["row"], &card["column"]),
        (&json!("P11"), &json!("county"), &json!(10), &json!(15))
    );
    assert_eq!(card["id"].as_str().map(str::to_owned), start.card("P11"));
}

#[test]
fn mapo_8_every_card_can_come_anywhere() {
    let options = r#"{"nations": ["Northern Ireland"], "table": [6, 4]}"#;
    let rounds = 1200;
    let mut middle: BTreeMap<String, u32> = BTreeMap::new();
    let mut first_hand: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..rounds {
        let start = Match::seeded(options, seed);
        *middle.entry(start.card("D3").unwrap()).or_default() += 1;
        for county in &start.hands()[0] {
            *first_hand.entry(county.clone()).or_default() += 1;
        }
    }
    // One of six, and three of six; five standard deviations either way.
    assert_eq!((middle.len(), first_hand.len()), (6, 6));
    assert!(middle.values().all(|&times| (135..265).contains(&times)), "{middle:?}");
    assert!(first_hand.values().all(|&times| (513..687).contains(&times)), "{first_hand:?}");
}

#[test]
fn mapo_8_too_few_cards_are_refused() {
    rules(r#"{"players": 5, "nations": ["Northern Ireland"]}"#);
    let three: [(&str, &[&str]); 3] = [("ash", &["beech"]), ("beech", &["ash"]), ("cedar", &[])];
    rules(&custom(&three, ""));
    assert_refused(&custom(&three, r#", "players": 3"#), &["3", "too few", "3 players", "4 or more"]);
    let division = r#"{"atlas": "us-states", "nations": ["Middle Atlantic"], "players": 3}"#;
    assert_refused(division, &["nations", "3", "too few", "4 or more"]);
    let staged = r#"{"atlas": "us-states", "staged": true, "first_nation": "Middle Atlantic", "players": 4}"#;
    assert_refused(staged, &["first_nation", "3", "too few", "5 or more"]);
}

#[test]
fn mapo_8_a_position_has_a_county_in_the_middle() {
    let refuse = |table: Value| assert_impossible("{}", with(kent(), json!({"table": table})), &["middle"]);
    refuse(json!({}));
    refuse(json(r#"{"P10": "kent"}"#));
    refuse(json(r#"{"P11": "transit english_channel", "P12": "kent"}"#));
}

#[test]
fn mapo_8_hands_are_hidden_from_the_others() {
    let position = json(
        r#"{"table": {"P11": "kent"}, "hands": [["surrey"], ["essex", "devon"], ["rutland", "dorset"]],
        "transit": [0, 1, 2], "pile": 1}"#,
    );
    let swapped = with(position.clone(), json(r#"{"hands": [["surrey"], ["rutland", "devon"], ["essex", "dorset"]]}"#));
    let options = r#"{"players": 3}"#;
    for turn in 0..3 {
        let [one, other] =
            [&position, &swapped].map(|text| Match::of(options, with(text.clone(), json!({"turn": turn}))));
        assert_eq!(one.view(Some(0)), other.view(Some(0)));
        assert_eq!(one.text(Some(0)), other.text(Some(0)));
        assert_eq!(one.picture(Some(0)), other.picture(Some(0)));
        assert_eq!(one.row(0), other.row(0));
        assert_ne!(one.view(Some(1)), other.view(Some(1)));
        assert_ne!(one.text(Some(1)), other.text(Some(1)));
        assert_ne!(one.picture(Some(1)), other.picture(Some(1)));
        assert_ne!(one.row(1), other.row(1));
        let hands = one.view(Some(0))["hands"].clone();
        assert_eq!(hands[0], json(r#"{"counties": 1, "cards": ["surrey"], "transit": 0}"#));
        assert_eq!(hands[1], json(r#"{"counties": 2, "cards": [], "transit": 1}"#));
        assert_eq!(hands[2], json(r#"{"counties": 2, "cards": [], "transit": 2}"#));
        assert_eq!(one.view(None)["hands"][1]["cards"], json(r#"["essex", "devon"]"#));
        let may_look = |viewer| !one.view(Some(viewer))["legal"].as_array().unwrap().is_empty();
        assert_eq!([0, 1, 2].map(may_look), [0, 1, 2].map(|viewer| viewer == turn));
    }
}

#[test]
fn mapo_8_cards_that_all_have_seen_stay_seen() {
    let position = json(
        r#"{"table": {"P11": "kent"}, "hands": [["surrey"], ["essex", "devon"], ["rutland", "dorset"]], "pile": 1,
        "shown": ["devon"]}"#,
    );
    let game = Match::of(r#"{"players": 3, "challenges": true, "draw": "free"}"#, position);
    assert_eq!(game.view(Some(0))["hands"][1], json(r#"{"counties": 2, "cards": ["devon"], "transit": 0}"#));
    assert_eq!(game.the("shown"), json(r#"["devon"]"#));
    let chosen = game.after("take; Essex");
    assert_eq!(chosen.view(Some(0))["hands"][1]["cards"], json(r#"["essex", "devon"]"#));
    assert_eq!(chosen.view(Some(0))["chosen"]["county"], "essex");
    assert_eq!(chosen.the("shown"), json(r#"["devon"]"#));
    assert_impossible("{}", with(kent(), json(r#"{"shown": ["devon"]}"#)), &["shown"]);
}

#[test]
fn mapo_8_a_guess_keeps_what_is_known_and_varies_the_rest() {
    let position = json(
        r#"{"table": {"P11": "kent"},
        "hands": [["surrey", "cornwall"], ["essex", "devon", "suffolk", "norfolk"], ["rutland", "dorset", "berkshire"]],
        "transit": [1, 1, 1], "pile": 1, "shown": ["devon", "rutland"], "turn": 1}"#,
    );
    let mut game = Match::of(r#"{"players": 3}"#, position);
    game.play("Essex");
    let mut guesses = BTreeSet::new();
    for seed in 0..200 {
        let guess = game.guess(0, seed);
        assert_eq!(guess.view(Some(0)), game.view(Some(0)));
        let hands = guess.hands();
        assert_eq!(hands[0], ["surrey", "cornwall"]);
        assert_eq!(guess.hand_sizes(), [2, 4, 3]);
        assert!(hands[1].contains(&"essex".to_owned()) && hands[1].contains(&"devon".to_owned()));
        assert!(hands[2].contains(&"rutland".to_owned()));
        assert_eq!(guess.counties(), game.counties());
        guesses.insert(hands);
    }
    // Two of suffolk, norfolk, dorset and berkshire for seat 1.
    assert_eq!(guesses.len(), 6);
}

#[test]
fn mapo_8_a_guess_leaves_somebody_a_go() {
    // The pile is empty, so somebody can go: Shetland and Orkney border the North Sea, as Kent does, and one of them is
    // in the hand with the transit card.
    let position = json(
        r#"{"table": {"P11": "kent"}, "hands": [["antrim"], ["rutland", "shetland"], ["orkney", "fermanagh"]],
        "transit": [0, 1, 0]}"#,
    );
    let options = r#"{"players": 3}"#;
    let game = Match::of(options, position);
    let mut guesses = BTreeSet::new();
    for seed in 0..100 {
        let guess = game.guess(0, seed);
        let hand = guess.hands()[1].clone();
        assert!(hand.contains(&"shetland".to_owned()) || hand.contains(&"orkney".to_owned()), "{hand:?}");
        guesses.insert(hand);
    }
    assert_eq!(guesses.len(), 5);
}

#[test]
fn mapo_8_a_guess_lets_a_transit_card_on_its_way_be_followed() {
    let position = json(
        r#"{"table": {"P11": "gloucestershire"}, "hands": [["antrim"], ["devon", "shetland"], ["orkney", "kent"]],
        "transit": [0, 1, 0], "pile": 1, "turn": 1}"#,
    );
    for choices in ["transit Somerset", "transit Somerset; P12"] {
        let game = Match::of(r#"{"players": 3}"#, position.clone()).after(choices);
        for seed in 0..50 {
            let guess = game.guess(2, seed);
            assert!(!guess.legal().is_empty());
            assert!(
                guess.hands()[1].contains(&"devon".to_owned()),
                "nothing else seat 2 has not seen borders Somerset"
            );
        }
    }
}

#[test]
fn mapo_9_the_player_to_the_dealers_left_goes_first_and_play_is_clockwise() {
    for players in 2..=5 {
        let mut game = Match::new(&format!(r#"{{"players": {players}, "draw": "free"}}"#));
        assert_eq!(game.number("dealer"), players - 1);
        let mut turns = Vec::new();
        for _ in 0..=players {
            turns.push(game.turn());
            game.play("take");
        }
        assert_eq!(turns, (0..players).chain([0]).collect::<Vec<_>>());
    }
    let position = with(kent(), json(r#"{"dealer": 0}"#));
    assert_eq!(Match::at(position).turn(), 1);
}

// A go

#[test]
fn mapo_10_a_go_is_a_county_or_a_transit_card_and_a_county_or_a_card_taken() {
    let start = Match::of(FREE, kent());
    let all = ["Essex", "Surrey", "transit Greater London", "transit East Sussex", "transit North Sea", "take"];
    assert_eq!(start.legal(), all);

    let county = start.after("Surrey; P12");
    assert_eq!(
        (county.turn(), county.phase(), county.hands()[0].clone()),
        (1, "go".to_owned(), vec!["essex".to_owned()])
    );
    assert_eq!(county.the("table"), json(r#"{"P11": "kent", "P12": "surrey"}"#));
    assert_eq!((county.numbers("transit"), county.number("pile")), (vec![1, 1], 3));

    let transit = start.after("transit Greater London; P10; Essex; P9");
    assert_eq!((transit.turn(), transit.phase()), (1, "go".to_owned()));
    assert_eq!(transit.the("table"), json(r#"{"P11": "kent", "P10": "transit greater_london", "P9": "essex"}"#));
    assert_eq!((transit.numbers("transit"), transit.numbers("transit_played")), (vec![0, 1], vec![1, 0]));
    assert_eq!(transit.hands()[0], ["surrey"]);

    let taken = start.after("take");
    assert_eq!((taken.turn(), taken.phase(), taken.hands()), (1, "go".to_owned(), start.hands()));
    assert_eq!((taken.numbers("transit"), taken.number("pile")), (vec![2, 1], 2));
}

#[test]
fn mapo_10_a_go_is_chosen_step_by_step() {
    let mut game = Match::at(kent());
    let mut seen = Vec::new();
    for choice in ["transit Greater London", "P10", "Essex", "P9"] {
        game.play(choice);
        let view = game.view(Some(1));
        assert_eq!(view["to_act"], view["turn"]);
        seen.push((view["phase"].clone(), view["chosen"].clone(), view["table"]["cards"].as_array().unwrap().len()));
    }
    let chosen = |county: Value, nominee: Value, transit_cell: Value| json!({"county": county, "nominee": nominee, "transit_cell": transit_cell, "cell": null});
    let london = json!("greater_london");
    assert_eq!(
        seen,
        [
            (json!("place_transit"), chosen(Value::Null, london.clone(), Value::Null), 1),
            (json!("follow"), chosen(Value::Null, london.clone(), json!("P10")), 1),
            (json!("place_follow"), chosen(json!("essex"), london, json!("P10")), 1),
            (json!("go"), chosen(Value::Null, Value::Null, Value::Null), 3),
        ]
    );
    let placing = Match::at(kent()).after("Surrey");
    assert_eq!((placing.phase(), placing.the("county")), ("place".to_owned(), json!("surrey")));
    assert_eq!(placing.view(Some(1))["hands"][0], json(r#"{"counties": 2, "cards": ["surrey"], "transit": 1}"#));
}

#[test]
fn mapo_10_a_go_is_finished_as_it_was_begun() {
    let start = Match::at(kent());
    start.assert_refuses_naming("P12", &["MAPO-10"]);
    start.assert_refuses_naming("Greater London", &["seat 0", "does not hold"]);
    let phases = [
        ("Surrey", vec!["Essex", "Surrey", "transit Greater London", "take"]),
        ("transit Greater London", vec!["Essex", "transit Greater London", "transit East Sussex", "take"]),
        ("transit Greater London; P10", vec!["P9", "transit East Sussex", "take", "Hertfordshire"]),
        ("transit Greater London; P10; Essex", vec!["Essex", "Surrey", "transit East Sussex", "take"]),
    ];
    for (choices, refused) in phases {
        let game = start.after(choices);
        let before = game.state.clone();
        for action in refused {
            game.assert_refuses_naming(action, &["MAPO-1"]);
        }
        assert_eq!(game.state, before);
    }
}

#[test]
fn mapo_10_what_has_begun_and_is_not_laid_is_half_made() {
    let start = Match::at(kent());
    let is_half_made = |choices: &str| {
        let game = start.after(choices);
        game.rules.moment(&game.state).is_half_made
    };
    for choices in
        ["Surrey", "transit Greater London", "transit Greater London; P10", "transit Greater London; P10; Essex"]
    {
        assert!(is_half_made(choices), "{choices}");
    }
    assert!(!is_half_made("Surrey; P12") && !start.rules.moment(&start.state).is_half_made);
    let laid = Match::of(CHALLENGES, kent()).after("Surrey; P12");
    assert!(!laid.rules.moment(&laid.state).is_half_made);
}

#[test]
fn mapo_10_what_may_be_done_can_be_clicked_by_whoever_decides() {
    let own = custom(&CHAIN, r#", "rounds": 1"#);
    for options in
        [ONE_ROUND, r#"{"atlas": "us-states", "rounds": 1}"#, r#"{"challenges": true, "nations": ["Wales"]}"#, &own]
    {
        Match::new(options).play_out(|game, _| {
            let shown: BTreeSet<Place> = game.picture(game.to_act()).places().into_iter().collect();
            for text in game.legal() {
                let Spoken { notation, places, .. } = game.rules.say(game.rules.parse(&text).unwrap());
                assert_eq!(notation.to_string(), text);
                let is_shown = places.iter().any(|places| places.iter().all(|place| shown.contains(place)));
                assert!(is_shown || ["challenge", "let it be"].contains(&&*text), "{text} in {}", game.position_text());
            }
            assert!(game.picture(None).places().is_empty());
        });
    }
}

#[test]
fn mapo_10_a_refusal_speaks_to_the_player() {
    let game = Match::at(with(kent(), json(r#"{"transit": [0, 1]}"#)));
    let names = Names::new(["Ann", "Bob"].map(str::to_owned).to_vec(), Some(Seat::new(0)));
    let said = |text: &str| {
        let refusal = game.rules.check(&game.state, game.rules.parse(text).unwrap()).unwrap_err();
        (refusal.reason.said(&names), refusal.clause)
    };
    assert_eq!(said("Dorset"), ("you do not hold that card".to_owned(), "MAPO-10"));
    assert_eq!(said("transit Dorset"), ("you hold no transit card".to_owned(), "MAPO-12"));
}

#[test]
fn mapo_10_positions_come_in_every_phase() {
    let start = Match::at(kent());
    for choices in
        ["Surrey", "transit Greater London", "transit Greater London; P10", "transit Greater London; P10; Essex"]
    {
        let game = start.after(choices);
        let again = Match::at(game.position());
        assert_eq!((again.position(), again.legal()), (game.position(), game.legal()));
    }
    let refuse = |parts: Value, words: &[&str]| assert_impossible("{}", with(kent(), parts), words);
    refuse(json(r#"{"colour": 1}"#), &["colour"]);
    refuse(json(r#"{"phase": "lunch"}"#), &["lunch", "place_transit"]);
    refuse(json(r#"{"phase": "place"}"#), &["place", "county"]);
    refuse(json(r#"{"phase": "follow", "transit_cell": "P10"}"#), &["follow", "nominee"]);
    refuse(json(r#"{"phase": "follow", "nominee": "essex"}"#), &["follow", "transit_cell"]);
    refuse(json(r#"{"phase": "place", "county": "hertfordshire"}"#), &["decision"]);
    assert_impossible("{}", json(r#"{"table": {"P11": "kent"}}"#), &["hands"]);
    assert_impossible("{}", json(r#"{"hands": [["kent"], ["essex"]]}"#), &["table"]);
    assert!(rules("{}").parse_position("Kent in the middle").is_err());
}

#[test]
fn mapo_11_a_county_borders_every_county_next_to_it() {
    let position = json(
        r#"{"table": {"P11": "derbyshire", "P12": "nottinghamshire", "Q12": "lincolnshire"},
        "hands": [["cheshire", "leicestershire", "rutland"], ["kent"]]}"#,
    );
    let game = Match::at(position);
    assert_eq!(game.legal(), ["Cheshire", "Leicestershire", "Rutland"]);
    assert_eq!(game.cells_after("Cheshire"), ["P10", "O11"]);
    assert_eq!(game.cells_after("Leicestershire"), ["P10", "O11", "Q11", "O12", "R12", "P13", "Q13"]);
    assert_eq!(game.cells_after("Rutland"), ["R12", "Q13"]);
    game.after("Cheshire").assert_refuses_naming("Q11", &["Cheshire", "does not border", "Lincolnshire"]);
    game.after("Cheshire").assert_refuses_naming("A1", &["no card", "next to"]);
}

#[test]
fn mapo_11_a_county_borders_the_nominee_of_every_transit_card_next_to_it() {
    let hands = json(r#"[["bristol", "dorset", "warwickshire"], ["kent"]]"#);
    let game = Match::at(through_somerset(&hands));
    assert_eq!(game.cells_after("Bristol"), ["P10", "O11", "Q11", "O12", "Q12"]);
    assert_eq!(game.cells_after("Dorset"), ["O12", "Q12", "O13", "Q13", "P14"]);
    assert_eq!(game.cells_after("Warwickshire"), ["P10", "O11", "Q11"]);
    game.after("Warwickshire").assert_refuses_naming("Q12", &["Warwickshire", "does not border", "Somerset"]);
    let mut table = through_somerset(&hands);
    table["table"]["Q11"] = json!("wiltshire");
    let game = Match::at(table);
    assert_eq!(game.cells_after("Bristol"), ["P10", "O11", "O12"]);
    assert!(game.cells_after("Dorset").contains(&"Q12".to_owned()));
}

#[test]
fn mapo_11_a_county_that_fits_nowhere_is_no_choice() {
    let game = Match::at(with(kent(), json(r#"{"hands": [["essex", "rutland"], ["surrey"]]}"#)));
    assert!(!game.legal().contains(&"Rutland".to_owned()));
    game.assert_refuses_naming("Rutland", &["Leicestershire", "MAPO-11"]);
    // Greater Manchester borders Cheshire and Derbyshire; the one free cell is beside Flintshire.
    let column = json(r#"{"A1": "nottinghamshire", "A2": "derbyshire", "A3": "cheshire", "A4": "flintshire"}"#);
    let hands = json(r#"[["greater_manchester", "denbighshire"], ["kent"]]"#);
    let game = Match::of(r#"{"table": [1, 5]}"#, json!({"table": column, "hands": hands}));
    assert_eq!(game.legal(), ["Denbighshire"]);
    game.assert_refuses_naming("Greater Manchester", &["MAPO-11"]);
}

#[test]
fn mapo_11_positions_whose_cards_could_not_lie_so_are_refused() {
    let refuse = |table: Value, words: &[&str]| assert_impossible("{}", with(kent(), json!({"table": table})), words);
    refuse(json(r#"{"P11": "kent", "P13": "surrey"}"#), &["hang together"]);
    refuse(json(r#"{"P11": "kent", "Q12": "east_sussex"}"#), &["hang together"]);
    refuse(json(r#"{"P11": "kent", "P12": "devon"}"#), &["do not border"]);
    refuse(json(r#"{"P11": "kent", "P12": "transit irish_sea"}"#), &["do not border"]);
    refuse(json(r#"{"P11": "kent", "P12": "transit kent"}"#), &["do not border"]);
    // Under challenges a wrong card may lie there.
    let wrong = with(kent(), json(r#"{"table": {"P11": "kent", "P12": "devon"}}"#));
    assert_eq!(Match::of(CHALLENGES, wrong).num_cards(), 2);
}

/// The rules from first principles: what is legal in a position, by trying everything.
struct Oracle {
    atlas: Arc<Atlas>,
    deck: BTreeSet<u8>,
    columns: usize,
    rows: usize,
    challenges: bool,
    stuck: bool,
    table: BTreeMap<(usize, usize), (u8, bool)>,
    hands: Vec<Vec<u8>>,
    transit: Vec<u64>,
    position: Value,
}

/// A county card, or a transit card and the county card that follows.
type Way = (Option<(u8, (usize, usize))>, u8, (usize, usize));

impl Oracle {
    fn new(game: &Match) -> Self {
        let options = game.rules.options();
        let atlas = Atlas::new(&options.atlas).unwrap();
        let (width, height) = options.table;
        let place = |text: &str| match text.strip_prefix("transit ") {
            Some(nominee) => (atlas.find(nominee).unwrap(), true),
            None => (atlas.find_region(text).unwrap(), false),
        };
        let position = game.position();
        let cards = position["table"].as_object().unwrap();
        let table = cards.iter().map(|(name, card)| (cell(name), place(card.as_str().unwrap()))).collect();
        let hands = game.hands().iter().map(|hand| hand.iter().map(|county| place(county).0).collect()).collect();
        let nations =
            options.nations.clone().unwrap_or_else(|| atlas.nations().into_iter().map(str::to_owned).collect());
        Self {
            deck: nations.iter().flat_map(|nation| atlas.of_nation(nation).iter()).collect(),
            columns: 2 * (usize::from(width) / 2) + 1,
            rows: 2 * (usize::from(height) / 2) + 1,
            challenges: options.challenges,
            stuck: serde_json::to_value(options.draw).unwrap() == "stuck",
            table,
            hands,
            transit: game.numbers("transit"),
            position,
            atlas,
        }
    }

    fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
    }

    fn beside(&self, (row, column): (usize, usize)) -> Vec<(usize, usize)> {
        let sides =
            [(row.wrapping_sub(1), column), (row + 1, column), (row, column.wrapping_sub(1)), (row, column + 1)];
        sides.into_iter().filter(|&(row, column)| row < self.rows && column < self.columns).collect()
    }

    /// The cards next to a free cell; `also` is one that is not on the table yet.
    fn next_to(&self, cell: (usize, usize), also: Option<(u8, (usize, usize))>) -> Option<Vec<(u8, bool)>> {
        let lies = |cell| {
            let extra = also.filter(|&(_, other)| other == cell).map(|(nominee, _)| (nominee, true));
            self.table.get(&cell).copied().or(extra)
        };
        if lies(cell).is_some() {
            return None;
        }
        let cards: Vec<_> = self.beside(cell).into_iter().filter_map(lies).collect();
        (!cards.is_empty()).then_some(cards)
    }

    fn borders_all(&self, place: u8, cards: &[(u8, bool)]) -> bool {
        cards.iter().all(|&(other, _)| self.atlas.near(place).contains(other))
    }

    /// Every right play of a seat (MAPO-11 to MAPO-13).
    fn ways(&self, seat: usize) -> Vec<Way> {
        let mut ways = Vec::new();
        for &county in &self.hands[seat] {
            let fits =
                |cell: &(usize, usize)| self.next_to(*cell, None).is_some_and(|cards| self.borders_all(county, &cards));
            ways.extend(self.cells().filter(fits).map(|cell| (None, county, cell)));
        }
        if self.transit[seat] == 0 {
            return ways;
        }
        for (cell, nominee) in
            self.cells().flat_map(|cell| (0..self.atlas.places().len() as u8).map(move |place| (cell, place)))
        {
            let Some(cards) = self.next_to(cell, None) else { continue };
            if cards.iter().any(|card| card.1) || !self.borders_all(nominee, &cards) {
                continue;
            }
            let also = Some((nominee, cell));
            for (&county, next) in
                self.hands[seat].iter().flat_map(|county| self.beside(cell).into_iter().map(move |next| (county, next)))
            {
                if self.next_to(next, also).is_some_and(|cards| self.borders_all(county, &cards)) {
                    ways.push((also, county, next));
                }
            }
        }
        ways
    }

    /// Whether the round goes on (MAPO-20).
    fn goes_on(&self) -> bool {
        let number = |key: &str| self.position[key].as_u64().unwrap() as usize;
        let players = self.hands.len();
        number("pile") > 0 || number("passes") < players && (0..players).any(|seat| !self.ways(seat).is_empty())
    }

    /// Legal actions in the order of their ids.
    fn legal(&self) -> Vec<String> {
        let name = |key: &str| self.position[key].as_str();
        let place = |key: &str| name(key).map(|text| self.atlas.find(text).unwrap());
        let (county, nominee, spot) = (place("county"), place("nominee"), name("transit_cell").map(cell));
        let turn = self.position["turn"].as_u64().unwrap() as usize;
        let ways = self.ways(turn);
        let mut counties = BTreeSet::new();
        let mut nominees = BTreeSet::new();
        let mut cells = BTreeSet::new();
        let mut rest = Vec::new();
        let open: Vec<_> = self.cells().filter(|&cell| self.next_to(cell, None).is_some()).collect();
        let free = |cell: (usize, usize)| self.beside(cell).into_iter().filter(|next| !self.table.contains_key(next));
        let leads_on = |cell: &(usize, usize)| {
            self.next_to(*cell, None).unwrap().iter().all(|card| !card.1) && free(*cell).next().is_some()
        };
        let leading: Vec<_> = open.iter().copied().filter(leads_on).collect();
        match name("phase").unwrap() {
            "go" => {
                if self.challenges && !open.is_empty() {
                    counties.extend(self.hands[turn].iter().copied());
                }
                if self.challenges && !leading.is_empty() && self.transit[turn] > 0 {
                    nominees.extend(self.deck.iter().flat_map(|&county| self.atlas.near(county).iter()));
                }
                counties.extend(ways.iter().filter(|way| way.0.is_none()).map(|way| way.1));
                nominees.extend(ways.iter().filter_map(|way| way.0).map(|(nominee, _)| nominee));
                rest.extend((!self.stuck || ways.is_empty()).then_some("take"));
            }
            "place" if self.challenges => cells.extend(open),
            "place_transit" if self.challenges => cells.extend(leading),
            "follow" if self.challenges => counties.extend(self.hands[turn].iter().copied()),
            "place_follow" if self.challenges => cells.extend(free(spot.unwrap())),
            "place" => {
                cells.extend(ways.iter().filter(|way| way.0.is_none() && Some(way.1) == county).map(|way| way.2));
            }
            "place_transit" => {
                let chosen = ways.iter().filter_map(|way| way.0).filter(|way| Some(way.0) == nominee);
                cells.extend(chosen.map(|(_, cell)| cell));
            }
            "follow" => counties.extend(ways.iter().filter(|way| way.0 == nominee.zip(spot)).map(|way| way.1)),
            "place_follow" => {
                let chosen = ways.iter().filter(|way| way.0 == nominee.zip(spot) && Some(way.1) == county);
                cells.extend(chosen.map(|way| way.2));
            }
            "challenge" => rest.extend(["challenge", "let it be"]),
            _ => {}
        }
        let name = |place: u8| self.atlas.place(place).name.clone();
        let counties = counties.into_iter().map(name);
        let nominees = nominees.into_iter().map(|place| format!("transit {}", name(place)));
        let cells = cells.into_iter().map(|(row, column)| format!("{}{}", letters(column), row + 1));
        counties.chain(nominees).chain(cells).chain(rest.into_iter().map(str::to_owned)).collect()
    }
}

/// Row and column of a cell by its name.
fn cell(name: &str) -> (usize, usize) {
    let split = name.find(|symbol: char| symbol.is_ascii_digit()).unwrap();
    let column = name[..split].bytes().fold(0, |number, letter| number * 26 + usize::from(letter - b'A') + 1) - 1;
    (name[split..].parse::<usize>().unwrap() - 1, column)
}

fn letters(column: usize) -> String {
    let letter = |number: usize| char::from(b'A' + number as u8);
    if column < 26 { letter(column).into() } else { [letter(column / 26 - 1), letter(column % 26)].iter().collect() }
}

#[test]
fn mapo_11_legal_choices_are_those_that_trying_everything_finds() {
    let tables = [
        r#""nations": ["Northern Ireland"], "table": [3, 3], "draw": "free""#,
        r#""nations": ["Wales"], "table": [6, 4]"#,
        r#""nations": ["Wales"], "table": [5, 1], "transit_each": "easier""#,
        r#""nations": ["Northern Ireland", "Wales"], "table": [4, 6], "transit_each": 6"#,
        r#""nations": ["Wales"], "table": [7, 5], "challenges": true, "players": 3, "draw": "free""#,
        r#""nations": ["Wales", "Northern Ireland"], "staged": true, "table": [5, 5], "challenges": true"#,
        r#""atlas": "us-states", "nations": ["Mountain", "Pacific"], "table": [6, 6], "players": 4, "draw": "free""#,
        r#""atlas": "world-countries", "nations": ["Europe"], "table": [4, 4], "players": 5"#,
    ];
    let mut phases: BTreeMap<String, usize> = BTreeMap::new();
    for table in tables {
        for seed in 0..3 {
            let end = Match::seeded(&format!(r#"{{{table}, "rounds": 1}}"#), seed).play_out(|game, _| {
                let oracle = Oracle::new(game);
                *phases.entry(game.phase()).or_default() += 1;
                if !game.is_over() {
                    assert_eq!(game.legal(), oracle.legal(), "{table}: {}", game.position());
                    assert!(game.phase() != "go" || oracle.goes_on(), "{table}: {}", game.position());
                }
            });
            let is_won = end.hand_sizes().contains(&0);
            assert_eq!(end.number("blocked_rounds"), u64::from(!is_won));
            assert!(is_won || !Oracle::new(&end).goes_on(), "{table}: {}", end.position());
        }
    }
    assert!(phases.len() == 7 && phases.values().all(|&seen| seen >= 20), "{phases:?}");
}

#[test]
fn mapo_11_large_decks_on_large_tables_agree_too() {
    let decks = [
        r#"{"atlas": "world-countries", "rounds": 1, "transit_cards": 32, "transit_each": 16}"#,
        r#"{"atlas": "us-states", "rounds": 1, "transit_cards": 32, "transit_each": 6, "players": 5}"#,
        r#"{"rounds": 1, "table": [62, 62]}"#,
    ];
    for options in decks {
        let mut number = 0;
        Match::seeded(options, 3).play_out(|game, _| {
            number += 1;
            if number % 40 == 1 && !game.is_over() {
                assert_eq!(game.legal(), Oracle::new(game).legal(), "{options}: {}", game.position());
            }
        });
        assert!(number > 100, "only {number} decisions: {options}");
    }
}

#[test]
fn mapo_12_every_county_next_to_a_transit_card_borders_the_nominee() {
    let game = Match::at(json(
        r#"{"table": {"P11": "kent", "P12": "surrey", "Q12": "hampshire"},
        "hands": [["isle_of_wight"], ["dorset"]], "transit": [1, 1]}"#,
    ));
    assert_eq!(game.legal(), ["transit English Channel"]);
    let nominated = game.after("transit English Channel");
    assert_eq!(nominated.legal(), ["P10", "O11", "Q11", "R12", "Q13"]);
    nominated.assert_refuses_naming("P13", &["English Channel", "does not border", "Surrey"]);
    nominated.assert_refuses_naming("Q10", &["no card", "next to"]);
    game.assert_refuses_naming("transit North Sea", &["North Sea", "MAPO-13"]);
    game.assert_refuses_naming("transit Devon", &["Devon"]);
}

#[test]
fn mapo_12_a_transit_card_may_not_lie_next_to_another() {
    let game = Match::at(json(
        r#"{"table": {"P11": "kent", "P12": "east_sussex", "Q11": "transit english_channel", "R11": "isle_of_wight"},
        "hands": [["west_sussex"], ["dorset"]], "transit": [1, 1]}"#,
    ));
    let nominated = game.after("transit English Channel");
    assert_eq!(nominated.legal(), ["P10", "R10", "O11", "S11", "O12", "R12", "P13"]);
    for next_to_another in ["Q10", "Q12"] {
        nominated.assert_refuses_naming(next_to_another, &["another transit card", "MAPO-12"]);
    }
    let side_by_side = json(r#"{"P11": "kent", "Q11": "transit english_channel", "R11": "transit english_channel"}"#);
    assert_impossible("{}", with(kent(), json!({"table": side_by_side})), &["transit cards side by side"]);
}

#[test]
fn mapo_12_any_region_can_be_nominated() {
    let position = json(r#"{"table": {"P11": "gloucestershire"}, "hands": [["devon"], ["kent"]], "transit": [1, 0]}"#);
    let hands = [
        json(r#"[["devon"], ["kent"]]"#),
        json(r#"[["devon"], ["kent", "somerset"]]"#),
        json(r#"[["devon", "somerset"], ["kent"]]"#),
    ];
    for hands in hands {
        let game = Match::at(with(position.clone(), json!({"hands": hands})));
        assert_eq!(game.cells_after("transit Somerset"), ["P10", "O11", "Q11", "P12"], "{hands}");
        assert_eq!(game.after("transit Somerset; P12").legal(), ["Devon"], "{hands}");
    }
    let tabled = with(position, json(r#"{"table": {"P11": "gloucestershire", "O11": "somerset"}}"#));
    let game = Match::at(tabled);
    assert_eq!(game.cells_after("transit Somerset"), ["P10", "Q11", "P12"]);
    game.after("transit Somerset").assert_refuses_naming("O10", &["Somerset", "does not border"]);
}

#[test]
fn mapo_12_a_sea_or_an_outside_country_can_be_nominated() {
    let position =
        json(r#"{"table": {"P11": "londonderry"}, "hands": [["down", "shetland"], ["antrim"]], "transit": [1, 0]}"#);
    let game = Match::at(position);
    assert_eq!(game.nominees(), ["Antrim", "Atlantic Ocean", "Republic of Ireland"]);
    let laid = game.after("transit republic of ireland; P12; Down; P13");
    assert_eq!(laid.card("P12").as_deref(), Some("transit republic_of_ireland"));
    let card = laid.view(None)["table"]["cards"][1].clone();
    let expected = json(
        r#"{"cell": "P12", "row": 11, "column": 15, "kind": "transit", "id": "republic_of_ireland",
        "name": "Republic of Ireland", "abbreviation": "Republic of Ireland", "nation": null}"#,
    );
    assert_eq!(card, expected);
}

#[test]
fn mapo_12_a_player_without_a_transit_card_nominates_nothing() {
    let game = Match::of(FREE, with(kent(), json(r#"{"transit": [0, 1]}"#)));
    assert_eq!(game.legal(), ["Essex", "Surrey", "take"]);
    game.assert_refuses_naming("transit Greater London", &["seat 0", "no transit card"]);
    assert!(!game.after("take").nominees().is_empty());
}

#[test]
fn mapo_12_the_text_names_the_nominee_of_each_transit_card() {
    let mut seen = 0;
    for options in [r#"{"rounds": 1, "transit_each": "easier"}"#, r#"{"rounds": 1, "table": [62, 62]}"#] {
        Match::new(options).play_out(|game, _| {
            let atlas = uk();
            let table = game.the("table");
            let cards = table.as_object().unwrap().iter();
            let transits = cards.filter_map(|(cell, card)| Some((cell, card.as_str()?.strip_prefix("transit ")?)));
            let text = game.text(Some(1)).split_whitespace().collect::<Vec<_>>().join(" ");
            for (cell, nominee) in transits {
                let name = &atlas.place(atlas.find(nominee).unwrap()).name;
                assert!(text.contains(&format!("{cell} {name}")), "{cell} {name} in {text}");
                seen += 1;
            }
        });
    }
    assert!(seen > 100);
}

#[test]
fn mapo_13_a_county_card_follows_next_to_the_transit_card() {
    let game = Match::at(json(
        r#"{"table": {"P11": "gloucestershire", "Q11": "wiltshire"},
        "hands": [["devon", "dorset", "bristol"], ["kent"]], "transit": [1, 0]}"#,
    ));
    let through = game.after("transit Somerset; P12");
    assert_eq!(through.legal(), ["Bristol", "Dorset", "Devon"]);
    assert_eq!(through.cells_after("Devon"), ["O12", "P13"]);
    assert_eq!(through.cells_after("Dorset"), ["O12", "Q12", "P13"]);
    through.after("Dorset").assert_refuses_naming("Q10", &["next to the transit card", "MAPO-13"]);
    through.after("Devon").assert_refuses_naming("Q12", &["Devon", "does not border", "Wiltshire"]);
}

#[test]
fn mapo_13_a_nominee_that_nothing_in_the_hand_can_follow_is_no_choice() {
    let game =
        Match::at(json(r#"{"table": {"P11": "gloucestershire"}, "hands": [["devon"], ["kent"]], "transit": [1, 1]}"#));
    assert_eq!(game.legal(), ["transit Somerset"]);
    // They border Gloucestershire, or Devon, but not both.
    for nominee in ["Oxfordshire", "Bristol", "Dorset", "English Channel"] {
        game.assert_refuses_naming(&format!("transit {nominee}"), &[nominee, "MAPO-13"]);
    }
}

#[test]
fn mapo_13_a_cell_from_which_nothing_can_follow_is_no_choice() {
    let table = json(r#"{"B2": "wiltshire", "C2": "gloucestershire", "D2": "oxfordshire"}"#);
    let position = |county: &str| json!({"table": table, "hands": [[county], ["kent"]], "transit": [1, 0]});
    let devon = Match::of(r#"{"table": [4, 2]}"#, position("devon"));
    assert_eq!(devon.cells_after("transit Somerset"), ["B1", "A2", "B3"]);
    for boxed_in in ["C1", "C3"] {
        devon.after("transit Somerset").assert_refuses_naming(boxed_in, &["follow", "MAPO-13"]);
    }
    // Dorset borders Wiltshire, so it can follow at B1 or B3.
    let dorset = Match::of(r#"{"table": [4, 2]}"#, position("dorset"));
    assert_eq!(dorset.cells_after("transit Somerset"), ["B1", "C1", "A2", "B3", "C3"]);
    assert_eq!(dorset.after("transit Somerset; C1; Dorset").legal(), ["B1"]);
}

#[test]
fn mapo_13_a_nominee_whose_every_cell_leads_nowhere_is_no_choice() {
    let table = json(r#"{"A2": "wiltshire", "B2": "gloucestershire", "C2": "oxfordshire"}"#);
    let position = |county: &str| json!({"table": table, "hands": [[county], ["berkshire"]], "transit": [1, 0]});
    let devon = Match::of(r#"{"table": [3, 3]}"#, position("devon"));
    assert_eq!(devon.legal(), ["take"]);
    devon.assert_refuses_naming("transit Somerset", &["MAPO-13"]);
    let dorset = Match::of(r#"{"table": [3, 3]}"#, position("dorset"));
    assert_eq!(dorset.nominees(), ["Wiltshire", "Somerset"]);
    assert_eq!(dorset.cells_after("transit Somerset"), ["B1", "B3"]);
    assert_eq!(dorset.cells_after("transit Somerset; B3; Dorset"), ["A3"]);
}

#[test]
fn mapo_13_positions_in_a_go_that_cannot_be_completed_are_refused() {
    let position = json(
        r#"{"table": {"P11": "gloucestershire"}, "hands": [["devon", "bristol"], ["kent"]], "transit": [1, 1],
        "pile": 1}"#,
    );
    let refuse = |parts: Value| assert_impossible("{}", with(position.clone(), parts), &["decision"]);
    refuse(json(r#"{"phase": "place", "county": "devon"}"#));
    refuse(json(r#"{"phase": "place_transit", "nominee": "oxfordshire"}"#));
    refuse(json(r#"{"phase": "place_transit", "nominee": "somerset", "transit": [0, 1]}"#));
    refuse(json(r#"{"phase": "follow", "nominee": "somerset", "transit_cell": "A1"}"#));
    refuse(json(r#"{"phase": "follow", "nominee": "somerset", "transit_cell": "P11"}"#));
    refuse(json(r#"{"phase": "follow", "nominee": "english_channel", "transit_cell": "P12"}"#));
    refuse(json(r#"{"phase": "place_follow", "nominee": "somerset", "transit_cell": "P12", "county": "kent"}"#));
    let whole = json(r#"{"phase": "place_follow", "nominee": "somerset", "transit_cell": "P12", "county": "devon"}"#);
    assert_eq!(Match::at(with(position.clone(), whole)).legal(), ["O12", "Q12", "P13"]);
}

#[test]
fn mapo_14_the_nominees_own_card_can_be_played_but_not_next_to_its_transit_card() {
    let game = Match::at(through_somerset(&json(r#"[["somerset", "kent"], ["essex"]]"#)));
    assert_eq!(game.cells_after("Somerset"), ["P10", "O11", "Q11", "O13", "Q13", "P14"]);
    game.after("Somerset").assert_refuses_naming("O12", &["Somerset", "does not border"]);
    // Nor can it follow.
    let own =
        json(r#"{"table": {"P11": "gloucestershire"}, "hands": [["devon", "somerset"], ["kent"]], "transit": [1, 0]}"#);
    assert_eq!(Match::at(own).after("transit Somerset; P12").legal(), ["Devon"]);
}

#[test]
fn mapo_14_one_nominee_may_stand_twice() {
    let mut position = through_somerset(&json(r#"[["dorset", "kent"], ["essex"]]"#));
    position["transit"] = json("[1, 0]");
    let mut game = Match::at(position);
    game.play("transit Somerset; P10; Dorset; P9");
    assert_eq!((game.card("P10"), game.turn()), (game.card("P12"), 1));
}

#[test]
fn mapo_15_any_player_may_play_next_to_a_tabled_transit_card() {
    let position = through_somerset(&json(r#"[["bristol", "kent"], ["dorset", "essex"]]"#));
    let mut game = Match::at(position);
    game.play("Bristol; O12");
    assert_eq!(game.turn(), 1);
    assert!(game.cells_after("Dorset").contains(&"Q12".to_owned()));
    game.play("Dorset; Q12");
    assert_eq!((game.card("O12").as_deref(), game.card("Q12").as_deref()), (Some("bristol"), Some("dorset")));
}

#[test]
fn mapo_16_a_county_next_to_two_counties_gives_an_extra_go() {
    let mut game = Match::at(around_oxfordshire(&json(r#"[["oxfordshire", "rutland", "kent"], ["wiltshire"]]"#)));
    game.play("Oxfordshire; Q11");
    assert_eq!((game.turn(), game.phase(), game.numbers("double_connections")), (0, "go".to_owned(), vec![1, 0]));
    game.play("Rutland; P10");
    assert_eq!((game.turn(), game.numbers("double_connections")), (1, vec![1, 0]));
}

#[test]
fn mapo_16_a_county_next_to_one_card_does_not() {
    let mut game = Match::at(around_oxfordshire(&json(r#"[["oxfordshire", "rutland", "kent"], ["wiltshire"]]"#)));
    game.play("Oxfordshire; P10");
    assert_eq!((game.turn(), game.numbers("double_connections")), (1, vec![0, 0]));
}

#[test]
fn mapo_16_a_tabled_transit_card_counts() {
    let mut position = through_somerset(&json(r#"[["dorset", "kent"], ["essex"]]"#));
    position["table"]["Q11"] = json!("wiltshire");
    let mut game = Match::at(position);
    game.play("Dorset; Q12");
    assert_eq!((game.turn(), game.numbers("double_connections")), (0, vec![1, 0]));
}

#[test]
fn mapo_16_the_transit_card_just_played_counts_for_the_county_that_follows() {
    let game = Match::at(json(
        r#"{"table": {"P11": "gloucestershire", "Q11": "wiltshire"}, "hands": [["dorset", "kent"], ["devon"]],
        "transit": [1, 0]}"#,
    ));
    let double = game.after("transit Somerset; P12; Dorset; Q12");
    assert_eq!((double.turn(), double.numbers("double_connections")), (0, vec![1, 0]));
    let single = game.after("transit Somerset; P12; Dorset; P13");
    assert_eq!((single.turn(), single.numbers("double_connections")), (1, vec![0, 0]));
}

#[test]
fn mapo_16_the_transit_card_itself_never_gives_one() {
    let mut game = Match::at(json(
        r#"{"table": {"P11": "gloucestershire", "P12": "oxfordshire", "Q12": "wiltshire"},
        "hands": [["devon", "kent"], ["dorset"]], "transit": [1, 0]}"#,
    ));
    game.play("transit Somerset; Q11; Devon; R11");
    assert_eq!((game.turn(), game.numbers("double_connections")), (1, vec![0, 0]));
}

#[test]
fn mapo_16_without_the_option_county_cards_alone_count() {
    let counties_alone = r#"{"double_with_transit": false}"#;
    let mut tabled = through_somerset(&json(r#"[["dorset", "kent"], ["essex"]]"#));
    tabled["table"]["Q11"] = json!("wiltshire");
    let game = Match::of(counties_alone, tabled).after("Dorset; Q12");
    assert_eq!((game.turn(), game.numbers("double_connections")), (1, vec![0, 0]));

    let after = |table: Value| {
        let hands = json(r#"[["dorset", "kent"], ["devon"]]"#);
        let position = json!({"table": table, "hands": hands, "transit": [1, 0]});
        Match::of(counties_alone, position).after("transit Somerset; P12; Dorset; Q12")
    };
    let row = json(r#"{"P11": "gloucestershire", "Q11": "wiltshire"}"#);
    let one = after(row.clone());
    assert_eq!((one.turn(), one.numbers("double_connections")), (1, vec![0, 0]));
    let two = after(with(row, json(r#"{"R11": "berkshire", "R12": "hampshire"}"#)));
    assert_eq!((two.turn(), two.numbers("double_connections")), (0, vec![1, 0]));

    let hands = json(r#"[["oxfordshire", "rutland"], ["wiltshire"]]"#);
    let game = Match::of(counties_alone, around_oxfordshire(&hands)).after("Oxfordshire; Q11");
    assert_eq!((game.turn(), game.numbers("double_connections")), (0, vec![1, 0]));
    assert_refused(r#"{"double_with_transit": 1}"#, &["double_with_transit"]);
}

#[test]
fn mapo_16_three_neighbours_give_one_extra_go() {
    let table = json(
        r#"{"P11": "staffordshire", "P10": "shropshire", "Q10": "worcestershire", "P12": "leicestershire",
        "Q12": "warwickshire"}"#,
    );
    let mut game = Match::at(json!({"table": table, "hands": [["west_midlands", "rutland", "kent"], ["oxfordshire"]]}));
    game.play("West Midlands; Q11");
    assert_eq!((game.turn(), game.numbers("double_connections")), (0, vec![1, 0]));
    game.play("Rutland; P13");
    assert_eq!(game.turn(), 1);
}

#[test]
fn mapo_16_extra_goes_add_up() {
    let hands = json(r#"[["antrim", "essex"], ["oxfordshire", "buckinghamshire", "kent"], ["berkshire"]]"#);
    let position = with(around_oxfordshire(&hands), json(r#"{"turn": 1}"#));
    let mut game = Match::of(r#"{"players": 3}"#, position);
    game.play("Oxfordshire; Q11; Buckinghamshire; Q10");
    assert_eq!((game.turn(), game.numbers("double_connections")), (2, vec![0, 1, 0]));
    let position = with(around_oxfordshire(&hands), json(r#"{"turn": 1}"#));
    let mut game = Match::of(r#"{"players": 3}"#, position);
    game.play("Oxfordshire; Q11; Buckinghamshire; P10");
    assert_eq!(game.turn(), 2, "P10 is beside Northamptonshire alone");
}

#[test]
fn mapo_17_the_top_card_of_the_pile_is_taken_and_the_go_is_over() {
    let mut game = Match::of(FREE, kent());
    game.play("take; take");
    assert_eq!((game.numbers("transit"), game.number("pile"), game.turn()), (vec![2, 2], 1, 0));
    game.play("take");
    assert_eq!((game.numbers("transit"), game.number("pile"), game.turn()), (vec![3, 2], 0, 1));
    game.play("take");
    assert_eq!((game.numbers("transit"), game.number("pile"), game.turn()), (vec![3, 2], 0, 0));
    assert_eq!(game.rules.parse("pass"), game.rules.parse("take"));
}

#[test]
fn mapo_17_draw_free_lets_a_player_say_so_at_any_time() {
    for pile in [0, 3] {
        let game = Match::of(FREE, with(kent(), json!({"pile": pile})));
        assert_eq!(game.legal().len(), 6);
        assert_eq!(game.legal()[5], "take");
    }
}

#[test]
fn mapo_17_a_player_takes_a_card_only_without_a_legal_play() {
    let at = |hand: &str, transit: u8, pile: u8| {
        let parts = json!({"hands": [[hand], ["surrey"]], "transit": [transit, 0], "pile": pile});
        Match::at(with(kent(), parts))
    };
    assert_eq!(serde_json::to_value(rules("{}").options().draw).unwrap(), "stuck");
    let able = at("essex", 0, 3);
    assert_eq!(able.legal(), ["Essex"]);
    able.assert_refuses_naming("take", &["MAPO-17"]);
    // Devon fits nowhere, but can follow a transit card.
    assert_eq!(at("devon", 0, 3).legal(), ["take"]);
    assert_eq!(at("devon", 1, 3).legal(), ["transit English Channel"]);
    at("devon", 1, 3).assert_refuses_naming("take", &["MAPO-17"]);
    // Nothing that borders Rutland borders Kent.
    for (transit, pile) in [(1, 3), (1, 0), (0, 0)] {
        assert_eq!(at("rutland", transit, pile).legal(), ["take"]);
    }
    let mut passed = at("rutland", 1, 0);
    passed.play("take");
    assert_eq!((passed.turn(), passed.number("passes"), passed.legal()), (1, 1, vec!["Surrey".to_owned()]));
}

#[test]
fn mapo_17_a_guess_after_a_card_was_taken_may_be_a_hand_that_could_have_gone() {
    let position = json(
        r#"{"table": {"P11": "kent"}, "hands": [["antrim"], ["rutland", "fife"], ["essex", "surrey"]], "pile": 3,
        "turn": 1}"#,
    );
    let mut game = Match::of(r#"{"players": 3}"#, position);
    game.play("take");
    let could_go = |guess: &Match| guess.hands()[1].iter().any(|county| ["essex", "surrey"].contains(&&**county));
    let guesses: Vec<Match> = (0..60).map(|seed| game.guess(0, seed)).collect();
    assert!(guesses.iter().any(could_go) && !guesses.iter().all(could_go));
    for guess in guesses {
        assert_eq!(guess.view(Some(0)), game.view(Some(0)));
        assert_eq!(Match::of(r#"{"players": 3}"#, guess.position()).position(), guess.position());
    }
}

#[test]
fn mapo_17_other_words_for_draw_are_refused() {
    assert_refused(r#"{"draw": "never"}"#, &["draw", "never", "free", "stuck"]);
    assert_refused(r#"{"drwa": "free"}"#, &["drwa", "draw", "players", "challenges"]);
}

/// What a player who runs out of time has chosen so far.
const BEGUN: [&str; 5] = [
    "take; take",
    "Surrey",
    "transit Greater London",
    "transit Greater London; P10",
    "transit Greater London; P10; Essex",
];

#[test]
fn mapo_18_a_player_out_of_time_takes_a_card_and_the_go_is_over() {
    for draw in ["free", "stuck"] {
        for choices in &BEGUN[1..] {
            let mut game = Match::of(&format!(r#"{{"draw": "{draw}"}}"#), kent()).after(choices);
            game.time_out().unwrap();
            assert_eq!((game.turn(), game.phase(), game.number("passes")), (1, "go".to_owned(), 0));
            assert_eq!((game.numbers("transit"), game.number("pile")), (vec![2, 1], 2));
            assert_eq!((game.hand_sizes(), game.num_cards()), (vec![2, 2], 1));
            assert_eq!(
                (game.the("county"), game.the("nominee"), game.the("cell")),
                (Value::Null, Value::Null, Value::Null)
            );
        }
    }
    let mut game = Match::of(FREE, kent()).after(BEGUN[0]);
    game.time_out().unwrap();
    assert_eq!((game.turn(), game.numbers("transit"), game.number("pile")), (1, vec![3, 2], 0));
}

#[test]
fn mapo_18_a_county_that_was_chosen_has_been_seen() {
    for (choices, shown) in
        BEGUN.iter().zip([json!([]), json(r#"["surrey"]"#), json!([]), json!([]), json(r#"["essex"]"#)])
    {
        let mut game = Match::of(FREE, kent()).after(choices);
        game.time_out().unwrap();
        assert_eq!(game.the("shown"), shown, "{choices}");
        assert_eq!(game.view(Some(1))["hands"][0]["cards"], shown, "{choices}");
    }
    let mut game = Match::of(FREE, kent()).after("Surrey");
    game.time_out().unwrap();
    game.play("take; Surrey; P12");
    assert_eq!(game.the("shown"), json!([]));
}

#[test]
fn mapo_18_with_an_empty_pile_it_is_a_pass() {
    for choices in &BEGUN[1..] {
        let mut game = Match::of(ONE_ROUND, with(kent(), json(r#"{"pile": 0}"#))).after(choices);
        game.time_out().unwrap();
        assert_eq!((game.turn(), game.number("passes"), game.numbers("transit")), (1, 1, vec![1, 1]));
        game.time_out().unwrap();
        assert!(game.is_over());
        assert_eq!((game.numbers("points"), game.number("blocked_rounds")), (vec![2, 2], 1));
    }
}

#[test]
fn mapo_18_an_extra_go_runs_out_too() {
    let position =
        with(around_oxfordshire(&json(r#"[["oxfordshire", "rutland"], ["wiltshire"]]"#)), json(r#"{"pile": 2}"#));
    let mut game = Match::at(position);
    game.play("Oxfordshire; Q11");
    game.time_out().unwrap();
    assert_eq!((game.turn(), game.numbers("transit"), game.hand_sizes()), (1, vec![1, 0], vec![1, 1]));
}

#[test]
fn mapo_18_there_is_no_time_out_while_a_card_may_be_challenged_or_after_the_match() {
    let mut asked = Match::of(CHALLENGES, kent()).after("Surrey; P12");
    let mut over =
        Match::of(ONE_ROUND, with(kent(), json(r#"{"hands": [["surrey"], ["essex"]]}"#))).after("Surrey; P12");
    for (game, word) in [(&mut asked, "challenge"), (&mut over, "over")] {
        let before = game.state.clone();
        let reason = game.time_out().unwrap_err();
        assert!(reason.contains(word), "{reason}");
        assert_eq!(game.state, before);
    }
}

#[test]
fn mapo_18_time_outs_alone_end_a_match() {
    let mut game = Match::new(r#"{"players": 3, "nations": ["Wales"]}"#);
    let mut goes = 0;
    while !game.is_over() {
        game.time_out().unwrap();
        game.rules.validate(&game.state).unwrap();
        goes += 1;
    }
    // The pile of nine is taken, then three pass, in each of three rounds; each player begins with 7 cards.
    assert_eq!((goes, game.numbers("points"), game.number("blocked_rounds")), (36, vec![21, 21, 21], 3));
}

// End of the round, the game

#[test]
fn mapo_19_the_first_to_play_their_last_county_card_wins_at_once() {
    let position = json(
        r#"{"table": {"P11": "kent"}, "hands": [["surrey"], ["essex", "rutland"], ["devon"]], "transit": [3, 1, 0],
        "pile": 2}"#,
    );
    let mut game = Match::of(r#"{"players": 3, "rounds": 1}"#, position);
    game.play("Surrey; P12");
    assert!(game.is_over());
    assert_eq!(game.legal(), Vec::<String>::new());
    assert_eq!(game.phase(), "over");
    assert_eq!(game.numbers("points"), [0, 2, 1]);
    assert_eq!(game.rules.returns(&game.state)[..4], [0.0, -2.0, -1.0, 0.0]);
    assert_eq!(game.number("blocked_rounds"), 0);
    let view = game.view(Some(0));
    assert_eq!((&view["to_act"], &view["returns"]), (&Value::Null, &json("[0.0, -2.0, -1.0]")));
}

#[test]
fn mapo_19_the_last_round_stays_on_the_table() {
    let mut game = Match::of(ONE_ROUND, with(kent(), json(r#"{"hands": [["surrey"], ["rutland", "essex"]]}"#)));
    game.play("Surrey; P12");
    assert_eq!(game.the("table"), json(r#"{"P11": "kent", "P12": "surrey"}"#));
    assert_eq!(game.the("hands"), json(r#"[[], ["rutland", "essex"]]"#));
    assert_eq!((game.numbers("transit"), game.number("pile")), (vec![1, 1], 3));
    game.assert_refuses_naming("take", &["over"]);
    game.assert_refuses_naming("Essex", &["over"]);
}

#[test]
fn mapo_19_a_county_after_a_transit_card_can_be_the_last() {
    let position = json(r#"{"table": {"P11": "gloucestershire"}, "hands": [["devon"], ["kent"]], "transit": [2, 1]}"#);
    let mut game = Match::of(ONE_ROUND, position);
    game.play("transit Somerset; P12; Devon; P13");
    assert!(game.is_over());
    assert_eq!((game.numbers("points"), game.numbers("transit")), (vec![0, 1], vec![1, 1]));
}

#[test]
fn mapo_19_a_double_connection_with_the_last_card_wins_too() {
    let mut game = Match::of(ONE_ROUND, around_oxfordshire(&json(r#"[["oxfordshire"], ["wiltshire", "kent"]]"#)));
    game.play("Oxfordshire; Q11");
    assert!(game.is_over());
    assert_eq!((game.numbers("points"), game.numbers("double_connections")), (vec![0, 2], vec![1, 0]));
}

#[test]
fn mapo_19_playing_the_last_transit_card_wins_nothing() {
    let mut game = Match::at(json(
        r#"{"table": {"P11": "gloucestershire"}, "hands": [["devon", "kent"], ["essex"]], "transit": [1, 0],
        "pile": 1}"#,
    ));
    game.play("transit Somerset; P12; Devon; P13");
    assert_eq!((game.turn(), game.number("round"), game.hand_sizes()), (1, 1, vec![1, 1]));
}

#[test]
fn mapo_19_a_position_in_which_somebody_has_won_is_refused() {
    assert_impossible("{}", with(kent(), json(r#"{"hands": [["essex"], []]}"#)), &["MAPO-19"]);
    assert_impossible(
        "{}",
        with(kent(), json(r#"{"hands": [[], ["essex"]], "phase": "place", "county": "essex"}"#)),
        &["MAPO-19"],
    );
}

#[test]
fn mapo_20_the_round_is_over_when_everybody_has_passed_in_turn() {
    let position = json(
        r#"{"table": {"P11": "kent"}, "hands": [["surrey"], ["essex", "rutland"], ["devon", "dorset", "cornwall"]]}"#,
    );
    let mut game = Match::of(r#"{"players": 3, "rounds": 1, "draw": "free"}"#, position);
    game.play("take; take");
    assert!(!game.is_over());
    assert_eq!(game.number("passes"), 2);
    game.play("take");
    assert!(game.is_over());
    assert_eq!((game.numbers("points"), game.number("blocked_rounds")), (vec![1, 2, 3], 1));
}

#[test]
fn mapo_20_a_card_laid_or_taken_begins_the_count_anew() {
    let position = json(
        r#"{"table": {"P11": "kent"},
        "hands": [["surrey", "dorset"], ["essex", "suffolk"], ["east_sussex", "devon"]]}"#,
    );
    let free = r#"{"players": 3, "rounds": 1, "draw": "free"}"#;
    let mut game = Match::of(free, position.clone());
    game.play("take; take; East Sussex; P12");
    assert_eq!((game.number("passes"), game.turn()), (0, 0));
    game.play("take; take");
    assert!(!game.is_over());
    game.play("take");
    assert!(game.is_over());
    let mut game = Match::of(free, with(position, json(r#"{"passes": 2, "pile": 1}"#)));
    game.play("take");
    assert_eq!((game.number("passes"), game.number("pile")), (0, 0));
}

#[test]
fn mapo_20_that_nobody_can_go_is_seen_at_once() {
    let position = json(r#"{"table": {"P11": "kent"}, "hands": [["surrey", "rutland"], ["devon"]]}"#);
    let mut game = Match::of(ONE_ROUND, position.clone());
    game.play("Surrey; P12");
    assert!(game.is_over());
    assert_eq!((game.numbers("points"), game.number("blocked_rounds")), (vec![1, 1], 1));
    // With a card in the pile, or a transit card that Devon can follow, it goes on.
    for parts in [json(r#"{"pile": 1}"#), json(r#"{"transit": [0, 1]}"#)] {
        let game = Match::of(ONE_ROUND, with(position.clone(), parts)).after("Surrey; P12");
        assert_eq!((game.is_over(), game.turn()), (false, 1));
    }
}

#[test]
fn mapo_20_it_is_seen_when_the_last_card_of_the_pile_is_taken() {
    let position = |hands: Value| json!({"table": {"P11": "kent"}, "hands": hands, "pile": 1});
    let mut game = Match::of(ONE_ROUND, position(json(r#"[["rutland"], ["devon", "cornwall"]]"#)));
    game.play("take");
    assert!(game.is_over());
    assert_eq!((game.numbers("points"), game.number("blocked_rounds")), (vec![1, 2], 1));
    // With the transit card that was taken, Devon can go.
    let mut game = Match::of(ONE_ROUND, position(json(r#"[["devon", "cornwall"], ["rutland"]]"#)));
    game.play("take");
    assert_eq!((game.is_over(), game.legal()), (false, vec!["take".to_owned()]));
    game.play("take");
    assert_eq!(game.nominees(), ["English Channel"]);
    let mut game = Match::of(ONE_ROUND, position(json(r#"[["rutland"], ["devon"]]"#)));
    game.time_out().unwrap();
    assert!(game.is_over());
}

#[test]
fn mapo_20_it_is_seen_before_an_extra_go() {
    let mut game =
        Match::of(ONE_ROUND, around_oxfordshire(&json(r#"[["oxfordshire", "antrim"], ["shetland", "orkney"]]"#)));
    game.play("Oxfordshire; Q11");
    assert!(game.is_over());
    assert_eq!((game.numbers("points"), game.numbers("double_connections")), (vec![1, 2], vec![1, 0]));
}

#[test]
fn mapo_20_a_full_table_ends_the_round() {
    let position = json(r#"{"table": {"A1": "kent", "B1": "surrey"}, "hands": [["hampshire", "essex"], ["dorset"]]}"#);
    let mut game = Match::of(r#"{"table": [3, 1], "rounds": 1}"#, position);
    game.play("Hampshire; C1");
    assert!(game.is_over());
    assert_eq!(game.numbers("points"), [1, 1]);
}

#[test]
fn mapo_20_everybody_scores_and_the_next_round_is_dealt() {
    let position = json(
        r#"{"table": {"P11": "kent"}, "hands": [["surrey", "rutland"], ["devon"]], "points": [3, 4],
            "round": 2}"#,
    );
    let mut game = Match::of(r#"{"rounds": 3}"#, position);
    game.play("Surrey; P12");
    assert_eq!((game.numbers("points"), game.number("round"), game.number("blocked_rounds")), (vec![4, 5], 3, 1));
    assert_eq!((game.number("passes"), game.number("pile"), game.counties().len()), (0, 10, 108));
}

#[test]
fn mapo_20_a_deal_with_which_nobody_could_ever_go_is_dealt_again() {
    // Two pairs and islands, without transit cards: most starting counties leave nobody a play.
    let regions: [(&str, &[&str]); 8] = [
        ("ash", &["beech"]),
        ("beech", &["ash"]),
        ("cedar", &[]),
        ("date", &[]),
        ("elm", &[]),
        ("fir", &[]),
        ("gum", &[]),
        ("hazel", &[]),
    ];
    let options = custom(&regions, r#", "transit_cards": 0, "transit_each": 0, "rounds": 3"#);
    let mut starts = BTreeSet::new();
    for seed in 0..60 {
        let start = Match::seeded(&options, seed);
        starts.insert(start.card("P11").unwrap());
        let end = start.play_out(|game, _| assert!(game.phase() != "go" || Oracle::new(game).goes_on()));
        assert_eq!(end.number("blocked_rounds"), 3);
    }
    assert_eq!(starts, ["ash", "beech"].map(str::to_owned).into());
}

#[test]
fn mapo_20_a_blocked_position_is_refused() {
    let refuse = |parts: Value| assert_impossible("{}", with(kent(), parts), &["decision"]);
    refuse(json(r#"{"hands": [["rutland"], ["devon"]], "transit": [1, 0], "pile": 0}"#));
    refuse(json(r#"{"pile": 0, "passes": 2}"#));
    Match::at(with(kent(), json(r#"{"pile": 0, "passes": 1}"#)));
    Match::at(with(kent(), json(r#"{"hands": [["rutland"], ["devon"]], "transit": [1, 0], "pile": 1, "passes": 2}"#)));
}

#[test]
fn mapo_21_the_next_dealer_is_to_the_left_of_the_last() {
    for players in 2..=5 {
        let rounds = players + 2;
        let options = format!(r#"{{"players": {players}, "rounds": {rounds}, "nations": ["Wales"], "table": [8, 6]}}"#);
        let mut dealers: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
        Match::new(&options).play_out(|game, _| {
            dealers.entry(game.number("round")).or_insert((game.number("dealer"), game.turn()));
        });
        let expected = (0..rounds).map(|round| (round + 1, ((players - 1 + round) % players, round % players)));
        assert_eq!(dealers, expected.collect());
    }
}

#[test]
fn mapo_21_every_round_begins_afresh() {
    let position = json(
        r#"{"table": {"P11": "kent"}, "hands": [["surrey"], ["essex", "devon"]], "transit": [0, 4], "pile": 3,
        "shown": ["devon"], "transit_played": [2, 0]}"#,
    );
    let mut game = Match::at(position);
    game.play("Surrey; P12");
    assert_eq!((game.number("round"), game.number("dealer"), game.turn(), game.phase()), (2, 0, 1, "go".to_owned()));
    assert_eq!((game.numbers("transit"), game.number("pile"), game.the("shown")), (vec![1, 1], 10, json!([])));
    assert_eq!((game.hand_sizes(), game.num_cards(), game.counties().len()), (vec![53, 54], 1, 108));
    assert_eq!((game.numbers("transit_played"), game.numbers("points")), (vec![2, 0], vec![0, 2]));
}

#[test]
fn mapo_22_a_game_has_as_many_rounds_as_players() {
    for players in 2..=5 {
        let options = format!(r#"{{"players": {players}, "nations": ["Northern Ireland"], "table": [6, 4]}}"#);
        let start = Match::new(&options);
        assert_eq!(start.view(None)["rounds"], players);
        let end = start.play_out(|_, _| ());
        assert_eq!(end.number("round"), players);
    }
    for rounds in [1, 7, 100] {
        let options = format!(r#"{{"nations": ["Northern Ireland"], "table": [3, 3], "rounds": {rounds}}}"#);
        let end = Match::new(&options).play_out(|_, _| ());
        assert_eq!(end.number("round"), rounds);
    }
    for rounds in [0, 101] {
        assert_refused(&format!(r#"{{"rounds": {rounds}}}"#), &["rounds", &rounds.to_string(), "1 to 100"]);
    }
}

#[test]
fn mapo_22_points_add_up_over_the_rounds() {
    let options = r#"{"players": 3, "nations": ["Wales"], "table": [8, 6], "rounds": 5}"#;
    for seed in 0..5 {
        let mut before = (1, vec![0, 0, 0]);
        let end = Match::seeded(options, seed).play_out(|game, _| {
            let (round, points) = (game.number("round"), game.numbers("points"));
            let is_scored = round > before.0 || game.is_over();
            assert!(is_scored || points == before.1, "points move at the end of a round only");
            let blocked = game.number("blocked_rounds") as usize;
            if is_scored {
                let gained: Vec<u64> = points.iter().zip(&before.1).map(|(after, before)| after - before).collect();
                assert!(gained.iter().filter(|&&gain| gain == 0).count() <= 1);
                assert!(gained.contains(&0) || blocked > 0);
            }
            let lost: Vec<f32> = points.iter().map(|&points| 0.0 - points as f32).collect();
            assert_eq!(game.rules.returns(&game.state)[..3], lost);
            let part = game.rules.moment(&game.state).part;
            assert_eq!((part.noun, part.number as u64, part.of, part.tally.what), ("round", round, 5, "points"));
            assert_eq!(part.tally.values, points.iter().map(|&points| points as i32).collect::<Vec<_>>());
            before = (round, points);
        });
        let left: Vec<u64> = end.hand_sizes().iter().map(|&size| size as u64).collect();
        assert!(end.numbers("points").iter().zip(left).all(|(&points, left)| points >= left));
    }
}

#[test]
fn mapo_22_fewest_points_win_and_equal_points_share() {
    let end = |points: Value| {
        let position = json!({
            "table": {"P11": "kent"}, "hands": [["surrey"], ["essex"], ["devon", "dorset"]],
            "points": points, "round": 3, "dealer": 1, "turn": 0,
        });
        let mut game = Match::of(r#"{"players": 3}"#, position);
        game.play("Surrey; P12");
        assert!(game.is_over());
        (game.numbers("points"), game.text(None).lines().next().unwrap().to_owned())
    };
    let (points, heading) = end(json("[5, 3, 9]"));
    assert_eq!(points, [5, 4, 11]);
    assert!(heading.contains("seat 1 wins"), "{heading}");
    let (points, heading) = end(json("[5, 4, 3]"));
    assert_eq!(points, [5, 5, 5]);
    assert!(heading.ends_with("over, a draw"), "{heading}");
    let (points, heading) = end(json("[5, 4, 9]"));
    assert_eq!(points, [5, 5, 11]);
    assert!(heading.contains("share") && !heading.contains("seat 2"), "{heading}");
}

#[test]
fn mapo_22_positions_beyond_the_last_round_are_refused() {
    let refuse = |parts: Value, words: &[&str]| assert_impossible("{}", with(kent(), parts), words);
    refuse(json(r#"{"round": 0}"#), &["round"]);
    refuse(json(r#"{"round": 3}"#), &["round"]);
    refuse(json(r#"{"points": [1, 0]}"#), &["points"]);
    refuse(json(r#"{"round": 2, "points": [109, 0]}"#), &["points"]);
    refuse(json(r#"{"blocked_rounds": 1}"#), &["blocked"]);
    Match::at(with(kent(), json(r#"{"round": 2, "points": [50, 51], "blocked_rounds": 1}"#)));
}

// Options

const STAGED: &str =
    r#"{"staged": true, "nations": ["Wales", "Northern Ireland"], "first_nation": "Northern Ireland"}"#;

/// Antrim and Armagh lie diagonally, beside the free cell Q11; Welsh cards are undealt.
fn first_stage(hands: &Value) -> Value {
    json!({
        "table": {"P11": "antrim", "P12": "tyrone", "Q12": "armagh"}, "hands": hands,
        "undealt": ["powys", "conwy", "gwynedd", "cardiff", "swansea"], "pile": 2,
    })
}

#[test]
fn mapo_23_one_nation_is_dealt_first() {
    let start = Match::new(STAGED);
    assert_eq!((start.hand_sizes(), start.num_cards()), (vec![3, 2], 1));
    let undealt = words(&start.the("undealt"));
    let atlas = uk();
    assert_eq!(undealt.len(), 22);
    assert!(undealt.iter().all(|id| atlas.place(atlas.find_region(id).unwrap()).nations == ["Wales"]));
    assert_eq!(start.view(Some(0))["undealt"], start.the("undealt"));
    assert_eq!(start.counties().len(), 28);
    let whole = Match::new(r#"{"staged": true}"#);
    assert_eq!((words(&whole.the("undealt")).len(), whole.hand_sizes()), (60, vec![24, 23]));
    let wales = Match::new(r#"{"staged": true, "nations": ["Wales", "Northern Ireland"]}"#);
    assert_eq!(words(&wales.the("undealt")).len(), 6);
}

#[test]
fn mapo_23_the_others_are_dealt_when_somebody_plays_their_last_county_card() {
    let start = Match::of(STAGED, first_stage(&json(r#"[["down"], ["fermanagh", "londonderry"]]"#)));
    let single = start.after("Down; R12");
    assert_eq!((single.turn(), single.number("round"), single.phase()), (1, 1, "go".to_owned()));
    assert_eq!((single.hand_sizes(), single.the("undealt")), (vec![3, 4], json!([])));
    assert_eq!(single.counties(), start.counties());
    assert_eq!(single.numbers("points"), [0, 0]);
    let kept = &single.hands()[1];
    assert!(kept.contains(&"fermanagh".to_owned()) && kept.contains(&"londonderry".to_owned()));
    let double = start.after("Down; Q11");
    assert_eq!((double.turn(), double.hand_sizes(), double.numbers("double_connections")), (0, vec![3, 4], vec![1, 0]));
}

#[test]
fn mapo_23_that_deal_begins_with_the_player_who_has_no_cards() {
    let options = STAGED.replace('}', r#", "players": 3}"#);
    let position = first_stage(&json(r#"[["fermanagh"], ["londonderry"], ["down"]]"#));
    for (turn, play, sizes) in
        [(0, "Fermanagh; O12", [2, 3, 2]), (1, "Londonderry; P10", [2, 2, 3]), (2, "Down; R12", [3, 2, 2])]
    {
        let game = Match::of(&options, with(position.clone(), json!({"turn": turn}))).after(play);
        assert_eq!(game.hand_sizes(), sizes, "seat {turn}");
        assert_eq!(game.turn(), (turn + 1) % 3);
    }
    // Fewer cards than players: the player without cards gets the first.
    let two = with(position, json(r#"{"turn": 2, "undealt": ["powys", "conwy"]}"#));
    assert_eq!(Match::of(&options, two).after("Down; R12").hand_sizes(), [2, 1, 1]);
}

#[test]
fn mapo_23_the_deal_is_drawn() {
    let start = Match::of(STAGED, first_stage(&json(r#"[["down"], ["fermanagh", "londonderry"]]"#)));
    let mut hands = BTreeSet::new();
    for seed in 0..60 {
        hands.insert(start.with_seed(seed).after("Down; R12").hands()[0].clone());
    }
    assert_eq!(hands.len(), 10, "three of five cards");
}

#[test]
fn mapo_23_all_cards_build_one_map() {
    let position = json(
        r#"{"table": {"P11": "antrim"}, "hands": [["down"], ["fermanagh"]], "undealt": ["anglesey", "conwy"],
        "transit": [1, 1]}"#,
    );
    let mut game = Match::of(&STAGED.replace('}', r#", "draw": "free"}"#), position);
    game.play("Down; P12; take");
    let county = if game.hands()[0] == ["anglesey"] { "Anglesey" } else { "Conwy" };
    game.assert_refuses_naming(county, &["MAPO-11"]);
    game.play("transit Irish Sea; P13").play(county);
    assert_eq!(game.legal(), ["O13", "Q13", "P14"]);
}

#[test]
fn mapo_23_the_round_is_then_won_as_usual() {
    let position = with(first_stage(&json(r#"[["down"], ["fermanagh"]]"#)), json(r#"{"undealt": []}"#));
    let mut game = Match::of(&STAGED.replace('}', r#", "rounds": 1}"#), position);
    game.play("Down; R12");
    assert!(game.is_over());
    assert_eq!(game.numbers("points"), [0, 1]);
}

#[test]
fn mapo_23_undealt_cards_of_a_blocked_round_count_for_nobody() {
    let position = with(first_stage(&json(r#"[["down"], ["fermanagh", "londonderry"]]"#)), json(r#"{"pile": 0}"#));
    let mut game = Match::of(&STAGED.replace('}', r#", "rounds": 1, "draw": "free"}"#), position);
    game.play("take; take");
    assert!(game.is_over());
    assert_eq!((game.numbers("points"), game.number("blocked_rounds")), (vec![1, 2], 1));
}

#[test]
fn mapo_23_a_deal_after_which_nobody_can_go_ends_the_round() {
    let position = json(
        r#"{"table": {"P11": "antrim"}, "hands": [["down"], ["fermanagh"]],
        "undealt": ["powys", "conwy", "cardiff"]}"#,
    );
    let mut game = Match::of(&STAGED.replace('}', r#", "rounds": 1}"#), position);
    game.play("Down; P12");
    assert!(game.is_over());
    assert_eq!((game.numbers("points"), game.number("blocked_rounds")), (vec![2, 2], 1));
}

#[test]
fn mapo_23_every_round_is_staged() {
    let mut seen = BTreeSet::new();
    let options = STAGED.replace('}', r#", "table": [8, 6], "rounds": 6}"#);
    Match::new(&options).play_out(|game, _| {
        seen.insert((game.number("round"), words(&game.the("undealt")).len()));
    });
    assert!((1..=6).all(|round| seen.contains(&(round, 22))), "{seen:?}");
    assert!(
        seen.iter().any(|&(_, undealt)| undealt == 0) && seen.iter().all(|&(_, undealt)| undealt % 22 == 0),
        "{seen:?}"
    );
}

#[test]
fn mapo_23_a_region_of_two_editions_is_dealt_with_the_first() {
    for first in ["Europe", "Asia & Australasia"] {
        let options = format!(r#"{{"atlas": "world-countries", "staged": true, "first_nation": "{first}"}}"#);
        let undealt = words(&Match::new(&options).the("undealt"));
        assert!(!undealt.contains(&"rus".to_owned()) && undealt.contains(&"usa".to_owned()));
    }
}

#[test]
fn mapo_23_what_can_be_staged() {
    assert_refused(r#"{"first_nation": "Wales"}"#, &["first_nation", "staged"]);
    assert_refused(r#"{"staged": true, "nations": ["Wales"]}"#, &["staged", "two nations"]);
    assert_refused(r#"{"staged": true, "first_nation": "Ireland"}"#, &["first_nation", "Ireland", "England, Scotland"]);
    let not_played = r#"{"staged": true, "nations": ["England", "Scotland"], "first_nation": "Wales"}"#;
    assert_refused(not_played, &["first_nation", "Wales", "England, Scotland"]);
    assert_refused(r#"{"staged": 1}"#, &["staged"]);
    rules(r#"{"staged": true, "nations": ["England", "Scotland"], "first_nation": "scotland"}"#);
}

#[test]
fn mapo_23_positions_with_undealt_cards_need_a_stage() {
    assert_impossible("{}", with(kent(), json(r#"{"undealt": ["powys"]}"#)), &["undealt"]);
    let first = with(first_stage(&json(r#"[["fermanagh"], ["londonderry"]]"#)), json(r#"{"undealt": ["down"]}"#));
    assert_impossible(STAGED, first, &["undealt"]);
    let twice =
        with(first_stage(&json(r#"[["fermanagh"], ["londonderry", "powys"]]"#)), json(r#"{"undealt": ["powys"]}"#));
    assert_impossible(STAGED, twice, &["two places"]);
}

/// Kent in the middle; seat 0 can lay Surrey rightly.
fn claim() -> Value {
    json(
        r#"{"table": {"P11": "kent"}, "hands": [["rutland", "surrey", "devon"], ["norfolk", "essex"]],
        "transit": [1, 1], "pile": 2}"#,
    )
}

#[test]
fn mapo_24_a_county_card_may_be_laid_rightly_or_not() {
    let game = Match::of(CHALLENGES, claim());
    assert_eq!(game.legal()[..3], ["Rutland", "Surrey", "Devon"]);
    for county in ["Rutland", "Surrey"] {
        assert_eq!(game.cells_after(county), ["P10", "O11", "Q11", "P12"]);
    }
    game.after("Rutland").assert_refuses_naming("P11", &["Kent", "lies there"]);
    game.after("Rutland").assert_refuses_naming("Q12", &["next to"]);
    assert_eq!(Match::at(claim()).legal()[0], "Surrey");
}

#[test]
fn mapo_24_the_other_player_may_challenge_or_let_it_be() {
    let game = Match::of(CHALLENGES, claim()).after("Devon; P12");
    assert_eq!((game.phase(), game.turn(), game.to_act()), ("challenge".to_owned(), 0, Some(1)));
    assert_eq!(game.legal(), ["challenge", "let it be"]);
    assert_eq!(game.the("table"), json(r#"{"P11": "kent"}"#));
    let view = game.view(Some(1));
    assert_eq!(view["chosen"], json(r#"{"county": "devon", "nominee": null, "transit_cell": null, "cell": "P12"}"#));
    assert_eq!(view["hands"][0], json(r#"{"counties": 3, "cards": ["devon"], "transit": 1}"#));
    assert_eq!(game.the("asked"), 1);
    for refused in ["take", "Essex", "P12", "transit North Sea"] {
        game.assert_refuses_naming(refused, &["MAPO-24"]);
    }
    let go = Match::of(CHALLENGES, claim());
    for refused in ["challenge", "let it be"] {
        go.assert_refuses_naming(refused, &["MAPO-24"]);
    }
}

#[test]
fn mapo_24_each_other_player_is_asked_in_turn() {
    let hands = json(r#"[["essex", "norfolk"], ["devon", "surrey"], ["rutland"], ["dorset", "cornwall"]]"#);
    let position = json!({"table": {"P11": "kent"}, "hands": hands, "pile": 1, "turn": 1});
    let mut game = Match::of(r#"{"players": 4, "challenges": true}"#, position);
    game.play("Devon; P12");
    let mut asked = Vec::new();
    while game.phase() == "challenge" {
        asked.push(game.to_act().unwrap());
        assert_eq!((game.turn(), game.num_cards()), (1, 1));
        game.play("let it be");
    }
    assert_eq!(asked, [2, 3, 0]);
    assert_eq!((game.turn(), game.card("P12").as_deref()), (2, Some("devon")));
}

#[test]
fn mapo_24_without_the_option_there_is_nothing_to_challenge() {
    let rules = rules("{}");
    assert_eq!((rules.parse("challenge"), rules.parse("let it be")), (None, None));
    let waiting = with(claim(), json(r#"{"phase": "challenge", "county": "devon", "cell": "P12", "asked": 1}"#));
    assert_impossible("{}", waiting.clone(), &["decision"]);
    assert_eq!(Match::of(CHALLENGES, waiting.clone()).legal(), ["challenge", "let it be"]);
    for parts in [
        json(r#"{"asked": 0}"#),
        json(r#"{"cell": "P11"}"#),
        json(r#"{"cell": "Q12"}"#),
        json(r#"{"county": "essex"}"#),
    ] {
        assert_impossible(CHALLENGES, with(waiting.clone(), parts), &["decision"]);
    }
    assert_impossible(CHALLENGES, with(waiting.clone(), json(r#"{"asked": 2}"#)), &["seat 2"]);
    assert_impossible(CHALLENGES, with(waiting, json(r#"{"asked": null}"#)), &["asked"]);
}

#[test]
fn mapo_24_a_full_table_takes_no_county() {
    let position = json(
        r#"{"table": {"A1": "kent", "B1": "surrey", "C1": "hampshire"}, "hands": [["essex"], ["dorset"]],
        "pile": 1}"#,
    );
    let game = Match::of(r#"{"table": [3, 1], "challenges": true}"#, position);
    assert_eq!(game.legal(), ["take"]);
}

#[test]
fn mapo_25_a_wrong_card_that_is_challenged_goes_back_and_the_go_is_lost() {
    let mut game = Match::of(CHALLENGES, claim());
    game.play("Devon; P12; challenge");
    assert_eq!((game.turn(), game.phase(), game.number("passes")), (1, "go".to_owned(), 1));
    assert_eq!((game.hand_sizes(), game.num_cards()), (vec![3, 2], 1));
    assert_eq!((game.numbers("transit"), game.number("pile")), (vec![1, 1], 2));
    assert_eq!(game.the("shown"), json(r#"["devon"]"#));
    assert_eq!(game.view(Some(1))["hands"][0]["cards"], json(r#"["devon"]"#));
}

#[test]
fn mapo_25_the_extra_go_is_lost_too() {
    let hands = json(r#"[["kent", "rutland"], ["wiltshire"]]"#);
    let game = Match::of(CHALLENGES, around_oxfordshire(&hands)).after("Kent; Q11");
    assert_eq!(game.after("let it be").turn(), 0, "a double connection");
    let lost = game.after("challenge");
    assert_eq!((lost.turn(), lost.numbers("double_connections")), (1, vec![0, 0]));
    // In an extra go.
    let hands = json(r#"[["oxfordshire", "kent", "rutland"], ["wiltshire"]]"#);
    let mut game = Match::of(CHALLENGES, around_oxfordshire(&hands));
    game.play("Oxfordshire; Q11; let it be; Kent; Q10; challenge");
    assert_eq!((game.turn(), game.hand_sizes()), (1, vec![2, 1]));
}

#[test]
fn mapo_25_a_wrong_card_that_nobody_challenged_stays_for_good() {
    let position = with(claim(), json(r#"{"hands": [["rutland", "surrey", "devon"], ["cornwall", "essex"]]}"#));
    let mut game = Match::of(CHALLENGES, position);
    game.play("Devon; P12; let it be");
    assert_eq!((game.card("P12").as_deref(), game.turn(), game.number("passes")), (Some("devon"), 1, 0));
    assert_eq!(game.the("shown"), json!([]));
    // It is a neighbour like any other: Cornwall is right beside it, Essex is not.
    let right = game.after("Cornwall; P13; challenge");
    assert_eq!(right.card("P13").as_deref(), Some("cornwall"));
    let wrong = game.after("Essex; P13; challenge");
    assert_eq!((wrong.card("P13"), wrong.turn()), (None, 0));
}

#[test]
fn mapo_25_challenging_a_right_card_costs_nothing() {
    let mut game = Match::of(CHALLENGES, claim());
    game.play("Surrey; P12; challenge");
    assert_eq!((game.card("P12").as_deref(), game.turn(), game.number("passes")), (Some("surrey"), 1, 0));
    assert_eq!((game.hand_sizes(), game.numbers("transit"), game.number("pile")), (vec![2, 2], vec![1, 1], 2));
    let hands = json(r#"[["oxfordshire", "rutland"], ["wiltshire"]]"#);
    let mut double = Match::of(CHALLENGES, around_oxfordshire(&hands));
    double.play("Oxfordshire; Q11; challenge");
    assert_eq!((double.turn(), double.numbers("double_connections")), (0, vec![1, 0]));
}

#[test]
fn mapo_25_a_challenge_settles_it_and_nobody_else_is_asked() {
    let hands = json(r#"[["devon", "surrey"], ["essex"], ["rutland"]]"#);
    let start = Match::of(
        r#"{"players": 3, "challenges": true}"#,
        json!({"table": {"P11": "kent"}, "hands": hands, "pile": 1}),
    );
    for (card, stays) in [("Devon", false), ("Surrey", true)] {
        for answers in ["challenge", "let it be; challenge"] {
            let game = start.after(&format!("{card}; P12; {answers}"));
            assert_eq!((game.phase(), game.turn()), ("go".to_owned(), 1));
            assert_eq!(game.card("P12").is_some(), stays);
        }
    }
    assert_eq!(start.after("Devon; P12; let it be").to_act(), Some(2));
}

#[test]
fn mapo_25_a_card_back_in_the_hand_can_be_laid_again() {
    let mut game = Match::of(FREE_CHALLENGES, claim());
    game.play("Devon; P12; challenge; take; Devon; P12; let it be");
    assert_eq!((game.card("P12").as_deref(), game.the("shown")), (Some("devon"), json!([])));
}

#[test]
fn mapo_25_a_lost_go_is_a_pass() {
    let position = with(claim(), json(r#"{"pile": 0}"#));
    let mut game = Match::of(r#"{"challenges": true, "rounds": 1}"#, position.clone());
    game.play("Devon; P12; challenge; Norfolk; P10; challenge");
    assert!(game.is_over());
    assert_eq!((game.numbers("points"), game.number("blocked_rounds")), (vec![3, 2], 1));
    let mut game = Match::of(r#"{"challenges": true, "rounds": 1, "draw": "free"}"#, position);
    game.play("take; Norfolk; P10; let it be");
    assert_eq!((game.is_over(), game.number("passes")), (false, 0));
    // With cards in the pile lost goes block nothing.
    let mut game = Match::of(FREE_CHALLENGES, claim());
    game.play("Devon; P12; challenge; Norfolk; P10; challenge; Rutland; P12; challenge");
    assert_eq!((game.turn(), game.number("passes"), game.number("round")), (1, 3, 1));
    game.play("take");
    assert_eq!(game.number("passes"), 0);
}

/// Gloucestershire in the middle; seat 0 can go through Somerset to Devon.
fn detour() -> Value {
    json(
        r#"{"table": {"P11": "gloucestershire"}, "hands": [["devon", "kent"], ["essex", "dorset"]],
        "transit": [1, 1], "pile": 1}"#,
    )
}

#[test]
fn mapo_24_a_transit_card_and_the_county_that_follows_may_be_laid_rightly_or_not() {
    let game = Match::of(CHALLENGES, detour());
    for nominee in ["Somerset", "Oxfordshire", "North Sea", "Gloucestershire"] {
        let nominated = game.after(&format!("transit {nominee}"));
        assert_eq!(nominated.legal(), ["P10", "O11", "Q11", "P12"], "{nominee}");
        let through = nominated.after("P12");
        assert_eq!(through.legal(), ["Kent", "Devon"], "{nominee}");
        for county in ["Kent", "Devon"] {
            assert_eq!(through.cells_after(county), ["O12", "Q12", "P13"], "{nominee} to {county}");
        }
    }
    assert_eq!(Match::at(detour()).nominees(), ["Somerset"]);
}

#[test]
fn mapo_24_what_everybody_sees_is_still_no_play() {
    let position = with(detour(), json(r#"{"table": {"P11": "gloucestershire", "P12": "transit somerset"}}"#));
    let game = Match::of(CHALLENGES, position);
    assert_eq!(game.nominees().len(), 115 - 5);
    game.assert_refuses_naming("transit Shetland", &["borders Shetland", "MAPO-24"]);
    let nominated = game.after("transit North Sea");
    assert_eq!(nominated.legal(), ["P10", "O11", "Q11"]);
    nominated.assert_refuses_naming("P13", &["another transit card", "MAPO-12"]);
    nominated.assert_refuses_naming("P12", &["lies there", "MAPO-6"]);
    nominated.assert_refuses_naming("A1", &["no card", "next to"]);
    let followed = nominated.after("P10; Kent");
    followed.assert_refuses_naming("P12", &["lies there"]);
    followed.assert_refuses_naming("P10", &["transit card lies there"]);
    followed.assert_refuses_naming("O11", &["next to the transit card", "MAPO-13"]);
    followed.assert_refuses_naming("Devon", &["chosen already"]);
}

#[test]
fn mapo_24_a_transit_card_needs_a_free_cell_for_its_county() {
    let row = json(r#"{"A1": "kent", "B1": "surrey", "C1": "hampshire", "D1": "dorset"}"#);
    let position = |table: &Value| json!({"table": table, "hands": [["essex"], ["devon"]], "transit": [1, 0]});
    let full = Match::of(r#"{"table": [5, 1], "challenges": true, "draw": "free"}"#, position(&row));
    assert_eq!(full.legal(), ["Essex", "take"]);
    full.assert_refuses_naming("transit North Sea", &["free cell", "MAPO-13"]);
    // At A1 nothing is left beside a transit card.
    let corner = json(r#"{"C2": "hampshire", "B2": "surrey", "A2": "kent", "B1": "greater_london"}"#);
    let nominated = Match::of(r#"{"table": [5, 3], "challenges": true}"#, position(&corner)).after("transit North Sea");
    assert_eq!(nominated.legal(), ["C1", "D2", "A3", "B3", "C3"]);
    nominated.assert_refuses_naming("A1", &["county card that follows", "MAPO-13"]);
}

#[test]
fn mapo_26_the_last_card_wins_once_the_others_have_let_it_be() {
    let hands = json(r#"[["surrey"], ["essex", "norfolk"], ["rutland"]]"#);
    let options = r#"{"players": 3, "challenges": true, "rounds": 1}"#;
    let start = Match::of(options, json!({"table": {"P11": "kent"}, "hands": hands, "pile": 1}));
    let laid = start.after("Surrey; P12");
    assert!(!laid.is_over());
    let once = laid.after("let it be");
    assert!(!once.is_over());
    assert_eq!(once.numbers("points"), [0, 0, 0]);
    for answers in ["let it be; let it be", "challenge", "let it be; challenge"] {
        let end = laid.after(answers);
        assert!(end.is_over());
        assert_eq!(end.numbers("points"), [0, 2, 1]);
    }
}

#[test]
fn mapo_26_a_wrong_last_card_wins_unless_somebody_challenges_it() {
    let options = r#"{"challenges": true, "rounds": 1}"#;
    let start = Match::of(options, with(claim(), json(r#"{"hands": [["devon"], ["norfolk", "essex"]]}"#)));
    let laid = start.after("Devon; P12");
    let won = laid.after("let it be");
    assert_eq!((won.is_over(), won.numbers("points")), (true, vec![0, 2]));
    let lost = laid.after("challenge");
    assert_eq!((lost.is_over(), lost.turn(), lost.hand_sizes()), (false, 1, vec![1, 2]));
}

/// Ways through a transit card: both right, the transit card wrong, the county wrong.
const DETOURS: [(&str, bool); 4] = [
    ("transit Somerset; P12; Devon; P13", true),
    ("transit English Channel; P12; Devon; P13", false),
    ("transit Somerset; P12; Kent; P13", false),
    ("transit North Sea; P12; Devon; P13", false),
];

#[test]
fn mapo_26_the_others_are_asked_once_about_a_transit_card_and_its_county() {
    for (choices, _) in DETOURS {
        let game = Match::of(CHALLENGES, detour()).after(choices);
        assert_eq!((game.phase(), game.turn(), game.to_act()), ("challenge".to_owned(), 0, Some(1)));
        assert_eq!((game.num_cards(), game.numbers("transit")), (1, vec![1, 1]));
        let view = game.view(Some(1));
        let cells: Vec<&Value> = view["waiting"].as_array().unwrap().iter().map(|card| &card["cell"]).collect();
        assert_eq!(cells, ["P12", "P13"]);
        assert_eq!((&view["chosen"]["transit_cell"], &view["chosen"]["cell"]), (&json!("P12"), &json!("P13")));
        assert_eq!(Match::of(CHALLENGES, game.position()).position(), game.position());
        let laid = game.after("let it be");
        assert_eq!((laid.turn(), laid.num_cards(), laid.numbers("transit")), (1, 3, vec![0, 1]));
        assert_eq!((laid.numbers("transit_played"), laid.hand_sizes()), (vec![1, 0], vec![1, 2]));
    }
}

#[test]
fn mapo_26_a_challenge_sends_both_back_if_either_is_wrong() {
    for (choices, is_right) in DETOURS {
        let game = Match::of(CHALLENGES, detour()).after(choices).after("challenge");
        assert_eq!((game.turn(), game.phase(), game.number("pile")), (1, "go".to_owned(), 1), "{choices}");
        if is_right {
            assert_eq!((game.num_cards(), game.numbers("transit"), game.number("passes")), (3, vec![0, 1], 0));
            continue;
        }
        assert_eq!((game.num_cards(), game.numbers("transit"), game.number("passes")), (1, vec![1, 1], 1));
        assert_eq!((game.numbers("transit_played"), game.hand_sizes()), (vec![0, 0], vec![2, 2]));
        assert_eq!(game.the("shown").as_array().unwrap().len(), 1, "{choices}");
    }
}

#[test]
fn mapo_26_a_county_beside_a_right_transit_card_is_wrong_beside_another_card_that_it_does_not_border() {
    let position = with(detour(), json(r#"{"table": {"P11": "gloucestershire", "Q11": "wiltshire"}}"#));
    let game = Match::of(CHALLENGES, position).after("transit Somerset; P12; Devon");
    let double = game.after("Q12; let it be");
    assert_eq!((double.turn(), double.numbers("double_connections")), (0, vec![1, 0]));
    let back = game.after("Q12; challenge");
    assert_eq!((back.turn(), back.num_cards(), back.numbers("transit")), (1, 2, vec![1, 1]));
    assert_eq!(game.after("P13; challenge").num_cards(), 4);
}

#[test]
fn mapo_26_a_wrong_transit_card_that_stays_is_a_neighbour_like_any_other() {
    let mut game = Match::of(CHALLENGES, detour());
    game.play("transit North Sea; P12; Devon; P13; let it be; Essex; O12");
    assert_eq!(game.after("challenge").card("O12").as_deref(), Some("essex"), "it borders the North Sea");
    let mut game = Match::of(CHALLENGES, detour());
    game.play("transit North Sea; P12; Devon; P13; let it be; Dorset; O12; challenge");
    assert_eq!(game.card("O12"), None);
}

#[test]
fn mapo_26_positions_with_both_on_their_way_are_checked() {
    let waiting = Match::of(CHALLENGES, detour()).after(DETOURS[2].0).position();
    for parts in [
        json(r#"{"cell": "P11"}"#),
        json(r#"{"cell": "P12"}"#),
        json(r#"{"cell": "P10"}"#),
        json(r#"{"transit_cell": "A1"}"#),
        json(r#"{"transit_cell": "P11"}"#),
        json(r#"{"county": "essex"}"#),
        json(r#"{"transit": [0, 1]}"#),
        json(r#"{"asked": 0}"#),
    ] {
        assert_impossible(CHALLENGES, with(waiting.clone(), parts), &["decision"]);
    }
    assert_impossible(CHALLENGES, with(waiting.clone(), json(r#"{"nominee": null}"#)), &["nominee"]);
    assert_impossible(CHALLENGES, with(waiting, json(r#"{"transit_cell": null}"#)), &["transit_cell"]);
}

#[test]
fn mapo_26_a_last_card_that_follows_a_transit_card_wins_once_the_others_have_let_it_be() {
    let position = json(r#"{"table": {"P11": "gloucestershire"}, "hands": [["devon"], ["essex"]], "transit": [1, 0]}"#);
    let laid = Match::of(r#"{"challenges": true, "rounds": 1}"#, position);
    let laid = laid.after("transit Somerset; P12; Devon; P13");
    assert!(!laid.is_over());
    for answer in ["let it be", "challenge"] {
        let end = laid.after(answer);
        assert_eq!((end.is_over(), end.numbers("points")), (true, vec![0, 1]));
    }
}

#[test]
fn mapo_26_the_other_nations_are_dealt_once_the_last_card_has_been_let_be() {
    let options = STAGED.replace('}', r#", "challenges": true}"#);
    let start = Match::of(&options, first_stage(&json(r#"[["down"], ["fermanagh", "londonderry"]]"#)));
    let laid = start.after("Down; R12");
    assert_eq!((laid.hand_sizes(), words(&laid.the("undealt")).len()), (vec![1, 2], 5));
    let stays = laid.after("let it be");
    assert_eq!((stays.hand_sizes(), stays.turn()), (vec![3, 4], 1));
    let back = start.after("Down; O12; challenge");
    assert_eq!((back.hand_sizes(), words(&back.the("undealt")).len()), (vec![1, 2], 5));
}

#[test]
fn mapo_26_wrong_plays_do_not_count_for_stuck() {
    let at = |hand: Value| {
        let parts = json!({"hands": [hand, ["surrey", "suffolk"]], "transit": [0, 0]});
        Match::of(CHALLENGES, with(claim(), parts))
    };
    assert_eq!(at(json(r#"["rutland", "devon"]"#)).legal(), ["Rutland", "Devon", "take"]);
    assert_eq!(at(json(r#"["rutland", "essex"]"#)).legal(), ["Rutland", "Essex"]);
}

#[test]
fn mapo_26_a_round_in_which_only_wrong_cards_are_left_is_blocked() {
    let options = r#"{"challenges": true, "rounds": 1}"#;
    let position = json(r#"{"table": {"P11": "kent"}, "hands": [["surrey", "rutland"], ["devon"]]}"#);
    let mut game = Match::of(options, position);
    game.play("Surrey; P12; let it be");
    assert!(game.is_over());
    assert_eq!(game.numbers("points"), [1, 1]);
    assert_refused(r#"{"challenges": "yes"}"#, &["challenges"]);
}

// Examples

#[test]
fn mapo_e1_a_card_next_to_staffordshire_borders_staffordshire() {
    let atlas = uk();
    let near =
        ["cheshire", "derbyshire", "leicestershire", "shropshire", "warwickshire", "west_midlands", "worcestershire"];
    let others: Vec<&str> =
        atlas.places()[..108].iter().map(|place| &*place.id).filter(|id| *id != "staffordshire").collect();
    let game = Match::at(json!({"table": {"P11": "staffordshire"}, "hands": [&others[1..], &others[..1]]}));
    let legal: BTreeSet<String> = game.legal().into_iter().filter(|text| text != "take").collect();
    let names = near.map(|id| atlas.place(atlas.find_region(id).unwrap()).name.clone());
    assert_eq!(legal, names.into());
}

#[test]
fn mapo_e2_oxfordshire_between_northamptonshire_and_gloucestershire_is_a_double_connection() {
    let mut game = Match::at(around_oxfordshire(&json(r#"[["oxfordshire", "rutland"], ["kent"]]"#)));
    assert!(game.cells_after("Oxfordshire").contains(&"Q11".to_owned()));
    game.play("Oxfordshire; Q11");
    assert_eq!((game.turn(), game.numbers("double_connections")), (0, vec![1, 0]));
}

#[test]
fn mapo_e3_nottinghamshire_may_lie_on_any_side_of_derbyshire() {
    let game = Match::at(json(
        r#"{"table": {"P11": "derbyshire"}, "hands": [["nottinghamshire", "kent"], ["essex"]], "pile": 1}"#,
    ));
    assert_eq!(game.cells_after("Nottinghamshire"), ["P10", "O11", "Q11", "P12"]);
    for cell in ["P10", "O11", "Q11", "P12"] {
        assert_eq!(game.after("Nottinghamshire").after(cell).card(cell).as_deref(), Some("nottinghamshire"));
    }
}

#[test]
fn mapo_e4a_merseyside_by_the_irish_sea_to_antrim() {
    let position = json(
        r#"{"table": {"P11": "merseyside"}, "hands": [["antrim", "kent"], ["essex"]], "transit": [1, 0],
            "pile": 1}"#,
    );
    let mut game = Match::at(position);
    assert_eq!(game.nominees(), ["Irish Sea"]);
    game.play("transit Irish Sea; P12; Antrim; P13");
    assert_eq!(game.the("table"), json(r#"{"P11": "merseyside", "P12": "transit irish_sea", "P13": "antrim"}"#));
}

#[test]
fn mapo_e4b_later_anglesey_or_pembrokeshire_next_to_that_transit_card() {
    let position = json(
        r#"{"table": {"P11": "merseyside", "P12": "transit irish_sea", "P13": "antrim"},
        "hands": [["anglesey", "kent"], ["pembrokeshire", "essex"]], "pile": 1}"#,
    );
    let mut game = Match::at(position);
    assert_eq!(game.cells_after("Anglesey"), ["O12", "Q12"]);
    game.play("Anglesey; O12");
    assert_eq!(game.cells_after("Pembrokeshire"), ["Q12"]);
}

#[test]
fn mapo_e5_gloucestershire_by_somerset_to_devon_and_later_bristol_or_dorset() {
    let hands = json(r#"[["devon", "bristol"], ["dorset", "kent"]]"#);
    let mut game =
        Match::at(json!({"table": {"P11": "gloucestershire"}, "hands": hands, "transit": [1, 0], "pile": 1}));
    game.play("transit Somerset; P12; Devon; P13");
    assert!(game.cells_after("Dorset").contains(&"O12".to_owned()));
    game.play("Dorset; O12");
    assert!(game.cells_after("Bristol").contains(&"Q12".to_owned()));
}

#[test]
fn mapo_e6_cheshire_next_to_both_derbyshire_and_lincolnshire_is_wrong() {
    let game = Match::at(json(
        r#"{"table": {"P11": "derbyshire", "P12": "nottinghamshire", "Q12": "lincolnshire"},
        "hands": [["cheshire", "kent"], ["essex"]]}"#,
    ));
    game.after("Cheshire").assert_refuses_naming("Q11", &["Cheshire", "does not border", "Lincolnshire"]);
}

#[test]
fn mapo_e7_oxfordshire_next_to_both_wiltshire_and_a_transit_card_for_somerset_is_wrong() {
    let mut position = through_somerset(&json(r#"[["oxfordshire", "kent"], ["essex"]]"#));
    position["table"]["Q11"] = json!("wiltshire");
    let game = Match::at(position).after("Oxfordshire");
    game.assert_refuses_naming("Q12", &["Oxfordshire", "does not border", "Somerset"]);
    assert!(game.legal().contains(&"R11".to_owned()));
}

#[test]
fn mapo_e8_surrey_or_essex_by_greater_london_to_the_city_of_london() {
    for start in ["surrey", "essex"] {
        let position = json!({
            "table": {"P11": start}, "hands": [["city_of_london", "antrim"], ["cornwall"]],
            "transit": [1, 0], "pile": 1,
        });
        let mut game = Match::at(position);
        assert!(game.nominees().contains(&"Greater London".to_owned()));
        game.play("transit Greater London; P12; City of London; P13");
        assert_eq!(game.card("P13").as_deref(), Some("city_of_london"));
    }
}
