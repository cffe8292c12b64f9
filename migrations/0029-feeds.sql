-- Feeds: the runs that fetch what custodians have for an authority, one at a time for each authority.

-- An open run waits until `due_at`, or is leased until `lease_until`. Everything that it fetched up to `to_mark` is booked, in the
-- imports that it lists; the next attempt, or the next run, goes on from there.
CREATE TABLE feed_run (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  authority_id text COLLATE "C" NOT NULL,
  custodian_id text COLLATE "C" NOT NULL,
  connector text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'running', 'finished', 'failed')),
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  attempts int NOT NULL DEFAULT 0,
  -- Attempts since something was fetched that failed: the wait grows with them.
  failures int NOT NULL DEFAULT 0,
  from_mark text,
  to_mark text,
  fetched_count int NOT NULL DEFAULT 0,
  imports text[] COLLATE "C" NOT NULL DEFAULT '{}',
  error text COLLATE "C",
  error_detail text,
  PRIMARY KEY (workspace_id, environment, id),
  CHECK ((state IN ('finished', 'failed')) = (finished_at IS NOT NULL)),
  CHECK ((state = 'running') = (lease_until IS NOT NULL)),
  FOREIGN KEY (workspace_id, environment, client_id, authority_id)
    REFERENCES authority (workspace_id, environment, client_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX feed_run_open ON feed_run (workspace_id, environment, authority_id) WHERE finished_at IS NULL;
CREATE INDEX feed_run_by_authority ON feed_run (workspace_id, environment, authority_id, id);
CREATE INDEX feed_run_by_client ON feed_run (workspace_id, environment, client_id, id);

ALTER TABLE feed_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE feed_run FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON feed_run TO holdfast_service USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (current_setting('holdfast.sight', true) = 'all'
    OR client_id IN (SELECT c.id FROM client c
      WHERE c.workspace_id = current_setting('holdfast.workspace', true)
        AND c.environment = current_setting('holdfast.environment', true))));
GRANT SELECT, INSERT, UPDATE, DELETE ON feed_run TO holdfast_service;
