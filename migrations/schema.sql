-- The schema that the migrations lead to, for reading. Written by `npm run schema`; a test compares it with a migrated
-- database. The roles holdfast_service and holdfast_gate are not part of a database and must be there before it.

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
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE account_depository (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  depository_id text COLLATE "C" NOT NULL
);

CREATE TABLE audit_entry (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  at timestamp with time zone NOT NULL,
  act text COLLATE "C" NOT NULL,
  subject_type text COLLATE "C" NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C",
  subject text COLLATE "C",
  request_id text COLLATE "C",
  before jsonb,
  after jsonb
);

CREATE TABLE budget (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  remaining double precision NOT NULL,
  as_of timestamp with time zone NOT NULL
);

CREATE TABLE client (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
  path text[] COLLATE "C" NOT NULL,
  name text NOT NULL,
  reference_currency text COLLATE "C" NOT NULL,
  accounting_method text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE credential (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text NOT NULL,
  rights text[] COLLATE "C" NOT NULL,
  scoped_to_id text COLLATE "C",
  client_id text COLLATE "C",
  secret_salt bytea,
  secret_hash bytea,
  public_jwk jsonb,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone
);

CREATE TABLE custodian (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  folded_name text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE depository (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  legal_entity_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  external_identifier text COLLATE "C",
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE environment (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE idempotent_answer (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL,
  caller text COLLATE "C" NOT NULL,
  request_hash bytea NOT NULL,
  answer_sealed bytea,
  expires_at timestamp with time zone NOT NULL
);

CREATE TABLE legal_entity (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE portfolio (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  reporting_entity_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE portfolio_account (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  portfolio_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL
);

CREATE TABLE portfolio_depository (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  portfolio_id text COLLATE "C" NOT NULL,
  depository_id text COLLATE "C" NOT NULL
);

CREATE TABLE reporting_entity (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE schema_migration (
  version integer NOT NULL,
  name text NOT NULL,
  run_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE signing_key (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  public_jwk jsonb NOT NULL,
  private_sealed bytea NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE used_assertion (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  token_id_hash bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL
);

CREATE TABLE workspace (
  workspace_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL
);

ALTER TABLE account ADD CONSTRAINT account_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE account ADD CONSTRAINT account_workspace_id_environment_client_id_id_key UNIQUE (workspace_id, environment, client_id, id);
ALTER TABLE account_depository ADD CONSTRAINT account_depository_pkey PRIMARY KEY (workspace_id, account_id, depository_id);
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_act_check CHECK ((act = ANY (ARRAY['create'::text, 'change'::text, 'delete'::text])));
ALTER TABLE budget ADD CONSTRAINT budget_pkey PRIMARY KEY (workspace_id, environment, subject);
ALTER TABLE client ADD CONSTRAINT client_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE client ADD CONSTRAINT client_accounting_method_check CHECK ((accounting_method = ANY (ARRAY['FIFO'::text, 'AVERAGE'::text, 'SPECIFIC_ID'::text])));
ALTER TABLE client ADD CONSTRAINT client_check CHECK ((parent_id <> id));
ALTER TABLE client ADD CONSTRAINT client_check1 CHECK ((path[cardinality(path)] = id));
ALTER TABLE client ADD CONSTRAINT client_check2 CHECK ((NOT (parent_id IS DISTINCT FROM path[(cardinality(path) - 1)])));
ALTER TABLE credential ADD CONSTRAINT credential_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE credential ADD CONSTRAINT credential_workspace_id_client_id_key UNIQUE (workspace_id, client_id);
ALTER TABLE credential ADD CONSTRAINT credential_check CHECK (((kind = 'application'::text) = (client_id IS NOT NULL)));
ALTER TABLE credential ADD CONSTRAINT credential_check1 CHECK (((kind = 'application'::text) = ((secret_salt IS NOT NULL) AND (secret_hash IS NOT NULL))));
ALTER TABLE credential ADD CONSTRAINT credential_check2 CHECK (((kind <> 'application'::text) = (public_jwk IS NOT NULL)));
ALTER TABLE credential ADD CONSTRAINT credential_kind_check CHECK ((kind = ANY (ARRAY['application'::text, 'rsa-key'::text, 'ec-key'::text])));
ALTER TABLE credential ADD CONSTRAINT credential_rights_check CHECK (((rights <@ ARRAY['read'::text, 'write'::text, 'admin'::text]) AND (cardinality(rights) > 0)));
ALTER TABLE custodian ADD CONSTRAINT custodian_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE custodian ADD CONSTRAINT custodian_workspace_id_environment_folded_name_key UNIQUE (workspace_id, environment, folded_name);
ALTER TABLE depository ADD CONSTRAINT depository_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE depository ADD CONSTRAINT depository_workspace_id_environment_client_id_id_key UNIQUE (workspace_id, environment, client_id, id);
ALTER TABLE environment ADD CONSTRAINT environment_pkey PRIMARY KEY (workspace_id, environment);
ALTER TABLE environment ADD CONSTRAINT environment_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text])));
ALTER TABLE idempotent_answer ADD CONSTRAINT idempotent_answer_pkey PRIMARY KEY (workspace_id, environment, key_hash);
ALTER TABLE legal_entity ADD CONSTRAINT legal_entity_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE legal_entity ADD CONSTRAINT legal_entity_workspace_id_environment_client_id_id_key UNIQUE (workspace_id, environment, client_id, id);
ALTER TABLE portfolio ADD CONSTRAINT portfolio_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE portfolio ADD CONSTRAINT portfolio_workspace_id_environment_client_id_id_key UNIQUE (workspace_id, environment, client_id, id);
ALTER TABLE portfolio_account ADD CONSTRAINT portfolio_account_pkey PRIMARY KEY (workspace_id, portfolio_id, account_id);
ALTER TABLE portfolio_depository ADD CONSTRAINT portfolio_depository_pkey PRIMARY KEY (workspace_id, portfolio_id, depository_id);
ALTER TABLE reporting_entity ADD CONSTRAINT reporting_entity_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE reporting_entity ADD CONSTRAINT reporting_entity_workspace_id_environment_client_id_id_key UNIQUE (workspace_id, environment, client_id, id);
ALTER TABLE schema_migration ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (version);
ALTER TABLE signing_key ADD CONSTRAINT signing_key_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE used_assertion ADD CONSTRAINT used_assertion_pkey PRIMARY KEY (workspace_id, environment, token_id_hash);
ALTER TABLE workspace ADD CONSTRAINT workspace_pkey PRIMARY KEY (workspace_id);
ALTER TABLE account ADD CONSTRAINT account_workspace_id_environment_client_id_legal_entity_id_fkey FOREIGN KEY (workspace_id, environment, client_id, legal_entity_id) REFERENCES legal_entity(workspace_id, environment, client_id, id);
ALTER TABLE account ADD CONSTRAINT account_workspace_id_environment_custodian_id_fkey FOREIGN KEY (workspace_id, environment, custodian_id) REFERENCES custodian(workspace_id, environment, id);
ALTER TABLE account_depository ADD CONSTRAINT account_depository_workspace_id_environment_client_id_acco_fkey FOREIGN KEY (workspace_id, environment, client_id, account_id) REFERENCES account(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE account_depository ADD CONSTRAINT account_depository_workspace_id_environment_client_id_depo_fkey FOREIGN KEY (workspace_id, environment, client_id, depository_id) REFERENCES depository(workspace_id, environment, client_id, id);
ALTER TABLE client ADD CONSTRAINT client_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE client ADD CONSTRAINT client_workspace_id_environment_parent_id_fkey FOREIGN KEY (workspace_id, environment, parent_id) REFERENCES client(workspace_id, environment, id);
ALTER TABLE credential ADD CONSTRAINT credential_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE credential ADD CONSTRAINT credential_workspace_id_environment_scoped_to_id_fkey FOREIGN KEY (workspace_id, environment, scoped_to_id) REFERENCES client(workspace_id, environment, id);
ALTER TABLE custodian ADD CONSTRAINT custodian_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE depository ADD CONSTRAINT depository_workspace_id_environment_client_id_legal_entity_fkey FOREIGN KEY (workspace_id, environment, client_id, legal_entity_id) REFERENCES legal_entity(workspace_id, environment, client_id, id);
ALTER TABLE environment ADD CONSTRAINT environment_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(workspace_id);
ALTER TABLE legal_entity ADD CONSTRAINT legal_entity_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id);
ALTER TABLE portfolio ADD CONSTRAINT portfolio_workspace_id_environment_client_id_reporting_ent_fkey FOREIGN KEY (workspace_id, environment, client_id, reporting_entity_id) REFERENCES reporting_entity(workspace_id, environment, client_id, id);
ALTER TABLE portfolio_account ADD CONSTRAINT portfolio_account_workspace_id_environment_client_id_accou_fkey FOREIGN KEY (workspace_id, environment, client_id, account_id) REFERENCES account(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE portfolio_account ADD CONSTRAINT portfolio_account_workspace_id_environment_client_id_portf_fkey FOREIGN KEY (workspace_id, environment, client_id, portfolio_id) REFERENCES portfolio(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE portfolio_depository ADD CONSTRAINT portfolio_depository_workspace_id_environment_client_id_de_fkey FOREIGN KEY (workspace_id, environment, client_id, depository_id) REFERENCES depository(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE portfolio_depository ADD CONSTRAINT portfolio_depository_workspace_id_environment_client_id_po_fkey FOREIGN KEY (workspace_id, environment, client_id, portfolio_id) REFERENCES portfolio(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE reporting_entity ADD CONSTRAINT reporting_entity_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id);
ALTER TABLE signing_key ADD CONSTRAINT signing_key_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);

CREATE INDEX account_by_custodian ON account USING btree (workspace_id, environment, custodian_id, id);
CREATE INDEX account_by_external_identifier ON account USING btree (workspace_id, environment, external_identifier, id);
CREATE INDEX account_by_legal_entity ON account USING btree (workspace_id, environment, legal_entity_id, id);
CREATE INDEX account_depository_by_depository ON account_depository USING btree (workspace_id, depository_id, account_id);
CREATE INDEX audit_entry_by_client ON audit_entry USING btree (workspace_id, environment, client_id, id);
CREATE INDEX audit_entry_by_subject ON audit_entry USING btree (workspace_id, environment, subject_type, subject_id, id);
CREATE INDEX client_by_parent ON client USING btree (workspace_id, environment, parent_id, id);
CREATE INDEX client_by_path ON client USING gin (path);
CREATE INDEX credential_by_client_id ON credential USING btree (client_id);
CREATE INDEX credential_by_scope ON credential USING btree (workspace_id, environment, scoped_to_id, id);
CREATE INDEX depository_by_external_identifier ON depository USING btree (workspace_id, environment, external_identifier, id);
CREATE INDEX depository_by_legal_entity ON depository USING btree (workspace_id, environment, legal_entity_id, id);
CREATE INDEX idempotent_answer_by_expiry ON idempotent_answer USING btree (workspace_id, environment, expires_at);
CREATE INDEX portfolio_account_by_account ON portfolio_account USING btree (workspace_id, account_id, portfolio_id);
CREATE INDEX portfolio_by_reporting_entity ON portfolio USING btree (workspace_id, environment, reporting_entity_id, id);
CREATE INDEX portfolio_depository_by_depository ON portfolio_depository USING btree (workspace_id, depository_id, portfolio_id);
CREATE INDEX used_assertion_by_expiry ON used_assertion USING btree (workspace_id, environment, expires_at);

ALTER TABLE account ENABLE ROW LEVEL SECURITY;
ALTER TABLE account FORCE ROW LEVEL SECURITY;
ALTER TABLE account_depository ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_depository FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_entry FORCE ROW LEVEL SECURITY;
ALTER TABLE budget ENABLE ROW LEVEL SECURITY;
ALTER TABLE budget FORCE ROW LEVEL SECURITY;
ALTER TABLE client ENABLE ROW LEVEL SECURITY;
ALTER TABLE client FORCE ROW LEVEL SECURITY;
ALTER TABLE credential ENABLE ROW LEVEL SECURITY;
ALTER TABLE credential FORCE ROW LEVEL SECURITY;
ALTER TABLE custodian ENABLE ROW LEVEL SECURITY;
ALTER TABLE custodian FORCE ROW LEVEL SECURITY;
ALTER TABLE depository ENABLE ROW LEVEL SECURITY;
ALTER TABLE depository FORCE ROW LEVEL SECURITY;
ALTER TABLE environment ENABLE ROW LEVEL SECURITY;
ALTER TABLE environment FORCE ROW LEVEL SECURITY;
ALTER TABLE idempotent_answer ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotent_answer FORCE ROW LEVEL SECURITY;
ALTER TABLE legal_entity ENABLE ROW LEVEL SECURITY;
ALTER TABLE legal_entity FORCE ROW LEVEL SECURITY;
ALTER TABLE portfolio ENABLE ROW LEVEL SECURITY;
ALTER TABLE portfolio FORCE ROW LEVEL SECURITY;
ALTER TABLE portfolio_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE portfolio_account FORCE ROW LEVEL SECURITY;
ALTER TABLE portfolio_depository ENABLE ROW LEVEL SECURITY;
ALTER TABLE portfolio_depository FORCE ROW LEVEL SECURITY;
ALTER TABLE reporting_entity ENABLE ROW LEVEL SECURITY;
ALTER TABLE reporting_entity FORCE ROW LEVEL SECURITY;
ALTER TABLE signing_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE signing_key FORCE ROW LEVEL SECURITY;
ALTER TABLE used_assertion ENABLE ROW LEVEL SECURITY;
ALTER TABLE used_assertion FORCE ROW LEVEL SECURITY;
ALTER TABLE workspace ENABLE ROW LEVEL SECURITY;
ALTER TABLE workspace FORCE ROW LEVEL SECURITY;

CREATE POLICY entered ON account AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((current_setting('holdfast.sight'::text, true) = 'all'::text) OR (client_id IN ( SELECT c.id
   FROM client c
  WHERE ((c.workspace_id = current_setting('holdfast.workspace'::text, true)) AND (c.environment = current_setting('holdfast.environment'::text, true))))))));

CREATE POLICY entered ON account_depository AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((current_setting('holdfast.sight'::text, true) = 'all'::text) OR (client_id IN ( SELECT c.id
   FROM client c
  WHERE ((c.workspace_id = current_setting('holdfast.workspace'::text, true)) AND (c.environment = current_setting('holdfast.environment'::text, true))))))));

CREATE POLICY entered ON audit_entry AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((current_setting('holdfast.sight'::text, true) = 'all'::text) OR (client_id IN ( SELECT c.id
   FROM client c
  WHERE ((c.workspace_id = current_setting('holdfast.workspace'::text, true)) AND (c.environment = current_setting('holdfast.environment'::text, true))))))));

CREATE POLICY shared ON audit_entry AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (client_id IS NULL)));

