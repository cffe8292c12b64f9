-- A workspace can be suspended, closed and erased, and its use is counted.

-- The state is checked by the first statement of each transaction. The pre-auth role sees it to leave out tenants that do no work.
ALTER TABLE workspace
  ADD state text COLLATE "C" NOT NULL DEFAULT 'active',
  ADD state_since timestamptz;
-- By itself: where tables are spread over servers, a new column cannot have a constraint at once.
ALTER TABLE workspace ADD CONSTRAINT workspace_state_check CHECK (state IN ('active', 'suspended', 'closed', 'erasing'));
-- Nearly always empty: whoever looks for a workspace that is not active finds at once that there is none.
CREATE INDEX workspace_inactive ON workspace (workspace_id) WHERE state <> 'active';
CREATE POLICY pre_auth ON workspace FOR SELECT TO holdfast_pre_auth USING (true);
GRANT SELECT (workspace_id, state) ON workspace TO holdfast_pre_auth;

-- How many requests an environment was asked on each day: for usage by month, long after the lines of the request log are gone.
CREATE TABLE request_count (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  day date NOT NULL,
  requests bigint NOT NULL,
  refused bigint NOT NULL,
  failed bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, day),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment
);
ALTER TABLE request_count ENABLE ROW LEVEL SECURITY;
ALTER TABLE request_count FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON request_count TO holdfast_service
  USING (workspace_id = current_setting('holdfast.workspace', true) AND environment = current_setting('holdfast.environment', true)
    AND current_setting('holdfast.visible_clients', true) = 'all');
CREATE POLICY pre_auth ON request_count FOR SELECT TO holdfast_pre_auth USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON request_count TO holdfast_service;
GRANT SELECT (workspace_id, environment, day) ON request_count TO holdfast_pre_auth;

-- Erasing a workspace deletes what the service never deletes. The owner of the tables does so in its own role, within one tenant at a time.
-- The policies bind it like the service, whose role it has inherited; the service itself has no right to delete from these tables.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['fx_rate', 'rate_ledger', 'series_ledger', 'series_point', 'record_version'] LOOP
    EXECUTE format('CREATE POLICY erased ON %I FOR DELETE TO holdfast_service
      USING (workspace_id = current_setting(''holdfast.workspace'', true) AND environment = current_setting(''holdfast.environment'', true)
        AND current_user <> ''holdfast_service'')', name);
  END LOOP;
END $$;

-- What the service may delete only before a stated id, the owner may delete without.
ALTER POLICY kept ON event
  USING (id < current_setting('holdfast.dropped_before', true) OR current_user <> 'holdfast_service');
ALTER POLICY kept ON delivery
  USING (state <> 'pending' AND id < current_setting('holdfast.dropped_before', true) OR current_user <> 'holdfast_service');
ALTER POLICY kept ON calculation_round
  USING (finished_at IS NOT NULL AND id < current_setting('holdfast.dropped_before', true) OR current_user <> 'holdfast_service');
ALTER POLICY kept ON limit_state
  USING (until IS NOT NULL AND id < current_setting('holdfast.dropped_before', true) OR current_user <> 'holdfast_service');
ALTER POLICY kept ON audit_entry
  USING (id < current_setting('holdfast.dropped_before', true) OR current_user <> 'holdfast_service');
ALTER POLICY kept ON audit_link
  USING (entry_id < current_setting('holdfast.dropped_before', true) OR current_user <> 'holdfast_service');
