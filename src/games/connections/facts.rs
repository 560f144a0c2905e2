//! What a player sees about an action in Connections: the card that goes, the card that comes, to whom they are of use by
//! all that is known, what the tables are worth then, and how near the end is.

use super::deck::{Cards, Cities, Kind, MAX_REGIONS, Regions};
use super::heuristic::Room;
use super::rules::{Action, Connections, LAST_TURNS, MAX_PLAYERS, TOKENS, Table, View};
use crate::bits;
use crate::game::Seat;
use crate::layout::{Layout, Writer};

const KINDS: [&str; 13] =
    ["set", "play", "discard", "offer", "answer", "invite", "announce", "accept", "join", "no", "draw", "take", "pass"];
const PHASES: [&str; 9] = ["announce", "offer", "answer", "accept", "play", "invited", "set", "draw", "discard"];
/// What is said about a card for somebody.
const USES: [&str; 9] = [
    "there is one",
    "link",
    "link for an own set",
    "playable as a single",
    "no other of its region",
    "one other",
    "two or more others",
    "a city with a token",
    "both cities with a token",
];
/// Points that one more city can bring are clipped to this.
const MOST_STEP: u8 = 105;
/// Points are clipped to this, either way where they can be negative.
const POINTS: u8 = 120;
/// And, in steps of this size, to [`POINTS`] steps.
const STEP: i32 = 8;
/// Cards and cities are counted up to this.
const MOST_CARDS: u8 = 12;
/// And where there are hardly ever more, up to this.
const FEW_CARDS: u8 = 6;
const SURE: u8 = 100;

/// The layout, where a round has at most so many turns.
pub(super) fn facts(max_turns: u8) -> Layout {
    let layout = Layout::new()
        .flags("kind", &[KINDS.len()], "what sort of action it is")
        .labelled(KINDS)
        .flags("phase", &[PHASES.len()], "what is being decided")
        .labelled(PHASES);
    let layout = card(layout, ["goes", "goes_step", "goes_others"], "the card that leaves the hand, to the player");
    let layout = card(
        layout,
        ["comes", "comes_step", "comes_others"],
        "the card that comes, or the best one known in the other's hand, to the player",
    );
    let layout = card(
        layout,
        ["they_get", "they_get_step", "they_get_others"],
        "the card that goes, to who gets it, by the cards that all know",
    );
    let layout = card(
        layout,
        ["they_give", "they_give_step", "they_give_others"],
        "the card that comes, to who gives it, by the cards that all know",
    );
    let layout = layout
        .flags("heard", &[], "whether everybody knows already that the player has the card that goes")
        .counts("pairs_change", &[], 2, "unplayed pairs more: with the card that comes and without the one that goes")
        .offset(1)
        .counts("gain", &[], 2 * POINTS, "points that the player's table gains, 120 at most; a set begun: by all three")
        .offset(POINTS)
        .counts("others_gain", &[], POINTS, "points that the other who gains most gains");
    let layout = partner(layout);
    context(layout, max_turns)
}

