-- Events, the addresses that they are sent to, and what became of each.

-- What happened, once and for all. An event about a transaction names its version, which is never lost; every other one has its contents
-- with it. Events stay when their client goes: they may still have to be told. Those of one piece of work have one `batch_id`.
CREATE TABLE event (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  batch_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  transaction_id text COLLATE "C",
  transaction_version bigint,
  data json,
  PRIMARY KEY (workspace_id, environment, id),
  CHECK ((transaction_id IS NULL) = (transaction_version IS NULL)),
  CHECK ((transaction_id IS NULL) = (data IS NOT NULL)),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);
CREATE INDEX event_of_client ON event (workspace_id, environment, client_id, id);

-- A lane is what is told in order: the events of one client, and those of none in the lane ''. How many pieces of work have had
-- events in it: whoever is about to commit one raises the number, and nobody passes until that is done.
CREATE TABLE event_lane (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  lane text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  number bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, lane),
  CHECK (lane = coalesce(client_id, '')),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

-- Pieces of work whose events have not been handed out to webhooks yet: those of a batch from the first id to the last.
CREATE TABLE outbox (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  lane text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  client_id text COLLATE "C",
  batch_id text COLLATE "C" NOT NULL,
  first_id text COLLATE "C" NOT NULL,
  last_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, environment, lane, number),
  CHECK (lane = coalesce(client_id, '')),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

-- An address that events are sent to. With a client: those of it and of the clients below it.
CREATE TABLE webhook (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  url text NOT NULL,
  events text[] COLLATE "C" NOT NULL CHECK (cardinality(events) > 0),
  scheme text COLLATE "C" NOT NULL CHECK (scheme IN ('hmac', 'standard')),
  secret_sealed bytea,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  state text COLLATE "C" NOT NULL CHECK (state IN ('enabled', 'disabled')),
  disabled_reason text COLLATE "C" CHECK (disabled_reason IN ('asked', 'gone')),
  disabled_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  CHECK ((scheme = 'hmac') = (secret_sealed IS NOT NULL)),
  CHECK ((previous_secret_sealed IS NULL) = (previous_secret_until IS NULL)),
  CHECK ((state = 'disabled') = (disabled_reason IS NOT NULL AND disabled_at IS NOT NULL)),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id)
);
CREATE INDEX webhook_of_client ON webhook (workspace_id, environment, client_id, id);

-- An event on its way to a webhook, whose client it carries. `lane` is the event's, or one of its own where it is sent out of order:
-- a test, a replay.
CREATE TABLE delivery (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  lane text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
  attempt_count int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  first_attempt_at timestamptz,
  next_attempt_at timestamptz,
  ended_at timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, webhook_id, event_id),
  CHECK ((state = 'pending') = (ended_at IS NULL)),
  FOREIGN KEY (workspace_id, environment, webhook_id) REFERENCES webhook (workspace_id, environment, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, event_id) REFERENCES event (workspace_id, environment, id)
);
-- The queue of a lane, in its order.
CREATE INDEX delivery_pending ON delivery (workspace_id, environment, webhook_id, lane, number, event_id)
  WHERE state = 'pending';
CREATE INDEX delivery_dead ON delivery (workspace_id, environment, webhook_id, ended_at) WHERE state = 'dead';
-- Lists.
CREATE INDEX delivery_of_webhook ON delivery (workspace_id, environment, webhook_id, id);

-- A lane of a webhook that has something to deliver. It is `holder`'s until `due_at`; without one that is when the next attempt is due.
-- `queued` is raised with everything that is put into it, so that nobody takes it for empty that has just got something.
CREATE TABLE webhook_lane (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  lane text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  queued bigint NOT NULL DEFAULT 1,
  due_at timestamptz NOT NULL,
  holder text COLLATE "C",
  PRIMARY KEY (workspace_id, environment, webhook_id, lane),
  FOREIGN KEY (workspace_id, environment, webhook_id) REFERENCES webhook (workspace_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX webhook_lane_due ON webhook_lane (workspace_id, environment, due_at);

-- What a receiver made of a delivery: the status of its answer and how that began, or why there was none.
CREATE TABLE delivery_attempt (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  delivery_id text COLLATE "C" NOT NULL,
  number int NOT NULL,
  client_id text COLLATE "C",
  at timestamptz NOT NULL,
  status int,
  error text COLLATE "C",
  duration_ms int NOT NULL,
  answer text,
  PRIMARY KEY (workspace_id, environment, delivery_id, number),
  CHECK ((status IS NULL) = (error IS NOT NULL)),
  FOREIGN KEY (workspace_id, environment, delivery_id) REFERENCES delivery (workspace_id, environment, id) ON DELETE CASCADE
);

-- Whether a limit was broken before it could not be evaluated.
CREATE INDEX limit_state_of_limit ON limit_state (workspace_id, environment, limit_id, reporting_entity_id, since);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['event', 'event_lane', 'outbox', 'webhook', 'delivery', 'webhook_lane', 'delivery_attempt'] LOOP
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

-- What has happened is neither changed nor removed, and neither is what was answered.
GRANT SELECT, INSERT ON event, delivery_attempt TO holdfast_service;
GRANT SELECT, INSERT, UPDATE ON event_lane, delivery TO holdfast_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON outbox, webhook, webhook_lane TO holdfast_service;
