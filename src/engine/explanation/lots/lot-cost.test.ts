// Checks what lots cost after rows that took no units from them, moved them or converted them, against figures worked out by hand.

import { describe, expect, test } from 'vitest';

import { checkedLines } from '../../../../tests/setup/engine/explained-ledger.ts';
import { historyOfText } from '../../../../tests/setup/ledger-text/ledger-text.ts';
import { day } from '../../../../tests/setup/engine/valued-holding.ts';
import { holdings } from '../../history/holdings.ts';
import { explainLots, explainLotUnits, explainOpenLotCost } from '../explanation.ts';

const facts = (method: string) => `What lots cost
client EUR ${method}
account A EUR, depositories D E
instrument X listed EUR
instrument Y listed EUR
instrument U listed USD
instrument P private-fund EUR
rate EUR/USD 2024-01-01 1.25
2024-01-02 deposit A 20000
`;

const evening = day('2024-03-01');

/** The one holding of an instrument. */
function heldAfter(rows: readonly string[], instrument: string, method: 'FIFO' | 'AVERAGE' = 'FIFO') {
  const history = historyOfText(`${facts(method)}${rows.join('\n')}`);
  const found = holdings(history, { day: evening, covers: () => true }).filter((one) => one.instrument === instrument);
  expect(found).toHaveLength(1);
  const { position } = found[0]!;
  return { history, position, lots: history.lots(position, evening).lots };
}

function costLines(...[rows, instrument, method]: Parameters<typeof heldAfter>): readonly string[] {
  const { history, position } = heldAfter(rows, instrument, method);
  return checkedLines(explainLots(history, { position, day: evening, field: 'cost' }));
}

const twoPurchases = ['2024-01-02 buy A X 10 @ 10', '2024-01-03 buy A X 20 @ 11'];

describe('money of a row that takes no units', () => {
  test('is spread over the lots by units, each time over what the earlier ones have left', () => {
    const rows = [...twoPurchases, '2024-01-04 buy A X 30 @ 12', '2024-02-01 return-of-capital A X 100'];
    expect(costLines(rows, 'X').filter((line) => !line.includes('traded'))).toEqual([
      'cost 580 = 83.333333333333333333 + 186.666666666666666667 + 310',
      '  lot 83.333333333333333333 = 100 − 16.666666666666666667',
      '    cost-returned 16.666666666666666667 = 100 × 10 ÷ 60',
      '      row-value 100',
      '      units 10',
      '      held-units 60',
      '  lot 186.666666666666666667 = 220 − 33.333333333333333333',
      '    cost-returned 33.333333333333333333 = (100 − 16.666666666666666667) × 20 ÷ (60 − 10)',
      '      row-value 100',
      '      earlier-shares 16.666666666666666667',
      '      units 20',
      '      held-units 60',
      '      earlier-units 10',
      '  lot 310 = 360 − 50',
      '    cost-returned 50 = (100 − 50) × 30 ÷ (60 − 30)',
      '      row-value 100',
      '      earlier-shares 50',
      '      units 30',
      '      held-units 60',
      '      earlier-units 30',
    ]);
  });

  test('that is called raises the cost of each lot by its share', () => {
    const calls = ['2024-01-02 call A P 10 units 10', '2024-01-03 call A P 44 units 20', '2024-02-01 call A P 90'];
    expect(costLines(calls, 'P')).toEqual([
      'cost 144 = 40 + 104',
      '  lot 40 = 10 + 30',
      '    traded-cost 10',
      '    cost-called 30 = 90 × 10 ÷ 30',
      '      row-value 90',
      '      units 10',
      '      held-units 30',
      '  lot 104 = 44 + 60',
      '    traded-cost 44',
      '    cost-called 60 = (90 − 30) × 20 ÷ (30 − 10)',
      '      row-value 90',
      '      earlier-shares 30',
      '      units 20',
      '      held-units 30',
      '      earlier-units 10',
    ]);
  });

  test('lowers the cost of a lot to nothing and not below', () => {
    const rows = ['2024-01-02 buy A X 10 @ 1', '2024-01-03 buy A X 20 @ 11', '2024-02-01 return-of-capital A X 100'];
    expect(costLines(rows, 'X').slice(1, 7)).toEqual([
      '  lot 0 = 10 − 10',
      '    traded-cost 10 = 10 × 1',
      '      traded-units 10',
      '      traded-price 1',
      '    cost-returned 10 = 10 [limited-to-cost]',
      '      cost-before 10',
    ]);
  });

  test('is all of one lot, and under AVERAGE of all lots together', () => {
    const returned = '2024-02-01 return-of-capital A X 7';
    expect(costLines([twoPurchases[0]!, returned], 'X').slice(-2)).toEqual([
      '    cost-returned 7 = 7',
      '      row-value 7',
    ]);
    const together = costLines([...twoPurchases, returned], 'X', 'AVERAGE');
    expect(together.filter((line) => !line.includes('traded-'))).toEqual([
      'cost 313 = 100 + 220 − 7',
      '  cost-returned 7 = 7',
      '    row-value 7',
    ]);
  });
});

