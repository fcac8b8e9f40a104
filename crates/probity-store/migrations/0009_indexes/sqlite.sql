-- Indexes for queues, lists and retention that stay quick however much there is.

-- What is due, for every claim: what waits for later is not read.
CREATE INDEX jobs_due ON jobs (due_at, kind) WHERE state = 'queued';

-- What counts against the limits of the queue.
CREATE INDEX jobs_backlog ON jobs (owner) WHERE state IN ('queued', 'leased') AND kind <> 'feeds';

-- Lists: of jobs, of jobs of one state, of runs of one status.
CREATE INDEX jobs_by_time ON jobs (queued_at DESC, id DESC);
CREATE INDEX jobs_by_state ON jobs (state, queued_at DESC, id DESC);
CREATE INDEX runs_by_status ON runs (status, asked_at DESC, id DESC);

-- What retention takes away, the oldest first.
CREATE INDEX jobs_ended ON jobs (due_at) WHERE state IN ('done', 'cancelled');
CREATE INDEX run_events_first ON run_events (at, run_id) WHERE seq = 1;
