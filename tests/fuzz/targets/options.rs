//! Any text as options: the game, the text.

#![no_main]

use adjoin::registry::GAMES;
use adjoin_fuzz::{numbered_text, play_on};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(([number], text)) = numbered_text(data) else { return };
    let Ok(options) = serde_json::from_str(text) else { return };
    let entry = &GAMES[number % GAMES.len()];
    let Ok(mut game) = entry.start(&options, 0, 0, 10_000) else { return };
    let options = game.spec().options;
    assert_eq!(entry.spec(&options).unwrap().options, options);
    play_on(&mut *game, 6);
});
