-- How CSV files of one shape are read: columns, formats, words and signs. All clients of a workspace share these profiles; those that
-- are shipped with the service are in no table.

CREATE TABLE import_profile (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  content text COLLATE "C" NOT NULL,
  delimiter text COLLATE "C" NOT NULL,
  decimal_mark text COLLATE "C" NOT NULL,
  date_order text COLLATE "C" NOT NULL,
  recognised_by text[] NOT NULL,
  columns jsonb NOT NULL,
  types jsonb NOT NULL,
  signs text COLLATE "C" NOT NULL,
  direction_words jsonb,
  pending_words text[] NOT NULL,
  constants jsonb NOT NULL,
  ignored_lines text[] NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

ALTER TABLE import_profile ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_profile FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON import_profile TO holdfast_service
  USING (
    workspace_id = current_setting('holdfast.workspace', true)
    AND environment = current_setting('holdfast.environment', true)
  );

GRANT SELECT, INSERT, UPDATE, DELETE ON import_profile TO holdfast_service;
