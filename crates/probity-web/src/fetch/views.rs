//! A shell → the page's text from another view that the page names: AMP, for printing, or its site's feed.
//!
//! The permit of a page extends to these on the page's own site. Guard, robots.txt, turns and limits are those of the
//! page, and so is its deadline.

use probity_core::WebUrl;
use probity_credibility::feed::{self, FeedItem};

use super::Inner;
use super::follow::{Journey, Trail};
use super::judge;
use super::load::PageAnswer;
use super::page::{FetchOutcome, Page};
use crate::extract::{self, Input, View};

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
    let feed = feed::read(&String::from_utf8_lossy(&answer.body.bytes), None).ok()?;
    let own = page.final_url.canonical();
    let is_own = |text: &String| WebUrl::parse(text).is_ok_and(|url| url.canonical() == own);
    let is_it = |item: &&FeedItem| {
        let links = item.link.iter().chain(&item.alternates).chain([&item.guid]);
        links.into_iter().any(is_own)
    };
    let item = feed.items.iter().take(FEED_ITEMS).find(is_it)?;
    // The longer one has the text; a description may only tease.
    let text = [&item.content, &item.summary].into_iter().max_by_key(|text| text.len())?;
    let title = &item.title;
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
