// The connections to PostgreSQL: entering a scope, reading in one round trip, transactions. Only `src/store` uses it directly; everything
// else goes through `Stores`.

import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { assert } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { WaitedTooLong } from '../../kit/concurrency/keyed-limit.ts';
import { allClients, type Scope } from '../../model/access/scope.ts';
import type { ColumnCall, ColumnKinds, ColumnBlock } from './binary/binary-rows.ts';
import {
  commitOutcomeUnknown,
  databaseUnavailable,
  isDatabaseUnavailable,
  isDiskFull,
  isRetryable,
  mayHaveCommitted,
  recordsBusy,
  shareUsedUp,
  toRefusal,
} from './database-errors.ts';
import { Connections, type ConnectionsOptions, type LentConnection } from './connections.ts';
import {
  createEnterStatements,
  createLeavePreAuthStatement,
  enterCalls,
  enterPreAuth,
  isTreeChanged,
  requireCredentialAlive,
  type EnterOptions,
  type EnterStatements,
} from './enter-scope.ts';
import { ClientTrees, readTreeChanges, type TreeChanges } from './client-trees.ts';
import { OpenedTransaction } from './opened-transaction.ts';
import { TransactionScope } from './transaction-scope.ts';
import { sendMessages } from './node-messages.ts';
import { withPlannerSettings, columnCalls, createRunner, type Run, type StatementRunner } from './statement-runner.ts';
import { sql, type Call, type Outcome, type Statement, type Value } from './statement.ts';

export interface DatabaseOptions extends ConnectionsOptions, EnterOptions {
  /** How long a transaction may stay open between two statements before the server rolls it back and releases its locks. */
  readonly gapsMs?: { readonly write: number; readonly snapshot: number };
}

/** For statements that select by whole keys: planning them for their values takes longer than running them. */
const forceGenericPlan = sql('planned-once', `SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`);
const touchRow = sql('touch-row', 'UPDATE schema_migration SET name = name WHERE version = 1');
const createTable = sql('room/create', 'CREATE TABLE readiness_probe AS SELECT 1 AS number');
const dropTable = sql('room/drop', 'DROP TABLE readiness_probe');
const emptySelect = sql<never>('nothing', 'SELECT');

