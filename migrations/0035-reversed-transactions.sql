-- The earlier transaction that a transaction reverses. Nodes of the release before leave it null.

ALTER TABLE transaction ADD COLUMN reverses_transaction_id text COLLATE "C";
