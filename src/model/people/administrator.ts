// The administrator of a workspace: a person with all clients and all rights in one environment.

import { instant, oneOf, text } from '../../kit/field.ts';
import { declareResource, type RecordOf } from '../../kit/resource.ts';
import { createdAt } from '../shared-fields.ts';
import { emailAddress } from './email-address.ts';
import { mailProgress } from './mail/mail-progress.ts';

const administratorStatuses = ['invited', 'active'] as const;

/** The id of the administrator in all examples. */
export const exampleAdministratorId = '01a1dfac-6b33-7c4e-8d2f-5a7b9c1e3f61';

export const administrator = declareResource({
  type: 'administrator',
  plural: 'administrators',
  description:
    'An administrator of the workspace: a person who sees all clients and has all rights in one environment, with or without being a member of a client.',
  usage: {
    purpose: 'They run the workspace: people, applications, custodians and webhooks.',
    list: 'See who may do everything in this workspace.',
    read: 'Look up one administrator: whether they have joined, and what became of the mail to them.',
  },
  table: 'workspace_administrator',
  exampleId: exampleAdministratorId,
  owner: 'workspace',
  attributes: {
    contactEmail: {
      kind: emailAddress,
      snakeCaseName: 'email',
      description: 'The address that the link is mailed to, and that they sign in with for the first time.',
      writable: 'at-creation',
      required: true,
      example: 'nora@lindqvist.example',
    },
    firstName: {
      kind: text({ lengthMin: 1, lengthMax: 200 }),
      description: 'Free-form.',
      writable: 'at-creation',
      required: true,
      example: 'Nora',
    },
    lastName: {
      kind: text({ lengthMin: 0, lengthMax: 200 }),
      description: 'Free-form; may be empty.',
      writable: 'at-creation',
      required: true,
      example: 'Lindqvist',
    },
    status: {
      kind: oneOf(administratorStatuses),
      description: '`invited` until the link is used, `active` afterwards.',
      writable: 'never',
      computed: true,
    },
    mail: {
      kind: mailProgress,
      description: 'The status of the mail with the newest link; null if no link was mailed.',
      writable: 'never',
      nullable: true,
      computed: true,
    },
    createdAt,
    joinedAt: {
      kind: instant,
      description: 'When the link was used; null until then.',
      writable: 'never',
      nullable: true,
    },
  },
  relations: {},
});

export type Administrator = RecordOf<typeof administrator>;
