// Keys on v1: registered with a PEM for flow A or a JWK for flow B, and shown with the claims that assertions need.

import type { JsonSchema } from '../../../kit/field.ts';
import { isJsonObject, type Json } from '../../../kit/json.ts';
import type { ChangeOf } from '../../../kit/resource.ts';
import { key } from '../../../model/access/credential.ts';
import { changeActions } from '../../../actions/core/record-actions.ts';
import { keyRules, type KeyInput } from '../../../actions/access/credential.ts';
import { withRequiredMembers, objectSchema } from '../../http/operation/object-schema.ts';
import {
  exampleJwk,
  jwkSchema,
  publicKeyPemSchema,
  readJwk,
  readPem,
  registerKeyAtMember,
} from '../../snake-case/public-key.ts';
import { snakeCaseBodySchema, snakeCaseExample, snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { Faults } from '../../http/operation/declared-fields.ts';
import {
  v1ChangePath,
  v1CreatePath,
  v1DeletePath,
  v1ListPath,
  v1ReadPath,
  type V1ChangePaths,
} from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const paths: V1ChangePaths<typeof key> = { actions: changeActions(keyRules), readRight: 'admin', writeRight: 'admin' };

const assertionNames = {
  kid: { type: 'string', description: 'The `kid` of assertions: the id of the key.' },
  iss: { type: 'string', description: 'The `iss` of assertions: the workspace.' },
  sub: { type: 'string', description: 'The `sub` of assertions: the workspace.' },
};

function bodySchema(): JsonSchema {
  const schema = objectSchema(snakeCaseBodySchema(key, v1, 'create'));
  return {
    ...schema,
    properties: { ...schema.properties, public_key_pem: publicKeyPemSchema, jwk: jwkSchema },
    anyOf: [{ required: ['public_key_pem'] }, { required: ['jwk'] }],
    not: { properties: { public_key_pem: {}, jwk: {} }, required: ['public_key_pem', 'jwk'] },
  };
}

function readKeyInput(fields: ChangeOf<typeof key>, body: Json | undefined): KeyInput {
  const members = isJsonObject(body) ? body : {};
  const hasPem = 'public_key_pem' in members;
  const hasJwk = 'jwk' in members;
  const faults = new Faults();
  if (hasPem === hasJwk) faults.add('missing-attribute', '', 'Send either public_key_pem (flow A) or jwk (flow B).');
  faults.throwIfAny();
  return hasPem
    ? { ...fields, publicKeyPem: readPem(members['public_key_pem']) }
    : { ...fields, jwk: readJwk(members['jwk']) };
}

export const v1KeyPaths = [
  v1ListPath(paths),
  v1CreatePath(paths, {
    refusals: ['invalid-public-key', 'private-key-sent'],
    body: { schema: bodySchema(), example: { ...snakeCaseExample(key, v1, 'create'), jwk: exampleJwk } },
    responseSchema: withRequiredMembers(snakeCaseSchema(key, v1), assertionNames),
    otherMembers: ['public_key_pem', 'jwk'],
    read: (input, { body }) => readKeyInput(input, body),
    async create({ work }, input) {
      const record = await registerKeyAtMember(work, input);
      const { workspaceId } = work.store.scope;
      return { record, more: { kid: record.id, iss: workspaceId, sub: workspaceId } };
    },
  }),
  v1ReadPath(paths),
  v1ChangePath(paths),
  v1DeletePath(paths),
];
