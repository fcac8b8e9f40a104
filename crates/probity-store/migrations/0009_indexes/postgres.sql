-- Indexes for queues, lists and retention that stay quick however much there is.
-- Each is built while others read and write, outside of any transaction (see migrate.rs).

-- What is due, for every claim: what waits for later is not read.
CREATE INDEX CONCURRENTLY IF NOT EXISTS jobs_due ON jobs (due_at, kind) WHERE state = 'queued';

-- What counts against the limits of the queue.
CREATE INDEX CONCURRENTLY IF NOT EXISTS jobs_backlog ON jobs (owner) WHERE state IN ('queued', 'leased') AND kind <> 'feeds';

-- Lists: of jobs, of jobs of one state, of runs of one status.
CREATE INDEX CONCURRENTLY IF NOT EXISTS jobs_by_time ON jobs (queued_at DESC, id DESC);
CREATE INDEX CONCURRENTLY IF NOT EXISTS jobs_by_state ON jobs (state, queued_at DESC, id DESC);
CREATE INDEX CONCURRENTLY IF NOT EXISTS runs_by_status ON runs (status, asked_at DESC, id DESC);

-- What retention takes away, the oldest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS jobs_ended ON jobs (due_at) WHERE state IN ('done', 'cancelled');
CREATE INDEX CONCURRENTLY IF NOT EXISTS run_events_first ON run_events (at, run_id) WHERE seq = 1;
