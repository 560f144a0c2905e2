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
    use super::{distance, fold, nearest};

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
