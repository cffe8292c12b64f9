// The administrators of a workspace on v1: list, add by a mailed link, read and remove.

import { administrator } from '../../../model/people/administrator.ts';
import type { RefusalCode } from '../../../model/refusals/refusals.ts';
import { administratorActions, createAdministrator } from '../../../actions/people/administrator.ts';
import { snakeCaseBodySchema, snakeCaseExample, snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { v1CreatePath, v1DeletePath, v1ListPath, v1ReadPath } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const paths = { actions: administratorActions, readRight: 'admin', writeRight: 'admin' } as const;

const creation = v1CreatePath(paths, {
  body: {
    schema: snakeCaseBodySchema(administrator, v1, 'create'),
    example: snakeCaseExample(administrator, v1, 'create'),
  },
  responseSchema: snakeCaseSchema(administrator, v1),
  read: (fields) => fields,
  create: async ({ work }, fields) => ({ record: await createAdministrator(work, fields) }),
});

const wholeWorkspaceOnly: readonly RefusalCode[] = ['outside-reach'];
const deletionRefusals: readonly RefusalCode[] = ['outside-reach', 'last-administrator'];
const [list, read, deletion] = [v1ListPath(paths), v1ReadPath(paths), v1DeletePath(paths)];

export const administratorPaths = [
  { ...list, refusals: [...list.refusals, ...wholeWorkspaceOnly] },
  {
    ...creation,
    summary: 'Add an administrator',
    description:
      'For somebody who is to run this workspace. Mails a link to the address. The person opens it and signs in, and then has all clients and all rights of this workspace and environment. Sent again before the link is used, it mails a new link and the old one no longer works. Requires all rights and the whole workspace: nobody hands on more than they have.',
  },
  { ...read, refusals: [...read.refusals, ...wholeWorkspaceOnly] },
  {
    ...deletion,
    summary: 'Remove an administrator',
    description:
      'For an administrator who leaves. Takes the role away with immediate effect; memberships at clients stay. A person cannot remove the last administrator, an application or key can.',
    refusals: [...deletion.refusals, ...deletionRefusals],
  },
];
