-- What a workspace may use, and for how long its rows are kept, as its operator sets it. Null: as the settings of the installation say.

ALTER TABLE workspace
  ADD requests_per_minute bigint,
  ADD burst bigint,
  ADD storage_bytes_max bigint,
  ADD import_rows_per_day bigint,
  ADD request_log_days bigint,
  ADD event_days bigint,
  ADD round_days bigint,
  ADD limit_days bigint,
  ADD audit_days bigint,
  ADD unbooked_import_days bigint;
-- By themselves: where tables are spread over servers, a new column cannot have a constraint at once.
ALTER TABLE workspace ADD CONSTRAINT workspace_requests_per_minute_check CHECK (requests_per_minute >= 1);
ALTER TABLE workspace ADD CONSTRAINT workspace_burst_check CHECK (burst >= 1);
ALTER TABLE workspace ADD CONSTRAINT workspace_storage_bytes_max_check CHECK (storage_bytes_max >= 0);
ALTER TABLE workspace ADD CONSTRAINT workspace_import_rows_per_day_check CHECK (import_rows_per_day >= 0);
ALTER TABLE workspace ADD CONSTRAINT workspace_request_log_days_check CHECK (request_log_days >= 1);
ALTER TABLE workspace ADD CONSTRAINT workspace_event_days_check CHECK (event_days >= 2);
ALTER TABLE workspace ADD CONSTRAINT workspace_round_days_check CHECK (round_days >= 2);
ALTER TABLE workspace ADD CONSTRAINT workspace_limit_days_check CHECK (limit_days >= 2);
ALTER TABLE workspace ADD CONSTRAINT workspace_audit_days_check CHECK (audit_days >= 30);
ALTER TABLE workspace ADD CONSTRAINT workspace_unbooked_import_days_check CHECK (unbooked_import_days >= 1);
-- Whoever deletes what is old, and whoever measures who is near a quota, asks for all workspaces at once.
GRANT SELECT (storage_bytes_max, import_rows_max, import_bytes_max, import_rows_per_day, request_log_days, event_days, round_days, limit_days,
  audit_days, unbooked_import_days) ON workspace TO holdfast_pre_auth;

-- The rows that were imported on a day of UTC, the last on which any were.
ALTER TABLE import_usage
  ADD day date NOT NULL DEFAULT '1970-01-01',
  ADD day_rows bigint NOT NULL DEFAULT 0;
CREATE POLICY pre_auth ON import_usage FOR SELECT TO holdfast_pre_auth USING (true);
GRANT SELECT (workspace_id, environment, stored_rows, stored_bytes, day, day_rows) ON import_usage TO holdfast_pre_auth;

-- What the rows of an environment take, as it was last measured. An environment that has not changed since `last_entry`, its newest audit line
-- then, need not be measured again soon; one that took long need not either.
CREATE TABLE storage_measure (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  measured_at timestamptz NOT NULL,
  took_ms integer NOT NULL,
  row_count bigint NOT NULL,
  bytes bigint NOT NULL,
  last_entry text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment
);
ALTER TABLE storage_measure ENABLE ROW LEVEL SECURITY;
ALTER TABLE storage_measure FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON storage_measure TO holdfast_service
  USING (workspace_id = current_setting('holdfast.workspace', true) AND environment = current_setting('holdfast.environment', true));
CREATE POLICY pre_auth ON storage_measure FOR SELECT TO holdfast_pre_auth USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON storage_measure TO holdfast_service;
GRANT SELECT (workspace_id, environment, measured_at, took_ms, row_count, bytes, last_entry) ON storage_measure TO holdfast_pre_auth;
