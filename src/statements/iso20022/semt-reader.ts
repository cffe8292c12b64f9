// Reads semt.002 (statement of holdings) and semt.017 (statement of transactions): each holding and each movement of any number of
// safekeeping accounts. What one means is in files of its own.

import type { StatementItem } from '../../model/custody/statement.ts';
import { problemOf, unknownElement } from '../field-fault.ts';
import type { EmitItem, FormatReader } from '../format-reader.ts';
import { UsedReferences } from '../used-references.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { XmlStream, type ElementChoice } from '../xml/xml-stream.ts';
import { SemtHeading } from './semt-heading.ts';
import { semtHolding } from './semt-holding.ts';
import { semtClosingHolding, semtTransaction } from './semt-transaction.ts';

const reports = new Set(['SctiesBalCtdyRpt', 'SctiesTxPstngRpt']);
const entered = new Set(['SubAcctDtls', 'FinInstrmDtls']);
const keptInReport = new Set(['StmtGnlDtls', 'AcctSvcr', 'SfkpgAcct', 'BalForAcct', 'BalForSubAcct']);
const keptInInstrument = new Set(['FinInstrmId', 'ClsgBal', 'Tx']);
/** What says nothing that is booked or held. */
const passedOver = new Set([
  'Pgntn',
  'AcctOwnr',
  'BlckChainAdrOrWllt',
  'IntrmyInf',
  'ActvtyInd',
  'AcctBaseCcyTtlAmts',
  'AltrnRptgCcyTtlAmts',
  'InvstmtFndsFinInstrmAttrbts',
  'FinInstrmAttrbts',
  'PricDtls',
  'SfkpgPlc',
  'OpngBal',
  'SplmtryData',
  'XtnsnRptInf',
]);
const records = new Map([
  ['BalForAcct', 'Holding'],
  ['BalForSubAcct', 'Holding'],
  ['ClsgBal', 'Closing balance'],
  ['Tx', 'Transaction'],
]);

export class SemtReader implements FormatReader {
  readonly #emit: EmitItem;
  readonly #stream: XmlStream;
  #heading = new SemtHeading();
  #references = new UsedReferences();
  #instrument: XmlElement | undefined;
  #reportCount = 0;

  constructor(emit: EmitItem) {
    this.#emit = emit;
    this.#stream = new XmlStream({
      open: (element, parents) => this.#open(element, parents),
      kept: (element, parents) => this.#kept(element, parents.at(-1) ?? ''),
      close: (name) => this.#close(name),
    });
  }

  push(chunk: string): void {
    this.#stream.push(chunk);
  }

  end(): void {
    this.#stream.end();
    if (this.#reportCount === 0) throw this.#stream.fault(`The file has no report (${[...reports].join(', ')}).`);
  }

  #open({ name, line }: XmlElement, parents: readonly string[]): ElementChoice {
    const parent = parents.at(-1) ?? '';
    if (reports.has(name)) {
      this.#reportCount++;
      this.#heading = new SemtHeading();
      this.#references = new UsedReferences();
      return 'enter';
    }
    const isWithin = reports.has(parent) || entered.has(parent);
    if (!isWithin && records.has(name))
      throw this.#stream.fault(`${name} is in no report, so that its account is unknown.`);
    if (!isWithin || entered.has(name)) return 'enter';
    const kept = parent === 'FinInstrmDtls' ? keptInInstrument : keptInReport;
    if (kept.has(name) || records.has(name)) return 'keep';
    if (!passedOver.has(name)) this.#emit(unknownElement(name, line));
    return 'pass-over';
  }

  #close(name: string): void {
    if (name === 'SubAcctDtls') this.#heading.leaveSubAccount();
    else if (name === 'FinInstrmDtls') this.#instrument = undefined;
  }

  #kept(element: XmlElement, parent: string): void {
    const record = records.get(element.name);
    if (record !== undefined) this.#emit(this.#itemOf(element, record));
    else if (element.name === 'FinInstrmId') this.#instrument = element;
    else this.#heading.take(element, parent);
  }

  #itemOf(element: XmlElement, record: string): StatementItem {
    const heading = this.#heading;
    try {
      if (element.name === 'Tx')
        return semtTransaction(element, { heading, instrument: this.#instrument, references: this.#references });
      if (element.name === 'ClsgBal') return semtClosingHolding(element, heading, this.#instrument);
      return semtHolding(element, heading);
    } catch (error) {
      const problem = problemOf(error, { line: element.line, field: element.name });
      return { ...problem, detail: `${record}: ${problem.detail}` };
    }
  }
}
