//! e to the power of x, in steps that a processor takes for many numbers at once.

/// Below this the result is as good as 0, above its negative it would be too large.
const LOWEST: f32 = -87.0;
/// Added to a small number it leaves the nearest whole number in the lowest bits.
const ROUNDS: f32 = 12_582_912.0;
/// The logarithm of 2: a part that multiplies without error, and the rest.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
/// From the highest power down, as in the library Cephes.
const COEFFICIENTS: [f32; 6] =
    [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_66, 0.5];

/// Off by at most a few units in the last place.
#[inline(always)]
pub(super) fn exponential(x: f32) -> f32 {
    let x = if x > LOWEST { x } else { LOWEST };
    let x = if x < -LOWEST { x } else { -LOWEST };
    let shifted = x * std::f32::consts::LOG2_E + ROUNDS;
    let whole = shifted - ROUNDS;
    let [high, low] = LN_2;
    let rest = x - whole * high - whole * low;
    let [a, b, c, d, e, f] = COEFFICIENTS;
    let sum = ((((a * rest + b) * rest + c) * rest + d) * rest + e) * rest + f;
    let power = sum * rest * rest + rest + 1.0;
    // The whole number stands in the lowest bits; moved to the exponent's place it is a power of 2.
    let bits = shifted.to_bits().wrapping_sub(ROUNDS.to_bits()).wrapping_add(127) << 23;
    power * f32::from_bits(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_the_exact_one() {
        for step in -8_700_i16..=8_700 {
            let x = f32::from(step) / 100.0;
            let exact = f64::from(x).exp();
            let off = (f64::from(exponential(x)) - exact).abs() / exact;
            assert!(off < 5e-7, "{x}: {off}");
        }
        assert!(exponential(f32::NEG_INFINITY) < 1e-37);
    }
}
