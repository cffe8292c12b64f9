// All that a client's figures are made of, put together for the engine: kept as long as nothing of it has changed, and made anew
// from what has not. Results are not kept. Knows no report.

import { hash } from 'node:crypto';
import type { Day } from '../../kit/day.ts';
import { toDayNumber } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import type { Facts, Upload } from '../../engine/facts.ts';
import { History } from '../../engine/history.ts';
import type { Ledger } from '../../engine/ledger.ts';
import { usualStaleness } from '../../engine/valuation.ts';
import { convertedAmount, type Currency } from '../../engine/exchange-rates.ts';
import type { HistoricalHolding } from '../../model/historical-holding.ts';
import type { LedgerStand } from '../../store/ledger-columns.ts';
import type { Remembered } from '../../store/ledger-memory.ts';
import type { LivePiece } from '../../store/ledger-piece.ts';
import type { SnapshotStore } from '../../store/store.ts';
import type { LotTerms } from '../ledger-details.ts';
import { builtLedger, changedLedger, idsOfRows } from '../ledger-of-accounts.ts';
import { uploadOf } from '../upload-facts.ts';
import type { Work } from '../work.ts';
import { ClassLookup, type ClassNode } from './class-lookup.ts';
import { listClasses, listInstruments, now, readStructure } from './client-inputs.ts';
import type { ClientStructure } from './client-structure.ts';
import { instrumentFactsOf } from './instrument-facts.ts';
import { MarketMemory, ratesOf, seriesOf, type KnownInstrument, type KnownRates } from './market-memory.ts';

export interface ClientBooks {
  readonly structure: ClientStructure;
  readonly history: History;
  readonly instruments: ReadonlyMap<string, KnownInstrument>;
  readonly classes: ClassLookup;
  /** The last day that anything is known of. */
  readonly latestDay: Day;
  /** Another one whenever anything else is known. */
  readonly ledgerVersion: string;
  /** The ids of transactions by their booking numbers. */
  idsOf(numbers: Iterable<number>): ReadonlyMap<number, Id>;
}

/** What the books are made of. */
interface Inputs {
  readonly structure: ClientStructure;
  readonly classes: readonly ClassNode[];
  readonly pieces: readonly LivePiece[];
  readonly uploads: readonly HistoricalHolding[];
  readonly instruments: ReadonlyMap<string, KnownInstrument>;
  readonly rates: KnownRates;
}

/** Books as they are kept, with the numbers that all of it had. */
interface KeptBooks extends Remembered {
  readonly stand: LedgerStand;
  readonly ledger: Ledger;
  /** The number of the rates that costs in the ledger were made with; none where none were. */
  readonly costsAt: number | null;
  readonly uploads: { readonly version: number; readonly list: readonly HistoricalHolding[] };
  readonly fingerprint: string;
  readonly history: History;
  readonly latestDay: Day;
}

type SnapshotWork = Work & { readonly store: SnapshotStore };

/** Categories of fees that are paid for advice: what a gross return adds back. */
const advisoryCategories: ReadonlySet<string> = new Set(['advisory', 'management', 'performance']);

