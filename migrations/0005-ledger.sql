-- The ledger: every dated event that moves wealth, with all that was ever known of it.
--
-- A row of `transaction` is one version: what was held to be true from `known_from` until `known_until`, null while it is. A
-- change closes the version and opens the next, a deletion closes it, and nothing is ever overwritten or removed: the service
-- may set when a version ends, and no more. All versions of a transaction have its id and its sequence.
--
-- `current_environment` is the environment while the version is current, and null afterwards. Every key that carries it is
-- about current versions alone: a deleted transaction keeps nothing else from being deleted and stays where it is.

-- `kind` is what it is, `type` what v1 calls it. `sequence` counts the bookings of a client; those of no client count down
-- from -1. `amount` is cash into the account and `quantity` units into the position, negative out of them. `value` is what the
-- engine takes the units to have cost or brought, `unexplained` the part of the amount that nothing stated explains. Lots are
-- JSON whose decimals are strings.
CREATE TABLE transaction (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  known_from timestamptz NOT NULL,
  known_until timestamptz,
  opened_version bigint NOT NULL,
  closed_version bigint,
  current_environment text COLLATE "C"
    GENERATED ALWAYS AS (CASE WHEN known_until IS NULL THEN environment END) STORED,
  client_id text COLLATE "C",
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  instrument_id text COLLATE "C",
  counter_account_id text COLLATE "C",
  counter_depository_id text COLLATE "C",
  target_instrument_id text COLLATE "C",
  trade_id text COLLATE "C",
  kind text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  date date NOT NULL,
  settlement_date date,
  executed_at timestamptz,
  amount numeric(38, 18),
  currency text COLLATE "C",
  quantity numeric(38, 18),
  price numeric(38, 18),
  fees numeric(38, 18),
  taxes numeric(38, 18),
  accrued_interest numeric(38, 18),
  exchange_rate numeric(38, 18),
  value numeric(38, 18) NOT NULL,
  unexplained numeric(38, 18) NOT NULL,
  counter_amount numeric(38, 18),
  counter_ccy_code text COLLATE "C",
  rate numeric(38, 18),
  period_start date,
  period_end date,
  effect_on_unfunded numeric(38, 18),
  recallable_amount numeric(38, 18),
  action text COLLATE "C",
  ratio text COLLATE "C",
  cost_share numeric(38, 18),
  cash_in_lieu_quantity numeric(38, 18),
  lots jsonb,
  acquired jsonb,
  category text,
  comment text,
  source text COLLATE "C" NOT NULL,
  external_reference text COLLATE "C",
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id, opened_version),
  CHECK (account_id IS NOT NULL OR kind = 'corporate-action'),
  CHECK (client_id IS NOT NULL OR account_id IS NULL),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, current_environment, client_id) REFERENCES client (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, current_environment, client_id, account_id)
    REFERENCES account (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, current_environment, client_id, counter_account_id)
    REFERENCES account (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, current_environment, client_id, depository_id)
    REFERENCES depository (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, current_environment, client_id, counter_depository_id)
    REFERENCES depository (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, current_environment, instrument_id) REFERENCES instrument (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, current_environment, target_instrument_id)
    REFERENCES instrument (workspace_id, environment, id)
);

-- One current version of each, and no two bookings of a client with one number.
CREATE UNIQUE INDEX transaction_by_id ON transaction (workspace_id, current_environment, id)
  WHERE current_environment IS NOT NULL;
CREATE UNIQUE INDEX transaction_by_sequence ON transaction (workspace_id, current_environment, client_id, sequence)
  WHERE current_environment IS NOT NULL;
-- The number that the next booking takes is beyond those of deleted ones too.
CREATE INDEX transaction_by_number ON transaction (workspace_id, environment, client_id, sequence);
-- A feed's own reference: sent twice it books once.
CREATE UNIQUE INDEX transaction_by_external_reference
  ON transaction (workspace_id, current_environment, account_id, source, external_reference)
  WHERE current_environment IS NOT NULL AND external_reference IS NOT NULL;

