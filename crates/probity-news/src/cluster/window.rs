//! The articles at hand and their stories, kept up to date article by article.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use serde::Serialize;

use super::features::Features;
use super::keys::keys;
use super::link::{Leaf, Times, average_link};
use super::minhash::Shingles;
use super::{Article, Background, Settings};

/// How many articles on either side in time are compared with one under a key that many share.
const REACH: usize = 50;
/// How many links an article keeps: the closest.
const LINKS: usize = 16;
/// The same headline again after so many milliseconds is another article (three days).
const REPEAT_MS: i64 = 72 * 3_600_000;

/// Articles on the same event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Story {
    /// The ids of its articles, the earliest first.
    pub articles: Vec<String>,
    /// The id of the article that is most like the others.
    pub centre: String,
    /// Articles that repeat an earlier one of the story: (id, id of the earlier one).
    pub duplicates: Vec<(String, String)>,
}

/// An article's id and time.
struct Copy {
    id: String,
    published: Option<i64>,
}

/// Articles that say the same in the same words.
struct Node {
    /// What is the same of them, and what orders nodes.
    key: u64,
    features: Features,
    shingles: Shingles,
    copies: Vec<Copy>,
    time: Times,
    keys: Vec<u64>,
}

/// The articles at hand and their stories.
///
/// Adding is cheap; what an article changes is worked out when the stories are next asked for, and
/// only for the part of the news that it is linked to.
pub struct Window {
    background: Background,
    settings: Settings,
    nodes: Vec<Node>,
    ids: HashSet<String, FixedState>,
    by_key: HashMap<u64, usize, FixedState>,
    buckets: HashMap<u64, Vec<u32>, FixedState>,
    links: Vec<Vec<u32>>,
    parts: Parts,
    /// Nodes that were not compared with the others yet.
    pending: Vec<usize>,
    /// Nodes whose part has to be grouped again.
    touched: Vec<usize>,
    /// The groups of each part that was grouped, by its root.
    groups: HashMap<usize, Vec<Vec<usize>>, FixedState>,
}

impl Window {
    /// An empty window over a background.
    pub fn new(background: Background, settings: Settings) -> Self {
        Self {
            background,
            settings,
            nodes: Vec::new(),
            ids: HashSet::default(),
            by_key: HashMap::default(),
            buckets: HashMap::default(),
            links: Vec::new(),
            parts: Parts::default(),
            pending: Vec::new(),
            touched: Vec::new(),
            groups: HashMap::default(),
        }
    }

    /// How many articles there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Adds an article. An id that is there already is passed over.
    pub fn add(&mut self, article: Article) {
        if !self.ids.insert(article.id.clone()) {
            return;
        }
        let features = Features::read(&article, &self.background);
        let published = article.published.map(|at| at.0);
        let period = published.map(|at| at.div_euclid(REPEAT_MS));
        let key = FixedState::default().hash_one((features.key, &article.text, period));
        let at = match self.by_key.get(&key) {
            Some(at) => *at,
            None => self.add_node(key, features, &article.title),
        };
        if let Some(node) = self.nodes.get_mut(at) {
            let time =
                published.map_or_else(Times::default, |at| Times { dated: 1, sum: at.into() });
            node.time = node.time.and(time);
            node.copies.push(Copy { id: article.id, published });
        }
        self.touched.push(at);
    }

    fn add_node(&mut self, key: u64, features: Features, title: &str) -> usize {
        let shingles = Shingles::read(title);
        let keys = keys(&features, &shingles, &self.background);
        let at = self.nodes.len();
        for key in &keys {
            self.buckets.entry(*key).or_default().push(u32::try_from(at).unwrap_or(u32::MAX));
        }
        let (copies, time) = (Vec::new(), Times::default());
        self.nodes.push(Node { key, features, shingles, copies, time, keys });
        self.links.push(Vec::new());
        self.parts.add();
        self.by_key.insert(key, at);
        self.pending.push(at);
        at
    }

    /// The stories, those with the earliest articles first.
    pub fn stories(&mut self) -> Vec<Story> {
        self.bring_up_to_date();
        let mut stories: Vec<Story> =
            self.groups.values().flatten().filter_map(|group| self.story(group)).collect();
        stories.sort_by(|a, b| a.articles.first().cmp(&b.articles.first()));
        stories
    }

