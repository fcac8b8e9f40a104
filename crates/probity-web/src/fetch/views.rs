//! A shell → the page's text from another view that the page names: AMP, for printing, or its site's feed.
//!
//! The permit of a page extends to these on the page's own site. Guard, robots.txt, turns and limits are those of the
//! page, and so is its deadline.

use probity_core::WebUrl;

use super::Inner;
use super::follow::{Journey, Trail};
use super::judge;
use super::load::PageAnswer;
use super::page::{FetchOutcome, Page};
use crate::extract::{self, Input, View};
use crate::search::xml::{self, Element};

/// The most items of a feed that are looked at.
const FEED_ITEMS: usize = 500;

impl Inner {
    /// The page read from another of its views, or as it was.
    pub(crate) async fn try_views(
        &self,
        page: Page,
        views: &[(View, WebUrl)],
        journey: &Journey<'_>,
    ) -> Page {
        for (view, url) in views {
            let mut trail = Trail::from(url);
            let again = Journey {
                own_site: true,
                wanted: if *view == View::Feed { &|_, _| true } else { &judge::wanted },
                ..Journey::of_page(journey.deadline)
            };
            let Ok(answer) = self.follow(&mut trail, &again).await else { continue };
            let found = match view {
                View::Feed => from_feed(&page, answer),
                View::Amp | View::Print => {
                    Some(self.judge(url, &trail, answer, journey.deadline).await.0)
                }
            };
            if let Some(found) = found.filter(|found| found.outcome.is_read()) {
                let reason = format!("read from its {}", view.words());
                let (url, final_url) = (page.url, page.final_url);
                return Page { url, final_url, redirects: page.redirects, reason, ..found };
            }
        }
        page
    }
}

/// The page as its site's feed has it, if it does.
fn from_feed(page: &Page, answer: PageAnswer) -> Option<Page> {
    let feed =
        ["rss", "feed", "RDF"].iter().find_map(|root| xml::parse(&answer.body.bytes, root).ok())?;
    let channel = feed.find(&["channel"]).unwrap_or(&feed);
    let own = page.final_url.canonical();
    let is_it = |item: &&Element| {
        let links = item.children("link").chain(item.children("guid")).chain(item.children("id"));
        links.into_iter().any(|link| {
            let text = match link.attribute("href") {
                "" => link.text(),
                href => href.to_owned(),
            };
            WebUrl::parse(text.trim()).is_ok_and(|url| url.canonical() == own)
        })
    };
    let all = channel.elements().chain(feed.elements());
    let items = all.filter(|one| matches!(one.name.as_str(), "item" | "entry")).take(FEED_ITEMS);
    let item = items.into_iter().find(is_it)?;
    // The longest has the text; a description may only tease.
    let texts = ["encoded", "content", "description", "summary"].map(|name| item.text_of(&[name]));
    let text = texts.into_iter().max_by_key(String::len)?;
    let title = item.text_of(&["title"]);
    let html = format!(
        "<html><head><title>{title}</title></head><body><article>{text}</article></body></html>"
    );
    let input = Input {
        bytes: html.as_bytes(),
        content_type: Some("text/html; charset=utf-8"),
        url: Some(&page.final_url),
    };
    let document = extract::extract(input).ok()?.document;
    let (outcome, bytes) = (FetchOutcome::Read, answer.body.bytes.len() as u64);
    Some(Page { document: Some(document), outcome, bytes, ..page.clone() })
}
