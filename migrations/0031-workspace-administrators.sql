-- Workspace administrators: people with all clients and all rights of a workspace in one environment, with no membership needed.

-- `joined_at` is when their link was used; until then they have no access.
CREATE TABLE workspace_administrator (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  created_at timestamptz NOT NULL,
  joined_at timestamptz,
  PRIMARY KEY (workspace_id, environment, person_id),
  FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person (workspace_id, environment, id)
);

-- The links with which people become administrators, each once. Only the hash of the secret is stored. A link that was mailed is for its
-- person. One that the operator printed names nobody: whoever has it and signs in becomes an administrator.
CREATE TABLE administrator_link (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C",
  secret_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  cancelled_at timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment, person_id)
    REFERENCES workspace_administrator (workspace_id, environment, person_id) ON DELETE CASCADE,
  CHECK (accepted_at IS NULL OR cancelled_at IS NULL)
);
CREATE INDEX administrator_link_of_person ON administrator_link (workspace_id, environment, person_id);
CREATE INDEX administrator_link_by_secret ON administrator_link (secret_hash);

-- Only whoever sees the whole workspace sees who administers it.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['workspace_administrator', 'administrator_link'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY entered ON %I TO holdfast_service USING (
        workspace_id = current_setting(''holdfast.workspace'', true)
        AND environment = current_setting(''holdfast.environment'', true)
        AND current_setting(''holdfast.sight'', true) = ''all'')', name);
    EXECUTE format('CREATE POLICY gate ON %I FOR SELECT TO holdfast_gate USING (true)', name);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON workspace_administrator, administrator_link TO holdfast_service;
GRANT SELECT ON workspace_administrator, administrator_link TO holdfast_gate;

-- The browser that a session was opened with, as it named itself.
ALTER TABLE session ADD COLUMN user_agent text;

-- What a credential did to people and credentials, administrators among them.
DROP INDEX audit_entry_by_credential;
CREATE INDEX audit_entry_by_credential ON audit_entry (workspace_id, environment, credential_id, id)
  WHERE subject_type IN ('user', 'invite', 'application', 'key', 'webhook', 'administrator');
