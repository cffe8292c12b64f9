-- The audit log and the request log leave the house: how far each was shipped to each destination that the operator has set, and the numbers by
-- which lines of the request log are shipped. A line of the audit log has the number of its link.

-- `position` is the number of the last line that the destination has acknowledged, or that was deleted before. `due_at` is when the next batch may
-- be taken; while a node has one, it is the end of its lease, and `take_count` tells whose it is. `failure_count` counts since the last success.
CREATE TABLE log_shipment (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  log text COLLATE "C" NOT NULL CHECK (log IN ('audit', 'requests')),
  destination text COLLATE "C" NOT NULL CHECK (destination IN ('https', 'file', 'syslog', 'otlp')),
  position bigint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  take_count bigint NOT NULL DEFAULT 0,
  failure_count integer NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, environment, log, destination),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

-- The last number that a line of the request log was given. Whoever gives numbers holds its lock. Lines are written by several nodes, and a later one
-- may be committed before an earlier one: numbers are given to what is committed, in the background, so that none is passed over.
CREATE TABLE request_log_end (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

ALTER TABLE request_log ADD COLUMN number bigint;
CREATE INDEX request_log_by_number ON request_log (workspace_id, environment, number) WHERE number IS NOT NULL;
CREATE INDEX request_log_unnumbered ON request_log (workspace_id, environment, id) WHERE number IS NULL;

ALTER TABLE log_shipment SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE request_log_end SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

ALTER TABLE log_shipment ENABLE ROW LEVEL SECURITY;
ALTER TABLE log_shipment FORCE ROW LEVEL SECURITY;
ALTER TABLE request_log_end ENABLE ROW LEVEL SECURITY;
ALTER TABLE request_log_end FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON log_shipment TO holdfast_service
  USING (workspace_id = current_setting('holdfast.workspace', true) AND environment = current_setting('holdfast.environment', true)
    AND current_setting('holdfast.visible_clients', true) = 'all');
CREATE POLICY entered ON request_log_end TO holdfast_service
  USING (workspace_id = current_setting('holdfast.workspace', true) AND environment = current_setting('holdfast.environment', true)
    AND current_setting('holdfast.visible_clients', true) = 'all');
GRANT SELECT, INSERT, UPDATE ON log_shipment, request_log_end TO holdfast_service;
GRANT UPDATE (number) ON request_log TO holdfast_service;

-- The pre-auth role sees how far logs reach and how far they were shipped, and when the first line that was not shipped was made.
CREATE POLICY pre_auth ON log_shipment FOR SELECT TO holdfast_pre_auth USING (true);
CREATE POLICY pre_auth ON request_log_end FOR SELECT TO holdfast_pre_auth USING (true);
CREATE POLICY pre_auth ON audit_chain FOR SELECT TO holdfast_pre_auth USING (true);
CREATE POLICY pre_auth ON audit_link FOR SELECT TO holdfast_pre_auth USING (true);
GRANT SELECT (workspace_id, environment, log, destination, position, due_at) ON log_shipment TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, number) ON request_log_end TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, number, anchor_number) ON audit_chain TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, number, entry_id) ON audit_link TO holdfast_pre_auth;
GRANT SELECT (number) ON request_log TO holdfast_pre_auth;
