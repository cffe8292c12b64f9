// Shares a thread between long computations. Each computes for a short slice of time and then waits for its turn; owners take
// turns, so what one owner computes delays another by one slice, however long or many its computations are. Slices are shorter while the
// thread computes for several owners.

import type { Pieces } from './pieces.ts';

interface TurnTerms {
  /** Owners take turns. */
  readonly owner: string;
  /** How long the computation is compared with others: of one owner's, the shortest goes first, and the first of equal ones. */
  readonly size: number;
  /** Ends the computation at its next turn: `pause` throws the reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The turns of one computation. */
export interface Turn {
  /** Call it between pieces. Resolves when the computation may go on: at once while its slice lasts. */
  pause(): Promise<void> | undefined;
  run<T>(pieces: Pieces<T>): Promise<T>;
}

interface WaitingTurn extends TurnTerms {
  readonly number: number;
  /** Goes on, or ends the computation if its signal is aborted. */
  resolve(): void;
}

interface FairTurnsOptions {
  /** Milliseconds. */
  now(): number;
  /** Calls back after pending input has been handled. */
  afterInput(callback: () => void): void;
}

/** Short enough that a small report beside a long one still takes milliseconds; a hundred times what taking turns costs. */
const sliceMs = 3;
/** A small report waits for the end of a slice several times: when it comes, and for each answer of the database. */
const sliceMsBesideOthers = 1;
/** How long after the last change of owners a thread counts as shared. */
const sharedMs = 100;

export class FairTurns {
  readonly #options: FairTurnsOptions;
  /** By owner, in the order of their turns. No list is empty. */
  readonly #waiting = new Map<string, WaitingTurn[]>();
  #sliceStart = -Infinity;
  #lastOwner: string | undefined;
  #ownerChangedAt = -Infinity;
  #isGrantScheduled = false;
  #count = 0;

  constructor(options: FairTurnsOptions = { now: () => performance.now(), afterInput: setImmediate }) {
    this.#options = options;
  }

  open(terms: TurnTerms): Turn {
    const number = this.#count++;
    this.#noteOwner(terms.owner);
    const pause = (): Promise<void> | undefined => this.#pause(terms, number);
    return { pause, run: (pieces) => runWithPauses(pieces, pause) };
  }

  #noteOwner(owner: string): void {
    if (this.#lastOwner !== undefined && this.#lastOwner !== owner) this.#ownerChangedAt = this.#options.now();
    this.#lastOwner = owner;
  }

  #pause(terms: TurnTerms, number: number): Promise<void> | undefined {
    const now = this.#options.now();
    const isShared = now - this.#ownerChangedAt < sharedMs;
    if (now - this.#sliceStart < (isShared ? sliceMsBesideOthers : sliceMs)) return undefined;
    const { signal } = terms;
    return new Promise((goOn, reject) => {
      const resolve = (): void => (signal?.aborted ? reject(signal.reason) : goOn());
      this.#put({ ...terms, number, resolve });
      this.#scheduleGrant();
    });
  }

  #put(waiting: WaitingTurn): void {
    const own = this.#waiting.get(waiting.owner);
    if (own === undefined) this.#waiting.set(waiting.owner, [waiting]);
    else own.push(waiting);
  }

  #scheduleGrant(): void {
    if (this.#isGrantScheduled) return;
    this.#isGrantScheduled = true;
    this.#options.afterInput(() => this.#grant());
  }

  /** One at a time: what it computes runs before the next is granted, and input is handled in between. */
  #grant(): void {
    this.#isGrantScheduled = false;
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [owner, own] = next;
    const turn = own.reduce((first, one) => (isBefore(one, first) ? one : first));
    own.splice(own.indexOf(turn), 1);
    this.#waiting.delete(owner);
    if (own.length > 0) this.#waiting.set(owner, own);
    this.#sliceStart = this.#options.now();
    this.#noteOwner(owner);
    turn.resolve();
    if (this.#waiting.size > 0) this.#scheduleGrant();
  }
}

/** Those that only end go first, so that nothing of them stays in memory behind others. */
function isBefore(one: WaitingTurn, other: WaitingTurn): boolean {
  const [isOneEnding, isOtherEnding] = [one.signal?.aborted === true, other.signal?.aborted === true];
  if (isOneEnding !== isOtherEnding) return isOneEnding;
  return one.size < other.size || (one.size === other.size && one.number < other.number);
}

async function runWithPauses<T>(pieces: Pieces<T>, pause: Turn['pause']): Promise<T> {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
    await pause();
  }
}
