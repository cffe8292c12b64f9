// The access of a token bound to one client over all records: its client and those below it, on every path, and nothing of all
// others. Generated from the served operations, so that no path is left out.

import { beforeAll, describe, expect, test } from 'vitest';
import { isUuid } from '../../../src/kit/id.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import {
  sendOperation,
  allRights,
  isCustodyStep,
  isSharedByAll,
  isReport,
  createHierarchy,
  listIds,
  digestStoredRows,
  replyText,
  type FullClient,
  type Relative,
} from '../../setup/access/client-hierarchy.ts';
import { unknownUuid } from '../../setup/people/members.ts';
import { isSandboxOnly } from '../../setup/sandbox/sandbox-clients.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { isBuiltIn } from '../../setup/instruments/built-in-ids.ts';
import { recordTypeInPath } from '../../setup/http/example-world.ts';

const unknownId = '0123456789abcdef01234567';

const service = serviceForThisFile();
let households: Readonly<Record<Relative, FullClient>>;
/** Callers bound to `own`: with all rights, and with one right each. */
let scoped: Caller;
let reader: Caller;
let writer: Caller;
let readingWriter: Caller;
let hiddenIdentifiers: readonly string[];

const visibleRelatives: readonly Relative[] = ['own', 'child', 'grandchild'];
const hiddenRelatives: readonly Relative[] = ['parent', 'grandparent', 'sibling', 'stranger'];

beforeAll(async () => {
  households = await createHierarchy(service.admin);
  const scoped_to = households.own.client;
  scoped = await service.admin.becomeApplication({ rights: allRights, scoped_to });
  reader = await service.admin.becomeApplication({ rights: ['read'], scoped_to });
  writer = await service.admin.becomeApplication({ rights: ['write'], scoped_to });
  readingWriter = await service.admin.becomeApplication({ rights: ['read', 'write'], scoped_to });
  hiddenIdentifiers = hiddenRelatives.flatMap((relative) => households[relative].identifyingTexts());
});

/** The success status; if there are several, that of a created record. */
const successStatus = ({ responses: answers }: Operation): number => Math.max(...Object.keys(answers).map(Number));

/** Who administers the workspace concerns none of its clients. */
const isOfAdministrators = ({ resource }: Operation): boolean => resource?.type === 'administrator';
const isOfClients = (operation: Operation): boolean =>
  (operation.resource !== undefined || isReport(operation)) &&
  !isSharedByAll(operation) &&
  !isOfAdministrators(operation);
const isList = ({ id }: Operation): boolean => id.endsWith('.list');
const isCollection = (operation: Operation): boolean => isList(operation) && !operation.path.includes('{');

/** The clients whose records an operation shows: on Plain, a bound token sees only its own client. */
function visibleThrough({ wire }: Operation): readonly Relative[] {
  return wire.name === 'plain' ? ['own'] : visibleRelatives;
}

function hiddenFrom(operation: Operation): readonly Relative[] {
  return [...visibleRelatives, ...hiddenRelatives].filter((relative) => !visibleThrough(operation).includes(relative));
}

/** Those of the sandbox are refused in production, whatever the token. */
const inProduction = operations.filter((operation) => !isSandboxOnly(operation));

function operationsBy(wanted: (operation: Operation) => boolean): [id: string, operation: Operation][] {
  return inProduction.filter(wanted).map((operation) => [operation.id, operation]);
}

/** Deletions get a new record that nothing blocks. */
function recordIdToTry(operation: Operation, household: FullClient): Promise<string> {
  const { method, path, resource } = operation;
  if (isCustodyStep(operation)) return household.makeFor(operation);
  return method === 'DELETE' && path.includes('{')
    ? household.make(resource!.type)
    : Promise.resolve(household.recordIdFor(operation));
}

function expectNothingHidden(reply: Reply): void {
  expect(hiddenIdentifiers.filter((identifier) => replyText(reply).includes(identifier))).toEqual([]);
}

/** The stored ids of all records of a type that belong to the client or to one below it. */
async function listRowsBelow({ resource }: Operation, client: string, depth: 'below' | 'alone'): Promise<string[]> {
  const { type, owner, only = {}, versions } = resource!;
  // A user is visible through memberships.
  const table =
    type === 'user' ? '(SELECT DISTINCT workspace_id, person_id AS id, client_id FROM membership)' : resource!.table;
  const relation = typeof owner === 'string' ? '' : owner.relation;
  const column = owner === 'self' ? 'id' : relation === 'scopedTo' ? 'scoped_to_id' : 'client_id';
  const kinds = Object.entries(only).map(([name, words]) => `AND t.${name} = ANY ('{${words.join()}}')`);
  const rows = await runSql<{ id: string }>(
    service.database,
    `SELECT t.id FROM ${table} t JOIN client c ON c.workspace_id = t.workspace_id AND c.id = t.${column}
     WHERE ${depth === 'below' ? 'c.path @> ARRAY[$1]' : 'c.id = $1'} ${kinds.join(' ')}
     ${versions ? 'AND t.known_until IS NULL' : ''} ORDER BY t.id`,
    [client],
  );
  return rows.map(({ id }) => id);
}

