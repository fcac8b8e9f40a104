//! Asks a language model how relevant articles are to a category, several at a time.
//!
//! ```text
//! articles → prompt (cleaned, fenced) → call (metered, within its deadline) → values that can be believed
//! ```
//!
//! Nothing is taken on trust: a number that was not asked for, named twice or out of range is no
//! answer, and an article without one keeps the embedded analyst's value. An article that speaks to
//! models can only lower its own value.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use futures::future::join_all;
use probity_core::ArticleId;
use probity_model::call::Outcome;
use probity_model::meter::Spent;
use probity_model::prompt::{Prompts, RULES};
use probity_model::schema::{self, integer, list, object};
use probity_model::untrusted::quarantine;
use probity_model::{Limits, Meter, ModelSet, Reply, Request, Schema, Task, json, tokens};
use probity_store::topics::{Category, Unjudged};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::Instant;

use crate::settings::NewsSettings;

/// The task whose model judges articles.
const TASK: Task = Task::Score;
/// How long one call may take.
const CALL: Duration = Duration::from_secs(30);
/// How many calls are in progress at once.
const AT_ONCE: usize = 4;
/// After this many calls that failed, the model is skipped until the next turn.
const FAILURES: usize = 3;
/// The longest headline and the longest summary that are shown, in tokens.
const TITLE: usize = 60;
const SUMMARY: usize = 150;
/// The most words of a category's that are shown, of each kind, and how long each, in tokens.
const WORDS: usize = 40;
const WORD: usize = 60;
const DESCRIPTION: usize = 400;
/// What one article takes in a request at most, fences included; half of a window is for articles.
const PER_ARTICLE: usize = TITLE + SUMMARY + 40;

static PROMPTS: LazyLock<Result<Prompts, String>> = LazyLock::new(|| {
    let files = [("relevance", include_str!("../../prompts/relevance.txt"))];
    Prompts::new(RULES, &files).map_err(|error| error.to_string())
});

/// A language model that judges articles, and what it may spend in one turn of the consolidator.
pub struct Judge {
    model_set: ModelSet,
    limits: Limits,
}

impl Judge {
    /// A judge by these models and limits.
    pub fn new(model_set: ModelSet, limits: Limits) -> Self {
        Self { model_set, limits }
    }

    /// What the judge may do in a turn.
    pub(super) fn begin(&self, settings: &NewsSettings) -> Sitting<'_> {
        let fits = self.model_set.window(TASK) / 2 / PER_ARTICLE;
        Sitting {
            model_set: &self.model_set,
            meter: Meter::new(self.limits, Spent::default()),
            batch: settings.model_batch.min(fits).max(1),
            left: settings.model_articles,
            failures: 0,
        }
    }
}

/// What a model made of an article.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Opinion {
    /// From 0 to 1.
    pub(super) value: f64,
    /// Who said so.
    pub(super) by: String,
}

/// A judge at work in one turn: how much it may still be asked.
pub(super) struct Sitting<'a> {
    model_set: &'a ModelSet,
    meter: Meter,
    batch: usize,
    left: usize,
    failures: usize,
}

impl Sitting<'_> {
    /// What the model makes of articles, which come with the embedded analyst's values. Those that
    /// these values are least sure of go first where not all can be asked about.
    pub(super) async fn opinions(
        &mut self,
        category: &Category,
        articles: &[(Unjudged, f64)],
    ) -> BTreeMap<ArticleId, Opinion> {
        let mut asked: Vec<&(Unjudged, f64)> = articles.iter().collect();
        if asked.len() > self.left {
            let doubt = |value: f64| (value - 0.5).abs();
            asked.sort_by(|a, b| doubt(a.1).total_cmp(&doubt(b.1)).then(a.0.id.cmp(&b.0.id)));
            asked.truncate(self.left);
            asked.sort_by_key(|(article, _)| article.id);
        }
        let mut found = BTreeMap::new();
        let batches: Vec<&[&(Unjudged, f64)]> = asked.chunks(self.batch).collect();
        for wave in batches.chunks(AT_ONCE) {
            if self.failures >= FAILURES {
                break;
            }
            self.left = self.left.saturating_sub(wave.iter().map(|batch| batch.len()).sum());
            for answer in join_all(wave.iter().map(|batch| self.ask(category, batch))).await {
                match answer {
                    Ok(opinions) => found.extend(opinions),
                    Err(problem) => {
                        self.failures += 1;
                        let problem = probity_core::printable::brief(&problem, 200);
                        tracing::warn!(category = category.id.0, %problem, "a model did not judge");
                    }
                }
            }
        }
        found
    }

    async fn ask(
        &self,
        category: &Category,
        batch: &[&(Unjudged, f64)],
    ) -> Result<Vec<(ArticleId, Opinion)>, String> {
        let request = self.request(category, batch)?;
        let deadline = Instant::now() + CALL;
        let paid = self.model_set.pay(TASK, &request, &self.meter, deadline, &|_: &str| {}).await;
        match paid.settled().await {
            Outcome::Replied { reply, .. } => read(&reply, batch),
            Outcome::Failed { error, .. } => Err(error.to_string()),
            Outcome::Refused(limit) => Err(format!("the limit of {limit} is reached")),
        }
    }

    fn request(&self, category: &Category, batch: &[&(Unjudged, f64)]) -> Result<Request, String> {
        let prompts = PROMPTS.as_ref().map_err(Clone::clone)?;
        let values = Values {
            category: ShownCategory::of(category),
            articles: batch.iter().enumerate().map(|(at, one)| shown(at + 1, &one.0)).collect(),
        };
        let request = prompts.request("relevance", TASK, values, Some(shape()));
        let mut request = request.map_err(|error| error.to_string())?;
        request.max_output_tokens = self.model_set.output(TASK, request.max_output_tokens);
        Ok(request)
    }
}

