// What a holding is worth before it is summed up: where the figure comes from and the terms found so far. Knows not how they
// were found.

import type { Fixed } from '../../kit/fixed.ts';
import { convertedAmount, type Conversion, type Exchange } from '../exchange-rates.ts';
import type { ValuationContext } from './held.ts';
import type { Valuation, ValuationFinding, ValuePart } from './value-part.ts';

export type Worth = Omit<Valuation, 'value' | 'accrued'>;

/** Of what follows from terms, rows or an upload, and no point says. */
export function worthWithoutPoint(
  { currency, source }: Pick<Worth, 'currency' | 'source'>,
  ...parts: ValuePart[]
): Worth {
  return { currency, source, day: null, isStale: false, isEstimated: false, findings: [], parts };
}

/** More terms of the same sum. */
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

export function valuationOf(worth: Worth, ...additions: readonly Addition[]): Valuation {
  const parts = [...worth.parts];
  const findings = [...worth.findings];
  for (const addition of additions) {
    parts.push(...addition.parts);
    findings.push(...addition.findings);
  }
  const isEstimated = worth.isEstimated || findings.some(({ kind }) => assumptions.has(kind));
  return { ...worth, ...totals(parts), isEstimated, findings, parts };
}

function totals(parts: readonly ValuePart[]): { readonly value: Fixed; readonly accrued: Fixed } {
  let [value, accrued] = [0n, 0n];
  for (const part of parts) {
    value += part.amount;
    if (part.kind === 'accrued' || part.kind === 'carried') accrued += part.amount;
    else if (part.kind === 'uploaded') accrued += part.accruedAmount;
  }
  return { value, accrued };
}

export interface Converted {
  readonly amount: Fixed;
  readonly conversion: Conversion | null;
}

/** Into the currency of the sum, where it is another. */
export function converted(amount: Fixed, exchange: Exchange, { rates }: Pick<ValuationContext, 'rates'>): Converted {
  if (exchange.from === exchange.to) return { amount, conversion: null };
  const conversion = rates.get(exchange);
  return { amount: convertedAmount(amount, conversion), conversion };
}
