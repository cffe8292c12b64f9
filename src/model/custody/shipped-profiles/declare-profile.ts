// Declares a shipped profile: its fixed id, and the defaults of what it does not say.

import { assert } from '../../../kit/assert.ts';
import { isId } from '../../../kit/id.ts';
import { keysOf } from '../../../kit/keys.ts';
import type { TransactionType } from '../../ledger/transaction-kind.ts';
import { profileDefaults, type CsvMapping, type ImportProfile } from '../import-profile.ts';

/** The time of these ids is the last that an id can have, so that no id is ever made that equals one of them. */
const shippedPrefix = `${'f'.repeat(16)}10`;

export function isShippedId(id: string): boolean {
  return id.startsWith(shippedPrefix);
}

type DeclaredProfile = Pick<CsvMapping, 'name' | 'content' | 'columns' | 'recognisedBy'> & Partial<CsvMapping>;

/** `number` never changes: it is the end of the id. */
export function declareProfile(number: number, profile: DeclaredProfile): ImportProfile {
  const id = `${shippedPrefix}${number.toString(16).padStart(6, '0')}`;
  assert(isId(id), 'a reserved id has the form of an id');
  return { ...profileDefaults, ...profile, id, isShipped: true, createdAt: 0 };
}

type TypeWords = ImportProfile['types'];

/** The words for each type. */
export function wordsFor(words: Partial<Record<TransactionType, readonly string[]>>): TypeWords {
  return keysOf(words).flatMap((type) => (words[type] ?? []).map((word) => ({ word, type })));
}
