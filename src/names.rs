//! Names as people write them.

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// A name as it is compared: without case, accents and punctuation, `&` as "and", "Saint" as "St".
#[must_use]
pub fn fold(text: &str) -> String {
    let text = text.replace('&', " and ");
    let plain: String = text.nfkd().filter(|&letter| !is_combining_mark(letter)).flat_map(char::to_lowercase).collect();
    let words = plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| if word == "saint" { "st" } else { word }).collect::<Vec<_>>().join(" ")
}

/// The most characters of a name in data from outside.
pub const MAX_NAME: usize = 100;

/// Refuses a name from outside that is too long, or that [`check_shown`] refuses.
pub fn check_name(name: &str) -> Result<(), String> {
    let count = name.chars().count();
    if count > MAX_NAME {
        let start: String = name.chars().take(20).collect();
        return Err(format!("{start:?} … is {count} characters long; at most {MAX_NAME} are allowed"));
    }
    check_shown(name)
}

/// Refuses what could show as something else than it is: control and format characters, and spaces other than single
/// ones between words. It is what `words` of the Python package takes out.
pub fn check_shown(text: &str) -> Result<(), String> {
    let is_hidden = |&c: &char| c.is_control() || is_format(c) || (c.is_whitespace() && c != ' ');
    if let Some(c) = text.chars().find(is_hidden) {
        return Err(format!("{text:?}: the character U+{:04X} is not allowed", u32::from(c)));
    }
    if text.starts_with(' ') || text.ends_with(' ') || text.contains("  ") {
        return Err(format!("{text:?}: only single spaces between words are allowed"));
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

/// The name that is most like `text`, if one is near enough to have been meant.
pub fn nearest<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let text = fold(text);
    let near = |name: &&str| distance(&text, &fold(name));
    names.into_iter().min_by_key(near).filter(|name| near(name) <= 1 + name.len() / 4)
}

/// How many letters must be put in, left out or changed to make one word of another.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in other.chars().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + usize::from(a != b)).min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{check_name, distance, fold, nearest};

    #[test]
    fn names_that_could_show_as_others_are_refused() {
        for name in ["", "A", "Na h-Eileanan Siar", "Côte d'Ivoire", "<b>", "中国", &"é".repeat(100)] {
            assert_eq!(check_name(name), Ok(()));
        }
        let refusal = |name: &str| check_name(name).unwrap_err();
        assert_eq!(refusal("A\u{202E}B"), "\"A\\u{202e}B\": the character U+202E is not allowed");
        assert_eq!(refusal("A\u{1b}[2J"), "\"A\\u{1b}[2J\": the character U+001B is not allowed");
        assert_eq!(refusal("A\u{2028}B"), "\"A\\u{2028}B\": the character U+2028 is not allowed");
        assert_eq!(refusal("A  B"), "\"A  B\": only single spaces between words are allowed");
        let long = refusal(&"e".repeat(101));
        assert_eq!(long, format!("{:?} … is 101 characters long; at most 100 are allowed", "e".repeat(20)));
    }

    #[test]
    fn the_nearest_name_is_suggested_if_it_is_near() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(nearest("gredy", ["random", "greedy", "search"]), Some("greedy"));
        assert_eq!(nearest("Seach", ["random", "greedy", "search"]), Some("search"));
        assert_eq!(nearest("oracle", ["random", "greedy", "search"]), None);
    }

    #[test]
    fn what_people_write_differently_is_the_same() {
        assert_eq!(fold(" Na h-Eileanan  Siar"), "na h eileanan siar");
        assert_eq!(fold("Saint Kitts & Nevis"), fold("st. kitts and nevis"));
        assert_eq!(fold("Türkiye"), "turkiye");
        assert_eq!(fold("Harlem–125th Street"), "harlem 125th street");
    }
}
