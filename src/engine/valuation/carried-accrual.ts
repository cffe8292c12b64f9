// What had run up by the day of an upload and has not been paid since. Knows not what it is interest or a fee of.

import type { Fixed } from '../../kit/fixed.ts';
import type { Subject, UploadedValue } from './valuation-input.ts';
import { converted, type Addition, type Worth } from './worth.ts';

const nothingCarried: Addition = { parts: [], findings: [] };

export function carriedAddition(
  upload: UploadedValue | null,
  uploaded: Fixed,
  { subject, worth }: { readonly subject: Subject; readonly worth: Worth },
): Addition {
  if (upload === null || uploaded === 0n) return nothingCarried;
  const exchange = { from: upload.currency, to: worth.currency, day: subject.context.day };
  const { amount, conversion } = converted(uploaded, exchange, subject.context);
  return { parts: [{ kind: 'carried', amount, uploaded, conversion }], findings: [] };
}
