//! From the globe to the plane, in kilometres: x to the right, y down.

use super::outlines::LonLat;

/// Kilometres of the globe's radius.
const RADIUS: f64 = 6371.0;

/// How the globe is made flat.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Projection {
    /// Transverse Mercator: true along a meridian.
    TransverseMercator {
        /// The meridian.
        lon: f64,
    },
    /// Equal Earth: the whole world, areas true.
    EqualEarth {
        /// The meridian in the middle.
        lon: f64,
    },
    /// Lambert's azimuthal projection, areas true.
    Azimuthal {
        /// The point in the middle.
        middle: LonLat,
    },
    /// Albers' conic projection, areas true.
    Albers {
        /// The point in the middle.
        middle: LonLat,
        /// The parallels that are true.
        parallels: [f64; 2],
    },
}

impl Projection {
    /// Where a point is in the plane. Its longitude may be beyond 180 degrees: what belongs together stays together.
    #[must_use]
    pub fn project(&self, [lon, lat]: LonLat) -> (f64, f64) {
        let up = lat.to_radians();
        let (x, y) = match *self {
            Self::TransverseMercator { lon: middle } => {
                let across = (lon - middle).to_radians();
                let b = (up.cos() * across.sin()).clamp(-0.999_999, 0.999_999);
                (b.atanh(), up.tan().atan2(across.cos()))
            }
            Self::EqualEarth { lon: middle } => equal_earth((lon - middle).to_radians(), up),
            Self::Azimuthal { middle } => {
                let (across, south) = ((lon - middle[0]).to_radians(), middle[1].to_radians());
                let near = south.sin() * up.sin() + south.cos() * up.cos() * across.cos();
                let scale = (2.0 / (1.0 + near).max(1e-6)).sqrt();
                let y = south.cos() * up.sin() - south.sin() * up.cos() * across.cos();
                (scale * up.cos() * across.sin(), scale * y)
            }
            Self::Albers { middle, parallels } => {
                let [first, second] = parallels.map(f64::to_radians);
                let cone = f64::midpoint(first.sin(), second.sin());
                let constant = first.cos().powi(2) + 2.0 * cone * first.sin();
                let radius = |lat: f64| (constant - 2.0 * cone * lat.sin()).max(0.0).sqrt() / cone;
                let turn = cone * around(lon - middle[0]).to_radians();
                let (outer, inner) = (radius(middle[1].to_radians()), radius(up));
                (inner * turn.sin(), outer - inner * turn.cos())
            }
        };
        (x * RADIUS, -y * RADIUS)
    }

    /// The meridian in the middle.
    #[must_use]
    pub fn meridian(&self) -> f64 {
        match *self {
            Self::TransverseMercator { lon } | Self::EqualEarth { lon } => lon,
            Self::Azimuthal { middle } | Self::Albers { middle, .. } => middle[0],
        }
    }
}

/// A difference of longitudes, from -180 up to 180 degrees.
#[must_use]
pub fn around(degrees: f64) -> f64 {
    (degrees + 180.0).rem_euclid(360.0) - 180.0
}

/// Equal Earth by its authors (Šavrič, Patterson and Jenny, 2018).
fn equal_earth(across: f64, up: f64) -> (f64, f64) {
    const A: [f64; 4] = [1.340_264, -0.081_106, 0.000_893, 0.003_796];
    let half = 3.0_f64.sqrt() / 2.0;
    let angle = (half * up.sin()).asin();
    let (square, sixth) = (angle * angle, angle.powi(6));
    let slope = A[0] + 3.0 * A[1] * square + sixth * (7.0 * A[2] + 9.0 * A[3] * square);
    let y = angle * (A[0] + A[1] * square + sixth * (A[2] + A[3] * square));
    (across * angle.cos() / (half * slope), y)
}

#[cfg(test)]
mod tests {
    use super::{Projection, around};

    /// The area of a small box around a point, by its corners.
    fn area(projection: Projection, lon: f64, lat: f64) -> f64 {
        const STEP: f64 = 0.01;
        let corner = |x: f64, y: f64| projection.project([lon + x * STEP, lat + y * STEP]);
        let (a, b, c) = (corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0));
        ((b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)).abs() / lat.to_radians().cos()
    }

    #[test]
    fn areas_are_true_where_they_should_be() {
        let middle = [15.0, 52.0];
        for projection in [
            Projection::EqualEarth { lon: 11.0 },
            Projection::Azimuthal { middle },
            Projection::Albers { middle, parallels: [40.0, 60.0] },
        ] {
            let there = area(projection, 15.0, 52.0);
            for (lon, lat) in [(-9.0, 38.0), (30.0, 70.0), (44.0, 35.0)] {
                assert!((area(projection, lon, lat) / there - 1.0).abs() < 2e-3, "{projection:?} at {lon}, {lat}");
            }
        }
    }

    #[test]
    fn north_is_up_and_lengths_are_true_in_the_middle() {
        for projection in [
            Projection::TransverseMercator { lon: -2.0 },
            Projection::Azimuthal { middle: [-2.0, 54.0] },
            Projection::Albers { middle: [-2.0, 54.0], parallels: [53.0, 55.0] },
        ] {
            let [south, north] = [53.5, 54.5].map(|lat| projection.project([-2.0, lat]));
            assert!((north.0 - south.0).abs() < 1e-6);
            assert!((south.1 - north.1 - 111.2).abs() < 0.1, "{projection:?}");
        }
        assert!((around(190.0) + 170.0).abs() < 1e-9);
    }
}
