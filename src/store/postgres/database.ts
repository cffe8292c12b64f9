// The connection to PostgreSQL: who may be entered as, one-trip reads, transactions, and what an absent database looks like.

import pg from 'pg';
import type { Scope, VisibleClients } from '../../model/access/scope.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { ColumnCall, ColumnKinds, ColumnBlock } from './binary/binary-rows.ts';
import { preAuthRole, serviceRole } from './roles.ts';
import { withPlannerSettings, columnCalls, createRunner, type StatementRunner } from './statement-runner.ts';
import { sql, PipelinedBatch, type Call, type Outcome, type Statement, type Value } from './statement.ts';

export type { StatementRunner as Run } from './statement-runner.ts';

export interface DatabaseOptions {
  readonly connection: pg.PoolConfig;
  readonly poolSize: number;
  /** Older PgBouncers in transaction mode break named statements. */
  readonly statements: 'named' | 'unnamed';
  /** Set for each transaction: poolers let no connection of ours carry them. */
  readonly timeoutsMs?: { readonly statement: number; readonly lock: number };
  /** `store-only` leaves row-level security out: for measuring it, and for proving that the first wall stands alone. */
  readonly tenantFilters?: 'both' | 'store-only';
  readonly onIdleError?: (error: Error) => void;
}

const settings = `set_config('holdfast.workspace', $1, true) AS workspace_id,
    set_config('holdfast.environment', $2, true) AS environment, set_config('holdfast.sight', $3, true) AS sight`;

/**
 * The credential is asked for last, when the settings its policy reads have been made; were that order ever another, a
 * caller would be refused, never let in.
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
/** For statements that go by whole keys: to plan them for their values takes longer than to run them. */
const forceGenericPlan = sql('planned-once', `SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`);
const emptySelect = sql('nothing', 'SELECT');

/** From the gate to whom a transaction was entered as. */
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

function assertCredentialAlive(outcome: Outcome | undefined): void {
  if (outcome?.rows[0]?.['alive'] !== true) {
    throw new Refusal('token-revoked', 'The application or key this token was issued for has been deleted.');
  }
}

/** Where a failed statement was overlooked, COMMIT rolls back and is no error. */
function assertCommitted(outcomes: readonly Outcome[]): void {
  if (outcomes.at(-1)?.tag !== 'COMMIT')
    throw new Error('A statement of this transaction failed, and nothing of it was kept.');
}

/** SQLSTATEs and system errors that mean that the database cannot be worked with now, not that the request is wrong. */
const unavailableStates = /^(08...|53[123]00|57P0[1-5]|57014|25006|55P03)$/;
const unavailableErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EACCES',
]);
const unavailableMessages =
  /connection terminated|timeout (expired|exceeded when trying to connect)|is not queryable|pool after calling end/i;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    unavailableErrors.has(code) ||
    unavailableStates.test(code) ||
    (code === '' && unavailableMessages.test(error.message))
  );
}

/** The commit was sent and its answer never came: only the database knows. */
function commitOutcomeUnknown(cause: unknown): Refusal {
  const detail =
    'The database was lost while the change was being committed: it was made wholly or not at all. Look, or repeat the request with its Idempotency-Key.';
  return new Refusal('database-away', detail, { retryAfterSeconds: 2, cause });
}

/** The code of a transaction that met another one and should begin anew. */
const serializationFailure = '40001';

/** What was held a moment ago is seen no more: its client was moved meanwhile. Whoever begins anew will not find it. */
export function throwMovedAway(): never {
  throw Object.assign(new Error('A row that was held is out of sight.'), { code: serializationFailure });
}

/**
 * Worth one more try: conflicts between transactions, keys that somebody took or let go of after they had been looked at,
 * rows that went out of sight (42501), and statements prepared against a schema that has changed.
 */
const retryableStates = new Set([serializationFailure, '40P01', '23505', '23503', '42501', '0A000', '26000']);

function isRetryable(error: unknown): boolean {
  return retryableStates.has(codeOf(error));
}