CREATE POLICY entered ON budget AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY entered ON client AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((current_setting('holdfast.sight'::text, true) = 'all'::text) OR (current_setting('holdfast.sight'::text, true) = ('only:'::text || id)) OR (("left"(current_setting('holdfast.sight'::text, true), 5) = 'tree:'::text) AND (substr(current_setting('holdfast.sight'::text, true), 6) = ANY (path))))));

CREATE POLICY entered ON credential AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((current_setting('holdfast.sight'::text, true) = 'all'::text) OR (scoped_to_id IN ( SELECT c.id
   FROM client c
  WHERE ((c.workspace_id = current_setting('holdfast.workspace'::text, true)) AND (c.environment = current_setting('holdfast.environment'::text, true))))))));

CREATE POLICY gate ON credential AS PERMISSIVE FOR SELECT TO holdfast_gate
  USING (true);

CREATE POLICY entered ON custodian AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY entered ON depository AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((current_setting('holdfast.sight'::text, true) = 'all'::text) OR (client_id IN ( SELECT c.id
   FROM client c
  WHERE ((c.workspace_id = current_setting('holdfast.workspace'::text, true)) AND (c.environment = current_setting('holdfast.environment'::text, true))))))));

CREATE POLICY entered ON environment AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY gate ON environment AS PERMISSIVE FOR SELECT TO holdfast_gate
  USING (true);

