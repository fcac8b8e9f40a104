//! Outlets: what they are worth, how that came about, and saying otherwise.

use axum::extract::State;
use probity_core::limits::NAME_CHARS;
use probity_core::{Band, Outlet, WebUrl};
use probity_credibility::ledger::{
    Alpha, CodeName, CodingRequest, Credibility, LedgerEvent, Signature, Subject,
};
use probity_credibility::outlet::Resolver;
use probity_store::ledger::{EventQuery, Intent, Newcomer, OutletEntry, OutletOrder, OutletQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::ledger::{Change, EventView, Signed, instant};
use super::uses::{self, LookAlikeView, UseView};
use super::{Cursor, Listed, Reply, json, rows};
use crate::access::Caller;
use crate::problem::Problem;
use crate::read::{Json, Part, Query, texts};
use crate::state::Server;
use crate::worth::{self, Research};

/// An outlet as it is.
#[derive(Serialize, ToSchema, JsonSchema)]
pub struct OutletView {
    /// Its domain.
    pub outlet: String,
    /// Its name, where one is known.
    pub name: Option<String>,
    /// Its score.
    pub score: f64,
    /// How to read the score.
    pub band: &'static str,
    /// The score it was seeded with.
    pub seeded_score: Option<f64>,
    /// When the ledger first knew it; none where it does not know it.
    pub first_seen: Option<String>,
    /// How many events moved it.
    pub events: i64,
    /// The number of its last event.
    pub last_event: Option<i64>,
}

impl From<OutletEntry> for OutletView {
    fn from(entry: OutletEntry) -> Self {
        Self {
            outlet: entry.outlet.as_str().to_owned(),
            name: entry.name,
            score: entry.score,
            band: Band::of(entry.score).words(),
            seeded_score: entry.seeded,
            first_seen: Some(instant(entry.first_seen)),
            events: entry.events,
            last_event: entry.last_event,
        }
    }
}

impl OutletView {
    /// An outlet as it is, also where the ledger does not know it: then it is neutral.
    pub fn of(outlet: &Outlet, entry: Option<OutletEntry>) -> Self {
        let score = Credibility::NEUTRAL.get();
        let unknown = || Self {
            outlet: outlet.as_str().to_owned(),
            name: None,
            score,
            band: Band::of(score).words(),
            seeded_score: None,
            first_seen: None,
            events: 0,
            last_event: None,
        };
        entry.map_or_else(unknown, Self::from)
    }
}

/// One outlet, with its authority in research.
#[derive(Serialize, ToSchema)]
pub struct OutletShown {
    /// The outlet as the ledger and the newsroom have it.
    #[serde(flatten)]
    pub outlet: OutletView,
    /// Its authority in research.
    pub research: Research,
    /// Why research and newsroom differ, where they do.
    pub difference: Option<&'static str>,
    /// The latest runs that met its pages, among the last 200 reports.
    pub runs: Vec<UseView>,
    /// Outlets that are easily taken for it.
    pub look_alikes: Vec<LookAlikeView>,
}

/// What a list of outlets is sorted by.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The highest score first.
    #[default]
    Score,
    /// By domain.
    Domain,
    /// The latest change first.
    Changed,
    /// The most events first.
    Events,
}

impl From<Order> for OutletOrder {
    fn from(order: Order) -> Self {
        match order {
            Order::Score => OutletOrder::Score,
            Order::Domain => OutletOrder::Domain,
            Order::Changed => OutletOrder::Changed,
            Order::Events => OutletOrder::Events,
        }
    }
}

/// Which outlets to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only those with this text in domain or name.
    #[param(max_length = 200)]
    text: Option<String>,
    /// Only those with at least this score.
    #[serde(default, deserialize_with = "texts::optional")]
    at_least: Option<f64>,
    /// Only those with a score below this.
    #[serde(default, deserialize_with = "texts::optional")]
    below: Option<f64>,
    /// What to sort by.
    #[param(inline)]
    order: Option<Order>,
    /// The other way round.
    #[serde(default, deserialize_with = "texts::optional")]
    reversed: Option<bool>,
    /// How many to give.
    #[param(minimum = 1, maximum = 200)]
    #[serde(default, deserialize_with = "texts::optional")]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    cursor: Option<String>,
}

/// Lists outlets. A change between two parts may shift what the next one shows.
#[utoipa::path(get, path = "/api/outlets", tag = "outlets", params(ListParams),
    responses((status = 200, body = Listed<OutletView>)))]