    /// The story of one article.
    pub fn story_of(&mut self, id: &str) -> Option<Story> {
        self.bring_up_to_date();
        let is_it = |node: &Node| node.copies.iter().any(|copy| copy.id == id);
        let at = self.nodes.iter().position(is_it)?;
        let groups = self.groups.get(&self.parts.root(at))?;
        self.story(groups.iter().find(|group| group.contains(&at))?)
    }

    /// Compares what is new with the rest, and groups the parts it belongs to again.
    pub fn bring_up_to_date(&mut self) {
        self.order_buckets();
        let mut compared =
            vec![u32::MAX; if self.pending.is_empty() { 0 } else { self.nodes.len() }];
        for at in std::mem::take(&mut self.pending) {
            let close = self.close_to(at, &mut compared);
            for other in close {
                self.link(at, other);
            }
        }
        let touched = std::mem::take(&mut self.touched);
        let roots: HashSet<usize> = touched.iter().map(|at| self.parts.root(*at)).collect();
        for root in roots {
            let groups = self.group(root);
            self.groups.insert(root, groups);
        }
    }

    /// Puts the articles under each key of a new one in the order of time.
    fn order_buckets(&mut self) {
        let keys: HashSet<u64, FixedState> = self
            .pending
            .iter()
            .filter_map(|at| self.nodes.get(*at))
            .flat_map(|node| node.keys.iter().copied())
            .collect();
        let nodes = &self.nodes;
        for key in keys {
            let Some(bucket) = self.buckets.get_mut(&key) else { continue };
            if bucket.len() > REACH {
                bucket.sort_by_key(|at| place(nodes, *at));
            }
        }
    }

    /// The articles that are alike enough to be linked with one, the closest first.
    fn close_to(&self, at: usize, compared: &mut [u32]) -> Vec<usize> {
        let Some(node) = self.nodes.get(at) else { return Vec::new() };
        let own = u32::try_from(at).unwrap_or(u32::MAX);
        let mut close: Vec<(f32, u64, usize)> = Vec::new();
        for key in &node.keys {
            let bucket = self.buckets.get(key).map(Vec::as_slice).unwrap_or_default();
            for other in nearby(bucket, own, &self.nodes) {
                let index = *other as usize;
                let Some(mark) = compared.get_mut(index) else { continue };
                if std::mem::replace(mark, own) == own || index == at {
                    continue;
                }
                let Some(other) = self.nodes.get(index) else { continue };
                let likeness = node.features.link(&other.features);
                let enough = |likeness: &f32| *likeness >= self.settings.threshold;
                let Some(likeness) = likeness.filter(enough) else { continue };
                let likeness = likeness * node.time.decay(other.time, &self.settings);
                if likeness >= self.settings.threshold {
                    close.push((likeness, other.key, index));
                }
            }
        }
        close.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        close.truncate(LINKS);
        close.into_iter().map(|(_, _, index)| index).collect()
    }

    fn link(&mut self, one: usize, other: usize) {
        let add = |links: &mut Vec<Vec<u32>>, from: usize, to: usize| {
            let to = u32::try_from(to).unwrap_or(u32::MAX);
            if let Some(links) = links.get_mut(from).filter(|links| !links.contains(&to)) {
                links.push(to);
            }
        };
        add(&mut self.links, one, other);
        add(&mut self.links, other, one);
        for root in [self.parts.root(one), self.parts.root(other)] {
            self.groups.remove(&root);
        }
        self.parts.join(one, other);
    }

    /// Groups the articles of one part.
    fn group(&self, root: usize) -> Vec<Vec<usize>> {
        let mut members: Vec<(u64, usize)> = self
            .parts
            .members(root)
            .iter()
            .filter_map(|at| Some((self.nodes.get(*at)?.key, *at)))
            .collect();
        members.sort_unstable();
        let places: HashMap<usize, usize, FixedState> =
            members.iter().enumerate().map(|(place, (_, at))| (*at, place)).collect();
        let mut leaves = Vec::with_capacity(members.len());
        let mut links = Vec::new();
        for (place, (_, at)) in members.iter().enumerate() {
            let Some(node) = self.nodes.get(*at) else { continue };
            let weight = u32::try_from(node.copies.len()).unwrap_or(u32::MAX);
            leaves.push(Leaf { features: &node.features, weight, time: node.time });
            let others = self.links.get(*at).into_iter().flatten();
            let others = others.filter_map(|other| places.get(&(*other as usize)));
            links.extend(others.filter(|other| **other > place).map(|other| (place, *other)));
        }
        links.sort_unstable();
        let groups = average_link(&leaves, &links, &self.settings);
        let to_node = |place: usize| members.get(place).map(|(_, at)| *at);
        groups.into_iter().map(|group| group.into_iter().filter_map(to_node).collect()).collect()
    }

