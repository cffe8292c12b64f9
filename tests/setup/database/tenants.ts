// Two workspaces with two environments each, and in each environment the same small world in every table, so that what a
// caller sees of a stranger can be told. Laid out past both walls.

import type pg from 'pg';
import type { Id } from '../../../src/kit/id.ts';
import type { Environment, Reach, Sight } from '../../../src/model/access/scope.ts';
import { everything } from '../../../src/model/access/scope.ts';

export interface Tenant {
  readonly workspaceId: Id;
  readonly environment: Environment;
  /** A root with a child, and another root. */
  readonly clients: { readonly root: Id; readonly child: Id; readonly other: Id };
  /** The ids of what else there is: the same in both workspaces, so that nothing but the walls tells them apart. */
  id(number: number): Id;
}

function idOf(...parts: number[]): Id {
  return parts
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('')
    .padStart(24, '0') as Id;
}

export const tenants: readonly Tenant[] = [1, 2].flatMap((workspace) =>
  (['production', 'sandbox'] as const).map((environment, index) => ({
    workspaceId: idOf(workspace),
    environment,
    clients: { root: idOf(index, 1), child: idOf(index, 2), other: idOf(index, 3) },
    id: (number) => idOf(index, number),
  })),
);

export interface Things {
  readonly legalEntity: Id;
  readonly account: Id;
  readonly depository: Id;
  readonly reportingEntity: Id;
  readonly portfolio: Id;
}

/** What one client owns and looks at: one of each, joined to each other. */
export function thingsOf({ id }: Tenant, client: keyof Tenant['clients']): Things {
  const place = { root: 1, child: 2, other: 3 }[client];
  return {
    legalEntity: id(10 + place),
    account: id(20 + place),
    depository: id(30 + place),
    reportingEntity: id(40 + place),
    portfolio: id(50 + place),
  };
}

/** The bank that all accounts are with, and one that has none. */
export function custodiansOf({ id }: Tenant): readonly [bank: Id, idle: Id] {
  return [id(61), id(62)];
}

export function reachOf({ workspaceId, environment }: Tenant, sight: Sight = everything): Reach {
  return { workspaceId, environment, sight, credentialId: null };
}

const at = "'2026-11-15T12:00:00Z'";

/** Nobody's stock, which all see, and what is private to the client of the same place. */
export function instrumentsOf({ id }: Tenant): Readonly<Record<'shared' | keyof Tenant['clients'], Id>> {
  return { root: id(71), child: id(72), other: id(73), shared: id(74) };
}

function layOutInstruments(tenant: Tenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const here = `'${workspaceId}', '${environment}'`;
  const rows = Object.entries(instrumentsOf(tenant)).map(([name, instrument]) => {
    const owner = name === 'shared' ? undefined : (name as keyof Tenant['clients']);
    const owned = owner ? `'${clients[owner]}', '${thingsOf(tenant, owner).reportingEntity}'` : 'NULL, NULL';
    return { name, instrument, client: owned.split(', ')[0], owned };
  });
  const values = (row: (one: (typeof rows)[number]) => string): string =>
    rows.map((one) => `(${here}, ${row(one)})`).join(', ');
  return [
    `INSERT INTO instrument_class VALUES (${here}, '${id(81)}', NULL, '{${id(81)}}', 'Class', '{Class}', 'other', 'daily',
      '{buy}', 'price', 'twr', 10, ${at})`,
    `INSERT INTO instrument (workspace_id, environment, id, name, client_id, reporting_entity_id, type, price_unit, tags, created_at)
      VALUES ${values(({ instrument, name, owned }) => `'${instrument}', '${name}', ${owned}, 'other-instrument', '1', '{}', ${at}`)}`,
    `INSERT INTO instrument_word (workspace_id, environment, instrument_id, client_id, word)
      VALUES ${values(({ instrument, name, client }) => `'${instrument}', ${client}, '${name}'`)}`,
  ];
}

