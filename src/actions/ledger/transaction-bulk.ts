// Very many transactions in one piece of work: booked batch by batch, and told of once for each client whose books they changed. Knows no
// wire.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyRecord } from '../../kit/resource.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import { transaction } from '../../model/ledger/transaction.ts';
import { markAllClients, markClient } from '../../store/queues/dirty-flags.ts';
import type { AskedTransaction } from './transaction-input.ts';
import { Bookings, type Booking } from './booking-writer.ts';
import { snapshot } from '../core/snapshot.ts';
import { audit, type Work } from '../core/work.ts';

export const bookingOutcomes = ['booked', 'amended', 'unchanged'] as const satisfies readonly Booking['outcome'][];

type Counts = Record<Booking['outcome'], number>;

const none: Readonly<Counts> = { booked: 0, amended: 0, unchanged: 0 };

/** What came of a batch; `place` is that of a row within it. */
export interface BatchBooked {
  readonly counts: Readonly<Counts>;
  readonly refused: readonly { readonly place: number; readonly refusal: Refusal }[];
}

/** What one client's books have got. */
interface Tally {
  readonly counts: Counts;
  first: number | null;
  last: number | null;
}

function refusedAmong(outcomes: readonly (object | Refusal)[]): BatchBooked['refused'] {
  return outcomes.flatMap((refusal, place) => (refusal instanceof Refusal ? [{ place, refusal }] : []));
}

export class TransactionBulk {
  readonly #work: Work;
  readonly #bookings: Bookings;
  readonly #tallies = new Map<Id, Tally>();
  #concernsAll = false;

  constructor(work: Work) {
    this.#work = work;
    this.#bookings = new Bookings(work, 'awaited');
  }

  async book(asked: readonly AskedTransaction[]): Promise<BatchBooked> {
    const outcomes = await this.#bookings.book(asked);
    const counts = { ...none };
    for (const outcome of outcomes) {
      if (outcome instanceof Refusal) continue;
      counts[outcome.outcome]++;
      this.#tell(outcome);
    }
    return { counts, refused: refusedAmong(outcomes) };
  }

  /** What would be refused. Books nothing. */
  async check(asked: readonly AskedTransaction[]): Promise<BatchBooked> {
    return { counts: none, refused: refusedAmong(await this.#bookings.settle(asked)) };
  }

  #tell(booking: Booking): void {
    const { client, outcome, sequence } = booking;
    if (client === null) return this.#auditShared(booking);
    let tally = this.#tallies.get(client);
    if (tally === undefined) this.#tallies.set(client, (tally = { counts: { ...none }, first: null, last: null }));
    tally.counts[outcome]++;
    if (outcome !== 'booked') return;
    tally.first ??= sequence;
    tally.last = sequence;
  }

  /** What is no client's has no client's line: each has its own. */
  #auditShared({ outcome, row, before }: Booking): void {
    if (outcome === 'unchanged') return;
    this.#concernsAll = true;
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

  /** Raises the ledgers, writes the lines of the audit log and makes the marks: once for each, in the order of their ids. */
  conclude(): void {
    const { store, now } = this.#work;
    this.#bookings.books.close();
    const changed = [...this.#tallies].filter(([, { counts }]) => counts.booked + counts.amended > 0);
    for (const [client, tally] of changed.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      this.#auditClient(client, tally);
      markClient(store, client, { cause: 'transaction', now });
    }
    if (this.#concernsAll) markAllClients(store, { cause: 'transaction', now });
  }

  /** Rows that were booked have numbers from the first to the last; every version begins at the moment of the line. */
  #auditClient(client: Id, { counts, first, last }: Tally): void {
    const numbers = first === null ? {} : { first_sequence: first, last_sequence: last };
    audit(this.#work, {
      act: 'change',
      type: clientResource.type,
      id: client,
      clientId: client,
      before: null,
      after: { [transaction.plural]: { ...counts, ...numbers } },
    });
  }
}
