-- What servers that spread workspaces over others (Citus) ask of a schema: policies that read no table, and no foreign key that empties one of its
-- columns. A person's own row is for those who see the whole environment; who sees a client reads the memberships, which say the address too.

DROP POLICY entered ON person;
CREATE POLICY entered ON person TO holdfast_service
  USING (workspace_id = current_setting('holdfast.workspace', true) AND environment = current_setting('holdfast.environment', true)
    AND current_setting('holdfast.visible_clients', true) = 'all')
  WITH CHECK (workspace_id = current_setting('holdfast.workspace', true) AND environment = current_setting('holdfast.environment', true));

-- Users are found by the address as it is compared.
ALTER TABLE membership ADD address_key text COLLATE "C";
ALTER TABLE membership NO FORCE ROW LEVEL SECURITY;
ALTER TABLE person NO FORCE ROW LEVEL SECURITY;
UPDATE membership m SET address_key = p.address_key FROM person p
  WHERE p.workspace_id = m.workspace_id AND p.environment = m.environment AND p.id = m.person_id;
ALTER TABLE membership FORCE ROW LEVEL SECURITY;
ALTER TABLE person FORCE ROW LEVEL SECURITY;
ALTER TABLE membership ALTER address_key SET NOT NULL;
CREATE INDEX membership_by_address ON membership (workspace_id, environment, address_key);

-- Who deletes a person's key empties these first.
ALTER TABLE mail DROP CONSTRAINT mail_workspace_id_environment_person_id_fkey;
ALTER TABLE mail ADD FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person_key (workspace_id, environment, person_id);
ALTER TABLE auth_flow DROP CONSTRAINT auth_flow_workspace_id_environment_operator_id_fkey;
ALTER TABLE auth_flow ADD FOREIGN KEY (workspace_id, environment, operator_id) REFERENCES person_key (workspace_id, environment, person_id);
