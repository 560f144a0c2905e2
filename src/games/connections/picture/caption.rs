//! What goes on, in a few lines.

use super::{EDGE, Scene, WIDTH};
use crate::drawing::{Drawing, INK, shortened, text_from};
use crate::game::Rules as _;
use crate::games::connections::rules::{Connections, Phase};
use crate::text::caption_of_end;

impl Scene<'_> {
    /// What goes on, below a height, and where it ends.
    pub fn draw_caption(&self, mut y: f64, out: &mut Drawing) -> f64 {
        let lines = std::iter::once((self.title(), 15.0, true));
        for (words, size, is_bold) in lines.chain(self.facts().map(|words| (words, 13.0, false))) {
            y += 20.0;
            let words = shortened(&words, size, WIDTH - 2.0 * EDGE, is_bold);
            let weight = if is_bold { "bold" } else { "normal" };
            out.push(text_from(EDGE, y, &words, size, INK).with("font-weight", weight));
        }
        y
    }

    /// What is being decided.
    pub fn title(&self) -> String {
        format!("{}: {}", Connections::TITLE, self.happening())
    }

    fn happening(&self) -> String {
        let (deck, turn, phase) = (&self.rules.deck, self.view.turn().index(), self.view.phase());
        match phase {
            Phase::Announce => format!("seat {turn} may announce the end of the round"),
            Phase::Offer { asked } => format!("seat {} may offer a card", asked.index()),
            Phase::Answer { asked, card, to } => {
                format!("seat {} offers seat {} {}", asked.index(), to.index(), deck.card_name(card))
            }
            Phase::Accept { asked, card, to, reply } => {
                let (card, reply) = (deck.card_name(card), deck.card_name(reply));
                format!("seat {} may give {card} to seat {} for {reply}", asked.index(), to.index())
            }
            Phase::Play => format!("seat {turn} to play"),
            Phase::Invited { link, to } => {
                format!("seat {turn} invites seat {} to {}", to.index(), self.rules.link_name(link))
            }
            Phase::Set { .. } => {
                let cities: Vec<String> = phase.chosen().map(|face| deck.face_name(face)).collect();
                format!("seat {turn} plays a set: {} and …", cities.join(", "))
            }
            Phase::Draw => format!("seat {turn} draws a card"),
            Phase::Discard { .. } => format!("seat {turn} discards a card"),
            Phase::Over => self.ending(),
        }
    }

    fn ending(&self) -> String {
        caption_of_end(self.rules.players(), self.rules.winners(self.view.points()))
    }

    /// The round and the piles; the points of the round before.
    fn facts(&self) -> impl Iterator<Item = String> {
        let (rules, view) = (self.rules, &self.view);
        let (round, rounds, dealer) = (rules.round_of(view), rules.rounds(), view.dealer().index());
        let (pile, discarded) = (view.num_pile(), view.discard().len());
        let idle = match view.idle() {
            0 => String::new(),
            idle => format!("; turns without a card played {idle}"),
        };
        let piles = format!("pile {pile}, discarded {discarded}{idle}");
        let now = format!("round {round} of {rounds}, dealt by seat {dealer}; {piles}");
        let before = view.history().last().map(|points| {
            let points: Vec<String> = points[..rules.players()].iter().map(ToString::to_string).collect();
            format!("points of the last round: {}", points.join(", "))
        });
        std::iter::once(now).chain(before)
    }
}
