//! Which articles are linked: each with the nearest of those it shares a key with.
//!
//! Under each key articles stand in the order of time. Two of them are compared if they stand close
//! to each other under some key, and linked if one is among the nearest of the other. All of that
//! follows from the set of articles alone; what is kept here is only kept up to date.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;

use super::Settings;
use super::window::Node;

/// How many places apart under a key two articles are still compared.
const REACH: usize = 64;
/// How many others an article is linked with on its own account: the nearest.
const NEAREST: usize = 16;

/// The place of a node.
pub(super) type At = u32;

/// The position of an article under a key: by time, then by what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    time: i64,
    key: u64,
    at: At,
}

/// The articles under a key, in order. Most keys have one article, which needs no list of its own.
enum Bucket {
    One(Place),
    Many(Vec<Place>),
}

impl Bucket {
    fn as_slice(&self) -> &[Place] {
        match self {
            Self::One(place) => std::slice::from_ref(place),
            Self::Many(places) => places,
        }
    }

    fn insert(&mut self, rank: usize, place: Place) {
        match self {
            Self::Many(places) => places.insert(rank.min(places.len()), place),
            Self::One(known) => {
                let mut both = vec![*known, place];
                both.sort_unstable();
                *self = Self::Many(both);
            }
        }
    }

    /// Takes a place out. Gives whether nothing is left.
    fn remove(&mut self, rank: usize) -> bool {
        match self {
            Self::One(_) => true,
            Self::Many(places) => {
                if rank < places.len() {
                    places.remove(rank);
                }
                places.is_empty()
            }
        }
    }
}

/// One of the nearest of an article.
#[derive(Debug, Clone, Copy)]
struct Near {
    likeness: f32,
    key: u64,
    at: At,
}

impl Near {
    /// The nearest first; among equals by what they say.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        other.likeness.total_cmp(&self.likeness).then(self.key.cmp(&other.key))
    }
}

/// What happened to the links since they were last asked for.
#[derive(Debug, Default)]
pub(super) struct Rewired {
    /// Links that are no more.
    pub(super) cut: Vec<(At, At)>,
    /// Links that are new.
    pub(super) tied: Vec<(At, At)>,
}

/// The nodes, under their keys and with their nearest.
#[derive(Default)]
pub(super) struct Nearest {
    buckets: HashMap<u64, Bucket, FixedState>,
    top: Vec<Vec<Near>>,
    links: Vec<Vec<At>>,
    /// Nodes whose nearest have to be found (again).
    dirty: BTreeSet<At>,
    /// Pairs that came close enough under a key when something between them went.
    closer: Vec<(At, At)>,
    /// Pairs of which one is among the nearest of the other, and something came between them.
    parted: Vec<(At, At)>,
    /// Nodes that went.
    gone: Vec<At>,
    /// For each node, the last node it was compared with: so that it is done once.
    compared: Vec<At>,
}

impl Nearest {
    /// The nodes that a node is linked with.
    pub(super) fn links(&self, at: At) -> &[At] {
        self.links.get(at as usize).map(Vec::as_slice).unwrap_or_default()
    }

    /// How alike two nodes are that are linked.
    pub(super) fn likeness_of(&self, one: At, other: At) -> Option<f32> {
        let among = |one: At, other: At| self.top(one).iter().find(|near| near.at == other);
        among(one, other).or_else(|| among(other, one)).map(|near| near.likeness)
    }

    fn top(&self, at: At) -> &[Near] {
        self.top.get(at as usize).map(Vec::as_slice).unwrap_or_default()
    }

    fn is_near(&self, one: At, other: At) -> bool {
        self.top(one).iter().any(|near| near.at == other)
    }

