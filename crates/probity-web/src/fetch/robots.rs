//! What a site's robots.txt says about a page, asked once per site and hour.
//!
//! A missing file (4xx) opens the site, and so does one that cannot be understood or leads where
//! we do not go. One that the server fails to give (5xx, 429) closes the site for some minutes, as
//! RFC 9309 asks. Where nothing comes at all, the page is not asked for either and fails for the
//! same reason.

mod rules;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use probity_core::WebUrl;
use reqwest::header::LOCATION;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::body::{self, BodyError, ReadOptions};
use super::client::AGENT_NAME;
use super::limits::{
    ROBOTS_BYTES, ROBOTS_CLOSED, ROBOTS_FRESH, ROBOTS_MEMORY, ROBOTS_REMEMBERED, ROBOTS_TIME,
    ROBOTS_UNREACHABLE,
};
use super::retry::{Retry, is_transient, retry_after};
use super::wire::{Wire, WireError, page_headers};
use rules::Rules;

/// What robots.txt says about one page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ruling {
    /// It may be fetched, with this pause between requests.
    Open(Option<Duration>),
    /// It may not be fetched.
    Closed(String),
    /// The site cannot be reached at all, so neither can the page.
    Unreachable(WireError),
}

/// What is known of the sites that were asked lately.
pub(crate) struct Robots {
    redirects: usize,
    retry: Retry,
    sites: Mutex<HashMap<String, Arc<tokio::sync::Mutex<Option<Known>>>>>,
}

struct Known {
    says: Says,
    until: Instant,
}

#[derive(Clone)]
enum Says {
    Rules(Arc<Rules>),
    NotNow { status: u16, reason: String },
    Unreachable(WireError),
}

impl Robots {
    pub(crate) fn new(redirects: usize, retry: Retry) -> Self {
        Self { redirects, retry, sites: Mutex::new(HashMap::new()) }
    }

    /// Rules on a page, asking the site for its robots.txt if need be. Those who ask about the
    /// same site meanwhile wait for the one answer.
    pub(crate) async fn ruling(&self, wire: &Wire, places: &Semaphore, url: &WebUrl) -> Ruling {
        let site = self.site(&url.as_url().origin().ascii_serialization());
        let mut known = site.lock().await;
        let says = match &*known {
            Some(known) if known.until > Instant::now() => known.says.clone(),
            _ => {
                let _place = places.acquire().await;
                let says = self.ask(wire, url).await;
                *known = Some(Known { says: says.clone(), until: Instant::now() + says.lasts() });
                says
            }
        };
        drop(known);
        match says {
            Says::Rules(rules) if rules.allow(path_and_query(url)) => {
                Ruling::Open(rules.crawl_delay)
            }
            Says::Rules(_) => {
                Ruling::Closed(format!("robots.txt of {} closes this page to us", url.host()))
            }
            Says::NotNow { reason, .. } => Ruling::Closed(reason),
            Says::Unreachable(error) => Ruling::Unreachable(error),
        }
    }

    async fn ask(&self, wire: &Wire, page: &WebUrl) -> Says {
        let tries = async {
            let mut tried = 0;
            loop {
                let (says, wait) = self.load(wire, page).await;
                let pause = wait.unwrap_or_else(|| self.retry.pause(tried));
                if !says.may_change() || tried >= self.retry.times || pause >= ROBOTS_TIME {
                    return says;
                }
                tokio::time::sleep(pause).await;
                tried += 1;
            }
        };
        tokio::time::timeout(ROBOTS_TIME, tries).await.unwrap_or_else(|_| {
            let reason = format!("robots.txt of {} did not come in time", page.host());
            Says::Unreachable(WireError::TimedOut(reason))
        })
    }

    /// Asks once; also how long the server asks us to back off, if it says so.
    async fn load(&self, wire: &Wire, page: &WebUrl) -> (Says, Option<Duration>) {
        let Ok(mut url) = page.join("/robots.txt") else { return (nothing(), None) };
        for _ in 0..=self.redirects {
            let response = match wire.get(&url, page_headers()).await {
                Ok(response) => response,
                // The page's own address was judged before; this one was reached by redirects.
                Err(WireError::Refused(_)) if url.host() != page.host() => break,
                Err(error) => return (Says::Unreachable(error), None),
            };
            let status = response.status().as_u16();
            let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            match (status, location) {
                (200..=299, _) => return (read(response).await, None),
                (301 | 302 | 303 | 307 | 308, Some(location)) => match url.join(location) {
                    Ok(next) => url = next,
                    Err(_) => break,
                },
                (429 | 500.., _) => {
                    let wait = retry_after(response.headers(), SystemTime::now());
                    return (not_now(page, status), wait);
                }
                _ => break,
            }
        }
        // More redirects than are followed count as no file, too.
        (nothing(), None)
    }

    fn site(&self, origin: &str) -> Arc<tokio::sync::Mutex<Option<Known>>> {
        let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(site) = sites.get(origin) {
            return Arc::clone(site);
        }
        if sites.len() >= ROBOTS_REMEMBERED || weight(&sites) > ROBOTS_MEMORY {
            sites.retain(|_, site| Arc::strong_count(site) > 1);
        }
        Arc::clone(sites.entry(origin.to_owned()).or_default())
    }
}

/// About how much memory the remembered rules take.
fn weight(sites: &HashMap<String, Arc<tokio::sync::Mutex<Option<Known>>>>) -> usize {
    let of = |known: &Option<Known>| match known.as_ref().map(|known| &known.says) {
        Some(Says::Rules(rules)) => rules.weight(),
        _ => 0,
    };
    sites.values().filter_map(|site| site.try_lock().ok().map(|known| of(&known))).sum()
}

impl Says {
    /// Whether asking again in a moment may give another answer.
    fn may_change(&self) -> bool {
        match self {
            Says::Rules(_) => false,
            Says::NotNow { status, .. } => is_transient(*status),
            Says::Unreachable(error) => matches!(error, WireError::Transient(_)),
        }
    }

    /// How long the answer is believed.
    fn lasts(&self) -> Duration {
        match self {
            Says::Rules(_) => ROBOTS_FRESH,
            Says::NotNow { .. } => ROBOTS_CLOSED,
            Says::Unreachable(_) => ROBOTS_UNREACHABLE,
        }
    }
}

/// No rules: everything is open.
fn nothing() -> Says {
    Says::Rules(Arc::default())
}

async fn read(response: reqwest::Response) -> Says {
    let how = ReadOptions { limit: ROBOTS_BYTES, memory: None, wanted: None, cut: true };
    match body::read(response, &how).await {
        Ok(body) => {
            let text = String::from_utf8_lossy(&body.bytes);
            Says::Rules(Arc::new(Rules::parse(&text, AGENT_NAME)))
        }
        Err(BodyError::Broken(reason)) => Says::Unreachable(WireError::Transient(reason)),
        Err(_) => nothing(),
    }
}

fn not_now(page: &WebUrl, status: u16) -> Says {
    let host = page.host();
    let reason = format!(
        "robots.txt of {host} could not be had (status {status}), so the site counts as closed for now"
    );
    Says::NotNow { status, reason }
}

fn path_and_query(url: &WebUrl) -> &str {
    let url = url.as_url();
    &url[url::Position::BeforePath..url::Position::AfterQuery]
}
