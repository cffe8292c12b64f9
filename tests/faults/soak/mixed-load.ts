// Requests of every usual kind at a stated rate, whether or not earlier ones are answered, with the time that each took.

import type { RandomNumbers } from '../../../bench/engine/ledger/random-numbers.ts';
import type { ApiClient, ApiRequest } from '../load/api-client.ts';
import { pickOne } from '../load/booking-load.ts';
import type { SoakFamily } from './seed.ts';

interface MixedLoadParts {
  readonly api: ApiClient;
  readonly families: readonly SoakFamily[];
  readonly random: RandomNumbers;
  /** Requests a second. */
  readonly rate: number;
}

/** Requests of each kind in a hundred. */
export const mix = { booking: 45, bulk: 5, holdings: 20, performance: 10, list: 10, client: 10 } as const;
type Kind = keyof typeof mix;
const kinds = (Object.keys(mix) as Kind[]).flatMap((kind) => Array<Kind>(mix[kind]).fill(kind));
const bulkRowCount = 20;
/** More waiting than this is no load that the service can carry. */
const inFlightMax = 64;

export class MixedLoad {
  readonly #parts: MixedLoadParts;
  readonly #inFlight = new Set<Promise<void>>();
  #times: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  sent = 0;
  notSent = 0;
  readonly failures: string[] = [];

  constructor(parts: MixedLoadParts) {
    this.#parts = parts;
  }

  start(): void {
    const began = performance.now();
    this.#timer = setInterval(() => {
      const due = ((performance.now() - began) * this.#parts.rate) / 1_000;
      while (this.sent + this.notSent < due) this.#sendNext();
    }, 10);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#inFlight);
  }

  /** The times of the requests that were answered since the last call, in milliseconds. */
  takeTimes(): number[] {
    const times = this.#times;
    this.#times = [];
    return times;
  }

  #sendNext(): void {
    if (this.#inFlight.size >= inFlightMax) return void this.notSent++;
    const answered = this.#send(this.#next(this.sent++)).finally(() => this.#inFlight.delete(answered));
    this.#inFlight.add(answered);
  }

  async #send(request: ApiRequest): Promise<void> {
    const began = performance.now();
    try {
      const { status, text } = await this.#parts.api.attempt(request);
      if (status >= 300) this.failures.push(`${request.path}: ${status} ${text.slice(0, 300)}`);
    } catch (error) {
      this.failures.push(`${request.path}: ${String(error)}`);
    }
    this.#times.push(performance.now() - began);
  }

  #next(number: number): ApiRequest {
    const { random, families } = this.#parts;
    const { client, account, entity, stocks } = pickOne(random, families);
    const booking = (index: number): object => ({
      account_id: account,
      date: '2026-01-15',
      type: 'buy',
      instrument_id: pickOne(random, stocks),
      quantity: '1',
      price: '100',
      amount: '-100',
      external_reference: `SOAK-${number}-${index}`,
    });
    const key = `soak-load-${number}`;
    switch (pickOne(random, kinds)) {
      case 'booking':
        return { method: 'POST', path: '/v1/transactions', body: booking(0), key };
      case 'bulk': {
        const data = Array.from({ length: bulkRowCount }, (_none, index) => booking(index));
        return { method: 'POST', path: '/v1/transactions/bulk', body: { data }, key };
      }
      case 'holdings':
        return { path: `/v1/holdings?reporting_entity_id=${entity}&as_of=2025-12-31` };
      case 'performance':
        return { path: `/v1/performance?reporting_entity_id=${entity}&start=2025-01-01&end=2025-12-31&detail=summary` };
      case 'list':
        return { path: `/v1/transactions?account_id=${account}&limit=50` };
      case 'client':
        return { path: `/v1/clients/${client}` };
    }
  }
}
