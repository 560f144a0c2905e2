//! Matches played to their ends, several side by side on a thread.

use std::hash::{Hash as _, Hasher as _};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use ndarray::Array2;

use super::holdings::{Holding, Holdings};
use super::{Callers, NoAnswer, Plan, Record};
use crate::batch::refused;
use crate::digest::Digest;
use crate::error::Error;
use crate::game::{Account, Game, MAX_SEATS, Play, Returns, Seat};
use crate::lane::{Lane, Seating};
use crate::memory::{reserve, room};
use crate::players::Player;
use crate::rng::Origin;
use crate::rows::Status;
use crate::saves;

/// How many episodes are played side by side on a thread: between built-in agents, and with callers, who are asked for
/// many at a time.
const TOGETHER: usize = 64;
const TOGETHER_WITH_CALLERS: usize = 256;

/// Memory that a thread has to spare, and after how many episodes it looks whether it has.
const SPARE_BYTES: usize = 40 << 20;
const LOOKS_EVERY: usize = 64;

/// A match while it is played.
struct Ongoing<R: Game> {
    number: u32,
    lane: Lane<R::State>,
    count: R::Count,
    digest: Digest,
    trail: Vec<Decision>,
    /// The game's own figures before each decision.
    figures: Vec<i32>,
    holdings: Holdings<R::State>,
    /// What each seat has earned before its first decision.
    early: Returns,
    /// The seat that has the first turn.
    began: Seat,
}

/// A match that was played.
pub(super) struct Episode {
    pub number: u32,
    /// The first player's seat.
    pub first: u8,
    pub status: Status,
    pub decisions: u32,
    pub returns: Returns,
    pub account: Account,
    /// The game's own statistics.
    pub own: Vec<i32>,
    /// The same for matches with the same start, actions and result.
    pub digest: u64,
    /// The seat that had the first turn.
    pub began: u8,
    /// Empty unless decisions are recorded.
    pub trail: Vec<Decision>,
    /// The game's own figures before each decision; empty unless states are recorded.
    pub figures: Vec<i32>,
    /// Empty unless pieces are recorded.
    pub pieces: Vec<Holding>,
}

/// A decision that was taken.
pub(super) struct Decision {
    pub seat: Seat,
    pub player: u8,
    pub action: u32,
    pub legal: u32,
    /// What the seat that decided earned until its next decision.
    pub reward: f32,
    /// What each seat earned until the next decision of anybody.
    pub earned: Returns,
    pub standing: [i32; MAX_SEATS],
}

/// How many numbers the game's own figures of a moment are.
pub(super) fn num_figures<R: Game>(rules: &R) -> usize {
    R::FIGURES.iter().map(|figure| if figure.by_seat { rules.num_seats() } else { 1 }).sum()
}

/// How every episode of a plan begins.
pub(super) struct Opening<R: Game> {
    /// The lane from which it goes on, and whose knowledge that is; none where each is dealt.
    from: Option<(Lane<R::State>, Option<Seat>)>,
    action: Option<i64>,
    num_pieces: usize,
}

impl<R: Game> Opening<R> {
    pub fn new(seating: &Seating<R>, plan: &Plan) -> Result<Self, Error> {
        let start = plan.start.as_ref();
        let from = match start {
            None => None,
            Some(start) => {
                let lane = saves::load(seating, &start.save)?;
                if lane.to_act(&seating.rules).is_none() {
                    let (value, allowed) = ("a match that is over".to_owned(), "must be one that goes on".to_owned());
                    return Err(Error::Config { name: "start", value, allowed });
                }
                let seats = seating.rules.num_seats();
                Some((lane, start.viewer.map(|viewer| Error::seat(viewer, seats)).transpose()?))
            }
        };
        let num_pieces = if plan.record == Record::Pieces { seating.rules.pieces().len() } else { 0 };
        Ok(Self { from, action: start.and_then(|start| start.action), num_pieces })
    }

