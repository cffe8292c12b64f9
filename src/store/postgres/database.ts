// The connections to PostgreSQL: entering a scope, reading in one round trip, transactions. Only `src/store` uses it directly; everything
// else goes through `Stores`.

import pg from 'pg';
import { assert } from '../../kit/assert.ts';
import type { Scope, VisibleClients } from '../../model/access/scope.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { ColumnCall, ColumnKinds, ColumnBlock } from './binary/binary-rows.ts';
import {
  commitOutcomeUnknown,
  databaseUnavailable,
  isDatabaseUnavailable,
  isRetryable,
  mayHaveCommitted,
  toRefusal,
} from './database-errors.ts';
import { PipelinedBatch } from './pipelined-batch.ts';
import { preAuthRole, serviceRole } from './roles.ts';
import { withPlannerSettings, columnCalls, createRunner, type Run, type StatementRunner } from './statement-runner.ts';
import { sql, type Call, type Outcome, type Statement, type Value } from './statement.ts';

export interface DatabaseOptions {
  readonly connection: pg.PoolConfig;
  readonly poolSize: number;
  /** Use `unnamed` behind older PgBouncers in transaction mode, which break named statements. */
  readonly statements: 'named' | 'unnamed';
  /** Set in each transaction, for poolers that do not pass them on when a connection is opened. */
  readonly timeoutsMs?: { readonly statement: number; readonly lock: number };
  /** `store-only` leaves row-level security out, to measure its cost and to prove that the store's own filter suffices. */
  readonly tenantFilters?: 'both' | 'store-only';
  readonly onIdleError?: (error: Error) => void;
}

const settings = `set_config('holdfast.workspace', $1, true) AS workspace_id,
    set_config('holdfast.environment', $2, true) AS environment, set_config('holdfast.sight', $3, true) AS sight`;

/**
 * The credential is looked up last, after the settings that its policy reads. If PostgreSQL ever changed that order, callers would be
 * refused, never let in wrongly.
 */
function enterText(moreColumns: string): string {
  return `SELECT ${settings}${moreColumns}, $4::text IS NULL OR EXISTS (SELECT FROM credential
    WHERE workspace_id = $1 AND environment = $2 AND id = $4) AS alive`;
}

const setRole = (role: string): string => `, set_config('role', '${role}', true)`;

function createEnterStatement({ tenantFilters, timeoutsMs }: DatabaseOptions): Statement<{ alive: boolean }> {
  const role = tenantFilters === 'store-only' ? '' : setRole(serviceRole);
  const timeouts = Object.entries(timeoutsMs ?? {}).map(
    ([name, ms]) => `, set_config('${name}_timeout', '${ms}', true)`,
  );
  return sql(tenantFilters === 'store-only' ? 'enter-store-only' : 'enter', enterText(role + timeouts.join('')));
}

const enterPreAuth = sql('enter-gate', `SELECT set_config('role', '${preAuthRole}', true)`);
/** For statements that select by whole keys: planning them for their values takes longer than running them. */
const forceGenericPlan = sql('planned-once', `SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`);
const emptySelect = sql<never>('nothing', 'SELECT');

/** Returns from the pre-auth role to the role in which the transaction was entered. */
function createLeavePreAuthStatement({ tenantFilters }: DatabaseOptions): Statement<unknown> {
  const role = tenantFilters === 'store-only' ? 'none' : serviceRole;
  return sql(`leave-gate-to-${role}`, `SELECT set_config('role', '${role}', true)`);
}

