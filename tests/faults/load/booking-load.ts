// Books without a pause until it is stopped: single bookings and bulk bodies, each with an idempotency key and repeated until answered;
// some callers lose patience, and some send everything twice at once.

import { defined } from '../../../src/kit/assert.ts';
import { randomNumbers, type RandomNumbers } from '../../../bench/engine/ledger/random-numbers.ts';
import { pause } from '../waiting.ts';
import type { ApiAnswer, ApiClient, ApiRequest } from './api-client.ts';
import type { Household } from './household.ts';
import { fromCents, type Booking, type Journal } from './journal.ts';

interface LoadParts {
  readonly api: ApiClient;
  readonly journal: Journal;
  readonly households: readonly Household[];
  readonly random: RandomNumbers;
  readonly callers: number;
  /** Between two requests of a caller. */
  readonly pauseMs?: number;
}

/** In percent of the requests. */
const shares = { bulk: 15, buy: 40, reference: 50, impatient: 10, twice: 5 };
const bulkRows = { least: 2, most: 15 };

export class BookingLoad {
  readonly #parts: LoadParts;
  #isStopped = false;
  #running: Promise<unknown> | undefined;
  readonly #inFlight = new Set<Promise<void>>();
  /** Requests that were acknowledged. */
  acknowledged = 0;
  /** Answers to the same request that were sent at once and differ. */
  readonly differing: string[] = [];
  /** Requests that were refused, though valid. */
  readonly refused: string[] = [];
  readonly failed: string[] = [];

  constructor(parts: LoadParts) {
    this.#parts = parts;
  }

  /** May be started again after it was stopped. */
  start(): void {
    this.#isStopped = false;
    const { random, callers } = this.#parts;
    const seeds = Array.from({ length: callers }, () => random.between(1, 2 ** 31 - 1));
    this.#running = Promise.all(seeds.map((seed) => this.#book(randomNumbers(seed))));
  }

  /** Waits until everything that was sent is answered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** Waits until everything that has been sent so far is answered. */
  async untilAnswered(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  async #book(random: RandomNumbers): Promise<void> {
    const { api, journal, pauseMs = 40 } = this.#parts;
    while (!this.#isStopped) {
      const { bookings, request } = this.#next(random);
      journal.send(bookings);
      const answered = this.#sendOnceOrTwice(random, request).then(
        (answer) => this.#conclude(bookings, answer),
        (error: unknown) => void this.failed.push(String(error)),
      );
      this.#inFlight.add(answered);
      await answered;
      this.#inFlight.delete(answered);
      if (api.counts.givenUp > 20) return;
      await pause(pauseMs);
    }
  }

  #conclude(bookings: readonly Booking[], { status, text }: ApiAnswer): void {
    const isAcknowledged = status < 300;
    this.#parts.journal.conclude(bookings, isAcknowledged ? 'acknowledged' : 'refused');
    if (isAcknowledged) this.acknowledged++;
    else this.refused.push(`${status} ${text.slice(0, 300)}`);
  }

  async #sendOnceOrTwice(random: RandomNumbers, request: ApiRequest): Promise<ApiAnswer> {
    const { api } = this.#parts;
    if (random.between(1, 100) > shares.twice) return api.send(request);
    const [one, other] = await Promise.all([api.send(request), api.send(request)]);
    if (one.status !== other.status || one.text !== other.text) this.differing.push(`${one.text} and ${other.text}`);
    return one;
  }

  #next(random: RandomNumbers): { readonly bookings: Booking[]; readonly request: ApiRequest } {
    const isBulk = random.between(1, 100) <= shares.bulk;
    const count = isBulk ? random.between(bulkRows.least, bulkRows.most) : 1;
    const household = pickOne(random, this.#parts.households);
    const bookings = Array.from({ length: count }, () => this.#nextBooking(random, household));
    const rows = bookings.map((booking) => toBody(booking, household));
    const isImpatient = random.between(1, 100) <= shares.impatient;
    return {
      bookings,
      request: {
        method: 'POST',
        path: isBulk ? '/v1/transactions/bulk' : '/v1/transactions',
        body: isBulk ? { data: rows } : defined(rows[0], 'a single request has one booking'),
        key: `prove-${random.between(0, 2 ** 31)}-${Math.abs(bookings[0]?.cents ?? 0)}`,
        ...(isImpatient ? { firstAttemptMs: random.between(1, 60) } : {}),
      },
    };
  }

  #nextBooking(random: RandomNumbers, { accounts }: Household): Booking {
    const cents = this.#parts.journal.nextCents();
    const isBuy = random.between(1, 100) <= shares.buy;
    const reference = random.between(1, 100) <= shares.reference ? `PROVE-${cents}` : undefined;
    return { account: pickOne(random, accounts), cents: isBuy ? -cents : cents, units: isBuy ? 1 : 0, reference };
  }
}

export function pickOne<T>(random: RandomNumbers, values: readonly T[]): T {
  return defined(values[random.between(0, values.length - 1)], 'there is at least one to choose from');
}

function toBody({ account, cents, reference }: Booking, { stock }: Household): object {
  const base = {
    account_id: account,
    // One day for all, so that the service lists them in the order in which they were booked.
    date: '2025-06-15',
    amount: fromCents(cents),
    ...(reference === undefined ? {} : { external_reference: reference }),
  };
  if (cents > 0) return { ...base, type: 'deposit' };
  return { ...base, type: 'buy', instrument_id: stock, quantity: '1', price: fromCents(-cents) };
}
