// Checks what each place of a private fund is worth, down to the smallest unit: 3n is the smallest unit three times.

import { expect, test } from 'vitest';

import { instrument, valuationContext } from '../../../tests/setup/engine/valued-holding.ts';
import { Series } from '../amounts/series.ts';
import type { DepartedShares, PositionState } from './position-state.ts';
import type { ValuePart } from './value-part.ts';
import { valueHolding } from './valuation.ts';

/** A day and what was called (positive) or paid out on it. */
type Flow = readonly [day: number, value: bigint];

interface Place {
  readonly units?: bigint;
  readonly flows?: readonly Flow[];
  readonly leftOn?: number;
}

function partText(part: ValuePart): string {
  const { kind, amount } = part;
  if (kind === 'fund-share')
    return `${amount} of ${part.quoted.amount} by ${part.before}+${part.paidIn} of ${part.all}`;
  if (kind === 'beyond-value') return `${kind} ${amount} = ${part.paid} − ${part.available}`;
  return `${kind} ${amount}`;
}

/** What each place and stake is worth on day 8, and the parts of it. */
function valuesOf(places: readonly Place[], nav: Flow | undefined, departures: readonly DepartedShares[] = []) {
  const points = nav === undefined ? [] : [{ day: nav[0], value: nav[1] }];
  const fund = instrument({ type: 'private-fund', commitment: null });
  const all = places.map(({ units = 1n, flows = [], leftOn }) => {
    const dated = flows.map(([day, value]) => ({ day, value }));
    const place = { units, flows: dated, paidIn: dated.filter(({ value }) => value > 0n) };
    return leftOn === undefined ? place : { ...place, leftOn };
  });
  return all.flatMap(({ units }, own) => {
    const { leftOn = 8 } = places[own]!;
    if (units === 0n || leftOn < (nav?.[0] ?? 0)) return [];
    const held = { quantity: units, upload: null, lastTrade: null, fundPlaces: { places: all, own, departures } };
    const { parts, value, source, isEstimated, findings } = valueHolding(
      { ...fund, netAssetValues: new Series(points) },
      held as unknown as PositionState,
      { ...valuationContext('2025-01-01'), day: 8 },
    );
    const beyond = findings.map((one) => (one.kind === 'paid-out-beyond-value' ? ` !${one.amount}` : one.kind));
    return `${value}${beyond.join('')} ${source}${isEstimated ? ' estimated' : ''}: ${parts.map(partText).join(', ')}`;
  });
}

type Case = readonly [what: string, places: readonly Place[], nav: Flow | undefined, values: readonly string[]];

