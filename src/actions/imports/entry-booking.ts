// Books the entries of an import batch by batch: what statements said before is read, decisions are made, and the ledger, the memory of
// statements and the rows are written together.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { ImportWarning } from '../../model/custody/import.ts';
import type { LedgerRow } from '../../store/ledger/ledger-reader.ts';
import type { RowResult } from '../../store/imports/import-rows.ts';
import type { EntryKey } from '../../store/imports/stated-entries.ts';
import { TransactionBulk } from '../ledger/transaction-bulk.ts';
import type { Work } from '../core/work.ts';
import { EntryDecisions, type EntryWrite } from './entry-decisions.ts';
import { EntryMemory, type Memo } from './entry-memory.ts';
import type { PreparedEntry } from './prepared-entry.ts';
import { refused } from './row-result.ts';
import { UnexplainedAmounts } from './unexplained-amounts.ts';

interface EntryBookingOptions {
  readonly mode: 'check' | 'book';
  readonly client: Id;
  readonly importId: Id;
  readonly format: string;
}

/** What a batch writes, kept until the next batch has been looked up: the database then writes it while that one is decided. */
export class UnsentWrites {
  readonly #sends: (() => Promise<void> | void)[] = [];
  #written: Promise<unknown> = Promise.resolve();

  /** What fails is thrown by the next statement, or by the commit. */
  add(send: () => Promise<void> | void): void {
    this.#sends.push(send);
  }

  send(): void {
    if (this.#sends.length > 0) this.#written = Promise.all(this.#sends.splice(0).map((send) => send()));
  }

  /** Sends once what was sent before is written, so that no more waits for the database however fast rows are read. */
  async sendInTurn(): Promise<void> {
    await this.#written;
    this.send();
  }
}

export class EntryBooking {
  readonly #work: Work;
  readonly #options: EntryBookingOptions;
  readonly #memory: EntryMemory;
  readonly #bulk: TransactionBulk;
  readonly #unsent: UnsentWrites;
  readonly #unexplained = new UnexplainedAmounts();

  constructor(work: Work, options: EntryBookingOptions, unsent: UnsentWrites) {
    this.#work = work;
    this.#options = options;
    this.#unsent = unsent;
    this.#memory = new EntryMemory(work, options);
    this.#bulk = new TransactionBulk(work, 'meanwhile');
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
    const references = [...entries, ...cancelled];
    const keys = { references, contents: ordinary, reversed: entries.filter(({ isReversal }) => isReversal) };
    if (this.#memory.isNeededBy(keys)) this.#unsent.send();
    const looked = this.#options.mode === 'check' ? cancelled : references;
    const [, ledger] = await Promise.all([this.#memory.load(keys), this.#listLedger(looked)]);
    this.#unsent.send();
    const decisions = new EntryDecisions({ memory: this.#memory, importId, format, ledger });
    decisions.decide(entries);
    const { results } = decisions;
    if (this.#options.mode === 'book') await this.#close(decisions);
    await this.#write(decisions, ledger);
    for (const [prepared, { entry }] of decisions.targets) {
      const result = results.get(prepared);
      if (result?.target && result.target.id === null)
        results.set(prepared, { ...result, target: { ...result.target, id: entry.transaction } });
    }
    this.#unsent.add(this.#memory.prepareChanges());
    this.#unsent.add(() => this.#bulk.sendUnsent());
    const detail = 'It was cancelled by a later row of this import and is not booked.';
    await this.#work.store.importRows.cancel(importId, decisions.cancelledHere, detail);
    return results;
  }

  async #listLedger(references: readonly EntryKey[]): Promise<ReadonlyMap<string, LedgerRow>> {
    const rows = await this.#work.store.ledger.listByReference(
      references.map(({ account, reference }) => ({ account, source: 'custodian', externalReference: reference })),
    );
    return new Map(rows.map((row) => [`${row.account} ${row.externalReference}`, row]));
  }

  async #close({ closings, results }: EntryDecisions): Promise<void> {
    if (closings.length === 0) return;
    const ids = closings.flatMap(({ transaction }) => (transaction === null ? [] : [transaction]));
    const rows = await this.#work.store.ledger.listReferenced(ids);
    const versions = await this.#bulk.close(rows);
    const versionOf = new Map(rows.map(({ id }, index) => [id, versions[index]]));
    for (const { prepared, transaction, before } of closings) {
      const result = defined(results.get(prepared), 'each closing has a result');
      const version = (transaction && versionOf.get(transaction)) || null;
      if (result.target === null) continue;
      results.set(prepared, { ...result, before, target: { ...result.target, version } });
    }
  }

  /** The current transactions of what is written: those that were looked up, without those that were closed since. */
  async #listPresent(
    { writes, closings }: EntryDecisions,
    ledger: ReadonlyMap<string, LedgerRow>,
  ): Promise<LedgerRow[]> {
    const others = writes.flatMap(
      ({ prepared: { account, reference: own }, input: { externalReference: reference } }) =>
        reference == null || reference === own ? [] : [{ account, reference }],
    );
    if (ledger.size === 0 && others.length === 0) return [];
    const found = new Map([...ledger, ...(await this.#listLedger(others))]);
    const closed = new Set(closings.map(({ transaction }) => transaction));
    return [...found.values()].filter(({ id }) => !closed.has(id));
  }

  /** From the last to the first: of several rows about one reference, what the last one says that was not refused stays. */
  #forgetRefused(writes: readonly EntryWrite[], outcomes: readonly unknown[]): void {
    const accepted = new Set<Memo>();
    for (const [index, { memo, earlier }] of [...writes.entries()].toReversed()) {
      if (!(outcomes[index] instanceof Refusal)) accepted.add(memo);
      else if (!accepted.has(memo)) this.#memory.restore(memo, earlier);
    }
  }

  async #write(decisions: EntryDecisions, ledger: ReadonlyMap<string, LedgerRow>): Promise<void> {
    const { writes, results } = decisions;
    if (writes.length === 0) return;
    const inputs = writes.map(({ input }) => input);
    const isCheck = this.#options.mode === 'check';
    const outcomes = isCheck
      ? await this.#bulk.preview(inputs)
      : await this.#bulk.bookEach(inputs, await this.#listPresent(decisions, ledger));
    this.#forgetRefused(writes, outcomes);
    for (const [index, { prepared, memo, reason }] of writes.entries()) {
      const outcome = defined(outcomes[index], 'each write has an outcome');
      const { account, reference } = prepared;
      if (outcome instanceof Refusal) {
        results.set(prepared, { ...refused(outcome), account, reference });
        continue;
      }
      const { id, version, unexplained } = outcome;
      const why = reason ?? (unexplained === null ? undefined : this.#unexplained.add(prepared.entry, unexplained));
      memo.entry.transaction = id;
      results.set(prepared, {
        outcome: outcome.outcome,
        code: why?.code ?? null,
        detail: why?.detail ?? null,
        needs: null,
        account,
        reference,
        target: { type: 'transaction', id, version },
        before: memo.before && JSON.stringify(memo.before),
      });
    }
  }

  listWarnings(): ImportWarning[] {
    return this.#unexplained.listWarnings();
  }

  /** Writes counters, audit entries and dirty flags. */
  finish(): void {
    if (this.#options.mode === 'book') this.#bulk.finish();
  }
}
