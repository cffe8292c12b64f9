// Checks the lot book against the rules for lots and cost, event by event, with figures worked out by hand.

import { describe, expect, test } from 'vitest';

import { lotId } from '../../../tests/setup/engine/lot-id.ts';
import { fromDayNumber, parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import { fromFixed, toFixed } from '../../kit/fixed.ts';
import { MissingConversion } from '../currencies/exchange-rates.ts';
import { LotBook } from './lot-book.ts';
import { holdingTerm, oneYearHoldingPeriod } from './realisation.ts';
import type { CostMethod, Lot, LotOutcome, LotSnapshot, NamedLot, TransferOutcome } from './lot.ts';
import type { TransferOut } from './lot-event.ts';

const fixed = (value: string | number) => toFixed(parseDecimal(String(value)));
const dayOf = (date: string) => toDayNumber(parseCalendarDate(date));

function bookOf(method: CostMethod): LotBook {
  return new LotBook({ method, longAfter: oneYearHoldingPeriod });
}

/** Costs are given in both currencies; a single figure is used for both. */
type Money = string | number | readonly [string | number, string | number];
const tradeOf = (money: Money) => fixed(Array.isArray(money) ? money[0] : money);
const referenceOf = (money: Money) => fixed(Array.isArray(money) ? money[1] : money);

const methods = ['FIFO', 'AVERAGE', 'SPECIFIC_ID'] as const;

let nextRow = 0;

function buy(book: LotBook, date: string, quantity: string | number, cost: Money, row = nextRow++): LotOutcome {
  const quantityAndCost = { quantity: fixed(quantity), cost: tradeOf(cost), referenceCost: referenceOf(cost) };
  return book.acquire({ row, day: dayOf(date), ...quantityAndCost });
}

interface SellTerms {
  readonly rate?: string | number;
  readonly named?: readonly NamedLot[];
}

function sell(book: LotBook, date: string, quantity: string | number, proceeds: Money, terms: SellTerms = {}) {
  return book.dispose({
    row: nextRow++,
    day: dayOf(date),
    quantity: fixed(quantity),
    proceeds: tradeOf(proceeds),
    referenceProceeds: referenceOf(proceeds),
    rate: fixed(terms.rate ?? 1),
    ...(terms.named && { named: terms.named }),
  });
}

/** Both legs of a move between own places. */
function transferBetween(from: LotBook, to: LotBook, transferOut: TransferOut): TransferOutcome {
  const withdrawn = from.withdraw(transferOut);
  const deposited = to.deposit({ row: transferOut.row, day: transferOut.day, lots: withdrawn.lots });
  return { ...withdrawn, ...deposited, findings: [...withdrawn.findings, ...deposited.findings] };
}

function named(row: number, quantity: string | number, ordinal = 0): NamedLot {
  return { row, ordinal, quantity: fixed(quantity) };
}

/** The open lots, oldest first: date, units, cost, and the reference cost if it differs. */
function open(book: LotBook): string[] {
  return openLots(book.snapshot());
}

function openLots({ lots }: LotSnapshot): string[] {
  return lots.map(({ acquired, quantity, cost, referenceCost, isEstimated }) => {
    const reference = cost === referenceCost ? '' : `/${fromFixed(referenceCost)}`;
    return `${fromDayNumber(acquired)} ${fromFixed(quantity)} @${fromFixed(cost)}${reference}${isEstimated ? ' estimated' : ''}`;
  });
}

/** The realised gains: units, acquisition date, proceeds, cost and term. */
function realised({ realised }: LotOutcome): string[] {
  return realised.map(({ acquired, quantity, cost, proceeds, term }) => {
    return `${fromFixed(quantity)} of ${fromDayNumber(acquired)}: ${fromFixed(proceeds)} − ${fromFixed(cost)} ${term}`;
  });
}

function findings({ findings }: LotOutcome): string[] {
  return findings.map((finding) => {
    const lot = finding.kind === 'named-lot-missing' ? ` ${lotId(finding.lot)}` : '';
    return `${finding.kind}${lot} ${fromFixed(finding.quantity)}`;
  });
}

describe('FIFO', () => {
  test('the oldest units are sold first, each with its lot’s share of the cost and its units’ share of the proceeds', () => {
    const book = bookOf('FIFO');
    buy(book, '2024-01-10', 10, 100);
    buy(book, '2024-02-10', 10, 200);
    const sale = sell(book, '2024-03-10', 15, 450);
    expect(realised(sale)).toEqual(['10 of 2024-01-10: 300 − 100 short_term', '5 of 2024-02-10: 150 − 100 short_term']);
    expect(open(book)).toEqual(['2024-02-10 5 @100']);
  });

  test('a share of the cost is rounded half-even at 18 places, and the last units take the remainder', () => {
    const book = bookOf('FIFO');
    buy(book, '2024-01-10', 3, 1);
    expect(realised(sell(book, '2024-03-10', 1, 0))).toEqual(['1 of 2024-01-10: 0 − 0.333333333333333333 short_term']);
    expect(realised(sell(book, '2024-03-10', 1, 0))).toEqual(['1 of 2024-01-10: 0 − 0.333333333333333334 short_term']);
    expect(realised(sell(book, '2024-03-10', 1, 0))).toEqual(['1 of 2024-01-10: 0 − 0.333333333333333333 short_term']);
    expect(book.total).toEqual({ quantity: 0n, cost: 0n, referenceCost: 0n });
  });

  test('proceeds that do not divide evenly still add up', () => {
    const book = bookOf('FIFO');
    for (const month of ['01', '02', '03']) buy(book, `2024-${month}-10`, 1, 1);
    const { realised: parts } = sell(book, '2024-04-10', 3, 100);
    expect(parts.map(({ proceeds }) => fromFixed(proceeds))).toEqual([
      '33.333333333333333333',
      '33.333333333333333334',
      '33.333333333333333333',
    ]);
  });

  test('a lot added later but acquired earlier is sold first; lots of one day are sold in the order they were added', () => {
    const book = bookOf('FIFO');
    buy(book, '2024-02-10', 1, 20);
    buy(book, '2024-03-10', 1, 30);
    const lots = ['2024-02-10', '2024-01-10', '2024-02-10'].map((date, index) => {
      return { ...quantityAndCost(1, 40 + index), acquired: dayOf(date), isEstimated: false };
    });
    book.deposit({ row: nextRow++, day: dayOf('2024-04-10'), lots });
    expect(open(book)).toEqual([
      '2024-01-10 1 @41',
      '2024-02-10 1 @20',
      '2024-02-10 1 @40',
      '2024-02-10 1 @42',
      '2024-03-10 1 @30',
    ]);
  });

  test('of two lots that arrive together, the one acquired earlier is sold first', () => {
    const book = bookOf('FIFO');
    const lots = ['2024-02-10', '2024-01-10'].map((date) => {
      return { ...quantityAndCost(1, 10), acquired: dayOf(date), isEstimated: false };
    });
    book.deposit({ row: nextRow++, day: dayOf('2024-04-10'), lots });
    expect(open(book)).toEqual(['2024-01-10 1 @10', '2024-02-10 1 @10']);
  });

  test('named lots are ignored', () => {
    const book = bookOf('FIFO');
    buy(book, '2024-01-10', 1, 10);
    buy(book, '2024-02-10', 1, 20, 77);
    const sale = sell(book, '2024-03-10', 1, 0, { named: [named(77, 1)] });
    expect([open(book), findings(sale)]).toEqual([['2024-02-10 1 @20'], []]);
  });
});

function quantityAndCost(quantity: string | number, cost: Money) {
  return { quantity: fixed(quantity), cost: tradeOf(cost), referenceCost: referenceOf(cost) };
}

describe('AVERAGE', () => {
  test('units are sold by date at the average cost; the remaining lots share the average and keep their dates', () => {
    const book = bookOf('AVERAGE');
    buy(book, '2023-01-10', 10, 100);
    buy(book, '2024-02-10', 10, 200);
    const sale = sell(book, '2024-03-10', 15, 450);
    expect(realised(sale)).toEqual(['10 of 2023-01-10: 300 − 150 long_term', '5 of 2024-02-10: 150 − 75 short_term']);
    expect(open(book)).toEqual(['2024-02-10 5 @75']);
    buy(book, '2024-04-10', 5, 125);
    expect(open(book)).toEqual(['2024-02-10 5 @100', '2024-04-10 5 @100']);
  });

  test('the removed cost is rounded once for the position, not once for each lot', () => {
    const book = bookOf('AVERAGE');
    for (let count = 0; count < 3; count++) buy(book, '2024-01-10', 1, count === 0 ? 1 : 0);
    const { realised: parts } = sell(book, '2024-03-10', 2, 0);
    expect(parts.map(({ cost }) => fromFixed(cost))).toEqual(['0.333333333333333334', '0.333333333333333333']);
    expect(open(book)).toEqual(['2024-01-10 1 @0.333333333333333333']);
  });

  test('the lots’ costs add up to the position’s, and their unit cost is the average', () => {
    const book = bookOf('AVERAGE');
    for (const date of ['2024-01-10', '2024-01-11', '2024-01-12']) buy(book, date, 1, '0.333333333333333333');
    buy(book, '2024-01-13', 4, '0.000000000000000002');
    const { lots, cost } = book.snapshot();
    expect(lots.reduce((sum, lot) => sum + lot.cost, 0n)).toBe(cost);
    expect(new Set(lots.map((lot) => fromFixed(lot.unitCost)))).toEqual(new Set(['0.142857142857142857']));
  });

  test('the average starts again after the position was empty', () => {
    const book = bookOf('AVERAGE');
    buy(book, '2024-01-10', 3, 100);
    sell(book, '2024-02-10', 3, 50);
    buy(book, '2024-03-10', 1, 7);
    expect(open(book)).toEqual(['2024-03-10 1 @7']);
  });
});

describe('SPECIFIC_ID', () => {
  function threeLots(): LotBook {
    const book = bookOf('SPECIFIC_ID');
    buy(book, '2024-01-10', 10, 100, 1001);
    buy(book, '2024-02-10', 10, 200, 1002);
    buy(book, '2024-03-10', 10, 300, 1003);
    return book;
  }

  test('the named lots are sold, each with the named quantity', () => {
    const book = threeLots();
    const sale = sell(book, '2024-04-10', 7, 700, { named: [named(1003, 4), named(1002, 3)] });
    expect(realised(sale)).toEqual(['4 of 2024-03-10: 400 − 120 short_term', '3 of 2024-02-10: 300 − 60 short_term']);
    expect(findings(sale)).toEqual([]);
    expect(open(book)).toEqual(['2024-01-10 10 @100', '2024-02-10 7 @140', '2024-03-10 6 @180']);
  });

  test('the oldest lots replace a named lot that is gone or too small, and this is a finding', () => {
    const book = threeLots();
    sell(book, '2024-04-10', 8, 0, { named: [named(1002, 8)] });
    const sale = sell(book, '2024-04-11', 6, 0, { named: [named(1002, 4), named(999, 2)] });
    expect(findings(sale)).toEqual(['named-lot-missing 1002.0 2', 'named-lot-missing 999.0 2']);
    expect(open(book)).toEqual(['2024-01-10 6 @60', '2024-03-10 10 @300']);
  });

  test('the oldest lots are sold for units without a named lot, and this is a finding', () => {
    const book = threeLots();
    expect(findings(sell(book, '2024-04-10', 5, 0))).toEqual(['lots-not-named 5']);
    expect(findings(sell(book, '2024-04-10', 5, 0, { named: [named(1003, 2)] }))).toEqual(['lots-not-named 3']);
    expect(open(book)).toEqual(['2024-01-10 2 @20', '2024-02-10 10 @200', '2024-03-10 8 @240']);
  });

  test('if more units are named than sold, the names are used in order and the rest is a finding', () => {
    const book = threeLots();
    const sale = sell(book, '2024-04-10', 5, 0, { named: [named(1003, 4), named(1002, 4)] });
    expect(findings(sale)).toEqual(['too-much-named 3']);
    expect(open(book)).toEqual(['2024-01-10 10 @100', '2024-02-10 9 @180', '2024-03-10 6 @180']);
  });

  test('a named lot with zero or negative units is ignored', () => {
    const book = threeLots();
    const sale = sell(book, '2024-04-10', 5, 0, { named: [named(1003, -4), named(1002, 5)] });
    expect([findings(sale), open(book)[1]]).toEqual([[], '2024-02-10 5 @100']);
  });

  test('every finding counts down to the smallest unit', () => {
    const smallest = (count: number) => `0.00000000000000000${count}`;
    const book = bookOf('SPECIFIC_ID');
    buy(book, '2024-01-10', smallest(5), 5, 1001);
    buy(book, '2024-02-10', smallest(5), 5, 1002);
    const sale = (units: number, name: number) =>
      findings(sell(book, '2024-04-10', smallest(units), 0, { named: [named(1002, smallest(name))] }));
    expect(sale(1, 1)).toEqual([]);
    expect(open(book)[1]).toBe(`2024-02-10 ${smallest(4)} @4`);
    expect(sale(2, 1)).toEqual([`lots-not-named ${smallest(1)}`]);
    expect(sale(1, 2)).toEqual([`too-much-named ${smallest(1)}`]);
    expect(open(book)).toEqual([`2024-01-10 ${smallest(4)} @4`, `2024-02-10 ${smallest(2)} @2`]);
  });

  test('names for a sale of what is not held are no finding of their own', () => {
    const book = bookOf('SPECIFIC_ID');
    expect(findings(sell(book, '2024-04-10', 2, 0, { named: [named(1001, 5)] }))).toEqual(['short-opened 2']);
  });

  test('a short that moves is named by its lots too', () => {
    const book = bookOf('SPECIFIC_ID');
    sell(book, '2024-01-10', 3, 30);
    sell(book, '2024-02-10', 3, 60);
    const day = dayOf('2024-04-10');
    const lots = [named(nextRow - 1, 2)];
    const moved = book.withdraw({ row: nextRow++, day, ...quantityAndCost(-3, 0), named: lots });
    expect([findings(moved), open(book)]).toEqual([['lots-not-named 1'], ['2024-01-10 -2 @-20', '2024-02-10 -1 @-20']]);
  });

  test('a lot moved in kind is named by the row that moved it and its index among the lots of that row', () => {
    const [from, to] = [threeLots(), bookOf('SPECIFIC_ID')];
    transferBetween(from, to, { row: 1004, day: dayOf('2024-04-10'), ...quantityAndCost(20, 0) });
    const sale = sell(to, '2024-05-10', 10, 0, { named: [named(1004, 10, 1)] });
    expect([findings(sale), open(to)]).toEqual([[], ['2024-01-10 10 @100']]);
  });

  test('a sale of more than is held takes all lots, named or not, and opens a short', () => {
    const book = threeLots();
    const sale = sell(book, '2024-04-10', 32, 320, { named: [named(1003, 10), named(1002, 10), named(1001, 12)] });
    expect(findings(sale)).toEqual(['short-opened 2']);
    expect(open(book)).toEqual(['2024-04-10 -2 @-20']);
  });
});

describe('shorts', () => {
  test.each(['FIFO', 'AVERAGE', 'SPECIFIC_ID'] as const)(
    '%s: units that are sold but not held become a short at their proceeds',
    (method) => {
      const book = bookOf(method);
      buy(book, '2024-01-10', 4, 40);
      const sale = sell(book, '2024-02-10', 10, 150, { named: [named(nextRow - 1, 10)] });
      expect(realised(sale)).toEqual(['4 of 2024-01-10: 60 − 40 short_term']);
      expect(findings(sale)).toEqual(['short-opened 6']);
      expect(open(book)).toEqual(['2024-02-10 -6 @-90']);
    },
  );

  test('a buy closes the oldest short first, and opens a lot with the rest', () => {
    const book = bookOf('FIFO');
    sell(book, '2024-01-10', 2, 20);
    sell(book, '2024-02-10', 2, 30);
    const purchase = buy(book, '2024-03-10', 3, 36);
    expect(realised(purchase)).toEqual(['2 of 2024-03-10: 20 − 24 short_term', '1 of 2024-03-10: 15 − 12 short_term']);
    expect(open(book)).toEqual(['2024-02-10 -1 @-15']);
    buy(book, '2024-04-10', 3, 30);
    expect(open(book)).toEqual(['2024-04-10 2 @20']);
  });

  test('under AVERAGE shorts share their average too', () => {
    const book = bookOf('AVERAGE');
    sell(book, '2024-01-10', 2, 20);
    sell(book, '2024-02-10', 2, 30);
    expect(realised(buy(book, '2024-03-10', 2, 24))).toEqual(['2 of 2024-03-10: 25 − 24 short_term']);
    expect(open(book)).toEqual(['2024-02-10 -2 @-25']);
  });

  test('units acquired long before they arrive cover an earlier short sale as a long-term sale', () => {
    const [home, away] = [bookOf('FIFO'), bookOf('FIFO')];
    buy(home, '2020-01-10', 5, 50);
    sell(away, '2024-01-10', 5, 100);
    const transfer = transferBetween(home, away, {
      row: nextRow++,
      day: dayOf('2024-01-12'),
      ...quantityAndCost(5, 999),
    });
    expect(realised(transfer)).toEqual(['5 of 2020-01-10: 100 − 50 long_term']);
    expect([open(home), open(away)]).toEqual([[], []]);
  });

  test('the gain on a short is split into price and currency parts at the rate of its proceeds', () => {
    const book = bookOf('FIFO');
    sell(book, '2024-01-10', 10, [1000, 900], { rate: '0.9' });
    const [gain] = buy(book, '2024-02-10', 10, [800, 640]).realised;
    expect([gain!.pricePart, gain!.currencyPart, gain!.referenceGain]).toEqual([fixed(180), fixed(80), fixed(260)]);
  });

  test('a cost without units belongs to no lot, so it is realised', () => {
    const book = bookOf('FIFO');
    expect(buy(book, '2024-01-10', 0, 5).realised.map(({ gain }) => gain)).toEqual([fixed(-5)]);
    expect(sell(book, '2024-01-10', 0, 3).realised.map(({ gain }) => gain)).toEqual([fixed(3)]);
    expect(buy(book, '2024-01-10', 0, [5, 0]).realised).toMatchObject([{ gain: fixed(-5), referenceGain: 0n }]);
    expect(buy(book, '2024-01-10', 0, [0, 4]).realised).toMatchObject([{ gain: 0n, referenceGain: fixed(-4) }]);
    expect(buy(book, '2024-01-10', 0, 0).realised).toEqual([]);
    expect(open(book)).toEqual([]);
  });
});

describe('the gain', () => {
  test('is split into a price part at the rate of the sale and a currency part on the cost', () => {
    const book = bookOf('FIFO');
    buy(book, '2024-01-10', 10, [1000, 900]);
    const [gain] = sell(book, '2024-02-10', 4, [500, 475], { rate: '0.95' }).realised;
    expect(gain).toMatchObject({
      lot: { row: nextRow - 2, ordinal: 0 },
      quantity: fixed(4),
      held: quantityAndCost(10, [1000, 900]),
      cost: fixed(400),
      proceeds: fixed(500),
      gain: fixed(100),
      referenceCost: fixed(360),
      referenceProceeds: fixed(475),
      referenceGain: fixed(115),
      costAtSaleRate: fixed(380),
      pricePart: fixed(95), // (500 − 400) × 0.95
      currencyPart: fixed(20), // 400 × (0.95 − 0.90)
    });
  });

  test('is exact even if the amounts of the trade do not match its rate: each currency keeps its own difference', () => {
    const book = bookOf('FIFO');
    buy(book, '2024-01-10', 3, ['100.01', '91.23']);
    const [gain] = sell(book, '2024-02-10', 1, ['40', '36.67'], { rate: '0.9167' }).realised;
    // Cost 100.01 / 3 = 33.336666666666666667, × 0.9167 = 30.5597223333333333336; reference cost 91.23 / 3 = 30.41.
    expect(fromFixed(gain!.costAtSaleRate)).toBe('30.559722333333333334');
    expect(fromFixed(gain!.currencyPart)).toBe('0.149722333333333334');
    expect(fromFixed(gain!.pricePart)).toBe('6.110277666666666666');
    expect(gain!.pricePart + gain!.currencyPart).toBe(fixed('36.67') - fixed('30.41'));
  });

  test('in one currency has no currency part', () => {
    const book = bookOf('AVERAGE');
    buy(book, '2024-01-10', 3, 100);
    const [gain] = sell(book, '2024-02-10', 1, 50).realised;
    expect(gain!.currencyPart).toBe(0n);
  });

  test('on units that cover a short by transfer, without proceeds, is all price because there is no rate', () => {
    const [home, away] = [bookOf('FIFO'), bookOf('FIFO')];
    buy(home, '2024-01-10', 1, [10, 9]);
    sell(away, '2024-01-11', 1, 0);
    const [gain] = transferBetween(home, away, {
      row: nextRow++,
      day: dayOf('2024-01-12'),
      ...quantityAndCost(1, 0),
    }).realised;
    expect([gain!.pricePart, gain!.currencyPart]).toEqual([fixed(-9), 0n]);
  });

  test.each([
    ['2023-03-01', '2024-03-01', 'short_term'],
    ['2023-03-01', '2024-03-02', 'long_term'],
    ['2024-02-29', '2025-02-28', 'short_term'],
    ['2024-02-29', '2025-03-01', 'long_term'],
    ['2023-02-28', '2024-02-28', 'short_term'],
    ['2023-02-28', '2024-02-29', 'long_term'],
  ])('on units of %s sold on %s is %s', (acquired, sold, term) => {
    expect(holdingTerm({ acquired: dayOf(acquired), sold: dayOf(sold) }, oneYearHoldingPeriod)).toBe(term);
  });

  test.each([
    [{ unit: 'days', count: 180 }, '2024-06-29', 'short_term'],
    [{ unit: 'days', count: 180 }, '2024-06-30', 'long_term'],
    [{ unit: 'months', count: 120 }, '2034-01-01', 'short_term'],
    [{ unit: 'months', count: 120 }, '2034-01-02', 'long_term'],
  ] as const)('under a holding period of %j, on units of 2024-01-01 sold on %s, is %s', (longAfter, sold, term) => {
    const book = new LotBook({ method: 'FIFO', longAfter });
    buy(book, '2024-01-01', 1, 1);
    expect(sell(book, sold, 1, 1).realised[0]!.term).toBe(term);
  });
});

describe('a split', () => {
  function split(book: LotBook, numerator: bigint, denominator: bigint) {
    return book.split({ row: nextRow++, day: dayOf('2024-06-03'), ratio: { numerator, denominator } });
  }

  test.each(methods)('%s: changes the units of each lot and keeps cost and dates', (method) => {
    const book = bookOf(method);
    buy(book, '2024-01-10', 10, [100, 90]);
    buy(book, '2024-02-10', 5, [50, 45]);
    expect(split(book, 3n, 2n)).toEqual({ realised: [], findings: [] });
    expect(open(book)).toEqual(['2024-01-10 15 @100/90', '2024-02-10 7.5 @50/45']);
  });

  test('a stock dividend of one for ten is a split of eleven for ten', () => {
    const book = bookOf('FIFO');
    buy(book, '2024-01-10', 25, 100);
    split(book, 11n, 10n);
    expect(open(book)).toEqual(['2024-01-10 27.5 @100']);
  });

  test('fractions are kept to 18 places, and the lots add up to the rounded total', () => {
    const book = bookOf('FIFO');
    for (const date of ['2024-01-10', '2024-02-10', '2024-03-10']) buy(book, date, 1, 10);
    split(book, 1n, 3n);
    expect(open(book)).toEqual([
      '2024-01-10 0.333333333333333333 @10',
      '2024-02-10 0.333333333333333334 @10',
      '2024-03-10 0.333333333333333333 @10',
    ]);
    expect(book.total.quantity).toBe(fixed(1));
  });

  test('changes the units of shorts too', () => {
    const book = bookOf('FIFO');
    sell(book, '2024-01-10', 4, 40);
    split(book, 2n, 1n);
    expect(open(book)).toEqual(['2024-01-10 -8 @-40']);
  });

  test('a lot that rounds to zero units passes its cost to its neighbour', () => {
    const book = bookOf('FIFO');
    for (const date of ['2024-01-10', '2024-02-10', '2024-03-10']) buy(book, date, '0.000000000000000001', 10);
    split(book, 1n, 3n);
    expect(open(book)).toEqual(['2024-02-10 0.000000000000000001 @30']);
  });

  test('the cost is lost if all units round to zero', () => {
    const book = bookOf('FIFO');
    buy(book, '2024-01-10', '0.000000000000000001', 10);
    const [loss] = split(book, 1n, 3n).realised;
    expect([loss!.gain, loss!.referenceGain, open(book)]).toEqual([fixed(-10), fixed(-10), []]);
  });
});

describe('a return of capital', () => {
  function returnCapital(book: LotBook, money: Money, rate: string | number = 1) {
    return book.reduceCost({
      row: nextRow++,
      day: dayOf('2024-06-03'),
      amount: tradeOf(money),
      referenceAmount: referenceOf(money),
      rate: fixed(rate),
    });
  }

  test.each(methods)('%s: lowers the cost in proportion to units, without a gain', (method) => {
    const book = bookOf(method);
    buy(book, '2024-01-10', 10, 100);
    buy(book, '2024-02-10', 30, 300);
    expect(realised(returnCapital(book, 80))).toEqual([]);
    expect(open(book)).toEqual(['2024-01-10 10 @80', '2024-02-10 30 @240']);
  });

  test('the excess over a lot’s cost is a gain on that lot, whatever the other lots cost', () => {
    const book = bookOf('FIFO');
    buy(book, '2023-01-10', 10, 10);
    buy(book, '2024-02-10', 10, 500);
    const [gain, ...others] = returnCapital(book, 60).realised;
    expect(gain).toMatchObject({
      gain: fixed(20),
      quantity: 0n,
      proceeds: fixed(30),
      cost: fixed(10),
      term: 'long_term',
    });
    expect(others).toEqual([]);
    expect(open(book)).toEqual(['2023-01-10 10 @0', '2024-02-10 10 @470']);
  });

  test('under AVERAGE only the excess over the average cost is a gain', () => {
    const book = bookOf('AVERAGE');
    buy(book, '2023-01-10', 10, 10);
    buy(book, '2024-02-10', 10, 500);
    expect(returnCapital(book, 60).realised).toEqual([]);
    expect(open(book)).toEqual(['2023-01-10 10 @225', '2024-02-10 10 @225']);
    expect(returnCapital(book, 500).realised.map(({ gain }) => gain)).toEqual([fixed(25), fixed(25)]);
    expect(book.total).toEqual(quantityAndCost(20, 0));
  });

  test('the cost in each currency is lowered by its own amount and exceeded separately', () => {
    const book = bookOf('FIFO');
    buy(book, '2024-01-10', 10, [100, 90]);
    expect(returnCapital(book, [50, 55], '1.1').realised).toEqual([]);
    expect(open(book)).toEqual(['2024-01-10 10 @50/35']);
    const [currency] = returnCapital(book, [40, 44], '1.1').realised;
    expect(currency).toMatchObject({ gain: 0n, referenceGain: fixed(9), pricePart: 0n, currencyPart: fixed(9) });
    const [both] = returnCapital(book, [30, 33], '1.1').realised;
    expect(both).toMatchObject({
      gain: fixed(20),
      referenceGain: fixed(33),
      pricePart: fixed(22),
      currencyPart: fixed(11),
    });
    expect(open(book)).toEqual(['2024-01-10 10 @0']);
  });

  test('more than the cost in the trade currency and less in the reference currency is a price gain and a currency loss', () => {
    const book = bookOf('FIFO');
    buy(book, '2024-01-10', 10, [100, 90]);
    const [gain] = returnCapital(book, [120, 60], '0.5').realised;
    expect(gain).toMatchObject({ gain: fixed(20), referenceGain: 0n, pricePart: fixed(10), currencyPart: fixed(-10) });
    expect(open(book)).toEqual(['2024-01-10 10 @0/30']);
  });

  test('on units with a negative cost, all of it is a gain', () => {
    const book = bookOf('FIFO');
    buy(book, '2024-01-10', 1, -10);
    expect(returnCapital(book, 5).realised.map(({ gain }) => gain)).toEqual([fixed(5)]);
    expect(open(book)).toEqual(['2024-01-10 1 @-10']);
  });

  test('a short pays it: its proceeds shrink, and the excess over them is a loss', () => {
    const book = bookOf('FIFO');
    sell(book, '2024-01-10', 10, 100);
    expect(returnCapital(book, -60).realised).toEqual([]);
    expect(open(book)).toEqual(['2024-01-10 -10 @-40']);
    expect(returnCapital(book, -60).realised.map(({ gain }) => gain)).toEqual([fixed(-20)]);
    expect(open(book)).toEqual(['2024-01-10 -10 @0']);
  });

  test('for units that are no longer held it is all gain, and zero is no gain', () => {
    const [gain] = returnCapital(bookOf('FIFO'), [5, 4], '0.8').realised;
    expect(gain).toMatchObject({ lot: undefined, gain: fixed(5), referenceGain: fixed(4), currencyPart: 0n });
    expect([gain!.acquired, gain!.sold]).toEqual([dayOf('2024-06-03'), dayOf('2024-06-03')]);
    expect(returnCapital(bookOf('FIFO'), 0).realised).toEqual([]);
  });
});

describe('a spin-off', () => {
  const terms = { day: dayOf('2024-06-03'), share: fixed('0.25'), ratio: { numerator: 1n, denominator: 2n } };

  test.each(methods)('%s: moves the share of every lot’s cost with the lot’s date', (method) => {
    const [parent, child] = [bookOf(method), bookOf(method)];
    buy(parent, '2023-01-10', 10, [100, 90]);
    buy(parent, '2024-02-10', 20, [200, 180]);
    expect(parent.moveShareOfCost(child, { row: nextRow++, ...terms })).toEqual({ realised: [], findings: [] });
    expect(open(parent)).toEqual(['2023-01-10 10 @75/67.5', '2024-02-10 20 @150/135']);
    expect(open(child)).toEqual(['2023-01-10 5 @25/22.5', '2024-02-10 10 @50/45']);
  });

  test('into another trade currency converts the cost at the given rate and keeps the reference cost', () => {
    const [parent, child] = [bookOf('FIFO'), bookOf('FIFO')];
    buy(parent, '2023-01-10', 10, [100, 90]);
    parent.moveShareOfCost(child, { row: nextRow++, ...terms, costRate: fixed('1.2') });
    expect(open(child)).toEqual(['2023-01-10 5 @30/22.5']);
  });

  test('of too few units to give a new unit moves nothing', () => {
    const [parent, child] = [bookOf('FIFO'), bookOf('FIFO')];
    buy(parent, '2023-01-10', '0.000000000000000001', 10);
    parent.moveShareOfCost(child, { row: nextRow++, ...terms });
    expect([open(parent), open(child)]).toEqual([['2023-01-10 0.000000000000000001 @10'], []]);
  });
});

describe('a merger', () => {
  test.each(methods)('%s: turns every lot into a lot of the other instrument, with its date and cost', (method) => {
    const [old, merged] = [bookOf(method), bookOf(method)];
    buy(old, '2023-01-10', 10, 100);
    buy(old, '2024-02-10', 20, 200);
    old.exchange(merged, { row: nextRow++, day: dayOf('2024-06-03'), ratio: { numerator: 3n, denominator: 10n } });
    expect([open(old), open(merged)]).toEqual([[], ['2023-01-10 3 @100', '2024-02-10 6 @200']]);
  });

  test('realises the gain on new units paid in cash, the oldest moved lots first', () => {
    const [old, merged] = [bookOf('FIFO'), bookOf('FIFO')];
    buy(merged, '2020-01-10', 1, 1);
    buy(old, '2023-01-10', 5, 100);
    buy(old, '2024-02-10', 10, 300);
    const outcome = old.exchange(merged, {
      row: nextRow++,
      day: dayOf('2024-06-03'),
      ratio: { numerator: 1n, denominator: 10n },
      cashInLieu: { quantity: fixed('0.5'), proceeds: fixed(130), referenceProceeds: fixed(130), rate: fixed(1) },
    });
    expect(realised(outcome)).toEqual(['0.5 of 2023-01-10: 130 − 100 long_term']);
    expect(open(merged)).toEqual(['2020-01-10 1 @1', '2024-02-10 1 @300']);
    expect(findings(outcome)).toEqual([]);
  });

  test('takes units paid in cash at the average under AVERAGE, and needs no named lots under SPECIFIC_ID', () => {
    const cashInLieu = { quantity: fixed('0.5'), proceeds: 0n, referenceProceeds: 0n, rate: fixed(1) };
    const cost = (['AVERAGE', 'SPECIFIC_ID'] as const).map((method) => {
      const [old, merged] = [bookOf(method), bookOf(method)];
      buy(old, '2023-01-10', 5, 100);
      buy(old, '2024-02-10', 10, 500);
      const ratio = { numerator: 1n, denominator: 10n };
      const outcome = old.exchange(merged, { row: nextRow++, day: dayOf('2024-06-03'), ratio, cashInLieu });
      return [realised(outcome), findings(outcome)];
    });
    expect(cost).toEqual([
      [['0.5 of 2023-01-10: 0 − 200 long_term'], []],
      [['0.5 of 2023-01-10: 0 − 100 long_term'], []],
    ]);
  });

  test('closes the cash-settled units of a short at the rate of its sale', () => {
    const [old, merged] = [bookOf('FIFO'), bookOf('FIFO')];
    sell(old, '2024-01-10', 10, [1000, 900], { rate: '0.9' });
    const { realised: gains } = old.exchange(merged, {
      row: nextRow++,
      day: dayOf('2024-06-03'),
      ratio: { numerator: 1n, denominator: 10n },
      cashInLieu: {
        quantity: fixed('-0.1'),
        proceeds: fixed(-80),
        referenceProceeds: fixed(-64),
        rate: fixed('0.8'),
      },
    });
    expect(gains).toMatchObject([{ gain: fixed(20), costAtSaleRate: fixed(72), referenceGain: fixed(26) }]);
    expect(open(merged)).toEqual(['2024-01-10 -0.9 @-900/-810']);
  });

  test('into another trade currency converts the cost at the given rate; units that round to zero are lost', () => {
    const [old, merged] = [bookOf('FIFO'), bookOf('FIFO')];
    buy(old, '2023-01-10', 5, [100, 90]);
    const terms = { day: dayOf('2024-06-03'), ratio: { numerator: 1n, denominator: 1n }, costRate: fixed('1.2') };
    old.exchange(merged, { row: nextRow++, ...terms });
    expect(open(merged)).toEqual(['2023-01-10 5 @120/90']);
    const [tiny, target] = [bookOf('FIFO'), bookOf('FIFO')];
    buy(tiny, '2023-01-10', '0.000000000000000001', 7);
    const ratio = { numerator: 1n, denominator: 5n };
    expect(tiny.exchange(target, { row: nextRow++, ...terms, ratio }).realised.map(({ gain }) => gain)).toEqual([
      fixed(-7),
    ]);
  });
});

describe('units in kind', () => {
  const day = dayOf('2024-06-03');

  test('that move between own books keep dates and cost, the oldest first', () => {
    const [from, to] = [bookOf('FIFO'), bookOf('FIFO')];
    buy(from, '2023-01-10', 10, [100, 90]);
    buy(from, '2024-02-10', 10, [200, 180]);
    buy(to, '2023-06-10', 1, [15, 14]);
    const moved = transferBetween(from, to, { row: nextRow++, day, ...quantityAndCost(15, 9999) });
    expect([moved.realised, moved.findings]).toEqual([[], []]);
    expect(open(from)).toEqual(['2024-02-10 5 @100/90']);
    expect(open(to)).toEqual(['2023-01-10 10 @100/90', '2023-06-10 1 @15/14', '2024-02-10 5 @100/90']);
  });

  test('under AVERAGE move at the average cost, which mixes with the average of the destination', () => {
    const [from, to] = [bookOf('AVERAGE'), bookOf('AVERAGE')];
    buy(from, '2023-01-10', 10, 100);
    buy(from, '2024-02-10', 10, 200);
    buy(to, '2023-06-10', 5, 25);
    transferBetween(from, to, { row: nextRow++, day, ...quantityAndCost(15, 0) });
    expect(open(from)).toEqual(['2024-02-10 5 @75']);
    expect(open(to)).toEqual(['2023-01-10 10 @125', '2023-06-10 5 @62.5', '2024-02-10 5 @62.5']);
  });

  test('may be named under SPECIFIC_ID but need not be', () => {
    const [from, to] = [bookOf('SPECIFIC_ID'), bookOf('SPECIFIC_ID')];
    buy(from, '2023-01-10', 10, 100);
    buy(from, '2024-02-10', 10, 200, 2002);
    const byName = transferBetween(from, to, {
      row: nextRow++,
      day,
      ...quantityAndCost(3, 0),
      named: [named(2002, 3)],
    });
    const byDate = transferBetween(from, to, { row: nextRow++, day, ...quantityAndCost(1, 0) });
    expect([...byName.findings, ...byDate.findings]).toEqual([]);
    expect(open(to)).toEqual(['2023-01-10 1 @10', '2024-02-10 3 @60']);
  });

  test('that are not held leave a short at their value and arrive at that value, both estimated', () => {
    const [from, to] = [bookOf('FIFO'), bookOf('FIFO')];
    buy(from, '2023-01-10', 4, 40);
    const moved = transferBetween(from, to, { row: nextRow++, day, ...quantityAndCost(10, [200, 180]) });
    expect(findings(moved)).toEqual(['short-opened 6']);
    expect(open(from)).toEqual(['2024-06-03 -6 @-120/-108 estimated']);
    expect(open(to)).toEqual(['2023-01-10 4 @40', '2024-06-03 6 @120/108 estimated']);
  });

  test('of which the smallest unit is not held leave a short of it, at its value', () => {
    const [from, to] = [bookOf('FIFO'), bookOf('FIFO')];
    buy(from, '2023-01-10', '0.000000000000000002', 2);
    transferBetween(from, to, { row: nextRow++, day, ...quantityAndCost('0.000000000000000003', [6, 9]) });
    expect(open(from)).toEqual(['2024-06-03 -0.000000000000000001 @-2/-3 estimated']);
  });

  test('that leave a book that is already short increase the short at their value', () => {
    const [from, to] = [bookOf('FIFO'), bookOf('FIFO')];
    sell(from, '2024-01-10', 5, 50);
    transferBetween(from, to, { row: nextRow++, day, ...quantityAndCost(3, 60) });
    expect(open(from)).toEqual(['2024-01-10 -5 @-50', '2024-06-03 -3 @-60 estimated']);
    expect(open(to)).toEqual(['2024-06-03 3 @60 estimated']);
  });

  test('a short moves as negative units', () => {
    const [from, to] = [bookOf('FIFO'), bookOf('FIFO')];
    sell(from, '2024-01-10', 5, 50);
    buy(to, '2023-01-10', 2, 14);
    const moved = transferBetween(from, to, { row: nextRow++, day, ...quantityAndCost(-3, 0) });
    expect(realised(moved)).toEqual(['2 of 2023-01-10: 20 − 14 short_term']);
    expect(findings(moved)).toEqual(['short-opened 1']);
    expect([open(from), open(to)]).toEqual([['2024-01-10 -2 @-20'], ['2024-01-10 -1 @-10']]);
  });

  test('that leave the portfolio take their cost with them, without a gain', () => {
    const book = bookOf('FIFO');
    buy(book, '2023-01-10', 4, 40);
    const left = book.withdraw({ row: nextRow++, day, ...quantityAndCost(1, 999) });
    expect(left.realised).toEqual([]);
    expect(left.lots).toMatchObject([{ acquired: dayOf('2023-01-10'), ...quantityAndCost(1, 10) }]);
    expect(open(book)).toEqual(['2023-01-10 3 @30']);
  });

  test('of both signs in one event offset each other', () => {
    const book = bookOf('FIFO');
    const at = (date: string) => ({ acquired: dayOf(date), isEstimated: false });
    const lots = [
      { ...quantityAndCost(3, 30), ...at('2023-01-10') },
      { ...quantityAndCost(-1, -15), ...at('2024-01-10') },
    ];
    expect(realised(book.deposit({ row: nextRow++, day, lots }))).toEqual(['1 of 2023-01-10: 15 − 10 short_term']);
    expect(open(book)).toEqual(['2023-01-10 2 @20']);
  });
});

describe('a checkpoint', () => {
  const check = (book: LotBook, quantity: string | number, value: Money) => {
    return book.checkpoint({ row: nextRow++, day: dayOf('2024-06-03'), ...quantityAndCost(quantity, value) });
  };

  function held(method: CostMethod): LotBook {
    const book = bookOf(method);
    buy(book, '2023-01-10', 10, 100);
    buy(book, '2024-02-10', 10, 200);
    return book;
  }

  test('that matches the units held changes nothing', () => {
    const book = held('FIFO');
    expect(check(book, 20, 999)).toEqual({ lots: [], realised: [], findings: [] });
    expect(open(book)).toEqual(['2023-01-10 10 @100', '2024-02-10 10 @200']);
  });

  test('above the units held adds an estimated lot of that day at market value', () => {
    const book = held('FIFO');
    check(book, 25, [500, 450]);
    expect(open(book)).toEqual(['2023-01-10 10 @100', '2024-02-10 10 @200', '2024-06-03 5 @100/90 estimated']);
  });

  test.each([
    ['FIFO', ['2024-02-10 5 @100'], ['100', '100']],
    ['AVERAGE', ['2024-02-10 5 @75'], ['150', '75']],
    ['SPECIFIC_ID', ['2024-02-10 5 @100'], ['100', '100']],
  ] as const)(
    '%s: below the units held removes the oldest lots with their cost, without a gain',
    (method, stays, costs) => {
      const book = held(method);
      const outcome = check(book, 5, 999);
      expect([outcome.realised, outcome.findings, open(book)]).toEqual([[], [], stays]);
      expect(outcome.lots.map(({ cost }) => fromFixed(cost))).toEqual(costs);
    },
  );

  test('of zero units empties the book; one of positive units replaces a short', () => {
    const book = held('FIFO');
    expect(check(book, 0, 0).lots).toHaveLength(2);
    expect(book.total).toEqual(quantityAndCost(0, 0));
    sell(book, '2024-06-01', 3, 30);
    expect(check(book, 0, 0).lots.map(({ quantity }) => fromFixed(quantity))).toEqual(['-3']);
    expect(book.total).toEqual(quantityAndCost(0, 0));
    sell(book, '2024-06-01', 3, 30);
    const { realised: gains, lots } = check(book, 2, 20);
    expect([gains, lots.map(({ quantity }) => fromFixed(quantity))]).toEqual([[], ['-3']]);
    expect(open(book)).toEqual(['2024-06-03 2 @20 estimated']);
  });
});

describe('an unknown cost', () => {
  const conversion = new MissingConversion({ from: 'USD', to: 'EUR', day: dayOf('2024-01-10') });
  const gap = { conversion, lacks: 'reference-cost' } as const;
  const day = dayOf('2024-02-10');

  /** One unit of unknown cost, and another bought later. */
  function bookWithGap(method: CostMethod): LotBook {
    const book = bookOf(method);
    book.acquire({ row: nextRow++, day: dayOf('2024-01-10'), ...quantityAndCost(1, 10), gap });
    buy(book, '2024-01-11', 1, 20);
    return book;
  }

  const isKnown = (item: { readonly referenceCost: bigint }): boolean => {
    try {
      return item.referenceCost >= 0n;
    } catch {
      return false;
    }
  };
  const known = (book: LotBook) => ({
    total: isKnown(book.guardedTotal),
    snapshot: isKnown(book.snapshot()),
    lots: book.openLots().map(isKnown),
  });
  const nothing = { total: false, snapshot: false };

  test.each([
    ['FIFO', [false, true]],
    ['AVERAGE', [false, false]],
    ['SPECIFIC_ID', [false, true]],
  ] as const)('%s: makes the total unknown, and the lots that it is the cost of', (method, lots) => {
    const book = bookWithGap(method);
    expect(known(book)).toEqual({ ...nothing, lots });
    expect(known(book.copy())).toEqual({ ...nothing, lots });
    expect(known(new LotBook({ method, longAfter: oneYearHoldingPeriod }, unguarded(book.openLots())))).toEqual({
      ...nothing,
      lots,
    });
    book.split({ row: nextRow++, day, ratio: { numerator: 2n, denominator: 1n } });
    expect(known(book)).toEqual({ ...nothing, lots });
    book.deposit({ row: nextRow++, day, lots: [{ ...quantityAndCost(1, 1), acquired: 0, isEstimated: false }] });
    expect(known(book)).toEqual({ ...nothing, lots: [method !== 'AVERAGE', ...lots] });
  });

  function unguarded(lots: readonly Lot[]): Lot[] {
    return lots.map(({ row, ordinal, acquired, isEstimated, quantity, gap: own }) => {
      const cost = { cost: 1n, referenceCost: 1n };
      return { row, ordinal, acquired, isEstimated, quantity, ...cost, ...(own && { gap: own }) };
    });
  }

  test('stays unknown until its lot is sold, and under AVERAGE until everything is', () => {
    const [fifo, average] = [bookWithGap('FIFO'), bookWithGap('AVERAGE')];
    sell(fifo, '2024-02-10', 1, 15);
    expect(known(fifo)).toEqual({ total: true, snapshot: true, lots: [true] });
    const smallest = '0.000000000000000001';
    for (const units of ['1', '0.999999999999999999']) {
      sell(average, '2024-02-10', units, 15);
      expect(known(average)).toEqual({ ...nothing, lots: [false] });
    }
    sell(average, '2024-02-10', smallest, 15);
    buy(average, '2024-02-11', 1, 5);
    expect(known(average)).toEqual({ total: true, snapshot: true, lots: [true] });
  });

  test.each(methods)('%s: leaves with units that are merged into others', (method) => {
    const [old, merged] = [bookWithGap(method), bookOf(method)];
    old.exchange(merged, { row: nextRow++, day, ratio: { numerator: 1n, denominator: 1n } });
    expect([isKnown(old.guardedTotal), isKnown(merged.guardedTotal)]).toEqual([true, false]);
  });

  test.each(methods)('%s: comes with capital that is returned without a rate', (method) => {
    const book = bookOf(method);
    buy(book, '2024-01-10', 1, 10);
    const money = { amount: fixed(1), referenceAmount: 0n, rate: fixed(1) };
    book.reduceCost({ row: nextRow++, day, ...money, gap });
    expect(known(book)).toEqual({ ...nothing, lots: [false] });
  });

  test('of units that close a short makes the gain unknown', () => {
    const book = bookOf('FIFO');
    sell(book, '2024-01-09', 1, 15);
    const [gain] = book.acquire({ row: nextRow++, day, ...quantityAndCost(1, 10), gap }).realised;
    expect(gain!.gap).toBe(gap);
  });
});

describe('a snapshot', () => {
  test('gives the origin and the unit cost of every lot', () => {
    const book = bookOf('FIFO');
    buy(book, '2024-01-10', 3, [10, 9], 41);
    expect(book.snapshot()).toEqual({
      ...quantityAndCost(3, [10, 9]),
      lots: [
        {
          row: 41,
          ordinal: 0,
          acquired: dayOf('2024-01-10'),
          ...quantityAndCost(3, [10, 9]),
          unitCost: fixed('3.333333333333333333'),
          referenceUnitCost: fixed(3),
          isEstimated: false,
        },
      ],
    });
  });

  test('distinguishes the lots of one row by their ordinal', () => {
    const book = bookOf('FIFO');
    const lot = { ...quantityAndCost(1, 1), acquired: dayOf('2024-01-10'), isEstimated: false };
    book.deposit({ row: 7, day: dayOf('2024-01-10'), lots: [lot, lot] });
    const copy = book.copy();
    copy.checkpoint({ row: 7, day: dayOf('2024-01-10'), ...quantityAndCost(3, 3) });
    expect(copy.snapshot().lots.map(lotId)).toEqual(['7.0', '7.1', '7.2']);
    book.checkpoint({ row: 7, day: dayOf('2024-01-10'), ...quantityAndCost(3, 3) });
    book.deposit({ row: 8, day: dayOf('2024-01-10'), lots: [lot] });
    expect(book.snapshot().lots.map(lotId)).toEqual(['7.0', '7.1', '7.2', '8.0']);
  });

  test('a copy and its original change independently', () => {
    const book = bookOf('FIFO');
    buy(book, '2024-01-10', 3, 30);
    buy(book, '2024-01-11', 3, 60);
    sell(book, '2024-01-12', 1, 0);
    const copy = book.copy();
    buy(book, '2024-01-13', 1, 1);
    buy(copy, '2024-01-13', 2, 2);
    sell(copy, '2024-01-14', 3, 0);
    expect(open(book)).toEqual(['2024-01-10 2 @20', '2024-01-11 3 @60', '2024-01-13 1 @1']);
    expect(open(copy)).toEqual(['2024-01-11 2 @40', '2024-01-13 2 @2']);
  });

  test('a long history drops closed lots, and a copy of it is not affected', () => {
    const book = bookOf('FIFO');
    const copies: LotBook[] = [];
    for (let count = 0; count < 4_000; count++) {
      buy(book, '2024-01-10', 1, count);
      if (count >= 2) sell(book, '2024-01-10', 1, 0);
      if (count % 1_000 === 999) copies.push(book.copy());
    }
    expect(copies.map(open)).toEqual([998, 1_998, 2_998, 3_998].map((cost) => [cost, cost + 1].map(lotLine)));
    function lotLine(cost: number): string {
      return `2024-01-10 1 @${cost}`;
    }
  });

  test.each(methods)('%s: a book started from open lots continues like the book that built them', (method) => {
    const book = bookOf(method);
    buy(book, '2024-01-10', 3, 10);
    buy(book, '2024-01-11', 4, 20);
    sell(book, '2024-01-12', 1, 0);
    const begun = new LotBook({ method, longAfter: oneYearHoldingPeriod }, book.snapshot().lots);
    const row = nextRow;
    const sales = [book, begun].map((each) => {
      nextRow = row;
      return [sell(each, '2024-02-01', 4, 7), each.total];
    });
    expect(sales[0]).toEqual(sales[1]);
  });
});
