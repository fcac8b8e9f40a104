//! Archives and proxies, which show a copy of a page whose address is part of their own.

use super::address::{Address, written_in_path};
use super::{Service, ServiceKind, Shape, Step, by_query, shape, target_or_empty};

/// Archives in the manner of the Wayback Machine: host, and what is before the time stamp.
const TIMED: &[(&str, &str)] = &[
    ("web.archive.org", "/web/"),
    ("web.archive.org", "/save/"),
    ("arquivo.pt", "/wayback/"),
    ("webarchive.nationalarchives.gov.uk", "/ukgwa/"),
    ("webarchive.loc.gov", "/all/"),
];

/// The hosts of archive.today.
const ARCHIVE_TODAY: &[&str] = &[
    "archive.ph",
    "archive.is",
    "archive.today",
    "archive.fo",
    "archive.li",
    "archive.md",
    "archive.vn",
];

/// Archives that name their copies by a code.
const CODED: &[&str] = &["perma.cc", "ghostarchive.org"];

/// Proxies that take the whole address as their path.
const PROXIES: &[&str] = &["12ft.io", "1ft.io", "r.jina.ai", "freedium.cfd", "smry.ai"];

const PROXY_QUERIES: &[Shape] = &[
    shape("12ft.io", "/proxy", &["q", "url"]),
    shape("12ft.io", "/api/proxy", &["q", "url"]),
    shape("smry.ai", "/proxy", &["url"]),
];

pub(super) fn step(address: &Address<'_>) -> Option<Step> {
    by_query(address, PROXY_QUERIES, "a proxy")
        .or_else(|| timed(address))
        .or_else(|| archive_today(address))
        .or_else(|| proxy(address))
        .or_else(|| translated(address))
        .or_else(|| coded(address))
}

/// `/web/TIMESTAMP/URL`, with or without a modifier like `id_` after the time stamp.
fn timed(address: &Address<'_>) -> Option<Step> {
    let (_, prefix) = TIMED
        .iter()
        .find(|(host, prefix)| address.is_under(host) && address.path().starts_with(prefix))?;
    let rest = address.rest_and_fragment(prefix)?;
    let target = match rest.split_once('/') {
        Some((stamp, after)) if is_time_stamp(stamp) => written_in_path(after, "http"),
        _ => written_in_path(&rest, "http"),
    };
    Some(target_or_empty(target, "an archive"))
}

/// Up to fourteen digits, then nothing, `*`, or two letters and an underscore.
fn is_time_stamp(text: &str) -> bool {
    let modifier = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - modifier.len();
    let is_modifier = match modifier.strip_suffix('_') {
        Some(letters) => letters.len() == 2 && letters.bytes().all(|b| b.is_ascii_alphabetic()),
        None => modifier.is_empty() || modifier == "*",
    };
    digits <= 14 && is_modifier && !text.is_empty()
}

/// `/2026.01.02-030405/URL`, `/20260102030405/URL`, `/newest/URL`, `/o/CODE/URL`, or a bare code.
fn archive_today(address: &Address<'_>) -> Option<Step> {
    if !ARCHIVE_TODAY.iter().any(|host| address.is_under(host)) {
        return None;
    }
    if let Some(target) = address.parameter(&["url"]).filter(|_| address.path_is("/submit")) {
        return Some(Step::Target(target));
    }
    let rest = address.rest_and_fragment("/")?;
    let after_code = rest.strip_prefix("o/").and_then(|rest| rest.split_once('/'));
    let target = match after_code.or_else(|| rest.split_once('/')) {
        Some((first, after)) if after_code.is_some() || is_version(first) => {
            written_in_path(after, "http")
        }
        _ => written_in_path(&rest, "http").filter(|target| target.len() == rest.len()),
    };
    Some(match target {
        Some(target) => Step::Target(target),
        None if address.segments().next().is_none() => Step::AggregatorPage("archive.today"),
        None => opaque("archive.today"),
    })
}

fn is_version(text: &str) -> bool {
    let is_date = text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-');
    is_date || text == "newest" || text == "oldest"
}

fn proxy(address: &Address<'_>) -> Option<Step> {
    if !PROXIES.iter().any(|host| address.is_under(host)) {
        return None;
    }
    let rest = address.rest_and_fragment("/")?;
    Some(match written_in_path(&rest, "https") {
        Some(target) => Step::Target(target),
        None => Step::AggregatorPage("a proxy"),
    })
}

fn coded(address: &Address<'_>) -> Option<Step> {
    CODED.iter().any(|host| address.is_under(host)).then_some(opaque("an archive"))
}

/// `www-example-com.translate.goog/PATH`: in the host `-` is a dot and `--` a hyphen; the
/// parameters `_x_tr_…` are the translator's.
fn translated(address: &Address<'_>) -> Option<Step> {
    const OWN: &str = "_x_tr_";
    let label = address.host().strip_suffix(".translate.goog")?;
    // What did not fit into a label is in a parameter of its own.
    let overflow = address.parameter(&["_x_tr_hp"]).unwrap_or_default();
    if !overflow.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        return Some(Step::Empty("the translator"));
    }
    let whole = format!("{overflow}{label}");
    // Marks before the name say that hyphens were protected (1) and that it was punycode (0).
    let encodings = address.parameter(&["_x_tr_enc"]).unwrap_or_default();
    let is_marked = |mark: &str| encodings.split(',').any(|encoding| encoding == mark);
    let coded = whole.strip_prefix("1-").filter(|_| is_marked("1")).unwrap_or(&whole);
    let international = coded.strip_prefix("0-").filter(|_| is_marked("0"));
    let prefix = if international.is_some() { "xn--" } else { "" };
    let coded = international.unwrap_or(coded);
    let host = coded.replace("--", "\0").replace('-', ".").replace('\0', "-");
    let scheme = match address.parameter(&["_x_tr_sch"]).as_deref() {
        Some("http") => "http",
        _ => "https",
    };
    let rest = address.rest_and_fragment("")?;
    let (before, fragment) = rest.split_once('#').map_or((rest.as_str(), ""), |(b, f)| (b, f));
    let (path, query) = before.split_once('?').unwrap_or((before, ""));
    let kept: Vec<&str> =
        query.split('&').filter(|p| !p.starts_with(OWN) && !p.is_empty()).collect();
    let mut target = format!("{scheme}://{prefix}{host}{path}");
    if !kept.is_empty() {
        target.push('?');
        target.push_str(&kept.join("&"));
    }
    if !fragment.is_empty() {
        target.push('#');
        target.push_str(fragment);
    }
    Some(Step::Target(target))
}

fn opaque(name: &'static str) -> Step {
    Step::Opaque(Service { name, kind: ServiceKind::Pointer })
}
