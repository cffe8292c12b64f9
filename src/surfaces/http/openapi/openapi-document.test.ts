import { FailureThrottle } from '../../token/failure-throttle.ts';
import { validate } from '@scalar/openapi-parser';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { absoluteRefs } from '../../../../tests/setup/http/openapi-reference.ts';
import type { JsonSchema } from '../../../kit/field.ts';
import { exampleIdOfType } from '../../../kit/resource.ts';
import type { Addresses, AppContext } from '../../../actions/core/context.ts';
import { openOperations, operations, wireFor } from '../../operations.ts';
import { possibleRefusals } from '../operation/possible-refusals.ts';
import { eventTypes } from '../../../model/event/event.ts';
import { describeWebhooks } from '../../v1/events/webhook-reference.ts';
import { openApiDocument, type OpenApiDocument } from './openapi-document.ts';
import { noBudget } from '../pipeline/budget.ts';

const one = 'https://wealth.example';
const oneAddress: Addresses = { baseUrl: one, legacyUrl: one, authUrl: one };
const threeAddresses: Addresses = {
  baseUrl: one,
  legacyUrl: 'https://legacy.example',
  authUrl: 'https://auth.example',
};

const open = openOperations({ addresses: oneAddress } as AppContext, {
  metrics: { contentType: 'text/plain', read: async () => ({ text: '' }) },
  version: '1.2.3',
  budget: noBudget,
  failures: new FailureThrottle(1),
});

function documentAt(addresses: Addresses, described = operations): OpenApiDocument {
  // Webhooks refer to schemas of operations.
  const webhooks = described === operations ? describeWebhooks() : {};
  return openApiDocument({ addresses, operations: described, openOperations: open, version: '1.2.3', webhooks });
}

const document = documentAt(oneAddress);
const firstOfEachWire = [...new Map(operations.toReversed().map((operation) => [operation.wire, operation])).values()];

function described(path: string, method: string, from = document): any {
  return from.paths[path]![method];
}

/** Lists every object inside a value with its JSON pointer. */
function* objectsIn(value: unknown, pointer = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [pointer, value as Record<string, unknown>];
  for (const [name, member] of Object.entries(value)) {
    yield* objectsIn(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

const pointers = new Map(objectsIn(document));

/** Puts what references lead to in their places. Request bodies do not contain themselves. */
function resolveAll(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(resolveAll);
  if ('$ref' in value) return resolveAll(pointers.get(String(value.$ref)));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolveAll(member)]));
}

const references = [...pointers.values()].map(({ $ref }) => $ref).filter((ref) => ref !== undefined) as string[];

