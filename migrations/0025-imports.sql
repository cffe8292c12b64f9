-- Imports: files of custodians and runs of feeds, their rows, and what statements have said about each entry of an account.

-- Without a client, an import brings rates and prices that all clients share.
CREATE TABLE import (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  state text COLLATE "C" NOT NULL CHECK (state IN ('checked', 'booked', 'undone')),
  origin text COLLATE "C" NOT NULL CHECK (origin IN ('file', 'feed')),
  format text NOT NULL,
  file_name text,
  digest text COLLATE "C",
  profile text,
  -- What rows count for that name no account or depository. Both may be deleted later.
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  custodian_id text COLLATE "C",
  warnings jsonb NOT NULL DEFAULT '[]',
  row_count int NOT NULL DEFAULT 0,
  booked_count int NOT NULL DEFAULT 0,
  amended_count int NOT NULL DEFAULT 0,
  unchanged_count int NOT NULL DEFAULT 0,
  refused_count int NOT NULL DEFAULT 0,
  needs_count int NOT NULL DEFAULT 0,
  closed_count int NOT NULL DEFAULT 0,
  restored_count int NOT NULL DEFAULT 0,
  kept_count int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  booked_at timestamptz,
  undone_at timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  CHECK (row_count = booked_count + amended_count + unchanged_count + refused_count + needs_count),
  CHECK ((state = 'checked') = (booked_at IS NULL)),
  CHECK ((state = 'undone') = (undone_at IS NOT NULL)),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX import_by_client ON import (workspace_id, environment, client_id, id) WHERE client_id IS NOT NULL;

-- What each row says, what became of it, and what undoing the import needs: the record, the version that was opened for it, and what was
-- known of its reference before.
CREATE TABLE import_row (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  number int NOT NULL,
  client_id text COLLATE "C",
  line int NOT NULL,
  field text,
  item text COLLATE "C" NOT NULL,
  -- Which of the equal entries of its statement it is, counted from one.
  ordinal int NOT NULL,
  outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('booked', 'amended', 'unchanged', 'refused', 'needs')),
  code text COLLATE "C",
  detail text,
  needs text COLLATE "C",
  stated json NOT NULL,
  account_id text COLLATE "C",
  reference text COLLATE "C",
  target_type text COLLATE "C",
  target_id text COLLATE "C",
  target_version bigint,
  before json,
  undo text COLLATE "C" CHECK (undo IN ('closed', 'restored', 'kept')),
  PRIMARY KEY (workspace_id, environment, import_id, number),
  CHECK ((outcome = 'needs') = (needs IS NOT NULL)),
  FOREIGN KEY (workspace_id, environment, import_id) REFERENCES import (workspace_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX import_row_by_outcome ON import_row (workspace_id, environment, import_id, outcome, number)
  WHERE outcome <> 'booked';

-- What statements have said about each reference of an account, so that a statement that comes again, late or in another format books
-- nothing twice. `content` and `date` identify equal entries; of a reversal, the content is that of the entry it reverses.
CREATE TABLE stated_entry (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  reference text COLLATE "C" NOT NULL,
  content text COLLATE "C",
  date date,
  format text NOT NULL,
  -- What was said last, and when the statement that said it was made.
  digest text COLLATE "C",
  stated_at timestamptz,
  is_derived boolean NOT NULL,
  is_cancelled boolean NOT NULL,
  is_reversal boolean NOT NULL,
  -- A reversal whose original has not come yet.
  is_waiting boolean NOT NULL,
  transaction_id text COLLATE "C",
  import_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, environment, account_id, reference),
  FOREIGN KEY (workspace_id, environment, client_id, account_id)
    REFERENCES account (workspace_id, environment, client_id, id) ON DELETE CASCADE
);
CREATE INDEX stated_entry_by_content ON stated_entry (workspace_id, environment, account_id, content, date)
  WHERE content IS NOT NULL;
CREATE INDEX stated_entry_waiting ON stated_entry (workspace_id, environment, account_id, content) WHERE is_waiting;

ALTER TABLE import ENABLE ROW LEVEL SECURITY;
ALTER TABLE import FORCE ROW LEVEL SECURITY;
ALTER TABLE import_row ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_row FORCE ROW LEVEL SECURITY;
ALTER TABLE stated_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE stated_entry FORCE ROW LEVEL SECURITY;

CREATE POLICY entered ON import TO holdfast_service USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (current_setting('holdfast.sight', true) = 'all'
    OR client_id IN (SELECT c.id FROM client c
      WHERE c.workspace_id = current_setting('holdfast.workspace', true)
        AND c.environment = current_setting('holdfast.environment', true))));
CREATE POLICY entered ON import_row TO holdfast_service USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (current_setting('holdfast.sight', true) = 'all'
    OR client_id IN (SELECT c.id FROM client c
      WHERE c.workspace_id = current_setting('holdfast.workspace', true)
        AND c.environment = current_setting('holdfast.environment', true))));
CREATE POLICY entered ON stated_entry TO holdfast_service USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (current_setting('holdfast.sight', true) = 'all'
    OR client_id IN (SELECT c.id FROM client c
      WHERE c.workspace_id = current_setting('holdfast.workspace', true)
        AND c.environment = current_setting('holdfast.environment', true))));

GRANT SELECT, INSERT, UPDATE, DELETE ON import, import_row, stated_entry TO holdfast_service;
