//! Fetching from a web that misbehaves: every page gets its honest outcome, and the next one is served.

mod addresses;
mod api;
mod archive;
mod cache;
mod cases;
mod memory;
mod polite;
mod raw;
mod reader_service;
mod render;
mod robots;
mod shells;
mod site_files;

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use probity_core::WebUrl;
use probity_credibility::Permit;
use probity_testkit::bad_web::{Asked, BadWeb, Reply};
use probity_web::fetch::{AllowedHost, FetchSettings, Fetcher, Page, Resolver};

/// Settings for tests: these servers are open, no one waits for politeness, robots are not asked.
fn settings(open: &[&BadWeb]) -> FetchSettings {
    FetchSettings {
        robots: false,
        delay: Duration::ZERO,
        per_host: 64,
        backoff: Duration::from_millis(1),
        allow_hosts: open.iter().map(|web| allow(web)).collect(),
        ..FetchSettings::default()
    }
}

fn allow(web: &BadWeb) -> AllowedHost {
    web.address().to_string().parse().unwrap()
}

fn fetcher(open: &[&BadWeb]) -> Fetcher {
    Fetcher::new(settings(open)).unwrap()
}

fn permit(url: &str) -> Permit {
    Permit::by_user(WebUrl::parse(url).unwrap())
}

async fn get(fetcher: &Fetcher, url: &str) -> Page {
    fetcher.fetch(&permit(url)).await
}

async fn web(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> BadWeb {
    BadWeb::start(answer).await.unwrap()
}

/// Names for tests: each name has a list of answers, and the last one stays.
#[derive(Clone, Default)]
struct Names(Arc<Mutex<HashMap<String, Vec<Vec<SocketAddr>>>>>, Arc<Mutex<Vec<String>>>);

impl Names {
    fn with(self, name: &str, answers: &[&[&str]]) -> Self {
        let parse = |answer: &&[&str]| answer.iter().map(|text| text.parse().unwrap()).collect();
        let answers = answers.iter().map(parse).collect();
        self.0.lock().unwrap().insert(name.to_owned(), answers);
        self
    }

    fn looked_up(&self, name: &str) -> usize {
        self.1.lock().unwrap().iter().filter(|known| *known == name).count()
    }
}

impl Resolver for Names {
    fn resolve(&self, host: &str) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
        self.1.lock().unwrap().push(host.to_owned());
        let mut names = self.0.lock().unwrap();
        let answer = match names.get_mut(host.trim_end_matches('.')) {
            Some(answers) if answers.len() > 1 => Ok(answers.remove(0)),
            Some(answers) => Ok(answers[0].clone()),
            None => Err(io::Error::other("no such name")),
        };
        futures::future::ready(answer).boxed()
    }
}
