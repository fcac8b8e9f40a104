//! An upload while a request adds to it: what was added goes again unless the request succeeds.

use bytes::Bytes;
use probity_research::live_gatherer::read_brought;
use probity_store::uploads::{Brought, DOCUMENTS, NewDocument, TEXT_BYTES, Upload};

use super::{FileProblem, FileView};
use crate::access::{Caller, secret};
use crate::problem::Problem;
use crate::state::Server;

/// How long a caller with too many open uploads should wait, in seconds.
const AGAIN: u64 = 60;

/// An upload that a request adds to.
pub(crate) struct Bundle {
    server: Server,
    caller: Caller,
    /// The upload, named or made; none until something is brought.
    id: Option<String>,
    /// Whether the request found it or made it, so that documents may go in.
    is_open: bool,
    is_new: bool,
    /// The first document that the request added.
    first: Option<i64>,
    is_kept: bool,
}

/// The upload of an id, if it is the caller's.
pub(crate) async fn owned(server: &Server, caller: &Caller, id: &str) -> Result<Upload, Problem> {
    let upload = server.store.upload(id).await?.filter(|upload| caller.owns(&upload.owner));
    upload.ok_or_else(|| {
        Problem::not_found("these documents are no longer stored; upload them again")
    })
}

impl Bundle {
    pub(super) fn new(server: &Server, caller: &Caller, into: Option<&str>) -> Self {
        Self {
            server: server.clone(),
            caller: caller.clone(),
            id: into.map(str::to_owned),
            is_open: false,
            is_new: false,
            first: None,
            is_kept: false,
        }
    }

    /// Goes on with an upload that the form names, unless one is known.
    pub(super) fn go_on_with(&mut self, id: Option<&str>) {
        let id = id.filter(|id| !id.is_empty() && self.id.is_none());
        if let Some(id) = id {
            self.id = Some(id.to_owned());
        }
    }

    async fn open(&mut self) -> Result<String, Problem> {
        let id = match (&self.id, self.is_open) {
            (Some(id), true) => return Ok(id.clone()),
            (Some(id), false) => owned(&self.server, &self.caller, id).await?.id,
            (None, _) => {
                let id = secret::fresh().map_err(|error| Problem::internal(&error))?;
                if !self.server.store.make_upload(&id, &self.caller.name).await? {
                    let why = "you brought many documents along that no question asks yet; ask one, \
                               or try again tomorrow";
                    return Err(Problem::unavailable(why, AGAIN));
                }
                self.is_new = true;
                id
            }
        };
        self.is_open = true;
        self.id = Some(id.clone());
        Ok(id)
    }

    /// Reads a document and keeps its text, or says what is wrong with it.
    pub(crate) async fn bring(&mut self, name: &str, bytes: Bytes) -> Result<FileView, Problem> {
        let name = name.to_owned();
        if bytes.is_empty() {
            let detail = "the file is empty".to_owned();
            return Ok(FileView::refused(name, FileProblem { kind: "empty", detail }));
        }
        let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
        let reading = match read_brought(&name, bytes).await {
            Ok(reading) => reading,
            Err(unread) => {
                let problem = FileProblem { kind: unread.kind, detail: unread.why };
                return Ok(FileView::refused(name, problem));
            }
        };
        let id = self.open().await?;
        let new = NewDocument { name: &name, bytes: size, reading: &reading };
        let document = &reading.document;
        let words = i64::try_from(document.text.split_whitespace().count()).ok();
        let title = match document.title.trim() {
            "" => None,
            title => Some(title.to_owned()),
        };
        match self.server.store.bring(&id, &new).await? {
            Brought::At(place) => {
                self.first.get_or_insert(place);
                Ok(FileView { name, place: Some(place), title, words, problem: None })
            }
            Brought::TooMany => {
                let detail = format!("at most {DOCUMENTS} documents are asked together");
                Ok(FileView::refused(name, FileProblem { kind: "too-many", detail }))
            }
            Brought::TooLong => {
                let most = TEXT_BYTES / (1024 * 1024);
                let detail = format!("together they have more than {most} MB of text");
                Ok(FileView::refused(name, FileProblem { kind: "too-long", detail }))
            }
            Brought::Gone => Err(Problem::not_found("the upload is no longer stored; start again")),
        }
    }

    /// Keeps what was brought; gives the upload's id, if there is one.
    pub(crate) fn keep(mut self) -> Option<String> {
        self.is_kept = true;
        self.id.clone()
    }
}

impl Drop for Bundle {
    fn drop(&mut self) {
        let Some(id) = self.id.take().filter(|_| !self.is_kept && self.is_open) else { return };
        let (server, is_new, first) = (self.server.clone(), self.is_new, self.first);
        tokio::spawn(async move {
            let undone = match (is_new, first) {
                (true, _) => server.store.delete_upload(&id).await.map(drop),
                (false, Some(first)) => server.store.take_back(&id, first).await.map(drop),
                (false, None) => Ok(()),
            };
            if let Err(error) = undone {
                tracing::warn!(%error, "documents of a refused request are deleted by the next maintenance");
            }
        });
    }
}
