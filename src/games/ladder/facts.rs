//! What a player sees about an action in Ladder.

use super::rules::{Action, Ladder, Options, State};
use crate::game::{Rules as _, Seat};
use crate::layout::{Layout, Writer};

pub(super) fn facts(&Options { cards, hand, .. }: &Options) -> Layout {
    Layout::new()
        .flags("kind", &[2], "what sort of action it is")
        .labelled(["lay", "pass"])
        .counts("step", &[], cards, "how much higher the card is than the one that lies: 3 for 8 on 5; 0 for a pass")
        .counts("above", &[], hand, "other cards of the own hand that can be laid afterwards")
        .counts("below", &[], hand, "other cards of the own hand that can not")
        .counts("unseen_above", &[], cards, "cards not seen that can be laid afterwards")
        .counts("cards", &[2], hand, "cards in hand afterwards")
        .labelled(["own", "of the next"])
        .flags("last", &[], "it is the last card of the hand")
}

impl Ladder {
    /// Writes the facts about a legal action over the whole row.
    pub(super) fn write_facts(&self, state: &State, action: Action, row: &mut [u8]) {
        let me = self.to_act(state).unwrap_or(Seat::new(0));
        let view = state.view(Some(me));
        let hand = view.hand(me).unwrap_or_default();
        let top = view.top();
        let (card, is_pass) = if let Action::Lay(card) = action { (card, false) } else { (top, true) };
        let kept = if is_pass { hand } else { hand & !(1 << (card - 1)) };
        let unseen = ((1 << self.options().cards) - 1) & !(hand | view.laid());
        let next = Seat::new((me.index() + 1) % self.num_seats());
        let mut out = Writer::new(row);
        out.one_hot(Some(is_pass.into()), 2);
        out.number(card - top);
        out.number((kept >> card).count_ones());
        out.number(kept.count_ones() - (kept >> card).count_ones());
        out.number((unseen >> card).count_ones());
        out.number(kept.count_ones());
        out.number(view.num_cards(next));
        out.flag(kept == 0);
    }
}
