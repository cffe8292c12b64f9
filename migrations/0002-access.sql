-- The credentials of callers, and what requests leave behind: signing keys, used assertions, idempotent answers, budgets, the request log.

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
CREATE INDEX credential_by_kind ON credential (workspace_id, environment, kind, id);

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
  -- Answers that tell who somebody is are forgotten with them.
  is_personal boolean NOT NULL DEFAULT false,
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

CREATE TABLE request_log (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  method text COLLATE "C" NOT NULL CHECK (length(method) <= 10),
  -- The address as it is documented, with the names of its parameters, and as it was asked for, without its query.
  route text COLLATE "C" NOT NULL CHECK (length(route) <= 200),
  path text COLLATE "C" NOT NULL CHECK (length(path) <= 300),
  status int NOT NULL,
  outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('answered', 'refused', 'failed')),
  code text COLLATE "C" CHECK (length(code) <= 64),
  duration_ms int NOT NULL,
  credential_id text COLLATE "C",
  user_id text COLLATE "C",
  request_id text COLLATE "C" NOT NULL CHECK (length(request_id) <= 128),
  PRIMARY KEY (workspace_id, environment, id)
);
