//! Average link: the two groups that are most alike become one, until none are alike enough.
//!
//! A group is kept as the sums of its members' words, vectors and times. The mean likeness of all
//! pairs between two groups is the product of their sums over the number of pairs, so no chain of
//! pairs that are merely alike one to the next holds a story together.

use std::cmp::Ordering;
use std::collections::{BTreeSet, BinaryHeap};

use probity_text::embed::DIMENSIONS;

use super::Settings;
use super::features::{Features, LEXICAL_SHARE, Term, product, sparse_product};

/// Milliseconds in an hour.
const HOUR: f64 = 3_600_000.0;

/// One thing to be grouped: an article, or several that are the same.
pub(super) struct Leaf<'a> {
    pub(super) features: &'a Features,
    /// How many articles it stands for.
    pub(super) weight: u32,
    pub(super) time: Times,
}

/// The times of some articles: how many have one, and their sum in milliseconds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Times {
    pub(super) dated: u32,
    pub(super) sum: i128,
}

impl Times {
    /// The times of two groups together.
    pub(super) fn and(self, other: Self) -> Self {
        Self { dated: self.dated.saturating_add(other.dated), sum: self.sum + other.sum }
    }

    fn mean(self) -> Option<f64> {
        (self.dated > 0).then(|| self.sum as f64 / f64::from(self.dated))
    }

    /// The share of likeness that is left over the time between two groups; all of it where a time
    /// is not known.
    pub(super) fn decay(self, other: Self, settings: &Settings) -> f32 {
        let (Some(left), Some(right)) = (self.mean(), other.mean()) else { return 1.0 };
        let hours = (left - right).abs() / HOUR;
        (0.5_f64).powf(hours / f64::from(settings.half_life_hours.max(0.001))) as f32
    }
}

struct Group {
    terms: Vec<(Term, f32)>,
    vector: Box<[f32; DIMENSIONS]>,
    weight: f32,
    time: Times,
    members: Vec<usize>,
    neighbours: BTreeSet<usize>,
    /// How often it has grown: what was measured before is out of date.
    version: u32,
}

impl Group {
    fn new(leaf: &Leaf<'_>, at: usize) -> Self {
        let weight = leaf.weight as f32;
        let mut vector = leaf.features.vector.clone();
        vector.iter_mut().for_each(|x| *x *= weight);
        Self {
            terms: leaf.features.terms.iter().map(|(term, w)| (*term, w * weight)).collect(),
            vector,
            weight,
            time: leaf.time,
            members: vec![at],
            neighbours: BTreeSet::new(),
            version: 0,
        }
    }

    /// The mean likeness of the pairs between two groups; where that alone is too low, time is not
    /// taken off it.
    fn likeness(&self, other: &Group, settings: &Settings) -> f32 {
        let sum = LEXICAL_SHARE * sparse_product(&self.terms, &other.terms)
            + (1.0 - LEXICAL_SHARE) * product(&self.vector, &other.vector);
        let mean = sum / (self.weight * other.weight);
        // Most pairs fail without a look at their times.
        if mean < settings.threshold { mean } else { mean * self.time.decay(other.time, settings) }
    }

    fn take_in(&mut self, other: Group) {
        self.terms = add(&self.terms, &other.terms);
        for (x, more) in self.vector.iter_mut().zip(other.vector.iter()) {
            *x += more;
        }
        self.weight += other.weight;
        self.time = self.time.and(other.time);
        self.members.extend(other.members);
        self.neighbours.extend(other.neighbours);
        self.version += 1;
    }
}

/// The sum of two lists that are ordered by stem.
fn add(left: &[(Term, f32)], right: &[(Term, f32)]) -> Vec<(Term, f32)> {
    let mut sum = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    loop {
        match (left.peek(), right.peek()) {
            (Some((a, x)), Some((b, y))) if a == b => {
                sum.push((*a, x + y));
                left.next();
                right.next();
            }
            (Some((a, _)), Some((b, _))) => {
                sum.extend(if a < b { left.next() } else { right.next() });
            }
            (Some(_), None) => sum.extend(left.next()),
            (None, _) => {
                sum.extend(right);
                return sum;
            }
        }
    }
}

/// A pair of groups as it was measured. The most alike comes first; among equals the one whose
/// members come first.
struct Pair {
    likeness: f32,
    left: usize,
    right: usize,
    versions: (u32, u32),
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        self.likeness
            .total_cmp(&other.likeness)
            .then_with(|| (other.left, other.right).cmp(&(self.left, self.right)))
            .then_with(|| other.versions.cmp(&self.versions))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Pair {}

/// Groups leaves by average link along the given links. The same leaves in the same order give the
/// same groups; each is a list of places, ascending.
pub(super) fn average_link(
    leaves: &[Leaf<'_>],
    links: &[(usize, usize)],
    settings: &Settings,
) -> Vec<Vec<usize>> {
    let mut grouping = Grouping {
        groups: leaves.iter().enumerate().map(|(at, leaf)| Some(Group::new(leaf, at))).collect(),
        heap: BinaryHeap::new(),
        settings,
    };
    for (left, right) in links {
        grouping.join(*left, *right);
    }
    while let Some(pair) = grouping.heap.pop() {
        grouping.merge(&pair);
    }
    let mut found: Vec<Vec<usize>> =
        grouping.groups.into_iter().flatten().map(|group| group.members).collect();
    found.iter_mut().for_each(|members| members.sort_unstable());
    found
}

struct Grouping<'a> {
    /// A group stands at the place of its first leaf.
    groups: Vec<Option<Group>>,
    heap: BinaryHeap<Pair>,
    settings: &'a Settings,
}

impl Grouping<'_> {
    /// Makes two groups neighbours.
    fn join(&mut self, left: usize, right: usize) {
        for (one, other) in [(left, right), (right, left)] {
            if let Some(Some(group)) = self.groups.get_mut(one) {
                group.neighbours.insert(other);
            }
        }
        self.measure(left, right);
    }

    /// Queues two neighbours if they are alike enough now.
    fn measure(&mut self, one: usize, other: usize) {
        let (left, right) = (one.min(other), one.max(other));
        let (Some(Some(a)), Some(Some(b))) = (self.groups.get(left), self.groups.get(right)) else {
            return;
        };
        let likeness = a.likeness(b, self.settings);
        if likeness >= self.settings.threshold {
            self.heap.push(Pair { likeness, left, right, versions: (a.version, b.version) });
        }
    }

    /// Makes one group of two, unless one of them has changed since they were measured.
    fn merge(&mut self, pair: &Pair) {
        let is_current = |at: usize, version: u32| matches!(self.groups.get(at), Some(Some(group)) if group.version == version);
        if !is_current(pair.left, pair.versions.0) || !is_current(pair.right, pair.versions.1) {
            return;
        }
        let Some(taken) = self.groups.get_mut(pair.right).and_then(Option::take) else { return };
        for neighbour in &taken.neighbours {
            if let Some(Some(group)) = self.groups.get_mut(*neighbour) {
                group.neighbours.remove(&pair.right);
                group.neighbours.insert(pair.left);
            }
        }
        let Some(Some(group)) = self.groups.get_mut(pair.left) else { return };
        group.take_in(taken);
        group.neighbours.remove(&pair.left);
        group.neighbours.remove(&pair.right);
        let neighbours: Vec<usize> = group.neighbours.iter().copied().collect();
        for neighbour in neighbours {
            self.measure(pair.left, neighbour);
        }
    }
}
