// The states of an invite, as one table: what each means, what it is told by, and what leads out of it. What has been stored and the
// moment decide which one an invite is in; the passing of time is no write.

export const inviteStates = ['pending', 'accepted', 'cancelled', 'expired'] as const;
export type InviteState = (typeof inviteStates)[number];

/** What may be tried on an invite. */
export type InviteAction = 'acceptance' | 'cancellation';

/** `to`: it is in another state then; `stays`: it is answered as it is; `refused`: with this code. */
export type InviteTransition =
  | { readonly to: InviteState }
  | { readonly stays: true }
  | { readonly refused: 'invite-accepted' | 'invite-cancelled' | 'invite-expired' };

interface InviteStateDefinition {
  readonly meaning: string;
  /** The same over the columns of the table; $now is the moment. */
  readonly sql: string;
  readonly on: Readonly<Record<InviteAction, InviteTransition>>;
}

export const inviteStateDefinitions: Readonly<Record<InviteState, InviteStateDefinition>> = {
  pending: {
    meaning: 'The link that was mailed lets one person in, once.',
    sql: 't.accepted_at IS NULL AND t.cancelled_at IS NULL AND t.expires_at > $now',
    on: { acceptance: { to: 'accepted' }, cancellation: { to: 'cancelled' } },
  },
  accepted: {
    meaning: 'The person has signed in through it and has joined the client. It is used up.',
    sql: 't.accepted_at IS NOT NULL',
    on: { acceptance: { refused: 'invite-accepted' }, cancellation: { refused: 'invite-accepted' } },
  },
  cancelled: {
    meaning: 'It was taken back: by a cancellation, by a newer invite to the same client, or with the user.',
    sql: 't.cancelled_at IS NOT NULL',
    on: { acceptance: { refused: 'invite-cancelled' }, cancellation: { stays: true } },
  },
  expired: {
    meaning: 'Seven days went by and it was neither accepted nor cancelled.',
    sql: 't.accepted_at IS NULL AND t.cancelled_at IS NULL AND t.expires_at <= $now',
    on: { acceptance: { refused: 'invite-expired' }, cancellation: { refused: 'invite-expired' } },
  },
};

export interface InviteTimestamps {
  readonly acceptedAt: number | null;
  readonly cancelledAt: number | null;
  readonly expiresAt: number;
}

export function inviteStateAt({ acceptedAt, cancelledAt, expiresAt }: InviteTimestamps, now: number): InviteState {
  if (acceptedAt !== null) return 'accepted';
  if (cancelledAt !== null) return 'cancelled';
  return expiresAt > now ? 'pending' : 'expired';
}

function transitionText(transition: InviteTransition): string {
  if ('to' in transition) return `→ \`${transition.to}\``;
  return 'stays' in transition ? 'stays as it is' : `refused: \`${transition.refused}\``;
}

/** The table as documents show it. */
export function inviteStatesMarkdown(): string {
  const rows = inviteStates.map((state) => {
    const { meaning, on } = inviteStateDefinitions[state];
    const expiry = state === 'pending' ? '→ `expired`' : '';
    return `| \`${state}\` | ${meaning} | ${transitionText(on.acceptance)} | ${transitionText(on.cancellation)} | ${expiry} |`;
  });
  return ['| State | Meaning | Acceptance | Cancellation | `expires_at` |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}
