// The import: what one file or one run of a feed brought, what would become of its rows or what became of them, and what it can still do.

import { instant, integer, oneOf, text } from '../../kit/field.ts';
import { listOf, objectOf } from '../../kit/structured-field.ts';
import { declareResource, type Attribute, type RecordOf } from '../../kit/resource.ts';
import { decimal } from '../../kit/field.ts';
import { createdAt } from '../shared-fields.ts';

const importStates = ['checked', 'booked', 'undone'] as const;
export type ImportState = (typeof importStates)[number];

/** Everything that can happen to an import: from which states, and what it is afterwards. It begins as `checked`. */
export const importTransitions = {
  /** Again, after names were corrected: it books the rows that were refused or needed something. */
  book: { from: ['checked', 'booked'], to: 'booked' },
  undo: { from: ['booked'], to: 'undone' },
} as const satisfies Record<string, { readonly from: readonly ImportState[]; readonly to: ImportState }>;

export type ImportAct = keyof typeof importTransitions;

/** A booked import is what undoing and the history of figures need. */
export const deletableStates = ['checked', 'undone'] as const satisfies readonly ImportState[];

export const importOrigins = ['file', 'feed'] as const;
export type ImportOrigin = (typeof importOrigins)[number];

const count = integer({ min: 0, max: 2_147_483_647 });

const counts = objectOf({
  rows: { kind: count, description: 'All rows: the sum of the others.' },
  booked: { kind: count, description: 'Rows that are new.' },
  amended: { kind: count, description: 'Rows that change or cancel what was booked before.' },
  unchanged: {
    kind: count,
    description: 'Rows that change nothing: known already, pending, or for reconciliation only.',
  },
  refused: { kind: count, description: 'Rows that cannot be booked, each with its reason.' },
  needs: {
    kind: count,
    description: 'Rows that wait for an account, an instrument, the meaning of a word, a mapping or a classification.',
  },
});

const undoCounts = objectOf({
  closed: { kind: count, description: 'Rows whose transaction, price or rate was closed.' },
  restored: { kind: count, description: 'Rows whose transaction, price or rate is again what it was before.' },
  kept: { kind: count, description: 'Rows that were amended since, and stay as they are.' },
});

export const importWarningCodes = [
  'opening-missing',
  'balances-differ',
  'columns-not-read',
  'words-unknown',
  'amounts-unexplained',
  'rows-kept',
  'instruments-kept',
  'codes-not-learned',
  'more-warnings',
] as const;

const unreadColumn = objectOf({
  name: { kind: text({ lengthMax: 200 }), description: 'Its name in the header.' },
  rows: { kind: count, description: 'How many rows have a value in it.' },
  example: { kind: text({ lengthMax: 200 }), description: 'The first value.' },
  line: { kind: count, description: 'The line of the first value.' },
});

const unknownWord = objectOf({
  word: { kind: text({ lengthMax: 200 }), description: 'The word, as the file writes it.' },
  rows: { kind: count, description: 'How many rows wait for it.' },
  line: { kind: count, description: 'The line of the first of them.' },
});

const warning = objectOf({
  code: { kind: oneOf(importWarningCodes), description: 'What is to be looked at.' },
  detail: { kind: text({ lengthMax: 1_000 }), description: 'A sentence for people, with the figures.' },
  account: { kind: text({ lengthMax: 200 }), description: 'The account, in the words of the file.', optional: true },
  statement: {
    kind: text({ lengthMax: 200 }),
    description: 'The statement, in the words of the file.',
    optional: true,
  },
  expected: { kind: decimal, description: 'The opening balance and the entries together.', optional: true },
  stated: { kind: decimal, description: 'The closing balance; of `opening-missing`, the opening one.', optional: true },
  columns: {
    kind: listOf(unreadColumn, { itemsMax: 100 }),
    description: 'Of `columns-not-read`: the columns, those with the most values first.',
    optional: true,
  },
  words: {
    kind: listOf(unknownWord, { itemsMax: 100 }),
    description:
      'Of `words-unknown`: the words in the order in which they first appear. An identifier mapping of the kind `type` says what one means.',
    optional: true,
  },
});

/** How many warnings of an import are kept. The last one says how many there were in all. */
export const importWarningsMax = 100;

/** How many different problems are told apart among the rows that are not kept. */
export const unkeptProblemsMax = 100;

const unkeptProblem = objectOf({
  outcome: { kind: oneOf(['refused', 'needs']), description: 'What became of the rows.' },
  code: { kind: text({ lengthMax: 100 }), description: 'Why, as a code.' },
  detail: { kind: text({ lengthMax: 500 }), description: 'Why, as a sentence for people.' },
  rows: { kind: count, description: 'How many rows have this problem and are not kept.' },
  firstLine: { kind: count, description: 'The line of the file where the first of them begins.' },
});

