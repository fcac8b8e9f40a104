//! One cluster: what it is compared by, and what it is made of.

use std::sync::Arc;

use super::super::Settings;
use super::super::features::Body;
use super::super::nearest::At;
use super::super::times::Times;
use super::Id;

/// One thing to be grouped: an article, or several that are the same.
pub(in super::super) struct Leaf {
    pub(in super::super) body: Arc<Body>,
    /// How many articles it stands for.
    pub(in super::super) weight: u32,
    pub(in super::super) time: Times,
    /// What it is called, whatever its place.
    pub(in super::super) key: u64,
}

/// Nodes that belong together at some level.
pub(super) struct Cluster {
    pub(super) body: Arc<Body>,
    weight: f32,
    time: Times,
    /// The least key of its nodes: what orders clusters among equals.
    pub(super) name: u64,
    pub(super) leaves: Vec<At>,
    /// The clusters of the level below that it was made of, by name.
    pub(super) children: Vec<Id>,
    /// At how many levels it is.
    pub(super) levels: u8,
}

impl Cluster {
    pub(super) fn leaf(at: At, leaf: Leaf) -> Self {
        Self {
            body: leaf.body,
            weight: leaf.weight as f32,
            time: leaf.time,
            name: leaf.key,
            leaves: vec![at],
            children: Vec::new(),
            levels: 0,
        }
    }

    /// One cluster of several, given by name.
    pub(super) fn parent(parts: Vec<&Cluster>, children: Vec<Id>) -> Self {
        let bodies: Vec<(&Body, f32)> =
            parts.iter().map(|part| (part.body.as_ref(), part.weight)).collect();
        Self {
            body: Arc::new(Body::mean(&bodies)),
            weight: parts.iter().map(|part| part.weight).sum(),
            time: parts.iter().fold(Times::default(), |all, part| all.and(part.time)),
            name: parts.iter().map(|part| part.name).min().unwrap_or_default(),
            leaves: parts.iter().flat_map(|part| part.leaves.iter().copied()).collect(),
            children,
            levels: 0,
        }
    }

    /// The mean likeness of the pairs between two clusters, if it reaches the threshold.
    pub(super) fn likeness(&self, other: &Cluster, settings: &Settings) -> Option<f32> {
        let mean = self.body.likeness_from(settings.threshold, &other.body)?;
        let likeness = mean * self.time.decay(other.time, settings);
        Some(likeness).filter(|likeness| *likeness >= settings.threshold)
    }

    /// The same towards two clusters together.
    pub(super) fn likeness_to_both(&self, a: &Cluster, b: &Cluster, settings: &Settings) -> f32 {
        let (a, b) = if a.name < b.name { (a, b) } else { (b, a) };
        let sum = self.body.likeness(&a.body) * a.weight + self.body.likeness(&b.body) * b.weight;
        let mean = sum / (a.weight + b.weight).max(1.0);
        if mean < settings.threshold {
            mean
        } else {
            mean * self.time.decay(a.time.and(b.time), settings)
        }
    }
}
