-- Outlets and their scores, the codebook, and the log of everything that moved a score.

CREATE TABLE meta (
    key TEXT COLLATE "C" PRIMARY KEY,
    value TEXT NOT NULL
);

-- A row is a summary of the outlet's seed and events; verification computes it anew.
CREATE TABLE outlets (
    domain TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C",
    credibility_score DOUBLE PRECISION NOT NULL CHECK (credibility_score BETWEEN 0 AND 1),
    seeded_score DOUBLE PRECISION CHECK (seeded_score BETWEEN 0 AND 1),
    first_seen BIGINT NOT NULL,
    last_event BIGINT
);

-- Every version of every code. The highest revision of a name is the one in force.
CREATE TABLE codes (
    name TEXT COLLATE "C" NOT NULL,
    revision BIGINT NOT NULL CHECK (revision > 0),
    weight BIGINT NOT NULL CHECK (weight BETWEEN -100 AND 100),
    description TEXT NOT NULL,
    retired BIGINT NOT NULL CHECK (retired IN (0, 1)),
    editor TEXT NOT NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (name, revision)
);

-- The log. Codes are `name=weight` with commas between; hashes are described in docs/ledger.md.
CREATE TABLE ledger_events (
    seq BIGINT PRIMARY KEY CHECK (seq > 0),
    happened_at BIGINT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('nudge', 'set', 'import', 'revert')),
    outlet TEXT COLLATE "C" NOT NULL REFERENCES outlets (domain),
    outlet_name TEXT,
    score_before DOUBLE PRECISION NOT NULL CHECK (score_before BETWEEN 0 AND 1),
    score_after DOUBLE PRECISION NOT NULL CHECK (score_after BETWEEN 0 AND 1),
    alpha DOUBLE PRECISION CHECK (alpha BETWEEN 0 AND 1),
    target DOUBLE PRECISION CHECK (target IN (0, 1)),
    codes TEXT NOT NULL,
    subject TEXT NOT NULL,
    reference TEXT,
    editor TEXT NOT NULL,
    note TEXT,
    provenance TEXT,
    reverts BIGINT REFERENCES ledger_events (seq),
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL
);

CREATE INDEX ledger_events_by_outlet ON ledger_events (outlet, seq);

-- The end of the log, so that an event that vanishes from the end is missed. Its row is also the
-- lock that writers take turns with.
CREATE TABLE ledger_head (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    seq BIGINT NOT NULL,
    hash TEXT NOT NULL
);

-- The log only grows, whoever connects.
CREATE FUNCTION probity_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;

CREATE FUNCTION probity_append_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq IS DISTINCT FROM (SELECT coalesce(max(seq), 0) + 1 FROM ledger_events) THEN
        RAISE EXCEPTION 'the ledger is append-only: the next event must follow the last one'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER ledger_events_append BEFORE INSERT ON ledger_events
FOR EACH ROW EXECUTE FUNCTION probity_append_event();

CREATE TRIGGER ledger_events_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_events
FOR EACH STATEMENT EXECUTE FUNCTION probity_refuse();

CREATE TRIGGER codes_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON codes
FOR EACH STATEMENT EXECUTE FUNCTION probity_refuse();

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
SELECT domain, name, CAST(score AS DOUBLE PRECISION), CAST(score AS DOUBLE PRECISION),
       CAST(extract(epoch FROM now()) * 1000 AS BIGINT)
FROM seeds;

INSERT INTO ledger_head (id, seq, hash)
VALUES (1, 0, '619f65e4545525e1c7ade50e07e485130ac9cf26ea82d5f71efed4304d14dac9');

INSERT INTO codes (name, revision, weight, description, retired, editor, changed_at)
VALUES
    ('high-quality-source', 1, 1,
     'Original reporting or evidence that holds up: named sources, documents, data.', 0, 'probity',
     CAST(extract(epoch FROM now()) * 1000 AS BIGINT)),
    ('source-unreliable', 1, -1,
     'Claims that do not hold up, are unsourced, or were corrected late or never.', 0, 'probity',
     CAST(extract(epoch FROM now()) * 1000 AS BIGINT));
