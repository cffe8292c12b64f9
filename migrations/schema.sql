-- The schema that the migrations lead to, for reading. Written by `npm run schema`; a test compares it with a migrated
-- database. The roles holdfast_service and holdfast_pre_auth are not part of a database and must be there before it.

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
  created_at timestamp with time zone NOT NULL,
  number_key text COLLATE "C" GENERATED ALWAYS AS (upper(regexp_replace(external_identifier, '[^0-9A-Za-z]'::text, ''::text, 'g'::text))) STORED
);

CREATE TABLE account_depository (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  depository_id text COLLATE "C" NOT NULL
);

CREATE TABLE account_ledger (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL
);

CREATE TABLE administrator_link (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C",
  secret_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  accepted_at timestamp with time zone,
  cancelled_at timestamp with time zone
);

CREATE TABLE announced_holding (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  reporting_entity_id text COLLATE "C" NOT NULL,
  instrument text COLLATE "C" NOT NULL,
  quantity numeric NOT NULL,
  market_value numeric NOT NULL,
  object json NOT NULL
);

CREATE TABLE audit_chain (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  hash bytea NOT NULL,
  anchor_number bigint DEFAULT 0 NOT NULL,
  anchor_hash bytea,
  anchor_seal bytea
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

CREATE TABLE audit_link (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  entry_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL
);

CREATE TABLE auth_flow (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  authority_id text COLLATE "C" NOT NULL,
  legal_entity_id text COLLATE "C" NOT NULL,
  depository_id text COLLATE "C",
  custodian_id text COLLATE "C" NOT NULL,
  purpose text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  expected_files text[] NOT NULL,
  supported_consent_types text[] COLLATE "C" NOT NULL,
  consent_type text COLLATE "C",
  operator_id text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  granted_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  pending_sealed bytea,
  pending_until timestamp with time zone,
  completed_state text COLLATE "C",
  completed_detail text
);

CREATE TABLE auth_flow_file (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  auth_flow_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  expected_file text,
  media_type text COLLATE "C" NOT NULL,
  size integer NOT NULL,
  digest text COLLATE "C" NOT NULL,
  content_sealed bytea NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE authority (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  legal_entity_id text COLLATE "C" NOT NULL,
  depository_id text COLLATE "C",
  custodian_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  consent_type text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  granted_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  broken_at timestamp with time zone,
  broken_reason text,
  credentials_sealed bytea,
  has_credentials boolean GENERATED ALWAYS AS ((credentials_sealed IS NOT NULL)) STORED NOT NULL,
  listed_accounts jsonb,
  listed_at timestamp with time zone,
  rows_to_book_after text COLLATE "C"
);

CREATE TABLE authority_account (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  authority_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL
);

CREATE TABLE authority_depository (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  authority_id text COLLATE "C" NOT NULL,
  depository_id text COLLATE "C" NOT NULL
);

CREATE TABLE authority_warning (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  authority_id text COLLATE "C" NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  days integer NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  emitted_at timestamp with time zone NOT NULL,
  mailed_at timestamp with time zone
);

CREATE TABLE booking_count (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  last_sequence bigint NOT NULL
);

CREATE TABLE budget (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  remaining double precision NOT NULL,
  as_of timestamp with time zone NOT NULL
);

CREATE TABLE calculation_round (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  causes text[] COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  marked_since timestamp with time zone NOT NULL,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  lease_until timestamp with time zone NOT NULL,
  attempts integer DEFAULT 1 NOT NULL,
  error text COLLATE "C",
  ledger_version text COLLATE "C",
  done_count integer DEFAULT 0 NOT NULL,
  total_count integer DEFAULT 0 NOT NULL,
  reporting_entity_count integer DEFAULT 0 NOT NULL,
  holding_count integer DEFAULT 0 NOT NULL,
  limit_count integer DEFAULT 0 NOT NULL,
  breach_count integer DEFAULT 0 NOT NULL,
  finding_count integer DEFAULT 0 NOT NULL,
  holding_subscribers text[] COLLATE "C" DEFAULT '{}'::text[] NOT NULL,
  figures_digest text COLLATE "C"
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
  created_at timestamp with time zone NOT NULL,
  value_change_bound numeric DEFAULT 0.5 NOT NULL,
  reconciliation jsonb DEFAULT '{}'::jsonb NOT NULL,
  long_term_months integer DEFAULT 12 NOT NULL,
  stale_days_listed integer DEFAULT 10 NOT NULL,
  stale_days_funds integer DEFAULT 45 NOT NULL,
  stale_days_private integer DEFAULT 120 NOT NULL,
  volatility_days integer DEFAULT 252 NOT NULL,
  tree_version bigint DEFAULT 0 NOT NULL
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
  created_at timestamp with time zone NOT NULL,
  accounting_method text COLLATE "C",
  supported_consent_types text[] COLLATE "C" DEFAULT '{signed-document,operator}'::text[] NOT NULL,
  expected_files text[] DEFAULT '{}'::text[] NOT NULL,
  consent_days integer,
  expiry_warning_days integer[] DEFAULT '{30,7,1}'::integer[] NOT NULL,
  connector text COLLATE "C",
  api_url text,
  authorization_url text,
  token_url text,
  revocation_url text,
  oauth_client_id text,
  oauth_scope text,
  oauth_client_secret_sealed bytea,
  has_oauth_client_secret boolean DEFAULT false NOT NULL,
  oauth_issuer text,
  uses_own_callback boolean DEFAULT true NOT NULL,
  has_shared_callback boolean DEFAULT false NOT NULL
);

CREATE TABLE delivery (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  order_key text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  attempt_count integer DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  first_attempt_at timestamp with time zone,
  next_attempt_at timestamp with time zone,
  ended_at timestamp with time zone,
  replayed_at timestamp with time zone,
  attempt_at timestamp with time zone,
  attempt_status integer,
  attempt_ms integer,
  attempt_answer text
);

CREATE TABLE delivery_attempt (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  delivery_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  client_id text COLLATE "C",
  at timestamp with time zone NOT NULL,
  status integer,
  error text COLLATE "C",
  duration_ms integer NOT NULL,
  answer text
);

CREATE TABLE delivery_queue (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  order_key text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  queued bigint DEFAULT 1 NOT NULL,
  due_at timestamp with time zone NOT NULL,
  holder text COLLATE "C"
);

CREATE TABLE depository (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  legal_entity_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  external_identifier text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  number_key text COLLATE "C" GENERATED ALWAYS AS (upper(regexp_replace(external_identifier, '[^0-9A-Za-z]'::text, ''::text, 'g'::text))) STORED
);

CREATE TABLE disabled_former_member (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  disabled_at timestamp with time zone NOT NULL
);

CREATE TABLE environment (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  taxonomy_at timestamp with time zone,
  day_marked date,
  tree_version bigint DEFAULT 0 NOT NULL,
  moved_version bigint DEFAULT 0 NOT NULL,
  rounds_cleared_to text COLLATE "C" DEFAULT ''::text NOT NULL,
  limits_cleared_to timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);

CREATE TABLE event (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  batch_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  transaction_id text COLLATE "C",
  transaction_version bigint,
  data json,
  trace text COLLATE "C"
);

CREATE TABLE event_order (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  order_key text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  number bigint NOT NULL
);

CREATE TABLE feed_run (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  authority_id text COLLATE "C" NOT NULL,
  custodian_id text COLLATE "C" NOT NULL,
  connector text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  due_at timestamp with time zone NOT NULL,
  lease_until timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  attempts integer DEFAULT 0 NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  from_mark text,
  to_mark text,
  fetched_count integer DEFAULT 0 NOT NULL,
  imports text[] COLLATE "C" DEFAULT '{}'::text[] NOT NULL,
  error text COLLATE "C",
  error_detail text,
  file_digest text COLLATE "C",
  file_trials integer DEFAULT 0 NOT NULL,
  earlier_files jsonb DEFAULT '{}'::jsonb NOT NULL,
  attempted_at timestamp with time zone
);

CREATE TABLE fx_rate (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  base text COLLATE "C" NOT NULL,
  quote text COLLATE "C" NOT NULL,
  date date NOT NULL,
  source text COLLATE "C" NOT NULL,
  rate numeric(38,18) NOT NULL,
  known_from timestamp with time zone NOT NULL,
  known_until timestamp with time zone
);

CREATE TABLE historical_holding (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  known_from timestamp with time zone NOT NULL,
  known_until timestamp with time zone,
  current_environment text COLLATE "C" GENERATED ALWAYS AS (
CASE
    WHEN (known_until IS NULL) THEN environment
    ELSE NULL::text
END) STORED,
  client_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  instrument_id text COLLATE "C",
  date date NOT NULL,
  market_value numeric(38,18) NOT NULL,
  units numeric(38,18),
  accrued_interest numeric(38,18),
  currency_exchange_rate numeric(38,18),
  reporting_currency_code text COLLATE "C"
);

CREATE TABLE idempotent_answer (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL,
  caller text COLLATE "C" NOT NULL,
  request_hash bytea NOT NULL,
  answer_sealed bytea,
  expires_at timestamp with time zone NOT NULL,
  is_personal boolean DEFAULT false NOT NULL
);

CREATE TABLE identifier_mapping (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  custodian_id text COLLATE "C",
  kind text COLLATE "C" NOT NULL,
  scheme text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  folded_value text COLLATE "C" NOT NULL,
  currency text COLLATE "C",
  mic text COLLATE "C",
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  instrument_id text COLLATE "C",
  source text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  transaction_type text COLLATE "C",
  action text COLLATE "C",
  earlier_instruments text[] COLLATE "C" DEFAULT '{}'::text[] NOT NULL
);

CREATE TABLE import (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  state text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL,
  format text NOT NULL,
  file_name text,
  digest text COLLATE "C",
  profile text,
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  custodian_id text COLLATE "C",
  warnings jsonb DEFAULT '[]'::jsonb NOT NULL,
  row_count integer DEFAULT 0 NOT NULL,
  booked_count integer DEFAULT 0 NOT NULL,
  amended_count integer DEFAULT 0 NOT NULL,
  unchanged_count integer DEFAULT 0 NOT NULL,
  refused_count integer DEFAULT 0 NOT NULL,
  needs_count integer DEFAULT 0 NOT NULL,
  closed_count integer DEFAULT 0 NOT NULL,
  restored_count integer DEFAULT 0 NOT NULL,
  kept_count integer DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  booked_at timestamp with time zone,
  undone_at timestamp with time zone,
  not_kept jsonb DEFAULT '{"rows": 0, "problems": []}'::jsonb NOT NULL,
  stored_rows integer DEFAULT 0 NOT NULL,
  stored_bytes bigint DEFAULT 0 NOT NULL,
  date_order text COLLATE "C",
  create_instruments boolean DEFAULT false NOT NULL
);

CREATE TABLE import_profile (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  content text COLLATE "C" NOT NULL,
  delimiter text COLLATE "C" NOT NULL,
  decimal_mark text COLLATE "C" NOT NULL,
  date_order text COLLATE "C" NOT NULL,
  recognised_by text[] NOT NULL,
  columns jsonb NOT NULL,
  types jsonb NOT NULL,
  signs text COLLATE "C" NOT NULL,
  direction_words jsonb,
  pending_words text[] NOT NULL,
  constants jsonb NOT NULL,
  ignored_lines text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  ignored_columns text[] DEFAULT '{}'::text[] NOT NULL,
  header text COLLATE "C" DEFAULT 'named'::text NOT NULL,
  texts jsonb DEFAULT '[]'::jsonb NOT NULL,
  costs text COLLATE "C" DEFAULT 'unsigned'::text NOT NULL,
  ignored_words text[] DEFAULT '{}'::text[] NOT NULL
);

CREATE TABLE import_row (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  client_id text COLLATE "C",
  line integer NOT NULL,
  field text,
  item text COLLATE "C" NOT NULL,
  ordinal integer NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  code text COLLATE "C",
  detail text,
  needs text COLLATE "C",
  stated json NOT NULL,
  account_id text COLLATE "C",
  reference text COLLATE "C",
  target_type text COLLATE "C",
  target_id text COLLATE "C",
  target_version bigint,
  before json,
  undo text COLLATE "C",
  decision text COLLATE "C"
);

CREATE TABLE import_usage (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  stored_rows bigint NOT NULL,
  stored_bytes bigint NOT NULL,
  day date DEFAULT '1970-01-01'::date NOT NULL,
  day_rows bigint DEFAULT 0 NOT NULL
);

CREATE TABLE import_work (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  act text COLLATE "C" NOT NULL,
  file_name text,
  done_count integer NOT NULL,
  total_count integer,
  started_at timestamp with time zone NOT NULL,
  reported_at timestamp with time zone NOT NULL
);

CREATE TABLE instrument (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  reporting_entity_id text COLLATE "C",
  instrument_class_id text COLLATE "C",
  name text NOT NULL,
  external_identifier text COLLATE "C",
  ccy_code text COLLATE "C",
  price_unit text COLLATE "C" NOT NULL,
  issuer_country text COLLATE "C",
  tags text[] COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  ticker text COLLATE "C",
  exchange text COLLATE "C",
  isin text COLLATE "C",
  listing_currency text COLLATE "C",
  coupon numeric(38,18),
  maturity date,
  day_count_convention text COLLATE "C",
  coupon_frequency integer,
  dated_date date,
  first_coupon_date date,
  issue_price numeric(38,18),
  ex_dividend_days integer,
  reference_rate text,
  spread numeric(38,18),
  base_factor numeric(38,18),
  domicile text COLLATE "C",
  principal numeric(38,18),
  interest_rate numeric(38,18),
  start_date date,
  category text,
  rate numeric(38,18),
  basis numeric(38,18),
  frequency integer,
  metadata jsonb,
  near_leg jsonb,
  far_leg jsonb,
  settlement_date date,
  forward_rate numeric(38,18),
  commitment numeric(38,18),
  manager_name text,
  strategy text,
  vintage_year integer,
  schedule jsonb,
  sedol text COLLATE "C"
);

CREATE TABLE instrument_class (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
  lineage text[] COLLATE "C" NOT NULL,
  name text NOT NULL,
  path text[] NOT NULL,
  asset_class text COLLATE "C" NOT NULL,
  liquidity text COLLATE "C" NOT NULL,
  allowed_transaction_types text[] COLLATE "C" NOT NULL,
  valuation_basis text COLLATE "C" NOT NULL,
  performance_measure text COLLATE "C" NOT NULL,
  staleness_days integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  default_for text[] COLLATE "C" DEFAULT '{}'::text[] NOT NULL
);

CREATE TABLE instrument_word (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  instrument_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  word text COLLATE "C" NOT NULL
);

CREATE TABLE invite (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  identity_provider text COLLATE "C",
  email text,
  secret_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  accepted_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  is_own_address boolean DEFAULT false NOT NULL
);

CREATE TABLE ledger_copy (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  format integer NOT NULL,
  row_count integer NOT NULL,
  packed bytea NOT NULL
);

CREATE TABLE legal_entity (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE limit_rule (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  reporting_entity_id text COLLATE "C",
  name text NOT NULL,
  kind text COLLATE "C" NOT NULL,
  min_pct numeric(38,18),
  max_pct numeric(38,18),
  min_amount numeric(38,18),
  max_amount numeric(38,18),
  filter jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE limit_state (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  limit_id text COLLATE "C" NOT NULL,
  reporting_entity_id text COLLATE "C" NOT NULL,
  round_id text COLLATE "C",
  kind text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  reason text COLLATE "C",
  current_value numeric,
  bound text COLLATE "C",
  bound_value numeric(38,18),
  since timestamp with time zone NOT NULL,
  until timestamp with time zone,
  current_environment text COLLATE "C" GENERATED ALWAYS AS (
CASE
    WHEN (until IS NULL) THEN environment
    ELSE NULL::text
END) STORED,
  standing text COLLATE "C" GENERATED ALWAYS AS (
CASE
    WHEN (until IS NULL) THEN 'open'::text
    ELSE 'closed'::text
END) STORED NOT NULL
);

CREATE TABLE link_version (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  link text COLLATE "C" NOT NULL,
  one_id text COLLATE "C" NOT NULL,
  other_id text COLLATE "C" NOT NULL,
  known_from timestamp with time zone NOT NULL,
  known_until timestamp with time zone
);

CREATE TABLE log_shipment (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  log text COLLATE "C" NOT NULL,
  destination text COLLATE "C" NOT NULL,
  "position" bigint DEFAULT 0 NOT NULL,
  due_at timestamp with time zone NOT NULL,
  take_count bigint DEFAULT 0 NOT NULL,
  failure_count integer DEFAULT 0 NOT NULL
);

CREATE TABLE mail (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  person_id text COLLATE "C",
  invite_id text COLLATE "C",
  address_digest bytea NOT NULL,
  message_sealed bytea,
  created_at timestamp with time zone NOT NULL,
  attempt_count integer DEFAULT 0 NOT NULL,
  handed_at timestamp with time zone,
  next_attempt_at timestamp with time zone,
  sent_at timestamp with time zone,
  failed_at timestamp with time zone,
  failure text
);

CREATE TABLE membership (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  role text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  joined_at timestamp with time zone,
  disabled_at timestamp with time zone,
  contact_email text NOT NULL,
  address_key text COLLATE "C" NOT NULL
);

CREATE TABLE outbox (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  order_key text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  client_id text COLLATE "C",
  batch_id text COLLATE "C" NOT NULL,
  first_id text COLLATE "C" NOT NULL,
  last_id text COLLATE "C" NOT NULL
);

CREATE TABLE person (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  contact_email text NOT NULL,
  address_key text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE person_identity (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_signed_in_at timestamp with time zone NOT NULL
);

CREATE TABLE person_key (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  key_sealed bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  address_digest bytea
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

CREATE TABLE rate_ledger (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  version bigint NOT NULL
);

CREATE TABLE read_grant (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  reporting_entity_id text COLLATE "C" NOT NULL
);

CREATE TABLE reconciliation_break (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  place text COLLATE "C" GENERATED ALWAYS AS (((COALESCE(account_id, ''::text) || '/'::text) || COALESCE(depository_id, ''::text))) STORED NOT NULL,
  aspect text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  instrument_id text COLLATE "C",
  named jsonb,
  currency text COLLATE "C",
  class text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  date date NOT NULL,
  first_date date NOT NULL,
  stated numeric NOT NULL,
  ledger numeric,
  difference numeric NOT NULL,
  transaction_ids text[] COLLATE "C" NOT NULL,
  first_seen_at timestamp with time zone NOT NULL,
  opened_at timestamp with time zone NOT NULL,
  closed_at timestamp with time zone,
  note text,
  accepted_by text COLLATE "C",
  accepted_at timestamp with time zone,
  round_id text COLLATE "C"
);

CREATE TABLE record_version (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  table_name text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  version bigint NOT NULL,
  known_from timestamp with time zone NOT NULL,
  known_until timestamp with time zone,
  state jsonb NOT NULL
);

CREATE TABLE replaced_key (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  kept_sealed bytea NOT NULL
);

CREATE TABLE reporting_entity (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE request_count (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  day date NOT NULL,
  requests bigint NOT NULL,
  refused bigint NOT NULL,
  failed bigint NOT NULL
);

CREATE TABLE request_log (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  at timestamp with time zone NOT NULL,
  method text COLLATE "C" NOT NULL,
  route text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  status integer NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  code text COLLATE "C",
  duration_ms integer NOT NULL,
  credential_id text COLLATE "C",
  user_id text COLLATE "C",
  request_id text COLLATE "C" NOT NULL,
  trace_id text COLLATE "C",
  number bigint
);

CREATE TABLE request_log_end (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  number bigint NOT NULL
);

CREATE TABLE round_mark (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  since timestamp with time zone NOT NULL,
  causes text[] COLLATE "C" NOT NULL
);

CREATE TABLE sandbox_client (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  persona text COLLATE "C" NOT NULL,
  reporting_currency text COLLATE "C" NOT NULL,
  seed integer NOT NULL,
  start_date date NOT NULL,
  end_date date NOT NULL,
  records jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE schema_migration (
  version integer NOT NULL,
  name text NOT NULL,
  run_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE series_ledger (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  instrument_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  version bigint NOT NULL,
  known_until timestamp with time zone,
  current_environment text COLLATE "C" GENERATED ALWAYS AS (
CASE
    WHEN (known_until IS NULL) THEN environment
    ELSE NULL::text
END) STORED
);

CREATE TABLE series_point (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  instrument_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  kind text COLLATE "C" NOT NULL,
  date date NOT NULL,
  source text COLLATE "C" NOT NULL,
  value numeric(38,18) NOT NULL,
  known_from timestamp with time zone NOT NULL,
  known_until timestamp with time zone
);

CREATE TABLE session (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  secret_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  user_agent text
);

CREATE TABLE shared_round_mark (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  concerns text COLLATE "C" NOT NULL,
  cause text COLLATE "C" NOT NULL,
  since timestamp with time zone NOT NULL
);

CREATE TABLE signing_key (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  public_jwk jsonb NOT NULL,
  private_sealed bytea NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE stated_entry (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  reference text COLLATE "C" NOT NULL,
  content text COLLATE "C",
  date date,
  format text NOT NULL,
  digest text COLLATE "C",
  stated_at timestamp with time zone,
  is_derived boolean NOT NULL,
  is_cancelled boolean NOT NULL,
  is_reversal boolean NOT NULL,
  is_waiting boolean NOT NULL,
  transaction_id text COLLATE "C",
  import_id text COLLATE "C" NOT NULL
);

CREATE TABLE stated_holding (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  known_from timestamp with time zone NOT NULL,
  known_until timestamp with time zone,
  current_environment text COLLATE "C" GENERATED ALWAYS AS (
CASE
    WHEN (known_until IS NULL) THEN environment
    ELSE NULL::text
END) STORED,
  client_id text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  place text COLLATE "C" GENERATED ALWAYS AS (((COALESCE(account_id, ''::text) || '/'::text) || COALESCE(depository_id, ''::text))) STORED NOT NULL,
  instrument_id text COLLATE "C",
  named jsonb,
  subject text COLLATE "C" NOT NULL,
  date date NOT NULL,
  quantity numeric(38,18) NOT NULL,
  currency text COLLATE "C",
  price numeric(38,18),
  price_date date,
  value numeric(38,18),
  value_currency text COLLATE "C",
  cost numeric(38,18),
  stated_at timestamp with time zone
);

CREATE TABLE storage_measure (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  measured_at timestamp with time zone NOT NULL,
  took_ms integer NOT NULL,
  row_count bigint NOT NULL,
  bytes bigint NOT NULL,
  last_entry text COLLATE "C" NOT NULL
);

CREATE TABLE transaction (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  known_from timestamp with time zone NOT NULL,
  known_until timestamp with time zone,
  opened_version bigint NOT NULL,
  closed_version bigint,
  client_id text COLLATE "C",
  account_id text COLLATE "C",
  depository_id text COLLATE "C",
  instrument_id text COLLATE "C",
  counter_account_id text COLLATE "C",
  counter_depository_id text COLLATE "C",
  target_instrument_id text COLLATE "C",
  trade_id text COLLATE "C",
  kind text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  date date NOT NULL,
  settlement_date date,
  executed_at timestamp with time zone,
  amount numeric(38,18),
  currency text COLLATE "C",
  quantity numeric(38,18),
  price numeric(38,18),
  fees numeric(38,18),
  taxes numeric(38,18),
  accrued_interest numeric(38,18),
  exchange_rate numeric(38,18),
  value numeric(38,18) NOT NULL,
  unexplained numeric(38,18) NOT NULL,
  counter_amount numeric(38,18),
  counter_ccy_code text COLLATE "C",
  rate numeric(38,18),
  period_start date,
  period_end date,
  effect_on_unfunded numeric(38,18),
  recallable_amount numeric(38,18),
  action text COLLATE "C",
  ratio text COLLATE "C",
  cost_share numeric(38,18),
  cash_in_lieu_quantity numeric(38,18),
  lots jsonb,
  acquired jsonb,
  category text,
  comment text,
  source text COLLATE "C" NOT NULL,
  external_reference text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  tenant_prefix integer GENERATED ALWAYS AS ((((('x'::text || "right"(workspace_id, 8)))::bit(32))::integer #
CASE environment
    WHEN 'sandbox'::text THEN 1
    ELSE 0
END)) STORED NOT NULL,
  reverses_transaction_id text COLLATE "C"
);

CREATE TABLE unchained_audit_entry (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  entry_id text COLLATE "C" NOT NULL
);

CREATE TABLE upload_ledger (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL
);

CREATE TABLE used_assertion (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  token_id_hash bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL
);

CREATE TABLE webhook (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  url text NOT NULL,
  events text[] COLLATE "C" NOT NULL,
  scheme text COLLATE "C" NOT NULL,
  secret_sealed bytea,
  previous_secret_sealed bytea,
  previous_secret_until timestamp with time zone,
  state text COLLATE "C" NOT NULL,
  disabled_reason text COLLATE "C",
  disabled_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE webhook_key (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  public_jwk jsonb NOT NULL,
  private_sealed bytea,
  created_at timestamp with time zone NOT NULL,
  retired_at timestamp with time zone
);

CREATE TABLE workspace (
  workspace_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  state text COLLATE "C" DEFAULT 'active'::text NOT NULL,
  state_since timestamp with time zone,
  import_rows_max bigint,
  import_bytes_max bigint,
  requests_per_minute bigint,
  burst bigint,
  storage_bytes_max bigint,
  import_rows_per_day bigint,
  request_log_days bigint,
  event_days bigint,
  round_days bigint,
  limit_days bigint,
  audit_days bigint,
  unbooked_import_days bigint
);

CREATE TABLE workspace_administrator (
  workspace_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  joined_at timestamp with time zone
);

ALTER TABLE account ADD CONSTRAINT account_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE account ADD CONSTRAINT account_workspace_id_environment_client_id_id_key UNIQUE (workspace_id, environment, client_id, id);
ALTER TABLE account_depository ADD CONSTRAINT account_depository_pkey PRIMARY KEY (workspace_id, account_id, depository_id);
ALTER TABLE account_ledger ADD CONSTRAINT account_ledger_pkey PRIMARY KEY (workspace_id, environment, account_id);
ALTER TABLE administrator_link ADD CONSTRAINT administrator_link_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE administrator_link ADD CONSTRAINT administrator_link_check CHECK (((accepted_at IS NULL) OR (cancelled_at IS NULL)));
ALTER TABLE announced_holding ADD CONSTRAINT announced_holding_pkey PRIMARY KEY (workspace_id, environment, client_id, reporting_entity_id, instrument);
ALTER TABLE audit_chain ADD CONSTRAINT audit_chain_pkey PRIMARY KEY (workspace_id, environment);
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_act_check CHECK ((act = ANY (ARRAY['create'::text, 'change'::text, 'delete'::text, 'sign-in'::text, 'sign-out'::text, 'export'::text])));
ALTER TABLE audit_link ADD CONSTRAINT audit_link_pkey PRIMARY KEY (workspace_id, environment, number);
ALTER TABLE audit_link ADD CONSTRAINT audit_link_number_check CHECK ((number > 0));
ALTER TABLE auth_flow ADD CONSTRAINT auth_flow_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE auth_flow ADD CONSTRAINT auth_flow_workspace_id_environment_client_id_id_key UNIQUE (workspace_id, environment, client_id, id);
ALTER TABLE auth_flow ADD CONSTRAINT auth_flow_check CHECK (((pending_sealed IS NULL) = (pending_until IS NULL)));
ALTER TABLE auth_flow ADD CONSTRAINT auth_flow_purpose_check CHECK ((purpose = ANY (ARRAY['grant'::text, 'reconnect'::text])));
ALTER TABLE auth_flow ADD CONSTRAINT auth_flow_state_check CHECK ((state = ANY (ARRAY['waiting-for-files'::text, 'waiting-for-consent'::text, 'awaiting-operator'::text, 'awaiting-custodian'::text, 'active'::text, 'revoke-in-progress'::text, 'revoked'::text, 'cancelled'::text])));
ALTER TABLE auth_flow_file ADD CONSTRAINT auth_flow_file_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE authority ADD CONSTRAINT authority_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE authority ADD CONSTRAINT authority_workspace_id_environment_client_id_id_key UNIQUE (workspace_id, environment, client_id, id);
ALTER TABLE authority ADD CONSTRAINT authority_check CHECK (((broken_at IS NULL) = (broken_reason IS NULL)));
ALTER TABLE authority ADD CONSTRAINT authority_state_check CHECK ((state = ANY (ARRAY['waiting-for-files'::text, 'waiting-for-consent'::text, 'awaiting-operator'::text, 'awaiting-custodian'::text, 'active'::text, 'revoke-in-progress'::text, 'revoked'::text, 'cancelled'::text])));
ALTER TABLE authority_account ADD CONSTRAINT authority_account_pkey PRIMARY KEY (workspace_id, authority_id, account_id);
ALTER TABLE authority_account ADD CONSTRAINT authority_account_workspace_id_account_id_key UNIQUE (workspace_id, account_id);
ALTER TABLE authority_depository ADD CONSTRAINT authority_depository_pkey PRIMARY KEY (workspace_id, authority_id, depository_id);
ALTER TABLE authority_depository ADD CONSTRAINT authority_depository_workspace_id_depository_id_key UNIQUE (workspace_id, depository_id);
ALTER TABLE authority_warning ADD CONSTRAINT authority_warning_pkey PRIMARY KEY (workspace_id, environment, authority_id, expires_at, days);
ALTER TABLE booking_count ADD CONSTRAINT booking_count_pkey PRIMARY KEY (workspace_id, environment, client_id);
ALTER TABLE budget ADD CONSTRAINT budget_pkey PRIMARY KEY (workspace_id, environment, subject);
ALTER TABLE calculation_round ADD CONSTRAINT calculation_round_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE calculation_round ADD CONSTRAINT calculation_round_attempts_check CHECK ((attempts > 0));
ALTER TABLE calculation_round ADD CONSTRAINT calculation_round_check CHECK (((state = 'finished'::text) = (finished_at IS NOT NULL)));
ALTER TABLE calculation_round ADD CONSTRAINT calculation_round_check1 CHECK (((state = 'failed'::text) = (error IS NOT NULL)));
ALTER TABLE calculation_round ADD CONSTRAINT calculation_round_state_check CHECK ((state = ANY (ARRAY['running'::text, 'finished'::text, 'failed'::text])));
ALTER TABLE client ADD CONSTRAINT client_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE client ADD CONSTRAINT client_accounting_method_check CHECK ((accounting_method = ANY (ARRAY['FIFO'::text, 'AVERAGE'::text, 'SPECIFIC_ID'::text])));
ALTER TABLE client ADD CONSTRAINT client_check CHECK ((parent_id <> id));
ALTER TABLE client ADD CONSTRAINT client_check1 CHECK ((path[cardinality(path)] = id));
ALTER TABLE client ADD CONSTRAINT client_check2 CHECK ((NOT (parent_id IS DISTINCT FROM path[(cardinality(path) - 1)])));
ALTER TABLE client ADD CONSTRAINT client_long_term_months_check CHECK (((long_term_months >= 1) AND (long_term_months <= 1200)));
ALTER TABLE client ADD CONSTRAINT client_stale_days_funds_check CHECK (((stale_days_funds >= 1) AND (stale_days_funds <= 3650)));
ALTER TABLE client ADD CONSTRAINT client_stale_days_listed_check CHECK (((stale_days_listed >= 1) AND (stale_days_listed <= 3650)));
ALTER TABLE client ADD CONSTRAINT client_stale_days_private_check CHECK (((stale_days_private >= 1) AND (stale_days_private <= 3650)));
ALTER TABLE client ADD CONSTRAINT client_value_change_bound_check CHECK ((value_change_bound > (0)::numeric));
ALTER TABLE client ADD CONSTRAINT client_volatility_days_check CHECK (((volatility_days >= 1) AND (volatility_days <= 366)));
ALTER TABLE credential ADD CONSTRAINT credential_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE credential ADD CONSTRAINT credential_workspace_id_client_id_key UNIQUE (workspace_id, client_id);
ALTER TABLE credential ADD CONSTRAINT credential_check CHECK (((kind = 'application'::text) = (client_id IS NOT NULL)));
ALTER TABLE credential ADD CONSTRAINT credential_check1 CHECK (((kind = 'application'::text) = ((secret_salt IS NOT NULL) AND (secret_hash IS NOT NULL))));
ALTER TABLE credential ADD CONSTRAINT credential_check2 CHECK (((kind <> 'application'::text) = (public_jwk IS NOT NULL)));
ALTER TABLE credential ADD CONSTRAINT credential_kind_check CHECK ((kind = ANY (ARRAY['application'::text, 'rsa-key'::text, 'ec-key'::text])));
ALTER TABLE credential ADD CONSTRAINT credential_rights_check CHECK (((rights <@ ARRAY['read'::text, 'write'::text, 'admin'::text]) AND (cardinality(rights) > 0)));
ALTER TABLE custodian ADD CONSTRAINT custodian_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE custodian ADD CONSTRAINT custodian_workspace_id_environment_folded_name_key UNIQUE (workspace_id, environment, folded_name);
ALTER TABLE custodian ADD CONSTRAINT custodian_accounting_method_check CHECK ((accounting_method = ANY (ARRAY['FIFO'::text, 'AVERAGE'::text, 'SPECIFIC_ID'::text])));
ALTER TABLE custodian ADD CONSTRAINT custodian_check CHECK ((has_oauth_client_secret = (oauth_client_secret_sealed IS NOT NULL)));
ALTER TABLE custodian ADD CONSTRAINT custodian_consent_days_check CHECK ((consent_days > 0));
ALTER TABLE delivery ADD CONSTRAINT delivery_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE delivery ADD CONSTRAINT delivery_workspace_id_event_id_webhook_id_key UNIQUE (workspace_id, event_id, webhook_id);
ALTER TABLE delivery ADD CONSTRAINT delivery_check CHECK (((state = 'pending'::text) = (ended_at IS NULL)));
ALTER TABLE delivery ADD CONSTRAINT delivery_check1 CHECK (((attempt_at IS NULL) OR ((state = 'delivered'::text) AND (attempt_status IS NOT NULL) AND (attempt_ms IS NOT NULL))));
ALTER TABLE delivery ADD CONSTRAINT delivery_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])));
ALTER TABLE delivery_attempt ADD CONSTRAINT delivery_attempt_pkey PRIMARY KEY (workspace_id, environment, delivery_id, number);
ALTER TABLE delivery_attempt ADD CONSTRAINT delivery_attempt_check CHECK (((status IS NULL) = (error IS NOT NULL)));
ALTER TABLE delivery_queue ADD CONSTRAINT delivery_queue_pkey PRIMARY KEY (workspace_id, environment, webhook_id, order_key);
ALTER TABLE depository ADD CONSTRAINT depository_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE depository ADD CONSTRAINT depository_workspace_id_environment_client_id_id_key UNIQUE (workspace_id, environment, client_id, id);
ALTER TABLE disabled_former_member ADD CONSTRAINT disabled_former_member_pkey PRIMARY KEY (workspace_id, environment, client_id, person_id);
ALTER TABLE environment ADD CONSTRAINT environment_pkey PRIMARY KEY (workspace_id, environment);
ALTER TABLE environment ADD CONSTRAINT environment_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text])));
ALTER TABLE event ADD CONSTRAINT event_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE event ADD CONSTRAINT event_check CHECK (((transaction_id IS NULL) = (transaction_version IS NULL)));
ALTER TABLE event ADD CONSTRAINT event_check1 CHECK (((transaction_id IS NULL) = (data IS NOT NULL)));
ALTER TABLE event_order ADD CONSTRAINT event_order_pkey PRIMARY KEY (workspace_id, environment, order_key);
ALTER TABLE event_order ADD CONSTRAINT event_order_check CHECK ((order_key = COALESCE(client_id, ''::text)));
ALTER TABLE feed_run ADD CONSTRAINT feed_run_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE feed_run ADD CONSTRAINT feed_run_check CHECK (((state = ANY (ARRAY['finished'::text, 'failed'::text])) = (finished_at IS NOT NULL)));
ALTER TABLE feed_run ADD CONSTRAINT feed_run_check1 CHECK (((state = 'running'::text) = (lease_until IS NOT NULL)));
ALTER TABLE feed_run ADD CONSTRAINT feed_run_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'finished'::text, 'failed'::text])));
ALTER TABLE fx_rate ADD CONSTRAINT fx_rate_pkey PRIMARY KEY (workspace_id, environment, id, known_from);
ALTER TABLE fx_rate ADD CONSTRAINT fx_rate_check CHECK ((base <> quote));
ALTER TABLE fx_rate ADD CONSTRAINT fx_rate_check1 CHECK ((known_until > known_from));
ALTER TABLE fx_rate ADD CONSTRAINT fx_rate_rate_check CHECK ((rate > (0)::numeric));
ALTER TABLE fx_rate ADD CONSTRAINT fx_rate_source_check CHECK ((source = ANY (ARRAY['reference'::text, 'custodian'::text, 'manual'::text])));
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_pkey PRIMARY KEY (workspace_id, environment, id, known_from);
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_check CHECK (((kind = 'instrument'::text) = (account_id IS NULL)));
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_check1 CHECK (((kind = 'instrument'::text) = (depository_id IS NOT NULL)));
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_check2 CHECK (((kind = 'instrument'::text) = (instrument_id IS NOT NULL)));
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_check3 CHECK (((kind = 'instrument'::text) = (units IS NOT NULL)));
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_check4 CHECK (((kind = 'instrument'::text) = (accrued_interest IS NOT NULL)));
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_check5 CHECK (((kind = 'instrument'::text) OR (currency_exchange_rate IS NULL)));
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_check6 CHECK (((currency_exchange_rate IS NULL) = (reporting_currency_code IS NULL)));
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_check7 CHECK (((kind <> 'fee'::text) OR (market_value >= (0)::numeric)));
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_check8 CHECK ((known_until > known_from));
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_currency_exchange_rate_check CHECK ((currency_exchange_rate > (0)::numeric));
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_kind_check CHECK ((kind = ANY (ARRAY['account'::text, 'fee'::text, 'instrument'::text])));
ALTER TABLE idempotent_answer ADD CONSTRAINT idempotent_answer_pkey PRIMARY KEY (workspace_id, environment, key_hash);
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_check CHECK (((account_id IS NOT NULL) = (kind = 'account'::text)));
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_check1 CHECK (((depository_id IS NOT NULL) = (kind = 'depository'::text)));
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_check2 CHECK (((instrument_id IS NOT NULL) = (kind = 'instrument'::text)));
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_check3 CHECK (((client_id IS NOT NULL) OR (kind = ANY (ARRAY['instrument'::text, 'type'::text]))));
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_check4 CHECK (((transaction_type IS NOT NULL) = (kind = 'type'::text)));
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_check5 CHECK (((action IS NULL) OR (transaction_type = 'corporate-action'::text)));
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_kind_check CHECK ((kind = ANY (ARRAY['account'::text, 'depository'::text, 'instrument'::text, 'type'::text])));
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_scheme_check CHECK ((scheme = ANY (ARRAY['number'::text, 'isin'::text, 'cusip'::text, 'sedol'::text, 'ticker'::text, 'custodian-code'::text, 'name'::text, 'word'::text])));
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_source_check CHECK ((source = ANY (ARRAY['learned'::text, 'manual'::text])));
ALTER TABLE import ADD CONSTRAINT import_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE import ADD CONSTRAINT import_check CHECK ((row_count = ((((booked_count + amended_count) + unchanged_count) + refused_count) + needs_count)));
ALTER TABLE import ADD CONSTRAINT import_check1 CHECK (((state = 'checked'::text) = (booked_at IS NULL)));
ALTER TABLE import ADD CONSTRAINT import_check2 CHECK (((state = 'undone'::text) = (undone_at IS NOT NULL)));
ALTER TABLE import ADD CONSTRAINT import_origin_check CHECK ((origin = ANY (ARRAY['file'::text, 'feed'::text])));
ALTER TABLE import ADD CONSTRAINT import_state_check CHECK ((state = ANY (ARRAY['checked'::text, 'booked'::text, 'undone'::text])));
ALTER TABLE import_profile ADD CONSTRAINT import_profile_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE import_row ADD CONSTRAINT import_row_pkey PRIMARY KEY (workspace_id, environment, import_id, number);
ALTER TABLE import_row ADD CONSTRAINT import_row_check CHECK (((outcome = 'needs'::text) = (needs IS NOT NULL)));
ALTER TABLE import_row ADD CONSTRAINT import_row_decision_check CHECK ((decision = ANY (ARRAY['same'::text, 'another'::text])));
ALTER TABLE import_row ADD CONSTRAINT import_row_outcome_check CHECK ((outcome = ANY (ARRAY['booked'::text, 'amended'::text, 'unchanged'::text, 'refused'::text, 'needs'::text])));
ALTER TABLE import_row ADD CONSTRAINT import_row_undo_check CHECK ((undo = ANY (ARRAY['closed'::text, 'restored'::text, 'kept'::text])));
ALTER TABLE import_usage ADD CONSTRAINT import_usage_pkey PRIMARY KEY (workspace_id, environment);
ALTER TABLE import_work ADD CONSTRAINT import_work_pkey PRIMARY KEY (workspace_id, environment, import_id);
ALTER TABLE import_work ADD CONSTRAINT import_work_act_check CHECK ((act = ANY (ARRAY['check'::text, 'book'::text, 'undo'::text])));
ALTER TABLE instrument ADD CONSTRAINT instrument_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE instrument ADD CONSTRAINT instrument_check CHECK (((client_id IS NULL) = (reporting_entity_id IS NULL)));
ALTER TABLE instrument_class ADD CONSTRAINT instrument_class_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE instrument_word ADD CONSTRAINT instrument_word_pkey PRIMARY KEY (workspace_id, environment, word, instrument_id);
ALTER TABLE invite ADD CONSTRAINT invite_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE invite ADD CONSTRAINT invite_check CHECK (((accepted_at IS NULL) OR (cancelled_at IS NULL)));
ALTER TABLE invite ADD CONSTRAINT invite_identity_provider_check CHECK ((identity_provider = ANY (ARRAY['provider_a'::text, 'provider_b'::text, 'provider_c'::text])));
ALTER TABLE invite ADD CONSTRAINT invite_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'advisor'::text, 'admin'::text])));
ALTER TABLE ledger_copy ADD CONSTRAINT ledger_copy_pkey PRIMARY KEY (workspace_id, environment, account_id);
ALTER TABLE legal_entity ADD CONSTRAINT legal_entity_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE legal_entity ADD CONSTRAINT legal_entity_workspace_id_environment_client_id_id_key UNIQUE (workspace_id, environment, client_id, id);
ALTER TABLE limit_rule ADD CONSTRAINT limit_rule_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE limit_rule ADD CONSTRAINT limit_rule_workspace_id_environment_client_id_id_key UNIQUE (workspace_id, environment, client_id, id);
ALTER TABLE limit_rule ADD CONSTRAINT limit_rule_check CHECK (((kind = 'proportional'::text) OR ((min_pct IS NULL) AND (max_pct IS NULL))));
ALTER TABLE limit_rule ADD CONSTRAINT limit_rule_check1 CHECK (((kind = 'absolute'::text) OR ((min_amount IS NULL) AND (max_amount IS NULL))));
ALTER TABLE limit_rule ADD CONSTRAINT limit_rule_check2 CHECK ((COALESCE(min_pct, max_pct, min_amount, max_amount) IS NOT NULL));
ALTER TABLE limit_rule ADD CONSTRAINT limit_rule_check3 CHECK ((min_pct <= max_pct));
ALTER TABLE limit_rule ADD CONSTRAINT limit_rule_check4 CHECK ((min_amount <= max_amount));
ALTER TABLE limit_rule ADD CONSTRAINT limit_rule_kind_check CHECK ((kind = ANY (ARRAY['proportional'::text, 'absolute'::text])));
ALTER TABLE limit_state ADD CONSTRAINT limit_state_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE limit_state ADD CONSTRAINT limit_state_bound_check CHECK ((bound = ANY (ARRAY['min'::text, 'max'::text])));
ALTER TABLE limit_state ADD CONSTRAINT limit_state_check CHECK (((state = 'not_evaluable'::text) = (reason IS NOT NULL)));
ALTER TABLE limit_state ADD CONSTRAINT limit_state_check1 CHECK (((state = 'not_evaluable'::text) = (current_value IS NULL)));
ALTER TABLE limit_state ADD CONSTRAINT limit_state_check2 CHECK ((until > since));
ALTER TABLE limit_state ADD CONSTRAINT limit_state_state_check CHECK ((state = ANY (ARRAY['compliant'::text, 'breached'::text, 'not_evaluable'::text])));
ALTER TABLE link_version ADD CONSTRAINT link_version_pkey PRIMARY KEY (workspace_id, environment, link, one_id, other_id, known_from);
ALTER TABLE link_version ADD CONSTRAINT link_version_check CHECK ((known_until > known_from));
ALTER TABLE log_shipment ADD CONSTRAINT log_shipment_pkey PRIMARY KEY (workspace_id, environment, log, destination);
ALTER TABLE log_shipment ADD CONSTRAINT log_shipment_destination_check CHECK ((destination = ANY (ARRAY['https'::text, 'file'::text, 'syslog'::text, 'otlp'::text])));
ALTER TABLE log_shipment ADD CONSTRAINT log_shipment_log_check CHECK ((log = ANY (ARRAY['audit'::text, 'requests'::text])));
ALTER TABLE mail ADD CONSTRAINT mail_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE mail ADD CONSTRAINT mail_check CHECK ((num_nonnulls(next_attempt_at, sent_at, failed_at) = 1));
ALTER TABLE mail ADD CONSTRAINT mail_check1 CHECK (((message_sealed IS NULL) = (next_attempt_at IS NULL)));
ALTER TABLE mail ADD CONSTRAINT mail_check2 CHECK (((failure IS NULL) = (failed_at IS NULL)));
ALTER TABLE membership ADD CONSTRAINT membership_pkey PRIMARY KEY (workspace_id, environment, client_id, person_id);
ALTER TABLE membership ADD CONSTRAINT membership_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'advisor'::text, 'admin'::text])));
ALTER TABLE outbox ADD CONSTRAINT outbox_pkey PRIMARY KEY (workspace_id, environment, order_key, number);
ALTER TABLE outbox ADD CONSTRAINT outbox_check CHECK ((order_key = COALESCE(client_id, ''::text)));
ALTER TABLE person ADD CONSTRAINT person_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE person ADD CONSTRAINT person_workspace_id_environment_address_key_key UNIQUE (workspace_id, environment, address_key);
ALTER TABLE person_identity ADD CONSTRAINT person_identity_pkey PRIMARY KEY (workspace_id, environment, issuer, subject);
ALTER TABLE person_key ADD CONSTRAINT person_key_pkey PRIMARY KEY (workspace_id, environment, person_id);
ALTER TABLE portfolio ADD CONSTRAINT portfolio_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE portfolio ADD CONSTRAINT portfolio_workspace_id_environment_client_id_id_key UNIQUE (workspace_id, environment, client_id, id);
ALTER TABLE portfolio_account ADD CONSTRAINT portfolio_account_pkey PRIMARY KEY (workspace_id, portfolio_id, account_id);
ALTER TABLE portfolio_depository ADD CONSTRAINT portfolio_depository_pkey PRIMARY KEY (workspace_id, portfolio_id, depository_id);
ALTER TABLE rate_ledger ADD CONSTRAINT rate_ledger_pkey PRIMARY KEY (workspace_id, environment);
ALTER TABLE read_grant ADD CONSTRAINT read_grant_pkey PRIMARY KEY (workspace_id, environment, person_id, reporting_entity_id);
ALTER TABLE reconciliation_break ADD CONSTRAINT reconciliation_break_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE reconciliation_break ADD CONSTRAINT reconciliation_break_workspace_id_environment_client_id_pla_key UNIQUE (workspace_id, environment, client_id, place, aspect, subject);
ALTER TABLE reconciliation_break ADD CONSTRAINT reconciliation_break_aspect_check CHECK ((aspect = ANY (ARRAY['units'::text, 'cash'::text, 'price'::text])));
ALTER TABLE reconciliation_break ADD CONSTRAINT reconciliation_break_check CHECK ((COALESCE(account_id, depository_id) IS NOT NULL));
ALTER TABLE reconciliation_break ADD CONSTRAINT reconciliation_break_check1 CHECK (((state = 'closed'::text) = (closed_at IS NOT NULL)));
ALTER TABLE reconciliation_break ADD CONSTRAINT reconciliation_break_check2 CHECK (((state = 'accepted'::text) <= (accepted_at IS NOT NULL)));
ALTER TABLE reconciliation_break ADD CONSTRAINT reconciliation_break_class_check CHECK ((class = ANY (ARRAY['missing-trade'::text, 'quantity'::text, 'price'::text, 'cash'::text, 'unknown-instrument'::text, 'timing'::text])));
ALTER TABLE reconciliation_break ADD CONSTRAINT reconciliation_break_state_check CHECK ((state = ANY (ARRAY['open'::text, 'accepted'::text, 'closed'::text])));
ALTER TABLE record_version ADD CONSTRAINT record_version_pkey PRIMARY KEY (workspace_id, environment, table_name, id, known_from);
ALTER TABLE record_version ADD CONSTRAINT record_version_check CHECK ((known_until > known_from));
ALTER TABLE replaced_key ADD CONSTRAINT replaced_key_pkey PRIMARY KEY (workspace_id, environment, fingerprint);
ALTER TABLE reporting_entity ADD CONSTRAINT reporting_entity_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE reporting_entity ADD CONSTRAINT reporting_entity_workspace_id_environment_client_id_id_key UNIQUE (workspace_id, environment, client_id, id);
ALTER TABLE request_count ADD CONSTRAINT request_count_pkey PRIMARY KEY (workspace_id, environment, day);
ALTER TABLE request_log ADD CONSTRAINT request_log_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE request_log ADD CONSTRAINT request_log_code_check CHECK ((length(code) <= 64));
ALTER TABLE request_log ADD CONSTRAINT request_log_method_check CHECK ((length(method) <= 10));
ALTER TABLE request_log ADD CONSTRAINT request_log_outcome_check CHECK ((outcome = ANY (ARRAY['answered'::text, 'refused'::text, 'failed'::text])));
ALTER TABLE request_log ADD CONSTRAINT request_log_path_check CHECK ((length(path) <= 300));
ALTER TABLE request_log ADD CONSTRAINT request_log_request_id_check CHECK ((length(request_id) <= 128));
ALTER TABLE request_log ADD CONSTRAINT request_log_route_check CHECK ((length(route) <= 200));
ALTER TABLE request_log_end ADD CONSTRAINT request_log_end_pkey PRIMARY KEY (workspace_id, environment);
ALTER TABLE round_mark ADD CONSTRAINT round_mark_pkey PRIMARY KEY (workspace_id, environment, client_id);
ALTER TABLE sandbox_client ADD CONSTRAINT sandbox_client_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE sandbox_client ADD CONSTRAINT sandbox_client_check CHECK ((client_id = id));
ALTER TABLE sandbox_client ADD CONSTRAINT sandbox_client_check1 CHECK ((end_date >= start_date));
ALTER TABLE schema_migration ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (version);
ALTER TABLE series_ledger ADD CONSTRAINT series_ledger_pkey PRIMARY KEY (workspace_id, environment, instrument_id);
ALTER TABLE series_point ADD CONSTRAINT series_point_pkey PRIMARY KEY (workspace_id, environment, id, known_from);
ALTER TABLE series_point ADD CONSTRAINT series_point_check CHECK ((known_until > known_from));
ALTER TABLE series_point ADD CONSTRAINT series_point_kind_check CHECK ((kind = ANY (ARRAY['price'::text, 'net-asset-value'::text, 'interest-rate'::text, 'index-factor'::text])));
ALTER TABLE series_point ADD CONSTRAINT series_point_source_check CHECK ((source = ANY (ARRAY['reference'::text, 'custodian'::text, 'manual'::text])));
ALTER TABLE session ADD CONSTRAINT session_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE shared_round_mark ADD CONSTRAINT shared_round_mark_pkey PRIMARY KEY (workspace_id, environment, concerns, cause);
ALTER TABLE signing_key ADD CONSTRAINT signing_key_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE stated_entry ADD CONSTRAINT stated_entry_pkey PRIMARY KEY (workspace_id, environment, account_id, reference);
ALTER TABLE stated_holding ADD CONSTRAINT stated_holding_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE stated_holding ADD CONSTRAINT stated_holding_check CHECK ((COALESCE(account_id, depository_id) IS NOT NULL));
ALTER TABLE stated_holding ADD CONSTRAINT stated_holding_check1 CHECK (((kind = 'units'::text) OR ((account_id IS NOT NULL) AND (currency IS NOT NULL))));
ALTER TABLE stated_holding ADD CONSTRAINT stated_holding_check2 CHECK (((kind = 'cash'::text) OR (COALESCE(instrument_id, (named)::text) IS NOT NULL)));
ALTER TABLE stated_holding ADD CONSTRAINT stated_holding_check3 CHECK ((known_until > known_from));
ALTER TABLE stated_holding ADD CONSTRAINT stated_holding_kind_check CHECK ((kind = ANY (ARRAY['units'::text, 'cash'::text])));
ALTER TABLE storage_measure ADD CONSTRAINT storage_measure_pkey PRIMARY KEY (workspace_id, environment);
ALTER TABLE transaction ADD CONSTRAINT transaction_check CHECK (((account_id IS NOT NULL) OR (kind = 'corporate-action'::text)));
ALTER TABLE transaction ADD CONSTRAINT transaction_check1 CHECK (((client_id IS NOT NULL) OR (account_id IS NULL)));
ALTER TABLE unchained_audit_entry ADD CONSTRAINT unchained_audit_entry_pkey PRIMARY KEY (workspace_id, environment, entry_id);
ALTER TABLE upload_ledger ADD CONSTRAINT upload_ledger_pkey PRIMARY KEY (workspace_id, environment, client_id);
ALTER TABLE used_assertion ADD CONSTRAINT used_assertion_pkey PRIMARY KEY (workspace_id, environment, token_id_hash);
ALTER TABLE webhook ADD CONSTRAINT webhook_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE webhook ADD CONSTRAINT webhook_check CHECK (((scheme = 'hmac'::text) = (secret_sealed IS NOT NULL)));
ALTER TABLE webhook ADD CONSTRAINT webhook_check1 CHECK (((previous_secret_sealed IS NULL) = (previous_secret_until IS NULL)));
ALTER TABLE webhook ADD CONSTRAINT webhook_check2 CHECK (((state = 'disabled'::text) = ((disabled_reason IS NOT NULL) AND (disabled_at IS NOT NULL))));
ALTER TABLE webhook ADD CONSTRAINT webhook_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['asked'::text, 'gone'::text])));
ALTER TABLE webhook ADD CONSTRAINT webhook_events_check CHECK ((cardinality(events) > 0));
ALTER TABLE webhook ADD CONSTRAINT webhook_scheme_check CHECK ((scheme = ANY (ARRAY['hmac'::text, 'standard'::text])));
ALTER TABLE webhook ADD CONSTRAINT webhook_state_check CHECK ((state = ANY (ARRAY['enabled'::text, 'disabled'::text])));
ALTER TABLE webhook_key ADD CONSTRAINT webhook_key_pkey PRIMARY KEY (workspace_id, environment, id);
ALTER TABLE webhook_key ADD CONSTRAINT webhook_key_check CHECK (((retired_at IS NOT NULL) OR (private_sealed IS NOT NULL)));
ALTER TABLE workspace ADD CONSTRAINT workspace_pkey PRIMARY KEY (workspace_id);
ALTER TABLE workspace ADD CONSTRAINT workspace_audit_days_check CHECK ((audit_days >= 30));
ALTER TABLE workspace ADD CONSTRAINT workspace_burst_check CHECK ((burst >= 1));
ALTER TABLE workspace ADD CONSTRAINT workspace_event_days_check CHECK ((event_days >= 2));
ALTER TABLE workspace ADD CONSTRAINT workspace_import_bytes_max_check CHECK ((import_bytes_max >= 0));
ALTER TABLE workspace ADD CONSTRAINT workspace_import_rows_max_check CHECK ((import_rows_max >= 0));
ALTER TABLE workspace ADD CONSTRAINT workspace_import_rows_per_day_check CHECK ((import_rows_per_day >= 0));
ALTER TABLE workspace ADD CONSTRAINT workspace_limit_days_check CHECK ((limit_days >= 2));
ALTER TABLE workspace ADD CONSTRAINT workspace_request_log_days_check CHECK ((request_log_days >= 1));
ALTER TABLE workspace ADD CONSTRAINT workspace_requests_per_minute_check CHECK ((requests_per_minute >= 1));
ALTER TABLE workspace ADD CONSTRAINT workspace_round_days_check CHECK ((round_days >= 2));
ALTER TABLE workspace ADD CONSTRAINT workspace_state_check CHECK ((state = ANY (ARRAY['active'::text, 'suspended'::text, 'closed'::text, 'erasing'::text])));
ALTER TABLE workspace ADD CONSTRAINT workspace_storage_bytes_max_check CHECK ((storage_bytes_max >= 0));
ALTER TABLE workspace ADD CONSTRAINT workspace_unbooked_import_days_check CHECK ((unbooked_import_days >= 1));
ALTER TABLE workspace_administrator ADD CONSTRAINT workspace_administrator_pkey PRIMARY KEY (workspace_id, environment, person_id);
ALTER TABLE account ADD CONSTRAINT account_workspace_id_environment_client_id_legal_entity_id_fkey FOREIGN KEY (workspace_id, environment, client_id, legal_entity_id) REFERENCES legal_entity(workspace_id, environment, client_id, id);
ALTER TABLE account ADD CONSTRAINT account_workspace_id_environment_custodian_id_fkey FOREIGN KEY (workspace_id, environment, custodian_id) REFERENCES custodian(workspace_id, environment, id);
ALTER TABLE account_depository ADD CONSTRAINT account_depository_workspace_id_environment_client_id_acco_fkey FOREIGN KEY (workspace_id, environment, client_id, account_id) REFERENCES account(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE account_depository ADD CONSTRAINT account_depository_workspace_id_environment_client_id_depo_fkey FOREIGN KEY (workspace_id, environment, client_id, depository_id) REFERENCES depository(workspace_id, environment, client_id, id);
ALTER TABLE account_ledger ADD CONSTRAINT account_ledger_workspace_id_environment_client_id_account__fkey FOREIGN KEY (workspace_id, environment, client_id, account_id) REFERENCES account(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE administrator_link ADD CONSTRAINT administrator_link_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE administrator_link ADD CONSTRAINT administrator_link_workspace_id_environment_person_id_fkey FOREIGN KEY (workspace_id, environment, person_id) REFERENCES workspace_administrator(workspace_id, environment, person_id) ON DELETE CASCADE;
ALTER TABLE announced_holding ADD CONSTRAINT announced_holding_workspace_id_environment_client_id_repor_fkey FOREIGN KEY (workspace_id, environment, client_id, reporting_entity_id) REFERENCES reporting_entity(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE audit_chain ADD CONSTRAINT audit_chain_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE auth_flow ADD CONSTRAINT auth_flow_workspace_id_environment_client_id_authority_id_fkey FOREIGN KEY (workspace_id, environment, client_id, authority_id) REFERENCES authority(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE auth_flow ADD CONSTRAINT auth_flow_workspace_id_environment_client_id_depository_id_fkey FOREIGN KEY (workspace_id, environment, client_id, depository_id) REFERENCES depository(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE auth_flow ADD CONSTRAINT auth_flow_workspace_id_environment_client_id_legal_entity__fkey FOREIGN KEY (workspace_id, environment, client_id, legal_entity_id) REFERENCES legal_entity(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE auth_flow ADD CONSTRAINT auth_flow_workspace_id_environment_custodian_id_fkey FOREIGN KEY (workspace_id, environment, custodian_id) REFERENCES custodian(workspace_id, environment, id);
ALTER TABLE auth_flow ADD CONSTRAINT auth_flow_workspace_id_environment_operator_id_fkey FOREIGN KEY (workspace_id, environment, operator_id) REFERENCES person_key(workspace_id, environment, person_id);
ALTER TABLE auth_flow_file ADD CONSTRAINT auth_flow_file_workspace_id_environment_client_id_auth_flo_fkey FOREIGN KEY (workspace_id, environment, client_id, auth_flow_id) REFERENCES auth_flow(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE authority ADD CONSTRAINT authority_workspace_id_environment_client_id_depository_id_fkey FOREIGN KEY (workspace_id, environment, client_id, depository_id) REFERENCES depository(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE authority ADD CONSTRAINT authority_workspace_id_environment_client_id_legal_entity__fkey FOREIGN KEY (workspace_id, environment, client_id, legal_entity_id) REFERENCES legal_entity(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE authority ADD CONSTRAINT authority_workspace_id_environment_custodian_id_fkey FOREIGN KEY (workspace_id, environment, custodian_id) REFERENCES custodian(workspace_id, environment, id);
ALTER TABLE authority_account ADD CONSTRAINT authority_account_workspace_id_environment_client_id_accou_fkey FOREIGN KEY (workspace_id, environment, client_id, account_id) REFERENCES account(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE authority_account ADD CONSTRAINT authority_account_workspace_id_environment_client_id_autho_fkey FOREIGN KEY (workspace_id, environment, client_id, authority_id) REFERENCES authority(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE authority_depository ADD CONSTRAINT authority_depository_workspace_id_environment_client_id_au_fkey FOREIGN KEY (workspace_id, environment, client_id, authority_id) REFERENCES authority(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE authority_depository ADD CONSTRAINT authority_depository_workspace_id_environment_client_id_de_fkey FOREIGN KEY (workspace_id, environment, client_id, depository_id) REFERENCES depository(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE authority_warning ADD CONSTRAINT authority_warning_workspace_id_environment_client_id_autho_fkey FOREIGN KEY (workspace_id, environment, client_id, authority_id) REFERENCES authority(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE booking_count ADD CONSTRAINT booking_count_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE calculation_round ADD CONSTRAINT calculation_round_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE client ADD CONSTRAINT client_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE client ADD CONSTRAINT client_workspace_id_environment_parent_id_fkey FOREIGN KEY (workspace_id, environment, parent_id) REFERENCES client(workspace_id, environment, id);
ALTER TABLE credential ADD CONSTRAINT credential_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE credential ADD CONSTRAINT credential_workspace_id_environment_scoped_to_id_fkey FOREIGN KEY (workspace_id, environment, scoped_to_id) REFERENCES client(workspace_id, environment, id);
ALTER TABLE custodian ADD CONSTRAINT custodian_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE delivery_attempt ADD CONSTRAINT delivery_attempt_workspace_id_environment_delivery_id_fkey FOREIGN KEY (workspace_id, environment, delivery_id) REFERENCES delivery(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE delivery_queue ADD CONSTRAINT delivery_queue_workspace_id_environment_webhook_id_fkey FOREIGN KEY (workspace_id, environment, webhook_id) REFERENCES webhook(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE depository ADD CONSTRAINT depository_workspace_id_environment_client_id_legal_entity_fkey FOREIGN KEY (workspace_id, environment, client_id, legal_entity_id) REFERENCES legal_entity(workspace_id, environment, client_id, id);
ALTER TABLE disabled_former_member ADD CONSTRAINT disabled_former_member_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE disabled_former_member ADD CONSTRAINT disabled_former_member_workspace_id_environment_person_id_fkey FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person_key(workspace_id, environment, person_id) ON DELETE CASCADE;
ALTER TABLE environment ADD CONSTRAINT environment_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(workspace_id);
ALTER TABLE event_order ADD CONSTRAINT event_order_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE feed_run ADD CONSTRAINT feed_run_workspace_id_environment_client_id_authority_id_fkey FOREIGN KEY (workspace_id, environment, client_id, authority_id) REFERENCES authority(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_workspace_id_current_environment_clien_fkey1 FOREIGN KEY (workspace_id, current_environment, client_id, depository_id) REFERENCES depository(workspace_id, environment, client_id, id);
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_workspace_id_current_environment_client_fkey FOREIGN KEY (workspace_id, current_environment, client_id, account_id) REFERENCES account(workspace_id, environment, client_id, id);
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_workspace_id_current_environment_instru_fkey FOREIGN KEY (workspace_id, current_environment, instrument_id) REFERENCES instrument(workspace_id, environment, id);
ALTER TABLE historical_holding ADD CONSTRAINT historical_holding_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_workspace_id_environment_client_id_acco_fkey FOREIGN KEY (workspace_id, environment, client_id, account_id) REFERENCES account(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_workspace_id_environment_client_id_depo_fkey FOREIGN KEY (workspace_id, environment, client_id, depository_id) REFERENCES depository(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_workspace_id_environment_custodian_id_fkey FOREIGN KEY (workspace_id, environment, custodian_id) REFERENCES custodian(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_workspace_id_environment_instrument_id_fkey FOREIGN KEY (workspace_id, environment, instrument_id) REFERENCES instrument(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE import ADD CONSTRAINT import_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE import ADD CONSTRAINT import_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE import_profile ADD CONSTRAINT import_profile_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE import_usage ADD CONSTRAINT import_usage_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE instrument ADD CONSTRAINT instrument_workspace_id_environment_client_id_reporting_en_fkey FOREIGN KEY (workspace_id, environment, client_id, reporting_entity_id) REFERENCES reporting_entity(workspace_id, environment, client_id, id);
ALTER TABLE instrument ADD CONSTRAINT instrument_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE instrument ADD CONSTRAINT instrument_workspace_id_environment_instrument_class_id_fkey FOREIGN KEY (workspace_id, environment, instrument_class_id) REFERENCES instrument_class(workspace_id, environment, id);
ALTER TABLE instrument_class ADD CONSTRAINT instrument_class_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE instrument_class ADD CONSTRAINT instrument_class_workspace_id_environment_parent_id_fkey FOREIGN KEY (workspace_id, environment, parent_id) REFERENCES instrument_class(workspace_id, environment, id);
ALTER TABLE instrument_word ADD CONSTRAINT instrument_word_workspace_id_environment_instrument_id_fkey FOREIGN KEY (workspace_id, environment, instrument_id) REFERENCES instrument(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE invite ADD CONSTRAINT invite_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE invite ADD CONSTRAINT invite_workspace_id_environment_person_id_fkey FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person_key(workspace_id, environment, person_id) ON DELETE CASCADE;
ALTER TABLE ledger_copy ADD CONSTRAINT ledger_copy_workspace_id_environment_client_id_account_id_fkey FOREIGN KEY (workspace_id, environment, client_id, account_id) REFERENCES account(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE legal_entity ADD CONSTRAINT legal_entity_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id);
ALTER TABLE limit_rule ADD CONSTRAINT limit_rule_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id);
ALTER TABLE limit_rule ADD CONSTRAINT limit_rule_workspace_id_environment_client_id_reporting_en_fkey FOREIGN KEY (workspace_id, environment, client_id, reporting_entity_id) REFERENCES reporting_entity(workspace_id, environment, client_id, id);
ALTER TABLE limit_state ADD CONSTRAINT limit_state_workspace_id_current_environment_client_id_lim_fkey FOREIGN KEY (workspace_id, current_environment, client_id, limit_id) REFERENCES limit_rule(workspace_id, environment, client_id, id);
ALTER TABLE limit_state ADD CONSTRAINT limit_state_workspace_id_current_environment_client_id_rep_fkey FOREIGN KEY (workspace_id, current_environment, client_id, reporting_entity_id) REFERENCES reporting_entity(workspace_id, environment, client_id, id);
ALTER TABLE limit_state ADD CONSTRAINT limit_state_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE link_version ADD CONSTRAINT link_version_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE log_shipment ADD CONSTRAINT log_shipment_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE mail ADD CONSTRAINT mail_workspace_id_environment_person_id_fkey FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person_key(workspace_id, environment, person_id);
ALTER TABLE membership ADD CONSTRAINT membership_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id);
ALTER TABLE membership ADD CONSTRAINT membership_workspace_id_environment_person_id_fkey FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person(workspace_id, environment, id);
ALTER TABLE outbox ADD CONSTRAINT outbox_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE person ADD CONSTRAINT person_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE person_identity ADD CONSTRAINT person_identity_workspace_id_environment_person_id_fkey FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE person_key ADD CONSTRAINT person_key_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE portfolio ADD CONSTRAINT portfolio_workspace_id_environment_client_id_reporting_ent_fkey FOREIGN KEY (workspace_id, environment, client_id, reporting_entity_id) REFERENCES reporting_entity(workspace_id, environment, client_id, id);
ALTER TABLE portfolio_account ADD CONSTRAINT portfolio_account_workspace_id_environment_client_id_accou_fkey FOREIGN KEY (workspace_id, environment, client_id, account_id) REFERENCES account(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE portfolio_account ADD CONSTRAINT portfolio_account_workspace_id_environment_client_id_portf_fkey FOREIGN KEY (workspace_id, environment, client_id, portfolio_id) REFERENCES portfolio(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE portfolio_depository ADD CONSTRAINT portfolio_depository_workspace_id_environment_client_id_de_fkey FOREIGN KEY (workspace_id, environment, client_id, depository_id) REFERENCES depository(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE portfolio_depository ADD CONSTRAINT portfolio_depository_workspace_id_environment_client_id_po_fkey FOREIGN KEY (workspace_id, environment, client_id, portfolio_id) REFERENCES portfolio(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE rate_ledger ADD CONSTRAINT rate_ledger_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE read_grant ADD CONSTRAINT read_grant_workspace_id_environment_client_id_person_id_fkey FOREIGN KEY (workspace_id, environment, client_id, person_id) REFERENCES membership(workspace_id, environment, client_id, person_id) ON DELETE CASCADE;
ALTER TABLE read_grant ADD CONSTRAINT read_grant_workspace_id_environment_client_id_reporting_en_fkey FOREIGN KEY (workspace_id, environment, client_id, reporting_entity_id) REFERENCES reporting_entity(workspace_id, environment, client_id, id);
ALTER TABLE reconciliation_break ADD CONSTRAINT reconciliation_break_workspace_id_environment_client_id_ac_fkey FOREIGN KEY (workspace_id, environment, client_id, account_id) REFERENCES account(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE reconciliation_break ADD CONSTRAINT reconciliation_break_workspace_id_environment_client_id_de_fkey FOREIGN KEY (workspace_id, environment, client_id, depository_id) REFERENCES depository(workspace_id, environment, client_id, id) ON DELETE CASCADE;
ALTER TABLE reconciliation_break ADD CONSTRAINT reconciliation_break_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE record_version ADD CONSTRAINT record_version_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE replaced_key ADD CONSTRAINT replaced_key_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE reporting_entity ADD CONSTRAINT reporting_entity_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id);
ALTER TABLE request_count ADD CONSTRAINT request_count_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE request_log_end ADD CONSTRAINT request_log_end_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE round_mark ADD CONSTRAINT round_mark_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE sandbox_client ADD CONSTRAINT sandbox_client_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE series_ledger ADD CONSTRAINT series_ledger_workspace_id_current_environment_instrument__fkey FOREIGN KEY (workspace_id, current_environment, instrument_id) REFERENCES instrument(workspace_id, environment, id);
ALTER TABLE series_ledger ADD CONSTRAINT series_ledger_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE session ADD CONSTRAINT session_workspace_id_environment_person_id_fkey FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE shared_round_mark ADD CONSTRAINT shared_round_mark_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE signing_key ADD CONSTRAINT signing_key_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE stated_holding ADD CONSTRAINT stated_holding_workspace_id_current_environment_client_id__fkey FOREIGN KEY (workspace_id, current_environment, client_id, account_id) REFERENCES account(workspace_id, environment, client_id, id);
ALTER TABLE stated_holding ADD CONSTRAINT stated_holding_workspace_id_current_environment_client_id_fkey1 FOREIGN KEY (workspace_id, current_environment, client_id, depository_id) REFERENCES depository(workspace_id, environment, client_id, id);
ALTER TABLE stated_holding ADD CONSTRAINT stated_holding_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE storage_measure ADD CONSTRAINT storage_measure_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE upload_ledger ADD CONSTRAINT upload_ledger_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id) ON DELETE CASCADE;
ALTER TABLE webhook ADD CONSTRAINT webhook_workspace_id_environment_client_id_fkey FOREIGN KEY (workspace_id, environment, client_id) REFERENCES client(workspace_id, environment, id);
ALTER TABLE webhook ADD CONSTRAINT webhook_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE webhook_key ADD CONSTRAINT webhook_key_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environment(workspace_id, environment);
ALTER TABLE workspace_administrator ADD CONSTRAINT workspace_administrator_workspace_id_environment_person_id_fkey FOREIGN KEY (workspace_id, environment, person_id) REFERENCES person(workspace_id, environment, id);

CREATE INDEX account_by_currency ON account USING btree (workspace_id, environment, ccy_code, id);
CREATE INDEX account_by_custodian ON account USING btree (workspace_id, environment, custodian_id, id);
CREATE INDEX account_by_external_identifier ON account USING btree (workspace_id, environment, external_identifier, id);
CREATE INDEX account_by_legal_entity ON account USING btree (workspace_id, environment, legal_entity_id, id);
CREATE INDEX account_by_number_key ON account USING btree (workspace_id, environment, number_key, id) WHERE (number_key IS NOT NULL);
CREATE INDEX account_depository_by_depository ON account_depository USING btree (workspace_id, depository_id, account_id);
CREATE INDEX account_excluded ON account USING btree (workspace_id, environment, exclude_from_reporting, id);
CREATE INDEX administrator_link_by_secret ON administrator_link USING btree (secret_hash);
CREATE INDEX administrator_link_of_person ON administrator_link USING btree (workspace_id, environment, person_id);
CREATE INDEX audit_entry_by_act ON audit_entry USING btree (workspace_id, environment, act, id);
CREATE INDEX audit_entry_by_client ON audit_entry USING btree (workspace_id, environment, client_id, id);
CREATE INDEX audit_entry_by_credential ON audit_entry USING btree (workspace_id, environment, credential_id, id);
CREATE INDEX audit_entry_by_person ON audit_entry USING btree (workspace_id, environment, subject, id) WHERE (subject <> workspace_id);
CREATE INDEX audit_entry_by_subject ON audit_entry USING btree (workspace_id, environment, subject_id, id);
CREATE INDEX audit_entry_by_subject_type ON audit_entry USING btree (workspace_id, environment, subject_type, id);
CREATE INDEX auth_flow_by_authority ON auth_flow USING btree (workspace_id, environment, authority_id, id);
CREATE INDEX auth_flow_by_custodian ON auth_flow USING btree (workspace_id, environment, custodian_id, id);
CREATE INDEX auth_flow_by_depository ON auth_flow USING btree (workspace_id, environment, depository_id, id);
CREATE INDEX auth_flow_by_legal_entity ON auth_flow USING btree (workspace_id, environment, legal_entity_id, id);
CREATE INDEX auth_flow_by_operator ON auth_flow USING btree (workspace_id, environment, operator_id) WHERE (operator_id IS NOT NULL);
CREATE INDEX auth_flow_by_state ON auth_flow USING btree (workspace_id, environment, state, id);
CREATE INDEX auth_flow_file_of_flow ON auth_flow_file USING btree (workspace_id, environment, auth_flow_id, id);
CREATE INDEX authority_by_custodian ON authority USING btree (workspace_id, environment, custodian_id, id);
CREATE INDEX authority_by_depository ON authority USING btree (workspace_id, environment, depository_id, id);
CREATE INDEX authority_by_legal_entity ON authority USING btree (workspace_id, environment, legal_entity_id, id);
CREATE INDEX authority_by_state ON authority USING btree (workspace_id, environment, state, id);
CREATE INDEX authority_ending ON authority USING btree (workspace_id, environment, expires_at) WHERE (state = 'active'::text);
CREATE INDEX authority_revoking ON authority USING btree (workspace_id, environment) WHERE (state = 'revoke-in-progress'::text);
CREATE INDEX authority_warning_to_mail ON authority_warning USING btree (workspace_id, environment, authority_id) WHERE (mailed_at IS NULL);
CREATE INDEX authority_with_rows_to_book ON authority USING btree (workspace_id, environment) WHERE (rows_to_book_after IS NOT NULL);
CREATE INDEX calculation_round_by_start ON calculation_round USING btree (workspace_id, environment, started_at);
CREATE INDEX calculation_round_by_state ON calculation_round USING btree (workspace_id, environment, state, id);
CREATE INDEX calculation_round_of_client ON calculation_round USING btree (workspace_id, environment, client_id, id);
CREATE UNIQUE INDEX calculation_round_unfinished ON calculation_round USING btree (workspace_id, environment, client_id) WHERE (finished_at IS NULL);
CREATE INDEX client_by_parent ON client USING btree (workspace_id, parent_id, id);
CREATE INDEX client_by_tree_version ON client USING btree (workspace_id, tree_version);
CREATE INDEX credential_by_client_id ON credential USING btree (client_id);
CREATE INDEX credential_by_kind ON credential USING btree (workspace_id, environment, kind, id);
CREATE INDEX credential_by_scope ON credential USING btree (workspace_id, environment, scoped_to_id, id);
CREATE INDEX custodian_by_name ON custodian USING btree (workspace_id, environment, name, id);
CREATE INDEX delivery_by_state ON delivery USING btree (workspace_id, webhook_id, state, id);
CREATE INDEX delivery_dead ON delivery USING btree (workspace_id, webhook_id, ended_at) WHERE (state = 'dead'::text);
CREATE INDEX delivery_pending ON delivery USING btree (workspace_id, webhook_id, order_key, number, event_id) WHERE (state = 'pending'::text);
CREATE INDEX delivery_queue_due ON delivery_queue USING btree (workspace_id, due_at);
CREATE INDEX depository_by_external_identifier ON depository USING btree (workspace_id, environment, external_identifier, id);
CREATE INDEX depository_by_legal_entity ON depository USING btree (workspace_id, environment, legal_entity_id, id);
CREATE INDEX depository_by_number_key ON depository USING btree (workspace_id, environment, number_key, id) WHERE (number_key IS NOT NULL);
CREATE INDEX disabled_former_member_of_person ON disabled_former_member USING btree (workspace_id, environment, person_id);
CREATE INDEX event_by_type ON event USING btree (workspace_id, environment, type, id) WITH (deduplicate_items=off);
CREATE INDEX event_of_client ON event USING btree (workspace_id, client_id, id) WITH (deduplicate_items=off);
CREATE INDEX feed_run_by_authority ON feed_run USING btree (workspace_id, environment, authority_id, id);
CREATE INDEX feed_run_by_client ON feed_run USING btree (workspace_id, environment, client_id, id);
CREATE INDEX feed_run_by_state ON feed_run USING btree (workspace_id, environment, state, id);
CREATE INDEX feed_run_due ON feed_run USING btree (COALESCE(lease_until, due_at)) WHERE (finished_at IS NULL);
CREATE UNIQUE INDEX feed_run_open ON feed_run USING btree (workspace_id, environment, authority_id) WHERE (finished_at IS NULL);
CREATE UNIQUE INDEX fx_rate_current ON fx_rate USING btree (workspace_id, base, quote, date, source, environment) WHERE (known_until IS NULL);
CREATE INDEX fx_rate_past ON fx_rate USING btree (workspace_id, environment, base, quote, date) WHERE (known_until IS NOT NULL);
CREATE INDEX historical_holding_by_client ON historical_holding USING btree (workspace_id, environment, client_id, date, id) WHERE (known_until IS NULL);
CREATE INDEX historical_holding_by_date ON historical_holding USING btree (workspace_id, environment, date, id) WHERE (known_until IS NULL);
CREATE INDEX historical_holding_by_instrument ON historical_holding USING btree (workspace_id, environment, instrument_id, date, id) WHERE ((known_until IS NULL) AND (instrument_id IS NOT NULL));
CREATE INDEX historical_holding_by_kind ON historical_holding USING btree (workspace_id, environment, kind, date, id) WHERE (known_until IS NULL);
CREATE INDEX historical_holding_keeping_account ON historical_holding USING btree (workspace_id, current_environment, account_id) WHERE ((current_environment IS NOT NULL) AND (account_id IS NOT NULL));
CREATE INDEX historical_holding_keeping_depository ON historical_holding USING btree (workspace_id, current_environment, depository_id) WHERE ((current_environment IS NOT NULL) AND (depository_id IS NOT NULL));
CREATE INDEX historical_holding_keeping_instrument ON historical_holding USING btree (workspace_id, current_environment, instrument_id, client_id) WHERE ((current_environment IS NOT NULL) AND (instrument_id IS NOT NULL));
CREATE UNIQUE INDEX historical_holding_of_account ON historical_holding USING btree (workspace_id, environment, account_id, date, kind) WHERE ((known_until IS NULL) AND (account_id IS NOT NULL));
CREATE UNIQUE INDEX historical_holding_of_depository ON historical_holding USING btree (workspace_id, environment, depository_id, date, instrument_id) WHERE ((known_until IS NULL) AND (depository_id IS NOT NULL));
CREATE INDEX historical_holding_past ON historical_holding USING btree (workspace_id, environment, known_until) WHERE (known_until IS NOT NULL);
CREATE INDEX historical_holding_past_of_account ON historical_holding USING btree (workspace_id, environment, account_id, date) WHERE ((known_until IS NOT NULL) AND (account_id IS NOT NULL));
CREATE INDEX historical_holding_past_of_depository ON historical_holding USING btree (workspace_id, environment, depository_id, date) WHERE ((known_until IS NOT NULL) AND (depository_id IS NOT NULL));
CREATE INDEX idempotent_answer_by_expiry ON idempotent_answer USING btree (workspace_id, environment, expires_at);
CREATE INDEX identifier_mapping_by_account ON identifier_mapping USING btree (workspace_id, environment, account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX identifier_mapping_by_client ON identifier_mapping USING btree (workspace_id, environment, client_id, id);
CREATE INDEX identifier_mapping_by_custodian ON identifier_mapping USING btree (workspace_id, environment, custodian_id, id);
CREATE INDEX identifier_mapping_by_depository ON identifier_mapping USING btree (workspace_id, environment, depository_id) WHERE (depository_id IS NOT NULL);
CREATE INDEX identifier_mapping_by_instrument ON identifier_mapping USING btree (workspace_id, environment, instrument_id) WHERE (instrument_id IS NOT NULL);
CREATE INDEX identifier_mapping_by_kind ON identifier_mapping USING btree (workspace_id, environment, kind, id);
CREATE INDEX identifier_mapping_by_scheme ON identifier_mapping USING btree (workspace_id, environment, scheme, id);
CREATE INDEX identifier_mapping_by_source ON identifier_mapping USING btree (workspace_id, environment, source, id);
CREATE INDEX identifier_mapping_by_text ON identifier_mapping USING btree (workspace_id, environment, value, id);
CREATE UNIQUE INDEX identifier_mapping_by_value ON identifier_mapping USING btree (workspace_id, environment, folded_value, kind, scheme, COALESCE(client_id, ''::text), COALESCE(custodian_id, ''::text), COALESCE(currency, ''::text), COALESCE(mic, ''::text));
CREATE INDEX import_by_client ON import USING btree (workspace_id, environment, client_id, id) WHERE (client_id IS NOT NULL);
CREATE INDEX import_by_origin ON import USING btree (workspace_id, environment, origin, id);
CREATE INDEX import_by_state ON import USING btree (workspace_id, environment, state, id);
CREATE INDEX import_row_by_point ON import_row USING btree (workspace_id, environment, target_id) WHERE (target_type = ANY (ARRAY['price'::text, 'net-asset-value'::text, 'interest-rate'::text, 'index-factor'::text, 'fx-rate'::text]));
CREATE INDEX import_row_of_outcome ON import_row USING btree (import_id, outcome, number);
CREATE INDEX import_row_of_undo ON import_row USING btree (import_id, undo, number) WHERE (undo IS NOT NULL);
CREATE INDEX instrument_by_ccy_code ON instrument USING btree (workspace_id, environment, ccy_code, id);
CREATE INDEX instrument_by_class ON instrument USING btree (workspace_id, environment, instrument_class_id, id);
CREATE INDEX instrument_by_client ON instrument USING btree (workspace_id, environment, client_id, id);
CREATE INDEX instrument_by_external_identifier ON instrument USING btree (workspace_id, environment, external_identifier, id);
CREATE INDEX instrument_by_isin ON instrument USING btree (workspace_id, environment, isin, id) WHERE (isin IS NOT NULL);
CREATE INDEX instrument_by_name ON instrument USING btree (workspace_id, environment, name, id);
CREATE INDEX instrument_by_reporting_entity ON instrument USING btree (workspace_id, environment, reporting_entity_id, id) WHERE (reporting_entity_id IS NOT NULL);
CREATE INDEX instrument_by_sedol ON instrument USING btree (workspace_id, environment, sedol, id) WHERE (sedol IS NOT NULL);
CREATE INDEX instrument_by_ticker ON instrument USING btree (workspace_id, environment, ticker, id) WHERE (ticker IS NOT NULL);
CREATE INDEX instrument_by_type ON instrument USING btree (workspace_id, environment, type, id);
CREATE UNIQUE INDEX instrument_class_by_name ON instrument_class USING btree (workspace_id, environment, COALESCE(parent_id, ''::text), name);
CREATE INDEX instrument_class_by_parent ON instrument_class USING btree (workspace_id, environment, parent_id, id);
CREATE INDEX instrument_class_named ON instrument_class USING btree (workspace_id, environment, name, id);
CREATE INDEX instrument_word_by_instrument ON instrument_word USING btree (workspace_id, environment, instrument_id);
CREATE INDEX invite_accepted ON invite USING btree (workspace_id, environment, id) WHERE (accepted_at IS NOT NULL);
CREATE INDEX invite_by_secret ON invite USING btree (secret_hash);
CREATE INDEX invite_cancelled ON invite USING btree (workspace_id, environment, id) WHERE (cancelled_at IS NOT NULL);
CREATE INDEX invite_of_client ON invite USING btree (workspace_id, environment, client_id, id);
CREATE INDEX invite_of_person ON invite USING btree (workspace_id, environment, person_id, id);
CREATE INDEX invite_open ON invite USING btree (workspace_id, environment, expires_at, id) WHERE ((accepted_at IS NULL) AND (cancelled_at IS NULL));
CREATE INDEX limit_rule_by_kind ON limit_rule USING btree (workspace_id, environment, kind, id);
CREATE INDEX limit_rule_by_reporting_entity ON limit_rule USING btree (workspace_id, environment, reporting_entity_id, id) WHERE (reporting_entity_id IS NOT NULL);
CREATE INDEX limit_state_breach ON limit_state USING btree (workspace_id, environment, id) WHERE (state = 'breached'::text);
CREATE INDEX limit_state_breach_by_standing ON limit_state USING btree (workspace_id, environment, standing, id) WHERE (state = 'breached'::text);
CREATE INDEX limit_state_breach_of_client ON limit_state USING btree (workspace_id, environment, client_id, id) WHERE (state = 'breached'::text);
CREATE INDEX limit_state_breach_of_entity ON limit_state USING btree (workspace_id, environment, reporting_entity_id, id) WHERE (state = 'breached'::text);
CREATE INDEX limit_state_breach_of_limit ON limit_state USING btree (workspace_id, environment, limit_id, id) WHERE (state = 'breached'::text);
CREATE INDEX limit_state_ended ON limit_state USING btree (workspace_id, environment, until) WHERE (until IS NOT NULL);
CREATE INDEX limit_state_of_limit ON limit_state USING btree (workspace_id, environment, limit_id, reporting_entity_id, since);
CREATE UNIQUE INDEX limit_state_open ON limit_state USING btree (workspace_id, current_environment, limit_id, reporting_entity_id) WHERE (current_environment IS NOT NULL);
CREATE INDEX limit_state_open_of_client ON limit_state USING btree (workspace_id, current_environment, client_id) WHERE (current_environment IS NOT NULL);
CREATE INDEX limit_state_open_of_entity ON limit_state USING btree (workspace_id, current_environment, reporting_entity_id) WHERE (current_environment IS NOT NULL);
CREATE INDEX link_version_by_client ON link_version USING btree (workspace_id, environment, client_id, link, one_id, known_from);
CREATE UNIQUE INDEX link_version_known ON link_version USING btree (workspace_id, environment, link, one_id, other_id) WHERE (known_until IS NULL);
CREATE INDEX link_version_known_from_other ON link_version USING btree (workspace_id, environment, link, other_id) WHERE (known_until IS NULL);
CREATE INDEX mail_by_moment ON mail USING btree (workspace_id, environment, created_at);
CREATE INDEX mail_handed_to_address ON mail USING btree (address_digest, handed_at);
CREATE INDEX mail_of_client_to_address ON mail USING btree (workspace_id, environment, client_id, address_digest, created_at);
CREATE INDEX mail_of_invite ON mail USING btree (workspace_id, environment, invite_id);
CREATE INDEX mail_of_person ON mail USING btree (workspace_id, environment, person_id);
CREATE INDEX mail_waiting ON mail USING btree (workspace_id, environment, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX membership_by_address ON membership USING btree (workspace_id, environment, address_key);
CREATE INDEX membership_of_person ON membership USING btree (workspace_id, environment, person_id, client_id);
CREATE INDEX person_identity_by_subject ON person_identity USING btree (issuer, subject);
CREATE INDEX person_identity_of_person ON person_identity USING btree (workspace_id, environment, person_id);
CREATE UNIQUE INDEX person_key_by_address ON person_key USING btree (workspace_id, environment, address_digest);
CREATE INDEX portfolio_account_by_account ON portfolio_account USING btree (workspace_id, account_id, portfolio_id);
CREATE INDEX portfolio_by_reporting_entity ON portfolio USING btree (workspace_id, environment, reporting_entity_id, id);
CREATE INDEX portfolio_depository_by_depository ON portfolio_depository USING btree (workspace_id, depository_id, portfolio_id);
CREATE INDEX read_grant_of_reporting_entity ON read_grant USING btree (workspace_id, environment, reporting_entity_id, person_id);
CREATE INDEX reconciliation_break_by_class ON reconciliation_break USING btree (workspace_id, environment, class, id);
CREATE INDEX reconciliation_break_by_date ON reconciliation_break USING btree (workspace_id, environment, date, id);
CREATE INDEX reconciliation_break_by_state ON reconciliation_break USING btree (workspace_id, environment, state, id);
CREATE INDEX reconciliation_break_of_account ON reconciliation_break USING btree (workspace_id, environment, account_id, id);
CREATE INDEX reconciliation_break_of_client ON reconciliation_break USING btree (workspace_id, environment, client_id, id);
CREATE INDEX reconciliation_break_of_depository ON reconciliation_break USING btree (workspace_id, environment, depository_id, id);
CREATE INDEX reconciliation_break_of_instrument ON reconciliation_break USING btree (workspace_id, environment, instrument_id, id) WHERE (instrument_id IS NOT NULL);
CREATE INDEX record_version_by_client ON record_version USING btree (workspace_id, environment, client_id, table_name, id, known_from);
CREATE UNIQUE INDEX record_version_known ON record_version USING btree (workspace_id, environment, table_name, id) INCLUDE (version) WHERE (known_until IS NULL);
CREATE INDEX request_log_by_number ON request_log USING btree (workspace_id, environment, number) WHERE (number IS NOT NULL);
CREATE INDEX request_log_unnumbered ON request_log USING btree (workspace_id, environment, id) WHERE (number IS NULL);
CREATE INDEX sandbox_client_by_client ON sandbox_client USING btree (workspace_id, environment, client_id);
CREATE UNIQUE INDEX series_point_current ON series_point USING btree (instrument_id, workspace_id, environment, kind, date, source) INCLUDE (value, client_id) WHERE (known_until IS NULL);
CREATE INDEX series_point_past ON series_point USING btree (workspace_id, environment, instrument_id, kind, date) WHERE (known_until IS NOT NULL);
CREATE INDEX session_by_expiry ON session USING btree (workspace_id, environment, expires_at);
CREATE INDEX session_by_secret ON session USING btree (secret_hash);
CREATE INDEX session_of_person ON session USING btree (workspace_id, environment, person_id, id);
CREATE INDEX stated_entry_of_content ON stated_entry USING btree (content, account_id, date) WHERE (content IS NOT NULL);
CREATE INDEX stated_entry_waiting ON stated_entry USING btree (workspace_id, environment, account_id, content) WHERE is_waiting;
CREATE INDEX stated_holding_by_day ON stated_holding USING btree (workspace_id, environment, client_id, place, kind, date) WHERE (known_until IS NULL);
CREATE INDEX stated_holding_of_account ON stated_holding USING btree (workspace_id, current_environment, account_id) WHERE ((current_environment IS NOT NULL) AND (account_id IS NOT NULL));
CREATE INDEX stated_holding_of_depository ON stated_holding USING btree (workspace_id, current_environment, depository_id) WHERE ((current_environment IS NOT NULL) AND (depository_id IS NOT NULL));
CREATE INDEX stated_holding_of_import ON stated_holding USING btree (workspace_id, environment, import_id) WHERE (known_until IS NULL);
CREATE INDEX stated_holding_of_place ON stated_holding USING btree (workspace_id, environment, client_id, place, date, subject) WHERE (known_until IS NULL);
CREATE INDEX transaction_by_account ON transaction USING btree (account_id, date) WHERE (known_until IS NULL);
CREATE INDEX transaction_by_client ON transaction USING btree (client_id, date) WHERE (known_until IS NULL);
CREATE INDEX transaction_by_closing ON transaction USING btree (account_id, closed_version) WHERE (closed_version IS NOT NULL);
CREATE INDEX transaction_by_counter_account ON transaction USING btree (counter_account_id, date) WHERE ((known_until IS NULL) AND (counter_account_id IS NOT NULL));
CREATE INDEX transaction_by_counter_closing ON transaction USING btree (counter_account_id, closed_version) WHERE ((counter_account_id IS NOT NULL) AND (closed_version IS NOT NULL));
CREATE INDEX transaction_by_counter_depository ON transaction USING btree (counter_depository_id, date) WHERE ((known_until IS NULL) AND (counter_depository_id IS NOT NULL));
CREATE INDEX transaction_by_counter_opening ON transaction USING btree (counter_account_id, opened_version) WHERE (counter_account_id IS NOT NULL);
CREATE INDEX transaction_by_date ON transaction USING btree (tenant_prefix, date, sequence) WHERE (known_until IS NULL);
CREATE INDEX transaction_by_depository ON transaction USING btree (depository_id, date) WHERE ((known_until IS NULL) AND (depository_id IS NOT NULL));
CREATE UNIQUE INDEX transaction_by_external_reference ON transaction USING btree (workspace_id, external_reference, account_id, source) WHERE ((known_until IS NULL) AND (external_reference IS NOT NULL));
CREATE INDEX transaction_by_holder ON transaction USING btree (instrument_id, client_id) WHERE ((known_until IS NULL) AND (instrument_id IS NOT NULL));
CREATE UNIQUE INDEX transaction_by_id ON transaction USING btree (workspace_id, id, closed_version) NULLS NOT DISTINCT;
CREATE INDEX transaction_by_instrument ON transaction USING btree (instrument_id, date) WHERE ((known_until IS NULL) AND (instrument_id IS NOT NULL));
CREATE INDEX transaction_by_opening ON transaction USING btree (account_id, opened_version);
CREATE INDEX transaction_by_target_instrument ON transaction USING btree (target_instrument_id, client_id) WHERE ((known_until IS NULL) AND (target_instrument_id IS NOT NULL));
CREATE INDEX transaction_by_type ON transaction USING btree (tenant_prefix, type, source, date) WHERE (known_until IS NULL);
CREATE INDEX transaction_for_all_closing ON transaction USING btree (workspace_id, environment, client_id, closed_version) WHERE ((account_id IS NULL) AND (closed_version IS NOT NULL));
CREATE INDEX transaction_for_all_opening ON transaction USING btree (workspace_id, environment, client_id, opened_version) WHERE (account_id IS NULL);
CREATE INDEX transaction_past ON transaction USING btree (workspace_id, environment, known_until) WHERE (known_until IS NOT NULL);
CREATE INDEX used_assertion_by_expiry ON used_assertion USING btree (workspace_id, environment, expires_at);
CREATE INDEX webhook_by_state ON webhook USING btree (workspace_id, environment, state, id);
CREATE UNIQUE INDEX webhook_key_active ON webhook_key USING btree (workspace_id, environment) WHERE (retired_at IS NULL);
CREATE INDEX webhook_of_client ON webhook USING btree (workspace_id, client_id, id);
CREATE INDEX workspace_inactive ON workspace USING btree (workspace_id) WHERE (state <> 'active'::text);

CREATE OR REPLACE FUNCTION public.is_visible(id text)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT current_setting('holdfast.visible_clients', true) = 'all'
    OR strpos(current_setting('holdfast.visible_clients', true), ',' || id || ',') > 0
    OR right(current_setting('holdfast.visible_clients', true), 6) = ',many,'
      AND strpos(current_setting('holdfast.visible_clients_' || right(id, 2), true), ',' || id || ',') > 0
$function$;

ALTER TABLE account ENABLE ROW LEVEL SECURITY;
ALTER TABLE account FORCE ROW LEVEL SECURITY;
ALTER TABLE account_depository ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_depository FORCE ROW LEVEL SECURITY;
ALTER TABLE account_ledger ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_ledger FORCE ROW LEVEL SECURITY;
ALTER TABLE administrator_link ENABLE ROW LEVEL SECURITY;
ALTER TABLE administrator_link FORCE ROW LEVEL SECURITY;
ALTER TABLE announced_holding ENABLE ROW LEVEL SECURITY;
ALTER TABLE announced_holding FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_chain ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_chain FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_entry FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_link ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_link FORCE ROW LEVEL SECURITY;
ALTER TABLE auth_flow ENABLE ROW LEVEL SECURITY;
ALTER TABLE auth_flow FORCE ROW LEVEL SECURITY;
ALTER TABLE auth_flow_file ENABLE ROW LEVEL SECURITY;
ALTER TABLE auth_flow_file FORCE ROW LEVEL SECURITY;
ALTER TABLE authority ENABLE ROW LEVEL SECURITY;
ALTER TABLE authority FORCE ROW LEVEL SECURITY;
ALTER TABLE authority_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE authority_account FORCE ROW LEVEL SECURITY;
ALTER TABLE authority_depository ENABLE ROW LEVEL SECURITY;
ALTER TABLE authority_depository FORCE ROW LEVEL SECURITY;
ALTER TABLE authority_warning ENABLE ROW LEVEL SECURITY;
ALTER TABLE authority_warning FORCE ROW LEVEL SECURITY;
ALTER TABLE booking_count ENABLE ROW LEVEL SECURITY;
ALTER TABLE booking_count FORCE ROW LEVEL SECURITY;
ALTER TABLE budget ENABLE ROW LEVEL SECURITY;
ALTER TABLE budget FORCE ROW LEVEL SECURITY;
ALTER TABLE calculation_round ENABLE ROW LEVEL SECURITY;
ALTER TABLE calculation_round FORCE ROW LEVEL SECURITY;
ALTER TABLE client ENABLE ROW LEVEL SECURITY;
ALTER TABLE client FORCE ROW LEVEL SECURITY;
ALTER TABLE credential ENABLE ROW LEVEL SECURITY;
ALTER TABLE credential FORCE ROW LEVEL SECURITY;
ALTER TABLE custodian ENABLE ROW LEVEL SECURITY;
ALTER TABLE custodian FORCE ROW LEVEL SECURITY;
ALTER TABLE delivery ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery FORCE ROW LEVEL SECURITY;
ALTER TABLE delivery_attempt ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_attempt FORCE ROW LEVEL SECURITY;
ALTER TABLE delivery_queue ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_queue FORCE ROW LEVEL SECURITY;
ALTER TABLE depository ENABLE ROW LEVEL SECURITY;
ALTER TABLE depository FORCE ROW LEVEL SECURITY;
ALTER TABLE disabled_former_member ENABLE ROW LEVEL SECURITY;
ALTER TABLE disabled_former_member FORCE ROW LEVEL SECURITY;
ALTER TABLE environment ENABLE ROW LEVEL SECURITY;
ALTER TABLE environment FORCE ROW LEVEL SECURITY;
ALTER TABLE event ENABLE ROW LEVEL SECURITY;
ALTER TABLE event FORCE ROW LEVEL SECURITY;
ALTER TABLE event_order ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_order FORCE ROW LEVEL SECURITY;
ALTER TABLE feed_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE feed_run FORCE ROW LEVEL SECURITY;
ALTER TABLE fx_rate ENABLE ROW LEVEL SECURITY;
ALTER TABLE fx_rate FORCE ROW LEVEL SECURITY;
ALTER TABLE historical_holding ENABLE ROW LEVEL SECURITY;
ALTER TABLE historical_holding FORCE ROW LEVEL SECURITY;
ALTER TABLE idempotent_answer ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotent_answer FORCE ROW LEVEL SECURITY;
ALTER TABLE identifier_mapping ENABLE ROW LEVEL SECURITY;
ALTER TABLE identifier_mapping FORCE ROW LEVEL SECURITY;
ALTER TABLE import ENABLE ROW LEVEL SECURITY;
ALTER TABLE import FORCE ROW LEVEL SECURITY;
ALTER TABLE import_profile ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_profile FORCE ROW LEVEL SECURITY;
ALTER TABLE import_row ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_row FORCE ROW LEVEL SECURITY;
ALTER TABLE import_usage ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_usage FORCE ROW LEVEL SECURITY;
ALTER TABLE import_work ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_work FORCE ROW LEVEL SECURITY;
ALTER TABLE instrument ENABLE ROW LEVEL SECURITY;
ALTER TABLE instrument FORCE ROW LEVEL SECURITY;
ALTER TABLE instrument_class ENABLE ROW LEVEL SECURITY;
ALTER TABLE instrument_class FORCE ROW LEVEL SECURITY;
ALTER TABLE instrument_word ENABLE ROW LEVEL SECURITY;
ALTER TABLE instrument_word FORCE ROW LEVEL SECURITY;
ALTER TABLE invite ENABLE ROW LEVEL SECURITY;
ALTER TABLE invite FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_copy ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_copy FORCE ROW LEVEL SECURITY;
ALTER TABLE legal_entity ENABLE ROW LEVEL SECURITY;
ALTER TABLE legal_entity FORCE ROW LEVEL SECURITY;
ALTER TABLE limit_rule ENABLE ROW LEVEL SECURITY;
ALTER TABLE limit_rule FORCE ROW LEVEL SECURITY;
ALTER TABLE limit_state ENABLE ROW LEVEL SECURITY;
ALTER TABLE limit_state FORCE ROW LEVEL SECURITY;
ALTER TABLE link_version ENABLE ROW LEVEL SECURITY;
ALTER TABLE link_version FORCE ROW LEVEL SECURITY;
ALTER TABLE log_shipment ENABLE ROW LEVEL SECURITY;
ALTER TABLE log_shipment FORCE ROW LEVEL SECURITY;
ALTER TABLE mail ENABLE ROW LEVEL SECURITY;
ALTER TABLE mail FORCE ROW LEVEL SECURITY;
ALTER TABLE membership ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership FORCE ROW LEVEL SECURITY;
ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
ALTER TABLE person FORCE ROW LEVEL SECURITY;
ALTER TABLE person_identity ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_identity FORCE ROW LEVEL SECURITY;
ALTER TABLE person_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_key FORCE ROW LEVEL SECURITY;
ALTER TABLE portfolio ENABLE ROW LEVEL SECURITY;
ALTER TABLE portfolio FORCE ROW LEVEL SECURITY;
ALTER TABLE portfolio_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE portfolio_account FORCE ROW LEVEL SECURITY;
ALTER TABLE portfolio_depository ENABLE ROW LEVEL SECURITY;
ALTER TABLE portfolio_depository FORCE ROW LEVEL SECURITY;
ALTER TABLE rate_ledger ENABLE ROW LEVEL SECURITY;
ALTER TABLE rate_ledger FORCE ROW LEVEL SECURITY;
ALTER TABLE read_grant ENABLE ROW LEVEL SECURITY;
ALTER TABLE read_grant FORCE ROW LEVEL SECURITY;
ALTER TABLE reconciliation_break ENABLE ROW LEVEL SECURITY;
ALTER TABLE reconciliation_break FORCE ROW LEVEL SECURITY;
ALTER TABLE record_version ENABLE ROW LEVEL SECURITY;
ALTER TABLE record_version FORCE ROW LEVEL SECURITY;
ALTER TABLE replaced_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE replaced_key FORCE ROW LEVEL SECURITY;
ALTER TABLE reporting_entity ENABLE ROW LEVEL SECURITY;
ALTER TABLE reporting_entity FORCE ROW LEVEL SECURITY;
ALTER TABLE request_count ENABLE ROW LEVEL SECURITY;
ALTER TABLE request_count FORCE ROW LEVEL SECURITY;
ALTER TABLE request_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE request_log FORCE ROW LEVEL SECURITY;
ALTER TABLE request_log_end ENABLE ROW LEVEL SECURITY;
ALTER TABLE request_log_end FORCE ROW LEVEL SECURITY;
ALTER TABLE round_mark ENABLE ROW LEVEL SECURITY;
ALTER TABLE round_mark FORCE ROW LEVEL SECURITY;
ALTER TABLE sandbox_client ENABLE ROW LEVEL SECURITY;
ALTER TABLE sandbox_client FORCE ROW LEVEL SECURITY;
ALTER TABLE series_ledger ENABLE ROW LEVEL SECURITY;
ALTER TABLE series_ledger FORCE ROW LEVEL SECURITY;
ALTER TABLE series_point ENABLE ROW LEVEL SECURITY;
ALTER TABLE series_point FORCE ROW LEVEL SECURITY;
ALTER TABLE session ENABLE ROW LEVEL SECURITY;
ALTER TABLE session FORCE ROW LEVEL SECURITY;
ALTER TABLE shared_round_mark ENABLE ROW LEVEL SECURITY;
ALTER TABLE shared_round_mark FORCE ROW LEVEL SECURITY;
ALTER TABLE signing_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE signing_key FORCE ROW LEVEL SECURITY;
ALTER TABLE stated_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE stated_entry FORCE ROW LEVEL SECURITY;
ALTER TABLE stated_holding ENABLE ROW LEVEL SECURITY;
ALTER TABLE stated_holding FORCE ROW LEVEL SECURITY;
ALTER TABLE storage_measure ENABLE ROW LEVEL SECURITY;
ALTER TABLE storage_measure FORCE ROW LEVEL SECURITY;
ALTER TABLE transaction ENABLE ROW LEVEL SECURITY;
ALTER TABLE transaction FORCE ROW LEVEL SECURITY;
ALTER TABLE unchained_audit_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE unchained_audit_entry FORCE ROW LEVEL SECURITY;
ALTER TABLE upload_ledger ENABLE ROW LEVEL SECURITY;
ALTER TABLE upload_ledger FORCE ROW LEVEL SECURITY;
ALTER TABLE used_assertion ENABLE ROW LEVEL SECURITY;
ALTER TABLE used_assertion FORCE ROW LEVEL SECURITY;
ALTER TABLE webhook ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook FORCE ROW LEVEL SECURITY;
ALTER TABLE webhook_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_key FORCE ROW LEVEL SECURITY;
ALTER TABLE workspace ENABLE ROW LEVEL SECURITY;
ALTER TABLE workspace FORCE ROW LEVEL SECURITY;
ALTER TABLE workspace_administrator ENABLE ROW LEVEL SECURITY;
ALTER TABLE workspace_administrator FORCE ROW LEVEL SECURITY;

CREATE POLICY entered ON account AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON account_depository AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON account_ledger AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON administrator_link AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY pre_auth ON administrator_link AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON announced_holding AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON audit_chain AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY pre_auth ON audit_chain AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY changed ON audit_entry AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY deleted ON audit_entry AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id) AND ((id < current_setting('holdfast.dropped_before'::text, true)) OR (CURRENT_USER <> 'holdfast_service'::name))));

CREATE POLICY made ON audit_entry AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON audit_entry AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY seen ON audit_entry AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY shared ON audit_entry AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (client_id IS NULL)));

CREATE POLICY changed ON audit_link AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY deleted ON audit_link AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text) AND ((entry_id < current_setting('holdfast.dropped_before'::text, true)) OR (CURRENT_USER <> 'holdfast_service'::name))));

CREATE POLICY made ON audit_link AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY pre_auth ON audit_link AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY seen ON audit_link AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY entered ON auth_flow AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON auth_flow_file AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON authority AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON authority AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING ((state = ANY (ARRAY['active'::text, 'revoke-in-progress'::text])));

CREATE POLICY entered ON authority_account AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON authority_depository AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON authority_warning AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON authority_warning AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON booking_count AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON budget AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY changed ON calculation_round AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY deleted ON calculation_round AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id) AND (((finished_at IS NOT NULL) AND (id < current_setting('holdfast.dropped_before'::text, true))) OR (CURRENT_USER <> 'holdfast_service'::name))));

CREATE POLICY made ON calculation_round AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON calculation_round AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY seen ON calculation_round AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON client AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(id)));

CREATE POLICY pre_auth ON client AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON credential AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(scoped_to_id)));

CREATE POLICY pre_auth ON credential AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON custodian AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY pre_auth ON custodian AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY changed ON delivery AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY deleted ON delivery AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id) AND (((state <> 'pending'::text) AND (id < current_setting('holdfast.dropped_before'::text, true))) OR (webhook_id = current_setting('holdfast.dropped_webhook'::text, true)) OR (CURRENT_USER <> 'holdfast_service'::name))));

CREATE POLICY made ON delivery AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON delivery AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY seen ON delivery AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON delivery_attempt AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON delivery_queue AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON delivery_queue AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON depository AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON disabled_former_member AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON environment AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY pre_auth ON environment AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY changed ON event AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY deleted ON event AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id) AND ((id < current_setting('holdfast.dropped_before'::text, true)) OR (CURRENT_USER <> 'holdfast_service'::name))));

CREATE POLICY made ON event AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON event AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY seen ON event AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON event_order AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON feed_run AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON feed_run AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING ((finished_at IS NULL));

CREATE POLICY changed ON fx_rate AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))))
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY erased ON fx_rate AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (CURRENT_USER <> 'holdfast_service'::name)));

