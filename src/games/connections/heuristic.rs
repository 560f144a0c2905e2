//! What the greedy agent thinks of an action in Connections.
//!
//! Play what scores, keep cards that complete a region or fit a link, get rid of pairs before the end, share a link with
//! whoever makes one's own half larger than the whole was, offer a card to whoever seems to want it, and announce the end
//! when ahead.

use super::deck::{Cards, Cities, Face, Kind, MAX_LINKS, MAX_REGIONS, Regions};
use super::rules::{Action, Connections, LAST_TURNS, MAX_PLAYERS, Phase, State, Table, View};
use super::scoring::{PAIR, Pairs, value};
use crate::bits;
use crate::game::{Heuristic, Rules as _, Seat};

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
        self.to_act(state).map_or(0, |seat| Judge::new(self, state, seat).value(action))
    }

    fn values(&self, state: &State, actions: &[Action], mut out: impl FnMut(i32)) {
        let Some(seat) = self.to_act(state) else { return };
        let mut judge = Judge::new(self, state, seat);
        for &action in actions {
            out(judge.value(action));
        }
    }
}

impl Connections {
    pub(super) fn regions_of_link(&self, link: u8) -> Regions {
        self.deck.links()[usize::from(link)].regions
    }

    /// Whether the round may be over after two more turns each.
    pub(super) fn is_near_the_end(&self, view: &View<'_>) -> bool {
        let turns_left = self.options().max_turns.saturating_sub(view.turns(view.turn()));
        view.announced().is_some() || usize::from(view.idle()) >= self.players() || turns_left <= LAST_TURNS
    }
}

/// What a seat may add to the table.
pub(super) struct Room {
    /// The regions of which it has a set.
    sets: Regions,
    /// The regions of which it may play singles.
    pub open: Regions,
    /// What one more city of such a region brings to the largest group that takes it.
    pub steps: [i32; MAX_REGIONS],
}

impl Room {
    pub fn new(rules: &Connections, table: &Table, seat: Seat) -> Self {
        let sets = table.sets(seat);
        let mut room = Self { sets, open: sets, steps: [i32::MIN; _] };
        for bond in table.bonds().iter().filter(|bond| bond.owner == seat || bond.partner == Some(seat)) {
            let regions = rules.regions_of_link(bond.link);
            let cities = |seat: Seat| rules.scorer(table).cities(seat, regions);
            let (cards, shares) = match bond.partner {
                Some(partner) => (1 + cities(bond.owner) + cities(partner), 2),
                None => (1 + cities(bond.owner), 1),
            };
            room.open |= regions;
            for region in bits::each(regions.into()) {
                let step = &mut room.steps[usize::from(region)];
                *step = (*step).max((value(cards + 1) - value(cards)) / shares);
            }
        }
        for region in bits::each(room.open.into()) {
            let cities = table.counts()[seat.index()][usize::from(region)];
            let step = &mut room.steps[usize::from(region)];
            *step = (*step).max(value(cities + 1) - value(cities));
        }
        room
    }
}

/// Cards that somebody holds.
struct Held {
    cards: Cards,
    /// The cities without token that they show.
    cities: Cities,
    /// Those that more than one of them shows.
    shared: Cities,
    /// The regions with an odd number of fronts.
    odd: Regions,
}

/// What somebody holds beside a card.
#[derive(Clone, Copy)]
struct Beside {
    cards: Cards,
    cities: Cities,
    odd: Regions,
}

impl Held {
    fn new(rules: &Connections, marked: Cities, cards: Cards) -> Self {
        let mut held = Self { cards, cities: 0, shared: 0, odd: 0 };
        for card in bits::each(cards) {
            let shown = rules.deck.cities_shown(card) & !marked;
            held.shared |= held.cities & shown;
            held.cities |= shown;
            held.odd ^= rules.deck.front(card);
        }
        held
    }

