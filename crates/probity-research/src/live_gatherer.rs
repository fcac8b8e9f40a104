//! The outside world of a run: the chosen search providers, the fetcher, the library, the ledger.

mod error;
mod files;
mod index_folder;
mod note;
mod provide;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use probity_core::{Answering, Clock, Outlet, Problem, ProblemKind, RunId, Shared, WebUrl};
use probity_credibility::ledger::{Opinion, seeded_opinions};
use probity_credibility::{Known, Permit, Scorer};
use probity_store::Store;
use probity_store::library::{CollectionError, Library, LibraryError, ListOptions};
use probity_web::fetch::api::{ApiClient, ApiSettings};
use probity_web::fetch::{FetchOutcome, FetchSettings, Fetcher, Page};
use probity_web::open_copy::{CopyIndex, OpenCopies, doi_of};
use probity_web::search::{
    FILES, Filters, LIBRARY, Lang, LocalProvider, NEWS, Query, SearchContext, SearchSet,
    SearchSettings, Selection, UrlList,
};
use tokio::task::JoinSet;

pub use self::error::GathererError;
pub use self::files::{FileReader, Unread, read_brought};
use self::index_folder::index_folder;
use self::note::{Notebook, SETTLE_TIME};
pub(crate) use self::provide::origin_of;
pub use self::provide::{news_provider, origin, provider, with_filled, with_urls};
use crate::gather::{FoundHit, Gathered, Gatherer, Origin, SearchAnswer, Target};
use crate::recall::Recalled;
use crate::run::Where;

/// What the world is opened with.
pub struct Opening<'a> {
    /// Which providers there are, and which are asked unless some are named.
    pub search: &'a SearchSettings,
    /// How pages are fetched.
    pub fetch: FetchSettings,
    /// What the searches are dated by.
    pub clock: Clock,
    /// The ledger, the stored library and the stored articles.
    pub store: Option<Store>,
    /// Who else asks the same hosts.
    pub shared: Option<Arc<dyn Shared>>,
    /// Whose a page is, by the settings.
    pub scorer: Scorer,
    /// Where the indexes of large folders are kept for the next run, if anywhere.
    pub indexes: Option<PathBuf>,
    /// Searches of the caller's own, asked where their names are named.
    pub own: Vec<LocalProvider>,
}

impl<'a> Opening<'a> {
    /// A world with nothing set beyond its searches, and nothing that is kept.
    pub fn usual(search: &'a SearchSettings, scorer: Scorer) -> Self {
        Self {
            search,
            fetch: FetchSettings::default(),
            clock: Clock::System,
            store: None,
            shared: None,
            scorer,
            indexes: None,
            own: Vec::new(),
        }
    }
}

/// The world as the settings and flags of one run open it.
pub struct LiveGatherer {
    searches: SearchSet,
    fetcher: Fetcher,
    library: Option<Library>,
    /// What was uploaded for this run.
    files: Option<Library>,
    /// Stored articles, where the search names them.
    news: Option<Store>,
    store: Option<Store>,
    /// Who knows open copies of papers behind walls, unless none are wanted.
    copies: Option<OpenCopies>,
    /// Whose a page is, by the settings.
    scorer: Arc<Scorer>,
    /// Where it is noted what pages show of their outlets, and the notes that are in progress.
    notes: Option<Arc<Notebook>>,
    noting: Mutex<JoinSet<()>>,
    /// What the ledger says where there is no store.
    seeds: HashMap<Outlet, Opinion>,
    /// The sources of an earlier run, and whether more is searched for beside them.
    earlier: Option<(Recalled, bool)>,
    /// Which results are wanted, and in which language where nothing else is said.
    filters: Filters,
    lang: Option<Lang>,
}

