// The sections of an Interactive Brokers activity statement in CSV. Their rows say what those of a Flex query say under other names, so that
// both become the same items.

import type { StatementItem } from '../../model/custody/statement.ts';
import { isCusip, isIsin } from '../../model/instrument/security-code.ts';
import { flexCash, flexTransfer } from '../flex/flex-cash.ts';
import { flexCorporateAction } from '../flex/flex-corporate-action.ts';
import { flexPosition, flexSecurity } from '../flex/flex-holdings.ts';
import type { FlexRow } from '../flex/flex-row.ts';
import { flexTrade } from '../flex/flex-trade.ts';

/** A row by the names of its columns. */
export type ActivityCells = ReadonlyMap<string, string>;
export type FlexAttributes = Readonly<Record<string, string>>;

/** What a row says under the names of a Flex query; undefined for totals, lots and other rows that repeat others. */
type ToAttributes = (cells: ActivityCells) => FlexAttributes | undefined;

export interface ActivitySection {
  readonly attributes: ToAttributes;
  readonly items: (row: FlexRow) => readonly StatementItem[];
}

/** The asset categories of a Flex query. */
const categories: readonly (readonly [beginning: string, category: string])[] = [
  ['Stocks', 'STK'],
  ['Equity and Index Options', 'OPT'],
  ['Options On Futures', 'FOP'],
  ['Futures', 'FUT'],
  ['Forex', 'CASH'],
  ['Treasury Bills', 'BILL'],
  ['Bonds', 'BOND'],
  ['Corporate Bonds', 'BOND'],
  ['Municipal Bonds', 'BOND'],
  ['Mutual Funds', 'FUND'],
  ['Warrants', 'WAR'],
  ['Structured Products', 'IOPT'],
  ['CFDs', 'CFD'],
];

function categoryOf(name: string): string {
  return categories.find(([beginning]) => name.startsWith(beginning))?.[1] ?? name;
}

function isTotal(text: string): boolean {
  return /^(?:Sub)?Total\b/i.test(text);
}

/** `AAPL(US0378331005) Cash Dividend …`, `AAPL (US0378331005) …`: the symbol, and the code if it is one that others know. */
function namedIn(description: string): FlexAttributes {
  const open = description.indexOf('(');
  const symbol = description.slice(0, open).trim();
  if (open < 1 || /\s/.test(symbol)) return {};
  return { symbol, ...codeAttributes(description.slice(open + 1, description.indexOf(')', open)).trim()) };
}

function codeAttributes(code: string): FlexAttributes {
  if (isIsin(code)) return { isin: code };
  return code.length === 9 && isCusip(code) ? { cusip: code } : {};
}

const textOf = (cells: ActivityCells, name: string): string => cells.get(name) ?? '';

function cashSection(typeOf: (description: string) => string, day = 'Date'): ActivitySection {
  return {
    items: flexCash,
    attributes(cells) {
      const [currency, subtitle] = [textOf(cells, 'Currency'), textOf(cells, 'Subtitle')];
      if (isTotal(currency) || isTotal(subtitle)) return undefined;
      const description = textOf(cells, 'Description');
      return {
        type: typeOf(description),
        currency,
        reportDate: textOf(cells, day),
        amount: textOf(cells, 'Amount'),
        description: [subtitle, description].filter(Boolean).join(': '),
        code: textOf(cells, 'Code'),
        ...namedIn(description),
      };
    },
  };
}

const always = (type: string) => (): string => type;

function dividendType(description: string): string {
  return /payment in lieu/i.test(description) ? 'Payment In Lieu Of Dividends' : 'Dividends';
}

function interestType(description: string): string {
  if (/bond coupon/i.test(description)) return 'Bond Interest Received';
  return /accrued interest/i.test(description) ? 'Bond Interest Paid' : 'Broker Interest Received';
}

/** What a corporate action is, by the words behind the code of the security. */
const actionTypes: readonly (readonly [words: RegExp, type: string])[] = [
  [/\breverse split\b/i, 'RS'],
  [/\bsplit\b/i, 'FS'],
  [/\bspin-?off\b/i, 'SO'],
  [/\bstock dividend\b/i, 'SD'],
  [/\bmerged\b/i, 'TC'],
  [/\bcusip\/isin change\b/i, 'IC'],
  [/\bbond maturity\b/i, 'BM'],
  [/\btbill maturity\b/i, 'TM'],
  [/\bfull call\b/i, 'FC'],
  [/\bpartial call\b/i, 'PC'],
];

function corporateAction(cells: ActivityCells): FlexAttributes | undefined {
  const category = textOf(cells, 'Asset Category');
  if (isTotal(category)) return undefined;
  const description = textOf(cells, 'Description');
  const words = description.slice(description.indexOf(')') + 1);
  // The last brackets name the security that the units are of: `(ABC, ABC INC, US0378331005)`.
  const [symbol = '', , code = ''] = description
    .slice(description.lastIndexOf('(') + 1, description.lastIndexOf(')'))
    .split(',')
    .map((part) => part.trim());
  // IB writes reverse splits as splits of one for several.
  const [, after, before] = /\bSplit (\d+) for (\d+)\b/i.exec(words) ?? [];
  const isReverse = after !== undefined && Number(after) < Number(before);
  const type = isReverse
    ? 'RS'
    : (actionTypes.find(([pattern]) => pattern.test(words))?.[1] ?? words.trim().slice(0, 60));
  return {
    assetCategory: categoryOf(category),
    currency: textOf(cells, 'Currency'),
    reportDate: textOf(cells, 'Report Date'),
    dateTime: textOf(cells, 'Date/Time'),
    type,
    description,
    actionDescription: description,
    quantity: textOf(cells, 'Quantity'),
    proceeds: textOf(cells, 'Proceeds'),
    code: textOf(cells, 'Code'),
    symbol,
    ...codeAttributes(code),
  };
}

