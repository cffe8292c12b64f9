// Checks explained limits against figures worked out by hand.

import { expect, test } from 'vitest';

import { checkedFigureNames, explanationLines } from '../../../tests/setup/engine/explanation-check.ts';
import { fixed } from '../../../tests/setup/engine/valued-holding.ts';
import { readLimitFilter } from '../../model/limit/limit-filter.ts';
import { evaluateLimit, type LimitRule, type ValuedHolding } from '../limits/limit-status.ts';
import { explainHeadroom, explainLimitValue, explainUnclassifiedValue } from './limit.ts';

const filter = readLimitFilter({ kind: 'condition', field: 'tags', operator: 'contains', value: ['equity'] });

function holding(instrumentId: string, value: string, ...tags: string[]): ValuedHolding {
  const rest = {
    instrumentClassId: null,
    instrumentClassPath: [],
    issuerCountry: null,
    custodian: null,
    portfolioIds: [],
  };
  return {
    ...rest,
    instrumentId,
    instrumentType: 'stock-instrument',
    currency: 'CHF',
    tags,
    marketValue: fixed(value),
  };
}

const all = [holding('a', '20', 'equity'), holding('b', '10', 'equity'), holding('c', '60', 'bond')];

function explained(kind: LimitRule['kind'], bounds: readonly [string | null, string | null], held = all) {
  const [min, max] = bounds.map((bound) => (bound === null ? null : fixed(bound))) as [bigint | null, bigint | null];
  const limit: LimitRule = { kind, min, max, filter };
  return { limit, status: evaluateLimit(limit, held), referenceCurrency: 'CHF' };
}

test('a share is the matching value over the total, and its headroom is the distance to the nearer bound', () => {
  const figure = explainHeadroom(explained('proportional', ['0.2', '0.4']));
  checkedFigureNames(figure);
  expect(explanationLines(figure)).toEqual([
    'headroom 0.066666666666666667 = 0.4 − 0.333333333333333333 [compliant]',
    '  max 0.4',
    '  limit-value 0.333333333333333333 = 30 ÷ 90 [compliant]',
    '    matching-value 30 = 20 + 10',
    '      market-value 20',
    '      market-value 10',
    '    total-value 90',
  ]);
});

test('an amount is the sum of the matching holdings, and negative headroom says by how much a bound is breached', () => {
  const figure = explainHeadroom(explained('absolute', ['35', '100']));
  checkedFigureNames(figure);
  expect(explanationLines(figure).slice(0, 4)).toEqual([
    'headroom -5 = 30 − 35 [breached]',
    '  limit-value 30 = 20 + 10 [breached]',
    '    market-value 20',
    '    market-value 10',
  ]);
  expect(figure).toMatchObject({ unit: 'CHF' });
});

test('a share of a total of zero has no value and no headroom, but a reason', () => {
  const none = explained('proportional', [null, '0.4'], [holding('a', '5', 'equity'), holding('b', '-5')]);
  expect(explanationLines(explainLimitValue(none))).toEqual([
    'limit-value null [no-value]',
    '  matching-value 5 = 5',
    '    market-value 5',
    '  total-value 0',
  ]);
  expect(explainHeadroom(none)).toEqual({ name: 'headroom', value: null, notes: ['no-value'] });
});

test('what has no class is explained only where the limit looks at classes, with the reason where nothing is known', () => {
  const byClass = { kind: 'condition', field: 'instrument_class.path', operator: 'starts_with', value: ['Equity'] };
  const unclassified = (filterOf: LimitRule['filter'], held: readonly ValuedHolding[]) => {
    const limit: LimitRule = { kind: 'proportional', min: null, max: fixed('0.4'), filter: filterOf };
    return explainUnclassifiedValue({ limit, status: evaluateLimit(limit, held), referenceCurrency: 'CHF' });
  };
  expect(unclassified(filter, all)).toBeUndefined();
  const worthless = [holding('a', '5'), holding('b', '-5')];
  expect(unclassified(readLimitFilter(byClass), worthless)).toEqual({
    name: 'unclassified-value',
    value: null,
    notes: ['no-value'],
  });
  const figure = unclassified(readLimitFilter(byClass), all)!;
  expect(explanationLines(figure)).toEqual([
    'unclassified-value 1 = 90 ÷ 90',
    '  unclassified-value 90',
    '  total-value 90',
  ]);
});
