-- Policies only permit: Citus makes a restrictive policy of a table a permissive one of its shards, and what was to narrow the tenant's wall
-- would open it. What the restrictive policies asked for becomes a condition of the policies that let rows through.

-- Of the reporting entities of their clients a person sees those that they were granted, and gives others only such grants.
DROP POLICY granted ON reporting_entity;
ALTER POLICY entered ON reporting_entity
  USING (workspace_id = current_setting('holdfast.workspace', true) AND environment = current_setting('holdfast.environment', true)
    AND is_visible(client_id)
    AND (left(current_setting('holdfast.visible_clients', true), 5) <> 'some,' OR is_visible(id)));
DROP POLICY granted ON read_grant;
ALTER POLICY entered ON read_grant
  USING (workspace_id = current_setting('holdfast.workspace', true) AND environment = current_setting('holdfast.environment', true)
    AND is_visible(client_id)
    AND (left(current_setting('holdfast.visible_clients', true), 5) <> 'some,' OR is_visible(reporting_entity_id)));

-- What is kept for a while is deleted by a transaction that says before which id, and never while it is needed. The owner of the tables, who
-- erases whole workspaces, deletes it at any time.
DO $$
DECLARE
  kept record;
  entered text;
BEGIN
  FOR kept IN SELECT * FROM (VALUES
    ('event', 'is_visible(client_id)', 'id < dropped_before'),
    ('delivery', 'is_visible(client_id)',
      'state <> ''pending'' AND id < dropped_before OR webhook_id = current_setting(''holdfast.dropped_webhook'', true)'),
    ('calculation_round', 'is_visible(client_id)', 'finished_at IS NOT NULL AND id < dropped_before'),
    ('limit_state', 'is_visible(client_id)', 'until IS NOT NULL AND id < dropped_before'),
    ('audit_entry', 'is_visible(client_id)', 'id < dropped_before'),
    ('audit_link', 'current_setting(''holdfast.visible_clients'', true) = ''all''', 'entry_id < dropped_before')
  ) AS k (name, visible, condition) LOOP
    entered := 'workspace_id = current_setting(''holdfast.workspace'', true)
      AND environment = current_setting(''holdfast.environment'', true) AND ' || kept.visible;
    EXECUTE format('DROP POLICY kept ON %I', kept.name);
    EXECUTE format('DROP POLICY entered ON %I', kept.name);
    EXECUTE format('CREATE POLICY seen ON %I FOR SELECT TO holdfast_service USING (%s)', kept.name, entered);
    EXECUTE format('CREATE POLICY made ON %I FOR INSERT TO holdfast_service WITH CHECK (%s)', kept.name, entered);
    EXECUTE format('CREATE POLICY changed ON %I FOR UPDATE TO holdfast_service USING (%s)', kept.name, entered);
    EXECUTE format('CREATE POLICY deleted ON %I FOR DELETE TO holdfast_service USING (%s AND (%s OR current_user <> ''holdfast_service''))',
      kept.name, entered, replace(kept.condition, 'dropped_before', 'current_setting(''holdfast.dropped_before'', true)'));
  END LOOP;
END $$;
