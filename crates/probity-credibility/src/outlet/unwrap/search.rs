//! Search engines that count clicks: Google, Bing, Yahoo, DuckDuckGo and their like.

use super::address::{Address, written_in_path};
use super::decode::{base64, percent_decode};
use super::{Service, ServiceKind, Shape, Step, by_query, shape, target_or_empty};

/// Redirects of any Google host; the host is recognised by [`is_google`].
const GOOGLE: &[Shape] = &[
    shape("", "/url", &["q", "url"]),
    shape("", "/news/url", &["url", "q"]),
    shape("", "/scholar_url", &["url"]),
    shape("", "/imgres", &["imgrefurl"]),
    shape("", "/translate", &["u"]),
];

const OTHERS: &[Shape] = &[
    shape("bing.com", "/news/apiclick.aspx", &["url"]),
    shape("duckduckgo.com", "/l", &["uddg"]),
    shape("googleweblight.com", "/i", &["u"]),
];

/// Engines whose redirects say nothing of their targets.
const OPAQUE: &[(&str, &str, &str)] = &[
    ("Baidu", "baidu.com", "/link"),
    ("Sogou", "sogou.com", "/link"),
    ("360 Search", "so.com", "/link"),
    ("Yandex", "yandex.ru", "/clck/jsredir"),
    ("Yandex", "yandex.com", "/clck/jsredir"),
];

pub(super) fn step(address: &Address<'_>) -> Option<Step> {
    if is_google(address) {
        return google_redirect(address);
    }
    by_query(address, OTHERS, "a search engine")
        .or_else(|| bing_click(address))
        .or_else(|| yahoo_click(address))
        .or_else(|| google_cache(address))
        .or_else(|| opaque_click(address))
}

/// A redirect of a host that [`is_google`].
pub(super) fn google_redirect(address: &Address<'_>) -> Option<Step> {
    by_query(address, GOOGLE, "Google")
}

/// Whether the host belongs to google.com or one of Google's country domains. A `google` that
/// someone registered under another suffix (google.github.io) does not.
pub(super) fn is_google(address: &Address<'_>) -> bool {
    let Some(suffix) = address.registrable().strip_prefix("google.") else { return false };
    let is_country =
        |label: &str| label.len() == 2 && label.bytes().all(|b| b.is_ascii_lowercase());
    match suffix.split_once('.') {
        None => suffix == "com" || suffix == "cat" || is_country(suffix),
        Some((second, top)) => matches!(second, "com" | "co") && is_country(top),
    }
}

/// `bing.com/ck/a?…&u=a1BASE64`: a marker of two characters, then the target.
fn bing_click(address: &Address<'_>) -> Option<Step> {
    if !(address.is_under("bing.com") && address.path_is("/ck/a")) {
        return None;
    }
    let target = address
        .parameter(&["u"])
        .and_then(|marked| base64(marked.get(2..)?))
        .and_then(|bytes| String::from_utf8(bytes).ok());
    Some(match target {
        Some(target) if target.starts_with('/') && !target.starts_with("//") => Step::Empty("Bing"),
        Some(target) => Step::Target(target),
        None => pointer("Bing"),
    })
}

/// `r.search.yahoo.com/…/RU=TARGET/RK=…/RS=…`, and the older `rd.yahoo.com/…/*TARGET`.
fn yahoo_click(address: &Address<'_>) -> Option<Step> {
    if address.is_under("r.search.yahoo.com") {
        let target = address.path().split_once("/RU=").map(|(_, after)| {
            let end = after.find("/RK=").or_else(|| after.find("/RS=")).unwrap_or(after.len());
            percent_decode(after.get(..end).unwrap_or(after))
        });
        return Some(target.filter(|t| !t.is_empty()).map_or(pointer("Yahoo"), Step::Target));
    }
    if address.is_under("rd.yahoo.com") {
        let whole = address.rest("")?;
        let target = whole.split_once('*').and_then(|(_, after)| written_in_path(after, "http"));
        return Some(target.map_or(pointer("Yahoo"), Step::Target));
    }
    None
}

/// `webcache.googleusercontent.com/search?q=cache:ID:TARGET+words`.
fn google_cache(address: &Address<'_>) -> Option<Step> {
    if !address.is_under("webcache.googleusercontent.com") {
        return None;
    }
    let target = address.parameter(&["q"]).and_then(|query| {
        let cached = query.strip_prefix("cache:")?.split(['+', ' ']).next()?.to_owned();
        let after_id = match cached.split_once(':') {
            Some((id, after)) if id.len() == 12 && !id.contains(['.', '/']) => after.to_owned(),
            _ => cached,
        };
        written_in_path(&after_id, "http")
    });
    Some(target_or_empty(target, "Google's cache"))
}

fn opaque_click(address: &Address<'_>) -> Option<Step> {
    OPAQUE
        .iter()
        .find(|(_, host, path)| address.is_under(host) && address.path_is(path))
        .map(|(name, _, _)| pointer(name))
}

fn pointer(name: &'static str) -> Step {
    Step::Opaque(Service { name, kind: ServiceKind::Pointer })
}
