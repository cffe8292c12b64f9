-- outside a transaction: the index of a table that grows is built while others write

-- Contents come in no order, so that every row of a file touches another page of their index. Ids of accounts are unique across tenants: without the
-- tenant before them, there are fewer pages, and keys are compared faster. Nodes of the release before use it as well.
DROP INDEX CONCURRENTLY IF EXISTS stated_entry_of_account;
CREATE INDEX CONCURRENTLY stated_entry_of_account ON stated_entry (account_id, content, date) WHERE content IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS stated_entry_by_content;
