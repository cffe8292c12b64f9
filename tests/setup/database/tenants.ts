// Two workspaces with two environments each, and the same few rows of every table in each environment, so that rows of another tenant are
// noticed. Inserted directly, bypassing both tenant filters.

import type pg from 'pg';
import type { Id } from '../../../src/kit/id.ts';
import type { Environment, Scope, VisibleClients } from '../../../src/model/access/scope.ts';
import { allClients } from '../../../src/model/access/scope.ts';

export interface TestTenant {
  readonly workspaceId: Id;
  readonly environment: Environment;
  /** A root with a child, and another root. */
  readonly clients: { readonly root: Id; readonly child: Id; readonly other: Id };
  /** The ids of the other records: the same in both workspaces, so that only the tenant filters keep them apart. */
  id(number: number): Id;
}

function idFromParts(...parts: number[]): Id {
  return parts
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('')
    .padStart(24, '0') as Id;
}

export const tenants: readonly TestTenant[] = [1, 2].flatMap((workspace) =>
  (['production', 'sandbox'] as const).map((environment, index) => ({
    workspaceId: idFromParts(workspace),
    environment,
    clients: { root: idFromParts(index, 1), child: idFromParts(index, 2), other: idFromParts(index, 3) },
    id: (number) => idFromParts(index, number),
  })),
);

export interface ClientRecords {
  readonly legalEntity: Id;
  readonly account: Id;
  readonly depository: Id;
  readonly reportingEntity: Id;
  readonly portfolio: Id;
}

/** The structure of one client: one record of each kind, linked to each other. */
export function recordsOf({ id }: TestTenant, client: keyof TestTenant['clients']): ClientRecords {
  const offset = { root: 1, child: 2, other: 3 }[client];
  return {
    legalEntity: id(10 + offset),
    account: id(20 + offset),
    depository: id(30 + offset),
    reportingEntity: id(40 + offset),
    portfolio: id(50 + offset),
  };
}

/** The custodian of all accounts, and one without accounts. */
export function custodiansOf({ id }: TestTenant): readonly [bank: Id, idle: Id] {
  return [id(61), id(62)];
}

export function scopeOf({ workspaceId, environment }: TestTenant, visibleClients: VisibleClients = allClients): Scope {
  return { workspaceId, environment, visibleClients, credentialId: null };
}

const timestamp = "'2026-11-15T12:00:00Z'";

/** A shared stock that all clients see, and an instrument private to each client. */
export function instrumentsOf({ id }: TestTenant): Readonly<Record<'shared' | keyof TestTenant['clients'], Id>> {
  return { root: id(71), child: id(72), other: id(73), shared: id(74) };
}

function instrumentRows(tenant: TestTenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const tenantKey = `'${workspaceId}', '${environment}'`;
  const rows = Object.entries(instrumentsOf(tenant)).map(([name, instrument]) => {
    const owner = name === 'shared' ? undefined : (name as keyof TestTenant['clients']);
    const owned = owner ? `'${clients[owner]}', '${recordsOf(tenant, owner).reportingEntity}'` : 'NULL, NULL';
    return { name, instrument, client: owned.split(', ')[0], owned };
  });
  const values = (row: (one: (typeof rows)[number]) => string): string =>
    rows.map((one) => `(${tenantKey}, ${row(one)})`).join(', ');
  return [
    `INSERT INTO instrument_class VALUES (${tenantKey}, '${id(81)}', NULL, '{${id(81)}}', 'Class', '{Class}', 'other', 'daily',
      '{buy}', 'price', 'twr', 10, ${timestamp})`,
    `INSERT INTO instrument (workspace_id, environment, id, name, client_id, reporting_entity_id, type, price_unit, tags, created_at)
      VALUES ${values(({ instrument, name, owned }) => `'${instrument}', '${name}', ${owned}, 'other-instrument', '1', '{}', ${timestamp}`)}`,
    `INSERT INTO instrument_word (workspace_id, environment, instrument_id, client_id, word)
      VALUES ${values(({ instrument, name, client }) => `'${instrument}', ${client}, '${name}'`)}`,
  ];
}

