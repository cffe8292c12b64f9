// What a transaction of an investment account means: purchases, sales, income, reinvestments, transfers, splits, expenses.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { fromFixed, toFixed } from '../../kit/fixed.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';
import type { TransactionKind } from '../../model/ledger/transaction-kind.ts';
import { cutText } from '../short-text.ts';
import { FieldFault } from '../field-fault.ts';
import { withSign, type Direction } from '../signed-values.ts';
import { stated } from '../stated-fields.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { currencyOf } from './ofx-bank.ts';
import type { OfxHeading } from './ofx-heading.ts';
import { securityOf, typedSecurityOf } from './ofx-security.ts';
import { dateIn, momentOfTrade, numberIn, ofxFault, requiredDate, requiredNumber, sumOf } from './ofx-values.ts';

type EntryReader = (element: XmlElement, heading: OfxHeading) => StatementEntry[];

/** The parts that entries of every kind have. */
function baseOf(element: XmlElement, details: XmlElement, heading: OfxHeading, part = '') {
  const transaction = details.child('INVTRAN') ?? element.child('INVTRAN');
  if (transaction === undefined) throw ofxFault(element, 'INVTRAN', 'INVTRAN is missing.');
  const id = transaction.textAt('FITID');
  const reversed = transaction.textAt('REVERSALFITID');
  const content = contentOf(element);
  return {
    item: 'entry' as const,
    place: { line: element.line, field: element.name },
    account: heading.account,
    statedAt: heading.statedAt,
    statement: heading.statement,
    status: 'booked' as const,
    reference: id === undefined ? undefined : heading.ids.distinct(`${id}${part}`, content),
    cancels: reversed === undefined ? undefined : { reference: `${heading.ids.first(reversed)}${part}` },
    date: requiredDate(transaction, 'DTTRADE'),
    settlementDate: dateIn(transaction, 'DTSETTLE'),
    executedAt: momentOfTrade(transaction, 'DTTRADE'),
    comment: cutText(transaction.textAt('MEMO') ?? '', 2_000) || undefined,
  };
}

function contentOf(element: XmlElement): string {
  return `${element.name}=${element.text}(${element.children.map(contentOf).join(',')})`;
}

/** What a purchase or sale costs beside units × price. */
function costsOf(details: XmlElement): Pick<StatementEntry, 'fees' | 'taxes' | 'accruedInterest'> {
  return stated<Pick<StatementEntry, 'fees' | 'taxes' | 'accruedInterest'>>({
    fees: sumOf(details, ['COMMISSION', 'FEES', 'LOAD', 'PENALTY']),
    taxes: sumOf(details, ['TAXES', 'WITHHOLDING', 'STATEWITHHOLDING']),
    accruedInterest: undefined,
  });
}

function trade(inner: 'INVBUY' | 'INVSELL', units: Direction): EntryReader {
  return (element, heading) => {
    const details = element.child(inner);
    if (details === undefined) throw ofxFault(element, inner, `${inner} is missing.`);
    return [
      stated<StatementEntry>({
        ...baseOf(element, details, heading),
        kind: 'trade',
        instrument: typedSecurityOf(details, element.name),
        quantity: withSign(requiredNumber(details, 'UNITS'), units),
        price: numberIn(details, 'UNITPRICE'),
        amount: withSign(requiredNumber(details, 'TOTAL'), units === 'in' ? 'out' : 'in'),
        ...currencyOf(details, heading),
        ...costsOf(details),
        accruedInterest: sumOf(element, ['ACCRDINT']),
        typeWord: [element.name, element.textAt('BUYTYPE') ?? element.textAt('SELLTYPE')].filter(Boolean).join(' '),
      }),
    ];
  };
}

function incomeKind(element: XmlElement): TransactionKind {
  return element.textAt('INCOMETYPE')?.toUpperCase() === 'INTEREST' ? 'coupon' : 'dividend';
}

const income: EntryReader = (element, heading) => {
  const amount = requiredNumber(element, 'TOTAL');
  return [
    stated<StatementEntry>({
      ...baseOf(element, element, heading),
      kind: incomeKind(element),
      instrument: securityOf(element),
      amount,
      ...currencyOf(element, heading),
      taxes: sumOf(element, ['WITHHOLDING', 'TAXES']),
      typeWord: [element.name, element.textAt('INCOMETYPE')].filter(Boolean).join(' '),
    }),
  ];
};

