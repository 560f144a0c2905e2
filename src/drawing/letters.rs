//! How wide text is at most, and what of it fits.

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// How wide a letter is at size 1 in the widest of the usual sans-serif fonts.
const fn width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ';' | ':' | '\'' | '|' | ' ' => 0.34,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '!' | '-' | '/' => 0.42,
        'c' | 's' | 'z' => 0.55,
        'a'..='z' | '0'..='9' if !matches!(letter, 'm' | 'w') => 0.64,
        'w' | 'G' | 'O' | 'Q' | 'D' | 'N' | 'H' | 'U' | '&' => 0.83,
        'A'..='Z' if !matches!(letter, 'M' | 'W') => 0.7,
        _ => 1.0,
    }
}

/// How wide a line of text is at most.
#[must_use]
pub fn measure(content: &str, size: f64, bold: bool) -> f64 {
    let letters = content.nfkd().filter(|&letter| !is_combining_mark(letter));
    letters.map(width).sum::<f64>() * size * if bold { 1.15 } else { 1.0 }
}

/// As much of a line of text as there is room for.
#[must_use]
pub fn shortened(content: &str, size: f64, room: f64, bold: bool) -> String {
    if measure(content, size, bold) <= room {
        return content.to_owned();
    }
    let mut kept = content;
    while !kept.is_empty() && measure(&format!("{kept}…"), size, bold) > room {
        let last = kept.char_indices().next_back().map_or(0, |(at, _)| at);
        kept = kept[..last].trim_end();
    }
    format!("{kept}…")
}

/// A line of text and its size: as large as fits, from `most` down to `least`, shortened if even that does not.
#[must_use]
pub fn fitted(content: &str, most: f64, least: f64, room: f64, bold: bool) -> (String, f64) {
    let mut size = most;
    while size > least && measure(content, size, bold) > room {
        size = ((size - 0.5) * 10.0).round_ties_even() / 10.0;
        size = size.max(least);
    }
    (shortened(content, size, room, bold), size)
}

/// Words in as many lines as they need; a longer word is shortened.
#[must_use]
pub fn wrapped<'a>(words: impl IntoIterator<Item = &'a str>, size: f64, room: f64, bold: bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        let word = shortened(word, size, room, bold);
        match lines.last_mut() {
            Some(line) if measure(&format!("{line} {word}"), size, bold) <= room => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// Words in at most so many lines, one or more; what does not fit is left out.
#[must_use]
pub fn in_lines(content: &str, lines: usize, size: f64, room: f64, bold: bool) -> Vec<String> {
    let mut kept = wrapped(content.split_whitespace(), size, room, bold);
    if kept.len() > lines {
        let words: usize = kept[..lines - 1].iter().map(|line| line.split(' ').count()).sum();
        let rest: Vec<&str> = content.split_whitespace().skip(words).collect();
        kept.truncate(lines - 1);
        kept.push(shortened(&rest.join(" "), size, room, bold));
    }
    kept
}

/// How wide a text of size 1 is in at most two lines, or in one.
#[must_use]
pub fn narrowest(content: &str, in_two: bool, bold: bool) -> f64 {
    let whole = measure(content, 1.0, bold);
    let split = |(at, _): (usize, &str)| {
        let (first, second) = content.split_at(at);
        measure(first.trim(), 1.0, bold).max(measure(second.trim(), 1.0, bold))
    };
    let splits = content.match_indices(' ').filter(|_| in_two).map(split);
    splits.fold(whole, f64::min)
}

/// The size in steps of a half, from `least` to `most`, in which texts fit that are at most so wide in size 1.
#[must_use]
pub fn common_size(widest: f64, most: f64, least: f64, room: f64) -> f64 {
    (room / widest * 2.0).floor().clamp(2.0 * least, 2.0 * most) / 2.0
}

#[cfg(test)]
mod tests {
    use super::{common_size, fitted, in_lines, measure, narrowest, shortened, wrapped};

    #[test]
    fn text_is_cut_or_made_smaller_until_it_fits() {
        assert!((measure("Île mW", 10.0, false) - 36.6).abs() < 1e-9);
        assert!((measure("il", 10.0, true) - 7.82).abs() < 1e-9);
        assert_eq!(shortened("Aberdeenshire", 10.0, 50.0, false), "Aberde…");
        assert_eq!(shortened("Fife", 10.0, 50.0, false), "Fife");
        assert_eq!(fitted("Fife", 10.0, 5.0, 14.0, false), ("Fife".to_owned(), 6.5));
        assert_eq!(fitted("Fife", 10.0, 8.0, 14.0, false), ("F…".to_owned(), 8.0));
        assert_eq!(wrapped(["one", "two", "three"], 10.0, 45.0, false), ["one two", "three"]);
        assert_eq!(in_lines("one two three four", 2, 10.0, 45.0, false), ["one two", "three…"]);
        assert_eq!(in_lines("one two", 2, 10.0, 45.0, false), ["one two"]);
    }

    #[test]
    fn texts_of_one_size_fit_all() {
        let room = 60.0;
        let names = ["Aberdeenshire", "East Riding of Yorkshire", "Fife"];
        let widest = names.map(|name| narrowest(name, true, true)).into_iter().fold(0.0, f64::max);
        let size = common_size(widest, 14.0, 2.0, room);
        for name in names {
            assert_eq!(in_lines(name, 2, size, room, true).join(" "), name);
        }
        let lost = names.map(|name| in_lines(name, 2, size + 0.5, room, true).join(" ") != name);
        assert!(lost.contains(&true), "no larger than fits");
        assert!((common_size(widest, 3.0, 2.0, 1000.0) - 3.0).abs() < 1e-9);
        assert!((common_size(widest, 14.0, 9.0, 1.0) - 9.0).abs() < 1e-9);
    }
}
