// Tells the other nodes where this one has written, a moment later and many tenants at once. What is lost on the way costs time and nothing
// else: every node also looks by itself.

import { isId } from '../../kit/id.ts';
import { environments, type Tenant } from '../../model/access/scope.ts';
import { tenantKey } from './tenant-wake-ups.ts';

/** The queues whose wake-ups are announced. */
export const announcedQueues = ['deliveries', 'mails'] as const;
export type AnnouncedQueue = (typeof announcedQueues)[number];

export interface AnnouncedWakeUp {
  readonly node: string;
  readonly queue: AnnouncedQueue;
  readonly tenant: Tenant;
}

/** Short enough to be noticed at once, long enough for a burst of writes to share a statement. */
const gatherMs = 50;
/** More than this many at once are left to the sweeps. */
const announcementsMax = 500;

interface AnnouncerOptions {
  /** Names this node, which need not be told of its own writes. */
  readonly node: string;
  send(messages: readonly string[]): Promise<void>;
}

export class WakeUpAnnouncer {
  readonly #options: AnnouncerOptions;
  readonly #gathered = new Set<string>();
  #isSending = false;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  get node(): string {
    return this.#options.node;
  }

  put(queue: AnnouncedQueue, tenant: Tenant): void {
    if (this.#gathered.size >= announcementsMax) return;
    this.#gathered.add(`${this.#options.node} ${queue} ${tenantKey(tenant)}`);
    if (!this.#isSending) this.#sendSoon();
  }

  #sendSoon(): void {
    this.#isSending = true;
    setTimeout(() => void this.#send(), gatherMs).unref();
  }

  /** One statement at a time, so that a slow database is not asked more. */
  async #send(): Promise<void> {
    const messages = [...this.#gathered];
    this.#gathered.clear();
    try {
      await this.#options.send(messages);
    } catch {
      // The sweeps of the other nodes find what they were not told.
    }
    this.#isSending = false;
    if (this.#gathered.size > 0) this.#sendSoon();
  }
}

/** Undefined where the text is no announcement: whoever can connect to the database can send anything. */
export function parseAnnouncement(text: string): AnnouncedWakeUp | undefined {
  const [node, queueName, workspaceId, environmentName, ...rest] = text.split(' ');
  const queue = announcedQueues.find((name) => name === queueName);
  const environment = environments.find((name) => name === environmentName);
  if (node === undefined || queue === undefined || environment === undefined || rest.length > 0) return undefined;
  if (workspaceId === undefined || !isId(workspaceId)) return undefined;
  return { node, queue, tenant: { workspaceId, environment } };
}
