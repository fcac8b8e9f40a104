//! The one table of every address: its method, what it takes to call it, and who answers.
//!
//! A route that is not in this table does not exist; the access rules, the API's document and the
//! tests are checked against it, so that none can be forgotten.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::handler::Handler;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use http::Method;
use tower_http::compression::CompressionLayer;
use utoipa::OpenApi;

use crate::access::admit::{Check, admit};
use crate::access::idempotency::once;
use crate::access::{Access, Scope};
use crate::backend::Later;
use crate::problem::Problem;
use crate::state::Server;
use crate::{api, assets, guard, limits, mcp, openapi, page};

/// Who a route is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Programs: JSON in, JSON out.
    Api,
    /// People: forms in, pages out.
    Page,
}

/// One line of the table.
#[derive(Debug, Clone)]
pub struct Line {
    /// The method.
    pub method: Method,
    /// The address, with `{name}` for a part that varies.
    pub path: &'static str,
    /// What it takes to call it.
    pub access: Access,
    /// Who it is for.
    pub side: Side,
}

struct Route {
    line: Line,
    handler: MethodRouter<Server>,
}

/// A handler of whatever arguments, called in one way: what surrounds it is then compiled once and not for each.
type Called = Arc<dyn Fn(Request, Server) -> Later<'static, Response> + Send + Sync>;

fn route<H, T>(method: Method, path: &'static str, access: Access, handler: H) -> Route
where
    H: Handler<T, Server, Future = Later<'static, Response>>,
    T: 'static,
{
    let called = Arc::new(move |request, server| handler.clone().call(request, server));
    line(method, path, access, called)
}

fn line(method: Method, path: &'static str, access: Access, called: Called) -> Route {
    let side = match is_for_programs(path) {
        true => Side::Api,
        false => Side::Page,
    };
    // A method that axum does not know cannot be in the table.
    let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::GET);
    let handler =
        on(filter, move |State(server): State<Server>, request: Request| called(request, server));
    Route { line: Line { method, path, access, side }, handler }
}

/// Whether an address is for programs, so that it never answers with a page.
pub(crate) fn is_for_programs(path: &str) -> bool {
    path.starts_with("/api/") || matches!(path, "/metrics" | "/mcp")
}

const ANYONE: Access = Access::Anyone;
const READ: Access = Access::Needs(Scope::Read);
const RESEARCH: Access = Access::Needs(Scope::Research);
const LEDGER: Access = Access::Needs(Scope::Ledger);
const ADMIN: Access = Access::Needs(Scope::Admin);

/// The routes of the API. The router and the API's document are made of the same lines.
macro_rules! api {
    ($($method:ident $path:literal $access:ident $($handler:ident)::+;)+) => {
        fn documented_routes() -> Vec<Route> {
            vec![$(route(Method::$method, $path, $access, $($handler)::+)),+]
        }

        #[derive(OpenApi)]
        #[openapi(
            info(
                title = "Probity",
                description = "Research with sources you can defend.",
                license(name = "MIT OR Apache-2.0")
            ),
            paths($($($handler)::+),+),
            components(schemas(Problem))
        )]
        pub(crate) struct Api;
    };
}