CREATE POLICY made ON fx_rate AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY seen ON fx_rate AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY entered ON historical_holding AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON idempotent_answer AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY pre_auth ON idempotent_answer AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY changed ON identifier_mapping AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((client_id IS NULL) OR is_visible(client_id))))
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY deleted ON identifier_mapping AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY made ON identifier_mapping AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY seen ON identifier_mapping AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((client_id IS NULL) OR is_visible(client_id))));

CREATE POLICY entered ON import AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON import AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING ((state = 'checked'::text));

CREATE POLICY entered ON import_profile AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY entered ON import_row AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON import_usage AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY pre_auth ON import_usage AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON import_work AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON import_work AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY changed ON instrument AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((client_id IS NULL) OR is_visible(client_id))))
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY deleted ON instrument AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY made ON instrument AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY seen ON instrument AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((client_id IS NULL) OR is_visible(client_id))));

CREATE POLICY entered ON instrument_class AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY changed ON instrument_word AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((client_id IS NULL) OR is_visible(client_id))))
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY deleted ON instrument_word AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY made ON instrument_word AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY seen ON instrument_word AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((client_id IS NULL) OR is_visible(client_id))));

CREATE POLICY entered ON invite AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON invite AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON ledger_copy AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON legal_entity AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON limit_rule AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY changed ON limit_state AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY deleted ON limit_state AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id) AND (((until IS NOT NULL) AND (id < current_setting('holdfast.dropped_before'::text, true))) OR (CURRENT_USER <> 'holdfast_service'::name))));

