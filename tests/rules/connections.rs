//! Connections, clause by clause (`src/games/connections/RULES.md`).

use std::collections::{BTreeMap, BTreeSet};

use adjoin::game::{Describe as _, Encode as _, Rules as _, Seat, Show as _};
use adjoin::games::connections::Connections;
use adjoin::games::connections::scoring::value;
use adjoin::rng::Rng;
use serde_json::{Value, json};

use crate::table::{self, assert_names, rng, words};

type Match = table::Match<Connections>;

const QUIET: &str = r#"{"trading": false}"#;
const ALONE: &str = r#"{"trading": false, "partnerships": false}"#;

const PHASES: [&str; 9] = ["announce", "offer", "answer", "accept", "play", "invited", "set", "draw", "discard"];

/// Sets of three cities.
const WESTERN_EUROPE: &str = "Paris/Bangkok, London/Baghdad, Berlin/Addis Ababa";
const EASTERN_EUROPE: &str = "Moscow/Washington, Warsaw/Nairobi, Kyiv/Tunis";
const ATLANTIC: &str = "New York/Sydney, Toronto/Tokyo, Boston/Nairobi";

impl Match {
    /// What is being decided, and by whom: `play 0`.
    fn moment(&self) -> String {
        format!("{} {}", self.phase(), self.to_act().map_or_else(|| "-".to_owned(), |seat| seat.to_string()))
    }

    fn hand(&self, seat: usize) -> Vec<String> {
        self.hands()[seat].clone()
    }

    fn cards(&self, key: &str) -> Vec<String> {
        words(&self.the(key))
    }

    fn laid(&self, seat: usize) -> Vec<String> {
        words(&self.the("laid")[seat])
    }

    /// The pile, the discard pile, and how often the pile was shuffled.
    fn piles(&self) -> (Vec<String>, Vec<String>, u64) {
        (self.cards("pile"), self.cards("discard"), self.number("shuffles"))
    }

    /// The name of a card by one of its faces.
    fn card(&self, face: &str) -> String {
        let action = self.rules.parse(&format!("discard {face}")).unwrap_or_else(|| panic!("no card {face}"));
        self.rules.notation(action)["discard ".len()..].to_owned()
    }

    /// Whether a card shows a linking city first.
    fn is_link(&self, card: &str) -> bool {
        let city = card.split('/').next().unwrap();
        let view = self.view(None);
        let mut links = view["cities"].as_array().unwrap().iter().filter(|city| city["regions"][1].is_string());
        links.any(|link| link["name"] == city)
    }

    /// Every card of the game.
    fn all_cards(&self) -> Vec<String> {
        let laid = (0..self.rules.num_seats()).flat_map(|seat| self.laid(seat)).map(|face| self.card(&face));
        let mut cards = [self.hands().concat(), self.cards("pile"), self.cards("discard"), laid.collect()].concat();
        cards.sort_unstable();
        cards
    }

    /// Who has a token on a city.
    fn token(&self, city: &str) -> Value {
        let view = self.view(None);
        let mut cities = view["cities"].as_array().unwrap().iter();
        cities.find(|other| other["name"] == city).unwrap_or_else(|| panic!("no city {city}"))["token"].clone()
    }

    /// Owner, partner and invited of a link on the table.
    fn bond(&self, id: &str) -> Value {
        let view = self.view(None);
        let bond = view["links"].as_array().unwrap().iter().find(|bond| bond["city"] == id).unwrap();
        json!([bond["owner"], bond["partner"], bond["invited"]])
    }

    /// What everybody would score if the round ended now.
    fn scores(&self) -> Vec<i64> {
        let view = self.view(None);
        view["scores"].as_array().unwrap().iter().map(|score| score["points"].as_i64().unwrap()).collect()
    }

    /// What a seat would score for.
    fn parts(&self, seat: usize) -> Vec<String> {
        let view = self.view(None);
        let parts = view["scores"][seat]["parts"].as_array().unwrap().iter();
        parts.map(|part| part["text"].as_str().unwrap().to_owned()).collect()
    }

    /// Points and returns of a match that is over.
    fn result(&self) -> (Value, Vec<f32>) {
        assert!(self.is_over());
        (self.view(None)["points"].clone(), self.returns())
    }

    /// Fails unless each of these decisions, separated by commas, is possible.
    fn assert_allows(&self, actions: &str) {
        let legal = self.legal();
        assert!(list(actions).iter().all(|action| legal.contains(action)), "{actions} in {legal:?}");
    }

    /// Plays to the end, every kind of decision as likely as any other; shows every state and the action that is played
    /// there, at last none.
    fn wander(mut self, mut see: impl FnMut(&Self, Option<&str>)) {
        loop {
            let legal = self.legal();
            let Some(kind) = pick(&mut self.rng, legal.iter().map(|action| kind_of(action)).collect::<BTreeSet<_>>())
            else {
                return see(&self, None);
            };
            let same = legal.iter().filter(|action| kind_of(action) == kind);
            let action = pick(&mut self.rng, same).unwrap().clone();
            see(&self, Some(&action));
            self.play(&action);
        }
    }
}

/// The word that says what is done.
fn kind_of(action: &str) -> String {
    action.split(' ').next().unwrap().to_owned()
}

/// One of these, if there are any.
fn pick<T>(rng: &mut Rng, from: impl IntoIterator<Item = T>) -> Option<T> {
    let mut from: Vec<T> = from.into_iter().collect();
    (!from.is_empty()).then(|| from.swap_remove(rng.below(from.len() as u64) as usize))
}

fn rules(options: &str) -> Connections {
    table::rules(options)
}

/// Fails unless the options are refused with this message.
#[allow(clippy::needless_pass_by_value)]
fn assert_refused(options: Value, message: &str) {
    assert_eq!(table::options_refusal::<Connections>(&options.to_string()), format!("connections: {message}"));
}

/// Fails unless the position is refused with this message.
#[allow(clippy::needless_pass_by_value)]
fn assert_impossible(position: Value, message: &str) {
    table::assert_impossible::<Connections>("{}", position, message);
}

