// Reads everything a client's figures are computed from: as known now, reading only what has changed since, or as known at a past
// moment.

import type { Id } from '../../../kit/id.ts';
import type { HistoricalHolding } from '../../../model/ledger/historical-holding.ts';
import {
  inputsVersionQuery,
  findInputsVersion,
  type InputsVersionQuery,
  type InputsVersion,
} from '../../../store/report-inputs/inputs-version.ts';
import type { LedgerColumnsView } from '../../../store/ledger/ledger-columns.ts';
import { instrumentNames, type LiveBlock } from '../../../store/ledger/ledger-block.ts';
import type { SnapshotStore } from '../../../store/store.ts';
import { markRead, type Work } from '../../core/work.ts';
import type { LoadedInputs } from './build-history.ts';
import { listClasses, listInstruments, endOfTime, readStructure } from './read-client.ts';
import type { ClientStructure } from './client-structure.ts';
import { readSharedClasses } from './shared-classes.ts';
import {
  MarketDataCache,
  toExchangeRates,
  toSeriesByInstrument,
  type VersionedInstrument,
} from './market-data-cache.ts';

export type InputsSnapshotWork = Work & { readonly store: SnapshotStore };

/** What was read, and its versions. */
export interface VersionedInputs {
  readonly inputs: LoadedInputs;
  readonly versionQuery: InputsVersionQuery;
  readonly inputsVersion: InputsVersion;
}

export interface FreshlyReadInputs extends VersionedInputs {
  readonly view: LedgerColumnsView;
  /** The cache keys of what the inputs share with other clients. */
  readonly sharedKeys: readonly string[];
}

/** What was read earlier, and the versions by now. */
interface PreviousInputs extends VersionedInputs {
  readonly currentVersion: InputsVersion;
}

/** As known now. Undefined if there is no such client. */
export async function readInputs(
  work: InputsSnapshotWork,
  client: Id,
  previous: PreviousInputs | undefined,
): Promise<FreshlyReadInputs | undefined> {
  const { store, context } = work;
  const memory = context.ledgerCache;
  /** What was read before, if these parts have not changed since. */
  const unchanged = (...parts: (keyof InputsVersion)[]): PreviousInputs | undefined =>
    previous && parts.every((part) => previous.inputsVersion[part] === previous.currentVersion[part])
      ? previous
      : undefined;
  const marketData = new MarketDataCache(store, memory);
  const [structure, classes] = await Promise.all([
    unchanged('structure')?.inputs.structure ?? readStructure(store, client, endOfTime),
    unchanged('classes')?.inputs.classes ?? readSharedClasses(store, memory),
  ]);
  if (structure === undefined) return undefined;
  if (previous === undefined) markRead(work);
  const accounts = [...structure.accounts.keys()] as Id[];
  const ledgerColumns = store.ledgerColumns(memory);
  const [view, uploads, rates] = await Promise.all([
    ledgerColumns.read(accounts),
    unchanged('structure', 'uploads')?.inputs.uploads ?? readUploads(store, structure, undefined),
    unchanged('rates')?.inputs.rates ?? marketData.rates(),
  ]);
  const ids = instrumentIds(view.blocks, uploads);
  const versionQuery = inputsVersionQuery(client, { accounts, instruments: ids });
  const hasSameInstruments = previous?.versionQuery.instruments === versionQuery.instruments;
  const [instruments, inputsVersion] = await Promise.all([
    (hasSameInstruments && unchanged('instruments')?.inputs.instruments) || marketData.listInstruments(ids),
    (hasSameInstruments && unchanged('structure')?.currentVersion) || findInputsVersion(store, versionQuery),
  ]);
  if (inputsVersion === undefined) return undefined;
  const inputs: LoadedInputs = { structure, classes, pieces: view.blocks, uploads, instruments, rates };
  return {
    inputs,
    versionQuery,
    inputsVersion,
    view,
    sharedKeys: marketData.cacheKeys(ids),
  };
}

/**
 * As known at a past moment, with the versions by now: as long as these are the same, nothing was written that could have been known then,
 * since whatever is written raises one of them.
 */
export async function readVersionedInputsKnownAt(
  work: InputsSnapshotWork,
  client: Id,
  knownAt: number,
): Promise<VersionedInputs | undefined> {
  const inputs = await readInputsKnownAt(work, client, knownAt);
  if (inputs === undefined) return undefined;
  const accounts = [...inputs.structure.accounts.keys()] as Id[];
  const instruments = instrumentIds(inputs.pieces, inputs.uploads);
  const versionQuery = inputsVersionQuery(client, { accounts, instruments });
  const inputsVersion = await findInputsVersion(work.store, versionQuery);
  return inputsVersion && { inputs, versionQuery, inputsVersion };
}

/** As known at a past moment: read anew each time. */
export async function readInputsKnownAt(
  { store, context }: InputsSnapshotWork,
  client: Id,
  knownAt: number,
): Promise<LoadedInputs | undefined> {
  const [structure, classes, rateColumns] = await Promise.all([
    readStructure(store, client, knownAt),
    listClasses(store, knownAt),
    store.seriesColumns.listRates({ knownAt }),
  ]);
  if (structure === undefined) return undefined;
  const [{ blocks: pieces }, uploads] = await Promise.all([
    store.ledgerColumns(context.ledgerCache).readKnownAt([...structure.accounts.keys()] as Id[], knownAt),
    readUploads(store, structure, knownAt),
  ]);
  const ids = instrumentIds(pieces, uploads);
  const [found, columns] = await Promise.all([
    listInstruments(store, ids, knownAt),
    store.seriesColumns.listSeries(ids, { knownAt }),
  ]);
  const series = toSeriesByInstrument(columns);
  const instruments = new Map<string, VersionedInstrument>(
    found.map((instrument) => [instrument.id, { instrument, series: series.get(instrument.id) ?? {}, versions: '' }]),
  );
  return { structure, classes, pieces, uploads, instruments, rates: { ...toExchangeRates(rateColumns), version: 0 } };
}

function readUploads(
  store: SnapshotStore,
  { accounts, depositories }: ClientStructure,
  knownAt: number | undefined,
): Promise<HistoricalHolding[]> {
  return store.uploads.listByLocation({
    accounts: [...accounts.keys()] as Id[],
    depositories: [...depositories] as Id[],
    knownAt,
  });
}

/** All instruments that a row or an upload names, in the order of ids. */
function instrumentIds(pieces: readonly LiveBlock[], uploads: readonly HistoricalHolding[]): Id[] {
  const ids = new Set<string>();
  for (const piece of pieces) for (const name of instrumentNames(piece)) ids.add(name);
  for (const { instrument } of uploads) if (instrument !== null) ids.add(instrument);
  return [...ids].toSorted() as Id[];
}
