//! e to the power of x, for many numbers at once.

use fearless_simd::prelude::*;
use fearless_simd::{f32x16, u32x16};

/// Below this the result is as good as 0, above its negative it would be too large.
const LOWEST: f32 = -87.0;
/// Added to a small number it leaves the nearest whole number in the lowest bits.
pub(super) const ROUNDS: f32 = 12_582_912.0;
/// The logarithm of 2: a part that multiplies without error, and the rest.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
/// From the highest power down, as in the library Cephes.
const COEFFICIENTS: [f32; 6] =
    [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_66, 0.5];

/// Off by at most a few units in the last place.
#[inline(always)]
pub(super) fn exponential<S: Simd>(x: f32x16<S>) -> f32x16<S> {
    let x = x.max(LOWEST).min(-LOWEST);
    let shifted = x.mul_add(std::f32::consts::LOG2_E, ROUNDS);
    let whole = shifted - ROUNDS;
    let [high, low] = LN_2;
    let rest = whole.mul_add(-low, whole.mul_add(-high, x));
    let [a, b, c, d, e, f] = COEFFICIENTS;
    let sum = (rest * a + b).mul_add(rest, c).mul_add(rest, d).mul_add(rest, e).mul_add(rest, f);
    let power = sum.mul_add(rest * rest, rest) + 1.0;
    // Moved to the exponent's place, the whole number in the lowest bits is a power of 2.
    let bits = (shifted.bitcast::<u32x16<S>>() + 127) << 23;
    power * bits.bitcast::<f32x16<S>>()
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};

    use super::*;

    fn of(x: f32) -> f32 {
        dispatch!(Level::new(), simd => exponential(f32x16::splat(simd, x)).as_slice()[0])
    }

    #[test]
    fn it_agrees_with_the_exact_one() {
        for step in -8_700_i16..=8_700 {
            let x = f32::from(step) / 100.0;
            let exact = f64::from(x).exp();
            let off = (f64::from(of(x)) - exact).abs() / exact;
            assert!(off < 5e-7, "{x}: {off}");
        }
        assert!(of(f32::NEG_INFINITY) < 1e-37);
    }
}
