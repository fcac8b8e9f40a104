//! What pages show of their outlets, noted aside while the run continues.
//!
//! ```text
//! page that was read → its signals → (outlet of which nothing is known: its site's own files) → store
//! ```
//!
//! A run uses what it knew when it scored, so that no step waits for a note and none is missed that
//! cannot be written.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use probity_core::{Outlet, WebUrl};
use probity_credibility::ledger::Opinion;
use probity_credibility::{Basis, Permit, Scorer, Signals};
use probity_store::{Store, StoreError};
use probity_web::fetch::{Fetcher, Page};

/// How long the end of a run waits for notes; what is not there by then is left to another run.
pub(super) const SETTLE_TIME: Duration = Duration::from_secs(5);

/// Where it is noted what pages show of their outlets.
pub(super) struct Notebook {
    store: Store,
    scorer: Arc<Scorer>,
    fetcher: Fetcher,
    /// The outlets for which a page of this run already counts.
    seen: Mutex<HashSet<Outlet>>,
}

impl Notebook {
    pub(super) fn new(store: Store, scorer: Arc<Scorer>, fetcher: Fetcher) -> Self {
        Self { store, scorer, fetcher, seen: Mutex::default() }
    }

    /// What there is to do to note a page; nothing where it has no outlet.
    pub(super) fn note(
        self: &Arc<Self>,
        permit: &Permit,
        page: &Page,
    ) -> Option<impl Future<Output = ()> + Send + 'static> {
        let document = page.document.as_ref()?;
        let outlet = self.scorer.outlet_of(&page.final_url)?;
        let home = |host: &String| WebUrl::parse(&format!("https://{host}/")).ok();
        let cited = document.signals.cites.iter().filter_map(home);
        let cites: BTreeSet<Outlet> = cited.filter_map(|url| self.scorer.outlet_of(&url)).collect();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = seen.insert(outlet.clone()).then(|| Signals::of(document));
        drop(seen);
        // Where a redirect led to another outlet, its files are not permitted.
        let same = self.scorer.outlet_of(permit.url()).as_ref() == Some(&outlet);
        let permit = same.then(|| permit.clone());
        let book = Arc::clone(self);
        Some(async move {
            if let Err(error) = book.write(&outlet, shown, permit.as_ref(), &cites).await {
                tracing::warn!(%error, %outlet, "cannot note what a page shows of its outlet");
            }
        })
    }

    async fn write(
        &self,
        outlet: &Outlet,
        shown: Option<Signals>,
        permit: Option<&Permit>,
        cites: &BTreeSet<Outlet>,
    ) -> Result<(), StoreError> {
        let shown = match shown {
            Some(shown) if self.store.is_page_due(outlet).await? => match permit {
                Some(permit) if self.counts(outlet, permit.url()).await? => {
                    Some(shown.with_files(self.fetcher.site_files(permit).await))
                }
                _ => Some(shown),
            },
            _ => None,
        };
        self.store.note_page(outlet, shown.as_ref(), cites).await
    }

    /// Whether it counts what an outlet shows of itself: only where nothing better is known. No one is asked for
    /// what would not count.
    async fn counts(&self, outlet: &Outlet, url: &WebUrl) -> Result<bool, StoreError> {
        let opinions = self.store.opinions_of(std::slice::from_ref(outlet)).await?;
        let given = matches!(opinions.get(outlet), Some(Opinion::Given(_)));
        Ok(!given && matches!(self.scorer.authority(url).basis, Basis::Name { .. }))
    }
}
