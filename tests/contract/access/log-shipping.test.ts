// The audit log and the request log leave the house: every line arrives in the order of its number, at least once, whatever receivers and nodes do, and
// whoever receives them can check that none is missing and that none was changed.

import { mkdtemp, readFile, rm, writeFile, rename, appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { chainAuditLines, verifyAuditChain } from '../../../src/actions/access/audit-chain.ts';
import { readShipment, takeShipment } from '../../../src/actions/access/log-shipping.ts';
import { appendToFile, FileDestination } from '../../../src/gateways/log-shipping/file-destination.ts';
import { SyslogDestination } from '../../../src/gateways/log-shipping/syslog-destination.ts';
import { deleteExpired } from '../../../src/jobs/expiry.ts';
import { dayMs, minuteMs, secondMs } from '../../../src/kit/clock.ts';
import { firstIdAt, type Id } from '../../../src/kit/id.ts';
import type { Tenant } from '../../../src/model/access/scope.ts';
import { shippingDestinations, shippedLogs } from '../../../src/model/operations/shipped-log.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { runSql } from '../../setup/database/sql.ts';
import { mailServerCertificate } from '../../setup/mail/mail-server-certificate.ts';
import { makeMember } from '../../setup/people/members.ts';
import { serviceForThisTest, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { runAdmin } from '../../setup/operations/run-admin.ts';
import { HttpReceiver, linesIn, SyslogReceiver, type KeptLine } from '../../setup/shipping/receivers.ts';
import { createShipping, httpTo, shipDue } from '../../setup/shipping/shipping.ts';

const encryptionKey = Keyring.generate();
/** Longer than any pause after a failure, and longer than a lease. */
const pauseMs = 11 * minuteMs;

let service: TestService;
let tenant: Tenant;

beforeEach(async () => {
  service = await serviceForThisTest({
    settings: { ENCRYPTION_KEY: encryptionKey, AUDIT_RETENTION_DAYS: '30', SHIP_TO_FILE: '/nowhere/at/all' },
  });
  tenant = { workspaceId: service.first.workspaceId, environment: 'production' };
});

async function httpReceiver(): Promise<HttpReceiver> {
  const receiver = await HttpReceiver.start();
  onTestFinished(() => receiver.stop());
  return receiver;
}

async function syslogReceiver(options?: { isEncrypted: boolean }): Promise<SyslogReceiver> {
  const receiver = await SyslogReceiver.start(options);
  onTestFinished(() => receiver.stop());
  return receiver;
}

async function folderForThisTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-shipped-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Adds lines to the audit log, and chains them. */
async function makeLines(...names: readonly string[]): Promise<void> {
  for (const name of names) await service.admin.makeClient(name);
  await chainAuditLines(service.context);
}

/** Adds many lines past the service, which come after all others, and chains them. */
async function addManyLines(count: number, after = '{}'): Promise<void> {
  service.clock.advance(1);
  await runSql(
    service.database,
    `WITH made AS (INSERT INTO audit_entry (workspace_id, environment, id, at, act, subject_type, subject_id, after)
       SELECT $1, 'production', $3 || lpad(to_hex(n), 12, '0'), $4, 'create', 'client', 'x', $5 FROM generate_series(1, $2::int) n RETURNING id)
     INSERT INTO unchained_audit_entry SELECT $1, 'production', id FROM made`,
    [tenant.workspaceId, count, firstIdAt(service.clock.now()).slice(0, 12), new Date(service.clock.now()), after],
  );
  await chainAuditLines(service.context);
}

const numbersOf = (lines: readonly KeptLine[], of: Tenant = tenant): number[] =>
  lines
    .filter(({ workspace, environment }) => workspace === of.workspaceId && environment === of.environment)
    .map(({ number }) => number);
const oneTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

async function verified(text: string, more: readonly string[] = [], settings = {}) {
  const path = join(await folderForThisTest(), 'shipped.jsonl');
  await writeFile(path, text);
  return runAdmin(['verify-audit', '--file', path, ...more], { ENCRYPTION_KEY: encryptionKey, ...settings });
}

describe('lines of the audit log', () => {
  test('arrive in the order of their numbers, each with its link and what the log has of it, and only once while all is well', async () => {
    const receiver = await httpReceiver();
    const shipping = createShipping(service.context, [
      httpTo(receiver, service.context, { headers: { authorization: 'Splunk hush' } }),
    ]);
    await makeLines('Lindqvist', 'Åkesson');
    await shipDue(shipping);
    await makeLines('Later');
    await shipDue(shipping);
    await shipDue(shipping);
    const { end } = await verifyAuditChain(service.context, tenant);
    expect(numbersOf(receiver.lines)).toEqual(oneTo(end.number));
    expect(receiver.posts[0]!.headers).toMatchObject({
      authorization: 'Splunk hush',
      'content-type': 'application/x-ndjson',
      'content-encoding': 'gzip',
      'user-agent': 'holdfast/1.2.3',
    });
    const [last] = receiver.lines.slice(-1);
    const [entry] = (await service.admin.get('/v1/audit-log?limit=1')).body.data;
    const { id, at, act, subject_type, subject_id, client_id, credential_id, subject, request_id } = entry;
    expect(last).toEqual({
      log: 'audit',
      workspace: tenant.workspaceId,
      environment: 'production',
      number: end.number,
      hash: end.hash.toString('hex'),
      previous_hash: receiver.lines.at(-2)!['hash'],
      id,
      at,
      act,
      subject_type,
      subject_id,
      client_id,
      credential_id,
      subject,
      request_id,
      before: null,
      after: expect.objectContaining({ name: 'Later' }),
    });
    expect(shipping.failures).toEqual([]);
  });

  test('of each workspace and environment are numbered and shipped by themselves', async () => {
    const receiver = await httpReceiver();
    const other = await service.openWorkspace('sandbox');
    await other.makeClient('Elsewhere');
    await makeLines('Here');
    await shipDue(createShipping(service.context, [httpTo(receiver, service.context)]));
    const me = (await other.get('/v1/me')).body;
    const there = { workspaceId: me.workspace_id, environment: 'sandbox' } as const;
    const [here, away] = [tenant, there].map((one) => numbersOf(receiver.lines, one));
    expect([here!.length > 1, away!.length > 1]).toEqual([true, true]);
    expect([here, away]).toEqual([oneTo(here!.length), oneTo(away!.length)]);
  });

  test('have no personal data but sealed, so that erasing a person reaches what was shipped', async () => {
    const receiver = await httpReceiver();
    const client = await service.admin.makeClient('Lindqvist');
    await makeMember(service, client, { email: 'astrid@lindqvist.example', first_name: 'Astrid' });
    await makeLines();
    await shipDue(createShipping(service.context, [httpTo(receiver, service.context)]));
    expect(receiver.lines.some((line) => line['subject_type'] === 'user')).toBe(true);
    for (const { text } of receiver.posts) expect(text).not.toMatch(/astrid/i);
  });

  test('stay one line each, and show no hidden characters, whatever somebody has called a client', async () => {
    const receiver = await httpReceiver();
    await addManyLines(
      1,
      JSON.stringify({ name: 'A\n{"log":"audit"}\r\u2028\u2029\u0085\u007f\u001b[2K\u202e\u200bÅ😀' }),
    );
    await shipDue(createShipping(service.context, [httpTo(receiver, service.context)]));
    const text = receiver.posts.at(-1)!.text;
    expect(text.match(/[\p{C}\p{Zl}\p{Zp}]/gu)!.every((character) => character === '\n')).toBe(true);
    expect((linesIn(text).at(-1)!['after'] as { name: string }).name).toBe(
      'A\n{"log":"audit"}\r\u2028\u2029\u0085\u007f\u001b[2K\u202e\u200bÅ😀',
    );
    expect((await verified(text)).code).toBe(0);
  });

  test('are handed over in batches of 500, or of a million characters', async () => {
    const receiver = await httpReceiver();
    const shipping = createShipping(service.context, [httpTo(receiver, service.context)]);
    await makeLines();
    await shipDue(shipping);
    const before = receiver.lines.length;
    await addManyLines(1_001);
    await shipDue(shipping);
    expect(receiver.posts.slice(1).map(({ text }) => linesIn(text).length)).toEqual([500, 500, 1]);
    await addManyLines(200, JSON.stringify({ note: 'x'.repeat(20_000) }));
    await shipDue(shipping);
    expect(receiver.posts.slice(4).map(({ text }) => linesIn(text).length)).toEqual([50, 50, 50, 50]);
    expect(numbersOf(receiver.lines)).toEqual(oneTo(before + 1_201));
  });
});

describe('a receiver', () => {
  test.each([
    ['answers 500', { status: 500 }],
    ['answers 403', { status: 403, body: 'Invalid token' }],
    ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['asks for a pause', { status: 429, headers: { 'retry-after': '120' } }],
  ])('that %s gets the same lines again after a pause, and none is passed over', async (_what, answer) => {
    const receiver = await httpReceiver();
    const shipping = createShipping(service.context, [httpTo(receiver, service.context)]);
    await makeLines('One', 'Two');
    receiver.answer = () => answer;
    await shipDue(shipping);
    expect(shipping.ends.map(({ kind }) => kind)).toEqual(['failed']);
    await shipDue(shipping);
    expect(receiver.posts).toHaveLength(1);
    const pauses = answer.status === 429 ? [119 * secondMs, secondMs] : [secondMs, 4 * secondMs];
    service.clock.advance(pauses[0]!);
    await shipDue(shipping);
    expect(receiver.posts).toHaveLength(1);
    service.clock.advance(pauses[1]!);
    receiver.answer = () => ({ status: 200 });
    await shipDue(shipping);
    const [first, second] = receiver.posts.map(({ text }) => numbersOf(linesIn(text)));
    expect([second, shipping.ends.at(-1)!.kind]).toEqual([first, 'shipped']);
  });

  test('that asks for a pause of days is asked again after five minutes', async () => {
    const receiver = await httpReceiver();
    const shipping = createShipping(service.context, [httpTo(receiver, service.context)]);
    await makeLines('One');
    receiver.answer = () => ({ status: 503, headers: { 'retry-after': '900000' } });
    await shipDue(shipping);
    service.clock.advance(5 * minuteMs);
    await shipDue(shipping);
    expect(receiver.posts).toHaveLength(2);
  });

  test('that never answers is given up after its time; another destination has the lines meanwhile', async () => {
    const [hanging, other] = [await httpReceiver(), await syslogReceiver()];
    hanging.answer = () => undefined;
    const place = { host: '127.0.0.1', port: other.port, isEncrypted: false, authorities: undefined, hostname: 'node' };
    const shipping = createShipping(service.context, [
      httpTo(hanging, service.context, { timeoutMs: 50 }),
      new SyslogDestination(place),
    ]);
    await makeLines('One');
    await shipDue(shipping);
    const { end } = await verifyAuditChain(service.context, tenant);
    expect(other.messages).toHaveLength(end.number);
    expect(shipping.ends.filter(({ destination }) => destination === 'https')).toMatchObject([
      { kind: 'failed', detail: expect.stringContaining('within 0.05 seconds') },
    ]);
  });

  test('that takes no large batch gets half of it, down to a single line', async () => {
    const receiver = await httpReceiver();
    const shipping = createShipping(service.context, [httpTo(receiver, service.context)]);
    await makeLines();
    await shipDue(shipping);
    const before = receiver.lines.length;
    await addManyLines(8);
    const taken: number[] = [];
    receiver.answer = ({ text }) => {
      const lines = linesIn(text);
      if (lines.length > 3) return { status: 413 };
      taken.push(...numbersOf(lines));
      return { status: 200 };
    };
    await shipDue(shipping);
    expect(taken).toEqual(oneTo(before + 8, before + 1));
    receiver.answer = () => ({ status: 413 });
    await addManyLines(1);
    await shipDue(shipping);
    expect(shipping.ends.at(-1)).toMatchObject({ kind: 'failed', detail: expect.stringContaining('413') });
  });

  test('that stops being one keeps its place: lines go on where they stopped, at another address too', async () => {
    const [first, second] = [await httpReceiver(), await httpReceiver()];
    await makeLines('One');
    await shipDue(createShipping(service.context, [httpTo(first, service.context)]));
    await makeLines('Two');
    await shipDue(createShipping(service.context, [httpTo(second, service.context)]));
    const { end } = await verifyAuditChain(service.context, tenant);
    expect(numbersOf([...first.lines, ...second.lines])).toEqual(oneTo(end.number));
  });
});

describe('a collector of OpenTelemetry', () => {
  test('gets each line as the body of a record, with its time and its place in the chain', async () => {
    const receiver = await httpReceiver();
    const otlp = httpTo(receiver, service.context, { name: 'otlp', url: `${receiver.address}/v1/logs` });
    await makeLines('One');
    await shipDue(createShipping(service.context, [otlp]));
    const [{ path, headers, text }] = receiver.posts as [(typeof receiver.posts)[number]];
    const [{ resource, scopeLogs }] = JSON.parse(text).resourceLogs;
    const [{ logRecords }] = scopeLogs;
    expect([path, headers['content-type']]).toEqual(['/v1/logs', 'application/json']);
    expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'holdfast' } });
    expect(logRecords[1]).toMatchObject({
      timeUnixNano: `${service.clock.now()}000000`,
      severityNumber: 9,
      attributes: [
        { key: 'holdfast.log', value: { stringValue: 'audit' } },
        { key: 'holdfast.workspace', value: { stringValue: tenant.workspaceId } },
        { key: 'holdfast.environment', value: { stringValue: 'production' } },
        { key: 'holdfast.number', value: { intValue: '2' } },
      ],
    });
    const bodies = logRecords.map((record: { body: { stringValue: string } }) => record.body.stringValue);
    expect((await verified(bodies.join('\n'))).code).toBe(0);
  });

  test('that rejects some of the lines has not taken the batch', async () => {
    const receiver = await httpReceiver();
    const otlp = httpTo(receiver, service.context, { name: 'otlp', url: `${receiver.address}/v1/logs` });
    const shipping = createShipping(service.context, [otlp]);
    await makeLines('One');
    receiver.answer = () => ({
      status: 200,
      body: '{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"full"}}',
    });
    await shipDue(shipping);
    receiver.answer = () => ({ status: 200, body: '{"partialSuccess":{}}' });
    service.clock.advance(pauseMs);
    await shipDue(shipping);
    expect(shipping.ends.map(({ kind }) => kind)).toEqual(['failed', 'shipped']);
    expect(receiver.posts[1]!.text).toBe(receiver.posts[0]!.text);
  });
});

