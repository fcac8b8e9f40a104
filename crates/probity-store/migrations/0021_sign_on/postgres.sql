-- Accounts at providers that others run, and whose they are here.
CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_name TEXT NOT NULL REFERENCES users (name) ON DELETE CASCADE,
    linked_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);

-- A user has one account at a provider: a second one that bears the same address is somebody else.
CREATE UNIQUE INDEX identities_user ON identities (user_name, issuer);

-- Log-ins that were begun there. The browser has state and key; the store has their hashes.
CREATE TABLE sign_ons (
    state_hash TEXT PRIMARY KEY,
    browser_hash TEXT NOT NULL,
    nonce TEXT NOT NULL,
    verifier TEXT NOT NULL,
    leads_to TEXT NOT NULL,
    began_at BIGINT NOT NULL
);

CREATE INDEX sign_ons_began ON sign_ons (began_at);
