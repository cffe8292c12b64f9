-- No two entries of an index that ends with the event's id are equal, so a full page is not searched for equal ones before it is split. It holds
-- for pages that are written from now on, and for nodes of the release before as well.

ALTER INDEX event_of_client SET (deduplicate_items = off);
ALTER INDEX event_by_type SET (deduplicate_items = off);
