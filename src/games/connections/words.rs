//! Connections as people see it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::deck::{Cards, City, Kind, Regions};
use super::rules::{Action, Bond, Connections, Phase, State, View};
use super::scoring::{Part, pairs};
use super::{picture, places, position};
use crate::bits;
use crate::drawing::Picture;
use crate::error::Error;
use crate::game::{self, Describe, Looks, Moment, Phrase, Rules, Seat, Setting, Show, Spoken, Tally, Viewer, Wording};
use crate::position_text::read_position;
use crate::text::{listed, say, won_by, wrap};

impl Show for Connections {
    const RULES_IN_SHORT: &'static str = include_str!("short.txt");
    const EXAMPLES: &'static str = include_str!("examples.json");

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        vec![
            ("players", Setting::Number(3, 6)),
            ("trading", Setting::Switch),
            ("partnerships", Setting::Switch),
            ("partnerships_each", Setting::Number(1, 5)),
            ("deals_each", Setting::Number(1, 4)),
            ("max_turns", Setting::Number(1, 100)),
            ("pairs", Setting::one_of(["front", "least", "most"])),
        ]
    }

    fn say(&self, action: Action) -> Spoken {
        let deck = &self.deck;
        let plain = |verb, what: &'static str, kind| Spoken::new(verb, Phrase::does(verb, what), kind);
        match action {
            Action::Set(face) => {
                let name = deck.face_name(face);
                let phrase = Phrase::does("lay", format!("{name} for a set"));
                self.at_face(face, Spoken::new(format!("set {name}"), phrase, "lay a card for a set"))
            }
            Action::Play(face) => {
                let name = deck.face_name(face);
                let notation = format!("play {name}");
                self.at_face(face, Spoken::new(notation, Phrase::does("play", name), "play a card"))
            }
            Action::Discard(card) => {
                let name = deck.card_name(card);
                Spoken::new(format!("discard {name}"), Phrase::does("discard", name), "discard a card")
                    .at([self.card_place(card)])
            }
            Action::Offer { card, to } => {
                let name = deck.card_name(card);
                let notation = Wording::from(format!("offer {name} to ")).left(to);
                let phrase = Phrase::does("offer", Wording::from(format!("{name} to ")).left(to));
                Spoken::new(notation, phrase, "offer a card to a player")
                    .at([self.card_place(card), places::player(to)])
            }
            Action::Answer(card) => {
                let name = deck.card_name(card);
                let phrase = Phrase::does("answer", format!("with {name}"));
                Spoken::new(format!("answer {name}"), phrase, "answer with a card").at([self.card_place(card)])
            }
            Action::Invite { link, to } => {
                let name = self.link_name(link);
                let notation = Wording::from(format!("invite {name} ")).left(to);
                let phrase = Phrase::does("invite", Wording::default().left(to).text(format!(" to {name}")));
                Spoken::new(notation, phrase, "invite a player to your link")
                    .at([self.city_place(deck.links()[usize::from(link)].city), places::player(to)])
            }
            Action::Announce => plain("announce", "the end of the round", "announce the end of the round"),
            Action::Accept => plain("accept", "", "accept"),
            Action::Join => plain("join", "", "join"),
            Action::No => Spoken::new("no", Phrase::does("say", "no"), "say no"),
            Action::Draw => plain("draw", "a card", "draw a card from the pile").at([places::pile()]).revealing(),
            Action::Take => plain("take", "the top of the discard pile", "take the top of the discard pile")
                .at([places::discard_pile()])
                .revealing(),
            Action::Pass => plain("pass", "", "pass"),
        }
    }

    fn parse(&self, text: &str) -> Option<Action> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()));
        let deck = &self.deck;
        let places = |text: &str| {
            let number: u8 = text.trim().trim_start_matches('+').parse().ok()?;
            (1..self.players() as u8).contains(&number).then_some(number)
        };
        let action = match (&*word.to_lowercase(), rest) {
            ("announce", "") => Action::Announce,
            ("accept", "") => Action::Accept,
            ("join", "") => Action::Join,
            ("no", "") => Action::No,
            ("draw", "") => Action::Draw,
            ("take", "") => Action::Take,
            ("pass", "") => Action::Pass,
            ("set", face) => {
                Action::Set(deck.find_face(face).filter(|&face| usize::from(face) < deck.num_region_faces())?)
            }
            ("play", face) => Action::Play(deck.find_face(face)?),
            ("discard", card) => Action::Discard(deck.find_card(card)?),
            ("answer", card) => Action::Answer(deck.find_card(card)?),
            ("offer", offer) => {
                let (card, to) = offer.rsplit_once(char::is_whitespace)?;
                let card = card.trim_end();
                let at = card.len().checked_sub(2).filter(|&at| card.is_char_boundary(at))?;
                let card = Some(card.split_at(at)).filter(|(_, word)| word.eq_ignore_ascii_case("to"))?.0;
                Action::Offer { card: deck.find_card(card)?, to: places(to)? }
            }
            ("invite", invitation) => {
                let (link, to) = invitation.rsplit_once(char::is_whitespace)?;
                Action::Invite { link: deck.find_link(link)?, to: places(to)? }
            }
            _ => return None,
        };
        Some(action)
    }

    fn text(&self, state: &State, viewer: Viewer) -> String {
        let view = state.view(viewer);
        let mut out = self.heading(&view);
        for seat in (0..self.players()).map(Seat::new) {
            self.write_seat(&mut out, &view, seat);
        }
        out.truncate(out.trim_end().len());
        out
    }

    fn view(&self, state: &State, viewer: Viewer) -> Value {
        let view = state.view(viewer);
        let (deck, players, phase, table) = (&self.deck, self.players(), view.phase(), view.table());
        let seats = || (0..players).map(Seat::new);
        let names = |cards: Cards| bits::each(cards).map(|card| deck.card_name(card)).collect::<Vec<_>>();
        let card_name = |card: Option<u8>| card.map(|card| deck.card_name(card));
        let link_id = |link: u8| &*deck.cities()[usize::from(deck.links()[usize::from(link)].city)].id;
        let city = |(city, token): (&City, Option<Seat>)| {
            json!({
                "id": city.id, "name": city.name, "regions": city.regions,
                "lon": city.lon, "lat": city.lat, "token": token,
            })
        };
        let hand = |seat: Seat| {
            json!({
                "cards": view.num_cards(seat),
                "held": names(view.hand(seat)),
                "tokens": view.tokens(seat),
                "turns": view.turns(seat),
                "last_turns": view.last_turns(seat),
            })
        };
        let bond = |bond: &Bond| {
            json!({
                "city": link_id(bond.link), "owner": bond.owner, "partner": bond.partner, "invited": bond.invited,
            })
        };
        let legal = self.legal_for(state, viewer).into_iter().map(|action| self.notation(action));
        json!({
            "game": Self::NAME,
            "viewer": viewer.seat(),
            "phase": phase.name(),
            "to_act": view.to_act(),
            "turn": view.turn(),
            "dealer": view.dealer(),
            "round": self.round_of(&view),
            "rounds": self.rounds(),
            "points": &view.points()[..players],
            "regions": deck.regions(),
            "cities": deck.cities().iter().zip(table.tokens(deck)).map(city).collect::<Vec<_>>(),
            "hands": seats().map(hand).collect::<Vec<_>>(),
            "laid": seats()
                .map(|seat| table.laid(seat).iter().map(|&face| deck.face_name(face)).collect::<Vec<_>>())
                .collect::<Vec<_>>(),
            "sets": seats().map(|seat| self.region_ids(table.sets(seat))).collect::<Vec<_>>(),
            "links": table.bonds().iter().map(bond).collect::<Vec<_>>(),
            "pile": view.num_pile(),
            "discard": view.discard().iter().map(|&card| deck.card_name(card)).collect::<Vec<_>>(),
            "announced": view.announced(),
            "idle": view.idle(),
            "max_turns": self.options().max_turns,
            "chosen": {
                "asked": phase.asked(),
                "card": card_name(phase.card()),
                "to": phase.to(),
                "reply": card_name(phase.reply()),
                "link": phase.link().map(link_id),
                "cities": phase.chosen().map(|face| deck.face_name(face)).collect::<Vec<_>>(),
                "taken": card_name(phase.taken()),
                "may_invite": view.may_invite(),
            },
            "scores": seats().map(|seat| self.score_json(&view, seat)).collect::<Vec<_>>(),
            "history": view.history().iter().map(|points| &points[..players]).collect::<Vec<_>>(),
            "legal": legal.collect::<Vec<_>>(),
            "returns": &self.returns(state)[..players],
        })
    }

    fn picture(&self, state: &State, viewer: Viewer, last: Option<Action>, looks: Looks<'_>) -> Picture {
        picture::draw(self, state, viewer, last, looks)
    }

    fn moment(&self, state: &State) -> Moment {
        let view = state.view(Viewer::Everything);
        let part = game::Part {
            noun: "round",
            number: self.round_of(&view),
            of: self.rounds(),
            tally: Tally { what: "points", values: view.points()[..self.players()].to_vec() },
            tie_break: None,
        };
        Moment { part, is_half_made: matches!(view.phase(), Phase::Set { .. }) }
    }

    fn is_silent(&self, state: &State, action: Action) -> bool {
        action == Action::No && matches!(state.view(Viewer::Everything).phase(), Phase::Announce | Phase::Offer { .. })
    }
}

