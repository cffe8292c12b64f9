-- Auth flows that obtain the consent of a client, the authorities that it gives, what these cover, and the runs of their feeds.

-- The consent of a legal entity, for all it has with a custodian or for one depository. `credentials_sealed` is what its connector
-- needs. Goes with what it was given for, once it has ended; until then it keeps that from being deleted.
CREATE TABLE authority (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  legal_entity_id text COLLATE "C" NOT NULL,
  depository_id text COLLATE "C",
  custodian_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('waiting-for-files', 'waiting-for-consent', 'awaiting-operator',
    'awaiting-custodian', 'active', 'revoke-in-progress', 'revoked', 'cancelled')),
  consent_type text COLLATE "C",
  created_at timestamptz NOT NULL,
  granted_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  broken_at timestamptz,
  broken_reason text,
  credentials_sealed bytea,
  -- Whether there are credentials, not what they are.
  has_credentials boolean NOT NULL GENERATED ALWAYS AS (credentials_sealed IS NOT NULL) STORED,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, client_id, id),
  CHECK ((broken_at IS NULL) = (broken_reason IS NULL)),
  FOREIGN KEY (workspace_id, environment, client_id, legal_entity_id)
    REFERENCES legal_entity (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, depository_id)
    REFERENCES depository (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, custodian_id) REFERENCES custodian (workspace_id, environment, id)
);
CREATE INDEX authority_by_legal_entity ON authority (workspace_id, environment, legal_entity_id, id);
CREATE INDEX authority_by_depository ON authority (workspace_id, environment, depository_id, id);
CREATE INDEX authority_by_custodian ON authority (workspace_id, environment, custodian_id, id);
CREATE INDEX authority_ending ON authority (workspace_id, environment, expires_at) WHERE state = 'active';
CREATE INDEX authority_revoking ON authority (workspace_id, environment) WHERE state = 'revoke-in-progress';
CREATE INDEX authority_by_state ON authority (workspace_id, environment, state, id);

-- What an authority covers. An account or depository is covered by one authority at most, and a link is deleted when it ends.
CREATE TABLE authority_account (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  authority_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, authority_id, account_id),
  UNIQUE (workspace_id, account_id),
  FOREIGN KEY (workspace_id, environment, client_id, authority_id)
    REFERENCES authority (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, account_id)
    REFERENCES account (workspace_id, environment, client_id, id) ON DELETE CASCADE
);

CREATE TABLE authority_depository (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  authority_id text COLLATE "C" NOT NULL,
  depository_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, authority_id, depository_id),
  UNIQUE (workspace_id, depository_id),
  FOREIGN KEY (workspace_id, environment, client_id, authority_id)
    REFERENCES authority (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, depository_id)
    REFERENCES depository (workspace_id, environment, client_id, id) ON DELETE CASCADE
);

-- That an authority ends in so many days has been reported, and mailed. Once for each end.
CREATE TABLE authority_warning (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  authority_id text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  days integer NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  emitted_at timestamptz NOT NULL,
  mailed_at timestamptz,
  PRIMARY KEY (workspace_id, environment, authority_id, expires_at, days),
  FOREIGN KEY (workspace_id, environment, client_id, authority_id)
    REFERENCES authority (workspace_id, environment, client_id, id) ON DELETE CASCADE
);
CREATE INDEX authority_warning_to_mail ON authority_warning (workspace_id, environment, authority_id) WHERE mailed_at IS NULL;

