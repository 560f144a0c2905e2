//! Writes the seeds that are made from the games themselves: their options, and what they look like at some stages.

use std::fs;
use std::path::Path;

use adjoin::registry;
use adjoin_fuzz::{NUM_GAMES, Stages, game};

/// The matches of each game that become seeds.
const CHOSEN: [usize; 2] = [1, 5];

fn main() {
    for number in 0..NUM_GAMES {
        let (name, options) = game(number);
        let at = registry::names().iter().position(|&other| other == name).unwrap();
        write("options", number, 0, &[&[digit(at)], options.as_bytes()]);
        let stages = Stages::new(number);
        for chosen in CHOSEN {
            let game = stages.get(chosen);
            write("positions", number, chosen, &[&[digit(number)], game.position().as_bytes()]);
            let saved = game.save().unwrap();
            let body = &saved[stages.header().len()..saved.len() - 8];
            write("saves", number, chosen, &[&[digit(number)], body]);
            if let Some(&id) = game.legal().last() {
                let action = game.say(id).notation.to_string();
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
