//! How an outlet's score learns: coding → weights → EMA → ledger event.
//!
//! ```text
//! request + codebook → Coding ┐
//!                standing      ├→ apply → LedgerEvent → (the store appends) → standing, head
//!                head          ┘
//! events + seeds → Verifier → Sound | Fault (the first event that is wrong)
//! ```
//!
//! A score is never written down on its own: every change is an event, each event carries the
//! SHA-256 of the one before it, and a [`LedgerEvent`] can only be made by [`apply`], [`set`],
//! [`import`] and [`revert`], which compute it from the outlet's current score. What the store reads
//! back is an [`EventRecord`], which proves nothing until a [`Verifier`] has seen the whole log.

mod change;
mod codebook;
mod coding;
mod draw;
mod encode;
mod event;
mod fault;
mod measure;
mod named;
mod opinion;
mod ratings;
mod seed;
mod subject;
mod verify;
mod wording;

pub use change::{ForeignEvent, ImportRow, Provenance, apply, import, revert, set, weighed};
pub use codebook::{Code, CodeName, Codebook, CodebookError, Weight};
pub use coding::{Coding, CodingError, CodingRequest};
pub use draw::History;
pub use event::{EventKind, EventRecord, Head, LedgerEvent, Standing, WeighedCode};
pub use fault::{Fault, Flaw};
pub use measure::{Alpha, Credibility, RangeError, Target, nudge};
pub use named::{Named, NamedError};
pub use opinion::{Opinion, Step, is_given};
pub use ratings::{BadLine, RATINGS_BYTES, RATINGS_MOST, Ratings, RatingsError};
pub use seed::{Seed, genesis, seeded_opinions, seeds};
pub use subject::{Subject, SubjectKind};
pub use verify::{Anchor, AnchorError, OutletRow, Sound, Verifier};
pub use wording::{Name, Note, Signature, WordingError};
