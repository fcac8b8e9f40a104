//! Signed tokens (JWT), as a provider that people log in at gives them out.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _,
};
use serde_json::{Value, json};

/// A key that signs, and its public half.
pub struct Signer {
    kid: String,
    pair: Pair,
}

enum Pair {
    Ecdsa(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

impl Signer {
    /// A fresh key for `ES256`.
    ///
    /// # Panics
    /// When the system gives no random numbers.
    #[expect(clippy::expect_used, reason = "a test cannot go on without a key")]
    pub fn ecdsa(kid: &str) -> Self {
        let (random, way) = (SystemRandom::new(), &ECDSA_P256_SHA256_FIXED_SIGNING);
        let document = EcdsaKeyPair::generate_pkcs8(way, &random).expect("random numbers");
        let pair = EcdsaKeyPair::from_pkcs8(way, document.as_ref(), &random).expect("a key");
        Self { kid: kid.to_owned(), pair: Pair::Ecdsa(pair) }
    }

    /// A fresh key for `EdDSA`.
    ///
    /// # Panics
    /// When the system gives no random numbers.
    #[expect(clippy::expect_used, reason = "a test cannot go on without a key")]
    pub fn ed25519(kid: &str) -> Self {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("randomness");
        let pair = Ed25519KeyPair::from_pkcs8(document.as_ref()).expect("a key");
        Self { kid: kid.to_owned(), pair: Pair::Ed25519(pair) }
    }

    /// The public half, as a provider publishes its keys.
    pub fn keys(&self) -> Value {
        let key = match &self.pair {
            Pair::Ecdsa(pair) => {
                let point = pair.public_key().as_ref();
                let (x, y) = point.get(1..).unwrap_or_default().split_at(32);
                let (x, y) = (BASE64.encode(x), BASE64.encode(y));
                json!({ "kty": "EC", "crv": "P-256", "kid": self.kid, "use": "sig", "x": x, "y": y })
            }
            Pair::Ed25519(pair) => {
                let x = BASE64.encode(pair.public_key());
                json!({ "kty": "OKP", "crv": "Ed25519", "kid": self.kid, "x": x })
            }
        };
        json!({ "keys": [key] })
    }

    /// A token with any header and any claims.
    ///
    /// # Panics
    /// When the system gives no random numbers.
    #[expect(clippy::expect_used, reason = "a test cannot go on without a signature")]
    pub fn sign(&self, header: &Value, claims: &Value) -> String {
        let message = message(header, claims);
        let signature = match &self.pair {
            Pair::Ecdsa(pair) => {
                let signed = pair.sign(&SystemRandom::new(), message.as_bytes());
                BASE64.encode(signed.expect("a signature"))
            }
            Pair::Ed25519(pair) => BASE64.encode(pair.sign(message.as_bytes())),
        };
        format!("{message}.{signature}")
    }

    /// A token as the key's own algorithm signs it.
    pub fn token(&self, claims: &Value) -> String {
        let alg = match self.pair {
            Pair::Ecdsa(_) => "ES256",
            Pair::Ed25519(_) => "EdDSA",
        };
        self.sign(&json!({ "alg": alg, "kid": self.kid }), claims)
    }

    /// A forgery: `HS256` with the public key, which everybody knows, as the secret.
    pub fn forge_with_public_key(&self, claims: &Value) -> String {
        let message = message(&json!({ "alg": "HS256", "kid": self.kid }), claims);
        let public = match &self.pair {
            Pair::Ecdsa(pair) => pair.public_key().as_ref(),
            Pair::Ed25519(pair) => pair.public_key().as_ref(),
        };
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, public), message.as_bytes());
        format!("{message}.{}", BASE64.encode(tag))
    }
}

fn message(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| BASE64.encode(value.to_string());
    format!("{}.{}", part(header), part(claims))
}
