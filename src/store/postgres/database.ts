// The connections to PostgreSQL: entering a scope, reading in one round trip, transactions. Only `src/store` uses it directly; everything
// else goes through `Stores`.

import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { setTimeout } from 'node:timers/promises';
import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { WaitedTooLong } from '../../kit/concurrency/keyed-limit.ts';
import { allClients, type Scope } from '../../model/access/scope.ts';
import type { ColumnCall, ColumnKinds, ColumnBlock } from './binary/binary-rows.ts';
import {
  commitOutcomeUnknown,
  databaseUnavailable,
  isDatabaseUnavailable,
  isRetryable,
  mayHaveCommitted,
  recordsBusy,
  shareUsedUp,
  toRefusal,
  unwritableState,
} from './database-errors.ts';
import type { RefusedChanges, ServerState, UnwritableState } from '../server-state.ts';
import { Connections, type ConnectionsOptions, type LentConnection } from './connections.ts';
import { findCitus, isSpread, readDistribution } from './distribution/distribution.ts';
import { isMovedAway, type WorkspacePart } from './distribution/workspace-part.ts';
import { WorkspaceServers, type ServerAddress } from './distribution/workspace-servers.ts';
import { isTreeChanged, refusedIfSuspended, requireCredentialAlive } from './enter-scope.ts';
import { ClientTrees, readTreeChanges, type TreeChanges } from './client-trees.ts';
import { OpenedTransaction } from './opened-transaction.ts';
import { commit, rollback, TransactionForm, type Beginning, type TransactionOptions } from './transaction-form.ts';
import { canShare, ReadSharing } from './shared-reads.ts';
import { TransactionScope } from './transaction-scope.ts';
import { sendMessages } from './node-messages.ts';
import { readModeComment } from './operator-mode.ts';
import {
  withPlannerSettings,
  columnCalls,
  createRunner,
  type PreAuthOutcome,
  type PreAuthRead,
  type Run,
} from './statement-runner.ts';
import { outcomeAt, sql, type Call, type Outcome, type Statement, type Value } from './statement.ts';

export interface DatabaseOptions extends ConnectionsOptions, TransactionOptions {
  /** Whether the server spreads tables over others; the first use finds out if it is left out. */
  readonly isDistributed?: boolean;
  /** Whether everything goes through the coordinator where tables are spread; a workspace's own server is asked if it is left out. */
  readonly passesCoordinator?: boolean;
  /** Why nothing may be changed now, if the operator has said so. */
  readonly refuseChanges?: () => Refusal | undefined;
  /** Whether a transaction that meets others is tried again: on a standby these are what it replays. True if it is left out. */
  readonly retriesConflicts?: boolean;
}

