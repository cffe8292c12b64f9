// What to look at and mend in the facts behind the figures of a reporting entity, as of a day. Where rates are missing it goes on, and
// lists them with the rest. Knows no wire.

import type { Day } from '../../../kit/day.ts';
import { RateMissing } from '../../../engine/currencies/exchange-rates.ts';
import { findings } from '../../../engine/history/findings.ts';
import { NotedRates } from '../../../engine/currencies/rate-gap-recorder.ts';
import {
  findingCodes,
  findingTerms,
  type FindingCode,
  type FindingCount,
  type ReportedFinding,
} from '../../../model/report/finding.ts';
import type { Work } from '../../core/work.ts';
import type { RatesInstead } from '../inputs/report-inputs.ts';
import { dateAsked, type DayQuestion } from '../day-report.ts';
import { FindingWords, type FoundFinding } from './finding-renderer.ts';
import { missingRates } from './missing-rates.ts';
import { openReport, type ReportScope } from '../report-basis.ts';
import { endOfDay, reportDay } from '../report-day.ts';

export interface DataQuality {
  readonly scope: ReportScope;
  readonly day: Day;
  readonly asOf: number;
  /** The gravest first; of one code by day and place. */
  readonly findings: readonly ReportedFinding[];
}

export async function readDataQuality(work: Work, question: DayQuestion): Promise<DataQuality> {
  const { reportingEntity, knownAt } = question;
  try {
    return qualityOf(await openReport(work, reportingEntity, { knownAt }), question, undefined);
  } catch (error) {
    if (!(error instanceof RateMissing)) throw error;
  }
  let noted: NotedRates | undefined;
  const instead: RatesInstead = (known) => (noted = new NotedRates(known));
  return qualityOf(await openReport(work, reportingEntity, { knownAt, instead }), question, noted);
}

/** With rates that are noted no amount can be told. */
function qualityOf(scope: ReportScope, { asOf }: DayQuestion, noted: NotedRates | undefined): DataQuality {
  const day = reportDay(dateAsked(asOf, scope), scope);
  const words = new FindingWords(scope, { day, amounts: noted === undefined ? 'told' : 'unknown' });
  const { history, places } = scope;
  const found: FoundFinding[] = [
    ...findings(history, { day, covers: places.covers }).map((one) => words.tell(one)),
    ...words.unexplained(),
    ...words.estimatedCosts(),
  ];
  found.push(...missingRates(scope, day, noted));
  const reported = words.finish(found).toSorted(compareFindings);
  return { scope, day, asOf: endOfDay(day, scope.timeZone), findings: reported };
}

function compareFindings(one: ReportedFinding, other: ReportedFinding): number {
  return (
    findingCodes.indexOf(one.code) - findingCodes.indexOf(other.code) ||
    (one.date ?? -Infinity) - (other.date ?? -Infinity) ||
    compareText(keyOfFinding(one), keyOfFinding(other))
  );
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Tells a finding from every other of its code and day. */
export function keyOfFinding(one: ReportedFinding): string {
  const { code, date, instrumentId, accountId, depositoryId, transactionIds, historicalHoldingIds } = one;
  const place = [instrumentId, accountId, depositoryId, one.currency, one.toCurrency];
  return JSON.stringify([code, date, ...place, transactionIds, historicalHoldingIds, String(one.quantity)]);
}

/** Of the codes that were found, in the order of the list. */
export function countFindings(found: readonly ReportedFinding[]): readonly FindingCount[] {
  const byCode: ReadonlyMap<FindingCode, readonly ReportedFinding[]> = Map.groupBy(found, ({ code }) => code);
  return [...byCode].map(([code, some]) => ({ code, severity: findingTerms[code].severity, count: some.length }));
}
