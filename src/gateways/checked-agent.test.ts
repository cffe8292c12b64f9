import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { abortable } from './checked-agent.ts';

test('a task is given up with the reason of its signal', async () => {
  const controller = new AbortController();
  const given = abortable(controller.signal, new Promise(() => {}));
  controller.abort(new Error('The feed is stopped.'));
  await expect(given).rejects.toThrow('The feed is stopped.');
  await expect(abortable(controller.signal, new Promise(() => {}))).rejects.toThrow('The feed is stopped.');
});

test.each([
  ['succeeded', () => Promise.resolve(1)],
  ['failed', () => Promise.reject(new Error('refused'))],
])('a task that has %s leaves nothing at its signal, which lives as long as the node', async (_end, task) => {
  const { signal } = new AbortController();
  await abortable(signal, task()).catch(() => {});
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
