// What is a stranger's cannot be brought into a report: an instrument to compare with, a limit to explain, a thing to trade.

import { beforeAll, describe, expect, test } from 'vitest';
import { Caller, type Reply } from '../../setup/http/caller.ts';
import { makeLedgerHousehold, makeInstrument, type LedgerHousehold } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { make } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();

interface Party {
  readonly caller: Caller;
  readonly home: LedgerHousehold;
  readonly entity: string;
  /** Seen by its own client alone. */
  readonly privateFund: string;
  readonly limit: string;
}

async function makeParty(caller: Caller, name: string): Promise<Party> {
  const home = await makeLedgerHousehold(caller, name);
  await caller.patch(`/v1/clients/${home.client}`, { reference_currency: 'CHF' });
  const entity = await make(caller, 'reporting-entities', { client_id: home.client, name });
  await make(caller, 'portfolios', { reporting_entity_id: entity, account_ids: [home.account] });
  await caller.post('/v1/transactions', { type: 'deposit', account_id: home.account, date: '2026-01-02', amount: '9' });
  const privateFund = await makeInstrument(caller, {
    type: 'private-market-fund',
    name: `${name} private`,
    currency: 'CHF',
    commitment: '1',
    reporting_entity_id: entity,
  });
  await caller.post(`/v1/instruments/${privateFund}/net-asset-values`, { date: '2026-01-01', value: '1' });
  const filter = { kind: 'condition', field: 'currency', operator: 'equals', value: ['CHF'] };
  const limit = await make(caller, 'limits', { client_id: home.client, kind: 'proportional', max_pct: '0.5', filter });
  return { caller, home, entity, privateFund, limit };
}

let own: Party;
let sibling: Party;
let stranger: Party;
let scoped: Caller;

beforeAll(async () => {
  own = await makeParty(service.admin, 'Amsel');
  sibling = await makeParty(service.admin, 'Drossel');
  stranger = await makeParty(await service.openWorkspace(), 'Star');
  const rights = ['read', 'write'];
  const application = await service.admin.post('/v1/applications', { name: 'A', rights, scoped_to: own.home.client });
  const { client_id: clientId, client_secret: clientSecret } = application.body;
  scoped = await Caller.withCredentials(service.admin.address, { clientId, clientSecret });
});

type Ask = (caller: Caller, party: Party) => Promise<Reply>;

const reports: Record<string, Ask> = {
  holdings: (caller, { entity }) => caller.get(`/v1/holdings?reporting_entity_id=${entity}`),
  lots: (caller, { entity }) => caller.get(`/v1/lots?reporting_entity_id=${entity}`),
  allocation: (caller, { entity }) => caller.get(`/v1/allocation?reporting_entity_id=${entity}&by=class`),
  'realised gains': (caller, { entity }) =>
    caller.get(`/v1/realised-gains?reporting_entity_id=${entity}&from=2026-01-01&to=2026-01-02`),
  performance: (caller, { entity }) => caller.get(`/v1/performance?reporting_entity_id=${entity}`),
  'private markets': (caller, { entity }) =>
    caller.get(`/v1/performance/private-markets?reporting_entity_id=${entity}`),
  'data quality': (caller, { entity }) => caller.get(`/v1/data-quality?reporting_entity_id=${entity}`),
  'the status of a limit': (caller, { limit }) => caller.get(`/v1/limits/${limit}/status`),
  'limits of a client': (caller, { home }) => caller.get(`/v2/clients/${home.client}/limits-status`),
  'holdings, Plain': (caller, { entity }) => caller.get(`/v2/holdings/reporting-entities/${entity}`),
  'lots, Plain': (caller, { entity }) => caller.get(`/v3/instrument-holdings/reporting-entities/${entity}`),
  'lots, JSON:API': (caller, { entity }) => caller.get(`/api/v3/instrument-holdings/reporting-entities/${entity}`),
  'performance, Plain': (caller, { entity }) => caller.get(`/v2/performance/reporting-entities/${entity}`),
  'performance, JSON:API': (caller, { entity }) => caller.get(`/api/v2/performance/reporting-entities/${entity}`),
  summarized: (caller, { entity }) => caller.get(`/api/v2/summarized-performance/reporting-entities/${entity}`),
};

describe.each(Object.entries(reports))('%s', (_name, ask) => {
  test('is there for who owns it, and for nobody else', async () => {
    expect((await ask(service.admin, own)).status).toBe(200);
    expect((await ask(scoped, own)).status).toBe(200);
    for (const [caller, party] of [
      [service.admin, stranger],
      [stranger.caller, own],
      [scoped, sibling],
    ] as const) {
      expect((await ask(caller, party)).status).toBe(404);
    }
  });
});

/** What is named beside one's own reporting entity. */
const named: Record<string, (caller: Caller, party: Party) => Promise<Reply>> = {
  'a benchmark': (caller, { privateFund }) =>
    caller.get(`/v1/performance?reporting_entity_id=${own.entity}&benchmark=${privateFund}`),
  'an index': (caller, { privateFund }) =>
    caller.get(`/v1/performance/private-markets?reporting_entity_id=${own.entity}&index=${privateFund}`),
  'a limit to explain': (caller, { limit }) =>
    caller.get(`/v1/explain?reporting_entity_id=${own.entity}&figure=limit_value&limit_id=${limit}`),
};

test.each(Object.entries(named))("%s that is a stranger's or a sibling's is not found", async (_name, ask) => {
  expect((await ask(scoped, own)).status).toBe(200);
  expect((await ask(scoped, sibling)).status).toBe(404);
  expect((await ask(service.admin, stranger)).status).toBe(404);
});
