// Statements asked for within one transaction, and the trips that carry them: what nobody waits for goes with what is sent next, and
// what is asked for in one breath goes together. Knows neither connections nor reaches.

import { BinaryRows, type ColumnCall, type ColumnKinds, type ColumnBlock } from './binary/binary-rows.ts';
import { GroupedRows } from './binary/grouped-rows.ts';
import { sql, type Call, type Outcome, type Statement, type Value } from './statement.ts';

/** Runs statements for one reach: in a transaction, or each on a trip of its own. */
export interface StatementRunner {
  <Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>>;
  /** The rows of each call as columns, all on one trip. */
  columns<C extends ColumnKinds>(calls: readonly ColumnCall<C>[]): Promise<(readonly ColumnBlock<C>[])[]>;
  /** Sends a statement whose outcome nobody waits for along with the next one, or with the commit. */
  enqueue(statement: Statement<any>, values: readonly Value[]): void;
  /** Forgets what has not been sent yet. */
  discardQueued(): void;
}

/**
 * On tables that have grown since they were last analysed the planner expects a single row everywhere and nests its loops:
 * seconds for 10,000 rows, where joining by hash or merge takes milliseconds with any expectation. Where there is no other way
 * it nests them all the same and gives that a price beyond all bounds, at which the server would compile the statement first:
 * a second for a list of one.
 */
const withoutNestedLoops = sql(
  'without-nested-loops',
  `SELECT set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`,
);

export function withPlannerSettings(call: Call): readonly Call[] {
  return call.statement.isSetWise ? [{ statement: withoutNestedLoops, values: [] }, call] : [call];
}

/** To compile a statement takes longer than to send very many rows. */
const withoutJit = sql('without-compiling', `SELECT set_config('jit', 'off', true)`);

/** Calls whose rows are taken as columns, and the columns once they have been made. */
export function columnCalls<C extends ColumnKinds>(
  pending: readonly ColumnCall<C>[],
): { calls: readonly Call[]; blocks: () => (readonly ColumnBlock<C>[])[] } {
  const consumers = pending.map(({ statement: { columns, isGrouped } }) =>
    isGrouped ? new GroupedRows(columns) : new BinaryRows(columns),
  );
  const calls = pending.map(({ statement, values }, index): Call => ({ statement, values, into: consumers[index]! }));
  return {
    calls: [{ statement: withoutJit, values: [] }, ...calls],
    blocks: () => consumers.map((consumer) => consumer.blocks()),
  };
}

interface PendingCall {
  /** Which of the trip's outcomes it waits for. */
  readonly outcomeIndex: number;
  resolve(outcome: any): void;
  reject(error: unknown): void;
}

/** Runs statements over trips on one connection. What is asked for in one breath, as with `Promise.all`, goes on one trip. */
export function createRunner(sendBatch: (calls: readonly Call[]) => Promise<Outcome[]>): {
  run: StatementRunner;
  drain: () => Call[];
} {
  let queued: Call[] = [];
  let pending: PendingCall[] = [];
  const drain = (): Call[] => {
    const drained = queued;
    queued = [];
    return drained;
  };
  const flush = async (): Promise<void> => {
    const awaiting = pending;
    pending = [];
    try {
      const outcomes = await sendBatch(drain());
      for (const { outcomeIndex, resolve } of awaiting) resolve(outcomes[outcomeIndex]);
    } catch (error) {
      for (const { reject } of awaiting) reject(error);
    }
  };
  const sendAll = (calls: readonly Call[]): Promise<Outcome<any>> =>
    new Promise((resolve, reject) => {
      if (pending.length === 0) queueMicrotask(() => void flush());
      queued.push(...calls);
      pending.push({ outcomeIndex: queued.length - 1, resolve, reject });
    });
  const send = <Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> =>
    sendAll(withPlannerSettings({ statement, values }));
  const run = Object.assign(send, {
    async columns<C extends ColumnKinds>(wanted: readonly ColumnCall<C>[]): Promise<(readonly ColumnBlock<C>[])[]> {
      const { calls, blocks } = columnCalls(wanted);
      const isJitOff = queued.some(({ statement }) => statement === withoutJit);
      await sendAll(isJitOff ? calls.slice(1) : calls);
      return blocks();
    },
    enqueue: (statement: Statement<any>, values: readonly Value[]) => void queued.push({ statement, values }),
    discardQueued: () => void drain(),
  });
  return { run, drain };
}