impl Connections {
    /// An action that puts a face down: its card and its city are clicked.
    fn at_face(&self, face: u8, spoken: Spoken) -> Spoken {
        self.face_places(face).fold(spoken, Spoken::at)
    }

    /// The legal actions, for somebody who may know them: the seat to act, and who sees everything.
    pub(super) fn legal_for(&self, state: &State, viewer: Viewer) -> Vec<Action> {
        let mut legal = Vec::new();
        if viewer.knows_actions_of(self.to_act(state)) {
            self.legal_actions(state, &mut legal);
        }
        legal
    }

    pub(super) fn link_name(&self, link: u8) -> &str {
        self.deck.city_name(self.deck.links()[usize::from(link)].city)
    }

    fn region_ids(&self, regions: Regions) -> Vec<&str> {
        bits::each(regions.into()).map(|region| &*self.deck.regions()[usize::from(region)].id).collect()
    }

    pub(super) fn region_names(&self, regions: Regions) -> Vec<String> {
        bits::each(regions.into()).map(|region| self.deck.regions()[usize::from(region)].name.clone()).collect()
    }

    /// Number of the round, from 1.
    pub(super) fn round_of(&self, view: &View<'_>) -> usize {
        (view.history().len() + 1).min(self.rounds())
    }

    /// What a part of a score is for, and what it brings.
    fn part_text(&self, part: &Part) -> String {
        let Part { link, with, regions, cards, value, points } = *part;
        let link = link.map(|link| self.link_name(link));
        match (link, with) {
            (Some(link), Some(with)) => {
                format!("{link}, with seat {}: {cards} cards, {value} points, your half {points}", with.index())
            }
            (link, _) => {
                let around = link.map_or_else(String::new, |link| format!(" with {link}"));
                let noun = if cards == 1 { "card" } else { "cards" };
                format!("{}{around}: {cards} {noun}, {points} points", listed(&self.region_names(regions)))
            }
        }
    }

