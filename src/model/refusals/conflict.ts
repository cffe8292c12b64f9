// Refusals of valid and permitted requests that conflict with the present state.

import type { RefusalKind } from './refusal-kind.ts';

export const conflictRefusals = {
  'import-not-possible': {
    status: 409,
    title: 'Not possible in this state of the import',
    meaning:
      'An import is checked again while it is checked, booked while it is checked or booked, undone while it is booked, and deleted while it is checked or undone. The detail says what state it is in.',
  },
  'cash-without-trades': {
    status: 409,
    title: 'Cash without its trades',
    meaning:
      'Trades of a file wait, and rows of cash in the same accounts would be booked without them. Nothing was booked. Create or map what the trades name, or send `cash_alone=true` to book the rows that can be booked.',
  },
  'feed-running': {
    status: 409,
    title: 'The feed is running',
    meaning:
      'A run of this feed is under way, so no other one was begun. The detail names it. Read it to see how far it is, and ask again once it is finished.',
  },
  'feed-not-possible': {
    status: 409,
    title: 'The feed cannot run',
    meaning:
      'Nothing can be fetched for this authority now: it is not active, its consent has ended or is no longer accepted, or its custodian has no connector. The detail says which of these it is, and what to do.',
  },
  'import-quota-reached': {
    status: 409,
    title: 'Quota of imports reached',
    meaning:
      'The imports of the workspace take as many rows or bytes as its operator allows. Nothing was imported. Delete imports that are checked or undone, or ask the operator for a larger quota.',
  },
  'storage-quota-reached': {
    status: 409,
    title: 'Quota of storage reached',
    meaning:
      'The rows of the workspace take as much storage in this environment as its operator allows. Nothing was changed. Reading, deleting and undoing go on. Delete what is not needed, which counts within some minutes, or ask the operator for a larger quota.',
  },
  'client-has-live-data': {
    status: 409,
    title: 'Client has live data',
    meaning:
      'A client can be deleted only when it has no clients below it, legal entities, accounts, transactions and active custodian authorities, and when no private instruments, webhooks, applications and keys belong to it. Its limits, portfolios and reporting entities go with it. The detail says what remains, with counts.',
  },
  'legal-entity-in-use': {
    status: 409,
    title: 'Legal entity in use',
    meaning:
      'A legal entity can be deleted only when no accounts, depositories and active custodian authorities belong to it. An authority that was never active goes with it. The detail says what remains, with counts.',
  },
  'depository-in-use': {
    status: 409,
    title: 'Depository in use',
    meaning:
      'A depository can be deleted only when no accounts are linked to it, no transactions and historical holdings name it, and no active custodian authority is attached to it. The detail says what remains, with counts.',
  },
  'reporting-entity-in-use': {
    status: 409,
    title: 'Reporting entity in use',
    meaning:
      'A reporting entity can be deleted only when it has no portfolios, private instruments, limits or readers. The detail says what remains, with counts.',
  },
  'custodian-in-use': {
    status: 409,
    title: 'Custodian in use',
    meaning:
      'A custodian can be deleted only when no accounts are held with it and no authority names it. The detail says what remains, with counts.',
  },
  'named-by-limits': {
    status: 409,
    title: 'Named by limits',
    meaning:
      'The filter of a limit names the record, so that the limit could not be evaluated without it. The detail names the limits. Change or delete them first.',
  },
  'sandbox-full': {
    status: 409,
    title: 'Sandbox full',
    meaning:
      'The sandbox of a workspace has at most 50 clients that were made by persona. Delete those that are not needed any more.',
  },
  'sandbox-client-changed': {
    status: 409,
    title: 'Client of the sandbox changed',
    meaning:
      'Something that the persona needs to go on, such as one of its accounts, was changed or deleted. The detail says what. Make a new client.',
  },
  'state-conflict': {
    status: 409,
    title: 'Not possible in this state',
    meaning:
      'The auth flow or authority is in a state in which this is not possible. The detail says in which states it is.',
  },
  'different-legal-entity': {
    status: 409,
    title: 'Different legal entity',
    meaning: 'An authority covers only accounts and depositories of the legal entity that has given consent.',
  },
  'different-custodian': {
    status: 409,
    title: 'Different custodian',
    meaning:
      'The account is kept by another custodian than that of the authority. An account that is linked to an authority keeps its custodian until it is unlinked.',
  },
  'already-linked': {
    status: 409,
    title: 'Already linked',
    meaning:
      'Another authority covers this account or depository. The detail names it: unlink it there, or revoke that authority.',
  },
  'connector-missing': {
    status: 409,
    title: 'No connector',
    meaning:
      "Consent on the custodian's pages needs a connector that can begin it. Set the custodian's connector and its addresses first.",
  },
  'too-many-files': {
    status: 409,
    title: 'Too many files',
    meaning:
      'The auth flow has as many files as it can take. Cancel it and start another one, or hand in one file for several.',
  },
  'custodian-exists': {
    status: 409,
    title: 'Custodian exists',
    meaning:
      'Another custodian of the workspace has this name; upper and lower case make no difference. Use the existing one, or choose another name.',
  },
  'identifier-mapping-exists': {
    status: 409,
    title: 'Identifier mapping exists',
    meaning:
      'The same word of the same client and custodian is mapped already. Change the existing mapping, which the detail names, or delete it.',
  },
  'import-profile-read-only': {
    status: 409,
    title: 'Import profile read-only',
    meaning:
      'The profile is shipped with the service and cannot be changed or deleted. Create one of your own with its fields, and change that.',
  },
  'too-many-import-profiles': {
    status: 409,
    title: 'Too many import profiles',
    meaning:
      'A workspace has a limited number of mapping profiles. The detail says how many; delete one that is no longer needed.',
  },
  'break-closed': {
    status: 409,
    title: 'Break closed',
    meaning:
      'The break is closed, because both sides agree. Only its note can be changed; it opens by itself when the difference comes back.',
  },
  'administrator-exists': {
    status: 409,
    title: 'Administrator exists',
    meaning: 'The person with this address already administers the workspace. The detail names the person.',
  },
  'too-many-administrators': {
    status: 409,
    title: 'Too many administrators',
    meaning:
      'A workspace has a limited number of administrators in each environment, invited ones included. The detail says how many; remove one who no longer needs the role.',
  },
  'last-administrator': {
    status: 409,
    title: 'Last administrator',
    meaning:
      'People cannot remove the last administrator of a workspace. Add another first, or remove this one with an application or key.',
  },
  'user-exists': {
    status: 409,
    title: 'User exists',
    meaning: 'A user with this address is already a member of the client. The detail names the user.',
  },
  'address-taken': {
    status: 409,
    title: 'Address taken',
    meaning: 'Another user of the environment has this address. The detail names that user.',
  },
  'user-disabled': {
    status: 409,
    title: 'User disabled',
    meaning: 'The user is disabled at this client and cannot be invited to it. Enable the user first.',
  },
  'invite-accepted': {
    status: 409,
    title: 'Invite accepted',
    meaning: 'The invite was accepted and can no longer be cancelled. Disable or delete the user instead.',
  },
  'invite-cancelled': {
    status: 409,
    title: 'Invite cancelled',
    meaning: 'The invite was cancelled. Send a new one.',
  },
  'invite-expired': {
    status: 409,
    title: 'Invite expired',
    meaning: 'The invite is more than seven days old: it can be neither accepted nor cancelled. Send a new one.',
  },
  'tree-too-large': {
    status: 409,
    title: 'Tree too large',
    meaning:
      'The structure of this client has more than 50,000 records or 100 levels of clients, which is too much for one answer. Request the trees of its children, or use the lists.',
  },
  'type-mismatch': {
    status: 409,
    title: 'Wrong type',
    meaning: 'The `type` of the document is not the one that this path expects.',
  },
  'id-mismatch': { status: 409, title: 'Wrong id', meaning: 'The `id` of the document is not the one in the path.' },
  'external-reference-taken': {
    status: 409,
    title: 'External reference taken',
    meaning:
      'Another transaction of the same account and source has this reference. It may have been booked before; otherwise choose another reference.',
  },
  'account-in-use': {
    status: 409,
    title: 'Account in use',
    meaning:
      'An account can be deleted only when no transactions are booked on it. The detail says what remains, with counts.',
  },
  'instrument-in-use': {
    status: 409,
    title: 'Instrument in use',
    meaning: 'An instrument can be deleted only when nothing refers to it. The detail says what does, with counts.',
  },
  'instrument-exists': {
    status: 409,
    title: 'Instrument exists',
    meaning:
      'Another instrument of the same catalogue has this ISIN or CUSIP. The detail names it: use that instrument, or correct the code. An external identifier that is an ISIN or a CUSIP is compared with instruments of the same type.',
  },
  'instrument-read-only': {
    status: 409,
    title: 'Instrument read-only',
    meaning:
      'The service provides cash, fees owed and unidentified units as instruments by itself: they cannot be changed or deleted. Cash can be given interest rates.',
  },
  'instrument-class-in-use': {
    status: 409,
    title: 'Instrument class in use',
    meaning:
      'A class can be deleted only when it has no subclasses and no instruments. The detail says what remains, with counts.',
  },
  'instrument-class-exists': {
    status: 409,
    title: 'Instrument class exists',
    meaning: 'Another class below the same parent has this name. Use the existing one, or choose another name.',
  },
  'parent-cycle': {
    status: 409,
    title: 'Parent cycle',
    meaning:
      'A client or class of instruments cannot be moved below itself or one of its descendants. Choose another parent.',
  },
  'webhook-disabled': {
    status: 409,
    title: 'Webhook disabled',
    meaning: 'A disabled webhook receives nothing. Set its `state` to `enabled` first.',
  },
  'webhook-without-secret': {
    status: 409,
    title: 'Webhook without a secret',
    meaning:
      'Webhooks with the scheme `standard` have no secret of their own: they are signed with the keys of the workspace. Rotate those keys instead.',
  },
  'delivery-pending': {
    status: 409,
    title: 'Delivery pending',
    meaning: 'The delivery is still pending. Only deliveries that succeeded or were given up can be replayed.',
  },
  'idempotency-key-reused': {
    status: 409,
    title: 'Idempotency key reused',
    meaning: 'This `Idempotency-Key` was used with a different request. Use a new key for each request.',
  },
} as const satisfies Record<string, RefusalKind>;