    /// Puts a node under its keys.
    pub(super) fn add(&mut self, at: At, node: &Node) {
        let size = self.top.len().max(at as usize + 1);
        self.top.resize_with(size, Vec::new);
        self.links.resize_with(size, Vec::new);
        let place = Place { time: node.time.place(), key: node.key, at };
        for key in &node.keys {
            let bucket = match self.buckets.entry(*key) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(free) => {
                    free.insert(Bucket::One(place));
                    continue;
                }
            };
            let rank = bucket.as_slice().partition_point(|other| *other < place);
            let parted = straddling(bucket.as_slice(), rank, REACH);
            bucket.insert(rank, place);
            for (one, other) in parted {
                if self.is_near(one, other) || self.is_near(other, one) {
                    self.parted.push((one, other));
                }
            }
        }
        self.dirty.insert(at);
    }

    /// Takes a node from under its keys.
    pub(super) fn remove(&mut self, at: At, node: &Node) {
        let place = Place { time: node.time.place(), key: node.key, at };
        for key in &node.keys {
            let Some(bucket) = self.buckets.get_mut(key) else { continue };
            let Ok(rank) = bucket.as_slice().binary_search(&place) else { continue };
            if bucket.remove(rank) {
                self.buckets.remove(key);
            } else {
                self.closer.extend(straddling(bucket.as_slice(), rank, REACH));
            }
        }
        self.dirty.remove(&at);
        for other in self.links.get(at as usize).into_iter().flatten().copied() {
            if self.top.get(other as usize).into_iter().flatten().any(|near| near.at == at) {
                self.dirty.insert(other);
            }
        }
        self.gone.push(at);
    }

    /// Finds the nearest of what is new and of what lost one, and says which links changed.
    pub(super) fn bring_up_to_date(
        &mut self,
        nodes: &[Option<Node>],
        settings: &Settings,
    ) -> Rewired {
        self.compared.clear();
        self.compared.resize(nodes.len(), At::MAX);
        let mut changes = Changes::default();
        for at in std::mem::take(&mut self.gone) {
            for near in self.top.get_mut(at as usize).map(std::mem::take).unwrap_or_default() {
                changes.lost.push((at, near.at));
            }
            self.dirty.remove(&at);
        }
        for (one, other) in std::mem::take(&mut self.parted) {
            // They may still be close to each other under another key.
            if !self.are_close(one, other, nodes) {
                let found = [(one, other), (other, one)];
                let lost = found.into_iter().filter(|(one, other)| self.is_near(*one, *other));
                let lost: Vec<At> = lost.map(|(one, _)| one).collect();
                self.dirty.extend(lost);
            }
        }
        let dirty = std::mem::take(&mut self.dirty);
        self.find_again(&dirty, nodes, settings, &mut changes);
        for (one, other) in std::mem::take(&mut self.closer) {
            // What was put in between meanwhile may have parted them again.
            if !self.are_close(one, other, nodes) {
                continue;
            }
            if let Some(likeness) = likeness(one, other, nodes, settings) {
                for (to, at) in [(one, other), (other, one)] {
                    let Some(Some(node)) = nodes.get(at as usize) else { continue };
                    self.offer(to, Near { likeness, key: node.key, at }, &mut changes);
                }
            }
        }
        self.rewire(changes)
    }

    /// Finds the nearest of some nodes again. Two of them are compared once, for both.
    fn find_again(
        &mut self,
        dirty: &BTreeSet<At>,
        nodes: &[Option<Node>],
        settings: &Settings,
        changes: &mut Changes,
    ) {
        let mut open = vec![false; nodes.len()];
        for at in dirty {
            let top = self.top.get_mut(*at as usize).map(std::mem::take).unwrap_or_default();
            changes.lost.extend(top.iter().map(|near| (*at, near.at)));
            if let Some(open) = open.get_mut(*at as usize) {
                *open = true;
            }
        }
        let is_open = |at: At| open.get(at as usize).copied().unwrap_or(false);
        for at in dirty {
            let Some(Some(node)) = nodes.get(*at as usize) else { continue };
            // Those before it have compared themselves with it.
            let is_met = |other: At| other < *at && is_open(other);
            for near in self.close_to(*at, node, is_met, nodes, settings) {
                let own = Near { likeness: near.likeness, key: node.key, at: *at };
                if is_open(near.at) {
                    self.top.get_mut(near.at as usize).map(|top| rank_in(top, own));
                } else {
                    self.offer(near.at, own, changes);
                }
                self.top.get_mut(*at as usize).map(|top| rank_in(top, near));
            }
        }
        for at in dirty {
            changes.found.extend(self.top(*at).iter().map(|near| (*at, near.at)));
        }
    }

    /// All that are alike enough to be linked with a node, except those that it has met already.
    fn close_to(
        &mut self,
        at: At,
        node: &Node,
        is_met: impl Fn(At) -> bool,
        nodes: &[Option<Node>],
        settings: &Settings,
    ) -> Vec<Near> {
        let place = Place { time: node.time.place(), key: node.key, at };
        let mut close: Vec<Near> = Vec::new();
        for key in &node.keys {
            let bucket = self.buckets.get(key).map(Bucket::as_slice).unwrap_or_default();
            let Ok(rank) = bucket.binary_search(&place) else { continue };
            let range = rank.saturating_sub(REACH)..(rank + REACH + 1).min(bucket.len());
            for other in bucket.get(range).unwrap_or_default() {
                let Some(mark) = self.compared.get_mut(other.at as usize) else { continue };
                if std::mem::replace(mark, at) == at || other.at == at || is_met(other.at) {
                    continue;
                }
                if let Some(likeness) = likeness(at, other.at, nodes, settings) {
                    close.push(Near { likeness, key: other.key, at: other.at });
                }
            }
        }
        close
    }

    /// Whether two nodes stand close to each other under some key.
    fn are_close(&self, one: At, other: At, nodes: &[Option<Node>]) -> bool {
        let (Some(Some(left)), Some(Some(right))) =
            (nodes.get(one as usize), nodes.get(other as usize))
        else {
            return false;
        };
        let rank = |bucket: &[Place], node: &Node, at: At| {
            bucket.binary_search(&Place { time: node.time.place(), key: node.key, at }).ok()
        };
        left.keys.iter().filter(|key| right.keys.binary_search(key).is_ok()).any(|key| {
            let bucket = self.buckets.get(key).map(Bucket::as_slice).unwrap_or_default();
            let ranks = (rank(bucket, left, one), rank(bucket, right, other));
            matches!(ranks, (Some(a), Some(b)) if a.abs_diff(b) <= REACH)
        })
    }

    /// Lets a node have another among its nearest, if it is near enough.
    fn offer(&mut self, to: At, near: Near, changes: &mut Changes) {
        let Some(top) = self.top.get_mut(to as usize) else { return };
        if top.iter().any(|known| known.at == near.at) {
            return;
        }
        if let Some(last) = rank_in(top, near) {
            changes.found.push((to, near.at));
            changes.lost.extend(last.map(|last| (to, last.at)));
        }
    }

    /// Makes the links follow from the nearest again.
    fn rewire(&mut self, mut changes: Changes) -> Rewired {
        let order = |(one, other): (At, At)| (one.min(other), one.max(other));
        let mut pairs = changes.found;
        pairs.append(&mut changes.lost);
        pairs.iter_mut().for_each(|pair| *pair = order(*pair));
        pairs.sort_unstable();
        pairs.dedup();
        let mut rewired = Rewired::default();
        for (one, other) in pairs {
            let should = self.is_near(one, other) || self.is_near(other, one);
            let is = self.links(one).contains(&other);
            if should && !is {
                self.join(one, other);
                rewired.tied.push((one, other));
            } else if is && !should {
                self.part(one, other);
                rewired.cut.push((one, other));
            }
        }
        rewired
    }

    fn join(&mut self, one: At, other: At) {
        for (from, to) in [(one, other), (other, one)] {
            if let Some(links) = self.links.get_mut(from as usize) {
                links.push(to);
            }
        }
    }

    fn part(&mut self, one: At, other: At) {
        for (from, to) in [(one, other), (other, one)] {
            if let Some(links) = self.links.get_mut(from as usize) {
                links.retain(|link| *link != to);
            }
        }
    }
}

