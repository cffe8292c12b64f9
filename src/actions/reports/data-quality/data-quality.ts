// Lists what to check and correct in the data behind a reporting entity's figures, as of a day. Missing rates are listed too, and
// do not stop it.

import { append } from '../../../kit/memory/long-list.ts';
import type { Day } from '../../../kit/day.ts';
import { MissingRateError } from '../../../engine/currencies/exchange-rates.ts';
import { findingPieces } from '../../../engine/history/findings.ts';
import { RateGapRecorder } from '../../../engine/currencies/rate-gap-recorder.ts';
import {
  findingCodes,
  findingDefinitions,
  type FindingCode,
  type FindingCount,
  type FindingOrder,
  type ReportedFinding,
} from '../../../model/report/finding.ts';
import { openTurn, type Work } from '../../core/work.ts';
import type { ReplaceRates } from '../inputs/report-inputs.ts';
import { requestedDate, type DayReportQuery } from '../day-report.ts';
import { breakFindings } from './break-findings.ts';
import { FindingRenderer } from './finding-renderer.ts';
import type { DraftedFinding, FindingWithRows } from './finding-with-rows.ts';
import { missingRates } from './missing-rates.ts';
import { uncoveredPlaces } from './uncovered-places.ts';
import { afterRequestsSent, loadReportBasis, type ReportBasis } from '../report-basis.ts';
import { reportDay } from '../latest-day.ts';
import { endOfDay } from '../report-day.ts';

interface DataQuality {
  readonly basis: ReportBasis;
  readonly day: Day;
  readonly asOf: number;
  /** The currency of the effects. */
  readonly currency: string;
  /** Most serious first, within a code by day and place; or by their effect. */
  readonly findings: readonly DraftedFinding[];
}

interface DataQualityQuery extends DayReportQuery {
  readonly order: FindingOrder;
  /** The currency of the effects; the client's reference currency if it is absent. */
  readonly currency?: string | undefined;
}

export async function readDataQuality(work: Work, query: DataQualityQuery): Promise<DataQuality> {
  const { reportingEntity, knownAt } = query;
  try {
    return await collectFindings(work, await loadReportBasis(work, reportingEntity, { knownAt }), query, undefined);
  } catch (error) {
    if (!(error instanceof MissingRateError)) throw error;
  }
  let recordingRates: RateGapRecorder | undefined;
  const replaceRates: ReplaceRates = (known) => (recordingRates = new RateGapRecorder(known));
  return collectFindings(
    work,
    await loadReportBasis(work, reportingEntity, { knownAt, replaceRates }),
    query,
    recordingRates,
  );
}

/** No amounts can be shown while rates are only recorded as missing. */
async function collectFindings(
  work: Work,
  basis: ReportBasis,
  { asOf, order, currency = basis.currency }: DataQualityQuery,
  recordingRates: RateGapRecorder | undefined,
): Promise<DataQuality> {
  // Today by default: only then it shows that the last data are old.
  const day = asOf === undefined ? basis.today : reportDay(requestedDate(asOf, basis), basis);
  const renderer = new FindingRenderer(basis, {
    day,
    amounts: recordingRates === undefined ? 'known' : 'unknown',
    currency,
  });
  const { history, places } = basis;
  const turn = openTurn(work, history.rows.count);
  const loadingBreaks = breakFindings(work, basis, day);
  const computing = afterRequestsSent(work, basis, () =>
    turn.run(findingPieces(history, { day, covers: places.covers })),
  );
  // Both end, also if one fails: nothing goes on beside what is done about it.
  await Promise.allSettled([loadingBreaks, computing]);
  const held = await computing;
  const found: FindingWithRows[] = [
    ...held.filter(({ kind }) => kind !== 'stale-rate').map((one) => renderer.render(one)),
    ...renderer.staleRates(held),
    ...renderer.unexplainedDifferences(),
    ...renderer.estimatedCosts(),
    ...renderer.unclassified(),
    ...uncoveredPlaces(work, basis),
    ...(await loadingBreaks),
  ];
  append(found, missingRates(basis, day, recordingRates));
  const reported = renderer.toReported(found).toSorted(order === 'effect' ? compareEffects : compareFindings);
  return { basis, currency, day, asOf: endOfDay(day, basis.timeZone), findings: reported };
}

function compareFindings(one: ReportedFinding, other: ReportedFinding): number {
  return (
    findingCodes.indexOf(one.code) - findingCodes.indexOf(other.code) ||
    (one.date ?? -Infinity) - (other.date ?? -Infinity) ||
    compareText(findingKey(one), findingKey(other))
  );
}

/**
 * The largest effect first. An error whose effect is unknown comes before all: figures are refused or empty until it is corrected. Others
 * without an effect come last.
 */
function compareEffects(one: ReportedFinding, other: ReportedFinding): number {
  const [first, second] = [effectRank(one), effectRank(other)];
  if (first !== second) return first - second;
  const [mine, theirs] = [one.effect ?? 0n, other.effect ?? 0n];
  return mine === theirs ? compareFindings(one, other) : mine > theirs ? -1 : 1;
}

function effectRank({ effect, severity }: ReportedFinding): number {
  if (effect !== null) return 1;
  return severity === 'error' ? 0 : 2;
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Identifies a finding among others of its code and day. */
export function findingKey(one: ReportedFinding): string {
  const { code, date, instrumentId, accountId, depositoryId, transactionIds, historicalHoldingIds } = one;
  const place = [instrumentId, accountId, depositoryId, one.currency, one.toCurrency];
  return JSON.stringify([code, date, ...place, transactionIds, historicalHoldingIds, String(one.quantity)]);
}

/** Counts the codes that were found, in the order of the list. */
export function countFindings(found: readonly ReportedFinding[]): readonly FindingCount[] {
  const byCode: ReadonlyMap<FindingCode, readonly ReportedFinding[]> = Map.groupBy(found, ({ code }) => code);
  return [...byCode].map(([code, group]) => ({
    code,
    severity: findingDefinitions[code].severity,
    count: group.length,
  }));
}
