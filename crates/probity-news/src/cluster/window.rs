//! The articles at hand and their stories, kept up to date as articles come and go.

use std::collections::{BTreeSet, HashMap};
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use serde::Serialize;

use super::features::Features;
use super::keys::keys;
use super::levels::{Changed, Leaf, Levels};
use super::minhash::Shingles;
use super::nearest::{At, Nearest};
use super::times::Times;
use super::{Article, Background, Settings};

/// Beyond this many, only the first articles of a story are looked at for what others repeat.
const ORIGINALS: usize = 50;
/// The same headline again after this many milliseconds is another article (three days).
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
pub(super) struct Node {
    /// What is the same of them, and what orders nodes.
    pub(super) key: u64,
    pub(super) features: Features,
    shingles: Shingles,
    copies: Vec<Copy>,
    pub(super) time: Times,
    /// What it is found by, ascending.
    pub(super) keys: Vec<u64>,
}

/// The articles at hand and their stories.
///
/// Adding and dropping are cheap; what they change is worked out when the stories are next asked
/// for, and only near the articles that came or went. The stories follow from the articles that are
/// there: neither their order nor what was there before matters.
///
/// ```
/// use probity_news::cluster::{Article, Background, Settings, Window};
///
/// let article = |id: &str, title: &str| Article {
///     id: id.to_owned(),
///     title: title.to_owned(),
///     ..Article::default()
/// };
/// let mut window = Window::new(Background::default(), Settings::default());
/// window.add(article("a", "Ferry sinks off Lorne Islands, 30 missing"));
/// window.add(article("b", "Dozens missing after Lorne Islands ferry sinks"));
/// assert_eq!(window.stories().len(), 1);
/// window.drop("a");
/// assert_eq!(window.story_of("b").unwrap().articles, ["b"]);
/// ```
pub struct Window {
    background: Background,
    settings: Settings,
    nodes: Vec<Option<Node>>,
    free: Vec<At>,
    ids: HashMap<String, At, FixedState>,
    by_key: HashMap<u64, At, FixedState>,
    nearest: Nearest,
    levels: Levels,
    come: BTreeSet<At>,
    gone: Vec<At>,
    /// Places to be used again once the current change is applied.
    spent: Vec<At>,
    /// Nodes of stories that changed since they were last asked for.
    changed: BTreeSet<At>,
}

impl Window {
    /// An empty window over a background.
    pub fn new(background: Background, settings: Settings) -> Self {
        Self {
            background,
            settings,
            nodes: Vec::new(),
            free: Vec::new(),
            ids: HashMap::default(),
            by_key: HashMap::default(),
            nearest: Nearest::default(),
            levels: Levels::new(settings),
            come: BTreeSet::new(),
            gone: Vec::new(),
            spent: Vec::new(),
            changed: BTreeSet::new(),
        }
    }

    /// Drops all articles at once; what they are weighed against stays.
    pub fn clear(&mut self) {
        let background = std::mem::take(&mut self.background);
        *self = Self::new(background, self.settings);
    }

    /// How many articles there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Whether an article is there.
    pub fn contains(&self, id: &str) -> bool {
        self.ids.contains_key(id)
    }

    /// Adds an article. An id that is there already is skipped.
    pub fn add(&mut self, article: Article) {
        if self.ids.contains_key(&article.id) {
            return;
        }
        let features = Features::read(&article, &self.background);
        let published = article.published.map(|at| at.0);
        let period = published.map(|at| at.div_euclid(REPEAT_MS));
        let key = FixedState::default().hash_one((features.key, &article.text, period));
        let copy = Copy { id: article.id, published };
        // A node whose weight or time changes is another node.
        let mut node = match self.by_key.get(&key).copied().and_then(|at| self.take(at)) {
            Some(node) => node,
            None => {
                let shingles = Shingles::read(&article.title);
                let keys = keys(&features, &shingles, &self.background);
                // Most headlines come once.
                let (copies, time) = (Vec::with_capacity(1), Times::default());
                Node { key, features, shingles, copies, time, keys }
            }
        };
        node.copies.push(copy);
        self.put(node);
    }

    /// Drops an article. Gives whether it was there.
    pub fn drop(&mut self, id: &str) -> bool {
        let Some(at) = self.ids.remove(id) else { return false };
        let Some(mut node) = self.take(at) else { return false };
        node.copies.retain(|copy| copy.id != id);
        if !node.copies.is_empty() {
            self.put(node);
        }
        true
    }

