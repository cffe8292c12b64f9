// Clients above, below and beside each other, each with one thing of every kind, called after its family: what one of them
// is shown of another can be told from a word.

import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { Caller, type Reply } from '../http/caller.ts';
import type { TestDatabase } from '../node/test-service.ts';
import { runSql } from '../database/sql.ts';
import { pathTo, typeInPath, World } from '../http/example-world.ts';

const families = {
  grandparent: 'Aldous',
  parent: 'Brennan',
  own: 'Castell',
  child: 'Dorian',
  grandchild: 'Eberle',
  sibling: 'Farrow',
  stranger: 'Gallus',
} as const;

export type Kin = keyof typeof families;

export const everyRight = ['read', 'write', 'admin'] as const;

let names = 0;

/** A name that nothing else has, and that is no family's. */
function newName(noun: string): string {
  return `${noun} ${++names}`;
}

type Body = any;

/** A body that creates a thing, with the client as its parent or its scope where it can have one. */
function placeBelow(client: string | undefined, type: string | undefined, body: Body): Body {
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
function ownersOf(type: string): 'all' | 'one' {
  return type in sharedTypes || type === 'fx-rate' ? 'all' : 'one';
}

/** Whether an operation is about what all clients of a workspace share. The catalogue of the frozen track is, too. */
export function isOfAll({ id, group, resource }: Operation): boolean {
  if (group === 'webhook-keys') return true;
  const ofCatalogue = ['json-api.instrument.list', 'json-api.instrument.create'];
  return ofCatalogue.includes(id) || (resource !== undefined && ownersOf(resource.type) === 'all');
}

/** Whether an operation works figures out. */
export function isReport({ thread }: Operation): boolean {
  return thread !== undefined;
}

/** Whether an operation is about a thing that its path or its query must name. */
export function asksForThing({ path, query }: Operation): boolean {
  const isNeeded = ([name, { required }]: [string, { required?: true }]): boolean =>
    name.endsWith('_id') && required === true;
  return path.includes('{') || Object.entries(query).some(isNeeded);
}

function nameAnew(type: string | undefined, body: Body): Body {
  if (type !== undefined && type in sharedTypes) return { ...body, name: newName(sharedTypes[type]!) };
  return body.institution === undefined ? body : { ...body, institution: newName('Privatbank') };
}

/** Makes things below one client, the first of which is that client, and calls them after its family. */
class Founder extends Caller {
  readonly #family: string;
  readonly #above: string | undefined;
  #client: string | undefined;

  constructor({ address, token }: Caller, family: string, above?: string) {
    super(address, token);
    this.#family = family;
    this.#above = above;
  }

  override async post(path: string, body: Body): Promise<Reply> {
    const type = typeInPath(`${path}/{id}`);
    const placed = placeBelow(this.#client ?? this.#above, type, nameAnew(type, body));
    const isShared = type !== undefined && type in sharedTypes;
    const reply = await super.post(path, isShared ? placed : this.#called(type, placed));
    if (type === 'client') this.#client ??= reply.body.id;
    return reply;
  }

  #called(type: string | undefined, body: Body): Body {
    const noun = type === 'key' ? 'label' : 'name';
    const called = noun in body ? { [noun]: newName(this.#family) } : {};
    const identified = 'external_identifier' in body ? { external_identifier: newName(this.#family) } : {};
    return { ...body, ...called, ...identified };
  }
}

/** A client with one thing of every kind. */
export class Household {
  readonly family: string;
  readonly #world: World;
  readonly #auditEntry: string;

  private constructor(family: string, world: World, auditEntry: string) {
    this.family = family;
    this.#world = world;
    this.#auditEntry = auditEntry;
  }

  /** `caller` must see the whole workspace. */
  static async found(caller: Caller, family: string, above?: Household): Promise<Household> {
    const world = await World.of(new Founder(caller, family, above?.client));
    const { body } = await caller.get(`/v1/audit-log?subject_id=${world.idOf('portfolio')}`);
    return new Household(family, world, body.data[0].id);
  }

  get client(): string {
    return this.#world.idOf('client');
  }

  idOf(type: string): string {
    return type === 'audit-entry' ? this.#auditEntry : this.#world.idOf(type);
  }

  /** The thing that a field or parameter of this name asks for. */
  idNamed(name: string): string {
    const others: Record<string, string> = { entity: 'legal-entity', parent: 'client', credential: 'application' };
    const noun = name.replace(/_id$/, '').replaceAll('_', '-');
    return this.idOf(others[noun] ?? noun);
  }

  /** The thing that the path of an operation speaks of; empty where it speaks of none. */
  thingFor({ path }: Operation): string {
    const type = typeInPath(path);
    return type === undefined ? '' : this.idOf(type);
  }

  /** Another one like it, in the same place: a client below the client. */
  make(type: string): Promise<string> {
    return type === 'audit-entry' ? Promise.resolve(this.#auditEntry) : this.#world.make(type);
  }

  /** The example body of an operation with this household's ids wherever it can name a thing. */
  bodyFor(operation: Operation, thing: string): Body {
    const body = this.#world.bodyFor(operation, thing);
    if (body === undefined) return undefined;
    const type = operation.resource?.type;
    return nameAnew(type, operation.method === 'POST' ? placeBelow(this.client, type, body) : body);
  }

  queryFor(operation: Operation): string {
    return this.#world.queryFor(operation);
  }

  /** What gives away that an answer tells of this household. Some of it is the whole workspace's. */
  marks(): string[] {
    const shared = [...Object.keys(sharedTypes), 'fx-rate'].map((type) => this.idOf(type));
    return [this.family, this.#auditEntry, ...this.#world.ids().filter((id) => !shared.includes(id))];
  }
}

export async function layOutHierarchy(admin: Caller): Promise<Readonly<Record<Kin, Household>>> {
  const grandparent = await Household.found(admin, families.grandparent);
  const parent = await Household.found(admin, families.parent, grandparent);
  const own = await Household.found(admin, families.own, parent);
  const child = await Household.found(admin, families.child, own);
  const grandchild = await Household.found(admin, families.grandchild, child);
  const sibling = await Household.found(admin, families.sibling, parent);
  const stranger = await Household.found(admin, families.stranger);
  return { grandparent, parent, own, child, grandchild, sibling, stranger };
}

/** An operation as somebody tries it on a household. */
export function ask(
  caller: Caller,
  operation: Operation,
  household: Household,
  thing = household.thingFor(operation),
): Promise<Reply> {
  const path = pathTo(operation.path, thing, (type) => household.idOf(type));
  return caller.send(path + household.queryFor(operation), {
    method: operation.method,
    body: household.bodyFor(operation, thing),
  });
}

/** All that an answer says, with its headers. */
export function wordsOf({ headers, text }: Reply): string {
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

const stored = new Map<string, string>();

/** A query for every row of every table but the budget, which every request draws on. */
async function queryForAll(database: TestDatabase): Promise<string> {
  const tables = await runSql<{ name: string }>(
    database,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
     AND relname <> 'budget' ORDER BY relname`,
  );
  const rows = tables.map(({ name }) => `SELECT '${name} ' || t::text AS row FROM ${name} t`);
  return `${rows.join(' UNION ALL ')} ORDER BY 1`;
}

/** Everything that is stored, row by row. */
export async function listStored(database: TestDatabase): Promise<string[]> {
  const text = stored.get(database.name) ?? (await queryForAll(database));
  stored.set(database.name, text);
  // It takes longer to plan than to run, and is asked for before and after most requests that are to be refused.
  return (await runSql<{ row: string }>(database, { name: 'everything stored', text })).map(({ row }) => row);
}
