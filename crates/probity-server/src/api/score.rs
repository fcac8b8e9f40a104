//! What a page would be worth before it is fetched.

use axum::extract::State;
use probity_core::{Outlet, WebUrl};
use probity_credibility::{Discovery, Question};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Reply, json};
use crate::problem::Problem;
use crate::read::Json;
use crate::state::Server;
use crate::worth;

/// The longest title or excerpt, in bytes.
const TEXT_BYTES: usize = 32 * 1024;

/// A page to be scored.
#[derive(Deserialize, ToSchema, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// Its address.
    #[schema(example = "https://www.reuters.com/world/")]
    #[schemars(length(max = 2048))]
    pub(crate) url: String,
    /// The question it is scored against.
    #[schema(min_length = 3, max_length = 2000)]
    #[schemars(length(min = 3, max = 2000))]
    question: String,
    /// A query that found it: relevance is the better of its share and the question's.
    #[serde(default)]
    query: Option<String>,
    /// Its title, as a search would give it.
    #[serde(default)]
    title: String,
    /// Its excerpt, as a search would give it.
    #[serde(default)]
    snippet: String,
    /// The day it was published.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Date)]
    #[schemars(with = "Option<String>")]
    date: Option<jiff::civil::Date>,
}

/// A page's score, part by part.
#[derive(Serialize, ToSchema, JsonSchema)]
pub struct Scored {
    /// The address.
    pub url: String,
    /// Its host.
    pub host: String,
    /// Whose page it is.
    pub outlet: Option<String>,
    /// The tier of its host.
    #[schema(value_type = String)]
    #[schemars(with = "String")]
    pub tier: probity_credibility::Tier,
    /// Its publisher's authority.
    pub authority: f64,
    /// Whether that comes from the ledger, from editors who moved the tier, or from the tier.
    #[schema(value_type = String)]
    #[schemars(with = "String")]
    pub authority_source: probity_credibility::AuthoritySource,
    /// The better of the shares of the question's and the query's words in title and excerpt.
    pub relevance: f64,
    /// The share of the question's words.
    pub relevance_to_question: f64,
    /// The share of the query's words; none without a query.
    pub relevance_to_query: Option<f64>,
    /// What recency adds.
    pub recency: f64,
    /// The weighted sum.
    pub score: f64,
    /// Whether a run would not download it.
    pub blocked: bool,
    /// The sum in words.
    pub explanation: String,
}

/// Explains what a page would be worth before it is fetched.
#[utoipa::path(post, path = "/api/score", tag = "score", request_body = Page,
    responses((status = 200, body = Scored)))]
pub(crate) async fn score(State(server): State<Server>, Json(page): Json<Page>) -> Reply {
    Ok(json(&scored(&server, &page).await?))
}

/// Scores a page.
pub(crate) async fn scored(server: &Server, page: &Page) -> Result<Scored, Problem> {
    let question = Question::new(&page.question)
        .map_err(|error| Problem::field("question", error.to_string()))?;
    let url = WebUrl::parse(&page.url).map_err(|error| Problem::field("url", error.to_string()))?;
    let query = page.query.as_deref().unwrap_or_default();
    let texts = [("query", query), ("title", &page.title), ("snippet", &page.snippet)];
    for (field, text) in texts {
        if text.len() > TEXT_BYTES {
            return Err(Problem::field(field, format!("at most {TEXT_BYTES} bytes are accepted")));
        }
    }
    let mut scorer = worth::scorer(server)?;
    let outlets: Vec<Outlet> = scorer.outlet_of(&url).into_iter().collect();
    scorer.learn(server.store.known_of(&outlets, scorer.policy()).await?);
    let mut scorer = scorer.for_question(question.as_str()).found_by(page.query.as_deref());
    let assessment = scorer.assess(Discovery {
        url: &url,
        title: &page.title,
        snippet: &page.snippet,
        published: page.date,
    });
    let given = probity_credibility::Scored::new(&url, &assessment);
    Ok(Scored {
        url: given.url.to_owned(),
        host: given.host.to_owned(),
        outlet: given.outlet.map(str::to_owned),
        tier: given.tier,
        authority: given.authority,
        authority_source: given.authority_source,
        relevance: given.relevance,
        relevance_to_question: given.relevance_to_question,
        relevance_to_query: given.relevance_to_query,
        recency: given.recency,
        score: given.score,
        blocked: given.blocked,
        explanation: assessment.explanation(),
    })
}
