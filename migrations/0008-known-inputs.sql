-- What was known of records and links, and when: reports as known at a past moment are made from it.

-- A row of `table_name` as it was known from `known_from` until `known_until`, null while it is: its columns as JSON, without those
-- that are null and those that may have to be forgotten. `version` counts the states of one thing.
CREATE TABLE record_version (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  table_name text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  version bigint NOT NULL,
  known_from timestamptz NOT NULL,
  known_until timestamptz,
  state jsonb NOT NULL,
  PRIMARY KEY (workspace_id, environment, table_name, id, known_from),
  CHECK (known_until > known_from),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);
-- One state is known of each. The numbers of very many are read from the index alone.
CREATE UNIQUE INDEX record_version_known ON record_version (workspace_id, environment, table_name, id) INCLUDE (version)
  WHERE known_until IS NULL;
-- All things of a client as they were known at a moment.
CREATE INDEX record_version_by_client ON record_version (workspace_id, environment, client_id, table_name, id, known_from);

-- The same of links: a row for each time that two things of a client were joined. `link` is the table of the link, `one_id` and
-- `other_id` its two ends in the order of its columns.
CREATE TABLE link_version (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  link text COLLATE "C" NOT NULL,
  one_id text COLLATE "C" NOT NULL,
  other_id text COLLATE "C" NOT NULL,
  known_from timestamptz NOT NULL,
  known_until timestamptz,
  PRIMARY KEY (workspace_id, environment, link, one_id, other_id, known_from),
  CHECK (known_until > known_from),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);
CREATE UNIQUE INDEX link_version_known ON link_version (workspace_id, environment, link, one_id, other_id)
  WHERE known_until IS NULL;
CREATE INDEX link_version_known_from_other ON link_version (workspace_id, environment, link, other_id)
  WHERE known_until IS NULL;
CREATE INDEX link_version_by_client ON link_version (workspace_id, environment, client_id, link, one_id, known_from);
