import { describe, expect, test } from 'vitest';
import { fromFixed } from '../../kit/fixed.ts';
import {
  day,
  fixed,
  flagsOn,
  holdingState,
  instrument,
  split,
  upload as statedUpload,
  valuationContext,
  valuationOn,
  valueTextOn,
} from '../../../tests/setup/engine/valued-holding.ts';
import type { ValuationCase, HoldingStateText, InstrumentText } from '../../../tests/setup/engine/valued-holding.ts';
import { MissingRateError } from '../currencies/exchange-rates.ts';
import type { PositionState, UploadedValue } from './position-state.ts';
import { findImpliedBaseValue, findPriceStatement } from './upload.ts';

const upload = { day: '2025-03-10', quantity: '8', marketValue: '100', accrued: '4' };

function share(text: InstrumentText, holdingState: Partial<HoldingStateText> = {}): ValuationCase {
  return { instrument: instrument({ type: 'listed' }, text), holdingState: { quantity: '8', upload, ...holdingState } };
}

describe('a price that came with units from another place', () => {
  const onDay = (date: string) => ({ ...statedUpload({ ...upload, day: date }), pricedOn: day('2025-03-01') });
  const carried = onDay('2025-03-10');
  const isUsed = (held: Partial<PositionState>): boolean =>
    findImpliedBaseValue({
      instrument: instrument({ type: 'listed' }, {}),
      held: { ...holdingState({ quantity: '8' }), carriedPrice: carried, ...held },
      context: valuationContext('2025-03-20'),
    }) !== undefined;
  const [before, sameDay, after] = ['2025-03-09', '2025-03-10', '2025-03-11'].map(onDay);
  const trade = ({ day: date }: { day: number }) => ({ lastTrade: { day: date, value: fixed('9') } });

  test('counts until something says a later one, here or elsewhere', () => {
    expect(isUsed({})).toBe(true);
    expect([before!, sameDay!, after!].map((one) => isUsed(trade(one)))).toEqual([true, true, false]);
    expect([before!, sameDay!, after!].map((one) => isUsed({ uploadElsewhere: one }))).toEqual([true, true, false]);
  });

  test('counts only after an upload of this place, not on the day of it', () => {
    const stated = (date: UploadedValue) =>
      findPriceStatement({ ...holdingState({ quantity: '8' }), carriedPrice: carried, upload: date });
    expect([before!, sameDay!, after!].map(stated)).toEqual([carried, sameDay, after]);
    expect(stated(sameDay!)).toBe(sameDay);
    const none = { ...after!, quantity: 0n };
    expect(stated(none)).toBe(carried);
  });

  test('counts after an upload of this place, whatever is said elsewhere', () => {
    expect(isUsed({ upload: before!, uploadElsewhere: after!, ...trade(after!) })).toBe(true);
  });
});

describe('on its own day, an upload', () => {
  test('is worth the stated value at the stated rate, in its reporting currency', () => {
    const stated = { ...upload, currency: 'USD', rate: '0.9', reportingCurrency: 'CHF' };
    const one = share({ currency: 'USD', prices: { '2025-03-10': '50' } }, { upload: stated });
    expect(valuationOn(one, '2025-03-10')).toMatchObject({
      currency: 'CHF',
      value: fixed('93.6'),
      accrued: fixed('3.6'),
      source: 'upload',
      day: day('2025-03-10'),
      isStale: false,
      isEstimated: false,
    });
  });

  test('is rounded once', () => {
    const rate = '0.000000000000000003';
    const one = share({}, { upload: { ...upload, marketValue: '0.3', accrued: '0.3', rate } });
    expect(fromFixed(valuationOn(one, '2025-03-10').value)).toBe('0.000000000000000002'); // 1.8 units of the last place
  });

  test('counts even if it states a value for zero units, which are worth nothing later', () => {
    const one = share({}, { quantity: '0', upload: { ...upload, quantity: '0' } });
    expect([valueTextOn(one, '2025-03-10'), valueTextOn(one, '2025-03-11')]).toEqual(['104', '0']);
  });
});

