// Of a snapshot, only the rows of the workspace are let through, wherever its id stands and however the rows are cut into blocks.

import { expect, test } from 'vitest';
import type { Id } from '../../../kit/id.ts';
import type { Snapshot } from './snapshot.ts';
import { snapshotOfWorkspace } from './workspace-snapshot.ts';

const [own, other] = ['a'.repeat(24), 'b'.repeat(24)];
const tables = [
  { name: 'first', columns: ['workspace_id', 'note'] },
  { name: 'last', columns: ['id', 'note', 'workspace_id'] },
  { name: 'shared', columns: ['word'] },
];
const texts: Readonly<Record<string, string>> = {
  first: `${own}\tone\n${other}\ttwo\n${own}\t${other}\n${own}x\tthree\n`,
  last: `1\t${own}\t${other}\n2\t${other}\t${own}\n3\t\\N\t${own}\n`,
  shared: 'seeded\n',
};

function snapshotIn(blockBytes: number, found = texts): Snapshot {
  async function* rows({ name }: { readonly name: string }): AsyncGenerator<Buffer> {
    const text = Buffer.from(found[name]!);
    for (let at = 0; at < text.length; at += blockBytes) yield text.subarray(at, at + blockBytes);
  }
  return { migrations: [], tables, sequences: { ticket: '41' }, rows, count: async () => 99 };
}

test.each([1, 7, 26, 1_000])('rows in blocks of %i bytes', async (blockBytes) => {
  const snapshot = snapshotOfWorkspace(snapshotIn(blockBytes), own as Id);
  const found: [string, string, number][] = [];
  for (const table of tables) {
    const text = Buffer.concat(await Array.fromAsync(snapshot.rows(table))).toString();
    found.push([table.name, text, await snapshot.count(table)]);
  }
  expect(found).toEqual([
    ['first', `${own}\tone\n${own}\t${other}\n`, 2],
    ['last', `2\t${other}\t${own}\n3\t\\N\t${own}\n`, 2],
    ['shared', 'seeded\n', 1],
  ]);
  expect(snapshot.sequences).toEqual({});
});

test('a last row without an end is not left out without a word', async () => {
  const snapshot = snapshotOfWorkspace(snapshotIn(8, { ...texts, first: `${own}\tone` }), own as Id);
  await expect(Array.fromAsync(snapshot.rows(tables[0]!))).rejects.toThrow('the last row of a table has no end');
});
