//! The full text of an article, fetched when somebody wants it.

use probity_core::WebUrl;
use probity_credibility::Permit;
use probity_store::StoreError;
use probity_store::news::{Article, ArticleText, Finding};

use crate::poll::Poller;

impl Poller {
    /// Fetches the page of an article and keeps its text, or why it cannot be had. A link that does
    /// not tell where it leads is followed first.
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
