//! Positions as people describe them: what every game reads alike.

use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::game::{Rules, Seat};

/// Reads a description, makes a state of it and checks that.
pub fn read_position<R: Rules, P: DeserializeOwned>(
    rules: &R,
    text: &str,
    state_at: impl FnOnce(&P) -> Result<R::State, String>,
) -> Result<R::State, Error> {
    let refuse = |message| Error::State { game: R::NAME, message };
    let position = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
    let state = state_at(&position).map_err(refuse)?;
    rules.validate(&state)?;
    Ok(state)
}

/// The message of the first case that is wrong.
#[must_use]
pub fn first_wrong(cases: &[(bool, &'static str)]) -> Option<&'static str> {
    cases.iter().find(|(wrong, _)| *wrong).map(|(_, message)| *message)
}

/// A seat by its number.
pub fn seat(number: usize, seats: usize) -> Result<Seat, String> {
    if number < seats { Ok(Seat::new(number)) } else { Err(format!("no seat {number}: there are {seats}")) }
}

/// A number per seat; none at all stands for zeros.
///
/// # Panics
/// If there are more seats than `N`.
pub fn by_seat<T: Copy + Default, const N: usize>(name: &str, numbers: &[T], seats: usize) -> Result<[T; N], String> {
    if !numbers.is_empty() && numbers.len() != seats {
        return Err(format!("{name}: {} numbers for {seats} players", numbers.len()));
    }
    let mut all = [T::default(); N];
    all[..numbers.len()].copy_from_slice(numbers);
    Ok(all)
}

/// JSON objects read as pairs, so that a key that is there twice can be refused.
pub mod pairs {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
    use serde::ser::{Serialize, Serializer};

    /// Writes pairs as an object.
    pub fn serialize<V: Serialize, S: Serializer>(pairs: &[(String, V)], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
    }

    /// Reads an object as pairs.
    pub fn deserialize<'de, V: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, V)>, D::Error> {
        deserializer.deserialize_map(Reader(PhantomData))
    }

    struct Reader<V>(PhantomData<V>);

    impl<'de, V: Deserialize<'de>> Visitor<'de> for Reader<V> {
        type Value = Vec<(String, V)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some(pair) = map.next_entry()? {
                pairs.push(pair);
            }
            Ok(pairs)
        }
    }
}