fn card(layout: Layout, [name, step, others]: [&'static str; 3], meaning: &'static str) -> Layout {
    layout
        .flags(name, &[USES.len()], meaning)
        .labelled(USES)
        .counts(step, &[], MOST_STEP, "points that it brings as a single to the largest group that takes it")
        .counts(others, &[], FEW_CARDS, "cities of the regions of both sides that go with it, in the hand")
}

fn partner(layout: Layout) -> Layout {
    layout
        .flags("has_city", &[], "an invitation: whether the partner has a city of the link's regions on the table")
        .flags("can_promise", &[], "whether the player invited has one in the hand")
        .flags("makes_partner", &[], "whether an open invitation becomes a partnership")
        .counts("partner_cards", &[], MOST_CARDS, "cards that the partnership has then")
        .counts("partner_room", &[], MOST_CARDS, "cities of its regions without a token")
        .counts("set_chosen", &[], 2, "cities of a set that are chosen already")
        .counts("set_others", &[], FEW_CARDS, "a set: other cities of the region in the hand that could be played")
        .counts("set_links", &[], FEW_CARDS, "a set: links in the hand that show its region")
}

fn context(layout: Layout, max_turns: u8) -> Layout {
    layout
        .counts("hand", &[], MOST_CARDS, "cards of the hand then")
        .counts("pairs", &[], FEW_CARDS, "unplayed pairs of the hand then")
        .counts("ready", &[], FEW_CARDS, "regions of which the hand then has three cities that can be played")
        .counts("twos", &[], MOST_CARDS, "regions of which it has two")
        .counts("singles", &[], MOST_CARDS, "cities of the hand then that can be added to a group")
        .counts("fitting_links", &[], FEW_CARDS, "links of the hand then that fit an own set")
        .counts("draw_fits", &[], SURE, "the share of unseen cards that could be added to an own group; 100 is all")
        .counts(
            "draw_completes",
            &[],
            SURE,
            "the share of unseen cards that would be the third of a region; 100 is all",
        )
        .counts("table", &[2], POINTS, "points of the table now: the player's, and the best other's")
        .counts(
            "lead",
            &[],
            2 * POINTS,
            "points over all rounds ahead of the best other, own pairs counted, if the round ended now",
        )
        .offset(POINTS)
        .counts("lead_far", &[], 2 * POINTS, "the same in steps of 8")
        .offset(POINTS)
        .flags("ahead", &[], "whether that is more than 0")
        .counts("turns", &[], max_turns, "turns that the player has had")
        .flags("announced", &[2], "whether the end is announced: by the player, by somebody else")
        .counts("last_turns", &[], LAST_TURNS, "turns that the player has had since")
        .flags("near_end", &[], "whether the round may be over after two more turns each")
        .flags("last_round", &[], "whether it is the last round")
        .counts("tokens", &[], TOKENS, "the player's tokens left")
        .counts("their_tokens", &[], TOKENS, "the fewest tokens of the others")
        .counts("their_cards", &[], MOST_CARDS, "cards of the next player")
}

/// What is the same for all actions of a moment.
pub(super) struct Seen<'a> {
    rules: &'a Connections,
    view: View<'a>,
    seat: Seat,
    table: &'a Table,
    hand: Cards,
    /// The regions of which the player may play singles.
    open: Regions,
    /// Cities with a token.
    marked: Cities,
    /// Cities by region.
    cities: [Cities; MAX_REGIONS],
    /// By seat, what the table is worth.
    points: [i32; MAX_PLAYERS],
    lead: i32,
    draw_fits: u8,
    draw_completes: u8,
    is_near_the_end: bool,
}

/// What a card is to somebody.
#[derive(Clone, Copy, Default)]
struct Use {
    is_link: bool,
    fits_set: bool,
    is_single: bool,
    step: i32,
    /// Cities of the same region, for the side that has more, if no side is a single.
    others: u32,
    all_others: u32,
    dead: u8,
}

/// What an action comes to.
#[derive(Default)]
struct Turn {
    goes: Option<u8>,
    comes: Option<u8>,
    /// With whom cards change hands.
    with: Option<Seat>,
    gain: i32,
    others_gain: i32,
    has_city: bool,
    can_promise: bool,
    makes_partner: bool,
    partner_cards: u8,
    partner_room: u32,
    set_others: u32,
    set_links: u32,
}

impl<'a> Seen<'a> {
    pub(super) fn new(rules: &'a Connections, view: View<'a>, seat: Seat) -> Self {
        let (deck, table) = (&*rules.deck, view.table());
        let players = rules.players();
        let marked = table.marked_cities(deck);
        let mut cities = [0; MAX_REGIONS];
        for (region, cities) in cities.iter_mut().enumerate().take(deck.regions().len()) {
            *cities = deck.cities_of_region(region as u8);
        }
        let scorer = rules.scorer(table);
        let mut points = [0; _];
        points.iter_mut().take(players).enumerate().for_each(|(seat, points)| *points = scorer.points(Seat::new(seat)));
        let hand = view.hand(seat);
        let total = |seat: Seat| view.points()[seat.index()] + points[seat.index()];
        let best = seat.around(players).skip(1).map(total).max().unwrap_or_default();
        let lead = total(seat) + rules.cost_of_pairs(hand) - best;
        let is_near_the_end = rules.is_near_the_end(&view);
        let mut seen = Self {
            rules,
            view,
            seat,
            table,
            hand,
            open: Room::new(rules, table, seat).open,
            marked,
            cities,
            points,
            lead,
            draw_fits: 0,
            draw_completes: 0,
            is_near_the_end,
        };
        seen.look_at_the_pile();
        seen
    }

