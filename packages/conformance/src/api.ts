// The service under test, as any HTTP client reaches it.

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed if it is JSON. */
  readonly body: any;
}

export interface RequestOptions {
  readonly body?: unknown;
  /** Sent as it is, with the content type in `headers`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another token than the run's own; null for none. */
  readonly token?: string | null;
}

const requestMs = 60_000;
const tries = 5;

export class Api {
  readonly url: string;
  token: string | null = null;
  requestCount = 0;

  constructor(url: string) {
    this.url = url.replace(/\/+$/, '');
  }

  /** Waits and sends again where the service asks for it: a budget is no breach of the contract. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    for (let left = tries; ; left--) {
      const answer = await this.#sendOnce(method, path, options);
      if ((answer.status !== 429 && answer.status !== 503) || left === 1) return answer;
      const seconds = Math.min(30, Number(answer.headers.get('retry-after') ?? 1));
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  }

  async #sendOnce(method: string, path: string, options: RequestOptions): Promise<Answer> {
    const { body, raw, token = this.token } = options;
    const headers = new Headers(options.headers);
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    this.requestCount++;
    const response = await fetch(this.url + path, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(requestMs),
      ...(content === undefined ? {} : { body: content }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(response, text) };
  }

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.send('GET', path, options);
  }

  post(path: string, body: unknown, options?: RequestOptions): Promise<Answer> {
    return this.send('POST', path, { ...options, body });
  }

  patch(path: string, body: unknown, options?: RequestOptions): Promise<Answer> {
    return this.send('PATCH', path, { ...options, body });
  }

  /** Creates a record and returns its id. */
  async create(plural: string, body: object): Promise<string> {
    const answer = await this.post(`/v1/${plural}`, body);
    if (answer.status !== 201) throw new Error(`POST /v1/${plural} answered ${answer.status}: ${answer.text}`);
    return answer.body.id;
  }

  async tokenFor(clientId: string, clientSecret: string): Promise<string> {
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const answer = await this.post('/oauth/token', body, { token: null });
    if (answer.status !== 200) throw new Error(`No token: ${answer.status} ${answer.text}`);
    return answer.body.access_token;
  }
}

function parse(response: Response, text: string): unknown {
  if (!/\bjson\b/.test(response.headers.get('content-type') ?? '') || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