const cases: readonly Case[] = [
  [
    'without a net asset value, what was called at each until the day',
    [
      { flows: [[1, 3n]] },
      {
        flows: [
          [8, 5n],
          [9, 7n],
        ],
      },
    ],
    undefined,
    ['3 flows estimated: flow 3', '5 flows estimated: flow 5'],
  ],
  [
    'of the net asset value, a share by what each had paid in by its day, and later calls at each',
    [
      { flows: [[1, 1n]] },
      {
        flows: [
          [1, 1n],
          [5, 1n],
          [6, 4n],
        ],
      },
    ],
    [5, 10n],
    ['3 net-asset-value: 3 of 10 by 0+1 of 3', '11 net-asset-value: 7 of 10 by 1+2 of 3, flow 4'],
  ],
  [
    'shares that are rounded so that they add up to the net asset value',
    [{ flows: [[1, 1n]] }, { flows: [[1, 1n]] }, { flows: [[1, 1n]] }],
    [5, 2n],
    [
      '1 net-asset-value: 1 of 2 by 0+1 of 3',
      '0 net-asset-value: 0 of 2 by 1+1 of 3',
      '1 net-asset-value: 1 of 2 by 2+1 of 3',
    ],
  ],
  [
    'if nothing had been paid in by its day, by what has been since',
    [{}, { flows: [[6, 1n]] }],
    [5, 10n],
    ['0 net-asset-value: 0 of 10 by 0+0 of 1', '11 net-asset-value: 10 of 10 by 0+1 of 1, flow 1'],
  ],
  [
    'if nothing has been paid in by the day, by units that are not short',
    [{ units: 1n, flows: [[9, 1n]] }, { units: 3n }, { units: -1n }],
    [5, 10n],
    [
      '2 net-asset-value: 2 of 10 by 0+1 of 4',
      '8 net-asset-value: 8 of 10 by 1+3 of 4',
      '0 net-asset-value: 0 of 10 by 4+0 of 4',
    ],
  ],
  [
    'all for the first place if all are short',
    [{ units: -1n }, { units: -2n }],
    [5, 10n],
    [
      '10 net-asset-value: 10 of 10 by 0+1000000000000000000 of 1000000000000000000',
      '0 net-asset-value: 0 of 10 by 1000000000000000000+0 of 1000000000000000000',
    ],
  ],
  [
    'for the first place with units, also what was called and paid where there are none',
    [
      {
        units: 0n,
        flows: [
          [2, 4n],
          [9, 7n],
        ],
      },
      {
        flows: [
          [1, 1n],
          [3, 2n],
        ],
      },
      { flows: [[2, 5n]] },
    ],
    undefined,
    ['7 flows estimated: flow 1, flow 4, flow 2', '5 flows estimated: flow 5'],
  ],
  [
    'nothing where as much is paid out as there was',
    [
      { flows: [[1, 10n]] },
      {
        flows: [
          [1, 4n],
          [2, -4n],
        ],
      },
    ],
    undefined,
    ['10 flows estimated: flow 10', '0 flows estimated: flow 4, flow -4'],
  ],
  [
    'less by the smallest unit where that was paid out elsewhere beyond what there was',
    [
      { flows: [[1, 10n]] },
      {
        flows: [
          [1, 4n],
          [2, -5n],
        ],
      },
    ],
    undefined,
    ['9 flows estimated: flow 10, paid-elsewhere -1', '0 flows estimated: flow 4, flow -5, paid-elsewhere 1'],
  ],
  [
    'nothing anywhere after the smallest unit more is paid out than there was in all places',
    [
      { flows: [[1, 10n]] },
      {
        flows: [
          [1, 4n],
          [2, -15n],
        ],
      },
    ],
    undefined,
    [
      '0 flows estimated: flow 10, paid-elsewhere -10',
      '0 !1 flows estimated: flow 4, flow -15, paid-elsewhere 10, beyond-value 1 = 15 − 14',
    ],
  ],
  [
    'nothing after payouts beyond the value, twice, and what is called in between',
    [
      {},
      {
        flows: [
          [1, 4n],
          [2, -6n],
          [3, 1n],
          [4, -4n],
        ],
      },
    ],
    undefined,
    [
      '0 flows estimated: ',
      '0 !5 flows estimated: flow 4, flow -6, beyond-value 2 = 6 − 4, flow 1, flow -4, beyond-value 3 = 4 − 1',
    ],
  ],
  [
    'less by shares that are rounded so that they add up, and by what is left after that',
    [
      { flows: [[1, 1n]] },
      { flows: [[1, 1n]] },
      { flows: [[1, 1n]] },
      {
        flows: [
          [2, -2n],
          [3, -1n],
        ],
      },
    ],
    undefined,
    [
      '0 flows estimated: flow 1, paid-elsewhere -1',
      '0 flows estimated: flow 1, paid-elsewhere -1',
      '0 flows estimated: flow 1, paid-elsewhere -1',
      '0 flows estimated: flow -2, paid-elsewhere 2, flow -1, paid-elsewhere 1',
    ],
  ],
  [
    'less by shares of what was left after the payout before',
    [
      { flows: [[1, 1n]] },
      { flows: [[1, 3n]] },
      {
        flows: [
          [2, -2n],
          [3, -2n],
        ],
      },
    ],
    undefined,
    [
      '0 flows estimated: flow 1, paid-elsewhere -1',
      '0 flows estimated: flow 3, paid-elsewhere -2, paid-elsewhere -1',
      '0 flows estimated: flow -2, paid-elsewhere 2, flow -2, paid-elsewhere 2',
    ],
  ],
  [
    'after a net asset value, also what was called since where there are no units',
    [
      {
        units: 0n,
        flows: [
          [2, 4n],
          [6, 3n],
        ],
      },
      {
        flows: [
          [1, 1n],
          [7, 2n],
        ],
      },
    ],
    [5, 10n],
    ['15 net-asset-value: 10 of 10 by 0+1 of 1, flow 3, flow 2'],
  ],
  [
    'what is left when payouts of a day come after the calls of the day, wherever they are',
    [{ flows: [[2, -3n]] }, { flows: [[2, 5n]] }],
    undefined,
    ['0 flows estimated: flow -3, paid-elsewhere 3', '2 flows estimated: flow 5, paid-elsewhere -3'],
  ],
  [
    'what is left when payouts of a day come before the calls of later days',
    [{ flows: [[2, -3n]] }, { flows: [[3, 5n]] }],
    undefined,
    ['0 !3 flows estimated: flow -3, beyond-value 3 = 3 − 0', '5 flows estimated: flow 5'],
  ],
];

test.each(cases)('the places of a fund are worth %s', (_what, places, nav, values) => {
  expect(valuesOf(places, nav)).toEqual(values);
});

test('a stake that left has its share of the value before, and bears what is paid out beyond a value until it leaves', () => {
  const stayed: Place = {
    flows: [
      [1, 2n],
      [6, -5n],
      [8, -3n],
    ],
  };
  const other: Place = { flows: [[1, 2n]] };
  const left: Place = { flows: [[1, 4n]], leftOn: 7 };
  expect(valuesOf([stayed, other, left], [5, 16n])).toEqual([
    '0 net-asset-value: 4 of 16 by 0+2 of 8, flow -5, paid-elsewhere 1, flow -3, paid-elsewhere 3',
    '1 net-asset-value: 4 of 16 by 2+2 of 8, paid-elsewhere -3',
    '7 net-asset-value: 8 of 16 by 4+4 of 8, paid-elsewhere -1',
  ]);
});

test('of a net asset value, what left before its day is taken off, once for each day, and nothing of what was whole again', () => {
  const places: readonly Place[] = [{ flows: [[4, 1n]] }, { flows: [[4, 2n]] }, { flows: [[1, 7n]], leftOn: 3 }];
  const quarter = { day: 3, left: 1n, stayed: 3n };
  const third = { day: 4, left: 3n, stayed: 6n };
  expect(valuesOf(places, [5, 36n], [quarter, third]).slice(0, 2)).toEqual([
    '6 net-asset-value: 6 of 36 by 0+1 of 3',
    '12 net-asset-value: 12 of 36 by 1+2 of 3',
  ]);
  const all = { day: 3, left: 4n, stayed: 0n };
  expect(valuesOf(places, [5, 36n], [all, third]).slice(0, 1)).toEqual(['8 net-asset-value: 8 of 36 by 0+1 of 3']);
});
