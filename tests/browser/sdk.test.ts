// The SDK as it is published, in a page and in a worker of another origin than the service.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPackage } from '../../scripts/build-package.ts';
import { startTestService, type TestService } from '../setup/node/test-service.ts';
import { chromiumForThisFile } from '../setup/people/chromium.ts';

const chromium = chromiumForThisFile();
const folder = mkdtempSync(join(tmpdir(), 'holdfast-sdk-'));

/** What the page and the worker run: it books one row more than once, streams rows, reads them again and verifies a delivery. */
const program = `
import { Holdfast, NotFound } from '/sdk/index.js';
import { verifyServiceSignature, WebhookRefused } from '/sdk/webhook.js';

export async function run({ url, token }) {
  let attempts = 0;
  const holdfast = new Holdfast({
    url,
    token: async () => token,
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      if (String(input).includes('/v1/clients') && init.method === 'POST' && ++attempts === 1) throw new TypeError('lost');
      return answer;
    },
  });
  const created = await holdfast.clients.create({ name: 'Amsel', reference_currency: 'EUR' }).withResponse();
  const owner = await holdfast.legalEntities.create({ name: 'Owner', client_id: created.data.id });
  const place = { entity_id: owner.id, institution: 'Bank', name: 'Account', currency: 'EUR' };
  const account = await holdfast.accounts.create(place);
  async function* rows() {
    for (let index = 1; index <= 120; index++)
      yield { type: 'deposit', date: '2026-01-05', account_id: account.id, amount: '123456789012.345678901234567891' };
  }
  const bulk = await holdfast.transactions.bulk(rows);
  const found = await holdfast.transactions.list({ account_id: account.id }).toArray();
  const missing = await holdfast.clients.get('0123456789abcdef01234567').catch((error) => error);
  const forged = { headers: new Headers({ 'service-signature': '1,00' }), body: '{}', secret: 's', now: 1000 };
  const refused = await verifyServiceSignature(forged).catch((error) => error);
  return {
    replayed: created.isReplayed,
    hasTag: (await holdfast.clients.get(created.data.id).withResponse()).etag !== undefined,
    accepted: bulk.accepted,
    amounts: [...new Set(found.map(({ amount }) => amount))],
    count: found.length,
    missing: missing instanceof NotFound && missing.code,
    refused: refused instanceof WebhookRefused && refused.reason,
  };
}
`;
const worker = `import { run } from '/program.js';\nonmessage = async ({ data }) => postMessage(await run(data));\n`;

const site = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://site').pathname;
  const own: Record<string, string> = { '/program.js': program, '/worker.js': worker };
  const isScript = path.endsWith('.js');
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
  if (path.startsWith('/sdk/')) response.end(readFileSync(join(folder, path.slice('/sdk/'.length))));
  else response.end(own[path] ?? '<!doctype html><title>A page with the SDK</title><link rel="icon" href="data:,">');
});

let origin: string;
let service: TestService;

beforeAll(async () => {
  buildPackage('sdk', pathToFileURL(`${folder}/`));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  service = await startTestService({ settings: { CORS_ORIGINS: origin } });
});

afterAll(async () => {
  await service.stop();
  site.close();
  rmSync(folder, { recursive: true });
});

const expected = {
  replayed: true,
  hasTag: true,
  accepted: 120,
  amounts: ['123456789012.345678901234567891'],
  count: 120,
  missing: 'client-not-found',
  refused: 'header-malformed',
};

test('runs in a page', async () => {
  const { page } = await chromium.open();
  await page.goto(origin);
  const options = { url: service.admin.address, token: service.admin.token };
  const result = await page.evaluate(`import('/program.js').then(({ run }) => run(${JSON.stringify(options)}))`);
  expect(result).toEqual(expected);
});

test('runs in a worker', async () => {
  const { page } = await chromium.open();
  await page.goto(origin);
  const options = { url: service.admin.address, token: service.admin.token };
  const result = await page.evaluate(`new Promise((resolve, reject) => {
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(${JSON.stringify(options)});
  })`);
  expect(result).toEqual(expected);
});
