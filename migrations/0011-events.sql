-- Events, the webhooks that receive them, and every delivery.

-- What happened, once and for all. An event about a transaction names its version, which is never lost; every other one has its contents
-- with it. Events stay when their client goes: they may still have to be told. Those of one piece of work have one `batch_id`.
-- No foreign keys: the entry in the outbox that is committed with every batch of events has one, and is one row.
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
  CHECK ((transaction_id IS NULL) = (data IS NOT NULL))
);
CREATE INDEX event_of_client ON event (workspace_id, client_id, id);
CREATE INDEX event_by_type ON event (workspace_id, environment, type, id);

-- A order_key is what is told in order: the events of one client, and those of none in the order_key ''. How many pieces of work have had
-- events in it: whoever is about to commit one raises the number, and nobody passes until that is done.
CREATE TABLE event_order (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  order_key text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  number bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, order_key),
  CHECK (order_key = coalesce(client_id, '')),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

-- Pieces of work whose events have not been handed out to webhooks yet: those of a batch from the first id to the last.
CREATE TABLE outbox (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  order_key text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  client_id text COLLATE "C",
  batch_id text COLLATE "C" NOT NULL,
  first_id text COLLATE "C" NOT NULL,
  last_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, environment, order_key, number),
  CHECK (order_key = coalesce(client_id, '')),
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
CREATE INDEX webhook_of_client ON webhook (workspace_id, client_id, id);
CREATE INDEX webhook_by_state ON webhook (workspace_id, environment, state, id);

-- One is active: the one that was never retired. The most recently retired one is still trusted, and signs beside it for a
-- while; after that its private part is forgotten. Those before it are gone.
CREATE TABLE webhook_key (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  public_jwk jsonb NOT NULL,
  private_sealed bytea,
  created_at timestamptz NOT NULL,
  retired_at timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  CHECK (retired_at IS NOT NULL OR private_sealed IS NOT NULL),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);
CREATE UNIQUE INDEX webhook_key_active ON webhook_key (workspace_id, environment) WHERE retired_at IS NULL;

-- A order_key of a webhook that has something to deliver. It is `holder`'s until `due_at`; without one that is when the next attempt is due.
-- `queued` is raised with everything that is put into it, so that nobody takes it for empty that has just got something.
CREATE TABLE delivery_queue (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  order_key text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  queued bigint NOT NULL DEFAULT 1,
  due_at timestamptz NOT NULL,
  holder text COLLATE "C",
  PRIMARY KEY (workspace_id, environment, webhook_id, order_key),
  FOREIGN KEY (workspace_id, environment, webhook_id) REFERENCES webhook (workspace_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX delivery_queue_due ON delivery_queue (workspace_id, due_at);

-- An event on its way to a webhook, whose client it carries. `order_key` is the event's, or one of its own where it is sent out of order:
-- a test, a replay.
CREATE TABLE delivery (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  order_key text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
  attempt_count int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  first_attempt_at timestamptz,
  next_attempt_at timestamptz,
  ended_at timestamptz,
  -- The 24 hours of a delivery count from when it was ready for its webhook: when it was queued, or when it was queued again.
  replayed_at timestamptz,
  -- The attempt that delivered is a part of its delivery: most deliveries have no other, and a row of its own with its keys would cost
  -- as much again. Failed attempts have rows of their own.
  attempt_at timestamptz,
  attempt_status int,
  attempt_ms int,
  attempt_answer text,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, event_id, webhook_id),
  CHECK ((state = 'pending') = (ended_at IS NULL)),
  FOREIGN KEY (workspace_id, environment, webhook_id) REFERENCES webhook (workspace_id, environment, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, event_id) REFERENCES event (workspace_id, environment, id),
  CHECK (attempt_at IS NULL OR (state = 'delivered' AND attempt_status IS NOT NULL AND attempt_ms IS NOT NULL))
);
CREATE INDEX delivery_pending ON delivery (workspace_id, webhook_id, order_key, number, event_id) WHERE state = 'pending';
CREATE INDEX delivery_dead ON delivery (workspace_id, webhook_id, ended_at) WHERE state = 'dead';
CREATE INDEX delivery_of_webhook ON delivery (workspace_id, webhook_id, id);
CREATE INDEX delivery_by_state ON delivery (workspace_id, webhook_id, state, id);

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
