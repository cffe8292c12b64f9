// The contract in one table: a case over HTTP for each documented answer of every operation. Every answer is validated against
// the served document, and at the end every documented answer must have occurred.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRsaPair, requestToken, signAssertion, type Signer } from '../../setup/access/assertion.ts';
import { runSql } from '../../setup/database/sql.ts';
import { Caller, type Reply } from '../../setup/http/caller.ts';
import { acceptInviteAs, verifiedIdentity, newEmail, unknownUuid } from '../../setup/people/members.ts';
import { insertPerson, signIn } from '../../setup/people/person-caller.ts';
import { rawHead, sendRaw, type RawReply } from '../../setup/http/raw-request.ts';
import { OpenApiReference } from '../../setup/http/openapi-reference.ts';
import { startTestService, type TestService } from '../../setup/node/test-service.ts';
import { makeRecord, makeHousehold } from '../../setup/structure/structure-document.ts';
import { isAdding, type Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { isConditional } from '../../../src/surfaces/http/operation/possible-refusals.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import { webAddresses } from '../../../src/surfaces/web/operations.ts';
import { isSandboxOnly, makeSandboxClient } from '../../setup/sandbox/sandbox-clients.ts';
import { pathToRecord, recordTypeInPath, ExampleWorld } from '../../setup/http/example-world.ts';

let service: TestService;
let reference: OpenApiReference;
let admin: Caller;
let world: ExampleWorld;
/** For operations that exist in the sandbox only, with a client that it has made. */
let sandbox: Caller;
let sandboxClientId: string;
const violations: string[] = [];

beforeAll(async () => {
  service = await startTestService();
  admin = service.admin;
  world = await ExampleWorld.create(admin);
  reference = await OpenApiReference.create(admin);
  sandbox = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], environment: 'sandbox' });
  sandboxClientId = (await makeSandboxClient(sandbox)).id;
  Caller.listener = (method, path, reply) => violations.push(...reference.findViolations(method, path, reply));
});

afterAll(async () => {
  Caller.listener = undefined;
  await service.stop();
});

const unknownId = '0123456789abcdef01234567';
const operationIds = operations.map(({ id }) => id);
const withBody = operations.filter(({ body }) => body !== undefined).map(({ id }) => id);

function getOperation(id: string): Operation {
  return operations.find((operation) => operation.id === id)!;
}

function callerFor(id: string): Caller {
  return isSandboxOnly(getOperation(id)) ? sandbox : admin;
}

/** A filter of a list by the id of a record. */
function filterById({ id, path, query }: Operation): string | undefined {
  if (!id.endsWith('.list') || path.includes('{')) return undefined;
  const free = ['subject_id', 'credential_id', 'user_id'];
  return Object.keys(query).find((name) => /(_id|Id|^instrumentClass)$/.test(name) && !free.includes(name));
}

/** The person whose session ends where an operation ends one. */
async function signedIn(): Promise<{ readonly person: Caller; readonly sessionId: string }> {
  const id = await insertPerson(service, { memberships: [{ client: world.idOf('client'), role: 'viewer' }] });
  const person = await signIn(service, id);
  return { person, sessionId: (await person.get('/v1/me/sessions')).body.data[0].id };
}

/** A new record on which the operation is possible. */
async function recordIdFor({ id, path }: Pick<Operation, 'id' | 'path'>): Promise<string> {
  if (id === 'v1.me.end-session') return (await signedIn()).sessionId;
  if (isSandboxOnly(getOperation(id))) return (await makeSandboxClient(sandbox)).id;
  const type = recordTypeInPath(path);
  // The reporting entities of a new user must belong to the client that the user is added to.
  if (type === 'client' && path.endsWith('/users')) return world.idOf(type);
  return type === undefined ? '' : world.makeFor({ id, path });
}

interface Variation {
  readonly caller?: Caller;
  readonly id?: string;
  readonly search?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly raw?: string;
}

