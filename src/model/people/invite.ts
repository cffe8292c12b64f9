// The invite: lets one person join one client, once. Its secret is stored only as a hash and is not declared here.

import { dayMs } from '../../kit/clock.ts';
import { boolean, instant, oneOf, uuid } from '../../kit/field.ts';
import { declareResource, exampleIdOfType, type RecordOf } from '../../kit/resource.ts';
import { emailAddress } from './email-address.ts';
import { providerKeys } from './identity.ts';
import { inviteStates } from './invite-state.ts';
import { mailProgress } from './mail/mail-progress.ts';
import { roles } from './role.ts';
import { createdAt } from '../shared-fields.ts';
import { exampleUserId } from './user.ts';

/** How long an invite can be accepted. */
export const inviteLifetimeMs = 7 * dayMs;

export const invite = declareResource({
  type: 'invite',
  plural: 'invites',
  description:
    'An invite: a mailed link with which one person joins one client by signing in with an identity provider. It is valid for seven days and can be used once.',
  usage: {
    purpose:
      'Nobody gets access by being entered alone: whoever has the link signs in first, with the address that the invite names if it names one.',
    list: 'See which invites are open, accepted, cancelled or expired, and whether their mail was sent.',
    read: 'Look up whether an invite was accepted, and what became of its mail.',
  },
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
      description: 'The role at the client once the invite is accepted. Defaults to the role that the user has there.',
      writable: 'at-creation',
    },
    identityProvider: {
      kind: oneOf(providerKeys),
      description: 'The identity provider to sign in with; null if any may be used.',
      writable: 'at-creation',
      nullable: true,
    },
    email: {
      kind: emailAddress,
      description:
        'The address to sign in with; null if any verified address may be used. The mail always goes to the address of the user.',
      writable: 'at-creation',
      nullable: true,
      filter: true,
      example: 'astrid@lindqvist.example',
    },
    isOwnAddress: {
      kind: boolean,
      description:
        'Whether `email` is the address of the user, because none was sent. An account that the user has signed in with before is then accepted with any address.',
      writable: 'never',
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
      description: 'The status of the mail with the link.',
      writable: 'never',
      nullable: true,
      computed: true,
    },
    createdAt,
    expiresAt: {
      kind: instant,
      description: 'When it expires: seven days after its creation.',
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
      description: 'When it was cancelled; null if it was not.',
      writable: 'never',
      nullable: true,
    },
  },
  relations: {
    client: {
      to: 'client',
      description:
        'The client to join. Defaults to the first client of the user, among those that the caller sees, that they have not joined yet.',
      writable: 'at-creation',
      filter: true,
      example: exampleIdOfType('client'),
    },
  },
});

export type Invite = RecordOf<typeof invite>;