describe('the content of lists', () => {
  test.each(operationsBy((operation) => isOfClients(operation) && isCollection(operation)))(
    '%s: only records of its client and of those below',
    async (_id, operation) => {
      const depth = operation.wire.name === 'plain' ? 'alone' : 'below';
      const expected = await listRowsBelow(operation, households.own.client, depth);
      expect(expected.length).toBeGreaterThan(0);
      const listed = await listIds(scoped, operation.path);
      expect(listed.filter((id) => !isBuiltIn(id)).toSorted()).toEqual(expected);
      expectNothingHidden(await sendOperation(scoped, operation, households.own));
    },
  );

  /** Points have no ids on Plain, and no other nested lists exist there. */
  const hasIds = ({ wire }: Operation): boolean => wire.name !== 'plain';

  test.each(operationsBy((operation) => isList(operation) && !isCollection(operation) && hasIds(operation)))(
    '%s: for each visible client its own records',
    async (_id, operation) => {
      for (const relative of visibleRelatives) {
        const { body } = await sendOperation(scoped, operation, households[relative]);
        const ids = body.data.map(({ id }: { id: string }) => id).toSorted();
        expect([relative, ids]).toEqual([
          relative,
          await listRowsBelow(operation, households[relative].client, 'alone'),
        ]);
      }
    },
  );

  test('the tree of its own client contains everything of those below', async () => {
    const tree = await scoped.get(`/v1/clients/${households.own.client}/tree`);
    const inTrees = ['client', 'legal-entity', 'account', 'depository', 'reporting-entity', 'portfolio'];
    for (const relative of visibleRelatives) {
      for (const type of inTrees) expect(tree.text).toContain(`"id":"${households[relative].idOf(type)}"`);
    }
    expectNothingHidden(tree);
  });

  test('/v1/me names only its own client', async () => {
    const reply = await scoped.get('/v1/me');
    expect(reply.body.scoped_to).toBe(households.own.client);
    expectNothingHidden(reply);
  });
});

describe('records of its client and of those below exist', () => {
  test.each(operationsBy(isOfClients))('%s', async (_id, operation) => {
    for (const relative of visibleThrough(operation)) {
      const recordId = await recordIdToTry(operation, households[relative]);
      const reply = await sendOperation(scoped, operation, households[relative], recordId);
      expect([relative, reply.status]).toEqual([relative, successStatus(operation)]);
      expectNothingHidden(reply);
    }
  });
});

describe('all other records do not exist for it: nothing is shown, nothing is changed', () => {
  /** Sends the same request about records that never existed. */
  async function askForNobodys(operation: Operation, household: FullClient): Promise<Reply> {
    const sent = household.bodyFor(operation, household.recordIdFor(operation));
    const body = sent instanceof Uint8Array ? sent.toString() : JSON.stringify(sent);
    const withUnknownIds = (text: string): string =>
      household
        .identifyingTexts()
        .reduce((all, identifier) => all.replaceAll(identifier, isUuid(identifier) ? unknownUuid : unknownId), text);
    const raw = body === undefined ? body : withUnknownIds(body);
    const unknownTarget = recordTypeInPath(operation.path) === 'user' ? unknownUuid : unknownId;
    const path = operation.path.replaceAll(/\{\w+\}/g, unknownTarget) + withUnknownIds(household.queryFor(operation));
    return scoped.send(path, { method: operation.method, ...(raw === undefined ? {} : { raw }) });
  }

  /** Records to try beyond those of the hierarchy are made before the rows are compared. */
  const isTried = (operation: Operation): boolean => isOfClients(operation) && !isCollection(operation);
  const triedIds = new Map<Operation, readonly string[]>();
  let before: unknown;

  beforeAll(async () => {
    for (const operation of inProduction.filter(isTried)) {
      const ids = hiddenFrom(operation).map((relative) => recordIdToTry(operation, households[relative]));
      triedIds.set(operation, await Promise.all(ids));
    }
    before = await digestStoredRows(service.database);
  });

  test.each(operationsBy(isTried))('%s', async (_id, operation) => {
    const recordIds = triedIds.get(operation)!;
    const relatives = hiddenFrom(operation);
    for (const [index, relative] of relatives.entries()) {
      const household = households[relative];
      const reply = await sendOperation(scoped, operation, household, recordIds[index]);
      expect([relative, reply.status]).toEqual([relative, 404]);
      expect(reportedRefusal(reply)).toEqual(reportedRefusal(await askForNobodys(operation, household)));
      expectNothingHidden(reply);
      expect(household.identifyingTexts().filter((identifier) => replyText(reply).includes(identifier))).toEqual([]);
    }
  });

  test('all of this has changed no row', async () => {
    expect(await digestStoredRows(service.database)).toEqual(before);
  });
});

