//! Stack Exchange: questions with their answers, of one of its sites.
//!
//! `GET {base}/2.3/search/advanced?q=…&site=SITE&pagesize=1–100&page=1–&order=desc&sort=relevance&filter=withbody`

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::http_provider;
use crate::fetch::api::ApiRequest;
use crate::search::ask::Endpoint;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::read::{self, text};
use crate::search::reply::{Draft, Drafts, Reply};

/// The most results one page gives.
const PAGE: usize = 100;
/// The site that is searched unless another is set.
const SITE: &str = "stackoverflow";
/// The most words that are sent: it wants all of them.
const WORDS: usize = 5;
/// The longest rest that is taken seriously.
const BACKOFF_MAX: u64 = 3_600;

/// Stack Exchange.
#[derive(Debug)]
pub struct StackExchange {
    endpoint: Endpoint,
}

http_provider!(StackExchange, ProviderName::StackExchange);

impl StackExchange {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let mut request = ApiRequest::get(&self.endpoint.at("/2.3/search/advanced")?)
            .query("q", query.keywords(WORDS).join(" "))
            .query("site", self.endpoint.engine().unwrap_or(SITE))
            .query("pagesize", query.limit().min(PAGE).to_string())
            .query("page", "1")
            .query("order", "desc")
            .query("sort", "relevance")
            .query("filter", "withbody");
        for (name, day) in [("fromdate", query.filters().since), ("todate", query.filters().until)]
        {
            let at = day.and_then(|day| day.to_zoned(TimeZone::UTC).ok());
            if let Some(at) = at {
                request = request.query(name, at.timestamp().as_second().to_string());
            }
        }
        let asking = self.endpoint.begin();
        let reply = asking.ask(request.secret_query("key", self.endpoint.key())).await?;
        if let Some(rest) = rest(&reply.body) {
            asking.leave_alone(rest);
        }
        parse(&reply.body, self.endpoint.today())
    }
}

/// How long it asks to be left alone, inside a reply that succeeded.
fn rest(body: &[u8]) -> Option<Duration> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let seconds = value.get("backoff")?.as_u64()?;
    Some(Duration::from_secs(seconds.min(BACKOFF_MAX)))
}

/// Reads a reply.
///
/// # Errors
/// When the reply is not JSON with a list of questions.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    let said = text(&value, "error_message");
    if !said.is_empty() {
        return Err(SearchError::reported(said));
    }
    let mut drafts = Drafts::new(ProviderName::StackExchange.as_str());
    for item in drafts.objects(read::list(&value, "/items")?) {
        let asked = item.get("creation_date").and_then(Value::as_i64);
        let day = asked.and_then(|at| Timestamp::from_second(at).ok());
        let day = day.map(|at| at.to_zoned(TimeZone::UTC).date());
        drafts.push(&Draft {
            url: text(item, "link"),
            title: text(item, "title"),
            snippet: text(item, "body"),
            published: day.filter(|day| day.year() >= 2008 && *day <= today),
        });
    }
    Ok(drafts.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rest_is_read_from_a_reply_and_bounded() {
        assert_eq!(rest(b"{\"items\": [], \"backoff\": 10}"), Some(Duration::from_secs(10)));
        assert_eq!(rest(b"{\"backoff\": 99999999}"), Some(Duration::from_secs(BACKOFF_MAX)));
        assert_eq!(rest(b"{\"items\": []}"), None);
    }
}
