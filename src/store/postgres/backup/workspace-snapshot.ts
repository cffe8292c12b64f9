// The rows of one workspace, of all that a snapshot holds: what is left out is never written into the database that it is loaded into.

import { defined } from '../../../kit/assert.ts';
import type { Id } from '../../../kit/id.ts';
import { BackupFault } from './backup-fault.ts';
import type { Snapshot } from './snapshot.ts';
import type { TableShape } from './tables.ts';

const [lineFeed, tab] = [10, 9];

/** Counts what it lets through. Sequences are left out: nothing is numbered on in a database that is only read. */
export function snapshotOfWorkspace(snapshot: Snapshot, workspaceId: Id): Snapshot {
  const counts = new Map<string, number>();
  const rows = (table: TableShape): AsyncIterable<Buffer> =>
    keepRows(snapshot.rows(table), table, { workspaceId, count: (kept) => counts.set(table.name, kept) });
  const count = async ({ name }: TableShape): Promise<number> =>
    defined(counts.get(name), 'a table is counted after its rows were read');
  return { ...snapshot, sequences: {}, rows, count };
}

interface Kept {
  readonly workspaceId: Id;
  count(kept: number): void;
}

/** Each row is a line of the text format of COPY, whose fields are divided by tabs. An id is written as it is. */
async function* keepRows(
  blocks: AsyncIterable<Buffer>,
  { columns }: TableShape,
  { workspaceId, count }: Kept,
): AsyncGenerator<Buffer> {
  const place = columns.indexOf('workspace_id');
  const wanted = Buffer.from(workspaceId);
  let rest: Buffer = Buffer.alloc(0);
  let kept = 0;
  for await (const block of blocks) {
    const text = rest.length === 0 ? block : Buffer.concat([rest, block]);
    const lines: Buffer[] = [];
    let at = 0;
    for (let end = text.indexOf(lineFeed); end !== -1; end = text.indexOf(lineFeed, at)) {
      const line = text.subarray(at, end + 1);
      if (place === -1 || fieldAt(line, place).equals(wanted)) lines.push(line);
      at = end + 1;
    }
    rest = text.subarray(at);
    kept += lines.length;
    if (lines.length > 0) yield Buffer.concat(lines);
  }
  if (rest.length > 0) throw new BackupFault('The backup is damaged: the last row of a table has no end.');
  count(kept);
}

function fieldAt(line: Buffer, place: number): Buffer {
  let start = 0;
  for (let passed = 0; passed < place; passed++) {
    const end = line.indexOf(tab, start);
    if (end === -1) return Buffer.alloc(0);
    start = end + 1;
  }
  const end = line.indexOf(tab, start);
  return line.subarray(start, end === -1 ? line.length - 1 : end);
}
