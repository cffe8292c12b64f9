// Books transactions together, one or thousands: each is booked, amends what its source sent before, or changes nothing, as if it
// had come alone.

import { zeroDecimal, type Decimal } from '../../kit/decimal.ts';
import { mapInSlices } from '../../kit/event-loop.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { relatedTypeField } from '../../kit/resource.ts';
import type { Transaction } from '../../model/ledger/transaction.ts';
import type { LedgerReference, LedgerRow } from '../../store/ledger/ledger-reader.ts';
import type { ClosedVersion } from '../../store/ledger/transaction-versions.ts';
import { isSameJson } from '../core/changed-values.ts';
import type { TransactionInput } from './transaction-input.ts';
import { emitTransactions } from '../events/event.ts';
import { listLotRefusals, type NewRow } from './named-lot-check.ts';
import { BookingBatch, foundKey, hasReference, newEntry, referenceKey, type LedgerEntry } from './booking-batch.ts';
import { SequenceAllocator } from './sequence-allocator.ts';
import { ReferencedRecords } from './referenced-records.ts';
import { resolveTransactions, type ResolvedTransaction } from './transaction-resolution.ts';
import type { Work } from '../core/work.ts';

export interface BookingResult {
  /** A source's reference that is already known books nothing, or amends. */
  readonly outcome: 'booked' | 'amended' | 'unchanged';
  readonly id: Id;
  readonly client: Id | null;
  readonly sequence: number;
  /** What its version is opened with; null if none is. */
  readonly version: number | null;
  /** The part of the amount that its other figures do not explain. */
  readonly unexplained: { readonly amount: Decimal; readonly currency: string | null } | null;
  row(): LedgerRow;
  readonly before: LedgerRow | undefined;
}

/** What booking would do. */
export type BookingPreview = Pick<BookingResult, 'outcome' | 'unexplained'> & {
  readonly id: Id | null;
  readonly version: null;
};

/**
 * Whether what is booked is awaited, is written while the caller goes on, or is sent with the next statement. What closes versions is always
 * awaited. `meanwhile` sends a batch after what the next one looks up, so that the database is busy with it while the next one is prepared.
 */
export type BookingWriteMode = 'awaited' | 'meanwhile' | 'sent-later';

/** What closing a transaction needs to know about it. */
export type ClosableTransaction = Pick<Transaction, 'id' | 'client' | 'account' | 'counterAccount'>;

function withoutRefusals(outcomes: readonly (ResolvedTransaction | Refusal)[]): ResolvedTransaction[] {
  return outcomes.filter((one): one is ResolvedTransaction => !(one instanceof Refusal));
}

function namesTransactions({ lots, trade, reversesTransaction }: TransactionInput): boolean {
  return lots != null || trade != null || reversesTransaction != null;
}

export function isSameTransaction(one: ResolvedTransaction, other: ResolvedTransaction): boolean {
  return Object.keys(other).every((field) => {
    const [a, b] = [one[field as keyof ResolvedTransaction] ?? null, other[field as keyof ResolvedTransaction]];
    if (a === b || typeof a !== 'object' || typeof b !== 'object') return a === b;
    return isSameJson(a, b);
  });
}

function unexplainedOf({ unexplained, currency }: ResolvedTransaction): BookingResult['unexplained'] {
  return unexplained === zeroDecimal ? null : { amount: unexplained, currency };
}

export class BookingWriter {
  readonly #work: Work;
  readonly #writeMode: BookingWriteMode;
  readonly #referenced: ReferencedRecords;
  readonly sequences: SequenceAllocator;
  /** A batch that is to be written, and what is known in it by reference. */
  #unsent: { send(): void; readonly known: BookingBatch['known'] } | undefined;

  constructor(work: Work, writeMode: BookingWriteMode) {
    this.#work = work;
    this.#writeMode = writeMode;
    this.#referenced = new ReferencedRecords(work);
    this.sequences = new SequenceAllocator(work);
  }

