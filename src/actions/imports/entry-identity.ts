// What identifies an entry: the custodian's reference, else its content and which of its equals within the statement it is.

import { hash } from 'node:crypto';
import type { Id } from '../../kit/id.ts';
import { NumberCounts } from '../../kit/memory/number-counts.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';
import type { TransactionInput } from '../ledger/transaction-input.ts';
import { cleanText, statedFields } from './entry-input.ts';

const referenceLengthMax = 200;

function digestOfText(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

function digestOf(values: readonly unknown[]): string {
  return digestOfText(JSON.stringify(values));
}

/**
 * Amount and currency, units and their instrument: what every format says about an entry. Comments, codes, value dates and the
 * instrument that pays cash differ between a camt.052, a camt.053 and an MT940 of the same day.
 */
export function contentOf({ amount, currency, quantity }: StatementEntry, instrument: Id | null): string {
  return digestOf([amount ?? null, currency ?? null, ...(quantity === undefined ? [] : [quantity, instrument])]);
}

export function derivedReference(content: string, date: string, ordinal: number): string {
  return `content:${date}:${content.slice(0, 24)}:${ordinal}`;
}

/** Of an entry whose equal has the reference above and is another entry. Different for each statement of each import. */
export function ownReference(derived: string, importId: Id, statement: string | undefined): string {
  return `${derived}:${digestOf([importId, statement ?? null]).slice(0, 16)}`;
}

/** Fits any reference of a custodian into the ledger. */
export function custodianReference(reference: string | undefined): string | null {
  const clean = cleanText(reference, Infinity);
  if (clean === null || clean.length <= referenceLengthMax) return clean;
  return `sha256:${hash('sha256', clean, 'hex')}`;
}

const namedFields = statedFields.map((name) => ({ name, start: `[${JSON.stringify(name)},` }));

/**
 * Of everything that a statement says about an entry, whatever its reference: a list of names and values as JSON, in the order of the names.
 * Written piece by piece, since this runs for every row.
 */
export function statedDigest(input: TransactionInput): string {
  const values = new Map<string, unknown>(Object.entries(input));
  let text = '';
  for (const { name, start } of namedFields) {
    const value = values.get(name);
    if (value !== undefined) text += `${text === '' ? '[' : ','}${start}${JSON.stringify(value)}]`;
  }
  return digestOfText(`${text}]`);
}

/** Counts equal entries without a reference within their statements, in the words of the file. Keys are 48 bits of a digest. */
export class OrdinalCounter {
  readonly #counts = new NumberCounts();

  next({ statement, account, date, amount, currency, quantity, instrument }: StatementEntry): number {
    const { isin, cusip, sedol, ticker, custodianCode } = instrument ?? {};
    const words = quantity === undefined ? [] : [isin, cusip, sedol, ticker, custodianCode].map((word) => word ?? null);
    const key = digestOf([statement ?? null, account?.number ?? null, date, amount, currency, quantity, ...words]);
    return this.#counts.increment(Number.parseInt(key.slice(0, 12), 16));
  }
}
