// Checks explained holdings and sales against figures worked out by hand and against the rows they use.

import { describe, expect, test } from 'vitest';

import {
  initialPurchases,
  coversEveryPlace,
  historyOfEvents,
  shareHoldingOn,
  checkedLines,
  shareTrade,
} from '../../../tests/setup/engine/explained-ledger.ts';
import { day } from '../../../tests/setup/engine/valued-holding.ts';
import {
  explainBalance,
  explainCost,
  explainMarketValue,
  explainRealisation,
  explainUnitCost,
  explainUnrealised,
} from './explanation.ts';
import { lotSnapshotOf } from '../history/holdings.ts';
import type { CostMethod } from '../lots/lot.ts';
import { realisedGains } from '../history/realised-gains.ts';

describe('a holding bought twice in another currency', () => {
  const history = historyOfEvents(initialPurchases);
  const holding = shareHoldingOn(history, '2025-03-04');

  test('is worth units × price at the rate of the day, and costs the sum of its lots at their own rates', () => {
    expect(checkedLines(explainUnrealised(history, holding))).toEqual([
      'unrealised 81 = 500 − 419',
      '  market-value 500 = 600 ÷ 1.2',
      '    value 600 = 600',
      '      quoted-value 600 = 50 × 12',
      '        units 50',
      '        price 12',
      '    exchange-rate 1.2',
      '  reference-cost 419 = 243 + 176',
      '    lot 243 = 243',
      '      exchanged-value 243 = 300 × 0.81',
      '        row-value 300 = 30 × 10',
      '          traded-units 30',
      '          traded-price 10',
      '        rate-of-the-trade 0.81 = 243 ÷ 300',
      '          row-amount 243',
      '          value-with-accrued-interest 300',
      '    lot 176 = 176',
      '      exchanged-value 176 = 220 × 0.8',
      '        row-value 220 = 20 × 11',
      '          traded-units 20',
      '          traded-price 11',
      '        rate-of-the-trade 0.8 = 176 ÷ 220',
      '          row-amount 176',
      '          value-with-accrued-interest 220',
    ]);
    expect(explainCost(history, holding).of).toMatchObject([
      { day: day('2025-01-06'), unit: 'EUR', source: { kind: 'row', row: 2 } },
      { day: day('2025-02-03'), unit: 'EUR', source: { kind: 'row', row: 3 } },
    ]);
    expect(explainMarketValue(history, holding)).toMatchObject({
      unit: 'EUR',
      day: day('2025-03-04'),
      source: { kind: 'position', account: 'euro', depository: 'north', instrument: 'share' },
    });
  });

  test('has a lot whose unit cost is the amount paid, at the rate of the row', () => {
    const [lot] = lotSnapshotOf(history, holding, day('2025-03-04')).lots;
    const request = { position: holding.position, lot: lot!, day: day('2025-03-04') };
    expect(checkedLines(explainUnitCost(history, { ...request, field: 'referenceCost' }))).toEqual([
      'reference-unit-cost 8.1 = 243 ÷ 30',
      '  reference-cost 243 = 243',
      '    exchanged-value 243 = 300 × 0.81',
      '      row-value 300 = 30 × 10',
      '        traded-units 30',
      '        traded-price 10',
      '      rate-of-the-trade 0.81 = 243 ÷ 300',
      '        row-amount 243',
      '        value-with-accrued-interest 300',
      '  units 30',
    ]);
    expect(checkedLines(explainUnitCost(history, { ...request, field: 'cost' })).slice(0, 2)).toEqual([
      'unit-cost 10 = 300 ÷ 30',
      '  cost 300 = 30 × 10',
    ]);
  });

  test('leaves a cash balance that names the previous balance and the row that changed it', () => {
    const cash = history.table.cashPosition('euro', 'EUR');
    const figure = explainBalance(history, cash, day('2025-03-04'));
    expect(checkedLines(figure)).toEqual(['balance 581 = 757 + (-176)', '  balance 757', '  movement -176']);
    expect(figure.of).toMatchObject([
      { day: day('2025-02-02') },
      { day: day('2025-02-03'), source: { kind: 'row', row: 3 } },
    ]);
  });
});