    fn score_json(&self, view: &View<'_>, seat: Seat) -> Value {
        let parts = self.scorer(view.table()).parts(seat);
        let part_json = |part: &Part| {
            json!({
                "what": if part.with.is_some() { "partnership" } else { "group" },
                "link": part.link.map(|link| {
                    &*self.deck.cities()[usize::from(self.deck.links()[usize::from(link)].city)].id
                }),
                "with": part.with,
                "regions": self.region_ids(part.regions),
                "cards": part.cards,
                "value": part.value,
                "points": part.points,
                "text": self.part_text(part),
            })
        };
        let mut listed: Vec<Value> = parts.iter().map(part_json).collect();
        let mut points: i32 = parts.iter().map(|part| part.points).sum();
        if let Some((text, number, cost)) = self.pairs_of(view, seat) {
            points += cost;
            listed.push(json!({
                "what": "pairs", "link": null, "with": null, "regions": [],
                "cards": 2 * number, "value": cost, "points": cost, "text": text,
            }));
        }
        json!({ "points": points, "parts": listed })
    }

    /// The pairs in a hand in words, how many and what they cost, if the viewer sees the hand and there are any.
    fn pairs_of(&self, view: &View<'_>, seat: Seat) -> Option<(String, u32, i32)> {
        let hand = view.hand(seat);
        let number = pairs(&self.deck, hand, self.options().pairs);
        let cost = self.cost_of_pairs(hand);
        let noun = if number == 1 { "pair" } else { "pairs" };
        let text = format!("{number} {noun} in hand: {cost} points");
        (view.sees_hand(seat) && number > 0).then_some((text, number, cost))
    }

