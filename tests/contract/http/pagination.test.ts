// Pages of v1: a walk by cursor returns every record that stays exactly once, whatever is added or deleted meanwhile.

import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { dayMs, hourMs } from '../../../src/kit/clock.ts';
import { Caller, type Reply } from '../../setup/http/caller.ts';
import {
  makeDatabase,
  serviceForThisFile,
  serviceForThisTest,
  startTestService,
} from '../../setup/node/test-service.ts';
import type { ManualClock } from '../../setup/kit/manual-clock.ts';

const settings = { BASE_URL: 'http://holdfast.test' };
const service = serviceForThisFile({ settings });

beforeAll(async () => {});

async function makeClients(caller: Caller, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push(await caller.makeClient(`Client ${index}`));
  return ids;
}

const idsOf = ({ body }: Reply): string[] => body.data.map(({ id }: { id: string }) => id);

/** Lists every id page by page; `between` is called before each page but the first. */
async function walk(
  caller: Caller,
  path: string,
  limit: number,
  between = async (): Promise<void> => {},
): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = ''; ; await between()) {
    const page = await caller.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor}`);
    expect(page.status).toBe(200);
    seen.push(...idsOf(page));
    if (!page.body.has_more) return seen;
    expect(page.body.data).toHaveLength(limit);
    cursor = `&cursor=${page.body.next_cursor}`;
  }
}

describe('the page size', () => {
  test('is 50 by default and at most 100', async () => {
    const caller = await service.openWorkspace();
    const ids = await makeClients(caller, 101);
    const page = await caller.get('/v1/clients');
    expect(idsOf(page)).toEqual(ids.slice(0, 50));
    expect(page.body.has_more).toBe(true);
    const largest = await caller.get('/v1/clients?limit=100');
    expect(idsOf(largest)).toEqual(ids.slice(0, 100));
    const last = await caller.get(`/v1/clients?limit=100&cursor=${largest.body.next_cursor}`);
    expect(last.body).toEqual({ data: [expect.objectContaining({ id: ids[100] })], has_more: false });
  });

  test.each(['101', '1000', '0', '-1', '1.5', '1e1', 'ten', '', '%2050', '50&limit=50'])(
    'limit=%s gets 400',
    async (limit) => {
      const reply = await service.admin.get(`/v1/clients?limit=${limit}`);
      expect(reply.status).toBe(400);
      const detail = limit.includes('&') ? 'limit must be sent once.' : 'limit must be a whole number from 1 to 100.';
      expect(reply.body).toMatchObject({
        code: 'invalid-parameter',
        detail,
        errors: [{ code: 'invalid-parameter', detail, parameter: 'limit' }],
      });
    },
  );

  test('a last page that is full has no cursor', async () => {
    const caller = await service.openWorkspace();
    const ids = await makeClients(caller, 4);
    const first = await caller.get('/v1/clients?limit=2');
    const second = await caller.get(`/v1/clients?limit=2&cursor=${first.body.next_cursor}`);
    expect(Object.keys(first.body)).toEqual(['data', 'has_more', 'next_cursor']);
    expect(Object.keys(second.body)).toEqual(['data', 'has_more']);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
  });

  test('a cursor may be used again, and with another limit', async () => {
    const caller = await service.openWorkspace();
    const ids = await makeClients(caller, 6);
    const { next_cursor: cursor } = (await caller.get('/v1/clients?limit=2')).body;
    expect(idsOf(await caller.get(`/v1/clients?limit=1&cursor=${cursor}`))).toEqual([ids[2]]);
    expect(idsOf(await caller.get(`/v1/clients?limit=3&cursor=${cursor}`))).toEqual(ids.slice(2, 5));
    expect(idsOf(await caller.get(`/v1/clients?limit=2&cursor=${cursor}`))).toEqual(ids.slice(2, 4));
  });
});

describe('walking', () => {
  test('every list can be read completely: oldest first, the audit log newest first', async () => {
    const caller = await service.openWorkspace();
    const clients = await makeClients(caller, 5);
    const applications: string[] = [];
    for (let index = 0; index < 4; index++) {
      applications.push((await caller.post('/v1/applications', { name: `${index}` })).body.id);
    }
    const { credential_id: first } = (await caller.get('/v1/me')).body;
    expect(await walk(caller, '/v1/clients', 2)).toEqual(clients);
    expect(await walk(caller, '/v1/applications', 2)).toEqual([first, ...applications]);
    expect(await walk(caller, '/v1/keys', 2)).toEqual([]);
    const { data: lines } = (await caller.get('/v1/audit-log?limit=100')).body;
    expect(lines.map((line: Record<string, string>) => line['subject_id'])).toEqual(
      [first, ...clients, ...applications].toReversed(),
    );
    expect(await walk(caller, '/v1/audit-log', 3)).toEqual(lines.map(({ id }: { id: string }) => id));
  });

  test('a filter applies to every page', async () => {
    const caller = await service.openWorkspace();
    const [parent] = await makeClients(caller, 3);
    const children: string[] = [];
    for (let index = 0; index < 5; index++) {
      children.push(await caller.makeClient('Child', parent));
      await caller.makeClient('Not a child');
    }
    expect(await walk(caller, `/v1/clients?parent_id=${parent}`, 2)).toEqual(children);
  });

  test('records created after the first page are not in a list from newest to oldest', async () => {
    const caller = await service.openWorkspace();
    await makeClients(caller, 5);
    const { data } = (await caller.get('/v1/audit-log')).body;
    const seen = await walk(caller, '/v1/audit-log', 2, async () => void (await caller.makeClient('New')));
    expect(seen).toEqual(data.map(({ id }: { id: string }) => id));
  });

  /** What happens between two pages: how many records are added, and which are deleted. */
  const meanwhile = fc.record({ come: fc.nat({ max: 2 }), go: fc.array(fc.nat({ max: 30 }), { maxLength: 3 }) });
  const scenario = fc.record({
    first: fc.integer({ min: 1, max: 9 }),
    limit: fc.integer({ min: 1, max: 4 }),
    meanwhile: fc.array(meanwhile, { maxLength: 6 }),
  });

  test('during concurrent writes, each record that exists throughout is listed once, in order, and none twice', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ first, limit, meanwhile: steps }) => {
        const caller = await service.openWorkspace();
        const begun = await makeClients(caller, first);
        const everThere = new Set(begun);
        const present = new Set(begun);
        let step = 0;
        const seen = await walk(caller, '/v1/clients', limit, async () => {
          const { come = 0, go = [] } = steps[step++] ?? {};
          for (const index of go) {
            const id = [...present][index];
            if (id === undefined) continue;
            expect((await caller.delete(`/v1/clients/${id}`)).status).toBe(204);
            present.delete(id);
          }
          for (const id of await makeClients(caller, come)) {
            everThere.add(id);
            present.add(id);
          }
        });
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toEqual(seen.toSorted());
        expect(seen.every((id) => everThere.has(id))).toBe(true);
        expect(begun.filter((id) => present.has(id) && !seen.includes(id))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});

describe('the scope of a cursor', () => {
  let cursor: string;
  let owner: Caller;
  let parent: string;

  beforeAll(async () => {
    owner = await service.openWorkspace();
    [parent] = (await makeClients(owner, 3)) as [string];
    await owner.makeClient('Child', parent);
    await owner.makeClient('Child', parent);
    cursor = (await owner.get('/v1/clients?limit=1')).body.next_cursor;
  });

  const flipped = (index: number): string => {
    const at = index < 0 ? cursor.length + index : index;
    return cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
  };

  test.each([
    ['made up', () => Buffer.from('{"id":"0123456789abcdef01234567"}').toString('base64url')],
    ['with its first character changed', () => flipped(0)],
    ['with its tenth character changed', () => flipped(10)],
    ['with a character of its signature changed', () => flipped(-8)],
    ['without its last character', () => cursor.slice(0, -1)],
    ['cut in half', () => cursor.slice(0, cursor.length / 2)],
    ['with an appended text', () => `${cursor}AAAA`],
    ['padded', () => `${cursor}=`],
    ['that is an id', () => parent],
  ])('a cursor %s is invalid', async (_what, forge) => {
    const reply = await owner.get(`/v1/clients?cursor=${forge()}`);
    expect([reply.status, reply.body.code]).toEqual([400, 'cursor-invalid']);
  });

  test.each([
    ['of another list', () => owner.get(`/v1/applications?cursor=${cursor}`)],
    ['of the list without a filter', () => owner.get(`/v1/clients?parent_id=${parent}&cursor=${cursor}`)],
    [
      'of the list with a filter',
      async () => {
        const filtered = await owner.get(`/v1/clients?limit=1&parent_id=${parent}`);
        return owner.get(`/v1/clients?cursor=${filtered.body.next_cursor}`);
      },
    ],
    ['of another workspace', () => service.admin.get(`/v1/clients?cursor=${cursor}`)],
    [
      'of another environment',
      async () => (await owner.becomeApplication({ environment: 'sandbox' })).get(`/v1/clients?cursor=${cursor}`),
    ],
    [
      'of a caller that sees more',
      async () => (await owner.becomeApplication({ scoped_to: parent })).get(`/v1/clients?cursor=${cursor}`),
    ],
    [
      'of a caller that sees less',
      async () => {
        const scoped = await owner.becomeApplication({ scoped_to: parent });
        return owner.get(`/v1/clients?cursor=${(await scoped.get('/v1/clients?limit=1')).body.next_cursor}`);
      },
    ],
  ])('a cursor %s is invalid', async (_what, request) => {
    const reply = await request();
    const detail = 'This cursor does not belong to this list. Start again without a cursor.';
    expect(reply.body).toEqual({
      type: `${settings.BASE_URL}/docs/errors#cursor-invalid`,
      title: 'Invalid cursor',
      status: 400,
      detail,
      code: 'cursor-invalid',
      request_id: reply.headers.get('x-request-id'),
      errors: [{ code: 'cursor-invalid', detail, parameter: 'cursor' }],
    });
  });

  test('a cursor is valid for another application with the same access', async () => {
    const other = await owner.becomeApplication({ rights: ['read'] });
    expect((await other.get(`/v1/clients?cursor=${cursor}`)).status).toBe(200);
  });
});

