// The scope of one transaction: what it sees of the clients, how that changes within it, and the check at its end that no client has moved
// away meanwhile.

import { assert } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { isTree, type Scope, type VisibleClients } from '../../model/access/scope.ts';
import { listTree, type KnownTree, type Visibility } from './client-trees.ts';
import { enterCalls, unmovedCall, widenCall, type EnterStatements } from './enter-scope.ts';
import { seenClients } from './seen-clients.ts';
import type { StatementRunner } from './statement-runner.ts';
import type { Call } from './statement.ts';

export class TransactionScope {
  readonly #run: StatementRunner;
  /** Sets no timeouts, so that those of the transaction stay. */
  readonly #enter: EnterStatements;
  readonly #first: Scope;
  #current: Scope;
  #visibility: Visibility | undefined;
  /** The version of the hierarchy after which no client may have moved when the transaction ends. */
  #version: number | null;

  constructor(
    run: StatementRunner,
    { scope, tree, enter }: { scope: Scope; tree: KnownTree | undefined; enter: EnterStatements },
  ) {
    this.#run = run;
    this.#enter = enter;
    this.#first = scope;
    this.#current = scope;
    this.#visibility = tree?.visibility;
    this.#version = tree?.version ?? null;
  }

  /** Continues with another scope of the same caller, and returns it with the clients that it sees. */
  async switchTo(scope: Scope): Promise<Scope> {
    const { visibleClients } = scope;
    const isKnown = !isTree(visibleClients) || seenClients(visibleClients).ids !== undefined;
    const opened = isKnown ? scope : { ...scope, visibleClients: await this.#listTree(scope, visibleClients.clientId) };
    const calls = enterCalls(this.#enter, { ...opened, credentialId: null });
    await Promise.all(calls.map(({ statement, values }) => this.#run(statement, values)));
    this.#current = opened;
    return opened;
  }

  async #listTree({ workspaceId, environment }: Scope, clientId: Id): Promise<VisibleClients> {
    const visibleClients = { kind: 'tree', clientId } as const;
    const { rows } = await this.#run(listTree, [workspaceId, environment, clientId]);
    seenClients(visibleClients).ids = rows.map(({ id }) => id);
    return visibleClients;
  }

  /** Lets the rest of the transaction see a client of its tree that it is about to create. */
  async showClient(clientId: Id): Promise<void> {
    const { visibleClients } = this.#current;
    if (!isTree(visibleClients) || this.#visibility === undefined) return;
    const seen = seenClients(visibleClients);
    seen.ids = [...(seen.ids ?? []), clientId];
    const { statement, values } = widenCall(this.#visibility, clientId);
    await this.#run(statement, values);
  }

  /** Changes the hierarchy, after a check that nobody else has moved a client; `change` returns the new version. */
  async moveClients(change: () => Promise<number>): Promise<void> {
    for (const { statement, values } of this.lastCalls()) await this.#run(statement, values);
    const version = await change();
    if (this.#version !== null) this.#version = version;
  }

  /** What is sent with the commit. */
  lastCalls(): readonly Call[] {
    if (!isTree(this.#first.visibleClients) || this.#version === null) return [];
    assert(this.#visibility !== undefined, 'a tree is entered with what it sees');
    return [unmovedCall(this.#first, this.#version)];
  }
}
