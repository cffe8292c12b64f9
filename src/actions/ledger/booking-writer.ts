// Transactions booked together, one or thousands: each in its turn is booked, amends what its source has sent before, or changes nothing,
// as if it had come alone. Knows neither wires nor what is told of it in the audit log.

import { isDeepStrictEqual } from 'node:util';
import type { Id } from '../../kit/id.ts';
import { parseJson, writeJson } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import { typeFieldOf } from '../../kit/resource.ts';
import type { Transaction } from '../../model/ledger/transaction.ts';
import type { LedgerReference, LedgerRow } from '../../store/ledger/ledger-reader.ts';
import type { ClosedVersion, OpenedVersion } from '../../store/ledger/transaction-versions.ts';
import type { AskedTransaction } from './transaction-input.ts';
import { emitTransactions } from '../events/event.ts';
import { LedgerBooks } from './sequence-allocator.ts';
import { NamedThings } from './referenced-records.ts';
import { settleTransactions, type SettledTransaction } from './transaction-resolution.ts';
import type { Work } from '../core/work.ts';

/** A transaction as it stands in the ledger. */
interface Entry {
  readonly id: Id;
  readonly createdAt: number;
  readonly sequence: number;
  settled: SettledTransaction;
  /** Where it has been there before: it is closed when it is amended. */
  readonly stored?: LedgerRow;
}

export interface Booking {
  /** A source's reference that is known already books nothing, or amends. */
  readonly outcome: 'booked' | 'amended' | 'unchanged';
  readonly client: Id | null;
  readonly sequence: number;
  row(): LedgerRow;
  readonly before: LedgerRow | undefined;
}

function referenceOf({ account, source, externalReference }: SettledTransaction): LedgerReference | undefined {
  return account === null || externalReference === null ? undefined : { account, source, externalReference };
}

function keyOf({ account, source, externalReference }: LedgerReference): string {
  return `${account} ${source} ${externalReference}`;
}

/** What was sent and what is stored, made by the same hand so that they can be compared. */
function asParsed(value: unknown): unknown {
  return parseJson(writeJson(value));
}

export function isSame(one: SettledTransaction, other: SettledTransaction): boolean {
  return Object.keys(other).every((field) => {
    const [a, b] = [one[field as keyof SettledTransaction] ?? null, other[field as keyof SettledTransaction]];
    if (a === b || typeof a !== 'object' || typeof b !== 'object') return a === b;
    return isDeepStrictEqual(asParsed(a), asParsed(b));
  });
}

/** What one batch opens and closes. */
class Batch {
  readonly known = new Map<string, Entry>();
  readonly opened: Entry[] = [];
  readonly closed: LedgerRow[] = [];

  constructor(found: readonly LedgerRow[]) {
    for (const stored of found) {
      const { id, createdAt, sequence } = stored;
      this.known.set(keyOf(referenceOf(stored)!), { id, createdAt, sequence, settled: stored, stored });
    }
  }

  /** Of several that amend one transaction, the last is opened. */
  amend(entry: Entry, settled: SettledTransaction): Entry {
    if (entry.stored === undefined) {
      entry.settled = settled;
      return entry;
    }
    const { id, createdAt, sequence } = entry;
    this.closed.push(entry.stored);
    return this.add({ id, createdAt, sequence, settled });
  }

  add(entry: Entry): Entry {
    this.opened.push(entry);
    const reference = referenceOf(entry.settled);
    if (reference !== undefined) this.known.set(keyOf(reference), entry);
    return entry;
  }
}

export class Bookings {
  readonly #work: Work;
  /** Whether what is opened is waited for, or goes with what is sent next. */
  readonly #opening: 'awaited' | 'sent-later';
  readonly #named: NamedThings;
  readonly books: LedgerBooks;

  constructor(work: Work, opening: 'awaited' | 'sent-later') {
    this.#work = work;
    this.#opening = opening;
    this.#named = new NamedThings(work);
    this.books = new LedgerBooks(work);
  }

