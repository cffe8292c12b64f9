import { describe, expect, test } from 'vitest';
import { FieldFault } from '../../kit/field.ts';
import {
  fractionOfWhole,
  incomingCash,
  nonNegativeDecimal,
  outgoingCash,
  positiveDecimal,
  unitRatio,
} from './transaction-value.ts';

const kinds = { incomingCash, outgoingCash, positiveDecimal, nonNegativeDecimal, fractionOfWhole, unitRatio } as const;

/** What is read, or why not. */
function read(kind: keyof typeof kinds, value: unknown): string {
  try {
    return String(kinds[kind].read(value as never));
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    return error.message;
  }
}

const ratio = 'must be two numbers greater than 0 with a colon between them, such as 2:1';

describe('values of bookings', () => {
  test.each<[keyof typeof kinds, string, string]>([
    ['incomingCash', '5', '5'],
    ['incomingCash', '0', 'must not be 0'],
    ['incomingCash', '-5', 'must be positive, since cash comes in: expected 5, got -5'],
    ['outgoingCash', '-5', '-5'],
    ['outgoingCash', '0', 'must not be 0'],
    ['outgoingCash', '5', 'must be negative, since cash goes out: expected -5, got 5'],
    ['positiveDecimal', '0.000000000000000001', '0.000000000000000001'],
    ['positiveDecimal', '0', 'must be greater than 0'],
    ['nonNegativeDecimal', '0', '0'],
    ['nonNegativeDecimal', '-0.1', 'must not be negative'],
    ['fractionOfWhole', '0', '0'],
    ['fractionOfWhole', '1', '1'],
    ['fractionOfWhole', '1.000000000000000001', 'must be a fraction from 0 to 1'],
    ['fractionOfWhole', '-0.1', 'must be a fraction from 0 to 1'],
    ['unitRatio', '2:1', '2:1'],
    ['unitRatio', '0.5:3', '0.5:3'],
    ['unitRatio', '0:1', ratio],
    ['unitRatio', '1:0', ratio],
    ['unitRatio', '-2:1', ratio],
    ['unitRatio', '2', ratio],
    ['unitRatio', '2:1:1', ratio],
    ['unitRatio', '2:', ratio],
    ['unitRatio', 'two:one', ratio],
  ])('%s reads %s: %s', (kind, value, expected) => {
    expect(read(kind, value)).toBe(expected);
  });

  test('a ratio is a text', () => {
    expect([read('unitRatio', 2), read('unitRatio', null)]).toEqual([ratio, ratio]);
  });
});
