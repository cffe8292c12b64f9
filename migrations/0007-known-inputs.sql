-- What reports need besides the ledger: how far series and rates have come, all that was ever known of instruments, classes and
-- structure, and the marks that shared changes leave.

-- How far the series of an instrument have come. Whoever writes a point raises the number and holds it until the end of the
-- transaction: a reader who has seen a number has seen all that was written before it. Points hang below this row and not below
-- the instrument, so that what was known of them stays when the instrument goes: `known_until` says when that was, and
-- `current_environment`, the environment until then, ties the row to the instrument while there is one.
CREATE TABLE series_ledger (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  instrument_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  version bigint NOT NULL,
  known_until timestamptz,
  current_environment text COLLATE "C"
    GENERATED ALWAYS AS (CASE WHEN known_until IS NULL THEN environment END) STORED,
  PRIMARY KEY (workspace_id, environment, instrument_id),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, current_environment, instrument_id) REFERENCES instrument (workspace_id, environment, id)
);

-- How far the rates of an environment have come.
CREATE TABLE rate_ledger (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

-- A row of `table_name` as it was known from `known_from` until `known_until`, null while it is: its columns as JSON, without those
-- that are null and those that may have to be forgotten. `version` counts the states of one thing.
CREATE TABLE thing_version (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  table_name text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  version bigint NOT NULL,
  known_from timestamptz NOT NULL,
  known_until timestamptz,
  state jsonb NOT NULL,
  PRIMARY KEY (workspace_id, environment, table_name, id, known_from),
  CHECK (known_until > known_from),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);
-- One state is known of each. The numbers of very many are read from the index alone.
CREATE UNIQUE INDEX thing_version_known ON thing_version (workspace_id, environment, table_name, id) INCLUDE (version)
  WHERE known_until IS NULL;
-- All things of a client as they were known at a moment.
CREATE INDEX thing_version_by_client ON thing_version (workspace_id, environment, client_id, table_name, id, known_from);

-- The same of links: a row for each time that two things of a client were joined. `link` is the table of the link, `one_id` and
-- `other_id` its two ends in the order of its columns.
CREATE TABLE link_version (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  link text COLLATE "C" NOT NULL,
  one_id text COLLATE "C" NOT NULL,
  other_id text COLLATE "C" NOT NULL,
  known_from timestamptz NOT NULL,
  known_until timestamptz,
  PRIMARY KEY (workspace_id, environment, link, one_id, other_id, known_from),
  CHECK (known_until > known_from),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);
CREATE UNIQUE INDEX link_version_known ON link_version (workspace_id, environment, link, one_id, other_id)
  WHERE known_until IS NULL;
CREATE INDEX link_version_known_from_other ON link_version (workspace_id, environment, link, other_id)
  WHERE known_until IS NULL;
CREATE INDEX link_version_by_client ON link_version (workspace_id, environment, client_id, link, one_id, known_from);

-- That the figures of several clients are to be worked out anew: of those that hold the instrument `concerns`, or of all clients.
-- Whoever makes rounds turns these into marks of clients; to mark thousands of them within every write would make all
-- their bookings wait for it.
CREATE TABLE shared_round_mark (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  concerns text COLLATE "C" NOT NULL,
  cause text COLLATE "C" NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, concerns, cause),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

-- Who holds an instrument: one step from holder to holder, however many rows each has.
CREATE INDEX transaction_by_holder ON transaction (workspace_id, current_environment, instrument_id, client_id)
  WHERE current_environment IS NOT NULL AND instrument_id IS NOT NULL;
DROP INDEX transaction_by_target_instrument;
CREATE INDEX transaction_by_target_instrument
  ON transaction (workspace_id, current_environment, target_instrument_id, client_id)
  WHERE target_instrument_id IS NOT NULL;
DROP INDEX historical_holding_keeping_instrument;
CREATE INDEX historical_holding_keeping_instrument
  ON historical_holding (workspace_id, current_environment, instrument_id, client_id)
  WHERE current_environment IS NOT NULL AND instrument_id IS NOT NULL;

-- What was known at a moment: what is known now, and what has ended since.
CREATE INDEX transaction_past ON transaction (workspace_id, environment, known_until) WHERE known_until IS NOT NULL;
CREATE INDEX historical_holding_past ON historical_holding (workspace_id, environment, known_until)
  WHERE known_until IS NOT NULL;

-- What there is so far. The owner of the tables is held back by row-level security like everybody else.
DO $$
DECLARE
  name text;
  read_here text[] := ARRAY['series_point', 'fx_rate', 'client', 'account', 'depository', 'reporting_entity', 'portfolio',
    'instrument_class', 'instrument', 'account_depository', 'portfolio_account', 'portfolio_depository'];
  links text[][] := ARRAY[['account_depository', 'account', 'depository'], ['portfolio_account', 'portfolio', 'account'],
    ['portfolio_depository', 'portfolio', 'depository']];
  link text[];
  hidden text;
BEGIN
  FOREACH name IN ARRAY read_here LOOP
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  END LOOP;
  INSERT INTO series_ledger (workspace_id, environment, instrument_id, client_id, version)
    SELECT workspace_id, environment, instrument_id, max(client_id), 1 FROM series_point GROUP BY 1, 2, 3;
  INSERT INTO rate_ledger SELECT workspace_id, environment, 1 FROM fx_rate GROUP BY 1, 2;
  FOREACH name IN ARRAY ARRAY['client', 'account', 'depository', 'reporting_entity', 'portfolio', 'instrument_class', 'instrument'] LOOP
    hidden := CASE name WHEN 'client' THEN '{workspace_id,environment,name,parent_id,path}'
      WHEN 'instrument_class' THEN '{workspace_id,environment,path,lineage}'
      WHEN 'instrument' THEN '{workspace_id,environment}'
      ELSE '{workspace_id,environment,name,external_identifier}' END;
    EXECUTE format('INSERT INTO thing_version (workspace_id, environment, table_name, id, client_id, version, known_from, state)
      SELECT t.workspace_id, t.environment, %1$L, t.id, %2$s, 1, t.created_at, (SELECT jsonb_object_agg(key, value)
        FROM jsonb_each(to_jsonb(t) - %3$L::text[]) WHERE value <> ''null'') FROM %1$I t', name,
      CASE name WHEN 'client' THEN 't.id' WHEN 'instrument_class' THEN 'NULL' ELSE 't.client_id' END, hidden);
  END LOOP;
  FOREACH link SLICE 1 IN ARRAY links LOOP
    EXECUTE format('INSERT INTO link_version (workspace_id, environment, client_id, link, one_id, other_id, known_from)
      SELECT l.workspace_id, l.environment, l.client_id, %1$L, o.id, p.id, greatest(o.created_at, p.created_at) FROM %1$I l
      JOIN %2$I o ON o.workspace_id = l.workspace_id AND o.environment = l.environment AND o.id = l.%3$I
      JOIN %4$I p ON p.workspace_id = l.workspace_id AND p.environment = l.environment AND p.id = l.%5$I',
      link[1], link[2], link[2] || '_id', link[3], link[3] || '_id');
  END LOOP;
  ALTER TABLE series_point DROP CONSTRAINT series_point_workspace_id_environment_instrument_id_fkey;
  ALTER TABLE series_point ADD FOREIGN KEY (workspace_id, environment, instrument_id)
    REFERENCES series_ledger (workspace_id, environment, instrument_id);
  FOREACH name IN ARRAY read_here LOOP
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END $$;

-- Of a client, or of nobody and then of all: seen by whoever sees the client, and changed by who sees all clients where it is
-- nobody's.
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
  FOREACH name IN ARRAY ARRAY['series_ledger', 'thing_version', 'link_version', 'rate_ledger', 'shared_round_mark'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['series_ledger', 'thing_version'] LOOP
    EXECUTE format('CREATE POLICY seen ON %I FOR SELECT TO holdfast_service USING (%s AND (client_id IS NULL OR %s))',
      name, here, own);
    EXECUTE format('CREATE POLICY made ON %I FOR INSERT TO holdfast_service WITH CHECK (%s AND (%s))', name, here, own);
    EXECUTE format('CREATE POLICY changed ON %I FOR UPDATE TO holdfast_service
      USING (%s AND (client_id IS NULL OR %s)) WITH CHECK (%s AND (%s))', name, here, own, here, own);
  END LOOP;
  EXECUTE format('CREATE POLICY entered ON link_version TO holdfast_service USING (%s AND (%s))', here, own);
  EXECUTE format('CREATE POLICY seen ON rate_ledger FOR SELECT TO holdfast_service USING (%s)', here);
  EXECUTE format('CREATE POLICY made ON rate_ledger FOR INSERT TO holdfast_service
    WITH CHECK (%s AND current_setting(''holdfast.sight'', true) = ''all'')', here);
  EXECUTE format('CREATE POLICY changed ON rate_ledger FOR UPDATE TO holdfast_service
    USING (%s) WITH CHECK (%s AND current_setting(''holdfast.sight'', true) = ''all'')', here, here);
  EXECUTE format('CREATE POLICY entered ON shared_round_mark TO holdfast_service
    USING (%s AND current_setting(''holdfast.sight'', true) = ''all'')', here);
END $$;

-- Versions are closed: they are never deleted, and nothing else of them is ever changed.
GRANT SELECT, INSERT, UPDATE (known_until) ON thing_version, link_version TO holdfast_service;
GRANT SELECT, INSERT, UPDATE (version, known_until) ON series_ledger TO holdfast_service;
GRANT SELECT, INSERT, UPDATE ON rate_ledger TO holdfast_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON shared_round_mark TO holdfast_service;
