// The SWIFT messages that are read. One reader reads all of them, also mixed in one file: fields in blocks (`:16R:`) are those of a
// statement of securities.

import { StatementFault } from '../../model/custody/statement.ts';
import type { EmitItem, FormatReader } from '../format-reader.ts';
import type { StatementFormat } from '../statement-format.ts';
import { CustomerStatementReader } from './customer-statement.ts';
import { SecuritiesStatementReader } from './securities-statement.ts';
import { SwiftFieldReader, type SwiftField, type SwiftHeader } from './swift-fields.ts';

export class SwiftReader implements FormatReader {
  readonly #fields = new SwiftFieldReader({
    beginMessage: (header) => this.#begin(header),
    field: (field) => this.#field(field),
    endMessage: (line) => this.#message?.endMessage(line),
  });
  readonly #customer: CustomerStatementReader;
  readonly #securities: SecuritiesStatementReader;
  #message: CustomerStatementReader | SecuritiesStatementReader | undefined;
  #header: SwiftHeader = {};
  #messageCount = 0;

  constructor(emit: EmitItem) {
    this.#customer = new CustomerStatementReader(emit);
    this.#securities = new SecuritiesStatementReader(emit);
  }

  push(chunk: string): void {
    this.#fields.push(chunk);
  }

  end(): void {
    this.#fields.end();
    this.#customer.end();
    if (this.#messageCount === 0)
      throw new StatementFault({ line: 1 }, 'The file has no SWIFT message: no field such as :20: begins a line.');
  }

  #begin(header: SwiftHeader): void {
    this.#messageCount++;
    this.#header = header;
    this.#message = undefined;
  }

  #field(field: SwiftField): void {
    // Bare files may have messages without a line between them.
    const isNext = this.#message === this.#customer && field.tag === '20' && this.#hasLines;
    if (this.#message === undefined || isNext) this.#start(field);
    this.#hasLines ||= field.tag === '60F' || field.tag === '60M' || field.tag === '61' || field.tag === '34F';
    this.#message?.field(field);
  }

  #hasLines = false;

  #start(field: SwiftField): void {
    this.#message?.endMessage(field.line);
    this.#hasLines = false;
    this.#message = field.tag === '16R' ? this.#securities : this.#customer;
    this.#message.begin(this.#header);
  }
}

/** Whether a line begins with this field. */
function hasField(head: string, start: string): boolean {
  return (
    head.startsWith(start) || head.includes(`\n${start}`) || head.includes(`\r${start}`) || head.includes(`{4:${start}`)
  );
}

function isMessage(head: string, type: string): boolean {
  return head.includes(`{2:O${type}`) || head.includes(`{2:I${type}`);
}

const hasBlocks = (head: string): boolean => hasField(head, ':16R:GENL');
const hasTransactions = (head: string): boolean =>
  hasField(head, ':16R:TRAN') || hasField(head, ':69A::STAT') || hasField(head, ':69B::STAT');
const isCustomerStatement = (head: string): boolean =>
  hasField(head, ':20:') && (hasField(head, ':25:') || hasField(head, ':25P:'));
const isInterim = (head: string): boolean =>
  hasField(head, ':34F:') || (hasField(head, ':13D:') && !hasField(head, ':60F:'));

function swiftFormat(name: string, title: string, recognises: (head: string) => boolean): StatementFormat {
  return { name, title, recognises, open: (emit) => new SwiftReader(emit) };
}

export const swiftFormats: readonly StatementFormat[] = [
  swiftFormat(
    'mt940',
    'SWIFT MT940, customer statement',
    (head) => isMessage(head, '940') || (isCustomerStatement(head) && !isInterim(head)),
  ),
  swiftFormat(
    'mt942',
    'SWIFT MT942, interim report',
    (head) => isMessage(head, '942') || (isCustomerStatement(head) && isInterim(head)),
  ),
  swiftFormat(
    'mt536',
    'SWIFT MT536, statement of transactions',
    (head) => isMessage(head, '536') || (hasBlocks(head) && hasTransactions(head)),
  ),
  swiftFormat('mt535', 'SWIFT MT535, statement of holdings', (head) => isMessage(head, '535') || hasBlocks(head)),
];
