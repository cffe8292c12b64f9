// How many round trips to the database creating a record takes: each costs the time of the network, and more where workspaces are spread over
// servers. A booking takes two.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCountedConnection, type CountedConnection } from '../../setup/database/counted-connection.ts';
import { makeDatabase, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { makeLedgerHousehold, type LedgerHousehold } from '../../setup/ledger/ledger-household.ts';

let connection: CountedConnection;
let service: TestService;
let household: LedgerHousehold;
let reportingEntity: string;
let number = 0;

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
});

afterAll(async () => {
  await service.stop();
  await connection.close();
});

const creations: [what: string, trips: number, path: string, body: () => object][] = [
  ['a client', 4, '/v1/clients', () => ({ name: `C ${number}` })],
  ['a legal entity', 3, '/v1/legal-entities', () => ({ client_id: household.client, name: `L ${number}` })],
  ['an account', 3, '/v1/accounts', () => ({ entity_id: household.legalEntity, name: `A ${number}`, currency: 'CHF' })],
  ['a depository', 3, '/v1/depositories', () => ({ legal_entity_id: household.legalEntity, name: `D ${number}` })],
  ['a reporting entity', 3, '/v1/reporting-entities', () => ({ client_id: household.client, name: `R ${number}` })],
  [
    'a portfolio with an account',
    5,
    '/v1/portfolios',
    () => ({ reporting_entity_id: reportingEntity, name: `P ${number}`, account_ids: [household.account] }),
  ],
  ['an instrument', 3, '/v1/instruments', () => ({ type: 'stock-instrument', name: `I ${number}`, currency: 'CHF' })],
  [
    'a booking',
    2,
    '/v1/transactions',
    () => ({ type: 'deposit', account_id: household.account, date: '2026-01-05', amount: String(number) }),
  ],
];

test.each(creations)('%s takes %i trips', async (_what, trips, path, body) => {
  const create = async (): Promise<number> => {
    number++;
    const before = connection.tripCount;
    expect((await service.admin.post(path, body())).status).toBe(201);
    return connection.tripCount - before;
  };
  await create(); // prepares the statements
  expect(await create()).toBe(trips);
});
