// Groups the statements of one transaction into pipelined batches: statements issued together, as with `Promise.all`, share a batch, and
// enqueued statements go with the next one.

import { append } from '../../kit/memory/long-list.ts';
import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import { BinaryRows, type ColumnCall, type ColumnKinds, type ColumnBlock } from './binary/binary-rows.ts';
import { GroupedRows } from './binary/grouped-rows.ts';
import { fixedSettingCall, settingCall, type SettingForm } from './local-settings.ts';
import type { Call, Outcome, Refuse, Statement, Value } from './statement.ts';

/** Runs statements within one scope: in one transaction, or each in its own. */
export interface StatementRunner {
  <Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>>;
  /** Reads the rows of each call as columns, all in one batch. */
  columns<C extends ColumnKinds>(calls: readonly ColumnCall<C>[]): Promise<(readonly ColumnBlock<C>[])[]>;
  /**
   * Sends a statement, whose outcome is not awaited, together with the next one or with the commit. Where it fails, so does the transaction,
   * with what `refuse` makes of the error.
   */
  enqueue(statement: Statement<any>, values: readonly Value[], refuse?: Refuse): void;
  /** Drops the enqueued statements that have not been sent yet. */
  discardQueued(): void;
  /** Sets something for the rest of the transaction, together with the next statement. */
  set(name: string, value: string): void;
}

/** Runs statements within one scope, and can change to another one in the middle of a transaction. */
export interface Run extends StatementRunner {
  /** Continues the transaction with another scope of the same caller, and returns it with the clients that it sees. */
  switchScope(scope: Scope): Promise<Scope>;
  /** Lets the rest of the transaction see a client that it is about to create. */
  showClient(clientId: Id): Promise<void>;
  /** Moves clients within the hierarchy, once it is locked; `change` returns its new version. */
  moveClients(change: () => Promise<number>): Promise<void>;
  /** Runs a query of the tenant with all its clients visible, in one batch. */
  withAllVisible<T>(query: () => Promise<T>): Promise<T>;
  /** Enqueues a statement of the tenant that has all its clients visible. */
  readonly enqueueWithAllVisible: StatementRunner['enqueue'];
  /** Runs one statement in the pre-auth role, before the transaction has written anything, which then continues with its scope. */
  readonly readPreAuth: PreAuthRead;
}

/** Reads the rows of one call as columns. */
export async function readColumns<C extends ColumnKinds>(
  run: StatementRunner,
  call: ColumnCall<C>,
): Promise<readonly ColumnBlock<C>[]> {
  const [blocks] = await run.columns([call]);
  return defined(blocks, 'each call has its blocks');
}

/** Runs one statement. */
export type ReadStatement = <Row>(statement: Statement<Row>, values: readonly Value[]) => Promise<Outcome<Row>>;

/**
 * What was read in the pre-auth role. `failure`: why a server did not answer that may have more, where workspaces are spread over several and
 * all of them were asked.
 */
export interface PreAuthOutcome<Row> extends Outcome<Row> {
  readonly failure?: unknown;
}

/** Runs one statement in the pre-auth role: of one workspace, on its server, or of all. */
export type PreAuthRead = <Row>(
  statement: Statement<Row>,
  values: readonly Value[],
  workspaceId?: string,
) => Promise<PreAuthOutcome<Row>>;

/** For what is not true of a part of the workspaces. */
export function fromAll<Row>(outcome: PreAuthOutcome<Row>): Outcome<Row> {
  if (outcome.failure !== undefined) throw outcome.failure;
  return outcome;
}

/** For what is in one workspace: where it is found, no other needs to answer. */
export function foundOrAll<Row>(outcome: PreAuthOutcome<Row>): Outcome<Row> {
  return outcome.rows.length > 0 ? outcome : fromAll(outcome);
}

/** The settings that are off for a statement with a plan, and on again after it within a transaction. */
const plannerSettings: Readonly<Record<NonNullable<Statement<unknown>['plan']>, readonly string[]>> = {
  /**
   * On tables that have grown since they were last analysed, the planner expects single rows and chooses nested loops: seconds for 10,000
   * rows, where hash or merge joins take milliseconds.
   */
  'set-wise': ['enable_nestloop'],
  /** On such tables the planner cannot tell indexes apart. The one whose order is asked for is used if rows cannot be sorted. */
  'index-order': ['enable_sort'],
  'set-wise-in-order': ['enable_nestloop', 'enable_sort'],
};

function plannerCalls(form: SettingForm, { plan }: Statement<unknown>, value: 'off' | 'on'): readonly Call[] {
  return plan === undefined ? [] : plannerSettings[plan].map((setting) => fixedSettingCall(form, setting, value));
}

/** The calls for a statement that ends its transaction. */
export function withPlannerSettings(form: SettingForm, call: Call): readonly Call[] {
  return [...plannerCalls(form, call.statement, 'off'), call];
}

