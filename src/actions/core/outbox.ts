// Collects the events of one piece of work as the outbox stores them: a range of ids per client, and whether mail goes with it.

import type { Id } from '../../kit/id.ts';
import type { OutboxEntry } from '../../store/events/events.ts';
import type { Store } from '../../store/store.ts';

export class Outbox {
  readonly #entries = new Map<Id | null, { -readonly [Name in keyof OutboxEntry]: OutboxEntry[Name] }>();
  #batch: Id | undefined;
  #hasMail = false;

  /** The id of the first event, which names the batch. */
  get batch(): Id | undefined {
    return this.#batch;
  }

  get hasMail(): boolean {
    return this.#hasMail;
  }

  get entries(): readonly OutboxEntry[] {
    return [...this.#entries.values()];
  }

  /** Forgets what was added, where the work is undone. */
  clear(): void {
    this.#entries.clear();
    this.#batch = undefined;
    this.#hasMail = false;
  }

  addMail(): void {
    this.#hasMail = true;
  }

  /** Expects ids in ascending order. */
  addEvent(client: Id | null, id: Id): void {
    this.#batch ??= id;
    const entry = this.#entries.get(client);
    if (entry === undefined) this.#entries.set(client, { client, first: id, last: id });
    else entry.last = id;
  }
}

/** Writes the outbox, as the last statement before the commit. Returns whether it held any events. */
export function closeOutbox({ batch, entries }: Outbox, store: Pick<Store, 'events'>): boolean {
  if (batch === undefined) return false;
  store.events.close(batch, entries);
  return true;
}
