// Declares the client that the sandbox has made, and what callers send to make one or to move its clock.

import { calendarDate, id, instant, integer, oneOf, text } from '../../kit/field.ts';
import { listOf, objectOf } from '../../kit/structured-field.ts';
import { declareResource, type ChangeOf, type RecordOf } from '../../kit/resource.ts';
import { personaKeys, sandboxCurrencies } from './persona.ts';

export const sandboxYearsMax = 10;
export const sandboxClientsMax = 50;
export const advanceDaysMax = 366;

const seed = integer({ min: 0, max: 2_147_483_647 });

/** The resources that are made for a client. */
export const madeTypes = [
  'legal-entity',
  'depository',
  'account',
  'reporting-entity',
  'portfolio',
  'instrument',
  'limit',
] as const;
export type MadeType = (typeof madeTypes)[number];

const madeRecord = objectOf({
  type: { kind: oneOf(madeTypes), description: 'What it is.' },
  key: {
    kind: text({ lengthMax: 64 }),
    description: 'What the persona calls it: the same for every client of the persona.',
  },
  id: { kind: id, description: 'Its id.' },
});

export const sandboxClient = declareResource({
  type: 'sandbox-client',
  plural: 'sandbox-clients',
  description:
    'A client that the sandbox has made by a persona, with everything below it. Its id is that of the client, so that it is read and changed as any other.',
  usage: {
    purpose:
      'For trying out the service and for test suites: years of exact data in one request, the same for the same persona, seed and days, and a clock that moves when you say so. In the sandbox environment only.',
    list: 'See which clients the sandbox has made, and up to which day each has data.',
    read: 'Look up the ids of what was made for a client, and the day that its clock shows.',
    delete:
      'Remove the client whole, with its transactions, structure, limits and private instruments, for example at the end of a test. Its figures of the past stay in the audit log and in versions, as with any deletion; shared instruments, prices and rates stay for the other clients.',
  },
  table: 'sandbox_client',
  owner: { relation: 'client' },
  attributes: {
    persona: {
      kind: oneOf(personaKeys),
      description: 'The persona.',
      writable: 'never',
      example: 'foundation',
    },
    reportingCurrency: {
      kind: oneOf(sandboxCurrencies),
      description: 'The currency of its reports, and of its main account.',
      writable: 'never',
    },
    seed: { kind: seed, description: 'What its random numbers begin with.', writable: 'never' },
    startDate: { kind: calendarDate, description: 'The first day with data.', writable: 'never' },
    endDate: {
      kind: calendarDate,
      description: 'The last day that has happened: what its clock shows. Advance moves it.',
      writable: 'never',
    },
    records: {
      kind: listOf(madeRecord, { itemsMax: 1_000 }),
      description:
        'What it consists of, by keys that do not change: legal entities, accounts, reporting entities, portfolios, limits, and the instruments it trades, private ones and those that all clients of the sandbox share.',
      writable: 'never',
    },
    createdAt: { kind: instant, description: 'When it was made.', writable: 'never' },
  },
  relations: {
    client: { to: 'client', description: 'The client itself.', writable: 'never', required: true },
  },
});

export type SandboxClient = RecordOf<typeof sandboxClient>;
export type MadeRecord = SandboxClient['records'][number];

const inputField = { writable: 'at-creation' } as const;
/** The declaration of a resource needs these. */
const unstored = { table: 'sandbox_client', owner: 'workspace', relations: {} } as const;

export const newSandboxClient = declareResource({
  ...unstored,
  type: 'new-sandbox-client',
  plural: 'new-sandbox-clients',
  description: 'A client that the sandbox is to make.',
  attributes: {
    persona: {
      ...inputField,
      kind: oneOf(personaKeys),
      description: 'What kind of client; the list of personas describes them.',
      required: true,
      example: 'foundation',
    },
    name: { ...inputField, kind: text({ lengthMax: 200 }), description: 'Its name. Default: that of the persona.' },
    reportingCurrency: {
      ...inputField,
      kind: oneOf(sandboxCurrencies),
      description: 'The currency of its reports, and of its main account. Default: that of the persona.',
    },
    years: {
      ...inputField,
      kind: integer({ min: 1, max: sandboxYearsMax }),
      description: `How many years of data, 1 to ${sandboxYearsMax}. Default: 3. Either this or \`start_date\`.`,
      example: 2,
    },
    startDate: {
      ...inputField,
      kind: calendarDate,
      description: `The first day with data: from 2010-01-01 on, and at most ${sandboxYearsMax} years before \`end_date\`.`,
    },
    endDate: {
      ...inputField,
      kind: calendarDate,
      description:
        'The last day with data, today at the latest. Default: yesterday. Choose an earlier day to have days left to advance.',
      example: '2026-06-30',
    },
    seed: {
      ...inputField,
      kind: seed,
      description: 'What its random numbers begin with: another seed, another history. Default: 1.',
      example: 7,
    },
  },
});

export type NewSandboxClient = ChangeOf<typeof newSandboxClient>;

export const sandboxAdvance = declareResource({
  ...unstored,
  type: 'sandbox-advance',
  plural: 'sandbox-advances',
  description: 'How far a clock is moved.',
  attributes: {
    to: {
      ...inputField,
      kind: calendarDate,
      description: `The day that the clock shows afterwards: today at the latest, at most ${advanceDaysMax} days on. Sent again, it changes nothing. Either this or \`days\`.`,
    },
    days: {
      ...inputField,
      kind: integer({ min: 1, max: advanceDaysMax }),
      description: `By how many days, 1 to ${advanceDaysMax}.`,
      example: 30,
    },
  },
});

export type SandboxAdvance = ChangeOf<typeof sandboxAdvance>;