describe('a corporate action', () => {
  const spinOff = '2024-02-01 spin-off X into Y 1:4 share 20%';

  test('that spins off a share of each cost leaves the rest, and says which share went', () => {
    expect(costLines([...twoPurchases, spinOff], 'X').filter((line) => !line.includes('traded'))).toEqual([
      'cost 256 = 80 + 176',
      '  lot 80 = 100 − 20',
      '    cost-spun-off 20 = 100 × 0.2',
      '      cost-before 100',
      '      cost-share 0.2',
      '  lot 176 = 220 − 44',
      '    cost-spun-off 44 = 220 × 0.2',
      '      cost-before 220',
      '      cost-share 0.2',
    ]);
    expect(costLines([...twoPurchases, spinOff], 'Y').slice(0, 6)).toEqual([
      'cost 64 = 20 + 44',
      '  lot 20 = 100 × 0.2',
      '    cost-before 100 = 10 × 10',
      '      traded-units 10',
      '      traded-price 10',
      '    cost-share 0.2',
    ]);
    expect(costLines([...twoPurchases, spinOff], 'X', 'AVERAGE').at(-1)).toBe('  cost-spun-off 64');
  });

  test('that leaves a lot without units passes its cost on to its neighbour', () => {
    const dust = '2024-01-02 buy A X 0.000000000000000001 @ 1000000000000000000';
    expect(costLines([dust, twoPurchases[1]!, '2024-02-01 reverse-split X 1:10'], 'X')).toEqual([
      'cost 221 = 221',
      '  lot 221 = 220 − (-1)',
      '    traded-cost 220 = 20 × 11',
      '      traded-units 20',
      '      traded-price 11',
      '    cost-passed-on -1',
    ]);
  });

  test('that merges takes the whole cost under AVERAGE, so that later purchases begin anew', () => {
    const rows = [twoPurchases[0]!, '2024-02-01 merger X into Y 1:2', '2024-02-03 buy A X 4 @ 5'];
    expect(costLines(rows, 'X', 'AVERAGE').filter((line) => !line.includes('traded-'))).toEqual([
      'cost 20 = 100 − 100 + 20',
      '  cost-converted 100 = 100',
      '    cost-before 100',
    ]);
    expect(costLines(rows, 'Y', 'AVERAGE').slice(0, 3)).toEqual([
      'cost 100 = 100',
      '  converted-cost 100 = 100',
      '    cost-before 100 = 10 × 10',
    ]);
  });

  test('whose target is in another currency gives a cost without a formula', () => {
    const rows = [twoPurchases[0]!, '2024-02-01 spin-off X into U 1:1 share 20%'];
    expect(costLines(rows, 'U')).toEqual(['cost 25 = 25', '  lot 25']);
  });
});

