// All that a client's figures are made of, put together for the engine: kept as long as nothing of it has changed, and made anew
// from what has not. Results are not kept. Knows no report.

import { hash } from 'node:crypto';
import type { Day } from '../../kit/day.ts';
import type { Id } from '../../kit/id.ts';
import type { History } from '../../engine/history.ts';
import type { Ledger } from '../../engine/ledger.ts';
import { convertedAmount, type ExchangeRates } from '../../engine/exchange-rates.ts';
import type { HistoricalHolding } from '../../model/historical-holding.ts';
import type { LedgerStand } from '../../store/ledger-columns.ts';
import type { Remembered } from '../../store/ledger-memory.ts';
import type { LivePiece } from '../../store/ledger-piece.ts';
import type { SnapshotStore } from '../../store/store.ts';
import type { LotTerms } from '../ledger-details.ts';
import { builtLedger, changedLedger, idsOfRows, unexplainedRows, type UnexplainedRow } from '../ledger-of-accounts.ts';
import type { Work } from '../work.ts';
import { ClassLookup } from './class-lookup.ts';
import { listClasses, listInstruments, now, readStructure } from './client-inputs.ts';
import { historyOf, type Inputs } from './client-history.ts';
import type { ClientStructure } from './client-structure.ts';
import { MarketMemory, ratesOf, seriesOf, type KnownInstrument, type KnownRates } from './market-memory.ts';

export interface ClientBooks {
  readonly structure: ClientStructure;
  readonly history: History;
  readonly instruments: ReadonlyMap<string, KnownInstrument>;
  readonly classes: ClassLookup;
  /** In the order in which the history has them. */
  readonly uploads: readonly HistoricalHolding[];
  /** The last day that anything is known of. */
  readonly latestDay: Day;
  /** Another one whenever anything else is known. */
  readonly ledgerVersion: string;
  /** The ids of transactions by their booking numbers. */
  idsOf(numbers: Iterable<number>): ReadonlyMap<number, Id>;
  /** Those with money that nothing stated explains. */
  listUnexplained(): readonly UnexplainedRow[];
}

/** Rates in place of those that are known. */
export type RatesInstead = (known: ExchangeRates) => ExchangeRates;

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

/** As they are known now. Undefined where there is no such client. With other rates they are made anew, and not kept. */
export async function findBooks(
  work: SnapshotWork,
  client: Id,
  instead?: RatesInstead,
): Promise<ClientBooks | undefined> {
  const { store, house } = work;
  const { memory } = house;
  const [structure, classes] = await Promise.all([readStructure(store, client, now), listClasses(store, now)]);
  if (structure === undefined) return undefined;
  const market = new MarketMemory(store, memory);
  const { workspaceId, environment } = store.reach;
  const key = `${workspaceId} ${environment} books ${client}`;
  const kept = instead === undefined ? memory.find<KeptBooks>(key) : undefined;
  const [view, uploadVersion, knownRates] = await Promise.all([
    store.ledgerColumns(memory).of([...structure.accounts.keys()] as Id[]),
    store.uploads.version(client),
    market.rates(),
  ]);
  const uploads =
    kept?.uploads.version === uploadVersion ? kept.uploads.list : await readUploads(store, structure, undefined);
  const instruments = await market.listInstruments(instrumentIds(view.pieces, uploads));
  const rates = withOther(knownRates, instead);
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
  if (instead === undefined) memory.put(key, made);
  return booksOf(inputs, made);
}

function withOther(known: KnownRates, instead: RatesInstead | undefined): KnownRates {
  return instead === undefined ? known : { ...known, rates: instead(known.rates) };
}

/** As they were known at a moment: read anew each time. */
export async function findBooksKnownAt(
  { store, house }: SnapshotWork,
  client: Id,
  { knownAt, instead }: { readonly knownAt: number; readonly instead?: RatesInstead | undefined },
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
  const rates = withOther({ ...ratesOf(rateColumns), number: 0 }, instead);
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
  { structure, classes, pieces, uploads, instruments }: Inputs,
  { history, latestDay, fingerprint }: Pick<KeptBooks, 'history' | 'latestDay' | 'fingerprint'>,
): ClientBooks {
  return {
    structure,
    history,
    instruments,
    uploads,
    classes: new ClassLookup(classes, (id) => instruments.get(id)?.instrument.instrumentClass ?? null),
    latestDay,
    ledgerVersion: hash('sha256', fingerprint, 'base64url').slice(0, 22),
    idsOf: (numbers) => idsOfRows(pieces, numbers),
    listUnexplained: () => unexplainedRows(pieces),
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
