// Declares the round of calculation: a recomputation of a client's figures, what caused it, and what it found.

import { instant, integer, oneOf, someOf, text } from '../../kit/field.ts';
import { objectOf } from '../../kit/structured-field.ts';
import { declareResource, type Attribute, type RecordOf } from '../../kit/resource.ts';

/** What changed, in the words of the specification of rounds. */
const roundCauses = [
  'transaction',
  'series',
  'rate',
  'upload',
  'structure',
  'instrument',
  'class',
  'limit',
  'setting',
  'statement',
  'day',
] as const;
export type RoundCause = (typeof roundCauses)[number];

const roundStates = ['running', 'finished', 'failed'] as const;

const count = integer({ min: 0, max: 2_147_483_647 });
const milliseconds = integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

/** Counts are stored in separate columns and shown as one object. */
function countField(description: string) {
  return { kind: count, description, writable: 'never' } as const satisfies Attribute<any>;
}

const counts = objectOf({
  reportingEntities: { kind: count, description: 'Reporting entities of the client.' },
  holdings: { kind: count, description: 'Their holdings, cash included.' },
  limits: { kind: count, description: 'Limits, each counted once for every reporting entity that it applies to.' },
  breaches: { kind: count, description: 'How many of these are breached.' },
  findings: { kind: count, description: 'Findings that a person should look at before trusting the figures.' },
});

const progress = objectOf({
  done: { kind: count, description: 'Reporting entities that are finished.' },
  total: { kind: count, description: 'The total number; 0 until it is known.' },
});

export const calculationRound = declareResource({
  type: 'calculation-round',
  plural: 'calculation-rounds',
  description:
    'A round of calculation: shortly after something has changed that can move the figures of a client, its limits are evaluated again. A burst of changes leads to one round; changes during a round lead to the next one. Finished rounds are deleted after the days that the operator has set; the last one of a client stays.',
  usage: {
    purpose: 'Wait for the round after your change, if you need limits and events to know about it.',
    list: 'See whether a change has been taken into account, and why figures were calculated again.',
    read: 'Look up the state of one round: waiting, running or finished, what caused it and how long it took.',
  },
  table: 'calculation_round',
  owner: { relation: 'client' },
  attributes: {
    causes: {
      kind: someOf(roundCauses),
      description: 'What changed, in order. `statement`: what a custodian states is held; `day`: a new day began.',
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
    attempts: { kind: count, description: 'How many times it was started.', writable: 'never' },
    error: {
      kind: text({ lengthMax: 64 }),
      description: 'The code of the error, if the last attempt failed.',
      writable: 'never',
      nullable: true,
    },
    retryAt: {
      kind: instant,
      description: 'When the next attempt is due, if the last one failed.',
      writable: 'never',
      nullable: true,
      computed: true,
    },
    ledgerVersion: {
      kind: text({ lengthMax: 64 }),
      description:
        'The version of the ledger it was computed from, as in reports; null until it is finished, and for a client without reporting entities.',
      writable: 'never',
      nullable: true,
    },
    progress: { kind: progress, description: 'Its progress.', writable: 'never', computed: true },
    counts: {
      kind: counts,
      description: 'What it counted; null until it is finished.',
      writable: 'never',
      nullable: true,
      computed: true,
    },
    leaseUntil: { kind: instant, description: 'Until when the worker that runs it holds it.', writable: 'never' },
    doneCount: countField('Reporting entities that are finished.'),
    totalCount: countField('The total number of reporting entities.'),
    reportingEntityCount: countField('Reporting entities.'),
    holdingCount: countField('Holdings.'),
    limitCount: countField('Limits by reporting entities.'),
    breachCount: countField('Breaches.'),
    findingCount: countField('Findings.'),
  },
  relations: {
    client: {
      to: 'client',
      description: 'The client whose figures are computed.',
      writable: 'never',
      required: true,
      filter: true,
    },
  },
});

export type CalculationRound = RecordOf<typeof calculationRound>;
export type RoundCounts = NonNullable<CalculationRound['counts']>;
export type RoundProgress = CalculationRound['progress'];
