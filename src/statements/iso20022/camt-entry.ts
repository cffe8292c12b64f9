// What one entry (`Ntry`) of camt means: one item, or one for each of its details if these add up to it.

import type { TransactionKind } from '../../model/ledger/transaction-kind.ts';
import { isOfAccount, isTransfer } from '../../model/ledger/kind-traits.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { toFixed } from '../../kit/fixed.ts';
import type { StatementEntry, StatementItem, StatementProblem } from '../../model/custody/statement.ts';
import { FieldFault, problemOf } from '../field-fault.ts';
import { isinIn } from '../isin-in-text.ts';
import { referenceIn } from '../used-references.ts';
import { bankEntryByWord } from '../typed-entry.ts';
import { stated } from '../stated-fields.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { meaningOf } from './bank-transaction-code.ts';
import { camtTrade } from './camt-trade.ts';
import type { CamtHeading } from './camt-heading.ts';
import { commentOf } from './camt-comment.ts';
import { currencyOf, dateOf, instrumentOf, isTrue, required, safekeepingAccount, signedAmount } from './iso-values.ts';

export function camtEntries(entry: XmlElement, heading: CamtHeading): StatementItem[] {
  try {
    if (heading.accountFault) throw heading.accountFault;
    return readEntries(entry, heading);
  } catch (error) {
    const { detail, ...problem } = problemOf(error, { line: entry.line, field: 'Ntry' });
    const { account, statedAt } = heading;
    return [stated<StatementProblem>({ ...problem, account, statedAt, detail: `Entry: ${detail}` })];
  }
}

interface EntryBase {
  readonly entry: XmlElement;
  readonly heading: CamtHeading;
  readonly status: 'booked' | 'pending';
  readonly amount: Decimal;
  readonly currency: string;
  readonly reference: string | undefined;
  readonly date: CalendarDate;
  readonly settlementDate: CalendarDate | undefined;
}

function readEntries(entry: XmlElement, heading: CamtHeading): StatementEntry[] {
  const amount = required(entry, 'Amt');
  const [booked, value] = [dateOf(entry.child('BookgDt')), dateOf(entry.child('ValDt'))];
  const date = booked ?? value;
  if (date === undefined)
    throw new FieldFault({ line: entry.line, field: 'Ntry/BookgDt' }, 'It has neither BookgDt nor ValDt.');
  const base: EntryBase = {
    entry,
    heading,
    status: statusOf(required(entry, 'Sts')),
    amount: signedAmount(amount, required(entry, 'CdtDbtInd')),
    currency: currencyOf(amount),
    reference: referenceIn(entry.textAt('AcctSvcrRef')),
    date,
    settlementDate: value,
  };
  const details = entry.isCut ? [] : entry.all('NtryDtls').flatMap((group) => group.all('TxDtls'));
  if (details.length === 1) return [makeEntry(base, details[0])];
  const amounts = details.map((detail) => detailAmount(detail, base));
  if (details.length === 0 || !addsUp(amounts, base.amount)) return [makeEntry(base, undefined)];
  return details.map((detail, index) => {
    const own = referenceIn(detail.textAt('Refs', 'AcctSvcrRef'));
    const numbered = base.reference && `${base.reference}/${index + 1}`;
    const reference = own !== undefined && own !== base.reference ? own : numbered;
    return makeEntry({ ...base, reference, amount: amounts[index]! }, detail);
  });
}

/** Its amount in the currency of the entry, if it states one. */
function detailAmount(detail: XmlElement, { entry, currency }: EntryBase): Decimal | undefined {
  const amount = detail.child('Amt') ?? detail.find('AmtDtls', 'TxAmt', 'Amt');
  if (amount === undefined || currencyOf(amount) !== currency) return undefined;
  return signedAmount(amount, detail.child('CdtDbtInd') ?? required(entry, 'CdtDbtInd'));
}

function addsUp(amounts: readonly (Decimal | undefined)[], total: Decimal): amounts is readonly Decimal[] {
  let sum = 0n;
  for (const amount of amounts) {
    if (amount === undefined) return false;
    sum += toFixed(amount);
  }
  return sum === toFixed(total);
}

function makeEntry(base: EntryBase, detail: XmlElement | undefined): StatementEntry {
  const { entry, heading, amount, currency } = base;
  const { kind, category, typeWord, word } = meaningOf([detail?.child('BkTxCd'), entry.child('BkTxCd')]);
  const isReversal = isTrue(entry.child('RvslInd'));
  const comment = commentOf(entry, detail, amount);
  const reference = base.reference ?? referenceIn(detail?.textAt('Refs', 'AcctSvcrRef'));
  const distinct = reference && heading.references.distinct(isReversal ? `${reference}/reversal` : reference);
  const made = stated<StatementEntry>({
    item: 'entry',
    place: { line: (detail ?? entry).line, field: detail ? 'Ntry/TxDtls' : 'Ntry' },
    account: heading.account,
    statedAt: heading.statedAt,
    statement: heading.name,
    status: base.status,
    kind,
    reference: distinct,
    cancels: isReversal ? 'same-content' : undefined,
    date: base.date,
    settlementDate: base.settlementDate,
    depository: safekeepingAccount(detail?.child('SfkpgAcct')),
    amount,
    currency,
    instrument:
      isTransfer(kind) && word === undefined
        ? undefined
        : (instrumentOf(detail?.child('FinInstrmId')) ?? instrumentInText(kind, comment)),
    category,
    comment,
    typeWord,
    ...(detail && camtTrade(kind, detail, { amount, currency })),
  });
  return word === undefined || isReversal ? made : bankEntryByWord({ fields: made, signs: 'stated' }, word);
}

function instrumentInText(kind: TransactionKind, text: string | undefined): { isin: string } | undefined {
  const isin = isOfAccount(kind) ? undefined : isinIn(text ?? '');
  return isin === undefined ? undefined : { isin };
}

/** What is only announced or for information is never booked. */
const statuses = new Map<string, 'booked' | 'pending'>([
  ['BOOK', 'booked'],
  ['PDNG', 'pending'],
  ['FUTR', 'pending'],
  ['INFO', 'pending'],
]);

/** Until version 07 the code itself, since version 08 an element with a code. */
function statusOf(element: XmlElement): 'booked' | 'pending' {
  const code = element.textAt('Cd') ?? element.text;
  const status = statuses.get(code);
  if (status !== undefined) return status;
  throw new FieldFault({ line: element.line, field: 'Ntry/Sts' }, `The status "${code.slice(0, 40)}" is not known.`);
}
