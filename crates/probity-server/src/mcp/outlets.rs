//! `score_source`, `resolve_outlet`, `outlet_history`, `code_source`: what publishers are worth.

use probity_core::{Band, WebUrl, address};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{ToolAnswer, read};
use super::runs::rows;
use crate::access::Caller;
use crate::api::Listed;
use crate::api::ledger::{Change, EventView, Signed};
use crate::api::outlets::{CodingBody, OutletView, coding, history, resolve, resolver};
use crate::api::score::{Page, scored};
use crate::problem::Problem;
use crate::state::Server;
use crate::worth::{self, Research};

/// Names that mean this machine or its network.
const INSIDE: [&str; 5] = ["localhost", "local", "internal", "intranet", "home.arpa"];

/// An address on the public web. Nothing is fetched here, but an agent learns early that the
/// inside of a network is no place for sources.
fn public(text: &str) -> Result<WebUrl, Problem> {
    let url = WebUrl::parse(text).map_err(|error| Problem::field("url", error.to_string()))?;
    let host = url.dns_host();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_inside = match bare.parse() {
        Ok(ip) => !address::is_public(ip),
        Err(_) => INSIDE.iter().any(|name| {
            host == *name || host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'))
        }),
    };
    match is_inside {
        true => Err(Problem::field("url", "give the address of a page on the public web")),
        false => Ok(url),
    }
}

/// Scores a page.
pub(super) async fn score_source(
    server: &Server,
    arguments: JsonObject,
) -> Result<ToolAnswer, Problem> {
    let page: Page = read(arguments)?;
    public(&page.url)?;
    let scored = scored(server, &page).await?;
    let verdict = if scored.blocked { "blocked" } else { "permitted" };
    let text = format!("{:.2} ({verdict}): {}", scored.score, scored.explanation);
    ToolAnswer::new(text, &scored)
}

/// What `resolve_outlet` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ResolveInput {
    /// The whole address of a page.
    #[schemars(length(max = 2048))]
    url: String,
}

/// What `resolve_outlet` gives.
#[derive(Serialize, JsonSchema)]
pub(super) struct ResolveOutput {
    /// The publisher's domain; none where it is unknown without following the link.
    outlet: Option<String>,
    /// The publisher's page, where it is known.
    publisher_url: Option<String>,
    /// Whether the outlet is final.
    resolved: bool,
    /// How it was found, or what it would take, in words.
    reason: String,
    /// What the ledger knows of the outlet; none where it does not know it.
    ledger: Option<OutletView>,
}

/// Says whose page an address is.
pub(super) async fn resolve_outlet(
    server: &Server,
    arguments: JsonObject,
) -> Result<ToolAnswer, Problem> {
    let input: ResolveInput = read(arguments)?;
    let url = public(&input.url)?;
    let found = resolver(server)?
        .resolve_text(url.as_str())
        .map_err(|error| Problem::field("url", error.to_string()))?;
    let entry = match &found.outlet {
        Some(outlet) => server.store.outlet(outlet).await?,
        None => None,
    };
    let output = ResolveOutput {
        outlet: found.outlet.as_ref().map(|outlet| outlet.as_str().to_owned()),
        publisher_url: found.publisher_url.as_ref().map(|url| url.as_str().to_owned()),
        resolved: found.resolved,
        reason: found.reason.to_string(),
        ledger: entry.map(OutletView::from),
    };
    let whose = output.outlet.as_deref().unwrap_or("an unknown publisher's");
    let worth = match &output.ledger {
        Some(view) => format!("{:.2}, {}", view.score, view.band),
        None => "not in the ledger".to_owned(),
    };
    ToolAnswer::new(format!("{whose} ({worth}): {}", output.reason), &output)
}

/// What `outlet_history` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HistoryInput {
    /// The publisher's domain, such as reuters.com.
    #[schemars(length(max = 253))]
    outlet: String,
    /// How many events to give; 20 if nothing is said.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    #[schemars(length(max = 500))]
    cursor: Option<String>,
}

