// A session of a person: where they are signed in.

import { boolean, instant, text } from '../../kit/field.ts';
import { declareResource } from '../../kit/resource.ts';
import { createdAt } from '../shared-fields.ts';

export const session = declareResource({
  type: 'session',
  plural: 'sessions',
  description: 'A browser in which the person is signed in.',
  table: 'session',
  owner: 'workspace',
  attributes: {
    createdAt: { ...createdAt, description: 'When they signed in.' },
    lastSeenAt: { kind: instant, description: 'When it was last used, to the minute.', writable: 'never' },
    expiresAt: { kind: instant, description: 'When it ends in any case.', writable: 'never' },
    userAgent: {
      kind: text({ lengthMin: 0, lengthMax: 300 }),
      description: 'The browser, as it names itself; null if it does not.',
      writable: 'never',
      nullable: true,
      example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    },
    isCurrent: { kind: boolean, description: 'Whether it is the session of this request.', writable: 'never' },
  },
  relations: {},
});
