// The rows of a list of the API in a table. A page shows the records that it has read; a file reads the whole list and makes its rows while it
// is written, so that neither all records nor all rows are ever in memory. Nothing is left out in silence.

import { yieldWhenBusy } from '../../../kit/event-loop.ts';
import { append } from '../../../kit/memory/long-list.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { PageApi } from '../page-api.ts';
import type { Page } from '../signed-in-page.ts';
import { tableTexts } from './table-texts.ts';
import type { Row, Table } from './table.ts';

/** A file of more records is refused: a program reads them better by API. */
const fileRowsMax = 100_000;

/** A list of the API, with the filters of the page. */
export interface WholeList {
  readonly path: string;
  readonly query?: Parameters<PageApi['get']>[1];
  /** How many the API gives at a time at most. */
  readonly rowsPerRead?: number;
}

interface ListRows<T> {
  readonly list: WholeList;
  /** The records that the page shows; they are prepared. */
  readonly shown: readonly T[];
  /** Learns what rows say of other records, such as their names. A file asks for each part of the list once it is read. */
  readonly prepare?: ((records: readonly T[]) => Promise<void>) | undefined;
  /** The row of a record, or several. */
  rowsOf(record: T): Row | readonly Row[];
}

export function listRows<T>(
  page: Page,
  { list, shown, prepare, rowsOf }: ListRows<T>,
): Required<Pick<Table, 'rows' | 'fileRows'>> {
  return { rows: shown.flatMap((record) => rowsOf(record)), fileRows: () => readRows(page, { list, prepare, rowsOf }) };
}

async function* readRows<T>(page: Page, { list, prepare, rowsOf }: Omit<ListRows<T>, 'shown'>): AsyncGenerator<Row> {
  let count = 0;
  for await (const records of readParts(page, list)) {
    count += records.length;
    page.noteRows(count);
    await prepare?.(records);
    for (const record of records) {
      const turn = yieldWhenBusy();
      if (turn !== undefined) await turn;
      const made = rowsOf(record);
      if ('cells' in made) yield made;
      else yield* made;
    }
  }
}

/** A whole list whose rows cannot be made one by one, since they are sorted or merged: the more it has to be bounded. */
export async function readWholeList(page: Page, list: WholeList, rowsMax: number): Promise<any[]> {
  const records: any[] = [];
  for await (const part of readParts(page, list, rowsMax)) {
    append(records, part);
    page.noteRows(records.length);
  }
  return records;
}

async function* readParts(page: Page, list: WholeList, rowsMax = fileRowsMax): AsyncGenerator<any[]> {
  const { path, query = {}, rowsPerRead = 100 } = list;
  let [count, cursor]: [number, string | null] = [0, null];
  do {
    const answer: any = await page.api.get(path, { ...query, limit: String(rowsPerRead), cursor });
    cursor = answer.has_more === true ? answer.next_cursor : null;
    count += answer.data.length;
    yield answer.data;
    if (cursor !== null && count >= rowsMax) throw tooManyRows(page, path, rowsMax);
  } while (cursor !== null);
}

function tooManyRows({ reader, formats }: Page, path: string, rowsMax: number): Refusal {
  return new Refusal(
    'report-too-large',
    tableTexts[reader.language].tooManyRows(formats.number(String(rowsMax), 0), `GET ${path}`),
  );
}