/** Sends the operation with its example body about an existing record, with the changes of the case. */
async function sendOperation(
  id: string,
  { caller = callerFor(id), search, headers = {}, body, raw, ...rest }: Variation = {},
): Promise<Reply> {
  const operation = getOperation(id);
  const recordId = rest.id ?? (await recordIdFor(operation));
  return caller.send(
    pathToRecord(operation.path, recordId, (type) => world.idOf(type)) + (search ?? world.queryFor(operation)),
    {
      method: operation.method,
      ...(raw === undefined ? { body: body ?? world.bodyFor(operation, recordId) } : { raw }),
      headers: { ...(operation.body === undefined ? {} : { 'content-type': operation.wire.mediaType }), ...headers },
    },
  );
}

/** Sends a request that must be refused whatever the record's state: it needs no new record. */
async function sendRefused(id: string, variation: Variation): Promise<Reply> {
  const operation = getOperation(id);
  const type = recordTypeInPath(operation.path);
  if (type === undefined) return sendOperation(id, { id: '', ...variation });
  if (isSandboxOnly(operation)) return sendOperation(id, { id: sandboxClientId, ...variation });
  const recordId = type === 'audit-entry' ? await world.make(type) : world.idOf(type);
  return sendOperation(id, { id: recordId, ...variation });
}

describe('every operation with a token', () => {
  test.each(
    operations.map(({ id, responses: answers }) => [id, Math.max(...Object.keys(answers).map(Number))] as const),
  )('%s answers %i', async (id, status) => {
    expect((await sendOperation(id, await ownSession(id))).status).toBe(status);
  });

  /** Nobody but the person has their sessions. */
  async function ownSession(id: string): Promise<Variation> {
    if (id !== 'v1.me.end-session') return {};
    const { person, sessionId } = await signedIn();
    return { caller: person, id: sessionId };
  }

  test.each(operationIds)('%s answers 400 to a parameter it does not have', async (id) => {
    const reply = await sendRefused(id, { search: '?nonsense=1' });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('unknown-parameter');
  });

  test.each(operationIds)('%s answers 401 without a token', async (id) => {
    const reply = await sendRefused(id, { caller: admin.withToken(null) });
    expect(reply.status).toBe(401);
    expect(reply.text).toContain('token-missing');
  });

  const callersWithout = new Map<string, Promise<Caller>>();

  /** A caller with every right but this one. */
  function callerWithout(right: string): Promise<Caller> {
    const rights = ['read', 'write', 'admin'].filter((other) => other !== right);
    const caller = callersWithout.get(right) ?? admin.becomeApplication({ rights });
    callersWithout.set(right, caller);
    return caller;
  }

  test.each(operations.filter(({ right }) => right !== 'any').map(({ id, right }) => [id, right] as const))(
    '%s answers 403 to a token without the right %s',
    async (id, right) => {
      const reply = await sendRefused(id, { caller: await callerWithout(right) });
      expect(reply.status).toBe(403);
      expect(reply.text).toContain('right-missing');
    },
  );

  test.each(operationIds)('%s answers 406 when none of its media types is accepted', async (id) => {
    expect((await sendRefused(id, { headers: { accept: 'image/png' } })).status).toBe(406);
  });

  test.each(operations.filter(({ path }) => path.includes('{')).map(({ id }) => id))(
    '%s answers 404 for a missing record',
    async (id) => {
      expect((await sendOperation(id, { id: unknownId })).status).toBe(404);
    },
  );

  test.each(operations.filter((one) => filterById(one) !== undefined).map(({ id }) => id))(
    '%s answers 404 when filtered by a record that does not exist',
    async (id) => {
      const operation = getOperation(id);
      expect((await admin.get(`${operation.path}?${filterById(operation)}=${unknownId}`)).status).toBe(404);
    },
  );

  test.each(operations.filter(isConditional).map(({ id }) => id))(
    '%s answers 304 to a caller with the current entity tag',
    async (id) => {
      const recordId = await recordIdFor(getOperation(id));
      const { headers } = await sendOperation(id, { id: recordId });
      const reply = await sendOperation(id, { id: recordId, headers: { 'if-none-match': headers.get('etag')! } });
      expect([reply.status, reply.text]).toEqual([304, '']);
    },
  );
});

