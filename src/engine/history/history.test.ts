// Checks positions through time at their bounds: the first and the last day, the smallest unit, and units that are too wide for doubles.

import { describe, expect, test } from 'vitest';
import { eventWith, type UnnumberedTransaction } from '../../../tests/setup/engine/generated-facts.ts';
import { usualSettings } from '../../../tests/setup/engine/usual-settings.ts';
import { oneFixed } from '../../kit/fixed.ts';
import { Series, type Point } from '../amounts/series.ts';
import { ExchangeRates } from '../currencies/exchange-rates.ts';
import type { InstrumentTerms, ValuedInstrument } from '../instruments/instrument.ts';
import { Ledger } from '../ledger/ledger.ts';
import { cashInstrument } from '../ledger/position-key.ts';
import type { Facts, Upload } from './facts.ts';
import { findings } from './findings.ts';
import { History } from './history.ts';
import { LedgerRows, RowsByPosition } from './ledger-rows.ts';

const accounts: Facts['accounts'] = new Map([
  ['main', { currency: 'EUR', depositories: ['vault'] }],
  ['other', { currency: 'EUR', depositories: ['safe'] }],
  ['named', { currency: 'EUR', depositories: ['named'], method: 'SPECIFIC_ID' }],
  ['dollar', { currency: 'USD', depositories: ['far'] }],
  ['wide', { currency: 'EUR', depositories: ['east', 'west'] }],
]);

type Dated = readonly (readonly [day: number, value: bigint])[];
const seriesOf = (dated: Dated = []): Series => new Series(dated.map(([day, value]): Point => ({ day, value })));

function instrument(
  id: string,
  terms: InstrumentTerms,
  points: { prices?: Dated; navs?: Dated } = {},
): ValuedInstrument {
  const series = { prices: seriesOf(points.prices), netAssetValues: seriesOf(points.navs), indexFactors: seriesOf() };
  return { id, currency: 'EUR', priceUnit: '1', terms, ...series };
}

const yearOfDays = 365;
const loan: InstrumentTerms = {
  type: 'loan',
  principal: oneFixed,
  rate: oneFixed,
  convention: 'ACT/365',
  start: 0,
  maturity: null,
};

/** Units of the share, worth as much as there are unless stated otherwise. */
function uploaded(day: number, depository: string, quantity: bigint, marketValue = quantity): Upload {
  return { kind: 'units', day, depository, instrument: 'share', quantity, marketValue, accrued: 0n, exchange: null };
}

interface Options {
  readonly uploads?: readonly Upload[];
  readonly instruments?: readonly ValuedInstrument[];
  readonly rates?: ExchangeRates;
}

function historyOf(
  events: readonly UnnumberedTransaction[],
  { uploads = [], instruments = [], rates = new ExchangeRates([]) }: Options = {},
): History {
  const all = [instrument('share', { type: 'listed' }), ...instruments];
  return new History({
    ledger: Ledger.from(events.map((one, index) => ({ ...one, row: index + 1 }))),
    uploads,
    accounts,
    instruments: new Map(all.map((one) => [one.id, one])),
    rates,
    settings: usualSettings,
  });
}

type Parts = Partial<UnnumberedTransaction> & Pick<UnnumberedTransaction, 'day'>;

/** A purchase, or a sale of negative units, at 1 each. */
function trade(day: number, quantity: bigint, parts: Partial<UnnumberedTransaction> = {}): UnnumberedTransaction {
  const value = quantity < 0n ? -quantity : quantity;
  const place = { account: 'main', depository: 'vault', instrument: 'share' };
  return eventWith({ kind: 'trade', day, ...place, quantity, value, amount: -quantity, ...parts });
}

const flow = (parts: Parts): UnnumberedTransaction => eventWith({ kind: 'flow', account: 'main', ...parts });

const at = (history: History, instrumentId: string, account = 'main'): number =>
  history.table.positions.findIndex((key) => key.instrument === instrumentId && key.account === account);

const stepsOf = (history: History, position: number): [number, bigint][] => {
  const steps = history.units(position);
  return Array.from(steps.days, (day, index) => [day, steps.valueAt(index)]);
};

