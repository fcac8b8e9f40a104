//! Passwords: hashed so that guessing them from the store is dear.

use argon2::password_hash::{PasswordHash, PasswordHasher as _, PasswordVerifier as _, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};

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

/// Whether a password is the one that was hashed.
pub(crate) fn is(password: &str, hashed: &str) -> bool {
    let (Ok(hasher), Ok(hash)) = (hasher(), PasswordHash::new(hashed)) else { return false };
    hasher.verify_password(password.as_bytes(), &hash).is_ok()
}

/// Spends the time that a check takes, for a name that nobody has.
pub(crate) fn pretend(password: &str) {
    let salt = SaltString::from_b64("bm90IGEgcmVhbCBzYWx0");
    if let (Ok(hasher), Ok(salt)) = (hasher(), salt) {
        let _ = hasher.hash_password(password.as_bytes(), &salt);
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
