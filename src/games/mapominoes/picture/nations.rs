//! The marks and colours of nations.

use crate::atlas::Atlas;
use crate::drawing::maps::Colours;

const fn colours(strong: &'static str, pale: &'static str) -> Colours {
    Colours { strong, pale }
}

const COLOURS: [Colours; 10] = [
    colours("#1f5f99", "#cfe1f2"),
    colours("#a84300", "#fbd9bd"),
    colours("#00694f", "#c5e6d8"),
    colours("#863a76", "#ecd3e6"),
    colours("#6d5600", "#f3e6a6"),
    colours("#9b2335", "#f7cfd2"),
    colours("#1b6f7c", "#c9eaee"),
    colours("#54459b", "#dad5f1"),
    colours("#4f5b1e", "#e0e7bd"),
    colours("#555555", "#dedede"),
];
/// The colours of a county without a nation.
pub(super) const NOBODY: Colours = colours("#555555", "#ffffff");

/// A nation as the cards show it.
pub(super) struct Nation<'a> {
    pub name: &'a str,
    /// A few letters that no other nation has.
    pub mark: String,
    pub colours: Colours,
}

/// The nations of an atlas.
pub(super) fn of(atlas: &Atlas) -> Vec<Nation<'_>> {
    let names = atlas.nations();
    let marked = marks(&names).into_iter().zip(COLOURS.into_iter().cycle());
    names.into_iter().zip(marked).map(|(name, (mark, colours))| Nation { name, mark, colours }).collect()
}

/// Marks for nations, all different: their initials, or how their names begin.
fn marks(names: &[&str]) -> Vec<String> {
    let initials: Vec<String> = names.iter().map(|name| initials(name)).collect();
    let mark = |(own, name): (usize, &&str)| {
        let is_alone = initials.iter().filter(|mark| **mark == initials[own]).count() == 1;
        if is_alone { initials[own].clone() } else { beginning(own, name, names, &initials).to_owned() }
    };
    names.iter().enumerate().map(mark).collect()
}

/// The first letters of the words of a name.
fn initials(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter_map(|word| word.chars().next()).flat_map(char::to_uppercase).collect()
}

/// How a name begins, two letters or more, if neither another name nor initials begin so; or all of it.
fn beginning<'a>(own: usize, name: &'a str, names: &[&str], initials: &[String]) -> &'a str {
    let others = || names.iter().enumerate().filter(|(number, _)| *number != own).map(|(_, other)| *other);
    let is_taken = |part: &&str| others().chain(initials.iter().map(|mark| &**mark)).any(|o| o.starts_with(*part));
    let mut parts = name.char_indices().skip(2).map(|(end, _)| &name[..end]);
    parts.find(|part| !is_taken(part)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::marks;

    #[test]
    fn no_two_nations_have_the_same_mark() {
        assert_eq!(marks(&["England", "Scotland", "Wales", "Northern Ireland"]), ["E", "S", "W", "NI"]);
        assert_eq!(marks(&["New England", "Middle Atlantic", "Mountain"]), ["NE", "MA", "M"]);
        assert_eq!(marks(&["South", "Sound", "Souk", "So"]), ["Sout", "Soun", "Souk", "So"]);
        assert_eq!(marks(&["", "éa", "Éa"]), ["", "éa", "Éa"]);
    }
}