/// What was found near, and what is no longer.
#[derive(Default)]
struct Changes {
    found: Vec<(At, At)>,
    lost: Vec<(At, At)>,
}

/// Puts one among the nearest, if it is near enough. Gives whom it displaced, if it was put in.
fn rank_in(top: &mut Vec<Near>, near: Near) -> Option<Option<Near>> {
    let rank = top.partition_point(|known| known.order(&near).is_lt());
    if rank >= NEAREST {
        return None;
    }
    let last = if top.len() >= NEAREST { top.pop() } else { None };
    top.insert(rank, near);
    Some(last)
}

/// The pairs that stand `reach` apart in a bucket, one on either side of a rank.
fn straddling(bucket: &[Place], rank: usize, reach: usize) -> Vec<(At, At)> {
    if bucket.len() <= reach {
        return Vec::new();
    }
    let left = bucket.get(rank.saturating_sub(reach)..rank).unwrap_or_default();
    let right = bucket.get(rank.saturating_sub(reach) + reach..).unwrap_or_default();
    left.iter().zip(right).map(|(left, right)| (left.at, right.at)).collect()
}

/// How alike two nodes are, if that is enough for a link.
fn likeness(one: At, other: At, nodes: &[Option<Node>], settings: &Settings) -> Option<f32> {
    let (one, other) = (nodes.get(one as usize)?.as_ref()?, nodes.get(other as usize)?.as_ref()?);
    let enough = |likeness: &f32| *likeness >= settings.threshold;
    // Most pairs fail without a look at their times.
    let likeness = one.features.link(&other.features).filter(enough)?;
    Some(likeness * one.time.decay(other.time, settings)).filter(enough)
}
