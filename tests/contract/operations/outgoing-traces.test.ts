// Calls to custodians and identity providers say which trace they belong to, and only when it is recorded.

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CustodianHttp } from '../../../src/gateways/connectors/custodian-http.ts';
import { IdentityProviders } from '../../../src/gateways/identity-providers.ts';
import { systemClock } from '../../../src/kit/clock.ts';
import { runInSpan } from '../../../src/kit/tracing/span.ts';
import { makeRecordedSpan } from '../../setup/monitoring/recorded-span.ts';

let received: IncomingHttpHeaders[] = [];
let address: string;
const server = createServer(({ headers }, response) => {
  received.push(headers);
  response.writeHead(404).end();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => void (received = []));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const askCustodian = async (): Promise<void> => {
  const http = new CustodianHttp({ allowPrivate: true, timeoutMs: 60_000 });
  const { signal } = new AbortController();
  await http.send({ url: `${address}/accounts?token=secret`, method: 'GET', headers: {}, bytesMax: 100, signal });
  await http.close();
};

const askProvider = async (): Promise<void> => {
  const settings = { key: 'provider_a', issuer: address, clientId: 'client', clientSecret: 'hush', name: 'A' } as const;
  const providers = new IdentityProviders({ providers: [settings], allowsPlainHttp: true, clock: systemClock });
  await expect(providers.beginSignIn('provider_a', { redirectUri: `${address}/back`, as: 'anyone' })).rejects.toThrow(
    'fetched',
  );
};

test.each([
  ['custodian', askCustodian],
  ['identity provider', askProvider],
])('a call to a %s continues the trace', async (name, ask) => {
  const root = makeRecordedSpan();
  await runInSpan(root, ask);
  const [span] = root.children;
  expect(span).toMatchObject({ name, isEnded: true, attributes: { 'http.response.status_code': 404 } });
  expect(received.map((headers) => headers['traceparent'])).toEqual([span!.traceparent]);
  expect(JSON.stringify(root)).not.toMatch(/secret|hush|accounts/);
});

test.each([
  ['custodian', askCustodian],
  ['identity provider', askProvider],
])('a call to a %s that is not traced has no header', async (_name, ask) => {
  await ask();
  expect(received.map((headers) => headers['traceparent'])).toEqual([undefined]);
});
