//! What an analyst sees of Mapominoes at any moment.

use super::rules::Mapominoes;
use crate::game::Inspect;

impl Inspect for Mapominoes {}
