// Daily returns of every segment of every axis in the obvious way with objects and decimal.js: amounts exact to 18 places,
// rounding half to even, returns as numbers.

import { Decimal } from './configured-decimal.ts';

export interface DecimalHolding {
  /** Null for cash. */
  readonly instrument: string | null;
  readonly currency: string;
  /** One segment per axis; all segments have different names. */
  readonly segments: readonly string[];
  units: Decimal;
}

export interface DecimalTransaction {
  readonly day: number;
  /** Null if cash comes from outside or goes there. */
  readonly holding: DecimalHolding | null;
  readonly cash: DecimalHolding;
  readonly quantity: Decimal;
  /** Paid into the cash account. */
  readonly amount: Decimal;
}

export interface DecimalMarket {
  readonly firstDay: number;
  readonly dayCount: number;
  /** By instrument and day; a day without a price uses the previous one. */
  readonly prices: ReadonlyMap<string, ReadonlyMap<number, Decimal>>;
  /** By currency and day: the amount of it that 1 of the reference currency buys. */
  readonly rates: ReadonlyMap<string, ReadonlyMap<number, Decimal>>;
}

export interface DecimalDay {
  readonly value: Decimal;
  readonly flow: Decimal;
  readonly ratio: number;
  readonly cumulative: number;
}

export class DecimalSegment {
  readonly days: DecimalDay[] = [];
  contribution = 0;
  growth = 1;
  value = zero;
  flow = zero;

  /** Starts the next day. */
  begin(): void {
    this.value = zero;
    this.flow = zero;
  }

  get valueBefore(): Decimal {
    return this.days.at(-1)?.value ?? zero;
  }

  get base(): Decimal {
    return this.flow.greaterThan(zero) ? this.valueBefore.plus(this.flow) : this.valueBefore;
  }

  /** Ends the day, given the base of the whole portfolio and its growth before the day. */
  end(whole: { readonly base: Decimal; readonly growth: number }): void {
    const base = this.base;
    const gain = this.value.minus(this.valueBefore).minus(this.flow);
    const ratio = base.greaterThan(zero) ? gain.toNumber() / base.toNumber() : 0;
    if (whole.base.greaterThan(zero)) this.contribution += (gain.toNumber() / whole.base.toNumber()) * whole.growth;
    this.growth *= 1 + ratio;
    this.days.push({ value: this.value, flow: this.flow, ratio, cumulative: this.growth - 1 });
  }
}

const zero = new Decimal(0);

export function decimalReturns(
  market: DecimalMarket,
  transactions: readonly DecimalTransaction[],
  holdings: readonly DecimalHolding[],
): Map<string, DecimalSegment> {
  const segments = new Map(
    holdings.flatMap((holding) => holding.segments.map((name) => [name, new DecimalSegment()] as const)),
  );
  for (const holding of holdings) holding.units = zero;
  const whole = segments.get(holdings[0]!.segments[0]!)!;
  const latestPrices = new Map<string, Decimal>();
  const latestRates = new Map<string, Decimal>();
  let next = 0;
  for (let day = market.firstDay; day < market.firstDay + market.dayCount; day++) {
    carryForward(market.prices, latestPrices, day);
    carryForward(market.rates, latestRates, day);
    for (const segment of segments.values()) segment.begin();
    while (transactions[next]?.day === day) book(transactions[next++]!, segments, latestRates);
    for (const holding of holdings) {
      if (holding.units.isZero()) continue;
      const price = holding.instrument === null ? undefined : latestPrices.get(holding.instrument)!;
      const amount = price === undefined ? holding.units : holding.units.times(price);
      const value = amount.div(latestRates.get(holding.currency)!).toDecimalPlaces(18);
      for (const name of holding.segments) {
        const segment = segments.get(name)!;
        segment.value = segment.value.plus(value);
      }
    }
    const ofWhole = { base: whole.base, growth: whole.growth };
    for (const segment of segments.values()) segment.end(ofWhole);
  }
  return segments;
}

function carryForward(
  series: ReadonlyMap<string, ReadonlyMap<number, Decimal>>,
  latest: Map<string, Decimal>,
  day: number,
): void {
  for (const [name, points] of series) {
    const point = points.get(day);
    if (point !== undefined) latest.set(name, point);
  }
}

function book(
  { holding, cash, quantity, amount }: DecimalTransaction,
  segments: ReadonlyMap<string, DecimalSegment>,
  rates: ReadonlyMap<string, Decimal>,
): void {
  const flow = amount.div(rates.get(cash.currency)!).toDecimalPlaces(18);
  cash.units = cash.units.plus(amount);
  for (const name of cash.segments) addFlow(segments.get(name)!, flow);
  if (holding === null) return;
  holding.units = holding.units.plus(quantity);
  for (const name of holding.segments) addFlow(segments.get(name)!, flow.negated());
}

function addFlow(segment: DecimalSegment, flow: Decimal): void {
  segment.flow = segment.flow.plus(flow);
}
