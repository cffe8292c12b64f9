// Interest and fees that have run up, as terms of a value. Knows not how they are counted.

import type { Accrual } from '../instruments/accrued-interest.ts';
import type { Subject } from './valuation-input.ts';
import type { ValuationFinding } from './value-part.ts';
import { converted, type Addition, type Worth } from './worth.ts';

/** In the currency of what it is added to, at the day's rate. */
export function accrualAddition(accrual: Accrual, { instrument, context }: Subject, worth: Worth): Addition {
  const exchange = { from: instrument.currency, to: worth.currency, day: context.day };
  const { amount, conversion } = converted(accrual.amount, exchange, context);
  return { parts: [{ kind: 'accrued', amount, accrual, conversion }], findings: accrualFindings(accrual) };
}

const nothingFound: readonly ValuationFinding[] = [];

export function accrualFindings({ state, isEstimated }: Accrual): readonly ValuationFinding[] {
  if (state === 'rate-missing') return [{ kind: 'rate-missing' }];
  return isEstimated ? [{ kind: 'rate-assumed' }] : nothingFound;
}
