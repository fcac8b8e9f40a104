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

fn api_routes() -> Vec<Route> {
    vec![
        route(Method::GET, "/api/health", ANYONE, api::status::health),
        route(Method::GET, "/api/openapi.json", ANYONE, openapi::show),
        route(Method::GET, "/api/status", READ, api::status::status),
        route(Method::GET, "/api/doctor", ADMIN, api::status::doctor),
        route(Method::POST, "/api/score", READ, api::score::score),
        route(Method::POST, "/api/check", RESEARCH, api::check::check),
        route(Method::GET, "/api/outlets", READ, api::outlets::list),
        route(Method::POST, "/api/outlets/import", LEDGER, api::ratings::import),
        route(Method::GET, "/api/outlets/{outlet}", READ, api::outlets::show),
        route(Method::GET, "/api/outlets/{outlet}/events", READ, api::outlets::events),
        route(Method::POST, "/api/outlets/{outlet}/codings", LEDGER, api::outlets::code),
        route(Method::PUT, "/api/outlets/{outlet}/score", LEDGER, api::outlets::set),
        route(Method::GET, "/api/ledger/events", READ, api::ledger::events),
        route(Method::GET, "/api/ledger/events/{seq}", READ, api::ledger::event),
        route(Method::POST, "/api/ledger/events/{seq}/revert", LEDGER, api::ledger::revert),
        route(Method::GET, "/api/ledger/verify", READ, api::ledger::verify),
        route(Method::GET, "/api/codebook", READ, api::ledger::codebook),
        route(Method::PUT, "/api/codebook/{name}", ADMIN, api::codebook::define),
        route(Method::DELETE, "/api/codebook/{name}", ADMIN, api::codebook::retire),
        route(Method::GET, "/api/actions", ADMIN, api::ledger::actions),
        route(Method::POST, "/api/research", RESEARCH, api::research::research),
        route(Method::POST, "/api/research/stream", RESEARCH, api::research::stream),
        route(Method::GET, "/api/runs", READ, api::runs::list),
        route(Method::GET, "/api/runs/{id}", READ, api::runs::show),
        route(Method::DELETE, "/api/runs/{id}", ADMIN, api::runs::delete),
        route(Method::GET, "/api/runs/{id}/events", READ, api::research::events),
        route(Method::GET, "/api/runs/{id}/plan", READ, api::plan::show),
        route(Method::POST, "/api/runs/{id}/plan", RESEARCH, api::plan::approve),
        route(Method::POST, "/api/runs/{id}/cancel", RESEARCH, api::research::cancel),
        route(Method::POST, "/api/runs/{id}/resume", RESEARCH, api::research::resume),
        route(Method::GET, "/api/runs/{id}/report", READ, api::runs::export),
        route(Method::GET, "/api/runs/{id}/compare", READ, api::runs::compare),
        route(Method::PATCH, "/api/runs/{id}", RESEARCH, api::marks::mark),
        route(Method::POST, "/api/runs/export", READ, api::marks::export),
        route(Method::POST, "/api/runs/{id}/next", RESEARCH, api::next::next),
        route(Method::GET, "/api/runs/{id}/shares", RESEARCH, api::shares::list),
        route(Method::POST, "/api/runs/{id}/shares", RESEARCH, api::shares::create),
        route(Method::DELETE, "/api/runs/{id}/shares/{name}", RESEARCH, api::shares::delete),
        route(Method::GET, "/api/feeds", READ, api::feeds::feeds),
        route(Method::POST, "/api/feeds", RESEARCH, api::feeds::add_feed),
        route(Method::POST, "/api/feeds/preview", RESEARCH, api::feeds::look::preview),
        route(Method::GET, "/api/feeds/opml", READ, api::feeds::opml::export),
        route(Method::POST, "/api/feeds/opml", RESEARCH, api::feeds::opml::import),
        route(Method::GET, "/api/feeds/{id}", READ, api::feeds::feed),
        route(Method::PATCH, "/api/feeds/{id}", RESEARCH, api::feeds::change_feed),
        route(Method::DELETE, "/api/feeds/{id}", RESEARCH, api::feeds::remove_feed),
        route(Method::PUT, "/api/feeds/{id}/state", RESEARCH, api::feeds::switch_feed),
        route(Method::POST, "/api/feeds/{id}/poll", RESEARCH, api::feeds::poll_feed),
        route(Method::GET, "/api/articles", READ, api::news::articles),
        route(Method::GET, "/api/articles/search", READ, api::news::search),
        route(Method::POST, "/api/articles/read", READ, api::news::read_all),
        route(Method::GET, "/api/articles/{id}", READ, api::news::article),
        route(Method::PUT, "/api/articles/{id}/marks", READ, api::news::mark),
        route(Method::GET, "/api/topics", READ, api::topics::list),
        route(Method::POST, "/api/topics/consolidate", LEDGER, api::topics::consolidate),
        route(Method::GET, "/api/topics/{id}", READ, api::topics::show),
        route(Method::GET, "/api/brief", READ, api::brief::show),
        route(Method::GET, "/api/briefings", READ, api::brief::list),
        route(Method::POST, "/api/briefings", RESEARCH, api::brief::make),
        route(Method::GET, "/api/briefings/{id}", READ, api::brief::kept),
        route(Method::GET, "/api/categories", READ, api::categories::list),
        route(Method::POST, "/api/categories", LEDGER, api::categories::create),
        route(Method::GET, "/api/categories/{id}", READ, api::categories::show),
        route(Method::PATCH, "/api/categories/{id}", LEDGER, api::categories::change),
        route(Method::DELETE, "/api/categories/{id}", LEDGER, api::categories::delete),
        route(Method::GET, "/api/categories/{id}/routing", READ, api::routing::history),
        route(Method::GET, "/api/routing", READ, api::routing::list),
        route(Method::GET, "/api/settings/keys", ADMIN, api::keys::list),
        route(Method::PUT, "/api/settings/keys/{name}", ADMIN, api::keys::set),
        route(Method::DELETE, "/api/settings/keys/{name}", ADMIN, api::keys::remove),
        route(Method::GET, "/api/settings/thresholds", ADMIN, api::thresholds::show),
        route(Method::PUT, "/api/settings/thresholds", ADMIN, api::thresholds::change),
        route(Method::DELETE, "/api/settings/thresholds", ADMIN, api::thresholds::reset),
        route(Method::POST, "/api/settings/thresholds/what-if", ADMIN, api::thresholds::what_if),
        route(Method::GET, "/api/alerts", ADMIN, api::alerts::list),
        route(Method::POST, "/api/alerts", ADMIN, api::alerts::create),
        route(Method::PATCH, "/api/alerts/{id}", ADMIN, api::alerts::change),
        route(Method::DELETE, "/api/alerts/{id}", ADMIN, api::alerts::remove),
        route(Method::POST, "/api/alerts/{id}/test", ADMIN, api::alerts::test),
        route(Method::GET, "/api/users", ADMIN, api::users::list),
        route(Method::POST, "/api/users", ADMIN, api::users::create),
        route(Method::PATCH, "/api/users/{name}", ADMIN, api::users::change),
        route(Method::DELETE, "/api/users/{name}", ADMIN, api::users::delete),
        route(Method::PUT, "/api/me/password", READ, api::me::password),
        route(Method::GET, "/api/me/sessions", READ, api::me::sessions),
        route(Method::DELETE, "/api/me/sessions/{id}", READ, api::me::end_session),
        route(Method::GET, "/api/me/tokens", READ, api::me::tokens),
        route(Method::POST, "/api/me/tokens", READ, api::me::create_token),
        route(Method::DELETE, "/api/me/tokens/{id}", READ, api::me::revoke_token),
        route(Method::GET, "/api/watches", READ, api::watches::list),
        route(Method::POST, "/api/watches", RESEARCH, api::watches::create),
        route(Method::GET, "/api/watches/{id}", READ, api::watches::show),
        route(Method::PATCH, "/api/watches/{id}", RESEARCH, api::watches::change),
        route(Method::DELETE, "/api/watches/{id}", RESEARCH, api::watches::delete),
        route(Method::POST, "/api/watches/{id}/run", RESEARCH, api::watches::run),
        route(Method::GET, "/api/library", READ, api::library::list),
        route(Method::GET, "/api/library/search", READ, api::library::search),
        route(Method::GET, "/api/library/collections", READ, api::collections::list),
        route(Method::POST, "/api/library/collections", RESEARCH, api::collections::create),
        route(Method::PATCH, "/api/library/collections/{id}", RESEARCH, api::collections::change),
        route(Method::DELETE, "/api/library/collections/{id}", RESEARCH, api::collections::delete),
        route(Method::GET, "/api/library/documents/{id}", READ, api::library::show),
        route(Method::POST, "/api/library/documents", RESEARCH, api::library::add),
        route(Method::DELETE, "/api/library/documents/{id}", RESEARCH, api::library::delete),
        route(Method::POST, "/api/library/documents/{id}/again", RESEARCH, api::library::again),
        route(Method::POST, "/api/library/pages", RESEARCH, api::library::pages),
        route(Method::POST, "/api/uploads", RESEARCH, api::uploads::create),
        route(Method::GET, "/api/uploads/{id}", RESEARCH, api::uploads::show),
        route(Method::POST, "/api/uploads/{id}", RESEARCH, api::uploads::add),
        route(Method::DELETE, "/api/uploads/{id}", RESEARCH, api::uploads::delete),
        route(Method::DELETE, "/api/uploads/{id}/documents/{seq}", RESEARCH, api::uploads::remove),
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
    let mut table = api_routes();
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
