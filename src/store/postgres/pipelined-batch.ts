// Statements asked for within one transaction, and the trips that carry them: what nobody waits for goes with what is sent next, and
// what is asked for in one breath goes together. Knows neither connections nor reaches.

import { BinaryRows, type ColumnCall, type ColumnKinds, type Piece } from './binary/binary-rows.ts';
import { PartedRows } from './binary/grouped-rows.ts';
import { sql, type Call, type Outcome, type Statement, type Value } from './statement.ts';

/** Runs statements for one reach: in a transaction, or each on a trip of its own. */
export interface Run {
  <Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>>;
  /** The rows of each call as columns, all on one trip. */
  columns<C extends ColumnKinds>(calls: readonly ColumnCall<C>[]): Promise<(readonly Piece<C>[])[]>;
  /** Sends a statement whose outcome nobody waits for along with the next one, or with the commit. */
  later(statement: Statement<any>, values: readonly Value[]): void;
  /** Forgets what has not been sent yet. */
  forgetLater(): void;
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

export function callsOf(call: Call): readonly Call[] {
  return call.statement.isSetWise ? [{ statement: withoutNestedLoops, values: [] }, call] : [call];
}

/** To compile a statement takes longer than to send very many rows. */
const withoutCompiling = sql('without-compiling', `SELECT set_config('jit', 'off', true)`);

/** Calls whose rows are taken as columns, and the columns once they have been made. */
export function columnCalls<C extends ColumnKinds>(
  asked: readonly ColumnCall<C>[],
): { calls: readonly Call[]; pieces: () => (readonly Piece<C>[])[] } {
  const takers = asked.map(({ statement: { columns, isParted } }) =>
    isParted ? new PartedRows(columns) : new BinaryRows(columns),
  );
  const calls = asked.map(({ statement, values }, index): Call => ({ statement, values, into: takers[index]! }));
  return {
    calls: [{ statement: withoutCompiling, values: [] }, ...calls],
    pieces: () => takers.map((taker) => taker.pieces()),
  };
}

interface Asked {
  /** Which of the trip's outcomes it waits for. */
  readonly at: number;
  resolve(outcome: any): void;
  reject(error: unknown): void;
}

/** Runs statements over trips on one connection. What is asked for in one breath, as with `Promise.all`, goes on one trip. */
export function runOver(trip: (calls: readonly Call[]) => Promise<Outcome[]>): { run: Run; takeLater: () => Call[] } {
  let waiting: Call[] = [];
  let asked: Asked[] = [];
  const takeLater = (): Call[] => {
    const taken = waiting;
    waiting = [];
    return taken;
  };
  const depart = async (): Promise<void> => {
    const aboard = asked;
    asked = [];
    try {
      const outcomes = await trip(takeLater());
      for (const { at, resolve } of aboard) resolve(outcomes[at]);
    } catch (error) {
      for (const { reject } of aboard) reject(error);
    }
  };
  const sendAll = (calls: readonly Call[]): Promise<Outcome<any>> =>
    new Promise((resolve, reject) => {
      if (asked.length === 0) queueMicrotask(() => void depart());
      waiting.push(...calls);
      asked.push({ at: waiting.length - 1, resolve, reject });
    });
  const send = <Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> =>
    sendAll(callsOf({ statement, values }));
  const run = Object.assign(send, {
    async columns<C extends ColumnKinds>(wanted: readonly ColumnCall<C>[]): Promise<(readonly Piece<C>[])[]> {
      const { calls, pieces } = columnCalls(wanted);
      const isSaid = waiting.some(({ statement }) => statement === withoutCompiling);
      await sendAll(isSaid ? calls.slice(1) : calls);
      return pieces();
    },
    later: (statement: Statement<any>, values: readonly Value[]) => void waiting.push({ statement, values }),
    forgetLater: () => void takeLater(),
  });
  return { run, takeLater };
}
