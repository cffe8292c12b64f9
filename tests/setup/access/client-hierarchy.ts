// Clients that are parents, children and siblings of each other, each with one record of every type named after its family, so
// that a leak from one to another is found by name.

import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { Caller, type Reply } from '../http/caller.ts';
import type { TestDatabase } from '../database/test-database.ts';
import { runSql } from '../database/sql.ts';
import { pathToRecord, recordTypeInPath, ExampleWorld } from '../http/example-world.ts';

const families = {
  grandparent: 'Aldous',
  parent: 'Brennan',
  own: 'Castell',
  child: 'Dorian',
  grandchild: 'Eberle',
  sibling: 'Farrow',
  stranger: 'Gallus',
} as const;

export type Relative = keyof typeof families;

export const allRights = ['read', 'write', 'admin'] as const;

let nameCount = 0;

/** A unique name that contains no family's name. */
function newName(noun: string): string {
  return `${noun} ${++nameCount}`;
}

type Body = any;

/** A body that creates a record, with the client as its parent or scope if the type has one. */
function scopeToClient(client: string | undefined, type: string | undefined, body: Body): Body {
  if (client === undefined || !['client', 'application', 'key'].includes(type ?? '')) return body;
  if (type !== 'client') return { ...body, scoped_to: client };
  if (body.data === undefined) return { ...body, parent_id: client };
  return { data: { ...body.data, relationships: { parent: { data: { type, id: client } } } } };
}

/** Types that all families share and whose names must be unique. */
const sharedTypes: Readonly<Record<string, string>> = {
  custodian: 'Privatbank',
  'import-profile': 'Profile',
  'instrument-class': 'Class',
  'instrument-class-detailed': 'Class',
};

/** Exchange rates have no names and are also shared by all. */
function ownershipOf(type: string): 'all' | 'one' {
  return type in sharedTypes || type === 'fx-rate' ? 'all' : 'one';
}

/** Whether an operation is about records that all clients of a workspace share, including the catalogue of the frozen wires. */
export function isSharedByAll({ id, group, resource }: Operation): boolean {
  if (group === 'webhook-keys') return true;
  const ofCatalogue = ['json-api.instrument.list', 'json-api.instrument.create'];
  return ofCatalogue.includes(id) || (resource !== undefined && ownershipOf(resource.type) === 'all');
}

/** Whether an operation computes figures. */
export function isReport({ threadKey: thread }: Operation): boolean {
  return thread !== undefined;
}

/** Whether an operation needs a record in its path or its query. */
export function requiresRecord({ path, query }: Operation): boolean {
  const isNeeded = ([name, { required, example }]: [string, { required?: true; example?: unknown }]): boolean =>
    name.endsWith('_id') && (required === true || example !== undefined);
  return path.includes('{') || Object.entries(query).some(isNeeded);
}

function withFreshName(type: string | undefined, body: Body): Body {
  const isNamed = type !== undefined && type in sharedTypes && body.name !== undefined;
  if (isNamed) return { ...body, name: newName(sharedTypes[type]!) };
  return body.institution === undefined ? body : { ...body, institution: newName('Privatbank') };
}

/** Creates records below one client, which is the first of them, and names them after its family. */
class FamilyCaller extends Caller {
  readonly #family: string;
  readonly #parent: string | undefined;
  #client: string | undefined;

  constructor({ address, token }: Caller, family: string, parent?: string) {
    super(address, token);
    this.#family = family;
    this.#parent = parent;
  }

