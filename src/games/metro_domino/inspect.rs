//! What an analyst sees of Metro Domino at any moment.

use super::rules::MetroDomino;
use crate::game::Inspect;

impl Inspect for MetroDomino {}
