//! A search of the caller's own: a Python function as a provider among the others.

use std::sync::Arc;
use std::time::Duration;

use probity_core::{SearchHit, WebUrl};
use probity_web::search::{LocalProvider, Query};
use pyo3::prelude::*;

/// What the provider is called in reports and problems.
pub(super) const NAME: &str = "python";
/// The most addresses that a caller may hand over as found.
pub(super) const URLS: usize = 10_000;
/// How long one search may take.
const TIME: Duration = Duration::from_secs(60);

/// A result as the package's Python part hands it over: address, title, snippet, day.
type Found = (String, String, String, Option<String>);

/// A function as a search provider.
pub(super) fn provider(find: Py<PyAny>) -> LocalProvider {
    let find = Arc::new(find);
    let look = move |query: Query| {
        let find = Arc::clone(&find);
        async move {
            let looking = tokio::task::spawn_blocking(move || {
                Python::attach(|py| {
                    let found = find.call1(py, (query.text(), query.limit()))?;
                    found.extract::<Vec<Found>>(py)
                })
                .map_err(|error| error.to_string())
            });
            let found = looking.await.map_err(|error| error.to_string())??;
            Ok(found.into_iter().filter_map(hit).collect())
        }
    };
    LocalProvider::new(NAME, look).within(TIME)
}

/// A result, if its address is one.
fn hit((url, title, snippet, day): Found) -> Option<SearchHit> {
    Some(SearchHit {
        url: WebUrl::parse(&url).ok()?,
        title,
        snippet,
        published: day.and_then(|day| day.parse().ok()),
        providers: vec![NAME.to_owned()],
    })
}