  /** Resolves each transaction or its refusal. Writes nothing. */
  resolve(input: readonly TransactionInput[]): Promise<(ResolvedTransaction | Refusal)[]> {
    return resolveTransactions(this.#work, this.#referenced, input);
  }

  /** `present` are the current transactions with the references of all, for a caller who has looked them up. */
  async book(input: readonly TransactionInput[], present?: readonly LedgerRow[]): Promise<(BookingResult | Refusal)[]> {
    if (input.some(namesTransactions)) this.sendUnsent();
    const [outcomes, foreseen] = await Promise.all([this.resolve(input), present ?? this.#foresee(input)]);
    const resolved = withoutRefusals(outcomes);
    if (resolved.length === 0) return outcomes.filter((one) => one instanceof Refusal);
    const [, found] = await Promise.all([this.sequences.reserve(resolved), foreseen ?? this.#listPresent(resolved)]);
    this.sendUnsent();
    await this.sequences.reserve(found);
    const checked = await this.#withLotRefusals(outcomes, found);
    this.sequences.advanceVersions(withoutRefusals(checked));
    const batch = new BookingBatch(found);
    const results = await mapInSlices(checked, (one) => (one instanceof Refusal ? one : this.#bookOne(batch, one)));
    await this.#write(batch.opened, batch.closed, batch.known);
    return results;
  }

  /**
   * Of a single booking, the locks and the present transaction in one batch with the records that it names. Of many it saves nothing, and
   * their clients have to be locked in order.
   */
  async #foresee([only, ...others]: readonly TransactionInput[]): Promise<LedgerRow[] | undefined> {
    const { ledgerLocks, store } = this.#work;
    if (only?.account == null || others.length > 0 || ledgerLocks.clients.size > 0) return undefined;
    const { account, counterAccount, source = 'manual', externalReference } = only;
    const references = externalReference == null ? [] : [{ account, source, externalReference }];
    const accounts = [account, ...(counterAccount == null ? [] : [counterAccount])];
    const [, found] = await Promise.all([
      this.sequences.reserveAccounts(accounts),
      store.ledger.listByReference(references),
    ]);
    return found;
  }

  /** Resolves each transaction or its refusal, lots included, as if it were booked. Writes nothing. */
  async check(input: readonly TransactionInput[]): Promise<(ResolvedTransaction | Refusal)[]> {
    this.sendUnsent();
    const outcomes = await this.resolve(input);
    return this.#withLotRefusals(outcomes, await this.#listPresent(withoutRefusals(outcomes)));
  }

  /** Says what `book` would do with each, the ones before it included. Writes nothing. */
  async preview(input: readonly TransactionInput[]): Promise<(BookingPreview | Refusal)[]> {
    const outcomes = await this.resolve(input);
    const found = await this.#listPresent(withoutRefusals(outcomes));
    const checked = await this.#withLotRefusals(outcomes, found);
    const present = new Map<string, { id: Id | null; resolved: ResolvedTransaction }>();
    for (const row of found) present.set(foundKey(row), { id: row.id, resolved: row });
    return checked.map((resolved) => {
      if (resolved instanceof Refusal) return resolved;
      const key = referenceKey(resolved);
      const before = key === undefined ? undefined : present.get(key);
      if (before && isSameTransaction(before.resolved, resolved)) {
        return { outcome: 'unchanged', id: before.id, version: null, unexplained: unexplainedOf(resolved) };
      }
      const id = before?.id ?? null;
      if (key !== undefined) present.set(key, { id, resolved });
      const outcome = before ? 'amended' : 'booked';
      return { outcome, id, version: null, unexplained: unexplainedOf(resolved) };
    });
  }

  /** Closes transactions, each with the version that is returned in its place. */
  async closeAll(transactions: readonly ClosableTransaction[]): Promise<number[]> {
    if (transactions.length === 0) return [];
    await this.sequences.reserve(transactions);
    this.sequences.advanceVersions(transactions);
    const closings = transactions.map((one) => ({ id: one.id, version: this.sequences.stampVersion(one) }));
    await this.#work.store.transactionVersions.close(closings, this.#work.now);
    return closings.map(({ version }) => version);
  }

  /** Gives transactions the contents of an earlier version again, whether they are current or closed. */
  async reopenAll(versions: readonly { readonly earlier: LedgerRow; readonly isCurrent: boolean }[]): Promise<void> {
    if (versions.length === 0) return;
    const rows = versions.map(({ earlier }) => earlier);
    await this.sequences.reserve(rows);
    this.sequences.advanceVersions(rows);
    await this.#write(
      rows.map((row) => newEntry(row, row)),
      versions.filter(({ isCurrent }) => isCurrent).map(({ earlier }) => earlier),
    );
  }

  /** Refuses an amendment whose named lots are not there. */
  async refuseMissingLots(present: LedgerRow, resolved: ResolvedTransaction): Promise<void> {
    const [refusal] = (await this.#listLotRefusals([{ resolved, present }])).values();
    if (refusal !== undefined) throw refusal;
  }

  #listPresent(resolved: readonly ResolvedTransaction[]): Promise<LedgerRow[]> {
    const distinct = new Map<string | undefined, ResolvedTransaction & LedgerReference>();
    for (const one of resolved) if (hasReference(one)) distinct.set(referenceKey(one), one);
    const { known } = this.#unsent ?? {};
    if (known !== undefined && distinct.keys().some((key) => key !== undefined && known.has(key))) this.sendUnsent();
    return this.#work.store.ledger.listByReference([...distinct.values()]);
  }

  #listLotRefusals(rows: readonly NewRow[]): Promise<ReadonlyMap<number, Refusal>> {
    return listLotRefusals(this.#work, rows, (id) => this.#referenced.findTransaction(id));
  }

  /** Of several rows with one reference, the last is what will be booked. */
  async #withLotRefusals(
    outcomes: readonly (ResolvedTransaction | Refusal)[],
    found: readonly LedgerRow[],
  ): Promise<(ResolvedTransaction | Refusal)[]> {
    if (!outcomes.some((one) => !(one instanceof Refusal) && one.lots !== null)) return [...outcomes];
    const present = new Map(found.map((row) => [foundKey(row), row]));
    const rows = new Map<string | number, { readonly place: number; readonly row: NewRow }>();
    for (const [place, resolved] of outcomes.entries()) {
      if (resolved instanceof Refusal) continue;
      const key = referenceKey(resolved) ?? place;
      rows.set(key, { place, row: { resolved, present: present.get(String(key)) } });
    }
    const all = [...rows.values()];
    const refusals = await this.#listLotRefusals(all.map(({ row }) => row));
    const refusalByPlace = new Map([...refusals].map(([index, refusal]) => [all[index]!.place, refusal]));
    return outcomes.map((outcome, place) => refusalByPlace.get(place) ?? outcome);
  }

  #bookOne(batch: BookingBatch, resolved: ResolvedTransaction): BookingResult {
    const key = referenceKey(resolved);
    const present = key === undefined ? undefined : batch.known.get(key);
    if (present === undefined) {
      const sequence = this.sequences.nextSequence(resolved.client);
      const entry = newEntry({ id: this.#work.ids.next(), createdAt: this.#work.now, sequence }, resolved);
      return this.#makeResult('booked', batch.add(entry, key));
    }
    if (isSameTransaction(present.contents, resolved)) return this.#makeResult('unchanged', present);
    return this.#makeResult('amended', batch.amend(present, resolved), present.stored);
  }

  #makeResult(outcome: BookingResult['outcome'], entry: LedgerEntry, before?: LedgerRow): BookingResult {
    const { id, sequence, stored, contents } = entry;
    const version = outcome === 'unchanged' ? null : (this.sequences.currentVersion(contents) ?? null);
    const row = (): LedgerRow => stored ?? this.#toRow(entry);
    return {
      outcome,
      id,
      client: contents.client,
      sequence,
      version,
      unexplained: unexplainedOf(contents),
      row,
      before,
    };
  }

  /** Replaces the contents of a transaction; its sequences must be reserved. */
  async replace(present: LedgerRow, resolved: ResolvedTransaction): Promise<BookingResult> {
    this.sequences.advanceVersions([present]);
    const entry = newEntry(present, resolved);
    await this.#write([entry], [present]);
    return this.#makeResult('amended', entry, present);
  }

  async #write(
    opened: readonly LedgerEntry[],
    closed: readonly LedgerRow[],
    known: BookingBatch['known'] = new Map(),
  ): Promise<void> {
    const { transactionVersions } = this.#work.store;
    const { now } = this.#work;
    const closings = closed.map((row): ClosedVersion => ({ id: row.id, version: this.sequences.stampVersion(row) }));
    for (const entry of opened) entry.version = this.sequences.stampVersion(entry.contents);
    emitTransactions(this.#work, opened, new Set(closed.map(({ id }) => id)));
    if (this.#writeMode === 'awaited' || closings.length > 0) {
      await Promise.all([
        transactionVersions.close(closings, now),
        transactionVersions.prepareOpen(opened, now).send(),
      ]);
      return;
    }
    const prepared = transactionVersions.prepareOpen(opened, now);
    if (this.#writeMode === 'sent-later') return prepared.enqueue();
    // A failure is thrown by the next statement, or by the commit.
    this.#unsent = { send: () => void prepared.send().catch(() => {}), known };
  }

  /** Sends the batch that is to be written meanwhile. */
  sendUnsent(): void {
    this.#unsent?.send();
    this.#unsent = undefined;
  }

  /** Sends what is left to write with the next statement, or with the commit. */
  flush(): void {
    this.sendUnsent();
    this.sequences.flush();
  }

  #toRow({ id, createdAt, sequence, contents }: LedgerEntry): LedgerRow {
    const types = {
      [relatedTypeField('instrument')]: this.#referenced.instrumentType(contents.instrument),
      [relatedTypeField('targetInstrument')]: this.#referenced.instrumentType(contents.targetInstrument),
    };
    return { ...contents, id, createdAt, sequence, ...types } as LedgerRow;
  }
}
