// The round of calculation: that a client's figures were worked out anew, what had changed, and what was found. Knows not how.

import { instant, integer, oneOf, someOf, text } from '../../kit/field.ts';
import { objectOf } from '../../kit/structured-field.ts';
import { declareResource, type Attribute, type RecordOf } from '../../kit/resource.ts';

/** What has changed: as the semantics of rounds name it. */
export const roundCauses = [
  'transaction',
  'series',
  'rate',
  'upload',
  'structure',
  'instrument',
  'class',
  'limit',
  'setting',
  'day',
] as const;
export type RoundCause = (typeof roundCauses)[number];

export const roundStates = ['running', 'finished', 'failed'] as const;

const count = integer({ min: 0, max: 2_147_483_647 });
const milliseconds = integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

/** Stored one by one, and shown together. */
function countField(description: string) {
  return { kind: count, description, writable: 'never' } as const satisfies Attribute<any>;
}

const counts = objectOf({
  reportingEntities: { kind: count, description: 'Reporting entities of the client.' },
  holdings: { kind: count, description: 'Their holdings, cash included.' },
  limits: { kind: count, description: 'Limits, each counted once for every reporting entity that it is for.' },
  breaches: { kind: count, description: 'How many of these are breached.' },
  findings: { kind: count, description: 'What somebody should look at before trusting the figures.' },
});

const progress = objectOf({
  done: { kind: count, description: 'Reporting entities that are done.' },
  total: { kind: count, description: 'Out of so many; 0 until that is known.' },
});

export const calculationRound = declareResource({
  type: 'calculation-round',
  plural: 'calculation-rounds',
  description:
    'A round of calculation: shortly after something has changed that can move the figures of a client, its limits are evaluated anew. Changes that come in a burst lead to one round, those that come during a round to the next one.',
  table: 'calculation_round',
  owner: { relation: 'client' },
  attributes: {
    causes: {
      kind: someOf(roundCauses),
      description: 'What had changed, in the order in which it did; `day`: a new day began.',
      writable: 'never',
    },
    state: {
      kind: oneOf(roundStates),
      description: '`failed`: the last attempt failed, and another one follows.',
      writable: 'never',
      filter: true,
    },
    markedSince: {
      kind: instant,
      description: 'When the first of the changes was made.',
      writable: 'never',
    },
    startedAt: {
      kind: instant,
      description: 'When the first attempt began.',
      writable: 'never',
      filter: 'since',
    },
    finishedAt: {
      kind: instant,
      description: 'When it was finished; null until then.',
      writable: 'never',
      nullable: true,
    },
    durationMs: {
      kind: milliseconds,
      description: 'From its start until it was finished, in milliseconds; null until then.',
      writable: 'never',
      nullable: true,
      computed: true,
    },
    attempts: { kind: count, description: 'How often it was begun.', writable: 'never' },
    error: {
      kind: text({ lengthMax: 64 }),
      description: 'Of a failed attempt: the code of what it failed with.',
      writable: 'never',
      nullable: true,
    },
    retryAt: {
      kind: instant,
      description: 'Of a failed attempt: when the next one is due.',
      writable: 'never',
      nullable: true,
      computed: true,
    },
    ledgerVersion: {
      kind: text({ lengthMax: 64 }),
      description:
        'Names what it was computed from, as reports do; null until it is finished, and of a client without reporting entities.',
      writable: 'never',
      nullable: true,
    },
    progress: { kind: progress, description: 'How far it has come.', writable: 'never', computed: true },
    counts: {
      kind: counts,
      description: 'What there was; null until it is finished.',
      writable: 'never',
      nullable: true,
      computed: true,
    },
    leaseUntil: { kind: instant, description: 'Whose it is, until then.', writable: 'never' },
    doneCount: countField('Reporting entities that are done.'),
    totalCount: countField('Out of so many.'),
    reportingEntityCount: countField('Reporting entities.'),
    holdingCount: countField('Holdings.'),
    limitCount: countField('Limits by reporting entities.'),
    breachCount: countField('Breaches.'),
    findingCount: countField('Findings.'),
  },
  relations: {
    client: {
      to: 'client',
      description: 'Whose figures.',
      writable: 'never',
      required: true,
      filter: true,
    },
  },
});

export type CalculationRound = RecordOf<typeof calculationRound>;
export type RoundCounts = NonNullable<CalculationRound['counts']>;
export type RoundProgress = CalculationRound['progress'];
