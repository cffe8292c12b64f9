// Histories made up at random, with uploads, in two reference currencies and by every method: for laws of what explains them.

import fc from 'fast-check';

import type { Explanation } from '../../../src/engine/explanation/explanation.ts';
import type { Facts, Upload } from '../../../src/engine/history/facts.ts';
import { History } from '../../../src/engine/history/history.ts';
import type { CostMethod } from '../../../src/engine/lots/lot.ts';
import { oneFixed } from '../../../src/kit/fixed.ts';
import { checkedNames } from './explanation-check.ts';
import { allEvents, factsOf, firstDay, lastDay, numbered, world, type Event, type World } from './generated-facts.ts';

export const covers = () => true;
const someDay = fc.integer({ min: firstDay, max: lastDay });

const someAmount = fc.integer({ min: 1, max: 900_000 }).map((cents) => BigInt(cents) * 10n ** 16n);
const someUpload: fc.Arbitrary<Upload> = fc.oneof(
  fc.record({
    kind: fc.constant('units' as const),
    day: someDay,
    depository: fc.constantFrom('north', 'south'),
    instrument: fc.constantFrom('alpha', 'beta', 'bond', 'fund'),
    quantity: someAmount,
    marketValue: someAmount,
    accrued: fc.constantFrom(0n, 7n * oneFixed),
    exchange: fc.constantFrom(null, { rate: 11n * 10n ** 17n, currency: 'CHF' }),
  }),
  fc.record({
    kind: fc.constant('cash' as const),
    day: someDay,
    account: fc.constantFrom('euro', 'dollar'),
    balance: someAmount,
  }),
  fc.record({
    kind: fc.constant('fees' as const),
    day: someDay,
    account: fc.constantFrom('euro', 'second'),
    owed: someAmount,
  }),
);

export interface Case {
  readonly some: World;
  readonly events: readonly Event[];
  readonly uploads: readonly Upload[];
  readonly method: CostMethod;
  readonly referenceCurrency: string;
  readonly day: number;
}

/** Seen on a day on which something happens. */
export const someCase: fc.Arbitrary<Case> = fc
  .record({
    some: world,
    events: fc.tuple(allEvents, allEvents, allEvents, allEvents).map((lists) => lists.flat()),
    uploads: fc.oneof(fc.constant([]), fc.array(someUpload, { minLength: 2, maxLength: 9 })),
    method: fc.constantFrom<CostMethod>('FIFO', 'AVERAGE', 'SPECIFIC_ID'),
    referenceCurrency: fc.constantFrom('EUR', 'CHF'),
    pick: fc.nat(),
  })
  .map(({ pick, ...rest }) => {
    const days = [...rest.events, ...rest.uploads].map(({ day }) => day);
    return { ...rest, day: days[pick % Math.max(1, days.length)] ?? firstDay };
  });

export function historyOf({ some, events, uploads, method, referenceCurrency }: Case): History {
  const facts: Facts = factsOf(some, numbered(events), method);
  return new History({ ...facts, uploads, settings: { ...facts.settings, referenceCurrency } });
}

/** Seen in any explanation so far. */
export const seen = new Set<string>();

export function checked(explanation: Explanation): readonly string[] {
  const names = checkedNames(explanation);
  for (const name of names) seen.add(name);
  return names;
}

/** Where it is what its formulas come to. */
export function checkedValue(explanation: Explanation): string | null {
  checked(explanation);
  return explanation.value;
}