/** Moves the clock to the next full hour. */
function advanceToFullHour(clock: ManualClock): void {
  clock.advance(hourMs - (clock.now() % hourMs));
}

describe('the lifetime of a cursor', () => {
  test('a cursor is valid for 24 hours, also on another node, and an expired cursor differs from a wrong one', async () => {
    const database = await makeDatabase();
    onTestFinished(() => database.drop());
    const node = await startTestService({ database, settings });
    const other = await serviceForThisTest({ database, settings, clock: node.clock });
    const ids = await makeClients(node.admin, 3);
    advanceToFullHour(node.clock);
    const before = await Caller.withCredentials(node.admin.address, other.first);
    const { next_cursor: cursor } = (await before.get('/v1/clients?limit=1')).body;
    await node.stop();
    const sameDay = await Caller.withCredentials(other.admin.address, other.first);
    expect(idsOf(await sameDay.get(`/v1/clients?cursor=${cursor}`))).toEqual(ids.slice(1));
    other.clock.advance(dayMs);
    const nextDay = await Caller.withCredentials(other.admin.address, other.first);
    expect(idsOf(await nextDay.get(`/v1/clients?cursor=${cursor}`))).toEqual(ids.slice(1));
    other.clock.advance(1);
    const expired = await nextDay.get(`/v1/clients?cursor=${cursor}`);
    expect(expired.status).toBe(400);
    expect(expired.body).toMatchObject({
      code: 'cursor-expired',
      detail: 'This cursor has expired. Start again from the beginning of the list.',
    });
  });

  test('an unchanged page with more after it has the same tag for an hour, and a cursor that is valid for a day from then', async () => {
    const { admin, clock, first } = await serviceForThisTest({ settings });
    const enter = (): Promise<Caller> => Caller.withCredentials(admin.address, first);
    const ids = await makeClients(admin, 2);
    advanceToFullHour(clock);
    clock.advance(1);
    const page = await (await enter()).get('/v1/clients?limit=1');
    const ifChanged = { 'if-none-match': page.headers.get('etag')! };
    clock.advance(hourMs - 1);
    const hourLater = await enter();
    expect((await hourLater.get('/v1/clients?limit=1', ifChanged)).status).toBe(304);
    clock.advance(dayMs);
    const dayLater = await enter();
    expect(idsOf(await dayLater.get(`/v1/clients?cursor=${page.body.next_cursor}`))).toEqual(ids.slice(1));
    expect((await dayLater.get('/v1/clients?limit=1', ifChanged)).status).toBe(200);
  });
});
