// Carries forward what had accrued by the day of an upload and has not been paid since.

import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { ValuationSubject } from './position-state.ts';
import { convertIfNeeded, type Addition, type BaseValue } from './base-value.ts';

interface CarriedAccrual {
  readonly amount: Fixed;
  readonly currency: IsoCurrency;
}

const noAddition: Addition = { parts: [], findings: [] };

export function carriedAccrualAddition(
  carried: CarriedAccrual | null,
  { subject, base }: { readonly subject: ValuationSubject; readonly base: BaseValue },
): Addition {
  if (carried === null || carried.amount === 0n) return noAddition;
  const { amount: uploaded, currency } = carried;
  const exchange = { from: currency, to: base.currency, day: subject.context.day };
  const { amount, conversion } = convertIfNeeded(uploaded, exchange, subject.context);
  return { parts: [{ kind: 'carried', amount, uploaded, conversion }], findings: [] };
}
