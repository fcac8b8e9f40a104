//! Links that do not show where they lead, followed to the publisher's page.

use std::time::Duration;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use probity_core::{FeedId, Timestamp, WebUrl};
use probity_credibility::Permit;
use probity_credibility::outlet::Resolution;
use probity_store::StoreError;
use probity_store::news::{Finding, Unresolved};
use probity_web::fetch::RawOutcome;

use crate::ingest::canonical;
use crate::poll::Poller;

/// How often a link is followed that leads nowhere.
const TRIES: i64 = 3;
/// How long to wait before a link is followed again; it doubles with each try.
const AGAIN: Duration = Duration::from_secs(6 * 3_600);
/// How many links are followed at the same time after one poll.
const AT_ONCE: usize = 4;
/// For how long a claimed link is followed by no other process.
const HOLD: Duration = Duration::from_secs(15 * 60);

impl Poller {
    /// Follows links that do not show where they lead, of one feed or of any, a few at a time;
    /// gives how many led somewhere. What fails stays unresolved, and is tried again later a few
    /// times.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn follow_links(&self, feed: Option<FeedId>) -> Result<usize, StoreError> {
        let limit = self.settings.follow_links;
        if limit == 0 {
            return Ok(0);
        }
        let taken = self.store.take_unresolved(feed, limit, HOLD).await?;
        let findings = stream::iter(taken).map(|article| async move {
            let found = self.follow(&article.url).await;
            let finding = found.unwrap_or_else(|| Finding::Nothing { again: self.again(&article) });
            self.store.record_finding(article.id, &finding).await?;
            Ok::<_, StoreError>(usize::from(matches!(finding, Finding::Found { .. })))
        });
        findings
            .buffer_unordered(AT_ONCE)
            .try_fold(0, |sum, found| async move { Ok(sum + found) })
            .await
    }

    /// Whose page a link leads to.
    pub(crate) async fn follow(&self, link: &str) -> Option<Finding> {
        let link = WebUrl::parse(link).ok()?;
        let lookup = self.resolver.lookup(&link)?;
        let raw = self.fetcher.follow(&Permit::by_subscription(lookup.clone())).await;
        let found = if raw.outcome == RawOutcome::Body {
            let text = String::from_utf8_lossy(&raw.body);
            self.resolver.resolve_page(Some(&raw.final_url), &text)
        } else if raw.final_url.dns_host() != lookup.dns_host() {
            // The publisher may refuse us its page: whose it is, is known anyway.
            self.resolver.resolve(&raw.final_url)
        } else {
            return None;
        };
        self.finding(&link, &lookup, found)
    }

    /// A finding, unless it is the aggregator's own page again.
    fn finding(&self, link: &WebUrl, lookup: &WebUrl, found: Resolution) -> Option<Finding> {
        let page = found.publisher_url?;
        let outlet = found.outlet.filter(|_| found.resolved)?;
        let own = [link, lookup].map(|url| self.resolver.outlet_of(url));
        if own.contains(&Some(outlet.clone())) {
            return None;
        }
        Some(Finding::Found {
            canonical_url: canonical(&page),
            publisher_url: page.to_string(),
            outlet,
            method: "network".to_owned(),
        })
    }

    fn again(&self, article: &Unresolved) -> Option<Timestamp> {
        let tried = article.tries + 1;
        if tried >= TRIES {
            return None;
        }
        let doublings = u32::try_from(tried).unwrap_or(1).saturating_sub(1);
        let wait = AGAIN.saturating_mul(1 << doublings.min(8));
        let wait = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX / 4);
        Some(Timestamp(self.clock.now().0.saturating_add(wait)))
    }
}
