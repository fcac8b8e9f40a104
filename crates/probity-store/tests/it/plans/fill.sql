-- Runs over ninety days, each with steps, events and a job; nearly all are over, a few failed for good.
INSERT INTO runs (id, question, mode, status, spec, asked_at, touched_at)
    SELECT 'old-' || n, 'q', 'quick', CASE WHEN n % 1000 = 0 THEN 'failed' ELSE 'finished' END,
           '{}', at, at
    FROM (SELECT n, {NOW} - ({RUNS} - n) * ({AGE} / {RUNS}) AS at
          FROM generate_series(1, {RUNS}) n) AS made;
INSERT INTO journal (run_id, seq, step_key, kind, inputs, output, digest, at, millis)
    SELECT id, s, 'k' || s, 'search', '1', '2', 'd', asked_at, 1 FROM runs, generate_series(1, 5) s;
INSERT INTO run_events (run_id, seq, kind, event, at)
    SELECT id, s, 'step', '{}', asked_at FROM runs, generate_series(1, 10) s;
INSERT INTO jobs (id, kind, owner, payload, priority, state, attempt, failures, failures_most,
                  due_at, cancel, queued_at, touched_at)
    SELECT id, 'research', 'o' || (asked_at % 50), '{}', 0,
           CASE WHEN status = 'failed' THEN 'dead' ELSE 'done' END, 1, 0, 8, asked_at, 0, asked_at,
           asked_at FROM runs;
INSERT INTO jobs (id, kind, owner, payload, priority, state, attempt, failures, failures_most,
                  due_at, cancel, queued_at, touched_at)
    SELECT 'waits-' || n, 'research', 'o' || (n % 7), '{}', 0, 'queued', 0, 0, 8, 0, 0, n, n
    FROM generate_series(1, 40) n;

-- Feeds, of which one in a hundred is to be polled now.
INSERT INTO feeds (url, title, categories, state, added_at, document_at)
    SELECT 'https://f' || n || '.example/', 'f', '[]', 'enabled', 1, {NOW}
    FROM generate_series(1, {FEEDS}) n;
INSERT INTO jobs (id, kind, owner, payload, priority, state, attempt, failures, failures_most,
                  due_at, cancel, queued_at, touched_at)
    SELECT 'feed-' || n, 'feeds', 'f' || n || '.example', '{}', 0, 'queued', 0, 0, 8,
           CASE WHEN n % 100 = 0 THEN 0 ELSE 9000000000000 END, 0, n, n
    FROM generate_series(1, {FEEDS}) n;

-- Their articles, with words of which one is in every tenth, one in every thousandth article.
INSERT INTO articles (feed_id, item_key, url, canonical_url, outlet, resolved, method, title,
                      summary, language, published_at, seen_at, listed_at, try_at, terms)
    SELECT n % {FEEDS} + 1, 'k' || n, 'https://a.example/' || n, 'https://a.example/' || n,
           'outlet' || (n % 300) || '.example', 1, 'direct', 'Title ' || n, words, 'en', at, at, at,
           CASE WHEN n % 5000 = 0 THEN 0 END, to_tsvector('simple', words)
    FROM (SELECT n, {NOW} - ({ARTICLES} - n) * ({AGE} / {ARTICLES}) AS at,
                 concat_ws(' ', CASE WHEN n % 10 = 3 THEN 'harbor' END,
                           CASE WHEN n % 100 = 13 THEN 'flood' END,
                           CASE WHEN n % 1000 = 113 THEN 'budget' END,
                           'x' || n % 9973, 'y' || n % 7919, 'z' || n % 6007, 'u' || n % 997,
                           'v' || n % 4001, 'w' || n % 101) AS words
          FROM generate_series(1, {ARTICLES}) n) AS made;

-- Two of five categories have judged two of three articles; four articles make a topic.
INSERT INTO categories (name, description, examples, keywords, added_at, changed_at)
    SELECT 'c' || n, 'd', '[]', '[]', 1, 1 FROM generate_series(1, 5) n;
INSERT INTO article_relevance (article_id, category_id, value, judged_by, revision, judged_at)
    SELECT id, c, 0.5, 'embedded', 1, seen_at FROM articles, generate_series(1, 2) c
    WHERE id % 3 > 0;
INSERT INTO topics (label, state, first_at, last_at, created_at, changed_at)
    SELECT 't' || n, 'open', at, at, at, at
    FROM (SELECT n, {NOW} - ({TOPICS} - n) * ({AGE} / {TOPICS}) AS at
          FROM generate_series(1, {TOPICS}) n) AS made;
INSERT INTO topic_members (article_id, topic_id, joined_at)
    SELECT id, (id + 3) / 4, seen_at FROM articles;