describe('units', () => {
  test('have one step for each day, the first and the last one too', () => {
    const days = [1, 1, 2, 2, 2, 3];
    const history = historyOf(days.map((day) => trade(day, oneFixed)));
    expect(stepsOf(history, at(history, 'share'))).toEqual([
      [1, 2n * oneFixed],
      [2, 5n * oneFixed],
      [3, 6n * oneFixed],
    ]);
    expect(stepsOf(history, at(history, cashInstrument('EUR')))).toEqual([
      [1, -2n * oneFixed],
      [2, -5n * oneFixed],
      [3, -6n * oneFixed],
    ]);
  });

  test('of several positions are those of their own rows', () => {
    const rows = [1n, 2n, 3n].map((count) => trade(1, count * oneFixed, { instrument: `share ${count}` }));
    const instruments = [1, 2, 3].map((count) => instrument(`share ${count}`, { type: 'listed' }));
    const history = historyOf(rows, { instruments });
    const units = [1, 2, 3].map((count) => history.quantityAndCost(at(history, `share ${count}`), 1).quantity);
    expect(units).toEqual([oneFixed, 2n * oneFixed, 3n * oneFixed]);
  });

  test('that are replayed have one step for each day, and lots on every day, however many rows there are', () => {
    const details = { action: { action: 'split', ratio: { numerator: 1n, denominator: 1n } } } as const;
    const split = eventWith({ kind: 'corporate-action', day: 1, account: null, instrument: 'share', details });
    const days = Array.from({ length: 700 }, (_, index) => index + 1);
    const history = historyOf([split, ...days.map((day) => trade(day, 1n)), trade(700, 1n)]);
    const position = at(history, 'share');
    expect(stepsOf(history, position)).toEqual(days.map((day) => [day, BigInt(day === 700 ? 701 : day)]));
    for (const day of [1, 254, 255, 256, 257, 258, 510, 511, 512, 513, 514, 699])
      expect(history.lots(position, day).quantity).toBe(BigInt(day));
  });

  test('that are too wide for a double are exact, and so are their lots', () => {
    const wide = 10n ** 24n + 1n;
    const history = historyOf([
      trade(1, wide),
      eventWith({ kind: 'dividend', day: 1, account: 'main', depository: 'vault', instrument: 'share', quantity: 5n }),
      trade(1, wide),
      trade(2, -1n),
    ]);
    const position = at(history, 'share');
    expect(stepsOf(history, position)).toEqual([
      [1, 2n * wide],
      [2, 2n * wide - 1n],
    ]);
    expect(history.lots(position, 2).lots.map(({ quantity }) => quantity)).toEqual([wide - 1n, wide]);
    expect(history.quantityAndCost(position, 1).quantity).toBe(2n * wide);
  });

  test.each([
    ['their quantity', 10n ** 24n + 1n, 7n],
    ['their value', 3n, 10n ** 24n + 1n],
  ])('of which %s alone is too wide are exact', (_what, quantity, value) => {
    const history = historyOf([trade(1, quantity, { value }), trade(2, quantity, { value })]);
    const { lots } = history.lots(at(history, 'share'), 2);
    expect(lots.map((lot) => [lot.quantity, lot.cost])).toEqual([
      [quantity, value],
      [quantity, value],
    ]);
  });

  test('are not changed by dividends, whatever those state', () => {
    const dividend = { kind: 'dividend', quantity: 3n * oneFixed } as const;
    const history = historyOf([
      trade(1, 2n * oneFixed),
      trade(2, 0n, { ...dividend, value: oneFixed }),
      trade(3, -oneFixed),
    ]);
    const left = { quantity: oneFixed, cost: oneFixed, referenceCost: oneFixed };
    expect(history.quantityAndCost(at(history, 'share'), 3)).toEqual(left);
  });

  test('that come in kind are held from their first hundredth on', () => {
    const hundredth = oneFixed / 100n;
    const history = historyOf([flow({ day: 5, depository: 'vault', instrument: 'share', quantity: hundredth })]);
    const position = at(history, 'share');
    expect(history.units(position).valueOn(5)).toBe(hundredth);
    const { lots } = history.lots(position, 5);
    expect(lots).toMatchObject([{ quantity: hundredth, cost: 0n, referenceCost: 0n, isEstimated: true }]);
  });

  test('that an upload states alone are taken by a redemption for the whole account', () => {
    const redeemed = trade(5, -3n, { kind: 'redemption', account: 'wide', depository: null });
    const history = historyOf([redeemed], { uploads: [uploaded(1, 'east', 3n)] });
    const held = history.table.positions.map((_, position) => history.units(position).valueOn(5));
    expect(
      history.table.positions.flatMap(({ instrument: id }, index) => (id === 'share' ? [held[index]] : [])),
    ).toEqual([0n, 0n]);
  });

  test('that an upload states for the only account of a depository have nothing to do with others booked there', () => {
    const others = trade(1, 2n, { account: 'other', depository: 'vault' });
    const history = historyOf([others], { uploads: [uploaded(3, 'vault', 5n)] });
    expect(['main', 'other'].map((account) => history.units(at(history, 'share', account)).valueOn(3))).toEqual([
      5n,
      2n,
    ]);
  });

  test('of a day before anything was there have no lots and no cost', () => {
    const history = historyOf([
      trade(5, oneFixed),
      flow({ day: 5, instrument: 'share', account: 'other', quantity: 1n }),
    ]);
    for (const position of [at(history, 'share'), at(history, 'share', 'other')]) {
      expect(history.lots(position, 4)).toEqual({ lots: [], quantity: 0n, cost: 0n, referenceCost: 0n });
      expect(history.quantityAndCost(position, 4)).toEqual({ quantity: 0n, cost: 0n, referenceCost: 0n });
      expect(history.openLots(position, 4)).toEqual([]);
    }
  });

  test('that name their lots are sold from those, where the custodian wants them named', () => {
    const place = { account: 'named', depository: 'named' };
    const details = { named: [{ row: 2, ordinal: 0, quantity: oneFixed }] };
    const history = historyOf([
      trade(1, oneFixed, place),
      trade(2, oneFixed, place),
      trade(3, -oneFixed, { ...place, details }),
    ]);
    expect(history.lots(at(history, 'share', 'named'), 3).lots.map(({ row }) => row)).toEqual([1]);
  });
});