describe('a syslog receiver', () => {
  const place = { host: '127.0.0.1', isEncrypted: false, authorities: undefined, hostname: 'node one' };

  test('gets a message of RFC 5424 for each line, in a frame of its length', async () => {
    const receiver = await syslogReceiver();
    await addManyLines(1, '{"name": "Åkesson\\nforged"}');
    await shipDue(createShipping(service.context, [new SyslogDestination({ ...place, port: receiver.port })]));
    expect(receiver.connections).toHaveLength(1);
    const [message] = receiver.messages.slice(-1);
    expect(message).toMatch(
      /^<110>1 2026-11-15T12:00:00\.001Z node-one holdfast - audit - \{"log":"audit",.*"Åkesson\\nforged".*\}$/,
    );
    expect((await verified(receiver.messages.join('\n'))).code).toBe(0);
  });

  test('is trusted by its certificate only', async () => {
    const receiver = await syslogReceiver({ isEncrypted: true });
    const address = { ...place, isEncrypted: true, port: receiver.port };
    await makeLines('One');
    const untrusting = createShipping(service.context, [new SyslogDestination(address)]);
    await shipDue(untrusting);
    expect(untrusting.ends).toMatchObject([{ kind: 'failed', detail: expect.stringContaining('certificate') }]);
    expect(receiver.messages).toEqual([]);
    service.clock.advance(pauseMs);
    const trusting = createShipping(service.context, [
      new SyslogDestination({ ...address, authorities: mailServerCertificate }),
    ]);
    await shipDue(trusting);
    const { end } = await verifyAuditChain(service.context, tenant);
    expect([trusting.ends.map(({ kind }) => kind), receiver.messages.length]).toEqual([['shipped'], end.number]);
  });

  test.each([
    ['resets the connection', 'close-early'],
    ['reads and never closes its side', 'hang'],
  ] as const)('that %s has acknowledged nothing: the lines come again', async (_what, behaviour) => {
    const receiver = await syslogReceiver();
    receiver.behaviour = behaviour;
    const destination = new SyslogDestination({ ...place, port: receiver.port, timeoutMs: 200 });
    const shipping = createShipping(service.context, [destination]);
    await makeLines('One');
    await shipDue(shipping);
    receiver.behaviour = 'read';
    service.clock.advance(pauseMs);
    await shipDue(shipping);
    const { end } = await verifyAuditChain(service.context, tenant);
    expect(shipping.ends.map(({ kind }) => kind)).toEqual(['failed', 'shipped']);
    expect(receiver.connections.at(-1)).toHaveLength(end.number);
  });

  test('that is not there is tried again', async () => {
    const receiver = await syslogReceiver();
    const { port } = receiver;
    receiver.stop();
    const shipping = createShipping(service.context, [new SyslogDestination({ ...place, port })]);
    await makeLines('One');
    await shipDue(shipping);
    expect(shipping.ends).toMatchObject([{ kind: 'failed', detail: 'The receiver refused the connection.' }]);
  });
});

