//! The forward pass.
//!
//! words + positions + sides + marks → norm → layers (attention → norm → widen, narrow → norm) →
//! heads

mod attend;
mod exponential;
mod gelu;
pub(crate) mod linear;
mod normalise;
mod tile;

use fearless_simd::Level;

use crate::encode::Encoded;
use crate::weights::{Head, INNER, Layer, WIDTH, Weights};
use linear::Quantised;
use normalise::{add_and_normalise, normalise};

/// What the network says about a pair, as logits.
#[derive(Debug, Default)]
pub(crate) struct Logits {
    /// Answerable, topic.
    pub(crate) qa: [f32; 2],
    /// Supported, not enough, contradicted.
    pub(crate) nli: [f32; 3],
    /// Whether an answer starts, or ends, at each piece.
    pub(crate) start: Vec<f32>,
    pub(crate) end: Vec<f32>,
}

/// The memory of a forward pass, used again for the next pair.
#[derive(Default)]
pub(crate) struct Scratch {
    state: Vec<f32>,
    input: Quantised,
    qkv: Vec<f32>,
    mixed: Vec<f32>,
    wide: Vec<f32>,
    change: Vec<f32>,
    attention: attend::Scratch,
}

/// Which pieces the last layer is worked out for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted {
    /// The first alone, which stands for the pair: enough for claims.
    Pair,
    /// All of them, to find spans.
    Spans,
}

/// Reads a pair.
pub(crate) fn read(
    weights: &Weights,
    pair: &Encoded,
    wanted: Wanted,
    scratch: &mut Scratch,
) -> Logits {
    read_at(Level::new(), weights, pair, wanted, scratch)
}

/// Reads a pair with what a processor of some level can do.
pub(crate) fn read_at(
    level: Level,
    weights: &Weights,
    pair: &Encoded,
    wanted: Wanted,
    scratch: &mut Scratch,
) -> Logits {
    embed(weights, pair, &mut scratch.state);
    normalise(level, &mut scratch.state, &weights.norm);
    if let Some((last, layers)) = weights.layers.split_last() {
        for layer in layers {
            run(level, layer, pair.ids.len(), scratch);
        }
        let wanted = match wanted {
            Wanted::Pair => 1,
            Wanted::Spans => pair.ids.len(),
        };
        run(level, last, wanted, scratch);
    }
    heads(level, weights, scratch)
}

fn embed(weights: &Weights, pair: &Encoded, state: &mut Vec<f32>) {
    state.clear();
    state.resize(pair.ids.len() * WIDTH, 0.0);
    let row = |rows: &'_ [f32], at: usize| -> [f32; WIDTH] {
        rows.as_chunks::<WIDTH>().0.get(at).copied().unwrap_or([0.0; WIDTH])
    };
    let (rows, _) = state.as_chunks_mut::<WIDTH>();
    for (at, ((id, mark), out)) in pair.ids.iter().zip(&pair.marks).zip(rows).enumerate() {
        let (position, side) = (row(&weights.positions, at), row(&weights.sides, pair.side(at)));
        let mark = row(&weights.marks, usize::from(*mark));
        let Some((word, scale)) = weights.word(*id) else { continue };
        let parts = word.iter().zip(position).zip(side).zip(mark);
        for (out, (((word, position), side), mark)) in out.iter_mut().zip(parts) {
            *out = f32::from(word.cast_signed()) * scale + position + side + mark;
        }
    }
}

/// Works a layer out for the first `wanted` pieces; the others are dropped.
fn run(level: Level, layer: &Layer, wanted: usize, scratch: &mut Scratch) {
    let Scratch { state, input, qkv, mixed, wide, change, attention } = scratch;
    input.take(level, state, WIDTH);
    layer.qkv.apply(level, input, qkv);
    attend::attend(level, qkv, wanted, attention, mixed);
    state.truncate(wanted * WIDTH);
    input.take(level, mixed, WIDTH);
    layer.out.apply(level, input, change);
    add_and_normalise(level, state, change, &layer.after_attention);
    input.take(level, state, WIDTH);
    layer.widen.apply(level, input, wide);
    gelu::gelu(level, wide);
    input.take(level, wide, INNER);
    layer.narrow.apply(level, input, change);
    add_and_normalise(level, state, change, &layer.after_widening);
}

fn heads(level: Level, weights: &Weights, scratch: &mut Scratch) -> Logits {
    let (rows, _) = scratch.state.as_chunks::<WIDTH>();
    let Some(first) = rows.first() else { return Logits::default() };
    let mut hidden = Vec::new();
    scratch.input.take(level, first, WIDTH);
    weights.head.apply(level, &scratch.input, &mut hidden);
    hidden.iter_mut().for_each(|x| *x = x.tanh());
    let spans: Vec<[f32; 2]> = rows.iter().map(|row| apply_head(&weights.span, row)).collect();
    Logits {
        qa: apply_head(&weights.qa, first),
        nli: apply_head(&weights.out, &hidden),
        start: spans.iter().map(|[start, _]| *start).collect(),
        end: spans.iter().map(|[_, end]| *end).collect(),
    }
}

fn apply_head<const ROWS: usize>(head: &Head<ROWS>, input: &[f32]) -> [f32; ROWS] {
    let mut out = head.bias;
    for (out, row) in out.iter_mut().zip(head.rows.chunks_exact(WIDTH)) {
        *out += row.iter().zip(input).map(|(weight, x)| weight * x).sum::<f32>();
    }
    out
}
