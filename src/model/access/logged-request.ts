// The logged request: one line for each request that a workspace was answered, without its query and its body.

import { id, instant, integer, oneOf, text } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { declareResource, type RecordOf } from '../../kit/resource.ts';
import type { Environment } from './scope.ts';

const outcomes = ['answered', 'refused', 'failed'] as const;

/** Lines are kept this long. */
export const requestLogDays = 7;
/** The newest lines of an environment that are kept. */
export const requestLogLinesMax = 100_000;
/** Longer paths are cut: with the bounds of the other fields, a line is below 1 KiB. */
export const loggedPathLengthMax = 300;

export const loggedRequest = declareResource({
  type: 'logged-request',
  plural: 'requests',
  description: `A request to this workspace, as the request log keeps it: without query, body and headers. Lines are kept for ${requestLogDays} days, unless the operator has set another time, and at most the newest ${requestLogLinesMax.toLocaleString('en')} of an environment. They appear a moment after the answer; a few may be missing when the service was under heavy load.`,
  table: 'request_log',
  owner: 'workspace',
  attributes: {
    at: { kind: instant, description: 'When it was answered.', writable: 'never', filter: 'period' },
    method: { kind: text({ lengthMax: 10 }), description: 'The method.', writable: 'never', filter: true },
    route: {
      kind: text({ lengthMax: 200 }),
      description: 'The path as the reference has it, with the names of its parameters.',
      writable: 'never',
      filter: true,
    },
    path: {
      kind: text({ lengthMax: loggedPathLengthMax }),
      description: 'The path that was asked for, without the query. Of pages for people, the route.',
      writable: 'never',
      filter: true,
    },
    status: {
      kind: integer({ min: 100, max: 599 }),
      description: 'The status of the answer.',
      writable: 'never',
      filter: true,
    },
    outcome: {
      kind: oneOf(outcomes),
      description: '`refused`: status 400 to 499; `failed`: 500 and above.',
      writable: 'never',
      filter: true,
    },
    code: {
      kind: text({ lengthMax: 64 }),
      description: 'The code of the problem, if it was refused or failed.',
      writable: 'never',
      nullable: true,
      filter: true,
    },
    durationMs: {
      kind: integer({ min: 0, max: 2_147_483_647 }),
      description: 'From its arrival to the end of the answer, in milliseconds.',
      writable: 'never',
    },
    credentialId: {
      kind: id,
      description: 'The application or key that it was made with; null in a session. It may have been deleted since.',
      writable: 'never',
      nullable: true,
      filter: true,
    },
    userId: {
      kind: text({ lengthMax: 64 }),
      description: 'The person who made it, in a session or through a token issued for them.',
      writable: 'never',
      nullable: true,
      filter: true,
    },
    requestId: {
      kind: text({ lengthMax: 128 }),
      description: 'The `X-Request-Id` of the answer.',
      writable: 'never',
      filter: true,
    },
    traceId: {
      kind: text({ lengthMax: 32 }),
      description: 'The id of its trace, where the operator has requests traced.',
      writable: 'never',
      nullable: true,
    },
  },
  relations: {},
});

export type LoggedRequest = RecordOf<typeof loggedRequest>;

/** What is known of a request when it is answered. */
export interface RequestLine extends Omit<LoggedRequest, 'id' | 'at' | 'outcome'> {
  readonly workspaceId: Id;
  readonly environment: Environment;
}
