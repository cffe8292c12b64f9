// The keys of the standard webhook scheme: created on first use, rotated with an overlap, stored encrypted.

import { createLocalJWKSet, flattenedVerify, FlattenedSign } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { listSigningKeys, webhookKeyOverlapMs, webhookKeyServiceMs } from '../../../src/actions/events/webhook-key.ts';
import { deleteExpired } from '../../../src/jobs/expiry.ts';
import { dayMs } from '../../../src/kit/clock.ts';
import { verifyStandardWebhook, type WebhookJwk } from '../../../packages/sdk/src/webhook.ts';
import { standardSignature } from '../../../src/signing/webhook-signature.ts';
import { errorCodeOf } from '../../setup/http/answer.ts';
import { Caller } from '../../setup/http/caller.ts';
import { serviceForThisFile, startTestService } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';

const settings = { BASE_URL: 'http://holdfast.test' };
const service = serviceForThisFile({ settings });
const path = '/api/v2/webhooks/keys';

/** A new workspace for each test. */
let admin: Caller;
let workspaceId: string;

beforeEach(async () => {
  admin = await service.openWorkspace();
  workspaceId = (await admin.get('/v1/me')).body.workspace_id;
});

const tenant = () => ({ workspaceId, environment: 'production' }) as Parameters<typeof listSigningKeys>[1];
const coordinate = expect.stringMatching(/^[A-Za-z0-9_-]{43}$/);
const id = expect.stringMatching(/^[0-9a-f]{24}$/);
const rotate = async (caller = admin) => (await caller.post('/v1/webhook-keys/rotate', undefined)).body.id as string;
const listKids = async (caller = admin): Promise<string[]> =>
  (await caller.get(path)).body.keys.map(({ kid }: { kid: string }) => kid);
const listSigningKids = async (): Promise<string[]> =>
  (await listSigningKeys(service.context, tenant())).map(({ kid }) => kid);