const begin = sql('begin', 'BEGIN');
const beginSnapshot = sql('begin-snapshot', 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
const commit = sql('commit', 'COMMIT');
const rollback = sql('rollback', 'ROLLBACK');

/** If a statement failed that nobody awaited, COMMIT rolls back without an error. */
function requireCommitted(outcomes: readonly Outcome[], firstError: () => unknown): void {
  if (outcomes.at(-1)?.tag !== 'COMMIT')
    throw firstError() ?? new Error('A statement of this transaction failed, so all of it was rolled back.');
}

/** The outcome of a batch's call, with the row type of the statement it was made with. */
function outcomeAt<Row>(outcomes: readonly Outcome[], index: number, _statement: Statement<Row>): Outcome<Row> {
  const outcome = outcomes.at(index);
  assert(outcome !== undefined, 'a batch has an outcome for each call');
  return outcome as Outcome<Row>;
}

/** How often a transaction is tried that meets others. */
const triesMax = 5;

/** Waits a little longer after each try, and at random, so that those that met do not meet again. Holds no connection meanwhile. */
function pauseAfter(tries: number): Promise<void> {
  const msMax = 10 * 2 ** tries;
  return setTimeout(randomInt(msMax / 2, msMax));
}

/** How a transaction begins. */
interface Beginning {
  readonly begin: Statement<unknown>;
  readonly enter: EnterStatements;
}

export class Database {
  readonly #connections: Connections;
  readonly #enter: EnterStatements;
  readonly #writing: Beginning;
  readonly #snapshot: Beginning;
  /** Sets no timeouts, so that those of the transaction stay. */
  readonly #switchScope: EnterStatements;
  readonly #trees = new ClientTrees((...query) => this.#readTreeChanges(...query));
  readonly #leavePreAuth: Statement<unknown>;
  /** How many batches and transactions failed because the disk is full. */
  fullDiskCount = 0;

  constructor(options: DatabaseOptions) {
    const { timeoutsMs: _timeouts, ...withoutTimeouts } = options;
    this.#connections = new Connections(options);
    this.#enter = createEnterStatements(options);
    this.#writing = { begin, enter: createEnterStatements(options, options.gapsMs?.write) };
    this.#snapshot = { begin: beginSnapshot, enter: createEnterStatements(options, options.gapsMs?.snapshot) };
    this.#switchScope = createEnterStatements(withoutTimeouts);
    this.#leavePreAuth = createLeavePreAuthStatement(options);
  }

  /** The same scope for a store of its own. */
  openScope(scope: Scope): Scope {
    return this.#trees.open(scope);
  }

  async #readTreeChanges(scope: Scope, clientId: Id, version: number): Promise<TreeChanges | undefined> {
    const { workspaceId, environment } = scope;
    const outcomes = await this.#runBatch(workspaceId, [
      ...enterCalls(this.#enter, { ...scope, visibleClients: allClients, credentialId: null }),
      { statement: readTreeChanges, values: [workspaceId, environment, clientId, version] },
    ]);
    return outcomeAt(outcomes, -1, readTreeChanges).rows[0];
  }

  /** Enters a scope and runs the calls, as one transaction in one round trip. The first outcome is that of entering. */
  async #runEntered(scope: Scope, calls: readonly Call[], tries = 1): Promise<Outcome[]> {
    const tree = await this.#trees.of(scope);
    try {
      return await this.#runBatch(scope.workspaceId, [...enterCalls(this.#enter, scope, tree), ...calls]);
    } catch (error) {
      if (!isTreeChanged(error)) throw error;
      if (tries === triesMax) throw recordsBusy(error);
      await this.#trees.refresh(scope);
      return this.#runEntered(scope, calls, tries + 1);
    }
  }

  /** Runs one statement in its own transaction and in one round trip. */
  async read<Row>(scope: Scope, statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> {
    const outcomes = await this.#runEntered(scope, withPlannerSettings({ statement, values }));
    requireCredentialAlive(outcomes[0]);
    return outcomeAt(outcomes, -1, statement);
  }

  /** Runs one statement for each of several scopes of the service itself, all in one round trip. */
  async readForEach<Row>(
    statement: Statement<Row>,
    calls: readonly { readonly scope: Scope; readonly values: readonly Value[] }[],
  ): Promise<Outcome<Row>[]> {
    const batch = calls.flatMap(({ scope, values }) => [...enterCalls(this.#enter, scope), { statement, values }]);
    const outcomes = await this.#runBatch(undefined, batch);
    return calls.map((_call, index) => outcomeAt(outcomes, 2 * index + 1, statement));
  }

  /** Runs independent statements for one scope of the service itself: a transaction in one round trip. */
  async writeBatch(scope: Scope, calls: readonly Call[]): Promise<Outcome<any>[]> {
    const outcomes = await this.#runEntered(scope, [{ statement: forceGenericPlan, values: [] }, ...calls]);
    return outcomes.slice(outcomes.length - calls.length);
  }

  /** Reads the rows of each call as columns, in one transaction and one round trip. */
  async readColumns<C extends ColumnKinds>(
    scope: Scope,
    requests: readonly ColumnCall<C>[],
  ): Promise<(readonly ColumnBlock<C>[])[]> {
    const { calls, blocks } = columnCalls(requests);
    requireCredentialAlive((await this.#runEntered(scope, calls))[0]);
    return blocks();
  }

  /** Checks only that the scope's application or key still exists. */
  async checkCredential(scope: Scope): Promise<void> {
    requireCredentialAlive((await this.#runEntered({ ...scope, visibleClients: allClients }, []))[0]);
  }

  /** Runs one statement in the pre-auth role, which sees what identifies callers in every workspace and nothing else. */
  async readPreAuth<Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> {
    const outcomes = await this.#runBatch(undefined, [
      { statement: enterPreAuth, values: [] },
      { statement, values },
    ]);
    return outcomeAt(outcomes, 1, statement);
  }

  /** Sends messages to all nodes that listen. */
  async sendMessages(messages: readonly string[]): Promise<void> {
    await this.#runBatch(undefined, [{ statement: sendMessages, values: [messages] }]);
  }

  /** Throws if the database cannot be used. */
  async ping(): Promise<void> {
    await this.readPreAuth(emptySelect, []);
  }

  /** Throws a refusal if the database accepts no changes: changes a row to what it is. */
  async checkWritable(): Promise<void> {
    await this.#runBatch(undefined, [{ statement: touchRow, values: [] }]);
  }

  /** Throws a refusal if the disk is full. Only a new table is sure to need new space: a table may reuse what was deleted. */
  async checkRoom(): Promise<void> {
    await this.#runBatch(undefined, [
      { statement: createTable, values: [] },
      { statement: dropTable, values: [] },
    ]);
  }

  /** Runs a transaction for one scope. An error of `work` rolls it back; a conflict with another transaction is tried again. */
  async write<T>(scope: Scope, work: (run: Run) => Promise<T>): Promise<T> {
    return this.#transact(this.#writing, scope, work);
  }

  /** Runs several reads that all see the same moment. */
  async readSnapshot<T>(scope: Scope, work: (run: Run) => Promise<T>): Promise<T> {
    return this.#transact(this.#snapshot, scope, work);
  }

  /** Adds what a transaction can do besides running statements: change its scope, and read in the pre-auth role. */
  #withScopeSwitches(run: StatementRunner, scope: TransactionScope): Run {
    const readPreAuth = async <Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> => {
      const leave = this.#leavePreAuth;
      const [, outcome] = await Promise.all([run(enterPreAuth, []), run(statement, values), run(leave, [])]);
      return outcome;
    };
    return Object.assign(run, {
      switchScope: (next: Scope) => scope.switchTo(next),
      showClient: (clientId: Id) => scope.showClient(clientId),
      moveClients: (change: () => Promise<number>) => scope.moveClients(change),
      readPreAuth,
    });
  }

  async #transact<T>(beginning: Beginning, scope: Scope, work: (run: Run) => Promise<T>, tries = 1): Promise<T> {
    const tree = await this.#trees.of(scope);
    const connection = await this.#lend(scope.workspaceId);
    const opening = [{ statement: beginning.begin, values: [] }, ...enterCalls(beginning.enter, scope, tree)];
    const transaction = new OpenedTransaction(connection, opening);
    const { run, drain, firstError } = createRunner((calls) => transaction.send(calls));
    const transactionScope = new TransactionScope(run, { scope, tree, enter: this.#switchScope });
    let isCommitting = false;
    try {
      const result = await work(this.#withScopeSwitches(run, transactionScope));
      await transaction.ensureOpened();
      isCommitting = true;
      const last = beginning === this.#writing ? transactionScope.lastCalls() : [];
      requireCommitted(await connection.send([...drain(), ...last, { statement: commit, values: [] }]), firstError);
      this.#connections.takeBack(connection, true);
      return result;
    } catch (error) {
      await connection.sendShort([{ statement: rollback, values: [] }]).then(
        () => this.#connections.takeBack(connection, !isRetryable(error)),
        () => this.#connections.takeBack(connection, false),
      );
      if (tries < triesMax && (isRetryable(error) || isTreeChanged(error))) {
        if (isTreeChanged(error)) await this.#trees.refresh(scope);
        else await pauseAfter(tries);
        return this.#transact(beginning, scope, work, tries + 1);
      }
      if (isTreeChanged(error)) throw recordsBusy(error);
      throw isCommitting && mayHaveCommitted(error) ? commitOutcomeUnknown(error) : this.#toRefusal(error);
    }
  }

  /** `owner`: the workspace whose share of the connections it uses, if it is work of one. */
  async #runBatch(owner: string | undefined, calls: readonly Call[], triesLeft = 2): Promise<Outcome[]> {
    const connection = await this.#lend(owner);
    try {
      const outcomes = await connection.send(calls);
      this.#connections.takeBack(connection, true);
      return outcomes;
    } catch (error) {
      this.#connections.takeBack(connection, !isDatabaseUnavailable(error) && !isRetryable(error));
      if (triesLeft > 1 && isRetryable(error)) return this.#runBatch(owner, calls, triesLeft - 1);
      throw this.#toRefusal(error);
    }
  }

  #toRefusal(error: unknown): unknown {
    if (isDiskFull(error)) this.fullDiskCount++;
    return toRefusal(error);
  }

  async #lend(owner: string | undefined): Promise<LentConnection> {
    try {
      return await this.#connections.lend(owner);
    } catch (error) {
      if (error instanceof WaitedTooLong) throw shareUsedUp(error);
      throw databaseUnavailable(error); // whatever the reason: nothing can be done without a connection
    }
  }

  /** Fails whatever waits for the database; nothing can be sent afterwards. */
  abort(): void {
    this.#connections.abort();
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}
