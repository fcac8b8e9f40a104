//! Judges new articles by category: the embedded analyst always, a language model where there is one.

use std::collections::BTreeMap;

use probity_core::{ArticleId, Timestamp};
use probity_store::StoreError;
use probity_store::topics::{Action, Category, Judged, Unjudged};

use super::ask::{Opinion, Sitting};
use super::{Consolidator, Turn};
use crate::category::{BY_FEED, Profile};
use crate::route::{is_open, mean};

/// How many articles a category judges at once.
const BATCH: i64 = 1_000;
/// Who judged, where no language model did.
const EMBEDDED: &str = "embedded";

impl Consolidator {
    /// Whether a category's new articles are looked at.
    pub(super) async fn is_open(
        &self,
        category: &Category,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let last = self.store.routing(category.id).await?;
        if last.as_ref().is_none_or(|last| last.action != Action::Skipped) {
            return Ok(true);
        }
        let speaking = self.speaking(category, since).await?;
        Ok(is_open(last.as_ref(), mean(&speaking), self.settings.routing, now))
    }

    /// Judges what a category has not judged yet.
    pub(super) async fn judge(
        &self,
        category: &Category,
        since: Timestamp,
        mut sitting: Option<&mut Sitting<'_>>,
        turn: &mut Turn,
    ) -> Result<(), StoreError> {
        let Category { name, description, examples, keywords, .. } = category;
        let profile = Profile::new(name, description, examples, keywords);
        loop {
            let batch = self.store.unjudged(category, since, BATCH).await?;
            let is_last = batch.len() < usize::try_from(BATCH).unwrap_or(usize::MAX);
            let articles: Vec<(Unjudged, f64)> = batch
                .into_iter()
                .map(|article| {
                    let value = profile.relevance(&article.title, &article.summary);
                    (article, value)
                })
                .collect();
            let opinions = match sitting.as_deref_mut() {
                Some(sitting) => sitting.opinions(category, &articles).await,
                None => BTreeMap::new(),
            };
            turn.judged += articles.len();
            turn.by_model += opinions.len();
            let kept = self.keep_values(category, &articles, &opinions).await?;
            // What was not kept has gone, or the category has: either way there is no more.
            if is_last || kept == 0 {
                return Ok(());
            }
        }
    }

    /// Keeps values with the names of those who judged.
    async fn keep_values(
        &self,
        category: &Category,
        articles: &[(Unjudged, f64)],
        opinions: &BTreeMap<ArticleId, Opinion>,
    ) -> Result<u64, StoreError> {
        let mut by_judge: BTreeMap<&str, Vec<Judged>> = BTreeMap::new();
        for (article, embedded) in articles {
            let (value, by) = match opinions.get(&article.id) {
                Some(opinion) => (opinion.value, opinion.by.as_str()),
                None => (*embedded, EMBEDDED),
            };
            let value = if is_meant(article, &category.name) { value.max(BY_FEED) } else { value };
            by_judge.entry(by).or_default().push(Judged { article: article.id, value });
        }
        let mut kept = 0;
        for (by, judged) in by_judge {
            kept += self.store.record_relevance(category, by, &judged).await?;
        }
        Ok(kept)
    }
}

/// Whether the feed of an article is meant for a category.
fn is_meant(article: &Unjudged, category: &str) -> bool {
    let category = category.to_lowercase();
    article.feed_categories.iter().any(|own| own.to_lowercase() == category)
}