describe('the public keys', () => {
  test('exist before anything was signed, as a JWK Set and as resources', async () => {
    const reply = await admin.get(path);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/vnd.api+json']);
    const jwk = { kid: id, kty: 'EC', crv: 'P-256', x: coordinate, y: coordinate, alg: 'ES256', use: 'sig' };
    expect(reply.body).toEqual({ data: [{ type: 'webhook-key', id, attributes: jwk }], keys: [jwk] });
    expect(reply.body.data[0]).toEqual({
      type: 'webhook-key',
      id: reply.body.keys[0].kid,
      attributes: reply.body.keys[0],
    });
    expect((await admin.get(path)).text).toBe(reply.text);
  });

  test('can be read by a library for key sets', async () => {
    const { body } = await admin.get(path);
    const [signer] = await listSigningKeys(service.context, tenant());
    const jws = await new FlattenedSign(Buffer.from('{}'))
      .setProtectedHeader({ alg: 'ES256', kid: signer!.kid })
      .sign(signer!.key);
    await expect(flattenedVerify(jws, createLocalJWKSet(body))).resolves.toMatchObject({ key: expect.anything() });
  });

  test('are readable with the right to read, also for a token bound to one client, without admin rights', async () => {
    const client = await admin.makeClient('Castell');
    const bound = await admin.becomeApplication({ rights: ['read'], scoped_to: client });
    expect(await listKids(bound)).toEqual(await listKids());
    expect(errorCodeOf(await (await admin.becomeApplication({ rights: ['admin'] })).get(path))).toBe('right-missing');
    expect((await admin.withToken(null).get(path)).status).toBe(401);
  });

  test('belong to one workspace and one environment each', async () => {
    const sandbox = await admin.becomeApplication({ rights: ['read'], environment: 'sandbox' });
    const stranger = await service.openWorkspace();
    const all = [await listKids(), await listKids(sandbox), await listKids(stranger)].flat();
    expect(new Set(all).size).toBe(3);
  });

  test('are created once even with many first requests at the same time, on several nodes', async () => {
    const { database, clock } = service;
    const other = await startTestService({ database, clock, settings });
    try {
      const callers = Array.from({ length: 10 }, (_, index) =>
        index % 2 ? admin : admin.atAddress(other.admin.address),
      );
      const found = await Promise.all(callers.map((caller) => caller.get('/v1/webhook-keys')));
      expect(new Set(found.map(({ text }) => text)).size).toBe(1);
      expect(found[0]!.body.data).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });
});

describe('a rotation', () => {
  test('activates another key, and keeps the previous one trusted', async () => {
    const [first] = await listKids();
    const reply = await admin.post('/v1/webhook-keys/rotate', undefined);
    expect([reply.status, reply.headers.get('location')]).toEqual([
      201,
      `${service.addresses.baseUrl}/v1/webhook-keys`,
    ]);
    const now = new Date(service.clock.now()).toISOString();
    const listed = (await admin.get('/v1/webhook-keys')).body;
    expect(listed).toEqual({
      data: [
        { id, state: 'active', jwk: expect.anything(), created_at: now, retired_at: null, signs_until: null },
        {
          id: first,
          state: 'retired',
          jwk: expect.objectContaining({ kid: first }),
          created_at: now,
          retired_at: now,
          signs_until: new Date(service.clock.now() + 7 * dayMs).toISOString(),
        },
      ],
      has_more: false,
    });
    expect(reply.body).toEqual(listed.data[0]);
    expect(await listKids()).toEqual([reply.body.id, first]);
  });

  test('done twice ends the trust in the oldest key', async () => {
    const [first] = await listKids();
    const second = await rotate();
    const third = await rotate();
    expect(await listKids()).toEqual([third, second]);
    expect([first, second]).not.toContain(third);
    const rows = await runSql(service.database, `SELECT FROM webhook_key WHERE workspace_id = '${workspaceId}'`);
    expect(rows).toHaveLength(2);
  });

  test('creates the first key if there is none', async () => {
    const first = await rotate();
    expect(await listKids()).toEqual([first]);
  });

  test('is allowed only for admins of the whole workspace', async () => {
    const client = await admin.makeClient('Castell');
    const bound = await admin.becomeApplication({ rights: ['admin'], scoped_to: client });
    expect(errorCodeOf(await bound.post('/v1/webhook-keys/rotate', undefined))).toBe('outside-reach');
    const writer = await admin.becomeApplication({ rights: ['read', 'write'] });
    expect(errorCodeOf(await writer.post('/v1/webhook-keys/rotate', undefined))).toBe('right-missing');
  });

  test('is in the audit log, without private parts', async () => {
    const [first] = await listKids();
    const second = await rotate();
    const { body, text } = await admin.get('/v1/audit-log?subject_type=webhook-key');
    expect(body.data.map(({ act, subject_id }: any) => [act, subject_id]).toSorted()).toEqual(
      [
        ['change', first],
        ['create', first],
        ['create', second],
      ].toSorted(),
    );
    expect(text).not.toMatch(/"d":|sealed/i);
  });

  test('repeated with its Idempotency-Key happens once', async () => {
    const once = () => admin.post('/v1/webhook-keys/rotate', undefined, { 'idempotency-key': 'rotate' });
    const [one, again] = [await once(), await once()];
    expect(again.text).toBe(one.text);
    expect(await listKids()).toEqual([one.body.id]);
  });

  test('by many at once succeeds for each of them, and leaves one active key and one previous key', async () => {
    await listKids();
    const rotations = Array.from({ length: 12 }, () => admin.post('/v1/webhook-keys/rotate', undefined));
    const replies = await Promise.all(rotations);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(12);
    const states = (await admin.get('/v1/webhook-keys')).body.data.map(({ state }: { state: string }) => state);
    expect(states).toEqual(['active', 'retired']);
  });
});

describe('deliveries', () => {
  async function deliver(): Promise<Record<string, string>> {
    const timestampSeconds = Math.floor(service.clock.now() / 1000);
    const keys = (await listSigningKeys(service.context, tenant())).map(({ key }) => key);
    const signature = standardSignature(keys, { id: 'msg_1', timestampSeconds, body: '{}' });
    return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(timestampSeconds), 'webhook-signature': signature };
  }
  const verify = (headers: Record<string, string>, keys: readonly WebhookJwk[]) =>
    verifyStandardWebhook({ headers, body: '{}', keys, now: service.clock.now() });

  test('verify with keys from before a rotation and from after it, while both sign', async () => {
    const before = (await admin.get(path)).body.keys;
    const next = await rotate();
    const after = (await admin.get(path)).body.keys;
    const headers = await deliver();
    expect(await verify(headers, before)).toMatchObject({ kid: before[0].kid });
    expect(await verify(headers, after)).toMatchObject({ kid: next });
    expect(await listSigningKids()).toEqual([next, before[0].kid]);
  });

  test('are signed only by the active key after the overlap, and the private half of the other key is deleted', async () => {
    const [first] = await listKids();
    const second = await rotate();
    service.clock.advance(webhookKeyOverlapMs - 1);
    expect(await listSigningKids()).toEqual([second, first]);
    service.clock.advance(1);
    expect(await listSigningKids()).toEqual([second]);
    service.clock.advance(1);
    await deleteExpired(service.context);
    const rows = await runSql<{ id: string; kept: boolean }>(
      service.database,
      `SELECT id, private_sealed IS NOT NULL AS kept FROM webhook_key WHERE workspace_id = '${workspaceId}' ORDER BY id`,
    );
    expect(rows).toEqual([
      { id: first, kept: false },
      { id: second, kept: true },
    ]);
  });

  test('are signed with a new key automatically when the active one has reached its maximum age', async () => {
    const [first] = await listSigningKids();
    service.clock.advance(webhookKeyServiceMs - 1);
    expect(await listSigningKids()).toEqual([first]);
    service.clock.advance(1);
    const [second, ...rest] = await listSigningKids();
    expect([second === first, rest]).toEqual([false, [first]]);
    expect(await listSigningKids()).toEqual([second, first]);
  });
});

test('a private key is encrypted for its own row: moved to another workspace it cannot be decrypted', async () => {
  await rotate();
  const stranger = await service.openWorkspace();
  const { workspace_id: otherWorkspaceId } = (await stranger.get('/v1/me')).body;
  await runSql(
    service.database,
    `INSERT INTO webhook_key SELECT '${otherWorkspaceId}', environment, id, public_jwk, private_sealed, created_at
     FROM webhook_key WHERE workspace_id = '${workspaceId}'`,
  );
  const [row] = await runSql<{ text: string }>(
    service.database,
    `SELECT encode(private_sealed, 'escape') AS text FROM webhook_key WHERE workspace_id = '${workspaceId}'`,
  );
  expect(row!.text).not.toMatch(/"(?:kty|d)":/);
  const there = { workspaceId: otherWorkspaceId, environment: 'production' } as ReturnType<typeof tenant>;
  await expect(listSigningKeys(service.context, there)).rejects.toThrow('A sealed value cannot be opened');
});
