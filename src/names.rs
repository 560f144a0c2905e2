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

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn what_people_write_differently_is_the_same() {
        assert_eq!(fold(" Na h-Eileanan  Siar"), "na h eileanan siar");
        assert_eq!(fold("Saint Kitts & Nevis"), fold("st. kitts and nevis"));
        assert_eq!(fold("Türkiye"), "turkiye");
        assert_eq!(fold("Harlem–125th Street"), "harlem 125th street");
    }
}
