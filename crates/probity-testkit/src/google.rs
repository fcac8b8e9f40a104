//! A service account as Google gives them out, with a key that was made for tests and opens nothing.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use ring::rsa::KeyPair;
use ring::signature::{KeyPair as _, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
use serde_json::{Value, json};

/// Whose account it is.
pub const EMAIL: &str = "reporter@ellery.iam.gserviceaccount.com";
/// The name of its key.
pub const KEY_ID: &str = "planted-key-id-91d3";
/// Its key.
pub const PEM: &str = include_str!("google/key.pem");

/// The file that names the account, whose tokens are had at an address.
pub fn key_file(token_uri: &str) -> Value {
    json!({
        "type": "service_account", "project_id": "ellery", "private_key_id": KEY_ID, "private_key": PEM,
        "client_email": EMAIL, "token_uri": token_uri,
    })
}

/// Header and claims of what the key has signed; nothing if it has not.
pub fn signed(assertion: &str) -> Option<(Value, Value)> {
    let (message, signature) = assertion.rsplit_once('.')?;
    let der: String = PEM.lines().filter(|line| !line.starts_with('-')).collect();
    let der = base64::engine::general_purpose::STANDARD.decode(der).ok()?;
    let pair = KeyPair::from_pkcs8(&der).ok()?;
    let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, pair.public_key());
    public.verify(message.as_bytes(), &BASE64.decode(signature).ok()?).ok()?;
    let read = |part: &str| serde_json::from_slice(&BASE64.decode(part).ok()?).ok();
    let (header, claims) = message.split_once('.')?;
    Some((read(header)?, read(claims)?))
}
