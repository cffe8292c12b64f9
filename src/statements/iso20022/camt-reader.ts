// Reads camt.053 (statement) and camt.052 (report within the day) in all their versions: the accounts in a file, their balances
// and entries. What a balance or an entry means is in files of its own.

import { FieldFault, unknownElement } from '../field-fault.ts';
import type { EmitItem, FormatReader } from '../format-reader.ts';
import { readMoment } from '../stated-values.ts';
import { UsedReferences } from '../used-references.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { XmlStream, type ElementChoice } from '../xml/xml-stream.ts';
import { camtBalances } from './camt-balances.ts';
import { camtEntries } from './camt-entry.ts';
import type { CamtHeading } from './camt-heading.ts';
import { cashAccount } from './iso-values.ts';

const statements = new Set(['Stmt', 'Rpt']);
/** What a statement may have beside its heading, balances and entries, and what says nothing that is booked. */
const passedOver = new Set([
  'StmtPgntn',
  'RptPgntn',
  'RptgSeq',
  'CpyDplctInd',
  'RptgSrc',
  'RltdAcct',
  'Intrst',
  'TxsSummry',
  'AddtlStmtInf',
  'AddtlRptInf',
  'SplmtryData',
]);
const keptInHeading = new Set(['Id', 'ElctrncSeqNb', 'LglSeqNb', 'CreDtTm', 'FrToDt', 'Acct']);

export class CamtReader implements FormatReader {
  readonly #emit: EmitItem;
  readonly #stream: XmlStream;
  #messageMadeAt: string | undefined;
  #statementCount = 0;
  #fields = new Map<string, XmlElement>();
  #balances: XmlElement[] = [];
  /** Known from the first balance or entry on. */
  #heading: CamtHeading | undefined;
  #previous: CamtHeading | undefined;

  constructor(emit: EmitItem) {
    this.#emit = emit;
    this.#stream = new XmlStream({
      open: (element, parents) => this.#open(element, parents),
      kept: (element, parents) => this.#kept(element, parents),
      close: (name) => {
        if (statements.has(name)) this.#emitBalances(name);
      },
    });
  }

  push(chunk: string): void {
    this.#stream.push(chunk);
  }

  end(): void {
    this.#stream.end();
    if (this.#statementCount === 0) throw this.#stream.fault('The file has no statement (Stmt) and no report (Rpt).');
  }

  #open({ name, line }: XmlElement, parents: readonly string[]): ElementChoice {
    if (statements.has(parents.at(-1) ?? '')) {
      if (name === 'Ntry' || name === 'Bal' || keptInHeading.has(name)) return 'keep';
      if (!passedOver.has(name)) this.#emit(unknownElement(name, line));
      return 'pass-over';
    }
    if (statements.has(name)) {
      this.#statementCount++;
      this.#fields = new Map();
      this.#balances = [];
      this.#previous = this.#heading ?? this.#previous;
      this.#heading = undefined;
    } else if (name === 'GrpHdr') {
      return 'keep';
    } else if (name === 'Ntry') {
      throw this.#stream.fault('An entry (Ntry) is in no statement (Stmt), so that its account is unknown.');
    }
    return 'enter';
  }

  #kept(element: XmlElement, parents: readonly string[]): void {
    const parent = parents.at(-1) ?? '';
    if (!statements.has(parent)) {
      this.#messageMadeAt = readMoment(element.textAt('CreDtTm') ?? '');
    } else if (element.name === 'Bal') {
      this.#balances.push(element);
    } else if (element.name === 'Ntry') {
      this.#emitBalances(parent);
      for (const item of camtEntries(element, this.#headingOf(parent))) this.#emit(item);
    } else {
      if (this.#heading !== undefined && element.name === 'Acct') {
        throw this.#stream.fault(
          'The account (Acct) comes after balances or entries, so that it is not certain whose they are.',
        );
      }
      this.#fields.set(element.name, element);
    }
  }

  /** Balances come before entries. They wait for each other, since one decides what another means. */
  #emitBalances(statement: string): void {
    if (this.#balances.length === 0) return;
    const balances = this.#balances;
    this.#balances = [];
    for (const item of camtBalances(balances, this.#headingOf(statement))) this.#emit(item);
  }

  #headingOf(statement: string): CamtHeading {
    if (this.#heading !== undefined) return this.#heading;
    const fields = this.#fields;
    const element = fields.get('Acct');
    const account = cashAccount(element);
    const id = fields.get('Id')?.text || fields.get('ElctrncSeqNb')?.text || fields.get('LglSeqNb')?.text || '';
    const name = [account?.number, account?.currency, id].filter(Boolean).join('/');
    this.#heading = {
      account,
      accountFault: element !== undefined && account === undefined ? unnamedAccount(element) : undefined,
      statedAt: readMoment(fields.get('CreDtTm')?.text ?? '') ?? this.#messageMadeAt,
      name,
      isReport: statement === 'Rpt',
      from: fields.get('FrToDt')?.textAt('FrDtTm') ?? fields.get('FrToDt')?.textAt('FrDt'),
      // Pages of one statement follow each other and share its references.
      references: this.#previous?.name === name ? this.#previous.references : new UsedReferences(),
    };
    return this.#heading;
  }
}

function unnamedAccount(element: XmlElement): FieldFault {
  const detail =
    'The statement has an account (Acct) without an IBAN or other number, so that it is not certain whose it is.';
  return new FieldFault({ line: element.line, field: 'Acct/Id' }, detail);
}
