-- Columns that a mapping profile leaves unread on purpose. Profiles of the releases before have none, and nodes of the release before write none.

ALTER TABLE import_profile ADD COLUMN ignored_columns text[] NOT NULL DEFAULT '{}';
