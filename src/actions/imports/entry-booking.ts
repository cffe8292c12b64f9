// Books the entries of an import batch by batch: what statements said before is read, decisions are made, and the ledger, the memory of
// statements and the rows are written together.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { LedgerRow } from '../../store/ledger/ledger-reader.ts';
import type { RowResult } from '../../store/imports/import-rows.ts';
import { TransactionBulk } from '../ledger/transaction-bulk.ts';
import type { Work } from '../core/work.ts';
import { EntryDecisions, type EntryWrite } from './entry-decisions.ts';
import { EntryMemory } from './entry-memory.ts';
import type { PreparedEntry } from './prepared-entry.ts';
import { done, refused } from './row-result.ts';

interface EntryBookingOptions {
  readonly mode: 'check' | 'book';
  readonly client: Id;
  readonly importId: Id;
  readonly format: string;
}

export class EntryBooking {
  readonly #work: Work;
  readonly #options: EntryBookingOptions;
  readonly #memory: EntryMemory;
  readonly #bulk: TransactionBulk;

  constructor(work: Work, options: EntryBookingOptions) {
    this.#work = work;
    this.#options = options;
    this.#memory = new EntryMemory(work, options);
    this.#bulk = new TransactionBulk(work, 'sent-later');
  }

  /** Locks the client's ledger: from here on, no other import decides about the same entries. */
  lock(): void {
    const { ledgerLocks, store } = this.#work;
    ledgerLocks.clients.add(this.#options.client);
    store.ledgerCounters.lockClients([this.#options.client]);
  }

  async book(entries: readonly PreparedEntry[]): Promise<ReadonlyMap<PreparedEntry, RowResult>> {
    const { importId, format } = this.#options;
    const ordinary = entries.filter((one) => one.cancelledReference === null && !one.isReversal);
    const cancelled = entries.flatMap(({ account, cancelledReference }) =>
      cancelledReference === null ? [] : [{ account, reference: cancelledReference }],
    );
    const [, ledger] = await Promise.all([
      this.#memory.load({
        references: [...entries, ...cancelled],
        contents: ordinary,
        reversed: entries.filter(({ isReversal }) => isReversal),
      }),
      this.#listLedger(cancelled),
    ]);
    const decisions = new EntryDecisions({ memory: this.#memory, importId, format, ledger });
    decisions.decide(entries);
    const results = new Map(decisions.results);
    if (this.#options.mode === 'book') await this.#close(decisions, results);
    await this.#write(decisions.writes, results);
    for (const [prepared, { entry }] of decisions.targets) {
      const result = results.get(prepared);
      if (result?.target && result.target.id === null)
        results.set(prepared, { ...result, target: { ...result.target, id: entry.transaction } });
    }
    this.#memory.flush();
    const detail = 'It was cancelled by a later row of this import and is not booked.';
    await this.#work.store.importRows.cancel(importId, decisions.cancelledHere, detail);
    return results;
  }

  async #listLedger(
    cancelled: readonly { readonly account: Id; readonly reference: string }[],
  ): Promise<ReadonlyMap<string, LedgerRow>> {
    const rows = await this.#work.store.ledger.listByReference(
      cancelled.map(({ account, reference }) => ({ account, source: 'custodian', externalReference: reference })),
    );
    return new Map(rows.map((row) => [`${row.account} ${row.externalReference}`, row]));
  }

  async #close({ closings }: EntryDecisions, results: Map<PreparedEntry, RowResult>): Promise<void> {
    const ids = closings.flatMap(({ transaction }) => (transaction === null ? [] : [transaction]));
    const rows = await this.#work.store.ledger.listReferenced(ids);
    const versions = await this.#bulk.close(rows);
    const versionOf = new Map(rows.map(({ id }, index) => [id, versions[index]]));
    for (const { prepared, transaction, before } of closings) {
      const result = defined(results.get(prepared), 'each decision has a result');
      const version = (transaction && versionOf.get(transaction)) || null;
      if (result.target === null) continue;
      results.set(prepared, { ...result, before, target: { ...result.target, version } });
    }
  }

  async #write(writes: readonly EntryWrite[], results: Map<PreparedEntry, RowResult>): Promise<void> {
    if (writes.length === 0) return;
    const inputs = writes.map(({ input }) => input);
    const isCheck = this.#options.mode === 'check';
    const outcomes = isCheck ? await this.#bulk.preview(inputs) : await this.#bulk.bookEach(inputs);
    for (const [index, { prepared, memo }] of writes.entries()) {
      const outcome = defined(outcomes[index], 'each write has an outcome');
      const { account, reference, code, detail } = defined(results.get(prepared), 'each decision has a result');
      if (outcome instanceof Refusal) {
        this.#memory.restore(memo);
        results.set(prepared, { ...refused(outcome), account, reference });
        continue;
      }
      const { id, version } = outcome;
      memo.entry.transaction = id;
      const reason = code !== null && detail !== null ? { code, detail } : undefined;
      const result = done(outcome.outcome, { type: 'transaction', id, version }, reason);
      results.set(prepared, { ...result, account, reference, before: memo.before && JSON.stringify(memo.before) });
    }
  }

  /** Writes counters, audit entries and dirty flags. */
  finish(): void {
    if (this.#options.mode === 'book') this.#bulk.finish();
  }
}
