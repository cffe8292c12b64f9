// What was sent and what was acknowledged, written down by the caller, and the comparison with what the service says afterwards.

/** Every amount is unique in a journal, so that a booking without a reference is recognised too. */
export interface Booking {
  readonly account: string;
  /** In cents; negative for a buy. */
  readonly cents: number;
  /** Shares that are bought with it. */
  readonly units: number;
  readonly reference: string | undefined;
}

/** A transaction as the service lists it. */
export interface StatedTransaction {
  readonly id: string;
  readonly account: string;
  readonly cents: number;
  readonly reference: string | undefined;
}

type Outcome = 'sent' | 'acknowledged' | 'refused';

export interface LedgerFindings {
  readonly acknowledged: number;
  /** Acknowledged, but not in the ledger. */
  readonly lost: readonly string[];
  /** In the ledger more than once. */
  readonly doubled: readonly string[];
  /** In the ledger with another reference or account than was sent. */
  readonly changed: readonly string[];
  /** In the ledger, though refused, or never sent. */
  readonly unexpected: readonly string[];
}

export class Journal {
  readonly #bookings = new Map<number, { readonly booking: Booking; outcome: Outcome }>();
  #lastCents = 0;

  /** An amount that no other booking of this journal has. */
  nextCents(): number {
    return ++this.#lastCents;
  }

  send(bookings: readonly Booking[]): void {
    for (const booking of bookings) this.#bookings.set(Math.abs(booking.cents), { booking, outcome: 'sent' });
  }

  /** All of one request, which is booked as a whole or not at all. */
  conclude(bookings: readonly Booking[], outcome: 'acknowledged' | 'refused'): void {
    for (const { cents } of bookings) {
      const entry = this.#bookings.get(Math.abs(cents));
      if (entry !== undefined) entry.outcome = outcome;
    }
  }

  /** Bookings with this outcome, in the order in which they were sent. */
  withOutcome(outcome: Outcome): Booking[] {
    return [...this.#bookings.values()].filter((one) => one.outcome === outcome).map(({ booking }) => booking);
  }

  /** The same journal for a copy of the ledger that was begun when only `known` were acknowledged: the others may or may not be in it. */
  forCopy(known: readonly Booking[]): Journal {
    const acknowledged = new Set(known.map(({ cents }) => Math.abs(cents)));
    const copy = new Journal();
    for (const [cents, { booking, outcome }] of this.#bookings) {
      const isOpen = outcome !== 'refused' && !acknowledged.has(cents);
      copy.#bookings.set(cents, { booking, outcome: isOpen ? 'sent' : outcome });
    }
    return copy;
  }

  /** A booking that was sent and not answered may or may not be in the ledger, once. */
  compare(stated: readonly StatedTransaction[]): LedgerFindings {
    const byCents = Map.groupBy(stated, ({ cents }) => Math.abs(cents));
    const findings = { lost: [] as string[], doubled: [] as string[], changed: [] as string[] };
    for (const [cents, { booking, outcome }] of this.#bookings) {
      const found = byCents.get(cents) ?? [];
      if (found.length === 0 && outcome === 'acknowledged') findings.lost.push(describe(booking));
      if (found.length > 1) findings.doubled.push(`${describe(booking)}: ${found.length} times`);
      if (found.some((one) => !isSame(booking, one))) findings.changed.push(describe(booking));
    }
    const isExpected = ({ cents }: StatedTransaction): boolean => {
      const outcome = this.#bookings.get(Math.abs(cents))?.outcome;
      return outcome !== undefined && outcome !== 'refused';
    };
    const unexpected = stated.filter((one) => !isExpected(one)).map(({ id }) => id);
    return { acknowledged: this.withOutcome('acknowledged').length, ...findings, unexpected };
  }
}

function describe({ account, cents, reference }: Booking): string {
  return `${cents} cents on ${account}${reference === undefined ? '' : ` (${reference})`}`;
}

function isSame(booking: Booking, stated: StatedTransaction): boolean {
  return booking.account === stated.account && booking.cents === stated.cents && booking.reference === stated.reference;
}

/** Exactly: `1234.5` is 123,450 cents. Returns NaN for what is no whole number of cents. */
export function toCents(text: string): number {
  const {
    sign = '',
    whole = '',
    part = '',
  } = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<part>\d{1,2}))?$/.exec(text)?.groups ?? {};
  return whole === '' ? Number.NaN : Number(`${sign}${whole}${part.padEnd(2, '0')}`);
}

export function fromCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
