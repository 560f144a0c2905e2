//! Any text as an action: the game, the match, the text.

#![no_main]

use adjoin_fuzz::{numbered_text, with_stages};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(([number, chosen], text)) = numbered_text(data) else { return };
    with_stages(number, |stages| {
        let mut game = stages.get(chosen);
        let Ok(id) = game.parse(text) else { return };
        let notation = game.say(id).notation.to_string();
        assert_eq!(game.parse(&notation).unwrap(), id, "{notation}");
        let refusal = game.why_not(id as i64);
        assert_eq!(refusal.is_none(), game.legal().contains(&id), "{notation}");
        assert_eq!(game.play(id as i64).err(), refusal);
        game.load(&game.save().unwrap()).unwrap();
    });
});
