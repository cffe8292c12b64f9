// Immutable fields may be sent with their current value, so that a record can be read and sent back; another value is a fault
// with its pointer.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';

const jwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

const service = workspaceForThisFile();
let admin: Caller;
let paths: Record<'client' | 'application' | 'key', string>;

beforeAll(async () => {
  ({ admin } = service);
  const client = await admin.makeClient('Bound');
  const rights = ['admin', 'read'];
  const application = await admin.post('/v1/applications', { name: 'A', rights, scoped_to: client });
  const key = await admin.post('/v1/keys', { label: 'K', jwk, rights, scoped_to: client });
  paths = {
    client: `/v1/clients/${client}`,
    application: `/v1/applications/${application.body.id}`,
    key: `/v1/keys/${key.body.id}`,
  };
});

describe.each(['client', 'application', 'key'] as const)('%s', (type) => {
  test('can be sent back unchanged', async () => {
    const { body } = await admin.get(paths[type]);
    const lines = await countAuditEntries(service.database);
    const reply = await admin.patch(paths[type], body);
    expect([reply.status, reply.body]).toEqual([200, body]);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });
});

describe('another value', () => {
  test.each([
    ['client', { created_at: '2020-01-01T00:00:00Z' }, '/created_at'],
    ['application', { created_at: '2020-01-01T00:00:00Z' }, '/created_at'],
    ['application', { rights: ['read'] }, '/rights'],
    ['application', { environment: 'sandbox' }, '/environment'],
    ['application', { client_id: 'mine' }, '/client_id'],
    ['application', { scoped_to: null }, '/scoped_to'],
    ['application', { last_used_at: '2020-01-01T00:00:00Z' }, '/last_used_at'],
    ['key', { kind: 'rsa-key' }, '/kind'],
    ['key', { public_jwk: { ...jwk, x: jwk.y } }, '/public_jwk'],
    ['key', { public_jwk: { ...jwk, use: 'sig' } }, '/public_jwk'],
    ['key', { rights: ['admin'] }, '/rights'],
    ['key', { scoped_to: '0'.repeat(24) }, '/scoped_to'],
  ] as const)('of %s %o is refused with the pointer %s', async (type, body, pointer) => {
    const reply = await admin.patch(paths[type], body);
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual([
      { code: 'immutable-attribute', detail: 'This field cannot be changed after creation.', pointer },
    ]);
  });

  test('rights are a set: another order is not a change', async () => {
    expect((await admin.patch(paths.application, { rights: ['read', 'admin'] })).status).toBe(200);
    expect((await admin.patch(paths.application, { rights: ['admin', 'read'] })).status).toBe(200);
  });
});
