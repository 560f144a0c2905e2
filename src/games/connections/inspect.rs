//! What an analyst sees of Connections at any moment.

use super::rules::Connections;
use crate::game::Inspect;

impl Inspect for Connections {}
