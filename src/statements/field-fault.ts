// One field of a record that cannot be understood: the record becomes a problem, and the file is read on.

import { FixedFault } from '../kit/fixed.ts';
import type { SourcePlace, StatementProblem } from '../model/custody/statement.ts';

export class FieldFault extends Error {
  readonly place: SourcePlace;

  constructor(place: SourcePlace, detail: string) {
    super(detail);
    this.name = 'FieldFault';
    this.place = place;
  }
}

/** A value that the file names and says to have none of. */
export function missingValue(place: SourcePlace, words: string): StatementProblem {
  return { item: 'problem', place, detail: `${words} is not available.`, isNotAvailable: true };
}

/** The problem that a record becomes; `place` counts if the error has none. Rethrows what is no fault of the record. */
export function problemOf(error: unknown, place: SourcePlace): StatementProblem {
  if (error instanceof FieldFault) return { item: 'problem', place: error.place, detail: error.message };
  if (error instanceof FixedFault) return { item: 'problem', place, detail: 'A number is too large.' };
  throw error;
}

/** An element that the format does not have where it is: it may hold something that has to be booked. */
export function unknownElement(name: string, line: number): StatementProblem {
  const detail = `The element ${name.slice(0, 40)} is not known here, and nothing in it is read.`;
  return { item: 'problem', place: { line, field: name.slice(0, 40) }, detail };
}