CREATE POLICY made ON limit_state AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON limit_state AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING ((until IS NOT NULL));

CREATE POLICY seen ON limit_state AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON link_version AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON log_shipment AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY pre_auth ON log_shipment AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON mail AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON mail AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON membership AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON membership AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON outbox AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON outbox AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON person AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)))
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY pre_auth ON person AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON person_identity AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY pre_auth ON person_identity AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON person_key AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY entered ON portfolio AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON portfolio_account AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON portfolio_depository AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY changed ON rate_ledger AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))))
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY erased ON rate_ledger AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (CURRENT_USER <> 'holdfast_service'::name)));

CREATE POLICY made ON rate_ledger AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY seen ON rate_ledger AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY entered ON read_grant AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id) AND (("left"(current_setting('holdfast.visible_clients'::text, true), 5) <> 'some,'::text) OR is_visible(reporting_entity_id))));

CREATE POLICY pre_auth ON read_grant AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON reconciliation_break AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY changed ON record_version AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((client_id IS NULL) OR is_visible(client_id))))
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY erased ON record_version AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (CURRENT_USER <> 'holdfast_service'::name)));

CREATE POLICY made ON record_version AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY seen ON record_version AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((client_id IS NULL) OR is_visible(client_id))));

