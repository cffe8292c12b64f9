// A value as a computation of one piece.

import type { Pieces } from '../../../src/kit/turns/pieces.ts';

export function* onePiece<T>(value: T): Pieces<T> {
  yield;
  return value;
}
