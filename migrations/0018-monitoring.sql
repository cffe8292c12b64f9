-- What operators see of queues and traces. The pre-auth role sees when the oldest event, audit line and import was written, and nothing else
-- of them. An event and a line of the request log keep the trace of the request that caused them, if it was traced.

GRANT SELECT (first_id) ON outbox TO holdfast_pre_auth;
GRANT SELECT (entry_id) ON unchained_audit_entry TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, started_at, reported_at) ON import_work TO holdfast_pre_auth;
CREATE POLICY pre_auth ON import_work FOR SELECT TO holdfast_pre_auth USING (true);

ALTER TABLE event ADD COLUMN trace text COLLATE "C";
ALTER TABLE request_log ADD COLUMN trace_id text COLLATE "C";
