-- What the events `holding.valued` have announced last: the basis for finding the holdings that have changed since.

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

ALTER TABLE announced_holding ENABLE ROW LEVEL SECURITY;
ALTER TABLE announced_holding FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON announced_holding TO holdfast_service USING (
  workspace_id = current_setting('holdfast.workspace', true)
  AND environment = current_setting('holdfast.environment', true)
  AND (current_setting('holdfast.sight', true) = 'all'
    OR client_id IN (SELECT c.id FROM client c
      WHERE c.workspace_id = current_setting('holdfast.workspace', true)
        AND c.environment = current_setting('holdfast.environment', true))));

GRANT SELECT, INSERT, UPDATE, DELETE ON announced_holding TO holdfast_service;

-- The webhooks for which the round announced holdings. Where none of them is left, the next round announces all holdings.
ALTER TABLE calculation_round ADD holding_subscribers text[] COLLATE "C" NOT NULL DEFAULT '{}';
