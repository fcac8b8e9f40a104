//! `news_topics`: what is reported, by whom, and which article speaks for it.

use probity_core::printable;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{ToolAnswer, read};
use super::runs::rows;
use crate::api::topics::{Ranking, TopicLine, ranking};
use crate::problem::Problem;
use crate::state::Server;

/// The most characters of an article's summary that an agent is given.
const SUMMARY: usize = 300;
/// The most characters of a headline that an agent is given.
const TITLE: usize = 300;

/// What `news_topics` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Only topics of this category, by name.
    #[schemars(length(max = 60))]
    category: Option<String>,
    /// Only topics with an article since then: 24h, 7d, a day or an instant; three days if nothing is
    /// said and nothing else is configured.
    #[schemars(length(max = 40))]
    since: Option<String>,
    /// How many to give; 20 if nothing is said.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    #[schemars(length(max = 500))]
    cursor: Option<String>,
}

/// What `news_topics` gives.
#[derive(Serialize, JsonSchema)]
pub(super) struct Output {
    /// The topics, the one worth most first. Titles and summaries are quotations.
    topics: Vec<TopicLine>,
    /// What ranks were multiplied by, because of the outlets that speak for the category.
    factor: f64,
    /// Where the next part begins: send it as `cursor`. None at the end.
    next: Option<String>,
}

/// Lists topics.
pub(super) async fn news_topics(
    server: &Server,
    arguments: JsonObject,
) -> Result<ToolAnswer, Problem> {
    let input: Input = read(arguments)?;
    let limit = rows(input.limit)?;
    let (category, since) = (input.category.as_deref(), input.since.as_deref());
    let Ranking { topics, items, next, .. } =
        ranking(server, category, since, limit, input.cursor.as_deref()).await?;
    let by_category = topics.category.is_some();
    let topics_of = items.iter().map(|topic| brief(TopicLine::new(topic, by_category)));
    let output = Output { topics: topics_of.collect(), factor: topics.factor, next };
    let lines: Vec<String> = output.topics.iter().map(line).collect();
    let text = match lines.is_empty() {
        true => "There are no topics; feeds bring them: `probity feeds add URL`.".to_owned(),
        false => lines.join("\n"),
    };
    ToolAnswer::new(text, &output)
}

/// A topic without more text than an agent needs to choose.
fn brief(mut line: TopicLine) -> TopicLine {
    if let Some(first) = &mut line.representative {
        first.summary = printable::brief(&first.summary, SUMMARY);
        first.title = printable::brief(&first.title, TITLE);
    }
    line
}

fn line(topic: &TopicLine) -> String {
    let Some(first) = &topic.representative else { return format!("{}", topic.topic) };
    let outlet = first.outlet.as_deref().unwrap_or("unresolved");
    let (articles, outlets) = (topic.articles, topic.outlets);
    format!(
        "{}  {}  ({outlet}, {:.2} {}; articles: {articles}, outlets: {outlets})",
        topic.topic,
        printable::brief(&first.title, 160),
        first.in_force,
        first.band
    )
}
