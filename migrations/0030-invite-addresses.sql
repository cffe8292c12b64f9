-- An invite without an address is open to any verified address. Invites of former releases without one were for the address of their user:
-- those that are still pending name it from now on.

ALTER TABLE invite ADD COLUMN is_own_address boolean NOT NULL DEFAULT false;
ALTER TABLE invite NO FORCE ROW LEVEL SECURITY;
ALTER TABLE membership NO FORCE ROW LEVEL SECURITY;
UPDATE invite i SET email = m.contact_email, is_own_address = true FROM membership m
  WHERE i.email IS NULL AND i.accepted_at IS NULL AND i.cancelled_at IS NULL
    AND m.workspace_id = i.workspace_id AND m.environment = i.environment AND m.client_id = i.client_id AND m.person_id = i.person_id;
ALTER TABLE invite FORCE ROW LEVEL SECURITY;
ALTER TABLE membership FORCE ROW LEVEL SECURITY;
