//! Logging in at a provider that others run.
//!
//! ```text
//! /login/oidc → state, nonce, verifier kept → provider → /login/oidc/callback → whose account is it → session
//! ```

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use askama::Template;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use probity_core::{SignOnAnswer, SignOnSecrets};
use serde::Deserialize;
use url::form_urlencoded::byte_serialize;

use super::{LoginPage, begin_session, safe};
use crate::access::identify::{NotLetIn, identify};
use crate::access::{cookie, secret};
use crate::api::Reply;
use crate::backend::{SignOn, SignOnFailure};
use crate::guard::Peer;
use crate::limits;
use crate::page::{Frame, Tab, page};
use crate::problem::Problem;
use crate::read::Query;
use crate::state::Server;

/// Where a provider sends browsers back to.
const CALLBACK: &str = "/login/oidc/callback";

fn provider(server: &Server) -> Result<Arc<dyn SignOn>, Problem> {
    let provider = server.backend.sign_on();
    provider.ok_or_else(|| Problem::not_found("no provider is set up to log in at"))
}

/// Where this log-in ends. Never made of what a caller sends.
fn redirect_uri(server: &Server) -> String {
    format!("{}{CALLBACK}", server.doors.home())
}

/// What a log-in is begun with.
#[derive(Deserialize)]
pub(crate) struct Asked {
    /// Where to go once logged in.
    to: Option<String>,
    /// Whether the browser was sent here from another name of the site.
    home: Option<String>,
}

/// `GET /login/oidc`.
pub(crate) async fn begin(
    State(server): State<Server>,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let provider = provider(&server)?;
    let to = safe(asked.to.as_deref());
    let home = server.doors.home();
    // The browser comes back to the site's own address, and its cookie has to be of that.
    if asked.home.is_none() && server.doors.origin(&headers) != home {
        let to: String = byte_serialize(to.as_bytes()).collect();
        return Ok(Redirect::to(&format!("{home}/login/oidc?home=yes&to={to}")).into_response());
    }
    let fresh = || secret::fresh().map_err(|error| Problem::internal(&error));
    let (state, nonce, verifier, browser) = (fresh()?, fresh()?, fresh()?, fresh()?);
    let redirect = redirect_uri(&server);
    let secrets =
        SignOnSecrets { state: &state, nonce: &nonce, verifier: &verifier, redirect: &redirect };
    let address = match provider.begin(secrets).await {
        Ok(address) => address,
        Err(failure) => {
            tracing::warn!(%failure, "log-ins at the provider fail");
            return refused(&server, &to, StatusCode::SERVICE_UNAVAILABLE, &failure.to_string());
        }
    };
    let new = probity_store::access::NewSignOn {
        state_hash: &secret::hash(&state),
        browser_hash: &secret::hash(&browser),
        nonce: &nonce,
        verifier: &verifier,
        leads_to: &to,
    };
    server.store.begin_sign_on(&new, limits::SIGN_ON_LIFE).await?;
    let mut response = Redirect::to(&address).into_response();
    if let Some(value) = cookie::give_sign_on(&browser, server.doors.is_secure()) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    Ok(response)
}

/// What a provider sends back.
#[derive(Deserialize)]
pub(crate) struct Back {
    code: Option<String>,
    state: Option<String>,
    iss: Option<String>,
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "signed_on.html")]
struct SignedOnPage {
    frame: Frame,
    to: String,
}

/// `GET /login/oidc/callback`.
pub(crate) async fn back(
    State(server): State<Server>,
    Query(asked): Query<Back>,
    request: Request,
) -> Reply {
    let provider = provider(&server)?;
    let peer = Peer::of(&request);
    let keys = [format!("address {}", peer.0)];
    if let Err(seconds) = server.logins.begin(&keys, Instant::now()) {
        return Err(Problem::too_many("too many log-ins failed; wait before the next", seconds));
    }
    match end(&server, &*provider, request.headers(), asked).await? {
        Ok(response) => {
            server.logins.forget(&keys);
            Ok(response)
        }
        Err(Failed { to, status, why }) => {
            server.metrics.refused.fetch_add(1, Ordering::Relaxed);
            tracing::warn!(peer = %peer.0, why, "a log-in at the provider failed");
            refused(&server, &to, status, &why)
        }
    }
}

