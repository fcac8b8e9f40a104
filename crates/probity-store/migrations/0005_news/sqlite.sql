-- The newsroom's intake: feeds, what went wrong with them, and the articles that they brought.

CREATE TABLE feeds (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    url TEXT NOT NULL UNIQUE,
    site_url TEXT,
    -- What the feed calls itself, and what its reader calls it.
    title TEXT NOT NULL,
    label TEXT,
    -- Names of categories, as a JSON array: where its articles belong by default.
    categories TEXT NOT NULL,
    -- A legacy number: shown, joined nowhere, of no effect. What counts is the outlet's score.
    credibility_score REAL NOT NULL DEFAULT 0.5,
    -- Whether most of its items belong to somebody else.
    aggregator INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL CHECK (state IN ('enabled', 'disabled', 'gone')),
    state_reason TEXT,
    -- How often its reader wants it polled, and how seldom it asks to be, in milliseconds.
    interval_ms INTEGER,
    floor_ms INTEGER,
    -- New items a day, as observed.
    per_day REAL,
    etag TEXT,
    last_modified TEXT,
    digest TEXT,
    -- Where it says that it has moved for good, and how often in a row it said so.
    moved_to TEXT,
    moved_times INTEGER NOT NULL DEFAULT 0,
    -- Polls in a row that failed.
    failures INTEGER NOT NULL DEFAULT 0,
    polls INTEGER NOT NULL DEFAULT 0,
    brought INTEGER NOT NULL DEFAULT 0,
    added_at INTEGER NOT NULL,
    polled_at INTEGER,
    ok_at INTEGER,
    -- When it last gave a document that differed from the one before, and one with something new.
    document_at INTEGER,
    new_at INTEGER
) STRICT;

CREATE TABLE feed_errors (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    feed_id INTEGER NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    status INTEGER,
    reason TEXT NOT NULL
) STRICT;

CREATE INDEX feed_errors_feed ON feed_errors (feed_id, id);

-- One row, which every intake moves on first: so articles become visible in the order of seen_at,
-- and whoever reads on from the last one has missed none.
CREATE TABLE news_turn (
    one INTEGER PRIMARY KEY NOT NULL CHECK (one = 1),
    seen_at INTEGER NOT NULL
) STRICT;

INSERT INTO news_turn (one, seen_at) VALUES (1, 0);

CREATE TABLE articles (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    feed_id INTEGER REFERENCES feeds (id) ON DELETE SET NULL,
    -- What makes the item this one within its feed: its guid, or what stands in for it.
    item_key TEXT NOT NULL,
    guid TEXT,
    -- The link as given.
    url TEXT,
    -- Of the publisher's page where it is known, else of the link; absent for front pages.
    canonical_url TEXT UNIQUE,
    publisher_url TEXT,
    outlet TEXT,
    resolved INTEGER NOT NULL,
    method TEXT NOT NULL,
    -- How often following the link was tried, and when it may be tried again.
    tries INTEGER NOT NULL DEFAULT 0,
    try_at INTEGER,
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    author TEXT,
    -- The language whose stems are indexed.
    language TEXT NOT NULL,
    published_at INTEGER,
    seen_at INTEGER NOT NULL,
    changed_at INTEGER,
    -- When its feed was last found to list it.
    listed_at INTEGER NOT NULL,
    -- The article that turned out to be the same page.
    duplicate_of INTEGER,
    -- Whether somebody refers to it: then it is never pruned.
    kept INTEGER NOT NULL DEFAULT 0,
    -- The page as JSON, once it was fetched, or why it could not be.
    document TEXT,
    fetched_at INTEGER,
    problem TEXT,
    UNIQUE (feed_id, item_key)
) STRICT;

CREATE INDEX articles_seen ON articles (seen_at, id);
CREATE INDEX articles_outlet ON articles (outlet, seen_at);
CREATE INDEX articles_feed ON articles (feed_id, seen_at);
CREATE INDEX articles_unresolved ON articles (feed_id, try_at) WHERE try_at IS NOT NULL;

-- Rows are numbered like the articles. The text that is indexed is stems, made by the program.
CREATE VIRTUAL TABLE article_terms USING fts5 (
    title, body,
    content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co Pc'"
);

CREATE VIRTUAL TABLE article_vocabulary USING fts5vocab (article_terms, row);

CREATE TRIGGER articles_leave_the_index AFTER DELETE ON articles
BEGIN
    DELETE FROM article_terms WHERE rowid = OLD.id;
END;
