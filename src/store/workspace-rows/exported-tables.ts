// Which tables an export of a workspace holds, in which files, and what is left out of it and why. A test compares this with the catalogs, so
// that a new table is in one of the two lists.

export interface ExportedTable {
  /** The name of its file, without the ending. */
  readonly file: string;
  /** CSV for long tables of plain values; JSON lines for the others. */
  readonly format: 'csv' | 'jsonl';
  /** Columns with secrets, and columns that mean nothing without them. */
  readonly without?: readonly string[];
  /** What is written in place of a column, as SQL over the row `t`. */
  readonly values?: Readonly<Record<string, string>>;
  /** Rows that are exported, as SQL over the row `t`. All, if left out. */
  readonly where?: string;
  /** An order in which rows come after those they refer to; else that of the primary key. */
  readonly order?: string;
  /**
   * Of an export of clients: the rows that belong to it, where these are not simply those with its `client_id`. `$3` are the ids of the clients.
   * `none`: there are none.
   */
  readonly ofClients?: string;
}

const jsonl = (file: string, more: Partial<ExportedTable> = {}): ExportedTable => ({ file, format: 'jsonl', ...more });
const csv = (file: string, more: Partial<ExportedTable> = {}): ExportedTable => ({ file, format: 'csv', ...more });

const sameTenant = (alias: string): string => `${alias}.workspace_id = $1 AND ${alias}.environment = $2`;

/** Of these clients, or for all holders of an instrument that all clients share: their figures depend on those, too. */
const ownOrForAll = (alias: string): string => `(${alias}.client_id = ANY ($3) OR ${alias}.client_id IS NULL)`;

/** The instruments that all clients share and that the ledgers of these clients name. */
const usedInstruments = `ARRAY(SELECT x.instrument_id FROM transaction x WHERE ${sameTenant('x')} AND ${ownOrForAll('x')}
  UNION SELECT x.target_instrument_id FROM transaction x WHERE ${sameTenant('x')} AND ${ownOrForAll('x')}
  UNION SELECT x.instrument_id FROM historical_holding x WHERE ${sameTenant('x')} AND x.client_id = ANY ($3)
  UNION SELECT x.instrument_id FROM stated_holding x WHERE ${sameTenant('x')} AND x.client_id = ANY ($3))`;
const usedCustodians = `ARRAY(SELECT x.custodian_id FROM account x WHERE ${sameTenant('x')} AND x.client_id = ANY ($3)
  UNION SELECT x.custodian_id FROM authority x WHERE ${sameTenant('x')} AND x.client_id = ANY ($3)
  UNION SELECT x.custodian_id FROM auth_flow x WHERE ${sameTenant('x')} AND x.client_id = ANY ($3)
  UNION SELECT x.custodian_id FROM identifier_mapping x WHERE ${sameTenant('x')} AND x.client_id = ANY ($3))`;
const members = `ARRAY(SELECT x.person_id FROM membership x WHERE ${sameTenant('x')} AND x.client_id = ANY ($3))`;

const ownOrShared = (id: string): string =>
  `(t.client_id = ANY ($3) OR t.client_id IS NULL AND ${id} = ANY (${usedInstruments}))`;