function trade(cells: ActivityCells): FlexAttributes | undefined {
  // Executions and closed lots break an order down.
  if (textOf(cells, 'DataDiscriminator') !== 'Order') return undefined;
  const [commissionName = ''] = [...cells.keys()].filter((name) => /^Comm(?:\/Fee| in [A-Z]{3})$/.test(name));
  const [, commissionCurrency] = / in ([A-Z]{3})$/.exec(commissionName) ?? [];
  return {
    assetCategory: categoryOf(textOf(cells, 'Asset Category')),
    currency: textOf(cells, 'Currency'),
    symbol: textOf(cells, 'Symbol'),
    dateTime: textOf(cells, 'Date/Time'),
    quantity: textOf(cells, 'Quantity'),
    tradePrice: textOf(cells, 'T. Price'),
    proceeds: textOf(cells, 'Proceeds'),
    ibCommission: textOf(cells, commissionName),
    ...(commissionCurrency === undefined ? {} : { ibCommissionCurrency: commissionCurrency }),
    code: textOf(cells, 'Code'),
  };
}

function position(cells: ActivityCells): FlexAttributes | undefined {
  if (textOf(cells, 'DataDiscriminator') !== 'Summary') return undefined;
  return {
    assetCategory: categoryOf(textOf(cells, 'Asset Category')),
    currency: textOf(cells, 'Currency'),
    symbol: textOf(cells, 'Symbol'),
    position: textOf(cells, 'Quantity'),
    markPrice: textOf(cells, 'Close Price'),
    positionValue: textOf(cells, 'Value'),
    costBasisMoney: textOf(cells, 'Cost Basis'),
  };
}

function transfer(cells: ActivityCells): FlexAttributes | undefined {
  const category = textOf(cells, 'Asset Category');
  if (isTotal(category)) return undefined;
  return {
    assetCategory: categoryOf(category),
    currency: textOf(cells, 'Currency'),
    symbol: textOf(cells, 'Symbol'),
    date: textOf(cells, 'Date'),
    type: textOf(cells, 'Type'),
    direction: textOf(cells, 'Direction'),
    company: textOf(cells, 'Xfer Company'),
    account: textOf(cells, 'Xfer Account'),
    quantity: textOf(cells, 'Qty'),
    cashTransfer: textOf(cells, 'Cash Amount'),
  };
}

function transactionFee(cells: ActivityCells): FlexAttributes | undefined {
  const category = textOf(cells, 'Asset Category');
  if (isTotal(category)) return undefined;
  return {
    type: 'Transaction Fees',
    assetCategory: categoryOf(category),
    currency: textOf(cells, 'Currency'),
    dateTime: textOf(cells, 'Date/Time'),
    symbol: textOf(cells, 'Symbol'),
    description: textOf(cells, 'Description'),
    amount: textOf(cells, 'Amount'),
  };
}

/** What a row of the list of instruments says; its symbols may be several, of which the last are older. */
export function instrumentAttributes(cells: ActivityCells): FlexAttributes {
  const exchange = textOf(cells, 'Listing Exch');
  return {
    assetCategory: categoryOf(textOf(cells, 'Asset Category')),
    symbol: textOf(cells, 'Symbol').split(',', 1)[0]?.trim() ?? '',
    description: textOf(cells, 'Description'),
    conid: textOf(cells, 'Conid'),
    ...codeAttributes(textOf(cells, 'Security ID')),
    listingExchange: exchange,
    multiplier: textOf(cells, 'Multiplier'),
    maturity: textOf(cells, 'Maturity'),
  };
}

export const instrumentSection = 'Financial Instrument Information';

export const activitySections: ReadonlyMap<string, ActivitySection> = new Map<string, ActivitySection>([
  ['Trades', { attributes: trade, items: flexTrade }],
  ['Dividends', cashSection(dividendType)],
  ['Withholding Tax', cashSection(always('Withholding Tax'))],
  ['871(m) Withholding', cashSection(always('871(m) Withholding'))],
  ['Interest', cashSection(interestType)],
  ['Fees', cashSection(always('Other Fees'))],
  ['Other Fees', cashSection(always('Other Fees'))],
  ['Advisor Fees', cashSection(always('Advisor Fees'))],
  ['Commission Adjustments', cashSection(always('Commission Adjustments'))],
  ['Deposits & Withdrawals', cashSection(always('Deposits/Withdrawals'), 'Settle Date')],
  ['Transaction Fees', { attributes: transactionFee, items: flexCash }],
  ['Corporate Actions', { attributes: corporateAction, items: flexCorporateAction }],
  ['Transfers', { attributes: transfer, items: flexTransfer }],
  ['Open Positions', { attributes: position, items: flexPosition }],
  [instrumentSection, { attributes: instrumentAttributes, items: flexSecurity }],
]);

/** Sections that repeat, explain or value what others state. */
export const explainingActivitySections: ReadonlySet<string> = new Set([
  'Statement',
  'Account Information',
  'Net Asset Value',
  'Change in NAV',
  'Mark-to-Market Performance Summary',
  'Realized & Unrealized Performance Summary',
  'Month & Year to Date Performance Summary',
  'Forex Balances',
  'Forex P/L Details',
  'Open Dividend Accruals',
  'Change in Dividend Accruals',
  'Interest Accruals',
  'Base Currency Exchange Rate',
  'Codes',
  'Notes/Legal Notes',
  'Commission Details',
  'IBKR Managed Securities (SYEP) Lent',
  'Stock Yield Enhancement Program Securities Lent',
  'Stock Yield Enhancement Program Securities Lent Activity',
]);