describe('a file', () => {
  test('is appended to, can be rotated by its name, and ends a line that a crash has cut off', async () => {
    const path = join(await folderForThisTest(), 'audit.jsonl');
    const shipping = createShipping(service.context, [new FileDestination(appendToFile(path))]);
    await makeLines('One');
    await shipDue(shipping);
    const first = await readFile(path, 'utf8');
    await rename(path, `${path}.1`);
    await appendFile(path, '{"log":"audit","work');
    await makeLines('Two', 'Three');
    await shipDue(shipping);
    const second = await readFile(path, 'utf8');
    expect(second.split('\n')[0]).toBe('{"log":"audit","work');
    const { end } = await verifyAuditChain(service.context, tenant);
    expect(numbersOf(linesIn(first + second.slice(second.indexOf('\n') + 1)))).toEqual(oneTo(end.number));
    const { code, stdout } = await runAdmin(['verify-audit', '--file', path, '--file', `${path}.1`], {
      ENCRYPTION_KEY: encryptionKey,
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${path}:1 is no line of a log`)]);
  });

  test('that cannot be written is tried again', async () => {
    const shipping = createShipping(service.context, [new FileDestination(appendToFile('/dev/full'))]);
    await makeLines('One');
    await shipDue(shipping);
    expect(shipping.ends).toMatchObject([{ kind: 'failed', detail: expect.stringContaining('ENOSPC') }]);
  });
});

describe('nodes', () => {
  test('that look at the same time ship each line once', async () => {
    const receiver = await httpReceiver();
    const { database, clock } = service;
    const other = await startTestService({ database, clock, settings: { ENCRYPTION_KEY: encryptionKey } });
    onTestFinished(() => other.stop());
    const nodes = [service, other].map(({ context }) => createShipping(context, [httpTo(receiver, context)]));
    for (let round = 0; round < 5; round++) {
      await makeLines(`Client ${round}`);
      await shipDue(...nodes);
    }
    // Who came second found a lease.
    clock.advance(pauseMs);
    await shipDue(...nodes);
    const { end } = await verifyAuditChain(service.context, tenant);
    expect(numbersOf(receiver.lines)).toEqual(oneTo(end.number));
  });

  test('that end after a batch was taken and before it was written down have it sent again', async () => {
    const receiver = await httpReceiver();
    await makeLines('One');
    const item = { tenant, log: 'audit', destination: 'https' } as const;
    const killed = { ...service.context, logShipping: { logs: shippedLogs, destinations: shippingDestinations } };
    const lease = (await takeShipment(killed, item))!;
    const handedOver = await readShipment(killed, lease);
    await httpTo(receiver, service.context).ship(handedOver, new AbortController().signal);
    const shipping = createShipping(service.context, [httpTo(receiver, service.context)]);
    await shipDue(shipping);
    expect(receiver.posts).toHaveLength(1);
    service.clock.advance(pauseMs);
    await shipDue(shipping);
    expect(numbersOf(receiver.lines)).toEqual([...oneTo(handedOver.length), ...oneTo(handedOver.length)]);
    expect(await verified(receiver.posts.map(({ text }) => text).join(''))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${handedOver.length} came again`),
    });
  });

  test('that have lost their lease do not move the position', async () => {
    const receiver = await httpReceiver();
    const slow = Promise.withResolvers<{ status: number }>();
    await makeLines('One');
    receiver.answer = () => slow.promise;
    const first = createShipping(service.context, [httpTo(receiver, service.context)]);
    await first.sweep();
    await expect.poll(() => receiver.posts.length).toBe(1);
    service.clock.advance(pauseMs);
    receiver.answer = () => ({ status: 500 });
    const second = createShipping(service.context, [httpTo(receiver, service.context)]);
    await shipDue(second);
    slow.resolve({ status: 200 });
    await first.drain();
    expect([first.ends, second.ends].map((ends) => ends.map(({ kind }) => kind))).toEqual([['none'], ['failed']]);
    service.clock.advance(pauseMs);
    receiver.answer = () => ({ status: 200 });
    await shipDue(second);
    expect(receiver.posts.at(-1)!.text).toBe(receiver.posts[0]!.text);
  });

  test('whose clock is set back do not wait until it is where it was', async () => {
    const receiver = await httpReceiver();
    const shipping = createShipping(service.context, [httpTo(receiver, service.context)]);
    await makeLines('One');
    receiver.answer = () => ({ status: 500 });
    await shipDue(shipping);
    service.clock.advance(-dayMs);
    await shipDue(shipping);
    expect(receiver.posts).toHaveLength(2);
  });

  test('with settings for it ship by themselves, and tell how far they are', async () => {
    const path = join(await folderForThisTest(), 'audit.jsonl');
    const own = await serviceForThisTest({
      settings: { ROLE: 'all', REQUEST_LOG: 'on', SHIP_TO_FILE: path, SHIP_LOGS: 'audit,requests' },
    });
    await own.admin.makeClient('One');
    const shipped = async (): Promise<Set<string>> =>
      new Set(linesIn(await readFile(path, 'utf8').catch(() => '')).map(({ log }) => log));
    await expect.poll(shipped, { timeout: 60_000 }).toEqual(new Set(['audit', 'requests']));
    const metrics = await (await fetch(`${own.admin.address}/metrics`)).text();
    for (const name of ['lag_rows', 'lag_seconds', 'lines_total', 'failures_total'])
      for (const log of ['audit', 'requests'])
        expect(metrics).toMatch(
          new RegExp(`^holdfast_audit_shipping_${name}\\{log="${log}",destination="file"\\} \\d`, 'm'),
        );
  });
});

