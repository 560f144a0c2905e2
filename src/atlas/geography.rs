//! What an atlas looks like: its outlines, and how they are best put on a sheet.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::outlines::{LonLat, Outlines};
use super::projection::Projection;

/// The outlines of an atlas of the package, or somebody's own.
#[derive(Clone, Debug)]
pub enum Geography {
    /// Of an atlas of the package.
    Shipped(Shipped),
    /// Somebody's own.
    Own(Arc<Outlines>),
}

/// The atlases of the package that have outlines: all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shipped {
    /// The counties of the United Kingdom.
    UkCounties,
    /// The countries of the world.
    WorldCountries,
    /// The states of the USA.
    UsStates,
}

/// Regions that are drawn elsewhere than where they are, in a frame.
#[derive(Clone, Copy, Debug)]
pub struct Inset {
    /// The regions.
    pub ids: &'static [&'static str],
    /// How they are made flat.
    pub projection: Projection,
    /// How large they are drawn.
    pub scale: f64,
    /// Where their middle is on the plane of the others, in kilometres.
    pub middle: (f64, f64),
}

/// A part of an atlas that is shown in a frame of its own: a nation, and its western, southern, eastern and northern
/// ends.
type Part = (&'static str, [f64; 4]);

const UK: Projection = Projection::TransverseMercator { lon: -2.0 };
const UK_INSETS: &[Inset] =
    &[Inset { ids: &["shetland", "orkney"], projection: UK, scale: 1.0, middle: (118.0, -6369.0) }];
const US: Projection = Projection::Albers { middle: [-96.0, 37.5], parallels: [29.5, 45.5] };
const US_INSETS: &[Inset] = &[
    Inset {
        ids: &["alaska"],
        projection: Projection::Albers { middle: [-154.0, 60.0], parallels: [55.0, 65.0] },
        scale: 0.35,
        middle: (-1630.0, 1440.0),
    },
    Inset {
        ids: &["hawaii"],
        projection: Projection::Albers { middle: [-157.0, 20.5], parallels: [8.0, 18.0] },
        scale: 1.0,
        middle: (-500.0, 1530.0),
    },
];
const WORLD: Projection = Projection::EqualEarth { lon: 11.0 };
const WORLD_PARTS: &[Part] = &[
    ("Europe", [-24.5, 34.5, 50.0, 71.5]),
    ("Africa", [-26.0, -36.0, 58.0, 38.0]),
    ("Americas", [-170.0, -56.0, -32.0, 74.0]),
    ("Asia & Australasia", [25.0, -48.0, 190.0, 60.0]),
];
/// The ends of the whole world: without Antarctica.
const WORLD_ENDS: [f64; 4] = [-169.0, -58.0, 190.9, 88.0];

impl Shipped {
    /// By the name of an atlas.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "uk-counties" => Some(Self::UkCounties),
            "world-countries" => Some(Self::WorldCountries),
            "us-states" => Some(Self::UsStates),
            _ => None,
        }
    }

    fn outlines(self, is_light: bool) -> Arc<Outlines> {
        static READ: [OnceLock<Arc<Outlines>>; 6] = [const { OnceLock::new() }; 6];
        macro_rules! file {
            ($name:literal) => {
                include_str!(concat!("../../python/adjoin/data/outlines/", $name, ".topo.json"))
            };
        }
        let (number, text) = match (self, is_light) {
            (Self::UkCounties, false) => (0, file!("uk-counties")),
            (Self::UkCounties, true) => (1, file!("uk-counties-light")),
            (Self::WorldCountries, false) => (2, file!("world-countries")),
            (Self::WorldCountries, true) => (3, file!("world-countries-light")),
            (Self::UsStates, false) => (4, file!("us-states")),
            (Self::UsStates, true) => (5, file!("us-states-light")),
        };
        let read = || {
            let value: Value = serde_json::from_str(text).unwrap_or_default();
            Arc::new(Outlines::read(&value).unwrap_or_default())
        };
        READ[number].get_or_init(read).clone()
    }
}

impl Geography {
    /// The outlines, simpler ones if a unit of the picture is so many kilometres.
    #[must_use]
    pub fn outlines(&self, kilometres: f64) -> Arc<Outlines> {
        match self {
            Self::Own(outlines) => outlines.clone(),
            Self::Shipped(shipped) => {
                let coarse = match shipped {
                    Shipped::UkCounties => 1.0,
                    Shipped::WorldCountries => 16.0,
                    Shipped::UsStates => 3.0,
                };
                shipped.outlines(kilometres >= coarse)
            }
        }
    }

    /// How all of it, or a part with this middle, is best made flat.
    #[must_use]
    pub fn projection(&self, is_whole: bool, middle: LonLat) -> Projection {
        match self {
            Self::Shipped(Shipped::UkCounties) => UK,
            Self::Shipped(Shipped::UsStates) => US,
            Self::Shipped(Shipped::WorldCountries) if is_whole => WORLD,
            _ => Projection::Azimuthal { middle },
        }
    }

    /// What is drawn apart.
    #[must_use]
    pub fn insets(&self) -> &'static [Inset] {
        match self {
            Self::Shipped(Shipped::UkCounties) => UK_INSETS,
            Self::Shipped(Shipped::UsStates) => US_INSETS,
            _ => &[],
        }
    }

    /// The ends of a nation, or of all, where the outlines go farther than a map should.
    #[must_use]
    pub fn ends(&self, nation: Option<&str>) -> Option<[f64; 4]> {
        if !matches!(self, Self::Shipped(Shipped::WorldCountries)) {
            return None;
        }
        nation.map_or(Some(WORLD_ENDS), |nation| {
            WORLD_PARTS.iter().find(|(name, _)| *name == nation).map(|(_, ends)| *ends)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Geography, Shipped};

    #[test]
    fn all_outlines_of_the_package_can_be_read() {
        let counts = |shipped, light: bool| {
            let outlines = Geography::Shipped(shipped).outlines(if light { 99.0 } else { 0.0 });
            (outlines.shapes.len(), outlines.lakes.len())
        };
        for is_light in [false, true] {
            assert_eq!(counts(Shipped::UkCounties, is_light), (110, 1));
            assert_eq!(counts(Shipped::WorldCountries, is_light), (209, 0));
            assert_eq!(counts(Shipped::UsStates, is_light), (51, 0));
        }
    }
}
