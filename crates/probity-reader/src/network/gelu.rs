//! The Gaussian error linear unit, x·Φ(x).

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x16};

use super::exponential::exponential;

/// Applies it to every number; there are a multiple of 16.
pub(super) fn gelu(level: Level, numbers: &mut [f32]) {
    dispatch!(level, simd => all(simd, numbers));
}

#[inline(always)]
fn all<S: Simd>(simd: S, numbers: &mut [f32]) {
    for numbers in numbers.as_chunks_mut::<16>().0 {
        let x = f32x16::load_array_ref(simd, numbers);
        let half = x * 0.5;
        let erf = erf(simd, x * std::f32::consts::FRAC_1_SQRT_2);
        half.mul_add(erf, half).store_array(numbers);
    }
}

/// The error function by Abramowitz and Stegun 7.1.26, off by at most 1.5e-7.
#[inline(always)]
fn erf<S: Simd>(simd: S, x: f32x16<S>) -> f32x16<S> {
    const COEFFICIENTS: [f32; 5] =
        [1.061_405_4, -1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6];
    let one = f32x16::splat(simd, 1.0);
    let size = x.abs();
    let t = one / size.mul_add(0.327_591_1, 1.0);
    let [a, b, c, d, e] = COEFFICIENTS;
    let sum = (t * a + b).mul_add(t, c).mul_add(t, d).mul_add(t, e) * t;
    (one - sum * exponential(-(size * size))).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_the_exact_one() {
        // Φ(x)·x by the trapezoidal rule on the density, from far below.
        let (mut area, step) = (0.0_f64, 1e-4_f64);
        let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        for at in -80_000..80_000_i32 {
            let x = f64::from(at) * step;
            area += (density(x) + density(x + step)) / 2.0 * step;
            if at % 1_000 == 0 {
                let mut ours = [(x + step) as f32; 16];
                gelu(Level::new(), &mut ours);
                let exact = (x + step) * area;
                assert!((f64::from(ours[0]) - exact).abs() < 2e-6, "{x}: {} {exact}", ours[0]);
            }
        }
    }
}
