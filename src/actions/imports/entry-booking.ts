// Books the entries of an import batch by batch: what statements said before is read, decisions are made, and the ledger, the memory of
// statements and the rows are written together.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { LedgerRow } from '../../store/ledger/ledger-reader.ts';
import type { ImportWarning } from '../../model/custody/import.ts';
import type { StatementBalance } from '../../model/custody/statement.ts';
import type { RowResult, SayingKey } from '../../store/imports/import-rows.ts';
import type { EntryKey } from '../../store/imports/stated-entries.ts';
import { TransactionBulk } from '../ledger/transaction-bulk.ts';
import type { Work } from '../core/work.ts';
import { EntryDecisions, type EntryWrite, type Evidence } from './entry-decisions.ts';
import { cleanText } from './entry-input.ts';
import { EntryMemory, type Memo } from './entry-memory.ts';
import type { PreparedEntry } from './prepared-entry.ts';
import { refused } from './row-result.ts';
import { StatementProofs } from './statement-proofs.ts';
import { StatementStretches, stretchOfLine, type Stretch } from './statement-stretches.ts';
import { TakenEntries } from './taken-entries.ts';
import { UnexplainedAmounts } from './unexplained-amounts.ts';

interface EntryBookingOptions {
  readonly mode: 'check' | 'book';
  readonly client: Id;
  readonly importId: Id;
  readonly format: string;
  /** Whether rows of the import may be booked already: then what they stand for is looked up. */
  readonly isAgain: boolean;
}

/** How many known entries of a batch are looked up to compare what statements said about them. */
const comparedMax = 20_000;

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
  readonly #taken = new TakenEntries();
  readonly #proofs: StatementProofs;
  /** What the statements of the import cover, as far as they are read. */
  readonly #own = new StatementStretches();
  #hasDoubts = false;
  #isOwnLoaded = false;

  constructor(work: Work, options: EntryBookingOptions, unsent: UnsentWrites) {
    this.#work = work;
    this.#options = options;
    this.#unsent = unsent;
    this.#memory = new EntryMemory(work, options);
    this.#bulk = new TransactionBulk(work, 'meanwhile');
    this.#proofs = new StatementProofs(work);
  }

  /** Locks the client's ledger: from here on, no other import decides about the same entries. */
  lock(): void {
    const { ledgerLocks, store } = this.#work;
    ledgerLocks.clients.add(this.#options.client);
    store.ledgerCounters.lockClients([this.#options.client]);
  }

  /** Balances of the statements that follow, or of the statement that is read. */
  noteBalance(balance: StatementBalance): void {
    this.#own.add(balance);
  }

  /** Whether entries wait for `settle`. */
  get hasDoubts(): boolean {
    return this.#hasDoubts;
  }

  /** Decides with all that the file says, once it is read. `warnings` say which of its statements do not add up. */
  async settle(
    entries: readonly PreparedEntry[],
    warnings: readonly ImportWarning[],
  ): Promise<ReadonlyMap<PreparedEntry, RowResult>> {
    const { importId } = this.#options;
    if (!this.#isOwnLoaded) await this.#proofs.loadOwn(importId, warnings);
    this.#isOwnLoaded = true;
    return this.#decide(entries, async () => ({ proofs: this.#proofs, sayingOf: await this.#listSayings(entries) }));
  }

  book(entries: readonly PreparedEntry[]): Promise<ReadonlyMap<PreparedEntry, RowResult>> {
    return this.#decide(entries, () => Promise.resolve(undefined));
  }

  async #decide(
    entries: readonly PreparedEntry[],
    findEvidence: () => Promise<Evidence | undefined>,
  ): Promise<ReadonlyMap<PreparedEntry, RowResult>> {
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
    await this.#noteTaken(ordinary);
    const evidence = await findEvidence();
    if (evidence === undefined) await this.#loadNeighbours(ordinary);
    const mayFollow = (prepared: PreparedEntry, known: Memo): boolean => this.#mayFollow(prepared, known);
    const context = { memory: this.#memory, importId, format, ledger, taken: this.#taken, mayFollow };
    const decisions = new EntryDecisions({ ...context, ...(evidence && { evidence }) });
    decisions.decide(entries);
    this.#hasDoubts ||= decisions.hasDoubts;
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

  /** The stretch of an entry that begins or ends on its day; undefined if it does neither. */
  #edgeOf({ entry }: PreparedEntry): Stretch | undefined {
    const { date, amount, balance, statement, account, currency = account?.currency } = entry;
    const own =
      balance === undefined
        ? this.#own.of({ statement, account: account?.number, currency })
        : stretchOfLine({ date, amount, balance });
    const { opening, closing } = own;
    const isOpen = opening !== undefined && closing === undefined;
    return isOpen || opening?.date === date || closing?.date === date ? own : undefined;
  }

  async #loadNeighbours(entries: readonly PreparedEntry[]): Promise<void> {
    if (this.#memory.size === 0) return;
    const { importId } = this.#options;
    const known = entries.flatMap((one) =>
      this.#edgeOf(one) === undefined
        ? []
        : this.#memory.equals(one).flatMap((memos) => memos.map(({ entry }) => entry.importId)),
    );
    await this.#proofs.load(known.filter((id) => id !== importId));
  }

  #mayFollow(prepared: PreparedEntry, { entry: known }: Memo): boolean {
    const edge = this.#edgeOf(prepared);
    const { entry, date } = prepared;
    const currency = entry.currency ?? entry.account?.currency;
    if (edge === undefined || currency === undefined) return false;
    // It is decided when the statement is read to its end.
    if (edge.closing === undefined) return true;
    const beside = known.importId === this.#options.importId ? this.#own : this.#proofs.findStretches(known.importId);
    return beside?.mayTouch(edge, currency, date) === true;
  }

  /** Rows that were booked before are not among those that are booked again. */
  async #noteTaken(entries: readonly PreparedEntry[]): Promise<void> {
    const { importId, isAgain } = this.#options;
    if (!isAgain) return;
    const transactions = this.#memory.transactionsOf(entries);
    for (const { transaction, statement } of await this.#work.store.importRows.listTaken(importId, transactions))
      this.#taken.takeTransaction(statement ?? undefined, transaction);
  }

  /** What statements have said about the entries that these may be, and what those statements cover. */
  async #listSayings(entries: readonly PreparedEntry[]): Promise<Evidence['sayingOf']> {
    const memos = [...new Set(entries.flatMap((one) => this.#memory.equals(one).flat()))].slice(0, comparedMax);
    const [said] = await Promise.all([
      this.#work.store.importRows.listSayings(memos.map(({ entry }) => entry)),
      this.#proofs.load(memos.map(({ entry }) => entry.importId)),
    ]);
    const keyOf = ({ importId, account, reference }: SayingKey): string => `${importId} ${account} ${reference}`;
    const rows = new Map(said.map((one) => [keyOf(one), one]));
    const currencies = new Map(
      entries.map(({ content, entry }) => [content, entry.currency ?? entry.account?.currency]),
    );
    return ({ entry }) => {
      const row = rows.get(keyOf(entry));
      if (row === undefined) return undefined;
      return {
        importId: entry.importId,
        format: entry.format,
        statement: row.statement ?? undefined,
        account: row.accountNumber ?? undefined,
        currency: currencies.get(entry.content ?? ''),
        text: cleanText(row.comment ?? undefined, Infinity),
        amount: row.amount === null ? undefined : row.amount,
        balance: row.balance === null ? undefined : row.balance,
      };
    };
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
      if (prepared.isDerived && id !== null) this.#taken.takeTransaction(prepared.entry.statement, id);
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
