//! What tells regions apart: a colour and a short name.

use std::borrow::Cow;

use crate::drawing::{named, numbered};
use crate::games::connections::deck::Region;

/// A region's colour and short name.
pub(super) struct Sign<'a> {
    pub name: &'a str,
    pub colour: Cow<'static, str>,
    /// Short for its name; no two regions have the same.
    pub code: String,
}

/// The signs of all regions.
pub(super) fn of(regions: &[Region]) -> Vec<Sign<'_>> {
    let mut signs: Vec<Sign<'_>> = Vec::new();
    for (number, region) in regions.iter().enumerate() {
        let mut code = initials(&region.name);
        if code.chars().count() < 2 || signs.iter().any(|sign| sign.code == code) {
            code = format!("{code}{number:02}");
        }
        let colour = region.colour.as_deref().and_then(own_colour).unwrap_or_else(|| numbered(number).into());
        signs.push(Sign { name: &region.name, colour, code });
    }
    signs
}

/// The first letters of up to four words, or three letters of a single one.
fn initials(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    match words[..] {
        [_] | [] => name.chars().take(3).collect(),
        _ => words.iter().filter_map(|word| word.chars().next()).take(4).collect(),
    }
}

/// A deck's own colour, if it can be drawn: `#rrggbb`, or a name that we know.
fn own_colour(colour: &str) -> Option<Cow<'static, str>> {
    let colour = colour.to_lowercase();
    let is_hex = |digits: &str| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    match colour.strip_prefix('#') {
        Some(digits) if is_hex(digits) => Some(colour.into()),
        _ => named(&colour).map(Cow::Borrowed),
    }
}

#[cfg(test)]
mod tests {
    use super::{of, own_colour};
    use crate::games::connections::deck::Region;

    #[test]
    fn regions_have_codes_of_their_own() {
        let names = ["South East Asia", "Wood", "Woodland", "Ö", "One Two Three Four Five"];
        let region = |name: &str| Region { id: name.to_owned(), name: name.to_owned(), colour: None };
        let regions = names.map(region);
        let codes: Vec<String> = of(&regions).into_iter().map(|sign| sign.code).collect();
        assert_eq!(codes, ["SEA", "Woo", "Woo02", "Ö03", "OTTF"]);
    }

    #[test]
    fn only_colours_that_are_known_are_drawn() {
        assert_eq!(own_colour("#A0b1C2").as_deref(), Some("#a0b1c2"));
        assert_eq!(own_colour("Red").as_deref(), Some("#d7352c"));
        assert_eq!([own_colour("#12345\""), own_colour("url(x)"), own_colour("#1234567")], [None, None, None]);
    }
}
