//! The only list of the games.

use crate::dynamic::{AnyGame, game};
use crate::error::Error;
use crate::games::connections::Connections;
use crate::games::domiphun::Domiphun;
use crate::games::ladder::Ladder;
use crate::games::mapello::Mapello;
use crate::games::mapominoes::Mapominoes;
use crate::games::metro_domino::MetroDomino;
use crate::names;

/// The games, in the order in which they are shown.
pub const GAMES: [&dyn AnyGame; 5] =
    [game::<Mapello>(), game::<Mapominoes>(), game::<MetroDomino>(), game::<Domiphun>(), game::<Connections>()];

/// Games that are found by name but not listed: worked examples of the documentation.
pub const EXAMPLES: [&dyn AnyGame; 1] = [game::<Ladder>()];

/// The names of the games, in the order in which they are shown.
#[must_use]
pub fn names() -> Vec<&'static str> {
    GAMES.iter().map(|game| game.name()).collect()
}

/// The game with this name.
pub fn find(name: &str) -> Result<&'static dyn AnyGame, Error> {
    GAMES.iter().chain(&EXAMPLES).find(|game| game.name() == name).copied().ok_or_else(|| {
        let nearest = names::nearest(name, names()).map(|nearest| format!("did you mean {nearest:?}? "));
        Error::UnknownGame { name: name.to_owned(), nearest: nearest.unwrap_or_default(), known: names().join(", ") }
    })
}
