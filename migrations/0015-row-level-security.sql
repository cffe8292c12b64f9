-- Who reads and writes which rows: row-level security, forced on every table, and the rights of the two roles.
--
-- This is the second of two filters by tenant; the first are the conditions of the statements. A transaction names the workspace, the
-- environment and the clients it may see in settings that last as long as it does; where they are missing, nothing is visible. The
-- policies compare with these settings; only that of people reads another table.

-- Whether the transaction may see a client: all clients, or one of those that the setting lists between commas. A list that is too long
-- for one setting is spread over several by the last two characters of the ids.
CREATE FUNCTION is_visible(id text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT current_setting('holdfast.visible_clients', true) = 'all'
    OR strpos(current_setting('holdfast.visible_clients', true), ',' || id || ',') > 0
    OR right(current_setting('holdfast.visible_clients', true), 6) = ',many,'
      AND strpos(current_setting('holdfast.visible_clients_' || right(id, 2), true), ',' || id || ',') > 0
$$;

DO $$
DECLARE
  name text;
  tenant text := 'workspace_id = current_setting(''holdfast.workspace'', true)
    AND environment = current_setting(''holdfast.environment'', true)';
  sees_all text := 'current_setting(''holdfast.visible_clients'', true) = ''all''';
BEGIN
  FOR name IN SELECT c.relname FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_migration'
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;

  -- Rows of the tenant, whoever asks.
  FOREACH name IN ARRAY ARRAY[
    'environment', 'signing_key', 'used_assertion', 'idempotent_answer', 'budget', 'custodian', 'instrument_class',
    'webhook_key', 'person_key', 'import_profile'
  ] LOOP
    EXECUTE format('CREATE POLICY entered ON %I TO holdfast_service USING (%s)', name, tenant);
  END LOOP;

  -- Rows of a client.
  FOREACH name IN ARRAY ARRAY[
    'audit_entry', 'legal_entity', 'reporting_entity', 'account', 'depository', 'portfolio', 'account_depository',
    'portfolio_account', 'portfolio_depository', 'account_ledger', 'booking_count', 'historical_holding', 'upload_ledger',
    'link_version', 'limit_rule', 'limit_state', 'round_mark', 'calculation_round', 'announced_holding', 'event', 'event_order',
    'outbox', 'webhook', 'delivery_queue', 'delivery', 'delivery_attempt', 'membership', 'disabled_former_member', 'read_grant',
    'invite', 'mail', 'authority', 'authority_account', 'authority_depository', 'authority_warning', 'auth_flow',
    'auth_flow_file', 'feed_run', 'import', 'import_row', 'import_work', 'stated_entry', 'stated_holding',
    'reconciliation_break'
  ] LOOP
    EXECUTE format('CREATE POLICY entered ON %I TO holdfast_service USING (%s AND is_visible(client_id))', name, tenant);
  END LOOP;

  -- Rows that only the service's own work needs, which sees all clients.
  FOREACH name IN ARRAY ARRAY[
    'request_log', 'unchained_audit_entry', 'audit_link', 'audit_chain', 'shared_round_mark', 'person_identity', 'session',
    'workspace_administrator', 'administrator_link'
  ] LOOP
    EXECUTE format('CREATE POLICY entered ON %I TO holdfast_service USING (%s AND %s)', name, tenant, sees_all);
  END LOOP;

  -- Rows of a client, or of none and then for all: whoever sees all clients writes the latter, everybody reads them.
  FOREACH name IN ARRAY ARRAY['instrument', 'instrument_word', 'series_ledger', 'series_point', 'record_version', 'identifier_mapping'] LOOP
    EXECUTE format('CREATE POLICY seen ON %I FOR SELECT TO holdfast_service
      USING (%s AND (client_id IS NULL OR is_visible(client_id)))', name, tenant);
    EXECUTE format('CREATE POLICY made ON %I FOR INSERT TO holdfast_service WITH CHECK (%s AND is_visible(client_id))', name, tenant);
    EXECUTE format('CREATE POLICY changed ON %I FOR UPDATE TO holdfast_service
      USING (%s AND (client_id IS NULL OR is_visible(client_id))) WITH CHECK (%s AND is_visible(client_id))', name, tenant, tenant);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['instrument', 'instrument_word', 'identifier_mapping'] LOOP
    EXECUTE format('CREATE POLICY deleted ON %I FOR DELETE TO holdfast_service USING (%s AND is_visible(client_id))', name, tenant);
  END LOOP;

  -- Rates are for all clients.
  FOREACH name IN ARRAY ARRAY['fx_rate', 'rate_ledger'] LOOP
    EXECUTE format('CREATE POLICY seen ON %I FOR SELECT TO holdfast_service USING (%s)', name, tenant);
    EXECUTE format('CREATE POLICY made ON %I FOR INSERT TO holdfast_service WITH CHECK (%s AND %s)', name, tenant, sees_all);
    EXECUTE format('CREATE POLICY changed ON %I FOR UPDATE TO holdfast_service USING (%s) WITH CHECK (%s AND %s)',
      name, tenant, tenant, sees_all);
  END LOOP;

  EXECUTE format('CREATE POLICY entered ON client TO holdfast_service USING (%s AND is_visible(id))', tenant);
  EXECUTE format('CREATE POLICY entered ON credential TO holdfast_service USING (%s AND is_visible(scoped_to_id))', tenant);
  EXECUTE format('CREATE POLICY entered ON transaction TO holdfast_service
    USING (%s AND (client_id IS NULL OR is_visible(client_id))) WITH CHECK (%s AND is_visible(client_id))', tenant, tenant);

  -- A person is visible through their memberships, and created by anybody who may write: the membership comes after.
  EXECUTE format('CREATE POLICY entered ON person TO holdfast_service
    USING (%s AND (%s OR EXISTS (SELECT FROM membership m
      WHERE m.workspace_id = current_setting(''holdfast.workspace'', true)
        AND m.environment = current_setting(''holdfast.environment'', true) AND m.person_id = person.id)))
    WITH CHECK (%s)', tenant, sees_all, tenant);

  -- Lines of the audit log that are about no client, and the queue of lines that are not chained yet: whoever acts writes them.
  EXECUTE format('CREATE POLICY shared ON audit_entry FOR INSERT TO holdfast_service WITH CHECK (%s AND client_id IS NULL)', tenant);
  EXECUTE format('CREATE POLICY queued ON unchained_audit_entry FOR INSERT TO holdfast_service WITH CHECK (%s)', tenant);
END $$;

CREATE POLICY entered ON workspace TO holdfast_service USING (workspace_id = current_setting('holdfast.workspace', true));

-- Of the reporting entities of their clients a person sees those that they were granted, and gives others only such grants. Figures are
-- not made of these rows but of all that was known of a client (record_version), which is the same whoever asks.
CREATE POLICY granted ON reporting_entity AS RESTRICTIVE TO holdfast_service
  USING (left(current_setting('holdfast.visible_clients', true), 5) <> 'some,' OR is_visible(id));
CREATE POLICY granted ON read_grant AS RESTRICTIVE TO holdfast_service
  USING (left(current_setting('holdfast.visible_clients', true), 5) <> 'some,' OR is_visible(reporting_entity_id));

-- What is kept for a while is deleted by a transaction that says before which id, and never while it is needed.
CREATE POLICY kept ON event AS RESTRICTIVE FOR DELETE TO holdfast_service
  USING (id < current_setting('holdfast.dropped_before', true));
CREATE POLICY kept ON delivery AS RESTRICTIVE FOR DELETE TO holdfast_service
  USING (state <> 'pending' AND id < current_setting('holdfast.dropped_before', true));
CREATE POLICY kept ON calculation_round AS RESTRICTIVE FOR DELETE TO holdfast_service
  USING (finished_at IS NOT NULL AND id < current_setting('holdfast.dropped_before', true));
CREATE POLICY kept ON limit_state AS RESTRICTIVE FOR DELETE TO holdfast_service
  USING (until IS NOT NULL AND id < current_setting('holdfast.dropped_before', true));
CREATE POLICY kept ON audit_entry AS RESTRICTIVE FOR DELETE TO holdfast_service
  USING (id < current_setting('holdfast.dropped_before', true));
CREATE POLICY kept ON audit_link AS RESTRICTIVE FOR DELETE TO holdfast_service
  USING (entry_id < current_setting('holdfast.dropped_before', true));

-- The service's own rights. Versions are closed: they are never deleted, and nothing else of them is ever changed.
GRANT SELECT, INSERT, UPDATE, DELETE ON client, credential, signing_key, used_assertion, idempotent_answer, budget, legal_entity,
  reporting_entity, custodian, account, depository, portfolio, account_depository, portfolio_account, portfolio_depository,
  instrument_class, instrument, instrument_word, account_ledger, booking_count, upload_ledger, limit_rule, round_mark,
  shared_round_mark, calculation_round, announced_holding, outbox, webhook, webhook_key, delivery_queue, delivery, person_key,
  person, person_identity, membership, disabled_former_member, read_grant, invite, session, mail, workspace_administrator,
  administrator_link, authority, authority_account, authority_depository, authority_warning, auth_flow, auth_flow_file, feed_run,
  import_profile, import, import_row, import_work, stated_entry, identifier_mapping, reconciliation_break
  TO holdfast_service;
GRANT SELECT, INSERT, UPDATE ON workspace, environment, audit_chain, rate_ledger, event_order TO holdfast_service;
GRANT SELECT, INSERT, DELETE ON request_log, audit_entry, unchained_audit_entry, audit_link, limit_state, event
  TO holdfast_service;
GRANT SELECT, INSERT ON series_ledger, series_point, fx_rate, transaction, historical_holding, record_version, link_version,
  delivery_attempt, stated_holding
  TO holdfast_service;
GRANT UPDATE (known_until) ON fx_rate TO holdfast_service;
GRANT UPDATE (known_until) ON historical_holding TO holdfast_service;
GRANT UPDATE (until) ON limit_state TO holdfast_service;
GRANT UPDATE (known_until) ON link_version TO holdfast_service;
GRANT UPDATE (version, known_until) ON series_ledger TO holdfast_service;
GRANT UPDATE (known_until) ON series_point TO holdfast_service;
GRANT UPDATE (known_until) ON stated_holding TO holdfast_service;
GRANT UPDATE (known_until) ON record_version TO holdfast_service;
GRANT UPDATE (known_until, closed_version) ON transaction TO holdfast_service;

-- The pre-auth role finds out who is asking, and which tenants have work that is due, before any is entered: it reads what that takes, in
-- few columns, and writes nothing.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'environment', 'client', 'credential', 'signing_key', 'used_assertion', 'idempotent_answer', 'request_log', 'audit_entry',
    'unchained_audit_entry', 'custodian', 'round_mark', 'shared_round_mark', 'calculation_round', 'event', 'outbox', 'webhook',
    'delivery_queue', 'person', 'person_identity', 'membership', 'read_grant', 'invite', 'session', 'mail',
    'workspace_administrator', 'administrator_link', 'authority_warning'
  ] LOOP
    EXECUTE format('CREATE POLICY pre_auth ON %I FOR SELECT TO holdfast_pre_auth USING (true)', name);
  END LOOP;
END $$;
CREATE POLICY pre_auth ON authority FOR SELECT TO holdfast_pre_auth USING (state IN ('active', 'revoke-in-progress'));
CREATE POLICY pre_auth ON feed_run FOR SELECT TO holdfast_pre_auth USING (finished_at IS NULL);
CREATE POLICY pre_auth ON limit_state FOR SELECT TO holdfast_pre_auth USING (until IS NOT NULL);
CREATE POLICY pre_auth ON webhook_key FOR SELECT TO holdfast_pre_auth USING (private_sealed IS NOT NULL);
GRANT SELECT ON environment, credential, signing_key, person, person_identity, membership, read_grant, invite, session,
  workspace_administrator, administrator_link
  TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id) ON audit_entry TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, custodian_id, state, expires_at, broken_at, has_credentials)
  ON authority TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, authority_id, expires_at, days, mailed_at) ON authority_warning TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, finished_at, lease_until) ON calculation_round TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, path, name) ON client TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, expiry_warning_days, connector) ON custodian TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id) ON event TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, authority_id, due_at, lease_until, finished_at) ON feed_run TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, expires_at) ON idempotent_answer TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, until) ON limit_state TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, address_digest, created_at, handed_at, next_attempt_at) ON mail TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment) ON outbox TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id) ON request_log TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, since) ON round_mark TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, since) ON shared_round_mark TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment) ON unchained_audit_entry TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, expires_at) ON used_assertion TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, previous_secret_until, state) ON webhook TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, retired_at) ON webhook_key TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, webhook_id, due_at) ON delivery_queue TO holdfast_pre_auth;
