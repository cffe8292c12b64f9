// The books of the clients that one piece of work books for: locked before anything is numbered, counted on from where they stand, and
// raised once at the end. Knows no transaction but whom it moves.

import type { Id } from '../../kit/id.ts';
import type { Transaction } from '../../model/ledger/transaction.ts';
import type { AccountVersion } from '../../store/ledger/ledger-counters.ts';
import type { Work } from '../core/work.ts';

/** Whom a transaction moves. */
export type Moved = Pick<Transaction, 'client' | 'account' | 'counterAccount'>;

export function accountsOf({ account, counterAccount }: Moved): Id[] {
  return [account, counterAccount].filter((id) => id !== null);
}

/** What has one count of versions: the accounts of a client, and all that is booked for no account. */
const accountless = 'accountless';
type Count = Id | typeof accountless;

function countOf({ account, client }: Moved): Count {
  return account === null ? accountless : client!;
}

/** Ids that are there for the first time, in their order. */
function newAmong(ids: Iterable<Id | null>, known: ReadonlySet<Id>): Id[] {
  return [...new Set(ids)].filter((id): id is Id => id !== null && !known.has(id)).toSorted();
}

export class LedgerBooks {
  readonly #work: Work;
  readonly #locked = new Set<Id>();
  #isAccountlessLocked = false;
  readonly #next = new Map<Id | null, number>();
  readonly #read = new Set<Id>();
  /** The greatest version that is known of each count. */
  readonly #versions = new Map<Count, number>();
  /** What those were when they were raised last: every row that is written meanwhile carries them. */
  readonly #current = new Map<Count, number>();
  readonly #raised = new Map<Id, AccountVersion>();

  constructor(work: Work) {
    this.#work = work;
  }

  /**
   * Locks whom these move and reads how far their books have come, on one trip with what is asked for in the same breath. Several
   * clients are locked in the order of their ids, and what concerns all of them before.
   */
  async open(rows: readonly Moved[]): Promise<void> {
    const { ledgerNumbers } = this.#work.store;
    const isAccountless = !this.#isAccountlessLocked && rows.some(({ account }) => account === null);
    const ofNone = !this.#next.has(null) && rows.some(({ client }) => client === null);
    const ids = rows.map(({ client }) => client);
    const clients = newAmong(ids, this.#locked);
    const accounts = newAmong(rows.flatMap(accountsOf), this.#read);
    if (isAccountless) ledgerNumbers.lockAccountless();
    ledgerNumbers.lockClients(clients);
    this.#isAccountlessLocked ||= isAccountless;
    for (const client of clients) this.#locked.add(client);
    for (const account of accounts) this.#read.add(account);
    const [next, versions, nextOfNone, version] = await Promise.all([
      ledgerNumbers.nextSequences(clients),
      ledgerNumbers.versionsOf(accounts),
      ofNone ? ledgerNumbers.nextSequenceOfNone() : undefined,
      isAccountless ? ledgerNumbers.versionOfAccountless() : undefined,
    ]);
    for (const [client, number] of next) this.#next.set(client, number);
    if (nextOfNone !== undefined) this.#next.set(null, nextOfNone);
    if (version !== undefined) this.#versions.set(accountless, version);
    this.#noteVersions(rows, versions);
  }

  #noteVersions(rows: readonly Moved[], versions: ReadonlyMap<Id, number>): void {
    for (const row of rows) {
      if (row.account === null) continue;
      const known = accountsOf(row).map((account) => versions.get(account) ?? 0);
      this.#versions.set(row.client!, Math.max(this.#versions.get(row.client!) ?? 0, ...known));
    }
  }

  /** From here on, whatever is written of these is of the next version: one for all accounts of a client. */
  turn(rows: readonly Moved[]): void {
    for (const count of new Set(rows.map(countOf))) {
      const next = (this.#versions.get(count) ?? 0) + 1;
      this.#versions.set(count, next);
      this.#current.set(count, next);
    }
  }

  /** The number of a new booking: they go up, and those of no client go down. */
  number(client: Id | null): number {
    const number = this.#next.get(client)!;
    this.#next.set(client, client === null ? number - 1 : number + 1);
    return number;
  }

  /** The version that a row is opened or closed with. Its accounts will have come so far. */
  stamp(row: Moved): number {
    const version = this.#current.get(countOf(row))!;
    for (const account of accountsOf(row)) this.#raised.set(account, { account, client: row.client!, version });
    return version;
  }

  /** Goes with what is sent next, or with the commit. */
  close(): void {
    this.#work.store.ledgerNumbers.raise([...this.#raised.values()]);
  }
}