describe('a sale', () => {
  const sale = shareTrade('2025-03-03', ['-40', '12', '410']);

  function lines(name: 'gain' | 'currency-part' | 'price-part' | 'term', method: CostMethod, index: number): string[] {
    const history = historyOfEvents([...initialPurchases, sale], { method });
    const rowRealisations = realisedGains(history, { from: 0, to: 99_999, covers: coversEveryPlace });
    return checkedLines(explainRealisation(history, { realisation: rowRealisations[index]!, rowRealisations }, name));
  }

  test('under FIFO takes a share of the cost of each lot and of the proceeds', () => {
    expect(lines('gain', 'FIFO', 1)).toEqual([
      'gain 10 = 120 − 110',
      '  proceeds 120 = (480 − 360) × 10 ÷ (40 − 30)',
      '    row-value 480 = 40 × 12',
      '      traded-units 40',
      '      traded-price 12',
      '    proceeds 360',
      '    units 10',
      '    held-units 40',
      '    units 30',
      '  cost 110 = 220 × 10 ÷ 20',
      '    held-cost 220 = 20 × 11',
      '      traded-units 20',
      '      traded-price 11',
      '    units 10',
      '    held-units 20',
    ]);
  });

  test('under AVERAGE takes a share of the cost of the position, divided among its lots', () => {
    expect(lines('gain', 'AVERAGE', 1).slice(-15)).toEqual([
      '  cost 104 = (416 − 312) × 10 ÷ (40 − 30)',
      '    removed-cost 416 = 520 × 40 ÷ 50',
      '      held-cost 520 = 300 + 220',
      '        traded-cost 300 = 30 × 10',
      '          traded-units 30',
      '          traded-price 10',
      '        traded-cost 220 = 20 × 11',
      '          traded-units 20',
      '          traded-price 11',
      '      units 40',
      '      held-units 50',
      '    cost 312',
      '    units 10',
      '    held-units 40',
      '    units 30',
    ]);
  });

  test('has a currency part: the cost at the rate of the sale less the reference cost', () => {
    const figure = lines('currency-part', 'FIFO', 0);
    expect(figure.filter((line) => /=/.test(line)).slice(0, 5)).toEqual([
      'currency-part 13.2500000000000001 = 256.2500000000000001 − 243',
      '  cost-at-sale-rate 256.2500000000000001 = 300 × 0.854166666666666667',
      '    cost 300 = 300 × 30 ÷ 30',
      '      held-cost 300 = 30 × 10',
      '    rate 0.854166666666666667 = 410 ÷ 480',
    ]);
    expect(lines('price-part', 'FIFO', 0)[0]).toBe('price-part 51.2499999999999999 = 307.5 − 256.2500000000000001');
  });

  test('leaves a lot whose cost leads back to its purchase and to what each sale took', () => {
    const sales = [shareTrade('2025-02-10', ['-12', '12', '110']), shareTrade('2025-03-03', ['-3', '12', '30'])];
    const history = historyOfEvents([...initialPurchases, ...sales]);
    const figure = explainCost(history, shareHoldingOn(history, '2025-03-04'));
    expect(checkedLines(figure).slice(0, 19)).toEqual([
      'reference-cost 297.5 = 121.5 + 176',
      '  lot 121.5 = 243 − 97.2 − 24.3',
      '    traded-cost 243 = 243',
      '      exchanged-value 243 = 300 × 0.81',
      '        row-value 300 = 30 × 10',
      '          traded-units 30',
      '          traded-price 10',
      '        rate-of-the-trade 0.81 = 243 ÷ 300',
      '          row-amount 243',
      '          value-with-accrued-interest 300',
      '    cost-taken 97.2 = 243 × 12 ÷ 30',
      '      cost-before 243',
      '      units 12',
      '      units-before 30',
      '    cost-taken 24.3 = 145.8 × 3 ÷ 18',
      '      cost-before 145.8',
      '      units 3',
      '      units-before 18',
      '  lot 176 = 176',
    ]);
    expect(figure.of?.[0]?.of?.map(({ source }) => source)).toEqual([2, 4, 5].map((row) => ({ kind: 'row', row })));
  });

  test('is long-term after the anniversary', () => {
    expect(lines('term', 'FIFO', 0)).toEqual([
      `days-after-anniversary 16 = ${day('2025-03-03')} − ${day('2025-02-15')} [long_term]`,
      `  sold ${day('2025-03-03')}`,
      `  anniversary ${day('2025-02-15')} = ${day('2025-01-06')} + 40`,
      `    acquired ${day('2025-01-06')}`,
      '    holding-days 40',
    ]);
    expect(lines('term', 'FIFO', 1)[0]).toMatch(/^days-after-anniversary -12 = .* \[short_term\]$/);
  });

  test('of units that are not held opens a short, which a later purchase realises', () => {
    const history = historyOfEvents([
      shareTrade('2025-01-06', ['-10', '12', '96']),
      shareTrade('2025-02-03', ['4', '11', '-36']),
    ]);
    const rowRealisations = realisedGains(history, { from: 0, to: 99_999, covers: coversEveryPlace });
    const figure = explainRealisation(history, { realisation: rowRealisations[0]!, rowRealisations }, 'gain');
    expect(checkedLines(figure)).toEqual([
      'gain 4 = 48 − 44',
      '  proceeds 48 = (-120) × 4 ÷ (-10)',
      '    held-cost -120 = 0 − 120',
      '      row-value 120 = 10 × 12',
      '        traded-units 10',
      '        traded-price 12',
      '    units 4',
      '    held-units -10',
      '  cost 44 = 44 × 4 ÷ 4',
      '    row-value 44 = 4 × 11',
      '      traded-units 4',
      '      traded-price 11',
      '    units 4',
      '    held-units 4',
    ]);
    expect(figure.of?.map(({ source }) => source)).toEqual([
      { kind: 'row', row: 1 },
      { kind: 'row', row: 2 },
    ]);
  });
});
