-- Rounds: a client's figures worked out anew after something has changed.

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

-- The last day whose coming has marked the clients.
ALTER TABLE environment ADD day_marked date;

ALTER TABLE calculation_round ENABLE ROW LEVEL SECURITY;
ALTER TABLE calculation_round FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON calculation_round TO holdfast_service USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (current_setting('holdfast.sight', true) = 'all'
    OR client_id IN (SELECT c.id FROM client c
      WHERE c.workspace_id = current_setting('holdfast.workspace', true)
        AND c.environment = current_setting('holdfast.environment', true))));

GRANT SELECT, INSERT, UPDATE ON calculation_round TO holdfast_service;