pub(crate) async fn list(State(server): State<Server>, Query(asked): Query<ListParams>) -> Reply {
    let limit = rows(asked.limit)?;
    if asked.text.as_ref().is_some_and(|text| text.chars().count() > NAME_CHARS) {
        return Err(Problem::field(
            "text",
            format!("at most {NAME_CHARS} characters are searched for"),
        ));
    }
    let offset = Cursor::read::<i64>(asked.cursor.as_deref())?.unwrap_or(0).max(0);
    let query = OutletQuery {
        text: asked.text,
        at_least: asked.at_least,
        below: asked.below,
        order: asked.order.unwrap_or_default().into(),
        reversed: asked.reversed.unwrap_or(false),
        limit: Some(limit + 1),
        offset,
    };
    let page = server.store.outlets(&query).await?;
    let items: Vec<OutletView> = page.items.into_iter().map(OutletView::from).collect();
    Ok(json(&Listed::cut(items, limit, |_| Cursor::write(&(offset + limit)))))
}

/// Reads a domain as the ledger keeps it: `bbc.co.uk` is `bbc.com`.
pub(crate) fn resolve(server: &Server, text: &str) -> Result<Outlet, Problem> {
    let named = Outlet::new(text).map_err(|error| Problem::not_found(error.to_string()))?;
    let resolver = resolver(server)?;
    let home = WebUrl::parse(&format!("https://{named}/")).ok();
    let kept = home.and_then(|url| resolver.outlet_of(&url));
    kept.ok_or_else(|| Problem::not_found(format!("{named} is not a registrable domain")))
}

pub(crate) fn resolver(server: &Server) -> Result<Resolver, Problem> {
    let constants = server.backend.constants();
    Resolver::new(&constants.policy.outlets).map_err(|error| Problem::internal(&error))
}

/// Shows an outlet, also one that the ledger does not know: what would apply to it.
#[utoipa::path(get, path = "/api/outlets/{outlet}", tag = "outlets",
    params(("outlet" = String, Path, description = "The outlet's domain", example = "reuters.com")),
    responses((status = 200, body = OutletShown)))]
pub(crate) async fn show(State(server): State<Server>, Part(outlet): Part) -> Reply {
    let outlet = resolve(&server, &outlet)?;
    let entry = server.store.outlet(&outlet).await?;
    let authority = worth::now(&server, &outlet).await?;
    let (runs, look_alikes) =
        tokio::try_join!(uses::runs(&server, &outlet), uses::look_alikes(&server, &outlet))?;
    let outlet = OutletView::of(&outlet, entry);
    let difference = authority.difference(outlet.score);
    let research = authority.into();
    Ok(json(&OutletShown { outlet, research, difference, runs, look_alikes }))
}

/// Which events to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct EventParams {
    /// How many to give.
    #[param(minimum = 1, maximum = 200)]
    #[serde(default, deserialize_with = "texts::optional")]
    pub(crate) limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    pub(crate) cursor: Option<String>,
}

/// Lists what moved an outlet, the latest first.
#[utoipa::path(get, path = "/api/outlets/{outlet}/events", tag = "outlets",
    params(("outlet" = String, Path, description = "The outlet's domain"), EventParams),
    responses((status = 200, body = Listed<EventView>)))]
pub(crate) async fn events(
    State(server): State<Server>,
    Part(outlet): Part,
    Query(asked): Query<EventParams>,
) -> Reply {
    let outlet = resolve(&server, &outlet)?;
    let limit = rows(asked.limit)?;
    Ok(json(&history(&server, Some(outlet), limit, asked.cursor.as_deref()).await?))
}

/// What moved an outlet, or all of them, the latest first.
pub(crate) async fn history(
    server: &Server,
    outlet: Option<Outlet>,
    limit: i64,
    cursor: Option<&str>,
) -> Result<Listed<EventView>, Problem> {
    let after = Cursor::read(cursor)?;
    let query = EventQuery { outlet, after, newest_first: true, limit: Some(limit + 1) };
    let items: Vec<EventView> =
        server.store.events(&query).await?.iter().map(EventView::new).collect();
    Ok(Listed::cut(items, limit, |last| last.seq.as_ref().and_then(Cursor::write)))
}