describe('how far shipping is behind', () => {
  test('counts lines from when they are written until they are acknowledged, and says how old the oldest is', async () => {
    const receiver = await httpReceiver();
    const shipping = createShipping(service.context, [httpTo(receiver, service.context)]);
    const query = { logs: ['audit'], destinations: ['https', 'file'] } as const;
    const lag = async () => service.context.stores.preAuth.listShippingLag(query);
    await makeLines('One');
    await shipDue(shipping);
    const { end } = await verifyAuditChain(service.context, tenant);
    service.clock.advance(minuteMs);
    const at = service.clock.now();
    await service.admin.makeClient('Two');
    const behind = { count: 1, oldestAt: at };
    const [unchained] = await lag();
    expect(unchained).toEqual({ log: 'audit', destination: 'https', ...behind });
    await chainAuditLines(service.context);
    service.clock.advance(minuteMs);
    const [https, file] = await lag();
    expect([https, file!.count]).toEqual([{ log: 'audit', destination: 'https', ...behind }, end.number + 1]);
    await shipDue(shipping);
    expect((await lag())[0]).toEqual({ log: 'audit', destination: 'https', count: 0, oldestAt: null });
  });
});

describe('lines of the request log', () => {
  /** Writes lines as nodes do, whose ids say when they were made. */
  function addRequests(of: readonly { readonly id: string; readonly atMs?: number }[]): Promise<unknown> {
    return runSql(
      service.database,
      `INSERT INTO request_log (workspace_id, environment, id, at, method, route, path, status, outcome, duration_ms, request_id)
       SELECT $1, 'production', r.id, r.at, 'GET', '/v1/clients', '/v1/clients', 200, 'answered', 3, 'one'
       FROM unnest($2::text[], $3::timestamptz[]) r (id, at)`,
      [tenant.workspaceId, of.map(({ id }) => id), of.map(({ atMs = service.clock.now() }) => new Date(atMs))],
    );
  }
  const idAt = (index: number): string => firstIdAt(service.clock.now() + index) as Id;

  test('that are committed later than younger ones are not passed over', async () => {
    const receiver = await httpReceiver();
    const shipping = createShipping(service.context, [httpTo(receiver, service.context)], ['requests']);
    const [early, late, later] = [idAt(1), idAt(2), idAt(3)];
    await addRequests([{ id: late }]);
    await shipDue(shipping);
    await addRequests([{ id: later }, { id: early }]);
    await shipDue(shipping);
    expect(receiver.lines.map(({ number, id }) => [number, id])).toEqual([
      [1, late],
      [2, early],
      [3, later],
    ]);
    expect(receiver.lines[0]).toEqual({
      log: 'requests',
      workspace: tenant.workspaceId,
      environment: 'production',
      number: 1,
      id: late,
      at: new Date(service.clock.now()).toISOString(),
      method: 'GET',
      route: '/v1/clients',
      path: '/v1/clients',
      status: 200,
      outcome: 'answered',
      code: null,
      duration_ms: 3,
      credential_id: null,
      user_id: null,
      request_id: 'one',
      trace_id: null,
    });
    const text = receiver.posts.map((post) => post.text).join('');
    expect(await verified(text)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('3 lines from 1 to 3: all hold'),
    });
    const cut = text.split('\n').toSpliced(1, 1).join('\n');
    expect(await verified(cut)).toMatchObject({ code: 1, stdout: expect.stringContaining('Line 2 is missing.') });
  });

  test('are numbered by two nodes at once without a gap', async () => {
    const receiver = await httpReceiver();
    const nodes = [0, 1].map(() => createShipping(service.context, [httpTo(receiver, service.context)], ['requests']));
    for (let round = 0; round < 4; round++) {
      await addRequests(oneTo(700).map((index) => ({ id: idAt(round * 1_000 + index) })));
      await shipDue(...nodes);
    }
    service.clock.advance(pauseMs);
    await shipDue(...nodes);
    expect(receiver.lines.map(({ number }) => number).toSorted((one, other) => one - other)).toEqual(oneTo(2_800));
  });

  test('are held back from their deletion until they are shipped; what is deleted after 37 days is counted, and shows as a gap', async () => {
    const receiver = await httpReceiver();
    const context = { ...service.context, logShipping: { logs: ['requests'], destinations: ['https'] } } as const;
    const shipping = createShipping(service.context, [httpTo(receiver, service.context)], ['requests']);
    const deleted = (): number => service.context.figures.get('deleted-unshipped/requests');
    const stored = async (): Promise<unknown[]> => runSql(service.database, 'SELECT id FROM request_log');
    await addRequests([{ id: idAt(1) }]);
    await shipDue(shipping);
    await addRequests([{ id: idAt(2) }]);
    service.clock.advance(36 * dayMs);
    await addRequests([{ id: idAt(3) }]);
    await deleteExpired(context);
    expect([(await stored()).length, deleted()]).toEqual([2, 0]);
    service.clock.advance(2 * dayMs);
    await deleteExpired(context);
    expect([(await stored()).length, deleted()]).toEqual([1, 1]);
    await shipDue(shipping);
    expect(receiver.lines.map(({ number }) => number)).toEqual([1, 3]);
    const [lag] = await service.context.stores.preAuth.listShippingLag({ logs: ['requests'], destinations: ['https'] });
    expect(lag).toMatchObject({ count: 0 });
    expect(deleted()).toBe(1);
  });
});

