//! The outside world of a run: the chosen search providers, the fetcher, the library, the ledger.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use probity_core::{Outlet, Problem, ProblemKind, SearchHit, Shared, Timestamp, WebUrl};
use probity_credibility::ledger::Opinion;
use probity_research::gather::{FoundHit, Gathered, Gatherer, Origin, SearchAnswer, Target};
use probity_research::recall::Recalled;
use probity_research::run::Where;
use probity_store::Store;
use probity_store::library::{Library, ListOptions};
use probity_store::news::NewsHit;
use probity_web::fetch::api::{ApiClient, ApiSettings};
use probity_web::fetch::{FetchOutcome, Fetcher, Page};
use probity_web::search::{
    LIBRARY, LocalProvider, Means, NEWS, Query, SearchSet, Selection, URLS, UrlList,
};

use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::reader::FileReader;
use crate::urls;

/// The world as the settings and flags of one run open it.
pub(crate) struct World {
    searches: SearchSet,
    fetcher: Fetcher,
    library: Option<Library>,
    /// Stored articles, where the search names them.
    news: Option<Store>,
    store: Option<Store>,
    /// The sources of an earlier run, and whether more is searched for beside them.
    earlier: Option<(Recalled, bool)>,
}

impl World {
    /// Opens the world. A folder named for the run is indexed in memory; the stored library is
    /// used only when the search names it.
    pub(crate) async fn open(
        app: &App,
        place: &Where,
        store: Option<Store>,
        shared: Option<Arc<dyn Shared>>,
    ) -> anyhow::Result<(Self, Vec<Problem>)> {
        let mut problems = Vec::new();
        let earlier = match &place.run {
            Some(earlier) => Some((recall(store.as_ref(), &earlier.id).await?, earlier.beyond)),
            None => None,
        };
        let library = match (&place.library, &store) {
            (Some(folder), _) => Some(index(Path::new(folder), &mut problems).await?),
            (None, Some(store)) => Some(Library::of(store)),
            (None, None) => None,
        };
        // A folder on its own is all there is to search; providers join only by name.
        let names = match (&place.search, &place.library) {
            (Some(names), _) => names.clone(),
            (None, Some(_)) => LIBRARY.to_owned(),
            (None, None) => app.settings.search.providers.to_string(),
        };
        let mut selection: Selection =
            names.parse().map_err(|error| usage(format!("--search: {error}")))?;
        let client =
            ApiClient::new(ApiSettings::default()).context("cannot prepare the HTTP client")?;
        let mut means = Means::new(client).with_clock(app.clock).with_shared(shared.clone());
        if let Some(library) = library.clone() {
            means = means.with_local(provider(library));
        }
        if let Some(store) = store.clone() {
            means = means.with_local(news_provider(store));
        }
        if let Some(list) = &place.urls {
            means = means.with_local(UrlList::read(list));
            let named = place.search.is_some() || place.library.is_some();
            selection = urls::select(selection, named)?;
        }
        let searches = SearchSet::new(&selection, &app.settings.search, means)
            .map_err(|error| usage(error.to_string()))?;
        let fetcher = Fetcher::sharing(app.fetch_settings(&place.allow_hosts)?, shared)
            .context("cannot prepare the fetcher")?;
        let news = store.clone().filter(|_| names.split(',').any(|name| name.trim() == NEWS));
        Ok((Self { searches, fetcher, library, news, store, earlier }, problems))
    }
}

/// The sources of a stored run.
async fn recall(store: Option<&Store>, id: &str) -> anyhow::Result<Recalled> {
    let record = match store {
        Some(store) => store.run(id).await?,
        None => None,
    };
    let (Some(store), Some(record)) = (store, record) else {
        return Err(usage(format!("there is no run {id}")))
            .hint("list them with: probity runs list");
    };
    let Some(report) = &record.report else {
        return Err(usage(format!("run {id} has no report yet")))
            .hint(format!("finish it with: probity runs resume {id}"));
    };
    let report = probity_report::restore(report).context("the report of the run cannot be read")?;
    let recalled = Recalled::of(report.facts(), &store.journal(id).await?);
    match recalled.is_empty() {
        true => Err(usage(format!("run {id} read no source that could be asked")))
            .hint("ask the web instead: probity research"),
        false => Ok(recalled),
    }
}

impl World {
    /// Titles and texts of every document in the library.
    pub(crate) async fn library_texts(&self) -> anyhow::Result<Vec<(String, String)>> {
        let Some(library) = &self.library else { return Ok(Vec::new()) };
        let mut texts = Vec::new();
        let mut options = ListOptions::default();
        loop {
            let page = library.list(&options).await?;
            let Some(last) = page.last() else { return Ok(texts) };
            options.after = Some(last.origin.clone());
            for listed in &page {
                if let Some(stored) = library.show(&listed.id).await? {
                    texts.push((stored.document.title, stored.document.text));
                }
            }
        }
    }
}

/// The library as a search provider.
pub(crate) fn provider(library: Library) -> LocalProvider {
    LocalProvider::new(LIBRARY, move |query: Query| {
        let library = library.clone();
        async move {
            let found = library.search(query.text(), query.limit()).await;
            let hits = found.map_err(|error| error.to_string())?;
            Ok(hits.into_iter().map(|found| found.hit).collect())
        }
    })
}

