// How many round trips to the database creating a record takes: each costs the time of the network, and more where workspaces are spread over
// servers: one for what the record refers to, one that writes and commits it.

import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCountedConnection, type CountedConnection } from '../../setup/database/counted-connection.ts';
import { makeDatabase, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { makeLedgerHousehold, type LedgerHousehold } from '../../setup/ledger/ledger-household.ts';

let connection: CountedConnection;
let service: TestService;
let household: LedgerHousehold;
let reportingEntity: string;
let custodian: string;
let user: string;
let number = 0;
const filter = { kind: 'condition', field: 'instrument_class.path', operator: 'starts_with', value: ['Equities'] };
const nextDay = (): string => new Date(Date.UTC(2025, 0, number)).toISOString().slice(0, 10);
const isins = ['CH0012032048', 'CH0038863350', 'CH0012005267', 'US0378331005', 'DE0007164600'];

function newJwk(): object {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
}

beforeAll(async () => {
  const database = await makeDatabase();
  connection = await openCountedConnection(database);
  service = await startTestService({
    database: { ...database, url: connection.url },
    settings: { ROLE: 'api', REQUEST_LOG: 'off', BUDGET_PER_MINUTE: '100000', BUDGET_BURST: '100000' },
  });
  household = await makeLedgerHousehold(service.admin);
  const { body } = await service.admin.post('/v1/reporting-entities', { client_id: household.client, name: 'All' });
  reportingEntity = body.id;
  user = (await service.admin.post('/v1/users', newUser())).body.id;
  custodian = (await service.admin.post('/v1/custodians', { name: 'Seefeld' })).body.id;
});

afterAll(async () => {
  await service.stop();
  await connection.close();
});

const creations: [what: string, path: string, body: () => object][] = [
  ['a client', '/v1/clients', () => ({ name: `C ${number}` })],
  ['a client below another', '/v1/clients', () => ({ name: `C ${number}`, parent_id: household.client })],
  ['a legal entity', '/v1/legal-entities', () => ({ client_id: household.client, name: `L ${number}` })],
  ['an account', '/v1/accounts', () => ({ entity_id: household.legalEntity, name: `A ${number}`, currency: 'CHF' })],
  [
    'an account at a custodian, with a depository',
    '/v1/accounts',
    () => ({
      entity_id: household.legalEntity,
      name: `B ${number}`,
      currency: 'CHF',
      custodian_id: custodian,
      depository_ids: [household.depository],
    }),
  ],
  ['an account at a new institution', '/v1/accounts', () => accountAt(`New ${number}`)],
  ['an account at a known institution', '/v1/accounts', () => accountAt('SEEFELD')],
  ['an account at an institution that is named by its id', '/v1/accounts', () => accountAt(custodian)],
  ['a depository', '/v1/depositories', () => ({ legal_entity_id: household.legalEntity, name: `D ${number}` })],
  ['a reporting entity', '/v1/reporting-entities', () => ({ client_id: household.client, name: `R ${number}` })],
  [
    'a portfolio with an account',
    '/v1/portfolios',
    () => ({ reporting_entity_id: reportingEntity, name: `P ${number}`, account_ids: [household.account] }),
  ],
  ['a custodian', '/v1/custodians', () => ({ name: `Bank ${number}` })],
  ['an instrument', '/v1/instruments', () => ({ type: 'stock-instrument', name: `I ${number}`, currency: 'CHF' })],
  [
    'an instrument with a code',
    '/v1/instruments',
    () => ({ type: 'stock-instrument', name: `J ${number}`, currency: 'CHF', isin: isins[number % isins.length] }),
  ],
  ['an instrument class', '/v1/instrument-classes', () => ({ name: `K ${number}` })],
  [
    'a limit',
    '/v1/limits',
    () => ({ client_id: household.client, kind: 'absolute', filter, name: `M ${number}`, max_amount: '1' }),
  ],
  [
    'a booking',
    '/v1/transactions',
    () => ({ type: 'deposit', account_id: household.account, date: '2026-01-05', amount: String(number) }),
  ],
  ['a user', '/v1/users', () => newUser()],
  ['a user who may read', '/v1/users', () => ({ ...newUser(), reporting_entity_ids: [reportingEntity] })],
  ['a rate', '/v1/fx-rates', () => ({ base: 'CHF', quote: 'USD', date: nextDay(), rate: `1.${number}` })],
  [
    'an upload of a balance',
    '/v1/historical-holdings',
    () => ({ kind: 'account', account_id: household.account, date: nextDay(), market_value: String(number) }),
  ],
];

interface Created {
  readonly trips: number;
  readonly created: any;
}

/** The service also asks by itself now and then, so that the smallest number of several counts. */
async function createSome(path: string, body: () => object): Promise<{ trips: number; created: readonly any[] }> {
  const create = async (): Promise<Created> => {
    number++;
    const before = connection.tripCount;
    const answer = await service.admin.post(path, body());
    expect(answer.body).toMatchObject({ id: expect.any(String) });
    return { trips: connection.tripCount - before, created: answer.body };
  };
  await create(); // prepares the statements
  const all = [await create(), await create(), await create()];
  return { trips: Math.min(...all.map(({ trips }) => trips)), created: all.map(({ created }) => created) };
}

test.each(creations)('%s takes two trips, and is answered as it is read', async (_what, path, body) => {
  const { trips, created } = await createSome(path, body);
  expect(trips).toBe(2);
  for (const one of created) expect((await service.admin.get(`${path}/${one.id}`)).body).toEqual(one);
});

const events = ['transaction.created'];
const newUser = (): object => ({
  client_id: household.client,
  first_name: 'A',
  last_name: 'B',
  email: `u${number}@example.com`,
});
const accountAt = (institution: string): object => ({
  entity_id: household.legalEntity,
  name: `I ${number}`,
  currency: 'CHF',
  institution,
});

/** Their answers show what is shown once, or what changes by itself: the mail of an invite is sent. */
const others: [what: string, tripsMax: number, path: string, body: () => object][] = [
  ['a webhook', 2, '/v1/webhooks', () => ({ url: 'https://a.example', events })],
  [
    'a webhook of a client',
    2,
    '/v1/webhooks',
    () => ({ url: 'https://a.example', events, client_id: household.client }),
  ],
  ['an application', 2, '/v1/applications', () => ({ name: `App ${number}` })],
  ['an application of a client', 2, '/v1/applications', () => ({ name: 'App', scoped_to: household.client })],
  ['a key', 2, '/v1/keys', () => ({ label: `K ${number}`, jwk: newJwk() })],
  ['an invite in place of another', 2, '/v1/invites', () => ({ user_id: user })],
  ['an invite to a named client', 2, '/v1/invites', () => ({ user_id: user, client_id: household.client })],
];

test.each(others)('%s takes at most %i trips', async (_what, tripsMax, path, body) => {
  expect((await createSome(path, body)).trips).toBeLessThanOrEqual(tripsMax);
});
