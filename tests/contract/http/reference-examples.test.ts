// Requests the example answers of the reference again. Reads are about the demo. Writes, and reads of what the demo has none of, are about
// a small world of examples. Each request is the documented one, and its answer must equal that in src/surfaces/http/openapi/examples.json;
// example-ids.json beside it has the ids of the demo. `npm run examples` writes both.

import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import { beforeAll, expect, test } from 'vitest';
import formatting from '../../../.oxfmtrc.json' with { type: 'json' };
import { ManualClock } from '../../setup/kit/manual-clock.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import { signAssertion, requestToken, registerRsa } from '../../setup/access/assertion.ts';
import { listExampleAccounts } from '../../setup/custody/example-custody.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { exampleIdOfType } from '../../../src/kit/resource.ts';
import { isSandboxOnly } from '../../setup/sandbox/sandbox-clients.ts';
import { isCustodyStep } from '../../setup/access/client-hierarchy.ts';
import { isId } from '../../../src/kit/id.ts';
import { openApiDocument } from '../../../src/surfaces/http/openapi/openapi-document.ts';
import { fetchDemoDocument, readExamples } from '../../setup/http/demo-document.ts';
import { ExampleAnswers, isDemoId } from '../../setup/http/example-answers.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { pathToRecord, recordTypeInPath, ExampleWorld } from '../../setup/http/example-world.ts';

function recordedIn(name: string): string {
  return fileURLToPath(new URL(`../../../src/surfaces/http/openapi/${name}.json`, import.meta.url));
}

const service = serviceForThisFile({ clock: new ManualClock('2026-11-15T12:00:00Z'), settings: { DEMO: 'on' } });

/** The administrator of the examples' workspace. */
let caller: Caller;
let world: ExampleWorld;
let answers: ExampleAnswers;
/** Of the same workspace, in the environment that has personas. */
let sandbox: Caller;

beforeAll(async () => {
  caller = await service.openWorkspace();
  world = await ExampleWorld.create(caller);
  await makePlausible();
  answers = await ExampleAnswers.create(caller, world);
  sandbox = await caller.becomeApplication({ rights: ['read', 'write'], environment: 'sandbox' });
});

/** Pays in what was invested, and lets the shares have prices of the last days, so that no account is overdrawn and figures move. */
async function makePlausible(): Promise<void> {
  const paidIn = {
    type: 'deposit',
    date: '2026-03-02',
    amount: '25000',
    currency: 'CHF',
    comment: 'Capital of the holding',
  };
  expect((await caller.post('/v1/transactions', { ...paidIn, account_id: world.idOf('account') })).status).toBe(201);
  const prices = [
    { date: '2026-11-11', value: '103.5' },
    { date: '2026-11-12', value: '103.8' },
    { date: '2026-11-13', value: '104.35' },
  ];
  const path = `/v1/instruments/${world.idOf('instrument')}/prices/bulk`;
  expect((await caller.post(path, { data: prices })).status).toBe(200);
  await runRounds(caller.address);
}

type ExamplesByOperation = Record<string, Record<number, unknown>>;

/** Reads whose answers depend on what was asked before. */
const changing = [
  'v1.request-log.read',
  'v1.usage.read',
  'v1.audit-entry.list',
  'v1.audit-entry.read',
  'v1.diagnostics.read',
];

/** Operations with an answer to show: deletions and erasures return nothing. */
const answeringOperations = operations.filter(({ responses }) => Object.values(responses).some(({ schema }) => schema));

/** Reads first, then changes, then creations, so that an answer shows each record once. */
const operationsInOrder = [
  ...answeringOperations.filter(({ mode }) => mode === 'read'),
  ...answeringOperations.filter(({ method }) => method === 'PATCH'),
  ...answeringOperations.filter(({ method, mode }) => method === 'POST' && mode === 'write'),
];

/** The query string of the reference, with short pages. */
function searchFor(operation: Operation): string {
  const search = new URLSearchParams(world.queryFor(operation));
  if ('limit' in operation.query) search.set('limit', '2');
  // Without it, the instruments that the service provides make the list very long.
  if (operation.id === 'json-api.instrument.list') search.set('type', 'stock-instrument');
  return search.size === 0 ? '' : `?${search}`;
}

/** The record of the examples, or another one where the operation is not possible on that. */
async function recordIdFor(operation: Operation, type: string): Promise<string> {
  if (isCustodyStep(operation)) {
    const id = await world.makeFor(operation);
    if (operation.id === 'v1.authority.connect-accounts') await listExampleAccounts(caller, id);
    return id;
  }
  return type === 'audit-entry' ? world.make(type) : world.idOf(type);
}

