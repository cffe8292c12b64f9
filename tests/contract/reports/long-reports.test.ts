// Long reports in a work thread: they delay no report of another workspace, and an answer that is read slowly, or no more, holds up
// nothing.

import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { book, bookedId, makeStock } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile({ settings: { WORK_THREADS: '1', BUDGET_REPORTS: '4' } });
/** Three centuries of values. */
const [firstDay, lastDay, dayCount] = ['1900-01-02', '2199-12-31', 109_572];
let neighbour: Caller;
let large: string;
let small: string;
let longer: string;

beforeAll(async () => {
  neighbour = await service.openWorkspace();
  large = await makeHolder(service.admin, { stockCount: 12, boughtOn: firstDay });
  small = await makeHolder(neighbour, { stockCount: 1, boughtOn: '2026-01-05' });
  longer = await makeHolder(neighbour, { stockCount: 24, boughtOn: firstDay });
});

/** Returns a reporting entity that holds shares with a price on the first and on the last day. */
async function makeHolder(
  caller: Caller,
  { stockCount, boughtOn }: { readonly stockCount: number; readonly boughtOn: string },
): Promise<string> {
  const { legalEntity, reportingEntity } = await makeHousehold(caller);
  const account = await makeRecord(caller, 'accounts', { entity_id: legalEntity, currency: 'EUR', name: 'Main' });
  await makeRecord(caller, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account] });
  for (let number = 1; number <= stockCount; number++) {
    const stock = await makeStock(caller, `Share ${number}`, 'EUR');
    for (const [date, value] of [
      [boughtOn, '10'],
      [lastDay, '12'],
    ])
      bookedId(await caller.post(`/v1/instruments/${stock}/prices`, { date, value }));
    const trade = { type: 'buy', date: boughtOn, quantity: '10', price: '10', amount: '-100' };
    bookedId(await book(caller, 'v1', { ...trade, account_id: account, instrument_id: stock }));
  }
  return reportingEntity;
}

const window = `start=1900-01-01&end=${lastDay}`;
const reportPath = (query: string): string => `/v1/performance?reporting_entity_id=${large}&${query}`;
const getSmall = (): Promise<Reply> => neighbour.get(`/v1/holdings?reporting_entity_id=${small}`);

test('small reports of one workspace are answered before the queue of long ones of another', async () => {
  const longPath = reportPath(`${window}&by=instrument,account,class&detail=summary`);
  // Both have loaded their inputs.
  expect([(await service.admin.get(longPath)).status, (await getSmall()).status]).toEqual([200, 200]);
  const order: string[] = [];
  const long = Array.from({ length: 5 }, async () => {
    const { status } = await service.admin.get(longPath);
    order.push(`long ${status}`);
  });
  for (let count = 0; count < 3; count++) order.push(`small ${(await getSmall()).status}`);
  await Promise.all(long);
  expect(order.toSorted()).toEqual([...Array(5).fill('long 200'), ...Array(3).fill('small 200')]);
  expect(order.slice(0, order.lastIndexOf('small 200')).filter((answer) => answer === 'long 200').length).toBeLessThan(
    3,
  );
});

test('an answer of many more chunks than are sent ahead is complete, and the thread takes the next report', async () => {
  for (let count = 0; count < 2; count++) {
    const { status, text } = await service.admin.get(reportPath(`${window}&format=csv`));
    const lines = text.trimEnd().split('\r\n');
    expect([status, lines.length]).toEqual([200, dayCount + 1]);
    expect([lines[1], lines.at(-1)].map((line) => line!.split(',').slice(0, 4))).toEqual([
      ['total', '', firstDay, '0.00'],
      ['total', '', lastDay, '240.00'],
    ]);
  }
});

/** Sends the request; the answer is read only as far as the caller reads it. */
function startReport(path: string): { readonly sent: ClientRequest; readonly answer: Promise<IncomingMessage> } {
  const { address, token } = service.admin;
  const sent = request(address + path, { headers: { authorization: `Bearer ${token}` }, agent: false });
  const answer = new Promise<IncomingMessage>((resolve, reject) => sent.on('response', resolve).on('error', reject));
  sent.end();
  return { sent, answer };
}

