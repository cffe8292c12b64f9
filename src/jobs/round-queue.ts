// Clients that wait for their round, taken tenant by tenant in turn, so that one with very many keeps no other waiting. Knows no
// round.

import type { Id } from '../kit/id.ts';
import { tenantKey, type Tenant } from '../actions/tenant-hints.ts';

export interface WaitingClient {
  readonly tenant: Tenant;
  readonly client: Id;
}

export class RoundQueue {
  /** In the order of their turns. */
  readonly #tenants = new Map<string, { readonly tenant: Tenant; readonly clients: Set<Id> }>();

  /** Whoever waits already keeps its place. */
  put({ tenant, client }: WaitingClient): void {
    const key = tenantKey(tenant);
    const waiting = this.#tenants.get(key);
    if (waiting === undefined) this.#tenants.set(key, { tenant, clients: new Set([client]) });
    else waiting.clients.add(client);
  }

  take(): WaitingClient | undefined {
    for (const [key, waiting] of this.#tenants) {
      this.#tenants.delete(key);
      const [client] = waiting.clients;
      waiting.clients.delete(client!);
      if (waiting.clients.size > 0) this.#tenants.set(key, waiting);
      return { tenant: waiting.tenant, client: client! };
    }
    return undefined;
  }

  clear(): void {
    this.#tenants.clear();
  }
}
