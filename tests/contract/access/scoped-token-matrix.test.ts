// How far a token bound to one client reaches over everything that clients have: its own client and what is below it, on
// every path, and of all others nothing at all. Generated from what is served, so that no path can be left out.

import { beforeAll, describe, expect, test } from 'vitest';
import { isUuid } from '../../../src/kit/id.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { refusalOf } from '../../setup/structure/client-document.ts';
import {
  ask,
  everyRight,
  isOfAll,
  isReport,
  layOutHierarchy,
  listIds,
  listStored,
  wordsOf,
  type Household,
  type Kin,
} from '../../setup/access/client-hierarchy.ts';
import { nobodysUuid } from '../../setup/people/members.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { typeInPath } from '../../setup/http/example-world.ts';

const nobodysId = '0123456789abcdef01234567';

const service = serviceForThisFile();
let households: Readonly<Record<Kin, Household>>;
/** Bound to `own`: with every right, with one of them alone. */
let scoped: Caller;
let reader: Caller;
let writer: Caller;
let hiddenMarks: readonly string[];

const seen: readonly Kin[] = ['own', 'child', 'grandchild'];
const hidden: readonly Kin[] = ['parent', 'grandparent', 'sibling', 'stranger'];

beforeAll(async () => {
  households = await layOutHierarchy(service.admin);
  const scoped_to = households.own.client;
  scoped = await service.admin.become({ rights: everyRight, scoped_to });
  reader = await service.admin.become({ rights: ['read'], scoped_to });
  writer = await service.admin.become({ rights: ['write'], scoped_to });
  hiddenMarks = hidden.flatMap((kin) => households[kin].marks());
});

/** What it answers where nothing was there before: of several successes the one of a new thing. */
const successOf = ({ answers }: Operation): number => Math.max(...Object.keys(answers).map(Number));

const isOfClients = (operation: Operation): boolean =>
  (operation.resource !== undefined || isReport(operation)) && !isOfAll(operation);
const isList = ({ id }: Operation): boolean => id.endsWith('.list');
const namesNothing = (operation: Operation): boolean => isList(operation) && !operation.path.includes('{');

/** The clients whose things an operation shows: on Plain a token bound to a client sees that client alone. */
function seenThrough({ wire }: Operation): readonly Kin[] {
  return wire.name === 'plain' ? ['own'] : seen;
}

function hiddenFrom(operation: Operation): readonly Kin[] {
  return [...seen, ...hidden].filter((kin) => !seenThrough(operation).includes(kin));
}

function named(wanted: (operation: Operation) => boolean): [id: string, operation: Operation][] {
  return operations.filter(wanted).map((operation) => [operation.id, operation]);
}

/** What is deleted is a thing of its own, that nothing keeps. */
function thingToTry(operation: Operation, household: Household): Promise<string> {
  const { method, path, resource } = operation;
  return method === 'DELETE' && path.includes('{')
    ? household.make(resource!.type)
    : Promise.resolve(household.thingFor(operation));
}

function expectNothingHidden(reply: Reply): void {
  expect(hiddenMarks.filter((mark) => wordsOf(reply).includes(mark))).toEqual([]);
}

/** Every id of a resource that belongs to the client or to one below it, as it is stored. */
async function storedBelow({ resource }: Operation, client: string, depth: 'below' | 'alone'): Promise<string[]> {
  const { type, owner, only = {}, versions } = resource!;
  // A user is seen through memberships.
  const table = type === 'user' ? '(SELECT DISTINCT person_id AS id, client_id FROM membership)' : resource!.table;
  const relation = typeof owner === 'string' ? '' : owner.relation;
  const column = owner === 'self' ? 'id' : relation === 'scopedTo' ? 'scoped_to_id' : 'client_id';
  const kinds = Object.entries(only).map(([name, words]) => `AND t.${name} = ANY ('{${words.join()}}')`);
  const rows = await runSql<{ id: string }>(
    service.database,
    `SELECT t.id FROM ${table} t JOIN client c ON c.id = t.${column}
     WHERE ${depth === 'below' ? 'c.path @> ARRAY[$1]' : 'c.id = $1'} ${kinds.join(' ')}
     ${versions ? 'AND t.known_until IS NULL' : ''} ORDER BY t.id`,
    [client],
  );
  return rows.map(({ id }) => id);
}

describe('what lists hold', () => {
  test.each(named((operation) => isOfClients(operation) && namesNothing(operation)))(
    '%s: all that is of its client and below, and nothing else',
    async (_id, operation) => {
      const depth = operation.wire.name === 'plain' ? 'alone' : 'below';
      const expected = await storedBelow(operation, households.own.client, depth);
      expect(expected.length).toBeGreaterThan(0);
      expect((await listIds(scoped, operation.path)).toSorted()).toEqual(expected);
      expectNothingHidden(await ask(scoped, operation, households.own));
    },
  );

  /** Points have no ids on Plain, and nothing else is listed below a thing there. */
  const hasIds = ({ wire }: Operation): boolean => wire.name !== 'plain';

  test.each(named((operation) => isList(operation) && !namesNothing(operation) && hasIds(operation)))(
    '%s: of each client that is seen its own',
    async (_id, operation) => {
      for (const kin of seen) {
        const { body } = await ask(scoped, operation, households[kin]);
        const ids = body.data.map(({ id }: { id: string }) => id).toSorted();
        expect([kin, ids]).toEqual([kin, await storedBelow(operation, households[kin].client, 'alone')]);
      }
    },
  );

  test('the tree of its own client holds everything of those below', async () => {
    const tree = await scoped.get(`/v1/clients/${households.own.client}/tree`);
    const inTrees = ['client', 'legal-entity', 'account', 'depository', 'reporting-entity', 'portfolio'];
    for (const kin of seen) {
      for (const type of inTrees) expect(tree.text).toContain(`"id":"${households[kin].idOf(type)}"`);
    }
    expectNothingHidden(tree);
  });

  test('/v1/me names its own client alone', async () => {
    const reply = await scoped.get('/v1/me');
    expect(reply.body.scoped_to).toBe(households.own.client);
    expectNothingHidden(reply);
  });
});

