// Lists the gains on units sold within a span, lot by lot.

import type { Day } from '../../kit/day.ts';
import type { PositionRealisation } from '../lots/lot-book-changes.ts';
import type { History } from './history.ts';
import { coveredPositions, type Coverage } from './holdings.ts';
import { findSyntheticInstrument } from '../ledger/position-key.ts';

interface RealisedGainsRequest {
  readonly from: Day;
  readonly to: Day;
  readonly covers: Coverage;
}

/** In ledger order; within a row, lots in the order in which they left. */
export function realisedGains(history: History, request: RealisedGainsRequest): readonly PositionRealisation[] {
  const { from, to, covers } = request;
  const positions = coveredPositions(history, covers).filter(
    (position) => findSyntheticInstrument(history.key(position).instrument) === undefined,
  );
  const covered = new Set(positions);
  const replayed = history
    .replayOutcome()
    .realised.filter(({ position, day }) => covered.has(position) && day >= from && day <= to);
  const plain = positions.flatMap((position) =>
    history.bookedRows(position, { from, to }).flatMap(({ realised }) => realised),
  );
  return [...replayed, ...plain].toSorted((one, other) => one.day - other.day || one.row - other.row);
}