    fn look_at_the_pile(&mut self) {
        let unseen = self.view.unseen();
        let open = self.open;
        let hand = self.playable_cities(self.hand);
        let free = |regions: &dyn Fn(usize) -> bool| {
            (0..MAX_REGIONS).filter(|&region| regions(region)).fold(0, |all, region| all | self.cities[region])
                & !self.marked
        };
        let fitting = free(&|region| open >> region & 1 == 1);
        let completing =
            free(&|region| open >> region & 1 == 0 && (hand & self.cities[region]).count_ones() == 2) & !hand;
        let [mut fits, mut completes] = [0, 0];
        for card in bits::each(unseen) {
            let cities = self.cities_of_card(card);
            fits += u32::from(cities & fitting != 0);
            completes += u32::from(cities & completing != 0);
        }
        let share = |number: u32| (number * u32::from(SURE) / unseen.count_ones().max(1)) as u8;
        (self.draw_fits, self.draw_completes) = (share(fits), share(completes));
    }

    fn cities_of_card(&self, card: u8) -> Cities {
        self.rules.deck.cities_shown(card)
    }

    /// The cities that cards show and that have no token.
    fn playable_cities(&self, cards: Cards) -> Cities {
        bits::each(cards).fold(0, |cities, card| cities | self.cities_of_card(card)) & !self.marked
    }

    fn others_of_region(&self, cards: Cards, region: u8) -> u32 {
        (self.playable_cities(cards) & self.cities[usize::from(region)]).count_ones()
    }

    fn use_of(&self, card: u8, seat: Seat, cards: Cards) -> Use {
        let room = Room::new(self.rules, self.table, seat);
        let beside = self.playable_cities(cards & !(1 << card));
        let mut found = Use { step: i32::MIN, ..Use::default() };
        for face in self.rules.deck.sides(card) {
            match face.kind {
                Kind::Link(link) => {
                    found.is_link = true;
                    found.fits_set |= self.rules.regions_of_link(link) & self.table.sets(seat) != 0;
                }
                Kind::Region(_) if self.marked >> face.city & 1 == 1 => found.dead += 1,
                Kind::Region(region) if room.open >> region & 1 == 1 => {
                    found.is_single = true;
                    found.step = found.step.max(room.steps[usize::from(region)]);
                }
                Kind::Region(region) => {
                    let others = (beside & self.cities[usize::from(region)]).count_ones();
                    found.others = found.others.max(others);
                    found.all_others += others;
                }
            }
        }
        found.step = if found.is_single { found.step } else { 0 };
        found
    }

    /// Orders cards by their use.
    fn order(found: &Use) -> (bool, i32, u32, bool) {
        (found.is_single || found.fits_set, found.step, found.others, found.is_link)
    }

    fn turn(&self, action: Action) -> Turn {
        let (view, rules) = (&self.view, self.rules);
        let mut turn = Turn::default();
        match action {
            Action::Set(face) => {
                let shown = rules.deck.face(face);
                turn.goes = Some(shown.card);
                if let Kind::Region(region) = shown.kind {
                    self.begin_set(&mut turn, shown.card, region);
                }
            }
            Action::Play(face) => self.play(&mut turn, face),
            Action::Discard(card) => turn.goes = Some(card),
            Action::Offer { card, to } => {
                let to = rules.left_of(self.seat, to.into());
                (turn.goes, turn.with) = (Some(card), Some(to));
                let rest = self.hand & !(1 << card);
                let known = bits::each(view.known(to));
                turn.comes = known.max_by_key(|&card| Self::order(&self.use_of(card, self.seat, rest)));
            }
            Action::Answer(card) => {
                (turn.goes, turn.comes, turn.with) = (Some(card), view.phase().card(), view.phase().asked());
            }
            Action::Accept => {
                (turn.goes, turn.comes, turn.with) = (view.phase().card(), view.phase().reply(), view.phase().to());
            }
            Action::Take => turn.comes = view.discard().last().copied(),
            Action::Invite { link, to } => self.invite(&mut turn, link, rules.left_of(self.seat, to.into())),
            Action::Join => self.invite(&mut turn, view.phase().link().unwrap_or_default(), self.seat),
            Action::Announce | Action::No | Action::Draw | Action::Pass => {}
        }
        turn
    }

