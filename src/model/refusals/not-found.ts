// Refusals for things that are not there, or not there for whoever asks: the two cannot be told apart.

import type { RefusalKind } from './refusal-kind.ts';

export const notFoundRefusals = {
  'legal-entity-not-found': {
    status: 404,
    title: 'Legal entity not found',
    meaning: 'There is no such legal entity, it has been deleted, or it belongs to somebody else.',
  },
  'account-not-found': {
    status: 404,
    title: 'Account not found',
    meaning: 'There is no such account, it has been deleted, or it belongs to somebody else.',
  },
  'depository-not-found': {
    status: 404,
    title: 'Depository not found',
    meaning: 'There is no such depository, it has been deleted, or it belongs to somebody else.',
  },
  'reporting-entity-not-found': {
    status: 404,
    title: 'Reporting entity not found',
    meaning: 'There is no such reporting entity, it has been deleted, or it belongs to somebody else.',
  },
  'portfolio-not-found': {
    status: 404,
    title: 'Portfolio not found',
    meaning: 'There is no such portfolio, it has been deleted, or it belongs to somebody else.',
  },
  'custodian-not-found': {
    status: 404,
    title: 'Custodian not found',
    meaning: 'There is no such custodian, or it has been deleted.',
  },
  'instrument-not-found': {
    status: 404,
    title: 'Instrument not found',
    meaning: 'There is no such instrument, it has been deleted, or it is private to somebody else.',
  },
  'instrument-class-not-found': {
    status: 404,
    title: 'Instrument class not found',
    meaning: 'There is no such class of instruments, or it has been deleted.',
  },
  'price-not-found': {
    status: 404,
    title: 'Price not found',
    meaning: 'There is no such price, it has been deleted, or its instrument belongs to somebody else.',
  },
  'net-asset-value-not-found': {
    status: 404,
    title: 'Net asset value not found',
    meaning: 'There is no such net asset value, it has been deleted, or its instrument belongs to somebody else.',
  },
  'interest-rate-not-found': {
    status: 404,
    title: 'Interest rate not found',
    meaning: 'There is no such interest rate, it has been deleted, or its instrument belongs to somebody else.',
  },
  'index-factor-not-found': {
    status: 404,
    title: 'Index factor not found',
    meaning: 'There is no such index factor, it has been deleted, or its instrument belongs to somebody else.',
  },
  'fx-rate-not-found': {
    status: 404,
    title: 'FX rate not found',
    meaning: 'There is no such exchange rate, or it has been deleted.',
  },
  'limit-not-found': {
    status: 404,
    title: 'Limit not found',
    meaning: 'There is no such limit, it has been deleted, or it belongs to somebody else.',
  },
  'calculation-round-not-found': {
    status: 404,
    title: 'Calculation round not found',
    meaning: 'There is no such round of calculation, or it is of somebody else.',
  },
  'limit-breach-not-found': {
    status: 404,
    title: 'Limit breach not found',
    meaning: 'There is no such breach of a limit, or it belongs to somebody else.',
  },
  'application-not-found': {
    status: 404,
    title: 'Application not found',
    meaning: 'There is no such application, it has been deleted, or it belongs to somebody else.',
  },
  'key-not-found': {
    status: 404,
    title: 'Key not found',
    meaning: 'There is no such key, it has been deleted, or it belongs to somebody else.',
  },
  'audit-entry-not-found': {
    status: 404,
    title: 'Audit entry not found',
    meaning: 'There is no such line in the audit log, or it concerns somebody else.',
  },
  'transaction-not-found': {
    status: 404,
    title: 'Transaction not found',
    meaning: 'There is no such transaction, it has been deleted, or it belongs to somebody else.',
  },
  'user-not-found': {
    status: 404,
    title: 'User not found',
    meaning: 'There is no such user, they have been deleted, or they belong to clients of somebody else.',
  },
  'invite-not-found': {
    status: 404,
    title: 'Invite not found',
    meaning: 'There is no such invite, or it is to a client of somebody else.',
  },
  'webhook-not-found': {
    status: 404,
    title: 'Webhook not found',
    meaning: 'There is no such webhook, it has been deleted, or it belongs to somebody else.',
  },
  'delivery-not-found': {
    status: 404,
    title: 'Delivery not found',
    meaning: 'There is no such delivery, its webhook has been deleted, or it belongs to somebody else.',
  },
  'event-not-found': {
    status: 404,
    title: 'Event not found',
    meaning: 'There is no such event, or it is of somebody else.',
  },
  'historical-holding-not-found': {
    status: 404,
    title: 'Historical holding not found',
    meaning: 'There is no such historical holding, it has been deleted, or it belongs to somebody else.',
  },
} as const satisfies Record<string, RefusalKind>;