api! {
    GET "/api/health" ANYONE api::status::health;
    GET "/api/openapi.json" ANYONE openapi::show;
    GET "/api/status" READ api::status::status;
    GET "/api/doctor" ADMIN api::status::doctor;
    POST "/api/score" READ api::score::score;
    POST "/api/check" RESEARCH api::check::check;
    GET "/api/outlets" READ api::outlets::list;
    POST "/api/outlets/import" LEDGER api::ratings::import;
    GET "/api/outlets/{outlet}" READ api::outlets::show;
    GET "/api/outlets/{outlet}/events" READ api::outlets::events;
    POST "/api/outlets/{outlet}/codings" LEDGER api::outlets::code;
    PUT "/api/outlets/{outlet}/score" LEDGER api::outlets::set;
    GET "/api/ledger/events" READ api::ledger::events;
    GET "/api/ledger/events/{seq}" READ api::ledger::event;
    POST "/api/ledger/events/{seq}/revert" LEDGER api::ledger::revert;
    GET "/api/ledger/verify" READ api::ledger::verify;
    GET "/api/codebook" READ api::ledger::codebook;
    PUT "/api/codebook/{name}" ADMIN api::codebook::define;
    DELETE "/api/codebook/{name}" ADMIN api::codebook::retire;
    GET "/api/actions" ADMIN api::ledger::actions;
    POST "/api/research" RESEARCH api::research::research;
    POST "/api/research/stream" RESEARCH api::research::stream;
    GET "/api/runs" READ api::runs::list;
    GET "/api/runs/{id}" READ api::runs::show;
    DELETE "/api/runs/{id}" ADMIN api::runs::delete;
    GET "/api/runs/{id}/events" READ api::research::events;
    GET "/api/runs/{id}/plan" READ api::plan::show;
    POST "/api/runs/{id}/plan" RESEARCH api::plan::approve;
    POST "/api/runs/{id}/cancel" RESEARCH api::research::cancel;
    POST "/api/runs/{id}/resume" RESEARCH api::research::resume;
    GET "/api/runs/{id}/report" READ api::runs::export;
    GET "/api/runs/{id}/compare" READ api::runs::compare;
    PATCH "/api/runs/{id}" RESEARCH api::marks::mark;
    POST "/api/runs/export" READ api::marks::export;
    POST "/api/runs/{id}/next" RESEARCH api::next::next;
    GET "/api/runs/{id}/shares" RESEARCH api::shares::list;
    POST "/api/runs/{id}/shares" RESEARCH api::shares::create;
    DELETE "/api/runs/{id}/shares/{name}" RESEARCH api::shares::delete;
    GET "/api/feeds" READ api::feeds::feeds;
    POST "/api/feeds" RESEARCH api::feeds::add_feed;
    POST "/api/feeds/preview" RESEARCH api::feeds::look::preview;
    GET "/api/feeds/opml" READ api::feeds::opml::export;
    POST "/api/feeds/opml" RESEARCH api::feeds::opml::import;
    GET "/api/feeds/{id}" READ api::feeds::feed;
    PATCH "/api/feeds/{id}" RESEARCH api::feeds::change_feed;
    DELETE "/api/feeds/{id}" RESEARCH api::feeds::remove_feed;
    PUT "/api/feeds/{id}/state" RESEARCH api::feeds::switch_feed;
    POST "/api/feeds/{id}/poll" RESEARCH api::feeds::poll_feed;
    GET "/api/articles" READ api::news::articles;
    GET "/api/articles/search" READ api::news::search;
    POST "/api/articles/read" READ api::news::read_all;
    GET "/api/articles/{id}" READ api::news::article;
    PUT "/api/articles/{id}/marks" READ api::news::mark;
    GET "/api/topics" READ api::topics::list;
    POST "/api/topics/consolidate" LEDGER api::topics::consolidate;
    GET "/api/topics/{id}" READ api::topics::show;
    GET "/api/brief" READ api::brief::show;
    GET "/api/briefings" READ api::brief::list;
    POST "/api/briefings" RESEARCH api::brief::make;
    GET "/api/briefings/{id}" READ api::brief::kept;
    GET "/api/categories" READ api::categories::list;
    POST "/api/categories" LEDGER api::categories::create;
    GET "/api/categories/{id}" READ api::categories::show;
    PATCH "/api/categories/{id}" LEDGER api::categories::change;
    DELETE "/api/categories/{id}" LEDGER api::categories::delete;
    GET "/api/categories/{id}/routing" READ api::routing::history;
    GET "/api/routing" READ api::routing::list;
    GET "/api/settings/keys" ADMIN api::keys::list;
    PUT "/api/settings/keys/{name}" ADMIN api::keys::set;
    DELETE "/api/settings/keys/{name}" ADMIN api::keys::remove;
    GET "/api/settings/thresholds" ADMIN api::thresholds::show;
    PUT "/api/settings/thresholds" ADMIN api::thresholds::change;
    DELETE "/api/settings/thresholds" ADMIN api::thresholds::reset;
    POST "/api/settings/thresholds/what-if" ADMIN api::thresholds::what_if;
    GET "/api/alerts" ADMIN api::alerts::list;
    POST "/api/alerts" ADMIN api::alerts::create;
    PATCH "/api/alerts/{id}" ADMIN api::alerts::change;
    DELETE "/api/alerts/{id}" ADMIN api::alerts::remove;
    POST "/api/alerts/{id}/test" ADMIN api::alerts::test;
    GET "/api/users" ADMIN api::users::list;
    POST "/api/users" ADMIN api::users::create;
    PATCH "/api/users/{name}" ADMIN api::users::change;
    DELETE "/api/users/{name}" ADMIN api::users::delete;
    PUT "/api/me/password" READ api::me::password;
    GET "/api/me/sessions" READ api::me::sessions;
    DELETE "/api/me/sessions/{id}" READ api::me::end_session;
    GET "/api/me/tokens" READ api::me::tokens;
    POST "/api/me/tokens" READ api::me::create_token;
    DELETE "/api/me/tokens/{id}" READ api::me::revoke_token;
    GET "/api/watches" READ api::watches::list;
    POST "/api/watches" RESEARCH api::watches::create;
    GET "/api/watches/{id}" READ api::watches::show;
    PATCH "/api/watches/{id}" RESEARCH api::watches::change;
    DELETE "/api/watches/{id}" RESEARCH api::watches::delete;
    POST "/api/watches/{id}/run" RESEARCH api::watches::run;
    GET "/api/library" READ api::library::list;
    GET "/api/library/search" READ api::library::search;
    GET "/api/library/collections" READ api::collections::list;
    POST "/api/library/collections" RESEARCH api::collections::create;
    PATCH "/api/library/collections/{id}" RESEARCH api::collections::change;
    DELETE "/api/library/collections/{id}" RESEARCH api::collections::delete;
    GET "/api/library/documents/{id}" READ api::library::show;
    POST "/api/library/documents" RESEARCH api::library::add;
    DELETE "/api/library/documents/{id}" RESEARCH api::library::delete;
    POST "/api/library/documents/{id}/again" RESEARCH api::library::again;
    POST "/api/library/pages" RESEARCH api::library::pages;
    POST "/api/uploads" RESEARCH api::uploads::create;
    GET "/api/uploads/{id}" RESEARCH api::uploads::show;
    POST "/api/uploads/{id}" RESEARCH api::uploads::add;
    DELETE "/api/uploads/{id}" RESEARCH api::uploads::delete;
    DELETE "/api/uploads/{id}/documents/{seq}" RESEARCH api::uploads::remove;
}

