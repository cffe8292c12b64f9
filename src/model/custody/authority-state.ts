// The states of auth flows and authorities, and the one table of what can happen in which state.

import { Refusal } from '../../kit/refusal.ts';

export const authorityStates = [
  'waiting-for-files',
  'waiting-for-consent',
  'awaiting-operator',
  'awaiting-custodian',
  'active',
  'revoke-in-progress',
  'revoked',
  'cancelled',
] as const;
export type AuthorityState = (typeof authorityStates)[number];

/** Consent is still being arranged. */
export const openStates = [
  'waiting-for-files',
  'waiting-for-consent',
  'awaiting-operator',
  'awaiting-custodian',
] as const satisfies readonly AuthorityState[];

/** Consent is given and not yet withdrawn: what it is for cannot be deleted. */
export const consentedStates = ['active', 'revoke-in-progress'] as const satisfies readonly AuthorityState[];

interface Transition {
  readonly from: readonly AuthorityState[];
  /** Null: the state stays the same. */
  readonly to: AuthorityState | null;
  /** Completes the sentence "It cannot be …". */
  readonly participle: string;
}

/**
 * An authority has the state of its first auth flow until that is granted or cancelled. A flow that reconnects an active authority
 * moves alone, and a granted flow follows its authority.
 */
export const transitions = {
  'hand-in-file': { from: openStates, to: null, participle: 'given files' },
  'complete-files': { from: ['waiting-for-files'], to: 'waiting-for-consent', participle: 'completed' },
  'give-consent': { from: ['waiting-for-consent'], to: 'awaiting-operator', participle: 'consented to' },
  'begin-redirect': {
    from: ['waiting-for-consent', 'awaiting-custodian'],
    to: 'awaiting-custodian',
    participle: 'consented to at the custodian',
  },
  'refuse-consent': { from: ['awaiting-custodian'], to: 'waiting-for-consent', participle: 'refused by the custodian' },
  'assign-operator': { from: openStates, to: null, participle: 'assigned to an operator' },
  submit: { from: ['awaiting-operator'], to: 'awaiting-custodian', participle: 'submitted to the custodian' },
  grant: { from: ['awaiting-operator', 'awaiting-custodian'], to: 'active', participle: 'granted' },
  cancel: { from: openStates, to: 'cancelled', participle: 'cancelled' },
  link: { from: ['active'], to: null, participle: 'linked to accounts and depositories' },
  unlink: { from: ['active'], to: null, participle: 'unlinked from accounts and depositories' },
  reconnect: { from: ['active'], to: null, participle: 'reconnected' },
  revoke: { from: ['active'], to: 'revoke-in-progress', participle: 'revoked' },
  'confirm-revocation': {
    from: ['revoke-in-progress'],
    to: 'revoked',
    participle: 'confirmed as revoked',
  },
} as const satisfies Record<string, Transition>;

export type AuthorityAction = keyof typeof transitions;

/** The state after an action. Refuses an action that is not possible in this state. */
export function nextState(
  what: 'auth flow' | 'authority',
  state: AuthorityState,
  action: AuthorityAction,
): AuthorityState {
  const { from, to, participle }: Transition = transitions[action];
  if (from.includes(state)) return to ?? state;
  const possible = from.map((one) => `\`${one}\``).join(', ');
  throw new Refusal(
    'state-conflict',
    `The ${what} is in the state \`${state}\` and cannot be ${participle}. That is possible in: ${possible}.`,
  );
}
