// Reports whose caller leaves: nobody computes on what nobody will see, whichever way it was asked for, and its place is free at once.

import { request } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { countPieces } from '../../setup/kit/count-pieces.ts';
import { book, bookedId, makeStock } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { insertPerson, signIn, type SignedInCaller } from '../../setup/people/person-caller.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

/** One report at a time: the next waits until the one before has ended. */
const service = serviceForThisFile({ settings: { BUDGET_REPORTS: '1' } });
const [firstDay, lastDay] = ['1940-01-02', '2026-01-02'];
const stockCount = 40;
let entity: string;
let viewer: SignedInCaller;

beforeAll(async () => {
  const { admin } = service;
  const { client, legalEntity, reportingEntity } = await makeHousehold(admin);
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'EUR', name: 'Main' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account] });
  for (let number = 1; number <= stockCount; number++) await buyStock(admin, account, `Share ${number}`);
  entity = reportingEntity;
  const membership = { client, role: 'viewer' as const, grants: [entity] };
  viewer = await signIn(service, await insertPerson(service, { memberships: [membership] }));
});

async function buyStock(admin: Caller, account: string, name: string): Promise<void> {
  const stock = await makeStock(admin, name, 'EUR');
  for (const [date, value] of [
    [firstDay, '10'],
    [lastDay, '12'],
  ])
    bookedId(await admin.post(`/v1/instruments/${stock}/prices`, { date, value }));
  const trade = { type: 'buy', date: firstDay, quantity: '10', price: '10', amount: '-100' };
  bookedId(await book(admin, 'v1', { ...trade, account_id: account, instrument_id: stock }));
}

interface Call {
  readonly path: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

const bearer = (): { readonly authorization: string } => ({ authorization: `Bearer ${service.admin.token}` });
const window = { start: firstDay, end: lastDay };
const search = new URLSearchParams({ ...window, every: 'year' }).toString();

const calls: [what: string, call: () => Call][] = [
  ['of the API', () => ({ path: `/v1/performance?reporting_entity_id=${entity}&${search}`, headers: bearer() })],
  [
    'that an assistant asks for',
    () => ({
      path: '/mcp',
      headers: { ...bearer(), 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'performance',
          arguments: { reporting_entity_id: entity, ...window, every: ['year'], detail: 'summary' },
        },
      }),
    }),
  ],
  [
    'on a page of the portal',
    () => ({ path: `/entities/${entity}/performance?${search}`, headers: { cookie: viewer.cookie } }),
  ],
];

/** Resolves with the status, or with nothing if the caller has left before. `leave` is called with what closes the connection. */
function send(
  { path, body, headers }: Call,
  onSent: (leave: () => void) => void = () => {},
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(service.admin.address + path, { method, headers, agent: false }, (answer) => {
      answer.on('close', () => resolve(answer.complete ? answer.statusCode : undefined)).resume();
    });
    sent.on('error', () => resolve(undefined));
    onSent(() => sent.destroy());
    sent.end(body);
  });
}

/** A report that is soon computed, which waits for the place of the one before. */
async function next(): Promise<number> {
  const { status } = await service.admin.get(`/v1/holdings?reporting_entity_id=${entity}&as_of=${lastDay}`);
  return status;
}

test.each(calls)('a report %s is computed to its end only for who waits for it', async (_what, call) => {
  // The first report loads what the others find in memory.
  expect([await next(), await send(call())]).toEqual([200, 200]);
  let leave: () => void = () => {};
  let leavesAt = Infinity;
  const { pieceCount } = countPieces((count) => count === leavesAt && leave());
  expect([await send(call()), await next()]).toEqual([200, 200]);
  const whole = pieceCount();
  leavesAt = whole + 2;
  expect(await send(call(), (close) => (leave = close))).toBeUndefined();
  expect(await next()).toBe(200);
  expect(whole).toBeGreaterThan(stockCount);
  expect(pieceCount() - whole).toBeLessThan(whole);
});
