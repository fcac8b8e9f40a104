//! Passwords: hashed so that guessing them from the store is dear.

use std::cell::RefCell;

use argon2::password_hash::{PasswordHash, PasswordHasher as _, Salt, SaltString};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use subtle::ConstantTimeEq as _;

/// The shortest password, in characters.
pub const SHORTEST: usize = 10;
/// The longest password, in characters.
pub const LONGEST: usize = 500;
/// How much random salt a password gets, in bytes.
const SALT: usize = 16;
/// Memory in KiB, rounds and lanes of one hash.
const COST: (u32, u32, u32) = (19 * 1024, 2, 1);

/// Why a password was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// It is too short or too long.
    #[error("a password has {SHORTEST} to {LONGEST} characters; this one has {0}")]
    Length(usize),
    /// It could not be hashed.
    #[error("the password could not be hashed: {0}")]
    Hash(String),
}

fn hasher() -> Result<Argon2<'static>, PasswordError> {
    let (memory, rounds, lanes) = COST;
    let params = Params::new(memory, rounds, lanes, None);
    let params = params.map_err(|error| PasswordError::Hash(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Hashes a password for keeping.
///
/// # Errors
/// When it is too short or too long, or the system gives no random numbers.
pub fn hash(password: &str) -> Result<String, PasswordError> {
    let chars = password.chars().count();
    if !(SHORTEST..=LONGEST).contains(&chars) {
        return Err(PasswordError::Length(chars));
    }
    let failed = |error: &dyn std::fmt::Display| PasswordError::Hash(error.to_string());
    let mut salt = [0u8; SALT];
    getrandom::fill(&mut salt).map_err(|error| failed(&error))?;
    let salt = SaltString::encode_b64(&salt).map_err(|error| failed(&error))?;
    let hashed = hasher()?.hash_password(password.as_bytes(), &salt);
    Ok(hashed.map_err(|error| failed(&error))?.to_string())
}

thread_local! {
    /// What a hash is computed in. A thread keeps it: taken anew each time, it would leave holes that
    /// nothing of its size fits into again.
    static MEMORY: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
}

/// Reckons the hash of a password.
fn reckon(hasher: &Argon2<'_>, password: &str, salt: &[u8], out: &mut [u8]) -> bool {
    MEMORY.with_borrow_mut(|memory| {
        memory.resize(hasher.params().block_count(), Block::default());
        hasher.hash_password_into_with_memory(password.as_bytes(), salt, out, memory).is_ok()
    })
}

/// Whether a password is the one that was hashed.
pub(crate) fn is(password: &str, hashed: &str) -> bool {
    same(password, hashed).unwrap_or(false)
}

fn same(password: &str, hashed: &str) -> Option<bool> {
    let hash = PasswordHash::new(hashed).ok()?;
    let (salt, expected) = (hash.salt?, hash.hash?);
    let params = Params::try_from(&hash).ok()?;
    let algorithm = Algorithm::try_from(hash.algorithm).ok()?;
    let hasher = Argon2::new(algorithm, Version::try_from(hash.version?).ok()?, params);
    let mut space = [0u8; Salt::MAX_LENGTH];
    let salt = salt.decode_b64(&mut space).ok()?;
    let mut found = vec![0u8; expected.len()];
    let reckoned = reckon(&hasher, password, salt, &mut found);
    Some(reckoned && bool::from(found.ct_eq(expected.as_bytes())))
}

/// Spends the time that a check takes, for an unknown name.
pub(crate) fn pretend(password: &str) {
    if let Ok(hasher) = hasher() {
        let mut out = [0u8; Params::DEFAULT_OUTPUT_LEN];
        reckon(&hasher, password, b"not a real salt", &mut out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_password_is_the_same() {
        let hashed = hash("correct horse").unwrap();
        assert!(hashed.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(is("correct horse", &hashed));
        assert!(!is("correct horse ", &hashed));
        assert!(!is("correct horse", "not a hash"));
        assert_ne!(hash("correct horse").unwrap(), hashed, "two salts are the same");
        assert_eq!(hash("short"), Err(PasswordError::Length(5)));
    }
}