describe('lines of the audit log that were kept long enough', () => {
  const context = () => ({ ...service.context, logShipping: { logs: ['audit'], destinations: ['https'] } }) as const;
  const deleted = (): number => service.context.figures.get('deleted-unshipped/audit');
  const remaining = async (): Promise<number> => (await verifyAuditChain(service.context, tenant)).deletedCount;

  test('stay for 30 more days until they are shipped, and are counted when they are deleted unshipped', async () => {
    await makeLines('One', 'Two');
    const { end } = await verifyAuditChain(service.context, tenant);
    service.clock.advance(59 * dayMs);
    await deleteExpired(context());
    expect([await remaining(), deleted()]).toEqual([0, 0]);
    service.clock.advance(2 * dayMs);
    await deleteExpired(context());
    expect([await remaining(), deleted()]).toEqual([end.number, end.number]);
  });

  test('go at their time once they are shipped, and the next ones follow the last of them', async () => {
    const receiver = await httpReceiver();
    const shipping = createShipping(service.context, [httpTo(receiver, service.context)]);
    await makeLines('One');
    await shipDue(shipping);
    service.clock.advance(31 * dayMs);
    await deleteExpired(context());
    const { end } = await verifyAuditChain(service.context, tenant);
    expect([await remaining(), deleted()]).toEqual([end.number, 0]);
    const admin = await service.enter(tenant);
    await admin.makeClient('Two');
    await chainAuditLines(service.context);
    await shipDue(shipping);
    const text = receiver.posts.map((post) => post.text).join('');
    expect((await verified(text)).code).toBe(0);
    // A destination that comes later begins with what is there.
    const late = await httpReceiver();
    const otlp = httpTo(late, service.context, { name: 'otlp' });
    await shipDue(createShipping(service.context, [otlp]));
    const [{ logRecords }] = JSON.parse(late.posts[0]!.text).resourceLogs[0].scopeLogs;
    const first = JSON.parse(logRecords[0].body.stringValue);
    expect([first.number, first.previous_hash]).toEqual([end.number + 1, end.hash.toString('hex')]);
  });

  test('that were deleted unshipped show as a gap, and the first after them names the hash of the last', async () => {
    const receiver = await httpReceiver();
    const shipping = createShipping(service.context, [httpTo(receiver, service.context)]);
    await makeLines('One');
    await shipDue(shipping);
    await makeLines('Two');
    const { end } = await verifyAuditChain(service.context, tenant);
    service.clock.advance(61 * dayMs);
    await deleteExpired(context());
    expect(deleted()).toBe(1);
    const admin = await service.enter(tenant);
    await admin.makeClient('Three');
    await chainAuditLines(service.context);
    await shipDue(shipping);
    const text = receiver.posts.map((post) => post.text).join('');
    expect(await verified(text)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`Line ${end.number} is missing.`),
    });
    const after = receiver.lines.find(({ number }) => number === end.number + 1)!;
    expect(after['previous_hash']).toBe(end.hash.toString('hex'));
  });
});