/** What files call each instrument. */
function mappingRows(tenant: TestTenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const rows = Object.entries(instrumentsOf(tenant)).map(([name, instrument], index) => {
    const client = name === 'shared' ? 'NULL' : `'${clients[name as keyof TestTenant['clients']]}'`;
    return `('${workspaceId}', '${environment}', '${id(231 + index)}', ${client}, 'instrument', 'custodian-code', '${name}', '${name}',
      '${instrument}', 'manual', ${timestamp})`;
  });
  return [
    `INSERT INTO identifier_mapping (workspace_id, environment, id, client_id, kind, scheme, value, folded_value, instrument_id,
      source, created_at) VALUES ${rows.join(', ')}`,
  ];
}

/** A price for each instrument, and an exchange rate that all clients see. */
function seriesRows(tenant: TestTenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const tenantKey = `'${workspaceId}', '${environment}'`;
  const points = Object.entries(instrumentsOf(tenant)).map(([name, instrument], index) => {
    const client = name === 'shared' ? 'NULL' : `'${clients[name as keyof TestTenant['clients']]}'`;
    return `(${tenantKey}, '${id(111 + index)}', '${instrument}', ${client}, 'price', '2026-01-05', 'manual', 1, '2020-01-01')`;
  });
  const ledgers = Object.entries(instrumentsOf(tenant)).map(([name, instrument]) => {
    const client = name === 'shared' ? 'NULL' : `'${clients[name as keyof TestTenant['clients']]}'`;
    return `(${tenantKey}, '${instrument}', ${client}, 1)`;
  });
  const columns = 'workspace_id, environment, id, instrument_id, client_id, kind, date, source, value, known_from';
  const rate = `${tenantKey}, '${id(121)}', 'EUR', 'CHF', '2026-01-05', 'manual', 0.9, '2020-01-01'`;
  return [
    `INSERT INTO series_ledger VALUES ${ledgers.join(', ')}`,
    `INSERT INTO rate_ledger VALUES (${tenantKey}, 1)`,
    `INSERT INTO series_point (${columns}) VALUES ${points.join(', ')}`,
    `INSERT INTO fx_rate (workspace_id, environment, id, base, quote, date, source, rate, known_from) VALUES (${rate})`,
  ];
}

/** Stored versions of each client's settings and links and of the shared class, and a change that concerned all clients. */
function historyRows({ workspaceId, environment, clients, id }: TestTenant): string[] {
  const tenantKey = `'${workspaceId}', '${environment}'`;
  const names = ['root', 'child', 'other'] as const;
  const states = names.map(
    (name) => `(${tenantKey}, 'client', '${clients[name]}', '${clients[name]}', 1, '2020-01-01', '{}')`,
  );
  const links = names.map(
    (name) => `(${tenantKey}, '${clients[name]}', 'portfolio_account', 'one', '${name}', '2020-01-01')`,
  );
  return [
    `INSERT INTO record_version (workspace_id, environment, table_name, id, client_id, version, known_from, state)
      VALUES ${states.join(', ')}, (${tenantKey}, 'instrument_class', '${id(81)}', NULL, 1, '2020-01-01', '{}')`,
    `INSERT INTO link_version (workspace_id, environment, client_id, link, one_id, other_id, known_from) VALUES ${links.join(', ')}`,
    `INSERT INTO shared_round_mark VALUES (${tenantKey}, 'all', 'rate', ${timestamp})`,
  ];
}

/** A deposit for each client, and the counters that belong to it. */
export function transactionsOf({ id }: TestTenant): Readonly<Record<'shared' | keyof TestTenant['clients'], Id>> {
  return { root: id(91), child: id(92), other: id(93), shared: id(94) };
}

