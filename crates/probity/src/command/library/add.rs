//! `probity library add`: folders, files, pages and whole sites → the index.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use probity_core::{Document, WebUrl, printable};
use probity_credibility::Permit;
use probity_research::live_gatherer::FileReader;
use probity_store::library::{
    AddOptions, AddReport, Ingested, Library, LibraryError, ReadDocument, WalkOptions,
};
use probity_web::fetch::Fetcher;
use probity_web::sitemap::is_sitemap;
use serde::Serialize;

use super::progress::Bar;
use super::site::{Added, Site};
use crate::app::App;
use crate::failure::EXIT_USAGE;
use crate::output;

/// How many files that could not be read, or only in part, are named on a terminal. JSON has them all.
const NAMED: usize = 20;

/// What may be typed after `probity library add`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders, files, or addresses of pages and sitemaps.
    #[arg(value_name = "PATH|URL", required = true)]
    names: Vec<String>,
    /// Read files and pages again although they did not change.
    #[arg(long)]
    again: bool,
    /// Take addresses for sitemaps, whatever they are called, and add the pages that they list.
    #[arg(long)]
    sitemap: bool,
    /// The maximum number of pages of a sitemap to add; the most recently changed come first.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pages: u32,
    /// Follow symbolic links, also out of the folder.
    #[arg(long)]
    follow_links: bool,
    /// Open exactly this host and port, even if its address is private. May be repeated.
    #[arg(long, value_name = "HOST:PORT")]
    allow_host: Vec<String>,
    /// Ignore robots.txt, for documents that you are entitled to read.
    #[arg(long)]
    no_robots: bool,
}

/// What was added, as JSON. The order of the fields is part of the format.
#[derive(Default, Serialize)]
struct Output {
    added: usize,
    changed: usize,
    unchanged: usize,
    removed: usize,
    failed: usize,
    paths: Vec<AddReport>,
    pages: Vec<PageOutput>,
}

#[derive(Serialize)]
struct PageOutput {
    url: String,
    result: Option<Ingested>,
    why: Option<String>,
    cut_short: Option<String>,
}

/// A page that is in the library.
pub(crate) struct Kept {
    /// What adding it did.
    pub(crate) ingested: Ingested,
    /// Which limit left out a part of it, if one did.
    pub(crate) cut_short: Option<String>,
}

/// Runs `probity library add`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let mut settings = app.fetch_settings(&args.allow_host)?;
    settings.robots &= !args.no_robots;
    let library = Library::of(&app.store().await?);
    let walk = WalkOptions { follow_links: args.follow_links, ..WalkOptions::default() };
    let options = AddOptions { walk, again: args.again };
    let mut fetcher = None;
    let mut output = Output::default();
    let mut complete = true;
    for name in &args.names {
        let taken = match page_address(name) {
            Some(url) => {
                let fetcher = match &fetcher {
                    Some(fetcher) => fetcher,
                    None => fetcher.insert(
                        Fetcher::new(settings.clone()).context("cannot prepare the fetcher")?,
                    ),
                };
                if args.sitemap || is_sitemap(&url) {
                    let site = Site { library: &library, fetcher, again: args.again };
                    output.take_site(site.add(&url, usize::try_from(args.pages)?).await?)
                } else {
                    output.take_page(&url, add_page(&library, fetcher, &url).await?)
                }
            }
            None => {
                let report = add_path(&library, Path::new(name), options).await;
                output.take_path(report)?
            }
        };
        complete &= taken;
    }
    if app.json {
        output::print_json(&output)?;
    } else {
        output.write_text()?;
    }
    let absent = |name: &String| page_address(name).is_none() && !Path::new(name).exists();
    Ok(match complete {
        true => ExitCode::SUCCESS,
        false if args.names.iter().any(absent) => ExitCode::from(EXIT_USAGE),
        false => ExitCode::FAILURE,
    })
}

/// The address, unless there is a file of that name.
fn page_address(name: &str) -> Option<WebUrl> {
    WebUrl::parse(name).ok().filter(|_| !Path::new(name).exists())
}

pub(super) async fn add_path(
    library: &Library,
    path: &Path,
    options: AddOptions,
) -> Result<AddReport, LibraryError> {
    let mut bar = Bar::of("files");
    let report =
        library.add(path, Arc::new(FileReader), options, &mut |progress| bar.show(progress)).await;
    bar.finish();
    report
}

