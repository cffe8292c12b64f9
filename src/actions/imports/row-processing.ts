// Decides and books the rows of an import, a batch at a time: names first, then entries, prices, rates, positions and instruments,
// each by its own rules.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import { defined } from '../../kit/assert.ts';
import { mapInSlices } from '../../kit/event-loop.ts';
import type { Id } from '../../kit/id.ts';
import type { ImportWarning } from '../../model/custody/import.ts';
import type {
  StatedInstrument,
  StatedPrice,
  StatedRate,
  StatementBalance,
  StatementEntry,
  StatementPosition,
} from '../../model/custody/statement.ts';
import type { RowResult, RowSource, StoredImportRow } from '../../store/imports/import-rows.ts';
import {
  checkStatedHoldings,
  recordStatedHoldings,
  toStatedHolding,
  type ResolvedPlace,
} from '../reconciliation/stated-holding.ts';
import type { Work } from '../core/work.ts';
import { EntryBooking, UnsentWrites } from './entry-booking.ts';
import type { ImportSource } from './import-source.ts';
import { lacksInstrument } from './entry-input.ts';
import { isUnresolved, NamedRecords, rowCurrencyOf, type Named } from './named-records.ts';
import { UnknownWords } from './unknown-words.ts';
import { waitsForInstrument, waitsForPlace, waitsForType, waitsForUnnamedInstrument } from './waiting-reasons.ts';
import { WordMeanings } from './names/word-meanings.ts';
import { OpeningBalances } from './opening-balances.ts';
import { PointBooking, type PriceRow } from './point-booking.ts';
import { CashWithoutTrades } from './cash-without-trades.ts';
import { prepareEntry, type PreparedEntry } from './prepared-entry.ts';
import { done, refusedFor, waitsFor } from './row-result.ts';

const pendingReason = {
  code: 'pending',
  detail: 'It is pending: the custodian has not booked it. It is booked when a statement says that it is.',
};
export const reconciliationReason = {
  code: 'for-reconciliation',
  detail: 'It is compared with the ledger and books nothing.',
};

const noAccounts: ReadonlySet<Id> = new Set();
/** How many doubtful rows are decided together. */
const settledRowsMax = 2_000;

type RowOf<T> = RowSource & { readonly stated: T };

interface ProcessedImport {
  readonly importId: Id;
  /** Whether it was booked before. */
  readonly isAgain: boolean;
}

/** Rows whose names are known, with the results of those that cannot be booked. */
interface PreparedRows {
  readonly rows: readonly RowSource[];
  readonly entries: ReadonlyMap<PreparedEntry, RowSource>;
  readonly results: Map<RowSource, RowResult>;
}

export class RowProcessing {
  readonly #work: Work;
  readonly #source: ImportSource;
  readonly #importId: Id;
  readonly #names: NamedRecords;
  readonly #words: WordMeanings;
  readonly #unknownWords = new UnknownWords();
  readonly #entries: EntryBooking | undefined;
  readonly #points: PointBooking;
  readonly #unsent = new UnsentWrites();
  readonly #openings = new OpeningBalances();
  readonly #alone = new CashWithoutTrades();

