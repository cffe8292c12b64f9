// Refusals for what is well-formed and allowed, and at odds with what is there.

import type { RefusalKind } from './refusal-kind.ts';

export const conflictRefusals = {
  'client-has-live-data': {
    status: 409,
    title: 'Client has live data',
    meaning:
      'A client can only be deleted when nothing belongs to it any more. The detail says what remains and how many.',
  },
  'legal-entity-in-use': {
    status: 409,
    title: 'Legal entity in use',
    meaning:
      'A legal entity can be deleted once no accounts and depositories belong to it. The detail says what remains and how many.',
  },
  'depository-in-use': {
    status: 409,
    title: 'Depository in use',
    meaning:
      'A depository can be deleted once no accounts are linked to it and no transactions name it. The detail says what remains and how many.',
  },
  'reporting-entity-in-use': {
    status: 409,
    title: 'Reporting entity in use',
    meaning:
      'A reporting entity can be deleted once it has no portfolios, no private instruments, no limits of its own and nobody who may read it. The detail says what remains and how many.',
  },
  'custodian-in-use': {
    status: 409,
    title: 'Custodian in use',
    meaning: 'A custodian can be deleted once it keeps no accounts. The detail says what remains and how many.',
  },
  'custodian-exists': {
    status: 409,
    title: 'Custodian exists',
    meaning: 'Another custodian of the workspace is called so, whatever the case of the letters.',
  },
  'user-exists': {
    status: 409,
    title: 'User exists',
    meaning: 'Somebody with this address is a member of the client already. The detail names the user.',
  },
  'address-taken': {
    status: 409,
    title: 'Address taken',
    meaning: 'The address is that of another user of the environment. The detail names that user.',
  },
  'user-disabled': {
    status: 409,
    title: 'User disabled',
    meaning: 'Whoever is disabled at a client cannot be invited to it. Enable the user first.',
  },
  'invite-accepted': {
    status: 409,
    title: 'Invite accepted',
    meaning: 'The invite has been accepted and cannot be cancelled any more. Disable or delete the user instead.',
  },
  'invite-cancelled': {
    status: 409,
    title: 'Invite cancelled',
    meaning: 'The invite has been cancelled. Another one can be sent.',
  },
  'invite-expired': {
    status: 409,
    title: 'Invite expired',
    meaning: 'The invite is more than seven days old: nobody can accept it, and there is nothing left to cancel.',
  },
  'tree-too-large': {
    status: 409,
    title: 'Tree too large',
    meaning:
      'The structure of this client has more than 50,000 things or 100 levels of clients, which is too much for one answer. Ask for the trees of its children, or walk the lists.',
  },
  'type-mismatch': {
    status: 409,
    title: 'Wrong type',
    meaning: 'The `type` of the document is not the one this path is for.',
  },
  'id-mismatch': { status: 409, title: 'Wrong id', meaning: 'The `id` of the document is not the one in the path.' },
  'external-reference-taken': {
    status: 409,
    title: 'External reference taken',
    meaning: 'Another transaction of the same account and source has this reference.',
  },
  'account-in-use': {
    status: 409,
    title: 'Account in use',
    meaning:
      'An account can be deleted once no transactions are booked against it. The detail says what remains and how many.',
  },
  'instrument-in-use': {
    status: 409,
    title: 'Instrument in use',
    meaning: 'An instrument can only be deleted when nothing refers to it. The detail names what does and how many.',
  },
  'instrument-class-in-use': {
    status: 409,
    title: 'Instrument class in use',
    meaning:
      'A class can only be deleted when there is no class below it and no instrument of it. The detail says how many there are.',
  },
  'instrument-class-exists': {
    status: 409,
    title: 'Instrument class exists',
    meaning: 'Another class below the same parent is called so.',
  },
  'parent-cycle': {
    status: 409,
    title: 'Parent cycle',
    meaning: 'Neither a client nor a class of instruments can be placed below itself or below one of its descendants.',
  },
  'webhook-disabled': {
    status: 409,
    title: 'Webhook disabled',
    meaning: 'Nothing is sent to a webhook that is disabled. Change its `state` to `enabled` first.',
  },
  'webhook-without-secret': {
    status: 409,
    title: 'Webhook without a secret',
    meaning:
      'Webhooks of the scheme `standard` are signed with the keys of the workspace, which are rotated for all of them.',
  },
  'delivery-pending': {
    status: 409,
    title: 'Delivery pending',
    meaning: 'The delivery is still to be made. What was delivered or given up can be replayed.',
  },
  'idempotency-key-reused': {
    status: 409,
    title: 'Idempotency key reused',
    meaning: 'This `Idempotency-Key` has been used with another request or by another caller.',
  },
} as const satisfies Record<string, RefusalKind>;