/** The calls that read these rows as columns, and the columns once the calls are done. */
export function columnCalls<C extends ColumnKinds>(
  pending: readonly ColumnCall<C>[],
): { calls: readonly Call[]; blocks: () => (readonly ColumnBlock<C>[])[] } {
  const reads = pending.map(({ statement, values }) => {
    const { columns, isGrouped } = statement;
    return { statement, values, into: isGrouped ? new GroupedRows(columns) : new BinaryRows(columns) };
  });
  return {
    calls: reads,
    blocks: () => reads.map(({ into }) => into.blocks()),
  };
}

interface PendingCall {
  readonly goesAhead: boolean;
  /** Which of the batch's outcomes it waits for. */
  readonly outcomeIndex: number;
  resolve(outcome: any): void;
  reject(error: unknown): void;
}

/** The connection may be used by others already: on it, a late statement would be a transaction of its own. */
function rejectLate(awaiting: readonly PendingCall[]): void {
  for (const { reject } of awaiting) reject(new Error('The transaction of this statement has ended.'));
}

/** Says only that an earlier statement of the transaction has failed. */
const transactionAborted = '25P02';

function isConsequence(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === transactionAborted;
}

interface TransactionRunner {
  readonly run: StatementRunner;
  /** Ends the runner: nothing is sent from now on. Returns the statements that were enqueued. */
  end(): Call[];
  /** The error that the transaction has failed with, which nobody may have awaited; undefined if it has not. */
  firstError(): unknown;
}

export function makeCall(statement: Statement<any>, values: readonly Value[], refuse?: Refuse): Call {
  return refuse === undefined ? { statement, values } : { statement, values, refuse };
}

type SendBatch = (calls: readonly Call[]) => Promise<Outcome[]>;

/** Sends one batch at a time, or two where the second may go ahead. */
class BatchTurns {
  readonly #sendBatch: SendBatch;
  #last: Promise<Outcome[]> | undefined;
  #lastButOne: Promise<Outcome[]> | undefined;

  constructor(sendBatch: SendBatch) {
    this.#sendBatch = sendBatch;
  }

  /** Waits until the next batch may be sent, which may become another one meanwhile. */
  async wait(mayGoAhead: () => boolean): Promise<void> {
    await this.#lastButOne?.catch(() => {});
    if (!mayGoAhead()) await this.#last?.catch(() => {});
  }

  send(calls: readonly Call[]): Promise<Outcome[]> {
    const sent = this.#sendBatch(calls);
    [this.#last, this.#lastButOne] = [sent, this.#last];
    return sent;
  }
}

/** Makes a runner on one connection. Statements issued before the next microtask share a batch, and so do those that wait for their turn. */
export function createRunner(form: SettingForm, sendBatch: SendBatch): TransactionRunner {
  let firstError: unknown;
  const queued: Call[] = [];
  let pending: PendingCall[] = [];
  const drain = (): Call[] => queued.splice(0);
  let hasEnded = false;
  const end = (): Call[] => {
    hasEnded = true;
    return drain();
  };
  const turns = new BatchTurns(sendBatch);
  const flush = async (): Promise<void> => {
    await turns.wait(() => pending.every(({ goesAhead }) => goesAhead));
    const awaiting = pending;
    pending = [];
    if (hasEnded) return rejectLate(awaiting);
    try {
      const outcomes = await turns.send(drain());
      firstError = undefined; // it was rolled back to a savepoint
      for (const { outcomeIndex, resolve } of awaiting) resolve(outcomes[outcomeIndex]);
    } catch (error) {
      firstError ??= error;
      for (const { reject } of awaiting) reject(isConsequence(error) ? firstError : error);
    }
  };
  const sendAll = (calls: readonly Call[], goesAhead = false): Promise<Outcome<any>> =>
    new Promise((resolve, reject) => {
      if (pending.length === 0) queueMicrotask(() => void flush());
      append(queued, calls);
      pending.push({ goesAhead, outcomeIndex: queued.length - 1, resolve, reject });
    });
  const send = <Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> => {
    const outcome = sendAll(withPlannerSettings(form, { statement, values }), statement.goesAhead);
    append(queued, plannerCalls(form, statement, 'on'));
    return outcome;
  };
  const run = Object.assign(send, {
    async columns<C extends ColumnKinds>(wanted: readonly ColumnCall<C>[]): Promise<(readonly ColumnBlock<C>[])[]> {
      const { calls, blocks } = columnCalls(wanted);
      if (calls.length > 0) await sendAll(calls);
      return blocks();
    },
    enqueue: (...call: Parameters<typeof makeCall>) => void queued.push(makeCall(...call)),
    discardQueued: () => void drain(),
    set: (name: string, value: string) => void queued.push(settingCall(form, name, value)),
  });
  return { run, end, firstError: () => firstError };
}
