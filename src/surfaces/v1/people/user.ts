// Users on v1: the paths of every resource, and those to disable and enable a user.

import { user } from '../../../model/people/user.ts';
import { setDisabled, userActions } from '../../../actions/people/user.ts';
import { snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { defineOperation, type Operation } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
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
    ...(verb === 'disable' ? { addsNothing: true } : {}),
    query: {},
    responses: { 200: { description: 'The changed user.', schema: snakeCaseSchema(user, v1) } },
    refusals: ['user-not-found'],
    read: () => undefined,
    handle: async ({ work, params }) => ({
      status: 200,
      body: renderV1(user, await setDisabled(work, pathParameter(params, 'id'), `${verb}d`)),
    }),
  });
}

export const v1UserPaths = [
  ...v1Paths({ actions: userActions, readers: 'admin', writers: 'admin' }),
  statusPath('disable', {
    summary: 'Disable a user',
    description:
      'For somebody who leaves for a while, or is not trusted for now. The user loses access to every client that the caller sees, with immediate effect. Their role and grants are kept and apply again once they are enabled.',
  }),
  statusPath('enable', {
    summary: 'Enable a user',
    description:
      'Let somebody in again. The user gets back the status from before they were disabled: `active`, or `invited` if they never joined.',
  }),
];
