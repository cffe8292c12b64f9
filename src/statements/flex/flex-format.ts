// The format of Flex queries. A query that is set to 31/12/2025 or 12/31/2025 is looked through first, since all its dates decide which.

import { StatementFault } from '../../model/custody/statement.ts';
import { DateOrderEvidence, type DateOrder } from '../date-order.ts';
import type { FormatSurvey, StatementFormat } from '../statement-format.ts';
import { FlexReader } from './flex-reader.ts';
import { slashedDate } from './flex-row.ts';

/** The two orders that a query can be set to. */
const flexOrders = ['day-month-year', 'month-day-year'] as const;

const slashedValue = /=\s?["']\d{1,2}\/\d{1,2}\/\d{2}/g;
const nameBefore = /(?<!\w)\w+\s?$/;
const dateName = /date|time|when|expiry|maturity/i;
/** No name of a date is longer. */
const nameLengthMax = 60;
/** A tag that is longer is read by parts: no reader accepts one. */
const tagLengthMax = 1 << 17;

export function flexFormat(recognises: StatementFormat['recognises'], dateOrder?: DateOrder): StatementFormat {
  const format: StatementFormat = {
    name: 'ib-flex',
    title: 'Interactive Brokers: Flex query of activity, XML',
    recognises,
    open: (emit) => new FlexReader(emit, dateOrder),
  };
  if (dateOrder !== undefined) return { ...format, dateOrder };
  return {
    ...format,
    survey: (_latest, head) => (hasCertainDates(head) ? undefined : new FlexSurvey(recognises)),
    inOrder: (order) => flexFormat(recognises, order),
  };
}

/** Whether the query is set to dates of one meaning: all its dates are written like the first. */
function hasCertainDates(head: string): boolean {
  return /\bfromDate\s?=\s?["'](?:\d{8}|\d{4}-\d\d-\d\d|\d\d-[A-Za-z]{3}-)/.test(head);
}

class FlexSurvey implements FormatSurvey {
  readonly #recognises: StatementFormat['recognises'];
  readonly #evidence = new DateOrderEvidence({ orders: flexOrders });
  /** The beginning of a tag whose end has not come yet. */
  #rest = '';
  #line = 1;

  constructor(recognises: StatementFormat['recognises']) {
    this.#recognises = recognises;
  }

  push(chunk: string): void {
    const text = this.#rest + chunk;
    const end = text.length > tagLengthMax ? text.length : text.lastIndexOf('>') + 1;
    this.#look(text.slice(0, end));
    this.#rest = text.slice(end);
  }

  finish(): StatementFormat {
    this.#look(this.#rest);
    const { finding } = this.#evidence;
    if (finding.outcome === 'contradictory') throw new StatementFault({ line: finding.line }, finding.detail);
    return flexFormat(this.#recognises, finding.outcome === 'certain' ? finding.order : undefined);
  }

  #look(text: string): void {
    let counted = 0;
    for (const { index, 0: start } of text.matchAll(slashedValue)) {
      this.#line += linesIn(text.slice(counted, index));
      counted = index;
      const value = text.slice(index + start.search(/\d/), index + nameLengthMax);
      const [date = ''] = slashedDate.exec(value) ?? [];
      const [name = ''] = nameBefore.exec(text.slice(Math.max(0, index - nameLengthMax), index)) ?? [];
      if (date !== '' && dateName.test(name)) this.#evidence.add(date, this.#line);
    }
    this.#line += linesIn(text.slice(counted));
  }
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
