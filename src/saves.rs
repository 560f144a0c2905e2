//! Matches as bytes: whole, of this game, with these options, or refused.

use serde_json::Value;

use crate::error::Error;
use crate::game::{Game, Rules};
use crate::lane::{Lane, Saved, Seating};

/// Leads every saved match; the last byte is the number of the format.
const MAGIC: &[u8] = b"adjoin\x01";

/// A lane as bytes.
pub(crate) fn save<R: Game>(rules: &R, lane: &Lane<R::State>) -> Result<Vec<u8>, Error> {
    let mut bytes = header(rules);
    bytes.extend(postcard::to_allocvec(&lane.to_saved()).map_err(|error| unreadable(&error))?);
    bytes.extend(checksum(&bytes).to_le_bytes());
    Ok(bytes)
}

/// A lane from bytes that `save` wrote for this game with these options.
pub(crate) fn load<R: Game>(seating: &Seating<R>, bytes: &[u8]) -> Result<Lane<R::State>, Error> {
    let body = body(&seating.rules, bytes)?;
    let (saved, rest) = postcard::take_from_bytes::<Saved<R::State>>(body).map_err(|error| unreadable(&error))?;
    if !rest.is_empty() {
        return Err(Error::Save(format!("{} bytes too many", rest.len())));
    }
    Lane::from_saved(seating, saved)
}

/// The options with every default filled in.
pub(crate) fn options_value<R: Rules>(rules: &R) -> Value {
    serde_json::to_value(rules.options()).unwrap_or_default()
}

/// Format, game, and a digest of its options.
fn header<R: Rules>(rules: &R) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(R::NAME.len() as u8);
    bytes.extend(R::NAME.as_bytes());
    let identity = format!("{} {}", R::VERSION, options_value(rules));
    bytes.extend(checksum(identity.as_bytes()).to_le_bytes());
    bytes
}

/// What follows the header, if the bytes are whole and belong to this game with these options.
fn body<'a, R: Rules>(rules: &R, bytes: &'a [u8]) -> Result<&'a [u8], Error> {
    let refuse = |why: &str| Err(Error::Save(why.to_owned()));
    let format = MAGIC.len() - 1;
    if bytes.len() < format || bytes[..format] != MAGIC[..format] {
        return refuse("these bytes are no saved match of adjoin");
    }
    if bytes.get(format) != Some(&MAGIC[format]) {
        return refuse("the match was saved in another format, by another version of adjoin");
    }
    let Some((content, end)) = bytes.split_last_chunk::<8>() else {
        return refuse("the bytes are truncated");
    };
    if checksum(content) != u64::from_le_bytes(*end) {
        return refuse("the bytes are truncated or altered (their checksum is wrong)");
    }
    let expected = header(rules);
    let Some(body) = content.strip_prefix(&*expected) else {
        let name = content.get(MAGIC.len() + 1..).unwrap_or_default();
        return if name.starts_with(R::NAME.as_bytes()) {
            refuse("the match was saved with other options")
        } else {
            refuse(&format!("the match is of another game than {}", R::NAME))
        };
    };
    Ok(body)
}

fn unreadable(error: &postcard::Error) -> Error {
    Error::Save(format!("the bytes cannot be read ({error})"))
}

/// 64-bit FNV-1a: finds accidents, not forgeries; what it lets through, [`Rules::validate`] judges.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
