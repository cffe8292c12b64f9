// Who is asking and how far they see: workspace, environment, clients, rights. Knows nothing of tokens or tables.

import type { Id } from '../../kit/id.ts';
import type { PersonAccess } from './person-access.ts';

export const environments = ['production', 'sandbox'] as const;
export type Environment = (typeof environments)[number];

export const rights = ['read', 'write', 'admin'] as const;
export type Right = (typeof rights)[number];

/**
 * `tree`: a client and its descendants. `only`: that client alone, as the Plain shape shows it. `some`: these clients alone, and
 * of their reporting entities, with what is private to them, these alone: what a person sees.
 */
export type VisibleClients =
  | { readonly kind: 'all' }
  | { readonly kind: 'tree'; readonly clientId: Id }
  | { readonly kind: 'only'; readonly clientId: Id }
  | { readonly kind: 'some'; readonly clientIds: readonly Id[]; readonly reportingEntityIds: readonly Id[] };

/** The part of the world that a store is opened for. */
export interface Scope {
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly visibleClients: VisibleClients;
  /** The application or key whose deletion ends this reach at once; null for the service's own work, and in a session. */
  readonly credentialId: Id | null;
}

/** A caller whose token or session was verified. */
export interface Caller {
  readonly scope: Scope;
  readonly rights: ReadonlySet<Right>;
  /** The `sub` of its token: the workspace, or a user. */
  readonly subject: string;
  /** Who it is, where it is a person. */
  readonly person?: PersonAccess;
}

export const allClients: VisibleClients = { kind: 'all' };

export function visibleClientsOf(clientId: Id | null): VisibleClients {
  return clientId === null ? allClients : { kind: 'tree', clientId };
}

/** The same reach seen through the Plain shape: a scoped token sees its own client only. */
export function withoutDescendants(scope: Scope): Scope {
  return scope.visibleClients.kind === 'tree'
    ? { ...scope, visibleClients: { kind: 'only', clientId: scope.visibleClients.clientId } }
    : scope;
}

/** The client a scoped token is bound to; null for one that sees the whole workspace, and for a person. */
export function boundClientId(visibleClients: VisibleClients): Id | null {
  return visibleClients.kind === 'tree' || visibleClients.kind === 'only' ? visibleClients.clientId : null;
}

/** Whether a reporting entity of a client that is seen, or what is private to it, is seen as well; null: it is private to none. */
export function canSeeReportingEntity(visibleClients: VisibleClients, id: Id | null): boolean {
  return id === null || visibleClients.kind !== 'some' || visibleClients.reportingEntityIds.includes(id);
}