    /// Puts a node that has its copies in a place.
    fn put(&mut self, mut node: Node) {
        node.time = Times::of(node.copies.iter().map(|copy| copy.published));
        let at = self.free.pop().unwrap_or_else(|| {
            self.nodes.push(None);
            At::try_from(self.nodes.len() - 1).unwrap_or(At::MAX)
        });
        for copy in &node.copies {
            match self.ids.get_mut(&copy.id) {
                Some(place) => *place = at,
                None => drop(self.ids.insert(copy.id.clone(), at)),
            }
        }
        self.by_key.insert(node.key, at);
        self.nearest.add(at, &node);
        if let Some(place) = self.nodes.get_mut(at as usize) {
            *place = Some(node);
        }
        self.come.insert(at);
    }

    /// Takes a node from its place.
    fn take(&mut self, at: At) -> Option<Node> {
        let node = self.nodes.get_mut(at as usize)?.take()?;
        self.by_key.remove(&node.key);
        self.nearest.remove(at, &node);
        // One that has not been asked about yet leaves no trace.
        if !self.come.remove(&at) {
            self.gone.push(at);
        }
        self.spent.push(at);
        Some(node)
    }

    /// The stories, those with the earliest articles first.
    pub fn stories(&mut self) -> Vec<Story> {
        self.bring_up_to_date();
        let mut stories = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let at = At::try_from(at).unwrap_or(At::MAX);
            let story = self.levels.story_of(at);
            // Each story once, when its first node is met.
            if node.is_some() && story.first() == Some(&at) {
                stories.extend(self.story(story));
            }
        }
        stories.sort_by(|a, b| a.articles.first().cmp(&b.articles.first()));
        stories
    }

    /// The story of one article.
    pub fn story_of(&mut self, id: &str) -> Option<Story> {
        self.bring_up_to_date();
        let at = *self.ids.get(id)?;
        self.story(self.levels.story_of(at))
    }

    /// The stories that are new or changed since they were last asked for. Articles of a story that
    /// is no more, and are still there, are in one of these.
    pub fn changes(&mut self) -> Vec<Story> {
        self.bring_up_to_date();
        let mut seen: BTreeSet<At> = BTreeSet::new();
        let mut stories = Vec::new();
        for at in std::mem::take(&mut self.changed) {
            let group = self.levels.story_of(at);
            if group.first().is_some_and(|first| seen.insert(*first)) {
                stories.extend(self.story(group));
            }
        }
        stories
    }

    /// Takes in what came and went.
    pub fn bring_up_to_date(&mut self) {
        let (come, gone) = (std::mem::take(&mut self.come), std::mem::take(&mut self.gone));
        if come.is_empty() && gone.is_empty() {
            return;
        }
        let rewired = self.nearest.bring_up_to_date(&self.nodes, &self.settings);
        let come = come.into_iter().filter_map(|at| {
            let node = self.nodes.get(at as usize)?.as_ref()?;
            let weight = u32::try_from(node.copies.len()).unwrap_or(u32::MAX);
            let body = node.features.body.clone();
            Some((at, Leaf { body, weight, time: node.time, key: node.key }))
        });
        let changed = Changed { gone: &gone, come: come.collect(), rewired: &rewired };
        self.changed.extend(self.levels.change(changed, &self.nearest));
        self.free.append(&mut self.spent);
    }

    fn story(&self, group: &[At]) -> Option<Story> {
        let nodes: Vec<&Node> =
            group.iter().filter_map(|at| self.nodes.get(*at as usize)?.as_ref()).collect();
        let mut copies: Vec<(&Copy, &Node)> = nodes
            .iter()
            .flat_map(|node| node.copies.iter().map(move |copy| (copy, *node)))
            .collect();
        copies.sort_by_key(|(copy, _)| (copy.published.unwrap_or(i64::MAX), &copy.id));
        let mean = self.levels.mean_of(*group.first()?)?;
        let centre = nodes.iter().max_by(|a, b| {
            let likeness = |node: &Node| node.features.body.likeness(&mean);
            likeness(a).total_cmp(&likeness(b)).then(b.key.cmp(&a.key))
        });
        let centre = centre?.key;
        let (centre, _) = copies.iter().find(|(_, node)| node.key == centre)?;
        Some(Story {
            articles: copies.iter().map(|(copy, _)| copy.id.clone()).collect(),
            centre: centre.id.clone(),
            duplicates: duplicates(&copies),
        })
    }
}

/// The articles that repeat an earlier one.
fn duplicates(copies: &[(&Copy, &Node)]) -> Vec<(String, String)> {
    let mut originals: Vec<(&Copy, &Node)> = Vec::new();
    let mut found = Vec::new();
    for (copy, node) in copies {
        let first = originals.iter().take(ORIGINALS).find(|(_, original)| {
            original.key == node.key || original.shingles.is_near(&node.shingles)
        });
        match first {
            Some((original, _)) => found.push((copy.id.clone(), original.id.clone())),
            None => originals.push((copy, node)),
        }
    }
    found
}