/** A price of each instrument, and a rate, which all see. */
function layOutSeries(tenant: Tenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const here = `'${workspaceId}', '${environment}'`;
  const points = Object.entries(instrumentsOf(tenant)).map(([name, instrument], index) => {
    const client = name === 'shared' ? 'NULL' : `'${clients[name as keyof Tenant['clients']]}'`;
    return `(${here}, '${id(111 + index)}', '${instrument}', ${client}, 'price', '2026-01-05', 'manual', 1, '2020-01-01')`;
  });
  const ledgers = Object.entries(instrumentsOf(tenant)).map(([name, instrument]) => {
    const client = name === 'shared' ? 'NULL' : `'${clients[name as keyof Tenant['clients']]}'`;
    return `(${here}, '${instrument}', ${client}, 1)`;
  });
  const columns = 'workspace_id, environment, id, instrument_id, client_id, kind, date, source, value, known_from';
  const rate = `${here}, '${id(121)}', 'EUR', 'CHF', '2026-01-05', 'manual', 0.9, '2020-01-01'`;
  return [
    `INSERT INTO series_ledger VALUES ${ledgers.join(', ')}`,
    `INSERT INTO rate_ledger VALUES (${here}, 1)`,
    `INSERT INTO series_point (${columns}) VALUES ${points.join(', ')}`,
    `INSERT INTO fx_rate (workspace_id, environment, id, base, quote, date, source, rate, known_from) VALUES (${rate})`,
  ];
}

/** What was known of each client's settings, of its links and of the class that all share, and that all were concerned once. */
function layOutPast({ workspaceId, environment, clients, id }: Tenant): string[] {
  const here = `'${workspaceId}', '${environment}'`;
  const names = ['root', 'child', 'other'] as const;
  const states = names.map(
    (name) => `(${here}, 'client', '${clients[name]}', '${clients[name]}', 1, '2020-01-01', '{}')`,
  );
  const links = names.map(
    (name) => `(${here}, '${clients[name]}', 'portfolio_account', 'one', '${name}', '2020-01-01')`,
  );
  return [
    `INSERT INTO thing_version (workspace_id, environment, table_name, id, client_id, version, known_from, state)
      VALUES ${states.join(', ')}, (${here}, 'instrument_class', '${id(81)}', NULL, 1, '2020-01-01', '{}')`,
    `INSERT INTO link_version (workspace_id, environment, client_id, link, one_id, other_id, known_from) VALUES ${links.join(', ')}`,
    `INSERT INTO shared_round_mark VALUES (${here}, 'all', 'rate', ${at})`,
  ];
}

/** A deposit of each client, and what was booked once for all. */
export function transactionsOf({ id }: Tenant): Readonly<Record<'shared' | keyof Tenant['clients'], Id>> {
  return { root: id(91), child: id(92), other: id(93), shared: id(94) };
}

function layOutLedger(tenant: Tenant): string[] {
  const { workspaceId, environment, clients } = tenant;
  const here = `'${workspaceId}', '${environment}'`;
  const booked = transactionsOf(tenant);
  const names = ['root', 'child', 'other'] as const;
  const ofClients = (row: (name: (typeof names)[number]) => string): string =>
    names.map((name) => `(${here}, ${row(name)})`).join(', ');
  const columns = `workspace_id, environment, id, sequence, known_from, opened_version, client_id, account_id, instrument_id,
    kind, type, date, amount, value, unexplained, action, comment, source, created_at`;
  const row = (name: keyof typeof booked, own: string): string =>
    `'${booked[name]}', ${name === 'shared' ? -1 : 1}, ${at}, 1, ${own}, '2026-03-12', 100, 0, 0, NULL, '${name}', 'manual', ${at}`;
  const deposit = (name: (typeof names)[number]): string =>
    row(name, `'${clients[name]}', '${thingsOf(tenant, name).account}', NULL, 'flow', 'deposit'`);
  const shared = row('shared', `NULL, NULL, NULL, 'corporate-action', 'corporate-action'`);
  return [
    `INSERT INTO transaction (${columns}) VALUES ${ofClients(deposit)}, (${here}, ${shared})`,
    `INSERT INTO account_ledger VALUES ${ofClients((name) => `'${clients[name]}', '${thingsOf(tenant, name).account}', 1`)}`,
    `INSERT INTO round_mark VALUES ${ofClients((name) => `'${clients[name]}', ${at}, '{transaction}'`)}`,
  ];
}

