//! `probity outlets resolve`: whose page an address, a feed item or a saved page is.

use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style as Ansi};
use anyhow::Context as _;
use probity_core::{UrlError, WebUrl, printable};
use probity_credibility::feed::FeedItem;
use probity_credibility::outlet::{Resolution, Resolver};

use crate::app::App;
use crate::failure::{WithHint as _, cannot_read, usage};
use crate::output;

/// The largest file that is read.
const FILE_BYTES: u64 = 4 * 1024 * 1024;

/// What to do about a text that is no address.
const WHOLE: &str = "give the whole address, for example https://www.reuters.com/world/";

/// What may be typed after `probity outlets resolve`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The address; with --feed-item, the link where the item has none.
    #[arg(value_name = "URL", required_unless_present = "feed_item")]
    url: Option<String>,
    /// The feed item that the address came with: an RSS item, an Atom entry, a JSON Feed item, or
    /// the HTML that the address answered with. `-` reads stdin.
    #[arg(long, value_name = "FILE")]
    feed_item: Option<PathBuf>,
}

/// Runs `probity outlets resolve`. An address without an outlet is an answer, not a failure.
pub(crate) fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let resolver = Resolver::new(&app.settings.credibility.outlets)
        .context("the configuration of outlets cannot be used")?;
    let found = match (&args.url, &args.feed_item) {
        (url, Some(file)) => resolve_file(&resolver, url.as_deref(), file)?,
        (Some(url), None) => {
            resolver.resolve_text(url).map_err(|error| not_a_url(url, &error)).hint(WHOLE)?
        }
        (None, None) => return Err(usage("give a URL or --feed-item FILE")),
    };
    if app.json {
        output::print_json(&found)?;
    } else {
        print_text(args, &found, app)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn resolve_file(resolver: &Resolver, url: Option<&str>, file: &Path) -> anyhow::Result<Resolution> {
    let address = match url {
        Some(text) => {
            Some(WebUrl::parse(text).map_err(|error| not_a_url(text, &error)).hint(WHOLE)?)
        }
        None => None,
    };
    let text = read(file)?;
    if !FeedItem::is_likely(&text) {
        return Ok(resolver.resolve_page(address.as_ref(), &text));
    }
    let mut item = FeedItem::parse(&text, None)
        .map_err(|error| usage(format!("{}: {error}", file.display())))
        .hint("give one <item>, <entry> or JSON Feed item, or the HTML of a page")?;
    item.link = item.link.or_else(|| address.map(|url| url.to_string()));
    Ok(resolver.resolve_item(&item))
}

fn read(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let mut source: Box<dyn Read> = match file.to_str() {
        Some("-") => Box::new(std::io::stdin().lock()),
        _ => Box::new(std::fs::File::open(file).map_err(|error| cannot_read(file, error))?),
    };
    let read = source.by_ref().take(FILE_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| cannot_read(file, error))?;
    if bytes.len() as u64 > FILE_BYTES {
        return Err(usage(format!("{} is longer than {FILE_BYTES} bytes", file.display())));
    }
    // Addresses are ASCII in every encoding a feed may have.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn not_a_url(text: &str, error: &UrlError) -> anyhow::Error {
    usage(format!("{}: {error}", printable::brief(text, 80)))
}

fn print_text(args: &Args, found: &Resolution, app: &App) -> anyhow::Result<()> {
    let bold = Ansi::new().bold();
    let mut out = output::stdout();
    let subject = match (&args.url, &args.feed_item) {
        (Some(url), _) => printable::brief(url, 400),
        (None, Some(file)) => printable::line(&file.display().to_string()).into_owned(),
        (None, None) => String::new(),
    };
    writeln!(out, "{}", app.style.stdout(bold, &subject))?;
    let (outlet, color) = match &found.outlet {
        Some(outlet) if found.resolved => (outlet.to_string(), AnsiColor::Green),
        Some(outlet) => (format!("{outlet} (unresolved)"), AnsiColor::Yellow),
        None => ("none (unresolved)".to_owned(), AnsiColor::Yellow),
    };
    let outlet = app.style.stdout(bold.fg_color(Some(color.into())), &outlet);
    writeln!(out, "  outlet  {outlet}")?;
    let page = found.publisher_url.as_ref().map_or("not known", WebUrl::as_str);
    writeln!(out, "  page    {}", printable::line(page))?;
    let hops = match found.hops {
        0 => String::new(),
        1 => ", 1 hop".to_owned(),
        hops => format!(", {hops} hops"),
    };
    writeln!(out, "  method  {}{hops}", found.method.as_str())?;
    writeln!(out, "  why     {}", printable::line(&found.reason))?;
    Ok(out.flush()?)
}
