//! Connections as a learner sees it.

use super::deck::Deck;
use super::facts::Seen;
use super::rules::{Action, Connections, LAST_TURNS, State, TOKENS, View};
use crate::game::{Encode, Fast, Rules as _, Seat};
use crate::layout::{Layout, Writer};
use crate::relation::Relation;

const PHASES: &[&str] = &["announce", "offer", "answer", "accept", "play", "invited", "set", "draw", "discard"];
const WORDS: [Action; 7] =
    [Action::Announce, Action::Accept, Action::Join, Action::No, Action::Draw, Action::Take, Action::Pass];
/// Points are shown in steps of this size.
const STEP: i32 = 20;
/// What is added to them, so that none is negative.
const OFFSET: u8 = 10;
/// The highest number of points that is told apart, in such steps, with [`OFFSET`].
const HIGHEST: u8 = 170;

fn card_names(deck: &Deck) -> impl Iterator<Item = String> {
    (0..deck.num_cards() as u8).map(|card| deck.card_name(card))
}

fn face_names(deck: &Deck, faces: usize) -> impl Iterator<Item = String> {
    (0..faces as u8).map(|face| deck.face_name(face))
}

fn link_names(deck: &Deck) -> impl Iterator<Item = String> {
    deck.links().iter().map(|link| deck.city_name(link.city).to_owned())
}

pub(super) fn actions(deck: &Deck, players: usize) -> Layout {
    let (faces, cards, links) = (deck.faces().len(), deck.num_cards(), deck.links().len());
    Layout::new()
        .flags("set", &[deck.num_region_faces()], "choose a city of a set, by card and side")
        .labelled(face_names(deck, deck.num_region_faces()))
        .flags("play", &[faces], "play a single, by card and side, or a link")
        .labelled(face_names(deck, faces))
        .flags("discard", &[cards], "discard a card")
        .labelled(card_names(deck))
        .flags("offer", &[cards, players - 1], "offer a card to the player so many places to the left")
        .flags("answer", &[cards], "answer an offer with a card")
        .labelled(card_names(deck))
        .flags("invite", &[links, players - 1], "invite the player so many places to the left to an own link")
        .flags("announce", &[], "announce the end of the round")
        .flags("accept", &[], "carry the trade out")
        .flags("join", &[], "accept an invitation")
        .flags("no", &[], "announce, offer, answer, accept or join nothing")
        .flags("draw", &[], "draw from the pile")
        .flags("take", &[], "take the top of the discard pile")
        .flags("pass", &[], "have nothing to do")
}

/// The most that there can be of what is counted in a row.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub players: u8,
    /// Cards of a hand, with one drawn before another is discarded.
    pub hand: u8,
    /// Cards of the pile; at least 1.
    pub pile: u8,
    pub turns: u8,
    pub rounds: u8,
}

pub(super) fn observation(deck: &Deck, limits: &Limits) -> Layout {
    let players = usize::from(limits.players);
    let (cards, cities, regions, links) =
        (deck.num_cards(), deck.cities().len(), deck.regions().len(), deck.links().len());
    let cards_block = |layout: Layout, name, meaning| layout.flags(name, &[cards], meaning).labelled(card_names(deck));
    let layout = cards_block(Layout::new(), "hand", "the viewer's cards")
        .flags("known", &[players, cards], "cards in the hands that everybody knows")
        .labelled(card_names(deck))
        .by_seat();
    let layout = cards_block(layout, "unseen", "cards in other hands or in the pile");
    let layout = cards_block(layout, "late", "unseen cards that were in the pile when it was last shuffled or dealt");
    let layout = cards_block(layout, "discarded", "cards in the discard pile");
    let layout = cards_block(layout, "top", "the top of the discard pile");
    let layout = cards_block(layout, "offered", "the card that is offered");
    let layout = cards_block(layout, "reply", "the card that answers the offer");
    let layout = cards_block(layout, "chosen", "cards chosen for a set, or just taken from the discard pile");
    layout
        .flags("tokens_on", &[players, cities], "who has a token on which city")
        .labelled(deck.cities().iter().map(|city| city.name.clone()))
        .by_seat()
        .flags("sets", &[players, regions], "regions of which somebody has a set")
        .labelled(deck.regions().iter().map(|region| region.name.clone()))
        .by_seat()
        .flags("partners", &[players, links], "who is in the partnership around a link")
        .labelled(link_names(deck))
        .by_seat()
        .flags(
            "invited",
            &[players, links],
            "who is invited to a link, or has accepted an invitation and no city there",
        )
        .labelled(link_names(deck))
        .by_seat()
        .flags("offers", &[players], "who offers a card or is asked to")
        .by_seat()
        .flags("offered_to", &[players], "to whom a card is offered")
        .by_seat()
        .counts("cards", &[players], limits.hand, "cards in the hands")
        .by_seat()
        .counts("tokens", &[players], TOKENS, "tokens left")
        .by_seat()
        .counts("turns", &[players], limits.turns, "turns had in this round")
        .by_seat()
        .counts("last_turns", &[players], LAST_TURNS, "turns had since the announcement")
        .by_seat()
        .flags("announced", &[players], "who has announced the end of the round")
        .by_seat()
        .counts("points", &[players], HIGHEST, "points over the finished rounds in steps of 20, rounded down")
        .offset(OFFSET)
        .by_seat()
        .flags("turn", &[players], "whose turn it is")
        .by_seat()
        .flags("to_act", &[players], "who decides now")
        .by_seat()
        .flags("phase", &[PHASES.len()], "what is being decided; none when the match is over")
        .labelled(PHASES.iter().copied())
        .counts("pile", &[], limits.pile, "cards in the pile")
        .counts("idle", &[], 2 * limits.players, "turns in a row of the last round in which no card was played")
        .flags("may_invite", &[], "1 if an invitation may still be made in this turn")
        .counts("rounds_left", &[], limits.rounds - 1, "rounds to come after this one")
}