/** A balance of each client, and how far its uploads have come. */
function layOutUploads(tenant: Tenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const here = `'${workspaceId}', '${environment}'`;
  const ofClients = (row: (name: keyof typeof clients, number: number) => string): string =>
    (['root', 'child', 'other'] as const).map((name, index) => `(${here}, ${row(name, 101 + index)})`).join(', ');
  const balance = (name: keyof typeof clients, number: number): string =>
    `'${id(number)}', '2020-01-01', '${clients[name]}', 'account', '${thingsOf(tenant, name).account}', '2019-12-31', 100`;
  return [
    `INSERT INTO historical_holding (workspace_id, environment, id, known_from, client_id, kind, account_id, date, market_value)
      VALUES ${ofClients(balance)}`,
    `INSERT INTO upload_ledger VALUES ${ofClients((name) => `'${clients[name]}', 1`)}`,
  ];
}

/** A limit of each client, which its reporting entity breaks. */
function layOutLimits(tenant: Tenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const ofClients = (row: (name: keyof typeof clients, number: number) => string): string =>
    (['root', 'child', 'other'] as const)
      .map((name, index) => `('${workspaceId}', '${environment}', ${row(name, index)})`)
      .join(', ');
  const limit = (name: keyof typeof clients, index: number): string =>
    `'${id(131 + index)}', '${clients[name]}', '${name}', 'absolute', 1, '{}', ${at}`;
  const state = (name: keyof typeof clients, index: number): string =>
    `'${id(141 + index)}', '${clients[name]}', '${id(131 + index)}', '${thingsOf(tenant, name).reportingEntity}', 'absolute',
      'breached', 2, 'max', 1, '2020-01-01'`;
  return [
    `INSERT INTO limit_rule (workspace_id, environment, id, client_id, name, kind, max_amount, filter, created_at)
      VALUES ${ofClients(limit)}`,
    `INSERT INTO limit_state (workspace_id, environment, id, client_id, limit_id, reporting_entity_id, kind, state,
      current_value, bound, bound_value, since) VALUES ${ofClients(state)}`,
  ];
}

/** A round of each client. */
function layOutRounds({ workspaceId, environment, clients, id }: Tenant): string[] {
  const rows = Object.values(clients).map(
    (client, index) =>
      `('${workspaceId}', '${environment}', '${id(151 + index)}', '${client}', '{day}', 'finished', ${at}, ${at}, ${at}, ${at})`,
  );
  return [
    `INSERT INTO calculation_round (workspace_id, environment, id, client_id, causes, state, marked_since, started_at, finished_at,
      lease_until) VALUES ${rows.join(', ')}`,
  ];
}

/** An event of each client and one of none, on their way: to the client's own webhook, or to that of the whole workspace. */
function layOutEvents({ workspaceId, environment, clients, id }: Tenant): string[] {
  const owners = [...Object.values(clients).map((client) => `'${client}'`), 'NULL'];
  const ofAll = (row: (owner: string, index: number) => string): string =>
    owners.map((owner, index) => `('${workspaceId}', '${environment}', ${row(owner, index)})`).join(', ');
  const lane = (owner: string): string => (owner === 'NULL' ? "''" : owner);
  const event = (index: number): string => `'${id(160 + index)}'`;
  const webhook = (index: number): string => `'${id(170 + index)}'`;
  const delivery = (index: number): string => `'${id(180 + index)}'`;
  return [
    `INSERT INTO event (workspace_id, environment, id, client_id, batch_id, type, created_at, data)
      VALUES ${ofAll((owner, index) => `${event(index)}, ${owner}, ${event(index)}, 'holding.valued', ${at}, '{}'`)}`,
    `INSERT INTO event_lane VALUES ${ofAll((owner) => `${lane(owner)}, ${owner}, 1`)}`,
    `INSERT INTO outbox VALUES ${ofAll((owner, index) => `${lane(owner)}, 1, ${owner}, ${event(index)}, ${event(index)}, ${event(index)}`)}`,
    `INSERT INTO webhook (workspace_id, environment, id, client_id, url, events, scheme, state, created_at)
      VALUES ${ofAll((owner, index) => `${webhook(index)}, ${owner}, 'https://x.example', '{holding.valued}', 'standard', 'enabled', ${at}`)}`,
    `INSERT INTO delivery (workspace_id, environment, id, client_id, webhook_id, event_id, lane, number, state, created_at)
      VALUES ${ofAll((owner, index) => `${delivery(index)}, ${owner}, ${webhook(index)}, ${event(index)}, ${lane(owner)}, 1, 'pending', ${at}`)}`,
    `INSERT INTO webhook_lane VALUES ${ofAll((owner, index) => `${webhook(index)}, ${lane(owner)}, ${owner}, 1, ${at}, NULL`)}`,
    `INSERT INTO delivery_attempt VALUES ${ofAll((owner, index) => `${delivery(index)}, 1, ${owner}, ${at}, 500, NULL, 1, ''`)}`,
  ];
}