  constructor(work: Work, source: ImportSource, { importId, isAgain }: ProcessedImport) {
    const { mode, client, format } = source;
    this.#work = work;
    this.#source = source;
    this.#importId = importId;
    this.#names = new NamedRecords(work, source);
    this.#words = new WordMeanings(work, { client: source.client, custodian: source.custodian ?? null });
    this.#points = new PointBooking(work, { mode, importId });
    this.#entries =
      client === null ? undefined : new EntryBooking(work, { mode, client, importId, format, isAgain }, this.#unsent);
    if (mode === 'book') this.#entries?.lock();
  }

  async process(rows: readonly RowSource[]): Promise<(RowSource & RowResult)[]> {
    return this.book(await this.prepare(rows));
  }

  /** Finds the records that rows name, and what their entries would book. May go on while the rows before are booked. */
  async prepare(rows: readonly RowSource[]): Promise<PreparedRows> {
    await this.#words.load(rows.map(({ stated }) => stated));
    const decided = new Map(rows.map((row) => [row, this.#decided(row.stated)]));
    await this.#names.load([...decided.values()]);
    await this.#keepCreations();
    const results = new Map<RowSource, RowResult>();
    const entries = new Map<PreparedEntry, RowSource>();
    const stated = rows.filter((row): row is RowOf<StatementEntry> => row.stated.item === 'entry');
    await mapInSlices(stated, (row) => {
      const entry = defined(decided.get(row), 'each row is decided') as StatementEntry;
      const ready = this.#prepare(entry, row);
      if ('outcome' in ready) results.set(row, ready);
      else entries.set(ready, row);
    });
    return { rows, entries, results };
  }

  /** What is written may still be under way when it returns, or be sent with the next batch. */
  async book({ rows, entries, results }: PreparedRows): Promise<(RowSource & RowResult)[]> {
    const others = rows.filter(({ stated }) => stated.item !== 'entry');
    const ofKind = <T extends RowSource['stated']>(item: T['item']): RowOf<T>[] =>
      others.filter((row): row is RowOf<T> => row.stated.item === item);
    if (entries.size === 0) await this.#unsent.sendInTurn();
    await this.#bookEntries(entries, results);
    await this.#bookPrices(ofKind<StatedPrice>('price'), results);
    await this.#bookRates(ofKind<StatedRate>('fx-rate'), results);
    await this.#recordPositions(ofKind<StatementPosition>('position'), results);
    for (const row of ofKind<StatedInstrument>('instrument')) results.set(row, this.#instrumentResult(row.stated));
    for (const row of others) if (row.stated.item === 'problem') results.set(row, problemResult(row.stated));
    const outcomes = rows.map((row) => ({ ...row, ...defined(results.get(row), 'every row has a result') }));
    // Rows that wait for the end of the file are counted then.
    if (this.#source.mode === 'book') this.#count(outcomes.filter(({ needs }) => needs !== 'decision'));
    return outcomes;
  }

  /** Balances that come with the rows: call it before these are booked. */
  noteBalance(balance: StatementBalance): void {
    this.#entries?.noteBalance(balance);
  }

  /**
   * Decides about rows that need a decision, once the file is read: by then, balances say what the statements cover, and which known entries the
   * other rows stand for. `warnings` say which statements of the import do not add up.
   */
  async settle(warnings: readonly ImportWarning[]): Promise<void> {
    if (this.#entries?.hasDoubts !== true) return;
    await this.#unsent.sendInTurn();
    const { importRows } = this.#work.store;
    for (let after = 0; ;) {
      const outcomes = ['needs'] as const;
      const rows = await importRows.list({
        importId: this.#importId,
        outcomes,
        needs: 'decision',
        after,
        limit: settledRowsMax,
      });
      const last = rows.at(-1);
      if (last === undefined) return;
      const { entries, results } = await this.prepare(rows.map(toSource));
      for (const [prepared, result] of await this.#entries.settle([...entries.keys()], warnings))
        results.set(defined(entries.get(prepared), 'each entry has its row'), result);
      const settled = [...results].map(([row, result]) => ({ ...row, ...result }));
      if (this.#source.mode === 'book') this.#count(settled);
      this.#unsent.send();
      await importRows.update(this.#importId, settled);
      after = last.number;
    }
  }

  #count(rows: readonly (RowSource & RowResult)[]): void {
    this.#alone.add(rows);
    const { figures } = this.#work.context;
    for (const [outcome, same] of Map.groupBy(rows, (row) => row.outcome))
      figures.add(`import-rows/${outcome}`, same.length);
  }

  async #keepCreations(): Promise<void> {
    const { store } = this.#work;
    await store.importCreations.insert(this.#importId, this.#source.client, this.#names.takeCreations());
  }

  async #bookEntries(
    prepared: ReadonlyMap<PreparedEntry, RowSource>,
    results: Map<RowSource, RowResult>,
  ): Promise<void> {
    if (this.#entries === undefined || prepared.size === 0) return;
    for (const [one, result] of await this.#entries.book([...prepared.keys()])) {
      results.set(defined(prepared.get(one), 'each entry has its row'), result);
    }
  }

  /** An entry as a person has said what its word means. */
  #decided(stated: RowSource['stated']): RowSource['stated'] {
    return stated.item === 'entry' ? this.#words.decide(stated) : stated;
  }

  #prepare(entry: StatementEntry, { ordinal, decided }: RowSource): PreparedEntry | RowResult {
    if (entry.status === 'pending') return done('unchanged', null, pendingReason);
    const account = this.#names.account(entry);
    if (this.#entries === undefined || account === null || isUnresolved(account)) {
      return waitsForPlace('account', entry.account, account, rowCurrencyOf(entry));
    }
    if (entry.byWord?.isKnown === false) {
      this.#unknownWords.add(entry);
      return { ...waitsForType(entry, { isAmbiguous: this.#words.isAmbiguous(entry) }), account };
    }
    const depository = entry.quantity === undefined ? null : this.#names.depository(entry.depository, entry.account);
    if (isUnresolved(depository)) return { ...waitsForPlace('depository', entry.depository, depository), account };
    for (const named of [entry.instrument, entry.targetInstrument]) {
      const found = this.#names.instrument(named);
      if (named !== undefined && isUnresolved(found)) {
        return { ...waitsForInstrument(named, found, this.#names.creationRefusal(named)), account };
      }
    }
    if (traitsOfKind(entry.kind).units === 'converted' && entry.action === undefined) {
      const what = entry.typeWord === undefined ? '' : ` ("${entry.typeWord.slice(0, 100)}")`;
      const detail = `The file does not say which corporate action it is${what}. Book it by hand, or with a mapping.`;
      return { ...waitsFor('classification', { code: 'unclassified', detail }), account };
    }
    const counterAccount = this.#names.counterAccount(entry);
    if (isUnresolved(counterAccount) && counterAccount.outcome === 'ambiguous') {
      const named = entry.counterAccount ?? entry.account;
      return { ...waitsForPlace('account', named, counterAccount, entry.counterCurrency), account };
    }
    if (lacksInstrument(entry)) return { ...waitsForUnnamedInstrument(entry), account };
    const records = {
      account,
      depository,
      instrument: idOrNull(this.#names.instrument(entry.instrument)),
      targetInstrument: idOrNull(this.#names.instrument(entry.targetInstrument)),
      counterAccount: idOrNull(counterAccount),
    };
    return prepareEntry(entry, records, { ordinal, decided });
  }

  async #bookPrices(rows: readonly RowOf<StatedPrice>[], results: Map<RowSource, RowResult>): Promise<void> {
    const prices: PriceRow[] = [];
    for (const row of rows) {
      const { stated: item } = row;
      const instrument = this.#names.instrument(item.instrument);
      if (typeof instrument === 'string') prices.push({ item, instrument });
      else
        results.set(row, waitsForInstrument(item.instrument, instrument, this.#names.creationRefusal(item.instrument)));
    }
    setAll(rows, await this.#points.bookPrices(prices), results);
  }

  async #bookRates(rows: readonly RowOf<StatedRate>[], results: Map<RowSource, RowResult>): Promise<void> {
    const booked = await this.#points.bookRates(rows.map(({ stated }) => stated));
    setAll(rows, booked, results);
  }

  async #recordPositions(rows: readonly RowOf<StatementPosition>[], results: Map<RowSource, RowResult>): Promise<void> {
    const ready = rows.flatMap((row) => {
      const place = this.#placeOf(row.stated);
      if (place === undefined) {
        results.set(row, this.#waitsForPositionPlace(row.stated));
        return [];
      }
      const target = { type: 'stated-position', id: null } as const;
      results.set(row, { ...done('unchanged', target, reconciliationReason), account: place.account });
      return [toStatedHolding(row.stated, place)];
    });
    await this.#recordHoldings(ready);
  }

  /** A depository that exists and is out of reach says more than that there is no account of its number. */
  #waitsForPositionPlace(position: StatementPosition): RowResult {
    const { account } = position;
    const depository = this.#names.depository(undefined, account);
    if (isUnresolved(depository) && depository.outcome === 'not-linked')
      return waitsForPlace('depository', account, depository);
    return waitsForPlace('account', account, this.#names.account(position), rowCurrencyOf(position));
  }

  /** Closing balances are compared with the ledger as positions are; those of accounts that nobody has are left out. `except` are accounts whose balances are recorded. */
  async recordBalances(balances: readonly StatementBalance[], except: ReadonlySet<Id> = noAccounts): Promise<void> {
    await this.#names.load(balances);
    await this.#keepCreations();
    const ready = balances.flatMap((balance) => {
      const place = this.#placeOf(balance);
      if (place?.account != null && except.has(place.account)) return [];
      if (balance.moment === 'opening' && place?.account != null) this.#openings.add(place.account, balance);
      return balance.moment === 'opening' || place?.account == null ? [] : [toStatedHolding(balance, place)];
    });
    await this.#recordHoldings(ready);
  }

  async #recordHoldings(holdings: Parameters<typeof recordStatedHoldings>[2]): Promise<void> {
    if (holdings.length === 0) return;
    const record = this.#source.mode === 'check' ? checkStatedHoldings : recordStatedHoldings;
    await record(this.#work, { importId: this.#importId }, holdings);
  }

  #placeOf(item: StatementPosition | StatementBalance): ResolvedPlace | undefined {
    const { client } = this.#source;
    const depository = item.item === 'position' ? idOrNull(this.#names.depository(undefined, item.account)) : null;
    const account = idOrNull(this.#names.account(item));
    if (client === null || (account === null && depository === null)) return undefined;
    const instrument = item.item === 'position' ? idOrNull(this.#names.instrument(item.instrument)) : null;
    return { client, account, depository, instrument };
  }

  #instrumentResult({ instrument }: StatedInstrument): RowResult {
    const found = this.#names.instrument(instrument);
    const refusal = this.#names.creationRefusal(instrument);
    if (typeof found !== 'string') return waitsForInstrument(instrument, found, refusal);
    const outcome = this.#names.wasCreated(found) ? 'booked' : 'unchanged';
    return done(outcome, { type: 'instrument', id: found });
  }

  /** The words that nobody knows, and the parts of amounts that nothing explains. */
  listRowWarnings(): ImportWarning[] {
    return [...this.#unknownWords.listWarnings(), ...(this.#entries?.listWarnings() ?? [])];
  }

  /** Refuses to book the cash of accounts whose trades wait: their balances would be those of nobody. */
  refuseCashAlone(): void {
    this.#alone.refuse();
  }

  /** What the ledger lacks before the first statements of accounts. */
  listOpeningWarnings(): Promise<ImportWarning[]> {
    return this.#openings.listWarnings(this.#work);
  }

  /** Sends what `send` sends together with what the batch has booked. */
  sendWithBatch(send: () => Promise<void>): void {
    this.#unsent.add(send);
  }

  /** Writes what is left, and what is written once for all batches: counters, audit lines, dirty flags. */
  finish(): void {
    this.#unsent.send();
    this.#entries?.finish();
    if (this.#source.mode === 'book') this.#points.finish();
  }
}

/** A stored row, to be decided again. */
export function toSource({ number, ordinal, stated, decision, target }: StoredImportRow): RowSource {
  return {
    number,
    ordinal,
    stated,
    decided: decision === null ? undefined : { decision, candidate: target?.id ?? null },
  };
}

function idOrNull(named: Named): Id | null {
  return typeof named === 'string' ? named : null;
}

function problemResult({
  detail,
  needs,
  isNotAvailable,
}: Extract<RowSource['stated'], { item: 'problem' }>): RowResult {
  if (isNotAvailable) return done('unchanged', null, { code: 'not-available', detail });
  if (needs !== undefined)
    return waitsFor(needs, { code: needs === 'mapping' ? 'unmapped' : 'date-order-unknown', detail });
  return refusedFor({ code: 'unreadable', detail });
}

function setAll<T>(
  rows: readonly (RowSource & { readonly stated: T })[],
  booked: ReadonlyMap<T, RowResult>,
  results: Map<RowSource, RowResult>,
): void {
  for (const row of rows) {
    const result = booked.get(row.stated);
    if (result !== undefined) results.set(row, result);
  }
}
