// A deletion and a concurrent write that would block it: one of them wins, the other is refused with the reason, and no reference
// to the deleted record remains.

import { beforeAll, describe, expect, test } from 'vitest';
import { makeEcPair } from '../../setup/access/assertion.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { listOrphans, runInLockOrder } from '../../setup/database/race.ts';
import { serviceForThisFile, startTestService } from '../../setup/node/test-service.ts';
import { changeDocument, makeRecord as makeBy, newDocument, toMany } from '../../setup/structure/structure-document.ts';

const jwk = makeEcPair().publicKey.export({ format: 'jwk' });

const service = serviceForThisFile();
let admin: Caller;
/** A caller on another node. */
let otherNode: Caller;
let client: string;
let entity: string;
let reportingEntity: string;

beforeAll(async () => {
  ({ admin } = service);
  const other = await startTestService({ database: service.database });
  otherNode = other.admin;
  client = await make('clients', { name: 'Owner' });
  entity = await make('legal-entities', { name: 'Holding', client_id: client });
  reportingEntity = await make('reporting-entities', { name: 'All', client_id: client });
  return () => other.stop();
});

const make = (plural: string, fields: object): Promise<string> => makeBy(admin, plural, fields);

let bankCount = 0;
const newClient = (): Promise<string> => make('clients', { name: 'Contested' });
const newAccount = (): Promise<string> => make('accounts', { entity_id: entity, currency: 'CHF' });
const newPortfolio = (): Promise<string> => make('portfolios', { reporting_entity_id: reportingEntity });
const newDepository = (): Promise<string> => make('depositories', { legal_entity_id: entity });
const newStock = (): Promise<string> =>
  make('instruments', { type: 'stock-instrument', name: 'Contested', currency: 'CHF' });

const deposit = { type: 'deposit', date: '2026-03-12', amount: '10' };
const purchase = { type: 'buy', date: '2026-03-12', quantity: '1', price: '2' };
const booking = (fields: object): Attempt => post('/v1/transactions', fields);
const manyBookings = (fields: object): Attempt => post('/v1/transactions/bulk', { data: [fields] });

type Plural = keyof typeof contested;
const contested = {
  clients: newClient,
  'legal-entities': () => make('legal-entities', { name: 'Contested', client_id: client }),
  accounts: newAccount,
  depositories: newDepository,
  'reporting-entities': () => make('reporting-entities', { name: 'Contested', client_id: client }),
  portfolios: newPortfolio,
  instruments: newStock,
  custodians: () => make('custodians', { name: `Bank ${++bankCount}` }),
};

type Attempt = (caller: Caller) => Promise<Reply>;

const post =
  (path: string, body: object): Attempt =>
  (caller) =>
    caller.post(path, body);
const patch =
  (path: string, body: object): Attempt =>
  (caller) =>
    caller.patch(path, body);

const newCash = (more: object): Attempt => post('/v1/accounts', { entity_id: entity, currency: 'CHF', ...more });

const nameOf = async (custodian: string): Promise<string> => (await admin.get(`/v1/custodians/${custodian}`)).body.name;

/** The write has the record in its path, and gets 404 there. */
const atPath = undefined;
/** The write does not depend on the record, and succeeds. */
const noBlocker = null;

/**
 * The deleted record, the competing write that uses it, the blocker named when the deletion comes second, and where a write that
 * comes second reports that the record does not exist.
 */
type RacePair = readonly [
  plural: Plural,
  rival: string,
  kept: string | null,
  missed: string | undefined | null,
  prepare: (id: string) => Promise<Attempt> | Attempt,
];

