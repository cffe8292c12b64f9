-- The request log: one line for each answered request of a workspace, for seven days. Written in batches off the request path; lines may be
-- missing when the database was slow, and only the newest lines of an environment are kept.

CREATE TABLE request_log (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  method text COLLATE "C" NOT NULL CHECK (length(method) <= 10),
  -- The address as it is documented, with the names of its parameters, and as it was asked for, without its query.
  route text COLLATE "C" NOT NULL CHECK (length(route) <= 200),
  path text COLLATE "C" NOT NULL CHECK (length(path) <= 300),
  status int NOT NULL,
  outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('answered', 'refused', 'failed')),
  code text COLLATE "C" CHECK (length(code) <= 64),
  duration_ms int NOT NULL,
  credential_id text COLLATE "C",
  user_id text COLLATE "C",
  request_id text COLLATE "C" NOT NULL CHECK (length(request_id) <= 128),
  PRIMARY KEY (workspace_id, environment, id)
);

-- Only whoever sees the whole workspace sees who asked it for what.
ALTER TABLE request_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE request_log FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON request_log TO holdfast_service USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND current_setting('holdfast.sight', true) = 'all');
GRANT SELECT, INSERT, DELETE ON request_log TO holdfast_service;
