// Nobody gets at what is not theirs: every documented operation, tried by every kind of intruder on things of a victim.
// Generated from the served document, so that no route can be left out.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportJWK, generateKeyPair } from 'jose';
import pg from 'pg';
import { hourMs } from '../../src/kit/clock.ts';
import { Caller, type Reply } from '../setup/caller.ts';
import { Reference, type DocumentedOperation } from '../setup/reference.ts';
import { startTestService, type TestService } from '../setup/service.ts';

let service: TestService;
let reference: Reference;
let intruders: Record<string, Caller>;
/** The victim's thing for each collection of paths: a new collection must name one here. */
let victims: Record<string, string>;
let marks: string[];
let database: pg.Client;

const collections = ['clients', 'applications', 'keys', 'audit-log'];

beforeAll(async () => {
  service = await startTestService();
  const { admin } = service;
  const parent = await admin.makeClient('Parent of the victim');
  const victim = await admin.makeClient('Victim', parent);
  const sibling = await admin.makeClient('Sibling of the victim', parent);
  const child = await admin.makeClient('Child of the victim', victim);
  const stranger = await admin.makeClient('Stranger');
  const all = ['read', 'write', 'admin'];
  const application = await admin.post('/v1/applications', { name: 'Of the victim', rights: all, scoped_to: victim });
  const { publicJwk } = await freshKey();
  const key = await admin.post('/v1/keys', { label: 'Key of the victim', jwk: publicJwk, scoped_to: victim });
  const entries = await admin.get(`/v1/audit-log?subject_id=${victim}`);
  victims = {
    clients: victim,
    applications: application.body.id,
    keys: key.body.id,
    'audit-log': entries.body.data[0].id,
  };
  marks = [...Object.values(victims), 'Of the victim', 'Key of the victim', '"Victim"'];
  const revoked = await admin.become({ rights: all });
  await admin.delete(`/v1/applications/${revoked.id}`);
  const expired = await admin.become({ rights: all });
  service.clock.advance(hourMs + 1);
  const { first } = service;
  const fresh = await Caller.withCredentials(admin.address, first);
  intruders = {
    'a foreign workspace': await service.openWorkspace(),
    'the other environment': await fresh.become({ rights: all, environment: 'sandbox' }),
    'a foreign client': await fresh.become({ rights: all, scoped_to: stranger }),
    'a sibling': await fresh.become({ rights: all, scoped_to: sibling }),
    'a child': await fresh.become({ rights: all, scoped_to: child }),
    nobody: admin.with(null),
    'an expired token': expired,
    'a revoked token': revoked,
    'a made-up token': admin.with('eyJhbGciOiJub25lIn0.e30.'),
  };
  reference = await Reference.of(fresh);
  database = new pg.Client({ connectionString: service.database.url });
  await database.connect();
});

afterAll(async () => {
  await database.end();
  await service.stop();
});

async function freshKey() {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { publicJwk: await exportJWK(publicKey) };
}

/** Everything of the victim's that could be changed, as one text. */
async function stateOfVictim(): Promise<string> {
  const ids = Object.values(victims);
  const rows = ['client WHERE id', 'credential WHERE id', 'audit_entry WHERE subject_id'].map(
    (part) => `SELECT to_jsonb(t) AS row FROM ${part.replace(' ', ' t ')} = ANY($1)`,
  );
  const { rows: state } = await database.query(`${rows.join(' UNION ALL ')} ORDER BY row`, [ids]);
  return JSON.stringify(state);
}

function collectionOf({ path }: DocumentedOperation): string {
  return collections.find((name) => path.includes(`/${name}`)) ?? path;
}

/** The operation as the intruder tries it: on the victim's thing, with a good body that also names the victim where it can. */
async function intrude(caller: Caller, operation: DocumentedOperation, victim: string): Promise<Reply> {
  const path = operation.path.replaceAll(/\{\w+\}/g, victim);
  const [type, example] = Object.entries(operation.bodies)[0] ?? [];
  const body = type === undefined ? undefined : structuredClone(example);
  if (body?.data?.id !== undefined) body.data.id = victim;
  return caller.send(path, {
    method: operation.method,
    body,
    ...(type === undefined ? {} : { headers: { 'content-type': type } }),
  });
}

const strangers = ['a foreign workspace', 'the other environment', 'a foreign client', 'a sibling', 'a child'];
const unknown = ['nobody', 'an expired token', 'a revoked token', 'a made-up token'];

describe('every operation', () => {
  test('is tried: each path with a token belongs to a collection of which the victim has a thing', () => {
    const guarded = reference.operations.filter(({ needsToken }) => needsToken);
    expect(guarded.length).toBeGreaterThan(20);
    expect(
      guarded.filter((operation) => operation.path.includes('{') && !(collectionOf(operation) in victims)),
    ).toEqual([]);
  });

  test('has a good example body where it takes one', () => {
    const without = reference.operations.filter(
      ({ needsToken, bodies }) => needsToken && Object.values(bodies).includes(undefined),
    );
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  test.each(unknown)('answers 401 to %s', async (name) => {
    const before = await stateOfVictim();
    for (const operation of reference.operations.filter(({ needsToken }) => needsToken)) {
      const reply = await intrude(intruders[name]!, operation, victims[collectionOf(operation)] ?? '');
      expect([operation.id, reply.status]).toEqual([operation.id, 401]);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
    expect(await stateOfVictim()).toBe(before);
  });

  test.each(strangers)("shows %s nothing of the victim's and lets it change nothing", async (name) => {
    const before = await stateOfVictim();
    for (const operation of reference.operations.filter(({ needsToken }) => needsToken)) {
      const reply = await intrude(intruders[name]!, operation, victims[collectionOf(operation)] ?? '');
      const isItem = operation.path.includes('{');
      expect([operation.id, isItem ? reply.status : Math.floor(reply.status / 100) < 5]).toEqual([
        operation.id,
        isItem ? 404 : true,
      ]);
      expect(marks.filter((mark) => reply.text.includes(mark))).toEqual([]);
    }
    expect(await stateOfVictim()).toBe(before);
  });

  test.each(strangers)("does not take the victim's ids from %s in bodies and filters", async (name) => {
    const caller = intruders[name]!;
    const before = await stateOfVictim();
    const victim = victims['clients']!;
    const smuggled = [
      await caller.post('/v1/clients', { name: 'Cuckoo', parent_id: victim }),
      await caller.post('/api/v2/clients', {
        data: {
          type: 'client',
          attributes: { name: 'Cuckoo' },
          relationships: { parent: { data: { type: 'client', id: victim } } },
        },
      }),
      await caller.post('/v1/applications', { name: 'Cuckoo', scoped_to: victim }),
      await caller.post('/v1/keys', { label: 'Cuckoo', jwk: (await freshKey()).publicJwk, scoped_to: victim }),
    ];
    expect(smuggled.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const filtered = [
      await caller.get(`/v1/clients?parent_id=${victim}`),
      await caller.get(`/v1/audit-log?client_id=${victim}`),
      await caller.get(`/v1/audit-log?subject_id=${victim}`),
      await caller.get(`/v1/audit-log?credential_id=${victims['applications']}`),
    ];
    expect(filtered.map(({ body }) => body.data.length)).toEqual([0, 0, 0, 0]);
    expect(await stateOfVictim()).toBe(before);
  });
});
