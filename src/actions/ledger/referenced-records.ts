// Everything that asked transactions name: held until the work is done, and read with one statement for each table, however many
// name it. What is held once is not asked for again. Knows no rule.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { toFixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { account as accountResource, type Account } from '../../model/structure/account.ts';
import type { Client } from '../../model/structure/client.ts';
import { depository as depositoryResource } from '../../model/structure/depository.ts';
import { instrument as instrumentResource, type Instrument } from '../../model/instrument/instrument.ts';
import { lotNameOf, type NamedLots } from '../../model/ledger/transaction-value.ts';
import type { IndexRatio } from '../../engine/instruments/accrued-interest.ts';
import { listAccountingMethods, listClassTerms, type ClassTerms } from '../../store/ledger/booking-terms.ts';
import { listIndexFactors, type IndexDay } from '../../store/series/index-factors.ts';
import type { NamedRow } from '../../store/ledger/ledger-reader.ts';
import { isHandSale, type AskedContext, type AskedTransaction } from './transaction-input.ts';
import type { Held } from '../core/reference.ts';
import type { Work } from '../core/work.ts';

type Ids = readonly (Id | null | undefined)[];

/** Those of the ids that are not known yet, each once. */
function unknownAmong(ids: Ids, known: { has(id: Id): boolean }): Id[] {
  return [...new Set(ids.filter((id): id is Id => id != null && !known.has(id)))];
}

function putAll<V>(into: Map<Id, V>, found: Iterable<readonly [Id, V]>): void {
  for (const [id, value] of found) into.set(id, value);
}

const dayKey = ({ instrument, date }: IndexDay): string => `${instrument} ${date}`;

export class NamedThings {
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
  /** Of the last transactions alone: others may change. */
  #rows: ReadonlyMap<Id, NamedRow> = new Map();

  constructor(work: Work) {
    this.#work = work;
  }

  /** Holds and reads what these name, on one trip, and the factors of indices on another where there are any. */
  async take(asked: readonly AskedTransaction[]): Promise<void> {
    await Promise.all([
      this.#takeAccounts(asked.flatMap(({ account, counterAccount }) => [account, counterAccount])),
      this.#takeDepositories(asked.flatMap(({ depository, counterDepository }) => [depository, counterDepository])),
      this.#takeInstruments(asked.flatMap(({ instrument, targetInstrument }) => [instrument, targetInstrument])),
      this.#takeMethods(asked.filter(isHandSale).map(({ account }) => account)),
      this.#takeRows(asked),
    ]);
    await this.#takeFactors(asked);
  }

  async #takeAccounts(named: Ids): Promise<void> {
    const ids = unknownAmong(named, this.#currencies);
    if (ids.length === 0) return;
    const found = (await this.#work.store.table(accountResource).holdRecords(ids)) as readonly Account[];
    for (const { id, client, ccyCode } of found) {
      this.#clients.account.set(id, client);
      this.#currencies.set(id, ccyCode);
    }
  }

  async #takeDepositories(named: Ids): Promise<void> {
    const ids = unknownAmong(named, this.#clients.depository);
    if (ids.length === 0) return;
    const found = await this.#work.store.table(depositoryResource).hold(ids);
    for (const { id, client } of found) this.#clients.depository.set(id, client);
  }

  async #takeInstruments(named: Ids): Promise<void> {
    const ids = unknownAmong(named, this.#instruments);
    if (ids.length === 0) return;
    const { store } = this.#work;
    const [found, classes] = await Promise.all([
      store.table(instrumentResource).holdRecords(ids) as Promise<Instrument[]>,
      listClassTerms(store, ids),
    ]);
    for (const instrument of found) {
      this.#clients.instrument.set(instrument.id, instrument.client);
      this.#instruments.set(instrument.id, instrument);
    }
    putAll(this.#classes, classes);
  }

  async #takeMethods(named: Ids): Promise<void> {
    putAll(this.#methods, await listAccountingMethods(this.#work.store, unknownAmong(named, this.#methods)));
  }

  async #takeRows(asked: readonly AskedTransaction[]): Promise<void> {
    const lots = asked.flatMap((one) => ((one.lots ?? []) as NamedLots).map(({ id }) => lotNameOf(id).transaction));
    const ids = unknownAmong([...lots, ...asked.map(({ trade }) => trade)], new Set<Id>());
    const rows = ids.length === 0 ? [] : await this.#work.store.ledger.listNamed(ids);
    this.#rows = new Map(rows.map((row) => [row.id, row]));
  }

  async #takeFactors(asked: readonly AskedTransaction[]): Promise<void> {
    const days = asked.flatMap(({ instrument, date }) => this.#indexDaysOf(instrument, date));
    const unknown = new Map(days.filter((day) => !this.#factors.has(dayKey(day))).map((day) => [dayKey(day), day]));
    const factors = await listIndexFactors(this.#work.store, [...unknown.values()]);
    [...unknown.keys()].forEach((key, index) => this.#factors.set(key, factors[index]));
  }

  /** The days whose factors an index-linked bond is counted by: without a base of its own, also the day it is dated. */
  #indexDaysOf(id: Id | null | undefined, date: CalendarDate): readonly IndexDay[] {
    const bond = id == null ? undefined : this.#instruments.get(id);
    if (bond?.type !== 'index-linked-bond-instrument') return [];
    const { id: instrument, baseFactor, datedDate } = bond;
    const base = baseFactor === null && datedDate !== null ? [{ instrument, date: datedDate }] : [];
    return [{ instrument, date }, ...base];
  }

  /** Whose those are that are there. */
  readonly held: Held = (type) => this.#clients[type as 'account'];

  /** What is known of the things that one of them names, of whose account, or instrument, this is the client. */
  contextOf(client: Id | null, { account, counterAccount, instrument: id, date }: AskedTransaction): AskedContext {
    const instrument = id == null ? null : this.#instruments.get(id)!;
    return {
      client,
      accountCurrency: account == null ? null : this.#currencies.get(account)!,
      counterAccountCurrency: counterAccount == null ? null : this.#currencies.get(counterAccount)!,
      instrument,
      index: instrument === null ? undefined : this.#indexRatioOf(instrument, date),
      instrumentClass: (id != null && this.#classes.get(id)) || null,
      accountingMethod: (account != null && this.#methods.get(account)) || null,
    };
  }

  #indexRatioOf(bond: Instrument, date: CalendarDate): IndexRatio | undefined {
    const [day, dated] = this.#indexDaysOf(bond.id, date);
    const factor = day && this.#factors.get(dayKey(day));
    const base = bond.baseFactor ?? (dated && this.#factors.get(dayKey(dated)));
    return factor === undefined || base === undefined
      ? undefined
      : { factor: toFixed(factor), baseFactor: toFixed(base) };
  }

  /** A transaction that one of the last names. */
  findRow(id: Id): NamedRow | undefined {
    return this.#rows.get(id);
  }

  typeOf(id: Id | null): string | null {
    return id === null ? null : this.#instruments.get(id)!.type;
  }
}
