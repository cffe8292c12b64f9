// The dashboard of examples/ in a real browser: figures from the service, read with tokens that can only read.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { serviceForThisTest } from '../setup/node/test-service.ts';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { startExample } from '../setup/sdk/example-program.ts';
import { makeSdkHousehold, sdkClient } from '../setup/sdk/sdk-household.ts';

const chromium = chromiumForThisFile();

/** The service has to know the origin of the page before it starts. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('shows the value, the return and the classes of a reporting entity', async () => {
  const port = await findFreePort();
  const service = await serviceForThisTest({ settings: { CORS_ORIGINS: `http://127.0.0.1:${port}` } });
  const holdfast = sdkClient(service);
  const { clientId: client_id, accountId: account_id } = await makeSdkHousehold(holdfast);
  await holdfast.reportingEntities.create({ name: 'Zaunkönig <b>', client_id });
  await holdfast.transactions.create({ type: 'deposit', date: '2026-01-05', account_id, amount: '1000' });
  const stock = await holdfast.instruments.create({ type: 'stock-instrument', name: 'Novartis', currency: 'EUR' });
  const bought = { quantity: '10', price: '60', instrument_id: stock.id };
  await holdfast.transactions.create({ type: 'buy', date: '2026-01-06', account_id, ...bought });
  await holdfast.prices.create(stock.id, { date: '2026-02-27', value: '72' });

  const url = await startExample(service, 'dashboard/serve.ts', { env: { PORT: String(port) } });
  const { page, consoleErrors } = await chromium.open({ width: 1_000, height: 800, locale: 'en-GB' });
  await page.goto(url);
  await page.getByLabel('Reporting entity').selectOption({ label: 'Amsel, all' });
  // 10 × 72 + 400 in cash: 12 % more than the 1,000 paid in.
  await expect.poll(() => page.textContent('.value')).toBe('€1,120.00');
  expect(await page.textContent('.return')).toBe('12.00% from 2026-01-01 to 2026-11-15');
  const rows = await page.locator('tbody tr').allInnerTexts();
  expect(rows.map((row) => row.split(/\s+(?=€)/)[1])).toContain('€720.00\t64.29%');
  expect((await page.getAttribute('polyline', 'points'))!.split(' ').length).toBeGreaterThan(50);
  expect(consoleErrors).toEqual([]);

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);

  const { token } = (await (await fetch(`${url}token`)).json()) as { token: string };
  const written = await fetch(`${holdfast.url}/v1/clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Nobody', reference_currency: 'EUR' }),
  });
  expect(written.status).toBe(403);
  for (const path of ['dashboard.tsx', 'assets/../serve.ts', 'assets/%2e%2e/serve.ts', 'serve.ts'])
    expect((await fetch(url + path)).status).toBe(404);
});