describe('verify-audit --file', () => {
  let text: string;
  let lines: string[];
  const without = (index: number): string => lines.toSpliced(index, 1).join('\n');
  const changed = (index: number, change: (line: Record<string, unknown>) => object): string =>
    lines.with(index, JSON.stringify(change(JSON.parse(lines[index]!)))).join('\n');

  beforeEach(async () => {
    const receiver = await httpReceiver();
    await service.admin.makeClient('Zürich');
    await addManyLines(
      1,
      '{"b": [1.10, 1e3, -0.0, {"aa": null, "z": true, "10": "x", "2": "\\u0001"}], "aaa": 12345678901234567890.5}',
    );
    await makeLines('Three', 'Four');
    await shipDue(createShipping(service.context, [httpTo(receiver, service.context)]));
    text = receiver.posts.map((post) => post.text).join('');
    lines = text.split('\n').slice(0, -1);
  });

  test('prints the end that the database has, for lines in any order, repeated, and written anew by their receiver', async () => {
    const { end } = await verifyAuditChain(service.context, tenant);
    const name = `${tenant.workspaceId}/production:${end.number}:${end.hash.toString('hex')}`;
    const holds = { code: 0, stdout: expect.stringContaining(`${name}  ${end.number} lines from 1 to ${end.number}`) };
    expect(await verified(text)).toMatchObject(holds);
    expect(await verified([...lines.toReversed(), ...lines].join('\n'))).toMatchObject(holds);
    expect(
      await verified(lines.map((line) => `Nov 15 host holdfast: ${line.replaceAll('":', '" : ')}`).join('\n')),
    ).toMatchObject(holds);
    expect(await verified(text, [name])).toMatchObject({ code: 0 });
    expect(await verified(lines.slice(0, -1).join('\n'), [name])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`Link ${end.number}`),
    });
  });

  test('names what is missing, changed, or follows another line', async () => {
    const { length } = lines;
    const faultsIn = async (shipped: string, settings = {}): Promise<[number, string]> => {
      const { code, stdout } = await verified(shipped, [], settings);
      return [code, stdout];
    };
    expect(await faultsIn(without(1))).toEqual([1, expect.stringContaining('Line 2 is missing.')]);
    expect(await faultsIn(changed(length - 2, (line) => ({ ...line, act: 'delete' })))).toEqual([
      1,
      expect.stringMatching(`Link ${length - 1}: the line [0-9a-f]+ was changed.`),
    ]);
    const other = { hash: 'a'.repeat(64) };
    expect((await faultsIn(changed(length - 2, (line) => ({ ...line, ...other }))))[1]).toContain(
      `link ${length - 1} has`,
    );
    const withoutKey = { ENCRYPTION_KEY: undefined, DATA_DIR: '/nowhere' };
    expect(await faultsIn(text, withoutKey)).toEqual([0, expect.stringContaining('ENCRYPTION_KEY is not set')]);
    expect(
      (
        await faultsIn(
          changed(length - 2, (line) => ({ ...line, ...other })),
          withoutKey,
        )
      )[0],
    ).toBe(1);
    expect(
      (
        await faultsIn(
          changed(length - 2, (line) => ({ ...line, act: 'delete' })),
          withoutKey,
        )
      )[0],
    ).toBe(0);
  });

  test('refuses files without lines, and words that it does not know', async () => {
    expect(await verified('hello\n{"log":"else"}\n[]\n{"log":"audit"}')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('There is no line of a log.'),
    });
    expect((await verified(text, ['--metrics-file', 'x'])).code).toBe(2);
    expect((await verified(text, ['--file'])).code).toBe(2);
    expect((await verified(text, ['--file', '/nowhere'])).code).toBe(1);
  });
});
