// How many round trips to the database creating a record takes: each costs the time of the network, and more where workspaces are spread over
// servers: one for what the record refers to, one that writes and commits it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCountedConnection, type CountedConnection } from '../../setup/database/counted-connection.ts';
import { makeDatabase, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { makeLedgerHousehold, type LedgerHousehold } from '../../setup/ledger/ledger-household.ts';

let connection: CountedConnection;
let service: TestService;
let household: LedgerHousehold;
let reportingEntity: string;
let custodian: string;
let number = 0;
const filter = { kind: 'condition', field: 'instrument_class.path', operator: 'starts_with', value: ['Equity'] };
const isins = ['CH0012032048', 'CH0038863350', 'CH0012005267', 'US0378331005', 'DE0007164600'];

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
];

test.each(creations)('%s takes two trips, and is answered as it is read', async (_what, path, body) => {
  const create = async (): Promise<{ trips: number; created: any }> => {
    number++;
    const before = connection.tripCount;
    const answer = await service.admin.post(path, body());
    expect(answer.body).toMatchObject({ id: expect.any(String) });
    return { trips: connection.tripCount - before, created: answer.body };
  };
  await create(); // prepares the statements
  // The service also asks by itself now and then.
  const all = [await create(), await create(), await create()];
  expect(Math.min(...all.map(({ trips }) => trips))).toBe(2);
  for (const { created } of all) expect((await service.admin.get(`${path}/${created.id}`)).body).toEqual(created);
});
