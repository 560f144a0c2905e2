//! Short names for the cards of an atlas, all different.

use std::collections::BTreeSet;

use crate::atlas::Place;

/// What the grid of a text board means by a symbol of its own: no label has it.
const MARKS: [char; 4] = ['~', '?', '*', '.'];
/// How many letters tell those apart that begin alike.
const TELLING: usize = 2;

/// A label of at most `width` symbols, 4 or more, for each place: its abbreviation, if that fits, or how it begins. Where
/// several begin alike, the letters in which they differ follow; where these do not help, a number. No two labels are the
/// same, in whatever case.
pub(super) fn labels(places: &[Place], width: usize) -> Vec<String> {
    let names: Vec<Vec<char>> = places.iter().map(|place| symbols(&place.abbreviation)).collect();
    let mut taken = BTreeSet::new();
    let mut labels = vec![String::new(); names.len()];
    let (whole, cut): (Vec<usize>, Vec<usize>) = (0..names.len()).partition(|&place| names[place].len() <= width);
    for place in whole.into_iter().chain(cut) {
        let numbered = (1..).map(|number| with_number(&names[place], number, width));
        let mut candidates = shortened(&names, place, width).into_iter().chain(numbered);
        labels[place] = candidates.find(|label| taken.insert(label.to_lowercase())).unwrap_or_default();
    }
    labels
}

fn symbols(name: &str) -> Vec<char> {
    name.chars().filter(|symbol| !symbol.is_whitespace() && !MARKS.contains(symbol)).collect()
}

/// A name within the width, the best way to shorten it first.
fn shortened(names: &[Vec<char>], place: usize, width: usize) -> Vec<String> {
    let name = &names[place];
    if name.len() <= width {
        return (!name.is_empty()).then(|| name.iter().collect()).into_iter().collect();
    }
    let common = |other: &Vec<char>| name.iter().zip(other).take_while(|(one, other)| same(**one, **other)).count();
    let others = names.iter().enumerate().filter(|&(number, _)| number != place).map(|(_, other)| common(other));
    let longest = others.max().unwrap_or_default();
    let begin = width - TELLING;
    let last = name.len() - TELLING;
    let is_alone = longest < width || longest == name.len();
    let telling = if is_alone { begin } else { longest.min(last) };
    let label = |from: usize| name[..begin].iter().chain(&name[from..from + TELLING]).collect();
    (telling..=last).chain(begin..telling).map(label).collect()
}

fn same(one: char, other: char) -> bool {
    one.to_lowercase().eq(other.to_lowercase())
}

fn with_number(name: &[char], number: usize, width: usize) -> String {
    let number = number.to_string();
    name.iter().take(width - number.len()).copied().chain(number.chars()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{MARKS, labels};
    use crate::atlas::{Atlas, Place, Source};

    fn of(abbreviations: &[&str]) -> Vec<Place> {
        let place = |abbreviation: &&str| Place {
            id: String::new(),
            name: String::new(),
            abbreviation: (*abbreviation).to_owned(),
            also_called: Vec::new(),
            nations: Vec::new(),
        };
        abbreviations.iter().map(place).collect()
    }

    fn assert_all_different(places: &[Place]) {
        for width in 4..=12 {
            let labels = labels(places, width);
            let different: BTreeSet<String> = labels.iter().map(|label| label.to_lowercase()).collect();
            assert_eq!(different.len(), places.len(), "{width}: {labels:?}");
            for label in labels {
                assert!((1..=width).contains(&label.chars().count()), "{width}: {label}");
                assert!(!label.contains(|symbol: char| symbol.is_whitespace() || MARKS.contains(&symbol)), "{label}");
            }
        }
    }

    #[test]
    fn no_two_places_of_a_shipped_atlas_look_the_same() {
        for source in [Source::UkCounties, Source::WorldCountries, Source::UsStates] {
            let atlas = Atlas::new(&source).unwrap();
            assert_all_different(atlas.places());
        }
    }

    #[test]
    fn no_two_places_of_ones_own_look_the_same() {
        let numbered: Vec<String> = (0..254).map(|number| format!("Province of the river {number}")).collect();
        assert_all_different(&of(&numbered.iter().map(|name| &**name).collect::<Vec<_>>()));
        let alike: Vec<String> = (0..254).map(|number| format!("{number:03}Province of the river")).collect();
        assert_all_different(&of(&alike.iter().map(|name| &**name).collect::<Vec<_>>()));
        assert_all_different(&of(&["Ab C", "A bC", "AB c", "abc", "~abc", "*", ".", "?", "~?", "1", "2", "a1", "a2"]));
        assert_all_different(&of(&["Österreich", "österreich-Ungarn", "ÖSTERREICHER", "Ö", "東京都", "東京都の島"]));
    }

    #[test]
    fn what_begins_alike_is_told_apart_by_the_letters_that_differ() {
        let places =
            of(&["Gtr Man", "Gtr Lon", "Northumb", "Northants", "North Sea", "Herts", "Bristol", "Bristol Channel"]);
        let expected = ["GtrMa", "GtrLo", "Norum", "Noran", "NorSe", "Herts", "Brist", "BriCh"];
        assert_eq!(labels(&places, 5), expected);
    }
}
