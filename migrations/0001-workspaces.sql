-- Workspaces, their environments, and clients with the tree that they form.
--
-- Every table begins with the workspace, and so do its keys and foreign keys, so that workspaces can be spread over machines. There are
-- no triggers. Who may read and write which rows is in the last file of this set, row-level-security.

CREATE TABLE workspace (
  workspace_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id)
);

CREATE TABLE environment (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('production', 'sandbox')),
  created_at timestamptz NOT NULL,
  -- When the classes that a new environment begins with were put there: once, so that what was deleted stays so.
  taxonomy_at timestamptz,
  -- The last day whose coming has marked the clients.
  day_marked date,
  -- A node remembers which clients are below another one. `tree_version` counts the clients that were created or moved and is noted at
  -- each of them, so that a node notices in its first statement that it has to look again, and reads only what has changed;
  -- `moved_version` is that of the last move.
  tree_version bigint NOT NULL DEFAULT 0,
  moved_version bigint NOT NULL DEFAULT 0,
  -- Up to where everything was deleted that can be. What is older and still there is needed, and makes no tenant due.
  rounds_cleared_to text COLLATE "C" NOT NULL DEFAULT '',
  limits_cleared_to timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (workspace_id, environment),
  FOREIGN KEY (workspace_id) REFERENCES workspace (workspace_id)
);

-- `path` holds the ids from the root down to the client itself: who is above it, and who sees it.
CREATE TABLE client (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
  path text[] COLLATE "C" NOT NULL,
  name text NOT NULL,
  reference_currency text COLLATE "C" NOT NULL,
  accounting_method text COLLATE "C" NOT NULL CHECK (accounting_method IN ('FIFO', 'AVERAGE', 'SPECIFIC_ID')),
  created_at timestamptz NOT NULL,
  -- By which part of itself the value of a position may change on a day without a trade, an action or a price that says so.
  value_change_bound numeric NOT NULL DEFAULT 0.5 CHECK (value_change_bound > 0),
  -- Null members take the defaults of the declaration.
  reconciliation jsonb NOT NULL DEFAULT '{}',
  -- When a gain is long-term, when a point is stale, and the days a year of a volatility. States of a client from before a setting
  -- (record_version) have none and count as having the default.
  long_term_months integer NOT NULL DEFAULT 12 CHECK (long_term_months BETWEEN 1 AND 1200),
  stale_days_listed integer NOT NULL DEFAULT 10 CHECK (stale_days_listed BETWEEN 1 AND 3650),
  stale_days_funds integer NOT NULL DEFAULT 45 CHECK (stale_days_funds BETWEEN 1 AND 3650),
  stale_days_private integer NOT NULL DEFAULT 120 CHECK (stale_days_private BETWEEN 1 AND 3650),
  volatility_days integer NOT NULL DEFAULT 252 CHECK (volatility_days BETWEEN 1 AND 366),
  -- The environment's, as of when the client was created or moved.
  tree_version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment, parent_id) REFERENCES client (workspace_id, environment, id),
  CHECK (parent_id <> id),
  CHECK (path[cardinality(path)] = id),
  CHECK (parent_id IS NOT DISTINCT FROM path[cardinality(path) - 1])
);
CREATE INDEX client_by_parent ON client (workspace_id, environment, parent_id, id);
CREATE INDEX client_by_tree_version ON client (workspace_id, environment, tree_version);
