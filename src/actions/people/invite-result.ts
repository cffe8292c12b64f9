// What the holder of an invite's link is shown, and what accepting it leads to: the same for invites to a client and for administrators.

import type { Id } from '../../kit/id.ts';
import type { Environment } from '../../model/access/scope.ts';
import type { ProviderKey } from '../../model/people/identity.ts';
import type { InviteState } from '../../model/people/invite-state.ts';

export interface OpenedInvite {
  readonly state: InviteState;
  readonly expiresAt: number;
  /** The provider to sign in with; null if any may be used. */
  readonly identityProvider: ProviderKey | null;
  /** The address to sign in with; null if any may be used. */
  readonly address: string | null;
  /** The client to join; null for an administrator of the workspace. */
  readonly clientName: string | null;
  readonly workspaceName: string;
}

export interface InviteAcceptance {
  readonly outcome: 'accepted';
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly personId: Id;
}

/**
 * Why an invite was not accepted; it stays unchanged. `unknown`: there is no such invite, or the user was removed. `provider`: the invite
 * requires another identity provider. `unverified`: the provider has not verified the address. `address`: the person signed in with
 * another address than the invited one. `account`: the identity belongs to another user.
 */
export interface InviteRejection {
  readonly outcome: 'wrong';
  readonly reason:
    | 'unknown'
    | Exclude<InviteState, 'pending'>
    | 'disabled'
    | 'provider'
    | 'unverified'
    | 'address'
    | 'account';
}

export function reject(reason: InviteRejection['reason']): InviteRejection {
  return { outcome: 'wrong', reason };
}
