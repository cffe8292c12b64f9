// Work on an import that is under way, and how far it is.

import { anyInteger, anyText, instant, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';

const importActs = ['check', 'book', 'undo'] as const;

/** How many are listed: far more than can be under way at the same time. */
export const importWorkMax = 100;

export const importWorkShape = objectOf({
  importId: member(anyText, 'The import. While its file is being checked, it cannot be read yet.'),
  clientId: member(nullable(anyText), 'The client whose accounts the file names.'),
  act: member(oneOf(importActs), 'What is done with the rows.'),
  fileName: member(nullable(anyText), 'The name of the file, if it was sent with one.'),
  doneRows: member(anyInteger, 'The rows that are done.'),
  totalRows: member(nullable(anyInteger), 'All rows; null while the file is still being read.'),
  startedAt: member(instant, 'When it began.'),
  reportedAt: member(instant, 'When it was that far.'),
});

export type ImportWork = ValueOf<typeof importWorkShape>;
