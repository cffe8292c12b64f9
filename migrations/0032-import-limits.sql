-- Imports have limits. Rows that can never be booked are counted beyond some hundreds instead of being stored; each import knows what its rows
-- take, and a workspace has a quota for that.

ALTER TABLE import
  ADD not_kept jsonb NOT NULL DEFAULT '{"rows": 0, "problems": []}',
  -- What its rows take. Imports of the releases before count as nothing.
  ADD stored_rows integer NOT NULL DEFAULT 0,
  ADD stored_bytes bigint NOT NULL DEFAULT 0;

-- The sum of what the imports of an environment take. Whoever brings or deletes an import changes it, whatever clients that caller sees.
CREATE TABLE import_usage (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  stored_rows bigint NOT NULL,
  stored_bytes bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment
);
ALTER TABLE import_usage ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_usage FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON import_usage TO holdfast_service
  USING (workspace_id = current_setting('holdfast.workspace', true) AND environment = current_setting('holdfast.environment', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON import_usage TO holdfast_service;

-- What the imports of each environment of a workspace may take. Null: as the operator's settings say.
ALTER TABLE workspace
  ADD import_rows_max bigint,
  ADD import_bytes_max bigint;
-- By themselves: where tables are spread over servers, a new column cannot have a constraint at once.
ALTER TABLE workspace ADD CONSTRAINT workspace_import_rows_max_check CHECK (import_rows_max >= 0);
ALTER TABLE workspace ADD CONSTRAINT workspace_import_bytes_max_check CHECK (import_bytes_max >= 0);

-- Whoever deletes old imports that nobody has booked finds out in which environments there are any.
CREATE POLICY pre_auth ON import FOR SELECT TO holdfast_pre_auth USING (state = 'checked');
GRANT SELECT (workspace_id, environment, id, state) ON import TO holdfast_pre_auth;
