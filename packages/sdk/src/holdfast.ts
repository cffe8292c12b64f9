// The client: `new Holdfast({ url, clientId, clientSecret })`, with a method for every operation of v1.

import type { LogEntry } from './calls.ts';
import { Api } from './generated/api.ts';
import { operationTable } from './generated/operation-table.ts';
import { bindOperations, type Method } from './operations.ts';
import { sleep } from './retries.ts';
import { tokenSource, type Credentials } from './token-requests.ts';
import { Tokens } from './tokens.ts';
import { Transport } from './transport.ts';
import { version } from './version.ts';

interface ClientSettings {
  /** The address of the service, such as `https://api.example.com`. */
  readonly url: string;
  /** The address where P-256 keys get their tokens, where the service has another for it (`AUTH_URL`). */
  readonly authUrl?: string;
  /** Instead of the `fetch` of the runtime. */
  readonly fetch?: typeof fetch;
  /** How often a failed attempt is repeated; 4 times unless told otherwise. */
  readonly retries?: number;
  /** For each attempt; 60 seconds unless told otherwise, 10 minutes where rows or a file are sent. */
  readonly timeoutMs?: number;
  /** Names your program, such as `nightly-import/1.2`, in the logs of the service. Not sent by browsers. */
  readonly userAgent?: string;
  /** Receives what is sent and answered, without bodies, queries and secrets. */
  readonly log?: (entry: LogEntry) => void;
  /** The time, and how to wait; for tests. */
  readonly clock?: { now(): number; sleep: typeof sleep };
}

export type HoldfastOptions = ClientSettings & Credentials;

export class Holdfast extends Api {
  /** The address of the service. */
  readonly url: string;
  readonly #tokens: Tokens;
  readonly #methods: ReadonlyMap<string, Method>;

  constructor(options: HoldfastOptions) {
    super();
    this.url = withoutSlash(options.url);
    const transport = makeTransport(this.url, options);
    const now = options.clock?.now ?? Date.now;
    const hosts = {
      url: this.url,
      authUrl: withoutSlash(options.authUrl ?? options.url),
      transportTo: (url: string) => (url === this.url ? transport : makeTransport(url, options)),
      now,
    };
    this.#tokens = new Tokens(tokenSource(options, hosts), now);
    this.#methods = bindOperations(this, operationTable, { transport, tokens: this.#tokens });
  }

  /** The present access token, for requests that this client does not make itself. */
  accessToken(): Promise<string> {
    return this.#tokens.get();
  }

  /** The names of all methods, such as `clients.list`. */
  methodNames(): readonly string[] {
    return [...this.#methods.keys()];
  }

  /** Calls a method by its name, for programs that learn it at run time: `holdfast.call('clients.get', id)`. */
  call(name: string, ...values: unknown[]): any {
    const method = this.#methods.get(name);
    if (method === undefined) throw new TypeError(`There is no method ${name}.`);
    return method(...values);
  }
}

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

function makeTransport(
  url: string,
  { fetch: ownFetch, retries = 4, timeoutMs, userAgent, log, clock }: HoldfastOptions,
): Transport {
  const product = `holdfast-sdk/${version}`;
  return new Transport({
    url,
    fetch: ownFetch ?? globalThis.fetch,
    retries,
    timeoutMs,
    userAgent: userAgent === undefined ? product : `${userAgent} ${product}`,
    log,
    sleep: clock?.sleep ?? sleep,
  });
}
