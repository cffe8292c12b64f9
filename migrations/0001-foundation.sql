-- Workspaces and their environments, the credentials that reach into them, clients, the audit log, and what the wires
-- remember: used assertions, idempotent answers, budgets, signing keys.
--
-- Every table begins with the workspace, and so do its keys and foreign keys, so that workspaces can be spread over
-- machines. There are no triggers. Row-level security is forced on every table: the role that works on requests sees
-- the one workspace and environment it has entered, and below that only the clients it may see.

CREATE TABLE workspace (
  workspace_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id)
);

CREATE TABLE environment (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('production', 'sandbox')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment),
  FOREIGN KEY (workspace_id) REFERENCES workspace (workspace_id)
);

-- `path` holds the ids from the root down to the client itself: who is above it, and who sees it.
CREATE TABLE client (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
  path text[] COLLATE "C" NOT NULL,
  name text NOT NULL,
  reference_currency text COLLATE "C" NOT NULL,
  accounting_method text COLLATE "C" NOT NULL CHECK (accounting_method IN ('FIFO', 'AVERAGE', 'SPECIFIC_ID')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment, parent_id) REFERENCES client (workspace_id, environment, id),
  CHECK (parent_id <> id),
  CHECK (path[cardinality(path)] = id),
  CHECK (parent_id IS NOT DISTINCT FROM path[cardinality(path) - 1])
);
CREATE INDEX client_by_parent ON client (workspace_id, environment, parent_id, id);
CREATE INDEX client_by_path ON client USING gin (path);

CREATE TABLE legal_entity (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id)
);
CREATE INDEX legal_entity_by_client ON legal_entity (workspace_id, environment, client_id, id);

CREATE TABLE reporting_entity (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id)
);
CREATE INDEX reporting_entity_by_client ON reporting_entity (workspace_id, environment, client_id, id);

-- What a caller proves itself with. An application has a client id and a keyed hash of its secret; a key has a public JWK.
CREATE TABLE credential (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('application', 'rsa-key', 'ec-key')),
  name text NOT NULL,
  rights text[] COLLATE "C" NOT NULL CHECK (rights <@ ARRAY['read', 'write', 'admin'] AND cardinality(rights) > 0),
  scoped_to_id text COLLATE "C",
  client_id text COLLATE "C",
  secret_salt bytea,
  secret_hash bytea,
  public_jwk jsonb,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, client_id),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment, scoped_to_id) REFERENCES client (workspace_id, environment, id),
  CHECK ((kind = 'application') = (client_id IS NOT NULL)),
  CHECK ((kind = 'application') = (secret_salt IS NOT NULL AND secret_hash IS NOT NULL)),
  CHECK ((kind <> 'application') = (public_jwk IS NOT NULL))
);
CREATE INDEX credential_by_client_id ON credential (client_id);
CREATE INDEX credential_by_scope ON credential (workspace_id, environment, scoped_to_id, id);

-- The keys access tokens are signed with, private parts sealed. Verification needs a retired one until its tokens are over.
CREATE TABLE signing_key (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  public_jwk jsonb NOT NULL,
  private_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

-- Assertions are one-shot: a token id that stands here has been used.
CREATE TABLE used_assertion (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  token_id_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, token_id_hash)
);
CREATE INDEX used_assertion_by_expiry ON used_assertion (workspace_id, environment, expires_at);

-- Answers kept for a repeated Idempotency-Key, sealed, for the caller that made them.
CREATE TABLE idempotent_answer (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL,
  caller text COLLATE "C" NOT NULL,
  request_hash bytea NOT NULL,
  answer_sealed bytea,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, key_hash)
);
CREATE INDEX idempotent_answer_by_expiry ON idempotent_answer (workspace_id, environment, expires_at);

-- The shared bucket that nodes lease requests from: what is left, as of when.
CREATE TABLE budget (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  remaining double precision NOT NULL,
  as_of timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, subject)
);

CREATE TABLE audit_entry (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  at timestamptz NOT NULL,
  act text COLLATE "C" NOT NULL CHECK (act IN ('create', 'change', 'delete')),
  subject_type text COLLATE "C" NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C",
  subject text COLLATE "C",
  request_id text COLLATE "C",
  before jsonb,
  after jsonb,
  PRIMARY KEY (workspace_id, environment, id)
);
CREATE INDEX audit_entry_by_subject ON audit_entry (workspace_id, environment, subject_type, subject_id, id);
CREATE INDEX audit_entry_by_client ON audit_entry (workspace_id, environment, client_id, id);

-- The second wall. Settings are made for one transaction by whoever enters a workspace; unset, nothing is seen.
ALTER TABLE workspace ENABLE ROW LEVEL SECURITY;
ALTER TABLE workspace FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON workspace TO holdfast_service
  USING (workspace_id = current_setting('holdfast.workspace', true));

ALTER TABLE client ENABLE ROW LEVEL SECURITY;
ALTER TABLE client FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON client TO holdfast_service
  USING (
    workspace_id = current_setting('holdfast.workspace', true)
    AND environment = current_setting('holdfast.environment', true)
    AND (
      current_setting('holdfast.sight', true) = 'all'
      OR current_setting('holdfast.sight', true) = 'only:' || id
      OR (left(current_setting('holdfast.sight', true), 5) = 'tree:'
        AND substr(current_setting('holdfast.sight', true), 6) = ANY (path))
    )
  );

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['environment', 'signing_key', 'used_assertion', 'idempotent_answer', 'budget'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY entered ON %I TO holdfast_service USING (
        workspace_id = current_setting(''holdfast.workspace'', true)
        AND environment = current_setting(''holdfast.environment'', true))', name);
  END LOOP;
END $$;

-- Rows that belong to a client: seen by whoever sees the client, which the policy of that table decides.
DO $$
DECLARE
  owned record;
BEGIN
  FOR owned IN SELECT * FROM (VALUES
    ('legal_entity', 'client_id'), ('reporting_entity', 'client_id'), ('credential', 'scoped_to_id'), ('audit_entry', 'client_id')
  ) AS t (name, owner) LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned.name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', owned.name);
    EXECUTE format(
      'CREATE POLICY entered ON %1$I TO holdfast_service USING (
        workspace_id = current_setting(''holdfast.workspace'', true)
        AND environment = current_setting(''holdfast.environment'', true)
        AND (current_setting(''holdfast.sight'', true) = ''all''
          OR %2$I IN (SELECT c.id FROM client c
            WHERE c.workspace_id = current_setting(''holdfast.workspace'', true)
              AND c.environment = current_setting(''holdfast.environment'', true))))',
      owned.name, owned.owner);
  END LOOP;
END $$;

-- The gate looks a caller up before its workspace is known: it reads what that takes, and nothing else.
CREATE POLICY gate ON environment FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON credential FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON signing_key FOR SELECT TO holdfast_gate USING (true);

GRANT SELECT, INSERT, UPDATE ON workspace, environment TO holdfast_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON client, legal_entity, reporting_entity, credential, signing_key, used_assertion,
  idempotent_answer, budget TO holdfast_service;
GRANT SELECT, INSERT ON audit_entry TO holdfast_service;
GRANT SELECT ON environment, credential, signing_key TO holdfast_gate;
