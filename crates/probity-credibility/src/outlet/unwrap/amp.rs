//! AMP viewers and caches, which keep the page's address in their path.

use super::address::Address;
use super::{Shape, Step, by_query, search, shape, target_or_empty};

/// Hosts that hold nothing but copies.
const CACHES: &[&str] = &["cdn.ampproject.org", "bing-amp.com", "ampcache.google.com"];

/// What the first segment of a cache's path says: page, viewer, package, image, other file.
const CACHE_PREFIXES: &[&str] = &["/c/", "/v/", "/wp/", "/i/", "/ii/", "/r/"];

const TURBO: &[Shape] =
    &[shape("yandex.ru", "/turbo", &["text"]), shape("yandex.com", "/turbo", &["text"])];

pub(super) fn step(address: &Address<'_>) -> Option<Step> {
    if search::is_google(address) || address.is_under("bing.com") {
        let rest = address.rest("/amp/")?;
        return Some(target_or_empty(page(&rest), "an AMP viewer"));
    }
    if CACHES.iter().any(|cache| address.is_under(cache)) {
        // The subdomain is only a hint, sometimes a hash; the path is the address.
        let rest = CACHE_PREFIXES.iter().find_map(|prefix| address.rest(prefix));
        return Some(target_or_empty(rest.as_deref().and_then(page), "an AMP cache"));
    }
    by_query(address, TURBO, "Yandex Turbo")
}

/// `s/HOST/PATH` is https, `HOST/PATH` is http. The viewer's own fragment is not part of it.
fn page(rest: &str) -> Option<String> {
    let (scheme, page) = match rest.strip_prefix("s/") {
        Some(page) => ("https", page),
        None => ("http", rest),
    };
    let host = page.split(['/', '?']).next().unwrap_or_default();
    host.contains('.').then(|| format!("{scheme}://{page}"))
}
