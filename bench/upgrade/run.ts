// Upgrades a database with many bookings while it is read and written: a node of an earlier release, then one of this release beside it, then that one
// alone. `node bench/upgrade/run.ts <tag or commit> [rows]`; 1,000,000 rows if none are given.

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { checkOutRelease, freePort, startNode, type Release, type ReleaseNode } from '../../scripts/old-release.ts';
import { startBenchDatabase } from '../bench-database.ts';
import { machine } from '../http-load.ts';
import { fillRelease, type Fixture } from './fixture.ts';
import { LockWaits } from './lock-waits.ts';
import { UpgradeLoad, type PhaseFigures } from './load.ts';

const phaseMs = 10_000;
const credentials = { clientId: 'upgrade', clientSecret: 'a secret for a measurement' };

/** What a release typically brings, beside what this one really does: a column, its values in old rows, an index. */
const exampleMigrations = [
  ['example-column', 'ALTER TABLE transaction ADD COLUMN upgrade_note text;'],
  [
    'example-values',
    `-- outside a transaction: rewrites every row, some thousand at a time
DO $$
DECLARE
  written int;
BEGIN
  LOOP
    UPDATE transaction SET upgrade_note = '' WHERE ctid = ANY (ARRAY(SELECT ctid FROM transaction WHERE upgrade_note IS NULL LIMIT 5000));
    GET DIAGNOSTICS written = ROW_COUNT;
    COMMIT;
    EXIT WHEN written = 0;
  END LOOP;
END $$;`,
  ],
  [
    'example-index',
    `-- outside a transaction: bookings go on
DROP INDEX CONCURRENTLY IF EXISTS transaction_example;
CREATE INDEX CONCURRENTLY transaction_example ON transaction (workspace_id, environment, upgrade_note);`,
  ],
] as const;

async function addExampleMigrations({ folder }: Release): Promise<void> {
  const names = (await readdir(join(folder, 'migrations'))).filter((name) => /^\d{4}-/.test(name));
  for (const [index, [name, text]] of exampleMigrations.entries()) {
    const number = String(names.length + index + 1).padStart(4, '0');
    await writeFile(join(folder, 'migrations', `${number}-${name}.sql`), text);
  }
}

async function askReports({ address }: ReleaseNode, { token, entityId }: Fixture, at: string): Promise<string[]> {
  const query = `reporting_entity_id=${entityId}&known_at=${at}`;
  const paths = [
    `holdings?as_of=2025-06-30&${query}`,
    `performance?start=2024-01-01&end=2025-06-30&detail=summary&${query}`,
    `realised-gains?from=2024-01-01&to=2025-06-30&${query}`,
  ];
  const texts: string[] = [];
  for (const path of paths) {
    const answer = await fetch(`${address}/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    texts.push(await answer.text());
  }
  return texts;
}

interface Figures {
  readonly phases: ReadonlyMap<string, PhaseFigures>;
  readonly startMs: number;
  readonly lockWaitMs: number;
  readonly looks: number;
  readonly booked: number;
  readonly stored: number;
  readonly areReportsEqual: boolean;
}

interface Releases {
  readonly old: Release;
  readonly now: Release;
}

async function countDeposits(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM transaction WHERE date = '2026-01-05'`);
  await client.end();
  return Number(rows[0]?.count);
}

async function measure(
  { old, now }: Releases,
  settings: Readonly<Record<string, string>>,
  rows: number,
): Promise<Figures> {
  const common = {
    ...settings,
    BOOTSTRAP_CLIENT_ID: credentials.clientId,
    BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
    BUDGET_IN_FLIGHT: '8',
  };
  const grant = {
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  };
  const oldNode = await startNode(old, { ...common, PORT: await freePort() });
  const fixture = await fillRelease(oldNode.address, grant, rows);
  const at = new Date().toISOString();
  const before = await askReports(oldNode, fixture, at);
  const load = new UpgradeLoad(oldNode.address, fixture);
  await delay(phaseMs);
  const waits = await LockWaits.watch(settings['DATABASE_URL']!);
  load.phase = 'old node, while the new one migrates';
  const began = performance.now();
  const newNode = await startNode(now, { ...common, PORT: await freePort() });
  const startMs = performance.now() - began;
  load.phase = 'both nodes';
  load.addresses = [oldNode.address, newNode.address];
  await delay(phaseMs);
  load.addresses = [newNode.address];
  load.phase = 'new node';
  await delay(1_000);
  await oldNode.stop();
  await delay(phaseMs);
  await load.stop();
  await waits.stop();
  const after = await askReports(newNode, fixture, at);
  await newNode.stop();
  return {
    phases: load.figures(),
    startMs,
    lockWaitMs: waits.longestMs,
    looks: waits.looks,
    booked: load.booked,
    stored: await countDeposits(settings['DATABASE_URL']!),
    areReportsEqual: JSON.stringify(before) === JSON.stringify(after),
  };
}

function describe(from: string, rows: number, figures: Figures): string {
  const { phases, startMs, lockWaitMs, looks, booked, stored, areReportsEqual } = figures;
  const lines = [...phases].map(
    ([phase, { requests, failed, medianMs, longestMs }]) =>
      `| ${phase} | ${requests} | ${failed.length} | ${medianMs.toFixed(0)} | ${longestMs.toFixed(0)} |`,
  );
  const failures = [...new Set([...phases.values()].flatMap(({ failed }) => failed))].slice(0, 5);
  return `From ${from} to this one with ${rows.toLocaleString('en')} bookings: the new node was ready ${(startMs / 1_000).toFixed(1)} s after its start. The longest wait of a request for a lock was
${lockWaitMs.toFixed(0)} ms (${looks} looks, one every 20 ms). ${booked} bookings were acknowledged meanwhile, ${stored} are stored. Reports with \`known_at\` of before: ${areReportsEqual ? 'equal to the byte' : 'DIFFERENT'}.

| requests of | count | failed | median ms | longest ms |
|---|---|---|---|---|
${lines.join('\n')}
${failures.map((failure) => `\nFailed: ${failure}`).join('')}`;
}

const [from, rowsText = '1000000'] = process.argv.slice(2);
if (from === undefined) throw new Error('Name the release to come from: node bench/upgrade/run.ts v0.2.0');
const database = await startBenchDatabase();
const [old, now] = [await checkOutRelease(from), await checkOutRelease('HEAD')];
try {
  await addExampleMigrations(now);
  const figures = await measure({ old, now }, database.settings, Number(rowsText));
  process.stdout.write(`${machine()}\n\n${describe(from, Number(rowsText), figures)}\n`);
} finally {
  await old.remove();
  await now.remove();
  await database.remove();
}