    /// What a seat has in this round by what the viewer sees: points, and what for, in words.
    pub(super) fn score_in_words(&self, view: &View<'_>, seat: Seat) -> (i32, Vec<String>) {
        let parts = self.scorer(view.table()).parts(seat);
        let pairs = self.pairs_of(view, seat);
        let points = parts.iter().map(|part| part.points).chain(pairs.iter().map(|(.., cost)| *cost)).sum();
        let texts = parts.iter().map(|part| self.part_text(part)).chain(pairs.map(|(text, ..)| text)).collect();
        (points, texts)
    }

    fn heading(&self, view: &View<'_>) -> String {
        let turn = view.turn().index();
        let card = |card: u8| self.deck.card_name(card);
        let phase = view.phase();
        let what = match phase {
            Phase::Announce => format!("seat {turn} may announce the end of the round"),
            Phase::Offer { asked } => format!("seat {} may offer a card", asked.index()),
            Phase::Answer { asked, card: offered, to } => {
                format!("seat {} offers {}: what does seat {} answer?", asked.index(), card(offered), to.index())
            }
            Phase::Accept { asked, card: offered, to, reply } => {
                let (offered, reply) = (card(offered), card(reply));
                format!("does seat {} give {offered} to seat {} for {reply}?", asked.index(), to.index())
            }
            Phase::Play => format!("seat {turn} to play"),
            Phase::Invited { link, to } => {
                format!("seat {turn} invites seat {} to {}", to.index(), self.link_name(link))
            }
            Phase::Set { .. } => {
                let cities: Vec<String> = phase.chosen().map(|face| self.deck.face_name(face)).collect();
                format!("seat {turn} plays a set: {} and …", cities.join(", "))
            }
            Phase::Draw => format!("seat {turn} to draw a card"),
            Phase::Discard { .. } => format!("seat {turn} to discard a card"),
            Phase::Over => won_by(self.players(), self.winners(view.points())),
        };
        let mut out = String::new();
        say(&mut out, &format!("{},", Self::TITLE), &what);
        let (round, rounds, dealer) = (self.round_of(view), self.rounds(), view.dealer().index());
        let top = view.discard().last().map_or_else(String::new, |&top| format!(", top {}", self.deck.card_name(top)));
        let (pile, discarded) = (view.num_pile(), view.discard().len());
        let piles = format!("of {rounds}, dealt by seat {dealer}; pile {pile}, discarded {discarded}{top}");
        say(&mut out, &format!("round {round}"), &piles);
        if let Some(seat) = view.announced() {
            let _ = writeln!(out, "seat {} has announced the end: two more turns for the others", seat.index());
        }
        if view.idle() > 0 {
            let _ = writeln!(out, "turns without a card played: {}", view.idle());
        }
        out
    }