describe('after its day, an upload', () => {
  test('is valued by a newer point, else by the price it implies', () => {
    const one = share({ prices: { '2025-03-10': '50', '2025-03-12': '13' } }, { quantity: '6' });
    expect(['2025-03-11', '2025-03-12'].map((date) => valueTextOn(one, date))).toEqual(['75', '78']);
    expect(valuationOn(one, '2025-03-11')).toMatchObject({ source: 'upload', day: day('2025-03-10'), accrued: 0n });
    expect(valuationOn(one, '2025-03-12')).toMatchObject({ source: 'price', day: day('2025-03-12') });
  });

  test('takes precedence over the last trade and becomes stale by instrument type', () => {
    const one = share({}, { lastTrade: ['2025-03-12', '1000'] });
    expect(valueTextOn(one, '2025-03-20')).toBe('100');
    expect([flagsOn(one, '2025-03-20'), flagsOn(one, '2025-03-21')]).toEqual(['', 'stale']);
  });

  test('of a fund is valued by a newer price if the net asset value is older', () => {
    const text = { prices: { '2025-03-12': '13' }, netAssetValues: { '2025-03-09': '50' } };
    const one = { ...share({}), instrument: instrument({ type: 'fund' }, text) };
    expect([valueTextOn(one, '2025-03-11'), valueTextOn(one, '2025-03-12')]).toEqual(['100', '104']);
  });

  test('is in old units after a split', () => {
    const one = { ...share({}, { quantity: '16' }), more: { changes: [split('2025-03-12', 2n, 1n)] } };
    expect([valueTextOn(one, '2025-03-11'), valueTextOn(one, '2025-03-12')]).toEqual(['200', '100']);
  });

  test('of a short implies a price too', () => {
    const one = share({}, { quantity: '-4', upload: { ...upload, quantity: '-8', marketValue: '-100' } });
    expect(valueTextOn(one, '2025-03-11')).toBe('-50');
  });

  test('of zero units implies no price: older points are used, else the last trade', () => {
    const none = { ...upload, quantity: '0', marketValue: '0' };
    expect(valueTextOn(share({ prices: { '2025-03-09': '9' } }, { upload: none }), '2025-03-11')).toBe('72');
    const traded = share({}, { upload: none, lastTrade: ['2025-03-11', '11'] });
    expect([valueTextOn(traded, '2025-03-11'), flagsOn(traded, '2025-03-11')]).toEqual(['88', 'estimated']);
  });
});

describe('an uploaded bond', () => {
  const terms = {
    type: 'bond',
    schedule: { maturity: day('2027-03-01') },
    convention: '30/360-BOND',
    rate: fixed('0.036'),
  } as const;
  const stated = { day: '2025-03-10', quantity: '20000', marketValue: '19000', accrued: '99' };
  const position = { quantity: '10000', quantities: { '2025-03-10': '20000', '2025-03-11': '10000' } };

  test('is worth the implied clean price plus interest by its terms', () => {
    const bond = {
      instrument: instrument(terms, { prices: { '2025-03-05': '80' } }),
      holdingState: { ...position, upload: stated },
    };
    expect([valueTextOn(bond, '2025-03-10'), valueTextOn(bond, '2025-03-16')]).toEqual(['19099', '9515']); // 9,500 + 15 × 1
    expect(fromFixed(valuationOn(bond, '2025-03-16').accrued)).toBe('15');
  });

  test('in a currency other than its own has its interest converted at the rate of the day', () => {
    const inDollars = { ...stated, currency: 'USD', reportingCurrency: 'USD' };
    const bond = { instrument: instrument(terms), holdingState: { ...position, upload: inDollars } };
    expect(valuationOn(bond, '2025-03-16')).toMatchObject({
      currency: 'USD',
      value: fixed('9518.75'),
      accrued: fixed('18.75'),
    });
    const unknown = { ...bond, holdingState: { ...bond.holdingState, upload: { ...inDollars, currency: 'JPY' } } };
    expect(() => valuationOn(unknown, '2025-03-16')).toThrow(MissingRateError);
  });
});
