// The value of a running fee: what has run up since it was last charged, owed and therefore negative. Knows not who charges it.

import { accruedFee } from '../instruments/accrued-interest.ts';
import type { FeeTerms } from '../instruments/instrument.ts';
import { accrualAddition } from './accrual.ts';
import { carriedAddition } from './carried-accrual.ts';
import type { Subject } from './valuation-input.ts';
import type { Valuation } from './value-part.ts';
import { valuationOf, worthWithoutPoint } from './worth.ts';

/** The basis is the whole of what is charged for: as long as any units are held, their number makes no difference. */
export function feeValuation({ rate, basis, convention, start }: FeeTerms, subject: Subject): Valuation {
  const { instrument, held, context } = subject;
  const { upload, lastFee } = held;
  const charged = Math.max(start, lastFee ?? start);
  const carried = upload !== null && upload.day >= charged ? upload : null;
  const owed = carried === null ? 0n : carried.marketValue + carried.accrued;
  const worth = worthWithoutPoint({ currency: instrument.currency, source: 'accrual' });
  const accrual = accruedFee({ rate, basis, convention, since: carried?.day ?? charged }, context.day);
  return valuationOf(
    worth,
    accrualAddition(accrual, subject, worth),
    carriedAddition(carried, owed, { subject, worth }),
  );
}
