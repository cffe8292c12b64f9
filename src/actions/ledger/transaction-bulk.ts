// Books very many transactions in one unit of work, batch by batch, with one audit entry per client.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyRecord } from '../../kit/resource.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import { transaction } from '../../model/ledger/transaction.ts';
import { flagAllClients, flagClient } from '../../store/queues/dirty-flags.ts';
import type { TransactionInput } from './transaction-input.ts';
import {
  BookingWriter,
  type BookingPreview,
  type BookingResult,
  type BookingWriteMode,
  type ClosableTransaction,
} from './booking-writer.ts';
import type { LedgerRow } from '../../store/ledger/ledger-reader.ts';
import { snapshot } from '../core/snapshot.ts';
import { audit, type Work } from '../core/work.ts';

export const bookingOutcomes = [
  'booked',
  'amended',
  'unchanged',
] as const satisfies readonly BookingResult['outcome'][];

type Counts = Record<BookingResult['outcome'], number>;

const noCounts: Readonly<Counts> = { booked: 0, amended: 0, unchanged: 0 };

/** The outcome of a batch; `place` is a row's index within it. */
interface BatchResult {
  readonly counts: Readonly<Counts>;
  readonly refused: readonly { readonly place: number; readonly refusal: Refusal }[];
}

/** Counts for one client. */
interface Tally {
  readonly counts: Counts;
  closed: number;
  first: number | null;
  last: number | null;
}

function listRefused(outcomes: readonly (object | Refusal)[]): BatchResult['refused'] {
  return outcomes.flatMap((refusal, place) => (refusal instanceof Refusal ? [{ place, refusal }] : []));
}

export class TransactionBulk {
  readonly #work: Work;
  readonly #writer: BookingWriter;
  readonly #tallies = new Map<Id, Tally>();
  #affectsAllClients = false;

  constructor(work: Work, writeMode: BookingWriteMode = 'awaited') {
    this.#work = work;
    this.#writer = new BookingWriter(work, writeMode);
  }

  /** Books each, in this order, and returns what became of it. `present` as for the writer. */
  async bookEach(
    input: readonly TransactionInput[],
    present?: readonly LedgerRow[],
  ): Promise<(BookingResult | Refusal)[]> {
    const outcomes = await this.#writer.book(input, present);
    for (const outcome of outcomes) if (!(outcome instanceof Refusal)) this.#tally(outcome);
    return outcomes;
  }

  /** Sends the batch that is to be written meanwhile. */
  sendUnsent(): void {
    this.#writer.sendUnsent();
  }

  /** Says what `bookEach` would do. Books nothing. */
  preview(input: readonly TransactionInput[]): Promise<(BookingPreview | Refusal)[]> {
    return this.#writer.preview(input);
  }

  /** Closes transactions of clients, each with the version that is returned in its place. */
  async close(transactions: readonly ClosableTransaction[]): Promise<number[]> {
    for (const { client } of transactions) this.#tallyOf(defined(client, 'it is of a client')).closed++;
    return this.#writer.closeAll(transactions);
  }

  /** Gives transactions of clients the contents of an earlier version again. */
  async reopen(versions: readonly { readonly earlier: LedgerRow; readonly isCurrent: boolean }[]): Promise<void> {
    for (const { earlier } of versions) this.#tallyOf(defined(earlier.client, 'it is of a client')).counts.amended++;
    await this.#writer.reopenAll(versions);
  }

  async book(input: readonly TransactionInput[]): Promise<BatchResult> {
    const outcomes = await this.bookEach(input);
    const counts = { ...noCounts };
    for (const outcome of outcomes) {
      if (outcome instanceof Refusal) continue;
      counts[outcome.outcome]++;
    }
    return { counts, refused: listRefused(outcomes) };
  }

  /** Returns what would be refused. Books nothing. */
  async check(input: readonly TransactionInput[]): Promise<BatchResult> {
    return { counts: noCounts, refused: listRefused(await this.#writer.check(input)) };
  }

  #tally(result: BookingResult): void {
    const { client, outcome, sequence } = result;
    if (client === null) return this.#auditShared(result);
    const tally = this.#tallyOf(client);
    tally.counts[outcome]++;
    if (outcome !== 'booked') return;
    tally.first ??= sequence;
    tally.last = sequence;
  }

  #tallyOf(client: Id): Tally {
    let tally = this.#tallies.get(client);
    if (tally === undefined)
      this.#tallies.set(client, (tally = { counts: { ...noCounts }, closed: 0, first: null, last: null }));
    return tally;
  }

  /** A transaction of no client gets its own audit entry. */
  #auditShared({ outcome, row, before }: BookingResult): void {
    if (outcome === 'unchanged') return;
    this.#affectsAllClients = true;
    const after = row();
    audit(this.#work, {
      act: before === undefined ? 'create' : 'change',
      type: transaction.type,
      id: after.id,
      clientId: null,
      before: before ? snapshot(transaction, before as AnyRecord) : null,
      after: snapshot(transaction, after as AnyRecord),
    });
  }

  /** Writes counters, audit entries and dirty flags, once for each client, in the order of their ids. */
  finish(): void {
    const { store, now } = this.#work;
    this.#writer.flush();
    const changed = [...this.#tallies].filter(([, { counts, closed }]) => counts.booked + counts.amended + closed > 0);
    for (const [client, tally] of changed.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      this.#auditClient(client, tally);
      flagClient(store, client, { cause: 'transaction', now });
    }
    if (this.#affectsAllClients) flagAllClients(store, { cause: 'transaction', now });
  }

  /** Booked rows have numbers from first to last, and every version begins at the moment of the entry. */
  #auditClient(client: Id, { counts, closed, first, last }: Tally): void {
    const all = closed === 0 ? counts : { ...counts, closed };
    const numbers = first === null ? {} : { first_sequence: first, last_sequence: last };
    audit(this.#work, {
      act: 'change',
      type: clientResource.type,
      id: client,
      clientId: client,
      before: null,
      after: { [transaction.plural]: { ...all, ...numbers } },
    });
  }
}
