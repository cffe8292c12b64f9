// Messages between the nodes on one database: PostgreSQL's LISTEN and NOTIFY, over a connection of its own. A pooler may swallow them, and
// nothing depends on them: where they do not arrive, this is off, and tried again later.

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { minuteMs, secondMs } from '../../kit/clock.ts';
import { sql } from './statement.ts';

const channel = 'holdfast_nodes';

/** Sends each text to every node that listens. Outside of the writes it tells of: commits that notify wait for each other. */
export const sendMessages = sql('node-messages/send', `SELECT pg_notify('${channel}', m) FROM unnest($1::text[]) m`);

export interface NodeMessagesOptions {
  readonly connection: pg.ClientConfig;
  /** How long a message may take before this is off. */
  readonly arrivalMs?: number;
  /** Sends a text over another connection, to see whether it arrives here. */
  probe(text: string): Promise<void>;
  onMessage(text: string): void;
  /** Called when messages begin to arrive, and when they no longer do. */
  onChange(state: 'on' | 'off', error?: unknown): void;
}

const usualArrivalMs = 5 * secondMs;
/** How often a message is sent to see that they still arrive. */
const probeIntervalMs = minuteMs;
const retryMs = { first: secondMs, max: 10 * minuteMs };

const probePrefix = 'probe ';

export class NodeMessages {
  readonly #options: NodeMessagesOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #isOn = false;
  #onProbe: (text: string) => void = () => {};
  #probeNumber = 0;

  constructor(options: NodeMessagesOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#listenAgainAndAgain();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #listenAgainAndAgain(): Promise<void> {
    const { signal } = this.#stopping;
    for (let waitMs = retryMs.first; !signal.aborted; waitMs = Math.min(2 * waitMs, retryMs.max)) {
      const error = await this.#listen(signal).catch((caught: unknown) => caught);
      if (signal.aborted) return;
      if (this.#isOn) waitMs = retryMs.first;
      if (this.#isOn || waitMs === retryMs.first) this.#options.onChange('off', error);
      this.#isOn = false;
      await delay(waitMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Ends when messages no longer arrive. */
  async #listen(signal: AbortSignal): Promise<void> {
    const client = new pg.Client({ ...this.#options.connection, connectionTimeoutMillis: usualArrivalMs });
    const lost = new Promise<never>((_resolve, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('The connection that listens has ended.')));
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    lost.catch(() => {});
    client.on('notification', ({ payload = '' }) => this.#receive(payload));
    try {
      await Promise.race([client.connect(), lost]);
      await Promise.race([client.query(`LISTEN ${channel}`), lost]);
      for (;;) {
        await Promise.race([this.#probe(), lost]);
        if (!this.#isOn) this.#options.onChange('on');
        this.#isOn = true;
        await Promise.race([delay(probeIntervalMs, undefined, { signal, ref: false }), lost]);
      }
    } finally {
      await endAtOnce(client);
    }
  }

  #receive(text: string): void {
    if (text.startsWith(probePrefix)) this.#onProbe(text);
    else this.#options.onMessage(text);
  }

  async #probe(): Promise<void> {
    const text = `${probePrefix}${process.pid} ${performance.timeOrigin} ${this.#probeNumber++}`;
    const arrived = new Promise<void>((resolve) => (this.#onProbe = (other) => void (other === text && resolve())));
    const { arrivalMs = usualArrivalMs } = this.#options;
    const late = new AbortController();
    try {
      await this.#options.probe(text);
      const tooLate = delay(arrivalMs, undefined, { signal: late.signal }).then(() => {
        throw new Error('A message between nodes did not arrive: the database is probably behind a pooler.');
      });
      await Promise.race([arrived, tooLate]);
    } finally {
      late.abort();
    }
  }
}

/** A polite end would wait for a server that may be silent. */
async function endAtOnce(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => {}), delay(secondMs, undefined, { ref: false })]);
}
