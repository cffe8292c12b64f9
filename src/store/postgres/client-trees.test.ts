// Tests how many clients below another one a node remembers, when it reads them anew, and in what form a transaction is told of them.

import { expect, test } from 'vitest';
import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import { ClientTrees, visibilityOf, widened, type TreeChanges } from './client-trees.ts';
import { seenClients } from './seen-clients.ts';

const id = (number: number): Id => number.toString(16).padStart(24, '0') as Id;
const ids = (count: number, first = 1): Id[] => Array.from({ length: count }, (_, index) => id(first + index));

function scopeOf(clientId: Id, environment: Scope['environment'] = 'production'): Scope {
  return { workspaceId: id(1), environment, visibleClients: { kind: 'tree', clientId }, credentialId: null };
}

/** Trees that are read from these answers, one after the other; an answer is repeated for every later read. */
function treesOf(...answers: (TreeChanges | undefined)[]): { trees: ClientTrees; since: number[] } {
  const since: number[] = [];
  const trees = new ClientTrees(async (_scope, _clientId, version) => {
    since.push(version);
    return answers.length > 1 ? answers.shift() : answers[0];
  });
  return { trees, since };
}

const whole = (version: number, inside: readonly Id[]): TreeChanges => ({ version, inside, outside: [] });

test.each([0, 1, 64])('%i clients stand in one setting, and one more is added at its end', (count) => {
  const seen = ids(count);
  const text = ['clients', ...seen, ''].join(',');
  const visibility = visibilityOf('clients', seen);
  expect(visibility).toEqual({ text });
  const value = `${text}${id(999)},`;
  expect(widened(visibility, id(999))).toEqual({
    visibility: { text: value },
    name: 'holdfast.visible_clients',
    value,
  });
});

test('from 65 clients on there is a setting for each pair of last digits, and one more changes one of them', () => {
  const visibility = visibilityOf('some', [...ids(64), id(0x1ff)]);
  expect(visibility.text).toBe('some,many,');
  const buckets = visibility.buckets!.split('|');
  expect([buckets.length, buckets[0], buckets[1], buckets[64], buckets[65], buckets[255]]).toEqual([
    256,
    ',',
    `,${id(1)},`,
    `,${id(64)},`,
    ',',
    `,${id(0x1ff)},`,
  ]);
  const value = `,${id(0x1ff)},${id(0x2ff)},`;
  expect(widened(visibility, id(0x2ff))).toEqual({
    visibility: { text: 'some,many,', buckets: buckets.with(255, value).join('|') },
    name: 'holdfast.visible_clients_ff',
    value,
  });
});

test.each([
  [64, 'tree'],
  [65, 'wide-tree'],
])('a tree of %i clients is seen as a %s, once it is known', async (count, kind) => {
  const { trees } = treesOf(whole(1, ids(count)));
  expect(trees.open(scopeOf(id(1))).visibleClients.kind).toBe('tree');
  await trees.of(scopeOf(id(1)));
  expect(trees.open(scopeOf(id(1))).visibleClients.kind).toBe(kind);
  expect(trees.open(scopeOf(id(1), 'sandbox')).visibleClients.kind).toBe('tree');
});

test('only what has changed is read again, and equal scopes are told of it as well', async () => {
  const { trees, since } = treesOf(whole(5, ids(3)), { version: 7, inside: [id(9)], outside: [id(2)] });
  const [scope, equal] = [scopeOf(id(1)), scopeOf(id(1))];
  expect((await trees.of(scope))!.ids).toEqual(ids(3));
  await trees.refresh(scope);
  expect(await trees.of(scope, [equal])).toMatchObject({ version: 7, ids: [id(1), id(3), id(9)], wholeCount: 3 });
  expect([scope, equal].map(({ visibleClients }) => seenClients(visibleClients).ids)).toEqual([
    [id(1), id(3), id(9)],
    [id(1), id(3), id(9)],
  ]);
  expect(since).toEqual([-1, 5]);
});

test('where there is no such environment nobody is seen, and it is read anew', async () => {
  const { trees, since } = treesOf(undefined);
  expect(await trees.of(scopeOf(id(1)))).toMatchObject({ version: null, ids: [], wholeCount: 0 });
  await trees.refresh(scopeOf(id(1)));
  expect(since).toEqual([-1, -1]);
});

test.each([
  [70, 8],
  [71, -1],
])('a tree of 3 that has grown to %i is read next from version %i on', async (count, from) => {
  const { trees, since } = treesOf(whole(5, ids(3)), whole(8, ids(count)));
  const scope = scopeOf(id(1));
  await trees.of(scope);
  await trees.refresh(scope);
  await trees.refresh(scope);
  expect(since).toEqual([-1, 5, from]);
});

test('half a million clients are remembered, and each tree counts as one more; those used last stay', async () => {
  const many = ids(249_999);
  const { trees, since } = treesOf(whole(1, many), whole(1, many), whole(1, []));
  const [first, second, third] = [scopeOf(id(1)), scopeOf(id(2)), scopeOf(id(3))];
  const readsOf = async (...scopes: Scope[]): Promise<number> => {
    const before = since.length;
    for (const scope of scopes) await trees.of(scope);
    return since.length - before;
  };
  expect(await readsOf(first, second)).toBe(2);
  expect(await readsOf(second, first)).toBe(0);
  expect(await readsOf(third)).toBe(1);
  expect(await readsOf(first, third)).toBe(0);
  expect(await readsOf(second)).toBe(1);
});
