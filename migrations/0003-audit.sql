-- The audit log, and the chain of hashes over its lines.

CREATE TABLE audit_entry (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  at timestamptz NOT NULL,
  act text COLLATE "C" NOT NULL CHECK (act IN ('create', 'change', 'delete', 'sign-in', 'sign-out', 'export')),
  subject_type text COLLATE "C" NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C",
  subject text COLLATE "C",
  request_id text COLLATE "C",
  before jsonb,
  after jsonb,
  PRIMARY KEY (workspace_id, environment, id)
);
CREATE INDEX audit_entry_by_subject ON audit_entry (workspace_id, environment, subject_id, id);
CREATE INDEX audit_entry_by_client ON audit_entry (workspace_id, environment, client_id, id);
-- What people did, which they may ask for. Applications and keys act as their workspace, and are not looked for.
CREATE INDEX audit_entry_by_person ON audit_entry (workspace_id, environment, subject, id) WHERE subject <> workspace_id;
CREATE INDEX audit_entry_by_credential ON audit_entry (workspace_id, environment, credential_id, id);
CREATE INDEX audit_entry_by_act ON audit_entry (workspace_id, environment, act, id);
CREATE INDEX audit_entry_by_subject_type ON audit_entry (workspace_id, environment, subject_type, id);

-- Lines that are not part of the chain yet. Written with the line, and deleted when the line is chained.
CREATE TABLE unchained_audit_entry (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  entry_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, environment, entry_id)
);

-- The chain: each link holds the keyed hash of its line and of the link before it. Links are added and never changed.
CREATE TABLE audit_link (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  number bigint NOT NULL CHECK (number > 0),
  entry_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (workspace_id, environment, number)
);

-- The end of the chain. Whoever adds links holds its lock.
CREATE TABLE audit_chain (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  hash bytea NOT NULL,
  -- Where the chain begins after its oldest links were deleted: number and hash of the last deleted one, sealed by a keyed hash.
  anchor_number bigint NOT NULL DEFAULT 0,
  anchor_hash bytea,
  anchor_seal bytea,
  PRIMARY KEY (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);
