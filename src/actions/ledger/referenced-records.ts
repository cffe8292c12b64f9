// Locks and reads every record that transactions name, with one statement per table. What is locked once is not read again.

import { defined } from '../../kit/assert.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { toFixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { account as accountResource, type Account } from '../../model/structure/account.ts';
import type { Client } from '../../model/structure/client.ts';
import { depository as depositoryResource } from '../../model/structure/depository.ts';
import { instrument as instrumentResource, isIndexLinked, type Instrument } from '../../model/instrument/instrument.ts';
import { lotTransaction, type SpecifiedLots } from '../../model/ledger/transaction-value.ts';
import type { IndexRatio } from '../../engine/instruments/accrued-interest.ts';
import { listAccountingMethods, listClassTerms, type ClassTerms } from '../../store/ledger/booking-terms.ts';
import { listIndexFactors, type IndexDay } from '../../store/series/index-factors.ts';
import type { ReferencedTransaction, ReversibleTransaction } from '../../store/ledger/ledger-reader.ts';
import { isManualSale, type TransactionContext, type TransactionInput } from './transaction-input.ts';
import type { OwnerLookup } from '../core/reference.ts';
import type { Work } from '../core/work.ts';

type IdField = 'account' | 'counterAccount' | 'depository' | 'counterDepository' | 'instrument' | 'targetInstrument';

/** The ids in these fields that are not known yet, each once. */
function unknownIds(
  input: readonly TransactionInput[],
  fields: readonly IdField[],
  known: { has(id: Id): boolean },
): Id[] {
  const unknown = new Set<Id>();
  for (const field of fields) {
    for (const one of input) {
      const id = one[field];
      if (id != null && !known.has(id)) unknown.add(id);
    }
  }
  return [...unknown];
}

function setAll<V>(into: Map<Id, V>, found: Iterable<readonly [Id, V]>): void {
  for (const [id, value] of found) into.set(id, value);
}

const noDays: readonly IndexDay[] = [];
const dayKey = ({ instrument, date }: IndexDay): string => `${instrument} ${date}`;