    fn write_seat(&self, out: &mut String, view: &View<'_>, seat: Seat) {
        let marker = if view.to_act() == Some(seat) { '>' } else { ' ' };
        let _ = writeln!(
            out,
            "{marker} seat {}: cards {}, tokens {}, turns {}, points {}",
            seat.index(),
            view.num_cards(seat),
            view.tokens(seat),
            view.turns(seat),
            view.points()[seat.index()]
        );
        let held = bits::each(view.hand(seat)).map(|card| self.deck.card_name(card));
        wrap(out, if view.sees_hand(seat) { "    hand:" } else { "    known:" }, held);
        let table = view.table();
        for region in 0..self.deck.regions().len() as u8 {
            let cities: Vec<String> = table
                .laid(seat)
                .iter()
                .filter(|&&face| self.deck.face(face).kind == Kind::Region(region))
                .map(|&face| self.deck.city_name(self.deck.face(face).city).to_owned())
                .collect();
            let star = if table.sets(seat) >> region & 1 == 1 { " (set)" } else { "" };
            wrap(out, &format!("    {}{star}:", self.deck.regions()[usize::from(region)].name), cities.into_iter());
        }
        for bond in table.bonds().iter().filter(|bond| bond.owner == seat) {
            let regions = self.region_names(self.deck.links()[usize::from(bond.link)].regions);
            let with = match (bond.partner, bond.invited) {
                (Some(partner), _) => format!("; partner: seat {}", partner.index()),
                (None, Some(invited)) => format!("; invited: seat {}", invited.index()),
                (None, None) => String::new(),
            };
            let title = format!("    link {}:", self.link_name(bond.link));
            let last = regions.len() - 1;
            let words = regions
                .into_iter()
                .enumerate()
                .map(|(number, region)| if number == last { format!("{region}{with}") } else { region });
            wrap(out, &title, words);
        }
        for text in self.score_in_words(view, seat).1 {
            say(out, "    now:", &text);
        }
    }
}

impl Describe for Connections {
    fn position(&self, state: &State) -> String {
        serde_json::to_string(&position::write(self, &state.view(Viewer::Everything))).unwrap_or_default()
    }

    fn parse_position(&self, text: &str) -> Result<State, Error> {
        read_position(self, text, |position| self.state_at(position))
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Action, Connections, Options};
    use crate::game::{Describe as _, Rules as _, Show as _};

    const HANDS: &str = r#""hands": [["Lima/Johannesburg"], ["Miami"], ["Cairo"]], "pile": ["Dakar", "Honolulu"]"#;

    #[test]
    fn a_moment_is_a_round_with_its_points() {
        let rules = Connections::new(Options::default()).unwrap();
        let state = rules.parse_position(&format!(r#"{{{HANDS}, "history": [[4, -20, 15]]}}"#)).unwrap();
        let moment = rules.moment(&state);
        assert_eq!((moment.part.noun, moment.part.number, moment.part.of), ("round", 2, 3));
        assert_eq!((moment.part.tally.what, &*moment.part.tally.values), ("points", &[4, -20, 15][..]));
        assert!(moment.part.tie_break.is_none() && !moment.is_half_made);
    }

    #[test]
    fn only_an_answer_to_somebody_is_heard() {
        let rules = Connections::new(Options::default()).unwrap();
        let is_silent = |phase: &str, action| {
            let position = format!(r#"{{{HANDS}, "known": ["Miami"], {phase}}}"#);
            rules.is_silent(&rules.parse_position(&position).unwrap(), action)
        };
        let (unasked, asked) =
            (r#""phase": "offer", "asked": 1"#, r#""phase": "answer", "asked": 1, "card": "Miami", "to": 2"#);
        assert!(is_silent(unasked, Action::No) && !is_silent(unasked, Action::Draw));
        assert!(!is_silent(asked, Action::No));
    }
}