const blockingPairs: readonly RacePair[] = [
  ['accounts', 'a booking', '1 transaction', '/account_id', (id) => booking({ ...deposit, account_id: id })],
  [
    'accounts',
    'a transfer from it',
    '1 transaction of another account with it',
    '/counter_account_id',
    async (id) => booking({ ...deposit, account_id: await newAccount(), counter_account_id: id }),
  ],
  [
    'accounts',
    'a bulk booking',
    '1 transaction',
    '/data/0/account_id',
    (id) => manyBookings({ ...deposit, account_id: id }),
  ],
  [
    'depositories',
    'a purchase kept there',
    '1 transaction',
    '/depository_id',
    async (id) =>
      booking({ ...purchase, account_id: await newAccount(), depository_id: id, instrument_id: await newStock() }),
  ],
  [
    'instruments',
    'a purchase of it',
    '1 transaction',
    '/instrument_id',
    async (id) => booking({ ...purchase, account_id: await newAccount(), instrument_id: id }),
  ],
  [
    'instruments',
    'a bulk booking of a purchase of it',
    '1 transaction',
    '/data/0/instrument_id',
    async (id) => manyBookings({ ...purchase, account_id: await newAccount(), instrument_id: id }),
  ],
  [
    'instruments',
    'a change of symbol to it, for all holders',
    '1 corporate action that leads to it',
    '/target_instrument_id',
    async (id) =>
      booking({
        type: 'corporate-action',
        date: '2026-03-12',
        action: 'symbol-change',
        instrument_id: await newStock(),
        target_instrument_id: id,
      }),
  ],
  ['legal-entities', 'an account of it', '1 account', '/entity_id', (id) => newCash({ entity_id: id })],
  [
    'legal-entities',
    'an account of it on JSON:API',
    '1 account',
    atPath,
    (id) => post(`/api/v2/legal-entities/${id}/accounts`, newDocument('account', { ccyCode: 'CHF' })),
  ],
  [
    'legal-entities',
    'a depository of it',
    '1 depository',
    '/legal_entity_id',
    (id) => post('/v1/depositories', { legal_entity_id: id }),
  ],
  [
    'clients',
    'a legal entity of it',
    '1 legal entity',
    '/client_id',
    (id) => post('/v1/legal-entities', { name: 'Holding', client_id: id }),
  ],
  [
    'clients',
    'a reporting entity of it on JSON:API',
    null,
    atPath,
    (id) => post(`/api/v2/clients/${id}/reporting-entities`, newDocument('reporting-entity', { name: 'All' })),
  ],
  [
    'clients',
    'a client created below it',
    '1 client',
    '/parent_id',
    (id) => post('/v1/clients', { name: 'Child', parent_id: id }),
  ],
  [
    'clients',
    'a client moved below it',
    '1 client',
    '/parent_id',
    async (id) => patch(`/v1/clients/${await newClient()}`, { parent_id: id }),
  ],
  [
    'clients',
    'an application bound to it',
    '1 application or key',
    '/scoped_to',
    (id) => post('/v1/applications', { name: 'App', scoped_to: id }),
  ],
  [
    'clients',
    'a key bound to it',
    '1 application or key',
    '/scoped_to',
    (id) => post('/v1/keys', { label: 'Key', jwk, scoped_to: id }),
  ],
  [
    'reporting-entities',
    'a portfolio of it',
    '1 portfolio',
    '/reporting_entity_id',
    (id) => post('/v1/portfolios', { reporting_entity_id: id }),
  ],
  [
    'depositories',
    'a new account over it',
    '1 account',
    '/depository_ids/0',
    (id) => newCash({ depository_ids: [id] }),
  ],
  [
    'depositories',
    'an account that is linked to it',
    '1 account',
    '/data/relationships/depositories/data/0',
    async (id) => {
      const account = await newAccount();
      const relationships = { depositories: toMany('depository', [id]) };
      return patch(`/api/v2/accounts/${account}`, changeDocument('account', account, { relationships }));
    },
  ],
  [
    'depositories',
    'its own change to link an account',
    '1 account',
    atPath,
    async (id) => patch(`/v1/depositories/${id}`, { account_ids: [await newAccount()] }),
  ],
  ['custodians', 'a new account kept there, by id', '1 account', '/institution', (id) => newCash({ institution: id })],
  [
    'custodians',
    'an account moved there, by id',
    '1 account',
    '/custodian_id',
    async (id) => patch(`/v1/accounts/${await newAccount()}`, { custodian_id: id }),
  ],
  [
    'custodians',
    'a new account there, by name',
    '1 account',
    noBlocker,
    async (id) => newCash({ institution: await nameOf(id) }),
  ],
  [
    'custodians',
    'an account moved there, by name',
    '1 account',
    noBlocker,
    async (id) => patch(`/v1/accounts/${await newAccount()}`, { institution: await nameOf(id) }),
  ],
];

const somePrice = { date: '2026-03-12', value: '10' };

