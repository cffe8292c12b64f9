// Where something was written on this node a moment ago, so that jobs need not wait until all tenants have been looked at. A hint
// that is lost costs time and nothing else.

import type { Reach } from '../../model/access/scope.ts';

export type Tenant = Pick<Reach, 'workspaceId' | 'environment'>;

export function tenantKey({ workspaceId, environment }: Tenant): string {
  return `${workspaceId} ${environment}`;
}

interface Hint {
  readonly tenant: Tenant;
  readonly since: number;
}

export class TenantHints {
  readonly #hints = new Map<string, Hint>();

  put({ workspaceId, environment }: Tenant, now: number): void {
    const key = tenantKey({ workspaceId, environment });
    if (!this.#hints.has(key)) this.#hints.set(key, { tenant: { workspaceId, environment }, since: now });
  }

  /** Those that were put there at a moment or before it: they are taken away. */
  take(until: number): Tenant[] {
    const due = [...this.#hints].filter(([, { since }]) => since <= until);
    for (const [key] of due) this.#hints.delete(key);
    return due.map(([, { tenant }]) => tenant);
  }
}
