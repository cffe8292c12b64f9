// Keeps a release for the tests of upgrades: `node scripts/write-release-dump.ts v0.2.0` runs that tag's own service, fills it, and writes its
// database and the answers of its reports to tests/upgrades/.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/store/postgres/embedded/embedded-postgres.ts';
import { Caller } from '../tests/setup/http/caller.ts';
import { dumpRows, dumpSettings, writeDump } from '../tests/setup/upgrades/release-dump.ts';
import { fillRelease } from '../tests/setup/upgrades/release-world.ts';
import { checkOutRelease, freePort, startNode, type Release } from './old-release.ts';

async function makeDump(tag: string, release: Release, dataDir: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { fsync: 'off' } });
  const { user, host, port, database } = postgres.connection;
  try {
    const node = await startNode(release, {
      ...dumpSettings,
      DATABASE_URL: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`,
      PORT: await freePort(),
      BUDGET_BURST: '100000',
    });
    const credentials = {
      clientId: dumpSettings.BOOTSTRAP_CLIENT_ID,
      clientSecret: dumpSettings.BOOTSTRAP_CLIENT_SECRET,
    };
    // Whatever it still has to do when it is stopped is in the dump.
    const reports = await Caller.withCredentials(node.address, credentials).then(fillRelease).finally(node.stop);
    const { dumpSchema } = (await import(
      join(release.folder, 'scripts/write-schema.ts')
    )) as typeof import('./write-schema.ts');
    const client = new pg.Client(postgres.connection);
    await client.connect();
    await writeDump(tag.replace(/^v/, ''), {
      schema: await dumpSchema(client),
      rows: await dumpRows(client),
      answers: { reports },
    });
    await client.end();
  } finally {
    await postgres.stop();
  }
}

const tag = process.argv[2];
if (tag === undefined) throw new Error('Name the tag of a release: node scripts/write-release-dump.ts v0.2.0');
const release = await checkOutRelease(tag);
const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-dump-'));
try {
  await makeDump(tag, release, dataDir);
} finally {
  await release.remove();
  await rm(dataDir, { recursive: true, force: true });
}
