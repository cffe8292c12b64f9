import { describe, expect, test } from 'vitest';
import { readLimitFilter } from '../../model/limit/limit-filter.ts';
import { isMatch, type HoldingFacts } from './limit-filter.ts';

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

/** A holding without class, country, tags, custodian and portfolios. */
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
    ['tags', 'equals', ['food'], true],
    ['tags', 'equals', ['risky'], false],
    ['currency', 'equals', ['CHF'], true],
    ['currency', 'not_in', ['EUR', 'USD'], true],
    ['custodian', 'equals', ['Bank Sonnenberg'], true],
    ['portfolio.id', 'contains', ['family'], true],
    ['portfolio.id', 'in', ['other'], false],
    ['portfolio.id', 'equals', ['family'], true],
    ['portfolio.id', 'equals', ['other'], false],
  ])('%s %s %j: %s', (field, operator, value, expected) => {
    expect(isMatch(readLimitFilter(condition(field, operator, value)), holding)).toBe(expected);
  });

  test.each([
    ['issuer_country', 'in', ['CH'], false],
    ['issuer_country', 'not_in', ['CH'], true],
    ['instrument_class.path', 'starts_with', ['Equity'], false],
    ['tags', 'contains', ['food'], false],
    ['custodian', 'equals', ['Bank Sonnenberg'], false],
  ])('on a missing attribute: %s %s %j is %s', (field, operator, value, expected) => {
    expect(isMatch(readLimitFilter(condition(field, operator, value)), bare)).toBe(expected);
  });
});

describe('nested filters', () => {
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
});