CREATE POLICY entered ON idempotent_answer AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY entered ON legal_entity AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((current_setting('holdfast.sight'::text, true) = 'all'::text) OR (client_id IN ( SELECT c.id
   FROM client c
  WHERE ((c.workspace_id = current_setting('holdfast.workspace'::text, true)) AND (c.environment = current_setting('holdfast.environment'::text, true))))))));

CREATE POLICY entered ON portfolio AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((current_setting('holdfast.sight'::text, true) = 'all'::text) OR (client_id IN ( SELECT c.id
   FROM client c
  WHERE ((c.workspace_id = current_setting('holdfast.workspace'::text, true)) AND (c.environment = current_setting('holdfast.environment'::text, true))))))));

CREATE POLICY entered ON portfolio_account AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((current_setting('holdfast.sight'::text, true) = 'all'::text) OR (client_id IN ( SELECT c.id
   FROM client c
  WHERE ((c.workspace_id = current_setting('holdfast.workspace'::text, true)) AND (c.environment = current_setting('holdfast.environment'::text, true))))))));

CREATE POLICY entered ON portfolio_depository AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((current_setting('holdfast.sight'::text, true) = 'all'::text) OR (client_id IN ( SELECT c.id
   FROM client c
  WHERE ((c.workspace_id = current_setting('holdfast.workspace'::text, true)) AND (c.environment = current_setting('holdfast.environment'::text, true))))))));