    fn story(&self, group: &[usize]) -> Option<Story> {
        let nodes: Vec<&Node> = group.iter().filter_map(|at| self.nodes.get(*at)).collect();
        let mut copies: Vec<(&Copy, &Node)> = nodes
            .iter()
            .flat_map(|node| node.copies.iter().map(move |copy| (copy, *node)))
            .collect();
        copies.sort_by_key(|(copy, _)| (copy.published.unwrap_or(i64::MAX), &copy.id));
        let centre = centre(&nodes)?;
        let (centre, _) = copies.iter().find(|(_, node)| node.key == centre)?;
        Some(Story {
            articles: copies.iter().map(|(copy, _)| copy.id.clone()).collect(),
            centre: centre.id.clone(),
            duplicates: duplicates(&copies),
        })
    }
}

/// The place of an article among those under a key: by time, then by what it says.
fn place(nodes: &[Node], at: u32) -> (i128, u64) {
    nodes
        .get(at as usize)
        .map_or((0, 0), |node| (node.time.sum / i128::from(node.time.dated.max(1)), node.key))
}

/// The part of a bucket that an article is compared with: all of a small one, of a large one those
/// that are next to it in time.
fn nearby<'a>(bucket: &'a [u32], own: u32, nodes: &[Node]) -> &'a [u32] {
    if bucket.len() <= REACH {
        return bucket;
    }
    let middle = bucket.partition_point(|at| place(nodes, *at) < place(nodes, own));
    let range = middle.saturating_sub(REACH)..(middle + REACH).min(bucket.len());
    bucket.get(range).unwrap_or_default()
}

/// The key of the node that is most like the whole.
fn centre(nodes: &[&Node]) -> Option<u64> {
    let [only] = nodes else {
        let mut sums: BTreeMap<u64, f32> = BTreeMap::new();
        // Beyond so many, the first ones speak for all.
        let voters = nodes.get(..nodes.len().min(REACH)).unwrap_or(nodes);
        for one in nodes {
            let sum = voters.iter().map(|other| one.features.likeness(&other.features)).sum();
            sums.insert(one.key, sum);
        }
        return sums
            .into_iter()
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
            .map(|x| x.0);
    };
    Some(only.key)
}

/// The articles that repeat an earlier one.
fn duplicates(copies: &[(&Copy, &Node)]) -> Vec<(String, String)> {
    let mut originals: Vec<(&Copy, &Node)> = Vec::new();
    let mut found = Vec::new();
    for (copy, node) in copies {
        let first = originals.iter().take(REACH).find(|(_, original)| {
            original.key == node.key || original.shingles.is_near(&node.shingles)
        });
        match first {
            Some((original, _)) => found.push((copy.id.clone(), original.id.clone())),
            None => originals.push((copy, node)),
        }
    }
    found
}

/// Nodes that links join, directly or through others: the smaller part joins the larger.
#[derive(Default)]
struct Parts {
    root: Vec<usize>,
    members: Vec<Vec<usize>>,
}

impl Parts {
    fn add(&mut self) {
        let at = self.root.len();
        self.root.push(at);
        self.members.push(vec![at]);
    }

    fn root(&self, at: usize) -> usize {
        self.root.get(at).copied().unwrap_or(at)
    }

    fn members(&self, root: usize) -> &[usize] {
        self.members.get(root).map(Vec::as_slice).unwrap_or_default()
    }

    fn join(&mut self, one: usize, other: usize) {
        let (mut large, mut small) = (self.root(one), self.root(other));
        if large == small {
            return;
        }
        if self.members(large).len() < self.members(small).len() {
            std::mem::swap(&mut large, &mut small);
        }
        let moved = self.members.get_mut(small).map(std::mem::take).unwrap_or_default();
        for at in &moved {
            if let Some(root) = self.root.get_mut(*at) {
                *root = large;
            }
        }
        if let Some(members) = self.members.get_mut(large) {
            members.extend(moved);
        }
    }
}
