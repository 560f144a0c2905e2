//! What a table of episodes, or of their decisions, tells.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::{
    ArrowPrimitiveType, Float32Type as F32, Int8Type as I8, Int32Type as I32, UInt8Type as U8, UInt32Type as U32,
    UInt64Type as U64,
};
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, PrimitiveArray, RecordBatch, StringArray};
use arrow_schema::{ArrowError, Field, Schema};

use super::holdings::{Fate, Holding};
use super::play::{Decision, Episode, num_figures};
use super::{Plan, Record};
use crate::error::Error;
use crate::game::{Game, MAX_SEATS, Statistic};
use crate::lane::Seating;
use crate::memory::{collect, room};
use crate::rows::Status;

/// The key under which the metadata of a field say what the column tells.
pub const MEANING: &str = "meaning";

const EPISODE: &str = "the number of the episode under the seed";
const DIGEST: &str = "the same for matches with the same start, actions and result";

/// A row an episode.
pub(super) fn of_episodes<R: Game>(
    seating: &Seating<R>,
    plan: &Plan,
    episodes: &[Episode],
) -> Result<RecordBatch, Error> {
    let seats = seating.rules.num_seats();
    let (agents, agent_codes) = different(plan.names.iter().map(String::as_str));
    let endings = StringArray::from_iter_values(R::ENDINGS.iter().copied().chain(["cut off"]));
    let rows = collect("rows", episodes.iter().map(|episode| (episode, won(episode, seats))))?;
    let mut columns = Columns::of(&rows);
    columns.add::<U64>("seed", "the seed of the run", |_| plan.seed);
    columns.add::<U32>("episode", EPISODE, |(episode, _)| episode.number);
    columns.add::<U64>("digest", DIGEST, |(episode, _)| episode.digest);
    for seat in 0..seats {
        let player = |first: u8| (seat + seats - usize::from(first)) % seats;
        columns.add_text(format!("agent_{seat}"), "who played at the seat", &agents, |(episode, _)| {
            agent_codes[player(episode.first)]
        });
    }
    columns.add::<I8>("winner", "the seat of the only winner; -1 if there is none", |(_, (_, winner))| *winner);
    for seat in 0..seats {
        let meaning = "the seat's share of the win: 1, a part of it, or 0";
        columns.add::<F32>(format!("won_{seat}"), meaning, |(_, (shares, _))| shares[seat]);
    }
    for seat in 0..seats {
        columns.add::<F32>(format!("return_{seat}"), "what the seat earned", |(episode, _)| episode.returns[seat]);
    }
    for seat in 0..seats {
        let meaning = "the seat's final score as players write it down";
        columns.add::<I32>(format!("score_{seat}"), meaning, |(episode, _)| episode.account.scores[seat]);
    }
    columns.add::<U8>("began", "the seat that had the first turn", |(episode, _)| episode.began);
    columns.add::<U32>("decisions", "decisions taken", |(episode, _)| episode.decisions);
    columns.add::<U32>("turns", "turns had by all seats together", |(episode, _)| episode.account.turns);
    columns.add::<U32>("rounds", "rounds or games played to the end", |(episode, _)| episode.account.rounds);
    columns.add_text("ended", "how the match ended", &endings, |(episode, _)| {
        if episode.status == Status::Over { episode.account.ended.into() } else { R::ENDINGS.len() as i32 }
    });
    for (place, (name, meaning)) in by_seat(R::STATISTICS, seats).enumerate() {
        columns.add::<I32>(name, meaning, |(episode, _)| episode.own[place]);
    }
    columns.finish()
}

