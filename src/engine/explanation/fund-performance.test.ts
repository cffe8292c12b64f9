// Checks explained private-market funds against figures worked out by hand.

import { describe, expect, test } from 'vitest';

import { checkedFigureNames } from '../../../tests/setup/engine/explanation-check.ts';
import {
  coversEveryPlace,
  historyOfEvents,
  eventOn,
  checkedLines,
} from '../../../tests/setup/engine/explained-ledger.ts';
import { day, fixed, points } from '../../../tests/setup/engine/valued-holding.ts';
import { explainedFund, explainedWhole, explainEquivalent, explainFundFigure } from './explanation.ts';
import { privateMarkets } from '../private-markets/private-markets.ts';
import { Series } from '../amounts/series.ts';
import type { TransactionDetails } from '../ledger/transaction.ts';

describe('a private-market fund', () => {
  const flow = (
    date: string,
    kind: 'capital-call' | 'distribution',
    value: string,
    details: TransactionDetails | null = null,
  ) =>
    eventOn(date, {
      kind,
      account: 'dollar',
      instrument: 'fund',
      value: fixed(value),
      amount: fixed(kind === 'distribution' ? value : `-${value}`),
      details,
    });
  const history = historyOfEvents([
    flow('2025-01-06', 'capital-call', '400', { effectOnUnfunded: fixed('390') }),
    flow('2025-02-03', 'distribution', '100', { recallable: fixed('40') }),
    flow('2025-03-10', 'capital-call', '60'),
  ]);
  const request = { day: day('2025-03-31'), covers: coversEveryPlace };
  const index = new Series(points({ '2025-01-01': '100', '2025-02-01': '125', '2025-03-01': '150' }));
  const markets = privateMarkets(history, { ...request, index });
  const [fund] = markets.funds;
  const figures = explainedFund(history, fund!, request);

  test('has multiples of the paid-in capital that add up', () => {
    expect(checkedLines(explainFundFigure(figures, 'tvpi'))).toEqual([
      'tvpi 1 = 0.217391304347826087 + 0.782608695652173913',
      '  dpi 0.217391304347826087 = 100 ÷ 460',
      '    distributed 100 = 100',
      '      distribution 100',
      '    paid-in 460 = 400 + 60',
      '      capital-call 400',
      '      capital-call 60',
      '  rvpi 0.782608695652173913 = 360 ÷ 460',
      '    residual-value 360 = 360',
      '      position-value 360 = 300 + 60',
      '        quoted-value 300 = 1 × 300',
      '          units 1',
      '          net-asset-value 300',
      '        fund-flow 60',
      '    paid-in 460 = 400 + 60',
      '      capital-call 400',
      '      capital-call 60',
    ]);
    const residual = explainFundFigure(figures, 'residual-value');
    expect(residual.of?.[0]?.of?.[1]?.source).toEqual({ kind: 'row', row: 3 });
  });

  test('has an IRR at which its flows and its value today are worth nothing together', () => {
    const irr = explainFundFigure(explainedWhole(history, markets, request), 'irr');
    const lines = checkedLines(irr);
    expect(Number(irr.value)).toBe(markets.whole.irr.rate);
    expect(lines.flatMap((line) => /^ +flow (\S+)/.exec(line)?.[1] ?? [])).toEqual(['-320', '80', '-50', '300']);
  });

  test('can still call its commitment, less what was called, plus what is recallable', () => {
    expect(checkedLines(explainFundFigure(figures, 'uncalled'))).toEqual([
      'uncalled 590 = 1000 − 450 + 40',
      '  total 1000',
      '  called 450 = 390 + 60',
      '    capital-call 390',
      '    capital-call 60',
      '  recallable 40 = 40',
      '    distribution 40',
    ]);
  });

  test('is converted at the rates of its flows, and its commitment at the rate of the report day', () => {
    const whole = explainedWhole(history, markets, request);
    expect(checkedLines(explainFundFigure(whole, 'paid-in'))).toEqual([
      'paid-in 370 = 320 + 50',
      '  capital-call 320 = 400 ÷ 1.25',
      '    capital-call 400',
      '    exchange-rate 1.25',
      '  capital-call 50 = 60 ÷ 1.2',
      '    capital-call 60',
      '    exchange-rate 1.2',
    ]);
    expect(checkedLines(explainFundFigure(whole, 'uncalled'))[0]).toBe(
      'uncalled 491.666666666666666666 = 833.333333333333333333 − 375 + 33.333333333333333333',
    );
  });

  test('is converted at the rates of rows that paid from an account in another currency', () => {
    const paid = (date: string, kind: 'capital-call' | 'distribution', [value, amount]: [string, string]) =>
      eventOn(date, { kind, account: 'euro', instrument: 'fund', value: fixed(value), amount: fixed(amount) });
    const events = [
      paid('2025-01-06', 'capital-call', ['200', '-178']),
      paid('2025-02-03', 'capital-call', ['3', '-2']),
      paid('2025-03-10', 'distribution', ['100', '92']),
      eventOn('2025-03-11', { kind: 'fee', account: 'euro', instrument: 'fund', amount: fixed('-5') }),
    ];
    const ofEuros = historyOfEvents(events);
    const both = privateMarkets(ofEuros, request);
    const whole = explainedWhole(ofEuros, both, request);
    expect(checkedLines(explainFundFigure(whole, 'paid-in'))).toEqual([
      'paid-in 185 = 178 + 2 + 5',
      '  capital-call 178 = 200 × 0.89',
      '    capital-call 200',
      '    rate-of-the-trade 0.89 = 178 ÷ 200',
      '      row-amount 178',
      '      value-with-accrued-interest 200',
      '  capital-call 2 = 2 × 3 ÷ 3',
      '    row-amount 2',
      '    capital-call 3',
      '    value-with-accrued-interest 3',
      '  capital-call 5',
    ]);
    expect(checkedLines(explainFundFigure(whole, 'distributed')).slice(0, 2)).toEqual([
      'distributed 92 = 92',
      '  distribution 92 = 100 × 0.92',
    ]);
    const alone = explainedFund(ofEuros, both.funds[0]!, request);
    expect(checkedLines(explainFundFigure(alone, 'paid-in'))).toEqual([
      'paid-in 209 = 200 + 3 + 6',
      '  capital-call 200',
      '  capital-call 3',
      '  capital-call 6 = 5 × 1.2',
      '    capital-call 5',
      '    exchange-rate 1.2',
    ]);
  });

  test('whose stake was sold in part shows what part of the open commitment went with it', () => {
    const sold = historyOfEvents([
      flow('2025-01-06', 'capital-call', '400'),
      eventOn('2025-02-03', {
        kind: 'trade',
        account: 'dollar',
        instrument: 'fund',
        quantity: fixed('-0.25'),
        value: fixed('90'),
        amount: fixed('90'),
      }),
    ]);
    const both = privateMarkets(sold, request);
    const own = explainedFund(sold, both.funds[0]!, request);
    expect(checkedLines(explainFundFigure(own, 'uncalled'))).toEqual([
      'uncalled 450 = 1000 − 400 + 0 − 150',
      '  total 1000',
      '  called 400 = 400',
      '    capital-call 400',
      '  recallable 0 = 0',
      '  transferred 150 = 150',
      '    transferred-commitment 150 = 600 × 0.25 ÷ 1',
      '      uncalled-before 600',
      '      units 0.25',
      '      units-before 1',
    ]);
    const whole = explainedWhole(sold, both, request);
    expect(checkedLines(explainFundFigure(whole, 'uncalled'))[0]).toBe(
      'uncalled 375 = 833.333333333333333333 − 333.333333333333333333 + 0 − 125',
    );
  });

  test('has PIC, what was paid in of the commitment, whatever the exchange rate has done since', () => {
    expect(checkedLines(explainFundFigure(figures, 'pic'))).toEqual([
      'pic 0.46 = 460 ÷ 1000',
      '  paid-in 460 = 400 + 60',
      '    capital-call 400',
      '    capital-call 60',
      '  total 1000',
    ]);
    expect(checkedLines(explainFundFigure(explainedWhole(history, markets, request), 'pic')).slice(0, 4)).toEqual([
      'pic 0.46 = 383.333333333333333333 ÷ 833.333333333333333333',
      '  paid-in 383.333333333333333333 = 383.333333333333333333',
      '    fund-paid-in 383.333333333333333333 = 460 ÷ 1.2',
      '      fund-paid-in 460 = 400 + 60',
    ]);
  });

  test('is compared with an index by carrying every flow forward with the index levels', () => {
    const { equivalent, performance: found, currency: unit } = fund!;
    const compared = { equivalent: equivalent!, residualValue: found.residualValue, unit, day: request.day };
    expect(checkedLines(explainEquivalent(compared, 'ks-pme')).filter((line) => line.includes('='))).toEqual([
      'ks-pme 0.727272727272727273 = (120 + 360) ÷ (0 − (-600) − (-60))',
      '  carried-flow 120 = 100 × 150 ÷ 125',
      '  carried-flow -600 = (-400) × 150 ÷ 100',
      '  carried-flow -60 = (-60) × 150 ÷ 150',
    ]);
    const alpha = explainEquivalent(compared, 'direct-alpha');
    checkedFigureNames(alpha);
    expect(Number(alpha.value)).toBe(equivalent!.reason === null ? equivalent!.directAlpha.result.rate : null);
    const missing = { ...compared, equivalent: { reason: 'index-missing', day: 1 } as const };
    expect(explainEquivalent(missing, 'ks-pme')).toEqual({ name: 'ks-pme', value: null, notes: ['index-missing'] });
  });
});
