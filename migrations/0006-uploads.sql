-- Historical uploads: what somebody states was held on a day that no feed supplies, with all that was ever stated of it.
--
-- A row of `historical_holding` is one version, known from `known_from` until `known_until`, null while it is. Stated anew, a
-- version is closed and the next is opened under the same id; a deletion closes one; nothing is overwritten or removed: the
-- service may set when a version ends, and no more. No version is without a span of time.
--
-- `current_environment` is the environment while the version is current, and null afterwards. Keys that carry it are about
-- current versions alone: what was deleted keeps nothing else from being deleted and stays where it is.

-- Of kind `account` the market value is a balance of cash, of kind `fee` what the account owes in fees, of kind `instrument`
-- what the units in the depository are worth without the accrued interest. The rate is 1 of the instrument's currency in the
-- reporting currency.
CREATE TABLE historical_holding (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  known_from timestamptz NOT NULL,
  known_until timestamptz,
  current_environment text COLLATE "C"
    GENERATED ALWAYS AS (CASE WHEN known_until IS NULL THEN environment END) STORED,
  client_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('account', 'fee', 'instrument')),
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  instrument_id text COLLATE "C",
  date date NOT NULL,
  market_value numeric(38, 18) NOT NULL,
  units numeric(38, 18),
  accrued_interest numeric(38, 18),
  currency_exchange_rate numeric(38, 18) CHECK (currency_exchange_rate > 0),
  reporting_currency_code text COLLATE "C",
  PRIMARY KEY (workspace_id, environment, id, known_from),
  CHECK ((kind = 'instrument') = (account_id IS NULL)),
  CHECK ((kind = 'instrument') = (depository_id IS NOT NULL)),
  CHECK ((kind = 'instrument') = (instrument_id IS NOT NULL)),
  CHECK ((kind = 'instrument') = (units IS NOT NULL)),
  CHECK ((kind = 'instrument') = (accrued_interest IS NOT NULL)),
  CHECK (kind = 'instrument' OR currency_exchange_rate IS NULL),
  CHECK ((currency_exchange_rate IS NULL) = (reporting_currency_code IS NULL)),
  CHECK (kind <> 'fee' OR market_value >= 0),
  CHECK (known_until > known_from),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, current_environment, client_id, account_id)
    REFERENCES account (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, current_environment, client_id, depository_id)
    REFERENCES depository (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, current_environment, instrument_id) REFERENCES instrument (workspace_id, environment, id)
);

-- The natural keys: one is known of each account and day, of the fees it owes on each day, and of each instrument in a
-- depository on each day. Also the ways to the days of a place.
CREATE UNIQUE INDEX historical_holding_of_account
  ON historical_holding (workspace_id, environment, account_id, date, kind)
  WHERE known_until IS NULL AND account_id IS NOT NULL;
CREATE UNIQUE INDEX historical_holding_of_depository
  ON historical_holding (workspace_id, environment, depository_id, date, instrument_id)
  WHERE known_until IS NULL AND depository_id IS NOT NULL;

-- Lists, and what keeps an account, a depository or an instrument from being deleted.
CREATE INDEX historical_holding_by_date ON historical_holding (workspace_id, environment, date, id)
  WHERE known_until IS NULL;
CREATE INDEX historical_holding_by_client ON historical_holding (workspace_id, environment, client_id, date, id)
  WHERE known_until IS NULL;
CREATE INDEX historical_holding_by_instrument
  ON historical_holding (workspace_id, environment, instrument_id, date, id)
  WHERE known_until IS NULL AND instrument_id IS NOT NULL;
CREATE INDEX historical_holding_keeping_account ON historical_holding (workspace_id, current_environment, account_id)
  WHERE current_environment IS NOT NULL AND account_id IS NOT NULL;
CREATE INDEX historical_holding_keeping_depository
  ON historical_holding (workspace_id, current_environment, depository_id) WHERE current_environment IS NOT NULL AND depository_id IS NOT NULL;
CREATE INDEX historical_holding_keeping_instrument
  ON historical_holding (workspace_id, current_environment, instrument_id) WHERE current_environment IS NOT NULL AND instrument_id IS NOT NULL;

-- What was known once, for reports as of an earlier moment.
CREATE INDEX historical_holding_past_of_account ON historical_holding (workspace_id, environment, account_id, date)
  WHERE known_until IS NOT NULL AND account_id IS NOT NULL;
CREATE INDEX historical_holding_past_of_depository
  ON historical_holding (workspace_id, environment, depository_id, date)
  WHERE known_until IS NOT NULL AND depository_id IS NOT NULL;

-- How far a client's uploads have come. Whoever writes one raises the number and holds it until the end of the transaction: a
-- reader who has seen a number has seen all that was written before it.
CREATE TABLE upload_ledger (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, client_id),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id) ON DELETE CASCADE
);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['historical_holding', 'upload_ledger'] LOOP
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

GRANT SELECT, INSERT ON historical_holding TO holdfast_service;
GRANT UPDATE (known_until) ON historical_holding TO holdfast_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON upload_ledger TO holdfast_service;
