// The states of an invite as one table: what each means, how it follows from the stored timestamps and the time, and which actions it
// allows. An invite expires without a write.

export const inviteStates = ['pending', 'accepted', 'cancelled', 'expired'] as const;
export type InviteState = (typeof inviteStates)[number];

/** What can be attempted with an invite. */
export type InviteAction = 'acceptance' | 'cancellation';

/** `to`: the invite moves to this state; `stays`: it is returned unchanged; `refused`: the refusal code. */
export type InviteTransition =
  | { readonly to: InviteState }
  | { readonly stays: true }
  | { readonly refused: 'invite-accepted' | 'invite-cancelled' | 'invite-expired' };

interface InviteStateDefinition {
  readonly meaning: string;
  /** The condition on the columns of the table; $now is the current time. */
  readonly sql: string;
  readonly on: Readonly<Record<InviteAction, InviteTransition>>;
}

export const inviteStateDefinitions: Readonly<Record<InviteState, InviteStateDefinition>> = {
  pending: {
    meaning: 'The mailed link can be used once, by one person.',
    sql: 't.accepted_at IS NULL AND t.cancelled_at IS NULL AND t.expires_at > $now',
    on: { acceptance: { to: 'accepted' }, cancellation: { to: 'cancelled' } },
  },
  accepted: {
    meaning: 'The person signed in with it and joined the client. It cannot be used again.',
    sql: 't.accepted_at IS NOT NULL',
    on: { acceptance: { refused: 'invite-accepted' }, cancellation: { refused: 'invite-accepted' } },
  },
  cancelled: {
    meaning: 'It was cancelled on request, by a newer invite to the same client, or because the user was removed.',
    sql: 't.cancelled_at IS NOT NULL',
    on: { acceptance: { refused: 'invite-cancelled' }, cancellation: { stays: true } },
  },
  expired: {
    meaning: 'It was neither accepted nor cancelled within seven days.',
    sql: 't.accepted_at IS NULL AND t.cancelled_at IS NULL AND t.expires_at <= $now',
    on: { acceptance: { refused: 'invite-expired' }, cancellation: { refused: 'invite-expired' } },
  },
};

interface InviteTimestamps {
  readonly acceptedAt: number | null;
  readonly cancelledAt: number | null;
  readonly expiresAt: number;
}

export function inviteStateAt({ acceptedAt, cancelledAt, expiresAt }: InviteTimestamps, now: number): InviteState {
  if (acceptedAt !== null) return 'accepted';
  if (cancelledAt !== null) return 'cancelled';
  return expiresAt > now ? 'pending' : 'expired';
}