    fn count_gains(&self, turn: &mut Turn, table: &Table) {
        let scorer = self.rules.scorer(table);
        let mut gains =
            self.seat.around(self.rules.players()).map(|seat| scorer.points(seat) - self.points[seat.index()]);
        turn.gain = gains.next().unwrap_or_default();
        turn.others_gain = gains.max().unwrap_or_default();
    }

    fn begin_set(&self, turn: &mut Turn, card: u8, region: u8) {
        let rest = self.hand & !(1 << card);
        turn.set_others = self.others_of_region(rest, region);
        let links = bits::each(self.hand).flat_map(|card| self.rules.deck.sides(card));
        let regions = |link| self.rules.regions_of_link(link);
        turn.set_links = links
            .filter(|face| matches!(face.kind, Kind::Link(link) if regions(link) >> region & 1 == 1))
            .count() as u32;
        let deck = &self.rules.deck;
        let of_region = super::rules::each(deck.faces_of_region(region));
        let three = of_region.take(3).fold(self.table.clone(), |table, face| table.with(deck, self.seat, face));
        self.count_gains(turn, &three);
    }

    fn play(&self, turn: &mut Turn, face: u8) {
        let shown = self.rules.deck.face(face);
        turn.goes = Some(shown.card);
        let mut table = self.table.with(&self.rules.deck, self.seat, face);
        if let Kind::Region(region) = shown.kind {
            let is_there = |link: u8| self.rules.regions_of_link(link) >> region & 1 == 1;
            let bond = self.table.bonds().iter().find(|bond| bond.invited == Some(self.seat) && is_there(bond.link));
            if let Some(bond) = bond {
                turn.makes_partner = true;
                table = table.with_partner(bond.link, self.seat);
            }
        }
        self.count_gains(turn, &table);
    }

    fn invite(&self, turn: &mut Turn, link: u8, partner: Seat) {
        let regions = self.rules.regions_of_link(link);
        let counts = self.table.counts();
        let in_regions =
            |seat: Seat| bits::each(regions.into()).map(|region| counts[seat.index()][usize::from(region)]).sum::<u8>();
        turn.has_city = in_regions(partner) > 0;
        let free = self.cities_in(regions) & !self.marked;
        turn.can_promise = partner == self.seat && self.playable_cities(self.hand) & free != 0;
        turn.partner_room = free.count_ones();
        let owner = self.table.bonds().iter().find(|bond| bond.link == link).map_or(self.seat, |bond| bond.owner);
        turn.partner_cards = 1 + in_regions(owner) + in_regions(partner);
        if turn.has_city {
            self.count_gains(turn, &self.table.with_partner(link, partner));
        }
    }

    fn cities_in(&self, regions: Regions) -> Cities {
        bits::each(regions.into()).fold(0, |all, region| all | self.cities[usize::from(region)])
    }

    pub(super) fn describe(&self, action: Action, row: &mut [u8]) {
        let turn = self.turn(action);
        let mut out = Writer::new(row);
        out.one_hot(Some(kind(action)), KINDS.len());
        out.one_hot(Some(self.view.phase().number()), PHASES.len());
        let one = |card: Option<u8>| card.map_or(0, |card| 1 << card);
        let rest = self.hand & !one(turn.goes);
        let known = |seat: Seat| self.view.known(seat);
        write_use(turn.goes.map(|card| self.use_of(card, self.seat, self.hand)), &mut out);
        write_use(turn.comes.map(|card| self.use_of(card, self.seat, rest)), &mut out);
        let to = turn.with;
        write_use(turn.goes.zip(to).map(|(card, to)| self.use_of(card, to, known(to))), &mut out);
        write_use(turn.comes.zip(to).map(|(card, to)| self.use_of(card, to, known(to))), &mut out);
        out.flag(known(self.seat) & one(turn.goes) != 0);
        // What an offer brings is not settled yet.
        let comes = if matches!(action, Action::Offer { .. }) { 0 } else { one(turn.comes) };
        let then = rest | comes;
        let pairs = |cards: Cards| self.rules.num_pairs(cards) as i32;
        out.number((pairs(then) - pairs(self.hand)).clamp(-1, 1) + 1);
        out.number(clipped(turn.gain));
        out.number(from_zero(turn.others_gain));
        out.flag(turn.has_city);
        out.flag(turn.can_promise);
        out.flag(turn.makes_partner);
        out.number(turn.partner_cards.min(MOST_CARDS));
        out.number(few(turn.partner_room));
        out.number(self.view.phase().chosen().count());
        out.number(hardly_any(turn.set_others));
        out.number(hardly_any(turn.set_links));
        self.write_hand(then, &mut out);
        self.write_numbers(&mut out);
    }