  /** What each comes to, or is refused with. Writes nothing. */
  settle(asked: readonly AskedTransaction[]): Promise<(SettledTransaction | Refusal)[]> {
    return settleTransactions(this.#work, this.#named, asked);
  }

  async book(asked: readonly AskedTransaction[]): Promise<(Booking | Refusal)[]> {
    const outcomes = await this.settle(asked);
    const settled = outcomes.filter((one): one is SettledTransaction => !(one instanceof Refusal));
    if (settled.length === 0) return outcomes as Refusal[];
    const references = settled.map(referenceOf).filter((reference) => reference !== undefined);
    const [, found] = await Promise.all([
      this.books.open(settled),
      this.#work.store.ledger.listReferred([...new Map(references.map((one) => [keyOf(one), one])).values()]),
    ]);
    await this.books.open(found);
    this.books.turn(settled);
    const batch = new Batch(found);
    const bookings = outcomes.map((one) => (one instanceof Refusal ? one : this.#place(batch, one)));
    await this.#write(batch.opened, batch.closed);
    return bookings;
  }

  #place(batch: Batch, settled: SettledTransaction): Booking {
    const reference = referenceOf(settled);
    const present = reference && batch.known.get(keyOf(reference));
    if (present === undefined) {
      const sequence = this.books.number(settled.client);
      const entry = batch.add({ id: this.#work.ids.next(), createdAt: this.#work.now, sequence, settled });
      return this.#tell('booked', entry);
    }
    if (isSame(present.settled, settled)) return this.#tell('unchanged', present);
    return this.#tell('amended', batch.amend(present, settled), present.stored);
  }

  #tell(outcome: Booking['outcome'], entry: Entry, before?: LedgerRow): Booking {
    const { sequence, stored, settled } = entry;
    return { outcome, client: settled.client, sequence, row: () => stored ?? this.#rowOf(entry), before };
  }

  /** The same transaction with other contents; its books are open. */
  async replace(present: LedgerRow, settled: SettledTransaction): Promise<Booking> {
    const { id, createdAt, sequence } = present;
    this.books.turn([present]);
    const entry: Entry = { id, createdAt, sequence, settled };
    await this.#write([entry], [present]);
    return this.#tell('amended', entry, present);
  }

  async #write(opened: readonly Entry[], closed: readonly LedgerRow[]): Promise<void> {
    const { store, now } = this.#work;
    const ended = closed.map((row): ClosedVersion => ({ id: row.id, version: this.books.stamp(row) }));
    const begun = opened.map((entry) => {
      const { id, createdAt, sequence, settled } = entry;
      const record = { ...settled, id, createdAt } as Transaction;
      return { record, sequence, version: this.books.stamp(settled) };
    });
    this.#tellOf(begun, new Set(closed.map(({ id }) => id)));
    if (this.#opening === 'sent-later' && ended.length === 0) return store.ledgerVersions.openLater(begun, now);
    await Promise.all([store.ledgerVersions.close(ended, now), store.ledgerVersions.open(begun, now)]);
  }

  #tellOf(begun: readonly OpenedVersion[], amended: ReadonlySet<Id>): void {
    const emissions = begun.map(({ record: { id, client }, version }) => ({
      type: amended.has(id) ? ('transaction.updated' as const) : ('transaction.created' as const),
      client,
      transaction: id,
      version,
    }));
    emitTransactions(this.#work, emissions);
  }

  #rowOf({ id, createdAt, sequence, settled }: Entry): LedgerRow {
    const types = {
      [typeFieldOf('instrument')]: this.#named.typeOf(settled.instrument),
      [typeFieldOf('targetInstrument')]: this.#named.typeOf(settled.targetInstrument),
    };
    return { ...settled, id, createdAt, sequence, ...types } as LedgerRow;
  }
}
