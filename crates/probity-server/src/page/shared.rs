//! A report as whoever has a link to it sees it: to be read, and nothing else.

use askama::Template;
use axum::extract::State;
use http::{HeaderName, HeaderValue, header};
use probity_core::Candidate;
use probity_report::CheckedReport;
use probity_report::html::{Links, fragment};

use super::{Bar, Frame, page};
use crate::access::secret;
use crate::api::{Reply, runs as api};
use crate::guard::Framed;
use crate::problem::Problem;
use crate::read::Part;
use crate::state::Server;

/// What a card may do: be shown in a frame of any site, with our style and nothing else.
const CARD_POLICY: &str = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; \
    frame-ancestors *";

/// A shared report links to nothing of this site but its own cards.
struct SharedLinks;

impl Links for SharedLinks {
    fn open(&self, source: &Candidate) -> Option<String> {
        // a document of the user's has no address that anyone else could open.
        source.url.is_local().then(|| "#h-sources".to_owned())
    }
}

#[derive(Template)]
#[template(path = "shared.html")]
struct SharedPage {
    frame: Frame,
    report: String,
}

/// The report that a link opens.
async fn opened(server: &Server, secret: &str) -> Result<CheckedReport, Problem> {
    let run = server.store.shared_run(&secret::hash(secret)).await?;
    let gone = || Problem::not_found("this link was revoked or ran out; ask for a new one");
    let record = server.store.run(&run.ok_or_else(gone)?).await?.ok_or_else(gone)?;
    api::report(&record)
}

/// A shared report must not be found by searching.
fn unlisted(mut reply: axum::response::Response) -> axum::response::Response {
    let name = HeaderName::from_static("x-robots-tag");
    reply.headers_mut().insert(name, HeaderValue::from_static("noindex, nofollow, noarchive"));
    reply
}

/// `GET /shared/{name}`.
pub(crate) async fn show(State(server): State<Server>, Part(secret): Part) -> Reply {
    let report = opened(&server, &secret).await?;
    let shared =
        SharedPage { frame: Frame::bare(report.title()), report: fragment(&report, &SharedLinks) };
    page(&shared).map(unlisted)
}

#[derive(Template)]
#[template(path = "card.html")]
struct CardPage {
    frame: Frame,
    n: usize,
    title: String,
    href: Option<String>,
    outlet: String,
    bar: Bar,
    relevance: Option<String>,
    published: String,
    report: String,
    back: String,
}

/// `GET /shared/{name}/source/{seq}`: one source of the report, to be shown on another site.
pub(crate) async fn card(
    State(server): State<Server>,
    axum::extract::Path((secret, seq)): axum::extract::Path<(String, usize)>,
) -> Reply {
    let report = opened(&server, &secret).await?;
    let found = report.sources().find(|(n, _)| *n == seq);
    let (n, source) = found.ok_or_else(|| Problem::not_found("the report has no such source"))?;
    let card = CardPage {
        frame: Frame::bare(&source.title),
        n,
        title: match source.title.trim() {
            "" => source.url.as_str().to_owned(),
            title => title.to_owned(),
        },
        href: (!source.url.is_local()).then(|| source.url.as_str().to_owned()),
        outlet: source
            .outlet
            .as_ref()
            .map_or_else(String::new, |outlet| outlet.as_str().to_owned()),
        bar: Bar::new(source.credibility.total),
        relevance: source.relevance.as_ref().map(|relevance| format!("{}/5", relevance.score)),
        published: source.published.map(|day| day.to_string()).unwrap_or_default(),
        report: report.title().to_owned(),
        back: format!("/shared/{secret}"),
    };
    let mut reply = unlisted(page(&card)?);
    reply.extensions_mut().insert(Framed);
    let headers = reply.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CARD_POLICY));
    let cross = HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(cross, HeaderValue::from_static("cross-origin"));
    Ok(reply)
}
