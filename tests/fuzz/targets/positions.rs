//! Any text as a position: the game, the text.

#![no_main]

use adjoin_fuzz::{numbered_text, play_on, with_stages};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(([number], text)) = numbered_text(data) else { return };
    with_stages(number, |stages| {
        let mut game = stages.get(0);
        if game.set_position(text).is_ok() {
            play_on(&mut *game, 6);
        }
    });
});
