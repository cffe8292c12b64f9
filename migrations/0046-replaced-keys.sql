-- What is still needed of an encryption key that was replaced, sealed with the present one: the subkeys of digests that cannot be made anew,
-- and where the chain of the audit log was when the key stopped making it. Every environment keeps its own, so that none depends on
-- another. Nodes read them before they know a tenant, and open them with the key of their settings.
-- Nodes of the release before write none, and nothing reads them while a database still has its first key.

CREATE TABLE replaced_key (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  kept_sealed bytea NOT NULL,
  PRIMARY KEY (workspace_id, environment, fingerprint),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment
);
ALTER TABLE replaced_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE replaced_key FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON replaced_key TO holdfast_service
  USING (workspace_id = current_setting('holdfast.workspace', true) AND environment = current_setting('holdfast.environment', true));
CREATE POLICY pre_auth ON replaced_key FOR SELECT TO holdfast_pre_auth USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON replaced_key TO holdfast_service;
GRANT SELECT ON replaced_key TO holdfast_pre_auth;
