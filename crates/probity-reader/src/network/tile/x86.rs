//! Tiles by the instructions of x86 that multiply sixteen bits in pairs and add.

#[cfg(target_arch = "x86")]
use std::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

use fearless_simd::prelude::*;
use fearless_simd::{i8x16, i8x32, i32x8, i32x16, kernel};

use super::{Columns, GROUPS, INPUTS, LANES, Sums, apart};

kernel!(
    /// With AVX-512 and its instructions for networks: all sums stay in registers.
    pub(super) fn tile_avx512(avx512: Avx512, panel: &[Columns], inputs: &[i32], sums: &mut Sums) {
        let [a, b, c, d, e, f] = apart(inputs, panel.len());
        let inputs = a.iter().zip(b).zip(c).zip(d).zip(e).zip(f);
        let mut all = [[_mm512_setzero_si512(); GROUPS]; INPUTS];
        for (columns, (((((a, b), c), d), e), f)) in panel.iter().zip(inputs) {
            let mut weights = [_mm512_setzero_si512(); GROUPS];
            for (weights, bytes) in weights.iter_mut().zip(columns) {
                *weights = _mm512_cvtepi8_epi16(i8x32::from_slice(avx512, bytes).into());
            }
            for (sums, input) in all.iter_mut().zip([a, b, c, d, e, f]) {
                let input = _mm512_set1_epi32(*input);
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = _mm512_dpwssd_epi32(*sum, weights, input);
                }
            }
        }
        for (sums, all) in sums.iter_mut().zip(all) {
            for (sums, all) in sums.as_chunks_mut::<LANES>().0.iter_mut().zip(all) {
                let all: i32x16<_> = all.simd_into(avx512);
                all.store_slice(sums);
            }
        }
    }
);

kernel!(
    /// With AVX2: there are half as many registers of half the size, so one group at a time.
    pub(super) fn tile_avx2(avx2: Avx2, panel: &[Columns], inputs: &[i32], sums: &mut Sums) {
        let [a, b, c, d, e, f] = apart(inputs, panel.len());
        for group in 0..GROUPS {
            let inputs = a.iter().zip(b).zip(c).zip(d).zip(e).zip(f);
            let mut all = [[_mm256_setzero_si256(); 2]; INPUTS];
            for (columns, (((((a, b), c), d), e), f)) in panel.iter().zip(inputs) {
                let Some(bytes) = columns.get(group) else { continue };
                let mut weights = [_mm256_setzero_si256(); 2];
                for (weights, bytes) in weights.iter_mut().zip(bytes.as_chunks::<LANES>().0) {
                    *weights = _mm256_cvtepi8_epi16(i8x16::from_slice(avx2, bytes).into());
                }
                for (sums, input) in all.iter_mut().zip([a, b, c, d, e, f]) {
                    let input = _mm256_set1_epi32(*input);
                    for (sum, weights) in sums.iter_mut().zip(weights) {
                        *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(weights, input));
                    }
                }
            }
            for (sums, all) in sums.iter_mut().zip(all) {
                let Some(sums) = sums.as_chunks_mut::<LANES>().0.get_mut(group) else { continue };
                for (sums, all) in sums.as_chunks_mut::<8>().0.iter_mut().zip(all) {
                    let all: i32x8<_> = all.simd_into(avx2);
                    all.store_slice(sums);
                }
            }
        }
    }
);
