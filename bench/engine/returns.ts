// Times daily returns over ten years for the whole portfolio and every segment of every axis: the engine, bare doubles,
// decimal.js. Compares the answers before timing.

import { fromFixed, type Fixed } from '../../src/kit/fixed.ts';
import { bareReturns, type BareReturns } from './bare/returns.ts';
import { Decimal } from './decimal/configured-decimal.ts';
import {
  decimalReturns,
  type DecimalHolding,
  type DecimalMarket,
  type DecimalSegment,
  type DecimalTransaction,
} from './decimal/returns.ts';
import { currencies, places, type GeneratedLedger } from './ledger/generated-ledger.ts';
import { timeInTurns, timeOnce, type EngineMeasurement, type Timing } from './harness.ts';
import { engineFactsOf } from './holdfast/facts.ts';
import { holdfastRequest, holdfastReturns, type HoldfastReturns } from './holdfast/returns.ts';
import { cashHolding, segmentationOf, type Segmentation } from './ledger/segments.ts';
import { implementationNames } from './implementation-names.ts';

interface DecimalInput {
  readonly market: DecimalMarket;
  readonly holdings: readonly DecimalHolding[];
  readonly transactions: readonly DecimalTransaction[];
}

function segmentName(axis: string, segment: number): string {
  return `${axis} ${segment}`;
}

function decimalInputOf(ledger: GeneratedLedger, { holdings, axes }: Segmentation): DecimalInput {
  const decimalHoldings = holdings.map(({ instrument, currency }, holding) => ({
    instrument: instrument === null ? null : String(instrument),
    currency: currencies[currency]!,
    segments: axes.map(({ name, segments }) => segmentName(name, segments[holding]!)),
    units: new Decimal(0),
  }));
  const pointsOf = (values: Float64Array, scale: number): Map<number, Decimal> =>
    new Map(Array.from(values, (value, point) => [ledger.pointDays[point]!, scaled(value, scale)]));
  const transactions = Array.from(ledger.days, (day, row) => {
    const position = ledger.rowPositions[row]!;
    const amount = scaled(ledger.amounts[row]!, places.amount);
    const cash = cashHolding(ledger.positions.length, ledger.accounts[row]!, ledger.currencies[row]!);
    return {
      day,
      holding: decimalHoldings[position] ?? null,
      cash: decimalHoldings[cash]!,
      quantity: scaled(ledger.quantities[row]!, places.quantity),
      amount: ledger.quantities[row]! > 0 ? amount.negated() : amount,
    };
  });
  return {
    market: {
      firstDay: ledger.firstDay,
      dayCount: ledger.dayCount,
      prices: new Map(ledger.prices.map((values, instrument) => [String(instrument), pointsOf(values, places.price)])),
      rates: new Map(ledger.rates.map((values, currency) => [currencies[currency]!, pointsOf(values, places.rate)])),
    },
    holdings: decimalHoldings,
    transactions,
  };
}

function scaled(value: number, scale: number): Decimal {
  return new Decimal(value).div(10 ** scale);
}

const timeBudget = { rounds: 7, implementationMsMax: 8_000 };

export type Peers = 'all' | 'bare doubles only';

/** Throws if the answers differ. decimal.js runs last, so that its objects do not slow down the others. */
export function measureReturns(ledger: GeneratedLedger, peers: Peers): EngineMeasurement {
  const segmentation = segmentationOf(ledger);
  const facts = engineFactsOf(ledger);
  const request = holdfastRequest(ledger, segmentation);
  const quick = timeInTurns(
    [
      { name: implementationNames.ours, run: () => holdfastReturns(facts, request) },
      { name: implementationNames.bare, run: () => bareReturns(ledger, segmentation) },
    ],
    timeBudget,
  );
  const ours = holdfastReturns(facts, request);
  compareWithBare(segmentation, ours, bareReturns(ledger, segmentation));
  const slow: Timing[] = [];
  if (peers === 'all') {
    const { market, holdings, transactions } = decimalInputOf(ledger, segmentation);
    const decimals = timeOnce(implementationNames.decimal, () => decimalReturns(market, transactions, holdings));
    compareWithDecimals(segmentation, ours, decimals.answer);
    slow.push(decimals.timing);
  }
  return { task: 'daily TWR over ten years, all axes', size: ledger.days.length, timings: [...quick, ...slow] };
}

function* eachSegment({ axes }: Segmentation) {
  let place = 0;
  for (const { name, segmentCount } of axes)
    for (let segment = 0; segment < segmentCount; segment++) yield { axis: name, segment, place: place++ };
}

/** The accepted error of doubles: for money relative to the whole portfolio, for returns absolute. */
const bareTolerance = 1e-9;

function compareWithBare(segmentation: Segmentation, { segments }: HoldfastReturns, bare: BareReturns): void {
  const whole = segments.get('whole')!.get('0')!.values;
  const dayCount = whole.length - 1;
  for (const { axis, segment, place } of eachSegment(segmentation)) {
    const found = segments.get(axis)!.get(String(segment));
    if (found === undefined) {
      const values = bare.values.subarray(place * dayCount, (place + 1) * dayCount);
      if (values.some((value) => value !== 0)) throw new Error(`${axis} ${segment} is missing.`);
      continue;
    }
    const { values, flows, path, contribution } = found;
    for (let day = 0; day < dayCount; day++) {
      const at = place * dayCount + day;
      const size = Math.max(1, whole.doubleAt(day + 1) / 1e18);
      const pairs = [
        [values.doubleAt(day + 1) / 1e18 / size, bare.values[at]! / size],
        [flows.doubleAt(day + 1) / 1e18 / size, bare.flows[at]! / size],
        [path.ratios[day]!, bare.ratios[at]!],
        [path.cumulative[day]!, bare.cumulative[at]!],
      ] as const;
      if (!pairs.every(isClose)) throw new Error(`${axis} ${segment}, day ${day}: ${JSON.stringify(pairs)}.`);
    }
    if (!isClose([contribution ?? 0, bare.contributions[place]!]))
      throw new Error(`${axis} ${segment}: contribution ${contribution}, in doubles ${bare.contributions[place]}.`);
  }
}

function isClose([one, other]: readonly [number, number]): boolean {
  return Math.abs(one - other) <= bareTolerance * Math.max(1, Math.abs(one));
}

/** Compares amounts to the last of 18 places. */
function compareWithDecimals(
  segmentation: Segmentation,
  { segments }: HoldfastReturns,
  decimals: ReadonlyMap<string, DecimalSegment>,
): void {
  for (const { axis, segment } of eachSegment(segmentation)) {
    const found = segments.get(axis)!.get(String(segment));
    if (found === undefined) continue;
    const { values, flows, path, contribution } = found;
    const other = decimals.get(segmentName(axis, segment))!;
    for (const [day, { value, flow, ratio, cumulative }] of other.days.entries()) {
      const isEqual =
        isSame(values.at(day + 1), value) &&
        isSame(flows.at(day + 1), flow) &&
        isClose([path.ratios[day]!, ratio]) &&
        isClose([path.cumulative[day]!, cumulative]);
      if (!isEqual) throw new Error(`${axis} ${segment}, day ${day}: ${values.at(day + 1)}, decimal.js ${value}.`);
    }
    if (!isClose([contribution ?? 0, other.contribution]))
      throw new Error(`${axis} ${segment}: contribution ${contribution}, decimal.js ${other.contribution}.`);
  }
}

function isSame(own: Fixed, other: Decimal): boolean {
  return own === 0n ? other.isZero() : fromFixed(own) === other.toFixed();
}
