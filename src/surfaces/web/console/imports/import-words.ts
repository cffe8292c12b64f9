// What imports and their rows are called on the console's pages, and why rows wait, without the names of parameters.

import type { Html } from '../../../../kit/html.ts';
import { stateDot } from '../../parts/notes.ts';
import type { Page } from '../../signed-in-page.ts';
import { valueTitle } from '../resource/words.ts';

export const importAddress = (id: string): string => `/console/imports/${encodeURIComponent(id)}`;
export const importApiPath = (id: string): string => `/v1/imports/${encodeURIComponent(id)}`;

export const outcomes = ['booked', 'amended', 'unchanged', 'refused', 'needs'] as const;
export type Outcome = (typeof outcomes)[number];

/** Before an import is booked its outcomes are those that booking would have. */
const outcomeTitles: Readonly<Record<Outcome, { readonly before: string; readonly after: string }>> = {
  booked: { before: 'New', after: 'Booked' },
  amended: { before: 'Changes', after: 'Changed' },
  unchanged: { before: 'Unchanged', after: 'Unchanged' },
  refused: { before: 'Refused', after: 'Refused' },
  needs: { before: 'Waiting', after: 'Waiting' },
};

export function outcomeTitle(outcome: Outcome, state: string): string {
  return outcomeTitles[outcome][state === 'checked' ? 'before' : 'after'];
}

const stateTitles: Readonly<Record<string, string>> = {
  checked: 'Checked, not booked',
  booked: 'Booked',
  undone: 'Undone',
};

export function stateTitle(state: string): string {
  return stateTitles[state] ?? state;
}

export function importState(record: any): Html {
  const { state, counts } = record;
  const isOpen = state === 'checked' || (state === 'booked' && counts.needs + counts.refused > 0);
  return stateDot(stateTitle(state), isOpen ? 'warn' : state === 'booked' ? 'up' : 'soft');
}

/** The name of the file, or the feed that brought it. */
export function importName({ file_name, origin, format }: any): string {
  if (file_name !== null) return file_name;
  return origin === 'feed' ? `Feed ${format}` : `File ${format}`;
}

export function rowCount(page: Page, count: number): string {
  return count === 1 ? 'One row' : `${page.formats.number(String(count), 0)} rows`;
}

/** What a row is about, as people say it; a word of the file goes before. */
const kindTitles: Readonly<Record<string, string>> = {
  flow: 'Payment',
  fx: 'Exchange of currencies',
  redemption: 'Repayment',
  position: 'Position',
  instrument: 'Instrument',
  'fx-rate': 'Exchange rate',
  problem: 'Cannot be read',
};

export function kindTitle(kind: string): string {
  return kindTitles[kind] ?? valueTitle(kind);
}

/** Why rows wait: the API's sentences name its parameters, and a person has the answers beside them. */
const waitingReasons: Readonly<Record<string, string>> = {
  'account-unknown': 'No account of the client has this number.',
  'account-ambiguous': 'Several accounts may be meant.',
  'account-unnamed': 'The file does not say which account it is.',
  'depository-unknown': 'No securities account of the client has this number.',
  'depository-ambiguous': 'Several securities accounts may be meant.',
  'instrument-unknown': 'No instrument has these codes.',
  'instrument-ambiguous': 'Several instruments may be meant.',
  'instrument-unnamed':
    'The file does not say which instrument it is about. Book it by hand, or import a file that names the instrument.',
  'type-unknown': 'Nobody has said yet what this word means.',
  'date-order-unknown':
    'Dates such as 03/04/2025 are two days, and no date of the file says which is meant. Look at a payment that you know.',
};

export function waitingReason(code: string | undefined, detail: string): string {
  return waitingReasons[code ?? ''] ?? detail;
}

/** What a person should look at, in a sentence that leads nowhere else than to the page. */
export function warningText(page: Page, record: any, { code, detail, account, stated }: any): string {
  switch (code) {
    case 'opening-missing':
      return `The ledger has nothing of ${account == null ? 'the account' : `account ${account}`} before its first statement, which opens with ${page.formats.quantity(stated ?? null)}. Import the statements before it, or enter the opening balance: until then the balance is lower by this amount.`;
    case 'rows-kept':
      return `${rowCount(page, record.undone?.kept ?? 0)} were amended since, or others use what they created. They stay as they are.`;
    default:
      return detail;
  }
}
