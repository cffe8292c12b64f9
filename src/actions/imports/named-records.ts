// The records that the words of a file mean, looked up once for each distinct word of an import.

import { append } from '../../kit/memory/long-list.ts';
import type { Id } from '../../kit/id.ts';
import { RecentEntries } from '../../kit/memory/recent-entries.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { NamedAccount, NamedInstrument, StatementEntry, StatementItem } from '../../model/custody/statement.ts';
import type { ImportCreation } from '../../store/imports/import-creations.ts';
import type { Work } from '../core/work.ts';
import type { ImportSource } from './import-source.ts';
import { createNamedInstruments, learnInstruments, recordCreatedInstruments } from './names/named-instrument.ts';
import { missing, type NameScope, type Resolution } from './names/resolution.ts';
import { resolveAccounts, resolveDepositories, resolveInstruments } from './names/resolve-names.ts';

/** How many distinct names are kept in memory, twice over; beyond that they are looked up again. */
const namesKeptMax = 50_000;
/** Instruments that cannot be created; more than two batches can name. */
const refusalsKeptMax = 10_000;

type ResolveNames<T> = (work: Work, scope: NameScope, names: readonly T[]) => Promise<readonly ReachedResolution[]>;

/** The names of one kind, by what they say. */
class NameTable<T extends object> {
  readonly #resolve: ResolveNames<T>;
  #known = new Map<string, ReachedResolution>();
  /** Rows that are booked while the next are prepared still use them. */
  #earlier = new Map<string, ReachedResolution>();
  /** The keys of the names of this batch, and of the one before. */
  #keys = new Map<T, string>();
  #earlierKeys = new Map<T, string>();

  constructor(resolve: ResolveNames<T>) {
    this.#resolve = resolve;
  }

