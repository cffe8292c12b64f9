// Lists what to check before trusting the returns of a segment: flagged days, old or estimated values, flows that no booking
// explains.

import { defined } from '../../../kit/assert.ts';
import type { Finding } from '../../../engine/history/findings.ts';
import { firstValueDay } from '../../../engine/returns/return-path.ts';
import type { SegmentReturn } from '../../../engine/returns/segments/segment-return.ts';
import type { Warning } from '../../../model/report/warning.ts';
import { segmentsOn, type Axis } from '../segments/axis.ts';
import { findWarning, groupWarnings, type FoundWarning } from './warnings.ts';
import type { ReportBasis } from '../report-basis.ts';
import type { ReportWindow } from '../report-window.ts';
import { makeAxisContext } from '../segments/segments.ts';

interface ReportToWarnAbout {
  readonly basis: ReportBasis;
  readonly window: ReportWindow;
  readonly axes: readonly Axis[];
  /** On the last day of the window. */
  readonly found: readonly Finding[];
}

type WarningsBySegment = Map<string, FoundWarning[]>;

/** Looks at values on the last day, and at flows within the window. */
export class PerformanceWarnings {
  readonly #report: ReportToWarnAbout;
  readonly #whole: FoundWarning[] = [];
  readonly #byAxis: ReadonlyMap<Axis, WarningsBySegment>;

  constructor(report: ReportToWarnAbout) {
    this.#report = report;
    this.#byAxis = new Map(report.axes.map((axis) => [axis, new Map()]));
    this.#collect();
  }

  forWhole(returns: SegmentReturn): Warning[] {
    return groupWarnings([...this.#windowWarnings(returns), ...returnWarnings(returns), ...this.#whole]);
  }

  forSegment(axis: Axis, segment: string, returns: SegmentReturn): Warning[] {
    return groupWarnings([...returnWarnings(returns), ...(this.#byAxis.get(axis)?.get(segment) ?? [])]);
  }

  #collect(): void {
    const { basis, window, axes, found: all } = this.#report;
    const { history } = basis;
    const axisContext = makeAxisContext(basis);
    for (const finding of all) {
      if ('row' in finding && finding.day < window.start) continue;
      if (isChange(finding) && finding.day < window.start) continue;
      const key = history.key(finding.position);
      const found = findWarning(finding, key.instrument);
      if (found === undefined) continue;
      this.#whole.push(found);
      for (const axis of axes) {
        for (const segment of segmentsOn(axis, key, axisContext))
          addWarning(defined(this.#byAxis.get(axis), 'every axis of the report was prepared'), segment, found);
      }
    }
  }

  *#windowWarnings({ values, isCovered }: SegmentReturn): Generator<FoundWarning> {
    if (!isCovered) return;
    const { window } = this.#report;
    const { requestedStart, end, carriedFrom } = window;
    const instrument = null;
    const first = firstValueDay(values, window);
    if (first > requestedStart && first <= end) yield { code: 'begins-before-data', instrument, day: first };
    if (carriedFrom !== null) yield { code: 'carried', instrument, day: carriedFrom };
  }
}

/** Whether it concerns what happened on a day, not how things are. */
function isChange(
  finding: Finding,
): finding is Extract<Finding, { kind: 'implied-flow' | 'unexplained-value-change' | 'accrued-interest-differs' }> {
  switch (finding.kind) {
    case 'implied-flow':
    case 'unexplained-value-change':
    case 'accrued-interest-differs':
      return true;
    default:
      return false;
  }
}

function addWarning(bySegment: WarningsBySegment, segment: string, found: FoundWarning): void {
  const existing = bySegment.get(segment);
  if (existing === undefined) bySegment.set(segment, [found]);
  else existing.push(found);
}

/** Why there is no return, and the days without one. */
function returnWarnings(returns: SegmentReturn): FoundWarning[] {
  const { noReturn } = returns.path;
  const flagged = returns.flaggedDays().map(({ day, flag }) => ({ code: flag, instrument: null, day }));
  if (noReturn === null) return flagged;
  return [
    { code: noReturn, instrument: null, day: null },
    ...flagged.filter(({ code }) => code !== 'nothing-invested'),
  ];
}
