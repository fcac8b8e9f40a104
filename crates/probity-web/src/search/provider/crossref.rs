//! Crossref: the registry of DOIs, whose records publishers write.
//!
//! `GET {base}/works?query.bibliographic=…&rows=…&select=…&mailto=…`

use jiff::civil::Date;
use probity_core::retraction;
use serde_json::Value;

use super::http_provider;
use crate::fetch::api::ApiRequest;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::read::{self, first_of, text, text_at};
use crate::search::reply::{Draft, Drafts, Reply};

/// What is asked for of each work.
const FIELDS: &str = "DOI,URL,title,subtitle,abstract,container-title,published,published-online,published-print,issued,resource";
/// Where a work's date may stand, the first public appearance first.
const DATES: [&str; 4] = ["published-online", "published", "issued", "published-print"];

/// Crossref.
#[derive(Debug)]
pub struct Crossref {
    endpoint: Endpoint,
}

http_provider!(Crossref, ProviderName::Crossref);

impl Crossref {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let mut request = ApiRequest::get(&self.endpoint.at("/works")?)
            .query("query.bibliographic", query.text())
            .query("rows", query.limit().to_string())
            .query("select", FIELDS)
            .header("accept", "application/json");
        if let Some((since, until)) = query.filters().days(self.endpoint.today()) {
            request =
                request.query("filter", format!("from-pub-date:{since},until-pub-date:{until}"));
        }
        if let Some(address) = self.endpoint.mailto() {
            request = request.query("mailto", address);
        }
        self.endpoint.once(query, request, parse).await
    }
}

/// Reads a page of works.
///
/// # Errors
/// When the reply is not JSON with a list of works.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    if text(&value, "status") == "failed" {
        return Err(SearchError::reported(
            read::said(&value).as_deref().unwrap_or("no reason given"),
        ));
    }
    let mut drafts = Drafts::new(ProviderName::Crossref.as_str());
    for item in drafts.objects(read::list(&value, "/message/items")?) {
        drafts.push(&Draft {
            // The publisher's own page says whose it is; a DOI says only that it is registered.
            url: first_of(&[text_at(item, "/resource/primary/URL"), text(item, "URL")]),
            title: &title(item),
            snippet: first_of(&[&summary(item), first(item, "container-title")]),
            published: DATES.iter().find_map(|field| published(item, field, today)),
        });
    }
    Ok(drafts.finish())
}

fn title(item: &Value) -> String {
    let title = match (first(item, "title"), first(item, "subtitle")) {
        (title, "") => title.to_owned(),
        ("", subtitle) => subtitle.to_owned(),
        (title, subtitle) => format!("{title}: {subtitle}"),
    };
    if is_retracted(item) { retraction::mark(&title) } else { title }
}

/// Whether a later notice takes the work back.
fn is_retracted(item: &Value) -> bool {
    let updates = item.get("updated-by").and_then(Value::as_array).into_iter().flatten();
    updates.into_iter().any(|update| matches!(text(update, "type"), "retraction" | "removal"))
}

/// The abstract without its heading, which only says that it is one.
fn summary(item: &Value) -> String {
    text(item, "abstract").replace("<jats:title>Abstract</jats:title>", "")
}

/// The first text of a field that is a list of texts.
fn first<'a>(item: &'a Value, field: &str) -> &'a str {
    item.get(field).and_then(|list| list.get(0)).and_then(Value::as_str).unwrap_or_default()
}

/// The day in `{"date-parts": [[2026, 3, 5]]}`; a month or a year alone is no day.
fn published(item: &Value, field: &str, today: Date) -> Option<Date> {
    let parts = item.get(field)?.get("date-parts")?.get(0)?;
    let part = |index: usize| parts.get(index).and_then(Value::as_i64);
    day::from_parts(part(0)?, part(1)?, part(2)?, today)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_work_that_a_notice_takes_back_is_marked_before_its_title() {
        let work = |title: &str, kind: &str| json!({"title": [title], "updated-by": [{"type": kind, "DOI": "10.5555/notice", "source": "retraction-watch"}]});
        assert_eq!(title(&work("Tides", "retraction")), "RETRACTED: Tides");
        assert_eq!(title(&work("Tides", "correction")), "Tides");
        assert_eq!(
            title(&json!({"title": ["Tides"], "subtitle": ["And noise"]})),
            "Tides: And noise"
        );
    }
}
