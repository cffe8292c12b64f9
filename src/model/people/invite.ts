// The invite: a way in for one person to one client, once. Knows nothing of its secret.

import { dayMs } from '../../kit/clock.ts';
import { instant, oneOf, uuid } from '../../kit/field.ts';
import { declareResource, exampleIdOfType, type RecordOf } from '../../kit/resource.ts';
import { emailAddress } from './email-address.ts';
import { providerKeys } from './identity.ts';
import { inviteStates } from './invite-state.ts';
import { mailProgress } from './mail/mail-progress.ts';
import { roles } from './role.ts';
import { createdAt } from '../shared-fields.ts';
import { exampleUserId } from './user.ts';

export const inviteLifetimeMs = 7 * dayMs;

export const invite = declareResource({
  type: 'invite',
  plural: 'invites',
  description:
    'An invite: a link in a mail, with which one person joins one client by signing in at an identity provider. It holds for seven days and once.',
  table: 'invite',
  owner: { relation: 'client' },
  attributes: {
    personId: {
      kind: uuid,
      snakeCaseName: 'user_id',
      description: 'The user who is invited.',
      writable: 'at-creation',
      required: true,
      filter: true,
      example: exampleUserId,
    },
    role: {
      kind: oneOf(roles),
      description: 'The role at the client from the acceptance on. Without it the one that the user has there.',
      writable: 'at-creation',
    },
    identityProvider: {
      kind: oneOf(providerKeys),
      description: 'The one provider to sign in at; null where any will do.',
      writable: 'at-creation',
      nullable: true,
    },
    email: {
      kind: emailAddress,
      description:
        'The address to sign in with; null for the address of the user. The mail goes to the address of the user in any case.',
      writable: 'at-creation',
      nullable: true,
      filter: true,
      example: 'astrid@lindqvist.example',
    },
    state: {
      kind: oneOf(inviteStates),
      description: '`pending` until it is accepted, cancelled, or seven days old.',
      writable: 'never',
      computed: true,
      filter: true,
    },
    mail: {
      kind: mailProgress,
      description: 'How the mail that holds its link stands.',
      writable: 'never',
      nullable: true,
      computed: true,
    },
    createdAt,
    expiresAt: {
      kind: instant,
      description: 'Until when it can be accepted: seven days after its creation.',
      writable: 'never',
    },
    acceptedAt: {
      kind: instant,
      description: 'When it was accepted.',
      writable: 'never',
      nullable: true,
    },
    cancelledAt: {
      kind: instant,
      description: 'When it was taken back; null where it was not.',
      writable: 'never',
      nullable: true,
    },
  },
  relations: {
    client: {
      to: 'client',
      description:
        'The client that is joined. Without it, of the clients of the user that the caller sees, the first that was not joined yet.',
      writable: 'at-creation',
      filter: true,
      example: exampleIdOfType('client'),
    },
  },
});

export type Invite = RecordOf<typeof invite>;
