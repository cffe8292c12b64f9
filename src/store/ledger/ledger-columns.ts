// Reads the ledgers of accounts as columns within one snapshot: from the cache when the version matches, from an earlier cached
// version plus the changes since, otherwise from the database.

import { append } from '../../kit/memory/long-list.ts';
import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import {
  findChanges,
  accountLedgerAt,
  type AccountLedger,
  type ClosedRow,
  type LedgerChanges,
} from './account-ledger.ts';
import { clientGroup, type LedgerCache, type PutOptions } from './ledger-cache.ts';
import { toLedgerBlock, withoutAccounts, toLiveBlock, type LiveBlock } from './ledger-block.ts';
import { isWorthCopying, LedgerLoader, ledgerPart, type LedgerPart } from './ledger-loader.ts';
import { rowsKnownAt, type LedgerSide } from './ledger-rows.ts';
import { ownersStatement, versionVectorStatement, type VersionVectorRow } from './version-vector.ts';
import { tenantFilterValues } from '../resources/resource-sql.ts';
import type { StatementRunner } from '../postgres/statement-runner.ts';

/** The version of each ledger: an account's is keyed by its id, bookings for all holders by `holders` and the client's id. */
export type LedgerVersionVector = ReadonlyMap<string, number>;

export interface LedgerColumnsView {
  /** The requested accounts that exist and are visible. */
  readonly accounts: readonly Id[];
  readonly clients: readonly Id[];
  readonly versions: LedgerVersionVector;
  /** All rows that move the accounts, each once and in no particular order, together with bookings for all holders. */
  readonly blocks: readonly LiveBlock[];
  /** Returns the changes since an earlier view of the same accounts; undefined when they are not known. */
  findChanges(since: LedgerVersionVector): LedgerChanges | undefined;
  /** Large ledgers that have no packed copy, or one that is far behind. */
  readonly uncopied: readonly UncopiedLedger[];
  /** Caches the ledgers that were dropped meanwhile, for something cached that holds their memory. */
  cacheAgain(): void;
}

export interface UncopiedLedger {
  readonly client: Id;
  readonly account: Id;
  readonly ledger: AccountLedger;
}

const emptyLedger = accountLedgerAt(0, { own: [], counter: [] });

export class LedgerColumns {
  readonly #scope: Scope;
  readonly #run: StatementRunner;
  readonly #cache: LedgerCache;
  readonly #loader: LedgerLoader;
  /** The keys of the parts that were not in the cache. */
  readonly #loaded = new Set<string>();

  /** The runner must read from one snapshot, so that versions and rows fit together. */
  constructor({ scope, run }: { scope: Scope; run: StatementRunner }, cache: LedgerCache) {
    this.#scope = scope;
    this.#run = run;
    this.#cache = cache;
    this.#loader = new LedgerLoader(scope, run);
  }

  /** Leaves out accounts that the scope cannot see. */
  async read(accountIds: readonly Id[]): Promise<LedgerColumnsView> {
    const rows = await this.#readVersions(accountIds);
    const parts = rows.map(ledgerPart);
    const ledgers = await this.#getLedgers(parts);
    const [accounts, clients] = [uniqueIds(rows, 'account'), uniqueIds(rows, 'client')];
    const requested = new Set<string>(accounts);
    const all = [...ledgers.values()];
    return {
      accounts,
      clients,
      versions: new Map(parts.map(({ key, version }) => [key, version])),
      blocks: [
        ...all.flatMap(({ own }) => own),
        ...withoutAccounts(
          all.flatMap(({ counter }) => counter),
          requested,
        ),
      ],
      uncopied: parts.flatMap((part) => this.#uncopied(part, ledgers)),
      findChanges: (since) => changesSince(ledgers, since, requested),
      cacheAgain: () => {
        for (const part of parts) this.#cacheAgain(part, ledgers);
      },
    };
  }

  /**
   * Reads the ledgers as they were known at a moment, including accounts deleted since. Always reads from the database and does
   * not cache. An account outside the scope has no rows.
   */
  async readKnownAt(accountIds: readonly Id[], moment: number): Promise<Pick<LedgerColumnsView, 'clients' | 'blocks'>> {
    const accounts = [...new Set(accountIds)].toSorted();
    const { rows } = await this.#run(ownersStatement(this.#scope.visibleClients.kind), [
      ...tenantFilterValues(this.#scope),
      accounts,
    ]);
    const clients = rows.map(({ client }) => client);
    const read = async (sides: readonly LedgerSide[]): Promise<LiveBlock[]> => {
      const blocks = await this.#run.columns(sides.map((side) => rowsKnownAt(this.#scope, side, moment)));
      return blocks.flat().map((block) => toLiveBlock(toLedgerBlock(block)));
    };
    const sidesOfAccounts = (side: 'own' | 'counter'): LedgerSide[] => accounts.map((id) => ({ side, account: id }));
    const allHolders = [null, ...clients].map((client): LedgerSide => ({ side: 'all-holders', client }));
    const [own, counter] = await Promise.all([
      read([...sidesOfAccounts('own'), ...allHolders]),
      read(sidesOfAccounts('counter')),
    ]);
    return { clients, blocks: [...own, ...withoutAccounts(counter, new Set<string>(accounts))] };
  }