function ledgerRows(tenant: TestTenant): string[] {
  const { workspaceId, environment, clients } = tenant;
  const tenantKey = `'${workspaceId}', '${environment}'`;
  const booked = transactionsOf(tenant);
  const names = ['root', 'child', 'other'] as const;
  const ofClients = (row: (name: (typeof names)[number]) => string): string =>
    names.map((name) => `(${tenantKey}, ${row(name)})`).join(', ');
  const columns = `workspace_id, environment, id, sequence, known_from, opened_version, client_id, account_id, instrument_id,
    kind, type, date, amount, value, unexplained, action, comment, source, created_at`;
  const row = (name: keyof typeof booked, own: string): string =>
    `'${booked[name]}', ${name === 'shared' ? -1 : 1}, ${timestamp}, 1, ${own}, '2026-03-12', 100, 0, 0, NULL, '${name}', 'manual', ${timestamp}`;
  const deposit = (name: (typeof names)[number]): string =>
    row(name, `'${clients[name]}', '${recordsOf(tenant, name).account}', NULL, 'flow', 'deposit'`);
  const shared = row('shared', `NULL, NULL, NULL, 'corporate-action', 'corporate-action'`);
  return [
    `INSERT INTO transaction (${columns}) VALUES ${ofClients(deposit)}, (${tenantKey}, ${shared})`,
    `INSERT INTO account_ledger VALUES ${ofClients((name) => `'${clients[name]}', '${recordsOf(tenant, name).account}', 1`)}`,
    `INSERT INTO ledger_copy VALUES ${ofClients((name) => `'${clients[name]}', '${recordsOf(tenant, name).account}', 1, 0, 1, '\\x00'`)}`,
    `INSERT INTO booking_count VALUES ${ofClients((name) => `'${clients[name]}', 1`)}`,
    `INSERT INTO round_mark VALUES ${ofClients((name) => `'${clients[name]}', ${timestamp}, '{transaction}'`)}`,
  ];
}

/** A balance for each client, and the state of its uploads. */
function uploadRows(tenant: TestTenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const tenantKey = `'${workspaceId}', '${environment}'`;
  const ofClients = (row: (name: keyof typeof clients, number: number) => string): string =>
    (['root', 'child', 'other'] as const).map((name, index) => `(${tenantKey}, ${row(name, 101 + index)})`).join(', ');
  const balance = (name: keyof typeof clients, number: number): string =>
    `'${id(number)}', '2020-01-01', '${clients[name]}', 'account', '${recordsOf(tenant, name).account}', '2019-12-31', 100`;
  return [
    `INSERT INTO historical_holding (workspace_id, environment, id, known_from, client_id, kind, account_id, date, market_value)
      VALUES ${ofClients(balance)}`,
    `INSERT INTO upload_ledger VALUES ${ofClients((name) => `'${clients[name]}', 1`)}`,
  ];
}

/** What a custodian states of each client's account, and how it differs. */
function statedRows(tenant: TestTenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const rows = (['root', 'child', 'other'] as const).map(
    (name, index) =>
      `('${workspaceId}', '${environment}', '${id(231 + index)}', '2020-01-01', '${clients[name]}', '${id(230)}', 'cash',
        '${recordsOf(tenant, name).account}', 'cash:EUR', '2019-12-31', 100, 'EUR')`,
  );
  const breaks = (['root', 'child', 'other'] as const).map(
    (name, index) =>
      `('${workspaceId}', '${environment}', '${id(241 + index)}', '${clients[name]}', '${recordsOf(tenant, name).account}', 'cash',
        'cash:EUR', 'EUR', 'cash', 'open', '2019-12-31', '2019-12-31', 100, 99, 1, '{}', ${timestamp}, ${timestamp})`,
  );
  return [
    `INSERT INTO stated_holding (workspace_id, environment, id, known_from, client_id, import_id, kind, account_id, subject, date,
      quantity, currency) VALUES ${rows.join(', ')}`,
    `INSERT INTO reconciliation_break (workspace_id, environment, id, client_id, account_id, aspect, subject, currency, class, state, date,
      first_date, stated, ledger, difference, transaction_ids, first_seen_at, opened_at) VALUES ${breaks.join(', ')}`,
  ];
}