/// Why a log-in came to nothing, for whoever tried.
struct Failed {
    to: String,
    status: StatusCode,
    why: String,
}

async fn end(
    server: &Server,
    provider: &dyn SignOn,
    headers: &HeaderMap,
    asked: Back,
) -> Result<Result<Response, Failed>, Problem> {
    let failed = |to: &str, status: StatusCode, why: &str| {
        Ok(Err(Failed { to: to.to_owned(), status, why: why.to_owned() }))
    };
    let secure = server.doors.is_secure();
    let (state, browser) = (asked.state.as_deref(), cookie::sign_on(headers, secure));
    let begun = match (state.filter(|state| state.len() <= limits::SIGN_ON_BYTES), browser) {
        // Whatever comes of it, it is over: the same answer never counts twice.
        (Some(state), Some(browser)) => {
            let (state, browser) = (secret::hash(state), secret::hash(&browser));
            server.store.end_sign_on(&state, &browser, limits::SIGN_ON_LIFE).await?
        }
        _ => None,
    };
    let Some(begun) = begun else {
        let why =
            "This log-in was started in another browser, has already ended, or took too long.";
        return failed("/", StatusCode::CONFLICT, why);
    };
    let to = safe(Some(&begun.leads_to));
    let code = asked.code.filter(|code| !code.is_empty() && code.len() <= limits::SIGN_ON_BYTES);
    let Some(code) = code.filter(|_| asked.error.is_none()) else {
        return failed(&to, StatusCode::CONFLICT, "The provider did not let you in.");
    };
    let redirect = redirect_uri(server);
    let secrets = SignOnSecrets {
        state: state.unwrap_or_default(),
        nonce: &begun.nonce,
        verifier: &begun.verifier,
        redirect: &redirect,
    };
    let answer = SignOnAnswer { code: &code, issuer: asked.iss.as_deref() };
    let identity = match provider.finish(answer, secrets).await {
        Ok(identity) => identity,
        Err(failure) => {
            let status = match failure {
                SignOnFailure::Provider(_) => StatusCode::SERVICE_UNAVAILABLE,
                SignOnFailure::Refused(_) => StatusCode::CONFLICT,
            };
            return failed(&to, status, &failure.to_string());
        }
    };
    let user = match identify(server, &identity).await {
        Ok(user) => user,
        Err(NotLetIn::Refused(why)) => return failed(&to, StatusCode::CONFLICT, &why),
        Err(NotLetIn::Failed(problem)) => return Err(problem),
    };
    // The browser comes from another site, so that a redirect would not carry its new cookie: a page does.
    let mut response = page(&SignedOnPage { frame: Frame::bare("Logged in"), to })?;
    let cookies = [begin_session(server, &user).await?, cookie::take_sign_on(secure)];
    for value in cookies.into_iter().flatten() {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    let never = HeaderValue::from_static("no-store");
    response.headers_mut().insert(header::CACHE_CONTROL, never);
    Ok(Ok(response))
}

/// The page to log in, with what went wrong.
fn refused(server: &Server, to: &str, status: StatusCode, why: &str) -> Reply {
    let mut shown = LoginPage::new(server, Some(to));
    let mut letters = why.chars();
    let first = letters.next().map(char::to_uppercase);
    let why: String = first.into_iter().flatten().chain(letters).collect();
    shown.problem = Some(format!("{} Try again, or log in by name.", as_sentence(&why)));
    let mut response = page(&shown)?;
    *response.status_mut() = status;
    Ok(response)
}

fn as_sentence(text: &str) -> String {
    match text.ends_with(['.', '!', '?']) {
        true => text.to_owned(),
        false => format!("{text}."),
    }
}

/// Where to log out of the provider too: its name and the address.
pub(super) async fn leave(server: &Server) -> Option<(String, String)> {
    let provider = server.backend.sign_on()?;
    let back = format!("{}/login", server.doors.home());
    Some((provider.label().to_owned(), provider.leave(&back).await?))
}
