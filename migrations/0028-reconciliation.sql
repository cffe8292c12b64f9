-- Reconciliation: the breaks between what custodians state and what the ledger holds, and how much difference a client tolerates.

-- Null members take the defaults of the declaration, and so do states of a client from before it (thing_version).
ALTER TABLE client ADD COLUMN reconciliation jsonb NOT NULL DEFAULT '{}';

-- Ways to the latest statement of each place.
CREATE INDEX stated_holding_by_day ON stated_holding (workspace_id, environment, client_id, place, kind, date)
  WHERE known_until IS NULL;

-- One row for each thing that has ever differed at a place: rounds open, refresh, close and reopen it. `aspect` tells a difference of units
-- from one of their price. Accepted by a person, it stays accepted until it becomes another difference or goes away.
CREATE TABLE reconciliation_break (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  place text COLLATE "C" NOT NULL GENERATED ALWAYS AS (coalesce(account_id, '') || '/' || coalesce(depository_id, '')) STORED,
  aspect text COLLATE "C" NOT NULL CHECK (aspect IN ('units', 'cash', 'price')),
  subject text COLLATE "C" NOT NULL,
  instrument_id text COLLATE "C",
  named jsonb,
  currency text COLLATE "C",
  class text COLLATE "C" NOT NULL
    CHECK (class IN ('missing-trade', 'quantity', 'price', 'cash', 'unknown-instrument', 'timing')),
  state text COLLATE "C" NOT NULL CHECK (state IN ('open', 'accepted', 'closed')),
  date date NOT NULL,
  first_date date NOT NULL,
  stated numeric(38, 18) NOT NULL,
  ledger numeric(38, 18),
  difference numeric(38, 18) NOT NULL,
  transaction_ids text[] COLLATE "C" NOT NULL,
  first_seen_at timestamptz NOT NULL,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  note text,
  accepted_by text COLLATE "C",
  accepted_at timestamptz,
  round_id text COLLATE "C",
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, client_id, place, aspect, subject),
  CHECK (coalesce(account_id, depository_id) IS NOT NULL),
  CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
  CHECK ((state = 'accepted') <= (accepted_at IS NOT NULL)),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, account_id)
    REFERENCES account (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, depository_id)
    REFERENCES depository (workspace_id, environment, client_id, id) ON DELETE CASCADE
);
-- Lists, and what goes with an account or a depository.
CREATE INDEX reconciliation_break_of_client ON reconciliation_break (workspace_id, environment, client_id, id);
CREATE INDEX reconciliation_break_of_account ON reconciliation_break (workspace_id, environment, account_id, id);
CREATE INDEX reconciliation_break_of_depository ON reconciliation_break (workspace_id, environment, depository_id, id);
CREATE INDEX reconciliation_break_by_state ON reconciliation_break (workspace_id, environment, state, id);

ALTER TABLE reconciliation_break ENABLE ROW LEVEL SECURITY;
ALTER TABLE reconciliation_break FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON reconciliation_break TO holdfast_service USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (current_setting('holdfast.sight', true) = 'all'
    OR client_id IN (SELECT c.id FROM client c
      WHERE c.workspace_id = current_setting('holdfast.workspace', true)
        AND c.environment = current_setting('holdfast.environment', true))));

GRANT SELECT, INSERT, UPDATE, DELETE ON reconciliation_break TO holdfast_service;
