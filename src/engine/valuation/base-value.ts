// Builds a valuation from a base value and additions: sums the parts and collects the findings.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { convertedAmount, type Conversion, type ConversionKey } from '../currencies/exchange-rates.ts';
import type { ValuationContext } from './position-state.ts';
import type { Valuation, ValuationFinding, ValuePart } from './value-part.ts';

export type BaseValue = Omit<Valuation, 'value' | 'accrued'>;

/** A base value that no point of a series states: it follows from terms, transactions or an upload. */
export function baseValueWithoutPoint(
  { currency, source }: Pick<BaseValue, 'currency' | 'source'>,
  ...parts: ValuePart[]
): BaseValue {
  return { currency, source, day: null, isStale: false, isEstimated: false, findings: [], parts };
}

/** More parts of the same sum. */
export interface Addition {
  readonly parts: readonly ValuePart[];
  readonly findings: readonly ValuationFinding[];
}

const assumptions: ReadonlySet<ValuationFinding['kind']> = new Set([
  'rate-missing',
  'rate-assumed',
  'index-factor-missing',
  'index-base-assumed',
  'paid-out-beyond-value',
] as const);

export function summedValuation(base: BaseValue, ...additions: readonly Addition[]): Valuation {
  const { currency, source, day, isStale } = base;
  const parts = concatMember(base.parts, additions, 'parts');
  const findings = withoutRepetitions(concatMember(base.findings, additions, 'findings'));
  const isEstimated = base.isEstimated || findings.some(({ kind }) => assumptions.has(kind));
  const { value, accrued } = totals(parts);
  return { currency, value, accrued, source, day, isStale, isEstimated, findings, parts };
}

/** Copies nothing if there are no additions, as for values by a price alone. */
function concatMember<M extends keyof Addition>(
  first: Addition[M],
  additions: readonly Addition[],
  member: M,
): Addition[M] {
  if (additions.length === 0) return first;
  return [first, ...additions.map((one) => one[member])].flat() as unknown as Addition[M];
}

/** The interest and each coupon may rest on the same assumption: it is one finding, of the earliest day. */
function withoutRepetitions(findings: readonly ValuationFinding[]): readonly ValuationFinding[] {
  if (findings.length < 2) return findings;
  const firsts = new Map<ValuationFinding['kind'], ValuationFinding>();
  for (const one of findings) {
    const first = firsts.get(one.kind);
    if (first === undefined || dayOf(one) < dayOf(first)) firsts.set(one.kind, one);
  }
  return findings.filter((one) => !assumptions.has(one.kind) || firsts.get(one.kind) === one);
}

function dayOf(finding: ValuationFinding): Day {
  return 'day' in finding ? finding.day : -Infinity;
}

/** Whether all of the part is accrued interest or fees. */
export function isAccruedPart({ kind }: ValuePart): boolean {
  return kind === 'accrued' || kind === 'carried' || kind === 'bought-interest' || kind === 'prepaid-coupon';
}

function totals(parts: readonly ValuePart[]): { readonly value: Fixed; readonly accrued: Fixed } {
  let [value, accrued] = [0n, 0n];
  for (const part of parts) {
    value += part.amount;
    accrued += part.kind === 'uploaded' ? part.accruedAmount : isAccruedPart(part) ? part.amount : 0n;
  }
  return { value, accrued };
}

interface ConvertedMoney {
  readonly amount: Fixed;
  readonly conversion: Conversion | null;
}

/** Converts the amount unless both currencies are the same. */
export function convertIfNeeded(
  amount: Fixed,
  exchange: ConversionKey,
  { rates }: Pick<ValuationContext, 'rates'>,
): ConvertedMoney {
  if (exchange.from === exchange.to) return { amount, conversion: null };
  const conversion = rates.get(exchange);
  return { amount: convertedAmount(amount, conversion), conversion };
}