  override async post(path: string, body: Body): Promise<Reply> {
    if (body instanceof Uint8Array) return super.post(path, body);
    const type = recordTypeInPath(`${path}/{id}`);
    const placed = scopeToClient(this.#client ?? this.#parent, type, withFreshName(type, body));
    const isShared = type !== undefined && type in sharedTypes;
    const reply = await super.post(path, isShared ? placed : this.#withFamilyName(type, placed));
    if (type === 'client') this.#client ??= reply.body.id;
    return reply;
  }

  #withFamilyName(type: string | undefined, body: Body): Body {
    const noun = type === 'key' ? 'label' : 'name';
    const nameFields = noun in body ? { [noun]: newName(this.#family) } : {};
    const identifierFields = 'external_identifier' in body ? { external_identifier: newName(this.#family) } : {};
    return { ...body, ...nameFields, ...identifierFields };
  }
}

/** A client with one record of every type. */
export class FullClient {
  readonly family: string;
  readonly #world: ExampleWorld;
  readonly #auditEntry: string;

  private constructor(family: string, world: ExampleWorld, auditEntry: string) {
    this.family = family;
    this.#world = world;
    this.#auditEntry = auditEntry;
  }

  /** `caller` must have access to the whole workspace. */
  static async create(caller: Caller, family: string, parent?: FullClient): Promise<FullClient> {
    const world = await ExampleWorld.create(new FamilyCaller(caller, family, parent?.client));
    const { body } = await caller.get(`/v1/audit-log?subject_id=${world.idOf('portfolio')}`);
    return new FullClient(family, world, body.data[0].id);
  }

  get client(): string {
    return this.#world.idOf('client');
  }

  idOf(type: string): string {
    return type === 'audit-entry' ? this.#auditEntry : this.#world.idOf(type);
  }

  /** The id of the record that a field or parameter with this name refers to. */
  idForField(name: string): string {
    const aliases: Record<string, string> = { entity: 'legal-entity', parent: 'client', credential: 'application' };
    const noun = name.replace(/_id$/, '').replaceAll('_', '-');
    return this.idOf(aliases[noun] ?? noun);
  }

  /** The id of the record in the path of an operation; empty if its path has none. */
  recordIdFor({ path }: Operation): string {
    const type = recordTypeInPath(path);
    return type === undefined ? '' : this.idOf(type);
  }

  /** Creates another record of this type with the same parent; a new client becomes a child of this one. */
  make(type: string): Promise<string> {
    return type === 'audit-entry' ? Promise.resolve(this.#auditEntry) : this.#world.make(type);
  }

  /** Creates another record on which the operation is possible. */
  makeFor(operation: Operation): Promise<string> {
    return this.#world.makeFor(operation);
  }

  /** The example body of an operation, with ids of this household in all references. */
  bodyFor(operation: Operation, recordId: string): Body {
    const body = this.#world.bodyFor(operation, recordId);
    if (body === undefined || body instanceof Uint8Array) return body;
    const type = operation.resource?.type;
    const named = withFreshName(type, operation.method === 'POST' ? scopeToClient(this.client, type, body) : body);
    // An unknown institution creates a custodian, which a token bound to one client may not.
    return named.institution === undefined ? named : { ...named, institution: this.idOf('custodian') };
  }

  queryFor(operation: Operation): string {
    return this.#world.queryFor(operation);
  }

  /** Texts that identify this household in an answer. Some of the records belong to the whole workspace. */
  identifyingTexts(): string[] {
    const shared = [...Object.keys(sharedTypes), 'fx-rate'].map((type) => this.idOf(type));
    return [this.family, this.#auditEntry, ...this.#world.ids().filter((id) => !shared.includes(id))];
  }
}

export async function createHierarchy(admin: Caller): Promise<Readonly<Record<Relative, FullClient>>> {
  const grandparent = await FullClient.create(admin, families.grandparent);
  const parent = await FullClient.create(admin, families.parent, grandparent);
  const own = await FullClient.create(admin, families.own, parent);
  const child = await FullClient.create(admin, families.child, own);
  const grandchild = await FullClient.create(admin, families.grandchild, child);
  const sibling = await FullClient.create(admin, families.sibling, parent);
  const stranger = await FullClient.create(admin, families.stranger);
  return { grandparent, parent, own, child, grandchild, sibling, stranger };
}

/** Whether the operation is a step of an auth flow, authority or import, which is possible in some states only. */
export function isCustodyStep({ id, mode }: Operation): boolean {
  const isOfCustody = /^v1\.(auth-flow|auth-flow-file|authority|feed-run|import)\./.test(id);
  return mode === 'write' && isOfCustody && !['v1.auth-flow.create', 'v1.import.create'].includes(id);
}

/** Sends an operation about a household. */
export function sendOperation(
  caller: Caller,
  operation: Operation,
  household: FullClient,
  recordId = household.recordIdFor(operation),
): Promise<Reply> {
  const path = pathToRecord(operation.path, recordId, (type) => household.idOf(type));
  return caller.send(path + household.queryFor(operation), {
    method: operation.method,
    body: household.bodyFor(operation, recordId),
  });
}

const replyTexts = new WeakMap<Reply, string>();

/** The full text of an answer, headers included. Made once: many identifiers are looked for in it. */
export function replyText(reply: Reply): string {
  const known = replyTexts.get(reply);
  if (known !== undefined) return known;
  const whole = JSON.stringify([...reply.headers]) + reply.text;
  replyTexts.set(reply, whole);
  return whole;
}

/** Lists every id of a list, over all pages. */
export async function listIds(caller: Caller, path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const { body } = await caller.get(path.startsWith('/v1/') ? `${path}?limit=100${cursor}` : path);
    ids.push(...body.data.map((one: Body) => one.id ?? one.key_id));
    if (!body.has_more) return ids;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

const storedQueries = new Map<string, string>();

/** Runs one statement over all tables except the budget, which every request changes. */
async function queryAllTables<Row extends object>(
  database: TestDatabase,
  kind: string,
  select: (table: string) => string,
): Promise<Row[]> {
  const key = `${database.name} ${kind}`;
  let text = storedQueries.get(key);
  if (text === undefined) {
    const tables = await runSql<{ name: string }>(
      database,
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND relname <> 'budget'`,
    );
    text = `${tables.map(({ name }) => select(name)).join(' UNION ALL ')} ORDER BY 1`;
    storedQueries.set(key, text);
  }
  // Prepared, since it takes longer to plan than to run, and runs before and after most requests that must be refused.
  return runSql<Row>(database, { name: kind, text });
}

/** Lists every stored row. */
export async function listStoredRows(database: TestDatabase): Promise<string[]> {
  const select = (table: string): string => `SELECT '${table} ' || t::text AS row FROM ${table} t`;
  return (await queryAllTables<{ row: string }>(database, 'stored rows', select)).map(({ row }) => row);
}

/**
 * A count and a digest of the rows of each table, to see that a request changed nothing. PostgreSQL writes a changed row to another place
 * and as another transaction, even where its values stay: that is much faster to compare than the values.
 */
export function digestStoredRows(database: TestDatabase): Promise<{ table: string; digest: string }[]> {
  return queryAllTables(
    database,
    'digest of stored rows',
    (
      table,
    ) => `SELECT '${table}' AS table, count(*) || ' rows, ' || coalesce(sum(hashtidextended(ctid, xmin::text::bigint)), 0) AS digest
      FROM ${table} t`,
  );
}
