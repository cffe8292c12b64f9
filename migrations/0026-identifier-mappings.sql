-- What the words of custodians' files mean: account numbers in any spacing, SEDOLs, and mappings from words to records.

-- The number as it is looked up: only its digits and letters, in capitals. A column, since row-level security keeps indexes over
-- expressions from being used.
ALTER TABLE account ADD number_key text COLLATE "C"
  GENERATED ALWAYS AS (upper(regexp_replace(external_identifier, '[^0-9A-Za-z]', '', 'g'))) STORED;
ALTER TABLE depository ADD number_key text COLLATE "C"
  GENERATED ALWAYS AS (upper(regexp_replace(external_identifier, '[^0-9A-Za-z]', '', 'g'))) STORED;
CREATE INDEX account_by_number_key ON account (workspace_id, environment, number_key, id) WHERE number_key IS NOT NULL;
CREATE INDEX depository_by_number_key ON depository (workspace_id, environment, number_key, id) WHERE number_key IS NOT NULL;

ALTER TABLE instrument ADD sedol text COLLATE "C";
CREATE INDEX instrument_by_sedol ON instrument (workspace_id, environment, sedol, id) WHERE sedol IS NOT NULL;

-- One row says what one record is called: by the files of a custodian, or of any; for a client, or for all clients.
CREATE TABLE identifier_mapping (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  custodian_id text COLLATE "C",
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('account', 'depository', 'instrument')),
  scheme text COLLATE "C" NOT NULL
    CHECK (scheme IN ('number', 'isin', 'cusip', 'sedol', 'ticker', 'custodian-code', 'name')),
  value text COLLATE "C" NOT NULL,
  -- In capitals and without spaces.
  folded_value text COLLATE "C" NOT NULL,
  currency text COLLATE "C",
  mic text COLLATE "C",
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  instrument_id text COLLATE "C",
  source text COLLATE "C" NOT NULL CHECK (source IN ('learned', 'manual')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  CHECK ((account_id IS NOT NULL) = (kind = 'account')),
  CHECK ((depository_id IS NOT NULL) = (kind = 'depository')),
  CHECK ((instrument_id IS NOT NULL) = (kind = 'instrument')),
  CHECK (client_id IS NOT NULL OR kind = 'instrument'),
  FOREIGN KEY (workspace_id, environment) REFERENCES environment (workspace_id, environment),
  FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client (workspace_id, environment, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, custodian_id)
    REFERENCES custodian (workspace_id, environment, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, account_id)
    REFERENCES account (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, client_id, depository_id)
    REFERENCES depository (workspace_id, environment, client_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, instrument_id)
    REFERENCES instrument (workspace_id, environment, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX identifier_mapping_by_value ON identifier_mapping (workspace_id, environment, folded_value, kind, scheme,
  coalesce(client_id, ''), coalesce(custodian_id, ''), coalesce(currency, ''), coalesce(mic, ''));
CREATE INDEX identifier_mapping_by_client ON identifier_mapping (workspace_id, environment, client_id, id);
CREATE INDEX identifier_mapping_by_custodian ON identifier_mapping (workspace_id, environment, custodian_id, id);
CREATE INDEX identifier_mapping_by_account ON identifier_mapping (workspace_id, environment, account_id)
  WHERE account_id IS NOT NULL;
CREATE INDEX identifier_mapping_by_depository ON identifier_mapping (workspace_id, environment, depository_id)
  WHERE depository_id IS NOT NULL;
CREATE INDEX identifier_mapping_by_instrument ON identifier_mapping (workspace_id, environment, instrument_id)
  WHERE instrument_id IS NOT NULL;

ALTER TABLE identifier_mapping ENABLE ROW LEVEL SECURITY;
ALTER TABLE identifier_mapping FORCE ROW LEVEL SECURITY;
-- Rows of a client, or of nobody and then of all, as instruments are.
DO $$
DECLARE
  here text := 'workspace_id = current_setting(''holdfast.workspace'', true)
    AND environment = current_setting(''holdfast.environment'', true)';
  own text := 'current_setting(''holdfast.sight'', true) = ''all''
    OR client_id IN (SELECT c.id FROM client c
      WHERE c.workspace_id = current_setting(''holdfast.workspace'', true)
        AND c.environment = current_setting(''holdfast.environment'', true))';
BEGIN
  EXECUTE format('CREATE POLICY seen ON identifier_mapping FOR SELECT TO holdfast_service
    USING (%s AND (client_id IS NULL OR %s))', here, own);
  EXECUTE format('CREATE POLICY made ON identifier_mapping FOR INSERT TO holdfast_service WITH CHECK (%s AND (%s))',
    here, own);
  EXECUTE format('CREATE POLICY changed ON identifier_mapping FOR UPDATE TO holdfast_service
    USING (%s AND (client_id IS NULL OR %s)) WITH CHECK (%s AND (%s))', here, own, here, own);
  EXECUTE format('CREATE POLICY deleted ON identifier_mapping FOR DELETE TO holdfast_service USING (%s AND (%s))',
    here, own);
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON identifier_mapping TO holdfast_service;