    fn lane(&self, seating: &Seating<R>, origin: Origin, number: u32) -> Lane<R::State> {
        match &self.from {
            None => Lane::dealt(seating, origin, number),
            Some((lane, viewer)) => lane.branch(seating, origin, number, *viewer),
        }
    }

    /// What is played first, if this is the first decision and that is given.
    #[inline(always)]
    fn action(&self, seating: &Seating<R>, lane: &Lane<R::State>) -> Result<Option<R::Action>, Error> {
        match self.action {
            Some(id) if lane.decisions == 0 => checked(&seating.rules, lane, id).map(Some),
            _ => Ok(None),
        }
    }
}

/// The action with an id, if it is legal.
fn checked<R: Game>(rules: &R, lane: &Lane<R::State>, id: i64) -> Result<R::Action, Error> {
    let action = usize::try_from(id).ok().filter(|&id| id < rules.actions().size()).map(|id| rules.action(id));
    let legal = action.filter(|&action| rules.is_legal(&lane.state, action));
    legal.ok_or_else(|| refused(rules, lane, None, id))
}

/// Plays the waiting episodes of a plan, by number from its first on, and adds them to those that are finished.
#[inline(always)]
pub(super) fn play<R: Game>(
    seating: &Seating<R>,
    plan: &Plan,
    opening: &Opening<R>,
    callers: Option<&dyn Callers>,
    mut waiting: Range<u32>,
    done: &AtomicU32,
    finished: &mut Vec<Episode>,
) -> Result<(), Error> {
    let together = if callers.is_some() { TOGETHER_WITH_CALLERS } else { TOGETHER };
    let mut ongoing: Vec<_> =
        waiting.by_ref().take(together).map(|number| Ongoing::deal(seating, plan, opening, number)).collect();
    let mut actions = Vec::with_capacity(together);
    let mut scratch = Vec::new();
    while !ongoing.is_empty() && !seating.stop.load(Ordering::Relaxed) {
        actions.clear();
        for one in &mut ongoing {
            let action = match opening.action(seating, &one.lane)? {
                Some(first) => Some(first),
                None => one.lane.agent_action(seating, &mut scratch),
            };
            if let Some(action) = action {
                one.before(seating, plan.record, action, &mut scratch)?;
            }
            actions.push(action);
        }
        if let Some(callers) = callers {
            ask(seating, plan.record, callers, &mut ongoing, &mut actions, &mut scratch)?;
        }
        let playing = ongoing.iter_mut().zip(&actions).filter_map(|(one, action)| {
            action.map(|action| Play { state: &mut one.lane.state, action, rng: &mut one.lane.rng })
        });
        seating.rules.apply_each(playing);
        let mut index = 0;
        while let Some(one) = ongoing.get_mut(index) {
            if actions[index].is_some() {
                one.after(seating, plan.record);
            }
            if one.lane.status == Status::Running {
                index += 1;
                continue;
            }
            make_room(finished)?;
            finished.push(one.finish(seating));
            done.fetch_add(1, Ordering::Relaxed);
            if let Some(number) = waiting.next() {
                *one = Ongoing::deal(seating, plan, opening, number);
                index += 1;
            } else {
                ongoing.swap_remove(index);
                actions.swap_remove(index);
            }
        }
    }
    Ok(())
}

/// Makes room for one more. An episode also asks for memory in small pieces, which cannot fail: so there must be some to
/// spare, asked for at once and given back.
fn make_room(finished: &mut Vec<Episode>) -> Result<(), Error> {
    if finished.len().is_multiple_of(LOOKS_EVERY) {
        let (count, bytes) = (finished.len() + 1, size_of::<Episode>());
        room::<u8>("bytes", SPARE_BYTES).map_err(|_| Error::Memory { what: "episodes", count, bytes })?;
    }
    reserve(finished, "episodes", 1)
}

