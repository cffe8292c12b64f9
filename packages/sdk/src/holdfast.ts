// The client: `new Holdfast({ url, clientId, clientSecret })`, with a method for every operation of v1.

import type { LogEntry } from './calls.ts';
import { Api } from './generated/api.ts';
import { operationTable } from './generated/operation-table.ts';
import { bindOperations, type Method } from './operations.ts';
import { sleep } from './retries.ts';
import { Tokens, type FetchedToken, type TokenSource } from './tokens.ts';
import { Transport } from './transport.ts';
import { version } from './version.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The rights that tokens shall have, such as `read`; all of the application unless told otherwise. */
  readonly scope?: string;
}

export interface OwnToken {
  /** An access token, or a function that gets one. */
  readonly token: string | TokenSource;
}

interface ClientSettings {
  /** The address of the service, such as `https://api.example.com`. */
  readonly url: string;
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

export type HoldfastOptions = ClientSettings & (ClientCredentials | OwnToken);

export class Holdfast extends Api {
  /** The address of the service. */
  readonly url: string;
  readonly #tokens: Tokens;
  readonly #methods: ReadonlyMap<string, Method>;

  constructor(options: HoldfastOptions) {
    super();
    this.url = options.url.replace(/\/+$/, '');
    const transport = this.#makeTransport(options);
    this.#tokens = new Tokens(tokenSource(options, transport), options.clock?.now ?? Date.now);
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

  #makeTransport({ fetch: ownFetch, retries = 4, timeoutMs, userAgent, log, clock }: HoldfastOptions): Transport {
    const product = `holdfast-sdk/${version}`;
    return new Transport({
      url: this.url,
      fetch: ownFetch ?? globalThis.fetch,
      retries,
      timeoutMs,
      userAgent: userAgent === undefined ? product : `${userAgent} ${product}`,
      log,
      sleep: clock?.sleep ?? sleep,
    });
  }
}

function tokenSource(options: ClientCredentials | OwnToken, transport: Transport): TokenSource {
  if (!('token' in options)) return () => exchangeCredentials(options, transport);
  const { token } = options;
  return typeof token === 'function' ? token : () => token;
}

interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in: number;
}

async function exchangeCredentials(
  { clientId, clientSecret, scope }: ClientCredentials,
  transport: Transport,
): Promise<FetchedToken> {
  const fields = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const form = new URLSearchParams({ ...fields, ...(scope === undefined ? {} : { scope }) }).toString();
  const { data } = await transport.send<TokenAnswer>({
    operation: 'token',
    method: 'POST',
    path: '/oauth/token',
    accept: 'application/json',
    isIdempotent: false,
    timeoutMs: 30_000,
    body: { mediaType: 'application/x-www-form-urlencoded', isRepeatable: true, open: () => form },
  });
  return { accessToken: data.access_token, expiresInSeconds: data.expires_in };
}