/// Words with commas between.
fn list(words: &str) -> Vec<String> {
    words.split(", ").filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Lists of words with commas between, one a seat.
fn lists(lists: &[&str]) -> Value {
    lists.iter().map(|words| list(words)).collect()
}

/// A position with some parts replaced.
#[allow(clippy::needless_pass_by_value)]
fn with(position: &Value, parts: Value) -> Value {
    table::with(position.clone(), parts)
}

/// A position without cards in hands, by what each seat has on the table, and the regions of its sets.
fn tables(seats: &[(&str, &str)]) -> Value {
    let (laid, regions): (Vec<&str>, Vec<&str>) = seats.iter().copied().unzip();
    json!({"hands": vec![json!([]); seats.len()], "laid": lists(&laid), "sets": lists(&regions),
        "pile": ["Dakar", "Honolulu"]})
}

/// Seat 0 has a set of Western Europe on the table.
fn europe() -> Value {
    tables(&[(WESTERN_EUROPE, "western_europe"), ("", ""), ("", "")])
}

/// Seat 0 has a set of Western Europe on the table and Vienna, which shows Western and Eastern Europe.
fn vienna() -> Value {
    tables(&[(&format!("{WESTERN_EUROPE}, Vienna"), "western_europe"), ("", ""), ("", "")])
}

/// Seat 0 is in turn, with these cards in the hands and nothing on the table.
fn holding(cards: &[&str]) -> Value {
    json!({"hands": lists(cards), "pile": ["Dakar", "Honolulu"]})
}

/// A round of three players that ends with seat 0's turn.
fn ends() -> Value {
    json!({"turn": 0, "announced": 1, "turns": [7, 6, 8], "last_turns": [1, 0, 2]})
}

/// The last round of a match of three players, in which seat 0 is in turn.
fn last_round() -> Value {
    json!({"turn": 0, "history": [[0, 0, 0], [0, 0, 0]]})
}

/// A deck of three regions of five cities, wood, hill and sea, and three links; so many cards of it. The first 15
/// region cards show two regions, of the next 15 most show one.
fn woods(cards: usize) -> Value {
    let names = "Ash Beech Cedar Elm Fir Gorge Howe Knoll Ledge Moor Ness Oyster Pier Quay Reef Tarn Strand Union";
    let names: Vec<&str> = names.split(' ').collect();
    let ids: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let regions = |number: usize| match number {
        0..5 => json!(["wood"]),
        5..10 => json!(["hill"]),
        10..15 => json!(["sea"]),
        15 => json!(["wood", "hill"]),
        16 => json!(["hill", "sea"]),
        _ => json!(["wood", "hill", "sea"]),
    };
    let cities = (0..18).map(|city| json!({"id": ids[city], "name": names[city], "regions": regions(city)}));
    let links = (15..18).map(|link| [link, link]);
    let sides = [5, 1, 2, 3, 4].into_iter().flat_map(|gap| (0..15).map(move |city| [city, (city + gap) % 15]));
    let cards = links.chain(sides).take(cards).map(|sides| sides.map(|city| ids[city].clone()));
    json!({"custom": {"name": "woods", "cities": cities.collect::<Vec<_>>(), "cards": cards.collect::<Vec<_>>()}})
}

/// Options with the smallest deck of the woods that is enough for so many players.
fn in_the_woods(players: usize) -> Value {
    json!({"players": players, "deck": woods(players * (11 - players) + 1), "max_turns": 15})
}

/// Options that differ in all that they can.
fn all_options() -> Vec<String> {
    let mut all: Vec<Value> = (3..=6).map(|players| json!({"players": players, "max_turns": 9})).collect();
    all.extend((3..=6).map(in_the_woods));
    all.push(with(&in_the_woods(3), json!({"trading": false, "deals_each": 2, "max_turns": 30})));
    all.push(with(&in_the_woods(4), json!({"partnerships": false, "deck": woods(40)})));
    all.iter().map(Value::to_string).collect()
}

// Deck

#[test]
fn conn_1_42_region_cards_and_13_linking_cards() {
    for players in 3..=6 {
        let cards = Match::new(&json!({"players": players}).to_string()).all_cards();
        assert_eq!(cards.iter().collect::<BTreeSet<_>>().len(), 55);
        assert_eq!((cards.len(), cards.iter().filter(|card| card.contains('/')).count()), (55, 42));
    }
    Match::new("{}").wander(|game, _| assert_eq!(game.all_cards().len(), 55));
}

#[test]
fn conn_1_twelve_regions_of_five_cities() {
    let game = Match::new("{}");
    let view = game.view(None);
    let [regions, cities] = ["regions", "cities"].map(|key| view[key].as_array().unwrap());
    assert_eq!((regions.len(), cities.len()), (12, 73));
    let sides: BTreeSet<String> = game.all_cards().iter().flat_map(|card| card.split('/')).map(str::to_owned).collect();
    for region in regions {
        let its: Vec<&Value> = cities.iter().filter(|city| city["regions"] == json!([region["id"]])).collect();
        assert_eq!(its.len(), 5, "{region}");
        assert!(its.iter().all(|city| sides.contains(city["name"].as_str().unwrap())), "{region}");
        assert!(its.iter().all(|city| city["lon"].is_number() && city["lat"].is_number()));
    }
    assert_eq!(regions[9], json!({"id": "south_east_asia", "name": "South East Asia", "colour": "olive green"}));
    assert_eq!(sides.len(), 73);
}

#[test]
fn conn_1_either_side_of_a_card_may_be_played() {
    let laid = "London/Baghdad, Berlin, Amsterdam, Mumbai, Dhaka, Hanoi";
    let table = tables(&[(laid, "western_europe, south_east_asia"), ("", ""), ("", "")]);
    let game = Match::of(QUIET, with(&table, json!({"hands": lists(&["Paris/Bangkok", "", ""])})));
    assert_eq!(game.legal(), ["play Paris/Bangkok", "play Bangkok/Paris", "draw"]);
    for (face, shown, other) in [("Paris/Bangkok", "Paris", "Bangkok"), ("Bangkok/Paris", "Bangkok", "Paris")] {
        let played = game.after(&format!("play {face}"));
        assert_eq!(played.laid(0).last().unwrap(), face);
        assert_eq!((played.token(shown), played.token(other)), (json!(0), json!(null)));
        assert!(played.hand(0).is_empty());
    }
}

#[test]
fn conn_1_ids_are_in_the_order_of_the_page() {
    let names = |options: &Value, ids: &[usize]| {
        let rules = rules(&options.to_string());
        ids.iter().map(|&id| rules.notation(rules.action(id))).collect::<Vec<_>>()
    };
    let usual = json!({});
    // 84 region faces, 13 links, 55 cards, 2 other players.
    assert_eq!(
        names(&usual, &[0, 1, 83]).join(", "),
        "set San Francisco/New York, set New York/San Francisco, set Kingston/Shanghai"
    );
    assert_eq!(names(&usual, &[84, 168, 180]).join(", "), "play San Francisco/New York, play Chicago, play Honolulu");
    assert_eq!(names(&usual, &[181, 235]).join(", "), "discard San Francisco/New York, discard Honolulu");
    assert_eq!(
        names(&usual, &[236, 237, 345]).join(", "),
        "offer San Francisco/New York to +1, offer San Francisco/New York to +2, offer Honolulu to +2"
    );
    assert_eq!(names(&usual, &[346, 400]).join(", "), "answer San Francisco/New York, answer Honolulu");
    assert_eq!(names(&usual, &[401, 402, 426]).join(", "), "invite Chicago +1, invite Chicago +2, invite Honolulu +2");
    let end = "announce, accept, join, no, draw, take, pass";
    assert_eq!(names(&usual, &[427, 428, 429, 430, 431, 432, 433]).join(", "), end);
    assert_eq!(rules("{}").actions().size(), 434);
    // Links come after the region faces, whatever their cards' numbers: 44 faces, 3 links, 25 cards.
    let woods = in_the_woods(3);
    assert_eq!(
        names(&woods, &[0, 44, 88, 90, 91, 94]).join(", "),
        "set Ash/Gorge, play Ash/Gorge, play Tarn, play Union, discard Tarn, discard Ash/Gorge"
    );
    assert_eq!(rules(&woods.to_string()).actions().size(), 44 + 47 + 25 + 50 + 25 + 6 + 7);
    assert_eq!(rules(r#"{"players": 6}"#).actions().size(), 84 + 97 + 55 + 275 + 55 + 65 + 7);
}

#[test]
fn conn_1_an_action_is_found_however_it_is_written() {
    let rules = rules("{}");
    let id = |text: &str| rules.parse(text).map(|action| rules.action_id(action));
    for (text, spellings) in [
        ("play Paris/Bangkok", ["PLAY paris / bangkok", " play  Paris/Bangkok ", "Play Paris/BANGKOK"]),
        ("set São Paulo/San Juan", ["set Sao Paulo", "set sao paulo/san juan", "SET SÃO PAULO"]),
        ("discard Lima/Johannesburg", ["discard Johannesburg/Lima", "discard lima", "discard JOHANNESBURG"]),
        (
            "offer Lima/Johannesburg to +2",
            ["offer lima to 2", "OFFER Johannesburg TO +2", "offer Lima / Johannesburg to  2"],
        ),
        ("invite Panama City +1", ["invite panama city 1", "Invite PANAMA_CITY +1", " invite  Panama City  +1"]),
        ("announce", ["Announce", " ANNOUNCE ", "announce "]),
    ] {
        assert!(id(text).is_some(), "{text}");
        assert!(spellings.iter().all(|spelling| id(spelling) == id(text)), "{text}");
    }
    assert_ne!(id("play Paris/Bangkok"), id("play Bangkok/Paris"));
    assert_eq!(id("answer Paris/Bangkok"), id("answer Bangkok/Paris"));
    let nothing = "play, play Paris, set Chicago, set Atlantis, discard, discard London, offer Lima, offer Lima to, \
        offer Lima to +3, offer Lima to +0, offer Lima +1, invite Paris +1, invite Chicago, invite Chicago +3, \
        draw Lima, pass on, Paris/Rome, play Paris/Rome";
    assert!(list(nothing).iter().all(|text| id(text).is_none()));
}

#[test]
fn conn_1_the_deck_can_be_replaced() {
    let game = Match::new(&in_the_woods(3).to_string());
    let view = game.view(None);
    let names = |key: &str| view[key].as_array().unwrap().iter().map(|value| value["name"].clone()).collect::<Vec<_>>();
    assert_eq!(names("regions"), ["Wood", "Hill", "Sea"]);
    assert_eq!(names("cities").len(), 18);
    assert_eq!(game.all_cards().len(), 25);
    let own = json!({"deck": woods(25)});
    assert_eq!(serde_json::to_value(rules(&own.to_string()).options()).unwrap()["deck"], own["deck"]);
    assert_eq!(serde_json::to_value(rules("{}").options()).unwrap()["deck"], "world-cities");
    let message = table::options_refusal::<Connections>(r#"{"deck": "europe"}"#);
    assert_names(&message, &["connections: deck", "europe", "world-cities"]);
}

#[test]
fn conn_1_a_deck_that_contradicts_itself_is_refused() {
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut deck = woods(25);
        change(&mut deck["custom"]);
        table::options_refusal::<Connections>(&json!({"deck": deck}).to_string())
    };
    let card = |front: &str, back: &str| changed(&|deck| deck["cards"][7] = json!([front, back]));
    let city = |id: &str, name: &str, regions: Value| {
        changed(&|deck| {
            deck["cities"].as_array_mut().unwrap().push(json!({"id": id, "name": name, "regions": regions}));
        })
    };
    assert_names(&card("ash", "oz"), &["connections: deck: card 8 (ash/oz): ", "no city"]);
    assert_names(&card("ash", "gorge"), &["deck: card 8 (ash/gorge): the same card as card 4 (ash/gorge)"]);
    assert_names(&card("gorge", "ash"), &["deck: card 8 (gorge/ash): the same card as card 4 (ash/gorge)"]);
    assert_names(&card("ash", "ash"), &["deck: card 8 (ash/ash): Ash", "on both sides (CONN-1)"]);
    assert_names(
        &city("ash", "Other", json!(["wood"])),
        &["deck: city 19 (Other): the id \"ash\" is taken by city 1 (Ash)"],
    );
    assert_names(&city("other", "ÁSH", json!(["wood"])), &["deck: city 19 (ÁSH): ", "is taken by city 1 (Ash)"]);
    assert_names(&city("yew", "Yew", json!(["lake"])), &["deck: ", "Lake", "1", "3", "CONN-6"]);
    assert_names(&city("yew", "Yew", json!([])), &["deck: ", "Yew", "0 regions", "CONN-2"]);
    assert_names(&city("yew", "", json!(["wood"])), &["deck: ", "19"]);
    assert_names(&city("yew", "Yew/Oak", json!(["wood"])), &["deck: ", "Yew/Oak"]);
    assert_names(&changed(&|deck| deck["size"] = json!(3)), &["connections: deck", "size"]);
    assert_names(
        &changed(&|deck| drop(deck.as_object_mut().unwrap().remove("cards"))),
        &["connections: deck", "cards"],
    );
}

#[test]
fn conn_1_a_deck_has_its_limits() {
    assert_eq!(Match::new(&json!({"deck": woods(64)}).to_string()).all_cards().len(), 64);
    assert_names(&table::options_refusal::<Connections>(&json!({"deck": woods(65)}).to_string()), &["65 cards", "64"]);
    let large = |regions: usize, cities: usize, links: usize| {
        let mut deck = woods(25)["custom"].clone();
        let all = deck["cities"].as_array_mut().unwrap();
        all.extend((3..regions).flat_map(|region| {
            (0..3).map(move |city| {
                let id = format!("r{region}c{city}");
                json!({"id": id, "name": id, "regions": [format!("r{region}")]})
            })
        }));
        let ids: Vec<String> = (3..links).map(|link| format!("link{link}")).collect();
        all.extend(ids.iter().map(|id| json!({"id": id, "name": id, "regions": ["wood", "sea"]})));
        let more = cities.saturating_sub(all.len());
        all.extend(
            (0..more).map(|city| json!({"id": format!("m{city}"), "name": format!("m{city}"), "regions": ["sea"]})),
        );
        deck["cards"].as_array_mut().unwrap().extend(ids.iter().map(|id| json!([id, id])));
        json!({"deck": {"custom": deck}}).to_string()
    };
    let game = Match::new(&large(16, 128, 16));
    assert_eq!(game.view(None)["cities"].as_array().unwrap().len(), 128);
    assert_eq!(game.view(None)["regions"].as_array().unwrap().len(), 16);
    game.wander(|game, _| assert_eq!(game.all_cards().len(), 38));
    for (options, words) in [
        (large(17, 0, 3), ["17 regions", "16"]),
        (large(3, 129, 3), ["129 cities", "128"]),
        (large(3, 0, 17), ["17 links", "16"]),
    ] {
        assert_names(&table::options_refusal::<Connections>(&options), &words);
    }
}

#[test]
fn conn_1_the_view_is_as_documented() {
    let options = in_the_woods(3);
    let position = json!({
        "hands": lists(&["Strand, Elm/Ledge", "Cedar/Elm, Ash/Beech", "Fir/Moor"]),
        "laid": lists(&["Ash/Gorge, Beech/Howe, Cedar/Knoll, Tarn", "Ness/Ash, Oyster/Beech, Pier/Cedar", ""]),
        "sets": lists(&["wood", "sea", ""]), "links": [{"city": "Tarn", "invited": 2}],
        "discard": ["Union"], "pile": ["Reef/Fir"], "known": ["Fir/Moor", "Strand"], "turns": [4, 4, 4],
        "turn": 0, "idle": 1, "history": [[4, -20, 0], [0, 8, 0]],
    });
    let game = Match::of(&options.to_string(), position);
    let deck = &options["deck"]["custom"];
    let tokens = [("ash", 0), ("beech", 0), ("cedar", 0), ("tarn", 0), ("ness", 1), ("oyster", 1), ("pier", 1)];
    let city = |city: &Value| {
        let token = tokens.iter().find(|(id, _)| city["id"] == *id).map(|(_, seat)| seat);
        json!({"id": city["id"], "name": city["name"], "regions": city["regions"], "lon": null, "lat": null,
            "token": token})
    };
    let cities: Vec<Value> = deck["cities"].as_array().unwrap().iter().map(city).collect();
    let region = |name: &str| json!({"id": name.to_lowercase(), "name": name, "colour": null});
    let hand = |cards: usize, held: &str, tokens: usize| {
        let held = list(held);
        json!({"cards": cards, "held": held, "tokens": tokens, "turns": 4, "last_turns": 0})
    };
    let group = |link: Value, region: &str, cards: u8, points: i32, text: &str| {
        json!({"what": "group", "link": link, "with": null, "regions": [region], "cards": cards, "value": points,
            "points": points, "text": text})
    };
    let pairs = json!({"what": "pairs", "link": null, "with": null, "regions": [], "cards": 2, "value": -20,
        "points": -20, "text": "1 pair in hand: -20 points"});
    let wood = group(json!("tarn"), "wood", 4, 8, "Wood with Tarn: 4 cards, 8 points");
    let sea = group(json!(null), "sea", 3, 4, "Sea: 3 cards, 4 points");
    let expected = |viewer: Value, held: [&str; 3], others: (i32, Vec<Value>), legal: &str| {
        json!({
            "game": "connections", "viewer": viewer, "phase": "play", "to_act": 0, "turn": 0, "dealer": 1, "round": 3,
            "rounds": 3, "points": [4, -12, 0], "regions": [region("Wood"), region("Hill"), region("Sea")],
            "cities": cities, "hands": [hand(2, held[0], 8), hand(2, held[1], 9), hand(1, held[2], 12)],
            "laid": lists(&["Ash/Gorge, Beech/Howe, Cedar/Knoll, Tarn", "Ness/Ash, Oyster/Beech, Pier/Cedar", ""]),
            "sets": [["wood"], ["sea"], []],
            "links": [{"city": "tarn", "owner": 0, "partner": null, "invited": 2}], "pile": 1, "discard": ["Union"],
            "announced": null, "idle": 1, "max_turns": 15,
            "chosen": {"asked": null, "card": null, "to": null, "reply": null, "link": null, "cities": [],
                "taken": null, "may_invite": true},
            "scores": [{"points": 8, "parts": [wood]}, {"points": others.0, "parts": others.1},
                {"points": 0, "parts": []}],
            "history": [[4, -20, 0], [0, 8, 0]], "legal": list(legal), "returns": [0.0, 0.0, 0.0],
        })
    };
    let legal = "play Elm/Ledge, play Ledge/Elm, draw, take";
    let [own, others] = ["Strand, Elm/Ledge", "Ash/Beech, Cedar/Elm"];
    let all = (-16, vec![sea.clone(), pairs]);
    assert_eq!(game.view(None), expected(json!(null), [own, others, "Fir/Moor"], all.clone(), legal));
    assert_eq!(game.view(Some(0)), expected(json!(0), [own, "", "Fir/Moor"], (4, vec![sea.clone()]), legal));
    assert_eq!(game.view(Some(1)), expected(json!(1), ["Strand", others, "Fir/Moor"], all, ""));
    assert_eq!(game.view(Some(2)), expected(json!(2), ["Strand", "", "Fir/Moor"], (4, vec![sea]), ""));
}

#[test]
fn conn_1_the_text_fits_a_terminal() {
    let mut phases = BTreeSet::new();
    for options in all_options() {
        Match::new(&options).wander(|game, _| {
            phases.insert(game.phase());
            for viewer in [None, Some(0), Some(2)] {
                let text = game.text(viewer);
                assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
                assert!(text.lines().all(|line| line == line.trim_end()) && text.starts_with("Connections"), "{text}");
            }
        });
    }
    assert!(PHASES.iter().all(|&phase| phases.contains(phase)), "{phases:?}");
}

#[test]
fn conn_2_a_linking_city_joins_two_or_three_regions() {
    let view = Match::new("{}").view(None);
    let cities = view["cities"].as_array().unwrap();
    let joins = |name: &str| words(&cities.iter().find(|city| city["name"] == name).unwrap()["regions"]).join(", ");
    assert_eq!(joins("Chicago"), "atlantic_north_america, pacific_north_america");
    assert_eq!(joins("Gibraltar"), "western_europe, mediterranea, africa");
    let links: Vec<usize> =
        cities.iter().map(|city| city["regions"].as_array().unwrap().len()).filter(|&regions| regions > 1).collect();
    assert_eq!((links.len(), links.iter().filter(|&&regions| regions == 3).count()), (13, 6));
    assert!(links.iter().all(|regions| (2..=3).contains(regions)));
}

#[test]
fn conn_2_in_the_packages_deck_it_is_the_same_on_both_sides() {
    let game = Match::of(QUIET, with(&europe(), json!({"hands": lists(&["Vienna", "", ""])})));
    assert_eq!(game.legal(), ["play Vienna", "draw"]);
    assert_eq!(game.rules.parse("play Vienna/Vienna"), game.rules.parse("play Vienna"));
    assert_eq!(Match::new("{}").all_cards().iter().filter(|card| !card.contains('/')).count(), 13);
}

#[test]
fn conn_2_a_card_has_linking_cities_on_both_sides_or_on_none() {
    let changed = |front: &str, back: &str| {
        let mut deck = woods(25);
        deck["custom"]["cards"][7] = json!([front, back]);
        table::options_refusal::<Connections>(&json!({"deck": deck}).to_string())
    };
    for (front, back) in [("ash", "tarn"), ("tarn", "ash")] {
        assert_names(&changed(front, back), &["deck: card 8", "Tarn", "linking cities", "Ash", "both sides", "CONN-2"]);
    }
    assert_names(&changed("tarn", "tarn"), &["deck: card 8 (tarn/tarn): the same card as "]);
}

/// The woods with linking cards of two faces, Tarn/Strand and Strand/Union, and one of one face, Union.
fn two_faced(cards: usize) -> Value {
    let mut deck = woods(cards);
    for (card, sides) in [["tarn", "strand"], ["strand", "union"], ["union", "union"]].into_iter().enumerate() {
        deck["custom"]["cards"][card] = json!(sides);
    }
    deck
}

#[test]
fn conn_2_either_side_of_a_linking_card_may_be_played() {
    let options = json!({"deck": two_faced(25), "trading": false}).to_string();
    let laid = "Ash/Gorge, Beech/Howe, Cedar/Knoll";
    let hands = lists(&["Tarn/Strand, Strand/Union, Union", "", ""]);
    let table =
        json!({"hands": hands, "laid": lists(&[laid, "", ""]), "sets": lists(&["wood", "", ""]), "pile": ["Reef/Fir"]});
    let game = Match::of(&options, &table);
    // Strand shows no wood.
    assert_eq!(game.legal(), ["play Tarn/Strand", "play Union/Strand", "play Union", "draw"]);
    game.assert_refuses("play Strand/Tarn", "Strand needs an own set of Hill or Sea (CONN-7)");
    for (action, city, card) in [
        ("play Tarn", "tarn", "Tarn/Strand"),
        ("play Union/Strand", "union", "Strand/Union"),
        ("play Union", "union", "Union"),
    ] {
        let played = game.after(action);
        assert_eq!((played.bond(city), played.laid(0).len()), (json!([0, null, null]), 4));
        assert!(!played.hand(0).contains(&card.to_owned()), "{action}");
        assert_eq!(played.scores()[0], 8);
    }
    // A linking city has one token, whichever card it is on.
    let union = game.after("play Union/Strand; draw; pass; pass");
    assert_eq!((union.token("Union"), union.token("Strand")), (json!(0), json!(null)));
    union.assert_refuses("play Union", "Union has a token already (CONN-4)");
    assert_eq!(union.legal(), list("play Reef/Fir, play Fir/Reef, play Tarn/Strand, invite Union +1, invite Union +2"));
}

#[test]
fn conn_2_two_faced_links_in_every_phase() {
    let mut faces = BTreeSet::new();
    for players in 3..=6 {
        let options = with(&in_the_woods(players), json!({"deck": two_faced(players * (11 - players) + 1)}));
        for seed in 0..4 {
            let mut states = 0;
            Match::seeded(&options.to_string(), seed).wander(|game, action| {
                states += 1;
                if states % 25 == 0 {
                    assert_eq!(game.all_cards().iter().filter(|card| game.is_link(card)).count(), 3);
                }
                faces.extend(
                    action.filter(|action| kind_of(action) == "play" && game.is_link(&action[5..])).map(str::to_owned),
                );
            });
        }
    }
    let all =
        ["Strand/Tarn", "Strand/Union", "Tarn/Strand", "Union", "Union/Strand"].map(|face| format!("play {face}"));
    assert_eq!(faces.into_iter().collect::<Vec<_>>(), all);
}

#[test]
fn conn_2_a_deck_has_links_of_two_or_three_regions() {
    let with_union = |regions: Value| {
        let mut deck = woods(25);
        deck["custom"]["cities"][17]["regions"] = regions;
        let more = ["Yew", "Zinc", "Ore"].map(|name| json!({"id": name, "name": name, "regions": ["mine"]}));
        deck["custom"]["cities"].as_array_mut().unwrap().extend(more);
        json!({"deck": deck}).to_string()
    };
    for regions in [json!(["wood", "mine"]), json!(["wood", "mine", "sea"])] {
        assert_eq!(Match::new(&with_union(regions.clone())).view(None)["cities"][17]["regions"], regions);
    }
    let refusal = |regions: Value| table::options_refusal::<Connections>(&with_union(regions));
    assert_names(&refusal(json!(["wood", "hill", "sea", "mine"])), &["deck: ", "Union", "4 regions", "CONN-2"]);
    assert_names(&refusal(json!(["wood", "wood"])), &["deck: ", "Union", "wood", "twice"]);
}

#[test]
fn conn_3_3_to_6_play_with_8_7_6_or_5_cards_each() {
    for (players, cards, pile) in [(3, 8, 31), (4, 7, 27), (5, 6, 25), (6, 5, 25)] {
        let game = Match::new(&json!({"players": players, "trading": false}).to_string());
        assert_eq!((game.hand_sizes(), game.rules.num_seats()), (vec![cards; players], players));
        let (drawn, discarded, shuffles) = game.piles();
        assert_eq!((drawn.len(), discarded.len(), shuffles), (pile, 0, 0));
        assert_eq!((game.moment(), game.view(Some(0))["pile"].clone()), ("play 0".to_owned(), json!(pile)));
    }
    assert_eq!(Match::new("{}").rules.num_seats(), 3);
    for players in [0, 1, 2, 7, 255] {
        assert_refused(json!({"players": players}), &format!("players = {players}: 3 to 6 play (CONN-3)"));
    }
    assert_names(&table::options_refusal::<Connections>(r#"{"players": 256}"#), &["players", "256"]);
    assert_names(&table::options_refusal::<Connections>(r#"{"seats": 3}"#), &["seats", "players", "max_turns"]);
    assert_impossible(holding(&["", ""]), "hands: 2 lists for 3 players");
    assert_impossible(holding(&["", "", "", ""]), "hands: 4 lists for 3 players");
}

#[test]
fn conn_3_a_deck_has_a_card_more_than_is_dealt() {
    for (players, each) in [(3, 8), (4, 7), (5, 6), (6, 5)] {
        let enough = players * each + 1;
        let game = Match::new(&json!({"players": players, "deck": woods(enough)}).to_string());
        assert_eq!((game.hand_sizes(), game.cards("pile").len()), (vec![each; players], 1));
        for cards in [20, enough - 1] {
            let message = format!("deck: {cards} cards are too few for {players} players with {each} each (CONN-3)");
            assert_refused(json!({"players": players, "deck": woods(cards)}), &message);
        }
    }
    assert_refused(json!({"deck": woods(0)}), "deck: woods: no cards");
}

#[test]
fn conn_3_every_card_can_come_anywhere() {
    let mut counts: BTreeMap<(String, usize), u32> = BTreeMap::new();
    for seed in 0..550 {
        let game = Match::seeded("{}", seed);
        for (seat, hand) in game.hands().into_iter().enumerate() {
            for card in hand {
                *counts.entry((card, seat)).or_default() += 1;
            }
        }
    }
    // 8 of 55 cards: 80 of each, with a deviation of 8.3; five of them either way.
    assert_eq!(counts.len(), 165);
    assert!(counts.values().all(|count| (39..122).contains(count)), "{counts:?}");
}

#[test]
fn conn_3_hands_are_hidden_but_not_how_many_cards_they_have() {
    let position = holding(&["Chicago, Miami", "Paris/Bangkok, Vienna, Lima", "Cairo"]);
    let exchanged = with(
        &position,
        json!({"hands": lists(&["Chicago, Miami", "Cairo, Vienna, Honolulu", "Dakar"]),
            "pile": ["Paris/Bangkok", "Lima"]}),
    );
    for turn in 0..3 {
        let [one, other] = [&position, &exchanged].map(|position| Match::at(with(position, json!({"turn": turn}))));
        assert_eq!(one.seen(0), other.seen(0));
        let (view, text, row) = one.seen(1);
        let (other_view, other_text, other_row) = other.seen(1);
        assert!(view != other_view && text != other_text && row != other_row);
        let hands = one.view(Some(0))["hands"].clone();
        let hand = |cards: usize, held: &str| {
            let held = list(held);
            json!({"cards": cards, "held": held, "tokens": 12, "turns": 0, "last_turns": 0})
        };
        assert_eq!(hands, json!([hand(2, "Chicago, Miami"), hand(3, ""), hand(1, "")]));
        let may_choose = |viewer| !one.view(Some(viewer))["legal"].as_array().unwrap().is_empty();
        assert_eq!([0, 1, 2].map(may_choose), [0, 1, 2].map(|viewer| viewer == turn));
    }
}

#[test]
fn conn_3_the_text_names_no_hidden_card() {
    for options in all_options() {
        Match::seeded(&options, 3).wander(|game, action| {
            let (known, hands) = (game.cards("known"), game.hands());
            for viewer in (0..hands.len()).filter(|_| action.is_some()) {
                let text = game.text(Some(viewer));
                for (seat, hand) in hands.iter().enumerate() {
                    let is_open = |card: &String| seat == viewer || known.contains(card);
                    assert!(hand.iter().all(|card| text.contains(card) == is_open(card)), "{hand:?}: {text}");
                }
            }
        });
    }
}

#[test]
fn conn_3_the_discard_pile_is_shuffled_into_an_empty_draw_pile() {
    let at = |pile: &str, discard: &str| {
        Match::of(
            QUIET,
            with(&holding(&["Chicago, Miami", "", ""]), json!({"pile": list(pile), "discard": list(discard)})),
        )
    };
    // Before the player discards.
    let drawn = at("Cairo", "Dakar, Lahore, Vienna").after("draw");
    assert_eq!((drawn.moment(), drawn.hand(0)), ("discard 0".to_owned(), list("Chicago, Miami, Cairo")));
    assert_eq!(drawn.piles(), (list("Lahore, Dakar"), list("Vienna"), 1));
    // As soon as there is a card below the top.
    let drawn = at("Cairo", "Dakar").after("draw");
    assert_eq!(drawn.piles(), (vec![], list("Dakar"), 0));
    assert_eq!(drawn.after("discard Miami").piles(), (list("Dakar"), list("Miami"), 1));
    let drawn = at("Cairo", "").after("draw");
    assert_eq!(drawn.after("discard Miami").piles(), (vec![], list("Miami"), 0));
    // Not before the draw pile runs out.
    let drawn = at("Cairo, Istanbul", "Dakar, Lahore").after("draw; discard Miami");
    assert_eq!((drawn.cards("pile").len(), drawn.cards("discard")), (1, list("Dakar, Lahore, Miami")));
    // Taking the top leaves the pile alone.
    let taken = at("", "Dakar").after("take; discard Miami");
    assert_eq!(taken.piles(), (vec![], list("Miami"), 0));
}

#[test]
fn conn_3_a_card_drawn_after_a_play_may_be_the_last() {
    let parts = json!({"hands": lists(&["Stockholm", "", ""]), "pile": ["Cairo"], "discard": ["Dakar", "Lahore"]});
    let game = Match::of(QUIET, with(&europe(), parts)).after("play Stockholm; draw");
    assert_eq!((game.piles(), game.moment()), ((list("Dakar"), list("Lahore"), 1), "play 1".to_owned()));
}

#[test]
fn conn_3_a_new_pile_is_in_any_order() {
    let position = with(
        &holding(&["Chicago", "", ""]),
        json!({"pile": ["Cairo"], "discard": ["Dakar", "Lahore", "Vienna", "Miami"]}),
    );
    let next: BTreeSet<Vec<String>> = (0..40)
        .map(|seed| Match::of(QUIET, &position).with_seed(seed).after("draw; discard Cairo; draw").hand(1))
        .collect();
    assert_eq!(next, ["Dakar", "Lahore", "Vienna"].map(list).into());
}

#[test]
fn conn_3_a_position_has_each_card_once() {
    let base = holding(&["Chicago, Miami", "Vienna", ""]);
    assert_impossible(with(&base, json!({"discard": ["Miami"]})), "Miami is in two places");
    assert_impossible(with(&base, json!({"laid": [["Vienna"], [], []]})), "Vienna is in two places");
    assert_impossible(with(&base, json!({"pile": ["Miami"]})), "a card of the pile is in two places");
    assert_impossible(with(&base, json!({"discard": ["Cairo", "Cairo"]})), "Cairo is in two places");
    assert_impossible(
        with(&base, json!({"hands": [["Atlantis"], [], []]})),
        "no card \"Atlantis\": name both of its cities",
    );
    assert_impossible(with(&base, json!({"hands": [["Paris"], [], []]})), "no card \"Paris\": name both of its cities");
    assert_impossible(with(&base, json!({"known": ["Cairo"]})), "a card known in a hand that is in none");
    assert_impossible(with(&base, json!({"turn": 3})), "no seat 3: there are 3");
    assert_impossible(with(&base, json!({"turns": [1, 1]})), "turns: 2 numbers for 3 players");
    assert_impossible(
        with(&base, json!({"phase": "trade"})),
        "no phase \"trade\": the phases are announce, offer, answer, \
        accept, play, invited, set, draw, discard, over",
    );
    let empty = json!({"pile": [], "discard": ["Cairo", "Dakar"]});
    assert_impossible(with(&base, empty), "an empty pile that must be made anew (CONN-3)");
    Match::at(with(&base, json!({"pile": [], "discard": ["Cairo"]})));
}

#[test]
fn conn_3_cards_that_a_position_names_nowhere_are_in_the_pile_or_out_of_the_game() {
    let position = json!({"hands": lists(&["Chicago", "Miami", ""])});
    assert_eq!(Match::at(&position).cards("pile").len(), 53);
    let game = Match::at(with(&position, json!({"pile": ["Cairo"]})));
    assert_eq!((game.cards("pile"), game.all_cards().len()), (list("Cairo"), 3));
    assert_eq!(game.guess(0, 1).all_cards(), game.all_cards());
}

#[test]
fn conn_3_a_position_has_ages_that_can_be() {
    let base = with(
        &holding(&["Chicago", "Miami", "Vienna"]),
        json!({"known": ["Vienna"], "ages": {"Dakar": 2, "Honolulu": 2, "Miami": 1}, "discard": ["Cairo"]}),
    );
    assert_eq!(Match::at(&base).the("ages"), base["ages"]);
    assert_eq!(Match::at(&base).number("shuffles"), 2);
    let refuse = |ages: Value, what: &str| {
        assert_impossible(with(&base, json!({"ages": ages})), &format!("ages that do not fit the {what} (CONN-3)"));
    };
    refuse(json!({"Dakar": 2, "Honolulu": 1}), "pile");
    refuse(json!({"Miami": 1}), "pile");
    refuse(json!({"Dakar": 2, "Honolulu": 2, "Vienna": 1}), "cards");
    refuse(json!({"Dakar": 2, "Honolulu": 2, "Cairo": 1}), "cards");
    assert_impossible(with(&base, json!({"shuffles": 1})), "ages that do not fit the cards (CONN-3)");
    assert_impossible(with(&base, json!({"shuffles": 3})), "ages that do not fit the pile (CONN-3)");
}

// What a seat knows

#[test]
fn conn_3_a_guess_keeps_what_a_seat_sees_and_varies_the_rest() {
    let mut phases: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for (options, seed) in all_options().iter().flat_map(|options| [(options, 0), (options, 1)]) {
        let mut viewer = 0;
        Match::seeded(options, seed).wander(|game, action| {
            viewer = (viewer + 1) % game.rules.num_seats();
            let guess = game.guess(viewer, seed);
            assert_eq!(guess.seen(viewer), game.seen(viewer), "{action:?} in {}", game.position_text());
            let [one, other] = [&guess, game].map(Match::position);
            assert_eq!(one["hands"][viewer], other["hands"][viewer]);
            for key in other.as_object().unwrap().keys().filter(|&key| key != "hands" && key != "pile") {
                assert_eq!(one[key], other[key], "{key}");
            }
            if game.to_act() == Some(viewer) {
                assert_eq!(guess.legal(), game.legal());
            }
            let [all, others] = phases.entry(game.phase()).or_default();
            *all += 1;
            *others += usize::from(one["hands"] != other["hands"]);
        });
    }
    let varies = |phase: &str| 3 * phases[phase][1] > phases[phase][0];
    assert!(PHASES.iter().all(|phase| varies(phase)), "{phases:?}");
}

#[test]
fn conn_3_after_a_guess_the_match_plays_on() {
    for options in all_options() {
        let mut steps = 0;
        Match::seeded(&options, 5).wander(|game, action| {
            steps += 1;
            if steps % 40 == 0 && action.is_some() {
                let viewer = steps / 40 % game.rules.num_seats();
                let guess = game.guess(viewer, 7);
                let again = Match::of(&options, guess.position_text());
                assert_eq!(again.seen(viewer), game.seen(viewer));
                assert!(guess.with_seed(8).play_out(|_, _| ()).is_over());
            }
        });
    }
}

/// What everybody knows of the cards, followed from decision to decision.
#[derive(Default)]
struct Knowledge {
    /// Cards that everybody has seen go into a hand or in it, and whose it is.
    known: BTreeMap<String, usize>,
    /// How often the pile had been shuffled when a card was last put into it, if it was.
    ages: BTreeMap<String, u64>,
    /// How many other cards of each age everybody has.
    hidden: Vec<BTreeMap<u64, usize>>,
    pile: usize,
    discard: Vec<String>,
    shuffles: u64,
}

impl Knowledge {
    fn of_deal(game: &Match) -> Self {
        let hidden = game.hand_sizes().into_iter().map(|cards| [(0, cards)].into()).collect();
        Self { hidden, pile: game.cards("pile").len(), ..Self::default() }
    }

    /// A hidden card of a hand is seen.
    fn show(&mut self, card: &str, seat: usize) {
        let age = self.ages.remove(card).unwrap_or_default();
        let cards = self.hidden[seat].get_mut(&age).unwrap_or_else(|| panic!("{card} cannot be in hand {seat}"));
        *cards -= 1;
        if *cards == 0 {
            self.hidden[seat].remove(&age);
        }
    }

    fn name(&mut self, card: String, seat: usize) {
        if !self.known.contains_key(&card) {
            self.show(&card, seat);
        }
        self.known.insert(card, seat);
    }

    fn leave(&mut self, card: &str, seat: usize) {
        if self.known.remove(card).is_none() {
            self.show(card, seat);
        }
    }

    fn follow(&mut self, game: &Match, action: &str) {
        let seat = game.to_act().unwrap();
        let rest = action.split_once(' ').map_or("", |(_, rest)| rest.split(" to +").next().unwrap());
        match &*kind_of(action) {
            "offer" | "answer" => self.name(game.card(rest), seat),
            "accept" => {
                let seat = |key: &str| game.number(key) as usize;
                let card = |key: &str| game.the(key).as_str().unwrap().to_owned();
                self.known.extend([(card("card"), seat("to")), (card("reply"), seat("asked"))]);
            }
            "set" => {
                self.name(game.card(rest), seat);
                let chosen = [game.cards("chosen"), list(rest)].concat();
                if chosen.len() == 3 {
                    for face in chosen {
                        self.leave(&game.card(&face), seat);
                    }
                }
            }
            "play" => self.leave(&game.card(rest), seat),
            "discard" => {
                self.leave(&game.card(rest), seat);
                self.discard.push(game.card(rest));
            }
            "draw" => {
                *self.hidden[seat].entry(self.shuffles).or_default() += 1;
                self.pile -= 1;
            }
            "take" => drop(self.known.insert(self.discard.pop().unwrap(), seat)),
            _ => {}
        }
        if self.pile == 0 && self.discard.len() > 1 {
            self.shuffles += 1;
            let top = self.discard.pop().unwrap();
            self.pile = self.discard.len();
            self.ages.extend(self.discard.drain(..).map(|card| (card, self.shuffles)));
            self.discard.push(top);
        }
    }

    /// Fails unless known cards are where they were seen, and every hand has as many others of each age as it can have.
    fn assert_fits(&self, game: &Match) {
        let position = game.position();
        let cards = |key: &str| words(&position[key]);
        assert_eq!(cards("known").into_iter().collect::<BTreeSet<_>>(), self.known.keys().cloned().collect());
        assert_eq!((cards("discard"), &position["shuffles"]), (self.discard.clone(), &json!(self.shuffles)));
        for (seat, hand) in position["hands"].as_array().unwrap().iter().map(words).enumerate() {
            let mut hidden: BTreeMap<u64, usize> = BTreeMap::new();
            for card in hand {
                match self.known.get(&card) {
                    Some(&owner) => assert_eq!(owner, seat, "{card}"),
                    None => *hidden.entry(self.age(&card)).or_default() += 1,
                }
            }
            assert_eq!(hidden, self.hidden[seat], "seat {seat}");
        }
        let pile = cards("pile");
        assert!(pile.len() == self.pile && pile.iter().all(|card| self.age(card) == self.shuffles), "{pile:?}");
        assert_eq!(position["ages"], json!(self.ages));
    }

    fn age(&self, card: &str) -> u64 {
        self.ages.get(card).copied().unwrap_or_default()
    }
}

#[test]
fn conn_3_a_guess_puts_no_card_where_it_cannot_be() {
    let mut most_shuffles = 0;
    for (options, seed) in all_options().iter().flat_map(|options| (10..15).map(move |seed| (options, seed))) {
        let start = Match::seeded(options, seed);
        let mut knowledge = Knowledge::of_deal(&start);
        let (mut rounds, mut viewer) = (0, 0);
        start.wander(|game, action| {
            let history = game.the("history").as_array().unwrap().len();
            if history != rounds {
                (rounds, knowledge) = (history, Knowledge::of_deal(game));
            }
            let Some(action) = action else { return };
            viewer = (viewer + 1) % game.rules.num_seats();
            knowledge.assert_fits(game);
            knowledge.assert_fits(&game.guess(viewer, seed));
            knowledge.follow(game, action);
            most_shuffles = most_shuffles.max(knowledge.shuffles);
        });
    }
    assert!(most_shuffles > 3, "{most_shuffles} shuffles: the test tries too little");
}

/// Hands and draw pile.
type World = (Vec<BTreeSet<String>>, BTreeSet<String>);

/// All that could be for a seat that has seen everything from the deal on, and how likely it is as long as what others
/// choose says nothing about the rest of their hands.
struct Worlds {
    viewer: usize,
    discard: Vec<String>,
    chances: BTreeMap<World, f64>,
}

impl Worlds {
    fn of_deal(game: &Match, viewer: usize) -> Self {
        let set = |cards: Vec<String>| cards.into_iter().collect::<BTreeSet<_>>();
        let hands: Vec<BTreeSet<String>> = game.hands().into_iter().map(set).collect();
        let mut worlds = Self { viewer, discard: game.cards("discard"), chances: BTreeMap::new() };
        let empty = |seat: usize| if seat == viewer { hands[seat].clone() } else { BTreeSet::new() };
        let others = hands.iter().enumerate().filter(|(seat, _)| *seat != viewer);
        let unseen = others.flat_map(|(_, hand)| hand.clone()).chain(game.cards("pile")).collect();
        let world = ((0..hands.len()).map(empty).collect(), BTreeSet::new());
        let sizes: Vec<usize> = hands.iter().map(BTreeSet::len).collect();
        worlds.deal(&unseen, world, &sizes);
        worlds
    }

    fn deal(&mut self, unseen: &BTreeSet<String>, (hands, _): World, sizes: &[usize]) {
        let Some(seat) = (0..sizes.len()).find(|&seat| hands[seat].len() < sizes[seat]) else {
            self.chances.insert((hands, unseen.clone()), 1.0);
            return;
        };
        for card in unseen {
            let (mut hands, mut unseen) = (hands.clone(), unseen.clone());
            hands[seat].insert(unseen.take(card).unwrap());
            self.deal(&unseen, (hands, BTreeSet::new()), sizes);
        }
    }

    /// Keeps what a change allows, and adds up what becomes the same.
    fn change(&mut self, change: impl Fn(World) -> Vec<World>) {
        for (world, chance) in std::mem::take(&mut self.chances) {
            let next = change(world);
            let share = chance / next.len() as f64;
            for world in next {
                *self.chances.entry(world).or_default() += share;
            }
        }
    }

    /// A card leaves a hand in which it must have been.
    fn remove(&mut self, card: &str, seat: usize) {
        self.change(|(mut hands, pile)| if hands[seat].remove(card) { vec![(hands, pile)] } else { vec![] });
    }

    fn add(&mut self, card: &str, seat: usize) {
        self.change(|(mut hands, pile)| {
            hands[seat].insert(card.to_owned());
            vec![(hands, pile)]
        });
    }

    fn follow(&mut self, game: &Match, action: &str, next: &Match) {
        let seat = game.to_act().unwrap();
        let rest = action.split_once(' ').map_or("", |(_, rest)| rest.split(" to +").next().unwrap()).to_owned();
        match &*kind_of(action) {
            "offer" | "answer" => {
                self.remove(&rest, seat);
                self.add(&rest, seat);
            }
            "accept" => {
                for (card, from, to) in [("card", "asked", "to"), ("reply", "to", "asked")] {
                    let card = game.the(card);
                    self.remove(card.as_str().unwrap(), game.number(from) as usize);
                    self.add(card.as_str().unwrap(), game.number(to) as usize);
                }
            }
            "discard" => {
                self.remove(&rest, seat);
                self.discard.push(rest);
            }
            "take" => {
                let top = self.discard.pop().unwrap();
                self.add(&top, seat);
            }
            "draw" => {
                self.change(|(hands, pile)| {
                    let draw = |card: &String| {
                        let (mut hands, mut pile) = (hands.clone(), pile.clone());
                        hands[seat].insert(pile.take(card).unwrap());
                        (hands, pile)
                    };
                    pile.iter().map(draw).collect()
                });
                let own: BTreeSet<String> = next.hand(self.viewer).into_iter().collect();
                let viewer = self.viewer;
                self.chances.retain(|(hands, _), _| hands[viewer] == own);
            }
            _ => assert!(["announce", "no", "pass"].contains(&action), "{action}"),
        }
        if self.discard.len() > 1 && self.chances.keys().all(|(_, pile)| pile.is_empty()) {
            let top = self.discard.split_off(self.discard.len() - 1);
            let pile: BTreeSet<String> = std::mem::replace(&mut self.discard, top).into_iter().collect();
            self.change(|(hands, _)| vec![(hands, pile.clone())]);
        }
    }

    fn guess(&self, game: &Match, seed: u64) -> World {
        let mut state = game.state.clone();
        game.rules.resample_hidden(&mut state, Seat::new(self.viewer), &mut rng(seed));
        let guess = table::json(&game.rules.position(&state));
        let set = |cards: &Value| words(cards).into_iter().collect();
        (guess["hands"].as_array().unwrap().iter().map(set).collect(), set(&guess["pile"]))
    }

    /// Fails unless guesses are as likely as what could be.
    fn assert_guessed(&self, game: &Match) {
        let total: f64 = self.chances.values().sum();
        let guesses = 50 * self.chances.len() as u64;
        let mut counts: BTreeMap<World, f64> = BTreeMap::new();
        (0..guesses).for_each(|seed| *counts.entry(self.guess(game, seed)).or_default() += 1.0);
        assert!(counts.keys().eq(self.chances.keys()), "{counts:?} for {:?}", self.chances);
        let deviation = |(count, chance): (&f64, &f64)| {
            let expected = guesses as f64 * chance / total;
            (count - expected).powi(2) / expected
        };
        let squares: f64 = counts.values().zip(self.chances.values()).map(deviation).sum();
        let freedom = (counts.len() - 1) as f64;
        assert!(squares < freedom + 5.0 * (2.0 * freedom).sqrt() + 5.0, "{squares} for {freedom}: {counts:?}");
    }
}

/// Links without sets cannot be played, so the cards go round.
#[test]
fn conn_3_a_guess_is_uniform_among_all_that_could_be() {
    let tables = [
        ("{}", holding(&["Chicago, Cairo", "Miami, Vienna", "Lahore, Istanbul"])),
        (QUIET, holding(&["Chicago", "Miami, Vienna, Lahore", "Istanbul"])),
        (
            r#"{"players": 4}"#,
            with(&holding(&["Chicago", "Miami", "Lahore, Gibraltar", "Istanbul"]), json!({"pile": ["Dakar"]})),
        ),
        (r#"{"players": 4, "trading": false}"#, holding(&["Chicago", "Miami", "Vienna", "Lahore"])),
    ];
    let mut shuffled = 0;
    for (number, (options, position)) in tables.iter().enumerate() {
        for seed in 0..10 {
            let mut game = Match::of(options, position).with_seed(seed);
            let mut luck = rng(100 + seed);
            let viewer = (number + seed as usize) % game.rules.num_seats();
            let mut worlds = Worlds::of_deal(&game, viewer);
            let mut discards = 0;
            loop {
                let legal = game.legal();
                let kinds: BTreeSet<String> = legal.iter().map(|action| kind_of(action)).collect();
                let kind = pick(&mut luck, kinds).unwrap();
                let action = pick(&mut luck, legal.iter().filter(|action| kind_of(action) == kind)).unwrap();
                let next = game.after(action);
                if next.view(None)["round"] != 1 {
                    break;
                }
                worlds.follow(&game, action, &next);
                game = next;
                assert!((0..5).all(|seed| worlds.chances.contains_key(&worlds.guess(&game, seed))), "{action}");
                discards += u64::from(kind == "discard");
                if kind == "discard" && discards == seed % 5 + 1 {
                    worlds.assert_guessed(&game);
                }
            }
            shuffled += game.number("shuffles");
        }
    }
    assert!(shuffled > 20, "{shuffled} shuffles: the test tries too little");
}

#[test]
fn conn_3_a_guess_knows_what_was_in_the_last_pile() {
    let parts = json!({"pile": ["Cairo"], "discard": ["Dakar", "Lahore", "Vienna"]});
    let game =
        Match::of(QUIET, with(&holding(&["Chicago", "Miami", "Istanbul"]), parts)).after("draw; discard Cairo; draw");
    // Seat 1 has drawn Dakar or Lahore; who has Miami and Istanbul is not known.
    let guesses: BTreeSet<(Vec<Vec<String>>, Vec<String>)> =
        (0..100).map(|seed| game.guess(0, seed)).map(|guess| (guess.hands(), guess.cards("pile"))).collect();
    let world = |one: &str, other: &str, pile: &str| (vec![list("Chicago"), list(one), list(other)], list(pile));
    let worlds = [
        world("Istanbul, Lahore", "Miami", "Dakar"),
        world("Istanbul, Dakar", "Miami", "Lahore"),
        world("Lahore, Miami", "Istanbul", "Dakar"),
        world("Miami, Dakar", "Istanbul", "Lahore"),
    ];
    assert_eq!(guesses, worlds.into());
    // Seat 1 has seen its card, so it knows the last one of the pile, but not who has Istanbul and who Chicago.
    let next = game.after("discard Miami; draw");
    let held: BTreeSet<Vec<String>> = (0..100).map(|seed| next.guess(1, seed).hand(2)).collect();
    let last = next.hand(2)[1].clone();
    assert_eq!(held, ["Chicago", "Istanbul"].map(|card| vec![card.to_owned(), last.clone()]).into());
}

#[test]
fn conn_3_cards_that_everybody_knows_stay_where_they_are() {
    let base = holding(&["Chicago, Lahore", "Miami, Vienna", "Istanbul, Cairo"]);
    let stays = |game: &Match, viewer: usize, seat: usize, card: &str| {
        let guesses: Vec<Match> = (0..40).map(|seed| game.guess(viewer, seed)).collect();
        assert!(guesses.iter().all(|guess| guess.hand(seat).contains(&card.to_owned())), "{card}");
        assert!(guesses.iter().any(|guess| guess.position() != game.position()));
        let held = game.view(Some(viewer))["hands"][seat]["held"].clone();
        assert!(words(&held).contains(&card.to_owned()), "{card} in {held}");
    };
    // Taken.
    let taken = Match::of(QUIET, with(&base, json!({"discard": ["Gibraltar"]}))).after("take");
    stays(&taken, 1, 0, "Gibraltar");
    stays(&taken.after("discard Lahore; draw; discard Miami"), 2, 0, "Gibraltar");
    // Offered, answered, traded.
    let offered = Match::at(with(&base, json!({"phase": "offer", "asked": 1}))).after("offer Miami to +1");
    stays(&offered, 0, 1, "Miami");
    stays(&offered.after("no"), 2, 1, "Miami");
    let answered = offered.after("answer Cairo");
    stays(&answered, 0, 1, "Miami");
    stays(&answered, 0, 2, "Cairo");
    stays(&answered.after("no"), 1, 2, "Cairo");
    stays(&answered.after("accept"), 0, 2, "Miami");
    stays(&answered.after("accept"), 0, 1, "Cairo");
    stays(&answered.after("accept; draw; discard Chicago"), 0, 1, "Cairo");
    // Discarded and shuffled, a card is hidden again.
    let parts = json!({"known": ["Chicago"], "pile": ["Dakar"]});
    let game = Match::of(QUIET, with(&base, parts)).after("draw; discard Chicago; take");
    assert_eq!(game.cards("known"), list("Chicago"));
    let parts = json!({"known": ["Chicago"], "pile": ["Dakar"], "discard": ["Gibraltar"]});
    let game = Match::of(QUIET, with(&base, parts)).after("draw; discard Chicago; draw; discard Miami; draw");
    assert_eq!((game.cards("known"), game.hand(2)), (vec![], list("Chicago, Istanbul, Cairo")));
}

#[test]
fn conn_3_cards_chosen_for_a_set_are_known_and_it_can_be_completed() {
    let hand = "Amsterdam/Alexandria, Stockholm/Saint Petersburg, Paris/Bangkok, Miami";
    let position = holding(&[hand, "London/Baghdad, Cairo", "Chicago"]);
    let game = Match::of(QUIET, with(&position, json!({"pile": ["Dakar", "Lima", "Berlin"]}))).after("set Amsterdam");
    assert_eq!(game.cards("known"), list("Alexandria/Amsterdam"));
    let western = ["Paris/Bangkok", "Stockholm/Saint Petersburg", "London/Baghdad", "Addis Ababa/Berlin"];
    let mut hands = BTreeSet::new();
    for seed in 0..300 {
        let guess = game.guess(1, seed);
        let hand = guess.hand(0);
        assert!(hand.contains(&"Alexandria/Amsterdam".to_owned()));
        assert!(western.iter().filter(|&&card| hand.contains(&card.to_owned())).count() >= 2, "{hand:?}");
        assert_eq!((guess.seen(1), guess.hand(1)), (game.seen(1), list("London/Baghdad, Cairo")));
        hands.insert(hand);
    }
    // Seat 1 holds London. Three of Paris, Stockholm, Berlin, Miami, Dakar, Lima, Chicago, two of the first three among
    // them: 3 * 4 + 1.
    assert_eq!(hands.len(), 13);
    let game = game.after("set Paris/Bangkok");
    assert_eq!(game.cards("known"), list("Alexandria/Amsterdam, Paris/Bangkok"));
    let hands: BTreeSet<Vec<String>> = (0..300).map(|seed| game.guess(2, seed).hand(0)).collect();
    // Two of Stockholm, Berlin, London, Miami, Dakar, Lima, Cairo, one of the first three among them: 3 * 4 + 3.
    assert_eq!(hands.len(), 15);
}

#[test]
fn conn_3_when_the_match_is_over_all_hands_are_seen() {
    let parts = with(&last_round(), json!({"idle": 5, "pile": ["Dakar"]}));
    let end =
        Match::of(QUIET, with(&holding(&["Chicago", "Miami, Vienna", "Cairo"]), parts)).after("draw; discard Dakar");
    for viewer in [None, Some(0), Some(1), Some(2)] {
        let hands = end.view(viewer)["hands"].clone();
        assert_eq!([0, 1, 2].map(|seat| words(&hands[seat]["held"])), ["Chicago", "Miami, Vienna", "Cairo"].map(list));
    }
    assert_eq!(end.guess(0, 1).position(), end.position());
    assert_eq!(
        (end.moment(), end.legal().len(), end.view(None)["to_act"].clone()),
        ("over -".to_owned(), 0, json!(null))
    );
    end.assert_refuses("draw", "the match is over");
    end.assert_refuses("announce", "the match is over");
}

// Tokens and turns

/// Twelve cities on the table: five of Western Europe, four of Eastern Europe, two links, New York.
const TWELVE: &str = "Paris/Bangkok, London/Baghdad, Berlin, Amsterdam, Stockholm, Vienna, Moscow/Mumbai, \
    Warsaw/Auckland, Kyiv, Budapest, Reykjavik, New York/Sydney";

/// The first cities of [`TWELVE`] and a hand.
fn with_tokens_left(tokens: usize, hand: &str) -> Match {
    let laid = list(TWELVE)[..12 - tokens].join(", ");
    let table = tables(&[(&laid, "western_europe"), ("", ""), ("", "")]);
    Match::of(ALONE, with(&table, json!({"hands": lists(&[hand, "", ""])})))
}

#[test]
fn conn_4_each_player_has_12_tokens_and_puts_one_on_every_city_played() {
    let tokens = |game: &Match| {
        let hands = game.view(Some(2))["hands"].clone();
        [0, 1, 2].map(|seat| hands[seat]["tokens"].as_u64().unwrap())
    };
    assert_eq!(tokens(&Match::new("{}")), [12; 3]);
    let hands = lists(&["Vienna", "Moscow/Washington, Warsaw/Nairobi, Kyiv", ""]);
    let game = Match::of(QUIET, with(&europe(), json!({"hands": hands})));
    assert_eq!((tokens(&game), game.token("London"), game.token("Baghdad")), ([9, 12, 12], json!(0), json!(null)));
    let game = game.after("play Vienna");
    assert_eq!((tokens(&game), game.token("Vienna")), ([8, 12, 12], json!(0)));
    let game = game.after("draw; set Moscow/Washington; set Kyiv");
    assert_eq!((tokens(&game), game.token("Moscow")), ([8, 12, 12], json!(null)));
    let game = game.after("set Warsaw/Nairobi");
    assert_eq!((tokens(&game), game.token("Moscow"), game.token("Warsaw")), ([8, 9, 12], json!(1), json!(1)));
}

#[test]
fn conn_4_a_city_with_a_token_cannot_be_played_again() {
    let hand = "Vancouver, Buenos Aires/Paris, Amsterdam, Stockholm";
    for seat in 0..2 {
        let tables =
            if seat == 0 { europe() } else { tables(&[("", ""), (WESTERN_EUROPE, "western_europe"), ("", "")]) };
        let game = Match::of(QUIET, with(&tables, json!({"hands": lists(&[hand, "", ""])})));
        for action in ["play London/Vancouver", "play Paris/Buenos Aires", "set London/Vancouver"] {
            let city = action.split([' ', '/']).nth(1).unwrap();
            game.assert_refuses(action, &format!("{city} has a token already (CONN-4)"));
        }
        let legal = if seat == 0 { "play Amsterdam/Alexandria, play Stockholm/Saint Petersburg, draw" } else { "draw" };
        assert_eq!(game.legal(), list(legal));
    }
    // Two free cities of Western Europe are no set.
    let game = Match::of(
        QUIET,
        with(
            &tables(&[("", ""), (WESTERN_EUROPE, "western_europe"), ("", "")]),
            json!({"hands": lists(&[hand, "", ""])}),
        ),
    );
    game.assert_refuses("set Amsterdam/Alexandria", "three cities of Western Europe are needed (CONN-6)");
    let twice = json!({"laid": [["London/Baghdad"], ["London/Vancouver"], []]});
    assert_impossible(with(&europe(), twice), "laid: London has a token already (CONN-4)");
}

#[test]
fn conn_4_in_the_next_round_all_is_free_again() {
    let parts = with(&ends(), json!({"hands": lists(&["Vienna", "", ""]), "pile": ["Dakar"]}));
    let next = Match::of(QUIET, with(&europe(), parts)).after("draw; discard Dakar");
    assert_eq!((next.view(None)["round"].clone(), next.token("Paris")), (json!(2), json!(null)));
    assert_eq!((next.all_cards().len(), next.laid(0).len(), next.the("sets")), (55, 0, json!([[], [], []])));
}

#[test]
fn conn_4_a_player_without_tokens_cannot_play_cards() {
    let one = with_tokens_left(1, "Boston/Nairobi, Chicago");
    assert_eq!(one.legal(), ["play Boston/Nairobi", "draw"]);
    let none = one.after("play Boston");
    assert_eq!(none.view(None)["hands"][0]["tokens"], 0);
    let none = with_tokens_left(0, "Boston/Nairobi, Gibraltar");
    assert_eq!(none.legal(), ["draw"]);
    for action in ["play Boston/Nairobi", "play Gibraltar", "set Boston/Nairobi"] {
        none.assert_refuses(action, "seat 0 has no token left (CONN-4)");
    }
    assert_eq!(with_tokens_left(1, "Gibraltar").legal(), ["play Gibraltar", "draw"]);
    let thirteen = json!({"laid": [list(&format!("{TWELVE}, Toronto/Tokyo")), [], []]});
    assert_impossible(with(&europe(), thirteen), "laid: seat 0 has 12 tokens (CONN-4)");
}

#[test]
fn conn_4_a_set_takes_three_tokens() {
    let hand = "Havana/Los Angeles, Kingston/Toronto, San Juan";
    let three = with_tokens_left(3, hand);
    three.assert_allows("set Havana/Los Angeles, set Kingston/Toronto, set San Juan/São Paulo, draw");
    assert_eq!(three.after("set San Juan; set Havana/Los Angeles; set Kingston/Toronto").laid(0).len(), 12);
    let two = with_tokens_left(2, hand);
    two.assert_refuses("set San Juan/São Paulo", "a set takes three tokens, seat 0 has 2 (CONN-4)");
    with_tokens_left(1, hand)
        .assert_refuses("set San Juan/São Paulo", "a set takes three tokens, seat 0 has 1 (CONN-4)");
    with_tokens_left(0, hand).assert_refuses("set San Juan/São Paulo", "seat 0 has no token left (CONN-4)");
}

#[test]
fn conn_5_an_exchange_is_a_card_drawn_and_one_discarded() {
    let game = Match::of(QUIET, with(&holding(&["Chicago, Miami", "", ""]), json!({"discard": ["Cairo"]})));
    assert_eq!(game.legal(), ["draw", "take"]);
    let drawn = game.after("draw");
    assert_eq!((drawn.moment(), drawn.hand(0).len(), drawn.cards("pile").len()), ("discard 0".to_owned(), 3, 1));
    assert_eq!(drawn.legal(), drawn.hand(0).iter().map(|card| format!("discard {card}")).collect::<Vec<_>>());
    let next = drawn.after("discard Miami");
    assert_eq!(
        (next.moment(), next.hand(0).len(), next.cards("discard")),
        ("play 1".to_owned(), 2, list("Cairo, Miami"))
    );
    assert_eq!(next.numbers("turns"), [1, 0, 0]);
    // The card that was drawn may be discarded, too.
    let card = drawn.hand(0).into_iter().find(|card| !["Chicago", "Miami"].contains(&&**card)).unwrap();
    assert_eq!(drawn.after(&format!("discard {card}")).hand(0), list("Chicago, Miami"));
    // Even without another.
    let alone = Match::of(QUIET, holding(&["", "", ""])).after("draw");
    assert_eq!((alone.legal().len(), alone.hand(0).len()), (1, 1));
    drawn.assert_refuses("discard Vienna", "seat 0 does not hold Vienna");
    drawn.assert_refuses("discard Cairo", "seat 0 does not hold Cairo");
    for action in ["draw", "take", "pass", "play Vienna", "set Berlin", "no", "join", "offer Chicago to +1"] {
        drawn.assert_refuses(action, "a card is discarded now (CONN-5)");
    }
}

#[test]
fn conn_5_every_card_of_the_pile_can_be_drawn() {
    let game = Match::of(QUIET, holding(&["Chicago", "", ""]));
    let drawn: BTreeSet<Vec<String>> = (0..20).map(|seed| game.with_seed(seed).after("draw").hand(0)).collect();
    assert_eq!(drawn, ["Chicago, Dakar", "Chicago, Honolulu"].map(list).into());
    assert!(game.after("draw").cards("known").is_empty());
    let view = game.after("draw").view(Some(1));
    assert_eq!(
        (&view["hands"][0]["held"], &view["hands"][0]["cards"], &view["chosen"]["taken"]),
        (&json!([]), &json!(2), &json!(null))
    );
}

#[test]
fn conn_5_a_card_just_taken_from_the_discard_pile_is_not_discarded_at_once() {
    let hands = holding(&["Chicago, Miami", "Lahore", "Istanbul"]);
    let game = Match::of(QUIET, with(&hands, json!({"discard": ["Cairo", "Vienna"]})));
    let taken = game.after("take");
    assert_eq!((taken.hand(0), taken.cards("discard")), (list("Chicago, Miami, Vienna"), list("Cairo")));
    assert_eq!((taken.legal(), taken.cards("known")), (list("discard Chicago, discard Miami"), list("Vienna")));
    taken.assert_refuses("discard Vienna", "a card just taken from the discard pile is not discarded at once (CONN-5)");
    taken.assert_refuses("discard Cairo", "seat 0 does not hold Cairo");
    assert_eq!(taken.view(Some(1))["chosen"]["taken"], "Vienna");
    // In a later turn it may be discarded.
    let later = taken.after("discard Chicago; draw; discard Lahore; draw; discard Istanbul; draw");
    later.assert_allows("discard Vienna, discard Miami");
}

#[test]
fn conn_5_only_cards_that_are_there_can_be_drawn_or_taken() {
    let piles = |hand: &str, pile: &str, discard: &str| {
        let parts = json!({"hands": lists(&[hand, "", ""]), "pile": list(pile), "discard": list(discard)});
        Match::of(QUIET, with(&holding(&["", "", ""]), parts))
    };
    piles("Chicago", "Dakar", "").assert_refuses("take", "the discard pile is empty (CONN-5)");
    piles("Chicago", "", "Dakar").assert_refuses("draw", "the draw pile is empty (CONN-5)");
    assert_eq!(piles("Chicago", "", "Dakar").legal(), ["take"]);
    // A player without cards would have to discard the card just taken.
    let empty = piles("", "Miami", "Dakar");
    assert_eq!(empty.legal(), ["draw"]);
    empty.assert_refuses("take", "there would be no other card to discard (CONN-5)");
    empty.assert_refuses("discard Miami", "a card is drawn first (CONN-5)");
}

#[test]
fn conn_6_a_set_is_three_cities_of_one_region() {
    let game = Match::of(QUIET, holding(&["Berlin, Amsterdam, Stockholm, Chicago", "", ""]));
    let legal = "set Berlin/Addis Ababa, set Amsterdam/Alexandria, set Stockholm/Saint Petersburg, draw";
    assert_eq!(game.legal(), list(legal));
    game.assert_refuses("set Alexandria/Amsterdam", "three cities of Mediterranea are needed (CONN-6)");
    game.assert_refuses("set Paris/Bangkok", "seat 0 does not hold Paris/Bangkok");
    let two = Match::of(QUIET, holding(&["Berlin, Amsterdam, Chicago", "", ""]));
    assert_eq!(two.legal(), ["draw"]);
    two.assert_refuses("set Berlin/Addis Ababa", "three cities of Western Europe are needed (CONN-6)");
    let four = Match::of(QUIET, holding(&["Berlin, Amsterdam, Stockholm, Paris/Bangkok", "", ""]));
    assert_eq!(four.after("set Berlin; set Stockholm").legal(), ["set Amsterdam/Alexandria", "set Paris/Bangkok"]);
    assert_eq!(four.after("set Berlin; set Stockholm; set Amsterdam").hand(0), list("Paris/Bangkok"));
}

#[test]
fn conn_6_the_cities_are_named_one_after_the_other() {
    let game = Match::of(QUIET, holding(&["Berlin, Amsterdam, Stockholm, Warsaw/Nairobi", "", ""]));
    let begun = game.after("set Stockholm");
    assert_eq!((begun.moment(), begun.hand(0).len(), begun.laid(0).len()), ("set 0".to_owned(), 4, 0));
    assert_eq!(begun.legal(), ["set Berlin/Addis Ababa", "set Amsterdam/Alexandria"]);
    assert_eq!(
        (begun.cards("chosen"), begun.cards("known")),
        (list("Stockholm/Saint Petersburg"), list("Stockholm/Saint Petersburg"))
    );
    assert_eq!(begun.view(Some(1))["chosen"]["cities"], json!(["Stockholm/Saint Petersburg"]));
    for action in [
        "set Stockholm/Saint Petersburg",
        "set Saint Petersburg/Stockholm",
        "set Warsaw/Nairobi",
        "set Nairobi/Warsaw",
        "draw",
        "take",
        "pass",
        "no",
        "play Berlin",
        "invite Chicago +1",
        "discard Berlin",
    ] {
        begun.assert_refuses(action, "the set needs another city of Western Europe (CONN-6)");
    }
    begun.assert_refuses("set Paris/Bangkok", "seat 0 does not hold Paris/Bangkok");
    let second = begun.after("set Berlin");
    assert_eq!((second.legal(), second.laid(0).len()), (list("set Amsterdam/Alexandria"), 0));
    second.assert_refuses("set Berlin/Addis Ababa", "the set needs another city of Western Europe (CONN-6)");
    let laid = second.after("set Amsterdam");
    assert_eq!(laid.laid(0), list("Stockholm/Saint Petersburg, Berlin/Addis Ababa, Amsterdam/Alexandria"));
    assert_eq!((laid.hand(0), laid.the("sets")[0].clone()), (list("Nairobi/Warsaw"), json!(["western_europe"])));
    assert_eq!((laid.moment(), laid.cards("known").len()), ("draw 0".to_owned(), 0));
}

#[test]
fn conn_6_then_a_card_is_drawn_from_either_pile() {
    let game =
        Match::of(QUIET, with(&holding(&["Berlin, Amsterdam, Stockholm", "", ""]), json!({"discard": ["Cairo"]})));
    let laid = game.after("set Berlin; set Amsterdam; set Stockholm");
    assert_eq!(laid.legal(), ["draw", "take"]);
    for action in ["pass", "no", "discard Cairo", "play Vienna", "set Berlin", "invite Chicago +1"] {
        laid.assert_refuses(action, "a card is drawn now: draw or take (CONN-6)");
    }
    let drawn = laid.after("draw");
    assert_eq!((drawn.moment(), drawn.hand(0).len()), ("play 1".to_owned(), 1));
    assert!(drawn.cards("known").is_empty());
    // The top of the discard pile even by a player without cards: nothing is discarded.
    let taken = laid.after("take");
    assert_eq!(
        (taken.moment(), taken.hand(0), taken.cards("known")),
        ("play 1".to_owned(), list("Cairo"), list("Cairo"))
    );
    assert_eq!(taken.numbers("turns"), [1, 0, 0]);
}

#[test]
fn conn_6_if_there_is_nothing_to_draw_nothing_is_drawn() {
    let draws = |pile: &str, discard: &str| {
        let parts = json!({"pile": list(pile), "discard": list(discard)});
        let game = Match::of(QUIET, with(&holding(&["Berlin, Amsterdam, Stockholm", "Vienna", ""]), parts));
        game.after("set Berlin; set Amsterdam; set Stockholm")
    };
    let [pile, discard, none] = [draws("Dakar", ""), draws("", "Dakar"), draws("", "")];
    assert_eq!((pile.legal(), discard.legal()), (list("draw"), list("take")));
    pile.assert_refuses("take", "the discard pile is empty (CONN-5)");
    discard.assert_refuses("draw", "the draw pile is empty (CONN-5)");
    assert_eq!((none.moment(), none.hand(0).len(), none.numbers("turns")), ("play 1".to_owned(), 0, vec![1, 0, 0]));
}

#[test]
fn conn_6_a_player_may_have_several_sets_of_different_regions() {
    let hands = lists(&["Amsterdam, Stockholm, Vancouver, Warsaw/Nairobi, Moscow/Mumbai, Kyiv", "", ""]);
    let one = Match::of(QUIET, with(&europe(), json!({"hands": hands})));
    one.assert_refuses("set Amsterdam/Alexandria", "seat 0 has a set of Western Europe already (CONN-6)");
    let legal = "set Warsaw/Nairobi, set Kyiv/Tunis, set Saint Petersburg/Stockholm, set Moscow/Mumbai, \
        play Amsterdam/Alexandria, play Stockholm/Saint Petersburg, draw";
    assert_eq!(one.legal(), list(legal));
    let two = one.after("set Kyiv; set Moscow/Mumbai; set Warsaw/Nairobi");
    assert_eq!(two.the("sets")[0], json!(["western_europe", "eastern_europe"]));
}

#[test]
fn conn_6_two_cards_of_one_city_count_once() {
    let game = Match::of(QUIET, holding(&["Paris/Bangkok, Paris/Buenos Aires, Berlin", "", ""]));
    assert_eq!(game.legal(), ["draw"]);
    game.assert_refuses("set Paris/Bangkok", "three cities of Western Europe are needed (CONN-6)");
    let game = Match::of(QUIET, holding(&["Paris/Bangkok, Paris/Buenos Aires, Berlin, Amsterdam", "", ""]));
    let begun = game.after("set Paris/Bangkok");
    assert_eq!(begun.legal(), ["set Berlin/Addis Ababa", "set Amsterdam/Alexandria"]);
    begun.assert_refuses("set Paris/Buenos Aires", "the set needs another city of Western Europe (CONN-6)");
    assert_eq!(
        game.after("set Berlin").legal(),
        ["set Paris/Buenos Aires", "set Amsterdam/Alexandria", "set Paris/Bangkok"]
    );
    assert_eq!(game.after("set Berlin; set Paris/Buenos Aires").legal(), ["set Amsterdam/Alexandria"]);
}

/// Cards of the woods that show one region on both sides: a card is one city of a set.
#[test]
fn conn_6_a_set_is_of_three_cards() {
    let at = |hand: &str| {
        let position = json!({"hands": lists(&[hand, "", ""]), "pile": ["Union"]});
        Match::of(&with(&in_the_woods(3), json!({"deck": woods(63), "trading": false})).to_string(), position)
    };
    assert_eq!(at("Ash/Beech, Cedar/Elm").legal(), ["draw"]);
    at("Ash/Beech, Cedar/Elm").assert_refuses("set Ash/Beech", "three cities of Wood are needed (CONN-6)");
    let three = at("Ash/Beech, Cedar/Elm, Fir/Moor");
    assert_eq!(
        three.legal(),
        ["set Fir/Moor", "set Ash/Beech", "set Beech/Ash", "set Cedar/Elm", "set Elm/Cedar", "draw"]
    );
    assert_eq!(three.after("set Beech/Ash").legal().len(), 3);
    assert_eq!(three.after("set Beech/Ash; set Cedar/Elm").legal(), ["set Fir/Moor"]);
    three.after("set Beech/Ash").assert_refuses("set Ash/Beech", "the set needs another city of Wood (CONN-6)");
    // Beech is on two of the cards: only with Ash for the first and Elm for the second there are three cities.
    let tight = at("Ash/Beech, Ash/Elm, Beech/Howe");
    assert_eq!(tight.legal(), ["set Beech/Howe", "set Ash/Beech", "set Elm/Ash", "draw"]);
    tight.assert_refuses("set Beech/Ash", "three cities of Wood are needed (CONN-6)");
    tight.assert_refuses("set Ash/Elm", "three cities of Wood are needed (CONN-6)");
    assert_eq!(tight.after("set Beech/Howe").legal(), ["set Ash/Beech", "set Elm/Ash"]);
    tight.after("set Beech/Howe").assert_refuses("set Ash/Elm", "the set needs another city of Wood (CONN-6)");
    assert_eq!(
        tight.after("set Beech/Howe; set Elm/Ash; set Ash/Beech").laid(0),
        list("Beech/Howe, Elm/Ash, Ash/Beech")
    );
}

#[test]
fn conn_6_only_a_set_that_can_be_completed_is_begun() {
    for options in all_options() {
        Match::seeded(&options, 20).wander(|game, _| {
            if game.phase() == "play" {
                let sets = game.legal().into_iter().filter(|action| action.starts_with("set "));
                for (begun, action) in sets.map(|action| (game.after(&action), action)) {
                    let seconds = begun.legal();
                    assert!(
                        !seconds.is_empty() && seconds.iter().all(|second| !begun.after(second).legal().is_empty()),
                        "{action}"
                    );
                }
            }
        });
    }
}

#[test]
fn conn_6_a_position_has_sets_of_three_cities() {
    let message = "a set of fewer than three cities (CONN-6)";
    assert_impossible(with(&europe(), json!({"sets": [["western_europe", "africa"], [], []]})), message);
    assert_impossible(with(&europe(), json!({"sets": [[], ["western_europe"], []]})), message);
    assert_impossible(with(&europe(), json!({"sets": [["atlantis"], [], []]})), "no region \"atlantis\"");
    assert_impossible(with(&europe(), json!({"sets": [["western_europe"]]})), "sets: 1 lists for 3 players");
    assert_eq!(
        Match::at(with(&europe(), json!({"sets": [["Western Europe"], [], []]}))).the("sets")[0],
        json!(["western_europe"])
    );
    let set = |hand: &str, chosen: &str, known: &str| {
        with(&holding(&[hand, "", ""]), json!({"phase": "set", "chosen": list(chosen), "known": list(known)}))
    };
    Match::at(set("Berlin, Amsterdam, Stockholm", "Berlin", "Berlin"));
    let message = "a decision that nobody could have to take";
    assert_impossible(set("Berlin, Amsterdam, Chicago", "Berlin", "Berlin"), message);
    assert_impossible(set("Berlin, Amsterdam, Stockholm", "Berlin", ""), message);
    assert_impossible(set("Berlin, Amsterdam, Stockholm", "Paris/Bangkok", ""), message);
    assert_impossible(set("Berlin, Amsterdam, Stockholm", "", ""), "phase \"set\": one or two cities are chosen");
    assert_impossible(
        with(&holding(&["Berlin", "", ""]), json!({"chosen": ["Berlin"]})),
        "phase \"play\" has no chosen",
    );
}

#[test]
fn conn_7_a_link_is_added_to_an_own_set_of_one_of_its_regions() {
    let game =
        Match::of(QUIET, with(&europe(), json!({"hands": lists(&["Vienna, Gibraltar, Reykjavik, Chicago", "", ""])})));
    assert_eq!(game.legal(), ["play Gibraltar", "play Reykjavik", "play Vienna", "draw"]);
    game.assert_refuses(
        "play Chicago",
        "Chicago needs an own set of Pacific North America or Atlantic North America (CONN-7)",
    );
    game.assert_refuses("play Cairo", "seat 0 does not hold Cairo");
    let played = game.after("play Gibraltar");
    assert_eq!(
        (played.moment(), played.bond("gibraltar"), played.token("Gibraltar")),
        ("draw 0".to_owned(), json!([0, null, null]), json!(0))
    );
    assert_eq!(played.laid(0).last().unwrap(), "Gibraltar");
    let next = played.after("draw");
    assert_eq!((next.moment(), next.hand(0).len()), ("play 1".to_owned(), 4));
}

#[test]
fn conn_7_a_link_without_a_set_cannot_be_played() {
    let three = "Gibraltar needs an own set of Africa, Mediterranea or Western Europe (CONN-7)";
    let game = |table: &Value, hand: &str| Match::of(QUIET, with(table, json!({"hands": lists(&[hand, "", ""])})));
    game(&holding(&["", "", ""]), "Gibraltar").assert_refuses("play Gibraltar", three);
    // Another player's set does not help, nor does a partnership.
    let theirs = tables(&[("", ""), (WESTERN_EUROPE, "western_europe"), ("", "")]);
    game(&theirs, "Gibraltar").assert_refuses("play Gibraltar", three);
    let partner = with(
        &tables(&[("Amsterdam", ""), (&format!("{WESTERN_EUROPE}, Vienna"), "western_europe"), ("", "")]),
        json!({"links": [{"city": "Vienna", "partner": 0}]}),
    );
    game(&partner, "Gibraltar").assert_refuses("play Gibraltar", three);
    // Three singles are no set.
    let singles = format!("{ATLANTIC}, Chicago, Seattle, Vancouver, Phoenix");
    let singles = tables(&[(&singles, "atlantic_north_america"), ("", ""), ("", "")]);
    game(&singles, "Panama City").assert_refuses(
        "play Panama City",
        "Panama City needs an own set of Pacific North America, Caribbea or South America (CONN-7)",
    );
    assert_impossible(
        tables(&[("Vienna", ""), (WESTERN_EUROPE, "western_europe"), ("", "")]),
        "a link without a set (CONN-7)",
    );
    assert_impossible(with(&europe(), json!({"links": [{"city": "Vienna"}]})), "links: Vienna is not on the table");
    assert_impossible(with(&europe(), json!({"links": [{"city": "Paris"}]})), "no linking city \"Paris\"");
}

#[test]
fn conn_7_a_set_may_have_several_links_and_a_link_several_sets() {
    let game =
        Match::of(QUIET, with(&vienna(), json!({"hands": lists(&["Reykjavik", "", ""])}))).after("play Reykjavik");
    assert_eq!((game.bond("vienna"), game.bond("reykjavik")), (json!([0, null, null]), json!([0, null, null])));
    let both = format!("{WESTERN_EUROPE}, {EASTERN_EUROPE}");
    let table = tables(&[(&both, "western_europe, eastern_europe"), ("", ""), ("", "")]);
    let game = Match::of(QUIET, with(&table, json!({"hands": lists(&["Vienna, Istanbul", "", ""])})));
    assert_eq!(game.legal(), ["play Istanbul", "play Vienna", "draw"]);
    // Seven cards around Vienna.
    assert_eq!(game.after("play Vienna").scores()[0], 60);
}

#[test]
fn conn_7_it_is_the_play_of_a_turn() {
    let hands = lists(&["Vienna, Moscow/Mumbai, Stockholm", "", ""]);
    let game = Match::of(QUIET, with(&europe(), json!({"hands": hands})));
    assert_eq!(game.legal(), ["play Stockholm/Saint Petersburg", "play Vienna", "draw"]);
    let played = game.after("play Vienna");
    assert_eq!(played.legal(), ["draw"]);
    played.assert_refuses("play Moscow/Mumbai", "a card is drawn now: draw or take (CONN-6)");
}

#[test]
fn conn_8_a_city_is_added_to_an_own_set_of_its_region() {
    let game =
        Match::of(QUIET, with(&europe(), json!({"hands": lists(&["Stockholm, Amsterdam, Moscow/Mumbai", "", ""])})));
    assert_eq!(game.legal(), ["play Amsterdam/Alexandria", "play Stockholm/Saint Petersburg", "draw"]);
    let message = "Moscow needs an own set of Eastern Europe, or a link that shows it (CONN-8)";
    game.assert_refuses("play Moscow/Mumbai", message);
    game.assert_refuses("play Saint Petersburg/Stockholm", &message.replace("Moscow", "Saint Petersburg"));
    let four = game.after("play Amsterdam");
    assert_eq!((four.moment(), four.scores()[0]), ("draw 0".to_owned(), 8));
    let table = tables(&[(&format!("{WESTERN_EUROPE}, Amsterdam"), "western_europe"), ("", ""), ("", "")]);
    let five = Match::of(QUIET, with(&table, json!({"hands": lists(&["Stockholm", "", ""])}))).after("play Stockholm");
    assert_eq!(five.scores()[0], 15);
}

#[test]
fn conn_8_one_city_a_turn_of_any_region_of_an_own_link() {
    let laid = format!("{WESTERN_EUROPE}, Gibraltar");
    let table = tables(&[(&laid, "western_europe"), ("", ""), ("", "")]);
    let hand = "Amsterdam, Athens/Tokyo, Nairobi/Boston, Moscow/Mumbai, Lima";
    let game = Match::of(QUIET, with(&table, json!({"hands": lists(&[hand, "", ""])})));
    let legal = "play Nairobi/Boston, play Johannesburg/Lima, play Alexandria/Amsterdam, play Amsterdam/Alexandria, \
        play Athens/Tokyo, invite Gibraltar +1, invite Gibraltar +2, draw";
    assert_eq!(game.legal(), list(legal));
    for (action, city, region) in
        [("play Moscow/Mumbai", "Moscow", "Eastern Europe"), ("play Lima/Johannesburg", "Lima", "South America")]
    {
        game.assert_refuses(action, &format!("{city} needs an own set of {region}, or a link that shows it (CONN-8)"));
    }
    let next = game.after("play Athens/Tokyo");
    assert_eq!((next.legal(), next.after("draw").moment()), (list("draw"), "play 1".to_owned()));
}

#[test]
fn conn_8_others_sets_and_links_do_not_help() {
    let table = tables(&[("", ""), (&format!("{WESTERN_EUROPE}, Vienna"), "western_europe"), ("", "")]);
    let game = Match::of(QUIET, with(&table, json!({"hands": lists(&["Amsterdam, Moscow/Mumbai", "", ""])})));
    assert_eq!(game.legal(), ["draw"]);
    game.assert_refuses(
        "play Moscow/Mumbai",
        "Moscow needs an own set of Eastern Europe, or a link that shows it (CONN-8)",
    );
    // A single on a link's region is no way into another link's regions.
    let laid = format!("{WESTERN_EUROPE}, Vienna, Moscow/Mumbai");
    let table = tables(&[(&laid, "western_europe"), ("", ""), ("", "")]);
    let game = Match::of(QUIET, with(&table, json!({"hands": lists(&["Istanbul, Tunis", "", ""])})));
    assert_eq!(game.legal(), ["play Kyiv/Tunis", "invite Vienna +1", "invite Vienna +2", "draw"]);
    assert_impossible(tables(&[("Moscow/Mumbai", ""), ("", ""), ("", "")]), "a single that nothing allows (CONN-8)");
    let message = "a single that nothing allows (CONN-8)";
    assert_impossible(tables(&[(WESTERN_EUROPE, ""), ("", ""), ("", "")]), message);
    assert_impossible(
        tables(&[(&format!("{WESTERN_EUROPE}, Moscow/Mumbai"), "western_europe"), ("", ""), ("", "")]),
        message,
    );
}

#[test]
fn conn_8_singles_of_a_region_can_grow_into_a_set_of_it() {
    let laid = format!("{WESTERN_EUROPE}, Vienna, Moscow/Mumbai");
    let table = tables(&[(&laid, "western_europe"), ("", ""), ("", "")]);
    let game =
        Match::of(QUIET, with(&table, json!({"hands": lists(&["Warsaw/Nairobi, Kyiv, Budapest, Istanbul", "", ""])})));
    let set = game.after("set Budapest; set Warsaw/Nairobi; set Kyiv");
    assert_eq!((set.the("sets")[0].clone(), set.scores()[0]), (json!(["western_europe", "eastern_europe"]), 125));
}

#[test]
fn conn_9_who_can_do_nothing_passes() {
    let parts = json!({"pile": [], "discard": []});
    let stuck = Match::of(QUIET, with(&holding(&["Chicago, Lima", "Miami", ""]), parts));
    assert_eq!(stuck.legal(), ["pass"]);
    let next = stuck.after("pass");
    assert_eq!((next.moment(), next.hand(0)), ("play 1".to_owned(), stuck.hand(0)));
    assert_eq!(next.numbers("turns"), [1, 0, 0]);
    // Without a card the top of the discard pile is of no use.
    let empty = Match::of(QUIET, with(&holding(&["", "Miami", ""]), json!({"pile": [], "discard": ["Cairo"]})));
    assert_eq!((empty.legal(), empty.after("pass").legal()), (list("pass"), list("take")));
}

#[test]
fn conn_9_nobody_passes_who_can_do_something() {
    let passes = |table: &Value, hand: &str, pile: &str, discard: &str| {
        let parts = json!({"hands": lists(&[hand, "", ""]), "pile": list(pile), "discard": list(discard)});
        Match::of(QUIET, with(table, parts))
    };
    let empty = holding(&["", "", ""]);
    for game in [
        passes(&empty, "", "Dakar", ""),
        passes(&empty, "Chicago", "", "Dakar"),
        passes(&empty, "Berlin, Amsterdam, Stockholm", "", ""),
        passes(&europe(), "Vienna", "", ""),
        passes(&europe(), "Stockholm", "", ""),
    ] {
        game.assert_refuses("pass", "there is something to do (CONN-9)");
    }
    // An invitation is no play.
    let game = passes(&vienna(), "Chicago", "", "");
    assert_eq!(game.legal(), ["invite Vienna +1", "invite Vienna +2", "pass"]);
    assert_eq!(game.after("invite Vienna +1; no").legal(), ["pass"]);
}

#[test]
fn conn_9_a_player_may_exchange_when_able_to_play() {
    let game = Match::of(QUIET, with(&europe(), json!({"hands": lists(&["Vienna, Stockholm", "", ""])})));
    let next = game.after("draw; discard Vienna");
    assert_eq!((next.moment(), next.cards("discard")), ("play 1".to_owned(), list("Vienna")));
}

// Partnerships

/// Seat 0 has Vienna on the table and is in turn.
fn host(cards: &[&str], parts: Value) -> Match {
    Match::of(QUIET, with(&with(&vienna(), json!({"hands": lists(cards)})), parts))
}

#[test]
fn conn_10_a_player_invites_another_to_an_own_link() {
    let game = host(&["Chicago", "Moscow/Mumbai", "Cairo"], json!({}));
    assert_eq!(game.legal(), ["invite Vienna +1", "invite Vienna +2", "draw"]);
    for (to, action) in [(1, "invite Vienna +1"), (2, "invite Vienna +2")] {
        let invited = game.after(action);
        assert_eq!((invited.moment(), invited.turn(), invited.legal()), (format!("invited {to}"), 0, list("join, no")));
        let chosen = invited.view(Some(1))["chosen"].clone();
        assert_eq!(
            (&chosen["link"], &chosen["to"], &chosen["may_invite"]),
            (&json!("vienna"), &json!(to), &json!(false))
        );
        for action in ["draw", "take", "pass", "play Stockholm", "invite Vienna +1", "accept", "discard Chicago"] {
            invited.assert_refuses(action, &format!("seat {to} is invited: join or no (CONN-10)"));
        }
        assert_eq!(invited.after("join").bond("vienna"), json!([0, null, to]));
        assert_eq!(invited.after("no").bond("vienna"), json!([0, null, null]));
    }
    assert_eq!(host(&["Chicago", "", ""], json!({})).view(Some(1))["chosen"]["may_invite"], true);
    game.assert_refuses_naming("join", &["CONN-10"]);
}

#[test]
fn conn_10_before_the_turns_play() {
    let game = host(&["Chicago, Stockholm", "Moscow/Mumbai", "Cairo"], json!({}));
    for answer in ["join", "no"] {
        let answered = game.after(&format!("invite Vienna +1; {answer}"));
        assert_eq!(answered.moment(), "play 0");
        assert_eq!(answered.legal(), ["play Stockholm/Saint Petersburg", "play Saint Petersburg/Stockholm", "draw"]);
        assert_eq!(answered.numbers("turns"), [0, 0, 0]);
    }
    for played in ["play Stockholm/Saint Petersburg", "draw"] {
        assert!(!game.after(played).legal().iter().any(|action| action.starts_with("invite")));
    }
    game.after("draw").assert_refuses("invite Vienna +1", "a card is discarded now (CONN-5)");
    game.after("play Stockholm").assert_refuses("invite Vienna +1", "a card is drawn now: draw or take (CONN-6)");
}

#[test]
fn conn_10_one_invitation_a_turn() {
    let table = format!("{WESTERN_EUROPE}, Vienna, Gibraltar");
    let table = tables(&[(&table, "western_europe"), ("", ""), ("", "")]);
    let hands = json!({"hands": lists(&["Chicago", "Lahore", "Cairo"])});
    let game = Match::of(QUIET, with(&table, hands));
    assert_eq!(
        game.legal(),
        list("invite Gibraltar +1, invite Gibraltar +2, invite Vienna +1, invite Vienna +2, draw")
    );
    for answer in ["join", "no"] {
        let answered = game.after(&format!("invite Vienna +1; {answer}"));
        assert_eq!(answered.legal(), ["draw"]);
        answered.assert_refuses("invite Gibraltar +2", "one invitation a turn (CONN-10)");
    }
    game.after("invite Vienna +1; no").assert_refuses("invite Vienna +2", "one invitation a turn (CONN-10)");
    // In the next turn again.
    let next = game.after("invite Vienna +1; no; draw; discard Chicago; draw; discard Lahore; draw; discard Cairo");
    assert_eq!(next.moment(), "play 0");
    next.assert_allows("invite Vienna +1, invite Vienna +2, invite Gibraltar +1");
}

#[test]
fn conn_10_only_to_an_own_link_without_partner_or_open_invitation() {
    let refuse = |game: &Match, link: &str, reason: &str| game.assert_refuses(&format!("invite {link} +1"), reason);
    let game = host(&["Gibraltar", "", ""], json!({}));
    refuse(&game, "Gibraltar", "seat 0 has not played Gibraltar (CONN-10)");
    refuse(&game, "Chicago", "seat 0 has not played Chicago (CONN-10)");
    let turn = host(&["", "", ""], json!({"turn": 1}));
    refuse(&turn, "Vienna", "seat 1 has not played Vienna (CONN-10)");
    let open = host(&["", "", ""], json!({"links": [{"city": "Vienna", "invited": 2}]}));
    refuse(&open, "Vienna", "Vienna has an open invitation (CONN-10)");
    assert_eq!(open.legal(), ["draw"]);
    let joined = game.after("invite Vienna +1; join");
    refuse(&joined, "Vienna", "Vienna has an open invitation (CONN-10)");
}

#[test]
fn conn_10_without_partnerships_nobody_is_invited() {
    let game = Match::of(ALONE, vienna());
    assert_eq!((game.legal(), game.view(None)["chosen"]["may_invite"].clone()), (list("draw"), json!(false)));
    game.assert_refuses("invite Vienna +1", "partnerships are off (CONN-10)");
    let options = with(&in_the_woods(3), json!({"partnerships": false}));
    let mut links = 0;
    for seed in 0..3 {
        Match::seeded(&options.to_string(), seed).wander(|game, action| {
            assert!(!action.is_some_and(|action| action.starts_with("invite")));
            links += game.view(None)["links"].as_array().unwrap().len();
        });
    }
    assert!(links > 0);
    let partner = with(&vienna(), json!({"links": [{"city": "Vienna", "invited": 1}]}));
    let message = table::position_refusal::<Connections>(ALONE, partner);
    assert_names(&message, &["a partner who cannot be one (CONN-10, CONN-11)"]);
}

#[test]
fn conn_10_who_has_no_turn_to_come_joins_with_cities_on_the_table_only() {
    let laid = format!("{WESTERN_EUROPE}, Vienna");
    let table = |other: (&'static str, &'static str)| tables(&[("", ""), other, (&laid, "western_europe")]);
    let refuse = |game: &Match, seat: usize| {
        assert_eq!(game.legal(), ["no"]);
        game.assert_refuses("join", &format!("seat {seat} has no turn to come and no city there (CONN-10)"));
    };
    let last = |other: (&'static str, &'static str), turns: [u8; 3], last: [u8; 3]| {
        let parts = json!({"turn": 2, "turns": turns, "announced": 0, "last_turns": last});
        Match::of(QUIET, with(&table(other), parts))
    };
    // Seat 0 has announced the end; seat 1 has had both of its last turns.
    let game = last(("", ""), [6, 8, 7], [0, 2, 1]);
    refuse(&game.after("invite Vienna +1"), 0);
    refuse(&game.after("invite Vienna +2"), 1);
    let game = last((EASTERN_EUROPE, "eastern_europe"), [6, 8, 7], [0, 2, 1]);
    assert_eq!(game.after("invite Vienna +2; join").bond("vienna"), json!([2, 1, null]));
    // Seat 1 has another turn.
    let game = last(("", ""), [6, 7, 6], [0, 1, 0]);
    assert_eq!(game.after("invite Vienna +2; join").bond("vienna"), json!([2, null, 1]));
    refuse(&game.after("invite Vienna +1"), 0);
}

#[test]
fn conn_10_after_max_turns_no_turn_is_to_come() {
    let game = |most: u8| {
        let options = json!({"trading": false, "max_turns": most});
        let parts = json!({"history": [[0, 0, 0]], "turn": 0, "turns": [5, 6, 6]});
        Match::of(&options.to_string(), with(&vienna(), parts)).after("invite Vienna +1")
    };
    assert_eq!((game(6).legal(), game(7).legal()), (list("no"), list("join, no")));
    game(6).assert_refuses("join", "seat 1 has no turn to come and no city there (CONN-10)");
}

#[test]
fn conn_11_cities_already_played_join_at_once() {
    let laid = format!("{WESTERN_EUROPE}, Vienna");
    let partner = |others: (&str, &str), links: Value| {
        let table = tables(&[(&laid, "western_europe"), others, ("", "")]);
        Match::of(QUIET, with(&table, json!({"links": links}))).after("invite Vienna +1; join")
    };
    // A set, and a single around another link.
    let set = partner((EASTERN_EUROPE, "eastern_europe"), json!([]));
    assert_eq!(set.bond("vienna"), json!([0, 1, null]));
    // Seven cards: 60 points.
    assert_eq!(set.scores(), [30, 30, 0]);
    let single = partner((&format!("{ATLANTIC}, Reykjavik, Stockholm"), "atlantic_north_america"), json!([]));
    assert_eq!(single.bond("vienna"), json!([0, 1, null]));
    // A linking city is of none of the regions it joins.
    let link = partner((&format!("{ATLANTIC}, Reykjavik"), "atlantic_north_america"), json!([]));
    assert_eq!(link.bond("vienna"), json!([0, null, 1]));
    let elsewhere = partner((ATLANTIC, "atlantic_north_america"), json!([]));
    assert_eq!(elsewhere.bond("vienna"), json!([0, null, 1]));
}

/// Seat 1 has accepted an invitation to Vienna and is in turn.
fn guest(hand: &str) -> Match {
    let game = host(&["Chicago", hand, "Cairo"], json!({})).after("invite Vienna +1; join; draw; discard Chicago");
    assert_eq!((game.moment(), game.bond("vienna")), ("play 1".to_owned(), json!([0, null, 1])));
    game
}

#[test]
fn conn_11_else_a_single_in_the_next_turn_makes_the_partnership() {
    let game = guest("Stockholm, Moscow/Mumbai, Rome/Riyadh");
    let legal = "play Stockholm/Saint Petersburg, play Saint Petersburg/Stockholm, play Moscow/Mumbai, draw, take";
    assert_eq!(game.legal(), list(legal));
    for face in ["Stockholm/Saint Petersburg", "Saint Petersburg/Stockholm", "Moscow/Mumbai"] {
        let played = game.after(&format!("play {face}"));
        assert_eq!(played.bond("vienna"), json!([0, 1, null]));
        assert_eq!(played.after("draw").bond("vienna"), json!([0, 1, null]));
        // Five cards: 15 points. Seat 1 holds no pair.
        assert_eq!(played.scores()[..2], [8, 7]);
    }
    // In a third region, too.
    let laid = format!("{WESTERN_EUROPE}, Gibraltar");
    let parts =
        json!({"hands": lists(&["Chicago", "Lima", ""]), "links": [{"city": "Gibraltar", "invited": 1}], "turn": 1});
    let game = Match::of(QUIET, with(&tables(&[(&laid, "western_europe"), ("", ""), ("", "")]), parts));
    assert_eq!(game.legal(), ["play Johannesburg/Lima", "draw"]);
    assert_eq!(game.after("play Johannesburg").bond("gibraltar"), json!([0, 1, null]));
}

#[test]
fn conn_11_a_set_of_one_of_its_regions_does_as_well() {
    let game = guest("Moscow/Mumbai, Kyiv, Warsaw/Nairobi");
    let begun = game.after("set Kyiv; set Moscow/Mumbai");
    assert_eq!(begun.bond("vienna"), json!([0, null, 1]));
    assert_eq!(begun.after("set Warsaw/Nairobi").bond("vienna"), json!([0, 1, null]));
}

#[test]
fn conn_11_or_the_invitation_lapses() {
    let game = guest("Moscow/Mumbai, Lima");
    for exchange in ["draw; discard Lima", "take; discard Lima"] {
        let next = game.after(exchange);
        assert_eq!((next.bond("vienna"), next.moment()), (json!([0, null, null]), "play 2".to_owned()));
        // It is too late in the turn after that, and another invitation can be made.
        let later = next.after("draw; discard Cairo");
        later.assert_allows("invite Vienna +1, invite Vienna +2");
        let card = later.hand(0)[0].clone();
        let later = later.after(&format!("draw; discard {card}"));
        later.assert_refuses(
            "play Moscow/Mumbai",
            "Moscow needs an own set of Eastern Europe, or a link that shows it (CONN-8)",
        );
    }
    // A card played elsewhere does not help.
    let laid = format!("{WESTERN_EUROPE}, Vienna");
    let table = tables(&[(&laid, "western_europe"), ("Tehran/Havana, Riyadh/Rome, Dubai", "western_asia"), ("", "")]);
    let parts = json!({"hands": lists(&["", "Tashkent", ""]), "links": [{"city": "Vienna", "invited": 1}], "turn": 1});
    let game = Match::of(QUIET, with(&table, parts)).after("play Tashkent");
    assert_eq!((game.bond("vienna"), game.after("draw").bond("vienna")), (json!([0, null, 1]), json!([0, null, null])));
    // Nor does a turn in which nothing can be done.
    let parts =
        json!({"hands": lists(&["", "Lima", ""]), "links": [{"city": "Vienna", "invited": 1}], "turn": 1, "pile": []});
    assert_eq!(Match::of(QUIET, with(&table, parts)).after("pass").bond("vienna"), json!([0, null, null]));
}

#[test]
fn conn_11_it_is_open_until_the_end_of_the_next_turn() {
    let game = host(&["Chicago", "Lahore", "Moscow/Mumbai, Cairo"], json!({})).after("invite Vienna +2; join");
    let game = game.after("draw; discard Chicago; draw; discard Lahore");
    assert_eq!((game.moment(), game.bond("vienna")), ("play 2".to_owned(), json!([0, null, 2])));
    assert_eq!(game.after("draw").bond("vienna"), json!([0, null, 2]));
    assert_eq!(game.after("draw; discard Cairo").bond("vienna"), json!([0, null, null]));
    assert_eq!(game.after("play Moscow/Mumbai").bond("vienna"), json!([0, 2, null]));
    // Meanwhile it counts for nobody but the owner.
    assert_eq!(game.scores()[0], 8);
}

#[test]
fn conn_11_one_city_may_answer_several_invitations() {
    let table = tables(&[
        (&format!("{WESTERN_EUROPE}, Vienna"), "western_europe"),
        ("", ""),
        ("Tehran/Havana, Riyadh/Rome, Tashkent, Istanbul", "western_asia"),
    ]);
    let parts = json!({"hands": lists(&["", "Moscow/Mumbai, Amsterdam", ""]), "turn": 1,
        "links": [{"city": "Vienna", "invited": 1}, {"city": "Istanbul", "invited": 1}]});
    let game = Match::of(QUIET, with(&table, parts));
    let both = game.after("play Moscow/Mumbai");
    assert_eq!((both.bond("vienna"), both.bond("istanbul")), (json!([0, 1, null]), json!([2, 1, null])));
    // Western Europe is Vienna's only, Mediterranea Istanbul's.
    for (action, bonds) in [
        ("play Amsterdam/Alexandria; draw", [json!([0, 1, null]), json!([2, null, null])]),
        ("play Alexandria/Amsterdam; draw", [json!([0, null, null]), json!([2, 1, null])]),
    ] {
        let one = game.after(action);
        assert_eq!([one.bond("vienna"), one.bond("istanbul")], bonds);
    }
}

#[test]
fn conn_11_with_the_announcement_it_lapses_at_once() {
    let parts =
        json!({"turn": 1, "turns": [7, 6, 6], "phase": "announce", "links": [{"city": "Vienna", "invited": 1}]});
    let game = host(&["", "Moscow/Mumbai", ""], parts);
    let announced = game.after("announce");
    assert_eq!((announced.bond("vienna"), announced.moment()), (json!([0, null, null]), "play 2".to_owned()));
    assert_eq!(game.after("no").bond("vienna"), json!([0, null, 1]));
    assert_eq!(game.after("no; play Moscow/Mumbai").bond("vienna"), json!([0, 1, null]));
    // Another player's announcement changes nothing.
    let parts =
        json!({"turn": 0, "turns": [6, 6, 6], "phase": "announce", "links": [{"city": "Vienna", "invited": 1}]});
    let announced = host(&["", "Moscow/Mumbai", ""], parts).after("announce");
    assert_eq!((announced.bond("vienna"), announced.moment()), (json!([0, null, 1]), "play 1".to_owned()));
    announced.assert_allows("play Moscow/Mumbai");
}

#[test]
fn conn_11_a_position_has_partners_who_can_be_partners() {
    let laid = format!("{WESTERN_EUROPE}, Vienna");
    let table = tables(&[(&laid, "western_europe"), (EASTERN_EUROPE, "eastern_europe"), ("", "")]);
    let links = |link: Value| with(&table, json!({"links": [link]}));
    Match::at(links(json!({"city": "Vienna", "partner": 1})));
    Match::at(links(json!({"city": "Vienna", "invited": 2})));
    for link in [
        json!({"city": "Vienna", "partner": 2}),
        json!({"city": "Vienna", "partner": 0}),
        json!({"city": "Vienna", "invited": 0}),
        json!({"city": "Vienna", "invited": 1}),
        json!({"city": "Vienna", "partner": 1, "invited": 2}),
    ] {
        assert_impossible(links(link), "a partner who cannot be one (CONN-10, CONN-11)");
    }
    assert_impossible(links(json!({"city": "Vienna", "partner": 3})), "no seat 3: there are 3");
    let invited = |parts: Value| with(&with(&table, json!({"phase": "invited", "may_invite": false})), parts);
    Match::at(invited(json!({"link": "Vienna", "to": 1})));
    let nobody = "a decision that nobody could have to take";
    assert_impossible(invited(json!({"link": "Vienna", "to": 0})), nobody);
    assert_impossible(invited(json!({"link": "Vienna", "to": 1, "may_invite": true})), nobody);
    assert_impossible(invited(json!({"link": "Chicago", "to": 1})), nobody);
    assert_impossible(invited(json!({"link": "Vienna", "to": 1, "turn": 1})), nobody);
    assert_impossible(invited(json!({"link": "Vienna", "to": 2, "links": [{"city": "Vienna", "partner": 1}]})), nobody);
    assert_impossible(invited(json!({"link": "Vienna"})), "phase \"invited\": to is missing");
    assert_impossible(invited(json!({"to": 1})), "phase \"invited\": link is missing");
}

/// Seats 0 and 1 are partners around Vienna: seat 0 with three cities of Western Europe, seat 1 with Moscow.
fn partners(cards: &[&str], parts: Value) -> Match {
    let laid = format!("{WESTERN_EUROPE}, Vienna");
    let table = tables(&[(&laid, "western_europe"), ("Moscow/Mumbai", ""), ("", "")]);
    let links = json!({"hands": lists(cards), "links": [{"city": "Vienna", "partner": 1}]});
    Match::of(QUIET, with(&with(&table, links), parts))
}

#[test]
fn conn_12_a_link_makes_one_partnership() {
    let game = partners(&["Chicago", "", ""], json!({}));
    assert_eq!(game.legal(), ["draw"]);
    game.assert_refuses("invite Vienna +1", "Vienna has a partner already (CONN-12)");
    game.assert_refuses("invite Vienna +2", "Vienna has a partner already (CONN-12)");
    // Nor does the partner invite anybody.
    partners(&["", "", ""], json!({"turn": 1}))
        .assert_refuses("invite Vienna +1", "seat 1 has not played Vienna (CONN-10)");
}

#[test]
fn conn_12_a_players_cards_can_count_in_several_partnerships() {
    let laid = format!("{WESTERN_EUROPE}, Vienna, Reykjavik");
    let table = tables(&[(&laid, "western_europe"), ("Moscow/Mumbai, Stockholm", ""), ("Boston/Nairobi", "")]);
    let links = json!([{"city": "Vienna", "partner": 1}, {"city": "Reykjavik", "partner": 2}]);
    let game = Match::at(with(&table, json!({"links": links})));
    // Vienna: 3 + 2 + 1 = 6 cards. Reykjavik: 3 + 1 + 1 = 5.
    assert_eq!(
        game.parts(0),
        [
            "Vienna, with seat 1: 6 cards, 30 points, your half 15",
            "Reykjavik, with seat 2: 5 cards, 15 points, your half 8"
        ]
    );
    assert_eq!(game.scores(), [23, 15, 7]);
}

/// Four players, so many partnerships each, and these links. Seat 0 has Western Europe with Vienna, Reykjavik and
/// Gibraltar, seat 1 Eastern Europe, which Vienna shows, seat 2 Atlantic North America, which Reykjavik shows, and seat 3
/// Western Asia with Istanbul, which shows Eastern Europe.
fn sociable(each: u8, links: Value, parts: Value) -> Match {
    let (options, position) = sociable_texts(each, links, parts);
    Match::of(&options, position)
}

#[allow(clippy::needless_pass_by_value)]
fn sociable_texts(each: u8, links: Value, parts: Value) -> (String, Value) {
    let laid = format!("{WESTERN_EUROPE}, Vienna, Reykjavik, Gibraltar");
    let table = tables(&[
        (&laid, "western_europe"),
        (EASTERN_EUROPE, "eastern_europe"),
        (ATLANTIC, "atlantic_north_america"),
        ("Tehran/Havana, Riyadh/Rome, Tashkent, Istanbul", "western_asia"),
    ]);
    let options = json!({"players": 4, "trading": false, "partnerships_each": each}).to_string();
    (options, with(&with(&table, json!({"links": links, "turn": 0})), parts))
}

#[test]
fn conn_12_two_players_share_at_most_one_partnership() {
    let message = |one: usize, other: usize| {
        format!("seats {one} and {other} share a partnership or an open invitation already (CONN-12)")
    };
    let [vienna, gibraltar] = [json!({"city": "Vienna", "partner": 1}), json!({"city": "Gibraltar", "invited": 1})];
    for (link, free) in [(&vienna, "Gibraltar"), (&gibraltar, "Vienna")] {
        let game = sociable(5, json!([link]), json!({}));
        for city in [free, "Reykjavik"] {
            game.assert_refuses(&format!("invite {city} +1"), &message(0, 1));
            game.assert_allows(&format!("invite {city} +2, invite {city} +3"));
        }
    }
    // Whoever invites.
    let istanbul = json!({"city": "Istanbul", "partner": 1});
    let game = sociable(5, json!([istanbul, {"city": "Reykjavik", "invited": 3}]), json!({}));
    game.assert_refuses("invite Vienna +3", &message(0, 3));
    let game = sociable(5, json!([{"city": "Vienna", "invited": 3}]), json!({"turn": 3}));
    game.assert_refuses("invite Istanbul +1", &message(3, 0));
    game.assert_allows("invite Istanbul +2, invite Istanbul +3");
}

#[test]
fn conn_12_a_player_is_in_at_most_partnerships_each() {
    let message = |seat: usize, each: u8| {
        format!("seat {seat} has {each} partnerships or open invitations, as many as allowed (CONN-12)")
    };
    let two = json!([{"city": "Vienna", "partner": 1}, {"city": "Reykjavik", "partner": 2}]);
    let host = sociable(2, two.clone(), json!({}));
    assert_eq!(host.legal(), ["draw"]);
    host.assert_refuses("invite Gibraltar +3", &message(0, 2));
    assert_eq!(sociable(3, two.clone(), json!({})).legal(), ["invite Gibraltar +3", "draw"]);
    // The invited, too.
    let guest = sociable(2, two.clone(), json!({"turn": 3}));
    guest.assert_refuses("invite Istanbul +1", &message(0, 2));
    assert_eq!(guest.legal(), ["invite Istanbul +2", "invite Istanbul +3", "draw"]);
    sociable(3, two, json!({"turn": 3})).assert_allows("invite Istanbul +1");
    // Two by default, which holds for the players of the sheet's example.
    assert_eq!(serde_json::to_value(rules("{}").options()).unwrap()["partnerships_each"], 2);
    for each in [0, 6, 255] {
        let message = format!("partnerships_each = {each}: 1 to 5 are allowed (CONN-12)");
        assert_refused(json!({"partnerships_each": each}), &message);
    }
}

#[test]
fn conn_12_open_invitations_count() {
    let full =
        |seat: usize| format!("seat {seat} has 1 partnerships or open invitations, as many as allowed (CONN-12)");
    let open = json!([{"city": "Gibraltar", "invited": 1}]);
    sociable(1, open.clone(), json!({})).assert_refuses("invite Vienna +2", &full(0));
    sociable(1, open.clone(), json!({"turn": 3})).assert_refuses("invite Istanbul +2", &full(1));
    // Until it lapses.
    let lapsed = exchange(&exchange(&sociable(1, open, json!({"turn": 1}))));
    assert_eq!(lapsed.moment(), "play 3");
    lapsed.assert_allows("invite Istanbul +1, invite Istanbul +2");
    // An invitation that is refused leaves room, one that is accepted does not.
    let asked = sociable(1, json!([]), json!({})).after("invite Gibraltar +1");
    let next = |answer: &str| exchange(&asked.after(answer));
    assert_eq!([next("no"), next("join")].map(|next| next.bond("gibraltar")[2].clone()), [json!(null), json!(1)]);
}

#[test]
fn conn_12_a_position_has_no_more_partnerships_than_there_can_be() {
    let refuse = |each: u8, links: Value, parts: Value, message: &str| {
        let (options, position) = sociable_texts(each, links, parts);
        assert_names(&table::position_refusal::<Connections>(&options, position), &[message]);
    };
    let message = "more partnerships than partnerships_each, or two with one player (CONN-12)";
    let two = json!([{"city": "Vienna", "partner": 1}, {"city": "Reykjavik", "invited": 3}]);
    refuse(1, two.clone(), json!({}), message);
    refuse(5, json!([{"city": "Vienna", "partner": 1}, {"city": "Gibraltar", "invited": 1}]), json!({}), message);
    refuse(5, json!([{"city": "Vienna", "invited": 3}, {"city": "Istanbul", "invited": 0}]), json!({}), message);
    let invited = json!({"phase": "invited", "may_invite": false, "link": "Gibraltar", "to": 2});
    refuse(2, two.clone(), invited.clone(), "a decision that nobody could have to take");
    assert_eq!(sociable(3, two, invited).legal(), ["join", "no"]);
}

#[test]
fn conn_12_third_players_share_nothing() {
    let laid = format!("{WESTERN_EUROPE}, Vienna");
    let others = "Tehran/Havana, Riyadh/Rome, Tashkent, Istanbul, Warsaw/Nairobi";
    let table = tables(&[(&laid, "western_europe"), ("Moscow/Mumbai", ""), (others, "western_asia")]);
    let game = Match::at(with(&table, json!({"links": [{"city": "Vienna", "partner": 1}]})));
    // Seat 2's Warsaw is of Eastern Europe, but counts around its own Istanbul.
    assert_eq!(game.scores(), [8, 7, 15]);
}

#[test]
fn conn_13_both_partners_play_singles_of_all_the_links_regions() {
    let hand = "Stockholm, Rome/Riyadh, Warsaw/Nairobi";
    let legal = "play Warsaw/Nairobi, play Stockholm/Saint Petersburg, play Saint Petersburg/Stockholm, draw";
    let [owner, partner] = [partners(&[hand, "", ""], json!({})), partners(&["", hand, ""], json!({"turn": 1}))];
    assert_eq!((owner.legal(), partner.legal()), (list(legal), list(legal)));
    let third = partners(&["", "", hand], json!({"turn": 2}));
    assert_eq!(third.legal(), ["draw"]);
    third.assert_refuses(
        "play Warsaw/Nairobi",
        "Warsaw needs an own set of Eastern Europe, or a link that shows it (CONN-8)",
    );
    for game in [owner, partner] {
        let rome = "Rome needs an own set of Mediterranea, or a link that shows it (CONN-8)";
        game.assert_refuses("play Rome/Riyadh", rome);
        // Six cards.
        let played = game.after("play Stockholm");
        assert_eq!((played.parts(0)[0].contains("6 cards, 30 points"), played.phase()), (true, "draw".to_owned()));
        assert_eq!(played.legal(), ["draw"]);
    }
}

#[test]
fn conn_13_around_a_link_of_three_regions() {
    let laid = format!("{WESTERN_EUROPE}, Gibraltar");
    let table = tables(&[(&laid, "western_europe"), ("Kinshasa", ""), ("", "")]);
    let hand = "Amsterdam, Rome/Riyadh, Nairobi/Warsaw, Lima";
    let parts = json!({"hands": lists(&[hand, "", ""]), "links": [{"city": "Gibraltar", "partner": 1}]});
    let legal = "play Johannesburg/Lima, play Nairobi/Warsaw, play Alexandria/Amsterdam, play Amsterdam/Alexandria, \
        play Rome/Riyadh, draw";
    assert_eq!(Match::of(QUIET, with(&table, parts.clone())).legal(), list(legal));
    let parts = with(&parts, json!({"hands": lists(&["", hand, ""]), "turn": 1}));
    let game = Match::of(QUIET, with(&table, parts));
    assert_eq!(game.legal(), list(legal));
    // 3 + 1 + 1 + 1 cards, of three regions.
    let played = game.after("play Rome/Riyadh");
    assert_eq!(played.parts(1)[0], "Gibraltar, with seat 0: 6 cards, 30 points, your half 15");
}

#[test]
fn conn_13_at_once() {
    let laid = lists(&[&format!("{WESTERN_EUROPE}, Vienna"), EASTERN_EUROPE, ""]);
    let parts = json!({"laid": laid, "sets": lists(&["western_europe", "eastern_europe", ""])});
    let game = host(&["Chicago", "Stockholm", ""], parts);
    let next = game.after("invite Vienna +1; join; draw; discard Chicago");
    next.assert_allows("play Stockholm/Saint Petersburg");
    // The owner plays in the same turn.
    let game = host(&["Budapest", "", ""], json!({}));
    assert_eq!(game.after("invite Vienna +1; join").legal(), ["play Budapest/Dubai", "draw"]);
}

// Trading

/// Seat 0 is in turn, and seat 1 is asked for an offer.
fn market(cards: &[&str], parts: Value) -> Match {
    let position = with(&holding(cards), json!({"phase": "offer", "asked": 1}));
    Match::of(&json!({"players": cards.len()}).to_string(), with(&position, parts))
}

#[test]
fn conn_14_two_players_trade_one_card_for_one() {
    let game = market(&["Chicago", "Lima, Miami", "Vienna, Dakar"], json!({"pile": ["Cairo"]}));
    assert_eq!((game.moment(), game.turn()), ("offer 1".to_owned(), 0));
    assert_eq!(game.legal(), ["offer Lima/Johannesburg to +1", "offer Miami to +1", "no"]);
    let offered = game.after("offer Lima to +1");
    assert_eq!((offered.moment(), offered.legal()), ("answer 2".to_owned(), list("answer Dakar, answer Vienna, no")));
    assert_eq!(offered.hands(), game.hands());
    let answered = offered.after("answer Dakar");
    assert_eq!((answered.moment(), answered.legal()), ("accept 1".to_owned(), list("accept, no")));
    assert_eq!(answered.hands(), game.hands());
    let traded = answered.after("accept");
    assert_eq!((traded.moment(), traded.turn()), ("play 0".to_owned(), 0));
    assert_eq!(traded.hands(), ["Chicago", "Miami, Dakar", "Lima/Johannesburg, Vienna"].map(list));
    assert_eq!(traded.numbers("turns"), [0, 0, 0]);
}

#[test]
fn conn_14_each_other_player_clockwise_may_make_one_offer() {
    let game = market(&["Chicago", "Lima", "Vienna", "Cairo"], json!({}));
    for refused in ["no", "offer Lima to +1; no", "offer Lima to +2; answer Cairo; no"] {
        let next = game.after(refused);
        assert_eq!((next.moment(), next.hands()), ("offer 2".to_owned(), game.hands()));
        assert_eq!(next.legal(), ["offer Vienna to +1", "offer Vienna to +3", "no"]);
        assert_eq!(next.after("no").moment(), "offer 3");
        assert_eq!(next.after("offer Vienna to +3; no; no").moment(), "play 0");
    }
    // From the left of the player in turn on.
    let asked = |turn: usize, first: usize| {
        let game = market(&["Chicago", "Lima", "Vienna", "Cairo"], json!({"turn": turn, "asked": first}));
        [game.after("no"), game.after("no; no"), game.after("no; no; no")].map(|game| game.moment())
    };
    assert_eq!(asked(2, 3), ["offer 0", "offer 1", "play 2"]);
    assert_eq!(asked(3, 0), ["offer 1", "offer 2", "play 3"]);
}

#[test]
fn conn_14_when_a_turn_starts() {
    let start = Match::new("{}");
    assert_eq!((start.moment(), start.turn()), ("offer 1".to_owned(), 0));
    let next = start.after("no; no; draw").after(&format!("discard {}", start.hand(0)[0]));
    assert_eq!((next.moment(), next.turn()), ("offer 2".to_owned(), 1));
    assert_eq!(next.after("no; no").moment(), "play 1");
    // After the announcement, and in the announcer's place the next player's turn.
    let announce = json!({"phase": "announce", "asked": null, "turns": [6, 6, 6]});
    let game = market(&["Chicago", "Lima", "Vienna"], announce);
    assert_eq!(game.after("no").moment(), "offer 1");
    let announced = game.after("announce");
    assert_eq!((announced.moment(), announced.turn()), ("offer 2".to_owned(), 1));
    // Who has announced is not in turn and may trade.
    assert_eq!(
        (announced.after("no").moment(), announced.after("no; no").moment()),
        ("offer 0".to_owned(), "play 1".to_owned())
    );
    // After it, no more.
    let game = Match::at(holding(&["Chicago", "Lima", "Vienna"]));
    for action in ["offer Chicago to +1", "answer Chicago", "accept"] {
        game.assert_refuses(action, "cards are offered at the start of a turn (CONN-14)");
    }
}

#[test]
fn conn_14_the_player_in_turn_does_not_trade() {
    let game = market(&["Chicago", "Lima", "Vienna"], json!({}));
    game.assert_refuses("offer Lima/Johannesburg to +2", "seat 0 is in turn and does not trade (CONN-14)");
    let game = market(&["Chicago", "Lima", "Vienna", "Cairo", "Miami"], json!({"turn": 3, "asked": 4}));
    game.assert_refuses("offer Miami to +4", "seat 3 is in turn and does not trade (CONN-14)");
    assert_eq!(game.legal(), ["offer Miami to +1", "offer Miami to +2", "offer Miami to +3", "no"]);
}

#[test]
fn conn_14_only_cards_that_are_held_are_named() {
    let game = market(&["Chicago", "Lima", "Vienna"], json!({}));
    game.assert_refuses("offer Vienna to +1", "seat 1 does not hold Vienna");
    game.assert_refuses("offer Chicago to +1", "seat 1 does not hold Chicago");
    let offered = game.after("offer Lima to +1");
    offered.assert_refuses("answer Lima/Johannesburg", "seat 2 does not hold Lima/Johannesburg");
    offered.assert_refuses("answer Dakar", "seat 2 does not hold Dakar");
}

#[test]
fn conn_14_nothing_else_is_done_meanwhile() {
    let offer = market(&["Chicago", "Lima", "Vienna"], json!({"discard": ["Cairo"]}));
    let answer = offer.after("offer Lima to +1");
    let accept = answer.after("answer Vienna");
    let cases = [
        (&offer, "seat 1 is asked about an offer: offer a card or no (CONN-14)", "answer Lima"),
        (&answer, "seat 2 is asked for an answer: answer with a card or no (CONN-14)", "offer Vienna to +2"),
        (&accept, "seat 1 is asked whether to accept (CONN-14)", "answer Lima"),
    ];
    for (game, reason, wrong) in cases {
        for action in
            [wrong, "draw", "take", "pass", "join", "set Berlin", "play Chicago", "discard Lima", "invite Chicago +1"]
        {
            game.assert_refuses(action, reason);
        }
    }
    offer.assert_refuses("accept", cases[0].1);
    answer.assert_refuses("accept", cases[1].1);
    let view = accept.view(Some(0))["chosen"].clone();
    let expected = json!({"asked": 1, "card": "Lima/Johannesburg", "to": 2, "reply": "Vienna", "link": null,
        "cities": [], "taken": null, "may_invite": true});
    assert_eq!(view, expected);
}

#[test]
fn conn_14_at_most_one_trade_a_turn() {
    let game = market(&["Chicago", "Lima", "Vienna", "Cairo"], json!({}));
    let traded = game.after("offer Lima to +1; answer Vienna; accept");
    assert_eq!(
        (traded.moment(), traded.hand(1), traded.hand(2)),
        ("play 0".to_owned(), list("Vienna"), list("Lima/Johannesburg"))
    );
    let traded = game.after("no; offer Vienna to +3; answer Lima; accept");
    assert_eq!(traded.moment(), "play 0");
    // In the next turn another.
    let next = traded.after("draw; discard Chicago");
    assert_eq!(next.moment(), "offer 2");
    // Refusals are no trade.
    let game = game.after("offer Lima to +1; answer Vienna; no; offer Vienna to +1; answer Cairo; no");
    assert_eq!(game.moment(), "offer 3");
    assert_eq!(game.after("offer Cairo to +2; answer Lima; accept").moment(), "play 0");
}

#[test]
fn conn_14_players_without_cards_are_not_asked() {
    let game = market(&["Chicago", "", "Vienna", "Cairo"], json!({"asked": 2}));
    game.assert_refuses("offer Vienna to +3", "seat 1 has no card to answer with (CONN-14)");
    assert_eq!(game.legal(), ["offer Vienna to +1", "no"]);
    let turn = |cards: &[&str]| {
        let options = json!({"players": cards.len()}).to_string();
        let last = cards.len() - 1;
        let game = Match::of(&options, with(&holding(cards), json!({"turn": last, "history": [vec![0; cards.len()]]})));
        game.after("draw").after(&format!("discard {}", cards[last])).moment()
    };
    // Seat 0 is in turn then.
    assert_eq!(turn(&["Chicago", "Lima", "Vienna", "Cairo"]), "offer 1");
    assert_eq!(turn(&["Chicago", "", "Vienna", "Cairo"]), "offer 2");
    assert_eq!(turn(&["Chicago", "", "", "Cairo"]), "play 0");
    assert_eq!(turn(&["Chicago", "", "Cairo"]), "play 0");
    assert_eq!(turn(&["", "Lima", "Cairo"]), "offer 1");
}

#[test]
fn conn_14_everybody_knows_the_cards_that_are_named() {
    let game = market(&["Chicago", "Lima, Miami", "Vienna, Dakar"], json!({"pile": ["Cairo"]}));
    let held = |game: &Match, viewer: usize, seat: usize| words(&game.view(Some(viewer))["hands"][seat]["held"]);
    assert_eq!((held(&game, 0, 1), held(&game, 2, 1)), (vec![], vec![]));
    let offered = game.after("offer Lima to +1");
    assert_eq!((held(&offered, 0, 1), held(&offered, 2, 1)), (list("Lima/Johannesburg"), list("Lima/Johannesburg")));
    assert!(offered.text(Some(0)).contains("Lima/Johannesburg") && !offered.text(Some(0)).contains("Miami"));
    let answered = offered.after("answer Dakar");
    assert_eq!((held(&answered, 0, 2), held(&answered, 1, 2)), (list("Dakar"), list("Dakar")));
    // Also if it comes to nothing.
    let refused = answered.after("no");
    assert_eq!((held(&refused, 0, 1), held(&refused, 0, 2)), (list("Lima/Johannesburg"), list("Dakar")));
    let traded = answered.after("accept");
    assert_eq!((held(&traded, 0, 1), held(&traded, 0, 2)), (list("Dakar"), list("Lima/Johannesburg")));
    assert_eq!(traded.cards("known").len(), 2);
}

#[test]
fn conn_14_without_trading_nobody_is_asked() {
    let game = Match::new(QUIET);
    assert_eq!(game.moment(), "play 0");
    game.assert_refuses(
        &format!("offer {} to +1", game.hand(0)[0]),
        "cards are offered at the start of a turn (CONN-14)",
    );
    let options = with(&in_the_woods(4), json!({"trading": false}));
    Match::new(&options.to_string())
        .wander(|game, _| assert!(!["offer", "answer", "accept"].contains(&&*game.phase())));
    let offer = with(&holding(&["Chicago", "Lima", "Vienna"]), json!({"phase": "offer", "asked": 1}));
    let message = table::position_refusal::<Connections>(QUIET, offer);
    assert_names(&message, &["a decision that nobody could have to take"]);
}

#[test]
fn conn_14_a_position_of_a_trade_says_all_of_it() {
    let offer = with(&holding(&["Chicago", "Lima, Miami", "Vienna"]), json!({"phase": "offer", "asked": 1}));
    let answer = with(&offer, json!({"phase": "answer", "card": "Lima", "to": 2, "known": ["Lima"]}));
    let accept = with(&answer, json!({"phase": "accept", "reply": "Vienna", "known": ["Lima", "Vienna"]}));
    for position in [&offer, &answer, &accept] {
        Match::at(position);
    }
    let nobody = "a decision that nobody could have to take";
    assert_impossible(with(&offer, json!({"asked": 0})), nobody);
    assert_impossible(with(&offer, json!({"hands": lists(&["Chicago", "Lima", ""])})), nobody);
    assert_impossible(with(&answer, json!({"known": []})), nobody);
    assert_impossible(with(&answer, json!({"to": 0})), nobody);
    assert_impossible(with(&answer, json!({"to": 1})), nobody);
    assert_impossible(with(&answer, json!({"card": "Vienna", "known": ["Vienna"]})), nobody);
    assert_impossible(with(&accept, json!({"reply": "Miami", "known": ["Lima", "Miami"]})), nobody);
    assert_impossible(with(&offer, json!({"asked": null})), "phase \"offer\": asked is missing");
    assert_impossible(with(&answer, json!({"card": null})), "phase \"answer\": card is missing");
    assert_impossible(with(&answer, json!({"to": null})), "phase \"answer\": to is missing");
    assert_impossible(with(&accept, json!({"reply": null})), "phase \"accept\": reply is missing");
    assert_impossible(with(&offer, json!({"card": "Lima"})), "phase \"offer\" has no card");
    assert_impossible(with(&offer, json!({"phase": "play"})), "phase \"play\" has no asked");
    assert_impossible(with(&offer, json!({"asked": 3})), "no seat 3: there are 3");
}

// End of the round

/// Seat `turn` is in turn, and after its exchange the next player.
fn after_exchange(options: &str, turn: usize, parts: Value) -> Match {
    let game = Match::of(options, with(&with(&holding(&["Chicago", "Miami", "Vienna"]), json!({"turn": turn})), parts));
    exchange(&game)
}

/// The player in turn draws a card and discards one.
fn exchange(game: &Match) -> Match {
    let drawn = game.after("draw");
    drawn.after(&drawn.legal()[0])
}

#[test]
fn conn_15_once_all_have_had_six_turns_a_player_may_announce_the_end() {
    let game = after_exchange(QUIET, 2, json!({"turns": [6, 6, 5]}));
    assert_eq!((game.moment(), game.legal()), ("announce 0".to_owned(), list("announce, no")));
    for action in ["draw", "take", "pass", "join", "accept", "discard Chicago", "offer Chicago to +1"] {
        game.assert_refuses(action, "seat 0 is asked whether to announce (CONN-15)");
    }
    let early = after_exchange(QUIET, 1, json!({"turns": [6, 5, 5]}));
    assert_eq!(early.moment(), "play 2");
    early.assert_refuses("announce", "all must have had six turns (CONN-15)");
    assert_eq!(exchange(&early).moment(), "announce 0");
    assert_eq!(after_exchange(QUIET, 2, json!({"turns": [6, 6, 4]})).moment(), "play 0");
    let nobody = "a decision that nobody could have to take";
    assert_impossible(with(&holding(&["", "", ""]), json!({"phase": "announce", "turns": [6, 6, 5]})), nobody);
}

#[test]
fn conn_15_before_each_of_their_turns() {
    let game = after_exchange(QUIET, 2, json!({"turns": [6, 6, 5]})).after("no");
    assert_eq!((game.moment(), game.the("announced")), ("play 0".to_owned(), json!(null)));
    game.assert_refuses("announce", "the end is announced before the turn (CONN-15)");
    let next = exchange(&game);
    assert_eq!(next.moment(), "announce 1");
    assert_eq!(exchange(&next.after("no")).moment(), "announce 2");
}

#[test]
fn conn_15_the_announcer_has_no_more_turns_and_all_others_two() {
    for announcer in 0..3 {
        let parts = json!({"phase": "announce", "turn": announcer, "turns": [6, 6, 6]});
        let mut game = Match::of(QUIET, with(&holding(&["Chicago", "Miami", "Vienna"]), parts)).after("announce");
        assert_eq!(game.view(Some(1))["announced"], announcer);
        let mut players = Vec::new();
        while game.view(None)["round"] == 1 {
            assert_eq!(game.phase(), "play");
            game.assert_refuses("announce", &format!("seat {announcer} has announced already (CONN-15)"));
            let had = |seat: u64| players.iter().filter(|&&player| player == seat).count() as u64;
            assert_eq!(game.numbers("last_turns"), [0, 1, 2].map(had));
            assert_eq!(game.numbers("turns"), [0, 1, 2].map(|seat| 6 + had(seat)));
            players.push(game.turn());
            game = exchange(&game);
        }
        let [next, after] = [1, 2].map(|places| (announcer + places) % 3);
        assert_eq!(players, [next, after, next, after]);
        assert_eq!((game.the("announced"), game.numbers("last_turns")), (json!(null), vec![0, 0, 0]));
    }
}

#[test]
fn conn_15_two_more_turns_however_long_nobody_has_played() {
    // All exchange, or pass where there is nothing to draw.
    for pile in [json!(["Dakar", "Honolulu"]), json!([])] {
        let mut game = Match::of(QUIET, with(&holding(&["Chicago", "Miami", "Vienna"]), json!({"pile": pile})));
        let turn = |game: &Match| if game.legal() == ["pass"] { game.after("pass") } else { exchange(game) };
        for number in 0..24 {
            game = if game.phase() == "announce" { game.after("no") } else { game };
            assert_eq!((game.moment(), game.number("idle")), (format!("play {}", number % 3), 0));
            game = turn(&game);
        }
        game = game.after("announce");
        for seat in [1, 2, 1, 2] {
            assert_eq!((game.moment(), game.view(None)["round"].clone()), (format!("play {seat}"), json!(1)));
            game = turn(&game);
        }
        assert_eq!(game.view(None)["round"], 2);
    }
}

#[test]
fn conn_15_a_position_of_an_announced_round_can_be() {
    let base = with(&holding(&["Chicago", "Miami", "Vienna"]), json!({"turns": [6, 7, 6], "turn": 2}));
    let announced = with(&base, json!({"announced": 0, "last_turns": [0, 1, 0]}));
    assert_eq!(Match::of(QUIET, &announced).the("announced"), 0);
    let message = "an announcement that cannot be (CONN-15, CONN-16)";
    assert_impossible(with(&announced, json!({"turn": 0})), message);
    assert_impossible(with(&base, json!({"last_turns": [0, 1, 0]})), "last turns that nobody had (CONN-15)");
    assert_impossible(with(&announced, json!({"last_turns": [0, 3, 0]})), "last turns that nobody had (CONN-15)");
    assert_impossible(with(&announced, json!({"last_turns": [0, 2, 2]})), "a round that is over (CONN-16)");
}

#[test]
fn conn_16_in_the_last_round_nobody_announces() {
    let last = json!({"turns": [6, 6, 5], "history": [[0, 0, 0], [0, 0, 0]]});
    let game = after_exchange(QUIET, 2, last.clone());
    assert_eq!((game.moment(), game.view(None)["round"].clone()), ("play 0".to_owned(), json!(3)));
    game.assert_refuses("announce", "in the last round nobody announces (CONN-16)");
    let options = json!({"trading": false, "deals_each": 2}).to_string();
    assert_eq!(after_exchange(&options, 2, last.clone()).moment(), "announce 0");
    let base = with(&holding(&["Chicago", "Miami", "Vienna"]), last);
    let nobody = "a decision that nobody could have to take";
    assert_impossible(with(&base, json!({"turns": [6, 6, 6], "phase": "announce"})), nobody);
    let message = "an announcement that cannot be (CONN-15, CONN-16)";
    assert_impossible(with(&base, json!({"announced": 0, "turn": 1})), message);
}

#[test]
fn conn_16_the_last_round_is_over_when_all_in_two_successive_turns_played_no_card() {
    let parts = |idle: u8| with(&last_round(), json!({"idle": idle}));
    let game = after_exchange(QUIET, 0, parts(4));
    assert_eq!((game.number("idle"), game.moment()), (5, "play 1".to_owned()));
    assert!(after_exchange(QUIET, 0, parts(5)).is_over());
    // A card played in between, and it begins anew.
    for (hand, action) in [("Stockholm", "play Stockholm; draw"), ("Vienna", "play Vienna; draw")] {
        let parts = with(&parts(5), json!({"hands": lists(&[hand, "", ""])}));
        assert_eq!(Match::of(QUIET, with(&europe(), parts)).after(action).number("idle"), 0);
    }
    // Passing is playing no card.
    let parts = with(&parts(5), json!({"pile": []}));
    assert!(Match::of(QUIET, with(&holding(&["Chicago", "", ""]), parts)).after("pass").is_over());
}

#[test]
fn conn_16_twice_as_many_turns_as_players() {
    for players in 3..=6_usize {
        let history = vec![vec![0; players]; players - 1];
        let mut game = Match::of(
            &json!({"players": players, "trading": false}).to_string(),
            json!({"hands": vec![json!([]); players], "history": history}),
        );
        for idle in 0..2 * players as u64 {
            assert_eq!((game.number("idle"), game.is_over()), (idle, false));
            game = exchange(&game);
        }
        assert!(game.is_over());
    }
    let idle = |idle: u8| with(&holding(&["", "", ""]), with(&last_round(), json!({"idle": idle})));
    assert_impossible(idle(6), "a round that is over (CONN-16)");
    assert_impossible(idle(7), "more turns without a card than there can be (CONN-16)");
}

#[test]
fn conn_16_it_ends_no_other_round() {
    for (history, deals) in [(json!([]), 1), (json!([[0, 0, 0]]), 1), (json!([[0, 0, 0], [0, 0, 0]]), 2)] {
        let options = json!({"trading": false, "deals_each": deals, "max_turns": 20}).to_string();
        let mut game = Match::of(&options, json!({"hands": [[], [], []], "history": history}));
        let round = game.view(None)["round"].clone();
        for _ in 0..60 {
            assert_eq!((game.number("idle"), game.view(None)["round"].clone()), (0, round.clone()));
            game = exchange(&if game.phase() == "announce" { game.after("no") } else { game });
        }
        assert_ne!(game.view(None)["round"], round);
    }
    let message = "turns without a card count in the last round only (CONN-16)";
    assert_impossible(with(&holding(&["", "", ""]), json!({"idle": 1})), message);
    assert_impossible(with(&holding(&["", "", ""]), json!({"idle": 1, "history": [[0, 0, 0]]})), message);
}

#[test]
fn conn_16_max_turns_end_a_round() {
    let options = |most: u8| json!({"trading": false, "max_turns": most}).to_string();
    let parts = json!({"turns": [7, 7, 6]});
    assert_eq!(after_exchange(&options(7), 2, parts.clone()).view(None)["round"], 2);
    assert_eq!(after_exchange(&options(8), 2, parts).moment(), "announce 0");
    assert_eq!(after_exchange(&options(7), 1, json!({"turns": [7, 6, 6]})).moment(), "announce 2");
    for most in [0, 101, 255] {
        let message = format!("max_turns = {most}: 1 to 100 are allowed (CONN-16)");
        assert_refused(json!({"max_turns": most}), &message);
    }
    assert_eq!(Match::new("{}").view(None)["max_turns"], 60);
    assert_eq!(Match::new(&options(100)).view(None)["max_turns"], 100);
    let base = with(&holding(&["", "", ""]), json!({"turns": [60, 60, 60]}));
    assert_impossible(base.clone(), "a round that is over (CONN-16)");
    assert_impossible(with(&base, json!({"turns": [61, 60, 59], "turn": 2})), "more turns than there are (CONN-16)");
}

#[test]
fn conn_16_every_round_ends() {
    for options in all_options() {
        let most = table::json(&options)["max_turns"].as_u64().unwrap();
        for seed in 30..32 {
            Match::seeded(&options, seed).wander(|game, _| {
                let players = game.rules.num_seats() as u64;
                assert!(game.numbers("turns").iter().all(|&turns| turns <= most));
                assert!(game.is_over() || game.number("idle") < 2 * players);
            });
        }
    }
    let one = json!({"players": 5, "max_turns": 1, "trading": false}).to_string();
    let mut turns = 0;
    Match::new(&one).wander(|game, action| turns += usize::from(action.is_some() && game.phase() == "play"));
    assert_eq!(turns, 25);
}

#[test]
fn conn_17_as_many_rounds_as_players_each_dealing_once() {
    for (players, deals) in [(3, 1), (3, 4), (4, 1), (5, 2), (6, 1)] {
        let options = json!({"players": players, "deals_each": deals, "max_turns": 1, "trading": false}).to_string();
        let mut dealers: Vec<(u64, u64)> = Vec::new();
        Match::new(&options).wander(|game, action| {
            let view = game.view(Some(0));
            assert_eq!(view["rounds"], players * deals);
            if action.is_some() && view["round"] == dealers.len() + 1 {
                dealers.push((game.number("dealer"), game.turn()));
                assert_eq!(game.the("history").as_array().unwrap().len() + 1, dealers.len());
                assert_eq!((game.hand_sizes(), game.numbers("turns")), (vec![11 - players; players], vec![0; players]));
            }
        });
        // The last seat deals first, and the player on the dealer's left starts.
        let expected = (0..players * deals).map(|round| (players - 1 + round) % players);
        assert_eq!(
            dealers,
            expected.map(|dealer| (dealer as u64, ((dealer + 1) % players) as u64)).collect::<Vec<_>>()
        );
    }
    for deals in [0, 5, 255] {
        let message = format!("deals_each = {deals}: 1 to 4 are allowed (CONN-17)");
        assert_refused(json!({"deals_each": deals}), &message);
    }
}

#[test]
fn conn_17_every_round_begins_afresh() {
    let parts = json!({"hands": lists(&["Chicago", "Miami", "Cairo"]), "known": ["Miami"],
        "ages": {"Dakar": 3, "Cairo": 2}, "pile": ["Dakar"], "discard": ["Lahore"], "turns": [9, 9, 9], "announced": 2,
        "last_turns": [1, 2, 0], "links": [{"city": "Vienna", "invited": 1}]});
    let next = host(&["", "", ""], parts).after("draw; discard Dakar");
    assert_eq!((next.moment(), next.number("dealer"), next.hand_sizes()), ("play 1".to_owned(), 0, vec![8, 8, 8]));
    assert_eq!((next.cards("discard"), next.cards("known"), next.number("shuffles")), (vec![], vec![], 0));
    assert_eq!((next.the("ages"), next.the("laid"), next.the("links")), (json!({}), json!([[], [], []]), json!([])));
    assert_eq!((next.numbers("turns"), next.numbers("last_turns"), next.number("idle")), (vec![0; 3], vec![0; 3], 0));
    assert_eq!((next.the("announced"), next.all_cards().len()), (json!(null), 55));
    assert_eq!(next.the("history"), json!([[8, 0, 0]]));
}

#[test]
fn conn_17_a_position_is_of_a_round_that_is_played() {
    let base = holding(&["", "", ""]);
    for (history, dealer) in [(json!([]), 2), (json!([[0, 0, 0]]), 0), (json!([[0, 0, 0], [0, 0, 0]]), 1)] {
        let game = Match::at(with(&base, json!({"history": history})));
        assert_eq!((game.number("dealer"), game.turn()), (dealer, (dealer + 1) % 3));
        let wrong = json!({"history": history, "dealer": (dealer + 1) % 3});
        assert_impossible(with(&base, wrong), "a dealer who does not deal this round (CONN-17)");
    }
    let message = "an end of the match that is none, or none that is one (CONN-17)";
    assert_impossible(with(&base, json!({"history": vec![[0; 3]; 3]})), message);
    assert_impossible(with(&base, json!({"history": vec![[0; 3]; 2], "phase": "over"})), message);
    assert_impossible(with(&base, json!({"history": vec![[0; 3]; 4]})), "history: 4 rounds of 3");
    assert_impossible(with(&base, json!({"history": [[0, 0]]})), "history: 2 numbers for 3 players");
    for points in [i32::MIN, i32::MAX] {
        let history = json!({"history": [[points, 0, 0]], "dealer": 0});
        assert_impossible(with(&base, history), "more points than there can be");
    }
}

// Scoring

#[test]
fn conn_18_points_by_number_of_cards() {
    let points = [(0, 0), (1, 0), (2, -20), (3, 4), (4, 8), (5, 15), (6, 30), (7, 60), (8, 125), (9, 250), (10, 500)];
    assert!(points.iter().all(|&(cards, points)| value(cards) == points));
    // More than 11 are no more than 11.
    assert!([11, 12, 13, 16].iter().all(|&cards| value(cards) == 1000));
}

#[test]
fn conn_18_a_group_grows() {
    // Three of Western Europe, Vienna, four of Eastern Europe, two more of Western Europe.
    let cities = "Paris/Bangkok, London/Baghdad, Berlin, Vienna, Moscow/Mumbai, Warsaw/Nairobi, Kyiv, Budapest, \
        Amsterdam, Stockholm";
    for (cards, points) in [(3, 4), (4, 8), (5, 15), (6, 30), (7, 60), (8, 125), (9, 250), (10, 500)] {
        let laid = list(cities)[..cards].join(", ");
        let game = Match::at(tables(&[(&laid, "western_europe"), ("", ""), ("", "")]));
        assert_eq!(game.scores(), [points, 0, 0], "{cards} cards");
    }
}

#[test]
fn conn_18_more_than_11_cards_of_three_regions() {
    let laid = "Paris/Bangkok, London/Baghdad, Amsterdam, Stockholm, Gibraltar, Rome/Riyadh, Athens/Tokyo";
    let africa = "Lagos/Sydney, Nairobi/Boston, Johannesburg, Kinshasa, Addis Ababa";
    for (partner, cards, value) in [(3, 10, 500), (4, 11, 1000), (5, 12, 1000)] {
        let theirs = list(africa)[..partner].join(", ");
        let table = tables(&[(laid, "western_europe"), (&theirs, "africa"), ("", "")]);
        let game = Match::at(with(&table, json!({"links": [{"city": "Gibraltar", "partner": 1}]})));
        let half = value / 2;
        assert_eq!(game.scores(), [half, half, 0]);
        assert_eq!(game.parts(0), [format!("Gibraltar, with seat 1: {cards} cards, {value} points, your half {half}")]);
    }
}

#[test]
fn conn_19_a_partnership_is_halved_and_an_odd_point_is_the_link_players() {
    let scores = |cities: &str, theirs: (&str, &str)| {
        let laid = format!("{cities}, Vienna");
        let table = tables(&[(&laid, "western_europe"), theirs, ("", "")]);
        let game = Match::at(with(&table, json!({"links": [{"city": "Vienna", "partner": 1}]})));
        (game.scores(), game.parts(0)[0].clone(), game.parts(1)[0].clone())
    };
    // 3 + 1 + 1 cards.
    let (points, own, other) = scores(WESTERN_EUROPE, ("Moscow/Mumbai", ""));
    assert_eq!(points, [8, 7, 0]);
    assert_eq!(own, "Vienna, with seat 1: 5 cards, 15 points, your half 8");
    assert_eq!(other, "Vienna, with seat 0: 5 cards, 15 points, your half 7");
    // In the owner's own region.
    assert_eq!(scores(WESTERN_EUROPE, ("Amsterdam", "")).0, [8, 7, 0]);
    // 3 + 1 + 2, and 4 + 1 + 3.
    assert_eq!(scores(WESTERN_EUROPE, ("Moscow/Mumbai, Amsterdam", "")).0, [15, 15, 0]);
    assert_eq!(scores(&format!("{WESTERN_EUROPE}, Stockholm"), (EASTERN_EUROPE, "eastern_europe")).0, [63, 62, 0]);
}

#[test]
fn conn_19_what_is_not_in_a_partnership_counts_alone() {
    let sets = format!("{WESTERN_EUROPE}, {EASTERN_EUROPE}");
    let table = tables(&[(&sets, "western_europe, eastern_europe"), (ATLANTIC, "atlantic_north_america"), ("", "")]);
    let boston = with(&table, json!({"laid": lists(&[&sets, "New York/Sydney, Toronto/Tokyo, Montreal", ""])}));
    let game = Match::at(boston);
    assert_eq!(game.scores(), [8, 4, 0]);
    assert_eq!(game.parts(0), ["Western Europe: 3 cards, 4 points", "Eastern Europe: 3 cards, 4 points"]);
    // An open invitation shares nothing.
    let game = Match::at(with(&vienna(), json!({"links": [{"city": "Vienna", "invited": 1}]})));
    assert_eq!(game.scores(), [8, 0, 0]);
    // Beside a partnership: 3 + 1 + 1 around Vienna, three of Atlantic North America for seat 0 alone.
    let laid = format!("{WESTERN_EUROPE}, Vienna, New York/Sydney, Toronto/Tokyo, Montreal");
    let table = tables(&[(&laid, "western_europe, atlantic_north_america"), ("Moscow/Mumbai", ""), ("", "")]);
    let game = Match::at(with(&table, json!({"links": [{"city": "Vienna", "partner": 1}]})));
    assert_eq!(game.scores(), [8 + 4, 7, 0]);
}

#[test]
fn conn_19_a_set_in_a_partnership_does_not_count_alone_as_well() {
    let sets = format!("{WESTERN_EUROPE}, Vienna, {EASTERN_EUROPE}");
    let table = tables(&[(&sets, "western_europe, eastern_europe"), ("Stockholm", ""), ("", "")]);
    let game = Match::at(with(&table, json!({"links": [{"city": "Vienna", "partner": 1}]})));
    // 3 + 1 + 3 + 1 cards.
    assert_eq!((game.scores(), game.parts(0).len()), (vec![63, 62, 0], 1));
}

#[test]
fn conn_19_with_two_links_the_grouping_that_scores_most_counts() {
    let score = |more: &str| {
        let laid = format!("{WESTERN_EUROPE}, Vienna, Reykjavik{more}");
        let game = Match::at(tables(&[(&laid, "western_europe"), ("", ""), ("", "")]));
        let view = game.view(None);
        let parts = view["scores"][0]["parts"].as_array().unwrap();
        assert_eq!(parts.iter().map(|part| part["points"].as_i64().unwrap()).sum::<i64>(), game.scores()[0]);
        game.scores()[0]
    };
    // The set with either link; the other link is one card: 8 + 0.
    assert_eq!(score(""), 8);
    // 3 + 1 + 1 around Vienna: 15, and Reykjavik: 0. With the set around Reykjavik, Moscow would be alone: 8.
    assert_eq!(score(", Moscow/Mumbai"), 15);
    // 3 + 1 + 2 around Vienna: 30, and 1 + 2 around Reykjavik: 4; the other way round it is the same.
    assert_eq!(score(", Moscow/Mumbai, Kyiv, Boston/Nairobi, Montreal"), 34);
    // 3 + 1 + 3 around Reykjavik: 60, and 1 + 2 around Vienna: 4. The other way round 30 + 8.
    assert_eq!(score(", Moscow/Mumbai, Kyiv, Boston/Nairobi, Montreal, Toronto/Tokyo"), 64);
    // 3 + 1 + 3 around Reykjavik: 60, and Moscow alone: 0, rather than with Vienna: -20.
    assert_eq!(score(", Moscow/Mumbai, Boston/Nairobi, Montreal, Toronto/Tokyo"), 60);
}

#[test]
fn conn_19_two_sets_and_two_links() {
    let laid = format!("{WESTERN_EUROPE}, {EASTERN_EUROPE}, Vienna, Gibraltar, Rome/Riyadh, Barcelona");
    let game = Match::at(tables(&[(&laid, "western_europe, eastern_europe"), ("", ""), ("", "")]));
    // 3 + 3 + 1 around Vienna: 60, and 1 + 2 around Gibraltar: 4. Western Europe around Gibraltar: 30 + 8.
    assert_eq!(game.scores()[0], 64);
    // A link of three regions takes all of them.
    let laid = format!("{WESTERN_EUROPE}, Gibraltar, Rome/Riyadh, Barcelona, Lagos/Sydney, Nairobi/Boston");
    let game = Match::at(tables(&[(&laid, "western_europe"), ("", ""), ("", "")]));
    assert_eq!(game.scores()[0], 125);
    assert_eq!(game.parts(0), ["Africa, Mediterranea and Western Europe with Gibraltar: 8 cards, 125 points"]);
}

#[test]
fn conn_19_cities_of_a_region_in_a_partnership_count_there_and_nowhere_else() {
    // Western Europe is in the partnership around Vienna. Reykjavik with one city would be 2 cards: -20.
    let laid = |more: &str| format!("{WESTERN_EUROPE}, Vienna, Reykjavik{more}");
    let scores = |more: &str| {
        let table = tables(&[(&laid(more), "western_europe"), ("Moscow/Mumbai", ""), ("", "")]);
        Match::at(with(&table, json!({"links": [{"city": "Vienna", "partner": 1}, {"city": "Reykjavik"}]}))).scores()
    };
    assert_eq!(scores(""), [8, 7, 0]);
    assert_eq!(scores(", Boston/Nairobi"), [8, 7, 0]);
    // With two: 3 cards.
    assert_eq!(scores(", Boston/Nairobi, Montreal"), [8 + 4, 7, 0]);
    // The partner's other cities stay theirs: 4 for three of Western Asia.
    let table = tables(&[
        (&laid(""), "western_europe"),
        ("Moscow/Mumbai, Tehran/Havana, Riyadh/Rome, Tashkent", "western_asia"),
        ("", ""),
    ]);
    let game = Match::at(with(&table, json!({"links": [{"city": "Vienna", "partner": 1}, {"city": "Reykjavik"}]})));
    assert_eq!(game.scores(), [8, 7 + 4, 0]);
}

/// What is on the table for a seat: its partnerships, and the best of all ways to put its other regions around its
/// other links.
fn on_the_table(view: &Value, seat: usize) -> i64 {
    let cities = view["cities"].as_array().unwrap();
    let regions_of = |id: &Value| words(&cities.iter().find(|city| city["id"] == *id).unwrap()["regions"]);
    let count = |seat: &Value, region: &String| {
        cities.iter().filter(|city| city["token"] == *seat && city["regions"] == json!([region])).count() as u8
    };
    let own = json!(seat);
    let (mut points, mut covered, mut links) = (0, BTreeSet::new(), Vec::new());
    for bond in view["links"].as_array().unwrap() {
        let regions = regions_of(&bond["city"]);
        let both = [&bond["owner"], &bond["partner"]];
        if both[1].is_null() && *both[0] == own {
            links.push(regions);
        } else if !both[1].is_null() && both.contains(&&own) {
            let cards: u8 = regions.iter().map(|region| count(both[0], region) + count(both[1], region)).sum();
            let odd = value(cards + 1) % 2 * i32::from(*both[0] == own);
            points += i64::from(value(cards + 1) / 2 + odd);
            covered.extend(regions);
        }
    }
    let regions = view["regions"].as_array().unwrap().iter().map(|region| region["id"].as_str().unwrap().to_owned());
    let alone: Vec<(String, u8)> = regions.map(|region| (region.clone(), count(&own, &region))).collect();
    let alone = alone.into_iter().filter(|(region, cities)| *cities > 0 && !covered.contains(region));
    let alone: Vec<(String, u8)> = alone.collect();
    let best = (0..(links.len() + 1).pow(alone.len() as u32)).filter_map(|mut way| {
        let mut groups: Vec<u8> = links.iter().map(|_| 0).collect();
        let mut sum = 0;
        for (region, cities) in &alone {
            match way % (links.len() + 1) {
                0 => sum += value(*cities),
                link if links[link - 1].contains(region) => groups[link - 1] += cities,
                _ => return None,
            }
            way /= links.len() + 1;
        }
        let around = groups.iter().filter(|&&cities| cities > 0).map(|cities| value(cities + 1));
        Some(i64::from(sum + around.sum::<i32>()))
    });
    points + best.max().unwrap()
}

#[test]
fn conn_19_no_other_grouping_scores_more() {
    let mut most = BTreeMap::new();
    for options in all_options() {
        Match::seeded(&options, 60).wander(|game, action| {
            let view = game.view(None);
            let is_new = action.is_none_or(|action| !["no", "offer", "answer"].contains(&&*kind_of(action)));
            for seat in (0..game.rules.num_seats()).filter(|_| is_new) {
                let parts = view["scores"][seat]["parts"].as_array().unwrap();
                let on_the_table = parts.iter().filter(|part| part["what"] != "pairs");
                let points: i64 = on_the_table.clone().map(|part| part["points"].as_i64().unwrap()).sum();
                assert_eq!(points, self::on_the_table(&view, seat), "seat {seat}: {parts:?}");
                on_the_table.for_each(|part| *most.entry(part["what"].to_string()).or_insert(0) += 1);
            }
        });
    }
    assert!(most.values().all(|&parts| parts > 100) && most.len() == 2, "{most:?}");
}

/// The points of a hand under `pairs`.
fn turned(pairs: &str, hand: &str) -> i64 {
    Match::of(&json!({"pairs": pairs}).to_string(), json!({"hands": lists(&[hand, "", ""])})).scores()[0]
}

#[test]
fn conn_20_each_two_fronts_of_one_region_cost_20_points() {
    let in_hand = |hand: &str| {
        let points = Match::of(QUIET, json!({"hands": lists(&[hand, "", ""])})).scores()[0];
        assert_eq!(points, turned("front", hand));
        points
    };
    assert_eq!(in_hand(""), 0);
    // Both fronts are of South America.
    assert_eq!(in_hand("Lima/Johannesburg, Santiago/Athens"), -20);
    assert_eq!(in_hand("Johannesburg/Lima, Athens/Santiago"), -20);
    // The backs of these are, and no front is as another.
    assert_eq!(in_hand("Seattle/Buenos Aires, Montreal/Rio de Janeiro, San Juan/São Paulo"), 0);
    // Three make one pair, four make two.
    assert_eq!(in_hand("Lima, Santiago, Buenos Aires/Paris"), -20);
    assert_eq!(in_hand("Lima, Santiago, Buenos Aires/Paris, Rio de Janeiro/Delhi"), -40);
    assert_eq!(in_hand("Lima, Santiago, Vancouver, Los Angeles/Havana, Chicago, Miami"), -40);
    // Hands show the front first, however they are written.
    let game = Match::at(json!({"hands": lists(&["Johannesburg/Lima, Athens/Santiago", "", ""])}));
    assert_eq!(game.view(Some(0))["hands"][0]["held"], json!(["Lima/Johannesburg", "Santiago/Athens"]));
    assert!(game.text(Some(0)).contains("1 pair in hand: -20 points"));
    let message = table::options_refusal::<Connections>(r#"{"pairs": "back"}"#);
    assert_names(&message, &["pairs", "back", "front", "least", "most"]);
}

#[test]
fn conn_20_turned_to_the_sides_that_cost_least() {
    let in_hand = |hand: &str| turned("least", hand);
    assert_eq!(in_hand(""), 0);
    assert_eq!(in_hand("Lima"), 0);
    // South America and Africa, South America and Mediterranea: turned away from each other.
    assert_eq!(in_hand("Lima, Santiago"), 0);
    // Three cards of Western Europe, Western Asia and South East Asia: one each.
    assert_eq!(in_hand("London/Baghdad, Paris/Bangkok, Tashkent"), 0);
    // Four cards of Atlantic North America, Caribbea, South America and Africa: one each.
    let six = "Toronto/Kingston, Montreal, Boston, San Juan, Santo Domingo, Lima";
    assert_eq!(in_hand(&list(six)[..4].join(", ")), 0);
    // Five: two of one region, one each of the others.
    assert_eq!(in_hand(&list(six)[..5].join(", ")), -20);
    // Six: three of one region, one each of the others; two and two would be two pairs.
    assert_eq!(in_hand(six), -20);
    // With Pacific North America a fifth region: seven as 3 + 1 + 1 + 1 + 1, eight as 3 + 2 + 1 + 1 + 1, nine as
    // 3 + 3 + 1 + 1 + 1.
    let more = ["San Francisco/New York", "Los Angeles/Havana", "Seattle"];
    assert_eq!(in_hand(&format!("{six}, {}", more[0])), -20);
    assert_eq!(in_hand(&format!("{six}, {}", more[..2].join(", "))), -40);
    assert_eq!(in_hand(&format!("{six}, {}", more.join(", "))), -40);
}

#[test]
fn conn_20_turned_to_the_sides_that_cost_most() {
    let in_hand = |hand: &str| turned("most", hand);
    assert_eq!(in_hand("Lima"), 0);
    // South America and Africa, South America and Mediterranea: turned towards each other.
    assert_eq!(in_hand("Lima, Santiago"), -20);
    // Nothing in common.
    assert_eq!(in_hand("Lima, Vancouver"), 0);
    // Western Europe and Western Asia, Western Europe and South East Asia, Western Asia and ...: one pair of three.
    assert_eq!(in_hand("London/Baghdad, Paris/Bangkok, Tashkent"), -20);
    let six = "Toronto/Kingston, Montreal, Boston, San Juan, Santo Domingo, Lima";
    assert_eq!(in_hand(&list(six)[..5].join(", ")), -40);
    assert_eq!(in_hand(six), -60);
}

#[test]
fn conn_20_linking_cards_make_no_pairs() {
    let five = "Toronto/Kingston, Montreal, Boston, San Juan, Santo Domingo";
    for (pairs, points) in [("front", -40), ("least", -20), ("most", -40)] {
        assert_eq!(turned(pairs, "Chicago, Miami, Vienna, Gibraltar, Reykjavik"), 0);
        assert_eq!(turned(pairs, &format!("{five}, Chicago, Dakar")), points);
    }
    let options = json!({"deck": two_faced(25), "pairs": "most"}).to_string();
    let hands = lists(&["Tarn/Strand, Strand/Union, Union", "", ""]);
    assert_eq!(Match::of(&options, json!({"hands": hands})).scores()[0], 0);
}

#[test]
fn conn_20_a_card_of_one_region_on_both_sides() {
    let points = |hand: &str| {
        let options = with(&in_the_woods(3), json!({"deck": woods(63), "pairs": "least"})).to_string();
        Match::of(&options, json!({"hands": lists(&[hand, "", ""])})).scores()[0]
    };
    assert_eq!(points("Ash/Beech"), 0);
    assert_eq!(points("Ash/Beech, Cedar/Elm"), -20);
    assert_eq!(points("Ash/Beech, Cedar/Elm, Elm/Fir"), -20);
    assert_eq!(points("Ash/Beech, Cedar/Elm, Elm/Fir, Beech/Cedar"), -40);
    // Wood and hill: turned to the hill.
    assert_eq!(points("Ash/Beech, Ash/Gorge"), 0);
    // Two of wood, one of hill; or three of wood.
    assert_eq!(points("Ash/Beech, Ash/Gorge, Cedar/Elm"), -20);
    // One of wood and one of hill are there already: the third makes a pair.
    assert_eq!(points("Ash/Beech, Ash/Gorge, Howe/Knoll"), -20);
    // Three of wood, one of hill.
    assert_eq!(points("Ash/Beech, Ash/Gorge, Beech/Cedar, Howe/Knoll"), -20);
}

/// The pairs of a hand, under each value of `pairs`: of all ways to turn the cards.
fn pairs_of(game: &Match, hand: &[String]) -> [(&'static str, i64); 3] {
    let view = game.view(None);
    let cities = view["cities"].as_array().unwrap();
    let regions = |city: &str| words(&cities.iter().find(|other| other["name"] == city).unwrap()["regions"]);
    let cards = hand.iter().filter_map(|card| card.split_once('/'));
    let sides: Vec<[String; 2]> = cards.map(|(one, other)| [one, other].map(|city| regions(city).concat())).collect();
    let pairs = |turned: usize| {
        let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
        sides.iter().enumerate().for_each(|(card, sides)| *counts.entry(&sides[turned >> card & 1]).or_default() += 1);
        counts.values().map(|count| count / 2).sum()
    };
    let all = || (0..1 << sides.len()).map(pairs);
    [("front", pairs(0)), ("least", all().min().unwrap()), ("most", all().max().unwrap())]
}

#[test]
fn conn_20_no_way_to_turn_the_cards_makes_fewer_or_more_pairs() {
    let mut counts: BTreeMap<(&str, i64), usize> = BTreeMap::new();
    for (options, cards) in [(json!({}), 55), (json!({"deck": woods(45)}), 45)] {
        let all = Match::new(&options.to_string()).all_cards();
        let mut luck = rng(40);
        for size in (0..200).map(|number| number % 11) {
            let mut deck = all.clone();
            let hand: Vec<String> =
                (0..size).map(|_| deck.swap_remove(luck.below(deck.len() as u64) as usize)).collect();
            assert_eq!(deck.len() + size, cards);
            for (how, pairs) in pairs_of(&Match::new(&options.to_string()), &hand) {
                let options = with(&options, json!({"pairs": how})).to_string();
                let game = Match::of(&options, json!({"hands": [hand, [], []]}));
                assert_eq!(game.scores()[0], -20 * pairs, "{how} of {hand:?}");
                let text = format!("{pairs} pair{} in hand: {} points", if pairs == 1 { "" } else { "s" }, -20 * pairs);
                assert_eq!(game.parts(0), if pairs == 0 { vec![] } else { vec![text] });
                *counts.entry((how, pairs)).or_default() += 1;
            }
        }
    }
    assert!(counts.len() > 12, "{counts:?}");
}

#[test]
fn conn_20_pairs_count_at_the_end_of_a_round() {
    let five = "Toronto/Kingston, Montreal, Boston, San Juan, Santo Domingo";
    let parts = with(&ends(), json!({"hands": lists(&["Stockholm", five, ""]), "pile": ["Dakar"]}));
    let next = Match::of(QUIET, with(&vienna(), parts)).after("draw; discard Dakar");
    assert_eq!((next.the("history"), next.view(None)["points"].clone()), (json!([[8, -40, 0]]), json!([8, -40, 0])));
}

/// The last turn of a match of three players, in which seat 0 scores 8.
fn last_turn(history: [[i32; 3]; 2]) -> (Value, Vec<f32>) {
    let parts =
        json!({"hands": lists(&["Chicago", "", ""]), "idle": 5, "pile": ["Dakar"], "turn": 0, "history": history});
    Match::of(QUIET, with(&vienna(), parts)).after("draw; discard Dakar").result()
}

#[test]
fn conn_21_the_points_of_all_rounds_decide() {
    assert_eq!(last_turn([[0, 4, 0], [0, 3, 0]]), (json!([8, 7, 0]), vec![1.0, -0.5, -0.5]));
    assert_eq!(last_turn([[0, 4, 0], [0, 5, 0]]), (json!([8, 9, 0]), vec![-0.5, 1.0, -0.5]));
    // Not the rounds won.
    assert_eq!(last_turn([[4, 0, 30], [4, 0, 0]]), (json!([16, 0, 30]), vec![-0.5, -0.5, 1.0]));
    assert_eq!(last_turn([[-40, -20, -80], [0, -20, 0]]), (json!([-32, -40, -80]), vec![1.0, -0.5, -0.5]));
    // Nothing is paid before.
    assert_eq!(Match::at(with(&vienna(), json!({"history": [[9, 0, 0]]}))).returns(), [0.0; 3]);
}

#[test]
fn conn_21_equal_points_share_the_win() {
    assert_eq!(last_turn([[0, 4, 0], [0, 4, 0]]), (json!([8, 8, 0]), vec![0.25, 0.25, -0.5]));
    assert_eq!(last_turn([[0, 4, 8], [0, 4, 0]]), (json!([8, 8, 8]), vec![0.0; 3]));
    assert_eq!(last_turn([[0, 9, 9], [0, 0, 0]]), (json!([8, 9, 9]), vec![-0.5, 0.25, 0.25]));
}

#[test]
fn conn_21_partners_win_each_alone() {
    let parts = with(&last_round(), json!({"idle": 5, "pile": ["Dakar"]}));
    let end = partners(&["Chicago", "", ""], parts).after("draw; discard Dakar");
    assert_eq!(end.result(), (json!([8, 7, 0]), vec![1.0, -0.5, -0.5]));
    assert!(end.text(None).contains("seat 0 wins"));
}

#[test]
fn conn_21_the_range_of_returns() {
    for (players, range) in [(3, [-0.5, 1.0]), (4, [-1.0 / 3.0, 1.0]), (5, [-0.25, 1.0]), (6, [-0.2, 1.0])] {
        assert_eq!(rules(&json!({"players": players}).to_string()).range_of_returns().to_vec(), range);
    }
}

#[test]
fn conn_21_points_add_up_over_the_rounds() {
    for options in all_options() {
        Match::seeded(&options, 50).wander(|game, action| {
            let view = game.view(Some(0));
            let rounds: Vec<Vec<i64>> = serde_json::from_value(view["history"].clone()).unwrap();
            let sum = |seat: usize| rounds.iter().map(|points| points[seat]).sum::<i64>();
            assert_eq!(view["points"], json!((0..game.rules.num_seats()).map(sum).collect::<Vec<_>>()));
            // At the end the last round lies on the table, with the hands.
            if action.is_none() {
                assert_eq!(*rounds.last().unwrap(), game.scores());
            }
        });
    }
}

// The sheet's example

/// Seat 0 is A, seat 1 is B, seat 2 is K.
const WESTERN_ASIA: &str = "Tehran/Melbourne, Riyadh/Shanghai, Baghdad/London, Tashkent";
const SOUTH_EAST_ASIA: &str = "Delhi/Perth, Bangkok/Seoul, Hanoi";

fn example(links: [&str; 2], others: (&str, &str), parts: Value) -> Match {
    let [a, b, k] = [
        format!("{WESTERN_ASIA}{}", links[0]),
        format!("{EASTERN_EUROPE}, Budapest{}", others.0),
        format!("{SOUTH_EAST_ASIA}{}", links[1]),
    ];
    let sets = format!("eastern_europe{}", others.1);
    let table = tables(&[(&a, "western_asia"), (&b, &sets), (&k, "south_east_asia")]);
    Match::of(QUIET, with(&table, parts))
}

#[test]
fn conn_e1_a_and_b_are_partners_around_istanbul_k_and_a_around_lahore() {
    let hands = lists(&["Istanbul, Chicago", "Miami", "Lahore, Cairo"]);
    let game =
        example(["", ""], ("", ""), json!({"hands": hands, "pile": ["Dakar", "Honolulu", "Vienna", "Gibraltar"]}));
    assert_eq!(game.scores(), [8, 8, 4]);
    let game = game.after("play Istanbul; draw; draw; discard Miami; play Lahore; draw");
    // A: 4 + 1. K: 3 + 1.
    assert_eq!((game.moment(), game.scores()), ("play 0".to_owned(), vec![15, 8, 8]));
    let game = game.after("invite Istanbul +1; join; draw; discard Chicago");
    // Istanbul: 4 + 4 + 1 = 9 cards, 250 points.
    assert_eq!((game.bond("istanbul"), game.scores()), (json!([0, 1, null]), vec![125, 125, 8]));
    let game = game.after("draw").play(&format!("discard {}", game.hand(1)[0])).after("invite Lahore +1; join");
    assert_eq!(game.bond("lahore"), json!([2, 0, null]));
    // Lahore: 3 + 4 + 1 = 8 cards, 125 points.
    assert_eq!(game.scores(), [125 + 62, 125, 63]);
    assert_eq!(
        game.parts(0),
        [
            "Istanbul, with seat 1: 9 cards, 250 points, your half 125",
            "Lahore, with seat 2: 8 cards, 125 points, your half 62"
        ]
    );
    assert_eq!(game.parts(1), ["Istanbul, with seat 0: 9 cards, 250 points, your half 125"]);
    assert_eq!(game.parts(2), ["Lahore, with seat 0: 8 cards, 125 points, your half 63"]);
}

#[test]
fn conn_e1_k_and_b_share_nothing() {
    let links = json!([{"city": "Istanbul", "partner": 1}, {"city": "Lahore", "partner": 0}]);
    let parts = |parts: Value| with(&json!({"links": links}), parts);
    // B holds a city of Southeast Asia in hand, and may not play it; nor may K play one of Eastern Europe.
    let hands = json!({"hands": lists(&["", "Mumbai", "Saint Petersburg"]), "turn": 1});
    let game = example([", Istanbul", ", Lahore"], ("", ""), parts(hands));
    assert_eq!(game.scores(), [187, 125, 63]);
    game.assert_refuses(
        "play Mumbai/Moscow",
        "Mumbai needs an own set of South East Asia, or a link that shows it (CONN-8)",
    );
    let turn = json!({"hands": lists(&["", "Mumbai", "Saint Petersburg"]), "turn": 2});
    example([", Istanbul", ", Lahore"], ("", ""), parts(turn)).assert_refuses(
        "play Saint Petersburg/Stockholm",
        "Saint Petersburg needs an own set of Eastern Europe, or a link that shows it (CONN-8)",
    );
    // A may play both.
    let turn = json!({"hands": lists(&["Mumbai, Saint Petersburg", "", ""])});
    let game = example([", Istanbul", ", Lahore"], ("", ""), parts(turn));
    game.assert_allows("play Mumbai/Moscow, play Saint Petersburg/Stockholm");
    // Lahore has 9 cards then.
    assert_eq!(game.after("play Mumbai").scores(), [125 + 125, 125, 125]);
}

#[test]
fn conn_e1_even_where_b_has_a_stray_city_of_southeast_asia() {
    let links = json!([{"city": "Istanbul", "partner": 1}, {"city": "Lahore", "partner": 0}, {"city": "Hong Kong"}]);
    let stray = ", Tokyo/Athens, Taipei, Beijing, Hong Kong, Mumbai";
    let game = example([", Istanbul", ", Lahore"], (stray, ", pacific_asia"), json!({"links": links}));
    // B's Mumbai counts around its own Hong Kong, with three of Pacific Asia: 5 cards, 15 points. Lahore has 8 cards.
    assert_eq!(game.scores(), [187, 125 + 15, 63]);
    assert_eq!(game.parts(2), ["Lahore, with seat 0: 8 cards, 125 points, your half 63"]);
}
