//! What is kept here as search providers beside the web's: the library, stored articles, lists of addresses.

use probity_core::{SearchHit, Timestamp, WebUrl};
use probity_store::Store;
use probity_store::library::Library;
use probity_store::news::{ArticleQuery, NewsHit};
use probity_web::search::{
    FILES, LIBRARY, LocalProvider, NEWS, Query, SearchContext, Selection, URLS,
};

use super::GathererError;
use crate::gather::Origin;

/// The list of addresses alone, or after the providers that were named.
///
/// # Errors
/// When it would stand beside whatever is there.
pub fn with_urls(selection: Selection, named: bool) -> Result<Selection, GathererError> {
    match selection {
        Selection::Named(mut names) if named => {
            if !names.iter().any(|name| name == URLS) {
                names.push(URLS.to_owned());
            }
            Ok(Selection::Named(names))
        }
        Selection::Auto if named => Err(GathererError::UrlsBesideAuto),
        _ => Ok(Selection::Named(vec![URLS.to_owned()])),
    }
}

/// The stored library and news beside the web, as far as they hold something.
///
/// # Errors
/// When the store fails.
pub async fn with_filled(
    mut context: SearchContext,
    store: &Store,
) -> Result<SearchContext, GathererError> {
    let library = Library::of(store);
    if library.status().await?.documents > 0 {
        context = context.with_local(provider(LIBRARY, library));
    }
    let one = ArticleQuery { limit: Some(1), ..ArticleQuery::default() };
    if !store.articles(&one).await?.is_empty() {
        context = context.with_local(news_provider(store.clone()));
    }
    Ok(context)
}

/// A library as a search provider of this name.
pub fn provider(name: &'static str, library: Library) -> LocalProvider {
    LocalProvider::new(name, move |query: Query| {
        let library = library.clone();
        async move {
            let found = library.search(query.text(), query.limit()).await;
            let hits = found.map_err(|error| error.to_string())?;
            Ok(hits.into_iter().map(|found| found.hit).collect())
        }
    })
}

/// Stored articles as a search provider: those whose publisher's page is known.
pub fn news_provider(store: Store) -> LocalProvider {
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

/// How a result came to be: from the user's own documents, the user's own list, or the web. No one
/// has judged the articles of a feed one by one, so they are scored like the web's.
pub fn origin(hit: &SearchHit) -> Origin {
    origin_of(&hit.providers)
}

/// The same, by the providers that returned it.
pub(crate) fn origin_of(providers: &[String]) -> Origin {
    let by = |names: &[&str]| providers.iter().any(|name| names.contains(&name.as_str()));
    if by(&[LIBRARY, FILES]) {
        Origin::Library
    } else if by(&[URLS]) {
        Origin::Named
    } else {
        Origin::Web
    }
}
