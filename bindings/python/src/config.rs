//! Settings as a caller gives them: a dictionary, or the path of a configuration file.

use std::path::{Path, PathBuf};

use probity_credibility::Policy;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;
use crate::given::kind;
use crate::record;

/// The largest configuration file that is read, in bytes.
const FILE_BYTES: u64 = 1024 * 1024;

/// The part of a configuration file that scoring needs; the rest of the file is not looked at.
#[derive(Default, Deserialize)]
#[serde(default)]
struct File {
    credibility: Policy,
}

/// How pages are scored: the section `[credibility]` as a dictionary, a file that has it, or the
/// defaults for None.
pub(crate) fn policy(config: Option<&Bound<'_, PyAny>>) -> PyResult<Policy> {
    let policy: Policy = match config.filter(|config| config.is_instance_of::<PyDict>()) {
        Some(section) => read(Some(section))?,
        None => read::<File>(config)?.credibility,
    };
    policy.check().map_err(|error| Failure::usage(format!("`config`: {error}")))?;
    Ok(policy)
}

/// Settings from a dictionary or the path of a configuration file; the defaults for None.
pub(crate) fn read<T: DeserializeOwned + Default>(
    config: Option<&Bound<'_, PyAny>>,
) -> PyResult<T> {
    let Some(config) = config.filter(|config| !config.is_none()) else { return Ok(T::default()) };
    if config.is_instance_of::<PyDict>() {
        let value = record::json(config, "config")?;
        return Ok(serde_json::from_value(value).map_err(|error| {
            Failure::usage(format!("`config`: {error}"))
                .hint("docs/configuration.md lists every setting")
        })?);
    }
    match config.extract::<PathBuf>() {
        Ok(path) => Ok(from_file(&path)?),
        Err(_) => Err(Failure::wrong_type(format!(
            "`config` has to be a dictionary or the path of a configuration file, not {}",
            kind(config)
        ))
        .into()),
    }
}

fn from_file<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let cannot = |error: std::io::Error| {
        Failure::usage(format!("cannot read {}: {error}", path.display()))
            .hint("name a configuration file, as `probity config path` prints it")
    };
    if std::fs::metadata(path).map_err(cannot)?.len() > FILE_BYTES {
        return Err(Failure::usage(format!(
            "{} is no configuration file: it has more than {FILE_BYTES} bytes",
            path.display()
        )));
    }
    let text = std::fs::read_to_string(path).map_err(cannot)?;
    toml::from_str(&text).map_err(|error| {
        Failure::usage(format!("{}: {error}", path.display()))
            .hint("`probity config show` prints every setting with its default")
    })
}
