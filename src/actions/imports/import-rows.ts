// The rows of an import as they are shown: what the file says, in a few fields, and what became of it.

import type { ImportRowView, RowNeed, RowOutcome, RowUndo } from '../../model/custody/import-row.ts';
import type { RowSource, StoredImportRow } from '../../store/imports/import-rows.ts';
import { cutText } from '../../statements/short-text.ts';
import { getRecord, toResultPage, type ResultPage } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { importRules } from './import-record.ts';

/** How much of a line is shown that nobody can read yet. */
const shownTextMax = 500;

export interface ImportRowQuery {
  readonly importId: string;
  readonly outcome: RowOutcome | undefined;
  readonly needs: RowNeed | undefined;
  readonly undo: RowUndo | undefined;
  readonly after: number | undefined;
  readonly limit: number;
}

export async function listImportRows(work: Work, query: ImportRowQuery): Promise<ResultPage<ImportRowView>> {
  const { importId, outcome, needs, undo, after, limit } = query;
  await getRecord(work, importRules, importId);
  // Only rows with the outcome `needs` need something.
  const ofNeed = needs === undefined ? undefined : (['needs'] as const);
  const outcomes = outcome === undefined ? ofNeed : [outcome];
  const rows = await work.store.importRows.list({ importId, outcomes, needs, undo, after, limit: limit + 1 });
  return toResultPage(rows.map(importRowView), limit);
}

export function importRowView(row: StoredImportRow): ImportRowView {
  const { number, stated, outcome, code, detail, needs, account, target, decision, undo } = row;
  const record = target === null ? undefined : { type: target.type, id: target.id ?? undefined };
  const { place, item } = stated;
  return {
    number,
    line: place.line,
    field: place.field,
    item,
    outcome,
    code: code ?? undefined,
    detail: detail ?? undefined,
    needs: needs ?? undefined,
    accountId: account,
    stated: statedView(stated),
    became: outcome === 'needs' ? undefined : record,
    mayEqual: outcome === 'needs' ? record : undefined,
    decision: decision ?? undefined,
    undo: undo ?? undefined,
  };
}

function statedView(stated: RowSource['stated']): ImportRowView['stated'] {
  const { account } = stated;
  switch (stated.item) {
    case 'entry': {
      const { date, typeWord, reference, comment, depository, instrument, byWord } = stated;
      const kind = byWord?.isKnown === false ? undefined : stated.kind;
      const { currency, counterAmount, counterCurrency, quantity, price, amount = stated.grossAmount } = stated;
      const figures = { amount, currency, counterAmount, counterCurrency, quantity, price };
      return { date, kind, typeWord, reference, ...figures, comment, account, depository, instrument };
    }
    case 'position': {
      const { date, instrument, quantity, price, currency } = stated;
      return { date, quantity, price, currency, account, instrument };
    }
    case 'price':
      return { date: stated.date, kind: stated.series, amount: stated.value, account, instrument: stated.instrument };
    case 'fx-rate':
      return { date: stated.date, amount: stated.rate, currency: `${stated.base}/${stated.quote}` };
    case 'instrument':
      return { account, instrument: stated.instrument };
    case 'problem': {
      const text = stated.cells?.map((cell) => cell.trim()).filter((cell) => cell !== '');
      return { account, comment: text === undefined ? undefined : cutText(text.join(' · '), shownTextMax) };
    }
  }
}
