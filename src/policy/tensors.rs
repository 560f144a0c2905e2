//! Files of weights: safetensors, the field's format of named arrays that holds nothing that runs.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The longest header that is read.
const LONGEST_HEADER: usize = 1 << 20;

/// A file's arrays by name, and what they belong to.
pub struct Tensors<'a> {
    header: BTreeMap<String, Entry>,
    /// What the arrays belong to.
    pub about: BTreeMap<String, String>,
    data: &'a [u8],
}

#[derive(Deserialize)]
struct Entry {
    dtype: Kind,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

#[derive(Deserialize, Clone, Copy)]
enum Kind {
    F16,
    F32,
}

impl Kind {
    fn size(self) -> usize {
        match self {
            Self::F16 => 2,
            Self::F32 => 4,
        }
    }
}

impl<'a> Tensors<'a> {
    /// Reads the header; fails with what is wrong about the file.
    pub fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let damaged = |why: &str| format!("no file of weights, or damaged: {why}");
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(|| damaged("it is too short"))?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        if length > rest.len().min(LONGEST_HEADER) {
            return Err(damaged("its header is longer than itself"));
        }
        let (header, data) = rest.split_at(length);
        let mut fields: BTreeMap<String, serde_json::Value> =
            serde_json::from_slice(header).map_err(|error| damaged(&error.to_string()))?;
        let about = fields.remove("__metadata__").unwrap_or_else(|| serde_json::json!({}));
        let about = serde_json::from_value(about).map_err(|error| damaged(&error.to_string()))?;
        let mut header = BTreeMap::new();
        for (name, field) in fields {
            let entry: Entry = serde_json::from_value(field).map_err(|error| damaged(&format!("{name}: {error}")))?;
            let [start, end] = entry.data_offsets;
            let size = entry.shape.iter().try_fold(entry.dtype.size(), |size, &length| size.checked_mul(length));
            if start > end || end > data.len() || size != Some(end - start) {
                return Err(damaged(&format!("{name} does not lie where it should")));
            }
            header.insert(name, entry);
        }
        Ok(Self { header, about, data })
    }

    /// Whether there is an array of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.header.contains_key(name)
    }

    /// The length of the last dimension of an array.
    pub fn width(&self, name: &str) -> Result<usize, String> {
        let entry = self.header.get(name).ok_or_else(|| format!("{name} is missing"))?;
        Ok(entry.shape.last().copied().unwrap_or(1))
    }

    /// The numbers of an array of this shape, all of them finite.
    pub fn array(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
        let entry = self.header.get(name).ok_or_else(|| format!("{name} is missing"))?;
        if entry.shape != shape {
            return Err(format!("{name} has the shape {:?}, not {shape:?}", entry.shape));
        }
        let [start, end] = entry.data_offsets;
        let bytes = &self.data[start..end];
        let numbers: Vec<f32> = match entry.dtype {
            Kind::F16 => bytes.chunks_exact(2).map(|two| half(u16::from_le_bytes([two[0], two[1]]))).collect(),
            Kind::F32 => {
                bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
            }
        };
        if numbers.iter().all(|number| number.is_finite()) {
            Ok(numbers)
        } else {
            Err(format!("{name} has numbers that are not finite"))
        }
    }
}

/// The number that 16 bits stand for by IEEE 754.
fn half(bits: u16) -> f32 {
    let (sign, exponent, fraction) = (u32::from(bits >> 15) << 31, bits >> 10 & 31, u32::from(bits & 1023));
    match exponent {
        0 => f32::from_bits(sign | (fraction as f32 * (-24_f32).exp2()).to_bits()),
        31 => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (u32::from(exponent) + 112) << 23 | fraction << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::{Tensors, half};

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
    }

    #[test]
    fn halves_are_read_as_ieee_754_has_them() {
        let known = [(0x0000, 0.0), (0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333_251_95), (0x7bff, 65504.0)];
        for (bits, number) in known {
            assert_eq!(half(bits).to_bits(), f32::to_bits(number));
        }
        assert_eq!(half(0x0001).to_bits(), (-24_f32).exp2().to_bits());
        assert!(half(0xfc00).is_infinite() && half(0x7e00).is_nan());
    }

    #[test]
    fn arrays_come_with_what_they_belong_to() {
        let header = r#"{"__metadata__":{"game":"x"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
        let data: Vec<u8> = [1.5_f32, -2.0].iter().flat_map(|number| number.to_le_bytes()).collect();
        let bytes = file(header, &data);
        let tensors = Tensors::read(&bytes).unwrap();
        assert_eq!(tensors.about["game"], "x");
        assert_eq!(tensors.array("a", &[2]).unwrap(), [1.5, -2.0]);
        assert!(tensors.array("a", &[1, 2]).unwrap_err().contains("shape"));
        assert!(tensors.array("b", &[2]).unwrap_err().contains("missing"));
    }

    #[test]
    fn damage_is_refused() {
        let header = r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
        let whole = file(header, &[0; 8]);
        assert!(Tensors::read(&whole).is_ok());
        for length in 0..whole.len() {
            assert!(Tensors::read(&whole[..length]).is_err(), "{length}");
        }
        let infinite = file(header, &[0, 0, 0x80, 0x7f, 0, 0, 0, 0]);
        assert!(Tensors::read(&infinite).unwrap().array("a", &[2]).unwrap_err().contains("finite"));
        let vast = r#"{"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]}}"#;
        assert!(Tensors::read(&file(vast, &[0; 8])).is_err());
    }
}
