-- Articles by when they were published, or at least seen: the order in which people read them.
CREATE INDEX articles_latest ON articles (coalesce(published_at, seen_at), id);
