-- What a client owns and looks at: accounts and depositories below legal entities, portfolios below reporting entities, the links between
-- them, and the custodians that keep accounts.
--
-- Every row carries its client, and so does every foreign key between these tables: an account cannot hang below another client's legal
-- entity, and nothing can be linked across clients, whatever a statement says. What a link is deleted with and what it keeps from being
-- deleted is in its foreign keys.

CREATE TABLE legal_entity (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, client_id, id)
);

CREATE TABLE reporting_entity (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, client_id, id)
);

-- `folded_name` is the name as it is compared: whatever the case of its letters and the form of its characters.
CREATE TABLE custodian (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  folded_name text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  accounting_method text COLLATE "C" CHECK (accounting_method IN ('FIFO', 'AVERAGE', 'SPECIFIC_ID')),
  supported_consent_types text[] COLLATE "C" NOT NULL DEFAULT '{signed-document,operator}',
  expected_files text[] NOT NULL DEFAULT '{}',
  consent_days integer CHECK (consent_days > 0),
  expiry_warning_days integer[] NOT NULL DEFAULT '{30,7,1}',
  connector text COLLATE "C",
  api_url text,
  authorization_url text,
  token_url text,
  revocation_url text,
  oauth_client_id text,
  oauth_scope text,
  -- Sealed and never shown.
  oauth_client_secret_sealed bytea,
  has_oauth_client_secret boolean NOT NULL DEFAULT false,
  -- The issuer that the custodian's answers to requests for consent have to name (RFC 9207); null if it names none.
  oauth_issuer text,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, folded_name),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  CHECK (has_oauth_client_secret = (oauth_client_secret_sealed IS NOT NULL))
);
CREATE INDEX custodian_by_name ON custodian (workspace_id, environment, name, id);

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
  -- The number as it is looked up: only its digits and letters, in capitals. A column, since row-level security keeps indexes over
  -- expressions from being used.
  number_key text COLLATE "C"
    GENERATED ALWAYS AS (upper(regexp_replace(external_identifier, '[^0-9A-Za-z]', '', 'g'))) STORED,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, environment, client_id, legal_entity_id)
    REFERENCES legal_entity (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, environment, custodian_id) REFERENCES custodian (workspace_id, environment, id)
);
CREATE INDEX account_by_legal_entity ON account (workspace_id, environment, legal_entity_id, id);
CREATE INDEX account_by_custodian ON account (workspace_id, environment, custodian_id, id);
CREATE INDEX account_by_external_identifier ON account (workspace_id, environment, external_identifier, id);
CREATE INDEX account_by_number_key ON account (workspace_id, environment, number_key, id) WHERE number_key IS NOT NULL;
CREATE INDEX account_by_currency ON account (workspace_id, environment, ccy_code, id);
CREATE INDEX account_excluded ON account (workspace_id, environment, exclude_from_reporting, id);

CREATE TABLE depository (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  legal_entity_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  external_identifier text COLLATE "C",
  created_at timestamptz NOT NULL,
  number_key text COLLATE "C"
    GENERATED ALWAYS AS (upper(regexp_replace(external_identifier, '[^0-9A-Za-z]', '', 'g'))) STORED,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, client_id, id),
  FOREIGN KEY (workspace_id, environment, client_id, legal_entity_id)
    REFERENCES legal_entity (workspace_id, environment, client_id, id)
);
CREATE INDEX depository_by_legal_entity ON depository (workspace_id, environment, legal_entity_id, id);
CREATE INDEX depository_by_external_identifier ON depository (workspace_id, environment, external_identifier, id);
CREATE INDEX depository_by_number_key ON depository (workspace_id, environment, number_key, id) WHERE number_key IS NOT NULL;

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
