import { describe, expect, test } from 'vitest';
import { isMatch, LimitFilterFault, readLimitFilter, type HoldingFacts } from './limit-filter.ts';

const holding: HoldingFacts = {
  instrumentId: 'nestle',
  instrumentType: 'stock-instrument',
  instrumentClassId: 'listed-equity',
  instrumentClassPath: ['Equity', 'Listed', 'Switzerland'],
  issuerCountry: 'CH',
  tags: ['food', 'core'],
  currency: 'CHF',
  custodian: 'Bank Sonnenberg',
  portfolioIds: ['liquid', 'family'],
};

/** Known by nothing but itself. */
const bare: HoldingFacts = {
  ...holding,
  instrumentClassId: null,
  instrumentClassPath: [],
  issuerCountry: null,
  tags: [],
  custodian: null,
  portfolioIds: [],
};

const condition = (field: string, operator: string, value: unknown): object => ({
  kind: 'condition',
  field,
  operator,
  value,
});

describe('a condition', () => {
  test.each([
    ['instrument_class.path', 'starts_with', ['Equity'], true],
    ['instrument_class.path', 'starts_with', ['Equity', 'Listed'], true],
    ['instrument_class.path', 'starts_with', ['Listed'], false],
    ['instrument_class.path', 'starts_with', ['Equity', 'Private'], false],
    ['instrument_class.path', 'starts_with', ['Equity', 'Listed', 'Switzerland', 'Zurich'], false],
    ['instrument_class.path', 'contains', ['Switzerland', 'Equity'], true],
    ['instrument_class.path', 'contains', ['Listed', 'Private'], false],
    ['instrument_class.path', 'equals', ['Equity', 'Listed', 'Switzerland'], true],
    ['instrument_class.path', 'equals', ['Equity', 'Listed'], false],
    ['instrument_class.path', 'equals', ['Listed', 'Equity', 'Switzerland'], false],
    ['instrument_class.id', 'equals', ['listed-equity'], true],
    ['instrument.id', 'in', ['roche', 'nestle'], true],
    ['instrument.id', 'not_in', ['roche', 'nestle'], false],
    ['instrument.id', 'not_in', ['roche'], true],
    ['instrument.type', 'equals', 'stock-instrument', true],
    ['issuer_country', 'in', ['DE', 'CH'], true],
    ['issuer_country', 'equals', ['ch'], false],
    ['tags', 'contains', ['food'], true],
    ['tags', 'contains', ['food', 'core'], true],
    ['tags', 'contains', ['food', 'risky'], false],
    ['tags', 'in', ['food', 'risky'], true],
    ['tags', 'not_in', ['risky'], true],
    ['tags', 'equals', ['core', 'food'], true],
    ['tags', 'equals', ['food'], false],
    ['currency', 'equals', ['CHF'], true],
    ['currency', 'not_in', ['EUR', 'USD'], true],
    ['custodian', 'equals', ['Bank Sonnenberg'], true],
    ['portfolio.id', 'contains', ['family'], true],
    ['portfolio.id', 'in', ['other'], false],
  ])('%s %s %j: %s', (field, operator, value, expected) => {
    expect(isMatch(readLimitFilter(condition(field, operator, value)), holding)).toBe(expected);
  });

  test.each([
    ['issuer_country', 'in', ['CH'], false],
    ['issuer_country', 'not_in', ['CH'], true],
    ['instrument_class.path', 'starts_with', ['Equity'], false],
    ['tags', 'contains', ['food'], false],
    ['custodian', 'equals', ['Bank Sonnenberg'], false],
  ])('of what is not known: %s %s %j is %s', (field, operator, value, expected) => {
    expect(isMatch(readLimitFilter(condition(field, operator, value)), bare)).toBe(expected);
  });
});

describe('filters within filters', () => {
  const swiss = condition('issuer_country', 'equals', ['CH']);
  const risky = condition('tags', 'contains', ['risky']);
  const food = condition('tags', 'contains', ['food']);

  test.each([
    [{ kind: 'and', filters: [swiss, food] }, true],
    [{ kind: 'and', filters: [swiss, risky] }, false],
    [{ kind: 'or', filters: [risky, food] }, true],
    [{ kind: 'or', filters: [risky] }, false],
    [{ kind: 'and', filters: [swiss, { kind: 'or', filters: [risky, food] }] }, true],
    [{ kind: 'or', filters: [risky, { kind: 'and', filters: [swiss, risky] }] }, false],
  ])('%j: %s', (source, expected) => {
    expect(isMatch(readLimitFilter(source), holding)).toBe(expected);
  });

  function nested(depth: number): object {
    return depth === 1 ? swiss : { kind: 'and', filters: [nested(depth - 1)] };
  }

  test('nest ten deep and no deeper', () => {
    expect(isMatch(readLimitFilter(nested(10)), holding)).toBe(true);
    expect(() => readLimitFilter(nested(11))).toThrow('Filters are nested at most 10 deep.');
  });
});

describe('what is no filter is refused at its place', () => {
  const good = condition('currency', 'equals', ['CHF']);

  test.each([
    [null, ''],
    [[], ''],
    ['currency', ''],
    [{}, '/kind'],
    [{ kind: 'not', filters: [good] }, '/kind'],
    [{ kind: 'and' }, '/filters'],
    [{ kind: 'and', filters: [] }, '/filters'],
    [{ kind: 'or', filters: [good, { ...good, operator: 'is' }] }, '/filters/1/operator'],
    [{ kind: 'and', filters: [good], value: ['x'] }, '/value'],
    [{ ...good, field: 'colour' }, '/field'],
    [{ ...good, field: 'toString' }, '/field'],
    [{ ...good, field: 7 }, '/field'],
    [{ ...good, operator: 'starts_with' }, '/operator'],
    [{ ...good, operator: 'contains' }, '/operator'],
    [{ ...good, operator: 'constructor' }, '/operator'],
    [{ ...good, operator: undefined }, '/operator'],
    [condition('tags', 'starts_with', ['x']), '/operator'],
    [{ ...good, value: [] }, '/value'],
    [{ ...good, value: [''] }, '/value'],
    [{ ...good, value: '' }, '/value'],
    [{ ...good, value: [7] }, '/value'],
    [{ ...good, value: Array.from({ length: 101 }, String) }, '/value'],
    [{ ...good, extra: 1 }, '/extra'],
  ])('%j at %j', (source, pointer) => {
    expect(() => readLimitFilter(source)).toThrow(expect.objectContaining({ name: 'LimitFilterFault', pointer }));
    expect(() => readLimitFilter(source)).toThrow(LimitFilterFault);
  });

  test('and says which operators the field has', () => {
    expect(() => readLimitFilter({ ...good, operator: 'like' })).toThrow(
      'operator for currency is one of equals, in, not_in.',
    );
  });
});
