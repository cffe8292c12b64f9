// A database of every release is opened by this one: people keep their credentials, and reports asked with `known_at` say what that release said, to the
// byte. scripts/write-release-dump.ts adds a release.

import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { emptyDatabaseForThisTest } from '../setup/database/empty-database.ts';
import { runSql } from '../setup/database/sql.ts';
import type { TestDatabase } from '../setup/database/test-database.ts';
import { ManualClock } from '../setup/kit/manual-clock.ts';
import { serviceForThisTest } from '../setup/node/test-service.ts';
import { dumpSettings, readDump, restoreText, type ReleaseDump } from '../setup/upgrades/release-dump.ts';
import { listMigrations } from '../../src/store/postgres/migrate.ts';

const releases = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Roles belong to the server, so a dump does not have them. */
const rolesText = (schema: string): string =>
  [...new Set(schema.match(/\bholdfast_[a-z_]+(?=[;,\n])/g))]
    .map(
      (role) =>
        `DO $$ BEGIN CREATE ROLE ${role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;`,
    )
    .join('\n');

async function restore(dump: ReleaseDump): Promise<TestDatabase> {
  const database = await emptyDatabaseForThisTest();
  await runSql(database, rolesText(dump.schema));
  await runSql(database, restoreText(dump));
  return database;
}

/** What this release says of old exchange rates, settled cash, carried days and rates that fit, the releases before did not say. */
function withoutNewMembers(text: string): string {
  return text
    .replace(/,"settled_quantity":(null|"[\d.-]+")/g, '')
    .replace(/"carried_from":(null|"[\d-]{10}"),/g, '')
    .replace(/,"(money_weighted|irr|ln_pme|direct_alpha)_roots":\[\]/g, '')
    .replaceAll(',"transferred":"0"', '')
    .replace(/,"pic":(null|"[\d.]+")/g, '')
    .replaceAll(',"accrued_interest":null', '')
    .replace(/,"stale_rate_date":"[\d-]{10}"/g, '')
    .replace(/,?\{"code":"(stale-rate|carried)"[^{}]*\}/g, '')
    .replaceAll('[,{', '[{')
    .replace(/(= [\d.,]+ [A-Z]{3}) \(stale\)/g, '$1')
    .replace(/("kind":"fx-rate"[^{}]*\}),"notes":\["stale"\]/g, '$1');
}

/** Volatility leaves no return of a weekend out, and the warning about the end of the data names the days that carry values on instead. */
function withoutFormerFigures(text: string): string {
  return text
    .replace(/"volatility":(null|"[\d.e-]+")/g, '"volatility":null')
    .replace(/,?\{"code":"ends-at-latest-day"[^{}]*\}/g, '')
    .replaceAll('[,{', '[{');
}

/** Nothing was held of some instruments of this report, whose return was 0; and amounts are explained by the rate of the row. */
const saidOtherwise = /&start=2025-10-01&end=2026-09-30&by=|figure=unrealised_pnl&/;

describe.each(releases)('a database of release %s', (release) => {
  test('is opened by this one with the credentials of then, and its reports are equal to the byte', async () => {
    const dump = await readDump(release);
    const database = await restore(dump);
    const clock = new ManualClock(new Date().toISOString());
    const { admin } = await serviceForThisTest({ database, clock, settings: dumpSettings });
    const { reports } = dump.answers;
    expect(Object.keys(reports).length).toBeGreaterThan(50);
    for (const [path, text] of Object.entries(reports).filter(([path]) => !saidOtherwise.test(path))) {
      const now = withoutFormerFigures(withoutNewMembers((await admin.get(path)).text));
      expect([path, now]).toEqual([path, withoutFormerFigures(text)]);
    }
    const done = await runSql(database, 'SELECT version, name FROM schema_migration ORDER BY version');
    expect(done).toEqual((await listMigrations()).map(({ version, name }) => ({ version, name })));
  });

  test('is written to by this one, and a later report contains it', async () => {
    const database = await restore(await readDump(release));
    const { admin } = await serviceForThisTest({ database, settings: dumpSettings });
    const { body: listed } = await admin.get('/v1/accounts');
    const [account] = listed.data as { id: string; currency: string }[];
    const deposit = { type: 'deposit', date: '2026-10-01', amount: '5', account_id: account!.id };
    expect((await admin.post('/v1/transactions', deposit)).status).toBe(201);
    const { body } = await admin.get('/v1/transactions?from=2026-10-01');
    expect(body.data).toMatchObject([{ ...deposit, currency: account!.currency }]);
  });

  test('keeps the shared redirect address for custodians that have pages for consent', async () => {
    const database = await restore(await readDump(release));
    const pages = 'https://bank.example/authorize';
    await runSql(
      database,
      `INSERT INTO custodian (workspace_id, environment, id, name, folded_name, created_at, authorization_url)
       SELECT a.workspace_id, a.environment, c.id, c.id, c.id, a.created_at, c.pages
       FROM (SELECT * FROM account LIMIT 1) a, (VALUES ('01a1e9886c883bcf0281aaa1', $1), ('01a1e9886c883bcf0281aaa2', NULL)) c (id, pages)`,
      [pages],
    );
    const { admin } = await serviceForThisTest({ database, settings: dumpSettings });
    const [connected, other] = await Promise.all(
      ['01a1e9886c883bcf0281aaa1', '01a1e9886c883bcf0281aaa2'].map((id) => admin.get(`/v1/admin/custodians/${id}`)),
    );
    expect(connected!.body).toMatchObject({
      authorization_url: pages,
      uses_own_callback: false,
      shared_callback_url: expect.stringMatching('/connect/callback$'),
    });
    expect(other!.body).toMatchObject({ uses_own_callback: true, shared_callback_url: null });
  });
});

test('a dump holds what its service wrote, and the key that opens it is only for tests', async () => {
  const { rows } = await readDump(releases[0]!);
  expect(rows).toContain('INSERT INTO transaction');
  expect(rows).not.toContain(dumpSettings.ENCRYPTION_KEY);
});
