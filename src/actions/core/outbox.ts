// The events of one piece of work, as far as the outbox has to know them: whose, and from which id to which; and whether there is mail
// with it. Knows neither what has happened nor who is told.

import type { Id } from '../../kit/id.ts';
import type { OutboxEntry } from '../../store/events/events.ts';

export class Outbox {
  readonly #entries = new Map<Id | null, OutboxEntry>();
  #batch: Id | undefined;
  #hasMail = false;

  get batch(): Id | undefined {
    return this.#batch;
  }

  get hasMail(): boolean {
    return this.#hasMail;
  }

  get entries(): readonly OutboxEntry[] {
    return [...this.#entries.values()];
  }

  addMail(): void {
    this.#hasMail = true;
  }

  /** Ids come in their order. */
  addEvent(client: Id | null, id: Id): void {
    this.#batch ??= id;
    this.#entries.set(client, { client, first: this.#entries.get(client)?.first ?? id, last: id });
  }
}
