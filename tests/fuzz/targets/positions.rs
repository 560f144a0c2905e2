//! Any text as a position: the game, the text.

#![no_main]

use adjoin_fuzz::{numbered_text, play_on, with_stages};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(([game], text)) = numbered_text(data) else { return };
    with_stages(game, |stages| {
        let mut batch = stages.select(&[0]);
        if batch.set_position(0, text).is_ok() {
            play_on(&mut *batch, stages.widths, 6);
        }
    });
});
