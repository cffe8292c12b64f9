// Sends GET requests without a pause until killed. A separate process, so that it does not delay the clock of the measured reads.

import { getOnce, makeAgent } from '../http-load.ts';

const [, , url, token, connections] = process.argv as string[];
const agent = makeAgent(Number(connections));

let answers = 0;

async function sendForever(): Promise<never> {
  while (true) {
    await getOnce({ url: url!, headers: { authorization: `Bearer ${token}` }, agent });
    if (++answers === 2 * Number(connections)) process.send!('at its height');
  }
}

await Promise.all(Array.from({ length: Number(connections) }, sendForever));
