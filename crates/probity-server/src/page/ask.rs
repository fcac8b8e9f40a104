//! Asking a question: what, where to look, what is brought along, who writes.

mod choose;

use askama::Template;
use axum::extract::{Request, State};
use probity_core::{Mode, WebUrl};
use probity_store::RunQuery;
use probity_store::library::{Collection, Library};
use probity_store::uploads::{DOCUMENTS, Upload};
use serde::Deserialize;

use self::choose::{Box, ModeChoice, Offered, Where, modes, offered};
use super::example::{Glance, glance};
use super::runs::Row;
use super::{Frame, Tab, go, page};
use crate::access::Caller;
use crate::api::uploads::PASTED;
use crate::api::{Reply, research};
use crate::backend::Ask;
use crate::limits;
use crate::problem::Problem;
use crate::read::Query;
use crate::state::Server;
use crate::upload::{self, FileView, Received};

/// How many runs the page shows below the question.
const LATEST: i64 = 5;
/// The name of whoever writes without a model.
const EMBEDDED: &str = "embedded";
/// Questions that the example library answers.
const EXAMPLES: [&str; 3] = [
    "What does Port Ellery's noise ordinance say about amplified outdoor music at night?",
    "What are the most popular first dance songs at Port Ellery weddings?",
    "How does the history of rumba flamenca differ from that of Cuban rumba?",
];

#[derive(Template)]
#[template(path = "ask.html")]
struct AskPage {
    frame: Frame,
    asked: Asked,
    modes: Vec<ModeChoice>,
    boxes: Vec<Box>,
    providers: Vec<String>,
    offers: Vec<Offered>,
    collections: Vec<Collection>,
    /// What was brought along so far.
    upload: Option<Upload>,
    /// What could not be taken.
    refused: Vec<FileView>,
    problem: Option<String>,
    /// Whether pressing again asks although nothing may be found.
    warned: bool,
    examples: [&'static str; 3],
    /// A finished report, while the user has none.
    glance: Option<Glance>,
    latest: Vec<Row>,
    file_bytes: usize,
    total_bytes: u64,
    files_most: i64,
}

impl AskPage {
    /// Names of providers, where they are others than the boxes'.
    fn only(&self) -> &str {
        let names = self.asked.search.as_deref().unwrap_or_default();
        let boxed = |name: &str| self.boxes.iter().any(|one| one.name == name.trim());
        if names.split(',').all(boxed) { "" } else { names }
    }

    fn is_collection(&self, collection: &Collection) -> bool {
        self.asked.collection.as_deref() == Some(collection.id.to_string().as_str())
    }

    fn max_cost(&self) -> String {
        self.asked.max_cost.map(|cost| cost.to_string()).unwrap_or_default()
    }
}

/// What the form held.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    pub(crate) question: String,
    #[serde(default)]
    pub(crate) mode: Option<Mode>,
    /// Names of providers, instead of the boxes.
    #[serde(default)]
    pub(crate) search: Option<String>,
    #[serde(default, deserialize_with = "crate::read::texts::optional")]
    pub(crate) max_cost: Option<f64>,
    #[serde(default)]
    pub(crate) model: Option<String>,
    #[serde(default)]
    web: Option<String>,
    #[serde(default)]
    library: Option<String>,
    #[serde(default)]
    news: Option<String>,
    #[serde(default)]
    files: Option<String>,
    /// A text, or addresses.
    #[serde(default)]
    paste: String,
    /// A collection of the library, by its number, instead of all of it.
    #[serde(default)]
    collection: Option<String>,
    /// What was brought along before.
    #[serde(default)]
    upload: Option<String>,
    /// Whether what is brought along stays in the library.
    #[serde(default)]
    keep: Option<String>,
    /// Whether the plan is shown before anything is searched for.
    #[serde(default)]
    plan_first: Option<String>,
    /// Whether it is asked although nothing may be found.
    #[serde(default)]
    anyway: Option<String>,
}

impl Asked {
    fn is_for_a_model(&self) -> bool {
        self.model.as_deref().is_some_and(|name| !name.is_empty() && name != EMBEDDED)
    }
}

/// Whether a search that is named asks the library.
fn asks_library(search: Option<&str>) -> bool {
    search.is_some_and(|names| {
        names.split(',').any(|name| ["library", "auto"].contains(&name.trim()))
    })
}

/// What a form is shown again with.
#[derive(Default)]
struct Again {
    problem: Option<String>,
    refused: Vec<FileView>,
    warned: bool,
}

