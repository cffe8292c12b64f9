// The run of a feed: one visit to a custodian for an authority, what it fetched, and what it waits for.

import { instant, integer, oneOf, text } from '../../kit/field.ts';
import { listOf, objectOf, textSet } from '../../kit/structured-field.ts';
import { declareResource, type Attribute, type RecordOf } from '../../kit/resource.ts';
import { connectorKinds } from './connector.ts';
import { rowNeeds } from './import-row.ts';

export const feedRunStates = ['waiting', 'running', 'finished', 'failed'] as const;

/** Why an attempt failed, or why a run ended without success. */
export const feedErrors = [
  'unavailable',
  'invalid-answer',
  'credentials-broken',
  'authority-ended',
  'quota-reached',
  'internal',
] as const;
export type FeedError = (typeof feedErrors)[number];

const feedWaits = ['schedule', 'custodian', 'consent', 'correction', 'quota'] as const;

const count = integer({ min: 0, max: 2_147_483_647 });

const counts = objectOf({
  fetched: { kind: count, description: 'Items that the custodian sent, balances included.' },
  rows: { kind: count, description: 'Rows of its imports: the sum of the following.' },
  booked: { kind: count, description: 'Rows that are new.' },
  amended: { kind: count, description: 'Rows that change or cancel what was booked before.' },
  unchanged: { kind: count, description: 'Rows that change nothing.' },
  refused: { kind: count, description: 'Rows that cannot be booked, each with its reason.' },
  needs: { kind: count, description: 'Rows that wait for an account, an instrument, a mapping or a classification.' },
});

/** How many problems a run shows; its imports list more. */
export const feedProblemsMax = 20;

const problem = objectOf({
  importId: { kind: text({ lengthMax: 24 }), description: 'The import that has the row.' },
  number: { kind: count, description: 'The number of the row there.' },
  outcome: { kind: oneOf(['refused', 'needs']), description: 'What became of it.' },
  needs: { kind: oneOf(rowNeeds), description: 'What it waits for.', optional: true },
  code: { kind: text({ lengthMax: 100 }), description: 'Why, as a code.', optional: true },
  detail: { kind: text({ lengthMax: 2_000 }), description: 'Why, as a sentence for people.', optional: true },
});

function momentField(description: string) {
  return { kind: instant, description, writable: 'never', nullable: true } as const satisfies Attribute<any>;
}

function markField(description: string) {
  return {
    kind: text({ lengthMax: 1_000 }),
    description,
    writable: 'never',
    nullable: true,
  } as const satisfies Attribute<any>;
}

export const feedRun = declareResource({
  type: 'feed-run',
  plural: 'feeds',
  description:
    'A run of a feed: one visit to a custodian for an authority, which fetches what is new since the run before and books it as imports do. An authority has one open run at a time: the next one, which waits, or the present one.',
  usage: {
    purpose:
      'Look here when yesterday’s bookings are missing: it says when the next run is due and why the last one failed.',
    list: 'See when custodians were visited, what came in, and what went wrong.',
    read: 'Look up one run: its attempts, its error, and the rows that wait for somebody.',
  },
  table: 'feed_run',
  owner: { relation: 'client' },
  attributes: {
    state: {
      kind: oneOf(feedRunStates),
      description:
        '`waiting`: it begins, or is tried again, at `due_at`. `running`. `finished`: everything that there was is fetched. `failed`: it ended for good, and `error` says why.',
      writable: 'never',
      filter: true,
      example: 'finished',
    },
    connector: { kind: oneOf(connectorKinds), description: 'How it fetches.', writable: 'never' },
    dueAt: {
      kind: instant,
      description: 'When it begins; after a failed attempt, when it is tried again.',
      writable: 'never',
    },
    startedAt: momentField('When its first attempt began; null until then.'),
    finishedAt: momentField('When it ended; null until then.'),
    attempts: { kind: count, description: 'How many times it was tried.', writable: 'never' },
    fromMark: markField('Where it began, in the words of the custodian; null for the beginning.'),
    toMark: markField('How far everything is fetched and booked, in the words of the custodian.'),
    counts: { kind: counts, description: 'What it fetched, and what became of it.', writable: 'never', computed: true },
    importIds: {
      kind: textSet({ lengthMax: 24, itemsMax: 100_000 }),
      description: 'The imports that it booked, which list its rows.',
      writable: 'never',
      computed: true,
    },
    problems: {
      kind: listOf(problem, { itemsMax: feedProblemsMax }),
      description: `The first ${feedProblemsMax} rows that are refused or wait for something.`,
      writable: 'never',
      computed: true,
    },
    waitsFor: {
      kind: oneOf(feedWaits),
      description:
        '`schedule`: for its time. `custodian`: the custodian did not answer as it should, and is tried again. `consent`: the authority has to be reconnected. `correction`: rows are refused or need something; see `problems`. `quota`: for room for its rows; `error_detail` has the figures. Null: for nothing.',
      writable: 'never',
      nullable: true,
      computed: true,
    },
    nextRunAt: {
      kind: instant,
      description: 'When the next run of the authority, or the next attempt, is due; null if none is planned.',
      writable: 'never',
      nullable: true,
      computed: true,
    },
    error: {
      kind: oneOf(feedErrors),
      description:
        'Why the last attempt failed. `unavailable`: no answer, or an error. `invalid-answer`: an answer that cannot be read. `credentials-broken`: the custodian no longer accepts the consent, or its settings name a host that consent was not given for. `authority-ended`: the authority was revoked or has expired. `quota-reached`: the workspace or its imports take as much as they may, or enough was imported today; the run goes on by itself once there is room. `internal`: a defect here.',
      writable: 'never',
      nullable: true,
    },
    errorDetail: {
      kind: text({ lengthMax: 1_000 }),
      description: 'The same as a sentence for people.',
      writable: 'never',
      nullable: true,
    },
    imports: { kind: textSet({ lengthMax: 24, itemsMax: 100_000 }), description: 'The imports.', writable: 'never' },
    fetchedCount: { kind: count, description: 'Items that the custodian sent.', writable: 'never' },
  },
  relations: {
    client: {
      to: 'client',
      description: 'The client that the data is for.',
      writable: 'never',
      required: true,
      filter: true,
    },
    authority: {
      to: 'authority',
      description: 'The authority that lets the data in.',
      writable: 'never',
      required: true,
      filter: true,
    },
    custodian: {
      to: 'custodian',
      description: 'The custodian that sends the data.',
      writable: 'never',
      required: true,
    },
  },
});

export type FeedRun = RecordOf<typeof feedRun>;
export type FeedProblem = FeedRun['problems'][number];
