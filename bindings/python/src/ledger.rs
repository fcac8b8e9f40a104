//! The outlet ledger: what outlets are worth, how that came about, and the proof of it.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp as Instant;
use probity_core::Band;
use probity_credibility::Policy;
use probity_credibility::ledger::{
    Alpha, Anchor, CodeName, CodingRequest, EventRecord, Named, Signature, Subject,
};
use probity_credibility::outlet::Resolver;
use probity_store::ledger::{
    EventQuery, Intent, LedgerError, Newcomer, OutletEntry, OutletOrder, OutletQuery, PAGE_ROWS,
    Verification,
};
use probity_store::{Location, Store, StoreError};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::given::{self, SHORT_BYTES};
use crate::score::{Scorer, instant};
use crate::{config, record, wait};

/// How far a coding moves a score, unless the caller says otherwise.
const ALPHA: f64 = 0.1;
/// The most codes of one coding.
const CODES: usize = 64;

/// An outlet ledger in a SQLite file or on a PostgreSQL server.
#[pyclass(frozen, module = "probity")]
pub(crate) struct Ledger {
    /// None once it is closed.
    store: Mutex<Option<Store>>,
    location: String,
}

impl Ledger {
    /// The store, while it is open.
    pub(crate) fn store(&self) -> Result<Store, Failure> {
        let held = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        held.clone().ok_or_else(|| {
            Failure::usage(format!("the ledger {} is closed", self.location))
                .hint("open it again with probity.Ledger(…)")
        })
    }
}

#[pymethods]
impl Ledger {
    /// Opens a ledger: the path of a store's file, or `postgres://…`. A file that is not there is made
    /// only where `create` says so.
    #[new]
    #[pyo3(signature = (path, *, create=false))]
    fn new(py: Python<'_>, path: &Bound<'_, PyAny>, create: bool) -> PyResult<Self> {
        let path: PathBuf = path.extract().map_err(|_| {
            Failure::wrong_type(format!(
                "`path` has to be a path or a postgres:// address, not {}",
                given::kind(path)
            ))
        })?;
        let location = Location::parse(&path.to_string_lossy())
            .map_err(|error| Failure::usage(format!("`path`: {error}")))?;
        if let Some(file) = location.path()
            && !create
            && !file.exists()
        {
            return Err(Failure::usage(format!("there is no ledger at {}", file.display()))
                .hint("create=True makes one that begins with the seeds")
                .into());
        }
        let shown = location.to_string();
        let store = wait::run(py, async move { Store::open(&location).await })?;
        let store = store.map_err(of_store)?;
        Ok(Self { store: Mutex::new(Some(store)), location: shown })
    }