fn other_routes() -> Vec<Route> {
    vec![
        route(Method::GET, "/metrics", READ, api::status::metrics),
        // Each tool asks for more where it does more than read.
        route(Method::POST, "/mcp", READ, mcp::http::handle),
        route(Method::GET, "/mcp", READ, mcp::http::handle),
        route(Method::DELETE, "/mcp", READ, mcp::http::handle),
    ]
}

fn page_routes() -> Vec<Route> {
    vec![
        route(Method::GET, "/assets/{name}", ANYONE, assets::show),
        route(Method::GET, "/login", ANYONE, page::login::show),
        route(Method::POST, "/login", ANYONE, page::login::enter),
        route(Method::GET, "/login/oidc", ANYONE, page::login::sign_on::begin),
        route(Method::GET, "/login/oidc/callback", ANYONE, page::login::sign_on::back),
        route(Method::POST, "/logout", READ, page::login::leave),
        route(Method::GET, "/", READ, page::ask::show),
        route(Method::GET, "/example", READ, page::example::show),
        route(Method::POST, "/ask", RESEARCH, page::ask::ask),
        route(Method::GET, "/runs", READ, page::runs::list),
        route(Method::GET, "/runs/{id}", READ, page::run::show),
        route(Method::GET, "/runs/{id}/live", READ, page::run::live),
        route(Method::GET, "/runs/{id}/plan", READ, page::plan::show),
        route(Method::POST, "/runs/{id}/plan", RESEARCH, page::plan::decide),
        route(Method::POST, "/runs/{id}/cancel", RESEARCH, page::run::cancel),
        route(Method::POST, "/runs/{id}/resume", RESEARCH, page::run::resume),
        route(Method::POST, "/runs/{id}/delete", ADMIN, page::run::delete),
        // Deleting several takes more, which is asked where it is done.
        route(Method::POST, "/runs/several", READ, page::runs::several),
        route(Method::POST, "/runs/{id}/star", RESEARCH, page::runs::star),
        route(Method::POST, "/runs/{id}/tags", RESEARCH, page::runs::tag),
        route(Method::GET, "/runs/{id}/file", READ, page::library::of_run),
        route(Method::POST, "/runs/{id}/next", RESEARCH, page::report::go_on),
        route(Method::POST, "/runs/{id}/share", RESEARCH, page::report::share),
        route(Method::POST, "/runs/{id}/share/{name}/revoke", RESEARCH, page::report::revoke),
        // Anyone with the link may read the report.
        route(Method::GET, "/shared/{name}", ANYONE, page::shared::show),
        route(Method::GET, "/shared/{name}/source/{seq}", ANYONE, page::shared::card),
        route(Method::GET, "/compare", READ, page::compare::side_by_side),
        route(Method::GET, "/outlets", READ, page::outlets::list),
        route(Method::GET, "/outlets/import", LEDGER, page::ratings::show),
        route(Method::POST, "/outlets/import", LEDGER, page::ratings::import),
        route(Method::GET, "/outlets/{outlet}", READ, page::outlets::show),
        route(Method::GET, "/outlets/{outlet}/code", LEDGER, page::code::show),
        route(Method::POST, "/outlets/{outlet}/code", LEDGER, page::code::save),
        route(Method::GET, "/codebook", READ, page::codebook::show),
        route(Method::POST, "/codebook", ADMIN, page::codebook::define),
        route(Method::POST, "/codebook/{name}/retire", ADMIN, page::codebook::retire),
        route(Method::GET, "/audit", READ, page::audit::show),
        route(Method::POST, "/audit/{seq}/revert", LEDGER, page::audit::revert),
        route(Method::GET, "/news", READ, page::news::articles),
        route(Method::POST, "/news/read", READ, page::news::read_all),
        route(Method::POST, "/news/{id}/mark", READ, page::news::mark),
        route(Method::GET, "/feeds", READ, page::feeds::list),
        route(Method::POST, "/feeds", RESEARCH, page::feeds::add),
        route(Method::POST, "/feeds/import", RESEARCH, page::feeds::import),
        route(Method::GET, "/feeds/{id}", READ, page::feed::show),
        route(Method::POST, "/feeds/{id}", RESEARCH, page::feed::change),
        route(Method::POST, "/feeds/{id}/enable", RESEARCH, page::feed::enable),
        route(Method::POST, "/feeds/{id}/disable", RESEARCH, page::feed::disable),
        route(Method::POST, "/feeds/{id}/poll", RESEARCH, page::feed::poll),
        route(Method::POST, "/feeds/{id}/remove", RESEARCH, page::feed::remove),
        route(Method::GET, "/topics", READ, page::topics::list),
        route(Method::POST, "/topics/consolidate", LEDGER, page::topics::consolidate),
        route(Method::GET, "/topics/{id}", READ, page::topics::show),
        route(Method::GET, "/brief", READ, page::brief::show),
        route(Method::POST, "/brief", RESEARCH, page::brief::keep),
        route(Method::GET, "/brief/feed.xml", READ, page::brief::feed),
        route(Method::GET, "/brief/{id}", READ, page::brief::kept),
        route(Method::GET, "/categories", READ, page::categories::list),
        route(Method::POST, "/categories", LEDGER, page::categories::create),
        route(Method::GET, "/categories/{id}", READ, page::categories::show),
        route(Method::POST, "/categories/{id}", LEDGER, page::categories::change),
        route(Method::POST, "/categories/{id}/remove", LEDGER, page::categories::delete),
        route(Method::GET, "/watches", READ, page::watches::list),
        route(Method::POST, "/watches", RESEARCH, page::watches::create),
        route(Method::GET, "/watches/{id}", READ, page::watches::show),
        route(Method::POST, "/watches/{id}", RESEARCH, page::watches::change),
        route(Method::POST, "/watches/{id}/run", RESEARCH, page::watches::run),
        route(Method::POST, "/watches/{id}/remove", RESEARCH, page::watches::remove),
        route(Method::GET, "/library", READ, page::library::list),
        route(Method::POST, "/library", RESEARCH, page::library::add),
        route(Method::POST, "/library/collections", RESEARCH, page::collections::gather),
        route(Method::POST, "/library/collections/{id}", RESEARCH, page::collections::rename),
        route(
            Method::POST,
            "/library/collections/{id}/remove",
            RESEARCH,
            page::collections::remove,
        ),
        route(Method::GET, "/library/{id}", READ, page::library::show),
        route(Method::POST, "/library/{id}/remove", RESEARCH, page::library::remove),
        route(Method::POST, "/library/{id}/again", RESEARCH, page::library::again),
        route(Method::GET, "/methodology", READ, page::methodology::show),
        route(Method::GET, "/settings", READ, page::settings::show),
        route(Method::POST, "/settings/password", READ, page::settings::password),
        route(Method::POST, "/settings/sessions/{id}/end", READ, page::settings::end_session),
        route(Method::POST, "/settings/tokens", READ, page::settings::make_token),
        route(Method::POST, "/settings/tokens/{id}/revoke", READ, page::settings::revoke_token),
        route(Method::POST, "/settings/users", ADMIN, page::settings::add_user),
        route(Method::POST, "/settings/users/{name}", ADMIN, page::settings::change_user),
        route(Method::POST, "/settings/users/{name}/remove", ADMIN, page::settings::remove_user),
        route(Method::GET, "/settings/keys", ADMIN, page::settings::keys::show),
        route(Method::POST, "/settings/keys", ADMIN, page::settings::keys::set),
        route(Method::POST, "/settings/keys/{name}/remove", ADMIN, page::settings::keys::remove),
        route(Method::GET, "/settings/thresholds", ADMIN, page::settings::thresholds::show),
        route(Method::POST, "/settings/thresholds", ADMIN, page::settings::thresholds::keep),
        route(Method::POST, "/settings/thresholds/reset", ADMIN, page::settings::thresholds::reset),
        route(Method::GET, "/settings/alerts", ADMIN, page::settings::alerts::show),
        route(Method::POST, "/settings/alerts", ADMIN, page::settings::alerts::create),
        route(Method::POST, "/settings/alerts/{id}/test", ADMIN, page::settings::alerts::test),
        route(Method::POST, "/settings/alerts/{id}/pause", ADMIN, page::settings::alerts::hold),
        route(Method::POST, "/settings/alerts/{id}/resume", ADMIN, page::settings::alerts::resume),
        route(Method::POST, "/settings/alerts/{id}/remove", ADMIN, page::settings::alerts::remove),
        route(Method::GET, "/reference", READ, page::reference::show),
        route(Method::GET, "/search", READ, page::search::show),
    ]
}