CREATE POLICY entered ON replaced_key AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY pre_auth ON replaced_key AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON reporting_entity AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id) AND (("left"(current_setting('holdfast.visible_clients'::text, true), 5) <> 'some,'::text) OR is_visible(id))));

CREATE POLICY entered ON request_count AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY pre_auth ON request_count AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON request_log AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY pre_auth ON request_log AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON request_log_end AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY pre_auth ON request_log_end AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON round_mark AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON round_mark AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON sandbox_client AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY changed ON series_ledger AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((client_id IS NULL) OR is_visible(client_id))))
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY erased ON series_ledger AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (CURRENT_USER <> 'holdfast_service'::name)));

CREATE POLICY made ON series_ledger AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY seen ON series_ledger AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((client_id IS NULL) OR is_visible(client_id))));

CREATE POLICY changed ON series_point AS PERMISSIVE FOR UPDATE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((client_id IS NULL) OR is_visible(client_id))))
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY erased ON series_point AS PERMISSIVE FOR DELETE TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (CURRENT_USER <> 'holdfast_service'::name)));

CREATE POLICY made ON series_point AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY seen ON series_point AS PERMISSIVE FOR SELECT TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((client_id IS NULL) OR is_visible(client_id))));

CREATE POLICY entered ON session AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY pre_auth ON session AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON shared_round_mark AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY pre_auth ON shared_round_mark AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON signing_key AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY pre_auth ON signing_key AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON stated_entry AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON stated_holding AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON storage_measure AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY pre_auth ON storage_measure AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON transaction AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND ((client_id IS NULL) OR is_visible(client_id))))
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON unchained_audit_entry AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY pre_auth ON unchained_audit_entry AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY queued ON unchained_audit_entry AS PERMISSIVE FOR INSERT TO holdfast_service
  WITH CHECK (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY entered ON upload_ledger AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY entered ON used_assertion AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY pre_auth ON used_assertion AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON webhook AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND is_visible(client_id)));

