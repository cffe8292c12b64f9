-- Files that are brought in: imports and their rows, mapping profiles, remembered identifiers, what the files state is held, and the
-- breaks that reconciliation finds.

CREATE TABLE import_profile (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  content text COLLATE "C" NOT NULL,
  delimiter text COLLATE "C" NOT NULL,
  decimal_mark text COLLATE "C" NOT NULL,
  date_order text COLLATE "C" NOT NULL,
  recognised_by text[] NOT NULL,
  columns jsonb NOT NULL,
  types jsonb NOT NULL,
  signs text COLLATE "C" NOT NULL,
  direction_words jsonb,
  pending_words text[] NOT NULL,
  constants jsonb NOT NULL,
  ignored_lines text[] NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

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
CREATE INDEX import_by_state ON import (workspace_id, environment, state, id);
CREATE INDEX import_by_origin ON import (workspace_id, environment, origin, id);

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
-- Finds what imports have said about a price or rate, so that an older statement does not replace a later one.
CREATE INDEX import_row_by_point ON import_row (workspace_id, environment, target_id)
  WHERE target_type IN ('price', 'net-asset-value', 'interest-rate', 'index-factor', 'fx-rate');

CREATE TABLE import_work (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  act text COLLATE "C" NOT NULL CHECK (act IN ('check', 'book', 'undo')),
  file_name text,
  done_count int NOT NULL,
  total_count int,
  started_at timestamptz NOT NULL,
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, import_id)
);

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

-- One row says what one record is called: by the files of a custodian, or of any; for a client, or for all clients.
CREATE TABLE identifier_mapping (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  custodian_id text COLLATE "C",
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('account', 'depository', 'instrument')),
  scheme text COLLATE "C" NOT NULL
    CHECK (scheme IN ('number', 'isin', 'cusip', 'sedol', 'ticker', 'custodian-code', 'name')),
  value text COLLATE "C" NOT NULL,
  -- In capitals and without spaces.
  folded_value text COLLATE "C" NOT NULL,
  currency text COLLATE "C",
  mic text COLLATE "C",
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  instrument_id text COLLATE "C",
  source text COLLATE "C" NOT NULL CHECK (source IN ('learned', 'manual')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  CHECK ((account_id IS NOT NULL) = (kind = 'account')),
  CHECK ((depository_id IS NOT NULL) = (kind = 'depository')),
  CHECK ((instrument_id IS NOT NULL) = (kind = 'instrument')),
  CHECK (client_id IS NOT NULL OR kind = 'instrument'),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, custodian_id)
    REFERENCES custodian (workspace_id, environment, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, account_id)
    REFERENCES account (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, depository_id)
    REFERENCES depository (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, instrument_id)
    REFERENCES instrument (workspace_id, environment, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX identifier_mapping_by_value ON identifier_mapping (workspace_id, environment, folded_value, kind, scheme,
  coalesce(client_id, ''), coalesce(custodian_id, ''), coalesce(currency, ''), coalesce(mic, ''));
CREATE INDEX identifier_mapping_by_client ON identifier_mapping (workspace_id, environment, client_id, id);
CREATE INDEX identifier_mapping_by_custodian ON identifier_mapping (workspace_id, environment, custodian_id, id);
CREATE INDEX identifier_mapping_by_account ON identifier_mapping (workspace_id, environment, account_id)
  WHERE account_id IS NOT NULL;
CREATE INDEX identifier_mapping_by_depository ON identifier_mapping (workspace_id, environment, depository_id)
  WHERE depository_id IS NOT NULL;
CREATE INDEX identifier_mapping_by_instrument ON identifier_mapping (workspace_id, environment, instrument_id)
  WHERE instrument_id IS NOT NULL;
CREATE INDEX identifier_mapping_by_kind ON identifier_mapping (workspace_id, environment, kind, id);
CREATE INDEX identifier_mapping_by_scheme ON identifier_mapping (workspace_id, environment, scheme, id);
CREATE INDEX identifier_mapping_by_text ON identifier_mapping (workspace_id, environment, value, id);
CREATE INDEX identifier_mapping_by_source ON identifier_mapping (workspace_id, environment, source, id);

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
-- Ways to the latest statement of each place.
CREATE INDEX stated_holding_by_day ON stated_holding (workspace_id, environment, client_id, place, kind, date)
  WHERE known_until IS NULL;

-- One row for each thing that has ever differed at a place: rounds open, refresh, close and reopen it. `aspect` tells a difference of units
-- from one of their price. Accepted by a person, it stays accepted until it becomes another difference or goes away.
CREATE TABLE reconciliation_break (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  place text COLLATE "C" NOT NULL GENERATED ALWAYS AS (coalesce(account_id, '') || '/' || coalesce(depository_id, '')) STORED,
  aspect text COLLATE "C" NOT NULL CHECK (aspect IN ('units', 'cash', 'price')),
  subject text COLLATE "C" NOT NULL,
  instrument_id text COLLATE "C",
  named jsonb,
  currency text COLLATE "C",
  class text COLLATE "C" NOT NULL
    CHECK (class IN ('missing-trade', 'quantity', 'price', 'cash', 'unknown-instrument', 'timing')),
  state text COLLATE "C" NOT NULL CHECK (state IN ('open', 'accepted', 'closed')),
  date date NOT NULL,
  first_date date NOT NULL,
  stated numeric(38, 18) NOT NULL,
  ledger numeric(38, 18),
  difference numeric(38, 18) NOT NULL,
  transaction_ids text[] COLLATE "C" NOT NULL,
  first_seen_at timestamptz NOT NULL,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  note text,
  accepted_by text COLLATE "C",
  accepted_at timestamptz,
  round_id text COLLATE "C",
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, client_id, place, aspect, subject),
  CHECK (coalesce(account_id, depository_id) IS NOT NULL),
  CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
  CHECK ((state = 'accepted') <= (accepted_at IS NOT NULL)),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, account_id)
    REFERENCES account (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, depository_id)
    REFERENCES depository (workspace_id, environment, client_id, id) ON DELETE CASCADE
);
-- Lists, and what goes with an account or a depository.
CREATE INDEX reconciliation_break_of_client ON reconciliation_break (workspace_id, environment, client_id, id);
CREATE INDEX reconciliation_break_of_account ON reconciliation_break (workspace_id, environment, account_id, id);
CREATE INDEX reconciliation_break_of_depository ON reconciliation_break (workspace_id, environment, depository_id, id);
CREATE INDEX reconciliation_break_by_state ON reconciliation_break (workspace_id, environment, state, id);
CREATE INDEX reconciliation_break_by_class ON reconciliation_break (workspace_id, environment, class, id);
CREATE INDEX reconciliation_break_by_date ON reconciliation_break (workspace_id, environment, date, id);
CREATE INDEX reconciliation_break_of_instrument ON reconciliation_break (workspace_id, environment, instrument_id, id)
  WHERE instrument_id IS NOT NULL;
