//! What an analyst sees of Domiphun at any moment.

use super::rules::Domiphun;
use crate::game::Inspect;

impl Inspect for Domiphun {}
