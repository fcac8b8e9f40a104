-- Who may do what on a server: users, sessions, tokens; requests that are done once; what was done.

CREATE TABLE users (
    name TEXT PRIMARY KEY,
    -- Never the password: its hash, with the way it was hashed.
    password TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('reader', 'editor', 'admin')),
    added_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL
);

-- The browser has the id; the store has its hash, so that reading the store opens nothing.
CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    user_name TEXT NOT NULL REFERENCES users (name) ON DELETE CASCADE,
    form_key TEXT NOT NULL,
    began_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);

CREATE INDEX sessions_user ON sessions (user_name);

CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    scopes TEXT NOT NULL,
    added_at BIGINT NOT NULL,
    used_at BIGINT
);

-- What a client sent under a key of its own, and what it was answered.
CREATE TABLE once (
    owner TEXT NOT NULL,
    once_key TEXT NOT NULL,
    request TEXT NOT NULL,
    status BIGINT,
    media TEXT,
    body TEXT,
    at BIGINT NOT NULL,
    PRIMARY KEY (owner, once_key)
);

CREATE INDEX once_at ON once (at);

-- What people did apart from changing scores, which the ledger keeps.
CREATE TABLE actions (
    seq BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    who TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL
);

CREATE FUNCTION probity_append_action() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq IS DISTINCT FROM (SELECT coalesce(max(seq), 0) + 1 FROM actions) THEN
        RAISE EXCEPTION 'the log of actions is append-only: the next must follow the last one'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER actions_append BEFORE INSERT ON actions
FOR EACH ROW EXECUTE FUNCTION probity_append_action();

CREATE TRIGGER actions_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON actions
FOR EACH STATEMENT EXECUTE FUNCTION probity_refuse();
