-- Documents of the library under a name, to be searched and asked by themselves.

CREATE TABLE library_collections (
    id INTEGER PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    -- The name in small letters: what makes two names the same.
    key TEXT NOT NULL UNIQUE,
    made_at INTEGER NOT NULL
) STRICT;

CREATE TABLE library_collected (
    collection INTEGER NOT NULL REFERENCES library_collections (id) ON DELETE CASCADE,
    document INTEGER NOT NULL REFERENCES library_documents (number) ON DELETE CASCADE,
    PRIMARY KEY (collection, document)
) STRICT;

CREATE INDEX library_collected_document ON library_collected (document);