/// The form, as it was filled in, with what is wrong with it.
async fn form(server: &Server, caller: &Caller, asked: Asked, again: Again) -> Reply {
    let constants = server.backend.constants();
    let latest = RunQuery { limit: Some(LATEST), ..RunQuery::default() };
    let latest = server.store.runs(&latest).await?;
    let upload =
        match asked.upload.as_deref().filter(|_| caller.may(crate::access::Scope::Research)) {
            Some(id) => upload::owned(server, caller, id).await.ok(),
            None => None,
        };
    let places = server.backend.places(choose::BEFORE_SHOWING).await;
    let now = server.clock.now();
    let Again { problem, refused, warned } = again;
    page(&AskPage {
        frame: Frame::new(server, caller, "Ask", Tab::Ask),
        modes: modes(&constants, asked.mode.unwrap_or(Mode::Standard)),
        boxes: Where::of(&asked).boxes(&places),
        providers: constants.providers.clone(),
        offers: offered(server, asked.model.as_deref()),
        collections: Library::of(&server.store).collections().await?,
        asked,
        upload,
        refused,
        problem,
        warned,
        examples: EXAMPLES,
        glance: latest.is_empty().then(glance).flatten(),
        latest: latest.into_iter().map(|run| Row::new(run, now)).collect(),
        file_bytes: limits::UPLOAD_FILE_BYTES,
        total_bytes: limits::UPLOAD_BYTES,
        files_most: DOCUMENTS,
    })
}

/// `GET /`.
pub(crate) async fn show(
    State(server): State<Server>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Reply {
    form(&server, &caller, asked, Again::default()).await
}

/// `POST /ask`.
pub(crate) async fn ask(State(server): State<Server>, caller: Caller, request: Request) -> Reply {
    let mut received = upload::receive(&server, &caller, request, None).await?;
    let mut asked: Asked = received.form()?;
    let urls = addresses(&asked.paste);
    if urls.is_none() && !asked.paste.trim().is_empty() {
        received.paste(PASTED, std::mem::take(&mut asked.paste)).await?;
    }
    let Received { files, bundle, .. } = received;
    let refused: Vec<FileView> = files.into_iter().filter(|file| file.problem.is_some()).collect();
    asked.upload = bundle.keep().or(asked.upload);
    if !refused.is_empty() {
        let problem = "Not everything could be read. Ask without it, or bring it in another form.";
        let again = Again { problem: Some(problem.to_owned()), refused, warned: false };
        return form(&server, &caller, asked, again).await;
    }
    let places = server.backend.places(choose::BEFORE_ASKING).await;
    let chosen = match Where::of(&asked).chosen(&asked, &places, urls.is_some()) {
        Ok(chosen) => chosen,
        Err(why) => {
            let again = Again { problem: Some(why), warned: true, ..Again::default() };
            return form(&server, &caller, asked, again).await;
        }
    };
    let wanted = Ask {
        question: asked.question.clone(),
        mode: asked.mode,
        // The library is asked by its box or by name; a collection only narrows it.
        collection: asked.collection.clone().filter(|_| asks_library(chosen.search.as_deref())),
        search: chosen.search,
        model: asked.model.clone().filter(|name| !name.is_empty()),
        max_cost: asked.max_cost,
        upload: asked.upload.clone().filter(|_| chosen.files),
        urls,
        approve: asked.plan_first.is_some(),
        // A model can ask back whoever reads the plan.
        clarify: asked.plan_first.is_some() && asked.is_for_a_model(),
        ..Ask::default()
    };
    match research::ask(&server, &caller, &wanted).await {
        Ok(id) => {
            if let Some(upload) = asked.upload.as_deref().filter(|_| asked.keep.is_some()) {
                keep(&server, &caller, upload).await?;
            }
            go(&format!("/runs/{id}"))
        }
        // What the person can fix is said where they can fix it.
        Err(problem) if problem.status().is_client_error() => {
            let again = Again { problem: Some(problem.detail().to_owned()), ..Again::default() };
            form(&server, &caller, asked, again).await
        }
        Err(problem) => Err(problem),
    }
}

/// Puts what was brought along into the library too.
async fn keep(server: &Server, caller: &Caller, upload: &str) -> Result<(), Problem> {
    let upload = upload::owned(server, caller, upload).await?;
    let library = Library::of(&server.store);
    let readings = server.store.upload_readings(&upload.id).await?;
    for (document, (name, reading)) in upload.documents.iter().zip(readings) {
        let bytes = u64::try_from(document.bytes).unwrap_or(0);
        // It was read before; what has no text is in no upload.
        let _ = library.add_reading(&name, bytes, reading).await?;
        server.store.note(&caller.name, "document added", &name).await?;
    }
    Ok(())
}

/// The addresses that a text consists of; none if it is a text.
pub(super) fn addresses(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let all = !lines.is_empty() && lines.iter().all(|line| WebUrl::parse(line).is_ok());
    all.then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_is_addresses_only_if_every_line_is_one() {
        let two = " https://a.example/x \n\nhttps://b.example/y\n";
        assert_eq!(addresses(two).unwrap(), "https://a.example/x\nhttps://b.example/y");
        assert_eq!(addresses("See https://a.example/x for more"), None);
        assert_eq!(addresses("https://a.example/x\nis worth reading"), None);
        assert_eq!(addresses(" \n"), None);
    }
}