describe('fees owed', () => {
  const owed = (day: number, amount: bigint): Upload => ({ kind: 'fees', day, account: 'main', owed: amount });
  const fee = (day: number, parts: Partial<UnnumberedTransaction> = {}) =>
    eventWith({ kind: 'fee', day, account: 'main', amount: -2n, ...parts });
  const owedSteps = (events: readonly UnnumberedTransaction[], ...uploads: Upload[]) => {
    const history = historyOf(events, { uploads });
    const [position] = history.checkpoints.keys();
    return { steps: stepsOf(history, position!), legs: history.money(position!).legs.length };
  };

  test('are settled by fees of the account, not by those of what it holds, and not by other rows', () => {
    const place = { depository: 'vault', instrument: 'share' };
    const rows = [trade(1, 1n), fee(6, place), flow({ day: 7, amount: -2n }), fee(8)];
    expect(owedSteps(rows, owed(5, 9n)).steps).toEqual([
      [5, -9n],
      [8, -7n],
    ]);
  });

  test.each([
    ['of an account that is first seen on that day came with it', 5, 1],
    ['of an account that was seen the day before are a cost', 4, 0],
  ])('%s', (_what, day, legs) => {
    expect(owedSteps([flow({ day, amount: 3n })], owed(5, 9n)).legs).toBe(legs);
  });

  test.each([
    ['of an account whose cash is first stated on that day came with it', 5, 1],
    ['of an account whose cash was stated the day before are a cost', 4, 0],
  ])('%s', (_what, day, legs) => {
    const history = historyOf([], { uploads: [owed(5, 9n), { kind: 'cash', day, account: 'main', balance: 3n }] });
    const [position] = history.checkpoints.keys();
    expect(history.money(position!).legs).toHaveLength(legs);
  });
});

describe('a loan', () => {
  const instruments = [instrument('loan', loan)];
  const place = { account: 'main', depository: 'vault', instrument: 'loan' };
  const away = { counterPlace: { account: 'other', depository: 'safe' } };
  const bought = (parts: Partial<UnnumberedTransaction> = {}) => trade(10, 3n, { ...place, ...parts });
  const worth = (history: History, account: string, day: number): bigint =>
    history.value(at(history, 'loan', account), day).value;

  test('of the smallest unit includes the interest that was bought with it, and not what was sold', () => {
    const one = bought({ quantity: 1n, value: 1n, details: { accrued: 5n } });
    expect(worth(historyOf([one], { instruments }), 'main', 10)).toBe(6n);
    const sold = bought({ day: 11, quantity: -1n, details: { accrued: 4n } });
    expect(worth(historyOf([bought({ details: { accrued: 5n } }), sold], { instruments }), 'main', 11)).toBe(3n);
  });

  test('takes its interest along when it moves, whole or in part', () => {
    const moved = flow({ ...place, day: 10 + yearOfDays, quantity: -3n, details: away });
    const history = historyOf([bought(), moved], { instruments });
    expect(worth(history, 'main', 9 + yearOfDays)).toBe(6n);
    expect([worth(history, 'main', 10 + yearOfDays), worth(history, 'other', 10 + yearOfDays)]).toEqual([0n, 6n]);
    const part = { ...moved, quantity: -1n };
    const received = {
      ...part,
      account: 'other',
      depository: 'safe',
      quantity: 1n,
      details: { counterPlace: { account: 'main', depository: 'vault' } },
    };
    for (const row of [part, received]) {
      const split = historyOf([bought(), row], { instruments });
      expect([worth(split, 'main', 10 + yearOfDays), worth(split, 'other', 10 + yearOfDays)]).toEqual([4n, 2n]);
    }
  });

  test.each([
    ['before the day of the move', 9],
    ['on the day of the move', 10],
  ])('has had its interest booked where it was %s', (_what, ago) => {
    const interest = eventWith({ kind: 'interest', ...place, day: ago + yearOfDays, amount: 3n });
    const moved = flow({ ...place, day: 10 + yearOfDays, quantity: -3n, details: away });
    const history = historyOf([bought(), interest, moved], { instruments });
    expect(worth(history, 'other', ago + 2 * yearOfDays)).toBe(6n);
    const again = flow({ ...moved, day: 11 + yearOfDays, quantity: 3n });
    expect(worth(historyOf([bought(), interest, moved, again], { instruments }), 'main', ago + 2 * yearOfDays)).toBe(
      6n,
    );
  });

  test('of which more moved than there was has accrued nothing before for the rest', () => {
    const moved = flow({ ...place, day: 10 + yearOfDays, quantity: -4n, details: away });
    const history = historyOf([bought(), moved], { instruments });
    expect(worth(history, 'other', 10 + yearOfDays)).toBe(7n);
    expect(worth(history, 'main', 10 + 2 * yearOfDays)).toBe(-2n);
    expect(worth(history, 'other', 10 + 2 * yearOfDays)).toBe(11n);
    const more = bought({ day: 11 + yearOfDays, quantity: 2n, account: 'other', depository: 'safe' });
    expect(worth(historyOf([bought(), moved, more], { instruments }), 'other', 10 + 2 * yearOfDays)).toBe(15n);
  });

  test('that joins another has had its interest booked on the days of both', () => {
    const other = { account: 'other', depository: 'safe' };
    const interest = (day: number, parts = {}) => eventWith({ kind: 'interest', ...place, ...parts, day, amount: 3n });
    const moved = flow({ ...place, day: 400, quantity: -3n, details: away });
    const rows = [bought(), bought(other), interest(375), moved, interest(1_000, other)];
    expect(worth(historyOf(rows, { instruments }), 'other', 740)).toBe(12n);
  });
});

