// Remembers which clients are below another one, and with which version of the hierarchy that was so. Each transaction checks the version
// in its first statement, so that what is remembered is never used when it is no longer true.

import type { Id } from '../../kit/id.ts';
import { isTree, type Scope, type Tenant } from '../../model/access/scope.ts';
import { seenClients } from './seen-clients.ts';
import { sql } from './statement.ts';

/** What the settings of a transaction say about visible clients. */
export interface Visibility {
  readonly text: string;
  /** Of very many ids: the texts of 256 settings, by the last two digits of the ids, with a bar between them. */
  readonly buckets?: string;
}

export interface KnownTree {
  /** Null where there is no such environment. */
  readonly version: number | null;
  readonly ids: readonly Id[];
  /** How many there were when all of them were read. */
  readonly wholeCount: number;
  readonly visibility: Visibility;
}

/** Up to this many ids stand in one setting, which is searched for each row. */
const oneSettingMax = 64;

/** The settings for these ids; `word` says whose visibility it is. */
export function visibilityOf(word: 'clients' | 'some', ids: readonly Id[]): Visibility {
  if (ids.length <= oneSettingMax) return { text: `${word},${ids.map((id) => `${id},`).join('')}` };
  const buckets = Array.from({ length: 256 }, () => ',');
  for (const id of ids) buckets[bucketNumber(id)] += `${id},`;
  return { text: `${word},many,`, buckets: buckets.join('|') };
}

function bucketNumber(id: Id): number {
  return Number.parseInt(id.slice(-2), 16);
}

/** The visibility with one more id, and the setting that changes with it. */
export function widened(visibility: Visibility, id: Id): { visibility: Visibility; name: string; value: string } {
  if (visibility.buckets === undefined) {
    const text = `${visibility.text}${id},`;
    return { visibility: { text }, name: 'holdfast.visible_clients', value: text };
  }
  const buckets = visibility.buckets.split('|');
  const value = `${buckets[bucketNumber(id)]}${id},`;
  const joined = buckets.with(bucketNumber(id), value).join('|');
  return { visibility: { ...visibility, buckets: joined }, name: `holdfast.visible_clients_${id.slice(-2)}`, value };
}

export interface TreeChanges {
  readonly version: number;
  readonly inside: readonly Id[];
  readonly outside: readonly Id[];
}

/** What has changed below the client $3 since the version $4; from version -1 on, all that is below it. Deleted clients have no rows. */
export const readTreeChanges = sql<TreeChanges>(
  'client-trees/changes',
  `SELECT e.tree_version AS version,
     ARRAY(SELECT c.id FROM client c WHERE c.workspace_id = $1 AND c.environment = $2 AND c.tree_version > $4::bigint
       AND $3 = ANY (c.path)) AS inside,
     ARRAY(SELECT c.id FROM client c WHERE c.workspace_id = $1 AND c.environment = $2 AND c.tree_version > $4::bigint
       AND $4::bigint >= 0 AND NOT $3 = ANY (c.path)) AS outside
   FROM environment e WHERE e.workspace_id = $1 AND e.environment = $2`,
);

/** The client $3 with all that is visible below it, within a transaction. */
export const listTree = sql<{ id: Id }>(
  'client-trees/list',
  `WITH RECURSIVE below AS (
     SELECT c.id FROM client c WHERE c.workspace_id = $1 AND c.environment = $2 AND c.id = $3
     UNION ALL SELECT c.id FROM below b JOIN client c ON c.workspace_id = $1 AND c.environment = $2 AND c.parent_id = b.id)
   SELECT id FROM below`,
);

/** How many ids a node remembers, over all trees. */
const rememberedMax = 500_000;

/** Statements list the clients of a tree up to this many, and look up that of each row in a larger one. */
const listedMax = 64;

/** Reads what has changed below a client since a version. */
type ReadChanges = (scope: Scope, clientId: Id, version: number) => Promise<TreeChanges | undefined>;

export class ClientTrees {
  readonly #readChanges: ReadChanges;
  /** The one used least recently first. */
  readonly #trees = new Map<string, KnownTree>();
  #rememberedCount = 0;

  constructor(readChanges: ReadChanges) {
    this.#readChanges = readChanges;
  }

  /** The same scope with clients of its own to fill in, and the kind that suits their number. */
  open(scope: Scope): Scope {
    const { visibleClients } = scope;
    if (!isTree(visibleClients)) return scope;
    const { clientId } = visibleClients;
    const kind = (this.#find(nameOf(scope, clientId))?.ids.length ?? 0) > listedMax ? 'wide-tree' : 'tree';
    return { ...scope, visibleClients: { kind, clientId } };
  }

  /** The clients of a scope that sees a tree of them, as remembered or else as read now. `sharing`: equal scopes, which see the same. */
  async of(scope: Scope, sharing: readonly Scope[] = []): Promise<KnownTree | undefined> {
    const { visibleClients } = scope;
    if (!isTree(visibleClients)) return undefined;
    const tree =
      this.#find(nameOf(scope, visibleClients.clientId)) ?? (await this.#read(scope, visibleClients.clientId));
    for (const one of [scope, ...sharing]) seenClients(one.visibleClients).ids = tree.ids;
    return tree;
  }

  /** Reads what has changed in the scope's tree since it was last read. */
  async refresh(scope: Scope): Promise<void> {
    if (isTree(scope.visibleClients)) await this.#read(scope, scope.visibleClients.clientId);
  }

  #find(name: string): KnownTree | undefined {
    const tree = this.#trees.get(name);
    if (tree === undefined) return undefined;
    this.#trees.delete(name);
    this.#trees.set(name, tree);
    return tree;
  }

  async #read(scope: Scope, clientId: Id): Promise<KnownTree> {
    const name = nameOf(scope, clientId);
    const found = this.#find(name);
    // Deleted clients are not among the changes: a tree that has grown much is read as a whole again.
    const before = found !== undefined && found.ids.length <= 2 * found.wholeCount + oneSettingMax ? found : undefined;
    const changes = await this.#readChanges(scope, clientId, before?.version ?? -1);
    const ids = new Set(before?.ids);
    for (const id of changes?.inside ?? []) ids.add(id);
    for (const id of changes?.outside ?? []) ids.delete(id);
    const listed = [...ids];
    const wholeCount = before?.wholeCount ?? listed.length;
    const tree = {
      version: changes?.version ?? null,
      ids: listed,
      wholeCount,
      visibility: visibilityOf('clients', listed),
    };
    this.#remember(name, tree);
    return tree;
  }

  #remember(name: string, tree: KnownTree): void {
    this.#forget(name);
    this.#trees.set(name, tree);
    this.#rememberedCount += tree.ids.length + 1;
    for (const oldest of this.#trees.keys()) {
      if (this.#rememberedCount <= rememberedMax || oldest === name) break;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    const tree = this.#trees.get(name);
    if (tree === undefined) return;
    this.#trees.delete(name);
    this.#rememberedCount -= tree.ids.length + 1;
  }
}

function nameOf({ workspaceId, environment }: Tenant, clientId: Id): string {
  return `${workspaceId} ${environment} ${clientId}`;
}