const touchRow = sql('touch-row', 'UPDATE schema_migration SET name = name WHERE version = 1');
const createTable = sql('room/create', 'CREATE TABLE readiness_probe AS SELECT 1 AS number');
const dropTable = sql('room/drop', 'DROP TABLE readiness_probe');
const emptySelect = sql<never>('nothing', 'SELECT');
/** Also on while a server replays another one. */
const showReadOnly = sql<{ isReadOnly: boolean }>(
  'shows-read-only',
  `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
);

/** If a statement failed that nobody awaited, COMMIT rolls back without an error. */
function requireCommitted(outcomes: readonly Outcome[], firstError: () => unknown): void {
  if (outcomes.at(-1)?.tag !== 'COMMIT')
    throw firstError() ?? new Error('A statement of this transaction failed, so all of it was rolled back.');
}

/** How often a transaction is tried that meets others. */
const triesMax = 5;

/** How often a part that has moved is looked for: the coordinator may learn of it seconds after the server that had it. */
const movedTriesMax = 15;
const pauseMsMax = 1_000;

/** Waits a little longer after each try, and at random, so that those that met do not meet again. Holds no connection meanwhile. */
function pauseAfter(tries: number): Promise<void> {
  const msMax = Math.min(10 * 2 ** tries, pauseMsMax);
  return setTimeout(randomInt(msMax / 2, msMax));
}

/** Whose work it is: of a workspace, which goes to its server, and whose share of the connections it uses if it has one. */
interface Place {
  readonly workspaceId?: string;
  /** The server, where it is known; null for the coordinator. */
  readonly address?: ServerAddress | null;
  readonly owner?: string;
}

/** How a place is reached. */
interface Route {
  readonly connections: Connections;
  readonly form: TransactionForm;
  /** Where the tables of the workspace have other names on its server. */
  readonly part: WorkspacePart | undefined;
}

const anywhere: Place = {};
const ofWorkspace = (workspaceId: string): Place => ({ workspaceId, owner: workspaceId });

interface ReadFromAll<Row> {
  readonly statement: Statement<Row>;
  readonly ofSome: Statement<Row>;
  readonly values: readonly Value[];
  readonly servers: WorkspaceServers;
}

/** Calls that enter a workspace and read there. */
interface WorkspaceGroup {
  readonly workspaceId: string;
  readonly calls: readonly Call[];
}

/** A server that answers later counts as away. */
const serverAnswerMs = 1_500;
/** How long a server that was away is not asked for its part of what all are asked. */
const awayMs = 2_000;
/** How long a server that has refused a change counts as unwritable, unless it says so itself. */
const unwritableMs = 10_000;

/** Whether a refusal says that a server cannot be used now. */
function isAway(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'database-away';
}

/** What is answered for a server that is away, if others are there: nothing is due, nothing is found. */
const nothing: readonly Outcome[] = [];

export class Database {
  readonly #options: DatabaseOptions;
  /** To the only server, or to the coordinator of several. */
  readonly #connections: Connections;
  /** To the others, by their addresses. */
  readonly #others = new Map<string, Connections>();
  #servers: WorkspaceServers | undefined;
  /** Whether Citus spreads the tables: then a transaction acts in one role. */
  #isSpread = false;
  #form: TransactionForm | undefined;
  /** For the work of a workspace: on its own server it is as on the only one. */
  #workForm: TransactionForm | undefined;
  readonly #trees = new ClientTrees((...query) => this.#readTreeChanges(...query));
  readonly #readSharing = new ReadSharing(([{ scope }, ...others], calls) =>
    this.#runEntered(scope, calls, { sharing: others.map((one) => one.scope) }),
  );
  /** The servers that could not be reached lately. */
  readonly #away = new Map<Connections, { readonly since: number; readonly refusal: Refusal }>();
  /** The servers that have refused changes lately. */
  readonly #unwritable = new Map<Connections, { readonly since: number; readonly state: UnwritableState }>();
  #refusedChanges: RefusedChanges = { count: 0, state: undefined };

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#connections = new Connections(options);
    if (options.isDistributed !== undefined) this.#form = this.#workForm = this.#formOf(options.isDistributed);
  }

  #formOf(isDistributed: boolean): TransactionForm {
    return new TransactionForm(isDistributed ? 'command' : 'function', this.#options);
  }

  /** Finds out once how this server wants transactions; returns the form for the work of a workspace. */
  async #findForms(): Promise<TransactionForm> {
    const plain = this.#formOf(false);
    const coordinator = { connections: this.#connections, form: plain, part: undefined };
    const ask = async <Row>(statement: Statement<Row>): Promise<Row> => {
      const [outcomes = []] = await this.#runGroups(coordinator, undefined, [[{ statement, values: [] }]]);
      return defined(outcomeAt(outcomes, 0, statement).rows[0], 'these statements return one row');
    };
    const isDistributed = (await ask(findCitus)).found && isSpread(await ask(readDistribution));
    if (isDistributed && this.#options.passesCoordinator !== true)
      this.#servers ??= new WorkspaceServers(async (statement, values) =>
        outcomeAt(await this.#runBatch(anywhere, [{ statement, values }]), 0, statement),
      );
    this.#isSpread = isDistributed;
    this.#form ??= isDistributed ? this.#formOf(true) : plain;
    return (this.#workForm ??= this.#servers === undefined ? this.#form : plain);
  }

  /**
   * The changes that were refused by the only server, or by the coordinator of several: what one of the others refuses concerns its workspaces
   * alone.
   */
  get refusedChanges(): RefusedChanges {
    return this.#refusedChanges;
  }

  async #routeOf({ workspaceId, address: known }: Place): Promise<Route> {
    const workForm = this.#workForm ?? (await this.#findForms());
    const form = this.#form ?? workForm;
    if (known === undefined && workspaceId !== undefined && this.#servers !== undefined) {
      const { address, part } = await this.#servers.find(workspaceId);
      return { connections: this.#connectionsAt(address), form: workForm, part };
    }
    return { connections: this.#connectionsAt(known ?? undefined), form, part: undefined };
  }

  #connectionsAt(address: ServerAddress | undefined): Connections {
    if (address === undefined) return this.#connections;
    return this.#others.getOrInsertComputed(`${address.host}:${address.port}`, () => {
      const connection = withAddress(this.#options.connection, address);
      return new Connections({ ...this.#options, connection });
    });
  }

  /** The same scope for a store of its own. */
  openScope(scope: Scope): Scope {
    return this.#trees.open(scope);
  }

  async #readTreeChanges(scope: Scope, clientId: Id, version: number): Promise<TreeChanges | undefined> {
    const { workspaceId, environment } = scope;
    const { entry } = this.#workForm ?? (await this.#findForms());
    const entering = entry.enter({ ...scope, visibleClients: allClients, credentialId: null });
    const values = [workspaceId, environment, clientId, version];
    const outcomes = await this.#runBatch(ofWorkspace(workspaceId), [
      ...entering.calls,
      { statement: readTreeChanges, values },
    ]);
    return outcomeAt(outcomes, -1, readTreeChanges).rows[0];
  }

  /** Enters a scope and runs the calls, as one transaction in one round trip. `sharing`: equal scopes that calls were made for. */
  async #runEntered(
    scope: Scope,
    calls: readonly Call[],
    { sharing = [], tries = 1 }: { sharing?: readonly Scope[]; tries?: number } = {},
  ): Promise<Outcome[]> {
    const { entry } = this.#workForm ?? (await this.#findForms());
    const entering = entry.enter(scope, await this.#trees.of(scope, sharing));
    try {
      const outcomes = await this.#runBatch(ofWorkspace(scope.workspaceId), [...entering.calls, ...calls]);
      requireCredentialAlive(entering, outcomes);
      return outcomes.slice(entering.calls.length);
    } catch (error) {
      if (!isTreeChanged(error)) throw error;
      if (tries === triesMax) throw recordsBusy(error);
      await this.#trees.refresh(scope);
      return this.#runEntered(scope, calls, { sharing, tries: tries + 1 });
    }
  }

  /** Runs one statement in one round trip: in its own transaction, unless it reads by key and comes with others. */
  async read<Row>(scope: Scope, statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> {
    const call = { statement, values };
    if (canShare(scope, statement)) return outcomeAt([await this.#readSharing.read({ scope, call })], 0, statement);
    const { settings } = this.#workForm ?? (await this.#findForms());
    const outcomes = await this.#runEntered(scope, withPlannerSettings(settings, call));
    return outcomeAt(outcomes, -1, statement);
  }

  /** Runs one statement for each of several scopes of the service itself, all in one round trip. */
  async readForEach<Row>(
    statement: Statement<Row>,
    calls: readonly { readonly scope: Scope; readonly values: readonly Value[] }[],
  ): Promise<Outcome<Row>[]> {
    const form = this.#workForm ?? (await this.#findForms());
    const answers = await this.#runOnServers(
      calls.map(({ scope, values }) => ({
        workspaceId: scope.workspaceId,
        calls: [...form.anyEntry.enter(scope).calls, { statement, values }],
      })),
    );
    return answers.map((outcomes) =>
      outcomes === nothing ? { rows: [], count: 0, tag: '' } : outcomeAt(outcomes, -1, statement),
    );
  }

  /** A trip to each server that has one of the workspaces. A server that is away answers nothing, unless no other answers either. */
  async #runOnServers(groups: readonly WorkspaceGroup[], tries = 1): Promise<(readonly Outcome[])[]> {
    const servers = this.#servers;
    const all = groups.map(({ calls }) => calls);
    if (servers === undefined) return this.#runGroups(await this.#routeOf(anywhere), undefined, all);
    const trips = new Map<Connections, { readonly route: Route; readonly indexes: number[] }>();
    const own: (readonly Call[])[] = [];
    for (const [index, { workspaceId, calls }] of groups.entries()) {
      const { part, ...route } = await this.#routeOf({ workspaceId });
      own.push(part === undefined ? calls : [...part.guards.read, ...calls].map((call) => part.rename(call)));
      trips.getOrInsert(route.connections, { route: { ...route, part: undefined }, indexes: [] }).indexes.push(index);
    }
    const answers: (readonly Outcome[])[] = groups.map(() => nothing);
    const ask = async ({ route, indexes }: { route: Route; indexes: readonly number[] }): Promise<void> => {
      const ofTrip = indexes.flatMap((index) => groups[index] ?? []);
      const calls = indexes.flatMap((index) => (own[index] === undefined ? [] : [own[index]]));
      const outcomes = await this.#runGroups(route, undefined, calls).catch(async (error: unknown) => {
        if (!isMovedAway(error) || tries === movedTriesMax) throw error;
        for (const { workspaceId } of ofTrip) servers.forget(workspaceId);
        await pauseAfter(tries);
        return this.#runOnServers(ofTrip, tries + 1);
      });
      indexes.forEach((index, at) => (answers[index] = outcomes[at] ?? nothing));
    };
    const settled = await Promise.allSettled([...trips.values()].map(ask));
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed !== undefined && settled.every((one) => one.status === 'rejected')) throw failed.reason;
    return answers;
  }

  /** Runs independent statements for one scope of the service itself: a transaction in one round trip. */
  async writeBatch(scope: Scope, calls: readonly Call[]): Promise<Outcome<any>[]> {
    this.#requireChanges();
    const { planning } = this.#workForm ?? (await this.#findForms());
    return (await this.#runEntered(scope, [...planning, ...calls])).slice(planning.length);
  }

  /** Reads the rows of each call as columns, in one transaction and one round trip. */
  async readColumns<C extends ColumnKinds>(
    scope: Scope,
    requests: readonly ColumnCall<C>[],
  ): Promise<(readonly ColumnBlock<C>[])[]> {
    const { calls, blocks } = columnCalls(requests);
    await this.#runEntered(scope, calls);
    return blocks();
  }

  /** Checks only that the scope's application or key still exists. */
  async checkCredential(scope: Scope): Promise<void> {
    await this.#runEntered({ ...scope, visibleClients: allClients }, []);
  }

  /** Runs one statement in the pre-auth role, which sees what identifies callers in every workspace and nothing else. */
  async readPreAuth<Row>(
    statement: Statement<Row>,
    values: readonly Value[],
    workspaceId?: string,
  ): Promise<PreAuthOutcome<Row>> {
    if (this.#workForm === undefined) await this.#findForms();
    const { ofSome } = statement;
    if (ofSome !== undefined && this.#servers !== undefined)
      return this.#readFromAll({ statement, ofSome, values, servers: this.#servers });
    return this.#readAt(workspaceId === undefined ? anywhere : { workspaceId }, statement, values);
  }

  async #readAt<Row>(place: Place, statement: Statement<Row>, values: readonly Value[]): Promise<Outcome<Row>> {
    const { entry } = (await this.#routeOf(place)).form;
    const outcomes = await this.#runBatch(place, [...entry.preAuthCalls, { statement, values }]);
    return outcomeAt(outcomes, -1, statement);
  }

  /** Asks all servers in one statement, through the coordinator. It fails if one of them is away: then each is asked for its own workspaces. */
  async #readFromAll<Row>({ statement, ofSome, values, servers }: ReadFromAll<Row>): Promise<PreAuthOutcome<Row>> {
    if (this.#away.size === 0) {
      try {
        return await this.#readAt(anywhere, statement, values);
      } catch (error) {
        if (!isAway(error)) throw error;
      }
    }
    const parts = await servers.listParts();
    const trips = parts.map(async ({ address, listWorkspaces }) => {
      const place = { address: address ?? null };
      const known = this.#away.get(this.#connectionsAt(address));
      if (known !== undefined && performance.now() - known.since < awayMs) throw known.refusal;
      const { rows } = await this.#readAt(place, listWorkspaces, []);
      return this.#readAt(place, ofSome, [...values, rows.map(({ id }) => id)]);
    });
    const settled = await Promise.allSettled(trips);
    const failed = settled.find((one) => one.status === 'rejected');
    const fault = settled.find((one) => one.status === 'rejected' && !isAway(one.reason));
    if (fault?.status === 'rejected') throw fault.reason;
    const rows = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value.rows : []));
    if (failed?.status === 'rejected' && settled.every((one) => one.status === 'rejected')) throw failed.reason;
    return { rows, count: rows.length, tag: '', ...(failed === undefined ? {} : { failure: failed.reason }) };
  }

  /** The servers that workspaces are spread over, and whether each answers and accepts changes; none where there is only one. */
  async checkServers(): Promise<readonly ServerState[]> {
    if (this.#workForm === undefined) await this.#findForms();
    const parts = (await this.#servers?.listParts()) ?? [];
    return Promise.all(
      parts.map(async ({ address, name }): Promise<ServerState> => {
        const place = { address: address ?? null };
        const answer = this.#isReadOnly(place).catch(() => undefined);
        const late = setTimeout(serverAnswerMs, undefined, { ref: false });
        const isReadOnly = await Promise.race([answer, late]);
        const refused = await this.#refusedLately(place);
        const unwritable = isReadOnly === true ? 'database-read-only' : refused;
        return { name, isAway: isReadOnly === undefined, unwritable };
      }),
    );
  }

  /** Asks over a connection that is not used again if it accepts no changes, since it may be older than what the server says now. */
  async #isReadOnly(place: Place): Promise<boolean> {
    const connection = await this.#lend(await this.#routeOf(place), undefined);
    try {
      const { rows } = outcomeAt(
        await connection.sendShort([{ statement: showReadOnly, values: [] }]),
        0,
        showReadOnly,
      );
      const isReadOnly = rows[0]?.isReadOnly === true;
      if (isReadOnly) connection.giveBackReadOnly();
      else connection.giveBack(true);
      return isReadOnly;
    } catch (error) {
      connection.giveBack(false);
      throw error;
    }
  }

  async #refusedLately(place: Place): Promise<UnwritableState | undefined> {
    const { connections } = await this.#routeOf(place);
    const refused = this.#unwritable.get(connections);
    return refused !== undefined && performance.now() - refused.since < unwritableMs ? refused.state : undefined;
  }

  /** What the operator has set for all nodes; null for nothing. */
  async readOperatorMode(): Promise<string | null> {
    const outcomes = await this.#runBatch(anywhere, [{ statement: readModeComment, values: [] }]);
    return outcomeAt(outcomes, 0, readModeComment).rows[0]?.text ?? null;
  }

  /** Sends messages to all nodes that listen. */
  async sendMessages(messages: readonly string[]): Promise<void> {
    await this.#runBatch(anywhere, [{ statement: sendMessages, values: [messages] }]);
  }

  /** Throws if the database cannot be used. */
  async ping(): Promise<void> {
    await this.readPreAuth(emptySelect, []);
  }

  /** Throws a refusal if the database accepts no changes: changes a row to what it is. */
  async checkWritable(): Promise<void> {
    await this.#runBatch(anywhere, [{ statement: touchRow, values: [] }]);
  }

  /** Throws a refusal if the disk is full. Only a new table is sure to need new space: a table may reuse what was deleted. */
  async checkRoom(): Promise<void> {
    await this.#runBatch(anywhere, [
      { statement: createTable, values: [] },
      { statement: dropTable, values: [] },
    ]);
  }

  /** Runs a transaction for one scope. An error of `work` rolls it back; a conflict with another transaction is tried again. */
  async write<T>(scope: Scope, work: (run: Run) => Promise<T>): Promise<T> {
    this.#requireChanges();
    return this.#transact((this.#workForm ?? (await this.#findForms())).writing, scope, work);
  }

  /** Throws where the operator lets nothing be changed. */
  #requireChanges(): void {
    const refusal = this.#options.refuseChanges?.();
    if (refusal !== undefined) throw refusal;
  }

  /** Runs several reads that all see the same moment. */
  async readSnapshot<T>(scope: Scope, work: (run: Run) => Promise<T>): Promise<T> {
    return this.#transact((this.#workForm ?? (await this.#findForms())).snapshot, scope, work);
  }

  async #transact<T>(beginning: Beginning, scope: Scope, work: (run: Run) => Promise<T>, tries = 1): Promise<T> {
    const { settings, switching } = this.#workForm ?? (await this.#findForms());
    const readElsewhere: PreAuthRead | undefined = this.#isSpread
      ? (...query) => this.readPreAuth(...query)
      : undefined;
    const tree = await this.#trees.of(scope);
    const place = ofWorkspace(scope.workspaceId);
    const route = await this.#routeOf(place);
    const connection = await this.#lend(route, place.owner);
    const guards = route.part?.guards[beginning.kind === 'write' ? 'write' : 'read'] ?? [];
    const opening = [beginning.begin, ...guards];
    const transaction = new OpenedTransaction(connection, opening, beginning.entry.enter(scope, tree));
    const { run, end, firstError } = createRunner(settings, (calls) => transaction.send(calls));
    const transactionScope = new TransactionScope(run, { scope, tree, entry: switching, readElsewhere });
    let isCommitting = false;
    try {
      const result = await work(transactionScope.withSwitches());
      await transaction.ensureOpened();
      isCommitting = true;
      const last = beginning.kind === 'write' ? transactionScope.lastCalls() : [];
      requireCommitted(await connection.send([...end(), ...last, { statement: commit, values: [] }]), firstError);
      connection.giveBack(true);
      return result;
    } catch (error) {
      end();
      await this.#rollBack(connection, error);
      const isMoved = this.#forgetMoved(error, route, place);
      const isWorthAnotherTry =
        isMoved || isTreeChanged(error) || (isRetryable(error) && this.#options.retriesConflicts !== false);
      if (tries < (isMoved ? movedTriesMax : triesMax) && isWorthAnotherTry) {
        if (isTreeChanged(error)) await this.#trees.refresh(scope);
        else await pauseAfter(tries);
        return this.#transact(beginning, scope, work, tries + 1);
      }
      if (isMoved || isTreeChanged(error)) throw recordsBusy(error);
      if (isCommitting && mayHaveCommitted(error)) throw commitOutcomeUnknown(error);
      throw this.#toRefusal(error, connection);
    }
  }

  async #runBatch(place: Place, calls: readonly Call[], tries = 1): Promise<Outcome[]> {
    const route = await this.#routeOf(place);
    const guards = route.part?.guardsOf(calls) ?? [];
    try {
      const [outcomes = []] = await this.#runGroups(route, place.owner, [[...guards, ...calls]]);
      return outcomes.slice(guards.length);
    } catch (error) {
      if (!this.#forgetMoved(error, route, place)) throw error;
      if (tries === movedTriesMax) throw recordsBusy(error);
      await pauseAfter(tries);
      return this.#runBatch(place, calls, tries + 1);
    }
  }

  /** Whether the workspace is no longer where it was asked for: it is looked for again. */
  #forgetMoved(error: unknown, { part }: Route, { workspaceId }: Place): boolean {
    const isMoved = part !== undefined && isMovedAway(error);
    if (isMoved && workspaceId !== undefined) this.#servers?.forget(workspaceId);
    return isMoved;
  }

  /** Runs groups of calls, each as a transaction that can be repeated, all in one round trip. */
  async #runGroups(
    route: Route,
    owner: string | undefined,
    groups: readonly (readonly Call[])[],
    tries = 1,
  ): Promise<Outcome[][]> {
    const { form } = route;
    // What asks all servers meets every part that is moved.
    const most = form.needsCommit ? triesMax : 2;
    const connection = await this.#lend(route, owner);
    try {
      const outcomes = await connection.send(form.bracket(groups));
      connection.giveBack(true);
      return form.unbracket(groups, outcomes);
    } catch (error) {
      if (form.needsCommit) await this.#rollBack(connection, error);
      else if (unwritableState(error) === 'database-read-only') connection.giveBackReadOnly();
      else connection.giveBack(!isDatabaseUnavailable(error) && !isRetryable(error));
      if (tries < most && isRetryable(error)) {
        if (form.needsCommit) await pauseAfter(tries);
        return this.#runGroups(route, owner, groups, tries + 1);
      }
      throw this.#toRefusal(error, connection);
    }
  }

  async #rollBack(connection: LentConnection, error: unknown): Promise<void> {
    const giveBack = (): void => {
      if (unwritableState(error) === 'database-read-only') connection.giveBackReadOnly();
      else connection.giveBack(!isRetryable(error));
    };
    await connection.sendShort([{ statement: rollback, values: [] }]).then(giveBack, () => connection.giveBack(false));
  }

  /** `connection`: that of the server which has failed. */
  #toRefusal(error: unknown, connection: LentConnection): unknown {
    const state = unwritableState(error);
    if (state !== undefined) this.#noteUnwritable(connection.home, state);
    return refusedIfSuspended(toRefusal(error));
  }

  #noteUnwritable(connections: Connections, state: UnwritableState): void {
    this.#unwritable.set(connections, { since: performance.now(), state });
    if (connections === this.#connections) this.#refusedChanges = { count: this.#refusedChanges.count + 1, state };
  }

  async #lend({ connections, part }: Route, owner: string | undefined): Promise<LentConnection> {
    for (const [one, { since }] of this.#away) if (performance.now() - since > awayMs) this.#away.delete(one);
    try {
      return await connections.lend({ owner, ...(part && { rewrite: (call) => part.rename(call) }) });
    } catch (error) {
      if (error instanceof WaitedTooLong) throw shareUsedUp(error);
      const refusal = databaseUnavailable(error); // whatever the reason: nothing can be done without a connection
      if (connections !== this.#connections) this.#away.set(connections, { since: performance.now(), refusal });
      throw refusal;
    }
  }

  /** Fails whatever waits for the database; nothing can be sent afterwards. */
  abort(): void {
    for (const connections of [this.#connections, ...this.#others.values()]) connections.abort();
  }

  async close(): Promise<void> {
    await Promise.all([this.#connections, ...this.#others.values()].map((connections) => connections.close()));
  }
}

/** The same login at another server. An address that is written as one text counts before its parts. */
function withAddress(connection: DatabaseOptions['connection'], { host, port }: ServerAddress): pg.PoolConfig {
  const { connectionString } = connection;
  if (connectionString === undefined) return { ...connection, host, port };
  const url = new URL(connectionString);
  url.hostname = host;
  url.port = String(port);
  for (const name of ['host', 'port']) url.searchParams.delete(name);
  return { ...connection, connectionString: url.href };
}
