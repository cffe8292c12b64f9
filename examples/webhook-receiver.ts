// An example receiver for both webhook schemes on node:http: verifies, responds at once, and handles each event once.
//
//   SECRET=hfw_… HOLDFAST_URL=http://localhost:8080 HOLDFAST_TOKEN=… node examples/webhook-receiver.ts

import { createServer, type IncomingMessage, type Server } from 'node:http';
import {
  receiveServiceEvent,
  receiveStandardEvent,
  TrustedKeys,
  WebhookRefused,
  type ServiceEvent,
  type StandardEvent,
} from '../packages/sdk/src/webhooks.ts';

export interface ReceiverOptions {
  /** The secret from the registration of the endpoint; during a rotation, the old and the new one. */
  readonly secret: string | readonly string[];
  /** The address of the service and a token for it, to fetch the keys of the scheme `standard`. */
  readonly serviceUrl: string;
  readonly token: string;
  /** Called once for each event, in the order of arrival. */
  onEvent(event: ServiceEvent | StandardEvent, id: string): void;
}

const bodyBytesMax = 1024 * 1024;

export function makeReceiver({ secret, serviceUrl, token, onEvent }: ReceiverOptions): Server {
  const keys = new TrustedKeys({
    async fetchKeys() {
      const response = await fetch(`${serviceUrl}/api/v2/webhooks/keys`, {
        headers: { authorization: `Bearer ${token}` },
      });
      if (!response.ok) throw new Error(`The keys could not be fetched: ${response.status}`);
      return ((await response.json()) as { keys: [] }).keys;
    },
  });
  // A real receiver stores these in the same transaction as the results of the events.
  const seen = new Set<string>();

  async function receive(request: IncomingMessage): Promise<number> {
    const body = await readBody(request);
    if (body === undefined) return 413;
    const { headers } = request;
    if (headers['service-signature'] === undefined) {
      const { id, event } = await receiveStandardEvent({ headers, body, keys });
      handleOnce(event, id);
    } else {
      const event = await receiveServiceEvent({ headers, body, secret });
      handleOnce(event, event.id);
    }
    return 204;
  }

  function handleOnce(event: ServiceEvent | StandardEvent, id: string): void {
    if (!seen.has(id)) onEvent(event, id);
    seen.add(id);
  }

  return createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      // 401: not from the service. 500: not handled, send it again.
      (error: unknown) => response.writeHead(error instanceof WebhookRefused ? 401 : 500).end(reasonOf(error)),
    );
  });
}

const reasonOf = (error: unknown): string => (error instanceof WebhookRefused ? error.reason : 'try again');

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > bodyBytesMax) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

if (import.meta.main) {
  const {
    SECRET: secret = '',
    HOLDFAST_URL: serviceUrl = 'http://localhost:8080',
    HOLDFAST_TOKEN: token = '',
  } = process.env;
  const onEvent: ReceiverOptions['onEvent'] = (event, id): void => console.log(id, event);
  makeReceiver({ secret, serviceUrl, token, onEvent }).listen(3000, () => console.log('http://localhost:3000'));
}
