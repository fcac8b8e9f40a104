//! Keeps the nearest of each cluster at a level up to date.

use std::collections::{BTreeSet, HashSet};

use foldhash::fast::FixedState;

use super::super::nearest::{Nearest, Rewired};
use super::{Best, Id, Levels, NOBODY, NONE, REMEMBERED, Turnover};

impl Levels {
    /// Finds the nearest of what is new at a level and of what is near it. Gives the clusters that
    /// now look elsewhere.
    pub(super) fn settle(
        &mut self,
        level: usize,
        turnover: &Turnover,
        rewired: &Rewired,
        nearest: &Nearest,
    ) -> BTreeSet<Id> {
        let size = self.clusters.len();
        if let Some(level) = self.levels.get_mut(level) {
            level.best.resize(size.max(level.best.len()), NOBODY);
        }
        let added: HashSet<Id, FixedState> = turnover.added.iter().copied().collect();
        let mut moved: BTreeSet<Id> = turnover.added.iter().copied().collect();
        let are_all = self.are_all(level, added.len());
        for id in &turnover.added {
            let best = self.best_of_new(level, *id, nearest);
            self.set_best(level, *id, best);
            if are_all {
                continue;
            }
            for other in self.neighbours(level, *id, nearest) {
                if !added.contains(&other) {
                    self.propose(level, other, *id, &mut moved, nearest);
                }
            }
        }
        for (one, other) in &rewired.tied {
            let pair = (self.at(level, *one), self.at(level, *other));
            for (one, other) in [pair, (pair.1, pair.0)] {
                if one != other && one != NONE && other != NONE && !added.contains(&one) {
                    self.propose(level, one, other, &mut moved, nearest);
                }
            }
        }
        for (one, other) in &rewired.cut {
            let pair = (self.at(level, *one), self.at(level, *other));
            for (one, other) in [pair, (pair.1, pair.0)] {
                let to = self.best(level, one).to;
                if one != NONE && !added.contains(&one) && (to == other || !self.is_at(level, to)) {
                    self.look_again(level, one, &mut moved, nearest);
                }
            }
        }
        moved
    }

    fn best(&self, level: usize, id: Id) -> Best {
        let level = self.levels.get(level);
        level.and_then(|level| level.best.get(id as usize)).copied().unwrap_or(NOBODY)
    }

    fn set_best(&mut self, level: usize, id: Id, best: Best) {
        let level = self.levels.get_mut(level);
        if let Some(place) = level.and_then(|level| level.best.get_mut(id as usize)) {
            *place = best;
        }
    }

    /// The nearest of a cluster that is new at a level.
    fn best_of_new(&self, level: usize, id: Id, nearest: &Nearest) -> Best {
        let below = level.checked_sub(1).filter(|below| self.is_at(*below, id));
        let known = below.map(|below| self.best(below, id));
        // It came up as it was. If its nearest did too, only neighbours that did not are new to it.
        match known.filter(|known| known.to == NONE || self.is_at(level, known.to)) {
            Some(known) => {
                let new = self.new_neighbours(level, id, nearest);
                new.iter().fold(known, |best, other| self.better(best, id, *other, nearest))
            }
            None => self.best_of_all(level, id, nearest),
        }
    }

    fn best_of_all(&self, level: usize, id: Id, nearest: &Nearest) -> Best {
        let others = self.neighbours(level, id, nearest);
        others.iter().fold(NOBODY, |best, other| self.better(best, id, *other, nearest))
    }

    /// The better of what a cluster has and another; among equals the one whose name is less.
    fn better(&self, best: Best, id: Id, other: Id, nearest: &Nearest) -> Best {
        let Some(likeness) = self.likeness(id, other, nearest) else { return best };
        let name = |id: Id| self.cluster(id).map(|cluster| cluster.name);
        let order = likeness.total_cmp(&best.likeness);
        let wins = order.then_with(|| name(best.to).cmp(&name(other))).is_gt();
        if wins { Best { to: other, likeness } } else { best }
    }

    /// How alike two clusters are, if that may ever be enough.
    fn likeness(&self, one: Id, other: Id, nearest: &Nearest) -> Option<f32> {
        let (left, right) = (self.cluster(one)?, self.cluster(other)?);
        // Of two nodes that are linked it was found when they were.
        if let ([left], [right]) = (left.leaves.as_slice(), right.leaves.as_slice())
            && let Some(known) = nearest.likeness_of(*left, *right)
        {
            return Some(known);
        }
        let pair = (one.min(other), one.max(other));
        if let Some(known) = self.remembered.borrow().get(&pair) {
            return *known;
        }
        let likeness = left.likeness(right, &self.settings);
        let mut remembered = self.remembered.borrow_mut();
        if remembered.len() < REMEMBERED {
            remembered.insert(pair, likeness);
        }
        likeness
    }

    /// Lets a cluster that was here before look at one that is new to it.
    fn propose(
        &mut self,
        level: usize,
        id: Id,
        other: Id,
        moved: &mut BTreeSet<Id>,
        nearest: &Nearest,
    ) {
        let known = self.best(level, id);
        if known.to != NONE && !self.is_at(level, known.to) {
            // What it looked to is gone. One that is nearer than that was is the nearest now.
            match self.likeness(id, other, nearest).filter(|likeness| *likeness > known.likeness) {
                Some(likeness) => self.move_to(level, id, Best { to: other, likeness }, moved),
                None => self.look_again(level, id, moved, nearest),
            }
            return;
        }
        let best = self.better(known, id, other, nearest);
        if best.to != known.to {
            self.move_to(level, id, best, moved);
        }
    }

    fn look_again(&mut self, level: usize, id: Id, moved: &mut BTreeSet<Id>, nearest: &Nearest) {
        let best = self.best_of_all(level, id, nearest);
        self.move_to(level, id, best, moved);
    }

    /// A look at something too far away to matter at this level is no move.
    fn move_to(&mut self, level: usize, id: Id, best: Best, moved: &mut BTreeSet<Id>) {
        let before = self.nearest(level, id);
        self.set_best(level, id, best);
        if self.nearest(level, id) != before {
            moved.insert(id);
        }
    }
}
