// What limits come to at a reporting entity on a day, out of what it holds then. Knows no store and no wire.

import { fromDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { toFixed, type Fixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { RateMissing } from '../../engine/currencies/exchange-rates.ts';
import { coveredPositions, holding } from '../../engine/history/holdings.ts';
import { isMatch, type HoldingFacts } from '../../engine/limits/limit-filter.ts';
import {
  limitStatus,
  type Limit as EngineLimit,
  type LimitStatus,
  type ValuedHolding,
} from '../../engine/limits/limit-status.ts';
import { findSynthetic } from '../../engine/ledger/position-key.ts';
import { boundsOfKind, type Limit } from '../../model/limit/limit.ts';
import type { ReportedOutcome } from '../../model/report/limit-status.ts';
import type { ReportScope } from '../reports/report-basis.ts';

/** What the status of limits needs of a report. */
export type LimitScope = Pick<ReportScope, 'reportingEntity' | 'history' | 'places' | 'classes' | 'instruments'>;

export interface LimitOutcome extends ReportedOutcome {
  readonly limit: Limit;
  readonly reportingEntity: Id;
  readonly min: Fixed | null;
  readonly max: Fixed | null;
}

/** What is held but cannot be valued. */
interface UnvaluedHolding extends HoldingFacts {
  readonly missing: RateMissing;
}

export function isFor({ reportingEntity }: Limit, entity: Id): boolean {
  return reportingEntity === null || reportingEntity === entity;
}

/** Of those that are for the reporting entity. */
export function limitOutcomes(scope: LimitScope, limits: readonly Limit[], day: Day): readonly LimitOutcome[] {
  const held = holdingsOf(scope, day);
  return limits.filter((one) => isFor(one, scope.reportingEntity)).map((one) => outcomeOf(scope, one, held));
}

/** With all that it was made of. Throws where a rate is missing. */
export function limitWorking(
  scope: LimitScope,
  limit: Limit,
  day: Day,
): { readonly limit: EngineLimit; readonly status: LimitStatus } {
  const asked = engineLimit(limit);
  const held = holdingsOf(scope, day);
  const missing = findMissing(asked, held);
  if (missing !== undefined) throw missing;
  return { limit: asked, status: limitStatus(asked, held.valued) };
}

interface Held {
  readonly valued: readonly ValuedHolding[];
  readonly unvalued: readonly UnvaluedHolding[];
}

function holdingsOf(scope: LimitScope, day: Day): Held {
  const { history, places } = scope;
  const valued: ValuedHolding[] = [];
  const unvalued: UnvaluedHolding[] = [];
  for (const position of coveredPositions(history, places.covers)) {
    const facts = factsOf(scope, position);
    try {
      valued.push({ ...facts, marketValue: holding(history, position, day).marketValue });
    } catch (error) {
      if (!(error instanceof RateMissing)) throw error;
      unvalued.push({ ...facts, missing: error });
    }
  }
  return { valued, unvalued };
}

function factsOf({ history, places, classes, instruments }: LimitScope, position: number): HoldingFacts {
  const key = history.key(position);
  const synthetic = findSynthetic(key.instrument);
  const known = instruments.get(key.instrument)?.instrument;
  const path = known === undefined ? classes.pathOf(key.instrument) : classes.path(known.instrumentClass ?? '');
  return {
    instrumentId: key.instrument,
    instrumentType: synthetic?.kind ?? known?.type ?? 'unidentified',
    instrumentClassId: path.at(-1)?.id ?? null,
    instrumentClassPath: path.map(({ name }) => name),
    issuerCountry: known?.issuerCountry ?? null,
    tags: known?.tags ?? [],
    currency: synthetic?.currency ?? history.instrument(position).currency,
    custodian: places.custodianOf(key),
    portfolioIds: places.portfoliosOf(key),
  };
}

function fixedOf(decimal: Decimal | null): Fixed | null {
  return decimal === null ? null : toFixed(decimal);
}

function engineLimit({ kind, filter, ...bounds }: Limit): EngineLimit {
  const { min, max } = boundsOfKind[kind];
  return { kind, filter, min: fixedOf(bounds[min]), max: fixedOf(bounds[max]) };
}

const noValue = 'All that is held is worth nothing or less: nothing can be a share of it.';

function outcomeOf({ reportingEntity }: LimitScope, limit: Limit, held: Held): LimitOutcome {
  const asked = engineLimit(limit);
  const frame = { limit, reportingEntity, min: asked.min, max: asked.max };
  const missing = findMissing(asked, held);
  if (missing !== undefined) return { ...frame, ...notEvaluable('fx-rate-missing', sentenceOf(missing)) };
  const { state, reason, currentValue, headroomToMin, headroomToMax, headroom } = limitStatus(asked, held.valued);
  if (reason !== null) return { ...frame, ...notEvaluable(reason, noValue) };
  return { ...frame, state, reason: null, detail: null, currentValue, headroomToMin, headroomToMax, headroom };
}

/** A share needs the value of everything, an amount that of what matches. */
function findMissing({ kind, filter }: EngineLimit, { unvalued }: Held): RateMissing | undefined {
  return unvalued.find((one) => kind === 'proportional' || isMatch(filter, one))?.missing;
}

function sentenceOf({ exchange: { from, to, day } }: RateMissing): string {
  return `There is no exchange rate from ${from} to ${to} on or before ${fromDayNumber(day)}.`;
}

function notEvaluable(reason: string, detail: string): ReportedOutcome {
  const nothing = { currentValue: null, headroomToMin: null, headroomToMax: null, headroom: null };
  return { state: 'not_evaluable', reason, detail, ...nothing };
}
