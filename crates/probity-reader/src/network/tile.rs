//! The product that nearly all time goes into: some rows of weights times some inputs.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86;

use fearless_simd::Simd;

/// How many inputs are worked on at once, so that every weight is loaded once for all of them.
pub(super) const INPUTS: usize = 6;
/// How many rows of sums fill a register, the number of such registers, and all rows of a tile.
const LANES: usize = 16;
const GROUPS: usize = 4;
pub(super) const ROWS: usize = LANES * GROUPS;

/// Two neighbouring columns of each row of a tile.
pub(super) type Columns = [[i8; 2 * LANES]; GROUPS];
/// A sum for each input and row.
pub(super) type Sums = [[i32; ROWS]; INPUTS];

/// Two neighbouring numbers of an input, as the bits of one.
pub(super) fn packed(low: i16, high: i16) -> i32 {
    (i32::from(high) << 16) | (i32::from(low) & 0xffff)
}

/// The sums for a panel of weights and [`INPUTS`] inputs, one after the other, packed in pairs.
#[inline(always)]
pub(super) fn tile<S: Simd>(simd: S, panel: &[Columns], inputs: &[i32], sums: &mut Sums) {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx512) = simd.level().as_avx512() {
        return x86::tile_avx512(avx512, panel, inputs, sums);
    } else if let Some(avx2) = simd.level().as_avx2() {
        return x86::tile_avx2(avx2, panel, inputs, sums);
    }
    portable(simd, panel, inputs, sums);
}

/// In loops that the compiler turns into what the processor has.
#[inline(always)]
fn portable<S: Simd>(_: S, panel: &[Columns], inputs: &[i32], sums: &mut Sums) {
    for (input, sums) in inputs.chunks_exact(panel.len().max(1)).zip(sums) {
        for (group, sums) in sums.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            // A sum for each column of a pair, so that neighbours need not be exchanged. No sum
            // can overflow; saying so lets the compiler use wide registers in debug builds.
            let mut apart = [[0_i32; 4]; LANES / 2];
            for (columns, pair) in panel.iter().zip(input) {
                let (low, high) = (i32::from(*pair as i16), pair >> 16);
                let weights = columns.get(group).unwrap_or(&[0; 2 * LANES]).as_chunks::<4>().0;
                for ([a, b, c, d], weights) in apart.iter_mut().zip(weights) {
                    let [e, f, g, h] = weights.map(i32::from);
                    *a = a.wrapping_add(e * low);
                    *b = b.wrapping_add(f * high);
                    *c = c.wrapping_add(g * low);
                    *d = d.wrapping_add(h * high);
                }
            }
            for (sums, [a, b, c, d]) in sums.as_chunks_mut::<2>().0.iter_mut().zip(apart) {
                *sums = [a + b, c + d];
            }
        }
    }
}

/// The inputs of a tile, apart.
fn apart(inputs: &[i32], length: usize) -> [&[i32]; INPUTS] {
    let mut apart = [&[][..]; INPUTS];
    for (own, input) in apart.iter_mut().zip(inputs.chunks_exact(length.max(1))) {
        *own = input;
    }
    apart
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_processor_gives_the_same_sums(
            weights in prop::collection::vec(any::<i8>(), 5 * 2 * ROWS),
            inputs in prop::collection::vec(any::<(i16, i16)>(), 5 * INPUTS),
        ) {
            let (groups, _) = weights.as_chunks::<{ 2 * LANES }>();
            let (panel, _) = groups.as_chunks::<GROUPS>();
            let inputs: Vec<i32> = inputs.iter().map(|(low, high)| packed(*low, *high)).collect();
            let (mut plain, mut fast) = ([[0; ROWS]; INPUTS], [[1; ROWS]; INPUTS]);
            dispatch!(Level::new(), simd => portable(simd, panel, &inputs, &mut plain));
            dispatch!(Level::new(), simd => tile(simd, panel, &inputs, &mut fast));
            let exact = |row: usize, input: usize| -> i32 {
                let of_pair = |(at, columns): (usize, &Columns)| {
                    let pair = inputs[input * panel.len() + at];
                    let [a, b] = columns.as_flattened().as_chunks::<2>().0[row].map(i32::from);
                    a * i32::from(pair as i16) + b * (pair >> 16)
                };
                panel.iter().enumerate().map(of_pair).sum()
            };
            prop_assert_eq!(plain[4][37], exact(37, 4));
            prop_assert_eq!(plain, fast);
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            if let Some(avx2) = Level::new().as_avx2() {
                x86::tile_avx2(avx2, panel, &inputs, &mut fast);
                prop_assert_eq!(plain, fast);
            }
        }
    }
}
