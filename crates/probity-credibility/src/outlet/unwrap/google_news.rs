//! Google News: article ids that hold the publisher's address, or no longer do.
//!
//! An id is base64 of a protobuf message. In field 4 stood the article's address until July 2024
//! (and its AMP twin in field 26); since then field 4 holds a token that only Google can read, and
//! in another form sixteen raw bytes.

use super::address::Address;
use super::decode::{base64, percent_decode};
use super::protobuf::{Fields, Value};
use super::{Service, ServiceKind, Step, search};

const NAME: &str = "Google News";

const OPAQUE: Step = Step::Opaque(Service { name: NAME, kind: ServiceKind::Aggregator });

/// How the tokens of the newer ids begin.
const TOKEN: &str = "AU_yqL";

pub(super) fn step(address: &Address<'_>) -> Option<Step> {
    if address.first_label() != "news" || !search::is_google(address) {
        return None;
    }
    Some(
        search::google_redirect(address)
            .or_else(|| article_id(address).map(|id| open(&id)))
            .unwrap_or(Step::AggregatorPage(NAME)),
    )
}

/// The id in `…/articles/ID` and `…/read/ID`, whatever stands before.
fn article_id(address: &Address<'_>) -> Option<String> {
    let mut from_the_end = address.segments().rev();
    let id = from_the_end.next()?;
    matches!(from_the_end.next()?, "articles" | "read").then(|| percent_decode(id))
}

fn open(id: &str) -> Step {
    let Some(message) = base64(id) else { return OPAQUE };
    let mut article = None;
    let mut amp = None;
    for (field, value) in Fields::of(&message) {
        match (field, value) {
            (4, Value::Bytes(bytes)) => article = Some(bytes),
            (26, Value::Bytes(bytes)) => amp = Some(bytes),
            _ => {}
        }
    }
    let address = article.filter(|bytes| !bytes.is_empty()).or(amp);
    match address.map(std::str::from_utf8) {
        Some(Ok(text)) if is_absolute(text) => Step::Target(text.to_owned()),
        _ => OPAQUE,
    }
}

/// Whether a text claims to be an address of any scheme, rather than a token.
fn is_absolute(text: &str) -> bool {
    let scheme = text.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
    !text.starts_with(TOKEN)
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+.-".contains(&b))
}