/** A limit for each client, which its reporting entity breaches. */
function limitRows(tenant: TestTenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const ofClients = (row: (name: keyof typeof clients, number: number) => string): string =>
    (['root', 'child', 'other'] as const)
      .map((name, index) => `('${workspaceId}', '${environment}', ${row(name, index)})`)
      .join(', ');
  const limit = (name: keyof typeof clients, index: number): string =>
    `'${id(131 + index)}', '${clients[name]}', '${name}', 'absolute', 1, '{}', ${timestamp}`;
  const state = (name: keyof typeof clients, index: number): string =>
    `'${id(141 + index)}', '${clients[name]}', '${id(131 + index)}', '${recordsOf(tenant, name).reportingEntity}', 'absolute',
      'breached', 2, 'max', 1, '2020-01-01'`;
  return [
    `INSERT INTO limit_rule (workspace_id, environment, id, client_id, name, kind, max_amount, filter, created_at)
      VALUES ${ofClients(limit)}`,
    `INSERT INTO limit_state (workspace_id, environment, id, client_id, limit_id, reporting_entity_id, kind, state,
      current_value, bound, bound_value, since) VALUES ${ofClients(state)}`,
  ];
}

/** A holding of each client that was announced to webhooks. */
function announcedRows(tenant: TestTenant): string[] {
  const rows = (['root', 'child', 'other'] as const).map(
    (name) =>
      `('${tenant.workspaceId}', '${tenant.environment}', '${tenant.clients[name]}', '${recordsOf(tenant, name).reportingEntity}',
        'ffffffffffffffff01455552', 100, 100, '{}')`,
  );
  return [`INSERT INTO announced_holding VALUES ${rows.join(', ')}`];
}

/** An import for each client and one for all, each with a row, and what a statement said about each account. */
function importRows(tenant: TestTenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const names = ['root', 'child', 'other'] as const;
  const owners = [...names.map((name) => `'${clients[name]}'`), 'NULL'];
  const ofAll = (row: (owner: string, index: number) => string): string =>
    owners.map((owner, index) => `('${workspaceId}', '${environment}', ${row(owner, index)})`).join(', ');
  const entries = names.map(
    (name) =>
      `('${workspaceId}', '${environment}', '${clients[name]}', '${recordsOf(tenant, name).account}', 'R', 'camt.053', false, false,
        false, false, '${id(231)}')`,
  );
  return [
    `INSERT INTO import (workspace_id, environment, id, client_id, state, origin, format, created_at)
      VALUES ${ofAll((owner, index) => `'${id(231 + index)}', ${owner}, 'checked', 'file', 'camt.053', ${timestamp}`)}`,
    `INSERT INTO import_work (workspace_id, environment, import_id, client_id, act, done_count, started_at, reported_at)
      VALUES ${ofAll((owner, index) => `'${id(231 + index)}', ${owner}, 'book', 1, ${timestamp}, ${timestamp}`)}`,
    `INSERT INTO import_usage (workspace_id, environment, stored_rows, stored_bytes) VALUES ('${workspaceId}', '${environment}', 4, 4000)`,
    `INSERT INTO storage_measure VALUES ('${workspaceId}', '${environment}', '2026-11-15T12:00:00Z', 1, 4, 4000, '')`,
    `INSERT INTO import_row (workspace_id, environment, import_id, number, client_id, line, item, ordinal, outcome, stated)
      VALUES ${ofAll((owner, index) => `'${id(231 + index)}', 1, ${owner}, 1, 'entry', 1, 'booked', '{}'`)}`,
    `INSERT INTO stated_entry (workspace_id, environment, client_id, account_id, reference, format, is_derived, is_cancelled,
      is_reversal, is_waiting, import_id) VALUES ${entries.join(', ')}`,
  ];
}

/** A round for each client. */
function roundRows({ workspaceId, environment, clients, id }: TestTenant): string[] {
  const rows = Object.values(clients).map(
    (client, index) =>
      `('${workspaceId}', '${environment}', '${id(151 + index)}', '${client}', '{day}', 'finished', ${timestamp}, ${timestamp}, ${timestamp}, ${timestamp})`,
  );
  return [
    `INSERT INTO calculation_round (workspace_id, environment, id, client_id, causes, state, marked_since, started_at, finished_at,
      lease_until) VALUES ${rows.join(', ')}`,
  ];
}

