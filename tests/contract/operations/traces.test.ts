// Traces over the whole service: one booking is one trace from the request to the delivery, spans have names and no data, and strangers do
// not decide what is recorded.

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeLedgerHousehold } from '../../setup/ledger/ledger-household.ts';
import { OtlpReceiver } from '../../setup/monitoring/otlp-receiver.ts';
import { startTestService, type TestService } from '../../setup/node/test-service.ts';

// Spans arrive soon: a node that stops gives those that are left half a second, which a busy machine may overrun.
beforeEach(() => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20');
  onTestFinished(() => void vi.unstubAllEnvs());
});

const callersTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const callersSpan = '00f067aa0ba902b7';

async function startCollector(): Promise<OtlpReceiver> {
  const collector = await OtlpReceiver.start();
  onTestFinished(() => collector.stop());
  return collector;
}

/** A webhook's receiver that keeps the headers of what it gets. */
async function startReceiver(): Promise<{ readonly url: string; readonly received: IncomingHttpHeaders[] }> {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, response) => {
    received.push(headers);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received };
}

async function runJob({ jobs }: TestService, name: string): Promise<void> {
  for (const job of jobs.filter((one) => one.name === name)) await job.run(new AbortController().signal);
}

function answeredLines({ log }: TestService, requestId: string): any[] {
  return log.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId && line.msg === 'answered');
}

test('one booking is one trace: its request, its statements, the report on it in a thread, and the delivery of its event', async () => {
  const collector = await startCollector();
  const receiver = await startReceiver();
  const service = await startTestService({
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
      OTEL_SERVICE_NAME: 'office',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bed',
      REQUEST_LOG: 'on',
      WORK_THREADS: '1',
    },
  });
  const { admin, first } = service;
  const household = await makeLedgerHousehold(admin);
  await admin.post('/v1/webhooks', { url: receiver.url, events: ['transaction.created'] });
  const deposit = { type: 'deposit', account_id: household.account, date: '2026-01-05', amount: '98765.4321' };
  const headers = { traceparent: `00-${callersTrace}-${callersSpan}-00`, 'x-request-id': 'booked', tracestate: 'a=b' };
  expect((await admin.post('/v1/transactions', deposit, headers)).status).toBe(201);
  const report = `/v1/holdings?reporting_entity_id=${household.reportingEntity}`;
  expect((await admin.get(report, { traceparent: headers.traceparent })).status).toBe(200);
  await runJob(service, 'all deliveries');
  const intervalJobs = [
    'expiry',
    'leftover-deliveries',
    'clock-setback',
    'audit-chain',
    'revocations',
    'authority-ends',
    'waiting-rows',
  ];
  for (const name of intervalJobs) await runJob(service, name);
  await expect.poll(() => receiver.received).toHaveLength(1);
  await expect.poll(async () => (await admin.get('/v1/requests?request_id=booked')).body.data).toHaveLength(1);
  const [line] = (await admin.get('/v1/requests?request_id=booked')).body.data;
  const ended = ['POST /v1/transactions', 'delivery', 'GET /v1/holdings', ...intervalJobs];
  await expect.poll(() => collector.names).toEqual(expect.arrayContaining(ended));
  await expect.poll(() => collector.find(callersTrace, 'thread ')).toHaveLength(1);
  await service.stop();

  const [request] = collector.find(callersTrace, 'POST /v1/transactions');
  expect(request).toMatchObject({
    kind: 2,
    parentSpanId: callersSpan,
    resource: { 'service.name': 'office', 'deployment.environment.name': 'test bed' },
    attributes: { 'http.route': '/v1/transactions', 'holdfast.operation': 'v1.transaction.create' },
  });
  const statements = collector.find(callersTrace, 'postgresql ');
  const ofRequest = statements.filter(({ parentSpanId }) => parentSpanId === request!.spanId);
  expect(ofRequest.length).toBeGreaterThan(0);
  const [delivery] = collector.find(callersTrace, 'delivery');
  expect(delivery).toMatchObject({ kind: 3, parentSpanId: request!.spanId });
  expect(delivery!.attributes).toMatchObject({ 'holdfast.event': 'transaction.created' });
  expect(receiver.received[0]!['traceparent']).toBe(`00-${callersTrace}-${delivery!.spanId}-01`);
  expect(receiver.received[0]!['tracestate']).toBeUndefined();
  const [reported] = collector.find(callersTrace, 'GET /v1/holdings');
  const [thread] = collector.find(callersTrace, 'thread ');
  expect(thread!.parentSpanId).toBe(reported!.spanId);
  expect(statements.filter(({ parentSpanId }) => parentSpanId === thread!.spanId).length).toBeGreaterThan(0);

  expect(answeredLines(service, 'booked')).toMatchObject([{ traceId: callersTrace }]);
  expect(line.trace_id).toBe(callersTrace);
  // What a node does at intervals: a trace for each run, with its statements.
  for (const name of intervalJobs) {
    const [run] = collector.spans.filter((span) => span.name === name);
    expect([name, run?.parentSpanId]).toEqual([name, undefined]);
    expect(collector.find(run!.traceId, 'postgresql ').length).toBeGreaterThan(0);
  }
  // Names only: no id, no amount, no path, no query.
  for (const value of [
    first.workspaceId,
    household.account,
    household.client,
    deposit.amount, // with its point: times in nanoseconds have any five digits
    'reporting_entity_id',
    'booked',
  ])
    expect(collector.text).not.toContain(value);
});

