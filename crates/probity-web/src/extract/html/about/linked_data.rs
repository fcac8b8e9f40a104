//! The structured data of a page (JSON-LD): its article, if it describes one, and the claims that it reviews.

mod claims;

use probity_core::ClaimReview;
use serde_json::Value;

use super::super::tag::Tag;
use super::super::tree::{Attr, Tree};

/// The largest block of structured data that is parsed.
const MAX_BYTES: usize = 1024 * 1024;
/// The most blocks that are parsed.
const MAX_BLOCKS: usize = 30;
/// The most objects that are looked at.
const MAX_OBJECTS: usize = 2_000;
/// The most authors that are kept.
const MAX_AUTHORS: usize = 10;

/// What the structured data says of the page.
#[derive(Debug, Default, Clone)]
pub(crate) struct LinkedData {
    pub(crate) headline: Option<String>,
    pub(crate) authors: Vec<String>,
    pub(crate) published: Option<String>,
    pub(crate) created: Option<String>,
    pub(crate) modified: Option<String>,
    pub(crate) publisher: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) claim_reviews: Vec<ClaimReview>,
}

impl LinkedData {
    /// Reads the structured data of a page whose title is known.
    pub(crate) fn read(tree: &Tree, title: &str) -> LinkedData {
        let mut best: Option<(i32, LinkedData)> = None;
        let mut publisher = None;
        let mut reviews = Vec::new();
        let scripts = tree.ids().filter(|id| {
            tree.tag(*id) == Tag::Script
                && tree.attr(*id, Attr::Type).is_some_and(|kind| kind.contains("ld+json"))
        });
        for script in scripts.take(MAX_BLOCKS) {
            let text = tree.text(script.following());
            let Some(value) = parse(text) else { continue };
            if text.contains(claims::TYPE) {
                claims::add(&value, &mut reviews);
            }
            for object in objects(&value) {
                let rank = rank(object, title);
                if rank > 0 && best.as_ref().is_none_or(|(top, _)| rank > *top) {
                    best = Some((rank, describe(object)));
                }
                if publisher.is_none()
                    && has_type(object, &["Organization", "NewsMediaOrganization", "WebSite"])
                {
                    publisher = text_of(object.get("name"));
                }
            }
        }
        let mut data = best.map(|(_, data)| data).unwrap_or_default();
        data.publisher = data.publisher.or(publisher);
        data.claim_reviews = reviews;
        data
    }
}

/// Parses a block, also with the mistakes that pages make: comments around it, raw line breaks.
fn parse(text: &str) -> Option<Value> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let text = text.trim().trim_start_matches("<!--").trim_end_matches("-->").trim();
    let text = text.trim_start_matches("//<![CDATA[").trim_end_matches("//]]>").trim();
    let text =
        text.trim_start_matches("<![CDATA[").trim_end_matches("]]>").trim().trim_end_matches(';');
    serde_json::from_str(text).ok().or_else(|| {
        let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        serde_json::from_str(&clean).ok().or_else(|| salvage(&clean))
    })
}

/// From a block that is no JSON, the dates can still be read.
fn salvage(text: &str) -> Option<Value> {
    let field = |name: &str| {
        let (_, rest) = text.split_once(&format!("\"{name}\""))?;
        let rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
        rest.split_once('"').map(|(value, _)| value.to_owned())
    };
    let published = field("datePublished");
    let modified = field("dateModified");
    let headline = field("headline");
    (published.is_some() || modified.is_some()).then(|| {
        serde_json::json!({
            "@type": "Article", "headline": headline,
            "datePublished": published, "dateModified": modified,
        })
    })
}

