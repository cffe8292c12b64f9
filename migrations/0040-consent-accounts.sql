-- What a custodian listed for a consent, and from which of its imports the rows that waited are still to be booked; when a feed last visited
-- its custodian; and how a consent on the custodian's pages ended, so that its page can be shown again.
-- Nodes of the release before leave all of them null.

ALTER TABLE authority ADD COLUMN listed_accounts jsonb;
ALTER TABLE authority ADD COLUMN listed_at timestamptz;
ALTER TABLE authority ADD COLUMN rows_to_book_after text COLLATE "C";
CREATE INDEX authority_with_rows_to_book ON authority (workspace_id, environment) WHERE rows_to_book_after IS NOT NULL;
GRANT SELECT (rows_to_book_after) ON authority TO holdfast_pre_auth;

ALTER TABLE feed_run ADD COLUMN attempted_at timestamptz;

ALTER TABLE auth_flow ADD COLUMN completed_state text COLLATE "C";
ALTER TABLE auth_flow ADD COLUMN completed_detail text;
