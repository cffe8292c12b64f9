// Checks what transactions do to the lots of several positions, down to the smallest unit: 3n is the smallest unit three times.

import { describe, expect, test } from 'vitest';

import { ExchangeRates } from '../currencies/exchange-rates.ts';
import { PositionTable } from '../ledger/position-table.ts';
import type { HoldingPlace, LedgerTransaction } from '../ledger/transaction.ts';
import { oneFixed } from '../../kit/fixed.ts';
import { LotBooks } from './lot-books.ts';
import type { LotBookChanges, LotBookContext } from './lot-book-changes.ts';
import { oneYearHoldingPeriod } from './realisation.ts';
import type { CostMethod } from './lot.ts';

const accounts = new Map([
  ['main', { currency: 'EUR', depositories: ['north', 'south'] }],
  ['other', { currency: 'EUR', depositories: ['north'] }],
]);

/** 1 euro is 2 dollars; nothing is known about francs. */
const rates = new ExchangeRates([{ base: 'EUR', quote: 'USD', points: [{ day: 0, value: 2n * oneFixed }] }]);
const currencies: Readonly<Record<string, string>> = { share: 'EUR', new: 'EUR', dollar: 'USD', franc: 'CHF' };

interface Options {
  readonly method?: CostMethod;
  /** What one unit is worth in both currencies; unknown if not given. */
  readonly worth?: bigint;
  /** Rows that must find the lots that they name. */
  readonly strict?: readonly number[];
}

type Parts = Partial<LedgerTransaction> & Pick<LedgerTransaction, 'kind'>;

class Play {
  readonly table = new PositionTable(accounts);
  readonly books: LotBooks;
  #row = 0;

  constructor({ method = 'FIFO', worth, strict = [] }: Options = {}) {
    const context: LotBookContext = {
      table: this.table,
      rulesOf: () => ({ method, longAfter: oneYearHoldingPeriod }),
      currencyContext: (position) => {
        return { currency: currencies[this.table.key(position).instrument]!, referenceCurrency: 'EUR', rates };
      },
      unitWorth: ({ quantity }) =>
        worth === undefined
          ? { cost: 0n, referenceCost: 0n, isUnknown: true }
          : { cost: worth * quantity, referenceCost: worth * quantity },
      mustFindLots: (row) => strict.includes(row),
    };
    this.books = new LotBooks(context);
  }

  apply(parts: Parts): LotBookChanges {
    const row = ++this.#row;
    return this.books.apply({
      row,
      day: 100 + row,
      time: null,
      settlement: null,
      account: 'main',
      depository: 'north',
      instrument: 'share',
      quantity: 0n,
      amount: 0n,
      currency: 'EUR',
      price: null,
      value: 0n,
      details: null,
      ...parts,
    });
  }

  buy(quantity: bigint, value: bigint, at: Partial<LedgerTransaction> = {}): LotBookChanges {
    return this.apply({ kind: 'trade', quantity, value, amount: -value, ...at });
  }

  sell(quantity: bigint, value: bigint, at: Partial<LedgerTransaction> = {}): LotBookChanges {
    return this.apply({ kind: 'trade', quantity: -quantity, value, amount: value, ...at });
  }

  name(position: number): string {
    const { account, depository, instrument } = this.table.key(position);
    return [account ?? '', depository ?? '', ...(instrument === 'share' ? [] : [instrument])].join('/');
  }

  /** All lots: the place, its units and their cost, and the cost in euros if it differs. */
  get held(): string[] {
    return this.table.sortedPositions().flatMap((position) =>
      (this.books.find(position)?.openLots() ?? []).map(({ quantity, cost, referenceCost, isEstimated }) => {
        const reference = cost === referenceCost ? '' : `/${referenceCost}`;
        return `${this.name(position)} ${quantity} @${cost}${reference}${isEstimated ? ' estimated' : ''}`;
      }),
    );
  }

