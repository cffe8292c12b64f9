// Values a holding without any price: at the last price that a trade or an upload of any own place gives, else at cost.

import type { IndexRatio } from '../instruments/accrued-interest.ts';
import type { ValuationSubject } from './position-state.ts';
import { impliedBaseValue } from './upload.ts';
import { quotedBaseValue } from './quoted-base-value.ts';
import { baseValueWithoutPoint, type BaseValue } from './base-value.ts';

export function fallbackBaseValue(subject: ValuationSubject, index?: IndexRatio): BaseValue {
  const { lastTrade, uploadElsewhere = null } = subject.held;
  if (uploadElsewhere !== null && (lastTrade === null || uploadElsewhere.day >= lastTrade.day)) {
    return { ...impliedBaseValue(subject, uploadElsewhere), isEstimated: true };
  }
  return lastTrade === null
    ? costBaseValue(subject)
    : quotedBaseValue(subject, { source: 'last-trade', point: lastTrade }, index);
}

function costBaseValue({ instrument, held }: ValuationSubject): BaseValue {
  const { currency } = instrument;
  const base = baseValueWithoutPoint({ currency, source: 'cost' }, { kind: 'cost', amount: held.cost });
  return { ...base, isEstimated: true };
}
