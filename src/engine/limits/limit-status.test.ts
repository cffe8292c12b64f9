import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDecimal } from '../../kit/decimal.ts';
import { divide, fromFixed, oneFixed, toFixed, type Fixed } from '../../kit/fixed.ts';
import { readLimitFilter } from '../../model/limit/limit-filter.ts';
import { evaluateLimit, type LimitRule, type ValuedHolding } from './limit-status.ts';

const fixed = (text: string): Fixed => toFixed(parseDecimal(text));
const formatted = (value: Fixed | null): string | null => (value === null ? null : fromFixed(value));

const filter = readLimitFilter({ kind: 'condition', field: 'tags', operator: 'contains', value: ['equity'] });

function holding(marketValue: Fixed, ...tags: string[]): ValuedHolding {
  return {
    marketValue,
    tags,
    instrumentId: 'any',
    instrumentType: 'stock-instrument',
    instrumentClassId: null,
    instrumentClassPath: [],
    issuerCountry: null,
    currency: 'CHF',
    custodian: null,
    portfolioIds: [],
  };
}

function bounded(kind: LimitRule['kind'], min: string | null, max: string | null): LimitRule {
  return { kind, min: min === null ? null : fixed(min), max: max === null ? null : fixed(max), filter };
}

const holdings = [holding(fixed('25'), 'equity'), holding(fixed('15.5'), 'equity'), holding(fixed('59.5'), 'bond')];

describe('equity of 40.5 in a total of 100', () => {
  test.each([
    ['proportional', null, '0.45', 'compliant', '0.405', null, '0.045', '0.045'],
    ['proportional', null, '0.405', 'compliant', '0.405', null, '0', '0'],
    ['proportional', null, '0.404', 'breached', '0.405', null, '-0.001', '-0.001'],
    ['proportional', '0.3', '0.45', 'compliant', '0.405', '0.105', '0.045', '0.045'],
    ['proportional', '0.405', null, 'compliant', '0.405', '0', null, '0'],
    ['proportional', '0.5', '0.6', 'breached', '0.405', '-0.095', '0.195', '-0.095'],
    ['absolute', null, '50', 'compliant', '40.5', null, '9.5', '9.5'],
    ['absolute', '40.5', '40.5', 'compliant', '40.5', '0', '0', '0'],
    ['absolute', null, '40', 'breached', '40.5', null, '-0.5', '-0.5'],
    ['absolute', '41', null, 'breached', '40.5', '-0.5', null, '-0.5'],
  ] as const)('%s from %s to %s is %s', (kind, min, max, state, value, toMin, toMax, headroom) => {
    const status = evaluateLimit(bounded(kind, min, max), holdings);
    expect(status).toMatchObject({ state, reason: null });
    const figures = [status.currentValue, status.headroomToMin, status.headroomToMax, status.headroom];
    expect(figures.map(formatted)).toEqual([value, toMin, toMax, headroom]);
  });

  test('the status lists the matching holdings', () => {
    const { parts } = evaluateLimit(bounded('absolute', null, '50'), holdings);
    expect(parts).toEqual({
      matching: fixed('40.5'),
      total: fixed('100'),
      matched: holdings.slice(0, 2),
      unclassified: fixed('100'),
    });
  });
});

describe('a limit on a class', () => {
  const isPrivate = { kind: 'condition', field: 'instrument_class.path', operator: 'starts_with', value: ['Private'] };
  const classed = (amount: string, ...path: string[]): ValuedHolding => ({
    ...holding(fixed(amount)),
    instrumentClassId: path.at(-1) ?? null,
    instrumentClassPath: path,
  });
  const some = [classed('30', 'Private', 'Funds'), classed('50', 'Equity'), classed('15'), classed('5')];
  const limit = (kind: LimitRule['kind'], source: object): LimitRule => ({
    ...bounded(kind, null, '1'),
    filter: readLimitFilter(source),
  });

  test.each([
    ['absolute', isPrivate, '30', '20'],
    ['proportional', isPrivate, '0.3', '0.2'],
    ['absolute', { kind: 'or', filters: [{ ...isPrivate, field: 'tags', operator: 'in' }, isPrivate] }, '30', '20'],
    ['absolute', { ...isPrivate, field: 'instrument_class.id', operator: 'not_in', value: ['Equity'] }, '50', '20'],
    ['absolute', { ...isPrivate, field: 'currency', operator: 'in', value: ['CHF'] }, '100', null],
  ] as const)('%s %j is beside what has no class', (kind, source, value, unclassified) => {
    const status = evaluateLimit(limit(kind, source), some);
    expect([status.currentValue, status.unclassifiedValue].map(formatted)).toEqual([value, unclassified]);
  });
});

describe('a total value of zero', () => {
  const nothing = [holding(fixed('10'), 'equity'), holding(fixed('-10'), 'debt')];

  test('has no shares to evaluate', () => {
    for (const some of [[], nothing, [...nothing, holding(-1n, 'debt')]]) {
      const status = evaluateLimit(bounded('proportional', '0.1', '0.2'), some);
      expect(status).toMatchObject({ state: 'not_evaluable', reason: 'no-value', currentValue: null, headroom: null });
    }
  });

  test('is not the smallest amount, all of which is a share of 1', () => {
    const status = evaluateLimit(bounded('proportional', '1', '1'), [holding(1n, 'equity')]);
    expect(status).toMatchObject({ state: 'compliant', currentValue: oneFixed, headroom: 0n });
  });

  test('has amounts to evaluate', () => {
    expect(evaluateLimit(bounded('absolute', null, '9'), nothing)).toMatchObject({ state: 'breached' });
    expect(evaluateLimit(bounded('absolute', null, '9'), [])).toMatchObject({ state: 'compliant', currentValue: 0n });
  });
});

test('a share is compared with its bound without rounding', () => {
  // One third is above 0.333333333333333333 by less than the last place.
  const third = [holding(1n, 'equity'), holding(2n, 'bond')];
  const status = evaluateLimit(bounded('proportional', null, '0.333333333333333333'), third);
  expect(status).toMatchObject({ state: 'breached', currentValue: fixed('0.333333333333333333'), headroom: 0n });
});

test('doubling every value changes no share and no state', () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 30n }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 0n, max: oneFixed }), (values, max) => {
      const made = (factor: bigint): ValuedHolding[] =>
        values.map((value, index) => holding(value * factor, index % 2 === 0 ? 'equity' : 'bond'));
      const limit: LimitRule = { kind: 'proportional', min: null, max, filter };
      const [one, two] = [evaluateLimit(limit, made(1n)), evaluateLimit(limit, made(2n))];
      expect([two.state, two.currentValue]).toEqual([one.state, one.currentValue]);
      expect(one.currentValue).toBe(divide(one.parts.matching, one.parts.total));
      const isAbove = one.parts.matching * oneFixed > max * one.parts.total;
      expect(one.state).toBe(isAbove ? 'breached' : 'compliant');
    }),
  );
});
