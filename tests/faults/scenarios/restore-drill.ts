// Backs up under load, restores elsewhere, and compares what both say.

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseServer } from '../deployment/database-server.ts';
import { LocalDeployment } from '../deployment/local-deployment.ts';
import { ApiClient } from '../load/api-client.ts';
import { listStated, Proving } from '../load/proving.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { pause } from '../waiting.ts';

interface Drill {
  readonly server: DatabaseServer;
  readonly deployment: LocalDeployment;
  readonly proving: Proving;
  readonly file: string;
}

async function backUpAndRestore(context: ScenarioContext, drill: Drill): Promise<number> {
  const { server, deployment, proving, file } = drill;
  const given = await proving.rememberAnswers();
  const known = proving.journal.withOutcome('acknowledged');
  const made = await deployment.admin('backup', '--to', file);
  context.check(made.code === 0, `the backup could not be made: ${made.output}`);
  const { size } = await stat(file);
  const databaseUrl = await server.createDatabase();
  const restored = await deployment.adminOn({ DATABASE_URL: databaseUrl }, 'restore', '--from', file);
  context.check(restored.code === 0, `it could not be restored: ${restored.output}`);
  await rm(file);
  const elsewhere = await LocalDeployment.start({ databaseUrl, nodes: 1, like: deployment });
  try {
    const api = new ApiClient(elsewhere.target);
    const { lost, doubled, changed, unexpected } = proving.journal
      .forCopy(known)
      .compare(await listStated(api, proving.households));
    for (const [what, found] of Object.entries({ lost, doubled, changed, unexpected }))
      context.check(
        found.length === 0,
        `${found.length} bookings are ${what} after the restore: ${found.slice(0, 3).join('; ')}`,
      );
    for (const { path, text } of given) {
      const again = await api.send({ path });
      context.check(again.text === text, `${path} gives other bytes after the restore`);
    }
    const verified = await elsewhere.admin('verify');
    context.check(verified.code === 0, `\`holdfast verify\` finds faults after the restore: ${verified.output}`);
  } finally {
    await elsewhere.stop();
  }
  return size;
}

export const restoreDrill: Scenario = {
  name: 'restore-drill',
  does: 'A node under load is backed up while it books (`npm run admin -- backup`); the backup is restored into another database, and a second node is started on it.',
  holds: [
    'everything that was acknowledged before the backup began is restored, once, and nothing that was never sent',
    'reports of an earlier moment have the same bytes on both; the audit chain holds on both',
    'the load goes on: no booking is lost or doubled by the backup',
  ],
  needs: 'own-nodes',
  async run(context) {
    const server = await context.getServer();
    const deployment = await LocalDeployment.start({ databaseUrl: await server.createDatabase(), nodes: 1 });
    context.defer(() => deployment.stop());
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-drill-'));
    context.defer(() => rm(folder, { recursive: true, force: true }));
    // Without a receiver: the second deployment would send what was still to be sent once more.
    const proving = await Proving.open(context, {
      target: deployment.target,
      deployment,
      receives: 'nothing',
      callers: 2,
    });
    proving.load.start();
    const drills = context.pick({ short: 1, long: 10 });
    let largest = 0;
    for (let drill = 0; drill < drills; drill++) {
      await pause(context.random.between(1_000, 2_000));
      const size = await backUpAndRestore(context, { server, deployment, proving, file: join(folder, `${drill}.tar`) });
      largest = Math.max(largest, size);
    }
    return { drills, 'largest backup, kB': Math.round(largest / 1_000), ...(await proving.conclude()) };
  },
};