-- The way to an authority, or to renewing one. `pending_sealed` is what completing a consent on the custodian's pages needs.
CREATE TABLE auth_flow (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  authority_id text COLLATE "C" NOT NULL,
  legal_entity_id text COLLATE "C" NOT NULL,
  depository_id text COLLATE "C",
  custodian_id text COLLATE "C" NOT NULL,
  purpose text COLLATE "C" NOT NULL CHECK (purpose IN ('grant', 'reconnect')),
  state text COLLATE "C" NOT NULL CHECK (state IN ('waiting-for-files', 'waiting-for-consent', 'awaiting-operator',
    'awaiting-custodian', 'active', 'revoke-in-progress', 'revoked', 'cancelled')),
  expected_files text[] NOT NULL,
  supported_consent_types text[] COLLATE "C" NOT NULL,
  consent_type text COLLATE "C",
  operator_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  granted_at timestamptz,
  cancelled_at timestamptz,
  pending_sealed bytea,
  pending_until timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, client_id, id),
  CHECK ((pending_sealed IS NULL) = (pending_until IS NULL)),
  FOREIGN KEY (workspace_id, environment, client_id, authority_id)
    REFERENCES authority (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, legal_entity_id)
    REFERENCES legal_entity (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, depository_id)
    REFERENCES depository (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, custodian_id) REFERENCES custodian (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, operator_id)
    REFERENCES person_key (workspace_id, environment, person_id) ON DELETE SET NULL (operator_id)
);
CREATE INDEX auth_flow_by_authority ON auth_flow (workspace_id, environment, authority_id, id);
CREATE INDEX auth_flow_by_legal_entity ON auth_flow (workspace_id, environment, legal_entity_id, id);
CREATE INDEX auth_flow_by_depository ON auth_flow (workspace_id, environment, depository_id, id);
CREATE INDEX auth_flow_by_custodian ON auth_flow (workspace_id, environment, custodian_id, id);
CREATE INDEX auth_flow_by_operator ON auth_flow (workspace_id, environment, operator_id) WHERE operator_id IS NOT NULL;
CREATE INDEX auth_flow_by_state ON auth_flow (workspace_id, environment, state, id);

-- A consent file, sealed. `expected_file` is the one of the flow's expected files that it is.
CREATE TABLE auth_flow_file (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  auth_flow_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  expected_file text,
  media_type text COLLATE "C" NOT NULL,
  size integer NOT NULL,
  digest text COLLATE "C" NOT NULL,
  content_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, client_id, auth_flow_id)
    REFERENCES auth_flow (workspace_id, environment, client_id, id) ON DELETE CASCADE
);
CREATE INDEX auth_flow_file_of_flow ON auth_flow_file (workspace_id, environment, auth_flow_id, id);

-- An open run waits until `due_at`, or is leased until `lease_until`. Everything that it fetched up to `to_mark` is booked, in the
-- imports that it lists; the next attempt, or the next run, goes on from there.
CREATE TABLE feed_run (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  authority_id text COLLATE "C" NOT NULL,
  custodian_id text COLLATE "C" NOT NULL,
  connector text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'running', 'finished', 'failed')),
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  attempts int NOT NULL DEFAULT 0,
  -- Attempts since something was fetched that failed: the wait grows with them.
  failures int NOT NULL DEFAULT 0,
  from_mark text,
  to_mark text,
  fetched_count int NOT NULL DEFAULT 0,
  imports text[] COLLATE "C" NOT NULL DEFAULT '{}',
  error text COLLATE "C",
  error_detail text,
  PRIMARY KEY (workspace_id, environment, id),
  CHECK ((state IN ('finished', 'failed')) = (finished_at IS NOT NULL)),
  CHECK ((state = 'running') = (lease_until IS NOT NULL)),
  FOREIGN KEY (workspace_id, environment, client_id, authority_id)
    REFERENCES authority (workspace_id, environment, client_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX feed_run_open ON feed_run (workspace_id, environment, authority_id) WHERE finished_at IS NULL;
CREATE INDEX feed_run_by_authority ON feed_run (workspace_id, environment, authority_id, id);
CREATE INDEX feed_run_by_client ON feed_run (workspace_id, environment, client_id, id);
-- Nearly every run of a feed waits for its time.
CREATE INDEX feed_run_due ON feed_run ((coalesce(lease_until, due_at))) WHERE finished_at IS NULL;
CREATE INDEX feed_run_by_state ON feed_run (workspace_id, environment, state, id);
