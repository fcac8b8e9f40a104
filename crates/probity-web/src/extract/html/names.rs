//! What class names, ids and roles say about an element.
//!
//! Names are brought into one form first: lower case, words separated and enclosed by `-`, so that
//! `articleBody`, `article_body` and `article-body` are all `-article-body-`. A pattern that begins
//! or ends with `-` thus matches whole words only.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::tag::Tag;
use super::tree::{Attr, NodeId, Tree};

/// What the names of an element hint at, as a set of bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Hints(u32);

impl Hints {
    /// The main text itself: `article-body`, `entry-content`.
    pub(crate) const BODY: Hints = Hints(1);
    /// The story with what surrounds it: `post`, `story`, `article`.
    pub(crate) const STORY: Hints = Hints(1 << 1);
    /// The part of the page that is not navigation: `main`, `content`.
    pub(crate) const MAIN: Hints = Hints(1 << 2);
    /// Navigation, chrome, advertising: never text.
    pub(crate) const CHROME: Hints = Hints(1 << 3);
    /// Pointers to other pages: related stories, tags.
    pub(crate) const RELATED: Hints = Hints(1 << 4);
    /// What readers wrote below.
    pub(crate) const COMMENT: Hints = Hints(1 << 5);
    /// Who, when, where: lines about the text.
    pub(crate) const ABOUT: Hints = Hints(1 << 6);
    /// Lines below pictures.
    pub(crate) const CAPTION: Hints = Hints(1 << 7);
    /// Classes that style sheets commonly hide.
    pub(crate) const HIDDEN: Hints = Hints(1 << 8);
    /// A short form of another page, or the lead of this one.
    pub(crate) const TEASER: Hints = Hints(1 << 9);
    /// The name of the author.
    pub(crate) const AUTHOR: Hints = Hints(1 << 10);
    /// A date.
    pub(crate) const DATE: Hints = Hints(1 << 11);
    /// A title.
    pub(crate) const TITLE: Hints = Hints(1 << 12);
    /// The bar beside the text.
    pub(crate) const SIDE: Hints = Hints(1 << 13);
    /// The foot of the page or story.
    pub(crate) const FOOT: Hints = Hints(1 << 14);
    /// The head of the page or story.
    pub(crate) const HEADER: Hints = Hints(1 << 15);
    /// A widget of a page builder: says nothing about what is in it.
    pub(crate) const BUILDER: Hints = Hints(1 << 16);

    /// The first paragraph, set apart.
    pub(crate) const LEAD: Hints = Hints(1 << 18);

    /// More of the text, or of other texts.
    pub(crate) const MORE: Hints = Hints(1 << 19);

    /// The head of the whole site, with its name.
    pub(crate) const BANNER: Hints = Hints(1 << 20);

    fn named(section: &str) -> Hints {
        match section {
            "body" => Hints::BODY,
            "story" => Hints::STORY,
            "main" => Hints::MAIN,
            "chrome" => Hints::CHROME,
            "related" => Hints::RELATED,
            "comment" => Hints::COMMENT,
            "about" => Hints::ABOUT,
            "caption" => Hints::CAPTION,
            "hidden" => Hints::HIDDEN,
            "shown" => Hints::SHOWN,
            "teaser" => Hints::TEASER,
            "author" => Hints::AUTHOR,
            "date" => Hints::DATE,
            "title" => Hints::TITLE,
            "side" => Hints::SIDE,
            "foot" => Hints::FOOT,
            "header" => Hints::HEADER,
            "banner" => Hints::BANNER,
            "more" => Hints::MORE,
            "lead" => Hints::LEAD,
            "builder" => Hints::BUILDER,
            _ => Hints::default(),
        }
    }

    /// Shown again on wider screens.
    pub(crate) const SHOWN: Hints = Hints(1 << 17);

    /// Whether any of the given hints is there.
    pub(crate) fn any(self, other: Hints) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets.
    pub(crate) const fn or(self, other: Hints) -> Hints {
        Hints(self.0 | other.0)
    }

    /// The set without those of another.
    pub(crate) fn without(self, other: Hints) -> Hints {
        Hints(self.0 & !other.0)
    }
}

/// The patterns of each hint, in sections.
const PATTERNS: &str = include_str!("names.txt");

struct Matcher {
    automaton: Option<AhoCorasick>,
    hints: Vec<Hints>,
}

static MATCHER: LazyLock<Matcher> = LazyLock::new(|| {
    let pairs = read_patterns(PATTERNS);
    Matcher {
        automaton: AhoCorasick::new(pairs.iter().map(|(pattern, _)| pattern)).ok(),
        hints: pairs.iter().map(|(_, hints)| *hints).collect(),
    }
});

/// The patterns with the hint of the section they stand in.
fn read_patterns(text: &str) -> Vec<(String, Hints)> {
    let mut hint = Hints::default();
    let mut pairs = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            hint = Hints::named(section);
        } else {
            pairs.extend(line.split_whitespace().map(|pattern| match pattern.strip_prefix('=') {
                Some(name) => (format!(" -{name}- "), hint),
                None => (pattern.to_owned(), hint),
            }));
        }
    }
    pairs
}

