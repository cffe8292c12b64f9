// Sums of stored numbers may have more digits than a stored number: rounds, pages and imports take them.

import { beforeAll, expect, test } from 'vitest';
import { secondMs } from '../../../src/kit/clock.ts';
import type { Caller } from '../../setup/http/caller.ts';
import {
  listBreaches,
  listRounds,
  makeRoundHousehold,
  pay,
  type RoundHousehold,
} from '../../setup/limits/round-household.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { insertPerson, signIn } from '../../setup/people/person-caller.ts';

const service = serviceForThisFile();
const largest = '9'.repeat(20);
/** Twice the largest, and the 1,000 that were there. */
const sum = '200000000000000000998';
let admin: Caller;
let family: RoundHousehold;

beforeAll(async () => {
  ({ admin } = service);
  family = await makeRoundHousehold(admin);
  await pay(admin, family, largest);
  service.clock.advance(secondMs);
  await pay(admin, family, largest);
});

test('a round records a breach and announces a value of more than 20 digits', async () => {
  service.clock.advance(secondMs);
  await runRounds(admin.address);
  expect(await listRounds(admin, family)).toMatchObject([{ state: 'finished', error: null }]);
  expect(await listBreaches(admin, family)).toMatchObject([{ state: 'open', current_value: sum }]);
  const { data } = (await admin.get('/v1/events?type=reporting_entity.valued')).body;
  expect(data).toMatchObject([{ data: { object: { market_value: sum } } }]);
});

test('the pages of the portal show such a value, also compared with another', async () => {
  const { client, reportingEntity } = family;
  const knownAt = new Date(service.clock.now() - 1_500).toISOString();
  const memberships = [{ client, role: 'advisor' as const, grants: [reportingEntity] }];
  const advisor = await signIn(service, await insertPerson(service, { memberships }));
  const path = `/entities/${reportingEntity}`;
  const addresses = [
    path,
    `${path}/holdings`,
    `${path}/holdings?known_at=${knownAt}`,
    `${path}/known?known_at=${knownAt}`,
  ];
  for (const address of addresses) {
    const { status, text } = await advisor.get(address);
    expect([address, status]).toEqual([address, 200]);
    expect(text).toContain('200,000,000,000,000,000,998');
  }
});

test('an import warns of entries that lead to such a balance', async () => {
  const { client, account } = family;
  const lines = [
    ':20:1',
    ':25:77',
    ':28C:1',
    `:60F:C161201CHF${largest},`,
    `:61:1612021202C${largest},NTRFNONREF//1`,
    ':62F:C161230CHF5,',
    '-',
  ];
  const imported = await admin.send(`/v1/imports?client_id=${client}&account_id=${account}`, {
    method: 'POST',
    raw: `${lines.join('\n')}\n`,
    headers: { 'content-type': 'text/plain' },
  });
  expect([imported.status, imported.text]).toEqual([201, imported.text]);
  const warning = imported.body.warnings.find((one: any) => one.code === 'balances-differ');
  expect(warning.detail).toContain('the entries come to 199999999999999999998, the closing balance is 5');
});

test('Plain JSON states the gross interest of a net amount and a tax of 20 digits each', async () => {
  const { status, body } = await admin.post('/v2/transactions', {
    type: 'AccountInterest',
    account_id: family.account,
    trade_date: '2026-11-11',
    net: largest,
    withholding: largest,
  });
  expect([status, JSON.stringify(body)]).toEqual([201, JSON.stringify(body)]);
  expect(body.gross).toBe(Number('199999999999999999998'));
});

test('two lines of a statement that add up to more than 20 digits are refused', async () => {
  const { client, legalEntity } = family;
  await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF', external_identifier: '77' });
  const line = `:16R:FIN|:35B:ISIN CH0038863350|NESTLE SA|:93B::FICL//UNIT/${largest},|:16S:FIN`;
  const heading =
    ':16R:GENL|:28E:1/ONLY|:20C::SEME//STMT0001|:23G:NEWM|:69A::STAT//20240101/20240131|:97A::SAFE//77|:17B::ACTI//Y|:16S:GENL';
  const file = [heading, line, line].join('|').replaceAll('|', '\r\n');
  const raw = `{1:F01BANKCHZZAXXX0000000000}{2:O5360830240201BANKCHZZAXXX00000000002402010831N}{4:\r\n${file}\r\n-}`;
  const path = `/v1/imports?client_id=${client}&create_instruments=true`;
  const { status, body } = await admin.send(path, {
    method: 'POST',
    raw,
    headers: { 'content-type': 'text/plain' },
  });
  expect([status, body.code, body.detail]).toEqual([
    422,
    'invalid-document',
    'Two lines of 2024-01-31 about the same holding add up to more than 20 digits before the point.',
  ]);
});

test('a proposed trade at a rate of more than 20 digits is refused', async () => {
  const instrument = await makeRecord(admin, 'instruments', {
    type: 'stock-instrument',
    name: 'Castell',
    currency: 'JPY',
  });
  for (const [base, quote] of [
    ['JPY', 'EUR'],
    ['EUR', 'CHF'],
  ])
    await makeRecord(admin, 'fx-rates', { base, quote, date: '2026-11-10', rate: largest });
  const trade = { side: 'buy', instrument_id: instrument, account_id: family.account, quantity: '1', price: '1' };
  const { status, body } = await admin.post('/v1/limits/check', {
    reporting_entity_id: family.reportingEntity,
    trades: [trade],
  });
  expect([status, body.errors]).toMatchObject([
    422,
    [{ code: 'invalid-attribute', pointer: '/trades/0/instrument_id' }],
  ]);
});
