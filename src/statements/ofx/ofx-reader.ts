// Reads OFX 1 (SGML) and OFX 2 (XML): statements of bank accounts, cards and investments, and the list of securities. What each
// transaction means is in files of its own.

import { isCurrencyCode } from '../../model/currency.ts';
import {
  StatementFault,
  type NamedAccount,
  type StatementItem,
  type StatementProblem,
} from '../../model/custody/statement.ts';
import { shortened } from '../short-text.ts';
import { FieldFault, problemOf } from '../field-fault.ts';
import type { EmitItem, FormatReader } from '../format-reader.ts';
import { stated } from '../stated-fields.ts';
import type { StatementFormat } from '../statement-format.ts';
import { UsedReferences } from '../used-references.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { XmlStream, type ElementChoice, type XmlHandler } from '../xml/xml-stream.ts';
import { FinancialIdMemory, FinancialIds } from './financial-ids.ts';
import { bankEntry } from './ofx-bank.ts';
import { ofxAccount, type OfxHeading } from './ofx-heading.ts';
import { investmentCash, ledgerBalance, positionOf } from './ofx-holdings.ts';
import { investmentTransactions } from './ofx-investment.ts';
import { securityInfos, statedSecurity } from './ofx-security.ts';
import { readOfxDate, readOfxMoment } from './ofx-values.ts';
import { SecurityList } from './security-list.ts';
import { SgmlStream } from './sgml-stream.ts';

const positions = new Set(['POSSTOCK', 'POSMF', 'POSDEBT', 'POSOPT', 'POSOTHER']);
const accounts = new Set(['BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM']);
const statements = new Set(['STMTRS', 'CCSTMTRS', 'INVSTMTRS']);
const balances = new Set(['LEDGERBAL', 'INVBAL']);
/** Single values that count for a statement or for the file. */
const values = new Set(['CURDEF', 'DTASOF', 'DTSERVER']);
/** Orders that are open and offers of the institution move nothing. */
const passedOver = new Set(['INVOOLIST', 'AVAILBAL', 'BALLIST', 'MKTGINFO', 'INV401K', 'INV401KBAL']);

/** Only transactions and positions have them. */
const amounts = new Set(['TRNAMT', 'TOTAL', 'UNITS']);
const lists = new Set(['BANKTRANLIST', 'BANKTRANLISTP', 'INVTRANLIST', 'INVPOSLIST']);
/** What a list has beside its entries; a transaction of the bank is within `INVBANKTRAN`. */
const listHeadings = new Set(['DTSTART', 'DTEND', 'DTASOF', 'INVBANKTRAN']);

/** Elements that never contain each other. */
const separate: ReadonlySet<string> = new Set([
  'STMTTRN',
  'STMTTRNP',
  ...investmentTransactions.keys(),
  ...securityInfos.keys(),
  ...positions,
  ...accounts,
  ...balances,
  ...statements,
]);

export class OfxReader implements FormatReader {
  readonly #emit: EmitItem;
  readonly #list: SecurityList;
  readonly #ids = new FinancialIdMemory();
  readonly #names = new UsedReferences();
  #head: string | undefined = '';
  #stream: SgmlStream | XmlStream | undefined;
  #statedAt: string | undefined;
  #heading = emptyHeading();
  #accountFault: FieldFault | undefined;
  #hasContent = false;

  constructor(emit: EmitItem) {
    const list = new SecurityList(emit);
    this.#list = list;
    this.#emit = (item) => list.take(item);
  }

  push(chunk: string): void {
    if (this.#head === undefined) return this.#stream?.push(chunk);
    this.#head += chunk;
    if (this.#head.trimStart().length >= 16) this.#start();
  }

  end(): void {
    if (this.#head !== undefined) this.#start();
    this.#stream?.end();
    this.#list.release();
    if (!this.#hasContent)
      throw new StatementFault({ line: 1 }, 'The file has no statement: neither STMTRS, CCSTMTRS nor INVSTMTRS.');
  }

  /** OFX 2 begins with the declarations of XML; everything else is read as SGML, which takes end tags as well. */
  #start(): void {
    const head = this.#head ?? '';
    this.#head = undefined;
    const handler: XmlHandler = {
      open: (element, parents) => this.#open(element, parents.at(-1) ?? ''),
      kept: (element) => this.#kept(element),
    };
    const isXml = /^\ufeff?\s*<\?(?:xml|OFX)\b/i.test(head);
    this.#stream = isXml ? new XmlStream(handler) : new SgmlStream(handler, separate);
    this.#stream.push(isXml ? head.replace(/^\ufeff?\s+/, (space) => space.replace(/[^\n]/g, '')) : head);
  }

  #open({ name, line }: XmlElement, parent: string): ElementChoice {
    if (statements.has(name)) {
      this.#beginStatement();
      if (name === 'INVSTMTRS') this.#list.holdBack();
      return 'enter';
    }
    if (passedOver.has(name)) return 'pass-over';
    if (amounts.has(name)) this.#takeStray(name, line);
    // What is listed among transactions and positions is never skipped, known or not.
    const isListed = lists.has(parent) && !listHeadings.has(name);
    return isListed || separate.has(name) || values.has(name) || name === 'STATUS' ? 'keep' : 'enter';
  }

  /** An amount or a number of units is in no transaction: the tag of its transaction is damaged. */
  #takeStray(name: string, line: number): void {
    this.#hasContent = true;
    this.#emit({ item: 'problem', place: { line, field: name }, detail: `${name} is in no transaction.` });
  }

  #beginStatement(): void {
    this.#hasContent = true;
    this.#accountFault = undefined;
    this.#heading = emptyHeading(this.#statedAt);
  }

