// Remembers the tenants that this node wrote to, so that jobs look at them before their next sweep of all tenants. A lost wake-up
// costs time and nothing else.

import type { Tenant } from '../../model/access/scope.ts';

export function tenantKey({ workspaceId, environment }: Tenant): string {
  return `${workspaceId} ${environment}`;
}

interface WakeUp {
  readonly tenant: Tenant;
  readonly since: number;
}

export class TenantWakeUps {
  readonly #wakeUps = new Map<string, WakeUp>();

  /** Keeps the earlier of two moments, so that one from before the clock was set back holds up nothing. */
  put({ workspaceId, environment }: Tenant, now: number): void {
    const key = tenantKey({ workspaceId, environment });
    const present = this.#wakeUps.get(key);
    if (present !== undefined && present.since <= now) return;
    this.#wakeUps.set(key, { tenant: { workspaceId, environment }, since: now });
  }

  /** Removes and returns the tenants that were put at or before a moment. */
  take(until: number): Tenant[] {
    const due = [...this.#wakeUps].filter(([, { since }]) => since <= until);
    for (const [key] of due) this.#wakeUps.delete(key);
    return due.map(([, { tenant }]) => tenant);
  }
}
