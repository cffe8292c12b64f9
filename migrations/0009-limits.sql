-- Investment limits, and what was found of each at the reporting entities that it is for.

-- A proportional limit has bounds that are fractions of the whole, an absolute one has amounts in the reference currency. Without a
-- reporting entity it is for every one of the client.
CREATE TABLE limit_rule (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  reporting_entity_id text COLLATE "C",
  name text NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('proportional', 'absolute')),
  min_pct numeric(38, 18),
  max_pct numeric(38, 18),
  min_amount numeric(38, 18),
  max_amount numeric(38, 18),
  filter jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, client_id, id),
  CHECK (kind = 'proportional' OR (min_pct IS NULL AND max_pct IS NULL)),
  CHECK (kind = 'absolute' OR (min_amount IS NULL AND max_amount IS NULL)),
  CHECK (coalesce(min_pct, max_pct, min_amount, max_amount) IS NOT NULL),
  CHECK (min_pct <= max_pct),
  CHECK (min_amount <= max_amount),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, client_id, reporting_entity_id)
    REFERENCES reporting_entity (workspace_id, environment, client_id, id)
);
CREATE INDEX limit_rule_by_reporting_entity ON limit_rule (workspace_id, environment, reporting_entity_id, id)
  WHERE reporting_entity_id IS NOT NULL;

-- What was found of a limit at a reporting entity, from when until when: a row for each change of the state, and none where nothing
-- changed. The value is the one that was found first, the bound the one that was broken or, else, the nearer one. Rows stay when
-- the limit or the reporting entity goes: `current_environment`, the environment until then, ties them to both while they last.
CREATE TABLE limit_state (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  limit_id text COLLATE "C" NOT NULL,
  reporting_entity_id text COLLATE "C" NOT NULL,
  round_id text COLLATE "C",
  kind text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('compliant', 'breached', 'not_evaluable')),
  reason text COLLATE "C",
  current_value numeric(38, 18),
  bound text COLLATE "C" CHECK (bound IN ('min', 'max')),
  bound_value numeric(38, 18),
  since timestamptz NOT NULL,
  until timestamptz,
  current_environment text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN until IS NULL THEN environment END) STORED,
  standing text COLLATE "C" NOT NULL GENERATED ALWAYS AS (CASE WHEN until IS NULL THEN 'open' ELSE 'closed' END) STORED,
  PRIMARY KEY (workspace_id, environment, id),
  CHECK ((state = 'not_evaluable') = (reason IS NOT NULL)),
  CHECK ((state = 'not_evaluable') = (current_value IS NULL)),
  CHECK (until > since),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, current_environment, client_id, limit_id)
    REFERENCES limit_rule (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, current_environment, client_id, reporting_entity_id)
    REFERENCES reporting_entity (workspace_id, environment, client_id, id)
);
-- One state lasts.
CREATE UNIQUE INDEX limit_state_open ON limit_state (workspace_id, current_environment, limit_id, reporting_entity_id)
  WHERE current_environment IS NOT NULL;
CREATE INDEX limit_state_open_of_entity ON limit_state (workspace_id, current_environment, reporting_entity_id)
  WHERE current_environment IS NOT NULL;
CREATE INDEX limit_state_open_of_client ON limit_state (workspace_id, current_environment, client_id)
  WHERE current_environment IS NOT NULL;
-- Lists of breaches.
CREATE INDEX limit_state_breach ON limit_state (workspace_id, environment, id) WHERE state = 'breached';
CREATE INDEX limit_state_breach_of_client ON limit_state (workspace_id, environment, client_id, id)
  WHERE state = 'breached';
CREATE INDEX limit_state_breach_of_limit ON limit_state (workspace_id, environment, limit_id, id)
  WHERE state = 'breached';

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['limit_rule', 'limit_state'] LOOP
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

-- States are closed: they are never deleted, and nothing else of them is ever changed.
GRANT SELECT, INSERT, UPDATE, DELETE ON limit_rule TO holdfast_service;
GRANT SELECT, INSERT, UPDATE (until) ON limit_state TO holdfast_service;