describe('a lot that went from place to place', () => {
  const bought = '2024-01-02 buy A/D X 10 @ 10';
  const derivation = ['100 = 10 × 10', 'traded-units 10', 'traded-price 10'];

  function movesThere(count: number): readonly string[] {
    return Array.from({ length: count }, (_, index) => {
      const [from, to] = index % 2 === 0 ? ['D', 'E'] : ['E', 'D'];
      return `2024-02-01 move A/${from} X 10 to A/${to}`;
    });
  }

  function mergersThere(count: number): readonly string[] {
    return Array.from(
      { length: count },
      (_, index) => `2024-02-01 merger ${index % 2 === 0 ? 'X into Y' : 'Y into X'} 1:1`,
    );
  }

  test.each([
    ['moves', movesThere, 'X', 40],
    ['mergers', mergersThere, 'Y', 20],
  ] as const)('is followed back through twenty %s, and no further', (_kind, rowsOf, last, steps) => {
    const followed = costLines([bought, ...rowsOf(20)], 'X');
    expect(followed).toHaveLength(2 + steps + 2);
    expect(followed.slice(-3).map((line) => line.replace(/^ *(cost-before )?/, ''))).toEqual(derivation);
    const cut = costLines([bought, ...rowsOf(21)], last);
    expect(cut).toHaveLength(2 + steps);
    expect(cut.at(-1)).toMatch(/^ *cost-before 100$/);
  });
});

describe('under AVERAGE', () => {
  test('a lot has its share of the cost of all units, of which the earlier ones have had theirs', () => {
    const rows = ['2024-01-02 buy A X 10 @ 10', '2024-01-03 buy A X 20 @ 13', '2024-02-01 sell A X 6 @ 13'];
    const { history, position, lots } = heldAfter(rows, 'X', 'AVERAGE');
    const shares = lots.map((lot) => explainOpenLotCost(history, { position, lot, day: evening, field: 'cost' }));
    const ownLines = shares.map((share) => checkedLines(share).filter((line) => /^ {0,2}\S/.test(line)));
    expect(ownLines).toEqual([
      ['cost 48 = 288 × 4 ÷ 24', '  cost 288 = 100 + 260 − 72', '  units 4', '  held-units 24'],
      [
        'cost 240 = (288 − 48) × 20 ÷ (24 − 4)',
        '  cost 288 = 100 + 260 − 72',
        '  earlier-shares 48',
        '  units 20',
        '  held-units 24',
        '  earlier-units 4',
      ],
    ]);
    expect(shares.map(({ day: on, source, unit }) => ({ on, source, unit }))).toEqual([
      { on: day('2024-01-02'), source: { kind: 'row', row: 2 }, unit: 'EUR' },
      { on: day('2024-01-03'), source: { kind: 'row', row: 3 }, unit: 'EUR' },
    ]);
  });
});

describe('the units of lots', () => {
  function unitLines(rows: readonly string[]): readonly (readonly string[])[] {
    const { history, position, lots } = heldAfter(rows, 'X');
    return lots.map((lot) => checkedLines(explainLotUnits(history, { position, lot, day: evening })));
  }

  const threeLots = [1, 2, 3].map((price) => `2024-01-0${price + 1} buy A X 10 @ ${price}`);

  test('that a split rounds together have a formula where that gives them, else only the result', () => {
    const thirds = [
      'lot-units 3.333333333333333333 = 3.333333333333333333',
      '  units-after-split 3.333333333333333333 = 10 × 1 ÷ 3',
      '    units-opened 10',
      '    units-after 1',
      '    units-before 3',
    ];
    expect(unitLines([...threeLots, '2024-02-01 reverse-split X 1:3'])).toEqual([
      thirds,
      ['lot-units 3.333333333333333334 = 3.333333333333333334', '  units-after-split 3.333333333333333334'],
      thirds,
    ]);
  });

  test('go on from a split: what left before is in it, what left later comes off', () => {
    const rows = ['2024-01-05 sell A X 4 @ 3', '2024-02-01 split X 3:2', '2024-02-05 sell A X 1 @ 7'];
    expect(unitLines([...threeLots, ...rows])[0]).toEqual([
      'lot-units 8 = 9 − 1',
      '  units-after-split 9 = 6 × 3 ÷ 2',
      '    units-before-split 6 = 10 − 4',
      '      units-opened 10',
      '      units-taken 4',
      '    units-after 3',
      '    units-before 2',
      '  units-taken 1',
    ]);
  });
});
