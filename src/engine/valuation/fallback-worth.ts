// What stands in where nothing says what a holding is worth: the last trade's price, else its cost. Knows no points.

import type { IndexRatio } from '../instruments/accrued-interest.ts';
import type { Subject } from './valuation-input.ts';
import { quotedWorth } from './quoted-worth.ts';
import { worthWithoutPoint, type Worth } from './worth.ts';

export function standInWorth(subject: Subject, index?: IndexRatio): Worth {
  const { lastTrade } = subject.held;
  return lastTrade === null
    ? costWorth(subject)
    : quotedWorth(subject, { source: 'last-trade', point: lastTrade }, index);
}

function costWorth({ instrument, held }: Subject): Worth {
  const { currency } = instrument;
  const worth = worthWithoutPoint({ currency, source: 'cost' }, { kind: 'cost', amount: held.cost });
  return { ...worth, isEstimated: true };
}
