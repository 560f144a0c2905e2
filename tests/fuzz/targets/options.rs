//! Any text as options: the game, the text.

#![no_main]

use adjoin::batch::Config;
use adjoin::registry::{NAMES, make};
use adjoin_fuzz::{numbered_text, play_on, widths};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(([number], text)) = numbered_text(data) else { return };
    let name = NAMES[number % NAMES.len()];
    let Ok(mut batch) = make(name, text, &Config::default()) else { return };
    let options = batch.spec().options;
    let again = make(name, &options.to_string(), &Config::default()).unwrap();
    assert_eq!(again.spec().options, options);
    let widths = widths(&*batch);
    play_on(&mut *batch, widths, 6);
});
