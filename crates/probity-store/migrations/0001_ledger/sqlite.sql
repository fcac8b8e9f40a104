-- Outlets and their scores, the codebook, and the log of everything that moved a score.

CREATE TABLE meta (
    key TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT;

-- A row is a summary of the outlet's seed and events; verification computes it anew.
CREATE TABLE outlets (
    domain TEXT PRIMARY KEY NOT NULL,
    name TEXT,
    credibility_score REAL NOT NULL CHECK (credibility_score BETWEEN 0 AND 1),
    seeded_score REAL CHECK (seeded_score BETWEEN 0 AND 1),
    first_seen INTEGER NOT NULL,
    last_event INTEGER
) STRICT;

-- Every version of every code. The highest revision of a name is the one in force.
CREATE TABLE codes (
    name TEXT NOT NULL,
    revision INTEGER NOT NULL CHECK (revision > 0),
    weight INTEGER NOT NULL CHECK (weight BETWEEN -100 AND 100),
    description TEXT NOT NULL,
    retired INTEGER NOT NULL CHECK (retired IN (0, 1)),
    editor TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (name, revision)
) STRICT;

-- The log. Codes are `name=weight` with commas between; hashes are described in docs/ledger.md.
CREATE TABLE ledger_events (
    seq INTEGER PRIMARY KEY NOT NULL CHECK (seq > 0),
    happened_at INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('nudge', 'set', 'import', 'revert')),
    outlet TEXT NOT NULL REFERENCES outlets (domain),
    outlet_name TEXT,
    score_before REAL NOT NULL CHECK (score_before BETWEEN 0 AND 1),
    score_after REAL NOT NULL CHECK (score_after BETWEEN 0 AND 1),
    alpha REAL CHECK (alpha BETWEEN 0 AND 1),
    target REAL CHECK (target IN (0, 1)),
    codes TEXT NOT NULL,
    subject TEXT NOT NULL,
    reference TEXT,
    editor TEXT NOT NULL,
    note TEXT,
    provenance TEXT,
    reverts INTEGER REFERENCES ledger_events (seq),
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;

CREATE INDEX ledger_events_by_outlet ON ledger_events (outlet, seq);

-- The end of the log, so that an event that vanishes from the end is missed.
CREATE TABLE ledger_head (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT;

-- The log only grows, whoever connects. REPLACE deletes without asking a DELETE trigger, so the
-- trigger on INSERT accepts nothing but the next number.
CREATE TRIGGER ledger_events_append BEFORE INSERT ON ledger_events
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM ledger_events)
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only: the next event must follow the last one');
END;

CREATE TRIGGER ledger_events_keep BEFORE UPDATE ON ledger_events
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only: an event is never changed');
END;

CREATE TRIGGER ledger_events_stay BEFORE DELETE ON ledger_events
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only: an event is never deleted');
END;

CREATE TRIGGER codes_append BEFORE INSERT ON codes
WHEN NEW.revision IS NOT (SELECT coalesce(max(revision), 0) + 1 FROM codes WHERE name = NEW.name)
BEGIN
    SELECT RAISE(ABORT, 'the codebook is append-only: the next revision must follow the last one');
END;

CREATE TRIGGER codes_keep BEFORE UPDATE ON codes
BEGIN
    SELECT RAISE(ABORT, 'the codebook is append-only: a revision is never changed');
END;

CREATE TRIGGER codes_stay BEFORE DELETE ON codes
BEGIN
    SELECT RAISE(ABORT, 'the codebook is append-only: a revision is never deleted');
END;

-- The outlets that every ledger begins with. The head's hash is that of this list.
INSERT INTO outlets (domain, name, credibility_score, seeded_score, first_seen)
WITH seeds (domain, name, score) AS (VALUES
    ('sec.gov', 'U.S. Securities and Exchange Commission', 0.95),
    ('reuters.com', 'Reuters', 0.92),
    ('apnews.com', 'The Associated Press', 0.92),
    ('wsj.com', 'The Wall Street Journal', 0.90),
    ('ft.com', 'Financial Times', 0.90),
    ('nytimes.com', 'The New York Times', 0.88),
    ('bloomberg.com', 'Bloomberg', 0.88),
    ('economist.com', 'The Economist', 0.87),
    ('washingtonpost.com', 'The Washington Post', 0.85),
    ('theguardian.com', 'The Guardian', 0.83),
    ('bbc.com', 'BBC', 0.83),
    ('theatlantic.com', 'The Atlantic', 0.80),
    ('arstechnica.com', 'Ars Technica', 0.78),
    ('axios.com', 'Axios', 0.78),
    ('fortune.com', 'Fortune', 0.75),
    ('cnbc.com', 'CNBC', 0.74),
    ('techcrunch.com', 'TechCrunch', 0.72),
    ('wired.com', 'WIRED', 0.72)
)
SELECT domain, name, score, score, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
FROM seeds;

INSERT INTO ledger_head (id, seq, hash)
VALUES (1, 0, '619f65e4545525e1c7ade50e07e485130ac9cf26ea82d5f71efed4304d14dac9');

INSERT INTO codes (name, revision, weight, description, retired, editor, changed_at)
VALUES
    ('high-quality-source', 1, 1,
     'Original reporting or evidence that holds up: named sources, documents, data.', 0, 'probity',
     CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)),
    ('source-unreliable', 1, -1,
     'Claims that do not hold up, are unsourced, or were corrected late or never.', 0, 'probity',
     CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER));