/** A deletion also deletes these links, whatever their other end, and ends these series. */
const yieldingPairs: readonly RacePair[] = [
  [
    'accounts',
    'a new portfolio that groups it',
    null,
    '/account_ids/0',
    (id) => post('/v1/portfolios', { reporting_entity_id: reportingEntity, account_ids: [id] }),
  ],
  ['instruments', 'a price of it', null, atPath, (id) => post(`/v1/instruments/${id}/prices`, somePrice)],
  [
    'instruments',
    'prices of many instruments',
    null,
    '/data/0/instrument_id',
    (id) => post('/v1/prices/bulk', { data: [{ ...somePrice, instrument_id: id }] }),
  ],
  [
    'accounts',
    'a depository that is changed to link it',
    null,
    '/account_ids/0',
    async (id) => patch(`/v1/depositories/${await newDepository()}`, { account_ids: [id] }),
  ],
  [
    'depositories',
    'a portfolio that is changed to group it',
    null,
    '/depository_ids/0',
    async (id) => patch(`/v1/portfolios/${await newPortfolio()}`, { depository_ids: [id] }),
  ],
  [
    'portfolios',
    'its own change to group an account',
    null,
    atPath,
    async (id) => patch(`/v1/portfolios/${id}`, { account_ids: [await newAccount()] }),
  ],
];

const outcomeOf = (reply: Reply): unknown => (reply.status < 300 ? 'done' : reportedRefusal(reply));

/** `legal-entities` → `legal-entity`. */
const typeOf = (plural: string): string => plural.replace(/ies$/, 'y').replace(/s$/, '');

function blockedBy(plural: Plural, remaining: string): object {
  const type = typeOf(plural);
  const code = type === 'client' ? 'client-has-live-data' : `${type}-in-use`;
  const detail = `The ${type.replace('-', ' ')} cannot be deleted while these remain: ${remaining}.`;
  return { status: 409, code, detail, pointer: undefined };
}

function missing(plural: Plural, pointer: string | undefined): object {
  const type = typeOf(plural);
  return { status: 404, code: `${type}-not-found`, detail: `There is no such ${type.replace('-', ' ')}.`, pointer };
}

describe.each([...blockingPairs, ...yieldingPairs])(
  'deleting one of the %s against %s',
  (plural, _, blockers, missed, prepare) => {
    const onV1 = (id: string): string => `/v1/${plural}/${id}`;
    const onJsonApi = (id: string): string =>
      plural === 'custodians' || plural === 'instruments' ? onV1(id) : `/api/v2/${plural}/${id}`;
    /** The outcomes of the deletion and of the competing write. */
    const deletionFirst = ['done', missed === noBlocker ? 'done' : missing(plural, missed)];
    const rivalFirst = [blockers === null ? 'done' : blockedBy(plural, blockers), 'done'];

    test('when the deletion is first, the other request is refused', async () => {
      const id = await contested[plural]();
      const rival = await prepare(id);
      const deletion = (): Promise<Reply> => admin.delete(onV1(id));
      const [first, second] = await runInLockOrder(service.database, deletion, () => rival(otherNode));
      expect([first, second].map(outcomeOf)).toEqual(deletionFirst);
      expect((await admin.get(onV1(id))).status).toBe(404);
    });

    test('when the deletion is second, it sees the other write', async () => {
      const id = await contested[plural]();
      const rival = await prepare(id);
      const deletion = (): Promise<Reply> => admin.delete(onJsonApi(id));
      const [first, second] = await runInLockOrder(service.database, () => rival(otherNode), deletion);
      expect([second, first].map(outcomeOf)).toEqual(rivalFirst);
      expect((await admin.get(onV1(id))).status).toBe(blockers === null ? 404 : 200);
    });

    test('run together, they end as if one had been first, and leave no orphans', async () => {
      const ids = await Promise.all(Array.from({ length: 12 }, () => contested[plural]()));
      const rivals = await Promise.all(ids.map((id) => prepare(id)));
      for (const [round, id] of ids.entries()) {
        const node = round % 4 < 2 ? admin : otherNode;
        const acts = [() => admin.delete(onV1(id)), () => rivals[round]!(node)];
        const replies = await Promise.all((round % 2 === 0 ? acts : acts.toReversed()).map((act) => act()));
        const outcome = (round % 2 === 0 ? replies : replies.toReversed()).map(outcomeOf);
        expect([deletionFirst, rivalFirst]).toContainEqual(outcome);
      }
      // Anything left behind in one of the rounds would still be found.
      expect(await listOrphans(service.database)).toEqual([]);
    });
  },
);
