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

/// "a", "a and b", "a, b and c".
#[must_use]
pub fn listed(names: &[String]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::{fold, listed};

    #[test]
    fn lists_read_as_people_say_them() {
        let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!([0, 1, 2, 3].map(|n| listed(&names[..n])), ["", "a", "a and b", "a, b and c"]);
    }

    #[test]
    fn what_people_write_differently_is_the_same() {
        assert_eq!(fold(" Na h-Eileanan  Siar"), "na h eileanan siar");
        assert_eq!(fold("Saint Kitts & Nevis"), fold("st. kitts and nevis"));
        assert_eq!(fold("Türkiye"), "turkiye");
        assert_eq!(fold("Harlem–125th Street"), "harlem 125th street");
    }
}
