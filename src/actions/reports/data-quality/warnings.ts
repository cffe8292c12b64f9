// Groups findings into warnings: one for each code and instrument.

import type { Day } from '../../../kit/day.ts';
import { staleRateDay, type Conversion } from '../../../engine/currencies/exchange-rates.ts';
import type { Finding } from '../../../engine/history/findings.ts';
import type { SolvedRate } from '../../../engine/returns/money-weighted/xirr.ts';
import type { Valuation } from '../../../engine/valuation/valuation.ts';
import { warningTexts, type Warning, type WarningCode } from '../../../model/report/warning.ts';

export interface FoundWarning {
  readonly code: WarningCode;
  readonly instrument: string | null;
  readonly day: Day | null;
}

/** In order of first appearance, with the first day of each. */
export function groupWarnings(found: Iterable<FoundWarning>): Warning[] {
  const groups = new Map<string, Warning>();
  for (const { code, instrument, day } of found) {
    const key = `${code} ${instrument}`;
    const existing = groups.get(key);
    const date = existing === undefined ? day : earlierDay(existing.date, day);
    const count = (existing?.count ?? 0) + 1;
    groups.set(key, { code, detail: warningTexts[code], instrumentId: instrument, date, count });
  }
  return [...groups.values()];
}

function earlierDay(one: Day | null, other: Day | null): Day | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** Undefined if it says nothing about values and flows. */
export function findWarning(finding: Finding, instrument: string): FoundWarning | undefined {
  const kind = finding.kind === 'about-value' ? finding.finding.kind : finding.kind;
  if (!isWarning(kind)) return undefined;
  // One rate concerns all that is held in its currency.
  if (finding.kind === 'stale-rate') return { code: finding.kind, instrument: null, day: finding.day };
  return { code: kind, instrument, day: 'day' in finding ? finding.day : null };
}

export function* valuationWarnings({ day, isStale, isEstimated, findings }: Valuation, instrument: string) {
  if (isStale) yield { code: 'stale-value', instrument, day } satisfies FoundWarning;
  if (isEstimated) yield { code: 'estimated-value', instrument, day } satisfies FoundWarning;
  for (const { kind } of findings) yield { code: kind, instrument, day: null } satisfies FoundWarning;
}

/** Of a rate that something is converted at. */
export function rateWarnings(conversion: Conversion): FoundWarning[] {
  const day = staleRateDay(conversion);
  return day === null ? [] : [{ code: 'stale-rate', instrument: null, day }];
}

/** Of a money-weighted return or IRR that was found beside other rates. */
export function ratesOutsideRange(found: SolvedRate, instrument: string | null): FoundWarning[] {
  const isNoted = found.rate !== null && found.hasRootsOutside;
  return isNoted ? [{ code: 'rates-outside-range', instrument, day: null }] : [];
}

function isWarning(kind: string): kind is WarningCode {
  return Object.hasOwn(warningTexts, kind);
}
