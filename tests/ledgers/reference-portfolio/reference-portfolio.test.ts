// Compares a portfolio computed by hand with the engine: every figure of every report in the file. The arithmetic is in
// docs/reference-portfolio.md.

import { describe, expect, test } from 'vitest';

import { positionKeyText } from '../../../src/engine/ledger/position-key.ts';
import { fromDayNumber } from '../../../src/kit/calendar-date.ts';
import { fromFixed } from '../../../src/kit/fixed.ts';
import { cashId } from '../../setup/instruments/built-in-ids.ts';
import { ReferenceDayReports } from '../../setup/reference-portfolio/reference-day-reports.ts';
import {
  referenceAxes,
  conventions,
  readReferencePortfolio,
} from '../../setup/reference-portfolio/reference-portfolio.ts';
import type {
  TreeMembers,
  PlacedMembers,
  Tree,
  ReferenceWindow,
} from '../../setup/reference-portfolio/reference-portfolio.ts';
import { ReferenceWindowReports } from '../../setup/reference-portfolio/reference-window-reports.ts';
import { ReferenceWorld } from '../../setup/reference-portfolio/reference-world.ts';
import { day } from '../../setup/engine/valued-holding.ts';

/** Puts the reserved ids of cash in the place of its names. */
function withReservedIds<T>(file: T): T {
  return JSON.parse(JSON.stringify(file).replaceAll(/cash:([A-Z]{3})/g, (_name, currency: string) => cashId(currency)));
}

const { tolerance, facts, expected } = withReservedIds(readReferencePortfolio());
const { byDate, byWindow, daily } = expected;
const world = new ReferenceWorld(facts);
const dayReports = new ReferenceDayReports(world);
const windowReports = new ReferenceWindowReports(world);

const ratesOfReturn: ReadonlySet<string> = new Set(['irr', 'directAlpha', 'directAlphaContinuous', 'rate']);

/** Lists the differences: text, flags and null must be equal, ratios within the tolerance of the file, and no member missing or extra. */
function differences(
  found: Tree | undefined,
  wanted: Tree | undefined,
  path: readonly string[] = [],
): readonly string[] {
  if (typeof found === 'number' && typeof wanted === 'number') {
    const allowed = ratesOfReturn.has(path.at(-1) ?? '') ? tolerance.rateOfReturn : tolerance.ratio;
    if (Math.abs(found - wanted) <= allowed * Math.max(1, Math.abs(wanted))) return [];
  } else if (isTree(found) && isTree(wanted)) {
    const names = new Set([...Object.keys(wanted), ...Object.keys(found)]);
    return [...names].flatMap((name) => differences(found[name], wanted[name], [...path, name]));
  } else if (found === wanted) return [];
  return [`${path.join(' ')}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`];
}

function isTree(tree: Tree | undefined): tree is TreeMembers {
  return typeof tree === 'object' && tree !== null;
}

/** Groups a list of located items by their location. */
function byPosition(list: readonly PlacedMembers[]): Readonly<Record<string, readonly TreeMembers[]>> {
  const found: Record<string, TreeMembers[]> = {};
  for (const { account, depository, instrument, ...rest } of list) {
    (found[positionKeyText({ account, depository, instrument })] ??= []).push(rest);
  }
  return found;
}

/** Indexes items by location, if each location has one item. */
function unwrapSingles(placed: Readonly<Record<string, readonly TreeMembers[]>>): TreeMembers {
  return Object.fromEntries(
    Object.entries(placed).map(([position, list]) => [position, list.length === 1 ? list[0]! : list]),
  );
}

describe('the file itself', () => {
  test('contains four dates, five windows, twenty days and every kind of figure', () => {
    expect(Object.keys(byDate)).toEqual(['2025-02-28', '2025-06-30', '2025-12-31', '2026-09-30']);
    expect(byWindow.map(({ from, to }) => `${from} – ${to}`)).toEqual([
      ...Object.keys(byDate).map((date) => `2025-01-01 – ${date}`),
      '2025-10-01 – 2026-09-30',
    ]);
    expect(daily.days).toHaveLength(20);
  });

  test('a wrong, missing or extra figure is reported as a difference', () => {
    expect(differences({ a: '1', irr: 0.1 }, { a: '1', irr: 0.1 + 1e-11 })).toEqual([]);
    expect(differences({ a: '1', b: 0.1 }, { a: '1', b: 0.1 + 1e-11 })).toHaveLength(1);
    expect(differences({ a: '1.0' }, { a: '1' })).toEqual(['a: expected "1", found "1.0"']);
    expect(differences({ a: null }, { a: 0 })).toHaveLength(1);
    expect(differences({}, { a: null })).toHaveLength(1);
    expect(differences({ a: ['1', '2'] }, { a: ['1'] })).toEqual(['a 1: expected undefined, found "2"']);
  });
});