test('a fund that was called for the smallest unit at one place is shared with the other by what was called', () => {
  const fund = instrument('fund', { type: 'private-fund', commitment: null }, { navs: [[9, 10n]] });
  const call = (account: string, depository: string, value: bigint) =>
    eventWith({ kind: 'capital-call', day: 5, account, depository, instrument: 'fund', value, amount: -value });
  const history = historyOf([call('main', 'vault', 1n), call('other', 'safe', 3n)], { instruments: [fund] });
  expect(['main', 'other'].map((account) => history.value(at(history, 'fund', account), 9).value)).toEqual([2n, 8n]);
});

test('a running fee was last charged on the latest of its days, whichever account paid', () => {
  const terms = {
    type: 'fee',
    category: 'advisory',
    rate: oneFixed,
    basis: 365n,
    convention: 'ACT/365',
    start: 0,
  } as const;
  const charged = (day: number, account: string) =>
    eventWith({ kind: 'fee', day, account, depository: null, instrument: 'fee', amount: -1n });
  const held = trade(1, 1n, { instrument: 'fee' });
  const events = [held, charged(5, 'other'), charged(9, 'main')];
  const history = historyOf(events, { instruments: [instrument('fee', terms)] });
  const position = history.table.positions.findIndex((key) => key.instrument === 'fee' && key.depository === 'vault');
  expect([4, 5, 7, 9, 10].map((day) => history.value(position, day).value)).toEqual([-4n, 0n, -2n, 0n, -1n]);
});

describe('units in kind', () => {
  const upload = (day: number, marketValue: bigint): Upload => uploaded(day, 'safe', 1n, marketValue);

  test('cost what the latest upload elsewhere of a day before says', () => {
    const received = flow({ day: 5, depository: 'vault', instrument: 'share', quantity: 2n });
    const costWith = (...uploads: Upload[]): bigint => {
      const history = historyOf([received], { uploads });
      return history.quantityAndCost(at(history, 'share'), 5).cost;
    };
    expect([costWith(upload(4, 7n)), costWith(upload(5, 7n)), costWith(upload(3, 6n), upload(4, 7n))]).toEqual([
      14n,
      0n,
      14n,
    ]);
  });

  test('cost what the latest upload of their place of a day before says', () => {
    const received = flow({ day: 5, account: 'other', depository: 'safe', instrument: 'share', quantity: 2n });
    const costsWith = (...uploads: Upload[]): bigint[] => {
      const history = historyOf([received], { uploads });
      const { lots } = history.lots(at(history, 'share', 'other'), 5);
      return lots.map(({ cost }) => cost);
    };
    expect(costsWith(upload(4, 7n))).toEqual([7n, 14n]);
    expect(costsWith(upload(3, 6n), upload(4, 7n))).toEqual([6n, 14n]);
    const later = { ...upload(5, 27n), quantity: 3n };
    expect(costsWith(upload(4, 7n), later)).toEqual([7n, 14n]);
  });

  test('that leave on the day after an upload leave at what it says', () => {
    const left = flow({ day: 6, account: 'other', depository: 'safe', instrument: 'share', quantity: -1n });
    const history = historyOf([left], { uploads: [upload(4, 6n), upload(5, 7n)] });
    const position = at(history, 'share', 'other');
    const leg = history.legs(position).find(({ day, measure }) => day === 6 && measure === 'units');
    expect(leg?.measure === 'units' && history.values.legValue(leg).value).toBe(-7n);
  });

  test('that come and leave on one day without a price are a flow of nothing', () => {
    const come = flow({ day: 5, depository: 'vault', instrument: 'share', quantity: 2n });
    const history = historyOf([come, { ...come, quantity: -2n }]);
    const values = history
      .legs(at(history, 'share'))
      .map((leg) => leg.measure === 'units' && history.values.legValue(leg).value);
    expect(values).toEqual([0n, 0n]);
  });
});