    fn write_hand(&self, then: Cards, out: &mut Writer<'_>) {
        let open = self.open;
        let cities = self.playable_cities(then);
        let by_region =
            (0..MAX_REGIONS).map(|region| (open >> region & 1 == 1, (cities & self.cities[region]).count_ones()));
        let [mut ready, mut twos, mut singles] = [0, 0, 0];
        for (is_open, number) in by_region {
            singles += if is_open { number } else { 0 };
            ready += u32::from(!is_open && number >= 3);
            twos += u32::from(!is_open && number == 2);
        }
        let sets = self.table.sets(self.seat);
        let links = bits::each(then).flat_map(|card| self.rules.deck.sides(card));
        let fits = |kind: Kind| matches!(kind, Kind::Link(link) if self.rules.regions_of_link(link) & sets != 0);
        out.number(few(then.count_ones()));
        out.number(hardly_any(self.rules.num_pairs(then)));
        out.number(hardly_any(ready));
        out.number(few(twos));
        out.number(few(singles));
        out.number(hardly_any(links.filter(|face| fits(face.kind)).count() as u32));
        out.number(self.draw_fits);
        out.number(self.draw_completes);
    }

    fn write_numbers(&self, out: &mut Writer<'_>) {
        let (view, seat) = (&self.view, self.seat);
        let others = || seat.around(self.rules.players()).skip(1);
        out.number(from_zero(self.points[seat.index()]));
        out.number(from_zero(others().map(|other| self.points[other.index()]).max().unwrap_or_default()));
        out.number(clipped(self.lead));
        out.number(clipped(self.lead.div_euclid(STEP)));
        out.flag(self.lead > 0);
        out.number(view.turns(seat));
        out.flag(view.announced() == Some(seat));
        out.flag(view.announced().is_some_and(|other| other != seat));
        out.number(view.last_turns(seat));
        out.flag(self.is_near_the_end);
        out.flag(view.history().len() + 1 >= self.rules.rounds());
        out.number(view.tokens(seat));
        out.number(others().map(|other| view.tokens(other)).min().unwrap_or_default());
        out.number(others().next().map_or(0, |next| few(view.num_cards(next))));
    }
}

fn few(number: u32) -> u8 {
    number.min(MOST_CARDS.into()) as u8
}

fn hardly_any(number: u32) -> u8 {
    number.min(FEW_CARDS.into()) as u8
}

fn from_zero(points: i32) -> u8 {
    points.clamp(0, POINTS.into()) as u8
}

fn clipped(points: i32) -> u8 {
    let most = i32::from(POINTS);
    (points.clamp(-most, most) + most) as u8
}

fn write_use(found: Option<Use>, out: &mut Writer<'_>) {
    let flags = out.next(USES.len());
    flags.fill(0);
    flags[0] = found.is_some().into();
    let Use { is_link, fits_set, is_single, step, others, all_others, dead } = found.unwrap_or_default();
    flags[1] = is_link.into();
    flags[2] = fits_set.into();
    flags[3] = is_single.into();
    if found.is_some() && !is_link && !is_single && dead < 2 {
        flags[4 + others.min(2) as usize] = 1;
    }
    flags[7] = (dead > 0).into();
    flags[8] = (dead > 1).into();
    out.number(step.clamp(0, MOST_STEP.into()));
    out.number(hardly_any(all_others));
}

fn kind(action: Action) -> usize {
    match action {
        Action::Set(_) => 0,
        Action::Play(_) => 1,
        Action::Discard(_) => 2,
        Action::Offer { .. } => 3,
        Action::Answer(_) => 4,
        Action::Invite { .. } => 5,
        Action::Announce => 6,
        Action::Accept => 7,
        Action::Join => 8,
        Action::No => 9,
        Action::Draw => 10,
        Action::Take => 11,
        Action::Pass => 12,
    }
}
