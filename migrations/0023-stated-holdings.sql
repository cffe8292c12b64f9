-- Stated holdings: what custodians say is held, brought by imports and feeds. Reconciliation compares them with the ledger; no figure
-- is computed from them.

-- A row is known from `known_from` until `known_until`, null while it is, and is never overwritten: undoing an import closes its rows.
-- Several imports may state the same: the one stated last counts, and the one before it counts again once that is undone. Of kind
-- `units` the quantity is that of the instrument, of kind `cash` it is a balance. The instrument is null where the words of the file
-- (`named`) are those of none; there is no foreign key on it, because an instrument that is deleted is merely unknown again.
CREATE TABLE stated_holding (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  known_from timestamptz NOT NULL,
  known_until timestamptz,
  current_environment text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN known_until IS NULL THEN environment END) STORED,
  client_id text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('units', 'cash')),
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  place text COLLATE "C" NOT NULL GENERATED ALWAYS AS (coalesce(account_id, '') || '/' || coalesce(depository_id, '')) STORED,
  instrument_id text COLLATE "C",
  named jsonb,
  -- What is held: an instrument, the words of the file for one, or cash in a currency.
  subject text COLLATE "C" NOT NULL,
  date date NOT NULL,
  quantity numeric(38, 18) NOT NULL,
  currency text COLLATE "C",
  price numeric(38, 18),
  price_date date,
  value numeric(38, 18),
  value_currency text COLLATE "C",
  cost numeric(38, 18),
  stated_at timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  CHECK (coalesce(account_id, depository_id) IS NOT NULL),
  CHECK (kind = 'units' OR (account_id IS NOT NULL AND currency IS NOT NULL)),
  CHECK (kind = 'cash' OR coalesce(instrument_id, named::text) IS NOT NULL),
  CHECK (known_until > known_from),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, current_environment, client_id, account_id)
    REFERENCES account (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, current_environment, client_id, depository_id)
    REFERENCES depository (workspace_id, environment, client_id, id)
);

-- What is stated of a place, by day.
CREATE INDEX stated_holding_of_place ON stated_holding (workspace_id, environment, client_id, place, date, subject)
  WHERE known_until IS NULL;
CREATE INDEX stated_holding_of_import ON stated_holding (workspace_id, environment, import_id) WHERE known_until IS NULL;
-- What is closed when an account or a depository is deleted.
CREATE INDEX stated_holding_of_account ON stated_holding (workspace_id, current_environment, account_id)
  WHERE current_environment IS NOT NULL AND account_id IS NOT NULL;
CREATE INDEX stated_holding_of_depository ON stated_holding (workspace_id, current_environment, depository_id)
  WHERE current_environment IS NOT NULL AND depository_id IS NOT NULL;

ALTER TABLE stated_holding ENABLE ROW LEVEL SECURITY;
ALTER TABLE stated_holding FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON stated_holding TO holdfast_service USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (current_setting('holdfast.sight', true) = 'all'
    OR client_id IN (SELECT c.id FROM client c
      WHERE c.workspace_id = current_setting('holdfast.workspace', true)
        AND c.environment = current_setting('holdfast.environment', true))));

GRANT SELECT, INSERT ON stated_holding TO holdfast_service;
GRANT UPDATE (known_until) ON stated_holding TO holdfast_service;
