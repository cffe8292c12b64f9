// Repeatedly kills a worker (SIGKILL) while it ships the audit log: every line arrives, and only those of the batch in progress arrive twice. KILLS sets
// how often; the default is three.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { countAuditEntries } from '../../tests/setup/database/sql.ts';
import { programEnvironment } from '../../tests/setup/node/program-environment.ts';
import { serviceForThisFile } from '../../tests/setup/node/test-service.ts';
import { HttpReceiver, linesIn } from '../../tests/setup/shipping/receivers.ts';
import { createShipping, httpTo, shipDue } from '../../tests/setup/shipping/shipping.ts';
import { chainAuditLines } from '../actions/access/audit-chain.ts';
import { minuteMs } from '../kit/clock.ts';
import { Keyring } from '../signing/keyring.ts';

const kills = Number(process.env['KILLS'] ?? 3);
/** Longer than a killed worker can have run, and longer than its leases. */
const leasesExpireMs = 15 * minuteMs;

const encryptionKey = Keyring.generate();
const service = serviceForThisFile({ settings: { ENCRYPTION_KEY: encryptionKey } });

/** Lets a worker post some batches and kills it at the last one, before or after it has its answer. */
async function killAfter(batchCount: number, moment: 'before' | 'after', receiver: HttpReceiver): Promise<void> {
  const worker = spawn(
    process.execPath,
    [new URL('../../tests/setup/shipping/shipping-worker.ts', import.meta.url).pathname],
    {
      env: {
        ...programEnvironment,
        DATABASE_URL: service.database.url,
        ENCRYPTION_KEY: encryptionKey,
        SHIP_TO_HTTPS: `${receiver.address}/in`,
        NODE_ENV: 'test',
        STARTED_AT: String(service.clock.now()),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  onTestFinished(() => void worker.kill('SIGKILL'));
  let left = batchCount;
  receiver.answer = async () => {
    left -= 1;
    if (left > 0) {
      // So that there is something for the next batch.
      await service.admin.makeClient(`Client ${left}`);
      return { status: 200 };
    }
    if (moment === 'before') worker.kill('SIGKILL');
    else setImmediate(() => worker.kill('SIGKILL'));
    return { status: 200 };
  };
  const [, signal] = await once(worker, 'exit');
  expect([signal, left <= 0]).toEqual(['SIGKILL', true]);
}

test(
  `after ${kills} kills every line of the audit log has arrived, in its order`,
  { timeout: (5 + kills) * minuteMs },
  async () => {
    const receiver = await HttpReceiver.start();
    onTestFinished(() => receiver.stop());
    for (let kill = 0; kill < kills; kill++) {
      service.clock.advance(leasesExpireMs);
      // A token lasts shorter than a lease.
      const admin = await service.enter({ workspaceId: service.first.workspaceId, environment: 'production' });
      Object.assign(service, { admin });
      await admin.makeClient(`Before kill ${kill}`);
      await killAfter(1 + (kill % 3), kill % 2 === 0 ? 'before' : 'after', receiver);
    }
    receiver.answer = () => ({ status: 200 });
    const shipping = createShipping(service.context, [httpTo(receiver, service.context)]);
    const total = await countAuditEntries(service.database);
    // The server may still be ending what a killed worker had begun.
    const arrived = async (): Promise<number> => {
      service.clock.advance(leasesExpireMs);
      await chainAuditLines(service.context);
      await shipDue(shipping);
      return new Set(receiver.lines.map(({ number }) => number)).size;
    };
    await expect.poll(arrived).toBe(total);
    let reached = 0;
    for (const { text } of receiver.posts) {
      const numbers = linesIn(text).map(({ number }) => number);
      // A batch begins at the latest after what has arrived, and goes on without a gap.
      expect(numbers[0]).toBeLessThanOrEqual(reached + 1);
      expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
      reached = Math.max(reached, numbers.at(-1)!);
    }
    expect(reached).toBe(total);
  },
);
