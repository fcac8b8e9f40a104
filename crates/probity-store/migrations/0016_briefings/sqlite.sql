-- Briefings as they were told, so that one can read what was said on a day.

CREATE TABLE briefings (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    made_at INTEGER NOT NULL,
    -- Since when topics were told.
    since INTEGER NOT NULL,
    -- The category it is about; none for all of them.
    category TEXT,
    title TEXT NOT NULL,
    -- The report as JSON.
    report TEXT NOT NULL
) STRICT;
