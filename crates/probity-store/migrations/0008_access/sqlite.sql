-- Who may do what on a server: users, sessions, tokens; requests that are done once; what was done.

CREATE TABLE users (
    name TEXT PRIMARY KEY NOT NULL,
    -- Never the password: its hash, with the way it was hashed.
    password TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('reader', 'editor', 'admin')),
    added_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;

-- The browser has the id; the store has its hash, so that reading the store opens nothing.
CREATE TABLE sessions (
    hash TEXT PRIMARY KEY NOT NULL,
    user_name TEXT NOT NULL REFERENCES users (name) ON DELETE CASCADE,
    form_key TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_user ON sessions (user_name);

CREATE TABLE tokens (
    id TEXT PRIMARY KEY NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    scopes TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT;

-- What a client sent under a key of its own, and what it was answered.
CREATE TABLE once (
    owner TEXT NOT NULL,
    once_key TEXT NOT NULL,
    request TEXT NOT NULL,
    status INTEGER,
    media TEXT,
    body TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (owner, once_key)
) STRICT;

CREATE INDEX once_at ON once (at);

-- What people did apart from changing scores, which the ledger keeps.
CREATE TABLE actions (
    seq INTEGER PRIMARY KEY NOT NULL,
    at INTEGER NOT NULL,
    who TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL
) STRICT;

CREATE TRIGGER actions_append BEFORE INSERT ON actions
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM actions)
BEGIN
    SELECT RAISE(ABORT, 'the log of actions is append-only: the next must follow the last one');
END;

CREATE TRIGGER actions_keep BEFORE UPDATE ON actions
BEGIN
    SELECT RAISE(ABORT, 'the log of actions is append-only: an action is never changed');
END;

CREATE TRIGGER actions_stay BEFORE DELETE ON actions
BEGIN
    SELECT RAISE(ABORT, 'the log of actions is append-only: an action is never deleted');
END;