/// Where the ids of the kinds of actions begin.
struct Starts {
    play: usize,
    discard: usize,
    offer: usize,
    answer: usize,
    invite: usize,
    words: usize,
}

impl Connections {
    #[inline(always)]
    fn starts(&self) -> Starts {
        let (deck, others) = (&self.deck, self.players() - 1);
        let play = deck.num_region_faces();
        let discard = play + deck.faces().len();
        let offer = discard + deck.num_cards();
        let answer = offer + deck.num_cards() * others;
        let invite = answer + deck.num_cards();
        Starts { play, discard, offer, answer, invite, words: invite + deck.links().len() * others }
    }

    #[inline(always)]
    fn write_links(&self, view: &View<'_>, ahead: impl Fn(Seat) -> usize, out: &mut Writer<'_>) {
        let (players, links) = (self.players(), self.deck.links().len());
        let [partners, invited] = [0; 2].map(|_| {
            let block = out.next(players * links);
            block.fill(0);
            block
        });
        for bond in view.table().bonds() {
            let at = |seat: Seat| ahead(seat) * links + usize::from(bond.link);
            if let Some(partner) = bond.partner {
                partners[at(bond.owner)] = 1;
                partners[at(partner)] = 1;
            }
            if let Some(seat) = bond.invited {
                invited[at(seat)] = 1;
            }
        }
        if let Some((link, to)) = view.phase().link().zip(view.phase().to()) {
            invited[ahead(to) * links + usize::from(link)] = 1;
        }
    }
}

impl Encode for Connections {
    #[inline(always)]
    fn actions(&self) -> &Layout {
        &self.actions
    }

    #[inline(always)]
    fn action_id(&self, action: Action) -> usize {
        let starts = self.starts();
        let others = self.players() - 1;
        let aimed = |number: u8, to: u8| usize::from(number) * others + usize::from(to) - 1;
        match action {
            Action::Set(face) => face.into(),
            Action::Play(face) => starts.play + usize::from(face),
            Action::Discard(card) => starts.discard + usize::from(card),
            Action::Offer { card, to } => starts.offer + aimed(card, to),
            Action::Answer(card) => starts.answer + usize::from(card),
            Action::Invite { link, to } => starts.invite + aimed(link, to),
            Action::Announce => starts.words,
            Action::Accept => starts.words + 1,
            Action::Join => starts.words + 2,
            Action::No => starts.words + 3,
            Action::Draw => starts.words + 4,
            Action::Take => starts.words + 5,
            Action::Pass => starts.words + 6,
        }
    }

    #[inline(always)]
    fn action(&self, id: usize) -> Action {
        let starts = self.starts();
        let others = self.players() - 1;
        let aimed = |number: usize| ((number / others) as u8, (number % others) as u8 + 1);
        if id < starts.play {
            Action::Set(id as u8)
        } else if id < starts.discard {
            Action::Play((id - starts.play) as u8)
        } else if id < starts.offer {
            Action::Discard((id - starts.discard) as u8)
        } else if id < starts.answer {
            let (card, to) = aimed(id - starts.offer);
            Action::Offer { card, to }
        } else if id < starts.invite {
            Action::Answer((id - starts.answer) as u8)
        } else if id < starts.words {
            let (link, to) = aimed(id - starts.invite);
            Action::Invite { link, to }
        } else {
            WORDS[(id - starts.words).min(WORDS.len() - 1)]
        }
    }

    #[inline(always)]
    fn observation(&self) -> &Layout {
        &self.observation
    }

