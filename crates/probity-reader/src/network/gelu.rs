//! The Gaussian error linear unit, x·Φ(x).

/// Applies it to every number.
pub(super) fn gelu(numbers: &mut [f32]) {
    for x in numbers {
        *x = *x * 0.5 * (1.0 + erf(*x * std::f32::consts::FRAC_1_SQRT_2));
    }
}

/// The error function by Abramowitz and Stegun 7.1.26, off by at most 1.5e-7.
fn erf(x: f32) -> f32 {
    const COEFFICIENTS: [f32; 5] =
        [1.061_405_4, -1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6];
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let sum = COEFFICIENTS.iter().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    (1.0 - sum * (-size * size).exp()).copysign(x)
}