/** Income that buys units at once: both happen. */
const reinvestment: EntryReader = (element, heading) => {
  const total = requiredNumber(element, 'TOTAL');
  const shared = { instrument: securityOf(element), ...currencyOf(element, heading) };
  const typeWord = [element.name, element.textAt('INCOMETYPE')].filter(Boolean).join(' ');
  return [
    stated<StatementEntry>({
      ...baseOf(element, element, heading, '/income'),
      kind: incomeKind(element),
      ...shared,
      amount: withSign(total, 'in'),
      typeWord,
    }),
    stated<StatementEntry>({
      ...baseOf(element, element, heading),
      kind: 'trade',
      ...shared,
      quantity: withSign(requiredNumber(element, 'UNITS'), 'in'),
      price: numberIn(element, 'UNITPRICE'),
      amount: withSign(total, 'out'),
      ...costsOf(element),
      typeWord,
    }),
  ];
};

/** Cash alone, of an instrument or of the account. */
function cash(kind: TransactionKind, direction: Direction | undefined): EntryReader {
  return (element, heading) => {
    const total = requiredNumber(element, 'TOTAL');
    return [
      stated<StatementEntry>({
        ...baseOf(element, element, heading),
        kind,
        instrument:
          traitsOfKind(kind).income !== 'interest' && element.child('SECID') ? securityOf(element) : undefined,
        amount: direction === undefined ? total : withSign(total, direction),
        ...currencyOf(element, heading),
        typeWord: element.name,
      }),
    ];
  };
}

const returnOfCapital: EntryReader = (element, heading) =>
  cash('corporate-action', 'in')(element, heading).map((entry) => ({ ...entry, action: 'return-of-capital' }));

const transfer: EntryReader = (element, heading) => {
  const action = element.textAt('TFERACTION')?.toUpperCase();
  const units = requiredNumber(element, 'UNITS');
  if (action !== 'IN' && action !== 'OUT') throw ofxFault(element, 'TFERACTION', 'TFERACTION is neither IN nor OUT.');
  return [
    stated<StatementEntry>({
      ...baseOf(element, element, heading),
      kind: 'flow',
      instrument: securityOf(element),
      quantity: withSign(units, action === 'IN' ? 'in' : 'out'),
      price: numberIn(element, 'UNITPRICE'),
      typeWord: `${element.name} ${action}`,
    }),
  ];
};

const split: EntryReader = (element, heading) => {
  const [after, before] = [requiredNumber(element, 'NUMERATOR'), requiredNumber(element, 'DENOMINATOR')];
  const isReverse = toFixed(after) < toFixed(before);
  return [
    stated<StatementEntry>({
      ...baseOf(element, element, heading),
      kind: 'corporate-action',
      action: isReverse ? 'reverse-split' : 'split',
      instrument: securityOf(element),
      quantity: changeOf(element),
      ratio: `${after}:${before}`,
      amount: numberIn(element, 'FRACCASH'),
      typeWord: element.name,
    }),
  ];
};

function changeOf(element: XmlElement): Decimal | undefined {
  const [before, after] = [numberIn(element, 'OLDUNITS'), numberIn(element, 'NEWUNITS')];
  return before === undefined || after === undefined ? undefined : fromFixed(toFixed(after) - toFixed(before));
}

/** An option that was exercised, assigned or expired: its units go, and what it delivers is a transaction of its own. */
const optionClosure: EntryReader = (element, heading) => [
  stated<StatementEntry>({
    ...baseOf(element, element, heading),
    kind: 'redemption',
    instrument: securityOf(element),
    quantity: requiredNumber(element, 'UNITS'),
    amount: fromFixed(0n),
    ...currencyOf(element, heading),
    typeWord: [element.name, element.textAt('OPTACTION')].filter(Boolean).join(' '),
  }),
];

/** Between the parts of one account nothing changes. */
const journal: EntryReader = (element) => {
  const detail = `${element.name} moves ${element.name === 'JRNLSEC' ? 'units' : 'cash'} between the sub-accounts of one account: there is nothing to book.`;
  throw new FieldFault({ line: element.line, field: element.name }, detail);
};

export const investmentTransactions: ReadonlyMap<string, EntryReader> = new Map([
  ...['BUYSTOCK', 'BUYMF', 'BUYDEBT', 'BUYOPT', 'BUYOTHER'].map((name) => [name, trade('INVBUY', 'in')] as const),
  ...['SELLSTOCK', 'SELLMF', 'SELLDEBT', 'SELLOPT', 'SELLOTHER'].map(
    (name) => [name, trade('INVSELL', 'out')] as const,
  ),
  ['INCOME', income],
  ['REINVEST', reinvestment],
  ['RETOFCAP', returnOfCapital],
  ['INVEXPENSE', cash('fee', 'out')],
  ['MARGININTEREST', cash('interest', 'out')],
  ['TRANSFER', transfer],
  ['SPLIT', split],
  ['CLOSUREOPT', optionClosure],
  ['JRNLFUND', journal],
  ['JRNLSEC', journal],
]);
