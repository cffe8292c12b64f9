-- What a client owns and looks at: accounts and depositories below legal entities, portfolios below reporting entities,
-- the links between them, and the custodians that keep accounts.
--
-- Every row carries its client, and every foreign key between these tables carries it too: an account cannot hang below
-- another client's legal entity, and nothing can be linked across clients, whatever a statement says. What a link is
-- deleted with and what it keeps from being deleted stands in its foreign keys.

ALTER TABLE legal_entity ADD UNIQUE (workspace_id, environment, client_id, id);
DROP INDEX legal_entity_by_client;
ALTER TABLE reporting_entity ADD UNIQUE (workspace_id, environment, client_id, id);
DROP INDEX reporting_entity_by_client;

-- `folded_name` is the name as it is compared: whatever the case of its letters and the form of its characters.
CREATE TABLE custodian (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  folded_name text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, folded_name),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment)
);

CREATE TABLE account (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  legal_entity_id text COLLATE "C" NOT NULL,
  custodian_id text COLLATE "C",
  name text NOT NULL,
  external_identifier text COLLATE "C",
  ccy_code text COLLATE "C" NOT NULL,
  exclude_from_reporting boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, environment, client_id, legal_entity_id)
    REFERENCES legal_entity (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, environment, custodian_id) REFERENCES custodian (workspace_id, environment, id)
);
CREATE INDEX account_by_legal_entity ON account (workspace_id, environment, legal_entity_id, id);
CREATE INDEX account_by_custodian ON account (workspace_id, environment, custodian_id, id);
CREATE INDEX account_by_external_identifier ON account (workspace_id, environment, external_identifier, id);

CREATE TABLE depository (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  legal_entity_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  external_identifier text COLLATE "C",
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, environment, client_id, legal_entity_id)
    REFERENCES legal_entity (workspace_id, environment, client_id, id)
);
CREATE INDEX depository_by_legal_entity ON depository (workspace_id, environment, legal_entity_id, id);
CREATE INDEX depository_by_external_identifier ON depository (workspace_id, environment, external_identifier, id);

CREATE TABLE portfolio (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  reporting_entity_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, environment, client_id, reporting_entity_id)
    REFERENCES reporting_entity (workspace_id, environment, client_id, id)
);
CREATE INDEX portfolio_by_reporting_entity ON portfolio (workspace_id, environment, reporting_entity_id, id);

-- Links. Their two indexes share the workspace alone: with more in common, the planner cannot tell the right one from the
-- wrong one before it has counted the rows, and reads all links of a tenant for each end.

-- Goes with its account, and keeps its depository.
CREATE TABLE account_depository (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  depository_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, account_id, depository_id),
  FOREIGN KEY (workspace_id, environment, client_id, account_id)
    REFERENCES account (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, depository_id)
    REFERENCES depository (workspace_id, environment, client_id, id)
);
CREATE INDEX account_depository_by_depository ON account_depository (workspace_id, depository_id, account_id);

-- Goes with either of its ends: a portfolio groups and keeps nothing.
CREATE TABLE portfolio_account (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  portfolio_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, portfolio_id, account_id),
  FOREIGN KEY (workspace_id, environment, client_id, portfolio_id)
    REFERENCES portfolio (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, account_id)
    REFERENCES account (workspace_id, environment, client_id, id) ON DELETE CASCADE
);
CREATE INDEX portfolio_account_by_account ON portfolio_account (workspace_id, account_id, portfolio_id);

CREATE TABLE portfolio_depository (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  portfolio_id text COLLATE "C" NOT NULL,
  depository_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, portfolio_id, depository_id),
  FOREIGN KEY (workspace_id, environment, client_id, portfolio_id)
    REFERENCES portfolio (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, depository_id)
    REFERENCES depository (workspace_id, environment, client_id, id) ON DELETE CASCADE
);
CREATE INDEX portfolio_depository_by_depository
  ON portfolio_depository (workspace_id, depository_id, portfolio_id);

ALTER TABLE custodian ENABLE ROW LEVEL SECURITY;
ALTER TABLE custodian FORCE ROW LEVEL SECURITY;
CREATE POLICY entered ON custodian TO holdfast_service
  USING (
    workspace_id = current_setting('holdfast.workspace', true)
    AND environment = current_setting('holdfast.environment', true)
  );

-- Rows that belong to a client: seen by whoever sees the client, which the policy of that table decides.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'account', 'depository', 'portfolio', 'account_depository', 'portfolio_account', 'portfolio_depository'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY entered ON %I TO holdfast_service USING (
        workspace_id = current_setting(''holdfast.workspace'', true)
        AND environment = current_setting(''holdfast.environment'', true)
        AND (current_setting(''holdfast.sight'', true) = ''all''
          OR client_id IN (SELECT c.id FROM client c
            WHERE c.workspace_id = current_setting(''holdfast.workspace'', true)
              AND c.environment = current_setting(''holdfast.environment'', true))))',
      name);
  END LOOP;
END $$;

-- What all clients share may be made by whoever sees one of them, and leaves its line in the log.
CREATE POLICY shared ON audit_entry FOR INSERT TO holdfast_service
  WITH CHECK (
    workspace_id = current_setting('holdfast.workspace', true)
    AND environment = current_setting('holdfast.environment', true)
    AND client_id IS NULL
  );

GRANT SELECT, INSERT, UPDATE, DELETE ON custodian, account, depository, portfolio, account_depository, portfolio_account,
  portfolio_depository TO holdfast_service;
