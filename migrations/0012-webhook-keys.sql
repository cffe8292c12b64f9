-- The keys that deliveries of the standard track are signed with, private parts sealed.

-- One is active: the one that was never retired. The most recently retired one is still trusted, and signs beside it for a
-- while; after that its private part is forgotten. Those before it are gone.
CREATE TABLE webhook_key (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  public_jwk jsonb NOT NULL,
  private_sealed bytea,
  created_at timestamptz NOT NULL,
  retired_at timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  CHECK (retired_at IS NOT NULL OR private_sealed IS NOT NULL),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);
CREATE UNIQUE INDEX webhook_key_active ON webhook_key (workspace_id, environment) WHERE retired_at IS NULL;

ALTER TABLE webhook_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_key FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON webhook_key TO holdfast_service USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true));

GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_key TO holdfast_service;
