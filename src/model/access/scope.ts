// The scope of a caller: the workspace, the environment and the clients that it sees.

import type { Id } from '../../kit/id.ts';

export const environments = ['production', 'sandbox'] as const;
export type Environment = (typeof environments)[number];

export const rights = ['read', 'write', 'admin'] as const;
export type Right = (typeof rights)[number];

/**
 * `tree`: a client and its descendants; `wide-tree`: the same, where they are so many that statements do not list them. `only`: that client
 * without its descendants. `some`: what a person sees, which is these clients and, of their reporting entities and what is private
 * to them, only those listed.
 */
export type VisibleClients =
  | { readonly kind: 'all' }
  | { readonly kind: 'tree' | 'wide-tree'; readonly clientId: Id }
  | { readonly kind: 'only'; readonly clientId: Id }
  | { readonly kind: 'some'; readonly clientIds: readonly Id[]; readonly reportingEntityIds: readonly Id[] };

/** What a store is opened for: it reads and writes nothing outside. */
export interface Scope {
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly visibleClients: VisibleClients;
  /** The application or key whose deletion ends this scope at once; null for the service's own work, and in a session. */
  readonly credentialId: Id | null;
}

/** A workspace in one of its environments. */
export type Tenant = Pick<Scope, 'workspaceId' | 'environment'>;

export const allClients: VisibleClients = { kind: 'all' };

export function visibleClientsOf(clientId: Id | null): VisibleClients {
  return clientId === null ? allClients : { kind: 'tree', clientId };
}

export function isTree(
  visibleClients: VisibleClients,
): visibleClients is Extract<VisibleClients, { readonly kind: 'tree' | 'wide-tree' }> {
  return visibleClients.kind === 'tree' || visibleClients.kind === 'wide-tree';
}

/** The same scope, in which a token that is bound to a client does not see the client's descendants. */
export function withoutDescendants(scope: Scope): Scope {
  const { visibleClients } = scope;
  return isTree(visibleClients)
    ? { ...scope, visibleClients: { kind: 'only', clientId: visibleClients.clientId } }
    : scope;
}

/** The client a scoped token is bound to; null for one that sees the whole workspace, and for a person. */
export function boundClientId(visibleClients: VisibleClients): Id | null {
  return isTree(visibleClients) || visibleClients.kind === 'only' ? visibleClients.clientId : null;
}

/** Whether a reporting entity of a visible client, or a record that is private to it, is visible too; null: private to none. */
export function canSeeReportingEntity(visibleClients: VisibleClients, id: Id | null): boolean {
  return id === null || visibleClients.kind !== 'some' || visibleClients.reportingEntityIds.includes(id);
}
