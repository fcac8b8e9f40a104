-- What people do with runs: mark them, go on from one to the next, and show them to others.

CREATE TABLE run_stars (
    run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE
);

CREATE TABLE run_tags (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (run_id, tag)
);

CREATE INDEX run_tags_tag ON run_tags (tag);

-- A run that came of another.
CREATE TABLE run_kin (
    run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    parent_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('follow', 'again', 'deepen'))
);

CREATE INDEX run_kin_parent ON run_kin (parent_id);

-- Links by which anybody may read one report. Whoever has the link has the secret; the store has its hash.
CREATE TABLE shares (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    made_by TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX shares_run ON shares (run_id);