    /// What is held beside a card, which may be among them.
    fn beside(&self, rules: &Connections, card: u8) -> Beside {
        let Self { cards, cities, shared, odd } = *self;
        if cards >> card & 1 == 0 {
            return Beside { cards, cities, odd };
        }
        let alone = rules.deck.cities_shown(card) & !shared;
        Beside { cards: cards & !(1 << card), cities: cities & !alone, odd: odd ^ rules.deck.front(card) }
    }
}

/// Somebody else, by what all know of the hand.
struct Other {
    room: Room,
    known: Held,
    /// By card of that hand, once they were asked for.
    hopes: Option<Vec<Hope>>,
}

/// What a known card of somebody else is worth to who decides.
struct Hope {
    card: u8,
    worth: i32,
    /// Cards that show none of these regions do not matter for it.
    depends: Regions,
}

/// What has not been asked for.
const UNKNOWN: i32 = i32::MIN;

/// A decision, and what its actions have in common: judging each by itself took 3.6 times as long.
struct Judge<'a> {
    rules: &'a Connections,
    view: View<'a>,
    table: &'a Table,
    /// Who decides.
    seat: Seat,
    hand: Held,
    room: Room,
    /// Cities with a token.
    marked: Cities,
    is_near_the_end: bool,
    /// Those who were looked at.
    others: [Option<Other>; MAX_PLAYERS],
    /// The card that was offered last, and what it is worth to who decides.
    offered: Option<(u8, i32)>,
    /// What the card to be answered is worth to who offers it, once it was asked for.
    lost: Option<i32>,
    /// What the table is worth, once it was asked for.
    points: Option<i32>,
    /// What a single of each region adds to that, or each link, or [`UNKNOWN`].
    gains: [i32; MAX_REGIONS + MAX_LINKS],
}

impl<'a> Judge<'a> {
    fn new(rules: &'a Connections, state: &'a State, seat: Seat) -> Self {
        let view = state.view(Some(seat));
        let table = view.table();
        let marked = table.marked_cities(&rules.deck);
        Self {
            rules,
            view,
            table,
            seat,
            hand: Held::new(rules, marked, view.hand(seat)),
            room: Room::new(rules, table, seat),
            marked,
            is_near_the_end: rules.is_near_the_end(&view),
            others: [const { None }; _],
            offered: None,
            lost: None,
            points: None,
            gains: [UNKNOWN; _],
        }
    }

    fn value(&mut self, action: Action) -> i32 {
        let phase = self.view.phase();
        match action {
            Action::Set(face) => self.set(face),
            Action::Play(face) => {
                let Face { card, kind, .. } = self.rules.deck.face(face);
                let beside = self.beside(card);
                PLAYED + self.gain(face, kind) + self.relief(beside, card) - self.worth(&self.room, beside, card) / 8
            }
            Action::Discard(card) => -self.own_worth(card),
            Action::Offer { card, to } => self.offer(card, self.rules.left_of(self.seat, to.into())),
            Action::Answer(card) => self.answer(card),
            Action::Accept => self.accept(),
            Action::Invite { link, to } => self.partner(link, self.rules.left_of(self.seat, to.into())),
            Action::Join => self.partner(phase.link().unwrap_or_default(), self.seat),
            Action::Announce => self.lead() + i32::from(self.view.turns(self.seat)) - AHEAD,
            Action::Take => self.view.discard().last().map_or(0, |&card| self.own_worth(card)) - LIKELY,
            Action::No | Action::Draw | Action::Pass => 0,
        }
    }

    fn beside(&self, card: u8) -> Beside {
        self.hand.beside(self.rules, card)
    }

    /// What a card is worth to somebody with such room who has these cards beside it.
    fn worth(&self, room: &Room, beside: Beside, card: u8) -> i32 {
        let (mut best, mut sum) = (i32::MIN, 0);
        for &face in self.rules.deck.sides(card) {
            let worth = self.worth_of_side(room, beside, face);
            best = best.max(worth);
            sum += worth;
        }
        // The better side, and a little for the choice.
        best + sum / 8 - self.relief(beside, card)
    }