CREATE POLICY pre_auth ON webhook AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON webhook_key AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true))));

CREATE POLICY pre_auth ON webhook_key AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING ((private_sealed IS NOT NULL));

CREATE POLICY entered ON workspace AS PERMISSIVE FOR ALL TO holdfast_service
  USING ((workspace_id = current_setting('holdfast.workspace'::text, true)));

CREATE POLICY pre_auth ON workspace AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

CREATE POLICY entered ON workspace_administrator AS PERMISSIVE FOR ALL TO holdfast_service
  USING (((workspace_id = current_setting('holdfast.workspace'::text, true)) AND (environment = current_setting('holdfast.environment'::text, true)) AND (current_setting('holdfast.visible_clients'::text, true) = 'all'::text)));

CREATE POLICY pre_auth ON workspace_administrator AS PERMISSIVE FOR SELECT TO holdfast_pre_auth
  USING (true);

GRANT DELETE, INSERT, SELECT, UPDATE ON account TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON account_depository TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON account_ledger TO holdfast_service;
GRANT SELECT ON administrator_link TO holdfast_pre_auth;
GRANT DELETE, INSERT, SELECT, UPDATE ON administrator_link TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON announced_holding TO holdfast_service;
GRANT INSERT, SELECT, UPDATE ON audit_chain TO holdfast_service;
GRANT DELETE, INSERT, SELECT ON audit_entry TO holdfast_service;
GRANT DELETE, INSERT, SELECT ON audit_link TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON auth_flow TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON auth_flow_file TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON authority TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON authority_account TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON authority_depository TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON authority_warning TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON booking_count TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON budget TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON calculation_round TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON client TO holdfast_service;
GRANT SELECT ON credential TO holdfast_pre_auth;
GRANT DELETE, INSERT, SELECT, UPDATE ON credential TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON custodian TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON delivery TO holdfast_service;
GRANT INSERT, SELECT ON delivery_attempt TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON delivery_queue TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON depository TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON disabled_former_member TO holdfast_service;
GRANT SELECT ON environment TO holdfast_pre_auth;
GRANT INSERT, SELECT, UPDATE ON environment TO holdfast_service;
GRANT DELETE, INSERT, SELECT ON event TO holdfast_service;
GRANT INSERT, SELECT, UPDATE ON event_order TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON feed_run TO holdfast_service;
GRANT INSERT, SELECT ON fx_rate TO holdfast_service;
GRANT INSERT, SELECT ON historical_holding TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON idempotent_answer TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON identifier_mapping TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON import TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON import_profile TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON import_row TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON import_usage TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON import_work TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON instrument TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON instrument_class TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON instrument_word TO holdfast_service;
GRANT SELECT ON invite TO holdfast_pre_auth;
GRANT DELETE, INSERT, SELECT, UPDATE ON invite TO holdfast_service;
GRANT INSERT, SELECT, UPDATE ON ledger_copy TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON legal_entity TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON limit_rule TO holdfast_service;
GRANT DELETE, INSERT, SELECT ON limit_state TO holdfast_service;
GRANT INSERT, SELECT ON link_version TO holdfast_service;
GRANT INSERT, SELECT, UPDATE ON log_shipment TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON mail TO holdfast_service;
GRANT SELECT ON membership TO holdfast_pre_auth;
GRANT DELETE, INSERT, SELECT, UPDATE ON membership TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON outbox TO holdfast_service;
GRANT SELECT ON person TO holdfast_pre_auth;
GRANT DELETE, INSERT, SELECT, UPDATE ON person TO holdfast_service;
GRANT SELECT ON person_identity TO holdfast_pre_auth;
GRANT DELETE, INSERT, SELECT, UPDATE ON person_identity TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON person_key TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON portfolio TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON portfolio_account TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON portfolio_depository TO holdfast_service;
GRANT INSERT, SELECT, UPDATE ON rate_ledger TO holdfast_service;
GRANT SELECT ON read_grant TO holdfast_pre_auth;
GRANT DELETE, INSERT, SELECT, UPDATE ON read_grant TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON reconciliation_break TO holdfast_service;
GRANT INSERT, SELECT ON record_version TO holdfast_service;
GRANT SELECT ON replaced_key TO holdfast_pre_auth;
GRANT DELETE, INSERT, SELECT, UPDATE ON replaced_key TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON reporting_entity TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON request_count TO holdfast_service;
GRANT DELETE, INSERT, SELECT ON request_log TO holdfast_service;
GRANT INSERT, SELECT, UPDATE ON request_log_end TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON round_mark TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON sandbox_client TO holdfast_service;
GRANT INSERT, SELECT ON series_ledger TO holdfast_service;
GRANT INSERT, SELECT ON series_point TO holdfast_service;
GRANT SELECT ON session TO holdfast_pre_auth;
GRANT DELETE, INSERT, SELECT, UPDATE ON session TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON shared_round_mark TO holdfast_service;
GRANT SELECT ON signing_key TO holdfast_pre_auth;
GRANT DELETE, INSERT, SELECT, UPDATE ON signing_key TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON stated_entry TO holdfast_service;
GRANT INSERT, SELECT ON stated_holding TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON storage_measure TO holdfast_service;
GRANT INSERT, SELECT ON transaction TO holdfast_service;
GRANT DELETE, INSERT, SELECT ON unchained_audit_entry TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON upload_ledger TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON used_assertion TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON webhook TO holdfast_service;
GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_key TO holdfast_service;
GRANT INSERT, SELECT, UPDATE ON workspace TO holdfast_service;
GRANT SELECT ON workspace_administrator TO holdfast_pre_auth;
GRANT DELETE, INSERT, SELECT, UPDATE ON workspace_administrator TO holdfast_service;

