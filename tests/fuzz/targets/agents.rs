//! Any text as an agent: the game, the match, the text. The agent is told to stop thinking before it begins.

#![no_main]

use std::sync::atomic::AtomicBool;

use adjoin_fuzz::{numbered_text, with_stages};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(([number, chosen], text)) = numbered_text(data) else { return };
    with_stages(number, |stages| {
        let game = stages.get(chosen);
        if let Ok(id) = game.choose(text, 0, &AtomicBool::new(true)) {
            assert!(game.legal().contains(&id), "{text:?} chooses {id}");
        }
    });
});
