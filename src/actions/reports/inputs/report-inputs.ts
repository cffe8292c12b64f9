// Assembles all inputs of a client's figures for the engine. Caches them while nothing changes, and rebuilds only what changed.
// Does not cache results.

import type { Day } from '../../../kit/day.ts';
import type { Id } from '../../../kit/id.ts';
import type { History } from '../../../engine/history/history.ts';
import type { Ledger } from '../../../engine/ledger/ledger.ts';
import type { CostGap } from '../../../engine/lots/cost-gap.ts';
import { convertedAmount, MissingConversion, type ExchangeRates } from '../../../engine/currencies/exchange-rates.ts';
import type { HistoricalHolding } from '../../../model/ledger/historical-holding.ts';
import {
  findInputsVersion,
  isSameInputsVersion,
  type InputsVersion,
} from '../../../store/report-inputs/inputs-version.ts';
import type { LedgerVersionVector } from '../../../store/ledger/ledger-columns.ts';
import { clientGroup, type CacheEntry } from '../../../store/ledger/ledger-cache.ts';
import type { Store } from '../../../store/store.ts';
import type { LotTerms } from '../../ledger/engine-details.ts';
import {
  buildEngineLedger,
  updateEngineLedger,
  transactionIds,
  listUnexplainedRows,
  type UnexplainedRow,
} from '../../ledger/engine-ledger.ts';
import { markRead, openTurn, type Work } from '../../core/work.ts';
import type { Pieces } from '../../../kit/turns/pieces.ts';
import {
  readInputs,
  readInputsKnownAt,
  type FreshlyReadInputs,
  type VersionedInputs,
  type InputsSnapshotWork,
} from './read-inputs.ts';
import { copyLater } from './ledger-copying.ts';
import { digest } from './digest.ts';
import { inputsBytes } from './inputs-bytes.ts';
import { inputsDigest } from './inputs-digest.ts';
import { ClassLookup } from './class-lookup.ts';
import { classesDigest } from './shared-classes.ts';
import { buildHistory, type LoadedInputs } from './build-history.ts';
import type { ClientStructure } from './client-structure.ts';
import type { VersionedInstrument } from './market-data-cache.ts';

export interface ReportInputs {
  readonly structure: ClientStructure;
  readonly history: History;
  readonly instruments: ReadonlyMap<string, VersionedInstrument>;
  readonly classes: ClassLookup;
  /** The reporting entity that each private instrument belongs to. */
  readonly privateTo: ReadonlyMap<string, Id>;
  /** In the order of the history. */
  readonly uploads: readonly HistoricalHolding[];
  /** Changes whenever any input changes; the same inputs have the same version, as known now or at a past moment. */
  readonly ledgerVersion: string;
  /** Finds the ids of transactions by their booking numbers. */
  findTransactionIds(numbers: Iterable<number>): ReadonlyMap<number, Id>;
  /** Transactions with an amount that their stated fields do not explain. */
  listUnexplained(): readonly UnexplainedRow[];
}

/** Replaces the known exchange rates. */
export type ReplaceRates = (known: ExchangeRates) => ExchangeRates;

/** Cached inputs, with the versions that they were built from. */
interface CachedInputs extends CacheEntry, VersionedInputs {
  readonly ledger: Ledger;
  readonly ledgerVersions: LedgerVersionVector;
  /** The version of the rates that lot costs in the ledger were converted with; null when none were converted. */
  readonly costRatesVersion: number | null;
  readonly fingerprint: string;
  readonly reportInputs: ReportInputs;
}

/** Also the name of the group of what is cached for the client. */
function inputsCacheKey({ scope }: Store, client: Id): string {
  return clientGroup(scope, client);
}

/** Cached inputs, and a check with one statement of whether they are current within the caller's scope. */
export interface InputsToCheck {
  readonly reportInputs: ReportInputs;
  check(): Promise<InputsCheck>;
}

export interface InputsCheck {
  readonly areCurrent: boolean;
  /** Undefined where the caller cannot see the client. */
  readonly currentVersion: InputsVersion | undefined;
}