/// All objects in a block, outer before inner.
fn objects(value: &Value) -> Vec<&serde_json::Map<String, Value>> {
    let mut found = Vec::new();
    let mut queue = std::collections::VecDeque::from([value]);
    while let Some(value) = queue.pop_front() {
        if found.len() >= MAX_OBJECTS {
            break;
        }
        match value {
            Value::Array(items) => queue.extend(items.iter().take(MAX_OBJECTS)),
            Value::Object(object) => {
                found.push(object);
                for key in [
                    "@graph",
                    "mainEntity",
                    "mainEntityOfPage",
                    "hasPart",
                    "about",
                    "itemListElement",
                    "item",
                    "publisher",
                ] {
                    if let Some(inner) = object.get(key) {
                        queue.push_back(inner);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn has_type(object: &serde_json::Map<String, Value>, types: &[&str]) -> bool {
    let matches = |value: &Value| {
        value.as_str().is_some_and(|name| {
            let name = name.rsplit(['/', ':']).next().unwrap_or(name);
            types.contains(&name)
        })
    };
    match object.get("@type") {
        Some(Value::Array(items)) => items.iter().any(matches),
        Some(value) => matches(value),
        None => false,
    }
}

const ARTICLES: &[&str] = &[
    "Article",
    "NewsArticle",
    "BlogPosting",
    "ReportageNewsArticle",
    "AnalysisNewsArticle",
    "OpinionNewsArticle",
    "BackgroundNewsArticle",
    "ReviewNewsArticle",
    "TechArticle",
    "ScholarlyArticle",
    "MedicalWebPage",
    "LiveBlogPosting",
    "Report",
    "SocialMediaPosting",
    "DiscussionForumPosting",
    "AdvertiserContentArticle",
    "SatiricalArticle",
    "Review",
    "Recipe",
    "HowTo",
];
const PAGES: &[&str] = &[
    "WebPage",
    "ItemPage",
    "QAPage",
    "Question",
    "VideoObject",
    "NewsVideo",
    "Product",
    "Event",
    "CreativeWork",
    "Book",
    "Dataset",
    "PodcastEpisode",
    "AudioObject",
];

/// How likely an object describes the page itself.
fn rank(object: &serde_json::Map<String, Value>, title: &str) -> i32 {
    let kind = if has_type(object, ARTICLES) {
        20
    } else if has_type(object, PAGES) {
        10
    } else {
        return 0;
    };
    let dated = if object.contains_key("datePublished") { 5 } else { 0 };
    let headline = text_of(object.get("headline").or_else(|| object.get("name")));
    let key = super::super::tidy::key;
    let titled = headline.is_some_and(|headline| {
        let (headline, title) = (key(&headline), key(title));
        headline.len() > 3 && (title.contains(&headline) || headline.contains(&title))
    });
    kind + dated + if titled { 8 } else { 0 }
}

fn describe(object: &serde_json::Map<String, Value>) -> LinkedData {
    LinkedData {
        headline: text_of(object.get("headline").or_else(|| object.get("name"))),
        authors: names_of(object.get("author").or_else(|| object.get("creator"))),
        published: text_of(
            ["datePublished", "dateCreated", "uploadDate"].iter().find_map(|key| object.get(*key)),
        ),
        created: text_of(object.get("dateCreated")),
        modified: text_of(object.get("dateModified")),
        publisher: names_of(object.get("publisher")).into_iter().next(),
        language: text_of(object.get("inLanguage")),
        claim_reviews: Vec::new(),
    }
}

/// The text of a value, its entities decoded; of a list, that of the first item.
fn text_of(value: Option<&Value>) -> Option<String> {
    let text = match value? {
        Value::String(text) => text.as_str(),
        Value::Array(items) => items.first()?.as_str()?,
        Value::Object(object) => object.get("@value")?.as_str()?,
        _ => return None,
    };
    let text = if text.contains('&') || text.contains('<') {
        let tree =
            super::super::parse::parse(text.get(..text.len().min(2_000)).unwrap_or_default());
        tree.flat_text(super::super::tree::NodeId::ROOT, 2_000)
    } else {
        text.trim().to_owned()
    };
    (!text.is_empty()).then_some(text)
}

/// The names of one or several people or organisations.
fn names_of(value: Option<&Value>) -> Vec<String> {
    let one = |value: &Value| match value {
        Value::Object(object) => text_of(object.get("name")),
        value => text_of(Some(value)),
    };
    match value {
        Some(Value::Array(items)) => items.iter().take(MAX_AUTHORS).filter_map(one).collect(),
        Some(value) => one(value).into_iter().collect(),
        None => Vec::new(),
    }
}