/** As they are known now. Undefined where there is no such client. */
export async function findBooks(work: SnapshotWork, client: Id): Promise<ClientBooks | undefined> {
  const { store, house } = work;
  const { memory } = house;
  const [structure, classes] = await Promise.all([readStructure(store, client, now), listClasses(store, now)]);
  if (structure === undefined) return undefined;
  const market = new MarketMemory(store, memory);
  const { workspaceId, environment } = store.reach;
  const key = `${workspaceId} ${environment} books ${client}`;
  const kept = memory.find<KeptBooks>(key);
  const [view, uploadVersion, rates] = await Promise.all([
    store.ledgerColumns(memory).of([...structure.accounts.keys()] as Id[]),
    store.uploads.version(client),
    market.rates(),
  ]);
  const uploads =
    kept?.uploads.version === uploadVersion ? kept.uploads.list : await readUploads(store, structure, undefined);
  const instruments = await market.listInstruments(instrumentIds(view.pieces, uploads));
  const inputs: Inputs = { structure, classes, pieces: view.pieces, uploads, instruments, rates };
  const fingerprint = fingerprintOf(inputs, uploadVersion, view.stand);
  if (kept?.fingerprint === fingerprint) return booksOf(inputs, kept);
  const changes = kept === undefined ? undefined : view.findChanges(kept.stand);
  const isFit = kept !== undefined && changes !== undefined && (kept.costsAt ?? rates.number) === rates.number;
  const terms = new CostTerms(inputs);
  const ledger = isFit ? changedLedger(kept.ledger, changes, terms) : builtLedger(view.pieces, terms);
  const made: KeptBooks = {
    version: 0,
    bytes: ledger.bytes() * 2,
    stand: view.stand,
    ledger,
    costsAt: terms.wasAsked || (isFit && kept.costsAt !== null) ? rates.number : null,
    uploads: { version: uploadVersion, list: uploads },
    fingerprint,
    ...historyOf(inputs, ledger),
  };
  memory.put(key, made);
  return booksOf(inputs, made);
}

/** As they were known at a moment: read anew each time. */
export async function findBooksKnownAt(
  { store, house }: SnapshotWork,
  client: Id,
  knownAt: number,
): Promise<ClientBooks | undefined> {
  const [structure, classes, rateColumns] = await Promise.all([
    readStructure(store, client, knownAt),
    listClasses(store, knownAt),
    store.seriesColumns.listRates({ knownAt }),
  ]);
  if (structure === undefined) return undefined;
  const [{ pieces }, uploads] = await Promise.all([
    store.ledgerColumns(house.memory).knownAt([...structure.accounts.keys()] as Id[], knownAt),
    readUploads(store, structure, knownAt),
  ]);
  const ids = instrumentIds(pieces, uploads);
  const [found, columns] = await Promise.all([
    listInstruments(store, ids, knownAt),
    store.seriesColumns.listSeries(ids, { knownAt }),
  ]);
  const series = seriesOf(columns);
  const instruments = new Map<string, KnownInstrument>(
    found.map((instrument) => [instrument.id, { instrument, series: series.get(instrument.id) ?? {}, numbers: '' }]),
  );
  const rates: KnownRates = { ...ratesOf(rateColumns), number: 0 };
  const inputs: Inputs = { structure, classes, pieces, uploads, instruments, rates };
  const fingerprint = `known at ${new Date(knownAt).toISOString()}`;
  return booksOf(inputs, { fingerprint, ...historyOf(inputs, builtLedger(pieces, new CostTerms(inputs))) });
}

function readUploads(
  store: SnapshotStore,
  { accounts, depositories }: ClientStructure,
  knownAt: number | undefined,
): Promise<HistoricalHolding[]> {
  return store.uploads.listOf({
    accounts: [...accounts.keys()] as Id[],
    depositories: [...depositories] as Id[],
    knownAt,
  });
}

/** Everything that a row or an upload names, in the order of ids. */
function instrumentIds(pieces: readonly LivePiece[], uploads: readonly HistoricalHolding[]): Id[] {
  const ids = new Set<string>();
  for (const { rows } of pieces) {
    for (const name of rows.instrument.names) ids.add(name);
    for (const { target } of rows.details.values()) if (target !== undefined) ids.add(target);
  }
  for (const { instrument } of uploads) if (instrument !== null) ids.add(instrument);
  return [...ids].toSorted() as Id[];
}

function fingerprintOf(inputs: Inputs, uploadVersion: number, stand: LedgerStand): string {
  const { structure, classes, instruments, rates } = inputs;
  const { client, accounts, portfolios, depositories, reportingEntities } = structure;
  return JSON.stringify([
    client,
    [...accounts],
    [...depositories],
    [...reportingEntities],
    [...portfolios].map(([id, { reportingEntity, ...places }]) => [
      id,
      reportingEntity,
      [...places.accounts],
      [...places.depositories],
    ]),
    classes,
    [...stand],
    uploadVersion,
    rates.number,
    [...instruments].map(([id, { numbers }]) => [id, numbers]),
  ]);
}