const begin = sql('begin', 'BEGIN');
const beginSnapshot = sql('begin-snapshot', 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
const commit = sql('commit', 'COMMIT');
const rollback = sql('rollback', 'ROLLBACK');

function visibleClientsText(visibleClients: VisibleClients): string {
  if (visibleClients.kind === 'some')
    return `some:${[...visibleClients.clientIds, ...visibleClients.reportingEntityIds].join(',')}`;
  return visibleClients.kind === 'all' ? 'all' : `${visibleClients.kind}:${visibleClients.clientId}`;
}

function requireCredentialAlive(outcome: Outcome | undefined): void {
  if (outcome?.rows[0]?.['alive'] !== true) {
    throw new Refusal('token-revoked', 'The application or key this token was issued for has been deleted.');
  }
}

/** If a failed statement went unnoticed, COMMIT rolls back without an error. */
function requireCommitted(outcomes: readonly Outcome[]): void {
  if (outcomes.at(-1)?.tag !== 'COMMIT')
    throw new Error('A statement of this transaction failed, so all of it was rolled back.');
}

/** The outcome of a batch's call, with the row type of the statement it was made with. */
function outcomeAt<Row>(outcomes: readonly Outcome[], index: number, _statement: Statement<Row>): Outcome<Row> {
  const outcome = outcomes.at(index);
  assert(outcome !== undefined, 'a batch has an outcome for each call');
  return outcome as Outcome<Row>;
}

export class Database {
  readonly #pool: pg.Pool;
  readonly #statements: 'named' | 'unnamed';
  readonly #enter: Statement<{ alive: boolean }>;
  readonly #leavePreAuth: Statement<unknown>;

  constructor(options: DatabaseOptions) {
    this.#statements = options.statements;
    this.#enter = createEnterStatement(options);
    this.#leavePreAuth = createLeavePreAuthStatement(options);
    this.#pool = new pg.Pool({ ...options.connection, max: options.poolSize });
    this.#pool.on('error', (error) => options.onIdleError?.(error));
    // A connection lost during a transaction fails its next statement; without a listener, its error would also end the process.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /** Runs one statement in its own transaction and in one round trip. */
  async read<Row>(scope: Scope, statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> {
    const outcomes = await this.#runBatch([this.#enterCall(scope), ...withPlannerSettings({ statement, values })]);
    requireCredentialAlive(outcomes[0]);
    return outcomeAt(outcomes, -1, statement);
  }

  /** Runs one statement for each of several scopes of the service itself, all in one round trip. */
  async readForEach<Row>(
    statement: Statement<Row>,
    calls: readonly { readonly scope: Scope; readonly values: readonly Value[] }[],
  ): Promise<Outcome<Row>[]> {
    const batch = calls.flatMap(({ scope, values }) => [this.#enterCall(scope), { statement, values }]);
    const outcomes = await this.#runBatch(batch);
    return calls.map((_call, index) => outcomeAt(outcomes, 2 * index + 1, statement));
  }

  /** Runs independent statements for one scope of the service itself: a transaction in one round trip. */
  async writeBatch(scope: Scope, calls: readonly Call[]): Promise<Outcome<any>[]> {
    return (
      await this.#runBatch([this.#enterCall(scope), { statement: forceGenericPlan, values: [] }, ...calls])
    ).slice(2);
  }

  /** Reads the rows of each call as columns, in one transaction and one round trip. */
  async readColumns<C extends ColumnKinds>(
    scope: Scope,
    requests: readonly ColumnCall<C>[],
  ): Promise<(readonly ColumnBlock<C>[])[]> {
    const { calls, blocks } = columnCalls(requests);
    requireCredentialAlive((await this.#runBatch([this.#enterCall(scope), ...calls]))[0]);
    return blocks();
  }

  /** Checks only that the scope's application or key still exists. */
  async checkCredential(scope: Scope): Promise<void> {
    requireCredentialAlive((await this.#runBatch([this.#enterCall(scope)]))[0]);
  }

  /** Runs one statement in the pre-auth role, which sees what identifies callers in every workspace and nothing else. */
  async readPreAuth<Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> {
    const outcomes = await this.#runBatch([
      { statement: enterPreAuth, values: [] },
      { statement, values },
    ]);
    return outcomeAt(outcomes, 1, statement);
  }

  /** Throws if the database cannot be used. */
  async ping(): Promise<void> {
    await this.readPreAuth(emptySelect, []);
  }

  /** Runs a transaction for one scope. An error of `work` rolls it back; a conflict with another transaction is tried again. */
  async write<T>(scope: Scope, work: (run: Run) => Promise<T>): Promise<T> {
    return this.#transact(begin, scope, work);
  }

  /** Runs several reads that all see the same moment. */
  async readSnapshot<T>(scope: Scope, work: (run: Run) => Promise<T>): Promise<T> {
    return this.#transact(beginSnapshot, scope, work);
  }

  /** Adds what a transaction can do besides running statements: change its scope, and read in the pre-auth role. */
  #withScopeSwitches(run: StatementRunner): Run {
    const switchScope = async (scope: Scope): Promise<void> => {
      const { statement, values } = this.#enterCall({ ...scope, credentialId: null });
      await run(statement, values);
    };
    const readPreAuth = async <Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> => {
      const leave = this.#leavePreAuth;
      const [, outcome] = await Promise.all([run(enterPreAuth, []), run(statement, values), run(leave, [])]);
      return outcome;
    };
    return Object.assign(run, { switchScope, readPreAuth });
  }

  async #transact<T>(
    beginStatement: Statement<unknown>,
    scope: Scope,
    work: (run: Run) => Promise<T>,
    triesLeft = 3,
  ): Promise<T> {
    const client = await this.#connect();
    const batch = (calls: readonly Call[]): Promise<Outcome[]> =>
      client.query(new PipelinedBatch(calls, this.#statements)).done;
    const { run, drain } = createRunner(batch);
    let isCommitting = false;
    try {
      const [, entered] = await batch([{ statement: beginStatement, values: [] }, this.#enterCall(scope)]);
      requireCredentialAlive(entered);
      const result = await work(this.#withScopeSwitches(run));
      isCommitting = true;
      requireCommitted(await batch([...drain(), { statement: commit, values: [] }]));
      client.release();
      return result;
    } catch (error) {
      await batch([{ statement: rollback, values: [] }]).then(
        () => client.release(isRetryable(error)),
        () => client.release(true),
      );
      if (triesLeft > 1 && isRetryable(error)) return this.#transact(beginStatement, scope, work, triesLeft - 1);
      throw isCommitting && mayHaveCommitted(error) ? commitOutcomeUnknown(error) : toRefusal(error);
    }
  }

  async #runBatch(calls: readonly Call[], triesLeft = 2): Promise<Outcome[]> {
    const client = await this.#connect();
    try {
      const outcomes = await client.query(new PipelinedBatch(calls, this.#statements)).done;
      client.release();
      return outcomes;
    } catch (error) {
      client.release(isDatabaseUnavailable(error) || isRetryable(error));
      if (triesLeft > 1 && isRetryable(error)) return this.#runBatch(calls, triesLeft - 1);
      throw toRefusal(error);
    }
  }

  #enterCall({ workspaceId, environment, visibleClients, credentialId }: Scope): Call {
    return {
      statement: this.#enter,
      values: [workspaceId, environment, visibleClientsText(visibleClients), credentialId],
    };
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw databaseUnavailable(error); // whatever the reason: nothing can be done without a connection
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
