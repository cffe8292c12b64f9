// Records of other clients cannot be used in a report: an instrument to compare with, a limit to explain, an instrument to trade.

import { beforeAll, describe, expect, test } from 'vitest';
import { Caller, type Reply } from '../../setup/http/caller.ts';
import { makeLedgerHousehold, makeInstrument, type LedgerHousehold } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile({ settings: { WORK_THREADS: '1' } });

interface ReportParty {
  readonly caller: Caller;
  readonly household: LedgerHousehold;
  readonly entity: string;
  /** Visible to its own client only. */
  readonly privateFund: string;
  readonly limit: string;
}

async function makeParty(caller: Caller, name: string): Promise<ReportParty> {
  const household = await makeLedgerHousehold(caller, name);
  await caller.patch(`/v1/clients/${household.client}`, { reference_currency: 'CHF' });
  const entity = await makeRecord(caller, 'reporting-entities', { client_id: household.client, name });
  await makeRecord(caller, 'portfolios', { reporting_entity_id: entity, account_ids: [household.account] });
  await caller.post('/v1/transactions', {
    type: 'deposit',
    account_id: household.account,
    date: '2026-01-02',
    amount: '9',
  });
  const privateFund = await makeInstrument(caller, {
    type: 'private-market-fund',
    name: `${name} private`,
    currency: 'CHF',
    commitment: '1',
    reporting_entity_id: entity,
  });
  await caller.post(`/v1/instruments/${privateFund}/net-asset-values`, { date: '2026-01-01', value: '1' });
  const filter = { kind: 'condition', field: 'currency', operator: 'equals', value: ['CHF'] };
  const limit = await makeRecord(caller, 'limits', {
    client_id: household.client,
    kind: 'proportional',
    max_pct: '0.5',
    filter,
  });
  return { caller, household, entity, privateFund, limit };
}

let own: ReportParty;
let sibling: ReportParty;
let stranger: ReportParty;
let scoped: Caller;

beforeAll(async () => {
  own = await makeParty(service.admin, 'Amsel');
  sibling = await makeParty(service.admin, 'Drossel');
  stranger = await makeParty(await service.openWorkspace(), 'Star');
  const rights = ['read', 'write'];
  const application = await service.admin.post('/v1/applications', {
    name: 'A',
    rights,
    scoped_to: own.household.client,
  });
  const { client_id: clientId, client_secret: clientSecret } = application.body;
  scoped = await Caller.withCredentials(service.admin.address, { clientId, clientSecret });
});

type ReportRequest = (caller: Caller, party: ReportParty) => Promise<Reply>;

const reports: Record<string, ReportRequest> = {
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
  'limits of a client': (caller, { household }) => caller.get(`/v2/clients/${household.client}/limits-status`),
  'holdings, Plain': (caller, { entity }) => caller.get(`/v2/holdings/reporting-entities/${entity}`),
  'lots, Plain': (caller, { entity }) => caller.get(`/v3/instrument-holdings/reporting-entities/${entity}`),
  'lots, JSON:API': (caller, { entity }) => caller.get(`/api/v3/instrument-holdings/reporting-entities/${entity}`),
  'performance, Plain': (caller, { entity }) => caller.get(`/v2/performance/reporting-entities/${entity}`),
  'performance, JSON:API': (caller, { entity }) => caller.get(`/api/v2/performance/reporting-entities/${entity}`),
  summarized: (caller, { entity }) => caller.get(`/api/v2/summarized-performance/reporting-entities/${entity}`),
};

describe.each(Object.entries(reports))('%s', (_name, requestReport) => {
  test('exists only for its owner', async () => {
    expect((await requestReport(service.admin, own)).status).toBe(200);
    expect((await requestReport(scoped, own)).status).toBe(200);
    for (const [caller, party] of [
      [service.admin, stranger],
      [stranger.caller, own],
      [scoped, sibling],
    ] as const) {
      expect((await requestReport(caller, party)).status).toBe(404);
    }
  });
});

/** Records that a request names besides its own reporting entity. */
const named: Record<string, (caller: Caller, party: ReportParty) => Promise<Reply>> = {
  'a benchmark': (caller, { privateFund }) =>
    caller.get(`/v1/performance?reporting_entity_id=${own.entity}&benchmark=${privateFund}`),
  'an index': (caller, { privateFund }) =>
    caller.get(`/v1/performance/private-markets?reporting_entity_id=${own.entity}&index=${privateFund}`),
  'a limit to explain': (caller, { limit }) =>
    caller.get(`/v1/explain?reporting_entity_id=${own.entity}&figure=limit_value&limit_id=${limit}`),
};

test.each(Object.entries(named))(
  "%s that is a stranger's or a sibling's is not found",
  async (_name, requestReport) => {
    expect((await requestReport(scoped, own)).status).toBe(200);
    expect((await requestReport(scoped, sibling)).status).toBe(404);
    expect((await requestReport(service.admin, stranger)).status).toBe(404);
  },
);
