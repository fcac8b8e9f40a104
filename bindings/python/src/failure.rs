//! How a call fails: what happened, what to do next, and the code that the command line would end with.

use probity_core::printable;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The longest message that an exception carries, in characters.
const MESSAGE_CHARS: usize = 2_000;

/// Who can fix it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The caller, by calling differently: code 2.
    Usage,
    /// The caller, by handing over another type: code 2.
    WrongType,
    /// No one by calling differently: code 1.
    Failed,
}

impl Kind {
    /// The exception's class in `probity.errors`.
    fn class(self) -> &'static str {
        match self {
            Kind::Usage => "UsageError",
            Kind::WrongType => "WrongTypeError",
            Kind::Failed => "ProbityError",
        }
    }
}

/// Why a call failed. The texts may quote what was provided, so they are cleaned.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: Kind,
    message: String,
    hint: Option<String>,
}

impl Failure {
    fn new(kind: Kind, message: impl ToString) -> Self {
        Self { kind, message: printable::brief(&message.to_string(), MESSAGE_CHARS), hint: None }
    }

    /// Something that the caller can fix by calling differently.
    pub(crate) fn usage(message: impl ToString) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// A value of the wrong type.
    pub(crate) fn wrong_type(message: impl ToString) -> Self {
        Self::new(Kind::WrongType, message)
    }

    /// Something that went wrong although the call was right.
    pub(crate) fn failed(message: impl ToString) -> Self {
        Self::new(Kind::Failed, message)
    }

    /// The same, with what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// As the exception that Python code catches.
    fn raised(self, py: Python<'_>) -> PyResult<PyErr> {
        let class = py.import("probity.errors")?.getattr(self.kind.class())?;
        let named = PyDict::new(py);
        named.set_item("hint", self.hint)?;
        Ok(PyErr::from_value(class.call((self.message,), Some(&named))?))
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| {
            let message = failure.message.clone();
            // Without the package around it, the message alone has to do.
            failure.raised(py).unwrap_or_else(|_| PyRuntimeError::new_err(message))
        })
    }
}
