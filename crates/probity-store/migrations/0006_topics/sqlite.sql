-- The newsroom's judgement: categories, what articles are worth to them, topics, and routing.

CREATE TABLE categories (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    name TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    -- JSON arrays of texts.
    examples TEXT NOT NULL,
    keywords TEXT NOT NULL,
    wants_full_text INTEGER NOT NULL DEFAULT 0,
    -- Counts on when its words change: what was judged by other words is judged again.
    revision INTEGER NOT NULL DEFAULT 1,
    added_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    retired_at INTEGER
) STRICT;

CREATE TABLE article_relevance (
    article_id INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
    category_id INTEGER NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
    value REAL NOT NULL CHECK (value >= 0 AND value <= 1),
    -- `embedded`, or the model that judged.
    judged_by TEXT NOT NULL,
    revision INTEGER NOT NULL,
    judged_at INTEGER NOT NULL,
    PRIMARY KEY (article_id, category_id)
) STRICT;

CREATE INDEX article_relevance_category ON article_relevance (category_id, article_id);

CREATE TABLE topics (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    label TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'closed', 'merged')),
    merged_into INTEGER,
    -- When its first and its last article were published.
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX topics_last ON topics (last_at, id);
CREATE INDEX topics_state ON topics (state, last_at);

-- An article belongs to one topic.
CREATE TABLE topic_members (
    article_id INTEGER PRIMARY KEY NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
    topic_id INTEGER NOT NULL REFERENCES topics (id) ON DELETE CASCADE,
    -- The earlier article that it repeats.
    duplicate_of INTEGER,
    joined_at INTEGER NOT NULL
) STRICT;

CREATE INDEX topic_members_topic ON topic_members (topic_id, article_id);

CREATE TABLE topic_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    topic_id INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('created', 'grown', 'merged', 'split', 'closed', 'reopened')),
    -- The topic it was merged into or split from.
    other_id INTEGER,
    articles INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX topic_events_topic ON topic_events (topic_id, id);
CREATE INDEX topic_events_at ON topic_events (at);

CREATE TABLE routings (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    category_id INTEGER NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    representatives INTEGER NOT NULL,
    -- Absent where no article speaks for the category.
    mean REAL,
    keep REAL NOT NULL,
    skip REAL NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('scored', 'downranked', 'skipped')),
    factor REAL NOT NULL,
    -- Of a category that is skipped: when its articles are looked at again, and the how-many-eth
    -- time that it was put off.
    retry_at INTEGER,
    retries INTEGER NOT NULL,
    was_retry INTEGER NOT NULL
) STRICT;

CREATE INDEX routings_category ON routings (category_id, id);
