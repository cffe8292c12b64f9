// A token bound to one client sends ids that it cannot access wherever an id can be sent: in bodies, paths, filters and cursors.
// They are treated like unknown ids, and only records of one client can be linked.

import { beforeAll, describe, expect, test } from 'vitest';
import { exampleVariant, isToMany } from '../../../src/kit/resource.ts';
import { isSettable } from '../../../src/surfaces/http/operation/declared-fields.ts';
import { unknownUuid } from '../../setup/people/members.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import {
  sendOperation,
  allRights,
  FullClient,
  isSharedByAll,
  createHierarchy,
  listIds,
  digestStoredRows,
  replyText,
} from '../../setup/access/client-hierarchy.ts';
import { isSandboxOnly } from '../../setup/sandbox/sandbox-clients.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const unknownId = '0123456789abcdef01234567';

const service = workspaceForThisFile();
let own: FullClient;
let child: FullClient;
/** A caller bound to `own`. */
let scoped: Caller;
/** Two more records of each type that `own` has. */
const validIds: Record<string, [string, string]> = {};

/** A client that `scoped` cannot see, a caller that sees its records, and one that is bound to it. */
interface Hidden {
  readonly household: FullClient;
  readonly admin: Caller;
  readonly agent: Caller & { id: string };
}

const relatives = ['parent', 'sibling', 'stranger'] as const;
const outsiders = ['a foreign workspace', 'the other environment'] as const;
const hiddenOwners = [...relatives, ...outsiders];
const hidden = {} as Record<(typeof hiddenOwners)[number], Hidden>;

async function makeHidden(admin: Caller, household: FullClient): Promise<Hidden> {
  for (const type of [
    'client',
    'account',
    'depository',
    'reporting-entity',
    'portfolio',
    'instrument',
    'identifier-mapping',
    'key',
    'fx-rate',
    'transaction',
    'historical-holding',
    'limit',
    'calculation-round',
    'reconciliation-break',
    'feed-run',
    'import',
    'user',
    'invite',
    'webhook',
  ]) {
    await household.make(type);
  }
  const agent = await admin.becomeApplication({ rights: allRights, scoped_to: household.client });
  await agent.post('/v1/legal-entities', { name: household.family, client_id: household.client });
  return { household, admin, agent };
}

beforeAll(async () => {
  const { admin } = service;
  const households = await createHierarchy(admin);
  ({ own, child } = households);
  scoped = await admin.becomeApplication({ rights: allRights, scoped_to: own.client });
  for (const relative of relatives) hidden[relative] = await makeHidden(admin, households[relative]);
  const callers = [
    await service.openWorkspace(),
    await admin.becomeApplication({ rights: allRights, environment: 'sandbox' }),
  ];
  for (const [index, caller] of callers.entries()) {
    hidden[outsiders[index]!] = await makeHidden(caller, await FullClient.create(caller, `Hidalgo${index}`));
  }
  for (const type of ['client', 'legal-entity', 'account', 'depository', 'reporting-entity', 'portfolio']) {
    validIds[type] = [await own.make(type), await own.make(type)];
  }
});

function getOperation(id: string): Operation {
  return operations.find((operation) => operation.id === id)!;
}

