//! Any sequence of calls: the game, then operations of a byte each with the bytes that they take.

#![no_main]

use std::sync::atomic::AtomicBool;

use adjoin::batch::Seeds;
use adjoin::dynamic::{AnyBatch, AnyMatch};
use adjoin::error::Error;
use adjoin::game::Seat;
use adjoin::rows::Buffers;
use adjoin_fuzz::{assert_consistent, number, with_stages};
use libfuzzer_sys::fuzz_target;

const LANES: usize = 3;
const ALL: [usize; LANES] = [0, 1, 2];
const AGENTS: [&str; 4] = ["random", "easy", "greedy", "search(iterations=2, depth=2)"];

fuzz_target!(|data: &[u8]| {
    let Some((&game, operations)) = data.split_first() else { return };
    with_stages(number(game), |stages| {
        let batch = stages.select(&[0, 3, 7]);
        let (lanes, widths) = batch.size();
        let mut run = Run { batch, buffers: Buffers::new(lanes, widths), bytes: operations };
        while let Some(operation) = run.byte() {
            let before = run.batch.select(&ALL).unwrap();
            if run.operate(operation).is_err() {
                assert_eq!(saves(&*run.batch), saves(&*before), "a refused call has changed something");
            }
        }
        assert_consistent(&*run.batch.get(operations.len() % LANES).unwrap());
    });
});

fn saves(batch: &dyn AnyBatch) -> [Vec<u8>; LANES] {
    ALL.map(|lane| batch.get(lane).unwrap().save().unwrap())
}

struct Run<'a> {
    batch: Box<dyn AnyBatch>,
    buffers: Buffers,
    bytes: &'a [u8],
}

impl Run<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(byte)
    }

    /// The next byte, 0 after the last.
    fn any(&mut self) -> u8 {
        self.byte().unwrap_or_default()
    }

    /// A lane, or one too many.
    fn lane(&mut self) -> usize {
        usize::from(self.any()) % (LANES + 1)
    }

    /// A seat, if there is one with that number.
    fn seat(&self, number: u8) -> Result<Seat, Error> {
        Error::seat(number.into(), self.batch.size().1.reward)
    }

    /// An action's id: legal, or small and perhaps none.
    fn id(&mut self, lane: usize) -> i32 {
        let byte = self.any();
        let legal = self.batch.get(lane).map(|game| game.legal()).unwrap_or_default();
        match byte.checked_sub(100) {
            Some(rest) if !legal.is_empty() => legal[usize::from(rest) % legal.len()] as i32,
            _ => i32::from(byte) - 3,
        }
    }

    /// Lets something happen in a lane's match.
    fn within(&mut self, lane: usize, work: impl FnOnce(&mut dyn AnyMatch) -> Result<(), Error>) -> Result<(), Error> {
        let mut game = self.batch.get(lane)?;
        work(&mut *game)?;
        self.batch.set(lane, &*game)
    }

    fn operate(&mut self, operation: u8) -> Result<(), Error> {
        let rows = self.buffers.rows();
        match operation % 16 {
            0 => {
                let mut actions = [0; LANES];
                self.batch.sample(&mut actions)?;
                self.batch.step((&actions).into(), rows)
            }
            1 => {
                let actions: [i32; LANES] = std::array::from_fn(|lane| self.id(lane));
                self.batch.step((&actions).into(), self.buffers.rows())
            }
            2 => {
                let lanes: [usize; LANES] = std::array::from_fn(|_| self.lane());
                self.batch = self.batch.select(&lanes)?;
                Ok(())
            }
            3 => {
                let lane = self.lane();
                let id = self.id(lane);
                self.within(lane, |game| game.play(id.into()))
            }
            4 => {
                let [from, to] = [self.lane(), self.lane()];
                let saved = self.batch.get(from)?.save()?;
                self.within(to, |game| game.load(&saved))
            }
            5 => {
                let [from, to] = [self.lane(), self.lane()];
                let position = self.batch.get(from)?.position();
                self.within(to, |game| game.set_position(&position))
            }
            6 => {
                let lane = self.lane();
                self.within(lane, |game| game.time_out())
            }
            7 => {
                let chosen = self.any();
                let seeds = [u64::from(chosen); LANES];
                let chosen: [bool; LANES] = std::array::from_fn(|lane| chosen >> lane & 1 == 1);
                let seeds = (seeds[0] > 100).then_some(&seeds[..]);
                self.batch.restart(&chosen, seeds, self.buffers.rows())
            }
            8 => {
                let seed = self.any().into();
                self.batch.reset(Seeds::One(seed), self.buffers.rows())
            }
            9 => {
                let viewer = self.any().checked_sub(100).map(|seat| self.seat(seat)).transpose()?;
                self.batch.observe(viewer, self.buffers.rows())
            }
            10 => {
                let [viewer, purpose] = [self.any(), self.any()];
                self.batch.resample_hidden(self.seat(viewer)?, purpose.into());
                Ok(())
            }
            11 => {
                let (lane, agent) = (self.lane(), usize::from(self.any()));
                self.within(lane, |game| {
                    let id = game.choose(AGENTS[agent % AGENTS.len()], 0, &AtomicBool::new(false))?;
                    game.play(id as i64).map_err(|error| panic!("{agent}: {error}"))
                })
            }
            12 => {
                let (lane, seed) = (self.lane(), self.any());
                let dealt = self.batch.get(lane)?.deal(seed.into(), u32::MAX - u32::from(seed));
                self.batch.set(lane, &*dealt)
            }
            13 => {
                let lane = self.lane();
                let game = self.batch.get(lane)?;
                assert!(game.to_act().is_none() || game.perft(1) == game.legal().len() as u64);
                Ok(())
            }
            14 => {
                let lane = self.lane();
                let id = self.id(lane);
                self.batch.get(lane)?.why_not(id.into()).map_or(Ok(()), Err)
            }
            _ => {
                let (lane, seed) = (self.lane(), self.any());
                self.batch.callers(&mut [0; LANES])?;
                let branch = self.batch.get(lane)?.copy(Some(seed.into()));
                self.batch.set(lane, &*branch)
            }
        }
    }
}
