// Clients on v1, with the settings that only this wire can write.

import { id } from '../../kit/field.ts';
import type { ChangeOf } from '../../kit/resource.ts';
import { client } from '../../model/client.ts';
import { clientRules } from '../../actions/client.ts';
import { createThing } from '../../actions/resource.ts';
import { flatBodySchema, flatExample, flatSchema } from '../flat/object.ts';
import { changePath, createPath, deletePath, listPath, readPath, type V1WritePaths } from './paths.ts';
import { v1 } from './wire.ts';

const paths: V1WritePaths<typeof client> = {
  rules: clientRules,
  collection: '/v1/clients',
  filters: {
    parent_id: { field: 'parent', parameter: { kind: id, description: 'Only the children of this client.' } },
  },
  readRight: 'read',
  writeRight: 'write',
  writeRefusals: ['client-not-found', 'parent-cycle', 'outside-reach'],
};

export const clientPaths = [
  listPath(paths),
  createPath(paths, {
    schema: { schema: flatBodySchema(client, v1, 'create'), example: flatExample(client, 'v1', 'create') },
    answerSchema: flatSchema(client, v1),
    read: (asked) => asked as ChangeOf<typeof client>,
    create: async ({ work }, asked) => ({ record: await createThing(work, clientRules, asked) }),
  }),
  readPath(paths),
  changePath(paths),
  deletePath(paths),
];
