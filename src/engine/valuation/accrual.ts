// Turns accrued interest and accrued fees into parts of a value, with what a person should know about them.

import type { Accrual } from '../instruments/accrued-interest.ts';
import type { ValuationSubject } from './position-state.ts';
import type { ValuationFinding } from './value-part.ts';
import { convertIfNeeded, type Addition, type BaseValue } from './base-value.ts';

/** Converts the accrual at the day's rate into the currency of the value it is added to. */
export function accrualAddition(
  accrual: Accrual,
  { instrument, context }: ValuationSubject,
  base: BaseValue,
): Addition {
  const exchange = { from: instrument.currency, to: base.currency, day: context.day };
  const { amount, conversion } = convertIfNeeded(accrual.amount, exchange, context);
  return { parts: [{ kind: 'accrued', amount, accrual, conversion }], findings: accrualFindings(accrual) };
}

const noFindings: readonly ValuationFinding[] = [];

export function accrualFindings({ state, isEstimated }: Accrual): readonly ValuationFinding[] {
  if (state === 'rate-missing') return [{ kind: 'rate-missing' }];
  return isEstimated ? [{ kind: 'rate-assumed' }] : noFindings;
}
