-- People: who they are, which clients they belong to and as what, the reporting entities they may read, the invites that let them in,
-- their sessions, and the mail that is sent to them.

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

-- What is written about a person where nothing can be taken back (the audit log) is sealed with a key of theirs. It stays when
-- the person goes, and erasing them is forgetting it.
CREATE TABLE person_key (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  key_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, person_id),
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
  PRIMARY KEY (workspace_id, environment, client_id, person_id),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person (workspace_id, environment, id)
);
CREATE INDEX membership_of_person ON membership (workspace_id, environment, person_id, client_id);

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
  FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person (workspace_id, environment, id) ON DELETE CASCADE,
  CHECK (accepted_at IS NULL OR cancelled_at IS NULL)
);
CREATE INDEX invite_of_person ON invite (workspace_id, environment, person_id, id);
CREATE INDEX invite_of_client ON invite (workspace_id, environment, client_id, id);
CREATE INDEX invite_by_secret ON invite (secret_hash);

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
  FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person (workspace_id, environment, id)
    ON DELETE SET NULL (person_id),
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

-- Answers that tell who somebody is are forgotten with them.
ALTER TABLE idempotent_answer ADD COLUMN is_personal boolean NOT NULL DEFAULT false;

-- What people did, which they may ask for. Applications and keys act as their workspace, and are not looked for.
CREATE INDEX audit_entry_by_person ON audit_entry (workspace_id, environment, subject, id) WHERE subject <> workspace_id;

-- Rows of a client: seen by whoever sees the client.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['membership', 'read_grant', 'invite', 'mail'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY entered ON %I TO holdfast_service USING (
        workspace_id = current_setting(''holdfast.workspace'', true)
        AND environment = current_setting(''holdfast.environment'', true)
        AND (current_setting(''holdfast.sight'', true) = ''all''
          OR client_id IN (SELECT c.id FROM client c
            WHERE c.workspace_id = current_setting(''holdfast.workspace'', true)
              AND c.environment = current_setting(''holdfast.environment'', true))))', name);
  END LOOP;
END $$;

-- A person is seen by whoever sees one of their memberships, and made by anybody who may write: the membership comes after.
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
ALTER TABLE person FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON person TO holdfast_service
  USING (
    workspace_id = current_setting('holdfast.workspace', true)
    AND environment = current_setting('holdfast.environment', true)
    AND (current_setting('holdfast.sight', true) = 'all'
      OR id IN (SELECT m.person_id FROM membership m
        WHERE m.workspace_id = current_setting('holdfast.workspace', true)
          AND m.environment = current_setting('holdfast.environment', true)))
  )
  WITH CHECK (
    workspace_id = current_setting('holdfast.workspace', true)
    AND environment = current_setting('holdfast.environment', true)
  );

ALTER TABLE person_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_key FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON person_key TO holdfast_service USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true));

-- How a person signs in concerns the service's own doing alone, which sees everything of a tenant.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['person_identity', 'session'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY entered ON %I TO holdfast_service USING (
        workspace_id = current_setting(''holdfast.workspace'', true)
        AND environment = current_setting(''holdfast.environment'', true)
        AND current_setting(''holdfast.sight'', true) = ''all'')', name);
  END LOOP;
END $$;

-- The gate tells who is at the door: by an address, an identity, a link, a cookie.
CREATE POLICY gate ON person FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON person_identity FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON membership FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON read_grant FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON invite FOR SELECT TO holdfast_gate USING (true);
CREATE POLICY gate ON session FOR SELECT TO holdfast_gate USING (true);
-- And how much mail an address has got, from whomever: by digests and moments, and nothing else.
CREATE POLICY gate ON mail FOR SELECT TO holdfast_gate USING (true);

-- With how a person stands goes which clients lie above theirs: a key may be bound to one of those.
CREATE POLICY gate ON client FOR SELECT TO holdfast_gate USING (true);
GRANT SELECT (workspace_id, environment, id, name, path) ON client TO holdfast_gate;

-- What a person sees: some clients and some reporting entities, whose ids the setting lists one after the other. The list is taken
-- apart once for a statement, and only where it is one.
ALTER POLICY entered ON client USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (
    current_setting('holdfast.sight', true) = 'all'
    OR current_setting('holdfast.sight', true) = 'only:' || id
    OR (left(current_setting('holdfast.sight', true), 5) = 'tree:'
      AND substr(current_setting('holdfast.sight', true), 6) = ANY (path))
    OR (left(current_setting('holdfast.sight', true), 5) = 'some:'
      AND id = ANY ((SELECT string_to_array(substr(current_setting('holdfast.sight', true), 6), ','))::text[]))
  )
);

-- Of the reporting entities of those clients a person reads the ones they were granted. Figures are not made of these rows but of
-- all that was known of a client (thing_version), which is the same whoever asks.
CREATE POLICY granted ON reporting_entity AS RESTRICTIVE TO holdfast_service USING (
  left(current_setting('holdfast.sight', true), 5) <> 'some:'
  OR id = ANY ((SELECT string_to_array(substr(current_setting('holdfast.sight', true), 6), ','))::text[]));

-- And a person who looks after others sees and gives such grants as they have themselves.
CREATE POLICY granted ON read_grant AS RESTRICTIVE TO holdfast_service USING (
  left(current_setting('holdfast.sight', true), 5) <> 'some:'
  OR reporting_entity_id = ANY ((SELECT string_to_array(substr(current_setting('holdfast.sight', true), 6), ','))::text[]));

GRANT SELECT, INSERT, UPDATE, DELETE ON person, person_key, person_identity, membership, read_grant, invite, session,
  mail TO holdfast_service;
GRANT SELECT ON person, person_identity, membership, read_grant, invite, session TO holdfast_gate;
GRANT SELECT (workspace_id, environment, id, address_digest, created_at, handed_at) ON mail TO holdfast_gate;
