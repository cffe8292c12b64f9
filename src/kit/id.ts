// Ids that sort by creation time: 24 hexadecimal characters for records, UUID v7 for users.

import { randomBytes } from 'node:crypto';

import type { Clock } from './clock.ts';

export type Id = string & { readonly __brand: 'Id' };
type Uuid = string & { readonly __brand: 'Uuid' };

export function isId(text: string): text is Id {
  return /^[0-9a-f]{24}$/.test(text);
}

export function isUuid(text: string): text is Uuid {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text);
}

/** An id read from the database, which stores nothing else in that column. */
export function idFromRow(text: string): Id {
  return text as Id;
}

const poolLength = 4_096;
const tailLimit = 2 ** 48;

/** Makes ids, each greater than all earlier ones of the same form, even if the clock goes back. */
export class IdSource {
  readonly #clock: Clock;
  readonly #randomBytes: (length: number) => Uint8Array;
  #pool: Uint8Array = new Uint8Array(0);
  #poolOffset = 0;
  #timeMs = 0;
  #timeText = hex48(0);
  /** 48 bits: random at the start of a millisecond, increasing within it. */
  #tail = 0;

  constructor(clock: Clock, getRandomBytes: (length: number) => Uint8Array) {
    this.#clock = clock;
    this.#randomBytes = getRandomBytes;
  }

  next(): Id {
    this.#advance();
    return (this.#timeText + hex48(this.#tail)) as Id;
  }

  nextUuid(): Uuid {
    this.#advance();
    return this.#uuidOf(this.#timeMs, this.#tail);
  }

  /** Makes a UUID with the given time, which hides when it was really made. It is not ordered among the others. */
  uuidAt(timeMs: number): Uuid {
    return this.#uuidOf(Math.floor(timeMs), this.#random(6));
  }

  #uuidOf(timeMs: number, tail: number): Uuid {
    const time = hex48(timeMs);
    const high = (0x7000 + Math.floor(tail / 2 ** 36)).toString(16);
    const middle = (0x8000 + (Math.floor(tail / 2 ** 22) % 2 ** 14)).toString(16);
    const low = hex48((tail % 2 ** 22) * 2 ** 26 + (this.#random(4) % 2 ** 26));
    return `${time.slice(0, 8)}-${time.slice(8)}-${high}-${middle}-${low}` as Uuid;
  }

  #advance(): void {
    const nowMs = Math.floor(this.#clock.now());
    if (nowMs > this.#timeMs) return this.#startMillisecond(nowMs);
    // A random step, so that an id does not reveal its neighbours.
    this.#tail += 1 + this.#random(3);
    if (this.#tail >= tailLimit) this.#startMillisecond(this.#timeMs + 1);
  }

  #startMillisecond(timeMs: number): void {
    this.#timeMs = timeMs;
    this.#timeText = hex48(timeMs);
    this.#tail = this.#random(6);
  }

  /** A random integer of `length` bytes. */
  #random(length: number): number {
    if (this.#poolOffset + length > this.#pool.length) {
      this.#pool = this.#randomBytes(poolLength);
      this.#poolOffset = 0;
    }
    let value = 0;
    for (const end = this.#poolOffset + length; this.#poolOffset < end; this.#poolOffset++) {
      value = value * 256 + this.#pool[this.#poolOffset]!;
    }
    return value;
  }
}

// In two halves: formatting numbers above 31 bits takes twice as long.
function hex48(value: number): string {
  return hex24(Math.floor(value / 2 ** 24)) + hex24(value % 2 ** 24);
}

function hex24(value: number): string {
  return (value + 2 ** 24).toString(16).slice(1);
}

/** Less than every id that is made at this moment or later, and greater than those made before. */
export function firstIdAt(timeMs: number): string {
  return hex48(Math.max(0, Math.floor(timeMs))) + '0'.repeat(12);
}

/** The moment that an id was made. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 12), 16);
}

export function systemIdSource(clock: Clock): IdSource {
  return new IdSource(clock, randomBytes);
}
