// The client: the unit of onboarding and the boundary of permissions. Nearly every other record belongs to one.

import { instant, oneOf, text } from '../../kit/field.ts';
import { declareResource, type RecordOf } from '../../kit/resource.ts';
import { reconciliationSettingsKind } from '../custody/reconciliation-settings.ts';
import { currentCurrencyCode } from '../currency.ts';
import { consentedStates } from '../custody/authority-state.ts';
import { accountingMethods } from './accounting-method.ts';
import { figureSettings } from './figure-settings.ts';

export const client = declareResource({
  type: 'client',
  plural: 'clients',
  description: 'A client: the unit of onboarding. Clients form a hierarchy of parents and children.',
  usage: {
    purpose:
      'Everything of one family, foundation or mandate is below one client: its legal entities, reporting entities, limits and people.',
    list: 'Find the client to work with. A token that is bound to one client lists that client and its descendants.',
    read: 'Look up the settings that all reports of a client follow: its currency, and the method by which sales use up lots.',
    create:
      'The first step of onboarding: one client for each family or mandate, below a parent if the office groups them. It says in which currency reports are and how lots are used up.',
    change:
      'Rename a client, move it below another parent, or correct its settings where they can be changed. Another accounting method or currency gives all its reports other figures.',
    delete:
      'Remove a client that was created by mistake. Everything below it has to be deleted first, so that nobody loses a history by one request.',
  },
  table: 'client',
  owner: 'self',
  history: { cause: 'setting', ignoredFields: ['name', 'parent', 'path'] },
  attributes: {
    name: {
      kind: text({ lengthMax: 200 }),
      description: 'Free-form display name.',
      writable: 'always',
      required: true,
      example: 'Lindqvist Family',
    },
    referenceCurrency: {
      kind: currentCurrencyCode,
      description:
        "ISO 4217 code of the currency of all consolidated reports. When it is not sent: that of the parent, else the workspace's default.",
      writable: 'always',
      example: 'CHF',
    },
    accountingMethod: {
      kind: oneOf(accountingMethods),
      description:
        'How sales are matched with lots where the custodian does not say. When it is not sent: that of the parent, else `FIFO`.',
      writable: 'always',
      example: 'FIFO',
    },
    ...figureSettings,
    reconciliation: {
      kind: reconciliationSettingsKind,
      description:
        "By how much custodians' statements may differ from the ledger before the difference is a break. A change replaces the members that are sent. When it is not sent: that of the parent.",
      writable: 'always',
      example: { unitsTolerance: '0', cashTolerance: '1', priceTolerance: '0.01', settlementDays: 5 },
    },
    createdAt: { kind: instant, description: 'When it was created.', writable: 'never' },
  },
  relations: {
    parent: {
      to: 'client',
      description: 'The parent client; null for a root. Replacing it moves the client with all its descendants.',
      writable: 'always',
      filter: true,
    },
    children: {
      to: 'client',
      many: { table: 'client', column: 'parent_id', otherColumn: 'id' },
      description: 'Its child clients.',
      writable: 'never',
    },
    legalEntities: {
      to: 'legal-entity',
      many: { table: 'legal_entity', column: 'client_id', otherColumn: 'id' },
      description: 'The legal entities that own its wealth.',
      writable: 'never',
    },
    reportingEntities: {
      to: 'reporting-entity',
      many: { table: 'reporting_entity', column: 'client_id', otherColumn: 'id' },
      description: 'The reporting entities that divide its wealth for reports.',
      writable: 'never',
    },
  },
  deletion: {
    code: 'client-has-live-data',
    blockedBy: [
      { one: 'client', several: 'clients', table: 'client', column: 'parent_id' },
      { one: 'legal entity', several: 'legal entities', table: 'legal_entity', column: 'client_id' },
      { one: 'account', several: 'accounts', table: 'account', column: 'client_id' },
      { one: 'depository', several: 'depositories', table: 'depository', column: 'client_id' },
      {
        one: 'transaction',
        several: 'transactions',
        table: 'transaction',
        column: 'client_id',
        currentBy: 'known_until',
      },
      { one: 'private instrument', several: 'private instruments', table: 'instrument', column: 'client_id' },
      {
        one: 'application or key',
        several: 'applications and keys',
        table: 'credential',
        column: 'scoped_to_id',
      },
      { one: 'webhook', several: 'webhooks', table: 'webhook', column: 'client_id' },
      {
        one: 'custodian authority',
        several: 'custodian authorities',
        table: 'authority',
        column: 'client_id',
        states: consentedStates,
      },
    ],
  },
});

export type Client = RecordOf<typeof client>;
