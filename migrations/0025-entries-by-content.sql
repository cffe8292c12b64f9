-- outside a transaction: an index over very many entries is built while statements are imported
--
-- What statements have said, by content: what tells entries apart comes first. A new entry is compared with some twenty others on the way to
-- its place, column by column, until one differs. Ids of accounts are unique across tenants, so the tenant is not needed. Nodes of the
-- release before find entries by content without an index until the upgrade ends: their imports take longer, and are right.

DROP INDEX CONCURRENTLY IF EXISTS stated_entry_of_content;
CREATE INDEX CONCURRENTLY stated_entry_of_content ON stated_entry (content, account_id, date) WHERE content IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS stated_entry_by_content;