/// Fills in what the callers decide.
fn ask<R: Game>(
    seating: &Seating<R>,
    record: Record,
    callers: &dyn Callers,
    ongoing: &mut [Ongoing<R>],
    actions: &mut [Option<R::Action>],
    scratch: &mut Vec<R::Action>,
) -> Result<(), Error> {
    for (player, _) in seating.players.iter().enumerate().filter(|(_, player)| matches!(player, Player::Caller)) {
        let asked: Vec<usize> = (0..ongoing.len())
            .filter(|&index| {
                let lane = &ongoing[index].lane;
                let decides = |seat| lane.player_at(seat, seating) == player;
                actions[index].is_none() && lane.to_act(&seating.rules).is_some_and(decides)
            })
            .collect();
        if asked.is_empty() {
            continue;
        }
        let rules = &seating.rules;
        let mut observations = Array2::<u8>::zeros((asked.len(), rules.observation().size()));
        let mut masks = Array2::<i8>::zeros((asked.len(), rules.actions().size()));
        for ((&index, mut observation), mut mask) in asked.iter().zip(observations.rows_mut()).zip(masks.rows_mut()) {
            if let (Some(observation), Some(mask)) = (observation.as_slice_mut(), mask.as_slice_mut()) {
                rules.write_turn(&ongoing[index].lane.state, observation, mask, scratch);
            }
        }
        let answers = callers.answer(player, observations.view(), masks.view()).map_err(|why| {
            let NoAnswer::Failed(message) = why else { return Error::Stopped };
            // Which of them it was: the first that fails alone.
            let alone = |row: &usize| {
                let rows = *row..row + 1;
                let observation = observations.slice(ndarray::s![rows.clone(), ..]);
                callers.answer(player, observation, masks.slice(ndarray::s![rows, ..])).is_err()
            };
            let row = if asked.len() == 1 { 0 } else { (0..asked.len()).find(alone).unwrap_or(0) };
            ongoing[asked[row]].failed(seating, message)
        })?;
        for (&index, answer) in asked.iter().zip(answers) {
            let action = ongoing[index].legal(seating, answer)?;
            ongoing[index].before(seating, record, action, scratch)?;
            actions[index] = Some(action);
        }
    }
    Ok(())
}

impl<R: Game> Ongoing<R> {
    fn deal(seating: &Seating<R>, plan: &Plan, opening: &Opening<R>, number: u32) -> Self {
        let number = plan.first.wrapping_add(number);
        let lane = opening.lane(seating, Origin { seed: plan.seed, lane: 0 }, number);
        let mut count = R::Count::default();
        seating.rules.after(&mut count, &lane.state);
        let mut digest = Digest::new();
        lane.state.hash(&mut digest);
        let mut holdings = Holdings::default();
        if plan.record == Record::Pieces {
            holdings.begin(&seating.rules, &lane.state, opening.num_pieces);
        }
        let began = seating.rules.begins(&lane.state).unwrap_or(Seat::new(0));
        let (trail, figures, early) = (Vec::new(), Vec::new(), Returns::default());
        Self { number, lane, count, digest, trail, figures, holdings, early, began }
    }

    #[inline(always)]
    fn before(
        &mut self,
        seating: &Seating<R>,
        record: Record,
        action: R::Action,
        scratch: &mut Vec<R::Action>,
    ) -> Result<(), Error> {
        seating.rules.before(&mut self.count, &self.lane.state, action);
        self.digest.write_u64(seating.rules.action_id(action) as u64);
        match record {
            Record::Episodes => Ok(()),
            Record::Decisions | Record::States => self.note(seating, record, action, scratch),
            Record::Pieces => {
                self.holdings.before(&seating.rules, &self.lane.state, action, &self.lane.rng);
                Ok(())
            }
        }
    }