describe('costs in another currency', () => {
  const stock = { ...instrument('stock', { type: 'listed' }), currency: 'USD' };
  const rates = new ExchangeRates([{ base: 'EUR', quote: 'USD', points: [{ day: 0, value: 2n * oneFixed }] }]);
  const far = { account: 'dollar', depository: 'far', instrument: 'stock' };
  const hundredth = oneFixed / 100n;

  test.each([
    ['of a hundredth of a unit', { quantity: hundredth, value: 400n, amount: -400n }, 200n],
    [
      'of what was paid in euros',
      { account: 'main', depository: 'vault', quantity: 3n, value: 400n, amount: -240n },
      240n,
    ],
    [
      'of what was paid for with nothing',
      { account: 'main', depository: 'vault', quantity: 3n, value: 400n, amount: 0n },
      200n,
    ],
  ])('are converted, those %s too', (_what, parts, expected) => {
    const history = historyOf([trade(1, 1n, { ...far, ...parts })], { instruments: [stock], rates });
    const position = history.table.positions.findIndex((key) => key.instrument === 'stock');
    expect(history.quantityAndCost(position, 1).referenceCost).toBe(expected);
  });

  test('are what was paid in euros, also from the very first account', () => {
    const paid = trade(9, 3n, { instrument: 'stock', value: 400n, amount: -240n });
    const rows = [1, 2, 3, 4].map((day) => flow({ day, amount: 1n }));
    const history = historyOf([...rows, paid], { instruments: [stock], rates });
    const ledger = Ledger.from(history.facts.ledger.transactions(), { min: 1, aim: 2, max: 2 });
    const chunked = new History({ ...history.facts, ledger });
    expect(at(chunked, cashInstrument('EUR'))).toBe(0);
    expect(chunked.quantityAndCost(at(chunked, 'stock'), 9).referenceCost).toBe(240n);
  });

  test.each([
    [1n, true],
    [2n, true],
    [0n, false],
  ])('of units in kind at a price of %s lack a rate, if there is none: %s', (price, isLacking) => {
    const priced = { ...instrument('stock', { type: 'listed' }, { prices: [[1, price]] }), currency: 'CHF' };
    const received = flow({ day: 5, depository: 'vault', instrument: 'stock', quantity: oneFixed });
    const history = historyOf([received], { instruments: [priced] });
    const cost = history.quantityAndCost(at(history, 'stock'), 5);
    expect(cost.cost).toBe(price);
    const read = () => cost.referenceCost;
    const known = () => {
      try {
        return read() === 0n;
      } catch {
        return false;
      }
    };
    expect(known()).toBe(!isLacking);
  });
});

