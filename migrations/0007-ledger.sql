-- Bookings and uploaded holdings.

-- `kind` is what it is, `type` what v1 calls it. `sequence` counts the bookings of a client; those of no client count down
-- from -1. `amount` is cash into the account and `quantity` units into the position, negative out of them. `value` is what the
-- engine takes the units to have cost or brought, `unexplained` the part of the amount that nothing stated explains. Lots are
-- JSON whose decimals are strings.
--
-- A row costs as little as it can: few and narrow indexes, no foreign keys. A booking locks and reads the records that it names, in
-- sets, and a deletion locks its record before it counts what refers to it, so that neither misses the other. What names a missing
-- account is refused by account_ledger's key all the same, since every booking raises the version of its account.
CREATE TABLE transaction (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  known_from timestamptz NOT NULL,
  known_until timestamptz,
  opened_version bigint NOT NULL,
  closed_version bigint,
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
  -- What the lists of a whole tenant begin with, in four bytes instead of forty. Two tenants may share one: statements compare the
  -- workspace and the environment as well.
  tenant_prefix int NOT NULL GENERATED ALWAYS AS (
    ('x' || right(workspace_id, 8))::bit(32)::int # CASE environment WHEN 'sandbox' THEN 1 ELSE 0 END) STORED,
  CHECK (account_id IS NOT NULL OR kind = 'corporate-action'),
  CHECK (client_id IS NOT NULL OR account_id IS NULL)
);
-- One current version of each transaction, and one that ended with each version of the ledger.
CREATE UNIQUE INDEX transaction_by_id ON transaction (workspace_id, id, closed_version) NULLS NOT DISTINCT;
-- What a source sends twice is booked once.
CREATE UNIQUE INDEX transaction_by_external_reference ON transaction (workspace_id, external_reference, account_id, source)
  WHERE known_until IS NULL AND external_reference IS NOT NULL;
-- Lists in the order of the ledger. Ids are unique across tenants, so that indexes which begin with one need no tenant before it. Equal
-- keys share one entry, and few rows are of one day: they are sorted by their numbers when they are read.
CREATE INDEX transaction_by_date ON transaction (tenant_prefix, date, sequence) WHERE known_until IS NULL;
CREATE INDEX transaction_by_account ON transaction (account_id, date) WHERE known_until IS NULL;
-- Only few rows are in these.
CREATE INDEX transaction_by_counter_account ON transaction (counter_account_id, date)
  WHERE known_until IS NULL AND counter_account_id IS NOT NULL;
CREATE INDEX transaction_by_depository ON transaction (depository_id, date)
  WHERE known_until IS NULL AND depository_id IS NOT NULL;
CREATE INDEX transaction_by_counter_depository ON transaction (counter_depository_id, date)
  WHERE known_until IS NULL AND counter_depository_id IS NOT NULL;
CREATE INDEX transaction_by_instrument ON transaction (instrument_id, date)
  WHERE known_until IS NULL AND instrument_id IS NOT NULL;
CREATE INDEX transaction_by_target_instrument ON transaction (target_instrument_id, client_id)
  WHERE known_until IS NULL AND target_instrument_id IS NOT NULL;
CREATE INDEX transaction_by_opening ON transaction (account_id, opened_version);
CREATE INDEX transaction_by_closing ON transaction (account_id, closed_version) WHERE closed_version IS NOT NULL;
CREATE INDEX transaction_by_counter_opening ON transaction (counter_account_id, opened_version)
  WHERE counter_account_id IS NOT NULL;
CREATE INDEX transaction_by_counter_closing ON transaction (counter_account_id, closed_version)
  WHERE counter_account_id IS NOT NULL AND closed_version IS NOT NULL;
-- From holder to holder of an instrument.
CREATE INDEX transaction_by_holder ON transaction (instrument_id, client_id)
  WHERE known_until IS NULL AND instrument_id IS NOT NULL;
CREATE INDEX transaction_past ON transaction (workspace_id, environment, known_until) WHERE known_until IS NOT NULL;
CREATE INDEX transaction_for_all_opening ON transaction (workspace_id, environment, client_id, opened_version)
  WHERE account_id IS NULL;
CREATE INDEX transaction_for_all_closing ON transaction (workspace_id, environment, client_id, closed_version)
  WHERE account_id IS NULL AND closed_version IS NOT NULL;
CREATE INDEX transaction_by_type ON transaction (tenant_prefix, type, source, date) WHERE known_until IS NULL;
CREATE INDEX transaction_by_client ON transaction (client_id, date) WHERE known_until IS NULL;

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

-- The last number given to a booking of a client, deleted ones included.
CREATE TABLE booking_count (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  last_sequence bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, client_id),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id) ON DELETE CASCADE
);

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
  ON historical_holding (workspace_id, current_environment, instrument_id, client_id)
  WHERE current_environment IS NOT NULL AND instrument_id IS NOT NULL;
-- What was known once, for reports as of an earlier moment.
CREATE INDEX historical_holding_past_of_account ON historical_holding (workspace_id, environment, account_id, date)
  WHERE known_until IS NOT NULL AND account_id IS NOT NULL;
CREATE INDEX historical_holding_past_of_depository
  ON historical_holding (workspace_id, environment, depository_id, date)
  WHERE known_until IS NOT NULL AND depository_id IS NOT NULL;
CREATE INDEX historical_holding_past ON historical_holding (workspace_id, environment, known_until)
  WHERE known_until IS NOT NULL;
CREATE INDEX historical_holding_by_kind ON historical_holding (workspace_id, environment, kind, date, id) WHERE known_until IS NULL;

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