describe('the document', () => {
  test.each([
    ['one address', document],
    // They differ in the servers of each operation: the first of each wire is enough.
    ['three addresses', documentAt(threeAddresses, firstOfEachWire)],
  ])('is valid OpenAPI 3.1 with %s', async (_name, checked) => {
    const { valid, errors } = await validate(JSON.parse(JSON.stringify(checked)));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  test('every reference has a target', () => {
    expect(references.filter((ref) => !pointers.has(ref))).toEqual([]);
  });

  test('every component is used', () => {
    const used = new Set(references);
    const { securitySchemes: _schemes, ...components } = document.components;
    const all = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect(all.filter((ref) => !used.has(ref))).toEqual([]);
  });

  test('lists every event that is posted to webhooks', () => {
    expect(Object.keys(document['webhooks'] as object).toSorted()).toEqual([...eventTypes].toSorted());
  });

  test('describes exactly the declared operations, by their ids', () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(ids.toSorted()).toEqual([...operations, ...open].map(({ id }) => id).toSorted());
  });

  test('the same path and method cannot be declared twice', () => {
    const [first] = operations;
    const twice = { addresses: oneAddress, operations: [first!, first!], openOperations: [], version: '1' };
    expect(() => openApiDocument(twice)).toThrow(`${first!.method} ${first!.path} is declared twice.`);
  });

  test.each([...operations].map((operation) => [operation.id, operation] as const))(
    '%s lists its path parameters and all its refusals',
    (_id, operation) => {
      const { parameters, responses } = described(operation.path, operation.method.toLowerCase());
      const inPath = parameters
        .filter((parameter: JsonSchema) => parameter['in'] === 'path')
        .map(({ name }: { name: string }) => `{${name}}`);
      expect(inPath).toEqual(operation.path.match(/\{\w+\}/g) ?? []);
      const descriptions = Object.values<JsonSchema>(responses).map(
        ({ $ref }) => (pointers.get(String($ref)) ?? {})['description'],
      );
      for (const code of possibleRefusals(operation))
        expect(descriptions.join('\n')).toContain(`(/docs/errors#${code})`);
    },
  );
});

describe('the schemas', () => {
  const { schemas } = document.components;
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, inlineRefs: false, code });
  formats.default(ajv);
  ajv.addFormat('decimal', /^-?\d+(\.\d+)?$/); // a return is the shortest decimal of a double, which may have more than 18 places
  ajv.addVocabulary(['components', 'example', 'discriminator']);
  ajv.addSchema({ components: { schemas: absoluteRefs(schemas) } }, 'openapi');
  const compiled = new Map<string, ValidateFunction>();

  function compile(schema: unknown): ValidateFunction {
    const text = JSON.stringify(schema);
    const check = compiled.get(text) ?? ajv.compile(absoluteRefs(schema));
    compiled.set(text, check);
    return check;
  }

  test.each(Object.entries(schemas!))('%s is valid JSON Schema', (_name, schema) => {
    expect(compile(schema)).toBeTypeOf('function');
  });

  test('the schemas of parameters and headers are valid JSON Schema too', () => {
    const small = [...pointers].filter(([pointer]) => /\/(parameters|headers)\/[^/]+\/schema$/.test(pointer));
    expect(small.length).toBeGreaterThan(10);
    for (const [, schema] of small) expect(compile(schema)).toBeTypeOf('function');
  });

  test('every example of a refusal is the actual answer of its wire', () => {
    const bodies = [...pointers.values()].filter(
      ({ schema, examples }) => schema !== undefined && examples !== undefined,
    );
    expect(bodies.length).toBeGreaterThan(10);
    for (const { schema, examples } of bodies) {
      const check = compile(schema);
      for (const { $ref } of Object.values(examples as Record<string, { $ref: string }>)) {
        check(JSON.parse(JSON.stringify(pointers.get($ref)!['value'])));
        expect({ $ref, errors: check.errors }).toEqual({ $ref, errors: null });
      }
    }
  });

  test('every decimal of a request may be sent as a number and as a string', () => {
    const isDecimal = ({ type, format, pattern }: JsonSchema): boolean =>
      type === 'number' || format === 'decimal' || String(pattern).includes(String.raw`(\.\d{1,18})?`);
    const all = Object.values(document.paths).flatMap((item) => Object.values(item));
    const bodies = all.flatMap(({ requestBody }) => (requestBody === undefined ? [] : [requestBody]));
    const parts = bodies.flatMap((body) => [...objectsIn(resolveAll(body))]);
    const decimals = parts.filter(([, schema]) => isDecimal(schema));
    const choices = parts.filter(([, { anyOf }]) => Array.isArray(anyOf) && anyOf.some(isDecimal));
    expect(choices.length).toBeGreaterThan(100);
    for (const [pointer, { anyOf }] of choices) {
      const types = (anyOf as JsonSchema[]).filter(isDecimal).map(({ type }) => type);
      expect({ pointer, types }).toEqual({ pointer, types: ['number', 'string'] });
    }
    expect(decimals.length).toBe(2 * choices.length);
  });

  test('a parameter that may be sent several times takes several values separated by commas as well', () => {
    const { schema } = described('/api/v2/performance/reporting-entities/{id}', 'get').parameters.find(
      ({ name }: { name: string }) => name === 'expand',
    );
    const check = compile(schema);
    expect(check(['portfolios', 'instruments'])).toBe(true);
    expect(check(['portfolios,instruments'])).toBe(true);
    expect(check(['portfolios,comets'])).toBe(false);
  });

  test('every declared example matches its schema', () => {
    const bodies = [...pointers].filter(([, { schema, example }]) => schema !== undefined && example !== undefined);
    expect(bodies.length).toBeGreaterThan(operations.length);
    for (const [pointer, { schema, example }] of bodies) {
      const check = compile(schema);
      check(JSON.parse(JSON.stringify(example)));
      expect({ pointer, errors: check.errors }).toEqual({ pointer, errors: null });
    }
  });

  test('a resource has one schema name on each wire, which lists and documents refer to', () => {
    expect(Object.keys(schemas!)).toEqual(
      expect.arrayContaining(['V1Client', 'V1ClientList', 'JsonApiClient', 'JsonApiClientDocument', 'PlainClient']),
    );
    const list: any = schemas!['V1ClientList'];
    expect(list.properties.data.items).toEqual({ $ref: '#/components/schemas/V1Client' });
    const single: any = schemas!['JsonApiClientDocument'];
    expect(single.properties.data).toEqual({ $ref: '#/components/schemas/JsonApiClient' });
  });

  test('an answer with additional members has a separate schema name', () => {
    const created = described('/v1/applications', 'post').responses[201].content['application/json'].schema;
    expect(created).toEqual({ $ref: '#/components/schemas/V1ApplicationCreateAnswer' });
    expect((schemas!['V1Application'] as any).properties).not.toHaveProperty('client_secret');
  });
});