describe('prices', () => {
  const priceOf = (history: History, account: string, day: number, id = 'share'): bigint =>
    history.value(at(history, id, account), day).value;
  const elsewhere = { account: 'other', depository: 'safe' };

  test('are those of the latest trade in whichever place', () => {
    const traded = (day: number, price: bigint, parts = {}) => trade(day, oneFixed, { price, ...parts });
    const history = historyOf([traded(1, 3n), traded(5, 5n, elsewhere), traded(9, 7n)]);
    expect([4, 6, 10].map((day) => priceOf(history, 'main', day))).toEqual([3n, 5n, 14n]);
    expect([6, 10].map((day) => priceOf(history, 'other', day))).toEqual([5n, 7n]);
  });

  test('are those of the latest upload in whichever place', () => {
    const uploads = [uploaded(2, 'far', oneFixed, 5n), uploaded(4, 'safe', oneFixed, 7n)];
    const history = historyOf([trade(1, oneFixed)], { uploads });
    expect([1, 3, 5].map((day) => priceOf(history, 'main', day))).toEqual([oneFixed, 5n, 7n]);
  });

  test('go with units that move from a place where an upload states another', () => {
    const units = { depository: 'safe', instrument: 'share', quantity: 2n * oneFixed, accrued: 0n, exchange: null };
    const moved = flow({
      day: 6,
      depository: 'vault',
      instrument: 'share',
      quantity: oneFixed,
      details: { counterPlace: elsewhere },
    });
    const history = historyOf([trade(5, 3n * oneFixed, { price: 4n }), moved], {
      uploads: [{ kind: 'units', day: 4, ...units, marketValue: 20n }],
    });
    expect([priceOf(history, 'main', 5), priceOf(history, 'main', 7), priceOf(history, 'other', 7)]).toEqual([
      12n,
      22n,
      10n,
    ]);
  });

  describe('after a change of symbol', () => {
    const change = (target: string) => {
      const ratio = { numerator: 1n, denominator: 1n };
      const details = { action: { action: 'merger', ratio, target, isSymbolChange: true } } as const;
      return eventWith({ kind: 'corporate-action', day: 5, account: null, instrument: 'share', details });
    };
    const rows = [trade(1, oneFixed, { price: 3n, value: 9n }), trade(5, oneFixed, { price: 7n, ...elsewhere })];
    const worth = (target: string, instruments: readonly ValuedInstrument[]): bigint =>
      priceOf(historyOf([...rows, change(target)], { instruments }), 'main', 6, target);

    test('are the last under the former one, of the day itself too', () => {
      expect(worth('new', [instrument('new', { type: 'listed' })])).toBe(7n);
    });

    test('are those of later trades under the new one from then on', () => {
      const later = trade(8, oneFixed, { price: 9n, instrument: 'new', ...elsewhere });
      const history = historyOf([...rows, change('new'), later], {
        instruments: [instrument('new', { type: 'listed' })],
      });
      expect([6, 7, 8, 9].map((day) => priceOf(history, 'main', day, 'new'))).toEqual([7n, 7n, 9n, 9n]);
    });

    test('are none into another currency, into a private fund and into what no catalogue has', () => {
      const rate = { base: 'EUR', quote: 'USD', points: [{ day: 0, value: oneFixed }] };
      const dollars = { ...instrument('new', { type: 'listed' }), currency: 'USD' };
      const history = historyOf([...rows, change('new')], { instruments: [dollars], rates: new ExchangeRates([rate]) });
      expect(priceOf(history, 'main', 6, 'new')).toBe(9n);
      expect(worth('new', [instrument('new', { type: 'private-fund', commitment: null })])).toBe(9n);
      expect(worth('unknown', [])).toBe(9n);
      expect(priceOf(historyOf([...rows, change('unknown')]), 'other', 6)).toBe(7n);
    });
  });

  test('are divided by each of two equal splits of one day at one place, and by one that is booked for two places once', () => {
    const split = (account: string | null) => {
      const details = { action: { action: 'split', ratio: { numerator: 2n, denominator: 1n } } } as const;
      return eventWith({ kind: 'corporate-action', day: 5, account, instrument: 'share', details });
    };
    const changes = (...places: (string | null)[]) => {
      const history = historyOf([trade(1, oneFixed), ...places.map(split)]);
      return history.changes(at(history, 'share')).length;
    };
    expect([changes(null), changes(null, null), changes('main', 'other'), changes('main', 'other', 'main')]).toEqual([
      1, 2, 1, 2,
    ]);
  });
});

