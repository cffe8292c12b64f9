// Allocates booking numbers and ledger versions for the clients of one unit of work: locks their counters, counts on, and writes
// them once at the end.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { Transaction } from '../../model/ledger/transaction.ts';
import type { AccountVersion } from '../../store/ledger/ledger-counters.ts';
import type { Work } from '../core/work.ts';

/** The accounts that a transaction affects. */
type AffectedAccounts = Pick<Transaction, 'client' | 'account' | 'counterAccount'>;

function accountIds({ account, counterAccount }: AffectedAccounts): Id[] {
  return [account, counterAccount].filter((id) => id !== null);
}

/** The counters of versions: one for the accounts of a client, one for everything booked without an account. */
const accountless = 'accountless';
type VersionCounter = Id | typeof accountless;

function versionCounter({ account, client }: AffectedAccounts): VersionCounter {
  return account === null ? accountless : client!;
}

/** Ids that appear for the first time, in order. */
function unseenIds(ids: Iterable<Id | null>, known: ReadonlySet<Id>): Id[] {
  return [...new Set(ids)].filter((id): id is Id => id !== null && !known.has(id)).toSorted();
}

export class SequenceAllocator {
  readonly #work: Work;
  readonly #lockedClients = new Set<Id>();
  #isAccountlessLocked = false;
  readonly #nextSequences = new Map<Id | null, number>();
  readonly #lastSequences = new Map<Id, number>();
  /** Versions of accounts that were read before their clients were known. */
  #foreseenVersions: ReadonlyMap<Id, number> = new Map();
  readonly #readAccounts = new Set<Id>();
  /** The highest known version of each counter. */
  readonly #versions = new Map<VersionCounter, number>();
  /** The version that rows written from now on carry. */
  readonly #currentVersions = new Map<VersionCounter, number>();
  readonly #raisedAccounts = new Map<Id, AccountVersion>();

  constructor(work: Work) {
    this.#work = work;
  }

  /**
   * Locks the counters of these rows and reads them in one batch with what is enqueued. Clients are locked in the order of their
   * ids, after the counter of rows without an account, so that two bookings cannot deadlock. A bulk body that reserves batch by batch
   * can: its next try locks at once what the tries before it locked.
   */
  async reserve(rows: readonly AffectedAccounts[]): Promise<void> {
    const { ledgerLocks, store } = this.#work;
    const { ledgerCounters: ledgerNumbers } = store;
    const accountSet = new Set<Id | null>();
    for (const { client, account, counterAccount } of rows) {
      if (account === null) ledgerLocks.isAccountlessLocked = true;
      if (client !== null) ledgerLocks.clients.add(client);
      accountSet.add(account).add(counterAccount);
    }
    const isAccountless = ledgerLocks.isAccountlessLocked && !this.#isAccountlessLocked;
    const needsUnowned = !this.#nextSequences.has(null) && rows.some(({ client }) => client === null);
    const clients = unseenIds(ledgerLocks.clients, this.#lockedClients);
    const accounts = unseenIds(accountSet, this.#readAccounts);
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

  /**
   * Reserves for the clients of these accounts before anything is known about them, so that it goes in one batch with what reads the
   * accounts. For a first try only: later ones lock at once what the tries before them locked.
   */
  async reserveAccounts(accounts: readonly Id[]): Promise<void> {
    const { ledgerCounters } = this.#work.store;
    const [next, versions] = await Promise.all([
      ledgerCounters.lockClientsOf(accounts),
      ledgerCounters.listVersions(accounts),
    ]);
    for (const account of accounts) this.#readAccounts.add(account);
    for (const [client, sequence] of next) {
      this.#work.ledgerLocks.clients.add(client);
      this.#lockedClients.add(client);
      this.#nextSequences.set(client, sequence);
    }
    this.#foreseenVersions = versions;
  }

  #mergeVersions(rows: readonly AffectedAccounts[], versions: ReadonlyMap<Id, number>): void {
    if (versions.size === 0 && this.#foreseenVersions.size === 0) return;
    for (const row of rows) {
      if (row.account === null) continue;
      const known = accountIds(row).map((account) => versions.get(account) ?? this.#foreseenVersions.get(account) ?? 0);
      this.#versions.set(row.client!, Math.max(this.#versions.get(row.client!) ?? 0, ...known));
    }
  }

  /** From here on, everything written for these accounts has the next version: one for all accounts of a client. */
  advanceVersions(rows: readonly AffectedAccounts[]): void {
    for (const counter of new Set(rows.map(versionCounter))) {
      const next = (this.#versions.get(counter) ?? 0) + 1;
      this.#versions.set(counter, next);
      this.#currentVersions.set(counter, next);
    }
  }

  /** The next booking number: ascending, or descending for rows of no client. */
  nextSequence(client: Id | null): number {
    const nextSequence = defined(this.#nextSequences.get(client), 'numbers are reserved before they are allocated');
    this.#nextSequences.set(client, client === null ? nextSequence - 1 : nextSequence + 1);
    if (client !== null) this.#lastSequences.set(client, nextSequence);
    return nextSequence;
  }

  /** The version that a row is opened or closed with. */
  stampVersion(row: AffectedAccounts): number {
    const version = defined(
      this.#currentVersions.get(versionCounter(row)),
      'versions are advanced before rows are stamped',
    );
    this.#raise(row.account, row, version);
    this.#raise(row.counterAccount, row, version);
    return version;
  }

  #raise(account: Id | null, { client }: AffectedAccounts, version: number): void {
    if (account === null || this.#raisedAccounts.get(account)?.version === version) return;
    this.#raisedAccounts.set(account, { account, client: defined(client, 'an account has a client'), version });
  }

  /** The version that rows of this counter carry since it was last advanced; undefined before. */
  currentVersion(row: AffectedAccounts): number | undefined {
    return this.#currentVersions.get(versionCounter(row));
  }

  /** Goes with the next batch, or with the commit. */
  flush(): void {
    const { ledgerCounters } = this.#work.store;
    ledgerCounters.putVersions([...this.#raisedAccounts.values()]);
    ledgerCounters.putLastSequences(this.#lastSequences);
  }
}
