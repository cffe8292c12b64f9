-- Packed copies of the ledgers of large accounts, each as of a version of its account. A node that does not have such a ledger in memory
-- reads the copy and the changes since, not every row. Nothing depends on them: a missing copy, or one of another format, is as good as
-- none. A migration that changes rows of the table transaction deletes all copies.
CREATE TABLE ledger_copy (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  format int NOT NULL,
  -- How many rows of the account are in it, without those of other accounts that move it: `verify` counts them again.
  row_count int NOT NULL,
  packed bytea NOT NULL,
  PRIMARY KEY (workspace_id, environment, account_id),
  FOREIGN KEY (workspace_id, environment, client_id, account_id)
    REFERENCES account (workspace_id, environment, client_id, id) ON DELETE CASCADE
);
-- It is compressed already.
ALTER TABLE ledger_copy ALTER COLUMN packed SET STORAGE EXTERNAL;

ALTER TABLE ledger_copy ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_copy FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON ledger_copy TO holdfast_service
  USING (workspace_id = current_setting('holdfast.workspace', true) AND environment = current_setting('holdfast.environment', true)
    AND is_visible(client_id));
GRANT SELECT, INSERT, UPDATE ON ledger_copy TO holdfast_service;
