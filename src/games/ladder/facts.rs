//! What a player sees about an action in Ladder.

use crate::layout::Layout;

pub(super) fn facts(actions: &Layout) -> Layout {
    let kinds = actions.blocks();
    Layout::new()
        .flags("kind", &[kinds.len()], "what sort of action it is")
        .labelled(kinds.iter().map(|kind| kind.name))
}
