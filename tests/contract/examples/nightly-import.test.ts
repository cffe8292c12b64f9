// The nightly import as cron runs it: files are booked once, what cannot be booked is put aside, and the exit code tells.

import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Holdfast } from '../../../packages/sdk/src/index.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runExample, type ExampleOptions, type ExampleOutcome } from '../../setup/sdk/example-program.ts';
import { makeSdkHousehold, sdkClient, type SdkHousehold } from '../../setup/sdk/sdk-household.ts';

const service = serviceForThisFile();
let holdfast: Holdfast;
let household: SdkHousehold;
let folder: string;

beforeEach(async () => {
  holdfast = sdkClient(service);
  household = await makeSdkHousehold(holdfast);
  await holdfast.accounts.update(household.accountId, { external_identifier: 'U-204417' });
  folder = mkdtempSync(join(tmpdir(), 'holdfast-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** A statement with two entries of one account, as MT940. */
const statement = (account: string): string =>
  `:20:A\n:25:${account}\n:28C:1/1\n:60F:C240101EUR0,00\n:61:2401040104C250,00NTRFNONREF//S-1\n:86:Gift\n` +
  `:61:2401150115D50,50NCHGNONREF//S-2\n:86:Fees\n:62F:C240131EUR199,50\n-\n`;

/** A file that came an hour ago, unless told otherwise. */
function drop(name: string, text: string, changedAt = Date.now() - 3_600_000): void {
  writeFileSync(join(folder, name), text);
  utimesSync(join(folder, name), changedAt / 1000, changedAt / 1000);
}

const run = (options: ExampleOptions = {}): Promise<ExampleOutcome> =>
  runExample(service, 'nightly-import/nightly-import.ts', { args: [folder, household.clientId], ...options });

/** The names of the files in a folder, without the time of the run. */
const names = (below = ''): string[] =>
  readdirSync(join(folder, below), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name.replace(/^[\dTZ.-]+Z-/, ''))
    .toSorted();

async function listAmounts(): Promise<string[]> {
  const booked = await holdfast.transactions.list({ account_id: household.accountId }).toArray();
  return booked.map(({ amount }) => String(amount)).toSorted();
}

test('books each file once, also when it comes again under the same name', async () => {
  drop('january.sta', statement('U-204417'));
  const first = await run();
  expect(first).toMatchObject({ code: 0, err: '' });
  expect(first.out).toContain('january.sta: booked, 2 rows: 2 new, 0 changed, 0 without effect, 0 refused, 0 waiting');
  drop('january.sta', statement('U-204417'));
  const second = await run();
  expect(second.code).toBe(0);
  expect(second.out).toContain('2 rows: 0 new, 0 changed, 2 without effect');
  expect([names(), names('done'), names('failed')]).toEqual([[], ['january.sta', 'january.sta'], []]);
  expect(await listAmounts()).toEqual(['-50.5', '250']);
});

test('puts aside what cannot be booked whole, says why, and takes it once that was put right', async () => {
  drop('a-letter.txt', 'Dear bank, hello.');
  drop('b-other.sta', statement('0235-1162385.29'));
  drop('c-good.sta', statement('U-204417'));
  const { code, out } = await run();
  expect(code).toBe(1);
  expect(out).toContain('a-letter.txt: unknown-file-format: ');
  expect(out).toContain('b-other.sta: checked, 2 rows: 0 new, 0 changed, 0 without effect, 0 refused, 2 waiting');
  expect(out).toContain('line 5: account-unknown: No account of this client has the number "0235-1162385.29".');
  expect([names('done'), names('failed')]).toEqual([['c-good.sta'], ['a-letter.txt', 'b-other.sta']]);
  expect(await listAmounts()).toEqual(['-50.5', '250']);

  const { clientId: client_id, reportingEntityId: reporting_entity_id } = household;
  const owner = await holdfast.legalEntities.create({ name: 'Amsel Trust', client_id });
  const place = { institution: 'Bank Sonnenberg', name: 'Second', currency: 'EUR' };
  const account = await holdfast.accounts.create({
    ...place,
    entity_id: owner.id,
    external_identifier: '0235-1162385.29',
  });
  await holdfast.portfolios.create({ name: 'Trust', reporting_entity_id, account_ids: [account.id] });
  const [failed] = readdirSync(join(folder, 'failed')).filter((name) => name.endsWith('b-other.sta'));
  renameSync(join(folder, 'failed', failed!), join(folder, 'b-other.sta'));
  expect((await run()).code).toBe(0);
  expect(await holdfast.transactions.list({ account_id: account.id }).toArray()).toHaveLength(2);
});

test('leaves files alone that are still being written, and all of them when the service cannot be used', async () => {
  drop('arriving.sta', statement('U-204417'), Date.now());
  drop('.hidden', 'x');
  mkdirSync(join(folder, 'other'));
  expect(await run()).toEqual({ code: 0, out: '', err: '' });
  drop('ready.sta', statement('U-204417'));
  const refused = await run({ env: { HOLDFAST_CLIENT_SECRET: 'wrong' } });
  expect([refused.code, refused.out]).toEqual([2, '']);
  expect(refused.err).toContain('no application with this client_id');
  const stranger = await run({ args: [folder, '0123456789abcdef01234567'] });
  expect([stranger.code, stranger.out]).toEqual([2, '']);
  expect(names()).toEqual(['.hidden', 'arriving.sta', 'ready.sta']);
  expect(await listAmounts()).toEqual([]);
});
