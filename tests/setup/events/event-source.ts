// Events for tests of deliveries: written as all others are, for clients that need not be there.

import { emit } from '../../../src/actions/events/event.ts';
import type { House } from '../../../src/actions/core/context.ts';
import type { Tenant } from '../../../src/actions/core/tenant-wake-ups.ts';
import { ownDoing, writingWork } from '../../../src/actions/core/work.ts';
import type { Id } from '../../../src/kit/id.ts';
import type { Caller } from '../http/caller.ts';

export async function tenantOf(caller: Caller): Promise<Tenant> {
  const { workspace_id: workspaceId, environment } = (await caller.get('/v1/me')).body;
  return { workspaceId, environment };
}

export function clientNumber(number: number): Id {
  return number.toString(16).padStart(24, '0') as Id;
}

/** An event for each of so many clients, and for others that are named, in each of so many pieces of work. */
export async function makeEvents(
  house: House,
  tenant: Tenant,
  { clients, each }: { readonly clients: number; readonly each: number },
  others: readonly string[] = [],
): Promise<void> {
  for (let number = 0; number < each; number++) {
    await writingWork(house, ownDoing(tenant), async (work) => {
      const told = [...Array.from({ length: clients }, (_none, index) => clientNumber(index)), ...others] as Id[];
      emit(work, ...told.map((client) => ({ type: 'limit.breached', client, object: { number } }) as const));
    });
  }
}

/** A receiver's memory: the numbers that it has taken of each client, in the order in which they came. */
export class Inbox {
  readonly #numbers = new Map<string, number[]>();
  readonly ids: string[] = [];

  take(body: string): void {
    const { id, client_id: client, data } = JSON.parse(body);
    this.ids.push(id);
    this.#numbers.set(client, [...(this.#numbers.get(client) ?? []), data.object.number]);
  }

  get clients(): number {
    return this.#numbers.size;
  }

  /** Every different sequence of numbers that some client has got. */
  get sequences(): number[][] {
    const texts = new Set([...this.#numbers.values()].map((numbers) => JSON.stringify(numbers)));
    return [...texts].map((text) => JSON.parse(text));
  }
}

/** From one to another, which is not among them. */
export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_none, index) => from + index);
}