/// What the prompt is filled with. Texts are cleaned here and escaped by the prompt.
#[derive(Serialize)]
struct Values {
    category: ShownCategory,
    articles: Vec<ShownArticle>,
}

#[derive(Serialize)]
struct ShownCategory {
    name: String,
    description: String,
    keywords: Vec<String>,
    examples: Vec<String>,
}

impl ShownCategory {
    fn of(category: &Category) -> Self {
        let words = |list: &[String]| list.iter().take(WORDS).map(|one| line(one, WORD)).collect();
        Self {
            name: line(&category.name, WORD),
            description: line(&category.description, DESCRIPTION),
            keywords: words(&category.keywords),
            examples: words(&category.examples),
        }
    }
}

#[derive(Serialize)]
struct ShownArticle {
    number: usize,
    title: String,
    summary: String,
}

fn shown(number: usize, article: &Unjudged) -> ShownArticle {
    ShownArticle {
        number,
        title: line(&quarantine(&article.title).text, TITLE),
        summary: line(&quarantine(&article.summary).text, SUMMARY),
    }
}

/// A text on one line, no longer than this many tokens.
fn line(text: &str, most: usize) -> String {
    tokens::clip(text.trim(), most).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shape() -> Schema {
    let keys = [
        ("article", integer("the article's number")),
        ("relevance", integer("its relevance, 0 to 100")),
    ];
    let judged = list(object(&keys), "every article, once");
    Schema { name: "relevance".to_owned(), schema: object(&[("judged", judged)]) }
}

#[derive(Deserialize)]
struct Answer {
    judged: Vec<One>,
}

#[derive(Deserialize)]
struct One {
    article: i64,
    relevance: i64,
}

/// The values of a reply that can be believed.
fn read(reply: &Reply, batch: &[&(Unjudged, f64)]) -> Result<Vec<(ArticleId, Opinion)>, String> {
    // Made whole, 0.85 would be 1 of 100.
    if json::candidates(&reply.text).iter().any(|value| has_fraction(value, DEPTH)) {
        return Err("the answer holds fractions where whole numbers were asked for".to_owned());
    }
    let value = schema::read(&reply.text, &shape(), &["judged"])?;
    let answer: Answer = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let mut by_number: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
    for one in &answer.judged {
        if let Ok(number) = usize::try_from(one.article) {
            by_number.entry(number).or_default().push(one.relevance);
        }
    }
    let opinion = |(at, one): (usize, &&(Unjudged, f64))| {
        let (article, embedded) = *one;
        // What is said twice in two ways is not said.
        let said = by_number.get(&(at + 1)).map(Vec::as_slice);
        let Some([value @ 0..=100, rest @ ..]) = said else { return None };
        if rest.iter().any(|other| other != value) {
            return None;
        }
        let value = *value as f64 / 100.0;
        let value = if speaks_to_models(article) { value.min(*embedded) } else { value };
        Some((article.id, Opinion { value, by: reply.model.clone() }))
    };
    let found: Vec<(ArticleId, Opinion)> = batch.iter().enumerate().filter_map(opinion).collect();
    match found.is_empty() {
        true => Err("none of the articles was judged".to_owned()),
        false => Ok(found),
    }
}

/// How deep an answer is searched for fractions.
const DEPTH: usize = 4;

fn has_fraction(value: &Value, depth: usize) -> bool {
    let Some(below) = depth.checked_sub(1) else { return false };
    match value {
        Value::Number(number) => number.as_f64().is_some_and(|number| number.fract() != 0.0),
        Value::Array(list) => list.iter().any(|one| has_fraction(one, below)),
        Value::Object(map) => map.values().any(|one| has_fraction(one, below)),
        _ => false,
    }
}

/// Whether anything of an article speaks to a model.
fn speaks_to_models(article: &Unjudged) -> bool {
    [&article.title, &article.summary].iter().any(|text| quarantine(text).removed > 0)
}
