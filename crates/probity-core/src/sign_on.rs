//! A log-in at an OpenID Connect provider: what it begins with, and what the browser brings back.

/// What a log-in begins with. Each but the address is a random text that is used once.
#[derive(Debug, Clone, Copy)]
pub struct SignOnSecrets<'a> {
    /// Comes back with the code.
    pub state: &'a str,
    /// Comes back in the ID token.
    pub nonce: &'a str,
    /// Proves at the end who began; only its hash is sent at first (PKCE).
    pub verifier: &'a str,
    /// The address to which the browser comes back.
    pub redirect: &'a str,
}

/// What a browser brings back from a provider.
#[derive(Debug, Clone, Copy)]
pub struct SignOnAnswer<'a> {
    /// The code for the token endpoint.
    pub code: &'a str,
    /// The issuer that claims to answer (RFC 9207).
    pub issuer: Option<&'a str>,
}
