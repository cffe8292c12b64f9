// The sandbox on v1: makes clients by persona, moves their clocks, and removes them whole. Answers in the sandbox environment only.

import { anyInteger, oneOf, anyText, type JsonSchema } from '../../../kit/field.ts';
import { member, objectOf } from '../../../kit/structured-field.ts';
import { writeJson } from '../../../kit/json.ts';
import type { Resource } from '../../../kit/resource.ts';
import { personaKeys, personas, sandboxCurrencies, type PersonaKey } from '../../../model/sandbox/persona.ts';
import {
  newSandboxClient,
  sandboxAdvance,
  sandboxClient,
  type NewSandboxClient,
  type SandboxAdvance,
} from '../../../model/sandbox/sandbox-client.ts';
import { confirmCaller } from '../../../actions/access/authentication.ts';
import { readActions } from '../../../actions/core/record-actions.ts';
import type { ResultPage } from '../../../actions/core/resource.ts';
import {
  advanceSandboxClient,
  createSandboxClient,
  sandboxClientRules,
  type SandboxOutcome,
} from '../../../actions/sandbox/sandbox-client.ts';
import { deleteSandboxClient } from '../../../actions/sandbox/sandbox-deletion.ts';
import { listFromCursor, pageSchema } from '../../http/lists/cursor-page.ts';
import { entityTag } from '../../http/negotiation/entity-tag.ts';
import { withRequiredMembers } from '../../http/operation/object-schema.ts';
import { defineOperation, type Operation } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { readSnakeCase, snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { bodyOf, pointIntoBody } from '../custody/admin-operation.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { renderV1, v1DeletePath, v1ListPath, v1ReadPath } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const collection = '/v1/sandbox/clients';
const operationBase = { wire: v1, group: sandboxClient.plural } as const;

const paths = { actions: { ...readActions(sandboxClientRules), delete: deleteSandboxClient } } as const;

/** Refused in production, whatever the request. */
function inSandboxOnly(operation: Operation): Operation {
  return { ...operation, sandboxOnly: true, refusals: ['sandbox-only', ...operation.refusals] };
}

const written = objectOf({
  transactions: member(anyInteger, 'Transactions that were booked.'),
  prices: member(anyInteger, 'Prices and net asset values that were not there yet.'),
  rates: member(anyInteger, 'Exchange rates that were not there yet. None of currencies that you have sent rates of.'),
});

const outcomeSchema: JsonSchema = withRequiredMembers(snakeCaseSchema(sandboxClient, v1), {
  written: { ...written.schema(v1.style), description: 'What this request has added.' },
});

function renderOutcome({ record, written: counts }: SandboxOutcome) {
  const body = renderV1(sandboxClient, record);
  return { etag: entityTag(writeJson(body)), body: { ...body, written: written.write(counts, v1.style) } };
}

/** Points faults at the members of what was sent. */
async function pointingInto<T>(sent: Resource, task: Promise<T>): Promise<T> {
  return task.catch((error: unknown) => {
    throw pointIntoBody(sent, error);
  });
}

const createPath = defineOperation<NewSandboxClient>({
  ...operationBase,
  id: 'v1.sandbox-client.create',
  method: 'POST',
  path: collection,
  summary: 'Make a client by persona',
  description:
    'Makes a client with entities, accounts, portfolios, limits and years of prices, rates and transactions, in a few seconds and by the same rules as any other request: events are caused, and the audit log has it. The same persona, seed, currency and days give the same figures in any workspace. The market is invented, and shared by all clients of the sandbox: its instruments have ISINs that begin with XX, and its prices and rates give way to your own. Leave days to advance by an earlier `end_date`.',
  right: 'write',
  mode: 'write',
  heavy: true,
  query: {},
  body: bodyOf(newSandboxClient),
  responses: {
    201: {
      description: 'The client, with the ids of everything that was made.',
      schema: outcomeSchema,
      headers: { Location: 'Its address.', ETag: 'Its entity tag.' },
    },
  },
  refusals: ['sandbox-full', 'outside-reach'],
  read: ({ body }) => readSnakeCase(newSandboxClient, body, { wire: v1, purpose: 'create' }),
  async handle({ work }, input) {
    const outcome = await pointingInto(newSandboxClient, createSandboxClient(work, input));
    const { etag, body } = renderOutcome(outcome);
    const location = `${work.context.addresses.baseUrl}${collection}/${outcome.record.id}`;
    return { status: 201, headers: { location, etag }, body };
  },
});

const advancePath = defineOperation<SandboxAdvance>({
  ...operationBase,
  id: 'v1.sandbox-client.advance',
  pathResource: sandboxClient,
  method: 'POST',
  path: `${collection}/{id}/advance`,
  summary: 'Move the clock of a client',
  description:
    'Lets the days up to `to`, or the next `days`, happen: prices, rates, salaries, trades, income, calls and distributions of those days are booked as a feed would bring them, with events, webhooks and a round of calculation. In one step or in many, the outcome is the same. A clock never goes back, and never beyond today. Two requests at once follow each other; send `to`, or an `Idempotency-Key`, so that a repeated one moves nothing twice.',
  right: 'write',
  mode: 'write',
  heavy: true,
  query: {},
  body: bodyOf(sandboxAdvance),
  responses: {
    200: { description: 'The client as it is now.', schema: outcomeSchema, headers: { ETag: 'Its entity tag.' } },
  },
  refusals: ['sandbox-client-not-found', 'sandbox-client-changed', 'outside-reach'],
  read: ({ body }) => readSnakeCase(sandboxAdvance, body, { wire: v1, purpose: 'create' }),
  async handle({ work, params }, input) {
    const outcome = advanceSandboxClient(work, pathParameter(params, 'id'), input);
    const { etag, body } = renderOutcome(await pointingInto(sandboxAdvance, outcome));
    return { status: 200, headers: { etag }, body };
  },
});

const personaShape = objectOf({
  key: member(oneOf(personaKeys), 'What to send as `persona`.'),
  name: member(anyText, 'The name that a client gets if you send none.'),
  description: member(anyText, 'What it is for, and what is in it.'),
  reportingCurrency: member(oneOf(sandboxCurrencies), 'The currency of its reports if you send none.'),
});

const personaPath = defineOperation<void>({
  wire: v1,
  group: 'sandbox-personas',
  id: 'v1.sandbox-persona.list',
  method: 'GET',
  path: '/v1/sandbox/personas',
  summary: 'List the personas of the sandbox',
  description: 'Choose the kind of client to make: those that the sandbox can make, with what each is good for.',
  right: 'read',
  mode: 'read',
  query: pageParameters,
  responses: { 200: { description: 'The personas.', schema: pageSchema(personaShape.schema(v1.style)) } },
  refusals: ['cursor-invalid', 'cursor-expired'],
  read: () => undefined,
  async handle(request) {
    await confirmCaller(request.work);
    const list = async (position: string | undefined): Promise<ResultPage<PersonaKey>> => {
      const from = personaKeys.findIndex((key) => key === position) + 1;
      const to = from + pageSizeOf(request);
      return { records: personaKeys.slice(from, to), hasMore: to < personaKeys.length };
    };
    const query = { queryKey: ['/v1/sandbox/personas'], list, positionOf: (key: PersonaKey) => key };
    const page = await listFromCursor(request, query);
    const data = page.data.map((key) => personaShape.write({ key, ...personas[key] }, v1.style));
    return { status: 200, body: { ...page, data } };
  },
});

const deletePath: Operation = {
  ...v1DeletePath(paths),
  path: `${collection}/{id}`,
  refusals: ['sandbox-client-not-found', 'client-has-live-data', 'outside-reach', 'precondition-failed'],
  heavy: true,
};

export const sandboxPaths: readonly Operation[] = [
  personaPath,
  { ...v1ListPath(paths), path: collection },
  createPath,
  { ...v1ReadPath(paths), path: `${collection}/{id}` },
  advancePath,
  deletePath,
].map(inSandboxOnly);
