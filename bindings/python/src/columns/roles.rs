//! Which column is what: by the usual names, or as the caller says.

use std::collections::HashMap;

use arrow_schema::Schema;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::Failure;
use crate::given::{self, SHORT_BYTES};

/// The most columns that may be carried along.
const KEPT: usize = 1_000;

/// The places of the columns that a job reads.
#[derive(Debug, Clone)]
pub(super) struct Roles {
    /// The place of each role that has a column.
    places: HashMap<&'static str, usize>,
}

impl Roles {
    /// Finds the columns: each role's own name, unless `columns` gives another.
    pub(super) fn find(
        schema: &Schema,
        roles: &[&'static str],
        columns: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut places = HashMap::new();
        for role in roles {
            places.extend(schema.index_of(role).ok().map(|place| (*role, place)));
        }
        for (role, name) in columns.into_iter().flat_map(|columns| columns.iter()) {
            let role = given::text(&role, "columns", SHORT_BYTES)?;
            let Some(role) = roles.iter().find(|known| **known == role) else {
                return Err(Failure::usage(format!(
                    "`columns` names {role:?}; the data is read for {}",
                    roles.join(", ")
                ))
                .into());
            };
            if name.is_none() {
                places.remove(role);
            } else {
                let name = given::text(&name, "columns", SHORT_BYTES)?;
                places.insert(role, self::place(schema, name)?);
            }
        }
        Ok(Self { places })
    }

    /// The place of a column that has to be there.
    pub(super) fn needed(&self, role: &'static str) -> Result<usize, Failure> {
        self.places.get(role).copied().ok_or_else(|| {
            Failure::usage(format!("the data has no column {role:?}"))
                .hint(format!("say which one it is: columns={{\"{role}\": \"…\"}}"))
        })
    }

    /// The place of a column that may be there.
    pub(super) fn optional(&self, role: &'static str) -> Option<usize> {
        self.places.get(role).copied()
    }
}

/// The place of a column by its name.
pub(super) fn place(schema: &Schema, name: &str) -> Result<usize, Failure> {
    schema.index_of(name).map_err(|_| {
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        Failure::usage(format!("there is no column {name:?}; there are {}", names.join(", ")))
    })
}

/// The names of the columns to carry along.
pub(super) fn kept(keep: Option<&Bound<'_, PyAny>>) -> Result<Vec<String>, Failure> {
    keep.map_or(Ok(Vec::new()), |keep| given::texts(keep, "keep", KEPT))
}
