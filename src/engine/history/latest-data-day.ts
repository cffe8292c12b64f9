// Finds the latest day with data of what a report covers: its own rows and uploads, and the points and rates that its values need.

import type { Day } from '../../kit/day.ts';
import { unreachable } from '../../kit/assert.ts';
import { greatestOf } from '../../kit/memory/long-list.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { InterestRate } from '../instruments/accrued-interest.ts';
import type { ForwardLeg, ValuedInstrument } from '../instruments/instrument.ts';
import { findSyntheticInstrument } from '../ledger/position-key.ts';
import { findPoint } from '../valuation/quoted.ts';
import type { History } from './history.ts';
import { coveredPositions, type Coverage } from './holdings.ts';

interface LatestDataRequest {
  readonly covers: Coverage;
  /** Later data do not count. */
  readonly until: Day;
  /** The currency of the report. */
  readonly currency: IsoCurrency;
}

/**
 * Undefined if there are no data by then. Only what is still held needs points and rates: what is gone was closed by a row or an
 * upload, which is later than any point it needed.
 */
export function latestDataDay(history: History, { covers, until, currency }: LatestDataRequest): Day | undefined {
  let latest = -Infinity;
  /** The last day on which a rate from each currency is needed. */
  const neededUntil = new Map<IsoCurrency, Day>();
  for (const position of coveredPositions(history, covers)) {
    latest = Math.max(latest, latestOwnDay(history, position, until));
    if (latest === until) return latest;
    if (history.units(position).valueOn(until) === 0n) continue;
    const instrument = history.instrument(position);
    latest = Math.max(latest, latestPointDay(instrument, until));
    for (const [from, day] of neededRates(instrument, until)) {
      neededUntil.set(from, Math.max(day, neededUntil.get(from) ?? -Infinity));
    }
  }
  const { rates } = history.facts;
  for (const [from, day] of neededUntil) {
    for (const quoted of rates.find({ from, to: currency, day })?.quoted ?? []) latest = Math.max(latest, quoted.day);
  }
  return latest === -Infinity ? undefined : latest;
}

/** Of rows, uploads and changes of units. */
function latestOwnDay(history: History, position: number, until: Day): Day {
  const { rows, byPosition, byCash, checkpoints } = history;
  const dayOfLast = (numbers: Uint32Array): Day => {
    const row = numbers.findLast((number) => rows.days[number]! <= until);
    return row === undefined ? -Infinity : rows.days[row]!;
  };
  const { days } = history.units(position);
  return Math.max(
    days[lastOnOrBefore(days, until)] ?? -Infinity,
    dayOfLast(byPosition.rowsOf(position)),
    dayOfLast(byCash.rowsOf(position)),
    checkpoints.get(position)?.findLast(({ day }) => day <= until)?.day ?? -Infinity,
  );
}

/** Of its prices or net asset values, index factors and interest rates. */
function latestPointDay(instrument: ValuedInstrument, until: Day): Day {
  if (findSyntheticInstrument(instrument.id) !== undefined) return -Infinity;
  const { terms } = instrument;
  const quoted = (day: Day): Day => findPoint(instrument, { day, after: -Infinity })?.point.day ?? -Infinity;
  switch (terms.type) {
    case 'bond':
      return Math.max(
        quoted(Math.min(until, terms.schedule.maturity - 1)),
        terms.index === undefined ? -Infinity : (instrument.indexFactors.find(until)?.day ?? -Infinity),
        latestRatePoint(terms.rate, Math.min(until, terms.schedule.maturity)),
      );
    case 'zero-coupon':
      return quoted(Math.min(until, terms.maturity - 1));
    case 'loan':
      return Math.max(quoted(until), latestRatePoint(terms.rate, until));
    case 'fee':
      return -Infinity;
    case 'forward':
      return quoted(Math.min(until, lastLegDay(terms.legs) - 1));
    case 'listed':
    case 'fund':
    case 'other':
    case 'private-fund':
      return quoted(until);
    default:
      return unreachable(terms, 'the terms of an instrument');
  }
}

function lastLegDay(legs: readonly ForwardLeg[]): Day {
  return legs.length === 0 ? Infinity : greatestOf(legs.map(({ day }) => day));
}

function latestRatePoint(rate: InterestRate, until: Day): Day {
  return typeof rate === 'bigint' ? -Infinity : (rate.points.findLast(({ day }) => day <= until)?.day ?? -Infinity);
}

/** The currencies that its value is converted from, each with the last day on which it is. */
function neededRates({ terms, currency }: ValuedInstrument, until: Day): readonly (readonly [IsoCurrency, Day])[] {
  if (terms.type !== 'forward' || terms.legs.length === 0) return [[currency, until]];
  return terms.legs.map((leg) => [leg.currency, Math.min(until, leg.day - 1)]);
}
