//! Any bytes as a saved match: the game, then what follows the header, which is put before it with the right checksum
//! after it; or the bytes as they are.

#![no_main]

use adjoin_fuzz::bytes::sealed;
use adjoin_fuzz::{number, play_on, with_stages};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&first, body)) = data.split_first() else { return };
    with_stages(number(first), |stages| {
        let mut game = stages.get(0);
        assert!(game.load(body).is_err(), "bytes without a checksum");
        if game.load(&sealed(&[stages.header(), body].concat())).is_ok() {
            play_on(&mut *game, 6);
        }
    });
});
