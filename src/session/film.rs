//! The match from its start, as a film.

use serde::Serialize;

use super::{Session, Sitter};
use crate::drawing::Picture;
use crate::error::Error;
use crate::game::{Looks, Names, Seat};

/// The table after some of the decisions.
#[derive(Clone, Debug, Serialize)]
pub struct Frame {
    /// The table.
    pub picture: Picture,
    /// What the last of these decisions was, in words; nothing if nobody noticed it.
    pub caption: String,
    /// How many decisions.
    pub at: usize,
    /// How many there are.
    pub count: usize,
}

impl Session {
    /// The table after the first `at` decisions: with all hands open when the match is over, before that as the only
    /// person saw it. To several people at one screen nothing can be shown before.
    pub fn frame(&self, at: usize) -> Result<Frame, Error> {
        let count = self.marks.len();
        let refuse = |allowed| Error::Config { name: "at", value: at.to_string(), allowed };
        if at > count {
            return Err(refuse(format!("must be 0 to {count}")));
        }
        let viewer = self.film_viewer().map_err(refuse)?;
        let mut game = self.game.copy(None);
        if let Some(mark) = self.marks.get(at) {
            game.rewind(mark);
        }
        let names = Names::new(self.names.clone(), viewer);
        let caption = at.checked_sub(1).map_or_else(|| "the start".to_owned(), |last| self.caption(last, &names));
        let looks = Looks { values: &self.desks[self.facing.index()].looks, names: Some(&names) };
        Ok(Frame { picture: game.picture(viewer.into(), looks), caption, at, count })
    }

    fn film_viewer(&self) -> Result<Option<Seat>, String> {
        if self.game.to_act().is_none() {
            Ok(None)
        } else if self.num_people() > 1 {
            Err("several people share the screen, so the film is shown when the match is over".to_owned())
        } else {
            Ok(Some(self.facing))
        }
    }

    pub(super) fn num_people(&self) -> usize {
        self.sitters.iter().filter(|&sitter| *sitter == Sitter::Person).count()
    }
}
