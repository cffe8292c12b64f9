-- outside a transaction: the indexes of a table that grows are built and dropped beside those who use it.
-- Ids of clients are unique across tenants, so that the events of one need no workspace before it, and no two entries are equal.

DROP INDEX CONCURRENTLY IF EXISTS event_by_client;
CREATE INDEX CONCURRENTLY event_by_client ON event (client_id, id) WITH (deduplicate_items = off) WHERE client_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS event_of_client;
ALTER INDEX event_by_type SET (deduplicate_items = off);