export function findCachedInputs(work: Work, client: Id): InputsToCheck | undefined {
  const { store, context } = work;
  const cached = context.ledgerCache.find<CachedInputs>(inputsCacheKey(store, client));
  if (cached === undefined) return undefined;
  const check = async (): Promise<InputsCheck> => {
    const currentVersion = await findInputsVersion(store, cached.versionQuery);
    markRead(work);
    return { currentVersion, areCurrent: isSameVersion(currentVersion, cached) };
  };
  return { reportInputs: cached.reportInputs, check };
}

/** The cached inputs as they were read, with their versions. */
export function findCachedVersions({ store, context }: Work, client: Id): VersionedInputs | undefined {
  return context.ledgerCache.find<CachedInputs>(inputsCacheKey(store, client));
}

function isSameVersion(current: InputsVersion | undefined, known: VersionedInputs | undefined): boolean {
  return current !== undefined && known !== undefined && isSameInputsVersion(current, known.inputsVersion);
}

export interface InputsOptions<Ahead extends VersionedInputs> {
  readonly replaceRates?: ReplaceRates | undefined;
  /** What a replica had of them shortly before: used as far as it is current. */
  readonly ahead?: Ahead | undefined;
}

/** Finds the inputs as known now. Undefined when there is no such client. With replaced rates they are rebuilt and not cached. */
export async function findReportInputs(
  work: InputsSnapshotWork,
  client: Id,
  { replaceRates, ahead }: InputsOptions<FreshlyReadInputs> = {},
): Promise<ReportInputs | undefined> {
  const { store, context } = work;
  const key = inputsCacheKey(store, client);
  const cached = context.ledgerCache.find<CachedInputs>(key);
  const known = ahead ?? cached;
  const currentVersion = known && (await findInputsVersion(store, known.versionQuery));
  if (known !== undefined) markRead(work);
  const isCurrent = isSameVersion(currentVersion, known);
  if (ahead !== undefined) countAhead(work, isCurrent);
  else if (replaceRates === undefined && cached && isCurrent) return cached.reportInputs;
  const previous = known && currentVersion && { ...known, currentVersion };
  const fresh = ahead !== undefined && isCurrent ? ahead : await readInputs(work, client, previous);
  if (fresh === undefined) return undefined;
  const turn = openTurn(work, rowCount(fresh.inputs));
  if (replaceRates !== undefined) return turn.run(buildReportInputs(fresh.inputs, replaceRates));
  const updated = await turn.run(updateCachedInputs(fresh, cached));
  context.ledgerCache.put(key, updated, { uses: fresh.sharedKeys });
  fresh.view.cacheAgain();
  copyLater(work, fresh.view.uncopied);
  return updated.reportInputs;
}

function rowCount({ pieces }: LoadedInputs): number {
  return pieces.reduce((count, { rows }) => count + rows.length, 0);
}

function* updateCachedInputs(fresh: FreshlyReadInputs, cached: CachedInputs | undefined): Pieces<CachedInputs> {
  const { inputs, view, versionQuery, inputsVersion } = fresh;
  const fingerprint = inputsFingerprint(fresh);
  if (cached?.fingerprint === fingerprint) {
    return {
      ...cached,
      inputs,
      versionQuery,
      inputsVersion,
      reportInputs: assembleReportInputs(inputs, cached.reportInputs),
    };
  }
  const { rates } = inputs;
  const changes = cached && view.findChanges(cached.ledgerVersions);
  const isReusable =
    cached !== undefined && changes !== undefined && (cached.costRatesVersion ?? rates.version) === rates.version;
  const terms = new ReferenceCostTerms(inputs);
  yield;
  const ledger = isReusable
    ? updateEngineLedger(cached.ledger, changes, terms)
    : yield* buildEngineLedger(inputs.pieces, terms);
  yield;
  const ledgerVersion = yield* inputsDigest(inputs);
  const history = buildHistory(inputs, ledger);
  yield* history.preparePieces();
  return {
    version: 0,
    bytes: inputsBytes(inputs, ledger),
    inputs,
    versionQuery,
    inputsVersion,
    ledger,
    ledgerVersions: view.versions,
    costRatesVersion: terms.wasUsed || (isReusable && cached.costRatesVersion !== null) ? rates.version : null,
    fingerprint,
    reportInputs: assembleReportInputs(inputs, { ledgerVersion, history }),
  };
}