/** Where a body can refer to another record, and of which type; in a set the id is placed between valid ones. */
const idPointers = [
  ['json-api.client.create', '/data/relationships/parent', 'client'],
  ['json-api.client.change', '/data/relationships/parent', 'client'],
  ['json-api.account.create', '/data/relationships/depositories/data/1', 'depository'],
  ['json-api.account.change', '/data/relationships/depositories/data/1', 'depository'],
  ['json-api.depository.create', '/data/relationships/accounts/data/1', 'account'],
  ['json-api.depository.change', '/data/relationships/accounts/data/1', 'account'],
  ['json-api.portfolio.create', '/data/relationships/accounts/data/1', 'account'],
  ['json-api.portfolio.create', '/data/relationships/depositories/data/1', 'depository'],
  ['json-api.portfolio.change', '/data/relationships/accounts/data/1', 'account'],
  ['json-api.portfolio.change', '/data/relationships/depositories/data/1', 'depository'],
  ['plain.key.create', '/scoped_to', 'client'],
  ['v1.client.create', '/parent_id', 'client'],
  ['v1.client.change', '/parent_id', 'client'],
  ['v1.legal-entity.create', '/client_id', 'client'],
  ['v1.account.create', '/institution', 'custodian'],
  ['v1.account.create', '/entity_id', 'legal-entity'],
  ['v1.account.create', '/custodian_id', 'custodian'],
  ['v1.account.create', '/depository_ids/1', 'depository'],
  ['v1.account.change', '/institution', 'custodian'],
  ['v1.account.change', '/custodian_id', 'custodian'],
  ['v1.account.change', '/depository_ids/1', 'depository'],
  ['v1.depository.create', '/legal_entity_id', 'legal-entity'],
  ['v1.depository.create', '/account_ids/1', 'account'],
  ['v1.depository.change', '/account_ids/1', 'account'],
  ['v1.reporting-entity.create', '/client_id', 'client'],
  ['v1.portfolio.create', '/reporting_entity_id', 'reporting-entity'],
  ['v1.portfolio.create', '/account_ids/1', 'account'],
  ['v1.portfolio.create', '/depository_ids/1', 'depository'],
  ['v1.portfolio.change', '/account_ids/1', 'account'],
  ['v1.portfolio.change', '/depository_ids/1', 'depository'],
  ['json-api.private-instrument.create', '/data/relationships/instrumentClass', 'instrument-class'],
  ['v1.instrument.create', '/instrument_class_id', 'instrument-class'],
  ['v1.instrument.create', '/reporting_entity_id', 'reporting-entity'],
  ['v1.instrument.change', '/instrument_class_id', 'instrument-class'],
  ['v1.identifier-mapping.create', '/client_id', 'client'],
  ['v1.identifier-mapping.create', '/custodian_id', 'custodian'],
  ...(['account', 'depository', 'instrument'] as const).flatMap(
    (type) =>
      [
        ['v1.identifier-mapping.create', `/${type}_id`, type],
        ['v1.identifier-mapping.change', `/${type}_id`, type],
        ['json-api.transaction.create', `/data/relationships/${type}`, type],
        ['plain.transaction.create', `/${type}_id`, type],
        ['v1.transaction.create', `/${type}_id`, type],
        ['v1.transaction.change', `/${type}_id`, type],
      ] as const,
  ),
  ['v1.transaction.create', '/reverses_transaction_id', 'transaction'],
  ['v1.transaction.change', '/reverses_transaction_id', 'transaction'],
  ['json-api.historical-account-holding.create', '/data/relationships/account', 'account'],
  ['json-api.historical-fee-holding.create', '/data/relationships/account', 'account'],
  ['json-api.historical-instrument-holding.create', '/data/relationships/depository', 'depository'],
  ['json-api.historical-instrument-holding.create', '/data/relationships/instrument', 'instrument'],
  ['v1.historical-holding.create', '/depository_id', 'depository'],
  ['v1.historical-holding.create', '/instrument_id', 'instrument'],
  ['plain.limit.create', '/client_id', 'client'],
  ['v1.limit.create', '/client_id', 'client'],
  ['v1.limit.create', '/reporting_entity_id', 'reporting-entity'],
  ['v1.limit.change', '/reporting_entity_id', 'reporting-entity'],
  ['json-api.invite.create', '/data/relationships/client', 'client'],
  ['json-api.user.create', '/data/relationships/readAccessToReportingEntities/data/1', 'reporting-entity'],
  ['json-api.user.change', '/data/relationships/readAccessToReportingEntities/data/1', 'reporting-entity'],
  ['v1.user.create', '/client_id', 'client'],
  ['v1.user.create', '/reporting_entity_ids/1', 'reporting-entity'],
  ['v1.user.change', '/reporting_entity_ids/1', 'reporting-entity'],
  ['v1.invite.create', '/client_id', 'client'],
  ['v1.webhook.create', '/client_id', 'client'],
  ['v1.application.create', '/scoped_to', 'client'],
  ['v1.key.create', '/scoped_to', 'client'],
] as const;

