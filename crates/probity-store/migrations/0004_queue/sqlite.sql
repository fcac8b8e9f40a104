-- Work that waits for a worker, and the leases of those who have it.

CREATE TABLE jobs (
    id TEXT PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    owner TEXT NOT NULL,
    payload TEXT NOT NULL,
    priority INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'leased', 'done', 'dead', 'cancelled')),
    -- With the worker's name the fence: it grows with every lease, and never goes back.
    attempt INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    failures_most INTEGER NOT NULL,
    worker TEXT,
    due_at INTEGER NOT NULL,
    lease_until INTEGER,
    cancel INTEGER NOT NULL,
    error TEXT,
    queued_at INTEGER NOT NULL,
    touched_at INTEGER NOT NULL,
    CHECK ((state = 'leased') = (lease_until IS NOT NULL))
) STRICT;

CREATE INDEX jobs_queued ON jobs (kind, priority DESC, due_at, id) WHERE state = 'queued';
CREATE INDEX jobs_leased ON jobs (lease_until) WHERE state = 'leased';
CREATE INDEX jobs_open ON jobs (owner, state) WHERE state IN ('queued', 'leased');
