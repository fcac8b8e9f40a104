//! Whether the server lives, what it has, and what is in place.

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::{HeaderValue, header};
use probity_store::ledger::OutletQuery;
use probity_store::library::Library;
use probity_store::{Engine, RunQuery};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reply, json};
use crate::access::Caller;
use crate::backend::Check;
use crate::state::{Door, Server};

/// That the server answers.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`; a server that is not does not answer.
    #[schema(example = "ok")]
    pub status: &'static str,
}

/// What a server is and has.
#[derive(Serialize, ToSchema)]
pub struct Status {
    /// The program's version.
    pub version: &'static str,
    /// `sqlite` or `postgres`.
    pub store: &'static str,
    /// How long the server has been up, in seconds.
    pub uptime_seconds: u64,
    /// Whether callers have to log in.
    pub login: bool,
    /// Who you are.
    pub you: String,
    /// What you may do.
    pub scopes: Vec<&'static str>,
    /// Whether this server executes runs itself.
    pub workers: bool,
    /// The model that judges and writes when a question names none.
    pub analyst: String,
    /// Runs that wait for a worker.
    pub queued: i64,
    /// Runs that a worker has.
    pub running: i64,
    /// Documents in the library.
    pub documents: u64,
    /// Outlets in the ledger.
    pub outlets: i64,
}

/// Whether everything is in place.
#[derive(Serialize, ToSchema)]
pub struct Doctor {
    /// Whether no check failed.
    pub ok: bool,
    /// The program's version.
    pub version: &'static str,
    /// The checks.
    pub checks: Vec<Check>,
}

/// Whether the server answers.
#[utoipa::path(get, path = "/api/health", tag = "server",
    responses((status = 200, body = Health)))]
pub(crate) async fn health() -> Reply {
    Ok(json(&Health { status: "ok" }))
}

/// What the server is and has.
#[utoipa::path(get, path = "/api/status", tag = "server",
    responses((status = 200, body = Status)))]
pub(crate) async fn status(State(server): State<Server>, caller: Caller) -> Reply {
    let constants = server.backend.constants();
    let jobs = server.store.queue_counts().await?;
    let nothing = OutletQuery { limit: Some(0), ..OutletQuery::default() };
    Ok(json(&Status {
        version: constants.version,
        store: match server.store.engine() {
            Engine::Sqlite => "sqlite",
            Engine::Postgres => "postgres",
        },
        uptime_seconds: server.started.elapsed().as_secs(),
        login: server.door == Door::Login,
        scopes: caller.scopes.iter().map(|scope| scope.as_str()).collect(),
        you: caller.name,
        workers: server.workers,
        analyst: constants.analyst.clone(),
        queued: jobs.queued,
        running: jobs.leased,
        documents: Library::of(&server.store).status().await?.documents,
        outlets: server.store.outlets(&nothing).await?.total,
    }))
}

/// Whether everything that is needed is in place.
#[utoipa::path(get, path = "/api/doctor", tag = "server",
    responses((status = 200, body = Doctor)))]
pub(crate) async fn doctor(State(server): State<Server>) -> Reply {
    let checks = server.backend.checks().await;
    let ok = checks.iter().all(|check| check.state != crate::backend::CheckState::Failure);
    Ok(json(&Doctor { ok, version: server.backend.constants().version, checks }))
}

/// Counts for Prometheus.
pub(crate) async fn metrics(State(server): State<Server>) -> Reply {
    let jobs = server.store.queue_counts().await?;
    let (queued, leased, dead) = (jobs.queued as f64, jobs.leased as f64, jobs.dead as f64);
    let latest = server.store.runs(&RunQuery { limit: Some(1), ..RunQuery::default() }).await?;
    let latest = latest.first().map_or(0.0, |run| run.asked_at.0 as f64 / 1_000.0);
    let text = server.metrics.write(&[
        ("probity_jobs_queued", "Jobs that wait for a worker.", queued),
        ("probity_jobs_leased", "Jobs that a worker has.", leased),
        ("probity_jobs_dead", "Jobs that failed too often.", dead),
        ("probity_last_question_timestamp_seconds", "When a run was last asked for.", latest),
        (
            "probity_uptime_seconds",
            "How long the server is up.",
            server.started.elapsed().as_secs_f64(),
        ),
    ]);
    let mut response = text.into_response();
    let media = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, media);
    Ok(response)
}
