-- People: how they sign in, what they belong to, what they may read, and the mail they get.

-- What is written about a person where nothing can be taken back (the audit log) is sealed with a key of theirs. It stays when
-- the person goes, and erasing them is forgetting it.
CREATE TABLE person_key (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  key_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- A keyed digest of the person's address: an address that is added again gets the id it had, until the person is erased.
  address_digest bytea,
  PRIMARY KEY (workspace_id, environment, person_id),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);
CREATE UNIQUE INDEX person_key_by_address ON person_key (workspace_id, environment, address_digest);

-- A login: one for each address of an environment (`user` is a reserved word). All that can be seen of a person stands with
-- their memberships, so that nobody learns through one client what another one has written, or that there is another one at all.
-- `address_key` is the address as it is compared.
CREATE TABLE person (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  contact_email text NOT NULL,
  address_key text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, address_key),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

-- How an identity provider knows a person: its issuer and its own name for them. Joined when an invite is accepted.
CREATE TABLE person_identity (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  created_at timestamptz NOT NULL,
  last_signed_in_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, issuer, subject),
  FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person (workspace_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX person_identity_by_subject ON person_identity (issuer, subject);
CREATE INDEX person_identity_of_person ON person_identity (workspace_id, environment, person_id);

-- A person at a client: what they are called there, as what they were let in, and whether they are. `joined_at` is when an invite to
-- this client was first accepted.
CREATE TABLE membership (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  role text COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'advisor', 'admin')),
  created_at timestamptz NOT NULL,
  joined_at timestamptz,
  disabled_at timestamptz,
  -- The address as the client wrote it. Two clients may write one address with different capital letters.
  contact_email text NOT NULL,
  PRIMARY KEY (workspace_id, environment, client_id, person_id),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person (workspace_id, environment, id)
);
CREATE INDEX membership_of_person ON membership (workspace_id, environment, person_id, client_id);

-- Members who were removed from a client while they were disabled there.
CREATE TABLE disabled_former_member (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  disabled_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, client_id, person_id),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, person_id)
    REFERENCES person_key (workspace_id, environment, person_id) ON DELETE CASCADE
);
CREATE INDEX disabled_former_member_of_person ON disabled_former_member (workspace_id, environment, person_id);

-- What a member may read. Goes with the membership, and keeps its reporting entity.
CREATE TABLE read_grant (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  reporting_entity_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, environment, person_id, reporting_entity_id),
  FOREIGN KEY (workspace_id, environment, client_id, person_id)
    REFERENCES membership (workspace_id, environment, client_id, person_id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, reporting_entity_id)
    REFERENCES reporting_entity (workspace_id, environment, client_id, id)
);
CREATE INDEX read_grant_of_reporting_entity ON read_grant (workspace_id, environment, reporting_entity_id, person_id);

-- A way in, for one person to one client, once. The link that was mailed holds a secret, and this its hash. Stays when the
-- membership goes: it tells who was asked, and when it was taken back. What has passed `expires_at` needs no write to be over.
CREATE TABLE invite (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'advisor', 'admin')),
  identity_provider text COLLATE "C" CHECK (identity_provider IN ('provider_a', 'provider_b', 'provider_c')),
  email text,
  secret_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  cancelled_at timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, person_id)
    REFERENCES person_key (workspace_id, environment, person_id) ON DELETE CASCADE,
  CHECK (accepted_at IS NULL OR cancelled_at IS NULL)
);
CREATE INDEX invite_of_person ON invite (workspace_id, environment, person_id, id);
CREATE INDEX invite_of_client ON invite (workspace_id, environment, client_id, id);
CREATE INDEX invite_by_secret ON invite (secret_hash);
CREATE INDEX invite_open ON invite (workspace_id, environment, expires_at, id) WHERE accepted_at IS NULL AND cancelled_at IS NULL;
CREATE INDEX invite_accepted ON invite (workspace_id, environment, id) WHERE accepted_at IS NOT NULL;
CREATE INDEX invite_cancelled ON invite (workspace_id, environment, id) WHERE cancelled_at IS NOT NULL;

-- Who is signed in. The cookie holds a secret, and this its hash. A session is over when it was ended, when it has been idle, and
-- in any case at `expires_at`.
CREATE TABLE session (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  secret_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- The browser that the session was opened with, as it named itself.
  user_agent text,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person (workspace_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX session_of_person ON session (workspace_id, environment, person_id, id);
CREATE INDEX session_by_secret ON session (secret_hash);
CREATE INDEX session_by_expiry ON session (workspace_id, environment, expires_at);

-- Mail on its way, written with what it tells of. Its text holds a secret and is sealed; once it has been sent, or cannot be, it is
-- forgotten. The row counts against what an address and a workspace may be sent, so it stays for a while when the person goes, and
-- names an address by a keyed digest alone. `handed_at` is when a mail server was last given it, and null where that did not take it.
CREATE TABLE mail (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  person_id text COLLATE "C",
  invite_id text COLLATE "C",
  address_digest bytea NOT NULL,
  message_sealed bytea,
  created_at timestamptz NOT NULL,
  attempt_count integer NOT NULL DEFAULT 0,
  handed_at timestamptz,
  next_attempt_at timestamptz,
  sent_at timestamptz,
  failed_at timestamptz,
  failure text,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, person_id)
    REFERENCES person_key (workspace_id, environment, person_id) ON DELETE SET NULL (person_id),
  CHECK (num_nonnulls(next_attempt_at, sent_at, failed_at) = 1),
  CHECK ((message_sealed IS NULL) = (next_attempt_at IS NULL)),
  CHECK ((failure IS NULL) = (failed_at IS NULL))
);
CREATE INDEX mail_of_invite ON mail (workspace_id, environment, invite_id);
CREATE INDEX mail_of_person ON mail (workspace_id, environment, person_id);
CREATE INDEX mail_of_client_to_address ON mail (workspace_id, environment, client_id, address_digest, created_at);
CREATE INDEX mail_by_moment ON mail (workspace_id, environment, created_at);
CREATE INDEX mail_waiting ON mail (workspace_id, environment, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX mail_handed_to_address ON mail (address_digest, handed_at);

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
