//! Mail gateways, which rewrite the links of every message.

use super::address::{Address, written_in_path};
use super::decode::{base64, percent_decode};
use super::{Service, ServiceKind, Shape, Step, by_query, shape, target_or_empty};
use crate::outlet::html::decode_entities;

const GATEWAYS: &[Shape] = &[
    shape("safelinks.protection.outlook.com", "", &["url"]),
    shape("safelinks.protection.office365.us", "", &["url"]),
    shape("linkprotect.cudasvc.com", "/url", &["a"]),
    shape("clicktime.symantec.com", "", &["u"]),
    shape("link.edgepilot.com", "", &["u"]),
];

const URLDEFENSE: &[&str] = &["urldefense.com", "urldefense.us", "urldefense.proofpoint.com"];

pub(super) fn step(address: &Address<'_>) -> Option<Step> {
    by_query(address, GATEWAYS, "a mail gateway")
        .or_else(|| urldefense(address))
        .or_else(|| cisco(address))
        .or_else(|| mimecast(address))
}

fn urldefense(address: &Address<'_>) -> Option<Step> {
    if !URLDEFENSE.iter().any(|host| address.is_under(host)) {
        return None;
    }
    // The first two versions keep the link as the message's HTML had it, entities and all.
    let target = if address.path_is("/v1/url") {
        address.parameter(&["u"]).map(|link| decode_entities(&link))
    } else if address.path_is("/v2/url") {
        address.parameter(&["u"]).map(|coded| second_version(&coded))
    } else {
        address.rest_and_fragment("/v3/__").and_then(|rest| third_version(&rest))
    };
    Some(target_or_empty(target, "URL Defense"))
}

/// The second version writes `-` for `%` and `_` for `/`.
fn second_version(coded: &str) -> String {
    decode_entities(&percent_decode(&coded.replace('-', "%").replace('_', "/")))
}

/// `URL__;BYTES!!…$`: each `*` in the URL stands for the next character of BYTES, and `**N` for a
/// run of them.
fn third_version(rest: &str) -> Option<String> {
    let (url, after) = rest.split_once("__;")?;
    let replaced = base64(after.split('!').next()?)?;
    let replaced = String::from_utf8(replaced).ok()?;
    let mut replaced = replaced.chars();
    let decoded = percent_decode(url);
    let mut target = String::with_capacity(decoded.len());
    let mut coded = decoded.chars().peekable();
    while let Some(c) = coded.next() {
        if c != '*' {
            target.push(c);
        } else if coded.next_if_eq(&'*').is_some() {
            target.extend(replaced.by_ref().take(run_length(coded.next()?)?));
        } else {
            target.push(replaced.next().unwrap_or('*'));
        }
    }
    written_in_path(&target, "https")
}

/// Runs of two and more are counted in the web-safe base64 alphabet.
fn run_length(digit: char) -> Option<usize> {
    const SHORTEST: usize = 2;
    let mut alphabet = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['-', '_']);
    alphabet.position(|c| c == digit).map(|value| value + SHORTEST)
}

/// `secure-web.cisco.com/TOKEN/ENCODED-URL`.
fn cisco(address: &Address<'_>) -> Option<Step> {
    if !address.is_under("secure-web.cisco.com") {
        return None;
    }
    let target = address.segments().next_back().and_then(|last| {
        let decoded = percent_decode(last);
        decoded.contains("://").then_some(decoded)
    });
    Some(target_or_empty(target, "a mail gateway"))
}

fn mimecast(address: &Address<'_>) -> Option<Step> {
    let is_link = address.is_under("mimecast.com") && address.first_label().starts_with("protect");
    is_link.then_some(Step::Opaque(Service { name: "a mail gateway", kind: ServiceKind::Pointer }))
}