    /// Outlets with their scores, best first unless `order` says otherwise: score, domain, changed or
    /// events.
    #[pyo3(signature = (text=None, *, at_least=None, below=None, order="score", limit=None, offset=0))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
    fn outlets<'py>(
        &self,
        py: Python<'py>,
        text: Option<&Bound<'py, PyAny>>,
        at_least: Option<f64>,
        below: Option<f64>,
        order: &str,
        limit: Option<i64>,
        offset: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let order = match order {
            "score" => OutletOrder::Score,
            "domain" => OutletOrder::Domain,
            "changed" => OutletOrder::Changed,
            "events" => OutletOrder::Events,
            _ => {
                return Err(
                    Failure::usage("`order` has to be score, domain, changed or events").into()
                );
            }
        };
        let text = given::optional_text(text, "text", SHORT_BYTES)?;
        let query = OutletQuery {
            text: Some(text.to_owned()).filter(|text| !text.is_empty()),
            at_least: share(at_least, "at_least")?,
            below: share(below, "below")?,
            order,
            reversed: false,
            limit: rows(limit)?,
            offset,
        };
        let store = self.store()?;
        let page = wait::run(py, async move { store.outlets(&query).await })?.map_err(of_store)?;
        record::plain(py, &page.items.iter().map(outlet).collect::<Vec<_>>())
    }

    /// One outlet by its domain or the address of a page; None where the ledger does not know it.
    fn outlet<'py>(
        &self,
        py: Python<'py>,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (store, named) = (self.store()?, named(name, "name")?.outlet);
        let found = wait::run(py, async move { store.outlet(&named).await })?.map_err(of_store)?;
        record::plain(py, &found.as_ref().map(outlet))
    }

    /// What moved an outlet's score, the oldest event first; of all outlets where none is named.
    #[pyo3(signature = (name=None, *, after=None, newest_first=false, limit=None))]
    fn history<'py>(
        &self,
        py: Python<'py>,
        name: Option<&Bound<'py, PyAny>>,
        after: Option<i64>,
        newest_first: bool,
        limit: Option<i64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let named = name.filter(|name| !name.is_none());
        let outlet = named.map(|name| self::named(name, "name")).transpose()?.map(|one| one.outlet);
        let query = EventQuery { outlet, after, newest_first, limit: rows(limit)? };
        let store = self.store()?;
        let events = wait::run(py, async move { store.events(&query).await })?.map_err(of_store)?;
        record::plain(py, &events.iter().map(event).collect::<Vec<_>>())
    }

    /// Proves the log, and that replaying it from the seeds gives today's scores. Gives the counts and
    /// the head; raises where something is wrong. `head` is one that was noted down earlier.
    #[pyo3(signature = (head=None))]
    fn verify<'py>(
        &self,
        py: Python<'py>,
        head: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let anchor = match given::optional_text(head, "head", SHORT_BYTES)? {
            "" => None,
            head => Some(
                head.parse::<Anchor>()
                    .map_err(|error| Failure::usage(format!("`head`: {error}")))?,
            ),
        };
        let store = self.store()?;
        let verified = wait::run(py, async move { store.verify(anchor).await })?;
        match verified.map_err(of_store)? {
            Verification::Sound(sound) => {
                let head = format!("{}:{}", sound.head.seq, sound.head.hash);
                let (events, outlets) = (sound.events, sound.outlets);
                record::plain(py, &json!({ "events": events, "outlets": outlets, "head": head }))
            }
            Verification::Broken(fault) => {
                Err(Failure::failed(format!("the ledger is broken: {fault}"))
                    .hint(
                        "everything before it is proved; restore the store from a backup, or ask \
                         who changed it",
                    )
                    .into())
            }
        }
    }

    /// Applies codes of the codebook to an outlet, or to the article at an address. Gives the event.
    #[pyo3(signature = (target, codes, *, by, note=None, alpha=ALPHA, run=None, new=false, dry_run=false))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
    fn code<'py>(
        &self,
        py: Python<'py>,
        target: &Bound<'py, PyAny>,
        codes: &Bound<'py, PyAny>,
        by: &Bound<'py, PyAny>,
        note: Option<&Bound<'py, PyAny>>,
        alpha: f64,
        run: Option<&Bound<'py, PyAny>>,
        new: bool,
        dry_run: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let named = named(target, "target")?;
        let codes = given::texts(codes, "codes", CODES)?;
        let codes = codes.iter().map(|code| CodeName::new(code.trim()));
        let codes = codes.collect::<Result<Vec<_>, _>>().map_err(Failure::usage)?;
        let note = given::optional_text(note, "note", SHORT_BYTES)?;
        let signature = Signature::new(
            given::text(by, "by", SHORT_BYTES)?,
            Some(note).filter(|note| !note.is_empty()),
        );
        let subject = match (given::optional_text(run, "run", SHORT_BYTES)?, &named.url) {
            ("", _) => named.subject,
            (run, Some(url)) => Subject::report_source(run, url),
            (_, None) => {
                return Err(Failure::usage("a source of a run is named by its address").into());
            }
        };
        let request = CodingRequest {
            outlet: named.outlet,
            subject,
            codes,
            alpha: Alpha::new(alpha)
                .map_err(|error| Failure::usage(format!("`alpha`: {error}")))?,
            signature: signature.map_err(Failure::usage)?,
        };
        // Whoever has read an article there means an outlet that exists.
        let newcomer = if new || named.url.is_some() { Newcomer::Add } else { Newcomer::Guard };
        let intent = if dry_run { Intent::Preview } else { Intent::Apply };
        let store = self.store()?;
        let made = wait::run(py, async move { store.code(request, newcomer, intent).await })?;
        record::plain(py, &event(made.map_err(of_ledger)?.record()))
    }

    /// The codes that may be applied, with their weights.
    fn codebook<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let store = self.store()?;
        let codebook = wait::run(py, async move { store.codebook().await })?.map_err(of_store)?;
        record::plain(py, &codebook.codes().collect::<Vec<_>>())
    }

    /// A scorer that uses the current ledger.
    #[pyo3(signature = (config=None, *, now=None))]
    fn scorer(
        &self,
        py: Python<'_>,
        config: Option<&Bound<'_, PyAny>>,
        now: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Scorer> {
        let (policy, now) = (config::policy(config)?, instant(now)?);
        let store = self.store()?;
        let opinions = wait::run(py, async move { store.opinions().await })?.map_err(of_store)?;
        Ok(Scorer::make(policy, opinions, now)?)
    }

    /// Closes the ledger; a second time does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let held = self.store.lock().unwrap_or_else(PoisonError::into_inner).take();
        match held {
            Some(store) => wait::run(py, async move { store.close().await }),
            None => Ok(()),
        }
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        format!("Ledger({:?})", self.location)
    }
}

