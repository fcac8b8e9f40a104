//! The check before every route: who calls, may they, and did they mean to.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::{HeaderMap, Method, header};

use super::{Access, Caller, Scope, Via, cookie, secret};
use crate::problem::Problem;
use crate::routes::Side;
use crate::state::{Door, Server};
use crate::{limits, read};

/// The header in which a script of our own page proves that it is that.
pub(crate) const FORM_KEY_HEADER: &str = "x-form-key";
/// The field in which a form of our own page proves that it is that.
pub(crate) const FORM_KEY_FIELD: &str = "form_key";

/// What the check of a route knows.
#[derive(Clone)]
pub(crate) struct Check {
    pub(crate) server: Server,
    pub(crate) access: Access,
    pub(crate) side: Side,
    /// Whether it takes forms with files, whose bodies are not read before their handler does.
    pub(crate) receives: bool,
    /// The most bytes of any other form.
    pub(crate) form_bytes: usize,
}

/// What a form with files has to hold in its first field: it is too large to be looked into before.
#[derive(Clone)]
pub(crate) struct Unproven(String);

impl Unproven {
    /// Makes sure that the first field of a form is what only a page of ours knows.
    pub(crate) fn prove(&self, name: &str, value: &str) -> Result<(), Problem> {
        match name == FORM_KEY_FIELD && secret::same(value, &self.0) {
            true => Ok(()),
            false => Err(stale()),
        }
    }

    /// What is said of a form that proves nothing.
    pub(crate) fn stale() -> Problem {
        stale()
    }
}

/// Lets a request through to its route, or says why not.
pub(crate) async fn admit(
    State(check): State<Check>,
    mut request: Request,
    next: Next,
) -> Response {
    let found = match find(&check.server, request.headers()).await {
        Ok(found) => found,
        // A session that ended is no hindrance where none is needed.
        Err(_) if check.access == Access::Anyone => None,
        Err(problem) => return refuse(&check, &request, problem),
    };
    if let Access::Needs(scope) = check.access {
        let Some(caller) = &found else {
            let problem = Problem::unknown_caller("log in, or send a token as `Bearer`");
            return refuse(&check, &request, problem);
        };
        if !caller.may(scope) {
            return Problem::forbidden(missing(caller, scope)).into_response();
        }
    }
    if let Some(caller) = found {
        request = match prove(&check, &caller, request).await {
            Ok(request) => request,
            Err(problem) => return problem.into_response(),
        };
        request.extensions_mut().insert(caller);
    } else if check.server.door == Door::Open {
        request.extensions_mut().insert(Caller::local());
    }
    next.run(request).await
}

fn missing(caller: &Caller, scope: Scope) -> String {
    match caller.via {
        Via::Token => format!("this token has no scope `{}`", scope.as_str()),
        _ => format!("{} may not do this; ask an admin", caller.name),
    }
}

/// Pages send people who are not logged in to where they can.
fn refuse(check: &Check, request: &Request, problem: Problem) -> Response {
    let is_reading = *request.method() == Method::GET;
    if check.side == Side::Page && is_reading && check.server.door == Door::Login {
        let to = request.uri().path_and_query().map_or("/", |path| path.as_str());
        let to: String = url::form_urlencoded::byte_serialize(to.as_bytes()).collect();
        return Redirect::to(&format!("/login?to={to}")).into_response();
    }
    problem.into_response()
}

/// Who calls, if they say so.
async fn find(server: &Server, headers: &HeaderMap) -> Result<Option<Caller>, Problem> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let Some(token) = value.to_str().ok().and_then(token) else {
            return Err(Problem::unknown_caller("send the token as `Authorization: Bearer …`"));
        };
        let kept = server.store.token(&secret::hash(&token)).await?;
        let Some(kept) = kept else {
            return Err(Problem::unknown_caller("this token is not known, or was revoked"));
        };
        let mut scopes = Scope::parse_list(&kept.scopes).unwrap_or_default();
        // Whoever may do less than when the token was made may do no more with it.
        scopes.retain(|scope| kept.role.is_none_or(|role| Scope::of_role(role).contains(scope)));
        return Ok(Some(Caller { name: kept.owner, scopes, via: Via::Token }));
    }
    if server.door == Door::Open {
        return Ok(Some(Caller::local()));
    }
    let Some(id) = cookie::session(headers, server.doors.is_secure()) else { return Ok(None) };
    let (hash, idle, life) = (secret::hash(&id), limits::SESSION_IDLE, limits::SESSION_LIFE);
    let Some(kept) = server.store.session(&hash, idle, life).await? else {
        return Err(Problem::unknown_caller("the session ended; log in again"));
    };
    Ok(Some(Caller {
        name: kept.user.into(),
        scopes: Scope::of_role(kept.role).to_vec(),
        via: Via::Session { form_key: kept.form_key },
    }))
}

/// The token of an `Authorization` header. Feed readers know passwords only, so a token is also taken as
/// one, whatever the name beside it.
fn token(header: &str) -> Option<String> {
    let (scheme, rest) = header.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(rest.trim().to_owned());
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let pair = BASE64.decode(rest.trim()).ok().and_then(|bytes| String::from_utf8(bytes).ok())?;
    pair.split_once(':').map(|(_, password)| password.to_owned())
}

/// A change that a browser sends must come from a page of ours: it carries what only such a page knows.
async fn prove(check: &Check, caller: &Caller, mut request: Request) -> Result<Request, Problem> {
    let is_change = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let expected = match (&caller.via, check.side) {
        _ if !is_change => return Ok(request),
        (Via::Token, _) => return Ok(request),
        // A program on the same machine; browsers are known by their origin.
        (Via::OpenDoor, Side::Api) => return Ok(request),
        (Via::OpenDoor, Side::Page) => check.server.form_key.clone(),
        (Via::Session { form_key }, _) => form_key.clone(),
    };
    let sent = request.headers().get(FORM_KEY_HEADER).and_then(|value| value.to_str().ok());
    if let Some(sent) = sent {
        return match secret::same(sent, &expected) {
            true => Ok(request),
            false => Err(stale()),
        };
    }
    if check.side == Side::Api {
        return Err(stale());
    }
    if check.receives && read::is_multipart(request.headers()) {
        request.extensions_mut().insert(Unproven(expected));
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    let bytes = read::body_within(Request::new(body), check.form_bytes).await?;
    let sent = url::form_urlencoded::parse(&bytes)
        .find(|(name, _)| name == FORM_KEY_FIELD)
        .map(|(_, value)| value.into_owned());
    if !sent.is_some_and(|sent| secret::same(&sent, &expected)) {
        return Err(stale());
    }
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

fn stale() -> Problem {
    Problem::forbidden("this form is from an old page; go back, reload it and send it again")
}