export class ReferencedRecords {
  readonly #work: Work;
  readonly #clients = {
    account: new Map<Id, Id | null>(),
    depository: new Map<Id, Id | null>(),
    instrument: new Map<Id, Id | null>(),
  };
  readonly #currencies = new Map<Id, string>();
  readonly #instruments = new Map<Id, Instrument>();
  readonly #classes = new Map<Id, ClassTerms>();
  readonly #methods = new Map<Id, Client['accountingMethod']>();
  readonly #factors = new Map<string, Decimal | undefined>();
  /** Only those of the last load: others may change. */
  #transactions: ReadonlyMap<Id, ReferencedTransaction> = new Map();
  #reversible: ReadonlyMap<Id, ReversibleTransaction> = new Map();

  constructor(work: Work) {
    this.#work = work;
  }

  /** Locks and reads in one batch what these name, and index factors in another if there are any. */
  async load(input: readonly TransactionInput[]): Promise<void> {
    await Promise.all([
      this.#loadAccounts(unknownIds(input, ['account', 'counterAccount'], this.#currencies)),
      this.#loadDepositories(unknownIds(input, ['depository', 'counterDepository'], this.#clients.depository)),
      this.#loadInstruments(unknownIds(input, ['instrument', 'targetInstrument'], this.#instruments)),
      this.#loadMethods(unknownIds(input.filter(isManualSale), ['account'], this.#methods)),
      this.#loadTransactions(input),
      this.#loadReversible(input),
    ]);
    await this.#loadFactors(input);
  }

  async #loadAccounts(ids: readonly Id[]): Promise<void> {
    if (ids.length === 0) return;
    const found = (await this.#work.store.table(accountResource).lockReferencedRecords(ids)) as readonly Account[];
    for (const { id, client, ccyCode } of found) {
      this.#clients.account.set(id, client);
      this.#currencies.set(id, ccyCode);
    }
  }

  async #loadDepositories(ids: readonly Id[]): Promise<void> {
    if (ids.length === 0) return;
    const found = await this.#work.store.table(depositoryResource).lockReferenced(ids);
    for (const { id, client } of found) this.#clients.depository.set(id, client);
  }

  async #loadInstruments(ids: readonly Id[]): Promise<void> {
    if (ids.length === 0) return;
    const { store } = this.#work;
    const [found, classes] = await Promise.all([
      store.table(instrumentResource).lockReferencedRecords(ids) as Promise<Instrument[]>,
      listClassTerms(store, ids),
    ]);
    for (const instrument of found) {
      this.#clients.instrument.set(instrument.id, instrument.client);
      this.#instruments.set(instrument.id, instrument);
    }
    setAll(this.#classes, classes);
  }

  async #loadMethods(accounts: readonly Id[]): Promise<void> {
    setAll(this.#methods, await listAccountingMethods(this.#work.store, accounts));
  }

  async #loadTransactions(input: readonly TransactionInput[]): Promise<void> {
    const ids = new Set<Id>();
    for (const { lots, trade } of input) {
      for (const { id } of (lots ?? []) as SpecifiedLots) {
        const opening = lotTransaction(id);
        if (opening !== undefined) ids.add(opening);
      }
      if (trade != null) ids.add(trade);
    }
    const rows = ids.size === 0 ? [] : await this.#work.store.ledger.listReferenced([...ids]);
    this.#transactions = new Map(rows.map((row) => [row.id, row]));
  }

  async #loadReversible(input: readonly TransactionInput[]): Promise<void> {
    const ids = new Set<Id>();
    for (const { reversesTransaction } of input) if (reversesTransaction != null) ids.add(reversesTransaction);
    const rows = ids.size === 0 ? [] : await this.#work.store.ledger.listReversible([...ids]);
    this.#reversible = new Map(rows.map((row) => [row.id, row]));
  }

  async #loadFactors(input: readonly TransactionInput[]): Promise<void> {
    const unknown = new Map<string, IndexDay>();
    for (const { instrument, date } of input) {
      for (const day of this.#indexDaysOf(instrument, date))
        if (!this.#factors.has(dayKey(day))) unknown.set(dayKey(day), day);
    }
    const factors = await listIndexFactors(this.#work.store, [...unknown.values()]);
    [...unknown.keys()].forEach((key, index) => this.#factors.set(key, factors[index]));
  }

  /** The days whose factors an index-linked bond needs: without a base factor of its own, also its dated day. */
  #indexDaysOf(id: Id | null | undefined, date: CalendarDate): readonly IndexDay[] {
    const bond = id == null ? undefined : this.#instruments.get(id);
    if (bond === undefined || !isIndexLinked(bond)) return noDays;
    const { id: instrument, baseFactor, datedDate } = bond;
    const base = baseFactor === null && datedDate !== null ? [{ instrument, date: datedDate }] : [];
    return [{ instrument, date }, ...base];
  }

  readonly owners: OwnerLookup = (type) => this.#clients[type as 'account'];

  /** Returns what is known about the records that one transaction names. */
  contextFor(
    client: Id | null,
    { account, counterAccount, instrument: id, targetInstrument, date }: TransactionInput,
  ): TransactionContext {
    const instrument = this.#instrumentOf(id);
    return {
      client,
      accountCurrency:
        account == null ? null : defined(this.#currencies.get(account), 'every named account was loaded'),
      counterAccountCurrency:
        counterAccount == null ? null : defined(this.#currencies.get(counterAccount), 'every named account was loaded'),
      instrument,
      targetInstrument: this.#instrumentOf(targetInstrument),
      index: instrument === null ? undefined : this.#indexRatioOf(instrument, date),
      instrumentClass: (id != null && this.#classes.get(id)) || null,
      accountingMethod: (account != null && this.#methods.get(account)) || null,
    };
  }

  #instrumentOf(id: Id | null | undefined): Instrument | null {
    return id == null ? null : defined(this.#instruments.get(id), 'every named instrument was loaded');
  }

  #indexRatioOf(bond: Instrument, date: CalendarDate): IndexRatio | undefined {
    const [day, dated] = this.#indexDaysOf(bond.id, date);
    const factor = day && this.#factors.get(dayKey(day));
    const base = bond.baseFactor ?? (dated && this.#factors.get(dayKey(dated)));
    return factor === undefined || base === undefined
      ? undefined
      : { factor: toFixed(factor), baseFactor: toFixed(base) };
  }

  /** Finds a transaction that one of the last load names. */
  findTransaction(id: Id): ReferencedTransaction | undefined {
    return this.#transactions.get(id);
  }

  /** Finds a transaction that one of the last load reverses, also one that was deleted. */
  findReversible(id: Id): ReversibleTransaction | undefined {
    return this.#reversible.get(id);
  }

  instrumentType(id: Id | null): string | null {
    return this.#instrumentOf(id)?.type ?? null;
  }
}