test('a stranger neither chooses what is recorded nor breaks it with a malformed header', async () => {
  const collector = await startCollector();
  const service = await startTestService({
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.address}/`, OTEL_TRACES_SAMPLER: 'traceidratio' },
  });
  const stranger = service.admin.withToken(null);
  const ask = (id: string, traceparent: string): Promise<unknown> =>
    stranger.get('/v1/clients', { 'x-request-id': id, traceparent });
  await ask('hidden', `00-${callersTrace}-${callersSpan}-00`);
  const malformed = ['', 'x', `00-${'0'.repeat(32)}-${callersSpan}-01`, `ff-${callersTrace}-${callersSpan}-01`];
  for (const [index, header] of malformed.entries()) await ask(`bad-${index}`, header);
  const requests = (): string[] => collector.names.filter((name) => name === 'GET /v1/clients');
  await expect.poll(requests).toHaveLength(1 + malformed.length);
  await service.stop();
  expect(collector.find(callersTrace, 'GET /v1/clients')).toHaveLength(1);
  expect(collector.find(callersTrace, 'GET /v1/clients')[0]!.attributes).toMatchObject({
    'holdfast.problem': 'token-missing',
  });
  for (const index of malformed.keys()) {
    const [{ traceId }] = answeredLines(service, `bad-${index}`);
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(traceId).not.toBe(callersTrace);
    expect(collector.find(traceId, 'GET /v1/clients')).toHaveLength(1);
  }
});

test('what the sampler leaves out is not recorded, also if the caller asks for it; the log has its trace id', async () => {
  const collector = await startCollector();
  const settings = { OTEL_TRACES_SAMPLER: 'parentbased_always_off' };
  const service = await startTestService({
    settings: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.address}/v1/traces`, ...settings },
  });
  const headers = { 'x-request-id': 'asked', traceparent: `00-${callersTrace}-${callersSpan}-01` };
  await service.admin.get('/v1/me', headers);
  await service.stop();
  expect(collector.spans).toEqual([]);
  expect(answeredLines(service, 'asked')).toMatchObject([{ traceId: callersTrace }]);
});

test('without a collector nothing is traced: no header goes out, and the log has no trace id', async () => {
  const receiver = await startReceiver();
  const service = await startTestService();
  const { admin } = service;
  const webhook = await admin.post('/v1/webhooks', { url: receiver.url, events: ['transaction.created'] });
  const headers = { 'x-request-id': 'tested', traceparent: `00-${callersTrace}-${callersSpan}-01` };
  await admin.post(`/v1/webhooks/${webhook.body.id}/test`, undefined, headers);
  await runJob(service, 'all deliveries');
  await expect.poll(() => receiver.received).toHaveLength(1);
  await service.stop();
  expect(receiver.received[0]!['traceparent']).toBeUndefined();
  expect(answeredLines(service, 'tested')[0]).not.toHaveProperty('traceId');
});
