// Keeps an access token: fetches it on first use, renews it before it ends or when it was refused, and never twice at a time.

export interface FetchedToken {
  readonly accessToken: string;
  /** Without it, the token is used until it is refused. */
  readonly expiresInSeconds?: number | undefined;
}

/** Returns a new token. Called on first use, when the last one ends, and when it was refused. */
export type TokenSource = () => string | FetchedToken | PromiseLike<string | FetchedToken>;

/** A token is renewed this long before it ends, so that none ends on the way. */
const renewBeforeMs = 30_000;

export class Tokens {
  readonly #fetchToken: TokenSource;
  readonly #now: () => number;
  #current: { readonly value: string; readonly renewAt: number } | undefined;
  #pending: Promise<string> | undefined;

  constructor(fetchToken: TokenSource, now: () => number) {
    this.#fetchToken = fetchToken;
    this.#now = now;
  }

  get(): Promise<string> {
    const current = this.#current;
    if (current !== undefined && this.#now() < current.renewAt) return Promise.resolve(current.value);
    return this.#renew();
  }

  /** Returns another token than the refused one, which others may have fetched already. */
  replace(refused: string): Promise<string> {
    if (this.#current?.value === refused) this.#current = undefined;
    return this.get();
  }

  #renew(): Promise<string> {
    this.#pending ??= this.#fetch().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #fetch(): Promise<string> {
    const fetched = await this.#fetchToken();
    const { accessToken, expiresInSeconds = Infinity } =
      typeof fetched === 'string' ? { accessToken: fetched } : fetched;
    const lifetimeMs = expiresInSeconds * 1000;
    // A token with a very short life is used for half of it.
    const renewAt = this.#now() + Math.max(lifetimeMs - renewBeforeMs, lifetimeMs / 2);
    this.#current = { value: accessToken, renewAt };
    return accessToken;
  }
}