GRANT SELECT (workspace_id, environment, number, anchor_number) ON audit_chain TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id) ON audit_entry TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, number, entry_id) ON audit_link TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, custodian_id, state, expires_at, broken_at, has_credentials, rows_to_book_after) ON authority TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, authority_id, expires_at, days, mailed_at) ON authority_warning TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, finished_at, lease_until) ON calculation_round TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, path, name) ON client TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, expiry_warning_days, connector) ON custodian TO holdfast_pre_auth;
GRANT SELECT (workspace_id, webhook_id) ON delivery TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, webhook_id, due_at) ON delivery_queue TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id) ON event TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, authority_id, due_at, lease_until, finished_at) ON feed_run TO holdfast_pre_auth;
GRANT UPDATE (known_until) ON fx_rate TO holdfast_service;
GRANT UPDATE (known_until) ON historical_holding TO holdfast_service;
GRANT SELECT (workspace_id, environment, expires_at) ON idempotent_answer TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, state) ON import TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, stored_rows, stored_bytes, day, day_rows) ON import_usage TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, started_at, reported_at) ON import_work TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, until) ON limit_state TO holdfast_pre_auth;
GRANT UPDATE (until) ON limit_state TO holdfast_service;
GRANT UPDATE (known_until) ON link_version TO holdfast_service;
GRANT SELECT (workspace_id, environment, log, destination, "position", due_at) ON log_shipment TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, address_digest, created_at, handed_at, next_attempt_at) ON mail TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, first_id) ON outbox TO holdfast_pre_auth;
GRANT UPDATE (known_until) ON record_version TO holdfast_service;
GRANT SELECT (workspace_id, environment, day) ON request_count TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, number) ON request_log TO holdfast_pre_auth;
GRANT UPDATE (number) ON request_log TO holdfast_service;
GRANT SELECT (workspace_id, environment, number) ON request_log_end TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, since) ON round_mark TO holdfast_pre_auth;
GRANT UPDATE (version, known_until) ON series_ledger TO holdfast_service;
GRANT UPDATE (known_until) ON series_point TO holdfast_service;
GRANT SELECT (workspace_id, environment, since) ON shared_round_mark TO holdfast_pre_auth;
GRANT UPDATE (known_until) ON stated_holding TO holdfast_service;
GRANT SELECT (workspace_id, environment, measured_at, took_ms, row_count, bytes, last_entry) ON storage_measure TO holdfast_pre_auth;
GRANT UPDATE (known_until, closed_version) ON transaction TO holdfast_service;
GRANT SELECT (workspace_id, environment, entry_id) ON unchained_audit_entry TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, expires_at) ON used_assertion TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, id, previous_secret_until, state) ON webhook TO holdfast_pre_auth;
GRANT SELECT (workspace_id, environment, retired_at) ON webhook_key TO holdfast_pre_auth;
GRANT SELECT (workspace_id, state, import_rows_max, import_bytes_max, storage_bytes_max, import_rows_per_day, request_log_days, event_days, round_days, limit_days, audit_days, unbooked_import_days) ON workspace TO holdfast_pre_auth;
