//! Any text as a name: the atlas, the text.

#![no_main]

use adjoin::atlas::{Atlas, Source};
use adjoin::names::{fold, nearest};
use adjoin::registry;
use adjoin_fuzz::numbered_text;
use libfuzzer_sys::fuzz_target;

const SOURCES: [Source; 3] = [Source::UkCounties, Source::WorldCountries, Source::UsStates];

fuzz_target!(|data: &[u8]| {
    let Some(([source], text)) = numbered_text(data) else { return };
    let folded = fold(text);
    assert_eq!(fold(&folded), folded);
    if let Some(name) = nearest(text, registry::names()) {
        assert!(registry::find(name).is_ok());
    }
    let atlas = Atlas::new(&SOURCES[source % SOURCES.len()]).unwrap();
    let place = atlas.find(text);
    assert_eq!(atlas.find(&folded), place);
    if let Some(place) = place {
        assert_eq!(atlas.find(&atlas.place(place).name), Some(place));
        assert_eq!(atlas.find_region(text).is_some(), usize::from(place) < atlas.num_regions());
    }
});
