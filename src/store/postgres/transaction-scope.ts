// The scope of one transaction: what it sees of the clients, how that changes within it, and the check at its end that no client has moved
// away meanwhile.

import type { Id } from '../../kit/id.ts';
import { isTree, type Scope, type VisibleClients } from '../../model/access/scope.ts';
import { listTree, widened, type KnownTree, type Visibility } from './client-trees.ts';
import { currentVisibility, unmovedCall, type ScopeEntry } from './enter-scope.ts';
import { seenClients } from './seen-clients.ts';
import type { PreAuthOutcome, PreAuthRead, Run, StatementRunner } from './statement-runner.ts';
import type { Call, Statement, Value } from './statement.ts';

interface TransactionScopeParts {
  readonly scope: Scope;
  readonly tree: KnownTree | undefined;
  readonly entry: ScopeEntry;
  /** Reads in the pre-auth role over another connection: servers that spread tables act in one role within a transaction. */
  readonly readElsewhere: PreAuthRead | undefined;
}

export class TransactionScope {
  readonly #readElsewhere: PreAuthRead | undefined;
  readonly #run: StatementRunner;
  /** Sets no timeouts, so that those of the transaction stay. */
  readonly #entry: ScopeEntry;
  readonly #first: Scope;
  #current: Scope;
  #visibility: Visibility;
  /** The version of the hierarchy after which no client may have moved when the transaction ends. */
  #version: number | null;

  constructor(run: StatementRunner, { scope, tree, entry, readElsewhere }: TransactionScopeParts) {
    this.#readElsewhere = readElsewhere;
    this.#run = run;
    this.#entry = entry;
    this.#first = scope;
    this.#current = scope;
    this.#visibility = tree?.visibility ?? currentVisibility(scope.visibleClients);
    this.#version = tree?.version ?? null;
  }

  /** The runner, with what a transaction can do besides running statements. */
  withSwitches(): Run {
    return Object.assign(this.#run, {
      switchScope: (next: Scope) => this.#switchTo(next),
      showClient: (clientId: Id) => this.#showClient(clientId),
      moveClients: (change: () => Promise<number>) => this.#moveClients(change),
      withAllVisible: <T>(query: () => Promise<T>) => this.#withAllVisible(query),
      enqueueWithAllVisible: (...call: Parameters<Run['enqueue']>) => this.#enqueueWithAllVisible(call),
      readPreAuth: <Row>(statement: Statement<Row>, values: readonly Value[], workspaceId?: string) =>
        this.#readPreAuth({ statement, values }, workspaceId),
    });
  }

  #send({ statement, values }: Call): Promise<unknown> {
    return this.#run(statement, values);
  }

  /** Continues with another scope of the same caller, and returns it with the clients that it sees. */
  async #switchTo(scope: Scope): Promise<Scope> {
    const { visibleClients } = scope;
    const isKnown = !isTree(visibleClients) || seenClients(visibleClients).ids !== undefined;
    const opened = isKnown ? scope : { ...scope, visibleClients: await this.#listTree(scope, visibleClients.clientId) };
    const { calls } = this.#entry.enter({ ...opened, credentialId: null });
    await Promise.all(calls.map((call) => this.#send(call)));
    this.#current = opened;
    this.#visibility = currentVisibility(opened.visibleClients);
    return opened;
  }

  async #withAllVisible<T>(query: () => Promise<T>): Promise<T> {
    const { text } = this.#visibility;
    if (text === 'all') return query();
    const [, answer] = await Promise.all([
      this.#send(this.#entry.visibilityCall('all')),
      query(),
      this.#send(this.#entry.visibilityCall(text)),
    ]);
    return answer;
  }

  #enqueueWithAllVisible(call: Parameters<Run['enqueue']>): void {
    const { text } = this.#visibility;
    const enqueueVisibility = (wanted: string): void => {
      const { statement, values } = this.#entry.visibilityCall(wanted);
      if (text !== 'all') this.#run.enqueue(statement, values);
    };
    enqueueVisibility('all');
    this.#run.enqueue(...call);
    enqueueVisibility(text);
  }

  async #readPreAuth<Row>(
    { statement, values }: { readonly statement: Statement<Row>; readonly values: readonly Value[] },
    workspaceId: string | undefined,
  ): Promise<PreAuthOutcome<Row>> {
    if (this.#readElsewhere !== undefined) return this.#readElsewhere(statement, values, workspaceId);
    const { preAuthCalls, leavePreAuthCall } = this.#entry;
    const entering = preAuthCalls.map((call) => this.#send(call));
    const [outcome] = await Promise.all([this.#run(statement, values), this.#send(leavePreAuthCall), ...entering]);
    return outcome;
  }

  async #listTree({ workspaceId, environment }: Scope, clientId: Id): Promise<VisibleClients> {
    const visibleClients: VisibleClients = { kind: 'tree', clientId };
    const { rows } = await this.#run(listTree, [workspaceId, environment, clientId]);
    seenClients(visibleClients).ids = rows.map(({ id }) => id);
    return visibleClients;
  }

  /** Lets the rest of the transaction see a client of its tree that it is about to create. */
  async #showClient(clientId: Id): Promise<void> {
    const { visibleClients } = this.#current;
    if (!isTree(visibleClients)) return;
    const seen = seenClients(visibleClients);
    seen.ids = [...(seen.ids ?? []), clientId];
    const { visibility, name, value } = widened(this.#visibility, clientId);
    await this.#send(this.#entry.settingCall(name, value));
    this.#visibility = visibility;
  }

  /** Changes the hierarchy, after a check that nobody else has moved a client; `change` returns the new version. */
  async #moveClients(change: () => Promise<number>): Promise<void> {
    for (const call of this.lastCalls()) await this.#send(call);
    const version = await change();
    if (this.#version !== null) this.#version = version;
  }

  /** What is sent with the commit. */
  lastCalls(): readonly Call[] {
    if (!isTree(this.#first.visibleClients) || this.#version === null) return [];
    return [unmovedCall(this.#first, this.#version)];
  }
}