  /** Everything that a transaction changed. */
  text({ realised, findings, legs, changedPositions }: LotBookChanges): string[] {
    return [
      ...realised.map(
        ({ position, quantity, proceeds, cost }) => `${this.name(position)} gain on ${quantity}: ${proceeds} − ${cost}`,
      ),
      ...findings.map(({ position, kind, quantity }) => `${this.name(position)} ${kind} ${quantity}`),
      ...legs.map((leg) => {
        if (leg.measure === 'cash')
          return `${this.name(leg.position)} ${leg.amount} ${leg.currency} instead of ${this.name(leg.other!)}`;
        const from = leg.movedFrom === undefined ? '' : ` from ${this.name(leg.movedFrom)}`;
        return `${this.name(leg.position)} ${leg.quantity} units as of ${this.name(leg.valuedPosition)}${from}`;
      }),
      `changed: ${changedPositions.map((position) => this.name(position)).join(' ')}`,
    ];
  }
}

const north: HoldingPlace = { account: 'main', depository: 'north' };
const south: HoldingPlace = { account: 'main', depository: 'south' };
const nowhere: HoldingPlace = { account: 'main', depository: null };
const vault: HoldingPlace = { account: null, depository: 'north' };

describe('a trade', () => {
  test.each([
    [1n, 10n, ['main/north 1 @10'], ['changed: main/north']],
    [0n, 5n, [], ['main/north gain on 0: 0 − 5', 'changed: main/north']],
    [0n, 0n, [], ['changed: main/north']],
    [-1n, 5n, ['main/north -1 @-5'], ['main/north short-opened 1', 'changed: main/north']],
  ])('of %s units for %s', (quantity, value, held, changes) => {
    const play = new Play();
    expect(play.text(play.apply({ kind: 'trade', quantity, value }))).toEqual(changes);
    expect(play.held).toEqual(held);
  });

  test('of money alone, or of a kind that moves no units, changes nothing', () => {
    const play = new Play();
    const none = { realised: [], findings: [], legs: [], changedPositions: [] };
    expect(play.apply({ kind: 'trade', quantity: 1n, instrument: null })).toEqual(none);
    expect(play.apply({ kind: 'dividend', quantity: 1n, value: 1n })).toEqual(none);
    expect(play.apply({ kind: 'corporate-action', value: 1n, amount: 1n })).toEqual(none);
    const details = { action: { action: 'return-of-capital' } } as const;
    expect(play.apply({ kind: 'corporate-action', value: 1n, amount: 1n, instrument: null, details })).toEqual(none);
    expect(play.held).toEqual([]);
  });

  test('whose cost lacks a rate says so when somebody reads it; units that cost nothing lack none', () => {
    const play = new Play();
    play.buy(1n, 0n, { instrument: 'franc', currency: 'CHF' });
    expect(play.held).toEqual(['main/north/franc 1 @0']);
    play.buy(1n, 1n, { instrument: 'franc', currency: 'CHF' });
    const [free, paid] = play.books.find(0)!.snapshot().lots;
    expect([free!.referenceCost, free!.referenceUnitCost, paid!.cost]).toEqual([0n, 0n, 1n]);
    for (const name of ['referenceCost', 'referenceUnitCost'] as const)
      expect(() => paid![name]).toThrow('There is no rate from CHF to EUR.');
    expect(Object.keys(paid!)).toContain('referenceCost');
    const { realised } = play.sell(1n, 7n, { instrument: 'franc', currency: 'CHF' });
    expect(realised[0]).toMatchObject({ gain: 7n, cost: 0n, proceeds: 7n, quantity: 1n });
    for (const name of [
      'referenceCost',
      'referenceProceeds',
      'referenceGain',
      'costAtSaleRate',
      'pricePart',
      'currencyPart',
    ] as const)
      expect(() => realised[0]![name]).toThrow('There is no rate from CHF to EUR.');
    expect('unitCost' in realised[0]!).toBe(false);
  });

  describe('of units that a statement put into the depository alone', () => {
    const moved = (units: bigint): string[] => [
      `main/north ${units} units as of main/north from /north`,
      `/north -${units} units as of main/north from /north`,
    ];

    test.each([
      { alone: 5n, own: 2n, sold: 4n, legs: moved(2n), held: ['/north 3 @30'] },
      { alone: 2n, own: 2n, sold: 4n, legs: moved(2n), held: [] },
      { alone: 1n, own: 2n, sold: 4n, legs: moved(1n), held: ['main/north -1 @-1'] },
      { alone: 5n, own: 0n, sold: 1n, legs: moved(1n), held: ['/north 4 @40'] },
      { alone: 5n, own: 2n, sold: 2n, legs: [], held: ['/north 5 @50'] },
      { alone: 5n, own: 3n, sold: 2n, legs: [], held: ['/north 5 @50', 'main/north 1 @10'] },
      { alone: 5n, own: -1n, sold: 2n, legs: [], held: ['/north 5 @50', 'main/north -1 @-10', 'main/north -2 @-2'] },
      { alone: 0n, own: 1n, sold: 2n, legs: [], held: ['main/north -1 @-1'] },
      { alone: -1n, own: 1n, sold: 2n, legs: [], held: ['/north -1 @-10', 'main/north -1 @-1'] },
    ])('$alone there, $own of its own: an account that sells $sold', ({ alone, own, sold, legs, held }) => {
      const play = new Play();
      play.table.positionNumber({ ...vault, instrument: 'share' });
      for (const [at, quantity] of [
        [north, own],
        [vault, alone],
      ] as const) {
        if (quantity > 0n) play.buy(quantity, 10n * quantity, at);
        if (quantity < 0n) play.sell(-quantity, -10n * quantity, at);
      }
      expect(play.text(play.sell(sold, sold)).filter((line) => line.includes('units'))).toEqual(legs);
      expect(play.held).toEqual(held);
    });

    test.each([
      ['another depository', south],
      ['no depository', nowhere],
      ['the depository itself', vault],
    ])('takes none of them for a sale at %s', (_what, at) => {
      const play = new Play();
      play.buy(5n, 50n, vault);
      expect(play.sell(7n, 7n, at).legs).toEqual([]);
    });

    test('takes them also to give them away, with their day and cost', () => {
      const play = new Play();
      play.buy(5n, 50n, vault);
      const changes = play.apply({ kind: 'flow', quantity: -2n });
      expect(play.text(changes)).toEqual([
        'main/north -2 units as of main/north',
        ...moved(2n),
        'changed: /north main/north',
      ]);
      expect(play.held).toEqual(['/north 3 @30']);
    });
  });
});

