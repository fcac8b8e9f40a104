//! Coding a source: the effect is shown before it is saved.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use probity_core::Band;
use probity_credibility::ledger::LedgerEvent;
use serde::Deserialize;

use super::{Frame, Tab, go, page};
use crate::access::Caller;
use crate::api::ledger::Signed;
use crate::api::outlets::{CodingBody, coding, resolve};
use crate::api::{Reply, ledger};
use crate::problem::Problem;
use crate::read::{Form, Part, Query};
use crate::state::Server;
use crate::worth;

/// What the form holds.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Asked {
    /// One code, or several with commas between.
    #[serde(default)]
    codes: String,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    run: Option<String>,
    #[serde(default)]
    by: Option<String>,
    #[serde(default)]
    note: Option<String>,
    /// `save`, or anything else to see the effect first.
    #[serde(default)]
    step: Option<String>,
}

impl Asked {
    fn body(&self, dry_run: bool) -> CodingBody {
        let codes = self.codes.split(',').map(str::trim).filter(|code| !code.is_empty());
        CodingBody {
            codes: codes.map(str::to_owned).collect(),
            url: self.url.clone(),
            run: self.run.clone(),
            alpha: None,
            signed: Signed { by: self.by.clone(), note: self.note.clone(), new: true, dry_run },
        }
    }
}

struct Choice {
    code: String,
    words: String,
    weight: String,
    chosen: bool,
}

/// What a coding would do.
struct Effect {
    before: String,
    after: String,
    band: &'static str,
    authority: String,
    explanation: String,
}

impl Effect {
    async fn new(server: &Server, event: &LedgerEvent) -> Result<Self, Problem> {
        let record = event.record();
        let research = worth::after(server, event).await?;
        Ok(Self {
            before: format!("{:.3}", record.before),
            after: format!("{:.3}", record.after),
            band: Band::of(record.after).words(),
            authority: format!("{:.2}", research.authority),
            explanation: research.explanation,
        })
    }
}

#[derive(Template)]
#[template(path = "code.html")]
struct CodePage {
    frame: Frame,
    domain: String,
    asked: Asked,
    choices: Vec<Choice>,
    effect: Option<Effect>,
    problem: Option<String>,
}

async fn form(server: &Server, caller: &Caller, outlet: &str, asked: Asked) -> Reply {
    let domain = resolve(server, outlet)?;
    let body = asked.body(true);
    let previewed = match body.codes.is_empty() {
        true => None,
        false => Some(coding(server, caller, outlet, &body).await),
    };
    let (effect, problem) = match previewed {
        Some(Ok((event, _))) => (Some(Effect::new(server, &event).await?), None),
        Some(Err(problem)) => (None, Some(problem.detail().to_owned())),
        None => (None, None),
    };
    let codes = ledger::codes(server).await?;
    let choices = codes.into_iter().filter(|code| !code.retired).map(|code| Choice {
        chosen: body.codes.contains(&code.code),
        weight: format!("{:+}", code.weight),
        words: code.description,
        code: code.code,
    });
    page(&CodePage {
        frame: Frame::new(server, caller, &format!("Code {domain}"), Tab::Outlets),
        choices: choices.collect(),
        domain: domain.as_str().to_owned(),
        asked,
        effect,
        problem,
    })
}

/// `GET /outlets/{outlet}/code`.
pub(crate) async fn show(
    State(server): State<Server>,
    caller: Caller,
    Part(outlet): Part,
    Query(asked): Query<Asked>,
) -> Reply {
    form(&server, &caller, &outlet, asked).await
}

/// `POST /outlets/{outlet}/code`.
pub(crate) async fn save(
    State(server): State<Server>,
    caller: Caller,
    Part(outlet): Part,
    Form(asked): Form<Asked>,
) -> Result<Response, Problem> {
    if asked.step.as_deref() != Some("save") {
        return form(&server, &caller, &outlet, asked).await;
    }
    let domain = resolve(&server, &outlet)?;
    coding(&server, &caller, &outlet, &asked.body(false)).await?;
    go(&format!("/outlets/{domain}#h-history"))
}