fn named(value: &Bound<'_, PyAny>, name: &str) -> Result<Named, Failure> {
    let text = given::text(value, name, SHORT_BYTES)?;
    let resolver = Resolver::new(&Policy::default().outlets).map_err(Failure::failed)?;
    Named::read(text, &resolver).map_err(|error| {
        let hint = error.hint();
        Failure::usage(error).hint(hint)
    })
}

/// A share from 0 to 1, where one is given.
fn share(value: Option<f64>, name: &str) -> Result<Option<f64>, Failure> {
    match value {
        Some(value) if !(0.0..=1.0).contains(&value) => {
            Err(Failure::usage(format!("`{name}` is {value}; it has to lie between 0 and 1")))
        }
        value => Ok(value),
    }
}

/// How many rows are wanted; more than a page are never given.
fn rows(limit: Option<i64>) -> Result<Option<i64>, Failure> {
    match limit {
        Some(limit) if !(0..=PAGE_ROWS).contains(&limit) => Err(Failure::usage(format!(
            "`limit` is {limit}; it has to lie between 0 and {PAGE_ROWS}"
        ))),
        limit => Ok(limit),
    }
}

fn outlet(entry: &OutletEntry) -> Value {
    json!({
        "outlet": entry.outlet,
        "name": entry.name,
        "score": entry.score,
        "band": Band::of(entry.score).words(),
        "seeded_score": entry.seeded,
        "first_seen": written(entry.first_seen.0),
        "events": entry.events,
        "last_event": entry.last_event,
    })
}

/// An event with its instant in words; everything that is hashed is in it.
fn event(record: &EventRecord) -> Value {
    let mut value = json!(record);
    if let Some(fields) = value.as_object_mut() {
        fields.insert("at".to_owned(), written(record.at.0).into());
        fields.insert("at_ms".to_owned(), record.at.0.into());
    }
    value
}

fn written(milliseconds: i64) -> String {
    Instant::from_millisecond(milliseconds).map(|at| at.to_string()).unwrap_or_default()
}

fn of_store(error: StoreError) -> Failure {
    Failure::failed(error)
}

/// What a person wrote wrong is a usage error with the way out; the rest is a failure.
fn of_ledger(error: LedgerError) -> Failure {
    let hint = match &error {
        LedgerError::LooksLike { outlet, known } => {
            format!("name {known} if you mean it; new=True adds {outlet} anyway")
        }
        LedgerError::Coding(_) | LedgerError::Codebook(_) => {
            "Ledger.codebook() lists the codes".to_owned()
        }
        LedgerError::Tampered(_) | LedgerError::Store(_) => return Failure::failed(error),
        _ => return Failure::usage(error),
    };
    Failure::usage(error).hint(hint)
}