/** Pending events of each client and of none, for the client's own webhook or for that of the whole workspace. */
function eventRows({ workspaceId, environment, clients, id }: TestTenant): string[] {
  const owners = [...Object.values(clients).map((client) => `'${client}'`), 'NULL'];
  const ofAll = (row: (owner: string, index: number) => string): string =>
    owners.map((owner, index) => `('${workspaceId}', '${environment}', ${row(owner, index)})`).join(', ');
  const queueKey = (owner: string): string => (owner === 'NULL' ? "''" : owner);
  const event = (index: number): string => `'${id(160 + index)}'`;
  const webhook = (index: number): string => `'${id(170 + index)}'`;
  const delivery = (index: number): string => `'${id(180 + index)}'`;
  return [
    `INSERT INTO event (workspace_id, environment, id, client_id, batch_id, type, created_at, data)
      VALUES ${ofAll((owner, index) => `${event(index)}, ${owner}, ${event(index)}, 'holding.valued', ${timestamp}, '{}'`)}`,
    `INSERT INTO event_order VALUES ${ofAll((owner) => `${queueKey(owner)}, ${owner}, 1`)}`,
    `INSERT INTO outbox VALUES ${ofAll((owner, index) => `${queueKey(owner)}, 1, ${owner}, ${event(index)}, ${event(index)}, ${event(index)}`)}`,
    `INSERT INTO webhook (workspace_id, environment, id, client_id, url, events, scheme, state, created_at)
      VALUES ${ofAll((owner, index) => `${webhook(index)}, ${owner}, 'https://x.example', '{holding.valued}', 'standard', 'enabled', ${timestamp}`)}`,
    `INSERT INTO delivery (workspace_id, environment, id, client_id, webhook_id, event_id, order_key, number, state, created_at)
      VALUES ${ofAll((owner, index) => `${delivery(index)}, ${owner}, ${webhook(index)}, ${event(index)}, ${queueKey(owner)}, 1, 'pending', ${timestamp}`)}`,
    `INSERT INTO delivery_queue VALUES ${ofAll((owner, index) => `${webhook(index)}, ${queueKey(owner)}, ${owner}, 1, ${timestamp}, NULL`)}`,
    `INSERT INTO delivery_attempt VALUES ${ofAll((owner, index) => `${delivery(index)}, 1, ${owner}, ${timestamp}, 500, NULL, 1, ''`)}`,
  ];
}

/** A member of each client, named after it, with a row in every table about people. */
function peopleRows(tenant: TestTenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const ofClients = (row: (name: string, client: string, person: string, index: number) => string): string =>
    (['root', 'child', 'other'] as const)
      .map((name, index) => {
        return `('${workspaceId}', '${environment}', ${row(name, `'${clients[name]}'`, `'${id(191 + index)}'`, index)})`;
      })
      .join(', ');
  const entity = (name: string): string =>
    `'${recordsOf(tenant, name as keyof TestTenant['clients']).reportingEntity}'`;
  return [
    `INSERT INTO person VALUES ${ofClients((name, _client, person) => `${person}, '${name}@x.example', '${name}@x.example', ${timestamp}`)}`,
    `INSERT INTO person_key VALUES ${ofClients((_name, _client, person) => `${person}, '\\x01', ${timestamp}`)}`,
    `INSERT INTO person_identity VALUES ${ofClients((name, _client, person) => `'issuer', '${name}', ${person}, 'x', ${timestamp}, ${timestamp}`)}`,
    `INSERT INTO membership VALUES ${ofClients((name, client, person) => `${client}, ${person}, '${name}', '', 'viewer', ${timestamp}, ${timestamp}, NULL, '${name}@x.example', '${name}@x.example'`)}`,
    `INSERT INTO disabled_former_member VALUES ${ofClients((_name, client, person) => `${client}, ${person}, ${timestamp}`)}`,
    `INSERT INTO read_grant VALUES ${ofClients((name, client, person) => `${client}, ${person}, ${entity(name)}`)}`,
    `INSERT INTO invite (workspace_id, environment, id, client_id, person_id, role, secret_hash, created_at, expires_at)
      VALUES ${ofClients((_name, client, person, index) => `'${id(201 + index)}', ${client}, ${person}, 'viewer', '\\x01', ${timestamp}, ${timestamp}`)}`,
    `INSERT INTO session (workspace_id, environment, id, person_id, secret_hash, created_at, seen_at, expires_at)
      VALUES ${ofClients((_name, _client, person, index) => `'${id(211 + index)}', ${person}, '\\x01', ${timestamp}, ${timestamp}, ${timestamp}`)}`,
    `INSERT INTO request_count VALUES ('${tenant.workspaceId}', '${tenant.environment}', '2026-11-15', 3, 1, 0)`,
    `INSERT INTO request_log VALUES ${ofClients((name, _client, person, index) => `'${id(241 + index)}', ${timestamp}, 'GET', '/${name}', '/${name}', 200, 'answered', NULL, 1, NULL, ${person}, '${name}'`)}`,
    `INSERT INTO workspace_administrator VALUES ${ofClients((name, _client, person) => `${person}, '${name}', '', ${timestamp}, ${timestamp}`)}`,
    `INSERT INTO administrator_link (workspace_id, environment, id, person_id, secret_hash, created_at, expires_at)
      VALUES ${ofClients((_name, _client, person, index) => `'${id(231 + index)}', ${person}, '\\x01', ${timestamp}, ${timestamp}`)}`,
    `INSERT INTO mail (workspace_id, environment, id, client_id, person_id, invite_id, address_digest, created_at, sent_at)
      VALUES ${ofClients((_name, client, person, index) => `'${id(221 + index)}', ${client}, ${person}, '${id(201 + index)}', '\\x01', ${timestamp}, ${timestamp}`)}`,
  ];
}

