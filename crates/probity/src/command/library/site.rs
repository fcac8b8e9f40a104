//! The pages that a site lists → the index.

use probity_core::WebUrl;
use probity_credibility::Permit;
use probity_store::library::{Ingested, Library, Progress, Stored};
use probity_web::fetch::Fetcher;
use probity_web::sitemap::{self, ListedPage};

use super::add::{Kept, add_page};
use super::progress::Bar;
use crate::output;

/// What a site is added with.
pub(super) struct Site<'a> {
    pub(super) library: &'a Library,
    pub(super) fetcher: &'a Fetcher,
    /// Whether pages that did not change are fetched anyway.
    pub(super) again: bool,
}

/// The result of a site.
#[derive(Default)]
pub(super) struct Added {
    /// Its pages, each with what was done or why nothing could be.
    pub(super) pages: Vec<(WebUrl, Result<Kept, String>)>,
    /// What is wrong with its lists.
    pub(super) problems: Vec<String>,
}

impl Site<'_> {
    /// Adds the pages that a sitemap lists, at most this many.
    ///
    /// # Errors
    /// When the store fails; pages that were added before stay.
    pub(super) async fn add(&self, url: &WebUrl, most: usize) -> anyhow::Result<Added> {
        let listing = match sitemap::pages(self.fetcher, url, Permit::by_user, most).await {
            Ok(listing) => listing,
            Err(error) => {
                return Ok(Added { problems: vec![error.to_string()], ..Added::default() });
            }
        };
        if listing.more {
            let count = listing.pages.len();
            output::note(&format!("{url} lists more than {count} pages; --pages N takes more"));
        }
        if listing.elsewhere > 0 {
            let what = if listing.elsewhere == 1 { "address" } else { "addresses" };
            output::note(&format!(
                "{url} lists {} {what} of other hosts; skipped",
                listing.elsewhere
            ));
        }
        let mut added = Added { problems: listing.problems, ..Added::default() };
        let mut bar = Bar::of("pages");
        let mut progress = Progress { total: listing.pages.len(), done: 0 };
        bar.show(&progress);
        for page in listing.pages {
            let taken = match self.up_to_date(&page).await? {
                Some(stored) if !self.again => {
                    let cut_short = stored.document.cut_short;
                    Ok(Kept { ingested: Ingested::Unchanged, cut_short })
                }
                _ => add_page(self.library, self.fetcher, &page.url).await?,
            };
            added.pages.push((page.url, taken));
            progress.done += 1;
            bar.show(&progress);
        }
        bar.finish();
        Ok(added)
    }

    /// The page as the library has it, if that is of after the day of its last change.
    async fn up_to_date(&self, page: &ListedPage) -> anyhow::Result<Option<Stored>> {
        let Some(changed) = page.changed else { return Ok(None) };
        let stored = self.library.show(page.url.canonical().as_str()).await?;
        // On the day itself it may have changed again.
        Ok(stored.filter(|stored| stored.about.indexed_at.date() > changed))
    }
}
