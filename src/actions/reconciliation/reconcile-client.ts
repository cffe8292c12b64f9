// Reconciles a client: the latest statement of each of its places against the ledger, with the same rules as reports, and the breaks
// that follow.

import { fromDayNumber, parseCalendarDate, type CalendarDate } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { fixedText, toFixed, type Fixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { MissingRateError } from '../../engine/currencies/exchange-rates.ts';
import { RateGapRecorder } from '../../engine/currencies/rate-gap-recorder.ts';
import {
  agreesWith,
  classify,
  compareStatement,
  type Classification,
  type ComparedLine,
  type Tolerance,
} from '../../engine/reconciliation/reconcile.ts';
import { wholeSettings, type ReconciliationSettings } from '../../model/custody/reconciliation-settings.ts';
import { currencies } from '../../model/iso-4217.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import type { FoundBreak } from '../../store/custody/reconciliation-breaks.ts';
import { notFound } from '../core/resource.ts';
import { readInSnapshot, type Work } from '../core/work.ts';
import type { ClientStructure } from '../reports/inputs/client-structure.ts';
import { endOfTime } from '../reports/inputs/read-client.ts';
import {
  findReportInputs,
  findReportInputsKnownAt,
  type ReplaceRates,
  type ReportInputs,
} from '../reports/inputs/report-inputs.ts';
import type { ReportSnapshotWork } from '../reports/report-basis.ts';
import { toStatedLines, unlistedLine, type NamedLine } from './stated-lines.ts';

export interface ReconciliationQuery {
  readonly client: Id;
  /** The latest statements on or before this day; the latest of all when absent. */
  readonly until?: CalendarDate | undefined;
  readonly knownAt?: number | undefined;
}

/** A line of a statement beside the ledger. The class is null where both agree within the tolerance. */
export interface ReconciledLine extends Omit<ComparedLine<NamedLine>, 'positions'> {
  readonly class: Classification['class'] | null;
  readonly transactionIds: readonly Id[];
  /** The first of the statements in a row that show the difference. */
  readonly firstDay: Day;
}

export interface Reconciliation {
  /** Null where nothing is stated. */
  readonly inputs: ReportInputs | null;
  readonly lines: readonly ReconciledLine[];
}

/** Later than any statement. */
const lastDate = parseCalendarDate('2200-12-31');
/** Of how many differences of a client earlier statements are looked at. */
const earlierLookupsMax = 500;

/** The tolerance that the client has set. */
export function toleranceOf(settings: ReconciliationSettings | null | undefined): Tolerance {
  const { unitsTolerance, cashTolerance, priceTolerance, settlementDays } = wholeSettings(settings);
  const minorUnits = toFixed(cashTolerance);
  return {
    units: toFixed(unitsTolerance),
    cash: (currency) => minorUnits / 10n ** BigInt(currencies.get(currency)?.digits ?? 2),
    price: toFixed(priceTolerance),
    settlementDays,
  };
}

/** Reads the statements, and the client's ledger only if there are any. */
export function reconcileClient(work: Work, query: ReconciliationQuery): Promise<Reconciliation> {
  return readInSnapshot(work, (snapshot) => reconcileClientIn(snapshot, query));
}

/** Like `reconcileClient`, within a snapshot that is open. */
export async function reconcileClientIn(work: ReportSnapshotWork, query: ReconciliationQuery): Promise<Reconciliation> {
  try {
    return await reconcile(work, query);
  } catch (error) {
    if (!(error instanceof MissingRateError)) throw error;
    // Rates decide costs and values, and never how much is held.
    return await reconcile(work, query, (known) => new RateGapRecorder(known));
  }
}

async function reconcile(
  work: ReportSnapshotWork,
  query: ReconciliationQuery,
  replaceRates?: ReplaceRates,
): Promise<Reconciliation> {
  const { client, knownAt, until = lastDate } = query;
  const stored = await work.store.custody.statedHoldings.listLatest({ client, knownAt, until });
  if (stored.length === 0) return { inputs: null, lines: [] };
  const inputs = await loadInputs(work, query, replaceRates);
  if (inputs === undefined) throw notFound(clientResource);
  const { structure } = inputs;
  const lines = await toStatedLines(work, { client, structure }, stored);
  const tolerance = await readTolerance(work, query);
  const statements = Map.groupBy(lines, ({ account, depository, kind }) => JSON.stringify([account, depository, kind]));
  const compared = [...statements.values()].flatMap((statement) =>
    compareStatement(inputs.history, { lines: statement, tolerance, unlisted: unlistedLine }),
  );
  const earlier = await listEarlier(work, query, structure, compared);
  const context = { inputs, tolerance, earlier, cashDifferences: cashDifferences(compared) };
  return { inputs, lines: compared.map((line) => reconcileLine(line, context)) };
}

function loadInputs(
  work: ReportSnapshotWork,
  { client, knownAt }: ReconciliationQuery,
  replaceRates: ReplaceRates | undefined,
): Promise<ReportInputs | undefined> {
  return knownAt === undefined
    ? findReportInputs(work, client, { replaceRates })
    : findReportInputsKnownAt(work, client, { knownAt, replaceRates });
}

async function readTolerance(
  { store }: Work,
  { client, knownAt = endOfTime }: ReconciliationQuery,
): Promise<Tolerance> {
  const states = await store.recordVersions(clientResource).listKnownAt({ ids: [client] }, knownAt);
  return toleranceOf(states[0]?.['reconciliation'] as ReconciliationSettings | null | undefined);
}

type EarlierLines = ReadonlyMap<string, readonly NamedLine[]>;

function lineKey({ account, depository, subject }: Pick<NamedLine, 'account' | 'depository' | 'subject'>): string {
  return JSON.stringify([account, depository, subject]);
}

/** What was stated before of the holdings that differ, the latest first. */
async function listEarlier(
  work: Work,
  { client, knownAt }: ReconciliationQuery,
  structure: ClientStructure,
  compared: readonly ComparedLine<NamedLine>[],
): Promise<EarlierLines> {
  const broken = compared.filter(({ isStated, isWithinTolerance }) => isStated && !isWithinTolerance);
  const keys = broken.slice(0, earlierLookupsMax).map(({ stated }) => ({ ...stated, date: fromDayNumber(stated.day) }));
  if (keys.length === 0) return new Map();
  const stored = await work.store.custody.statedHoldings.listEarlier({ client, knownAt }, keys);
  const lines = await toStatedLines(work, { client, structure }, stored);
  return Map.groupBy(
    lines.toSorted((one, other) => other.day - one.day),
    lineKey,
  );
}

/** By account, in the currency of the balance. */
type CashDifferences = ReadonlyMap<
  string,
  { readonly day: Day; readonly currency: string; readonly difference: Fixed }
>;

function cashDifferences(compared: readonly ComparedLine<NamedLine>[]): CashDifferences {
  return new Map(
    compared.flatMap(({ stated, difference, isWithinTolerance }) =>
      stated.kind === 'cash' && stated.account !== null && !isWithinTolerance
        ? [[stated.account, { day: stated.day, currency: stated.currency ?? '', difference }]]
        : [],
    ),
  );
}

interface LineContext {
  readonly inputs: ReportInputs;
  readonly tolerance: Tolerance;
  readonly earlier: EarlierLines;
  readonly cashDifferences: CashDifferences;
}

function reconcileLine(compared: ComparedLine<NamedLine>, context: LineContext): ReconciledLine {
  const { inputs, tolerance, earlier } = context;
  const { positions: _positions, ...rest } = compared;
  const { stated } = compared;
  if (compared.isWithinTolerance) {
    return { ...rest, class: null, transactionIds: [], firstDay: stated.day };
  }
  const before = earlier.get(lineKey(stated)) ?? [];
  const agreed = before.find((one) => agreesWith(inputs.history, compared, one, tolerance));
  const evidence = { agreedOn: agreed?.day, cashDifferences: relatedCash(stated, context) };
  const { class: found, rows } = classify(inputs.history, compared, tolerance, evidence);
  const transactionIds = [...inputs.findTransactionIds(rows).values()];
  const firstDay = before.findLast(({ day }) => day > (agreed?.day ?? -Infinity))?.day ?? stated.day;
  return { ...rest, class: found, transactionIds, firstDay };
}

/** The differences, on the same day, of the accounts that pay for what is held at a place. */
function relatedCash(
  { account, depository, day }: NamedLine,
  { inputs, cashDifferences: differences }: LineContext,
): readonly { currency: string; difference: Fixed }[] {
  return [...differences].flatMap(([id, one]) => {
    const settlesThrough = inputs.structure.accounts.get(id)?.depositories ?? [];
    const isRelated = account === null ? depository !== null && settlesThrough.includes(depository) : id === account;
    return isRelated && one.day === day ? [one] : [];
  });
}

/** The breaks of a reconciliation: differences of quantities, and of prices. */
export function listBreaks({ lines }: Reconciliation): readonly FoundBreak[] {
  return lines.flatMap((line) => [...quantityBreak(line), ...priceBreak(line)]);
}

function breakBase({ stated }: ReconciledLine) {
  const { account, depository, subject, named, currency, day } = stated;
  const instrument = stated.kind === 'cash' ? null : stated.instrument;
  return { account, depository, subject, instrument, named, currency, date: fromDayNumber(day) };
}

function quantityBreak(line: ReconciledLine): readonly FoundBreak[] {
  const { stated, ledgerQuantity, difference, class: found, transactionIds, firstDay } = line;
  if (found === null) return [];
  return [
    {
      ...breakBase(line),
      aspect: stated.kind,
      class: found,
      firstDate: fromDayNumber(firstDay),
      stated: fixedText(stated.quantity),
      ledger: ledgerQuantity === null ? null : fixedText(ledgerQuantity),
      difference: fixedText(difference),
      transactionIds,
    },
  ];
}

function priceBreak(line: ReconciledLine): readonly FoundBreak[] {
  const { stated, ledgerPrice, isPriceWithinTolerance } = line;
  if (isPriceWithinTolerance || stated.price === null || ledgerPrice === null) return [];
  const base = breakBase(line);
  return [
    {
      ...base,
      aspect: 'price',
      class: 'price',
      firstDate: base.date,
      stated: fixedText(stated.price.value),
      ledger: fixedText(ledgerPrice),
      difference: fixedText(stated.price.value - ledgerPrice),
      transactionIds: [],
    },
  ];
}
