//! A coding: the codes that an editor applies to something, weighed by the codebook.

use std::collections::BTreeSet;

use probity_core::Outlet;

use super::{Alpha, CodeName, Codebook, CodebookError, Signature, Subject, Target, WeighedCode};

/// The most codes that one coding may apply.
const CODES_PER_CODING: usize = 20;

/// Why a coding cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodingError {
    /// No code was given.
    #[error("a coding needs at least one code")]
    NoCode,
    /// More codes than a person would apply.
    #[error("a coding may apply at most {CODES_PER_CODING} codes; this one has {0}")]
    TooMany(usize),
    /// A code is not usable.
    #[error(transparent)]
    Code(#[from] CodebookError),
}

/// A coding as it was asked for, before the codebook has been consulted.
#[derive(Debug, Clone, PartialEq)]
pub struct CodingRequest {
    /// The outlet whose score it moves.
    pub outlet: Outlet,
    /// What was looked at.
    pub subject: Subject,
    /// The codes, in any order; one that is given twice counts once.
    pub codes: Vec<CodeName>,
    /// How far the score may move.
    pub alpha: Alpha,
    /// Who codes, and what they say about it.
    pub signature: Signature,
}

/// A coding whose codes exist, with the weights they have at this moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Coding {
    request: CodingRequest,
    codes: Vec<WeighedCode>,
}

impl Coding {
    /// Weighs a request by the codebook.
    ///
    /// # Errors
    /// When there is no code, too many, or one that the codebook does not have in use.
    pub fn weigh(request: CodingRequest, codebook: &Codebook) -> Result<Self, CodingError> {
        let names: BTreeSet<&CodeName> = request.codes.iter().collect();
        if names.is_empty() {
            return Err(CodingError::NoCode);
        }
        if names.len() > CODES_PER_CODING {
            return Err(CodingError::TooMany(names.len()));
        }
        let codes = names
            .into_iter()
            .map(|name| {
                let code = codebook.usable(name)?;
                Ok(WeighedCode { code: code.name.clone(), weight: code.weight })
            })
            .collect::<Result<Vec<_>, CodebookError>>()?;
        Ok(Self { request, codes })
    }

    /// The request that was weighed.
    pub fn request(&self) -> &CodingRequest {
        &self.request
    }

    /// The codes by name, each with its weight.
    pub fn codes(&self) -> &[WeighedCode] {
        &self.codes
    }

    /// Where the coding pulls the score; none when the weights cancel out.
    pub fn target(&self) -> Option<Target> {
        Target::of_sum(WeighedCode::sum(&self.codes))
    }
}
