// What imports and their rows are called on the console's pages.

import type { Html } from '../../../../kit/html.ts';
import { stateDot } from '../../parts/notes.ts';

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
