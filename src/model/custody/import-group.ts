// What the rows of an import wait for, and why rows were refused, each told once with the number of its rows.

import { anyInteger, anyText, boolean, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf, omissible } from '../../kit/structured-field.ts';
import { mappedKinds } from './identifier-mapping.ts';
import { importRowShape, namedAccount, namedInstrument, rowNeeds } from './import-row.ts';

/** More groups of an import are not told apart. */
export const importGroupsMax = 20_000;

/** A record that words of a file may mean, with what tells it from others. */
const namedRecord = objectOf({
  id: member(anyText, 'Its id.'),
  name: member(anyText, 'Its name.'),
  detail: member(anyText, 'What tells it from others: its number, currency and owner, or its codes.'),
});
export type NamedRecord = ValueOf<typeof namedRecord>;

const mapping = objectOf({
  kind: member(anyText, 'What kind of record the words name.'),
  scheme: member(anyText, 'How they name it.'),
  value: member(anyText, 'The words.'),
  currency: omissible(anyText, 'Only for the part of an account number in this currency.'),
  mic: omissible(anyText, 'Only for a ticker on this market.'),
});

const creation = objectOf({
  kind: member(oneOf(mappedKinds), 'What would be created.'),
  name: member(anyText, 'The name that it would get.'),
  currency: member(nullable(anyText), 'The currency that it would have.'),
  entityId: member(
    nullable(anyText),
    'The legal entity that would own it; null for an instrument, and where the client has several: send `entity_id` then.',
  ),
});

const unmappedColumn = objectOf({
  name: member(anyText, 'Its name in the header.'),
  place: member(anyText, 'Its place: `#1` is the first.'),
  examples: member(listOf(anyText), 'What stands in it, at most three values.'),
  field: omissible(anyText, 'What it probably says: a field of `columns` of a mapping profile.'),
});
export type UnmappedColumn = ValueOf<typeof unmappedColumn>;

export const waitingGroupShape = objectOf({
  key: member(anyText, 'Names the group as long as the file says the same.'),
  needs: member(oneOf(rowNeeds), 'What its rows wait for.'),
  code: member(anyText, 'Why, as a code.'),
  detail: member(anyText, 'Why, as a sentence for people.'),
  rows: member(anyInteger, 'How many rows wait for it.'),
  firstLine: member(anyInteger, 'The line of the file where the first of them begins.'),
  account: omissible(namedAccount, 'The words for the account or depository.'),
  instrument: omissible(namedInstrument, 'The words for the instrument.'),
  typeWord: omissible(anyText, "The custodian's own word for what it is."),
  mapping: omissible(
    mapping,
    'The identifier mapping that answers it: create it with the id of the record that is meant.',
  ),
  creation: omissible(creation, 'What can be created from what the file says.'),
  creationProblem: omissible(anyText, 'Why nothing can be created from what the file says.'),
  meant: omissible(namedRecord, 'The record that the words mean by now. Check the import again, or book it.'),
  candidates: member(listOf(namedRecord), 'The records that may be meant, at most five.'),
  first: omissible(importRowShape, 'The first of its rows.'),
  columns: omissible(
    listOf(unmappedColumn),
    'The columns of a CSV file that no profile fits. Create a profile that says what they mean, and name it when you change the import.',
  ),
});
export type WaitingGroup = ValueOf<typeof waitingGroupShape>;

export const waitingTotalsShape = objectOf({
  groups: member(anyInteger, `How many groups there are. At most ${importGroupsMax} are told apart.`),
  rows: member(anyInteger, 'How many rows wait.'),
  newAccounts: member(anyInteger, 'Accounts that can be created from what the file says.'),
  newDepositories: member(anyInteger, 'Depositories that can be created from what the file says.'),
  newInstruments: member(anyInteger, 'Instruments that can be created from what the file says.'),
  lacksOwner: member(boolean, 'Whether somebody has to say which legal entity owns the new accounts and depositories.'),
  unnamedAccountRows: member(anyInteger, 'Rows that name no account, where the import has none for them.'),
  tradeRows: member(
    anyInteger,
    'Trades that wait, of accounts whose cash would be booked: booking is refused unless the caller allows it.',
  ),
  cashRows: member(anyInteger, 'Rows of cash in these accounts that would be booked without the trades.'),
});
export type WaitingTotals = ValueOf<typeof waitingTotalsShape>;

export const rowProblemShape = objectOf({
  code: member(anyText, 'Why, as a code.'),
  detail: member(anyText, 'Why, as a sentence for people.'),
  rows: member(anyInteger, 'How many rows have this problem.'),
  notKept: member(anyInteger, 'How many of them are counted and not kept one by one.'),
  firstLine: member(anyInteger, 'The line of the file where the first of them begins.'),
});
export type RowProblem = ValueOf<typeof rowProblemShape>;

export const importAccountShape = objectOf({
  accountId: member(anyText, 'The account.'),
  name: member(anyText, 'Its name.'),
  currency: member(anyText, 'Its currency.'),
  rows: member(anyInteger, 'How many rows of the import are of it.'),
  reported: member(boolean, 'Whether a portfolio contains it. Without one, no report shows it.'),
});
export type ImportAccount = ValueOf<typeof importAccountShape>;
