//! OpenAlex: an open index of scholarly works.
//!
//! `GET {base}/works?search=…&per_page=1–100&select=…&mailto=…&api_key=KEY`

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

/// The most results one request gives.
const PAGE: usize = 100;
/// The most words of an abstract that are put back in order.
const ABSTRACT_WORDS: usize = 1_000;
/// What is asked for of each work: a whole one is hundreds of lines.
const FIELDS: &str = "id,doi,display_name,publication_date,is_retracted,primary_location,best_oa_location,abstract_inverted_index";

/// OpenAlex.
#[derive(Debug)]
pub struct Openalex {
    endpoint: Endpoint,
}

http_provider!(Openalex, ProviderName::Openalex);

impl Openalex {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let mut request = ApiRequest::get(&self.endpoint.at("/works")?)
            .query("search", plain_words(query.text()))
            .query("per_page", query.limit().min(PAGE).to_string())
            .query("select", FIELDS)
            .header("accept", "application/json");
        if let Some((since, until)) = query.filters().days(self.endpoint.today()) {
            let days = format!("from_publication_date:{since},to_publication_date:{until}");
            request = request.query("filter", days);
        }
        if let Some(address) = self.endpoint.mailto() {
            request = request.query("mailto", address);
        }
        self.endpoint.once(query, request.secret_query("api_key", self.endpoint.key()), parse).await
    }
}

/// The words without the wildcards of its query language, which a question mark would be.
fn plain_words(text: &str) -> String {
    let spaced = text.replace(['?', '*', '~', '"', '(', ')', '|', '!'], " ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads a page of works.
///
/// # Errors
/// When the reply is not JSON with a list of works.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    let mut drafts = Drafts::new(ProviderName::Openalex.as_str());
    for item in drafts.objects(read::list(&value, "/results")?) {
        let summary = item.get("abstract_inverted_index").map(in_order).unwrap_or_default();
        drafts.push(&Draft {
            url: first_of(&[
                text_at(item, "/primary_location/landing_page_url"),
                text(item, "doi"),
                text_at(item, "/best_oa_location/landing_page_url"),
                text_at(item, "/best_oa_location/pdf_url"),
                text(item, "id"),
            ]),
            title: &title(item),
            snippet: &summary,
            published: day::parse(text(item, "publication_date"), today),
        });
    }
    Ok(drafts.finish())
}

/// The title, which says so where the work is retracted.
fn title(item: &Value) -> String {
    let title = first_of(&[text(item, "display_name"), text(item, "title")]);
    match item.get("is_retracted").and_then(Value::as_bool) {
        Some(true) => retraction::mark(title),
        _ => title.to_owned(),
    }
}

/// An abstract from its index of word → places. Places that are no numbers are skipped.
fn in_order(index: &Value) -> String {
    let mut words: Vec<(u64, &str)> = index
        .as_object()
        .into_iter()
        .flatten()
        .flat_map(|(word, places)| {
            let places = places.as_array().into_iter().flatten().filter_map(Value::as_u64);
            places.map(move |place| (place, word.as_str()))
        })
        .collect();
    words.sort_unstable();
    words.truncate(ABSTRACT_WORDS);
    words.into_iter().map(|(_, word)| word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_retracted_work_is_marked_before_its_title() {
        let work = |title: &str, retracted: Value| json!({"display_name": title, "is_retracted": retracted, "doi": format!("https://doi.org/10.5555/{title}")});
        let body = json!({"results": [
            work("Tides", json!(true)),
            work("RETRACTED: Waves", json!(true)),
            work("Noise", json!(false)),
            work("Wind", json!("true")),
        ]});
        let today = Date::constant(2026, 11, 15);
        let titles: Vec<String> = parse(body.to_string().as_bytes(), today)
            .unwrap()
            .hits
            .into_iter()
            .map(|hit| hit.title)
            .collect();
        assert_eq!(titles, ["RETRACTED: Tides", "RETRACTED: Waves", "Noise", "Wind"]);
    }

    #[test]
    fn an_abstract_is_put_back_in_order() {
        let index = json!({"noise": [1, 4], "Harbour": [0], "is": [2], "mostly": [3], "x": "no places", "y": [-1, 2.5, null]});
        assert_eq!(in_order(&index), "Harbour noise is mostly noise");
        assert_eq!(in_order(&json!(null)), "");
        assert_eq!(in_order(&json!({"far": [u64::MAX], "near": [7]})), "near far");
    }
}
