//! Actions as people type them: in the notation, by number, shortened, or two in one line.

use super::{Answer, Session, words};
use crate::dynamic::AnyMatch;
use crate::game::{Refusal, Seat};
use crate::names::{fold, nearest};

/// What a line means.
enum Meaning {
    /// Legal actions, one after the other.
    Actions(Vec<usize>),
    /// An action that is not legal; the first one is what would have to be played before it.
    Refused(Option<usize>, usize, Refusal),
    /// Nothing.
    Unknown,
}

impl Session {
    /// Plays what a line means, or says what is wrong with it.
    pub(super) fn type_line(&mut self, seat: Seat, line: &str) -> Answer {
        match self.meaning(seat, line) {
            Meaning::Actions(actions) => {
                self.desk(seat).typed = actions.iter().map(|&action| self.label(seat, action)).collect();
                actions.into_iter().try_for_each(|action| self.decide(Some(action))).map_err(words)
            }
            other => {
                self.say_problem(seat, line, &other);
                Ok(())
            }
        }
    }

    /// Says whether what a line means is legal, and why not.
    pub(super) fn explain_line(&mut self, seat: Seat, line: &str) {
        match self.meaning(seat, line) {
            Meaning::Actions(actions) => {
                let labels: Vec<String> = actions.into_iter().map(|action| self.label(seat, action)).collect();
                self.say(seat, format!("{}: that is legal now", labels.join(", then ")));
            }
            other => self.say_problem(seat, line, &other),
        }
    }

    fn say_problem(&mut self, seat: Seat, line: &str, problem: &Meaning) {
        if let Meaning::Refused(before, action, refusal) = problem {
            let after = before.map_or_else(String::new, |first| format!("after {}: ", self.label(seat, first)));
            let words = format!("{after}{}", self.refusal(seat, *action, refusal));
            self.refuse(seat, words, refusal.clause);
            return;
        }
        let legal = self.legal(seat);
        let labels: Vec<String> = legal.iter().map(|&action| self.label(seat, action)).collect();
        let words = match nearest(line, labels.iter().map(String::as_str)) {
            _ if legal.is_empty() => "there is nothing to decide".to_owned(),
            _ if is_number(line) => format!("{line}: the list has 1 to {}", legal.len()),
            Some(near) => format!("\"{line}\" is no action here; did you mean {near}?"),
            None => format!("\"{line}\" is no action here"),
        };
        self.say(seat, words);
    }

    /// What a line means to a seat: a number counts the legal actions from 1.
    fn meaning(&self, seat: Seat, line: &str) -> Meaning {
        let (line, legal) = (line.trim(), self.legal(seat));
        if legal.is_empty() || line.is_empty() {
            return Meaning::Unknown;
        }
        if let Some(&action) =
            line.parse().ok().filter(|_| is_number(line)).and_then(|n: usize| legal.get(n.checked_sub(1)?))
        {
            return Meaning::Actions(vec![action]);
        }
        match self.one(&*self.game, seat, line) {
            Meaning::Unknown => self.two(seat, line),
            one => one,
        }
    }

    /// One action, in the game's notation or as it is said to a seat.
    fn one(&self, game: &dyn AnyMatch, seat: Seat, line: &str) -> Meaning {
        match game.parse(line).ok().or_else(|| self.labelled(seat, line)) {
            Some(action) => match game.refusal(action) {
                Some(refusal) => Meaning::Refused(None, action, refusal),
                None => Meaning::Actions(vec![action]),
            },
            None => self
                .shortened(&game.legal(), seat, line)
                .map_or(Meaning::Unknown, |action| Meaning::Actions(vec![action])),
        }
    }

    /// The action that is called so to a seat.
    fn labelled(&self, seat: Seat, line: &str) -> Option<usize> {
        let (line, names) = (fold(line), self.names_to(seat).of(seat));
        self.spoken.iter().position(|spoken| fold(&spoken.notation.said(&names)) == line)
    }

    /// An action, and a second one that the same player takes after it.
    fn two(&self, seat: Seat, line: &str) -> Meaning {
        let mut problem = Meaning::Unknown;
        for (at, _) in line.char_indices().rev().filter(|(_, letter)| letter.is_whitespace()) {
            let (first, second) = line.split_at(at);
            match self.one(&*self.game, seat, first) {
                Meaning::Actions(actions) => {
                    let first = actions[0];
                    let mut then = self.game.copy(None);
                    if then.play(first as i64).is_err() || then.to_act() != Some(seat) {
                        continue;
                    }
                    match self.one(&*then, seat, second.trim()) {
                        Meaning::Actions(second) => return Meaning::Actions(vec![first, second[0]]),
                        Meaning::Refused(_, action, refusal) => return Meaning::Refused(Some(first), action, refusal),
                        Meaning::Unknown => {}
                    }
                }
                refused if matches!(problem, Meaning::Unknown) => problem = refused,
                _ => {}
            }
        }
        problem
    }

    /// The only one of some actions whose words begin like those of a line, in their order. A line with a `+` numbers
    /// the other players as the notation does; any other calls them by their names.
    fn shortened(&self, legal: &[usize], seat: Seat, line: &str) -> Option<usize> {
        let is_numbered = line.contains('+');
        let line = fold(line);
        let parts: Vec<&str> = line.split(' ').collect();
        if parts.iter().map(|part| part.chars().count()).sum::<usize>() < 3 {
            return None;
        }
        let words = |action: usize| match is_numbered {
            true => fold(&self.spoken[action].notation.to_string()),
            false => fold(&self.label(seat, action)),
        };
        let begins = |action: &usize| {
            let text = words(*action);
            let mut words = text.split(' ');
            parts.iter().all(|part| words.any(|word| word.starts_with(part)))
        };
        let mut found: Vec<usize> = legal.iter().copied().filter(begins).collect();
        if found.len() > 1 {
            found.retain(|&action| words(action).split(' ').count() == parts.len());
        }
        if let [only] = found[..] { Some(only) } else { None }
    }
}

fn is_number(line: &str) -> bool {
    !line.is_empty() && line.bytes().all(|letter| letter.is_ascii_digit())
}
