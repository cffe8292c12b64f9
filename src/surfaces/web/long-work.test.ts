import { expect, test } from 'vitest';
import { idFromRow } from '../../kit/id.ts';
import { LongWork } from './long-work.ts';
import type { Sent } from './page-api.ts';

const first = { workspaceId: idFromRow('a'.repeat(24)), environment: 'production' } as const;
const second = { workspaceId: idFromRow('b'.repeat(24)), environment: 'production' } as const;
const failed = (detail: string): Sent => ({
  ok: false,
  problem: { status: 409, code: 'import-busy', title: 'Conflict', detail, errors: [] },
});

test('work that nobody waits for any more is running until it ends, in its own workspace alone', async () => {
  const longWork = new LongWork(0);
  const work = Promise.withResolvers<Sent>();
  expect(await longWork.wait(first, 'import/1', work.promise, 7)).toBeUndefined();
  expect(longWork.runningSince(first, 'import/1')).toBe(7);
  expect(longWork.runningSince(second, 'import/1')).toBeUndefined();
  expect(longWork.runningSince({ ...first, environment: 'sandbox' }, 'import/1')).toBeUndefined();
  work.resolve(failed('The import changed.'));
  await expect.poll(() => longWork.runningSince(first, 'import/1')).toBeUndefined();
  expect(longWork.takeProblem(second, 'import/1')).toBeUndefined();
  expect(longWork.takeProblem(first, 'import/1')?.detail).toBe('The import changed.');
  expect(longWork.takeProblem(first, 'import/1')).toBeUndefined();
});

test('a result that comes in time is answered, and its problem is not told again', async () => {
  const longWork = new LongWork(60_000);
  const sent = failed('No.');
  expect(await longWork.wait(first, 'import/1', Promise.resolve(sent), 7)).toBe(sent);
  expect(longWork.takeProblem(first, 'import/1')).toBeUndefined();
});

test('many unread problems of one workspace do not push out those of another', async () => {
  const longWork = new LongWork(0);
  const fail = async (tenant: typeof first | typeof second, key: string): Promise<void> => {
    const work = Promise.withResolvers<Sent>();
    await longWork.wait(tenant, key, work.promise, 0);
    work.resolve(failed(key));
    await expect.poll(() => longWork.runningSince(tenant, key)).toBeUndefined();
  };
  await fail(second, 'its own');
  for (let index = 0; index <= 100; index++) await fail(first, `import/${index}`);
  expect(longWork.takeProblem(first, 'import/0')).toBeUndefined();
  expect(longWork.takeProblem(first, 'import/100')?.detail).toBe('import/100');
  expect(longWork.takeProblem(second, 'its own')?.detail).toBe('its own');
});
