// Lists what uploads state was held, position by position, and what a newer statement of a place no longer lists.

import type { Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { Upload, UnitsUpload } from './facts.ts';
import type { PositionTable } from '../ledger/position-table.ts';

export interface Checkpoint {
  readonly position: number;
  readonly day: Day;
  /** Units, cash, or fees owed (negative). */
  readonly quantity: Fixed;
  /** Null if a statement of the place says that nothing is left, listed with 0 units or not at all; and for money. */
  readonly upload: UnitsUpload | null;
}

/** By position, oldest first. Of two for one day, the later in the list counts. */
export type Checkpoints = ReadonlyMap<number, readonly Checkpoint[]>;

/**
 * A statement of a depository lists everything it holds: what an earlier one listed and this one does not is gone. What only the
 * ledger put there stays.
 */
export function checkpointsByPosition(uploads: readonly Upload[], table: PositionTable): Checkpoints {
  const stated = new Map<number, Map<Day, Checkpoint>>();
  const statements = new Map<string, Map<Day, Set<number>>>();
  for (const upload of uploads) {
    const position = table.uploadedPosition(upload);
    const isShared = table.key(position).account === null;
    const content = statedContent(upload, isShared);
    getOrPut(stated, position, new Map()).set(upload.day, { position, day: upload.day, ...content });
    if (upload.kind !== 'units') continue;
    const listed = getOrPut(getOrPut(statements, upload.depository, new Map()), upload.day, new Set());
    if (content.upload !== null) listed.add(position);
  }
  for (const statement of statements.values()) closeUnlisted(stated, statement);
  return new Map([...stated].map(([position, byDay]) => [position, [...byDay.values()].toSorted(compareByDay)]));
}

/** Where accounts share a depository, 0 units are all of them together: what their own rows hold there counts against it. */
function statedContent(upload: Upload, isShared: boolean): Pick<Checkpoint, 'quantity' | 'upload'> {
  if (upload.kind === 'units') {
    const { quantity } = upload;
    return { quantity, upload: quantity === 0n && !isShared ? null : upload };
  }
  return { quantity: upload.kind === 'cash' ? upload.balance : -upload.owed, upload: null };
}

function compareByDay(one: Checkpoint, other: Checkpoint): number {
  return one.day - other.day;
}

function closeUnlisted(stated: Map<number, Map<Day, Checkpoint>>, statement: Map<Day, Set<number>>): void {
  const listed = new Set<number>();
  for (const day of [...statement.keys()].toSorted((one, other) => one - other)) {
    const present = statement.get(day)!;
    for (const position of listed) {
      if (present.has(position)) continue;
      stated.get(position)!.set(day, { position, day, quantity: 0n, upload: null });
      listed.delete(position);
    }
    for (const position of present) listed.add(position);
  }
}

function getOrPut<Key, Value>(map: Map<Key, Value>, key: Key, initial: Value): Value {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  map.set(key, initial);
  return initial;
}

/** A lot that an upload opened is numbered by the day, below all numbers of rows. */
export function checkpointRow(day: Day): number {
  return -1_000_000 - day;
}

/** The inverse of checkpointRow. */
export function checkpointDay(row: number): Day {
  return -1_000_000 - row;
}
