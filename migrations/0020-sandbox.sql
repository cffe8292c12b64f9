-- The clients that the sandbox has made: by which persona and seed, and up to which day they have data. The id is that of the client. What was
-- made for a client is listed in `records`, each with the key that the persona knows it by.

CREATE TABLE sandbox_client (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL CHECK (client_id = id),
  persona text COLLATE "C" NOT NULL,
  reporting_currency text COLLATE "C" NOT NULL,
  seed int NOT NULL,
  start_date date NOT NULL,
  end_date date NOT NULL CHECK (end_date >= start_date),
  records jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX sandbox_client_by_client ON sandbox_client (workspace_id, environment, client_id);

ALTER TABLE sandbox_client ENABLE ROW LEVEL SECURITY;
ALTER TABLE sandbox_client FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON sandbox_client TO holdfast_service
  USING (workspace_id = current_setting('holdfast.workspace', true) AND environment = current_setting('holdfast.environment', true)
    AND is_visible(client_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON sandbox_client TO holdfast_service;
