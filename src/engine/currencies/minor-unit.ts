// The smallest coin of a currency, which decides how exactly stated amounts can be.

import { oneFixed, type Fixed } from '../../kit/fixed.ts';
import { currencies } from '../../model/iso-4217.ts';
import type { IsoCurrency } from './exchange-rates.ts';

/** Metals and the like have none: a ten-thousandth is used. */
export function minorUnitOf(currency: IsoCurrency | null): Fixed {
  return (currency === null ? undefined : minorUnits.get(currency)) ?? toMinorUnit(4);
}

function toMinorUnit(digits: number): Fixed {
  return oneFixed / 10n ** BigInt(digits);
}

const minorUnits = new Map([...currencies].map(([code, { digits }]) => [code, toMinorUnit(digits ?? 4)]));