describe('every operation with a body', () => {
  test.each(withBody)('%s answers 400 to a body that is not JSON', async (id) => {
    const reply = await sendRefused(id, { raw: '{"name":' });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('malformed-json');
  });

  const read = operations.filter(({ body, method }) => body !== undefined || method === 'DELETE').map(({ id }) => id);

  test.each(read)('%s answers 413 to a body of more than 1 MiB', async (id) => {
    expect((await sendRefused(id, { raw: ' '.repeat(1024 * 1024 + 1) })).status).toBe(413);
  });

  test.each(withBody)('%s answers 415 to another media type', async (id) => {
    expect((await sendRefused(id, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  });

  test.each(withBody)('%s answers 422 to an unknown member', async (id) => {
    const recordId = await recordIdFor(getOperation(id));
    const example = world.bodyFor(getOperation(id), recordId);
    (example.data?.attributes ?? example).nonsense = 1;
    const reply = await sendOperation(id, { id: recordId, body: example });
    expect(reply.status).toBe(422);
    expect(reply.text).toContain('unknown-attribute');
  });

  test.each(operations.filter(({ wire, body }) => wire.name === 'json-api' && body).map(({ id }) => id))(
    '%s answers 409 to a document of another type',
    async (id) => {
      expect((await sendRefused(id, { body: { data: { type: 'comet', id: unknownId } } })).status).toBe(409);
    },
  );
});

describe('every operation with very many rows', () => {
  const withRows = operations.filter(({ bulk }) => bulk !== undefined).map(({ id }) => id);
  const withFile = operations.filter(({ upload }) => upload !== undefined).map(({ id }) => id);

  test.each([...withRows, ...withFile])('%s answers 413 to a body beyond its limit', async (id) => {
    const path = getOperation(id).path.replace(/\{\w+\}/, await recordIdFor(getOperation(id)));
    const bytesMax = getOperation(id).upload?.bytesMax ?? 2 ** 28;
    const headers = { 'content-type': 'text/csv', 'content-length': String(bytesMax + 1) };
    const head = rawHead('POST', path, { authorization: `Bearer ${admin.token}`, ...headers });
    const reply = await sendRaw(admin.address, head);
    expect(reply.status).toBe(413);
    checkRaw('POST', path, reply);
  });

  test.each(withRows)('%s answers 415 to another media type', async (id) => {
    expect((await sendRefused(id, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  });

  test.each(withFile)('%s answers 415 to a compressed file', async (id) => {
    expect((await sendOperation(id, { headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
  });

  test.each(withFile)('%s answers 422 to a file that it cannot read', async (id) => {
    expect((await sendOperation(id, { raw: 'Hello.' })).status).toBe(422);
  });

  test('v1.import.create answers 404 when the client is missing', async () => {
    expect((await sendOperation('v1.import.create', { search: `?client_id=${unknownId}` })).status).toBe(404);
  });

  test.each(withRows)('%s answers 422 to an invalid row', async (id) => {
    expect((await sendOperation(id, { body: { data: [1] } })).status).toBe(422);
  });
});

describe('every write that overwrites', () => {
  const puts = operations
    .filter(
      ({ id, resource, responses: answers }) =>
        id.endsWith('.create') && resource?.versions?.key.length && 200 in answers,
    )
    .map(({ id }) => id);

  test.each(puts)('%s answers 200 the second time', async (id) => {
    const recordId = await recordIdFor(getOperation(id));
    const body = world.bodyFor(getOperation(id), recordId);
    const replies = [await sendOperation(id, { id: recordId, body }), await sendOperation(id, { id: recordId, body })];
    expect(replies.map(({ status }) => status)).toEqual([201, 200]);
  });
});

describe.each(['json-api', 'plain', 'v1'])('%s.transaction.create', (wire) => {
  const id = `${wire}.transaction.create`;
  const changed = (attributes: object): object => {
    const body = world.bodyFor(getOperation(id));
    if (wire !== 'json-api') return { ...body, ...attributes };
    return { data: { ...body.data, attributes: { ...body.data.attributes, ...attributes } } };
  };

  test('answers 200 to a known external reference', async () => {
    const body = changed({ [wire === 'json-api' ? 'externalReference' : 'external_reference']: `of ${wire}` });
    const replies = [await sendOperation(id, { body }), await sendOperation(id, { body })];
    expect(replies.map(({ status }) => status)).toEqual([201, 200]);
  });

  test('answers 404 when a referenced record is missing', async () => {
    const text = JSON.stringify(changed({})).replaceAll(world.idOf('account'), unknownId);
    expect((await sendOperation(id, { body: JSON.parse(text) })).status).toBe(404);
  });
});

describe('every write on v1', () => {
  const writes = operations.filter(({ wire, mode }) => wire.name === 'v1' && mode === 'write').map(({ id }) => id);

  test.each(writes)('%s answers 409 to an Idempotency-Key used for another request', async (id) => {
    const headers = { 'idempotency-key': `used before ${id}` };
    await callerFor(id).post('/v1/clients', { name: 'First use' }, headers);
    const reply = await sendRefused(id, { headers });
    expect(reply.status).toBe(409);
    expect(reply.body.code).toBe('idempotency-key-reused');
  });

  test.each(operations.filter(({ refusals }) => refusals.includes('precondition-failed')).map(({ id }) => id))(
    '%s answers 412 when the record has changed',
    async (id) => {
      expect((await sendRefused(id, { headers: { 'if-match': '"another"' } })).status).toBe(412);
    },
  );
});

describe('references to missing records, and blocked deletions', () => {
  const parent = { data: { type: 'client', id: unknownId } };

  test.each([
    ['json-api.client.create', { data: { type: 'client', attributes: { name: 'Orphan' }, relationships: { parent } } }],
    ['v1.client.create', { name: 'Orphan', parent_id: unknownId }],
    ['v1.application.create', { name: 'Orphan', scoped_to: unknownId }],
    ['v1.legal-entity.create', { name: 'Orphan', client_id: unknownId }],
    ['v1.reporting-entity.create', { name: 'Orphan', client_id: unknownId }],
    ['v1.account.create', { name: 'Orphan', currency: 'CHF', entity_id: unknownId }],
    ['v1.depository.create', { name: 'Orphan', legal_entity_id: unknownId }],
    ['v1.portfolio.create', { name: 'Orphan', reporting_entity_id: unknownId }],
  ])('%s answers 404 when a referenced record is missing', async (id, body) => {
    expect((await sendOperation(id, { body })).status).toBe(404);
  });

  test.each([
    ['json-api.instrument.create', 'instrument-class'],
    ['v1.instrument.create', 'instrument-class'],
    ['json-api.historical-account-holding.create', 'account'],
    ['json-api.historical-fee-holding.create', 'account'],
    ['json-api.historical-instrument-holding.create', 'depository'],
    ['v1.historical-holding.create', 'depository'],
    ['v1.transaction.bulk', 'account'],
    ['v1.price.bulk-across', 'instrument'],
    ['v1.net-asset-value.bulk-across', 'instrument'],
    ['v1.interest-rate.bulk-across', 'instrument'],
    ['v1.index-factor.bulk-across', 'instrument'],
    ['plain.limit.create', 'client'],
    ['v1.limit.create', 'client'],
    ['v1.webhook.create', 'client'],
    ['v1.identifier-mapping.create', 'client'],
    ['v1.limit.check', 'reporting-entity'],
    ['v1.auth-flow.create', 'custodian'],
  ])('%s answers 404 when the referenced %s is missing', async (id, type) => {
    const text = JSON.stringify(world.bodyFor(getOperation(id))).replaceAll(world.idOf(type), unknownId);
    expect(text).toContain(unknownId);
    expect((await sendOperation(id, { body: JSON.parse(text) })).status).toBe(404);
  });

  test('v1.instrument-class.create answers 404 when its parent is missing', async () => {
    const body = { ...world.bodyFor(getOperation('v1.instrument-class.create')), parent_id: unknownId };
    expect((await sendOperation('v1.instrument-class.create', { body })).status).toBe(404);
  });

  test.each([
    ['json-api.historical-account-holding.delete', 'account'],
    ['json-api.historical-fee-holding.delete', 'account'],
    ['json-api.historical-instrument-holding.delete', 'depository'],
    ['v1.historical-holding.delete-days', 'account'],
    ['v1.reconciliation.report', 'client'],
  ])('%s answers 404 when the requested %s is missing', async (id, type) => {
    const search = world.queryFor(getOperation(id)).replaceAll(world.idOf(type), unknownId);
    expect(search).toContain(unknownId);
    expect((await sendOperation(id, { search })).status).toBe(404);
  });

  test.each(['v1.key.create', 'plain.key.create'])('%s answers 404 for a missing client', async (id) => {
    const body = { ...world.bodyFor(getOperation(id)), scoped_to: unknownId };
    expect((await sendOperation(id, { body })).status).toBe(404);
  });

  test.each(operations.filter(({ method, resource }) => method === 'DELETE' && resource?.deletion).map(({ id }) => id))(
    '%s answers 409 while something blocks the deletion',
    async (id) => {
      const { resource } = getOperation(id);
      const usedId = resource!.type === 'custodian' ? await custodianInUse() : world.idOf(resource!.type);
      const reply = await sendOperation(id, { id: usedId });
      expect(reply.status).toBe(409);
      expect(reply.text).toContain('cannot be deleted while these remain: ');
    },
  );

  async function custodianInUse(): Promise<string> {
    return (await admin.get(`/v1/accounts/${world.idOf('account')}`)).body.custodian_id;
  }

  test('v1.client.tree answers 409 when clients are nested too deeply', async () => {
    let below: string | undefined;
    const top = (below = await admin.makeClient('1'));
    for (let depth = 2; depth <= 101; depth++) below = await admin.makeClient(String(depth), below);
    expect((await sendOperation('v1.client.tree', { id: top })).status).toBe(409);
  });
});

describe('users and invites', () => {
  const cancellations = operations.filter(({ id }) => id.endsWith('.invite.cancel')).map(({ id }) => id);
  const disabled = async (): Promise<string> => {
    const user = await world.make('user');
    await sendOperation('v1.user.disable', { id: user });
    return user;
  };

  test.each(cancellations)('%s answers 409 for an accepted invite', async (id) => {
    const invite = await world.make('invite');
    const { email } = (await admin.get(`/v1/invites/${invite}`)).body;
    expect(await acceptInviteAs(service, invite, verifiedIdentity(email))).toMatchObject({ outcome: 'accepted' });
    expect((await sendOperation(id, { id: invite })).status).toBe(409);
  });

  test.each(['plain.user.create', 'v1.user.create'])('%s answers 409 to the address of a member', async (id) => {
    const body = world.bodyFor(getOperation(id));
    expect((await sendOperation(id, { body })).status).toBe(201);
    expect((await sendOperation(id, { body })).status).toBe(409);
  });

  test('v1.user.change answers 403 to a token bound to a client that would change the address', async () => {
    const bound = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: world.idOf('client') });
    for (const [id, body] of [
      ['v1.user.change', (user: string) => ({ id: user, email: newEmail() })],
      [
        'json-api.user.change',
        (user: string) => ({ data: { type: 'user', id: user, attributes: { contactEmail: newEmail() } } }),
      ],
    ] as const) {
      const user = await world.make('user');
      expect((await sendOperation(id, { caller: bound, id: user, body: body(user) })).status).toBe(403);
    }
  });

  test('v1.user.create answers 404 for a missing client', async () => {
    const body = { ...world.bodyFor(getOperation('v1.user.create')), client_id: unknownId };
    expect((await sendOperation('v1.user.create', { body })).status).toBe(404);
  });

  test('v1.invite.create answers 404 for a missing user, and 409 for a disabled one', async () => {
    const invite = (user: string) => sendOperation('v1.invite.create', { body: { user_id: user } });
    expect((await invite(unknownUuid)).status).toBe(404);
    expect((await invite(await disabled())).status).toBe(409);
    expect((await sendOperation('json-api.invite.create', { id: await disabled() })).status).toBe(409);
  });
});

describe('every report', () => {
  const reports = operations.filter(({ refusals }) => refusals.includes('fx-rate-missing'));
  const reportOperations = operations.filter(({ query }) => query['reporting_entity_id']?.required).map(({ id }) => id);
  let unrated: string;

  /** All holdings of this reporting entity are in a currency without an exchange rate. */
  beforeAll(async () => {
    const { legalEntity, reportingEntity } = await makeHousehold(admin, 'Papageitaucher');
    const account_id = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'ISK' });
    await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account_id] });
    const instrument = (fields: object): Promise<string> =>
      makeRecord(admin, 'instruments', { currency: 'ISK', ...fields });
    const stock = await instrument({ type: 'stock-instrument', name: 'Marel' });
    const fund = await instrument({ type: 'private-market-fund', name: 'Hekla I', commitment: '1000' });
    const book = (fields: object): Promise<string> => makeRecord(admin, 'transactions', { account_id, ...fields });
    const trade = { date: '2026-01-06', quantity: '10', price: '5', instrument_id: stock };
    await book({ type: 'deposit', date: '2025-12-05', amount: '1000' });
    await book({ type: 'buy', amount: '-50', ...trade });
    await book({ type: 'sell', amount: '50', ...trade, date: '2026-01-07' });
    await book({ type: 'drawing', date: '2026-01-07', amount: '-100', instrument_id: fund });
    unrated = reportingEntity;
  });

  test.each(reports.map(({ id }) => id))('%s answers 422 when a rate is missing', async (id) => {
    const search = world.queryFor(getOperation(id)).replaceAll(world.idOf('reporting-entity'), unrated);
    const reply = await sendOperation(id, { id: unrated, search });
    expect([reply.status, reply.text]).toEqual([422, expect.stringContaining('fx-rate-missing')]);
  });

  test.each(reportOperations)('%s answers 404 for a missing reporting entity', async (id) => {
    const search = world.queryFor(getOperation(id)).replaceAll(world.idOf('reporting-entity'), unknownId);
    expect((await sendOperation(id, { search })).status).toBe(404);
  });
});

/** Compares an answer that came through a socket with the document. */
function checkRaw(method: string, path: string, { status, headers, body }: RawReply): void {
  const reply = { status, headers: new Headers([...headers]), text: body, body: JSON.parse(body) };
  violations.push(...reference.findViolations(method, path, reply));
}

describe('without a token', () => {
  const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  test('the public operations answer 200', async () => {
    for (const operation of reference.operations.filter(({ needsToken, method }) => !needsToken && method === 'GET')) {
      expect([operation.path, (await admin.withToken(null).get(operation.path)).status]).toEqual([operation.path, 200]);
    }
  });

  test('the public operations answer 417 to an expectation', async () => {
    for (const { path } of reference.operations.filter(({ needsToken, method }) => !needsToken && method === 'GET')) {
      const reply = await sendRaw(admin.address, rawHead('GET', path, { expect: 'the-impossible' }));
      expect([path, reply.status]).toEqual([path, 417]);
      checkRaw('GET', path, reply);
    }
  });

  test('flow A answers 200 to a valid assertion', async () => {
    const { exportSPKI, generateKeyPair, SignJWT } = await import('jose');
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = await admin.post('/v2/auth/keys', { label: 'Contract', public_key_pem: await exportSPKI(publicKey) });
    const now = Math.floor(service.clock.now() / 1000);
    const { workspace_id: workspace } = (await admin.get('/v1/me')).body;
    const claims = {
      iss: workspace,
      sub: workspace,
      aud: service.addresses.baseUrl,
      iat: now,
      exp: now + 60,
      jti: 'contract',
    };
    const assertion = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: key.body.key_id })
      .sign(privateKey);
    const raw = new URLSearchParams({ grant_type: grant, assertion }).toString();
    expect((await admin.withToken(null).send('/v2/auth/token', { method: 'POST', raw, headers: form })).status).toBe(
      200,
    );
  });

  test.each([
    ['/v2/auth/token', 400, { raw: `grant_type=${grant}&assertion=x`, headers: form }],
    ['/v2/auth/token', 413, { raw: 'x'.repeat(1024 * 1024 + 1), headers: form }],
    ['/v2/auth/token', 415, { raw: '{}', headers: { 'content-type': 'application/json' } }],
    ['/oauth/token', 400, { raw: `grant_type=${grant}&assertion=x`, headers: form }],
    ['/oauth/token', 401, { body: { grant_type: 'client_credentials', client_id: 'x', client_secret: 'x' } }],
    ['/oauth/token', 413, { raw: 'x'.repeat(1024 * 1024 + 1), headers: form }],
    ['/oauth/token', 415, { raw: '<xml/>', headers: { 'content-type': 'text/xml' } }],
  ])('%s answers %i', async (path, status, sending) => {
    expect((await admin.withToken(null).send(path, { method: 'POST', ...sending })).status).toBe(status);
  });

  test('/oauth/token answers 200 to valid credentials', async () => {
    const { clientId, clientSecret } = service.first;
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    expect((await admin.withToken(null).post('/oauth/token', body)).status).toBe(200);
  });

  test('a current entity tag gets 304 where the reference documents it', async () => {
    for (const { path, statuses } of reference.operations.filter(({ needsToken }) => !needsToken)) {
      if (!statuses.includes(304)) continue;
      const { headers } = await admin.withToken(null).get(path);
      expect((await admin.withToken(null).get(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304);
    }
  });
});

/** Requests a token for the workspace of a service, in the flow of the path. */
async function spend({ admin: caller, first, clock, addresses, database }: TestService, path: string): Promise<Reply> {
  const open = caller.withToken(null);
  if (path === '/oauth/token') {
    const { clientId, clientSecret } = first;
    return open.post(path, { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
  }
  const pair = makeRsaPair();
  const [row] = await runSql<{ workspaceId: string; id: string }>(
    database,
    `INSERT INTO credential (workspace_id, environment, id, kind, name, rights, public_jwk, created_at)
     SELECT workspace_id, environment, '0123456789abcdef01234567', 'rsa-key', 'Key', '{read}', $1, created_at FROM credential
     RETURNING workspace_id AS "workspaceId", id`,
    [JSON.stringify(pair.publicKey.export({ format: 'jwk' }))],
  );
  const signer: Signer = { alg: 'RS256', kid: row!.id, workspaceId: row!.workspaceId, ...pair };
  return requestToken(signer, open, signAssertion(signer, { now: clock.now(), audience: addresses.baseUrl }));
}

describe('under failure', () => {
  test('every operation with a token answers 429 when the budget is used up', async () => {
    const small = await startTestService({ settings: { BUDGET_BURST: '1', BUDGET_PER_MINUTE: '1' } });
    try {
      await small.admin.get('/v1/me');
      for (const path of ['/oauth/token', '/v2/auth/token']) expect((await spend(small, path)).status).toBe(429);
      for (const id of operationIds) {
        const reply = await sendOperation(id, { caller: small.admin, id: unknownId });
        expect([id, reply.status]).toEqual([id, 429]);
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    } finally {
      await small.stop();
    }
  });

  test('every operation that adds answers 409 while the workspace takes the storage that it may, and no other does', async () => {
    const full = await startTestService({ settings: { STORAGE_MEGABYTES_MAX: '0' } });
    try {
      for (const operation of operations.filter((one) => !isSandboxOnly(one))) {
        const { status, text } = await sendOperation(operation.id, { caller: full.admin, id: unknownId });
        const isRefused = text.includes('storage-quota-reached');
        const isConflict = status === 409;
        expect([operation.id, isRefused, isRefused && !isConflict]).toEqual([operation.id, isAdding(operation), false]);
      }
    } finally {
      await full.stop();
    }
  });

  test('every operation answers 403 while its workspace is suspended', async () => {
    const suspended = await startTestService();
    try {
      await runSql(suspended.database, `UPDATE workspace SET state = 'suspended'`);
      for (const id of operationIds) {
        const reply = await sendOperation(id, { caller: suspended.admin, id: unknownId });
        expect([id, reply.status]).toEqual([id, 403]);
      }
    } finally {
      await suspended.stop();
    }
  });

  test('every operation answers 503 when the database is unavailable, and says so', async () => {
    const lone = await startTestService();
    await lone.admin.get('/v1/me');
    await lone.context.stores.close();
    for (const id of operationIds) {
      const reply = await sendOperation(id, { caller: lone.admin, id: unknownId });
      expect([id, reply.status, reply.headers.get('retry-after')]).toEqual([id, 503, '2']);
      expect(reply.text).toContain('database-away');
    }
    expect((await lone.admin.get('/readyz')).status).toBe(503);
    expect(
      (
        await lone.admin
          .withToken(null)
          .post('/oauth/token', { grant_type: 'client_credentials', client_id: 'x', client_secret: 'x' })
      ).status,
    ).toBe(503);
    await lone.server.stop();
    await lone.database.drop();
  });

  test('every operation answers 503 while the node is being stopped', async () => {
    const last = await startTestService();
    last.server.rejectNewRequests();
    for (const { id, method, path } of reference.operations) {
      const reply = await last.admin.send(path, { method });
      expect([id, reply.status, reply.headers.get('connection')]).toEqual([id, 503, 'close']);
      expect(reply.text).toContain('This node is stopping.');
    }
    await last.stop();
  });
});

describe('at the end', () => {
  test('every answer matched the document', () => {
    expect(violations).toEqual([]);
  });

  test('every documented answer was seen', () => {
    expect(reference.unseenResponses()).toEqual([]);
  });

  /** Pages for browsers, which are not part of the reference. */
  const pages = webAddresses.map((path) => path.replaceAll(/\{\w+\}/g, ':'));

  test('the router serves only the documented operations and the pages for people', () => {
    const drawing = service.server.app.printRoutes({ commonPrefix: false, includeHooks: false });
    const documentedPaths = new Set(reference.operations.map(({ path }) => path.replaceAll(/\{\w+\}/g, ':')));
    // Assistants speak a protocol of their own there.
    expect(routesOf(drawing)).toEqual([...documentedPaths, ...pages, '/mcp'].toSorted());
    for (const { method, path } of reference.operations) {
      expect(service.server.app.hasRoute({ method: method as 'GET', url: path.replaceAll(/\{(\w+)\}/g, ':$1') })).toBe(
        true,
      );
    }
  });
});

/** The paths in the router's printed tree, with unnamed parameters. */
function routesOf(drawing: string): string[] {
  const at: string[] = [];
  const paths = new Set<string>();
  for (const line of drawing.split('\n').filter((text) => text.trim() !== '')) {
    const [, lead, segment, methods] = /^([│├└─\s]*)(\S+)(?: \((.*)\))?/.exec(line)!;
    at.length = Math.max(0, lead!.length / 4 - 1);
    at.push(segment!.replaceAll(/:[\w|:]+/g, ':'));
    if (methods) paths.add(at.join(''));
  }
  return [...paths].toSorted();
}
