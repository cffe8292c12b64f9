// Reads every row of a list of the API for a file. What is read so far is told, for those who wait; nothing is left out in silence.

import { append } from '../../../kit/memory/long-list.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../../../kit/refusal.ts';
import { RefusedCall, type PageApi } from '../page-api.ts';
import type { Page } from '../signed-in-page.ts';
import { tableTexts } from './table-texts.ts';

/** A file of more is refused: a program reads that better by API. */
const fileRowsMax = 100_000;

interface AllRows {
  readonly path: string;
  readonly query?: Parameters<PageApi['get']>[1];
  /** How many the API gives at a time at most. */
  readonly rowsPerRead?: number;
  /** Fewer where every row takes calls of its own. */
  readonly rowsMax?: number;
}

export async function allRows(page: Page, list: AllRows): Promise<any[]> {
  const { path, query = {}, rowsPerRead = 100, rowsMax = fileRowsMax } = list;
  const rows: any[] = [];
  let cursor: string | null = null;
  do {
    const answer = await patiently(() => page.api.get(path, { ...query, limit: String(rowsPerRead), cursor }));
    append(rows, answer.data);
    page.noteRows(rows.length);
    cursor = answer.has_more === true ? answer.next_cursor : null;
    if (cursor !== null && rows.length >= rowsMax) throw tooManyRows(page, path, rowsMax);
  } while (cursor !== null);
  return rows;
}

function tooManyRows({ reader, formats }: Page, path: string, rowsMax: number): Refusal {
  return new Refusal(
    'report-too-large',
    tableTexts[reader.language].tooManyRows(formats.number(String(rowsMax), 0), `GET ${path}`),
  );
}

const longestWaitSeconds = 60;

/** A file may use up the budget of its reader: then it goes on when there is some again. */
async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const { status, retryAfterSeconds: wait } = error instanceof RefusedCall ? error.problem : {};
      if (status !== 429 || wait === undefined) throw error;
      await delay(Math.min(wait, longestWaitSeconds) * 1_000, undefined, { ref: false });
    }
  }
}
