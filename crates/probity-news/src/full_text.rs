//! The full text of an article, fetched when someone or a category wants it.

use std::time::Duration;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use probity_core::WebUrl;
use probity_credibility::Permit;
use probity_store::StoreError;
use probity_store::news::{Article, ArticleText, Finding, Wanted};

use crate::category::RELEVANT;
use crate::poll::Poller;

/// How often a page is tried on a category's account.
const TRIES: i64 = 3;
/// How long to wait before it is tried again; twice as long after the second try.
const AGAIN: Duration = Duration::from_secs(6 * 3_600);
/// How many pages are read at the same time. The fetcher keeps them apart by host.
const AT_ONCE: usize = 4;

/// The result of reading pages for categories.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FullTexts {
    /// Pages that were read.
    pub read: usize,
    /// Pages that could not be.
    pub failed: usize,
}

impl Poller {
    /// Reads the pages of articles that belong to categories which want full texts, the latest
    /// first and a bounded number at a time. A page that cannot be read is tried three times in all.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn read_wanted(&self) -> Result<FullTexts, StoreError> {
        if self.settings.full_texts == 0 {
            return Ok(FullTexts::default());
        }
        let wanted = Wanted {
            since: self.settings.window_start(self.clock.now()),
            relevant: RELEVANT,
            tries: TRIES,
            again: AGAIN,
            limit: self.settings.full_texts,
        };
        let taken = self.store.take_wanted(&wanted).await?;
        let texts = stream::iter(taken).map(|article| async move {
            let text = self.fetch_text(&article).await?;
            Ok::<_, StoreError>(text.is_some_and(|text| text.document.is_some()))
        });
        let count = |sum: FullTexts, is_read: bool| async move {
            let (read, failed) = (usize::from(is_read), usize::from(!is_read));
            Ok(FullTexts { read: sum.read + read, failed: sum.failed + failed })
        };
        texts.buffer_unordered(AT_ONCE).try_fold(FullTexts::default(), count).await
    }

    /// Fetches the page of an article and keeps its text, or why it cannot be had. A link that does
    /// not show where it leads is followed first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn fetch_text(&self, article: &Article) -> Result<Option<ArticleText>, StoreError> {
        let page = match &article.publisher_url {
            Some(page) => Some(page.clone()),
            None => self.find_page(article).await?,
        };
        let page = page.and_then(|page| WebUrl::parse(&page).ok());
        let fetched = match page {
            Some(page) => {
                let page = self.fetcher.fetch(&Permit::by_subscription(page)).await;
                let reason = format!("{}: {}", page.outcome, page.reason);
                page.document.map(|document| (page.url, document)).ok_or(reason)
            }
            None => Err("it is not known where the page is".to_owned()),
        };
        let kept = fetched.as_ref().map(|(page, document)| (page.as_str(), document));
        self.store.keep_text(article.id, kept.map_err(String::as_str)).await?;
        self.store.article_text(article.id).await
    }

    /// The publisher's page behind a link that does not tell.
    async fn find_page(&self, article: &Article) -> Result<Option<String>, StoreError> {
        let Some(link) = &article.url else { return Ok(None) };
        let Some(found) = self.follow(link).await else {
            // A link that needs no following is the page itself.
            let own = WebUrl::parse(link).ok().filter(|url| self.resolver.lookup(url).is_none());
            return Ok(own.map(|url| url.to_string()));
        };
        self.store.record_finding(article.id, &found).await?;
        match found {
            Finding::Found { publisher_url, .. } => Ok(Some(publisher_url)),
            Finding::Nothing { .. } => Ok(None),
        }
    }
}
