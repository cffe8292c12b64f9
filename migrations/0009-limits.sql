-- Limits of the investment policy, and the states they were in.

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
CREATE INDEX limit_rule_by_kind ON limit_rule (workspace_id, environment, kind, id);

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
-- Whether a limit was broken before it could not be evaluated.
CREATE INDEX limit_state_of_limit ON limit_state (workspace_id, environment, limit_id, reporting_entity_id, since);
CREATE INDEX limit_state_breach_by_standing ON limit_state (workspace_id, environment, standing, id) WHERE state = 'breached';
CREATE INDEX limit_state_breach_of_entity ON limit_state (workspace_id, environment, reporting_entity_id, id) WHERE state = 'breached';
CREATE INDEX limit_state_ended ON limit_state (workspace_id, environment, until) WHERE until IS NOT NULL;