    #[inline(always)]
    fn observe(&self, state: &State, viewer: Seat, row: &mut [u8]) {
        let view = state.view(Some(viewer));
        let (players, cards, cities) = (self.players(), self.deck.num_cards(), self.deck.cities().len());
        let ahead = |seat: Seat| {
            let (seat, viewer) = (seat.index(), viewer.index());
            if seat >= viewer { seat - viewer } else { seat + players - viewer }
        };
        let seats = || viewer.around(players);
        let phase = view.phase();
        let table = view.table();
        let one = |card: Option<u8>| card.map_or(0, |card| 1 << card);
        let mut out = Writer::new(row);

        out.set(view.hand(viewer), cards);
        seats().for_each(|seat| out.set(view.known(seat), cards));
        let discarded = view.discard().iter().fold(0, |set, card| set | 1 << card);
        let chosen = phase.chosen().fold(one(phase.taken()), |set, face| set | 1 << self.deck.face(face).card);
        let blocks = [
            view.unseen(),
            view.in_last_pile(),
            discarded,
            one(view.discard().last().copied()),
            one(phase.card()),
            one(phase.reply()),
            chosen,
        ];
        for block in blocks {
            out.set(block, cards);
        }
        for seat in seats() {
            let tokens = out.next(cities);
            tokens.fill(0);
            for &face in table.laid(seat) {
                tokens[usize::from(self.deck.face(face).city)] = 1;
            }
        }
        seats().for_each(|seat| out.set(table.sets(seat).into(), self.deck.regions().len()));
        self.write_links(&view, ahead, &mut out);
        seats().for_each(|seat| out.flag(phase.asked() == Some(seat)));
        seats().for_each(|seat| out.flag(phase.asked().is_some() && phase.to() == Some(seat)));
        seats().for_each(|seat| out.up_to(self.limits.hand, view.num_cards(seat) as usize));
        seats().for_each(|seat| out.number(view.tokens(seat)));
        seats().for_each(|seat| out.number(view.turns(seat)));
        seats().for_each(|seat| out.number(view.last_turns(seat)));
        seats().for_each(|seat| out.flag(view.announced() == Some(seat)));
        let points = view.points();
        seats().for_each(|seat| {
            out.number((points[seat.index()].div_euclid(STEP) + i32::from(OFFSET)).clamp(0, HIGHEST.into()));
        });
        seats().for_each(|seat| out.flag(view.turn() == seat));
        seats().for_each(|seat| out.flag(view.to_act() == Some(seat)));
        out.one_hot(PHASES.iter().position(|name| *name == phase.name()), PHASES.len());
        out.up_to(self.limits.pile, view.num_pile() as usize);
        out.number(view.idle());
        out.flag(view.may_invite());
        out.number(self.rounds().saturating_sub(view.history().len() + 1));
    }

    fn facts(&self) -> &Layout {
        &self.facts
    }

    fn describe_action(&self, state: &State, action: Action, row: &mut [u8]) {
        self.describe_actions(state, &[action], row);
    }

    fn relations(&self) -> Vec<Relation> {
        let deck = &self.deck;
        let regions = || deck.regions().iter().map(|region| region.name.clone());
        let is_of = |city: u8, region: u16| deck.regions_of_city(city).any(|of| u16::from(of) == region);
        let cities = deck.cities().iter().map(|city| city.name.clone());
        vec![
            Relation::new(
                "card_regions",
                "a side of the card shows a city of the region",
                card_names(deck),
                regions(),
                |card, region| deck.cities_of_card(card as u8).any(|city| is_of(city, region)),
            ),
            Relation::new("city_regions", "the city is in the region", cities, regions(), |city, region| {
                is_of(city as u8, region)
            }),
            Relation::new("link_regions", "the link joins the region", link_names(deck), regions(), |link, region| {
                deck.links()[usize::from(link)].regions >> region & 1 == 1
            }),
        ]
    }
}

impl Fast for Connections {
    const PAYS_AT_THE_END: bool = true;

    #[inline(always)]
    fn write_mask(&self, state: &State, mask: &mut [i8], _: &mut Vec<Action>) {
        mask.fill(0);
        self.list(state, |action| mask[self.action_id(action)] = 1);
    }

    fn describe_actions(&self, state: &State, actions: &[Action], rows: &mut [u8]) {
        let Some(seat) = self.to_act(state) else { return };
        let seen = Seen::new(self, state.view(Some(seat)), seat);
        for (&action, row) in actions.iter().zip(rows.chunks_exact_mut(self.facts.size())) {
            seen.describe(action, row);
        }
    }

    #[inline(always)]
    fn num_legal(&self, state: &State, _: &mut Vec<Action>) -> usize {
        let mut number = 0;
        self.list(state, |_| number += 1);
        number
    }
}
