//! What the greedy agent thinks of an action in Connections.
//!
//! Play what scores, keep cards that complete a region or fit a link, get rid of pairs before the end, share a link with
//! whoever makes one's own half larger than the whole was, offer a card to whoever seems to want it, and announce the end
//! when ahead.

use super::deck::{Cards, Face, Kind, Regions};
use super::rules::{Action, Connections, LAST_TURNS, Phase, State, Table, View};
use super::scoring::value;
use crate::bits;
use crate::game::{Heuristic, Rules as _, Seat, Viewer};

/// A card played, whatever it scores.
const PLAYED: i32 = 40;
/// A card of a region with nobody beside it in the hand, with one other, and with two.
const PROGRESS: [i32; 3] = [2, 10, 24];
/// A card that can be played at once, beyond its points.
const FITS: i32 = 12;
/// A link in the hand: without a set for it, and with one.
const LINK: i32 = 6;
const LINK_FITS: i32 = 30;
/// The top of the discard pile must be better than a card of the pile is likely to be.
const LIKELY: i32 = 8;
/// What the answer to an offer is likely to be worth.
const REPLY: i32 = 14;
/// What a card must be worth to somebody, by all that is known, to be offered.
const WANTED: i32 = 10;
/// What a trade has to bring.
const TRADE: i32 = 2;
/// A share of what the other gains by a trade.
const THEIR_GAIN: i32 = 3;
/// Points ahead with which the end is announced, less one for every turn had.
const AHEAD: i32 = 18;
/// A share of what pairs in the hand cost, while the end is not near.
const EARLY: i32 = 16;
/// Joining a link without a city there, but with one in the hand.
const PROMISE: i32 = 5;

impl Heuristic for Connections {
    const LEARNED: &'static [u8] = include_bytes!("learned.safetensors");

    fn value(&self, state: &State, action: Action) -> i32 {
        let Some(seat) = state.view(Viewer::Everything).to_act() else { return 0 };
        let view = state.view(Some(seat));
        let hand = view.hand(seat);
        match action {
            Action::Set(face) => self.judge_set(&view, face),
            Action::Play(face) => {
                let relief = self.relief(&view, hand, self.deck.face(face).card);
                PLAYED + self.gain(&view, seat, face) + relief - self.other_side(&view, face)
            }
            Action::Discard(card) => -self.worth(&view, seat, hand, card),
            Action::Offer { card, to } => self.judge_offer(&view, card, self.left_of(seat, to.into())),
            Action::Answer(card) => self.judge_answer(&view, card),
            Action::Accept => view.phase().card().map_or(0, |card| self.judge_trade(&view, card, view.phase().reply())),
            Action::Invite { link, to } => self.judge_partner(&view, link, self.left_of(seat, to.into())),
            Action::Join => self.judge_partner(&view, view.phase().link().unwrap_or_default(), seat),
            Action::Announce => self.lead(&view) + i32::from(view.turns(seat)) - AHEAD,
            Action::Take => {
                let top = view.discard().last().copied();
                top.map_or(0, |card| self.worth(&view, seat, hand, card)) - LIKELY
            }
            Action::No | Action::Draw | Action::Pass => 0,
        }
    }
}

impl Connections {
    pub(super) fn regions_of_link(&self, link: u8) -> Regions {
        self.deck.links()[usize::from(link)].regions
    }

    /// The regions of which a seat may play singles.
    pub(super) fn open_to(&self, table: &Table, seat: Seat) -> Regions {
        let bonds = table.bonds().iter().filter(|bond| bond.owner == seat || bond.partner == Some(seat));
        bonds.fold(table.sets(seat), |regions, bond| regions | self.regions_of_link(bond.link))
    }

    fn is_marked(&self, table: &Table, city: u8) -> bool {
        let mut laid = (0..self.players()).flat_map(|seat| table.laid(Seat::new(seat)));
        laid.any(|&face| self.deck.face(face).city == city)
    }

