// The baseline without the service: signs and posts prepared bodies with the same HTTP client and concurrency, and stores
// nothing. Runs in a separate process, as a node does.

import { generateKeyPairSync } from 'node:crypto';
import { Agent } from 'undici';
import { secondMs } from '../../src/kit/clock.ts';
import { serviceSignature, standardSignature } from '../../src/signing/webhook-signature.ts';
import type { WebhookScheme } from '../../src/model/event/webhook.ts';
import { webhookBody } from './fixture.ts';

export interface BareRequest {
  readonly url: string;
  readonly scheme: WebhookScheme;
  readonly count: number;
  readonly concurrency: number;
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const agent = new Agent({ connections: 64, pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 });

function signatureOf(scheme: WebhookScheme, id: string, body: string): Record<string, string> {
  const timestampSeconds = Math.floor(Date.now() / secondMs);
  if (scheme === 'hmac') {
    return { 'service-signature': serviceSignature('hfw_bench', { timestampSeconds, body }) };
  }
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standardSignature([privateKey], { id, timestampSeconds, body }),
  };
}

process.on('message', ({ url, scheme, count, concurrency }: BareRequest) => {
  const { origin, pathname } = new URL(url);
  const bodies = Array.from({ length: count }, (_none, number) => webhookBody(scheme, number));
  let next = 0;
  const post = async (): Promise<void> => {
    while (next < count) {
      const number = next++;
      const body = bodies[number]!;
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Holdfast-Webhooks',
        ...signatureOf(scheme, number.toString(16).padStart(24, '0'), body),
      };
      const answer = await agent.request({ origin, path: pathname, method: 'POST', headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 204) throw new Error(`The sink answered ${answer.statusCode}.`);
    }
  };
  void Promise.all(Array.from({ length: concurrency }, post));
});
process.send!('ready');
