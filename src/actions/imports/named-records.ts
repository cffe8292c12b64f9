// The records that the words of a file mean, looked up once for each distinct word of an import.

import { isExchange } from '../../model/ledger/kind-traits.ts';
import { append } from '../../kit/memory/long-list.ts';
import type { Id } from '../../kit/id.ts';
import { RecentEntries } from '../../kit/memory/recent-entries.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { NamedAccount, NamedInstrument, StatementEntry, StatementItem } from '../../model/custody/statement.ts';
import type { ImportCreation } from '../../store/imports/import-creations.ts';
import type { DepositoryAccounts } from '../../store/imports/import-names.ts';
import type { Work } from '../core/work.ts';
import type { ImportSource } from './import-source.ts';
import {
  createMissingInstruments,
  learnInstruments,
  recordCreatedInstruments,
  type LearnedName,
} from './names/named-instrument.ts';
import { missing, type NameScope, type Resolution } from './names/resolution.ts';
import { resolveAccounts, resolveDepositories, resolveInstruments, type AccountWords } from './names/resolve-names.ts';

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

  set(name: T, resolution: Resolution): void {
    this.#known.set(JSON.stringify(name), resolution);
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

/**
 * The currency that chooses among accounts of one number: that of the cash, else that of the instrument's quotes, since units are kept
 * where they were paid for.
 */
export function rowCurrencyOf(item: StatementItem): string | undefined {
  switch (item.item) {
    case 'entry':
    case 'position':
      return item.currency ?? item.instrument?.currency;
    case 'balance':
      return item.currency;
    case 'price':
    case 'fx-rate':
    case 'instrument':
    case 'problem':
      return undefined;
  }
}

/** The words of items for accounts together with the currencies of their rows. Equal objects give the same object again. */
class RowWords {
  readonly #known = new WeakMap<NamedAccount, Map<string, AccountWords>>();

  in(named: NamedAccount, rowCurrency: string | undefined): AccountWords {
    if (rowCurrency === undefined) return named;
    const known = this.#known.getOrInsertComputed(named, () => new Map<string, AccountWords>());
    return known.getOrInsertComputed(rowCurrency, () => ({ ...named, rowCurrency }));
  }
}

/** The names of a batch. Most items of a file share the objects of their names. */
class Names {
  readonly accounts = new Set<AccountWords>();
  readonly depositories = new Set<NamedAccount>();
  readonly instruments = new Set<NamedInstrument>();
  readonly #words: RowWords;

  constructor(words: RowWords) {
    this.#words = words;
  }

  add(item: StatementItem): void {
    const { account } = item;
    if (account !== undefined) this.accounts.add(this.#words.in(account, rowCurrencyOf(item)));
    if (item.item === 'entry') this.#addEntry(item);
    else if ('instrument' in item) this.instruments.add(item.instrument);
    if (account !== undefined && (item.item === 'entry' || item.item === 'position')) this.depositories.add(account);
  }

  #addEntry(entry: StatementEntry): void {
    const { depository, instrument, targetInstrument } = entry;
    const counter = otherLegOf(entry);
    if (counter !== undefined) this.accounts.add(this.#words.in(counter, entry.counterCurrency));
    if (depository !== undefined) this.depositories.add(depository);
    if (instrument !== undefined) this.instruments.add(instrument);
    if (targetInstrument !== undefined) this.instruments.add(targetInstrument);
  }
}

/** Whose account the other leg of an exchange is in: the one that the file names, else that of the same number in the other currency. */
function otherLegOf({ kind, account, counterAccount, counterCurrency }: StatementEntry): NamedAccount | undefined {
  return counterAccount ?? (isExchange(kind) && counterCurrency !== undefined ? account : undefined);
}

export class NamedRecords {
  readonly #work: Work;
  readonly #source: ImportSource;
  readonly #scope: NameScope;
  readonly #accounts: NameTable<NamedAccount>;
  readonly #depositories = new NameTable<NamedAccount>(resolveDepositories);
  readonly #instruments = new NameTable<NamedInstrument>(resolveInstruments);
  readonly #words = new RowWords();
  readonly #depositoryAccounts = new Map<Id, DepositoryAccounts[]>();
  readonly #created = new Set<Id>();
  /** What the custodian's own codes meant when this import used them first. */
  readonly #codes = new RecentEntries<Id>(namesKeptMax);
  readonly #creations: ImportCreation[] = [];
  readonly #creationRefusals = new RecentEntries<Refusal>(refusalsKeptMax);

  constructor(work: Work, source: ImportSource) {
    this.#work = work;
    this.#source = source;
    this.#scope = { client: source.client, custodian: source.custodian ?? null };
    this.#accounts = new NameTable(coveredOnly(source.coveredAccounts));
  }

  async load(items: readonly StatementItem[]): Promise<void> {
    const names = new Names(this.#words);
    for (const item of items) names.add(item);
    await Promise.all([
      this.#accounts.load(this.#work, this.#scope, names.accounts),
      this.#depositories.load(this.#work, this.#scope, names.depositories),
      this.#instruments.load(this.#work, this.#scope, names.instruments),
    ]);
    await this.#loadDepositoryAccounts(names);
    if (this.#source.mode === 'book') await this.#keepInstruments(this.#instruments.distinct(names.instruments));
  }

  async #loadDepositoryAccounts({ depositories }: Names): Promise<void> {
    const found = [...depositories].map((name) => this.#depositories.get(name));
    const defaults = this.#source.depository ? [this.#source.depository] : [];
    const ids = [...found.flatMap((one) => (one.outcome === 'found' ? [one.id] : [])), ...defaults];
    const unknown = [...new Set(ids)].filter((id) => !this.#depositoryAccounts.has(id));
    if (unknown.length === 0) return;
    for (const id of unknown) this.#depositoryAccounts.set(id, []);
    for (const accounts of await this.#work.store.importNames.listDepositoryAccounts(unknown)) {
      this.#depositoryAccounts.get(accounts.depository)?.push(accounts);
    }
  }

  /** Creates what is missing, if the import says so, and keeps what the custodian's own words for what is known mean. */
  async #keepInstruments(distinct: readonly NamedInstrument[]): Promise<void> {
    const absent = distinct.filter((one) => this.#instruments.get(one).outcome === 'missing');
    if (this.#source.createsInstruments === true && absent.length > 0) await this.#createInstruments(absent);
    const words = distinct.flatMap((named): LearnedName[] => {
      const resolution = this.#instruments.get(named);
      if (resolution.outcome !== 'found') return [];
      const { id, isByWord = false } = resolution;
      return isByWord || named.custodianCode !== undefined ? [{ named, id, isByWord }] : [];
    });
    await this.#learn(words);
    for (const { named, id, isByWord } of words) if (isByWord) this.#instruments.set(named, { outcome: 'found', id });
  }

  async #createInstruments(absent: readonly NamedInstrument[]): Promise<void> {
    const outcomes = await createMissingInstruments(this.#work, absent, {
      scope: this.#scope,
      created: async (made) => {
        for (const { id } of made) this.#created.add(id);
        append(this.#creations, await recordCreatedInstruments(this.#work, [...new Set(made.map(({ id }) => id))]));
        await this.#learn(made.map((one) => ({ ...one, isByWord: true })));
      },
    });
    for (const [named, outcome] of outcomes) {
      if (outcome instanceof Refusal) this.#creationRefusals.set(JSON.stringify(named), outcome);
      else this.#instruments.set(named, outcome);
    }
  }

  async #learn(names: readonly LearnedName[]): Promise<void> {
    const learned = names.filter(({ named, id }) => this.#isSaidOnce(named, id));
    if (learned.length > 0) append(this.#creations, await learnInstruments(this.#work, this.#scope, learned));
  }

  /** Of a code that an import uses for two instruments, the first is kept: each time it comes, it changes nothing. */
  #isSaidOnce({ custodianCode }: NamedInstrument, id: Id): boolean {
    if (custodianCode === undefined) return true;
    const first = this.#codes.get(custodianCode) ?? id;
    this.#codes.set(custodianCode, first);
    return first === id;
  }

  /** What was created and learned since it was last asked for. */
  takeCreations(): ImportCreation[] {
    return this.#creations.splice(0);
  }

  /** A file that names none means the default; one that names an account nobody has never does. */
  account(item: StatementItem): Named {
    const { account: named } = item;
    const currency = rowCurrencyOf(item);
    if (named === undefined) return this.#source.account ?? this.#accountOf(this.#source.depository, currency);
    const found = idOf(this.#accounts.get(this.#words.in(named, currency)));
    if (!isUnresolved(found) || found.outcome === 'ambiguous') return found;
    const depository = this.#depositories.get(named);
    if (depository.outcome !== 'found') return found;
    return this.#accountOf(depository.id, currency) ?? this.#source.account ?? severalAccounts;
  }

  /**
   * The only account of a depository, or the only one of its accounts that is in this currency. A feed reaches it only where its authority
   * covers it.
   */
  #accountOf(depository: Id | null | undefined, currency: string | undefined): Id | OutOfReach | null {
    const all = depository == null ? [] : (this.#depositoryAccounts.get(depository) ?? []);
    const meant = all.length < 2 ? all : all.filter((one) => one.currency === currency);
    const [first] = meant;
    if (first === undefined || first.count > 1 || meant.length > 1) return null;
    const covered = this.#source.coveredAccounts;
    return covered === undefined || covered.has(first.account) ? first.account : notLinked;
  }

  /** The depository that units are kept in: the one that is named, apart from the account or as the account, or the default. */
  depository(named: NamedAccount | undefined, account: NamedAccount | undefined): Named {
    if (named !== undefined) return this.#withinReach(idOf(this.#depositories.get(named)));
    const asAccount = account === undefined ? missing : this.#depositories.get(account);
    if (asAccount.outcome === 'found') return this.#withinReach(asAccount.id);
    return account === undefined ? (this.#source.depository ?? null) : null;
  }

  /** A feed states positions only of depositories that its authority covers, or that settle through accounts which it covers. */
  #withinReach(depository: Exclude<Named, null>): Exclude<Named, null> {
    const { coveredAccounts, coveredDepositories } = this.#source;
    if (coveredAccounts === undefined || isUnresolved(depository)) return depository;
    if (coveredDepositories?.has(depository) === true) return depository;
    const accounts = this.#depositoryAccounts.get(depository) ?? [];
    // Of several accounts in a currency, only one is named here.
    const isReached = accounts.some(({ account, count }) => count > 1 || coveredAccounts.has(account));
    return isReached ? depository : notLinked;
  }

  /** The account of the other leg of an exchange. */
  counterAccount(entry: StatementEntry): Named {
    const named = isExchange(entry.kind) ? otherLegOf(entry) : undefined;
    return named === undefined ? null : idOf(this.#accounts.get(this.#words.in(named, entry.counterCurrency)));
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
