// The mapping profile of a CSV file: which column says what, how numbers and dates are written, and what the words for kinds of
// transactions mean. Shipped profiles and those that a workspace creates have the same shape.

import { boolean, oneOf, text } from '../../kit/field.ts';
import { keysOf } from '../../kit/keys.ts';
import { declareResource, type ChangeOf, type RecordOf } from '../../kit/resource.ts';
import { listOf, objectOf, type Member } from '../../kit/structured-field.ts';
import { corporateActions, transactionTypes } from '../ledger/transaction-kind.ts';
import { createdAt, nameField } from '../shared-fields.ts';

const word = text({ lengthMax: 200 });
const columnNames = listOf(word, { itemsMax: 50 });

const column = <const D extends string>(description: D) =>
  ({ kind: columnNames, description, optional: true }) as const satisfies Member;

/** The fields that a column can say. Every value is a list of names: the first that the header has is read. */
const columnMembers = {
  date: column('The day it counts: trade date, booking date, the day of a price.'),
  settlementDate: column('Settlement or value date.'),
  reference: column("The custodian's own reference, unique within the account."),
  type: column('The word for the kind of transaction, which `types` translates. Several columns are tried in order.'),
  status: column('A word that says whether the line is booked or pending; `pending_words` are those of pending ones.'),
  account: column('Account number or IBAN. Lines above the header that begin with one of these names are read too.'),
  depository: column('Number of the depository or securities account, where it is apart from the cash account.'),
  part: column('Part of the account with a balance of its own, such as a savings pot.'),
  currency: column('Currency of the amount, price or value; the base of an exchange rate. Also read above the header.'),
  amount: column('Signed amount of cash, after fees and taxes.'),
  grossAmount: column(
    'Amount of cash before fees and taxes, of files that state none after them: both are subtracted.',
  ),
  debit: column('Amount that left the account, with or without a sign.'),
  credit: column('Amount that came in, with or without a sign.'),
  direction: column('A word that says whether the amount came in or went out; `direction_words` translates it.'),
  balance: column('Balance of the account after the line.'),
  isin: column('ISIN. A column that mixes ISIN, CUSIP and tickers can be named in several fields.'),
  cusip: column('CUSIP.'),
  sedol: column('SEDOL.'),
  ticker: column('Ticker or symbol.'),
  mic: column("Market identifier code of the ticker's exchange."),
  code: column("The custodian's own identifier, such as a German WKN or a Swiss valor number."),
  instrumentName: column('Name of the instrument.'),
  quantity: column('Number of units, or nominal amount of a bond.'),
  price: column('Price of a unit; the value of a price file.'),
  fees: column('Fees and commissions. Several columns add up.'),
  taxes: column('Taxes and duties. Several columns add up.'),
  feesCurrency: column(
    'Currency of the fees, if it may differ from that of the amount: such a fee is booked by itself.',
  ),
  taxesCurrency: column(
    'Currency of the taxes, if it may differ from that of the amount: such a tax is booked by itself.',
  ),
  accruedInterest: column('Accrued interest.'),
  exchangeRate: column('Exchange rate; in a file of rates, how much of `counter_currency` one `currency` is.'),
  counterAccount: column('Account of the other side.'),
  counterAmount: column('Amount of the other leg of an exchange of currencies.'),
  counterCurrency: column('Currency of the other leg; the quote of an exchange rate.'),
  value: column('Market value of a position.'),
  cost: column('Cost of a position.'),
  comment: column('Text of the line. Several columns are joined.'),
} as const;

const columns = objectOf(columnMembers);

const types = listOf(
  objectOf({
    word: {
      kind: word,
      description:
        'The word, whatever its case. `*` at its end stands for any rest: `YOU BOUGHT*`. `#` stands for a digit: `B#*`.',
    },
    type: { kind: oneOf(transactionTypes), description: 'The type of transaction it means.' },
    action: {
      kind: oneOf(corporateActions),
      description: 'For `corporate-action`: which one.',
      optional: true,
    },
    direction: {
      kind: oneOf(['in', 'out', 'as-stated', 'by-cash']),
      description:
        'Whether the money, or the units of a line that moves units only, came in or went out, whatever its sign. `as-stated`: their signs count, also where `signs` takes them from the type. `by-cash`: the units go the other way than the cash, for a word that stands for purchases and sales alike.',
      optional: true,
    },
    moves: {
      kind: oneOf(['cash', 'units']),
      description:
        'What the line moves, if it states more: `cash` leaves its quantity unread, `units` its amount, such as the value of shares that come in as a gift. Default: both.',
      optional: true,
    },
    cancels: {
      kind: boolean,
      description: 'Whether the line takes back another with the same content and the opposite sign.',
      optional: true,
    },
  }),
  { itemsMax: 500 },
);