/** The operations with which a bound token can write: not those on shared records. */
const writable = operations.filter((operation) => operation.mode === 'write' && !isSharedByAll(operation));

/** Types shared by all clients of a workspace. */
const sharedTypes: readonly string[] = ['custodian', 'import-profile', 'instrument-class'];

const sets = idPointers.filter(([, pointer]) => pointer.endsWith('/1'));

/** A body with an id at this pointer. An account takes either an institution or a custodian. */
function withIdAt(body: any, pointer: string, type: string, id: string): any {
  const isDocument = pointer.startsWith('/data/');
  const identify = (one: string): unknown => (isDocument ? { type, id: one } : one);
  const [first = '', last = ''] = validIds[type] ?? [];
  const value = pointer.endsWith('/1') ? [first, id, last].map(identify) : identify(id);
  const name = pointer.split('/')[isDocument ? 3 : 1]!;
  const { institution: _institution, ...others } = body;
  if (!isDocument) return { ...others, [name]: value };
  return { data: { ...body.data, relationships: { ...body.data.relationships, [name]: { data: value } } } };
}

/** Sends the operation about a record of `own`, or of `child` if `own` itself cannot be moved. */
function sendWithId(caller: Caller, operationId: string, pointer: string, type: string, id: string): Promise<Reply> {
  const operation = getOperation(operationId);
  const recordId = (operationId.endsWith('client.change') ? child : own).recordIdFor(operation);
  const body = withIdAt(own.bodyFor(operation, recordId), pointer, type, id);
  return caller.send(operation.path.replace(/\{\w+\}/, recordId), { method: operation.method, body });
}

const typeWords = (type: string): string => type.replaceAll('-', ' ');

describe('in bodies', () => {
  test('every place that accepts an id is tested', () => {
    const declared = writable.flatMap(({ id, body, method, wire, resource, fieldInPath }) => {
      if (body === undefined || resource === undefined) return [];
      const purpose = method === 'POST' ? 'create' : 'change';
      const { relations, attributes } = exampleVariant(resource);
      const taken = Object.entries({ ...relations, ...attributes }).filter(
        ([name, field]) =>
          (name in relations || 'through' in field) &&
          name !== fieldInPath &&
          wire.shownFields.includes(resource, name) &&
          isSettable(field, purpose),
      );
      return taken.map(([name, field]) => {
        const item = name in relations && isToMany(field as never) ? 1 : undefined;
        return `${id} ${wire.pointer(resource, name, item)}`;
      });
    });
    expect(declared.toSorted()).toEqual(idPointers.map(([id, pointer]) => `${id} ${pointer}`).toSorted());
  });

  test.each(idPointers)('%s accepts at %s only records that the token sees', async (id, pointer, type) => {
    const owners = sharedTypes.includes(type) ? outsiders : hiddenOwners;
    const before = await digestStoredRows(service.database);
    for (const smuggled of [unknownId, ...owners.map((name) => hidden[name].household.idOf(type))]) {
      expect(reportedRefusal(await sendWithId(scoped, id, pointer, type, smuggled))).toEqual({
        status: 404,
        code: `${type}-not-found`,
        detail: `There is no such ${typeWords(type)}.`,
        pointer,
      });
    }
    expect(await digestStoredRows(service.database)).toEqual(before);
    // The mapping of the examples leads to an instrument, and to nothing else.
    const isOtherKind = id.startsWith('v1.identifier-mapping.') && ['account', 'depository'].includes(type);
    // The transaction of the examples does not reverse itself.
    const isRefused = isOtherKind || type === 'transaction';
    const reply = await sendWithId(scoped, id, pointer, type, own.idOf(type));
    expect(reply.status).toBeOneOf(isRefused ? [422] : [200, 201]);
  });

  const fixed = writable.flatMap(({ id, body, method, wire, resource }) =>
    Object.entries(body === undefined || resource === undefined ? {} : exampleVariant(resource).relations)
      .filter(([name]) => wire.shownFields.includes(resource!, name))
      .map(([name, field]) => [id, wire.pointer(resource, name), field.to, isToMany(field), method] as const)
      .filter(([, pointer]) => !idPointers.some(([known, place]) => known === id && place.startsWith(pointer))),
  );

  describe('nothing is changed when', () => {
    let before: unknown;

    beforeAll(async () => {
      before = await digestStoredRows(service.database);
    });

    test.each(fixed)('%s reveals nothing at %s, which cannot be set', async (id, pointer, type, isMany) => {
      const sendSmuggled = async (smuggled: string): Promise<object> =>
        reportedRefusal(await sendWithId(scoped, id, isMany ? `${pointer}/1` : pointer, type, smuggled));
      const expected = await sendSmuggled(unknownId);
      expect(expected).toMatchObject({ status: 422, pointer });
      for (const name of hiddenOwners) expect(await sendSmuggled(hidden[name].household.idOf(type))).toEqual(expected);
    });

    test('all of this has changed no row', async () => {
      expect(await digestStoredRows(service.database)).toEqual(before);
    });
  });
});