/** The structure of all clients, and the custodians, which have different names in every tenant. */
function structureRows(tenant: TestTenant): string[] {
  const { workspaceId, environment, clients } = tenant;
  const tenantKey = `'${workspaceId}', '${environment}'`;
  const [bank, idle] = custodiansOf(tenant);
  const ofClients = (row: (records: ClientRecords, client: string, name: string) => string): string =>
    (['root', 'child', 'other'] as const)
      .map((name) => `(${tenantKey}, ${row(recordsOf(tenant, name), `'${clients[name]}'`, `'${name}'`)})`)
      .join(', ');
  const custodian = (id: Id, name: string): string =>
    `(${tenantKey}, '${id}', '${name}', lower('${name}'), ${timestamp})`;
  const links = (from: keyof ClientRecords, to: keyof ClientRecords): string =>
    ofClients((records, client) => `${client}, '${records[from]}', '${records[to]}'`);
  return [
    `INSERT INTO legal_entity VALUES ${ofClients((records, client, name) => `'${records.legalEntity}', ${client}, ${name}, ${timestamp}`)}`,
    `INSERT INTO reporting_entity VALUES ${ofClients((records, client, name) => `'${records.reportingEntity}', ${client}, ${name}, ${timestamp}`)}`,
    `INSERT INTO custodian VALUES ${custodian(bank, `Bank of ${workspaceId} ${environment}`)}, ${custodian(idle, 'Idle')}`,
    `INSERT INTO import_profile VALUES (${tenantKey}, '${bank}', 'Bank of ${workspaceId}', 'transactions', 'detect', 'point',
      'year-month-day', '{}', '{}', '[]', 'as-stated', NULL, '{}', '{}', '{}', ${timestamp})`,
    `INSERT INTO account VALUES ${ofClients(
      ({ account, legalEntity }, client, name) =>
        `'${account}', ${client}, '${legalEntity}', '${bank}', ${name}, ${name}, 'EUR', false, ${timestamp}`,
    )}`,
    `INSERT INTO depository VALUES ${ofClients(
      ({ depository, legalEntity }, client, name) =>
        `'${depository}', ${client}, '${legalEntity}', ${name}, ${name}, ${timestamp}`,
    )}`,
    `INSERT INTO portfolio VALUES ${ofClients(
      ({ portfolio, reportingEntity }, client, name) =>
        `'${portfolio}', ${client}, '${reportingEntity}', ${name}, ${timestamp}`,
    )}`,
    `INSERT INTO account_depository VALUES ${links('account', 'depository')}`,
    `INSERT INTO portfolio_account VALUES ${links('portfolio', 'account')}`,
    `INSERT INTO portfolio_depository VALUES ${links('portfolio', 'depository')}`,
  ];
}

