//! The shapes of answers, and what is made of them: only what the sources could have said.

mod page;
mod plan;
mod report;

use probity_model::schema::{self, list, object, one_of, string};
use probity_model::untrusted::unescape;
use probity_model::{Reply, Schema};
use probity_report::check::Support;
use probity_report::draft::Shortfall;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::urls::without_strange_urls;

pub(super) use page::{FACTS, score, score_schema, scores, scores_schema, summary, summary_schema};
pub(super) use plan::{PromptParts, gaps, gaps_schema, plan, plan_schema};
pub(super) use report::{
    Cited, draft, draft_schema, lead, lead_schema, outline, outline_schema, section, section_schema,
};

/// The longest sentence that is taken over, in characters.
const SENTENCE_CHARS: usize = 1_200;
/// The longest reason of a score, in characters.
const WHY_CHARS: usize = 400;

fn named(name: &str, schema: Value) -> Schema {
    Schema { name: name.to_owned(), schema }
}

fn typed<T: DeserializeOwned>(
    reply: &Reply,
    schema: &Schema,
    needed: &[&str],
) -> Result<T, String> {
    let value = schema::read(&reply.text, schema, needed)?;
    serde_json::from_value(value).map_err(|error| error.to_string())
}

pub(super) fn shortfall_schema() -> Schema {
    let keys = [
        ("headline", string("what could not be answered")),
        ("account", list(string("one sentence"), "four to seven sentences")),
        ("better_queries", list(string("a search query"), "one or two")),
        ("elsewhere", string("where better information may be")),
    ];
    named("shortfall", object(&keys))
}

pub(super) fn shortfall(reply: &Reply) -> Result<Shortfall, String> {
    let read: Shortfall = typed(reply, &shortfall_schema(), &["account", "elsewhere"])?;
    let plain = |text: &String| {
        let text = without_strange_urls(&unescape(text), "");
        probity_core::printable::brief(text.trim(), SENTENCE_CHARS)
    };
    Ok(Shortfall {
        headline: plain(&read.headline),
        account: read.account.iter().take(12).map(plain).collect(),
        better_queries: read.better_queries.iter().take(2).map(plain).collect(),
        elsewhere: plain(&read.elsewhere),
    })
}

pub(super) fn check_schema() -> Schema {
    let words = ["supported", "partly", "unsupported"];
    named("check", object(&[("support", one_of(&words, "the verdict"))]))
}

pub(super) fn check(reply: &Reply) -> Result<Support, String> {
    #[derive(Deserialize)]
    struct Read {
        support: Support,
    }
    let read: Read = typed(reply, &check_schema(), &["support"])?;
    Ok(read.support)
}