/// Codes to be applied.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CodingBody {
    /// Codes from the codebook.
    #[schema(min_items = 1, max_items = 20, example = json!(["high-quality-source"]))]
    pub codes: Vec<String>,
    /// The address of the article that was read.
    #[serde(default)]
    pub url: Option<String>,
    /// The run in whose report the address was a source.
    #[serde(default)]
    #[schema(max_length = 100)]
    pub run: Option<String>,
    /// How far the score moves towards its target; the configured step by default.
    #[serde(default)]
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub alpha: Option<f64>,
    /// Who does it, how, and why.
    #[serde(flatten)]
    pub signed: Signed,
}

/// Applies codes to an outlet, an article of its, or a source of a report.
#[utoipa::path(post, path = "/api/outlets/{outlet}/codings", tag = "outlets",
    params(("outlet" = String, Path, description = "The outlet's domain")),
    request_body = CodingBody, responses((status = 200, body = Change)))]
pub(crate) async fn code(
    State(server): State<Server>,
    caller: Caller,
    Part(outlet): Part,
    Json(body): Json<CodingBody>,
) -> Reply {
    let (event, intent) = coding(&server, &caller, &outlet, &body).await?;
    Ok(json(&Change::tell(&server, &event, intent).await?))
}

/// Applies codes, or shows what they would do.
pub(crate) async fn coding(
    server: &Server,
    caller: &Caller,
    outlet: &str,
    body: &CodingBody,
) -> Result<(LedgerEvent, Intent), Problem> {
    let outlet = resolve(server, outlet)?;
    let url = body.url.as_deref().map(WebUrl::parse).transpose();
    let url = url.map_err(|error| Problem::field("url", error.to_string()))?;
    if let Some(url) = &url {
        let resolver = resolver(server)?;
        let owners = [resolver.outlet_of(url), resolver.outlet_of_document(url)];
        if !owners.iter().flatten().any(|owner| *owner == outlet) {
            return Err(Problem::field("url", format!("this is not a page of {outlet}")));
        }
    }
    let subject = match (&body.run, &url) {
        (Some(run), Some(url)) => Subject::report_source(run, url),
        (Some(_), None) => return Err(Problem::field("run", "a run's source is named by its url")),
        (None, Some(url)) => Subject::article(url),
        (None, None) => Subject::outlet(),
    };
    let alpha = Alpha::new(body.alpha.unwrap_or(server.backend.constants().alpha));
    let alpha = alpha.map_err(|error| Problem::field("alpha", error.to_string()))?;
    let codes = body.codes.iter().map(|code| CodeName::new(code.trim())).collect::<Result<_, _>>();
    let codes = codes.map_err(|error| Problem::field("codes", error.to_string()))?;
    let signature = body.signed.signature(caller)?;
    // A user who has read an article there means an outlet that exists.
    let newcomer = body.signed.newcomer(url.is_some());
    let request = CodingRequest { outlet, subject, codes, alpha, signature };
    let intent = body.signed.intent();
    Ok((server.store.code(request, newcomer, intent).await?, intent))
}

/// A score to be set by hand.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScoreBody {
    /// The score from now on.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub score: f64,
    /// Who does it, how, and why.
    #[serde(flatten)]
    pub signed: Signed,
}

/// Sets an outlet's score by hand.
#[utoipa::path(put, path = "/api/outlets/{outlet}/score", tag = "outlets",
    params(("outlet" = String, Path, description = "The outlet's domain")),
    request_body = ScoreBody, responses((status = 200, body = Change)))]
pub(crate) async fn set(
    State(server): State<Server>,
    caller: Caller,
    Part(outlet): Part,
    Json(body): Json<ScoreBody>,
) -> Reply {
    let outlet = resolve(&server, &outlet)?;
    let score = Credibility::new(body.score);
    let score = score.map_err(|error| Problem::field("score", error.to_string()))?;
    let signature: Signature = body.signed.signature(&caller)?;
    let newcomer = body.signed.newcomer(false);
    let intent = body.signed.intent();
    let event = server.store.set_score(&outlet, score, &signature, newcomer, intent).await?;
    Ok(json(&Change::tell(&server, &event, intent).await?))
}

impl Signed {
    /// Whether an outlet that looks like another is added.
    pub(crate) fn newcomer(&self, was_read: bool) -> Newcomer {
        if self.new || was_read { Newcomer::Add } else { Newcomer::Guard }
    }
}
