// Makes the HTTP agents for calls to addresses that others have chosen: checked addresses only, TLS always verified, bounded headers.

import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { makeLookup } from './checked-lookup.ts';

export interface CheckedAgentOptions {
  readonly allowPrivate: boolean;
  /** Replaces name resolution in tests. */
  readonly lookup?: LookupFunction | undefined;
  /** Certificate authorities to trust instead of the default ones, as PEM. */
  readonly authorities?: string | undefined;
  /** Maximum number of connections to one origin. */
  readonly connectionsMax?: number | undefined;
  /** Time to establish a connection. */
  readonly connectTimeoutMs?: number | undefined;
}

/** How many connections to one server are open at a time. */
const usualConnectionsMax = 64;
/** How long a connection may take to be established. */
const usualConnectMs = 10_000;
/** How long an idle connection stays open for the next call. */
const idleMs = 15_000;
const responseHeaderBytesMax = 16 * 1024;

/** Loads its library with the first call: many nodes never make one, and it takes some megabytes. */
export class CheckedAgent {
  readonly #options: CheckedAgentOptions;
  #agent: Promise<Agent> | undefined;

  constructor(options: CheckedAgentOptions) {
    this.#options = options;
  }

  open(): Promise<Agent> {
    return (this.#agent ??= makeAgent(this.#options));
  }

  /** Aborts the calls in progress. */
  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }
}

async function makeAgent(options: CheckedAgentOptions): Promise<Agent> {
  const {
    allowPrivate,
    lookup,
    authorities,
    connectionsMax = usualConnectionsMax,
    connectTimeoutMs = usualConnectMs,
  } = options;
  const undici = await import('undici');
  return new undici.Agent({
    connections: connectionsMax,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // A single deadline of the caller replaces these, which count whole seconds and restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: responseHeaderBytesMax,
    connect: {
      timeout: connectTimeoutMs,
      lookup: lookup ?? makeLookup({ allowPrivate }),
      // Set explicitly, so that no setting of the process can turn it off.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(authorities === undefined ? {} : { ca: authorities }),
    },
  });
}

/** Rejects as soon as the signal is aborted: undici reacts to it only once it is connected. */
export async function abortable<T>(signal: AbortSignal, task: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    if (signal.aborted) end();
    return await Promise.race([task, aborted]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