impl LiveGatherer {
    /// Opens the world, and says what could not be read of it. A folder named for the run has an
    /// index of its own; the stored library is used only when the search names it.
    ///
    /// # Errors
    /// When a folder or a provider that is named cannot be had.
    pub fn open<'a>(
        opening: Opening<'a>,
        place: &'a Where,
    ) -> Answering<'a, Result<(Self, Vec<Problem>), GathererError>> {
        Box::pin(async move {
            let Opening { search, fetch, clock, store, shared, scorer, own, indexes } = opening;
            let mut problems = Vec::new();
            let earlier = match &place.run {
                Some(earlier) => Some((recall(store.as_ref(), &earlier.id).await?, earlier.beyond)),
                None => None,
            };
            let library = match (&place.library, &store) {
                (Some(folder), _) => {
                    Some(index_folder(indexes.as_deref(), Path::new(folder), &mut problems).await?)
                }
                (None, Some(store)) => Some(stored(store, place.collection.as_deref()).await?),
                (None, None) => match &place.collection {
                    Some(name) => return Err(CollectionError::Unknown(name.clone()).into()),
                    None => None,
                },
            };
            let files = match &place.files {
                Some(id) => Some(brought(store.as_ref(), id).await?),
                None => None,
            };
            // Documents that are named are all there is to search; providers join only by name.
            let kept = if place.library.is_some() { &place.library } else { &place.collection };
            let named = [(kept, LIBRARY), (&place.files, FILES)];
            let named: Vec<&str> = named
                .into_iter()
                .filter(|(given, _)| given.is_some())
                .map(|(_, name)| name)
                .collect();
            let names = match &place.search {
                Some(names) => names.clone(),
                None if named.is_empty() => search.providers.to_string(),
                None => named.join(","),
            };
            let mut selection: Selection = names.parse().map_err(GathererError::Selection)?;
            let client = ApiClient::new(ApiSettings::default())?;
            let copies = fetch.open_copies.then(|| {
                OpenCopies::new(client.clone(), search.openalex.clone(), fetch.unpaywall.clone())
            });
            let mut context =
                SearchContext::new(client).with_clock(clock).with_shared(shared.clone());
            for provider in own {
                context = context.with_local(provider);
            }
            match (&selection, &store, kept) {
                (Selection::Auto, Some(store), None) => {
                    context = with_filled(context, store).await?
                }
                _ => {
                    if let Some(library) = library.clone() {
                        context = context.with_local(provider(LIBRARY, library));
                    }
                    if let Some(store) = store.clone() {
                        context = context.with_local(news_provider(store));
                    }
                }
            }
            if let Some(files) = files.clone() {
                context = context.with_local(provider(FILES, files));
            }
            if let Some(list) = &place.urls {
                context = context.with_local(UrlList::read(list));
                let named = place.search.is_some() || !named.is_empty();
                selection = with_urls(selection, named)?;
            }
            let searches =
                SearchSet::new(&selection, search, context).map_err(GathererError::Search)?;
            let fetcher = Fetcher::sharing(fetch, shared)?;
            let asks_news = searches.names().contains(&NEWS);
            let news = store.clone().filter(|_| asks_news);
            let (filters, lang) = (place.filters.clone(), search.lang.clone());
            let seeds = if store.is_none() { seeded_opinions() } else { HashMap::new() };
            let (scorer, notes, noting) = (Arc::new(scorer), None, Mutex::default());
            let gatherer = Self {
                searches,
                fetcher,
                library,
                files,
                news,
                store,
                copies,
                scorer,
                notes,
                noting,
                seeds,
                earlier,
                filters,
                lang,
            };
            Ok((gatherer, problems))
        })
    }
}

/// The sources of a stored run.
async fn recall(store: Option<&Store>, id: &RunId) -> Result<Recalled, GathererError> {
    let Some(store) = store else { return Err(GathererError::NoRun(id.to_owned().into())) };
    let record = store.run(id).await?.ok_or_else(|| GathererError::NoRun(id.to_owned().into()))?;
    let report = record.report.ok_or_else(|| GathererError::NoReport(id.to_owned().into()))?;
    let report = probity_report::restore(&report)?;
    let recalled = Recalled::of(report.facts(), &store.journal(id).await?);
    if recalled.is_empty() {
        return Err(GathererError::NoSources(id.to_owned().into()));
    }
    Ok(recalled)
}

/// Whether a collection of the stored library can be searched.
///
/// # Errors
/// When there is none of this name, or nothing is in it.
pub async fn check_collection(store: &Store, name: &str) -> Result<(), GathererError> {
    stored(store, Some(name)).await.map(|_| ())
}

/// The stored library, or a collection of it.
async fn stored(store: &Store, collection: Option<&str>) -> Result<Library, GathererError> {
    let library = Library::of(store);
    let Some(name) = collection else { return Ok(library) };
    let collection = library.collection(name).await?;
    match collection.documents {
        0 => Err(CollectionError::Empty(collection.name).into()),
        _ => Ok(library.within(&collection)),
    }
}

/// The documents that were brought along for a run, indexed in memory.
async fn brought(store: Option<&Store>, id: &str) -> Result<Library, GathererError> {
    let documents = match store {
        Some(store) => store.upload_readings(id).await?,
        None => Vec::new(),
    };
    if documents.is_empty() {
        return Err(GathererError::NoFiles);
    }
    Ok(Library::of_readings(FILES, documents).await?)
}

impl LiveGatherer {
    /// Notes what pages show of their outlets in a store. A run that is not kept leaves no trace.
    pub fn noting(self, notes: Option<Store>) -> Self {
        let fetcher = self.fetcher.clone();
        let book = |store| Notebook::new(store, Arc::clone(&self.scorer), fetcher);
        Self { notes: notes.map(book).map(Arc::new), ..self }
    }

