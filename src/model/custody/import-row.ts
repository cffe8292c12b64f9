// A row of an import: where it is in the file, what it says, and what became of it.

import { anyInteger, anyText, calendarDate, decimal, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { member, objectOf, omissible } from '../../kit/structured-field.ts';
import type { StatementItem } from './statement.ts';

export const rowOutcomes = ['booked', 'amended', 'unchanged', 'refused', 'needs'] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

export const rowNeeds = ['account', 'instrument', 'type', 'mapping', 'classification'] as const;
export type RowNeed = (typeof rowNeeds)[number];

/** What a row can become. */
export const rowTargets = [
  'transaction',
  'price',
  'net-asset-value',
  'interest-rate',
  'index-factor',
  'fx-rate',
  'instrument',
  'stated-position',
] as const;
export type RowTarget = (typeof rowTargets)[number];

export const rowItems = [
  'entry',
  'position',
  'price',
  'fx-rate',
  'instrument',
  'problem',
] as const satisfies readonly StatementItem['item'][];
export type RowItem = (typeof rowItems)[number];

export const rowUndos = ['closed', 'restored', 'kept'] as const;
export type RowUndo = (typeof rowUndos)[number];

const namedAccount = objectOf({
  number: member(anyText, 'Its number or IBAN, as the file writes it.'),
  currency: omissible(anyText, 'Its currency.'),
  institution: omissible(anyText, 'The BIC, bank code or name of the institution.'),
});

const namedInstrument = objectOf({
  isin: omissible(anyText, 'ISIN.'),
  cusip: omissible(anyText, 'CUSIP.'),
  sedol: omissible(anyText, 'SEDOL.'),
  ticker: omissible(anyText, 'Ticker.'),
  mic: omissible(anyText, 'Market identifier code of the exchange.'),
  custodianCode: omissible(anyText, "The custodian's own identifier."),
  name: omissible(anyText, 'Name.'),
  currency: omissible(anyText, 'Currency of its quotes.'),
});

const stated = objectOf({
  date: omissible(calendarDate, 'The day that the row is about.'),
  kind: omissible(
    anyText,
    'What moved: the kind of transaction, or of series. Absent while nobody has said what the word of the row means.',
  ),
  typeWord: omissible(anyText, "The custodian's own word for it."),
  reference: omissible(anyText, "The custodian's reference."),
  amount: omissible(decimal, 'Cash: positive in, negative out. Of a price or rate, its value.'),
  currency: omissible(anyText, 'ISO 4217 code; of an exchange rate, base and quote.'),
  quantity: omissible(decimal, 'Units: positive in, negative out.'),
  price: omissible(decimal, 'The price.'),
  comment: omissible(anyText, 'Free text.'),
  account: omissible(namedAccount, 'The words for the account.'),
  depository: omissible(namedAccount, 'The words for the depository.'),
  instrument: omissible(namedInstrument, 'The words for the instrument.'),
});

const became = objectOf({
  type: member(oneOf(rowTargets), 'The type of record.'),
  id: omissible(anyText, 'Its id. Absent for what is not booked yet, and for stated positions.'),
});

export const importRowShape = objectOf({
  number: member(anyInteger, 'Its position in the file, counted from one.'),
  line: member(anyInteger, 'The line of the file where it begins, counted from one.'),
  field: omissible(anyText, 'The element, tag or column that the reason is about, in the words of the format.'),
  item: member(oneOf(rowItems), 'What the row is about.'),
  outcome: member(
    oneOf(rowOutcomes),
    'What became of it; before the import is booked, what would become of it. `needs`: it is booked once what it needs is there.',
  ),
  code: omissible(anyText, 'Why, as a code.'),
  detail: omissible(anyText, 'Why, as a sentence for people.'),
  needs: omissible(oneOf(rowNeeds), 'What it waits for.'),
  accountId: member(nullable(anyText), 'The account that it was assigned to.'),
  stated: member(stated, 'What the file says.'),
  became: omissible(became, 'The record that it created, changed, or left as it is.'),
  undo: omissible(
    oneOf(rowUndos),
    'What undoing the import did to it. `kept`: it was amended since, or others use what it created.',
  ),
});

export type ImportRowView = ValueOf<typeof importRowShape>;
