// Declares what callers send to decide about rows of an import. Read like a new record, and never stored as such.

import { integer, oneOf } from '../../kit/field.ts';
import { declareResource } from '../../kit/resource.ts';
import { listOf, objectOf } from '../../kit/structured-field.ts';
import { rowDecisions } from './import-row.ts';

/** How many rows one request decides about by their numbers. */
export const decidedRowsMax = 10_000;

const meaning = '`same`: it is the transaction of `may_equal`, and is not booked. `another`: it is booked beside it.';

export const importDecisions = declareResource({
  type: 'import-decisions',
  plural: 'import-decisions',
  description: 'What is decided about rows of an import.',
  table: 'import_row',
  owner: 'workspace',
  attributes: {
    rows: {
      kind: listOf(
        objectOf({
          number: { kind: integer({ min: 1, max: 2_147_483_647 }), description: 'The number of the row.' },
          decision: { kind: oneOf(rowDecisions), description: meaning },
        }),
        { itemsMax: decidedRowsMax },
      ),
      description: `Decisions about single rows, at most ${decidedRowsMax}. Default: none.`,
      writable: 'at-creation',
    },
    others: {
      kind: oneOf(rowDecisions),
      description: `The decision about all other rows that need one. Without it, they stay as they are. ${meaning}`,
      writable: 'at-creation',
      example: 'same',
    },
  },
  relations: {},
});
