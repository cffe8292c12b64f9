// Finds what is due in a queue, tenant by tenant: one statement per tenant, pipelined for many tenants, never a query across two.

import { defined } from '../../kit/assert.ts';
import { allClients, type Tenant } from '../../model/access/scope.ts';
import type { Database } from '../postgres/database.ts';
import { isActiveWorkspace } from '../postgres/enter-scope.ts';
import { sql, type Statement, type Value } from '../postgres/statement.ts';

/** How many tenants one pipelined batch asks about. */
const tenantsPerBatch = 50;

/** What a tenant has due: keys of items, the longest waiting first, and what else the queue wants to know of the tenant. */
export type DueWork<Key extends string, Extras> = Extras & {
  readonly tenant: Tenant;
  readonly keys: readonly Key[];
  /** The list is full: more may be due than was found. */
  readonly isFull: boolean;
};

interface DueWorkDeclaration<Extras> {
  /** The name of the statement. */
  readonly name: string;
  /** Selects of one text column each, in the order in which they are served. `$1` and `$2` are the tenant, `$3` and on what `find` is given. */
  readonly keys: readonly string[];
  /** At most this many keys of each select. */
  readonly keysMax: number;
  /** Further expressions, by the name under which they are returned. */
  readonly extras: { readonly [Name in keyof Extras]: string };
}

export class DueWorkFinder<Key extends string, Extras extends object> {
  readonly #keysMax: number;
  readonly #statement: Statement<Extras & { keys: readonly Key[] }>;

  constructor({ name, keys, keysMax, extras }: DueWorkDeclaration<Extras>) {
    const lists = keys.map((select) => `ARRAY(${select} LIMIT ${keysMax})`);
    const columns = Object.entries<string>(extras).map(([column, expression]) => `${expression} AS "${column}"`);
    this.#keysMax = keysMax;
    this.#statement = sql(
      name,
      `SELECT ${[`${lists.join(' || ')} AS keys`, ...columns].join(',\n  ')} WHERE ${isActiveWorkspace('$1')}`,
    );
  }

  /** In the order of the tenants, one entry for each whose workspace is active. */
  async find(
    database: Database,
    tenants: readonly Tenant[],
    values: readonly Value[],
  ): Promise<DueWork<Key, Extras>[]> {
    const found: DueWork<Key, Extras>[] = [];
    for (let first = 0; first < tenants.length; first += tenantsPerBatch) {
      const batch = tenants.slice(first, first + tenantsPerBatch);
      const calls = batch.map(({ workspaceId, environment }) => ({
        scope: { workspaceId, environment, visibleClients: allClients, credentialId: null },
        values: [workspaceId, environment, ...values],
      }));
      const outcomes = await database.readForEach(this.#statement, calls);
      for (const [index, tenant] of batch.entries()) {
        const { rows } = defined(outcomes[index], 'a batch has an outcome for each tenant');
        for (const row of rows) found.push({ ...row, tenant, isFull: row.keys.length >= this.#keysMax });
      }
    }
    return found;
  }
}
