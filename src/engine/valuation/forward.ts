// Values an FX forward: at its price, else by its open legs at the day's exchange rates. Legs are not discounted.

import { divideRounded, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { ForwardLeg, ForwardTerms } from '../instruments/instrument.ts';
import type { ValuationSubject, ValuationContext } from './position-state.ts';
import { findMarketBaseValue, findPointBaseValue } from './quoted.ts';
import { fallbackBaseValue } from './fallback-value.ts';
import type { Valuation, ValuePart } from './value-part.ts';
import { summedValuation, baseValueWithoutPoint, type BaseValue } from './base-value.ts';

/** Legs at the day's rates are newer than any upload, so the price that an upload implies counts only without legs. */
export function forwardValuation({ legs }: ForwardTerms, subject: ValuationSubject): Valuation {
  if (legs.length === 0) return summedValuation(findMarketBaseValue(subject) ?? fallbackBaseValue(subject));
  const openLegs = legs.filter(({ day }) => day > subject.context.day);
  const base = openLegs.length === 0 ? undefined : findPointBaseValue(subject);
  return summedValuation(base ?? legsBaseValue(openLegs, subject));
}

/** Sums the legs in the reference currency. Settled legs are left out: what they brought is cash by now. */
function legsBaseValue(legs: readonly ForwardLeg[], { held, context }: ValuationSubject): BaseValue {
  const parts = legs.map((leg) => legPart(leg, held.quantity, context));
  return baseValueWithoutPoint({ currency: context.referenceCurrency, source: 'legs' }, ...parts);
}

function legPart(leg: ForwardLeg, quantity: Fixed, { rates, referenceCurrency, day }: ValuationContext): ValuePart {
  const conversion = rates.get({ from: leg.currency, to: referenceCurrency, day });
  const { numerator, denominator } = conversion;
  const amount = divideRounded(leg.amount * quantity * numerator, oneFixed * denominator);
  return { kind: 'leg', amount, quantity, leg, conversion };
}
