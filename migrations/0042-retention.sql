-- Finished rounds, ended states of limits and chained lines of the audit log are deleted when they have been kept for as long as the settings
-- say.

-- Nothing is deleted but by a transaction that says before which id, and no round that goes on and no state that lasts in any case.
CREATE POLICY kept ON calculation_round AS RESTRICTIVE FOR DELETE TO holdfast_service
  USING (finished_at IS NOT NULL AND id < current_setting('holdfast.dropped_before', true));
CREATE POLICY kept ON limit_state AS RESTRICTIVE FOR DELETE TO holdfast_service
  USING (until IS NOT NULL AND id < current_setting('holdfast.dropped_before', true));
CREATE POLICY kept ON audit_entry AS RESTRICTIVE FOR DELETE TO holdfast_service
  USING (id < current_setting('holdfast.dropped_before', true));
CREATE POLICY kept ON audit_link AS RESTRICTIVE FOR DELETE TO holdfast_service
  USING (entry_id < current_setting('holdfast.dropped_before', true));
GRANT DELETE ON calculation_round, limit_state, audit_entry, audit_link TO holdfast_service;

-- Where the chain begins after its oldest links were deleted: number and hash of the last deleted one, sealed by a keyed hash.
ALTER TABLE audit_chain ADD anchor_number bigint NOT NULL DEFAULT 0, ADD anchor_hash bytea, ADD anchor_seal bytea;

-- Up to where everything was deleted that can be. What is older and still there is needed, and makes no tenant due.
ALTER TABLE environment ADD rounds_cleared_to text COLLATE "C" NOT NULL DEFAULT '',
  ADD limits_cleared_to timestamptz NOT NULL DEFAULT '-infinity';

CREATE INDEX limit_state_ended ON limit_state (workspace_id, environment, until) WHERE until IS NOT NULL;

-- Which tenants have something to delete is asked before any is entered.
CREATE POLICY gate ON limit_state FOR SELECT TO holdfast_gate USING (until IS NOT NULL);
CREATE POLICY gate ON audit_entry FOR SELECT TO holdfast_gate USING (true);
GRANT SELECT (workspace_id, environment, until) ON limit_state TO holdfast_gate;
GRANT SELECT (id) ON calculation_round TO holdfast_gate;
GRANT SELECT (workspace_id, environment, id) ON audit_entry TO holdfast_gate;
