//! Who holds which piece from when until when, and what becomes of it.

use crate::game::{Inspect, Lay, Seat};
use crate::rng::Rng;

/// A piece that a seat has had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Holding {
    pub seat: u8,
    /// Its kind: an index of [`Inspect::pieces`].
    pub piece: u16,
    /// The number of the deal.
    pub deal: u32,
    /// The decisions that came before it was there, and before it was gone.
    pub ply: [u32; 2],
    pub fate: Fate,
    /// Where it was laid: an index of [`Inspect::spots`].
    pub spot: Option<u16>,
}

/// What becomes of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It was laid.
    Laid,
    /// It was still there when the hands were dealt anew, or the match was over.
    Left,
    /// It left the hand in another way: it was given away, or put back.
    Gone,
}

impl Fate {
    /// What they are called in a table, by number.
    pub const NAMES: [&'static str; 3] = ["laid", "left", "gone"];
}

/// Follows the pieces of a match of which this is the state.
#[derive(Clone, Debug)]
pub(super) struct Holdings<S> {
    /// What is over, in the order in which it ended.
    pub ended: Vec<Holding>,
    /// What is held: seat, kind, and since when; of a kind, who came first is gone first.
    held: Vec<(u8, u16, u32)>,
    lays: Vec<Lay>,
    /// The hands at the end of the deal, if the action that was looked at ends it and they differ from what is held less
    /// what is laid.
    closing: Option<S>,
    deal: u32,
    /// What is held, counted by seat and kind; and room for one hand.
    hands: Vec<u8>,
    counts: Vec<u8>,
}

impl<S> Default for Holdings<S> {
    fn default() -> Self {
        let (ended, held, lays, hands, counts) = Default::default();
        Self { ended, held, lays, closing: None, deal: 0, hands, counts }
    }
}

impl<S> Holdings<S> {
    /// Looks at the hands at the start.
    pub fn begin<R: Inspect<State = S>>(&mut self, rules: &R, state: &S, kinds: usize) {
        self.counts = vec![0; kinds];
        self.hands = vec![0; kinds * rules.num_seats()];
        self.deal = rules.deal(state);
        self.compare(rules, state, 0);
    }

    /// Looks at a legal action before it is played by chance from this generator.
    pub fn before<R: Inspect<State = S>>(&mut self, rules: &R, state: &S, action: R::Action, rng: &Rng) {
        self.lays.clear();
        rules.lays(state, action, &mut self.lays);
        self.closing = rules.closing(state, action, &mut rng.clone());
    }

    /// Looks at what so many decisions have led to.
    pub fn after<R: Inspect<State = S>>(&mut self, rules: &R, state: &S, decisions: u32) {
        let deal = rules.deal(state);
        if deal != self.deal {
            match self.closing.take() {
                Some(closing) => self.compare(rules, &closing, decisions),
                None => self.lay_all(decisions - 1),
            }
            self.leave(decisions);
            self.deal = deal;
        }
        self.compare(rules, state, decisions);
    }

    /// The match is over: what is held is left.
    pub fn leave(&mut self, decisions: u32) {
        self.hands.fill(0);
        for (seat, piece, since) in std::mem::take(&mut self.held) {
            self.end(seat, piece, [since, decisions], Fate::Left, None);
        }
    }

    /// Finds what hands have lost and gained.
    fn compare<R: Inspect<State = S>>(&mut self, rules: &R, state: &S, decisions: u32) {
        let ply = decisions.saturating_sub(1);
        // A piece may come back to the hand that it was laid from: what was laid is gone before anything is compared.
        self.lay_all(ply);
        let mut counts = std::mem::take(&mut self.counts);
        for seat in 0..rules.num_seats() as u8 {
            counts.fill(0);
            rules.count_hand(state, Seat::new(seat.into()), &mut counts);
            let hand = &mut self.hands[usize::from(seat) * counts.len()..][..counts.len()];
            if *hand == *counts {
                continue;
            }
            hand.copy_from_slice(&counts);
            let mut at = 0;
            while let Some(&(owner, piece, since)) = self.held.get(at) {
                let count = &mut counts[usize::from(piece)];
                if owner != seat || *count > 0 {
                    *count -= u8::from(owner == seat);
                    at += 1;
                } else {
                    self.held.remove(at);
                    self.end(seat, piece, [since, ply], Fate::Gone, None);
                }
            }
            for (piece, &count) in counts.iter().enumerate() {
                self.held.extend((0..count).map(|_| (seat, piece as u16, decisions)));
            }
        }
        self.counts = counts;
    }

    /// What the action lays is laid.
    fn lay_all(&mut self, ply: u32) {
        let mut lays = std::mem::take(&mut self.lays);
        lays.drain(..).for_each(|lay| self.lay(lay, ply));
        self.lays = lays;
    }

    fn lay(&mut self, lay: Lay, ply: u32) {
        let owner = lay.seat.index() as u8;
        let mine = self.held.iter().position(|&(seat, piece, _)| seat == owner && piece == lay.piece);
        let since = mine.map_or(ply, |at| {
            self.hands[usize::from(owner) * self.counts.len() + usize::from(lay.piece)] -= 1;
            self.held.remove(at).2
        });
        self.end(owner, lay.piece, [since, ply], Fate::Laid, lay.spot);
    }

    fn end(&mut self, seat: u8, piece: u16, ply: [u32; 2], fate: Fate, spot: Option<u16>) {
        self.ended.push(Holding { seat, piece, deal: self.deal, ply, fate, spot });
    }
}