/** A member of each client, called after it, with all that there is of somebody. */
function layOutPeople(tenant: Tenant): string[] {
  const { workspaceId, environment, clients, id } = tenant;
  const ofClients = (row: (name: string, client: string, person: string, index: number) => string): string =>
    (['root', 'child', 'other'] as const)
      .map((name, index) => {
        return `('${workspaceId}', '${environment}', ${row(name, `'${clients[name]}'`, `'${id(191 + index)}'`, index)})`;
      })
      .join(', ');
  const entity = (name: string): string => `'${thingsOf(tenant, name as keyof Tenant['clients']).reportingEntity}'`;
  return [
    `INSERT INTO person VALUES ${ofClients((name, _client, person) => `${person}, '${name}@x.example', '${name}@x.example', ${at}`)}`,
    `INSERT INTO person_key VALUES ${ofClients((_name, _client, person) => `${person}, '\\x01', ${at}`)}`,
    `INSERT INTO person_identity VALUES ${ofClients((name, _client, person) => `'issuer', '${name}', ${person}, 'x', ${at}, ${at}`)}`,
    `INSERT INTO membership VALUES ${ofClients((name, client, person) => `${client}, ${person}, '${name}', '', 'viewer', ${at}, ${at}, NULL`)}`,
    `INSERT INTO read_grant VALUES ${ofClients((name, client, person) => `${client}, ${person}, ${entity(name)}`)}`,
    `INSERT INTO invite (workspace_id, environment, id, client_id, person_id, role, secret_hash, created_at, expires_at)
      VALUES ${ofClients((_name, client, person, index) => `'${id(201 + index)}', ${client}, ${person}, 'viewer', '\\x01', ${at}, ${at}`)}`,
    `INSERT INTO session (workspace_id, environment, id, person_id, secret_hash, created_at, seen_at, expires_at)
      VALUES ${ofClients((_name, _client, person, index) => `'${id(211 + index)}', ${person}, '\\x01', ${at}, ${at}, ${at}`)}`,
    `INSERT INTO mail (workspace_id, environment, id, client_id, person_id, invite_id, address_digest, created_at, sent_at)
      VALUES ${ofClients((_name, client, person, index) => `'${id(221 + index)}', ${client}, ${person}, '${id(201 + index)}', '\\x01', ${at}, ${at}`)}`,
  ];
}

/** What the clients own and look at, and the custodians, which are called otherwise in every tenant. */
function layOutStructure(tenant: Tenant): string[] {
  const { workspaceId, environment, clients } = tenant;
  const here = `'${workspaceId}', '${environment}'`;
  const [bank, idle] = custodiansOf(tenant);
  const ofClients = (row: (things: Things, client: string, name: string) => string): string =>
    (['root', 'child', 'other'] as const)
      .map((name) => `(${here}, ${row(thingsOf(tenant, name), `'${clients[name]}'`, `'${name}'`)})`)
      .join(', ');
  const custodian = (id: Id, name: string): string => `(${here}, '${id}', '${name}', lower('${name}'), ${at})`;
  const links = (from: keyof Things, to: keyof Things): string =>
    ofClients((things, client) => `${client}, '${things[from]}', '${things[to]}'`);
  return [
    `INSERT INTO legal_entity VALUES ${ofClients((its, client, name) => `'${its.legalEntity}', ${client}, ${name}, ${at}`)}`,
    `INSERT INTO reporting_entity VALUES ${ofClients((its, client, name) => `'${its.reportingEntity}', ${client}, ${name}, ${at}`)}`,
    `INSERT INTO custodian VALUES ${custodian(bank, `Bank of ${workspaceId} ${environment}`)}, ${custodian(idle, 'Idle')}`,
    `INSERT INTO account VALUES ${ofClients(
      ({ account, legalEntity }, client, name) =>
        `'${account}', ${client}, '${legalEntity}', '${bank}', ${name}, ${name}, 'EUR', false, ${at}`,
    )}`,
    `INSERT INTO depository VALUES ${ofClients(
      ({ depository, legalEntity }, client, name) =>
        `'${depository}', ${client}, '${legalEntity}', ${name}, ${name}, ${at}`,
    )}`,
    `INSERT INTO portfolio VALUES ${ofClients(
      ({ portfolio, reportingEntity }, client, name) =>
        `'${portfolio}', ${client}, '${reportingEntity}', ${name}, ${at}`,
    )}`,
    `INSERT INTO account_depository VALUES ${links('account', 'depository')}`,
    `INSERT INTO portfolio_account VALUES ${links('portfolio', 'account')}`,
    `INSERT INTO portfolio_depository VALUES ${links('portfolio', 'depository')}`,
  ];
}

