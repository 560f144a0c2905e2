//! Names as people write them.

use std::collections::BTreeMap;

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use crate::text::listed_with;

/// A name as it is compared: without case, accents and punctuation, `&` as "and", "Saint" as "St".
#[must_use]
pub fn fold(text: &str) -> String {
    join(text.nfkd().filter(|&letter| !is_combining_mark(letter)))
}

/// The same with the accents: what is left of a spelling that is right.
#[must_use]
pub fn fold_but_accents(text: &str) -> String {
    join(text.nfc())
}

fn join(letters: impl Iterator<Item = char>) -> String {
    let plain = letters.collect::<String>().replace('&', " and ").to_lowercase();
    let is_between = |letter: char| !letter.is_alphanumeric() && !is_combining_mark(letter);
    let words = plain.split(is_between).filter(|word| !word.is_empty());
    words.map(|word| if word == "saint" { "st" } else { word }).collect::<Vec<_>>().join(" ")
}

/// The id that is made from a name: "`tyne_and_wear`".
#[must_use]
pub fn ident(name: &str) -> String {
    fold(name).replace(' ', "_")
}

/// A text with single spaces, and without what cannot be shown.
#[must_use]
pub fn clean(text: &str) -> String {
    let is_shown = |c: &char| c.is_whitespace() || !(c.is_control() || is_format(*c));
    let shown: String = text.chars().filter(is_shown).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The most characters of a name in data from outside.
pub const MAX_NAME: usize = 100;

/// Refuses a name from outside that is too long, or that [`check_shown`] refuses; `what` is "name" or the like.
pub fn check_name(what: &str, name: &str) -> Result<(), String> {
    let count = name.chars().count();
    if count > MAX_NAME {
        return Err(format!("the {what} is {count} characters long, at most {MAX_NAME} are allowed"));
    }
    check_shown(what, name)
}

/// Refuses what could show as something else than it is: what [`clean`] takes out.
pub fn check_shown(what: &str, text: &str) -> Result<(), String> {
    let is_hidden = |&c: &char| c.is_control() || is_format(c) || (c.is_whitespace() && c != ' ');
    if let Some(c) = text.chars().find(is_hidden) {
        return Err(format!("the {what} {text:?}: the character U+{:04X} is not allowed", u32::from(c)));
    }
    if text != clean(text) {
        return Err(format!("the {what} {text:?}: only single spaces between words are allowed"));
    }
    Ok(())
}

/// Whether a character has no shape of its own and changes how others show: Unicode's category Cf without the joiners
/// U+200C and U+200D, which some languages spell with.
fn is_format(c: char) -> bool {
    matches!(
        u32::from(c),
        0xAD | 0x600..=0x605
            | 0x61C
            | 0x6DD
            | 0x70F
            | 0x890..=0x891
            | 0x8E2
            | 0x180E
            | 0x200B
            | 0x200E..=0x200F
            | 0x202A..=0x202E
            | 0x2060..=0x2064
            | 0x2066..=0x206F
            | 0xFEFF
            | 0xFFF9..=0xFFFB
            | 0x110BD
            | 0x110CD
            | 0x13430..=0x1343F
            | 0x1BCA0..=0x1BCA3
            | 0x1D173..=0x1D17A
            | 0xE0001
            | 0xE0020..=0xE007F
    )
}

/// Up to three names that may have been meant: those with the text in them as words, then those spelled much like it.
pub fn near<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let key = fold(text);
    if key.is_empty() || text.chars().count() > MAX_NAME {
        return Vec::new();
    }
    let rank = |name: &'a str| {
        let folded = fold(name);
        let is_inside = format!(" {folded} ").contains(&format!(" {key} "));
        let likeness = if is_inside { 100 } else { likeness(&key, &folded) };
        (likeness >= 70).then_some((likeness, name))
    };
    let mut found: Vec<(usize, &str)> = names.into_iter().filter_map(rank).collect();
    found.sort_by_key(|&(likeness, _)| std::cmp::Reverse(likeness));
    found.into_iter().map(|(_, name)| name).take(3).collect()
}

/// The name that is most like `text`, if one is near enough to have been meant.
pub fn nearest<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    near(text, names).first().copied()
}

/// "; did you mean this, that or those?", or nothing.
pub fn hint<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let near: Vec<String> = near(text, names).into_iter().map(str::to_owned).collect();
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", listed_with(&near, "or")) }
}

/// How many of a hundred letters of both words stand in the same order in the other.
fn likeness(one: &str, other: &str) -> usize {
    let letters: Vec<char> = other.chars().collect();
    let mut common = vec![0; letters.len() + 1];
    let mut length = 0;
    for a in one.chars() {
        let mut diagonal = 0;
        for (j, &b) in letters.iter().enumerate() {
            let above = common[j + 1];
            common[j + 1] = if a == b { diagonal + 1 } else { above.max(common[j]) };
            diagonal = above;
        }
        length += 1;
    }
    200 * common[letters.len()] / (length + letters.len()).max(1)
}

