//! The outside world of a run: the chosen search providers, the fetcher, the library, the ledger.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use probity_core::{Outlet, Problem, ProblemKind, SearchHit, Shared, Timestamp, WebUrl};
use probity_credibility::ledger::Opinion;
use probity_research::gather::{FoundHit, Gathered, Gatherer, Origin, SearchAnswer, Target};
use probity_research::run::Where;
use probity_store::Store;
use probity_store::library::{Library, ListOptions};
use probity_store::news::{ArticleQuery, NewsHit};
use probity_web::fetch::api::{ApiClient, ApiSettings};
use probity_web::fetch::{FetchOutcome, Fetcher, Page};
use probity_web::search::{
    Filters, LIBRARY, Lang, LocalProvider, Means, NEWS, Query, SearchSet, Selection, URLS, UrlList,
};

use crate::app::App;
use crate::failure::usage;
use crate::index_folder::index_folder;
use crate::urls;

/// The world as the settings and flags of one run open it.
pub(crate) struct World {
    searches: SearchSet,
    fetcher: Fetcher,
    library: Option<Library>,
    /// Stored articles, where the search names them.
    news: Option<Store>,
    store: Option<Store>,
    /// Which results are wanted, and in which language where nothing else is said.
    filters: Filters,
    lang: Option<Lang>,
}

impl World {
    /// Opens the world. A folder named for the run has an index of its own; the stored library is
    /// used only when the search names it.
    pub(crate) async fn open(
        app: &App,
        place: &Where,
        store: Option<Store>,
        shared: Option<Arc<dyn Shared>>,
    ) -> anyhow::Result<(Self, Vec<Problem>)> {
        let mut problems = Vec::new();
        let library = match (&place.library, &store) {
            (Some(folder), _) => Some(index_folder(app, Path::new(folder), &mut problems).await?),
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
        match (&selection, &store, &place.library) {
            (Selection::Auto, Some(store), None) => means = with_filled(means, store).await?,
            _ => {
                if let Some(library) = library.clone() {
                    means = means.with_local(provider(library));
                }
                if let Some(store) = store.clone() {
                    means = means.with_local(news_provider(store));
                }
            }
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
        let asks_news = searches.names().contains(&NEWS);
        let news = store.clone().filter(|_| asks_news);
        let (filters, lang) = (place.filters.clone(), app.settings.search.lang.clone());
        Ok((Self { searches, fetcher, library, news, store, filters, lang }, problems))
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

/// The stored library and news beside the web, as far as they hold something.
pub(crate) async fn with_filled(mut means: Means, store: &Store) -> anyhow::Result<Means> {
    let library = Library::of(store);
    if library.status().await?.documents > 0 {
        means = means.with_local(provider(library));
    }
    let one = ArticleQuery { limit: Some(1), ..ArticleQuery::default() };
    if !store.articles(&one).await?.is_empty() {
        means = means.with_local(news_provider(store.clone()));
    }
    Ok(means)
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
                Ok(query) => query
                    .with_limit(limit)
                    .with_lang(self.lang.clone())
                    .with_filters(self.filters.clone()),
                Err(error) => {
                    let problem = Problem::new(ProblemKind::Search, query, error.to_string());
                    return SearchAnswer { problems: vec![problem], ..SearchAnswer::default() };
                }
            };
            let found = self.searches.search(&query).await;
            let mut hits = Vec::with_capacity(found.hits.len());
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
