//! A shell → its text after its scripts ran, in a browser that has no network of its own.
//!
//! ```text
//! browser asks → guard, robots.txt, turn, limits → answer → browser … → quiet → HTML → judged like any page
//! ```
//!
//! Every request of the browser is held and answered by us, so that whatever scripts ask for is asked for by the rules
//! of pages: addresses are judged as they are resolved, redirects one by one. Pictures, frames, forms and everything but
//! GET are refused. Off unless it is set, and only for pages with a permit that came as shells.

mod browser;

use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use probity_core::WebUrl;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, ORIGIN};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use self::browser::Browser;
use super::Inner;
use super::body::Body;
use super::follow::Trail;
use super::limits::{
    RENDER_BODY_BYTES, RENDER_BYTES, RENDER_PAGE_CHARS, RENDER_QUIET, RENDER_READING,
    RENDER_REQUESTS, RENDER_TIME,
};
use super::load::{Asking, PageAnswer};
use super::page::Page;
use crate::extract::is_same_site;

/// What a page may ask for to show its text.
const KINDS: &[&str] = &["Document", "Script", "XHR", "Fetch", "Stylesheet"];
/// Headers of an answer that speak of the wire, or of us.
const OURS: &[&str] =
    &["content-encoding", "content-length", "transfer-encoding", "set-cookie", "connection"];

/// The browser's instruction for a request that it paused.
struct Reply {
    method: &'static str,
    params: Value,
    /// Nothing where the request was refused.
    bytes: Option<u64>,
}

impl Inner {
    /// The page after its scripts ran, or as it was, with what went wrong.
    pub(crate) async fn render(&self, program: &str, page: Page, deadline: Instant) -> Page {
        // The semaphore is never closed, so this waits and does not fail.
        let _place = self.rendering.acquire().await;
        let now = Instant::now();
        let until = deadline.checked_sub(RENDER_READING).unwrap_or(now).min(now + RENDER_TIME);
        let html = match self.rendered(program, &page.final_url, until).await {
            Ok(html) => html,
            Err(error) => {
                let reason = format!("{}, and no browser showed it: {error}", page.reason);
                return Page { reason, ..page };
            }
        };
        let kind = HeaderValue::from_static("text/html; charset=utf-8");
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, kind)]);
        let body = Body::from(html.into_bytes());
        let answer = PageAnswer { status: 200, headers, body, cached: false, place: None };
        let mut trail = Trail::from(&page.final_url);
        trail.content_type = answer.content_type();
        let (found, _) = self.judge(&page.url, &trail, answer, deadline).await;
        match found.outcome.is_read() {
            true => Page {
                redirects: page.redirects,
                status: page.status,
                reason: "read after its scripts ran".to_owned(),
                ..found
            },
            false => {
                Page { reason: format!("{}, and none after running them", page.reason), ..page }
            }
        }
    }

    async fn rendered(&self, program: &str, url: &WebUrl, until: Instant) -> io::Result<String> {
        let late = |what| move |_| io::Error::new(io::ErrorKind::TimedOut, what);
        let mut browser = Browser::start(program)?;
        let opened = timeout_at(until, open(&mut browser, url)).await;
        let (session, frame) = opened.map_err(late("it does not answer"))??;
        let mut answering = FuturesUnordered::new();
        let (mut asked, mut bytes, mut loaded) = (0, 0, false);
        let mut last = Instant::now();
        loop {
            tokio::select! {
                message = browser.next() => {
                    let message = message?;
                    match at(&message, "/method").as_str() {
                        Some("Fetch.requestPaused") => {
                            let paused = at(&message, "/params").clone();
                            asked += 1;
                            let full = asked > RENDER_REQUESTS || bytes > RENDER_BYTES;
                            answering.push(self.answer(paused, url, &frame, full, until));
                        }
                        Some("Page.lifecycleEvent") => {
                            loaded |= at(&message, "/params/name").as_str() == Some("load");
                            last = Instant::now();
                        }
                        // A page that wanted to leave and may not has stopped without having loaded.
                        Some("Page.frameStoppedLoading") => {
                            loaded |= at(&message, "/params/frameId").as_str() == Some(&frame);
                        }
                        // Scripts wait for a person's answer.
                        Some("Page.javascriptDialogOpening") => {
                            let no = json!({ "accept": false });
                            browser.send(Some(&session), "Page.handleJavaScriptDialog", no).await?;
                        }
                        Some("Inspector.targetCrashed") => {
                            return Err(io::Error::other("the page crashed in it"));
                        }
                        _ => {}
                    }
                }
                Some(reply) = answering.next(), if !answering.is_empty() => {
                    let Reply { method, params, bytes: more } = reply;
                    // A page may ask without end for what it does not get.
                    if let Some(more) = more {
                        bytes += more;
                        last = Instant::now();
                    }
                    browser.send(Some(&session), method, params).await?;
                }
                () = sleep_until(last + RENDER_QUIET), if loaded && answering.is_empty() => break,
                // What is there by then has to do.
                () = sleep_until(until) => break,
            }
        }
        drop(answering);
        // A script that does not end would let nobody read.
        browser.send(Some(&session), "Runtime.terminateExecution", json!({})).await?;
        // A page that went where it may not go has the browser's own words in its place.
        let script = format!(
            "location.protocol.startsWith('http') \
             ? document.documentElement.outerHTML.slice(0, {RENDER_PAGE_CHARS}) : ''"
        );
        let params = json!({ "expression": script, "returnByValue": true });
        let reading = browser.call(Some(&session), "Runtime.evaluate", params);
        let result = timeout(RENDER_READING, reading)
            .await
            .map_err(late("the page does not come out of it"))??;
        let html = at(&result, "/result/value").as_str().unwrap_or_default();
        Ok(html.to_owned())
    }

    /// Answers a request of the browser's, or refuses it.
    async fn answer(
        &self,
        paused: Value,
        page: &WebUrl,
        frame: &str,
        full: bool,
        deadline: Instant,
    ) -> Reply {
        let id = at(&paused, "/requestId");
        let (method, params) = match is_page(&paused, frame) {
            // Without content the browser stays where it is, with the text that is there.
            true => ("Fetch.fulfillRequest", json!({ "requestId": id, "responseCode": 204 })),
            false => {
                let reason = "BlockedByClient";
                ("Fetch.failRequest", json!({ "requestId": id, "errorReason": reason }))
            }
        };
        let refused = Reply { method, params, bytes: None };
        if full || !is_wanted(&paused, page, frame) {
            return refused;
        }
        let Some(url) = address(&paused) else { return refused };
        if self.settings.robots && self.obey_robots(&url).await.is_err() {
            return refused;
        }
        let asking = Asking {
            deadline,
            extra: &origin(&paused),
            use_cache: true,
            wanted: &|_, _| true,
            most: Some(RENDER_BODY_BYTES),
        };
        // Redirects are the browser's to follow: each comes back here.
        let Ok(answer) = self.load(&url, &asking).await else { return refused };
        let headers: Vec<Value> = answer
            .headers
            .iter()
            .filter(|(name, _)| !OURS.contains(&name.as_str()))
            .filter_map(|(name, value)| {
                Some(json!({ "name": name.as_str(), "value": value.to_str().ok()? }))
            })
            .collect();
        let body = STANDARD.encode(&answer.body.bytes);
        Reply {
            method: "Fetch.fulfillRequest",
            params: json!({
                "requestId": id, "responseCode": answer.status, "responseHeaders": headers, "body": body,
            }),
            bytes: Some(answer.body.bytes.len() as u64),
        }
    }
}

