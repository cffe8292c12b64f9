-- What can be held: instruments of eleven types in one table, the tree of their classes, and the words they are found by.
--
-- An instrument without a client is of the catalogue that all clients of a workspace share: everybody sees it, and only who
-- sees all clients changes it. With a client it is private to one of the client's reporting entities. Whoever refers to an
-- instrument refers to (workspace_id, environment, id); that a private one is only referred to by its own client is held by
-- the actions, since a key cannot say "mine or nobody's".

-- When the classes that a new environment begins with were put there: once, so that what was deleted stays so.
ALTER TABLE environment ADD taxonomy_at timestamptz;

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
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment, parent_id) REFERENCES instrument_class (workspace_id, environment, id)
);
-- No two classes below one parent, and no two roots, are called the same.
CREATE UNIQUE INDEX instrument_class_by_name
  ON instrument_class (workspace_id, environment, coalesce(parent_id, ''), name);

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
CREATE INDEX instrument_by_client ON instrument (workspace_id, environment, client_id, id)
  WHERE client_id IS NOT NULL;
CREATE INDEX instrument_by_type ON instrument (workspace_id, environment, type, id);
CREATE INDEX instrument_by_ccy_code ON instrument (workspace_id, environment, ccy_code, id);
CREATE INDEX instrument_by_name ON instrument (workspace_id, environment, name, id);
CREATE INDEX instrument_by_external_identifier ON instrument (workspace_id, environment, external_identifier, id);
CREATE INDEX instrument_by_isin ON instrument (workspace_id, environment, isin, id) WHERE isin IS NOT NULL;
CREATE INDEX instrument_by_ticker ON instrument (workspace_id, environment, ticker, id) WHERE ticker IS NOT NULL;

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

ALTER TABLE instrument_class ENABLE ROW LEVEL SECURITY;
ALTER TABLE instrument_class FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON instrument_class TO holdfast_service
  USING (
    workspace_id = current_setting('holdfast.workspace', true)
    AND environment = current_setting('holdfast.environment', true)
  );

-- Rows of a client, or of nobody and then of all. They can be referred to by whoever sees them, and holding a row takes the
-- right to change it; so who may change them is decided by what they would be afterwards.
DO $$
DECLARE
  name text;
  here text := 'workspace_id = current_setting(''holdfast.workspace'', true)
    AND environment = current_setting(''holdfast.environment'', true)';
  own text := 'current_setting(''holdfast.sight'', true) = ''all''
    OR client_id IN (SELECT c.id FROM client c
      WHERE c.workspace_id = current_setting(''holdfast.workspace'', true)
        AND c.environment = current_setting(''holdfast.environment'', true))';
BEGIN
  FOREACH name IN ARRAY ARRAY['instrument', 'instrument_word'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY seen ON %I FOR SELECT TO holdfast_service USING (%s AND (client_id IS NULL OR %s))',
      name, here, own);
    EXECUTE format('CREATE POLICY made ON %I FOR INSERT TO holdfast_service WITH CHECK (%s AND (%s))',
      name, here, own);
    EXECUTE format('CREATE POLICY changed ON %I FOR UPDATE TO holdfast_service USING (%s AND (client_id IS NULL OR %s))
      WITH CHECK (%s AND (%s))', name, here, own, here, own);
    EXECUTE format('CREATE POLICY deleted ON %I FOR DELETE TO holdfast_service USING (%s AND (%s))', name, here, own);
  END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON instrument_class, instrument, instrument_word TO holdfast_service;
