//! Probity for Python: scoring, extraction, reading, checking, research and the ledger as one module.
//!
//! ```text
//! Python values → `given` (checked, named, bounded) → the engine's own crates → records that Python can keep
//! ```
//!
//! # Architecture
//! Nothing is decided here: every number comes from the crates that the command line uses. What is
//! added is how calls wait (`wait`: without the interpreter's lock, and open to Ctrl-C) and how they
//! fail (`failure`: exceptions with the codes and hints of the command line).

mod cite;
mod columns;
mod config;
mod extract;
mod failure;
mod given;
mod ledger;
mod outlet;
mod read;
mod record;
mod research;
mod score;
mod wait;

use pyo3::prelude::*;

/// The compiled part of the package `probity`; import that instead.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::cite::{Citation, check_citation};
    #[pymodule_export]
    use crate::columns::{check_batch, cluster_batch, extract_batch, score_batch};
    #[pymodule_export]
    use crate::extract::{Extracted, Heading, extract, extract_pdf};
    #[pymodule_export]
    use crate::ledger::Ledger;
    #[pymodule_export]
    use crate::outlet::{Outlet, outlet, unwrap};
    #[pymodule_export]
    use crate::read::{Answer, Entailment, Reader, Relevance, relevance};
    #[pymodule_export]
    use crate::research::{Report, Switch, research};
    #[pymodule_export]
    use crate::score::{Score, Scorer, score};
}
