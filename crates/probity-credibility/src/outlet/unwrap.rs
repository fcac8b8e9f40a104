//! One hop: does an address only point on to another, and to which?
//!
//! Each family of services has its file. All follow one rule: the host is matched whole or by a
//! listed parent on label boundaries, then the path; a `url=` on any other host means nothing.

mod address;
mod amp;
mod archive;
mod decode;
mod google_news;
mod mail;
mod protobuf;
mod search;
mod shortener;
mod social;
mod syndication;

use probity_core::WebUrl;

use self::address::Address;
use super::rules::Lists;

/// What an address turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// A page in its own right.
    Page,
    /// A wrapper around this address, which was decoded once and not yet judged.
    Target(String),
    /// A wrapper that only following it can open.
    Opaque(Service),
    /// A publisher's short address: whose page is known, which page is not.
    OutletOnly,
    /// A page of an aggregator that is no article: a front page, a search, a topic.
    AggregatorPage(&'static str),
    /// A wrapper with nothing in it.
    Empty(&'static str),
}

/// A service whose addresses do not show where they lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Service {
    /// What people call it.
    pub(super) name: &'static str,
    /// How much can be known without following it.
    pub(super) kind: ServiceKind,
}

/// How much is known of an opaque address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServiceKind {
    /// An aggregator: its feeds name the publisher beside the link.
    Aggregator,
    /// A digest: its feeds link the article in their text.
    Digest,
    /// A discussion of an article: until that is known, the page is the site's own.
    Discussion,
    /// A bare pointer: nothing beside it can be believed.
    Pointer,
}

/// The parameter of a host and path that holds the target.
struct Shape {
    /// Itself or a parent; empty where the caller has already checked the host.
    host: &'static str,
    /// Matched whole, trailing slashes aside; empty where the host does nothing but point on.
    path: &'static str,
    /// The preferred one first.
    parameters: &'static [&'static str],
}

const fn shape(
    host: &'static str,
    path: &'static str,
    parameters: &'static [&'static str],
) -> Shape {
    Shape { host, path, parameters }
}

type Family = fn(&Address<'_>) -> Option<Step>;

/// Google News stands before Google, whose subdomain it is.
const FAMILIES: &[Family] = &[
    google_news::step,
    search::step,
    amp::step,
    social::step,
    syndication::step,
    archive::step,
    mail::step,
];

/// Looks at one address.
pub(super) fn step(url: &WebUrl, lists: &Lists) -> Step {
    let Some(address) = Address::of(url) else { return Step::Page };
    configured(&address, lists)
        .or_else(|| FAMILIES.iter().find_map(|family| family(&address)))
        .or_else(|| shortener::step(&address, lists))
        .unwrap_or(Step::Page)
}

/// Where a service answers programs about an opaque address of its own.
pub(super) fn interface(url: &WebUrl) -> Option<String> {
    syndication::interface(&Address::of(url)?)
}

fn configured(address: &Address<'_>, lists: &Lists) -> Option<Step> {
    let rule = lists
        .redirectors
        .iter()
        .find(|rule| address.is_under(&rule.host) && address.path_is(&rule.path))?;
    let names: Vec<&str> = rule.parameters.iter().map(String::as_str).collect();
    Some(target_or_empty(address.parameter(&names), "a configured redirector"))
}

fn by_query(address: &Address<'_>, shapes: &[Shape], service: &'static str) -> Option<Step> {
    let shape = shapes.iter().find(|shape| {
        (shape.host.is_empty() || address.is_under(shape.host))
            && (shape.path.is_empty() || address.path_is(shape.path))
    })?;
    Some(target_or_empty(address.parameter(shape.parameters), service))
}

fn target_or_empty(target: Option<String>, service: &'static str) -> Step {
    target.map_or(Step::Empty(service), Step::Target)
}
