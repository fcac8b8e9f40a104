-- What little is known of outlets that nobody rated: what their pages showed when they were read, and
-- who links to whom.

CREATE TABLE outlet_signals (
    outlet TEXT PRIMARY KEY,
    gathered_at BIGINT NOT NULL,
    -- JSON.
    signals TEXT NOT NULL
);

-- A page of `outlet` links to a page of `cited`.
CREATE TABLE outlet_citations (
    cited TEXT NOT NULL,
    outlet TEXT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (cited, outlet)
);
CREATE INDEX outlet_citations_outlet ON outlet_citations (outlet);
