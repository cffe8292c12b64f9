// Reads the XML of an Interactive Brokers Flex query: any number of accounts, each with sections of rows. A section that is not
// known becomes a problem, as does each row that cannot be understood.

import { append } from '../../kit/memory/long-list.ts';
import type { StatementItem, StatementProblem } from '../../model/custody/statement.ts';
import type { DateOrder } from '../date-order.ts';
import { bothOrders, inBothOrders } from '../date-readings.ts';
import { problemOf } from '../field-fault.ts';
import type { EmitItem, FormatReader } from '../format-reader.ts';
import { stated } from '../stated-fields.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { XmlStream, type ElementChoice } from '../xml/xml-stream.ts';
import { FlexRow, flexMoment, readFlexDate, type FlexStatement } from './flex-row.ts';
import { explainingSections, flexSections } from './flex-sections.ts';

/** Rows that wait for what they may repeat. If so many come without it, nothing follows that they repeat. */
const waitingMax = 20_000;

const emptyStatement: FlexStatement = { accountId: undefined, from: undefined, to: undefined, statedAt: undefined };

/** What is known of the section that is being read. */
interface SectionState {
  readonly name: string;
  readonly line: number;
  rowCount: number;
  chosenCount: number;
  waiting: StatementItem[];
  isReleased: boolean;
}

export class FlexReader implements FormatReader {
  readonly #emit: EmitItem;
  readonly #stream: XmlStream;
  readonly #orders: readonly DateOrder[];
  /** What counts for all rows of one account, read in each order. */
  #statements: readonly FlexStatement[] = [];
  #statementCount = 0;
  #section: SectionState | undefined;

  /** `order` is that of dates with slashes, as far as it is known. */
  constructor(emit: EmitItem, order?: DateOrder) {
    this.#emit = emit;
    this.#orders = order === undefined ? bothOrders : [order];
    this.#stream = new XmlStream({
      open: (element, parents) => this.#open(element, parents),
      kept: (element) => this.#row(element),
      close: (_name, parents) => {
        if (parents.at(-1) === 'FlexStatement') this.#closeSection();
      },
    });
  }

  push(chunk: string): void {
    this.#stream.push(chunk);
  }

  end(): void {
    this.#stream.end();
    if (this.#statementCount === 0) throw this.#stream.fault('The file has no statement (FlexStatement).');
  }

  #open(element: XmlElement, parents: readonly string[]): ElementChoice {
    const parent = parents.at(-1);
    if (element.name === 'FlexStatement') this.#openStatement(element);
    if (parent === 'FlexStatement') {
      if (explainingSections.has(element.name)) return 'pass-over';
      const { name, line } = element;
      this.#section = { name, line, rowCount: 0, chosenCount: 0, waiting: [], isReleased: false };
      return 'enter';
    }
    if (this.#section !== undefined) return 'keep';
    return 'enter';
  }

  #openStatement({ attributes }: XmlElement): void {
    this.#statementCount++;
    this.#statements = this.#orders.map((order) => ({
      accountId: attributes['accountId']?.trim() || undefined,
      from: readFlexDate(attributes['fromDate'] ?? '', order),
      to: readFlexDate(attributes['toDate'] ?? '', order),
      statedAt: flexMoment(attributes['whenGenerated'] ?? '', order),
    }));
  }

  #row(element: XmlElement): void {
    const state = this.#section!;
    state.rowCount++;
    const section = flexSections.get(state.name);
    if (section === undefined) return;
    const rows = this.#orders.map(
      (order, index) => new FlexRow(element, this.#statements[index] ?? emptyStatement, order),
    );
    const [row] = rows;
    if (row === undefined) return;
    const level = section.levelOf(row);
    if (level === 'detail') return;
    if (level === 'fallback' && state.chosenCount > 0) return;
    const [read = [], readOtherwise] = rows.map((one) => this.#itemsOf(one, section.items));
    const items = inBothOrders(read, readOtherwise);
    if (level === 'chosen') {
      if (state.isReleased)
        throw this.#stream.fault('Totals come before the rows that they repeat. Leave the totals out of the query.');
      state.chosenCount++;
      state.waiting = [];
      for (const item of items) this.#emit(item);
    } else {
      append(state.waiting, items);
      if (state.isReleased || state.waiting.length >= waitingMax) this.#release(state);
    }
  }

  #itemsOf(row: FlexRow, read: (row: FlexRow) => readonly StatementItem[]): readonly StatementItem[] {
    try {
      return read(row);
    } catch (error) {
      const { account, statement, place } = row;
      return [stated<StatementProblem>({ ...problemOf(error, place), account, statedAt: statement.statedAt })];
    }
  }

  #release(state: SectionState): void {
    state.isReleased = true;
    for (const item of state.waiting) this.#emit(item);
    state.waiting = [];
  }

  #closeSection(): void {
    const state = this.#section;
    this.#section = undefined;
    if (state === undefined) return;
    const isKnown = flexSections.has(state.name);
    const isRead = state.chosenCount > 0 || state.isReleased || state.waiting.length > 0;
    if (isKnown) this.#release(state);
    if (state.rowCount === 0 || (isKnown && isRead)) return;
    const detail = isKnown
      ? `The section ${state.name} has only rows that break others down (${state.rowCount}). Add executions or summaries to the query.`
      : `The section ${state.name} is not read (rows: ${state.rowCount}). If it moved cash or units, enter them by hand.`;
    this.#emit({ item: 'problem', place: { line: state.line, field: state.name }, detail });
  }
}
