//! Words for a terminal.

/// How wide a terminal is.
pub const WIDTH: usize = 80;

/// "a", "a and b", "a, b and c".
#[must_use]
pub fn listed(names: &[String]) -> String {
    listed_with(names, "and")
}

/// The same with another word before the last one.
#[must_use]
pub fn listed_with(names: &[String], word: &str) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} {word} {last}", first.join(", ")),
        _ => names.concat(),
    }
}

/// "1 disc", "5 discs".
#[must_use]
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// How a match of so many players ended: "over, seat 1 wins", "over, seat 0 and seat 2 share the win", "over, a draw".
#[must_use]
pub fn won_by(players: usize, seats: impl IntoIterator<Item = usize>) -> String {
    let names: Vec<String> = seats.into_iter().map(|seat| format!("seat {seat}")).collect();
    if names.len() == players {
        return "over, a draw".to_owned();
    }
    let verb = if names.len() == 1 { "wins" } else { "share the win" };
    format!("over, {} {verb}", listed(&names))
}

/// Appends a line without the blanks at its end.
pub fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Words with commas after a title, in lines that fit a terminal; nothing if there are none.
pub fn wrap(out: &mut String, title: &str, words: impl Iterator<Item = String>) {
    let list: Vec<String> = words.collect();
    let commas = list.iter().enumerate().map(|(index, word)| {
        let comma = if index + 1 < list.len() { "," } else { "" };
        format!("{word}{comma}")
    });
    if !list.is_empty() {
        fill(out, title, commas);
    }
}

/// A sentence after a title, in lines that fit a terminal.
pub fn say(out: &mut String, title: &str, sentence: &str) {
    fill(out, title, sentence.split_whitespace().map(str::to_owned));
}

/// Words after a title, in lines that fit a terminal.
pub fn fill(out: &mut String, title: &str, words: impl Iterator<Item = String>) {
    let mut line = title.to_owned();
    for word in words {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            push_line(out, &line);
            "   ".clone_into(&mut line);
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    push_line(out, &line);
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, counted, listed, say, won_by, wrap};

    #[test]
    fn lists_read_as_people_say_them() {
        let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!([0, 1, 2, 3].map(|n| listed(&names[..n])), ["", "a", "a and b", "a, b and c"]);
        assert_eq!([won_by(3, [1]), won_by(2, [0, 1])], ["over, seat 1 wins", "over, a draw"]);
        assert_eq!(won_by(3, [0, 2]), "over, seat 0 and seat 2 share the win");
        assert_eq!([counted(1, "disc"), counted(5, "disc")], ["1 disc", "5 discs"]);
    }

    #[test]
    fn long_lines_are_broken_between_words() {
        let mut out = String::new();
        wrap(&mut out, "none", std::iter::empty());
        assert_eq!(out, "");
        wrap(&mut out, "all", (0..40).map(|n| format!("w{n}")));
        say(&mut out, "", "one two");
        assert!(out.starts_with("all w0, w1,") && out.ends_with("w39\none two\n"), "{out}");
        assert!(out.lines().all(|line| line.len() <= WIDTH && !line.ends_with(' ')));
    }
}
