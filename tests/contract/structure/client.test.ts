// The client on all three wires: its fields and its creation.

import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import {
  clientObject,
  newClientDocument,
  reportedRefusal,
  parentRelationship,
  shownFigureSettings,
} from '../../setup/structure/client-document.ts';
import { workspaceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { defaultReconciliation } from '../../setup/structure/default-settings.ts';

const now = '2026-11-15T12:00:00.000Z';
const unknownId = '0123456789abcdef01234567';

const service = workspaceForThisFile();
let admin: Caller;
let baseUrl: string;

beforeAll(async () => {
  ({ admin } = service);
  baseUrl = service.addresses.baseUrl;
});

async function insertOwned(table: 'legal_entity' | 'reporting_entity', clientId: string): Promise<string> {
  const id = randomBytes(12).toString('hex');
  await runSql(
    service.database,
    `INSERT INTO ${table} (workspace_id, environment, id, client_id, name, created_at)
     SELECT workspace_id, environment, $1, id, 'Rivera Holding', created_at FROM client WHERE id = $2`,
    [id, clientId],
  );
  return id;
}

describe('reading', () => {
  test('a root is shown with the fields of each wire and no others', async () => {
    const id = await admin.makeClient('Rivera Family');
    expect((await admin.get(`/api/v2/clients/${id}`)).body).toEqual({ data: clientObject(id, 'Rivera Family') });
    const plain = { id, name: 'Rivera Family', reference_currency: 'EUR', accounting_method: 'FIFO', created_at: now };
    expect((await admin.get(`/v2/clients/${id}`)).body).toEqual(plain);
    expect((await admin.get(`/v1/clients/${id}`)).body).toEqual({
      ...plain,
      ...shownFigureSettings,
      reconciliation: defaultReconciliation,
      parent_id: null,
    });
  });

  test('a client shows its parent, children, legal entities and reporting entities on JSON:API, oldest first', async () => {
    const root = await admin.makeClient('Root');
    const id = await admin.makeClient('Middle', root);
    const children = [await admin.makeClient('First child', id), await admin.makeClient('Second child', id)];
    await admin.makeClient('Grandchild', children[0]);
    const legalEntities = [await insertOwned('legal_entity', id), await insertOwned('legal_entity', id)].toSorted();
    const reportingEntities = [await insertOwned('reporting_entity', id)];
    const expected = clientObject(id, 'Middle', { parent: root, children, legalEntities, reportingEntities });
    expect((await admin.get(`/api/v2/clients/${id}`)).body).toEqual({ data: expected });
  });

  test('lists contain every client of the workspace on every wire, oldest first', async () => {
    const other = await service.openWorkspace();
    const root = await other.makeClient('Root');
    const child = await other.makeClient('Child', root);
    const frame = { reference_currency: 'EUR', accounting_method: 'FIFO', created_at: now };
    expect((await other.get('/api/v2/clients')).body).toEqual({
      data: [clientObject(root, 'Root', { children: [child] }), clientObject(child, 'Child', { parent: root })],
    });
    expect((await other.get('/v2/clients')).body).toEqual({
      data: [
        { id: root, name: 'Root', ...frame },
        { id: child, name: 'Child', ...frame },
      ],
    });
    const onV1 = [
      {
        id: root,
        name: 'Root',
        ...frame,
        ...shownFigureSettings,
        reconciliation: defaultReconciliation,
        parent_id: null,
      },
      {
        id: child,
        name: 'Child',
        ...frame,
        ...shownFigureSettings,
        reconciliation: defaultReconciliation,
        parent_id: root,
      },
    ];
    expect((await other.get('/v1/clients')).body).toEqual({ data: onV1, has_more: false });
    expect((await other.get(`/v1/clients?parent_id=${root}`)).body).toEqual({ data: onV1.slice(1), has_more: false });
  });

  test('a workspace without clients has empty lists', async () => {
    const other = await service.openWorkspace();
    expect((await other.get('/api/v2/clients')).body).toEqual({ data: [] });
    expect((await other.get('/v2/clients')).body).toEqual({ data: [] });
    expect((await other.get('/v1/clients')).body).toEqual({ data: [], has_more: false });
  });

  test.each(['/api/v2/clients', '/v2/clients', '/v1/clients'])(
    '%s gets 404 for clients of other tenants and for deleted ones',
    async (path) => {
      const stranger = await (await service.openWorkspace()).makeClient('Stranger');
      const deleted = await admin.makeClient('Deleted');
      await admin.delete(`/v1/clients/${deleted}`);
      const replies = await Promise.all([stranger, deleted, unknownId, 'x'].map((id) => admin.get(`${path}/${id}`)));
      const expected = {
        status: 404,
        code: 'client-not-found',
        detail: 'There is no such client.',
        pointer: undefined,
      };
      for (const reply of replies) expect(reportedRefusal(reply)).toEqual(expected);
    },
  );

  test('Plain has no operations that write clients', async () => {
    const id = await admin.makeClient('Read only there');
    expect((await admin.post('/v2/clients', { name: 'No' })).status).toBe(405);
    expect((await admin.patch(`/v2/clients/${id}`, { name: 'No' })).status).toBe(405);
    expect((await admin.delete(`/v2/clients/${id}`)).status).toBe(405);
  });
});

describe('creating', () => {
  test('on JSON:API a document without a parent creates a root', async () => {
    const reply = await admin.post('/api/v2/clients', newClientDocument('Okafor'));
    const { id } = reply.body.data;
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/api/v2/clients/${id}`);
    expect(reply.body).toEqual({ data: clientObject(id, 'Okafor') });
    expect((await admin.get(`/api/v2/clients/${id}`)).text).toBe(reply.text);
  });

  test('on v1 everything can be set, and is shown', async () => {
    const parent = await admin.makeClient('Above');
    const settings = {
      reference_currency: 'JPY',
      accounting_method: 'SPECIFIC_ID',
      value_change_bound: '0.8',
      long_term_months: 120,
      stale_days_listed: 3,
      stale_days_funds: 30,
      stale_days_private: 200,
      volatility_days: 365,
      reconciliation: { units_tolerance: '0.001', cash_tolerance: '5', price_tolerance: '0', settlement_days: 3 },
    };
    const sent = { name: 'Ōta 家 👪', parent_id: parent, ...settings };
    const reply = await admin.post('/v1/clients', sent);
    const { id } = reply.body;
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/v1/clients/${id}`);
    expect(reply.body).toEqual({ id, created_at: now, ...sent });
    expect((await admin.get(`/v1/clients/${id}`)).text).toBe(reply.text);
  });

  test('a child created on JSON:API inherits currency and accounting method from its parent', async () => {
    const settings = { reference_currency: 'CHF', accounting_method: 'AVERAGE' };
    const { body: parent } = await admin.post('/v1/clients', { name: 'Swiss', ...settings });
    const made = await admin.post('/api/v2/clients', newClientDocument('Child', parentRelationship(parent.id)));
    const { id } = made.body.data;
    expect(made.body).toEqual({ data: clientObject(id, 'Child', { parent: parent.id }) });
    expect((await admin.get(`/v2/clients/${id}`)).body).toEqual({ id, name: 'Child', created_at: now, ...settings });
  });

  test('a child created on v1 inherits unset fields from its parent', async () => {
    const { body: parent } = await admin.post('/v1/clients', {
      name: 'Parent',
      reference_currency: 'USD',
      accounting_method: 'AVERAGE',
      value_change_bound: '0.25',
      reconciliation: { settlement_days: 2 },
      stale_days_funds: 7,
    });
    const { body } = await admin.post('/v1/clients', { name: 'C', parent_id: parent.id, accounting_method: 'FIFO' });
    expect(body).toMatchObject({
      reference_currency: 'USD',
      accounting_method: 'FIFO',
      ...shownFigureSettings,
      value_change_bound: '0.25',
      reconciliation: { ...defaultReconciliation, settlement_days: 2 },
      stale_days_funds: 7,
    });
  });

  test("a root gets the deployment's default currency and FIFO", async () => {
    const otherService = await serviceForThisTest({ settings: { DEFAULT_CURRENCY: 'SEK' } });
    const { body } = await otherService.admin.post('/v1/clients', { name: 'Root' });
    expect(body).toMatchObject({ reference_currency: 'SEK', accounting_method: 'FIFO', parent_id: null });
  });

  test.each([
    ['/api/v2/clients', newClientDocument('X', parentRelationship(unknownId)), '/data/relationships/parent'],
    ['/v1/clients', { name: 'X', parent_id: unknownId }, '/parent_id'],
  ])('%s: a missing parent gets 404 with a pointer', async (path, body, pointer) => {
    const reply = await admin.post(path, body);
    expect(reportedRefusal(reply)).toEqual({
      status: 404,
      code: 'client-not-found',
      detail: 'There is no such client.',
      pointer,
    });
  });

  test("another tenant's client cannot be a parent", async () => {
    const stranger = await (await service.openWorkspace()).makeClient('Stranger');
    expect((await admin.post('/v1/clients', { name: 'X', parent_id: stranger })).status).toBe(404);
  });

  test.each([
    ['a name of 200 characters', { name: '👪'.repeat(200) }, 201],
    ['a name of 201 characters', { name: '👪'.repeat(201) }, 422],
    ['an empty name', { name: '' }, 422],
    ['a blank name', { name: ' ' }, 422],
    ['a name with white space at its end', { name: 'Rivera ' }, 422],
    ['a currency that does not exist', { name: 'X', reference_currency: 'EUX' }, 422],
    ['a currency in small letters', { name: 'X', reference_currency: 'eur' }, 422],
    ['an accounting method in small letters', { name: 'X', accounting_method: 'fifo' }, 422],
    ['a bound in per cent', { name: 'X', value_change_bound: '50' }, 422],
    ['a bound of nothing', { name: 'X', value_change_bound: 0 }, 422],
    ['a negative tolerance', { name: 'X', reconciliation: { units_tolerance: '-1' } }, 422],
    ['an unknown tolerance', { name: 'X', reconciliation: { tolerance: '1' } }, 422],
    ['no months', { name: 'X', long_term_months: 0 }, 422],
    ['half a day', { name: 'X', stale_days_listed: 0.5 }, 422],
    ['more days than a year has', { name: 'X', volatility_days: 367 }, 422],
    ['a moment of creation', { name: 'X', created_at: now }, 422],
    ['an id', { name: 'X', id: unknownId }, 422],
  ])('v1 answers %s with the expected status', async (_what, body, status) => {
    expect((await admin.post('/v1/clients', body)).status).toBe(status);
  });

  test('all faults of a body are reported together, each with its pointer', async () => {
    const body = { nam: 'X', reference_currency: 'EUX', accounting_method: 1, parent_id: 'above' };
    const reply = await admin.post('/v1/clients', body);
    expect(reply.body).toEqual({
      type: `${baseUrl}/docs/errors#invalid-document`,
      title: 'Invalid document',
      status: 422,
      detail: 'The request has 5 faults.',
      code: 'invalid-document',
      request_id: reply.headers.get('x-request-id'),
      errors: [
        { code: 'unknown-attribute', detail: 'There is no field "nam" that can be set here.', pointer: '/nam' },
        {
          code: 'invalid-attribute',
          detail: 'reference_currency must be an ISO 4217 currency code, such as EUR.',
          pointer: '/reference_currency',
        },
        { code: 'invalid-attribute', detail: 'accounting_method must be a string.', pointer: '/accounting_method' },
        {
          code: 'invalid-attribute',
          detail: 'parent_id must be an id of 24 hexadecimal characters.',
          pointer: '/parent_id',
        },
        { code: 'missing-attribute', detail: 'name is required.', pointer: '/name' },
      ],
    });
  });

  test('on JSON:API each fault is a separate error with an id of its own', async () => {
    const attributes = { name: null, referenceCurrency: 'EUR' };
    const reply = await admin.post('/api/v2/clients', { data: { type: 'client', attributes } });
    const requestId = reply.headers.get('x-request-id');
    const about = (code: string): object => ({
      id: requestId,
      status: '422',
      code,
      title: 'Invalid document',
      links: { about: `${baseUrl}/docs/errors#${code}` },
    });
    expect(reply.body).toEqual({
      errors: [
        {
          ...about('invalid-attribute'),
          detail: 'name must not be null.',
          source: { pointer: '/data/attributes/name' },
        },
        {
          ...about('unknown-attribute'),
          id: `${requestId}.1`,
          detail: 'There is no attribute "referenceCurrency" that can be set here.',
          source: { pointer: '/data/attributes/referenceCurrency' },
        },
      ],
    });
  });

  test.each([
    ['another type', { type: 'user', attributes: { name: 'X' } }, 409, 'type-mismatch', '/data/type'],
    ['no type', { attributes: { name: 'X' } }, 422, 'missing-attribute', '/data/type'],
    ['an id', { type: 'client', id: unknownId, attributes: { name: 'X' } }, 403, 'client-generated-id', '/data/id'],
    ['no attributes', { type: 'client' }, 422, 'missing-attribute', '/data/attributes/name'],
  ])('a document with %s is refused', async (_what, data, status, code, pointer) => {
    expect(reportedRefusal(await admin.post('/api/v2/clients', { data }))).toMatchObject({ status, code, pointer });
  });
});
