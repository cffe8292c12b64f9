// Declares the break: a difference between what a custodian states is held and what the ledger holds, from when it is found until it goes
// away.

import { calendarDate, decimal, instant, integer, oneOf, text } from '../../kit/field.ts';
import { declareResource, type RecordOf } from '../../kit/resource.ts';
import { textSet } from '../../kit/structured-field.ts';
import { namedInstrumentKind } from './named-instrument.ts';

export const breakClasses = ['missing-trade', 'quantity', 'price', 'cash', 'unknown-instrument', 'timing'] as const;
export const breakAspects = ['units', 'cash', 'price'] as const;
export const breakStates = ['open', 'accepted', 'closed'] as const;

export const reconciliationBreak = declareResource({
  type: 'reconciliation-break',
  plural: 'reconciliation-breaks',
  description:
    'A difference between what a custodian states is held at a place and what the ledger holds there, beyond the tolerance of the client. Rounds of calculation find it in the latest statement of the place, close it when it goes away and reopen it when it comes back.',
  usage: {
    purpose: 'Work through the open ones every morning: the ledger is only as right as they are few.',
    list: 'Get the list to work through: open differences, by class, place or age.',
    read: 'Look up one difference: both sides, since when, and who has accepted it.',
  },
  table: 'reconciliation_break',
  owner: { relation: 'client' },
  isAtPlaces: true,
  attributes: {
    class: {
      kind: oneOf(breakClasses),
      description:
        'What is likely behind it. `missing-trade`: one side has a transaction that the other does not have; `quantity`: both hold it, in different quantities; `price`: the same units have different prices; `cash`: the balances differ; `unknown-instrument`: the custodian names an instrument that is not in the catalogue; `timing`: transactions that are not settled yet explain it.',
      writable: 'never',
      filter: true,
    },
    state: {
      kind: oneOf(breakStates),
      description:
        '`accepted`: a person has accepted the difference; it becomes `open` again when the difference or its class changes. `closed`: it is gone. Callers set `accepted` and `open`.',
      writable: 'always',
      filter: true,
      example: 'accepted',
    },
    note: {
      kind: text({ lengthMax: 2000, lines: 'many' }),
      description: 'What people note about it.',
      writable: 'always',
      nullable: true,
      example: 'The custodian books the transfer fee at the end of the month.',
    },
    aspect: { kind: oneOf(breakAspects), description: 'What differs.', writable: 'never' },
    date: {
      kind: calendarDate,
      description: 'The day of the latest statement that shows it.',
      writable: 'never',
      filter: true,
    },
    firstDate: {
      kind: calendarDate,
      description: 'The day of the first of the statements in a row that show it.',
      writable: 'never',
    },
    ageDays: {
      kind: integer({ min: 0, max: 200_000 }),
      description: 'Days from `first_date` until today, or until it was closed.',
      writable: 'never',
      computed: true,
    },
    stated: {
      kind: decimal,
      description: 'What the custodian states: units, a balance, or a price.',
      writable: 'never',
    },
    ledger: {
      kind: decimal,
      description: 'What the ledger has; null for an instrument that is not in the catalogue.',
      writable: 'never',
      nullable: true,
    },
    difference: { kind: decimal, description: '`stated` − `ledger`.', writable: 'never' },
    currency: {
      kind: text({ lengthMax: 3 }),
      description: 'The currency of a balance or a price.',
      writable: 'never',
      nullable: true,
    },
    named: {
      kind: namedInstrumentKind,
      description: 'How the custodian names the instrument.',
      writable: 'never',
      nullable: true,
    },
    transactionIds: {
      kind: textSet({ lengthMax: 24, itemsMax: 1000 }),
      description: 'The transactions that explain a difference of timing.',
      writable: 'never',
    },
    firstSeenAt: { kind: instant, description: 'When it was found for the first time.', writable: 'never' },
    openedAt: { kind: instant, description: 'When it was found, or found again.', writable: 'never' },
    closedAt: { kind: instant, description: 'When it was gone.', writable: 'never', nullable: true },
    acceptedBy: {
      kind: text({ lengthMax: 100 }),
      description: 'The user or application that accepted it.',
      writable: 'never',
      nullable: true,
    },
    acceptedAt: { kind: instant, description: 'When it was accepted.', writable: 'never', nullable: true },
  },
  relations: {
    client: {
      to: 'client',
      description: 'The client whose holdings differ.',
      writable: 'never',
      required: true,
      filter: true,
    },
    account: { to: 'account', description: 'The account.', writable: 'never', filter: true },
    depository: { to: 'depository', description: 'The depository.', writable: 'never', filter: true },
    instrument: {
      to: 'instrument',
      description: 'The instrument; null for cash, and where it is unknown.',
      writable: 'never',
      filter: true,
    },
    round: {
      to: 'calculation-round',
      description: 'The round of calculation that found it last. Once the break is closed, it may have been deleted.',
      writable: 'never',
    },
  },
});

export type ReconciliationBreak = RecordOf<typeof reconciliationBreak>;
