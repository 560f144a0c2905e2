//! Who holds which piece from when until when, and what becomes of it.

use crate::game::{Inspect, Lay, Seat};

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

/// Follows the pieces of a match.
#[derive(Clone, Debug, Default)]
pub(super) struct Holdings {
    /// What is over, in the order in which it ended.
    pub ended: Vec<Holding>,
    /// What is held: seat, kind, and since when; of a kind, who came first is gone first.
    held: Vec<(u8, u16, u32)>,
    lays: Vec<Lay>,
    deal: u32,
    /// Counts of a hand, kept so that nothing is allocated in the long run.
    counts: Vec<u8>,
}

impl Holdings {
    /// Looks at the hands at the start.
    pub fn begin<R: Inspect>(&mut self, rules: &R, state: &R::State, kinds: usize) {
        self.counts = vec![0; kinds];
        self.deal = rules.deal(state);
        self.compare(rules, state, 0);
    }

    /// Looks at a legal action before it is played.
    pub fn before<R: Inspect>(&mut self, rules: &R, state: &R::State, action: R::Action) {
        self.lays.clear();
        rules.lays(state, action, &mut self.lays);
    }

    /// Looks at what so many decisions have led to.
    pub fn after<R: Inspect>(&mut self, rules: &R, state: &R::State, decisions: u32) {
        let deal = rules.deal(state);
        if deal != self.deal {
            for lay in std::mem::take(&mut self.lays) {
                self.lay(lay, decisions - 1);
            }
            self.leave(decisions);
            self.deal = deal;
        }
        self.compare(rules, state, decisions);
    }

    /// The match is over: what is held is left.
    pub fn leave(&mut self, decisions: u32) {
        for (seat, piece, since) in std::mem::take(&mut self.held) {
            self.end(seat, piece, [since, decisions], Fate::Left, None);
        }
    }

    /// Finds what hands have lost and gained.
    fn compare<R: Inspect>(&mut self, rules: &R, state: &R::State, decisions: u32) {
        let mut counts = std::mem::take(&mut self.counts);
        let (ply, lays) = (decisions.saturating_sub(1), std::mem::take(&mut self.lays));
        // A piece may come back to the hand that it was laid from: what was laid is gone before anything is compared.
        for &lay in &lays {
            self.lay(lay, ply);
        }
        for seat in 0..rules.num_seats() as u8 {
            counts.fill(0);
            rules.count_hand(state, Seat::new(seat.into()), &mut counts);
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
        (self.counts, self.lays) = (counts, lays);
        self.lays.clear();
    }

    fn lay(&mut self, lay: Lay, ply: u32) {
        let owner = lay.seat.index() as u8;
        let mine = self.held.iter().position(|&(seat, piece, _)| seat == owner && piece == lay.piece);
        let since = mine.map_or(ply, |at| self.held.remove(at).2);
        self.end(owner, lay.piece, [since, ply], Fate::Laid, lay.spot);
    }

    fn end(&mut self, seat: u8, piece: u16, ply: [u32; 2], fate: Fate, spot: Option<u16>) {
        self.ended.push(Holding { seat, piece, deal: self.deal, ply, fate, spot });
    }
}