    /// Titles and texts of every document in the library.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn library_texts(&self) -> Result<Vec<(String, String)>, LibraryError> {
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

impl LiveGatherer {
    /// What was uploaded, then the library: a document of both is the one that was provided now.
    fn own_documents(&self) -> impl Iterator<Item = &Library> {
        self.files.iter().chain(&self.library)
    }

    async fn own_document(&self, url: &WebUrl) -> Page {
        let mut page = Page::unasked(url.clone(), FetchOutcome::Read, "in the library");
        for library in self.own_documents() {
            match library.document(url).await {
                Ok(None) => {}
                Ok(document) => {
                    page.document = document;
                    return page;
                }
                Err(error) => {
                    page.outcome = FetchOutcome::Failed;
                    page.reason = error.to_string();
                    return page;
                }
            }
        }
        page.outcome = FetchOutcome::NotFound;
        page.reason = "no longer in the library".to_owned();
        page
    }

    /// The page of a stored article whose full text is kept.
    async fn stored_article(&self, url: &WebUrl) -> Option<Page> {
        let store = self.news.as_ref()?;
        let article = store.article_at(url.canonical().as_str()).await.ok()??;
        let text = store.article_text(article.id).await.ok()??;
        let mut page = Page::unasked(url.clone(), FetchOutcome::Read, "among the stored articles");
        page.document = Some(text.document?);
        Some(page)
    }

    /// A paper that is behind a wall, from an open copy if one is known that can be read.
    async fn or_open_copy(&self, permit: &Permit, page: Page) -> Page {
        let walled = match page.outcome {
            FetchOutcome::PaywallStub | FetchOutcome::BotWall | FetchOutcome::Shell => true,
            FetchOutcome::Failed => page.status == Some(403),
            _ => false,
        };
        let (true, Some(copies)) = (walled, &self.copies) else { return page };
        let Some(doi) = doi_of(permit.url()).or_else(|| doi_of(&page.final_url)) else {
            return page;
        };
        let mut tried = Vec::new();
        for index in CopyIndex::ALL {
            for copy in copies.find(index, &doi).await {
                if tried.contains(&copy) {
                    continue;
                }
                let found = self.fetcher.fetch(&permit.for_open_copy(copy.clone())).await;
                if found.outcome.is_read() {
                    let reason = format!("read from an open copy at {}", found.final_url.host());
                    return Page { url: page.url, reason, ..found };
                }
                tried.push(copy);
            }
        }
        page
    }

    /// Notes aside what a page that was read shows of its outlet.
    fn note(&self, permit: &Permit, page: &Page) {
        let Some(note) = self.notes.as_ref().and_then(|book| book.note(permit, page)) else {
            return;
        };
        self.noting.lock().unwrap_or_else(PoisonError::into_inner).spawn(note);
    }
}

impl Gatherer for LiveGatherer {
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
                let mut outlet = None;
                for library in self.own_documents().filter(|_| origin == Origin::Library) {
                    outlet = outlet.or(library.outlet(&hit.url).await.ok().flatten());
                }
                hits.push(FoundHit { hit, origin, outlet });
            }
            SearchAnswer { hits, problems: found.problems, silent: found.answered == 0 }
        })
    }

    fn read<'a>(&'a self, target: &'a Target) -> Gathered<'a, Page> {
        Box::pin(async move {
            match target {
                Target::Web(permit) => match self.stored_article(permit.url()).await {
                    Some(page) => page,
                    None => {
                        let page = self.fetcher.fetch(permit).await;
                        let page = self.or_open_copy(permit, page).await;
                        if page.outcome.is_read() {
                            self.note(permit, &page);
                        }
                        page
                    }
                },
                Target::Local(url) => {
                    let recalled = self.earlier.as_ref().and_then(|(one, _)| one.read(url));
                    if let Some(page) = recalled {
                        return page;
                    }
                    self.own_document(url).await
                }
            }
        })
    }

    fn ledger<'a>(
        &'a self,
        outlets: &'a [Outlet],
    ) -> Gathered<'a, Result<BTreeMap<Outlet, Known>, String>> {
        Box::pin(async move {
            if let Some(store) = &self.store {
                let known = store.known_of(outlets, self.scorer.policy()).await;
                return known.map_err(|error| error.to_string());
            }
            let known = outlets
                .iter()
                .filter_map(|outlet| Some((outlet.clone(), (*self.seeds.get(outlet)?).into())));
            Ok(known.collect())
        })
    }

    fn settle<'a>(&'a self) -> Gathered<'a, ()> {
        let mut under_way =
            std::mem::take(&mut *self.noting.lock().unwrap_or_else(PoisonError::into_inner));
        Box::pin(async move {
            let ended = async { while under_way.join_next().await.is_some() {} };
            let _ = tokio::time::timeout(SETTLE_TIME, ended).await;
        })
    }
}
