// Emits events for tests of deliveries, for clients that need not exist, and records what arrives.

import { emit } from '../../../src/actions/events/event.ts';
import type { AppContext } from '../../../src/actions/core/context.ts';
import type { Tenant } from '../../../src/model/access/scope.ts';
import { serviceAuthor, runInTransaction } from '../../../src/actions/core/work.ts';
import type { Id } from '../../../src/kit/id.ts';
import type { Caller } from '../http/caller.ts';

export async function tenantOf(caller: Caller): Promise<Tenant> {
  const { workspace_id: workspaceId, environment } = (await caller.get('/v1/me')).body;
  return { workspaceId, environment };
}

export function clientIdNumbered(number: number): Id {
  return number.toString(16).padStart(24, '0') as Id;
}

/** Emits an event for each of a number of clients, and for the others that are named, in each of `perClient` transactions. */
export async function emitEvents(
  context: AppContext,
  tenant: Tenant,
  { clients, perClient }: { readonly clients: number; readonly perClient: number },
  others: readonly string[] = [],
): Promise<void> {
  for (let number = 0; number < perClient; number++) {
    await runInTransaction(context, serviceAuthor(tenant), async (work) => {
      const clientIds = [
        ...Array.from({ length: clients }, (_none, index) => clientIdNumbered(index)),
        ...others,
      ] as Id[];
      emit(work, ...clientIds.map((client) => ({ type: 'limit.breached', client, object: { number } }) as const));
    });
  }
}

/** Records the numbers that a receiver has accepted of each client, in the order in which they came. */
export class EventInbox {
  readonly #sequence = new Map<string, number[]>();
  readonly ids: string[] = [];

  receive(body: string): void {
    const { id, client_id: client, data } = JSON.parse(body);
    this.ids.push(id);
    this.#sequence.set(client, [...(this.#sequence.get(client) ?? []), data.object.number]);
  }

  get clients(): number {
    return this.#sequence.size;
  }

  /** The distinct sequences of numbers that clients have received. */
  get sequences(): number[][] {
    const texts = new Set([...this.#sequence.values()].map((sequence) => JSON.stringify(sequence)));
    return [...texts].map((text) => JSON.parse(text));
  }
}

/** The integers from `from` up to `to`, which is not included. */
export function sequence(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_none, index) => from + index);
}
