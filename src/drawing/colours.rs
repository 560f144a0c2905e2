/// The ground of every picture.
pub const PAPER: &str = "#f4f1ea";
/// Lines and letters.
pub const INK: &str = "#222222";
/// What matters less.
pub const SOFT: &str = "#6b6b6b";

/// The colours of the seats, which most colour-blind people can tell apart.
pub const SEATS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// The colours that decks name.
const NAMED: [(&str, &str); 17] = [
    ("purple", "#8e5bb5"),
    ("orange", "#ef8a2c"),
    ("red", "#d7352c"),
    ("gray", "#8c8c8c"),
    ("yellow", "#f2cf1d"),
    ("dark green", "#1d6b3a"),
    ("light blue", "#7cc0ea"),
    ("maroon", "#7c1f35"),
    ("dark blue", "#23408e"),
    ("olive green", "#8a8a2e"),
    ("light green", "#8fd08a"),
    ("pink", "#f29bb8"),
    ("blue", "#3a6fd0"),
    ("green", "#3f9b4f"),
    ("brown", "#8c6d46"),
    ("black", "#222222"),
    ("white", "#ffffff"),
];

/// The colour that a deck names, if we know the name.
#[must_use]
pub fn named(name: &str) -> Option<&'static str> {
    NAMED.iter().find(|(known, _)| *known == name).map(|(_, colour)| *colour)
}

/// One of the colours that decks name, for what has none of its own; the same again after the last one.
#[must_use]
pub fn numbered(number: usize) -> &'static str {
    NAMED[number % NAMED.len()].1
}

/// The colour of letters that can be read on a colour, given as `#rrggbb`.
#[must_use]
pub fn ink_on(colour: &str) -> &'static str {
    let part = |from: usize| colour.get(from..from + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
    let [red, green, blue] = [1, 3, 5].map(|from| f64::from(part(from).unwrap_or_default()));
    if 0.3 * red + 0.59 * green + 0.11 * blue > 140.0 { INK } else { "#ffffff" }
}
