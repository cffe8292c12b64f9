// Who is asking and how far they see: workspace, environment, clients, rights. Knows nothing of tokens or tables.

import type { Id } from '../../kit/id.ts';
import type { PersonStanding } from './person-access.ts';

export const environments = ['production', 'sandbox'] as const;
export type Environment = (typeof environments)[number];

export const rights = ['read', 'write', 'admin'] as const;
export type Right = (typeof rights)[number];

/**
 * `tree`: a client and its descendants. `only`: that client alone, as the Plain shape shows it. `some`: these clients alone, and
 * of their reporting entities, with what is private to them, these alone: what a person sees.
 */
export type Sight =
  | { readonly kind: 'all' }
  | { readonly kind: 'tree'; readonly clientId: Id }
  | { readonly kind: 'only'; readonly clientId: Id }
  | { readonly kind: 'some'; readonly clientIds: readonly Id[]; readonly reportingEntityIds: readonly Id[] };

/** The part of the world that a store is opened for. */
export interface Reach {
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly sight: Sight;
  /** The application or key whose deletion ends this reach at once; null for the service's own work, and in a session. */
  readonly credentialId: Id | null;
}

/** A caller whose token or session was verified. */
export interface Caller {
  readonly reach: Reach;
  readonly rights: ReadonlySet<Right>;
  /** The `sub` of its token: the workspace, or a user. */
  readonly subject: string;
  /** Who it is, where it is a person. */
  readonly person?: PersonStanding;
}

export const everything: Sight = { kind: 'all' };

export function sightOf(clientId: Id | null): Sight {
  return clientId === null ? everything : { kind: 'tree', clientId };
}

/** The same reach seen through the Plain shape: a scoped token sees its own client only. */
export function ownClientOnly(reach: Reach): Reach {
  return reach.sight.kind === 'tree' ? { ...reach, sight: { kind: 'only', clientId: reach.sight.clientId } } : reach;
}

/** The client a scoped token is bound to; null for one that sees the whole workspace, and for a person. */
export function scopedClient(sight: Sight): Id | null {
  return sight.kind === 'tree' || sight.kind === 'only' ? sight.clientId : null;
}

/** Whether a reporting entity of a client that is seen, or what is private to it, is seen as well; null: it is private to none. */
export function seesReportingEntity(sight: Sight, id: Id | null): boolean {
  return id === null || sight.kind !== 'some' || sight.reportingEntityIds.includes(id);
}
