// Reads all that a client's books are made of: as it is known now, where only what has changed since an earlier reading is read
// again, or as it was known at a moment. Knows no history.

import type { Id } from '../../../kit/id.ts';
import type { HistoricalHolding } from '../../../model/ledger/historical-holding.ts';
import {
  booksAsked,
  findBooksStand,
  type BooksAsked,
  type BooksStand,
} from '../../../store/report-inputs/inputs-version.ts';
import type { LedgerColumnsView } from '../../../store/ledger/ledger-columns.ts';
import type { LivePiece } from '../../../store/ledger/ledger-block.ts';
import type { SnapshotStore } from '../../../store/store.ts';
import type { Work } from '../../core/work.ts';
import type { Inputs } from './build-history.ts';
import { listClasses, listInstruments, now, readStructure } from './read-client.ts';
import type { ClientStructure } from './client-structure.ts';
import { MarketMemory, ratesOf, seriesOf, type KnownInstrument } from './market-data-cache.ts';

export type SnapshotWork = Work & { readonly store: SnapshotStore };

/** What was read, and how far all of it had come. */
export interface ReadInputs {
  readonly inputs: Inputs;
  readonly asked: BooksAsked;
  readonly stand: BooksStand;
}

export interface FreshInputs extends ReadInputs {
  readonly view: LedgerColumnsView;
  /** What the memory has all of it under, part by part. */
  readonly keys: readonly string[];
}

/** What was read earlier, and how far the same has come by now. */
export interface EarlierInputs extends ReadInputs {
  readonly standNow: BooksStand;
}

/** As it is known now. Undefined where there is no such client. */
export async function readInputs(
  { store, house: { memory } }: SnapshotWork,
  client: Id,
  earlier: EarlierInputs | undefined,
): Promise<FreshInputs | undefined> {
  const { inputs: known, asked: askedThen, standNow } = earlier ?? {};
  const isSame = (part: keyof BooksStand): boolean => earlier !== undefined && earlier.stand[part] === standNow![part];
  const market = new MarketMemory(store, memory);
  const [structure, classes] = await Promise.all([
    isSame('structure') ? known!.structure : readStructure(store, client, now),
    isSame('classes') ? known!.classes : listClasses(store, now),
  ]);
  if (structure === undefined) return undefined;
  const accounts = [...structure.accounts.keys()] as Id[];
  const ledgers = store.ledgerColumns(memory);
  const [view, uploads, rates] = await Promise.all([
    ledgers.of(accounts),
    isSame('structure') && isSame('uploads') ? known!.uploads : readUploads(store, structure, undefined),
    isSame('rates') ? known!.rates : market.rates(),
  ]);
  const ids = instrumentIds(view.pieces, uploads);
  const asked = booksAsked(client, { accounts, instruments: ids });
  const areSameIds = askedThen?.instruments === asked.instruments;
  const [instruments, stand] = await Promise.all([
    areSameIds && isSame('instruments') ? known!.instruments : market.listInstruments(ids),
    areSameIds && isSame('structure') ? standNow! : findBooksStand(store, asked),
  ]);
  if (stand === undefined) return undefined;
  const inputs: Inputs = { structure, classes, pieces: view.pieces, uploads, instruments, rates };
  return { inputs, asked, stand, view, keys: [...ledgers.keysOf(view.stand), ...market.keysOf(ids)] };
}

/** As it was known at a moment: read anew each time. */
export async function readInputsKnownAt(
  { store, house }: SnapshotWork,
  client: Id,
  knownAt: number,
): Promise<Inputs | undefined> {
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
  return { structure, classes, pieces, uploads, instruments, rates: { ...ratesOf(rateColumns), number: 0 } };
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
