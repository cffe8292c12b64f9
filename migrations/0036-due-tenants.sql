-- Which tenants have something to do is one question for all of them, asked in the pre-auth role before a tenant is entered. That role sees
-- to whom rows belong and the moments that make them due, and nothing else of them; no policy needs more than the row itself.

CREATE POLICY gate ON round_mark FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON shared_round_mark FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON calculation_round FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON outbox FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON webhook_lane FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON webhook FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON feed_run FOR SELECT TO holdfast_gate USING (finished_at IS NULL);
CREATE POLICY gate ON authority FOR SELECT TO holdfast_gate USING (state IN ('active', 'revoke-in-progress'));
CREATE POLICY gate ON authority_warning FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON custodian FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON unchained_audit_entry FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON used_assertion FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON idempotent_answer FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON webhook_key FOR SELECT TO holdfast_gate USING (private_sealed IS NOT NULL);
CREATE POLICY gate ON request_log FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON event FOR SELECT TO holdfast_gate USING (true);

GRANT SELECT (workspace_id, environment, since) ON round_mark, shared_round_mark TO holdfast_gate;
GRANT SELECT (workspace_id, environment, finished_at, lease_until) ON calculation_round TO holdfast_gate;
GRANT SELECT (workspace_id, environment) ON outbox, unchained_audit_entry TO holdfast_gate;
GRANT SELECT (workspace_id, environment, webhook_id, due_at) ON webhook_lane TO holdfast_gate;
GRANT SELECT (workspace_id, environment, id, state, previous_secret_until) ON webhook TO holdfast_gate;
GRANT SELECT (next_attempt_at) ON mail TO holdfast_gate;
GRANT SELECT (workspace_id, environment, authority_id, finished_at, due_at, lease_until) ON feed_run TO holdfast_gate;
GRANT SELECT (workspace_id, environment, authority_id, expires_at, days, mailed_at) ON authority_warning TO holdfast_gate;
GRANT SELECT (workspace_id, environment, id, connector, expiry_warning_days) ON custodian TO holdfast_gate;
GRANT SELECT (workspace_id, environment, expires_at) ON used_assertion, idempotent_answer TO holdfast_gate;
GRANT SELECT (workspace_id, environment, retired_at) ON webhook_key TO holdfast_gate;
-- Their ids begin with the moment they were made.
GRANT SELECT (workspace_id, environment, id) ON request_log, event TO holdfast_gate;

-- Whether there are credentials, not what they are.
ALTER TABLE authority ADD has_credentials boolean NOT NULL GENERATED ALWAYS AS (credentials_sealed IS NOT NULL) STORED;
GRANT SELECT (workspace_id, environment, id, custodian_id, state, broken_at, expires_at, has_credentials) ON authority TO holdfast_gate;

-- Nearly every run of a feed waits for its time.
CREATE INDEX feed_run_due ON feed_run ((coalesce(lease_until, due_at))) WHERE finished_at IS NULL;
CREATE INDEX authority_revoking ON authority (workspace_id, environment) WHERE state = 'revoke-in-progress';
