//! Worker threads for one batch.
//!
//! A step of a thousand lanes takes some tens of microseconds, about as long as waking a sleeping thread. So workers
//! watch for the next piece of work for a short while before they sleep, and the caller works along. Each thread usually
//! gets the part with its own number, so that lanes stay in the cache of one core; the caller takes over what a worker has
//! not begun, so that a busy machine costs speed and nothing else.
//!
//! This file has one `unsafe` block: workers outlive a call, what they work on does not; [`Pool::run`] returns only after
//! every part is finished. Measured against scoped threads and a general-purpose pool, which cost more than
//! the step itself at 1024 lanes.
#![allow(unsafe_code)]

use std::hint;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle, Thread};

use crate::error::Error;

/// How often to look for work before going to sleep: some tens of microseconds.
const LOOKS: u32 = 4_000;
/// How often to look before offering the core to somebody else.
const LOOKS_BEFORE_YIELD: u32 = 1_000;

/// A fixed number of threads, the caller's included. Started on first use, and again in a forked child.
pub struct Pool {
    threads: usize,
    crew: Option<Crew>,
}

impl Pool {
    /// A pool of `threads` threads; 1 runs everything on the caller's. In WebAssembly there is no other.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let threads = if cfg!(target_family = "wasm") { 1 } else { threads.max(1) };
        Self { threads, crew: None }
    }

    /// How many threads work on a call of `run`.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Calls `work` once with every number below `threads`, side by side, and waits for all.
    ///
    /// A panic in one of them is passed on when all are done. Fails, without a call of `work`, if a thread cannot be
    /// started; those that were are closed again.
    pub fn run(&mut self, work: &(dyn Fn(usize) + Sync)) -> Result<(), Error> {
        if self.threads == 1 {
            work(0);
            return Ok(());
        }
        let crew = match self.crew.take().filter(Crew::is_here) {
            Some(crew) => crew,
            None => Crew::start(self.threads - 1)?,
        };
        self.crew.insert(crew).run(work);
        Ok(())
    }

    /// Calls `work` once with each of at most `threads` parts, side by side, and waits for all.
    pub fn share<T: Send>(&mut self, parts: Vec<T>, work: &(dyn Fn(T) + Sync)) -> Result<(), Error> {
        debug_assert!(parts.len() <= self.threads);
        let parts: Vec<_> = parts.into_iter().map(|part| Mutex::new(Some(part))).collect();
        self.run(&|number| {
            let part = parts.get(number).and_then(|part| part.lock().unwrap_or_else(PoisonError::into_inner).take());
            if let Some(part) = part {
                work(part);
            }
        })
    }
}

type Work = &'static (dyn Fn(usize) + Sync);

struct Crew {
    process: u32,
    desk: Arc<Desk>,
    workers: Vec<JoinHandle<()>>,
}

/// On cache lines of its own: what one thread watches must not be disturbed by what another writes beside it.
#[repr(align(128))]
struct Apart<T>(T);

/// What the caller and the workers share.
struct Desk {
    work: Apart<Mutex<Option<Work>>>,
    /// Raised when new work lies on the desk.
    round: Apart<AtomicU64>,
    /// For each number from 1 on, whether somebody has taken it in this round. All are taken between rounds.
    taken: Vec<Apart<AtomicBool>>,
    /// Numbers from 1 on that are not finished.
    unfinished: Apart<AtomicUsize>,
    panicked: AtomicBool,
    closed: AtomicBool,
}

impl Crew {
    fn start(workers: usize) -> Result<Self, Error> {
        let desk = Arc::new(Desk {
            work: Apart(Mutex::new(None)),
            round: Apart(AtomicU64::new(0)),
            taken: (0..workers).map(|_| Apart(AtomicBool::new(true))).collect(),
            unfinished: Apart(AtomicUsize::new(0)),
            panicked: AtomicBool::new(false),
            closed: AtomicBool::new(false),
        });
        let mut crew = Self { process: process::id(), desk, workers: Vec::new() };
        for number in 1..=workers {
            let desk = Arc::clone(&crew.desk);
            let spawned = thread::Builder::new().spawn(move || desk.serve(number));
            crew.workers.push(spawned.map_err(|error| Error::threads(workers + 1, &error))?);
        }
        Ok(crew)
    }

