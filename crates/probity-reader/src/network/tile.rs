//! The product that nearly all time goes into: some rows of weights times some inputs.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86;

use fearless_simd::Level;

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
pub(super) fn tile(level: Level, panel: &[Columns], inputs: &[i32], sums: &mut Sums) {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx512) = level.as_avx512() {
        return x86::tile_avx512(avx512, panel, inputs, sums);
    } else if let Some(avx2) = level.as_avx2() {
        return x86::tile_avx2(avx2, panel, inputs, sums);
    }
    let _ = level;
    portable(panel, inputs, sums);
}

fn portable(panel: &[Columns], inputs: &[i32], sums: &mut Sums) {
    for (input, sums) in inputs.chunks_exact(panel.len().max(1)).zip(sums) {
        *sums = [0; ROWS];
        let (groups, _) = sums.as_chunks_mut::<LANES>();
        for (columns, pair) in panel.iter().zip(input) {
            let (low, high) = (i32::from(*pair as i16), pair >> 16);
            for (sums, weights) in groups.iter_mut().zip(columns) {
                let (weights, _) = weights.as_chunks::<2>();
                for (sum, [a, b]) in sums.iter_mut().zip(weights) {
                    *sum += low * i32::from(*a) + high * i32::from(*b);
                }
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
            portable(panel, &inputs, &mut plain);
            tile(Level::new(), panel, &inputs, &mut fast);
            prop_assert_eq!(plain, fast);
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            if let Some(avx2) = Level::new().as_avx2() {
                x86::tile_avx2(avx2, panel, &inputs, &mut fast);
                prop_assert_eq!(plain, fast);
            }
        }
    }
}