describe('lists', () => {
  // A report of performance is one answer, with the whole and its segments.
  const lists = operations.filter(
    ({ wire, method, path }) => wire.name === 'v1' && method === 'GET' && !path.startsWith('/v1/performance'),
  );
  const schemaOf = (path: string): any =>
    resolveAll(described(path, 'get').responses['200']?.content?.['application/json']?.schema);

  test('of v1 all say whether there is more', () => {
    const silent = lists
      .map(({ path }) => path)
      .filter((path) => {
        const { properties } = schemaOf(path) ?? {};
        return properties?.data?.type === 'array' && properties.has_more === undefined;
      });
    expect(silent).toEqual([]);
  });
});

describe('a single operation', () => {
  test('a creation on v1 has its tag, rights, parameters, bodies and responses', () => {
    const { tags, security, parameters, requestBody, responses } = described('/v1/clients', 'post');
    expect(tags).toEqual(['v1: clients']);
    expect(security).toEqual([{ accessToken: [] }, { clientCredentials: ['write'] }]);
    expect(parameters).toEqual([{ $ref: '#/components/parameters/Idempotency-Key' }]);
    expect(requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/V1ClientCreateBody' });
    expect(Object.keys(responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '406',
      '409',
      '413',
      '415',
      '422',
      '429',
      '503',
      'default',
    ]);
    expect(Object.keys(responses[201].headers)).toEqual([
      'X-Request-Id',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotent-Replayed',
      'Location',
      'ETag',
    ]);
  });

  test('a read on v1 takes an entity tag and answers 304', () => {
    const { parameters, responses } = described('/v1/clients/{id}', 'get');
    expect(parameters[1]).toEqual({ $ref: '#/components/parameters/If-None-Match' });
    expect(responses[304]).toEqual({ $ref: '#/components/responses/NotModified' });
    expect(responses[200].headers).toHaveProperty('ETag');
  });

  test('a change and a deletion on v1 take If-Match', () => {
    for (const method of ['patch', 'delete']) {
      expect(described('/v1/clients/{id}', method).parameters).toContainEqual({
        $ref: '#/components/parameters/If-Match',
      });
    }
  });

  test('the frozen wires have no entity tags', () => {
    const { parameters, responses } = described('/api/v2/clients/{id}', 'patch');
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual(['id']);
    expect(responses[200].headers).not.toHaveProperty('ETag');
    expect(responses[200].content).toHaveProperty(['application/vnd.api+json']);
  });

  test.each([
    ['/api/v2/clients/{client_id}/legal-entities', 'client_id', 'client'],
    ['/api/v2/legal-entities/{id}/accounts', 'id', 'legal entity'],
    ['/v1/clients/{id}/tree', 'id', 'client'],
    ['/v1/audit-log/{id}', 'id', 'audit entry'],
  ])('%s describes {%s} as the id of a %s', (path, name, resourceWords) => {
    const example = exampleIdOfType(resourceWords.replace(' ', '-'));
    const parameter = { name, in: 'path', required: true, description: `The id of the ${resourceWords}.`, example };
    expect(described(path, 'get').parameters[0]).toEqual({ ...parameter, schema: { type: 'string' } });
  });

  test('a path with an unknown resource is refused', () => {
    const lost = { ...operations[0]!, path: '/v1/comets/{id}' };
    const served = { addresses: oneAddress, operations: [lost], openOperations: [], version: '1' };
    expect(() => openApiDocument(served)).toThrow('/v1/comets/{id} does not say which resource {id} identifies.');
  });

  test('a 401 has WWW-Authenticate, and 429 and 503 have Retry-After', () => {
    const { responses } = document.components as any;
    expect(responses['v1.401'].headers).toHaveProperty('WWW-Authenticate');
    expect(responses['v1.429'].headers).toHaveProperty('Retry-After');
    expect(responses['v1.503'].headers).toHaveProperty('Retry-After');
    expect(responses['v1.401'].content).toHaveProperty(['application/problem+json']);
    expect(responses['json-api.401'].content).toHaveProperty(['application/vnd.api+json']);
    expect(responses['plain.401'].content).toHaveProperty(['application/json']);
  });

  test('the token endpoint needs no token, and refuses as OAuth does', () => {
    const { security, requestBody, responses } = described('/oauth/token', 'post');
    expect(security).toEqual([]);
    expect(Object.keys(requestBody.content)).toEqual(['application/x-www-form-urlencoded', 'application/json']);
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '413', '415', '429', '503', 'default']);
  });

  test('readiness has two kinds of 503', () => {
    const { content } = described('/readyz', 'get').responses[503];
    expect(Object.keys(content)).toEqual(['application/json', 'application/problem+json']);
  });

  test.each(open.map((operation) => [operation.path, operation] as const))(
    '%s has the refusals of its wire',
    (path, { method }) => {
      const { responses } = described(path, method.toLowerCase());
      expect(responses.default).toEqual({ $ref: `#/components/responses/${wireFor(path).name}.default` });
    },
  );
});

