// One account number with accounts in several currencies: each row goes to the account in its own currency, both legs of an exchange to theirs,
// and what no account is in waits for a mapping of the number with its currency.

import { expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { flexDocument, flexRow, flexStatement, purchaseRow } from '../../setup/statements/flex-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
const number = 'U1234567';

async function setUp(currencies: readonly string[], numbered = number) {
  const admin = await service.openWorkspace();
  const household = await makeHousehold(admin, 'Amsel');
  const accounts: Record<string, string> = {};
  for (const currency of currencies) {
    const fields = { entity_id: household.legalEntity, external_identifier: numbered, currency };
    accounts[currency] = await makeRecord(admin, 'accounts', fields);
  }
  return { admin, accounts, ...household };
}

async function importFile(admin: Caller, client: string, file: string): Promise<any> {
  const path = `/v1/imports?client_id=${client}&book=true&create_instruments=true`;
  return (await admin.send(path, { method: 'POST', raw: file })).body;
}

/** Those whose own leg is in the account. */
async function listOf(admin: Caller, account: string | undefined): Promise<any[]> {
  const { data } = (await admin.get(`/v1/transactions?account_id=${account}&limit=100`)).body;
  return data.filter(({ account_id }: any) => account_id === account);
}

const cashRow = {
  accountId: number,
  currency: 'CHF',
  type: 'Deposits/Withdrawals',
  amount: '500',
  reportDate: '20240105',
  dateTime: '20240105',
  transactionID: '7001',
};
const exchangeRow = {
  ...purchaseRow,
  assetCategory: 'CASH',
  currency: 'CHF',
  symbol: 'USD.CHF',
  description: 'USD.CHF',
  conid: '12087820',
  isin: '',
  tradeID: '5003',
  quantity: '100',
  proceeds: '-90',
  ibCommission: '0',
};
const statement = flexDocument([
  flexStatement({
    Trades: [
      flexRow('Trade', purchaseRow),
      flexRow('Trade', exchangeRow),
      flexRow('Trade', { ...exchangeRow, symbol: 'EUR.USD', currency: 'USD', tradeID: '5004' }),
      flexRow('Trade', { ...exchangeRow, symbol: 'USD.EUR', currency: 'EUR', tradeID: '5005' }),
    ],
    CashTransactions: [flexRow('CashTransaction', cashRow)],
    CashReport: [
      flexRow('CashReportCurrency', { accountId: number, currency: 'CHF', startingCash: '0', endingCash: '410' }),
      flexRow('CashReportCurrency', { accountId: number, currency: 'USD', startingCash: '0', endingCash: '7' }),
    ],
  }),
]);

test('rows of a Flex query go to the accounts in their currencies, and both legs of an exchange to theirs', async () => {
  const { admin, client, accounts, legalEntity } = await setUp(['CHF', 'USD']);
  const imported = await importFile(admin, client, statement);
  expect(imported.counts).toMatchObject({ rows: 5, booked: 3, needs: 2 });
  expect(await listOf(admin, accounts['CHF'])).toMatchObject([{ external_reference: '7001', amount: '500' }]);
  expect(await listOf(admin, accounts['USD'])).toMatchObject([
    { external_reference: '5001', amount: '-15001.5' },
    { external_reference: '5003', amount: '100', counter_account_id: accounts['CHF'], counter_currency: 'CHF' },
  ]);
  const { data } = (await admin.get(`/v1/reconciliations?client_id=${client}`)).body;
  const stated = data.map((line: any) => [line.account_id, line.stated, line.ledger]);
  expect(stated).toEqual(
    expect.arrayContaining([
      [accounts['CHF'], '410', '410'],
      [accounts['USD'], '7', '-14901.5'],
    ]),
  );

  const waiting = (await admin.get(`/v1/imports/${imported.id}/rows?outcome=needs`)).body.data;
  const detail =
    'Several accounts may be "U1234567", and not exactly one of them is in EUR. Map the number with this currency to one of them and book again.';
  expect(waiting).toMatchObject([
    { needs: 'account', code: 'account-ambiguous', detail, account_id: null, stated: { currency: 'EUR' } },
    {
      code: 'account-ambiguous',
      detail,
      account_id: accounts['USD'],
      stated: { currency: 'USD', counter_currency: 'EUR', counter_amount: '-90' },
    },
  ]);
  const euros = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'EUR' });
  const mapping = { kind: 'account', scheme: 'number', value: number, currency: 'EUR', client_id: client };
  await makeRecord(admin, 'identifier-mappings', { ...mapping, account_id: euros });
  const again = await admin.send(`/v1/imports/${imported.id}/book`, { method: 'POST' });
  expect(again.body.counts).toMatchObject({ booked: 5, needs: 0 });
  expect(await listOf(admin, euros)).toMatchObject([
    { external_reference: '5004', counter_account_id: accounts['USD'] },
  ]);
});

test('rows of a number with one account stay in it, whatever their currency', async () => {
  const { admin, client, accounts } = await setUp(['CHF']);
  expect((await importFile(admin, client, statement)).counts).toMatchObject({ rows: 5, booked: 5 });
  const booked = await listOf(admin, accounts['CHF']);
  expect(booked).toHaveLength(5);
  for (const { counter_account_id } of booked) expect(counter_account_id ?? null).toBeNull();
});

function mt940(currency: string, reference: string, account: string): string {
  return `:20:${reference}
:25:${account}
:28C:1/1
:60F:C240101${currency}0,
:61:2401020102C100,NTRFNONREF//${reference}
:62F:C240102${currency}100,
-
`;
}

test('statements of MT940 for one number in several currencies go to the accounts in them', async () => {
  const { admin, client, accounts } = await setUp(['CHF', 'USD'], '51230800/0000007055');
  const file = mt940('CHF', 'FRANCS-0001', '51230800/0000007055') + mt940('USD', 'DOLLARS-0001', '51230800/7055');
  const { counts, warnings } = await importFile(admin, client, file);
  expect([counts.booked, counts.needs, warnings]).toEqual([2, 0, []]);
  for (const [currency, reference] of [
    ['CHF', 'FRANCS-0001'],
    ['USD', 'DOLLARS-0001'],
  ] as const)
    expect(await listOf(admin, accounts[currency])).toMatchObject([{ external_reference: reference, currency }]);
});

test('rows that name a safekeeping account go to the account that settles through it in their currency', async () => {
  const { admin, client, accounts, legalEntity } = await setUp(['CHF', 'USD'], 'CASH-1');
  const fields = { legal_entity_id: legalEntity, external_identifier: number };
  const depository_id = await makeRecord(admin, 'depositories', fields);
  for (const account of Object.values(accounts))
    expect((await admin.patch(`/v1/accounts/${account}`, { depository_ids: [depository_id] })).status).toBe(200);
  const trade = flexDocument([flexStatement({ Trades: [flexRow('Trade', purchaseRow)] })]);
  expect((await importFile(admin, client, trade)).counts).toMatchObject({ booked: 1 });
  expect(await listOf(admin, accounts['USD'])).toMatchObject([{ external_reference: '5001', depository_id }]);
});