/// Longer class lists than this are cut: no page needs them.
const MAX_NAME_BYTES: usize = 1_024;

/// Reads the hints of elements, with a buffer that is used again and again.
#[derive(Default)]
pub(crate) struct NameReader {
    normal: String,
}

impl NameReader {
    /// The hints of an element's class, id and role.
    pub(crate) fn hints(&mut self, tree: &Tree, id: NodeId) -> Hints {
        if !tree.has_attrs(id) || matches!(tree.tag(id), Tag::Html | Tag::Meta | Tag::Link) {
            return Hints::default();
        }
        self.normal.clear();
        for attr in [Attr::Class, Attr::Id, Attr::DataTestid, Attr::Itemprop] {
            if let Some(names) = tree.attr(id, attr)
                && !(attr == Attr::Id && is_slug_of_heading(tree, id, names))
            {
                normalise(names, &mut self.normal);
            }
        }
        let mut hints = self.of_normal();
        if let Some(role) = tree.attr(id, Attr::Role) {
            hints = hints.or(of_role(role));
        }
        hints
    }

    fn of_normal(&self) -> Hints {
        if self.normal.is_empty() {
            return Hints::default();
        }
        let Some(automaton) = &MATCHER.automaton else { return Hints::default() };
        automaton
            .find_overlapping_iter(&self.normal)
            .filter_map(|found| MATCHER.hints.get(found.pattern().as_usize()))
            .fold(Hints::default(), |all, hints| all.or(*hints))
    }
}

/// Whether an id is made from the words of the heading in it (`#sharing-with-others`), as
/// documentation generators do: it then says what the text is about, not what the element is.
fn is_slug_of_heading(tree: &Tree, id: NodeId, name: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let heading =
        tree.subtree(id).take(SLUG_REACH).find(|inner| tree.tag(*inner).heading().is_some());
    heading.is_some_and(|heading| {
        let (slug, words) = (letters(name), letters(&tree.flat_text(heading, 200)));
        slug.len() >= 4 && words.starts_with(&slug) && name.len() <= 200
    })
}

/// How far into an element its heading is looked for.
const SLUG_REACH: usize = 6;

fn of_role(role: &str) -> Hints {
    match role.trim() {
        "main" => Hints::MAIN,
        "article" => Hints::STORY,
        "banner" => Hints::CHROME.or(Hints::BANNER),
        "navigation" | "search" | "dialog" | "alertdialog" | "menu" | "menubar" | "toolbar"
        | "tablist" | "button" => Hints::CHROME,
        "complementary" => Hints::SIDE,
        "contentinfo" => Hints::FOOT,
        _ => Hints::default(),
    }
}

/// Appends names in normal form: `articleBody main` becomes ` -article-body- -main- `.
fn normalise(names: &str, out: &mut String) {
    if !out.ends_with(' ') {
        out.push(' ');
    }
    let mut at_start = true;
    let mut previous_lower = false;
    for c in names.chars().take(MAX_NAME_BYTES) {
        if c.is_ascii_whitespace() {
            if !at_start {
                end_word(out);
                out.push(' ');
                at_start = true;
            }
            previous_lower = false;
            continue;
        }
        if at_start {
            out.push('-');
            at_start = false;
        }
        if !c.is_alphanumeric() {
            end_word(out);
            previous_lower = false;
            continue;
        }
        if c.is_ascii_uppercase() && previous_lower {
            out.push('-');
        }
        previous_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        out.push(c.to_ascii_lowercase());
    }
    if !at_start {
        end_word(out);
        out.push(' ');
    }
}

fn end_word(out: &mut String) {
    if !out.ends_with('-') {
        out.push('-');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(names: &str) -> String {
        let mut out = String::new();
        normalise(names, &mut out);
        out.trim().to_owned()
    }

    #[test]
    fn names_of_every_style_have_one_form() {
        assert_eq!(normal("articleBody"), "-article-body-");
        assert_eq!(normal("article__body main"), "-article-body- -main-");
        assert_eq!(normal("Sidebar_2"), "-sidebar-2-");
        assert_eq!(normal("  "), "");
    }

    #[test]
    fn every_section_names_a_hint() {
        let pairs = read_patterns(PATTERNS);
        assert!(pairs.len() > 300);
        for (pattern, hint) in pairs {
            assert_ne!(hint, Hints::default(), "{pattern}");
            assert!(
                pattern
                    .trim()
                    .chars()
                    .all(|c| c == '-' || c.is_ascii_digit() || c.is_ascii_lowercase()),
                "{pattern}"
            );
        }
    }

    #[test]
    fn patterns_match_whole_words_only() {
        let hints = |names: &str| {
            let mut reader = NameReader::default();
            normalise(names, &mut reader.normal);
            reader.of_normal()
        };
        assert!(hints("ad").any(Hints::CHROME));
        assert!(hints("a hidden b").any(Hints::HIDDEN));
        assert!(!hints("hidden-xs").any(Hints::HIDDEN));
        assert!(!hints("shadow add-on").any(Hints::CHROME));
        assert!(!hints("commentary").any(Hints::COMMENT));
        assert!(hints("entry-content").any(Hints::BODY));
        assert!(hints("related-posts").any(Hints::RELATED));
    }
}