    /// Whether the workers are threads of this process; in a forked child they are not.
    fn is_here(&self) -> bool {
        self.process == process::id()
    }

    fn run(&self, work: &(dyn Fn(usize) + Sync)) {
        // SAFETY: the reference is used only for a number that was taken in this round, and this function does not
        // return, nor unwind, before all of them are finished.
        let lasting = unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), Work>(work) };
        *self.desk.work.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(lasting);
        self.desk.unfinished.0.store(self.workers.len(), Ordering::Relaxed);
        self.desk.taken.iter().for_each(|taken| taken.0.store(false, Ordering::Release));
        self.desk.round.0.fetch_add(1, Ordering::Release);
        self.workers.iter().map(JoinHandle::thread).for_each(Thread::unpark);

        let own = catch_unwind(AssertUnwindSafe(|| work(0)));
        // A worker that has no core to run on loses its number to the caller.
        (1..=self.workers.len()).for_each(|number| self.desk.take(number));
        let mut looks = 0;
        while self.desk.unfinished.0.load(Ordering::Acquire) > 0 {
            looks += 1;
            if looks < LOOKS_BEFORE_YIELD { hint::spin_loop() } else { thread::yield_now() }
        }
        if let Err(panic) = own {
            resume_unwind(panic);
        }
        assert!(!self.desk.panicked.swap(false, Ordering::Relaxed), "a worker thread panicked");
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        if !self.is_here() {
            // The threads stayed behind in the parent process; so do the handles, which mean nothing here.
            std::mem::forget(std::mem::take(&mut self.workers));
        }
        self.desk.closed.store(true, Ordering::Release);
        for worker in self.workers.drain(..) {
            worker.thread().unpark();
            // A worker catches the panics of its work, so it ends by itself.
            let _ = worker.join();
        }
    }
}

impl Desk {
    fn serve(&self, number: usize) {
        let mut seen = 0;
        while let Some(round) = self.wait(seen) {
            seen = round;
            self.take(number);
        }
    }

    /// Does the work of a number, unless somebody has taken it.
    fn take(&self, number: usize) {
        if self.taken[number - 1].0.swap(true, Ordering::AcqRel) {
            return;
        }
        let work = *self.work.0.lock().unwrap_or_else(PoisonError::into_inner);
        if work.is_some_and(|work| catch_unwind(AssertUnwindSafe(|| work(number))).is_err()) {
            self.panicked.store(true, Ordering::Relaxed);
        }
        self.unfinished.0.fetch_sub(1, Ordering::Release);
    }

    /// The next round after `seen`, or `None` when the pool is closed.
    fn wait(&self, seen: u64) -> Option<u64> {
        let mut looks = 0;
        loop {
            let round = self.round.0.load(Ordering::Acquire);
            if round != seen {
                return Some(round);
            }
            if self.closed.load(Ordering::Acquire) {
                return None;
            }
            looks += 1;
            if looks < LOOKS { hint::spin_loop() } else { thread::park() }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::Pool;

    #[test]
    fn every_number_is_served_once_in_every_call() {
        for threads in [1, 2, 3, 8] {
            let mut pool = Pool::new(threads);
            for call in 0..200 {
                let served: Vec<AtomicUsize> = (0..threads).map(|_| AtomicUsize::new(0)).collect();
                pool.run(&|number| {
                    served[number].fetch_add(1, Ordering::Relaxed);
                })
                .unwrap();
                assert!(served.iter().all(|count| count.load(Ordering::Relaxed) == 1));
                if call == 100 {
                    // Long enough for the workers to fall asleep.
                    std::thread::sleep(Duration::from_millis(20));
                }
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_goes_on() {
        let mut pool = Pool::new(3);
        for bad in 0..3 {
            let caught = catch_unwind(AssertUnwindSafe(|| pool.run(&|number| assert!(number != bad))));
            assert!(caught.is_err());
            pool.run(&|_| {}).unwrap();
        }
    }
}
