-- Events, deliveries and attempts are dropped when they have been kept for as long as the settings say.

-- By the event first: what is dropped is looked for among the deliveries. Lists by webhook have an index of their own.
ALTER TABLE delivery DROP CONSTRAINT delivery_workspace_id_environment_webhook_id_event_id_key;
ALTER TABLE delivery ADD UNIQUE (workspace_id, environment, event_id, webhook_id);

-- Nothing is removed but by a transaction that says before which id, and from there on nothing at all. Attempts go with their delivery.
CREATE POLICY kept ON event AS RESTRICTIVE FOR DELETE TO holdfast_service
  USING (id < current_setting('holdfast.dropped_before', true));
CREATE POLICY kept ON delivery AS RESTRICTIVE FOR DELETE TO holdfast_service
  USING (state <> 'pending' AND id < current_setting('holdfast.dropped_before', true));

GRANT DELETE ON event, delivery TO holdfast_service;

-- The entry in the outbox that is committed with every batch of events has this key, and is one row: for each of 100,000 events of a
-- bulk body it took a third of what writing them takes.
ALTER TABLE event DROP CONSTRAINT event_workspace_id_environment_fkey;