const texts = listOf(
  objectOf({
    column: { kind: word, description: 'The column with the text.' },
    pattern: {
      kind: word,
      description:
        'How the text is written: `Buy {quantity} {instrument_name}@{price} {price_currency} ({isin})`. In braces stands a field of `columns`, `price_currency`, or `*` for what is not read. A value ends where the next words begin; only one of them may have spaces in it. `*` at the end stands for any rest.',
    },
  }),
  { itemsMax: 100 },
);

const directionWords = objectOf({
  in: { kind: columnNames, description: 'Words for money that came in, such as `H`, `C`, `Haben`.' },
  out: { kind: columnNames, description: 'Words for money that went out, such as `S`, `D`, `Soll`.' },
});

const constant = <const D extends string>(description: D) =>
  ({ kind: word, description, optional: true }) as const satisfies Member;

const constants = objectOf({
  account: constant('Account number or IBAN.'),
  institution: constant("The institution's BIC, bank code or name."),
  currency: constant('Currency code.'),
  type: {
    kind: oneOf(transactionTypes),
    description:
      'The type of lines whose word is not in `types`. Without it, the words that the service knows count, and lines with another word wait until an identifier mapping says what it means. Lines without any word are deposits and withdrawals.',
    optional: true,
  },
  series: {
    kind: oneOf(['price', 'net-asset-value', 'interest-rate', 'index-factor']),
    description: 'Which series a file of prices fills. Default: `price`.',
    optional: true,
  },
});

