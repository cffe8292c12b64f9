// What a node knows of sessions while nothing can be written: when each was last used, which have ended, and what is to be recorded of that. It is
// recorded once changes are accepted again, and lost with the node before that.

import { LRUCache } from 'lru-cache';
import type { Id } from '../../kit/id.ts';
import { minuteMs } from '../../kit/clock.ts';
import type { Refusal } from '../../kit/refusal.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';

/** A session ends after this long without a request. */
export const sessionIdleMs = 30 * minuteMs;

/** A sign-in or sign-out that has to be recorded. */
export interface UnrecordedAct {
  readonly person: Pick<PersonAccess, 'workspaceId' | 'environment' | 'personId'>;
  readonly act: 'sign-in' | 'sign-out';
  readonly sessionId: Id;
  readonly at: number;
}

/** Used sessions that are remembered; the least recently used are forgotten. */
const usedMax = 10_000;
const actsMax = 10_000;

export class SessionsInMemory {
  readonly #seenAt = new LRUCache<string, number>({ max: usedMax });
  readonly #ended = new LRUCache<Id, true>({ max: usedMax });
  #acts: UnrecordedAct[] = [];

  noteSeen(secretHash: Buffer, at: number): void {
    this.#seenAt.set(secretHash.toString('base64'), at);
  }

  /** Undefined if the session was not used here lately while nothing could be written. */
  findSeenAt(secretHash: Buffer, now: number): number | undefined {
    const at = this.#seenAt.get(secretHash.toString('base64'));
    return at !== undefined && now - at < sessionIdleMs ? at : undefined;
  }

  /** Throws `refusal` if there is no room: a sign-in that nobody would ever record is refused. */
  note(act: UnrecordedAct, refusal: Refusal): void {
    if (this.#acts.length >= actsMax) throw refusal;
    this.#acts.push(act);
    if (act.act === 'sign-out') this.#ended.set(act.sessionId, true);
  }

  hasEnded(sessionId: Id): boolean {
    return this.#ended.has(sessionId);
  }

  /** What has to be recorded, oldest first. */
  get unrecorded(): readonly UnrecordedAct[] {
    return this.#acts;
  }

  /** Forgets an act that was recorded. */
  forget(recorded: UnrecordedAct): void {
    this.#acts = this.#acts.filter((act) => act !== recorded);
  }
}
