-- What happened in each run, as watchers see it; the pace that all processes keep; what was spent.

CREATE TABLE run_events (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    -- From 1 without a gap: the place in the stream, and its id for whoever comes back.
    seq BIGINT NOT NULL,
    kind TEXT NOT NULL,
    event TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (run_id, seq)
);

-- One row for each host or provider that is asked by several processes.
CREATE TABLE pace (
    name TEXT PRIMARY KEY,
    -- The instant of the next free slot.
    next_at BIGINT NOT NULL,
    -- Until when it is left alone, because it asked for that or failed too often.
    closed_until BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    touched_at BIGINT NOT NULL
);

CREATE INDEX pace_by_time ON pace (touched_at);

-- What all runs spent on a day, in millionths of a US dollar.
CREATE TABLE spend (
    day BIGINT PRIMARY KEY,
    spent BIGINT NOT NULL,
    -- What calls that are under way could still cost.
    held BIGINT NOT NULL
);
