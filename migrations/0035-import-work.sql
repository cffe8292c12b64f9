-- Work on the rows of imports that is under way: how many are checked, booked or undone. It is written beside the work's own transaction,
-- of which nobody sees anything before it ends, and deleted with it. An import is not there yet while its file is being checked.

CREATE TABLE import_work (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  act text COLLATE "C" NOT NULL CHECK (act IN ('check', 'book', 'undo')),
  file_name text,
  done_count int NOT NULL,
  total_count int,
  started_at timestamptz NOT NULL,
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, import_id)
);

ALTER TABLE import_work ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_work FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON import_work TO holdfast_service USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (current_setting('holdfast.sight', true) = 'all' OR client_id IN (
    SELECT c.id FROM client c WHERE c.workspace_id = current_setting('holdfast.workspace', true)
      AND c.environment = current_setting('holdfast.environment', true))));
GRANT SELECT, INSERT, UPDATE, DELETE ON import_work TO holdfast_service;
