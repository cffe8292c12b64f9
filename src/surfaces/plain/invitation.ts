// The body that adds a user to a client on Plain: one name, and a role from the start.

import { text, trimmed } from '../../kit/field.ts';
import { declareResource } from '../../kit/resource.ts';
import { user } from '../../model/people/user.ts';

export const invitation = declareResource({
  ...user,
  type: 'invitation',
  plural: 'invitations',
  attributes: {
    contactEmail: user.attributes.contactEmail,
    name: {
      kind: trimmed(text({ lengthMax: 200 })),
      description: 'Display name. JSON:API and v1 show what follows its last space as the last name.',
      writable: 'at-creation',
      required: true,
      example: 'Astrid Lindqvist',
    },
    role: {
      ...user.attributes.role,
      description: '`viewer`, `advisor` or `admin`, once the invite is accepted; `viewer` when it is not sent.',
    },
  },
  relations: {},
});
