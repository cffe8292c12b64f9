-- Points of time series and exchange rates, with every version of each: what was known, from when until when. A row without
-- `known_until` is what is known now. A correction closes a version and opens the next under the same id, a deletion closes
-- one, and nothing is overwritten. No version is without a span of time, so that of two there is always an earlier one.
--
-- Several sources may speak of one day: manual comes before custodian, and custodian before reference.

-- Points carry the client of their instrument: null with those of the shared catalogue. They go with their instrument.
CREATE TABLE series_point (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  instrument_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  kind text COLLATE "C" NOT NULL
    CHECK (kind IN ('price', 'net-asset-value', 'interest-rate', 'index-factor')),
  date date NOT NULL,
  source text COLLATE "C" NOT NULL CHECK (source IN ('reference', 'custodian', 'manual')),
  value numeric(38, 18) NOT NULL,
  known_from timestamptz NOT NULL,
  known_until timestamptz,
  PRIMARY KEY (workspace_id, environment, id, known_from),
  FOREIGN KEY (workspace_id, environment, instrument_id)
    REFERENCES instrument (workspace_id, environment, id) ON DELETE CASCADE,
  CHECK (known_until > known_from)
);
-- One is known of each day and source. Also the way to a range of one series, and to all series of an instrument in order.
CREATE UNIQUE INDEX series_point_known
  ON series_point (workspace_id, environment, instrument_id, kind, date, source) WHERE known_until IS NULL;
-- What was known once, for reports as of an earlier moment, and so that an instrument takes all versions with it.
CREATE INDEX series_point_past
  ON series_point (workspace_id, environment, instrument_id, kind, date) WHERE known_until IS NOT NULL;

-- 1 of `base` is `rate` of `quote`. Shared by all clients of a workspace.
CREATE TABLE fx_rate (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  base text COLLATE "C" NOT NULL,
  quote text COLLATE "C" NOT NULL,
  date date NOT NULL,
  source text COLLATE "C" NOT NULL CHECK (source IN ('reference', 'custodian', 'manual')),
  rate numeric(38, 18) NOT NULL CHECK (rate > 0),
  known_from timestamptz NOT NULL,
  known_until timestamptz,
  PRIMARY KEY (workspace_id, environment, id, known_from),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  CHECK (base <> quote),
  CHECK (known_until > known_from)
);
CREATE UNIQUE INDEX fx_rate_known
  ON fx_rate (workspace_id, environment, base, quote, date, source) WHERE known_until IS NULL;
CREATE INDEX fx_rate_past ON fx_rate (workspace_id, environment, base, quote, date) WHERE known_until IS NOT NULL;

-- Whoever sees an instrument sees its points; only who sees all clients changes those of the shared catalogue, and rates.
DO $$
DECLARE
  here text := 'workspace_id = current_setting(''holdfast.workspace'', true)
    AND environment = current_setting(''holdfast.environment'', true)';
  own text := 'current_setting(''holdfast.sight'', true) = ''all''
    OR client_id IN (SELECT c.id FROM client c
      WHERE c.workspace_id = current_setting(''holdfast.workspace'', true)
        AND c.environment = current_setting(''holdfast.environment'', true))';
BEGIN
  ALTER TABLE series_point ENABLE ROW LEVEL SECURITY;
  ALTER TABLE series_point FORCE ROW LEVEL SECURITY;
  EXECUTE format('CREATE POLICY seen ON series_point FOR SELECT TO holdfast_service
    USING (%s AND (client_id IS NULL OR %s))', here, own);
  EXECUTE format('CREATE POLICY made ON series_point FOR INSERT TO holdfast_service
    WITH CHECK (%s AND (%s))', here, own);
  EXECUTE format('CREATE POLICY changed ON series_point FOR UPDATE TO holdfast_service
    USING (%s AND (client_id IS NULL OR %s)) WITH CHECK (%s AND (%s))', here, own, here, own);
  ALTER TABLE fx_rate ENABLE ROW LEVEL SECURITY;
  ALTER TABLE fx_rate FORCE ROW LEVEL SECURITY;
  EXECUTE format('CREATE POLICY seen ON fx_rate FOR SELECT TO holdfast_service USING (%s)', here);
  EXECUTE format('CREATE POLICY made ON fx_rate FOR INSERT TO holdfast_service
    WITH CHECK (%s AND current_setting(''holdfast.sight'', true) = ''all'')', here);
  EXECUTE format('CREATE POLICY changed ON fx_rate FOR UPDATE TO holdfast_service
    USING (%s) WITH CHECK (%s AND current_setting(''holdfast.sight'', true) = ''all'')', here, here);
END $$;

-- Versions are closed: they are never deleted, and nothing else of them is ever changed.
GRANT SELECT, INSERT, UPDATE (known_until) ON series_point, fx_rate TO holdfast_service;
