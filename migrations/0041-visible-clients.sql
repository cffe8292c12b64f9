-- What a caller sees of the clients of a workspace is resolved once for each transaction and stands in a setting, so that no policy has to
-- look for it in a table: a row costs the same whether the workspace has ten clients or ten thousand.
--
-- The setting holds `all`, or a word and the ids of what is visible, each between commas: `clients,…,` for a token, `some,…,` for a person,
-- whose reporting entities are listed too. Very many ids stand in 256 settings of their own, by their last two digits, and the first
-- one then ends with `,many,`: it would take too long to search one list for each row.

CREATE FUNCTION is_visible(id text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT current_setting('holdfast.sight', true) = 'all'
    OR strpos(current_setting('holdfast.sight', true), ',' || id || ',') > 0
    OR right(current_setting('holdfast.sight', true), 6) = ',many,'
      AND strpos(current_setting('holdfast.sight_' || right(id, 2), true), ',' || id || ',') > 0
$$;

-- A node remembers which clients are below another one. `tree_version` counts the clients that were created or moved in an environment and
-- stands at each of them, so that a node notices in its first statement that it has to look again, and reads only what has changed;
-- `moved_version` is that of the last move.
ALTER TABLE environment
  ADD tree_version bigint NOT NULL DEFAULT 0,
  ADD moved_version bigint NOT NULL DEFAULT 0;
ALTER TABLE client ADD tree_version bigint NOT NULL DEFAULT 0;
CREATE INDEX client_by_tree_version ON client (workspace_id, environment, tree_version);
-- Containment is not leakproof: behind row-level security no statement could use it.
DROP INDEX client_by_path;

ALTER POLICY entered ON account USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON account_depository USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON account_ledger USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON announced_holding USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON audit_entry USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON auth_flow USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON auth_flow_file USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON authority USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON authority_account USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON authority_depository USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON authority_warning USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON booking_count USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON calculation_round USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON delivery USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON delivery_attempt USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON depository USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON disabled_former_member USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON event USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON event_lane USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON feed_run USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON historical_holding USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON import USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON import_row USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON import_work USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON invite USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON legal_entity USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON limit_rule USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON limit_state USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON link_version USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON mail USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON membership USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON outbox USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON portfolio USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON portfolio_account USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON portfolio_depository USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON read_grant USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON reconciliation_break USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON reporting_entity USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON round_mark USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON stated_entry USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON stated_holding USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON upload_ledger USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON webhook USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON webhook_lane USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY entered ON client USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(id));
ALTER POLICY entered ON credential USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(scoped_to_id));
ALTER POLICY entered ON transaction USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (client_id IS NULL OR is_visible(client_id))) WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));

ALTER POLICY seen ON identifier_mapping USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (client_id IS NULL OR is_visible(client_id)));
ALTER POLICY made ON identifier_mapping WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY changed ON identifier_mapping USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (client_id IS NULL OR is_visible(client_id))) WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY deleted ON identifier_mapping USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY seen ON instrument USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (client_id IS NULL OR is_visible(client_id)));
ALTER POLICY made ON instrument WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY changed ON instrument USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (client_id IS NULL OR is_visible(client_id))) WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY deleted ON instrument USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY seen ON instrument_word USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (client_id IS NULL OR is_visible(client_id)));
ALTER POLICY made ON instrument_word WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY changed ON instrument_word USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (client_id IS NULL OR is_visible(client_id))) WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY deleted ON instrument_word USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY seen ON series_ledger USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (client_id IS NULL OR is_visible(client_id)));
ALTER POLICY made ON series_ledger WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY changed ON series_ledger USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (client_id IS NULL OR is_visible(client_id))) WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY seen ON series_point USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (client_id IS NULL OR is_visible(client_id)));
ALTER POLICY made ON series_point WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY changed ON series_point USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (client_id IS NULL OR is_visible(client_id))) WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY seen ON thing_version USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (client_id IS NULL OR is_visible(client_id)));
ALTER POLICY made ON thing_version WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));
ALTER POLICY changed ON thing_version USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (client_id IS NULL OR is_visible(client_id))) WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND is_visible(client_id));

-- A person sees only those reporting entities of their clients that they were given.
ALTER POLICY granted ON reporting_entity USING (left(current_setting('holdfast.sight', true), 5) <> 'some,' OR is_visible(id));
ALTER POLICY granted ON read_grant USING (left(current_setting('holdfast.sight', true), 5) <> 'some,' OR is_visible(reporting_entity_id));

-- A person is visible through their memberships, which name the clients.
ALTER POLICY entered ON person USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (current_setting('holdfast.sight', true) = 'all' OR EXISTS (
    SELECT FROM membership m WHERE m.workspace_id = current_setting('holdfast.workspace', true)
      AND m.environment = current_setting('holdfast.environment', true) AND m.person_id = person.id)));
