//! Signed messages, so that the receiver knows that it is ours and fresh.
//!
//! The header holds `t=SECONDS,v1=HEX`: the time of signing, and the HMAC-SHA256 of `SECONDS.BODY` under the
//! secret.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hmac::{Hmac, KeyInit as _, Mac as _};
use probity_core::Secret;
use sha2::Sha256;

/// The header that holds the signature.
pub const SIGNATURE: &str = "x-probity-signature";

/// The signature of a body, now.
pub(super) fn sign(secret: &Secret, body: &[u8]) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = now.as_secs();
    format!("t={seconds},v1={}", digest(secret, seconds, body))
}

/// Whether a signature is ours, for this body, and not older than `age`.
pub fn verify(secret: &Secret, body: &[u8], signature: &str, age: Duration) -> bool {
    let part = |name: &str| {
        let parts = signature.split(',').filter_map(|part| part.trim().split_once('='));
        parts.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
    };
    let (Some(seconds), Some(given)) = (part("t").and_then(|t| t.parse::<u64>().ok()), part("v1"))
    else {
        return false;
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let is_fresh = now.abs_diff(seconds) <= age.as_secs();
    let Some(given) = bytes(given) else { return false };
    is_fresh && mac(secret, seconds, body).verify_slice(&given).is_ok()
}

fn mac(secret: &Secret, seconds: u64, body: &[u8]) -> Hmac<Sha256> {
    // A key of any length is taken, so this cannot fail; an empty one stands for one that did.
    let made = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes());
    let mut mac = made.unwrap_or_else(|_| Hmac::<Sha256>::new(&Default::default()));
    mac.update(format!("{seconds}.").as_bytes());
    mac.update(body);
    mac
}

fn digest(secret: &Secret, seconds: u64, body: &[u8]) -> String {
    let bytes = mac(secret, seconds, body).finalize().into_bytes();
    probity_core::hex(bytes.iter())
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = hex.chars().map(|digit| digit.to_digit(16)).collect();
    let pairs = digits?;
    let byte = |pair: &[u32]| match pair {
        [high, low] => u8::try_from(high * 16 + low).ok(),
        _ => None,
    };
    pairs.chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_its_body_and_secret_alone_and_not_for_ever() {
        let (secret, other) = (Secret::new("s3cret"), Secret::new("other"));
        let signed = sign(&secret, b"hello");
        let day = Duration::from_secs(86_400);
        assert!(verify(&secret, b"hello", &signed, day));
        assert!(!verify(&secret, b"hell0", &signed, day));
        assert!(!verify(&other, b"hello", &signed, day));
        let old = format!("t=1,v1={}", digest(&secret, 1, b"hello"));
        assert!(!verify(&secret, b"hello", &old, day));
        for wrong in ["", "t=x,v1=00", "v1=00", "t=1", "t=1,v1=zz", "t=1,v1=0"] {
            assert!(!verify(&secret, b"hello", wrong, day), "{wrong}");
        }
    }

    #[test]
    fn the_digest_is_that_of_the_standard() {
        // HMAC-SHA256 of "1.hello" under "key", as other tools compute it.
        let expected = "9233658ef5e21fe59dba8abb099c978547d7626f87090a6a585c26a2a98a91f8";
        assert_eq!(digest(&Secret::new("key"), 1, b"hello"), expected);
    }
}
