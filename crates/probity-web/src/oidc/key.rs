//! The public keys of a provider (JWK), and what they prove.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256,
    RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// The most keys of a provider that are looked at.
const KEYS_MOST: usize = 64;

/// The names of the algorithms whose signatures count. Neither `none` nor anything with a shared
/// secret is a signature of the provider's.
pub(super) const ALGORITHMS: [&str; 5] = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

/// How a token can be signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    Rs256,
    Ps256,
    Es256,
    EdDsa,
}

impl Algorithm {
    pub(super) fn of(name: &str) -> Option<Self> {
        match name {
            "RS256" => Some(Self::Rs256),
            "PS256" => Some(Self::Ps256),
            "ES256" => Some(Self::Es256),
            // Two names of one algorithm (RFC 8037, RFC 9864).
            "EdDSA" | "Ed25519" => Some(Self::EdDsa),
            _ => None,
        }
    }

    fn key_type(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Rs256 | Self::Ps256 => ("RSA", None),
            Self::Es256 => ("EC", Some("P-256")),
            Self::EdDsa => ("OKP", Some("Ed25519")),
        }
    }
}

/// A public key of a provider.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Key {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl Key {
    /// Whether the key may prove a token with this algorithm and key id.
    fn fits(&self, name: &str, kid: Option<&str>) -> bool {
        let Some(algorithm) = Algorithm::of(name) else { return false };
        let (kty, crv) = algorithm.key_type();
        self.kty == kty
            && crv.is_none_or(|crv| self.crv.as_deref() == Some(crv))
            && self.purpose.as_deref().is_none_or(|purpose| purpose == "sig")
            && self.alg.as_deref().is_none_or(|alg| alg == name)
            && kid.is_none_or(|kid| self.kid.as_deref() == Some(kid))
    }

    pub(super) fn verify(&self, algorithm: Algorithm, message: &[u8], signature: &[u8]) -> bool {
        self.proves(algorithm, message, signature).unwrap_or(false)
    }

    fn proves(&self, algorithm: Algorithm, message: &[u8], signature: &[u8]) -> Option<bool> {
        let bytes = |text: &Option<String>| BASE64.decode(text.as_deref()?).ok();
        Some(match algorithm {
            Algorithm::Rs256 | Algorithm::Ps256 => {
                let (n, e) = (bytes(&self.n)?, bytes(&self.e)?);
                let key = RsaPublicKeyComponents { n: &n, e: &e };
                let way = match algorithm {
                    Algorithm::Ps256 => &RSA_PSS_2048_8192_SHA256,
                    _ => &RSA_PKCS1_2048_8192_SHA256,
                };
                key.verify(way, message, signature).is_ok()
            }
            Algorithm::Es256 => {
                // An uncompressed point.
                let mut point = vec![4];
                point.extend(bytes(&self.x)?);
                point.extend(bytes(&self.y)?);
                let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
                key.verify(message, signature).is_ok()
            }
            Algorithm::EdDsa => {
                let key = UnparsedPublicKey::new(&ED25519, bytes(&self.x)?);
                key.verify(message, signature).is_ok()
            }
        })
    }
}

/// The public keys of a provider.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct KeySet {
    #[serde(deserialize_with = "readable")]
    keys: Vec<Key>,
}

/// One key that is of no known form does not hide the others.
fn readable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Key>, D::Error> {
    let all = Vec::<Value>::deserialize(deserializer)?;
    let read = all.into_iter().take(KEYS_MOST).filter_map(|key| serde_json::from_value(key).ok());
    Ok(read.collect())
}

impl KeySet {
    /// The keys that may have signed a token with this algorithm and key id.
    pub(super) fn fitting<'a>(
        &'a self,
        algorithm: &'a str,
        kid: Option<&'a str>,
    ) -> impl Iterator<Item = &'a Key> {
        self.keys.iter().filter(move |key| key.fits(algorithm, kid))
    }

    /// How many keys can prove anything.
    pub(super) fn usable(&self) -> usize {
        let is_usable = |key: &&Key| ALGORITHMS.iter().any(|name| key.fits(name, None));
        self.keys.iter().filter(is_usable).count()
    }
}
