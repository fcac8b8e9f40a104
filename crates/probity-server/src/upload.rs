//! What a user brings along: the parts of a request → fields and documents.
//!
//! ```text
//! request → size → parts → (name → bytes → text) → upload in the store
//! ```
//!
//! A file is in memory only while it is read; what is kept is its text. A request that is refused, or whose
//! client goes away, leaves nothing behind.

mod bundle;
mod name;

use axum::extract::Request;
use bytes::{Bytes, BytesMut};
use http::header;
use multer::{Constraints, Field, Multipart, SizeLimit};
use probity_store::uploads::DOCUMENTS;
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

pub(crate) use self::bundle::{Bundle, owned};
use crate::access::Caller;
use crate::access::admit::{FORM_KEY_FIELD, Unproven};
use crate::limits;
use crate::problem::Problem;
use crate::read::{self, FormPairs};
use crate::state::Server;

/// The field that names an upload to go on with.
const UPLOAD_FIELD: &str = "upload";

/// Why a file was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FileProblem {
    /// The kind of problem, as a name that does not change: `name`, `empty`, `too-large`, `too-long`,
    /// `unsupported`, `no-text`, `broken`, `locked`, `timed-out` or `busy`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// What happened, and what to do.
    pub detail: String,
}

/// A file that was sent, and its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FileView {
    /// Its name.
    pub name: String,
    /// Its number in the upload; none if it was not taken.
    pub place: Option<i64>,
    /// The document's title.
    pub title: Option<String>,
    /// How many words it has.
    pub words: Option<i64>,
    /// Why it was not taken.
    pub problem: Option<FileProblem>,
}

/// What a request brought.
pub(crate) struct Received {
    fields: Vec<(String, String)>,
    /// The files, each with its outcome.
    pub(crate) files: Vec<FileView>,
    /// Where the documents are.
    pub(crate) bundle: Bundle,
}

impl Received {
    /// The fields as a form.
    pub(crate) fn form<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        read::form_of(&self.fields)
    }

    /// Goes on with the upload that the form names.
    fn go_on(&mut self) {
        let named = self.fields.iter().find(|(name, _)| name == UPLOAD_FIELD);
        self.bundle.go_on_with(named.map(|(_, id)| id.as_str()));
    }

    fn gone_on(mut self) -> Self {
        self.go_on();
        self
    }

    /// Takes in a text that was pasted rather than sent as a file.
    pub(crate) async fn paste(&mut self, name: &str, text: String) -> Result<(), Problem> {
        let file = self.bundle.bring(name, Bytes::from(text)).await?;
        self.files.push(file);
        Ok(())
    }
}

/// Reads a form with its files; into the upload that is named, or that the form names before its files,
/// or else into a new one.
pub(crate) async fn receive(
    server: &Server,
    caller: &Caller,
    request: Request,
    into: Option<&str>,
) -> Result<Received, Problem> {
    let bundle = Bundle::new(server, caller, into);
    let media = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let Ok(boundary) = multer::parse_boundary(media.unwrap_or_default()) else {
        let FormPairs(fields) = read::form_pairs(request).await?;
        return Ok(Received { fields, files: Vec::new(), bundle }.gone_on());
    };
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > limits::UPLOAD_BYTES) {
        return Err(too_large());
    }
    let _place = server.uploads.try_acquire().map_err(|_| {
        Problem::unavailable("others bring documents along right now; try again soon", 5)
    })?;
    let mut receiving = Receiving {
        unproven: request.extensions().get::<Unproven>().cloned(),
        received: Received { fields: Vec::new(), files: Vec::new(), bundle },
    };
    let stream = request.into_body().into_data_stream();
    let bounds = SizeLimit::new().whole_stream(limits::UPLOAD_BYTES);
    let bounds = Constraints::new().size_limit(bounds);
    let mut parts = Multipart::with_constraints(stream, boundary, bounds);
    loop {
        let next = tokio::time::timeout(limits::BODY_TIME, parts.next_field()).await;
        let next = next.map_err(|_| Problem::unreadable("the body did not come in time"))?;
        match next.map_err(|error| unreadable(&error))? {
            Some(part) => receiving.take(part).await?,
            None => break,
        }
    }
    match receiving.unproven {
        Some(_) => Err(Unproven::stale()),
        None => Ok(receiving.received.gone_on()),
    }
}

