//! Whose page an address is, and how credible that publisher is.

use probity_core::Band;
use probity_credibility::outlet::Resolution;
use pyo3::prelude::*;
use serde::Serialize;

use crate::failure::Failure;
use crate::given::{self, SHORT_BYTES};
use crate::record;
use crate::score::usual;

/// The publisher behind an address.
#[pyclass(frozen, get_all, eq, module = "probity")]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Outlet {
    /// The publisher's domain; none if unknown.
    outlet: Option<String>,
    /// The publisher's page behind an aggregator's, redirector's or archive's address.
    publisher_url: Option<String>,
    /// How it was found: none, offline, network, feed-field, page-field or reject.
    method: String,
    /// Whether the outlet is final.
    resolved: bool,
    /// How often an address pointed on to another.
    hops: usize,
    /// The finding in words.
    reason: String,
    /// The publisher's authority in research, from 0 to 1.
    authority: Option<f64>,
    /// How to read that number.
    band: Option<String>,
    /// Why it has that authority.
    explanation: Option<String>,
}

impl Outlet {
    fn new(found: Resolution) -> Result<Self, Failure> {
        let worth = match &found.outlet {
            Some(outlet) => Some(usual()?.engine().authority_of(outlet)),
            None => None,
        };
        Ok(Self {
            outlet: found.outlet.map(|outlet| outlet.to_string()),
            publisher_url: found.publisher_url.map(|url| url.as_str().to_owned()),
            method: found.method.as_str().to_owned(),
            resolved: found.resolved,
            hops: found.hops,
            reason: found.reason.into_owned(),
            authority: worth.as_ref().map(|worth| worth.value),
            band: worth.as_ref().map(|worth| Band::of(worth.value).words().to_owned()),
            explanation: worth.map(|worth| worth.to_string()),
        })
    }
}

#[pymethods]
impl Outlet {
    /// The outlet as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        record::plain(py, self)
    }

    fn __repr__(&self) -> String {
        let outlet = self.outlet.as_deref().unwrap_or("unknown");
        format!("Outlet({outlet}: {})", self.reason)
    }
}

/// The publisher behind an address, from the address alone; nothing is fetched.
#[pyfunction]
pub(crate) fn outlet(url: &Bound<'_, PyAny>) -> PyResult<Outlet> {
    Ok(Outlet::new(resolve(url)?)?)
}

/// The publisher's page behind an aggregator's address; None where only the network could tell.
#[pyfunction]
pub(crate) fn unwrap(url: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    Ok(resolve(url)?.publisher_url.map(|url| url.as_str().to_owned()))
}

fn resolve(url: &Bound<'_, PyAny>) -> Result<Resolution, Failure> {
    let text = given::text(url, "url", SHORT_BYTES)?;
    // What leads nowhere that may be followed is an answer; what is no address is a mistake.
    let url = given::parse_url(text)?;
    Ok(usual()?.engine().resolve(&url))
}
