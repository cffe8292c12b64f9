// Signs of exact decimals: in is positive, out is negative.

import type { Decimal } from '../kit/decimal.ts';
import { fromFixed, magnitude, toFixed } from '../kit/fixed.ts';

export type Direction = 'in' | 'out';

export function withSign(value: Decimal, direction: Direction): Decimal {
  const size = magnitude(toFixed(value));
  return fromFixed(direction === 'in' ? size : -size);
}

export function opposite(direction: Direction): Direction {
  return direction === 'in' ? 'out' : 'in';
}