fn too_large() -> Problem {
    let most = limits::UPLOAD_BYTES / (1024 * 1024);
    Problem::too_large(format!("at most {most} MB are accepted at once; send the files in parts"))
}

fn unreadable(error: &multer::Error) -> Problem {
    match error {
        multer::Error::StreamSizeExceeded { .. } => too_large(),
        multer::Error::StreamReadFailed(_) | multer::Error::IncompleteStream => {
            Problem::unreadable("the body ended before its end")
        }
        error => Problem::field("file", format!("the form cannot be read: {error}")),
    }
}

struct Receiving {
    /// What the form has yet to prove before anything of it counts.
    unproven: Option<Unproven>,
    received: Received,
}

impl Receiving {
    async fn take(&mut self, part: Field<'_>) -> Result<(), Problem> {
        let field = part.name().unwrap_or_default().to_owned();
        let Some(file) = part.file_name().map(str::to_owned) else {
            return self.take_field(field, part).await;
        };
        if self.unproven.is_some() {
            return Err(Unproven::stale());
        }
        // A field for files that holds none is sent anyway.
        if file.is_empty() {
            return Ok(());
        }
        if self.received.files.len() as i64 >= DOCUMENTS {
            return Err(Problem::too_large(format!(
                "at most {DOCUMENTS} files are accepted at once; none of these was stored"
            )));
        }
        self.received.go_on();
        let Received { files, bundle, .. } = &mut self.received;
        let name = match name::clean(&file) {
            Ok(name) => name,
            Err(problem) => {
                files.push(FileView::refused(name::shown(&file), problem));
                return Ok(());
            }
        };
        let Some(bytes) = read_part(part, limits::UPLOAD_FILE_BYTES).await? else {
            let most = limits::UPLOAD_FILE_BYTES / (1024 * 1024);
            let detail = format!("at most {most} MB of one file are read; split it or shorten it");
            files.push(FileView::refused(name, FileProblem { kind: "too-large", detail }));
            return Ok(());
        };
        let file = bundle.bring(&name, bytes).await?;
        files.push(file);
        Ok(())
    }

    async fn take_field(&mut self, name: String, part: Field<'_>) -> Result<(), Problem> {
        let fields = &mut self.received.fields;
        if fields.len() >= limits::UPLOAD_FIELDS {
            return Err(Problem::too_large("the form has too many fields"));
        }
        let most = limits::PASTE_BYTES;
        let Some(bytes) = read_part(part, most).await? else {
            return Err(Problem::too_large(format!("`{name}` may have at most {most} bytes")));
        };
        let value = String::from_utf8(bytes.to_vec());
        let value = value.map_err(|_| Problem::field(&*name, "is not UTF-8"))?;
        if let Some(unproven) = &self.unproven {
            // Nothing of a form counts before it is known to be ours.
            unproven.prove(&name, &value)?;
            self.unproven = None;
        }
        if name != FORM_KEY_FIELD {
            fields.push((name, value));
        }
        Ok(())
    }
}

/// A part's bytes; none if there are more than this many. What is too much is skipped, not kept.
async fn read_part(mut part: Field<'_>, most: usize) -> Result<Option<Bytes>, Problem> {
    let mut bytes = BytesMut::new();
    loop {
        let chunk = tokio::time::timeout(limits::BODY_TIME, part.chunk()).await;
        let chunk = chunk.map_err(|_| Problem::unreadable("the body did not come in time"))?;
        match chunk.map_err(|error| unreadable(&error))? {
            None => return Ok(Some(bytes.freeze())),
            Some(chunk) if bytes.len().saturating_add(chunk.len()) > most => {
                drop(chunk);
                return Ok(None);
            }
            Some(chunk) => bytes.extend_from_slice(&chunk),
        }
    }
}

impl FileView {
    fn refused(name: String, problem: FileProblem) -> Self {
        Self { name, place: None, title: None, words: None, problem: Some(problem) }
    }

    /// Says so if no file could be taken.
    pub(crate) fn all_refused(files: &[Self]) -> bool {
        !files.is_empty() && files.iter().all(|file| file.problem.is_some())
    }
}