    fn worth_of_side(&self, room: &Room, beside: Beside, face: Face) -> i32 {
        match face.kind {
            Kind::Link(link) if self.rules.regions_of_link(link) & room.sets != 0 => LINK_FITS,
            Kind::Link(_) => LINK,
            Kind::Region(_) if self.marked >> face.city & 1 == 1 => 0,
            Kind::Region(region) if room.open >> region & 1 == 1 => FITS + room.steps[usize::from(region)],
            Kind::Region(region) => {
                let others = beside.cities & self.rules.deck.cities_of_region(region);
                PROGRESS[usize::from(others != 0) + usize::from(others & others.wrapping_sub(1) != 0)]
            }
        }
    }

    /// What a card is worth to who decides.
    fn own_worth(&self, card: u8) -> i32 {
        self.worth(&self.room, self.beside(card), card)
    }

    /// What pairs cost less without a card than with it, the nearer the end the more it counts.
    fn relief(&self, beside: Beside, card: u8) -> i32 {
        let relief = match self.rules.options().pairs {
            Pairs::Front => -PAIR * i32::from(beside.odd & self.rules.deck.front(card) != 0),
            Pairs::Least | Pairs::Most => {
                self.rules.cost_of_pairs(beside.cards) - self.rules.cost_of_pairs(beside.cards | 1 << card)
            }
        };
        if self.is_near_the_end { relief } else { relief / EARLY }
    }

    fn set(&self, face: u8) -> i32 {
        let Face { card, kind: Kind::Region(region), .. } = self.rules.deck.face(face) else { return 0 };
        let beside = self.beside(card);
        let more = (beside.cities & self.rules.deck.cities_of_region(region)).count_ones() as i32;
        let sides = bits::each(self.hand.cards).flat_map(|card| self.rules.deck.sides(card));
        let fits =
            |side: &&Face| matches!(side.kind, Kind::Link(link) if self.rules.regions_of_link(link) >> region & 1 == 1);
        let links = sides.filter(fits).count() as i32;
        2 * PLAYED + 5 * more + LINK * links - self.worth(&self.room, beside, card) / 8
    }

    /// What the table is worth more after a card was played.
    fn gain(&mut self, face: u8, kind: Kind) -> i32 {
        let index = match kind {
            Kind::Region(region) => usize::from(region),
            Kind::Link(link) => MAX_REGIONS + usize::from(link),
        };
        let (rules, table, seat) = (self.rules, self.table, self.seat);
        if self.gains[index] == UNKNOWN {
            let points = *self.points.get_or_insert_with(|| rules.scorer(table).points(seat));
            let after = table.with(&rules.deck, seat, face);
            self.gains[index] = rules.scorer(&after).points(seat) - points;
        }
        self.gains[index]
    }

    /// Looks at somebody else.
    fn meet(&mut self, seat: Seat) {
        if self.others[seat.index()].is_none() {
            let known = Held::new(self.rules, self.marked, self.view.known(seat));
            self.others[seat.index()] =
                Some(Other { room: Room::new(self.rules, self.table, seat), known, hopes: None });
        }
    }

    fn hope(&self, card: u8) -> Hope {
        let deck = &self.rules.deck;
        let depends = match self.rules.options().pairs {
            Pairs::Front => deck.front(card) | deck.regions_shown(card) & !self.room.open,
            Pairs::Least | Pairs::Most => Regions::MAX,
        };
        Hope { card, worth: self.own_worth(card), depends }
    }

    /// The best card that is known in another hand, once a card is given away.
    fn best_hope(&mut self, seat: Seat, given: u8) -> i32 {
        let hopes = self.others[seat.index()].as_mut().and_then(|other| other.hopes.take());
        let hopes =
            hopes.unwrap_or_else(|| bits::each(self.view.known(seat)).map(|card| self.hope(card)).collect::<Vec<_>>());
        let beside = self.beside(given);
        let shown = self.rules.deck.regions_shown(given);
        let worth = |hope: &Hope| match hope.depends & shown {
            0 => hope.worth,
            _ => self.worth(&self.room, beside, hope.card),
        };
        let best = hopes.iter().map(worth).max().unwrap_or_default();
        if let Some(other) = &mut self.others[seat.index()] {
            other.hopes = Some(hopes);
        }
        best
    }