/// A row a decision.
pub(super) fn of_decisions<R: Game>(
    seating: &Seating<R>,
    plan: &Plan,
    episodes: &[Episode],
) -> Result<RecordBatch, Error> {
    let rules = &seating.rules;
    let (agents, agent_codes) = different(plan.names.iter().map(String::as_str));
    let words: Vec<String> = (0..rules.actions().size()).map(|id| rules.notation(rules.action(id))).collect();
    let (words, word_codes) = different(words.iter().map(String::as_str));
    let mut rows: Vec<(&Episode, u32, &Decision)> =
        room("rows", episodes.iter().map(|episode| episode.trail.len()).sum())?;
    for episode in episodes {
        rows.extend((0..).zip(&episode.trail).map(|(ply, decision)| (episode, ply, decision)));
    }
    let mut columns = Columns::of(&rows);
    columns.add::<U32>("episode", EPISODE, |row| row.0.number);
    columns.add::<U64>("digest", DIGEST, |row| row.0.digest);
    columns.add::<U32>("ply", "the number of the decision within the episode, from 0", |row| row.1);
    columns.add::<U8>("seat", "who decided", |row| row.2.seat.index() as u8);
    columns.add_text("agent", "which agent that was", &agents, |row| agent_codes[usize::from(row.2.player)]);
    columns.add::<U32>("action", "the id of the action", |row| row.2.action);
    columns.add_text("words", "the action in the game's notation", &words, |row| word_codes[row.2.action as usize]);
    columns.add::<U32>("legal", "how many actions were legal", |row| row.2.legal);
    let meaning = "what the seat that decided earned until its next decision, or the end";
    columns.add::<F32>("reward", meaning, |row| row.2.reward);
    for seat in 0..rules.num_seats() {
        let meaning = "what the seat earned until the next decision of anybody, or the end";
        columns.add::<F32>(format!("reward_{seat}"), meaning, |row| row.2.earned[seat]);
    }
    for seat in 0..rules.num_seats() {
        let meaning = "how far ahead the seat was after the decision";
        columns.add::<I32>(format!("standing_{seat}"), meaning, |row| row.2.standing[seat]);
    }
    if plan.record == Record::States {
        let (width, seats) = (num_figures(rules), rules.num_seats());
        for (place, (name, meaning)) in by_seat(R::FIGURES, seats).enumerate() {
            let meaning = format!("{meaning}, before the decision");
            columns.add::<I32>(name, &meaning, |row| row.0.figures[row.1 as usize * width + place]);
        }
    }
    columns.finish()
}

/// A row for every piece that a seat has had.
pub(super) fn of_pieces<R: Game>(
    seating: &Seating<R>,
    plan: &Plan,
    episodes: &[Episode],
) -> Result<RecordBatch, Error> {
    let rules = &seating.rules;
    let seats = rules.num_seats();
    let (agents, agent_codes) = different(plan.names.iter().map(String::as_str));
    let pieces = StringArray::from(rules.pieces());
    let nowhere = String::new();
    let spots: Vec<String> = rules.spots().iter().map(ToString::to_string).collect();
    let spots = StringArray::from_iter_values([&nowhere].into_iter().chain(&spots));
    let fates = StringArray::from_iter_values(Fate::NAMES);
    let mut rows: Vec<(&Episode, [f32; MAX_SEATS], &Holding)> =
        room("rows", episodes.iter().map(|episode| episode.pieces.len()).sum())?;
    for episode in episodes {
        let (shares, _) = won(episode, seats);
        rows.extend(episode.pieces.iter().map(|piece| (episode, shares, piece)));
    }
    let player = |episode: &Episode, seat: u8| (usize::from(seat) + seats - usize::from(episode.first)) % seats;
    let mut columns = Columns::of(&rows);
    columns.add::<U32>("episode", EPISODE, |row| row.0.number);
    columns.add::<U64>("digest", DIGEST, |row| row.0.digest);
    columns.add::<U32>("deal", "the number of the round or game within the match, from 0", |row| row.2.deal);
    columns.add::<U8>("seat", "who had the piece", |row| row.2.seat);
    columns.add_text("agent", "which agent that was", &agents, |row| agent_codes[player(row.0, row.2.seat)]);
    columns.add_text("piece", "what it is", &pieces, |row| row.2.piece.into());
    columns.add::<U32>("since", "decisions of the match before the seat had it", |row| row.2.ply[0]);
    columns.add::<U32>("until", "decisions of the match before the one that laid it, or before it was over", |row| {
        row.2.ply[1]
    });
    let meaning = "what became of it: laid, left at the end of the deal, or gone in another way";
    columns.add_text("fate", meaning, &fates, |row| row.2.fate as i32);
    columns.add_text("place", "where it was laid, as the picture calls it", &spots, |row| {
        row.2.spot.map_or(0, |spot| i32::from(spot) + 1)
    });
    columns
        .add::<F32>("won", "the seat's share of the win: 1, a part of it, or 0", |row| row.1[usize::from(row.2.seat)]);
    columns.add::<U32>("decisions", "decisions of the match", |row| row.0.decisions);
    columns.finish()
}

