// The authority: the consent of a legal entity that lets a custodian's data in, and the accounts and depositories that it covers.

import { instant, oneOf, text } from '../../kit/field.ts';
import { declareResource, type RecordOf } from '../../kit/resource.ts';
import { createdAt, inheritedClient } from '../shared-fields.ts';
import { authorityStates } from './authority-state.ts';
import { consentTypes, consentTypesText } from './consent-type.ts';

/** `none` until it is granted and after it has ended. */
const connectionStates = ['none', 'connected', 'broken', 'expired'] as const;

export const authority = declareResource({
  type: 'authority',
  plural: 'authorities',
  description:
    'An authority: the consent of a legal entity that a custodian sends the data of its accounts. It is granted through an auth flow and covers the accounts and depositories that it is linked to.',
  usage: {
    purpose: 'Without one, no feed fetches anything: it says which accounts may be fetched, and until when.',
    list: 'See which custodians deliver data, which connections are broken, and whose consent ends soon.',
    read: 'Look up what a consent covers, its state, and the day on which it ends.',
  },
  table: 'authority',
  owner: { relation: 'client', from: 'legalEntity' },
  attributes: {
    state: {
      kind: oneOf(authorityStates),
      description:
        'Where it is in its life: `waiting-for-files` and `waiting-for-consent` need something from the client, `awaiting-operator` and `awaiting-custodian` from others; `active` lets data in; `revoke-in-progress` until the custodian has confirmed, then `revoked`; `cancelled` if it was given up before it was granted.',
      writable: 'never',
      filter: true,
      example: 'active',
    },
    connection: {
      kind: oneOf(connectionStates),
      description:
        'Whether data comes in: `connected`, `broken` if the custodian no longer accepts the credentials or its settings name a host that consent was not given for, `expired` after `expires_at`, `none` unless it is `active`. Reconnect a broken or expired one.',
      writable: 'never',
      computed: true,
      example: 'connected',
    },
    brokenReason: {
      kind: text({ lengthMax: 500 }),
      description: 'Why the connection is broken or has ended; null while it is not.',
      writable: 'never',
      nullable: true,
    },
    brokenAt: {
      kind: instant,
      description: 'Since when the connection is broken or has ended.',
      writable: 'never',
      nullable: true,
    },
    consentType: {
      kind: oneOf(consentTypes),
      description: `How consent was given. ${consentTypesText}`,
      writable: 'never',
      nullable: true,
      example: 'signed-document',
    },
    createdAt,
    grantedAt: { kind: instant, description: 'When it was last granted.', writable: 'never', nullable: true },
    expiresAt: {
      kind: instant,
      description: 'When the consent ends; null if it does not end by itself.',
      writable: 'never',
      nullable: true,
    },
    revokedAt: { kind: instant, description: 'When it was revoked.', writable: 'never', nullable: true },
  },
  relations: {
    client: inheritedClient,
    legalEntity: {
      to: 'legal-entity',
      description: 'The legal entity that gives consent.',
      writable: 'never',
      required: true,
      filter: true,
    },
    custodian: {
      to: 'custodian',
      description: 'The custodian that sends the data.',
      writable: 'never',
      required: true,
      filter: true,
    },
    depository: {
      to: 'depository',
      description: 'The depository that consent is given for; null for everything the legal entity has there.',
      writable: 'never',
      filter: true,
    },
    accounts: {
      to: 'account',
      many: { table: 'authority_account', column: 'authority_id', otherColumn: 'account_id' },
      description: 'The accounts that it covers.',
      writable: 'never',
    },
    depositories: {
      to: 'depository',
      many: { table: 'authority_depository', column: 'authority_id', otherColumn: 'depository_id' },
      description: 'The depositories that it covers.',
      writable: 'never',
    },
  },
});

export type Authority = RecordOf<typeof authority>;

/** Whether and why data comes in or not. */
export function connectionOf(
  { state, brokenAt, expiresAt }: Pick<Authority, 'state' | 'brokenAt' | 'expiresAt'>,
  now: number,
): Authority['connection'] {
  if (state !== 'active') return 'none';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return brokenAt === null ? 'connected' : 'broken';
}
