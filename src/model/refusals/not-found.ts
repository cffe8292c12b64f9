// Refusals for records that do not exist or that the caller cannot see: an answer does not reveal which.

import type { RefusalKind } from './refusal-kind.ts';

export const notFoundRefusals = {
  'legal-entity-not-found': {
    status: 404,
    title: 'Legal entity not found',
    meaning: 'There is no such legal entity, it was deleted, or the caller cannot see it.',
  },
  'account-not-found': {
    status: 404,
    title: 'Account not found',
    meaning: 'There is no such account, it was deleted, or the caller cannot see it.',
  },
  'depository-not-found': {
    status: 404,
    title: 'Depository not found',
    meaning: 'There is no such depository, it was deleted, or the caller cannot see it.',
  },
  'reporting-entity-not-found': {
    status: 404,
    title: 'Reporting entity not found',
    meaning: 'There is no such reporting entity, it was deleted, or the caller cannot see it.',
  },
  'portfolio-not-found': {
    status: 404,
    title: 'Portfolio not found',
    meaning: 'There is no such portfolio, it was deleted, or the caller cannot see it.',
  },
  'sandbox-client-not-found': {
    status: 404,
    title: 'Client of the sandbox not found',
    meaning: 'There is no such client, it was deleted, the caller cannot see it, or it was not made by the sandbox.',
  },
  'reconciliation-break-not-found': {
    status: 404,
    title: 'Break not found',
    meaning: 'There is no such break, or the caller cannot see it.',
  },
  'custodian-not-found': {
    status: 404,
    title: 'Custodian not found',
    meaning: 'There is no such custodian, or it was deleted.',
  },
  'auth-flow-not-found': {
    status: 404,
    title: 'Auth flow not found',
    meaning: 'There is no such auth flow, or the caller cannot see it.',
  },
  'auth-flow-file-not-found': {
    status: 404,
    title: 'Auth flow file not found',
    meaning: 'The auth flow has no such file, or the caller cannot see it.',
  },
  'authority-not-found': {
    status: 404,
    title: 'Authority not found',
    meaning: 'There is no such authority, or the caller cannot see it.',
  },
  'identifier-mapping-not-found': {
    status: 404,
    title: 'Identifier mapping not found',
    meaning: 'There is no such identifier mapping, it was deleted, or the caller cannot see it.',
  },
  'import-profile-not-found': {
    status: 404,
    title: 'Import profile not found',
    meaning: 'There is no such mapping profile, or it was deleted.',
  },
  'instrument-not-found': {
    status: 404,
    title: 'Instrument not found',
    meaning: 'There is no such instrument, it was deleted, or it is private and the caller cannot see it.',
  },
  'instrument-class-not-found': {
    status: 404,
    title: 'Instrument class not found',
    meaning: 'There is no such class of instruments, or it was deleted.',
  },
  'price-not-found': {
    status: 404,
    title: 'Price not found',
    meaning: 'There is no such price, it was deleted, or the caller cannot see its instrument.',
  },
  'net-asset-value-not-found': {
    status: 404,
    title: 'Net asset value not found',
    meaning: 'There is no such net asset value, it was deleted, or the caller cannot see its instrument.',
  },
  'interest-rate-not-found': {
    status: 404,
    title: 'Interest rate not found',
    meaning: 'There is no such interest rate, it was deleted, or the caller cannot see its instrument.',
  },
  'index-factor-not-found': {
    status: 404,
    title: 'Index factor not found',
    meaning: 'There is no such index factor, it was deleted, or the caller cannot see its instrument.',
  },
  'fx-rate-not-found': {
    status: 404,
    title: 'FX rate not found',
    meaning: 'There is no such exchange rate, or it was deleted.',
  },
  'import-not-found': {
    status: 404,
    title: 'Import not found',
    meaning: 'There is no such import, or the caller cannot see it.',
  },
  'limit-not-found': {
    status: 404,
    title: 'Limit not found',
    meaning: 'There is no such limit, it was deleted, or the caller cannot see it.',
  },
  'feed-run-not-found': {
    status: 404,
    title: 'Run of a feed not found',
    meaning: 'There is no such run of a feed, or the caller cannot see it.',
  },
  'calculation-round-not-found': {
    status: 404,
    title: 'Calculation round not found',
    meaning: 'There is no such calculation round, or the caller cannot see it.',
  },
  'limit-breach-not-found': {
    status: 404,
    title: 'Limit breach not found',
    meaning: 'There is no such limit breach, or the caller cannot see it.',
  },
  'application-not-found': {
    status: 404,
    title: 'Application not found',
    meaning: 'There is no such application, it was deleted, or the caller cannot see it.',
  },
  'key-not-found': {
    status: 404,
    title: 'Key not found',
    meaning: 'There is no such key, it was deleted, or the caller cannot see it.',
  },
  'audit-entry-not-found': {
    status: 404,
    title: 'Audit entry not found',
    meaning: 'There is no such entry in the audit log, or the caller cannot see it.',
  },
  'transaction-not-found': {
    status: 404,
    title: 'Transaction not found',
    meaning: 'There is no such transaction, it was deleted, or the caller cannot see it.',
  },
  'administrator-not-found': {
    status: 404,
    title: 'Administrator not found',
    meaning: 'There is no such administrator in this workspace and environment, or the role was taken away.',
  },
  'session-not-found': {
    status: 404,
    title: 'Session not found',
    meaning: 'There is no such session of the caller, or it has ended.',
  },
  'user-not-found': {
    status: 404,
    title: 'User not found',
    meaning: 'There is no such user, the user was deleted, or the caller cannot see the user.',
  },
  'invite-not-found': {
    status: 404,
    title: 'Invite not found',
    meaning: 'There is no such invite, or the caller cannot see it.',
  },
  'webhook-not-found': {
    status: 404,
    title: 'Webhook not found',
    meaning: 'There is no such webhook, it was deleted, or the caller cannot see it.',
  },
  'delivery-not-found': {
    status: 404,
    title: 'Delivery not found',
    meaning: 'There is no such delivery, its webhook was deleted, or the caller cannot see it.',
  },
  'event-not-found': {
    status: 404,
    title: 'Event not found',
    meaning: 'There is no such event, or the caller cannot see it.',
  },
  'historical-holding-not-found': {
    status: 404,
    title: 'Historical holding not found',
    meaning: 'There is no such historical holding, it was deleted, or the caller cannot see it.',
  },
} as const satisfies Record<string, RefusalKind>;
