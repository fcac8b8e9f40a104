//! Sites that show or discuss other publishers' articles under addresses of their own.

use super::address::Address;
use super::{Service, ServiceKind, Step};

pub(super) fn step(address: &Address<'_>) -> Option<Step> {
    match address.registrable() {
        "reddit.com" | "redd.it" => reddit(address),
        "ycombinator.com" => hacker_news(address),
        "msn.com" => msn(address),
        "yahoo.com" | "yahoo.co.jp" => yahoo_news(address),
        "apple.news" => article_or_front(address, "Apple News", ServiceKind::Aggregator),
        "techmeme.com" => article_or_front(address, "Techmeme", ServiceKind::Digest),
        "flipboard.com" => flipboard(address),
        _ => None,
    }
}

/// Where the site answers programs about an article or a discussion.
pub(super) fn interface(address: &Address<'_>) -> Option<String> {
    match address.registrable() {
        "reddit.com" => {
            Some(format!("https://www.reddit.com{}.json", address.path().trim_end_matches('/')))
        }
        "ycombinator.com" => {
            let id = address.parameter(&["id"])?;
            let is_number = id.bytes().all(|b| b.is_ascii_digit());
            is_number.then(|| format!("https://hacker-news.firebaseio.com/v0/item/{id}.json"))
        }
        "msn.com" => {
            let locale = address.segments().next()?;
            let (_, id) = address.segments().next_back()?.split_once('-')?;
            Some(format!("https://assets.msn.com/content/view/v2/Detail/{locale}/{id}"))
        }
        _ => None,
    }
}

/// A post may be a link; until its target is known the page is Reddit's.
fn reddit(address: &Address<'_>) -> Option<Step> {
    let is_post = match address.registrable() {
        // i.redd.it and v.redd.it serve Reddit's own pictures and videos.
        "redd.it" => matches!(address.host(), "redd.it" | "www.redd.it"),
        _ => {
            let mut segments = address.segments();
            // /r/NAME/comments/ID, /user/NAME/comments/ID, /r/NAME/s/CODE and /comments/ID.
            segments.next() == Some("comments") || matches!(segments.nth(1), Some("comments" | "s"))
        }
    };
    is_post.then_some(Step::Opaque(Service { name: "Reddit", kind: ServiceKind::Discussion }))
}

fn hacker_news(address: &Address<'_>) -> Option<Step> {
    let is_item = address.host() == "news.ycombinator.com" && address.path_is("/item");
    is_item.then_some(aggregator("Hacker News"))
}

/// `msn.com/<locale>/…/ar-ID`: articles, slide shows and videos of partners.
fn msn(address: &Address<'_>) -> Option<Step> {
    const MARKERS: &[&str] = &["ar-", "ss-", "vi-"];
    let last = address.segments().next_back()?;
    MARKERS.iter().any(|marker| last.starts_with(marker)).then_some(aggregator("MSN"))
}

/// Copies on Yahoo's news and finance hosts, country editions included. Quotes, portfolios and
/// front pages are Yahoo's own.
fn yahoo_news(address: &Address<'_>) -> Option<Step> {
    let mut labels = address.host().split('.').filter(|label| *label != "www");
    let section = labels.find(|label| matches!(*label, "news" | "finance" | "sports" | "yahoo"))?;
    let mut segments = address.segments();
    let first = segments.next()?;
    let is_story = match section {
        "news" => true,
        "yahoo" => matches!(first, "news" | "finance") && segments.next().is_some(),
        _ => first == "news" || first == "m" || address.path().ends_with(".html"),
    };
    is_story.then_some(aggregator("Yahoo News"))
}

fn flipboard(address: &Address<'_>) -> Option<Step> {
    let is_article = address.segments().next() == Some("article");
    is_article.then_some(aggregator("Flipboard"))
}

fn article_or_front(address: &Address<'_>, name: &'static str, kind: ServiceKind) -> Option<Step> {
    Some(match address.segments().next() {
        Some(_) => Step::Opaque(Service { name, kind }),
        None => Step::AggregatorPage(name),
    })
}

fn aggregator(name: &'static str) -> Step {
    Step::Opaque(Service { name, kind: ServiceKind::Aggregator })
}
