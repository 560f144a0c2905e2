//! Writes the seeds that are made from the games themselves: their options, and what they look like at some stages.

use std::fs;
use std::path::Path;

use adjoin::registry::NAMES;
use adjoin_fuzz::{NUM_GAMES, Stages, game};

/// The matches of each game that become seeds.
const CHOSEN: [usize; 2] = [1, 5];

fn main() {
    for number in 0..NUM_GAMES {
        let (name, options) = game(number);
        let at = NAMES.iter().position(|other| *other == name).unwrap();
        write("options", number, 0, &[&[digit(at)], options.as_bytes()]);
        let stages = Stages::new(number);
        for chosen in CHOSEN {
            let batch = stages.select(&[chosen]);
            let position = batch.position(0).unwrap();
            write("positions", number, chosen, &[&[digit(number)], position.as_bytes()]);
            let saved = batch.save(0).unwrap();
            let body = &saved[stages.header().len()..saved.len() - 8];
            write("saves", number, chosen, &[&[digit(number)], body]);
            if let Some(&id) = batch.legal(0).unwrap().last() {
                let action = batch.action_text(id).unwrap();
                write("actions", number, chosen, &[&[digit(number), digit(chosen)], action.as_bytes()]);
            }
        }
    }
}

fn digit(number: usize) -> u8 {
    b'0' + number as u8
}

fn write(target: &str, number: usize, chosen: usize, parts: &[&[u8]]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{}-{number}-{chosen}", game(number).0)), parts.concat()).unwrap();
}
