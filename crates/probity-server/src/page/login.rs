//! Logging in and out.

pub(crate) mod sign_on;

use std::time::Instant;

use askama::Template;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use http::{HeaderValue, header};
use serde::Deserialize;
use std::sync::atomic::Ordering;

use super::{Frame, Tab, page};
use crate::access::queue::NotDone;
use crate::access::{Caller, cookie, password, secret};
use crate::api::Reply;
use crate::guard::Peer;
use crate::limits;
use crate::problem::Problem;
use crate::read::{Form, Query};
use crate::state::Server;

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage {
    frame: Frame,
    to: String,
    problem: Option<String>,
    /// What the provider is called where people may log in besides.
    provider: Option<String>,
    /// Where to log out of the provider too: its name and the address.
    leave: Option<(String, String)>,
}

impl LoginPage {
    fn new(server: &Server, to: Option<&str>) -> Self {
        let provider = server.backend.sign_on().map(|provider| provider.label().to_owned());
        let frame = Frame::bare("Log in");
        Self { frame, to: safe(to), problem: None, provider, leave: None }
    }
}

/// Where to go once logged in.
#[derive(Deserialize)]
pub(crate) struct To {
    to: Option<String>,
    /// Whether the user who just logged out has an account at the provider.
    out: Option<String>,
}

/// Only a place on this site: anything else would lead people away right after logging in.
pub(crate) fn safe(to: Option<&str>) -> String {
    let is_ours = |to: &&str| {
        to.starts_with('/')
            && !to.starts_with("//")
            && !to.starts_with("/\\")
            && to.bytes().all(|byte| byte.is_ascii_graphic())
    };
    to.filter(is_ours).unwrap_or("/").to_owned()
}

/// `GET /login`.
pub(crate) async fn show(State(server): State<Server>, Query(asked): Query<To>) -> Reply {
    let leave = match asked.out {
        Some(_) => sign_on::leave(&server).await,
        None => None,
    };
    page(&LoginPage { leave, ..LoginPage::new(&server, asked.to.as_deref()) })
}

/// What the form holds.
#[derive(Deserialize)]
pub(crate) struct Credentials {
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
    to: Option<String>,
}

/// `POST /login`.
pub(crate) async fn enter(
    State(server): State<Server>,
    request: Request,
) -> Result<Response, Problem> {
    let peer = Peer::of(&request);
    let Form(given) =
        <Form<Credentials> as axum::extract::FromRequest<()>>::from_request(request, &()).await?;
    let keys = [format!("address {}", peer.0), format!("name {}", given.name)];
    if let Err(seconds) = server.logins.begin(&keys, Instant::now()) {
        return Err(Problem::too_many("too many log-ins failed; wait before the next", seconds));
    }
    let right = match check(&server, &given).await? {
        Ok(right) => right,
        Err(NotDone::Full) => {
            server.logins.take_back(&keys);
            let detail = "many people log in right now; wait a moment and try again";
            return Err(Problem::unavailable(detail, limits::PASSWORDS_AGAIN));
        }
        Err(NotDone::Failed(error)) => return Err(Problem::internal(&error)),
    };
    if !right {
        server.metrics.refused.fetch_add(1, Ordering::Relaxed);
        tracing::warn!(peer = %peer.0, "a log-in failed");
        return page(&LoginPage {
            problem: Some("The name or the password is not right.".to_owned()),
            ..LoginPage::new(&server, given.to.as_deref())
        });
    }
    server.logins.forget(&keys);
    let mut response = Redirect::to(&safe(given.to.as_deref())).into_response();
    if let Some(value) = begin_session(&server, &given.name).await? {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    Ok(response)
}

/// Begins a session for a user; gives the header that tells the browser.
async fn begin_session(server: &Server, user: &str) -> Result<Option<HeaderValue>, Problem> {
    let fresh = || secret::fresh().map_err(|error| Problem::internal(&error));
    let (id, form_key) = (fresh()?, fresh()?);
    server
        .store
        .begin_session(&secret::hash(&id), &user.into(), &form_key, limits::SESSION_LIFE)
        .await?;
    Ok(cookie::give(&id, server.doors.is_secure()))
}

/// Whether a password is right, in a time that does not tell whether the name exists.
async fn check(server: &Server, given: &Credentials) -> Result<Result<bool, NotDone>, Problem> {
    let user = server.store.user(&given.name.as_str().into()).await?;
    let password: String = given.password.chars().take(password::LONGEST + 1).collect();
    let checking = server.passwords.run(move || match user {
        Some(user) if user.has_password() => {
            password::is(&password, &user.password) && !user.disabled
        }
        _ => {
            password::pretend(&password);
            false
        }
    });
    Ok(checking.await)
}

/// `POST /logout`.
pub(crate) async fn leave(
    State(server): State<Server>,
    request: Request,
) -> Result<Response, Problem> {
    let secure = server.doors.is_secure();
    if let Some(id) = cookie::session(request.headers(), secure) {
        server.store.end_session(&secret::hash(&id)).await?;
    }
    let caller = request.extensions().get::<Caller>();
    let linked = match caller.filter(|_| server.backend.sign_on().is_some()) {
        Some(caller) => server.store.has_account(&caller.name.as_str().into()).await?,
        None => false,
    };
    let mut response =
        Redirect::to(if linked { "/login?out=yes" } else { "/login" }).into_response();
    if let Some(value) = cookie::take(secure) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::safe;

    #[test]
    fn logging_in_leads_to_this_site_only() {
        assert_eq!(safe(Some("/runs/x?y=1")), "/runs/x?y=1");
        for to in ["//evil.example", "https://evil.example", "/\\evil", "evil", "/a\nb", ""] {
            assert_eq!(safe(Some(to)), "/", "{to}");
        }
    }
}
