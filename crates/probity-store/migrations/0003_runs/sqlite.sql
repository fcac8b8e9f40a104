-- Runs, and the journal that lets any process resume or replay one.

CREATE TABLE runs (
    id TEXT PRIMARY KEY NOT NULL,
    question TEXT NOT NULL,
    mode TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'finished', 'failed', 'interrupted')),
    decision TEXT,
    title TEXT,
    error TEXT,
    spec TEXT NOT NULL,
    report TEXT,
    asked_at INTEGER NOT NULL,
    touched_at INTEGER NOT NULL
) STRICT;

CREATE INDEX runs_by_time ON runs (asked_at DESC, id DESC);

CREATE TABLE journal (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    step_key TEXT NOT NULL,
    kind TEXT NOT NULL,
    inputs TEXT NOT NULL,
    output TEXT NOT NULL,
    digest TEXT NOT NULL,
    at INTEGER NOT NULL,
    millis INTEGER NOT NULL,
    PRIMARY KEY (run_id, seq),
    UNIQUE (run_id, step_key)
) STRICT;