CREATE POLICY entered ON reporting_entity AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((current_setting('holdfast.sight'::text, true) = 'all'::text) OR (client_id IN ( SELECT c.id
   FROM client c
  WHERE ((c.workspace_id = current_setting('holdfast.workspace'::text, true)) AND (c.environment = current_setting('holdfast.environment'::text, true))))))));

CREATE POLICY entered ON signing_key AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY gate ON signing_key AS PERMISSIVE FOR SELECT TO holdfast_gate
  USING (true);

CREATE POLICY entered ON used_assertion AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY entered ON workspace AS PERMISSIVE FOR ALL TO holdfast_service
  USING ((workspace_id = current_setting('holdfast.workspace'::text, true)));

GRANT DELETE, INSERT, SELECT, UPDATE ON account TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON account_depository TO holdfast_service;
GRANT INSERT, SELECT ON audit_entry TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON budget TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON client TO holdfast_service;
GRANT SELECT ON credential TO holdfast_gate;
GRANT DELETE, INSERT, SELECT, UPDATE ON credential TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON custodian TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON depository TO holdfast_service;
GRANT SELECT ON environment TO holdfast_gate;
GRANT INSERT, SELECT, UPDATE ON environment TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON idempotent_answer TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON legal_entity TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON portfolio TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON portfolio_account TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON portfolio_depository TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON reporting_entity TO holdfast_service;
GRANT SELECT ON signing_key TO holdfast_gate;
GRANT DELETE, INSERT, SELECT, UPDATE ON signing_key TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON used_assertion TO holdfast_service;
GRANT INSERT, SELECT, UPDATE ON workspace TO holdfast_service;
