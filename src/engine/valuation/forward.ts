// The value of a forward on currencies: its price, else what its legs still bring and cost at the day's rates. Knows no interest
// rates: legs are not discounted.

import { divideRounded, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { ForwardLeg, ForwardTerms } from '../instruments/instrument.ts';
import type { Subject, ValuationContext } from './valuation-input.ts';
import { findMarketWorth, findPointWorth } from './quoted.ts';
import { standInWorth } from './fallback-worth.ts';
import type { Valuation, ValuePart } from './value-part.ts';
import { valuationOf, worthWithoutPoint, type Worth } from './worth.ts';

/** Legs at the day's rates are newer than any upload; what it implies counts where there are none. */
export function forwardValuation({ legs }: ForwardTerms, subject: Subject): Valuation {
  if (legs.length === 0) return valuationOf(findMarketWorth(subject) ?? standInWorth(subject));
  const open = legs.filter(({ day }) => day > subject.context.day);
  const worth = open.length === 0 ? undefined : findPointWorth(subject);
  return valuationOf(worth ?? legsWorth(open, subject));
}

/** In the reference currency. Settled legs are worth nothing here: what they brought is cash. */
function legsWorth(legs: readonly ForwardLeg[], { held, context }: Subject): Worth {
  const parts = legs.map((leg) => legPart(leg, held.quantity, context));
  return worthWithoutPoint({ currency: context.referenceCurrency, source: 'legs' }, ...parts);
}

function legPart(leg: ForwardLeg, quantity: Fixed, { rates, referenceCurrency, day }: ValuationContext): ValuePart {
  const conversion = rates.get({ from: leg.currency, to: referenceCurrency, day });
  const { numerator, denominator } = conversion;
  const amount = divideRounded(leg.amount * quantity * numerator, oneFixed * denominator);
  return { kind: 'leg', amount, quantity, leg, conversion };
}
