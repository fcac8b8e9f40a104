//! Attention: every piece takes from every other as much as its query and the other's key agree.

use crate::weights::WIDTH;

/// How many heads attend side by side, and the numbers of each.
const HEADS: usize = 12;
const HEAD: usize = WIDTH / HEADS;

#[derive(Default)]
pub(super) struct Scratch {
    scores: Vec<f32>,
}

/// From queries, keys and values of all pieces to what each piece takes.
pub(super) fn attend(qkv: &[f32], pieces: usize, scratch: &mut Scratch, out: &mut Vec<f32>) {
    out.clear();
    out.resize(pieces * WIDTH, 0.0);
    let factor = 1.0 / (HEAD as f32).sqrt();
    let part = |row: &'_ [f32], which: usize, head: usize| -> [f32; HEAD] {
        let at = which * WIDTH + head * HEAD;
        row.get(at..).and_then(|row| row.first_chunk()).copied().unwrap_or([0.0; HEAD])
    };
    for head in 0..HEADS {
        for (row, out) in qkv.chunks_exact(3 * WIDTH).zip(out.chunks_exact_mut(WIDTH)) {
            let query = part(row, 0, head);
            scratch.scores.clear();
            for row in qkv.chunks_exact(3 * WIDTH) {
                let key = part(row, 1, head);
                let score: f32 = query.iter().zip(key).map(|(q, k)| q * k).sum();
                scratch.scores.push(score * factor);
            }
            let most = scratch.scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut sum = 0.0;
            for score in &mut scratch.scores {
                *score = (*score - most).exp();
                sum += *score;
            }
            let out = out.get_mut(head * HEAD..).unwrap_or_default();
            for (score, row) in scratch.scores.iter().zip(qkv.chunks_exact(3 * WIDTH)) {
                for (out, value) in out.iter_mut().zip(part(row, 2, head)) {
                    *out += score / sum * value;
                }
            }
        }
    }
}
