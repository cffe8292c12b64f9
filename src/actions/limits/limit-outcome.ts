// Evaluates limits for a reporting entity on a day, from what it holds on that day.

import type { Day } from '../../kit/day.ts';
import { toFixedOrNull, type Fixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { compareConversions, MissingRateError } from '../../engine/currencies/exchange-rates.ts';
import { coveredPositions, exposuresOf, holdingAt } from '../../engine/history/holdings.ts';
import { isMatch, isUnclassified, type HoldingFacts } from '../../engine/limits/limit-filter.ts';
import {
  evaluateLimit,
  type LimitRule as EngineLimit,
  type LimitStatus,
  type ValuedHolding,
} from '../../engine/limits/limit-status.ts';
import { boundsOfKind, type Limit } from '../../model/limit/limit.ts';
import type { ReportedLimitOutcome } from '../../model/report/limit-status.ts';
import { findNothingNamed } from './limit-names.ts';
import { missingRateDetail } from '../reports/missing-rate-refusal.ts';
import { heldTypeOf, type ReportBasis } from '../reports/report-basis.ts';

/** The part of a report's basis that limits need. */
type LimitScope = Pick<ReportBasis, 'reportingEntity' | 'history' | 'structure' | 'places' | 'classes' | 'instruments'>;

export interface LimitOutcome extends ReportedLimitOutcome {
  readonly limit: Limit;
  readonly reportingEntity: Id;
  readonly min: Fixed | null;
  readonly max: Fixed | null;
}

/** A holding that cannot be valued because a rate is missing. */
interface UnvaluedHolding extends HoldingFacts {
  readonly missing: MissingRateError;
}

export function appliesTo({ reportingEntity }: Limit, entity: Id): boolean {
  return reportingEntity === null || reportingEntity === entity;
}

interface LimitsOnDay {
  readonly limits: readonly Limit[];
  /** The ids that limits name and that do not exist (`findGoneNames`). */
  readonly gone: ReadonlySet<string>;
  readonly day: Day;
}

/** Evaluates the limits that apply to the reporting entity. */
export function limitOutcomes(basis: LimitScope, { limits, gone, day }: LimitsOnDay): readonly LimitOutcome[] {
  const holdingValues = valueHoldings(basis, day);
  return limits
    .filter((one) => appliesTo(one, basis.reportingEntity))
    .map((one) => limitOutcome(basis, one, { holdingValues, gone }));
}

interface LimitExplanationDraft {
  readonly limit: EngineLimit;
  readonly status: LimitStatus;
  /** Everything that the reporting entity holds. */
  readonly holdings: readonly ValuedHolding[];
  /** A rate without which a holding that has no class cannot be valued. */
  readonly unclassifiedGap: MissingRateError | undefined;
}

/** Evaluates one limit for its explanation. Throws if a rate is missing. */
export function limitExplanationDraft(basis: LimitScope, limit: Limit, day: Day): LimitExplanationDraft {
  const engineLimit = toEngineLimit(limit);
  const holdingValues = valueHoldings(basis, day);
  const missing = findMissingRate(engineLimit, holdingValues);
  if (missing !== undefined) throw missing;
  const { valued: holdings, unvalued } = holdingValues;
  const unclassifiedGap = firstMissingRate(unvalued.filter(isUnclassified));
  return { limit: engineLimit, status: evaluateLimit(engineLimit, holdings), holdings, unclassifiedGap };
}

interface HoldingValues {
  readonly valued: readonly ValuedHolding[];
  readonly unvalued: readonly UnvaluedHolding[];
}

function valueHoldings(basis: LimitScope, day: Day): HoldingValues {
  const { history, places } = basis;
  const valued: ValuedHolding[] = [];
  const unvalued: UnvaluedHolding[] = [];
  for (const position of coveredPositions(history, places.covers)) {
    const facts = holdingFacts(basis, position);
    try {
      const holding = holdingAt(history, position, day);
      if (holding.quantity === 0n && holding.marketValue === 0n) continue;
      for (const [part, { marketValue, legCurrency = facts.currency }] of exposuresOf(holding).entries())
        valued.push({ ...facts, currency: legCurrency, position, part, marketValue });
    } catch (error) {
      if (!(error instanceof MissingRateError)) throw error;
      unvalued.push({ ...facts, missing: error });
    }
  }
  return { valued, unvalued };
}

function holdingFacts(scope: LimitScope, position: number): HoldingFacts {
  const { history, places, classes, instruments } = scope;
  const key = history.key(position);
  const known = instruments.get(key.instrument)?.instrument;
  const path = known === undefined ? classes.pathOf(key.instrument) : classes.pathOfInstrument(known);
  return {
    instrumentId: key.instrument,
    instrumentType: heldTypeOf(key.instrument, scope),
    instrumentClassId: path.at(-1)?.id ?? null,
    instrumentClassPath: path.map(({ name }) => name),
    issuerCountry: known?.issuerCountry ?? null,
    tags: known?.tags ?? [],
    currency: history.instrument(position).currency,
    custodian: places.findCustodian(key),
    portfolioIds: places.listPortfolios(key),
  };
}

function toEngineLimit({ kind, filter, ...bounds }: Limit): EngineLimit {
  const { min, max } = boundsOfKind[kind];
  return { kind, filter, min: toFixedOrNull(bounds[min]), max: toFixedOrNull(bounds[max]) };
}

const noValueDetail = 'All that is held is worth nothing or less: nothing can be a share of it.';

function limitOutcome(
  scope: LimitScope,
  limit: Limit,
  { holdingValues, gone }: { readonly holdingValues: HoldingValues; readonly gone: ReadonlySet<string> },
): LimitOutcome {
  const engineLimit = toEngineLimit(limit);
  const frame = { limit, reportingEntity: scope.reportingEntity, min: engineLimit.min, max: engineLimit.max };
  const nothingNamed = findNothingNamed(scope, limit.filter, gone);
  if (nothingNamed !== undefined) return { ...frame, ...notEvaluable('names-nothing', nothingNamed) };
  const missing = findMissingRate(engineLimit, holdingValues);
  if (missing !== undefined)
    return { ...frame, ...notEvaluable('fx-rate-missing', missingRateDetail(missing.exchange)) };
  const { reason, parts, ...status } = evaluateLimit(engineLimit, holdingValues.valued);
  if (reason !== null) return { ...frame, ...notEvaluable(reason, noValueDetail) };
  // A holding without a class that cannot be valued makes their sum unknown.
  const isPartlyUnknown = holdingValues.unvalued.some(isUnclassified);
  const matches = new Set(parts.matched.map(({ position }) => position)).size;
  return {
    ...frame,
    ...status,
    matches,
    reason,
    detail: null,
    ...(isPartlyUnknown ? { unclassifiedValue: null } : {}),
  };
}

/** A share needs the value of all holdings, an amount only that of the matching ones. */
function findMissingRate({ kind, filter }: EngineLimit, { unvalued }: HoldingValues): MissingRateError | undefined {
  return firstMissingRate(unvalued.filter((one) => kind === 'proportional' || isMatch(filter, one)));
}

/** In a fixed order, whatever the order of the holdings. */
function firstMissingRate(unvalued: readonly UnvaluedHolding[]): MissingRateError | undefined {
  return unvalued
    .map(({ missing }) => missing)
    .toSorted((one, other) => compareConversions(one.exchange, other.exchange))[0];
}

function notEvaluable(reason: string, detail: string): ReportedLimitOutcome {
  const noFigures = { currentValue: null, headroomToMin: null, headroomToMax: null, headroom: null };
  return { state: 'not_evaluable', reason, detail, ...noFigures, unclassifiedValue: null, matches: null };
}