-- Lists, in the order of the ledger.
CREATE INDEX transaction_by_date ON transaction (workspace_id, current_environment, date, sequence, id);
CREATE INDEX transaction_by_account ON transaction (workspace_id, current_environment, account_id, date, sequence, id);
CREATE INDEX transaction_by_counter_account
  ON transaction (workspace_id, current_environment, counter_account_id, date, sequence, id)
  WHERE counter_account_id IS NOT NULL;
CREATE INDEX transaction_by_depository
  ON transaction (workspace_id, current_environment, depository_id, date, sequence, id)
  WHERE depository_id IS NOT NULL;
CREATE INDEX transaction_by_counter_depository
  ON transaction (workspace_id, current_environment, counter_depository_id, date, sequence, id)
  WHERE counter_depository_id IS NOT NULL;
CREATE INDEX transaction_by_instrument
  ON transaction (workspace_id, current_environment, instrument_id, date, sequence, id)
  WHERE instrument_id IS NOT NULL;
CREATE INDEX transaction_by_target_instrument ON transaction (workspace_id, current_environment, target_instrument_id)
  WHERE target_instrument_id IS NOT NULL;

-- What of an account's ledger was opened or closed after a version of it.
CREATE INDEX transaction_by_opening ON transaction (workspace_id, environment, account_id, opened_version);
CREATE INDEX transaction_by_closing ON transaction (workspace_id, environment, account_id, closed_version)
  WHERE closed_version IS NOT NULL;
CREATE INDEX transaction_by_counter_opening
  ON transaction (workspace_id, environment, counter_account_id, opened_version)
  WHERE counter_account_id IS NOT NULL;
CREATE INDEX transaction_by_counter_closing
  ON transaction (workspace_id, environment, counter_account_id, closed_version)
  WHERE counter_account_id IS NOT NULL AND closed_version IS NOT NULL;

-- How far an account's ledger has come. Whoever writes to it raises the number, and the versions opened and closed with that
-- carry it. Writes that touch several accounts bring them all to one number.
CREATE TABLE account_ledger (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, account_id),
  FOREIGN KEY (workspace_id, environment, client_id, account_id)
    REFERENCES account (workspace_id, environment, client_id, id) ON DELETE CASCADE
);

-- That a client's figures are to be worked out anew: since when, and what has changed.
CREATE TABLE round_mark (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  since timestamptz NOT NULL,
  causes text[] COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, environment, client_id),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id) ON DELETE CASCADE
);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['account_ledger', 'round_mark'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY entered ON %I TO holdfast_service USING (
        workspace_id = current_setting(''holdfast.workspace'', true)
        AND environment = current_setting(''holdfast.environment'', true)
        AND (current_setting(''holdfast.sight'', true) = ''all''
          OR client_id IN (SELECT c.id FROM client c
            WHERE c.workspace_id = current_setting(''holdfast.workspace'', true)
              AND c.environment = current_setting(''holdfast.environment'', true))))',
      name);
  END LOOP;
END $$;

-- What was booked once for all holders of an instrument is of no client: all see it, and whoever sees all clients writes it.
ALTER TABLE transaction ENABLE ROW LEVEL SECURITY;
ALTER TABLE transaction FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON transaction TO holdfast_service
  USING (
    workspace_id = current_setting('holdfast.workspace', true)
    AND environment = current_setting('holdfast.environment', true)
    AND (client_id IS NULL
      OR current_setting('holdfast.sight', true) = 'all'
      OR client_id IN (SELECT c.id FROM client c
        WHERE c.workspace_id = current_setting('holdfast.workspace', true)
          AND c.environment = current_setting('holdfast.environment', true)))
  )
  WITH CHECK (
    workspace_id = current_setting('holdfast.workspace', true)
    AND environment = current_setting('holdfast.environment', true)
    AND (current_setting('holdfast.sight', true) = 'all'
      OR client_id IN (SELECT c.id FROM client c
        WHERE c.workspace_id = current_setting('holdfast.workspace', true)
          AND c.environment = current_setting('holdfast.environment', true)))
  );

GRANT SELECT, INSERT, UPDATE, DELETE ON account_ledger, round_mark TO holdfast_service;
GRANT SELECT, INSERT ON transaction TO holdfast_service;
GRANT UPDATE (known_until, closed_version) ON transaction TO holdfast_service;
