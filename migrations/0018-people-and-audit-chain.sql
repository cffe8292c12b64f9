-- People: an address keeps its id when its last membership is deleted, and a membership keeps the address as its client wrote it, so that
-- no answer depends on what other clients know. A member who was disabled stays so when removed and added again.
-- Audit log: lines are chained by hash for each workspace and environment, and what a credential made can be found.

-- Existing rows are read and changed below, which row-level security would hide from an ordinary owner of the tables.
ALTER TABLE person NO FORCE ROW LEVEL SECURITY;
ALTER TABLE membership NO FORCE ROW LEVEL SECURITY;
ALTER TABLE person_key NO FORCE ROW LEVEL SECURITY;
ALTER TABLE invite NO FORCE ROW LEVEL SECURITY;
ALTER TABLE mail NO FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_entry NO FORCE ROW LEVEL SECURITY;

-- The address as the client wrote it. Two clients may write one address with different capital letters.
ALTER TABLE membership ADD COLUMN contact_email text;
UPDATE membership m SET contact_email = p.contact_email FROM person p
  WHERE p.workspace_id = m.workspace_id AND p.environment = m.environment AND p.id = m.person_id;
ALTER TABLE membership ALTER COLUMN contact_email SET NOT NULL;

-- A keyed digest of the person's address: an address that is added again gets the id it had, until the person is erased. Null for
-- people from before this column, until they are next changed.
ALTER TABLE person_key ADD COLUMN address_digest bytea;
CREATE UNIQUE INDEX person_key_by_address ON person_key (workspace_id, environment, address_digest);

-- Invites and mail stay when the person's last membership is deleted, as they do when it was not the last. Erasure deletes them.
ALTER TABLE invite DROP CONSTRAINT invite_workspace_id_environment_person_id_fkey;
ALTER TABLE invite ADD FOREIGN KEY (workspace_id, environment, person_id)
  REFERENCES person_key (workspace_id, environment, person_id) ON DELETE CASCADE;
ALTER TABLE mail DROP CONSTRAINT mail_workspace_id_environment_person_id_fkey;
ALTER TABLE mail ADD FOREIGN KEY (workspace_id, environment, person_id)
  REFERENCES person_key (workspace_id, environment, person_id) ON DELETE SET NULL (person_id);

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
ALTER TABLE disabled_former_member ENABLE ROW LEVEL SECURITY;
ALTER TABLE disabled_former_member FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON disabled_former_member TO holdfast_service USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (current_setting('holdfast.sight', true) = 'all'
    OR client_id IN (SELECT c.id FROM client c
      WHERE c.workspace_id = current_setting('holdfast.workspace', true)
        AND c.environment = current_setting('holdfast.environment', true))));
GRANT SELECT, INSERT, UPDATE, DELETE ON disabled_former_member TO holdfast_service;

-- The audit log also holds acts that change no record: sign-ins, sign-outs and exports of personal data.
ALTER TABLE audit_entry DROP CONSTRAINT audit_entry_act_check;
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_act_check
  CHECK (act IN ('create', 'change', 'delete', 'sign-in', 'sign-out', 'export'));

-- What a credential did to people and credentials. Other lines are far more, and are not looked for.
CREATE INDEX audit_entry_by_credential ON audit_entry (workspace_id, environment, credential_id, id)
  WHERE subject_type IN ('user', 'invite', 'application', 'key', 'webhook');

-- Lines that are not part of the chain yet. Written with the line, and deleted when the line is chained.
CREATE TABLE unchained_audit_entry (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  entry_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, environment, entry_id)
);
INSERT INTO unchained_audit_entry SELECT workspace_id, environment, id FROM audit_entry;

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
  PRIMARY KEY (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

-- Whoever writes a line may queue it. Only the service's own work, which sees all clients, builds the chain.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['unchained_audit_entry', 'audit_link', 'audit_chain'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY entered ON %I TO holdfast_service USING (
        workspace_id = current_setting(''holdfast.workspace'', true)
        AND environment = current_setting(''holdfast.environment'', true)
        AND current_setting(''holdfast.sight'', true) = ''all'')', name);
  END LOOP;
END $$;
CREATE POLICY queued ON unchained_audit_entry FOR INSERT TO holdfast_service WITH CHECK (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true));

GRANT SELECT, INSERT, DELETE ON unchained_audit_entry TO holdfast_service;
GRANT SELECT, INSERT ON audit_link TO holdfast_service;
GRANT SELECT, INSERT, UPDATE ON audit_chain TO holdfast_service;

ALTER TABLE person FORCE ROW LEVEL SECURITY;
ALTER TABLE membership FORCE ROW LEVEL SECURITY;
ALTER TABLE person_key FORCE ROW LEVEL SECURITY;
ALTER TABLE invite FORCE ROW LEVEL SECURITY;
ALTER TABLE mail FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_entry FORCE ROW LEVEL SECURITY;
