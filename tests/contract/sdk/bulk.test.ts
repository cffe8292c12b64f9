// Many rows in one call, as a stream that is never in memory as a whole, and webhooks that verify.

import { beforeAll, expect, test } from 'vitest';
import { Holdfast } from '../../../packages/sdk/src/index.ts';
import { verifyServiceSignature } from '../../../packages/sdk/src/webhook.ts';
import { deliverDueAt } from '../../setup/events/deliveries.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeSdkHousehold, sdkClient, type SdkHousehold } from '../../setup/sdk/sdk-household.ts';

const service = serviceForThisFile();
let holdfast: Holdfast;
let household: SdkHousehold;

beforeAll(async () => {
  holdfast = sdkClient(service);
  household = await makeSdkHousehold(holdfast);
});

const rowCount = 5_000;

function* deposits(accountId: string, count = rowCount) {
  for (let index = 1; index <= count; index++)
    yield {
      type: 'deposit',
      date: '2026-03-02',
      account_id: accountId,
      amount: `${index}.000000000000000001`,
      external_reference: `row-${index}`,
    } as const;
}

test('5,000 rows are booked from a generator, and read again', async () => {
  const { accountId } = household;
  const answer = await holdfast.transactions.bulk(deposits(accountId));
  expect(answer).toMatchObject({ accepted: rowCount, refused: 0, errors: [] });
  let count = 0;
  const last = new Set<string>();
  for await (const row of holdfast.transactions.list({ account_id: accountId })) {
    count++;
    last.add(row.amount ?? '');
  }
  expect(count).toBe(rowCount);
  expect(last.has('4999.000000000000000001')).toBe(true);
});

test('rows can be sent again after a lost answer if they can be started again', async () => {
  const { accountId } = await makeSdkHousehold(holdfast);
  const losing = (): typeof fetch => {
    let isLost = false;
    return async (input, init) => {
      const answer = await fetch(input, init);
      if (isLost || !String(input).includes('/bulk')) return answer;
      isLost = true;
      throw new TypeError('The connection was reset.');
    };
  };
  const once = sdkClient(service, { fetch: losing() });
  await expect(once.transactions.bulk(deposits(accountId, 3))).rejects.toMatchObject({ code: 'network-failed' });
  const again = sdkClient(service, { fetch: losing() });
  const { isReplayed } = await again.transactions.bulk(() => deposits(accountId, 4)).withResponse();
  expect(isReplayed).toBe(true);
  // The three of the first call were booked, and its caller was told that there was no answer; the fourth came with the second call.
  expect(await holdfast.transactions.list({ account_id: accountId }).toArray()).toHaveLength(4);
});

test('rows that are refused are named, and CSV is sent as it is', async () => {
  const { accountId } = await makeSdkHousehold(holdfast);
  const csv = `type,date,account_id,amount\r\ndeposit,2026-03-02,${accountId},5\r\ndeposit,2026-13-02,${accountId},5\r\n`;
  const answer = await holdfast.transactions.bulk({ csv }, { mode: 'per-row' });
  expect(answer).toMatchObject({ accepted: 1, refused: 1 });
  expect(answer.errors[0]).toMatchObject({ pointer: expect.stringContaining('date') });
});

test('a delivery of a webhook that the SDK has registered verifies with its secret', async () => {
  const { address, token } = await service.openWorkspace();
  const holdfast = new Holdfast({ url: address, token: token ?? '' });
  const { accountId } = await makeSdkHousehold(holdfast);
  const webhook = await holdfast.webhooks.create({
    url: 'https://receiver.example/hooks',
    events: ['transaction.created'],
  });
  await holdfast.transactions.create({
    type: 'deposit',
    date: '2026-03-03',
    account_id: accountId,
    amount: '7',
  });
  const [post] = await deliverDueAt(service.admin.address);
  const { headers, body } = post!;
  const now = service.clock.now();
  const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  await verifyServiceSignature({ headers: lowerCase, body, secret: webhook.secret ?? '', now });
  expect(JSON.parse(String(body))).toMatchObject({ type: 'transaction.created', data: { object: { amount: '7' } } });
});
