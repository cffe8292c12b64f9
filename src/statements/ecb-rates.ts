// Reads the euro reference rates of the European Central Bank, of one day or of all days: 1 euro in each currency.

import type { CalendarDate } from '../kit/calendar-date.ts';
import type { StatementItem } from '../model/custody/statement.ts';
import { FieldFault, missingValue, problemOf, unknownElement } from './field-fault.ts';
import type { EmitItem, FormatReader } from './format-reader.ts';
import { isNotAvailable, laterDate, readDecimal, readIsoDate } from './stated-values.ts';
import type { XmlElement } from './xml/xml-element.ts';
import { XmlStream } from './xml/xml-stream.ts';

export class EcbRatesReader implements FormatReader {
  readonly #emit: EmitItem;
  readonly #stream: XmlStream;
  /** The day of the rates that follow; undefined if it cannot be read. */
  #date: CalendarDate | undefined;
  /** Files begin with their latest day, which is when they were made. */
  #firstDate: CalendarDate | undefined;
  #dayCount = 0;

  constructor(emit: EmitItem) {
    this.#emit = emit;
    this.#stream = new XmlStream({
      open: (element, parents) => {
        if (element.name !== 'Cube') {
          if (parents.at(-1) === 'Cube') this.#emit(unknownElement(element.name, element.line));
          return element.name === 'Envelope' ? 'enter' : 'pass-over';
        }
        const { time, currency, rate } = element.attributes;
        if (time !== undefined) {
          this.#dayCount++;
          this.#date = readIsoDate(time);
          this.#firstDate ??= this.#date;
        }
        if (currency !== undefined || rate !== undefined) this.#emit(this.#rateOf(element));
        return 'enter';
      },
      kept: () => {},
    });
  }

  push(chunk: string): void {
    this.#stream.push(chunk);
  }

  end(): void {
    this.#stream.end();
    if (this.#dayCount === 0) throw this.#stream.fault('The file has no day with rates (Cube with time).');
  }

  #rateOf(element: XmlElement): StatementItem {
    try {
      return this.#readRate(element);
    } catch (error) {
      return problemOf(error, { line: element.line, field: 'Cube' });
    }
  }

  #readRate({ line, attributes }: XmlElement): StatementItem {
    const fault = (field: string, detail: string) => new FieldFault({ line, field: `Cube/${field}` }, detail);
    if (this.#date === undefined) throw fault('time', 'The day of the rate is missing or does not exist.');
    const quote = attributes['currency']?.trim() ?? '';
    if (!/^[A-Z]{3}$/.test(quote)) throw fault('currency', 'The currency is not a code of three letters.');
    const text = attributes['rate'] ?? '';
    if (isNotAvailable(text)) return missingValue({ line, field: 'Cube' }, `The rate EUR/${quote} of ${this.#date}`);
    const rate = readDecimal(text.trim());
    if (rate === undefined || rate === '0' || rate.startsWith('-'))
      throw fault('rate', 'The rate is not a positive decimal number.');
    const statedAt = laterDate(this.#firstDate, this.#date);
    return { item: 'fx-rate', place: { line, field: 'Cube' }, base: 'EUR', quote, date: this.#date, rate, statedAt };
  }
}
