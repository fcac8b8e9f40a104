-- The local library: documents, their passages, and the terms that a search finds them by.

CREATE TABLE library_folders (
    path TEXT PRIMARY KEY,
    indexed_at BIGINT NOT NULL
);

CREATE TABLE library_documents (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    -- An absolute path or an address. Compared byte by byte, so that a folder's files are a range.
    origin TEXT COLLATE "C" NOT NULL UNIQUE,
    bytes BIGINT NOT NULL,
    modified BIGINT NOT NULL,
    hash TEXT NOT NULL,
    reader BIGINT NOT NULL,
    indexed_at BIGINT NOT NULL,
    -- Why nothing was read; then everything below is absent.
    failure TEXT,
    url TEXT,
    canonical_url TEXT,
    outlet TEXT,
    title TEXT,
    published TEXT,
    -- The language whose stems are indexed.
    language TEXT,
    words BIGINT,
    -- The document as JSON, without its texts.
    details TEXT,
    markdown TEXT
);

CREATE INDEX library_documents_canonical_url ON library_documents (canonical_url);
CREATE INDEX library_documents_language ON library_documents (language);

-- number = document * 65536 + place; put together in this order, the bodies are the document's text.
CREATE TABLE library_passages (
    number BIGINT PRIMARY KEY,
    document BIGINT NOT NULL REFERENCES library_documents (number) ON DELETE CASCADE,
    body TEXT NOT NULL,
    -- Stems, made by the program; those of the title have weight A.
    terms TSVECTOR NOT NULL
);

CREATE INDEX library_passages_document ON library_passages (document);
CREATE INDEX library_passages_terms ON library_passages USING GIN (terms);