    #[cold]
    fn note(
        &mut self,
        seating: &Seating<R>,
        record: Record,
        action: R::Action,
        scratch: &mut Vec<R::Action>,
    ) -> Result<(), Error> {
        let Some(seat) = self.lane.to_act(&seating.rules) else { return Ok(()) };
        reserve(&mut self.trail, "decisions", 1)?;
        if record == Record::States {
            let (done, width) = (self.figures.len(), num_figures(&seating.rules));
            reserve(&mut self.figures, "figures", width)?;
            self.figures.resize(done + width, 0);
            seating.rules.figures(&self.lane.state, &mut self.figures[done..]);
        }
        self.trail.push(Decision {
            seat,
            player: self.lane.player_at(seat, seating) as u8,
            action: seating.rules.action_id(action) as u32,
            legal: seating.rules.num_legal(&self.lane.state, scratch) as u32,
            reward: std::mem::take(&mut self.early[seat.index()]),
            earned: Returns::default(),
            standing: [0; MAX_SEATS],
        });
        Ok(())
    }

    #[inline(always)]
    fn after(&mut self, seating: &Seating<R>, record: Record) {
        self.lane.move_on(seating);
        seating.rules.after(&mut self.count, &self.lane.state);
        if record.has_decisions() {
            self.pay(seating);
        } else if record == Record::Pieces {
            self.holdings.after(&seating.rules, &self.lane.state, self.lane.decisions);
        }
    }

    /// Credits what was earned to each seat's last decision, or to its first if that is still to come.
    #[cold]
    fn pay(&mut self, seating: &Seating<R>) {
        let seats = seating.rules.num_seats();
        let earned = self.lane.earned(&seating.rules);
        for seat in (0..seats).filter(|&seat| earned[seat] != 0.0) {
            let last = self.trail.iter_mut().rev().find(|decision| decision.seat.index() == seat);
            *last.map_or(&mut self.early[seat], |decision| &mut decision.reward) += earned[seat];
        }
        if let Some(decision) = self.trail.last_mut() {
            decision.earned = earned;
            decision.standing = seating.rules.standing(&self.lane.state);
        }
    }

    fn finish(&mut self, seating: &Seating<R>) -> Episode {
        let seats = seating.rules.num_seats();
        self.holdings.leave(self.lane.decisions);
        let mut own = vec![0; R::STATISTICS.iter().map(|figure| if figure.by_seat { seats } else { 1 }).sum()];
        let account = seating.rules.account(&self.count, &self.lane.state, &mut own);
        let returns = seating.rules.returns(&self.lane.state);
        for (earned, score) in returns.iter().zip(&account.scores).take(seats) {
            self.digest.write_u32(earned.to_bits());
            self.digest.write_i32(*score);
        }
        own.hash(&mut self.digest);
        Episode {
            number: self.number,
            first: self.lane.seat_of(0, seating).index() as u8,
            status: self.lane.status,
            decisions: self.lane.decisions,
            returns,
            account,
            own,
            digest: self.digest.finish(),
            began: self.began.index() as u8,
            trail: std::mem::take(&mut self.trail),
            figures: std::mem::take(&mut self.figures),
            pieces: std::mem::take(&mut self.holdings.ended),
        }
    }

    /// The action that a caller's answer stands for.
    fn legal(&self, seating: &Seating<R>, answer: i64) -> Result<R::Action, Error> {
        let rules = &seating.rules;
        let refuse = |why| Err(self.failed(seating, format!("the agent's action {answer} is illegal: {why}")));
        let Some(id) = usize::try_from(answer).ok().filter(|&id| id < rules.actions().size()) else {
            return refuse(format!("ids are 0 to {}", rules.actions().size() - 1));
        };
        let action = rules.action(id);
        match rules.check(&self.lane.state, action) {
            Ok(()) => Ok(action),
            Err(why) => refuse(format!("{}: {why}", rules.notation(action))),
        }
    }

    fn failed(&self, seating: &Seating<R>, message: String) -> Error {
        let seat = self.lane.to_act(&seating.rules).map_or(0, Seat::index);
        Error::Caller { episode: self.number, decision: self.lane.decisions, seat, message }
    }
}
