// Holds all rows of an account's ledger at one version, and derives a later version from the rows opened and closed since. A
// ledger is immutable: a later version shares most of its blocks with the earlier one.

import { append } from '../../kit/memory/long-list.ts';
import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import {
  totalBytes,
  liveRowCount,
  compacted,
  toLiveBlock,
  withoutRows,
  type LedgerBlock,
  type LiveBlock,
} from './ledger-block.ts';

/** A row that was current at an earlier version. */
export interface ClosedRow {
  readonly sequence: number;
  readonly day: Day;
  readonly account: string | null;
  /** The ledger version that opened the row. */
  readonly opened: number;
}

export interface SideChanges {
  readonly opened: readonly LedgerBlock[];
  readonly closed: readonly ClosedRow[];
}

/** One value for rows of the account, one for rows of other accounts that also move it. */
export interface Sides<T> {
  readonly own: T;
  readonly counter: T;
}

interface VersionStep extends Sides<SideChanges> {
  readonly from: number;
  readonly rows: number;
  readonly bytes: number;
}

export interface AccountLedger extends Sides<readonly LiveBlock[]> {
  readonly version: number;
  /** The changes from version to version, oldest first; the last step leads to this version. */
  readonly steps: readonly VersionStep[];
  readonly bytes: number;
}

/** Drops the oldest steps beyond this many steps, or this many rows in all steps. */
const stepsMax = 256;
const stepRowsMax = 4_096;

const closedBytes = 100;

function newLedger(ledger: Omit<AccountLedger, 'bytes'>): AccountLedger {
  const { own, counter, steps } = ledger;
  const bytes = steps.reduce((sum, step) => sum + step.bytes, totalBytes(own) + totalBytes(counter));
  return { ...ledger, bytes };
}

export function accountLedgerAt(version: number, { own, counter }: Sides<readonly LedgerBlock[]>): AccountLedger {
  return ledgerOfBlocks(version, { own: own.map(toLiveBlock), counter: counter.map(toLiveBlock) });
}

export function ledgerOfBlocks(version: number, { own, counter }: Sides<readonly LiveBlock[]>): AccountLedger {
  return newLedger({ version, own, counter, steps: [] });
}

/** How many rows of the account it has, without those of other accounts. */
export function ledgerRowCount({ own }: AccountLedger): number {
  return own.reduce((sum, block) => sum + liveRowCount(block), 0);
}

function applyChanges(blocks: readonly LiveBlock[], { opened, closed }: SideChanges): readonly LiveBlock[] {
  const remaining = withoutRows(blocks, new Set(closed.map(({ sequence }) => sequence)));
  return compacted([...remaining, ...opened.map(toLiveBlock)]);
}

function newVersionStep(from: number, { own, counter }: Sides<SideChanges>): VersionStep {
  const opened = [...own.opened, ...counter.opened];
  const closed = own.closed.length + counter.closed.length;
  return {
    from,
    own,
    counter,
    rows: opened.reduce((sum, { length }) => sum + length, closed),
    bytes: opened.reduce((sum, { bytes }) => sum + bytes, closedBytes * closed),
  };
}

/** Returns the ledger at a later version, given everything opened and closed since. */
export function advanceLedger(before: AccountLedger, version: number, changes: Sides<SideChanges>): AccountLedger {
  const steps = [...before.steps, newVersionStep(before.version, changes)];
  let rows = steps.reduce((sum, step) => sum + step.rows, 0);
  while (rows > stepRowsMax || steps.length > stepsMax)
    rows -= defined(steps.shift(), 'rows are those of the remaining steps').rows;
  return newLedger({
    version,
    own: applyChanges(before.own, changes.own),
    counter: applyChanges(before.counter, changes.counter),
    steps,
  });
}

/** The net changes from an earlier version to this one. */
export interface LedgerChanges {
  /** Rows that were current then and no longer are. */
  readonly closed: readonly ClosedRow[];
  /** Rows that are current now and were not then. */
  readonly opened: readonly LiveBlock[];
}

const noChanges: LedgerChanges = { closed: [], opened: [] };

/** Undefined when the steps since that version have been dropped. */
export function findChanges(ledger: AccountLedger, since: number): Sides<LedgerChanges> | undefined {
  if (since === ledger.version) return { own: noChanges, counter: noChanges };
  const first = ledger.steps.findIndex(({ from }) => from === since);
  if (first < 0) return undefined;
  const steps = ledger.steps.slice(first);
  const net = (side: keyof Sides<unknown>): LedgerChanges =>
    netChanges(
      steps.map((step) => step[side]),
      since,
    );
  return { own: net('own'), counter: net('counter') };
}

/** Leaves out rows that were both opened and closed within the steps. */
function netChanges(steps: readonly SideChanges[], since: number): LedgerChanges {
  let opened: readonly LiveBlock[] = [];
  const closed: ClosedRow[] = [];
  for (const step of steps) {
    opened = withoutRows(opened, new Set(step.closed.map(({ sequence }) => sequence)));
    opened = [...opened, ...step.opened.map(toLiveBlock)];
    append(
      closed,
      step.closed.filter((row) => row.opened <= since),
    );
  }
  return { closed, opened: opened.filter((block) => liveRowCount(block) > 0) };
}