describe('records shared by all clients of the workspace', () => {
  const isReadOfSettings = ({ id }: Operation): boolean => id === 'v1.custodian-settings.read';
  const isTouching = (operation: Operation): boolean => operation.method !== 'GET' || isReadOfSettings(operation);

  test.each(operationsBy((one) => isSharedByAll(one) && !isTouching(one)))(
    '%s is allowed for every token of the workspace',
    async (_id, operation) => {
      for (const relative of [...visibleRelatives, ...hiddenRelatives]) {
        const reply = await sendOperation(scoped, operation, households[relative]);
        expect([relative, reply.status]).toEqual([relative, successStatus(operation)]);
        expectNothingHidden(reply);
      }
    },
  );

  test.each(operationsBy((one) => isSharedByAll(one) && isTouching(one)))(
    '%s is allowed only for tokens of the whole workspace',
    async (_id, operation) => {
      for (const relative of ['own', 'parent'] as const) {
        const recordId = operation.resource ? await households[relative].make(operation.resource.type) : '';
        const before = await digestStoredRows(service.database);
        expect(reportedRefusal(await sendOperation(scoped, operation, households[relative], recordId))).toEqual({
          status: 403,
          code: 'outside-reach',
          detail: isReadOfSettings(operation)
            ? 'This concerns the whole workspace; your token is bound to one client.'
            : 'A token bound to one client cannot change what all clients share.',
          pointer: undefined,
        });
        expect(await digestStoredRows(service.database)).toEqual(before);
        expect((await sendOperation(service.admin, operation, households[relative], recordId)).status).toBe(
          successStatus(operation),
        );
      }
    },
  );
});

describe('the administrators of the workspace', () => {
  test.each(operationsBy(isOfAdministrators))('%s is refused and changes nothing', async (_id, operation) => {
    const before = await digestStoredRows(service.database);
    const reply = await sendOperation(scoped, operation, households.own, households.own.recordIdFor(operation));
    expect(reportedRefusal(reply)).toMatchObject({ status: 403, code: 'outside-reach' });
    expect(await digestStoredRows(service.database)).toEqual(before);
  });
});

describe('rights', () => {
  /** A right is missing before any record is looked for: one that is visible and one that is not show it. */
  const oneOfEach = ['own', 'stranger'] as const;
  const missing = (right: string): object => ({
    status: 403,
    code: 'right-missing',
    detail: `This requires the right \`${right}\`, which the application or key does not have.`,
    pointer: undefined,
  });

  describe('nothing is changed when', () => {
    let before: unknown;

    beforeAll(async () => {
      before = await digestStoredRows(service.database);
    });

    test.each(operationsBy(({ mode, right }) => mode === 'write' && right !== 'any'))(
      '%s is refused to a read-only token, for visible and hidden records alike',
      async (_id, operation) => {
        for (const relative of oneOfEach) {
          expect(reportedRefusal(await sendOperation(reader, operation, households[relative]))).toEqual(
            missing(operation.right),
          );
        }
      },
    );

    test('all of this has changed no row', async () => {
      expect(await digestStoredRows(service.database)).toEqual(before);
    });
  });

  test.each(operationsBy(({ right }) => right === 'read'))(
    '%s is allowed for a read-only token',
    async (_id, operation) => {
      expect((await sendOperation(reader, operation, households.own)).status).toBe(200);
    },
  );

  test.each(operationsBy(({ mode, right }) => mode === 'read' && right !== 'any'))(
    '%s is refused to a write-only token, for visible and hidden records alike',
    async (_id, operation) => {
      for (const relative of oneOfEach) {
        expect(reportedRefusal(await sendOperation(writer, operation, households[relative]))).toEqual(
          missing(operation.right),
        );
      }
    },
  );

  test.each(operationsBy((operation) => operation.right === 'write' && isOfClients(operation)))(
    '%s is allowed for a write-only token',
    async (_id, operation) => {
      // The example of a new user grants read access, which takes being able to read.
      const sender = operation.resource?.type === 'user' ? readingWriter : writer;
      const reply = await sendOperation(
        sender,
        operation,
        households.own,
        await recordIdToTry(operation, households.own),
      );
      expect(reply.status).toBe(successStatus(operation));
    },
  );
});
