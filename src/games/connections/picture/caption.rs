//! What goes on, in a few lines.

use super::{EDGE, Scene, WIDTH};
use crate::drawing::{INK, NARROW, Role, Sheet, measure, shortened, text_from, wrapped};
use crate::game::{Rules as _, Wording};
use crate::games::connections::rules::{Connections, Phase};

impl Scene<'_> {
    /// What goes on, below a height, and where it ends.
    pub fn draw_caption(&self, y: f64, out: &mut Sheet) -> f64 {
        let mut y = y + 20.0;
        let words = shortened(&self.title(), 15.0, WIDTH - 2.0 * EDGE, true);
        let title = [text_from(EDGE, y, &words, 15.0, INK).bold()];
        out.add(Role::Title, [EDGE, y - 15.0, measure(&words, 15.0, true), 20.0], title.into_iter().collect());
        for fact in self.facts() {
            for words in wrapped(fact.split_whitespace(), 13.0, NARROW, false) {
                y += 20.0;
                let area = [EDGE, y - 13.0, measure(&words, 13.0, false), 18.0];
                out.add(Role::Facts, area, [text_from(EDGE, y, &words, 13.0, INK)].into_iter().collect());
            }
        }
        y
    }

    /// What is being decided.
    pub fn title(&self) -> String {
        format!("{}: {}", Connections::TITLE, self.happening())
    }

    fn happening(&self) -> String {
        let (deck, phase) = (&self.rules.deck, self.view.phase());
        let turn = |verb| Wording::player(self.view.turn(), verb);
        let words = match phase {
            Phase::Announce => turn("").text(" may announce the end of the round"),
            Phase::Offer { asked } => Wording::player(asked, "").text(" may offer a card"),
            Phase::Answer { asked, card, to } => {
                let offers = Wording::player(asked, "offers").text(" ").and_player(to, "");
                offers.text(format!(" {}", deck.card_name(card)))
            }
            Phase::Accept { asked, card, to, reply } => {
                let (card, reply) = (deck.card_name(card), deck.card_name(reply));
                let gives = Wording::player(asked, "").text(format!(" may give {card} to "));
                gives.and_player(to, "").text(format!(" for {reply}"))
            }
            Phase::Play => turn("").text(" to play"),
            Phase::Invited { link, to } => {
                let invites = turn("invites").text(" ").and_player(to, "");
                invites.text(format!(" to {}", self.rules.link_name(link)))
            }
            Phase::Set { .. } => {
                let cities: Vec<String> = phase.chosen().map(|face| deck.face_name(face)).collect();
                turn("plays").text(format!(" a set: {} and …", cities.join(", ")))
            }
            Phase::Draw => turn("draws").text(" a card"),
            Phase::Discard { .. } => turn("discards").text(" a card"),
            Phase::Over => self.ending().into(),
        };
        self.looks.say(&words)
    }

    fn ending(&self) -> String {
        self.looks.ending(self.rules.players(), self.rules.winners(self.view.points()))
    }

    /// The round and the piles; the points of the round before.
    fn facts(&self) -> impl Iterator<Item = String> {
        let (rules, view) = (self.rules, &self.view);
        let (round, rounds) = (rules.round_of(view), rules.rounds());
        let dealer = shortened(&self.looks.name(view.dealer()), 13.0, 150.0, false);
        let (pile, discarded) = (view.num_pile(), view.discard().len());
        let idle = match view.idle() {
            0 => String::new(),
            idle => format!("; turns without a card played {idle}"),
        };
        let piles = format!("pile {pile}, discarded {discarded}{idle}");
        let now = format!("round {round} of {rounds}, dealt by {dealer}; {piles}");
        let before = view.history().last().map(|points| {
            let points: Vec<String> = points[..rules.players()].iter().map(ToString::to_string).collect();
            format!("points of the last round: {}", points.join(", "))
        });
        std::iter::once(now).chain(before)
    }
}
