-- outside a transaction: an index over very many deliveries is dropped while events are sent
--
-- A delivery is written twice, when it is queued and when it ends, and each time into all of its indexes. A list of all deliveries of a webhook
-- merges those of each state, so it needs no index of its own. No foreign key looks up the event of each: deliveries are made from events
-- that were just read, and an event is deleted only when it has none.

SET lock_timeout = '1s';
ALTER TABLE delivery DROP CONSTRAINT IF EXISTS delivery_workspace_id_environment_event_id_fkey;
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS delivery_of_webhook;