describe('in nested paths', () => {
  const nested = operations.filter(({ path }) => path.includes('}/')).map((one) => [one.id, one] as const);

  /** Only tokens of the whole workspace may erase, and only those of the sandbox move clocks: all others get the same refusal. */
  const statusOf = (id: string): number => (['v1.user.erase', 'v1.sandbox-client.advance'].includes(id) ? 403 : 404);

  let before: unknown;

  beforeAll(async () => {
    before = await digestStoredRows(service.database);
  });

  test.each(nested)('%s finds nothing', async (id, operation) => {
    const sendWithId = (recordId: string): Promise<Reply> => sendOperation(scoped, operation, own, recordId);
    const expected = reportedRefusal(await sendWithId(unknownId));
    expect(expected).toMatchObject({ status: statusOf(id), pointer: undefined });
    for (const name of hiddenOwners) {
      expect([name, reportedRefusal(await sendWithId(hidden[name].household.recordIdFor(operation)))]).toEqual([
        name,
        expected,
      ]);
    }
  });

  test('all of this has changed no row', async () => {
    expect(await digestStoredRows(service.database)).toEqual(before);
  });
});

describe('in filters and cursors', () => {
  const isWhole = ({ path }: Operation): boolean => !path.includes('{');
  // Those of the sandbox are refused here as a whole.
  const lists = operations.filter(
    (one) => one.wire.name === 'v1' && one.id.endsWith('.list') && isWhole(one) && !isSandboxOnly(one),
  );
  const filters = lists.flatMap(({ path, query }) =>
    Object.keys(query)
      .filter((name) => !['cursor', 'limit', 'known_at'].includes(name))
      .map((name) => [path, name] as const),
  );
  /** Values that the records of all clients have in common. */
  const shared = ['currency', 'exclude_from_reporting', 'act', 'subject_type', 'type', 'tag'].concat([
    'base',
    'quote',
    'start',
    'end',
    'source',
    'from',
    'to',
    'kind',
    'scheme',
    'value',
    'state',
    'status',
    'origin',
    'since',
    'until',
    'in_effect',
    'class',
    'date',
  ]);
  /** Filters on values that the records of the example world do not have. */
  const absent = ['/v1/instruments?ticker', '/v1/instruments?isin', '/v1/instrument-classes?parent_id'].concat(
    '/v1/instruments?sedol',
    '/v1/identifier-mappings?account_id',
    '/v1/identifier-mappings?depository_id',
    '/v1/transactions?external_reference',
    '/v1/transactions?format',
    '/v1/historical-holdings?account_id',
  );
  const tried = filters.filter(([path, name]) => !absent.includes(`${path}?${name}`));
  const ofAll = ['/v1/custodians', '/v1/instrument-classes'];

  /** The filter value that would find a hidden record. */
  async function valueFor(path: string, parameter: string, { household, admin, agent }: Hidden): Promise<string> {
    if (parameter === 'credential_id') return agent.id;
    if (parameter === 'subject_id') return household.idOf('account');
    if (parameter === 'in_effect') return 'true';
    if (parameter === 'q') return household.family;
    const type = lists.find((one) => one.path === path)!.resource!.type;
    const { body } = await admin.get(`${path}/${household.idOf(type)}`);
    if (parameter === 'tag') return body.tags[0];
    if (['start', 'from'].includes(parameter)) return '1900-01-01';
    if (parameter === 'since') return '2000-01-01T00:00:00Z';
    if (parameter === 'until') return '2199-01-01T00:00:00Z';
    if (['end', 'to'].includes(parameter)) return '2200-12-31';
    const isOwn = parameter !== 'parent_id' && typeof body[parameter] !== 'undefined';
    return isOwn ? encodeURIComponent(body[parameter]) : household.idForField(parameter);
  }

  test('every filter of every list is tested', () => {
    expect(filters.map((filter) => filter.join('?'))).toEqual([
      '/v1/clients?parent_id',
      '/v1/legal-entities?client_id',
      ...['external_identifier', 'currency', 'exclude_from_reporting', 'entity_id', 'client_id', 'custodian_id']
        .concat('depository_id', 'portfolio_id', 'q')
        .map((name) => `/v1/accounts?${name}`),
      ...['external_identifier', 'legal_entity_id', 'client_id', 'account_id', 'portfolio_id'].map(
        (name) => `/v1/depositories?${name}`,
      ),
      '/v1/reporting-entities?client_id',
      ...['reporting_entity_id', 'client_id', 'account_id', 'depository_id'].map((name) => `/v1/portfolios?${name}`),
      '/v1/custodians?name',
      ...['state', 'origin', 'client_id'].map((name) => `/v1/imports?${name}`),
      ...['state', 'client_id', 'legal_entity_id', 'custodian_id', 'depository_id', 'authority_id'].map(
        (name) => `/v1/auth-flows?${name}`,
      ),
      ...['state', 'client_id', 'legal_entity_id', 'custodian_id', 'depository_id'].map(
        (name) => `/v1/authorities?${name}`,
      ),
      ...['type', 'external_identifier', 'currency', 'ticker', 'isin', 'sedol', 'instrument_class_id']
        .concat('reporting_entity_id', 'q', 'tag')
        .map((name) => `/v1/instruments?${name}`),
      ...['name', 'parent_id'].map((name) => `/v1/instrument-classes?${name}`),
      ...[
        'kind',
        'scheme',
        'value',
        'source',
        'client_id',
        'custodian_id',
        'account_id',
        'depository_id',
        'instrument_id',
      ].map((name) => `/v1/identifier-mappings?${name}`),
      ...['base', 'quote', 'start', 'end', 'source'].map((name) => `/v1/fx-rates?${name}`),
      ...[
        'from',
        'to',
        'account_id',
        'depository_id',
        'instrument_id',
        'type',
        'source',
        'external_reference',
        'format',
      ].map((name) => `/v1/transactions?${name}`),
      ...['kind', 'account_id', 'depository_id', 'instrument_id', 'client_id', 'from', 'to'].map(
        (name) => `/v1/historical-holdings?${name}`,
      ),
      ...['kind', 'client_id', 'reporting_entity_id'].map((name) => `/v1/limits?${name}`),
      ...['state', 'since', 'limit_id', 'reporting_entity_id', 'client_id'].map((name) => `/v1/limit-breaches?${name}`),
      ...['state', 'since', 'client_id'].map((name) => `/v1/calculation-rounds?${name}`),
      ...['state', 'client_id', 'authority_id'].map((name) => `/v1/feeds?${name}`),
      ...['class', 'state', 'date', 'client_id', 'account_id', 'depository_id', 'instrument_id'].map(
        (name) => `/v1/reconciliation-breaks?${name}`,
      ),
      ...['email', 'status', 'client_id', 'reporting_entity_id'].map((name) => `/v1/users?${name}`),
      ...['user_id', 'email', 'state', 'client_id'].map((name) => `/v1/invites?${name}`),
      ...['state', 'client_id'].map((name) => `/v1/webhooks?${name}`),
      ...['type', 'since', 'client_id'].map((name) => `/v1/events?${name}`),
      ...['since', 'until', 'act', 'subject_type', 'subject_id', 'credential_id', 'in_effect', 'client_id'].map(
        (name) => `/v1/audit-log?${name}`,
      ),
    ]);
  });

  /** A page filtered by a value of a hidden record, which a caller with access finds. */
  async function pageBy(path: string, parameter: string, name: (typeof hiddenOwners)[number]): Promise<Reply> {
    const search = `${path}?${parameter}=${await valueFor(path, parameter, hidden[name])}`;
    expect([search, (await hidden[name].admin.get(search)).body.data]).not.toEqual([search, []]);
    const page = await scoped.get(search);
    const identifiers = hidden[name].household.identifyingTexts();
    expect([search, identifiers.filter((identifier) => replyText(page).includes(identifier))]).toEqual([search, []]);
    return page;
  }

  test.each(tried.filter(([, name]) => !shared.includes(name)))(
    '%s returns nothing when filtered by %s',
    async (path, parameter) => {
      for (const name of ofAll.includes(path) ? outsiders : hiddenOwners) {
        const page = await pageBy(path, parameter, name);
        const unknown = await scoped.get(`${path}?${parameter}=${parameter === 'user_id' ? unknownUuid : unknownId}`);
        // A hidden record cannot be told from one that does not exist.
        const isMissing = page.status === 404;
        expect(isMissing ? reportedRefusal(page) : page.body).toEqual(
          isMissing ? reportedRefusal(unknown) : { data: [], has_more: false },
        );
      }
    },
  );

  test.each(tried.filter(([, name]) => shared.includes(name)))(
    '%s returns only visible records when filtered by %s, a value shared by records of many clients',
    async (path, parameter) => {
      for (const name of hiddenOwners) expect((await pageBy(path, parameter, name)).body.data).not.toEqual([]);
    },
  );

  /** Tokens of a client get nothing of the workspace's administrators. */
  const ofClients = lists.filter(({ path }) => path !== '/v1/administrators');

  test.each(ofClients.map(({ path }) => path))(
    '%s does not continue from the cursor of another caller',
    async (path) => {
      const others = hiddenOwners.flatMap((name) => [hidden[name].admin, hidden[name].agent]);
      const below = await service.admin.becomeApplication({ rights: allRights, scoped_to: child.client });
      const ids = await listIds(scoped, path);
      for (const other of [service.admin, below, ...others]) {
        const { next_cursor: cursor } = (await other.get(`${path}?limit=1`)).body;
        expect(cursor).toMatch(/./);
        expect(reportedRefusal(await scoped.get(`${path}?limit=1&cursor=${cursor}`))).toMatchObject({
          status: 400,
          code: 'cursor-invalid',
        });
      }
      expect(await listIds(scoped, path)).toEqual(ids);
    },
  );
});