describe('units that leave or move', () => {
  const place = { account: 'main', depository: 'vault' };
  const away = { account: 'other', depository: 'safe' };
  const legValues = (history: History, position: number, day: number): bigint[] =>
    history
      .legs(position)
      .flatMap((leg) => (leg.measure === 'units' && leg.day === day ? [history.values.legValue(leg).value] : []));

  test.each([
    ['a year before', 10, 10 + yearOfDays, {}, -6n],
    ['the day before, with interest', 10, 11, { details: { accrued: 5n } }, -8n],
  ])('are worth what they were, with the interest of a loan bought %s', (_what, from, until, parts, expected) => {
    const lent = { ...place, instrument: 'loan' };
    const rows = [trade(from, 3n, { ...lent, ...parts }), flow({ ...lent, day: until, quantity: -3n })];
    const history = historyOf(rows, { instruments: [instrument('loan', loan)] });
    expect(legValues(history, at(history, 'loan'), until)).toEqual([expected]);
  });

  const fund = instrument('fund', { type: 'private-fund', commitment: null }, { navs: [[9, 80n]] });
  const call = (day: number, value: bigint, at_ = place) =>
    eventWith({ kind: 'capital-call', day, ...at_, instrument: 'fund', value, amount: -value });
  const move = (day: number, quantity: bigint) =>
    flow({ day, ...place, instrument: 'fund', quantity: -quantity, details: { counterPlace: away } });

  test('are worth what the place of a fund that they leave loses by it', () => {
    const history = historyOf([call(5, 5n), call(5, 3n, away), move(11, oneFixed / 4n), move(12, oneFixed / 4n)], {
      instruments: [fund],
    });
    const position = at(history, 'fund');
    const values = (day: number) => history.value(position, day).value;
    expect([10, 11, 12].map(values)).toEqual([50n, values(11), values(12)]);
    expect(legValues(history, position, 11)).toEqual([values(11) - 50n]);
    expect(legValues(history, position, 12)).toEqual([values(12) - values(11)]);
    const leg = history.legs(position).find((one) => one.day === 12)!;
    const { valuation } = history.values.legValue(leg as Parameters<typeof history.values.legValue>[0]);
    expect(valuation).toMatchObject({
      value: values(11) - values(12),
      accrued: 0n,
      parts: [{ kind: 'moved-share', stayed: values(11), left: values(12) }],
    });
  });

  test('are worth what the place of a fund loses that was called for it only the day before', () => {
    const rows = [call(5, 3n, away), call(11, 50n), move(12, oneFixed / 2n)];
    const history = historyOf(rows, { instruments: [fund] });
    expect(legValues(history, at(history, 'fund'), 12)).toEqual([-25n]);
  });

  test.each(['trade', 'redemption', 'distribution', 'flow'] as const)(
    'that leave by a %s take their share of what was called since the net asset value with them',
    (kind) => {
      const half = oneFixed / 2n;
      const sale = trade(11, -half, { kind, instrument: 'fund', value: 40n });
      const bought = trade(5, oneFixed, { instrument: 'fund', value: 70n });
      const rows = [bought, call(10, 20n), sale];
      expect(historyOf(rows, { instruments: [fund] }).value(0, 11).value).toBe(50n);
      const history = historyOf([...rows, move(12, half)], { instruments: [fund] });
      expect(history.value(at(history, 'fund', 'other'), 12).value).toBe(50n);
    },
  );
});

describe('rows of a ledger in several chunks', () => {
  const events = Array.from({ length: 11 }, (_, index) => {
    const details = index % 3 === 0 ? { category: `fee ${index}` } : null;
    const parts = { price: BigInt(index + 1) * oneFixed, details, account: index % 2 === 0 ? 'main' : 'other' };
    return { ...trade(index + 1, BigInt(index + 1) * oneFixed, parts), row: index + 1 };
  });
  const ledger = Ledger.from(events.toReversed(), { min: 2, aim: 3, max: 4 });
  const facts = { ...historyOf([]).facts, ledger };
  const { rows, table } = new History(facts);

  test('are the same one by one', () => {
    expect(ledger.chunks.length).toBeGreaterThan(2);
    expect(events.map((_, index) => rows.transaction(index))).toEqual(events);
    expect(events.map((_, index) => rows.details(index))).toEqual(events.map(({ details }) => details));
    expect(events.map((_, index) => rows.findPrice(index))).toEqual(events.map(({ price }) => price));
    expect(events.map((_, index) => rows.get('value', index))).toEqual(events.map(({ value }) => value));
    expect(rows.rowsWithDetails).toEqual([0, 3, 6, 9]);
    expect([...rows.prices].map((price) => price / 10 ** ledger.scales.price)).toEqual(
      events.map((_, index) => index + 1),
    );
    expect([...rows.days]).toEqual(events.map(({ day }) => day));
  });

  test('are those of a span of days, both included', () => {
    expect(rows.spanOf({ first: 4, last: 6 })).toEqual({ from: 3, to: 6 });
    expect([rows.countUntil(0), rows.countUntil(1), rows.countUntil(99)]).toEqual([0, 1, 11]);
  });

  test('are listed by position, none for a position that was numbered later', () => {
    const byPosition = new RowsByPosition(rows.positions, table.count);
    const [even, odd] = ['main', 'other'].map((account) =>
      table.positions.findIndex((key) => key.account === account && key.instrument === 'share'),
    );
    expect([...byPosition.rowsOf(even!)]).toEqual([0, 2, 4, 6, 8, 10]);
    expect([...byPosition.rowsOf(odd!)]).toEqual([1, 3, 5, 7, 9]);
    expect([...byPosition.rowsWithin(odd!, { from: 3, to: 7 })]).toEqual([3, 5]);
    expect([table.count, table.count + 1, table.count + 5].map((one) => byPosition.rowsOf(one).length)).toEqual([
      0, 0, 0,
    ]);
  });

  test('whose details were added in another order are still in order', () => {
    const added = events.toReversed().reduce((grown, one) => grown.add(one), Ledger.from([]));
    expect(new LedgerRows(added, table).rowsWithDetails).toEqual([0, 3, 6, 9]);
  });
});