describe('a row that must find the lots it names', () => {
  const named = [{ row: 1, ordinal: 0, quantity: 3n }];
  const rows: readonly Parts[] = [
    { kind: 'trade', quantity: -3n, value: 3n, details: { named } },
    { kind: 'flow', quantity: -3n, details: { named } },
    { kind: 'flow', quantity: -3n, details: { named, counterPlace: south } },
    { kind: 'flow', quantity: 3n, ...south, details: { named, counterPlace: north } },
  ];

  test.each(rows)('changes nothing if the smallest unit is missing, and takes them if none is: $kind', (row) => {
    const [lacking, complete] = [2n, 3n].map((first) => {
      const play = new Play({ method: 'SPECIFIC_ID', strict: [3] });
      play.buy(first, 10n * first);
      play.buy(9n, 9n);
      return { changes: play.text(play.apply(row)), held: play.held };
    });
    expect(lacking).toEqual({
      changes: ['main/north named-lot-missing 1', 'changed: main/north'],
      held: ['main/north 2 @20', 'main/north 9 @9'],
    });
    expect(complete!.held).toContain('main/north 9 @9');
    expect(complete!.held).not.toContain('main/north 3 @30');
  });

  test.each([
    ['a lot twice', 3n, 2n, [1, 1], [1n]],
    ['a lot of the smallest unit', 1n, 1n, [1], []],
    ['a lot that is not there', 3n, 1n, [9], [1n]],
    ['a lot that is short', -3n, 2n, [1], [2n]],
  ])('names %s', (_what, held, quantity, lots, missing) => {
    const play = new Play({ method: 'SPECIFIC_ID', strict: [2] });
    play.apply({ kind: 'trade', quantity: held, value: 1n });
    const names = lots.map((row) => ({ row, ordinal: 0, quantity }));
    const { findings } = play.apply({ kind: 'trade', quantity: -quantity, value: 1n, details: { named: names } });
    const found = findings.filter(({ kind }) => kind === 'named-lot-missing');
    expect(found.map((finding) => finding.quantity)).toEqual(missing);
    expect(play.books.find(0)!.total.quantity).toBe(missing.length > 0 ? held : held - quantity);
  });

  test('takes the oldest instead if it need not find them', () => {
    const play = new Play({ method: 'SPECIFIC_ID' });
    play.buy(2n, 20n);
    play.buy(9n, 9n);
    play.apply({ kind: 'flow', quantity: -3n, details: { named } });
    expect(play.held).toEqual(['main/north 8 @8']);
  });
});