/// Stored articles as a search provider: those whose publisher's page is known.
pub(crate) fn news_provider(store: Store) -> LocalProvider {
    LocalProvider::new(NEWS, move |query: Query| {
        let store = store.clone();
        async move {
            let found = store.news_search(query.text(), None, query.limit()).await;
            let found = found.map_err(|error| error.to_string())?;
            Ok(found.into_iter().filter_map(news_hit).collect())
        }
    })
}

fn news_hit(found: NewsHit) -> Option<SearchHit> {
    Some(SearchHit {
        url: WebUrl::parse(found.article.publisher_url.as_deref()?).ok()?,
        published: found.article.published_at.map(Timestamp::date),
        title: found.article.title,
        snippet: found.snippet,
        providers: vec![NEWS.to_owned()],
    })
}

async fn index(folder: &Path, problems: &mut Vec<Problem>) -> anyhow::Result<Library> {
    let (library, report) = Library::ephemeral(folder, Arc::new(FileReader))
        .await
        .map_err(|error| usage(error.to_string()))
        .hint("name a folder with Markdown, HTML, text or PDF files")?;
    for failed in &report.failed {
        problems.push(Problem::new(ProblemKind::File, failed.origin.clone(), failed.why.clone()));
    }
    if library.status().await?.documents == 0 {
        return Err(usage(format!("{} holds no document that can be read", folder.display())))
            .hint("put Markdown, HTML, text or PDF files into it, or name another folder");
    }
    Ok(library)
}

/// How a result came to be: from the user's own documents, the user's own list, or the web. Nobody
/// has judged the articles of a feed one by one, so they are scored like the web's.
pub(crate) fn origin(hit: &SearchHit) -> Origin {
    let by = |names: &[&str]| hit.providers.iter().any(|name| names.contains(&name.as_str()));
    if by(&[LIBRARY]) {
        Origin::Library
    } else if by(&[URLS]) {
        Origin::Named
    } else {
        Origin::Web
    }
}

impl World {
    /// The page of a stored article whose full text is kept.
    async fn stored_article(&self, url: &WebUrl) -> Option<Page> {
        let store = self.news.as_ref()?;
        let article = store.article_at(url.canonical().as_str()).await.ok()??;
        let text = store.article_text(article.id).await.ok()??;
        let mut page = Page::unasked(url.clone(), FetchOutcome::Read, "among the stored articles");
        page.document = Some(text.document?);
        Some(page)
    }
}

impl Gatherer for World {
    fn search<'a>(&'a self, query: &'a str, limit: usize) -> Gathered<'a, SearchAnswer> {
        Box::pin(async move {
            let query = match Query::new(query) {
                Ok(query) => query.with_limit(limit),
                Err(error) => {
                    let problem = Problem::new(ProblemKind::Search, query, error.to_string());
                    return SearchAnswer { problems: vec![problem], ..SearchAnswer::default() };
                }
            };
            let mut hits = match &self.earlier {
                Some((earlier, _)) => earlier.search(query.text(), limit),
                None => Vec::new(),
            };
            if let Some((_, false)) = self.earlier {
                return SearchAnswer { hits, ..SearchAnswer::default() };
            }
            let found = self.searches.search(&query).await;
            for hit in found.hits {
                let origin = origin(&hit);
                let outlet = match (&self.library, origin) {
                    (Some(library), Origin::Library) => library.outlet(&hit.url).await.ok(),
                    _ => None,
                };
                hits.push(FoundHit { hit, origin, outlet: outlet.flatten() });
            }
            SearchAnswer { hits, problems: found.problems, silent: found.answered == 0 }
        })
    }

    fn read<'a>(&'a self, target: &'a Target) -> Gathered<'a, Page> {
        Box::pin(async move {
            match target {
                Target::Web(permit) => match self.stored_article(permit.url()).await {
                    Some(page) => page,
                    None => self.fetcher.fetch(permit).await,
                },
                Target::Local(url) => {
                    let recalled = self.earlier.as_ref().and_then(|(one, _)| one.read(url));
                    if let Some(page) = recalled {
                        return page;
                    }
                    let document = match &self.library {
                        Some(library) => library.document(url).await.map_err(|e| e.to_string()),
                        None => Ok(None),
                    };
                    let mut page = Page::unasked(url.clone(), FetchOutcome::Read, "in the library");
                    match document {
                        Ok(Some(document)) => page.document = Some(document),
                        Ok(None) => {
                            page.outcome = FetchOutcome::NotFound;
                            page.reason = "no longer in the library".to_owned();
                        }
                        Err(reason) => {
                            page.outcome = FetchOutcome::Failed;
                            page.reason = reason;
                        }
                    }
                    page
                }
            }
        })
    }

    fn ledger<'a>(
        &'a self,
        outlets: &'a [Outlet],
    ) -> Gathered<'a, Result<BTreeMap<Outlet, Opinion>, String>> {
        Box::pin(async move {
            if let Some(store) = &self.store {
                return store.opinions_of(outlets).await.map_err(|error| error.to_string());
            }
            let seeds = crate::app::seeded_opinions();
            let known =
                outlets.iter().filter_map(|outlet| Some((outlet.clone(), *seeds.get(outlet)?)));
            Ok(known.collect())
        })
    }
}
