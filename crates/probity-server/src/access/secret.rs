//! Random texts that open something, and the hashes that are kept of them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// How many random bytes a secret has.
const BYTES: usize = 32;
/// What every token begins with, so that one that leaked is recognised.
const PREFIX: &str = "probity_";

/// The system gives no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random numbers: {0}")]
pub struct NoRandomness(String);

/// A new secret.
///
/// # Errors
/// When the system gives no random numbers.
pub fn fresh() -> Result<String, NoRandomness> {
    let mut bytes = [0u8; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| NoRandomness(error.to_string()))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// A new token for programs: a short id by which it is revoked, and the token itself.
///
/// # Errors
/// When the system gives no random numbers.
pub fn fresh_token() -> Result<(String, String), NoRandomness> {
    let token = format!("{PREFIX}{}", fresh()?);
    let id = hash(&token).chars().take(8).collect();
    Ok((id, token))
}

/// What is kept of a secret. Secrets are long and random, so that one round is enough.
pub fn hash(secret: &str) -> String {
    probity_core::hex(&Sha256::digest(secret.as_bytes()))
}

/// Whether two secrets are the same, in a time that tells nothing.
pub(crate) fn same(a: &str, b: &str) -> bool {
    Sha256::digest(a.as_bytes()).as_slice().ct_eq(Sha256::digest(b.as_bytes()).as_slice()).into()
}