function countAhead({ context }: Work, isCurrent: boolean): void {
  context.figures.add(isCurrent ? 'replica/current' : 'replica/behind');
}

/** Finds the inputs as known at a moment. Always reads them from the database. */
export async function findReportInputsKnownAt(
  work: InputsSnapshotWork,
  client: Id,
  { knownAt, replaceRates, ahead }: InputsOptions<VersionedInputs> & { readonly knownAt: number },
): Promise<ReportInputs | undefined> {
  const isCurrent = isSameVersion(ahead && (await findInputsVersion(work.store, ahead.versionQuery)), ahead);
  if (ahead !== undefined) countAhead(work, isCurrent);
  const inputs = isCurrent ? ahead?.inputs : await readInputsKnownAt(work, client, knownAt);
  if (inputs === undefined) return undefined;
  return openTurn(work, rowCount(inputs)).run(buildReportInputs(inputs, replaceRates));
}

function withReplacedRates(inputs: LoadedInputs, replaceRates: ReplaceRates): LoadedInputs {
  return { ...inputs, rates: { ...inputs.rates, rates: replaceRates(inputs.rates.rates) } };
}

/** With replaced rates nothing is prepared: only what the report needs may ask for a rate. */
function* buildReportInputs(read: LoadedInputs, replaceRates: ReplaceRates | undefined): Pieces<ReportInputs> {
  const inputs = replaceRates === undefined ? read : withReplacedRates(read, replaceRates);
  yield;
  const ledgerVersion = yield* inputsDigest(inputs);
  const ledger = yield* buildEngineLedger(inputs.pieces, new ReferenceCostTerms(inputs));
  yield;
  const history = buildHistory(inputs, ledger);
  if (replaceRates === undefined) yield* history.preparePieces();
  return assembleReportInputs(inputs, { ledgerVersion, history });
}

/** Differs whenever something was written, also where the inputs are the same as before. Faster than comparing these. */
function inputsFingerprint({ inputs, inputsVersion, view }: FreshlyReadInputs): string {
  const { structure, classes, instruments, rates } = inputs;
  const { client, accounts, portfolios, depositories, reportingEntities } = structure;
  const parts = [
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
    classesDigest(classes),
    [...view.versions],
    Number(inputsVersion.uploads),
    rates.version,
    [...instruments].map(([id, { versions: numbers }]) => [id, numbers]),
  ];
  return digest(JSON.stringify(parts));
}

function assembleReportInputs(
  { structure, classes, pieces, uploads, instruments }: LoadedInputs,
  { history, ledgerVersion }: Pick<ReportInputs, 'history' | 'ledgerVersion'>,
): ReportInputs {
  return {
    structure,
    history,
    instruments,
    uploads,
    classes: new ClassLookup(classes, (id) => instruments.get(id)?.instrument),
    privateTo: new Map(
      [...instruments].flatMap(([id, { instrument }]) =>
        instrument.reportingEntity === null ? [] : [[id, instrument.reportingEntity]],
      ),
    ),
    ledgerVersion,
    findTransactionIds: (numbers) => transactionIds(pieces, numbers),
    listUnexplained: () => listUnexplainedRows(pieces),
  };
}

/** Converts the cost of units delivered from outside into the reference currency, at the rate of their acquisition day. */
class ReferenceCostTerms implements LotTerms {
  readonly #inputs: LoadedInputs;
  wasUsed = false;

  constructor(inputs: LoadedInputs) {
    this.#inputs = inputs;
  }

  referenceCost(cost: bigint, { instrument, acquired }: { instrument: string; acquired: Day }): bigint | CostGap {
    const { rates, structure, instruments } = this.#inputs;
    this.wasUsed = true;
    const known = instruments.get(instrument)?.instrument;
    const to = structure.client.referenceCurrency;
    const from = known?.ccyCode ?? known?.listingCurrency ?? to;
    const conversion = rates.rates.get({ from, to, day: acquired });
    if (cost !== 0n && conversion instanceof MissingConversion) return { conversion, lacks: 'reference-cost' };
    return convertedAmount(cost, conversion);
  }
}
