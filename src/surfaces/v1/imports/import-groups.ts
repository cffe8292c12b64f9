// What an import waits for, on v1: each thing once, with the number of its rows; and creating what nobody has.

import { defined } from '../../../kit/assert.ts';
import { anyText, oneOf, snakeCaseStrings } from '../../../kit/field.ts';
import type { ChangeOf } from '../../../kit/resource.ts';
import { listOf, member, objectOf } from '../../../kit/structured-field.ts';
import {
  importAccountShape,
  rowProblemShape,
  waitingGroupShape,
  waitingTotalsShape,
  type WaitingTotals,
} from '../../../model/custody/import-group.ts';
import { importCreation, importDefaults } from '../../../model/custody/import-requests.ts';
import { dateOrders, importResource } from '../../../model/custody/import.ts';
import { mappedKinds } from '../../../model/custody/identifier-mapping.ts';
import { importActRefusals } from '../../../actions/imports/book-import.ts';
import { checkImportAgain, importDefaultsRefusals, setImportDefaults } from '../../../actions/imports/check-import.ts';
import { createMissing, createMissingRefusals } from '../../../actions/imports/create-missing.ts';
import {
  listImportAccounts,
  listRowProblems,
  listWaitingGroups,
  waitingPosition,
} from '../../../actions/imports/import-groups.ts';
import { listFromCursor, pageMembers, pageSchema, pageValues } from '../../http/lists/cursor-page.ts';
import { withRequiredMembers } from '../../http/operation/object-schema.ts';
import { defineOperation, type Parameter } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import {
  readSnakeCase,
  snakeCaseBodySchema,
  snakeCaseExample,
  snakeCaseSchema,
} from '../../snake-case/snake-case-object.ts';
import { bodyOf, pointIntoBody } from '../custody/admin-operation.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

export const dateOrderParameter = {
  kind: oneOf(dateOrders),
  description:
    'The order of day, month and year in dates such as 03/04/2025, for files that do not prove it. Found in the dates of the whole file if it is not sent, and kept with the import.',
} as const satisfies Parameter;

const operationBase = { wire: v1, group: importResource.plural, resource: importResource } as const;
/** Its body is no import. */
const sentBase = { wire: v1, group: importResource.plural, pathResource: importResource } as const;
const schema = snakeCaseSchema(importResource, v1);

const waitingPage = objectOf({
  ...pageMembers(waitingGroupShape),
  totals: member(waitingTotalsShape, 'What all groups have in common, on every page.'),
});

const waitingPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.import.waiting',
  method: 'GET',
  path: '/v1/imports/{id}/waiting',
  summary: 'List what an import waits for',
  description:
    'See what has to be decided before a file can be booked as a whole. Each account, instrument or word that rows wait for is listed once, with the number of its rows, what can be created for it, the records that it may mean, and the identifier mapping that answers it. Those with most rows come first. The totals say what can be created at once, and whether booking would book cash without its trades.',
  right: 'read',
  mode: 'read',
  query: pageParameters,
  responses: {
    200: { description: 'A page, those with most rows first.', schema: waitingPage.schema(snakeCaseStrings) },
  },
  refusals: ['import-not-found', 'cursor-invalid', 'cursor-expired'],
  read: () => undefined,
  async handle(request) {
    const { work, params } = request;
    const importId = pathParameter(params, 'id');
    const limit = pageSizeOf(request);
    let totals: WaitingTotals | undefined;
    const page = await listFromCursor(request, {
      queryKey: ['import-waiting', importId],
      async list(after) {
        const found = await listWaitingGroups(work, importId, { after, limit });
        ({ totals } = found);
        return found;
      },
      positionOf: waitingPosition,
    });
    const values = { ...pageValues(page), totals: defined(totals, 'a page of groups was listed') };
    return { status: 200, body: waitingPage.write(values, snakeCaseStrings) };
  },
});

const problemsPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.import.problems',
  method: 'GET',
  path: '/v1/imports/{id}/problems',
  summary: 'List why rows of an import were refused',
  description:
    'See what to correct in a file. Each problem is listed once with the number of its rows and the first line, rows that are not kept one by one included. Those with most rows come first.',
  right: 'read',
  mode: 'read',
  query: pageParameters,
  responses: {
    200: {
      description: 'A page, those with most rows first.',
      schema: pageSchema(rowProblemShape.schema(snakeCaseStrings)),
    },
  },
  refusals: ['import-not-found', 'cursor-invalid', 'cursor-expired'],
  read: () => undefined,
  async handle(request) {
    const { work, params } = request;
    const importId = pathParameter(params, 'id');
    const limit = pageSizeOf(request);
    const page = await listFromCursor(request, {
      queryKey: ['import-problems', importId],
      async list(after) {
        const from = Number(after ?? 0);
        const { records, hasMore } = await listRowProblems(work, importId, { from, limit });
        return { records: records.map((problem, index) => ({ problem, position: from + index + 1 })), hasMore };
      },
      positionOf: ({ position }) => String(position),
    });
    const data = page.data.map(({ problem }) => rowProblemShape.write(problem, snakeCaseStrings));
    return { status: 200, body: { ...page, data } };
  },
});

const accountsPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.import.accounts',
  method: 'GET',
  path: '/v1/imports/{id}/accounts',
  summary: 'List the accounts of an import',
  description:
    'See where a file goes, and whether reports show it: each account that rows were assigned to, with the number of its rows and whether a portfolio contains it.',
  right: 'read',
  mode: 'read',
  query: pageParameters,
  responses: {
    200: { description: 'A page, oldest first.', schema: pageSchema(importAccountShape.schema(snakeCaseStrings)) },
  },
  refusals: ['import-not-found', 'cursor-invalid', 'cursor-expired'],
  read: () => undefined,
  async handle(request) {
    const { work, params } = request;
    const importId = pathParameter(params, 'id');
    const limit = pageSizeOf(request);
    const page = await listFromCursor(request, {
      queryKey: ['import-accounts', importId],
      list: (after = '') => listImportAccounts(work, importId, { after, limit }),
      positionOf: ({ accountId }) => accountId,
    });
    const data = page.data.map((account) => importAccountShape.write(account, snakeCaseStrings));
    return { status: 200, body: { ...page, data } };
  },
});

const changePath = defineOperation<ChangeOf<typeof importDefaults>>({
  ...sentBase,
  id: 'v1.import.change',
  method: 'PATCH',
  path: '/v1/imports/{id}',
  summary: 'Answer what a file leaves open',
  description:
    'Answer what a file leaves open: the account or depository of rows that name none, the client of an import that has none, and the mapping profile of a CSV file that no profile fits, whose lines are then read by it. An import that is checked is checked again with it, so its outcomes are those that booking would have. Once it is booked, an account that is set cannot become another.',
  right: 'write',
  mode: 'write',
  heavy: true,
  query: {},
  body: {
    schema: snakeCaseBodySchema(importDefaults, v1, 'create'),
    example: snakeCaseExample(importDefaults, v1, 'create'),
  },
  responses: { 200: { description: 'The import as it is now.', schema } },
  refusals: importDefaultsRefusals,
  read: ({ body }) => readSnakeCase(importDefaults, body, { wire: v1, purpose: 'create' }),
  async handle({ work, params }, input) {
    const changed = setImportDefaults(work, pathParameter(params, 'id'), input).catch((error: unknown) => {
      throw pointIntoBody(importDefaults, error);
    });
    return { status: 200, body: renderV1(importResource, await changed) };
  },
});

const checkPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.import.check',
  method: 'POST',
  path: '/v1/imports/{id}/check',
  summary: 'Check an import again',
  description:
    'See what booking would do now, after names were mapped or records were created. Decides about all rows again against the ledger as it is, and books nothing. Rows that need the order of day and month are read in that of `date_order`.',
  right: 'write',
  mode: 'write',
  heavy: true,
  query: { date_order: dateOrderParameter },
  responses: { 200: { description: 'The import with its new outcomes.', schema } },
  refusals: [...importActRefusals],
  read: () => undefined,
  async handle({ work, params, query }) {
    const checked = await checkImportAgain(work, pathParameter(params, 'id'), query['date_order'] ?? null);
    return { status: 200, body: renderV1(importResource, checked) };
  },
});

const createdRecord = objectOf({
  kind: member(oneOf(mappedKinds), 'What it is.'),
  id: member(anyText, 'Its id.'),
  name: member(anyText, 'Its name.'),
});

const refusedCreation = objectOf({
  key: member(anyText, 'The key of its group.'),
  name: member(anyText, 'The name that it would have got.'),
  detail: member(anyText, 'Why it was not created.'),
});

const creations = objectOf({
  created: member(listOf(createdRecord), 'What was created.'),
  refused: member(listOf(refusedCreation), 'What could not be created.'),
});

const createMissingPath = defineOperation<ChangeOf<typeof importCreation>>({
  ...sentBase,
  id: 'v1.import.create-missing',
  method: 'POST',
  path: '/v1/imports/{id}/create-missing',
  summary: 'Create what an import waits for',
  description:
    'Create the accounts, depositories and instruments that a file names and nobody has, from what the file says about them: all at once, or those that you choose. Accounts get the number that the file uses, so later files find them. The import is checked again, if it is not booked yet. Undoing it, or deleting it unbooked, removes instruments that nothing else uses by then; accounts and depositories stay.',
  right: 'write',
  mode: 'write',
  heavy: true,
  query: {},
  body: bodyOf(importCreation),
  responses: {
    200: {
      description: 'The import as it is now, with what was created.',
      schema: withRequiredMembers(schema, {
        creations: { ...creations.schema(v1.style), description: 'What this request has created.' },
      }),
    },
  },
  refusals: createMissingRefusals,
  read: ({ body }) => readSnakeCase(importCreation, body, { wire: v1, purpose: 'create' }),
  async handle({ work, params }, { keys, legalEntity }) {
    const order = { keys, entity: legalEntity ?? undefined };
    const { record, ...made } = await createMissing(work, pathParameter(params, 'id'), order).catch(
      (error: unknown) => {
        throw pointIntoBody(importCreation, error);
      },
    );
    return { status: 200, body: { ...renderV1(importResource, record), creations: creations.write(made, v1.style) } };
  },
});

export const importGroupPaths = [waitingPath, problemsPath, accountsPath, changePath, checkPath, createMissingPath];