describe('the tags', () => {
  test('the same resource has a tag on each wire', () => {
    const groups = document['x-tagGroups'] as { name: string; tags: string[] }[];
    expect(groups.map(({ name }) => name)).toEqual(['v1', 'JSON:API', 'Plain JSON', 'Without a token']);
    expect(groups[0]!.tags).toContain('v1: clients');
    expect(groups[1]!.tags).toContain('JSON:API: clients');
  });

  test('every tag is declared once and belongs to one group', () => {
    const tags = (document['tags'] as { name: string }[]).map(({ name }) => name);
    const grouped = (document['x-tagGroups'] as { tags: string[] }[]).flatMap((group) => group.tags);
    const used = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap((operation) => operation['tags'] as string[]),
    );
    expect(new Set(tags).size).toBe(tags.length);
    expect(grouped.toSorted()).toEqual(tags.toSorted());
    expect([...new Set(used)].toSorted()).toEqual(tags.toSorted());
  });
});

describe('the servers', () => {
  test('a single address is listed once', () => {
    expect(document['servers']).toEqual([{ url: one, description: 'v1 and Plain JSON, JSON:API, access tokens' }]);
    expect([...pointers].filter(([pointer, { servers }]) => pointer !== '#' && servers !== undefined)).toEqual([]);
  });

  test('with three addresses each operation has its own', () => {
    const separate = documentAt(threeAddresses);
    const urls = (path: string, method: string) =>
      described(path, method, separate).servers?.map(({ url }: { url: string }) => url);
    expect(separate['servers']).toEqual([{ url: one, description: 'v1 and Plain JSON' }]);
    expect(urls('/v1/clients', 'get')).toBeUndefined();
    expect(urls('/v2/auth/token', 'post')).toBeUndefined();
    expect(urls('/api/v2/clients', 'get')).toEqual(['https://legacy.example']);
    expect(described('/api/v2/clients', 'get', separate)['x-scalar-selected-server']).toBe('https://legacy.example');
    expect(urls('/oauth/token', 'post')).toEqual([one, 'https://legacy.example', 'https://auth.example']);
  });
});
