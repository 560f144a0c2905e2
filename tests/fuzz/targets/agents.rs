//! Any text as an agent: the game, the match, the text. The agent is told to stop thinking before it begins.

#![no_main]

use std::sync::atomic::AtomicBool;

use adjoin_fuzz::{MATCHES, numbered_text, with_stages};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(([game, lane], text)) = numbered_text(data) else { return };
    with_stages(game, |stages| {
        let (batch, lane) = (stages.batch(), lane % MATCHES);
        if let Ok(id) = batch.choose(lane, text, 0, &AtomicBool::new(true)) {
            assert!(batch.legal(lane).unwrap().contains(&id), "{text:?} chooses {id}");
        }
    });
});
