// LEDGER_MEMORY_MB bounds what a node keeps in memory for reports: what is weighed is what the heap has grown by.

import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { makeStock } from '../../setup/ledger/ledger-household.ts';
import { collectGarbage } from '../../setup/node/held-bytes.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
const [warmCount, measuredCount, roundCount] = [10, 40, 8];
let entities: string[];

/** Everything that is reachable, in and beside the heap. */
function usedBytes(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A client that has traded ten instruments. */
async function makeTrader(admin: Caller, number: number, stocks: readonly string[]): Promise<string> {
  const { legalEntity, reportingEntity } = await makeHousehold(admin, `Amsel ${number}`);
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'EUR' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account] });
  const trades = Array.from({ length: 40 }, (_, index) => ({
    type: 'buy',
    account_id: account,
    instrument_id: stocks[index % stocks.length],
    date: `2026-${`${1 + (index % 9)}`.padStart(2, '0')}-15`,
    quantity: '1',
    price: '10',
    amount: '-10',
  }));
  const { status } = await admin.post('/v1/transactions/bulk', { data: trades });
  expect(status).toBe(200);
  return reportingEntity;
}

async function readReports(admin: Caller, reportingEntities: readonly string[]): Promise<void> {
  for (const entity of reportingEntities)
    for (const report of ['holdings', 'performance', 'lots', 'data-quality'])
      expect((await admin.get(`/v1/${report}?reporting_entity_id=${entity}`)).status).toBe(200);
}

beforeAll(async () => {
  const { admin } = service;
  const stocks: string[] = [];
  for (let number = 0; number < 10; number++) {
    const stock = await makeStock(admin, `Stock ${number}`, 'EUR');
    await admin.post(`/v1/instruments/${stock}/prices`, { date: '2026-01-05', value: '12' });
    stocks.push(stock);
  }
  entities = [];
  for (let number = 0; number < warmCount + measuredCount; number++)
    entities.push(await makeTrader(admin, number, stocks));
});

test('what is weighed of a client is what it takes, whatever reports were read of it', async () => {
  const { admin, context } = service;
  await readReports(admin, entities.slice(0, warmCount));
  const grown: { used: number; weighed: number }[] = [];
  let [usedBefore, weighedBefore] = [usedBytes(), context.ledgerCache.bytes];
  for (let first = warmCount; first < entities.length; first += roundCount) {
    await readReports(admin, entities.slice(first, first + roundCount));
    const [used, weighed] = [usedBytes(), context.ledgerCache.bytes];
    grown.push({ used: (used - usedBefore) / roundCount, weighed: (weighed - weighedBefore) / roundCount });
    [usedBefore, weighedBefore] = [used, weighed];
  }
  // Only some rounds are disturbed by what other files have left in this process, and by what is compiled meanwhile.
  const ratios = grown.map(({ used, weighed }) => used / weighed);
  for (const { weighed } of grown) expect(weighed).toBeGreaterThan(30_000);
  expect(Math.min(...ratios)).toBeLessThan(1.3);
  expect(Math.max(...ratios)).toBeGreaterThan(0.3);
});
