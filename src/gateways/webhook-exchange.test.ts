import { expect, test } from 'vitest';
import type { Dispatcher } from 'undici';
import { WebhookExchange } from './webhook-exchange.ts';

test.each([
  [['abc', 'def'], 'abcdef', false],
  [['abcd', 'efgh'], 'abcdefgh', false],
  [['abcdefg', 'h'], 'abcdefgh', false],
  [['abcdefg', 'hi'], 'abcdefgh', true],
  [['abcd', 'efghi'], 'abcdefgh', true],
  [['abcdef', 'ghijkl'], 'abcdefgh', true],
])('of a response in the pieces %j with room for 8 bytes, %s is kept', async (pieces, kept, isCut) => {
  const exchange = new WebhookExchange(8);
  const reasons: Error[] = [];
  const controller = {
    abort: (reason: Error) => void reasons.push(reason),
  } as unknown as Dispatcher.DispatchController;
  exchange.onRequestStart(controller);
  exchange.onResponseStart(controller, 200, { 'retry-after': '7' });
  for (const piece of pieces) exchange.onResponseData(controller, Buffer.from(piece));
  if (!isCut) exchange.onResponseEnd();
  const { start, ...summary } = await exchange.done;
  expect([start.toString(), summary]).toEqual([kept, { status: 200, retryAfter: '7', isCut }]);
  expect(reasons.map(({ message }) => message)).toEqual(isCut ? ['The rest of the response is not read.'] : []);
});