describe('units in kind', () => {
  test('of zero change nothing; the smallest unit comes at the value of its day', () => {
    const play = new Play({ worth: 7n });
    expect(play.text(play.apply({ kind: 'flow', value: 5n }))).toEqual(['changed: ']);
    expect(play.text(play.apply({ kind: 'flow', quantity: 1n }))).toEqual([
      'main/north 1 units as of main/north',
      'changed: main/north',
    ]);
    expect(play.held).toEqual(['main/north 1 @7 estimated']);
  });

  test('come with the dates and costs that the row states', () => {
    const play = new Play({ worth: 7n });
    const lot = { quantity: 1n, cost: 3n, referenceCost: 4n, acquired: 50, isEstimated: false };
    play.apply({ kind: 'flow', quantity: 2n, details: { lots: [lot, { ...lot, acquired: 40 }] } });
    expect(play.books.find(0)!.openLots()).toMatchObject([
      { ordinal: 1, acquired: 40, cost: 3n, referenceCost: 4n },
      { ordinal: 0, acquired: 50 },
    ]);
  });

  test.each([
    ['to another place', north, -1n, south],
    ['from another place', south, 1n, north],
  ])('move %s once', (_what, at, quantity, counterPlace) => {
    const play = new Play();
    play.buy(3n, 30n);
    const changes = play.apply({ kind: 'flow', quantity, ...at, details: { counterPlace } });
    expect(play.text(changes)).toEqual([
      'main/south 1 units as of main/south from main/north',
      'main/north -1 units as of main/south from main/north',
      'changed: main/north main/south',
    ]);
    expect(play.held).toEqual(['main/north 2 @20', 'main/south 1 @10']);
  });

  test('that move to where they are stay', () => {
    const play = new Play();
    play.buy(3n, 30n);
    const details = { counterPlace: north };
    expect(play.text(play.apply({ kind: 'flow', quantity: -1n, details }))).toEqual(['changed: ']);
    expect(play.held).toEqual(['main/north 3 @30']);
  });

  test.each([
    [
      'at their value',
      { worth: 7n },
      [],
      ['main/north -1 @-7 estimated', 'main/south 2 @20', 'main/south 1 @7 estimated'],
    ],
    [
      'without a price, at what units in own places have cost on average',
      {},
      [],
      ['main/north -1 @-10 estimated', 'main/south 2 @20', 'main/south 1 @10 estimated'],
    ],
    [
      'without a price, also at what a single unit elsewhere has cost, and not at what shorts brought',
      {},
      [
        { quantity: 1n, value: 16n, account: 'other' },
        { quantity: -4n, value: 400n, account: 'other', depository: 'south' },
      ],
      [
        'main/north -1 @-12 estimated',
        'main/south 2 @20',
        'main/south 1 @12 estimated',
        'other/north 1 @16',
        'other/south -4 @-400',
      ],
    ],
  ] as const)('that are not held leave a short %s', (_what, options, others, held) => {
    const play = new Play(options);
    play.buy(2n, 20n);
    for (const one of others) play.apply({ kind: 'trade', ...one });
    const changes = play.apply({ kind: 'flow', quantity: -3n, details: { counterPlace: south } });
    expect(play.text(changes)[0]).toBe('main/north short-opened 1');
    expect(play.held).toEqual(held);
  });

  test('that are not held and of which there is only the smallest unit cost as much as that one', () => {
    const play = new Play();
    play.buy(1n, 16n);
    play.apply({ kind: 'flow', quantity: -2n });
    expect(play.held).toEqual(['main/north -1 @-16 estimated']);
  });

  test('that are held nowhere and have no price cost nothing', () => {
    const play = new Play();
    play.sell(1n, 5n, south);
    play.apply({ kind: 'flow', quantity: -1n });
    expect(play.held).toEqual(['main/north -1 @0 estimated', 'main/south -1 @-5']);
  });
});

