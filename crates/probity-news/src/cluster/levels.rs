//! Stories by average link, level by level, so that one more article disturbs only its neighbours.
//!
//! At the lowest level every node is a cluster of its own. From a level to the next, two clusters
//! that are nearest to each other become one, and so do those whose nearest is one of the two and
//! that are alike enough to both together. Levels ask for less and less likeness, down to the
//! threshold, and likeness is the mean of all pairs between two clusters: average link, in steps.
//!
//! What a cluster does at a level follows from its neighbours there. So when something changes, only
//! changed clusters and those near them are looked at again, level by level, and the result is what
//! a fresh start would give, to the last bit: it follows from the set of nodes and links alone.

mod cluster;
mod settle;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use foldhash::fast::FixedState;

use self::cluster::Cluster;
pub(super) use self::cluster::Leaf;
use super::Settings;
use super::features::Body;
use super::nearest::{At, Nearest, Rewired};

/// The place of a cluster.
type Id = u32;
/// No cluster.
const NONE: Id = Id::MAX;

/// How much of the way from the threshold to 1 a level asks for.
const STEPS: [f32; 12] = [0.6, 0.42, 0.3, 0.22, 0.16, 0.11, 0.07, 0.04, 0.02, 0.0, 0.0, 0.0];

/// How many likenesses are remembered while a change is taken in: what one article more needs.
const REMEMBERED: usize = 1 << 17;

/// The nearest of a cluster at a level.
#[derive(Debug, Clone, Copy)]
struct Best {
    to: Id,
    likeness: f32,
}

const NOBODY: Best = Best { to: NONE, likeness: f32::NEG_INFINITY };

/// The clusters at one level.
#[derive(Default)]
struct Level {
    /// The cluster of each node.
    at: Vec<Id>,
    /// The nearest of each cluster that is here.
    best: Vec<Best>,
    /// How many clusters are here.
    count: usize,
}

/// The outcome for a cluster at the next level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// It stays as it is.
    Alone(Id),
    /// It becomes one with these two, of which it may be one.
    With(Id, Id),
}

/// What changes about the nodes.
pub(super) struct Changed<'a> {
    pub(super) gone: &'a [At],
    pub(super) come: Vec<(At, Leaf)>,
    pub(super) rewired: &'a Rewired,
}

/// Clusters that are new at a level, and those that are no longer there.
#[derive(Default)]
struct Turnover {
    added: Vec<Id>,
    removed: Vec<Id>,
}

/// All levels.
pub(super) struct Levels {
    settings: Settings,
    clusters: Vec<Option<Cluster>>,
    free: Vec<Id>,
    levels: Vec<Level>,
    marks: RefCell<Marks>,
    /// Similarities of the current change: neighbours meet again level after level.
    remembered: RefCell<HashMap<(Id, Id), Option<f32>, FixedState>>,
}

/// Which clusters were met since the marks were last wiped.
#[derive(Default)]
struct Marks {
    met: Vec<u32>,
    now: u32,
}

impl Marks {
    fn wipe(&mut self, size: usize) {
        self.met.resize(size.max(self.met.len()), 0);
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.met.fill(0);
            self.now = 1;
        }
    }

    /// Whether a cluster is met for the first time.
    fn is_new(&mut self, id: Id) -> bool {
        let now = self.now;
        self.met.get_mut(id as usize).is_some_and(|met| std::mem::replace(met, now) != now)
    }
}

impl Levels {
    /// Levels without nodes.
    pub(super) fn new(settings: Settings) -> Self {
        let levels = (0..=STEPS.len()).map(|_| Level::default()).collect();
        let (marks, remembered) = (RefCell::default(), RefCell::default());
        Self { settings, clusters: Vec::new(), free: Vec::new(), levels, marks, remembered }
    }

    /// The nodes that form a story with a node.
    pub(super) fn story_of(&self, at: At) -> &[At] {
        let id = self.at(self.levels.len() - 1, at);
        self.cluster(id).map(|cluster| cluster.leaves.as_slice()).unwrap_or_default()
    }

    /// The mean of the nodes that form a story with a node.
    pub(super) fn mean_of(&self, at: At) -> Option<Arc<Body>> {
        let id = self.at(self.levels.len() - 1, at);
        self.cluster(id).map(|cluster| Arc::clone(&cluster.body))
    }

    /// Takes a change in. Gives the nodes, at least one of each story that is new or changed.
    pub(super) fn change(&mut self, changed: Changed<'_>, nearest: &Nearest) -> Vec<At> {
        let Changed { gone, come, rewired } = changed;
        let mut dead: BTreeSet<Id> = BTreeSet::new();
        let mut turnover = self.ground(gone, come);
        self.count(0, &turnover, &mut dead);
        for level in 0..STEPS.len() {
            let moved = self.settle(level, &turnover, rewired, nearest);
            let next = self.regroup(level, &turnover, &moved, gone, nearest);
            self.count(level + 1, &next, &mut dead);
            turnover = next;
        }
        // An id is used again only now, so that no list of children takes another for its own.
        for id in dead {
            if let Some(slot) = self.clusters.get_mut(id as usize) {
                *slot = None;
                self.free.push(id);
            }
        }
        self.remembered.borrow_mut().clear();
        let first = |id: &Id| self.cluster(*id).and_then(|cluster| cluster.leaves.first().copied());
        turnover.added.iter().filter_map(first).collect()
    }