/// Opens the page in a tab whose requests are all held, and gives its session and main frame.
async fn open(browser: &mut Browser, url: &WebUrl) -> io::Result<(String, String)> {
    let missing = || io::Error::other("it does not answer as expected");
    let target = browser.call(None, "Target.createTarget", json!({ "url": "about:blank" })).await?;
    let attach = json!({ "targetId": at(&target, "/targetId"), "flatten": true });
    let attached = browser.call(None, "Target.attachToTarget", attach).await?;
    let session = at(&attached, "/sessionId").as_str().ok_or_else(missing)?.to_owned();
    for (method, params) in [
        ("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*" }] })),
        ("Page.enable", json!({})),
        ("Inspector.enable", json!({})),
        ("Page.setLifecycleEventsEnabled", json!({ "enabled": true })),
        ("Network.enable", json!({})),
        ("Network.setBypassServiceWorker", json!({ "bypass": true })),
    ] {
        browser.call(Some(&session), method, params).await?;
    }
    let tree = browser.call(Some(&session), "Page.getFrameTree", json!({})).await?;
    let frame = at(&tree, "/frameTree/frame/id").as_str().ok_or_else(missing)?.to_owned();
    // It answers when the first bytes are there, which are ours to give.
    browser.send(Some(&session), "Page.navigate", json!({ "url": url.as_str() })).await?;
    Ok((session, frame))
}

/// Whether a request is one that shows the page's text: by GET, of a kind that matters, and no document but the page.
fn is_wanted(paused: &Value, page: &WebUrl, frame: &str) -> bool {
    let kind = at(paused, "/resourceType").as_str().unwrap_or_default();
    let is_ours =
        || is_page(paused, frame) && address(paused).is_some_and(|url| is_same_site(page, &url));
    at(paused, "/request/method").as_str() == Some("GET")
        && KINDS.contains(&kind)
        && (kind != "Document" || is_ours())
}

/// Whether the answer to a request takes the page's place.
fn is_page(paused: &Value, frame: &str) -> bool {
    at(paused, "/resourceType").as_str() == Some("Document")
        && at(paused, "/frameId").as_str() == Some(frame)
}

fn address(paused: &Value) -> Option<WebUrl> {
    WebUrl::parse(at(paused, "/request/url").as_str()?).ok()
}

/// Who asks, where the browser says so: servers answer scripts of other sites only by name.
fn origin(paused: &Value) -> HeaderMap {
    let said = at(paused, "/request/headers/Origin").as_str();
    let value = said.and_then(|origin| HeaderValue::from_str(origin).ok());
    value.map(|value| HeaderMap::from_iter([(ORIGIN, value)])).unwrap_or_default()
}

/// What lies at a place of a message; nothing where it has no such place.
fn at<'a>(message: &'a Value, place: &str) -> &'a Value {
    static NOTHING: Value = Value::Null;
    message.pointer(place).unwrap_or(&NOTHING)
}
