// What stands in where nothing says what a holding is worth: the last trade's price, else its cost. Knows no points.

import type { IndexRatio } from '../instruments/accrued-interest.ts';
import type { ValuationSubject } from './valuation-input.ts';
import { quotedBaseValue } from './quoted-worth.ts';
import { baseValueWithoutPoint, type BaseValue } from './worth.ts';

export function fallbackBaseValue(subject: ValuationSubject, index?: IndexRatio): BaseValue {
  const { lastTrade } = subject.held;
  return lastTrade === null
    ? costBaseValue(subject)
    : quotedBaseValue(subject, { source: 'last-trade', point: lastTrade }, index);
}

function costBaseValue({ instrument, held }: ValuationSubject): BaseValue {
  const { currency } = instrument;
  const base = baseValueWithoutPoint({ currency, source: 'cost' }, { kind: 'cost', amount: held.cost });
  return { ...base, isEstimated: true };
}