test('an answer that nobody reads delays no other workspace; given up, it makes room for the next of its own', async () => {
  const slow = Array.from({ length: 4 }, () => startReport(reportPath(`${window}&by=instrument&format=ndjson`)));
  const answers = await Promise.all(slow.map(({ answer }) => answer));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  const order: string[] = [];
  const next = service.admin
    .get(reportPath('start=2026-01-01&end=2026-01-02'))
    .then(({ status }) => order.push(`next ${status}`));
  order.push(`small ${(await getSmall()).status}`);
  for (const { sent } of slow) sent.destroy();
  await next;
  expect(order).toEqual(['small 200', 'next 200']);
});

test('a reader who leaves before the answer begins makes room for the next as well', async () => {
  // One more than one workspace may have at a time.
  for (let count = 0; count < 5; count++) {
    const { sent, answer } = startReport(reportPath(`${window}&by=instrument,account&format=csv`));
    await getSmall();
    sent.destroy();
    await answer.catch(() => {});
  }
  expect((await service.admin.get(reportPath('start=2026-01-01&end=2026-01-02'))).status).toBe(200);
});

test('a report whose caller has left is computed no further, so that the next of its workspace takes its turns', async () => {
  const query = `${window}&detail=summary&by=instrument`;
  const longerPath = `/v1/performance?reporting_entity_id=${longer}&${query},class,account`;
  // Both have loaded their inputs.
  expect([(await service.admin.get(reportPath(query))).status, (await neighbour.get(longerPath)).status]).toEqual([
    200, 200,
  ]);
  const left = Array.from({ length: 3 }, () => startReport(reportPath(query)));
  await getSmall();
  for (const { sent } of left) sent.destroy();
  await Promise.all(left.map(({ answer }) => answer.catch(() => {})));
  const order: string[] = [];
  const next = async (): Promise<void> => {
    order.push(`next ${(await service.admin.get(reportPath(query))).status}`);
  };
  const other = async (): Promise<void> => {
    order.push(`twice as long ${(await neighbour.get(longerPath)).status}`);
  };
  await Promise.all([next(), other()]);
  expect(order).toEqual(['next 200', 'twice as long 200']);
});

test('the series of every wire begins with the first booking, however early the window begins', async () => {
  const exact = `start=${firstDay}&end=${lastDay}`;
  const summaries = [window, exact].map(async (days) => {
    const { body } = await service.admin.get(reportPath(`${days}&by=instrument&detail=summary`));
    return body.data.map(({ warnings: _warnings, ...figures }: Record<string, unknown>) => figures);
  });
  const [wide, narrow] = await Promise.all(summaries);
  expect(wide).toEqual(narrow);
  const plain = await service.admin.get(`/v2/performance/reporting-entities/${large}?${window}`);
  const jsonApi = await service.admin.get(
    `/api/v2/performance/reporting-entities/${large}?fromDate=1900-01-01&toDate=${lastDay}`,
  );
  const { attributes } = jsonApi.body.data[0];
  expect([plain.body.start, attributes.fromDate]).toEqual(['1900-01-01', '1900-01-01']);
  expect([plain.body.series.length, attributes.series.length]).toEqual([dayCount, dayCount]);
  expect([plain.body.series[0].date, attributes.series[0].date]).toEqual([firstDay, firstDay]);
});

test('a window that ends before the first booking has no days', async () => {
  const { body } = await service.admin.get(reportPath('start=1900-01-01&end=1900-01-01&by=instrument'));
  expect([body.start, body.end, body.data.length]).toEqual(['1900-01-01', '1900-01-01', 1]);
  expect(body.data[0].warnings.map(({ code }: { code: string }) => code)).toEqual(['nothing-covered']);
  expect(body.data[0].series).toEqual([]);
});
