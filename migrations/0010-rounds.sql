-- Calculation rounds: which clients are due, what was calculated, and which holdings were announced.

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

-- A round is of whoever has raised its attempts last, and until `lease_until`: whoever finds it unfinished after that may take it
-- over. Of a failed attempt the same moment says when the next one is due. What was found is there once it is finished.
CREATE TABLE calculation_round (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  causes text[] COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('running', 'finished', 'failed')),
  marked_since timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  lease_until timestamptz NOT NULL,
  attempts int NOT NULL DEFAULT 1 CHECK (attempts > 0),
  error text COLLATE "C",
  ledger_version text COLLATE "C",
  done_count int NOT NULL DEFAULT 0,
  total_count int NOT NULL DEFAULT 0,
  reporting_entity_count int NOT NULL DEFAULT 0,
  holding_count int NOT NULL DEFAULT 0,
  limit_count int NOT NULL DEFAULT 0,
  breach_count int NOT NULL DEFAULT 0,
  finding_count int NOT NULL DEFAULT 0,
  -- The webhooks for which the round announced holdings. Where none of them is left, the next round announces all holdings.
  holding_subscribers text[] COLLATE "C" NOT NULL DEFAULT '{}',
  figures_digest text COLLATE "C",
  PRIMARY KEY (workspace_id, environment, id),
  CHECK ((state = 'finished') = (finished_at IS NOT NULL)),
  CHECK ((state = 'failed') = (error IS NOT NULL)),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id) ON DELETE CASCADE
);
-- Rounds of one client never overlap.
CREATE UNIQUE INDEX calculation_round_unfinished ON calculation_round (workspace_id, environment, client_id)
  WHERE finished_at IS NULL;
-- Lists.
CREATE INDEX calculation_round_of_client ON calculation_round (workspace_id, environment, client_id, id);
CREATE INDEX calculation_round_by_start ON calculation_round (workspace_id, environment, started_at);
CREATE INDEX calculation_round_by_state ON calculation_round (workspace_id, environment, state, id);

-- A row for each holding that was announced and is still held. It is kept only while a webhook receives these events.
CREATE TABLE announced_holding (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  reporting_entity_id text COLLATE "C" NOT NULL,
  -- The id of an instrument, or the name of cash or fees in a currency, which are no records.
  instrument text COLLATE "C" NOT NULL,
  quantity numeric NOT NULL,
  market_value numeric NOT NULL,
  -- The object of the event.
  object json NOT NULL,
  PRIMARY KEY (workspace_id, environment, client_id, reporting_entity_id, instrument),
  FOREIGN KEY (workspace_id, environment, client_id, reporting_entity_id)
    REFERENCES reporting_entity (workspace_id, environment, client_id, id) ON DELETE CASCADE
);