describe.each(Object.entries(byDate))('at the end of %s', (date, wanted) => {
  test(`${wanted.holdings.length} holdings have their units, value, accrued interest, cost and unrealised gain`, () => {
    const figures = wanted.holdings.map(({ valuation: _valuation, ...rest }) => rest as PlacedMembers);
    expect(differences(dayReports.holdings(date), unwrapSingles(byPosition(figures)))).toEqual([]);
  });

  test('each value has its source, its date, and whether it is stale or estimated', () => {
    const sources = wanted.holdings.map(({ account, depository, instrument, valuation }): PlacedMembers => ({
      account,
      depository,
      instrument,
      ...valuation,
    }));
    expect(differences(dayReports.valuations(date), unwrapSingles(byPosition(sources)))).toEqual([]);
  });

  test(`the total market value is ${wanted.totals.marketValue}`, () => {
    expect(differences(dayReports.totals(date), wanted.totals)).toEqual([]);
  });

  test('every axis divides the market value', () => {
    expect(differences(dayReports.marketValueBy(date), wanted.marketValueBy)).toEqual([]);
  });

  test(`${wanted.lots.length} lots are open`, () => {
    expect(differences(dayReports.lots(date), byPosition(wanted.lots))).toEqual([]);
  });

  test(`${String(wanted.realisedGains.total['gain'])} has been realised, lot by lot, by price and by currency`, () => {
    expect(differences(dayReports.realisedGains(date), wanted.realisedGains)).toEqual([]);
  });

  test('the private fund has its commitment, multiples and rates, in its currency and in that of the report', () => {
    expect(differences(dayReports.privateMarkets(date), wanted.privateMarkets)).toEqual([]);
  });

  test('the limits are compliant or breached with their distances', () => {
    expect(differences(dayReports.limits(date), wanted.limits)).toEqual([]);
  });
});

const nothing: Tree = { begin: '0', flow: '0', gain: '0', end: '0', contribution: 0, ownReturn: null };

describe.each(byWindow)('from $from to $to', (wanted) => {
  const { from, to } = wanted;
  const window: ReferenceWindow = { from, to };

  test('the start value, the net flow and the gain add up to the end value', () => {
    expect(differences(windowReports.value(window), wanted.value)).toEqual([]);
  });

  test('external flows are the same as in the file, and flows known only from uploads are flagged', () => {
    expect(differences(windowReports.flows(window), wanted.flows)).toEqual([]);
  });

  test('income is the same as in the file', () => {
    expect(differences(windowReports.income(window), wanted.income)).toEqual([]);
  });

  test('fees are the same as in the file, and advisory fees are the difference between gross and net', () => {
    expect(differences(windowReports.fees(window), wanted.fees)).toEqual([]);
  });

  test('the money-weighted return follows from the dated flows', () => {
    expect(differences(windowReports.moneyWeighted(window), wanted.moneyWeighted)).toEqual([]);
  });

  describe.each(conventions)('by the convention of %s', (convention) => {
    test.each(['net', 'gross'] as const)('the return %s of advisory fees, its volatility and drawdown', (fees) => {
      expect(differences(windowReports.returns({ ...window, convention, fees }), wanted[convention][fees])).toEqual([]);
    });

    test.each(referenceAxes)('each %s has its gain, contribution and own return', (axis) => {
      const segments = wanted[convention].segments[axis];
      const found = windowReports.segments({ ...window, convention, fees: 'net' }, axis);
      const absent = Object.keys(segments).filter((name) => !(name in found));
      expect(differences({ ...found, ...Object.fromEntries(absent.map((name) => [name, nothing])) }, segments)).toEqual(
        [],
      );
    });

    test.each(referenceAxes)('the contributions by %s add up to the return', (axis) => {
      const { axes: segments, whole } = windowReports.performance({ ...window, convention, fees: 'net' });
      const sum = segments[axis].values().reduce((total, { contribution }) => total + contribution!, 0);
      expect(differences(sum, whole.path.cumulativeReturn)).toEqual([]);
    });
  });
});

describe.each(conventions)('day by day, by the convention of %s', (convention) => {
  const { from, to } = byWindow.find((window) => window.to === '2026-09-30')!;
  const whole = () => windowReports.performance({ from, to, convention, fees: 'net' }).whole;
  const indexOf = (date: string): number => day(date) - day(from) + 1;

  test.each(daily.days)('$day begins with $before, gains $gain and ends with $after', (wanted) => {
    const index = indexOf(wanted.day);
    const { values, flows, gains, path } = whole();
    const found = {
      day: wanted.day,
      before: fromFixed(values.at(index - 1)),
      flow: fromFixed(flows.at(index)),
      gain: fromFixed(gains.at(index)),
      after: fromFixed(values.at(index)),
      ratio: path.ratios[index - 1]!,
    };
    const { 'json-api': _, plain: __, ...amounts } = wanted;
    expect(differences(found, { ...amounts, ratio: wanted[convention] })).toEqual([]);
  });

  test('on all other days nothing flows and only the bond earns', () => {
    const { values, flows, gains, path } = whole();
    const listedDays = new Set(daily.days.map((one) => one.day));
    const quiet = Array.from({ length: day(to) - day(from) + 1 }, (_, offset) => fromDayNumber(day(from) + offset));
    const wrong = quiet.filter((date) => {
      if (listedDays.has(date)) return false;
      const index = indexOf(date);
      const gain = daily.otherDays.find((span) => span.from <= date && date <= span.to)?.gain ?? '0';
      const ratio = Number(gain) / Number(fromFixed(values.at(index - 1)));
      const isGain = fromFixed(gains.at(index)) === gain && flows.at(index) === 0n;
      return !isGain || differences(path.ratios[index - 1]!, ratio).length > 0;
    });
    expect(wrong).toEqual([]);
    expect(quiet).toHaveLength(638);
  });
});
