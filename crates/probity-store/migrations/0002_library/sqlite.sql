-- The local library: documents, their passages, and the terms that a search finds them by.

CREATE TABLE library_folders (
    path TEXT PRIMARY KEY NOT NULL,
    indexed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE library_documents (
    number INTEGER PRIMARY KEY NOT NULL,
    id TEXT NOT NULL UNIQUE,
    -- An absolute path or an address.
    origin TEXT NOT NULL UNIQUE,
    bytes INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    hash TEXT NOT NULL,
    reader INTEGER NOT NULL,
    indexed_at INTEGER NOT NULL,
    -- Why nothing was read; then everything below is absent.
    failure TEXT,
    url TEXT,
    canonical_url TEXT,
    outlet TEXT,
    title TEXT,
    published TEXT,
    -- The language whose stems are indexed.
    language TEXT,
    words INTEGER,
    -- The document as JSON, without its texts.
    details TEXT,
    markdown TEXT
) STRICT;

CREATE INDEX library_documents_canonical_url ON library_documents (canonical_url);
CREATE INDEX library_documents_language ON library_documents (language);

-- number = document * 65536 + place; put together in this order, the bodies are the document's text.
CREATE TABLE library_passages (
    number INTEGER PRIMARY KEY NOT NULL,
    document INTEGER NOT NULL REFERENCES library_documents (number) ON DELETE CASCADE,
    body TEXT NOT NULL
) STRICT;

CREATE INDEX library_passages_document ON library_passages (document);

-- Rows are numbered like the passages. The text that is indexed is stems, made by the program.
CREATE VIRTUAL TABLE library_terms USING fts5 (
    title, body,
    content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co Pc'"
);

CREATE VIRTUAL TABLE library_vocabulary USING fts5vocab (library_terms, row);

CREATE TRIGGER library_passages_leave_the_index AFTER DELETE ON library_passages
BEGIN
    DELETE FROM library_terms WHERE rowid = OLD.number;
END;
