//! A whole match as a few numbers, so that two builds of the core can be compared: native and in a browser.

use std::hash::Hasher as _;
use std::sync::atomic::AtomicBool;

use serde::{Serialize, Serializer};

use crate::digest::Digest;
use crate::dynamic::AnyMatch;
use crate::error::Error;
use crate::game::{Looks, Seat, Viewer};

/// What a match was, as hashes over all its moments.
#[derive(Clone, Debug, Serialize)]
pub struct MatchDigest {
    /// How many decisions were taken.
    pub decisions: usize,
    /// What every seat, and somebody who sees everything, was told.
    #[serde(serialize_with = "hexadecimal")]
    pub views: Digest,
    /// What they saw.
    #[serde(serialize_with = "hexadecimal")]
    pub pictures: Digest,
    /// The match as bytes, and what was legal.
    #[serde(serialize_with = "hexadecimal")]
    pub states: Digest,
}

impl MatchDigest {
    /// Plays a match to its end, by an agent at all seats or at random, and looks at everything on the way.
    pub fn of(mut game: Box<dyn AnyMatch>, agent: Option<&str>, stop: &AtomicBool) -> Result<Self, Error> {
        let new = Digest::new;
        let mut digest = Self { decisions: 0, views: new(), pictures: new(), states: new() };
        digest.look(&*game)?;
        while game.to_act().is_some() {
            let action = match agent {
                Some(agent) => game.choose(agent, 0, stop)?,
                None => game.sample(),
            };
            game.play(action as i64)?;
            digest.decisions += 1;
            digest.look(&*game)?;
        }
        Ok(digest)
    }

    fn look(&mut self, game: &dyn AnyMatch) -> Result<(), Error> {
        let seats = (0..game.num_seats()).map(|seat| Viewer::Seat(Seat::new(seat)));
        for viewer in seats.chain([Viewer::Everything, Viewer::Onlooker]) {
            self.views.write(game.view(viewer).to_string().as_bytes());
            self.views.write(game.text(viewer).as_bytes());
            self.pictures.write(game.picture(viewer, Looks::default()).svg().as_bytes());
        }
        self.states.write(&game.save()?);
        game.legal().into_iter().for_each(|action| self.states.write_u64(action as u64));
        Ok(())
    }
}

/// As text: JavaScript's numbers hold 53 bits.
fn hexadecimal<S: Serializer>(digest: &Digest, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{:016x}", digest.finish()))
}
