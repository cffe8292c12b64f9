// Sends the requests that its parent describes, without a pause until killed. A separate process, so that it does not delay the clock of the measured requests.

import { once } from 'node:events';
import http from 'node:http';
import { makeAgent } from '../http-load.ts';
import type { Storm } from './scenarios.ts';

const [storm] = (await once(process, 'message')) as [Storm & { readonly address: string }];
const { address, method, path, tokens, body, connections, sharesKeys } = storm;
const agent = makeAgent(connections);
/** At its height: every connection has had an answer, or has waited this long for one. */
const heightMs = 5_000;

let sentCount = 0;
let answerCount = 0;

function sendOnce(): Promise<void> {
  const number = sentCount++;
  const headers = {
    authorization: `Bearer ${tokens[number % tokens.length]}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...(sharesKeys ? { 'idempotency-key': `storm-${process.pid}-${Math.floor(number / connections)}` } : {}),
  };
  return new Promise((resolve) => {
    const request = http.request(address + path, { method, agent, headers }, (response) => {
      response.resume().once('close', resolve);
    });
    // A refusal, or an end of the connection, is an answer too.
    request.once('error', () => resolve()).end(body);
  });
}

async function sendForever(): Promise<never> {
  for (;;) {
    await sendOnce();
    if (++answerCount === connections) process.send!('at its height');
  }
}

setTimeout(() => process.send!('at its height'), heightMs);
await Promise.all(Array.from({ length: connections }, sendForever));