/** An active authority of each client's legal entity, and all that belongs to it. */
export function authoritiesOf({ id }: TestTenant): Readonly<Record<keyof TestTenant['clients'], Id>> {
  return { root: id(231), child: id(232), other: id(233) };
}

function custodyRows(tenant: TestTenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const [bank] = custodiansOf(tenant);
  const ofClients = (
    row: (records: ClientRecords, client: string, authority: string, index: number) => string,
  ): string =>
    (['root', 'child', 'other'] as const)
      .map((name, index) => {
        const owned = row(recordsOf(tenant, name), `'${clients[name]}'`, `'${authoritiesOf(tenant)[name]}'`, index);
        return `('${workspaceId}', '${environment}', ${owned})`;
      })
      .join(', ');
  const flow = (index: number): string => `'${id(241 + index)}'`;
  return [
    `INSERT INTO authority (workspace_id, environment, id, client_id, legal_entity_id, custodian_id, state, created_at) VALUES
      ${ofClients(({ legalEntity }, client, authority) => `${authority}, ${client}, '${legalEntity}', '${bank}', 'active', ${timestamp}`)}`,
    `INSERT INTO auth_flow (workspace_id, environment, id, client_id, authority_id, legal_entity_id, custodian_id, purpose, state,
      expected_files, supported_consent_types, created_at) VALUES ${ofClients(
        ({ legalEntity }, client, authority, index) =>
          `${flow(index)}, ${client}, ${authority}, '${legalEntity}', '${bank}', 'grant', 'active', '{}', '{operator}', ${timestamp}`,
      )}`,
    `INSERT INTO auth_flow_file (workspace_id, environment, id, client_id, auth_flow_id, name, media_type, size, digest, content_sealed,
      created_at) VALUES ${ofClients(
        (_records, client, _authority, index) =>
          `'${id(251 + index)}', ${client}, ${flow(index)}, 'x', 'text/plain', 1, 'x', '\\x01', ${timestamp}`,
      )}`,
    `INSERT INTO authority_account VALUES ${ofClients(({ account }, client, authority) => `${client}, ${authority}, '${account}'`)}`,
    `INSERT INTO authority_depository VALUES
      ${ofClients(({ depository }, client, authority) => `${client}, ${authority}, '${depository}'`)}`,
    `INSERT INTO authority_warning VALUES
      ${ofClients((_records, client, authority) => `${authority}, ${timestamp}, 30, ${client}, ${timestamp}, NULL`)}`,
    `INSERT INTO feed_run (workspace_id, environment, id, client_id, authority_id, custodian_id, connector, state, due_at) VALUES
      ${ofClients((_records, client, authority, index) => `'${id(101 + index)}', ${client}, ${authority}, '${bank}', 'oauth-pull', 'waiting', ${timestamp}`)}`,
  ];
}

