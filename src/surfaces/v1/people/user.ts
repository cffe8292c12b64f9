// Users on v1: the paths of any resource, and that an admin disables and enables them.

import { user } from '../../../model/people/user.ts';
import { setDisabled, userActions } from '../../../actions/people/user.ts';
import { snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { defineOperation, type Operation } from '../../http/operation/operation.ts';
import { renderV1, v1Paths } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

function statusPath(verb: 'disable' | 'enable', words: { summary: string; description: string }): Operation {
  return defineOperation<void>({
    ...words,
    id: `v1.user.${verb}`,
    wire: v1,
    group: user.plural,
    resource: user,
    method: 'POST',
    path: `/v1/users/{id}/${verb}`,
    right: 'admin',
    people: 'admin',
    mode: 'write',
    query: {},
    responses: { 200: { description: 'The user as they are now.', schema: snakeCaseSchema(user, v1) } },
    refusals: ['user-not-found'],
    read: () => undefined,
    handle: async ({ work, params }) => ({
      status: 200,
      body: renderV1(user, await setDisabled(work, params['id']!, `${verb}d`)),
    }),
  });
}

export const v1UserPaths = [
  ...v1Paths({ actions: userActions, readers: 'admin', writers: 'admin' }),
  statusPath('disable', {
    summary: 'Disable a user',
    description:
      'They are let in no more at any client that the caller sees, and are signed out of those at once. What they were granted stays for when they are enabled again.',
  }),
  statusPath('enable', {
    summary: 'Enable a user',
    description: 'They are what they were before they were disabled: `active`, or `invited` where they never joined.',
  }),
];
