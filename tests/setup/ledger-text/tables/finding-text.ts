// Formats a finding about a value: its kind, then its dates and amounts.

import type { ValuationFinding } from '../../../../src/engine/valuation/valuation.ts';
import { fromFixed } from '../../../../src/kit/fixed.ts';
import { dayText } from '../table-text.ts';

/** `coupon-not-booked 2024-06-30 50` */
export function findingText({ kind, ...figures }: ValuationFinding): string {
  const figureTexts = Object.values(figures).map((figure: number | bigint) =>
    typeof figure === 'bigint' ? fromFixed(figure) : dayText(figure),
  );
  return [kind, ...figureTexts].join(' ');
}
