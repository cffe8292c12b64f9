// Which known entries the rows of an import stand for: two rows of one statement are never one entry.

import type { Id } from '../../kit/id.ts';
import { NumberCounts } from '../../kit/memory/number-counts.ts';
import type { Memo } from './entry-memory.ts';

/** Reduces texts to 52 bits, fast. Texts of one sender that come to the same only make this sender's rows wait for a decision. */
function numberOf(...texts: readonly string[]): number {
  let [high, low] = [0x811c_9dc5, 0x9e37_79b1];
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) {
      high = Math.imul(high ^ text.charCodeAt(at), 0x0100_0193);
      low = Math.imul(low + text.charCodeAt(at), 0x85eb_ca6b) ^ (low >>> 13);
    }
    high = Math.imul(high ^ 0xff, 0x0100_0193);
  }
  return (high >>> 6) * 0x400_0000 + (low >>> 6);
}

export class TakenEntries {
  readonly #taken = new NumberCounts();

  /** A statement without a name is one with all others of the import that have none. */
  take(statement: string | undefined, { entry, same }: Memo): void {
    const transaction = entry.transaction ?? same?.entry.transaction;
    this.#taken.increment(numberOf(statement ?? '', entry.account, entry.reference));
    if (transaction != null) this.takeTransaction(statement, transaction);
  }

  takeTransaction(statement: string | undefined, transaction: Id): void {
    this.#taken.increment(numberOf(statement ?? '', transaction));
  }

  isTaken(statement: string | undefined, { entry, same }: Memo): boolean {
    const transaction = entry.transaction ?? same?.entry.transaction;
    if (transaction != null && this.#taken.has(numberOf(statement ?? '', transaction))) return true;
    return this.#taken.has(numberOf(statement ?? '', entry.account, entry.reference));
  }
}