describe('findings', () => {
  const covers = () => true;
  const kinds = (history: History, day: number, account?: string) =>
    findings(history, { day, covers: (key) => account === undefined || key.account === account })
      .map(({ kind, position }) => `${kind} ${history.key(position).account}`)
      .filter(
        (text) => !text.startsWith('overdrawn') && !text.startsWith('estimated') && !text.startsWith('stale-value'),
      );

  test('are the same however often they are asked for', () => {
    const history = historyOf([trade(1, 1n, { instrument: 'unknown' })]);
    const first = kinds(history, 5);
    expect(first).toEqual(['unidentified main']);
    expect(kinds(history, 5)).toEqual(first);
    const overdrawn = historyOf([flow({ day: 1, amount: -1n })]);
    const one = [{ kind: 'overdrawn', position: 0, quantity: -1n }];
    expect([1, 2].map(() => findings(overdrawn, { day: 5, covers }))).toEqual([one, one]);
  });

  test('are those of what is covered, up to the day', () => {
    const history = historyOf([
      trade(1, -oneFixed / 100n),
      trade(6, -oneFixed, { account: 'other', depository: 'safe' }),
    ]);
    expect(kinds(history, 5)).toEqual(['short-opened main', 'short main']);
    expect(kinds(history, 6, 'other')).toEqual(['short-opened other', 'short other']);
    expect(kinds(history, 6)).toEqual(['short-opened main', 'short-opened other', 'short main', 'short other']);
  });

  test('are none of what is no longer held, and some of the smallest unit that is', () => {
    const unknown = { instrument: 'unknown' };
    expect(kinds(historyOf([trade(1, 1n, unknown), trade(2, -1n, unknown)]), 5)).toEqual([]);
    const gift = flow({ day: 1, depository: 'vault', instrument: 'unknown', quantity: 1n });
    expect(kinds(historyOf([gift]), 5)).toEqual(['unidentified main']);
  });

  test('are none of an account without cash and of units that were sold while a coupon is owed', () => {
    const schedule = { maturity: 4_000, frequency: 1 } as const;
    const bond = instrument('bond', { type: 'bond', schedule, convention: 'ACT/365', rate: oneFixed / 10n });
    const due = 4_000 - 5 * yearOfDays - 1;
    const history = historyOf(
      [
        flow({ day: 1, amount: 100n }),
        trade(1, 100n, { instrument: 'bond' }),
        trade(due + 1, -100n, { instrument: 'bond', amount: 0n, value: 0n }),
      ],
      { instruments: [bond] },
    );
    const found = findings(history, { day: due + 1, covers });
    expect(history.value(at(history, 'bond'), due + 1).value).toBeGreaterThan(0n);
    expect(found.map(({ kind }) => kind)).not.toContain('short');
    expect(found.map(({ kind }) => kind)).not.toContain('overdrawn');
  });

  test('name rates that are too old only for what is worth something', () => {
    const points = [{ day: 1, value: oneFixed }];
    const rates = new ExchangeRates([{ base: 'EUR', quote: 'USD', points }]).withStaleness({ daysMax: 3 });
    const dollars = (...amounts: bigint[]) => {
      const rows = amounts.map((amount) => flow({ day: 1, account: 'dollar', amount }));
      return findings(historyOf(rows, { rates }), { day: 5, covers }).map(({ kind }) => kind);
    };
    expect([dollars(1n), dollars(2n), dollars(1n, -1n)]).toEqual([['stale-rate'], ['stale-rate'], []]);
  });

  test.each([
    [4, 7, true],
    [5, 7, true],
    [6, 7, false],
    [5, 6, true],
    [5, 5, false],
  ])('name a row of day %i that settles on day %i beside an upload of day 5: %s', (day, settlement, isNamed) => {
    const upload: Upload = { kind: 'cash', day: 5, account: 'main', balance: 3n };
    const history = historyOf([flow({ day, amount: 3n, settlement })], { uploads: [upload] });
    const found = findings(history, { day: 9, covers }).filter(({ kind }) => kind === 'settles-after-upload');
    expect(found.length > 0).toBe(isNamed);
  });

  test('name a forward of the smallest unit from its last day on', () => {
    const legs = [
      { currency: 'EUR', amount: 1n, day: 5 },
      { currency: 'EUR', amount: 1n, day: 8 },
    ];
    const history = historyOf([trade(1, 1n, { instrument: 'forward' })], {
      instruments: [instrument('forward', { type: 'forward', legs })],
    });
    expect([7, 8].map((day) => kinds(history, day))).toEqual([[], ['settlement-not-booked main']]);
  });
});