fn table() -> Vec<Route> {
    let mut table = documented_routes();
    table.extend(other_routes());
    table.extend(page_routes());
    table
}

/// Every route.
pub fn lines() -> Vec<Line> {
    table().into_iter().map(|route| route.line).collect()
}

/// Whether an address may keep its caller waiting: those that follow work to its end.
pub(crate) fn waits(path: &str) -> bool {
    matches!(
        path,
        "/api/research"
            | "/api/check"
            | "/api/library/pages"
            | "/api/topics/consolidate"
            | "/topics/consolidate"
            | "/settings/keys"
            | "/mcp"
    ) || path.starts_with("/api/settings/keys/")
        || path.starts_with("/api/alerts/")
        || path.starts_with("/settings/alerts/")
}

/// Whether what is posted to an address may bring documents along.
pub(crate) fn receives(path: &str) -> bool {
    matches!(path, "/ask" | "/library" | "/api/library/documents" | "/api/uploads")
        || path.starts_with("/api/uploads/")
}

/// The most bytes that a form without files may have: one holds a whole list.
fn form_bytes(path: &str) -> usize {
    match path {
        "/outlets/import" => limits::FORM_LIST_BYTES,
        _ => limits::BODY_BYTES,
    }
}

/// Whether other sites may show an address in a frame of theirs: the card of a shared source.
pub(crate) fn is_framed(path: &str) -> bool {
    path.strip_prefix("/shared/").is_some_and(|rest| rest.contains("/source/"))
}

