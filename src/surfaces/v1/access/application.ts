// Applications on v1: their secret is shown once, in the answer to their creation.

import type { JsonSchema } from '../../../kit/field.ts';
import type { ChangeOf } from '../../../kit/resource.ts';
import { application } from '../../../model/access/credential.ts';
import { applicationRules, createApplication } from '../../../actions/access/credential.ts';
import { flatBodySchema, flatExample, flatSchema } from '../../snake-case/snake-case-object.ts';
import { changePath, createPath, deletePath, listPath, readPath, type V1ChangePaths } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const paths: V1ChangePaths<typeof application> = {
  rules: applicationRules,
  readRight: 'admin',
  writeRight: 'admin',
};

function withSecret(schema: JsonSchema): JsonSchema {
  const secret = { type: 'string', description: 'Shown this once; keep it. Only a keyed hash of it is stored.' };
  return {
    ...schema,
    required: [...(schema['required'] as string[]), 'client_secret'],
    properties: { ...(schema['properties'] as object), client_secret: secret },
  };
}

export const applicationPaths = [
  listPath(paths),
  createPath(paths, {
    body: { schema: flatBodySchema(application, v1, 'create'), example: flatExample(application, 'v1', 'create') },
    answerSchema: withSecret(flatSchema(application, v1)),
    read: (asked) => asked as ChangeOf<typeof application>,
    async create({ work }, asked) {
      const { application: record, clientSecret } = await createApplication(work, asked);
      return { record, more: { client_secret: clientSecret } };
    },
  }),
  readPath(paths),
  changePath(paths),
  deletePath(paths),
];
