// One field of a record that cannot be understood: the record becomes a problem, and the file is read on.

import type { SourcePlace } from '../model/custody/statement.ts';

export class FieldFault extends Error {
  readonly place: SourcePlace;

  constructor(place: SourcePlace, detail: string) {
    super(detail);
    this.name = 'FieldFault';
    this.place = place;
  }
}