function databaseUnavailable(cause: unknown): Refusal {
  const detail = 'The database cannot be reached at the moment. Nothing was changed.';
  return new Refusal('database-away', detail, { retryAfterSeconds: 2, cause });
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
    this.#pool = new pg.Pool({ ...options.connection, max: options.poolSize, connectionTimeoutMillis: 5_000 });
    this.#pool.on('error', (error) => options.onIdleError?.(error));
    // A connection lost in the midst of a transaction fails its next statement; unheard, it would end the process as well.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /** One statement, in a transaction of its own, in one trip. */
  async read<Row>(scope: Scope, statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> {
    const outcomes = await this.#runBatch([this.#enterCall(scope), ...withPlannerSettings({ statement, values })]);
    assertCredentialAlive(outcomes[0]);
    return outcomes.at(-1) as Outcome<Row>;
  }

  /** One statement for each of several reaches of the service's own, all in one trip. */
  async readForEach<Row>(
    statement: Statement<Row>,
    calls: readonly { readonly scope: Scope; readonly values: readonly Value[] }[],
  ): Promise<Outcome<Row>[]> {
    const batch = calls.flatMap(({ scope, values }) => [this.#enterCall(scope), { statement, values }]);
    const outcomes = await this.#runBatch(batch);
    return outcomes.filter((_outcome, index) => index % 2 === 1) as Outcome<Row>[];
  }

  /** Several statements for one reach of the service's own that need not wait for each other: a transaction in one trip. */
  async writeBatch(scope: Scope, calls: readonly Call[]): Promise<Outcome<any>[]> {
    return (
      await this.#runBatch([this.#enterCall(scope), { statement: forceGenericPlan, values: [] }, ...calls])
    ).slice(2);
  }

  /** The rows of each call as columns: in a transaction of their own, in one trip. */
  async readColumns<C extends ColumnKinds>(
    scope: Scope,
    requests: readonly ColumnCall<C>[],
  ): Promise<(readonly ColumnBlock<C>[])[]> {
    const { calls, blocks } = columnCalls(requests);
    assertCredentialAlive((await this.#runBatch([this.#enterCall(scope), ...calls]))[0]);
    return blocks();
  }

  /** No more than making sure of the reach: that its application or key still stands. */
  async checkCredential(scope: Scope): Promise<void> {
    assertCredentialAlive((await this.#runBatch([this.#enterCall(scope)]))[0]);
  }

  /** One statement as the gate, which sees credentials of every workspace and nothing else. */
  async readPreAuth<Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> {
    const [, outcome] = await this.#runBatch([
      { statement: enterPreAuth, values: [] },
      { statement, values },
    ]);
    return outcome as Outcome<Row>;
  }

  /** The same in the midst of a transaction, which goes on as it was entered: with no second connection. */
  async readPreAuthWithin<Row>(
    run: StatementRunner,
    statement: Statement<Row>,
    values: readonly Value[],
  ): Promise<Outcome<Row>> {
    const [, outcome] = await Promise.all([run(enterPreAuth, []), run(statement, values), run(this.#leavePreAuth, [])]);
    return outcome;
  }

  /** Throws when the database cannot be worked with. */
  async ping(): Promise<void> {
    await this.readPreAuth(emptySelect, []);
  }

  /** A transaction for one reach. What `work` throws rolls it back; a conflict with another one is tried again. */
  async write<T>(scope: Scope, work: (run: StatementRunner) => Promise<T>): Promise<T> {
    return this.#transact(begin, this.#enterCall(scope), work);
  }

  /** Several questions about one and the same moment. */
  async readSnapshot<T>(scope: Scope, work: (run: StatementRunner) => Promise<T>): Promise<T> {
    return this.#transact(beginSnapshot, this.#enterCall(scope), work);
  }

  /** Goes on in the same transaction as another reach of the same caller. */
  async switchTenant(run: StatementRunner, scope: Scope): Promise<void> {
    const { statement, values } = this.#enterCall({ ...scope, credentialId: null });
    await run(statement, values);
  }

  async #transact<T>(
    beginStatement: Statement<unknown>,
    enterCall: Call,
    work: (run: StatementRunner) => Promise<T>,
    triesLeft = 3,
  ): Promise<T> {
    const client = await this.#connect();
    const batch = (calls: readonly Call[]): Promise<Outcome[]> =>
      client.query(new PipelinedBatch(calls, this.#statements)).done;
    const { run, drain } = createRunner(batch);
    let isCommitting = false;
    try {
      const [, entered] = await batch([{ statement: beginStatement, values: [] }, enterCall]);
      assertCredentialAlive(entered);
      const result = await work(run);
      isCommitting = true;
      assertCommitted(await batch([...drain(), { statement: commit, values: [] }]));
      client.release();
      return result;
    } catch (error) {
      await batch([{ statement: rollback, values: [] }]).then(
        () => client.release(isRetryable(error)),
        () => client.release(true),
      );
      if (triesLeft > 1 && isRetryable(error)) return this.#transact(beginStatement, enterCall, work, triesLeft - 1);
      throw isCommitting && isDatabaseUnavailable(error) ? commitOutcomeUnknown(error) : this.#toRefusal(error);
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
      throw this.#toRefusal(error);
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
      throw databaseUnavailable(error); // for whatever reason: without a connection there is nothing to be done
    }
  }

  #toRefusal(error: unknown): unknown {
    return isDatabaseUnavailable(error) ? databaseUnavailable(error) : error;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