/** Sends the documented request about the record of the examples. */
async function perform(operation: Operation): Promise<Reply> {
  const { method, path } = operation;
  const type = recordTypeInPath(path);
  const recordId = type && (await recordIdFor(operation, type));
  const address = pathToRecord(path, recordId!, (above) => world.idOf(above)) + searchFor(operation);
  return caller.send(address, { method, body: world.bodyFor(operation, recordId) });
}

let firstReply: Promise<Reply> | undefined;

/** The client of the examples is made first; the other operations are about it. */
async function performInSandbox({ id, method, path, body }: Operation): Promise<Reply> {
  const { path: collection, body: creation } = operations.find((one) => one.id === 'v1.sandbox-client.create')!;
  const made = await (firstReply ??= sandbox.post(collection, creation?.example));
  const address = path.replace('{id}', made.body.id);
  const reply = id === 'v1.sandbox-client.create' ? made : await sandbox.send(address, { method, body: body?.example });
  const shown = reply.body.data?.[0]?.records
    ? { ...reply.body, data: reply.body.data.map(withFewRecords) }
    : reply.body;
  return { ...reply, body: withFewRecords(shown) };
}

/** Shows the first of each type. */
function withFewRecords(answer: any): any {
  if (answer.records === undefined) return answer;
  const types: string[] = answer.records.map(({ type }: any) => type);
  const first = answer.records.filter(({ type }: any, index: number) => types.indexOf(type) === index);
  return { ...answer, records: first.map((one: any) => ({ ...one, id: exampleIdOfType(one.type) })) };
}

async function exampleOf(operation: Operation): Promise<Record<number, unknown>> {
  const { status, body, text } = await (isSandboxOnly(operation) ? performInSandbox : perform)(operation);
  if (operation.responses[status]?.schema === undefined) throw new Error(`${operation.id}: ${status} ${text}`);
  return {
    [status]: answers.render(
      body,
      isSandboxOnly(operation) ? 'sandbox-client' : (operation.resource?.type ?? operation.group),
    ),
  };
}

async function collectExamples(): Promise<ExamplesByOperation> {
  const anonymous = caller.withToken(null);
  const { clientId, clientSecret } = service.first;
  const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const signer = await registerRsa(caller);
  const assertion = signAssertion(signer, { now: service.clock.now(), audience: service.addresses.baseUrl });
  const replies = {
    'desk.health': await anonymous.get('/healthz'),
    'desk.readiness': await anonymous.get('/readyz'),
    'desk.write-readiness': await anonymous.get('/readyz/write'),
    // The example stays when the release changes.
    'desk.version': { ...(await anonymous.get('/version')), body: { release: '0.2.0' } },
    'token.flow-a': await requestToken(signer, anonymous, assertion),
    'token.oauth': await anonymous.post('/oauth/token', credentials),
  };
  return Object.fromEntries(
    Object.entries(replies).map(([id, { status, body }]) => [id, { [status]: answers.render(body, 'token') }]),
  );
}

async function formatRecords(made: object): Promise<string> {
  const sorted = Object.fromEntries(Object.entries(made).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  const { printWidth } = formatting;
  return (await format('recorded.json', JSON.stringify(sorted, null, 2), { printWidth })).code;
}

test('every example answer of the reference is the actual answer to its request', async () => {
  const made: ExamplesByOperation = {};
  const { address } = caller;
  for (const { operationId, answer, isOfDemo } of readExamples(await fetchDemoDocument(address))) {
    const { resource, group } = operations.find(({ id }) => id === operationId)!;
    const isShown = isOfDemo && !changing.includes(operationId);
    if (isShown) made[operationId] = { 200: answers.render(answer, resource?.type ?? group) };
  }
  for (const operation of operationsInOrder) made[operation.id] ??= await exampleOf(operation);
  Object.assign(made, await collectExamples());
  await expect(
    await formatRecords(made),
    'The answers are no longer those of the reference. `npm run examples` writes them',
  ).toMatchFileSnapshot(recordedIn('examples'));
});

test('the examples of requests have the ids that the demo has everywhere', async () => {
  const { addresses } = service;
  const declared = openApiDocument({ addresses, operations, openOperations: [], version: '' });
  const served = await fetchDemoDocument(caller.address);
  const ids: Record<string, string> = {};
  for (const { path } of operations.filter(({ method }) => method === 'GET')) {
    const [examples, live] = [declared, served].map((one: any) => one.paths[path].get.parameters);
    for (const [index, { example }] of examples.entries())
      if (isId(String(example)) && isDemoId(live[index].example)) ids[example] = live[index].example;
  }
  await expect(
    await formatRecords(ids),
    'The ids of the demo are no longer those of the reference. `npm run examples` writes them',
  ).toMatchFileSnapshot(recordedIn('example-ids'));
});