    fn cluster(&self, id: Id) -> Option<&Cluster> {
        self.clusters.get(id as usize)?.as_ref()
    }

    /// The cluster of a node at a level.
    fn at(&self, level: usize, at: At) -> Id {
        let level = self.levels.get(level);
        level.and_then(|level| level.at.get(at as usize)).copied().unwrap_or(NONE)
    }

    fn set_at(&mut self, level: usize, leaves: &[At], id: Id) {
        let Some(level) = self.levels.get_mut(level) else { return };
        for leaf in leaves {
            let place = *leaf as usize;
            if level.at.len() <= place {
                level.at.resize(place + 1, NONE);
            }
            if let Some(at) = level.at.get_mut(place) {
                *at = id;
            }
        }
    }

    /// Whether a cluster is there at a level.
    fn is_at(&self, level: usize, id: Id) -> bool {
        let first = self.cluster(id).and_then(|cluster| cluster.leaves.first());
        first.is_some_and(|leaf| self.at(level, *leaf) == id)
    }

    /// How alike clusters must be to become one above a level.
    fn asked(&self, level: usize) -> f32 {
        let threshold = self.settings.threshold;
        threshold + (1.0 - threshold) * STEPS.get(level).copied().unwrap_or(0.0)
    }

    fn insert(&mut self, cluster: Cluster) -> Id {
        if let Some(id) = self.free.pop() {
            if let Some(slot) = self.clusters.get_mut(id as usize) {
                *slot = Some(cluster);
            }
            return id;
        }
        let id = Id::try_from(self.clusters.len()).unwrap_or(NONE);
        self.clusters.push(Some(cluster));
        id
    }

    /// The lowest level: a cluster for each node that came.
    fn ground(&mut self, gone: &[At], come: Vec<(At, Leaf)>) -> Turnover {
        let mut turnover = Turnover::default();
        for at in gone {
            let id = self.at(0, *at);
            turnover.removed.push(id);
            self.set_at(0, &[*at], NONE);
        }
        for (at, leaf) in come {
            let id = self.insert(Cluster::leaf(at, leaf));
            self.set_at(0, &[at], id);
            turnover.added.push(id);
        }
        turnover
    }

    /// Counts at how many levels clusters are; those that are at none are dead.
    fn count(&mut self, level: usize, turnover: &Turnover, dead: &mut BTreeSet<Id>) {
        if let Some(level) = self.levels.get_mut(level) {
            level.count =
                (level.count + turnover.added.len()).saturating_sub(turnover.removed.len());
        }
        for id in &turnover.added {
            if let Some(Some(cluster)) = self.clusters.get_mut(*id as usize) {
                cluster.levels += 1;
                dead.remove(id);
            }
        }
        for id in &turnover.removed {
            if let Some(Some(cluster)) = self.clusters.get_mut(*id as usize) {
                cluster.levels = cluster.levels.saturating_sub(1);
                if cluster.levels == 0 {
                    dead.insert(*id);
                }
            }
        }
    }

    /// The clusters that one is linked with at a level.
    fn neighbours(&self, level: usize, id: Id, nearest: &Nearest) -> Vec<Id> {
        let Some(cluster) = self.cluster(id) else { return Vec::new() };
        let mut marks = self.marks.borrow_mut();
        marks.wipe(self.clusters.len());
        marks.is_new(id);
        let links = cluster.leaves.iter().flat_map(|leaf| nearest.links(*leaf));
        let found = links.map(|other| self.at(level, *other)).filter(|other| marks.is_new(*other));
        found.collect()
    }

    /// Those of them that were not at the level below.
    fn new_neighbours(&self, level: usize, id: Id, nearest: &Nearest) -> Vec<Id> {
        let (Some(cluster), Some(below)) = (self.cluster(id), level.checked_sub(1)) else {
            return Vec::new();
        };
        let mut marks = self.marks.borrow_mut();
        marks.wipe(self.clusters.len());
        marks.is_new(id);
        let links = cluster.leaves.iter().flat_map(|leaf| nearest.links(*leaf));
        // A cluster that came up as it was has the same nodes at both levels.
        let new = links.map(|other| (self.at(level, *other), self.at(below, *other)));
        let new = new.filter(|(here, below)| here != below).map(|(here, _)| here);
        new.filter(|other| marks.is_new(*other)).collect()
    }

    /// What a cluster has for its nearest at a level, if that is near enough there.
    fn nearest(&self, level: usize, id: Id) -> Option<Id> {
        let best = self.levels.get(level)?.best.get(id as usize)?;
        (best.to != NONE && best.likeness >= self.asked(level)).then_some(best.to)
    }

