// Carries forward what had accrued by the day of an upload and has not been paid since.

import type { Fixed } from '../../kit/fixed.ts';
import type { ValuationSubject, UploadedValue } from './position-state.ts';
import { convertIfNeeded, type Addition, type BaseValue } from './base-value.ts';

const noAddition: Addition = { parts: [], findings: [] };

export function carriedAccrualAddition(
  upload: UploadedValue | null,
  uploaded: Fixed,
  { subject, base }: { readonly subject: ValuationSubject; readonly base: BaseValue },
): Addition {
  if (upload === null || uploaded === 0n) return noAddition;
  const exchange = { from: upload.currency, to: base.currency, day: subject.context.day };
  const { amount, conversion } = convertIfNeeded(uploaded, exchange, subject.context);
  return { parts: [{ kind: 'carried', amount, uploaded, conversion }], findings: [] };
}
