//! The Wayback Machine: what was kept of an address that the query names.
//!
//! `GET {base}/cdx/search/cdx?url=…&output=json&filter=statuscode:200&filter=mimetype:text/html&collapse=digest&limit=-N`

use jiff::civil::Date;
use probity_core::WebUrl;
use serde_json::Value;

use super::http_provider;
use crate::fetch::api::ApiRequest;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::reply::{Draft, Drafts, Reply};

/// Where captures are looked at.
const HOME: &str = "https://web.archive.org";
/// How many digits the time of a capture has: `20240501123000`.
const STAMP: usize = 14;

/// The Wayback Machine.
#[derive(Debug)]
pub struct Wayback {
    endpoint: Endpoint,
}

http_provider!(Wayback, ProviderName::Wayback);

impl Wayback {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        // It finds addresses, not words: a query that names none has no answer here.
        let Some(address) = address_in(query.text()) else { return Ok(Reply::default()) };
        let mut request = ApiRequest::get(&self.endpoint.at("/cdx/search/cdx")?)
            .query("url", address.as_str())
            .query("output", "json")
            .query("filter", "statuscode:200")
            .query("collapse", "digest")
            // The last ones.
            .query("limit", format!("-{}", query.limit()));
        let day = |day: Date| day.strftime("%Y%m%d").to_string();
        if let Some(since) = query.filters().since {
            request = request.query("from", day(since));
        }
        if let Some(until) = query.filters().until {
            request = request.query("to", day(until));
        }
        self.endpoint.once(query, request, parse).await
    }
}

/// The first address or host among the words.
fn address_in(text: &str) -> Option<WebUrl> {
    text.split_whitespace().find_map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
        let address =
            if word.contains("://") { word.to_owned() } else { format!("https://{word}") };
        let url = WebUrl::parse(&address).ok()?;
        let host = url.dns_host();
        let last = host.rsplit('.').next().unwrap_or_default();
        let named =
            host.contains('.') && last.len() >= 2 && last.bytes().all(|b| b.is_ascii_alphabetic());
        named.then_some(url)
    })
}

/// Reads a reply: rows, of which the first names the columns. The newest capture comes first.
///
/// # Errors
/// When the reply is not JSON with rows.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    // Nothing kept is nothing sent.
    if !body.is_empty() && body.trim_ascii().is_empty() {
        return Ok(Reply::default());
    }
    let rows: Vec<Value> = serde_json::from_slice(body)
        .map_err(|error| SearchError::malformed(format!("it is no list of rows ({error})")))?;
    let Some((names, rows)) = rows.split_first() else { return Ok(Reply::default()) };
    let column = |name: &str| {
        let names = names.as_array().into_iter().flatten();
        names.enumerate().find(|(_, found)| found.as_str() == Some(name)).map(|(index, _)| index)
    };
    let (Some(stamp), Some(original)) = (column("timestamp"), column("original")) else {
        return Err(SearchError::malformed("its rows have no `timestamp` and `original`"));
    };
    let mut drafts = Drafts::new(ProviderName::Wayback.as_str());
    for row in rows.iter().rev() {
        let cell = |index: usize| row.get(index).and_then(Value::as_str).unwrap_or_default();
        let (stamp, original) = (cell(stamp), cell(original));
        let is_time = stamp.len() == STAMP && stamp.bytes().all(|byte| byte.is_ascii_digit());
        let Some(text) = is_time.then(|| dated(stamp)).flatten() else {
            drafts.skip_unreadable();
            continue;
        };
        drafts.push(&Draft {
            url: &format!("{HOME}/web/{stamp}/{original}"),
            title: original,
            snippet: &format!("Kept by the Wayback Machine on {text}."),
            published: day::parse(&text, today),
        });
    }
    Ok(drafts.finish())
}

/// `2024-05-01` of `20240501…`.
fn dated(stamp: &str) -> Option<String> {
    Some(format!("{}-{}-{}", stamp.get(..4)?, stamp.get(4..6)?, stamp.get(6..8)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_query_that_names_an_address_is_asked() {
        let address = |text| address_in(text).map(|url| url.to_string());
        assert_eq!(
            address("what did example.org/fees say").as_deref(),
            Some("https://example.org/fees")
        );
        assert_eq!(address("see (https://a.example/x)?").as_deref(), Some("https://a.example/x"));
        assert_eq!(address("How loud may music be at 3.5 m?"), None);
    }
}
