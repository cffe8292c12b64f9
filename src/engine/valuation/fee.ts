// Values a running fee: what has accrued since it was last charged. It is owed and therefore negative.

import { accruedFee } from '../instruments/accrued-interest.ts';
import type { FeeTerms } from '../instruments/instrument.ts';
import { accrualAddition } from './accrual.ts';
import { carriedAccrualAddition } from './carried-accrual.ts';
import type { ValuationSubject } from './position-state.ts';
import type { Valuation } from './value-part.ts';
import { summedValuation, baseValueWithoutPoint } from './base-value.ts';

/** The basis covers everything that is charged for, so the number of units held makes no difference. */
export function feeValuation({ rate, basis, convention, start }: FeeTerms, subject: ValuationSubject): Valuation {
  const { instrument, held, context } = subject;
  const { upload, lastFee } = held;
  const chargedUntil = Math.max(start, lastFee ?? start);
  const carried = upload !== null && upload.day >= chargedUntil ? upload : null;
  const base = baseValueWithoutPoint({ currency: instrument.currency, source: 'accrual' });
  const accrual = accruedFee({ rate, basis, convention, since: carried?.day ?? chargedUntil }, context.day);
  return summedValuation(
    base,
    accrualAddition(accrual, subject, base),
    carriedAccrualAddition(carried && { ...carried, amount: carried.marketValue + carried.accrued }, { subject, base }),
  );
}
