// Consent files on v1: handed in, listed and downloaded by workspace administration.

import type { ChangeOf } from '../../../kit/resource.ts';
import { authFlowFile, authFlowFileBytesMax, authFlowFilesMax } from '../../../model/custody/auth-flow.ts';
import { handedInFile } from '../../../model/custody/custody-requests.ts';
import { handInFile, listFiles, openFile } from '../../../actions/custody/auth-flow-file.ts';
import { pageSchema } from '../../http/lists/cursor-page.ts';
import { withRequiredMembers } from '../../http/operation/object-schema.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { readSnakeCase, snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';
import { bodyOf } from './admin-operation.ts';

const base = { wire: v1, group: 'auth-flows', resource: authFlowFile, right: 'admin', query: {} } as const;
const collection = '/v1/admin/auth-flows/{id}/files';

const handInPath = defineOperation<ChangeOf<typeof handedInFile>>({
  ...base,
  id: 'v1.auth-flow-file.create',
  method: 'POST',
  path: collection,
  summary: 'Hand in a consent file',
  description: `Send a paper that the custodian asks for, such as a signed mandate. It is stored encrypted. With the last of the expected files, the flow waits for consent. A file may have ${authFlowFileBytesMax / 1024} KiB, and a flow ${authFlowFilesMax} files.`,
  mode: 'write',
  body: bodyOf(handedInFile),
  responses: {
    201: {
      description: 'The file, without its content.',
      schema: snakeCaseSchema(authFlowFile, v1),
      headers: { Location: 'The address of its content.' },
    },
  },
  refusals: ['auth-flow-not-found', 'state-conflict', 'too-many-files'],
  read: ({ body }) => readSnakeCase(handedInFile, body, { wire: v1, purpose: 'create' }),
  async handle({ work, params }, input) {
    const file = await handInFile(work, pathParameter(params, 'id'), input);
    const location = `${work.context.addresses.baseUrl}/v1/admin/auth-flows/${file.authFlow}/files/${file.id}`;
    return { status: 201, headers: { location }, body: renderV1(authFlowFile, file) };
  },
});

const listPath = defineOperation<void>({
  ...base,
  id: 'v1.auth-flow-file.list',
  method: 'GET',
  path: collection,
  summary: 'List the files of an auth flow',
  description: 'See which papers of a consent were handed in, without their content.',
  mode: 'read',
  responses: {
    200: { description: 'All of them, oldest first.', schema: pageSchema(snakeCaseSchema(authFlowFile, v1)) },
  },
  refusals: ['auth-flow-not-found'],
  read: () => undefined,
  async handle({ work, params }) {
    const { records } = await listFiles(work, pathParameter(params, 'id'));
    return { status: 200, body: { data: records.map((file) => renderV1(authFlowFile, file)), has_more: false } };
  },
});

const contentSchema = { type: 'string', contentEncoding: 'base64', description: 'Its content, in base64.' };

const downloadPath = defineOperation<void>({
  ...base,
  id: 'v1.auth-flow-file.read',
  method: 'GET',
  path: `${collection}/{file_id}`,
  summary: 'Read a consent file',
  description: 'Get a consent file back with its content, for example to pass a signed mandate on to the custodian.',
  mode: 'read',
  responses: {
    200: {
      description: 'The file.',
      schema: withRequiredMembers(snakeCaseSchema(authFlowFile, v1), { content: contentSchema }),
    },
  },
  refusals: ['auth-flow-file-not-found'],
  read: () => undefined,
  async handle({ work, params }) {
    const { file, content } = await openFile(work, pathParameter(params, 'id'), pathParameter(params, 'file_id'));
    return { status: 200, body: { ...renderV1(authFlowFile, file), content: content.toString('base64') } };
  },
});

export const v1AuthFlowFilePaths = [handInPath, listPath, downloadPath];
