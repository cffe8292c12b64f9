// Generates random histories with uploads, in two reference currencies and with every cost method, for property tests of
// explanations.

import fc from 'fast-check';

import type { Explanation, Figure } from '../../../src/engine/explanation/explanation.ts';
import type { Facts, Upload } from '../../../src/engine/history/facts.ts';
import { History } from '../../../src/engine/history/history.ts';
import type { CostMethod } from '../../../src/engine/lots/lot.ts';
import { oneFixed } from '../../../src/kit/fixed.ts';
import { checkedFigureNames } from './explanation-check.ts';
import {
  allEvents,
  factsOfTransactions,
  firstEventDay,
  lastEventDay,
  withRowNumbers,
  generatedMarket,
  type UnnumberedTransaction,
  type GeneratedMarket,
} from './generated-facts.ts';

export const coversAll = () => true;
const anyDay = fc.integer({ min: firstEventDay, max: lastEventDay });

const anyAmount = fc.integer({ min: 1, max: 900_000 }).map((cents) => BigInt(cents) * 10n ** 16n);
const anyUpload: fc.Arbitrary<Upload> = fc.oneof(
  fc.record({
    kind: fc.constant('units' as const),
    day: anyDay,
    depository: fc.constantFrom('north', 'south'),
    instrument: fc.constantFrom('alpha', 'beta', 'bond', 'fund'),
    quantity: anyAmount,
    marketValue: anyAmount,
    accrued: fc.constantFrom(0n, 7n * oneFixed),
    exchange: fc.constantFrom(null, { rate: 11n * 10n ** 17n, currency: 'CHF' }),
  }),
  fc.record({
    kind: fc.constant('cash' as const),
    day: anyDay,
    account: fc.constantFrom('euro', 'dollar'),
    balance: anyAmount,
  }),
  fc.record({
    kind: fc.constant('fees' as const),
    day: anyDay,
    account: fc.constantFrom('euro', 'second'),
    owed: anyAmount,
  }),
);

export interface GeneratedCase {
  readonly market: GeneratedMarket;
  readonly events: readonly UnnumberedTransaction[];
  readonly uploads: readonly Upload[];
  readonly method: CostMethod;
  readonly referenceCurrency: string;
  readonly day: number;
}

/** The report date is a day on which something happens. */
export const generatedCase: fc.Arbitrary<GeneratedCase> = fc
  .record({
    market: generatedMarket,
    events: fc.tuple(allEvents, allEvents, allEvents, allEvents).map((lists) => lists.flat()),
    uploads: fc.oneof(fc.constant([]), fc.array(anyUpload, { minLength: 2, maxLength: 9 })),
    method: fc.constantFrom<CostMethod>('FIFO', 'AVERAGE', 'SPECIFIC_ID'),
    referenceCurrency: fc.constantFrom('EUR', 'CHF'),
    pick: fc.nat(),
  })
  .map(({ pick, ...rest }) => {
    const days = [...rest.events, ...rest.uploads].map(({ day }) => day);
    return { ...rest, day: days[pick % Math.max(1, days.length)] ?? firstEventDay };
  });

export function historyOfCase({ market, events, uploads, method, referenceCurrency }: GeneratedCase): History {
  const facts: Facts = factsOfTransactions(market, withRowNumbers(events), method);
  return new History({ ...facts, uploads, settings: { ...facts.settings, referenceCurrency } });
}

/** The names of figures in all explanations so far. */
export const seenFigureNames = new Set<string>();

/** Whether figures of a name have a unit. */
const haveUnit = new Map<string, boolean>();

/** Rates are also shown where the currencies stand beside them, and levels of an index have a currency only if they are converted. */
const sometimesWithUnit: ReadonlySet<string> = new Set(['uploaded-rate', 'begin-level', 'end-level']);

/** All figures of a name have a unit, or none has. */
function checkUnits({ name, unit, of = [] }: Figure): void {
  const hasUnit = unit !== undefined;
  if ((haveUnit.get(name) ?? hasUnit) !== hasUnit && !sometimesWithUnit.has(name))
    throw new Error(`${name} ${hasUnit ? `has the unit ${unit}` : 'has no unit'}, other than before.`);
  haveUnit.set(name, hasUnit);
  of.forEach(checkUnits);
}

export function checkExplanation(explanation: Explanation): readonly string[] {
  const names = checkedFigureNames(explanation);
  if (explanation.value === null) explanation.of?.forEach(checkUnits);
  else checkUnits(explanation);
  for (const name of names) seenFigureNames.add(name);
  return names;
}

/** Returns the value after checking it against its formulas. */
export function checkedValue(explanation: Explanation): string | null {
  checkExplanation(explanation);
  return explanation.value;
}
