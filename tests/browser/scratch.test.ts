import { test } from 'vitest';
import { workspaceForThisFile } from '../setup/node/test-service.ts';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { insertAdministrator, signIn } from '../setup/people/person-caller.ts';
import { makeHousehold, makeRecord } from '../setup/structure/structure-document.ts';
import { CamtText } from '../setup/statements/camt-text.ts';
const service = workspaceForThisFile();
const chromium = chromiumForThisFile();
const header =
  'Datum;Auftrag #;Transaktionen;Symbol;Name;ISIN;Anzahl;Stückpreis;Kosten;Aufgelaufene Zinsen;Nettobetrag;Währung Nettobetrag';
test('shots', async () => {
  const admin = service.admin;
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  await makeRecord(admin, 'legal-entities', { client_id: client, name: 'Amsel Trust' });
  const account = await makeRecord(admin, 'accounts', {
    entity_id: legalEntity,
    name: 'Brokerage',
    currency: 'CHF',
    institution: 'Bank Sonnenberg',
    external_identifier: 'U-204417',
  });
  await makeRecord(admin, 'accounts', {
    entity_id: legalEntity,
    name: 'Savings',
    currency: 'EUR',
    institution: 'Bank Sonnenberg',
    external_identifier: 'U-204418',
  });
  const person = await signIn(service, await insertAdministrator(service));
  const names = ['Novartis N;CH0012005267', 'Roche GS;CH0012032048', 'Nestlé N;CH0038863350'];
  const rows = Array.from({ length: 40 }, (_, i) =>
    i % 4 === 0
      ? `15-01-2016;${i};Einzahlung;;;;1.0;100000.00;0.00;0.00;100000.00;CHF`
      : `18-01-2016;${i};Kauf;S${i % 4};${names[i % 3]};500.0;82.10;35.00;0.00;-41085.00;CHF`,
  );
  const send = async (query: string, raw: string) =>
    (await admin.send(`/v1/imports?${query}`, { method: 'POST', raw, headers: { 'content-type': 'text/csv' } })).body;
  const trades = await send(`account_id=${account}&file_name=broker.csv`, [header, ...rows, ''].join('\n'));
  const none = await send(
    `file_name=nobody.csv`,
    [
      header,
      ...rows.filter((r) => r.includes('Einz')),
      '31-13-2024;9;Einzahlung;;;;1.0;1.00;0.00;0.00;1.00;CHF',
      '',
    ].join('\n'),
  );
  const camt = new CamtText({ version: 8 });
  const bank = await send(
    `client_id=${client}&file_name=march.xml`,
    camt.document([
      {
        balances: [camt.balance('OPBD', '1000.00', '2024-03-01')],
        entries: ['A-1', 'A-2'].map((reference) => camt.entry({ reference })),
      },
    ]),
  );
  const shoot = async (name: string, path: string, width = 1280, scheme: 'light' | 'dark' = 'light') => {
    const { page, consoleErrors } = await chromium.open({ width, height: 900, person });
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(service.addresses.baseUrl + path);
    await page.screenshot({ path: `/tmp/shots/${name}.png`, fullPage: true });
    if (consoleErrors.length) console.log(name, consoleErrors);
  };
  const waiting = (await admin.get(`/v1/imports/${trades.id}/waiting`)).body;
  console.log(JSON.stringify(waiting.totals), JSON.stringify(waiting.data[0]));
  await shoot('trades', `/console/imports/${trades.id}`);
  await shoot('trades-find', `/console/imports/${trades.id}?find=${waiting.data[0].key}&q=novartis`, 375, 'dark');
  await shoot('none', `/console/imports/${none.id}`);
  await shoot('none-phone', `/console/imports/${none.id}?find=account&q=brok`, 375);
  await shoot('bank', `/console/imports/${bank.id}`);
  await shoot('list', `/console/imports`);
  await admin.post(`/v1/imports/${trades.id}/create-missing`, {});
  await admin.post(`/v1/imports/${trades.id}/book`, undefined);
  await shoot('booked', `/console/imports/${trades.id}`);
}, 120_000);
