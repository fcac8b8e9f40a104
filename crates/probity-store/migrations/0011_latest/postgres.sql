-- Articles by when they were published, or at least seen: the order in which people read them.
-- Built while others read and write, outside of any transaction (see migrate.rs).
CREATE INDEX CONCURRENTLY IF NOT EXISTS articles_latest ON articles (coalesce(published_at, seen_at), id);