/** One statement for each table, in an order that foreign keys allow. Rows that belong to a client say so in their name. */
function layOut(whole: Tenant): string[] {
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
    `'${id}', 'application', '${name}', '{read}', ${scope}, 'app-${environment}-${name}', '\\x01', '\\x02', NULL, ${at}`;
  return [
    `INSERT INTO workspace VALUES ('${workspaceId}', 'Workspace', ${at}) ON CONFLICT DO NOTHING`,
    `INSERT INTO environment VALUES (${tenant}, ${at})`,
    `INSERT INTO client VALUES (${tenant}, '${root}', NULL, '{${root}}', 'root', 'EUR', 'FIFO', ${at}),
      (${tenant}, '${child}', '${root}', '{${root},${child}}', 'child', 'EUR', 'FIFO', ${at}),
      (${tenant}, '${other}', NULL, '{${other}}', 'other', 'EUR', 'FIFO', ${at})`,
    `INSERT INTO credential VALUES ${ofClients((id, client, name) => application(id, `'${client}'`, name))},
      (${tenant}, ${application(ownId(14), 'NULL', 'whole')}),
      (${tenant}, '${ownId(15)}', 'ec-key', 'whole', '{read}', NULL, NULL, NULL, NULL, '{}', ${at}),
      (${tenant}, '${ownId(16)}', 'rsa-key', 'other', '{read}', '${other}', NULL, NULL, NULL, '{}', ${at})`,
    `INSERT INTO signing_key VALUES (${tenant}, '${ownId(1)}', '{}', '\\x01', ${at})`,
    `INSERT INTO webhook_key VALUES (${tenant}, '${ownId(1)}', '{}', '\\x01', ${at})`,
    `INSERT INTO used_assertion VALUES (${tenant}, '\\x01', ${at})`,
    `INSERT INTO idempotent_answer VALUES (${tenant}, '\\x01', 'caller', '\\x01', NULL, ${at})`,
    `INSERT INTO budget VALUES (${tenant}, '${workspaceId}', 1, ${at})`,
    `INSERT INTO audit_entry (workspace_id, environment, id, client_id, subject, at, act, subject_type, subject_id) VALUES
      ${ofClients((id, client, name) => `'${id}', '${client}', '${name}', ${at}, 'create', 'client', '${client}'`)},
      (${tenant}, '${ownId(14)}', NULL, 'whole', ${at}, 'create', 'application', '${ownId(14)}')`,
    ...layOutStructure(whole),
    ...layOutPeople(whole),
    ...layOutInstruments(whole),
    ...layOutSeries(whole),
    ...layOutLedger(whole),
    ...layOutUploads(whole),
    ...layOutLimits(whole),
    ...layOutRounds(whole),
    ...layOutEvents(whole),
    ...layOutPast(whole),
  ];
}

export async function layOutTenants(admin: pg.Client): Promise<void> {
  await admin.query(tenants.flatMap(layOut).join(';\n'));
}

/** Every table that rows of a workspace are in. */
export async function listTables(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
     AND relname <> 'schema_migration' ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
}

export type Row = Readonly<Record<string, unknown>>;

export function allRows(table: string): string {
  return `SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY t::text`;
}

/** All rows of a table, of everybody, as they really are. */
export async function listRows(admin: pg.Client, table: string): Promise<Row[]> {
  return (await admin.query<{ row: Row }>(allRows(table))).rows.map(({ row }) => row);
}

export function isOf({ workspaceId, environment }: Tenant, row: Row): boolean {
  return (
    row['workspace_id'] === workspaceId && (row['environment'] === undefined || row['environment'] === environment)
  );
}