/// Names and meanings of the columns of some figures: one each, or one for each seat.
fn by_seat(figures: &'static [Statistic], seats: usize) -> impl Iterator<Item = (String, &'static str)> {
    figures.iter().flat_map(move |figure| {
        (0..if figure.by_seat { seats } else { 1 }).map(move |seat| {
            let name = if figure.by_seat { format!("{}_{seat}", figure.name) } else { figure.name.to_owned() };
            (name, figure.meaning)
        })
    })
}

/// Each seat's share of the win, and the only winner's seat or -1. Nobody wins a match that was cut off.
fn won(episode: &Episode, seats: usize) -> ([f32; MAX_SEATS], i8) {
    let mut shares = [0.0; MAX_SEATS];
    if episode.status != Status::Over {
        return (shares, -1);
    }
    let most = episode.returns[..seats].iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let is_winner = |seat: &usize| episode.returns[*seat] >= most;
    let winners = (0..seats).filter(is_winner).count();
    for seat in (0..seats).filter(is_winner) {
        shares[seat] = 1.0 / winners as f32;
    }
    let only = (0..seats).find(is_winner).filter(|_| winners == 1);
    (shares, only.map_or(-1, |seat| seat as i8))
}

/// Collects the columns of a table with a row for each item.
struct Columns<'a, T> {
    rows: &'a [T],
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
    /// The first column that cannot be made.
    failure: Option<Error>,
}

impl<'a, T> Columns<'a, T> {
    fn of(rows: &'a [T]) -> Self {
        Self { rows, fields: Vec::new(), arrays: Vec::new(), failure: None }
    }

    fn add<V: ArrowPrimitiveType>(&mut self, name: impl Into<String>, meaning: &str, value: impl Fn(&T) -> V::Native) {
        let values = collect("rows", self.rows.iter().map(value));
        self.push(name, meaning, values.map(numbers::<V>));
    }

    fn add_text(&mut self, name: impl Into<String>, meaning: &str, labels: &StringArray, code: impl Fn(&T) -> i32) {
        let codes = collect("rows", self.rows.iter().map(code));
        self.push(name, meaning, codes.and_then(|codes| text(codes.into(), labels.clone())));
    }

    fn push(&mut self, name: impl Into<String>, meaning: &str, array: Result<ArrayRef, Error>) {
        match array {
            Ok(array) => {
                self.fields.push(field(name, meaning, &array));
                self.arrays.push(array);
            }
            Err(error) => self.failure = self.failure.take().or(Some(error)),
        }
    }

    fn finish(self) -> Result<RecordBatch, Error> {
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(RecordBatch::try_new(Arc::new(Schema::new(self.fields)), self.arrays)?),
        }
    }
}

/// A column of numbers; nothing is copied.
pub fn numbers<V: ArrowPrimitiveType>(values: Vec<V::Native>) -> ArrayRef {
    Arc::new(PrimitiveArray::<V>::new(values.into(), None))
}

/// A column of text: numbers of labels.
pub fn text(codes: Int32Array, labels: StringArray) -> Result<ArrayRef, Error> {
    Ok(Arc::new(DictionaryArray::<I32>::try_new(codes, Arc::new(labels))?))
}

/// The different ones of some texts, as labels, and which of them each is.
pub fn different<'a>(texts: impl Iterator<Item = &'a str>) -> (StringArray, Vec<i32>) {
    let (mut codes, mut labels) = (HashMap::new(), Vec::new());
    let code = |text| {
        *codes.entry(text).or_insert_with(|| {
            labels.push(text);
            labels.len() as i32 - 1
        })
    };
    let codes = texts.map(code).collect();
    (labels.into(), codes)
}

/// How a table describes a column.
pub fn field(name: impl Into<String>, meaning: &str, array: &dyn Array) -> Field {
    let metadata = HashMap::from([(MEANING.to_owned(), meaning.to_owned())]);
    Field::new(name, array.data_type().clone(), false).with_metadata(metadata)
}

impl From<ArrowError> for Error {
    fn from(error: ArrowError) -> Self {
        Self::Table(error.to_string())
    }
}