describe('a capital call', () => {
  test('buys the units that it states; without units, the first buys one and the next add to its cost', () => {
    const play = new Play();
    play.apply({ kind: 'capital-call', quantity: 1n, value: 5n });
    expect(play.held).toEqual(['main/north 1 @5']);
    play.apply({ kind: 'capital-call', value: 6n });
    expect(play.held).toEqual(['main/north 1 @11']);
    const fund = new Play();
    fund.apply({ kind: 'capital-call', value: 5n });
    expect(fund.text(fund.apply({ kind: 'capital-call', value: 6n }))).toEqual(['changed: main/north']);
    expect(fund.held).toEqual([`main/north ${oneFixed} @11`]);
  });
});

describe('what ends or pays back units', () => {
  const row = { ...nowhere, value: 60n, amount: 60n } as const;

  test.each([
    [
      'a redemption at a place that holds none takes those of the others of the account',
      { kind: 'redemption', quantity: -3n },
      [north, south],
      [
        'main/north gain on 2: 40 − 20',
        'main/south gain on 1: 20 − 10',
        'main/ 40 EUR instead of main/north',
        'main/north -40 EUR instead of main/',
        'main/ 20 EUR instead of main/south',
        'main/south -20 EUR instead of main/',
        'changed: main/north main/south',
      ],
    ],
    [
      'a redemption at a place that holds none takes those of the only other',
      { kind: 'redemption', quantity: -2n },
      [north],
      [
        'main/north gain on 2: 60 − 20',
        'main/ 60 EUR instead of main/north',
        'main/north -60 EUR instead of main/',
        'changed: main/north',
      ],
    ],
    [
      'a redemption of what nobody holds opens a short where it is booked',
      { kind: 'redemption', quantity: -2n },
      [],
      ['main/ short-opened 2', 'changed: main/'],
    ],
    [
      'a redemption at a place that holds the smallest unit takes its own',
      { kind: 'redemption', quantity: -1n, ...south },
      [north, south],
      ['main/south gain on 1: 60 − 10', 'changed: main/south'],
    ],
    [
      'a redemption of no units has a cost alone',
      { kind: 'redemption', quantity: 0n, ...south, value: 1n },
      [south],
      ['main/south gain on 0: 0 − 1', 'changed: main/south'],
    ],
    [
      'a distribution without units lowers the cost of all by units, and the rest is a gain',
      { kind: 'distribution' },
      [north, south],
      [
        'main/north gain on 0: 40 − 20',
        'main/south gain on 0: 20 − 10',
        'main/ 40 EUR instead of main/north',
        'main/north -40 EUR instead of main/',
        'main/ 20 EUR instead of main/south',
        'main/south -20 EUR instead of main/',
        'changed: main/north main/south',
      ],
    ],
    [
      'a distribution of the smallest unit takes it',
      { kind: 'distribution', quantity: -1n, ...south },
      [north, south],
      ['main/south gain on 1: 60 − 10', 'changed: main/south'],
    ],
    [
      'a distribution that nobody holds is a gain',
      { kind: 'distribution', value: 1n, amount: 1n },
      [],
      ['main/ gain on 0: 1 − 0', 'changed: main/'],
    ],
  ] as const)('%s', (_what, parts, places, changes) => {
    const play = new Play();
    for (const place of places) {
      const quantity = place === north ? 2n : 1n;
      play.buy(quantity, 10n * quantity, place);
    }
    expect(play.text(play.apply({ ...row, ...parts }))).toEqual(changes);
  });

  test.each([
    [1n, ['main/ 1 EUR instead of main/north', 'main/north -1 EUR instead of main/']],
    [0n, []],
  ])('for which %s is paid move as much money to where they were held', (amount, legs) => {
    const play = new Play();
    play.buy(1n, 10n);
    const { legs: moved } = play.apply({ ...row, kind: 'redemption', quantity: -1n, amount, value: amount });
    expect(play.text({ realised: [], findings: [], legs: moved, changedPositions: [] })).toEqual([
      ...legs,
      'changed: ',
    ]);
  });

  test('are taken from those that hold some, and not from a short', () => {
    const play = new Play();
    play.buy(2n, 20n);
    play.sell(1n, 10n, south);
    expect(play.text(play.apply({ ...row, kind: 'redemption', quantity: -2n }))).toEqual([
      'main/north gain on 2: 60 − 20',
      'main/ 60 EUR instead of main/north',
      'main/north -60 EUR instead of main/',
      'changed: main/north',
    ]);
  });

  test.each([
    ['ends completely unless it states units', 2n, 0n, 60n, 'main/north gain on 2: 60 − 20', []],
    ['ends only the units that it states', 2n, -1n, 60n, 'main/north gain on 1: 60 − 10', ['main/north 1 @10']],
    ['of the smallest unit ends', 1n, 0n, 60n, 'main/north gain on 1: 60 − 10', []],
    ['that was sold ends, and what it pays is a gain', -2n, 0n, 60n, 'main/north gain on 2: 20 − -60', []],
    ['that was sold ends as far as it states', -2n, 1n, 60n, 'main/north gain on 1: 10 − -60', ['main/north -1 @-10']],
    ['that nobody holds is all gain', 0n, 0n, 60n, 'main/north gain on 0: 60 − 0', []],
    [
      'that nobody holds opens a short of the units that it states',
      0n,
      -1n,
      60n,
      'main/north short-opened 1',
      ['main/north -1 @-60'],
    ],
  ])('a forward that %s', (_what, units, quantity, value, change, held) => {
    const play = new Play();
    if (units > 0n) play.buy(units, 10n * units);
    if (units < 0n) play.sell(-units, -10n * units);
    const settled = play.apply({ kind: 'forward-settlement', quantity, value, amount: value });
    expect(play.text(settled)).toEqual([change, 'changed: main/north']);
    expect(play.held).toEqual(held);
  });

  const delivery = (currency: string, amount: bigint) => ({ counterCash: { account: 'main', currency, amount } });

  test.each([
    ['is worth both of its legs at the rates of the day', 30n, delivery('USD', -10n), 0n, 25n],
    ['is worth what it states, if it states it', 30n, delivery('USD', -10n), 1n, 1n],
    ['that pays in cash alone is worth what it states', 30n, {}, 0n, 0n],
    ['needs no rate for a leg of nothing', 30n, delivery('CHF', 0n), 0n, 30n],
    ['needs no rate where it brings nothing but the other leg', 0n, delivery('USD', 60n), 0n, 30n],
  ])('a forward that is delivered %s', (_what, amount, details, value, worth) => {
    const play = new Play();
    play.buy(1n, 10n);
    const settled = play.apply({ kind: 'forward-settlement', amount, details, value });
    expect(play.text(settled)).toEqual([`main/north gain on 1: ${worth} − 10`, 'changed: main/north']);
    expect(settled.realised[0]).toMatchObject({ gain: worth - 10n, referenceGain: worth - 10n });
  });

  test('a forward in another currency is worth both legs in it, whatever was paid in cash', () => {
    const play = new Play();
    play.buy(1n, 10n, { instrument: 'dollar', currency: 'USD' });
    const details = delivery('USD', -10n);
    const settled = play.apply({ kind: 'forward-settlement', instrument: 'dollar', amount: 30n, details });
    expect(settled.realised).toMatchObject([{ proceeds: 50n, referenceProceeds: 25n, referenceCost: 5n }]);
  });

  test.each([1n, 0n])('a forward of %s contracts whose leg lacks a rate has a gain that nobody knows', (units) => {
    const play = new Play();
    if (units > 0n) play.buy(units, 10n);
    const details = delivery('CHF', 1n);
    const { realised } = play.apply({ kind: 'forward-settlement', amount: 30n, details });
    expect(realised).toHaveLength(1);
    for (const name of ['gain', 'proceeds', 'cost', 'referenceGain'] as const)
      expect(() => realised[0]![name]).toThrow('There is no rate from CHF to EUR.');
  });
});

