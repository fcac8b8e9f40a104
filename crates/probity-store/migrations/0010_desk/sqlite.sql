-- What the desk remembers between its turns: what headlines are weighed against, and which pages
-- could not be read.

-- One row: the background that every process groups by, until one makes another.
CREATE TABLE topic_background (
    one INTEGER PRIMARY KEY NOT NULL CHECK (one = 1),
    digest TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    -- How many articles it was made of.
    articles INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

-- How often the full text was asked for on a category's account, and when it may be asked for next.
ALTER TABLE articles ADD COLUMN text_tries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE articles ADD COLUMN text_try_at INTEGER NOT NULL DEFAULT 0;
