// Changes of a client on the two wires that support them: mutable fields, immutable fields, and read-only fields that may be
// sent.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import {
  clientChangeDocument,
  clientObject,
  reportedRefusal,
  shownFigureSettings,
} from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { defaultReconciliation } from '../../setup/structure/default-settings.ts';

const now = '2026-11-15T12:00:00.000Z';
const unknownId = '0123456789abcdef01234567';

const service = workspaceForThisFile();
let admin: Caller;

beforeAll(async () => {
  ({ admin } = service);
});

describe('changing', () => {
  test('renaming a client changes nothing else', async () => {
    const parent = await admin.makeClient('Parent');
    const id = await admin.makeClient('Before', parent);
    const onJsonApi = await admin.patch(
      `/api/v2/clients/${id}`,
      clientChangeDocument(id, { attributes: { name: 'After' } }),
    );
    expect(onJsonApi.status).toBe(200);
    expect(onJsonApi.body).toEqual({ data: clientObject(id, 'After', { parent }) });
    const onV1 = await admin.patch(`/v1/clients/${id}`, { name: 'Later' });
    expect(onV1.status).toBe(200);
    const settings = {
      reference_currency: 'EUR',
      accounting_method: 'FIFO',
      ...shownFigureSettings,
      reconciliation: defaultReconciliation,
    };
    expect(onV1.body).toEqual({ id, name: 'Later', ...settings, created_at: now, parent_id: parent });
    expect((await admin.get(`/v1/clients/${id}`)).body).toEqual(onV1.body);
  });

  test('currency and accounting method are changed on v1', async () => {
    const id = await admin.makeClient('Settings');
    const sent = { reference_currency: 'GBP', accounting_method: 'AVERAGE' };
    expect((await admin.patch(`/v1/clients/${id}`, sent)).body).toMatchObject(sent);
    expect((await admin.get(`/v2/clients/${id}`)).body).toMatchObject(sent);
  });

  test('a whole document that was read can be sent back', async () => {
    const parent = await admin.makeClient('Parent');
    const id = await admin.makeClient('Whole', parent);
    await admin.makeClient('Child', id);
    const { body: onJsonApi } = await admin.get(`/api/v2/clients/${id}`);
    const { body: onV1 } = await admin.get(`/v1/clients/${id}`);
    expect((await admin.patch(`/api/v2/clients/${id}`, onJsonApi)).body).toEqual(onJsonApi);
    expect((await admin.patch(`/v1/clients/${id}`, onV1)).body).toEqual(onV1);
  });

  test('its creation time cannot be changed', async () => {
    const id = await admin.makeClient('Fixed');
    const reply = await admin.patch(`/v1/clients/${id}`, { created_at: '2020-01-01T00:00:00Z' });
    expect(reply.status).toBe(422);
    const detail = 'This field cannot be changed after creation.';
    expect(reply.body.errors).toEqual([{ code: 'immutable-attribute', detail, pointer: '/created_at' }]);
    const sameMoment = await admin.patch(`/v1/clients/${id}`, { created_at: '2026-11-15T13:00:00+01:00' });
    expect(sameMoment.status).toBe(200);
  });

  test.each([
    ['attributes/referenceCurrency', { attributes: { referenceCurrency: 'EUR' } }, 'unknown-attribute'],
    ['attributes/accountingMethod', { attributes: { accountingMethod: 'FIFO' } }, 'unknown-attribute'],
    ['attributes/createdAt', { attributes: { createdAt: now } }, 'unknown-attribute'],
    ['attributes/type', { attributes: { type: 'client' } }, 'unknown-attribute'],
    ['relationships/owner', { relationships: { owner: { data: null } } }, 'unknown-attribute'],
    [
      'relationships/children',
      { relationships: { children: { data: [{ type: 'client', id: unknownId }] } } },
      'immutable-attribute',
    ],
    [
      'relationships/legalEntities',
      { relationships: { legalEntities: { data: [{ type: 'legal-entity', id: unknownId }] } } },
      'immutable-attribute',
    ],
    [
      'relationships/reportingEntities',
      { relationships: { reportingEntities: { data: [{ type: 'reporting-entity', id: unknownId }] } } },
      'immutable-attribute',
    ],
  ])('on JSON:API no other field can change: %s', async (place, rest, code) => {
    const id = await admin.makeClient('Only name and parent');
    const reply = await admin.patch(`/api/v2/clients/${id}`, clientChangeDocument(id, rest));
    expect(reportedRefusal(reply)).toMatchObject({ status: 422, code, pointer: `/data/${place}` });
  });

  test('a list of children with a duplicate is refused', async () => {
    const id = await admin.makeClient('Two children');
    const first = await admin.makeClient('First', id);
    await admin.makeClient('Second', id);
    const data = [first, first].map((child) => ({ type: 'client', id: child }));
    const reply = await admin.patch(
      `/api/v2/clients/${id}`,
      clientChangeDocument(id, { relationships: { children: { data } } }),
    );
    expect(reply.status).toBe(422);
  });

  test('an id in the body that differs from the one in the path is a conflict', async () => {
    const id = await admin.makeClient('Mine');
    const onJsonApi = await admin.patch(
      `/api/v2/clients/${id}`,
      clientChangeDocument(unknownId, { attributes: { name: 'X' } }),
    );
    expect(reportedRefusal(onJsonApi)).toMatchObject({ status: 409, code: 'id-mismatch', pointer: '/data/id' });
    const onV1 = await admin.patch(`/v1/clients/${id}`, { id: unknownId, name: 'X' });
    expect(reportedRefusal(onV1)).toMatchObject({ status: 409, code: 'id-mismatch', pointer: '/id' });
    expect((await admin.get(`/v1/clients/${id}`)).body.name).toBe('Mine');
  });

  test('a document to change a client carries its id', async () => {
    const id = await admin.makeClient('Mine');
    const reply = await admin.patch(`/api/v2/clients/${id}`, { data: { type: 'client', attributes: { name: 'X' } } });
    expect(reportedRefusal(reply)).toMatchObject({ status: 422, code: 'missing-attribute', pointer: '/data/id' });
  });
});
