//! Any text as an action: the game, the match, the text.

#![no_main]

use adjoin_fuzz::{MATCHES, numbered_text, with_stages};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(([game, lane], text)) = numbered_text(data) else { return };
    with_stages(game, |stages| {
        let lane = lane % MATCHES;
        let Ok(id) = stages.batch().parse_action(lane, text) else { return };
        let notation = stages.batch().action_text(id).unwrap();
        assert_eq!(stages.batch().parse_action(lane, &notation).unwrap(), id, "{notation}");
        let refusal = stages.batch().explain(lane, id as i64).unwrap();
        assert_eq!(refusal.is_none(), stages.batch().legal(lane).unwrap().contains(&id), "{notation}");
        let mut batch = stages.select(&[lane]);
        match (batch.play(0, id as i64), refusal) {
            (Ok(()), None) => assert!(batch.load(0, &batch.save(0).unwrap()).is_ok()),
            (Err(error), Some(refusal)) => assert_eq!(error.to_string(), refusal),
            (result, refusal) => panic!("{result:?} although {refusal:?}"),
        }
    });
});