const notKept = objectOf({
  rows: { kind: count, description: 'How many rows are not kept. The counts include them.' },
  problems: {
    kind: listOf(unkeptProblem, { itemsMax: 1_000 }),
    description: `Their problems. Beyond ${unkeptProblemsMax} different ones, rows are counted by their code alone.`,
  },
});

/** Counts are stored in separate columns and shown as one object. */
function countField(description: string) {
  return { kind: count, description, writable: 'never' } as const satisfies Attribute<any>;
}

function momentField(description: string) {
  return { kind: instant, description, writable: 'never', nullable: true } as const satisfies Attribute<any>;
}

function wordField(description: string, lengthMax = 200) {
  return {
    kind: text({ lengthMax }),
    description,
    writable: 'never',
    nullable: true,
  } as const satisfies Attribute<any>;
}

export const importResource = declareResource({
  type: 'import',
  plural: 'imports',
  description:
    'An import: one file of a custodian, or one run of a feed, row by row. It is checked first, which books nothing; booking it books what can be booked; undoing it closes what it opened.',
  usage: {
    purpose: 'It is how files and feeds become bookings, and the way back if a file was wrong.',
    list: 'See which files came in, and which of them still have rows that wait.',
    delete: 'Free what the rows of an import take that was never booked, or was undone. Undo a booked one first.',
    read: 'Look up how many rows of a file were booked, were known already, wait or were refused.',
  },
  table: 'import',
  owner: { relation: 'client' },
  attributes: {
    state: {
      kind: oneOf(importStates),
      description:
        '`checked`: nothing is booked, and the outcomes are those that booking would have. `booked`: booked, except for rows that are refused or need something; it can be booked again for those. `undone`: closed again.',
      writable: 'never',
      filter: true,
    },
    origin: { kind: oneOf(importOrigins), description: 'Where it came from.', writable: 'never', filter: true },
    format: {
      kind: text({ lengthMax: 100 }),
      description: 'The format of the file, such as `camt.053`; of a feed, its connector.',
      writable: 'never',
    },
    fileName: wordField('The name of the file, if it was sent with one.'),
    digest: wordField('SHA-256 of the file, in hexadecimal.', 64),
    profile: wordField('The mapping profile that it was read with.'),
    counts: { kind: counts, description: 'How many rows have which outcome.', writable: 'never', computed: true },
    undone: {
      kind: undoCounts,
      description: 'What undoing it did; null until then.',
      writable: 'never',
      nullable: true,
      computed: true,
    },
    warnings: {
      // Imports of the releases before have up to so many.
      kind: listOf(warning, { itemsMax: 1_000 }),
      description:
        'What a person should look at, such as a statement whose entries do not lead to its closing balance.',
      writable: 'never',
    },
    notKept: {
      kind: notKept,
      description:
        'Rows that the import counts and does not keep one by one: the rest of very many that cannot be read or booked. Correct the file and send it again; rows that are known by then change nothing.',
      writable: 'never',
    },
    createdAt,
    bookedAt: momentField('When it was booked last; null until then.'),
    undoneAt: momentField('When it was undone; null until then.'),
    rowCount: countField('All rows.'),
    bookedCount: countField('New rows.'),
    amendedCount: countField('Amending rows.'),
    unchangedCount: countField('Unchanged rows.'),
    refusedCount: countField('Refused rows.'),
    needsCount: countField('Waiting rows.'),
    closedCount: countField('Closed by undoing.'),
    restoredCount: countField('Restored by undoing.'),
    keptCount: countField('Kept by undoing.'),
    storedRows: countField('How many rows are kept, balances included.'),
    storedBytes: {
      kind: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      description: 'About how many bytes the rows take.',
      writable: 'never',
    },
  },
  relations: {
    client: {
      to: 'client',
      description:
        'The client whose accounts and instruments the file names; null for rates and prices that all clients share.',
      writable: 'never',
      filter: true,
    },
    account: { to: 'account', description: 'The account of rows that name none.', writable: 'never' },
    depository: {
      to: 'depository',
      description: 'The depository of rows that name none.',
      writable: 'never',
    },
    custodian: {
      to: 'custodian',
      description: 'The custodian whose words the file uses, if known.',
      writable: 'never',
    },
  },
});

export type Import = RecordOf<typeof importResource>;
export type ImportWarning = Import['warnings'][number];
export type UnkeptRows = Import['notKept'];
export type UnkeptProblem = UnkeptRows['problems'][number];