function booksOf(
  { structure, classes, pieces, instruments }: Inputs,
  { history, latestDay, fingerprint }: Pick<KeptBooks, 'history' | 'latestDay' | 'fingerprint'>,
): ClientBooks {
  return {
    structure,
    history,
    instruments,
    classes: new ClassLookup(classes, (id) => instruments.get(id)?.instrument.instrumentClass ?? null),
    latestDay,
    ledgerVersion: hash('sha256', fingerprint, 'base64url').slice(0, 22),
    idsOf: (numbers) => idsOfRows(pieces, numbers),
  };
}

/** What units from outside cost in the reference currency, at the rate of the day they were acquired. */
class CostTerms implements LotTerms {
  readonly #inputs: Inputs;
  wasAsked = false;

  constructor(inputs: Inputs) {
    this.#inputs = inputs;
  }

  referenceCost(cost: bigint, { instrument, acquired }: { instrument: string; acquired: Day }): bigint {
    const { rates, structure, instruments } = this.#inputs;
    this.wasAsked = true;
    const known = instruments.get(instrument)?.instrument;
    const to = structure.client.referenceCurrency;
    const from = known?.ccyCode ?? known?.listingCurrency ?? to;
    return convertedAmount(cost, rates.rates.get({ from, to, day: acquired }));
  }
}

function historyOf(inputs: Inputs, ledger: Ledger): { history: History; latestDay: Day } {
  const { structure, uploads, instruments, rates } = inputs;
  const { referenceCurrency, accountingMethod } = structure.client;
  const facts: Facts = {
    ledger,
    uploads: uploads.map(uploadOf),
    accounts: structure.accounts,
    instruments: engineInstruments(inputs, ledger),
    rates: rates.rates,
    settings: {
      referenceCurrency,
      method: accountingMethod,
      longAfter: { unit: 'years', count: 1 },
      staleness: usualStaleness,
      advisoryCategories,
    },
  };
  return {
    history: new History(facts),
    latestDay: latestDayOf(ledger, facts.uploads, [...instruments.values()], rates),
  };
}

function engineInstruments({ classes, instruments, structure }: Inputs, ledger: Ledger): Facts['instruments'] {
  const stalenessByClass = new Map<string, number>(classes.map(({ id, stalenessDays }) => [id, stalenessDays]));
  const traded = tradedCurrencies(instruments, ledger);
  return new Map(
    [...instruments].map(([id, { instrument, series }]) => {
      const currency = traded.get(id) ?? structure.client.referenceCurrency;
      const stalenessDays = stalenessByClass.get(instrument.instrumentClass ?? '') ?? null;
      return [id, instrumentFactsOf(instrument, { series, currency, stalenessDays })];
    }),
  );
}

/** Of instruments whose terms name no currency: what they were first paid in. */
function tradedCurrencies(instruments: Inputs['instruments'], ledger: Ledger): ReadonlyMap<string, Currency> {
  const open = new Set(
    [...instruments].flatMap(([id, { instrument }]) =>
      instrument.ccyCode === null && instrument.listingCurrency === null ? [id] : [],
    ),
  );
  const currencies = new Map<string, Currency>();
  if (open.size === 0) return currencies;
  for (const { instrument, currency } of ledger.transactions()) {
    if (instrument === null || !open.delete(instrument)) continue;
    currencies.set(instrument, currency);
    if (open.size === 0) break;
  }
  return currencies;
}

function latestDayOf(
  ledger: Ledger,
  uploads: readonly Upload[],
  instruments: readonly KnownInstrument[],
  { lastDay }: KnownRates,
): Day {
  let last = Math.max(lastDay, ledger.chunks.at(-1)?.day.at(-1) ?? -Infinity);
  for (const { day } of uploads) last = Math.max(last, day);
  for (const { series } of instruments) {
    for (const { days } of Object.values(series)) last = Math.max(last, days.at(-1) ?? -Infinity);
  }
  return last === -Infinity ? toDayNumber('1970-01-01' as Parameters<typeof toDayNumber>[0]) : last;
}