export const importProfile = declareResource({
  type: 'import-profile',
  plural: 'import-profiles',
  description:
    'How a CSV file of one shape is read: columns, formats, words and signs. Shipped profiles are listed too and cannot be changed: copy one to adapt it.',
  usage: {
    purpose: 'A CSV is recognised by its header, so each layout is described once.',
    list: 'Find the profile that reads a file, or one to copy.',
    read: 'See how a layout is read, column by column, for example to find out why a row was refused.',
    create:
      'Describe the CSV of a bank that no shipped profile reads: which columns mean what, how dates and decimals are written, and which words mean which transaction.',
    change: 'Correct how a layout is read. Imports that were made before stay as they are.',
    delete: 'Remove a profile of your own that is no longer used.',
  },
  table: 'import_profile',
  owner: 'workspace',
  attributes: {
    name: { ...nameField('Display name.'), required: true, example: 'Privatbank Seefeld, account movements' },
    content: {
      kind: oneOf(['transactions', 'positions', 'prices', 'fx-rates']),
      description: 'What the lines of the file are.',
      writable: 'always',
      required: true,
      example: 'transactions',
    },
    delimiter: {
      kind: oneOf(['detect', 'comma', 'semicolon', 'tab', 'pipe']),
      description: 'What separates the columns. Default: `detect`, by the header.',
      writable: 'always',
    },
    decimalMark: {
      kind: oneOf(['point', 'comma', 'detect']),
      description:
        'What separates the decimals. Default: `point`. The other one, apostrophes and spaces may group digits. `detect`: told from the numbers of the file; if none of them tells, the rows that could be read in two ways wait.',
      writable: 'always',
      example: 'comma',
    },
    dateOrder: {
      kind: oneOf(['year-month-day', 'day-month-year', 'month-day-year', 'detect']),
      description:
        'The order of the parts of a date, whatever separates them. Default: `year-month-day`. `detect`: told from the dates of the file; if none of them tells, the rows that could be read in two ways wait.',
      writable: 'always',
      example: 'day-month-year',
    },
    header: {
      kind: oneOf(['named', 'none']),
      description:
        'Whether a line names the columns. `none`: the file begins with data, and its columns are named `#1`, `#2`, … from the left. Default: `named`.',
      writable: 'always',
    },
    recognisedBy: {
      kind: listOf(word, { itemsMax: 50 }),
      description:
        'Names that a header must all have for this profile to be chosen by itself; `A|B` stands for one of several. Default: none, for a column of every field in `columns`. Without a header: what stands in a column of every line, such as `#1=CH93*`; if this says nothing, the profile is used only where a request names it.',
      writable: 'always',
      example: ['Buchungstag', 'Valuta', 'Betrag'],
    },
    columns: {
      kind: columns,
      description:
        'The columns that say each field, by their names in the header, of which the first that the header has is read. `#3` is the third column, `Change+1` the one to the right of `Change`. `{currency}` stands for a currency code in the name, in which the amount then is: `Total ({currency})`. Brackets say the currency of an amount: `Fee [Fee currency]` names the column that says it, `Price [+1]` the one to the right, `Price [GBX]` the currency; a price, a fee or a tax in another currency than that of the line is not booked, and one in pence is a hundredth. `IBAN:` is looked for above the header only.',
      writable: 'always',
      required: true,
      example: { date: ['Buchungstag'], settlementDate: ['Valuta'], amount: ['Betrag'], comment: ['Text'] },
    },
    types: {
      kind: types,
      description: 'What the words in the column `type` mean. The first that fits counts.',
      writable: 'always',
      example: [{ word: 'Zins*', type: 'interest' }],
    },
    texts: {
      kind: texts,
      description:
        'How a text says several fields at once. The first pattern that a text fits counts, for the fields that no column of the line says. Default: none.',
      writable: 'always',
      example: [{ column: 'Text', pattern: 'Kauf {quantity} {instrument_name} zu {price} *' }],
    },
    signs: {
      kind: oneOf(['as-stated', 'by-type', 'reversed', 'detect']),
      description:
        'Whether amounts have the sign of the ledger (in is positive), take it from the type, or have the opposite one, as card statements do. Default: `as-stated`. `detect`: if any amount of the file is negative, as stated but for trades, whose direction is certain; else by type.',
      writable: 'always',
    },
    costs: {
      kind: oneOf(['unsigned', 'signed']),
      description:
        'Whether fees and taxes are costs whatever their sign (`unsigned`), or have the sign of the cash (`signed`: a fee of -1 is money that went out, a tax of 2 is one that came back). Default: `unsigned`.',
      writable: 'always',
    },
    directionWords: {
      kind: directionWords,
      description: 'What the words in the column `direction` mean.',
      writable: 'always',
      nullable: true,
    },
    pendingWords: {
      kind: listOf(word, { itemsMax: 50 }),
      description: 'Words in the column `status` of lines that are not booked yet. Default: none.',
      writable: 'always',
      example: ['Vorgemerkt'],
    },
    constants: {
      kind: constants,
      description: 'What every line says, for files that have no column for it.',
      writable: 'always',
      example: { currency: 'CHF' },
    },
    ignoredLines: {
      kind: listOf(word, { itemsMax: 50 }),
      description:
        'Beginnings of lines that are totals or notes, not data: `Total*`. Other lines that cannot be read are refused, never skipped.',
      writable: 'always',
      example: ['Saldo*'],
    },
    ignoredWords: {
      kind: listOf(word, { itemsMax: 200 }),
      description:
        'Words in the columns `type` and `status` of lines that move nothing, such as reservations, monthly statements and payments that were declined: like `ignored_lines`. Default: none.',
      writable: 'always',
      example: ['DECLINED'],
    },
    ignoredColumns: {
      kind: listOf(word, { itemsMax: 200 }),
      description:
        'Names of columns that are left unread on purpose; `*` at the end stands for any rest. Default: none. An import warns about every other column that has values and that nobody reads.',
      writable: 'always',
      example: ['Gläubiger ID'],
    },
    isShipped: {
      kind: boolean,
      description: 'Whether the service provides it. Such a profile cannot be changed or deleted.',
      writable: 'never',
      computed: true,
    },
    createdAt,
  },
  relations: {},
});

export type ImportProfile = RecordOf<typeof importProfile>;
export type ImportProfileInput = ChangeOf<typeof importProfile>;

/** What a profile that does not say so means. */
export const profileDefaults = {
  delimiter: 'detect',
  decimalMark: 'point',
  dateOrder: 'year-month-day',
  header: 'named',
  recognisedBy: [],
  types: [],
  texts: [],
  signs: 'as-stated',
  costs: 'unsigned',
  directionWords: null,
  pendingWords: [],
  constants: {},
  ignoredLines: [],
  ignoredWords: [],
  ignoredColumns: [],
} as const satisfies ImportProfileInput;

/** What reading a file needs of a profile. */
export type CsvMapping = Omit<ImportProfile, 'id' | 'createdAt' | 'isShipped'>;

export type CsvField = keyof ImportProfile['columns'];

export const csvFields: readonly CsvField[] = keysOf(columnMembers);