/// The whole router.
pub fn router(server: &Server) -> Router {
    let mut router: Router<Server> = Router::new();
    for Route { line, handler } in table() {
        let receives = line.method == Method::POST && receives(line.path);
        let check = Check {
            server: server.clone(),
            access: line.access,
            side: line.side,
            receives,
            form_bytes: form_bytes(line.path),
        };
        // Files are too large to be compared with those of an earlier request; sent again they take
        // the place of their namesakes.
        let is_repeatable = line.side == Side::Api && line.method == Method::POST && !receives;
        let handler = match is_repeatable {
            true => handler.layer(from_fn_with_state(server.clone(), once)),
            false => handler,
        };
        router = router.route(line.path, handler.layer(from_fn_with_state(check, admit)));
    }
    router
        .fallback(|| async { Problem::not_found("nothing is at this address") })
        .method_not_allowed_fallback(|| async {
            Problem::method("see /api/openapi.json for what the address takes")
        })
        .layer(from_fn(guard::tag))
        .layer(from_fn(guard::limit_time))
        .layer(from_fn(guard::dress))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(server.clone(), guard::limit_rate))
        .layer(from_fn_with_state(server.clone(), guard::check_doors))
        .layer(from_fn_with_state(server.clone(), guard::harden))
        .layer(from_fn_with_state(server.clone(), guard::observe))
        .with_state(server.clone())
}
