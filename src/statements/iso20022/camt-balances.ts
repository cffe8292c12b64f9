// The opening and the closing balance of a statement of camt. Balances of what is available or expected are not of the ledger.

import { fromDayNumber, toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import type { StatementBalance, StatementItem, StatementProblem } from '../../model/custody/statement.ts';
import { FieldFault, problemOf } from '../field-fault.ts';
import { stated } from '../stated-fields.ts';
import { readIsoDate } from '../stated-values.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import type { CamtHeading } from './camt-heading.ts';
import { currencyOf, required, requiredDate, signedAmount } from './iso-values.ts';

const codesOfLedger = new Set(['OPBD', 'PRCD', 'ITBD', 'CLBD']);
const codesOfOthers = new Set(['CLAV', 'FWAV', 'ITAV', 'OPAV', 'XPCD', 'INFO', 'XCRD', 'XBAL', 'PERM', 'UBDT', 'BLCK']);

interface CodedBalance {
  readonly code: string;
  readonly balance: StatementBalance;
}

export function camtBalances(elements: readonly XmlElement[], heading: CamtHeading): StatementItem[] {
  const items: StatementItem[] = [];
  const balances: CodedBalance[] = [];
  for (const element of elements) {
    try {
      const code = balanceCode(element);
      if (codesOfLedger.has(code)) balances.push(readBalance(element, code, heading));
    } catch (error) {
      const { detail, ...problem } = problemOf(error, { line: element.line, field: 'Bal' });
      const { account, statedAt } = heading;
      items.push(stated<StatementProblem>({ ...problem, account, statedAt, detail: `Balance: ${detail}` }));
    }
  }
  const currencies = new Set(balances.map(({ balance }) => balance.currency));
  for (const currency of currencies) {
    items.push(
      ...chosenBalances(
        balances.filter(({ balance }) => balance.currency === currency),
        heading,
      ),
    );
  }
  return items;
}

function balanceCode(element: XmlElement): string {
  const type = required(element, 'Tp');
  if (type.find('CdOrPrtry', 'Prtry') !== undefined || type.child('Prtry') !== undefined) return '';
  const code = type.textAt('CdOrPrtry', 'Cd') ?? type.textAt('Cd');
  if (code !== undefined && (codesOfLedger.has(code) || codesOfOthers.has(code))) return code;
  throw new FieldFault(
    { line: type.line, field: 'Bal/Tp' },
    code === undefined ? 'The type (Tp) is missing.' : `The type ${code} is not known.`,
  );
}

function readBalance(element: XmlElement, code: string, heading: CamtHeading): CodedBalance {
  if (heading.accountFault) throw heading.accountFault;
  const amount = required(element, 'Amt');
  const balance = stated<StatementBalance>({
    item: 'balance',
    place: { line: element.line, field: 'Bal' },
    account: heading.account,
    statedAt: heading.statedAt,
    moment: 'closing',
    date: requiredDate(element, 'Dt'),
    amount: signedAmount(amount, required(element, 'CdtDbtInd')),
    currency: currencyOf(amount),
    statement: heading.name,
  });
  return { code, balance };
}

/** One opening and one closing balance: the first and the last, if a statement has one for each of its days. */
function chosenBalances(balances: readonly CodedBalance[], heading: CamtHeading): StatementBalance[] {
  const ofCode = (code: string) => balances.filter((balance) => balance.code === code);
  // A statement on several pages has interim balances where a page begins and ends; those of a report are of the moment only.
  const interim = heading.isReport ? [] : ofCode('ITBD');
  const closing = ofCode('CLBD').at(-1) ?? interim.at(-1);
  const opening = ofCode('OPBD')[0] ?? ofCode('PRCD')[0] ?? interim.find((balance) => balance !== closing);
  const chosen: StatementBalance[] = [];
  if (opening) {
    const date = openingDate(opening, closing?.balance.date, heading.from);
    chosen.push({ ...opening.balance, moment: 'opening', date });
  }
  if (closing) chosen.push(closing.balance);
  return chosen;
}

/** The day before whose entries it counts: a previous closing balance counts from the next day on. */
function openingDate(
  { code, balance: { date } }: CodedBalance,
  closing: CalendarDate | undefined,
  from: string | undefined,
): CalendarDate {
  const begins = readIsoDate(from ?? '');
  if (begins !== undefined && begins > date && (closing === undefined || begins <= closing)) return begins;
  if (code !== 'PRCD' || (closing !== undefined && date >= closing) || date >= '2200-12-31') return date;
  return fromDayNumber(toDayNumber(date) + 1);
}
