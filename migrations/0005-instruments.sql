-- Instruments, the tree of their classes, and the words they are found by.

-- `lineage` holds the ids and `path` the names from the root down to the class itself.
CREATE TABLE instrument_class (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
  lineage text[] COLLATE "C" NOT NULL,
  name text NOT NULL,
  path text[] NOT NULL,
  asset_class text COLLATE "C" NOT NULL,
  liquidity text COLLATE "C" NOT NULL,
  allowed_transaction_types text[] COLLATE "C" NOT NULL,
  valuation_basis text COLLATE "C" NOT NULL,
  performance_measure text COLLATE "C" NOT NULL,
  staleness_days int NOT NULL,
  created_at timestamptz NOT NULL,
  -- The types of instruments that state no class and are counted in this one. A type has one default class at most.
  default_for text[] COLLATE "C" NOT NULL DEFAULT '{}',
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment, parent_id) REFERENCES instrument_class (workspace_id, environment, id)
);
-- No two classes below one parent, and no two roots, are called the same.
CREATE UNIQUE INDEX instrument_class_by_name
  ON instrument_class (workspace_id, environment, coalesce(parent_id, ''), name);
CREATE INDEX instrument_class_named ON instrument_class (workspace_id, environment, name, id);
CREATE INDEX instrument_class_by_parent ON instrument_class (workspace_id, environment, parent_id, id);

-- A column for every attribute of every type; those of other types are null. Legs and schedules are JSON whose decimals are
-- strings.
CREATE TABLE instrument (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  reporting_entity_id text COLLATE "C",
  instrument_class_id text COLLATE "C",
  name text NOT NULL,
  external_identifier text COLLATE "C",
  ccy_code text COLLATE "C",
  price_unit text COLLATE "C" NOT NULL,
  issuer_country text COLLATE "C",
  tags text[] COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  ticker text COLLATE "C",
  exchange text COLLATE "C",
  isin text COLLATE "C",
  listing_currency text COLLATE "C",
  coupon numeric(38, 18),
  maturity date,
  day_count_convention text COLLATE "C",
  coupon_frequency int,
  dated_date date,
  first_coupon_date date,
  issue_price numeric(38, 18),
  ex_dividend_days int,
  reference_rate text,
  spread numeric(38, 18),
  base_factor numeric(38, 18),
  domicile text COLLATE "C",
  principal numeric(38, 18),
  interest_rate numeric(38, 18),
  start_date date,
  category text,
  rate numeric(38, 18),
  basis numeric(38, 18),
  frequency int,
  metadata jsonb,
  near_leg jsonb,
  far_leg jsonb,
  settlement_date date,
  forward_rate numeric(38, 18),
  commitment numeric(38, 18),
  manager_name text,
  strategy text,
  vintage_year int,
  schedule jsonb,
  sedol text COLLATE "C",
  PRIMARY KEY (workspace_id, environment, id),
  CHECK ((client_id IS NULL) = (reporting_entity_id IS NULL)),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment, client_id, reporting_entity_id)
    REFERENCES reporting_entity (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, environment, instrument_class_id)
    REFERENCES instrument_class (workspace_id, environment, id)
);
CREATE INDEX instrument_by_class ON instrument (workspace_id, environment, instrument_class_id, id);
CREATE INDEX instrument_by_reporting_entity ON instrument (workspace_id, environment, reporting_entity_id, id)
  WHERE reporting_entity_id IS NOT NULL;
CREATE INDEX instrument_by_client ON instrument (workspace_id, environment, client_id, id);
CREATE INDEX instrument_by_type ON instrument (workspace_id, environment, type, id);
CREATE INDEX instrument_by_ccy_code ON instrument (workspace_id, environment, ccy_code, id);
CREATE INDEX instrument_by_name ON instrument (workspace_id, environment, name, id);
CREATE INDEX instrument_by_external_identifier ON instrument (workspace_id, environment, external_identifier, id);
CREATE INDEX instrument_by_isin ON instrument (workspace_id, environment, isin, id) WHERE isin IS NOT NULL;
CREATE INDEX instrument_by_ticker ON instrument (workspace_id, environment, ticker, id) WHERE ticker IS NOT NULL;
CREATE INDEX instrument_by_sedol ON instrument (workspace_id, environment, sedol, id) WHERE sedol IS NOT NULL;

-- What an instrument is found by: the words of its name, its ticker, its ISIN, its external identifier, and its tags, each
-- of these after a #. Words of their own rows, since row-level security keeps indexes over arrays and documents from being
-- used: their operators might leak what they see, and the comparison of texts cannot.
CREATE TABLE instrument_word (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  instrument_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  word text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, environment, word, instrument_id),
  FOREIGN KEY (workspace_id, environment, instrument_id)
    REFERENCES instrument (workspace_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX instrument_word_by_instrument ON instrument_word (workspace_id, environment, instrument_id);
