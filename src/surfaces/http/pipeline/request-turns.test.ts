// Requests with the same key take turns, and only so many requests of one workspace wait for theirs.

import { expect, test } from 'vitest';
import { RequestTurns } from './request-turns.ts';

test('beyond the limit of a workspace a request is refused instead of waiting, whatever its key; other workspaces wait', async () => {
  const turns = new RequestTurns(2);
  const { promise: first, resolve: end } = Promise.withResolvers<void>();
  const performed: string[] = [];
  const take = (workspace: string, key: string, name: string): Promise<void> =>
    turns.take(workspace, key, async () => {
      await first;
      performed.push(name);
    });
  const taken = [take('a', 'one', 'first'), take('a', 'two', 'other key'), take('b', 'one', 'other workspace')];
  taken.push(take('a', 'one', 'second'), take('a', 'two', 'third'), take('b', 'one', 'waits as well'));
  await expect(take('a', 'one', 'too many')).rejects.toMatchObject({ code: 'too-many-in-flight' });
  end();
  await Promise.all(taken);
  await take('a', 'one', 'afterwards');
  expect(performed.toSorted()).toEqual(
    ['first', 'other key', 'other workspace', 'second', 'third', 'waits as well', 'afterwards'].toSorted(),
  );
});