/** One statement for each table, in an order that foreign keys allow. Rows that belong to a client have its name in theirs. */
function tenantRows(whole: TestTenant): string[] {
  const { workspaceId, environment, clients, id: ownId } = whole;
  const { root, child, other } = clients;
  const tenant = `'${workspaceId}', '${environment}'`;
  const owned = [
    [11, root, 'root'],
    [12, child, 'child'],
    [13, other, 'other'],
  ] as const;
  const ofClients = (row: (id: Id, client: Id, name: string) => string): string =>
    owned.map(([number, client, name]) => `(${tenant}, ${row(ownId(number), client, name)})`).join(', ');
  const application = (id: Id, scope: string, name: string): string =>
    `'${id}', 'application', '${name}', '{read}', ${scope}, 'app-${environment}-${name}', '\\x01', '\\x02', NULL, ${timestamp}`;
  return [
    `INSERT INTO workspace VALUES ('${workspaceId}', 'Workspace', ${timestamp}) ON CONFLICT DO NOTHING`,
    `INSERT INTO environment VALUES (${tenant}, ${timestamp})`,
    `INSERT INTO client VALUES (${tenant}, '${root}', NULL, '{${root}}', 'root', 'EUR', 'FIFO', ${timestamp}),
      (${tenant}, '${child}', '${root}', '{${root},${child}}', 'child', 'EUR', 'FIFO', ${timestamp}),
      (${tenant}, '${other}', NULL, '{${other}}', 'other', 'EUR', 'FIFO', ${timestamp})`,
    `INSERT INTO credential VALUES ${ofClients((id, client, name) => application(id, `'${client}'`, name))},
      (${tenant}, ${application(ownId(14), 'NULL', 'whole')}),
      (${tenant}, '${ownId(15)}', 'ec-key', 'whole', '{read}', NULL, NULL, NULL, NULL, '{}', ${timestamp}),
      (${tenant}, '${ownId(16)}', 'rsa-key', 'other', '{read}', '${other}', NULL, NULL, NULL, '{}', ${timestamp})`,
    `INSERT INTO signing_key VALUES (${tenant}, '${ownId(1)}', '{}', '\\x01', ${timestamp})`,
    `INSERT INTO replaced_key VALUES (${tenant}, '${ownId(1)}', '\\x01')`,
    `INSERT INTO webhook_key VALUES (${tenant}, '${ownId(1)}', '{}', '\\x01', ${timestamp})`,
    `INSERT INTO used_assertion VALUES (${tenant}, '\\x01', ${timestamp})`,
    `INSERT INTO idempotent_answer VALUES (${tenant}, '\\x01', 'caller', '\\x01', NULL, ${timestamp})`,
    `INSERT INTO budget VALUES (${tenant}, '${workspaceId}', 1, ${timestamp})`,
    `INSERT INTO audit_entry (workspace_id, environment, id, client_id, subject, at, act, subject_type, subject_id) VALUES
      ${ofClients((id, client, name) => `'${id}', '${client}', '${name}', ${timestamp}, 'create', 'client', '${client}'`)},
      (${tenant}, '${ownId(14)}', NULL, 'whole', ${timestamp}, 'create', 'application', '${ownId(14)}')`,
    `INSERT INTO unchained_audit_entry VALUES (${tenant}, '${ownId(11)}')`,
    `INSERT INTO audit_link VALUES (${tenant}, 1, '${ownId(12)}', '\\x01')`,
    `INSERT INTO log_shipment VALUES (${tenant}, 'audit', 'file', 1, ${timestamp}, 1, 0)`,
    `INSERT INTO request_log_end VALUES (${tenant}, 0)`,
    `INSERT INTO audit_chain VALUES (${tenant}, 1, '\\x01')`,
    ...structureRows(whole),
    ...peopleRows(whole),
    ...custodyRows(whole),
    ...instrumentRows(whole),
    ...mappingRows(whole),
    ...seriesRows(whole),
    ...ledgerRows(whole),
    ...uploadRows(whole),
    ...statedRows(whole),
    ...limitRows(whole),
    ...announcedRows(whole),
    ...importRows(whole),
    ...roundRows(whole),
    ...eventRows(whole),
    ...historyRows(whole),
    `INSERT INTO sandbox_client (workspace_id, environment, id, client_id, persona, reporting_currency, seed, start_date, end_date, records,
      created_at) VALUES ${ofClients((_id, client) => `'${client}', '${client}', 'foundation', 'EUR', 1, '2020-01-01', '2020-12-31', '[]', ${timestamp}`)}`,
  ];
}

export async function insertTenants(admin: pg.Client): Promise<void> {
  await admin.query(tenants.flatMap(tenantRows).join(';\n'));
}

/** All tables with rows of a workspace. */
export async function listTables(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
     AND relname <> 'schema_migration' ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
}

export type StoredRow = Readonly<Record<string, unknown>>;

export function selectAllRows(table: string): string {
  return `SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY t::text`;
}

/** All rows of a table, of all tenants. */
export async function listRows(admin: pg.Client, table: string): Promise<StoredRow[]> {
  return (await admin.query<{ row: StoredRow }>(selectAllRows(table))).rows.map(({ row }) => row);
}

export function belongsTo({ workspaceId, environment }: TestTenant, row: StoredRow): boolean {
  return (
    row['workspace_id'] === workspaceId && (row['environment'] === undefined || row['environment'] === environment)
  );
}
