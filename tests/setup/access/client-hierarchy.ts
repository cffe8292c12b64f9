// Clients above, below and beside each other, each with one thing of every kind, called after its family: what one of them
// is shown of another can be told from a word.

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

/** A name that nothing else has, and that is no family's. */
function newName(noun: string): string {
  return `${noun} ${++nameCount}`;
}

type Body = any;

/** A body that creates a thing, with the client as its parent or its scope where it can have one. */
function scopeToClient(client: string | undefined, type: string | undefined, body: Body): Body {
  if (client === undefined || !['client', 'application', 'key'].includes(type ?? '')) return body;
  if (type !== 'client') return { ...body, scoped_to: client };
  if (body.data === undefined) return { ...body, parent_id: client };
  return { data: { ...body.data, relationships: { parent: { data: { type, id: client } } } } };
}

/** What all families share, and no two of which are called the same. */
const sharedTypes: Readonly<Record<string, string>> = {
  custodian: 'Privatbank',
  'instrument-class': 'Class',
  'instrument-class-detailed': 'Class',
};

/** Exchange rates have no names and are everybody's all the same. */
function ownershipOf(type: string): 'all' | 'one' {
  return type in sharedTypes || type === 'fx-rate' ? 'all' : 'one';
}

/** Whether an operation is about what all clients of a workspace share. The catalogue of the frozen track is, too. */
export function isSharedByAll({ id, group, resource }: Operation): boolean {
  if (group === 'webhook-keys') return true;
  const ofCatalogue = ['json-api.instrument.list', 'json-api.instrument.create'];
  return ofCatalogue.includes(id) || (resource !== undefined && ownershipOf(resource.type) === 'all');
}

/** Whether an operation works figures out. */
export function isReport({ threadKey: thread }: Operation): boolean {
  return thread !== undefined;
}

/** Whether an operation is about a thing that its path or its query must name. */
export function requiresRecord({ path, query }: Operation): boolean {
  const isNeeded = ([name, { required }]: [string, { required?: true }]): boolean =>
    name.endsWith('_id') && required === true;
  return path.includes('{') || Object.entries(query).some(isNeeded);
}

function withFreshName(type: string | undefined, body: Body): Body {
  if (type !== undefined && type in sharedTypes) return { ...body, name: newName(sharedTypes[type]!) };
  return body.institution === undefined ? body : { ...body, institution: newName('Privatbank') };
}

/** Makes things below one client, the first of which is that client, and calls them after its family. */
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

/** A client with one thing of every kind. */
export class FullClient {
  readonly family: string;
  readonly #world: ExampleWorld;
  readonly #auditEntry: string;

  private constructor(family: string, world: ExampleWorld, auditEntry: string) {
    this.family = family;
    this.#world = world;
    this.#auditEntry = auditEntry;
  }

  /** `caller` must see the whole workspace. */
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

  /** The thing that a field or parameter of this name asks for. */
  idForField(name: string): string {
    const aliases: Record<string, string> = { entity: 'legal-entity', parent: 'client', credential: 'application' };
    const noun = name.replace(/_id$/, '').replaceAll('_', '-');
    return this.idOf(aliases[noun] ?? noun);
  }

  /** The thing that the path of an operation speaks of; empty where it speaks of none. */
  recordIdFor({ path }: Operation): string {
    const type = recordTypeInPath(path);
    return type === undefined ? '' : this.idOf(type);
  }

  /** Another one like it, in the same place: a client below the client. */
  make(type: string): Promise<string> {
    return type === 'audit-entry' ? Promise.resolve(this.#auditEntry) : this.#world.make(type);
  }

  /** The example body of an operation with this household's ids wherever it can name a thing. */
  bodyFor(operation: Operation, recordId: string): Body {
    const body = this.#world.bodyFor(operation, recordId);
    if (body === undefined) return undefined;
    const type = operation.resource?.type;
    return withFreshName(type, operation.method === 'POST' ? scopeToClient(this.client, type, body) : body);
  }

  queryFor(operation: Operation): string {
    return this.#world.queryFor(operation);
  }

  /** What gives away that an answer tells of this household. Some of it is the whole workspace's. */
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

/** An operation as somebody tries it on a household. */
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

/** All that an answer says, with its headers. */
export function replyText({ headers, text }: Reply): string {
  return JSON.stringify([...headers]) + text;
}

/** Every id of a list, to its last page. */
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

/** A query for every row of every table but the budget, which every request draws on. */
async function allRowsQuery(database: TestDatabase): Promise<string> {
  const tables = await runSql<{ name: string }>(
    database,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
     AND relname <> 'budget' ORDER BY relname`,
  );
  const rows = tables.map(({ name }) => `SELECT '${name} ' || t::text AS row FROM ${name} t`);
  return `${rows.join(' UNION ALL ')} ORDER BY 1`;
}

/** Everything that is stored, row by row. */
export async function listStoredRows(database: TestDatabase): Promise<string[]> {
  const text = storedQueries.get(database.name) ?? (await allRowsQuery(database));
  storedQueries.set(database.name, text);
  // It takes longer to plan than to run, and is asked for before and after most requests that are to be refused.
  return (await runSql<{ row: string }>(database, { name: 'everything stored', text })).map(({ row }) => row);
}
