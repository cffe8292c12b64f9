-- The file that an attempt at a feed run began to read, and how often: one that ends attempts is parked. Nodes of the release before leave
-- both as they are.

ALTER TABLE feed_run ADD COLUMN file_digest text COLLATE "C";
ALTER TABLE feed_run ADD COLUMN file_trials integer DEFAULT 0 NOT NULL;
