//! Any bytes as a saved match: the game, then what follows the header, which is put before it with the right checksum
//! after it; or the bytes as they are.

#![no_main]

use adjoin_fuzz::bytes::sealed;
use adjoin_fuzz::{number, play_on, with_stages};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&game, body)) = data.split_first() else { return };
    with_stages(number(game), |stages| {
        let mut batch = stages.select(&[0]);
        assert!(batch.load(0, body).is_err(), "bytes without a checksum");
        if batch.load(0, &sealed(&[stages.header(), body].concat())).is_ok() {
            play_on(&mut *batch, stages.widths, 6);
        }
    });
});