  #keyOf(name: T): string {
    return this.#keys.get(name) ?? this.#earlierKeys.get(name) ?? JSON.stringify(name);
  }

  async load(work: Work, scope: NameScope, names: ReadonlySet<T>): Promise<void> {
    [this.#earlierKeys, this.#keys] = [this.#keys, new Map()];
    if (this.#known.size > namesKeptMax) [this.#earlier, this.#known] = [this.#known, new Map()];
    const unknown = new Map<string, T>();
    for (const name of names) {
      const key = this.#keyOf(name);
      this.#keys.set(name, key);
      if (this.#known.has(key)) continue;
      const earlier = this.#earlier.get(key);
      if (earlier === undefined) unknown.set(key, name);
      else this.#known.set(key, earlier);
    }
    if (unknown.size === 0) return;
    const found = await this.#resolve(work, scope, [...unknown.values()]);
    [...unknown.keys()].forEach((key, index) => this.#known.set(key, found[index] ?? missing));
  }

  get(name: T): ReachedResolution {
    const key = this.#keyOf(name);
    return this.#known.get(key) ?? this.#earlier.get(key) ?? missing;
  }

  set(name: T, id: Id): void {
    this.#known.set(JSON.stringify(name), { outcome: 'found', id });
  }

  /** One of each that say the same. */
  distinct(names: ReadonlySet<T>): T[] {
    const byKey = new Map<string, T>();
    for (const name of names) byKey.set(this.#keyOf(name), name);
    return [...byKey.values()];
  }
}

/**
 * A record exists, and a feed may not book on it. `not-linked`: its authority does not cover the record. `other-custodian`: another
 * custodian keeps it. `several-accounts`: the depository settles through several accounts, or none, and the row does not say which.
 */
interface OutOfReach {
  readonly outcome: 'not-linked' | 'other-custodian' | 'several-accounts';
}

type ReachedResolution = Resolution | OutOfReach;

const notLinked: OutOfReach = { outcome: 'not-linked' };
const atOtherCustodian: OutOfReach = { outcome: 'other-custodian' };
const severalAccounts: OutOfReach = { outcome: 'several-accounts' };

/** A custodian's feed never reaches accounts that its authority does not cover. */
function coveredOnly(covered: ReadonlySet<Id> | undefined): ResolveNames<NamedAccount> {
  if (covered === undefined) return resolveAccounts;
  return async (work, scope, names) => {
    const found = (await resolveAccounts(work, scope, names)).map((one) => withinReach(one, covered));
    const absent = names.filter((_, index) => found[index]?.outcome === 'missing');
    if (absent.length === 0) return found;
    // The number may be that of an account which another custodian keeps: nobody is told that there is none.
    const anywhere = await resolveAccounts(work, { ...scope, custodian: null }, absent);
    const elsewhere = new Set(absent.filter((_, index) => anywhere[index]?.outcome !== 'missing'));
    return found.map((one, index) => {
      const name = names[index];
      return name !== undefined && elsewhere.has(name) ? atOtherCustodian : one;
    });
  };
}

function withinReach(found: Resolution, covered: ReadonlySet<Id>): ReachedResolution {
  switch (found.outcome) {
    case 'missing':
      return found;
    case 'found':
      return covered.has(found.id) ? found : notLinked;
    case 'ambiguous':
      return found.candidates.some((id) => covered.has(id)) ? found : notLinked;
  }
}

/** The records of one item: an id, null where the file names none, or why there is no id. */
export type Named = Id | null | Exclude<ReachedResolution, { outcome: 'found' }>;

export function isUnresolved(named: Named): named is Exclude<Named, Id | null> {
  return typeof named === 'object' && named !== null;
}

function idOf(resolution: ReachedResolution): Exclude<Named, null> {
  return resolution.outcome === 'found' ? resolution.id : resolution;
}

/** The names of a batch. Most items of a file share the objects of their names. */
class Names {
  readonly accounts = new Set<NamedAccount>();
  readonly depositories = new Set<NamedAccount>();
  readonly instruments = new Set<NamedInstrument>();

  add(item: StatementItem): void {
    const { account } = item;
    if (account !== undefined) this.accounts.add(account);
    if (item.item === 'entry') this.#addEntry(item);
    else if ('instrument' in item) this.instruments.add(item.instrument);
    if (account !== undefined && (item.item === 'entry' || item.item === 'position')) this.depositories.add(account);
  }

  #addEntry({ depository, instrument, targetInstrument, counterAccount }: StatementEntry): void {
    if (counterAccount !== undefined) this.accounts.add(counterAccount);
    if (depository !== undefined) this.depositories.add(depository);
    if (instrument !== undefined) this.instruments.add(instrument);
    if (targetInstrument !== undefined) this.instruments.add(targetInstrument);
  }
}

export class NamedRecords {
  readonly #work: Work;
  readonly #source: ImportSource;
  readonly #scope: NameScope;
  readonly #accounts: NameTable<NamedAccount>;
  readonly #depositories = new NameTable<NamedAccount>(resolveDepositories);
  readonly #instruments = new NameTable<NamedInstrument>(resolveInstruments);
  /** The only account of each depository; null if it has several or none. */
  readonly #onlyAccounts = new Map<Id, Id | null>();
  readonly #created = new Set<Id>();
  readonly #fresh = new Set<Id>();
  readonly #creations: ImportCreation[] = [];
  readonly #creationRefusals = new RecentEntries<Refusal>(refusalsKeptMax);

  constructor(work: Work, source: ImportSource) {
    this.#work = work;
    this.#source = source;
    this.#scope = { client: source.client, custodian: source.custodian ?? null };
    this.#accounts = new NameTable(coveredOnly(source.coveredAccounts));
  }

  async load(items: readonly StatementItem[]): Promise<void> {
    const names = new Names();
    for (const item of items) names.add(item);
    await Promise.all([
      this.#accounts.load(this.#work, this.#scope, names.accounts),
      this.#depositories.load(this.#work, this.#scope, names.depositories),
      this.#instruments.load(this.#work, this.#scope, names.instruments),
    ]);
    await this.#loadOnlyAccounts(names);
    if (this.#source.mode === 'book') await this.#keepInstruments(this.#instruments.distinct(names.instruments));
  }

  async #loadOnlyAccounts({ depositories }: Names): Promise<void> {
    const found = [...depositories].map((name) => this.#depositories.get(name));
    const defaults = this.#source.depository ? [this.#source.depository] : [];
    const ids = [...found.flatMap((one) => (one.outcome === 'found' ? [one.id] : [])), ...defaults];
    const unknown = [...new Set(ids)].filter((id) => !this.#onlyAccounts.has(id));
    if (unknown.length === 0) return;
    for (const id of unknown) this.#onlyAccounts.set(id, null);
    for (const { depository, account } of await this.#work.store.importNames.listOnlyAccounts(unknown)) {
      this.#onlyAccounts.set(depository, account);
    }
  }

  /** Creates what is missing, if the import says so, and keeps the custodian's own codes of what is known. */
  async #keepInstruments(distinct: readonly NamedInstrument[]): Promise<void> {
    const absent = distinct.filter((one) => this.#instruments.get(one).outcome === 'missing');
    if (this.#source.createsInstruments === true && absent.length > 0) {
      const created = await createNamedInstruments(this.#work, absent);
      created.forEach((result, index) => {
        const name = absent[index];
        if (name === undefined) return;
        if (result instanceof Refusal) this.#creationRefusals.set(JSON.stringify(name), result);
        else {
          this.#instruments.set(name, result);
          if (!this.#created.has(result)) this.#fresh.add(result);
          this.#created.add(result);
        }
      });
    }
    append(this.#creations, await recordCreatedInstruments(this.#work, [...this.#fresh]));
    this.#fresh.clear();
    const learned = distinct.flatMap((one) => {
      const resolution = this.#instruments.get(one);
      return resolution.outcome === 'found' && one.custodianCode !== undefined
        ? [{ named: one, id: resolution.id }]
        : [];
    });
    if (learned.length > 0) append(this.#creations, await learnInstruments(this.#work, this.#scope, learned));
  }

  /** What was created and learned since it was last asked for. */
  takeCreations(): ImportCreation[] {
    return this.#creations.splice(0);
  }

  /** A file that names none means the default; one that names an account nobody has never does. */
  account(named: NamedAccount | undefined): Named {
    if (named === undefined) return this.#source.account ?? this.#accountOf(this.#source.depository);
    const found = idOf(this.#accounts.get(named));
    if (!isUnresolved(found) || found.outcome === 'ambiguous') return found;
    const depository = this.#depositories.get(named);
    if (depository.outcome !== 'found') return found;
    return this.#accountOf(depository.id) ?? this.#source.account ?? severalAccounts;
  }

  /** The only account of a depository, which a feed reaches only where its authority covers the account. */
  #accountOf(depository: Id | null | undefined): Id | OutOfReach | null {
    const account = depository == null ? null : (this.#onlyAccounts.get(depository) ?? null);
    const covered = this.#source.coveredAccounts;
    return account === null || covered === undefined || covered.has(account) ? account : notLinked;
  }

  /** The depository that units are kept in: the one that is named, apart from the account or as the account, or the default. */
  depository(named: NamedAccount | undefined, account: NamedAccount | undefined): Named {
    if (named !== undefined) return idOf(this.#depositories.get(named));
    const asAccount = account === undefined ? missing : this.#depositories.get(account);
    if (asAccount.outcome === 'found') return asAccount.id;
    return account === undefined ? (this.#source.depository ?? null) : null;
  }

  counterAccount(named: NamedAccount | undefined): Named {
    return named === undefined ? null : idOf(this.#accounts.get(named));
  }

  instrument(named: NamedInstrument | undefined): Named {
    return named === undefined ? null : idOf(this.#instruments.get(named));
  }

  /** Why a missing instrument could not be created. */
  creationRefusal(named: NamedInstrument): Refusal | undefined {
    return this.#creationRefusals.get(JSON.stringify(named));
  }

  wasCreated(instrument: Id): boolean {
    return this.#created.has(instrument);
  }
}