  async #readVersions(accountIds: readonly Id[]): Promise<VersionVectorRow[]> {
    const ids = [...new Set(accountIds)].toSorted();
    return (
      await this.#run(versionVectorStatement(this.#scope.visibleClients.kind), [
        ...tenantFilterValues(this.#scope),
        ids,
      ])
    ).rows;
  }

  #cacheKey({ key }: Pick<LedgerPart, 'key'>): string {
    const { workspaceId, environment } = this.#scope;
    return `${workspaceId} ${environment} ${key}`;
  }

  #cacheAgain(part: LedgerPart, ledgers: ReadonlyMap<string, AccountLedger>): void {
    const ledger = defined(ledgers.get(part.key), 'each part has a ledger');
    if (part.version > 0) this.#cache.put(this.#cacheKey(part), ledger, this.#putOptions(part));
  }

  #uncopied(part: LedgerPart, ledgers: ReadonlyMap<string, AccountLedger>): UncopiedLedger[] {
    const { account, client, key } = part;
    if (account === null || client === null || !this.#loaded.has(key)) return [];
    const ledger = defined(ledgers.get(key), 'each part has a ledger');
    return isWorthCopying(part, ledger) ? [{ account, client, ledger }] : [];
  }

  #putOptions({ client }: LedgerPart): PutOptions {
    return client === null ? {} : { group: clientGroup(this.#scope, client) };
  }

  /**
   * Requests what is missing before it waits for loads of other callers, so that callers cannot wait for each other in a cycle.
   */
  async #getLedgers(parts: readonly LedgerPart[]): Promise<ReadonlyMap<string, AccountLedger>> {
    const found = new Map<string, AccountLedger | Promise<AccountLedger>>();
    const missing: LedgerPart[] = [];
    for (const part of parts) {
      const known = this.#find(part);
      if (known === undefined) missing.push(part);
      else found.set(part.key, known);
    }
    const loaded = this.#load(missing);
    for (const [index, part] of missing.entries()) {
      const one = loaded.then((ledgers) => defined(ledgers[index], 'a ledger is loaded for each part'));
      this.#cache.load(this.#cacheKey(part), part.version, one, this.#putOptions(part));
      found.set(part.key, one);
    }
    await loaded;
    const ledgers = new Map<string, AccountLedger>();
    for (const part of parts)
      ledgers.set(part.key, await this.#resolve(part, defined(found.get(part.key), 'a part is found or being loaded')));
    return ledgers;
  }

  #find(part: LedgerPart): AccountLedger | Promise<AccountLedger> | undefined {
    if (part.version === 0) return emptyLedger;
    const known = this.#cache.find<AccountLedger>(this.#cacheKey(part));
    return known?.version === part.version ? known : this.#cache.findLoading(this.#cacheKey(part), part.version);
  }

  /** Loads the ledger here when the load of another caller failed. */
  async #resolve(part: LedgerPart, found: AccountLedger | Promise<AccountLedger>): Promise<AccountLedger> {
    try {
      return await found;
    } catch {
      const ledger = defined((await this.#load([part]))[0], 'a ledger is loaded for each part');
      this.#cache.put(this.#cacheKey(part), ledger, this.#putOptions(part));
      return ledger;
    }
  }

  #load(parts: readonly LedgerPart[]): Promise<AccountLedger[]> {
    for (const { key } of parts) this.#loaded.add(key);
    return this.#loader.load(parts.map((part) => ({ ...part, earlier: this.#findEarlier(part) })));
  }

  #findEarlier(part: LedgerPart): AccountLedger | undefined {
    const known = this.#cache.find<AccountLedger>(this.#cacheKey(part));
    return known !== undefined && known.version < part.version ? known : undefined;
  }
}

function uniqueIds(rows: readonly VersionVectorRow[], column: 'account' | 'client'): readonly Id[] {
  return [...new Set(rows.map((row) => row[column]).filter((id) => id !== null))].toSorted();
}

/** Reports a row that moves two of the accounts once, under its own account. */
function changesSince(
  ledgers: ReadonlyMap<string, AccountLedger>,
  since: LedgerVersionVector,
  requested: ReadonlySet<string>,
): LedgerChanges | undefined {
  if (since.size !== ledgers.size) return undefined;
  const closed: ClosedRow[] = [];
  const opened: LiveBlock[] = [];
  for (const [key, ledger] of ledgers) {
    const version = since.get(key);
    const changes = version === undefined ? undefined : findChanges(ledger, version);
    if (changes === undefined) return undefined;
    append(closed, changes.own.closed);
    append(
      closed,
      changes.counter.closed.filter((row) => !requested.has(row.account ?? '')),
    );
    append(opened, changes.own.opened);
    append(opened, withoutAccounts(changes.counter.opened, requested));
  }
  return { closed, opened };
}
