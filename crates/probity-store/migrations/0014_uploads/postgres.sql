-- Documents that were brought along for single runs: their texts, never the files.

CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    made_at BIGINT NOT NULL
);

CREATE INDEX uploads_owner ON uploads (owner);

CREATE TABLE upload_documents (
    upload_id TEXT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
    place BIGINT NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    words BIGINT NOT NULL,
    -- How long the text is, in bytes.
    size BIGINT NOT NULL,
    -- JSON.
    reading TEXT NOT NULL,
    PRIMARY KEY (upload_id, place),
    UNIQUE (upload_id, name)
);

-- The runs that ask them. What no run asks is forgotten after a while.
CREATE TABLE upload_runs (
    upload_id TEXT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    PRIMARY KEY (upload_id, run_id)
);

CREATE INDEX upload_runs_run ON upload_runs (run_id);