describe('an action', () => {
  const ratio = { numerator: 2n, denominator: 1n };
  const all = { kind: 'corporate-action', account: null, depository: null } as const;

  function playWithTwo(): Play {
    const play = new Play();
    play.buy(2n, 20n);
    play.buy(1n, 10n, south);
    return play;
  }

  test.each([
    ['all', all, ['main/north 4 @20', 'main/south 2 @10']],
    ['an account', { kind: 'corporate-action', depository: null }, ['main/north 4 @20', 'main/south 2 @10']],
    ['a place', { kind: 'corporate-action', ...south }, ['main/north 2 @20', 'main/south 2 @10']],
    ['a depository', { ...all, depository: 'north' }, ['main/north 4 @20', 'main/south 1 @10']],
    ['another account', { ...all, account: 'other' }, ['main/north 2 @20', 'main/south 1 @10']],
  ] as const)('that splits the units of %s', (_what, parts, held) => {
    const play = playWithTwo();
    play.apply({ ...parts, details: { action: { action: 'split', ratio } } });
    expect(play.held).toEqual(held);
  });

  test('that returns capital is shared by units; where nobody holds any, it is a gain of what it names', () => {
    const play = playWithTwo();
    const returned = { kind: 'corporate-action', details: { action: { action: 'return-of-capital' } } } as const;
    expect(play.text(play.apply({ ...returned, ...nowhere, amount: 6n, value: 6n }))).toEqual([
      'main/ 4 EUR instead of main/north',
      'main/north -4 EUR instead of main/',
      'main/ 2 EUR instead of main/south',
      'main/south -2 EUR instead of main/',
      'changed: main/north main/south',
    ]);
    expect(play.held).toEqual(['main/north 2 @16', 'main/south 1 @8']);
    const none = new Play();
    expect(none.text(none.apply({ ...returned, amount: 1n, value: 1n }))).toEqual([
      'main/north gain on 0: 1 − 0',
      'changed: main/north',
    ]);
    expect(none.text(none.apply(returned))).toEqual(['changed: ']);
  });

  test('that returns less than the holders can share gives it to the one with which the sum of shares is rounded up', () => {
    const play = playWithTwo();
    play.sell(1n, 10n);
    play.buy(1n, 10n, { account: 'other' });
    const details = { action: { action: 'return-of-capital' } } as const;
    const changes = play.apply({ ...all, instrument: 'share', amount: 1n, value: 1n, details });
    expect(changes.legs.flatMap((leg) => (leg.measure === 'cash' ? [leg.amount] : []))).toEqual([1n, -1n]);
    expect(play.held).toEqual(['main/north 1 @10', 'main/south 1 @9', 'other/north 1 @10']);
  });

  test('that returns capital without a rate leaves a cost or gain in euros that nobody knows', () => {
    const details = { action: { action: 'return-of-capital' } } as const;
    const returned = { kind: 'corporate-action', instrument: 'franc', currency: 'CHF', details } as const;
    const play = new Play();
    play.buy(1n, 0n, { instrument: 'franc', currency: 'CHF' });
    const [gain] = play.apply({ ...returned, amount: 1n, value: 1n }).realised;
    const [lot] = play.books.find(0)!.openLots();
    const [other] = new Play().apply({ ...returned, amount: 1n, value: 1n }).realised;
    expect([lot!.cost, gain!.gain, other!.gain]).toEqual([0n, 1n, 1n]);
    for (const read of [() => lot!.referenceCost, () => gain!.referenceGain, () => other!.referenceGain])
      expect(read).toThrow('There is no rate from CHF to EUR.');
  });

  test('that spins off a share moves it with its cost, in addition to what is held of the new units', () => {
    const play = playWithTwo();
    play.buy(5n, 5n, { instrument: 'new' });
    const action = { action: 'spin-off', ratio, target: 'new', share: oneFixed / 2n } as const;
    const changes = play.apply({ kind: 'corporate-action', details: { action } });
    expect(play.text(changes)).toEqual([
      'main/north/new 4 units as of main/north/new',
      'main/north -4 units as of main/north/new',
      'changed: main/north main/north/new',
    ]);
    expect(play.held).toEqual(['main/north/new 4 @10', 'main/north/new 5 @5', 'main/north 2 @10', 'main/south 1 @10']);
  });

  test.each([
    ['pays nothing', {}, 0n, [], ['main/north/new 4 @20']],
    ['pays money beside units, which lowers the cost', {}, 1n, [], ['main/north/new 4 @19']],
    [
      'pays for units that it does not deliver',
      { cashInLieu: 1n },
      9n,
      ['main/north/new gain on 1: 9 − 5'],
      ['main/north/new 3 @15'],
    ],
    ['pays for none', { cashInLieu: 0n }, 9n, [], ['main/north/new 4 @20']],
  ])('that merges units and %s', (_what, lieu, value, gains, held) => {
    const play = new Play();
    play.buy(2n, 20n);
    const action = { action: 'merger', ratio, target: 'new', ...lieu } as const;
    const changes = play.text(play.apply({ kind: 'corporate-action', value, amount: value, details: { action } }));
    expect(changes.filter((line) => line.includes('gain'))).toEqual(gains);
    expect(play.held).toEqual(held);
  });

  test.each([9n, 0n])('that merges units in two places shares what it does not deliver, for %s too', (value) => {
    const play = playWithTwo();
    const action = { action: 'merger', ratio, target: 'new', cashInLieu: 3n } as const;
    const merger = { kind: 'corporate-action', value, amount: value, details: { action } } as const;
    expect(play.apply({ ...merger, ...nowhere }).realised).toMatchObject([
      { quantity: 2n, proceeds: (2n * value) / 3n, cost: 10n },
      { quantity: 1n, proceeds: value / 3n, cost: 5n },
    ]);
    expect(play.held).toEqual(['main/north/new 2 @10', 'main/south/new 1 @5']);
  });

  test('into another currency converts the cost at the rate of the day', () => {
    const play = new Play();
    play.buy(2n, 20n);
    const action = { action: 'merger', ratio, target: 'dollar' } as const;
    play.apply({ kind: 'corporate-action', details: { action } });
    expect(play.held).toEqual(['main/north/dollar 4 @40/20']);
  });

  test('into another currency without a rate leaves costs that nobody knows', () => {
    const play = new Play();
    play.buy(2n, 20n);
    const action = { action: 'merger', ratio, target: 'franc' } as const;
    play.apply({ kind: 'corporate-action', details: { action } });
    const [lot] = play.books.find(1)!.snapshot().lots;
    expect(lot!.quantity).toBe(4n);
    for (const name of ['cost', 'unitCost', 'referenceCost', 'referenceUnitCost'] as const)
      expect(() => lot![name]).toThrow('There is no rate from EUR to CHF.');
  });

  test('that pays shorts beside units goes to the units alone, and to the shorts if nobody else is there', () => {
    const returned = {
      ...nowhere,
      kind: 'corporate-action',
      details: { action: { action: 'return-of-capital' } },
    } as const;
    const play = new Play();
    play.buy(1n, 10n);
    play.sell(3n, 30n, south);
    play.apply({ ...returned, amount: 4n, value: 4n });
    expect(play.held).toEqual(['main/north 1 @6', 'main/south -3 @-30']);
    const short = new Play();
    short.sell(1n, 10n);
    short.sell(3n, 30n, south);
    short.apply({ ...returned, amount: -4n, value: -4n });
    expect(short.held).toEqual(['main/north -1 @-9', 'main/south -3 @-27']);
  });
});

test('a book that is opened holds nothing until an upload states what is there', () => {
  const play = new Play();
  play.table.positionNumber({ ...north, instrument: 'share' });
  expect(play.books.find(0)).toBeUndefined();
  play.books.open(0);
  expect(play.books.find(0)!.total).toEqual({ quantity: 0n, cost: 0n, referenceCost: 0n });
  play.books.checkpoint(0, { row: -7, day: 7, quantity: 1n, cost: 2n, referenceCost: 3n });
  expect(play.held).toEqual(['main/north 1 @2/3 estimated']);
});

test('what happens to the copy of all books does not happen to the books', () => {
  const play = new Play();
  play.buy(2n, 20n);
  const copy = play.books.copy();
  play.sell(1n, 10n);
  expect([copy.find(0)!.total.quantity, play.books.find(0)!.total.quantity]).toEqual([2n, 1n]);
});
