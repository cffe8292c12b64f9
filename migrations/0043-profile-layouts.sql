-- What more a mapping profile says of a layout. Profiles of the releases before say none of it, and nodes of the release before write none.

ALTER TABLE import_profile ADD COLUMN header text COLLATE "C" NOT NULL DEFAULT 'named';
ALTER TABLE import_profile ADD COLUMN texts jsonb NOT NULL DEFAULT '[]';
ALTER TABLE import_profile ADD COLUMN costs text COLLATE "C" NOT NULL DEFAULT 'unsigned';
ALTER TABLE import_profile ADD COLUMN ignored_words text[] NOT NULL DEFAULT '{}';
