// Keys on Plain: registration of the key of flow A, with a list and a deletion.

import { isJsonObject } from '../../kit/json.ts';
import { key, type Key } from '../../model/access/credential.ts';
import { readActions } from '../../actions/core/record-actions.ts';
import { keyRules, type KeyInput } from '../../actions/access/credential.ts';
import { deleteRecord } from '../../actions/core/resource.ts';
import { withRequiredMembers, objectSchema } from '../http/operation/object-schema.ts';
import { examplePem, publicKeyPemSchema, readPem, registerKeyAtMember } from '../snake-case/public-key.ts';
import {
  snakeCaseBodySchema,
  snakeCaseExample,
  snakeCaseSchema,
  readSnakeCase,
  renderSnakeCase,
} from '../snake-case/snake-case-object.ts';
import { Faults } from '../http/operation/declared-fields.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { cappedList, cappedListSchema } from '../http/lists/row-cap.ts';
import { writeRefusals } from '../http/operation/write-refusals.ts';
import { plain } from './wire.ts';

/** Plain names the id `key_id`, after the `kid` of assertions. */
function renderPlainKey(record: Key): Record<string, unknown> {
  const { id, ...rest } = renderSnakeCase(key, record, plain);
  return { key_id: id, ...rest };
}

function plainKeySchema() {
  const schema = objectSchema(snakeCaseSchema(key, plain));
  const { id: _id, ...properties } = schema.properties;
  const required = schema.required.map((name) => (name === 'id' ? 'key_id' : name));
  const keyId = { type: 'string', description: 'The `kid` of every assertion signed with this key.' };
  return { ...schema, required, properties: { key_id: keyId, ...properties } };
}

function bodySchema() {
  return withRequiredMembers(snakeCaseBodySchema(key, plain, 'create'), { public_key_pem: publicKeyPemSchema });
}

const operationBase = { wire: plain, group: 'keys', resource: key, right: 'admin', query: {} } as const;

const listPath = defineOperation<void>({
  ...operationBase,
  id: 'plain.key.list',
  method: 'GET',
  path: '/v2/auth/keys',
  summary: 'List keys',
  mode: 'read',
  responses: { 200: { description: 'The registered keys, oldest first.', schema: cappedListSchema(plainKeySchema()) } },
  refusals: [],
  read: () => undefined,
  handle: async ({ work }) => ({
    status: 200,
    body: await cappedList(work, { actions: readActions(keyRules), where: {} }, (record) =>
      renderPlainKey(record as unknown as Key),
    ),
  }),
});

const createPath = defineOperation<KeyInput>({
  ...operationBase,
  id: 'plain.key.create',
  method: 'POST',
  path: '/v2/auth/keys',
  summary: 'Register an RSA public key for flow A',
  mode: 'write',
  body: { schema: bodySchema(), example: { ...snakeCaseExample(key, plain, 'create'), public_key_pem: examplePem } },
  responses: {
    201: {
      description: 'The key; its `key_id` is the `kid` of assertions.',
      schema: plainKeySchema(),
      headers: { Location: 'Its address, where it can be deleted.' },
    },
  },
  refusals: ['invalid-public-key', 'private-key-sent', ...writeRefusals(keyRules, { wire: plain, purpose: 'create' })],
  read({ body }) {
    const fields = readSnakeCase(key, body, {
      wire: plain,
      purpose: 'create',
      otherMembers: ['public_key_pem'],
    });
    const publicKeyPem = isJsonObject(body) ? body['public_key_pem'] : undefined;
    const faults = new Faults();
    if (publicKeyPem === undefined) faults.add('missing-attribute', '/public_key_pem', 'public_key_pem is required.');
    faults.throwIfAny();
    return { ...fields, publicKeyPem: readPem(publicKeyPem) };
  },
  async handle({ work }, input) {
    const record = await registerKeyAtMember(work, input);
    const location = `${work.context.addresses.baseUrl}/v2/auth/keys/${record.id}`;
    return { status: 201, headers: { location }, body: renderPlainKey(record) };
  },
});

const deletePath = defineOperation<void>({
  ...operationBase,
  id: 'plain.key.delete',
  method: 'DELETE',
  path: '/v2/auth/keys/{key_id}',
  summary: 'Delete a key',
  mode: 'write',
  responses: { 204: { description: 'It is gone. Deleting it again answers 404.' } },
  refusals: ['key-not-found'],
  read: () => undefined,
  async handle({ work, params }) {
    await deleteRecord(work, keyRules, pathParameter(params, 'key_id'));
    return { status: 204 };
  },
});

export const plainKeyPaths = [listPath, createPath, deletePath];
