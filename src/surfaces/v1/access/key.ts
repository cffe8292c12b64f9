// Keys on v1: a PEM for flow A or a JWK for flow B goes in, the names for assertions come out.

import type { JsonSchema } from '../../../kit/field.ts';
import type { ChangeOf } from '../../../kit/resource.ts';
import { key } from '../../../model/access/credential.ts';
import { keyRules, type AskedKey } from '../../../actions/access/credential.ts';
import { exampleJwk, jwkSchema, pemSchema, readJwk, readPem, registerSentKey } from '../../snake-case/public-key.ts';
import { flatBodySchema, flatExample, flatSchema } from '../../snake-case/snake-case-object.ts';
import { Faults, isObject } from '../../http/operation/declared-fields.ts';
import { changePath, createPath, deletePath, listPath, readPath, type V1ChangePaths } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const paths: V1ChangePaths<typeof key> = { rules: keyRules, readRight: 'admin', writeRight: 'admin' };

const names = {
  kid: { type: 'string', description: 'The `kid` of assertions: the id of the key.' },
  iss: { type: 'string', description: 'The `iss` of assertions: the workspace.' },
  sub: { type: 'string', description: 'The `sub` of assertions: the workspace.' },
};

function withNames(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    required: [...(schema['required'] as string[]), ...Object.keys(names)],
    properties: { ...(schema['properties'] as object), ...names },
  };
}

function bodySchema(): JsonSchema {
  const schema = flatBodySchema(key, v1, 'create');
  return {
    ...schema,
    properties: { ...(schema['properties'] as object), public_key_pem: pemSchema, jwk: jwkSchema },
    oneOf: [{ required: ['public_key_pem'] }, { required: ['jwk'] }],
  };
}

function readAsked(fields: ChangeOf<typeof key>, body: unknown): AskedKey {
  const members = isObject(body as never) ? (body as { [member: string]: never }) : {};
  const hasPem = 'public_key_pem' in members;
  const hasJwk = 'jwk' in members;
  const faults = new Faults();
  if (hasPem === hasJwk) faults.add('missing-attribute', '', 'Send either public_key_pem (flow A) or jwk (flow B).');
  faults.refuseIfAny();
  return hasPem
    ? { ...fields, publicKeyPem: readPem(members['public_key_pem']) }
    : { ...fields, jwk: readJwk(members['jwk']) };
}

export const keyPaths = [
  listPath(paths),
  createPath(paths, {
    refusals: ['invalid-public-key', 'private-key-sent'],
    body: { schema: bodySchema(), example: { ...flatExample(key, 'v1', 'create'), jwk: exampleJwk } },
    answerSchema: withNames(flatSchema(key, v1)),
    besides: ['public_key_pem', 'jwk'],
    read: (asked, { body }) => readAsked(asked as ChangeOf<typeof key>, body),
    async create({ work }, asked) {
      const record = await registerSentKey(work, asked);
      const { workspaceId } = work.store.reach;
      return { record, more: { kid: record.id, iss: workspaceId, sub: workspaceId } };
    },
  }),
  readPath(paths),
  changePath(paths),
  deletePath(paths),
];
