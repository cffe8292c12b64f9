-- outside a transaction: indexes over very many rows are built while statements are imported
--
-- The rows of an import with one outcome, or to which undoing did one thing, are found without reading the others: also those that were
-- booked, of which a file that comes again may have three among a million. Ids of imports are unique across tenants. Nodes of the
-- release before ask for the same columns.

DROP INDEX CONCURRENTLY IF EXISTS import_row_of_outcome;
CREATE INDEX CONCURRENTLY import_row_of_outcome ON import_row (import_id, outcome, number);
DROP INDEX CONCURRENTLY IF EXISTS import_row_by_outcome;
DROP INDEX CONCURRENTLY IF EXISTS import_row_of_undo;
CREATE INDEX CONCURRENTLY import_row_of_undo ON import_row (import_id, undo, number) WHERE undo IS NOT NULL;
