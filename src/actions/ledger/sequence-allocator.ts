// The books of the clients that one piece of work books for: locked before anything is numbered, counted on from where they stand, and
// raised once at the end. Knows no transaction but whom it moves.

import type { Id } from '../../kit/id.ts';
import type { Transaction } from '../../model/ledger/transaction.ts';
import type { AccountVersion } from '../../store/ledger/ledger-counters.ts';
import type { Work } from '../core/work.ts';

/** Whom a transaction moves. */
export type AffectedAccounts = Pick<Transaction, 'client' | 'account' | 'counterAccount'>;

export function accountIds({ account, counterAccount }: AffectedAccounts): Id[] {
  return [account, counterAccount].filter((id) => id !== null);
}

/** What has one count of versions: the accounts of a client, and all that is booked for no account. */
const accountless = 'accountless';
type VersionCounter = Id | typeof accountless;

function versionCounter({ account, client }: AffectedAccounts): VersionCounter {
  return account === null ? accountless : client!;
}

/** Ids that are there for the first time, in their order. */
function unseenIds(ids: Iterable<Id | null>, known: ReadonlySet<Id>): Id[] {
  return [...new Set(ids)].filter((id): id is Id => id !== null && !known.has(id)).toSorted();
}

export class SequenceAllocator {
  readonly #work: Work;
  readonly #lockedClients = new Set<Id>();
  #isAccountlessLocked = false;
  readonly #nextSequences = new Map<Id | null, number>();
  readonly #readAccounts = new Set<Id>();
  /** The greatest version that is known of each count. */
  readonly #versions = new Map<VersionCounter, number>();
  /** What those were when they were raised last: every row that is written meanwhile carries them. */
  readonly #currentVersions = new Map<VersionCounter, number>();
  readonly #raisedAccounts = new Map<Id, AccountVersion>();

  constructor(work: Work) {
    this.#work = work;
  }

  /**
   * Locks whom these move and reads how far their books have come, on one trip with what is asked for in the same breath. Several
   * clients are locked in the order of their ids, and what concerns all of them before.
   */
  async reserve(rows: readonly AffectedAccounts[]): Promise<void> {
    const { ledgerCounters: ledgerNumbers } = this.#work.store;
    const isAccountless = !this.#isAccountlessLocked && rows.some(({ account }) => account === null);
    const needsUnowned = !this.#nextSequences.has(null) && rows.some(({ client }) => client === null);
    const ids = rows.map(({ client }) => client);
    const clients = unseenIds(ids, this.#lockedClients);
    const accounts = unseenIds(rows.flatMap(accountIds), this.#readAccounts);
    if (isAccountless) ledgerNumbers.lockAccountless();
    ledgerNumbers.lockClients(clients);
    this.#isAccountlessLocked ||= isAccountless;
    for (const client of clients) this.#lockedClients.add(client);
    for (const account of accounts) this.#readAccounts.add(account);
    const [next, versions, nextUnowned, version] = await Promise.all([
      ledgerNumbers.nextSequences(clients),
      ledgerNumbers.listVersions(accounts),
      needsUnowned ? ledgerNumbers.nextClientlessSequence() : undefined,
      isAccountless ? ledgerNumbers.getAccountlessVersion() : undefined,
    ]);
    for (const [client, nextSequence] of next) this.#nextSequences.set(client, nextSequence);
    if (nextUnowned !== undefined) this.#nextSequences.set(null, nextUnowned);
    if (version !== undefined) this.#versions.set(accountless, version);
    this.#mergeVersions(rows, versions);
  }

  #mergeVersions(rows: readonly AffectedAccounts[], versions: ReadonlyMap<Id, number>): void {
    for (const row of rows) {
      if (row.account === null) continue;
      const known = accountIds(row).map((account) => versions.get(account) ?? 0);
      this.#versions.set(row.client!, Math.max(this.#versions.get(row.client!) ?? 0, ...known));
    }
  }

  /** From here on, whatever is written of these is of the next version: one for all accounts of a client. */
  advanceVersions(rows: readonly AffectedAccounts[]): void {
    for (const counter of new Set(rows.map(versionCounter))) {
      const next = (this.#versions.get(counter) ?? 0) + 1;
      this.#versions.set(counter, next);
      this.#currentVersions.set(counter, next);
    }
  }

  /** The number of a new booking: they go up, and those of no client go down. */
  nextSequence(client: Id | null): number {
    const nextSequence = this.#nextSequences.get(client)!;
    this.#nextSequences.set(client, client === null ? nextSequence - 1 : nextSequence + 1);
    return nextSequence;
  }

  /** The version that a row is opened or closed with. Its accounts will have come so far. */
  stampVersion(row: AffectedAccounts): number {
    const version = this.#currentVersions.get(versionCounter(row))!;
    for (const account of accountIds(row)) this.#raisedAccounts.set(account, { account, client: row.client!, version });
    return version;
  }

  /** Goes with what is sent next, or with the commit. */
  flush(): void {
    this.#work.store.ledgerCounters.putVersions([...this.#raisedAccounts.values()]);
  }
}
