// Rows that are made one after another while a file is written, with turns for others in between.

import { yieldWhenBusy } from '../../../kit/event-loop.ts';
import type { FileRows, Row } from './table.ts';

/** Rows that need no more reading. */
export function rowsInTurns(rows: () => Iterable<Row>): FileRows {
  return async function* () {
    for (const row of rows()) {
      const turn = yieldWhenBusy();
      if (turn !== undefined) await turn;
      yield row;
    }
  };
}
