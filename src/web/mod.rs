//! The core as a WebAssembly module without imports. It names no game: everything goes through [`crate::registry`].
//!
//! The page makes room for a question ([`adjoin_room`]), writes it there as JSON, and asks ([`adjoin_ask`]); the answer,
//! JSON too, lies where [`adjoin_answer`] says until the next call. What can be asked is in [`Door`].
//!
//! A panic ends the instance with a trap, in the midst of whatever it did; the page makes another one.
//!
//! `unsafe` here are the names alone, which must be nobody else's in whatever the module is linked with. The page writes
//! into a buffer of ours, whose address it has from the buffer itself, while none of our code runs.
#![allow(unsafe_code)]

mod door;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use door::Door;

/// What lies on both sides of the boundary.
struct Counter {
    door: Door,
    question: Vec<u8>,
    answer: String,
}

static COUNTER: Mutex<Counter> = Mutex::new(Counter { door: Door::new(), question: Vec::new(), answer: String::new() });

fn counter() -> MutexGuard<'static, Counter> {
    COUNTER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a question of so many bytes, and returns where to write it; null if there is no such room.
#[unsafe(no_mangle)]
pub extern "C" fn adjoin_room(length: usize) -> *mut u8 {
    let question = &mut counter().question;
    question.clear();
    if question.try_reserve_exact(length).is_err() {
        return std::ptr::null_mut();
    }
    question.resize(length, 0);
    question.as_mut_ptr()
}

/// Answers the question that was written, and returns how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn adjoin_ask() -> usize {
    let counter = &mut *counter();
    counter.answer = counter.door.ask(&counter.question);
    counter.question = Vec::new();
    counter.answer.len()
}

/// Where the last answer is.
#[unsafe(no_mangle)]
pub extern "C" fn adjoin_answer() -> *const u8 {
    counter().answer.as_ptr()
}
