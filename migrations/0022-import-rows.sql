-- Rows of imports and what statements have said cost as little as the ledger's own rows: a foreign key looks its record up for every row of a file.
-- Whoever writes them has locked or created that record, and whoever deletes it deletes them. What a node of the release before leaves behind
-- names a record that no longer exists, and is never found.

ALTER TABLE import_row DROP CONSTRAINT import_row_workspace_id_environment_import_id_fkey;
ALTER TABLE stated_entry DROP CONSTRAINT stated_entry_workspace_id_environment_client_id_account_id_fkey;
