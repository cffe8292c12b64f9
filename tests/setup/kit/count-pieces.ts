// Counts the pieces of long computations.

import { onTestFinished, vi } from 'vitest';
import { FairTurns } from '../../../src/kit/turns/fair-turns.ts';
import type { Pieces } from '../../../src/kit/turns/pieces.ts';

/** Counts the pieces after which long computations let others in, until the test ends. `onPiece` is called after each, with their number. */
export function countPieces(onPiece: (count: number) => void = () => {}): { pieceCount(): number } {
  let count = 0;
  function* counted<T>(pieces: Pieces<T>): Pieces<T> {
    for (;;) {
      const { done, value } = pieces.next();
      if (done) return value;
      onPiece(++count);
      yield;
    }
  }
  const { open } = FairTurns.prototype;
  const spy = vi.spyOn(FairTurns.prototype, 'open').mockImplementation(function (this: FairTurns, terms) {
    const turn = open.call(this, terms);
    return { ...turn, run: (pieces) => turn.run(counted(pieces)) };
  });
  onTestFinished(() => spy.mockRestore());
  return { pieceCount: () => count };
}
