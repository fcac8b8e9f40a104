//! A run with a search provider of your own, followed event by event.
//!
//!     cargo run -p probity-research --example own_search
//!
//! The provider searches an intranet of two pages, which this program serves itself on loopback. What it finds is
//! scored, permitted, fetched, judged and cited like anything from the web.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::time::Duration;

use probity_core::{Clock, Mode, SearchHit, WebUrl};
use probity_credibility::{Question, Scorer};
use probity_reader::TextReader;
use probity_research::driver::Finished;
use probity_research::event::{Event, Watcher};
use probity_research::execute::{Execution, RunEnvironment};
use probity_research::live_gatherer::{LiveGatherer, Opening};
use probity_research::run::{RunSpec, Where};
use probity_web::fetch::FetchSettings;
use probity_web::search::{LocalProvider, Query, SearchSettings};

const QUESTION: &str = "How long does the harbour ferry take in summer?";

/// The intranet: path, title, text.
const PAGES: [(&str, &str, &str); 2] = [
    (
        "/timetable",
        "Harbour ferry: summer timetable",
        "The harbour ferry takes 40 minutes in summer. It leaves the quay every hour from eight in the morning.",
    ),
    (
        "/handbook",
        "Harbour ferry: how long the crossing takes in summer and winter",
        "In summer the crossing of the harbour ferry takes 40 minutes. In winter it takes an hour, because of the swell.",
    ),
];

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // Every event can be written as JSON; a server sends the same ones to browsers.
    let follow = |event: &Event| println!("{}", serde_json::to_string(event).unwrap_or_default());
    let finished = run(&follow).await?;
    println!("\n{}", finished.report.title());
    Ok(())
}

/// Asks the question of the intranet.
pub(crate) async fn run(watcher: &dyn Watcher) -> Result<Finished, Box<dyn Error>> {
    let host = serve()?;
    let question = Question::new(QUESTION)?;
    let spec = RunSpec {
        place: Where { search: Some("intranet".to_owned()), ..Where::default() },
        ..RunSpec::usual("example", question, Mode::Quick, Clock::System.now())
    };
    let scorer = Scorer::new(spec.policy.clone(), HashMap::new(), spec.asked_at)?;
    // Private addresses are closed unless someone opens them.
    let fetch = FetchSettings {
        allow_hosts: vec![host.parse()?],
        robots: false,
        delay: Duration::ZERO,
        ..FetchSettings::default()
    };
    let search = SearchSettings::default();
    let opening = Opening { fetch, own: vec![provider(host)], ..Opening::usual(&search, scorer) };
    let (gatherer, problems) = LiveGatherer::open(opening, &spec.place).await?;
    let reader = TextReader::open("embedded")?;
    let environment =
        RunEnvironment { gatherer: Box::new(gatherer), model_set: None, reader, problems };
    let execution = Execution { watcher, ..Execution::unattended(&spec, Clock::System) };
    Ok(execution.forgetting(environment).await?)
}

/// A search: a query in, results out. This one finds everything, best first.
fn provider(host: String) -> LocalProvider {
    let look = move |query: Query| {
        let host = host.clone();
        async move {
            let hits = PAGES.iter().take(query.limit()).filter_map(|(path, title, text)| {
                Some(SearchHit {
                    url: WebUrl::parse(&format!("http://{host}{path}")).ok()?,
                    title: (*title).to_owned(),
                    snippet: (*text).to_owned(),
                    published: None,
                    providers: vec!["intranet".to_owned()],
                })
            });
            Ok(hits.collect())
        }
    };
    LocalProvider::new("intranet", look).within(Duration::from_secs(5))
}

/// Serves the pages on a free port for as long as the program lives, and gives host and port.
fn serve() -> Result<String, Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let host = listener.local_addr()?.to_string();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut line = String::new();
            let _ = BufReader::new(&stream).read_line(&mut line);
            let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
            let page = PAGES.iter().find(|(known, _, _)| *known == path);
            let (status, body) = match page {
                Some((_, title, text)) => (
                    "200 OK",
                    format!(
                        "<html><head><title>{title}</title></head><body><main><h1>{title}</h1><p>{text}</p></main></body></html>"
                    ),
                ),
                None => ("404 Not Found", String::new()),
            };
            let length = body.len();
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            );
        }
    });
    Ok(host)
}