describe('what is its own or below is there', () => {
  test.each(named(isOfClients))('%s', async (_id, operation) => {
    for (const kin of seenThrough(operation)) {
      const thing = await thingToTry(operation, households[kin]);
      const reply = await ask(scoped, operation, households[kin], thing);
      expect([kin, reply.status]).toEqual([kin, successOf(operation)]);
      expectNothingHidden(reply);
    }
  });
});

describe('what is not does not exist: nothing is shown, nothing is changed', () => {
  /** The same request about what was never there. */
  async function askForNobodys(operation: Operation, household: Household): Promise<Reply> {
    const body = JSON.stringify(household.bodyFor(operation, household.thingFor(operation)));
    const nobodys = (text: string): string =>
      household.marks().reduce((all, mark) => all.replaceAll(mark, isUuid(mark) ? nobodysUuid : nobodysId), text);
    const raw = body === undefined ? body : nobodys(body);
    const nobody = typeInPath(operation.path) === 'user' ? nobodysUuid : nobodysId;
    const path = operation.path.replaceAll(/\{\w+\}/g, nobody) + nobodys(household.queryFor(operation));
    return scoped.send(path, { method: operation.method, ...(raw === undefined ? {} : { raw }) });
  }

  test.each(named((operation) => isOfClients(operation) && !namesNothing(operation)))('%s', async (_id, operation) => {
    const kins = hiddenFrom(operation);
    const things = await Promise.all(kins.map((kin) => thingToTry(operation, households[kin])));
    const before = await listStored(service.database);
    for (const [index, kin] of kins.entries()) {
      const household = households[kin];
      const reply = await ask(scoped, operation, household, things[index]);
      expect([kin, reply.status]).toEqual([kin, 404]);
      expect(refusalOf(reply)).toEqual(refusalOf(await askForNobodys(operation, household)));
      expectNothingHidden(reply);
      expect(household.marks().filter((mark) => wordsOf(reply).includes(mark))).toEqual([]);
    }
    expect(await listStored(service.database)).toEqual(before);
  });
});

describe('what all clients of the workspace share', () => {
  /** Custodians are added by whoever sees one client, since accounts name them. */
  const isTouching = ({ id, method }: Operation): boolean => method !== 'GET' && id !== 'v1.custodian.create';

  test.each(named((one) => isOfAll(one) && !isTouching(one)))(
    '%s is for every token of the workspace',
    async (_id, operation) => {
      for (const kin of [...seen, ...hidden]) {
        const reply = await ask(scoped, operation, households[kin]);
        expect([kin, reply.status]).toEqual([kin, successOf(operation)]);
        expectNothingHidden(reply);
      }
    },
  );

  test.each(named((one) => isOfAll(one) && isTouching(one)))(
    '%s is for tokens of the whole workspace',
    async (_id, operation) => {
      for (const kin of [...seen, ...hidden]) {
        const thing = operation.resource ? await households[kin].make(operation.resource.type) : '';
        const before = await listStored(service.database);
        expect(refusalOf(await ask(scoped, operation, households[kin], thing))).toEqual({
          status: 403,
          code: 'outside-reach',
          detail: 'A token bound to one client cannot change what all clients share.',
          pointer: undefined,
        });
        expect(await listStored(service.database)).toEqual(before);
        expect((await ask(service.admin, operation, households[kin], thing)).status).toBe(successOf(operation));
      }
    },
  );
});

describe('rights', () => {
  const missing = (right: string): object => ({
    status: 403,
    code: 'right-missing',
    detail: `This takes the right \`${right}\`, which the application or key does not have.`,
    pointer: undefined,
  });

  test.each(named(({ mode }) => mode === 'write'))(
    '%s is refused to a token that reads, on what it sees as on what it does not',
    async (_id, operation) => {
      const before = await listStored(service.database);
      for (const kin of [...seen, ...hidden]) {
        expect(refusalOf(await ask(reader, operation, households[kin]))).toEqual(missing(operation.right));
      }
      expect(await listStored(service.database)).toEqual(before);
    },
  );

  test.each(named(({ right }) => right === 'read'))('%s is for a token that reads', async (_id, operation) => {
    expect((await ask(reader, operation, households.own)).status).toBe(200);
  });

  test.each(named(({ mode, right }) => mode === 'read' && right !== 'any'))(
    '%s is refused to a token that only writes, on what it sees as on what it does not',
    async (_id, operation) => {
      for (const kin of [...seen, ...hidden]) {
        expect(refusalOf(await ask(writer, operation, households[kin]))).toEqual(missing(operation.right));
      }
    },
  );

  test.each(named((operation) => operation.right === 'write' && isOfClients(operation)))(
    '%s is for a token that only writes',
    async (_id, operation) => {
      const reply = await ask(writer, operation, households.own, await thingToTry(operation, households.own));
      expect(reply.status).toBe(successOf(operation));
    },
  );
});
