import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromFixed } from '../../kit/fixed.ts';
import {
  day,
  fixed,
  flagsOn,
  instrument,
  valuationOn,
  valueTextOn,
} from '../../../tests/setup/engine/valued-holding.ts';
import type { ValuationCase, HoldingStateText, InstrumentText } from '../../../tests/setup/engine/valued-holding.ts';

const fundFlows = {
  '2024-02-01': '100',
  '2024-06-30': '50',
  '2024-08-01': '30',
  '2024-09-01': '-20',
  '2024-12-01': '5',
};

function fund(text: InstrumentText, held: Partial<HoldingStateText> = {}): ValuationCase {
  const terms = { type: 'private-fund', commitment: fixed('500') } as const;
  return { instrument: instrument(terms, text), holdingState: { quantity: '1', cost: '165', fundFlows, ...held } };
}

const netAssetValues = { '2024-06-30': '170', '2024-12-31': '200' };

describe('an investment in a private fund', () => {
  test('is never worth less than nothing, and falls by no more than what is paid out', () => {
    const anyFlows = fc.array(fc.integer({ min: -500, max: 300 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(anyFlows, fc.option(fc.integer({ min: 0, max: 900 })), (flows, netAssetValue) => {
        const dated = flows.map((flow, index) => [`2024-07-${String(index + 10)}`, String(flow)] as const);
        const points = netAssetValue === null ? {} : { netAssetValues: { '2024-06-30': String(netAssetValue) } };
        let value = BigInt(netAssetValue ?? 0);
        for (const [date, flow] of dated) {
          value += BigInt(flow);
          if (value < 0n) value = 0n;
          const investment = fund(points, { fundFlows: Object.fromEntries(dated), cost: String(value) });
          expect(valueTextOn(investment, date)).toBe(String(value));
        }
      }),
    );
  });

  test('is worth its net asset value, rolled forward by later calls and distributions', () => {
    const investment = fund({ netAssetValues });
    expect(
      ['2024-06-30', '2024-08-01', '2024-09-01', '2024-12-30', '2024-12-31'].map((date) =>
        valueTextOn(investment, date),
      ),
    ).toEqual(['170', '200', '180', '185', '200']);
    expect(valuationOn(investment, '2024-09-01')).toMatchObject({
      source: 'net-asset-value',
      day: day('2024-06-30'),
      isStale: false,
    });
    expect([flagsOn(investment, '2024-10-28'), flagsOn(investment, '2024-10-29')]).toEqual(['', 'stale']);
  });

  test('in units is worth its units times the net asset value of a unit', () => {
    const investment = fund({ netAssetValues: { '2024-06-30': '17' } }, { quantity: '12.5' });
    expect(valueTextOn(investment, '2024-08-01')).toBe('242.5'); // 12.5 × 17 + 30
  });

  test('without a net asset value is worth the capital paid in less distributions, flagged', () => {
    const costing = (cost: string): ValuationCase => fund({ prices: { '2024-03-01': '3' } }, { cost });
    for (const [date, cost] of [
      ['2024-02-01', '100'],
      ['2024-06-30', '150'],
      ['2024-09-01', '160'],
    ] as const) {
      expect(valueTextOn(costing(cost), date)).toBe(cost);
    }
    const investment = costing('160');
    expect([valuationOn(investment, '2024-09-01').source, flagsOn(investment, '2024-09-01')]).toEqual([
      'flows',
      'estimated',
    ]);
    const late = fund({ netAssetValues: { '2024-08-01': '500' } }, { cost: '150' });
    expect([valueTextOn(late, '2024-07-31'), valueTextOn(late, '2024-08-01')]).toEqual(['150', '500']);
  });

  test('without a net asset value that was not paid by calls alone is worth the last trade and later flows, else its cost', () => {
    const bought = fund({}, { lastTrade: ['2024-02-01', '900'] });
    expect(['2024-02-01', '2024-06-30', '2024-09-01'].map((date) => valueTextOn(bought, date))).toEqual([
      '900',
      '950',
      '960',
    ]);
    const received = valuationOn(fund({}, { cost: '700' }), '2024-09-01');
    expect(received).toMatchObject({ source: 'cost', value: fixed('700'), isEstimated: true });
  });

  test('without any call is worth its last trade price, else its cost, flagged', () => {
    expect(valueTextOn(fund({}, { fundFlows: {}, lastTrade: ['2024-02-01', '90'] }), '2024-09-01')).toBe('90');
    expect(valueTextOn(fund({}), '2024-01-31')).toBe('165');
    expect(flagsOn(fund({}), '2024-01-31')).toBe('estimated');
  });

  test('that paid out more than it was worth has a finding', () => {
    const investment = fund({ netAssetValues: { '2024-06-30': '15' } }, { fundFlows: { '2024-09-01': '-20' } });
    expect(valuationOn(investment, '2024-09-01')).toMatchObject({
      value: 0n,
      isEstimated: true,
      findings: [{ kind: 'paid-out-beyond-value', amount: fixed('5') }],
    });
  });

  test('is never worth less than nothing by a distribution, and later calls add to that', () => {
    const paidOut = {
      '2024-02-01': '100',
      '2024-07-01': '-130',
      '2024-08-01': '30',
      '2024-09-01': '-20',
      '2024-10-01': '-25',
      '2025-01-10': '-5',
    };
    const dates = ['2024-07-01', '2024-08-01', '2024-09-01', '2024-10-01', '2024-12-31', '2025-01-10'];
    const valued = fund({ netAssetValues: { '2024-06-30': '90', '2024-12-31': '8' } }, { fundFlows: paidOut });
    expect(dates.map((date) => valueTextOn(valued, date))).toEqual(['0', '30', '10', '0', '8', '3']);
    const beyond = dates.map((date) =>
      valuationOn(valued, date).findings.map((found) => ('amount' in found ? fromFixed(found.amount) : '')),
    );
    expect(beyond).toEqual([['40'], ['40'], ['40'], ['55'], [], []]); // 130 − 90, then 25 − 10 as well
    for (const [index, cost] of ['0', '30', '10', '0', '0', '0'].entries()) {
      expect(valueTextOn(fund({}, { fundFlows: paidOut, cost }), dates[index] ?? '')).toBe(cost);
    }
  });

  test('with a net asset value below zero keeps it, and a distribution does not lower it further', () => {
    const indebted = fund({ netAssetValues: { '2024-06-30': '-15' } }, { fundFlows: { '2024-09-01': '-20' } });
    expect([valueTextOn(indebted, '2024-06-30'), valueTextOn(indebted, '2024-09-01')]).toEqual(['-15', '-15']);
  });

  test('rolls forward from an upload in the currency of the upload, at the rate of each flow', () => {
    const upload = { day: '2024-07-31', quantity: '1', marketValue: '200', currency: 'USD', reportingCurrency: 'USD' };
    const later = fund({}, { upload, fundFlows: { '2025-05-31': '4', '2025-06-01': '5' } });
    expect(valuationOn(later, '2025-06-02')).toMatchObject({ currency: 'USD', value: fixed('211') }); // 200 + 4 × 1.25 + 5 × 1.2
    const investment = fund({ netAssetValues }, { upload });
    expect(valuationOn(investment, '2024-07-31')).toMatchObject({ currency: 'USD', value: fixed('200') });
    expect(valuationOn(investment, '2024-12-30')).toMatchObject({
      currency: 'USD',
      value: fixed('218.75'),
      source: 'upload',
    }); // 200 + 15 × 1.25
    expect(valuationOn(investment, '2024-12-31')).toMatchObject({ currency: 'EUR', value: fixed('200') });
  });

  test('that has paid out exactly what it was worth, down to the smallest unit, has paid nothing beyond it', () => {
    const smallest = '0.000000000000000001';
    const investment = fund(
      { netAssetValues: { '2024-06-30': smallest } },
      { fundFlows: { '2024-09-01': `-${smallest}` } },
    );
    const { value, parts, findings } = valuationOn(investment, '2024-09-01');
    expect([value, parts.map(({ kind }) => kind), findings]).toEqual([0n, ['quoted', 'flow'], []]);
  });

  test.each([
    ['held', '1', '-20', { amount: '5', paid: '20', available: '15' }],
    ['owed', '-1', '20', { amount: '-5', paid: '-20', available: '-15' }],
  ])('that is %s and pays beyond its value says how much of it there was', (_what, quantity, flow, beyond) => {
    const investment = fund(
      { netAssetValues: { '2024-06-30': '15' } },
      { quantity, fundFlows: { '2024-09-01': flow } },
    );
    const { value, parts } = valuationOn(investment, '2024-09-01');
    const numbers = Object.fromEntries(Object.entries(beyond).map(([name, text]) => [name, fixed(text)]));
    expect(value).toBe(0n);
    expect(parts.at(-1)).toEqual({ kind: 'beyond-value', ...numbers, day: day('2024-09-01') });
  });

  test('that was called once is worth that call', () => {
    const called = fund({}, { fundFlows: { '2024-02-01': '100' }, cost: '100' });
    expect(valuationOn(called, '2024-09-01')).toMatchObject({ source: 'flows', value: fixed('100') });
  });
});
