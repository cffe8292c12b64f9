import { describe, expect, test } from 'vitest';
import { JsonNumber } from '../../kit/json.ts';
import { LimitFilterFaults, readLimitFilter } from './limit-filter.ts';

const condition = (field: string, operator: string, value: unknown): object => ({
  kind: 'condition',
  field,
  operator,
  value,
});
const validCondition = condition('currency', 'equals', ['CHF']);

function faultsOf(source: unknown): string[] {
  try {
    readLimitFilter(source);
    return [];
  } catch (error) {
    if (!(error instanceof LimitFilterFaults)) throw error;
    return error.faults.map(({ path, message }) => `/${path.join('/')} ${message}`);
  }
}

test('a single text is read as a list of one', () => {
  expect(readLimitFilter(condition('currency', 'equals', 'CHF'))).toEqual(validCondition);
});

describe('an invalid filter is refused with the path of the fault', () => {
  const field =
    'must be one of instrument_class.id, instrument_class.path, instrument.id, instrument.type, issuer_country, tags, currency, custodian, portfolio.id';
  const operator = 'must be one of equals, in, not_in for currency';
  const value = 'must be a text or a list of 1 to 100 texts';
  const filters = 'must be a list of at least one filter';
  const kind = 'must be one of condition, and, or';

  test.each([
    [null, '/ must be an object'],
    [[], '/ must be an object'],
    ['currency', '/ must be an object'],
    [new JsonNumber('7'), '/ must be an object'],
    [{}, `/kind is required and ${kind}`],
    [{ kind: 'not', filters: [validCondition] }, `/kind ${kind}`],
    [{ kind: 'and' }, `/filters is required and ${filters}`],
    [{ kind: 'and', filters: [] }, `/filters ${filters}`],
    [
      { kind: 'or', filters: [validCondition, { ...validCondition, operator: 'is' }] },
      `/filters/1/operator ${operator}`,
    ],
    [{ kind: 'and', filters: [validCondition], value: ['x'] }, '/value is not known here'],
    [{ ...validCondition, field: 'colour' }, `/field ${field}`],
    [{ ...validCondition, field: 'toString' }, `/field ${field}`],
    [{ ...validCondition, field: 7 }, `/field ${field}`],
    [{ ...validCondition, operator: 'starts_with' }, `/operator ${operator}`],
    [{ ...validCondition, operator: 'constructor' }, `/operator ${operator}`],
    [condition('tags', 'starts_with', ['x']), '/operator must be one of equals, in, not_in, contains for tags'],
    [{ ...validCondition, value: [] }, `/value ${value}`],
    [{ ...validCondition, value: { 0: 'CHF' } }, `/value ${value}`],
    [{ ...validCondition, value: Array.from({ length: 101 }, String) }, `/value ${value}`],
    [{ ...validCondition, value: [''] }, '/value/0 must be a text that is not empty'],
    [{ ...validCondition, value: '' }, '/value must be a text that is not empty'],
    [condition('currency', 'in', ['CHF', 7]), '/value/1 must be a text that is not empty'],
    [{ ...validCondition, value: ['CHF', 'EUR'] }, '/value must be one text with equals; in takes several'],
    [condition('tags', 'equals', ['core', 'food']), '/value must be one text with equals; in takes several'],
    [{ ...validCondition, extra: 1 }, '/extra is not known here'],
  ])('%j: %s', (source, fault) => {
    expect(faultsOf(source)).toEqual([fault]);
  });

  test('all faults are reported together', () => {
    const several = {
      kind: 'or',
      filters: [
        { kind: 'and', filters: [{ ...validCondition, operator: 'like' }] },
        { ...validCondition, value: 7 },
      ],
    };
    expect(faultsOf(several)).toEqual([`/filters/0/filters/0/operator ${operator}`, `/filters/1/value ${value}`]);
  });

  function nested(depth: number): object {
    return depth === 1 ? validCondition : { kind: 'and', filters: [nested(depth - 1)] };
  }

  test('filters can be nested ten levels deep', () => {
    expect(faultsOf(nested(10))).toEqual([]);
    const pointer = '/filters/0'.repeat(10);
    expect(faultsOf(nested(11))).toEqual([`${pointer} must not be nested more than 10 deep`]);
  });

  test('a filter can have up to 500 conditions', () => {
    const conditionsOf = (count: number): object => ({
      kind: 'or',
      filters: Array.from({ length: count }, () => validCondition),
    });
    expect(faultsOf(conditionsOf(500))).toEqual([]);
    expect(faultsOf(conditionsOf(502))).toEqual(['/filters/500 must not be one of more than 500 conditions']);
  });

  test('the values of a field are checked by the given function', () => {
    const check = (name: string, text: string) =>
      name === 'currency' && text === 'XYZ' ? 'is no currency' : undefined;
    const filter = {
      kind: 'and',
      filters: [condition('currency', 'in', ['CHF', 'XYZ']), condition('tags', 'in', ['XYZ'])],
    };
    expect(() => readLimitFilter(filter, check)).toThrow('filters.0.value.1 is no currency');
  });
});
