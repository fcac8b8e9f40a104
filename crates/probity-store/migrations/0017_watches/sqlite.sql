-- Questions that are asked again on a schedule, and what each turn brought.

CREATE TABLE watches (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    owner TEXT NOT NULL,
    question TEXT NOT NULL,
    -- The question as a client asks it, as JSON.
    ask TEXT NOT NULL,
    every_ms INTEGER NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0,
    added_at INTEGER NOT NULL,
    -- The run that is under way for it.
    pending_run TEXT,
    -- The last run that ended with a report: what the next one is compared with.
    last_run TEXT,
    last_at INTEGER,
    changed_at INTEGER
) STRICT;

CREATE INDEX watches_owner ON watches (owner);

CREATE TABLE watch_turns (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    watch_id INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
    run_id TEXT,
    -- The run that it was compared with.
    before_run TEXT,
    at INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('first', 'same', 'changed', 'failed')),
    -- What is new, as JSON, or what went wrong.
    novelty TEXT,
    problem TEXT
) STRICT;

CREATE INDEX watch_turns_watch ON watch_turns (watch_id, id);
