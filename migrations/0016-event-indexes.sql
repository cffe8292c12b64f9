-- Tables of events fill and empty all day, so that the planner knows little of them and plans for one row whichever index it takes. As
-- with links, indexes beside a primary key share the workspace alone with it: then the key is what rows are looked up by, also by
-- the checks of foreign keys, which read all of a tenant's rows for each row otherwise.

DROP INDEX event_of_client;
CREATE INDEX event_of_client ON event (workspace_id, client_id, id);

ALTER TABLE delivery DROP CONSTRAINT delivery_workspace_id_environment_event_id_webhook_id_key;
ALTER TABLE delivery ADD UNIQUE (workspace_id, event_id, webhook_id);
DROP INDEX delivery_pending;
CREATE INDEX delivery_pending ON delivery (workspace_id, webhook_id, lane, number, event_id) WHERE state = 'pending';
DROP INDEX delivery_dead;
CREATE INDEX delivery_dead ON delivery (workspace_id, webhook_id, ended_at) WHERE state = 'dead';
DROP INDEX delivery_of_webhook;
CREATE INDEX delivery_of_webhook ON delivery (workspace_id, webhook_id, id);

DROP INDEX webhook_of_client;
CREATE INDEX webhook_of_client ON webhook (workspace_id, client_id, id);
DROP INDEX webhook_lane_due;
CREATE INDEX webhook_lane_due ON webhook_lane (workspace_id, due_at);