    /// Cities of a region that a hand could play, without one of its cards.
    fn others_of_region(&self, table: &Table, hand: Cards, without: u8, region: u8) -> usize {
        let mut cities: Vec<u8> = bits::each(hand & !(1 << without))
            .flat_map(|card| self.faces_of_card(card))
            .filter(|face| face.kind == Kind::Region(region) && !self.is_marked(table, face.city))
            .map(|face| face.city)
            .collect();
        cities.sort_unstable();
        cities.dedup();
        cities.len()
    }

    pub(super) fn faces_of_card(&self, card: u8) -> impl Iterator<Item = Face> {
        super::rules::each(self.deck.faces_of_card(card)).map(|face| self.deck.face(face))
    }

    /// What one more city of a region brings to the largest group that takes it.
    pub(super) fn step(&self, table: &Table, seat: Seat, region: u8) -> i32 {
        let around = |bond: &super::rules::Bond| {
            let regions = self.regions_of_link(bond.link);
            let cities = |seat: Seat| {
                bits::each(regions.into()).map(|r| table.counts()[seat.index()][usize::from(r)]).sum::<u8>()
            };
            let is_in = regions >> region & 1 == 1 && (bond.owner == seat || bond.partner == Some(seat));
            is_in.then(|| {
                (1 + cities(bond.owner) + bond.partner.map_or(0, cities), 1 + i32::from(bond.partner.is_some()))
            })
        };
        let alone = (table.counts()[seat.index()][usize::from(region)], 1);
        let groups = table.bonds().iter().filter_map(around).chain([alone]);
        groups.map(|(cards, shares)| (value(cards + 1) - value(cards)) / shares).max().unwrap_or_default()
    }

    /// What a card is worth to a seat that has these cards.
    fn worth(&self, view: &View<'_>, seat: Seat, hand: Cards, card: u8) -> i32 {
        let table = view.table();
        let open = self.open_to(table, seat);
        let of_face = |face: Face| match face.kind {
            Kind::Link(link) if self.regions_of_link(link) & table.sets(seat) != 0 => LINK_FITS,
            Kind::Link(_) => LINK,
            Kind::Region(_) if self.is_marked(table, face.city) => 0,
            Kind::Region(region) if open >> region & 1 == 1 => FITS + self.step(table, seat, region),
            Kind::Region(region) => PROGRESS[self.others_of_region(table, hand, card, region).min(2)],
        };
        let worths: Vec<i32> = self.faces_of_card(card).map(of_face).collect();
        // The better side, and a little for the choice.
        worths.iter().max().unwrap_or(&0) + worths.iter().sum::<i32>() / 8 - self.relief(view, hand, card)
    }

    /// What pairs cost less without a card than with it, the nearer the end the more it counts.
    fn relief(&self, view: &View<'_>, hand: Cards, card: u8) -> i32 {
        let relief = self.cost_of_pairs(hand & !(1 << card)) - self.cost_of_pairs(hand | 1 << card);
        if self.is_near_the_end(view) { relief } else { relief / EARLY }
    }

    /// Whether the round may be over after two more turns each.
    pub(super) fn is_near_the_end(&self, view: &View<'_>) -> bool {
        let turns_left = self.options().max_turns.saturating_sub(view.turns(view.turn()));
        view.announced().is_some() || usize::from(view.idle()) >= self.players() || turns_left <= LAST_TURNS
    }

    /// What is lost with the other side of a card.
    fn other_side(&self, view: &View<'_>, face: u8) -> i32 {
        let card = self.deck.face(face).card;
        let hand = view.hand(view.turn());
        self.worth(view, view.turn(), hand, card) / 8
    }

    fn judge_set(&self, view: &View<'_>, face: u8) -> i32 {
        let Face { card, kind, .. } = self.deck.face(face);
        let Kind::Region(region) = kind else { return 0 };
        let hand = view.hand(view.turn());
        let more = self.others_of_region(view.table(), hand, card, region) as i32;
        let links = bits::each(hand).flat_map(|card| self.faces_of_card(card));
        let fits = |face: &Face| matches!(face.kind, Kind::Link(link) if self.regions_of_link(link) >> region & 1 == 1);
        2 * PLAYED + 5 * more + LINK * links.filter(fits).count() as i32 - self.other_side(view, face)
    }

