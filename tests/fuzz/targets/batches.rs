//! Any sequence of calls: the game, then operations of a byte each with the bytes that they take.

#![no_main]

use std::sync::atomic::AtomicBool;

use adjoin::batch::Seeds;
use adjoin::error::Error;
use adjoin::rows::Buffers;
use adjoin::dynamic::Simulator;
use adjoin_fuzz::{assert_consistent, number, with_stages};
use libfuzzer_sys::fuzz_target;

const LANES: usize = 3;
const ALL: [usize; LANES] = [0, 1, 2];
const AGENTS: [&str; 4] = ["random", "easy", "greedy", "search(iterations=2, depth=2)"];

fuzz_target!(|data: &[u8]| {
    let Some((&game, operations)) = data.split_first() else { return };
    with_stages(number(game), |stages| {
        let mut run =
            Run { batch: stages.select(&[0, 3, 7]), buffers: Buffers::new(LANES, stages.widths), bytes: operations };
        while let Some(operation) = run.byte() {
            let before = run.batch.select(&ALL).unwrap();
            if run.operate(operation).is_err() {
                assert_eq!(saves(&*run.batch), saves(&*before), "a refused call has changed something");
            }
        }
        assert_consistent(&mut *run.batch, stages.widths, operations.len() % LANES);
    });
});

fn saves(batch: &dyn Simulator) -> [Vec<u8>; LANES] {
    ALL.map(|lane| batch.save(lane).unwrap())
}

struct Run<'a> {
    batch: Box<dyn Simulator>,
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

    /// An action's id: legal, or small and perhaps none.
    fn id(&mut self, lane: usize) -> i32 {
        let byte = self.any();
        let legal = self.batch.legal(lane).unwrap_or_default();
        match byte.checked_sub(100) {
            Some(rest) if !legal.is_empty() => legal[usize::from(rest) % legal.len()] as i32,
            _ => i32::from(byte) - 3,
        }
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
                self.batch.play(lane, id.into())
            }
            4 => {
                let [from, to] = [self.lane(), self.lane()];
                self.batch.load(to, &self.batch.save(from)?)
            }
            5 => {
                let [from, to] = [self.lane(), self.lane()];
                self.batch.set_position(to, &self.batch.position(from)?)
            }
            6 => {
                let lane = self.lane();
                self.batch.time_out(lane)
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
                let viewer = self.any();
                self.batch.observe(viewer.checked_sub(100).map(usize::from), self.buffers.rows())
            }
            10 => {
                let [viewer, purpose] = [self.any(), self.any()];
                self.batch.resample_hidden(viewer.into(), purpose.into())
            }
            11 => {
                let (lane, agent) = (self.lane(), usize::from(self.any()));
                let id = self.batch.choose(lane, AGENTS[agent % AGENTS.len()], 0, &AtomicBool::new(false))?;
                self.batch.play(lane, id as i64).map_err(|error| panic!("{agent}: {error}"))
            }
            12 => {
                let [lane, seed] = [self.lane(), self.any().into()];
                self.batch.start(lane, seed as u64, u32::MAX - seed as u32)
            }
            13 => {
                let lane = self.lane();
                let count = self.batch.perft(lane, 1)?;
                let running = self.batch.to_act(lane)?.is_some();
                assert!(!running || count == self.batch.legal(lane)?.len() as u64);
                Ok(())
            }
            14 => {
                let lane = self.lane();
                let id = self.id(lane);
                self.batch.explain(lane, id.into()).map(drop)
            }
            _ => {
                let id = self.any();
                self.batch.callers(&mut [0; LANES])?;
                self.batch.action_text(id.into()).map(drop)
            }
        }
    }
}
