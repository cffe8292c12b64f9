// Reads MT940 (customer statement) and MT942 (interim report): balances and statement lines of one account in each message. A statement
// may run over several messages, its pages.

import { isOfAccount, isTransfer } from '../../model/ledger/kind-traits.ts';
import { append } from '../../kit/memory/long-list.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import { ownData, ownText } from '../../kit/memory/own-text.ts';
import { RecentEntries } from '../../kit/memory/recent-entries.ts';
import { isCurrencyCode } from '../../model/currency.ts';
import type {
  NamedAccount,
  StatementBalance,
  StatementEntry,
  StatementProblem,
} from '../../model/custody/statement.ts';
import { cutText, shortened } from '../short-text.ts';
import { meaningOfCodes, type CodeMeaning } from '../bank-codes.ts';
import { FieldFault } from '../field-fault.ts';
import type { EmitItem } from '../format-reader.ts';
import { isinIn } from '../isin-in-text.ts';
import { stated } from '../stated-fields.ts';
import { bankEntryByWord } from '../typed-entry.ts';
import { meaningOfWord } from '../type-vocabulary.ts';
import { UsedReferences } from '../used-references.ts';
import { readEntryDetails } from './entry-details.ts';
import { readStatementLine, type StatementLine } from './statement-line.ts';
import type { SwiftField, SwiftHeader } from './swift-fields.ts';
import { accountIn, momentIn, readBalance, type BalanceField } from './statement-heading.ts';
import { fieldFault, refuseLongLines } from './swift-values.ts';

/** A page that ended with an intermediate balance (`:62M:`), which the next page must begin with. */
interface OpenStatement {
  readonly account: NamedAccount | undefined;
  readonly references: UsedReferences;
  readonly name: string;
  readonly closing: BalanceField;
}

interface OpenLine {
  readonly field: SwiftField;
  readonly line: StatementLine;
  readonly details: string[];
}

const commentLengthMax = 2_000;
/** Statements that may go on with another page; of more, the oldest is taken for one whose last page is missing. */
const openStatementsMax = 10_000;
const plainFlow: CodeMeaning = { kind: 'flow' };

/** Fields that say nothing which is booked: available balances, totals, information for the account owner. */
const otherTags = new Set(['20', '21', '64', '65', '86', '90D', '90C', 'NS', '13', '37', '12', '77E', '79']);

export class CustomerStatementReader {
  readonly #emit: EmitItem;
  readonly #names = new UsedReferences();
  readonly #openStatements = new RecentEntries<OpenStatement>(openStatementsMax);
  readonly #allReferences = new UsedReferences();
  #messageCount = 0;
  #account: NamedAccount | undefined;
  #accountFault: FieldFault | undefined;
  #number = '';
  #currency: string | undefined;
  #statedAt: string | undefined;
  #opening: BalanceField | undefined;
  #name: string | undefined;
  #isInterim = false;
  #hasClosing = false;
  #lineOpen: OpenLine | undefined;
  /** Of one statement: its pages share them. */
  #references = this.#allReferences;

  constructor(emit: EmitItem) {
    this.#emit = emit;
  }

  begin({ deliveredAt, messageType }: SwiftHeader): void {
    this.#account = this.#accountFault = this.#currency = this.#opening = this.#name = this.#lineOpen = undefined;
    this.#references = this.#allReferences.within(String(++this.#messageCount));
    this.#number = '';
    this.#statedAt = deliveredAt;
    this.#hasClosing = false;
    this.#isInterim = messageType === '942';
  }

  field(field: SwiftField): void {
    if (field.tag === '86' && this.#lineOpen !== undefined) return this.#addDetails(this.#lineOpen, field);
    this.#endLine();
    try {
      refuseLongLines(field);
      this.#read(field);
    } catch (error) {
      this.#report(error);
    }
  }

  /** An entry whose details cannot be read becomes a problem. */
  #addDetails({ details }: OpenLine, field: SwiftField): void {
    try {
      refuseLongLines(field);
      append(details, field.lines);
    } catch (error) {
      this.#lineOpen = undefined;
      this.#report(error);
    }
  }