export const exportedTables: Readonly<Record<string, ExportedTable>> = {
  client: jsonl('clients', { order: 'cardinality(t.path), t.id', ofClients: 't.id = ANY ($3)' }),
  custodian: jsonl('custodians', {
    without: ['oauth_client_secret_sealed'],
    values: { has_oauth_client_secret: 'false' },
    ofClients: `t.id = ANY (${usedCustodians})`,
  }),
  legal_entity: jsonl('legal-entities'),
  reporting_entity: jsonl('reporting-entities'),
  portfolio: jsonl('portfolios'),
  account: jsonl('accounts'),
  depository: jsonl('depositories'),
  account_depository: jsonl('account-depositories'),
  portfolio_account: jsonl('portfolio-accounts'),
  portfolio_depository: jsonl('portfolio-depositories'),
  instrument_class: jsonl('instrument-classes', {
    order: 'cardinality(t.lineage), t.id',
    ofClients: 'true',
  }),
  instrument: jsonl('instruments', { ofClients: ownOrShared('t.id') }),
  instrument_word: jsonl('instrument-words', { ofClients: ownOrShared('t.instrument_id') }),
  identifier_mapping: jsonl('identifier-mappings'),
  series_ledger: jsonl('series-ledgers', { ofClients: ownOrShared('t.instrument_id') }),
  series_point: csv('points', { ofClients: ownOrShared('t.instrument_id') }),
  rate_ledger: jsonl('rate-ledgers', { ofClients: 'true' }),
  fx_rate: jsonl('fx-rates', { ofClients: 'true' }),
  account_ledger: jsonl('account-ledgers'),
  booking_count: jsonl('booking-counts'),
  transaction: csv('transactions', { ofClients: ownOrForAll('t') }),
  upload_ledger: jsonl('upload-ledgers'),
  historical_holding: jsonl('historical-holdings'),
  record_version: jsonl('record-versions', {
    ofClients: `(t.client_id = ANY ($3) OR t.client_id IS NULL AND (t.table_name = 'instrument_class'
      OR t.id = ANY (${usedInstruments}) OR t.id = ANY (${usedCustodians})))`,
  }),
  link_version: jsonl('link-versions'),
  limit_rule: jsonl('limits'),
  limit_state: jsonl('limit-states'),
  calculation_round: jsonl('calculation-rounds', { where: 't.finished_at IS NOT NULL' }),
  webhook: jsonl('webhooks', {
    without: ['secret_sealed', 'previous_secret_sealed', 'previous_secret_until'],
    values: {
      state: `'disabled'`,
      disabled_reason: `coalesce(t.disabled_reason, 'asked')`,
      disabled_at: 'coalesce(t.disabled_at, now())',
    },
  }),
  person: jsonl('people', { ofClients: `t.id = ANY (${members})` }),
  person_identity: jsonl('identities', { ofClients: `t.person_id = ANY (${members})` }),
  membership: jsonl('memberships'),
  disabled_former_member: jsonl('disabled-former-members'),
  read_grant: jsonl('read-grants'),
  workspace_administrator: jsonl('administrators', { ofClients: 'none' }),
  authority: jsonl('authorities', { without: ['credentials_sealed', 'rows_to_book_after'] }),
  authority_account: jsonl('authority-accounts'),
  authority_depository: jsonl('authority-depositories'),
  auth_flow: jsonl('auth-flows', {
    without: ['pending_sealed', 'pending_until', 'completed_state', 'completed_detail'],
  }),
  import_profile: jsonl('import-profiles', { ofClients: 'none' }),
  import: jsonl('imports'),
  import_row: jsonl('import-rows'),
  stated_entry: jsonl('stated-entries'),
  stated_holding: jsonl('stated-holdings'),
  reconciliation_break: jsonl('reconciliation-breaks'),
  sandbox_client: jsonl('sandbox-clients'),
  audit_entry: jsonl('audit-log'),
};

const without = (name: string): readonly [string, ExportedTable] => [
  name,
  { ...exportedTables[name]!, where: 'false' },
];

/**
 * What a copy of a workspace beside the living one holds: nothing may be sent or fetched by it, and whoever has lost the right to see the living one must not
 * find it again in an older copy. People stay as names in the audit log, and cannot sign in.
 */
export const copiedTables: Readonly<Record<string, ExportedTable>> = {
  ...exportedTables,
  ...Object.fromEntries(
    ['person_identity', 'membership', 'disabled_former_member', 'read_grant', 'workspace_administrator'].map(without),
  ),
  // Connections have ended: files are dropped into folders named by the ids of authorities, which are those of the living ones.
  authority: {
    ...exportedTables['authority']!,
    values: {
      state: `CASE WHEN t.state IN ('revoked', 'cancelled') THEN t.state
        WHEN t.state IN ('active', 'revoke-in-progress') THEN 'revoked' ELSE 'cancelled' END`,
      revoked_at: `CASE WHEN t.state IN ('active', 'revoke-in-progress') THEN coalesce(t.revoked_at, now()) ELSE t.revoked_at END`,
    },
  },
};

/** What an export does not hold, with the reason that its manifest states. */
export const leftOutTables: Readonly<Record<string, string>> = {
  workspace: 'its name is in the manifest; its settings are those of the operator: set them anew',
  environment: 'made anew by the import',
  credential: 'applications and keys have secrets: make new ones',
  signing_key: 'secret',
  replaced_key: 'secret',
  webhook_key: 'secret',
  person_key: 'secret: personal data in lines of the audit log stays sealed, as after an erasure',
  used_assertion: 'holds for minutes',
  idempotent_answer: 'holds for a day',
  budget: 'holds for minutes',
  session: 'people sign in again',
  invite: 'the link of an invite is a secret: invite again',
  administrator_link: 'secret',
  mail: 'was sent, or is sent by the old service',
  request_log: 'kept for days only',
  request_count: 'what the old service was asked',
  request_log_end: 'numbers lines of the request log',
  log_shipment: 'where the old service has shipped its logs to',
  audit_link: 'hashes are keyed: the imported lines are chained anew',
  audit_chain: 'hashes are keyed: the imported lines are chained anew',
  unchained_audit_entry: 'the imported lines are chained anew',
  ledger_copy: 'made anew from the transactions',
  event: 'was announced by the old service',
  event_order: 'of deliveries',
  outbox: 'was announced by the old service',
  delivery: 'was sent by the old service',
  delivery_attempt: 'was sent by the old service',
  delivery_queue: 'was sent by the old service',
  announced_holding: 'of deliveries: the next round announces holdings anew',
  round_mark: 'the next round is for all clients',
  shared_round_mark: 'the next round is for all clients',
  feed_run: 'feeds begin anew once their custodian is connected again',
  authority_warning: 'given anew',
  auth_flow_file: 'encrypted documents: send them again',
  import_work: 'work under way',
  import_usage: 'counted anew from the imports',
  storage_measure: 'measured anew',
};