    /// The outcome for a cluster above a level.
    fn fate(&self, level: usize, id: Id) -> Fate {
        let fate = || {
            let one = self.nearest(level, id)?;
            let other = self.nearest(level, one)?;
            let (own, a, b) = (self.cluster(id)?, self.cluster(one)?, self.cluster(other)?);
            let (first, second) = if a.name < b.name { (one, other) } else { (other, one) };
            if other == id {
                return Some(Fate::With(first, second));
            }
            let is_core = self.nearest(level, other)? == one;
            let alike = || own.likeness_to_both(a, b, &self.settings) >= self.asked(level);
            (is_core && alike()).then_some(Fate::With(first, second))
        };
        fate().unwrap_or(Fate::Alone(id))
    }

    /// Makes the next level follow from this one again, where clusters moved.
    fn regroup(
        &mut self,
        level: usize,
        turnover: &Turnover,
        moved: &BTreeSet<Id>,
        gone: &[At],
        nearest: &Nearest,
    ) -> Turnover {
        let affected = self.affected(level, moved, nearest);
        let dissolved = self.dissolved(level, turnover, &affected, gone);
        let mut members = affected;
        for id in &dissolved {
            let leaves = self.cluster(*id).map(|cluster| cluster.leaves.as_slice());
            let here = leaves.unwrap_or_default().iter().map(|leaf| self.at(level, *leaf));
            members.extend(here.filter(|id| *id != NONE));
        }
        let mut groups: BTreeMap<Fate, Vec<Id>> = BTreeMap::new();
        for id in members {
            groups.entry(self.fate(level, id)).or_default().push(id);
        }
        let mut next = Turnover::default();
        let mut kept: BTreeSet<Id> = BTreeSet::new();
        for (fate, mut children) in groups {
            let old = match fate {
                Fate::Alone(id) => dissolved.contains(&id).then_some(id),
                Fate::With(..) => {
                    children.sort_unstable_by_key(|id| self.cluster(*id).map(|own| own.name));
                    self.same_parent(level, &children, &dissolved)
                }
            };
            if let Some(old) = old {
                kept.insert(old);
                continue;
            }
            next.added.push(match fate {
                Fate::Alone(id) => id,
                Fate::With(..) => {
                    let parts = children.iter().filter_map(|id| self.cluster(*id)).collect();
                    let parent = Cluster::parent(parts, children.clone());
                    self.insert(parent)
                }
            });
        }
        next.removed = dissolved.difference(&kept).copied().collect();
        self.set_at(level + 1, gone, NONE);
        for id in &next.added {
            let leaves = self.cluster(*id).map(|cluster| cluster.leaves.clone());
            self.set_at(level + 1, &leaves.unwrap_or_default(), *id);
        }
        next
    }

    /// Whether this many clusters are all that are at a level.
    fn are_all(&self, level: usize, count: usize) -> bool {
        self.levels.get(level).is_some_and(|level| level.count == count)
    }

    /// Clusters whose fate may be another: those that moved, those that look to them, and those that
    /// look to these.
    fn affected(&self, level: usize, moved: &BTreeSet<Id>, nearest: &Nearest) -> BTreeSet<Id> {
        let mut affected = moved.clone();
        if self.are_all(level, moved.len()) {
            return affected;
        }
        let mut edge: Vec<Id> = moved.iter().copied().collect();
        for _ in 0..2 {
            let mut next = Vec::new();
            for id in edge {
                for other in self.neighbours(level, id, nearest) {
                    if self.nearest(level, other) == Some(id) && affected.insert(other) {
                        next.push(other);
                    }
                }
            }
            edge = next;
        }
        affected
    }

    /// The clusters of the next level that have to be made again.
    fn dissolved(
        &self,
        level: usize,
        turnover: &Turnover,
        affected: &BTreeSet<Id>,
        gone: &[At],
    ) -> BTreeSet<Id> {
        let above = |leaf: &At| self.at(level + 1, *leaf);
        let mut dissolved: BTreeSet<Id> = gone.iter().map(above).collect();
        let added: BTreeSet<Id> = turnover.added.iter().copied().collect();
        for id in affected {
            let leaves = self.cluster(*id).map(|cluster| cluster.leaves.as_slice());
            let leaves = leaves.unwrap_or_default();
            // What is not new lies in one cluster above.
            let looked = if added.contains(id) { leaves.len() } else { 1 };
            dissolved.extend(leaves.iter().take(looked).map(above));
            if let Fate::With(one, other) = self.fate(level, *id) {
                let core = [one, other].into_iter().filter_map(|id| self.cluster(id));
                dissolved.extend(core.filter_map(|own| own.leaves.first()).map(above));
            }
        }
        dissolved.remove(&NONE);
        dissolved
    }

    /// The cluster above that has just these children already.
    fn same_parent(&self, level: usize, children: &[Id], dissolved: &BTreeSet<Id>) -> Option<Id> {
        let first = self.cluster(*children.first()?)?.leaves.first()?;
        let above = self.at(level + 1, *first);
        let same = self.cluster(above)?.children == children;
        (same && dissolved.contains(&above)).then_some(above)
    }
}