    /// The table after a card was played.
    fn gain(&self, view: &View<'_>, seat: Seat, face: u8) -> i32 {
        let after = view.table().with(&self.deck, seat, face);
        self.scorer(&after).points(seat) - self.scorer(view.table()).points(seat)
    }

    /// A card that somebody seems to want more, and that they have not heard of.
    fn judge_offer(&self, view: &View<'_>, card: u8, to: Seat) -> i32 {
        let Some(seat) = view.to_act() else { return 0 };
        if view.known(seat) >> card & 1 == 1 {
            return -TRADE;
        }
        let mine = self.worth(view, seat, view.hand(seat), card);
        let theirs = self.worth(view, to, view.known(to) | 1 << card, card);
        let hopes = if view.known(to) == 0 { 0 } else { self.best_known(view, seat, to, card) };
        let gain = REPLY.max(hopes) - mine - TRADE - theirs / (2 * THEIR_GAIN);
        gain.min(theirs - WANTED)
    }

    /// The best card that is known in another hand.
    fn best_known(&self, view: &View<'_>, seat: Seat, to: Seat, given: u8) -> i32 {
        let hand = view.hand(seat) & !(1 << given);
        bits::each(view.known(to)).map(|card| self.worth(view, seat, hand, card)).max().unwrap_or_default()
    }

    /// A card for the one that is offered, if the other seems to want it more.
    fn judge_answer(&self, view: &View<'_>, card: u8) -> i32 {
        let (Some(asked), Some(offered)) = (view.phase().asked(), view.phase().card()) else { return 0 };
        let worth = |card: u8| self.worth(view, asked, view.known(asked), card);
        self.judge_trade(view, card, Some(offered)).min(worth(card) - worth(offered))
    }

    /// Giving a card for another one.
    fn judge_trade(&self, view: &View<'_>, given: u8, got: Option<u8>) -> i32 {
        let (Some(seat), Some(got)) = (view.to_act(), got) else { return 0 };
        let hand = view.hand(seat);
        let gain = self.worth(view, seat, hand & !(1 << given), got) - self.worth(view, seat, hand, given);
        let (asked, to) = (view.phase().asked(), view.phase().to());
        let other = if asked == Some(seat) { to } else { asked };
        let theirs = other.map_or(0, |other| self.worth(view, other, view.known(other), given));
        gain - TRADE - theirs / THEIR_GAIN
    }

    /// A partnership around a link: what it changes for the seat that decides.
    fn judge_partner(&self, view: &View<'_>, link: u8, partner: Seat) -> i32 {
        let Some(seat) = view.to_act() else { return 0 };
        let table = view.table();
        let regions = self.regions_of_link(link);
        let has_city =
            bits::each(regions.into()).any(|region| table.counts()[partner.index()][usize::from(region)] > 0);
        if !has_city {
            let promise = |card: u8| {
                self.faces_of_card(card).any(|face| {
                    matches!(face.kind, Kind::Region(region) if regions >> region & 1 == 1)
                        && !self.is_marked(table, face.city)
                })
            };
            return if seat == partner && bits::each(view.hand(seat)).any(promise) { PROMISE } else { -PROMISE };
        }
        let joined = table.with_partner(link, partner);
        let change = |seat: Seat| self.scorer(&joined).points(seat) - self.scorer(table).points(seat);
        2 * change(seat) - i32::from(matches!(view.phase(), Phase::Play))
    }

    /// Points ahead of the best other player, if the round ended now.
    fn lead(&self, view: &View<'_>) -> i32 {
        let turn = view.turn();
        let scorer = self.scorer(view.table());
        let points = |seat: Seat| view.points()[seat.index()] + scorer.points(seat);
        let mine = points(turn) + self.cost_of_pairs(view.hand(turn));
        let others = (0..self.players()).map(Seat::new).filter(|&seat| seat != turn);
        mine - others.map(points).max().unwrap_or_default()
    }
}