  endMessage(line: number): void {
    this.#endLine();
    if (this.#opening !== undefined) this.#emitOpening(this.#opening.date);
    if (this.#isInterim || this.#hasClosing || this.#name === undefined) return;
    this.#problem(
      new FieldFault(
        { line, field: ':62F:' },
        'The statement ends without a closing balance: the file may be cut off.',
      ),
    );
  }

  /** At the end of the file: pages that are missing. */
  end(): void {
    for (const open of this.#openStatements.values()) this.#missPage(open);
  }

  #read(field: SwiftField): void {
    const { tag, lines } = field;
    const [first = ''] = lines;
    if (tag === '25' || tag === '25P') this.#readAccount(field);
    else if (tag === '28C' || tag === '28') this.#number = first.trim();
    else if (tag === '60F' || tag === '60M') this.#open(field);
    else if (tag === '61') this.#lineOpen = { field, line: readStatementLine(field), details: [] };
    else if (tag === '62F' || tag === '62M') this.#close(field);
    else if (tag === '34F') this.#readFloorLimit(field);
    else if (tag === '13D') this.#statedAt = momentIn(first) ?? this.#statedAt;
    else if (!otherTags.has(tag)) throw fieldFault(field, 'This is not a field of a customer statement.');
  }

  #readAccount(field: SwiftField): void {
    this.#account = accountIn(field);
    if (this.#account === undefined) {
      this.#accountFault = fieldFault(
        field,
        'The account is empty, so that it is not certain whose entries these are.',
      );
      throw this.#accountFault;
    }
  }

  /** `EUR0,` or `EURD100,`: only reports within the day have it. */
  #readFloorLimit(field: SwiftField): void {
    const [first = ''] = field.lines;
    const currency = first.slice(0, 3);
    if (!isCurrencyCode(currency)) throw fieldFault(field, `"${shortened(first)}" does not begin with a currency.`);
    this.#currency ??= currency;
    this.#isInterim = true;
  }

  #open(field: SwiftField): void {
    const balance = readBalance(field);
    this.#currency = balance.currency;
    const key = `${this.#account?.number ?? ''}/${balance.currency}`;
    const before = this.#openStatements.get(key);
    this.#openStatements.delete(key);
    if (field.tag === '60M' && before !== undefined) {
      this.#name = before.name;
      this.#references = before.references;
      if (before.closing.amount === balance.amount) return;
      throw fieldFault(
        field,
        `The page begins with ${balance.amount}, but the page before ended with ${before.closing.amount}: a page is missing.`,
      );
    }
    if (before !== undefined) this.#missPage(before);
    this.#opening = balance;
    const [number = ''] = this.#number.split('/');
    const name = [this.#account?.number, balance.currency, number, balance.date].filter(Boolean).join('/');
    this.#name = this.#names.distinct(name);
  }

  /**
   * The day of `:60F:` is that of the last statement at most banks and the first day of this one at others. Nothing happened between it
   * and the first entry, so that it is also the balance before the entries of that day.
   */
  #emitOpening(firstDay: CalendarDate): void {
    const opening = this.#opening;
    if (opening === undefined || this.#name === undefined) return;
    this.#opening = undefined;
    this.#emitBalance(opening, 'opening', firstDay > opening.date ? firstDay : opening.date);
  }

  #close(field: SwiftField): void {
    this.#hasClosing = true;
    const balance = readBalance(field);
    this.#emitOpening(balance.date);
    const name = this.#name;
    if (name === undefined) throw fieldFault(field, 'The statement has a closing balance and no opening one (:60F:).');
    if (field.tag === '62F') return this.#emitBalance(balance, 'closing', balance.date);
    const key = `${this.#account?.number ?? ''}/${balance.currency}`;
    const account = this.#account && ownData(this.#account);
    const open = { account, name: ownText(name), closing: ownData(balance), references: this.#references };
    const forgotten = this.#openStatements.set(key, open);
    if (forgotten !== undefined) this.#missPage(forgotten);
  }

  #emitBalance({ field, amount, currency }: BalanceField, moment: 'opening' | 'closing', date: CalendarDate): void {
    if (this.#accountFault !== undefined) return;
    this.#emit(
      stated<StatementBalance>({
        item: 'balance',
        place: placeOf(field),
        account: this.#account,
        statedAt: this.#statedAt,
        moment,
        date,
        amount,
        currency,
        statement: this.#name ?? '',
      }),
    );
  }

  #endLine(): void {
    const open = this.#lineOpen;
    this.#lineOpen = undefined;
    if (open === undefined) return;
    try {
      if (this.#accountFault !== undefined) throw this.#accountFault;
      if (this.#currency === undefined) throw fieldFault(open.field, 'No balance before the line says its currency.');
      this.#emitOpening(open.line.entryDate ?? open.line.valueDate);
      this.#emit(this.#entry(open, this.#currency));
    } catch (error) {
      this.#report(error, open.field);
    }
  }

  #entry({ field, line, details }: OpenLine, currency: string): StatementEntry {
    const { germanCode, title, text } = readEntryDetails(details);
    const comment = cutText([text, line.details, line.customerReference].find(Boolean) ?? '', commentLengthMax);
    const isin = isinIn([text, line.details].join(' '));
    const { kind, category } = this.#meaning(line, germanCode);
    const byTitle = isTransfer(kind) && !line.isReversal && title !== undefined ? meaningOfWord(title) : undefined;
    const isTelling = byTitle !== undefined && !isTransfer(byTitle.kind);
    const entry = stated<StatementEntry>({
      item: 'entry',
      place: placeOf(field),
      account: this.#account,
      statedAt: this.#statedAt,
      status: line.isExpected ? 'pending' : 'booked',
      kind,
      reference: this.#referenceOf(line),
      cancels: line.isReversal ? 'same-content' : undefined,
      date: line.entryDate ?? line.valueDate,
      settlementDate: line.valueDate,
      amount: line.amount,
      currency,
      instrument: isin !== undefined && (!isTransfer(kind) || isTelling) && !isOfAccount(kind) ? { isin } : undefined,
      category,
      comment: comment || undefined,
      typeWord: [line.type, germanCode, title].filter(Boolean).join(' '),
      statement: this.#name ?? [this.#account?.number, currency, this.#number].filter(Boolean).join('/'),
    });
    // The code says nothing about wealth, but the bank's own title of the entry does.
    return isTelling && title !== undefined ? bankEntryByWord({ fields: entry, signs: 'stated' }, title) : entry;
  }

  #meaning(line: StatementLine, germanCode: string | undefined): CodeMeaning {
    const meaning = meaningOfCodes(line.type, germanCode) ?? plainFlow;
    // A reversal keeps the kind of what it reverses, with the opposite sign.
    const { kind } = meaning;
    return kind === meaning.kind ? meaning : { kind };
  }

  /** A short reference of the bank is a number within a day, and repeats. */
  #referenceOf({ bankReference, isReversal, entryDate, valueDate }: StatementLine): string | undefined {
    if (bankReference === undefined) return undefined;
    const isLong = bankReference.length >= 8;
    const reference = isLong ? bankReference : `${entryDate ?? valueDate}/${bankReference}`;
    return this.#references.distinct(isReversal ? `${reference}/reversal` : reference);
  }

  #report(error: unknown, field?: SwiftField): void {
    if (!(error instanceof FieldFault)) throw error;
    this.#problem(field === undefined ? error : fieldFault(field, error.message));
  }

  #missPage({ account, closing: { field } }: OpenStatement): void {
    const detail = 'The statement ends with an intermediate balance (:62M:): its last page is missing.';
    this.#problem(fieldFault(field, detail), account);
  }

  #problem({ place, message }: FieldFault, account = this.#account): void {
    this.#emit(
      stated<StatementProblem>({
        item: 'problem',
        place,
        account,
        statedAt: this.#statedAt,
        detail: message,
      }),
    );
  }
}

function placeOf({ line, tag }: SwiftField): { line: number; field: string } {
  return { line, field: `:${tag}:` };
}
