// Declares the breach of a limit: a reporting entity was beyond a bound for some time. Breaches outlive their limit.

import { decimal, instant, oneOf } from '../../kit/field.ts';
import { declareResource } from '../../kit/resource.ts';
import { limitKinds } from './limit.ts';

export const limitBreach = declareResource({
  type: 'limit-breach',
  plural: 'limit-breaches',
  description:
    'A breach of a limit by one reporting entity, as found by rounds of calculation: when it began and ended, and by how much. Breaches that are over are deleted after the days that the operator has set.',
  usage: {
    purpose: 'Keep it as the record of when the policy was not met, by how much, and for how long.',
    read: 'Look up when one breach began and ended, and how far beyond its bound the value was.',
  },
  table: 'limit_state',
  only: { state: ['breached'] },
  owner: { relation: 'client' },
  attributes: {
    kind: { kind: oneOf(limitKinds), description: 'The kind of the limit.', writable: 'never' },
    standing: {
      kind: oneOf(['open', 'closed']),
      description: '`open` while it lasts.',
      writable: 'never',
      filter: true,
      snakeCaseName: 'state',
    },
    currentValue: {
      kind: decimal,
      description: 'The value when it began: an amount in the reference currency, or a fraction.',
      writable: 'never',
    },
    bound: {
      kind: oneOf(['min', 'max']),
      description: 'The bound that was broken.',
      writable: 'never',
    },
    boundValue: { kind: decimal, description: 'The value of that bound at the time.', writable: 'never' },
    since: { kind: instant, description: 'When it was found.', writable: 'never', filter: 'since' },
    until: {
      kind: instant,
      description:
        'When it was found to be over, because the bound is kept again or the limit or the reporting entity was deleted. Null while it lasts.',
      writable: 'never',
      nullable: true,
    },
  },
  relations: {
    limit: {
      to: 'limit',
      description: 'The limit, which may have been deleted.',
      writable: 'never',
      required: true,
      filter: true,
    },
    reportingEntity: {
      to: 'reporting-entity',
      description: 'The reporting entity whose holdings broke it.',
      writable: 'never',
      required: true,
      filter: true,
    },
    client: {
      to: 'client',
      description: 'The client of both.',
      writable: 'never',
      required: true,
      filter: true,
    },
    round: {
      to: 'calculation-round',
      description: 'The round of calculation that found it. Once the breach is over, it may have been deleted.',
      writable: 'never',
    },
  },
});
