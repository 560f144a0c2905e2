//! Arithmetic that gives the same bits on every machine.

use crate::rng::Rng;

/// e to the power of x, within 2 units in the last place for -87 to 88, and what lies beyond as if it were the limit.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    /// Adding and taking away this rounds to a whole number.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let whole = (x * std::f32::consts::LOG2_E + ROUND) - ROUND;
    // ln 2 in two parts, the first of which times a whole number is exact.
    let rest = (x - whole * 0.693_359_4) + whole * 2.121_944_4e-4;
    let series = [1.987_569_1e-4, 1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5, 1.0, 1.0];
    let power = series.into_iter().reduce(|sum, next| sum * rest + next).unwrap_or(1.0);
    power * f32::from_bits(((whole as i32 + 127) << 23) as u32)
}

/// A uniform number between 0 and 1, neither of them.
pub(super) fn unit(rng: &mut Rng) -> f64 {
    ((rng.bits() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// The noise that makes the largest of some logits a draw from their softmax.
pub(super) fn gumbel(rng: &mut Rng) -> f32 {
    -(-unit(rng).ln()).ln() as f32
}

/// Uneven shares of 1: a draw from the symmetric Dirichlet distribution.
pub(super) fn dirichlet(alpha: f64, out: &mut [f64], rng: &mut Rng) {
    // In logarithms, because the shares of a small alpha are smaller than a number can be.
    for share in &mut *out {
        *share = ln_gamma_draw(alpha, rng);
    }
    let most = out.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for share in &mut *out {
        *share = (*share - most).exp();
    }
    let sum: f64 = out.iter().sum();
    for share in out {
        *share /= sum;
    }
}

/// The logarithm of a draw from the gamma distribution of that shape: the method of Marsaglia and Tsang.
fn ln_gamma_draw(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        return ln_gamma_draw(shape + 1.0, rng) + unit(rng).ln() / shape;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && unit(rng).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return (d * v).ln();
        }
    }
}

/// A draw from the normal distribution.
fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * unit(rng).ln()).sqrt() * (std::f64::consts::TAU * unit(rng)).cos()
}

#[cfg(test)]
mod tests {
    use super::{dirichlet, exp, gumbel, unit};
    use crate::rng::Rng;

    #[test]
    fn powers_are_right() {
        for step in -8700..8800 {
            let x = step as f32 / 100.0;
            let exact = f64::from(x).exp();
            assert!(((f64::from(exp(x)) - exact) / exact).abs() < 3e-7, "{x}");
        }
        assert_eq!(exp(0.0).to_bits(), 1.0_f32.to_bits());
        assert!(exp(-1e9) < 1e-37 && exp(-1e9) > 0.0);
    }

    #[test]
    fn noise_has_its_distribution() {
        let mut rng = Rng::from_bits(1);
        assert!((0..1000).map(|_| unit(&mut rng)).all(|unit| unit > 0.0 && unit < 1.0));
        let mean = (0..20_000).map(|_| f64::from(gumbel(&mut rng))).sum::<f64>() / 20_000.0;
        assert!((mean - 0.577_216).abs() < 0.03, "{mean}");
        let mut shares = [0.0; 4];
        let (mut firsts, mut squares) = (0.0, 0.0);
        for _ in 0..20_000 {
            dirichlet(0.3, &mut shares, &mut rng);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            firsts += shares[0];
            squares += shares[0] * shares[0];
        }
        let (mean, variance) = (firsts / 20_000.0, squares / 20_000.0 - (firsts / 20_000.0).powi(2));
        assert!((mean - 0.25).abs() < 0.01, "{mean}");
        assert!((variance - 0.25 * 0.75 / 2.2).abs() < 0.005, "{variance}");
    }
}
