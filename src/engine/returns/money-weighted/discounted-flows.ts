// Discounts the money that came back and the money that was paid in at one rate, as logarithms that neither overflow nor vanish
// at any rate.

import { exponential, logarithm } from '../../amounts/elementary-functions.ts';
import type { NetFlows } from './net-flows.ts';

/** Money returned and money paid in, both as magnitudes, beside all flows with their signs. */
export interface FlowSides {
  readonly net: NetFlows;
  readonly inflows: NetFlows;
  readonly outflows: NetFlows;
  /** Days from the first flow to the last. */
  readonly span: number;
}

/** One side at one rate. */
export interface DiscountedSide {
  /** Σ amount · e^(−growth · (time − reference)). */
  readonly value: number;
  readonly reference: number;
  /** ln Σ amount · e^(−growth · time): convex in the growth. */
  readonly logarithm: number;
  /** The mean time weighted by discounted amounts: minus the slope of `logarithm`; it falls as the growth rises. */
  readonly meanTime: number;
}

/** Both sides at one rate. The rate is a root if their logarithms are equal. */
export interface DiscountedBalance {
  /** ln(1 + rate) / 365. */
  readonly growth: number;
  readonly inflow: DiscountedSide;
  readonly outflow: DiscountedSide;
}

export function flowSides(net: NetFlows): FlowSides {
  const count = net.times.length;
  const [times, amounts] = [new Int32Array(count), new Float64Array(count)];
  let inflowCount = 0;
  for (let index = 0; index < count; index++) if (net.amounts[index]! > 0) inflowCount++;
  let [inflow, outflow] = [0, inflowCount];
  for (let index = 0; index < count; index++) {
    const amount = net.amounts[index]!;
    const at = amount > 0 ? inflow++ : outflow++;
    times[at] = net.times[index]!;
    amounts[at] = Math.abs(amount);
  }
  const side = (from: number, to: number) => ({ times: times.subarray(from, to), amounts: amounts.subarray(from, to) });
  return { net, inflows: side(0, inflowCount), outflows: side(inflowCount, count), span: net.times[count - 1]! };
}

/** e^(−decay · distance) for distances in whole days, as a product of two factors. */
interface DiscountTables {
  /** By the last 7 bits of the distance. */
  readonly low: Float64Array;
  /** By the remaining bits. */
  readonly high: Float64Array;
}

const lowBits = 7;
const lowCount = 2 ** lowBits;
const lowMask = lowCount - 1;

/** Undefined if there are no more flows than table entries. */
function findDiscountTables({ net, span }: FlowSides, decay: number): DiscountTables | undefined {
  const highCount = (span >> lowBits) + 1;
  if (net.times.length <= lowCount + highCount) return undefined;
  const [low, high] = [new Float64Array(lowCount), new Float64Array(highCount)];
  for (let index = 0; index < lowCount; index++) low[index] = exponential(-decay * index);
  for (let index = 0; index < highCount; index++) high[index] = exponential(-decay * (index << lowBits));
  return { low, high };
}

/** The day to which a side is discounted so that no factor exceeds one: its first if money grows, else its last. */
function referenceTime({ times }: NetFlows, growth: number): number {
  return growth < 0 ? times[times.length - 1]! : times[0]!;
}

export function discountedBalance(sides: FlowSides, growth: number): DiscountedBalance {
  const tables = findDiscountTables(sides, Math.abs(growth));
  const discounted = (side: NetFlows): DiscountedSide => {
    const reference = referenceTime(side, growth);
    const [value, moment] = tables
      ? sumsFromTables(side, reference, tables)
      : discountedSums(side, reference, Math.abs(growth));
    return {
      value,
      reference,
      logarithm: logarithm(value) - reference * growth,
      meanTime: reference + moment / value,
    };
  };
  return { growth, inflow: discounted(sides.inflows), outflow: discounted(sides.outflows) };
}

/** Σ discounted amount, and Σ discounted amount · (time − reference). */
type Sums = [value: number, moment: number];

// Two loops, because one loop with a branch takes twice the time.
function sumsFromTables({ times, amounts }: NetFlows, reference: number, { low, high }: DiscountTables): Sums {
  let value = 0;
  let moment = 0;
  for (let index = 0, count = times.length; index < count; index++) {
    const offset = times[index]! - reference;
    const distance = Math.abs(offset);
    const term = amounts[index]! * (high[distance >> lowBits]! * low[distance & lowMask]!);
    value += term;
    moment += term * offset;
  }
  return [value, moment];
}

function discountedSums({ times, amounts }: NetFlows, reference: number, decay: number): Sums {
  let value = 0;
  let moment = 0;
  for (let index = 0, count = times.length; index < count; index++) {
    const offset = times[index]! - reference;
    const term = amounts[index]! * exponential(-decay * Math.abs(offset));
    value += term;
    moment += term * offset;
  }
  return [value, moment];
}

/** Returns every net flow's factor at one rate, as of the reference day. */
export function discountFactors(sides: FlowSides, growth: number): Float64Array {
  const { times } = sides.net;
  const decay = Math.abs(growth);
  const reference = referenceTime(sides.net, growth);
  const factors = new Float64Array(times.length);
  const tables = findDiscountTables(sides, decay);
  if (tables) fillFactors(factors, times, { ...tables, reference });
  else times.forEach((time, index) => (factors[index] = exponential(-decay * Math.abs(time - reference))));
  return factors;
}

function fillFactors(
  factors: Float64Array,
  times: Int32Array,
  { low, high, reference }: DiscountTables & { readonly reference: number },
): void {
  for (let index = 0, count = times.length; index < count; index++) {
    const distance = Math.abs(times[index]! - reference);
    factors[index] = high[distance >> lowBits]! * low[distance & lowMask]!;
  }
}

/** ln(discounted inflows / discounted outflows): zero at a root, elsewhere with the sign of the present value. */
export function logExcess({ growth, inflow, outflow }: DiscountedBalance): number {
  return logarithm(inflow.value / outflow.value) - (inflow.reference - outflow.reference) * growth;
}