/// What `outlet_history` gives.
#[derive(Serialize, JsonSchema)]
pub(super) struct HistoryOutput {
    /// The outlet.
    outlet: OutletView,
    /// Its authority in research.
    research: Research,
    /// Why research and newsroom differ, where they do.
    difference: Option<&'static str>,
    /// What moved it, the latest first.
    events: Vec<EventView>,
    /// Where the next part begins: send it as `cursor`. None at the end.
    next: Option<String>,
}

/// Shows what moved an outlet.
pub(super) async fn outlet_history(
    server: &Server,
    arguments: JsonObject,
) -> Result<ToolAnswer, Problem> {
    let input: HistoryInput = read(arguments)?;
    let limit = rows(input.limit)?;
    let outlet = resolve(server, &input.outlet)?;
    let entry = server.store.outlet(&outlet).await?;
    let view = OutletView::of(&outlet, entry);
    let authority = worth::now(server, &outlet).await?;
    let difference = authority.difference(view.score);
    let research = Research::from(authority);
    let Listed { items, next } =
        history(server, Some(outlet), limit, input.cursor.as_deref()).await?;
    let text = format!(
        "{}: {:.2} ({}), {} events so far; in research {:.2}: {}",
        view.outlet, view.score, view.band, view.events, research.authority, research.explanation
    );
    ToolAnswer::new(
        text,
        &HistoryOutput { outlet: view, research, difference, events: items, next },
    )
}

/// What `code_source` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CodeInput {
    /// The publisher's domain.
    #[schemars(length(max = 253))]
    outlet: String,
    /// Codes from the codebook, such as `high-quality-source` or `source-unreliable`.
    #[schemars(length(min = 1, max = 20))]
    codes: Vec<String>,
    /// The address of the article that was read.
    #[schemars(length(max = 2048))]
    url: Option<String>,
    /// The run in whose report the address was a source.
    #[schemars(length(max = 100))]
    run_id: Option<String>,
    /// Why, in one line.
    #[schemars(length(max = 2000))]
    note: Option<String>,
    /// The person whose judgement this is; where callers log in, always the caller.
    #[schemars(length(max = 200))]
    by: Option<String>,
    /// Show what would happen, and write nothing.
    #[serde(default)]
    dry_run: bool,
}

/// Codes an outlet.
pub(super) async fn code_source(
    server: &Server,
    caller: &Caller,
    arguments: JsonObject,
) -> Result<ToolAnswer, Problem> {
    let input: CodeInput = read(arguments)?;
    if let Some(url) = &input.url {
        public(url)?;
    }
    let signed = Signed { by: input.by, note: input.note, new: false, dry_run: input.dry_run };
    let body =
        CodingBody { codes: input.codes, url: input.url, run: input.run_id, alpha: None, signed };
    let (event, intent) = coding(server, caller, &input.outlet, &body).await?;
    let change = Change::tell(server, &event, intent).await?;
    let (before, after) = (change.event.before, change.event.after);
    let did = if change.dry_run { "would move" } else { "moved" };
    let band = Band::of(after).words();
    let Research { authority, explanation, .. } = &change.research;
    let text = format!(
        "{} {did} from {before:.3} to {after:.3} ({band}); in research {authority:.2}: \
         {explanation}",
        change.event.outlet
    );
    ToolAnswer::new(text, &change)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_inside_a_network_are_refused() {
        for text in [
            "http://127.0.0.1/",
            "http://localhost:8642/api/status",
            "http://[::1]/",
            "http://169.254.169.254/latest/meta-data",
            "https://router.local/",
            "http://10.0.0.7/",
            "http://db.internal/",
            "file:///etc/passwd",
            "reuters.com",
        ] {
            assert!(public(text).is_err(), "{text}");
        }
        for text in ["https://www.reuters.com/world/", "http://1.1.1.1/", "https://local.com/"] {
            assert!(public(text).is_ok(), "{text}");
        }
    }
}