  #kept(element: XmlElement): void {
    const { name } = element;
    if (accounts.has(name)) this.#takeAccount(element);
    else if (values.has(name)) this.#takeValue(element);
    else if (name === 'STATUS') this.#takeStatus(element);
    else {
      this.#hasContent = true;
      for (const item of this.#itemsOf(element)) this.#emit(item);
    }
  }

  #takeAccount(element: XmlElement): void {
    const account = ofxAccount(element);
    if (account === undefined) {
      const detail = `${element.name} has no ACCTID, so that it is not certain whose transactions these are.`;
      this.#accountFault = new FieldFault({ line: element.line, field: 'ACCTID' }, detail);
    }
    const ids = new FinancialIds(account?.number ?? '', this.#ids);
    this.#heading = stated<OfxHeading>({ ...this.#heading, account, ids, statement: this.#statementName(account) });
  }

  #statementName(account: NamedAccount | undefined): string {
    return this.#names.distinct([account?.number, this.#statedAt?.slice(0, 10)].filter(Boolean).join('/'));
  }

  #takeValue({ name, text, line }: XmlElement): void {
    if (name === 'DTSERVER') {
      this.#statedAt = readOfxMoment(text);
    } else if (name === 'CURDEF') {
      this.#takeCurrency(line, text.toUpperCase());
    } else this.#heading = { ...this.#heading, day: readOfxDate(text) };
  }

  #takeCurrency(line: number, currency: string): void {
    if (isCurrencyCode(currency)) this.#heading = { ...this.#heading, currency };
    else {
      const detail = `"${shortened(currency)}" in CURDEF is not a currency code.`;
      this.#emit({ item: 'problem', place: { line, field: 'CURDEF' }, detail });
    }
  }

  /** The institution's answer instead of a statement. */
  #takeStatus(element: XmlElement): void {
    if (element.textAt('SEVERITY')?.toUpperCase() !== 'ERROR') return;
    this.#hasContent = true;
    const words = shortened([element.textAt('CODE'), element.textAt('MESSAGE')].filter(Boolean).join(', '), 200);
    this.#emit({
      item: 'problem',
      place: { line: element.line, field: 'STATUS' },
      detail: `The institution answered with an error instead of a statement: ${words}.`,
    });
  }

  #itemsOf(element: XmlElement): StatementItem[] {
    const heading = this.#heading;
    try {
      if (securityInfos.has(element.name)) return [statedSecurity(element, { statedAt: this.#statedAt })];
      if (this.#accountFault !== undefined) throw this.#accountFault;
      return readElement(element, heading);
    } catch (error) {
      const { account, statedAt } = heading;
      const problem = problemOf(error, { line: element.line, field: element.name });
      return [stated<StatementProblem>({ ...problem, account, statedAt })];
    }
  }
}

function emptyHeading(statedAt?: string): OfxHeading {
  return { account: undefined, currency: undefined, day: undefined, statedAt, statement: '', ids: new FinancialIds() };
}

function readElement(element: XmlElement, heading: OfxHeading): StatementItem[] {
  const { name } = element;
  if (name === 'STMTTRN' || name === 'STMTTRNP') return [bankEntry(element, heading)];
  if (name === 'LEDGERBAL') return [ledgerBalance(element, heading)];
  if (name === 'INVBAL') return [investmentCash(element, heading)].filter((one) => one !== undefined);
  if (positions.has(name)) return [positionOf(element, heading)];
  const read = investmentTransactions.get(name);
  if (read !== undefined) return read(element, heading);
  throw new FieldFault(
    { line: element.line, field: name },
    `${shortened(name)} is not a transaction or position of OFX.`,
  );
}

export const ofxFormat: StatementFormat = {
  name: 'ofx',
  title: 'OFX 1 and 2: bank accounts, cards and investments',
  recognises: (head) => /^\ufeff?\s*OFXHEADER\s*:/i.test(head) || /<OFX[\s>]/i.test(head) || /<\?OFX\b/i.test(head),
  open: (emit) => new OfxReader(emit),
};
