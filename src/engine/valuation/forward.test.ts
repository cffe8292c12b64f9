import { describe, expect, test } from 'vitest';
import {
  day,
  fixed,
  flagsOn,
  instrument,
  valuationOn,
  valueTextOn,
} from '../../../tests/setup/engine/valued-holding.ts';
import type { ValuationCase, HoldingStateText, InstrumentText } from '../../../tests/setup/engine/valued-holding.ts';
import { MissingRateError } from '../currencies/exchange-rates.ts';
import type { ForwardLeg } from '../instruments/instrument.ts';

const sold = { currency: 'USD', amount: fixed('-1200'), day: day('2025-06-30') };
const bought = { currency: 'EUR', amount: fixed('1010'), day: day('2025-07-02') };

function forward(
  legs: readonly ForwardLeg[],
  text: InstrumentText = {},
  held: Partial<HoldingStateText> = {},
): ValuationCase {
  return {
    instrument: instrument({ type: 'forward', legs }, { currency: 'USD', ...text }),
    holdingState: { quantity: '1', ...held },
  };
}

describe('a currency forward', () => {
  const contract = forward([sold, bought]);

  test('is worth its legs at the rates of the day, in the reference currency, each until it settles', () => {
    // EUR/USD is 1.25 until June and 1.2 from then on.
    expect(
      ['2025-05-31', '2025-06-01', '2025-06-29', '2025-06-30', '2025-07-01', '2025-07-02'].map((date) =>
        valueTextOn(contract, date),
      ),
    ).toEqual(['50', '10', '10', '1010', '1010', '0']);
    expect(valuationOn(contract, '2025-06-01')).toMatchObject({ currency: 'EUR', source: 'legs', day: null });
    expect([flagsOn(contract, '2025-06-01'), flagsOn(contract, '2025-07-02')]).toEqual(['', '']);
  });

  test('counts for each contract, and a short has the opposite sign', () => {
    expect(valueTextOn(forward([sold, bought], {}, { quantity: '2.5' }), '2025-05-31')).toBe('125');
    expect(valueTextOn(forward([sold, bought], {}, { quantity: '-1' }), '2025-05-31')).toBe('-50');
  });

  test('is worth its price if it has one, and nothing once it is settled', () => {
    const priced = forward([sold, bought], { prices: { '2025-05-31': '7', '2025-07-02': '9' } }, { quantity: '2' });
    expect(valuationOn(priced, '2025-06-01')).toMatchObject({ currency: 'USD', value: fixed('14'), source: 'price' });
    expect([valueTextOn(priced, '2025-05-30'), valueTextOn(priced, '2025-07-02')]).toEqual(['100', '0']);
  });

  test('in a currency without a rate has no value instead of a wrong one', () => {
    const exchange = { from: 'JPY', to: 'EUR', day: day('2025-06-01') };
    expect(() => valuationOn(forward([{ ...sold, currency: 'JPY' }]), '2025-06-01')).toThrow(
      new MissingRateError(exchange),
    );
  });

  test('is worth its legs after an upload too, unless there is a newer price', () => {
    const upload = { day: '2025-05-30', quantity: '1', marketValue: '33', currency: 'USD', reportingCurrency: 'USD' };
    const stated = forward([sold, bought], { prices: { '2025-05-29': '7', '2025-06-02': '8' } }, { upload });
    expect(['2025-05-30', '2025-05-31', '2025-06-02'].map((date) => valueTextOn(stated, date))).toEqual([
      '33',
      '50',
      '8',
    ]);
  });

  test('without legs is worth the price an upload implies, else its last trade or cost, flagged', () => {
    const upload = { day: '2025-05-30', quantity: '1', marketValue: '33', currency: 'USD' };
    expect(valueTextOn(forward([], {}, { upload, quantity: '2' }), '2025-06-01')).toBe('66');
    expect(valueTextOn(forward([], {}, { cost: '12' }), '2025-06-01')).toBe('12');
    expect(flagsOn(forward([], {}, { cost: '12' }), '2025-06-01')).toBe('estimated');
  });
});
