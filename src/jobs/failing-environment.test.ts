// Tests of all jobs that go from environment to environment: one that fails keeps none of the others from its turn, and a run that is given
// up enters no further one.

import { beforeAll, describe, expect, test } from 'vitest';
import { makeCustodyHousehold, startFlow, step } from '../../tests/setup/custody/custody-household.ts';
import { serviceForThisFile } from '../../tests/setup/node/test-service.ts';
import type { AppContext } from '../actions/core/context.ts';
import { dayMs, hourMs } from '../kit/clock.ts';
import type { Stores } from '../store/stores.ts';
import { auditChaining } from './audit-chaining.ts';
import { authorityEndsJob } from './authority-ends.ts';
import { clockSetbackJob } from './clock-setback.ts';
import { expiryJob } from './expiry.ts';
import { revocations } from './revocations.ts';

const service = serviceForThisFile();
const environmentCount = 3;

/** In each environment: lines to chain, an answer that is stored, consent that ends soon, and consent that was revoked. */
beforeAll(async () => {
  const others = Array.from({ length: environmentCount - 1 }, () => service.openWorkspace());
  for (const admin of [service.admin, ...(await Promise.all(others))]) {
    const home = await makeCustodyHousehold(admin);
    const inAnHour = new Date(service.clock.now() + hourMs).toISOString();
    await startFlow(admin, home, 'active', { expires_at: inAnHour });
    const revoked = await startFlow(admin, await makeCustodyHousehold(admin), 'active');
    await step(admin, revoked.id, 'revoke');
    await admin.post('/v1/clients', { name: 'Once' }, { 'idempotency-key': 'once' });
  }
});

/** A node that cannot write in the environment that it enters first, with the list of those that it entered. */
function failingIn(onFirst: () => void): { context: AppContext; entered: Set<string> } {
  const entered = new Set<string>();
  const stores = new Proxy(service.context.stores, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name, target);
      if (name !== 'forWriting') return typeof own === 'function' ? own.bind(target) : own;
      return async (...call: Parameters<Stores['forWriting']>) => {
        const { workspaceId } = call[0].scope;
        entered.add(workspaceId);
        if (workspaceId !== [...entered][0]) return target.forWriting(...call);
        onFirst();
        throw new Error('The database is away.');
      };
    },
  });
  return { context: { ...service.context, stores }, entered };
}

describe.each([
  ['the audit log', auditChaining, 0, 'The audit log of 1 environments could not be chained.'],
  ['moments ahead of the clock', clockSetbackJob, -hourMs, 'The moments of 1 environments could not be checked.'],
  ['consent that was revoked', revocations, hourMs, 'Consent of 1 environments could not be withdrawn.'],
  ['consent that ends', authorityEndsJob, 0, 'The end of consent could not be reported in 1 environments.'],
  ['what has expired', expiryJob, dayMs + hourMs, 'Expired rows of 1 environments could not be deleted.'],
])('the job for %s', (_what, jobFor, advanceMs, message) => {
  beforeAll(() => service.clock.advance(advanceMs));

  test('enters no further environment once it is given up', async () => {
    const stopping = new AbortController();
    const { context, entered } = failingIn(() => stopping.abort());
    await expect(jobFor(context).run(stopping.signal)).rejects.toThrow(message);
    expect(entered.size).toBe(1);
    entered.clear();
    await jobFor(context).run(stopping.signal);
    expect(entered.size).toBe(0);
  });

  test('enters the others where it fails in one, and says in how many it failed', async () => {
    const { context, entered } = failingIn(() => {});
    await expect(jobFor(context).run(new AbortController().signal)).rejects.toThrow(message);
    expect(entered.size).toBe(environmentCount);
  });
});