describe('records of two visible clients', () => {
  test.each(sets)('%s does not link them at %s', async (id, pointer, type) => {
    const joined = getOperation(id).resource!.type;
    const before = await digestStoredRows(service.database);
    for (const [caller, household] of [
      [scoped, child],
      [service.admin, hidden.stranger.household],
    ] as const) {
      expect(reportedRefusal(await sendWithId(caller, id, pointer, type, household.idOf(type)))).toEqual({
        status: 422,
        code: 'different-client',
        detail: `The ${typeWords(type)} belongs to another client than the ${joined}.`,
        pointer,
      });
    }
    expect(await digestStoredRows(service.database)).toEqual(before);
  });

  test.each([
    ['v1.account.create', '/entity_id', 'legal-entity', '/depository_ids/0'],
    ['v1.portfolio.create', '/reporting_entity_id', 'reporting-entity', '/account_ids/0'],
  ])('%s: the record named by %s decides which client it belongs to', async (id, pointer, type, stranger) => {
    const before = await digestStoredRows(service.database);
    const refusal = reportedRefusal(await sendWithId(scoped, id, pointer, type, child.idOf(type)));
    expect(refusal).toMatchObject({ status: 422, code: 'different-client', pointer: stranger });
    expect(await digestStoredRows(service.database)).toEqual(before);
  });
});
