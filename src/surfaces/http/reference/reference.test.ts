import { describe, expect, test } from 'vitest';
import { exampleIdOfType } from '../../../kit/resource.ts';
import { refusals } from '../../../model/refusals/refusals.ts';
import exampleIds from '../openapi/example-ids.json' with { type: 'json' };
import { operations } from '../../operations.ts';
import type { ParsedOpenRequest } from '../operation/open-operation.ts';
import { referenceOperations } from './reference.ts';

const nothing: ParsedOpenRequest = {
  requestId: 'none',
  contentType: undefined,
  accept: undefined,
  body: Buffer.alloc(0),
  params: {},
  search: '',
  headers: {},
  address: '127.0.0.1',
  receiveUpload: () => Promise.reject(new Error('No upload.')),
  callerLeft: () => AbortSignal.any([]),
  noteCaller() {},
  hosts: new Set(),
};
const one = 'https://wealth.example';

function referenceAt(addresses = { baseUrl: one, legacyUrl: one, authUrl: one }) {
  const own = referenceOperations(addresses, { operations, openOperations: [] });
  return async (path: string) => {
    const { status, headers, text } = await own.find((operation) => operation.path === path)!.handle(nothing);
    expect(status).toBe(200);
    return { headers, text: text! };
  };
}

const get = referenceAt();

/** The id of a type in the examples: that of the demo, where it has the same everywhere. */
function shownId(type: string): string {
  const declared = exampleIdOfType(type);
  return Object.entries(exampleIds).find(([id]) => id === declared)?.[1] ?? declared;
}

describe('/openapi.json', () => {
  test('describes the given operations and the reference itself', async () => {
    const { headers, text } = await get('/openapi.json');
    expect(headers['content-type']).toBe('application/json');
    const paths = Object.keys(JSON.parse(text).paths);
    expect(paths).toEqual(
      expect.arrayContaining([
        '/v1/clients',
        '/openapi.json',
        '/docs',
        '/docs/errors',
        '/docs/reference.js',
        '/docs/start.js',
      ]),
    );
  });

  test('shows the creation of an account with request and response, on v1', async () => {
    const { requestBody, responses } = JSON.parse((await get('/openapi.json')).text).paths['/v1/accounts'].post;
    const account = {
      name: 'Current account CHF',
      external_identifier: 'CH9300762011623852957',
      currency: 'CHF',
      exclude_from_reporting: false,
      institution: 'Bank Sonnenberg',
      entity_id: shownId('legal-entity'),
      depository_ids: [shownId('depository')],
    };
    expect(requestBody.content['application/json'].example).toEqual(account);
    expect(responses[201].content['application/json'].example).toEqual({
      ...account,
      id: shownId('account'),
      created_at: '2026-11-15T12:00:00.000Z',
      client_id: shownId('client'),
      custodian_id: shownId('another custodian'),
    });
  });

  test('shows it on JSON:API, below the legal entity that owns it', async () => {
    const { paths } = JSON.parse((await get('/openapi.json')).text);
    const { parameters, requestBody, responses } = paths['/api/v2/legal-entities/{id}/accounts'].post;
    const attributes = {
      name: 'Current account CHF',
      externalIdentifier: 'CH9300762011623852957',
      ccyCode: 'CHF',
      excludeFromReporting: false,
    };
    const depositories = { data: [{ type: 'depository', id: shownId('depository') }] };
    const legalEntity = { data: { type: 'legal-entity', id: shownId('legal-entity') } };
    expect(parameters[0].example).toBe(legalEntity.data.id);
    expect(requestBody.content['application/vnd.api+json'].example).toEqual({
      data: { type: 'account', attributes, relationships: { depositories } },
    });
    expect(responses[201].content['application/vnd.api+json'].example).toEqual({
      data: {
        type: 'account',
        id: shownId('account'),
        attributes,
        relationships: { legalEntity, depositories },
      },
    });
  });

  test('is built once and tagged with its content', async () => {
    const [first, second] = [await get('/openapi.json'), await get('/openapi.json')];
    expect(second.text).toBe(first.text);
    expect(second.headers['etag']).toBe(first.headers['etag']);
    expect(
      (await referenceAt({ baseUrl: one, legacyUrl: 'https://legacy.example', authUrl: one })('/openapi.json')).headers[
        'etag'
      ],
    ).not.toBe(first.headers['etag']);
  });

  test('is built on the first request, with the addresses of that time', async () => {
    const addresses = { baseUrl: 'http://127.0.0.1:0', legacyUrl: one, authUrl: one };
    const late = referenceAt(addresses);
    addresses.baseUrl = 'http://127.0.0.1:8080';
    expect(JSON.parse((await late('/openapi.json')).text).servers[0].url).toBe('http://127.0.0.1:8080');
  });
});

describe('/docs', () => {
  test('lets the browser call only this service', async () => {
    const { headers } = await referenceAt({ baseUrl: one, legacyUrl: 'https://legacy.example', authUrl: one })('/docs');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self' https://wealth.example https://legacy.example; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  test('has no inline script, and refers to its two scripts by their content', async () => {
    const { text } = await get('/docs');
    const scripts = [...text.matchAll(/<script src="([^"?]+)\?v=([^"]+)"><\/script>/g)].map(([, path, mark]) => [
      path,
      mark,
    ]);
    expect(text.match(/<script/g)).toHaveLength(2);
    expect(scripts.map(([path]) => path)).toEqual(['/docs/start.js', '/docs/reference.js']);
    for (const [path, mark] of scripts)
      expect((await get(path!)).headers).toMatchObject({
        etag: `"${mark}"`,
        'cache-control': 'public, max-age=31536000, immutable',
      });
  });

  test('the script is the whole viewer, without a link to the missing source map', async () => {
    const { headers, text } = await get('/docs/reference.js');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(text).toContain('createApiReference');
    expect(text).not.toContain('sourceMappingURL=standalone');
  });

  test('requests that are tried out go to the origin of the page, unless there are several addresses', async () => {
    const { text } = await get('/docs/start.js');
    expect(text).toContain('settings.servers = [{ url: location.origin }];');
    expect(
      (await referenceAt({ baseUrl: one, legacyUrl: one, authUrl: 'https://auth.example' })('/docs/start.js')).text,
    ).not.toContain('location.origin');
  });

  test('every feature of the viewer that contacts its makers is off', async () => {
    const { text } = await get('/docs/start.js');
    const settings = JSON.parse(text.slice(text.indexOf('= {\n') + 2, text.indexOf('\n};') + 2));
    expect(settings).toMatchObject({
      telemetry: false,
      withDefaultFonts: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
    });
    expect(settings).not.toHaveProperty('proxyUrl');
  });
});

describe('/docs/errors', () => {
  test('has an anchor for each code', async () => {
    const { text } = await get('/docs/errors');
    for (const code of Object.keys(refusals)) expect(text).toContain(`<section id="${code}">`);
    expect(text.match(/<section/g)).toHaveLength(Object.keys(refusals).length);
  });

  test('shows code as code, and escapes markup', async () => {
    const { text } = await get('/docs/errors');
    expect(text).toContain('Wait for <code>Retry-After</code> seconds.');
    expect(text).not.toContain('`');
  });

  test('runs no script', async () => {
    const { headers, text } = await get('/docs/errors');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:;/,
    );
    expect(text).not.toContain('<script');
  });
});
