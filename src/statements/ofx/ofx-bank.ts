// What a transaction of a bank or card account (`STMTTRN`) means, also one within a statement of investments.

import { isIncomeOfInstrument } from '../../model/ledger/kind-traits.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';
import type { TransactionKind } from '../../model/ledger/transaction-kind.ts';
import { cutText } from '../short-text.ts';
import { isinIn } from '../isin-in-text.ts';
import { bankEntryByWord } from '../typed-entry.ts';
import { stated } from '../stated-fields.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import type { OfxHeading } from './ofx-heading.ts';
import { currencyCodeIn, dateIn, numberIn, ofxFault, requiredDate, requiredNumber } from './ofx-values.ts';

const commentLengthMax = 2_000;

const kinds: ReadonlyMap<string, TransactionKind> = new Map([
  ['INT', 'interest'],
  ['FEE', 'fee'],
  ['SRVCHG', 'fee'],
  ['DIV', 'dividend'],
]);

/** Types that only say how money moved. A bank that writes another word means something by it. */
const payments: ReadonlySet<string> = new Set([
  'CREDIT',
  'DEBIT',
  'DEP',
  'ATM',
  'POS',
  'XFER',
  'CHECK',
  'PAYMENT',
  'CASH',
  'DIRECTDEP',
  'DIRECTDEBIT',
  'REPEATPMT',
  'OTHER',
  'HOLD',
]);

export function bankEntry(element: XmlElement, heading: OfxHeading): StatementEntry {
  const amount = requiredNumber(element, 'TRNAMT');
  const type = element.textAt('TRNTYPE')?.toUpperCase();
  const comment = bankComment(element);
  const isPending = element.name === 'STMTTRNP';
  const isin = isinIn(comment);
  const kind = kinds.get(type ?? '') ?? 'flow';
  const isWord = type !== undefined && !kinds.has(type) && !payments.has(type);
  const entry = stated<StatementEntry>({
    item: 'entry',
    place: { line: element.line, field: element.name },
    account: heading.account,
    statedAt: heading.statedAt,
    statement: heading.statement,
    status: isPending || type === 'HOLD' ? 'pending' : 'booked',
    kind,
    ...identityOf(element, heading),
    date: requiredDate(element, isPending ? 'DTTRAN' : 'DTPOSTED'),
    settlementDate: dateIn(element, 'DTAVAIL'),
    amount,
    ...currencyOf(element, heading),
    instrument: (isIncomeOfInstrument(kind) || isWord) && isin !== undefined ? { isin } : undefined,
    comment: comment || undefined,
    typeWord: type,
  });
  return isWord ? bankEntryByWord({ fields: entry, signs: 'stated' }, type) : entry;
}

function bankComment(element: XmlElement): string {
  const name = element.textAt('NAME') ?? element.textAt('PAYEE', 'NAME');
  const parts = [name, element.textAt('EXTDNAME'), element.textAt('MEMO')].filter((part) => part !== undefined);
  return cutText([...new Set(parts)].join(', '), commentLengthMax);
}

/** `CURRENCY`: the amounts are in this currency. `ORIGCURRENCY` only says from which one they were converted. */
export function currencyOf(
  element: XmlElement,
  { currency }: OfxHeading,
): Pick<StatementEntry, 'currency' | 'exchangeRate'> {
  const own = element.child('CURRENCY');
  const code = own && currencyCodeIn(own, 'CURSYM');
  if (own === undefined || code === undefined || code === currency) return currency === undefined ? {} : { currency };
  const rate = numberIn(own, 'CURRATE');
  return { currency: code, ...(rate === undefined ? {} : { exchangeRate: rate }) };
}

/** A correction has the reference of what it corrects; a deletion takes that back. */
function identityOf(element: XmlElement, { ids }: OfxHeading): Pick<StatementEntry, 'reference' | 'cancels'> {
  const id = element.textAt('FITID');
  const corrected = element.textAt('CORRECTFITID');
  const content = ['DTPOSTED', 'TRNAMT', 'TRNTYPE', 'NAME', 'MEMO', 'CHECKNUM']
    .map((name) => element.textAt(name))
    .join('\n');
  if (corrected === undefined) return id === undefined ? {} : { reference: ids.distinct(id, content) };
  const action = element.textAt('CORRECTACTION')?.toUpperCase();
  if (action === 'DELETE') return { cancels: { reference: ids.first(corrected) } };
  if (action !== undefined && action !== 'REPLACE')
    throw ofxFault(element, 'CORRECTACTION', 'CORRECTACTION is neither REPLACE nor DELETE.');
  return { reference: ids.correct(id, corrected) };
}
