// Applications on v1. The secret is shown once, in the answer that creates the application.

import type { JsonSchema } from '../../../kit/field.ts';
import { application } from '../../../model/access/credential.ts';
import { changeActions } from '../../../actions/core/record-actions.ts';
import { applicationRules, createApplication } from '../../../actions/access/credential.ts';
import { withRequiredMembers } from '../../http/operation/object-schema.ts';
import { snakeCaseBodySchema, snakeCaseExample, snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import {
  v1ChangePath,
  v1CreatePath,
  v1DeletePath,
  v1ListPath,
  v1ReadPath,
  type V1ChangePaths,
} from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const paths: V1ChangePaths<typeof application> = {
  actions: changeActions(applicationRules),
  readRight: 'admin',
  writeRight: 'admin',
};

function withSecret(schema: JsonSchema): JsonSchema {
  const secret = {
    type: 'string',
    description: 'Shown only here: store it now. The service keeps a keyed hash of it.',
  };
  return withRequiredMembers(schema, { client_secret: secret });
}

export const applicationPaths = [
  v1ListPath(paths),
  v1CreatePath(paths, {
    body: {
      schema: snakeCaseBodySchema(application, v1, 'create'),
      example: snakeCaseExample(application, v1, 'create'),
    },
    responseSchema: withSecret(snakeCaseSchema(application, v1)),
    answersSecret: true,
    read: (fields) => fields,
    async create({ work }, fields) {
      const { application: record, clientSecret } = await createApplication(work, fields);
      return { record, more: { client_secret: clientSecret } };
    },
  }),
  v1ReadPath(paths),
  v1ChangePath(paths),
  v1DeletePath(paths),
];