    /// A card that somebody seems to want more, and that they have not heard of.
    fn offer(&mut self, card: u8, to: Seat) -> i32 {
        if self.view.known(self.seat) >> card & 1 == 1 {
            return -TRADE;
        }
        self.meet(to);
        let mine = match self.offered {
            Some((offered, worth)) if offered == card => worth,
            _ => self.own_worth(card),
        };
        self.offered = Some((card, mine));
        let Some(other) = &self.others[to.index()] else { return 0 };
        let theirs = self.worth(&other.room, other.known.beside(self.rules, card), card);
        let wanted = theirs - WANTED;
        let gain = |reply: i32| reply - mine - TRADE - theirs / (2 * THEIR_GAIN);
        // What is known of the other hand matters only where more is wanted than any answer brings.
        if wanted <= gain(REPLY) {
            return wanted;
        }
        gain(REPLY.max(self.best_hope(to, card))).min(wanted)
    }

    /// A card for the one that is offered, if the other seems to want it more.
    fn answer(&mut self, card: u8) -> i32 {
        let (Some(asked), Some(offered)) = (self.view.phase().asked(), self.view.phase().card()) else { return 0 };
        let theirs = self.worth_to(asked, card);
        let lost = match self.lost {
            Some(lost) => lost,
            None => self.worth_to(asked, offered),
        };
        self.lost = Some(lost);
        self.trade(card, offered, theirs).min(theirs - lost)
    }

    /// The answer for the card that was offered.
    fn accept(&mut self) -> i32 {
        let phase = self.view.phase();
        let (Some(to), Some(card), Some(reply)) = (phase.to(), phase.card(), phase.reply()) else { return 0 };
        let theirs = self.worth_to(to, card);
        self.trade(card, reply, theirs)
    }

    /// What a card is worth to somebody else, by what all know.
    fn worth_to(&mut self, seat: Seat, card: u8) -> i32 {
        self.meet(seat);
        let Some(other) = &self.others[seat.index()] else { return 0 };
        self.worth(&other.room, other.known.beside(self.rules, card), card)
    }

    /// Giving a card, which is worth so much to who gets it, for another one.
    fn trade(&self, given: u8, got: u8, theirs: i32) -> i32 {
        let beside = self.beside(given);
        let gain = self.worth(&self.room, beside, got) - self.worth(&self.room, beside, given);
        gain - TRADE - theirs / THEIR_GAIN
    }

    /// A partnership around a link: what it changes for the seat that decides.
    fn partner(&self, link: u8, partner: Seat) -> i32 {
        let (rules, table, seat) = (self.rules, self.table, self.seat);
        let regions = rules.regions_of_link(link);
        if rules.scorer(table).cities(partner, regions) == 0 {
            let has_promise =
                bits::each(regions.into()).any(|region| self.hand.cities & rules.deck.cities_of_region(region) != 0);
            return if seat == partner && has_promise { PROMISE } else { -PROMISE };
        }
        let joined = table.with_partner(link, partner);
        let change = rules.scorer(&joined).points(seat) - rules.scorer(table).points(seat);
        2 * change - i32::from(matches!(self.view.phase(), Phase::Play))
    }

    /// Points ahead of the best other player, if the round ended now.
    fn lead(&self) -> i32 {
        let (rules, turn) = (self.rules, self.view.turn());
        let (scorer, finished) = (rules.scorer(self.table), self.view.points());
        let points = |seat: Seat| finished[seat.index()] + scorer.points(seat);
        let mine = points(turn) + rules.cost_of_pairs(self.view.hand(turn));
        let others = turn.around(rules.players()).skip(1);
        mine - others.map(points).max().unwrap_or_default()
    }
}
