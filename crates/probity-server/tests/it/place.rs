//! A server with a store of its own, and a client that speaks to it.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use http::{HeaderMap, Method, Request, StatusCode, header};
use probity_core::Clock;
use probity_server::access::{password, secret};
use probity_server::{Door, Doors, Server, Setup, routes};
use probity_store::access::{NewToken, Role};
use probity_store::queue::QueueLimits;
use probity_store::{Ending, Location, NewRun, RunStatus, Store};
use serde_json::Value;
use tower::ServiceExt as _;

use crate::backend::{NOW, TestBackend};

pub(crate) const HOST: &str = "127.0.0.1:8642";
/// A run with a report that every place has.
pub(crate) const RUN: &str = "20261115-songs1";
/// The report of that run.
pub(crate) const SONGS: &str = include_str!("../../../probity-report/tests/fixtures/songs.json");
/// The end of a run with that report.
pub(crate) const SUNG: Ending<'static> = Ending {
    status: RunStatus::Finished,
    decision: Some("full_report"),
    title: Some("Songs"),
    report: Some(SONGS),
    error: None,
};
pub(crate) const PASSWORD: &str = "correct horse battery";

pub(crate) struct Place {
    pub(crate) store: Store,
    pub(crate) router: Router,
    pub(crate) server: Server,
    _folder: tempfile::TempDir,
}

/// An answer, read to its end.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{e}: {}", self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// A request about to be sent.
pub(crate) struct Call {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

pub(crate) fn get(path: &str) -> Call {
    Call::new(Method::GET, path)
}

pub(crate) fn post(path: &str, body: &Value) -> Call {
    Call::new(Method::POST, path).json(body)
}

impl Call {
    pub(crate) fn new(method: Method, path: &str) -> Self {
        Self { method, path: path.to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn json(mut self, body: &Value) -> Self {
        self.body = body.to_string().into_bytes();
        self.with("content-type", "application/json")
    }

    pub(crate) fn form(mut self, fields: &[(&str, &str)]) -> Self {
        let mut text = url::form_urlencoded::Serializer::new(String::new());
        text.extend_pairs(fields);
        self.body = text.finish().into_bytes();
        self.with("content-type", "application/x-www-form-urlencoded")
    }

    /// A form with files: fields first, then files by their names.
    pub(crate) fn files(mut self, fields: &[(&str, &str)], files: &[(&str, &[u8])]) -> Self {
        const EDGE: &str = "edge-of-a-part";
        let mut body = Vec::new();
        for (name, value) in fields {
            let head =
                format!("--{EDGE}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
            body.extend_from_slice(format!("{head}{value}\r\n").as_bytes());
        }
        for (name, bytes) in files {
            let head = format!(
                "--{EDGE}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
                 Content-Type: application/octet-stream\r\n\r\n"
            );
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{EDGE}--\r\n").as_bytes());
        self.body = body;
        self.with("content-type", &format!("multipart/form-data; boundary={EDGE}"))
    }

    pub(crate) fn token(self, token: &str) -> Self {
        self.with("authorization", &format!("Bearer {token}"))
    }

    pub(crate) fn request(self) -> Request<Body> {
        let mut request = Request::builder().method(self.method).uri(self.path);
        if !self.headers.iter().any(|(name, _)| name == "host") {
            request = request.header(header::HOST, HOST);
        }
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        request.body(Body::from(self.body)).unwrap()
    }
}

impl Place {
    pub(crate) async fn open() -> Self {
        Self::with(Door::Open, 100_000).await
    }

    pub(crate) async fn locked() -> Self {
        Self::with(Door::Login, 100_000).await
    }

    pub(crate) async fn with(door: Door, rate: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&Location::file(folder.path().join("test.db"))).await.unwrap();
        let store = store.with_clock(Clock::Fixed(NOW));
        let server = Server::new(Setup {
            store: store.clone(),
            backend: Arc::new(TestBackend::new(store.clone())),
            clock: Clock::Fixed(NOW),
            door,
            doors: Doors::at(HOST.parse().unwrap()),
            rate,
            workers: false,
            queue: QueueLimits { open: 3, open_per_owner: 2 },
            failures_most: 3,
        })
        .unwrap();
        let router = routes::router(&server);
        let place = Self { store, router, server, _folder: folder };
        place.keep_report(RUN, SONGS).await;
        place
    }

    /// Keeps a run with a report.
    pub(crate) async fn keep_report(&self, id: &str, report: &str) {
        let read: Value = serde_json::from_str(report).unwrap();
        let run = NewRun {
            id: &id.into(),
            question: read["question"].as_str().unwrap(),
            mode: "standard",
            spec: "{}",
            asked_at: NOW,
        };
        assert!(self.store.create_run(&run).await.unwrap());
        let ending = Ending {
            status: RunStatus::Finished,
            decision: read["decision"].as_str(),
            title: read["title"].as_str(),
            report: Some(report),
            error: None,
        };
        self.store.end_run(&id.into(), &ending, &[]).await.unwrap();
    }

    pub(crate) async fn call(&self, call: Call) -> Answer {
        self.answer(call.request()).await
    }

    pub(crate) async fn answer(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Answer { status: parts.status, headers: parts.headers, text }
    }

    /// A token of someone's, with these scopes.
    pub(crate) async fn token(&self, owner: &str, scopes: &str) -> String {
        let (id, token) = secret::fresh_token().unwrap();
        let hash = secret::hash(&token);
        let new = NewToken { id: &id, hash: &hash, owner, scopes };
        assert!(self.store.add_token(&new).await.unwrap());
        token
    }

    /// Adds a user and logs them in: the cookie, and what their forms carry.
    pub(crate) async fn log_in(&self, name: &str, role: Role) -> (String, String) {
        let hash = password::hash(PASSWORD).unwrap();
        assert!(self.store.add_user(&name.into(), &hash, role).await.unwrap());
        let fields = [("name", name), ("password", PASSWORD), ("to", "/runs")];
        let answer = self.call(Call::new(Method::POST, "/login").form(&fields)).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
        let page = self.call(get("/runs").with("cookie", &cookie)).await;
        (cookie, form_key(&page.text))
    }
}

/// What the forms of a page carry.
pub(crate) fn form_key(page: &str) -> String {
    let start = page.split("name=\"form-key\" content=\"").nth(1).expect("a form key");
    start.split('"').next().unwrap().to_owned()
}