/// Numbers by what they are called, however it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index {
    exact: BTreeMap<String, usize>,
    /// Without spaces; none where that could mean several.
    bare: BTreeMap<String, Option<usize>>,
}

impl Index {
    /// Gives a name to a number, unless another has it: says whose it is then. A name without letters is nobody's.
    pub fn add(&mut self, name: &str, number: usize) -> usize {
        let key = fold(name);
        if key.is_empty() {
            return number;
        }
        let owner = *self.exact.entry(key.clone()).or_insert(number);
        if owner == number {
            let bare = self.bare.entry(key.replace(' ', "")).or_insert(Some(number));
            *bare = bare.filter(|&other| other == number);
        }
        owner
    }

    /// The number with this name.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<usize> {
        self.exact.get(&fold(text)).copied()
    }

    /// The number with this name, or the only one whose name is the same but for spaces.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<usize> {
        let key = fold(text);
        self.exact.get(&key).copied().or_else(|| *self.bare.get(&key.replace(' ', ""))?)
    }
}

#[cfg(test)]
mod tests {
    use super::{Index, check_name, clean, fold, fold_but_accents, hint, likeness, near, nearest};

    #[test]
    fn names_that_could_show_as_others_are_refused_or_made_tidy() {
        for name in ["", "A", "Na h-Eileanan Siar", "Côte d'Ivoire", "<b>", "中国", "ک\u{200C}ک", &"é".repeat(100)]
        {
            assert_eq!((check_name("name", name), &*clean(name)), (Ok(()), name));
        }
        let refusal = |name: &str| check_name("id", name).unwrap_err();
        assert_eq!(refusal("A\u{202E}B"), "the id \"A\\u{202e}B\": the character U+202E is not allowed");
        assert_eq!(refusal("A\u{1b}[2J"), "the id \"A\\u{1b}[2J\": the character U+001B is not allowed");
        assert_eq!(refusal("A\u{2028}B"), "the id \"A\\u{2028}B\": the character U+2028 is not allowed");
        assert_eq!(refusal("A  B"), "the id \"A  B\": only single spaces between words are allowed");
        assert_eq!(refusal(&"e".repeat(101)), "the id is 101 characters long, at most 100 are allowed");
        assert_eq!(clean(" A\n\u{A0} \tB\0\u{1b}\u{202E} "), "A B");
    }

    #[test]
    fn near_names_are_suggested() {
        assert_eq!((likeness("kant", "kent"), likeness("", "a"), likeness("a", "a")), (75, 0, 100));
        let agents = ["random", "greedy", "search"];
        assert_eq!([nearest("gredy", agents), nearest("Seach", agents)], [Some("greedy"), Some("search")]);
        assert_eq!([nearest("oracle", agents), nearest("", agents)], [None; 2]);
        let counties = ["Kent", "Greater London", "Essex", "Londonderry", "City of London"];
        assert_eq!(near("london", counties), ["Greater London", "City of London", "Londonderry"]);
        assert_eq!(hint("LONDON", counties), "; did you mean Greater London, City of London or Londonderry?");
        assert_eq!([hint("Kant", counties), hint("x", counties)], ["; did you mean Kent?", ""]);
    }

    #[test]
    fn what_people_write_differently_is_the_same() {
        for (text, folded) in [
            (" Na h-Eileanan_Siar", "na h eileanan siar"),
            ("Saint Kitts & Nevis", "st kitts and nevis"),
            ("st. kitts and NEVIS", "st kitts and nevis"),
            ("Saintes", "saintes"),
            ("Türkiye", "turkiye"),
            ("İZMİR", "izmir"),
            ("Harlem–125th Street", "harlem 125th street"),
            ("東京 2", "東京 2"),
            ("-＆-", "and"),
            ("…", ""),
        ] {
            assert_eq!((&*fold(text), &*fold(folded)), (folded, folded));
        }
        assert_eq!(fold_but_accents("Saint Côte & Tu\u{308}r"), "st côte and tür");
    }

    #[test]
    fn spaces_are_forgiven_only_if_one_thing_can_be_meant() {
        let mut index = Index::default();
        for (number, name) in ["New Port", "Newport", "Old Port", "old-port", "…"].into_iter().enumerate() {
            assert_eq!(index.add(name, number), if number == 3 { 2 } else { number });
        }
        assert_eq!(["new port", "newport", "oldport"].map(|name| index.find(name)), [Some(0), Some(1), Some(2)]);
        assert_eq!([index.find("ne wport"), index.find(""), index.get("oldport")], [None; 3]);
    }
}