/// Fetches a page and indexes it; or says why it could not be read.
pub(crate) async fn add_page(
    library: &Library,
    fetcher: &Fetcher,
    url: &WebUrl,
) -> anyhow::Result<Result<Kept, String>> {
    let page = fetcher.fetch(&Permit::by_user(url.clone())).await;
    let document: Document = match page.document {
        Some(document) if page.outcome.is_read() => document,
        _ => return Ok(Err(format!("{}: {}", page.outcome.as_str(), page.reason))),
    };
    let cut_short = document.cut_short.clone();
    let reading = ReadDocument { document, ..ReadDocument::default() };
    let ingested = library.add_page(&page.final_url, reading).await?;
    Ok(Ok(Kept { ingested, cut_short }))
}

impl Output {
    /// Counts the result of a path; gives whether all of it could be taken in.
    fn take_path(&mut self, report: Result<AddReport, LibraryError>) -> anyhow::Result<bool> {
        let report = match report {
            Ok(report) => report,
            Err(error @ LibraryError::Path { .. }) => {
                // The other paths are worth adding anyway.
                output::note(&error.to_string());
                self.failed += 1;
                return Ok(false);
            }
            Err(error) => return Err(error.into()),
        };
        self.added += report.added;
        self.changed += report.changed;
        self.unchanged += report.unchanged;
        self.removed += report.removed;
        self.failed += report.failed.len();
        let whole = report.failed.is_empty() && !report.cut_short;
        self.paths.push(report);
        Ok(whole)
    }

    /// Counts the result of a site; gives whether all of its list could be taken in.
    fn take_site(&mut self, site: Added) -> bool {
        let mut whole = site.problems.is_empty();
        for problem in &site.problems {
            output::note(problem);
            self.failed += 1;
        }
        for (url, taken) in site.pages {
            whole &= self.take_page(&url, taken);
        }
        whole
    }

    fn take_page(&mut self, url: &WebUrl, taken: Result<Kept, String>) -> bool {
        let (result, why, cut_short) = match taken {
            Ok(Kept { ingested, cut_short }) => (Some(ingested), None, cut_short),
            Err(why) => (None, Some(why), None),
        };
        match result {
            Some(Ingested::Added) => self.added += 1,
            Some(Ingested::Changed) => self.changed += 1,
            Some(Ingested::Unchanged) => self.unchanged += 1,
            None => self.failed += 1,
        }
        self.pages.push(PageOutput { url: url.to_string(), result, why, cut_short });
        result.is_some()
    }

    fn write_text(&self) -> anyhow::Result<()> {
        let mut out = output::stdout();
        for report in &self.paths {
            let AddReport { added, changed, unchanged, removed, failed, .. } = report;
            let failed = failed.len();
            writeln!(
                out,
                "{}: {added} added, {changed} changed, {unchanged} unchanged, {removed} removed, \
                 {failed} failed",
                printable::line(&report.path)
            )?;
            for (reason, count) in &report.passed_over {
                writeln!(out, "  skipped: {count} {reason}")?;
            }
            if report.cut_short {
                writeln!(
                    out,
                    "  there are more files than one library takes; name a smaller folder"
                )?;
            }
            for failed in report.failed.iter().take(NAMED) {
                let (origin, why) = (printable::line(&failed.origin), printable::line(&failed.why));
                writeln!(out, "  failed: {origin}: {why}")?;
            }
            if failed > NAMED {
                writeln!(
                    out,
                    "  … and {} more; `probity library list --failed` has them",
                    failed - NAMED
                )?;
            }
            for part in report.read_in_part.iter().take(NAMED) {
                note_part(&part.origin, &part.why);
            }
            if report.read_in_part.len() > NAMED {
                let more = report.read_in_part.len() - NAMED;
                output::note(&format!("… and {more} more were read in part; --json has them"));
            }
        }
        for page in &self.pages {
            let result = match (page.result, &page.why) {
                (Some(Ingested::Added), _) => "added",
                (Some(Ingested::Changed), _) => "changed",
                (Some(Ingested::Unchanged), _) => "unchanged",
                (None, Some(why)) => why,
                (None, None) => "failed",
            };
            writeln!(out, "{}: {}", printable::line(&page.url), printable::line(result))?;
            if let Some(why) = &page.cut_short {
                note_part(&page.url, why);
            }
        }
        Ok(out.flush()?)
    }
}

/// Tells that a part of a document is not in the library.
fn note_part(origin: &str, why: &str) {
    output::note(&format!("read in part: {origin}: {why}"));
}
