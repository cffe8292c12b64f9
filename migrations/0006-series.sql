-- Prices and other series of instruments, and exchange rates.

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
    REFERENCES series_ledger (workspace_id, environment, instrument_id),
  CHECK (known_until > known_from)
);
-- Reports read whole series of very many points. Points come day by day for all instruments, so that those of one series lie far
-- apart: with all that is read of a point in the index, a series is read from one place. The client is there for the policy.
CREATE UNIQUE INDEX series_point_known ON series_point (workspace_id, environment, instrument_id, kind, date, source)
  INCLUDE (value, client_id) WHERE known_until IS NULL;
-- What was known once, for reports as of an earlier moment, and so that an instrument takes all versions with it.
CREATE INDEX series_point_past
  ON series_point (workspace_id, environment, instrument_id, kind, date) WHERE known_until IS NOT NULL;

-- How far the rates of an environment have come.
CREATE TABLE rate_ledger (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

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
